import type { RuleMeta } from "../detection/Rule.ts"
import { type Category, categories } from "../finding/Category.ts"
import type { Finding, SuppressedFinding } from "../finding/Finding.ts"
import { findingId, fingerprints } from "../finding/Fingerprint.ts"
import type { Confidence } from "../finding/Severity.ts"
import type { Suppression } from "../finding/Suppression.ts"
import { maskedText } from "../detection/secrets/masked.ts"
import { worstFirst } from "../finding/worstFirst.ts"
import { classOf } from "./detectorClasses.ts"
import type { ExternalResult, ExternalRun } from "./ExternalResult.ts"

/**
 * Findings of one class in one file by their first line; those of several engines about the same problem are merged.
 */
interface Entry {
  finding: Finding
  readonly key: string
  readonly suppression?: Suppression
}

export interface Merged {
  /** Worst first. */
  readonly findings: ReadonlyArray<Finding>
  /** The scope of suppression comments in the sources. */
  readonly suppressed: ReadonlyArray<SuppressedFinding>
  /** For each run, how many of its results were already known. */
  readonly agreed: ReadonlyArray<number>
}

const surer: Readonly<Record<Confidence, Confidence>> = { low: "medium", medium: "high", high: "high" }

/** The name of the engine whose rules these are. */
const own = "assay"

/** A message without the places in it, so that a finding keeps its fingerprint when lines move. */
const placeless = (message: string): string => message.replaceAll(/\d+/g, "")

const categoryIn = (detector: string): Category | undefined =>
  categories.find((category) => detector.includes(category))

const keyOf = (file: string, className: string): string => `${file}\n${className}`

/** The first entry that starts on `line` or later. */
const from = (entries: ReadonlyArray<Entry>, line: number): number => {
  let low = 0
  let high = entries.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (entries[middle]!.finding.location.lineStart < line) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * An entry whose lines overlap the result's: the first that starts in them, or the last earlier one that reaches into
 * them.
 */
const shared = (entries: ReadonlyArray<Entry>, { lineStart, lineEnd }: ExternalResult): Entry | undefined => {
  const index = from(entries, lineStart)
  const within = entries[index]
  if (within !== undefined && within.finding.location.lineStart <= lineEnd) return within
  const before = entries[index - 1]
  return before !== undefined && before.finding.location.lineEnd >= lineStart ? before : undefined
}

const agree = (finding: Finding, engine: string): Finding => {
  const engines = finding.engines ?? [own]
  return engines.includes(engine)
    ? finding
    : { ...finding, confidence: surer[finding.confidence], engines: [...engines, engine] }
}

/** A result without a matching finding, as a separate finding. */
const findingOf = (engine: string, ruleId: string, result: ExternalResult, fingerprint: string): Finding => {
  const { title, message, severity, confidence, remediation, helpUri } = result
  const { file, lineStart, lineEnd, columnStart, columnEnd } = result
  return {
    id: findingId(fingerprint),
    ruleId,
    title,
    description: message,
    severity,
    confidence,
    category: ruleId.split("/")[2] as Category,
    location: {
      file,
      lineStart,
      lineEnd,
      ...(columnStart === undefined ? {} : { columnStart }),
      ...(columnEnd === undefined ? {} : { columnEnd }),
    },
    remediation,
    trace: [],
    references: helpUri === undefined ? [] : [helpUri],
    fingerprint,
    engines: [engine],
  }
}

interface Unmatched {
  readonly result: ExternalResult
  readonly ruleId: string
  readonly key: string
}

/** Adds an engine's results to the entries they confirm; returns how many did, and the others, each of them once. */
const confirm = (
  { engine, results }: ExternalRun,
  entries: ReadonlyArray<Entry>,
  categoryOf: ReadonlyMap<string, Category>,
): { readonly count: number; readonly others: ReadonlyArray<Unmatched> } => {
  // An engine does not confirm itself: its additions are considered from the next one on.
  const known = Map.groupBy(
    entries.toSorted((a, b) => a.finding.location.lineStart - b.finding.location.lineStart),
    ({ key }) => key,
  )
  const others = new Map<string, Unmatched>()
  let count = 0
  for (const result of results) {
    const className = classOf(engine, result.detector)
    const category = categoryOf.get(className ?? "") ?? categoryIn(result.detector) ?? "code-quality"
    const ruleId = `external/${engine}/${category}/${result.detector}`
    const key = keyOf(result.file, className ?? ruleId)
    const entry = className === undefined ? undefined : shared(known.get(key) ?? [], result)
    if (entry === undefined) others.set(JSON.stringify([ruleId, result]), { result, ruleId, key })
    else {
      entry.finding = agree(entry.finding, engine)
      count++
    }
  }
  return { count, others: [...others.values()] }
}

/**
 * Adds the findings of other engines. A result for a known problem, of the same class and on the same lines, raises
 * that finding's confidence; every other one becomes a separate finding, `external/<engine>/<category>/<check>`.
 */
export const mergeRuns = (
  findings: ReadonlyArray<Finding>,
  runs: ReadonlyArray<ExternalRun>,
  rules: ReadonlyArray<RuleMeta>,
  suppressed: ReadonlyArray<SuppressedFinding> = [],
): Merged => {
  const classes = new Map(rules.map((meta) => [meta.id as string, meta.class]))
  const categoryOf = new Map(rules.map((meta) => [meta.class, meta.id.split("/")[1] as Category]))
  const entryOf = (finding: Finding): Entry => ({
    finding,
    key: keyOf(finding.location.file, classes.get(finding.ruleId) ?? finding.ruleId),
  })
  const entries: Array<Entry> = findings.map(entryOf)
  // A problem that somebody reviewed and suppressed is not reported again because another engine also finds it.
  for (const { suppression, ...finding } of suppressed) entries.push({ ...entryOf(finding), suppression })
  const listed = entries.length
  const agreed = runs.map((run) => {
    const { engine, comments } = run
    const { count, others } = confirm(run, entries, categoryOf)
    const prints = fingerprints(
      others.map(({ result: { file, message }, ruleId }) => ({
        ruleId,
        file,
        scope: "",
        snippet: placeless(message),
      })),
    )
    for (const [index, { result, ruleId, key }] of others.entries()) {
      const suppression = comments
        ?.get(result.file)
        ?.covering(result.lineStart, ruleId, classOf(engine, result.detector) ?? "")
      entries.push({
        key,
        ...(suppression === undefined ? {} : { suppression }),
        finding: findingOf(engine, ruleId, result, prints[index]!),
      })
    }
    return count
  })
  return {
    findings: entries
      .flatMap(({ finding, suppression }) => (suppression === undefined ? [finding] : []))
      .toSorted(worstFirst),
    suppressed: [
      ...suppressed,
      ...entries.slice(listed).flatMap(({ finding, suppression }) => {
        if (suppression === undefined) return []
        const { engines: _, ...rest } = finding
        return [
          { ...rest, suppression: { ...suppression, reason: maskedText(rest.location.file, suppression.reason) } },
        ]
      }),
    ].toSorted(worstFirst),
    agreed,
  }
}
