import { PGlite } from "@electric-sql/pglite"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import * as PgliteClient from "../../adapters/pglite/PgliteClient.ts"
import * as PostgresClient from "../../adapters/postgres/PostgresClient.ts"
import { migrate, migrations } from "../../adapters/sql/migrate.ts"
import type { Notifications } from "../../adapters/sql/Notifications.ts"
import { sharedServer, sharedTemplate, startPostgres, type PostgresServer } from "./postgresServer.ts"

const cache = join(dirname(fileURLToPath(import.meta.url)), "../../node_modules/.cache/assay")

/** Changes with the schema and with PGlite's version. */
const templateName = (): string => {
  const manifest = join(dirname(createRequire(import.meta.url).resolve("@electric-sql/pglite")), "../package.json")
  const key = readFileSync(manifest, "utf8") + JSON.stringify(migrations)
  return `pglite-${createHash("sha256").update(key).digest("hex").slice(0, 16)}.tar`
}

/**
 * The dump of a migrated database. Migrates once per machine, which takes 4 s; a database opens from the dump in 0.3 s.
 */
const migrated = async (): Promise<string> => {
  const path = join(cache, templateName())
  // Test files run side by side, and each that finds no dump writes its own.
  if (existsSync(path)) return path
  const directory = join(cache, `migrate-${process.pid}-${Math.random().toString(36).slice(2)}`)
  await Effect.runPromise(migrate.pipe(Effect.provide(PgliteClient.layer({ dataDirectory: directory }))))
  const db = await PGlite.create(join(directory, "postgres"))
  const dump = await db.dumpDataDir("none")
  await db.close()
  const draft = join(directory, "dump.tar")
  mkdirSync(cache, { recursive: true })
  writeFileSync(draft, new Uint8Array(await dump.arrayBuffer()))
  renameSync(draft, path)
  rmSync(directory, { recursive: true, force: true })
  return path
}

/** A separate migrated embedded database, in memory. */
export const embeddedDatabase = Layer.unwrap(
  Effect.promise(async () =>
    PgliteClient.layer({ dataDirectory: undefined, template: new Blob([readFileSync(await migrated())]) }),
  ),
)

/** The same without our tables, as before the first migration: a new one takes 3 s of CPU time, emptying this one 0.1. */
export const emptyEmbeddedDatabase = Layer.effectDiscard(
  SqlClient.use((sql) => Effect.andThen(sql`DROP SCHEMA public CASCADE`, sql`CREATE SCHEMA public`)),
).pipe(Layer.provideMerge(embeddedDatabase))

const ownEmbedded = ManagedRuntime.make(embeddedDatabase)

/**
 * The embedded database of this process, opened when first asked for, which takes 3 s of CPU time. Whoever uses it finds
 * what the last test left there, see `clear`.
 */
export const sharedEmbeddedDatabase = Layer.effectContext(ownEmbedded.contextEffect)

/** Gives a data directory the database that a first start would create, which would take it 4 s. */
export const layOutDatabase = async (dataDirectory: string): Promise<void> => {
  const postgres = join(dataDirectory, "postgres")
  mkdirSync(postgres, { recursive: true, mode: 0o700 })
  // The names in the dump are absolute, which tar reports.
  execFileSync("tar", ["-xf", await migrated(), "-C", postgres], { stdio: "ignore" })
}

/**
 * Removes every user, organization and pool and everything that depends on them: keys, analyses. A test then starts as on
 * a new database. Truncation of so many tables takes 15 times as long.
 */
export const clear = SqlClient.use(
  (sql) => sql`DO $$ BEGIN DELETE FROM users; DELETE FROM organizations; DELETE FROM pools; END $$`,
)

/** A pool on the database behind the URL. */
export const postgresClient = (url: string, maxConnections = 10) =>
  PostgresClient.layer({
    url: Redacted.make(url),
    maxConnections,
    connectTimeout: Duration.seconds(5),
    statementTimeout: Duration.seconds(10),
  })

/** A migrated database on a server of this run; a copy of the shared server's takes a quarter of a migration's CPU time. */
export const migratedDatabase = async (server: PostgresServer): Promise<string> => {
  const template = server.url === process.env[sharedServer] ? process.env[sharedTemplate] : undefined
  const url = await server.createDatabase(template)
  if (template === undefined) await Effect.runPromise(migrate.pipe(Effect.provide(postgresClient(url))))
  return url
}

/** A separate migrated Postgres database, on a server that the test started. */
export const postgresDatabase = (server: PostgresServer) =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => migratedDatabase(server)),
      (url) => postgresClient(url),
    ),
  )

/**
 * For tests of something else than a database, a separate migrated one: on the Postgres server of this run if it has one,
 * where it opens in a third of the embedded one's CPU time and answers in less.
 */
export const anyDatabase = async (): Promise<Layer.Layer<SqlClient | Notifications, unknown>> => {
  const server = process.env[sharedServer] === undefined ? undefined : await startPostgres()
  return server === undefined ? embeddedDatabase : postgresDatabase(server)
}
