import { describe, expect, it } from "vitest"
import { printable, printableLines } from "../../apps/terminal/printable.ts"
import { plainJson } from "../../domain/report/plainJson.ts"

/** What terminals act on: C0, DEL, C1, directional marks and overrides, line separators. */
const obeyed = [
  ...Array.from({ length: 0xa0 }, (_, code) => code).filter((code) => code < 0x20 || code >= 0x7f),
  0x200e,
  0x200f,
  0x2028,
  0x2029,
  0x202a,
  0x202e,
  0x2066,
  0x2069,
].map((code) => String.fromCharCode(code))

describe("text for a terminal", () => {
  it("contains nothing that a terminal acts on, except line breaks of multi-line text", () => {
    for (const character of obeyed) {
      expect(printable(`a${character}b`)).toBe("a\u{fffd}b")
      expect(printableLines(`a${character}b`)).toBe(/[\t\n]/.test(character) ? `a${character}b` : "a\u{fffd}b")
    }
    expect(printable("é 漢字 → ✓")).toBe("é 漢字 → ✓")
  })

  it("still is the same value as JSON", () => {
    const value = { [`key${obeyed.join("")}`]: obeyed, text: "é 漢字 \\u0041" }
    const json = plainJson(JSON.stringify(value))
    expect(JSON.parse(json)).toEqual(value)
    for (const character of obeyed) expect(json).not.toContain(character)
  })
})
