import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import type { TokenKind } from "../../../domain/repository/HostingToken.ts"
import type { HostedRepository } from "../../../domain/repository/Repository.ts"
import type { RepositoryUrl } from "../../../domain/repository/RepositoryUrl.ts"

export type HostingSecret = Redacted.Redacted<string>

/**
 * The hosting service throttles us, is down or sends invalid responses. `retryAfter` is in seconds; `message` is for
 * the user.
 */
export class HostingUnavailable extends Schema.TaggedError<HostingUnavailable>()("HostingUnavailable", {
  message: Schema.String,
  retryAfter: Schema.Int,
  /** Whether it is up and only throttles us. */
  limited: Schema.optional(Schema.Boolean),
}) {}

/** The hosting service does not accept the token, or the token may not do this; `message` says what to do. */
export class HostingTokenRefused extends Schema.TaggedError<HostingTokenRefused>()("HostingTokenRefused", {
  message: Schema.String,
}) {}

export type HostingError = HostingUnavailable | HostingTokenRefused

/** The list changed while it was being read, so a repository may be missing. */
export class ListChanged extends Schema.TaggedError<ListChanged>()("ListChanged", {}) {}

/** The list of repositories while it is being read. */
export interface Reading {
  /** By the service's clock, before the first page; undefined if it does not say. */
  readonly startedAt: Date | undefined
  /** Every repository that the token can access, in pages of at most 100; `ListChanged` comes after the last page. */
  readonly pages: Stream.Stream<ReadonlyArray<HostedRepository>, HostingError | ListChanged>
}

export interface TokenDescription {
  readonly kind: TokenKind
  /** The account that it acts for; undefined for an installation. */
  readonly account: string | undefined
  /** Undefined if the service does not say: the token then has permissions instead. */
  readonly scopes: ReadonlyArray<string> | undefined
}

/** What a quick look at the hosting service found. */
export interface RecentChanges {
  /** What has changed since the given instant, latest first. */
  readonly changed: ReadonlyArray<HostedRepository>
  /** Whether `changed` contains every repository that the token can access. */
  readonly isWholeList: boolean
  /** How many repositories the token can access; undefined if the service does not say. */
  readonly total: number | undefined
  /** To send next time; undefined if the service gave none. */
  readonly etag: string | undefined
}

/** The service that hosts the user's repositories. */
export class CodeHost extends Context.Service<
  CodeHost,
  {
    /** Origin of its repositories' URLs: the only place besides its API to which its tokens are sent. */
    readonly origin: string
    /** Asks the service who owns the token. Fails if the token cannot read repositories. */
    readonly describeToken: (token: HostingSecret) => Effect.Effect<TokenDescription, HostingError>
    /**
     * A file's bytes at a commit, `too large` beyond `largest`, undefined if the service shows none to the token, or
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
    /** Takes one or two requests if nothing changed; undefined if too much did for a quick look. */
    readonly changesSince: (
      token: HostingSecret,
      kind: TokenKind,
      since: Date,
      etag: string | undefined,
    ) => Effect.Effect<RecentChanges | undefined, HostingError>
  }
>()("assay/application/CodeHost") {}
