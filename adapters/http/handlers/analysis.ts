import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { createAnalysis } from "../../../application/analysis/createAnalysis.ts"
import { deleteAnalysis } from "../../../application/analysis/deleteAnalysis.ts"
import { exportAnalysis } from "../../../application/analysis/exportAnalysis.ts"
import { getResult, isCompleted } from "../../../application/analysis/getResult.ts"
import { getStatus } from "../../../application/analysis/getStatus.ts"
import { listAnalyses } from "../../../application/analysis/listAnalyses.ts"
import { retryAnalysis } from "../../../application/analysis/retryAnalysis.ts"
import type { Caller } from "../../../domain/identity/Caller.ts"
import { json } from "../answer.ts"
import { etagOf, isCurrent } from "../conditional.ts"
import { AnalysisGroup, CreateAnalysis } from "../contract/AnalysisGroup.ts"
import { callerEndpoints } from "../endpoints.ts"
import { jsonBody } from "../jsonBody.ts"
import { listItem } from "../listItem.ts"
import { nextPage } from "../nextPage.ts"
import { progressStream } from "../progressStream.ts"
import { statusView } from "../statusView.ts"

const readSubmission = jsonBody(CreateAnalysis)

/** A completed result never changes, but belongs to its owner. */
const unchanging = (etag: string) => ({ etag, "cache-control": "private, max-age=31536000, immutable" })

/** SARIF carries the rules' help as this version of the service has it: a later one may say it better. */
const renderedAnew = (etag: string) => ({ etag, "cache-control": "private, no-cache" })

const unmodified = (headers: Record<string, string>) => HttpServerResponse.empty({ status: 304, headers })

/** Whether the client has the caller's result already; answered without reading the result. */
const holds = (caller: Caller, analysisId: string, request: HttpServerRequest, etag: string) =>
  isCurrent(request.headers["if-none-match"], etag) ? isCompleted(caller, analysisId) : Effect.succeed(false)

export const analysisRoutes = callerEndpoints(AnalysisGroup, {
  create: Effect.fnUntraced(function* ({ caller, request, headers }) {
    const submission = yield* readSubmission(request)
    const { analysisId, createdAt } = yield* createAnalysis(caller, submission, headers["idempotency-key"])
    return json({ analysisId, status: "pending", createdAt: createdAt.toISOString() }, 201)
  }),

  list: Effect.fnUntraced(function* ({ caller, request, query }) {
    const { items, nextCursor } = yield* listAnalyses(caller, query)
    const response = json(items.map(listItem))
    return nextCursor === undefined
      ? response
      : HttpServerResponse.setHeader(response, "link", yield* nextPage(request, nextCursor))
  }),

  status: ({ caller, params }) => Effect.map(getStatus(caller, params.id), (progress) => json(statusView(progress))),

  events: ({ caller, params, request }) => progressStream(caller, params.id, request),

  result: Effect.fnUntraced(function* ({ caller, params, request }) {
    const etag = `"${params.id}"`
    if (yield* holds(caller, params.id, request, etag)) return unmodified(unchanging(etag))
    const { text } = yield* getResult(caller, params.id)
    return HttpServerResponse.text(text, { contentType: "application/json", headers: unchanging(etag) })
  }),

  export: Effect.fnUntraced(function* ({ caller, params, query, request }) {
    const stored = query.format === "sarif" ? undefined : unchanging(`"${params.id}.${query.format}"`)
    if (stored !== undefined && (yield* holds(caller, params.id, request, stored.etag))) return unmodified(stored)
    const { filename, contentType, text } = yield* exportAnalysis(caller, params.id, query.format)
    const validity = stored ?? renderedAnew(etagOf(text))
    if (isCurrent(request.headers["if-none-match"], validity.etag)) return unmodified(validity)
    const headers = { ...validity, "content-disposition": `attachment; filename="${filename}"` }
    return HttpServerResponse.text(text, { contentType, headers })
  }),

  retry: Effect.fnUntraced(function* ({ caller, params }) {
    const retriedAt = yield* retryAnalysis(caller, params.id)
    return json({ analysisId: params.id, status: "pending", retriedAt: retriedAt.toISOString() })
  }),

  remove: ({ caller, params }) =>
    Effect.as(deleteAnalysis(caller, params.id), HttpServerResponse.empty({ status: 204 })),
})
