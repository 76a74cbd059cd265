import * as fc from "fast-check"
import { fromMarkdown } from "mdast-util-from-markdown"
import { gfmFromMarkdown } from "mdast-util-gfm"
import { gfm } from "micromark-extension-gfm"
import { describe, expect, it } from "vitest"
import { type AccessRow, shownAccess } from "../../../domain/access/AccessTable.ts"
import type { AnalysisResult } from "../../../domain/analysis/Analysis.ts"
import { resultLimits } from "../../../domain/finding/ResultLimits.ts"
import { jsonBytes } from "../../../domain/finding/fitting.ts"
import { renderMarkdown } from "../../../domain/report/Markdown.ts"
import { visible } from "../../../domain/finding/visible.ts"
import { codeSpan, inline } from "../../../domain/report/markdownText.ts"
import { analysisResult, exampleFinding, hostileText, resultOf } from "./arbitraries.ts"
import { cpuTime, cpuTimeOf } from "../../support/cpuTime.ts"

interface Node {
  readonly type: string
  readonly children?: ReadonlyArray<Node>
  readonly value?: string
  readonly depth?: number
  readonly url?: string
}

const parse = (markdown: string): Node =>
  // The library has one node type per kind; here all are treated alike.
  fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }) as Node
const parsePlain = (markdown: string): Node => fromMarkdown(markdown) as Node

const textOf = (node: Node): string => node.value ?? (node.children ?? []).map(textOf).join("")
const flatten = (node: Node): ReadonlyArray<Node> => [node, ...(node.children ?? []).flatMap(flatten)]

/** What a reader sees of a Markdown text, except for white space. */
const seen = (text: string): string => visible(text).replace(/[\s`]+/g, "")

/** Exactly the headings, lists and code blocks that a report of this result must have. */
const expectedBlocks = ({ findings, suppressed, accessTable }: AnalysisResult): number =>
  1 + 3 + findings.length + (suppressed.length > 0 ? 1 : 0) + (accessTable === undefined ? 0 : 1)

const contractsOf = ({ accessTable }: AnalysisResult): number =>
  new Set(accessTable?.access.map(({ contract }) => contract)).size

const allowedTypes = new Set([
  "root",
  "heading",
  "paragraph",
  "text",
  "strong",
  "inlineCode",
  "code",
  "list",
  "listItem",
  "table",
  "tableRow",
  "tableCell",
  "link",
])

describe("inline text", () => {
  it.each([
    ["GFM", parse],
    ["CommonMark", parsePlain],
  ] as const)("is one paragraph of text and code in %s, whatever it contains", (_, parser) => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const tree = parser(`${inline(text)}\n`)
        if (seen(text) === "") return
        const types = new Set(flatten(tree).map(({ type }) => type))
        expect([...types].filter((type) => !["root", "paragraph", "text", "inlineCode"].includes(type))).toEqual([])
        expect(tree.children).toHaveLength(1)
        expect(textOf(tree).replace(/[\s`]+/g, "")).toBe(seen(text))
      }),
      { numRuns: 1_000 },
    )
  })

  it("keeps identifiers, indices and comparisons readable in the raw text", () => {
    const text = "balances[msg.sender] >= total_supply (see a_b_c) - done"
    expect(inline(text)).toBe(text)
  })

  it("shows words as code if they would become links or mentions", () => {
    expect(inline("see (https://example.com/a_b), @openzeppelin/contracts.")).toBe(
      "see (`https://example.com/a_b`), `@openzeppelin/contracts`.",
    )
  })

  it("never starts a link definition, which would be invisible", () => {
    expect(inline("[^1]:mail@evil.example")).toBe("\\[`^1]:mail@evil.example`")
  })

  it("makes characters that reorder or hide text visible", () => {
    expect(inline("a\u202eb\u0000c")).toBe("a‹U+202E›b‹U+0000›c")
  })

  it("takes time linear in the text", () => {
    for (const piece of ["`", "``a", "[", "](", "_", "@a", "\\", "(((", ")))", "*_`", "https://", "a`"]) {
      const long = piece.repeat(200_000)
      expect(cpuTimeOf(() => void inline(long))).toBeLessThan(3_000)
    }
  })
})

describe("code span", () => {
  it("can contain any text", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const [paragraph, ...more] = parse(`x ${codeSpan(text)} x\n`).children!
        expect(more).toEqual([])
        const [before, code, after] = paragraph!.children!
        if (seen(text) === "" && !text.includes("`")) return
        expect([before!.type, code!.type, after!.type]).toEqual(["text", "inlineCode", "text"])
        expect(code!.value!.replace(/\s+/g, "")).toBe(visible(text).replace(/\s+/g, ""))
      }),
      { numRuns: 1_000 },
    )
  })
})

describe("Markdown report", () => {
  it("has the layout of the interface", () => {
    const markdown = renderMarkdown(resultOf([exampleFinding]))
    expect(markdown).toMatch(/^# Security Analysis Report\n/)
    for (const line of [
      "**Repository:** https://github.com/owner/name",
      "**Branch:** main",
      "**Framework:** evm",
      "**Date:** 2026-11-21 12:00:00 UTC",
      "| Severity | Count |",
      "| Critical | 0 |",
      "| High | 1 |",
      "| Medium | 0 |",
      "| Low | 0 |",
      "## Findings",
      "### [HIGH] State changes after an external call",
      "**File:** `contracts/Vault.sol:12-15`",
      "**Category:** reentrancy",
      "The balance is written after `msg.sender` was called.",
      "**Remediation:** Write the balance before the call.",
    ]) {
      expect(markdown.split("\n")).toContain(line)
    }
    const order = [
      "# Security",
      "## Summary",
      "## Findings",
      "### [HIGH]",
      "**File:**",
      "**Category:**",
      "The balance",
      "**Remediation:**",
    ]
    const places = order.map((part) => markdown.indexOf(part))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  })

  it("names the commit, informational findings, suppressed ones and what was not analyzed", () => {
    const informational = { ...exampleFinding, severity: "informational" as const }
    const markdown = renderMarkdown(
      resultOf([exampleFinding, informational], {
        repository: { url: "https://github.com/o/n", branch: "main", framework: "evm", commit: "a".repeat(40) },
        suppressed: [{ ...exampleFinding, suppression: { reason: "guarded by the router", line: 11 } }],
        coverage: {
          filesAnalysed: 1,
          filesSkipped: [{ file: "contracts/Broken.sol", reason: "could not be parsed: line 3" }],
          rulesRun: 20,
          engines: [{ name: "assay", version: "0.1.0", note: "1 rule ended early" }],
        },
      }),
    )
    expect(markdown).toContain(`**Commit:** ${"a".repeat(40)}`)
    expect(markdown).toContain("2 findings in total. 1 is informational. 1 further finding suppressed")
    expect(markdown).toMatch(/## Suppressed findings\n\n- .*State changes.*guarded by the router/)
    expect(markdown).toMatch(/## What was not analyzed\n\n1 file analyzed with 20 rules/)
    expect(markdown).toContain("- `contracts/Broken.sol`: could not be parsed: line 3")
    expect(markdown).toContain("assay: 1 rule ended early")
  })

  it("shows who can do what, and where to find the rest of the table", () => {
    const row = (name: string, standing: "open" | "guarded"): AccessRow => ({
      contract: "Vault",
      function: name,
      file: "contracts/Vault.sol",
      line: 7,
      standing,
      effects: [
        {
          kind: "assets",
          what: "sends ether",
          standing,
          who: "`msg.sender == owner`",
          file: "contracts/Vault.sol",
          line: 8,
        },
      ],
    })
    const rows = Array.from({ length: 300 }, (_, i) => row(`f${i}()`, i < 290 ? "guarded" : "open"))
    const markdown = renderMarkdown(resultOf([exampleFinding], { accessTable: shownAccess(rows) }))
    expect(markdown).toContain("## Who can do what\n\n**`Vault`**\n\n| Function | Can |")
    expect(markdown).toContain("| `f0()` | assets: sends ether | `msg.sender == owner` |\n")
    expect(markdown).toContain("| `f299()` | assets: sends ether | **anyone** |\n")
    expect(markdown).toContain(
      "100 further functions omitted here, starting with the best protected. The full table is `GET /api/",
    )
    expect(markdown.indexOf("## Who can")).toBeLessThan(markdown.indexOf("## What was not analyzed"))
    expect(renderMarkdown(resultOf([], { accessTable: { access: [] } }))).toContain("No function that changes anything")
    expect(renderMarkdown(resultOf([]))).not.toContain("## Who can")
  })

  it("says so if nothing was found", () => {
    expect(renderMarkdown(resultOf([]))).toContain("No problems were found.")
  })

  it("stays the same document whatever the sources contain", () => {
    fc.assert(
      fc.property(analysisResult, (result) => {
        const tree = parse(renderMarkdown(result))
        const nodes = flatten(tree)
        expect(nodes.map(({ type }) => type).filter((type) => !allowedTypes.has(type))).toEqual([])

        const headings = tree.children!.filter(({ type }) => type === "heading")
        expect(nodes.filter(({ type }) => type === "heading")).toHaveLength(headings.length)
        expect(headings).toHaveLength(expectedBlocks(result))
        const ofFindings = headings.filter(({ depth }) => depth === 3).map(textOf)
        expect(ofFindings.map((text) => text.replace(/[\s`]+/g, ""))).toEqual(
          result.findings.map(({ severity, title }) => `[${severity.toUpperCase()}]${seen(title)}`),
        )

        expect(tree.children!.filter(({ type }) => type === "table")).toHaveLength(1 + contractsOf(result))
        const snippets = result.findings.filter(({ location }) => (location.snippet ?? "").trim() !== "")
        expect(tree.children!.filter(({ type }) => type === "code")).toHaveLength(snippets.length)

        const given = new Set([result.repository.url, ...result.findings.flatMap(({ references }) => references)])
        for (const { url } of nodes.filter(({ type }) => type === "link")) expect([...given]).toContain(url)
      }),
      { numRuns: 200 },
    )
  })

  it("has one File, Category and Remediation line per finding", () => {
    fc.assert(
      fc.property(analysisResult, (result) => {
        const paragraphs = parse(renderMarkdown(result)).children!.filter(({ type }) => type === "paragraph")
        const labeled = (label: string) =>
          paragraphs.filter(({ children }) => children![0]!.type === "strong" && textOf(children![0]!) === label)
        expect(labeled("File:").map(textOf)).toHaveLength(result.findings.length)
        expect(labeled("Category:").map(textOf)).toEqual(result.findings.map(({ category }) => `Category: ${category}`))
        expect(labeled("Remediation:")).toHaveLength(result.findings.length)
      }),
      { numRuns: 100 },
    )
  })

  it("shows as many of 10,000 findings as fit, the worst in detail, and counts the others", () => {
    const start = cpuTime()
    const markdown = renderMarkdown(resultOf(Array.from({ length: 10_000 }, () => exampleFinding)))
    expect(cpuTime() - start).toBeLessThan(2_000)
    expect(jsonBytes(markdown)).toBeLessThan(resultLimits.markdown)
    const shown = markdown.match(/^### \[HIGH\]/gm)!.length
    expect(shown).toBeGreaterThan(2_000)
    expect(markdown).toContain(`${10_000 - shown} less severe findings are omitted here; see the JSON report.`)
  })

  it("stays within its limit, whatever a path, a snippet or a reason expands to", () => {
    const hostile = "\u202e\u0001".repeat(250)
    const finding = {
      ...exampleFinding,
      location: { ...exampleFinding.location, file: hostile, snippet: hostile },
      trace: Array.from({ length: 5 }, () => ({ file: hostile, line: 1, note: hostile })),
    }
    const skipped = Array.from({ length: 300 }, () => ({ file: hostile, reason: hostile }))
    const coverage = { filesAnalysed: 1, filesSkipped: skipped, rulesRun: 1, engines: [] }
    const suppressed = Array.from({ length: 300 }, () => ({ ...finding, suppression: { reason: hostile, line: 1 } }))
    const effects = [
      { kind: "call" as const, what: hostile, standing: "tied" as const, who: hostile, file: hostile, line: 1 },
    ]
    const access = Array.from({ length: 200 }, (_, i) => ({
      contract: `${i}${hostile}`,
      function: hostile,
      file: hostile,
      line: 1,
      standing: "tied" as const,
      effects,
    }))
    const markdown = renderMarkdown(
      resultOf(
        Array.from({ length: 300 }, () => finding),
        { coverage, suppressed, accessTable: { access } },
      ),
    )
    expect(jsonBytes(markdown)).toBeLessThan(resultLimits.markdown)
    expect(markdown).toMatch(/\d+ less severe findings are omitted here/)
  })

  it("warns at the top of an analysis cut short by a limit, and names what did not fit", () => {
    const markdown = renderMarkdown(
      resultOf([exampleFinding], {
        coverage: {
          filesAnalysed: 1,
          filesSkipped: [{ file: "a.sol", reason: "is not a text file" }],
          rulesRun: 20,
          engines: [],
          incomplete: [{ kind: "rule", name: "evm/gas/slow", reason: "took longer than 5 s to analyze" }],
          omitted: {
            findings: { critical: 0, high: 0, medium: 3, low: 1_200, informational: 0 },
            suppressed: 4,
            filesSkipped: 48_999,
          },
        },
      }),
    )
    expect(markdown.indexOf("**Incomplete:**")).toBeLessThan(markdown.indexOf("## Findings"))
    expect(markdown).toContain("- rule `evm/gas/slow`: took longer than 5 s to analyze")
    expect(markdown).toContain("further findings, 3 medium, 1,200 low.")
    expect(markdown).toContain("4 further suppressed findings.")
    expect(markdown).toContain("49000 files skipped, entirely or in part:")
    expect(markdown).toContain("48,999 further files that were not analyzed.")
  })
})
