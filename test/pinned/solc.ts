import { readFileSync, writeFileSync } from "node:fs"
import { isDeepStrictEqual } from "node:util"
import { exampleTexts, fixtureTexts, hashOf, ourTree, recordPath, solcTree } from "../oracle/solc/trees.ts"

// Compares our tree of each text with solc's, and records what is the same or rejected, which the test relies on.

const same = new Set<string>()
let different = 0
for (const { name, text } of [...fixtureTexts, ...exampleTexts]) {
  const theirs = solcTree(text)
  const ours = ourTree(text)
  if (theirs === undefined || isDeepStrictEqual(ours, theirs)) {
    same.add(hashOf(text, theirs === undefined ? undefined : ours))
  } else {
    different++
    process.stdout.write(`${name}: ${JSON.stringify(ours)} instead of ${JSON.stringify(theirs)}\n`)
  }
}
const before = readFileSync(recordPath, "utf8")
const after = [...same]
  .toSorted()
  .map((hash) => `${hash}\n`)
  .join("")
writeFileSync(recordPath, after)
process.stdout.write(
  `${same.size} texts compared, ${different} different; ${after === before ? "nothing changed" : "the record changed"}\n`,
)
process.exitCode = different === 0 ? 0 : 1
