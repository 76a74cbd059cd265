import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { readSuppressions } from "../../../domain/finding/Suppression.ts"
import { cpuTime } from "../../support/cpuTime.ts"

const rule = "evm/reentrancy/state-change-after-call"
const vulnerabilityClass = "reentrancy-eth"

/** The suppression of a finding on the line that contains `HERE`. */
const suppressionIn = (text: string, path = "a.sol", ruleId = rule, ofClass = vulnerabilityClass) =>
  readSuppressions(path, text).covering(text.slice(0, text.indexOf("HERE")).split("\n").length, ruleId, ofClass)

describe("assay-ignore", () => {
  it.each([
    ["on the line", `f(); HERE // assay-ignore ${rule}: guarded`],
    ["on the line, in a block comment", `f(); HERE /* assay-ignore ${rule}: guarded */`],
    ["before the code of the line", `/* assay-ignore ${rule}: guarded */ f(); HERE`],
    ["on the line above", `// assay-ignore ${rule}: guarded\nf(); HERE`],
    ["on the line above, in a block comment", `  /* assay-ignore ${rule}: guarded */\n  f(); HERE`],
    [
      "in a block comment of several lines above",
      `/*\n * assay-ignore ${rule}: guarded\n * by the router\n */\nf(); HERE`,
    ],
    ["above further comments", `// assay-ignore ${rule}: guarded\n/// @notice takes\n/** more\n */\nfunction HERE`],
    ["with Windows line ends", `// assay-ignore ${rule}: guarded\r\nf(); HERE`],
    ["in documentation comments", `/// assay-ignore ${rule}: guarded\nf(); HERE`],
    ["among several rules, by commas", `// assay-ignore evm/gas/a, ${rule}: guarded\nf(); HERE`],
    ["among several rules, by spaces", `// assay-ignore evm/gas/a ${rule}: guarded\nf(); HERE`],
    ["for the category", `// assay-ignore evm/reentrancy/*: guarded\nf(); HERE`],
    ["for the ecosystem", `// assay-ignore evm/*: guarded\nf(); HERE`],
    ["for all rules", `// assay-ignore *: guarded\nf(); HERE`],
    ["for all rules, by word", `// assay-ignore all: guarded\nf(); HERE`],
    ["without an id, for all rules", `// assay-ignore: guarded\nf(); HERE`],
    ["with the reason after dashes", `// assay-ignore ${rule} -- guarded\nf(); HERE`],
  ])("counts %s", (_, text) => {
    expect(suppressionIn(text)?.reason).toBe("guarded")
  })

  it.each([
    ["for another rule", `// assay-ignore evm/reentrancy/other: guarded\nf(); HERE`],
    ["for a rule whose id only begins alike", `// assay-ignore ${rule}-twice: guarded\nf(); HERE`],
    ["for another category", `// assay-ignore evm/reent*: guarded\nf(); HERE`],
    ["two lines above", `// assay-ignore ${rule}: guarded\ng();\nf(); HERE`],
    ["above an empty line", `// assay-ignore ${rule}: guarded\n\nf(); HERE`],
    ["on the line below", `f(); HERE\n// assay-ignore ${rule}: guarded`],
    ["at the end of the line above, which it is about", `g(); // assay-ignore ${rule}: guarded\nf(); HERE`],
    ["in a string", `string s = "// assay-ignore ${rule}: guarded"; f(); HERE`],
    ["in a string of the line above", `string s = "// assay-ignore ${rule}: x";\nf(); HERE`],
    ["in code", `assay-ignore ${rule}: guarded\nf(); HERE`],
    ["in prose", `// see the manual on assay-ignore ${rule}: it explains\nf(); HERE`],
    ["in a longer word", `// assay-ignored ${rule}: guarded\nf(); HERE`],
  ])("does not count %s", (_, text) => {
    expect(suppressionIn(text)).toBeUndefined()
  })

  it("reports the line of the comment, which needs no reason", () => {
    expect(suppressionIn(`\n/*\n * assay-ignore ${rule}\n */\nf(); HERE`)).toEqual({ reason: "", line: 3 })
  })

  it("allows several above one line", () => {
    const text = `// assay-ignore evm/gas/a: one\n// assay-ignore ${rule}: two\nf(); HERE`
    expect(suppressionIn(text)).toEqual({ reason: "two", line: 2 })
    expect(suppressionIn(text, "a.sol", "evm/gas/a")).toEqual({ reason: "one", line: 1 })
  })

  it("works in Rust, with nested comments, raw strings and lifetimes", () => {
    const id = "solana/pda/bump-seed"
    const inRust = (text: string) => suppressionIn(text, "src/lib.rs", id, "pda-bump")
    expect(inRust(`fn f<'a>(x: &'a str) {}\n// assay-ignore ${id}: checked\nlet HERE`)?.reason).toBe("checked")
    expect(inRust(`/* /* */ assay-ignore x */\n/* assay-ignore ${id}: checked */\nlet HERE`)?.reason).toBe("checked")
    expect(inRust(`let c = '"'; // "\n// assay-ignore ${id}: checked\nlet HERE`)?.reason).toBe("checked")
    expect(inRust(`let s = r#"\n// assay-ignore ${id}: checked\nHERE"#;`)).toBeUndefined()
    expect(inRust(`let s = "\n// assay-ignore ${id}: checked\nHERE";`)).toBeUndefined()
  })
})

describe("slither-disable", () => {
  it.each([
    ["the next line", "// slither-disable-next-line reentrancy-eth\nf(); HERE"],
    ["the next line, among several detectors", "// slither-disable-next-line timestamp,reentrancy-eth\nf(); HERE"],
    ["the next line, for all", "// slither-disable-next-line all\nf(); HERE"],
    ["the next line, without a detector", "// slither-disable-next-line\nf(); HERE"],
    ["the next line, by a comment at the end of a line", "g(); // slither-disable-next-line reentrancy-eth\nf(); HERE"],
    ["its own line", "f(); HERE // slither-disable-line reentrancy-eth"],
    ["a range", "// slither-disable-start reentrancy-eth\ng();\n\nf(); HERE\n// slither-disable-end reentrancy-eth"],
    ["a range without an end", "//slither-disable-start\ng();\nf(); HERE"],
    [
      "a reopened range",
      "// slither-disable-start all\n// slither-disable-end all\ng();\n// slither-disable-start all\nf(); HERE",
    ],
    [
      "a comment that names another detector of the class",
      "// slither-disable-next-line reentrancy-unlimited-gas\nf(); HERE",
    ],
  ])("covers %s", (_, text) => {
    expect(suppressionIn(text)?.reason).toMatch(/^slither-disable-/)
  })

  it.each([
    ["another detector's findings", "// slither-disable-next-line timestamp\nf(); HERE"],
    ["the line itself, when it is about the next", "f(); HERE // slither-disable-next-line reentrancy-eth"],
    ["the next line, when it is about its own", "// slither-disable-line reentrancy-eth\nf(); HERE"],
    ["what comes after a range", "// slither-disable-start all\n// slither-disable-end all\nf(); HERE"],
    ["what comes before a range", "f(); HERE\n// slither-disable-start all"],
    ["a range of another detector", "// slither-disable-start timestamp\nf(); HERE\n// slither-disable-end timestamp"],
    ["a range in a string", 's = "// slither-disable-start all";\nf(); HERE'],
  ])("does not cover %s", (_, text) => {
    expect(suppressionIn(text)).toBeUndefined()
  })

  it("keeps the text after the detectors as the reason", () => {
    expect(suppressionIn("// slither-disable-next-line reentrancy-eth - guarded by the router\nf(); HERE")).toEqual({
      reason: "guarded by the router",
      line: 1,
    })
  })

  it("does not cover classes that Slither does not have", () => {
    const text = "// slither-disable-next-line reentrancy-eth\nf(); HERE"
    expect(suppressionIn(text, "a.sol", "evm/x/y", "oracle-spot")).toBeUndefined()
  })
})

describe("comments for other secret scanners", () => {
  const secret = "evm/access-control/committed-private-key"

  it.each([
    ["a.py", `key = "HERE"  # gitleaks:allow`],
    ["a.ts", `const key = "HERE" // trufflehog:ignore`],
    [".env", `KEY=HERE # pragma: allowlist secret`],
    ["a.sol", `bytes32 key = HERE; // ggignore`],
  ])("covers a secret on its line of %s, and nothing else", (path, text) => {
    expect(suppressionIn(text, path, secret, "committed-secret")?.line).toBe(1)
    expect(suppressionIn(text, path)).toBeUndefined()
    expect(suppressionIn(`${text}\nTHERE`.replace("HERE", "x").replace("THERE", "HERE"), path, secret)).toBeUndefined()
  })

  it("cover nothing outside of a comment", () => {
    expect(suppressionIn(`const key = "HERE gitleaks:allow"`, "a.ts", secret)).toBeUndefined()
  })
})

describe("any file", () => {
  it("is read without failing, and only comments suppress", () => {
    const pieces = fc.constantFrom(
      "//",
      "/*",
      "*/",
      '"',
      "'",
      "\\",
      "\n",
      " assay-ignore *: x",
      " slither-disable-start",
      "f();",
      'r#"',
      " ",
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), fc.boolean(), (parts, rust) => {
        const text = parts.join("")
        const found = readSuppressions(rust ? "a.rs" : "a.sol", text)
        const covered = Array.from({ length: 12 }, (_, line) => found.covering(line + 1, rule, vulnerabilityClass))
        const comments = text.includes("//") || text.includes("/*")
        expect(covered.some((each) => each !== undefined) && !comments).toBe(false)
      }),
    )
  })

  it("takes time linear in its length", () => {
    const hostile = [
      "// slither-disable-start a\n// slither-disable-end a\n",
      "/* assay-ignore x: y */ ",
      `// assay-ignore ${"a,".repeat(50)}\n`,
      "// assay-ignore * -- -- -- -- \n",
      "'",
      '"\\',
      "/*",
      "r#",
    ]
    for (const piece of hostile) {
      for (const path of ["a.sol", "a.rs"]) {
        const text = `// assay-ignore a: b\n${piece.repeat(Math.ceil(1_000_000 / piece.length))}`
        const start = cpuTime()
        const found = readSuppressions(path, text)
        for (let line = 1; line <= 20_000; line++) found.covering(line, rule, vulnerabilityClass)
        expect(cpuTime() - start).toBeLessThan(3_000)
      }
    }
  })
})
