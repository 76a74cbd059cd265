import { readFileSync, writeFileSync } from "node:fs"
import { frontEnd } from "../../apps/engine/frontEnds.ts"
import { type Ecosystem, ecosystems } from "../../domain/analysis/Framework.ts"
import { exampleFindings, recordPath } from "../support/exampleFindings.ts"
import { flaggedIn, namedExamples, readVariants, type Variant, variantsPath } from "../support/exampleVariants.ts"

// Writes down what every rule says about every rule's examples, and its own about programs near them; tests compare.
// What changed is then read as a difference of the files.

const lines: Array<string> = []
for (const ecosystem of ecosystems) lines.push(...exampleFindings(await frontEnd(ecosystem)))

const named = namedExamples()
const variants: Array<Variant> = []
for (const variant of readVariants()) {
  const example = named.get(variant.of)
  if (example === undefined) continue
  const some = await frontEnd(variant.rule.split("/")[0] as Ecosystem)
  variants.push({ ...variant, flags: flaggedIn(some, example, variant) })
}

const write = (path: URL, texts: ReadonlyArray<string>): void => {
  const before = readFileSync(path, "utf8")
  const after = texts.map((text) => `${text}\n`).join("")
  writeFileSync(path, after)
  const name = path.pathname.split("/").at(-1)!
  process.stdout.write(`${name}: ${after === before ? "nothing changed" : `git diff test/pinned/${name}`}\n`)
}

write(recordPath, lines)
write(variantsPath, variants.map((variant) => JSON.stringify(variant)).toSorted())
