import { describe, expect, it } from "vitest"
import { frontEnd } from "../../../apps/engine/frontEnds.ts"
import { ecosystems } from "../../../domain/analysis/Framework.ts"
import { examplesOf } from "../../support/exampleFindings.ts"
import { findingsIn, withRules } from "../../support/exampleRun.ts"
import { edited, readVariants } from "../../support/exampleVariants.ts"

const variants = readVariants()

// Where an example or a rule is meant to change: `npm run pinned:examples`, and read the difference.
describe.each(ecosystems)("programs near the examples of %s", (ecosystem) => {
  const ofThese = variants.filter(({ rule }) => rule.startsWith(`${ecosystem}/`))
  const rules = [...new Set(ofThese.map(({ rule }) => rule))]

  it.each(rules)("are flagged by %s on the lines written down", async (id) => {
    const some = await frontEnd(ecosystem)
    const alone = withRules(some, (other) => other === id)
    const examples = new Map(examplesOf(ecosystem).map((example) => [example.name, example]))
    for (const { of, edits, flags } of ofThese.filter(({ rule }) => rule === id)) {
      const example = examples.get(of)
      expect(example, `${of} is no longer an example`).toBeDefined()
      const text = edited(example!.text, edits)
      const found = findingsIn(alone, text, example!.file).map(({ location }) => location.lineStart)
      expect({ text, lines: [...new Set(found)].toSorted((a, b) => a - b) }).toEqual({ text, lines: flags })
    }
  })
})
