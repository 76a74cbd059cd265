/** Opens the data directory named by the argument, creates an analysis, reports that on stdout, and waits to be killed. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PgliteClient from "../../../adapters/pglite/PgliteClient.ts"
import { migrate } from "../../../adapters/sql/migrate.ts"
import { create, newUser, stores } from "../../support/stores.ts"

const database = PgliteClient.layer({ dataDirectory: process.argv[2] })

await Effect.runPromise(
  Effect.gen(function* () {
    const userId = yield* newUser()
    const analysisId = yield* create(userId)
    process.stdout.write(`${JSON.stringify({ userId, analysisId })}\n`)
    // An open timer keeps the process alive.
    setInterval(() => {}, 60_000)
    yield* Effect.never
  }).pipe(Effect.provide(stores.pipe(Layer.provideMerge(Layer.effectDiscard(migrate)), Layer.provideMerge(database)))),
)
