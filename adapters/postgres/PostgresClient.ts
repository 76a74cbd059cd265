import { PgConnection } from "@effect/sql-pg"
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
import { markTransactions } from "../sql/markTransactions.ts"
import { Notifications } from "../sql/Notifications.ts"
import { laneClient } from "./lanes.ts"
import { TimedConnection } from "./TimedConnection.ts"

export interface Options {
  readonly url: Redacted.Redacted
  /** How many connections this process has for statements, at least 2; listening has its own. */
  readonly maxConnections: number
  readonly connectTimeout: Duration.Duration
  /** After which the server ends a statement. */
  readonly statementTimeout: Duration.Duration
}

/** A result is one message: this is the largest report that can be read back. */
const maxMessageSize = 64 * 1024 * 1024

/** For UNLISTEN and for closing the pool: a hanging server answers neither, and a process must not outlast its end. */
const farewell = Duration.seconds(2)

const close = (scope: Scope.Closeable, exit: Exit.Exit<unknown, unknown>) =>
  Effect.flatMap(Effect.forkDetach(Scope.close(scope, exit)), (closing) =>
    Effect.timeoutOption(Effect.interruptible(Fiber.await(closing)), farewell),
  )

const connection = (options: Options) => ({
  url: options.url,
  applicationName: "assay",
  connectTimeout: options.connectTimeout,
  idleTimeout: Duration.minutes(5),
  keepAlive: Duration.seconds(5),
  maxMessageSize,
})

/** Statements share a quarter of the connections, which saves packets and database processes. */
const sharedOf = (maxConnections: number): number => Math.max(1, Math.floor(maxConnections / 4))

const client = (options: Options) =>
  Effect.flatMap(Effect.acquireRelease(Scope.make(), close), (scope) => {
    const shared = sharedOf(options.maxConnections)
    return Scope.provide(
      laneClient({
        connection: connection(options),
        shared,
        own: Math.max(1, options.maxConnections - shared),
        statementTimeout: options.statementTimeout,
      }),
      scope,
    )
  })

/** An idle connection hears silence, and so does one whose server is gone: this one is asked. */
const askEvery = Duration.seconds(5)
const listening = { silence: 3_000, shared: false, onReadOnly: () => {} }
const asked = (listener: PgConnection.PgConnection): Effect.Effect<never, SqlError> =>
  Effect.forever(
    Effect.andThen(Effect.sleep(askEvery), new TimedConnection(listener, listening).executeRaw("SELECT 1", [])),
  )

const notifications = (options: Options) =>
  Notifications.of({
    listen: (channel, onNotify): Effect.Effect<never, SqlError> =>
      Effect.acquireUseRelease(
        Scope.make(),
        (scope) =>
          Effect.gen(function* () {
            const listener = yield* (yield* PgConnection.make(connection(options))).pin
            const received = yield* listener.listen(channel)
            onNotify()
            const heard = Effect.forever(Effect.andThen(Queue.take(received), Effect.sync(onNotify)))
            return yield* Effect.raceFirst(heard, asked(listener))
          }).pipe(Scope.provide(scope)),
        (scope, exit) => close(scope, exit),
      ),
  })

/**
 * Connections to Postgres 14 or newer, opened as they are needed, and one for each channel that is listened on: a
 * listener keeps its connection for good, and would leave none for statements in a small pool.
 */
export const layer = (options: Options): Layer.Layer<SqlClient.SqlClient | Notifications, SqlError> =>
  Layer.effectContext(
    Effect.map(client(options), (sql) =>
      Context.make(SqlClient.SqlClient, markTransactions(sql)).pipe(Context.add(Notifications, notifications(options))),
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
