import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { codeOf, diskFailure } from "../onDisk.ts"

/** Error codes of a file system when another path of the tree is in the way; it may ignore case. */
const collision = new Set(["EEXIST", "ENOTDIR", "EISDIR"])

/** Writes a new file below `root`, never over another one; returns the reason if it could not be written. */
export const writeFile = (root: string, path: string, content: Uint8Array): string | undefined => {
  const target = join(root, path)
  try {
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
    writeFileSync(target, content, { flag: "wx", mode: 0o600 })
    return undefined
  } catch (error) {
    const code = codeOf(error)
    if (code !== undefined && collision.has(code)) return "has the same name as another file"
    if (code === "ENAMETOOLONG" || code === "EILSEQ") return "has a name that cannot be stored"
    throw diskFailure(error)
  }
}
