import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { ReviewStore } from "../../application/ports/finding/ReviewStore.ts"
import { newUser, type Test } from "../support/stores.ts"

/** Models' answers and what they cost. */
export const reviews: Readonly<Record<string, Test>> = {
  "an answer is found only by its owner, the first one wins, and old ones are removed": Effect.gen(function* () {
    const store = yield* ReviewStore
    const sql = yield* SqlClient
    const [ada, bob] = [yield* store.account(yield* newUser()), yield* store.account(yield* newUser("basic"))]
    assert.deepEqual([ada.plan, bob.plan], ["pro", "basic"])
    assert.isUndefined(yield* store.find(ada.id, "k"))
    yield* store.keep(ada.id, "k", "one")
    yield* store.keep(ada.id, "k", "two")
    assert.strictEqual(yield* store.find(ada.id, "k"), "one")
    assert.isUndefined(yield* store.find(bob.id, "k"))
    yield* sql`UPDATE review_answers SET created_at = now() - interval '31 days'`
    yield* store.keep(bob.id, "other", "three")
    assert.isUndefined(yield* store.find(ada.id, "k"))
  }),

  "concurrent calls cannot overdraw the monthly budget, and unused reservations can be spent": Effect.gen(function* () {
    const store = yield* ReviewStore
    const { id } = yield* store.account(yield* newUser())
    const other = yield* store.account(yield* newUser())
    const spent = yield* Effect.all(
      Array.from({ length: 20 }, () => store.spend(id, 300, 1_000)),
      { concurrency: "unbounded" },
    )
    assert.strictEqual(spent.filter(Boolean).length, 3)
    assert.isTrue(yield* store.spend(other.id, 1_000, 1_000))
    assert.isFalse(yield* store.spend(other.id, 1, 1_000))
    yield* store.giveBack(id, 250)
    assert.isTrue(yield* store.spend(id, 350, 1_000))
    assert.isFalse(yield* store.spend(id, 1, 1_000))
    const sql = yield* SqlClient
    yield* sql`UPDATE review_spending SET month = (month - interval '1 month')::date`
    assert.isTrue(yield* store.spend(id, 1_000, 1_000))
    assert.isFalse(yield* store.spend(id, 1_001, 1_000))
  }),
}
