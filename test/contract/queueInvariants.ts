import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import * as fc from "fast-check"
import { AnalysisStore } from "../../application/ports/analysis/AnalysisStore.ts"
import { AnalysisQueue, type ClaimedAnalysis } from "../../application/ports/analysis/AnalysisQueue.ts"
import { clear } from "../support/databases.ts"
import { closeLedger, illegalChanges, keepLedger } from "../support/ledger.ts"
import {
  claim,
  complete,
  create,
  endBackoff,
  expireLeases,
  fail,
  newOrganization,
  newUser,
  type Stores,
  type Test,
} from "../support/stores.ts"
import { UserId, type AnalysisId, WorkerId } from "../../domain/ids/Ids.ts"

/** `pick` selects a user, job or analysis among however many there are by then. */
const operation = fc.record({
  kind: fc.constantFrom(
    ...(["create", "create", "claim", "claim", "heartbeat", "complete", "fail", "failForNow"] as const),
    ...(["handBack", "retry", "expire", "endBackoff", "joinOrLeave"] as const),
  ),
  pick: fc.nat(),
})

type Operation = typeof operation extends fc.Arbitrary<infer A> ? A : never

interface World {
  readonly users: ReadonlyArray<string>
  readonly organization: string
  readonly analyses: Array<{ readonly userId: UserId; readonly analysisId: AnalysisId }>
  readonly jobs: Array<ClaimedAnalysis>
}

const at = <A>(all: ReadonlyArray<A>, pick: number): A | undefined => all[pick % all.length]

const perform = Effect.fnUntraced(function* (world: World, { kind, pick }: Operation) {
  const store = yield* AnalysisStore
  const queue = yield* AnalysisQueue
  const sql = yield* SqlClient
  const userId = at(world.users, pick)!
  const job = at(world.jobs, pick)
  switch (kind) {
    case "create":
      world.analyses.push({ userId: UserId.make(userId), analysisId: yield* create(UserId.make(userId)) })
      return
    case "claim":
      world.jobs.push(...Option.toArray(yield* queue.claim(WorkerId.make("worker"))))
      return
    case "retry": {
      const analysis = at(world.analyses, pick)
      if (analysis !== undefined) yield* store.retry(analysis.userId, analysis.analysisId)
      return
    }
    case "expire":
      yield* expireLeases
      return
    case "endBackoff":
      yield* endBackoff
      return
    case "joinOrLeave":
      yield* pick % 2 === 0
        ? sql`
            INSERT INTO memberships (organization_id, user_id, role)
            VALUES (${world.organization}::uuid, ${userId}::uuid, 'member') ON CONFLICT DO NOTHING`
        : sql`DELETE FROM memberships WHERE user_id = ${userId}::uuid`
      return
  }
  if (job === undefined) return
  switch (kind) {
    case "heartbeat":
      return yield* queue.heartbeat(job, "static_analysis", pick % 100)
    case "complete":
      return yield* complete(job)
    case "fail":
      return yield* fail(job)
    case "failForNow":
      return yield* fail(job, true)
    case "handBack":
      return yield* queue.handBack(job)
  }
})

/** The counts of each pool, compared with its analyses. */
const counted = SqlClient.use(
  (sql) => sql<Record<string, unknown>>`
    SELECT
      pools.id, pools.waiting, pools.running, pools.used,
      count(analyses.id) FILTER (WHERE status = 'pending')::int AS pending_rows,
      count(analyses.id) FILTER (WHERE status = 'running')::int AS running_rows,
      count(analyses.id) FILTER (WHERE charged_period = pools.period_start)::int AS charged_rows,
      coalesce(bool_and((status = 'failed') = (charged_period IS NULL)), true) AS charged_unless_failed,
      CASE plan WHEN 'basic' THEN 1 ELSE 4 END AS cap
    FROM pools LEFT JOIN analyses ON analyses.pool_id = pools.id GROUP BY pools.id`,
)

/** The stored counts of each user's analyses, compared with the analyses themselves. */
const countedByUser = SqlClient.use(
  (sql) => sql<Record<string, unknown>>`
    SELECT
      users.id, coalesce(kept.pending, 0) AS pending, coalesce(kept.running, 0) AS running,
      coalesce(kept.completed, 0) AS completed, coalesce(kept.failed, 0) AS failed,
      count(analyses.id) FILTER (WHERE status = 'pending')::int AS pending_rows,
      count(analyses.id) FILTER (WHERE status = 'running')::int AS running_rows,
      count(analyses.id) FILTER (WHERE status = 'completed')::int AS completed_rows,
      count(analyses.id) FILTER (WHERE status = 'failed')::int AS failed_rows
    FROM users
      LEFT JOIN analysis_counts AS kept ON kept.user_id = users.id
      LEFT JOIN analyses ON analyses.user_id = users.id
    GROUP BY users.id, kept.user_id`,
)

const countsAreKept = Effect.gen(function* () {
  for (const user of yield* countedByUser) {
    for (const status of ["pending", "running", "completed", "failed"]) {
      assert.strictEqual(user[status], user[`${status}_rows`], status)
    }
  }
})

const holds = (rounds: ReadonlyArray<ReadonlyArray<Operation>>) =>
  Effect.gen(function* () {
    yield* clear
    const users = [yield* newUser("basic"), yield* newUser("pro"), yield* newUser("basic")]
    const organization = yield* newOrganization(1, [users[2]!])
    const world: World = { users, organization, analyses: [], jobs: [] }
    for (const round of rounds) {
      // Refusals are outcomes; a defect fails the test.
      yield* Effect.forEach(round, (next) => Effect.result(perform(world, next)), { concurrency: "unbounded" })
      for (const pool of yield* counted) {
        assert.deepInclude(pool, {
          waiting: pool["pending_rows"],
          running: pool["running_rows"],
          used: pool["charged_rows"],
          charged_unless_failed: true,
        })
        assert.isAtMost(Number(pool["running"]), Number(pool["cap"]))
      }
      assert.deepStrictEqual(yield* illegalChanges, [])
      yield* countsAreKept
    }
  })

export const queueInvariants: Readonly<Record<string, Test>> = {
  "a user's stored counts follow the removal of analyses, one by one and with the user": Effect.gen(function* () {
    const sql = yield* SqlClient
    const store = yield* AnalysisStore
    const [userId, other] = [yield* newUser(), yield* newUser()]
    for (const owner of [userId, userId, other]) yield* create(owner)
    yield* complete(yield* claim)
    yield* countsAreKept
    const [removed] = yield* sql<{ id: string }>`
      DELETE FROM analyses WHERE user_id = ${userId}::uuid AND status = 'completed' RETURNING id`
    assert.isDefined(removed)
    const [left] = yield* store.list(userId, {
      limit: 1,
      after: undefined,
      status: undefined,
      framework: undefined,
      repositoryUrl: undefined,
    })
    yield* store.remove(userId, left!.analysisId)
    yield* countsAreKept
    yield* sql`DELETE FROM users WHERE id = ${other}::uuid`
    yield* countsAreKept
    const kept = yield* sql<{ count: number }>`
      SELECT (pending + running + completed + failed) AS count FROM analysis_counts`
    assert.deepEqual(kept, [{ count: 0 }])
  }),
  "pools agree with their analyses, respect their caps, and states change as the domain says, in any order and concurrently":
    Effect.gen(function* () {
      const context = yield* Effect.context<Stores>()
      yield* Effect.acquireRelease(keepLedger, () => Effect.orDie(closeLedger))
      const rounds = fc.array(fc.array(operation, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 10 })
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(rounds, (rounds) => Effect.runPromiseWith(context)(holds(rounds))),
          { numRuns: 20 },
        ),
      )
    }).pipe(Effect.scoped),
}
