import { describe, expect, it } from "vitest"
import { buildCosmWasmProgram } from "../../../../domain/detection/cosmwasm/buildCosmWasm.ts"
import { unsavedState } from "../../../../domain/detection/cosmwasm/rules/state-management/unsaved-state.ts"
import { keyCollision } from "../../../../domain/detection/cosmwasm/rules/storage/key-collision.ts"
import { unvalidatedAddress } from "../../../../domain/detection/cosmwasm/rules/input-validation/unvalidated-address.ts"
import { cosmwasmProgram, rustProject } from "../../../support/rustProject.ts"

const manifest = (name: string, more = "") =>
  `[package]\nname = "${name}"\n[lib]\ncrate-type = ["cdylib", "rlib"]\n[dependencies]\n${more}`
const contract = (uses: string) => `use cosmwasm_std::*; use base::{a, b};
#[entry_point] pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, _msg: Empty) -> StdResult<Response> { ${uses} Ok(Response::new()) }`

const collisions = (one: string, two: string): number => {
  const container = `use cw_storage_plus::Item;\npub const CONFIG: Item<u64> = Item::new("config");`
  const program = buildCosmWasmProgram(
    rustProject({
      "base/Cargo.toml": `[package]\nname = "base"\n`,
      "base/src/lib.rs": "pub mod a; pub mod b;",
      "base/src/a.rs": container,
      "base/src/b.rs": container,
      "one/Cargo.toml": manifest("one", `base = { path = "../base" }\n`),
      "one/src/lib.rs": contract(one),
      "two/Cargo.toml": manifest("two", `base = { path = "../base" }\n`),
      "two/src/lib.rs": contract(two),
    }),
  )
  let found = 0
  keyCollision.check(program, () => found++)
  return found
}

describe("library containers with the same key", () => {
  it("do not collide if no contract uses both", () => {
    expect(collisions("a::CONFIG.save(deps.storage, &1)?;", "b::CONFIG.save(deps.storage, &1)?;")).toBe(0)
  })
  it("overwrite each other if one does", () => {
    const both = "a::CONFIG.save(deps.storage, &1)?; b::CONFIG.save(deps.storage, &2)?;"
    expect(collisions(both, "b::CONFIG.save(deps.storage, &1)?;")).toBe(1)
  })
})

const unfilled = (uses: string): ReadonlyArray<string | undefined> => {
  const program = buildCosmWasmProgram(
    rustProject({
      "base/Cargo.toml": `[package]\nname = "base"\n`,
      "base/src/lib.rs": `use cw_storage_plus::Item;\npub const FAILED: Item<u64> = Item::new("failed");`,
      "one/Cargo.toml": manifest("one", `base = { path = "../base" }\n`),
      "one/src/lib.rs": `use cosmwasm_std::*; use base::FAILED;
#[entry_point] pub fn instantiate(deps: DepsMut, _env: Env, _info: MessageInfo, _msg: Empty) -> StdResult<Response> { Ok(Response::new()) }
#[entry_point] pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, _msg: Empty) -> StdResult<Response> { ${uses} Ok(Response::new()) }`,
    }),
  )
  const found: Array<string | undefined> = []
  unsavedState.check(program, ({ message }) => found.push(message))
  return found
}

describe("an item that a package declares", () => {
  it("is looked for in vain if no contract saves it", () => {
    const looked = "if FAILED.may_load(deps.storage)?.is_some() { return Ok(Response::default()); }"
    expect(unfilled(looked)).toEqual(["No message ever writes to `FAILED`, so lookups never find anything."])
    expect(unfilled(`${looked} FAILED.save(deps.storage, &1)?;`)).toEqual([])
  })
})

const unvalidated = (body: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  unvalidatedAddress.check(
    cosmwasmProgram(`pub enum ExecuteMsg { Take { token: String } }
pub struct Pair { pub contract_addr: String }
pub const BALANCES: Map<Addr, Uint128> = Map::new("balances");
pub const LAST: Item<Addr> = Item::new("last");
#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg { ExecuteMsg::Take { token } => { ${body} Ok(Response::new()) } }
}`),
    ({ severity }) => found.push(severity ?? unvalidatedAddress.meta.severity),
  )
  return found
}

describe("Addr::unchecked", () => {
  it.each([
    ["of the message", "LAST.save(deps.storage, &Addr::unchecked(token))?;", ["low"]],
    [
      "of another contract's response",
      `let pair: Pair = deps.querier.query_wasm_smart("factory", &token)?; LAST.save(deps.storage, &Addr::unchecked(pair.contract_addr))?;`,
      ["low"],
    ],
    [
      "of the key of an existing entry",
      "let _b = BALANCES.load(deps.storage, Addr::unchecked(token))?;",
      ["informational"],
    ],
    [
      "of the key of an entry that may be missing",
      "let _b = BALANCES.may_load(deps.storage, Addr::unchecked(token))?;",
      ["low"],
    ],
  ])("%s", (_, body, expected) => {
    expect(unvalidated(body)).toEqual(expected)
  })
})
