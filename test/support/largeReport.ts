import type { AnalysisResult } from "../../domain/analysis/Analysis.ts"
import { severities } from "../../domain/finding/Severity.ts"
import { summarize } from "../../domain/finding/ResultSummary.ts"
import type { Finding } from "../../domain/finding/Finding.ts"

const titles = ["State change after sending ether", "Anyone can take over the role", "Result is not checked"]

const findingOf = (index: number, count: number): Finding => {
  const severity = severities[Math.min(4, Math.floor((index * 5) / count))]!
  const line = 10 + (index % 90)
  const file = `contracts/module${index % 37}/Vault${index % 113}.sol`
  return {
    id: `f_${index.toString(16).padStart(16, "0")}`,
    ruleId: "evm/reentrancy/state-change-after-call",
    title: `${titles[index % titles.length]} (${index})`,
    description: "The function pays first, and updates `balanceOf` only afterwards.\n\nA receiver calls back into it.",
    severity,
    confidence: index % 2 === 0 ? "high" : "medium",
    category: index % 3 === 0 ? "reentrancy" : "access-control",
    location: { file, lineStart: line, lineEnd: line, snippet: 'msg.sender.call{value: amount}("")' },
    remediation: "Update the state before the call.",
    trace: [
      { file, line, note: "ether is sent with all remaining gas" },
      { file: "contracts/Base.sol", line: line + 3, note: "balanceOf is written afterwards" },
    ],
    references: ["https://swcregistry.io/docs/SWC-107"],
    fingerprint: index.toString(16).padStart(16, "0"),
    status: index % 10 === 0 ? "new" : "unchanged",
  }
}

/** The sources of such a result, by path. */
export const largeSources = ({ findings }: Pick<AnalysisResult, "findings">): Readonly<Record<string, string>> => {
  const lines = Array.from({ length: 120 }, (_, index) => `    uint256 internal slot${index}; // ${index}`)
  const text = ["// SPDX-License-Identifier: MIT", "pragma solidity 0.8.26;", "contract Vault {", ...lines, "}"].join(
    "\n",
  )
  const files = findings.flatMap(({ location, trace }) => [location.file, ...trace.map(({ file }) => file)])
  return Object.fromEntries(files.map((file) => [file, text]))
}

/** A result with that many findings, over all severities and a hundred files, most severe first. */
export const largeReport = (
  count: number,
): Pick<AnalysisResult, "findings" | "summary" | "suppressed" | "coverage"> => {
  const findings = Array.from({ length: count }, (_, index) => findingOf(index, count))
  return {
    findings,
    summary: summarize(findings, 12_000),
    suppressed: [{ ...findingOf(count, count + 1), suppression: { reason: "Checked by the proxy.", line: 9 } }],
    coverage: {
      filesAnalysed: 113,
      filesSkipped: [{ file: "contracts/Broken.sol", reason: "It cannot be parsed." }],
      rulesRun: 204,
      engines: [{ name: "assay", version: "0.1.0" }],
      programs: [
        {
          program: "escrow",
          framework: "anchor",
          entryPoints: 1,
          handlers: 3,
          understood: 1,
          inputs: 10,
          nearlyEmpty: ["settle"],
          notFollowed: [{ name: "helper", reason: "It is called through a pointer." }],
          warning: "Two of three handlers were not understood.",
        },
      ],
    },
  }
}
