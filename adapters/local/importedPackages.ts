import { readdir } from "node:fs/promises"
import { join } from "node:path"
import type { SkippedFile } from "../../domain/analysis/Coverage.ts"
import type { SourceLimits } from "../../domain/repository/SourceLimits.ts"
import { pathBelow } from "./readBelow.ts"
import { readRegular } from "./readRegular.ts"
import { mostEntries, walk } from "./walk.ts"

/** Matches each piece once: the keyword, the end of a statement, a string up to the end of its line. */
const pieces = /\b(import)\b|;|["']([^"'\n]*)["']?/g

/** Packages, `name` or `@scope/name`, that a Solidity file imports from. */
export const packagesOf = (text: string): ReadonlySet<string> => {
  const packages = new Set<string>()
  let importing = false
  for (const [, word, path] of text.matchAll(pieces)) {
    const name = importing ? /^(@[\w.-]+\/[\w.-]+|[\w][\w.-]*)\//.exec(path ?? "")?.[1] : undefined
    if (name !== undefined) packages.add(name)
    importing = word !== undefined
  }
  return packages
}

/** The folders in which a `node_modules` folder holds packages, by their names. */
const installedIn = async (root: string, folder: string): Promise<ReadonlyArray<string>> => {
  const namesIn = (path: string) => readdir(join(root, path)).catch((): ReadonlyArray<string> => [])
  const names = await namesIn(folder)
  const scoped = names.filter((name) => name.startsWith("@"))
  const below = await Promise.all(
    scoped.map(async (scope) => (await namesIn(`${folder}/${scope}`)).map((name) => `${scope}/${name}`)),
  )
  return [...names, ...below.flat()]
}

/**
 * The Solidity files of those packages in `node_modules` that the sources import, and that these import in turn. A
 * whole `node_modules` has tens of thousands of files; the imported packages have hundreds. Package managers link
 * packages: each is read once, and only if it is below `root`.
 */
export const importedPackages = async (
  root: string,
  sources: ReadonlyArray<string>,
  packageFolders: ReadonlyArray<string>,
  limits: SourceLimits,
): Promise<{ readonly files: ReadonlyArray<string>; readonly skipped: ReadonlyArray<SkippedFile> }> => {
  const files: Array<string> = []
  const skipped: Array<SkippedFile> = []
  const seen = new Set<string>()
  if (packageFolders.length === 0) return { files, skipped }
  const places = new Map<string, Array<string>>()
  for (const folder of packageFolders) {
    for (const name of await installedIn(root, folder)) {
      const held = places.get(name)
      if (held === undefined) places.set(name, [folder])
      else held.push(folder)
    }
  }

  let entriesLeft = mostEntries
  const walked = new Set<string>()
  const filesOf = async (path: string): Promise<ReadonlyArray<string>> => {
    const real = await pathBelow(root, path)
    if (real === undefined) skipped.push({ file: path, reason: "is a link to nothing below the repository" })
    if (real === undefined || walked.has(real) || entriesLeft <= 0) return []
    walked.add(real)
    const found = await walk(root, path, limits, entriesLeft)
    entriesLeft -= found.entries
    skipped.push(...found.skipped)
    return found.files.filter((file) => file.endsWith(".sol"))
  }

  let unread = sources.filter((path) => path.endsWith(".sol"))
  while (unread.length > 0 && files.length < limits.files) {
    const added: Array<string> = []
    for (const path of unread) {
      const text = (await readRegular(join(root, path), limits.fileBytes))?.toString("utf8") ?? ""
      for (const name of packagesOf(text)) {
        if (seen.has(name)) continue
        seen.add(name)
        for (const folder of places.get(name) ?? []) added.push(...(await filesOf(`${folder}/${name}`)))
      }
    }
    files.push(...added)
    unread = added
  }
  return { files: files.slice(0, limits.files), skipped }
}
