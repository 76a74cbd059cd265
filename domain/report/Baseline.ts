import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Finding } from "../finding/Finding.ts"
import { toolName } from "./Sarif.ts"

/** The part of our JSON report that a baseline needs. */
const JsonReport = Schema.Struct({
  findings: Schema.Array(Schema.Struct({ fingerprint: Schema.String })),
})

/** The part of a SARIF 2.1.0 report that a baseline needs. */
const SarifReport = Schema.Struct({
  runs: Schema.Array(
    Schema.Struct({
      tool: Schema.optional(Schema.Struct({ driver: Schema.Struct({ name: Schema.String }) })),
      results: Schema.optional(
        Schema.NullOr(
          Schema.Array(
            Schema.Struct({
              partialFingerprints: Schema.optional(Schema.Record(Schema.String, Schema.String)),
              suppressions: Schema.optional(Schema.Array(Schema.Unknown)),
            }),
          ),
        ),
      ),
    }),
  ),
})

const decodeJson = Schema.decodeUnknownResult(JsonReport)
const decodeSarif = Schema.decodeUnknownResult(SarifReport)

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Fingerprints of the findings of an earlier report, SARIF or JSON. A finding that was suppressed then is not among
 * them: without its suppression it is news. The failure says what is wrong with the text.
 */
export const readBaseline = (text: string): Result.Result<ReadonlySet<string>, string> => {
  const value = parse(text)
  const json = decodeJson(value)
  if (Result.isSuccess(json)) return Result.succeed(new Set(json.success.findings.map((one) => one.fingerprint)))
  const sarif = decodeSarif(value)
  if (Result.isFailure(sarif)) return Result.fail("is neither a SARIF 2.1.0 nor a JSON report of Assay")
  const runs = sarif.success.runs.filter(({ tool }) => tool === undefined || tool.driver.name === toolName)
  if (runs.length === 0 && sarif.success.runs.length > 0) {
    // Against it everything would be new, without a word.
    return Result.fail(`is a report of another tool, not of ${toolName}`)
  }
  const results = runs.flatMap((run) => run.results ?? [])
  const hashes = results
    .filter(({ suppressions }) => (suppressions?.length ?? 0) === 0)
    .map(({ partialFingerprints }) => partialFingerprints?.["primaryLocationLineHash"])
  // The hash is the fingerprint with a counter behind it, as GitHub writes it.
  return Result.succeed(new Set(hashes.flatMap((hash) => (hash === undefined ? [] : [hash.replace(/:\d+$/, "")]))))
}

/** The findings with their status against a baseline. */
export const compareWithBaseline = (
  findings: ReadonlyArray<Finding>,
  baseline: ReadonlySet<string>,
): ReadonlyArray<Finding> =>
  findings.map((finding) => ({ ...finding, status: baseline.has(finding.fingerprint) ? "unchanged" : "new" }))
