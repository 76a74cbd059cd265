import type { Finding, SuppressedFinding } from "../finding/Finding.ts"
import type { Category } from "../finding/Category.ts"
import { findingId, fingerprints } from "../finding/Fingerprint.ts"
import type { Severity } from "../finding/Severity.ts"
import { readSuppressions, type Suppressions } from "../finding/Suppression.ts"
import type { CoverageLedger } from "./CoverageLedger.ts"
import { locationOf, matchedText, traceOf } from "./locate.ts"
import type { Collected } from "./MatchCollector.ts"
import type { RuleMeta } from "./Rule.ts"
import type { SourceFile } from "./Source.ts"
import { referencesOf } from "./references.ts"

/** `severityRank` without loading `effect/Schema`, which costs each thread 110 ms. */
export const rank: Record<Severity, number> = { critical: 0, high: 1, medium: 2, low: 3, informational: 4 }

export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Source order: the order in which twins are counted. */
const inSourceOrder = (a: Collected, b: Collected): number =>
  byText(a.match.file.path, b.match.file.path) ||
  a.match.span.start - b.match.span.start ||
  a.match.span.end - b.match.span.end ||
  byText(a.meta.id, b.meta.id)

/** Worst first, then by file and line. */
const worstFirst = (a: Finding, b: Finding): number =>
  rank[a.severity] - rank[b.severity] ||
  byText(a.location.file, b.location.file) ||
  a.location.lineStart - b.location.lineStart ||
  (a.location.columnStart ?? 0) - (b.location.columnStart ?? 0) ||
  byText(a.ruleId, b.ruleId)

/** An id is `<ecosystem>/<category>/<rule>`; its type says that the middle is a category. */
const categoryOf = (id: RuleMeta["id"]): Category => id.split("/")[1] as Category

const finding = ({ meta, match }: Collected, print: string): Finding => ({
  id: findingId(print),
  ruleId: meta.id,
  title: match.subject?.title ?? meta.title,
  description: match.message === undefined ? meta.description : `${match.message}\n\n${meta.description}`,
  severity: meta.severity,
  confidence: match.confidence ?? meta.confidence,
  category: categoryOf(meta.id),
  location: locationOf(match),
  remediation: match.subject === undefined ? meta.remediation : `${match.subject.remediation}\n\n${meta.remediation}`,
  trace: traceOf(match),
  references: [...new Set([...(match.subject?.references ?? []), ...referencesOf(meta)])],
  fingerprint: print,
})

/** Findings in all beyond this many are left out, the least severe first. */
const findingLimit = 50_000

/** Matches to findings: twins told apart in source order, suppressed ones set aside, worst first. */
export const report = (
  matches: ReadonlyArray<Collected>,
  ledger: CoverageLedger,
): { readonly findings: ReadonlyArray<Finding>; readonly suppressed: ReadonlyArray<SuppressedFinding> } => {
  const inOrder = matches.toSorted(inSourceOrder)
  const prints = fingerprints(
    inOrder.map(({ meta, match }) => ({
      ruleId: meta.id,
      file: match.file.path,
      scope: match.scope,
      snippet: matchedText(match),
    })),
  )
  const suppressions = new Map<SourceFile, Suppressions>()
  const suppressionsIn = (file: SourceFile): Suppressions => {
    const known = suppressions.get(file) ?? readSuppressions(file.path, file.text)
    suppressions.set(file, known)
    return known
  }

  const findings: Array<Finding> = []
  const suppressed: Array<SuppressedFinding> = []
  for (const [index, collected] of inOrder.entries()) {
    const found = finding(collected, prints[index]!)
    const { meta, match } = collected
    const suppression = suppressionsIn(match.file).covering(found.location.lineStart, meta.id, meta.class)
    if (suppression === undefined) findings.push(found)
    else suppressed.push({ ...found, suppression })
  }
  if (findings.length > findingLimit) {
    ledger.note(`${findings.length} findings in all, the first ${findingLimit} are reported`)
  }
  return { findings: findings.toSorted(worstFirst).slice(0, findingLimit), suppressed: suppressed.toSorted(worstFirst) }
}
