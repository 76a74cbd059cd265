import * as Schema from "effect/Schema"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { ResultSummary } from "../../../domain/finding/ResultSummary.ts"
import { AnalysisListItem, ListScope } from "./AnalysisGroup.ts"
import { callerFailures, failures } from "./errors.ts"
import { Timestamp, Uuid } from "./text.ts"

const fields = {
  id: Uuid,
  githubId: Schema.Int.annotate({ description: "Id on the hosting service." }),
  name: Schema.String,
  fullName: Schema.String.annotate({ description: "Owner and name, joined by a slash." }),
  url: Schema.String,
  defaultBranch: Schema.String,
  language: Schema.String.annotate({
    description: "The primary language according to the hosting service; empty if unknown.",
  }),
  private: Schema.Boolean,
  archived: Schema.Boolean,
  lastSyncedAt: Timestamp.annotate({ description: "When a sync last read the repository." }),
}

export const RepositoryView = Schema.Struct(fields).annotate({ identifier: "Repository" })
export type RepositoryView = typeof RepositoryView.Type

export const RepositoryScanView = Schema.Struct({
  ...AnalysisListItem.fields,
  commit: Schema.optionalKey(Schema.String.annotate({ description: "The commit that was or will be analyzed." })),
  summary: Schema.optionalKey(ResultSummary.annotate({ description: "Present once the analysis is completed." })),
}).annotate({ identifier: "RepositoryScan" })
export type RepositoryScanView = typeof RepositoryScanView.Type

export const RepositoryDetail = Schema.Struct({
  ...fields,
  vanishedAt: Schema.optionalKey(
    Timestamp.annotate({ description: "When a sync first failed to find it on the hosting service." }),
  ),
  scans: Schema.Array(RepositoryScanView).annotate({
    description: "The repository's last 1,000 analyses, oldest first, including those under earlier URLs.",
  }),
}).annotate({ identifier: "RepositoryDetail" })

export const SyncView = Schema.Struct({
  synced: Schema.Int.annotate({ description: "Repositories read or, for a quick sync, changed." }),
  added: Schema.Int,
  updated: Schema.Int.annotate({ description: "Repositories whose record changed." }),
  syncedAt: Timestamp,
}).annotate({ identifier: "SyncResult" })

export const StatisticsView = Schema.Struct({
  totalRepositories: Schema.Int,
  scannedRepositories: Schema.Int.annotate({ description: "Repositories with a completed analysis." }),
  scanResults: Schema.Struct({
    critical: Schema.Int,
    high: Schema.Int,
    medium: Schema.Int,
    low: Schema.Int,
    informational: Schema.Int,
  }).annotate({ description: "Findings in the latest completed analysis of each repository." }),
  analysesByStatus: Schema.Struct({
    pending: Schema.Int,
    running: Schema.Int,
    completed: Schema.Int,
    failed: Schema.Int,
  }).annotate({ description: "Number of your analyses by status." }),
  repositories: Schema.Array(
    Schema.Struct({ id: Uuid, analysisId: Uuid, completedAt: Timestamp, openFindings: Schema.Int }),
  ).annotate({ description: "Analyzed repositories, each with its latest analysis and open findings." }),
}).annotate({ identifier: "RepositoryStatistics" })

const describe = (summary: string, description: string) => OpenApi.annotations({ summary, description })

const syncFailures = failures(...callerFailures, "HOSTING_TOKEN_REQUIRED", "HOSTING_UNAVAILABLE")

export class RepositoriesGroup extends HttpApiGroup.make("repositories")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/repositories", {
      query: Schema.Struct({ scope: Schema.optionalKey(ListScope) }),
      success: Schema.Array(RepositoryView),
      error: failures(...callerFailures),
    }).annotateMerge(
      describe("List your repositories", "Repositories of the last sync, by name, except those that no longer exist."),
    ),
    // Before the detail, whose path would take `stats` for an id.
    HttpApiEndpoint.get("stats", "/api/v1/repositories/stats", {
      success: StatisticsView,
      error: failures(...callerFailures),
    }).annotateMerge(describe("Statistics", "Figures over your synced repositories and your analyses.")),
    HttpApiEndpoint.post("sync", "/api/v1/repositories/sync", { success: SyncView, error: syncFailures }).annotateMerge(
      describe(
        "Sync all repositories",
        "Reads every repository that the hosting token can access. A failed sync changes nothing. A concurrent request returns the first sync's result.",
      ),
    ),
    HttpApiEndpoint.post("quickSync", "/api/v1/repositories/quick-sync", {
      success: SyncView,
      error: syncFailures,
    }).annotateMerge(
      describe("Sync what changed", "Reads what changed since the last sync, or everything if that is unknown."),
    ),
    HttpApiEndpoint.get("one", "/api/v1/repositories/:id", {
      params: { id: Uuid.pipe(Schema.brand("RepositoryId")) },
      success: RepositoryDetail,
      error: failures(...callerFailures, "NOT_FOUND"),
    }).annotateMerge(describe("One repository", "The record with the history of its analyses.")),
  )
  .annotateMerge(
    OpenApi.annotations({ title: "Repositories", description: "Your repositories on the code hosting service." }),
  ) {}
