import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { sharedRustParser } from "../../../domain/detection/rust/rustFrontEnd.ts"
import { sourceFile } from "../../../domain/detection/SourceFile.ts"
import type { Expression, FunctionItem, MacroCall } from "../../../domain/detection/rust/syntax/syntax.ts"
import { parseRust } from "../../support/rustProject.ts"
import { cpuTime } from "../../support/cpuTime.ts"

const bodyOf = (code: string) => {
  const file = parseRust(`fn f() {\n${code}\n}`)
  const [item] = file.items
  if (item?.kind !== "function" || item.body === undefined) throw new Error("no function")
  return { file, body: item.body }
}
const tailOf = (code: string): Expression => {
  const { tail } = bodyOf(code).body
  if (tail === undefined) throw new Error("no tail")
  return tail
}
const macroOf = (code: string): MacroCall => {
  const tail = tailOf(code)
  if (tail.kind !== "macro") throw new Error(tail.kind)
  return tail
}

describe("items", () => {
  it("keeps what a broken attribute begins with", () => {
    const [item] = parseRust("struct A { #[account(mut, has_one = b, )?.c @ Failure::D)] pub a: X, pub b: Y }").items
    if (item?.kind !== "struct") throw new Error("no struct")
    expect(item.fields.map((one) => [one.name, one.attributes.map(({ name, args }) => [name, args.length])])).toEqual([
      ["a", [["account", 2]]],
      ["b", []],
    ])
  })

  it("keeps attributes, visibility, generics and nested arguments", () => {
    const file = parseRust(`
      #[derive(Accounts, Clone)]
      #[instruction(amount: u64, name: Vec<u8>)]
      pub struct Open<'info, T> {
        #[account(mut, has_one = maker @ Failure::Maker, seeds = [b"x", maker.key().as_ref()], token::mint = mint)]
        pub(crate) vault: Box<Account<'info, T>>,
      }`)
    const [item] = file.items
    if (item?.kind !== "struct") throw new Error("no struct")
    expect(item.generics).toEqual(["T"])
    expect(item.attributes[0]?.args.map((one) => one.name)).toEqual(["Accounts", "Clone"])
    expect(item.attributes[1]?.args.map((one) => [one.name, one.type?.kind])).toEqual([
      ["amount", "path"],
      ["name", "path"],
    ])
    const [field] = item.fields
    expect(field?.visibility).toBe("restricted")
    const args = field?.attributes[0]?.args ?? []
    expect(args.map((one) => one.name)).toEqual(["mut", "has_one", "seeds", "token::mint"])
    expect(args[1]).toMatchObject({ value: { kind: "path" }, error: { kind: "path" } })
    expect(args[2]?.value).toMatchObject({
      kind: "array",
      elements: [{ kind: "literal", type: "bytes" }, { kind: "methodCall" }],
    })
  })

  it("reads conditions that old versions of Anchor take as strings", () => {
    const file = parseRust(`
      #[derive(Accounts)]
      pub struct Pay<'info> {
        #[account(mut, "vault.key == &pool.vault")]
        #[doc("vault.key == &pool.vault")]
        pub vault: AccountInfo<'info>,
      }`)
    const [item] = file.items
    if (item?.kind !== "struct") throw new Error("no struct")
    const [account, doc] = item.fields[0]?.attributes ?? []
    expect(account?.args[1]).toMatchObject({ name: "constraint", value: { kind: "binary" } })
    expect(doc?.args[0]).toMatchObject({ name: "", value: { kind: "literal" } })
  })

  it("flattens use declarations", () => {
    const [item] = parseRust("use a::{self, b::{c as d, *}, e};").items
    if (item?.kind !== "use") throw new Error("no use")
    expect(item.imports.map((one) => [one.path.join("::"), one.alias])).toEqual([
      ["a", "a"],
      ["a::b::c", "d"],
      ["a::b", "*"],
      ["a::e", "e"],
    ])
  })

  it("omits test code and remembers modules declared for tests", () => {
    const file = parseRust(
      "#[cfg(test)] mod tests { fn a() {} }\n#[cfg(all(test, unix))] mod it;\n#[test] fn t() {}\nfn kept() {}",
    )
    expect(file.items.map((one) => one.name)).toEqual(["kept"])
    expect(file.testModules).toEqual(["tests", "it"])
  })
})

describe("expressions", () => {
  it("distinguishes calls, method calls, try and fields", () => {
    expect(tailOf("a::b::<T>(x)?.c.d(1)")).toMatchObject({
      kind: "methodCall",
      method: "d",
      receiver: { kind: "field", name: "c", base: { kind: "try", value: { kind: "call" } } },
    })
  })

  it("reads let chains, let else, match guards and ranges", () => {
    const { body } = bodyOf(
      "let Some(x) = y else { return };\nif let Some(a) = b && c { 1 } else { 2 };\nmatch x { E::A(1..=5) if y => 1, _ => 2 }",
    )
    expect(body.statements[0]).toMatchObject({ kind: "let", otherwise: { kind: "block" } })
    expect(body.statements[1]).toMatchObject({
      expression: { kind: "if", condition: { kind: "binary", operator: "&&", left: { kind: "let" } } },
    })
    expect(body.tail).toMatchObject({
      kind: "match",
      arms: [
        { pattern: { kind: "tupleStruct", elements: [{ kind: "range", inclusive: true }] }, guard: { kind: "path" } },
        {},
      ],
    })
  })

  it("splits literals into value and suffix", () => {
    expect(tailOf("1_000u64")).toMatchObject({ type: "integer", value: "1000", suffix: "u64" })
    expect(tailOf("0x1f32")).toMatchObject({ type: "integer", value: "0x1f32" })
    expect(tailOf('br#"a"b"#')).toMatchObject({ type: "bytes", value: 'a"b' })
  })
})

describe("macro arguments", () => {
  it.each([
    ["require!(a == b, E::X)", 2],
    ["require_keys_eq!(a.key(), b.owner, E::X)", 3],
    ['msg!("{}", x)', 2],
    ["vec![a, b, c]", 3],
    ["invoke!(ix, &[a, b])", 2],
    ["custom!{a, b}", 2],
    ["log!()", 0],
    ['format!("{x}", x = y) // end', 2],
    ["outer!(a, // why\n b // because\n)", 2],
  ])("reads %s", (code, count) => {
    const call = macroOf(code)
    expect(call.parsed).toBe(true)
    expect(call.args).toHaveLength(count)
  })

  it("gives arguments their own location in the file", () => {
    const text = "fn f() { require!(alpha.beta == 1, E::X) }"
    const [item] = parseRust(text).items
    const call = (item as FunctionItem).body?.tail as MacroCall // as written in the line above
    const [first] = call.args
    expect(text.slice(first?.start, first?.end)).toBe("alpha.beta == 1")
  })

  it("reads macros inside macros", () => {
    const call = macroOf("a!(b!(c!(d!(e))))")
    expect(call.args[0]).toMatchObject({
      name: "b",
      args: [{ name: "c", args: [{ name: "d", args: [{ kind: "path" }] }] }],
    })
  })

  it("reads the pattern and guard of matches!", () => {
    expect(macroOf("matches!(x.y, Some(E::A | E::B { .. }) if z)")).toMatchObject({
      args: [{ kind: "field" }],
      pattern: { kind: "tupleStruct", elements: [{ kind: "or" }] },
      guard: { kind: "path" },
    })
  })

  it("keeps tokens of another language as tokens", () => {
    const call = macroOf("select!{ a = b => c, }")
    expect(call.parsed).toBe(false)
    expect(call.args).toEqual([])
  })

  it("reads macros in item position", () => {
    const [item] = parseRust('declare_id!("abc");').items
    expect(item).toMatchObject({ kind: "macro", name: "declare_id", call: { args: [{ value: "abc" }] } })
  })
})

describe("what does not parse", () => {
  it("skips a broken function and continues after it", () => {
    const file = parseRust("fn a() { let x = ; }\nfn b() { y(]; }\nfn c() {}")
    expect(file.problems.length).toBeGreaterThan(0)
    expect(file.items.map((one) => one.name)).toContain("c")
  })

  it.each([
    ["parentheses", "(".repeat(10_000) + "1" + ")".repeat(10_000)],
    ["blocks", "{".repeat(10_000) + "}".repeat(10_000)],
    ["method calls", `a${".b()".repeat(10_000)}`],
    ["sums", `1${"+1".repeat(10_000)}`],
    ["references", `${"&".repeat(10_000)}x`],
  ])("cuts 10,000 levels of %s and says so", (_, code) => {
    const file = parseRust(`fn f() { let x = ${code}; }\nfn g() {}`)
    expect(file.problems.map((one) => one.message)).toContain("nested too deeply")
    expect(file.items.at(-1)?.name).toBe("g")
  })

  it.each([
    ["arguments", `#[${"a(".repeat(10_000)}${")".repeat(10_000)}]`],
    ["arguments in lists", `#[${"a(b, ".repeat(10_000)}${")".repeat(10_000)}]`],
    ["macros", `fn f() { ${"m!(".repeat(10_000)}${")".repeat(10_000)}; }`],
    ["modules", `${"mod a {".repeat(10_000)}${"}".repeat(10_000)}`],
  ])("parses 10,000 levels of %s a bounded number of times", (_, code) => {
    const before = cpuTime()
    const file = parseRust(`${code}\nfn f() {}\nfn g() {}`)
    const took = cpuTime() - before
    expect(file.problems.map((one) => one.message)).toContain("nested too deeply")
    expect(file.items.at(-1)?.name).toBe("g")
    // Between 0.1 and 0.5 s; 14 s where every level is parsed again.
    expect(took / 1_000).toBeLessThan(4)
  })

  it("distinguishes nesting from syntax errors in the coverage", () => {
    const parsed = sharedRustParser(({ text }) => parseRust(text))(
      sourceFile("a.rs", `fn f() {}\n#[${"a(".repeat(50)}${")".repeat(50)}]\nfn g() {}`),
    )
    expect(parsed.errors).toEqual([])
    expect(parsed.problems).toEqual(["nested too deeply near line 2"])
    expect(parsed.functions).toBe(2)
  })

  it("does not call it a syntax error that a file takes the parser too long", () => {
    const parsed = sharedRustParser(({ text }) => parseRust(text))(sourceFile("a.rs", "a: ".repeat(50_000)))
    expect(parsed.errors).toEqual([])
    expect(parsed.problems).toEqual([
      "takes the parser too long, as a function of tens of thousands of statements does",
    ])
  })

  it("gives up on text that takes the parser too long, and reads the next one", () => {
    const text = "a: ".repeat(50_000)
    expect(parseRust(text)).toMatchObject({
      items: [],
      problems: [{ start: 0, end: text.length, message: "takes the parser too long" }],
    })
    expect(parseRust("fn f() {}")).toMatchObject({ items: [{ name: "f" }], problems: [] })
  })

  it("gives up on text that makes the parser look ahead to its end again and again", () => {
    const before = cpuTime()
    expect(parseRust(`a = """${"b\n".repeat(300_000)}`).problems).toMatchObject([
      { message: "takes the parser too long" },
    ])
    // It takes 8 s or more in full, and is given up after 2.2.
    expect(cpuTime() - before).toBeLessThan(4_000)
  })

  it("reads a condition with thousands of parts in time proportional to their number", () => {
    const chained = (parts: number): string =>
      `fn f() { if let Some(a) = b ${"&& let Some(c) = a.d ".repeat(parts)} {} }`
    parseRust(chained(10))
    const before = cpuTime()
    expect(parseRust(chained(25_000)).items).toHaveLength(1)
    // Quadratic work takes 9 s.
    expect(cpuTime() - before).toBeLessThan(4_000)
  })

  it("reads large files, even with an error in every tenth function", () => {
    const functions = (missing: boolean): string =>
      Array.from(
        { length: 3_000 },
        (_, index) =>
          `pub fn f${index}(a: u64) -> Result<u64> { require!(a > ${index}, Failure); Ok(g(a${missing && index % 10 === 0 ? "" : ")"}) }\n`,
      ).join("")
    expect(parseRust(functions(false)).items).toHaveLength(3_000)
    expect(parseRust(functions(true)).items.length).toBeGreaterThan(2_600)
  })

  it("never throws, whatever the text", () => {
    const token = fc.constantFrom(
      "fn",
      "f",
      "(",
      ")",
      "{",
      "}",
      "#[",
      "]",
      "!",
      "m!(",
      "let",
      "=",
      "match",
      "=>",
      "'a",
      '"',
      "::",
      "<",
      ">",
      "|",
      ",",
      ";",
      "&",
      "?",
      ".",
      "..",
      "\n",
      "//",
      "/*",
      "\u0000",
      "\ud800",
      "é",
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(token, { maxLength: 60 }).map((all) => all.join(" ")),
        ),
        (text) => {
          const { items, problems } = parseRust(text)
          return Array.isArray(items) && problems.every(({ start, end }) => start >= 0 && end <= text.length)
        },
      ),
      { numRuns: 400 },
    )
  })
})
