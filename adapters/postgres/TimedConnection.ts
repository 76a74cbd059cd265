import type { PgConnection, Result, Row } from "@effect/sql-pg/PgConnection"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { hasProperty } from "effect/Predicate"
import type { Connection } from "effect/sql/SqlConnection"
import type { SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import type { Duplex } from "node:stream"
import { Deadline } from "../../application/ports/Deadline.ts"
import { sqlState } from "../sql/sqlState.ts"

/** What else a connection needs from its pool. */
export interface Keeper {
  /** Milliseconds after which a statement without an answer means that the server will not answer any more. */
  readonly silence: number
  /**
   * Statements of others wait on it as well: one that runs out of its own time does not end a connection that answers
   * them.
   */
  readonly shared: boolean
  /** The server responds but should not be used any more: a primary that was replaced. */
  readonly onReadOnly: (connection: PgConnection) => void
}

/** Milliseconds for a ROLLBACK whose transaction has used up its time: it decides whether the connection is kept. */
const rollbackTime = 250

const isRollback = (sql: string): boolean => sql.startsWith("ROLLBACK")

/**
 * The socket of a session. `@effect/sql-pg` 4.0.5 offers no way to end a session whose server is silent: an interrupted
 * statement waits for its end, and one that shares its connection is forgotten while the connection stays in the pool.
 * The socket is a field of the class behind the interface, of which a pinned session is a view.
 */
const socketOf = (connection: PgConnection): Duplex => {
  const session = hasProperty(connection, "base") ? connection.base : connection
  return (session as { readonly session: { readonly socket: Duplex } }).session.socket
}

/**
 * Closes the connection: whatever waits on it fails immediately, and the pool opens another, resolving the host again.
 */
export const retire = (connection: PgConnection, why: string): void => {
  socketOf(connection).destroy(new Error(why))
}

/** Milliseconds for which a connection that answered anything counts as answering. */
const answeredLately = 1_000

/** When each socket was last heard from. */
const heard = new WeakMap<Duplex, number>()

/** A connection on which every statement has a deadline; a statement that misses it ends the connection. */
export class TimedConnection implements Connection {
  readonly connection: PgConnection
  readonly keeper: Keeper

  constructor(connection: PgConnection, keeper: Keeper) {
    this.connection = connection
    this.keeper = keeper
  }

  private timed<A>(sql: string, statement: Effect.Effect<A, SqlError>): Effect.Effect<A, SqlError> {
    return Effect.withFiber((fiber) => {
      const deadline = fiber.getRef(Deadline)
      if (deadline === Infinity) return statement
      const left = deadline === undefined ? Infinity : Math.max(0, deadline - performance.now())
      const time = Math.min(this.keeper.silence, isRollback(sql) ? Math.max(left, rollbackTime) : left)
      const late = () => {
        const since = performance.now() - (heard.get(socketOf(this.connection)) ?? -Infinity)
        if (this.keeper.shared && since < answeredLately) return
        retire(this.connection, `The database did not respond within ${Math.round(time)} ms`)
      }
      // What arrived while this process was busy or stopped is read first: being late ourselves does not end a good
      // connection.
      const timer = setTimeout(() => setImmediate(late), time)
      return Effect.onExit(statement, (exit) => {
        clearTimeout(timer)
        const hasAnswered = Exit.isSuccess(exit) || (sqlState(exit.cause) ?? "") !== ""
        if (hasAnswered) heard.set(socketOf(this.connection), performance.now())
        if (Exit.isFailure(exit) && sqlState(exit.cause) === "25006") this.keeper.onReadOnly(this.connection)
        return Effect.void
      })
    })
  }

  /** The server rolls back a transaction that loses its connection; a failing ROLLBACK must not hide that. */
  private rows(sql: string, params: ReadonlyArray<unknown>, prepare: boolean) {
    const rows = Effect.map(this.timed(sql, this.connection.query(sql, params, prepare)), (result) => result.rows)
    return isRollback(sql)
      ? Effect.catch(rows, () =>
          Effect.sync((): ReadonlyArray<Row> => {
            retire(this.connection, "The transaction could not be rolled back")
            return []
          }),
        )
      : rows
  }

  readonly execute: Connection["execute"] = (sql, params, transform) => {
    const rows = this.rows(sql, params, true)
    return transform === undefined ? rows : Effect.map(rows, transform)
  }

  readonly executeUnprepared: Connection["executeUnprepared"] = (sql, params, transform) => {
    const rows = this.rows(sql, params, false)
    return transform === undefined ? rows : Effect.map(rows, transform)
  }

  readonly executeRaw = (sql: string, params: ReadonlyArray<unknown>): Effect.Effect<Result, SqlError> =>
    this.timed(sql, this.connection.query(sql, params))

  readonly executeValues: Connection["executeValues"] = (sql, params) =>
    this.timed(sql, this.connection.queryValues(sql, params))

  readonly executeValuesUnprepared: Connection["executeValuesUnprepared"] = (sql, params) =>
    this.timed(sql, this.connection.queryValues(sql, params, false))

  /** A stream's reader decides how long reading takes, so its deadline is the reader's. */
  readonly executeStream: Connection["executeStream"] = (sql, params, transform) => {
    const stream = this.connection.stream(sql, params)
    return transform === undefined
      ? stream
      : // Rows of a chunk, which is never empty.
        Stream.mapArray(stream, (rows) => transform(rows) as [Row, ...Array<Row>])
  }
}
