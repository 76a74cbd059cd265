import * as HttpServer from "effect/http/HttpServer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { runMain } from "../runMain.ts"
import { configuration } from "../wiring/configuration.ts"
import { postgres, stores } from "../wiring/database.ts"
import { http } from "../wiring/http.ts"
import { jsonLogs } from "../wiring/logs.ts"

/** The API on its own, against Postgres. */
const program = Effect.gen(function* () {
  const settings = yield* configuration
  const api = http(settings, settings).pipe(Layer.provide(stores.pipe(Layer.provide(postgres))))
  return yield* Effect.gen(function* () {
    yield* Effect.logInfo("API listens", { url: HttpServer.formatAddress((yield* HttpServer.HttpServer).address) })
    return yield* Effect.never
  }).pipe(Effect.provide(api))
}).pipe(Effect.provide(jsonLogs))

runMain(program, 0)
