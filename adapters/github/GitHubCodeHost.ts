import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import {
  CodeHost,
  type HostingSecret,
  ListChanged,
  type Reading,
  type RecentChanges,
} from "../../application/ports/repositories/CodeHost.ts"
import type { TokenKind } from "../../domain/repository/HostingToken.ts"
import type { HostedRepository } from "../../domain/repository/Repository.ts"
import type { ClientSettings } from "./hostClient.ts"
import { tokenDescriber } from "./describeToken.ts"
import { type HostRequests, hostRequests, type Page } from "./hostRequests.ts"
import { readFileAt } from "./readFileAt.ts"
import { type ListWatch, totalOf, watchList } from "./watchList.ts"
import { serverOrigin } from "./serverOrigin.ts"

export interface GithubSettings extends Partial<ClientSettings> {
  readonly apiUrl: string
  /** Origin of repository URLs; derived from `apiUrl` when absent. */
  readonly serverUrl?: string | undefined
}

export const defaultApiUrl = "https://api.github.com"

const defaults: Omit<ClientSettings, "apiUrl"> = {
  userAgent: "assay",
  requestTime: Duration.seconds(30),
  retryDelay: Duration.millis(500),
}

const pageSize = 100
/** 100,000 repositories: more than any account has, and a limit for a service that invents them. */
const maxPages = 1_000
/** A quick look ends after this many changed pages, since reading everything is then as cheap. */
const quickPages = 10

/** The entity tag, prefixed with whether the page was the whole list: a 304 does not repeat that. */
const markEtag = (etag: string | undefined, whole: boolean): string | undefined =>
  etag === undefined ? undefined : `${whole ? "1" : "0"}${etag}`

const isDescending = (repositories: ReadonlyArray<HostedRepository>): boolean =>
  repositories.every((one, index) => index === 0 || one.updatedAt <= repositories[index - 1]!.updatedAt)

/** Oldest first: repositories created meanwhile come last, so no page shifts. */
const fullOrder = (kind: TokenKind) => (kind === "installation" ? {} : { sort: "created", direction: "asc" })

const recentOrder = (kind: TokenKind) => (kind === "installation" ? {} : { sort: "updated", direction: "desc" })

/** The whole list, page by page; fails at the end if it changed meanwhile. */
const pagesOf = (
  { getPage, nonsense }: HostRequests,
  token: HostingSecret,
  kind: TokenKind,
  watch: ListWatch,
): Reading["pages"] =>
  Stream.paginate(1, (page) =>
    Effect.gen(function* () {
      if (page > maxPages) return yield* nonsense
      const found = yield* getPage(token, kind, { per_page: pageSize, page, ...fullOrder(kind) })
      if (found === undefined) return yield* nonsense
      watch.read(found)
      if (watch.repeats()) return yield* nonsense
      return [[found.repositories], found.next === undefined ? Option.none() : Option.some(page + 1)] as const
    }),
  ).pipe(Stream.concat(Stream.suspend(() => (watch.changed() ? Stream.fail(new ListChanged()) : Stream.empty))))

/** What has changed according to a list sorted latest first; undefined if reading all of it is as cheap. */
const changedSince = Effect.fnUntraced(function* (
  { getPage }: HostRequests,
  token: HostingSecret,
  kind: TokenKind,
  first: Page,
  since: Date,
) {
  const changed: Array<HostedRepository> = []
  let page: Page | undefined = first
  for (let number = 1; page !== undefined; number++) {
    if (number > quickPages || !isDescending([...changed.slice(-1), ...page.repositories])) return undefined
    const recent = page.repositories.filter((one) => one.updatedAt >= since)
    changed.push(...recent)
    // Everything as old as the latest known change was read then: thousands within one second would never end.
    const last = page.repositories.at(-1)
    if (last === undefined || last.updatedAt <= since || page.next === undefined) break
    page = yield* getPage(token, kind, { per_page: pageSize, page: number + 1, ...recentOrder(kind) })
  }
  return changed
})

const make = (given: GithubSettings): CodeHost["Service"] => {
  const settings: ClientSettings = { ...defaults, ...given }
  const origin = serverOrigin(given.apiUrl, given.serverUrl)
  const requests = hostRequests(settings, new URL(origin).host)
  const { getPage, nonsense } = requests

  /** One more request than there are pages: it determines where the list ends before it is read. */
  const repositories = Effect.fn("CodeHost.repositories")(function* (token: HostingSecret, kind: TokenKind) {
    const order = kind === "installation" ? {} : { sort: "created", direction: "desc" }
    const end = yield* getPage(token, kind, { per_page: 1, ...order })
    if (end === undefined) return yield* nonsense
    const reading: Reading = { startedAt: end.answeredAt, pages: pagesOf(requests, token, kind, watchList(kind, end)) }
    return reading
  })

  /** The number of pages of one repository each. */
  const countAll = Effect.fnUntraced(function* (token: HostingSecret, kind: TokenKind) {
    const found = yield* getPage(token, kind, { per_page: 1 })
    return found === undefined ? undefined : totalOf(found)
  })

  /** Latest first; the order of an installation's list does not show what changed. */
  const firstPage = (token: HostingSecret, kind: TokenKind, etag?: string) =>
    getPage(token, kind, { per_page: pageSize, page: 1, ...recentOrder(kind) }, etag)

  const changesSince = Effect.fn("CodeHost.changesSince")(function* (
    token: HostingSecret,
    kind: TokenKind,
    since: Date,
    etag: string | undefined,
  ) {
    const first = yield* firstPage(token, kind, etag?.slice(1))
    if (first === undefined) {
      const total = etag?.startsWith("1") === true ? undefined : yield* countAll(token, kind)
      const nothing: RecentChanges = { changed: [], isWholeList: false, total, etag }
      return nothing
    }
    const isWholeList = first.next === undefined
    if (isWholeList) {
      const all: RecentChanges = {
        changed: first.repositories,
        isWholeList,
        total: first.repositories.length,
        etag: markEtag(first.etag, true),
      }
      return all
    }
    // The order of an installation's list does not show what changed.
    if (kind === "installation") return undefined

    const changed = yield* changedSince(requests, token, kind, first, since)
    if (changed === undefined) return undefined
    const changes: RecentChanges = {
      changed,
      isWholeList: false,
      total: yield* countAll(token, kind),
      etag: markEtag(first.etag, false),
    }
    return changes
  })

  const file = readFileAt(settings, new URL(origin).host)
  return CodeHost.of({ origin, describeToken: tokenDescriber(requests), file, repositories, changesSince })
}

/** GitHub, or a GitHub Enterprise Server. */
export const layer = (settings: GithubSettings): Layer.Layer<CodeHost> => Layer.sync(CodeHost, () => make(settings))
