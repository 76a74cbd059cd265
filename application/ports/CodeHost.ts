import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import type { TokenKind } from "../../domain/repository/HostingToken.ts"
import type { HostedRepository } from "../../domain/repository/Repository.ts"
import type { RepositoryUrl } from "../../domain/repository/RepositoryUrl.ts"

export type HostingSecret = Redacted.Redacted<string>

/** The hosting service limits us, is down or talks nonsense. `retryAfter` is seconds; `message` is for the user. */
export class HostingUnavailable extends Schema.TaggedError<HostingUnavailable>()("HostingUnavailable", {
  message: Schema.String,
  retryAfter: Schema.Int,
  /** Whether it is there and only limits us. */
  limited: Schema.optional(Schema.Boolean),
}) {}

/** The hosting service does not accept the token, or the token may not do this; `message` says what to do. */
export class HostingTokenRefused extends Schema.TaggedError<HostingTokenRefused>()("HostingTokenRefused", {
  message: Schema.String,
}) {}

export type HostingError = HostingUnavailable | HostingTokenRefused

/** The list changed while it was read, so that a repository may be missing in it. */
export class ListChanged extends Schema.TaggedError<ListChanged>()("ListChanged", {}) {}

/** The list of repositories, as it is while it is read. */
export interface Reading {
  /** By the service's clock, before the first page; undefined where it does not tell. */
  readonly startedAt: Date | undefined
  /** Every repository that the token reaches, page by page of at most 100; `ListChanged` comes after the last page. */
  readonly pages: Stream.Stream<ReadonlyArray<HostedRepository>, HostingError | ListChanged>
}

export interface TokenDescription {
  readonly kind: TokenKind
  /** The account that it acts for; an installation has none. */
  readonly account: string | undefined
  /** Undefined where the service does not tell: the token then has permissions. */
  readonly scopes: ReadonlyArray<string> | undefined
}

/** What a quick look at the hosting service found. */
export interface RecentChanges {
  /** What changed at or after the instant asked for, latest first. */
  readonly changed: ReadonlyArray<HostedRepository>
  /** Whether `changed` is every repository that the token reaches. */
  readonly isWholeList: boolean
  /** How many repositories the token reaches; undefined where the service does not tell. */
  readonly total: number | undefined
  /** To ask with next time; undefined where the service gave none. */
  readonly etag: string | undefined
}

/** The service that hosts the user's repositories. */
export class CodeHost extends Context.Service<
  CodeHost,
  {
    /** Origin of its repositories' URLs: the one place besides its API that its tokens are sent to. */
    readonly origin: string
    /** Asks the service whose token it is. Fails where it cannot read repositories. */
    readonly describeToken: (token: HostingSecret) => Effect.Effect<TokenDescription, HostingError>
    /**
     * A file's bytes at a commit, `too large` beyond `largest`, undefined where the service shows none to the token, or
     * to everybody without one.
     */
    readonly file: (
      token: HostingSecret | undefined,
      file: {
        readonly repositoryUrl: RepositoryUrl
        readonly commit: string
        readonly path: string
        readonly largest: number
      },
    ) => Effect.Effect<Uint8Array | "too large" | undefined, HostingUnavailable>
    readonly repositories: (token: HostingSecret, kind: TokenKind) => Effect.Effect<Reading, HostingError>
    /** With one request or two where nothing changed; undefined where too much did for a quick look. */
    readonly changesSince: (
      token: HostingSecret,
      kind: TokenKind,
      since: Date,
      etag: string | undefined,
    ) => Effect.Effect<RecentChanges | undefined, HostingError>
  }
>()("assay/application/CodeHost") {}
