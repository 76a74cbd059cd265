import { PgClient, PgConnection, PgPool } from "@effect/sql-pg"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import * as SqlClient from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import type { SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import { CurrentWaitingTime } from "../../application/ports/Deadline.ts"
import { committed } from "../sql/committed.ts"
import { Lane } from "../sql/Lane.ts"
import { FairShare } from "./FairShare.ts"
import { SlowStatements } from "./SlowStatements.ts"
import { type Keeper, TimedConnection } from "./TimedConnection.ts"

export interface LaneOptions {
  readonly connection: PgConnection.Config
  readonly shared: number
  readonly own: number
  /** After which the server ends a statement on a connection of its own. */
  readonly statementTimeout: Duration.Duration
}

/**
 * After which the server ends a statement on a shared connection, even if it is waiting for a lock. The statement then
 * runs again on a connection of its own, as does the next one with the same text, so it holds up those behind it only once.
 */
const sharedTimeout = Duration.millis(250)

/**
 * How many statements follow each other on a shared connection: together they cannot take longer than a request may.
 */
const sharedBy = 16

/** Longer than all statements that share a connection may take together. */
const sharedSilence = Duration.sum(Duration.times(sharedTimeout, sharedBy), Duration.seconds(1))

/** How long a statement waits for a lock of another transaction. */
const lockTimeout = Duration.seconds(2)

/** For a server that no longer hears from us: our transactions wait only for the database. */
const idleInTransaction = Duration.seconds(5)

/** Milliseconds within which at most one connection is given up because its server is read-only. */
const betweenFarewells = 1_000

/** PostgreSQL reads a time without a unit as whole milliseconds. */
const setting = (time: Duration.Duration): string => String(Math.ceil(Duration.toMillis(time)))

const parameters = (statementTimeout: Duration.Duration): Readonly<Record<string, string>> => ({
  statement_timeout: setting(statementTimeout),
  lock_timeout: setting(lockTimeout),
  idle_in_transaction_session_timeout: setting(idleInTransaction),
})

/**
 * A replaced primary keeps answering as a read-only server: its connections are given up one by one, so that the host
 * is resolved again.
 */
const keeperOf = (pool: PgPool.PgPool, silence: Duration.Duration, shared: boolean): Keeper => {
  let last = -Infinity
  return {
    silence: Duration.toMillis(silence),
    shared,
    onReadOnly: (connection) => {
      const now = performance.now()
      if (now - last < betweenFarewells) return
      last = now
      Effect.runFork(pool.invalidate(connection))
    },
  }
}

const openPool = (
  options: LaneOptions,
  multiplex: boolean,
  maxConnections: number,
  statementTimeout: Duration.Duration,
) =>
  PgPool.make({
    ...options.connection,
    maxConnections,
    multiplex,
    multiplexConcurrency: sharedBy,
    startupParameters: parameters(statementTimeout),
  })

const commit = (connection: Connection) =>
  // Of our own making, below.
  Effect.flatMap((connection as TimedConnection).executeRaw("COMMIT", []), ({ command }) => committed(command))

/**
 * A client over two pools. Statements share a few connections (1,726 lists a second, and 844 over one each, 2026-11)
 * until one is slow: a statement that reads statistics, or waits for a lock on a table, then gets a connection of its
 * own, so that nobody who wants something else waits behind it. Transactions take at most half of those connections,
 * and statements that proved slow a quarter: neither can occupy all of them while waiting for a lock, and results,
 * which need them as well, continue. The requests of one caller get a quarter at a time, whatever they ask for.
 */
export const laneClient = Effect.fnUntraced(function* (options: LaneOptions) {
  const shared = yield* openPool(options, true, options.shared, sharedTimeout)
  const own = yield* openPool(options, false, options.own, options.statementTimeout)
  const sharedKeeper = keeperOf(shared, sharedSilence, true)
  const ownKeeper = keeperOf(own, Duration.sum(options.statementTimeout, Duration.seconds(1)), false)
  const slow = new SlowStatements()
  const transactions = yield* Semaphore.make(Math.ceil(options.own / 2))
  const places = yield* Semaphore.make(Math.ceil(options.own / 4))
  const shares = new FairShare(Math.max(1, Math.floor(options.own / 4)))

  type Run<A> = (connection: TimedConnection) => Effect.Effect<A, SqlError>
  const onShared = <A>(run: Run<A>) => shared.use((connection) => run(new TimedConnection(connection, sharedKeeper)))
  const onOwn = <A>(run: Run<A>) => own.use((connection) => run(new TimedConnection(connection, ownKeeper)))
  const slowly = <A>(sql: string, run: Run<A>) =>
    places.withPermit(
      Effect.suspend(() => {
        const since = performance.now()
        return Effect.tap(onOwn(run), () => Effect.sync(() => slow.took(sql, performance.now() - since)))
      }),
    )

  const run = <A>(sql: string, statement: Run<A>): Effect.Effect<A, SqlError> =>
    Effect.withFiber((fiber) => {
      const caller = fiber.getRef(CurrentWaitingTime)?.caller
      if (fiber.getRef(Lane) === "own") return shares.within(caller, onOwn(statement))
      if (slow.has(sql)) return shares.within(caller, slowly(sql, statement))
      return Effect.catchIf(
        onShared(statement),
        // The server ended it, so it has done nothing.
        ({ reason }) => reason._tag === "StatementTimeoutError",
        () => {
          slow.add(sql)
          return shares.within(caller, slowly(sql, statement))
        },
      )
    })

  const share = Effect.withFiber((fiber) => shares.take(fiber.getRef(CurrentWaitingTime)?.caller))
  const stream = Effect.andThen(
    share,
    Effect.map(own.get, (connection) => new TimedConnection(connection, ownKeeper)),
  )
  /** Stands for whichever connection a statement outside a transaction gets. */
  const any: Connection = {
    execute: (sql, params, transform) => run(sql, (connection) => connection.execute(sql, params, transform)),
    executeUnprepared: (sql, params, transform) =>
      run(sql, (connection) => connection.executeUnprepared(sql, params, transform)),
    executeRaw: (sql, params) => run(sql, (connection) => connection.executeRaw(sql, params)),
    executeValues: (sql, params) => run(sql, (connection) => connection.executeValues(sql, params)),
    executeValuesUnprepared: (sql, params) => run(sql, (connection) => connection.executeValuesUnprepared(sql, params)),
    executeStream: (sql, params, transform) =>
      Stream.unwrap(Effect.map(stream, (connection) => connection.executeStream(sql, params, transform))),
  }

  return yield* SqlClient.make({
    acquirer: Effect.succeed(any),
    borrower: (use) => use(any),
    transactionAcquirer: Effect.andThen(
      Effect.andThen(share, Semaphore.takeScoped(transactions, 1)),
      Effect.map(own.reserve, (connection) => new TimedConnection(connection, ownKeeper)),
    ),
    compiler: PgClient.makeCompiler(),
    driver: "pg",
    prepareTransactionControls: true,
    commit,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    spanAttributes: [["db.system.name", "postgresql"]],
  })
})
