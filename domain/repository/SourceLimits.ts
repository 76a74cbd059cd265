import * as Duration from "effect/Duration"
import type { SkippedFile } from "../analysis/Coverage.ts"

/** What fetching the sources of one analysis may cost. */
export interface SourceLimits {
  /** Bytes transferred and bytes written. */
  readonly repositoryBytes: number
  /** Files in the tree, whatever their kind, and folders. */
  readonly files: number
  /** Bytes of a source file; larger ones are skipped. */
  readonly fileBytes: number
  /** Total time. */
  readonly totalTime: Duration.Duration
  /** Time without data after which a server counts as stalled. */
  readonly stallTime: Duration.Duration
}

export const sourceLimits: SourceLimits = {
  repositoryBytes: 500_000_000,
  files: 50_000,
  fileBytes: 2_000_000,
  totalTime: Duration.minutes(5),
  stallTime: Duration.seconds(30),
}

/** Bytes in words: `2 MB`, `0.5 MB`. */
export const megabytes = (bytes: number): string => `${Math.round(bytes / 100_000) / 10} MB`

export const tooManyFiles = (limits: SourceLimits): string =>
  `The repository has more than ${limits.files.toLocaleString("en-US")} files, the limit of an analysis.`

export const tooManyFolders = (limits: SourceLimits): string =>
  `The repository has more than ${limits.files.toLocaleString("en-US")} folders, the limit of an analysis. Remove folders without contracts.`

export const tooLarge = (limits: SourceLimits): string =>
  `The repository is larger than ${megabytes(limits.repositoryBytes)}, the limit of an analysis.`

export const noAnswer = (host: string, limits: SourceLimits): string =>
  `${host} did not respond within ${Duration.toSeconds(limits.stallTime)} seconds. Retry later.`

/** Reason under which the coverage lists a source file over the limit. */
export const fileTooLarge = (limits: SourceLimits, bytes?: number): string =>
  `${bytes === undefined ? "is larger than" : `has ${megabytes(bytes)}, more than`} ${megabytes(limits.fileBytes)}, the limit for a source file`

/** A hostile tree has tens of thousands of files to skip; nobody reads more than the first. */
const maxSkipped = 1_000

/** Characters of a path that are shown; git's own limit is 4,096 bytes. */
const shownPath = 1_024

const bounded = (path: string): string =>
  path.length <= shownPath ? path : `${path.slice(0, shownPath).toWellFormed()}…`

export const boundedSkips = (skipped: ReadonlyArray<SkippedFile>): ReadonlyArray<SkippedFile> => {
  const shown = skipped.slice(0, maxSkipped).map(({ file, reason }) => ({ file: bounded(file), reason }))
  const more = skipped.length - shown.length
  return more === 0
    ? shown
    : [...shown, { file: ".", reason: `has ${more.toLocaleString("en-US")} more files that were skipped` }]
}
