import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import { receiverPlaces } from "../../../application/notification/ReceiverPlaces.ts"

const limits = { concurrent: 10, perReceiver: 3, slow: 2 }

/** One attempt that takes this long, until it ends. */
const attempt = Effect.fnUntraced(function* (
  places: ReturnType<typeof receiverPlaces>,
  receiver: string,
  duration: Duration.Input,
) {
  const fiber = yield* Effect.forkChild(places.hold(receiver, Effect.sleep(duration)), { startImmediately: true })
  yield* TestClock.adjust(duration)
  yield* Fiber.join(fiber)
})

/** An attempt that starts and does not end. */
const begin = (places: ReturnType<typeof receiverPlaces>, receiver: string) =>
  Effect.forkChild(places.hold(receiver, Effect.never), { startImmediately: true })

describe("the places of receivers", () => {
  it.effect("are one for an unknown receiver, and more once it has been quick", () =>
    Effect.gen(function* () {
      const places = receiverPlaces(limits)
      assert.deepEqual(places.busy(), [])
      const first = yield* begin(places, "a")
      assert.deepEqual(places.busy(), ["a"])
      yield* Fiber.interrupt(first)
      yield* attempt(places, "a", "100 millis")
      yield* begin(places, "a")
      yield* begin(places, "a")
      assert.deepEqual(places.busy(), [])
      yield* begin(places, "a")
      assert.deepEqual(places.busy(), ["a"])
    }),
  )

  it.effect("are one again for a receiver that has been slow, until it is quick", () =>
    Effect.gen(function* () {
      const places = receiverPlaces(limits)
      yield* attempt(places, "a", "1 second")
      yield* attempt(places, "a", "15 seconds")
      const only = yield* begin(places, "a")
      assert.deepEqual(places.busy(), ["a"])
      yield* Fiber.interrupt(only)
      yield* attempt(places, "a", "1 second")
      yield* begin(places, "a")
      assert.deepEqual(places.busy(), [])
    }),
  )

  it.effect("are limited for slow receivers: when they are taken, all slow receivers are busy, but no others", () =>
    Effect.gen(function* () {
      const places = receiverPlaces(limits)
      for (const receiver of ["slow-1", "slow-2", "slow-3"]) yield* attempt(places, receiver, "15 seconds")
      yield* attempt(places, "quick", "1 second")
      yield* begin(places, "slow-1")
      yield* begin(places, "quick")
      assert.deepEqual(places.busy(), ["slow-1"])
      const second = yield* begin(places, "slow-2")
      assert.deepEqual(places.busy().toSorted(), ["slow-1", "slow-2", "slow-3"])
      yield* Fiber.interrupt(second)
      assert.deepEqual(places.busy(), ["slow-1"])
    }),
  )

  it.effect("are remembered for a limited number of receivers", () =>
    Effect.gen(function* () {
      const places = receiverPlaces(limits)
      yield* attempt(places, "first", "1 second")
      for (let n = 0; n < 5000; n++) yield* places.hold(`receiver-${n}`, Effect.void)
      yield* begin(places, "first")
      assert.deepEqual(places.busy(), ["first"])
    }),
  )
})
