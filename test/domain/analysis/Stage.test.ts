import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { progressOf, stages } from "../../../domain/analysis/Stage.ts"

const fraction = fc.double({ min: 0, max: 1, noNaN: true })

describe("progress", () => {
  it("is an integer from 0 to 100, and 100 only when completed", () => {
    fc.assert(
      fc.property(fc.constantFrom(...stages), fc.double({ noNaN: true }), (stage, fraction) => {
        const progress = progressOf(stage, fraction)
        expect(Number.isInteger(progress)).toBe(true)
        expect(progress).toBeGreaterThanOrEqual(0)
        expect(progress === 100).toBe(stage === "completed")
      }),
    )
  })

  it("never falls within a stage or from one stage to a later one", () => {
    fc.assert(
      fc.property(fc.nat(stages.length - 1), fc.nat(stages.length - 1), fraction, fraction, (a, b, x, y) => {
        const [first, second] =
          a < b || (a === b && x <= y)
            ? [progressOf(stages[a]!, x), progressOf(stages[b]!, y)]
            : [progressOf(stages[b]!, y), progressOf(stages[a]!, x)]
        expect(first).toBeLessThanOrEqual(second)
      }),
    )
  })

  it("can be 65 in ai_analysis", () => {
    const readings = Array.from({ length: 101 }, (_, percent) => progressOf("ai_analysis", percent / 100))
    expect(readings).toContain(65)
  })
})
