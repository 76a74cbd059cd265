import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import { memoryRateLimiter } from "../../../adapters/memory/MemoryRateLimiter.ts"
import { RateLimiter } from "../../../application/ports/RateLimiter.ts"
import { windowLength } from "../../../domain/plan/RateLimit.ts"

const consume = (subject: string, limit = 3) => RateLimiter.use((limiter) => limiter.consume("read", subject, limit))
const peek = (subject: string, limit = 3) => RateLimiter.use((limiter) => limiter.peek("read", subject, limit))

describe("MemoryRateLimiter", () => {
  it.effect("lets exactly the limit through and never says less than zero is left", () =>
    Effect.gen(function* () {
      const states = yield* Effect.all(Array.from({ length: 5 }, () => consume("a")))
      expect(states.map(({ allowed }) => allowed)).toEqual([true, true, true, false, false])
      expect(states.map(({ remaining }) => remaining)).toEqual([2, 1, 0, 0, 0])
      expect(new Set(states.map(({ resetsAt }) => resetsAt)).size).toBe(1)
    }).pipe(Effect.provide(memoryRateLimiter())),
  )

  it.effect("starts afresh when the hour is over, not before", () =>
    Effect.gen(function* () {
      const first = yield* consume("a", 1)
      yield* TestClock.adjust(windowLength - 1)
      expect((yield* consume("a", 1)).allowed).toBe(false)
      yield* TestClock.adjust(1)
      const next = yield* consume("a", 1)
      expect(next).toMatchObject({ allowed: true, resetsAt: first.resetsAt + windowLength })
    }).pipe(Effect.provide(memoryRateLimiter())),
  )

  it.effect("keeps subjects and windows apart", () =>
    Effect.gen(function* () {
      yield* consume("a", 1)
      expect((yield* consume("b", 1)).allowed).toBe(true)
      expect((yield* RateLimiter.use((limiter) => limiter.consume("create", "a", 1))).allowed).toBe(true)
    }).pipe(Effect.provide(memoryRateLimiter())),
  )

  it.effect("looks without counting", () =>
    Effect.gen(function* () {
      expect(yield* peek("a", 1)).toMatchObject({ remaining: 1, allowed: true })
      yield* consume("a", 1)
      expect(yield* peek("a", 1)).toMatchObject({ remaining: 0, allowed: false })
      expect(yield* peek("a", 1)).toMatchObject({ remaining: 0, allowed: false })
    }).pipe(Effect.provide(memoryRateLimiter())),
  )

  it.effect("beyond its capacity lets further subjects share counters, and limits them still", () =>
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
