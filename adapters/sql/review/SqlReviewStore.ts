import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { ReviewStore } from "../../../application/ports/finding/ReviewStore.ts"
import { PlanId } from "../../../domain/plan/Plan.ts"
import { decodeRows } from "../decodeRows.ts"
import { effectivePlan } from "../effectivePlan.ts"
import { poolOf } from "../pool.ts"
import { whileAvailable } from "../whileAvailable.ts"
import { PoolId } from "../../../domain/ids/Ids.ts"

const decodeAccounts = decodeRows(Schema.Struct({ id: PoolId, plan: PlanId }))
const decodeAnswers = decodeRows(Schema.Struct({ answer: Schema.String }))

/** Answers on a migrated database, embedded or not. */
export const layer = Layer.effect(
  ReviewStore,
  Effect.map(SqlClient, (sql) => {
    const month = sql.literal(`date_trunc('month', now() AT TIME ZONE 'UTC')::date`)
    return ReviewStore.of({
      account: Effect.fn("ReviewStore.account")((userId) =>
        whileAvailable(
          Effect.flatMap(
            decodeAccounts(sql`
              SELECT pools.id, ${effectivePlan(sql)} AS plan FROM (${poolOf(sql, userId)}) AS own
              JOIN pools ON pools.id = own.pool_id`),
            ([account]) =>
              account === undefined ? Effect.die(new Error("A user has no pool")) : Effect.succeed(account),
          ),
        ),
      ),
      find: Effect.fn("ReviewStore.find")((accountId, key) =>
        whileAvailable(
          Effect.map(
            decodeAnswers(sql`
              SELECT answer FROM review_answers WHERE pool_id = ${accountId}::uuid AND key = ${key}`),
            ([row]) => row?.answer,
          ),
        ),
      ),
      keep: Effect.fn("ReviewStore.keep")((accountId, key, answer) =>
        whileAvailable(
          // Each new answer removes a few old ones.
          Effect.asVoid(sql`
            WITH old AS (
              DELETE FROM review_answers WHERE (pool_id, key) IN (
                SELECT pool_id, key FROM review_answers WHERE created_at < now() - interval '30 days'
                ORDER BY created_at LIMIT 20 FOR UPDATE SKIP LOCKED))
            INSERT INTO review_answers (pool_id, key, answer) VALUES (${accountId}::uuid, ${key}, ${answer})
            ON CONFLICT (pool_id, key) DO NOTHING`),
        ),
      ),
      spend: Effect.fn("ReviewStore.spend")((accountId, micros, limit) =>
        whileAvailable(
          Effect.map(
            // The update locks the row and rechecks the limit against its latest version.
            sql`
              INSERT INTO review_spending AS spent (pool_id, month, micros)
              SELECT ${accountId}::uuid, ${month}, ${micros}::bigint WHERE ${micros}::bigint <= ${limit}::bigint
              ON CONFLICT (pool_id, month) DO UPDATE SET micros = spent.micros + excluded.micros
              WHERE spent.micros + excluded.micros <= ${limit}::bigint
              RETURNING pool_id`,
            (rows) => rows.length === 1,
          ),
        ),
      ),
      giveBack: Effect.fn("ReviewStore.giveBack")((accountId, micros) =>
        whileAvailable(
          // A reservation made before midnight of the last day remains with the previous month.
          Effect.asVoid(sql`
            UPDATE review_spending SET micros = greatest(0, micros - ${micros}::bigint)
            WHERE pool_id = ${accountId}::uuid AND month = ${month}`),
        ),
      ),
    })
  }),
)
