import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { SqlClient } from "effect/sql/SqlClient"
import * as JoseAccessTokens from "../../../adapters/jose/JoseAccessTokens.ts"
import * as JoseSecretVault from "../../../adapters/jose/JoseSecretVault.ts"
import { secretKeyFile } from "../../../adapters/jose/SecretKeyFile.ts"
import * as SqlAccounts from "../../../adapters/sql/identity/SqlAccounts.ts"
import * as SqlCallers from "../../../adapters/sql/identity/SqlCallers.ts"
import * as SqlCredentialChanges from "../../../adapters/sql/identity/SqlCredentialChanges.ts"
import * as SqlEncryptedRecords from "../../../adapters/sql/identity/SqlEncryptedRecords.ts"
import * as SqlSessions from "../../../adapters/sql/identity/SqlSessions.ts"
import * as SqlSigningKeys from "../../../adapters/sql/identity/SqlSigningKeys.ts"
import { authentication } from "../../../application/identity/authenticate.ts"
import { createApiKey, rotateApiKey } from "../../../application/identity/manageApiKeys.ts"
import { issueTokens, refreshTokens, revokeRefreshToken } from "../../../application/identity/refresh.ts"
import { rotateKeys } from "../../../application/identity/rotateKeys.ts"
import { hashSecret } from "../../../application/identity/secret.ts"
import { closeSession, csrfTokenOf, openSession } from "../../../application/identity/session.ts"
import { Callers } from "../../../application/ports/identity/Callers.ts"
import { AccessTokens } from "../../../application/ports/identity/AccessTokens.ts"
import { Accounts } from "../../../application/ports/identity/Accounts.ts"
import { type Caller, scopes } from "../../../domain/identity/Caller.ts"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onBothDatabases } from "../../support/bothDatabases.ts"
import { type UserId, ApiKeyId } from "../../../domain/ids/Ids.ts"

const keyFile = join(mkdtempSync(join(tmpdir(), "assay-identity-")), "secret-keys")
const services = Layer.mergeAll(
  JoseAccessTokens.layer({ issuer: "https://assay.example", audience: "https://assay.example" }),
  SqlCallers.layer,
  SqlSessions.layer,
  SqlCredentialChanges.layer,
  SqlEncryptedRecords.layer,
).pipe(
  Layer.provideMerge(
    Layer.mergeAll(SqlAccounts.layer, SqlSigningKeys.layer, JoseSecretVault.layer(secretKeyFile(keyFile))),
  ),
)

let serial = 0
const newUser = Accounts.use((accounts) => accounts.createUser(`user-${++serial}@example.com`, "basic"))
const callerOf = (userId: UserId, allowed: Caller["scopes"] = scopes): Caller => ({
  userId,
  plan: "basic",
  organizationId: undefined,
  scopes: allowed,
})
const newKey = (userId: UserId, change: Partial<Parameters<typeof createApiKey>[1]> = {}) =>
  createApiKey(callerOf(userId), { name: "CI", scopes, expiresAt: undefined, ...change })
/** Each time without any cache. */
const bearer = (token: string) => Effect.scoped(Effect.flatMap(authentication(), (found) => found.bearer(token)))
const session = (secret: string) => Effect.scoped(Effect.flatMap(authentication(), (found) => found.session(secret)))
const whoIs = (token: string) => Effect.map(bearer(token), (caller) => Option.getOrUndefined(caller)?.userId)

await onBothDatabases("identity", services, {
  "a new key authenticates its user with its scopes, and is listed without itself": Effect.gen(function* () {
    const userId = yield* newUser
    const { apiKey, apiKeyId } = yield* newKey(userId, { scopes: ["analysis:read", "analysis:read"] })
    assert.deepEqual(Option.getOrThrow(yield* bearer(apiKey)).scopes, ["analysis:read"])
    const listed = yield* Accounts.use((accounts) => accounts.apiKeys(userId))
    assert.strictEqual(listed[0]?.apiKeyId, apiKeyId)
    assert.isTrue(apiKey.startsWith(listed[0]?.prefix ?? "-"))
    assert.notInclude(JSON.stringify(listed), apiKey)
  }),

  "the database holds a key's hash alone": Effect.gen(function* () {
    const sql = yield* SqlClient
    const { apiKey } = yield* newKey(yield* newUser)
    const rows = yield* sql`SELECT * FROM api_keys`
    assert.notInclude(JSON.stringify(rows), apiKey)
    assert.include(JSON.stringify(rows), hashSecret(apiKey))
  }),

  "no key can do more than what asks for it": Effect.gen(function* () {
    const caller = callerOf(yield* newUser, ["analysis:read"])
    const error = yield* Effect.flip(createApiKey(caller, { name: "x", scopes: ["billing"], expiresAt: undefined }))
    assert.strictEqual(error._tag, "InvalidInput")
  }),

  "an end in the past, or beyond three years, is refused": Effect.gen(function* () {
    const userId = yield* newUser
    for (const expiresAt of [new Date(Date.now() - 1000), new Date(Date.now() + 4 * 366 * 86_400_000)]) {
      assert.strictEqual((yield* Effect.flip(newKey(userId, { expiresAt })))._tag, "InvalidInput")
    }
  }),

  "a revoked key is nobody's at once, and can be revoked by its user alone": Effect.gen(function* () {
    const [ada, bob] = [yield* newUser, yield* newUser]
    const { apiKey, apiKeyId } = yield* newKey(ada)
    const accounts = yield* Accounts
    assert.strictEqual((yield* Effect.flip(accounts.revokeApiKey(bob, apiKeyId, undefined)))._tag, "ApiKeyNotFound")
    assert.strictEqual(
      (yield* Effect.flip(accounts.revokeApiKey(ada, ApiKeyId.make("no-uuid"), undefined)))._tag,
      "ApiKeyNotFound",
    )
    assert.strictEqual(yield* whoIs(apiKey), ada)
    yield* accounts.revokeApiKey(ada, apiKeyId, undefined)
    assert.isUndefined(yield* whoIs(apiKey))
    assert.deepEqual(yield* accounts.apiKeys(ada), [])
    assert.strictEqual((yield* Effect.flip(accounts.revokeApiKey(ada, apiKeyId, undefined)))._tag, "ApiKeyNotFound")
  }),

  "a key is rotated once, also at once: a successor of what ends within a day would end with it": Effect.gen(
    function* () {
      const userId = yield* newUser
      const old = yield* newKey(userId)
      const rotated = yield* Effect.all(
        Array.from({ length: 4 }, () => Effect.result(rotateApiKey(callerOf(userId), old.apiKeyId))),
        { concurrency: 4 },
      )
      const successors = rotated.flatMap((one) => (Result.isSuccess(one) ? [one.success] : []))
      assert.lengthOf(successors, 1)
      const [{ apiKeyId, expiresAt }] = successors as [(typeof successors)[number]] // counted above
      assert.isUndefined(expiresAt)
      for (const one of rotated) {
        if (Result.isFailure(one)) assert.deepInclude(one.failure, { _tag: "ApiKeyRotated", successorId: apiKeyId })
      }
      assert.isUndefined((yield* rotateApiKey(callerOf(userId), apiKeyId)).expiresAt)
    },
  ),

  "a rotated key goes on for a day beside its successor, which has its name, scopes and lifetime": Effect.gen(
    function* () {
      const userId = yield* newUser
      const expiresAt = new Date(Date.now() + 90 * 86_400_000)
      const old = yield* newKey(userId, { scopes: ["billing"], expiresAt })
      const rotated = yield* rotateApiKey(callerOf(userId), old.apiKeyId)
      assert.deepInclude(rotated, { name: "CI", scopes: ["billing"] })
      assert.closeTo(rotated.expiresAt!.getTime(), expiresAt.getTime(), 10_000)
      assert.closeTo(rotated.previousExpiresAt.getTime(), Date.now() + 86_400_000, 10_000)
      assert.deepEqual([yield* whoIs(old.apiKey), yield* whoIs(rotated.apiKey)], [userId, userId])
      const sql = yield* SqlClient
      yield* sql`UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = ${old.apiKeyId}::uuid`
      assert.deepEqual([yield* whoIs(old.apiKey), yield* whoIs(rotated.apiKey)], [undefined, userId])
      assert.strictEqual((yield* Effect.flip(rotateApiKey(callerOf(userId), old.apiKeyId)))._tag, "ApiKeyNotFound")
    },
  ),

  "a user has 100 keys at most, also when they are asked for at once": Effect.gen(function* () {
    const userId = yield* newUser
    const results = yield* Effect.all(
      Array.from({ length: 110 }, () => Effect.result(newKey(userId))),
      { concurrency: 10 },
    )
    assert.lengthOf(
      results.filter((result) => result._tag === "Success"),
      100,
    )
    assert.lengthOf(yield* Accounts.use((accounts) => accounts.apiKeys(userId)), 100)
  }),

  "an access token authenticates its user while the user exists": Effect.gen(function* () {
    const userId = yield* newUser
    const { accessToken } = yield* issueTokens(userId, undefined)
    assert.deepEqual(Option.getOrThrow(yield* bearer(accessToken)), callerOf(userId))
    const sql = yield* SqlClient
    yield* sql`DELETE FROM users WHERE id = ${userId}::uuid`
    assert.isTrue(Option.isNone(yield* bearer(accessToken)))
  }),

  "an issuer and a subject are nobody else's, however they are named": Effect.gen(function* () {
    const victim = yield* newUser
    const issuers = ["user", "key", "user user", "external", `user ${victim}`, `["user","${victim}"`]
    // Every way to try to collide with the user's own cache entry.
    const subjects = [victim, `user ${victim}`, ` ${victim}`, `${victim}","`, `","${victim}`, "\ud800", "\ud801", "\0"]
    const named = [
      { issuer: undefined, subject: victim },
      ...issuers.flatMap((issuer) => subjects.map((subject) => ({ issuer, subject }))),
    ]
    const verify = (token: string) => Effect.succeed(Option.fromUndefinedOr(named[Number(token.split(".")[1])]))
    const tokens = yield* AccessTokens
    const { bearer } = yield* Effect.provideService(authentication(), AccessTokens, { ...tokens, verify })
    const found = yield* Effect.forEach(named.keys(), (index) =>
      Effect.map(bearer(`a.${index}.b`), (caller) => Option.getOrUndefined(caller)?.userId),
    )
    const users = found.filter((userId) => userId !== undefined)
    assert.strictEqual(users[0], victim)
    assert.strictEqual(new Set(users).size, users.length)
    // No text in a database contains half a surrogate pair or a NUL.
    assert.lengthOf(users, 1 + issuers.length * (subjects.length - 3))
  }).pipe(Effect.scoped),

  "an access token ends with its sign-in, and is of use to nobody else": Effect.gen(function* () {
    const [ada, bob] = [yield* newUser, yield* newUser]
    const first = yield* issueTokens(ada, undefined)
    const [second, other] = [yield* refreshTokens(first.refreshToken), yield* issueTokens(ada, undefined)]
    const held = [first.accessToken, second.accessToken, other.accessToken]
    assert.deepEqual(yield* Effect.forEach(held, whoIs), [ada, ada, ada])
    yield* revokeRefreshToken(second.refreshToken)
    assert.deepEqual(yield* Effect.forEach(held, whoIs), [undefined, undefined, ada])
    const sql = yield* SqlClient
    yield* sql`UPDATE refresh_families SET user_id = ${bob}::uuid`
    assert.isUndefined(yield* whoIs(other.accessToken))
  }),

  "a caller is looked up once, and anew after each change of key, membership, plan or user": Effect.gen(function* () {
    const sql = yield* SqlClient
    const callers = yield* Callers
    let lookups = 0
    const counted = Callers.of({
      ...callers,
      ofKey: (hash) => {
        lookups++
        return callers.ofKey(hash)
      },
    })
    const { bearer } = yield* Effect.provideService(authentication(), Callers, counted)
    const userId = yield* newUser
    const { apiKey, apiKeyId } = yield* newKey(userId)
    /** Until the notification has arrived, which the database sends with the commit, on a separate connection. */
    const becomes = (wanted: string | undefined) =>
      Effect.gen(function* () {
        for (;;) {
          const plan = Option.getOrUndefined(yield* bearer(apiKey))?.plan
          if (plan === wanted) return
          yield* sql`SELECT 1`
        }
      }).pipe(Effect.timeout("2 seconds"))

    yield* becomes("basic")
    yield* sql`UPDATE pools SET plan = 'pro' WHERE id = ${userId}::uuid`
    yield* becomes("pro")
    const before = lookups
    for (let turn = 0; turn < 20; turn++) yield* bearer(apiKey)
    assert.isAtMost(lookups - before, 1)
    yield* sql`UPDATE pools SET used = used + 1, turn = now() WHERE id = ${userId}::uuid`
    yield* sql`UPDATE api_keys SET last_used_at = now() WHERE id = ${apiKeyId}::uuid`
    yield* bearer(apiKey)
    assert.isAtMost(lookups - before, 1)
    yield* Accounts.use((accounts) => accounts.revokeApiKey(userId, apiKeyId, undefined))
    yield* becomes(undefined)
  }).pipe(Effect.scoped),

  "what is neither a key nor a token is nobody's": Effect.gen(function* () {
    for (const token of ["", "assay_", "a.b", "a.b.c.d", "x".repeat(100_000), ".".repeat(100_000)]) {
      assert.isTrue(Option.isNone(yield* bearer(token)))
      assert.isTrue(Option.isNone(yield* session(token)))
    }
  }),

  "a refresh token is exchanged once, and its successor goes on": Effect.gen(function* () {
    const userId = yield* newUser
    const first = yield* issueTokens(userId, undefined)
    const second = yield* refreshTokens(first.refreshToken)
    const third = yield* refreshTokens(second.refreshToken)
    assert.strictEqual(new Set([first, second, third].map(({ refreshToken }) => refreshToken)).size, 3)
    assert.strictEqual(yield* whoIs(third.accessToken), userId)
  }),

  "a refresh token used again revokes all that came from it": Effect.gen(function* () {
    const userId = yield* newUser
    const first = yield* issueTokens(userId, undefined)
    const second = yield* refreshTokens(first.refreshToken)
    const other = yield* issueTokens(userId, undefined)
    assert.isTrue((yield* Effect.flip(refreshTokens(first.refreshToken))) instanceof Error)
    assert.deepInclude(yield* Effect.flip(refreshTokens(second.refreshToken)), { _tag: "RefreshRefused" })
    assert.strictEqual(yield* whoIs((yield* refreshTokens(other.refreshToken)).accessToken), userId)
  }),

  "of two exchanges at once one succeeds, and the other one revokes the family": Effect.gen(function* () {
    const { refreshToken } = yield* issueTokens(yield* newUser, undefined)
    const results = yield* Effect.all(
      Array.from({ length: 5 }, () => Effect.result(refreshTokens(refreshToken))),
      { concurrency: "unbounded" },
    )
    const won = results.flatMap((result) => (result._tag === "Success" ? [result.success] : []))
    assert.lengthOf(won, 1)
    assert.deepInclude(yield* Effect.flip(refreshTokens(won[0]!.refreshToken)), { _tag: "RefreshRefused" })
  }),

  "an expired, revoked, unknown or malformed refresh token is refused": Effect.gen(function* () {
    const userId = yield* newUser
    const sql = yield* SqlClient
    const expired = yield* issueTokens(userId, undefined)
    yield* sql`UPDATE refresh_tokens SET expires_at = now() - interval '1 second'`
    const revoked = yield* issueTokens(userId, undefined)
    yield* revokeRefreshToken(revoked.refreshToken)
    const unknown = `assay_rt_${"A".repeat(43)}`
    for (const token of [expired.refreshToken, revoked.refreshToken, unknown, "", "x".repeat(1e6)]) {
      assert.strictEqual((yield* Effect.flip(refreshTokens(token)))._tag, "RefreshRefused")
    }
  }),

  "the database holds hashes of refresh tokens and sessions alone": Effect.gen(function* () {
    const userId = yield* newUser
    const { refreshToken } = yield* issueTokens(userId, undefined)
    const secret = yield* openSession(userId, undefined)
    const sql = yield* SqlClient
    const stored = JSON.stringify([yield* sql`SELECT * FROM refresh_tokens`, yield* sql`SELECT * FROM sessions`])
    assert.notInclude(stored, refreshToken)
    assert.notInclude(stored, secret)
  }),

  "a session authenticates until it is closed, and closing it revokes its refresh tokens": Effect.gen(function* () {
    const userId = yield* newUser
    const secret = yield* openSession(userId, undefined)
    assert.strictEqual(Option.getOrThrow(yield* session(secret)).userId, userId)
    const { refreshToken } = yield* issueTokens(userId, hashSecret(secret))
    yield* closeSession(secret)
    assert.isTrue(Option.isNone(yield* session(secret)))
    assert.strictEqual((yield* Effect.flip(refreshTokens(refreshToken)))._tag, "RefreshRefused")
  }),

  "a new session never takes over the browser's old secret, and ends it": Effect.gen(function* () {
    const [attacker, victim] = [yield* newUser, yield* newUser]
    const fixed = yield* openSession(attacker, undefined)
    const secret = yield* openSession(victim, fixed)
    assert.notStrictEqual(secret, fixed)
    assert.isTrue(Option.isNone(yield* session(fixed)))
    assert.notStrictEqual(csrfTokenOf(secret), csrfTokenOf(fixed))
  }),

  "an expired session is nobody's": Effect.gen(function* () {
    const secret = yield* openSession(yield* newUser, undefined)
    const sql = yield* SqlClient
    yield* sql`UPDATE sessions SET expires_at = now() - interval '1 second'`
    assert.isTrue(Option.isNone(yield* session(secret)))
  }),

  "signing in makes one user of an identity, also when done at once": Effect.gen(function* () {
    const accounts = yield* Accounts
    const identity = { issuer: "https://github.com", subject: "4711", email: "ada@example.com" }
    const users = yield* Effect.all(
      Array.from({ length: 8 }, () => accounts.signIn(identity)),
      { concurrency: "unbounded" },
    )
    assert.strictEqual(new Set(users).size, 1)
    const profile = Option.getOrThrow(yield* accounts.profile(users[0]!))
    assert.deepInclude(profile, { email: "ada@example.com", plan: "basic", organization: undefined })
  }),

  "signing in finds the user that an administrator made for a verified email, once": Effect.gen(function* () {
    const accounts = yield* Accounts
    const userId = yield* Accounts.use((accounts) => accounts.createUser("Ada@example.com", "pro"))
    const first = { issuer: "https://github.com", subject: "1", email: "ada@example.com" }
    assert.strictEqual(yield* accounts.signIn(first), userId)
    const other = yield* accounts.signIn({ ...first, subject: "2" })
    assert.notStrictEqual(other, userId)
    assert.isUndefined(Option.getOrThrow(yield* accounts.profile(other)).email)
  }),

  "rotating keys encrypts everything anew, and tokens stay valid": Effect.gen(function* () {
    const sql = yield* SqlClient
    const userId = yield* newUser
    const { accessToken } = yield* issueTokens(userId, undefined)
    const before = yield* sql<{ key: string }>`SELECT private_key AS key FROM signing_keys`
    const rotated = yield* rotateKeys(false)
    const after = yield* sql<{ key: string }>`SELECT private_key AS key FROM signing_keys`
    assert.strictEqual(rotated.reencrypted, before.length)
    for (const { key } of after) {
      const header = Buffer.from(key.split(".")[0]!, "base64url").toString()
      assert.include(header, rotated.encryptionKeyId)
    }
    assert.strictEqual(yield* whoIs(accessToken), userId)
    assert.strictEqual(yield* whoIs((yield* issueTokens(userId, undefined)).accessToken), userId)
  }),
})
