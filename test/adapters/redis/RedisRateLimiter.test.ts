import { setTimeout } from "node:timers/promises"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Metric from "effect/Metric"
import { Redis } from "ioredis"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import { RedisConnection } from "../../../adapters/redis/RedisConnection.ts"
import type { RedisSettings } from "../../../adapters/redis/RedisSettings.ts"
import { RateLimiter } from "../../../application/ports/RateLimiter.ts"
import { redisLimiter } from "../../support/redisLimiter.ts"
import { redisSettings, type RedisServer, startRedis } from "../../support/redisServer.ts"
import { startProxy } from "../../support/tcpProxy.ts"

/** Milliseconds, as in the API process. */
const patience = 150
/** How long a request may wait for Redis in total. */
const mostWait = 300

const redis = await startRedis()

describe.runIf(redis !== undefined)("the limiter on Redis", () => {
  const server = redis as RedisServer
  let admin: Redis
  const opened: Array<{ readonly dispose: () => Promise<void> }> = []

  const open = (settings: RedisSettings = server.settings) => {
    const runtime = ManagedRuntime.make(redisLimiter(settings, patience).pipe(Layer.provide(Logger.layer([]))))
    opened.push(runtime)
    /** Also how long it took, in milliseconds. */
    const consume = async (subject: string, limit = 100) => {
      const since = performance.now()
      const state = await runtime.runPromise(RateLimiter.use((limiter) => limiter.consume("read", subject, limit)))
      return { ...state, waited: performance.now() - since }
    }
    const state = () => runtime.runPromise(RedisConnection.use((connection) => connection.state))
    const connected = () => vi.waitFor(async () => expect(await state()).toBe("connected"), 10_000)
    return { consume, state, connected }
  }

  const fallbacks = async (): Promise<number> => {
    const found = (await Effect.runPromise(Metric.snapshot)).find(
      ({ id }) => id === "assay_rate_limiter_fallbacks_total",
    )
    return Number((found?.state as { readonly count: number | bigint } | undefined)?.count ?? 0) // a counter's state
  }

  beforeAll(() => {
    admin = new Redis(server.url, { retryStrategy: () => 20 })
    admin.on("error", () => undefined)
  })
  beforeEach(() => admin.flushall())
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((each) => each.dispose()))
  })
  afterAll(async () => {
    admin.disconnect()
    await server.stop()
  })

  it("is shared by two processes' limiters: of 400 simultaneous requests, 100 pass, each with a different remainder", async () => {
    const [one, other] = [open(), open()]
    const states = await Promise.all(Array.from({ length: 400 }, (_, i) => (i % 2 === 0 ? one : other).consume("a")))
    const through = states.filter(({ allowed }) => allowed)
    expect(through).toHaveLength(100)
    expect(new Set(through.map(({ remaining }) => remaining)).size).toBe(100)
    const ends = states.map(({ resetsAt }) => resetsAt)
    expect(Math.max(...ends) - Math.min(...ends)).toBeLessThan(1000)
  })

  it("leaves no key that never expires", async () => {
    await open().consume("a")
    const keys = await admin.keys("*")
    expect(keys).toEqual(["assay:limit:read:a"])
    expect(await admin.pttl(keys[0]!)).toBeGreaterThan(3_590_000)
  })

  it("continues from the shared count when Redis is killed, and shares its own counts once it is back", async () => {
    const [one, other] = [open(), open()]
    for (let i = 0; i < 10; i++) await one.consume("a")
    const { resetsAt } = await other.consume("a")
    const before = await fallbacks()
    await server.kill()
    const away = await Promise.all(Array.from({ length: 20 }, () => one.consume("a")))
    expect(away.at(-1)).toMatchObject({ remaining: 100 - 10 - 20, allowed: true })
    expect(Math.max(...away.map(({ waited }) => waited))).toBeLessThan(mostWait)
    expect(await one.state()).toBe("disconnected")
    expect(await fallbacks()).toBe(before + 20)

    await server.start()
    await Promise.all([one.connected(), other.connected()])
    const next = await other.consume("a")
    expect(next.remaining).toBe(100 - 30 - 1)
    expect(Math.abs(next.resetsAt - resetsAt)).toBeLessThan(1000)
  })

  it("lets no request wait for a hanging Redis, except those already in progress", async () => {
    const { consume, state, connected } = open()
    await consume("a")
    server.pause()
    const caught = await Promise.all(Array.from({ length: 20 }, () => consume("a")))
    expect(Math.max(...caught.map(({ waited }) => waited))).toBeLessThan(mostWait)
    const later = await Promise.all(Array.from({ length: 50 }, () => consume("a")))
    expect(Math.max(...later.map(({ waited }) => waited))).toBeLessThan(patience)
    expect(await state()).toBe("disconnected")
    server.resume()
    await connected()
    expect((await consume("a")).remaining).toBe(100 - 72)
  })

  it("avoids a slow Redis until it is fast again", async () => {
    const proxy = await startProxy(server.port)
    const { consume, state, connected } = open(redisSettings(`redis://127.0.0.1:${proxy.port}`))
    await consume("a")
    proxy.slowDown(600)
    expect((await consume("a")).waited).toBeLessThan(mostWait)
    // Longer than a full handshake takes at that speed.
    const slow: Array<number> = []
    for (const end = Date.now() + 3_000; Date.now() < end;) {
      slow.push((await consume("b", 1e9)).waited)
      await setTimeout(1)
    }
    expect(Math.max(...slow)).toBeLessThan(mostWait)
    expect(slow.filter((waited) => waited >= patience / 2).length).toBeLessThan(slow.length / 100)
    expect(await state()).toBe("disconnected")
    proxy.slowDown(0)
    await connected()
    await proxy.close()
  })

  it("survives connection resets", async () => {
    const proxy = await startProxy(server.port)
    const { consume, connected } = open(redisSettings(`redis://127.0.0.1:${proxy.port}`))
    for (let round = 1; round <= 3; round++) {
      await connected()
      const before = await consume("a")
      const under = Array.from({ length: 5 }, () => consume("a"))
      proxy.reset()
      const states = await Promise.all(under)
      expect(Math.max(...states.map(({ waited }) => waited))).toBeLessThan(mostWait)
      expect(Math.min(...states.map(({ remaining }) => remaining))).toBeLessThan(before.remaining)
    }
    await connected()
    await proxy.close()
  })

  it("starts without Redis, and uses it once it is available", async () => {
    await server.kill()
    const { consume, state, connected } = open()
    expect(await consume("a")).toMatchObject({ remaining: 99, allowed: true })
    expect(await state()).toBe("disconnected")
    await server.start()
    await connected()
    expect((await consume("a")).remaining).toBe(98)
    expect(await admin.get("assay:limit:read:a")).toBe("2")
  })

  it("does not carry one window over into the next", async () => {
    const { consume, connected } = open()
    for (let i = 0; i < 5; i++) await consume("a")
    await server.kill()
    await server.start()
    // Meanwhile another process started the next window.
    await admin.set("assay:limit:read:a", 1, "PX", 3_000_000)
    await connected()
    expect((await consume("a")).remaining).toBe(98)
  })

  it("counts locally while Redis is out of memory, and reports the counts to it afterwards", async () => {
    const [one, other] = [open(), open()]
    await one.consume("a")
    await admin.config("SET", "maxmemory", "1")
    for (let i = 0; i < 10; i++) await one.consume("a")
    expect(await one.state()).toBe("disconnected")
    await admin.config("SET", "maxmemory", "0")
    await Promise.all([one.connected(), other.connected()])
    expect((await other.consume("a")).remaining).toBe(100 - 11 - 1)
  })

  it("restores, for all processes, a counter that Redis lost while the connection held", async () => {
    const [one, other] = [open(), open()]
    for (let i = 0; i < 10; i++) await Promise.all([one.consume("a"), other.consume("a")])
    const { resetsAt } = await one.consume("a")
    await admin.flushall()
    const next = await one.consume("a")
    expect(next.remaining).toBe(100 - 22)
    expect(Math.abs(next.resetsAt - resetsAt)).toBeLessThan(1000)
    expect((await other.consume("a")).remaining).toBe(100 - 23)
  })
})
