import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { ResultSummary } from "../../domain/finding/ResultSummary.ts"
import type { RuleMeta } from "../../domain/detection/Rule.ts"
import type { Finding } from "../../domain/finding/Finding.ts"
import type { KeptReports } from "../ports/analysis/PackedReport.ts"
import { type Assembly, assembleFindings, withMarkdown } from "./assembleResult.ts"
import { renderReports } from "./renderReports.ts"

export interface Rendering {
  readonly assembly: Assembly
  readonly rules: ReadonlyArray<RuleMeta>
}

export interface Rendered {
  readonly summary: ResultSummary
  /** Those that fit into the result. */
  readonly findings: ReadonlyArray<Finding>
  readonly reports: KeptReports
}

/** A result in all its forms. */
export const renderHere = Effect.fnUntraced(function* ({ assembly, rules }: Rendering) {
  const assembled = assembleFindings(assembly)
  yield* Effect.yieldNow
  const result = withMarkdown(assembled)
  const reports = yield* renderReports(result, rules, assembly.examination.access ?? [])
  return { summary: result.summary, findings: result.findings, reports } satisfies Rendered
})

/** Renders the reports of a completed analysis. A service does this in a thread, so that a large one delays nobody. */
export const ResultRenderer = Context.Reference<(rendering: Rendering) => Effect.Effect<Rendered>>(
  "assay/application/ResultRenderer",
  { defaultValue: () => renderHere },
)
