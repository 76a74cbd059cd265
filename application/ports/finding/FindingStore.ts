import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Decision, DecisionKind, DecisionRecord, Verdict } from "../../../domain/finding/Decision.ts"
import type { Category } from "../../../domain/finding/Category.ts"
import type { Finding } from "../../../domain/finding/Finding.ts"
import type { FindingStatus } from "../../../domain/finding/FindingStatus.ts"
import type { Confidence, Severity } from "../../../domain/finding/Severity.ts"
import type { AnalysisNotFound } from "../analysis/AnalysisStore.ts"
import type { ClaimedAnalysis } from "../analysis/AnalysisQueue.ts"
import type { StoreUnavailable } from "../StoreUnavailable.ts"
import type { RepositoryNotFound } from "../repositories/RepositoryStore.ts"
import type { UserId, OrganizationId, PoolId, AnalysisId, RepositoryId } from "../../../domain/ids/Ids.ts"

/** A reader: a user, and the organization whose decisions they share. */
export interface Reader {
  readonly userId: UserId
  readonly organizationId: OrganizationId | undefined
}

/** A repository by the URLs it has had, each for its period, and the owner of the decisions about it. */
export interface FindingScope {
  readonly userId: UserId
  readonly ownerId: PoolId
  /** The URL that new decisions are recorded under. */
  readonly urlKey: string
  /** ISO instants, or `infinity` and `-infinity`. */
  readonly urls: ReadonlyArray<{ readonly urlKey: string; readonly since: string; readonly until: string }>
}

/** A completed analysis whose findings are being read. */
export interface ReportingAnalysis {
  readonly analysisId: AnalysisId
  readonly branch: string
  /** When it was requested; its sources are at least that recent. */
  readonly foundIn: Date
  readonly completedAt: Date
  /** Whether its findings can be listed. */
  readonly indexed: boolean
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

/** The current state of a finding across all branches. */
export interface TrackedFinding extends ReportedFinding {
  readonly status: FindingStatus
  readonly branches: ReadonlyArray<string>
  readonly analysisId: AnalysisId
  readonly foundAt: Date
  readonly decision: Decision
  /** The version of its latest decision; 0 if there is none. */
  readonly version: number
}

export const findingOrders = {
  severity: ["severity", "file", "line_start", "fingerprint"],
  newest: ["-age", "severity", "file", "fingerprint"],
  path: ["file", "line_start", "severity", "fingerprint"],
} as const
export type FindingOrder = keyof typeof findingOrders

export interface FindingFilter {
  readonly order: FindingOrder
  readonly limit: number
  /** The last finding of the page before: what it is ordered by. */
  readonly after: ReadonlyArray<string | number> | undefined
  readonly severities: ReadonlyArray<Severity> | undefined
  readonly categories: ReadonlyArray<string> | undefined
  readonly rules: ReadonlyArray<string> | undefined
  readonly statuses: ReadonlyArray<FindingStatus> | undefined
  readonly decisions: ReadonlyArray<DecisionKind> | undefined
  readonly branch: string | undefined
  /** A file, or a folder with everything below it. */
  readonly path: string | undefined
  readonly fingerprints: ReadonlyArray<string> | undefined
}

/** No finding of this repository has the fingerprint. */
export class FindingNotFound extends Schema.TaggedError<FindingNotFound>()("FindingNotFound", {
  fingerprints: Schema.Array(Schema.String),
}) {}

/** Someone else has decided since the state named in the request; nothing was recorded. */
export class DecisionStale extends Schema.TaggedError<DecisionStale>()("DecisionStale", {
  fingerprints: Schema.Array(Schema.String),
}) {}

/** Findings across analyses, and the append-only decisions about them. */
export class FindingStore extends Context.Service<
  FindingStore,
  {
    readonly ofRepository: (
      reader: Reader,
      repositoryId: RepositoryId,
    ) => Effect.Effect<FindingScope, RepositoryNotFound | StoreUnavailable>
    /** The repository of an analysis, synced or not. */
    readonly ofAnalysis: (
      reader: Reader,
      analysisId: AnalysisId,
    ) => Effect.Effect<FindingScope, AnalysisNotFound | StoreUnavailable>
    /** The latest completed analysis of each branch, at most 100; or the given one, if it belongs to the repository. */
    readonly analyses: (
      scope: FindingScope,
      analysisId: AnalysisId | undefined,
    ) => Effect.Effect<ReadonlyArray<ReportingAnalysis>, StoreUnavailable>
    /** The completed analyses among these whose findings cannot be listed yet. */
    readonly unindexed: (
      analysisIds: ReadonlyArray<AnalysisId>,
    ) => Effect.Effect<ReadonlyArray<AnalysisId>, StoreUnavailable>
    /** Indexes the findings of a result from an earlier release. */
    readonly index: (analysisId: AnalysisId, findings: ReadonlyArray<Finding>) => Effect.Effect<void, StoreUnavailable>
    readonly list: (
      scope: FindingScope,
      analyses: ReadonlyArray<ReportingAnalysis>,
      filter: FindingFilter,
    ) => Effect.Effect<ReadonlyArray<TrackedFinding>, StoreUnavailable>
    /** Latest first, at most 200. */
    readonly history: (
      scope: FindingScope,
      fingerprint: string,
    ) => Effect.Effect<ReadonlyArray<DecisionRecord>, StoreUnavailable>
    /** All or none, and only if each finding's latest decision is still the given version. */
    readonly decide: (
      scope: FindingScope,
      verdict: Verdict,
      findings: ReadonlyArray<{ readonly fingerprint: string; readonly version: number }>,
    ) => Effect.Effect<void, DecisionStale | StoreUnavailable>
    /** The decisions about findings of a running analysis, in the order given. */
    readonly decisions: (
      job: ClaimedAnalysis,
      fingerprints: ReadonlyArray<string>,
    ) => Effect.Effect<ReadonlyArray<Decision>, StoreUnavailable>
  }
>()("assay/application/FindingStore") {}
