import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import { AnalysisQueue } from "../../application/ports/analysis/AnalysisQueue.ts"
import { AnalysisStore, type ListFilter } from "../../application/ports/analysis/AnalysisStore.ts"
import { BillingAccounts } from "../../application/ports/billing/BillingAccounts.ts"
import { QueueProbe } from "../../application/ports/analysis/QueueProbe.ts"
import { RepositoryStore } from "../../application/ports/repositories/RepositoryStore.ts"
import { Sessions } from "../../application/ports/identity/Sessions.ts"
import { analysisOf, create, newUser, resultOf, type Stores } from "./stores.ts"
import { type UserId, type AnalysisId, type RepositoryId, WorkerId } from "../../domain/ids/Ids.ts"
import { RepositoryUrl } from "../../domain/repository/RepositoryUrl.ts"

/** A user with analyses, as created by `generateRows`. */
export interface Tenant {
  readonly userId: UserId
  readonly analysisId: AnalysisId
  readonly repositoryId: RepositoryId
  readonly repositoryUrl: string
}

/** One tenant, in the middle of the others. */
export const someTenant = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [row] = yield* sql<Tenant>`
    SELECT analyses.user_id AS "userId", analyses.id AS "analysisId", repositories.id AS "repositoryId",
      repository_url AS "repositoryUrl"
    FROM analyses JOIN repositories ON repositories.user_id = analyses.user_id
    WHERE status = 'completed' LIMIT 1`
  return row!
})

const list = (userId: UserId, filter: Partial<ListFilter> = {}) =>
  AnalysisStore.use((store) =>
    store.list(userId, {
      limit: 50,
      after: undefined,
      status: undefined,
      framework: undefined,
      repositoryUrl: undefined,
      ...filter,
    }),
  )

export type Services = Stores | BillingAccounts | QueueProbe | Sessions
export type Operation = (tenant: Tenant) => Effect.Effect<unknown, unknown, Services>

/** What grows with the number of rows, if anything does. */
export const storeOperations: Readonly<Record<string, Operation>> = {
  status: ({ userId, analysisId }) => AnalysisStore.use((store) => store.progress(userId, analysisId)),
  list: ({ userId }) => list(userId),
  "list, pending ones": ({ userId }) => list(userId, { status: "pending" }),
  "list, failed ones": ({ userId }) => list(userId, { status: "failed" }),
  "list, of one repository": ({ userId, repositoryUrl }) => list(userId, { repositoryUrl }),
  "list, of another repository": ({ userId }) => list(userId, { repositoryUrl: "https://github.com/example/other" }),
  badge: ({ analysisId }) => AnalysisStore.use((store) => store.badge(analysisId)),
  statistics: ({ userId }) => RepositoryStore.use((store) => store.statistics(userId)),
  "scan history": ({ userId, repositoryId }) => RepositoryStore.use((store) => store.scans(userId, repositoryId)),
  quota: ({ userId }) => BillingAccounts.use((accounts) => accounts.view(userId)),
  "depth of the queue": () => QueueProbe.use((probe) => probe.depth),
  "create and remove": ({ userId }) =>
    AnalysisStore.use((store) =>
      Effect.flatMap(store.create(analysisOf(userId), undefined), ({ analysisId }) => store.remove(userId, analysisId)),
    ),
  "create with a key, forget others": ({ userId }) =>
    AnalysisStore.use((store) =>
      Effect.flatMap(
        store.create(analysisOf(userId), { key: crypto.randomUUID(), requestHash: "same" }),
        ({ analysisId }) => store.remove(userId, analysisId),
      ),
    ),
  "sign in, forget others": ({ userId }) =>
    Sessions.use((sessions) =>
      Effect.andThen(
        sessions.open(userId, crypto.randomUUID(), Duration.minutes(1)),
        sessions.startRefresh(userId, undefined, crypto.randomUUID(), Duration.minutes(1)),
      ),
    ),
  "create, claim, compare, complete": ({ userId, repositoryUrl }) =>
    AnalysisQueue.use((queue) =>
      Effect.gen(function* () {
        yield* create(userId, { repositoryUrl: RepositoryUrl.make(repositoryUrl) })
        const job = Option.getOrThrow(yield* queue.claim(WorkerId.make("bench")))
        yield* queue.heartbeat(job, "static_analysis", 50)
        yield* queue.compare(job, "main", ["f_0123456789abcdef"])
        yield* queue.complete(job, resultOf())
      }),
    ),
  "new user": () => newUser("pro"),
}
