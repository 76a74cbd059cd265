import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { ruleMetas } from "../../../domain/detection/catalog.ts"
import type { ExternalResult, ExternalRun } from "../../../domain/external/ExternalResult.ts"
import { asSarif } from "../../../domain/external/jsonOutputs.ts"
import { readSuppressions } from "../../../domain/finding/Suppression.ts"
import { mergeRuns } from "../../../domain/external/mergeRuns.ts"
import { relativePath } from "../../../domain/external/paths.ts"
import { readSarif, sarifLimits } from "../../../domain/external/readSarif.ts"
import { failedEngine, withExternal } from "../../../domain/external/withExternal.ts"
import type { Finding } from "../../../domain/finding/Finding.ts"
import { cpuTime } from "../../support/cpuTime.ts"

const place = (uri: string, region: object = { startLine: 3, endLine: 5 }) => [
  { physicalLocation: { artifactLocation: { uri }, region } },
]
const log = (results: unknown, rules: unknown = undefined, name: unknown = "Slither") =>
  JSON.stringify({ version: "2.1.0", runs: [{ tool: { driver: { name, version: "0.11.3", rules } }, results }] })

const runOf = (text: string, paths = {}): ExternalRun => Result.getOrThrow(readSarif(text, paths))[0]!

/** As Slither 0.11 writes it. */
const slither = log(
  [
    {
      ruleId: "0-1-reentrancy-eth",
      level: "warning",
      message: { text: "Reentrancy in Vault.withdraw() (src/Vault.sol#3-5)" },
      locations: place("src/Vault.sol"),
    },
  ],
  [
    {
      id: "0-1-reentrancy-eth",
      name: "reentrancy-eth",
      properties: { precision: "high", "security-severity": "8.0" },
      shortDescription: { text: "Reentrancy vulnerabilities" },
      help: { text: "Apply checks-effects-interactions." },
    },
  ],
)

describe("a log of another engine", () => {
  it("is described in our terms", () => {
    const run = runOf(slither)
    expect(run).toMatchObject({ engine: "slither", version: "0.11.3", notes: [] })
    expect(run.results).toEqual([
      {
        detector: "reentrancy-eth",
        title: "Reentrancy vulnerabilities",
        message: "Reentrancy in Vault.withdraw() (src/Vault.sol#3-5)",
        remediation: "Apply checks-effects-interactions.",
        severity: "high",
        confidence: "high",
        file: "src/Vault.sol",
        lineStart: 3,
        lineEnd: 5,
      },
    ])
  })

  it("may lack its rules, levels and messages", () => {
    const [result] = runOf(
      log([{ ruleId: "solidity.security.no-slippage-check", locations: place("a.sol", {}) }], null, "Semgrep OSS"),
    ).results
    expect(result).toMatchObject({
      detector: "no-slippage-check",
      severity: "medium",
      message: "no-slippage-check",
      lineStart: 1,
      lineEnd: 1,
    })
  })

  it("counts results without a location, suppressed ones, and those beyond the limit", () => {
    const one = { ruleId: "a", message: { text: "m" }, locations: place("a.sol") }
    const { results, notes } = runOf(
      log([
        { ...one, locations: place("../../etc/passwd") },
        { ...one, locations: [] },
        { ...one, suppressions: [{ kind: "inSource" }] },
        ...Array.from({ length: sarifLimits.results }, () => one),
      ]),
    )
    expect(results).toHaveLength(sarifLimits.results - 3)
    expect(notes).toEqual([
      "3 results beyond the limit are omitted",
      "2 results do not refer to a file in the repository",
      "1 results are suppressed",
    ])
  })

  it("never repeats secrets", () => {
    const key = "436945b08fe11cd3ac60bff4a3e95b53c043c2504962d0ef7d0d028a7cf95723"
    const [result] = runOf(
      log([{ ruleId: "hardcoded", message: { text: `PRIVATE_KEY = 0x${key}` }, locations: place("a.sol") }]),
    ).results
    expect(result!.message).toBe("PRIVATE_KEY = [masked]")
  })

  it.each([
    ["", "is empty"],
    ["Traceback (most recent call last)", "is not JSON"],
    ["[]", "is not a SARIF log: it has no runs"],
    ['{"version":"1.0.0","runs":[]}', "is not a SARIF log of version 2.1.0"],
    [`${'{"a":'.repeat(100_000)}`, "is not JSON"],
  ])("%.40s is refused", (text, reason) => {
    expect(Result.flip(readSarif(text, {}))).toEqual(Result.succeed(reason))
  })

  it.each([
    null,
    1,
    "x",
    [],
    {},
    [null],
    [1],
    [{ locations: 5 }],
    [{ ruleId: {}, locations: [{ physicalLocation: { artifactLocation: { uri: 7 } } }] }],
  ])("results %j do no harm", (results) => {
    expect(runOf(log(results, [null, 5, { id: {} }], { toString: 1 })).results).toEqual([])
  })

  it.each([
    ["src/A.sol", "src/A.sol"],
    ["./src//A.sol", "src/A.sol"],
    ["src\\A.sol", "src/A.sol"],
    ["file:///srv/repo/src/A%20B.sol", "src/A B.sol"],
    ["/srv/repo/src/A.sol", "src/A.sol"],
    ["/srv/repository/A.sol", undefined],
    ["src/../../A.sol", undefined],
    ["src/%2e%2e/%2e%2e/A.sol", undefined],
    ["https://example.com/A.sol", undefined],
    ["%zz", undefined],
    ["", undefined],
    ["a\u0000b", undefined],
  ])("the path %j is %j", (uri, expected) => {
    expect(relativePath(uri, { root: "/srv/repo" })).toBe(expected)
  })
})

const ours: Finding = {
  id: "f_1",
  ruleId: "evm/reentrancy/state-change-after-call",
  title: "Reentrancy",
  description: "d",
  severity: "high",
  confidence: "medium",
  category: "reentrancy",
  location: { file: "src/Vault.sol", lineStart: 4, lineEnd: 4 },
  remediation: "r",
  trace: [],
  references: [],
  fingerprint: "1",
}

describe("merging", () => {
  it("reports one finding per problem, with higher confidence", () => {
    const { findings, agreed } = mergeRuns([ours], [runOf(slither)], ruleMetas)
    expect(agreed).toEqual([1])
    expect(findings).toEqual([{ ...ours, confidence: "high", engines: ["assay", "slither"] }])
  })

  it.each([
    ["names all rules", "// assay-ignore: checked", true],
    ["names the engine", "// assay-ignore external/slither/*: checked", true],
    ["names another rule", "// assay-ignore evm/gas/*: checked", false],
    ["is Slither's, for what it calls the problem", "// slither-disable-next-line reentrancy-no-eth", true],
  ])("sets a result aside where a comment above it %s", (_name, comment, isSetAside) => {
    const text = `${"\n".repeat(ours.location.lineStart - 2)}${comment}\ncall();\n`
    const { file } = ours.location
    const run = { ...runOf(slither), comments: new Map([[file, readSuppressions(file, text)]]) }
    const at = { lineStart: ours.location.lineStart, lineEnd: ours.location.lineStart, detector: "reentrancy-no-eth" }
    const { findings, suppressed } = mergeRuns([], [{ ...run, results: [{ ...run.results[0]!, ...at }] }], ruleMetas)
    expect([findings.length, suppressed.length]).toEqual(isSetAside ? [0, 1] : [1, 0])
    if (isSetAside) expect(suppressed[0]!.suppression.line).toBe(ours.location.lineStart - 1)
  })

  it("does not bring back what a comment suppressed for our own rule", () => {
    const { engines: _, ...rest } = ours
    const aside = { ...rest, suppression: { reason: "checked", line: 3 } }
    const { findings, suppressed, agreed } = mergeRuns([], [runOf(slither)], ruleMetas, [aside])
    expect(findings).toEqual([])
    expect(suppressed).toEqual([aside])
    expect(agreed).toEqual([1])
  })

  it.each([
    ["another file", { file: "src/Other.sol" }],
    ["other lines", { lineStart: 40, lineEnd: 44 }],
    ["another class", { detector: "tx-origin" }],
    ["a class that we do not know", { detector: "naming-convention" }],
  ])("keeps a result about %s as a finding of its own", (_name, change: Partial<ExternalResult>) => {
    const run = runOf(slither)
    const { findings } = mergeRuns([ours], [{ ...run, results: [{ ...run.results[0]!, ...change }] }], ruleMetas)
    expect(findings).toHaveLength(2)
    const added = findings.find(({ ruleId }) => ruleId.startsWith("external/slither/"))
    expect(added).toMatchObject({ engines: ["slither"], severity: "high" })
    expect(added!.ruleId).toMatch(/^external\/slither\/[a-z-]+\/[a-z0-9-]+$/)
  })

  it("does not let one engine confirm itself, but lets two others do so", () => {
    const run = runOf(slither)
    const one = { ...run.results[0]!, detector: "tx-origin" }
    const aderyn: ExternalRun = { ...run, engine: "aderyn", results: [{ ...one, detector: "tx-origin-used-for-auth" }] }
    const { findings } = mergeRuns([], [{ ...run, results: [one, one, { ...one, lineStart: 4 }] }, aderyn], ruleMetas)
    expect(findings.map(({ engines }) => engines)).toEqual([["slither", "aderyn"], ["slither"]])
  })

  it("keeps a fingerprint when the code moves", () => {
    const run = runOf(slither)
    const moved = runOf(slither.replaceAll("3-5", "13-15"))
    const print = ({ results }: ExternalRun) =>
      mergeRuns([], [{ ...run, results }], ruleMetas).findings.map(({ fingerprint }) => fingerprint)
    expect(print(moved)).toEqual(print(run))
  })

  it("takes less than a second of CPU for 20,000 results, however they are arranged", () => {
    const [result] = runOf(slither).results
    for (const spread of [1, 20_000]) {
      const results = Array.from({ length: 20_000 }, (_, index) => ({
        ...result!,
        file: `src/${index % spread}.sol`,
        lineStart: index * 3,
        lineEnd: index * 3 + 1,
      }))
      const findings = Array.from({ length: 5_000 }, (_, index) => ({
        ...ours,
        location: { file: `src/${index % spread}.sol`, lineStart: index * 6, lineEnd: index * 6 },
      }))
      const before = cpuTime()
      mergeRuns(findings, [{ ...runOf(slither), results }], ruleMetas)
      const took = cpuTime() - before
      expect(took / 1_000).toBeLessThan(1)
    }
  })

  it("names each engine in the coverage, even a failed one", () => {
    const coverage = { filesAnalysed: 1, filesSkipped: [], rulesRun: 1, engines: [{ name: "assay", version: "1" }] }
    const { coverage: after } = withExternal(
      { suppressed: [], findings: [ours], coverage },
      [runOf(slither)],
      ruleMetas,
    )
    expect(after.engines[1]).toEqual({
      name: "slither",
      version: "0.11.3",
      note: "1 result, 1 of them for known findings",
    })
    expect(failedEngine("slither", "it ended with 1").note).toBe("failed: it ended with 1")
  })
})

describe("engines with a JSON format of their own", () => {
  it("Mythril", () => {
    const text = JSON.stringify({
      error: null,
      issues: [
        {
          "swc-id": "107",
          title: "External Call",
          severity: "Medium",
          description: "A call",
          filename: "src/Vault.sol",
          lineno: 4,
        },
      ],
      success: true,
    })
    const run = runOf(asSarif(text))
    expect(run.engine).toBe("mythril")
    expect(run.results).toMatchObject([
      { detector: "swc-107", title: "External Call", severity: "medium", lineStart: 4 },
    ])
    expect(mergeRuns([ours], [run], ruleMetas).findings[0]!.engines).toEqual(["assay", "mythril"])
  })

  it("clippy", () => {
    const message = {
      code: { code: "clippy::unwrap_used" },
      level: "warning",
      message: "used `unwrap()`",
      spans: [
        { is_primary: true, file_name: "src/lib.rs", line_start: 7, line_end: 7, column_start: 5, column_end: 9 },
      ],
    }
    const lines = [
      { reason: "compiler-artifact" },
      { reason: "compiler-message", message },
      { reason: "build-finished", success: true },
    ]
    const run = runOf(asSarif(lines.map((line) => JSON.stringify(line)).join("\n")))
    expect(run.results).toMatchObject([
      { detector: "unwrap-used", severity: "low", file: "src/lib.rs", lineStart: 7, columnStart: 5 },
    ])
  })
})
