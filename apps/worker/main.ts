import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { runMain } from "../runMain.ts"
import { configuration } from "../wiring/configuration.ts"
import { postgres, stores } from "../wiring/database.ts"
import { defaultDataDirectory, identity } from "../wiring/identity.ts"
import { jsonLogs } from "../wiring/logs.ts"
import { worker } from "../wiring/worker.ts"

/** A worker on its own, against Postgres. */
const program = Effect.gen(function* () {
  const settings = yield* configuration
  yield* Effect.logInfo("worker starts", { concurrency: settings.workerConcurrency })
  const database = Layer.merge(stores, identity(defaultDataDirectory)).pipe(Layer.provide(postgres))
  return yield* Layer.launch(worker(settings).pipe(Layer.provide(database)))
}).pipe(Effect.provide(jsonLogs))

runMain(program, 0)
