import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { ecosystemsOf } from "../../../../domain/detection/rust/crate/ecosystem.ts"
import { readToml, tableAt } from "../../../../domain/detection/toml.ts"
import { rustProject } from "../../../support/rustProject.ts"

const cargo = (name: string, rest = ""): string => `[package]\nname = "${name}"\nversion = "0.1.0"\n${rest}`

/** What a path refers to in a module, as a name. */
const meaning = (files: Record<string, string>, module: string, path: string): string => {
  const project = rustProject(files)
  const found = project.crates.flatMap((crate) => crate.modules).find((one) => one.path === module)
  if (found === undefined) throw new Error(`no module ${module}`)
  const resolved = project.resolver.resolve(found, path.split("::"))
  if (resolved.kind === "external") return `external ${resolved.path.join("::")}`
  const { definition } = resolved
  return `${definition.kind} ${definition.module.path}::${definition.name}`
}

describe("Cargo.toml", () => {
  it("reads tables, inline tables, lists, strings and comments", () => {
    const toml = readToml(
      'a = 1 # x\n[b.c]\nd = { e = "f#", g = [1, 2,\n 3] }\nh.i = true\n[[j]]\nk = \'l\'\n[[j]]\nk = """m\nn"""\n',
    )
    expect(toml).toMatchObject({
      a: 1,
      b: { c: { d: { e: "f#", g: [1, 2, 3] }, h: { i: true } } },
      j: [{ k: "l" }, { k: "m\nn" }],
    })
    expect(tableAt(toml, "b", "c", "h")).toMatchObject({ i: true })
  })

  it("terminates for any text", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", "=", "[", "]", "{", "}", ",", '"', "'", ".", "\n", " ", "\\", "#") }),
        (text) => {
          readToml(text)
        },
      ),
    )
  })

  it("returns dependencies with version, kind and renamed package", () => {
    const { manifests } = rustProject({
      "a/Cargo.toml": cargo(
        "my-crate",
        '[dependencies]\nx = "1"\ny = { package = "z", version = "2", features = ["f"] }\n[dev-dependencies]\nt = "3"\n[profile.release]\noverflow-checks = true\n',
      ),
      "a/src/lib.rs": "",
    })
    expect(
      manifests[0]?.dependencies.map(({ name, package: own, version, kind }) => [name, own, version, kind]),
    ).toEqual([
      ["x", "x", "1", "normal"],
      ["y", "z", "2", "normal"],
      ["t", "t", "3", "dev"],
    ])
    expect(manifests[0]?.overflowChecks).toBe(true)
  })

  it("finds crates where the nearest workspace says that they are", () => {
    const shared = (folder: string) =>
      `[workspace]\nmembers = ["*"]\n[workspace.dependencies.common]\npackage = "own-common"\npath = "${folder}"\nfeatures = ["f"]\n`
    const files = {
      "Cargo.toml": shared("elsewhere"),
      "inner/Cargo.toml": shared("modules/common"),
      "inner/modules/common/Cargo.toml": cargo("own-common"),
      "inner/modules/common/src/lib.rs": "pub fn check() {}",
      "inner/app/Cargo.toml": cargo("app", "[dependencies]\ncommon = { workspace = true, features = ['g'] }\n"),
      "inner/app/src/lib.rs": "use common::check;",
    }
    const { crates, resolver, manifests } = rustProject(files)
    const app = crates.find(({ name }) => name === "app")!
    const found = resolver.resolve(app.modules[0]!, ["check"])
    expect(found.kind === "definition" && found.definition.module.crate.name).toBe("own_common")
    expect(manifests.find(({ name }) => name === "app")?.dependencies).toMatchObject([
      { name: "common", package: "own-common", path: "inner/modules/common", kind: "normal", features: ["f", "g"] },
    ])
  })
})

describe("modules", () => {
  const files = {
    "Cargo.toml": cargo("demo"),
    "src/lib.rs":
      'mod a;\nmod inline { pub mod deep { pub fn f() {} } }\n#[path = "other.rs"] mod c;\n#[cfg(test)] mod tests;\npub use a::b::Thing as Renamed;',
    "src/a.rs": "pub mod b;\npub fn g() {}",
    "src/a/b.rs":
      "use super::g;\npub struct Thing;\npub enum Kind { One }\nuse Kind::*;\nimpl Thing { pub const MAX: u8 = 1; pub fn new() {} }",
    "src/other.rs": "use crate::Renamed;\nuse crate::a::b::*;",
    "src/tests.rs": "mod more;\nfn t() {}",
    "src/tests/more.rs": "fn u() {}",
  }
  it("follows mod declarations, inline modules and #[path]", () => {
    const project = rustProject(files)
    expect(project.crates[0]?.modules.map((one) => one.path).toSorted()).toEqual([
      "",
      "a",
      "a::b",
      "c",
      "inline",
      "inline::deep",
    ])
  })
  it.each([
    ["a::b", "g", "function a::g"],
    ["c", "Renamed", "struct a::b::Thing"],
    ["c", "Thing::new", "function a::b::new"],
    ["c", "Kind::One", "variant a::b::One"],
    ["a::b", "One", "variant a::b::One"],
    ["", "inline::deep::f", "function inline::deep::f"],
    ["a::b", "crate::a::g", "function a::g"],
    ["a::b", "super::super::Renamed", "struct a::b::Thing"],
    ["c", "Thing::MAX", "const a::b::MAX"],
    ["", "std::mem::swap", "external std::mem::swap"],
  ])("in %s, %s is %s", (module, path, expected) => {
    expect(meaning(files, module, path)).toBe(expected)
  })

  it("sees imports of a parent through super::*", () => {
    const text = { "lib.rs": "use anchor_spl::token::{self, Token as T};\nmod inner { use super::*; }" }
    expect(meaning(text, "inner", "token::transfer")).toBe("external anchor_spl::token::transfer")
    expect(meaning(text, "inner", "T")).toBe("external anchor_spl::token::Token")
  })

  it("resolves names of other crates of the workspace", () => {
    const workspace = {
      "a/Cargo.toml": cargo("lib-a"),
      "a/src/lib.rs": "pub mod m { pub fn f() {} }",
      "b/Cargo.toml": cargo("b"),
      "b/src/lib.rs": "pub mod user { use lib_a::m; }",
    }
    expect(meaning(workspace, "user", "m::f")).toBe("function m::f")
  })

  it("terminates for cyclic imports and globs", () => {
    const text = {
      "lib.rs":
        "mod a { pub use super::b::*; pub use super::b::x; use q::*; use r::*; use s::*; }\nmod b { pub use super::a::*; pub use super::a::x; }",
    }
    expect(meaning(text, "a", "x")).toMatch(/^external/)
    expect(meaning(text, "a", "y::z")).toBe("external y::z")
  })

  it("finds what a module reexports although a sibling imports it from there", () => {
    const files = {
      "src/lib.rs": "mod util;",
      "src/util/mod.rs": "mod first; mod second; pub use first::*; pub use second::*;",
      "src/util/first.rs": "use super::helper; pub fn caller() { helper() }",
      "src/util/second.rs": "pub fn helper() {}",
    }
    expect(meaning(files, "util::first", "helper")).toBe("function util::second::helper")
    expect(meaning(files, "util", "helper")).toBe("function util::second::helper")
  })

  describe("keeps types and values apart", () => {
    const files = {
      "app/Cargo.toml": cargo(
        "p",
        '[dependencies]\nshared = { package = "shared-code", path = "../shared" }\nmath-lib = { path = "../math" }\n',
      ),
      "app/src/lib.rs":
        "mod stake; mod instructions; mod execute; mod two;\nuse instructions::*;\nuse two::one; use two::inner::one as _;\n" +
        "pub fn stake() { stake::handler() }\npub fn execute() { execute::foo() }\n" +
        "pub fn local() { use two::inner::deep; fn hidden() {} hidden() }",
      "app/src/stake.rs": "pub fn handler() {}",
      "app/src/execute.rs": "pub fn foo() {} pub struct One; impl Run for One {} pub trait Run { fn run(&self) {} }",
      "app/src/instructions/mod.rs": "pub mod unstake; pub use unstake::*;",
      "app/src/instructions/unstake.rs": "pub fn unstake() { self::super::unstake::other() } pub fn other() {}",
      "app/src/two.rs":
        "pub mod one { pub fn a() {} } pub fn one() {} pub mod inner { pub fn deep() {} pub fn one() {} }",
      "shared/Cargo.toml": cargo("shared-code"),
      "shared/src/lib.rs": "pub fn s() {}",
      "math/Cargo.toml": cargo("math-lib", '[lib]\nname = "maths"\n'),
      "math/src/lib.rs": "pub fn m() {}",
    }
    it.each([
      ["", "stake::handler", "function stake::handler"],
      ["", "execute::foo", "function execute::foo"],
      ["", "stake", "function ::stake"],
      ["", "one::a", "function two::one::a"],
      ["", "one", "function two::one"],
      ["", "unstake::other", "function instructions::unstake::other"],
      ["", "unstake", "function instructions::unstake::unstake"],
      ["instructions::unstake", "self::super::unstake::other", "function instructions::unstake::other"],
      ["", "shared::s", "function ::s"],
      ["", "maths::m", "function ::m"],
      ["", "::maths::m", "function ::m"],
      ["", "execute::One::run", "function execute::run"],
    ])("in %s, %s is %s", (module, path, expected) => {
      expect(meaning(files, module, path)).toBe(expected)
    })

    it("even inside a function with its own declarations", () => {
      const { crates, resolver } = rustProject(files)
      const [local] = crates.flatMap(({ functions }) => functions.filter(({ name }) => name === "local"))
      const resolved = resolver.resolve(local!.module, ["deep"])
      expect(resolved.kind === "definition" && resolved.definition.module.path).toBe("two::inner")
      expect(resolver.resolve(local!.module, ["hidden"]).kind).toBe("definition")
      expect(resolver.resolve(local!.module, ["self", "stake", "handler"]).kind).toBe("definition")
    })
  })

  it("does not see a module's private imports through a glob of another", () => {
    const files = {
      "src/lib.rs": "mod handlers; mod state; use handlers::*; use state::*; pub use handlers::Config;",
      "src/handlers/mod.rs": "mod first; mod second; pub use first::*; pub use second::*;",
      "src/handlers/first.rs": "use crate::state::*; pub struct First;",
      "src/handlers/second.rs": "use crate::state::*; pub struct Config;",
      "src/state.rs": "pub struct Config;",
    }
    expect(meaning(files, "", "Config")).toBe("struct handlers::second::Config")
    expect(meaning(files, "handlers::first", "Config")).toBe("struct state::Config")
  })

  it("finds names behind any number of globs", () => {
    const files: Record<string, string> = { "src/lib.rs": "" }
    for (let index = 0; index < 60; index++) {
      files["src/lib.rs"] += `pub mod m${index};`
      files[`src/m${index}.rs`] = index === 59 ? "pub fn last() {}" : `pub use crate::m${index + 1}::*;`
    }
    expect(meaning(files, "m0", "last")).toBe("function m59::last")
  })

  it("finds what is implemented for an alias, even if another alias of the type has a method of that name", () => {
    const project = rustProject({
      "src/lib.rs":
        "struct Queue<H>(H);\ntype Bids = Queue<u8>;\ntype Asks = Queue<u16>;\ntype Odd = (u8, u8);\n" +
        "impl Bids { fn open() {} fn first() {} }\nimpl Asks { fn open() {} }\nimpl Clone for Asks { fn first() {} }\nimpl Odd { fn open() {} }",
    })
    const [module] = project.crates[0]!.modules
    const found = [
      ["Bids", "open"],
      ["Asks", "open"],
      ["Asks", "first"],
      ["Odd", "open"],
    ].map((path) => {
      const one = project.resolver.resolve(module!, path, "value")
      return one.kind === "definition" && one.definition.kind === "function" ? one.definition.item.start : undefined
    })
    const text = project.crates[0]!.functions.map(({ item }) => item.start)
    expect(found).toEqual([text[0], text[2], text[1], undefined])
  })

  it("includes a file that declares itself by #[path] once", () => {
    const project = rustProject({ "src/lib.rs": '#[path = "lib.rs"] mod again;\nfn f() {}' })
    expect(project.crates.flatMap((crate) => crate.functions.map((one) => one.name))).toEqual(["f"])
  })
})

describe("ecosystem", () => {
  it.each([
    [{ "Cargo.toml": cargo("a", '[dependencies]\nanchor-lang = "0.30"'), "src/lib.rs": "" }, true, false],
    [{ "Cargo.toml": cargo("a", '[dependencies]\ncosmwasm-std = "2"'), "src/lib.rs": "" }, false, true],
    [
      {
        "Cargo.toml": cargo("a", '[dependencies]\nserde = "1"\n[dev-dependencies]\nsolana-program = "1"'),
        "src/lib.rs": "",
      },
      false,
      false,
    ],
    [{ "x.rs": "use solana_program::pubkey::Pubkey;" }, true, false],
    [{ "x.rs": "#[derive(Accounts)] struct A;" }, true, false],
    [{ "x.rs": "#[entry_point] pub fn execute() {}" }, false, true],
    [{ "x.rs": "fn main() {}" }, false, false],
  ])("is told by dependencies or code: %o", (files, solana, cosmwasm) => {
    const [crate] = rustProject(files as Record<string, string>).crates // each row holds paths and texts
    expect(ecosystemsOf(crate!)).toEqual({ solana, cosmwasm })
  })
})
