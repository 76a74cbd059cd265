import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { HealthProbe } from "../../application/ports/HealthProbe.ts"
import { RedisConnection } from "./RedisConnection.ts"

/** The probe of the other dependencies, with Redis asked as well: by the connection that the limiter has. */
export const layer = Layer.effect(
  HealthProbe,
  Effect.gen(function* () {
    const others = yield* HealthProbe
    const { state } = yield* RedisConnection
    return HealthProbe.of({ ...others, redis: state })
  }),
)
