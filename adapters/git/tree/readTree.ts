import type { SkippedFile } from "../../../domain/analysis/Coverage.ts"
import { folderTreeSteps } from "../../../domain/detection/FolderTree.ts"
import { buildOutputOf, buildToolOf, isRelevant, nameOf } from "../../../domain/detection/ProjectFiles.ts"
import { unreadLanguageOf } from "../../../domain/detection/unreadLanguages.ts"
import { type SourceLimits, tooManyFiles, tooManyFolders } from "../../../domain/repository/SourceLimits.ts"
import { SourceError } from "../../../application/ports/analysis/SourceFetcher.ts"
import { takingTurns } from "../process/takingTurns.ts"
import { pathObjection } from "./treePath.ts"

export interface TreeFile {
  readonly path: string
  /** The blob's id. */
  readonly id: string
  /** In bytes; undefined if the server withheld the blob as too large, or if there is none. */
  readonly size: number | undefined
}

/** A commit of another repository in place of a folder. */
export interface SubmoduleEntry {
  readonly path: string
  readonly id: string
}

export interface TreeListing {
  readonly files: ReadonlyArray<TreeFile>
  readonly submodules: ReadonlyArray<SubmoduleEntry>
  readonly skipped: ReadonlyArray<SkippedFile>
  /** Contracts in unread languages. */
  readonly unread: ReadonlyArray<string>
}

/** How many bytes a whole listing may have: 50,000 paths of the maximum length, and as many folders. */
const maxListing = 100_000_000

const decoder = new TextDecoder("utf-8", { fatal: true })

/** The longest record that is read; git's own limit for a path is 4,096 bytes on Linux. */
const maxRecord = 65_536

const decode = (bytes: Uint8Array): string | undefined => {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}

/** Splits a stream into its NUL-terminated records. */
async function* records(stdout: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  let length = 0
  for await (const chunk of stdout) {
    length += chunk.length
    const buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let start = 0
    for (let end = buffer.indexOf(0); end !== -1; end = buffer.indexOf(0, start)) {
      yield buffer.subarray(start, end)
      start = end + 1
    }
    rest = buffer.subarray(start)
    if (rest.length > maxRecord || length > maxListing)
      throw new SourceError({
        message: "The repository has paths that are too long to be read.",
        retryable: false,
        byLimit: true,
      })
  }
}

/** Leaves out committed build output. Takes a second for deep trees. */
const withoutBuildOutput = async (
  files: ReadonlyArray<TreeFile>,
  turn: () => Promise<void>,
): Promise<ReadonlyArray<TreeFile>> => {
  const steps = folderTreeSteps(
    files.map(({ path }) => path),
    buildOutputOf,
  )
  let step = steps.next()
  for (; step.done !== true; step = steps.next()) await turn()
  const { count, parents, traits, folderOf } = step.value
  const tools = new Uint8Array(count)
  for (const { path } of files) {
    await turn()
    tools[folderOf(path)]! |= buildToolOf(nameOf(path))
  }
  const output = new Uint8Array(count)
  for (let id = 1; id < count; id++) {
    const parent = parents[id]!
    output[id] = output[parent]! | (traits[id]! & tools[parent]!)
  }
  const kept: Array<TreeFile> = []
  for (const file of files) {
    await turn()
    if (output[folderOf(file.path)] === 0) kept.push(file)
  }
  return kept
}

/**
 * Reads `git ls-tree -r -t -l -z`: the regular files that an analysis needs, without checking anything out. Links and
 * paths that no file system should see are listed as skipped if they concern an analysis. Fails at the first file or
 * folder beyond the limit, so that a tree that unfolds to billions of paths costs no more than that; without `-t`, git
 * would walk billions of empty folders and print nothing.
 */
export const readTree = async (
  stdout: AsyncIterable<Buffer>,
  limits: SourceLimits,
  signal?: AbortSignal,
): Promise<TreeListing> => {
  const files: Array<TreeFile> = []
  const submodules: Array<SubmoduleEntry> = []
  const skipped: Array<SkippedFile> = []
  const unread: Array<string> = []
  let [count, folders] = [0, 0]
  // 50,000 paths of 400 folders take a second.
  const turn = takingTurns(signal)
  for await (const record of records(stdout)) {
    await turn()
    const tab = record.indexOf("\t")
    const [mode, , id, size = ""] = record.toString("latin1", 0, tab).split(/ +/)
    const isFolder = mode === "040000"
    if ((isFolder ? ++folders : ++count) > limits.files) {
      const message = (isFolder ? tooManyFolders : tooManyFiles)(limits)
      throw new SourceError({ message, retryable: false, byLimit: true })
    }
    if (isFolder) continue
    const bytes = record.subarray(tab + 1)
    const path = decode(bytes)
    if (mode === "160000") {
      if (path !== undefined && id !== undefined) submodules.push({ path, id })
      else skipped.push({ file: bytes.toString("latin1"), reason: "is a submodule whose name is not UTF-8" })
      continue
    }
    const isUnread = path !== undefined && mode !== "120000" && unreadLanguageOf(path) !== undefined
    if (isUnread && pathObjection(path) === undefined) unread.push(path)
    if (!isRelevant(path ?? bytes.toString("latin1"))) continue
    const objection = path === undefined ? "has a name that is not UTF-8" : pathObjection(path)
    if (objection !== undefined || path === undefined || id === undefined) {
      skipped.push({ file: path ?? bytes.toString("latin1"), reason: objection ?? "cannot be read" })
    } else if (mode === "120000") {
      skipped.push({ file: path, reason: "is a symbolic link, which is not followed" })
    } else {
      files.push({ path, id, size: /^\d+$/.test(size) ? Number(size) : undefined })
    }
  }
  return { files: await withoutBuildOutput(files, turn), submodules, skipped, unread }
}
