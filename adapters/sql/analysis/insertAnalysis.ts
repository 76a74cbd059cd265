import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import {
  IdempotencyKeyInFlight,
  IdempotencyKeyReused,
  IdempotentAnalysisDeleted,
  QuotaExceeded,
  type Idempotency,
  type NewAnalysis,
} from "../../../application/ports/analysis/AnalysisStore.ts"
import { decodeRows } from "../decodeRows.ts"
import { chargePool, poolOf, scanLimit } from "../pool.ts"
import { notifyQueue } from "../queueChannel.ts"
import { type UserId, AnalysisId } from "../../../domain/ids/Ids.ts"

const decodeCreated = decodeRows(
  Schema.Struct({ createdAt: Schema.NullOr(Schema.Date), limit: Schema.Int, periodEnd: Schema.Date }),
)
const decodeLocked = decodeRows(Schema.Struct({ locked: Schema.Boolean }))
const decodeFirst = decodeRows(
  Schema.Struct({
    analysisId: AnalysisId,
    createdAt: Schema.Date,
    requestHash: Schema.String,
    remains: Schema.Boolean,
  }),
)

/** Charges the pool, inserts the row and wakes a worker, in one statement. */
const insert = (sql: SqlClient, analysisId: AnalysisId, analysis: NewAnalysis) =>
  decodeCreated(sql`
    WITH target AS (${poolOf(sql, analysis.userId)}),
    charged AS (${chargePool(sql, sql.literal("target"))}),
    inserted AS (
      INSERT INTO analyses
        (id, user_id, pool_id, repository_url, branch, asked_commit, path, framework, analysis_type, webhook_url,
         trace_parent, charged_period)
      SELECT
        ${analysisId}::uuid, ${analysis.userId}::uuid, charged.id, ${analysis.repositoryUrl}::text,
        ${analysis.branch ?? null}::text, ${analysis.commit ?? null}::text, ${analysis.path ?? null}::text,
        ${analysis.framework}::text, ${analysis.analysisType}::text,
        ${analysis.webhookUrl ?? null}::text, ${analysis.traceParent ?? null}::text, charged.period_start
      FROM charged
      RETURNING created_at
    )
    SELECT
      inserted.created_at AS "createdAt", ${scanLimit(sql)} AS "limit", pools.period_end AS "periodEnd",
      CASE WHEN inserted.created_at IS NOT NULL THEN ${notifyQueue(sql)} END AS notified
    FROM target JOIN pools ON pools.id = target.pool_id LEFT JOIN inserted ON true`).pipe(
    Effect.flatMap(([row]) => {
      if (row === undefined) return Effect.die(new Error(`No user ${analysis.userId}`))
      return row.createdAt === null
        ? Effect.fail(new QuotaExceeded({ limit: row.limit, resetsAt: row.periodEnd }))
        : Effect.succeed({ analysisId, createdAt: row.createdAt })
    }),
  )

/**
 * Locks the key, and returns whether no other request with it is in progress: the lock lasts until its transaction
 * ends. It also removes a few expired keys of any user, so that each keyed create removes more than it adds.
 */
const lockKey = (sql: SqlClient, userId: UserId, key: string) =>
  decodeLocked(sql`
    WITH forgotten AS (
      DELETE FROM idempotency_keys WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM idempotency_keys WHERE created_at <= now() - interval '24 hours'
        LIMIT 10 FOR UPDATE SKIP LOCKED)))
    SELECT pg_try_advisory_xact_lock(hashtextextended(${userId}::text || ' ' || ${key}::text, 0)) AS locked`)

/** Claims the key, unless it was claimed within 24 hours. */
const takeKey = (sql: SqlClient, analysisId: AnalysisId, userId: UserId, { key, requestHash }: Idempotency) => sql`
  INSERT INTO idempotency_keys (user_id, key, request_hash, analysis_id)
  VALUES (${userId}::uuid, ${key}, ${requestHash}, ${analysisId}::uuid)
  ON CONFLICT (user_id, key) DO UPDATE
    SET request_hash = excluded.request_hash, analysis_id = excluded.analysis_id, created_at = now()
    WHERE idempotency_keys.created_at <= now() - interval '24 hours'
  RETURNING key`

const firstResponse = (sql: SqlClient, userId: UserId, key: string) =>
  decodeFirst(sql`
    SELECT analysis_id AS "analysisId", created_at AS "createdAt", request_hash AS "requestHash",
      EXISTS (SELECT FROM analyses WHERE analyses.id = analysis_id) AS remains
    FROM idempotency_keys WHERE user_id = ${userId}::uuid AND key = ${key}`)

/** The key's row is written in the same transaction as the analysis, at the same `now()`, as is its response. */
const insertOnce = (sql: SqlClient, analysisId: AnalysisId, analysis: NewAnalysis, idempotency: Idempotency) =>
  Effect.gen(function* () {
    const [lock] = yield* lockKey(sql, analysis.userId, idempotency.key)
    if (lock?.locked !== true) return yield* new IdempotencyKeyInFlight()
    const taken = yield* takeKey(sql, analysisId, analysis.userId, idempotency)
    if (taken.length === 1) return yield* insert(sql, analysisId, analysis)
    const [first] = yield* firstResponse(sql, analysis.userId, idempotency.key)
    if (first === undefined) return yield* Effect.die(new Error("An idempotency key vanished while it was held"))
    if (first.requestHash !== idempotency.requestHash) return yield* new IdempotencyKeyReused()
    if (!first.remains) return yield* new IdempotentAnalysisDeleted({ analysisId: first.analysisId })
    return { analysisId: first.analysisId, createdAt: first.createdAt }
  }).pipe(sql.withTransaction)

export const insertAnalysis = (sql: SqlClient, analysis: NewAnalysis, idempotency: Idempotency | undefined) =>
  Effect.suspend(() => {
    const analysisId = AnalysisId.make(globalThis.crypto.randomUUID())
    return idempotency === undefined
      ? insert(sql, analysisId, analysis)
      : insertOnce(sql, analysisId, analysis, idempotency)
  })
