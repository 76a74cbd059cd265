import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { localRateLimiter, memoryRateLimiter } from "../../adapters/memory/MemoryRateLimiter.ts"
import { rememberResults } from "../../adapters/memory/rememberResults.ts"
import { RedisConnection } from "../../adapters/redis/RedisConnection.ts"
import * as RedisHealthProbe from "../../adapters/redis/RedisHealthProbe.ts"
import * as RedisRateLimiter from "../../adapters/redis/RedisRateLimiter.ts"
import * as RedisResultCache from "../../adapters/redis/RedisResultCache.ts"
import { parseRedisUrl, type RedisSettings } from "../../adapters/redis/RedisSettings.ts"
import { HealthProbe } from "../../application/ports/HealthProbe.ts"
import { Refusal } from "../runMain.ts"

/** In this process's memory: correct for a single process. */
export const ownLimits = Layer.mergeAll(memoryRateLimiter(), Layer.effect(HealthProbe, HealthProbe), rememberResults())

/** Milliseconds. A request queries the limiter and the cache once each, and may wait 300 for Redis in total. */
const limiterPatience = 150
const cachePatience = 100

const onRedis = (settings: RedisSettings) =>
  Layer.mergeAll(
    Layer.mergeAll(RedisRateLimiter.layer.pipe(Layer.provide(localRateLimiter())), RedisHealthProbe.layer).pipe(
      Layer.provide(RedisConnection.layer(settings, { purpose: "limiter", patience: limiterPatience })),
    ),
    rememberResults().pipe(
      Layer.provide(RedisResultCache.layer()),
      Layer.provide(RedisConnection.layer(settings, { purpose: "cache", patience: cachePatience })),
    ),
  )

/**
 * Rate limits and reports shared by every process through the Redis at `REDIS_URL`; without one, each process has its
 * own limits.
 */
export const sharedLimits = Layer.unwrap(
  Effect.gen(function* () {
    const url = Option.filter(yield* Config.option(Config.Redacted("REDIS_URL")), (text) => Redacted.value(text) !== "")
    if (Option.isNone(url)) return ownLimits
    const settings = parseRedisUrl(Redacted.value(url.value).trim())
    return Result.isFailure(settings)
      ? yield* Effect.fail(new Refusal(`REDIS_URL ${settings.failure}.`))
      : onRedis(settings.success)
  }).pipe(
    Effect.catchTag("ConfigError", (error) => Effect.fail(new Refusal(`Invalid configuration. ${error.message}`))),
  ),
)
