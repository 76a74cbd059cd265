import { readFile } from "node:fs/promises"
import { join } from "node:path"
import type { SkippedFile } from "../../domain/analysis/Coverage.ts"
import type { SourceLimits } from "../../domain/repository/SourceLimits.ts"
import { walk } from "./walk.ts"

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

const text = (root: string, path: string): Promise<string> => readFile(join(root, path), "utf8").catch(() => "")

/**
 * The Solidity files of those packages in `node_modules` that the sources import, and that these import in turn. A
 * whole `node_modules` has tens of thousands of files; the imported packages have hundreds.
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

  let unread = sources.filter((path) => path.endsWith(".sol"))
  while (unread.length > 0 && files.length < limits.files) {
    const added: Array<string> = []
    for (const path of unread) {
      for (const name of packagesOf(await text(root, path))) {
        if (seen.has(name)) continue
        seen.add(name)
        for (const folder of packageFolders) {
          const found = await walk(root, `${folder}/${name}`, limits)
          added.push(...found.files.filter((file) => file.endsWith(".sol")))
          // A missing package is reported by the engine, at the import.
          skipped.push(...found.skipped.filter(({ file }) => file !== `${folder}/${name}`))
        }
      }
    }
    files.push(...added)
    unread = added
  }
  return { files: files.slice(0, limits.files), skipped }
}
