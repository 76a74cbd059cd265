import type { Rule } from "../../../Rule.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import { changedDenominations } from "../../saves/changedDenominations.ts"
import { type CosmWasmProgram, nameOfHandler } from "../../program/model.ts"
import { fieldPath } from "../../questions/storageWrites.ts"

export const changedDenomination: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/logic/changed-denomination",
    class: "changed-denomination",
    title: "Deposit refunded in a denomination that may have changed",
    severity: "high",
    confidence: "medium",
    cwe: [367, 841],
    description:
      "The contract stores how much was deposited but not in which denomination: when it pays out, it reads the " +
      "denomination from a record that another message can change in the meantime. Anyone who may change it can " +
      "deposit a worthless coin, replace the denomination with that of a valuable one, and withdraw the " +
      "deposits of others; or depositors get worthless coins back.",
    remediation:
      "Store the coin with the deposit and pay back that coin, or do not let the denomination change while " +
      "there are deposits.",
    references: ["https://cwe.mitre.org/data/definitions/367.html"],
  },
  check: (program, report) => {
    for (const crate of program.crates)
      for (const { event, denomination, setter, isAdministered } of changedDenominations(crate))
        report({
          ...placeOf(event),
          message: `\`${nameOfHandler(setter)}\` can change \`${fieldPath(denomination)}\` between the deposit and this payment.`,
          ...(isAdministered ? { severity: "low" as const } : {}),
          trace: [{ ...setter.place, note: "The denomination can be changed here." }],
        })
  },
  examples: {
    vulnerable: [
      `use cosmwasm_std::{coins, entry_point, BankMsg, Coin, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Timestamp, Uint128, Addr};
use cw_storage_plus::{Item, Map};
use cw_utils::must_pay;

pub struct Lot { pub seller: Addr, pub denom: String, pub floor: Uint128, pub offers: Vec<Offer> }
pub struct Offer { pub from: Addr, pub amount: Uint128, pub denom: String }
pub const LOTS: Map<u64, Lot> = Map::new("lots");
pub enum ExecuteMsg { Price { lot: u64, denom: String, floor: Uint128 }, Bid { lot: u64 }, Withdraw { lot: u64 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Price { lot, denom, floor } => {
            let mut found = LOTS.load(deps.storage, lot)?;
            if found.seller != info.sender {
                return Err(StdError::generic_err("seller"));
            }
            found.denom = denom;
            found.floor = floor;
            LOTS.save(deps.storage, lot, &found)?;
            Ok(Response::new())
        }
        ExecuteMsg::Bid { lot } => {
            let mut found = LOTS.load(deps.storage, lot)?;
            let amount = must_pay(&info, &found.denom).map_err(|_| StdError::generic_err("payment"))?;
            if amount < found.floor {
                return Err(StdError::generic_err("too little"));
            }
            found.offers.push(Offer { from: info.sender, amount, denom: found.denom.clone() });
            LOTS.save(deps.storage, lot, &found)?;
            Ok(Response::new())
        }
        ExecuteMsg::Withdraw { lot } => {
            let mut found = LOTS.load(deps.storage, lot)?;
            let at = found.offers.iter().position(|one| one.from == info.sender).ok_or_else(|| StdError::generic_err("none"))?;
            let offer = found.offers.remove(at);
            LOTS.save(deps.storage, lot, &found)?;
            let coin = Coin { denom: found.denom, amount: offer.amount };
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: vec![coin] })) // FINDING
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, BankMsg, Coin, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Timestamp, Uint128, Addr};
use cw_storage_plus::{Item, Map};
use cw_utils::must_pay;

pub struct Round { pub host: Addr, pub denom: String }
pub const OWNER: Item<Addr> = Item::new("owner");
pub const ROUNDS: Map<u32, Round> = Map::new("rounds");
pub const ENTRIES: Map<(u32, Addr), Uint128> = Map::new("entries");
pub enum ExecuteMsg { Open { id: u32, denom: String }, Switch { id: u32, denom: String }, Enter { id: u32 }, Quit { id: u32 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Open { id, denom } => {
            if ROUNDS.has(deps.storage, id) {
                return Err(StdError::generic_err("exists"));
            }
            ROUNDS.save(deps.storage, id, &Round { host: info.sender, denom })?;
            Ok(Response::new())
        }
        ExecuteMsg::Switch { id, denom } => {
            let mut round = ROUNDS.load(deps.storage, id)?;
            if info.sender != OWNER.load(deps.storage)? {
                return Err(StdError::generic_err("owner"));
            }
            round.denom = denom;
            ROUNDS.save(deps.storage, id, &round)?;
            Ok(Response::new())
        }
        ExecuteMsg::Enter { id } => {
            let round = ROUNDS.load(deps.storage, id)?;
            if info.funds.len() != 1 || info.funds[0].denom != round.denom {
                return Err(StdError::generic_err("denom"));
            }
            let key = (id, info.sender);
            let had = ENTRIES.may_load(deps.storage, key.clone())?.unwrap_or_default();
            ENTRIES.save(deps.storage, key, &(had + info.funds[0].amount))?;
            Ok(Response::new())
        }
        ExecuteMsg::Quit { id } => {
            let round = ROUNDS.load(deps.storage, id)?;
            let key = (id, info.sender.clone());
            let amount = ENTRIES.load(deps.storage, key.clone())?;
            ENTRIES.remove(deps.storage, key);
            let back = coins(amount.u128(), round.denom);
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: back })) // FINDING
        }
    }
}
`,
    ],
    safe: [
      `use cosmwasm_std::{coins, entry_point, BankMsg, Coin, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Timestamp, Uint128, Addr};
use cw_storage_plus::{Item, Map};
use cw_utils::must_pay;

pub struct Lot { pub seller: Addr, pub denom: String, pub floor: Uint128, pub offers: Vec<Offer> }
pub struct Offer { pub from: Addr, pub amount: Uint128, pub denom: String }
pub const LOTS: Map<u64, Lot> = Map::new("lots");
pub enum ExecuteMsg { Price { lot: u64, denom: String, floor: Uint128 }, Bid { lot: u64 }, Withdraw { lot: u64 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Price { lot, denom, floor } => {
            let mut found = LOTS.load(deps.storage, lot)?;
            if found.seller != info.sender {
                return Err(StdError::generic_err("seller"));
            }
            found.denom = denom;
            found.floor = floor;
            LOTS.save(deps.storage, lot, &found)?;
            Ok(Response::new())
        }
        ExecuteMsg::Bid { lot } => {
            let mut found = LOTS.load(deps.storage, lot)?;
            let amount = must_pay(&info, &found.denom).map_err(|_| StdError::generic_err("payment"))?;
            if amount < found.floor {
                return Err(StdError::generic_err("too little"));
            }
            found.offers.push(Offer { from: info.sender, amount, denom: found.denom.clone() });
            LOTS.save(deps.storage, lot, &found)?;
            Ok(Response::new())
        }
        ExecuteMsg::Withdraw { lot } => {
            let mut found = LOTS.load(deps.storage, lot)?;
            let at = found.offers.iter().position(|one| one.from == info.sender).ok_or_else(|| StdError::generic_err("none"))?;
            let offer = found.offers.remove(at);
            LOTS.save(deps.storage, lot, &found)?;
            let coin = Coin { denom: offer.denom, amount: offer.amount };
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: vec![coin] }))
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, BankMsg, Coin, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Timestamp, Uint128, Addr};
use cw_storage_plus::{Item, Map};
use cw_utils::must_pay;

pub struct Lot { pub seller: Addr, pub denom: String, pub floor: Uint128, pub offers: Vec<Offer> }
pub struct Offer { pub from: Addr, pub amount: Uint128, pub denom: String }
pub const LOTS: Map<u64, Lot> = Map::new("lots");
pub enum ExecuteMsg { Price { lot: u64, denom: String, floor: Uint128 }, Bid { lot: u64 }, Withdraw { lot: u64 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Price { lot, denom, floor } => {
            let mut found = LOTS.load(deps.storage, lot)?;
            if found.seller != info.sender {
                return Err(StdError::generic_err("seller"));
            }
            if !found.offers.is_empty() {
                return Err(StdError::generic_err("offers"));
            }
            found.denom = denom;
            found.floor = floor;
            LOTS.save(deps.storage, lot, &found)?;
            Ok(Response::new())
        }
        ExecuteMsg::Bid { lot } => {
            let mut found = LOTS.load(deps.storage, lot)?;
            let amount = must_pay(&info, &found.denom).map_err(|_| StdError::generic_err("payment"))?;
            if amount < found.floor {
                return Err(StdError::generic_err("too little"));
            }
            found.offers.push(Offer { from: info.sender, amount, denom: found.denom.clone() });
            LOTS.save(deps.storage, lot, &found)?;
            Ok(Response::new())
        }
        ExecuteMsg::Withdraw { lot } => {
            let mut found = LOTS.load(deps.storage, lot)?;
            let at = found.offers.iter().position(|one| one.from == info.sender).ok_or_else(|| StdError::generic_err("none"))?;
            let offer = found.offers.remove(at);
            LOTS.save(deps.storage, lot, &found)?;
            let coin = Coin { denom: found.denom, amount: offer.amount };
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: vec![coin] }))
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, BankMsg, Coin, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Timestamp, Uint128, Addr};
use cw_storage_plus::{Item, Map};
use cw_utils::must_pay;

pub struct Lot { pub seller: Addr, pub denom: String, pub floor: Uint128, pub offers: Vec<Offer> }
pub struct Offer { pub from: Addr, pub amount: Uint128, pub denom: String }
pub const LOTS: Map<u64, Lot> = Map::new("lots");
pub enum ExecuteMsg { Price { lot: u64, denom: String, floor: Uint128 }, Bid { lot: u64 }, Withdraw { lot: u64 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Price { lot, floor, .. } => {
            let mut found = LOTS.load(deps.storage, lot)?;
            if found.seller != info.sender {
                return Err(StdError::generic_err("seller"));
            }
            found.floor = floor;
            LOTS.save(deps.storage, lot, &found)?;
            Ok(Response::new())
        }
        ExecuteMsg::Bid { lot } => {
            let mut found = LOTS.load(deps.storage, lot)?;
            let amount = must_pay(&info, &found.denom).map_err(|_| StdError::generic_err("payment"))?;
            if amount < found.floor {
                return Err(StdError::generic_err("too little"));
            }
            found.offers.push(Offer { from: info.sender, amount, denom: found.denom.clone() });
            LOTS.save(deps.storage, lot, &found)?;
            Ok(Response::new())
        }
        ExecuteMsg::Withdraw { lot } => {
            let mut found = LOTS.load(deps.storage, lot)?;
            let at = found.offers.iter().position(|one| one.from == info.sender).ok_or_else(|| StdError::generic_err("none"))?;
            let offer = found.offers.remove(at);
            LOTS.save(deps.storage, lot, &found)?;
            let coin = Coin { denom: found.denom, amount: offer.amount };
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: vec![coin] }))
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, BankMsg, Coin, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Timestamp, Uint128, Addr};
use cw_storage_plus::{Item, Map};
use cw_utils::must_pay;

pub struct Round { pub host: Addr, pub denom: String }
pub const OWNER: Item<Addr> = Item::new("owner");
pub const ROUNDS: Map<u32, Round> = Map::new("rounds");
pub const ENTRIES: Map<(u32, Addr), Uint128> = Map::new("entries");
pub enum ExecuteMsg { Open { id: u32, denom: String }, Switch { id: u32, denom: String }, Enter { id: u32 }, Quit { id: u32 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Open { id, denom } => {
            if ROUNDS.has(deps.storage, id) {
                return Err(StdError::generic_err("exists"));
            }
            ROUNDS.save(deps.storage, id, &Round { host: info.sender, denom })?;
            Ok(Response::new())
        }
        ExecuteMsg::Switch { id, denom } => {
            if ROUNDS.has(deps.storage, id) {
                return Err(StdError::generic_err("exists"));
            }
            if info.sender != OWNER.load(deps.storage)? {
                return Err(StdError::generic_err("owner"));
            }
            ROUNDS.save(deps.storage, id, &Round { host: info.sender, denom })?;
            Ok(Response::new())
        }
        ExecuteMsg::Enter { id } => {
            let round = ROUNDS.load(deps.storage, id)?;
            if info.funds.len() != 1 || info.funds[0].denom != round.denom {
                return Err(StdError::generic_err("denom"));
            }
            let key = (id, info.sender);
            let had = ENTRIES.may_load(deps.storage, key.clone())?.unwrap_or_default();
            ENTRIES.save(deps.storage, key, &(had + info.funds[0].amount))?;
            Ok(Response::new())
        }
        ExecuteMsg::Quit { id } => {
            let round = ROUNDS.load(deps.storage, id)?;
            let key = (id, info.sender.clone());
            let amount = ENTRIES.load(deps.storage, key.clone())?;
            ENTRIES.remove(deps.storage, key);
            let back = coins(amount.u128(), round.denom);
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: back }))
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, BankMsg, Coin, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Timestamp, Uint128, Addr};
use cw_storage_plus::{Item, Map};
use cw_utils::must_pay;

pub struct Round { pub host: Addr, pub denom: String }
pub const OWNER: Item<Addr> = Item::new("owner");
pub const ROUNDS: Map<u32, Round> = Map::new("rounds");
pub const ENTRIES: Map<(u32, Addr), Uint128> = Map::new("entries");
pub enum ExecuteMsg { Open { id: u32, denom: String }, Switch { id: u32, denom: String }, Enter { id: u32 }, Quit { id: u32 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Open { id, denom } => {
            if ROUNDS.has(deps.storage, id) {
                return Err(StdError::generic_err("exists"));
            }
            ROUNDS.save(deps.storage, id, &Round { host: info.sender, denom })?;
            Ok(Response::new())
        }
        ExecuteMsg::Switch { id, denom } => {
            let mut round = ROUNDS.load(deps.storage, id)?;
            if info.sender != OWNER.load(deps.storage)? {
                return Err(StdError::generic_err("owner"));
            }
            round.denom = denom;
            ROUNDS.save(deps.storage, id, &round)?;
            Ok(Response::new())
        }
        ExecuteMsg::Enter { id } => {
            let round = ROUNDS.load(deps.storage, id)?;
            if info.funds.len() != 1 || info.funds[0].denom != round.denom {
                return Err(StdError::generic_err("denom"));
            }
            let key = (id, info.sender);
            let had = ENTRIES.may_load(deps.storage, key.clone())?.unwrap_or_default();
            ENTRIES.save(deps.storage, key, &(had + info.funds[0].amount))?;
            Ok(Response::new())
        }
        ExecuteMsg::Quit { id } => {
            let round = ROUNDS.load(deps.storage, id)?;
            let key = (id, info.sender.clone());
            ENTRIES.load(deps.storage, key.clone())?;
            let amount = Uint128::new(5);
            ENTRIES.remove(deps.storage, key);
            let back = coins(amount.u128(), round.denom);
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: back }))
        }
    }
}
`,
    ],
  },
}
