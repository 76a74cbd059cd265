/**
 * Which rules say something about the same line of an example: `node test/bench/overlaps.ts`. One problem is one
 * finding, so each pair listed is to be looked at; two problems on one line are not a fault.
 */
import { frontEnd } from "../../apps/engine/frontEnds.ts"
import { ecosystems } from "../../domain/analysis/Framework.ts"
import { catalog } from "../../domain/detection/catalog.ts"
import { findingsIn } from "../support/exampleRun.ts"

const places = new Map<string, Array<string>>()
for (const ecosystem of ecosystems) {
  const all = await frontEnd(ecosystem)
  for (const { meta, examples } of catalog.filter(({ meta: { id } }) => id.startsWith(`${ecosystem}/`))) {
    const texts = [...examples.vulnerable, ...examples.safe]
    for (const [index, text] of texts.entries()) {
      const lines = Map.groupBy(findingsIn(all, text, examples.file), ({ location }) => location.lineStart)
      for (const [line, findings] of lines) {
        const rules = [...new Set(findings.map(({ ruleId }) => ruleId))].toSorted()
        if (rules.length < 2) continue
        const pair = rules.join(" + ")
        places.set(pair, [...(places.get(pair) ?? []), `${meta.id} example ${index + 1} line ${line}`])
      }
    }
  }
}

for (const [rules, where] of [...places].toSorted((a, b) => b[1].length - a[1].length)) {
  console.log(
    `${rules}\n  ${where.slice(0, 5).join("\n  ")}${where.length > 5 ? `\n  and ${where.length - 5} more` : ""}`,
  )
}
console.log(`${places.size} sets of rules overlap`)
