import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import { UserNotFound } from "../../../application/ports/identity/Organizations.ts"
import { AlreadyMember } from "../../../domain/identity/Membership.ts"
import { decodeRows } from "../decodeRows.ts"
import { monthEnd, monthStart } from "../pool.ts"
import { type UserId, OrganizationId } from "../../../domain/ids/Ids.ts"

const decode = decodeRows(Schema.Struct({ organizationId: OrganizationId }))

/**
 * Within a transaction. The organization's pool starts as the owner's, including used scans, so that founding one earns
 * no second quota; the subscription moves along, and the owner's own pool becomes a basic one.
 */
export const createOrganization = Effect.fnUntraced(function* (
  sql: SqlClient,
  ownerId: UserId,
  name: string,
  seats: number | undefined,
) {
  // Billing locks its account before the pool, so we do the same.
  yield* sql`SELECT FROM billing_accounts WHERE pool_id = ${ownerId}::uuid FOR UPDATE`
  const owners = yield* sql`SELECT 1 AS one FROM pools JOIN users USING (id)
    WHERE pools.id = ${ownerId}::uuid FOR NO KEY UPDATE OF pools`
  if (owners.length === 0) return yield* new UserNotFound()
  const [created] = yield* decode(sql`
    WITH pool AS (
      INSERT INTO pools
        (plan, plan_until, billed, seats, period_start, period_end, used,
          carried, carried_since, carried_until, carried_free)
      SELECT
        CASE WHEN ${seats ?? null}::int IS NULL THEN plan ELSE 'pro' END,
        CASE WHEN ${seats ?? null}::int IS NULL THEN plan_until END,
        billed,
        coalesce(${seats ?? null}::int, billing_accounts.seats, pools.seats),
        pools.period_start, pools.period_end, used, carried, carried_since, carried_until,
        carried_free
      FROM pools LEFT JOIN billing_accounts ON billing_accounts.pool_id = pools.id
      WHERE pools.id = ${ownerId}::uuid
      RETURNING id
    )
    INSERT INTO organizations (id, name) SELECT id, ${name} FROM pool RETURNING id AS "organizationId"`)
  if (created === undefined) return yield* Effect.die(new Error("An insert returned no row"))
  const { organizationId } = created
  const owned = yield* sql`
    INSERT INTO memberships (organization_id, user_id, role)
    VALUES (${organizationId}::uuid, ${ownerId}::uuid, 'owner')
    ON CONFLICT DO NOTHING RETURNING 1 AS one`
  if (owned.length === 0) return yield* new AlreadyMember()
  const moved = yield* sql`
    UPDATE billing_accounts SET pool_id = ${organizationId}::uuid WHERE pool_id = ${ownerId}::uuid RETURNING 1 AS one`
  if (moved.length > 0) {
    yield* sql`
      UPDATE pools SET
        plan = 'basic', plan_until = NULL, billed = false, period_start = ${monthStart(sql)}, period_end = ${monthEnd(sql)}
      WHERE id = ${ownerId}::uuid`
  }
  return organizationId
})
