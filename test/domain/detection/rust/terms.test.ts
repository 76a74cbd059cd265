import { describe, expect, it } from "vitest"
import { Chains } from "../../../../domain/detection/rust/terms/chains.ts"
import { beyond, type Facts, unionOf } from "../../../../domain/detection/rust/terms/facts.ts"
import { TermTable } from "../../../../domain/detection/rust/terms/terms.ts"

describe("chains of numbers", () => {
  it("have one number each, which is stable while the table grows", () => {
    const chains = new Chains(2)
    const numbers = new Map<string, number>()
    for (let from = 0; from < 120; from++)
      for (let step = 0; step < 120; step++) numbers.set(`${from} ${step}`, chains.next(from, step))
    expect(new Set(numbers.values()).size).toBe(120 * 120)
    expect(Math.min(...numbers.values())).toBeGreaterThan(1)
    for (const [key, number] of numbers) {
      const [from, step] = key.split(" ").map(Number)
      expect(chains.next(from!, step!)).toBe(number)
    }
  })
})

describe("terms", () => {
  const terms = new TermTable()
  const [a, b, c] = ["a", "b", "c"].map((name) => terms.parameter("", name)) as [never, never, never]

  it("are the same if made of the same parts", () => {
    expect(terms.call("f", "x::f", [a, b])).toBe(terms.call("f", "x::f", [a, b]))
    expect(terms.struct("S", [["x", a]], b, undefined)).toBe(terms.struct("S", [["x", a]], b, undefined))
    expect(terms.binary(">", a, b)).toBe(terms.binary("<", b, a))
    expect(terms.element(a, 2 ** 40)).toBe(terms.element(a, 2 ** 40))
  })

  it("differ if their parts do, in whatever order and at whatever depth", () => {
    const all = [
      terms.call("f", "", [a, b]),
      terms.call("f", "", [b, a]),
      terms.call("f", "", [a]),
      terms.call("f", "", [a, b, c]),
      terms.call("f", "x::f", [a, b]),
      terms.call("g", "", [a, b]),
      terms.list([a, b], true),
      terms.list([a, b], false),
      terms.choice([a, b]),
      terms.struct("S", [["x", a]], undefined, undefined),
      terms.struct("S", [["x", a]], b, undefined),
      terms.struct("S", [["y", a]], b, undefined),
      terms.element(a),
      terms.element(a, 0),
      terms.element(a, 2 ** 40),
      terms.is(a, "Some"),
      terms.cast(a, "Some"),
      terms.succeeded(a),
      terms.not(a),
      terms.literal("integer", "1"),
      terms.literal("string", "1"),
      terms.constant("1"),
    ]
    expect(new Set(all).size).toBe(all.length)
  })

  it("are what one set of facts has beyond another, in order", () => {
    const facts = Array.from({ length: 80 }, (_, at) => terms.binary("==", a, terms.literal("integer", String(at))))
    const first: Facts = unionOf(new Set(), facts.slice(0, 5))
    let grown = first
    for (const fact of facts.slice(5, 12)) grown = unionOf(grown, [fact])
    expect(beyond(grown, first)).toEqual(facts.slice(5, 12))
    expect(beyond(first, grown)).toEqual([])
    expect(beyond(grown, unionOf(first, [facts[6]!]))).toEqual(facts.slice(5, 12).toSpliced(1, 1))
    // Copied into a separate set on the way.
    for (const fact of facts.slice(12)) grown = unionOf(grown, [fact])
    expect(beyond(grown, first)).toEqual(facts.slice(5))
  })
})
