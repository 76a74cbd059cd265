import type { Rule } from "../../../Rule.ts"
import { type Event, siteIn } from "../../../rust/terms/events.ts"
import { everySubterm, rootOf, type Term } from "../../../rust/terms/terms.ts"
import { definitionOf, isNamed, successType } from "../../../rust/crate/types.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import { callerInputs } from "../../questions/callerInputs.ts"
import { callerList, type EntryUses, entryUsesOf, loopsAround } from "../../open/listedEntries.ts"
import type { CosmWasmCrate, CosmWasmProgram } from "../../program/model.ts"
import { storedPlace } from "../../program/semantics.ts"
import { storageWrites } from "../../questions/storageWrites.ts"
import { wayTo } from "../../questions/way.ts"

export const duplicateIds: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/input-validation/duplicate-ids",
    class: "duplicate-ids",
    title: "Duplicate entries in a caller-supplied list are counted twice",
    severity: "high",
    confidence: "high",
    cwe: [694, 20],
    description:
      "The message contains a list of ids; a loop loads and counts each of them without marking or removing an " +
      "entry before the next one is loaded. An attacker sends the same id many times: it is loaded, added up " +
      "and paid each time, although the entry exists only once.",
    remediation:
      "Remove or mark the entry in the loop that loads it, so that the second load fails, or reject lists with " +
      "repeated ids: sort and `dedup`, or collect into a `BTreeSet` and compare the lengths.",
    references: [
      "https://github.com/oak-security/cosmwasm-ctf",
      "https://doc.rust-lang.org/std/vec/struct.Vec.html#method.dedup",
    ],
  },
  check: (program, report) => {
    for (const crate of program.crates) {
      for (const event of equalTwins(crate))
        report({
          ...placeOf(event),
          message: "This record is never required to differ from the other one of the same kind.",
          severity: "low",
          confidence: "medium",
        })
      for (const entry of crate.entryPoints) {
        if (entry.kind !== "execute") continue
        const sets = new Set(
          callerInputs(crate, entry, program.terms).flatMap(({ term, type }) =>
            isNamed(type, "BTreeSet", "HashSet") ? [term] : [],
          ),
        )
        for (const handler of entry.handlers) {
          let uses: EntryUses | undefined
          for (const event of handler.events) {
            if (event.kind !== "read") continue
            const place = storedPlace(event.value.term)
            const [loop] = loopsAround(event.scope)
            if (place?.key === undefined || loop === undefined) continue
            const list = callerList(entry, place.key)
            if (list === undefined || sets.has(list)) continue
            uses ??= entryUsesOf(handler)
            const { container } = place
            const { marked, added, counted } = uses.inLoop(loop)
            // `CLAIMED[sender, id]` is read and grows with each iteration: a duplicate finds nothing left.
            const isCounted = [...counted(list)].some((one) => one !== container)
            if (marked.has(container) || isCounted || uses.isDeduplicated(loop, list)) continue
            // Ownership does not increase when it is looked up twice.
            const isAccount = isNamed(successType(successType(event.value.type)), "Addr")
            const isRemovedLater = !isAccount && (uses.removed.get(container) ?? 0) > event.order
            if (!added.has(container) && !uses.paid.has(container) && !isRemovedLater) continue
            report({ ...siteIn(event, loop.frame), trace: wayTo(handler, event) })
          }
        }
      }
    }
  },
  examples: {
    vulnerable: [
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, BankMsg, Coin, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Storage, Uint128, WasmMsg};
use cw_storage_plus::{Item, Map};

pub struct Side { pub denom: String, pub held: Uint128 }
pub struct Fee { pub name: String }
pub const LEFT: Item<Side> = Item::new("left");
pub const RIGHT: Item<Side> = Item::new("right");
pub const FEE: Item<Fee> = Item::new("fee");
pub struct InstantiateMsg { pub one: String, pub two: String, pub fee: String }

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, _info: MessageInfo, msg: InstantiateMsg) -> StdResult<Response> {
    LEFT.save(deps.storage, &Side { denom: msg.one, held: Uint128::zero() })?;
    RIGHT.save(deps.storage, &Side { denom: msg.two, held: Uint128::zero() })?; // FINDING
    FEE.save(deps.storage, &Fee { name: msg.fee })?;
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, BankMsg, Coin, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Storage, Uint128, WasmMsg};
use cw_storage_plus::{Item, Map};

pub struct Lock { pub id: u64, pub receiver: Addr, pub amount: Uint128 }
pub const LOCKS: Map<u64, Lock> = Map::new("locks");
pub enum ExecuteMsg { Unlock { ids: Vec<u64> } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Unlock { ids } => {
            let mine: Vec<Lock> = ids
                .iter()
                .filter_map(|id| LOCKS.load(deps.storage, *id).ok()) // FINDING
                .filter(|lock| lock.receiver == info.sender)
                .collect();
            let mut sum = Uint128::zero();
            for lock in mine.iter() {
                LOCKS.remove(deps.storage, lock.id);
                sum += lock.amount;
            }
            let amount = vec![Coin { denom: "uluna".to_string(), amount: sum }];
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount }))
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::Map;

pub struct Lock { pub owner: Addr, pub amount: Uint128 }
pub const LOCKS: Map<u64, Lock> = Map::new("locks");
pub enum ExecuteMsg { Withdraw { ids: Vec<u64> } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Withdraw { ids } => withdraw(deps, info, ids),
    }
}

fn withdraw(deps: DepsMut, info: MessageInfo, ids: Vec<u64>) -> StdResult<Response> {
    let mut total = Uint128::zero();
    for id in &ids {
        let lock = LOCKS.load(deps.storage, *id)?; // FINDING
        if lock.owner != info.sender {
            return Err(StdError::generic_err("unauthorized"));
        }
        total += lock.amount;
    }
    for id in ids {
        LOCKS.remove(deps.storage, id);
    }
    let pay = BankMsg::Send { to_address: info.sender.to_string(), amount: coins(total.u128(), "uatom") };
    Ok(Response::new().add_message(pay))
}
`,
      `use cosmwasm_std::{entry_point, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub const WEIGHTS: Map<&str, Uint128> = Map::new("weights");
pub const PASSED: Item<bool> = Item::new("passed");
pub enum ExecuteMsg { Tally { voters: Vec<String> } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Tally { voters } => {
            let mut sum = Uint128::zero();
            for voter in voters.iter() {
                let weight = WEIGHTS.load(deps.storage, voter)?; // FINDING
                sum = sum.checked_add(weight)?;
            }
            if sum < Uint128::new(1_000) {
                return Err(StdError::generic_err("not enough votes"));
            }
            PASSED.save(deps.storage, &true)?;
            Ok(Response::new())
        }
    }
}
`,
      `use std::collections::{BTreeSet, HashSet};
use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Lock { pub owner: Addr, pub amount: Uint128 }
pub struct Side { pub denom: String, pub weight: u64 }
pub struct Mirror { pub of: String }
pub struct Note { pub denom: String }
pub struct Pair { pub a: String, pub b: String }
pub const VALUES: Map<u64, Uint128> = Map::new("values");
pub const LOCKS: Map<u64, Lock> = Map::new("locks");
pub const SEEN: Map<u64, bool> = Map::new("seen");
pub const TAKEN: Map<u64, Uint128> = Map::new("taken");
pub const CROSS: Map<u64, Uint128> = Map::new("cross");
pub const OWN: Map<&Addr, Uint128> = Map::new("own");
pub const TOTAL: Item<Uint128> = Item::new("total");
pub const LEFT: Item<Side> = Item::new("left");
pub const RIGHT: Item<Side> = Item::new("right");
pub const SIDES: Map<&str, Side> = Map::new("sides");
pub const FRONT: Item<Mirror> = Item::new("front");
pub const BACK: Item<Mirror> = Item::new("back");
pub const NOTE: Item<Note> = Item::new("note");
pub const FIRST: Item<Pair> = Item::new("first");
pub const SECOND: Item<Pair> = Item::new("second");
pub const NAME: Item<String> = Item::new("name");
pub const LABEL: Item<String> = Item::new("label");
pub struct InstantiateMsg { pub one: String, pub two: String, pub three: String, pub four: String, pub five: String, pub six: String }
pub enum ExecuteMsg {
    Marked { ids: Vec<u64> },
    Emptied { ids: Vec<u64> },
    Later { ids: Vec<u64> },
    Grown { ids: Vec<u64> },
    ReadOnly { ids: Vec<u64> },
    OfSender { ids: Vec<u64> },
    OfOther { ids: Vec<u64>, others: Vec<u64> },
    Crossed { ids: Vec<u64> },
    First { ids: Vec<u64> },
    Span { ids: Vec<u64> },
    Paired { ids: Vec<u64>, others: Vec<u64> },
    PairedLeft { ids: Vec<u64>, others: Vec<u64> },
    OtherDeduplicated { ids: Vec<u64>, others: Vec<u64> },
    Gathered { ids: Vec<u64> },
    FromIter { ids: Vec<u64> },
    AskedEach { ids: Vec<u64> },
    AskedOnce { ids: Vec<u64> },
    Told { ids: Vec<u64> },
    Paid { ids: Vec<u64> },
    Besides { ids: Vec<u64> },
    Subtracted { ids: Vec<u64> },
    Counted { ids: Vec<u64> },
    CountedSafely { ids: Vec<u64> },
    Largest { ids: Vec<u64> },
    SavedLater { ids: Vec<u64> },
    RemovedBefore { ids: Vec<u64> },
    RemovedOther { ids: Vec<u64> },
    Setup { one: String, two: String },
}
pub enum SudoMsg { Pay { ids: Vec<u64> } }

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, _info: MessageInfo, msg: InstantiateMsg) -> StdResult<Response> {
    if msg.one == msg.three || msg.two == msg.four {
        return Err(StdError::generic_err("same"));
    }
    LEFT.save(deps.storage, &Side { denom: msg.one.clone(), weight: 1 })?;
    RIGHT.save(deps.storage, &Side { denom: msg.two, weight: 2 })?; // FINDING
    SIDES.save(deps.storage, "third", &Side { denom: msg.four, weight: 3 })?;
    FRONT.save(deps.storage, &Mirror { of: msg.five.clone() })?;
    BACK.save(deps.storage, &Mirror { of: msg.five.clone() })?;
    NOTE.save(deps.storage, &Note { denom: msg.three })?;
    FIRST.save(deps.storage, &Pair { a: msg.five.clone(), b: "x".to_string() })?;
    FIRST.save(deps.storage, &Pair { a: msg.six.clone(), b: "y".to_string() })?;
    SECOND.save(deps.storage, &Pair { a: "z".to_string(), b: msg.four })?;
    NAME.save(deps.storage, &msg.five)?;
    LABEL.save(deps.storage, &msg.six)?;
    Ok(Response::new())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let mut total = Uint128::zero();
    match msg {
        ExecuteMsg::Marked { ids } => {
            for id in ids.iter() {
                let value = VALUES.load(deps.storage, *id)?; // FINDING
                total += value;
                SEEN.save(deps.storage, *id, &true)?;
            }
            TOTAL.save(deps.storage, &total)?;
            Ok(Response::new().add_attribute("total", total))
        }
        ExecuteMsg::Emptied { ids } => {
            for id in ids.iter() {
                let mut lock = LOCKS.load(deps.storage, *id)?; // FINDING
                total += lock.amount;
                lock.amount = Uint128::zero();
            }
            TOTAL.save(deps.storage, &total)?;
            Ok(Response::new().add_attribute("total", total))
        }
        ExecuteMsg::Later { ids } => {
            for id in ids.iter() {
                let value = VALUES.load(deps.storage, *id)?; // FINDING
                total += value;
            }
            for id in ids.iter() {
                let taken = TAKEN.load(deps.storage, *id)?;
                TAKEN.save(deps.storage, *id, &(taken + Uint128::one()))?;
            }
            TOTAL.save(deps.storage, &total)?;
            Ok(Response::new().add_attribute("total", total))
        }
        ExecuteMsg::Grown { ids } => {
            for id in ids.iter() {
                let value = VALUES.load(deps.storage, *id)?;
                let taken = TAKEN.load(deps.storage, *id)?;
                total += value - taken;
                TAKEN.save(deps.storage, *id, &value)?;
            }
            TOTAL.save(deps.storage, &total)?;
            Ok(Response::new().add_attribute("total", total))
        }
        ExecuteMsg::ReadOnly { ids } => {
            for id in ids.iter() {
                let value = VALUES.load(deps.storage, *id)?; // FINDING
                let taken = TAKEN.load(deps.storage, *id)?; // FINDING
                total += value - taken;
            }
            TOTAL.save(deps.storage, &total)?;
            Ok(Response::new().add_attribute("total", total))
        }
        ExecuteMsg::OfSender { ids } => {
            for id in ids.iter() {
                let value = VALUES.load(deps.storage, *id)?; // FINDING
                let mine = OWN.load(deps.storage, &info.sender)?;
                total += value;
                OWN.save(deps.storage, &info.sender, &(mine + value))?;
            }
            TOTAL.save(deps.storage, &total)?;
            Ok(Response::new().add_attribute("total", total))
        }
        ExecuteMsg::OfOther { ids, others } => {
            for id in ids.iter() {
                let value = VALUES.load(deps.storage, *id)?; // FINDING
                for other in others.iter() {
                    let taken = TAKEN.load(deps.storage, *other)?;
                    TAKEN.save(deps.storage, *other, &(taken + value))?;
                }
                total += value;
            }
            TOTAL.save(deps.storage, &total)?;
            Ok(Response::new().add_attribute("total", total))
        }
        ExecuteMsg::Crossed { ids } => {
            for id in ids.iter() {
                let value = VALUES.load(deps.storage, *id)?; // FINDING
                total += value;
                let taken = TAKEN.load(deps.storage, *id)?;
                CROSS.save(deps.storage, *id, &taken)?;
            }
            TOTAL.save(deps.storage, &total)?;
            Ok(Response::new().add_attribute("total", total))
        }
        ExecuteMsg::First { ids } => {
            for _ in 0..3 {
                total += VALUES.load(deps.storage, ids[0])?;
            }
            TOTAL.save(deps.storage, &total)?;
            Ok(Response::new())
        }
        ExecuteMsg::Span { ids } => {
            if ids.iter().max() == ids.iter().min() {
                return Err(StdError::generic_err("one"));
            }
            for id in ids.iter() {
                let value = VALUES.load(deps.storage, *id)?; // FINDING
                total += value;
            }
            TOTAL.save(deps.storage, &total)?;
            Ok(Response::new().add_attribute("total", total))
        }
        ExecuteMsg::Paired { ids, others } => {
            if ids.len() != others.len() {
                return Err(StdError::generic_err("length"));
            }
            for id in ids.iter() {
                let value = VALUES.load(deps.storage, *id)?; // FINDING
                total += value;
            }
            TOTAL.save(deps.storage, &total)?;
            Ok(Response::new().add_attribute("total", total))
        }
        ExecuteMsg::PairedLeft { ids, others } => {
            if others.len() != ids.len() {
                return Err(StdError::generic_err("length"));
            }
            for id in ids.iter() {
                let value = VALUES.load(deps.storage, *id)?; // FINDING
                total += value;
            }
            TOTAL.save(deps.storage, &total)?;
            Ok(Response::new().add_attribute("total", total))
        }
        ExecuteMsg::OtherDeduplicated { ids, others } => {
            let mut others = others;
            others.dedup();
            for id in ids.iter() {
                let value = VALUES.load(deps.storage, *id)?; // FINDING
                total += value;
            }
            TOTAL.save(deps.storage, &total)?;
            Ok(Response::new().add_attribute("total", total))
        }
        ExecuteMsg::Gathered { ids } => {
            let set: HashSet<u64> = lists::gather(&ids);
            if set.len() < 2 {
                return Err(StdError::generic_err("few"));
            }
            for id in ids.iter() {
                let value = VALUES.load(deps.storage, *id)?;
                total += value;
            }
            TOTAL.save(deps.storage, &total)?;
            Ok(Response::new().add_attribute("total", total))
        }
        ExecuteMsg::FromIter { ids } => {
            let set = BTreeSet::from_iter(ids.iter());
            if set.is_empty() {
                return Err(StdError::generic_err("few"));
            }
            for id in ids.iter() {
                let value = VALUES.load(deps.storage, *id)?;
                total += value;
            }
            TOTAL.save(deps.storage, &total)?;
            Ok(Response::new().add_attribute("total", total))
        }
        ExecuteMsg::AskedEach { ids } => {
            for id in ids.iter() {
                if lists::is_duplicate(&ids, id) {
                    return Err(StdError::generic_err("twice"));
                }
                let value = VALUES.load(deps.storage, *id)?;
                total += value;
            }
            TOTAL.save(deps.storage, &total)?;
            Ok(Response::new().add_attribute("total", total))
        }
        ExecuteMsg::AskedOnce { ids } => {
            lists::duplicate_notice(&ids);
            for id in ids.iter() {
                let value = VALUES.load(deps.storage, *id)?; // FINDING
                total += value;
            }
            TOTAL.save(deps.storage, &total)?;
            Ok(Response::new().add_attribute("total", total))
        }
        ExecuteMsg::Told { ids } => {
            let mut messages = vec![];
            for id in ids.iter() {
                let lock = LOCKS.load(deps.storage, *id)?;
                messages.push(BankMsg::Send { to_address: lock.owner.to_string(), amount: vec![] });
            }
            Ok(Response::new().add_messages(messages))
        }
        ExecuteMsg::Paid { ids } => {
            let mut messages = vec![];
            for id in ids.iter() {
                let value = VALUES.load(deps.storage, *id)?; // FINDING
                messages.push(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(value.u128(), "uatom") });
            }
            Ok(Response::new().add_messages(messages))
        }
        ExecuteMsg::Besides { ids } => {
            let mut found = Uint128::zero();
            for id in ids.iter() {
                let value = VALUES.load(deps.storage, *id)?;
                found = value;
            }
            total += VALUES.load(deps.storage, 5)?;
            total += Uint128::from(found.is_zero() as u64);
            TOTAL.save(deps.storage, &total)?;
            Ok(Response::new().add_attribute("total", total))
        }
        ExecuteMsg::Subtracted { ids } => {
            for id in ids.iter() {
                let value = VALUES.load(deps.storage, *id)?;
                total -= value;
            }
            TOTAL.save(deps.storage, &total)?;
            Ok(Response::new().add_attribute("total", total))
        }
        ExecuteMsg::Counted { ids } => {
            for id in ids.iter() {
                let value = VALUES.load(deps.storage, *id)?;
                if value.is_zero() {
                    continue;
                }
                total += Uint128::one();
            }
            TOTAL.save(deps.storage, &total)?;
            Ok(Response::new().add_attribute("total", total))
        }
        ExecuteMsg::CountedSafely { ids } => {
            for id in ids.iter() {
                let value = VALUES.load(deps.storage, *id)?;
                if value.is_zero() {
                    continue;
                }
                total = total.checked_add(Uint128::one())?;
            }
            TOTAL.save(deps.storage, &total)?;
            Ok(Response::new().add_attribute("total", total))
        }
        ExecuteMsg::Largest { ids } => {
            for id in ids.iter() {
                let value = VALUES.load(deps.storage, *id)?;
                total = total.max(value);
            }
            TOTAL.save(deps.storage, &total)?;
            Ok(Response::new().add_attribute("total", total))
        }
        ExecuteMsg::SavedLater { ids } => {
            for id in ids.iter() {
                let value = VALUES.load(deps.storage, *id)?;
                if value.is_zero() {
                    return Err(StdError::generic_err("zero"));
                }
            }
            VALUES.save(deps.storage, 1, &total)?;
            TOTAL.save(deps.storage, &total)?;
            Ok(Response::new().add_attribute("total", total))
        }
        ExecuteMsg::RemovedBefore { ids } => {
            VALUES.remove(deps.storage, 1);
            for id in ids.iter() {
                let value = VALUES.load(deps.storage, *id)?;
                if value.is_zero() {
                    return Err(StdError::generic_err("zero"));
                }
            }
            TOTAL.save(deps.storage, &total)?;
            Ok(Response::new().add_attribute("total", total))
        }
        ExecuteMsg::RemovedOther { ids } => {
            for id in ids.iter() {
                let value = VALUES.load(deps.storage, *id)?;
                if value.is_zero() {
                    return Err(StdError::generic_err("zero"));
                }
            }
            SEEN.remove(deps.storage, 1);
            TOTAL.save(deps.storage, &total)?;
            Ok(Response::new().add_attribute("total", total))
        }
        ExecuteMsg::Setup { one, two } => {
            LEFT.save(deps.storage, &Side { denom: one, weight: 1 })?;
            RIGHT.save(deps.storage, &Side { denom: two, weight: 2 })?;
            Ok(Response::new())
        }
    }
}

#[entry_point]
pub fn sudo(deps: DepsMut, _env: Env, msg: SudoMsg) -> StdResult<Response> {
    let SudoMsg::Pay { ids } = msg;
    let mut total = Uint128::zero();
    for id in ids.iter() {
        total += VALUES.load(deps.storage, *id)?;
    }
    TOTAL.save(deps.storage, &total)?;
    Ok(Response::new())
}
`,
    ],
    safe: [
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, Binary, CosmosMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, WasmMsg};
use cw_storage_plus::Map;

pub struct Route { pub target: Addr, pub least: u128 }
pub const ROUTES: Map<String, Route> = Map::new("routes");
pub const PREPARED: Map<String, Addr> = Map::new("prepared");
pub enum ExecuteMsg { Exchange { denoms: Vec<String> }, GiveBack { ids: Vec<String> } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let mut messages: Vec<CosmosMsg> = vec![];
    match msg {
        ExecuteMsg::Exchange { denoms } => {
            for denom in denoms {
                let route = ROUTES.load(deps.storage, denom.clone())?;
                let held = deps.querier.query_balance(&env.contract.address, denom)?;
                messages.push(CosmosMsg::Wasm(WasmMsg::Execute { contract_addr: route.target.to_string(), msg: Binary::default(), funds: vec![held] }));
            }
        }
        ExecuteMsg::GiveBack { ids } => {
            for id in ids.iter() {
                if PREPARED.load(deps.storage, id.clone())? != info.sender {
                    return Err(StdError::generic_err("owner"));
                }
            }
            for id in ids {
                PREPARED.remove(deps.storage, id);
            }
        }
    }
    Ok(Response::new().add_messages(messages))
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, BankMsg, Coin, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Storage, Uint128, WasmMsg};
use cw_storage_plus::{Item, Map};

pub struct Side { pub denom: String, pub held: Uint128 }
pub struct Fee { pub name: String }
pub const LEFT: Item<Side> = Item::new("left");
pub const RIGHT: Item<Side> = Item::new("right");
pub const FEE: Item<Fee> = Item::new("fee");
pub struct InstantiateMsg { pub one: String, pub two: String, pub fee: String }

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, _info: MessageInfo, msg: InstantiateMsg) -> StdResult<Response> {
    if msg.one == msg.two {
        return Err(StdError::generic_err("same"));
    }
    LEFT.save(deps.storage, &Side { denom: msg.one, held: Uint128::zero() })?;
    RIGHT.save(deps.storage, &Side { denom: msg.two, held: Uint128::zero() })?;
    FEE.save(deps.storage, &Fee { name: msg.fee })?;
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, BankMsg, Coin, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Storage, Uint128, WasmMsg};
use cw_storage_plus::{Item, Map};

pub struct Lock { pub id: u64, pub receiver: Addr, pub amount: Uint128 }
pub const LOCKS: Map<u64, Lock> = Map::new("locks");
pub enum ExecuteMsg { Unlock { ids: Vec<u64> } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Unlock { ids } => {
            let mut ids = ids;
            ids.sort();
            ids.dedup();
            let mine: Vec<Lock> = ids
                .iter()
                .filter_map(|id| LOCKS.load(deps.storage, *id).ok())
                .filter(|lock| lock.receiver == info.sender)
                .collect();
            let mut sum = Uint128::zero();
            for lock in mine.iter() {
                LOCKS.remove(deps.storage, lock.id);
                sum += lock.amount;
            }
            let amount = vec![Coin { denom: "uluna".to_string(), amount: sum }];
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount }))
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::Map;

pub struct Lock { pub owner: Addr, pub amount: Uint128 }
pub const LOCKS: Map<u64, Lock> = Map::new("locks");
pub enum ExecuteMsg { Withdraw { ids: Vec<u64> } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Withdraw { ids } => {
            let mut total = Uint128::zero();
            for id in ids {
                let lock = LOCKS.load(deps.storage, id)?;
                if lock.owner != info.sender {
                    return Err(StdError::generic_err("unauthorized"));
                }
                total += lock.amount;
                LOCKS.remove(deps.storage, id);
            }
            let pay = BankMsg::Send { to_address: info.sender.to_string(), amount: coins(total.u128(), "uatom") };
            Ok(Response::new().add_message(pay))
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, BankMsg, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::Map;

pub const PRIZES: Map<(&str, u64), Uint128> = Map::new("prizes");
pub enum ExecuteMsg { Claim { ids: Vec<u64> } }

fn distinct(mut ids: Vec<u64>) -> Vec<u64> {
    ids.sort_unstable();
    ids.dedup();
    ids
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Claim { ids } => {
            let ids = distinct(ids);
            let mut total = Uint128::zero();
            for id in &ids {
                total += PRIZES.load(deps.storage, (info.sender.as_str(), *id))?;
            }
            for id in ids {
                PRIZES.remove(deps.storage, (info.sender.as_str(), id));
            }
            let pay = BankMsg::Send { to_address: info.sender.to_string(), amount: coins(total.u128(), "uatom") };
            Ok(Response::new().add_message(pay))
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::Map;
use std::collections::BTreeSet;

pub const LOCKS: Map<u64, Uint128> = Map::new("locks");
pub enum ExecuteMsg { Withdraw { ids: Vec<u64> } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Withdraw { ids } => {
            let unique: BTreeSet<u64> = ids.iter().copied().collect();
            if unique.len() != ids.len() {
                return Err(StdError::generic_err("twice"));
            }
            let mut total = Uint128::zero();
            for id in ids.iter() {
                total += LOCKS.load(deps.storage, *id)?;
            }
            for id in ids {
                LOCKS.remove(deps.storage, id);
            }
            let send = BankMsg::Send { to_address: info.sender.to_string(), amount: coins(total.u128(), "uatom") };
            Ok(Response::new().add_message(send))
        }
    }
}
`,
      `use std::collections::BTreeSet;
use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::Map;

pub struct Lock { pub owner: Addr, pub amount: Uint128 }
pub const LOCKS: Map<u64, Lock> = Map::new("locks");
pub enum ExecuteMsg { Withdraw { ids: Vec<u64> }, Take { ids: BTreeSet<u64> } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let mut total = Uint128::zero();
    match msg {
        ExecuteMsg::Withdraw { ids } => {
            let different: BTreeSet<u64> = ids.into_iter().collect();
            for id in different.iter() {
                let lock = LOCKS.load(deps.storage, *id)?;
                if lock.owner != info.sender {
                    return Err(StdError::generic_err("owner"));
                }
                total += lock.amount;
            }
            for id in different {
                LOCKS.remove(deps.storage, id);
            }
        }
        ExecuteMsg::Take { ids } => {
            for id in &ids {
                let lock = LOCKS.load(deps.storage, *id)?;
                if lock.owner != info.sender {
                    return Err(StdError::generic_err("owner"));
                }
                total += lock.amount;
            }
            for id in ids {
                LOCKS.remove(deps.storage, id);
            }
        }
    }
    Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(total.u128(), "uatom") }))
}
`,
      `use cosmwasm_std::{entry_point, DepsMut, Env, MessageInfo, Response, StdResult};
use cw_storage_plus::Item;

pub struct Fee { pub rate: u64, pub least: u64 }
pub const ON_BUYING: Item<Fee> = Item::new("on_buying");
pub const ON_SELLING: Item<Fee> = Item::new("on_selling");
pub struct InstantiateMsg { pub buying: Fee, pub selling: Fee }

// Two whole records may well be alike.
#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, _info: MessageInfo, msg: InstantiateMsg) -> StdResult<Response> {
    ON_BUYING.save(deps.storage, &msg.buying)?;
    ON_SELLING.save(deps.storage, &msg.selling)?;
    Ok(Response::new())
}
`,
    ],
  },
}

/**
 * Two records of the same kind that are set up with two parts of the message that are never required to differ: a pool
 * of a token with itself.
 */
const equalTwins = ({ entryPoints, containers }: CosmWasmCrate): ReadonlyArray<Event> => {
  const typeOf = new Map(containers.map(({ term, value }) => [term, definitionOf(value)]))
  return entryPoints
    .filter(({ kind }) => kind === "instantiate")
    .flatMap(({ events, message, walk }) => {
      const parts = storageWrites(events).flatMap(({ container, key, path, value, event }) => {
        const type = typeOf.get(container)
        return key !== undefined || path === "" || type === undefined || rootOf(value) !== message
          ? []
          : [{ container, path, value, event, type }]
      })
      const isAsked = comparedPairs(walk.success, new Set(parts.map(({ value }) => value)))
      const alike = [...Map.groupBy(parts, ({ type }) => type).values()].flatMap((ofType) => [
        ...Map.groupBy(ofType, ({ path }) => path).values(),
      ])
      return alike.flatMap((twins) =>
        twins
          .filter((other, index) =>
            twins.some(
              (one, earlier) =>
                earlier < index &&
                other.container !== one.container &&
                other.value !== one.value &&
                !isAsked(one.value, other.value),
            ),
          )
          .map(({ event }) => event),
      )
    })
}

/** Whether a fact is about both of two values. */
const comparedPairs = (facts: Iterable<Term>, values: ReadonlySet<Term>): ((one: Term, other: Term) => boolean) => {
  const together = new Map<Term, Set<Term>>()
  for (const fact of facts) {
    const about = [...everySubterm([fact])].filter((one) => values.has(one))
    if (about.length < 2) continue
    for (const one of about) together.set(one, new Set([...(together.get(one) ?? []), ...about]))
  }
  return (one, other) => together.get(one)?.has(other) === true
}
