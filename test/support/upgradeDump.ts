import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/** The rows of each of our tables, as JSON. */
export type Dump = Readonly<Record<string, ReadonlyArray<Readonly<Record<string, unknown>>>>>

/** Every row of every table, except what the migrator and a test's ledger keep for themselves. */
export const takeDump = Effect.gen(function* () {
  const sql = yield* SqlClient
  const tables = yield* sql<{ name: string }>`
    SELECT tablename AS name FROM pg_tables
    WHERE schemaname = 'public' AND tablename NOT IN ('migrations', 'ledger') ORDER BY tablename`
  const dump: Record<string, Dump[string]> = {}
  for (const { name } of tables) {
    const [row] = yield* sql<{ rows: string }>`
      SELECT coalesce(json_agg(to_json(one)), '[]')::text AS rows FROM ${sql(name)} AS one`
    dump[name] = JSON.parse(row!.rows) as Dump[string] // what `json_agg` makes of rows
  }
  return dump as Dump
})

/** Inserts the rows into the tables as they are, regardless of the order of references. */
export const loadDump = Effect.fnUntraced(function* (dump: Dump) {
  const sql = yield* SqlClient
  yield* Effect.gen(function* () {
    yield* sql`SET LOCAL session_replication_role = replica`
    for (const [table, rows] of Object.entries(dump)) {
      yield* sql`
        INSERT INTO ${sql(table)} OVERRIDING SYSTEM VALUE
        SELECT * FROM json_populate_recordset(NULL::${sql(table)}, ${JSON.stringify(rows)}::text::json)`
    }
    // What a database counts by itself continues after the rows.
    const counted = yield* sql<{ table: string; column: string }>`
      SELECT table_name AS table, column_name AS column FROM information_schema.columns
      WHERE table_schema = 'public' AND is_identity = 'YES'`
    for (const { table, column } of counted) {
      yield* sql`
        SELECT setval(pg_get_serial_sequence(${table}, ${column}), max(${sql(column)})) FROM ${sql(table)}`
    }
  }).pipe(sql.withTransaction)
})
