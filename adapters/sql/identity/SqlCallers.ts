import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { type CompositeKey, compositeKey, partsOf } from "../../../application/compositeKey.ts"
import { Accounts } from "../../../application/ports/identity/Accounts.ts"
import { Callers } from "../../../application/ports/identity/Callers.ts"
import { type Caller, scopes } from "../../../domain/identity/Caller.ts"
import { PlanId } from "../../../domain/plan/Plan.ts"
import { decodeRows } from "../decodeRows.ts"
import { effectivePlan, endsIn } from "../effectivePlan.ts"
import { makeLookup } from "../lookup.ts"
import { canonicalId, isUuid } from "../../../domain/ids/uuid.ts"
import { lookupKey } from "./lookupKey.ts"
import { UserId, OrganizationId, ApiKeyId } from "../../../domain/ids/Ids.ts"

const Row = Schema.Struct({
  key: Schema.String,
  userId: UserId,
  plan: PlanId,
  organizationId: Schema.NullOr(OrganizationId),
  endsIn: Schema.NullOr(Schema.Number),
})
const decode = decodeRows(Row)
const SessionRow = Schema.Struct({
  ...Row.fields,
  apiKeyId: Schema.NullOr(ApiKeyId),
  keyScopes: Schema.NullOr(Schema.Array(Schema.Literals(scopes))),
})
const decodeSessions = decodeRows(SessionRow)
const decodeExternal = decodeRows(Schema.Struct({ ...Row.fields, issuer: Schema.String }))
type Found = typeof Row.Type

const callerOf = (found: Found | undefined): Option.Option<Caller> =>
  found === undefined
    ? Option.none()
    : Option.some({
        userId: found.userId,
        plan: found.plan,
        organizationId: found.organizationId ?? undefined,
        scopes,
        ...(found.endsIn === null ? {} : { endsIn: found.endsIn }),
      })

/** Callers on a migrated database; requests that arrive together share a statement. */
export const layer = Layer.effect(
  Callers,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const accounts = yield* Accounts
    const columns = sql`
      users.id AS "userId", ${effectivePlan(sql)} AS plan, memberships.organization_id AS "organizationId",
      ${endsIn(sql)} AS "endsIn"`
    const joined = sql`
      LEFT JOIN memberships ON memberships.user_id = users.id
      JOIN pools ON pools.id = coalesce(memberships.organization_id, users.id)`

    const byUser = makeLookup({
      find: (userIds) =>
        decode(sql`
          SELECT users.id::text AS key, ${columns} FROM users ${joined}
          WHERE users.id = ANY(${[...userIds]}::uuid[])`),
      keyOf: (found: Found) => found.key,
    })
    const bySession = makeLookup({
      find: (hashes) =>
        decodeSessions(sql`
          SELECT sessions.hash AS key, ${columns}, api_keys.id AS "apiKeyId", api_keys.scopes AS "keyScopes"
          FROM sessions JOIN users ON users.id = sessions.user_id ${joined}
          LEFT JOIN api_keys ON api_keys.id = sessions.api_key_id
          WHERE sessions.hash = ANY(${[...hashes]}::text[]) AND sessions.expires_at > now()
            AND api_keys.revoked_at IS NULL AND coalesce(api_keys.expires_at > now(), true)`),
      keyOf: (found: typeof SessionRow.Type) => found.key,
    })
    const bySignIn = makeLookup({
      find: (signInIds) =>
        decode(sql`
          SELECT refresh_families.id::text AS key, ${columns}
          FROM refresh_families JOIN users ON users.id = refresh_families.user_id ${joined}
          WHERE refresh_families.id = ANY(${[...signInIds]}::uuid[]) AND refresh_families.revoked_at IS NULL`),
      keyOf: (found: Found) => found.key,
    })
    const byExternal = makeLookup({
      find: (keys: ReadonlyArray<CompositeKey>) => {
        const [issuers, subjects] = [keys.map((key) => partsOf(key)[0]!), keys.map((key) => partsOf(key)[1]!)]
        return decodeExternal(sql`
          SELECT given.issuer, given.subject AS key, ${columns}
          FROM unnest(${issuers}::text[], ${subjects}::text[]) AS given (issuer, subject)
          JOIN external_identities USING (issuer, subject)
          JOIN users ON users.id = external_identities.user_id ${joined}`)
      },
      keyOf: ({ issuer, key }) => compositeKey(issuer, key),
    })

    return Callers.of({
      ofKey: lookupKey(sql),
      ofUser: (userId) =>
        isUuid(userId) ? Effect.map(byUser(canonicalId(userId)), callerOf) : Effect.succeed(Option.none()),
      ofSignIn: (signInId) =>
        isUuid(signInId) ? Effect.map(bySignIn(canonicalId(signInId)), callerOf) : Effect.succeed(Option.none()),
      ofSession: (hash) =>
        Effect.map(bySession(hash), (found) =>
          Option.map(callerOf(found), (caller) => {
            const { apiKeyId = null, keyScopes = null } = found ?? {}
            return apiKeyId === null || keyScopes === null ? caller : { ...caller, apiKeyId, scopes: keyScopes }
          }),
        ),
      ofExternal: Effect.fn("Callers.ofExternal")(function* (issuer, subject) {
        // Postgres text cannot contain NUL or unpaired surrogates.
        if (subject.includes("\0") || !subject.isWellFormed()) return Option.none()
        const known = yield* byExternal(compositeKey(issuer, subject))
        if (known !== undefined) return callerOf(known)
        const userId = yield* accounts.signIn({ issuer, subject, email: undefined })
        return callerOf(yield* byUser(userId))
      }),
    })
  }),
)
