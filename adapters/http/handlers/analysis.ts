import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { createAnalysis } from "../../../application/analysis/createAnalysis.ts"
import { deleteAnalysis } from "../../../application/analysis/deleteAnalysis.ts"
import { exportAnalysis } from "../../../application/analysis/exportAnalysis.ts"
import { getResult } from "../../../application/analysis/getResult.ts"
import { getStatus } from "../../../application/analysis/getStatus.ts"
import { listAnalyses } from "../../../application/analysis/listAnalyses.ts"
import { retryAnalysis } from "../../../application/analysis/retryAnalysis.ts"
import { json } from "../answer.ts"
import { isCurrent } from "../conditional.ts"
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
    const { analysisId, resultJson } = yield* getResult(caller, params.id)
    const etag = `"${analysisId}"`
    const headers = unchanging(etag)
    return isCurrent(request.headers["if-none-match"], etag)
      ? HttpServerResponse.empty({ status: 304, headers })
      : HttpServerResponse.text(resultJson, { contentType: "application/json", headers })
  }),

  export: Effect.fnUntraced(function* ({ caller, params, query, request }) {
    const report = yield* exportAnalysis(caller, params.id, query.format)
    const etag = `"${params.id}.${query.format}"`
    const headers = { ...unchanging(etag), "content-disposition": `attachment; filename="${report.filename}"` }
    return isCurrent(request.headers["if-none-match"], etag)
      ? HttpServerResponse.empty({ status: 304, headers })
      : HttpServerResponse.text(report.text, { contentType: report.contentType, headers })
  }),

  retry: Effect.fnUntraced(function* ({ caller, params }) {
    const retriedAt = yield* retryAnalysis(caller, params.id)
    return json({ analysisId: params.id, status: "pending", retriedAt: retriedAt.toISOString() })
  }),

  remove: ({ caller, params }) =>
    Effect.as(deleteAnalysis(caller, params.id), HttpServerResponse.empty({ status: 204 })),
})
