import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { AccessChanges, AccessTable } from "../../../domain/access/AccessTable.ts"
import { AnalysisResult, AnalysisStatus, AnalysisType } from "../../../domain/analysis/Analysis.ts"
import { Framework } from "../../../domain/analysis/Framework.ts"
import { Stage } from "../../../domain/analysis/Stage.ts"
import { callerFailures, failures, publicFailures } from "./errors.ts"
import { DecimalDigits, Text, Timestamp, Uuid } from "./text.ts"
import { noContent, withStatus } from "./status.ts"

const params = {
  id: Uuid.annotate({ description: "The `analysisId` returned by `POST /api/v1/analysis`." }).pipe(
    Schema.brand("AnalysisId"),
  ),
}

/** Visible ASCII, as in an HTTP token or a UUID. */
export const IdempotencyKey = Schema.String.check(
  Schema.isPattern(/^[\x21-\x7e]{1,255}$/, { expected: "1 to 255 visible ASCII characters" }),
).annotate({
  description:
    "Repeating a request with the same key and body within 24 hours returns the first response and uses one scan.",
})

export const CreateAnalysis = Schema.Struct({
  repositoryUrl: Text.check(Schema.isMaxLength(2048)).annotate({
    description: "Full URL of the repository, on a code hosting service that is allowed here.",
  }),
  branch: Schema.optionalKey(
    Text.check(Schema.isMaxLength(255)).annotate({
      description: "Branch or tag to analyze. Defaults to the repository's default branch.",
    }),
  ),
  commit: Schema.optionalKey(
    Schema.String.check(Schema.isPattern(/^[0-9a-f]{40}$/, { expected: "40 hexadecimal digits" })).annotate({
      description: "The commit to analyze. If set, `branch` is only a label.",
    }),
  ),
  path: Schema.optionalKey(
    Text.check(Schema.isMaxLength(1_000)).annotate({
      description: "The folder to analyze. Defaults to the whole repository.",
    }),
  ),
  framework: Schema.optionalKey(
    Framework.annotate({ description: "Framework of the contracts; `auto` (default) detects it." }),
  ),
  analysisType: Schema.optionalKey(
    AnalysisType.annotate({ description: "`full` (default) runs everything; `quick` runs only the built-in rules." }),
  ),
  webhookUrl: Schema.optionalKey(
    Text.check(Schema.isMaxLength(2048)).annotate({
      format: "uri",
      description: "Receives one POST when the analysis ends.",
    }),
  ),
}).annotate({
  identifier: "CreateAnalysis",
  examples: [{ repositoryUrl: "https://github.com/example/vault", branch: "main", framework: "evm" }],
})

export const CreatedAnalysis = Schema.Struct({
  analysisId: Uuid,
  status: Schema.Literal("pending"),
  createdAt: Timestamp,
}).annotate({ identifier: "CreatedAnalysis" })

export const AnalysisListItem = Schema.Struct({
  analysisId: Uuid,
  repositoryUrl: Schema.String,
  branch: Schema.String.annotate({
    description: "`HEAD` until the default branch is known, if no branch was requested.",
  }),
  framework: Framework,
  status: AnalysisStatus,
  createdAt: Timestamp,
  completedAt: Schema.optionalKey(Timestamp),
  path: Schema.optionalKey(
    Schema.String.annotate({ description: "The analyzed folder, if not the whole repository." }),
  ),
  userId: Schema.optionalKey(
    Uuid.annotate({ description: "The user who created it. Present with `scope=organization`." }),
  ),
}).annotate({ identifier: "AnalysisListItem" })

export const AnalysisStatusView = Schema.Struct({
  analysisId: Uuid,
  status: AnalysisStatus,
  progress: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100 })),
  currentStage: Stage,
}).annotate({ identifier: "AnalysisStatus" })

export const RetriedAnalysis = Schema.Struct({
  analysisId: Uuid,
  status: Schema.Literal("pending"),
  retriedAt: Timestamp,
}).annotate({ identifier: "RetriedAnalysis" })

export const BadgeData = Schema.Struct({
  status: AnalysisStatus,
  totalFindings: Schema.Int,
  criticalFindings: Schema.Int,
  highFindings: Schema.Int,
  mediumFindings: Schema.Int,
  lowFindings: Schema.Int,
  informationalFindings: Schema.Int,
}).annotate({ identifier: "BadgeData" })

/** https://shields.io/badges/endpoint-badge */
export const ShieldsBadge = Schema.Struct({
  schemaVersion: Schema.Literal(1),
  label: Schema.String,
  message: Schema.String,
  color: Schema.String,
  isError: Schema.optionalKey(Schema.Literal(true)),
}).annotate({ identifier: "ShieldsBadge" })

export const ListScope = Schema.Literals(["own", "organization"]).annotate({
  description: "`organization` includes the analyses that its members share.",
})

export const ListQuery = Schema.Struct({
  limit: Schema.optionalKey(
    DecimalDigits.check(Schema.isBetween({ minimum: 1, maximum: 100 })).annotate({
      description: "Items per page, 1 to 100 (default 100).",
    }),
  ),
  cursor: Schema.optionalKey(
    Text.check(Schema.isMaxLength(200)).annotate({
      description: 'An opaque value from the `Link` header\'s `rel="next"`.',
    }),
  ),
  status: Schema.optionalKey(AnalysisStatus),
  framework: Schema.optionalKey(Framework),
  repositoryUrl: Schema.optionalKey(Text.check(Schema.isMaxLength(2048))),
  scope: Schema.optionalKey(ListScope),
})

/** The frame of SARIF 2.1.0; the whole of it is the standard's to describe. */
export const SarifReport = Schema.Struct({
  $schema: Schema.String,
  version: Schema.Literal("2.1.0"),
  runs: Schema.Array(Schema.Record(Schema.String, Schema.Unknown)),
}).annotate({ identifier: "SarifReport" })

export const exportFormats = ["json", "markdown", "sarif", "html"] as const

const describe = (summary: string, description: string) => OpenApi.annotations({ summary, description })

export class AnalysisGroup extends HttpApiGroup.make("analysis")
  .add(
    HttpApiEndpoint.post("create", "/api/v1/analysis", {
      headers: { "idempotency-key": Schema.optionalKey(IdempotencyKey) },
      payload: CreateAnalysis,
      success: CreatedAnalysis.pipe(withStatus(201)),
      error: failures(
        ...callerFailures,
        "INVALID_STATE",
        "PAYLOAD_TOO_LARGE",
        "UNSUPPORTED_MEDIA_TYPE",
        "IDEMPOTENCY_KEY_REUSED",
      ),
    }).annotateMerge(
      describe(
        "Create an analysis",
        "Queues an analysis and uses one scan of the monthly quota. Unknown fields are rejected.",
      ),
    ),
    HttpApiEndpoint.get("list", "/api/v1/analysis", {
      query: ListQuery,
      success: Schema.Array(AnalysisListItem),
      error: failures(...callerFailures),
    }).annotateMerge(
      describe(
        "List your analyses",
        "Newest first. If there are more, the `Link` header contains the URL of the next page (RFC 8288).",
      ),
    ),
    HttpApiEndpoint.get("status", "/api/v1/analysis/:id/status", {
      params,
      success: AnalysisStatusView,
      error: failures(...callerFailures, "NOT_FOUND"),
    }).annotateMerge(
      describe("Status and progress", "Poll every 5 seconds at first, then every 15 to 30, or use `events`."),
    ),
    HttpApiEndpoint.get("events", "/api/v1/analysis/:id/events", {
      params,
      success: [
        Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/event-stream" })),
        noContent("The stream already ended; the client must not reconnect."),
      ],
      error: failures(...callerFailures, "NOT_FOUND"),
    }).annotateMerge(
      describe(
        "Live progress",
        "Server-sent events, each with the status object as its data. The stream ends after `completed` or `failed`.",
      ),
    ),
    HttpApiEndpoint.get("result", "/api/v1/analysis/:id/result", {
      params,
      success: AnalysisResult.annotate({ identifier: "AnalysisResult" }),
      error: failures(...callerFailures, "NOT_FOUND", "ANALYSIS_NOT_READY", "ANALYSIS_FAILED"),
    }).annotateMerge(
      describe("Result", "Summary, findings and the Markdown report, at most 8 MB. Immutable, so cache it."),
    ),
    HttpApiEndpoint.get("export", "/api/v1/analysis/:id/export", {
      params,
      query: {
        format: Schema.Literals(exportFormats).annotate({ description: "`sarif` requires the pro plan." }),
      },
      success: [
        AnalysisResult.annotate({ identifier: "AnalysisResult" }),
        Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/markdown; charset=utf-8" })),
        Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/html; charset=utf-8" })),
        SarifReport.pipe(HttpApiSchema.asJson({ contentType: "application/sarif+json" })),
      ],
      error: failures(...callerFailures, "SUBSCRIPTION_REQUIRED", "NOT_FOUND", "ANALYSIS_NOT_READY", "ANALYSIS_FAILED"),
    }).annotateMerge(
      describe("Export a result", "The result as a download: JSON, Markdown, SARIF 2.1.0, or HTML that works offline."),
    ),
    HttpApiEndpoint.get("access", "/api/v1/analysis/:id/access", {
      params,
      query: {
        against: Schema.optionalKey(
          Uuid.annotate({
            description: "An earlier analysis to compare with. The response then lists the changes.",
          }).pipe(Schema.brand("AnalysisId")),
        ),
      },
      success: [AccessTable, AccessChanges.annotate({ description: "The response if `against` is set." })],
      error: failures(...callerFailures, "NOT_FOUND", "ANALYSIS_NOT_READY", "ANALYSIS_FAILED"),
    }).annotateMerge(
      describe("Access table", "Each externally reachable function: what it can do, and who is allowed to call it."),
    ),
    HttpApiEndpoint.post("retry", "/api/v1/analysis/:id/retry", {
      params,
      success: RetriedAnalysis,
      error: failures(...callerFailures, "NOT_FOUND", "INVALID_STATE"),
    }).annotateMerge(
      describe("Retry a failed analysis", "Runs it again with its original configuration; takes one scan again."),
    ),
    HttpApiEndpoint.delete("remove", "/api/v1/analysis/:id", {
      params,
      success: noContent("Done."),
      error: failures(...callerFailures, "NOT_FOUND"),
    }).annotateMerge(
      describe(
        "Delete an analysis",
        "Permanently deletes the analysis and its result, whatever its state. The scan is not refunded.",
      ),
    ),
  )
  .annotateMerge(OpenApi.annotations({ title: "Analysis", description: "Security analyses of repositories." })) {}

const badgeFailures = failures(...publicFailures, "VALIDATION_ERROR", "NOT_FOUND")

export class BadgeGroup extends HttpApiGroup.make("badge")
  .add(
    HttpApiEndpoint.get("data", "/api/v1/analysis/:id/badge", {
      params,
      success: BadgeData,
      error: badgeFailures,
    }).annotateMerge(describe("Badge data", "Counts only; zeros until the analysis is completed.")),
    HttpApiEndpoint.get("svg", "/api/v1/analysis/:id/badge.svg", {
      params,
      success: Schema.String.pipe(HttpApiSchema.asText({ contentType: "image/svg+xml; charset=utf-8" })),
      error: badgeFailures,
    }).annotateMerge(describe("Badge image", "For READMEs; has an ETag.")),
    HttpApiEndpoint.get("shields", "/api/v1/analysis/:id/badge/shields", {
      params,
      success: ShieldsBadge,
      error: badgeFailures,
    }).annotateMerge(
      describe("Badge for shields.io", "The endpoint schema of https://shields.io/badges/endpoint-badge."),
    ),
  )
  .annotateMerge(OpenApi.annotations({ title: "Badge", description: "Public counts of findings of one analysis." })) {}
