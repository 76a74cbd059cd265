import { describe, expect, it } from "vitest"
import { type Ecosystem, ecosystems } from "../../../domain/analysis/Framework.ts"
import { missingFrameworkMessage } from "../../../domain/analysis/missingFramework.ts"
import { detectEcosystems } from "../../../domain/detection/detectEcosystems.ts"
import { sourceFile } from "../../../domain/detection/SourceFile.ts"
import { cpuTime } from "../../support/cpuTime.ts"

const detect = (files: Readonly<Record<string, string>>): ReadonlyArray<Ecosystem> => {
  const paths = Object.keys(files).toSorted()
  const found = detectEcosystems(paths, (path) => sourceFile(path, files[path]!))
  return ecosystems.filter((one) => found.has(one))
}

const crate = (dependencies: string): string => `[package]\nname = "case"\n\n[dependencies]\n${dependencies}\n`

describe("one framework", () => {
  it.each<[string, Record<string, string>, ReadonlyArray<Ecosystem>]>([
    ["a Solidity file", { "Vault.sol": "" }, ["evm"]],
    ["a Foundry project", { "foundry.toml": "", "src/Vault.sol": "", "lib/forge-std/src/Test.sol": "" }, ["evm"]],
    ["Anchor.toml", { "Anchor.toml": "", "programs/x/src/lib.rs": "" }, ["solana"]],
    ["anchor-lang", { "Cargo.toml": crate('anchor-lang = "0.30"'), "src/lib.rs": "" }, ["solana"]],
    ["solana-program", { "Cargo.toml": crate('solana-program = "2"'), "src/lib.rs": "" }, ["solana"]],
    ["pinocchio", { "Cargo.toml": crate("pinocchio.workspace = true"), "src/lib.rs": "" }, ["solana"]],
    ["cosmwasm-std", { "Cargo.toml": crate('cosmwasm-std = { version = "2" }'), "src/lib.rs": "" }, ["cosmwasm"]],
    [
      "a separate table",
      { "Cargo.toml": "[dependencies.cosmwasm-std]\nversion = '2'", "src/lib.rs": "" },
      ["cosmwasm"],
    ],
    ["a workspace", { "Cargo.toml": '[workspace.dependencies]\nanchor-lang = "1"', "p/src/lib.rs": "" }, ["solana"]],
    [
      "a target's table",
      { "Cargo.toml": "[target.'cfg(x)'.dependencies]\ncosmwasm-std = '1'", "src/a.rs": "" },
      ["cosmwasm"],
    ],
    ["a renamed crate", { "Cargo.toml": crate('sdk = { package = "anchor-lang" }'), "src/lib.rs": "" }, ["solana"]],
    [
      "a nested crate",
      { "README.sol.md": "", "a/b/Cargo.toml": crate('cosmwasm-std = "2"'), "a/b/src/lib.rs": "" },
      ["cosmwasm"],
    ],
  ])("by %s", (_, files, expected) => {
    expect(detect(files)).toEqual(expected)
  })
})

describe("Rust whose manifest does not identify it", () => {
  it.each<[string, string, ReadonlyArray<Ecosystem>]>([
    ["use anchor_lang", "use anchor_lang::prelude::*;", ["solana"]],
    ["use solana_program", "use {\n    solana_program::account_info::AccountInfo,\n};", ["solana"]],
    ["use cosmwasm_std", "use cosmwasm_std::{DepsMut, Env};", ["cosmwasm"]],
    ["a qualified path", "fn f(a: &pinocchio::account_info::AccountInfo) {}", ["solana"]],
    ["an attribute", "#[program]\nmod vault {}", ["solana"]],
    ["an entry point", '#[cfg_attr(not(feature = "library"), entry_point)]\npub fn execute() {}', ["cosmwasm"]],
    ["a comment only", "// use anchor_lang::prelude::*;\nfn main() {}", []],
    ["plain Rust", "use std::fs;\nfn main() {}", []],
    ["a client", "use solana_client::rpc_client::RpcClient;", []],
  ])("%s", (_, text, expected) => {
    expect(detect({ "case/lib.rs": text })).toEqual(expected)
    expect(detect({ "case/Cargo.toml": "[package]\nname = 'case'", "case/src/lib.rs": text })).toEqual(expected)
  })

  it("is examined next to crates whose manifests identify them", () => {
    const files = {
      "case0/Cargo.toml": crate('anchor-lang = "0.30"'),
      "case0/src/lib.rs": "use anchor_lang::prelude::*;",
      "case1/lib.rs": "use cosmwasm_std::DepsMut;",
    }
    expect(detect(files)).toEqual(["solana", "cosmwasm"])
  })
})

describe("several and none", () => {
  it("finds all, in one order", () => {
    const files = {
      "z/Cargo.toml": crate('cosmwasm-std = "2"'),
      "z/src/lib.rs": "",
      "evm/Vault.sol": "",
      "a/Anchor.toml": "",
      "a/programs/x/src/lib.rs": "",
    }
    expect(detect(files)).toEqual(["evm", "solana", "cosmwasm"])
  })

  it.each<[string, Record<string, string>]>([
    ["nothing", {}],
    [
      "a configuration without sources",
      { "foundry.toml": "", "Anchor.toml": "", "Cargo.toml": crate('anchor-lang = "1"') },
    ],
    ["an ordinary crate", { "Cargo.toml": crate('serde = "1"'), "src/main.rs": "fn main() {}" }],
    ["a client of a chain", { "Cargo.toml": crate('solana-client = "2"\nanchor-client = "1"'), "src/main.rs": "" }],
    ["a crate for tests", { "Cargo.toml": '[dev-dependencies]\nanchor-lang = "1"', "src/main.rs": "" }],
  ])("finds none in %s", (_, files) => {
    expect(detect(files)).toEqual([])
  })

  it("is not misled by tests and dependencies next to the project's own sources", () => {
    const files = {
      "Cargo.toml": crate('cosmwasm-std = "2"'),
      "src/lib.rs": "",
      "tests/Mock.sol": "",
      "node_modules/@a/b/C.sol": "",
      "node_modules/anchor/Anchor.toml": "",
    }
    expect(detect(files)).toEqual(["cosmwasm"])
  })

  it("relies on tests if there is nothing else", () => {
    expect(detect({ "test/Attack.t.sol": "" })).toEqual(["evm"])
    expect(detect({ "node_modules/a/A.sol": "" })).toEqual(["evm"])
  })

  it("says what was looked for", () => {
    expect(missingFrameworkMessage("auto", [])).toMatch(
      /^No smart contracts found\. Looked for .*\.sol.*Anchor\.toml.*cosmwasm-std/,
    )
    expect(missingFrameworkMessage("solana", [])).toMatch(/Looked for solana: Anchor\.toml/)
    expect(missingFrameworkMessage("solana", ["evm"])).toMatch(
      /^No solana contracts found, but evm ones: .*set it to evm/,
    )
  })

  it("reads a bounded number of files", () => {
    const paths = Array.from({ length: 10_000 }, (_, n) => [`c${n}/Cargo.toml`, `c${n}/src/lib.rs`]).flat()
    let read = 0
    detectEcosystems(paths, () => void read++)
    expect(read).toBeLessThanOrEqual(700)
  })
})

describe("hostile text", () => {
  it.each<[string, Readonly<Record<string, string>>, ReadonlyArray<Ecosystem>]>([
    ["a header of blanks", { "Cargo.toml": `[package]\nname='x'\n[${" ".repeat(200_000)}x` }, []],
    ["derives without an end", { "lib.rs": "#[derive(".repeat(30_000) }, []],
    ["derives of which the last ends", { "lib.rs": `${"#[derive(".repeat(30_000)}Accounts)]` }, ["solana"]],
    ["attributes without an end", { "lib.rs": "#[cfg_attr(".repeat(30_000) }, []],
  ])("of %s is read in linear time", (_, files, expected) => {
    const before = cpuTime()
    expect(detect({ "src/lib.rs": "", ...files })).toEqual(expected)
    const took = cpuTime() - before
    expect(took / 1_000).toBeLessThan(3)
  })
})
