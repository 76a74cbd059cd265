import { describe, expect, it } from "vitest"
import { cosmwasmRules } from "../../../../domain/detection/cosmwasm/catalog.ts"
import { cosmwasmProgram } from "../../../support/rustProject.ts"

/** The severities that one rule reports for a contract. */
const severities = (id: string, text: string): ReadonlyArray<string> => {
  const rule = cosmwasmRules.find(({ meta }) => meta.id === id)
  const found: Array<string> = []
  rule?.check(cosmwasmProgram(text), ({ severity }) => found.push(severity ?? rule.meta.severity))
  return found
}

const swap = (containers: string, more: string) => `
pub const ROUTER: Item<Addr> = Item::new("router");
pub const VENUES: Map<&str, Addr> = Map::new("venues");
pub const SEEN: Map<&str, bool> = Map::new("seen");
pub const MARKS: Map<&str, ()> = Map::new("marks");
${containers}
pub enum ExecuteMsg { Swap { denom: String }, Note { name: String } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Swap { denom } => {
            let paid = cw_utils::one_coin(&info)?.amount;
            let pay = BankMsg::Send { to_address: ROUTER.load(deps.storage)?.to_string(), amount: coins(paid.u128(), denom) };
            Ok(Response::new().add_message(pay))
        }
        ExecuteMsg::Note { name } => {
            VENUES.save(deps.storage, &name, &info.sender)?;
            SEEN.save(deps.storage, &name, &true)?;
            MARKS.save(deps.storage, &name, &())?;
            ROUTER.save(deps.storage, &info.sender)?;
            ${more}
            Ok(Response::new())
        }
    }
}
`

const change = (entry: string, check: string) => `
pub struct Config { pub owner: Addr, pub fee: Uint128 }
pub const CONFIG: Item<Config> = Item::new("config");
pub enum SudoMsg { Set { fee: Uint128 } }
pub enum ExecuteMsg { Set { fee: Uint128 } }

#[entry_point]
${entry} {
    let mut config = CONFIG.load(deps.storage)?;
    ${check}
    config.fee = config.fee + Uint128::one();
    Ok(Response::new().add_attribute("fee", config.fee))
}
`

describe("what is at stake", () => {
  it.each([
    ["names alone", "", "", ["low"]],
    [
      "amounts by account",
      'pub const PAID: Map<&Addr, Uint128> = Map::new("paid");',
      "PAID.save(deps.storage, &info.sender, &Uint128::one())?;",
      ["high"],
    ],
    [
      "a sum that rises",
      'pub const SUM: Item<Uint128> = Item::new("sum");',
      "SUM.save(deps.storage, &(SUM.load(deps.storage)? + Uint128::one()))?;",
      ["high"],
    ],
    [
      "a sum that falls",
      'pub const SUM: Item<Uint128> = Item::new("sum");',
      "SUM.save(deps.storage, &(SUM.load(deps.storage)? - Uint128::one()))?;",
      ["high"],
    ],
  ])("is told by what a contract keeps: %s", (_, containers, more, expected) => {
    expect(severities("cosmwasm/input-validation/unvalidated-funds", swap(containers, more))).toEqual(expected)
  })

  it.each([
    ["the chain", "pub fn sudo(deps: DepsMut, _env: Env, _msg: SudoMsg) -> StdResult<Response>", "", ["low"]],
    [
      "the owner",
      "pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, _msg: ExecuteMsg) -> StdResult<Response>",
      'if info.sender != config.owner { return Err(StdError::generic_err("owner")); }',
      ["low"],
    ],
    [
      "anyone",
      "pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, _msg: ExecuteMsg) -> StdResult<Response>",
      "",
      ["high"],
    ],
  ])("is told by who can send the message: %s", (_, entry, check, expected) => {
    expect(severities("cosmwasm/state-management/unsaved-state", change(entry, check))).toEqual(expected)
  })
})
