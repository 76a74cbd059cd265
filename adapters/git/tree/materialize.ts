import * as Effect from "effect/Effect"
import { SourceError } from "../../../application/ports/analysis/SourceFetcher.ts"
import type { SkippedFile } from "../../../domain/analysis/Coverage.ts"
import { fileTooLarge, type SourceLimits, tooLarge } from "../../../domain/repository/SourceLimits.ts"
import { readContents } from "./blobs.ts"
import { type GitCommand, type GitFailed, runGit } from "../process/runGit.ts"
import type { TreeFile } from "./readTree.ts"
import { takingTurns } from "../process/takingTurns.ts"
import { writeFile } from "./writeFile.ts"

export interface Materialization {
  /** A git command in the fetch's repository. */
  readonly git: (gitArguments: ReadonlyArray<string>, input: string) => GitCommand
  readonly files: ReadonlyArray<TreeFile>
  /** Empty; the files go below it. */
  readonly directory: string
  readonly limits: SourceLimits
  readonly onProgress: (fraction: number) => void
}

export interface Materialized {
  readonly files: ReadonlyArray<string>
  readonly skipped: ReadonlyArray<SkippedFile>
  /** For all files together. */
  readonly bytes: number
}

const lines = (ids: Iterable<string>): string => [...ids].map((id) => `${id}\n`).join("")

/**
 * Writes blobs as plain files: there is no checkout, so the repository's filters, hooks, attributes and links have no
 * effect. A blob over the limit is not requested, so it is never unpacked into memory.
 */
export const materialize = ({
  git,
  files,
  directory,
  limits,
  onProgress,
}: Materialization): Effect.Effect<Materialized, GitFailed | SourceError> =>
  Effect.gen(function* () {
    const paths = Map.groupBy(files, ({ id }) => id)
    const skipped: Array<SkippedFile> = []
    const wanted = new Set<string>()
    let bytes = 0
    const leaveOut = (sharing: ReadonlyArray<TreeFile>): void => {
      for (const { path, size } of sharing) skipped.push({ file: path, reason: fileTooLarge(limits, size) })
    }
    for (const [id, sharing] of paths) {
      const { size } = sharing[0]!
      if (size === undefined || size > limits.fileBytes) {
        leaveOut(sharing)
        continue
      }
      wanted.add(id)
      bytes += size * sharing.length
    }
    if (bytes > limits.repositoryBytes) {
      return yield* new SourceError({ message: tooLarge(limits), retryable: false, byLimit: true })
    }

    const written: Array<string> = []
    const count = wanted.size
    const contents = runGit(git(["cat-file", "--batch", "--buffer"], lines(wanted)), (stdout, signal) => {
      // One blob may occur under 50,000 names, and 50,000 small ones in a few chunks: writing them takes seconds.
      const turn = takingTurns(signal)
      return readContents(stdout, async (id, content) => {
        for (const { path } of paths.get(id) ?? []) {
          await turn()
          const objection = writeFile(directory, path, content)
          if (objection === undefined) written.push(path)
          else skipped.push({ file: path, reason: objection })
        }
        wanted.delete(id)
        onProgress(1 - wanted.size / count)
      })
    })
    if (count > 0) yield* contents
    // What the tree calls a file but is not one.
    for (const id of wanted) leaveOut(paths.get(id)!)
    return { files: written.toSorted(), skipped, bytes }
  })
