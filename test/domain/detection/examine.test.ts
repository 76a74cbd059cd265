import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { examine, type Examination } from "../../../domain/detection/examine.ts"
import { type SomeFrontEnd, someFrontEnd } from "../../../domain/detection/FrontEnd.ts"
import { matchLimits } from "../../../domain/detection/MatchCollector.ts"
import type { Match, Rule, RuleMeta } from "../../../domain/detection/Rule.ts"
import type { SourceFile } from "../../../domain/detection/SourceFile.ts"
import type { Sources } from "../../../domain/detection/Sources.ts"
import { resultLimits } from "../../../domain/finding/ResultLimits.ts"

type Program = ReadonlyArray<SourceFile>

const meta = (id: RuleMeta["id"], changes: Partial<RuleMeta> = {}): RuleMeta => ({
  id,
  class: "a-class",
  title: "A title",
  severity: "medium",
  confidence: "medium",
  cwe: [841, 1],
  swc: 107,
  description: "What it is.",
  remediation: "What to do.",
  references: ["https://example.com/why"],
  ...changes,
})

const examples = { vulnerable: ["", ""], safe: ["", ""] } as const

/** Reports every occurrence of a word. */
const finds = (id: RuleMeta["id"], word: string, changes: Partial<RuleMeta> = {}, match: Partial<Match> = {}) => {
  const rule: Rule<Program> = {
    meta: meta(id, changes),
    examples,
    check: (files, report) => {
      for (const file of files) {
        for (const { index } of file.text.matchAll(new RegExp(word, "g"))) {
          report({ file, span: { start: index, end: index + word.length }, scope: "Scope", ...match })
        }
      }
    },
  }
  return rule
}

const words = (rules: ReadonlyArray<Rule<Program>>, imports?: (unit: SourceFile) => ReadonlyArray<string>) =>
  someFrontEnd<SourceFile, Program>({
    ecosystem: "evm",
    isSource: (path) => path.endsWith(".sol"),
    parse: (file) => ({ unit: file, errors: [], problems: [], functions: 1, usable: true }),
    ...(imports === undefined ? {} : { imports: () => imports }),
    build: (units) => units,
    rules,
  })

const sources = (files: Record<string, string>): Sources => ({
  paths: Object.keys(files),
  read: (path) => (files[path] === undefined ? { reason: "is gone" } : { text: files[path] }),
})

const run = (files: Record<string, string>, ...frontEnds: ReadonlyArray<SomeFrontEnd>): Examination =>
  examine({ sources: sources(files), frontEnds, engine: { name: "assay", version: "1" } })

interface Lazy {
  readonly files: Program
  readonly summary: (file: SourceFile) => string
}
const uses = (id: RuleMeta["id"]): Rule<Lazy> => ({
  meta: meta(id),
  examples,
  check: ({ files, summary }, report) => {
    for (const file of files) {
      summary(file)
      report({ file, span: { start: 0, end: 1 }, scope: "" })
    }
  },
})

describe("a finding", () => {
  it("of a rule that supersedes others is covered by their comments and known by their fingerprints", () => {
    const files = { "A.sol": "bad bad // assay-ignore evm/gas/mine\nbad\nbad // assay-ignore evm/gas/older: meant" }
    const older = run(files, words([finds("evm/gas/older", "bad")]))
    const newer = run(
      files,
      words([finds("evm/logic/newer", "bad", { supersedes: ["evm/gas/older", "evm/gas/other"] })]),
    )
    expect(newer.suppressed.map(({ suppression }) => suppression.reason)).toEqual(["meant"])
    expect(older.formerly).toEqual({})
    expect(newer.findings.map(({ fingerprint }) => newer.formerly[fingerprint]![0])).toEqual(
      older.findings.map(({ fingerprint }) => fingerprint),
    )
    expect(Object.values(newer.formerly).map((former) => former.length)).toEqual([2, 2, 2])
  })

  it("has the data of its rule and its location", () => {
    const files = { "src/A.sol": "x\n  bad\n\t\n" }
    const rule = finds("evm/reentrancy/bad-word", "bad\\s+", {}, { message: "Here it is.", confidence: "low" })
    const { findings } = run(files, words([rule]))
    expect(findings).toEqual([
      {
        id: expect.stringMatching(/^f_[0-9a-f]{16}$/),
        ruleId: "evm/reentrancy/bad-word",
        title: "A title",
        description: "Here it is.\n\nWhat it is.",
        severity: "medium",
        confidence: "low",
        category: "reentrancy",
        location: {
          file: "src/A.sol",
          lineStart: 2,
          lineEnd: 2,
          columnStart: 3,
          columnEnd: 6,
          snippet: "bad",
        },
        remediation: "What to do.",
        trace: [],
        references: [
          "https://example.com/why",
          "https://swcregistry.io/docs/SWC-107",
          "https://cwe.mitre.org/data/definitions/841.html",
          "https://cwe.mitre.org/data/definitions/1.html",
        ],
        fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/),
      },
    ])
  })

  it("has a bounded snippet that never splits a character", () => {
    const text = `${"a".repeat(499)}😀${"b".repeat(500)}`
    const { findings } = run({ "A.sol": text }, words([finds("evm/gas/long", text)]))
    const snippet = findings[0]?.location.snippet ?? ""
    expect(snippet.length).toBe(501)
    expect(snippet.isWellFormed()).toBe(true)
    expect(snippet.endsWith("…")).toBe(true)
  })

  it("keeps its identity when lines are added above it, and differs from its twin", () => {
    const rule = finds("evm/gas/bad", "bad")
    const before = run({ "A.sol": "bad\nbad" }, words([rule])).findings
    const after = run({ "A.sol": "\n\n\nbad\n\nbad" }, words([rule])).findings
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id))
    expect(new Set(before.map(({ id }) => id)).size).toBe(2)
  })

  it("is suppressed with the reason given in a comment", () => {
    const text = "bad // assay-ignore evm/gas/word: on purpose\nbad"
    const { findings, suppressed } = run({ "A.sol": text }, words([finds("evm/gas/word", "bad")]))
    expect(findings.map(({ location }) => location.lineStart)).toEqual([2])
    expect(suppressed).toMatchObject([{ suppression: { reason: "on purpose", line: 1 }, location: { lineStart: 1 } }])
  })

  it("is reported once per rule and place, however often a rule reports it", () => {
    const rule = finds("evm/gas/bad", "bad")
    const twice: Rule<Program> = {
      ...rule,
      check: (program, report) => {
        rule.check(program, report)
        rule.check(program, report)
      },
    }
    expect(run({ "A.sol": "bad" }, words([twice, finds("evm/gas/other", "bad")])).findings).toHaveLength(2)
  })
})

describe("a report", () => {
  const many = words([
    finds("evm/gas/low-one", "low", { severity: "low" }),
    finds("evm/logic/worst", "worst", { severity: "critical" }),
    finds("evm/gas/info", "info", { severity: "informational" }),
  ])

  it("lists the worst findings first, then by file and line", () => {
    const files = { "b.sol": "low\nworst\nworst", "a.sol": "info\nworst" }
    const { findings } = run(files, many)
    expect(findings.map(({ severity, location: { file, lineStart } }) => `${severity} ${file}:${lineStart}`)).toEqual([
      "critical a.sol:2",
      "critical b.sol:2",
      "critical b.sol:3",
      "low b.sol:1",
      "informational a.sol:1",
    ])
  })

  it("is the same for any order of the files", () => {
    const files = { "a.sol": "low worst low", "b/c.sol": "info", "b/a.sol": "worst\nlow", "c.sol": "low" }
    const expected = run(files, many)
    const orders = fc.shuffledSubarray(Object.entries(files), { minLength: 4 })
    fc.assert(
      fc.property(orders, (order) => {
        expect(run(Object.fromEntries(order), many)).toEqual(expected)
      }),
    )
  })

  it("respects its limit per rule and file, and says so", () => {
    const { findings, coverage } = run({ "A.sol": "low ".repeat(matchLimits.perRuleAndFile + 5), "B.sol": "low" }, many)
    expect(findings).toHaveLength(matchLimits.perRuleAndFile + 1)
    expect(coverage.engines[0]?.note).toBe("evm/gas/low-one: only the first 1000 matches in A.sol are reported")
  })

  it("respects its overall limit, omitting the least severe", () => {
    const files = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`${i}.sol`, "low ".repeat(1_000) + "worst"]))
    const { findings, unlisted, coverage } = run(files, many)
    expect(findings.filter(({ severity }) => severity === "critical")).toHaveLength(51)
    expect(findings.length + unlisted.length).toBe(matchLimits.inAll)
    expect(unlisted).not.toEqual([])
    expect(JSON.stringify(findings).length).toBeLessThanOrEqual(resultLimits.findings)
    expect(coverage.engines).toEqual([{ name: "assay", version: "1" }])
    expect(coverage.omitted?.findings).toEqual({
      critical: 0,
      high: 0,
      medium: 0,
      low: 51_051 - findings.length,
      informational: 0,
    })
  })
})

describe("coverage", () => {
  it("reports on the project's own files, and reads others that they import", () => {
    const read: Array<string> = []
    const files = {
      "src/A.sol": "bad lib/dep/src/B.sol",
      "lib/dep/src/B.sol": "bad lib/dep/src/C.sol",
      "lib/dep/src/C.sol": "bad",
      "lib/dep/src/D.sol": "bad",
      "test/A.t.sol": "bad",
    }
    const frontEnd = words([finds("evm/gas/bad", "bad")], ({ text }) => text.split(" ").slice(1))
    const { findings, coverage } = examine({
      sources: { ...sources(files), read: (path) => (read.push(path), sources(files).read(path)) },
      frontEnds: [frontEnd],
      engine: { name: "assay", version: "1" },
    })
    expect(findings.map(({ location }) => location.file)).toEqual(["src/A.sol"])
    expect(read).toEqual(["src/A.sol", "lib/dep/src/B.sol", "lib/dep/src/C.sol"])
    expect(coverage).toEqual({
      filesAnalysed: 1,
      filesSkipped: [
        { file: "lib/", reason: "dependencies, 3 source files: read only where analyzed files import them" },
        { file: "test/", reason: "tests, 1 source file: read only where analyzed files import them" },
      ],
      rulesRun: 1,
      engines: [{ name: "assay", version: "1" }],
    })
  })

  it("names a rule that throws and counts those that ran", () => {
    const broken: Rule<Program> = {
      ...finds("evm/gas/broken", "bad"),
      check: () => {
        throw new TypeError("no such thing")
      },
    }
    const { findings, coverage } = run({ "A.sol": "bad" }, words([broken, finds("evm/gas/bad", "bad")]))
    expect(findings).toHaveLength(1)
    expect(coverage.rulesRun).toBe(1)
    expect(coverage.engines[0]?.note).toBe("evm/gas/broken ended early: no such thing")
  })

  it("omits a file whose part of the program fails inside a rule, and reruns the rules without it", () => {
    const lazy = someFrontEnd<SourceFile, Lazy>({
      ecosystem: "evm",
      isSource: (path) => path.endsWith(".sol"),
      parse: (file) => ({ unit: file, errors: [], problems: [], functions: 1, usable: true }),
      build: (files, _project, activity) => ({
        files,
        summary: (file) =>
          activity(file, () => {
            if (file.text === "poison") throw new RangeError("too deep")
            return file.text
          }),
      }),
      rules: [uses("evm/gas/one"), uses("evm/gas/two")],
    })
    const { findings, coverage } = run({ "a.sol": "fine", "b.sol": "poison", "c.sol": "fine" }, lazy)
    expect(findings.map(({ ruleId, location }) => `${ruleId} ${location.file}`)).toEqual([
      "evm/gas/one a.sol",
      "evm/gas/two a.sol",
      "evm/gas/one c.sol",
      "evm/gas/two c.sol",
    ])
    expect(coverage).toMatchObject({
      filesAnalysed: 2,
      filesSkipped: [{ file: "b.sol", reason: "could not be analyzed: too deep" }],
      rulesRun: 2,
    })
  })

  it("lists what it was asked to skip", () => {
    const { coverage, findings } = examine({
      sources: sources({ "a.sol": "bad", "b.sol": "bad" }),
      frontEnds: [words([finds("evm/gas/bad", "bad"), finds("evm/gas/slow", "bad")])],
      excludedFiles: new Map([["b.sol", "took too long"]]),
      excludedRules: new Map([["evm/gas/slow", "took too long"]]),
      engine: { name: "assay", version: "1" },
    })
    expect(findings).toHaveLength(1)
    expect(coverage).toEqual({
      filesAnalysed: 1,
      filesSkipped: [{ file: "b.sol", reason: "took too long" }],
      rulesRun: 1,
      engines: [{ name: "assay", version: "1", note: "evm/gas/slow took too long" }],
    })
  })

  it("reports that no program could be built", () => {
    const broken = someFrontEnd<SourceFile, Program>({
      ecosystem: "evm",
      isSource: (path) => path.endsWith(".sol"),
      parse: (file) => ({ unit: file, errors: [], problems: [], functions: 1, usable: true }),
      build: () => {
        throw new Error("no way")
      },
      rules: [finds("evm/gas/bad", "bad")],
    })
    const { coverage, findings, resolved } = run({ "a.sol": "bad" }, broken)
    expect({ findings, resolved, rules: coverage.rulesRun }).toEqual({ findings: [], resolved: false, rules: 0 })
    expect(coverage.engines[0]?.note).toBe("the evm program could not be resolved: no way")
  })
})

describe("a program in parts", () => {
  const inParts = (rules: ReadonlyArray<Rule<Program>>, built: Array<string> = []): SomeFrontEnd =>
    someFrontEnd<SourceFile, Program>({
      ecosystem: "evm",
      isSource: (path) => path.endsWith(".sol"),
      parse: (file) => ({ unit: file, errors: [], problems: [], functions: 1, usable: true }),
      build: (units) => units,
      parts: (units, _project, activity) =>
        units.map((unit) => () => {
          built.push(unit.path)
          activity(unit, () => {
            if (unit.text.includes("harmful")) throw new Error("too deep")
          })
          return [unit]
        }),
      rules,
    })

  it("has the same report as the whole, whatever the parts", () => {
    const files = { "a.sol": "bad\nworst\nbad", "b.sol": "worst", "c.sol": "bad" }
    const rules = [finds("evm/gas/bad", "bad"), finds("evm/logic/worst", "worst", { severity: "critical" })]
    expect(run(files, inParts(rules))).toEqual(run(files, words(rules)))
  })

  it("is built part by part, each after the rules have run on the previous one", () => {
    const built: Array<string> = []
    const order: Array<string> = []
    const rule = finds("evm/gas/bad", "bad")
    const noting: Rule<Program> = {
      ...rule,
      check: (program) => void order.push(`${built.length} ${program[0]?.path}`),
    }
    run({ "a.sol": "bad", "b.sol": "bad" }, inParts([noting], built))
    expect(order).toEqual(["1 a.sol", "2 b.sol"])
  })

  it("omits the file that breaks its part, and examines the others", () => {
    const { findings, coverage } = run(
      { "a.sol": "bad", "b.sol": "harmful bad" },
      inParts([finds("evm/gas/bad", "bad")]),
    )
    expect(findings.map(({ location }) => location.file)).toEqual(["a.sol"])
    expect(coverage.filesSkipped).toEqual([{ file: "b.sol", reason: "could not be analyzed: too deep" }])
    expect(coverage.rulesRun).toBe(1)
  })

  it("keeps the worst matches across all parts if there are too many", () => {
    const lines = matchLimits.perRuleAndFile
    const files = Object.fromEntries(
      Array.from({ length: matchLimits.inAll / lines + 1 }, (_, i) => [`a${100 + i}.sol`, "low\n".repeat(lines)]),
    )
    const rules = [
      finds("evm/gas/low-one", "low", { severity: "low" }),
      finds("evm/logic/worst", "worst", { severity: "critical" }),
    ]
    const { findings, unlisted, coverage } = run({ ...files, "z.sol": "worst" }, inParts(rules))
    expect(findings.length + unlisted.length).toBe(matchLimits.inAll)
    expect(coverage.omitted?.findings).toMatchObject({ critical: 0, low: 21_001 - findings.length })
    expect(findings[0]?.location.file).toBe("z.sol")
  })
})
