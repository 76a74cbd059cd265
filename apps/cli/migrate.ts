import * as Effect from "effect/Effect"
import { runMain } from "../runMain.ts"
import { postgres, upToDate } from "../wiring/database.ts"

runMain(
  upToDate.pipe(
    Effect.tap((applied) =>
      Effect.sync(() =>
        process.stderr.write(
          applied.length === 0 ? "The schema is up to date.\n" : `Applied ${applied.length} migrations.\n`,
        ),
      ),
    ),
    Effect.as(0),
    Effect.provide(postgres),
  ),
)
