import { constants } from "node:fs"
import { join } from "node:path"
import { folderOf } from "../../domain/detection/ProjectFiles.ts"
import { readRegular } from "./readRegular.ts"

/** More patterns than a folder and those above have together, and longer ones. */
const [maxPatterns, maxPattern, maxBytes] = [300, 255, 100_000]

interface Pattern {
  /** What stands between the stars. */
  readonly pieces: ReadonlyArray<string>
  readonly isNegated: boolean
}

/** Whether a name consists of these pieces, in this order, with anything between them. */
export const matchesName = ([first = "", ...others]: ReadonlyArray<string>, name: string): boolean => {
  const last = others.pop()
  if (last === undefined) return name === first
  if (!name.startsWith(first)) return false
  let from = first.length
  for (const piece of others) {
    const at = name.indexOf(piece, from)
    if (at === -1) return false
    from = at + piece.length
  }
  return name.length - last.length >= from && name.endsWith(last)
}

const patternsIn = (text: string): ReadonlyArray<Pattern> =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#") && line.length <= maxPattern)
    .map((line) => ({
      pieces: line.replace(/^!/, "").replace(/^\//, "").replace(/\/$/, "").split("*"),
      isNegated: line.startsWith("!"),
    }))

/**
 * Determines which of a folder's files are ignored by its `.gitignore` or one above, up to `root`: they are on this
 * disk, but not in the repository. Only patterns for names are supported, which is how settings and keys are ignored.
 * Like git, never follows a link.
 */
export const ignoredBelow = (root: string): ((folder: string) => Promise<(name: string) => boolean>) => {
  const known = new Map<string, Promise<ReadonlyArray<Pattern>>>()
  const read = async (folder: string): Promise<ReadonlyArray<Pattern>> => {
    const above = folder === "" ? [] : await patternsOf(folderOf(folder))
    const bytes = await readRegular(join(root, folder, ".gitignore"), maxBytes, constants.O_NOFOLLOW)
    return bytes === undefined ? above : [...above, ...patternsIn(bytes.toString("utf8"))].slice(-maxPatterns)
  }
  const patternsOf = (folder: string): Promise<ReadonlyArray<Pattern>> => {
    const found = known.get(folder) ?? read(folder)
    known.set(folder, found)
    return found
  }
  return async (folder) => {
    const patterns = await patternsOf(folder)
    return (name) => patterns.findLast(({ pieces }) => matchesName(pieces, name))?.isNegated === false
  }
}
