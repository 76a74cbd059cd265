import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { exampleTexts, fixtureTexts, hashOf, ourTree, recordPath, solcTree } from "./solc/trees.ts"

// What was compared before is on record, which saves half a minute of CPU: `npm run pinned:solc` compares all anew.
const compared = new Set(readFileSync(recordPath, "utf8").split("\n"))

const compare = (text: string): "compared" | "not compiled" => {
  const ours = ourTree(text)
  if (compared.has(hashOf(text, ours))) return "compared"
  if (compared.has(hashOf(text, undefined))) return "not compiled"
  const theirs = solcTree(text)
  if (theirs === undefined) return "not compiled"
  expect(ours).toEqual(theirs)
  return "compared"
}

describe("our syntax tree and linearization are the same as solc's", () => {
  it.each(fixtureTexts)("in $name", ({ text }) => {
    expect(compare(text)).toBe("compared")
  })

  it("in every rule example that solc accepts, which is most of them", () => {
    const rejected: Array<string> = []
    for (const { name, text } of exampleTexts) {
      if (compare(text) === "not compiled") rejected.push(name)
    }
    expect(rejected.length, rejected.join(", ")).toBeLessThan(exampleTexts.length / 4)
  }, 120_000)

  it("where the compiler runs as well", () => {
    const { text } = fixtureTexts.at(-1)!
    expect(ourTree(text)).toEqual(solcTree(text))
  })

  it("and what is on record is one text with one tree", () => {
    const { text } = fixtureTexts.at(-1)!
    const ours = ourTree(text)
    const [name, counts] = Object.entries(ours.contracts)[0]!
    const other = { ...ours, contracts: { ...ours.contracts, [name]: { ...counts, calls: counts.calls + 1 } } }
    const hashes = [hashOf(text, ours), hashOf(`${text} `, ours), hashOf(text, other), hashOf(text, undefined)]
    expect(new Set(hashes).size).toBe(4)
  })
})
