import { afterAll, describe, expect, it, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Notifications } from "../../adapters/sql/Notifications.ts"
import { clear, sharedEmbeddedDatabase, postgresDatabase } from "./databases.ts"
import { startPostgres } from "./postgresServer.ts"

/** Tests by the behavior that they check; each finds the database empty. */
export type Suite<R> = Readonly<Record<string, Effect.Effect<unknown, unknown, R | SqlClient>>>

type Where = "PGlite" | "Postgres"

/**
 * Runs the suite, or that of each database, on the embedded database and, if this machine has one, on Postgres; on the
 * real clock, since the database has its own.
 */
export const onBothDatabases = async <R, E>(
  name: string,
  services: Layer.Layer<R, E, SqlClient | Notifications>,
  suite: Suite<R> | ((where: Where) => Suite<R>),
): Promise<void> => {
  const run = <E2>(where: Where, database: Layer.Layer<SqlClient | Notifications, E2>) =>
    layer(services.pipe(Layer.provideMerge(database)), { excludeTestServices: true })(`${name} on ${where}`, (it) => {
      for (const [test, effect] of Object.entries(typeof suite === "function" ? suite(where) : suite))
        it.effect(test, () => Effect.andThen(clear, effect), 60_000)
    })
  run("PGlite", sharedEmbeddedDatabase)
  const server = await startPostgres()
  if (server === undefined) {
    describe(`${name} on Postgres`, () => {
      it("is tested on PGlite alone, because this machine has no Postgres", () => {
        expect(process.env["CI"]).not.toBe("true")
      })
    })
    return
  }
  afterAll(() => server.stop())
  run("Postgres", postgresDatabase(server))
}
