import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Finding } from "../../../domain/finding/Finding.ts"
import { severities } from "../../../domain/finding/Severity.ts"
import { severityRank } from "../../../domain/finding/severityRank.ts"
import { informationalFindings, summarize } from "../../../domain/finding/ResultSummary.ts"
import { worstFirst } from "../../../domain/finding/worstFirst.ts"

const arbitraryFinding: fc.Arbitrary<Finding> = fc
  .record({
    severity: fc.constantFrom(...severities),
    file: fc.constantFrom("a.sol", "b.sol", "B.sol"),
    line: fc.integer({ min: 1, max: 5 }),
    ruleId: fc.constantFrom("evm/logic/a", "evm/logic/b"),
  })
  .map(({ severity, file, line, ruleId }) => ({
    id: "f_0123456789abcdef",
    ruleId,
    title: "t",
    description: "d",
    severity,
    confidence: "high",
    category: "logic",
    location: { file, lineStart: line, lineEnd: line },
    remediation: "r",
    trace: [],
    references: [],
    fingerprint: "0123456789abcdef",
  }))

const findings = fc.array(arbitraryFinding, { maxLength: 30 })

describe("summary", () => {
  it("counts every severity, and all five in the total", () => {
    fc.assert(
      fc.property(findings, fc.nat(), (findings, analysisTime) => {
        const summary = summarize(findings, analysisTime)
        const number = (severity: string) => findings.filter((finding) => finding.severity === severity).length
        expect(summary).toEqual({
          totalFindings: findings.length,
          criticalFindings: number("critical"),
          highFindings: number("high"),
          mediumFindings: number("medium"),
          lowFindings: number("low"),
          analysisTime,
        })
        expect(informationalFindings(summary)).toBe(number("informational"))
      }),
    )
  })

  it("has a whole, non-negative analysis time", () => {
    expect(summarize([], 12.6).analysisTime).toBe(13)
    expect(summarize([], -5).analysisTime).toBe(0)
  })
})

describe("order of findings", () => {
  it("is worst first, then by file and line, whatever the original order", () => {
    fc.assert(
      fc.property(findings, (findings) => {
        const sorted = findings.toSorted(worstFirst)
        expect(findings.toReversed().toSorted(worstFirst)).toEqual(sorted)
        const keys = sorted.map(
          ({ severity, location }) => `${severityRank(severity)} ${location.file} ${location.lineStart}`,
        )
        expect(keys).toEqual(keys.toSorted())
      }),
    )
  })
})
