import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { Identities } from "../../application/ports/Identities.ts"
import { scopes } from "../../domain/identity/Caller.ts"
import { PlanId } from "../../domain/plan/Plan.ts"
import { decodeRows } from "./decodeRows.ts"
import { effectivePlan, endsIn } from "./effectivePlan.ts"
import { makeLookup } from "./lookup.ts"
import { monthEnd, monthStart } from "./pool.ts"
import { whileAvailable } from "./whileAvailable.ts"

const decodeIds = decodeRows(Schema.Struct({ id: Schema.String }))
const decodeCallers = decodeRows(
  Schema.Struct({
    keyId: Schema.String,
    hash: Schema.String,
    userId: Schema.String,
    plan: PlanId,
    organizationId: Schema.NullOr(Schema.String),
    scopes: Schema.Array(Schema.Literals(scopes)),
    endsIn: Schema.NullOr(Schema.Number),
    /** Whether the last use was recorded a minute ago or longer. */
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

/** At most one write a minute and key, so that reading stays reading; a use that goes unrecorded harms nobody. */
const recordUse = (sql: SqlClient, keyIds: ReadonlyArray<string>) =>
  keyIds.length === 0
    ? Effect.void
    : sql`
        UPDATE api_keys SET last_used_at = now()
        WHERE id = ANY(${[...keyIds]}::uuid[]) AND coalesce(last_used_at < now() - interval '1 minute', true)`.pipe(
        Effect.ignoreCause({ log: "Debug" }),
      )

const onlyId = ([row]: ReadonlyArray<{ readonly id: string }>) =>
  row === undefined ? Effect.die(new Error("An insert returned no row")) : Effect.succeed(row.id)

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const caller = makeLookup({
    find: callersByHash(sql),
    keyOf: (found) => found.hash,
    afterwards: (found) =>
      recordUse(
        sql,
        found.filter((key) => key.useDue).map((key) => key.keyId),
      ),
  })

  const insertUser = (email: string, plan: PlanId) =>
    decodeIds(sql`
      WITH pool AS (
        INSERT INTO pools (plan, period_start, period_end)
        VALUES (${plan}, ${monthStart(sql)}, ${monthEnd(sql)})
        RETURNING id
      )
      INSERT INTO users (id, email) SELECT id, ${email}::text FROM pool RETURNING id`)

  return Identities.of({
    callerByKeyHash: (hash) =>
      Effect.map(caller(hash), (found) =>
        found === undefined
          ? Option.none()
          : Option.some({
              userId: found.userId,
              plan: found.plan,
              organizationId: found.organizationId ?? undefined,
              scopes: found.scopes,
              apiKeyId: found.keyId,
              ...(found.endsIn === null ? {} : { endsIn: found.endsIn }),
            }),
      ),
    createUser: Effect.fn("Identities.createUser")((email, plan) =>
      whileAvailable(Effect.flatMap(insertUser(email, plan), onlyId)),
    ),
    userByEmail: Effect.fn("Identities.userByEmail")((email) =>
      whileAvailable(
        Effect.map(decodeIds(sql`SELECT id FROM users WHERE lower(email) = lower(${email})`), ([row]) =>
          row === undefined ? Option.none() : Option.some(row.id),
        ),
      ),
    ),
    createApiKey: Effect.fn("Identities.createApiKey")((key) =>
      whileAvailable(
        Effect.flatMap(
          decodeIds(sql`
            INSERT INTO api_keys (user_id, name, hash, prefix, scopes, expires_at)
            VALUES (
              ${key.userId}::uuid, ${key.name}, ${key.hash}, ${key.prefix}, ${[...key.scopes]}::text[],
              ${key.expiresAt ?? null}::timestamptz)
            RETURNING id`),
          onlyId,
        ),
      ),
    ),
  })
})

/** Users and keys on a migrated database, embedded or not. */
export const layer = Layer.effect(Identities, make)
