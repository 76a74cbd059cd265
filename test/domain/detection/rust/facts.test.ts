import { describe, expect, it } from "vitest"
import { anyFact, beyond, type Facts, intersectionOf, unionOf } from "../../../../domain/detection/rust/terms/facts.ts"
import { type Term, TermTable } from "../../../../domain/detection/rust/terms/terms.ts"

const terms = new TermTable()
const numbers = (from: number, to: number): ReadonlyArray<Term> =>
  Array.from({ length: to - from }, (_, index) => terms.literal("integer", String(from + index)))
const grown = (facts: Facts, added: ReadonlyArray<Term>): Facts =>
  added.reduce((known, one) => unionOf(known, [one]), facts)
const values = (facts: Facts): ReadonlyArray<number> =>
  [...facts].map((one) => (one.kind === "literal" ? Number(one.value) : -1)).toSorted((a, b) => a - b)

describe("facts that grow one by one", () => {
  const base = new Set(numbers(0, 10))

  it("contain what a set would, however many were added", () => {
    const facts = grown(base, numbers(5, 200))
    expect(facts.size).toBe(200)
    expect(values(facts)).toEqual(values(new Set(numbers(0, 200))))
    expect(numbers(0, 200).every((one) => facts.has(one))).toBe(true)
    expect(facts.has(numbers(200, 201)[0]!)).toBe(false)
  })

  it("are the same object if nothing is new", () => {
    const facts = grown(base, numbers(10, 12))
    expect(unionOf(facts, numbers(3, 12))).toBe(facts)
  })

  it("intersect in what both had and what both were given", () => {
    const left = grown(base, numbers(10, 14))
    const right = grown(grown(base, numbers(20, 60)), numbers(12, 16))
    expect(values(intersectionOf(left, right))).toEqual([...values(base), 12, 13])
    expect(values(intersectionOf(right, left))).toEqual([...values(base), 12, 13])
  })

  it("intersect in their common origin, without copying", () => {
    const before = grown(base, numbers(10, 12))
    expect(intersectionOf(grown(before, numbers(20, 22)), grown(before, numbers(30, 33)))).toBe(before)
    expect(intersectionOf(before, grown(before, numbers(30, 33)))).toBe(before)
  })

  it("are recognized as extensions of others even across layers", () => {
    const before = grown(base, numbers(10, 12))
    const left = grown(before, numbers(100, 200))
    const right = grown(before, numbers(150, 260))
    expect(intersectionOf(left, before)).toBe(before)
    expect(intersectionOf(before, right)).toBe(before)
    expect(beyond(before, right)).toEqual([])
    expect(beyond(left, right)).toEqual(numbers(100, 150))
    expect(values(intersectionOf(left, right))).toEqual(values(new Set([...numbers(0, 12), ...numbers(150, 200)])))
  })

  it("are not searched again when one is looked up in each of a thousand", () => {
    let asked = 0
    const some = anyFact((fact) => {
      asked++
      return fact === numbers(900, 901)[0]
    })
    let facts: Facts = base
    const answers = numbers(10, 1_000).map((one) => some((facts = unionOf(facts, [one]))))
    expect(answers.indexOf(true)).toBe(890)
    expect(answers.slice(890)).not.toContain(false)
    expect(asked).toBe(1_000)
  })

  it("of different origin intersect like sets", () => {
    const other = grown(new Set(numbers(8, 20)), numbers(3, 5))
    expect(values(intersectionOf(grown(base, numbers(10, 12)), other))).toEqual([3, 4, 8, 9, 10, 11])
  })
})
