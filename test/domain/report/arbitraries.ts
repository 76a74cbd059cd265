import * as fc from "fast-check"
import { AccessKind, type AccessRow, AccessStanding } from "../../../domain/access/AccessTable.ts"
import type { AnalysisResult } from "../../../domain/analysis/Analysis.ts"
import { categories } from "../../../domain/finding/Category.ts"
import type { Finding } from "../../../domain/finding/Finding.ts"
import { confidences, severities } from "../../../domain/finding/Severity.ts"
import { summarize } from "../../../domain/finding/ResultSummary.ts"
import { AnalysisId } from "../../../domain/ids/Ids.ts"

/** Fragments with a meaning in Markdown, HTML, GitHub or a terminal. */
const markup = fc.constantFrom(
  ..."`*_~[]()<>|\\!#-+=&;:.@$\"'{}/ \t\n",
  "\r\n",
  "\n\n",
  "```",
  "~~~",
  "\n# ",
  "\n## Findings\n",
  "\n---\n",
  "\n===\n",
  "    ",
  "1. ",
  "- [ ] ",
  "| a |\n|---|\n",
  "](https://evil.example)",
  "![x](y)",
  "[a]: /b",
  "[^1]",
  "<script>",
  "<!--",
  "</h1>",
  "<img src=x onerror=alert(1)>",
  "&lt;",
  "&#64;",
  "https://evil.example/x",
  "www.evil.example",
  "mail@evil.example",
  "@somebody",
  "\u202e",
  "\u2066",
  "\u200b",
  "\u0000",
  "\u001b[31m",
  "\ud800",
  "{0}",
  "word",
  "snake_case_name",
  "é",
  "名",
)

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.array(markup, { maxLength: 14 }).map((parts) => parts.join("")) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 20 }) },
)

const line = fc.integer({ min: 1, max: 100_000 })

export const finding: fc.Arbitrary<Finding> = fc.record(
  {
    id: fc.stringMatching(/^f_[0-9a-f]{16}$/),
    ruleId: fc.oneof(
      fc.constantFrom("evm/reentrancy/state-change-after-call", "solana/pda/bump-seed", "external/slither/suicidal"),
      hostileText.map((text) => `external/engine/${text}`),
    ),
    title: hostileText,
    description: hostileText,
    severity: fc.constantFrom(...severities),
    confidence: fc.constantFrom(...confidences),
    category: fc.constantFrom(...categories),
    location: fc.record(
      { file: hostileText, lineStart: line, lineEnd: line, columnStart: line, columnEnd: line, snippet: hostileText },
      { requiredKeys: ["file", "lineStart", "lineEnd"] },
    ),
    remediation: hostileText,
    trace: fc.array(fc.record({ file: hostileText, line, note: hostileText }), { maxLength: 3 }),
    references: fc.array(fc.oneof(fc.webUrl(), hostileText), { maxLength: 3 }),
    fingerprint: fc.stringMatching(/^[0-9a-f]{16}$/),
    status: fc.constantFrom("new" as const, "unchanged" as const, "reopened" as const),
  },
  {
    requiredKeys: [
      "id",
      "ruleId",
      "title",
      "description",
      "severity",
      "confidence",
      "category",
      "location",
      "remediation",
      "trace",
      "references",
      "fingerprint",
    ],
  },
)

const accessRow: fc.Arbitrary<AccessRow> = fc.record({
  contract: hostileText,
  function: hostileText,
  file: hostileText,
  line,
  standing: fc.constantFrom(...AccessStanding.literals),
  effects: fc.array(
    fc.record({
      kind: fc.constantFrom(...AccessKind.literals),
      what: hostileText,
      standing: fc.constantFrom(...AccessStanding.literals),
      who: hostileText,
      file: hostileText,
      line,
    }),
    { minLength: 1, maxLength: 3 },
  ),
})

export const analysisResult: fc.Arbitrary<AnalysisResult> = fc
  .record({
    access: fc.option(fc.array(accessRow, { maxLength: 4 }), { nil: undefined }),
    url: fc.oneof(fc.constant("https://github.com/owner/name"), fc.webUrl(), hostileText),
    branch: hostileText,
    commit: fc.option(fc.stringMatching(/^[0-9a-f]{40}$/), { nil: undefined }),
    findings: fc.array(finding, { maxLength: 4 }),
    suppressed: fc.array(
      fc
        .record({ found: finding, suppression: fc.record({ reason: hostileText, line }) })
        .map(({ found, suppression }) => Object.assign({}, found, { suppression })),
      { maxLength: 2 },
    ),
    filesSkipped: fc.array(fc.record({ file: hostileText, reason: hostileText }), { maxLength: 2 }),
    note: fc.option(hostileText, { nil: undefined }),
    programs: fc.array(
      fc.record({
        program: hostileText,
        framework: hostileText,
        entryPoints: fc.nat(),
        handlers: fc.nat(),
        understood: fc.nat(),
        inputs: fc.nat(),
        nearlyEmpty: fc.array(hostileText, { maxLength: 2 }),
        notFollowed: fc.array(fc.record({ name: hostileText, reason: hostileText }), { maxLength: 2 }),
        leftOut: fc.array(hostileText, { maxLength: 2 }),
        warning: hostileText,
      }),
      { maxLength: 2 },
    ),
    analysisTime: fc.nat(),
  })
  .map(({ url, branch, commit, findings, suppressed, filesSkipped, note, programs, analysisTime, access }) => ({
    analysisId: AnalysisId.make("0193a1b2-0000-7000-8000-000000000000"),
    status: "completed",
    repository: { url, branch, framework: "evm", ...(commit === undefined ? {} : { commit }) },
    summary: summarize(findings, analysisTime),
    findings,
    suppressed,
    coverage: {
      filesAnalysed: 3,
      filesSkipped,
      rulesRun: 20,
      programs,
      engines: [{ name: "assay", version: "0.1.0", ...(note === undefined ? {} : { note }) }],
    },
    ...(access === undefined ? {} : { accessTable: { access, omitted: 2 } }),
    completedAt: "2026-11-21T12:00:00.000Z",
    markdownReport: "",
  }))

/** A finding as the engine would report it. */
export const exampleFinding: Finding = {
  id: "f_0123456789abcdef",
  ruleId: "evm/reentrancy/state-change-after-call",
  title: "State changes after an external call",
  description: "The balance is written after `msg.sender` was called.\n\nA callback can withdraw again.",
  severity: "high",
  confidence: "medium",
  category: "reentrancy",
  location: {
    file: "contracts/Vault.sol",
    lineStart: 12,
    lineEnd: 15,
    columnStart: 9,
    columnEnd: 30,
    snippet: 'msg.sender.call{value: amount}("")',
  },
  remediation: "Write the balance before the call.",
  trace: [{ file: "contracts/Vault.sol", line: 10, note: "amount is read" }],
  references: ["https://swcregistry.io/docs/SWC-107/"],
  fingerprint: "0123456789abcdef",
}

export const resultOf = (findings: ReadonlyArray<Finding>, more: Partial<AnalysisResult> = {}): AnalysisResult => ({
  analysisId: AnalysisId.make("0193a1b2-0000-7000-8000-000000000000"),
  status: "completed",
  repository: { url: "https://github.com/owner/name", branch: "main", framework: "evm" },
  summary: summarize(findings, 1_234),
  findings,
  suppressed: [],
  coverage: {
    filesAnalysed: 3,
    filesSkipped: [],
    rulesRun: 20,
    engines: [{ name: "assay", version: "0.1.0" }],
  },
  completedAt: "2026-11-21T12:00:00.000Z",
  markdownReport: "",
  ...more,
})
