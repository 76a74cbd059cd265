import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import type { AnalysisResult } from "../../../domain/analysis/Analysis.ts"
import type { Finding } from "../../../domain/finding/Finding.ts"
import { isDecided } from "../../../domain/finding/Decision.ts"
import { compareWithBaseline, readBaseline, readDecisions } from "../../../domain/report/Baseline.ts"
import { renderSarif } from "../../../domain/report/Sarif.ts"
import { AnalysisId } from "../../../domain/ids/Ids.ts"

const finding = (fingerprint: string): Finding => ({
  id: `f_${fingerprint}`,
  ruleId: "evm/reentrancy/state-change-after-call",
  title: "t",
  description: "d",
  severity: "high",
  confidence: "high",
  category: "reentrancy",
  location: { file: "A.sol", lineStart: 1, lineEnd: 1 },
  remediation: "r",
  trace: [],
  references: [],
  fingerprint,
})

const result = (findings: ReadonlyArray<Finding>, suppressed: AnalysisResult["suppressed"] = []): AnalysisResult => ({
  analysisId: AnalysisId.make("00000000-0000-4000-8000-000000000000"),
  status: "completed",
  repository: { url: "https://github.com/a/b", branch: "main", framework: "evm" },
  summary: {
    totalFindings: 0,
    criticalFindings: 0,
    highFindings: 0,
    mediumFindings: 0,
    lowFindings: 0,
    analysisTime: 0,
  },
  findings,
  suppressed,
  coverage: { filesAnalysed: 1, filesSkipped: [], rulesRun: 1, engines: [] },
  completedAt: "2026-01-01T00:00:00.000Z",
  markdownReport: "#",
})

const [a, b, c] = ["a".repeat(16), "b".repeat(16), "c".repeat(16)] as const

const fingerprints = (text: string) => [...Result.getOrThrow(readBaseline(text))].toSorted()

describe("a baseline", () => {
  it("can be read from our JSON and our SARIF", () => {
    const report = result([finding(a), finding(b)])
    expect(fingerprints(JSON.stringify(report))).toEqual([a, b])
    expect(fingerprints(JSON.stringify(renderSarif(report, [])))).toEqual([a, b])
  })

  it("omits what was suppressed", () => {
    const report = result([finding(a)], [{ ...finding(b), suppression: { reason: "accepted", line: 1 } }])
    expect(fingerprints(JSON.stringify(renderSarif(report, [])))).toEqual([a])
  })

  it("ignores the report of another tool next to ours", () => {
    const ours = renderSarif(result([finding(a)]), [])
    const foreign = {
      tool: { driver: { name: "Other" } },
      results: [{ partialFingerprints: { primaryLocationLineHash: `${b}:1` } }],
    }
    expect(fingerprints(JSON.stringify({ ...ours, runs: [foreign, ...ours.runs] }))).toEqual([a])
    const refused = readBaseline(JSON.stringify({ ...ours, runs: [foreign] }))
    expect(refused).toEqual(Result.fail("is a report of another tool, not of Assay"))
  })

  it("may come from a tool without fingerprints, and be empty", () => {
    expect(fingerprints('{"version":"2.1.0","runs":[{"results":[{"ruleId":"x"}]},{}]}')).toEqual([])
    expect(fingerprints('{"findings":[]}')).toEqual([])
  })

  it("is rejected if it is anything else", () => {
    for (const text of ["", "{", "[]", "{}", '{"findings":[1]}', "null", '{"runs":{}}']) {
      expect(Result.isFailure(readBaseline(text))).toBe(true)
    }
  })

  it("distinguishes new findings from known ones", () => {
    const compared = compareWithBaseline([finding(a), finding(c)], new Set([a, b]))
    expect(compared.map(({ status }) => status)).toEqual(["unchanged", "new"])
  })

  it("carries decisions for as long as they are in effect", () => {
    const now = new Date("2026-06-01T00:00:00Z")
    const accepted = (expiresAt: string) => ({ decision: "accepted_risk", reason: "known", expiresAt }) as const
    const decided = [
      { ...finding(a), decision: { decision: "false_positive", reason: "checked" } as const },
      { ...finding(b), decision: accepted("2026-07-01T00:00:00Z") },
      { ...finding(c), decision: accepted("2026-05-01T00:00:00Z") },
      { ...finding("d".repeat(16)), decision: { decision: "fixed", reason: "done" } as const },
    ]
    const report = result(decided)
    expect([...readDecisions(JSON.stringify(report), now).keys()]).toEqual([a, b])
    const sarif = JSON.stringify(renderSarif(result(decided.slice(0, 1)), []))
    expect(sarif).toContain('"suppressions":[{"kind":"external","status":"accepted","justification":"checked"}]')
    // It is known and settled, so it is not new.
    expect(fingerprints(sarif)).toEqual([a])
    expect([...readDecisions(sarif, now).keys()]).toEqual([a])
    const [compared] = compareWithBaseline([finding(a)], new Set([a]), readDecisions(sarif, now))
    expect([compared!.status, isDecided(compared!)]).toEqual(["unchanged", true])
  })
})
