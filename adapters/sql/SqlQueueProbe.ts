import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { QueueProbe } from "../../application/ports/analysis/QueueProbe.ts"
import { decodeRows } from "./decodeRows.ts"
import { whileAvailable } from "./whileAvailable.ts"

const decode = decodeRows(
  Schema.Struct({ pending: Schema.Int, running: Schema.Int, oldestPendingSeconds: Schema.Number }),
)

/** Scans only the partial indexes of waiting and running analyses; finished ones cost nothing. */
export const layer = Layer.effect(
  QueueProbe,
  Effect.map(SqlClient, (sql) =>
    QueueProbe.of({
      depth: whileAvailable(
        decode(sql`
          SELECT count(*)::int AS pending,
            (SELECT count(*)::int FROM analyses WHERE status = 'running') AS running,
            greatest(0, coalesce(extract(epoch FROM now() - min(available_at)), 0))::float8 AS "oldestPendingSeconds"
          FROM analyses WHERE status = 'pending'`),
      ).pipe(
        Effect.flatMap(([row]) => (row === undefined ? Effect.die(new Error("No row")) : Effect.succeed(row))),
        Effect.map(({ oldestPendingSeconds, ...counts }) => ({
          ...counts,
          oldestPending: Duration.seconds(oldestPendingSeconds),
        })),
        Effect.withTracerEnabled(false),
      ),
    }),
  ),
)
