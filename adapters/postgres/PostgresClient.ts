import { PgClient } from "@effect/sql-pg"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Reactivity from "effect/reactivity/Reactivity"
import type * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { Notifications } from "../sql/Notifications.ts"

export interface Options {
  readonly url: Redacted.Redacted
  /** Connections of this process. Reads share them; each transaction and the listener take one. */
  readonly maxConnections: number
  readonly connectTimeout: Duration.Duration
  /** After which the server ends a statement. */
  readonly statementTimeout: Duration.Duration
}

/** A result is one message: the largest report that can be read back. */
const maxMessageSize = 64 * 1024 * 1024

const milliseconds = (duration: Duration.Duration) => String(Math.ceil(Duration.toMillis(duration)))

const make = (options: Options) =>
  PgClient.make({
    url: options.url,
    applicationName: "assay",
    maxConnections: options.maxConnections,
    connectTimeout: options.connectTimeout,
    idleTimeout: Duration.minutes(5),
    keepAlive: Duration.seconds(30),
    // Statements of concurrent requests share a connection and a packet.
    multiplex: true,
    maxMessageSize,
    startupParameters: {
      statement_timeout: milliseconds(options.statementTimeout),
      idle_in_transaction_session_timeout: milliseconds(Duration.seconds(30)),
    },
  })

const notifications = (client: PgClient.PgClient) =>
  Notifications.of({
    listen: (channel, onNotify): Effect.Effect<never, SqlError> =>
      Effect.scoped(
        Effect.flatMap(client.listen(channel), (received) =>
          Effect.andThen(
            Effect.sync(onNotify),
            Effect.forever(Effect.andThen(Queue.take(received), Effect.sync(onNotify))),
          ),
        ),
      ),
  })

/** A pool of connections to Postgres 14 or newer, opened as they are needed. */
export const layer = (options: Options): Layer.Layer<SqlClient.SqlClient | Notifications, SqlError> =>
  Layer.effectContext(
    Effect.map(make(options), (client) =>
      Context.make(SqlClient.SqlClient, client as SqlClient.SqlClient).pipe(
        Context.add(Notifications, notifications(client)),
      ),
    ),
  ).pipe(Layer.provide(Reactivity.layer))

/**
 * From `DATABASE_URL`, `DATABASE_POOL_SIZE` (10), `DATABASE_CONNECT_TIMEOUT` (`5 seconds`) and
 * `DATABASE_STATEMENT_TIMEOUT` (`10 seconds`).
 */
export const config: Config.Config<Options> = Config.all({
  url: Config.Redacted("DATABASE_URL"),
  maxConnections: Config.Int("DATABASE_POOL_SIZE").pipe(Config.withDefault(10)),
  connectTimeout: Config.Duration("DATABASE_CONNECT_TIMEOUT").pipe(Config.withDefault(Duration.seconds(5))),
  statementTimeout: Config.Duration("DATABASE_STATEMENT_TIMEOUT").pipe(Config.withDefault(Duration.seconds(10))),
})
