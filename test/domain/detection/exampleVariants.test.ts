import { describe, expect, it } from "vitest"
import { frontEnd } from "../../../apps/engine/frontEnds.ts"
import { ecosystems } from "../../../domain/analysis/Framework.ts"
import { edited, flaggedIn, namedExamples, readVariants } from "../../support/exampleVariants.ts"

const variants = readVariants()
const examples = namedExamples()

// If an example or a rule is meant to change: run `npm run pinned:examples`, and read the difference.
describe.each(ecosystems)("programs near the examples of %s", (ecosystem) => {
  const ofThese = variants.filter(({ rule }) => rule.startsWith(`${ecosystem}/`))
  const rules = [...new Set(ofThese.map(({ rule }) => rule))]

  it.runIf(rules.length > 0).each(rules)("are flagged by %s on the recorded lines", async (id) => {
    const some = await frontEnd(ecosystem)
    for (const variant of ofThese.filter(({ rule }) => rule === id)) {
      const example = examples.get(variant.of)
      expect(example, `${variant.of} is no longer an example`).toBeDefined()
      const text = edited(example!.text, variant.edits)
      expect({ text, lines: flaggedIn(some, example!, variant) }).toEqual({ text, lines: variant.flags })
    }
  })
})
