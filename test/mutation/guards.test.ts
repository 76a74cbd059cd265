import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { detailsOf } from "./details.ts"
import { applyMutant, controlOf, literalListsOf, mutantsOf } from "./guards.ts"
import { ruleFiles } from "./ruleFiles.ts"

const bodyOf = (body: string): string => `export const rule = {\n  check: (a, b, c) => {\n    ${body}\n  },\n}\n`

/** What each mutant makes of the body. */
const mutated = (body: string, of = mutantsOf): ReadonlyArray<string> => {
  const text = bodyOf(body)
  return of("rule.ts", text).map((mutant) => applyMutant(text, mutant).split("\n")[2]!.trim())
}

describe("guards of a rule", () => {
  it.each([
    ["an early exit", "if (a) return\n", [";"]],
    ["a condition", "if (a) { b() }", ["if (true) { b() }"]],
    ["each operand of a conjunction", "b(a && b && c)", ["b((b && c))", "b((a && c))", "b((a && b))"]],
    [
      "each operand of a mixed condition",
      "b(a || (b && c))",
      ["b(((b && c)))", "b((a))", "b(a || ((c)))", "b(a || ((b)))"],
    ],
    ["the branches of a choice", "b(a ? b : c)", ["b((b))", "b((c))"]],
    ["a filter", "b(a.filter((x) => x))", ["b(a)"]],
    ["a limit", "b(a > 3)", ["b(a >= 3)"]],
    ["an entry of a list", 'b(["x", "y"])', ['b(["y"])', 'b(["x"])']],
    ["nothing where there is no guard", "b(a ?? c)", []],
  ])("%s", (_, body, expected) => {
    expect(mutated(body)).toEqual(expected)
  })

  it("do not include metadata, examples, messages, imports and types", () => {
    const text = `import { a } from "./a.ts"
type B = "x" | "y"
export const rule = { meta: { cwe: [1, 2] }, examples: { safe: ["x", "y"] }, check: (c: B | undefined) => { report({ message: c ? "d" : "e" }) } }
`
    expect(mutantsOf("rule.ts", text)).toEqual([])
  })

  it("include words that a search swaps: those of a list, and all others", () => {
    const text = `export const rule = { meta: { id: "no" }, check: (a) => { if (new Set(["x", "y"]).has(a) || a === "z") b("not a word") } }`
    expect(literalListsOf("rule.ts", text)).toEqual([["x", "y"], ["z"]])
  })

  it("have a control that finds nothing, or that does not load", () => {
    const rule = "export const rule = { check: (a) => { report(a) }, examples: {} }"
    expect(applyMutant(rule, controlOf("rule.ts", rule))).toBe("export const rule = { check: () => {}, examples: {} }")
    const question = "export const question = (a: string) => a\n"
    expect(applyMutant(question, controlOf("question.ts", question))).toMatch(/^throw /)
  })

  it("can be removed from every rule, and each removal changes the text", () => {
    expect(ruleFiles.length).toBeGreaterThan(150)
    for (const { path } of ruleFiles) {
      const text = readFileSync(path, "utf8")
      for (const mutant of mutantsOf(path, text)) expect(applyMutant(text, mutant)).not.toBe(text)
    }
  })
})

describe("details of a guard", () => {
  it.each([
    ["words of a regular expression", "b(/^(?:x|y)$/)", ["b(/^(?:(?!)|y)$/)", "b(/^(?:x|(?!))$/)"]],
    ["words of a group", "b(/^(x|y)$/)", ["b(/^((?!)|y)$/)", "b(/^(x|(?!))$/)"]],
    ["bits of a mask", "b(A.x | A.y)", ["b((A.y))", "b((A.x))"]],
    [
      "entries of a table",
      'b([["x", 1n], ["y", a]])',
      ['b([["y", a]])', 'b([["x", 1n]])', 'b([["x", (1n + 1n)], ["y", a]])'],
    ],
    ["operators", "b(a && c)", ["b(((a) || (c)))"]],
    ["quantifiers", "b(a.some(c))", ["b(a.every(c))"]],
  ])("%s", (_, body, expected) => {
    expect(mutated(body, detailsOf)).toEqual(expected)
  })
})
