import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import {
  type HostingError,
  type HostingSecret,
  HostingTokenRefused,
  HostingUnavailable,
} from "../../application/ports/repositories/CodeHost.ts"
import { outsideTransaction } from "../../application/ports/InTransaction.ts"
import { missingScopes, readsRepositories, type TokenKind } from "../../domain/repository/HostingToken.ts"
import { explainHostFailure, isNotModified } from "./explainHostFailure.ts"
import { type ClientSettings, hostClient } from "./hostClient.ts"
import { linkedPages, type Listed, readRepositories } from "./repositoryPage.ts"

/** A successful response. */
export interface Answer {
  readonly data: unknown
  readonly etag: string | undefined
  readonly link: string | undefined
  readonly date: string | undefined
  readonly scopes: ReadonlyArray<string> | undefined
}

/** One page of a list of repositories. */
export interface Page extends Listed {
  readonly next: number | undefined
  /** Number of the last page. */
  readonly last: number | undefined
  readonly total: number | undefined
  readonly etag: string | undefined
  /** The time of the response, by the service's own clock. */
  readonly answeredAt: Date | undefined
}

const readInstallation = Schema.decodeUnknownOption(
  Schema.Struct({ total_count: Schema.Int, repositories: Schema.Unknown }),
)

const scopesOf = (header: string | number | undefined): ReadonlyArray<string> | undefined =>
  header === undefined
    ? undefined
    : String(header)
        .split(",")
        .map((scope) => scope.trim())
        .filter((scope) => scope !== "")

const listPath = (kind: TokenKind): string => (kind === "installation" ? "/installation/repositories" : "/user/repos")

/** Requests to the hosting service `host`, with their failures explained in our words. */
export const hostRequests = (settings: ClientSettings, host: string) => {
  const nonsense = new HostingUnavailable({
    message: `${host} responded with something other than a list of repositories. Try again later.`,
    retryAfter: 60,
  })

  /** Succeeds with undefined for 304. */
  const get = (
    token: HostingSecret,
    path: string,
    query: Readonly<Record<string, string | number>>,
    etag?: string,
  ): Effect.Effect<Answer | undefined, HostingError> =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.tryPromise({
        try: async (signal): Promise<Answer | undefined> => {
          const client = await hostClient(settings, Redacted.value(token), signal)
          try {
            const { data, headers } = await client.request(`GET ${path}`, {
              ...query,
              headers: etag === undefined ? {} : { "if-none-match": etag },
            })
            const { etag: tag, link, date } = headers
            return { data, etag: tag, link, date, scopes: scopesOf(headers["x-oauth-scopes"]) }
          } catch (error) {
            if (isNotModified(error)) return undefined
            throw error
          }
        },
        catch: (error) => explainHostFailure(error, host, now),
      }),
    ).pipe(
      outsideTransaction,
      Effect.tap((answer) =>
        answer === undefined || readsRepositories(answer.scopes)
          ? Effect.void
          : Effect.fail(new HostingTokenRefused({ message: missingScopes(answer.scopes ?? []) })),
      ),
    )

  const getPage = Effect.fnUntraced(function* (
    token: HostingSecret,
    kind: TokenKind,
    query: Readonly<Record<string, string | number>>,
    etag?: string,
  ) {
    const answer = yield* get(token, listPath(kind), query, etag)
    if (answer === undefined) return undefined
    const listing = kind === "installation" ? Option.getOrUndefined(readInstallation(answer.data)) : undefined
    const listed = readRepositories(kind === "installation" ? listing?.repositories : answer.data)
    if (listed === undefined) return yield* nonsense
    const { next, last } = linkedPages(answer.link)
    const [number, size] = [Number(query["page"] ?? 1), Number(query["per_page"])]
    // A server that links to no other page may still have more of them.
    const isFull = answer.link === undefined && listed.repositories.length >= size
    const more = isFull && (listing === undefined || listing.total_count > number * size)
    const page: Page = {
      ...listed,
      next: next ?? (more ? number + 1 : undefined),
      last,
      total: listing?.total_count,
      etag: answer.etag,
      answeredAt: Number.isNaN(Date.parse(answer.date ?? "")) ? undefined : new Date(answer.date ?? ""),
    }
    return page
  })

  return { get, getPage, nonsense }
}

export type HostRequests = ReturnType<typeof hostRequests>
