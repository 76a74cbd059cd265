import { describe, expect, it } from "vitest"
import { rustProject } from "../../../support/rustProject.ts"

const manifest = (features: string, more = "") =>
  `[package]\nname = "vault"\nversion = "0.1.0"\n[lib]\ncrate-type = ["cdylib", "lib"]\n[features]\n${features}\n${more}`

/** The functions and modules of a program, and the text of their bodies. */
const built = (files: Record<string, string>) => {
  const crate = rustProject(files).crates.find(({ name }) => name === "vault")
  return {
    functions: crate!.functions.map(({ name }) => name),
    item: (name: string) => crate!.functions.find((one) => one.name === name)!.item,
    body: (name: string) => {
      const { module, item } = crate!.functions.find((one) => one.name === name)!
      const of = ({ start, end }: { readonly start: number; readonly end: number }) =>
        module.file.text.slice(start, end)
      const block = item.body!
      return {
        block,
        nodes: block.statements,
        statements: block.statements.map(of),
        tail: block.tail && of(block.tail),
      }
    },
  }
}

const library = (text: string, features = "", more = "") =>
  built({ "Cargo.toml": manifest(features, more), "src/lib.rs": text })

describe("what an on-chain build leaves out", () => {
  it.each([
    ['feature = "mainnet"', 'default = ["mainnet"]\nmainnet = []', true],
    ['feature = "mainnet"', 'default = ["live"]\nlive = ["mainnet"]\nmainnet = []', true],
    ['not(feature = "mainnet")', 'default = ["mainnet"]\nmainnet = []', false],
    ['feature = "test-clock"', "test-clock = []", false],
    ['not(feature = "test-clock")', "test-clock = []", true],
    ['feature = "devnet"', 'default = ["devnet"]\ndevnet = []', true],
    // What may be passed on the command line for the deployed program is included.
    ['feature = "mainnet"', "mainnet = []", true],
    ['not(feature = "mainnet")', "mainnet = []", true],
    ['feature = "undeclared"', "", false],
    ["debug_assertions", "", false],
    ['all(feature = "mainnet", not(test))', 'default = ["mainnet"]\nmainnet = []', true],
    ['all(feature = "mainnet", feature = "mock-oracle")', "mainnet = []\nmock-oracle = []", false],
    ['any(feature = "mainnet", feature = "mock-oracle")', 'default = ["mainnet"]\nmainnet = []', true],
    ['target_os = "solana"', "", true],
    ['not(target_os = "solana")', "", false],
    ['any(target_arch = "bpf", target_arch = "x86_64")', "", true],
    ['target_arch = "wasm32"', "", true],
    ["unix", "", true],
    ["not(a, b)", "", true],
  ])("cfg(%s) with %s: %s", (predicate, features, isThere) => {
    const { functions } = library(`#[cfg(${predicate})]\nfn one() {}\nfn two() {}`, features)
    expect(functions).toEqual(isThere ? ["one", "two"] : ["two"])
  })

  it.each([
    ['cfg_attr(not(feature = "testing"), a::first(x = 1), second)', ["first", "second"]],
    ['cfg_attr(feature = "testing", first)', ["cfg_attr"]],
    ["cfg_attr(unknown, first)", ["first"]],
    ["cfg_attr()", ["cfg_attr"]],
  ])("attributes of %s: %s", (attribute, names) => {
    const text = `#[${attribute}]\nfn one() {}`
    const crate = rustProject({ "Cargo.toml": manifest("testing = []"), "src/lib.rs": text }).crates[0]!
    expect(crate.functions[0]!.item.attributes.map(({ name }) => name)).toEqual(names)
  })

  it("includes what another package of the workspace enables, except for its tests", () => {
    const files = {
      "vault/Cargo.toml": manifest("fees = []\nmock = []"),
      "vault/src/lib.rs": '#[cfg(not(feature = "fees"))] fn a() {}\n#[cfg(feature = "mock")] fn b() {}\nfn c() {}',
      "app/Cargo.toml":
        '[package]\nname = "app"\n[features]\ndefault = ["v/fees"]\n[dependencies]\nv = { path = "../vault", package = "vault", features = ["mock"] }',
      "app/src/lib.rs": "fn d() {}",
    }
    expect(built(files).functions).toEqual(["c"])
  })

  it("terminates if features enable each other", () => {
    const { functions } = library(
      '#[cfg(feature = "b")] fn one() {}',
      'default = ["a"]\na = ["b"]\nb = ["a", "dep:x", "y?/z"]',
    )
    expect(functions).toEqual(["one"])
  })

  it("leaves out methods, arms, statements and modules in other files", () => {
    const { functions, body } = built({
      "Cargo.toml": manifest("testing = []"),
      "src/lib.rs": `
        #[cfg(feature = "testing")] mod clock;
        struct S;
        impl S { #[cfg(feature = "testing")] fn gone(&self) {} fn kept(&self) {} }
        fn set(kind: u8) -> u8 {
            #[cfg(feature = "testing")] let kind = 0;
            match kind { #[cfg(feature = "testing")] 9 => fake(), _ => real() };
            kind
        }`,
      "src/clock.rs": "fn jump() {}",
    })
    expect(functions).toEqual(["kept", "set"])
    const [match] = body("set").nodes
    expect(match).toMatchObject({ expression: { kind: "match", arms: [{ pattern: { kind: "wildcard" } }] } })
    expect(body("set")).toMatchObject({ statements: [expect.any(String)], tail: "kind" })
  })

  it.each([
    ['feature = "testing"', "false"],
    ['not(feature = "testing")', "true"],
    ["debug_assertions", "false"],
    ['all(feature = "open", feature = "testing")', "false"],
  ])("decides cfg!(%s): %s", (predicate, value) => {
    const { tail } = library(`fn f() -> bool { cfg!(${predicate}) }`, "testing = []\nopen = []").body("f").block
    expect(tail).toMatchObject({ kind: "literal", type: "boolean", value })
  })

  it("leaves cfg! alone if the repository does not decide it", () => {
    const { tail } = library('fn f() -> bool { cfg!(feature = "open") }', "open = []").body("f").block
    expect(tail).toMatchObject({ kind: "macro", name: "cfg" })
  })

  it.each([
    ['#[cfg(not(feature = "testing"))] { real() }\n#[cfg(feature = "testing")] { fake() }', "{ real() }"],
    ['#[cfg(feature = "testing")] { fake() }\n#[cfg(not(feature = "testing"))] { real() }', "{ real() }"],
    ['#[cfg(feature = "testing")] return fake();\nreal()', "real()"],
    ["#[cfg(unix)] { one() }\n#[cfg(not(unix))] { other() }", "{ other() }"],
  ])("the block's value is what remains: %s", (text, tail) => {
    expect(library(`fn f() -> u8 {\n${text}\n}`, "testing = []").body("f").tail).toBe(tail)
  })

  it.each([
    ['#[cfg (feature = "testing")]\nfn one() {}\nfn two() {}', ["two"]],
    ["#[cfg(test)]\nfn one() {}\nfn two() {}", ["two"]],
    ["#![cfg(test)]\nfn one() {}", []],
  ])("knows what is conditional in %j", (text, functions) => {
    expect(library(text, "testing = []").functions).toEqual(functions)
  })

  it.each([
    ['not(feature = "testing")', "account(has_one = owner @ E::No), x::entry_point", ["account", "entry_point"]],
    // What may be passed on the command line is included.
    ['feature = "open"', "account(mut)", ["account"]],
    ['feature = "testing"', "account(mut)", ["cfg_attr"]],
    ["test", "account(mut)", ["cfg_attr"]],
  ])("cfg_attr(%s, %s) stands for %j", (predicate, attributes, names) => {
    const text = `#[cfg_attr(${predicate}, ${attributes})] fn one() {}`
    const { attributes: found } = library(text, "testing = []\nopen = []").item("one")
    expect(found.map(({ name }) => name)).toEqual(names)
    if (names[1] === "entry_point")
      expect(found).toMatchObject([{ args: [{ name: "has_one" }] }, { path: ["x", "entry_point"] }])
  })

  it("leaves out a file whose inner attribute says so", () => {
    const { functions } = built({
      "Cargo.toml": manifest("testing = []"),
      "src/lib.rs": "mod fake;\nfn one() {}",
      "src/fake.rs": '#![cfg(feature = "testing")]\nfn two() {}',
    })
    expect(functions).toEqual(["one"])
  })
})
