import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { AnalysisStatus } from "../../../domain/analysis/Analysis.ts"
import type { ResultSummary } from "../../../domain/finding/ResultSummary.ts"
import type { HostedRepository, SyncResult } from "../../../domain/repository/Repository.ts"
import type { AnalysisItem } from "../analysis/AnalysisStore.ts"
import type { StoreUnavailable } from "../StoreUnavailable.ts"
import type { UserId, RepositoryId, SyncId } from "../../../domain/ids/Ids.ts"
import type { RepositoryUrl } from "../../../domain/repository/RepositoryUrl.ts"

export interface RepositoryRecord {
  readonly id: RepositoryId
  readonly githubId: number
  readonly name: string
  readonly fullName: string
  readonly url: string
  readonly defaultBranch: string
  readonly language: string | undefined
  readonly isPrivate: boolean
  readonly isArchived: boolean
  readonly lastSyncedAt: Date
  /** When a sync no longer found it; undefined while it exists. */
  readonly vanishedAt: Date | undefined
}

/** An analysis of a repository; `summary` once completed. */
export interface RepositoryScan extends AnalysisItem {
  readonly summary: ResultSummary | undefined
}

export interface RepositoryStatistics {
  readonly totalRepositories: number
  /** Those with a completed analysis. */
  readonly scannedRepositories: number
  /** Findings in the latest completed analysis of each repository. */
  readonly scanResults: {
    readonly critical: number
    readonly high: number
    readonly medium: number
    readonly low: number
    readonly informational: number
  }
  /** All of the user's analyses. */
  readonly analysesByStatus: Readonly<Record<AnalysisStatus, number>>
}

export type SyncKind = "full" | "quick"

/** A sync that this caller performs: nobody else may write while it is running. */
export interface RunningSync {
  readonly userId: UserId
  readonly syncId: SyncId
  /** Where a quick sync resumes; undefined before the first sync. */
  readonly since: { readonly instant: Date; readonly etag: string | undefined } | undefined
}

export type SyncTurn =
  | { readonly type: "started"; readonly sync: RunningSync }
  /** Another sync is running. */
  | { readonly type: "busy"; readonly syncId: SyncId }

/** How the other sync ended; `failed` also if it was abandoned or its process died. */
export type SyncOutcome =
  | { readonly type: "running" }
  | { readonly type: "failed" }
  | { readonly type: "finished"; readonly kind: SyncKind; readonly result: SyncResult }

/** Unknown, or someone else's. */
export class RepositoryNotFound extends Schema.TaggedError<RepositoryNotFound>()("RepositoryNotFound", {}) {}

/** Another sync took over because this one was unresponsive for too long. */
export class SyncLost extends Schema.TaggedError<SyncLost>()("SyncLost", {}) {}

/** The number of records would not match the hosting service after the changes, so nothing was changed. */
export class RecordsDiffer extends Schema.TaggedError<RecordsDiffer>()("RecordsDiffer", {}) {}

/** The user's copy of the repository records. Lookups see that user's only; all times but the host's are the database's. */
export class RepositoryStore extends Context.Service<
  RepositoryStore,
  {
    /** By full name, without vanished ones. `shared` adds those of fellow members, if the organization shares. */
    readonly list: (
      userId: UserId,
      shared?: boolean,
    ) => Effect.Effect<ReadonlyArray<RepositoryRecord>, StoreUnavailable>
    /** Includes vanished ones. */
    readonly find: (
      userId: UserId,
      id: RepositoryId,
    ) => Effect.Effect<RepositoryRecord, RepositoryNotFound | StoreUnavailable>
    /**
     * The last 1,000 analyses of a repository, under all URLs that it has had, oldest first, as one JSON text in the
     * API's form, because decoding so many would block a process that answers other requests.
     */
    readonly scans: (userId: UserId, id: RepositoryId) => Effect.Effect<string, StoreUnavailable>
    readonly statistics: (userId: UserId) => Effect.Effect<RepositoryStatistics, StoreUnavailable>
    /** Whether a repository that has not vanished has, or had, this URL. */
    readonly isSynced: (userId: UserId, url: RepositoryUrl) => Effect.Effect<boolean, StoreUnavailable>

    /** One sync per user at a time, across processes. */
    readonly beginSync: (userId: UserId) => Effect.Effect<SyncTurn, StoreUnavailable>
    readonly outcome: (userId: UserId, syncId: SyncId) => Effect.Effect<SyncOutcome, StoreUnavailable>
    /** Stages a page, invisible before the commit, and extends the lease; an empty page only extends the lease. */
    readonly stage: (
      sync: RunningSync,
      page: ReadonlyArray<HostedRepository>,
    ) => Effect.Effect<void, SyncLost | StoreUnavailable>
    /** Commits everything that was staged, in one transaction. */
    readonly commitSync: (
      sync: RunningSync,
      ending: {
        readonly kind: SyncKind
        /** Whether repositories that were not staged have vanished. */
        readonly isWholeList: boolean
        /** The number of repositories afterwards, if known. */
        readonly total: number | undefined
        readonly etag: string | undefined
        /** When reading began, by the service's clock, if a change since then may have been missed. */
        readonly changesSince?: Date | undefined
      },
    ) => Effect.Effect<SyncResult, SyncLost | RecordsDiffer | StoreUnavailable>
    /** Discards what was staged; no effect after the commit. */
    readonly abandonSync: (sync: RunningSync) => Effect.Effect<void, StoreUnavailable>
  }
>()("assay/application/RepositoryStore") {}
