import * as Layer from "effect/Layer"
import { localRateLimiter } from "../../adapters/memory/MemoryRateLimiter.ts"
import { rememberResults } from "../../adapters/memory/rememberResults.ts"
import { RedisConnection } from "../../adapters/redis/RedisConnection.ts"
import * as RedisHealthProbe from "../../adapters/redis/RedisHealthProbe.ts"
import * as RedisRateLimiter from "../../adapters/redis/RedisRateLimiter.ts"
import * as RedisResultCache from "../../adapters/redis/RedisResultCache.ts"
import type { RedisSettings } from "../../adapters/redis/RedisSettings.ts"

/** Milliseconds. A request queries the limiter and the cache once each, and may wait 300 for Redis in total. */
const limiterPatience = 150
const cachePatience = 100

/** Rate limits and reports of all processes. Loaded only where there is a Redis. */
export const onRedis = (settings: RedisSettings) =>
  Layer.mergeAll(
    Layer.mergeAll(RedisRateLimiter.layer.pipe(Layer.provide(localRateLimiter())), RedisHealthProbe.layer).pipe(
      Layer.provide(RedisConnection.layer(settings, { purpose: "limiter", patience: limiterPatience })),
    ),
    rememberResults().pipe(
      Layer.provide(RedisResultCache.layer()),
      Layer.provide(RedisConnection.layer(settings, { purpose: "cache", patience: cachePatience })),
    ),
  )
