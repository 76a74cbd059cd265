import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { RuleMeta } from "../../../domain/detection/Rule.ts"
import { resultLimits } from "../../../domain/finding/ResultLimits.ts"
import { jsonBytes } from "../../../domain/finding/fitting.ts"
import { renderSarif, type SarifLog } from "../../../domain/report/Sarif.ts"
import { objectionsTo } from "../../support/sarifSchema.ts"
import { analysisResult, exampleFinding, resultOf } from "./arbitraries.ts"
import { cpuTime } from "../../support/cpuTime.ts"

const meta: RuleMeta = {
  id: "evm/reentrancy/state-change-after-call",
  class: "reentrancy-eth",
  title: "State changes after an external call",
  severity: "high",
  confidence: "medium",
  cwe: [841, 696],
  swc: 107,
  description: "A contract that is called can call back.",
  remediation: "Write the state first.",
  references: ["https://swcregistry.io/docs/SWC-107/"],
}

/** The log as a consumer reads it, without what JSON cannot represent. */
const read = (log: SarifLog): SarifLog => JSON.parse(JSON.stringify(log))
const run = (log: SarifLog) => read(log).runs[0]!

const uriOf = (file: string) =>
  run(renderSarif(resultOf([{ ...exampleFinding, location: { ...exampleFinding.location, file } }]), [meta]))
    .results[0]!.locations[0].physicalLocation.artifactLocation.uri

const longText = (length: number): string => "word ".repeat(length / 5)

describe("SARIF", () => {
  it("is rejected by the schema if invalid, which proves that the schema checks it", () => {
    const log = renderSarif(resultOf([exampleFinding]), [meta])
    expect(objectionsTo({ ...log, runs: [{ ...log.runs[0]!, columnKind: "bytes" }] })).not.toEqual([])
  })

  it("validates against the 2.1.0 schema for any result", () => {
    fc.assert(
      fc.property(analysisResult, fc.boolean(), (result, known) => {
        const log = renderSarif(result, known ? [meta] : [])
        expect(objectionsTo(log)).toEqual([])
        const { results, tool } = run(log)
        expect(results).toHaveLength(result.findings.length + result.suppressed.length)
        for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex]?.id).toBe(ruleId)
        for (const rule of tool.driver.rules) {
          for (const { text } of [rule.shortDescription, rule.fullDescription, rule.help])
            expect(text.trim()).not.toBe("")
          expect(rule.properties.tags.length).toBeLessThanOrEqual(20)
        }
      }),
      { numRuns: 300 },
    )
  })

  it("has the contract's shape for a high finding", () => {
    const log = renderSarif(resultOf([exampleFinding]), [meta])
    expect(log.version).toBe("2.1.0")
    expect(log.$schema).toMatch(/^https:.*sarif/)
    const { tool, results } = run(log)
    expect(tool.driver).toMatchObject({ name: "Assay", version: "0.1.0" })
    expect(results[0]).toMatchObject({
      ruleId: "evm/reentrancy/state-change-after-call",
      level: "error",
      message: { text: "State changes after an external call" },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: "contracts/Vault.sol", uriBaseId: "%SRCROOT%" },
            region: { startLine: 12, endLine: 15, startColumn: 9, endColumn: 30 },
          },
        },
      ],
      partialFingerprints: { primaryLocationLineHash: "0123456789abcdef:1" },
      codeFlows: [{ threadFlows: [{ locations: [{ location: { message: { text: "amount is read" } } }] }] }],
    })
  })

  it.each([
    ["critical", "error", "9.5"],
    ["high", "error", "8.0"],
    ["medium", "warning", "5.5"],
    ["low", "note", "2.5"],
    ["informational", "note", "0.5"],
  ] as const)("gives %s the level %s and the security severity %s", (severity, level, score) => {
    const { tool, results } = run(renderSarif(resultOf([{ ...exampleFinding, severity }]), [{ ...meta, severity }]))
    expect(results[0]!.level).toBe(level)
    expect(tool.driver.rules[0]).toMatchObject({
      defaultConfiguration: { level },
      properties: { "security-severity": score, severity },
    })
  })

  it("describes a rule from the catalog", () => {
    const [rule] = run(renderSarif(resultOf([exampleFinding]), [meta])).tool.driver.rules
    expect(rule).toMatchObject({
      id: meta.id,
      name: "StateChangeAfterCall",
      shortDescription: { text: meta.title },
      fullDescription: { text: meta.description },
      helpUri: "https://swcregistry.io/docs/SWC-107/",
      properties: {
        precision: "medium",
        class: "reentrancy-eth",
        tags: ["security", "reentrancy", "SWC-107", "external/cwe/cwe-841", "external/cwe/cwe-696"],
      },
    })
    expect(rule!.help.text).toContain("Write the state first.")
    expect(rule!.help.markdown).toContain("## Remediation")
  })

  it("describes an external engine's rule by its first finding, without a class", () => {
    const [rule] = run(renderSarif(resultOf([{ ...exampleFinding, ruleId: "external/slither/suicidal" }]), [meta])).tool
      .driver.rules
    expect(rule).toMatchObject({
      id: "external/slither/suicidal",
      fullDescription: { text: expect.stringContaining("balance") },
    })
    expect(rule!.properties).not.toHaveProperty("class")
  })

  it("links to its own page if there is one", () => {
    const log = renderSarif(resultOf([exampleFinding]), [meta], {
      helpUri: (id) => `https://assay.example/rules/${id}`,
    })
    expect(run(log).tool.driver.rules[0]!.helpUri).toBe(`https://assay.example/rules/${meta.id}`)
  })

  it("respects GitHub's limits on the texts and tags of a rule", () => {
    const verbose = {
      ...meta,
      title: longText(3_000),
      description: longText(9_000),
      cwe: Array.from({ length: 40 }, (_, i) => i + 1),
    }
    const [rule] = run(renderSarif(resultOf([exampleFinding]), [verbose])).tool.driver.rules
    expect(rule!.shortDescription.text.length).toBeLessThanOrEqual(1_024)
    expect(rule!.fullDescription.text.length).toBeLessThanOrEqual(1_024)
    expect(rule!.properties.tags).toHaveLength(20)
  })

  it("keeps the worst results within 8 MB and says how many are omitted", () => {
    const low = { ...exampleFinding, severity: "low" as const }
    const findings = [...Array.from({ length: 25_010 }, () => low), exampleFinding]
    const log = renderSarif(resultOf(findings), [meta])
    const { results, invocations } = run(log)
    expect(jsonBytes(log)).toBeLessThan(resultLimits.bytes)
    expect(results.length).toBeGreaterThan(5_000)
    expect(results[0]!.level).toBe("error")
    expect(JSON.stringify(invocations)).toContain(
      `${25_011 - results.length} results, the least severe ones, are omitted`,
    )
  })

  it("shortens a trace of more than 1,000 steps and keeps its end", () => {
    const trace = Array.from({ length: 20_000 }, (_, i) => ({ file: "a.sol", line: i + 1, note: `step ${i}` }))
    const text = JSON.stringify(
      run(renderSarif(resultOf([{ ...exampleFinding, trace }]), [meta])).results[0]!.codeFlows,
    )
    expect(text.match(/"step /g)).toHaveLength(1_000)
    expect(text).toContain('"step 19999"')
  })

  it("writes paths as relative references", () => {
    expect(uriOf("lib/@oz/My Token#1%.sol")).toBe("lib/@oz/My%20Token%231%25.sol")
    expect(uriOf("c:/x.sol")).toBe("c%3A/x.sol")
    expect(uriOf("//host/x.sol")).toBe("host/x.sol")
  })

  it("never ends a region before it starts", () => {
    const location = { file: "a.sol", lineStart: 5, lineEnd: 3, columnStart: 9, columnEnd: 2 }
    const [result] = run(renderSarif(resultOf([{ ...exampleFinding, location }]), [meta])).results
    expect(result!.locations[0].physicalLocation.region).toEqual({
      startLine: 5,
      endLine: 5,
      startColumn: 9,
      endColumn: 9,
    })
  })

  it("marks suppressed findings, and explicitly marks all others as not suppressed", () => {
    const suppressed = [{ ...exampleFinding, suppression: { reason: "guarded", line: 11 } }]
    const { results } = run(renderSarif(resultOf([exampleFinding], { suppressed }), [meta]))
    expect(results.map(({ suppressions }) => suppressions)).toMatchObject([
      [],
      [{ kind: "inSource", justification: "guarded", location: { physicalLocation: { region: { startLine: 11 } } } }],
    ])
    expect(run(renderSarif(resultOf([exampleFinding]), [meta])).results[0]).not.toHaveProperty("suppressions")
  })

  it("gives every result a baseline state if the findings were compared, and none otherwise", () => {
    const compared = [
      { ...exampleFinding, status: "new" as const },
      { ...exampleFinding, status: "unchanged" as const },
      { ...exampleFinding, status: "reopened" as const },
    ]
    const suppressed = [{ ...exampleFinding, suppression: { reason: "guarded", line: 11 } }]
    const states = run(renderSarif(resultOf(compared, { suppressed }), [meta])).results.map(
      (each) => each.baselineState,
    )
    expect(states).toEqual(["new", "unchanged", "new", "unchanged"])
    expect(run(renderSarif(resultOf([exampleFinding]), [meta])).results[0]).not.toHaveProperty("baselineState")
  })

  it("has a model's review as a property, and a patch as a fix in terms of the original lines", () => {
    const patch =
      "--- a/Vault.sol\n+++ b/Vault.sol\n@@ -4,5 +4,6 @@\n one\n+new\n two\n-three\n-four\n+3\n five\n@@ -20,2 +21,1 @@\n a\n-b\n"
    const review = {
      verdict: "confirmed",
      reasoning: "r",
      quotes: [{ line: 5, text: "two" }],
      patch,
      model: "m",
    } as const
    const [result] = run(renderSarif(resultOf([{ ...exampleFinding, review }]), [meta])).results
    expect(result?.properties.review).toEqual({ ...review, patch: undefined })
    expect(result?.fixes).toMatchObject([
      {
        artifactChanges: [
          {
            replacements: [
              { deletedRegion: { startLine: 5, endLine: 5 }, insertedContent: { text: "new\n" } },
              { deletedRegion: { startLine: 6, endLine: 8 }, insertedContent: { text: "3\n" } },
              { deletedRegion: { startLine: 21, startColumn: 1, endLine: 22, endColumn: 1 } },
            ],
          },
        ],
      },
    ])
  })

  it("names repository, branch and commit, and the skipped files", () => {
    const commit = "b".repeat(40)
    const { versionControlProvenance, invocations } = run(
      renderSarif(
        resultOf([], {
          repository: { url: "https://github.com/owner/name", branch: "main", framework: "evm", commit },
          coverage: {
            filesAnalysed: 0,
            filesSkipped: [{ file: "a b.sol", reason: "larger than 2 MB" }],
            rulesRun: 0,
            engines: [],
          },
        }),
        [meta],
      ),
    )
    expect(versionControlProvenance).toMatchObject([
      { repositoryUri: "https://github.com/owner/name", branch: "main", revisionId: commit },
    ])
    expect(invocations).toMatchObject([
      {
        executionSuccessful: true,
        toolExecutionNotifications: [
          {
            message: { text: "larger than 2 MB" },
            locations: [{ physicalLocation: { artifactLocation: { uri: "a%20b.sol" } } }],
          },
        ],
      },
    ])
  })

  it("lists what limits skipped, and what did not fit", () => {
    const coverage = {
      ...resultOf([]).coverage,
      incomplete: [{ kind: "rule" as const, name: "evm/gas/slow", reason: "took longer than 5 s to analyze" }],
      omitted: { findings: { critical: 0, high: 0, medium: 0, low: 3, informational: 0 }, filesSkipped: 2 },
    }
    const text = JSON.stringify(run(renderSarif(resultOf([], { coverage }), [meta])).invocations)
    expect(text).toContain("time or memory limits skipped 1 rule.")
    expect(text).toContain("rule evm/gas/slow took longer than 5 s to analyze")
    expect(text).toContain("further findings, 3 low.")
    expect(text).toContain("2 further files")
  })

  it("has no provenance for a local folder", () => {
    const repository = { url: "/home/somebody/project", branch: "main", framework: "evm" } as const
    expect(run(renderSarif(resultOf([], { repository }), [meta]))).not.toHaveProperty("versionControlProvenance")
  })

  it("keeps a title from becoming a link", () => {
    const [result] = run(
      renderSarif(resultOf([{ ...exampleFinding, title: "see [here](https://evil.example)" }]), [meta]),
    ).results
    expect(result!.message.text).toBe("see [here\\](https://evil.example)")
  })

  it("renders 10,000 findings in under 2 seconds", () => {
    const start = cpuTime()
    JSON.stringify(renderSarif(resultOf(Array.from({ length: 10_000 }, () => exampleFinding)), [meta]))
    expect(cpuTime() - start).toBeLessThan(2_000)
  })
})
