import { readFile } from "node:fs/promises"
import { join } from "node:path"

/** More patterns than any hand-written `.gitignore` has. */
const maxPatterns = 1_000

interface Pattern {
  readonly text: string
  readonly isNegated: boolean
}

/** Whether a name matches a pattern of `*` and other characters; a name has at most 255 of them. */
export const matchesName = (pattern: string, name: string): boolean => {
  let [at, from, star, mark] = [0, 0, -1, 0]
  while (from < name.length) {
    if (pattern[at] === "*") [star, mark, at] = [at, from, at + 1]
    else if (pattern[at] === name[from]) [at, from] = [at + 1, from + 1]
    else if (star === -1) return false
    else [at, from, mark] = [star + 1, mark + 1, mark + 1]
  }
  while (pattern[at] === "*") at++
  return at === pattern.length
}

const patternsIn = (text: string): ReadonlyArray<Pattern> =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .slice(0, maxPatterns)
    .map((line) => ({
      text: line.replace(/^!/, "").replace(/^\//, "").replace(/\/$/, ""),
      isNegated: line.startsWith("!"),
    }))

/**
 * Determines which of a folder's files are ignored by its `.gitignore` or one above, up to `root`: they are on this
 * disk, but not in the repository. Only patterns for names are supported, which is how settings and keys are ignored.
 */
export const ignoredNames = async (root: string, folder: string): Promise<(name: string) => boolean> => {
  const above = folder === "" ? [] : folder.split("/")
  const folders = above.map((_, index) => above.slice(0, index + 1).join("/"))
  const texts = await Promise.all(
    ["", ...folders].map((each) => readFile(join(root, each, ".gitignore"), "utf8").catch(() => "")),
  )
  const patterns = texts.flatMap(patternsIn)
  return (name) => patterns.findLast(({ text }) => matchesName(text, name))?.isNegated === false
}
