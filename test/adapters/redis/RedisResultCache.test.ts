import { randomBytes } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Redis } from "ioredis"
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import { RedisConnection } from "../../../adapters/redis/RedisConnection.ts"
import * as RedisResultCache from "../../../adapters/redis/RedisResultCache.ts"
import { ResultCache } from "../../../application/ports/analysis/ResultCache.ts"
import { startApp, type TestApp } from "../../support/app.ts"
import { created, expectError, get, send } from "../../support/client.ts"
import { type RedisServer, startRedis } from "../../support/redisServer.ts"
import { AnalysisId } from "../../../domain/ids/Ids.ts"
import { RepositoryUrl } from "../../../domain/repository/RepositoryUrl.ts"

const redis = await startRedis()

describe.runIf(redis !== undefined)("the cache of results on Redis", () => {
  const server = redis as RedisServer
  const cache = (...limits: Parameters<typeof RedisResultCache.layer>) =>
    RedisResultCache.layer(...limits).pipe(
      Layer.provide(RedisConnection.layer(server.settings, { purpose: "test", patience: 100 })),
    )
  let admin: Redis
  let app: TestApp
  let read = 0
  beforeAll(async () => {
    admin = new Redis(server.url, { retryStrategy: () => 20 })
    admin.on("error", () => undefined)
    app = await startApp({
      cache: cache(),
      wrapStore: (store) => ({
        ...store,
        find: (...key) => {
          read++
          return store.find(...key)
        },
        badge: (...key) => {
          read++
          return store.badge(...key)
        },
      }),
    })
  })
  beforeEach(async () => {
    await admin.flushall()
    await app.reset()
    read = 0
  })
  afterAll(async () => {
    await app.close()
    admin.disconnect()
    await server.stop()
  })

  const completed = async (apiKey: string) => {
    const analysisId = await created(app, apiKey)
    await app.completeNext()
    return `/api/v1/analysis/${analysisId}`
  }
  const reports = () => admin.keys("assay:packed:*")
  const cached = (n: number) => vi.waitFor(async () => expect(await reports()).toHaveLength(n), 5_000)
  const read200 = async (path: string, apiKey: string) => {
    const response = await get(app, path, apiKey)
    expect(response.status).toBe(200)
    const headers = ["content-type", "content-disposition", "etag", "cache-control"]
    return [await response.text(), ...headers.map((name) => response.headers.get(name))]
  }

  it("returns the same as the database, without reading the result there again", async () => {
    const { apiKey } = await app.newUser("pro")
    const path = await completed(apiKey)
    for (const what of ["/result", "/export?format=json", "/export?format=markdown", "/export?format=sarif"]) {
      const first = await read200(path + what, apiKey)
      await vi.waitFor(async () => {
        read = 0
        expect(await read200(path + what, apiKey)).toEqual(first)
        expect(read).toBe(0)
      }, 5_000)
    }
    await cached(3)
    for (const key of await reports()) expect(await admin.ttl(key)).toBeGreaterThan(3_000)
  })

  it("serves only the owner, and SARIF only on the right plan", async () => {
    const [owner, other, basic] = [await app.newUser("pro"), await app.newUser("pro"), await app.newUser("basic")]
    const path = await completed(owner.apiKey)
    await read200(`${path}/result`, owner.apiKey)
    await read200(`${path}/export?format=sarif`, owner.apiKey)
    await cached(2)
    await expectError(await get(app, `${path}/result`, other.apiKey), "NOT_FOUND")
    await expectError(await get(app, `${path}/export?format=sarif`, other.apiKey), "NOT_FOUND")
    await expectError(await get(app, `${path}/export?format=sarif`, basic.apiKey), "SUBSCRIPTION_REQUIRED")
  })

  it("forgets a deleted analysis", async () => {
    const { apiKey } = await app.newUser("pro")
    const path = await completed(apiKey)
    await read200(`${path}/result`, apiKey)
    await read200(`${path}/export?format=markdown`, apiKey)
    await cached(2)
    expect((await send(app, "DELETE", path, apiKey)).status).toBe(204)
    await expectError(await get(app, `${path}/result`, apiKey), "NOT_FOUND")
    expect(await reports()).toEqual([])
  })

  it("serves nothing of an analysis of whose deletion it was not told", async () => {
    const { apiKey } = await app.newUser("pro")
    const path = await completed(apiKey)
    await read200(`${path}/result`, apiKey)
    await cached(1)
    server.pause()
    expect((await send(app, "DELETE", path, apiKey)).status).toBe(204)
    server.resume()
    await vi.waitFor(async () => {
      // Whatever happened to the copy; until the connection is back there is none to serve.
      await expectError(await get(app, `${path}/result`, apiKey), "NOT_FOUND")
      await expectError(await get(app, `${path}/export?format=markdown`, apiKey), "NOT_FOUND")
      expect((await admin.client("LIST")) as string).toContain("assay-test")
    }, 5_000)
  })

  it("keeps a completed badge in all forms, no longer than a public cache may, and forgets a deleted one", async () => {
    const { apiKey } = await app.newUser("pro")
    const path = await completed(apiKey)
    const forms = ["/badge", "/badge.svg", "/badge/shields"]
    const fromDatabase = await Promise.all(forms.map((form) => read200(path + form, "")))
    await cached(1)
    read = 0
    expect(
      await Promise.all(
        forms.map((form) => read200(path.toUpperCase().replace("/API/V1/ANALYSIS", "/api/v1/analysis") + form, "")),
      ),
    ).toEqual(fromDatabase)
    expect(read).toBe(0)
    const [key] = await reports()
    expect(await admin.ttl(key!)).toBeLessThanOrEqual(300)
    expect((await send(app, "DELETE", path, apiKey)).status).toBe(204)
    await expectError(await get(app, `${path}/badge`, ""), "NOT_FOUND")
  })

  it("keeps nothing of an unfinished analysis", async () => {
    const { apiKey } = await app.newUser("pro")
    const analysisId = await created(app, apiKey)
    await read200(`/api/v1/analysis/${analysisId}/badge`, "")
    await expectError(await get(app, `/api/v1/analysis/${analysisId}/result`, apiKey), "ANALYSIS_NOT_READY")
    await app.failNext()
    await expectError(await get(app, `/api/v1/analysis/${analysisId}/result`, apiKey), "ANALYSIS_FAILED")
    expect(await admin.dbsize()).toBe(0)
  })

  it("neither fails nor noticeably delays requests when Redis hangs or is unavailable", async () => {
    const { apiKey } = await app.newUser("pro")
    const path = await completed(apiKey)
    const expected = await read200(`${path}/result`, apiKey)
    /** Milliseconds that the slowest of five takes. */
    const slowest = async () => {
      const times: Array<number> = []
      for (let i = 0; i < 5; i++) {
        const since = performance.now()
        expect(await read200(`${path}/result`, apiKey)).toEqual(expected)
        times.push(performance.now() - since)
      }
      return Math.max(...times)
    }
    const before = await slowest()
    server.pause()
    expect(await slowest()).toBeLessThan(before + 300)
    server.resume()
    await server.kill()
    expect(await read200(`${path}/result`, apiKey)).toEqual(expected)
    await server.start()
    await vi.waitFor(async () => {
      await read200(`${path}/result`, apiKey)
      expect(await reports()).toHaveLength(1)
    }, 10_000)
  })

  /** A report whose bytes are not valid text. */
  const reportOf = (bytes: number) => ({
    repositoryUrl: RepositoryUrl.make("https://h/o/n"),
    size: 2 * bytes,
    gzip: randomBytes(bytes),
  })

  it("keeps a report byte for byte, unless it is too large", async () => {
    const [small, large] = [reportOf(1_000), reportOf(2_001)]
    await Effect.runPromise(
      Effect.gen(function* () {
        const kept = yield* ResultCache
        yield* kept.put(AnalysisId.make("large"), "json", large)
        yield* kept.put(AnalysisId.make("small"), "json", small)
        const found = yield* Effect.promise(() =>
          vi.waitFor(
            async () => Option.getOrThrow(await Effect.runPromise(kept.get(AnalysisId.make("small"), "json"))),
            5_000,
          ),
        )
        expect({ ...found, gzip: Buffer.from(found.gzip) }).toEqual(small)
        expect(yield* kept.get(AnalysisId.make("large"), "json")).toEqual(Option.none())
      }).pipe(Effect.provide(cache({ report: 2_000, hour: 1e6 }))),
    )
  })

  it("reads what it does not understand, such as another release's entries, from the database", async () => {
    const { apiKey } = await app.newUser("pro")
    const path = await completed(apiKey)
    const what = [`${path}/result`, `${path}/badge`]
    const answers = []
    for (const each of what) answers.push(await read200(each, apiKey))
    await cached(2)
    const gzip = Buffer.from([0x1f, 0x8b])
    for (const entry of ["", "null", "{", "{}", "[1]", "12 not a URL\nx", `x https://github.com/a/b\n`, "no size\n"]) {
      for (const key of await reports()) await admin.set(key, Buffer.concat([Buffer.from(entry), gzip]))
      for (const [index, each] of what.entries()) expect(await read200(each, apiKey)).toEqual(answers[index])
    }
  })

  it("keeps no more bytes per hour than allowed", async () => {
    const budgets = () => admin.keys("assay:packed-bytes:*")
    const spent = async () => {
      const counts = await Promise.all((await budgets()).map((key) => admin.get(key)))
      return counts.reduce((sum, bytes) => sum + Number(bytes), 0)
    }
    await Effect.runPromise(
      Effect.gen(function* () {
        const kept = yield* ResultCache
        for (let id = 1; id <= 6; id++) {
          yield* kept.put(AnalysisId.make(String(id)), "json", reportOf(1_000))
          yield* Effect.promise(() => vi.waitFor(async () => expect(await spent()).toBeGreaterThan(id * 1_000), 5_000))
        }
        // Added after those that were kept, and processed in order.
        yield* kept.get(AnalysisId.make("1"), "json")
      }).pipe(Effect.provide(cache({ report: 2_000, hour: 3_500 }))),
    )
    const hours = await budgets()
    for (const key of hours) expect(await admin.ttl(key)).toBeGreaterThan(3_000)
    const found = (await reports()).length
    expect(found).toBeGreaterThan(0)
    // The hour may have ended in between.
    expect(found).toBeLessThanOrEqual(3 * hours.length)
  })
})
