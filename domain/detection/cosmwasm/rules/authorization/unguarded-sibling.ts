import type { Rule } from "../../../Rule.ts"
import { mentions, type Term } from "../../../rust/terms/terms.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import { unaskedOwners } from "../../authority/askedOwners.ts"
import { honorsHelperResult, isReceiveHook } from "../../authority/authority.ts"
import type { CosmWasmProgram } from "../../program/model.ts"
import { keptIn } from "../../authority/openness.ts"
import { openPowerOf } from "../../open/openPowers.ts"
import { isLostCheck } from "../../authority/senderConcern.ts"
import { paysNamed } from "../../authority/records.ts"
import { storedPlace } from "../../program/semantics.ts"
import {
  callsOf,
  type Effect,
  effectsOf,
  isGuarded,
  isNewNumber,
  isSuspect,
  oddOneOut,
  ownSite,
} from "../../authority/siblingEffects.ts"
import { unreturnedErrors } from "../../inputs/unreturnedErrors.ts"
import { wayTo } from "../../questions/way.ts"

export const unguardedSibling: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/authorization/unguarded-sibling",
    class: "missing-auth",
    title: "Sender check missing where sibling messages have one",
    severity: "high",
    confidence: "medium",
    cwe: [862],
    description:
      "Every other message that changes this part of the storage compares the sender with an address that the " +
      "contract trusts, or changes only the sender's own entry. This one lets the caller choose what to change " +
      "and never checks the sender, so any account on the chain can do what is reserved for the owner, the " +
      "governing contract or the account that the entry belongs to.",
    remediation:
      "Compare `info.sender` as the other messages do, before anything is written. If the message is meant to " +
      "be open to everyone, restrict what it writes to values derived from the contract's own state.",
    references: ["https://docs.cosmwasm.com/core/architecture/semantics", "https://docs.rs/cw-ownable"],
  },
  check: (program, report) => {
    for (const crate of program.crates) {
      const unreturned = new Set(unreturnedErrors(crate).map(({ definition }) => definition))
      const kept = keptIn(crate)
      const byContainer = new Map<Term, Array<Effect>>()
      for (const entry of crate.entryPoints)
        for (const handler of entry.handlers)
          for (const effect of [...effectsOf(entry, handler), ...callsOf(entry, handler)]) {
            if (entry.kind === "instantiate" && effect.key !== undefined) continue
            const known = byContainer.get(effect.container)
            if (known === undefined) byContainer.set(effect.container, [effect])
            else known.push(effect)
          }
      for (const effects of byContainer.values()) {
        const suspects = new Set(effects.filter(isSuspect).map(({ handler }) => handler))
        const asking = effects
          .filter((one) => isGuarded(one) && !suspects.has(one.handler))
          .map(({ handler }) => handler)
        if (new Set(asking).size < suspects.size) continue
        for (const effect of effects) {
          const { entry, handler } = effect
          if (!isSuspect(effect) || isReceiveHook(handler) || honorsHelperResult(handler)) continue
          if (handler.events.some((one) => unreturned.has(one.function) || isLostCheck(entry, one))) continue
          // What it opens to everybody is told as such.
          if (openPowerOf({ entry, handler, ...kept }) !== undefined) break
          if (paysNamed(handler, effect.container)) continue
          const isCall = storedPlace(effect.container) !== undefined
          report({
            ...ownSite(effect, effects),
            trace: wayTo(handler, effect.event),
            ...(isCall
              ? {
                  message: "Other messages check the sender before they call this contract.",
                  severity: "low" as const,
                }
              : {}),
          })
          break
        }
      }
      for (const { handler, event, asking } of unaskedOwners(crate))
        report({
          ...placeOf(event),
          message: `The owner of what this message is about need not be its sender, as in ${asking.length} other messages.`,
          trace: wayTo(handler, event),
        })
      const odd = oddOneOut(crate)
      if (odd === undefined || odd.handler.events.some((one) => unreturned.has(one.function))) continue
      if (openPowerOf({ ...odd, ...kept }) !== undefined || isPaidFor(odd) || isNewNumber(odd)) continue
      report({
        ...placeOf(odd.event),
        message: "Every other message of this contract checks its sender.",
        // The others say nothing of what this one does.
        severity: "low",
        trace: wayTo(odd.handler, odd.event),
      })
    }
  },
  examples: {
    vulnerable: [
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::{Item, Map};

pub struct Bond { pub holder: Addr, pub amount: u128 }
pub const BONDS: Map<&str, Bond> = Map::new("bonds");
pub const HOLDERS: Map<&str, Addr> = Map::new("holders");
pub const TREASURY: Item<Addr> = Item::new("treasury");
pub enum ExecuteMsg { Drop { id: String }, Cancel { id: String } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Cancel { id } => {
            if HOLDERS.load(deps.storage, &id)? != info.sender {
                return Err(StdError::generic_err("holder"));
            }
            BONDS.remove(deps.storage, &id);
            Ok(Response::new())
        }
        ExecuteMsg::Drop { id } => {
            let bond = BONDS.load(deps.storage, &id)?;
            BONDS.remove(deps.storage, &id); // FINDING
            let pay = BankMsg::Send { to_address: TREASURY.load(deps.storage)?.to_string(), amount: coins(bond.amount, "uatom") };
            Ok(Response::new().add_message(pay).add_attribute("holder", bond.holder))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, WasmMsg};
use cw_storage_plus::{Item, Map};

pub const PARENT: Item<Addr> = Item::new("parent");
pub const SEEN: Map<u64, u64> = Map::new("seen");
pub const DONE: Map<u64, bool> = Map::new("done");
pub enum ExecuteMsg { Extension { msg: Ext }, Stop {}, Hand { to: String } }
pub enum Ext { Note { id: u64, at: u64 }, Done { id: u64 } }

fn by_parent(deps: &DepsMut, info: &MessageInfo) -> StdResult<()> {
    if info.sender != PARENT.load(deps.storage)? {
        return Err(StdError::generic_err("parent"));
    }
    Ok(())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Extension { msg } => match msg {
            Ext::Note { id, at } => {
                SEEN.save(deps.storage, id, &at)?; // FINDING
                Ok(Response::new())
            }
            Ext::Done { id } => {
                by_parent(&deps, &info)?;
                DONE.save(deps.storage, id, &true)?;
                Ok(Response::new())
            }
        },
        ExecuteMsg::Stop {} => {
            by_parent(&deps, &info)?;
            let contract_addr = PARENT.load(deps.storage)?.to_string();
            Ok(Response::new().add_message(WasmMsg::Execute { contract_addr, msg: to_json_binary("stop")?, funds: vec![] }))
        }
        ExecuteMsg::Hand { to } => {
            by_parent(&deps, &info)?;
            PARENT.save(deps.storage, &deps.api.addr_validate(&to)?)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::{Item, Map};

pub struct Config { pub dao: Addr }
pub const CONFIG: Item<Config> = Item::new("config");
pub const MEMBERS: Map<&str, u64> = Map::new("members");
pub enum ExecuteMsg { Add { name: String, weight: u64 }, Drop { name: String } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Add { name, weight } => {
            let config = CONFIG.load(deps.storage)?;
            if info.sender != config.dao {
                return Err(StdError::generic_err("unauthorized"));
            }
            MEMBERS.save(deps.storage, &name, &weight)?;
            Ok(Response::new())
        }
        ExecuteMsg::Drop { name } => {
            MEMBERS.remove(deps.storage, &name); // FINDING
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdResult};
use cw_storage_plus::Map;

pub const STAKES: Map<&Addr, u64> = Map::new("stakes");
pub enum ExecuteMsg { Claim {}, Changed(Change) }
pub struct Change { pub addr: Addr, pub amount: u64 }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Claim {} => {
            STAKES.save(deps.storage, &info.sender, &0)?;
            Ok(Response::new())
        }
        ExecuteMsg::Changed(change) => {
            STAKES.save(deps.storage, &change.addr, &change.amount)?; // FINDING
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::{Item, Map};

pub const GOVERNOR: Item<Addr> = Item::new("governor");
pub const CAPS: Map<&str, u128> = Map::new("caps");
pub enum ExecuteMsg { List { governor: String, denom: String, cap: u128 }, Drop { denom: String } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::List { governor, denom, cap } => {
            if info.sender != deps.api.addr_validate(&governor)? {
                return Err(StdError::generic_err("governor"));
            }
            CAPS.save(deps.storage, &denom, &cap)?; // FINDING
        }
        ExecuteMsg::Drop { denom } => {
            if info.sender != GOVERNOR.load(deps.storage)? {
                return Err(StdError::generic_err("governor"));
            }
            CAPS.remove(deps.storage, &denom);
        }
    }
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, Decimal, DepsMut, Env, MessageInfo, Response, StdError, StdResult, WasmMsg};
use cw_storage_plus::{Item, Map};

pub struct Market { pub token: String, pub factor: Decimal }
pub const ADMIN: Item<Addr> = Item::new("admin");
pub const ORACLE: Item<Addr> = Item::new("oracle");
pub const MARKETS: Map<&str, Market> = Map::new("markets");
pub enum ExecuteMsg { List { token: String, factor: Decimal }, Adjust { token: String, factor: Decimal }, Feed { price: Decimal }, Pause { until: u64 } }

fn only_admin(deps: &DepsMut, info: &MessageInfo) -> StdResult<()> {
    if info.sender == ADMIN.load(deps.storage)? { Ok(()) } else { Err(StdError::generic_err("admin")) }
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::List { token, factor } => {
            if MARKETS.has(deps.storage, &token) {
                return Err(StdError::generic_err("listed"));
            }
            MARKETS.save(deps.storage, &token, &Market { token: token.clone(), factor })?; // FINDING
            Ok(Response::new())
        }
        ExecuteMsg::Adjust { token, factor } => {
            only_admin(&deps, &info)?;
            let mut market = MARKETS.load(deps.storage, &token)?;
            market.factor = factor;
            MARKETS.save(deps.storage, &token, &market)?;
            Ok(Response::new())
        }
        ExecuteMsg::Feed { price } => {
            let contract_addr = ORACLE.load(deps.storage)?.to_string();
            let call = WasmMsg::Execute { contract_addr, msg: to_json_binary(&price)?, funds: vec![] }; // FINDING
            Ok(Response::new().add_message(call))
        }
        ExecuteMsg::Pause { until } => {
            only_admin(&deps, &info)?;
            let contract_addr = ORACLE.load(deps.storage)?.to_string();
            let call = WasmMsg::Execute { contract_addr, msg: to_json_binary(&until)?, funds: vec![] };
            Ok(Response::new().add_message(call))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::{Item, Map};

pub const ADMIN: Item<Addr> = Item::new("admin");
pub const OFFER: Item<Addr> = Item::new("offer");
pub const POLLS: Map<u64, u64> = Map::new("polls");
pub enum ExecuteMsg { Offer { to: String }, Withdraw {}, Open { id: u64, ends: u64 }, Close { id: u64 } }

fn only_admin(deps: &DepsMut, info: &MessageInfo) -> StdResult<()> {
    if info.sender == ADMIN.load(deps.storage)? { Ok(()) } else { Err(StdError::generic_err("admin")) }
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Offer { to } => {
            only_admin(&deps, &info)?;
            OFFER.save(deps.storage, &deps.api.addr_validate(&to)?)?;
        }
        ExecuteMsg::Withdraw {} => OFFER.remove(deps.storage), // FINDING
        ExecuteMsg::Open { id, ends } => {
            if ends <= env.block.height {
                return Err(StdError::generic_err("ends in the past"));
            }
            POLLS.save(deps.storage, id, &ends)?; // FINDING
        }
        ExecuteMsg::Close { id } => {
            only_admin(&deps, &info)?;
            POLLS.remove(deps.storage, id);
        }
    }
    Ok(Response::new())
}
`,
      // Whoever accepts an offer is paid.
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, BankMsg, Coin, DepsMut, Env, MessageInfo, QuerierWrapper, Response, StdError, StdResult, WasmMsg};
use cw721_base::msg::{OwnerOfResponse, QueryMsg};
use cw_storage_plus::Map;

pub struct Offer { pub collection: Addr, pub buyer: Addr, pub price: Coin }
pub const OFFERS: Map<(Addr, String), Offer> = Map::new("offers");
pub enum ExecuteMsg {
    Offer { collection: Addr, token_id: String },
    Accept { collection: Addr, token_id: String },
    Lend { collection: Addr, token_id: String, to: String },
    Lock { collection: Addr, token_id: String },
}

fn only_owner(querier: &QuerierWrapper, info: &MessageInfo, collection: &Addr, token_id: &str) -> StdResult<()> {
    let query = QueryMsg::OwnerOf { token_id: token_id.to_string(), include_expired: None };
    let owner: OwnerOfResponse = querier.query_wasm_smart(collection.clone(), &query)?;
    if owner.owner != info.sender.to_string() {
        return Err(StdError::generic_err("not the owner"));
    }
    Ok(())
}

fn moved(collection: &Addr, token_id: String, recipient: String) -> StdResult<WasmMsg> {
    let msg = cw721::Cw721ExecuteMsg::TransferNft { recipient, token_id };
    Ok(WasmMsg::Execute { contract_addr: collection.to_string(), msg: to_json_binary(&msg)?, funds: vec![] }) // FINDING
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Offer { collection, token_id } => {
            let offer = Offer { collection: collection.clone(), buyer: info.sender, price: info.funds[0].clone() };
            OFFERS.save(deps.storage, (collection, token_id), &offer)?;
            Ok(Response::new())
        }
        ExecuteMsg::Accept { collection, token_id } => {
            let offered = OFFERS.load(deps.storage, (collection.clone(), token_id.clone()))?;
            if offered.collection != collection {
                return Err(StdError::generic_err("another collection"));
            }
            let offer = OFFERS.load(deps.storage, (collection.clone(), token_id.clone()))?;
            OFFERS.remove(deps.storage, (collection, token_id.clone()));
            Ok(Response::new()
                .add_message(moved(&offer.collection, token_id, offer.buyer.to_string())?)
                .add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: vec![offer.price] }))
        }
        ExecuteMsg::Lend { collection, token_id, to } => {
            only_owner(&deps.querier, &info, &collection, &token_id)?;
            Ok(Response::new().add_message(moved(&collection, token_id, to)?))
        }
        ExecuteMsg::Lock { collection, token_id } => {
            only_owner(&deps.querier, &info, &collection, &token_id)?;
            Ok(Response::new().add_message(moved(&collection, token_id, env.contract.address.to_string())?))
        }
    }
}
`,
    ],
    safe: [
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, DepsMut, Env, MessageInfo, QuerierWrapper, Response, StdError, StdResult, WasmMsg};
use cw721::{Cw721ExecuteMsg, OwnerOfResponse};
use cw721_base::msg::QueryMsg;
use cw_storage_plus::{Item, Map};

pub const ADMIN: Item<Addr> = Item::new("admin");
pub const REGISTRY: Item<Addr> = Item::new("registry");
pub const DEPOSITORS: Map<(Addr, String), Addr> = Map::new("depositors");
pub enum ExecuteMsg {
    Lend { collection: Addr, token_id: String },
    Rescue { collection: Addr, token_id: String },
    Ping { collection: Addr, token_id: String },
    Join { club: Addr, seat: String },
    Leave { club: Addr, seat: String },
    Wave { club: Addr, seat: String },
    Bid { auction: Addr, lot: String },
    Outbid { auction: Addr, lot: String },
    Call { auction: Addr, lot: String },
    Store { shed: Addr, box_id: String },
    Fetch { shed: Addr, box_id: String },
    Dust { shed: Addr, box_id: String },
}

fn owner_of(querier: &QuerierWrapper, collection: &Addr, token_id: &str) -> StdResult<String> {
    let query = QueryMsg::OwnerOf { token_id: token_id.to_string(), include_expired: None };
    let owner: OwnerOfResponse = querier.query_wasm_smart(collection.clone(), &query)?;
    Ok(owner.owner)
}

fn moved(collection: &Addr, token_id: String, recipient: String) -> StdResult<Response> {
    let msg = to_json_binary(&Cw721ExecuteMsg::TransferNft { recipient, token_id })?;
    Ok(Response::new().add_message(WasmMsg::Execute { contract_addr: collection.to_string(), msg, funds: vec![] }))
}

fn must(holds: bool) -> StdResult<()> {
    if holds { Ok(()) } else { Err(StdError::generic_err("not the owner")) }
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let sender = info.sender.to_string();
    let own = env.contract.address.to_string();
    match msg {
        // Only one asks for the owner of tokens.
        ExecuteMsg::Lend { collection, token_id } => {
            must(owner_of(&deps.querier, &collection, &token_id)? == sender)?;
            moved(&collection, token_id, own)
        }
        ExecuteMsg::Rescue { collection, token_id } => {
            must(info.sender == ADMIN.load(deps.storage)?)?;
            moved(&collection, token_id, sender)
        }
        ExecuteMsg::Ping { collection, token_id } => moved(&collection, token_id, own),
        // Whoever is in the registry is nobody in particular.
        ExecuteMsg::Join { club, seat } => {
            must(owner_of(&deps.querier, &REGISTRY.load(deps.storage)?, "door")? == sender)?;
            moved(&club, seat, own)
        }
        ExecuteMsg::Leave { club, seat } => {
            must(owner_of(&deps.querier, &REGISTRY.load(deps.storage)?, "door")? == sender)?;
            moved(&club, seat, sender)
        }
        ExecuteMsg::Wave { club, seat } => moved(&club, seat, own),
        // All but the owner may bid.
        ExecuteMsg::Bid { auction, lot } => {
            must(owner_of(&deps.querier, &auction, &lot)? != sender)?;
            moved(&auction, lot, own)
        }
        ExecuteMsg::Outbid { auction, lot } => {
            must(owner_of(&deps.querier, &auction, &lot)? != sender)?;
            moved(&auction, lot, own)
        }
        ExecuteMsg::Call { auction, lot } => moved(&auction, lot, own),
        // Who stored it is known here.
        ExecuteMsg::Store { shed, box_id } => {
            must(info.sender == DEPOSITORS.load(deps.storage, (shed.clone(), box_id.clone()))?)?;
            moved(&shed, box_id, own)
        }
        ExecuteMsg::Fetch { shed, box_id } => {
            must(info.sender == DEPOSITORS.load(deps.storage, (shed.clone(), box_id.clone()))?)?;
            moved(&shed, box_id, sender)
        }
        ExecuteMsg::Dust { shed, box_id } => moved(&shed, box_id, own),
    }
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, BankMsg, Coin, DepsMut, Env, MessageInfo, QuerierWrapper, Response, StdError, StdResult, WasmMsg};
use cw721_base::msg::{OwnerOfResponse, QueryMsg};
use cw_storage_plus::Map;

pub struct Offer { pub collection: Addr, pub buyer: Addr, pub price: Coin }
pub const OFFERS: Map<(Addr, String), Offer> = Map::new("offers");
pub enum ExecuteMsg {
    Offer { collection: Addr, token_id: String },
    Accept { collection: Addr, token_id: String },
    Lend { collection: Addr, token_id: String, to: String },
    Lock { collection: Addr, token_id: String },
}

fn only_owner(querier: &QuerierWrapper, info: &MessageInfo, collection: &Addr, token_id: &str) -> StdResult<()> {
    let query = QueryMsg::OwnerOf { token_id: token_id.to_string(), include_expired: None };
    let owner: OwnerOfResponse = querier.query_wasm_smart(collection.clone(), &query)?;
    if owner.owner != info.sender.to_string() {
        return Err(StdError::generic_err("not the owner"));
    }
    Ok(())
}

fn moved(collection: &Addr, token_id: String, recipient: String) -> StdResult<WasmMsg> {
    let msg = cw721::Cw721ExecuteMsg::TransferNft { recipient, token_id };
    Ok(WasmMsg::Execute { contract_addr: collection.to_string(), msg: to_json_binary(&msg)?, funds: vec![] })
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Offer { collection, token_id } => {
            let offer = Offer { collection: collection.clone(), buyer: info.sender, price: info.funds[0].clone() };
            OFFERS.save(deps.storage, (collection, token_id), &offer)?;
            Ok(Response::new())
        }
        ExecuteMsg::Accept { collection, token_id } => {
            only_owner(&deps.querier, &info, &collection, &token_id)?;
            let offer = OFFERS.load(deps.storage, (collection.clone(), token_id.clone()))?;
            OFFERS.remove(deps.storage, (collection, token_id.clone()));
            Ok(Response::new()
                .add_message(moved(&offer.collection, token_id, offer.buyer.to_string())?)
                .add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: vec![offer.price] }))
        }
        ExecuteMsg::Lend { collection, token_id, to } => {
            only_owner(&deps.querier, &info, &collection, &token_id)?;
            Ok(Response::new().add_message(moved(&collection, token_id, to)?))
        }
        ExecuteMsg::Lock { collection, token_id } => {
            only_owner(&deps.querier, &info, &collection, &token_id)?;
            Ok(Response::new().add_message(moved(&collection, token_id, env.contract.address.to_string())?))
        }
    }
}
`,
      // One of the permissions granted beforehand is used up.
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::{Item, Map};

pub const OWNER: Item<Addr> = Item::new("owner");
pub const GRANTS: Item<u64> = Item::new("grants");
pub const LEFT: Map<&str, u64> = Map::new("left");
pub const HOOKS: Item<Vec<String>> = Item::new("hooks");
pub enum ExecuteMsg { Add { hook: String }, Clear { hook: String }, Reset { hook: String } }

fn owner_only(deps: &DepsMut, info: &MessageInfo) -> StdResult<()> {
    if OWNER.load(deps.storage)? != info.sender {
        return Err(StdError::generic_err("owner"));
    }
    Ok(())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Add { hook } => {
            let left = GRANTS.load(deps.storage)?.checked_sub(1).ok_or_else(|| StdError::generic_err("none"))?;
            GRANTS.save(deps.storage, &left)?;
            HOOKS.save(deps.storage, &vec![hook])?;
        }
        ExecuteMsg::Clear { hook } => {
            owner_only(&deps, &info)?;
            HOOKS.save(deps.storage, &vec![hook])?;
        }
        ExecuteMsg::Reset { hook } => {
            owner_only(&deps, &info)?;
            HOOKS.save(deps.storage, &vec![hook])?;
        }
    }
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Map;

pub struct Bond { pub holder: Addr, pub amount: u128, pub tip: u128 }
pub const BONDS: Map<&str, Bond> = Map::new("bonds");
pub enum ExecuteMsg { Release { id: String }, Cancel { id: String } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Cancel { id } => {
            let bond = BONDS.load(deps.storage, &id)?;
            if bond.holder != info.sender {
                return Err(StdError::generic_err("holder"));
            }
            BONDS.remove(deps.storage, &id);
            Ok(Response::new())
        }
        ExecuteMsg::Release { id } => {
            let bond = BONDS.load(deps.storage, &id)?;
            BONDS.remove(deps.storage, &id);
            let pay = BankMsg::Send { to_address: bond.holder.to_string(), amount: coins(bond.amount, "uatom") };
            let tip = BankMsg::Send { to_address: info.sender.to_string(), amount: coins(bond.tip, "uatom") };
            Ok(Response::new().add_message(pay).add_message(tip))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Map;

pub struct Booking { pub guest: Addr, pub night: u64 }
pub struct Room { pub owner: Addr, pub bookings: Vec<Booking>, pub open: bool }
pub const ROOMS: Map<&str, Room> = Map::new("rooms");
pub enum ExecuteMsg { Cancel { room: String, night: u64 }, Close { room: String }, Open { room: String } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Cancel { room, night } => {
            let mut record = ROOMS.load(deps.storage, &room)?;
            let mut position: i32 = -1;
            for (i, booking) in record.bookings.iter().enumerate() {
                if booking.guest == info.sender && booking.night == night {
                    position = i as i32;
                }
            }
            if position == -1 {
                return Err(StdError::generic_err("no such booking"));
            }
            record.bookings.remove(position as usize);
            ROOMS.save(deps.storage, &room, &record)?;
        }
        ExecuteMsg::Close { room } => set(deps, &info, &room, false)?,
        ExecuteMsg::Open { room } => set(deps, &info, &room, true)?,
    }
    Ok(Response::new())
}

fn set(deps: DepsMut, info: &MessageInfo, room: &str, open: bool) -> StdResult<()> {
    let mut record = ROOMS.load(deps.storage, room)?;
    if record.owner != info.sender {
        return Err(StdError::generic_err("not the owner"));
    }
    record.open = open;
    ROOMS.save(deps.storage, room, &record)
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::{Item, Map};

pub const PARENT: Item<Addr> = Item::new("parent");
pub const SEEN: Map<u64, u64> = Map::new("seen");
pub const DONE: Map<u64, bool> = Map::new("done");
pub const NOTES: Map<&Addr, String> = Map::new("notes");
pub const TICKS: Item<u64> = Item::new("ticks");
pub enum ExecuteMsg { See { id: u64, at: u64 }, Done { id: u64 }, Note { text: String }, Tick {} }

fn by_parent(deps: &DepsMut, info: &MessageInfo) -> StdResult<()> {
    if info.sender != PARENT.load(deps.storage)? {
        return Err(StdError::generic_err("parent"));
    }
    Ok(())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::See { id, at } => {
            by_parent(&deps, &info)?;
            SEEN.save(deps.storage, id, &at)?;
        }
        ExecuteMsg::Done { id } => {
            by_parent(&deps, &info)?;
            DONE.save(deps.storage, id, &true)?;
        }
        ExecuteMsg::Note { text } => NOTES.save(deps.storage, &info.sender, &text)?,
        ExecuteMsg::Tick {} => {
            TICKS.update(deps.storage, |ticks| -> StdResult<_> { Ok(ticks + 1) })?;
        }
    }
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::{Item, Map};

pub struct Config { pub dao: Addr }
pub const CONFIG: Item<Config> = Item::new("config");
pub const MEMBERS: Map<&str, u64> = Map::new("members");
pub enum ExecuteMsg { Add { name: String, weight: u64 }, Drop { name: String } }

fn only_dao(deps: &DepsMut, info: &MessageInfo) -> StdResult<()> {
    let config = CONFIG.load(deps.storage)?;
    if info.sender == config.dao { Ok(()) } else { Err(StdError::generic_err("unauthorized")) }
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Add { name, weight } => {
            only_dao(&deps, &info)?;
            MEMBERS.save(deps.storage, &name, &weight)?;
            Ok(Response::new())
        }
        ExecuteMsg::Drop { name } => {
            only_dao(&deps, &info)?;
            MEMBERS.remove(deps.storage, &name);
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::{Item, Map};

pub struct Config { pub dao: Addr }
pub struct Vote { pub until: u64, pub open: bool }
pub const CONFIG: Item<Config> = Item::new("config");
pub const VOTES: Map<u64, Vote> = Map::new("votes");
pub enum ExecuteMsg { Open { id: u64, until: u64 }, Close { id: u64 } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Open { id, until } => {
            if info.sender != CONFIG.load(deps.storage)?.dao {
                return Err(StdError::generic_err("unauthorized"));
            }
            VOTES.save(deps.storage, id, &Vote { until, open: true })?;
            Ok(Response::new())
        }
        ExecuteMsg::Close { id } => {
            let mut vote = VOTES.load(deps.storage, id)?;
            if env.block.height < vote.until {
                return Err(StdError::generic_err("open"));
            }
            vote.open = false;
            VOTES.save(deps.storage, id, &vote)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, Coin, DepsMut, DistributionMsg, Env, MessageInfo, Response, StakingMsg, StdError, StdResult};
use cw_storage_plus::Item;

pub const OPERATOR: Item<Addr> = Item::new("operator");
pub enum ExecuteMsg { Bond { validator: String, amount: Coin }, Unbond { validator: String, amount: Coin }, Harvest { validator: String } }

fn by_operator(deps: &DepsMut, info: &MessageInfo) -> StdResult<()> {
    if OPERATOR.load(deps.storage)? != info.sender {
        return Err(StdError::generic_err("operator"));
    }
    Ok(())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Bond { validator, amount } => {
            by_operator(&deps, &info)?;
            Ok(Response::new().add_message(StakingMsg::Delegate { validator, amount }))
        }
        ExecuteMsg::Unbond { validator, amount } => {
            by_operator(&deps, &info)?;
            Ok(Response::new().add_message(StakingMsg::Undelegate { validator, amount }))
        }
        ExecuteMsg::Harvest { validator } => {
            Ok(Response::new().add_message(DistributionMsg::WithdrawDelegatorReward { validator }))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Item;
use simple_voting::SimpleVoting;

pub const OWNER: Item<Addr> = Item::new("owner");
pub const VOTING: SimpleVoting = SimpleVoting::new("voting");
pub enum ExecuteMsg { Open { id: u64 }, Veto { id: u64 }, Count { id: u64 } }

fn by_owner(deps: &DepsMut, info: &MessageInfo) -> StdResult<()> {
    if OWNER.load(deps.storage)? != info.sender {
        return Err(StdError::generic_err("owner"));
    }
    Ok(())
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Open { id } => {
            by_owner(&deps, &info)?;
            VOTING.open(deps.storage, id)?;
        }
        ExecuteMsg::Veto { id } => {
            by_owner(&deps, &info)?;
            VOTING.veto(deps.storage, id)?;
        }
        ExecuteMsg::Count { id } => {
            VOTING.count(deps.storage, &env.block, id)?;
        }
    }
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, Decimal, DepsMut, Env, MessageInfo, Response, StdError, StdResult, WasmMsg};
use cw_storage_plus::{Item, Map};

pub struct Market { pub token: String, pub factor: Decimal }
pub const ADMIN: Item<Addr> = Item::new("admin");
pub const ORACLE: Item<Addr> = Item::new("oracle");
pub const MARKETS: Map<&str, Market> = Map::new("markets");
pub const OWNERS: Map<&str, Addr> = Map::new("owners");
pub enum ExecuteMsg { List { token: String, factor: Decimal }, Adjust { token: String, factor: Decimal }, Feed { price: Decimal }, Pause { until: u64 } }

fn only_admin(deps: &DepsMut, info: &MessageInfo) -> StdResult<()> {
    if info.sender == ADMIN.load(deps.storage)? { Ok(()) } else { Err(StdError::generic_err("admin")) }
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::List { token, factor } => {
            if MARKETS.has(deps.storage, &token) {
                return Err(StdError::generic_err("listed"));
            }
            if !factor.is_zero() {
                only_admin(&deps, &info)?;
            }
            OWNERS.save(deps.storage, &token, &info.sender)?;
            MARKETS.save(deps.storage, &token, &Market { token: token.clone(), factor })?;
            Ok(Response::new())
        }
        ExecuteMsg::Adjust { token, factor } => {
            only_admin(&deps, &info)?;
            let mut market = MARKETS.load(deps.storage, &token)?;
            market.factor = factor;
            MARKETS.save(deps.storage, &token, &market)?;
            Ok(Response::new())
        }
        ExecuteMsg::Feed { price } => {
            reporters::paid(&info, &price)?;
            let contract_addr = ORACLE.load(deps.storage)?.to_string();
            let call = WasmMsg::Execute { contract_addr, msg: to_json_binary(&price)?, funds: vec![] };
            Ok(Response::new().add_message(call))
        }
        ExecuteMsg::Pause { until } => {
            only_admin(&deps, &info)?;
            let contract_addr = ORACLE.load(deps.storage)?.to_string();
            let call = WasmMsg::Execute { contract_addr, msg: to_json_binary(&until)?, funds: vec![] };
            Ok(Response::new().add_message(call))
        }
    }
}
`,
      `use cosmwasm_std::{ensure, entry_point, Addr, Deps, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw20::Cw20ReceiveMsg;
use cw_storage_plus::{Item, Map};

pub const OWNER: Item<Addr> = Item::new("owner");
pub const NAMES: Map<String, String> = Map::new("names");
pub const MARKS: Map<String, u64> = Map::new("marks");
pub const POINTS: Map<String, Uint128> = Map::new("points");
pub const LEVELS: Map<String, u64> = Map::new("levels");
pub const GRADES: Map<String, u64> = Map::new("grades");
pub enum ExecuteMsg { Name { name: String, url: String }, Mark { who: String }, Receive(Cw20ReceiveMsg), Points { to: String, amount: Uint128 }, Level { to: String, level: u64 }, Raise { to: String, level: u64 }, Grade { to: String, grade: u64 }, Pass { to: String, grade: u64 } }

fn assert_owner(deps: Deps, who: &Addr) -> StdResult<()> {
    ensure!(OWNER.load(deps.storage)? == who, StdError::generic_err("owner"));
    Ok(())
}

fn assert_grade(grade: u64) -> StdResult<()> {
    if grade > 9 {
        StdError::generic_err("grade");
    }
    Ok(())
}

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, info: MessageInfo, _msg: ExecuteMsg) -> StdResult<Response> {
    OWNER.save(deps.storage, &info.sender)?;
    NAMES.save(deps.storage, "home".into(), &"/".into())?;
    Ok(Response::new())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        // Anyone may add names, the deployer only came first.
        ExecuteMsg::Name { name, url } => NAMES.save(deps.storage, name, &url)?,
        // No other message says who may mark whom.
        ExecuteMsg::Mark { who } => {
            MARKS.save(deps.storage, info.sender.to_string(), &1)?;
            MARKS.save(deps.storage, who, &0)?;
        }
        // The token that calls is the question of another rule.
        ExecuteMsg::Receive(wrapper) => POINTS.save(deps.storage, wrapper.sender, &wrapper.amount)?,
        ExecuteMsg::Points { to, amount } => {
            assert_owner(deps.as_ref(), &info.sender)?;
            POINTS.save(deps.storage, to, &amount)?;
        }
        ExecuteMsg::Level { to, level } => {
            assert_owner(deps.as_ref(), &info.sender)?;
            LEVELS.save(deps.storage, to, &level)?;
        }
        // So is a check whose answer is dropped,
        ExecuteMsg::Raise { to, level } => {
            let _ = assert_owner(deps.as_ref(), &info.sender);
            LEVELS.save(deps.storage, to, &level)?;
        }
        ExecuteMsg::Grade { to, grade } => {
            assert_owner(deps.as_ref(), &info.sender)?;
            GRADES.save(deps.storage, to, &grade)?;
        }
        // and an error that is made and not returned.
        ExecuteMsg::Pass { to, grade } => {
            assert_grade(grade)?;
            GRADES.save(deps.storage, to, &grade)?;
        }
    }
    Ok(Response::new())
}`,
      `use cosmwasm_std::{ensure, entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::{Item, Map};

pub const OWNER: Item<Addr> = Item::new("owner");
pub const LEVELS: Map<String, u64> = Map::new("levels");
pub const GRADES: Map<String, u64> = Map::new("grades");
pub const BADGES: Map<String, u64> = Map::new("badges");
pub enum ExecuteMsg { Level { to: String, level: u64 }, Grade { to: String, grade: u64 }, Badge { to: String, badge: u64 } }

fn assert_level(level: u64) -> StdResult<()> {
    if level > 9 {
        StdError::generic_err("level");
    }
    Ok(())
}

// An error that is made and not returned is the question of another rule.
#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Level { to, level } => {
            assert_level(level)?;
            LEVELS.save(deps.storage, to, &level)?;
        }
        ExecuteMsg::Grade { to, grade } => {
            ensure!(OWNER.load(deps.storage)? == info.sender, StdError::generic_err("owner"));
            GRADES.save(deps.storage, to, &grade)?;
        }
        ExecuteMsg::Badge { to, badge } => {
            ensure!(OWNER.load(deps.storage)? == info.sender, StdError::generic_err("owner"));
            BADGES.save(deps.storage, to, &badge)?;
        }
    }
    Ok(Response::new())
}`,
      `use cosmwasm_std::{coins, ensure, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Map;

pub struct Bond { pub holder: Addr, pub amount: u128 }
pub const BONDS: Map<&str, Bond> = Map::new("bonds");
pub const HOLDERS: Map<&str, Addr> = Map::new("holders");
pub enum ExecuteMsg { Add { id: String, amount: u128 }, Pay { id: String } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Add { id, amount } => {
            ensure!(HOLDERS.load(deps.storage, &id)? == info.sender, StdError::generic_err("holder"));
            BONDS.save(deps.storage, &id, &Bond { holder: info.sender, amount })?;
            Ok(Response::new())
        }
        // Whoever sends it, the holder is paid.
        ExecuteMsg::Pay { id } => {
            let mut bond = BONDS.load(deps.storage, &id)?;
            let pay = BankMsg::Send { to_address: bond.holder.to_string(), amount: coins(bond.amount, "uatom") };
            bond.amount = 0;
            BONDS.save(deps.storage, &id, &bond)?;
            Ok(Response::new().add_message(pay))
        }
    }
}`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::{Item, Map};

pub const ADMIN: Item<Addr> = Item::new("admin");
pub const OFFER: Item<Addr> = Item::new("offer");
pub const POLLS: Map<u64, u64> = Map::new("polls");
pub const UNTIL: Item<u64> = Item::new("until");
pub enum ExecuteMsg { Offer { to: String }, Withdraw {}, Open { id: u64, ends: u64 }, Close { id: u64 } }

fn only_admin(deps: &DepsMut, info: &MessageInfo) -> StdResult<()> {
    if info.sender == ADMIN.load(deps.storage)? { Ok(()) } else { Err(StdError::generic_err("admin")) }
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Offer { to } => {
            only_admin(&deps, &info)?;
            OFFER.save(deps.storage, &deps.api.addr_validate(&to)?)?;
        }
        ExecuteMsg::Withdraw {} => {
            if env.block.height < UNTIL.load(deps.storage)? {
                return Err(StdError::generic_err("still open"));
            }
            OFFER.remove(deps.storage);
        }
        ExecuteMsg::Open { id, ends } => {
            if ends <= UNTIL.load(deps.storage)? + env.block.height {
                return Err(StdError::generic_err("ends in the past"));
            }
            POLLS.save(deps.storage, id, &ends)?;
        }
        ExecuteMsg::Close { id } => {
            only_admin(&deps, &info)?;
            POLLS.remove(deps.storage, id);
        }
    }
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, Deps, DepsMut, Env, MessageInfo, QueryRequest, Response, StdError, StdResult, WasmQuery};
use cw_storage_plus::{Item, Map};

pub const SPACES: Map<&str, Addr> = Map::new("spaces");
pub const PAGES: Map<(&str, &str), String> = Map::new("pages");
pub const OWNER: Item<Addr> = Item::new("owner");
pub enum ExecuteMsg { Write { space: String, page: String, text: String }, Erase { space: String, page: String } }

// The account, or whoever owns it.
fn assert_author(deps: Deps, space: &str, sender: &Addr) -> StdResult<()> {
    let account = SPACES.load(deps.storage, space)?;
    if *sender != account {
        let query = WasmQuery::Smart { contract_addr: account.to_string(), msg: to_json_binary("owner")? };
        let owner: Addr = deps.querier.query(&QueryRequest::Wasm(query))?;
        if *sender != owner {
            return Err(StdError::generic_err("author"));
        }
    }
    Ok(())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Write { space, page, text } => {
            if OWNER.load(deps.storage)? != info.sender {
                return Err(StdError::generic_err("owner"));
            }
            PAGES.save(deps.storage, (&space, &page), &text)?;
            Ok(Response::new())
        }
        ExecuteMsg::Erase { space, page } => {
            assert_author(deps.as_ref(), &space, &info.sender)?;
            PAGES.remove(deps.storage, (&space, &page));
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};
use cw_utils::may_pay;

pub struct Config { pub admin: Addr, pub limit: u32 }
pub const CONFIG: Item<Config> = Item::new("config");
pub const MEMBERS: Map<Addr, bool> = Map::new("members");
pub const START: Item<u64> = Item::new("start");
pub enum ExecuteMsg { Add { member: String }, Remove { member: String }, Start { at: u64 }, Raise { limit: u32 } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let mut config = CONFIG.load(deps.storage)?;
    match msg {
        ExecuteMsg::Add { member } => {
            only(&config, &info)?;
            MEMBERS.save(deps.storage, deps.api.addr_validate(&member)?, &true)?;
            Ok(Response::new())
        }
        ExecuteMsg::Remove { member } => {
            only(&config, &info)?;
            MEMBERS.remove(deps.storage, deps.api.addr_validate(&member)?);
            Ok(Response::new())
        }
        ExecuteMsg::Start { at } => {
            only(&config, &info)?;
            START.save(deps.storage, &at)?;
            Ok(Response::new())
        }
        ExecuteMsg::Raise { limit } => {
            if limit <= config.limit {
                return Err(StdError::generic_err("limit"));
            }
            let paid = may_pay(&info, "ustars").map_err(|_| StdError::generic_err("payment"))?;
            let fee = if limit > 1_000 { 100_000_000 } else { 0 };
            if paid.u128() != fee {
                return Err(StdError::generic_err("fee"));
            }
            config.limit = limit;
            CONFIG.save(deps.storage, &config)?;
            Ok(Response::new())
        }
    }
}

fn only(config: &Config, info: &MessageInfo) -> StdResult<()> {
    if info.sender != config.admin {
        return Err(StdError::generic_err("admin"));
    }
    Ok(())
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::{Item, Map};

pub const LAST: Item<u64> = Item::new("last");
pub const OWNERS: Map<u64, Addr> = Map::new("owners");
pub enum ExecuteMsg { Reserve { owner: String }, Pass { id: u64, to: String }, Leave { id: u64, to: String } }

fn owned(deps: &DepsMut, info: &MessageInfo, id: u64) -> StdResult<()> {
    if OWNERS.load(deps.storage, id)? != info.sender {
        return Err(StdError::generic_err("owner"));
    }
    Ok(())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        // Nobody owns the next number yet.
        ExecuteMsg::Reserve { owner } => {
            let id = LAST.load(deps.storage)? + 1;
            LAST.save(deps.storage, &id)?;
            OWNERS.save(deps.storage, id, &deps.api.addr_validate(&owner)?)?;
            Ok(Response::new())
        }
        ExecuteMsg::Pass { id, to } => {
            owned(&deps, &info, id)?;
            OWNERS.save(deps.storage, id, &deps.api.addr_validate(&to)?)?;
            Ok(Response::new())
        }
        ExecuteMsg::Leave { id, to } => {
            owned(&deps, &info, id)?;
            OWNERS.save(deps.storage, id, &deps.api.addr_validate(&to)?)?;
            OWNERS.remove(deps.storage, id);
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, WasmMsg};
use cw_storage_plus::Item;

pub struct StakeConfig { pub code: u64, pub min_bond: u128 }
pub struct Config { pub owner: Addr, pub stake: StakeConfig }
pub const CONFIG: Item<Config> = Item::new("config");
pub struct InstantiateMsg { pub config: Config }
pub enum ExecuteMsg { Create { min_bond: u128 }, SetBond { min_bond: u128 } }

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, _info: MessageInfo, msg: InstantiateMsg) -> StdResult<Response> {
    CONFIG.save(deps.storage, &msg.config)?;
    Ok(Response::new())
}
#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let mut config = CONFIG.load(deps.storage)?;
    match msg {
        ExecuteMsg::Create { min_bond } => {
            config.stake.min_bond = min_bond;
            Ok(Response::new().add_message(WasmMsg::Instantiate {
                admin: None,
                code_id: config.stake.code,
                msg: to_json_binary(&config.stake)?,
                funds: vec![],
                label: "stake".into(),
            }))
        }
        ExecuteMsg::SetBond { min_bond } => {
            if info.sender != config.owner { return Err(StdError::generic_err("owner")); }
            config.stake.min_bond = min_bond;
            CONFIG.save(deps.storage, &config)?;
            Ok(Response::new())
        }
    }
}
`,
    ],
  },
}

/** Whether it asks for a payment: who pays may be anybody. */
const isPaidFor = ({ entry: { funds }, handler }: Pick<Effect, "entry" | "handler">): boolean =>
  funds !== undefined &&
  [...handler.facts].some(
    (fact) => fact.kind === "binary" && fact.operator !== "!=" && mentions(fact, (one) => one === funds),
  )
