import { afterAll } from "@effect/vitest"
import { embeddedDatabase, postgresDatabase } from "../support/databases.ts"
import { startPostgres } from "../support/postgresServer.ts"
import { storeContract, type Database } from "./storeContract.ts"

const server = await startPostgres()
afterAll(() => server?.stop())

const database: Database = server === undefined ? embeddedDatabase : postgresDatabase(server)

storeContract(`the stores on ${server?.description ?? "PGlite, because this machine has no Postgres"}`, database)
