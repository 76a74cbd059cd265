import { randomBytes } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { WorkerId } from "../../domain/ids/Ids.ts"
import { localRateLimiter, memoryRateLimiter } from "../../adapters/memory/MemoryRateLimiter.ts"
import { RedisConnection } from "../../adapters/redis/RedisConnection.ts"
import * as RedisRateLimiter from "../../adapters/redis/RedisRateLimiter.ts"
import * as RedisResultCache from "../../adapters/redis/RedisResultCache.ts"
import { AnalysisQueue } from "../../application/ports/analysis/AnalysisQueue.ts"
import * as SqlAnalysisQueue from "../../adapters/sql/SqlAnalysisQueue.ts"
import * as SqlAnalysisStore from "../../adapters/sql/SqlAnalysisStore.ts"
import * as SqlAccounts from "../../adapters/sql/identity/SqlAccounts.ts"
import { AnalysisStore } from "../../application/ports/analysis/AnalysisStore.ts"
import { Accounts } from "../../application/ports/identity/Accounts.ts"
import { RateLimiter } from "../../application/ports/RateLimiter.ts"
import { ResultCache } from "../../application/ports/analysis/ResultCache.ts"
import { sampleResult } from "../support/app.ts"
import { postgresDatabase } from "../support/databases.ts"
import { startPostgres } from "../support/postgresServer.ts"
import { startRedis } from "../support/redisServer.ts"
import { RepositoryUrl } from "../../domain/repository/RepositoryUrl.ts"

/**
 * What Redis costs and saves, at 32 requests at a time: counting a request in memory and in Redis, and reading a badge
 * and a result of 200 kB from Postgres and from Redis: `node test/bench/redis.ts [seconds]`.
 */

const seconds = Number(process.argv[2] ?? 3)
const concurrency = 32

const postgres = await startPostgres()
const redis = await startRedis()
if (postgres === undefined || redis === undefined) throw new Error("it takes Postgres and Redis")

/** Operations a second, and the time of one at the median and the 99th percentile, in milliseconds. */
const measure = Effect.fnUntraced(function* <E, R>(name: string, operation: Effect.Effect<unknown, E, R>) {
  const times: Array<number> = []
  const end = performance.now() + seconds * 1_000
  yield* Effect.all(
    Array.from({ length: concurrency }, () =>
      Effect.gen(function* () {
        while (performance.now() < end) {
          const since = performance.now()
          yield* operation
          times.push(performance.now() - since)
          yield* Effect.yieldNow
        }
      }),
    ),
    { concurrency: "unbounded", discard: true },
  )
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(times.length * share)]!.toFixed(2).padStart(7)
  const rate = Math.round(times.length / seconds).toString()
  console.log(`${name.padEnd(34)} ${rate.padStart(8)}/s   median ${at(0.5)} ms   99 % ${at(0.99)} ms`)
})

const connection = (purpose: string) => RedisConnection.layer(redis.settings, { purpose, patience: 1_000 })
const consume = RateLimiter.use((limiter) => limiter.consume("read", "somebody", 1e9))

const limits = Effect.gen(function* () {
  yield* measure("limiter in memory", consume.pipe(Effect.provide(yield* Layer.build(memoryRateLimiter()))))
  const shared = RedisRateLimiter.layer.pipe(Layer.provide([localRateLimiter(), connection("limiter")]))
  yield* measure("limiter on Redis", consume.pipe(Effect.provide(yield* Layer.build(shared))))
})

const reads = Effect.gen(function* () {
  const store = yield* AnalysisStore
  const queue = yield* AnalysisQueue
  const cache = yield* ResultCache
  const userId = yield* (yield* Accounts).createUser("bench@example.test", "pro")
  const repositoryUrl = RepositoryUrl.make("https://github.com/example/vault")
  const submission = { userId, repositoryUrl, branch: undefined, framework: "auto", analysisType: "full" } as const
  const { analysisId } = yield* store.create({ ...submission, webhookUrl: undefined }, undefined)
  const job = yield* Effect.fromOption(yield* queue.claim(WorkerId.make("bench")))
  const result = sampleResult(analysisId, repositoryUrl)
  // Half of it does not compress, as code and prose do by about half.
  const markdownReport = randomBytes(75_000).toString("hex")
  const json = JSON.stringify({ ...result, markdownReport })
  const [informational, branch, framework] = [0, "main", "evm"] as const
  const fingerprints = [result.findings[0]!.fingerprint]
  const { summary, findings } = result
  const reports = { json, markdown: "", sarif: "", access: "", html: "" }
  yield* queue.complete(job, {
    reports,
    summary,
    informational,
    fingerprints,
    findings,
    branch,
    framework,
    commit: undefined,
  })
  const report = store.report(analysisId, "json", () => Effect.succeed(json))
  yield* cache.put(analysisId, "json", { repositoryUrl: repositoryUrl, ...(yield* Effect.fromOption(yield* report)) })

  yield* measure("badge from Postgres", store.badge(analysisId))
  yield* cache.putBadge(analysisId, yield* store.badge(analysisId))
  yield* measure("badge from Redis", cache.badge(analysisId))
  yield* measure("result from Postgres", Effect.andThen(store.find(userId, analysisId), report))
  const cached = Effect.andThen(cache.get(analysisId, "json"), store.progress(userId, analysisId))
  yield* measure("result from Redis, owner checked", cached)
  yield* measure("result unchanged, owner checked", store.progress(userId, analysisId))
})

const services = Layer.mergeAll(
  Layer.mergeAll(SqlAnalysisStore.layer, SqlAnalysisQueue.layer, SqlAccounts.layer).pipe(
    Layer.provide(postgresDatabase(postgres)),
  ),
  RedisResultCache.layer().pipe(Layer.provide(connection("cache"))),
)

await Effect.runPromise(
  Effect.scoped(Effect.andThen(limits, reads.pipe(Effect.provide(services)))).pipe(Effect.provide(Logger.layer([]))),
)
await redis.stop()
await postgres.stop()
