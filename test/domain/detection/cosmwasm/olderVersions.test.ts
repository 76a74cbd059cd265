import { describe, expect, it } from "vitest"
import { buildCosmWasmProgram } from "../../../../domain/detection/cosmwasm/buildCosmWasm.ts"
import { isAuthorized } from "../../../../domain/detection/cosmwasm/authority/authority.ts"
import { uninitializedItem } from "../../../../domain/detection/cosmwasm/rules/initialization/uninitialised-item.ts"
import { show } from "../../../../domain/detection/rust/terms/show.ts"
import { cosmwasmProgram, handlerOf, rustProject } from "../../../support/rustProject.ts"

const contract = (check: string) =>
  cosmwasmProgram(`
  use cosmwasm_storage::{singleton, singleton_read};
  pub struct State { pub owner: CanonicalAddr, pub price: u64 }
  pub enum HandleMsg { Price { price: u64 } }
  pub fn handle<S: Storage, A: Api, Q: Querier>(deps: &mut Extern<S, A, Q>, env: Env, msg: HandleMsg) -> StdResult<HandleResponse> {
    match msg { HandleMsg::Price { price } => set(deps, env, price) }
  }
  fn set<S: Storage, A: Api, Q: Querier>(deps: &mut Extern<S, A, Q>, env: Env, price: u64) -> StdResult<HandleResponse> {
    let mut state: State = singleton_read(&deps.storage, b"config").load()?;
    ${check}
    state.price = price;
    singleton(&mut deps.storage, b"config").save(&state)?;
    Ok(HandleResponse::default())
  }`)

describe("contracts for versions before 1.0", () => {
  it("have `handle` as their entry point, the sender in the environment, and containers identified by their key", () => {
    const { entry, events } = handlerOf(contract(""), "HandleMsg::Price")
    expect(entry.kind).toBe("execute")
    expect([entry.sender, entry.funds].map((one) => one && show(one))).toEqual([
      "env.message.sender",
      "env.message.sent_funds",
    ])
    const writes = events.flatMap((one) => (one.kind === "assign" ? [show(one.target.term)] : []))
    expect(writes).toEqual([`stored(container("config")).price`, `stored(container("config"))`])
  })

  it.each([
    [false, ""],
    [
      true,
      "if deps.api.canonical_address(&env.message.sender)? != state.owner { return Err(StdError::unauthorized()); }",
    ],
  ])("the sender is checked: %s", (expected, check) => {
    const { entry, facts } = handlerOf(contract(check), "HandleMsg::Price")
    expect(isAuthorized(entry, facts)).toBe(expected)
  })
})

describe("crates that share their name", () => {
  it("have separate storage", () => {
    const manifest = `[package]\nname = "case"\nversion = "0.1.0"\n\n[dependencies]\ncosmwasm-std = "2.1.0"\n`
    const text = (saved: string) => `use cosmwasm_std::*;
use cw_storage_plus::Item;
pub const TOTAL: Item<u64> = Item::new("total");
#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, _info: MessageInfo, _msg: Empty) -> StdResult<Response> { ${saved} Ok(Response::new()) }
#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, _msg: Empty) -> StdResult<Response> { TOTAL.load(deps.storage)?; Ok(Response::new()) }
`
    const files = {
      "one/Cargo.toml": manifest,
      "one/src/lib.rs": text(""),
      "two/Cargo.toml": manifest,
      "two/src/lib.rs": text("TOTAL.save(deps.storage, &0)?;"),
    }
    const found: Array<string> = []
    uninitializedItem.check(buildCosmWasmProgram(rustProject(files)), ({ file }) => found.push(file.path))
    expect(found).toEqual(["one/src/lib.rs"])
  })
})
