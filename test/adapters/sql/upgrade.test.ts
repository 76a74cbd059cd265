import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { migrate, migrateUpTo, migrations } from "../../../adapters/sql/migrate.ts"
import type { Notifications } from "../../../adapters/sql/Notifications.ts"
import { AnalysisStore } from "../../../application/ports/analysis/AnalysisStore.ts"
import { DeliveryStore } from "../../../application/ports/notification/DeliveryStore.ts"
import { startApp } from "../../support/app.ts"
import { emptyEmbeddedDatabase, postgresClient } from "../../support/databases.ts"
import { jsonOf } from "../../support/program.ts"
import { startPostgres } from "../../support/postgresServer.ts"
import { type Dump, loadDump } from "../../support/upgradeDump.ts"
import { UserId, AnalysisId } from "../../../domain/ids/Ids.ts"

/** What the programs of earlier releases left in their databases: `test/fixtures/upgrade/make.ts` wrote it. */
const folder = join(import.meta.dirname, "../../fixtures/upgrade")
const releases = readdirSync(folder).flatMap((name) => {
  const last = /^release-(\d+)\.json$/.exec(name)?.[1]
  return last === undefined
    ? []
    : [[Number(last), JSON.parse(readFileSync(join(folder, name), "utf8")) as Dump] as const]
})

const server = await startPostgres()
afterAll(() => server?.stop())

type Database = Layer.Layer<SqlClient | Notifications, unknown>

const databases: ReadonlyArray<readonly [string, () => Promise<Database>]> = [
  ["PGlite", () => Promise.resolve(emptyEmbeddedDatabase)],
  ...(server === undefined
    ? []
    : [["Postgres", () => server.createDatabase().then((url) => postgresClient(url))] as const]),
]

interface Column {
  readonly name: string
  readonly type: string
  readonly required: boolean
}

/** Every column of all our tables; required ones must be named in an insert. */
const columns = SqlClient.use(
  (sql) => sql<Column>`
    SELECT table_name || '.' || column_name AS name, data_type AS type,
      is_nullable = 'NO' AND column_default IS NULL AS required
    FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> 'migrations'`,
)

const textOf = (row: Dump[string][number] | undefined, column: string): string => String(row?.[column])

describe.each(releases)("a database of the release with %i migrations", (last, dump) => {
  it("has every kind of row", () => {
    expect(Object.entries(dump).filter(([, rows]) => rows.length === 0)).toEqual([])
    const statuses = (table: string) => new Set(dump[table]!.map(({ status }) => status))
    expect(statuses("analyses")).toEqual(new Set(["pending", "running", "completed", "failed"]))
  })

  it.each(databases)("is migrated on %s, and everything in it can be read and continues", async (_name, open) => {
    const migrated = Layer.effectDiscard(
      Effect.gen(function* () {
        expect(yield* migrateUpTo(last)).toHaveLength(last)
        yield* loadDump(dump)
        expect(yield* migrate).toEqual(
          Object.keys(migrations)
            .map((name) => Number.parseInt(name, 10))
            .filter((id) => id > last),
        )
      }),
    ).pipe(Layer.provideMerge(await open()))
    const app = await startApp({ database: migrated })
    const owner = textOf(dump["external_identities"]![0], "user_id")
    const apiKey = await app.newKey(UserId.make(owner), ["analysis:read", "analysis:write", "repositories"])
    const get = (path: string) => fetch(app.url + path, { headers: { authorization: `Bearer ${apiKey}` } })

    const analyses = await jsonOf<ReadonlyArray<{ readonly analysisId: AnalysisId }>>(
      await get("/api/v1/analysis?limit=100"),
    )
    expect(analyses.map(({ analysisId }) => analysisId).toSorted()).toEqual(
      dump["analyses"]!.map((row) => textOf(row, "id")).toSorted(),
    )
    for (const row of dump["analysis_results"]!) {
      const response = await get(`/api/v1/analysis/${textOf(row, "analysis_id")}/result`)
      expect(response.status).toBe(200)
      expect(await response.text()).toBe(row["json"])
    }
    for (const row of dump["analyses"]!) {
      const status = await get(`/api/v1/analysis/${textOf(row, "id")}/status`)
      expect(await status.json()).toMatchObject({ status: row["status"], progress: row["progress"] })
    }
    for (const path of ["/api/v1/me", "/api/v1/repositories", "/api/v1/repositories/stats", "/api/v1/analysis"]) {
      expect((await get(path)).status).toBe(200)
    }
    for (const { fingerprint, decision, reason } of dump["finding_decisions"] ?? []) {
      const [{ analysis_id }] = dump["findings"]!.filter((row) => row["fingerprint"] === fingerprint) as [
        Dump[string][0],
      ]
      const one = `/api/v1/analysis/${String(analysis_id)}/findings/${String(fingerprint)}`
      const read = await get(one)
      expect(await read.clone().json()).toMatchObject({ decision: { decision, reason } })
      const taken = await fetch(app.url + one, {
        method: "PATCH",
        headers: {
          authorization: `Bearer ${apiKey}`,
          "content-type": "application/json",
          "if-match": (await jsonOf<{ readonly etag: string }>(read)).etag,
        },
        body: JSON.stringify({ decision: "open" }),
      })
      expect(taken.status).toBe(200)
    }
    for (const { analysis_id } of dump["deliveries"]!) {
      const list = await app.run(
        DeliveryStore.use((store) => store.list(UserId.make(owner), AnalysisId.make(String(analysis_id)))),
      )
      expect(list.map(({ status }) => status)).toEqual(["delivered"])
    }

    // One is waiting, and one was left behind by a dead worker.
    const claimed = new Set<string>()
    for (let claims = 0; claims < 2; claims++) claimed.add(await app.completeNext())
    expect([...claimed].toSorted()).toEqual(
      dump["analyses"]!.filter(({ status }) => status === "pending" || status === "running")
        .map((row) => textOf(row, "id"))
        .toSorted(),
    )
    expect(await app.createDirectly(UserId.make(owner), "https://github.com/example/another")).toBe(true)
    await app.run(
      AnalysisStore.use((store) =>
        store.remove(UserId.make(owner), AnalysisId.make(textOf(dump["analyses"]![0], "id"))),
      ),
    )
    await app.close()
  })

  // On one database: `migrate.test.ts` checks that both get the same schema, and the embedded one takes ten times as long.
  it("still works for its own release: nothing is gone, and inserts need no further columns", async () => {
    const [, open] = databases.at(-1)!
    const [before, after] = await Effect.runPromise(
      Effect.gen(function* () {
        yield* migrateUpTo(last)
        const before = yield* columns
        yield* migrate
        return [before, yield* columns] as const
      }).pipe(Effect.provide(await open())),
    )
    const found = new Map(after.map((column) => [column.name, column]))
    expect(before.filter(({ name, type }) => found.get(name)?.type !== type)).toEqual([])
    const known = new Set(before.map(({ name }) => name))
    const tables = new Set(before.map(({ name }) => name.split(".")[0]))
    const optional = new Set(before.filter(({ required }) => !required).map(({ name }) => name))
    const stricter = after.filter(
      ({ name, required }) => required && tables.has(name.split(".")[0]) && (optional.has(name) || !known.has(name)),
    )
    expect(stricter).toEqual([])
  })
})
