import { guaranteed } from "../../../rust/terms/events.ts"
import type { Facts } from "../../../rust/terms/facts.ts"
import { mentions, type Term } from "../../../rust/terms/terms.ts"
import type { Rule } from "../../../Rule.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import { isAuthorized } from "../../authority/authority.ts"
import type { CosmWasmProgram, EntryPoint, Handler, OutgoingMessage } from "../../program/model.ts"
import { comparisonsOf, outgoingMessages } from "../../questions/questions.ts"
import { isComputedFrom, storedPlace } from "../../program/semantics.ts"
import { storageWrites } from "../../questions/storageWrites.ts"
import { wayTo } from "../../questions/way.ts"

export const uncheckedValidator: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/input-validation/unchecked-validator",
    class: "unchecked-validator",
    title: "Caller chooses the validator for pooled stake",
    severity: "medium",
    confidence: "medium",
    cwe: [20, 862],
    description:
      "The contract delegates in its own name to whichever validator the message names, and does not record who " +
      "chose it. An attacker runs a validator that takes all rewards as commission or gets slashed, and names " +
      "it: everyone who holds a share of the stake pays for it.",
    remediation:
      "Choose among validators on a list that the contract keeps, or track the stake with each validator " +
      "separately, so that only those who chose a validator bear its losses.",
    references: ["https://docs.rs/cosmwasm-std/latest/cosmwasm_std/enum.StakingMsg.html"],
  },
  check: (program, report) => {
    for (const { entryPoints } of program.crates)
      for (const { kind, handlers } of entryPoints) {
        if (kind !== "execute") continue
        for (const handler of handlers) {
          const sent = outgoingMessages(handler.events).find((one) => isFreeChoice(handler, one))
          if (sent === undefined) continue
          const { event } = sent
          report({
            ...placeOf(event),
            trace: wayTo(handler, event),
          })
        }
      }
  },
  examples: {
    vulnerable: [
      `use cosmwasm_std::{entry_point, Addr, Coin, DepsMut, Env, MessageInfo, Response, StakingMsg, StdResult, Uint128};
use cw_storage_plus::Map;
use cw_utils::must_pay;

pub const SHARES: Map<&Addr, Uint128> = Map::new("shares");
pub enum ExecuteMsg { Bond { validator: String } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let ExecuteMsg::Bond { validator } = msg;
    let amount = must_pay(&info, "uatom")?;
    SHARES.update(deps.storage, &info.sender, |have| -> StdResult<_> { Ok(have.unwrap_or_default() + amount) })?;
    Ok(Response::new().add_message(StakingMsg::Delegate { validator, amount: Coin { denom: "uatom".into(), amount } })) // FINDING
}
`,
      `use cosmwasm_std::{entry_point, Addr, Coin, CosmosMsg, DepsMut, Env, MessageInfo, Response, StakingMsg, StdError, StdResult, Uint128};
use cw_storage_plus::Map;

pub const SHARES: Map<&Addr, Uint128> = Map::new("shares");
pub enum ExecuteMsg { Move { from: String, to: String, amount: Coin } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let ExecuteMsg::Move { from, to, amount } = msg;
    if SHARES.load(deps.storage, &info.sender)? < amount.amount {
        return Err(StdError::generic_err("shares"));
    }
    let redelegate = StakingMsg::Redelegate { src_validator: from, dst_validator: to, amount }; // FINDING
    Ok(Response::new().add_message(CosmosMsg::Staking(redelegate)))
}
`,
      `use cosmwasm_std::{ensure, entry_point, Addr, DepsMut, Env, MessageInfo, Response, StakingMsg, StdError, StdResult};
use cw_storage_plus::Item;

pub const TREASURY: Item<Addr> = Item::new("treasury");
pub enum ExecuteMsg { Stake { validator: String }, Outside { validator: String } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let amount = info.funds[0].clone();
    match msg {
        // That it is an address, and that the question has an answer, says nothing about the validator.
        ExecuteMsg::Stake { validator } => {
            deps.api.addr_validate(&validator)?;
            deps.querier.query_validator(&validator)?;
            Ok(Response::new().add_message(StakingMsg::Delegate { validator, amount })) // FINDING
        }
        ExecuteMsg::Outside { validator } => {
            ensure!(info.sender != TREASURY.load(deps.storage)?, StdError::generic_err("treasury"));
            Ok(Response::new().add_message(StakingMsg::Delegate { validator, amount })) // FINDING
        }
    }
}`,
    ],
    safe: [
      `use cosmwasm_std::{ensure, ensure_eq, entry_point, Addr, Coin, DepsMut, Env, MessageInfo, Response, StakingMsg, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};
use cw_utils::must_pay;

pub struct Hub { pub owner: Addr, pub allowed: Vec<String>, pub default: String }
pub const HUB: Item<Hub> = Item::new("hub");
pub const VALIDATORS: Map<&str, bool> = Map::new("validators");
pub const SHARES: Map<&Addr, Uint128> = Map::new("shares");
pub const STAKES: Map<(&Addr, &str), Uint128> = Map::new("stakes");
pub enum ExecuteMsg { Known { to: String }, Listed { to: String }, Own { to: String }, Default {}, Owner { to: String } }

fn delegate(validator: String, amount: Uint128) -> Response {
    Response::new().add_message(StakingMsg::Delegate { validator, amount: Coin { denom: "uatom".into(), amount } })
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let hub = HUB.load(deps.storage)?;
    let amount = must_pay(&info, "uatom")?;
    match msg {
        ExecuteMsg::Known { to } => {
            if !VALIDATORS.has(deps.storage, &to) {
                return Err(StdError::generic_err("validator"));
            }
            SHARES.save(deps.storage, &info.sender, &amount)?;
            Ok(delegate(to, amount))
        }
        ExecuteMsg::Listed { to } => {
            ensure!(hub.allowed.contains(&to), StdError::generic_err("validator"));
            SHARES.save(deps.storage, &info.sender, &amount)?;
            Ok(delegate(to, amount))
        }
        ExecuteMsg::Own { to } => {
            STAKES.save(deps.storage, (&info.sender, &to), &amount)?;
            Ok(delegate(to, amount))
        }
        ExecuteMsg::Default {} => {
            SHARES.save(deps.storage, &info.sender, &amount)?;
            Ok(delegate(hub.default, amount))
        }
        ExecuteMsg::Owner { to } => {
            ensure_eq!(info.sender, hub.owner, StdError::generic_err("owner"));
            Ok(delegate(to, amount))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Coin, DepsMut, Env, MessageInfo, Response, StakingMsg, StdResult};
use cw_storage_plus::Map;

pub struct Stake { pub validator: String, pub amount: Coin }
pub const STAKES: Map<&str, Stake> = Map::new("stakes");
pub enum ExecuteMsg { Bond { validator: String }, Exit { validator: String, amount: Coin } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Bond { validator } => {
            let amount = info.funds[0].clone();
            STAKES.save(deps.storage, info.sender.as_str(), &Stake { validator: validator.clone(), amount: amount.clone() })?;
            Ok(Response::new().add_message(StakingMsg::Delegate { validator, amount }))
        }
        ExecuteMsg::Exit { validator, amount } => {
            STAKES.remove(deps.storage, info.sender.as_str());
            Ok(Response::new().add_message(StakingMsg::Undelegate { validator, amount }))
        }
    }
}
`,
      `use cosmwasm_std::{ensure, entry_point, Addr, DepsMut, Env, MessageInfo, Response, StakingMsg, StdError, StdResult};
use cw_storage_plus::Map;

pub struct Pool { pub manager: Addr }
pub struct InstantiateMsg { pub validator: String }
pub const POOLS: Map<u64, Pool> = Map::new("pools");
pub enum ExecuteMsg { Stake { pool: u64, validator: String } }

// The deployer chooses the first one.
#[entry_point]
pub fn instantiate(_deps: DepsMut, _env: Env, info: MessageInfo, msg: InstantiateMsg) -> StdResult<Response> {
    let amount = info.funds[0].clone();
    Ok(Response::new().add_message(StakingMsg::Delegate { validator: msg.validator, amount }))
}

// The manager of the pool chooses the others.
#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let ExecuteMsg::Stake { pool, validator } = msg;
    ensure!(POOLS.load(deps.storage, pool)?.manager == info.sender, StdError::generic_err("manager"));
    let amount = info.funds[0].clone();
    Ok(Response::new().add_message(StakingMsg::Delegate { validator, amount }))
}`,
    ],
  },
}

/** Whether the contract knows the sender by more than a share of their own. */
const isInCharge = (entry: EntryPoint, facts: Facts): boolean => {
  const { sender } = entry
  if (sender === undefined || !isAuthorized(entry, facts)) return false
  const isOwn = (one: Term): boolean => {
    const key = storedPlace(one)?.key
    return key !== undefined && mentions(key, (part) => part === sender)
  }
  return comparisonsOf(sender, facts).some(({ fact }) => !mentions(fact, isOwn))
}

/** Stake for an unchecked validator that the caller names and under which nothing is recorded. */
const isFreeChoice = (handler: Handler, { path, fields, event }: OutgoingMessage): boolean => {
  const { entry } = handler
  const chosen = path === "StakingMsg::Delegate" ? fields.get("validator") : fields.get("dst_validator")
  if (chosen === undefined || !isComputedFrom(chosen, (one) => one === entry.message)) return false
  if (isInCharge(entry, guaranteed(event))) return false
  const isIt = (one: Term): boolean => one === chosen
  const asks = (fact: Term): boolean =>
    fact.kind !== "succeeded" && !(fact.kind === "call" && fact.name === "validAddress") && mentions(fact, isIt)
  return (
    ![...guaranteed(event)].some(asks) &&
    !storageWrites(handler.events).some(
      ({ key, value }) => mentions(value, isIt) || (key !== undefined && mentions(key, isIt)),
    )
  )
}
