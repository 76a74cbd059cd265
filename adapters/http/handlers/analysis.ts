import * as Effect from "effect/Effect"
import { empty, json, withHeader } from "../answer/answer.ts"
import { createAnalysis } from "../../../application/analysis/createAnalysis.ts"
import { deleteAnalysis } from "../../../application/analysis/deleteAnalysis.ts"
import { exportAnalysis, mayExport } from "../../../application/analysis/exportAnalysis.ts"
import { getResult, isCompleted } from "../../../application/analysis/getResult.ts"
import { getStatus } from "../../../application/analysis/getStatus.ts"
import { listAnalyses } from "../../../application/analysis/listAnalyses.ts"
import { retryAnalysis } from "../../../application/analysis/retryAnalysis.ts"
import { accessChanges } from "../answer/accessChanges.ts"
import { AnalysisGroup, CreateAnalysis } from "../contract/AnalysisGroup.ts"
import { callerEndpoints } from "../serving/endpoints.ts"
import { jsonBody } from "../request/jsonBody.ts"
import { listItem } from "../answer/listItem.ts"
import { nextPage } from "../answer/nextPage.ts"
import { progressStream } from "../answer/progressStream.ts"
import { reportResponse, unmodifiedReport } from "../answer/reportResponse.ts"
import { statusView } from "../answer/statusView.ts"

const readSubmission = jsonBody(CreateAnalysis)

export const analysisRoutes = callerEndpoints(AnalysisGroup, {
  create: Effect.fnUntraced(function* ({ caller, request, headers }) {
    const submission = yield* readSubmission(request)
    const { analysisId, createdAt } = yield* createAnalysis(caller, submission, headers["idempotency-key"])
    return json({ analysisId, status: "pending", createdAt: createdAt.toISOString() }, 201)
  }),

  list: Effect.fnUntraced(function* ({ caller, request, query }) {
    const { items, nextCursor } = yield* listAnalyses(caller, query)
    const response = json(items.map(listItem))
    return nextCursor === undefined ? response : withHeader(response, "link", yield* nextPage(request, nextCursor))
  }),

  status: ({ caller, params }) => Effect.map(getStatus(caller, params.id), (progress) => json(statusView(progress))),

  events: ({ caller, params, request }) => progressStream(caller, params.id, request),

  result: Effect.fnUntraced(function* ({ caller, params, request }) {
    const unmodified = yield* unmodifiedReport(request, params.id, isCompleted(caller, params.id))
    if (unmodified !== undefined) return unmodified
    return yield* reportResponse(request, params.id, yield* getResult(caller, params.id, "json"), "application/json")
  }),

  export: Effect.fnUntraced(function* ({ caller, params, query, request }) {
    yield* mayExport(caller, query.format)
    const name = `${params.id}.${query.format}`
    const unmodified = yield* unmodifiedReport(request, name, isCompleted(caller, params.id))
    if (unmodified !== undefined) return unmodified
    const { filename, contentType, report } = yield* exportAnalysis(caller, params.id, query.format)
    const headers = { "content-disposition": `attachment; filename="${filename}"` }
    return yield* reportResponse(request, name, report, contentType, headers)
  }),

  access: Effect.fnUntraced(function* ({ caller, params, query, request }) {
    const { against } = query
    const name = `${params.id}.access${against === undefined ? "" : `.${against}`}`
    const isThere =
      against === undefined
        ? isCompleted(caller, params.id)
        : Effect.zipWith(isCompleted(caller, params.id), isCompleted(caller, against), (a, b) => a && b)
    const unmodified = yield* unmodifiedReport(request, name, isThere)
    if (unmodified !== undefined) return unmodified
    const table = yield* getResult(caller, params.id, "access")
    if (against === undefined) return yield* reportResponse(request, name, table, "application/json")
    const changes = yield* accessChanges(yield* getResult(caller, against, "access"), table)
    return yield* reportResponse(request, name, changes, "application/json")
  }),

  retry: Effect.fnUntraced(function* ({ caller, params }) {
    const retriedAt = yield* retryAnalysis(caller, params.id)
    return json({ analysisId: params.id, status: "pending", retriedAt: retriedAt.toISOString() })
  }),

  remove: ({ caller, params }) => Effect.as(deleteAnalysis(caller, params.id), empty(204)),
})
