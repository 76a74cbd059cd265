import * as Effect from "effect/Effect"
import { runService } from "../runService.ts"
import { postgres, upToDate } from "../wiring/database.ts"

const program = upToDate.pipe(
  Effect.tap((applied) =>
    Effect.sync(() =>
      process.stderr.write(
        applied.length === 0 ? "The schema is up to date.\n" : `Applied ${applied.length} migrations.\n`,
      ),
    ),
  ),
  Effect.provide(postgres),
)

runService("migrate", "Migrates the schema of the database at DATABASE_URL, then exits.", program, 130)
