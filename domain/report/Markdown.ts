import type { AnalysisResult } from "../analysis/Analysis.ts"
import { resultLimits } from "../analysis/ResultLimits.ts"
import { isDismissed } from "../finding/Decision.ts"
import type { Finding, SuppressedFinding, TraceStep } from "../finding/Finding.ts"
import { severities, type Severity } from "../finding/Severity.ts"
import { informationalFindings } from "../finding/Summary.ts"
import { fitting, jsonBytes } from "../finding/fitting.ts"
import { bareUrl, codeBlock, codeSpan, inline, link, paragraphs } from "./markdownText.ts"
import { incompleteness, misunderstanding, omissions, understanding } from "./omissions.ts"

/**
 * Limits that keep a report of very many findings readable; the JSON has more. The findings have what room three lists
 * and the engines' notes leave, in which each character may become ten.
 */
const limits = { inDetail: 1_000, snippetLines: 15, listed: 200, listBytes: 150_000 } as const
const findingBytes = resultLimits.markdown - 3 * limits.listBytes - 10 * resultLimits.notes * resultLimits.note

const severityNames: Record<Severity, string> = {
  critical: "Critical",
  high: "High",
  medium: "Medium",
  low: "Low",
  informational: "Informational",
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`

/** `2026-11-21 12:00:00 UTC` for an ISO 8601 timestamp. */
const date = (timestamp: string): string => {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)/.exec(timestamp) ?? []
  return day === undefined ? inline(timestamp) : `${day} ${time} UTC`
}

const place = ({ file, lineStart, lineEnd }: Finding["location"]): string => codeSpan(`${file}:${lineStart}-${lineEnd}`)

const severityTag = (severity: Severity): string => `[${severity.toUpperCase()}]`

/** The snippet without the indentation that its lines after the first have in common, cut to a few lines. */
const snippetBlock = (snippet: string, file: string): string => {
  const lines = snippet.split(/\r\n|\r|\n/)
  const indents = lines.slice(1).flatMap((line) => (line.trim() === "" ? [] : [line.length - line.trimStart().length]))
  const indent = indents.reduce((a, b) => Math.min(a, b), Infinity)
  const shown = lines.slice(0, limits.snippetLines).map((line, index) => (index === 0 ? line : line.slice(indent)))
  if (lines.length > shown.length) shown.push("…")
  return codeBlock(shown.join("\n"), file.endsWith(".sol") ? "solidity" : file.endsWith(".rs") ? "rust" : "")
}

const traceStep = ({ file, line, note }: TraceStep, index: number): string =>
  `${index + 1}. ${codeSpan(`${file}:${line}`)} ${inline(note)}`.trimEnd()

const detailsOf = (finding: Finding): ReadonlyArray<string> => {
  const { location, trace } = finding
  const blocks: Array<string> = []
  if (location.snippet !== undefined && location.snippet.trim() !== "") {
    blocks.push(snippetBlock(location.snippet, location.file))
  }
  if (trace.length > 0) {
    blocks.push("**Trace:**", trace.slice(0, limits.listed).map(traceStep).join("\n"))
  }
  return blocks
}

const findingBlocks = (finding: Finding, detailed: boolean): ReadonlyArray<string> => {
  const facts = [`**Confidence:** ${finding.confidence}`, `**Rule:** ${codeSpan(finding.ruleId)}`]
  if (finding.engines !== undefined) facts.push(`**Engines:** ${finding.engines.map(inline).join(", ")}`)
  if (finding.status !== undefined) facts.push(`**Status:** ${finding.status}`)
  const { decision } = finding
  if (decision !== undefined) {
    const reopened = decision.reopened === undefined ? "" : ` (${decision.reopened.replace("_", " ")})`
    const reason = inline(decision.reason ?? "")
    facts.push(`**Decision:** ${decision.decision.replace("_", " ")}${reopened}${reason === "" ? "" : `: ${reason}`}`)
  }
  const [remedy = "", ...further] = paragraphs(finding.remediation)
  const blocks = [
    `### ${severityTag(finding.severity)} ${inline(finding.title)}`.trimEnd(),
    `**File:** ${place(finding.location)}`,
    `**Category:** ${finding.category}`,
    ...paragraphs(finding.description),
    ...(detailed ? detailsOf(finding) : []),
    `**Remediation:** ${remedy}`.trimEnd(),
    ...further,
    facts.join(" · "),
  ]
  if (detailed && finding.references.length > 0) {
    blocks.push("**References:**", list(finding.references, link))
  }
  return blocks
}

/** As one block of text; without details where they would take more room than one finding has. */
const findingText = (finding: Finding, detailed: boolean): string => {
  const text = findingBlocks(finding, detailed).join("\n\n")
  return detailed && jsonBytes(text) > 2 * resultLimits.finding ? findingText(finding, false) : text
}

const verdict = ({
  summary,
  findings,
  suppressed,
}: Pick<AnalysisResult, "summary" | "findings" | "suppressed">): string => {
  const informational = informationalFindings(summary)
  const sentences = [
    summary.totalFindings === 0 ? "No findings." : `${count(summary.totalFindings, "finding")} in all.`,
  ]
  if (informational > 0) sentences.push(`${count(informational, "informational finding")} among them.`)
  if (suppressed.length > 0) {
    sentences.push(`${count(suppressed.length, "further finding")} suppressed by comments in the source.`)
  }
  const dismissed = findings.filter(isDismissed).length
  if (dismissed > 0) sentences.push(`${count(dismissed, "further finding")} decided to be a false positive.`)
  return sentences.join(" ")
}

const summaryTable = (counts: Readonly<Record<Exclude<Severity, "informational">, number>>): string => {
  const rows = severities.flatMap((severity) =>
    severity === "informational" ? [] : [`| ${severityNames[severity]} | ${counts[severity]} |`],
  )
  return ["| Severity | Count |", "|----------|-------|", ...rows].join("\n")
}

/** The first items of a list; the JSON report has more. */
const list = <A>(items: ReadonlyArray<A>, item: (each: A) => string): string => {
  const shown = [...fitting(items.slice(0, limits.listed), limits.listBytes, (each) => `- ${item(each)}`)]
  if (items.length > shown.length) shown.push(`- ${items.length - shown.length} more, listed in the JSON report`)
  return shown.join("\n")
}

const suppressedItem = ({ severity, title, location, ruleId, suppression }: SuppressedFinding): string => {
  const reason = inline(suppression.reason)
  return `**${severityTag(severity)}** ${inline(title)}, ${place(location)}, ${codeSpan(ruleId)}: ${
    reason === "" ? "no reason given" : reason
  } (line ${suppression.line})`
}

const coverageBlocks = ({ coverage }: Pick<AnalysisResult, "coverage">): ReadonlyArray<string> => {
  const { filesAnalysed, filesSkipped, rulesRun, engines, incomplete = [], omitted } = coverage
  const scope = `${count(filesAnalysed, "file")} analysed with ${count(rulesRun, "rule")}`
  const by = engines.map(({ name, version }) => inline(`${name} ${version}`)).join(", ")
  const blocks = ["## What was not analysed", `${scope}${by === "" ? "" : `, by ${by}`}.`]
  if (filesSkipped.length === 0) blocks.push("No source file was left out.")
  else {
    const all = filesSkipped.length + (omitted?.filesSkipped ?? 0)
    blocks.push(`${count(all, "file")} left out, wholly or in part:`)
    blocks.push(list(filesSkipped, ({ file, reason }) => `${codeSpan(file)}: ${inline(reason)}`))
  }
  if (incomplete.length > 0) {
    blocks.push("Left out by a limit of time or memory:")
    blocks.push(list(incomplete, ({ kind, name, reason }) => `${kind} ${codeSpan(name)}: ${inline(reason)}`))
  }
  const { programs = [] } = coverage
  if (programs.length > 0) {
    blocks.push("What was understood of the programs:")
    blocks.push(list(programs, (one) => `${codeSpan(one.program)}: ${inline(understanding(one))}`))
  }
  blocks.push(...omissions(coverage))
  for (const { name, note } of engines) {
    if (note !== undefined) blocks.push(`${inline(name)}: ${inline(note)}`)
  }
  return blocks
}

/**
 * The report for people, in the layout of the interface: title, facts, summary table, findings; then what was
 * suppressed and what was not analysed. Whatever the sources, titles and paths contain, they stay text: no markup, no
 * links, nothing that ends a heading or a list early. Time and length are linear in the findings.
 */
export const renderMarkdown = (result: Omit<AnalysisResult, "markdownReport">): string => {
  const { repository, summary, findings, suppressed } = result
  const warning = incompleteness(result.coverage)
  const misunderstood = misunderstanding(result.coverage)
  const blocks = [
    "# Security Analysis Report",
    `**Repository:** ${bareUrl(repository.url)}`,
    `**Branch:** ${inline(repository.branch)}`.trimEnd(),
    ...(repository.commit === undefined ? [] : [`**Commit:** ${inline(repository.commit)}`]),
    `**Framework:** ${repository.framework}`,
    `**Date:** ${date(result.completedAt)}`,
    ...(misunderstood === undefined ? [] : [`**Warning:** ${inline(misunderstood)}`]),
    "## Summary",
    summaryTable({
      critical: summary.criticalFindings,
      high: summary.highFindings,
      medium: summary.mediumFindings,
      low: summary.lowFindings,
    }),
    verdict(result),
    ...(warning === undefined ? [] : [`**Incomplete:** ${inline(warning)}`]),
    "## Findings",
  ]
  if (findings.length === 0) blocks.push("No problem was found. That is no proof that there is none.")
  const shown = fitting(findings, findingBytes, (finding, index) => findingText(finding, index < limits.inDetail))
  blocks.push(...shown)
  if (findings.length > shown.length) {
    blocks.push(`${findings.length - shown.length} less severe findings are left out here; the JSON report has them.`)
  }
  if (suppressed.length > 0) {
    blocks.push("## Suppressed findings", list(suppressed, suppressedItem))
  }
  blocks.push(...coverageBlocks(result))
  return `${blocks.join("\n\n")}\n`
}
