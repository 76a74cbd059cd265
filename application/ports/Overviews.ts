import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Category } from "../../domain/finding/Category.ts"
import type { Confidence, Severity } from "../../domain/finding/Severity.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"
import type { Reader } from "./FindingStore.ts"
import type { RepositoryScan } from "./RepositoryStore.ts"
import type { AnalysisId, RepositoryId } from "../../domain/ids/Ids.ts"

export type Counts = Readonly<Record<Severity, number>>

/** How a reader's repositories stand. */
export interface Overview {
  readonly openFindings: Counts
  /** Those of them that no analysis of the repository had a week ago. */
  readonly newFindings: Counts
  readonly since: Date
  /** At the end of each of 12 weeks, oldest first. */
  readonly trend: ReadonlyArray<{ readonly weekEnd: Date; readonly counts: Counts }>
  /** The latest ten, newest first. */
  readonly recent: ReadonlyArray<RepositoryScan>
}

/** A synced repository that was analyzed. */
export interface Standing {
  readonly repositoryId: RepositoryId
  /** The latest completed analysis. */
  readonly analysisId: AnalysisId
  readonly completedAt: Date
  /** Of its findings those that nobody settled. */
  readonly openFindings: number
}

/** A finding as an analysis reported it. */
export interface ReportedFinding {
  readonly fingerprint: string
  readonly ruleId: string
  readonly title: string
  readonly severity: Severity
  readonly confidence: Confidence
  readonly category: Category
  readonly file: string
  readonly lineStart: number
  readonly lineEnd: number
}

/** What two analyses have in common; each list is worst first and ends after 1,000. */
export interface Comparison {
  readonly counts: { readonly new: number; readonly fixed: number; readonly unchanged: number }
  readonly new: ReadonlyArray<ReportedFinding>
  readonly fixed: ReadonlyArray<ReportedFinding>
  readonly unchanged: ReadonlyArray<ReportedFinding>
}

/** Figures over many analyses. */
export class Overviews extends Context.Service<
  Overviews,
  {
    readonly overview: (reader: Reader) => Effect.Effect<Overview, StoreUnavailable>
    /** Those that did not vanish upstream, in no order. */
    readonly standings: (reader: Reader) => Effect.Effect<ReadonlyArray<Standing>, StoreUnavailable>
    /** Latest results of an earlier release, whose findings the figures lack until they are written down; a few. */
    readonly unindexed: (reader: Reader) => Effect.Effect<ReadonlyArray<AnalysisId>, StoreUnavailable>
    /** Of two completed analyses whose findings can be listed. */
    readonly compare: (analysisId: AnalysisId, otherId: AnalysisId) => Effect.Effect<Comparison, StoreUnavailable>
  }
>()("assay/application/Overviews") {}
