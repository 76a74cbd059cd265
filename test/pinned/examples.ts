import { readFileSync, writeFileSync } from "node:fs"
import { frontEnd } from "../../apps/engine/frontEnds.ts"
import { ecosystems } from "../../domain/analysis/Framework.ts"
import { exampleFindings } from "../support/exampleFindings.ts"

// Writes down what every rule says about every rule's examples; `exampleFindings.test.ts` compares. What changed is then
// read as a difference of the file.
const record = new URL("exampleFindings.txt", import.meta.url)
const before = readFileSync(record, "utf8")
const lines: Array<string> = []
for (const ecosystem of ecosystems) lines.push(...exampleFindings(await frontEnd(ecosystem)))
const after = lines.map((line) => `${line}\n`).join("")
writeFileSync(record, after)
process.stdout.write(after === before ? "Nothing changed.\n" : "Written: git diff test/pinned/exampleFindings.txt\n")
