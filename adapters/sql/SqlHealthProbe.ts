import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { type Connection, HealthProbe, type Writes } from "../../application/ports/HealthProbe.ts"
import { onOwnConnection } from "./Lane.ts"

const patience = "900 millis"

/**
 * A lock that keeps changes, or everything, from a table, or somebody who waits for one: transactions of ours take no
 * such lock, and nobody waits for a table because of them. The first 16,384 ids are the catalog's.
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
 * Asks the database with a statement that no lock on a table holds up, and over a connection on which it does not follow
 * others that one holds up; the limiter of this process is in its memory.
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
