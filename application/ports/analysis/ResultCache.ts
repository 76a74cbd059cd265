import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { BadgeData } from "../../../domain/report/Badge.ts"
import type { PackedReport, ReportForm } from "./PackedReport.ts"
import type { AnalysisId } from "../../../domain/ids/Ids.ts"
import type { RepositoryUrl } from "../../../domain/repository/RepositoryUrl.ts"

export interface StoredReport extends PackedReport {
  readonly repositoryUrl: RepositoryUrl
}

/**
 * A cache of reports and badges of completed results. It never fails and never delays a request for long; entries may
 * vanish at any time. It does not know who owns a result, so the store is queried every time.
 */
export interface ResultCache {
  readonly get: (analysisId: AnalysisId, form: ReportForm) => Effect.Effect<Option.Option<StoredReport>>
  /** Returns at once. */
  readonly put: (analysisId: AnalysisId, form: ReportForm, report: StoredReport) => Effect.Effect<void>
  readonly badge: (analysisId: AnalysisId) => Effect.Effect<Option.Option<BadgeData>>
  /** Returns at once. */
  readonly putBadge: (analysisId: AnalysisId, badge: BadgeData) => Effect.Effect<void>
  readonly remove: (analysisId: AnalysisId) => Effect.Effect<void>
}

/** None by default: a single process reads from its own database. */
export const ResultCache = Context.Reference<ResultCache>("assay/application/ResultCache", {
  defaultValue: () => ({
    get: () => Effect.succeed(Option.none()),
    put: () => Effect.void,
    badge: () => Effect.succeed(Option.none()),
    putBadge: () => Effect.void,
    remove: () => Effect.void,
  }),
})
