import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type { SkippedFile } from "../../domain/analysis/Coverage.ts"

/** What opens private repositories of one origin, and is sent nowhere else. */
export interface SourceCredential {
  /** Such as `https://github.com`. */
  readonly origin: string
  readonly secret: Redacted.Redacted<string>
}

export interface SourceRequest {
  readonly repositoryUrl: string
  /** Branch, tag or commit; the default branch when absent. */
  readonly branch: string | undefined
  /** In place of the branch's latest commit; the branch then only names it. */
  readonly commit?: string | undefined
  /** Used only where the repository is not public. */
  readonly credential?: SourceCredential | undefined
}

export interface FetchedSource {
  /** Absolute path; what was fetched to it is removed when the scope closes. */
  readonly directory: string
  readonly branch: string
  /** Full id of the commit; absent for a local folder that is not a git checkout. */
  readonly commit: string | undefined
  /** Regular files, relative with forward slashes, sorted. Symbolic links are never among them. */
  readonly files: ReadonlyArray<string>
  readonly skipped: ReadonlyArray<SkippedFile>
  /** Contracts in languages that no front end reads; they are not fetched. */
  readonly unread?: ReadonlyArray<string>
  /** Id of each file's content, where the source has one for all of `files`: the same content has the same id. */
  readonly contentIds?: ReadonlyMap<string, string>
}

/**
 * The sources cannot be had. `retryable` is true where another attempt may succeed, `byLimit` where they go beyond what
 * an analysis may cost; `message` says what to do.
 */
export class SourceError extends Schema.TaggedError<SourceError>()("SourceError", {
  message: Schema.String,
  retryable: Schema.Boolean,
  byLimit: Schema.optionalKey(Schema.Boolean),
}) {}

/** Brings a repository's files to a directory of their own without running anything of it; the engine reads them there. */
export class SourceFetcher extends Context.Service<
  SourceFetcher,
  {
    readonly fetch: (
      request: SourceRequest,
      /** Between 0 and 1, never falling. */
      onProgress: (fraction: number) => void,
    ) => Effect.Effect<FetchedSource, SourceError, Scope.Scope>
  }
>()("assay/application/SourceFetcher") {}
