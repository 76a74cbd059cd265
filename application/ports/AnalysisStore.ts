import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { AnalysisFailure, AnalysisStatus, AnalysisType } from "../../domain/analysis/Analysis.ts"
import type { Summary } from "../../domain/finding/Summary.ts"
import type { Framework } from "../../domain/analysis/Framework.ts"
import type { Stage } from "../../domain/analysis/Stage.ts"
import type { Finding } from "../../domain/finding/Finding.ts"
import type { FindingStatus } from "../../domain/finding/FindingStatus.ts"
import type { BadgeData } from "../../domain/report/Badge.ts"
import type { PackedReport, RenderedReports, ReportForm } from "./PackedReport.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

export interface NewAnalysis {
  readonly userId: string
  readonly repositoryUrl: string
  readonly branch: string | undefined
  /** 40 hex digits; the branch's latest when absent. */
  readonly commit?: string | undefined
  /** A folder, without slashes at its ends; all when absent. */
  readonly path?: string | undefined
  readonly framework: Framework
  readonly analysisType: AnalysisType
  readonly webhookUrl: string | undefined
  /** The W3C `traceparent` of the request, where it is traced: the analysis belongs to its trace. */
  readonly traceParent?: string | undefined
}

/** `key` is the client's; `requestHash` tells whether the body is the same as the first time. */
export interface Idempotency {
  readonly key: string
  readonly requestHash: string
}

export interface AnalysisItem {
  readonly analysisId: string
  readonly repositoryUrl: string
  readonly branch: string | undefined
  readonly framework: Framework
  readonly status: AnalysisStatus
  readonly createdAt: Date
  readonly completedAt: Date | undefined
  /** What was analyzed, or is asked for. */
  readonly commit: string | undefined
  /** The folder that was asked for; undefined for all. */
  readonly path: string | undefined
  /** Whose it is, where it may be somebody else's. */
  readonly userId?: string
}

export interface AnalysisProgress {
  readonly analysisId: string
  readonly status: AnalysisStatus
  readonly progress: number
  readonly currentStage: Stage
}

/** What the result and export endpoints need of one analysis, beside its reports. */
export interface StoredAnalysis extends AnalysisItem {
  readonly currentStage: Stage
  readonly failure: AnalysisFailure | undefined
}

export interface ListFilter {
  readonly limit: number
  /** Position after which to go on: the last item's creation time and id. */
  readonly after: { readonly createdAt: Date; readonly analysisId: string } | undefined
  readonly status: AnalysisStatus | undefined
  readonly framework: Framework | undefined
  readonly repositoryUrl: string | undefined
  /** With what fellow members share. */
  readonly shared?: boolean | undefined
}

/** A claimed analysis. Every write names the attempt, so that a worker past its lease writes nothing. */
export interface Job {
  readonly analysisId: string
  readonly attemptToken: string
  /** 1 for the first attempt since creation or retry. */
  readonly attempt: number
  readonly userId: string
  readonly repositoryUrl: string
  readonly branch: string | undefined
  readonly commit?: string | undefined
  readonly path?: string | undefined
  readonly framework: Framework
  readonly analysisType: AnalysisType
  /** Of the request that created or retried the analysis, where that was traced. */
  readonly traceParent?: string | undefined
}

/** The month's scans of the caller's pool are used up; `resetsAt` is when the next period begins. */
export class QuotaExceeded extends Schema.TaggedError<QuotaExceeded>()("QuotaExceeded", {
  limit: Schema.Int,
  resetsAt: Schema.Date,
}) {}

export class IdempotencyKeyReused extends Schema.TaggedError<IdempotencyKeyReused>()("IdempotencyKeyReused", {}) {}

/** The first request with the key has not been answered yet. */
export class IdempotencyKeyInFlight extends Schema.TaggedError<IdempotencyKeyInFlight>()(
  "IdempotencyKeyInFlight",
  {},
) {}

/** What the key's first request created is gone: there is nothing left to answer with. */
export class IdempotentAnalysisDeleted extends Schema.TaggedError<IdempotentAnalysisDeleted>()(
  "IdempotentAnalysisDeleted",
  { analysisId: Schema.String },
) {}

/** The transition is not one of the state machine's. */
export class InvalidState extends Schema.TaggedError<InvalidState>()("InvalidState", {
  analysisId: Schema.String,
  status: Schema.String,
}) {}

/** Unknown, deleted or somebody else's. */
export class AnalysisNotFound extends Schema.TaggedError<AnalysisNotFound>()("AnalysisNotFound", {
  analysisId: Schema.String,
}) {}

/** An earlier release kept a result without a limit, and this one is too large to be rendered or sent. */
export class ResultTooLarge extends Schema.TaggedError<ResultTooLarge>()("ResultTooLarge", {
  analysisId: Schema.String,
  /** Bytes of its JSON. */
  size: Schema.Int,
}) {}

/** This worker's attempt is over: its lease ran out, or the analysis was deleted. It must stop and write nothing. */
export class LeaseLost extends Schema.TaggedError<LeaseLost>()("LeaseLost", { analysisId: Schema.String }) {}

/**
 * The analyses, which are their own job queue: the row is the job, so an acknowledged analysis cannot be lost between
 * two stores. Lookups by a user see that user's analyses only. All times are the database's.
 */
export class AnalysisStore extends Context.Service<
  AnalysisStore,
  {
    /** Inserts as `pending` and takes one scan of the caller's pool, both or neither. */
    readonly create: (
      analysis: NewAnalysis,
      idempotency: Idempotency | undefined,
    ) => Effect.Effect<
      { readonly analysisId: string; readonly createdAt: Date },
      QuotaExceeded | IdempotencyKeyInFlight | IdempotencyKeyReused | IdempotentAnalysisDeleted | StoreUnavailable
    >
    /** Newest first. */
    readonly list: (userId: string, filter: ListFilter) => Effect.Effect<ReadonlyArray<AnalysisItem>, StoreUnavailable>
    readonly progress: (
      userId: string,
      analysisId: string,
    ) => Effect.Effect<AnalysisProgress, AnalysisNotFound | StoreUnavailable>
    readonly find: (
      userId: string,
      analysisId: string,
    ) => Effect.Effect<StoredAnalysis, AnalysisNotFound | StoreUnavailable>
    /**
     * A report of a completed analysis, whoever asks, byte for byte as it was completed; none where the analysis is gone.
     * A release that kept the JSON alone left the other forms to `render`.
     */
    readonly report: (
      analysisId: string,
      form: ReportForm,
      render: (json: string) => string,
    ) => Effect.Effect<Option.Option<PackedReport>, ResultTooLarge | StoreUnavailable>
    readonly badge: (analysisId: string) => Effect.Effect<BadgeData, AnalysisNotFound | StoreUnavailable>
    /** `failed` to `pending` with fresh attempts; takes a scan again. Of two at once exactly one wins. */
    readonly retry: (
      userId: string,
      analysisId: string,
      traceParent?: string | undefined,
    ) => Effect.Effect<Date, AnalysisNotFound | InvalidState | QuotaExceeded | StoreUnavailable>
    /** Gone with its result, whatever its state; the scan stays charged. */
    readonly remove: (userId: string, analysisId: string) => Effect.Effect<void, AnalysisNotFound | StoreUnavailable>

    /**
     * The next analysis to run: fewest running of its tenant first, then oldest; plan caps respected. Expired leases
     * are handed out again, or failed when their attempts are used up.
     */
    readonly claim: (workerId: string) => Effect.Effect<Option.Option<Job>, StoreUnavailable>
    /** Extends the lease and records how far the job is. */
    readonly heartbeat: (job: Job, stage: Stage, progress: number) => Effect.Effect<void, LeaseLost | StoreUnavailable>
    /** `running` to `completed`. */
    readonly complete: (
      job: Job,
      result: {
        readonly reports: RenderedReports
        readonly summary: Summary
        readonly informational: number
        readonly fingerprints: ReadonlyArray<string>
        /** Those that the result lists. */
        readonly findings: ReadonlyArray<Finding>
        readonly branch: string
        readonly framework: Framework
        readonly commit: string | undefined
      },
    ) => Effect.Effect<void, LeaseLost | StoreUnavailable>
    /**
     * `running` to `failed`; gives the scan back, but not for a second failure by a limit of the same sources within an
     * hour. A retryable failure goes to `pending` while attempts are left. Answers with the new state.
     */
    readonly fail: (
      job: Job,
      failure: AnalysisFailure,
      retryable: boolean,
    ) => Effect.Effect<"pending" | "failed", LeaseLost | StoreUnavailable>
    /** Hands a running job back unharmed, without using up its attempt: the worker is shutting down. */
    readonly handBack: (job: Job) => Effect.Effect<void, StoreUnavailable>
    /** How fingerprints of the same repository and branch stand against the previous completed analysis. */
    readonly compare: (
      job: Job,
      branch: string,
      fingerprints: ReadonlyArray<string>,
    ) => Effect.Effect<ReadonlyArray<FindingStatus>, StoreUnavailable>
    /** Resolves when an analysis may be waiting, or after a poll interval; used between claims that found nothing. */
    readonly awaitWork: Effect.Effect<void>
  }
>()("assay/application/AnalysisStore") {}
