import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import { type Caller, scopes } from "../../../domain/identity/Caller.ts"
import { PlanId } from "../../../domain/plan/Plan.ts"
import { decodeRows } from "../decodeRows.ts"
import { effectivePlan, endsIn } from "../effectivePlan.ts"
import { makeLookup } from "../lookup.ts"
import { UserId, OrganizationId, ApiKeyId } from "../../../domain/ids/Ids.ts"

const decodeCallers = decodeRows(
  Schema.Struct({
    keyId: ApiKeyId,
    hash: Schema.String,
    userId: UserId,
    plan: PlanId,
    organizationId: Schema.NullOr(OrganizationId),
    scopes: Schema.Array(Schema.Literals(scopes)),
    endsIn: Schema.NullOr(Schema.Number),
    /** Whether the last use was recorded at least a minute ago. */
    useDue: Schema.Boolean,
  }),
)

const callersByHash = (sql: SqlClient) => (hashes: ReadonlyArray<string>) =>
  decodeCallers(sql`
    SELECT
      api_keys.id AS "keyId", api_keys.hash, api_keys.user_id AS "userId", api_keys.scopes,
      ${effectivePlan(sql)} AS plan, ${endsIn(sql, "api_keys.expires_at")} AS "endsIn",
      memberships.organization_id AS "organizationId",
      coalesce(api_keys.last_used_at < now() - interval '1 minute', true) AS "useDue"
    FROM api_keys
    LEFT JOIN memberships ON memberships.user_id = api_keys.user_id
    JOIN pools ON pools.id = coalesce(memberships.organization_id, api_keys.user_id)
    WHERE api_keys.hash = ANY(${[...hashes]}::text[]) AND api_keys.revoked_at IS NULL
      AND (api_keys.expires_at IS NULL OR api_keys.expires_at > now())`)

/** At most one write per key and minute, so that reads remain reads; an unrecorded use does no harm. */
const recordUse = (sql: SqlClient, keyIds: ReadonlyArray<ApiKeyId>) =>
  keyIds.length === 0
    ? Effect.void
    : sql`
        UPDATE api_keys SET last_used_at = now()
        WHERE id = ANY(${[...keyIds]}::uuid[]) AND coalesce(last_used_at < now() - interval '1 minute', true)`.pipe(
        Effect.ignoreCause({ log: "Debug" }),
      )

/** The owner of an unexpired, unrevoked key by its hash; requests that arrive together share a statement. */
export const lookupKey = (sql: SqlClient) => {
  const found = makeLookup({
    find: callersByHash(sql),
    keyOf: (key) => key.hash,
    afterwards: (keys) =>
      recordUse(
        sql,
        keys.filter((key) => key.useDue).map((key) => key.keyId),
      ),
  })
  return (hash: string) =>
    Effect.map(found(hash), (key): Option.Option<Caller> =>
      key === undefined
        ? Option.none()
        : Option.some({
            userId: key.userId,
            plan: key.plan,
            organizationId: key.organizationId ?? undefined,
            scopes: key.scopes,
            apiKeyId: key.keyId,
            ...(key.endsIn === null ? {} : { endsIn: key.endsIn }),
          }),
    )
}
