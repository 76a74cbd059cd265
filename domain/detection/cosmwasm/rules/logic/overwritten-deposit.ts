import type { Rule } from "../../../Rule.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import type { CosmWasmProgram } from "../../program/model.ts"
import { replacedDeposit } from "../../saves/replacedDeposits.ts"
import { wayTo } from "../../questions/way.ts"

export const overwrittenDeposit: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/logic/overwritten-deposit",
    class: "overwritten-deposit",
    title: "Outbid payment is not refunded",
    severity: "high",
    confidence: "medium",
    cwe: [841, 672],
    description:
      "The message stores the sender and their payment in place of an earlier, smaller one, like a higher bid " +
      "in an auction. The earlier payment is neither refunded nor credited to its owner: the contract keeps the " +
      "coins, and nobody can claim them.",
    remediation: "Refund the earlier payment, or add it to a balance that its owner can withdraw, before replacing it.",
    references: ["https://cwe.mitre.org/data/definitions/841.html"],
  },
  check: (program, report) => {
    for (const { entryPoints } of program.crates)
      for (const { handlers } of entryPoints)
        for (const handler of handlers) {
          const event = replacedDeposit(handler)
          if (event === undefined) continue
          report({
            ...placeOf(event),
            trace: wayTo(handler, event),
          })
        }
  },
  examples: {
    vulnerable: [
      `use cosmwasm_std::{coins, entry_point, BankMsg, Coin, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Timestamp, Uint128, Addr};
use cw_storage_plus::{Item, Map};
use cw_utils::must_pay;

pub struct Top { pub who: Addr, pub amount: Uint128 }
pub const TOP: Item<Top> = Item::new("top");
pub enum ExecuteMsg { Bid {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let ExecuteMsg::Bid {} = msg;
    let amount = must_pay(&info, "uatom").map_err(|_| StdError::generic_err("payment"))?;
    let top = TOP.load(deps.storage)?;
    if amount <= top.amount {
        return Err(StdError::generic_err("too little"));
    }
    TOP.save(deps.storage, &Top { who: info.sender, amount })?; // FINDING
    Ok(Response::new().add_attribute("before", top.who))
}
`,
      `use cosmwasm_std::{coins, entry_point, BankMsg, Coin, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Timestamp, Uint128, Addr, WasmMsg, to_json_binary, from_json, CosmosMsg};
use cw_storage_plus::{Item, Map};
use cw20::{Cw20ExecuteMsg, Cw20ReceiveMsg};

pub struct Seat { pub holder: Addr, pub stake: Uint128 }
pub const TOKEN: Item<Addr> = Item::new("token");
pub const SEATS: Map<u8, Seat> = Map::new("seats");
pub enum ExecuteMsg { Receive(Cw20ReceiveMsg) }
pub struct Take { pub seat: u8 }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let ExecuteMsg::Receive(wrapper) = msg;
    let token = TOKEN.load(deps.storage)?;
    if info.sender != token {
        return Err(StdError::generic_err("token"));
    }
    let Take { seat } = from_json(&wrapper.msg)?;
    let mut messages: Vec<CosmosMsg> = vec![];
    if let Some(had) = SEATS.may_load(deps.storage, seat)? {
        if wrapper.amount <= had.stake {
            return Err(StdError::generic_err("too little"));
        }
    }
    let holder = deps.api.addr_validate(&wrapper.sender)?;
    SEATS.save(deps.storage, seat, &Seat { holder, stake: wrapper.amount })?; // FINDING
    Ok(Response::new().add_messages(messages))
}
`,
    ],
    safe: [
      `use cosmwasm_std::{coins, entry_point, BankMsg, Coin, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Timestamp, Uint128, Addr};
use cw_storage_plus::{Item, Map};
use cw_utils::must_pay;

pub struct Top { pub who: Addr, pub amount: Uint128 }
pub const TOP: Item<Top> = Item::new("top");
pub enum ExecuteMsg { Bid {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let ExecuteMsg::Bid {} = msg;
    let amount = must_pay(&info, "uatom").map_err(|_| StdError::generic_err("payment"))?;
    let top = TOP.load(deps.storage)?;
    if amount <= top.amount {
        return Err(StdError::generic_err("too little"));
    }
    TOP.save(deps.storage, &Top { who: info.sender, amount })?;
    let back = BankMsg::Send { to_address: top.who.to_string(), amount: coins(top.amount.u128(), "uatom") };
    Ok(Response::new().add_message(back))
}
`,
      `use cosmwasm_std::{coins, entry_point, BankMsg, Coin, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Timestamp, Uint128, Addr, WasmMsg, to_json_binary, from_json, CosmosMsg};
use cw_storage_plus::{Item, Map};
use cw20::{Cw20ExecuteMsg, Cw20ReceiveMsg};

pub struct Seat { pub holder: Addr, pub stake: Uint128 }
pub const TOKEN: Item<Addr> = Item::new("token");
pub const SEATS: Map<u8, Seat> = Map::new("seats");
pub enum ExecuteMsg { Receive(Cw20ReceiveMsg) }
pub struct Take { pub seat: u8 }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let ExecuteMsg::Receive(wrapper) = msg;
    let token = TOKEN.load(deps.storage)?;
    if info.sender != token {
        return Err(StdError::generic_err("token"));
    }
    let Take { seat } = from_json(&wrapper.msg)?;
    let mut messages: Vec<CosmosMsg> = vec![];
    if let Some(had) = SEATS.may_load(deps.storage, seat)? {
        if wrapper.amount <= had.stake {
            return Err(StdError::generic_err("too little"));
        }
        let pay = Cw20ExecuteMsg::Transfer { recipient: had.holder.to_string(), amount: had.stake };
        messages.push(WasmMsg::Execute { contract_addr: token.to_string(), msg: to_json_binary(&pay)?, funds: vec![] }.into());
    }
    let holder = deps.api.addr_validate(&wrapper.sender)?;
    SEATS.save(deps.storage, seat, &Seat { holder, stake: wrapper.amount })?;
    Ok(Response::new().add_messages(messages))
}
`,
      `use cosmwasm_std::{coins, entry_point, BankMsg, Coin, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Timestamp, Uint128, Addr};
use cw_storage_plus::{Item, Map};
use cw_utils::must_pay;

pub struct Top { pub who: Addr, pub amount: Uint128 }
pub const OWED: Map<&Addr, Uint128> = Map::new("owed");
pub const TOP: Item<Top> = Item::new("top");
pub enum ExecuteMsg { Bid {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let ExecuteMsg::Bid {} = msg;
    let amount = must_pay(&info, "uatom").map_err(|_| StdError::generic_err("payment"))?;
    let top = TOP.load(deps.storage)?;
    if amount <= top.amount {
        return Err(StdError::generic_err("too little"));
    }
    OWED.update(deps.storage, &top.who, |had| -> StdResult<_> { Ok(had.unwrap_or_default() + top.amount) })?;
    TOP.save(deps.storage, &Top { who: info.sender, amount })?;
    Ok(Response::new().add_attribute("before", top.who))
}
`,
      `use cosmwasm_std::{coins, entry_point, BankMsg, Coin, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Timestamp, Uint128, Addr};
use cw_storage_plus::{Item, Map};
use cw_utils::must_pay;

pub struct Top { pub who: Addr, pub amount: Uint128 }
pub const BIDS: Map<&Addr, Uint128> = Map::new("bids");
pub const TOP: Item<Top> = Item::new("top");
pub enum ExecuteMsg { Bid {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let ExecuteMsg::Bid {} = msg;
    let amount = must_pay(&info, "uatom").map_err(|_| StdError::generic_err("payment"))?;
    let top = TOP.load(deps.storage)?;
    if amount <= top.amount {
        return Err(StdError::generic_err("too little"));
    }
    BIDS.update(deps.storage, &info.sender, |had| -> StdResult<_> { Ok(had.unwrap_or_default() + amount) })?;
    TOP.save(deps.storage, &Top { who: info.sender, amount })?;
    Ok(Response::new().add_attribute("before", top.who))
}
`,
      `use cosmwasm_std::{coins, entry_point, BankMsg, Coin, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Timestamp, Uint128, Addr};
use cw_storage_plus::{Item, Map};
use cw_utils::must_pay;

pub struct Top { pub who: Addr, pub amount: Uint128, pub least: Uint128 }
pub const TOP: Item<Top> = Item::new("top");
pub const LAST: Item<Top> = Item::new("last");
pub const PLANS: Map<&Addr, Top> = Map::new("plans");
pub enum ExecuteMsg { More {}, Own {}, Record {}, Plan {}, Outside {}, Score { amount: Uint128 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let paid = must_pay(&info, "uatom").map_err(|_| StdError::generic_err("payment"))?;
    let top = TOP.load(deps.storage)?;
    match msg {
        ExecuteMsg::More {} => {
            if paid <= top.amount {
                return Err(StdError::generic_err("too little"));
            }
            TOP.save(deps.storage, &Top { who: info.sender, amount: top.amount + paid, least: top.least })?;
        }
        ExecuteMsg::Own {} => {
            if info.sender != top.who || paid <= top.amount {
                return Err(StdError::generic_err("yours"));
            }
            TOP.save(deps.storage, &Top { who: info.sender, amount: paid, least: top.least })?;
        }
        // A price that is paid for good is no deposit.
        ExecuteMsg::Record {} => {
            if paid < top.least {
                return Err(StdError::generic_err("too little"));
            }
            LAST.save(deps.storage, &Top { who: info.sender, amount: paid, least: top.least })?;
        }
        ExecuteMsg::Plan {} => {
            let had = PLANS.load(deps.storage, &info.sender)?;
            if paid <= had.amount {
                return Err(StdError::generic_err("too little"));
            }
            PLANS.save(deps.storage, &info.sender, &Top { who: info.sender.clone(), amount: paid, least: had.least })?;
        }
        ExecuteMsg::Outside {} => {
            if paid <= top.amount {
                return Err(StdError::generic_err("too little"));
            }
            refunds::queue(deps.storage, &top.who, top.amount)?;
            TOP.save(deps.storage, &Top { who: info.sender, amount: paid, least: top.least })?;
        }
        ExecuteMsg::Score { amount } => {
            if amount <= top.amount {
                return Err(StdError::generic_err("too little"));
            }
            TOP.save(deps.storage, &Top { who: info.sender, amount, least: top.least })?;
        }
    }
    Ok(Response::new())
}
`,
    ],
  },
}
