import { afterAll, beforeEach, describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { TestClock } from "effect/testing"
import { Redis } from "ioredis"
import { memoryRateLimiter } from "../../adapters/memory/MemoryRateLimiter.ts"
import { RateLimiter } from "../../application/ports/RateLimiter.ts"
import { windowLength } from "../../domain/plan/RateLimit.ts"
import { redisLimiter } from "../support/redisLimiter.ts"
import { startRedis } from "../support/redisServer.ts"

const redis = await startRedis()
const admin = redis === undefined ? undefined : new Redis(redis.url)
afterAll(async () => {
  admin?.disconnect()
  await redis?.stop()
})

interface Harness {
  readonly layer: () => Layer.Layer<RateLimiter>
  /** Ends all current windows. */
  readonly passHour: Effect.Effect<void>
}

const memory: Harness = { layer: memoryRateLimiter, passHour: TestClock.adjust(windowLength) }

const harnesses: Array<readonly [string, Harness]> = [["memory", memory]]
if (redis !== undefined && admin !== undefined) {
  harnesses.push([
    redis.description,
    {
      layer: () => redisLimiter(redis.settings, 5_000),
      // Redis keeps the hour, so the keys are made to expire instead.
      passHour: Effect.gen(function* () {
        yield* TestClock.adjust(windowLength)
        yield* Effect.promise(async () => {
          for (const key of await admin.keys("*")) await admin.pexpireat(key, 1)
        })
      }),
    },
  ])
}

const consume = (subject: string, limit = 3) => RateLimiter.use((limiter) => limiter.consume("read", subject, limit))
const peek = (subject: string, limit = 3) => RateLimiter.use((limiter) => limiter.peek("read", subject, limit))

describe.each(harnesses)("a rate limiter on %s", (_name, { layer, passHour }) => {
  beforeEach(() => admin?.flushall())

  it.effect("lets exactly the limit through and never reports less than zero left", () =>
    Effect.gen(function* () {
      const states = yield* Effect.all(
        Array.from({ length: 5 }, () => consume("a")),
        { concurrency: "unbounded" },
      )
      expect(states.map(({ allowed }) => allowed)).toEqual([true, true, true, false, false])
      expect(states.map(({ remaining }) => remaining)).toEqual([2, 1, 0, 0, 0])
      expect(new Set(states.map(({ resetsAt }) => resetsAt)).size).toBe(1)
    }).pipe(Effect.provide(layer())),
  )

  it.effect("has a window of an hour from the first request", () =>
    Effect.gen(function* () {
      const before = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
      expect(Math.abs((yield* consume("a")).resetsAt - before - windowLength)).toBeLessThan(1000)
    }).pipe(Effect.provide(layer())),
  )

  it.effect("starts over when the hour is up", () =>
    Effect.gen(function* () {
      const first = yield* consume("a", 1)
      expect((yield* consume("a", 1)).allowed).toBe(false)
      yield* passHour
      const next = yield* consume("a", 1)
      expect(next).toMatchObject({ allowed: true, remaining: 0 })
      expect(next.resetsAt).toBeGreaterThanOrEqual(first.resetsAt + windowLength - 1000)
    }).pipe(Effect.provide(layer())),
  )

  it.effect("keeps subjects and windows apart", () =>
    Effect.gen(function* () {
      yield* consume("a", 1)
      expect((yield* consume("b", 1)).allowed).toBe(true)
      expect((yield* RateLimiter.use((limiter) => limiter.consume("create", "a", 1))).allowed).toBe(true)
    }).pipe(Effect.provide(layer())),
  )

  it.effect("can be queried without counting", () =>
    Effect.gen(function* () {
      expect(yield* peek("a", 1)).toMatchObject({ remaining: 1, allowed: true })
      yield* consume("a", 1)
      expect(yield* peek("a", 1)).toMatchObject({ remaining: 0, allowed: false })
      expect(yield* peek("a", 1)).toMatchObject({ remaining: 0, allowed: false })
    }).pipe(Effect.provide(layer())),
  )

  it.effect("can give a request back, within its window and never below zero", () =>
    Effect.gen(function* () {
      const giveBack = RateLimiter.use((limiter) => limiter.giveBack("read", "a", 2))
      const { resetsAt } = yield* consume("a", 2)
      expect((yield* consume("a", 2)).remaining).toBe(0)
      const after = yield* giveBack
      expect(after.remaining).toBe(1)
      expect(Math.abs(after.resetsAt - resetsAt)).toBeLessThan(1000)
      expect(yield* consume("a", 2)).toMatchObject({ allowed: true, remaining: 0 })
      expect((yield* consume("a", 2)).allowed).toBe(false)
    }).pipe(Effect.provide(layer())),
  )

  it.effect("judges each request by the limit passed with it", () =>
    Effect.gen(function* () {
      yield* consume("a", 1)
      expect(yield* consume("a", 1)).toMatchObject({ limit: 1, remaining: 0, allowed: false })
      expect(yield* consume("a", 10)).toMatchObject({ limit: 10, remaining: 7, allowed: true })
    }).pipe(Effect.provide(layer())),
  )
})
