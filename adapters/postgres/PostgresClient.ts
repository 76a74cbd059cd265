import { PgClient } from "@effect/sql-pg"
import * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Reactivity from "effect/reactivity/Reactivity"
import type * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { Notifications } from "../sql/Notifications.ts"

export interface Options {
  readonly url: Redacted.Redacted
  /** Connections of this process. Reads share them, each transaction takes one; listening has its own beside them. */
  readonly maxConnections: number
  readonly connectTimeout: Duration.Duration
  /** After which the server ends a statement. */
  readonly statementTimeout: Duration.Duration
}

/** A result is one message: the largest report that can be read back. */
const maxMessageSize = 64 * 1024 * 1024

/** Channels that a process listens on at most, a connection each. */
const maxListeners = 4

/** For UNLISTEN and for closing the pool: a server that hangs answers neither, and a process must not outlast its end. */
const farewell = Duration.seconds(2)

const close = (scope: Scope.Closeable, exit: Exit.Exit<unknown, unknown>) =>
  Effect.flatMap(Effect.forkDetach(Scope.close(scope, exit)), (closing) =>
    Effect.timeoutOption(Effect.interruptible(Fiber.await(closing)), farewell),
  )

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
      Effect.acquireUseRelease(
        Scope.make(),
        (scope) =>
          Effect.flatMap(Scope.provide(client.listen(channel), scope), (received) =>
            Effect.andThen(
              Effect.sync(onNotify),
              Effect.forever(Effect.andThen(Queue.take(received), Effect.sync(onNotify))),
            ),
          ),
        (scope, exit) => close(scope, exit),
      ),
  })

const pool = (options: Options) =>
  Effect.flatMap(Effect.acquireRelease(Scope.make(), close), (scope) => Scope.provide(make(options), scope))

/**
 * A pool of connections to Postgres 14 or newer, opened as they are needed, and another one for listening: who listens
 * keeps a connection for good, so that from a small pool there would be none left for statements.
 */
export const layer = (options: Options): Layer.Layer<SqlClient.SqlClient | Notifications, SqlError> =>
  Layer.effectContext(
    Effect.map(Effect.all([pool(options), pool({ ...options, maxConnections: maxListeners })]), ([client, listener]) =>
      Context.make(SqlClient.SqlClient, client as SqlClient.SqlClient).pipe(
        Context.add(Notifications, notifications(listener)),
      ),
    ),
  ).pipe(Layer.provide(Reactivity.layer))

/**
 * From `DATABASE_URL`, `DATABASE_POOL_SIZE` (10), `DATABASE_CONNECT_TIMEOUT` (`5 seconds`) and
 * `DATABASE_STATEMENT_TIMEOUT` (`10 seconds`).
 */
export const config: Config.Config<Options> = Config.all({
  url: Config.Redacted("DATABASE_URL"),
  maxConnections: Config.schema(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1000 })),
    "DATABASE_POOL_SIZE",
  ).pipe(Config.withDefault(10)),
  connectTimeout: Config.Duration("DATABASE_CONNECT_TIMEOUT").pipe(Config.withDefault(Duration.seconds(5))),
  statementTimeout: Config.Duration("DATABASE_STATEMENT_TIMEOUT").pipe(Config.withDefault(Duration.seconds(10))),
})
