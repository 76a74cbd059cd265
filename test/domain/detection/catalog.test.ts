import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { ecosystems } from "../../../domain/analysis/Framework.ts"
import { catalog, ruleById } from "../../../domain/detection/catalog.ts"
import { categories } from "../../../domain/finding/Category.ts"
import { exceptions } from "../../support/exampleExceptions.ts"
import { mutations } from "../../support/exampleMutations.ts"

// The first test that uses the file checks its shape.
const taxonomy = JSON.parse(
  readFileSync(new URL("../../fixtures/taxonomy-classes.json", import.meta.url), "utf8"),
) as Record<(typeof ecosystems)[number], ReadonlyArray<string>>

const sentences = (text: string): number => text.split(/[.!?](?:\s|$)/).filter((part) => part.trim() !== "").length

/** How many edits turn one word into another (Levenshtein). */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    }
    row = next
  }
  return row[b.length]!
}

const rules = catalog.map(({ meta, examples }) => [meta.id, meta, examples] as const)

describe("the catalog", () => {
  it("lists every rule once", () => {
    const ids = catalog.map(({ meta }) => meta.id)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
  })

  it("finds rules by their ids, and no others", () => {
    for (const rule of catalog) expect(ruleById(rule.meta.id)).toBe(rule)
    expect(ruleById("evm/reentrancy/no-such-rule")).toBeUndefined()
    expect(ruleById("constructor")).toBeUndefined()
  })

  it("has no exceptions for nonexistent rules or mutations", () => {
    const names = new Set(mutations.map(({ name }) => name))
    for (const [id, reasons] of Object.entries(exceptions)) {
      expect(ruleById(id)?.meta.id).toBe(id)
      for (const [name, reason] of Object.entries(reasons)) {
        expect(names).toContain(name)
        expect(reason.length).toBeGreaterThan(20)
      }
    }
  })
})

describe.each(rules)("the metadata of %s", (id, meta, examples) => {
  it("has an id of ecosystem, category and rule", () => {
    expect(id).toMatch(/^[a-z]+(?:\/[a-z0-9]+(?:-[a-z0-9]+)*){2}$/)
    const [ecosystem, category] = id.split("/")
    expect(ecosystems).toContain(ecosystem)
    expect(categories).toContain(category)
  })

  it("names a class of the taxonomy, or a new one that is not a misspelling", () => {
    // The ecosystem is the first segment, as the test above makes sure.
    const known = taxonomy[id.split("/")[0] as (typeof ecosystems)[number]]
    expect(meta.class).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
    const misspelt = known.filter((other) => !known.includes(meta.class) && distance(other, meta.class) < 3)
    expect(misspelt).toEqual([])
  })

  it("says what is wrong, what to do, and where to read more", () => {
    expect(meta.title).toMatch(/^\S.{8,98}[^\s.]$/)
    expect(sentences(meta.description)).toBeGreaterThanOrEqual(2)
    expect(sentences(meta.remediation)).toBeGreaterThanOrEqual(1)
    expect(meta.cwe.length).toBeGreaterThan(0)
    expect(meta.cwe.filter((number) => !Number.isInteger(number) || number < 1)).toEqual([])
    expect(meta.swc ?? 100).toSatisfy((number: number) => number >= 100 && number <= 136)
    expect(meta.references.length).toBeGreaterThan(0)
    for (const reference of meta.references) expect(new URL(reference).protocol).toBe("https:")
  })

  it("has at least two vulnerable and two safe examples, all different", () => {
    expect(examples.vulnerable.length).toBeGreaterThanOrEqual(2)
    expect(examples.safe.length).toBeGreaterThanOrEqual(2)
    const all = [...examples.vulnerable, ...examples.safe]
    expect(new Set(all).size).toBe(all.length)
  })
})
