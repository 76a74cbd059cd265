import * as Layer from "effect/Layer"
import { localRateLimiter } from "../../adapters/memory/MemoryRateLimiter.ts"
import { RedisConnection } from "../../adapters/redis/RedisConnection.ts"
import * as RedisRateLimiter from "../../adapters/redis/RedisRateLimiter.ts"
import type { RedisSettings } from "../../adapters/redis/RedisSettings.ts"

/** The limiter on Redis as the API uses it, with the same timeouts, and its connection. */
export const redisLimiter = (settings: RedisSettings, patience = 150) =>
  RedisRateLimiter.layer.pipe(
    Layer.provide(localRateLimiter()),
    Layer.provideMerge(RedisConnection.layer(settings, { purpose: "test", patience })),
  )
