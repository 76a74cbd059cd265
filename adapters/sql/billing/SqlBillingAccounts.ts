import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import {
  AccountChanged,
  type BillingAccount,
  BillingAccounts,
  type SubscriptionNews,
} from "../../../application/ports/billing/BillingAccounts.ts"
import { Role } from "../../../domain/identity/Organization.ts"
import { quotaUsage } from "../../../domain/plan/Quota.ts"
import { PlanId } from "../../../domain/plan/Plan.ts"
import { SubscriptionStatus } from "../../../domain/plan/Subscription.ts"
import { decodeRows } from "../decodeRows.ts"
import { effectivePlan } from "../effectivePlan.ts"
import { currentPeriodEnd, currentUse, scanLimit } from "../pool.ts"
import { whileAvailable } from "../whileAvailable.ts"
import { recordSubscription } from "./recordSubscription.ts"
import {
  type UserId,
  PoolId,
  CustomerId,
  SubscriptionId,
  type BillingEventId,
  CheckoutId,
} from "../../../domain/ids/Ids.ts"

const decodeViews = decodeRows(
  Schema.Struct({
    poolId: PoolId,
    plan: PlanId,
    status: Schema.NullOr(SubscriptionStatus),
    limit: Schema.Int,
    used: Schema.Int,
    resetsAt: Schema.Date,
    role: Schema.NullOr(Role),
  }),
)
const decodeAccounts = decodeRows(
  Schema.Struct({
    poolId: PoolId,
    revision: Schema.String,
    customerId: Schema.NullOr(CustomerId),
    checkoutId: Schema.NullOr(CheckoutId),
    requests: Schema.Int,
    trialUsed: Schema.Boolean,
    subscriptionId: Schema.NullOr(SubscriptionId),
    status: Schema.NullOr(SubscriptionStatus),
    members: Schema.Int,
    email: Schema.NullOr(Schema.String),
  }),
)

const decodeRevisions = decodeRows(Schema.Struct({ revision: Schema.String }))

const accountOf = (row: Effect.Success<ReturnType<typeof decodeAccounts>>[number]): BillingAccount => ({
  ...row,
  customerId: row.customerId ?? undefined,
  checkoutId: row.checkoutId ?? undefined,
  subscriptionId: row.subscriptionId ?? undefined,
  status: row.status ?? undefined,
  members: Math.max(1, row.members),
  email: row.email ?? undefined,
})

const selectAccounts = (sql: SqlClient) => sql`
  SELECT
    pool_id AS "poolId", billing_accounts.xmin::text AS revision, customer_id AS "customerId",
    checkout_id AS "checkoutId", requests, trial_used AS "trialUsed", subscription_id AS "subscriptionId", status,
    (SELECT count(*)::int FROM memberships WHERE organization_id = pool_id) AS members,
    coalesce(
      (SELECT email FROM users WHERE users.id = pool_id),
      (SELECT email FROM users JOIN memberships ON memberships.user_id = users.id
        WHERE organization_id = pool_id AND role = 'owner' ORDER BY memberships.created_at LIMIT 1)) AS email
  FROM billing_accounts`

const viewOf = (sql: SqlClient, userId: UserId) =>
  Effect.flatMap(
    decodeViews(sql`
      SELECT
        pools.id AS "poolId", ${effectivePlan(sql)} AS plan, billing_accounts.status,
        ${scanLimit(sql)} AS "limit", ${currentUse(sql)} AS used, ${currentPeriodEnd(sql)} AS "resetsAt",
        memberships.role
      FROM users
      LEFT JOIN memberships ON memberships.user_id = users.id
      JOIN pools ON pools.id = coalesce(memberships.organization_id, users.id)
      LEFT JOIN billing_accounts ON billing_accounts.pool_id = pools.id
      WHERE users.id = ${userId}::uuid`),
    ([row]) =>
      row === undefined
        ? Effect.die(new Error(`No user ${userId}`))
        : Effect.succeed({
            poolId: row.poolId,
            plan: row.plan,
            status: row.status ?? undefined,
            usage: quotaUsage(row.limit, row.used, row.resetsAt),
            role: row.role ?? undefined,
          }),
  )

/** False if the event was already recorded. Runs in a transaction. */
const record = Effect.fnUntraced(function* (
  sql: SqlClient,
  eventId: BillingEventId,
  news: SubscriptionNews | undefined,
) {
  yield* sql`DELETE FROM billing_events WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM billing_events WHERE received_at < now() - interval '30 days'
    LIMIT 10 FOR UPDATE SKIP LOCKED))`
  // A simultaneous duplicate of the event waits here for the first one's outcome.
  const recorded = yield* sql`
    INSERT INTO billing_events (id) VALUES (${eventId}) ON CONFLICT DO NOTHING RETURNING 1 AS one`
  if (recorded.length === 0) return false
  if (news === undefined) return true
  const { poolId, revision } = news.account
  const [row] = yield* decodeRevisions(sql`
    SELECT xmin::text AS revision FROM billing_accounts WHERE pool_id = ${poolId}::uuid FOR UPDATE`)
  if (row?.revision !== revision) return yield* new AccountChanged()
  yield* recordSubscription(sql, news)
  return true
})

/**
 * Subscriptions on a migrated database. The row in `billing_accounts` is the lock, taken before the pool's. Its
 * revision is the transaction that last wrote it (`xmin`), so no statement that changes it can forget to increment it.
 */
export const layer = Layer.effect(
  BillingAccounts,
  Effect.map(SqlClient, (sql) => {
    const select = selectAccounts(sql)

    return BillingAccounts.of({
      view: Effect.fn("BillingAccounts.view")((userId) => whileAvailable(viewOf(sql, userId))),
      account: Effect.fn("BillingAccounts.account")((poolId) =>
        whileAvailable(
          Effect.gen(function* () {
            yield* sql`INSERT INTO billing_accounts (pool_id) VALUES (${poolId}::uuid) ON CONFLICT DO NOTHING`
            const [row] = yield* decodeAccounts(sql`${select} WHERE pool_id = ${poolId}::uuid`)
            return row === undefined ? yield* Effect.die(new Error("A new account is not there")) : accountOf(row)
          }),
        ),
      ),
      update: Effect.fn("BillingAccounts.update")(function* (account, change) {
        const changed = { ...account, ...change }
        const [row] = yield* whileAvailable(
          decodeRevisions(sql`
            UPDATE billing_accounts SET
              customer_id = ${changed.customerId ?? null}, checkout_id = ${changed.checkoutId ?? null},
              requests = ${changed.requests}
            WHERE pool_id = ${account.poolId}::uuid AND xmin::text = ${account.revision}
            RETURNING xmin::text AS revision`),
        )
        return row === undefined ? yield* new AccountChanged() : { ...changed, ...row }
      }),
      isRecorded: Effect.fn("BillingAccounts.isRecorded")((eventId) =>
        whileAvailable(
          Effect.map(sql`SELECT 1 AS one FROM billing_events WHERE id = ${eventId}`, (rows) => rows.length > 0),
        ),
      ),
      ofCustomer: Effect.fn("BillingAccounts.ofCustomer")((customerId) =>
        whileAvailable(
          Effect.map(decodeAccounts(sql`${select} WHERE customer_id = ${customerId}`), ([row]) =>
            row === undefined ? undefined : accountOf(row),
          ),
        ),
      ),
      record: Effect.fn("BillingAccounts.record")((eventId, news) =>
        whileAvailable(sql.withTransaction(record(sql, eventId, news))),
      ),
    })
  }),
)
