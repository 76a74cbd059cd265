import { expect, it } from "vitest"
import { frontEnd } from "../../../apps/engine/frontEnds.ts"
import { ecosystems } from "../../../domain/analysis/Framework.ts"
import { catalog } from "../../../domain/detection/catalog.ts"
import { exampleFindings, exampleName, examplesOf, readRecord } from "../../support/exampleFindings.ts"

const record = readRecord()

/**
 * Under another runtime than Node, the first two examples of each rule: enough to run all of its code, and the rest is the
 * same code again.
 */
const firstOfEach = new Set(
  catalog.flatMap(({ meta: { id }, examples: { vulnerable, safe } }) =>
    [vulnerable[0], safe[0]].flatMap((text) => (text === undefined ? [] : exampleName(id, text))),
  ),
)
const isRun = (name: string): boolean => process.env["ASSAY_RUNTIME"] === undefined || firstOfEach.has(name)

// If this is meant to change: run `npm run pinned:examples`, and read the difference.
it.each(ecosystems)("every rule has the recorded findings in the examples of all rules, %s", async (ecosystem) => {
  const examples = examplesOf(ecosystem).filter(({ name }) => isRun(name))
  const recorded = record.filter((line) => line.startsWith(`${ecosystem}/`) && isRun(line.split(" ", 1)[0]!))
  expect(exampleFindings(await frontEnd(ecosystem), examples)).toEqual(recorded)
})
