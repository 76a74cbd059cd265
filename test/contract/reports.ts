import { randomBytes } from "node:crypto"
import { gunzipSync } from "node:zlib"
import { assert } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import { AnalysisStore } from "../../application/ports/analysis/AnalysisStore.ts"
import { type ReportForm, reportForms } from "../../application/ports/analysis/PackedReport.ts"
import { claim, complete, create, newUser, resultOf, type Test } from "../support/stores.ts"
import { AnalysisId } from "../../domain/ids/Ids.ts"

const neverRendered = () => Effect.die(new Error("it was rendered again"))

/** A report as its reader sees it. */
const read = (
  analysisId: AnalysisId,
  form: ReportForm,
  render: (json: string) => Effect.Effect<string> = neverRendered,
) =>
  AnalysisStore.use((store) => store.report(analysisId, form, render)).pipe(
    Effect.map(
      Option.map(({ gzip, size }) => {
        const text = gunzipSync(gzip)
        assert.strictEqual(text.length, size)
        return text.toString()
      }),
    ),
    Effect.map(Option.getOrUndefined),
  )

const completed = Effect.fnUntraced(function* (reports = resultOf().reports) {
  const userId = yield* newUser()
  const analysisId = yield* create(userId)
  yield* complete(yield* claim, { reports })
  return { userId, analysisId }
})

/** A completed analysis as the previous release stored it: its JSON as text, and nothing else. */
const completedEarlier = Effect.fnUntraced(function* (json: string) {
  const sql = yield* SqlClient
  const { analysisId } = yield* completed()
  yield* sql`DELETE FROM reports WHERE analysis_id = ${analysisId}::uuid`
  yield* sql`UPDATE analysis_results SET json = ${json} WHERE analysis_id = ${analysisId}::uuid`
  return analysisId
})

/** Text that takes up this many bytes when compressed. */
const incompressible = (bytes: number): string => randomBytes(Math.ceil((bytes * 3) / 4)).toString("base64")

/** What is stored for the readers of a completed analysis. */
export const reports: Readonly<Record<string, Test>> = {
  "each form is kept byte for byte and never rendered again": Effect.gen(function* () {
    const { analysisId } = yield* completed()
    for (const form of reportForms) assert.strictEqual(yield* read(analysisId, form), resultOf().reports[form])
    assert.strictEqual(yield* read(AnalysisId.make(analysisId.toUpperCase()), "json"), resultOf().reports.json)
  }),

  "one that does not fit into a chunk is read completely": Effect.gen(function* () {
    const large = { ...resultOf().reports, sarif: incompressible(3_000_000) }
    const { analysisId } = yield* completed(large)
    assert.isTrue((yield* read(analysisId, "sarif")) === large.sarif)
  }),

  "an unknown, running or deleted analysis has none": Effect.gen(function* () {
    const { userId, analysisId } = yield* completed()
    yield* AnalysisStore.use((store) => store.remove(userId, analysisId))
    const running = yield* create(userId)
    yield* claim
    for (const id of [analysisId, running, crypto.randomUUID(), "x"])
      assert.isUndefined(yield* read(AnalysisId.make(id), "json"))
    assert.lengthOf(yield* SqlClient.use((sql) => sql`SELECT form FROM reports`), 0)
  }),

  "for a result of an earlier release, the JSON is unchanged and the others are rendered": Effect.gen(function* () {
    const json = JSON.stringify({ findings: [], note: "ünïcode \u0000 名 😀".repeat(100_000) })
    const analysisId = yield* completedEarlier(json)
    assert.isTrue((yield* read(analysisId, "json")) === json)
    assert.strictEqual(yield* read(analysisId, "markdown", (text) => Effect.succeed(`${text === json}`)), "true")
  }),

  "a result of an earlier release that is too large to render says so, and is available as JSON": Effect.gen(
    function* () {
      const store = yield* AnalysisStore
      const json = JSON.stringify("x".repeat(17_000_000))
      const analysisId = yield* completedEarlier(json)
      const error = yield* Effect.flip(store.report(analysisId, "sarif", neverRendered))
      assert.strictEqual(error._tag, "ResultTooLarge")
      assert.isTrue((yield* read(analysisId, "json")) === json)
    },
  ),

  "a process of the previous release can read a result": Effect.gen(function* () {
    const { analysisId } = yield* completed()
    const [row] = yield* SqlClient.use(
      (sql) => sql<{ json: string }>`SELECT json FROM analysis_results WHERE analysis_id = ${analysisId}::uuid`,
    )
    assert.strictEqual(row?.json, resultOf().reports.json)
  }),
}
