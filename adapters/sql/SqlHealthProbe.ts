import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { type Connection, HealthProbe } from "../../application/ports/HealthProbe.ts"

/** Asks the database with a statement; the limiter of this process lives in its memory. */
export const layer = Layer.effect(
  HealthProbe,
  Effect.map(SqlClient, (sql) =>
    HealthProbe.of({
      database: sql`SELECT 1`.pipe(
        Effect.as<Connection>("connected"),
        Effect.timeout("900 millis"),
        Effect.catchCause(() => Effect.succeed<Connection>("disconnected")),
      ),
      redis: Effect.succeed("connected"),
      externalServices: Effect.succeed({}),
    }),
  ),
)
