import type { Coverage, EngineRun } from "../analysis/Coverage.ts"
import { resultLimits } from "../finding/ResultLimits.ts"
import type { RuleMeta } from "../detection/Rule.ts"
import { boundedText } from "../finding/boundedText.ts"
import type { Finding, SuppressedFinding } from "../finding/Finding.ts"
import type { ExternalRun } from "./ExternalResult.ts"
import { mergeRuns } from "./mergeRuns.ts"

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`

/** The coverage's entry for a failed engine: its findings are missing, and the report says so. */
export const failedEngine = (name: string, reason: string): EngineRun => ({
  name,
  version: "unknown",
  note: boundedText(`failed: ${reason}`, resultLimits.note),
})

/** An examination with the findings of other engines, and the engines in its coverage. */
export const withExternal = <
  A extends {
    readonly findings: ReadonlyArray<Finding>
    readonly suppressed: ReadonlyArray<SuppressedFinding>
    readonly coverage: Coverage
  },
>(
  examination: A,
  runs: ReadonlyArray<ExternalRun>,
  rules: ReadonlyArray<RuleMeta>,
): A => {
  const { findings, suppressed, agreed } = mergeRuns(examination.findings, runs, rules, examination.suppressed)
  const engines = runs.map(({ engine, version, results, notes }, index): EngineRun => {
    const counts = `${plural(results.length, "result")}, ${agreed[index]!} of them for known findings`
    return { name: engine, version, note: boundedText([counts, ...notes].join("; "), resultLimits.note) }
  })
  const { coverage } = examination
  return { ...examination, findings, suppressed, coverage: { ...coverage, engines: [...coverage.engines, ...engines] } }
}
