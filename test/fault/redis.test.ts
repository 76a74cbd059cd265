import { Agent, request } from "node:http"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { PgClient } from "@effect/sql-pg"
import { Redis } from "ioredis"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { migrate } from "../../adapters/sql/migrate.ts"
import * as SqlAccounts from "../../adapters/sql/identity/SqlAccounts.ts"
import { issueApiKey } from "../../application/identity/issueApiKey.ts"
import { Accounts } from "../../application/ports/identity/Accounts.ts"
import type { PlanId } from "../../domain/plan/Plan.ts"
import { isFullRun } from "../support/cluster.ts"
import { type PostgresServer, startPostgres } from "../support/postgresServer.ts"
import { type Program, startProgram } from "../support/program.ts"
import { type RedisServer, startRedis } from "../support/redisServer.ts"
import { startProxy, type TcpProxy } from "../support/tcpProxy.ts"

const postgres = await startPostgres()
const redis = await startRedis()

/** How many milliseconds a request may wait for Redis. */
const mostWait = 300

/** Sent by 50 clients at a time, of which 100 may pass: all that could pass too much is sent first. */
const requests = isFullRun ? 10_000 : 1_500

/** Whose window Redis loses in the middle, and how many clients use it up at the same time. */
const losing: { readonly plan: PlanId; readonly limit: number; readonly clients: number } = isFullRun
  ? { plan: "pro", limit: 1_000, clients: 20 }
  : { plan: "basic", limit: 100, clients: 5 }

interface Answer {
  readonly url: string
  readonly status: number
  readonly remaining: number
  readonly milliseconds: number
}

/** Without Postgres or Redis there are no two processes to share anything; in CI their absence fails above. */
describe.runIf(postgres !== undefined && redis !== undefined)("two API processes on one Redis", () => {
  const server = redis as RedisServer
  const agent = new Agent({ keepAlive: true, maxSockets: 50 })
  let redisAdmin: Redis | undefined
  /** Past the proxy, on a connection made when it is first needed. */
  const admin = (): Redis =>
    (redisAdmin ??= new Redis({ port: server.port, host: "127.0.0.1" }).on("error", () => undefined))
  let proxy: TcpProxy
  let database = ""
  let apis: ReadonlyArray<Program> = []
  let urls: ReadonlyArray<string> = []
  let metrics: ReadonlyArray<string> = []

  const startApi = (redisUrl: string): Program =>
    startProgram("api/main.ts", [], {
      DATABASE_URL: database,
      REDIS_URL: redisUrl,
      PORT: "0",
      METRICS_PORT: "0",
      ASSAY_REQUEST_LOG: "warning",
    })

  beforeAll(async () => {
    database = await (postgres as PostgresServer).createDatabase()
    await onDatabase(Effect.void)
    proxy = await startProxy(server.port)
    apis = [startApi(`redis://127.0.0.1:${proxy.port}`), startApi(`redis://127.0.0.1:${proxy.port}`)]
    const address = async (api: Program, line: RegExp) => /"(http:[^"]+)"/.exec(await api.errorLine(line))![1]!
    urls = await Promise.all(apis.map((api) => address(api, /API server started/)))
    metrics = await Promise.all(apis.map((api) => address(api, /metrics server started/)))
  })
  afterAll(async () => {
    agent.destroy()
    redisAdmin?.disconnect()
    expect(await Promise.all(apis.map((api) => api.stop()))).toEqual([0, 0])
    for (const api of apis) expect(api.stderr()).not.toMatch(/unhandled|uncaught|\[ioredis\]/i)
    await proxy?.close()
    await server.stop()
    await postgres?.stop()
  })

  const onDatabase = <A, E>(effect: Effect.Effect<A, E, Accounts>) =>
    Effect.runPromise(
      Effect.andThen(migrate, effect).pipe(
        Effect.provide(SqlAccounts.layer.pipe(Layer.provideMerge(PgClient.layer({ url: Redacted.make(database) })))),
      ),
    )

  const newKey = (plan: PlanId): Promise<string> =>
    onDatabase(
      Effect.gen(function* () {
        const userId = yield* (yield* Accounts).createUser(`${crypto.randomUUID()}@example.test`, plan)
        const issued = yield* issueApiKey({ userId, name: "test", scopes: ["analysis:read"], expiresAt: undefined })
        return issued.apiKey
      }),
    )

  const ask = (url: string, apiKey: string): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const since = performance.now()
      const sent = request(
        `${url}/api/v1/analysis`,
        { agent, headers: { authorization: `Bearer ${apiKey}` } },
        (response) => {
          response.resume().once("end", () =>
            resolve({
              url,
              status: response.statusCode ?? 0,
              remaining: Number(response.headers["x-ratelimit-remaining"]),
              milliseconds: performance.now() - since,
            }),
          )
        },
      )
      sent.once("error", reject)
      sent.end()
    })

  /** `clients` at a time ask both processes in turn; `at` runs when so many answers are in. */
  const load = async (
    apiKey: string,
    clients: number,
    requests: number,
    at: Readonly<Record<number, () => Promise<void> | void>> = {},
  ): Promise<ReadonlyArray<Answer>> => {
    const answers: Array<Answer> = []
    const events: Array<Promise<void> | void> = []
    let sent = 0
    await Promise.all(
      Array.from({ length: clients }, async () => {
        while (sent < requests) {
          answers.push(await ask(urls[sent++ % urls.length]!, apiKey))
          events.push(at[answers.length]?.())
        }
      }),
    )
    await Promise.all(events)
    return answers
  }

  const through = (answers: ReadonlyArray<Answer>) => answers.filter(({ status }) => status === 200)
  const failed = (answers: ReadonlyArray<Answer>) => answers.filter(({ status }) => status !== 200 && status !== 429)
  const slowest = (answers: ReadonlyArray<Answer>) => Math.max(...answers.map(({ milliseconds }) => milliseconds))

  const health = async (url: string) => {
    const response = await fetch(`${url}/health/detailed`)
    const { status, database, redis } = (await response.json()) as Record<string, unknown> // checked by what follows
    return { code: response.status, status, database, redis }
  }
  /** Within two seconds, about the interval of a load balancer's probes. */
  const expectRedis = (redis: "connected" | "disconnected", within = 2_000) =>
    vi.waitFor(async () => {
      const well = { code: 200, status: "ok", database: "connected", redis }
      expect(await Promise.all(urls.map(health))).toEqual([well, well])
    }, within)

  /** Requests that the processes counted by themselves. */
  const fallbacks = async (): Promise<number> => {
    const texts = await Promise.all(metrics.map(async (url) => (await fetch(url)).text()))
    const counts = texts.map((text) => Number(/^assay_rate_limiter_fallbacks_total(?:\{.*\})? (\d+)$/m.exec(text)?.[1]))
    return counts.reduce((sum, count) => sum + count, 0)
  }

  it("share a rate limit: exactly 100 of many requests from 50 clients pass", { timeout: 240_000 }, async () => {
    await expectRedis("connected")
    for (let tries = 1; ; tries++) {
      const before = await fallbacks()
      const answers = await load(await newKey("basic"), 50, requests)
      expect(failed(answers)).toEqual([])
      // On a machine so busy that Redis itself is late, processes count for themselves: then nothing is shown.
      if ((await fallbacks()) !== before && tries < 20) continue
      expect(through(answers)).toHaveLength(100)
      expect(new Set(through(answers).map(({ remaining }) => remaining)).size).toBe(100)
      break
    }
  })

  it(
    "fail none of many requests while Redis is killed and comes back empty, and let through at most one more limit's worth",
    { timeout: 120_000 },
    async () => {
      const answers = await load(await newKey("basic"), 50, requests, {
        40: server.kill,
        [requests / 2]: server.start,
      })
      expect(failed(answers)).toEqual([])
      const passed = through(answers).length
      console.info(`${passed} of ${requests} passed, 100 are allowed`)
      expect(passed).toBeGreaterThanOrEqual(100)
      expect(passed).toBeLessThanOrEqual(200)
      await expectRedis("connected", 5_000)
    },
  )

  it("report immediately that Redis is unavailable, keep limiting, and share again when it is back", async () => {
    const apiKey = await newKey("basic")
    const [one, other] = [urls[0]!, urls[1]!]
    expect((await ask(one, apiKey)).remaining).toBe(99)
    expect((await ask(other, apiKey)).remaining).toBe(98)
    await server.kill()
    await expectRedis("disconnected", 500)
    const before = await fallbacks()
    const away = await load(apiKey, 5, 400)
    expect(await fallbacks()).toBeGreaterThanOrEqual(before + 400)
    expect(failed(away)).toEqual([])
    expect(through(away).length).toBeGreaterThanOrEqual(98)
    expect(through(away).length).toBeLessThanOrEqual(2 * 99)
    await server.start()
    await expectRedis("connected", 5_000)
    expect((await ask(one, apiKey)).status).toBe(429)
    expect((await ask(other, apiKey)).status).toBe(429)
    const fresh = await newKey("basic")
    expect((await ask(one, fresh)).remaining).toBe(99)
    expect((await ask(other, fresh)).remaining).toBe(98)
  })

  /**
   * What may pass when each process goes on alone from what it knew: that which passed before, and what either said was left.
   * It is 1.6 limits where both knew all of 0.4; one that had not heard yet of the other's last ones has more left.
   */
  const aloneFrom = (before: ReadonlyArray<Answer>): number =>
    urls.reduce(
      (sum, url) => sum + Math.min(...before.filter((answer) => answer.url === url).map(({ remaining }) => remaining)),
      through(before).length,
    )

  /** Each begins at 0.4 of the limit, and ends 1.5 limits later. */
  const losses: ReadonlyArray<readonly [string, () => Promise<unknown>, () => Promise<unknown>, typeof aloneFrom]> = [
    ["is killed and comes back empty", () => server.kill(), () => server.start(), aloneFrom],
    ["hangs", async () => server.pause(), async () => server.resume(), aloneFrom],
    [
      "is out of memory",
      () => admin().config("SET", "maxmemory", "1"),
      () => admin().config("SET", "maxmemory", "0"),
      aloneFrom,
    ],
    [
      "accepts no writes, like a replica",
      () => admin().replicaof("127.0.0.1", 1),
      () => admin().replicaof("NO", "ONE"),
      aloneFrom,
    ],
    ["answers too late", async () => proxy.slowDown(400), async () => proxy.slowDown(0), aloneFrom],
    ["is flushed", () => admin().flushall(), async () => undefined, () => 1.2 * losing.limit],
  ]
  it.each(losses)(
    "let through no more than two processes have left of the limit while Redis %s",
    async (_loss, begin, end, mostOf) => {
      await expectRedis("connected", 5_000)
      const { plan, limit, clients } = losing
      const apiKey = await newKey(plan)
      const answers = [
        ...(await load(apiKey, clients, 2.6 * limit, {
          [0.4 * limit]: async () => void (await begin()),
          [1.9 * limit]: async () => void (await end()),
        })),
      ]
      await expectRedis("connected", 5_000)
      answers.push(...(await load(apiKey, clients, 0.4 * limit)))
      expect(failed(answers)).toEqual([])
      const passed = through(answers).length
      const most = mostOf(answers.slice(0, 0.4 * limit))
      console.info(`${passed} passed, ${limit} are allowed, and ${most} by processes that count alone`)
      expect(passed).toBeGreaterThanOrEqual(limit)
      expect(passed).toBeLessThanOrEqual(most)
      // What one process had not heard of the other: less than a round of the clients for each.
      expect(most).toBeLessThanOrEqual(1.6 * limit + 2 * clients)
    },
    120_000,
  )

  const faults: ReadonlyArray<
    readonly [string, () => Promise<void> | void, () => Promise<void> | void, "connected" | "disconnected"]
  > = [
    ["hangs", () => server.pause(), () => server.resume(), "disconnected"],
    ["takes 400 ms to answer", () => proxy.slowDown(400), () => proxy.slowDown(0), "disconnected"],
    ["is restarted", () => server.kill().then(server.start), () => undefined, "connected"],
    ["resets its connections", () => proxy.reset(), () => undefined, "connected"],
  ]
  it.each(faults)(
    "answer every request in time while Redis %s, and report it",
    async (_fault, begin, end, meanwhile) => {
      const apiKey = await newKey("pro")
      await expectRedis("connected", 5_000)
      const before = slowest(await load(apiKey, 4, 200))
      const during = await load(apiKey, 4, 400, { 50: begin })
      expect(failed(during)).toEqual([])
      // What a request takes apart from Redis is what it took before, on a machine that does other things as well.
      expect(slowest(during)).toBeLessThan(mostWait + before)
      await expectRedis(meanwhile, 5_000)
      await end()
      await expectRedis("connected", 5_000)
      const [one, other] = [await ask(urls[0]!, apiKey), await ask(urls[1]!, apiKey)]
      expect(other.remaining).toBe(one.remaining - 1)
    },
    60_000,
  )

  it("do not start with an invalid REDIS_URL, and do not repeat its password", async () => {
    const api = startApi("redis://:hunter2@127.0.0.1/first")
    expect(await api.ended).toBe(2)
    expect(api.stderr()).toContain("REDIS_URL has a path that is not a database number")
    expect(api.stderr()).not.toContain("hunter2")
  })
})
