import { describe, expect, it } from "vitest"
import { buildCosmWasmProgram } from "../../../../domain/detection/cosmwasm/buildCosmWasm.ts"
import { uncheckedArithmetic } from "../../../../domain/detection/cosmwasm/rules/arithmetic/unchecked-arithmetic.ts"
import { rustProject } from "../../../support/rustProject.ts"

const manifest = (name: string, rest = "") =>
  `[package]\nname = "${name}"\nversion = "0.1.0"\n\n[dependencies]\ncosmwasm-std = "2.1.0"\n\n${rest}`
const contract = (arithmetic: string) => `use cosmwasm_std::*;
use cw_storage_plus::Item;
pub const TOTAL: Item<u128> = Item::new("total");
pub enum ExecuteMsg { Take { amount: u128 } }
#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let ExecuteMsg::Take { amount } = msg;
    let total = TOTAL.load(deps.storage)?;
    TOTAL.save(deps.storage, &(${arithmetic}))?;
    Ok(Response::new())
}
`
const plain = contract("total - amount")

/** Severities of the findings, where lowered. */
const severities = (files: Record<string, string>): ReadonlyArray<string | undefined> => {
  const found: Array<string | undefined> = []
  uncheckedArithmetic.check(buildCosmWasmProgram(rustProject(files)), ({ severity }) => found.push(severity))
  return found
}

/** Paths of the files with a finding. */
const flagged = (files: Record<string, string>): ReadonlyArray<string> => {
  const found: Array<string> = []
  uncheckedArithmetic.check(buildCosmWasmProgram(rustProject(files)), ({ file }) => found.push(file.path))
  return found
}

describe("raw arithmetic and the release profile", () => {
  const path = "contracts/vault/src/lib.rs"
  const vault = manifest("vault")
  const workspace = (checks: string) => `[workspace]\nmembers = ["contracts/*"]\n\n[profile.release]\n${checks}\n`

  it("is reported if no manifest says anything, since release builds wrap", () => {
    expect(flagged({ [path]: plain, "contracts/vault/Cargo.toml": vault })).toEqual([path])
  })

  it("is not reported if the crate's own manifest enables overflow checks", () => {
    const own = manifest("vault", "[profile.release]\noverflow-checks = true\n")
    expect(flagged({ [path]: plain, "contracts/vault/Cargo.toml": own })).toEqual([])
  })

  it("is not reported if the workspace enables them", () => {
    const root = workspace("opt-level = 3\noverflow-checks = true")
    expect(flagged({ [path]: plain, "contracts/vault/Cargo.toml": vault, "Cargo.toml": root })).toEqual([])
  })

  it("is reported if only a member of the workspace enables them, which Cargo ignores", () => {
    const own = manifest("vault", "[profile.release]\noverflow-checks = true\n")
    const files = { [path]: plain, "contracts/vault/Cargo.toml": own, "Cargo.toml": workspace("opt-level = 3") }
    expect(flagged(files)).toEqual([path])
  })

  it("is a hint if it is up to a workspace outside the project", () => {
    const own = vault.replace('cosmwasm-std = "2.1.0"', "cosmwasm-std = { workspace = true }")
    expect(severities({ [path]: plain, "contracts/vault/Cargo.toml": own })).toEqual(["low"])
    expect(severities({ [path]: plain, "contracts/vault/Cargo.toml": vault })).toEqual([undefined])
    const root = workspace("opt-level = 3")
    expect(severities({ [path]: plain, "contracts/vault/Cargo.toml": own, "Cargo.toml": root })).toEqual([undefined])
  })

  it("is not reported if a crate that is not a member enables them", () => {
    const own = manifest("vault", "[profile.release]\noverflow-checks = true\n")
    const root = workspace("opt-level = 3").replace("contracts/*", "packages/*")
    expect(flagged({ [path]: plain, "contracts/vault/Cargo.toml": own, "Cargo.toml": root })).toEqual([])
  })

  it("is reported if the workspace disables them", () => {
    const root = workspace("overflow-checks = false")
    expect(flagged({ [path]: plain, "contracts/vault/Cargo.toml": vault, "Cargo.toml": root })).toEqual([path])
  })

  it("is reported if only another profile enables them", () => {
    const own = manifest("vault", "[profile.dev]\noverflow-checks = true\n")
    expect(flagged({ [path]: plain, "contracts/vault/Cargo.toml": own })).toEqual([path])
  })

  it("is reported if only a neighbor enables them", () => {
    const files = {
      [path]: plain,
      "contracts/vault/Cargo.toml": vault,
      "contracts/vault-two/src/lib.rs": plain,
      "contracts/vault-two/Cargo.toml": manifest("vault-two", "[profile.release]\noverflow-checks = true\n"),
    }
    expect(flagged(files)).toEqual([path])
  })

  it("is reported whatever the profile says if the method wraps by name", () => {
    const own = manifest("vault", "[profile.release]\noverflow-checks = true\n")
    const wrapping = contract("total.wrapping_sub(amount)")
    expect(flagged({ [path]: wrapping, "contracts/vault/Cargo.toml": own })).toEqual([path])
  })
})
