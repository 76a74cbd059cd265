import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { fingerprints, findingId, type Identity, normalizeSnippet } from "../../../domain/finding/Fingerprint.ts"
import { cpuTime } from "../../support/cpuTime.ts"

const identity: Identity = {
  ruleId: "evm/reentrancy/state-change-after-call",
  file: "contracts/Vault.sol",
  scope: "Vault.withdraw(uint256)",
  snippet: 'msg.sender.call{value: amount}("")',
}

const only = (change: Partial<Identity> = {}): string => fingerprints([{ ...identity, ...change }])[0]!

const tokens = fc.array(
  fc.constantFrom(
    "balances",
    "[",
    "]",
    "(",
    ")",
    "=",
    "0",
    ";",
    "+",
    '"a // b"',
    "'c'",
    "return",
    "uint256",
    "x",
    "{",
    "}",
    "-=",
    "é",
  ),
  { minLength: 1, maxLength: 30 },
)
const gap = fc.constantFrom(" ", "  ", "\n", "\r\n\t", "\n\n    ", " // note\n", " /* a\n b */ ", "\t/**/ ")
/** The same tokens twice, with different layout and comments. */
const twoLayouts = tokens.chain((tokens) => {
  const layout = fc
    .array(gap, { minLength: tokens.length, maxLength: tokens.length })
    .map((gaps) => tokens.map((token, index) => token + gaps[index]!).join(""))
  return fc.tuple(layout, layout)
})

describe("fingerprint", () => {
  it("is 16 hex digits, and the id carries it", () => {
    expect(only()).toMatch(/^[0-9a-f]{16}$/)
    expect(findingId(only())).toMatch(/^f_[0-9a-f]{16}$/)
  })

  it("is the same in every release, since alerts are tracked by it", () => {
    expect(only()).toBe("0d9382574c52ff50")
  })

  it("survives any change of layout and comments", () => {
    fc.assert(
      fc.property(twoLayouts, ([one, other]) => {
        expect(only({ snippet: one })).toBe(only({ snippet: other }))
      }),
    )
  })

  it("does not depend on the position in the file: a shift keeps every fingerprint", () => {
    const before = ["a()", "b()", "a()"].map((snippet) => ({ ...identity, snippet }))
    const shifted = before.map((each) => ({ ...each, snippet: `\n\n   ${each.snippet}` }))
    expect(fingerprints(shifted)).toEqual(fingerprints(before))
  })

  it.each([
    ["rule", { ruleId: "evm/access-control/tx-origin" }],
    ["file", { file: "contracts/Vault2.sol" }],
    ["scope", { scope: "Vault.redeem(uint256)" }],
    ["code", { snippet: 'msg.sender.call{value: amount2}("")' }],
    ["string literal", { snippet: 'msg.sender.call{value: amount}(" ")' }],
    ["words that only white space separates", { snippet: 'msg.sender.call{va lue: amount}("")' }],
  ])("differs by %s", (_, change) => {
    expect(only(change)).not.toBe(only())
  })

  it("never concatenates two parts ambiguously", () => {
    expect(only({ file: "ab", scope: "c" })).not.toBe(only({ file: "a", scope: "bc" }))
  })

  it("distinguishes twins by a counter, and the first keeps its value when another one appears", () => {
    const three = fingerprints([identity, identity, identity])
    expect(new Set(three).size).toBe(3)
    expect(three.slice(0, 2)).toEqual(fingerprints([identity, identity]))
    expect(three[0]).toBe(only())
  })

  it("is unique within any list of findings, and reproducible", () => {
    const some = fc.record({
      ruleId: fc.constantFrom("r1", "r2"),
      file: fc.constantFrom("a.sol", "b.rs"),
      scope: fc.constantFrom("", "C.f()"),
      snippet: fc.constantFrom("x", "x ", "y // z", '"', "\ud800", ""),
    })
    fc.assert(
      fc.property(fc.array(some, { maxLength: 60 }), (identities) => {
        const all = fingerprints(identities)
        expect(new Set(all).size).toBe(identities.length)
        expect(fingerprints(identities)).toEqual(all)
      }),
    )
  })

  it("distinguishes Rust's lifetimes and raw strings from characters and comments", () => {
    expect(normalizeSnippet("fn f<'a>(x: &'a str) // c\n{ r#\"//\"# }", "rust")).toBe("fn f<'a>(x:&'a str){r#\"//\"#}")
    expect(normalizeSnippet("'\"' /* /* n */ */ + '\\''", "rust")).toBe("'\"'+'\\''")
  })

  it("is computed for 50,000 findings in under 5 seconds, however long their snippets", () => {
    const snippet = "balances[msg.sender] -= amount; ".repeat(2_000)
    const start = cpuTime()
    fingerprints(
      Array.from({ length: 50_000 }, (_, i) => ({
        ...identity,
        scope: `C.f${i}()`,
        snippet: i % 50 === 0 ? snippet : identity.snippet,
      })),
    )
    expect(cpuTime() - start).toBeLessThan(5_000)
  })
})
