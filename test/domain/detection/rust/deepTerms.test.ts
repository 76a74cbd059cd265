import { describe, expect, it } from "vitest"
import { mentions, type Term, TermTable } from "../../../../domain/detection/rust/terms/terms.ts"

const deep = (terms: TermTable, first: Term): Term => {
  let term = first
  for (let level = 0; level < 200; level++) term = terms.binary("*", term, terms.literal("integer", String(level)))
  return term
}

describe("terms that are nested too deeply", () => {
  const terms = new TermTable()
  const [amount, least] = [terms.parameter("", "amount"), terms.parameter("", "least")]

  it("are still derived from what they started with", () => {
    expect(mentions(deep(terms, amount), (one) => one === amount)).toBe(true)
    expect(mentions(deep(terms, amount), (one) => one === least)).toBe(false)
  })

  it("can still be compared: a limit at the end of a long calculation is a limit", () => {
    const fact = terms.binary("<=", least, deep(terms, amount))
    expect(fact).toMatchObject({ kind: "binary", operator: "<=", left: least })
    expect(terms.binary("<=", least, deep(terms, amount))).toBe(fact)
  })
})
