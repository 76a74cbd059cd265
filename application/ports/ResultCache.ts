import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** One rendering of a completed result. */
export type ReportForm = "json" | "markdown" | "sarif" | "badge"

export interface StoredReport {
  /** Empty for a badge, which says nothing of it. */
  readonly repositoryUrl: string
  readonly text: string
}

/**
 * Renderings of completed results, beside the database. It never fails and never holds a request up for long; what it
 * holds may vanish at any time. It knows nothing of whose a result is: the store is asked that each time.
 */
export interface ResultCache {
  readonly get: (analysisId: string, form: ReportForm) => Effect.Effect<Option.Option<StoredReport>>
  /** Returns at once. */
  readonly put: (analysisId: string, form: ReportForm, report: StoredReport) => Effect.Effect<void>
  readonly remove: (analysisId: string) => Effect.Effect<void>
}

/** None by default: one process asks its own database for what it serves. */
export const ResultCache = Context.Reference<ResultCache>("assay/application/ResultCache", {
  defaultValue: () => ({
    get: () => Effect.succeed(Option.none()),
    put: () => Effect.void,
    remove: () => Effect.void,
  }),
})
