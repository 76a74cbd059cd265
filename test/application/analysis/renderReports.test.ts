import { describe, expect, it } from "vitest"
import { assembleResult } from "../../../application/analysis/assembleResult.ts"
import type { ExaminedRepository } from "../../../application/analysis/examineRepository.ts"
import { renderReport } from "../../../application/analysis/renderReports.ts"
import { reportForms } from "../../../application/ports/analysis/PackedReport.ts"
import { resultLimits } from "../../../domain/finding/ResultLimits.ts"
import type { Finding } from "../../../domain/finding/Finding.ts"
import { severities } from "../../../domain/finding/Severity.ts"
import { exampleFinding } from "../../domain/report/arbitraries.ts"
import { AnalysisId } from "../../../domain/ids/Ids.ts"

/** Findings of every severity, worst first. */
const findings = (count: number, change: (index: number) => Partial<Finding>): ReadonlyArray<Finding> =>
  Array.from({ length: count }, (_, index) => ({
    ...exampleFinding,
    fingerprint: index.toString(16).padStart(16, "0"),
    severity: severities[Math.floor((index * severities.length) / count)]!,
    ...change(index),
  }))

const resultOf = (found: ReadonlyArray<Finding>, change: Partial<ExaminedRepository> = {}) =>
  assembleResult({
    analysisId: AnalysisId.make("0193a1b2-0000-7000-8000-000000000000"),
    repositoryUrl: "https://github.com/owner/name",
    examination: {
      branch: "main",
      commit: undefined,
      framework: "evm",
      findings: found,
      suppressed: [],
      unlisted: [],
      coverage: { filesAnalysed: 1, filesSkipped: [], rulesRun: 1, engines: [{ name: "assay", version: "0.1.0" }] },
      ...change,
    },
    findings: found,
    analysisTime: 1,
    completedAt: new Date(0),
  })

const bytes = (text: string) => Buffer.byteLength(text)
const total = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((a, b) => a + b, 0)

describe("a result", () => {
  it.each<[string, ReturnType<typeof resultOf>]>([
    ["50,000 findings", resultOf(findings(50_000, () => ({})))],
    ["names of 100 kB", resultOf(findings(600, () => ({ description: `\u0001"é${"x".repeat(100_000)}` })))],
    [
      "paths that become three times as long in SARIF",
      resultOf(
        findings(3_000, () => ({ location: { ...exampleFinding.location, file: `${"名/".repeat(300)}a.sol` } })),
      ),
    ],
    [
      "long traces",
      resultOf(
        findings(2_000, () => ({
          trace: Array.from({ length: 100 }, () => ({ file: "a b.sol", line: 1, note: "called" })),
        })),
      ),
    ],
    [
      "one finding larger than the limit",
      resultOf(findings(5, (index) => (index === 0 ? { description: "x".repeat(9_000_000) } : {}))),
    ],
    [
      "49,000 skipped files",
      resultOf(
        findings(5, () => ({})),
        {
          coverage: {
            filesAnalysed: 1,
            filesSkipped: Array.from({ length: 49_000 }, (_, index) => ({
              file: `${index}/${"deep/".repeat(200)}`,
              reason: "unreadable",
            })),
            rulesRun: 1,
            engines: [],
          },
        },
      ),
    ],
  ])("of %s fits in every form, and says what is left out", (_, result) => {
    const sarif = renderReport("sarif", result, [], [])
    for (const form of reportForms) {
      expect(bytes(form === "sarif" ? sarif : renderReport(form, result, [], []))).toBeLessThanOrEqual(
        resultLimits.bytes,
      )
    }
    const { omitted } = result.coverage
    const isSarifCut = sarif.includes("are omitted because a report is limited")
    expect(result.summary.totalFindings).toBe(result.findings.length + total(omitted?.findings ?? {}))
    expect(
      total(omitted?.findings ?? {}) + (omitted?.details ?? 0) + (omitted?.filesSkipped ?? 0) + Number(isSarifCut),
    ).toBeGreaterThan(0)
  })

  it("loses details of the least severe findings first, then those findings, and is the same each time", () => {
    const trace = [{ file: "a.sol", line: 1, note: "called ".repeat(100) }]
    const some = findings(7_000, () => ({ trace }))
    const result = resultOf(some)
    const detailed = result.findings.filter((finding) => finding.trace.length > 0)
    expect(detailed).toEqual(some.slice(0, detailed.length))
    expect(result.findings.map(({ fingerprint }) => fingerprint)).toEqual(
      some.slice(0, result.findings.length).map(({ fingerprint }) => fingerprint),
    )
    expect(result.coverage.omitted?.details).toBe(result.findings.length - detailed.length)
    expect(resultOf(some)).toEqual(result)
  })

  it("is unchanged if it fits", () => {
    const some = findings(500, () => ({}))
    const result = resultOf(some)
    expect(result.findings).toEqual(some)
    expect(result.coverage.omitted).toBeUndefined()
  })
})
