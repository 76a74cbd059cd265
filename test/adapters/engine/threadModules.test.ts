import { execFileSync } from "node:child_process"
import { expect, it } from "vitest"
import { ecosystems } from "../../../domain/analysis/Framework.ts"

const frontEnds = new URL("../../../apps/engine/frontEnds.ts", import.meta.url).href
const examine = new URL("../../../domain/detection/examine.ts", import.meta.url).href

/** What a thread loads from Effect's package before it reads the first file. */
const script = `import { registerHooks } from "node:module"
const loaded = []
registerHooks({ resolve(specifier, context, next) {
  const found = next(specifier, context)
  if (found.url.includes("/node_modules/effect/")) loaded.push(found.url + " for " + context.parentURL)
  return found
} })
const { frontEnd } = await import(${JSON.stringify(frontEnds)})
await import(${JSON.stringify(examine)})
for (const ecosystem of ${JSON.stringify(ecosystems)}) await frontEnd(ecosystem)
console.log(JSON.stringify(loaded))`

it("an engine thread loads nothing from Effect, whose schemas are 140 modules and 15 MB", () => {
  const answer = execFileSync(process.execPath, ["--input-type=module", "--eval", script], { encoding: "utf8" })
  expect(JSON.parse(answer)).toEqual([])
})
