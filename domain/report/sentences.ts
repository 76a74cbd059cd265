import type { AccessEffect, AccessRow } from "../access/AccessTable.ts"
import type { AnalysisResult } from "../analysis/Analysis.ts"
import { isDismissed } from "../finding/Decision.ts"
import type { Severity } from "../finding/Severity.ts"
import { informationalFindings } from "../finding/ResultSummary.ts"
import type { AnalysisId } from "../ids/Ids.ts"

export const severityNames: Readonly<Record<Severity, string>> = {
  critical: "Critical",
  high: "High",
  medium: "Medium",
  low: "Low",
  informational: "Informational",
}

export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`

/** `2026-11-21 12:00:00 UTC` for an ISO 8601 timestamp; anything else unchanged. */
export const date = (timestamp: string): string => {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)/.exec(timestamp) ?? []
  return day === undefined ? timestamp : `${day} ${time} UTC`
}

/** How many findings there are, and those that the summary does not count. */
export const verdict = ({
  summary,
  findings,
  suppressed,
}: Pick<AnalysisResult, "summary" | "findings" | "suppressed">): string => {
  const informational = informationalFindings(summary)
  const sentences = [
    summary.totalFindings === 0 ? "No findings." : `${count(summary.totalFindings, "finding")} in total.`,
  ]
  if (informational > 0) sentences.push(`${informational} ${informational === 1 ? "is" : "are"} informational.`)
  if (suppressed.length > 0) {
    sentences.push(`${count(suppressed.length, "further finding")} suppressed by comments in the source.`)
  }
  const dismissed = findings.filter(isDismissed).length
  if (dismissed > 0) sentences.push(`${count(dismissed, "further finding")} decided to be a false positive.`)
  return sentences.join(" ")
}

/** Maximum lines of a snippet that are shown. */
const snippetLines = 15

/** The lines of a snippet without the common indentation of those after the first, limited in number. */
export const linesOf = (snippet: string): ReadonlyArray<string> => {
  const lines = snippet.split(/\r\n|\r|\n/)
  const indents = lines.slice(1).flatMap((line) => (line.trim() === "" ? [] : [line.length - line.trimStart().length]))
  const indent = indents.reduce((a, b) => Math.min(a, b), Infinity)
  const shown = lines.slice(0, snippetLines).map((line, index) => (index === 0 ? line : line.slice(indent)))
  return lines.length > shown.length ? [...shown, "…"] : shown
}

/** What a function can do, by who can call it, each once. */
export const effectsByWho = (
  { effects }: AccessRow,
  who: (effect: AccessEffect) => string,
  shown: (text: string) => string,
): ReadonlyMap<string, ReadonlyArray<string>> => {
  const found = new Map<string, Map<string, Set<string>>>()
  for (const effect of effects) {
    const name = who(effect)
    const known = found.get(name) ?? new Map<string, Set<string>>()
    found.set(name, known)
    // `writes x` and `writes y` are combined: `writes x, y`
    const [, verb = effect.what, thing = ""] = /^([a-z]+) (`[^`]*`)$/.exec(effect.what) ?? []
    const done = `${effect.kind === "state" || effect.kind === "call" ? "" : `${effect.kind}: `}${shown(verb)}`
    const things = known.get(done) ?? new Set<string>()
    known.set(done, things.add(shown(thing)))
  }
  const told = (done: ReadonlyMap<string, ReadonlySet<string>>): ReadonlyArray<string> =>
    [...done].map(([verb, things]) => `${verb} ${[...things].join(", ")}`.trim())
  return new Map([...found].map(([name, done]) => [name, told(done)]))
}

/** Where to find the rows of an access table that a report omits. */
export const restOfAccess = (rows: number): string =>
  `${count(rows, "further function")} omitted here, starting with the best protected. The full table is`

export const wholeTable = (analysisId: AnalysisId): readonly [string, string] => [
  `GET /api/v1/analysis/${analysisId}/access`,
  "npm run scan -- TARGET --access",
]
