import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { migratedDatabase, postgresClient } from "./databases.ts"
import { sharedServer, sharedTemplate, startPostgres } from "./postgresServer.ts"

/**
 * One Postgres server for all tests that need no server of their own; each of them gets its own databases there, as
 * copies of one that is migrated here.
 */
export const setup = async (): Promise<(() => Promise<void>) | undefined> => {
  // Of two projects with this setup, the second uses the first one's.
  if (process.env[sharedServer] !== undefined) return undefined
  const server = await startPostgres()
  if (server === undefined) return undefined
  const template = new URL(await migratedDatabase(server)).pathname.slice(1)
  // Not even for a vacuum may anyone be connected to a database that is copied.
  const close = SqlClient.use((sql) => sql`ALTER DATABASE ${sql(template)} ALLOW_CONNECTIONS false`)
  await Effect.runPromise(close.pipe(Effect.provide(postgresClient(server.url))))
  process.env[sharedServer] = server.url
  process.env[sharedTemplate] = template
  return server.stop
}
