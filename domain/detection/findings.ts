import type { Omitted } from "../analysis/Coverage.ts"
import { resultLimits } from "../finding/ResultLimits.ts"
import type { Finding, SuppressedFinding } from "../finding/Finding.ts"
import type { Category } from "../finding/Category.ts"
import { findingId, fingerprints, type Identity } from "../finding/Fingerprint.ts"
import { fitting, jsonBytes } from "../finding/fitting.ts"
import { addCounts, countBySeverity } from "../finding/severityCounts.ts"
import { readSuppressions, type Suppression, type Suppressions } from "../finding/Suppression.ts"
import type { FormerPrints } from "../finding/superseded.ts"
import { worstFirst } from "../finding/worstFirst.ts"
import { locationOf, matchedText, traceOf } from "./locate.ts"
import type { Collected, LeftOut } from "./MatchCollector.ts"
import type { Match, RuleMeta } from "./Rule.ts"
import { maskedWords } from "./secrets/masked.ts"
import type { SourceFile } from "./SourceFile.ts"
import { referencesOf } from "./references.ts"

export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Source order: the order in which twins are counted. */
const inSourceOrder = (a: Collected, b: Collected): number =>
  byText(a.match.file.path, b.match.file.path) ||
  a.match.span.start - b.match.span.start ||
  a.match.span.end - b.match.span.end ||
  byText(a.meta.id, b.meta.id)

/** An id is `<ecosystem>/<category>/<rule>`; its type says that the middle is a category. */
const categoryOf = (id: RuleMeta["id"]): Category => id.split("/")[1] as Category

const finding = ({ meta, match }: Collected, print: string): Finding => ({
  id: findingId(print),
  ruleId: meta.id,
  title: match.subject?.title ?? meta.title,
  description:
    match.message === undefined ? meta.description : `${maskedWords(match.file, match.message)}\n\n${meta.description}`,
  severity: match.severity ?? meta.severity,
  confidence: match.confidence ?? meta.confidence,
  category: categoryOf(meta.id),
  location: locationOf(match),
  remediation: match.subject === undefined ? meta.remediation : `${match.subject.remediation}\n\n${meta.remediation}`,
  trace: traceOf(match),
  references: [...new Set([...(match.subject?.references ?? []), ...referencesOf(meta)])],
  fingerprint: print,
})

/** The finding without the middle of a trace that would take more room than one finding has. */
const withRoom = <A extends Finding>(finding: A): A => {
  if (finding.trace.length === 0 || jsonBytes(finding) <= resultLimits.finding) return finding
  const steps = Math.floor(finding.trace.length / 2)
  const trace = steps === 0 ? [] : [...finding.trace.slice(0, steps - 1), finding.trace.at(-1)!]
  return withRoom({ ...finding, trace })
}

export interface Reported {
  /** Worst first, then by file and line; as many as a result has room for. */
  readonly findings: ReadonlyArray<Finding>
  readonly suppressed: ReadonlyArray<SuppressedFinding>
  /** Fingerprints of findings without room. */
  readonly unlisted: ReadonlyArray<string>
  /** By fingerprint of a listed finding: those that it would bear under the rules that its rule supersedes. */
  readonly formerly: FormerPrints
  /** What has no room; undefined where nothing is left out. */
  readonly omitted: Omitted | undefined
}

type Covering = (meta: RuleMeta, match: Match) => Suppression | undefined

/** The suppression comment over a match. Each file's comments are read once. */
export const suppressionComments = (): Covering => {
  const read = new Map<SourceFile, Suppressions>()
  return (meta, match) => {
    const { file } = match
    const known = read.get(file) ?? readSuppressions(file.path, file.text)
    read.set(file, known)
    const line = locationOf(match).lineStart
    for (const id of [meta.id, ...(meta.supersedes ?? [])]) {
      const found = known.covering(line, id, meta.class)
      if (found !== undefined) return found
    }
    return undefined
  }
}

const identityOf = ({ meta, match }: Collected, ruleId: string = meta.id): Identity => ({
  ruleId,
  file: match.file.path,
  scope: match.scope,
  snippet: matchedText(match),
})

/** What the matches of rules that supersede others would be known by as the others' own. */
const formerPrints = (
  inOrder: ReadonlyArray<Collected>,
  prints: ReadonlyArray<string>,
): ReadonlyMap<string, ReadonlyArray<string>> => {
  const found = new Map<string, Array<string>>()
  const replaced = new Set(inOrder.flatMap(({ meta }) => meta.supersedes ?? []))
  for (const id of replaced) {
    const own = inOrder.flatMap((one, index) =>
      one.meta.supersedes?.includes(id) === true ? [{ one, print: prints[index]! }] : [],
    )
    for (const [index, former] of fingerprints(own.map(({ one }) => identityOf(one, id))).entries()) {
      const { print } = own[index]!
      found.set(print, [...(found.get(print) ?? []), former])
    }
  }
  return found
}

/** Matches to findings: twins told apart in source order, suppressed ones set aside, worst first. */
export const findingsOf = (
  matches: ReadonlyArray<Collected>,
  leftOut: ReadonlyArray<LeftOut>,
  suppressionOf: Covering,
): Reported => {
  const inOrder = matches.toSorted(inSourceOrder)
  const prints = fingerprints(inOrder.map((one) => identityOf(one)))
  const former = formerPrints(inOrder, prints)
  const found: Array<Finding> = []
  const asked: Array<SuppressedFinding> = []
  for (const [index, collected] of inOrder.entries()) {
    const one = finding(collected, prints[index]!)
    const suppression = suppressionOf(collected.meta, collected.match)
    if (suppression === undefined) found.push(one)
    else {
      const reason = maskedWords(collected.match.file, suppression.reason)
      asked.push({ ...one, suppression: { ...suppression, reason } })
    }
  }
  found.sort(worstFirst)
  asked.sort(worstFirst)
  const findings = fitting(found, resultLimits.findings, withRoom)
  const suppressed = fitting(asked, resultLimits.suppressed, withRoom)
  const without = found.slice(findings.length)
  const counts = leftOut.reduce((sum, one) => addCounts(sum, one.findings), countBySeverity(without))
  const hidden = leftOut.reduce((sum, one) => sum + one.suppressed, asked.length - suppressed.length)
  const omitted: Omitted = {
    ...(Object.values(counts).some((count) => count > 0) ? { findings: counts } : {}),
    ...(hidden === 0 ? {} : { suppressed: hidden }),
  }
  return {
    findings,
    suppressed,
    unlisted: without.map(({ fingerprint }) => fingerprint),
    formerly: Object.fromEntries(
      findings.flatMap(({ fingerprint }) => {
        const known = former.get(fingerprint)
        return known === undefined ? [] : [[fingerprint, known]]
      }),
    ),
    omitted: Object.keys(omitted).length === 0 ? undefined : omitted,
  }
}
