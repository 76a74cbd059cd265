import * as Effect from "effect/Effect"
import type { AccessRow } from "../../domain/access/AccessTable.ts"
import type { Finding } from "../../domain/finding/Finding.ts"
import { severityRank } from "../../domain/finding/severityRank.ts"
import type { Excerpt } from "../../domain/review/Excerpt.ts"
import { DetectionEngine, type EngineInput, type EngineResult } from "../ports/analysis/DetectionEngine.ts"
import type { ProgramModel } from "../ports/analysis/ProgramModels.ts"

/** The analysis that a patch is compared with. */
export interface Unpatched {
  readonly input: EngineInput
  readonly result: EngineResult
}

const all = ({ findings, suppressed }: EngineResult): ReadonlyArray<Finding> => [...findings, ...suppressed]

const ofRule = (examined: EngineResult, { ruleId, location }: Finding): number =>
  all(examined).filter((one) => one.ruleId === ruleId && one.location.file === location.file).length

const reachable = (rows: ReadonlyArray<AccessRow> = []): ReadonlySet<string> =>
  new Set(rows.map((row) => `${row.file}\n${row.contract}\n${row.function}`))

/** Whether the patched code no longer has the finding, is still complete, and is no worse than before. */
const isBetter = (finding: Finding, before: EngineResult, after: EngineResult): boolean => {
  const skipped = new Set(before.coverage.filesSkipped.map(({ file }) => file))
  const known = new Set(all(before).map(({ fingerprint }) => fingerprint))
  const kept = reachable(after.access)
  return (
    // It parses at least as well as before.
    after.coverage.filesSkipped.every(({ file }) => skipped.has(file)) &&
    after.coverage.filesAnalysed === before.coverage.filesAnalysed &&
    after.cutShort !== true &&
    // A finding suppressed by a comment does not count as fixed, nor does deleted code.
    ofRule(after, finding) < ofRule(before, finding) &&
    all(after).every(({ fingerprint }) => fingerprint !== finding.fingerprint) &&
    [...reachable(before.access)].every((row) => kept.has(row)) &&
    all(after).every(
      ({ fingerprint, severity }) => known.has(fingerprint) || severityRank(severity) > severityRank("medium"),
    )
  )
}

/** A diff as it applies at its place, if the rules confirm that it fixes the finding; otherwise undefined. */
export const provePatch = Effect.fnUntraced(function* (
  model: ProgramModel,
  { input, result }: Unpatched,
  finding: Finding,
  excerpt: Excerpt,
  diff: string,
) {
  const { file } = finding.location
  const { text, diff: applied, from, to } = yield* model.ask("patched", JSON.stringify({ file, diff }))
  if (typeof text !== "string" || typeof applied !== "string" || typeof from !== "number" || typeof to !== "number") {
    return undefined
  }
  const last = excerpt.from + excerpt.lines.length - 1
  if (from > last || to < excerpt.from) return undefined
  const engine = yield* DetectionEngine
  const { contentIds: _, ...sources } = input
  const after = yield* Effect.option(engine.examine({ ...sources, changed: new Map([[file, text]]) }, () => {}))
  return after._tag === "Some" && isBetter(finding, result, after.value) ? applied : undefined
})
