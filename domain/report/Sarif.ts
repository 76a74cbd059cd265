import * as Struct from "effect/Struct"
import type { AnalysisResult } from "../analysis/Analysis.ts"
import { resultLimits } from "../finding/ResultLimits.ts"
import type { RuleMeta } from "../detection/Rule.ts"
import { isDecided } from "../finding/Decision.ts"
import type { Finding, SuppressedFinding, TraceStep } from "../finding/Finding.ts"
import { fitting } from "../finding/fitting.ts"
import type { Review } from "../finding/Review.ts"
import { worstFirst } from "../finding/worstFirst.ts"
import { incompleteness, misunderstanding, omissions, understanding } from "./omissions.ts"
import { sarifFix } from "./sarifFixes.ts"
import { isWebUri, locationIn, regionOf, root, type SarifLocation } from "./sarifLocation.ts"
import { levelOf, type SarifLevel, type SarifRule, sarifRule, textOr } from "./sarifRules.ts"

/** Identifies a report as ours. */
export const toolName = "Assay"

/**
 * GitHub rejects a run with more results, or a result with more steps; it shows 1,000 of them. A step takes several
 * times its size in the JSON result, so bytes count here as well: of results, and of notifications about files.
 */
const limits = {
  results: 25_000,
  steps: 1_000,
  notifications: 1_000,
  notificationBytes: 500_000,
  resultBytes: resultLimits.bytes - 2_000_000,
} as const

interface SarifResult {
  readonly ruleId: string
  readonly ruleIndex: number
  readonly level: SarifLevel
  readonly message: { readonly text: string }
  readonly locations: readonly [SarifLocation]
  readonly partialFingerprints: { readonly primaryLocationLineHash: string }
  readonly codeFlows?: ReadonlyArray<object>
  readonly suppressions?: ReadonlyArray<object>
  readonly baselineState?: "new" | "unchanged"
  readonly properties: {
    readonly id: string
    readonly confidence: string
    readonly description: string
    readonly engines?: ReadonlyArray<string>
    readonly review?: Omit<Review, "patch">
  }
  readonly fixes?: ReadonlyArray<object>
}

interface Notification {
  readonly level: SarifLevel
  readonly message: { readonly text: string }
  readonly locations?: ReadonlyArray<SarifLocation>
}

/** A SARIF 2.1.0 log. https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html */
export interface SarifLog {
  readonly $schema: string
  readonly version: "2.1.0"
  readonly runs: ReadonlyArray<{
    readonly tool: {
      readonly driver: {
        readonly name: string
        readonly version: string
        readonly semanticVersion?: string
        readonly rules: ReadonlyArray<SarifRule>
      }
    }
    readonly results: ReadonlyArray<SarifResult>
    readonly [property: string]: unknown
  }>
}

/** The first steps and the last one, which is where the problem shows. */
const codeFlow = (trace: ReadonlyArray<TraceStep>): object => {
  const steps = trace.length > limits.steps ? [...trace.slice(0, limits.steps - 1), trace.at(-1)!] : trace
  const locations = steps.map(({ file, line, note }) => ({
    location: locationIn(file, { startLine: Math.max(1, line) }, textOr(note, "Step")),
  }))
  return { threadFlows: [{ locations }] }
}

const isSuppressed = (finding: Finding | SuppressedFinding): finding is SuppressedFinding => "suppression" in finding

const suppressionOf = ({ location, suppression }: SuppressedFinding): object => ({
  kind: "inSource",
  status: "accepted",
  justification: textOr(suppression.reason, "No reason given."),
  location: locationIn(location.file, { startLine: Math.max(1, suppression.line) }),
})

/** Somebody's decision rather than a comment in the source. */
const decisionOf = ({ decision }: Finding): ReadonlyArray<object> =>
  decision === undefined || decision.decision === "open"
    ? []
    : [{ kind: "external", status: "accepted", justification: textOr(decision.reason ?? "", "No reason given.") }]

/** An embedded link, `[text](target)`, is the only markup of a SARIF message (3.11.6). */
const messageText = (title: string): string => title.replace(/\](?=\()/g, "\\]")

const sarifResult = (
  finding: Finding | SuppressedFinding,
  ruleIndex: number,
  run: { readonly suppressions: boolean; readonly baseline: boolean },
): SarifResult => {
  const { engines, review } = isSuppressed(finding) ? {} : finding
  return {
    ruleId: finding.ruleId,
    ruleIndex,
    level: levelOf[finding.severity],
    message: { text: messageText(textOr(finding.title, finding.ruleId)) },
    locations: [locationIn(finding.location.file, regionOf(finding.location))],
    // GitHub's own values end in a counter; ours are already unique.
    partialFingerprints: { primaryLocationLineHash: `${finding.fingerprint}:1` },
    ...(finding.trace.length === 0 ? {} : { codeFlows: [codeFlow(finding.trace)] }),
    // Either all results of a run have the property or none does (3.27.23, 3.27.24).
    ...(run.suppressions
      ? { suppressions: isSuppressed(finding) ? [suppressionOf(finding)] : decisionOf(finding) }
      : {}),
    // Suppressed findings are not compared, because they are never new to anyone.
    ...(run.baseline ? { baselineState: (finding.status ?? "unchanged") === "unchanged" ? "unchanged" : "new" } : {}),
    properties: {
      id: finding.id,
      confidence: finding.confidence,
      description: finding.description.toWellFormed(),
      ...(engines === undefined ? {} : { engines }),
      ...(review === undefined ? {} : { review: Struct.omit(review, ["patch"]) }),
    },
    ...(review?.patch === undefined ? {} : { fixes: [sarifFix(finding.location.file, review.patch)] }),
  }
}

const notificationsOf = (result: AnalysisResult, leftOut: number): ReadonlyArray<Notification> => {
  const { filesSkipped, engines } = result.coverage
  const notifications: Array<Notification> = [
    ...fitting(
      filesSkipped.slice(0, limits.notifications),
      limits.notificationBytes,
      ({ file, reason }): Notification => ({
        level: "warning",
        message: { text: textOr(reason, "This file was not analyzed.") },
        locations: [locationIn(file, undefined)],
      }),
    ),
  ]
  const unnamed = filesSkipped.length - notifications.length
  const note = (text: string): void => void notifications.push({ level: "warning", message: { text } })
  if (unnamed > 0) note(`${unnamed} more files were not analyzed; the JSON report lists them.`)
  for (const engine of engines)
    if (engine.note !== undefined) note(textOr(`${engine.name}: ${engine.note}`, engine.name))
  const warning = incompleteness(result.coverage)
  if (warning !== undefined) note(warning)
  for (const { kind, name, reason } of result.coverage.incomplete ?? [])
    note(`${kind} ${name.toWellFormed()} ${reason}`)
  const misunderstood = misunderstanding(result.coverage)
  if (misunderstood !== undefined) note(textOr(misunderstood, "A program was not understood."))
  // The coverage is limited, so they need no further limit.
  for (const one of result.coverage.programs ?? []) {
    const text = textOr(`${one.program}: ${understanding(one)}`, "How far a program was understood.")
    notifications.push({ level: "note", message: { text } })
  }
  for (const sentence of omissions(result.coverage)) note(sentence)
  if (leftOut > 0) {
    note(
      `${leftOut} results, the least severe ones, are omitted because a report is limited to ${limits.results} results and ${resultLimits.bytes / 1_000_000} MB; see the JSON report.`,
    )
  }
  return notifications
}

const invocationOf = (result: AnalysisResult, leftOut: number): object => {
  const end = new Date(result.completedAt)
  const start = new Date(end.getTime() - result.summary.analysisTime)
  return {
    executionSuccessful: true,
    ...(Number.isNaN(start.getTime()) ? {} : { startTimeUtc: start.toISOString(), endTimeUtc: end.toISOString() }),
    toolExecutionNotifications: notificationsOf(result, leftOut),
  }
}

/** Only a URL is provenance, unlike a local folder scanned on the command line. */
const provenanceOf = ({ url, branch, commit }: AnalysisResult["repository"]): object => {
  if (!isWebUri(url)) return {}
  const details = {
    repositoryUri: url,
    ...(commit === undefined ? {} : { revisionId: commit }),
    ...(branch === "" ? {} : { branch: branch.toWellFormed() }),
    mappedTo: { uriBaseId: root },
  }
  return { versionControlProvenance: [details] }
}

const semanticVersion = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/

export interface SarifOptions {
  /** Page of a rule; without it, its first reference. */
  readonly helpUri?: (ruleId: string) => string
}

/**
 * The result as a SARIF 2.1.0 log that GitHub code scanning accepts. `rules` describes the rules of the findings; one
 * that is missing (an external engine's) is described by its first finding.
 */
export const renderSarif = (
  result: AnalysisResult,
  rules: ReadonlyArray<RuleMeta>,
  options: SarifOptions = {},
): SarifLog => {
  const { findings, suppressed, repository, coverage } = result
  const total = findings.length + suppressed.length
  const metas = new Map<string, RuleMeta>(rules.map((meta) => [meta.id, meta]))
  const used = new Map<string, { readonly index: number; readonly rule: SarifRule }>()
  const indexOf = (finding: Finding): number => {
    const known = used.get(finding.ruleId)
    if (known !== undefined) return known.index
    const index = used.size
    used.set(finding.ruleId, { index, rule: sarifRule(finding, metas.get(finding.ruleId), options.helpUri) })
    return index
  }
  const run = {
    suppressions: suppressed.length > 0 || findings.some(isDecided),
    baseline: findings.some(({ status }) => status !== undefined),
  }
  // The least severe ones do not fit, whatever order the findings come in.
  const results = fitting(
    [...findings.toSorted(worstFirst), ...suppressed.toSorted(worstFirst)].slice(0, limits.results),
    limits.resultBytes,
    (finding) => sarifResult(finding, indexOf(finding), run),
  )
  const version = coverage.engines.find(({ name }) => name.toLowerCase() === "assay")?.version ?? "0.0.0"

  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: toolName,
            version,
            ...(semanticVersion.test(version) ? { semanticVersion: version } : {}),
            rules: [...used.values()].map(({ rule }) => rule),
          },
        },
        invocations: [invocationOf(result, total - results.length)],
        originalUriBaseIds: { [root]: { description: { text: "The root of the analyzed repository." } } },
        ...provenanceOf(repository),
        columnKind: "utf16CodeUnits",
        results,
      },
    ],
  }
}
