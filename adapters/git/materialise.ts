import * as Effect from "effect/Effect"
import { SourceError } from "../../application/ports/SourceFetcher.ts"
import type { SkippedFile } from "../../domain/analysis/Coverage.ts"
import { fileTooLarge, type SourceLimits, tooLarge } from "../../domain/repository/SourceLimits.ts"
import { readContents, readSizes } from "./blobs.ts"
import { type GitCommand, type GitFailed, runGit } from "./runGit.ts"
import type { TreeFile } from "./readTree.ts"
import { takingTurns } from "./takingTurns.ts"
import { writeFile } from "./writeFile.ts"

export interface Materialisation {
  /** A git command in the job's repository. */
  readonly git: (gitArguments: ReadonlyArray<string>, input: string) => GitCommand
  readonly files: ReadonlyArray<TreeFile>
  /** Empty; the files go below it. */
  readonly directory: string
  readonly limits: SourceLimits
  readonly onProgress: (fraction: number) => void
}

export interface Materialised {
  readonly files: ReadonlyArray<string>
  readonly skipped: ReadonlyArray<SkippedFile>
  /** Of all the files together. */
  readonly bytes: number
}

const lines = (ids: Iterable<string>): string => [...ids].map((id) => `${id}\n`).join("")

/**
 * Writes blobs as plain files: no checkout, so no filter, hook, attribute or link of the repository has a say. Sizes
 * are asked first, so that a blob over the limit is never unpacked into memory.
 */
export const materialise = ({
  git,
  files,
  directory,
  limits,
  onProgress,
}: Materialisation): Effect.Effect<Materialised, GitFailed | SourceError> =>
  Effect.gen(function* () {
    const paths = Map.groupBy(files, ({ id }) => id)
    const sizes = yield* runGit(git(["cat-file", "--batch-check"], lines(paths.keys())), readSizes)

    const skipped: Array<SkippedFile> = []
    const wanted: Array<string> = []
    let bytes = 0
    for (const [id, sharing] of paths) {
      const size = sizes.get(id)
      if (size === undefined || size > limits.fileBytes) {
        skipped.push(...sharing.map(({ path }) => ({ file: path, reason: fileTooLarge(limits, size) })))
        continue
      }
      wanted.push(id)
      bytes += size * sharing.length
    }
    if (bytes > limits.repositoryBytes) {
      return yield* new SourceError({ message: tooLarge(limits), retryable: false, byLimit: true })
    }

    const written: Array<string> = []
    let blobs = 0
    const contents = runGit(git(["cat-file", "--batch", "--buffer"], lines(wanted)), (stdout, signal) => {
      // One blob may stand under 50,000 names, and 50,000 small ones in a few chunks: writing them takes seconds.
      const turn = takingTurns(signal)
      return readContents(stdout, async (id, content) => {
        for (const { path } of paths.get(id) ?? []) {
          await turn()
          const objection = writeFile(directory, path, content)
          if (objection === undefined) written.push(path)
          else skipped.push({ file: path, reason: objection })
        }
        onProgress(++blobs / wanted.length)
      })
    })
    if (wanted.length > 0) yield* contents
    return { files: written.toSorted(), skipped, bytes }
  })
