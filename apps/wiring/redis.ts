import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { memoryRateLimiter } from "../../adapters/memory/MemoryRateLimiter.ts"
import { rememberResults } from "../../adapters/memory/rememberResults.ts"
import { parseRedisUrl } from "../../adapters/redis/RedisSettings.ts"
import { HealthProbe } from "../../application/ports/HealthProbe.ts"
import { Refusal } from "../runMain.ts"

/** In this process's memory: correct for a single process. */
export const ownLimits = Layer.mergeAll(memoryRateLimiter(), Layer.effect(HealthProbe, HealthProbe), rememberResults())

/**
 * Rate limits and reports shared by every process through the Redis at `REDIS_URL`; without one, each process has its
 * own limits.
 */
export const sharedLimits = Layer.unwrap(
  Effect.gen(function* () {
    const url = Option.filter(yield* Config.option(Config.Redacted("REDIS_URL")), (text) => Redacted.value(text) !== "")
    if (Option.isNone(url)) return ownLimits
    const settings = parseRedisUrl(Redacted.value(url.value).trim())
    if (Result.isFailure(settings)) return yield* Effect.fail(new Refusal(`REDIS_URL ${settings.failure}.`))
    const { onRedis } = yield* Effect.promise(() => import("./onRedis.ts"))
    return onRedis(settings.success)
  }).pipe(
    Effect.catchTag("ConfigError", (error) => Effect.fail(new Refusal(`Invalid configuration. ${error.message}`))),
  ),
)
