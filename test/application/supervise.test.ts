import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Metric from "effect/Metric"
import { TestClock } from "effect/testing"
import { BrokenLoops, CurrentBrokenLoops, supervise } from "../../application/supervise.ts"

const breaks: ReadonlyArray<readonly [string, Effect.Effect<void, string>]> = [
  ["a defect", Effect.die(new Error("broken"))],
  ["a failure", Effect.fail("failed")],
  ["its own end", Effect.void],
  ["an interruption of what it waits for", Effect.interrupt],
]

it.effect.each(breaks)("a loop that ends with %s is restarted after increasing delays", ([, ending]) =>
  Effect.gen(function* () {
    const loops = new BrokenLoops()
    let begun = 0
    const loop = Effect.suspend(() => (++begun === 4 ? Effect.never : ending))
    const fiber = yield* Effect.forkChild(Effect.provideService(supervise("mine", loop), CurrentBrokenLoops, loops))
    for (const [pause, times] of [
      [100, 1],
      [200, 2],
      [400, 3],
    ] as const) {
      yield* TestClock.adjust(0)
      expect(begun).toBe(times)
      expect(loops.names).toEqual(["mine"])
      yield* TestClock.adjust(pause - 1)
      expect(begun).toBe(times)
      yield* TestClock.adjust(1)
    }
    expect(begun).toBe(4)
    expect(loops.names).toEqual([])
    const series = (yield* Metric.snapshot).filter(({ attributes }) => attributes?.["loop"] === "mine")
    expect(series.map(({ id }) => id).toSorted()).toEqual(["assay_loop_failing", "assay_loop_restarts_total"])
    yield* Fiber.interrupt(fiber)
    expect(Exit.hasInterrupts(yield* Fiber.await(fiber))).toBe(true)
  }),
)

it.effect("a loop that has finished is not restarted", () =>
  Effect.gen(function* () {
    let begun = 0
    yield* supervise(
      "done",
      Effect.sync(() => begun++),
      () => begun === 1,
    )
    expect(begun).toBe(1)
  }),
)
