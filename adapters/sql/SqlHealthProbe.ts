import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { type Connection, HealthProbe, type Writes } from "../../application/ports/HealthProbe.ts"
import { onOwnConnection } from "./Lane.ts"

const patience = "900 millis"

/**
 * A lock that prevents writes to a table, or all access, or somebody waiting for one. Our own transactions take no such
 * lock and make nobody wait for a table. The first 16,384 ids belong to the catalog.
 */
const writes = (sql: SqlClient) => sql<{ writes: Writes }>`
  SELECT CASE
    WHEN current_setting('transaction_read_only') = 'on' THEN 'read_only'
    WHEN EXISTS (
      SELECT FROM pg_locks
      WHERE locktype = 'relation' AND relation >= 16384
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND (NOT granted OR mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock'))
    ) THEN 'locked'
    ELSE 'possible' END AS writes`

/**
 * Checks the database with a statement that no table lock delays, on a connection where it does not queue behind
 * statements that one delays; this process's limiter is in its memory.
 */
export const layer = Layer.effect(
  HealthProbe,
  Effect.map(SqlClient, (sql) =>
    HealthProbe.of({
      database: sql`SELECT 1`.pipe(
        onOwnConnection,
        Effect.as<Connection>("connected"),
        Effect.timeout(patience),
        Effect.catchCause(() => Effect.succeed<Connection>("disconnected")),
      ),
      writes: writes(sql).pipe(
        onOwnConnection,
        Effect.map(([row]) => row?.writes ?? "unknown"),
        Effect.timeout(patience),
        Effect.catchCause(() => Effect.succeed<Writes>("unknown")),
      ),
      redis: Effect.succeed("connected"),
      externalServices: Effect.succeed({}),
    }),
  ),
)
