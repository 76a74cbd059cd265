import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ConsumerState } from "../../application/analysis/ConsumerState.ts"
import { runService } from "../runService.ts"
import { configuration } from "../wiring/configuration.ts"
import { postgres, stores } from "../wiring/database.ts"
import { defaultDataDirectory, identity } from "../wiring/identity.ts"
import { jsonLogs } from "../wiring/logs.ts"
import { tracing, workerMetrics } from "../wiring/telemetry.ts"
import { worker } from "../wiring/worker.ts"

/** A worker alone, against Postgres. */
const program = Effect.gen(function* () {
  const settings = yield* configuration
  yield* Effect.logInfo("worker started", { concurrency: settings.workerConcurrency })
  const database = Layer.merge(stores, identity(defaultDataDirectory))
  // Each is built after its dependencies and ends before them: probes respond while the worker drains.
  const service = worker(settings).pipe(
    Layer.provide(database),
    Layer.provide(workerMetrics(settings)),
    Layer.provide([postgres, ConsumerState.layer]),
  )
  return yield* Layer.launch(service)
}).pipe(Effect.provide(tracing("assay-worker")), Effect.provide(jsonLogs))

runService("worker", "Claims analyses from the database at DATABASE_URL and runs them.", program)
