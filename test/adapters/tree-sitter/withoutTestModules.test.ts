import { describe, expect, it } from "vitest"
import { withoutTestModules } from "../../../adapters/tree-sitter/withoutTestModules.ts"
import { parseRust } from "../../support/rustProject.ts"

const blank = (text: string): string => text.replaceAll(/«([^»]*)»/g, (_, body: string) => " ".repeat(body.length))
const marked = (text: string): string => text.replaceAll(/[«»]/g, "")

describe("withoutTestModules", () => {
  it.each([
    ["a module", "fn a() {}\n#[cfg(test)]\nmod tests {« fn t() { if x { y } }\n»}\nfn b() {}"],
    ["several", "#[cfg(test)] mod a {« x »} fn f() {} #[cfg(test)] pub(crate) mod b {« y »}"],
    ["braces in literals and comments", '#[cfg(test)] mod t {« "}" \'}\' r#"}"# // }\n /* } /* } */ } */ »} fn f() {}'],
    ["lifetimes and quotes", "#[cfg(test)] mod t {« fn f<'a>(x: &'a str) { '\\'' } »} fn f() {}"],
  ])("blanks the body of %s, and nothing moves", (_, text) => {
    expect(withoutTestModules(marked(text))).toBe(blank(text))
  })

  it.each([
    ["in a comment", "/* #[cfg(test)] mod t { */ fn f() { a } }"],
    ["in a string", 'const A: &str = "#[cfg(test)] mod t {"; fn f() { a } }'],
    ["with a body that does not end", "#[cfg(test)] mod t { fn f() {"],
    ["of another condition", "#[cfg(not(test))] mod t { fn f() {} }"],
    ["in a file of its own", "#[cfg(test)] mod t; fn f() {}"],
  ])("leaves the text as it is where the module is %s", (_, text) => {
    expect(withoutTestModules(text)).toBe(text)
  })
})

describe("the parser", () => {
  it("reports no errors in test code", () => {
    const file = parseRust("fn f() {}\n#[cfg(test)]\nmod tests { let let }\nfn g() {}")
    expect(file.problems).toEqual([])
    expect(file.items.map(({ name }) => name)).toEqual(["f", "g"])
    expect(file.testModules).toEqual(["tests"])
  })

  it("reads the whole text if there is an error elsewhere", () => {
    const file = parseRust("fn f() { let = ; }\n#[cfg(test)]\nmod tests { fn t() {} }\nfn g() {}")
    expect(file.problems.length).toBeGreaterThan(0)
    expect(file.items.map(({ name }) => name)).toContain("g")
    expect(file.testModules).toEqual(["tests"])
  })
})
