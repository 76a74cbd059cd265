import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { makeRustParser } from "../../adapters/tree-sitter/rust.ts"
import { sourceFile } from "../../domain/detection/SourceFile.ts"
import { inventoryOf, keyOf, summaryOf } from "./rust/inventory.ts"
import { exampleTexts, fixtureTexts } from "./rust/ourTexts.ts"

const parse = await makeRustParser()
const expected: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(new URL("rust/expected.json", import.meta.url), "utf8"),
)
const summaryOfOurs = (text: string): string => summaryOf(inventoryOf(parse(sourceFile("a.rs", text))))

/**
 * `expected.json` is what `syn` reads, by text. `npm run test:oracle:rust` makes it anew and tells entry by entry where
 * the two differ; that needs cargo, which a bare machine lacks.
 */
describe("our Rust tree is the same as syn's", () => {
  it.each(fixtureTexts)("in $name", ({ text }) => {
    expect(summaryOfOurs(text)).toBe(expected[keyOf(text)])
  })

  it("in every rule example that has not been edited since, which is most of them", () => {
    const known = exampleTexts.filter(({ text }) => expected[keyOf(text)] !== undefined)
    const unlike = known.filter(({ text }) => summaryOfOurs(text) !== expected[keyOf(text)])
    expect(unlike.map(({ name }) => name)).toEqual([])
    const edited = exampleTexts.length - known.length
    expect(edited, "run npm run test:oracle:rust").toBeLessThan(exampleTexts.length / 4)
  })
})
