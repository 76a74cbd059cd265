import { styleText } from "node:util"
import type { AnalysisResult } from "../../domain/analysis/Analysis.ts"
import type { Finding } from "../../domain/finding/Finding.ts"
import { severities, type Severity } from "../../domain/finding/Severity.ts"
import { countBySeverity } from "../../domain/finding/severityCounts.ts"
import { incompleteness, misunderstanding, omissions, understanding } from "../../domain/report/omissions.ts"
import { printable } from "./printable.ts"

type Style = Parameters<typeof styleText>[0]

const styles: Record<Severity, Style> = {
  critical: ["bold", "magenta"],
  high: ["bold", "red"],
  medium: "yellow",
  low: "cyan",
  informational: "dim",
}

const placeOf = ({ location }: Finding): string => `${printable(location.file)}:${location.lineStart}`

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`

/** The result for people at a terminal: findings worst first, then what was and was not analyzed. */
export const findingsTable = (result: AnalysisResult, stream: NodeJS.WriteStream): string => {
  const paint = (style: Style, text: string) => styleText(style, text, { stream })
  const { findings, coverage, repository, summary } = result
  const lines: Array<string> = []

  lines.push(
    `${paint("bold", printable(repository.url))} ${paint("dim", `· ${repository.framework} · ${plural(coverage.filesAnalysed, "file")}, ${plural(coverage.rulesRun, "rule")}, ${(summary.analysisTime / 1000).toFixed(1)} s`)}`,
    "",
  )

  const misunderstood = misunderstanding(coverage)
  if (misunderstood !== undefined) lines.push(paint(["bold", "yellow"], printable(misunderstood)), "")

  const placeWidth = Math.min(60, Math.max(0, ...findings.map((finding) => placeOf(finding).length)))
  for (const finding of findings) {
    const label = paint(styles[finding.severity], finding.severity.toUpperCase().padEnd(13))
    lines.push(
      `${label} ${placeOf(finding).padEnd(placeWidth)}  ${printable(finding.title)} ${paint("dim", finding.ruleId)}`,
    )
  }
  if (findings.length > 0) lines.push("")

  const found = countBySeverity(findings)
  const counts = severities.flatMap((severity) => {
    const count = found[severity] + (coverage.omitted?.findings?.[severity] ?? 0)
    return count === 0 ? [] : [paint(styles[severity], `${count} ${severity}`)]
  })
  const none =
    misunderstood === undefined
      ? paint("green", "No findings.")
      : paint("yellow", "No findings, but not all of the code was understood.")
  lines.push(counts.length === 0 ? none : counts.join(" · "))
  if (result.suppressed.length > 0)
    lines.push(paint("dim", `${plural(result.suppressed.length, "finding")} suppressed by comments in the source`))

  const warning = incompleteness(coverage)
  if (warning !== undefined) lines.push("", paint(["bold", "yellow"], warning))
  for (const { kind, name, reason } of coverage.incomplete ?? []) {
    lines.push(`  ${kind} ${printable(name)} ${printable(reason)}`)
  }
  for (const one of (coverage.programs ?? []).slice(0, 20))
    lines.push(paint("dim", printable(`${one.program}: ${understanding(one)}`)))

  const shown = coverage.filesSkipped.slice(0, 10)
  if (shown.length > 0) {
    lines.push("", paint("bold", "Not analyzed, or only partially:"))
    for (const { file, reason } of shown) lines.push(`  ${printable(file)}: ${printable(reason)}`)
    if (coverage.filesSkipped.length > shown.length) {
      lines.push(`  … and ${coverage.filesSkipped.length - shown.length} more (--format json lists all)`)
    }
  }
  for (const sentence of omissions(coverage)) lines.push(paint("yellow", sentence))
  for (const engine of coverage.engines) {
    if (engine.note !== undefined) lines.push(paint("yellow", `${engine.name}: ${printable(engine.note)}`))
  }
  return `${lines.join("\n")}\n`
}
