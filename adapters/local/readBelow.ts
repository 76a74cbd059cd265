import { realpath } from "node:fs/promises"
import { join, sep } from "node:path"
import { readRegular } from "./readRegular.ts"

/** Longer sources are not analyzed either. */
const maxBytes = 10_000_000

/** A file or folder below `root`, with links resolved; undefined if there is none. */
export const pathBelow = async (root: string, path: string): Promise<string | undefined> => {
  const real = await realpath(join(root, path)).catch(() => "")
  return real.startsWith(root.endsWith(sep) ? root : root + sep) ? real : undefined
}

/** A file below `root`, with links resolved; undefined if there is no such file. */
export const readBelow = async (root: string, path: string): Promise<Buffer | undefined> => {
  const real = await pathBelow(root, path)
  return real === undefined ? undefined : readRegular(real, maxBytes)
}
