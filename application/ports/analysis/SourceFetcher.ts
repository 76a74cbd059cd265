import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type { SkippedFile } from "../../../domain/analysis/Coverage.ts"

/** A credential for private repositories of one origin; it is never sent elsewhere. */
export interface SourceCredential {
  /** Such as `https://github.com`. */
  readonly origin: string
  readonly secret: Redacted.Redacted<string>
}

export interface SourceRequest {
  readonly repositoryUrl: string
  /** Branch, tag or commit; defaults to the default branch. */
  readonly branch: string | undefined
  /** Fetched instead of the branch's latest commit; the branch is then only a label. */
  readonly commit?: string | undefined
  /** Used only if the repository is not public. */
  readonly credential?: SourceCredential | undefined
}

export interface FetchedSource {
  /** Absolute path; the files fetched to it are removed when the scope closes. */
  readonly directory: string
  readonly branch: string
  /** Full id of the commit; absent for a local folder that is not a git checkout. */
  readonly commit: string | undefined
  /** Regular files, relative with forward slashes, sorted. Symbolic links are never among them. */
  readonly files: ReadonlyArray<string>
  readonly skipped: ReadonlyArray<SkippedFile>
  /** Contracts in languages that no front end reads; they are not fetched. */
  readonly unread?: ReadonlyArray<string>
  /** The id of each file's content, if the source has one for all of `files`: equal contents have equal ids. */
  readonly contentIds?: ReadonlyMap<string, string>
}

/**
 * The sources cannot be fetched. `retryable` if another attempt may succeed, `byLimit` if they exceed what an analysis
 * may cost; `message` says what to do.
 */
export class SourceError extends Schema.TaggedError<SourceError>()("SourceError", {
  message: Schema.String,
  retryable: Schema.Boolean,
  byLimit: Schema.optionalKey(Schema.Boolean),
}) {}

/** Fetches a repository's files into a separate directory without running any of it; the engine reads them there. */
export class SourceFetcher extends Context.Service<
  SourceFetcher,
  {
    readonly fetch: (
      request: SourceRequest,
      /** Between 0 and 1, never decreasing. */
      onProgress: (fraction: number) => void,
    ) => Effect.Effect<FetchedSource, SourceError, Scope.Scope>
  }
>()("assay/application/SourceFetcher") {}
