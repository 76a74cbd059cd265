import * as Effect from "effect/Effect"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Result from "effect/Result"
import type { AnalysisStatus } from "../../domain/analysis/Analysis.ts"
import type { Framework } from "../../domain/analysis/Framework.ts"
import type { Caller } from "../../domain/identity/Caller.ts"
import { type AllowedHosts, parseRepositoryUrl } from "../../domain/repository/RepositoryUrl.ts"
import { InvalidInput } from "../InvalidInput.ts"
import { type AnalysisItem, AnalysisStore, type ListFilter } from "../ports/analysis/AnalysisStore.ts"
import { SubmissionRules } from "./SubmissionRules.ts"
import { AnalysisId } from "../../domain/ids/Ids.ts"
import { isUuid } from "../../domain/ids/uuid.ts"

export interface ListRequest {
  /** 1 to 100; 100 when absent. */
  readonly limit?: number | undefined
  /** As returned with the previous page. */
  readonly cursor?: string | undefined
  readonly status?: AnalysisStatus | undefined
  readonly framework?: Framework | undefined
  readonly repositoryUrl?: string | undefined
  readonly scope?: "own" | "organization" | undefined
}

export interface AnalysisPage {
  readonly items: ReadonlyArray<AnalysisItem>
  /** The start of the next page; absent on the last one. */
  readonly nextCursor: string | undefined
}

type Position = NonNullable<ListFilter["after"]>

const cursorOf = ({ createdAt, analysisId }: AnalysisItem): string =>
  Base64Url.encode(`${createdAt.getTime()}.${analysisId}`)

/** The end of the year 9999: later times have no four-digit year, and databases cannot read them. */
const endOfTime = Date.UTC(10_000, 0)

const positionOf = (cursor: string): Position | undefined => {
  const text = Result.getOrElse(Base64Url.decodeString(cursor), () => "")
  const [, time, analysisId] = /^(\d{1,15})\.(.{36})$/.exec(text) ?? []
  if (time === undefined || Number(time) >= endOfTime || analysisId === undefined || !isUuid(analysisId))
    return undefined
  return { createdAt: new Date(Number(time)), analysisId: AnalysisId.make(analysisId) }
}

/**
 * The form in which repositories are stored; a text that is not an allowed URL is compared unchanged and finds nothing.
 */
const normalized = (repositoryUrl: string, allowedHosts: AllowedHosts): string =>
  Result.getOrElse(parseRepositoryUrl(repositoryUrl, allowedHosts), () => repositoryUrl)

/** One page of the caller's analyses, newest first. */
export const listAnalyses = Effect.fn("listAnalyses")(function* (caller: Caller, request: ListRequest) {
  const after = request.cursor === undefined ? undefined : positionOf(request.cursor)
  if (request.cursor !== undefined && after === undefined) {
    return yield* new InvalidInput({
      fields: [{ field: "cursor", message: "is not a cursor that a list response returned" }],
    })
  }
  const { allowedHosts } = yield* SubmissionRules
  const limit = request.limit ?? 100
  const store = yield* AnalysisStore
  const found = yield* store.list(caller.userId, {
    limit: limit + 1,
    after,
    shared: request.scope === "organization",
    status: request.status,
    framework: request.framework,
    repositoryUrl: request.repositoryUrl === undefined ? undefined : normalized(request.repositoryUrl, allowedHosts),
  })
  const items = found.slice(0, limit)
  const page: AnalysisPage = { items, nextCursor: found.length > limit ? cursorOf(items.at(-1)!) : undefined }
  return page
})
