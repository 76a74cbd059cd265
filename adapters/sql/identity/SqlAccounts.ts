import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { Accounts, type ExternalIdentity, type Profile } from "../../../application/ports/identity/Accounts.ts"
import { Role } from "../../../domain/identity/Organization.ts"
import { PlanId } from "../../../domain/plan/Plan.ts"
import { decodeRows } from "../decodeRows.ts"
import { effectivePlan } from "../effectivePlan.ts"
import { monthEnd, monthStart } from "../pool.ts"
import { isUuid } from "../../../domain/ids/uuid.ts"
import { whileAvailable } from "../whileAvailable.ts"
import { manageKeys } from "./manageKeys.ts"
import { UserId, OrganizationId } from "../../../domain/ids/Ids.ts"

const signInLock = 1

const noRow = Effect.die(new Error("An insert returned no row"))

const decodeUser = decodeRows(Schema.Struct({ userId: UserId }))
const decodeProfile = decodeRows(
  Schema.Struct({
    userId: UserId,
    email: Schema.NullOr(Schema.String),
    plan: PlanId,
    organizationId: Schema.NullOr(OrganizationId),
    organizationName: Schema.NullOr(Schema.String),
    role: Schema.NullOr(Role),
  }),
)

/** The id of the user that one statement created. */
const onlyUser = ([user]: ReadonlyArray<{ readonly userId: UserId }>) =>
  user === undefined ? noRow : Effect.succeed(user.userId)

const newPool = (sql: SqlClient, plan: PlanId) => sql`
  INSERT INTO pools (plan, period_start, period_end) VALUES (${plan}, ${monthStart(sql)}, ${monthEnd(sql)})
  RETURNING id`

const newUser = (sql: SqlClient, email: string, plan: PlanId) =>
  decodeUser(sql`
    WITH pool AS (${newPool(sql, plan)})
    INSERT INTO users (id, email) SELECT id, ${email}::text FROM pool RETURNING id AS "userId"`)

const userByEmail = (sql: SqlClient, email: string) =>
  Effect.map(decodeUser(sql`SELECT id AS "userId" FROM users WHERE lower(email) = lower(${email})`), ([user]) =>
    user === undefined ? Option.none() : Option.some(user.userId),
  )

/** A user for a first sign-in, without the email if it belongs to another user. */
const newVisitor = (sql: SqlClient, email: string | undefined) =>
  decodeUser(sql`
    WITH pool AS (${newPool(sql, "basic")})
    INSERT INTO users (id, email)
    SELECT id, CASE WHEN EXISTS (SELECT FROM users WHERE lower(email) = lower(${email ?? null}::text))
      THEN NULL ELSE ${email ?? null}::text END
    FROM pool RETURNING id AS "userId"`)

const linked = (sql: SqlClient, issuer: string, subject: string) =>
  decodeUser(sql`
    SELECT user_id AS "userId" FROM external_identities WHERE issuer = ${issuer} AND subject = ${subject}`)

const unlinked = (sql: SqlClient, issuer: string, email: string) =>
  decodeUser(sql`
    SELECT id AS "userId" FROM users
    WHERE lower(email) = lower(${email}) AND NOT EXISTS (
      SELECT FROM external_identities WHERE user_id = users.id AND issuer = ${issuer})`)

const signIn = Effect.fnUntraced(function* (sql: SqlClient, { issuer, subject, email }: ExternalIdentity) {
  const [before] = yield* linked(sql, issuer, subject)
  if (before !== undefined) return before.userId
  return yield* Effect.gen(function* () {
    // Serializes two first sign-ins of one identity, or with one email. The two-number lock space is separate from the
    // one that caller-chosen keys are hashed into.
    yield* sql`SELECT pg_advisory_xact_lock(${signInLock}::int, 0)`
    const [meanwhile] = yield* linked(sql, issuer, subject)
    if (meanwhile !== undefined) return meanwhile.userId
    const [same] = email === undefined ? [] : yield* unlinked(sql, issuer, email)
    const userId = same?.userId ?? (yield* Effect.flatMap(newVisitor(sql, email), onlyUser))
    yield* sql`
      INSERT INTO external_identities (issuer, subject, user_id)
      VALUES (${issuer}, ${subject}, ${userId}::uuid)`
    return userId
  }).pipe(sql.withTransaction)
})

const profile = (sql: SqlClient, userId: UserId) =>
  Effect.map(
    decodeProfile(sql`
      SELECT
        users.id AS "userId", users.email, ${effectivePlan(sql)} AS plan,
        organizations.id AS "organizationId", organizations.name AS "organizationName", memberships.role
      FROM users
      LEFT JOIN memberships ON memberships.user_id = users.id
      LEFT JOIN organizations ON organizations.id = memberships.organization_id
      JOIN pools ON pools.id = coalesce(memberships.organization_id, users.id)
      WHERE users.id = ${userId}::uuid`),
    ([row]): Option.Option<Profile> =>
      row === undefined
        ? Option.none()
        : Option.some({
            userId: row.userId,
            email: row.email ?? undefined,
            plan: row.plan,
            organization:
              row.organizationId === null || row.organizationName === null || row.role === null
                ? undefined
                : { id: row.organizationId, name: row.organizationName, role: row.role },
          }),
  )

/** Users, their keys, and their identities at other issuers, on a migrated database. */
export const layer = Layer.effect(
  Accounts,
  Effect.map(SqlClient, (sql) =>
    Accounts.of({
      createUser: Effect.fn("Accounts.createUser")((email, plan) =>
        whileAvailable(Effect.flatMap(newUser(sql, email, plan), onlyUser)),
      ),
      userByEmail: Effect.fn("Accounts.userByEmail")((email) => whileAvailable(userByEmail(sql, email))),
      signIn: Effect.fn("Accounts.signIn")((identity) => whileAvailable(signIn(sql, identity))),
      profile: Effect.fn("Accounts.profile")((userId) =>
        isUuid(userId) ? whileAvailable(profile(sql, userId)) : Effect.succeedNone,
      ),
      ...manageKeys(sql),
    }),
  ),
)
