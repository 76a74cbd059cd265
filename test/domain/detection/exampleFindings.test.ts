import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { frontEnd } from "../../../apps/engine/frontEnds.ts"
import { ecosystems } from "../../../domain/analysis/Framework.ts"
import { exampleFindings } from "../../support/exampleFindings.ts"

const pinned = readFileSync(new URL("../../pinned/exampleFindings.txt", import.meta.url), "utf8")
  .trimEnd()
  .split("\n")

// If this is meant to change: run `npm run pinned:examples`, and read the difference.
it.each(ecosystems)("every rule has the recorded findings in the examples of all rules, %s", async (ecosystem) => {
  const found = exampleFindings(await frontEnd(ecosystem))
  expect(found).toEqual(pinned.filter((line) => line.startsWith(`${ecosystem}/`)))
})
