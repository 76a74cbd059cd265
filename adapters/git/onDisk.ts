import * as Effect from "effect/Effect"
import { SourceError } from "../../application/ports/analysis/SourceFetcher.ts"

const full = new Set(["ENOSPC", "EDQUOT"])

/** The operating system's code for an error. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error ? String(error.code) : undefined

/** The user's message for a full disk; another worker, or this one later, may have room. */
export const noSpaceLeft = "The worker has no disk space left. Retry later."

/** Whether the disk is at fault, so that missing data says nothing about the repository. */
export const isDiskFull = ({ message }: SourceError): boolean => message === noSpaceLeft

/** What a user can do about an error in the worker's file system. */
export const diskFailure = (error: unknown): SourceError =>
  new SourceError({
    message: full.has(codeOf(error) ?? "") ? noSpaceLeft : "The worker cannot write sources to its disk. Retry later.",
    retryable: true,
  })

/** Works on the fetch's own files, where only the disk can fail. */
export const onDisk = <A>(work: () => Promise<A>): Effect.Effect<A, SourceError> =>
  Effect.tryPromise({ try: work, catch: diskFailure })
