import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { resultLimits } from "../../../domain/finding/ResultLimits.ts"
import { boundedText, shortened } from "../../../domain/finding/boundedText.ts"
import { fitting, jsonBytes } from "../../../domain/finding/fitting.ts"

const hostileText = fc.string({ unit: "binary", maxLength: 2_000 })

describe("a text for human readers", () => {
  it("is unchanged if it and its words are short", () => {
    const text = "balanceOf is written after this call.\n\nSee  `withdraw(uint256)`."
    expect(boundedText(text, resultLimits.message)).toBe(text)
  })

  it("shows the start and the end of a name of 100 kB, and its surroundings", () => {
    const shown = boundedText(`State variable first${"a".repeat(100_000)}last shadows another`, resultLimits.message)
    expect(shown).toMatch(/^State variable firsta+…a+last shadows another$/)
    expect(shown.length).toBeLessThan(resultLimits.name + 40)
  })

  it("respects its length and never splits characters, whatever it contains", () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 10, max: 400 }), (text, length) => {
        for (const bounded of [boundedText(text, length), shortened(text, length)]) {
          expect(bounded.length).toBeLessThanOrEqual(Math.max(length, resultLimits.name))
        }
        expect(boundedText(text, length).isWellFormed()).toBe(true)
      }),
    )
  })
})

describe("a list with a limit in bytes", () => {
  it("keeps the first items that fit", () => {
    fc.assert(
      fc.property(fc.array(hostileText, { maxLength: 20 }), fc.integer({ min: 2, max: 4_000 }), (items, bytes) => {
        const listed = fitting(items, bytes, (item) => item)
        expect(listed).toEqual(items.slice(0, listed.length))
        expect(new TextEncoder().encode(JSON.stringify(listed)).length).toBeLessThanOrEqual(bytes)
        const next = items[listed.length]
        if (next !== undefined) expect(jsonBytes([...listed, next])).toBeGreaterThan(bytes - 1)
      }),
    )
  })

  it("counts bytes as an encoder does", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        expect(jsonBytes({ text })).toBe(new TextEncoder().encode(JSON.stringify({ text })).length)
      }),
    )
  })
})
