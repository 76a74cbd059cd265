import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Callers } from "../../application/ports/identity/Callers.ts"
import { AnalysisStore, type NewAnalysis } from "../../application/ports/analysis/AnalysisStore.ts"
import { AnalysisQueue, type ClaimedAnalysis } from "../../application/ports/analysis/AnalysisQueue.ts"
import type { DeliveryStore } from "../../application/ports/notification/DeliveryStore.ts"
import type { FindingStore } from "../../application/ports/finding/FindingStore.ts"
import type { HostingTokens } from "../../application/ports/identity/HostingTokens.ts"
import { Accounts } from "../../application/ports/identity/Accounts.ts"
import type { Overviews } from "../../application/ports/finding/Overviews.ts"
import type { RenderedReports } from "../../application/ports/analysis/PackedReport.ts"
import type { ReviewStore } from "../../application/ports/finding/ReviewStore.ts"
import type { RepositoryStore } from "../../application/ports/repositories/RepositoryStore.ts"
import type { WebhookSecrets } from "../../application/ports/notification/WebhookSecrets.ts"
import type { Notifications } from "../../adapters/sql/Notifications.ts"
import * as SqlFindingStore from "../../adapters/sql/finding/SqlFindingStore.ts"
import * as SqlOverviews from "../../adapters/sql/finding/SqlOverviews.ts"
import * as SqlDeliveryStore from "../../adapters/sql/notification/SqlDeliveryStore.ts"
import * as SqlWebhookSecrets from "../../adapters/sql/notification/SqlWebhookSecrets.ts"
import * as SqlHostingTokens from "../../adapters/sql/repositories/SqlHostingTokens.ts"
import * as SqlRepositoryStore from "../../adapters/sql/repositories/SqlRepositoryStore.ts"
import * as SqlReviewStore from "../../adapters/sql/review/SqlReviewStore.ts"
import * as SqlAnalysisQueue from "../../adapters/sql/SqlAnalysisQueue.ts"
import * as SqlAnalysisStore from "../../adapters/sql/SqlAnalysisStore.ts"
import * as SqlAccounts from "../../adapters/sql/identity/SqlAccounts.ts"
import * as SqlCallers from "../../adapters/sql/identity/SqlCallers.ts"
import type { Finding } from "../../domain/finding/Finding.ts"
import type { PlanId } from "../../domain/plan/Plan.ts"
import { type UserId, type OrganizationId, type AnalysisId, WorkerId } from "../../domain/ids/Ids.ts"
import { RepositoryUrl } from "../../domain/repository/RepositoryUrl.ts"

/**
 * All stores on the provided database, and the database itself for what a test sets up behind their backs.
 */
export const stores = Layer.mergeAll(
  SqlAnalysisStore.layer,
  SqlAnalysisQueue.layer,
  SqlCallers.layer.pipe(Layer.provideMerge(SqlAccounts.layer)),
  SqlRepositoryStore.layer,
  SqlHostingTokens.layer,
  SqlDeliveryStore.layer,
  SqlWebhookSecrets.layer,
  SqlFindingStore.layer,
  SqlOverviews.layer,
  SqlReviewStore.layer,
)

export type Stores =
  | AnalysisStore
  | AnalysisQueue
  | Accounts
  | Callers
  | RepositoryStore
  | HostingTokens
  | DeliveryStore
  | WebhookSecrets
  | FindingStore
  | Overviews
  | ReviewStore
  | SqlClient
  | Notifications
export type Test<E = unknown> = Effect.Effect<unknown, E, Stores>

let serial = 0
/** Unique within a test run. */
export const unique = (prefix: string): string => `${prefix}-${process.pid}-${++serial}`

export const newUser = (plan: PlanId = "pro") =>
  Accounts.use((accounts) => accounts.createUser(`${unique("user")}@example.com`, plan))

export const analysisOf = (userId: UserId, change: Partial<NewAnalysis> = {}): NewAnalysis => ({
  userId,
  repositoryUrl: RepositoryUrl.make("https://github.com/example/vault"),
  branch: undefined,
  framework: "auto",
  analysisType: "full",
  webhookUrl: undefined,
  ...change,
})

export const create = (userId: UserId, change: Partial<NewAnalysis> = {}) =>
  AnalysisStore.use((store) => store.create(analysisOf(userId, change), undefined)).pipe(
    Effect.map(({ analysisId }) => analysisId),
  )

/** The next job, which the test expects to exist. */
export const claim = Effect.flatMap(
  AnalysisQueue.use((queue) => queue.claim(WorkerId.make("worker"))),
  Option.match({ onNone: () => Effect.die(new Error("nothing to claim")), onSome: Effect.succeed }),
)

export const claimNothing = Effect.map(
  AnalysisQueue.use((queue) => queue.claim(WorkerId.make("worker"))),
  Option.isNone,
)

export const resultOf = (
  change: {
    readonly fingerprints?: ReadonlyArray<string>
    readonly findings?: ReadonlyArray<Finding>
    readonly branch?: string
    readonly reports?: RenderedReports
  } = {},
) => ({
  reports: {
    json: `{"findings":[],"note":"\\u0000 – ünïcode"}`,
    markdown: "# ünïcode",
    sarif: `{"runs":[]}`,
    access: `{"access":[]}`,
    html: "<p>ünïcode</p>",
  },
  summary: {
    totalFindings: 15,
    criticalFindings: 1,
    highFindings: 2,
    mediumFindings: 3,
    lowFindings: 4,
    analysisTime: 1234,
  },
  informational: 5,
  fingerprints: [],
  findings: [],
  branch: "main",
  framework: "evm" as const,
  commit: "0123456789abcdef0123456789abcdef01234567",
  ...change,
})

export const complete = (job: ClaimedAnalysis, change: Parameters<typeof resultOf>[0] = {}) =>
  AnalysisQueue.use((queue) => queue.complete(job, resultOf(change)))

export const fail = (job: ClaimedAnalysis, retryable = false) =>
  AnalysisQueue.use((queue) => queue.fail(job, { stage: "compilation", message: "nothing parses" }, retryable))

/** One analysis from creation to `failed`. */
export const createFailed = Effect.fnUntraced(function* (userId: UserId) {
  const analysisId = yield* create(userId)
  yield* fail(yield* claim)
  return analysisId
})

export const expireLeases: Effect.Effect<unknown, SqlError, SqlClient> = SqlClient.use(
  (sql) => sql`UPDATE analyses SET lease_expires_at = now() - interval '1 second' WHERE status = 'running'`,
)

export const endBackoff: Effect.Effect<unknown, SqlError, SqlClient> = SqlClient.use(
  (sql) => sql`UPDATE analyses SET available_at = now() WHERE status = 'pending'`,
)

/** The scans charged to a user's own pool in its current period. */
export const usedBy = (userId: UserId) =>
  SqlClient.use((sql) => sql<{ used: number }>`SELECT used FROM pools WHERE id = ${userId}::uuid`).pipe(
    Effect.map(([pool]) => pool?.used),
  )

export const statusOf = (userId: UserId, analysisId: AnalysisId) =>
  AnalysisStore.use((store) => store.progress(userId, analysisId)).pipe(Effect.map(({ status }) => status))

/** An organization on pro with this many seats and members, the first of whom is its owner. */
export const newOrganization = Effect.fnUntraced(function* (seats: number, members: ReadonlyArray<UserId>) {
  const sql = yield* SqlClient
  const [pool] = yield* sql<{ id: OrganizationId }>`
    INSERT INTO pools (plan, seats, period_start, period_end)
    VALUES ('pro', ${seats}, now() - interval '1 day', now() + interval '29 days') RETURNING id`
  const id = pool!.id
  yield* sql`INSERT INTO organizations (id, name) VALUES (${id}::uuid, 'Example')`
  yield* Effect.forEach(
    members,
    (userId, index) => sql`
      INSERT INTO memberships (organization_id, user_id, role)
      VALUES (${id}::uuid, ${userId}::uuid, ${index === 0 ? "owner" : "member"})`,
  )
  return id
})
