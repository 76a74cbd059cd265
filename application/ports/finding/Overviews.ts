import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Severity } from "../../../domain/finding/Severity.ts"
import type { StoreUnavailable } from "../StoreUnavailable.ts"
import type { Reader, ReportedFinding } from "./FindingStore.ts"
import type { RepositoryScan } from "../repositories/RepositoryStore.ts"
import type { AnalysisId, RepositoryId } from "../../../domain/ids/Ids.ts"

export type Counts = Readonly<Record<Severity, number>>

/** The state of a reader's repositories. */
export interface Overview {
  readonly openFindings: Counts
  /** The open findings that no analysis of the repository had a week ago. */
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
  /** Its open findings. */
  readonly openFindings: number
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
    /** Repositories that did not vanish upstream, in no particular order. */
    readonly standings: (reader: Reader) => Effect.Effect<ReadonlyArray<Standing>, StoreUnavailable>
    /** A few of the latest results of earlier releases; the figures lack their findings until these are indexed. */
    readonly unindexed: (reader: Reader) => Effect.Effect<ReadonlyArray<AnalysisId>, StoreUnavailable>
    /** Compares two completed analyses whose findings are indexed. */
    readonly compare: (analysisId: AnalysisId, otherId: AnalysisId) => Effect.Effect<Comparison, StoreUnavailable>
  }
>()("assay/application/Overviews") {}
