import { expect, it } from "vitest"
import { MatchCollector, matchLimits } from "../../../domain/detection/MatchCollector.ts"
import type { RuleMeta } from "../../../domain/detection/Rule.ts"
import { sourceFile } from "../../../domain/detection/SourceFile.ts"

const meta: RuleMeta = {
  id: "evm/logic/one",
  class: "a-class",
  title: "A title",
  severity: "low",
  confidence: "high",
  cwe: [1],
  description: "What it is.",
  remediation: "What to do.",
  references: [],
}

it("matches beyond the overall limit are counted but not kept, across however many files", () => {
  const collector = new MatchCollector(() => false)
  const files = Math.ceil(matchLimits.inAll / matchLimits.perRuleAndFile) + 1
  for (let file = 0; file < files; file++) {
    const source = sourceFile(`${file}.sol`, "x".repeat(matchLimits.perRuleAndFile))
    for (let start = 0; start < matchLimits.perRuleAndFile; start++)
      collector.add(meta, { file: source, span: { start, end: start + 1 }, scope: "" })
  }
  expect(collector.matches).toHaveLength(matchLimits.inAll)
  expect(collector.leftOut.findings.low).toBe(files * matchLimits.perRuleAndFile - matchLimits.inAll)
})
