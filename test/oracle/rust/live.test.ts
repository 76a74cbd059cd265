import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, describe, expect, it } from "vitest"
import { makeRustParser } from "../../../adapters/tree-sitter/rust.ts"
import { sourceFile } from "../../../domain/detection/SourceFile.ts"
import { inventoryOf, keyOf, summaryOf } from "./inventory.ts"
import { exampleTexts, fixtureTexts } from "./ourTexts.ts"
import { readWithSyn } from "./syn.ts"

const parse = await makeRustParser()
const expectedFile = fileURLToPath(new URL("expected.json", import.meta.url))
const folder = mkdtempSync(join(tmpdir(), "assay-oracle-"))
afterAll(() => rmSync(folder, { recursive: true }))

/** Entries that only one of the two has. */
const differences = (ours: ReadonlyArray<string>, theirs: ReadonlyArray<string>): ReadonlyArray<string> => {
  const counts = new Map<string, number>()
  for (const one of ours) counts.set(one, (counts.get(one) ?? 0) + 1)
  for (const one of theirs) counts.set(one, (counts.get(one) ?? 0) - 1)
  return [...counts]
    .filter(([, count]) => count !== 0)
    .map(([entry, count]) => `${count > 0 ? "ours" : "syn"}: ${entry}`)
}

describe("our Rust tree is the same as syn's", () => {
  it("in our fixtures and rule examples, from which expected.json is written", () => {
    const texts = [...fixtureTexts, ...exampleTexts]
    const paths = texts.map(({ text }, index) => {
      const path = join(folder, `${index}.rs`)
      writeFileSync(path, text)
      return path
    })
    const expected: Record<string, string> = {}
    const wrong: Array<unknown> = []
    for (const [index, result] of readWithSyn(paths).entries()) {
      const { name, text } = texts[index]!
      if ("error" in result) wrong.push({ name, error: result.error })
      else {
        const different = differences(inventoryOf(parse(sourceFile("a.rs", text))), result.inventory)
        if (different.length > 0) wrong.push({ name, different: different.slice(0, 10) })
        expected[keyOf(text)] = summaryOf(result.inventory)
      }
    }
    const sorted = Object.fromEntries(Object.entries(expected).toSorted())
    writeFileSync(expectedFile, `${JSON.stringify(sorted, undefined, 2)}\n`)
    expect(wrong).toEqual([])
  })

  const roots = process.env["ASSAY_ORACLE_PATHS"]?.split(":") ?? []
  it.each(roots)("in every file below %s that syn can read", (root) => {
    const paths = globSync("**/*.rs", { cwd: root }).map((path) => join(root, path))
    const wrong: Array<unknown> = []
    let compared = 0
    for (const result of readWithSyn(paths)) {
      if ("error" in result) continue
      const text = readFileSync(result.path, "utf8")
      const different = differences(inventoryOf(parse(sourceFile(result.path, text))), result.inventory)
      compared++
      if (different.length > 0) wrong.push({ path: result.path, different: different.slice(0, 10) })
    }
    expect(compared).toBeGreaterThan(paths.length * 0.9)
    expect(wrong).toEqual([])
  })
})
