import type { AnalysisResult } from "../analysis/Analysis.ts"
import { resultLimits } from "../finding/ResultLimits.ts"
import type { Finding, SuppressedFinding, TraceStep } from "../finding/Finding.ts"
import type { Review } from "../finding/Review.ts"
import { severities, type Severity } from "../finding/Severity.ts"
import { fitting, jsonBytes } from "../finding/fitting.ts"
import { accessBlocks } from "./AccessMarkdown.ts"
import { bareUrl, codeBlock, codeSpan, inline, link, paragraphs } from "./markdownText.ts"
import { incompleteness, misunderstanding, omissions, understanding } from "./omissions.ts"
import { count, date, linesOf, severityNames, verdict } from "./sentences.ts"

/**
 * Limits that keep a report of very many findings readable; the JSON has more. The findings get the space that three
 * lists, the access table and the engines' notes leave, in which each character may expand to ten.
 */
const limits = { inDetail: 1_000, listed: 200, listBytes: 150_000 } as const
const findingBytes = resultLimits.markdown - 4 * limits.listBytes - 10 * resultLimits.notes * resultLimits.note

const place = ({ file, lineStart, lineEnd }: Finding["location"]): string => codeSpan(`${file}:${lineStart}-${lineEnd}`)

const severityTag = (severity: Severity): string => `[${severity.toUpperCase()}]`

const snippetBlock = (snippet: string, file: string): string =>
  codeBlock(linesOf(snippet).join("\n"), file.endsWith(".sol") ? "solidity" : file.endsWith(".rs") ? "rust" : "")

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

/** A model's assessment of a finding; the lines that it quotes occur in the file. */
const reviewBlocks = (review: Review, detailed: boolean): ReadonlyArray<string> => {
  const { verdict, reasoning, attack, quotes, patch, model } = review
  return [
    `**Review:** ${verdict}, by ${inline(model)}. ${inline(reasoning)}`.trimEnd(),
    ...(attack === undefined ? [] : [`**The attack:** ${inline(attack)}`]),
    ...(detailed ? [quotes.map(({ line, text }) => `- line ${line}: ${codeSpan(text)}`).join("\n")] : []),
    ...(patch === undefined || !detailed
      ? []
      : ["**Patch**, tested: the rules no longer find the problem", codeBlock(patch, "diff")]),
  ]
}

/** The paragraphs of a text; most findings share theirs with others of their rule. */
type Paragraphs = (text: string) => ReadonlyArray<string>

const paragraphsOnce = (): Paragraphs => {
  const known = new Map<string, ReadonlyArray<string>>()
  return (text) => {
    const found = known.get(text) ?? paragraphs(text)
    known.set(text, found)
    return found
  }
}

const findingBlocks = (finding: Finding, detailed: boolean, paragraphsOf: Paragraphs): ReadonlyArray<string> => {
  const facts = [`**Confidence:** ${finding.confidence}`, `**Rule:** ${codeSpan(finding.ruleId)}`]
  if (finding.engines !== undefined) facts.push(`**Engines:** ${finding.engines.map(inline).join(", ")}`)
  if (finding.status !== undefined) facts.push(`**Status:** ${finding.status}`)
  const { decision } = finding
  if (decision !== undefined) {
    const reopened = decision.reopened === undefined ? "" : ` (${decision.reopened.replace("_", " ")})`
    const reason = inline(decision.reason ?? "")
    facts.push(`**Decision:** ${decision.decision.replace("_", " ")}${reopened}${reason === "" ? "" : `: ${reason}`}`)
  }
  const [remedy = "", ...further] = paragraphsOf(finding.remediation)
  const blocks = [
    `### ${severityTag(finding.severity)} ${inline(finding.title)}`.trimEnd(),
    `**File:** ${place(finding.location)}`,
    `**Category:** ${finding.category}`,
    ...paragraphsOf(finding.description),
    ...(detailed ? detailsOf(finding) : []),
    ...(finding.review === undefined ? [] : reviewBlocks(finding.review, detailed)),
    `**Remediation:** ${remedy}`.trimEnd(),
    ...further,
    facts.join(" · "),
  ]
  if (detailed && finding.references.length > 0) {
    blocks.push("**References:**", list(finding.references, link))
  }
  return blocks
}

/** One block of text, without details if those would take more space than one finding has. */
const findingText = (finding: Finding, detailed: boolean, paragraphsOf: Paragraphs): string => {
  const text = findingBlocks(finding, detailed, paragraphsOf).join("\n\n")
  return detailed && jsonBytes(text) > 2 * resultLimits.finding ? findingText(finding, false, paragraphsOf) : text
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
  const scope = `${count(filesAnalysed, "file")} analyzed with ${count(rulesRun, "rule")}`
  const by = engines.map(({ name, version }) => inline(`${name} ${version}`)).join(", ")
  const blocks = ["## What was not analyzed", `${scope}${by === "" ? "" : `, by ${by}`}.`]
  if (filesSkipped.length === 0) blocks.push("No source files were skipped.")
  else {
    const all = filesSkipped.length + (omitted?.filesSkipped ?? 0)
    blocks.push(`${count(all, "file")} skipped, entirely or in part:`)
    blocks.push(list(filesSkipped, ({ file, reason }) => `${codeSpan(file)}: ${inline(reason)}`))
  }
  if (incomplete.length > 0) {
    blocks.push("Skipped because of a time or memory limit:")
    blocks.push(list(incomplete, ({ kind, name, reason }) => `${kind} ${codeSpan(name)}: ${inline(reason)}`))
  }
  const { programs = [] } = coverage
  if (programs.length > 0) {
    blocks.push("How far the programs were understood:")
    blocks.push(list(programs, (one) => `${codeSpan(one.program)}: ${inline(understanding(one))}`))
  }
  blocks.push(...omissions(coverage))
  for (const { name, note } of engines) {
    if (note !== undefined) blocks.push(`${inline(name)}: ${inline(note)}`)
  }
  return blocks
}

/**
 * The report for people, in the layout of the specification: title, facts, summary table, findings; then suppressed
 * findings, who can do what, and what was not analyzed. Whatever the sources, titles and paths contain remains text: no
 * markup, no links, nothing that ends a heading or a list early. Time and size are linear in the findings.
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
    `**Date:** ${inline(date(result.completedAt))}`,
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
  if (findings.length === 0) blocks.push("No problems were found. This does not prove that there are none.")
  const paragraphsOf = paragraphsOnce()
  const shown = fitting(findings, findingBytes, (finding, index) =>
    findingText(finding, index < limits.inDetail, paragraphsOf),
  )
  blocks.push(...shown)
  if (findings.length > shown.length) {
    blocks.push(`${findings.length - shown.length} less severe findings are omitted here; see the JSON report.`)
  }
  if (suppressed.length > 0) {
    blocks.push("## Suppressed findings", list(suppressed, suppressedItem))
  }
  const { accessTable } = result
  if (accessTable !== undefined) blocks.push(...accessBlocks(accessTable, result, limits.listBytes))
  blocks.push(...coverageBlocks(result))
  return `${blocks.join("\n\n")}\n`
}
