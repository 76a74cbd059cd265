import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { createAnalysis } from "../../../application/analysis/createAnalysis.ts"
import { deleteAnalysis } from "../../../application/analysis/deleteAnalysis.ts"
import { exportAnalysis } from "../../../application/analysis/exportAnalysis.ts"
import { getResult } from "../../../application/analysis/getResult.ts"
import { getStatus } from "../../../application/analysis/getStatus.ts"
import { listAnalyses } from "../../../application/analysis/listAnalyses.ts"
import { retryAnalysis } from "../../../application/analysis/retryAnalysis.ts"
import type { AnalysisItem } from "../../../application/ports/AnalysisStore.ts"
import { answer, json } from "../answer.ts"
import { CurrentCaller } from "../contract/access.ts"
import { CreateAnalysis } from "../contract/AnalysisGroup.ts"
import { Api } from "../contract/Api.ts"
import { statusView } from "../statusView.ts"
import { isCurrent } from "../conditional.ts"
import { jsonBody } from "../jsonBody.ts"
import { nextPage } from "../nextPage.ts"
import { progressStream } from "../progressStream.ts"

const readSubmission = jsonBody(CreateAnalysis)

const listItem = (item: AnalysisItem) => ({
  analysisId: item.analysisId,
  repositoryUrl: item.repositoryUrl,
  branch: item.branch ?? "HEAD",
  framework: item.framework,
  status: item.status,
  createdAt: item.createdAt.toISOString(),
  ...(item.completedAt === undefined ? {} : { completedAt: item.completedAt.toISOString() }),
})

/** A completed result never changes, but belongs to its owner. */
const unchanging = (etag: string) => ({ etag, "cache-control": "private, max-age=31536000, immutable" })

export const analysisHandlers = HttpApiBuilder.group(Api, "analysis", (handlers) =>
  handlers
    .handleRaw("create", ({ request, headers }) =>
      answer(
        Effect.gen(function* () {
          const caller = yield* CurrentCaller
          const submission = yield* readSubmission(request)
          const { analysisId, createdAt } = yield* createAnalysis(caller, submission, headers["idempotency-key"])
          return json({ analysisId, status: "pending", createdAt: createdAt.toISOString() }, 201)
        }),
      ),
    )
    .handle("list", ({ request, query }) =>
      answer(
        Effect.gen(function* () {
          const { items, nextCursor } = yield* listAnalyses(yield* CurrentCaller, query)
          const response = json(items.map(listItem))
          return nextCursor === undefined
            ? response
            : HttpServerResponse.setHeader(response, "link", yield* nextPage(request, nextCursor))
        }),
      ),
    )
    .handle("status", ({ params }) =>
      answer(
        Effect.flatMap(CurrentCaller, (caller) => Effect.map(getStatus(caller, params.id), (progress) => json(statusView(progress)))),
      ),
    )
    .handle("events", ({ params, request }) =>
      answer(Effect.flatMap(CurrentCaller, (caller) => progressStream(caller, params.id, request))),
    )
    .handle("result", ({ params, request }) =>
      answer(
        Effect.gen(function* () {
          const { analysisId, resultJson } = yield* getResult(yield* CurrentCaller, params.id)
          const etag = `"${analysisId}"`
          const headers = unchanging(etag)
          return isCurrent(request.headers["if-none-match"], etag)
            ? HttpServerResponse.empty({ status: 304, headers })
            : HttpServerResponse.text(resultJson, { contentType: "application/json", headers })
        }),
      ),
    )
    .handle("export", ({ params, query, request }) =>
      answer(
        Effect.gen(function* () {
          const report = yield* exportAnalysis(yield* CurrentCaller, params.id, query.format)
          const etag = `"${params.id}.${query.format}"`
          const headers = {
            ...unchanging(etag),
            "content-disposition": `attachment; filename="${report.filename}"`,
          }
          return isCurrent(request.headers["if-none-match"], etag)
            ? HttpServerResponse.empty({ status: 304, headers })
            : HttpServerResponse.text(report.text, { contentType: report.contentType, headers })
        }),
      ),
    )
    .handle("retry", ({ params }) =>
      answer(
        Effect.gen(function* () {
          const retriedAt = yield* retryAnalysis(yield* CurrentCaller, params.id)
          return json({ analysisId: params.id, status: "pending", retriedAt: retriedAt.toISOString() })
        }),
      ),
    )
    .handle("remove", ({ params }) =>
      answer(
        Effect.flatMap(CurrentCaller, (caller) =>
          Effect.as(deleteAnalysis(caller, params.id), HttpServerResponse.empty({ status: 204 })),
        ),
      ),
    ),
)
