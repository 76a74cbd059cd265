import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { PlanId } from "../../../domain/plan/Plan.ts"
import { FindingItem } from "./FindingsGroup.ts"
import { RepositoryScanView } from "./RepositoriesGroup.ts"
import { callerFailures, failures } from "./errors.ts"
import { Text, Timestamp, Uuid } from "./text.ts"

export const Counts = Schema.Struct({
  critical: Schema.Int,
  high: Schema.Int,
  medium: Schema.Int,
  low: Schema.Int,
  informational: Schema.Int,
}).annotate({ identifier: "Counts" })

export const OverviewView = Schema.Struct({
  openFindings: Counts.annotate({
    description: "Open findings in the latest analyses of all repositories and branches.",
  }),
  newFindings: Counts.annotate({ description: "Open findings that were not present a week ago." }),
  since: Timestamp.annotate({ description: "A week ago." }),
  trend: Schema.Array(Schema.Struct({ ...Counts.fields, weekEnd: Timestamp })).annotate({
    description:
      "For each of the last 12 weeks, oldest first: findings in the latest analyses as of the end of the week.",
  }),
  recentAnalyses: Schema.Array(RepositoryScanView).annotate({ description: "The latest ten analyses, newest first." }),
  quota: Schema.Struct({ tier: PlanId, used: Schema.Int, limit: Schema.Int, resetsAt: Timestamp }).annotate({
    description: "The monthly scan quota.",
  }),
}).annotate({ identifier: "Overview" })
export type OverviewView = typeof OverviewView.Type

export const ComparedFinding = Schema.Struct({
  fingerprint: FindingItem.fields.fingerprint,
  id: FindingItem.fields.id,
  ruleId: FindingItem.fields.ruleId,
  title: FindingItem.fields.title,
  severity: FindingItem.fields.severity,
  confidence: FindingItem.fields.confidence,
  category: FindingItem.fields.category,
  location: FindingItem.fields.location,
}).annotate({ identifier: "ComparedFinding" })

const listed = (description: string) => Schema.Array(ComparedFinding).annotate({ description })

export const ComparisonView = Schema.Struct({
  counts: Schema.Struct({ new: Schema.Int, fixed: Schema.Int, unchanged: Schema.Int }),
  new: listed("Only in this one, worst first; at most 1,000, as for the others."),
  fixed: listed("Only in the other one."),
  unchanged: listed("In both."),
}).annotate({
  identifier: "Comparison",
  examples: [{ counts: { new: 0, fixed: 0, unchanged: 0 }, new: [], fixed: [], unchanged: [] }],
})
export type ComparisonView = typeof ComparisonView.Type

export const SourceView = Schema.Struct({
  path: Schema.String,
  commit: Schema.String,
  content: Schema.String.annotate({ description: "The file's text." }),
}).annotate({ identifier: "Source" })

const describe = (summary: string, description: string) => OpenApi.annotations({ summary, description })
const id = Uuid.annotate({ description: "The analysis." }).pipe(Schema.brand("AnalysisId"))

export class OverviewGroup extends HttpApiGroup.make("overview")
  .add(
    HttpApiEndpoint.get("overview", "/api/v1/overview", {
      success: OverviewView,
      error: failures(...callerFailures),
    }).annotateMerge(describe("How things stand", "Open findings, trend, recent analyses and quota in one request.")),
    HttpApiEndpoint.get("compare", "/api/v1/analysis/:id/compare/:otherId", {
      params: { id, otherId: Uuid.annotate({ description: "An earlier analysis." }).pipe(Schema.brand("AnalysisId")) },
      success: ComparisonView,
      error: failures(...callerFailures, "NOT_FOUND", "ANALYSIS_NOT_READY", "ANALYSIS_FAILED"),
    }).annotateMerge(describe("Compare two analyses", "What is new, fixed and unchanged against the other one.")),
    HttpApiEndpoint.get("source", "/api/v1/analysis/:id/source", {
      params: { id },
      query: {
        path: Text.check(Schema.isMinLength(1), Schema.isMaxLength(1_000)).annotate({
          description: "Path of a file in the repository.",
        }),
      },
      success: SourceView,
      error: failures(...callerFailures, "NOT_FOUND", "ANALYSIS_NOT_READY", "ANALYSIS_FAILED", "HOSTING_UNAVAILABLE"),
    }).annotateMerge(
      describe(
        "A file at the analyzed commit",
        "Text files of at most 1 MB. If the hosting service no longer has the file, returns 404 with `details.reason`.",
      ),
    ),
  )
  .annotateMerge(OpenApi.annotations({ title: "Overview", description: "Data for the dashboard." })) {}
