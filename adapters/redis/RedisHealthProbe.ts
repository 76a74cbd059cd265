import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { HealthProbe } from "../../application/ports/HealthProbe.ts"
import { RedisConnection } from "./RedisConnection.ts"

/** Adds Redis to the health probe of the other dependencies, over the limiter's connection. */
export const layer = Layer.effect(
  HealthProbe,
  Effect.gen(function* () {
    const others = yield* HealthProbe
    const { state } = yield* RedisConnection
    return HealthProbe.of({ ...others, redis: state })
  }),
)
