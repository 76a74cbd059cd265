import { describe, expect, it } from "vitest"
import { assembleResult } from "../../../application/analysis/assembleResult.ts"
import { boundedCoverage } from "../../../domain/analysis/boundedCoverage.ts"
import { resultLimits } from "../../../domain/finding/ResultLimits.ts"
import { examine } from "../../../domain/detection/examine.ts"
import { someFrontEnd } from "../../../domain/detection/FrontEnd.ts"
import type { Rule } from "../../../domain/detection/Rule.ts"
import type { SourceFile } from "../../../domain/detection/SourceFile.ts"
import { jsonBytes } from "../../../domain/finding/fitting.ts"
import { renderSarif } from "../../../domain/report/Sarif.ts"
import { AnalysisId } from "../../../domain/ids/Ids.ts"

/** Six bytes each in JSON, ten in Markdown. */
const hostile = (length: number): string => "\u0001".repeat(length)

const meta = {
  id: "evm/gas/hostile",
  class: "toy",
  title: "Title",
  severity: "high",
  confidence: "high",
  cwe: [1],
  description: "Description.",
  remediation: "Remedy.",
  references: [],
} as const

/** Reports as much as it can wherever possible, about every character of a file. */
const talkative: Rule<ReadonlyArray<SourceFile>> = {
  meta,
  examples: { vulnerable: ["", ""], safe: ["", ""] },
  check: (files, report) => {
    for (const file of files) {
      for (let start = 0; start < file.text.length; start++) {
        const span = { start, end: file.text.length }
        report({
          file,
          span,
          scope: hostile(10_000),
          message: `${hostile(50_000)} ${hostile(50)} `.repeat(2),
          trace: Array.from({ length: 200 }, () => ({ file, span, note: hostile(10_000) })),
          subject: {
            id: hostile(5_000),
            title: hostile(5_000),
            remediation: hostile(5_000),
            references: [hostile(5_000)],
          },
        })
      }
    }
  },
}

const hostileFrontEnd = someFrontEnd<SourceFile, ReadonlyArray<SourceFile>>({
  ecosystem: "evm",
  isSource: (path) => path.endsWith(".sol"),
  parse: (file) => ({
    unit: file,
    errors: [],
    problems: Array.from({ length: 20 }, () => hostile(10_000)),
    functions: 1,
    usable: !file.path.includes("unreadable"),
  }),
  build: (units) => units,
  rules: [talkative],
})

describe("a result", () => {
  it("has at most 8 MB in each format when a repository maximizes every part of it", { timeout: 60_000 }, () => {
    const read = (path: string) => ({
      text: path.includes("asks")
        ? `// assay-ignore *: ${hostile(1_000)}\n${"x".repeat(100)}`
        : `${hostile(path.includes("unreadable") ? 1 : 100)}`,
    })
    const paths = [
      ...Array.from({ length: 20 }, (_, index) => `${hostile(1_000)}/${index}.sol`),
      ...Array.from({ length: 5 }, (_, index) => `${hostile(1_000)}/asks${index}.sol`),
      ...Array.from({ length: 2_000 }, (_, index) => `${hostile(1_000)}/unreadable${index}.sol`),
    ]
    const { coverage, ...examined } = examine({
      sources: { paths, read },
      frontEnds: [hostileFrontEnd],
      notes: Array.from({ length: 200 }, (_, index) => `${hostile(10_000)} ${index}`),
      incomplete: Array.from({ length: 21 }, () => ({ kind: "file", name: hostile(4_096), reason: "took long" })),
      engine: { name: "assay", version: "1" },
    })
    const skipped = Array.from({ length: 2_000 }, () => ({ file: hostile(1_024), reason: hostile(500) }))
    const result = assembleResult({
      analysisId: AnalysisId.make(crypto.randomUUID()),
      repositoryUrl: `https://github.com/${"o".repeat(2_000)}`,
      examination: {
        branch: "b".repeat(255),
        commit: "c".repeat(40),
        framework: "evm",
        suppressed: examined.suppressed,
        coverage: boundedCoverage({ ...coverage, filesSkipped: [...skipped, ...coverage.filesSkipped] }),
      },
      findings: examined.findings,
      analysisTime: 1,
      completedAt: new Date(0),
    })
    for (const form of [result, renderSarif(result, [meta])]) expect(jsonBytes(form)).toBeLessThan(resultLimits.bytes)
    expect(result.coverage.omitted).toMatchObject({
      findings: { high: expect.any(Number) },
      suppressed: expect.any(Number),
      filesSkipped: expect.any(Number),
    })
    expect(result.findings.length).toBeGreaterThan(50)
    expect(result.summary.totalFindings).toBe(20 * 100)
  })
})
