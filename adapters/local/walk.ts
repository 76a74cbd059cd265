import type { Dirent } from "node:fs"
import { lstat, readdir } from "node:fs/promises"
import { join } from "node:path"
import type { SkippedFile } from "../../domain/analysis/Coverage.ts"
import { isBuildOutput, isProjectFile, isRelevant, isSource } from "../../domain/detection/ProjectFiles.ts"
import { unreadLanguageOf } from "../../domain/detection/unreadLanguages.ts"
import { fileTooLarge, type SourceLimits } from "../../domain/repository/SourceLimits.ts"
import { ignoredBelow } from "./ignored.ts"

export interface Walked {
  readonly files: ReadonlyArray<string>
  readonly skipped: ReadonlyArray<SkippedFile>
  /** Contracts in unsupported languages. */
  readonly unread: ReadonlyArray<string>
  /** `node_modules` folders that were found but not entered. */
  readonly packageFolders: ReadonlyArray<string>
  /** How many directory entries were seen. */
  readonly entries: number
}

/** Maximum number of directory entries: a home directory has more, a project does not. */
export const mostEntries = 500_000

const below = (folder: string, name: string): string => (folder === "" ? name : `${folder}/${name}`)

/** Files that are read only for secrets count only if they may be in the repository. */
const isForSecrets = (path: string): boolean => !isSource(path) && !isProjectFile(path)

const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : "error")

/** A file in the walk's result, or the reason why it is not. */
export const inspect = async (root: string, path: string, limits: SourceLimits): Promise<string | undefined> => {
  try {
    const stat = await lstat(join(root, path))
    if (stat.isSymbolicLink()) return "is a symbolic link, which is not followed"
    if (!stat.isFile()) return "is not a regular file"
    return stat.size > limits.fileBytes ? fileTooLarge(limits, stat.size) : undefined
  } catch (error) {
    return `cannot be read (${codeOf(error)})`
  }
}

/**
 * Lists the files below `start` that an analysis needs, relative to `root`, without following links. Git's folder,
 * build output, `node_modules` and settings that git ignores are skipped.
 */
export const walk = async (
  root: string,
  start: string,
  limits: SourceLimits,
  maxEntries = mostEntries,
): Promise<Walked> => {
  const files: Array<string> = []
  const skipped: Array<SkippedFile> = []
  const unread: Array<string> = []
  const packageFolders: Array<string> = []
  const folders = [start]
  const ignoredIn = ignoredBelow(root)
  let entriesSeen = 0

  const take = async (
    folder: string,
    entry: Dirent,
    siblings: ReadonlySet<string>,
    ignored: () => Promise<(name: string) => boolean>,
  ): Promise<void> => {
    const path = below(folder, entry.name)
    if (entry.isDirectory()) {
      if (entry.name === ".git" || isBuildOutput(entry.name, siblings)) return
      if (entry.name === "node_modules") packageFolders.push(path)
      else folders.push(path)
      return
    }
    if (unreadLanguageOf(path) !== undefined && unread.length < limits.files) unread.push(path)
    if (!isRelevant(path)) return
    if (isForSecrets(path) && (await ignored())(entry.name)) return
    const reason = await inspect(root, path, limits)
    if (reason === undefined) files.push(path)
    else if (isSource(path) || isProjectFile(path)) skipped.push({ file: path, reason })
  }

  for (const folder of folders) {
    let entries: ReadonlyArray<Dirent>
    try {
      entries = await readdir(join(root, folder), { withFileTypes: true })
    } catch (error) {
      skipped.push({ file: folder === "" ? "." : folder, reason: `cannot be read (${codeOf(error)})` })
      continue
    }
    entriesSeen += entries.length
    const siblings = new Set(entries.map(({ name }) => name))
    let names: ReturnType<typeof ignoredIn> | undefined
    const ignored = () => (names ??= ignoredIn(folder))
    for (const entry of entries) await take(folder, entry, siblings, ignored)
    if (files.length > limits.files || entriesSeen > maxEntries) {
      const limit = Math.min(limits.files, files.length)
      skipped.push({
        file: folder === "" ? "." : folder,
        reason: `is where the limit of ${limits.files.toLocaleString("en-US")} files was reached; everything after it was skipped`,
      })
      files.length = limit
      break
    }
  }
  return { files, skipped, unread, packageFolders, entries: entriesSeen }
}
