import * as Effect from "effect/Effect"
import { SqlError, UnknownError } from "effect/sql/SqlError"

/** Checks the response to `COMMIT`: Postgres ends an aborted transaction by answering `ROLLBACK`, without an error. */
export const committed = (command: string | undefined): Effect.Effect<void, SqlError> =>
  command === "ROLLBACK"
    ? Effect.fail(
        new SqlError({
          reason: new UnknownError({
            cause: new Error("COMMIT rolled back an aborted transaction"),
            operation: "commit",
          }),
        }),
      )
    : Effect.void
