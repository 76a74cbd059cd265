import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { Category } from "../../../domain/finding/Category.ts"
import { Decision, DecisionKind, longestReason, mostAtOnce } from "../../../domain/finding/Decision.ts"
import { FindingStatus } from "../../../domain/finding/FindingStatus.ts"
import { Confidence, Severity } from "../../../domain/finding/Severity.ts"
import { callerFailures, failures } from "./errors.ts"
import { Instant, Text, Timestamp, Uuid } from "./text.ts"

export const Fingerprint = Schema.String.check(
  Schema.isPattern(/^[0-9a-f]{16}$/, { expected: "16 hexadecimal digits" }),
).annotate({ description: "The finding's `fingerprint`." })

const Etag = Schema.String.annotate({ description: "Identifies the state of the finding, for `If-Match`." })

export const FindingItem = Schema.Struct({
  fingerprint: Schema.String,
  id: Schema.String,
  ruleId: Schema.String,
  title: Schema.String,
  severity: Severity,
  confidence: Confidence,
  category: Category,
  location: Schema.Struct({ file: Schema.String, lineStart: Schema.Int, lineEnd: Schema.Int }).annotate({
    identifier: "Lines",
  }),
  status: FindingStatus,
  branches: Schema.Array(Schema.String).annotate({
    description: "Branches whose latest analysis reports the finding.",
  }),
  analysisId: Uuid.annotate({ description: "The latest analysis that reports the finding." }),
  foundAt: Timestamp.annotate({ description: "When that analysis completed." }),
  decision: Decision,
  etag: Etag,
}).annotate({ identifier: "FindingItem" })
export type FindingItem = typeof FindingItem.Type

export const FindingDetail = Schema.Struct({
  ...FindingItem.fields,
  history: Schema.Array(Decision).annotate({
    description: "Decisions about the finding, latest first; at most 200.",
  }),
}).annotate({ identifier: "FindingDetail" })
export type FindingDetail = typeof FindingDetail.Type

const verdict = {
  decision: DecisionKind.annotate({ description: "`open` withdraws a decision." }),
  reason: Schema.optionalKey(
    Text.check(Schema.isMaxLength(2 * longestReason)).annotate({
      description: `Reason, at most ${longestReason} characters. Required unless the decision is \`open\`.`,
    }),
  ),
  expiresAt: Schema.optionalKey(
    Instant.annotate({ format: "date-time", description: "When an accepted risk reopens." }),
  ),
}

export const Decide = Schema.Struct(verdict).annotate({
  identifier: "Decide",
  examples: [{ decision: "false_positive", reason: "The caller is checked by the proxy." }],
})

export const DecideSeveral = Schema.Struct({
  ...verdict,
  findings: Schema.Array(Schema.Struct({ fingerprint: Fingerprint, etag: Text.check(Schema.isMaxLength(100)) }))
    .check(Schema.isMinLength(1), Schema.isMaxLength(mostAtOnce))
    .annotate({
      description: `The findings to decide, each with its \`etag\`. Up to ${mostAtOnce}; either all are changed or none.`,
    }),
}).annotate({
  identifier: "DecideSeveral",
  examples: [
    {
      decision: "accepted_risk",
      reason: "The owner is a timelock.",
      findings: [{ fingerprint: "0123456789abcdef", etag: '"0123456789abcdef.0"' }],
    },
  ],
})

export const findingSorts = ["severity", "newest", "path"] as const

const several = (description: string) =>
  Schema.optionalKey(Text.check(Schema.isMaxLength(500)).annotate({ description: `${description}, comma-separated.` }))

export const FindingsQuery = Schema.Struct({
  limit: Schema.optionalKey(
    Schema.NumberFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 1, maximum: 500 })).annotate({
      description: "Items per page, 1 to 500 (default 100).",
    }),
  ),
  cursor: Schema.optionalKey(Text.check(Schema.isMaxLength(4_000))),
  sort: Schema.optionalKey(
    Schema.Literals(findingSorts).annotate({ description: "`severity` (default) lists the most severe first." }),
  ),
  severity: several("Only these severities"),
  category: several("Only these categories"),
  rule: several("Only these rules"),
  status: several("Only these statuses"),
  decision: several("Only findings with this decision or `open`"),
  branch: Schema.optionalKey(Text.check(Schema.isMaxLength(255))),
  path: Schema.optionalKey(
    Text.check(Schema.isMaxLength(1_000)).annotate({ description: "Only findings in this file or folder." }),
  ),
  analysis: Schema.optionalKey(
    Uuid.annotate({ description: "Findings of this analysis instead of each branch's latest." }).pipe(
      Schema.brand("AnalysisId"),
    ),
  ),
})

const describe = (summary: string, description: string) => OpenApi.annotations({ summary, description })

const reading = failures(...callerFailures, "NOT_FOUND")
const deciding = failures(
  ...callerFailures,
  "NOT_FOUND",
  "PRECONDITION_FAILED",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
)
const decidingOne = failures(
  ...callerFailures,
  "NOT_FOUND",
  "PRECONDITION_FAILED",
  "PRECONDITION_REQUIRED",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
)

const headers = {
  "if-match": Schema.optionalKey(
    Text.check(Schema.isMaxLength(200)).annotate({ description: "The finding's `etag`, as you read it." }),
  ),
}

const findings = "Findings"
const all = describe("List findings", "Findings of each branch's latest analysis, with decisions, in pages (`Link`).")
const one = describe("Get a finding", "Includes the history of decisions.")
const decideOne = describe("Decide about a finding", "Adds to the history of decisions, which is append-only.")
const decideAll = describe("Decide about several findings", "Changes all of them or none.")

const endpointsUnder = <Path extends `/${string}`, Id extends Schema.Codec<string>>(path: Path, id: Id) =>
  [
    HttpApiEndpoint.get("list", `${path}/findings`, {
      params: { id },
      query: FindingsQuery,
      success: Schema.Array(FindingItem),
      error: reading,
    }).annotateMerge(all),
    HttpApiEndpoint.patch("decideSeveral", `${path}/findings`, {
      params: { id },
      payload: DecideSeveral,
      success: Schema.Array(FindingItem),
      error: deciding,
    }).annotateMerge(decideAll),
    HttpApiEndpoint.get("one", `${path}/findings/:fingerprint`, {
      params: { id, fingerprint: Fingerprint },
      success: FindingDetail,
      error: reading,
    }).annotateMerge(one),
    HttpApiEndpoint.patch("decide", `${path}/findings/:fingerprint`, {
      params: { id, fingerprint: Fingerprint },
      headers,
      payload: Decide,
      success: FindingDetail,
      error: decidingOne,
    }).annotateMerge(decideOne),
  ] as const

/** Decisions live beside results, which never change: by repository and fingerprint. */
export class FindingsGroup extends HttpApiGroup.make("findings")
  .add(...endpointsUnder("/api/v1/repositories/:id", Uuid.pipe(Schema.brand("RepositoryId"))))
  .annotateMerge(
    OpenApi.annotations({ title: findings, description: "Findings across analyses, and decisions about them." }),
  ) {}

/** The same by the repository URL of an analysis, which need not be that of a synced repository. */
export class AnalysisFindingsGroup extends HttpApiGroup.make("analysisFindings")
  .add(...endpointsUnder("/api/v1/analysis/:id", Uuid.pipe(Schema.brand("AnalysisId"))))
  .annotateMerge(
    OpenApi.annotations({
      title: "Findings of a URL",
      description: "The same, by the repository's URL, whether or not it was synced.",
    }),
  ) {}
