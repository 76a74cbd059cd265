import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Decision } from "../finding/Decision.ts"
import type { Finding } from "../finding/Finding.ts"
import { carriedOver, type FormerPrints } from "../finding/superseded.ts"
import { toolName } from "./Sarif.ts"

/** The part of our JSON report that a baseline needs. */
const JsonReport = Schema.Struct({
  findings: Schema.Array(Schema.Struct({ fingerprint: Schema.String, decision: Schema.optional(Decision) })),
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
              suppressions: Schema.optional(
                Schema.Array(
                  Schema.Struct({
                    kind: Schema.optional(Schema.String),
                    justification: Schema.optional(Schema.String),
                  }),
                ),
              ),
            }),
          ),
        ),
      ),
    }),
  ),
})

type SarifResult = NonNullable<(typeof SarifReport.Type)["runs"][number]["results"]>[number]

/** Somebody's decision, which is not in the source. */
const isExternal = ({ kind }: { readonly kind?: string | undefined }): boolean => kind === "external"

/** The hash is the fingerprint followed by a counter, as GitHub writes it. */
const fingerprintOf = ({ partialFingerprints }: SarifResult): ReadonlyArray<string> => {
  const hash = partialFingerprints?.["primaryLocationLineHash"]
  return hash === undefined ? [] : [hash.replace(/:\d+$/, "")]
}

const holds = (decision: Decision | undefined, now: Date): decision is Decision =>
  decision !== undefined &&
  (decision.decision === "false_positive" ||
    (decision.decision === "accepted_risk" && (decision.expiresAt === undefined || new Date(decision.expiresAt) > now)))

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
 * Fingerprints of the findings of an earlier report, SARIF or JSON. Findings that were suppressed then are excluded:
 * without the suppression, they are new. The failure says what is wrong with the text.
 */
export const readBaseline = (text: string): Result.Result<ReadonlySet<string>, string> => {
  const value = parse(text)
  const json = decodeJson(value)
  if (Result.isSuccess(json)) return Result.succeed(new Set(json.success.findings.map((one) => one.fingerprint)))
  const sarif = decodeSarif(value)
  if (Result.isFailure(sarif)) return Result.fail("is neither a SARIF 2.1.0 report nor a JSON report of Assay")
  const runs = sarif.success.runs.filter(({ tool }) => tool === undefined || tool.driver.name === toolName)
  if (runs.length === 0 && sarif.success.runs.length > 0) {
    // Compared with it, everything would silently be new.
    return Result.fail(`is a report of another tool, not of ${toolName}`)
  }
  const results = runs.flatMap((run) => run.results ?? [])
  const reported = results.filter(({ suppressions = [] }) => suppressions.every(isExternal))
  return Result.succeed(new Set(reported.flatMap(fingerprintOf)))
}

/**
 * The decisions in an earlier report that are in effect at `now`, by fingerprint. A fix holds only until the problem is
 * found again, and a SARIF report does not distinguish it from the others, so all of its decisions count as accepted.
 */
export const readDecisions = (text: string, now: Date): ReadonlyMap<string, Decision> => {
  const value = parse(text)
  const json = decodeJson(value)
  if (Result.isSuccess(json)) {
    return new Map(
      json.success.findings.flatMap(({ fingerprint, decision }) =>
        holds(decision, now) ? [[fingerprint, decision]] : [],
      ),
    )
  }
  const sarif = decodeSarif(value)
  const results = Result.isFailure(sarif) ? [] : sarif.success.runs.flatMap((run) => run.results ?? [])
  return new Map(
    results.flatMap((result) => {
      const external = result.suppressions?.find(isExternal)
      return external === undefined
        ? []
        : fingerprintOf(result).map((fingerprint): [string, Decision] => [
            fingerprint,
            { decision: "accepted_risk", reason: external.justification ?? "No reason given." },
          ])
    }),
  )
}

/** The findings with their status relative to a baseline, and the decisions about them there. */
export const compareWithBaseline = (
  findings: ReadonlyArray<Finding>,
  baseline: ReadonlySet<string>,
  decisions: ReadonlyMap<string, Decision> = new Map(),
  formerly: FormerPrints = {},
): ReadonlyArray<Finding> =>
  carriedOver(findings, formerly, (one) => baseline.has(one) || decisions.has(one)).map((finding): Finding => {
    const decision = decisions.get(finding.fingerprint)
    const status = baseline.has(finding.fingerprint) ? "unchanged" : "new"
    return { ...finding, status, ...(decision === undefined ? {} : { decision }) }
  })
