import { readFileSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import { describe, expect, it } from "vitest"
import { applyMutant, mutantsOf } from "./guards.ts"
import { ruleFiles } from "./ruleFiles.ts"
import { repeatable, schemaOf } from "./schema.ts"
import { Switch } from "./switch.ts"

const body = `
const names = new Set(["x", "y"])
const all = [...names, "z"]
const told = { read: 0, of: { list: [3, 4] as ReadonlyArray<number> | undefined } }
const memo = new WeakMap<object, number>()
const counted = (key: object): number => {
  const known = memo.get(key)
  if (known !== undefined) return known
  memo.set(key, 7)
  return 7
}
const answer = (n: number, s: string | undefined): string => {
  if (n > 5) return "large"
  if (n === 1) if (s === "one") return "one"
  const kept = told.of.list?.filter((one) => one < n).length
  if (n === 2 && (s === "two" || s === "zwei")) { return "two" }
  return n < 4 ? String(kept) : all.join("")
}
`

interface Loaded {
  readonly answer: (n: number, s?: string) => string
  readonly counted: (key: object) => number
}

const run = (text: string, its: Switch): Loaded =>
  // oxlint-disable-next-line no-new-func -- the text is that of this test
  new Function("$mutation", `${stripTypeScriptTypes(text)}\nreturn { answer, counted }`)(its) as Loaded

const withMutants = (its: Switch) => {
  const mutants = mutantsOf("body.ts", body)
  its.witnessed = new Uint8Array(mutants.length)
  const schema = schemaOf("body.ts", body, mutants)
  const text = repeatable("body.ts", schema.text.replaceAll("new WeakMap", "new $mutation.Memo"))
  return { mutants, schema, loaded: run(text, its) }
}

const questions = [1, 2, 3, 4, 5, 6].flatMap((n) => [undefined, "one", "two", "zwei"].map((s) => [n, s] as const))

describe("a schema", () => {
  it("answers as each of its mutants, and witnesses where that makes a difference", () => {
    const its = new Switch()
    const { mutants, schema, loaded } = withMutants(its)
    expect(mutants.length).toBeGreaterThan(15)
    const [usual, ...mutated] = [undefined, ...mutants].map((mutant) =>
      run(mutant === undefined ? body : applyMutant(body, mutant), its),
    )
    for (const [n, s] of questions) {
      its.witnessed.fill(0)
      its.begin(-1, Infinity)
      expect(loaded.answer(n, s)).toBe(usual!.answer(n, s))
      const witnessed = its.witnessed.slice()
      for (const [index, mutant] of mutants.entries()) {
        its.begin(index, 1000)
        if (schema.unwatched.has(index)) for (const again of its.again) again()
        const expected = mutated[index]!.answer(n, s)
        expect([mutant.name, loaded.answer(n, s)]).toEqual([mutant.name, expected])
        if (expected !== usual!.answer(n, s)) expect(schema.unwatched.has(index) || witnessed[index] === 1).toBe(true)
        its.begin(-1, Infinity)
        if (schema.unwatched.has(index)) for (const again of its.again) again()
      }
    }
  })

  it("forgets what it remembered under another mutant", () => {
    const its = new Switch()
    const { loaded } = withMutants(its)
    const key = {}
    its.begin(-1, 2)
    loaded.counted(key)
    loaded.counted(key)
    its.begin(-1, Infinity)
    expect(its.steps).toBe(0)
    loaded.counted(key)
    const once = its.steps
    loaded.counted(key)
    expect(its.steps).toBeGreaterThan(once)
  })

  it("ends a mutant that would hang", () => {
    const its = new Switch()
    const { loaded } = withMutants(its)
    its.begin(-1, 3)
    expect(() => {
      for (;;) loaded.counted({})
      // Only a guard that is evaluated counts.
    }).toThrow("hangs")
  })

  it("has a place for every mutant of every rule", () => {
    for (const { path } of ruleFiles) {
      const text = readFileSync(path, "utf8")
      const mutants = mutantsOf(path, text)
      expect(schemaOf(path, text, mutants).unwatched.size).toBeLessThanOrEqual(mutants.length)
    }
  })
})
