import { PgClient } from "@effect/sql-pg"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as SqlClient from "effect/sql/SqlClient"
import type { Connection } from "effect/sql/SqlConnection"
import * as Stream from "effect/Stream"
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { committed } from "../sql/committed.ts"
import { markTransactions } from "../sql/markTransactions.ts"
import { Notifications } from "../sql/Notifications.ts"
import { lockDataDirectory, type DataDirectoryInUse } from "./DataDirectoryLock.ts"
import { DatabaseThread } from "./DatabaseThread.ts"
import { pgliteError } from "./pgliteError.ts"
import type { RowMode } from "./ThreadProtocol.ts"

/** The embedded database cannot be opened: no permission, no space, or not a database. */
export class DataDirectoryUnusable extends Schema.TaggedError<DataDirectoryUnusable>()("DataDirectoryUnusable", {
  dataDirectory: Schema.String,
  cause: Schema.Defect(),
}) {
  override get message(): string {
    return `The data directory ${this.dataDirectory} cannot be used: ${String(this.cause)}`
  }
}

export interface Options {
  /** The database's directory; in memory if undefined. */
  readonly dataDirectory: string | undefined
  /** The initial contents of an in-memory database: a dump of another one. */
  readonly template?: Blob
}

const open = ({
  dataDirectory,
  template,
}: Options): Effect.Effect<DatabaseThread, DataDirectoryInUse | DataDirectoryUnusable, Scope.Scope> => {
  if (dataDirectory === undefined) {
    return Effect.promise(() => DatabaseThread.open({ directory: undefined, template }))
  }
  const unusable = (cause: unknown) => new DataDirectoryUnusable({ dataDirectory, cause })
  return Effect.try({
    try: () => mkdirSync(dataDirectory, { recursive: true, mode: 0o700 }),
    catch: unusable,
  }).pipe(
    Effect.andThen(lockDataDirectory(dataDirectory)),
    Effect.andThen(
      Effect.tryPromise({
        try: () => DatabaseThread.open({ directory: join(dataDirectory, "postgres"), template: undefined }),
        catch: unusable,
      }),
    ),
  )
}

/**
 * A running statement cannot be canceled, because its thread receives nothing in the meantime. Only the wait before it
 * is interruptible.
 */
const run = (db: DatabaseThread, sql: string, params: ReadonlyArray<unknown>, rowMode: RowMode) =>
  Effect.uninterruptible(Effect.tryPromise({ try: () => db.query(sql, params, rowMode), catch: pgliteError }))

const makeConnection = (db: DatabaseThread): Connection => {
  const execute: Connection["execute"] = (sql, params, transformRows) =>
    Effect.map(run(db, sql, params, "object"), ({ rows }) => (transformRows === undefined ? rows : transformRows(rows)))
  const executeValues: Connection["executeValues"] = (sql, params) =>
    // In this mode PGlite's rows are arrays, which its types do not say.
    Effect.map(run(db, sql, params, "array"), ({ rows }) => rows as unknown as ReadonlyArray<ReadonlyArray<unknown>>)
  return {
    execute,
    executeUnprepared: execute,
    executeRaw: (sql, params) => run(db, sql, params, "object"),
    executeValues,
    executeValuesUnprepared: executeValues,
    executeStream: (sql, params, transformRows) =>
      Stream.unwrap(Effect.map(execute(sql, params, transformRows), Stream.fromIterable)),
  }
}

const commit = (db: DatabaseThread) =>
  Effect.flatMap(run(db, "COMMIT", [], "object"), ({ command }) => committed(command))

/**
 * PGlite is a single session, so transactions must not interleave: whoever uses the connection, for one statement or
 * for a transaction, holds the only permit. (`pglite-socket` with several connections lost commits, 2026-11.)
 */
const makeClient = (db: DatabaseThread, session: Semaphore.Semaphore) => {
  const connection = makeConnection(db)
  const lease = Effect.as(Semaphore.takeScoped(session, 1), connection)
  return SqlClient.make({
    acquirer: lease,
    borrower: (use) => session.withPermit(Effect.suspend(() => use(connection))),
    transactionAcquirer: lease,
    compiler: PgClient.makeCompiler(),
    driver: "pglite",
    commit: () => commit(db),
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    spanAttributes: [
      ["db.system.name", "postgresql"],
      ["db.namespace", "pglite"],
    ],
  })
}

/** `LISTEN` also takes its turn: within another fiber's transaction, it would be rolled back together with that. */
const makeNotifications = (db: DatabaseThread, session: Semaphore.Semaphore) =>
  Notifications.of({
    listen: (channel, onNotify) =>
      Effect.acquireUseRelease(
        session.withPermit(Effect.tryPromise({ try: () => db.listen(channel, onNotify), catch: pgliteError })),
        () => Effect.andThen(Effect.sync(onNotify), Effect.never),
        (unlisten) => session.withPermit(Effect.ignore(Effect.tryPromise(() => unlisten()))),
      ),
  })

/**
 * The embedded database: one process, one session, nothing to install. Closes cleanly with its scope. Committed data
 * survives the end of the process, however it ends, but not a power failure: PGlite does not flush to disk.
 */
export const layer = (
  options: Options,
): Layer.Layer<SqlClient.SqlClient | Notifications, DataDirectoryInUse | DataDirectoryUnusable> =>
  Layer.effectContext(
    Effect.gen(function* () {
      const db = yield* Effect.acquireRelease(open(options), (db) => Effect.promise(() => db.close()))
      const session = Semaphore.makeUnsafe(1)
      const client = markTransactions(yield* makeClient(db, session))
      return Context.make(SqlClient.SqlClient, client).pipe(Context.add(Notifications, makeNotifications(db, session)))
    }),
  ).pipe(Layer.provide(Reactivity.layer))
