import { sharedServer, startPostgres } from "./postgresServer.ts"

/** One Postgres server for all tests that need no server of their own; each of them gets its own databases there. */
export const setup = async (): Promise<(() => Promise<void>) | undefined> => {
  const server = await startPostgres()
  if (server === undefined) return undefined
  process.env[sharedServer] = server.url
  return server.stop
}
