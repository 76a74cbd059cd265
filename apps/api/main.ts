import * as HttpServer from "effect/http/HttpServer"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { runMain } from "../runMain.ts"
import { configuration } from "../wiring/configuration.ts"
import { postgres, stores } from "../wiring/database.ts"
import { http } from "../wiring/http.ts"
import { defaultDataDirectory, identity } from "../wiring/identity.ts"
import { jsonLogs } from "../wiring/logs.ts"
import { paymentsAndSignIn } from "../wiring/payments.ts"

/** The API on its own, against Postgres. */
const program = Effect.gen(function* () {
  const settings = yield* configuration
  const database = Layer.mergeAll(stores, identity(defaultDataDirectory), paymentsAndSignIn).pipe(
    Layer.provide(postgres),
  )
  const api = http(settings, settings).pipe(Layer.provide(database))
  return yield* Effect.gen(function* () {
    yield* Effect.logInfo("API listens", { url: HttpServer.formatAddress((yield* HttpServer.HttpServer).address) })
    return yield* Effect.never
  }).pipe(Effect.provide(api))
}).pipe(Effect.provide(jsonLogs))

runMain(program, 0)
