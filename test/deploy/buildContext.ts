import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** Docker's patterns, unlike the shell's, match names that begin with a dot. */
const matches = (path: string, pattern: string): boolean => {
  const expression = pattern
    .replaceAll(/[.+^$()[\]{}|\\]/g, "\\$&")
    .replaceAll("**/", "\0")
    .replaceAll("*", "[^/]*")
    .replaceAll("?", "[^/]")
    .replaceAll("\0", "(?:.*/)?")
  return new RegExp(`^${expression}$`).test(path)
}

/** Whether the last pattern that matches a path or a folder above it excludes it. */
const isIgnored = (path: string, patterns: ReadonlyArray<string>): boolean => {
  const parts = path.split("/")
  const prefixes = parts.map((_, index) => parts.slice(0, index + 1).join("/"))
  return patterns.reduce((ignored, pattern) => {
    const positive = pattern.startsWith("!")
    const glob = positive ? pattern.slice(1) : pattern
    return prefixes.some((prefix) => matches(prefix, glob)) ? !positive : ignored
  }, false)
}

/** What `docker build` sends of a folder: the files that its `.dockerignore` does not exclude, relative to it. */
export const buildContext = (folder: string): ReadonlyArray<string> => {
  const patterns = readFileSync(join(folder, ".dockerignore"), "utf8")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
  const files = (path: string): ReadonlyArray<string> =>
    readdirSync(join(folder, path), { withFileTypes: true }).flatMap((entry) => {
      const name = join(path, entry.name)
      // Nothing in an excluded folder is included again, except by a pattern that starts with its name.
      if (isIgnored(name, patterns) && !patterns.some((pattern) => pattern.startsWith(`!${name}/`))) return []
      return entry.isDirectory() ? files(name) : [name]
    })
  return files("")
}
