import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { memoryRateLimiter } from "../../../adapters/memory/MemoryRateLimiter.ts"
import { RateLimiter } from "../../../application/ports/RateLimiter.ts"
import { windowLength } from "../../../domain/plan/RateLimit.ts"

const consume = (subject: string, limit: number) =>
  RateLimiter.use((limiter) => limiter.consume("read", subject, limit))

describe("MemoryRateLimiter", () => {
  it.effect("starts over when the hour is up, not before", () =>
    Effect.gen(function* () {
      const first = yield* consume("a", 1)
      yield* TestClock.adjust(windowLength - 1)
      expect((yield* consume("a", 1)).allowed).toBe(false)
      yield* TestClock.adjust(1)
      const next = yield* consume("a", 1)
      expect(next).toMatchObject({ allowed: true, resetsAt: first.resetsAt + windowLength })
    }).pipe(Effect.provide(memoryRateLimiter())),
  )

  it.effect("lets further subjects share counters beyond its capacity, and still limits them", () =>
    Effect.gen(function* () {
      yield* consume("a", 1)
      yield* consume("b", 1)
      const states = yield* Effect.all(Array.from({ length: 3000 }, (_, i) => consume(`made-up-${i}`, 1)))
      expect(states.filter(({ allowed }) => allowed).length).toBeLessThanOrEqual(1024)
      expect((yield* consume("a", 1)).allowed).toBe(false)
      yield* TestClock.adjust(windowLength)
      expect((yield* consume("made-up-0", 1)).allowed).toBe(true)
    }).pipe(Effect.provide(memoryRateLimiter(2))),
  )
})
