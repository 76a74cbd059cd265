import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { TestClock } from "effect/testing"
import { compositeKey } from "../../../application/compositeKey.ts"
import { rememberCallers } from "../../../application/identity/rememberCallers.ts"
import { CredentialChanges } from "../../../application/ports/identity/CredentialChanges.ts"
import { type Caller, scopes } from "../../../domain/identity/Caller.ts"
import { UserId } from "../../../domain/ids/Ids.ts"

/** Listens immediately and never hears of a change. */
const quiet = Layer.succeed(CredentialChanges, {
  listen: (onChange) => Effect.andThen(Effect.sync(onChange), Effect.never),
})

/** How many lookups it takes to ask for a caller at these milliseconds. */
const lookups = (instants: ReadonlyArray<number>, endsIn: number | undefined) =>
  Effect.gen(function* () {
    const remember = yield* rememberCallers
    yield* Effect.yieldNow
    const start = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
    const caller: Caller = {
      userId: UserId.make("ada"),
      plan: "basic",
      organizationId: undefined,
      scopes,
      ...(endsIn === undefined ? {} : { endsIn }),
    }
    const asked: Array<number> = []
    for (const instant of instants) {
      yield* TestClock.setTime(start + instant)
      yield* remember(compositeKey("key"), () =>
        Effect.sync(() => {
          asked.push(instant)
          return Option.some(caller)
        }),
      )
    }
    return asked
  }).pipe(Effect.provide(quiet), Effect.scoped)

const ada: Caller = { userId: UserId.make("ada"), plan: "basic", organizationId: undefined, scopes }

/** How many lookups it takes to ask for a caller three times simultaneously. */
const asksOfThree = (silent: Effect.Effect<never> | undefined, found: Option.Option<Caller>) =>
  Effect.gen(function* () {
    const remember = yield* rememberCallers
    yield* Effect.yieldNow
    let asked = 0
    const look = remember(compositeKey("key"), () =>
      Effect.sync(() => {
        asked++
        return found
      }),
    )
    yield* Effect.repeat(look, { times: 2 })
    return asked
  }).pipe(
    Effect.provide(silent === undefined ? quiet : Layer.succeed(CredentialChanges, { listen: () => silent })),
    Effect.scoped,
  )

describe("the owner of credentials", () => {
  it.effect("is remembered for five seconds", () =>
    Effect.gen(function* () {
      assert.deepEqual(yield* lookups([0, 4_999, 5_000], undefined), [0, 5_000])
    }),
  )

  it.effect("is forgotten no later than the key or the plan ends", () =>
    Effect.gen(function* () {
      assert.deepEqual(yield* lookups([0, 1_199, 1_200], 1_200), [0, 1_200])
    }),
  )

  it.effect("is looked up again if a change overtook the first lookup", () =>
    Effect.gen(function* () {
      let change = (): void => undefined
      const changes = Layer.succeed(CredentialChanges, {
        listen: (onChange) => {
          change = onChange
          return Effect.andThen(Effect.sync(onChange), Effect.never)
        },
      })
      const asked = yield* Effect.gen(function* () {
        const remember = yield* rememberCallers
        yield* Effect.yieldNow
        const caller: Caller = { userId: UserId.make("ada"), plan: "basic", organizationId: undefined, scopes }
        let asked = 0
        const look = remember(compositeKey("key"), () =>
          Effect.sync(() => {
            if (++asked === 1) change()
            return Option.some(caller)
          }),
        )
        yield* Effect.repeat(look, { times: 2 })
        return asked
      }).pipe(Effect.provide(changes), Effect.scoped)
      assert.strictEqual(asked, 2)
    }),
  )

  it.effect("is looked up every time while changes are not reported", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* asksOfThree(Effect.never, Option.some(ada)), 3)
    }),
  )

  it.effect("is looked up every time if unknown", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* asksOfThree(undefined, Option.none()), 3)
      assert.strictEqual(yield* asksOfThree(undefined, Option.some(ada)), 1)
    }),
  )
})
