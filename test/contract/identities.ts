import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import { Callers } from "../../application/ports/identity/Callers.ts"
import { Accounts, type NewApiKey } from "../../application/ports/identity/Accounts.ts"
import { newOrganization, newUser, unique, type Test } from "../support/stores.ts"
import type { UserId } from "../../domain/ids/Ids.ts"

const keyOf = (userId: UserId, change: Partial<NewApiKey> = {}): NewApiKey => ({
  userId,
  name: "CI",
  hash: unique("hash"),
  prefix: "assay_abc",
  scopes: ["analysis:read", "billing"],
  expiresAt: undefined,
  ...change,
})

const inAnHour = (hours: number) => new Date(Date.now() + hours * 3_600_000)

export const identities: Readonly<Record<string, Test>> = {
  "a key's hash identifies its owner, plan and scopes": Effect.gen(function* () {
    const [accounts, callers] = [yield* Accounts, yield* Callers]
    const userId = yield* newUser("basic")
    const key = keyOf(userId, { expiresAt: inAnHour(1) })
    const { apiKeyId } = yield* accounts.createApiKey(key, undefined)
    const { endsIn, ...caller } = Option.getOrThrow(yield* callers.ofKey(key.hash))
    assert.deepEqual(caller, { apiKeyId, userId, plan: "basic", organizationId: undefined, scopes: key.scopes })
    assert.closeTo(endsIn ?? Number.NaN, 3_600_000, 60_000)
  }),

  "the expiry is the earlier one of key and plan; without either there is none": Effect.gen(function* () {
    const [accounts, callers] = [yield* Accounts, yield* Callers]
    const sql = yield* SqlClient
    const userId = yield* newUser("pro")
    const [lasting, ending] = [keyOf(userId), keyOf(userId, { expiresAt: inAnHour(2) })]
    for (const key of [lasting, ending]) yield* accounts.createApiKey(key, undefined)
    const endOf = (hash: string) => Effect.map(callers.ofKey(hash), (found) => Option.getOrThrow(found).endsIn)
    assert.isUndefined(yield* endOf(lasting.hash))
    yield* sql`UPDATE pools SET plan_until = now() + interval '1 hour' WHERE id = ${userId}::uuid`
    for (const { hash } of [lasting, ending]) {
      assert.closeTo((yield* endOf(hash)) ?? Number.NaN, 3_600_000, 60_000)
    }
    // It has ended: its former state says nothing about the next one.
    yield* sql`UPDATE pools SET plan_until = now() - interval '1 second' WHERE id = ${userId}::uuid`
    assert.isUndefined(yield* endOf(lasting.hash))
  }),

  "a member has the organization's plan": Effect.gen(function* () {
    const [accounts, callers] = [yield* Accounts, yield* Callers]
    const userId = yield* newUser("basic")
    const organizationId = yield* newOrganization(1, [userId])
    const key = keyOf(userId)
    yield* accounts.createApiKey(key, undefined)
    const caller = Option.getOrThrow(yield* callers.ofKey(key.hash))
    assert.deepInclude(caller, { userId, plan: "pro", organizationId })
  }),

  "an unknown, expired or revoked key identifies nobody": Effect.gen(function* () {
    const [accounts, callers] = [yield* Accounts, yield* Callers]
    const sql = yield* SqlClient
    const userId = yield* newUser()
    const expired = keyOf(userId, { expiresAt: inAnHour(-1) })
    const revoked = keyOf(userId)
    const valid = keyOf(userId)
    yield* Effect.forEach([expired, revoked, valid], (key) => accounts.createApiKey(key, undefined))
    yield* sql`UPDATE api_keys SET revoked_at = now() WHERE hash = ${revoked.hash}`
    const known = yield* Effect.forEach(
      [expired.hash, revoked.hash, "unknown", valid.hash],
      (hash) => Effect.map(callers.ofKey(hash), Option.isSome),
      { concurrency: "unbounded" },
    )
    assert.deepEqual(known, [false, false, false, true])
  }),

  "use of a key is recorded once per minute": Effect.gen(function* () {
    const [accounts, callers] = [yield* Accounts, yield* Callers]
    const sql = yield* SqlClient
    const key = keyOf(yield* newUser())
    yield* accounts.createApiKey(key, undefined)
    const lastUse = Effect.map(
      sql<{ at: Date | null }>`SELECT last_used_at AS at FROM api_keys WHERE hash = ${key.hash}`,
      ([row]) => row?.at ?? null,
    )
    const used = Effect.andThen(callers.ofKey(key.hash), lastUse)
    assert.isNull(yield* lastUse)
    let first: Date | null = null
    // It is written after the response to the caller.
    while (first === null) first = yield* used
    yield* used
    assert.deepEqual(yield* used, first)
    yield* sql`UPDATE api_keys SET last_used_at = now() - interval '2 minutes' WHERE hash = ${key.hash}`
    const old = yield* lastUse
    let second = old
    while (second?.getTime() === old?.getTime()) second = yield* used
    assert.isTrue(second! > old!)
  }),

  "a user is found by email, ignoring case": Effect.gen(function* () {
    const accounts = yield* Accounts
    const email = `${unique("Ada")}@Example.com`
    const userId = yield* accounts.createUser(email, "pro")
    assert.deepEqual(yield* accounts.userByEmail(email.toLowerCase()), Option.some(userId))
    assert.isTrue(Option.isNone(yield* accounts.userByEmail("nobody@example.com")))
  }),
}
