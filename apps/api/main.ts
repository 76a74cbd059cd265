import * as HttpServer from "effect/http/HttpServer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { runService } from "../runService.ts"
import { configuration } from "../wiring/configuration.ts"
import { postgres, stores } from "../wiring/database.ts"
import { http } from "../wiring/http.ts"
import { defaultDataDirectory, identity } from "../wiring/identity.ts"
import { jsonLogs } from "../wiring/logs.ts"
import { paymentsAndSignIn } from "../wiring/payments.ts"
import { sharedLimits } from "../wiring/redis.ts"
import { apiMetrics, tracing } from "../wiring/telemetry.ts"

/** The API alone, against Postgres. */
const program = Effect.gen(function* () {
  const settings = yield* configuration
  const database = Layer.mergeAll(stores, identity(defaultDataDirectory), paymentsAndSignIn).pipe(
    Layer.provide(postgres),
  )
  // Built after its dependencies and ended before them: metrics are read while the API drains.
  const api = http(settings, settings, sharedLimits).pipe(
    Layer.provide(database),
    Layer.provide(apiMetrics(settings).pipe(Layer.provide(postgres))),
  )
  return yield* Effect.gen(function* () {
    yield* Effect.logInfo("API server started", {
      url: HttpServer.formatAddress((yield* HttpServer.HttpServer).address),
    })
    return yield* Effect.never
  }).pipe(Effect.provide(api))
}).pipe(Effect.provide(tracing("assay-api")), Effect.provide(jsonLogs))

runService("api", "Serves the API on PORT, using the database at DATABASE_URL.", program)
