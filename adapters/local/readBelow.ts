import { open, realpath } from "node:fs/promises"
import { join, sep } from "node:path"

/** Longer sources are not analyzed either. */
const maxBytes = 10_000_000

/** A file below `root`, with links resolved; undefined if there is no such file. */
export const readBelow = async (root: string, path: string): Promise<Buffer | undefined> => {
  const real = await realpath(join(root, path)).catch(() => "")
  if (!real.startsWith(root.endsWith(sep) ? root : root + sep)) return undefined
  const file = await open(real).catch(() => undefined)
  if (file === undefined) return undefined
  try {
    const stat = await file.stat()
    return stat.isFile() && stat.size <= maxBytes ? await file.readFile() : undefined
  } finally {
    await file.close()
  }
}
