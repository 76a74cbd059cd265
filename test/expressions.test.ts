import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { cpuTimeOf } from "./support/cpuTime.ts"
import { composed, distinct, type Expression, objection, partsOf, recordPath } from "./support/linearExpressions.ts"

/** The pieces of text that an expression reacts to: words that it names, and characters of each kind. */
const tokensOf = ({ source }: Expression): ReadonlyArray<string> => {
  const plain = source.replaceAll(/\\[bBwWdDsSpP]/g, " ").replaceAll(/\\(.)/g, "$1")
  const words = plain.match(/[\w-]+|[^\w\s]/g) ?? []
  return [...new Set([...words, "a", "1", " ", "\n", "="])].slice(0, 24)
}

describe("regular expressions", () => {
  it("are literals in the code, so that they can be checked", () => {
    expect(composed).toEqual([])
    expect(distinct.length).toBeGreaterThan(500)
  })

  // What was proven before is on record, which saves a minute: `npm run pinned:expressions` proves everything anew.
  it("take time linear in the length of any text, wherever matching starts", { timeout: 600_000 }, () => {
    const proven = new Set(readFileSync(recordPath, "utf8").split("\n"))
    const wrong: Array<string> = []
    for (const expression of distinct) {
      for (const { part, flags, hash } of partsOf(expression)) {
        if (proven.has(hash)) continue
        const reason = objection(part, flags)
        if (reason === undefined) proven.add(hash)
        else wrong.push(`${expression.place} /${part}/${flags}: ${reason}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it("are still refused by the checker where they are not linear", () => {
    expect(objection("(a|a)*b", "")).toMatch(/exponential/)
    expect(objection("a*a*b", "g")).toMatch(/polynomial/)
    expect(objection("[a-z]+;", "y")).toBeUndefined()
  })

  // One search may be linear and give up after the first character, so that continuing from there makes a loop
  // quadratic.
  it("take linear time to find all their matches, one after another", { timeout: 300_000 }, () => {
    const wrong: Array<string> = []
    for (const expression of distinct.filter(({ flags }) => /[gy]/.test(flags))) {
      const pattern = new RegExp(expression.source, expression.flags.replace("y", "g"))
      const tokens = tokensOf(expression)
      for (const first of tokens) {
        for (const second of tokens) {
          const text = (first + second).repeat(Math.ceil(20_000 / (first.length + second.length)))
          const look = (): void => void text.replaceAll(pattern, "")
          // Quadratic ones take 200 ms and more; the minimum of three, since a neighbor may have had the core.
          const least = cpuTimeOf(look) < 60 ? 0 : Math.min(cpuTimeOf(look), cpuTimeOf(look))
          if (least < 60) continue
          wrong.push(`${expression.place} /${expression.source}/ on ${JSON.stringify(first + second)}: ${least} ms`)
        }
      }
    }
    expect(wrong).toEqual([])
  })
})
