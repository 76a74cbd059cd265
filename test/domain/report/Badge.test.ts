import { Buffer } from "node:buffer"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { type BadgeData, badgeSvg, shieldsBadge } from "../../../domain/report/Badge.ts"

const badge = (counts: Partial<BadgeData> = {}): BadgeData => ({
  status: "completed",
  totalFindings: 0,
  criticalFindings: 0,
  highFindings: 0,
  mediumFindings: 0,
  lowFindings: 0,
  informationalFindings: 0,
  ...counts,
})

const arbitraryBadge: fc.Arbitrary<BadgeData> = fc.record({
  status: fc.constantFrom("pending", "running", "completed", "failed"),
  totalFindings: fc.nat(),
  criticalFindings: fc.nat(),
  highFindings: fc.nat(),
  mediumFindings: fc.nat(),
  lowFindings: fc.nat(),
  informationalFindings: fc.nat(),
})

/** Contrast of a color against white by WCAG 2.2. */
const contrastWithWhite = (hex: string): number => {
  const [r, g, b] = [...Buffer.from(hex.slice(1), "hex")].map((byte) => {
    const c = byte / 255
    return c <= 0.040_45 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4
  })
  return 1.05 / (0.2126 * r! + 0.7152 * g! + 0.0722 * b! + 0.05)
}

describe("shields.io endpoint", () => {
  it("names the counts of every severity present, worst first", () => {
    expect(shieldsBadge(badge({ totalFindings: 3, highFindings: 2, lowFindings: 1 }))).toMatchObject({
      schemaVersion: 1,
      label: "security analysis",
      message: "2 high, 1 low",
    })
  })

  it("has a separate color for each worst severity, for none, and for unfinished and failed analyses", () => {
    const looks = [
      badge(),
      badge({ criticalFindings: 1 }),
      badge({ highFindings: 1 }),
      badge({ mediumFindings: 1 }),
      badge({ lowFindings: 1 }),
      badge({ informationalFindings: 1 }),
      badge({ status: "running" }),
      badge({ status: "failed" }),
    ].map(shieldsBadge)
    expect(new Set(looks.map(({ color }) => color)).size).toBe(looks.length)
    expect(shieldsBadge(badge({ criticalFindings: 1, lowFindings: 9 })).color).toBe(looks[1]!.color)
  })

  it("shows that an analysis is pending, running or failed, whatever the counts", () => {
    for (const status of ["pending", "running", "failed"] as const) {
      expect(shieldsBadge(badge({ status, highFindings: 3 })).message).toBe(status)
    }
    expect(shieldsBadge(badge({ status: "failed" }))).toMatchObject({ isError: true })
    expect(shieldsBadge(badge())).not.toHaveProperty("isError")
  })

  it("has colors on which white text is readable", () => {
    fc.assert(
      fc.property(arbitraryBadge, (data) => {
        expect(contrastWithWhite(shieldsBadge(data).color)).toBeGreaterThanOrEqual(4.5)
      }),
    )
  })
})

describe("SVG badge", () => {
  it("is self-contained, with a title, and as wide as its text", () => {
    fc.assert(
      fc.property(arbitraryBadge, (data) => {
        const svg = badgeSvg(data)
        const { message } = shieldsBadge(data)
        expect(svg).toContain(`<title>security analysis: ${message}</title>`)
        expect(svg).toContain(`role="img"`)
        expect(svg).not.toMatch(/<script|href|url\(|\bid=|@import/)
        const width = Number(/<svg [^>]*width="(\d+)"/.exec(svg)![1])
        const texts = [...svg.matchAll(/<text x="(\d+)"[^>]*textLength="(\d+)"/g)].map(([, x, length]) => [
          Number(x),
          Number(length),
        ])
        expect(texts).toHaveLength(2)
        expect(texts[0]![0]! + texts[0]![1]!).toBeLessThan(texts[1]![0]!)
        expect(texts[1]![0]! + texts[1]![1]!).toBeLessThan(width)
        expect(texts[1]![1]!).toBeGreaterThan(message.length * 4)
      }),
    )
  })
})
