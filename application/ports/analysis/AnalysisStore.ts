import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { AnalysisFailure, AnalysisStatus, AnalysisType } from "../../../domain/analysis/Analysis.ts"
import type { Framework } from "../../../domain/analysis/Framework.ts"
import type { Stage } from "../../../domain/analysis/Stage.ts"
import type { BadgeData } from "../../../domain/report/Badge.ts"
import type { PackedReport, ReportForm } from "./PackedReport.ts"
import type { StoreUnavailable } from "../StoreUnavailable.ts"
import { type UserId, AnalysisId } from "../../../domain/ids/Ids.ts"
import type { RepositoryUrl } from "../../../domain/repository/RepositoryUrl.ts"

export interface NewAnalysis {
  readonly userId: UserId
  readonly repositoryUrl: RepositoryUrl
  readonly branch: string | undefined
  /** 40 hex digits; defaults to the branch's latest commit. */
  readonly commit?: string | undefined
  /** A folder, without leading or trailing slashes; defaults to the whole repository. */
  readonly path?: string | undefined
  readonly framework: Framework
  readonly analysisType: AnalysisType
  readonly webhookUrl: string | undefined
  /** The W3C `traceparent` of the request, if it is traced: the analysis belongs to its trace. */
  readonly traceParent?: string | undefined
}

/** `key` comes from the client; `requestHash` tells whether the body is the same as the first time. */
export interface Idempotency {
  readonly key: string
  readonly requestHash: string
}

export interface AnalysisItem {
  readonly analysisId: AnalysisId
  readonly repositoryUrl: RepositoryUrl
  readonly branch: string | undefined
  readonly framework: Framework
  readonly status: AnalysisStatus
  readonly createdAt: Date
  readonly completedAt: Date | undefined
  /** What was analyzed or requested. */
  readonly commit: string | undefined
  /** The requested folder; undefined for everything. */
  readonly path: string | undefined
  /** Its owner, if that may be another user. */
  readonly userId?: UserId
}

export interface AnalysisProgress {
  readonly analysisId: AnalysisId
  readonly status: AnalysisStatus
  readonly progress: number
  readonly currentStage: Stage
}

/** What the result and export endpoints need to know about an analysis besides its reports. */
export interface StoredAnalysis extends AnalysisItem {
  readonly currentStage: Stage
  readonly failure: AnalysisFailure | undefined
}

export interface ListFilter {
  readonly limit: number
  /** The position to continue after: the last item's creation time and id. */
  readonly after: { readonly createdAt: Date; readonly analysisId: AnalysisId } | undefined
  readonly status: AnalysisStatus | undefined
  readonly framework: Framework | undefined
  readonly repositoryUrl: string | undefined
  /** Whether to include analyses shared by fellow members. */
  readonly shared?: boolean | undefined
}

/** The caller's pool has used up its scans of the month; `resetsAt` is when the next period begins. */
export class QuotaExceeded extends Schema.TaggedError<QuotaExceeded>()("QuotaExceeded", {
  limit: Schema.Int,
  resetsAt: Schema.Date,
}) {}

export class IdempotencyKeyReused extends Schema.TaggedError<IdempotencyKeyReused>()("IdempotencyKeyReused", {}) {}

/** The first request with the key is still in progress. */
export class IdempotencyKeyInFlight extends Schema.TaggedError<IdempotencyKeyInFlight>()(
  "IdempotencyKeyInFlight",
  {},
) {}

/** The analysis that the key's first request created was deleted, so there is nothing left to return. */
export class IdempotentAnalysisDeleted extends Schema.TaggedError<IdempotentAnalysisDeleted>()(
  "IdempotentAnalysisDeleted",
  { analysisId: AnalysisId },
) {}

/** The state machine does not permit the transition. */
export class InvalidState extends Schema.TaggedError<InvalidState>()("InvalidState", {
  analysisId: AnalysisId,
  status: Schema.String,
}) {}

/** Unknown, deleted or someone else's. */
export class AnalysisNotFound extends Schema.TaggedError<AnalysisNotFound>()("AnalysisNotFound", {
  analysisId: AnalysisId,
}) {}

/** An earlier release stored a result without a size limit, and this one is too large to be rendered or sent. */
export class ResultTooLarge extends Schema.TaggedError<ResultTooLarge>()("ResultTooLarge", {
  analysisId: AnalysisId,
  /** Bytes of its JSON. */
  size: Schema.Int,
}) {}

/**
 * The analyses from their owners' perspective: lookups by a user see only that user's analyses. The rows are also the
 * job queue, see `AnalysisQueue`. All times are the database's.
 */
export class AnalysisStore extends Context.Service<
  AnalysisStore,
  {
    /** Inserts as `pending` and charges one scan to the caller's pool, both or neither. */
    readonly create: (
      analysis: NewAnalysis,
      idempotency: Idempotency | undefined,
    ) => Effect.Effect<
      { readonly analysisId: AnalysisId; readonly createdAt: Date },
      QuotaExceeded | IdempotencyKeyInFlight | IdempotencyKeyReused | IdempotentAnalysisDeleted | StoreUnavailable
    >
    /** Newest first. */
    readonly list: (userId: UserId, filter: ListFilter) => Effect.Effect<ReadonlyArray<AnalysisItem>, StoreUnavailable>
    readonly progress: (
      userId: UserId,
      analysisId: AnalysisId,
    ) => Effect.Effect<AnalysisProgress, AnalysisNotFound | StoreUnavailable>
    readonly find: (
      userId: UserId,
      analysisId: AnalysisId,
    ) => Effect.Effect<StoredAnalysis, AnalysisNotFound | StoreUnavailable>
    /**
     * A report of a completed analysis, for any reader, byte for byte as it was completed; none if the analysis was
     * deleted. If an earlier release stored only the JSON, `render` produces the other forms.
     */
    readonly report: (
      analysisId: AnalysisId,
      form: ReportForm,
      render: (json: string) => Effect.Effect<string>,
    ) => Effect.Effect<Option.Option<PackedReport>, ResultTooLarge | StoreUnavailable>
    readonly badge: (analysisId: AnalysisId) => Effect.Effect<BadgeData, AnalysisNotFound | StoreUnavailable>
    /**
     * `failed` to `pending` with fresh attempts; charges another scan. Of two simultaneous requests, exactly one
     * succeeds.
     */
    readonly retry: (
      userId: UserId,
      analysisId: AnalysisId,
      traceParent?: string | undefined,
    ) => Effect.Effect<Date, AnalysisNotFound | InvalidState | QuotaExceeded | StoreUnavailable>
    /** Deletes it with its result, in any state; the scan remains charged. */
    readonly remove: (
      userId: UserId,
      analysisId: AnalysisId,
    ) => Effect.Effect<void, AnalysisNotFound | StoreUnavailable>
  }
>()("assay/application/AnalysisStore") {}
