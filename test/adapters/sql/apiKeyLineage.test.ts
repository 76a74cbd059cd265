import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { SqlClient } from "effect/sql/SqlClient"
import * as SqlAccounts from "../../../adapters/sql/identity/SqlAccounts.ts"
import * as SqlCallers from "../../../adapters/sql/identity/SqlCallers.ts"
import { createApiKey, rotateApiKey } from "../../../application/identity/manageApiKeys.ts"
import { hashSecret } from "../../../application/identity/secret.ts"
import { Callers } from "../../../application/ports/identity/Callers.ts"
import { Accounts } from "../../../application/ports/identity/Accounts.ts"
import { type Caller, scopes } from "../../../domain/identity/Caller.ts"
import { onBothDatabases } from "../../support/bothDatabases.ts"
import type { ApiKeyId } from "../../../domain/ids/Ids.ts"

let serial = 0
const newUser = Effect.map(
  Accounts.use((accounts) => accounts.createUser(`maker-${++serial}@example.com`, "basic")),
  (userId): Caller => ({ userId, plan: "basic", organizationId: undefined, scopes }),
)
const hour = 3_600_000
const inHours = (hours: number) => new Date(Date.now() + hours * hour)

interface Key {
  readonly apiKeyId: ApiKeyId
  readonly apiKey: string
  readonly expiresAt: Date | undefined
}
const make = (caller: Caller, expiresAt?: Date, wanted = scopes.slice()) =>
  createApiKey(caller, { name: "key", scopes: wanted, expiresAt })
const callerBy = ({ apiKey }: Key) => Callers.use((callers) => callers.ofKey(hashSecret(apiKey)))
/** The caller that the service sees behind a key. */
const as = (key: Key) => Effect.map(callerBy(key), Option.getOrThrow)
const revoke = (caller: Caller, { apiKeyId }: Key) =>
  Accounts.use((accounts) => accounts.revokeApiKey(caller.userId, apiKeyId, caller.apiKeyId))
/** Which of these keys still work. */
const alive = <Name extends string>(keys: Readonly<Record<Name, Key>>) =>
  Effect.map(
    Effect.forEach(Object.entries<Key>(keys), ([name, key]) =>
      Effect.map(callerBy(key), (found) => (Option.isSome(found) ? [name] : [])),
    ),
    (names) => names.flat(),
  )

await onBothDatabases("keys that keys make", Layer.provideMerge(SqlCallers.layer, SqlAccounts.layer), {
  "end with the key that asks at the latest, and without a wish exactly then": Effect.gen(function* () {
    const root = yield* make(yield* newUser, inHours(10))
    const caller = yield* as(root)
    assert.deepEqual((yield* make(caller)).expiresAt, root.expiresAt)
    assert.isBelow((yield* make(caller, inHours(5))).expiresAt!.getTime(), root.expiresAt!.getTime())
    const error = yield* Effect.flip(make(caller, inHours(11)))
    assert.strictEqual(error._tag, "InvalidInput")
    const endless = yield* as(yield* make(yield* newUser))
    assert.isUndefined((yield* make(endless)).expiresAt)
  }),

  "cannot be prolonged by rotating, neither themselves nor one another": Effect.gen(function* () {
    const person = yield* newUser
    const short = yield* make(person, inHours(1))
    const [long, endless] = [yield* make(person, inHours(50)), yield* make(person)]
    for (const other of [long, endless]) {
      assert.strictEqual((yield* Effect.flip(rotateApiKey(yield* as(short), other.apiKeyId)))._tag, "GrantExceeded")
    }
    const child = yield* make(yield* as(short))
    const successor = yield* rotateApiKey(yield* as(short), short.apiKeyId)
    assert.deepEqual(successor.expiresAt, short.expiresAt)
    assert.deepEqual((yield* rotateApiKey(yield* as(long), child.apiKeyId)).expiresAt! <= long.expiresAt!, true)
    // A person grants the full lifetime again.
    const renewed = yield* rotateApiKey(person, long.apiKeyId)
    assert.closeTo(renewed.expiresAt!.getTime(), inHours(50).getTime(), 60_000)
  }),

  "with fewer scopes make and rotate none that have more": Effect.gen(function* () {
    const person = yield* newUser
    const reader = yield* make(person, undefined, ["analysis:read"])
    const all = yield* make(person)
    const caller = yield* as(reader)
    assert.strictEqual((yield* Effect.flip(make(caller)))._tag, "InvalidInput")
    assert.strictEqual((yield* Effect.flip(rotateApiKey(caller, all.apiKeyId)))._tag, "GrantExceeded")
    // The key may have changed since the request was authorized.
    const outdated = { ...caller, scopes }
    assert.strictEqual((yield* Effect.flip(make(outdated)))._tag, "InvalidInput")
  }),

  "are revoked with it, through all generations, and others are not": Effect.gen(function* () {
    const person = yield* newUser
    const root = yield* make(person)
    const child = yield* make(yield* as(root))
    const grandchild = yield* make(yield* as(child))
    const rotated = yield* rotateApiKey(person, grandchild.apiKeyId)
    const sibling = yield* make(yield* as(root))
    const stranger = yield* make(person)
    const keys = { root, child, grandchild, rotated, sibling, stranger }
    assert.lengthOf(yield* alive(keys), 6)
    // Even through a key that has already expired.
    yield* SqlClient.use((sql) => sql`UPDATE api_keys SET expires_at = now() WHERE id = ${grandchild.apiKeyId}::uuid`)
    yield* revoke(person, child)
    assert.deepEqual(yield* alive(keys), ["root", "sibling", "stranger"])
    yield* revoke(person, root)
    assert.deepEqual(yield* alive(keys), ["stranger"])
  }),

  "belong to the successor of the key that asked as well": Effect.gen(function* () {
    const person = yield* newUser
    const first = yield* make(person)
    const child = yield* make(yield* as(first))
    const second = yield* rotateApiKey(person, first.apiKeyId)
    const third = yield* rotateApiKey(person, second.apiKeyId)
    const late = yield* make(yield* as(third))
    const keys = { first, second, third, child, late }
    yield* revoke(person, third)
    assert.deepEqual(yield* alive(keys), ["first", "second"])
  }),

  "stay when a person retires the key that a person rotated": Effect.gen(function* () {
    const person = yield* newUser
    const old = yield* make(person)
    const successor = yield* rotateApiKey(person, old.apiKeyId)
    const child = yield* make(yield* as(successor))
    yield* revoke(person, old)
    assert.deepEqual(yield* alive({ old, successor, child }), ["successor", "child"])
  }),

  "of which one rotated itself: revoked by anybody but its successor, that one ends as well": Effect.gen(function* () {
    const person = yield* newUser
    const stolen = yield* make(person)
    const theirs = yield* rotateApiKey(yield* as(stolen), stolen.apiKeyId)
    yield* revoke(person, stolen)
    assert.deepEqual(yield* alive({ stolen, theirs }), [])

    const own = yield* make(person)
    const next = yield* rotateApiKey(yield* as(own), own.apiKeyId)
    yield* revoke(yield* as(next), own)
    assert.deepEqual(yield* alive({ own, next }), ["next"])
  }),

  "are listed with the key that asked": Effect.gen(function* () {
    const person = yield* newUser
    const root = yield* make(person)
    const child = yield* make(yield* as(root))
    const successor = yield* rotateApiKey(person, child.apiKeyId)
    const listed = yield* Accounts.use((accounts) => accounts.apiKeys(person.userId))
    const parents = new Map(listed.map(({ apiKeyId, parentId }) => [apiKeyId, parentId]))
    assert.deepEqual(
      [root, child, successor].map(({ apiKeyId }) => parents.get(apiKeyId)),
      [undefined, root.apiKeyId, root.apiKeyId],
    )
  }),

  "are not made by a key that was revoked meanwhile, also at the same time": Effect.gen(function* () {
    const person = yield* newUser
    const root = yield* make(person)
    const caller = yield* as(root)
    const five = Effect.forEach(Array.from({ length: 5 }), () => Effect.result(make(caller)), {
      concurrency: "unbounded",
    })
    const [before, , after] = yield* Effect.all([five, revoke(person, root), five], { concurrency: "unbounded" })
    const made = [...before, ...after].flatMap((one) => (Result.isSuccess(one) ? [one.success] : []))
    assert.deepEqual(yield* alive(Object.fromEntries(made.map((key) => [key.apiKeyId, key]))), [])
    assert.strictEqual((yield* Effect.flip(make(caller)))._tag, "CredentialsEnded")
    assert.strictEqual((yield* Effect.flip(rotateApiKey(caller, root.apiKeyId)))._tag, "CredentialsEnded")
    assert.deepEqual(yield* Accounts.use((accounts) => accounts.apiKeys(person.userId)), [])
  }),
})
