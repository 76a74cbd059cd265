import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"
import type { SqlClient } from "effect/sql/SqlClient"
import * as Stream from "effect/Stream"
import { ResultTooLarge } from "../../../application/ports/analysis/AnalysisStore.ts"
import type { ReportForm } from "../../../application/ports/analysis/PackedReport.ts"
import { decodeRows } from "../decodeRows.ts"
import { pack, packStream } from "./packReport.ts"
import type { AnalysisId } from "../../../domain/ids/Ids.ts"

/** Bytes read at a time: enough for nearly every report, and a limit on how long others on the connection wait. */
const chunkSize = 256 * 1024

/**
 * Limits for the JSON of earlier releases: bytes that are compressed, and bytes from which other forms are rendered.
 * The former takes 10 ms per megabyte on a separate thread, the latter 20 ms on the thread of all requests.
 */
const largestEarlier = { json: 100_000_000, rendered: 16_000_000 }

const Bytes = Schema.instanceOf(Uint8Array)
const decodeFirst = decodeRows(Schema.Struct({ size: Schema.Int, packed: Schema.Int, chunk: Bytes }))
const decodeNext = decodeRows(Schema.Struct({ chunk: Bytes }))
const decodeSize = decodeRows(Schema.Struct({ size: Schema.Int }))
const decodeChunk = Schema.decodeUnknownSync(Schema.Struct({ chunk: Bytes }))

const kept = Effect.fnUntraced(function* (
  sql: SqlClient,
  analysisId: AnalysisId,
  form: ReportForm,
  largeReads: Semaphore.Semaphore,
) {
  const which = sql`analysis_id = ${analysisId}::uuid AND form = ${form}`
  const [first] = yield* decodeFirst(sql`
    SELECT size, octet_length(gzip) AS packed, substring(gzip FROM 1 FOR ${chunkSize}) AS chunk
    FROM reports WHERE ${which}`)
  if (first === undefined) return Option.none()
  const { size, packed, chunk } = first
  if (chunk.length === packed) return Option.some({ gzip: chunk, size })
  const rest = Effect.gen(function* () {
    const gzip = Buffer.alloc(packed)
    gzip.set(chunk)
    for (let at = chunk.length; at < packed; at += chunkSize) {
      const [next] = yield* decodeNext(sql`
        SELECT substring(gzip FROM ${at + 1} FOR ${chunkSize}) AS chunk FROM reports WHERE ${which}`)
      // Deleted while being read.
      if (next === undefined) return Option.none()
      gzip.set(next.chunk, at)
    }
    return Option.some({ gzip, size })
  })
  return yield* largeReads.withPermit(rest)
})

/** The text is decompressed once for all chunks; the statement keeps its connection until the last. */
const chunksOf = (sql: SqlClient, analysisId: AnalysisId) =>
  sql`
    WITH result AS MATERIALIZED (
      SELECT convert_to(json, 'UTF8') AS bytes FROM analysis_results WHERE analysis_id = ${analysisId}::uuid)
    SELECT substring(bytes FROM at FOR ${chunkSize}) AS chunk
    FROM result, generate_series(1, octet_length(bytes), ${chunkSize}::integer) AS at`.stream.pipe(
    Stream.map((row) => decodeChunk(row).chunk),
  )

/** From the JSON text, the only form of a result that an earlier release stored. */
const keptEarlier = Effect.fnUntraced(function* (
  sql: SqlClient,
  analysisId: AnalysisId,
  form: ReportForm,
  render: (json: string) => Effect.Effect<string>,
) {
  const [found] = yield* decodeSize(sql`
    SELECT octet_length(json) AS size FROM analysis_results WHERE analysis_id = ${analysisId}::uuid`)
  if (found === undefined) return Option.none()
  const { size } = found
  if (size > (form === "json" ? largestEarlier.json : largestEarlier.rendered)) {
    return yield* new ResultTooLarge({ analysisId, size })
  }
  const chunks = chunksOf(sql, analysisId)
  if (form === "json") return Option.some(yield* packStream(chunks))
  const bytes = Buffer.concat(yield* Stream.runCollect(chunks))
  return Option.some(yield* pack(yield* Effect.suspend(() => render(bytes.toString()))))
})

/** How many reports larger than a chunk are read at a time; one of an earlier release is read alone. */
const largeReadsAtOnce = 4

/** Reads reports for one process, with a limit on the memory of those not being sent yet. */
export const reportReader = (sql: SqlClient) => {
  const largeReads = Semaphore.makeUnsafe(largeReadsAtOnce)
  return Effect.fnUntraced(function* (
    analysisId: AnalysisId,
    form: ReportForm,
    render: (json: string) => Effect.Effect<string>,
  ) {
    const report = yield* kept(sql, analysisId, form, largeReads)
    if (Option.isSome(report)) return report
    return yield* largeReads.withPermits(largeReadsAtOnce)(keptEarlier(sql, analysisId, form, render))
  })
}
