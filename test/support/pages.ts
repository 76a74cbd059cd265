import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { CurrentTransformer } from "effect/sql/Statement"

export type Recorded = readonly [text: string, parameters: ReadonlyArray<unknown>]

/** Statements that the effect sends to the database, whose changes are undone. */
export const recorded = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const statements: Array<Recorded> = []
    yield* effect.pipe(
      Effect.provideService(CurrentTransformer, (statement) => {
        statements.push(statement.compile())
        return Effect.succeed(statement)
      }),
      Effect.andThen(Effect.fail("undone" as const)),
      sql.withTransaction,
      Effect.catch((error) => (error === "undone" ? Effect.void : Effect.die(error))),
    )
    return statements
  })

const literal = (value: unknown): string => {
  if (value === null || value === undefined) return "NULL"
  if (value instanceof Uint8Array) return `'\\x${Buffer.from(value).toString("hex")}'`
  if (value instanceof Date) return `'${value.toISOString()}'`
  if (Array.isArray(value)) return `'{${value.map((one) => JSON.stringify(String(one))).join(",")}}'`
  return `'${String(value).replaceAll("'", "''")}'`
}

interface Explained {
  readonly Plan: { readonly "Shared Hit Blocks": number; readonly "Shared Read Blocks": number }
}

/** How many pages the statements touch together, in a transaction that is rolled back. */
export const pagesOf = (statements: ReadonlyArray<Recorded>, mode: "force_custom_plan" | "force_generic_plan") =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const counted = Effect.gen(function* () {
      yield* sql.unsafe(`SET LOCAL plan_cache_mode = ${mode}`)
      const pages: Array<readonly [number, string]> = []
      for (const [text, parameters] of statements) {
        yield* sql.unsafe(`PREPARE examined AS ${text}`)
        const values = parameters.length === 0 ? "" : `(${parameters.map(literal).join(", ")})`
        const [row] = yield* sql.unsafe<{ "QUERY PLAN": ReadonlyArray<Explained> }>(
          `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE examined${values}`,
        )
        yield* sql`DEALLOCATE examined`
        const { Plan: plan } = row!["QUERY PLAN"][0]!
        pages.push([plan["Shared Hit Blocks"] + plan["Shared Read Blocks"], text])
      }
      return yield* Effect.fail({ pages })
    })
    return yield* Effect.flip(sql.withTransaction(counted)).pipe(
      Effect.flatMap((outcome) => ("pages" in outcome ? Effect.succeed(outcome.pages) : Effect.die(outcome))),
    )
  })
