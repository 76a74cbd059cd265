import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { AnalysisFailure, AnalysisType } from "../../../domain/analysis/Analysis.ts"
import type { Framework } from "../../../domain/analysis/Framework.ts"
import type { Stage } from "../../../domain/analysis/Stage.ts"
import type { Finding } from "../../../domain/finding/Finding.ts"
import type { FindingStatus } from "../../../domain/finding/FindingStatus.ts"
import type { ResultSummary } from "../../../domain/finding/ResultSummary.ts"
import type { KeptReports } from "./PackedReport.ts"
import type { StoreUnavailable } from "../StoreUnavailable.ts"
import { type UserId, AnalysisId, type WorkerId } from "../../../domain/ids/Ids.ts"
import type { RepositoryUrl } from "../../../domain/repository/RepositoryUrl.ts"

/** A claimed analysis. Every write names the attempt, so that a worker past its lease writes nothing. */
export interface ClaimedAnalysis {
  readonly analysisId: AnalysisId
  readonly attemptToken: string
  /** 1 for the first attempt after creation or a retry. */
  readonly attempt: number
  readonly userId: UserId
  readonly repositoryUrl: RepositoryUrl
  readonly branch: string | undefined
  readonly commit?: string | undefined
  readonly path?: string | undefined
  readonly framework: Framework
  readonly analysisType: AnalysisType
  /** The trace of the request that created or retried the analysis, if it was traced. */
  readonly traceParent?: string | undefined
}

/** This worker's attempt has ended: its lease expired, or the analysis was deleted. It must stop and write nothing. */
export class LeaseLost extends Schema.TaggedError<LeaseLost>()("LeaseLost", { analysisId: AnalysisId }) {}

/**
 * The analyses from a worker's perspective, as their own job queue: the row is the job, so an acknowledged analysis
 * cannot be lost between two stores. All times are the database's.
 */
export class AnalysisQueue extends Context.Service<
  AnalysisQueue,
  {
    /**
     * The next analysis to run: of the tenant with the fewest running ones, then the oldest, within plan limits.
     * Expired leases are reassigned, or failed if their attempts are used up.
     */
    readonly claim: (workerId: WorkerId) => Effect.Effect<Option.Option<ClaimedAnalysis>, StoreUnavailable>
    /** Extends the lease and records the progress. */
    readonly heartbeat: (
      job: ClaimedAnalysis,
      stage: Stage,
      progress: number,
    ) => Effect.Effect<void, LeaseLost | StoreUnavailable>
    /** `running` to `completed`. */
    readonly complete: (
      job: ClaimedAnalysis,
      result: {
        readonly reports: KeptReports
        readonly summary: ResultSummary
        readonly informational: number
        readonly fingerprints: ReadonlyArray<string>
        /** The findings that the result lists. */
        readonly findings: ReadonlyArray<Finding>
        readonly branch: string
        readonly framework: Framework
        readonly commit: string | undefined
      },
    ) => Effect.Effect<void, LeaseLost | StoreUnavailable>
    /**
     * `running` to `failed`; refunds the scan, except for a second failure at a limit with the same sources within an
     * hour. A retryable failure returns to `pending` while attempts remain. Returns the new state.
     */
    readonly fail: (
      job: ClaimedAnalysis,
      failure: AnalysisFailure,
      retryable: boolean,
    ) => Effect.Effect<"pending" | "failed", LeaseLost | StoreUnavailable>
    /** Returns a running job to the queue without using up its attempt, because the worker is shutting down. */
    readonly handBack: (job: ClaimedAnalysis) => Effect.Effect<void, StoreUnavailable>
    /** The status of each fingerprint relative to the previous completed analysis of the repository and branch. */
    readonly compare: (
      job: ClaimedAnalysis,
      branch: string,
      fingerprints: ReadonlyArray<string>,
    ) => Effect.Effect<ReadonlyArray<FindingStatus>, StoreUnavailable>
    /** Resolves when an analysis may be waiting, or after a poll interval; used between claims that found nothing. */
    readonly awaitWork: Effect.Effect<void>
  }
>()("assay/application/AnalysisQueue") {}
