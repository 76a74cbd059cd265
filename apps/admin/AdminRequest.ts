import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { issueApiKey } from "../../application/identity/issueApiKey.ts"
import { rotateKeys } from "../../application/identity/rotateKeys.ts"
import { AccessTokens } from "../../application/ports/identity/AccessTokens.ts"
import { Callers } from "../../application/ports/identity/Callers.ts"
import { Accounts } from "../../application/ports/identity/Accounts.ts"
import { Organizations } from "../../application/ports/identity/Organizations.ts"
import { scopes } from "../../domain/identity/Caller.ts"
import { longestName } from "../../domain/identity/Organization.ts"
import { PlanId } from "../../domain/plan/Plan.ts"
import { Refusal } from "../runMain.ts"
import { UserId, OrganizationId } from "../../domain/ids/Ids.ts"

/** A request by an administrator, as the command line sends it to a running service. */
export const AdminRequest = Schema.Union([
  Schema.Struct({ command: Schema.Literal("user create"), email: Schema.String, plan: PlanId }),
  Schema.Struct({
    command: Schema.Literal("key create"),
    user: UserId,
    name: Schema.String,
    scopes: Schema.Array(Schema.Literals(scopes)),
    /** Milliseconds from now; null for a key without an end. */
    lifetime: Schema.NullOr(Schema.Number),
  }),
  Schema.Struct({ command: Schema.Literal("token issue"), user: UserId }),
  Schema.Struct({
    command: Schema.Literal("org create"),
    owner: UserId,
    name: Schema.String,
    seats: Schema.Int,
  }),
  Schema.Struct({ command: Schema.Literal("org add"), organization: OrganizationId, user: UserId }),
  Schema.Struct({ command: Schema.Literal("keys rotate"), keysLost: Schema.Boolean }),
])
export type AdminRequest = typeof AdminRequest.Type

/** The answer to a request; its fields are those that `--json` prints. */
export type AdminAnswer = Readonly<Record<string, string | number>>

const refuse = (message: string) => Effect.fail(new Refusal(message))

/** RFC 5321 allows more, but a space or a missing part is a typo. */
const emailShape = /^[^\s@\p{Cc}]{1,64}@[^\s@\p{Cc}]{1,190}$/u

const createUser = Effect.fnUntraced(function* (email: string, plan: PlanId) {
  if (!emailShape.test(email)) return yield* refuse(`${JSON.stringify(email)} is not an email address.`)
  const accounts = yield* Accounts
  const existing = yield* accounts.userByEmail(email)
  if (Option.isSome(existing)) return yield* refuse(`A user with this email already exists: ${existing.value}`)
  return { userId: yield* accounts.createUser(email, plan) }
})

const existingUser = Effect.fnUntraced(function* (userId: UserId) {
  const found = yield* Callers.use((callers) => callers.ofUser(userId))
  return Option.isSome(found)
    ? found.value.userId
    : yield* refuse(`No user has the id ${userId}. Create one with \`user create\`.`)
})

const named = (name: string) =>
  name.trim() === "" || name.length > longestName
    ? refuse(`The name must have 1 to ${longestName} characters.`)
    : Effect.succeed(name)

const answerTo = (request: AdminRequest) => {
  switch (request.command) {
    case "user create":
      return createUser(request.email, request.plan)
    case "key create":
      return Effect.gen(function* () {
        if (request.scopes.length === 0) return yield* refuse(`A key needs at least one scope: ${scopes.join(", ")}.`)
        const userId = yield* existingUser(request.user)
        const name = yield* named(request.name)
        const expiresAt = request.lifetime === null ? undefined : new Date(Date.now() + request.lifetime)
        return yield* issueApiKey({ userId, name, scopes: [...new Set(request.scopes)], expiresAt })
      })
    case "token issue":
      return Effect.gen(function* () {
        const userId = yield* existingUser(request.user)
        const { accessToken } = yield* AccessTokens.use((tokens) => tokens.issue(userId))
        return { accessToken }
      })
    case "org create":
      return Effect.gen(function* () {
        if (request.seats < 1 || request.seats > 100_000) return yield* refuse("--seats must be between 1 and 100000.")
        const name = yield* named(request.name)
        const organizations = yield* Organizations
        return { organizationId: yield* organizations.create(request.owner, name, request.seats) }
      })
    case "org add":
      return Effect.gen(function* () {
        const organizations = yield* Organizations
        const { userId } = yield* organizations.addMember(request.organization, request.user)
        return { organizationId: request.organization, userId }
      })
    case "keys rotate":
      return rotateKeys(request.keysLost)
  }
}

/** Executes an administrator's request. A `Refusal` says what to do instead. */
export const administer = (request: AdminRequest) =>
  Effect.gen(function* () {
    const answer: AdminAnswer = yield* answerTo(request)
    return answer
  }).pipe(
    Effect.catchTags({
      UserNotFound: () => refuse("No such user. Create one with `user create`."),
      OrganizationNotFound: () => refuse("No such organization. Create one with `org create`."),
      TooManyApiKeys: ({ limit }) =>
        refuse(`The user already has ${limit} keys, the maximum. Revoke keys that are no longer in use.`),
      AlreadyMember: () => refuse("The user already belongs to an organization and can belong to only one at a time."),
      SeatsExhausted: ({ seats }) =>
        refuse(`Members and pending invitations occupy all ${seats} seats of the organization.`),
      KeysMissing: ({ unreadable }) =>
        refuse(
          `Stored secrets (${unreadable}) were encrypted with keys that are not configured here. Run this command with the ` +
            "ASSAY_SECRET_KEYS or the --data-dir of the service. If those keys are permanently lost, add --keys-lost: " +
            "the unreadable secrets remain unreadable, and users must set their tokens again.",
        ),
      SecretUnreadable: (error) => refuse(error.message),
      StoreUnavailable: (error) => refuse(`Could not reach the database: ${String(error.cause)}`),
    }),
  )
