import type { Match, Rule } from "../../../Rule.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import { avoidableCheck } from "../../authority/avoidableChecks.ts"
import { honorsHelperResult, isAuthorized, isReceiveHook } from "../../authority/authority.ts"
import { ignoredSender } from "../../inputs/ignoredSender.ts"
import { invertedChecks } from "../../authority/invertedChecks.ts"
import type { CosmWasmProgram, Handler } from "../../program/model.ts"
import { openReplacement } from "../../open/openEntries.ts"
import { keptIn } from "../../authority/openness.ts"
import { openCallback, openPowerOf } from "../../open/openPowers.ts"
import { isLostCheck } from "../../authority/senderConcern.ts"
import { ownMessages, selfSent } from "../../open/ownMessages.ts"
import { oddOneOut } from "../../authority/siblingEffects.ts"
import { openBesideUnusedAccount } from "../../inputs/unusedAccounts.ts"
import { uncheckedTallies } from "../../saves/uncheckedTallies.ts"
import { unreturnedErrors } from "../../inputs/unreturnedErrors.ts"
import { wayTo } from "../../questions/way.ts"

export const missingSenderCheck: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/authorization/missing-sender-check",
    class: "missing-auth",
    title: "Missing sender check on a privileged message",
    severity: "critical",
    confidence: "high",
    cwe: [862],
    description:
      "The message changes who controls the contract, how it is configured, or where its funds go, without " +
      "comparing `info.sender` with an address that the contract trusts. Any account on the chain can send " +
      "execute messages: an attacker sends this one, becomes the owner or changes the configuration, and takes " +
      "the contract's funds.",
    remediation:
      "Load the stored owner first and return an error unless it equals `info.sender`; " +
      "`cw_ownable::assert_owner`, `cw_controllers::Admin::assert_admin` or an allowlist also work. Do this in " +
      "the handler or in a helper whose result is propagated with `?`.",
    references: [
      "https://docs.cosmwasm.com/core/architecture/semantics",
      "https://github.com/oak-security/cosmwasm-ctf",
      "https://docs.rs/cw-ownable",
    ],
  },
  check: (program, report) => {
    for (const crate of program.crates) {
      const kept = keptIn(crate)
      const sent = selfSent(crate)
      const own = ownMessages(sent)
      const refusesTrusted = invertedChecks(crate, sent)
      // Told by the rule on messages that deviate from all others.
      const odd = oddOneOut(crate)
      const beside = openBesideUnusedAccount(crate)
      const tallies = uncheckedTallies(crate)
      const unreturned = new Set(unreturnedErrors(crate).map(({ definition }) => definition))
      for (const entry of crate.entryPoints) {
        if (entry.kind !== "execute") continue
        for (const handler of entry.handlers) {
          // A check with an unused result is reported there; a token contract's hook is a class of its own.
          if (handler.events.some((event) => unreturned.has(event.function) || isLostCheck(entry, event))) continue
          const unasked = tallies.get(handler)
          if (unasked !== undefined)
            report({
              ...placeOf(unasked),
              message: "Members vote on this, but it is executed whatever the outcome of the vote.",
              trace: wayTo(handler, unasked),
              severity: "high",
              confidence: "medium",
            })
          if (isAuthorized(entry, handler.facts)) continue
          const inverted = refusesTrusted(handler)
          if (inverted !== undefined) {
            const message =
              "The check is inverted: it rejects the sender that other messages require, and accepts everyone else."
            report({ ...placeOf(inverted), message, trace: wayTo(handler, inverted), severity: "high" })
            continue
          }
          const avoidable = avoidableCheck(handler)
          if (avoidable !== undefined) {
            const message = "The sender is checked only if the message says so: whoever leaves that out is let through."
            report({ ...placeOf(avoidable), message, trace: wayTo(handler, avoidable), severity: "high" })
            continue
          }
          if (isReceiveHook(handler) || honorsHelperResult(handler)) continue
          const problem =
            openPowerOf({ entry, handler, ...kept }) ??
            (own.has(handler) ? openCallback(entry, handler) : undefined) ??
            (beside?.handler === handler ? beside : undefined) ??
            (odd?.handler === handler ? undefined : openReplacement({ entry, handler, ...kept }))
          if (problem === undefined) {
            for (const one of ignoredIn(handler)) report(one)
            continue
          }
          const { event, message, severity, confidence } = problem
          report({
            ...placeOf(event),
            message,
            trace: wayTo(handler, event),
            ...(severity === undefined ? {} : { severity }),
            ...(confidence === undefined ? {} : { confidence }),
          })
        }
      }
    }
  },
  examples: {
    vulnerable: [
      // That nothing may be paid keeps nobody out.
      `use cosmwasm_std::{ensure_eq, entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Item;
use cw_utils::nonpayable;

pub const OWNER: Item<Addr> = Item::new("owner");
pub const FEE: Item<u64> = Item::new("fee");
pub const CAP: Item<u64> = Item::new("cap");
pub enum ExecuteMsg { SetFee { to: u64 }, SetCap { to: u64 }, Reset {}, Widen {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::SetFee { to } => {
            nonpayable(&info).map_err(|e| StdError::generic_err(e.to_string()))?;
            FEE.save(deps.storage, &to)?; // FINDING
            Ok(Response::new())
        }
        ExecuteMsg::SetCap { to } => {
            if !info.funds.is_empty() { return Err(StdError::generic_err("funds")); }
            CAP.save(deps.storage, &to)?; // FINDING
            Ok(Response::new())
        }
        ExecuteMsg::Reset {} => {
            ensure_eq!(info.sender, OWNER.load(deps.storage)?, StdError::generic_err("owner"));
            FEE.save(deps.storage, &0)?;
            Ok(Response::new())
        }
        ExecuteMsg::Widen {} => {
            ensure_eq!(info.sender, OWNER.load(deps.storage)?, StdError::generic_err("owner"));
            CAP.save(deps.storage, &u64::MAX)?;
            Ok(Response::new())
        }
    }
}`,
      // Whoever names a parent is not checked; whoever names none writes below the owner.
      `use cosmwasm_std::{ensure, entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Storage};
use cw_storage_plus::{Item, Map};

pub const OWNER: Item<Addr> = Item::new("owner");
pub const PATHS: Map<(Addr, String), Addr> = Map::new("paths");
pub enum ExecuteMsg { Add { name: String, address: Addr, parent: Option<Addr> }, Use { name: String } }

fn is_owner(storage: &dyn Storage, who: &Addr) -> StdResult<bool> {
    Ok(OWNER.load(storage)? == *who)
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Add { name, address, parent } => {
            ensure!(parent.is_some() || is_owner(deps.storage, &info.sender)?, StdError::generic_err("owner"));
            let parent = parent.unwrap_or(info.sender);
            PATHS.save(deps.storage, (parent, name), &address)?; // FINDING
            Ok(Response::new())
        }
        ExecuteMsg::Use { name } => {
            let path = PATHS.load(deps.storage, (info.sender.clone(), name))?;
            ensure!(path == info.sender, StdError::generic_err("path"));
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{ensure, entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Storage};
use cw_storage_plus::{Item, Map};

pub const OWNER: Item<Addr> = Item::new("owner");
pub const PATHS: Map<(Addr, String), Addr> = Map::new("paths");
pub enum ExecuteMsg { Add { name: String, address: Addr, parent: Option<Addr> }, Use { name: String } }

fn is_owner(storage: &dyn Storage, who: &Addr) -> StdResult<bool> {
    Ok(OWNER.load(storage)? == *who)
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Add { name, address, parent } => {
            ensure!(parent.is_none() || is_owner(deps.storage, &info.sender)?, StdError::generic_err("owner"));
            let parent = parent.unwrap_or(OWNER.load(deps.storage)?);
            PATHS.save(deps.storage, (parent, name), &address)?; // FINDING
            Ok(Response::new())
        }
        ExecuteMsg::Use { name } => {
            let path = PATHS.load(deps.storage, (info.sender.clone(), name))?;
            ensure!(path == info.sender, StdError::generic_err("path"));
            Ok(Response::new())
        }
    }
}
`,
      // A check that a macro derives lets anyone send this one.
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdResult};
use cw_storage_plus::Item;

pub const FEE: Item<u64> = Item::new("fee");
#[derive(EnsurePermissions)]
pub enum ExecuteMsg {
    #[permission(Any)]
    SetFee { fee: u64 },
    #[permission(Elevated)]
    Reset {},
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg.ensure_permissions(deps.storage, &info.sender)? {
        ExecuteMsg::SetFee { fee } => FEE.save(deps.storage, &fee)?, // FINDING
        ExecuteMsg::Reset {} => FEE.save(deps.storage, &0)?,
    }
    Ok(Response::new())
}
`,
      // A framework's context and macros, which ask for nobody here.
      `use cosmwasm_std::{DepsMut, Response, StdResult};
use cw_storage_plus::Item;

pub const FEE: Item<u64> = Item::new("fee");
pub enum ExecuteMsg {
    #[attrs(nonpayable)]
    SetFee { fee: u64 },
    #[attrs(restricted)]
    Reset {},
}

#[contract_execute]
pub fn execute(ctx: ExecuteContext, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::SetFee { fee } => set_fee(ctx, fee),
        ExecuteMsg::Reset {} => reset(ctx),
    }
}

fn set_fee(ctx: ExecuteContext, fee: u64) -> StdResult<Response> {
    FEE.save(ctx.deps.storage, &fee)?; // FINDING
    Ok(Response::new())
}

fn reset(ctx: ExecuteContext) -> StdResult<Response> {
    FEE.save(ctx.deps.storage, &0)?;
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{coin, entry_point, Addr, Coin, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Timestamp};
use cw_storage_plus::Item;

pub struct Base<T> { pub factory: Addr, pub extension: T }
pub struct Sale { pub admin: Addr, pub start: Timestamp, pub most: Coin, pub price: Option<Coin> }
pub type Config = Base<Sale>;
pub const CONFIG: Item<Config> = Item::new("config");
pub const LAST: Item<Timestamp> = Item::new("last");
pub enum ExecuteMsg { Start { at: Timestamp }, Price { price: u128 } }

#[entry_point]
pub fn instantiate(deps: DepsMut, env: Env, info: MessageInfo, msg: Sale) -> StdResult<Response> {
    CONFIG.save(deps.storage, &Config { factory: info.sender, extension: msg })?;
    LAST.save(deps.storage, &env.block.time)?;
    Ok(Response::new())
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Start { at } => {
            let mut config = CONFIG.load(deps.storage)?;
            if info.sender != config.extension.admin {
                return Err(StdError::generic_err("admin"));
            }
            config.extension.start = at;
            CONFIG.save(deps.storage, &config)?;
            Ok(Response::new())
        }
        ExecuteMsg::Price { price } => {
            let mut config = CONFIG.load(deps.storage)?;
            if LAST.load(deps.storage)?.plus_seconds(3600) > env.block.time {
                return Err(StdError::generic_err("too soon"));
            }
            if price > config.extension.most.amount.u128() {
                return Err(StdError::generic_err("too high"));
            }
            config.extension.price = Some(coin(price, config.extension.most.denom.clone())); // FINDING
            CONFIG.save(deps.storage, &config)?;
            LAST.save(deps.storage, &env.block.time)?;
            Ok(Response::new().add_attribute("sender", info.sender))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Order, Response, StdError, StdResult, Timestamp, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Base<T> { pub factory: Addr, pub extension: T }
pub struct Sale { pub admin: Addr, pub start: Timestamp, pub price: Uint128, pub last: u64 }
pub type Config = Base<Sale>;
pub const CONFIG: Item<Config> = Item::new("config");
pub const LEFT: Map<u64, Uint128> = Map::new("left");

#[entry_point]
pub fn instantiate(deps: DepsMut, env: Env, info: MessageInfo, _msg: ()) -> StdResult<Response> {
    let sale = Sale { admin: info.sender.clone(), start: env.block.time, price: Uint128::one(), last: 0 };
    CONFIG.save(deps.storage, &Config { factory: info.sender, extension: sale })?;
    Ok(Response::new())
}

pub enum ExecuteMsg { Start { at: Timestamp }, Price { price: Uint128 }, Burn {} }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Start { at } => {
            let mut config = CONFIG.load(deps.storage)?;
            if info.sender != config.extension.admin {
                return Err(StdError::generic_err("admin"));
            }
            if env.block.time > config.extension.start {
                return Err(StdError::generic_err("started"));
            }
            config.extension.start = at;
            CONFIG.save(deps.storage, &config)?;
            Ok(Response::new())
        }
        ExecuteMsg::Price { price } => {
            let mut config = CONFIG.load(deps.storage)?;
            if env.block.time < config.extension.start {
                return Err(StdError::generic_err("not started"));
            }
            config.extension.price = price; // FINDING
            CONFIG.save(deps.storage, &config)?;
            Ok(Response::new().add_attribute("sender", info.sender))
        }
        ExecuteMsg::Burn {} => {
            let config = CONFIG.load(deps.storage)?; // FINDING
            let keys: Vec<_> = LEFT.keys(deps.storage, None, None, Order::Ascending).collect();
            for key in keys {
                LEFT.remove(deps.storage, key?);
            }
            Ok(Response::new().add_attribute("sender", info.sender))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdResult, Storage, SubMsg, Uint128, WasmMsg};
use cw_storage_plus::{Item, Map};

pub const KEEPER: Item<Addr> = Item::new("keeper");
pub const VAULT: Item<Addr> = Item::new("vault");
pub const ROUNDS: Map<u64, u64> = Map::new("rounds");
pub const LAST: Item<u64> = Item::new("last");
pub struct InstantiateMsg { pub keeper: String, pub vault: String }
pub enum ExecuteMsg { Harvest {}, Next {}, SetKeeper { keeper: String } }

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, _info: MessageInfo, msg: InstantiateMsg) -> StdResult<Response> {
    KEEPER.save(deps.storage, &deps.api.addr_validate(&msg.keeper)?)?;
    VAULT.save(deps.storage, &deps.api.addr_validate(&msg.vault)?)?;
    LAST.save(deps.storage, &0)?;
    Ok(Response::new())
}

fn harvest(deps: DepsMut, info: MessageInfo) -> StdResult<Response> { // FINDING
    let vault = VAULT.load(deps.storage)?;
    Ok(Response::new().add_message(WasmMsg::Execute { contract_addr: vault.into(), msg: b"{}".into(), funds: vec![] }))
}

fn advance(storage: &mut dyn Storage, caller: &Addr, height: u64) -> StdResult<()> { // FINDING
    let last = LAST.load(storage)? + 1;
    ROUNDS.save(storage, last, &height)?;
    LAST.save(storage, &last)
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Harvest {} => harvest(deps, info),
        ExecuteMsg::Next {} => {
            advance(deps.storage, &info.sender, env.block.height)?;
            Ok(Response::new())
        }
        ExecuteMsg::SetKeeper { keeper } => {
            if info.sender != KEEPER.load(deps.storage)? {
                return Err(cosmwasm_std::StdError::generic_err("unauthorized"));
            }
            KEEPER.save(deps.storage, &deps.api.addr_validate(&keeper)?)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, DepsMut, Env, MessageInfo, Response, StdResult};
use cw_storage_plus::Item;

pub const TURNS: Item<u64> = Item::new("turns");
pub struct ExecuteMsg {}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, _msg: ExecuteMsg) -> StdResult<Response> { // FINDING
    TURNS.save(deps.storage, &1)?;
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::{Item, Map};

pub struct Token { pub owner: Addr, pub uri: String, pub until: u64 }
pub const ADMIN: Item<Addr> = Item::new("admin");
pub const OFFERED: Item<Addr> = Item::new("offered");
pub const TOKENS: Map<&str, Token> = Map::new("tokens");
pub enum ExecuteMsg {
    Offer { to: String },
    Accept {},
    Mint { id: String, uri: String },
    SetUri { id: String, uri: String },
    Burn { id: String },
    Transfer { id: String, to: String },
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Offer { to } => {
            if info.sender != ADMIN.load(deps.storage)? {
                return Err(StdError::generic_err("admin"));
            }
            OFFERED.save(deps.storage, &deps.api.addr_validate(&to)?)?;
            Ok(Response::new())
        }
        ExecuteMsg::Accept {} => accept(deps, info),
        ExecuteMsg::Mint { id, uri } => {
            if TOKENS.has(deps.storage, &id) {
                return Err(StdError::generic_err("taken"));
            }
            TOKENS.save(deps.storage, &id, &Token { owner: info.sender, uri, until: env.block.height + 1000 })?;
            Ok(Response::new())
        }
        ExecuteMsg::SetUri { id, uri } => set_uri(deps, info, id, uri),
        ExecuteMsg::Burn { id } => burn(deps, env, info, id),
        ExecuteMsg::Transfer { id, to } => {
            let mut token = TOKENS.load(deps.storage, &id)?;
            if token.owner != info.sender {
                return Err(StdError::generic_err("owner"));
            }
            token.owner = deps.api.addr_validate(&to)?;
            TOKENS.save(deps.storage, &id, &token)?;
            Ok(Response::new())
        }
    }
}

fn accept(deps: DepsMut, _info: MessageInfo) -> StdResult<Response> {
    let next = OFFERED.load(deps.storage)?;
    OFFERED.remove(deps.storage);
    ADMIN.save(deps.storage, &next)?; // FINDING
    Ok(Response::new())
}

fn set_uri(deps: DepsMut, _info: MessageInfo, id: String, uri: String) -> StdResult<Response> {
    TOKENS.update(deps.storage, &id, |token| -> StdResult<Token> {
        let mut token = token.ok_or_else(|| StdError::generic_err("unknown"))?;
        token.uri = uri; // FINDING
        Ok(token)
    })?;
    Ok(Response::new())
}

fn burn(deps: DepsMut, _env: Env, _info: MessageInfo, id: String) -> StdResult<Response> {
    TOKENS.remove(deps.storage, &id); // FINDING
    Ok(Response::new())
}`,
      `use cosmwasm_std::{entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdResult};
use cw_storage_plus::Item;

pub const OWNER: Item<Addr> = Item::new("owner");
pub enum ExecuteMsg { Sweep { denoms: Vec<String> } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let ExecuteMsg::Sweep { denoms } = msg;
    let messages = denoms
        .iter()
        .map(|denom| {
            let held = deps.querier.query_balance(env.contract.address.clone(), denom)?;
            Ok(BankMsg::Send { to_address: info.sender.to_string(), amount: vec![held] }) // FINDING
        })
        .collect::<StdResult<Vec<BankMsg>>>()?;
    Ok(Response::new().add_messages(messages))
}
`,
      `use cosmwasm_std::{entry_point, Addr, BankMsg, Coin, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::Map;

pub struct Booking { pub guest: Addr, pub night: u64, pub deposit: Uint128 }
pub struct Room { pub owner: Addr, pub bookings: Vec<Booking> }
pub const ROOMS: Map<&str, Room> = Map::new("rooms");
pub enum ExecuteMsg { Cancel { room: String, night: u64 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Cancel { room, night } => {
            let mut record = ROOMS.load(deps.storage, &room)?;
            let mut position: i32 = -1;
            let mut deposit = Uint128::zero();
            for (i, booking) in record.bookings.iter().enumerate() {
                if booking.night == night {
                    position = i as i32;
                    deposit = booking.deposit;
                }
            }
            if position == -1 {
                return Err(StdError::generic_err("no such booking"));
            }
            record.bookings.remove(position as usize);
            ROOMS.save(deps.storage, &room, &record)?;
            let amount = vec![Coin { denom: "uatom".to_string(), amount: deposit }];
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount })) // FINDING
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Map;

pub struct Room { pub name: String }
pub const ROOMS: Map<&str, Room> = Map::new("rooms");
pub const OPERATORS: Map<(&Addr, u8), Addr> = Map::new("operators");
pub enum ExecuteMsg { Approve { owner: String, operator: String, slot: u8 }, Rename { owner: String, room: String, slot: u8 } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Approve { owner, operator, slot } => {
            let owner = deps.api.addr_validate(&owner)?;
            let operator = deps.api.addr_validate(&operator)?;
            OPERATORS.save(deps.storage, (&owner, slot), &operator)?; // FINDING
            Ok(Response::new())
        }
        ExecuteMsg::Rename { owner, room, slot } => {
            let owner = deps.api.addr_validate(&owner)?;
            if OPERATORS.load(deps.storage, (&owner, slot))? != info.sender {
                return Err(StdError::generic_err("not allowed"));
            }
            ROOMS.save(deps.storage, &room, &Room { name: room.clone() })?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, BlockInfo, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Timestamp};
use cw_storage_plus::Map;

pub struct Member { pub paid_until: Timestamp, pub level: u8 }
impl Member {
    pub fn is_over(&self, block: &BlockInfo) -> bool {
        self.paid_until <= block.time
    }
}
pub const MEMBERS: Map<&Addr, Member> = Map::new("members");
pub enum ExecuteMsg { End { members: Vec<String> } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::End { members } => {
            for one in members {
                let one = deps.api.addr_validate(&one)?;
                let member = MEMBERS.load(deps.storage, &one)?;
                if member.level < 3 {
                    MEMBERS.remove(deps.storage, &one); // FINDING
                }
            }
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, BankMsg, Coin, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Storage, Uint128, WasmMsg};
use cw_storage_plus::{Item, Map};

pub const FOUND: Item<u64> = Item::new("found");
pub enum ExecuteMsg { Start {}, Own(Callback) }
pub enum Callback { Count {}, Finish {} }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Start {} => {
            let count = to_json_binary(&ExecuteMsg::Own(Callback::Count {}))?;
            let finish = to_json_binary(&ExecuteMsg::Own(Callback::Finish {}))?;
            let own = env.contract.address.to_string();
            Ok(Response::new()
                .add_message(WasmMsg::Execute { contract_addr: own.clone(), msg: count, funds: vec![] })
                .add_message(WasmMsg::Execute { contract_addr: own, msg: finish, funds: vec![] }))
        }
        ExecuteMsg::Own(callback) => {
            match callback {
                Callback::Count {} => {
                    let found = FOUND.may_load(deps.storage)?.unwrap_or(0);
                    FOUND.save(deps.storage, &(found + 1))?; // FINDING
                    Ok(Response::new())
                }
                Callback::Finish {} => {
                    if info.sender != env.contract.address {
                        return Err(StdError::generic_err("own"));
                    }
                    FOUND.save(deps.storage, &0)?;
                    Ok(Response::new())
                }
            }
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, Coin, DepsMut, Env, MessageInfo, Response, StakingMsg, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Stream { pub open: bool, pub rate: Uint128, pub paid: Uint128 }
pub const OWNER: Item<Addr> = Item::new("owner");
pub const STREAMS: Map<u64, Stream> = Map::new("streams");
pub struct MsgBurn { pub sender: String, pub amount: Uint128 }
pub enum ExecuteMsg { Open { id: u64 }, Rate { id: u64, rate: Uint128 }, Move { from: String, to: String }, Burn { amount: Uint128 }, Pay { id: u64 } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Open { id } => {
            if OWNER.load(deps.storage)? != info.sender {
                return Err(StdError::generic_err("unauthorized"));
            }
            STREAMS.save(deps.storage, id, &Stream { open: true, rate: Uint128::zero(), paid: Uint128::zero() })?;
            Ok(Response::new())
        }
        ExecuteMsg::Rate { id, rate } => {
            let mut stream = STREAMS.load(deps.storage, id)?;
            stream.rate = rate; // FINDING
            STREAMS.save(deps.storage, id, &stream)?;
            Ok(Response::new().add_attribute("by", info.sender))
        }
        ExecuteMsg::Move { from, to } => {
            let amount = Coin::new(1u128, "uatom");
            Ok(Response::new().add_message(StakingMsg::Redelegate { src_validator: from, dst_validator: to, amount })) // FINDING
        }
        ExecuteMsg::Burn { amount } => {
            let burn = MsgBurn { sender: env.contract.address.to_string(), amount }; // FINDING
            Ok(Response::new().add_message(burn))
        }
        ExecuteMsg::Pay { id } => {
            let mut stream = STREAMS.load(deps.storage, id)?;
            stream.paid = stream.paid + stream.rate;
            STREAMS.save(deps.storage, id, &stream)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, DistributionMsg, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Item;

pub enum Policy { Anyone, Members }
pub enum Wish { Open, Closed }
pub const POLICY: Item<Policy> = Item::new("policy");
pub const OWNER: Item<Addr> = Item::new("owner");
pub enum ExecuteMsg { SetPolicy { wish: Wish }, SendRewardsTo { to: String } }

fn policy_of(wish: Wish) -> Policy {
    match wish { Wish::Open => Policy::Anyone, Wish::Closed => Policy::Members }
}

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, info: MessageInfo, _msg: ()) -> StdResult<Response> {
    OWNER.save(deps.storage, &info.sender)?;
    POLICY.save(deps.storage, &Policy::Members)?;
    Ok(Response::new())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::SetPolicy { wish } => {
            POLICY.save(deps.storage, &policy_of(wish))?; // FINDING
            Ok(Response::new())
        }
        ExecuteMsg::SendRewardsTo { to } => {
            let address = deps.api.addr_validate(&to)?.to_string();
            Ok(Response::new().add_message(DistributionMsg::SetWithdrawAddress { address })) // FINDING
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Item;

pub struct Config { pub admin: Addr, pub fee: u64 }
pub const CONFIG: Item<Config> = Item::new("config");
pub struct InstantiateMsg { pub fee: u64 }
pub enum ExecuteMsg { SetAdmin { admin: String }, SetFee { fee: u64 } }

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, info: MessageInfo, msg: InstantiateMsg) -> StdResult<Response> {
    CONFIG.save(deps.storage, &Config { admin: info.sender, fee: msg.fee })?;
    Ok(Response::new())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::SetAdmin { admin } => set_admin(deps, admin),
        ExecuteMsg::SetFee { fee } => set_fee(deps, info, fee),
    }
}

fn set_admin(deps: DepsMut, admin: String) -> StdResult<Response> {
    let admin = deps.api.addr_validate(&admin)?;
    CONFIG.update(deps.storage, |mut config| -> StdResult<_> {
        config.admin = admin; // FINDING
        Ok(config)
    })?;
    Ok(Response::new())
}

fn set_fee(deps: DepsMut, info: MessageInfo, fee: u64) -> StdResult<Response> {
    let mut config = CONFIG.load(deps.storage)?;
    if config.admin != info.sender {
        return Err(StdError::generic_err("unauthorized"));
    }
    config.fee = fee;
    CONFIG.save(deps.storage, &config)?;
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, BankMsg, Coin, DepsMut, Env, MessageInfo, Response, StdResult};

pub enum ExecuteMsg { Rescue { to: String, coins: Vec<Coin> } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Rescue { to, coins } => {
            let to = deps.api.addr_validate(&to)?;
            let send = BankMsg::Send { to_address: to.to_string(), amount: coins }; // FINDING
            Ok(Response::new().add_message(send))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::{Item, Map};

pub const OWNER: Item<Addr> = Item::new("owner");
pub const PAUSED: Item<bool> = Item::new("paused");
pub struct Vault { pub keeper: Addr, pub amount: u128 }
pub const VAULTS: Map<u64, Vault> = Map::new("vaults");
pub enum ExecuteMsg { Pause {}, Resume {}, Take { id: u64 }, Close { id: u64 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let owner = OWNER.load(deps.storage)?;
    if PAUSED.load(deps.storage)? && info.sender != owner {
        return Err(StdError::generic_err("paused"));
    }
    match msg {
        ExecuteMsg::Pause {} => {
            if info.sender != owner {
                return Err(StdError::generic_err("unauthorized"));
            }
            PAUSED.save(deps.storage, &true)?;
        }
        ExecuteMsg::Resume {} => {
            PAUSED.save(deps.storage, &false)?;
        }
        ExecuteMsg::Take { id } => {
            let mut vault = VAULTS.load(deps.storage, id)?;
            vault.keeper = info.sender; // FINDING
            VAULTS.save(deps.storage, id, &vault)?;
        }
        ExecuteMsg::Close { id } => {
            if VAULTS.load(deps.storage, id)?.keeper != info.sender {
                return Err(StdError::generic_err("unauthorized"));
            }
            VAULTS.remove(deps.storage, id);
        }
    }
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Item;

pub const OWNER: Item<Addr> = Item::new("owner");
pub const PAUSED: Item<bool> = Item::new("paused");
pub enum ExecuteMsg { Pause {}, Resume {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let by_owner = OWNER.load(deps.storage)? == info.sender;
    match msg {
        ExecuteMsg::Pause {} => {
            if !by_owner {
                return Err(StdError::generic_err("unauthorized"));
            }
            PAUSED.save(deps.storage, &true)?;
            Ok(Response::new())
        }
        ExecuteMsg::Resume {} => {
            PAUSED.save(deps.storage, &false)?; // FINDING
            Ok(Response::new().add_attribute("by_owner", by_owner.to_string()))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128, WasmMsg};
use cw721::Cw721ExecuteMsg;
use cw_storage_plus::Map;

pub struct Ask { pub seller: Addr, pub nft: Addr, pub token: String, pub price: Uint128 }
pub const ASKS: Map<u64, Ask> = Map::new("asks");
pub enum ExecuteMsg { Cancel { id: u64 }, Reprice { id: u64, price: Uint128 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Cancel { id } => {
            let ask = ASKS.load(deps.storage, id)?;
            ASKS.remove(deps.storage, id);
            let back = Cw721ExecuteMsg::TransferNft { recipient: info.sender.to_string(), token_id: ask.token };
            Ok(Response::new().add_message(WasmMsg::Execute { contract_addr: ask.nft.to_string(), funds: vec![], msg: to_json_binary(&back)? })) // FINDING
        }
        ExecuteMsg::Reprice { id, price } => {
            let mut ask = ASKS.load(deps.storage, id)?;
            if ask.seller != info.sender {
                return Err(StdError::generic_err("seller"));
            }
            ask.price = price;
            ASKS.save(deps.storage, id, &ask)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::{Item, Map};

pub struct Config { pub keeper: Addr, pub vault: Addr, pub remote: String }
pub const CONFIG: Item<Config> = Item::new("config");
pub struct Memo { pub from: String, pub to: String }
pub enum ExecuteMsg { SetVault { keeper: String, vault: String }, SetKeeper { keeper: String }, Arrived { memo: Memo } }

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, info: MessageInfo, _msg: Empty) -> StdResult<Response> {
    let remote = "osmo1".to_string();
    CONFIG.save(deps.storage, &Config { keeper: info.sender.clone(), vault: info.sender, remote })?;
    Ok(Response::new())
}

fn names_itself(info: &MessageInfo, keeper: &str) -> StdResult<()> {
    if info.sender.as_str() != keeper {
        return Err(StdError::generic_err("keeper"));
    }
    Ok(())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let mut config = CONFIG.load(deps.storage)?;
    match msg {
        ExecuteMsg::SetVault { keeper, vault } => {
            names_itself(&info, &keeper)?;
            config.vault = deps.api.addr_validate(&vault)?; // FINDING
        }
        ExecuteMsg::SetKeeper { keeper } => {
            if info.sender != config.keeper {
                return Err(StdError::generic_err("keeper"));
            }
            config.keeper = deps.api.addr_validate(&keeper)?;
        }
        ExecuteMsg::Arrived { memo } => {
            if memo.from != config.remote {
                return Err(StdError::generic_err("remote"));
            }
            return Ok(Response::new().add_message(BankMsg::Send { to_address: memo.to, amount: coins(1, "uatom") })); // FINDING
        }
    }
    CONFIG.save(deps.storage, &config)?;
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, Addr, BankMsg, Coin, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Item;

pub struct Config { pub owner: Addr, pub treasury: Addr }
pub const CONFIG: Item<Config> = Item::new("config");
pub enum ExecuteMsg { Return { coins: Vec<Coin> }, SetTreasury { treasury: String } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let mut config = CONFIG.load(deps.storage)?;
    match msg {
        ExecuteMsg::Return { coins } => {
            let to_address = config.treasury.to_string();
            return Ok(Response::new().add_message(BankMsg::Send { to_address, amount: coins })); // FINDING
        }
        ExecuteMsg::SetTreasury { treasury } => {
            if info.sender != config.owner {
                return Err(StdError::generic_err("owner"));
            }
            config.treasury = deps.api.addr_validate(&treasury)?;
        }
    }
    CONFIG.save(deps.storage, &config)?;
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, WasmMsg};
use cw_storage_plus::Item;

pub const OWNER: Item<Addr> = Item::new("owner");
pub const LIMIT: Item<u64> = Item::new("limit");
pub const ROUND: Item<u64> = Item::new("round");
pub enum ExecuteMsg { SetLimit { limit: u64 }, Next {}, Run {}, After {}, Also {} }

fn only_owner(deps: &DepsMut, sender: &Addr) -> StdResult<()> {
    if sender == OWNER.load(deps.storage)? { // FINDING
        return Err(StdError::generic_err("owner"));
    }
    Ok(())
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::SetLimit { limit } => {
            only_owner(&deps, &info.sender)?;
            LIMIT.save(deps.storage, &limit)?;
            Ok(Response::new())
        }
        ExecuteMsg::Next {} => {
            if info.sender != OWNER.load(deps.storage)? {
                return Err(StdError::generic_err("owner"));
            }
            ROUND.save(deps.storage, &2)?;
            Ok(Response::new())
        }
        ExecuteMsg::Run {} => {
            let own = env.contract.address.to_string();
            let after = WasmMsg::Execute { contract_addr: own.clone(), msg: to_json_binary(&ExecuteMsg::After {})?, funds: vec![] };
            let also = WasmMsg::Execute { contract_addr: own, msg: to_json_binary(&ExecuteMsg::Also {})?, funds: vec![] };
            Ok(Response::new().add_message(after).add_message(also))
        }
        ExecuteMsg::Also {} => {
            if info.sender != env.contract.address {
                return Err(StdError::generic_err("own"));
            }
            ROUND.save(deps.storage, &4)?;
            Ok(Response::new())
        }
        ExecuteMsg::After {} => {
            if info.sender == env.contract.address { // FINDING
                return Err(StdError::generic_err("own"));
            }
            ROUND.save(deps.storage, &3)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, Decimal, DepsMut, Env, MessageInfo, Order, Response, StdError, StdResult, Timestamp, WasmMsg};
use cw_storage_plus::{Item, Map};

pub struct Offer { pub to: Addr, pub ends: Timestamp }
pub struct Post { pub tip: u64 }
pub const ADMIN: Item<Addr> = Item::new("admin");
pub const OFFER: Item<Offer> = Item::new("offer");
pub const POSTS: Map<(u64, Addr), Post> = Map::new("posts");
pub enum ExecuteMsg { Offer { to: String }, Accept {}, Rate { author: String, tip: u64 }, Post { round: u64 } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Offer { to } => {
            if info.sender != ADMIN.load(deps.storage)? {
                return Err(StdError::generic_err("admin"));
            }
            let ends = env.block.time.plus_days(7);
            OFFER.save(deps.storage, &Offer { to: deps.api.addr_validate(&to)?, ends })?;
            Ok(Response::new())
        }
        ExecuteMsg::Accept {} => {
            let offer = OFFER.load(deps.storage)?;
            if env.block.time > offer.ends {
                return Err(StdError::generic_err("too late"));
            }
            OFFER.remove(deps.storage);
            ADMIN.save(deps.storage, &offer.to)?; // FINDING
            Ok(Response::new())
        }
        ExecuteMsg::Rate { author, tip } => {
            let author = deps.api.addr_validate(&author)?;
            let rounds: Vec<(u64, Addr)> = POSTS.keys(deps.storage, None, None, Order::Ascending).take(9).collect::<StdResult<_>>()?;
            for (round, _) in rounds {
                POSTS.save(deps.storage, (round, author.clone()), &Post { tip })?; // FINDING
            }
            Ok(Response::new())
        }
        ExecuteMsg::Post { round } => {
            POSTS.save(deps.storage, (round, info.sender), &Post { tip: 0 })?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, DepsMut, Empty, Env, MessageInfo, Response, StdError, StdResult, Uint128, WasmMsg};
use cw_storage_plus::Item;

pub struct Config { pub vault: Addr, pub keeper: Addr, pub owner: Addr }
pub struct InstantiateMsg { pub vault: String, pub keeper: String }
pub const CONFIG: Item<Config> = Item::new("config");
pub enum ExecuteMsg { Compound { least: Uint128 }, SetOwner { owner: String } }

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, info: MessageInfo, msg: InstantiateMsg) -> StdResult<Response> {
    let (vault, keeper) = (deps.api.addr_validate(&msg.vault)?, deps.api.addr_validate(&msg.keeper)?);
    CONFIG.save(deps.storage, &Config { vault, keeper, owner: info.sender })?;
    Ok(Response::new())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let mut config = CONFIG.load(deps.storage)?; // FINDING
    match msg {
        ExecuteMsg::Compound { least } => {
            let call = WasmMsg::Execute { contract_addr: config.vault.to_string(), msg: to_json_binary(&least)?, funds: vec![] };
            Ok(Response::new().add_message(call))
        }
        ExecuteMsg::SetOwner { owner } => {
            if info.sender != config.owner {
                return Err(StdError::generic_err("owner"));
            }
            config.owner = deps.api.addr_validate(&owner)?;
            CONFIG.save(deps.storage, &config)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, WasmMsg};
use cw_storage_plus::Item;

pub struct Config { pub owner: Addr, pub router: Addr, pub cap: u64 }
pub const CONFIG: Item<Config> = Item::new("config");
pub struct InstantiateMsg { pub router: String }
pub enum ExecuteMsg { Collect {}, Distribute {}, SetCap { cap: u64 } }

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, info: MessageInfo, msg: InstantiateMsg) -> StdResult<Response> {
    let router = deps.api.addr_validate(&msg.router)?;
    CONFIG.save(deps.storage, &Config { owner: info.sender, router, cap: 9 })?;
    Ok(Response::new())
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Collect {} => {
            let contract_addr = env.contract.address.to_string();
            let call = WasmMsg::Execute { contract_addr, msg: to_json_binary(&ExecuteMsg::Distribute {})?, funds: vec![] };
            Ok(Response::new().add_message(call))
        }
        ExecuteMsg::Distribute {} => {
            let config = CONFIG.load(deps.storage)?;
            if info.sender == env.contract.address { // FINDING
                return Err(StdError::generic_err("contract"));
            }
            let call = WasmMsg::Execute { contract_addr: config.router.to_string(), msg: to_json_binary(&config.cap)?, funds: vec![] };
            Ok(Response::new().add_message(call))
        }
        ExecuteMsg::SetCap { cap } => {
            let mut config = CONFIG.load(deps.storage)?;
            if info.sender == config.owner { // FINDING
                return Err(StdError::generic_err("owner"));
            }
            config.cap = cap;
            CONFIG.save(deps.storage, &config)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{ensure, entry_point, to_json_binary, Addr, Binary, Deps, DepsMut, Env, MessageInfo, Response, StdError, StdResult, WasmMsg};
use cw_storage_plus::Item;

pub const OWNER: Item<Addr> = Item::new("owner");
pub const OPEN: Item<bool> = Item::new("open");
pub const FEE: Item<u64> = Item::new("fee");
pub enum QueryMsg { Owner {} }
pub enum ExecuteMsg { SetFee { fee: u64 }, Open {}, Start { id: u64, to: Addr }, Finish { id: u64, to: Addr } }

#[entry_point]
pub fn query(deps: Deps, _env: Env, _msg: QueryMsg) -> StdResult<Binary> {
    to_json_binary(&OWNER.load(deps.storage)?)
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::SetFee { fee } => {
            ensure!(info.sender == OWNER.load(deps.storage)?, StdError::generic_err("owner"));
            FEE.save(deps.storage, &fee)?;
            Ok(Response::new())
        }
        ExecuteMsg::Open {} => {
            ensure!(!OPEN.load(deps.storage)?, StdError::generic_err("open already"));
            ensure!(info.sender != OWNER.load(deps.storage)?, StdError::generic_err("owner")); // FINDING
            OPEN.save(deps.storage, &true)?;
            Ok(Response::new())
        }
        ExecuteMsg::Start { id, to } => {
            ensure!(info.sender == OWNER.load(deps.storage)?, StdError::generic_err("owner"));
            let msg = to_json_binary(&ExecuteMsg::Finish { id, to })?;
            Ok(Response::new().add_message(WasmMsg::Execute { contract_addr: env.contract.address.to_string(), msg, funds: vec![] }))
        }
        // It only tells who is who, whoever calls it.
        ExecuteMsg::Finish { id, to } => {
            ensure!(info.sender != to, StdError::generic_err("receiver"));
            Ok(Response::new().add_attribute("id", id.to_string()).add_attribute("to", to))
        }
    }
}`,
      `use cosmwasm_std::{entry_point, DepsMut, Env, MessageInfo, Response, StdError};
use cw_storage_plus::Map;
use cw2::set_contract_version;
pub struct InstantiateMsg { pub owner: String }
use cw_ownable::{initialize_owner, Action};
pub const SERVICES: Map<&str, String> = Map::new("services");

#[entry_point]
pub fn instantiate(deps: DepsMut, env: Env, info: MessageInfo, msg: InstantiateMsg) -> Result<Response, StdError> {
    set_contract_version(deps.storage, "crates.io:own", "1.0.0")?;
    initialize_owner(deps.storage, deps.api, Some(&msg.owner))?;
    Ok(Response::new())
}
pub enum ExecuteMsg { Point { name: String, address: String }, UpdateOwnership(Action) }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Point { name, address } => {
            let address = deps.api.addr_validate(&address)?;
            SERVICES.save(deps.storage, &name, &address.to_string())?; // FINDING
            Ok(Response::new())
        }
        ExecuteMsg::UpdateOwnership(action) => { cw_ownable::update_ownership(deps, &env.block, &info.sender, action).map_err(|e| StdError::generic_err(e.to_string()))?; Ok(Response::new()) }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, Decimal, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};
use cw2::set_contract_version;
use cw_utils::must_pay;
pub struct InstantiateMsg { pub owner: String }
pub const OWNER: Item<Addr> = Item::new("owner");

pub const RATES: Map<String, Decimal> = Map::new("rates");
pub const DEBT: Map<&Addr, Uint128> = Map::new("debt");

#[entry_point]
pub fn instantiate(deps: DepsMut, env: Env, info: MessageInfo, msg: InstantiateMsg) -> Result<Response, StdError> {
    set_contract_version(deps.storage, "crates.io:own", "1.0.0")?;
    OWNER.save(deps.storage, &deps.api.addr_validate(&msg.owner)?)?;
    Ok(Response::new())
}
pub enum ExecuteMsg { SetRate { denom: String, rate: Decimal }, Borrow { denom: String } }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::SetRate { denom, rate } => {
            if rate > Decimal::one() { return Err(StdError::generic_err("rate")); }
            RATES.save(deps.storage, denom, &rate)?; // FINDING
            Ok(Response::new())
        }
        ExecuteMsg::Borrow { denom } => {
            let sum = must_pay(&info, "ujuno").map_err(|e| StdError::generic_err(e.to_string()))?;
            let rate = RATES.load(deps.storage, denom.clone())?;
            DEBT.update(deps.storage, &info.sender, |had| -> StdResult<_> { Ok(had.unwrap_or_default() + sum * rate) })?;
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins((sum * rate).u128(), denom) }))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError};
use cw_storage_plus::Item;
use cw2::set_contract_version;
use cw_utils::must_pay;
pub struct InstantiateMsg { pub owner: String }
pub const OWNER: Item<Addr> = Item::new("owner");

use cosmwasm_std::wasm_execute;
pub enum RouterPair { Swap { to: Option<String> } }

#[entry_point]
pub fn instantiate(deps: DepsMut, env: Env, info: MessageInfo, msg: InstantiateMsg) -> Result<Response, StdError> {
    set_contract_version(deps.storage, "crates.io:own", "1.0.0")?;
    OWNER.save(deps.storage, &deps.api.addr_validate(&msg.owner)?)?;
    Ok(Response::new())
}
pub enum ExecuteMsg { Route { hops: Vec<String>, to: Option<String> }, Hop { pair: String, denom: String, to: Option<String> } }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Route { hops, to } => {
            let _ = must_pay(&info, "ujuno").map_err(|e| StdError::generic_err(e.to_string()))?;
            let mut out = vec![];
            for hop in hops { out.push(wasm_execute(env.contract.address.to_string(), &ExecuteMsg::Hop { pair: hop, denom: "ujuno".to_string(), to: to.clone() }, vec![])?); }
            Ok(Response::new().add_messages(out))
        }
        ExecuteMsg::Hop { pair, denom, to } => {
            let held = deps.querier.query_balance(&env.contract.address, &denom)?;
            Ok(Response::new().add_message(wasm_execute(pair, &RouterPair::Swap { to }, vec![held])?)) // FINDING
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::Item;
use cw2::set_contract_version;
use cw_utils::must_pay;
pub struct InstantiateMsg { pub owner: String }
pub const OWNER: Item<Addr> = Item::new("owner");

use cw_asset::Asset;
pub const HELD: Item<Uint128> = Item::new("held");

#[entry_point]
pub fn instantiate(deps: DepsMut, env: Env, info: MessageInfo, msg: InstantiateMsg) -> Result<Response, StdError> {
    set_contract_version(deps.storage, "crates.io:own", "1.0.0")?;
    OWNER.save(deps.storage, &deps.api.addr_validate(&msg.owner)?)?;
    HELD.save(deps.storage, &Uint128::zero())?;
    Ok(Response::new())
}
pub enum ExecuteMsg { Sweep { asset: Asset, to: String }, Join {} }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Sweep { asset, to } => {
            let to = deps.api.addr_validate(&to)?;
            Ok(Response::new().add_message(asset.transfer_msg(&to)?)) // FINDING
        }
        ExecuteMsg::Join {} => {
            let sum = must_pay(&info, "ujuno").map_err(|e| StdError::generic_err(e.to_string()))?;
            HELD.update(deps.storage, |had| -> StdResult<_> { Ok(had + sum) })?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, Deps, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub const BOOK: Item<Addr> = Item::new("book");
pub const POINTS: Map<(String, String), Uint128> = Map::new("points");
pub enum ExecuteMsg { Moved { user: String, denom: String, before: Uint128 }, Redeem { denom: String } }
pub enum BookQuery { Lender {} }

fn lender(deps: Deps) -> StdResult<Addr> {
    let book = BOOK.load(deps.storage)?;
    let found: Addr = deps.querier.query_wasm_smart(book, &BookQuery::Lender {})?;
    Ok(found)
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Moved { user, denom, before } => {
            let lender = lender(deps.as_ref())?; // FINDING
            let _ = lender;
            POINTS.update(deps.storage, (user, denom), |had| -> StdResult<_> { Ok(had.unwrap_or_default() + before) })?;
            Ok(Response::new())
        }
        ExecuteMsg::Redeem { denom } => {
            POINTS.remove(deps.storage, (info.sender.to_string(), denom));
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{coins, ensure, entry_point, Addr, BankMsg, Coin, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};
pub const OWNER: Item<Addr> = Item::new("owner");

pub struct Ask { pub to: Addr, pub coins: Vec<Coin>, pub paid: bool }
pub struct Count { pub for_it: Uint128, pub against: Uint128 }
pub const ASKS: Map<u64, Ask> = Map::new("asks");
pub const COUNTS: Map<u64, Count> = Map::new("counts");
pub const WEIGHTS: Map<&Addr, Uint128> = Map::new("weights");
pub const CAST: Map<(u64, &Addr), bool> = Map::new("cast");
pub const NEXT: Item<u64> = Item::new("next");

pub enum ExecuteMsg { Ask { to: String, coins: Vec<Coin> }, Cast { id: u64, agree: bool }, Settle { id: u64 } }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Ask { to, coins } => {
            WEIGHTS.load(deps.storage, &info.sender)?;
            let id = NEXT.may_load(deps.storage)?.unwrap_or_default();
            NEXT.save(deps.storage, &(id + 1))?;
            ASKS.save(deps.storage, id, &Ask { to: deps.api.addr_validate(&to)?, coins, paid: false })?;
            COUNTS.save(deps.storage, id, &Count { for_it: Uint128::zero(), against: Uint128::zero() })?;
            Ok(Response::new())
        }
        ExecuteMsg::Cast { id, agree } => {
            let weight = WEIGHTS.load(deps.storage, &info.sender)?;
            if CAST.has(deps.storage, (id, &info.sender)) { return Err(StdError::generic_err("twice")); }
            CAST.save(deps.storage, (id, &info.sender), &agree)?;
            COUNTS.update(deps.storage, id, |had| -> StdResult<_> {
                let mut had = had.ok_or_else(|| StdError::generic_err("none"))?;
                if agree { had.for_it += weight } else { had.against += weight }
                Ok(had)
            })?;
            Ok(Response::new())
        }
        ExecuteMsg::Settle { id } => {
            let mut ask = ASKS.load(deps.storage, id)?;
            ensure!(!ask.paid, StdError::generic_err("paid"));
            ask.paid = true;
            ASKS.save(deps.storage, id, &ask)?;
            Ok(Response::new().add_message(BankMsg::Send { to_address: ask.to.to_string(), amount: ask.coins })) // FINDING
        }
    }
}
`,
      `use cosmwasm_std::{ensure, ensure_eq, entry_point, Addr, CosmosMsg, DepsMut, Env, MessageInfo, Response, StdError};
use cw_storage_plus::{Item, Map};
pub const OWNER: Item<Addr> = Item::new("owner");

pub struct Tx { pub msgs: Vec<CosmosMsg>, pub approvals: Vec<Addr>, pub done: bool }
pub const TXS: Map<u64, Tx> = Map::new("txs");
pub const SIGNERS: Map<&Addr, bool> = Map::new("signers");
pub const NEEDED: Item<usize> = Item::new("needed");
pub const NEXT: Item<u64> = Item::new("next");

pub enum ExecuteMsg { Submit { msgs: Vec<CosmosMsg> }, Approve { id: u64 }, Run { id: u64 }, Sign { who: String } }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Sign { who } => {
            ensure_eq!(info.sender, OWNER.load(deps.storage)?, StdError::generic_err("owner"));
            SIGNERS.save(deps.storage, &deps.api.addr_validate(&who)?, &true)?;
            Ok(Response::new())
        }
        ExecuteMsg::Submit { msgs } => {
            ensure!(SIGNERS.has(deps.storage, &info.sender), StdError::generic_err("signer"));
            let id = NEXT.may_load(deps.storage)?.unwrap_or_default();
            NEXT.save(deps.storage, &(id + 1))?;
            TXS.save(deps.storage, id, &Tx { msgs, approvals: vec![info.sender], done: false })?;
            Ok(Response::new())
        }
        ExecuteMsg::Approve { id } => {
            ensure!(SIGNERS.has(deps.storage, &info.sender), StdError::generic_err("signer"));
            let mut tx = TXS.load(deps.storage, id)?;
            ensure!(!tx.approvals.contains(&info.sender), StdError::generic_err("twice"));
            tx.approvals.push(info.sender);
            TXS.save(deps.storage, id, &tx)?;
            Ok(Response::new())
        }
        ExecuteMsg::Run { id } => {
            let mut tx = TXS.load(deps.storage, id)?;
            ensure!(SIGNERS.has(deps.storage, &info.sender), StdError::generic_err("signer"));
            ensure!(!tx.done, StdError::generic_err("done"));
            tx.done = true;
            TXS.save(deps.storage, id, &tx)?;
            Ok(Response::new().add_messages(tx.msgs)) // FINDING
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, Coin, DepsMut, Env, MessageInfo, Response, StdError, Uint128};
use cw_storage_plus::{Item, Map};

#[derive(PartialEq)]
pub enum Stage { Open, Passed, Executed }
pub struct Spend { pub to: Addr, pub coins: Vec<Coin>, pub stage: Stage, pub support: Uint128, pub ends: u64 }
pub const SPENDS: Map<String, Spend> = Map::new("spends");
pub const STAKES: Map<&Addr, Uint128> = Map::new("stakes");
pub const QUORUM: Item<Uint128> = Item::new("quorum");
pub const GIVEN: Map<(String, Addr), Uint128> = Map::new("given");

pub enum ExecuteMsg { Suggest { name: String, to: String, coins: Vec<Coin> }, Support { name: String }, Tally { name: String }, Pay { name: String } }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Suggest { name, to, coins } => {
            STAKES.load(deps.storage, &info.sender)?;
            if SPENDS.has(deps.storage, name.clone()) { return Err(StdError::generic_err("taken")); }
            let to = deps.api.addr_validate(&to)?;
            SPENDS.save(deps.storage, name, &Spend { to, coins, stage: Stage::Open, support: Uint128::zero(), ends: env.block.height + 100 })?;
            Ok(Response::new())
        }
        ExecuteMsg::Support { name } => {
            let stake = STAKES.load(deps.storage, &info.sender)?;
            let mut spend = SPENDS.load(deps.storage, name.clone())?;
            if GIVEN.has(deps.storage, (name.clone(), info.sender.clone())) || spend.ends < env.block.height { return Err(StdError::generic_err("no")); }
            GIVEN.save(deps.storage, (name.clone(), info.sender), &stake)?;
            spend.support += stake;
            SPENDS.save(deps.storage, name, &spend)?;
            Ok(Response::new())
        }
        ExecuteMsg::Tally { name } => {
            let mut spend = SPENDS.load(deps.storage, name.clone())?;
            if spend.support < QUORUM.load(deps.storage)? { return Err(StdError::generic_err("quorum")); }
            if spend.stage != Stage::Open { return Err(StdError::generic_err("open")); }
            spend.stage = Stage::Passed;
            SPENDS.save(deps.storage, name, &spend)?;
            Ok(Response::new())
        }
        ExecuteMsg::Pay { name } => {
            let mut spend = SPENDS.load(deps.storage, name.clone())?;
            if spend.stage == Stage::Executed { return Err(StdError::generic_err("paid")); }
            spend.stage = Stage::Executed;
            SPENDS.save(deps.storage, name, &spend)?;
            Ok(Response::new().add_message(BankMsg::Send { to_address: spend.to.to_string(), amount: spend.coins })) // FINDING
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Order, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};
use cw_utils::must_pay;
pub const OWNER: Item<Addr> = Item::new("owner");

pub struct Order { pub trader: String, pub sum: Uint128, pub to: String }
pub const FREE: Map<String, Uint128> = Map::new("free");
fn check(info: &MessageInfo, order: &Order) -> StdResult<()> { if order.trader != info.sender.as_str() { return Err(StdError::generic_err("trader")); } Ok(()) }

pub enum ExecuteMsg { Fill { order: Order }, Put {} }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Put {} => {
            let sum = must_pay(&info, "ujuno").map_err(|e| StdError::generic_err(e.to_string()))?;
            FREE.update(deps.storage, info.sender.to_string(), |had| -> StdResult<_> { Ok(had.unwrap_or_default() + sum) })?;
            Ok(Response::new())
        }
        ExecuteMsg::Fill { order } => {
            check(&info, &order)?;
            let to = deps.api.addr_validate(&order.to)?;
            Ok(Response::new().add_message(BankMsg::Send { to_address: to.to_string(), amount: coins(order.sum.u128(), "ujuno") })) // FINDING
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, Deps, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Item;

pub struct Config { pub factory: Addr, pub period: u64 }
pub struct Average { pub value: u64, pub taken: u64 }
pub const CONFIG: Item<Config> = Item::new("config");
pub const AVERAGE: Item<Average> = Item::new("average");
pub struct InstantiateMsg { pub factory: String, pub period: u64 }
pub enum ExecuteMsg { Update { value: u64 } }

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, _info: MessageInfo, msg: InstantiateMsg) -> StdResult<Response> {
    CONFIG.save(deps.storage, &Config { factory: deps.api.addr_validate(&msg.factory)?, period: msg.period })?;
    Ok(Response::new())
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let ExecuteMsg::Update { value } = msg;
    let config = CONFIG.load(deps.storage)?; // FINDING
    let mut average = AVERAGE.load(deps.storage)?;
    average.value = (average.value + value) / config.period;
    average.taken = env.block.time.seconds();
    AVERAGE.save(deps.storage, &average)?;
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, wasm_execute, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, WasmMsg};
use cw_storage_plus::{Item, Map};

pub struct Offer { pub owner: Addr, pub until: u64 }
pub const OWNER: Item<Addr> = Item::new("owner");
pub const OFFER: Item<Offer> = Item::new("offer");
pub const COUNCIL: Item<Addr> = Item::new("council");
pub enum CouncilMsg { Vote { id: u64, yes: bool } }
pub enum GaugeMsg { Checkpoint {} }
pub enum ExecuteMsg { Offer { to: String }, Accept {}, Withdraw {}, Vote { id: u64, yes: bool }, Poke { gauge: String } }

fn owner_only(deps: &DepsMut, info: &MessageInfo) -> StdResult<()> {
    if info.sender != OWNER.load(deps.storage)? { return Err(StdError::generic_err("owner")); }
    Ok(())
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Offer { to } => {
            owner_only(&deps, &info)?;
            OFFER.save(deps.storage, &Offer { owner: deps.api.addr_validate(&to)?, until: env.block.height + 100 })?;
            Ok(Response::new())
        }
        ExecuteMsg::Accept {} => {
            let offer = OFFER.load(deps.storage)?;
            if info.sender != offer.owner || offer.until < env.block.height { return Err(StdError::generic_err("offer")); }
            OFFER.remove(deps.storage);
            OWNER.save(deps.storage, &offer.owner)?;
            Ok(Response::new())
        }
        ExecuteMsg::Withdraw {} => {
            OFFER.remove(deps.storage); // FINDING
            Ok(Response::new())
        }
        ExecuteMsg::Vote { id, yes } => {
            let council = COUNCIL.load(deps.storage)?;
            Ok(Response::new().add_message(wasm_execute(council, &CouncilMsg::Vote { id, yes }, vec![])?)) // FINDING
        }
        ExecuteMsg::Poke { gauge } => {
            let contract_addr = deps.api.addr_validate(&gauge)?.to_string();
            Ok(Response::new().add_message(WasmMsg::Execute { contract_addr, msg: to_json_binary(&GaugeMsg::Checkpoint {})?, funds: vec![] })) // FINDING
        }
    }
}
`,
      `use cosmwasm_std::{ensure_eq, entry_point, Addr, Binary, DepsMut, Env, MessageInfo, Reply, Response, StdError, StdResult, SubMsg, WasmMsg};
use cw_storage_plus::{Item, Map};
use cw2::set_contract_version;
pub struct InstantiateMsg { pub owner: String }
pub const OWNER: Item<Addr> = Item::new("owner");

pub struct Spec { pub code: u64, pub label: String, pub init: Binary }
pub const COUNT: Map<&Addr, u64> = Map::new("count");
pub const CODES: Map<u64, bool> = Map::new("codes");
fn build(spec: Spec, admin: &Addr) -> WasmMsg { WasmMsg::Instantiate { admin: Some(admin.to_string()), code_id: spec.code, msg: spec.init, funds: vec![], label: spec.label } } // FINDING

#[entry_point]
pub fn instantiate(deps: DepsMut, env: Env, info: MessageInfo, msg: InstantiateMsg) -> Result<Response, StdError> {
    set_contract_version(deps.storage, "crates.io:own", "1.0.0")?;
    OWNER.save(deps.storage, &deps.api.addr_validate(&msg.owner)?)?;
    Ok(Response::new())
}
pub enum ExecuteMsg { Make { spec: Spec }, Allow { code: u64 } }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Allow { code } => {
            ensure_eq!(info.sender, OWNER.load(deps.storage)?, StdError::generic_err("owner"));
            CODES.save(deps.storage, code, &true)?;
            Ok(Response::new())
        }
        ExecuteMsg::Make { spec } => {
            COUNT.update(deps.storage, &info.sender, |had| -> StdResult<_> { Ok(had.unwrap_or_default() + 1) })?;
            Ok(Response::new().add_submessage(SubMsg::reply_on_success(build(spec, &env.contract.address), 1)))
        }
    }
}

#[entry_point]
pub fn reply(_deps: DepsMut, _env: Env, msg: Reply) -> StdResult<Response> { if msg.id != 1 { return Err(StdError::generic_err("id")); } Ok(Response::new()) }
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError};
use cw_storage_plus::{Item, Map};
use cw2::set_contract_version;
pub struct InstantiateMsg { pub owner: String }
pub const OWNER: Item<Addr> = Item::new("owner");

use cosmwasm_std::wasm_instantiate;
pub struct Config { pub pair_code: u64 }
pub const CONFIG: Item<Config> = Item::new("config");
pub const PAIRS: Map<(String, String), Addr> = Map::new("pairs");

#[entry_point]
pub fn instantiate(deps: DepsMut, env: Env, info: MessageInfo, msg: InstantiateMsg) -> Result<Response, StdError> {
    set_contract_version(deps.storage, "crates.io:own", "1.0.0")?;
    OWNER.save(deps.storage, &deps.api.addr_validate(&msg.owner)?)?;
    CONFIG.save(deps.storage, &Config { pair_code: 1 })?;
    Ok(Response::new())
}
pub enum ExecuteMsg { Pair { a: String, b: String, code: u64 } }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Pair { a, b, code } => {
            if PAIRS.has(deps.storage, (a.clone(), b.clone())) { return Err(StdError::generic_err("exists")); }
            PAIRS.save(deps.storage, (a.clone(), b.clone()), &info.sender)?;
            Ok(Response::new().add_message(wasm_instantiate(code, &(a, b), vec![], "pair".to_string())?)) // FINDING
        }
    }
}
`,
      `use cosmwasm_std::{coins, ensure, entry_point, to_json_binary, Addr, BankMsg, Decimal, DepsMut, Env, MessageInfo, Response, StdError, Uint128, WasmMsg};
use cw_storage_plus::{Item, Map};
use cw2::set_contract_version;
use cw20::Cw20ExecuteMsg;
use cw_utils::must_pay;
pub struct InstantiateMsg { pub owner: String }
pub const OWNER: Item<Addr> = Item::new("owner");

pub struct Vault { pub locked: Uint128, pub minted: Uint128 }
pub const VAULTS: Map<&Addr, Vault> = Map::new("vaults");
pub const TOKEN: Item<Addr> = Item::new("token");
pub const RATIO: Item<Decimal> = Item::new("ratio");

#[entry_point]
pub fn instantiate(deps: DepsMut, env: Env, info: MessageInfo, msg: InstantiateMsg) -> Result<Response, StdError> {
    set_contract_version(deps.storage, "crates.io:own", "1.0.0")?;
    OWNER.save(deps.storage, &deps.api.addr_validate(&msg.owner)?)?;
    RATIO.save(deps.storage, &Decimal::percent(50))?;
    TOKEN.save(deps.storage, &deps.api.addr_validate(&msg.owner)?)?;
    Ok(Response::new())
}
pub enum ExecuteMsg { Open { mint: Uint128 }, Seize { owner: String } }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Open { mint } => {
            let locked = must_pay(&info, "uatom").map_err(|e| StdError::generic_err(e.to_string()))?;
            ensure!(!VAULTS.has(deps.storage, &info.sender), StdError::generic_err("one"));
            ensure!(mint <= locked * RATIO.load(deps.storage)?, StdError::generic_err("ratio"));
            VAULTS.save(deps.storage, &info.sender, &Vault { locked, minted: mint })?;
            Ok(Response::new().add_message(WasmMsg::Execute { contract_addr: TOKEN.load(deps.storage)?.to_string(), msg: to_json_binary(&Cw20ExecuteMsg::Mint { recipient: info.sender.to_string(), amount: mint })?, funds: vec![] }))
        }
        ExecuteMsg::Seize { owner } => {
            let owner = deps.api.addr_validate(&owner)?;
            let paid = must_pay(&info, "uusd").map_err(|e| StdError::generic_err(e.to_string()))?;
            let vault = VAULTS.load(deps.storage, &owner)?;
            ensure!(paid == vault.minted, StdError::generic_err("pay it all"));
            VAULTS.remove(deps.storage, &owner);
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(vault.locked.u128(), "uatom") })) // FINDING
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub const OWNER: Item<Addr> = Item::new("owner");
pub const BANNED: Map<&str, ()> = Map::new("banned");
pub const ROUTES: Map<&str, u64> = Map::new("routes");
pub const TOTAL: Map<&str, Uint128> = Map::new("total");
pub enum ExecuteMsg { Ban { denom: String }, Forget { route: String }, Put { denom: String, route: String }, Hand { to: String } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Ban { denom } => {
            BANNED.save(deps.storage, &denom, &())?; // FINDING
            Ok(Response::new())
        }
        ExecuteMsg::Forget { route } => {
            ROUTES.remove(deps.storage, &route); // FINDING
            Ok(Response::new())
        }
        ExecuteMsg::Put { denom, route } => {
            if denom != "uatom" {
                if BANNED.has(deps.storage, &denom) {
                    return Err(StdError::generic_err("refused"));
                }
            }
            if info.funds.len() != 1 || info.funds[0].denom != denom {
                return Err(StdError::generic_err("funds"));
            }
            let fee = ROUTES.load(deps.storage, &route)?;
            let amount = info.funds[0].amount + Uint128::from(fee);
            TOTAL.update(deps.storage, &denom, |old| -> StdResult<_> { Ok(old.unwrap_or_default() + amount) })?;
            Ok(Response::new())
        }
        ExecuteMsg::Hand { to } => {
            if OWNER.load(deps.storage)? != info.sender {
                return Err(StdError::generic_err("owner"));
            }
            OWNER.save(deps.storage, &deps.api.addr_validate(&to)?)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, to_json_binary, Addr, BankMsg, Binary, CosmosMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128, WasmMsg};
use cw_storage_plus::Item;

pub struct Config { pub owner: Addr, pub denom: String }
pub const CONFIG: Item<Config> = Item::new("config");
pub enum Callback { After { lent: Uint128 } }
pub enum ExecuteMsg { Lend { amount: Uint128, msg: Binary }, After { lent: Uint128 }, SetDenom { denom: String } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Lend { amount, msg } => lend(deps, env, info, amount, msg),
        ExecuteMsg::After { lent } => after(deps, env, info, lent),
        ExecuteMsg::SetDenom { denom } => {
            let mut config = CONFIG.load(deps.storage)?;
            if info.sender != config.owner {
                return Err(StdError::generic_err("owner"));
            }
            config.denom = denom;
            CONFIG.save(deps.storage, &config)?;
            Ok(Response::new())
        }
    }
}

fn lend(deps: DepsMut, env: Env, info: MessageInfo, amount: Uint128, msg: Binary) -> StdResult<Response> {
    let config = CONFIG.load(deps.storage)?;
    let call = BankMsg::Send { to_address: info.sender.to_string(), amount: coins(amount.u128(), config.denom) }; // FINDING
    let after = WasmMsg::Execute {
        contract_addr: env.contract.address.to_string(),
        msg: to_json_binary(&Callback::After { lent: amount })?,
        funds: vec![],
    };
    Ok(Response::new().add_message(call).add_message(after))
}

fn after(deps: DepsMut, env: Env, info: MessageInfo, lent: Uint128) -> StdResult<Response> {
    if info.sender != env.contract.address {
        return Err(StdError::generic_err("callback"));
    }
    Ok(Response::new().add_attribute("lent", lent))
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError};
use cw_storage_plus::Item;

pub enum ContractError { Unauthorized {}, Std(StdError) }
pub struct Config { pub owner: Addr, pub tracker: Addr }
pub const CONFIG: Item<Config> = Item::new("config");
pub const PAUSED: Item<bool> = Item::new("paused");
pub const RATE: Item<u64> = Item::new("rate");
pub enum ExecuteMsg { Track {}, Pause {}, Unpause {} }

#[entry_point]
pub fn execute(mut deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, ContractError> {
    match msg {
        ExecuteMsg::Track {} => RATE.load(deps.storage).map(|_| Response::new()).or_else(|_| {
            PAUSED.save(deps.storage, &true)?; // FINDING
            Ok(Response::new())
        }),
        ExecuteMsg::Pause {} => pause(deps, info, true),
        ExecuteMsg::Unpause {} => pause(deps, info, false),
    }
}

fn track(deps: DepsMut, info: MessageInfo) -> Result<Response, ContractError> {
    if info.sender != CONFIG.load(deps.storage)?.tracker {
        return Err(ContractError::Unauthorized {});
    }
    RATE.update(deps.storage, |rate| rate.checked_add(1).ok_or(ContractError::Unauthorized {}))?;
    Ok(Response::new())
}

fn pause(deps: DepsMut, info: MessageInfo, paused: bool) -> Result<Response, ContractError> {
    if info.sender != CONFIG.load(deps.storage)?.owner {
        return Err(ContractError::Unauthorized {});
    }
    PAUSED.save(deps.storage, &paused)?;
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128, WasmMsg, to_json_binary, BankMsg, coins};
use cw_storage_plus::{Item, Map};
pub struct Config { pub owner: Addr, pub engine: Addr, pub rate: u64 }
pub const CONFIG: Item<Config> = Item::new("config");
pub const OPEN: Item<bool> = Item::new("open");
pub const LISTED: Map<&str, bool> = Map::new("listed");
pub enum ExecuteMsg { Rate { rate: u64 }, Withdraw { amount: Uint128 }, Close { quiet: bool }, List { name: String, note: Option<String> } }
#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let config = CONFIG.load(deps.storage)?;
    match msg {
        ExecuteMsg::Rate { rate } => {
            let mut config = config;
            if info.sender != config.owner { return Err(StdError::generic_err("owner")); }
            config.rate = rate;
            CONFIG.save(deps.storage, &config)?;
            Ok(Response::new())
        }
        ExecuteMsg::Withdraw { amount } => {
            if !info.funds.is_empty() && info.sender != config.engine { return Err(StdError::generic_err("engine")); } // FINDING
            Ok(Response::new().add_message(BankMsg::Send { to_address: config.engine.to_string(), amount: coins(amount.u128(), "ujuno") }))
        }
        ExecuteMsg::Close { quiet } => {
            if !quiet {
                if info.sender != config.owner { return Err(StdError::generic_err("owner")); } // FINDING
            }
            OPEN.save(deps.storage, &false)?;
            Ok(Response::new())
        }
        ExecuteMsg::List { name, note } => {
            if let Some(note) = note {
                if info.sender != config.owner { return Err(StdError::generic_err(note)); } // FINDING
            }
            LISTED.save(deps.storage, &name, &true)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Deps, Env, MessageInfo, Response, StdError, StdResult, Uint128, BankMsg, coins};
use cw_storage_plus::{Item, Map};
use cw_controllers::Admin;
pub const ADMIN: Admin = Admin::new("admin");
pub const OPEN: Item<bool> = Item::new("open");
pub const LISTED: Map<&str, bool> = Map::new("listed");
pub enum ExecuteMsg { Close { quiet: bool }, List { name: String, note: Option<String> } }
fn allowed(deps: Deps, info: &MessageInfo, quiet: bool) -> StdResult<()> {
    if quiet { return Ok(()); }
    ADMIN.assert_admin(deps, &info.sender)?; // FINDING
    Ok(())
}
#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Close { quiet } => {
            allowed(deps.as_ref(), &info, quiet)?;
            OPEN.save(deps.storage, &false)?;
            Ok(Response::new())
        }
        ExecuteMsg::List { name, note } => {
            match note {
                Some(_) => ADMIN.assert_admin(deps.as_ref(), &info.sender)?, // FINDING
                None => {}
            }
            LISTED.save(deps.storage, &name, &true)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, CanonicalAddr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128, BankMsg, coins};
use cw_storage_plus::{Item, Map};
pub struct Config { pub owner: CanonicalAddr, pub engine: Addr, pub rate: u64 }
pub const CONFIG: Item<Config> = Item::new("config");
pub const EPOCH: Item<u64> = Item::new("epoch");
pub struct InstantiateMsg { pub config: Config }
#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, _info: MessageInfo, msg: InstantiateMsg) -> StdResult<Response> {
    CONFIG.save(deps.storage, &msg.config)?;
    Ok(Response::new())
}
pub enum ExecuteMsg { Rate { rate: u64 }, Tick {}, Pay { to: String, amount: Uint128 } }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let mut config = CONFIG.load(deps.storage)?;
    match msg {
        ExecuteMsg::Rate { rate } => {
            if deps.api.addr_canonicalize(info.sender.as_str())? == config.owner { return Err(StdError::generic_err("owner")); } // FINDING
            config.rate = rate;
            CONFIG.save(deps.storage, &config)?;
            Ok(Response::new())
        }
        ExecuteMsg::Tick {} => {
            if config.engine == info.sender { return Err(StdError::generic_err("engine")); } // FINDING
            EPOCH.save(deps.storage, &env.block.height)?;
            Ok(Response::new())
        }
        ExecuteMsg::Pay { to, amount } => {
            if info.sender == config.engine { return Err(StdError::generic_err("engine")); } // FINDING
            Ok(Response::new().add_message(BankMsg::Send { to_address: to, amount: coins(amount.u128(), "ujuno") }))
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdResult};
use cw_storage_plus::Item;

pub const SHARE: Item<u128> = Item::new("share");
pub enum ExecuteMsg { Spread { to: Vec<String> } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Spread { to } => {
            let share = SHARE.load(deps.storage)?;
            let messages = to.into_iter().sorted().map(|one| BankMsg::Send { to_address: one, amount: coins(share, "ujuno") }); // FINDING
            Ok(Response::new().add_messages(messages))
        }
    }
}
`,
      `use cosmwasm_std::{ensure, entry_point, Addr, Deps, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Item;

pub const OWNER: Item<Addr> = Item::new("owner");
pub const OPEN: Item<bool> = Item::new("open");
pub struct Options { pub quiet: bool, pub level: u64 }
pub enum ExecuteMsg { Helper { quiet: bool }, Beside { quiet: bool }, Looked { quiet: bool }, Twice { quiet: bool, silent: bool } }

fn only_owner(deps: Deps, who: &Addr) -> StdResult<()> {
    ensure!(OWNER.load(deps.storage)? == *who, StdError::generic_err("owner")); // FINDING
    Ok(())
}
fn notice(deps: Deps) -> StdResult<()> {
    OPEN.load(deps.storage)?;
    Ok(())
}
fn greet(deps: Deps, _who: &Addr) -> StdResult<()> {
    notice(deps)
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Helper { quiet } => {
            if !quiet { only_owner(deps.as_ref(), &info.sender)?; }
            OPEN.save(deps.storage, &false)?;
        }
        ExecuteMsg::Beside { quiet } => {
            if !quiet {
                notice(deps.as_ref())?;
                if info.sender != OWNER.load(deps.storage)? { return Err(StdError::generic_err("owner")); } // FINDING
            }
            OPEN.save(deps.storage, &false)?;
        }
        ExecuteMsg::Looked { quiet } => {
            greet(deps.as_ref(), &info.sender)?;
            if !quiet && info.sender != OWNER.load(deps.storage)? { return Err(StdError::generic_err("owner")); } // FINDING
            OPEN.save(deps.storage, &false)?;
        }
        ExecuteMsg::Twice { quiet, silent } => {
            if !quiet && info.sender != OWNER.load(deps.storage)? { return Err(StdError::generic_err("owner")); } // FINDING
            if !silent && info.sender != OWNER.load(deps.storage)? { return Err(StdError::generic_err("owner")); }
            OPEN.save(deps.storage, &false)?;
        }
    }
    Ok(Response::new())
}
`,
    ],
    safe: [
      // The sender stands in for a missing parent, and only the owner may name another one.
      `use cosmwasm_std::{ensure, entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Storage};
use cw_storage_plus::{Item, Map};

pub const OWNER: Item<Addr> = Item::new("owner");
pub const PATHS: Map<(Addr, String), Addr> = Map::new("paths");
pub enum ExecuteMsg { Add { name: String, address: Addr, parent: Option<Addr> }, Use { name: String } }

fn is_owner(storage: &dyn Storage, who: &Addr) -> StdResult<bool> {
    Ok(OWNER.load(storage)? == *who)
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Add { name, address, parent } => {
            ensure!(parent.is_none() || is_owner(deps.storage, &info.sender)?, StdError::generic_err("owner"));
            let parent = parent.unwrap_or(info.sender);
            PATHS.save(deps.storage, (parent, name), &address)?;
            Ok(Response::new())
        }
        ExecuteMsg::Use { name } => {
            let path = PATHS.load(deps.storage, (info.sender.clone(), name))?;
            ensure!(path == info.sender, StdError::generic_err("path"));
            Ok(Response::new())
        }
    }
}
`,
      // Whether a name resolves, not to what.
      `use cosmwasm_std::{entry_point, Addr, Deps, DepsMut, Env, MessageInfo, Response, StdResult};
use cw_storage_plus::{Item, Map};

pub const REGISTRY: Item<Addr> = Item::new("registry");
pub const NOTES: Map<&str, u64> = Map::new("notes");
pub enum ExecuteMsg { Note { name: String } }

fn resolve(deps: Deps, name: &str) -> StdResult<Addr> {
    deps.querier.query_wasm_smart(REGISTRY.load(deps.storage)?, &name)
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Note { name } => {
            resolve(deps.as_ref(), &name)?;
            NOTES.save(deps.storage, &name, &env.block.height)?;
            Ok(Response::new())
        }
    }
}
`,
      // A check that a macro derives from attributes of the variants.
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdResult};
use cw_storage_plus::Item;

pub const FEE: Item<u64> = Item::new("fee");
#[derive(EnsurePermissions)]
pub enum ExecuteMsg {
    #[permission(Governance)]
    SetFee { fee: u64 },
    #[permission(Elevated)]
    Reset {},
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg.ensure_permissions(deps.storage, &info.sender)? {
        ExecuteMsg::SetFee { fee } => FEE.save(deps.storage, &fee)?,
        ExecuteMsg::Reset {} => FEE.save(deps.storage, &0)?,
    }
    Ok(Response::new())
}
`,
      // Messages that a framework's macro lets only some accounts send.
      `use cosmwasm_std::{DepsMut, Response, StdResult};
use cw_storage_plus::Item;

pub const FEE: Item<u64> = Item::new("fee");
pub const CAP: Item<u64> = Item::new("cap");
pub enum ExecuteMsg {
    #[attrs(nonpayable, restricted)]
    SetFee { fee: u64 },
    #[only_owner]
    SetCap { cap: u64 },
}

#[contract_execute]
pub fn execute(ctx: ExecuteContext, msg: ExecuteMsg) -> StdResult<Response> {
    let ExecuteContext { deps, .. } = ctx;
    match msg {
        ExecuteMsg::SetFee { fee } => FEE.save(deps.storage, &fee)?,
        ExecuteMsg::SetCap { cap } => CAP.save(deps.storage, &cap)?,
    }
    Ok(Response::new())
}
`,
      // A macro that checks every message, by its name, and one whose messages are in a package without source.
      `use cosmwasm_std::{entry_point, DepsMut, Env, MessageInfo, Response, StdResult};
use cw_storage_plus::Item;

pub const FEE: Item<u64> = Item::new("fee");
pub enum ExecuteMsg { SetFee { fee: u64 } }

#[entry_point]
#[access_control(only_owner)]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::SetFee { fee } => FEE.save(deps.storage, &fee)?,
    }
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{DepsMut, Response, StdResult};
use cw_storage_plus::Item;
use pool_messages::ExecuteMsg;

pub const FEE: Item<u64> = Item::new("fee");

#[contract_execute]
pub fn execute(ctx: ExecuteContext, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::SetFee { fee } => FEE.save(ctx.deps.storage, &fee)?,
    }
    Ok(Response::new())
}
`,
      // A helper that accepts or rejects, and returns what is to be sent then.
      `use cosmwasm_std::{ensure, entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, SubMsg};
use cw_storage_plus::{Item, Map};

pub const FEE: Item<u64> = Item::new("fee");
pub const OPEN: Item<bool> = Item::new("open");
pub const RIGHTS: Map<&Addr, u64> = Map::new("rights");
pub enum ExecuteMsg { SetFee { fee: u64 } }

#[entry_point]
pub fn execute(mut deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::SetFee { fee } => {
            let note = is_permitted(deps.branch(), &info.sender)?;
            FEE.save(deps.storage, &fee)?;
            Ok(Response::new().add_submessages(note))
        }
    }
}

fn is_permitted(deps: DepsMut, who: &Addr) -> StdResult<Option<SubMsg>> {
    match RIGHTS.may_load(deps.storage, who)? {
        Some(right) => {
            RIGHTS.save(deps.storage, who, &(right - 1))?;
            Ok(None)
        }
        None => {
            ensure!(OPEN.load(deps.storage)?, StdError::generic_err("not permitted"));
            Ok(None)
        }
    }
}
`,
      `use cosmwasm_std::{coin, entry_point, Addr, Coin, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Timestamp};
use cw_storage_plus::Item;

pub struct Base<T> { pub factory: Addr, pub extension: T }
pub struct Sale { pub admin: Addr, pub start: Timestamp, pub most: Coin, pub price: Option<Coin> }
pub type Config = Base<Sale>;
pub const CONFIG: Item<Config> = Item::new("config");
pub const LAST: Item<Timestamp> = Item::new("last");
pub enum ExecuteMsg { Start { at: Timestamp }, Price { price: u128 } }

#[entry_point]
pub fn instantiate(deps: DepsMut, env: Env, info: MessageInfo, msg: Sale) -> StdResult<Response> {
    CONFIG.save(deps.storage, &Config { factory: info.sender, extension: msg })?;
    LAST.save(deps.storage, &env.block.time)?;
    Ok(Response::new())
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Start { at } => {
            if info.sender != CONFIG.load(deps.storage)?.extension.admin {
                return Err(StdError::generic_err("admin"));
            }
            LAST.save(deps.storage, &at)?;
            Ok(Response::new())
        }
        ExecuteMsg::Price { price } => {
            let mut config = CONFIG.load(deps.storage)?;
            if LAST.load(deps.storage)?.plus_seconds(3600) > env.block.time {
                return Err(StdError::generic_err("too soon"));
            }
            if price > config.extension.most.amount.u128() {
                return Err(StdError::generic_err("too high"));
            }
            config.extension.price = Some(coin(price, config.extension.most.denom.clone()));
            CONFIG.save(deps.storage, &config)?;
            LAST.save(deps.storage, &env.block.time)?;
            Ok(Response::new().add_attribute("sender", info.sender))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Order, Response, StdError, StdResult, Timestamp, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Base<T> { pub factory: Addr, pub extension: T }
pub struct Sale { pub admin: Addr, pub start: Timestamp, pub price: Uint128, pub last: u64 }
pub type Config = Base<Sale>;
pub const CONFIG: Item<Config> = Item::new("config");
pub const LEFT: Map<u64, Uint128> = Map::new("left");

#[entry_point]
pub fn instantiate(deps: DepsMut, env: Env, info: MessageInfo, _msg: ()) -> StdResult<Response> {
    let sale = Sale { admin: info.sender.clone(), start: env.block.time, price: Uint128::one(), last: 0 };
    CONFIG.save(deps.storage, &Config { factory: info.sender, extension: sale })?;
    Ok(Response::new())
}

pub enum ExecuteMsg { Start { at: Timestamp }, Price { price: Uint128 }, Touch { id: u64 } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Start { at } => {
            let mut config = CONFIG.load(deps.storage)?;
            if info.sender != config.extension.admin {
                return Err(StdError::generic_err("admin"));
            }
            if env.block.time > config.extension.start {
                return Err(StdError::generic_err("started"));
            }
            config.extension.start = at;
            CONFIG.save(deps.storage, &config)?;
            Ok(Response::new())
        }
        ExecuteMsg::Price { price } => {
            let mut config = CONFIG.load(deps.storage)?;
            if info.sender != config.extension.admin {
                return Err(StdError::generic_err("admin"));
            }
            config.extension.price = price;
            CONFIG.save(deps.storage, &config)?;
            Ok(Response::new())
        }
        ExecuteMsg::Touch { id } => {
            let mut config = CONFIG.load(deps.storage)?;
            if env.block.time < config.extension.start {
                return Err(StdError::generic_err("not started"));
            }
            let left = LEFT.load(deps.storage, id)?;
            config.extension.last = left.u128() as u64 + id;
            CONFIG.save(deps.storage, &config)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Map;

pub enum Order { Buy { owner: Addr }, Sell { owner: Addr } }
pub const ORDERS: Map<u64, Order> = Map::new("orders");
pub enum ExecuteMsg { Open {}, Cancel { id: u64 } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Open {} => {
            ORDERS.save(deps.storage, env.block.height, &Order::Buy { owner: info.sender })?;
            Ok(Response::new())
        }
        ExecuteMsg::Cancel { id } => {
            let order = ORDERS.load(deps.storage, id)?;
            ensure!(
                match order {
                    Order::Buy { ref owner } => {
                        ensure!(*owner == info.sender, StdError::generic_err("owner"));
                        true
                    }
                    _ => false,
                },
                StdError::generic_err("kind")
            );
            ORDERS.remove(deps.storage, id);
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdResult, Storage, WasmMsg};
use cw_storage_plus::Item;

pub const KEEPER: Item<Addr> = Item::new("keeper");
pub const VAULT: Item<Addr> = Item::new("vault");
pub const LAST: Item<u64> = Item::new("last");
pub enum ExecuteMsg { Harvest {}, Next {}, Touch {}, Ping {} }

// Anyone may bring it about, and the parameter says so.
fn harvest(deps: DepsMut, _info: MessageInfo) -> StdResult<Response> {
    let vault = VAULT.load(deps.storage)?;
    Ok(Response::new().add_message(WasmMsg::Execute { contract_addr: vault.into(), msg: b"{}".into(), funds: vec![] }))
}

// The dispatcher has asked already.
fn advance(storage: &mut dyn Storage, caller: &Addr) -> StdResult<()> {
    LAST.update(storage, |last| -> StdResult<_> { Ok(last + 1) })?;
    Ok(())
}

// Not the sender.
fn touch(storage: &mut dyn Storage, caller: &Addr) -> StdResult<()> {
    LAST.save(storage, &0)
}

fn ping(info: MessageInfo) -> StdResult<Response> {
    Ok(Response::new().add_attribute("action", "ping"))
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Harvest {} => harvest(deps, info),
        ExecuteMsg::Next {} => {
            if info.sender != KEEPER.load(deps.storage)? {
                return Err(cosmwasm_std::StdError::generic_err("unauthorized"));
            }
            advance(deps.storage, &info.sender)?;
            Ok(Response::new())
        }
        ExecuteMsg::Touch {} => {
            touch(deps.storage, &VAULT.load(deps.storage)?)?;
            Ok(Response::new())
        }
        ExecuteMsg::Ping {} => ping(info),
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::{Item, Map};

pub struct Token { pub owner: Addr, pub uri: String, pub until: u64 }
pub const ADMIN: Item<Addr> = Item::new("admin");
pub const OFFERED: Item<Addr> = Item::new("offered");
pub const TOKENS: Map<&str, Token> = Map::new("tokens");
pub enum ExecuteMsg {
    Offer { to: String },
    Accept {},
    Mint { id: String, uri: String },
    SetUri { id: String, uri: String },
    Burn { id: String },
    Transfer { id: String, to: String },
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Offer { to } => {
            if info.sender != ADMIN.load(deps.storage)? {
                return Err(StdError::generic_err("admin"));
            }
            OFFERED.save(deps.storage, &deps.api.addr_validate(&to)?)?;
            Ok(Response::new())
        }
        ExecuteMsg::Accept {} => accept(deps, info),
        ExecuteMsg::Mint { id, uri } => {
            if TOKENS.has(deps.storage, &id) {
                return Err(StdError::generic_err("taken"));
            }
            TOKENS.save(deps.storage, &id, &Token { owner: info.sender, uri, until: env.block.height + 1000 })?;
            Ok(Response::new())
        }
        ExecuteMsg::SetUri { id, uri } => set_uri(deps, info, id, uri),
        ExecuteMsg::Burn { id } => burn(deps, env, info, id),
        ExecuteMsg::Transfer { id, to } => {
            let mut token = TOKENS.load(deps.storage, &id)?;
            if token.owner != info.sender {
                return Err(StdError::generic_err("owner"));
            }
            token.owner = deps.api.addr_validate(&to)?;
            TOKENS.save(deps.storage, &id, &token)?;
            Ok(Response::new())
        }
    }
}

fn accept(deps: DepsMut, info: MessageInfo) -> StdResult<Response> {
    let next = OFFERED.load(deps.storage)?;
    if info.sender != next {
        return Err(StdError::generic_err("it was not offered to you"));
    }
    OFFERED.remove(deps.storage);
    ADMIN.save(deps.storage, &next)?;
    Ok(Response::new())
}

fn set_uri(deps: DepsMut, info: MessageInfo, id: String, uri: String) -> StdResult<Response> {
    TOKENS.update(deps.storage, &id, |token| -> StdResult<Token> {
        let mut token = token.ok_or_else(|| StdError::generic_err("unknown"))?;
        if token.owner != info.sender {
            return Err(StdError::generic_err("owner"));
        }
        token.uri = uri;
        Ok(token)
    })?;
    Ok(Response::new())
}

// anybody may clear away what has run out
fn burn(deps: DepsMut, env: Env, _info: MessageInfo, id: String) -> StdResult<Response> {
    let token = TOKENS.load(deps.storage, &id)?;
    if env.block.height < token.until {
        return Err(StdError::generic_err("not yet"));
    }
    TOKENS.remove(deps.storage, &id);
    Ok(Response::new())
}`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Item;

pub struct Offer { pub to: Addr, pub from: u64 }
pub const ADMIN: Item<Addr> = Item::new("admin");
pub const OFFERED: Item<Offer> = Item::new("offered");
pub enum ExecuteMsg { Offer { to: String }, Apply {} }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Offer { to } => {
            if info.sender != ADMIN.load(deps.storage)? {
                return Err(StdError::generic_err("admin"));
            }
            let to = deps.api.addr_validate(&to)?;
            OFFERED.save(deps.storage, &Offer { to, from: env.block.height + 10_000 })?;
            Ok(Response::new())
        }
        // announced long enough ago
        ExecuteMsg::Apply {} => {
            let offer = OFFERED.load(deps.storage)?;
            if env.block.height < offer.from {
                return Err(StdError::generic_err("not yet"));
            }
            OFFERED.remove(deps.storage);
            ADMIN.save(deps.storage, &offer.to)?;
            Ok(Response::new())
        }
    }
}`,
      `use cosmwasm_std::{coins, entry_point, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::{Item, Map};
use merkle::Proof;

pub const ROOT: Item<String> = Item::new("root");
pub const CLAIMED: Map<&str, bool> = Map::new("claimed");
pub enum ExecuteMsg { Claim { address: String, amount: u128, hashes: Vec<String> } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let ExecuteMsg::Claim { address, amount, hashes } = msg;
    let to = deps.api.addr_validate(&address)?;
    let leaf = format!("{}{}", to.as_str(), amount);
    if !Proof::new(hashes).verify(&ROOT.load(deps.storage)?, &leaf) {
        return Err(StdError::generic_err("not in the tree"));
    }
    if CLAIMED.has(deps.storage, to.as_str()) {
        return Err(StdError::generic_err("claimed"));
    }
    CLAIMED.save(deps.storage, to.as_str(), &true)?;
    Ok(Response::new().add_message(BankMsg::Send { to_address: to.to_string(), amount: coins(amount, "uatom") }))
}
`,
      `use cosmwasm_std::{entry_point, Addr, BankMsg, Coin, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::Map;

pub struct Booking { pub guest: Addr, pub night: u64, pub deposit: Uint128 }
pub struct Room { pub owner: Addr, pub bookings: Vec<Booking> }
pub const ROOMS: Map<&str, Room> = Map::new("rooms");
pub const OPERATORS: Map<(&Addr, u8), Addr> = Map::new("operators");
pub enum ExecuteMsg { Cancel { room: String, night: u64 }, Approve { operator: String, slot: u8 }, Rename { room: String, slot: u8 } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Cancel { room, night } => {
            let mut record = ROOMS.load(deps.storage, &room)?;
            let mut position: i32 = -1;
            let mut deposit = Uint128::zero();
            for (i, booking) in record.bookings.iter().enumerate() {
                if booking.guest == info.sender && booking.night == night {
                    position = i as i32;
                    deposit = booking.deposit;
                }
            }
            if position == -1 {
                return Err(StdError::generic_err("no such booking"));
            }
            record.bookings.remove(position as usize);
            ROOMS.save(deps.storage, &room, &record)?;
            let amount = vec![Coin { denom: "uatom".to_string(), amount: deposit }];
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount }))
        }
        ExecuteMsg::Approve { operator, slot } => {
            let operator = deps.api.addr_validate(&operator)?;
            OPERATORS.save(deps.storage, (&info.sender, slot), &operator)?;
            Ok(Response::new())
        }
        ExecuteMsg::Rename { room, slot } => {
            let record = ROOMS.load(deps.storage, &room)?;
            if OPERATORS.load(deps.storage, (&record.owner, slot))? != info.sender {
                return Err(StdError::generic_err("not allowed"));
            }
            ROOMS.save(deps.storage, &room, &record)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, DepsMut, Env, MessageInfo, QueryRequest, Response, StdResult, Uint128, WasmMsg, WasmQuery};
use cw20::Cw20ExecuteMsg;
use cw_storage_plus::Item;

pub struct Config { pub factory: Addr, pub token: Addr }
pub struct Pair { pub address: String }
pub enum FactoryQuery { Pair { token: String } }
pub const CONFIG: Item<Config> = Item::new("config");
pub enum ExecuteMsg { Convert { token: String } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let ExecuteMsg::Convert { token } = msg;
    let config = CONFIG.load(deps.storage)?;
    if token == "idle" {
        return Ok(Response::new());
    }
    let pair: Pair = deps.querier.query(&QueryRequest::Wasm(WasmQuery::Smart {
        contract_addr: config.factory.to_string(),
        msg: to_json_binary(&FactoryQuery::Pair { token })?,
    }))?;
    let amount = deps.querier.query_balance(env.contract.address, "uatom")?.amount;
    let send = to_json_binary(&Cw20ExecuteMsg::Send { contract: pair.address, amount, msg: to_json_binary(&"swap")? })?;
    Ok(Response::new().add_message(WasmMsg::Execute { contract_addr: config.token.to_string(), msg: send, funds: vec![] }))
}
`,
      `use cosmwasm_std::{entry_point, Addr, BlockInfo, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Timestamp};
use cw_storage_plus::Map;

pub struct Member { pub paid_until: Timestamp, pub level: u8 }
impl Member {
    pub fn is_over(&self, block: &BlockInfo) -> bool {
        self.paid_until <= block.time
    }
}
pub const MEMBERS: Map<&Addr, Member> = Map::new("members");
pub enum ExecuteMsg { End { members: Vec<String> } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::End { members } => {
            for one in members {
                let one = deps.api.addr_validate(&one)?;
                let member = MEMBERS.load(deps.storage, &one)?;
                if member.is_over(&env.block) {
                    MEMBERS.remove(deps.storage, &one);
                }
            }
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, BankMsg, Coin, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Storage, Uint128, WasmMsg};
use cw_storage_plus::{Item, Map};

pub const FOUND: Item<u64> = Item::new("found");
pub enum ExecuteMsg { Start {}, Own(Callback) }
pub enum Callback { Count {}, Finish {} }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Start {} => {
            let count = to_json_binary(&ExecuteMsg::Own(Callback::Count {}))?;
            let finish = to_json_binary(&ExecuteMsg::Own(Callback::Finish {}))?;
            let own = env.contract.address.to_string();
            Ok(Response::new()
                .add_message(WasmMsg::Execute { contract_addr: own.clone(), msg: count, funds: vec![] })
                .add_message(WasmMsg::Execute { contract_addr: own, msg: finish, funds: vec![] }))
        }
        ExecuteMsg::Own(callback) => {
            if info.sender != env.contract.address {
                return Err(StdError::generic_err("own"));
            }
            match callback {
                Callback::Count {} => {
                    let found = FOUND.may_load(deps.storage)?.unwrap_or(0);
                    FOUND.save(deps.storage, &(found + 1))?;
                    Ok(Response::new())
                }
                Callback::Finish {} => {
                    if info.sender != env.contract.address {
                        return Err(StdError::generic_err("own"));
                    }
                    FOUND.save(deps.storage, &0)?;
                    Ok(Response::new())
                }
            }
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, Coin, DepsMut, Env, MessageInfo, Response, StakingMsg, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Stream { pub lock: String, pub rate: Uint128, pub until: Expiration }
pub const OWNER: Item<Addr> = Item::new("owner");
pub const STREAMS: Map<u64, Stream> = Map::new("streams");
pub enum ExecuteMsg { Rate { id: u64, rate: Uint128 }, Key { id: u64, key: String }, Stake { to: String }, Give { id: u64, until: Expiration } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Rate { id, rate } => {
            let mut stream = STREAMS.load(deps.storage, id)?;
            if OWNER.load(deps.storage)? != info.sender {
                return Err(StdError::generic_err("unauthorized"));
            }
            stream.rate = rate;
            STREAMS.save(deps.storage, id, &stream)?;
            Ok(Response::new())
        }
        ExecuteMsg::Key { id, key } => {
            let mut stream = STREAMS.load(deps.storage, id)?;
            if stream.lock != key {
                return Err(StdError::generic_err("key"));
            }
            stream.lock = key;
            STREAMS.save(deps.storage, id, &stream)?;
            Ok(Response::new())
        }
        ExecuteMsg::Stake { to } => {
            let amount = info.funds[0].clone();
            Ok(Response::new().add_message(StakingMsg::Delegate { validator: to, amount }))
        }
        ExecuteMsg::Give { id, until } => {
            let mut stream = STREAMS.load(deps.storage, id)?;
            if env.block.height < stream.until {
                return Err(StdError::generic_err("early"));
            }
            stream.until = until;
            STREAMS.save(deps.storage, id, &stream)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, DistributionMsg, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Item;

pub enum Policy { Anyone, Members }
pub enum Wish { Open, Closed }
pub const POLICY: Item<Policy> = Item::new("policy");
pub const OWNER: Item<Addr> = Item::new("owner");
pub enum ExecuteMsg { SetPolicy { wish: Wish }, SendRewardsTo { to: String } }

fn policy_of(wish: Wish) -> Policy {
    match wish { Wish::Open => Policy::Anyone, Wish::Closed => Policy::Members }
}

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, info: MessageInfo, _msg: ()) -> StdResult<Response> {
    OWNER.save(deps.storage, &info.sender)?;
    POLICY.save(deps.storage, &Policy::Members)?;
    Ok(Response::new())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    if OWNER.load(deps.storage)? != info.sender {
        return Err(StdError::generic_err("unauthorized"));
    }
    match msg {
        ExecuteMsg::SetPolicy { wish } => {
            POLICY.save(deps.storage, &policy_of(wish))?;
            Ok(Response::new())
        }
        ExecuteMsg::SendRewardsTo { to } => {
            let address = deps.api.addr_validate(&to)?.to_string();
            Ok(Response::new().add_message(DistributionMsg::SetWithdrawAddress { address }))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, Deps, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Item;

pub struct Config { pub admin: Addr, pub fee: u64 }
pub const CONFIG: Item<Config> = Item::new("config");
pub struct InstantiateMsg { pub fee: u64 }
pub enum ExecuteMsg { SetAdmin { admin: String }, SetFee { fee: u64 } }

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, info: MessageInfo, msg: InstantiateMsg) -> StdResult<Response> {
    CONFIG.save(deps.storage, &Config { admin: info.sender, fee: msg.fee })?;
    Ok(Response::new())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::SetAdmin { admin } => set_admin(deps, info, admin),
        ExecuteMsg::SetFee { fee } => {
            only_admin(deps.as_ref(), &info)?;
            CONFIG.update(deps.storage, |mut config| -> StdResult<_> {
                config.fee = fee;
                Ok(config)
            })?;
            Ok(Response::new())
        }
    }
}

fn only_admin(deps: Deps, info: &MessageInfo) -> StdResult<()> {
    if CONFIG.load(deps.storage)?.admin != info.sender {
        return Err(StdError::generic_err("unauthorized"));
    }
    Ok(())
}

fn set_admin(deps: DepsMut, info: MessageInfo, admin: String) -> StdResult<Response> {
    only_admin(deps.as_ref(), &info)?;
    let admin = deps.api.addr_validate(&admin)?;
    CONFIG.update(deps.storage, |mut config| -> StdResult<_> {
        config.admin = admin;
        Ok(config)
    })?;
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{coins, entry_point, BankMsg, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::Map;

pub const BALANCES: Map<&str, Uint128> = Map::new("balances");
pub enum ExecuteMsg { Withdraw { to: String, amount: Uint128 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Withdraw { to, amount } => {
            let to = deps.api.addr_validate(&to)?;
            BALANCES.update(deps.storage, info.sender.as_str(), |balance| -> StdResult<_> {
                Ok(balance.unwrap_or_default().checked_sub(amount)?)
            })?;
            let send = BankMsg::Send { to_address: to.to_string(), amount: coins(amount.u128(), "uatom") };
            Ok(Response::new().add_message(send))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Sale { pub owner: Addr, pub open: bool, pub end: u64 }
pub const SALE: Item<Sale> = Item::new("sale");
pub const BALANCES: Map<&Addr, Uint128> = Map::new("balances");
pub enum ExecuteMsg { Close {}, Reopen {}, BurnFrom { holder: String, amount: Uint128 } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let mut sale = SALE.load(deps.storage)?;
    match msg {
        ExecuteMsg::Close {} => {
            if env.block.height < sale.end {
                return Err(StdError::generic_err("not yet"));
            }
            sale.open = false;
            SALE.save(deps.storage, &sale)?;
        }
        ExecuteMsg::Reopen {} => {
            if sale.owner != info.sender {
                return Err(StdError::generic_err("unauthorized"));
            }
            sale.open = true;
            SALE.save(deps.storage, &sale)?;
        }
        ExecuteMsg::BurnFrom { holder, amount } => {
            let holder = deps.api.addr_validate(&holder)?;
            if holder != info.sender && sale.owner != info.sender {
                return Err(StdError::generic_err("unauthorized"));
            }
            BALANCES.update(deps.storage, &holder, |balance| -> StdResult<_> {
                Ok(balance.unwrap_or_default().checked_sub(amount)?)
            })?;
        }
    }
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Binary, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Item;

pub struct Config { pub period: u64 }
pub const CONFIG: Item<Config> = Item::new("config");
pub const KEY: Item<Binary> = Item::new("key");
pub const NONCE: Item<u64> = Item::new("nonce");
pub struct InstantiateMsg { pub key: Binary }
pub enum ExecuteMsg { SetPeriod { period: u64, signature: Binary } }

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, _info: MessageInfo, msg: InstantiateMsg) -> StdResult<Response> {
    CONFIG.save(deps.storage, &Config { period: 1 })?;
    KEY.save(deps.storage, &msg.key)?;
    NONCE.save(deps.storage, &0)?;
    Ok(Response::new())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::SetPeriod { period, signature } => {
            let nonce = NONCE.load(deps.storage)?;
            let signed = to_json_binary(&(period, nonce))?;
            let key = KEY.load(deps.storage)?;
            if !deps.api.ed25519_verify(&signed, &signature, &key).map_err(|_| StdError::generic_err("key"))? {
                return Err(StdError::generic_err("signature"));
            }
            NONCE.save(deps.storage, &(nonce + 1))?;
            CONFIG.save(deps.storage, &Config { period })?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, Coin, Deps, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw721::{Cw721QueryMsg, OwnerOfResponse};
use cw_storage_plus::Map;

pub struct Ask { pub seller: Addr, pub price: Coin }
pub const ASKS: Map<(&Addr, &str), Ask> = Map::new("asks");
pub enum ExecuteMsg { List { nft: String, id: String, price: Coin }, Cancel { nft: String, id: String } }

fn only_holder(deps: Deps, sender: &Addr, nft: &Addr, id: &str) -> StdResult<()> {
    let query = Cw721QueryMsg::OwnerOf { token_id: id.to_string(), include_expired: None };
    let answer: OwnerOfResponse = deps.querier.query_wasm_smart(nft, &query)?;
    if answer.owner != *sender {
        return Err(StdError::generic_err("unauthorized"));
    }
    Ok(())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::List { nft, id, price } => {
            let nft = deps.api.addr_validate(&nft)?;
            only_holder(deps.as_ref(), &info.sender, &nft, &id)?;
            ASKS.save(deps.storage, (&nft, &id), &Ask { seller: info.sender, price })?;
        }
        ExecuteMsg::Cancel { nft, id } => {
            let nft = deps.api.addr_validate(&nft)?;
            if ASKS.load(deps.storage, (&nft, &id))?.seller != info.sender {
                return Err(StdError::generic_err("unauthorized"));
            }
            ASKS.remove(deps.storage, (&nft, &id));
        }
    }
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Storage, Uint128};
use cw_storage_plus::Item;

pub const SIGNERS: Item<Vec<Addr>> = Item::new("signers");
pub const LIMIT: Item<Uint128> = Item::new("limit");
pub enum ExecuteMsg { Limit { limit: Uint128 } }

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, info: MessageInfo, limit: Uint128) -> StdResult<Response> {
    SIGNERS.save(deps.storage, &vec![info.sender])?;
    LIMIT.save(deps.storage, &limit)?;
    Ok(Response::new())
}

fn is_signer(storage: &dyn Storage, who: &Addr) -> StdResult<bool> {
    let mut known = false;
    for one in SIGNERS.load(storage)?.iter() {
        if one == who {
            known = true;
            break;
        }
    }
    Ok(known)
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Limit { limit } => {
            if !is_signer(deps.storage, &info.sender)? {
                return Err(StdError::generic_err("signers only"));
            }
            LIMIT.save(deps.storage, &limit)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Config { pub keeper: Addr, pub vault: Addr, pub open: bool }
pub const CONFIG: Item<Config> = Item::new("config");
pub const WAITING: Map<&Addr, Uint128> = Map::new("waiting");
pub enum ExecuteMsg { Claim { owner: String, to: String }, SetVault { vault: String }, SetOpen { open: bool } }

impl ExecuteMsg {
    fn is_for_keeper(&self) -> bool {
        matches!(self, ExecuteMsg::SetVault { .. } | ExecuteMsg::SetOpen { .. })
    }
}

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, info: MessageInfo, _msg: Empty) -> StdResult<Response> {
    CONFIG.save(deps.storage, &Config { keeper: info.sender.clone(), vault: info.sender, open: true })?;
    Ok(Response::new())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let mut config = CONFIG.load(deps.storage)?;
    if msg.is_for_keeper() && info.sender != config.keeper {
        return Err(StdError::generic_err("keeper"));
    }
    match msg {
        ExecuteMsg::Claim { owner, to } => {
            let owner = deps.api.addr_validate(&owner)?;
            if owner != info.sender {
                return Err(StdError::generic_err("owner"));
            }
            let amount = WAITING.load(deps.storage, &owner)?;
            WAITING.remove(deps.storage, &owner);
            let to_address = deps.api.addr_validate(&to)?.to_string();
            return Ok(Response::new().add_message(BankMsg::Send { to_address, amount: coins(amount.u128(), "uatom") }));
        }
        ExecuteMsg::SetVault { vault } => config.vault = deps.api.addr_validate(&vault)?,
        ExecuteMsg::SetOpen { open } => config.open = open,
    }
    CONFIG.save(deps.storage, &config)?;
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::Map;
use cw_utils::Expiration;

pub struct Allowance { pub amount: Uint128, pub expires: Expiration }
pub const GIVEN: Map<(&Addr, &Addr), Allowance> = Map::new("given");
pub const TAKEN: Map<(&Addr, &Addr), Allowance> = Map::new("taken");
pub enum ExecuteMsg { Increase { spender: String, amount: Uint128, expires: Expiration }, Spend { owner: String, amount: Uint128 } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Increase { spender, amount, expires } => {
            let spender = deps.api.addr_validate(&spender)?;
            let grow = |old: Option<Allowance>| -> StdResult<_> {
                let before = old.map(|one| one.amount).unwrap_or_default();
                Ok(Allowance { amount: before + amount, expires })
            };
            GIVEN.update(deps.storage, (&info.sender, &spender), grow)?;
            TAKEN.update(deps.storage, (&spender, &info.sender), grow)?;
        }
        ExecuteMsg::Spend { owner, amount } => {
            let owner = deps.api.addr_validate(&owner)?;
            let mut allowance = TAKEN.load(deps.storage, (&info.sender, &owner))?;
            if allowance.expires.is_expired(&env.block) {
                return Err(StdError::generic_err("expired"));
            }
            allowance.amount = allowance.amount.checked_sub(amount)?;
            GIVEN.save(deps.storage, (&owner, &info.sender), &allowance)?;
            TAKEN.save(deps.storage, (&info.sender, &owner), &allowance)?;
        }
    }
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::{Item, Map};

pub struct Token { pub owner: Addr }
pub const OWNER: Item<Addr> = Item::new("owner");
pub const BANNED: Item<Addr> = Item::new("banned");
pub const ROUND: Item<u64> = Item::new("round");
pub const VOTES: Map<&Addr, bool> = Map::new("votes");
pub const TOKENS: Map<&str, Token> = Map::new("tokens");
pub enum ExecuteMsg { Next {}, Vote {}, Ban { who: Addr }, Bump {}, Report { id: String }, Poke {} }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Next {} => {
            if info.sender != OWNER.load(deps.storage)? {
                return Err(StdError::generic_err("owner"));
            }
            ROUND.save(deps.storage, &2)?;
            Ok(Response::new())
        }
        // The owner has no vote.
        ExecuteMsg::Vote {} => {
            if info.sender == OWNER.load(deps.storage)? {
                return Err(StdError::generic_err("no vote"));
            }
            VOTES.save(deps.storage, &info.sender, &true)?;
            Ok(Response::new())
        }
        ExecuteMsg::Ban { who } => {
            if info.sender != OWNER.load(deps.storage)? {
                return Err(StdError::generic_err("owner"));
            }
            BANNED.save(deps.storage, &deps.api.addr_validate(who.as_str())?)?;
            Ok(Response::new())
        }
        // Nobody has to be the one who is banned.
        ExecuteMsg::Bump {} => {
            if info.sender == BANNED.load(deps.storage)? {
                return Err(StdError::generic_err("banned"));
            }
            ROUND.update(deps.storage, |round| -> StdResult<_> { Ok(round + 1) })?;
            Ok(Response::new())
        }
        ExecuteMsg::Report { id } => {
            if info.sender == TOKENS.load(deps.storage, &id)?.owner {
                return Err(StdError::generic_err("your own"));
            }
            Ok(Response::new())
        }
        ExecuteMsg::Poke {} => {
            if info.sender == env.contract.address {
                return Err(StdError::generic_err("own"));
            }
            ROUND.update(deps.storage, |round| -> StdResult<_> { Ok(round + 1) })?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, Decimal, DepsMut, Env, MessageInfo, Order, Response, StdError, StdResult, Timestamp, WasmMsg};
use cw_storage_plus::{Item, Map};

pub struct Offer { pub to: Addr, pub ends: Timestamp }
pub struct Post { pub tip: u64 }
pub const ADMIN: Item<Addr> = Item::new("admin");
pub const OFFER: Item<Offer> = Item::new("offer");
pub const POSTS: Map<(u64, Addr), Post> = Map::new("posts");
pub const NOTES: Map<(Addr, u64), Post> = Map::new("notes");
pub enum ExecuteMsg { Offer { to: String }, Accept {}, Rate { author: String, tip: u64 }, Post { round: u64 } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Offer { to } => {
            if info.sender != ADMIN.load(deps.storage)? {
                return Err(StdError::generic_err("admin"));
            }
            let ends = env.block.time.plus_days(7);
            OFFER.save(deps.storage, &Offer { to: deps.api.addr_validate(&to)?, ends })?;
            Ok(Response::new())
        }
        ExecuteMsg::Accept {} => {
            let offer = OFFER.load(deps.storage)?;
            if env.block.time > offer.ends {
                return Err(StdError::generic_err("too late"));
            }
            if info.sender != offer.to {
                return Err(StdError::generic_err("not offered to you"));
            }
            OFFER.remove(deps.storage);
            ADMIN.save(deps.storage, &offer.to)?;
            Ok(Response::new())
        }
        ExecuteMsg::Rate { author, tip } => {
            let author = deps.api.addr_validate(&author)?;
            let posts: Vec<((Addr, u64), Post)> = NOTES.prefix(author).range(deps.storage, None, None, Order::Ascending).take(9).collect::<StdResult<_>>()?;
            for (key, _) in posts {
                NOTES.save(deps.storage, key, &Post { tip })?;
            }
            Ok(Response::new())
        }
        ExecuteMsg::Post { round } => {
            POSTS.save(deps.storage, (round, info.sender), &Post { tip: 0 })?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, DepsMut, Empty, Env, MessageInfo, Response, StdError, StdResult, Uint128, WasmMsg};
use cw_storage_plus::Item;

pub struct Config { pub vault: Addr, pub keeper: Addr, pub owner: Addr }
pub struct InstantiateMsg { pub vault: String, pub keeper: String }
pub const CONFIG: Item<Config> = Item::new("config");
pub enum ExecuteMsg { Compound { least: Uint128 }, SetOwner { owner: String } }

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, info: MessageInfo, msg: InstantiateMsg) -> StdResult<Response> {
    let (vault, keeper) = (deps.api.addr_validate(&msg.vault)?, deps.api.addr_validate(&msg.keeper)?);
    CONFIG.save(deps.storage, &Config { vault, keeper, owner: info.sender })?;
    Ok(Response::new())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let mut config = CONFIG.load(deps.storage)?;
    match msg {
        ExecuteMsg::Compound { least } => {
            if info.sender != config.keeper {
                return Err(StdError::generic_err("keeper"));
            }
            let call = WasmMsg::Execute { contract_addr: config.vault.to_string(), msg: to_json_binary(&least)?, funds: vec![] };
            Ok(Response::new().add_message(call))
        }
        ExecuteMsg::SetOwner { owner } => {
            if info.sender != config.owner {
                return Err(StdError::generic_err("owner"));
            }
            config.owner = deps.api.addr_validate(&owner)?;
            CONFIG.save(deps.storage, &config)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, DepsMut, Empty, Env, MessageInfo, Response, StdError, StdResult, Uint128, WasmMsg};
use cw_storage_plus::Item;

pub struct Config { pub vault: Addr, pub keeper: Addr, pub owner: Addr }
pub struct InstantiateMsg { pub vault: String, pub keeper: String }
pub const CONFIG: Item<Config> = Item::new("config");
pub enum ExecuteMsg { Compound { least: Uint128 }, SetOwner { owner: String } }

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, info: MessageInfo, msg: InstantiateMsg) -> StdResult<Response> {
    let (vault, keeper) = (deps.api.addr_validate(&msg.vault)?, deps.api.addr_validate(&msg.keeper)?);
    CONFIG.save(deps.storage, &Config { vault, keeper, owner: info.sender })?;
    Ok(Response::new())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let mut config = CONFIG.load(deps.storage)?;
    match msg {
        ExecuteMsg::Compound { least } => {
            roles::allowed(&info)?;
            let call = WasmMsg::Execute { contract_addr: config.vault.to_string(), msg: to_json_binary(&least)?, funds: vec![] };
            Ok(Response::new().add_message(call))
        }
        ExecuteMsg::SetOwner { owner } => {
            if info.sender != config.owner {
                return Err(StdError::generic_err("owner"));
            }
            config.owner = deps.api.addr_validate(&owner)?;
            CONFIG.save(deps.storage, &config)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, DepsMut, Empty, Env, MessageInfo, Response, StdError, StdResult, Uint128, WasmMsg};
use cw_storage_plus::Item;

pub struct Config { pub vault: Addr, pub keeper: Addr, pub owner: Addr }
pub struct InstantiateMsg { pub vault: String, pub keeper: String }
pub const CONFIG: Item<Config> = Item::new("config");
pub enum ExecuteMsg { Compound { least: Uint128 }, Harvest {}, SetOwner { owner: String } }

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, info: MessageInfo, msg: InstantiateMsg) -> StdResult<Response> {
    let (vault, keeper) = (deps.api.addr_validate(&msg.vault)?, deps.api.addr_validate(&msg.keeper)?);
    CONFIG.save(deps.storage, &Config { vault, keeper, owner: info.sender })?;
    Ok(Response::new())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let mut config = CONFIG.load(deps.storage)?;
    match msg {
        ExecuteMsg::Compound { least } => {
            let call = WasmMsg::Execute { contract_addr: config.vault.to_string(), msg: to_json_binary(&least)?, funds: vec![] };
            Ok(Response::new().add_message(call))
        }
        ExecuteMsg::Harvest {} => {
            let call = WasmMsg::Execute { contract_addr: config.vault.to_string(), msg: to_json_binary(&Empty {})?, funds: vec![] };
            Ok(Response::new().add_message(call))
        }
        ExecuteMsg::SetOwner { owner } => {
            if info.sender != config.owner {
                return Err(StdError::generic_err("owner"));
            }
            config.owner = deps.api.addr_validate(&owner)?;
            CONFIG.save(deps.storage, &config)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, DepsMut, Empty, Env, MessageInfo, Response, StdError, StdResult, Uint128, WasmMsg};
use cw_storage_plus::Item;

pub struct Config { pub vault: Addr, pub keeper: Addr, pub treasury: Addr, pub owner: Addr }
pub struct InstantiateMsg { pub vault: String, pub keeper: String }
pub const CONFIG: Item<Config> = Item::new("config");
pub enum ExecuteMsg { Compound { least: Uint128 }, SetOwner { owner: String } }

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, info: MessageInfo, msg: InstantiateMsg) -> StdResult<Response> {
    let treasury = deps.api.addr_validate(&msg.keeper)?;
    let (vault, keeper) = (deps.api.addr_validate(&msg.vault)?, deps.api.addr_validate(&msg.keeper)?);
    CONFIG.save(deps.storage, &Config { vault, keeper, treasury, owner: info.sender })?;
    Ok(Response::new())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let mut config = CONFIG.load(deps.storage)?;
    match msg {
        ExecuteMsg::Compound { least } => {
            let call = WasmMsg::Execute { contract_addr: config.vault.to_string(), msg: to_json_binary(&least)?, funds: vec![] };
            Ok(Response::new().add_message(call))
        }
        ExecuteMsg::SetOwner { owner } => {
            if info.sender != config.owner {
                return Err(StdError::generic_err("owner"));
            }
            config.owner = deps.api.addr_validate(&owner)?;
            CONFIG.save(deps.storage, &config)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, DepsMut, Empty, Env, MessageInfo, Response, StdError, StdResult, Uint128, WasmMsg};
use cw_storage_plus::Item;

pub struct Config { pub vault: Addr, pub keeper: Addr, pub owner: Addr }
pub struct InstantiateMsg { pub vault: String, pub keeper: String }
pub const CONFIG: Item<Config> = Item::new("config");
pub const VAULT: Item<Addr> = Item::new("vault");
pub enum ExecuteMsg { Compound { least: Uint128 }, SetOwner { owner: String } }

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, info: MessageInfo, msg: InstantiateMsg) -> StdResult<Response> {
    let (vault, keeper) = (deps.api.addr_validate(&msg.vault)?, deps.api.addr_validate(&msg.keeper)?);
    CONFIG.save(deps.storage, &Config { vault, keeper, owner: info.sender })?;
    Ok(Response::new())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Compound { least } => {
            let vault = VAULT.load(deps.storage)?;
            let call = WasmMsg::Execute { contract_addr: vault.to_string(), msg: to_json_binary(&least)?, funds: vec![] };
            Ok(Response::new().add_message(call))
        }
        ExecuteMsg::SetOwner { owner } => {
            let mut config = CONFIG.load(deps.storage)?;
            if info.sender != config.owner {
                return Err(StdError::generic_err("owner"));
            }
            config.owner = deps.api.addr_validate(&owner)?;
            CONFIG.save(deps.storage, &config)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, Coin, DepsMut, Env, MessageInfo, Response, StakingMsg, StdError, StdResult};
use cw_storage_plus::Item;

pub enum Stage { Running, Over }
pub struct Config { pub holder: Addr, pub stage: Stage }
pub const CONFIG: Item<Config> = Item::new("config");
pub enum ExecuteMsg { Unbond { validator: String, amount: Coin } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let ExecuteMsg::Unbond { validator, amount } = msg;
    let config = CONFIG.load(deps.storage)?;
    match config.stage {
        Stage::Running => {
            if info.sender != config.holder {
                return Err(StdError::generic_err("holder"));
            }
        }
        Stage::Over => (),
    }
    Ok(Response::new().add_message(StakingMsg::Undelegate { validator, amount }))
}
`,
      `use cosmwasm_std::{ensure, entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::{Item, Map};

pub struct Offer { pub maker: Addr, pub open: bool }
pub const OWNER: Item<Addr> = Item::new("owner");
pub const FEE: Item<u64> = Item::new("fee");
pub const OFFERS: Map<u64, Offer> = Map::new("offers");
pub const VOTES: Item<u64> = Item::new("votes");
pub const SEEN: Map<u64, u64> = Map::new("seen");
pub const DELEGATES: Map<&Addr, Addr> = Map::new("delegates");
pub enum ExecuteMsg { SetFee { fee: u64 }, Cancel { id: u64 }, Look { id: u64 }, Count {} }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::SetFee { fee } => {
            ensure!(info.sender == OWNER.load(deps.storage)?, StdError::generic_err("owner"));
            FEE.save(deps.storage, &fee)?;
        }
        ExecuteMsg::Cancel { id } => {
            let mut offer = OFFERS.load(deps.storage, id)?;
            ensure!(info.sender == offer.maker, StdError::generic_err("maker"));
            offer.open = false;
            OFFERS.save(deps.storage, id, &offer)?;
        }
        // Each offer has another maker: none of them is in charge.
        ExecuteMsg::Look { id } => {
            ensure!(info.sender != OFFERS.load(deps.storage, id)?.maker, StdError::generic_err("maker"));
            SEEN.save(deps.storage, id, &env.block.height)?;
        }
        // The owner's own delegate does not count.
        ExecuteMsg::Count {} => {
            ensure!(DELEGATES.load(deps.storage, &info.sender)? != OWNER.load(deps.storage)?, StdError::generic_err("delegate"));
            VOTES.save(deps.storage, &(VOTES.load(deps.storage)? + 1))?;
        }
    }
    Ok(Response::new())
}`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Item;

pub const OWNER: Item<Addr> = Item::new("owner");
pub const FEE: Item<u64> = Item::new("fee");
pub enum ExecuteMsg { SetOwner { owner: String }, SetFee { fee: u64 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        // The error is made and not returned: that is the question of another rule.
        ExecuteMsg::SetOwner { owner } => {
            if info.sender != OWNER.load(deps.storage)? {
                StdError::generic_err("owner");
            }
            OWNER.save(deps.storage, &deps.api.addr_validate(&owner)?)?;
        }
        ExecuteMsg::SetFee { fee } => {
            if info.sender != OWNER.load(deps.storage)? {
                return Err(StdError::generic_err("owner"));
            }
            FEE.save(deps.storage, &fee)?;
        }
    }
    Ok(Response::new())
}`,
      `use cosmwasm_std::{entry_point, DepsMut, Env, MessageInfo, Response, StdError};
use cw_storage_plus::Map;
use cw2::set_contract_version;
pub struct InstantiateMsg { pub owner: String }
use cw_ownable::{initialize_owner, assert_owner, Action};
pub const SERVICES: Map<&str, String> = Map::new("services");

#[entry_point]
pub fn instantiate(deps: DepsMut, env: Env, info: MessageInfo, msg: InstantiateMsg) -> Result<Response, StdError> {
    set_contract_version(deps.storage, "crates.io:own", "1.0.0")?;
    initialize_owner(deps.storage, deps.api, Some(&msg.owner))?;
    Ok(Response::new())
}
pub enum ExecuteMsg { Point { name: String, address: String }, UpdateOwnership(Action) }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Point { name, address } => {
            assert_owner(deps.storage, &info.sender).map_err(|e| StdError::generic_err(e.to_string()))?;
            let address = deps.api.addr_validate(&address)?;
            SERVICES.save(deps.storage, &name, &address.to_string())?;
            Ok(Response::new())
        }
        ExecuteMsg::UpdateOwnership(action) => { cw_ownable::update_ownership(deps, &env.block, &info.sender, action).map_err(|e| StdError::generic_err(e.to_string()))?; Ok(Response::new()) }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, Decimal, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};
use cw2::set_contract_version;
use cw_utils::must_pay;
pub struct InstantiateMsg { pub owner: String }
pub const OWNER: Item<Addr> = Item::new("owner");

pub const RATES: Map<String, Decimal> = Map::new("rates");
pub const DEBT: Map<&Addr, Uint128> = Map::new("debt");

#[entry_point]
pub fn instantiate(deps: DepsMut, env: Env, info: MessageInfo, msg: InstantiateMsg) -> Result<Response, StdError> {
    set_contract_version(deps.storage, "crates.io:own", "1.0.0")?;
    OWNER.save(deps.storage, &deps.api.addr_validate(&msg.owner)?)?;
    Ok(Response::new())
}
pub enum ExecuteMsg { SetRate { denom: String, rate: Decimal }, Borrow { denom: String } }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::SetRate { denom, rate } => {
            if info.sender != OWNER.load(deps.storage)? { return Err(StdError::generic_err("owner")); }
            if rate > Decimal::one() { return Err(StdError::generic_err("rate")); }
            RATES.save(deps.storage, denom, &rate)?;
            Ok(Response::new())
        }
        ExecuteMsg::Borrow { denom } => {
            let sum = must_pay(&info, "ujuno").map_err(|e| StdError::generic_err(e.to_string()))?;
            let rate = RATES.load(deps.storage, denom.clone())?;
            DEBT.update(deps.storage, &info.sender, |had| -> StdResult<_> { Ok(had.unwrap_or_default() + sum * rate) })?;
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins((sum * rate).u128(), denom) }))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError};
use cw_storage_plus::Item;
use cw2::set_contract_version;
use cw_utils::must_pay;
pub struct InstantiateMsg { pub owner: String }
pub const OWNER: Item<Addr> = Item::new("owner");

use cosmwasm_std::wasm_execute;
pub enum RouterPair { Swap { to: Option<String> } }

#[entry_point]
pub fn instantiate(deps: DepsMut, env: Env, info: MessageInfo, msg: InstantiateMsg) -> Result<Response, StdError> {
    set_contract_version(deps.storage, "crates.io:own", "1.0.0")?;
    OWNER.save(deps.storage, &deps.api.addr_validate(&msg.owner)?)?;
    Ok(Response::new())
}
pub enum ExecuteMsg { Route { hops: Vec<String>, to: Option<String> }, Hop { pair: String, denom: String, to: Option<String> } }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Route { hops, to } => {
            let _ = must_pay(&info, "ujuno").map_err(|e| StdError::generic_err(e.to_string()))?;
            let mut out = vec![];
            for hop in hops { out.push(wasm_execute(env.contract.address.to_string(), &ExecuteMsg::Hop { pair: hop, denom: "ujuno".to_string(), to: to.clone() }, vec![])?); }
            Ok(Response::new().add_messages(out))
        }
        ExecuteMsg::Hop { pair, denom, to } => {
            if info.sender != env.contract.address { return Err(StdError::generic_err("self")); }
            let held = deps.querier.query_balance(&env.contract.address, &denom)?;
            Ok(Response::new().add_message(wasm_execute(pair, &RouterPair::Swap { to }, vec![held])?))
        }
    }
}
`,
      `use cosmwasm_std::{ensure_eq, entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::Item;
use cw2::set_contract_version;
use cw_utils::must_pay;
pub struct InstantiateMsg { pub owner: String }
pub const OWNER: Item<Addr> = Item::new("owner");

use cw_asset::Asset;
pub const HELD: Item<Uint128> = Item::new("held");

#[entry_point]
pub fn instantiate(deps: DepsMut, env: Env, info: MessageInfo, msg: InstantiateMsg) -> Result<Response, StdError> {
    set_contract_version(deps.storage, "crates.io:own", "1.0.0")?;
    OWNER.save(deps.storage, &deps.api.addr_validate(&msg.owner)?)?;
    HELD.save(deps.storage, &Uint128::zero())?;
    Ok(Response::new())
}
pub enum ExecuteMsg { Sweep { asset: Asset, to: String }, Join {} }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Sweep { asset, to } => {
            ensure_eq!(info.sender, OWNER.load(deps.storage)?, StdError::generic_err("owner"));
            let to = deps.api.addr_validate(&to)?;
            Ok(Response::new().add_message(asset.transfer_msg(&to)?))
        }
        ExecuteMsg::Join {} => {
            let sum = must_pay(&info, "ujuno").map_err(|e| StdError::generic_err(e.to_string()))?;
            HELD.update(deps.storage, |had| -> StdResult<_> { Ok(had + sum) })?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, Deps, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub const BOOK: Item<Addr> = Item::new("book");
pub const POINTS: Map<(String, String), Uint128> = Map::new("points");
pub enum ExecuteMsg { Moved { user: String, denom: String, before: Uint128 }, Redeem { denom: String } }
pub enum BookQuery { Lender {} }

fn lender(deps: Deps) -> StdResult<Addr> {
    let book = BOOK.load(deps.storage)?;
    let found: Addr = deps.querier.query_wasm_smart(book, &BookQuery::Lender {})?;
    Ok(found)
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Moved { user, denom, before } => {
            let lender = lender(deps.as_ref())?;
            if info.sender != lender { return Err(StdError::generic_err("lender")); }
            POINTS.update(deps.storage, (user, denom), |had| -> StdResult<_> { Ok(had.unwrap_or_default() + before) })?;
            Ok(Response::new())
        }
        ExecuteMsg::Redeem { denom } => {
            POINTS.remove(deps.storage, (info.sender.to_string(), denom));
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, Decimal, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub const ORACLE: Item<Addr> = Item::new("oracle");
pub const NAMES: Map<String, String> = Map::new("names");
pub const PRICES: Map<String, Decimal> = Map::new("prices");
pub const VOTES: Map<String, Uint128> = Map::new("votes");
pub const SEATS: Map<u64, String> = Map::new("seats");
pub const CHOSEN: Item<String> = Item::new("chosen");
pub struct InstantiateMsg { pub oracle: String }
pub enum OracleQuery { Price { denom: String } }
pub enum ExecuteMsg { Name { name: String, text: String }, Sync { denom: String }, Count { choice: String, by: Uint128 }, Seat { number: u64, name: String } }

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, _info: MessageInfo, msg: InstantiateMsg) -> StdResult<Response> {
    ORACLE.save(deps.storage, &deps.api.addr_validate(&msg.oracle)?)?;
    Ok(Response::new())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Name { name, text } => {
            if NAMES.has(deps.storage, name.clone()) { return Err(StdError::generic_err("taken")); }
            NAMES.save(deps.storage, name, &text)?;
            Ok(Response::new())
        }
        ExecuteMsg::Sync { denom } => {
            let oracle = ORACLE.load(deps.storage)?;
            let price: Decimal = deps.querier.query_wasm_smart(oracle, &OracleQuery::Price { denom: denom.clone() })?;
            PRICES.save(deps.storage, denom, &price)?;
            Ok(Response::new())
        }
        ExecuteMsg::Count { choice, by } => {
            let had = VOTES.may_load(deps.storage, choice.clone())?.unwrap_or_default();
            VOTES.save(deps.storage, choice, &had.max(by))?;
            Ok(Response::new())
        }
        ExecuteMsg::Seat { number, name } => {
            if CHOSEN.load(deps.storage)? != name { return Err(StdError::generic_err("not chosen")); }
            SEATS.save(deps.storage, number, &name)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{coins, ensure, entry_point, Addr, BankMsg, Coin, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};
pub const OWNER: Item<Addr> = Item::new("owner");

pub struct Ask { pub to: Addr, pub coins: Vec<Coin>, pub paid: bool }
pub struct Count { pub for_it: Uint128, pub against: Uint128 }
pub const ASKS: Map<u64, Ask> = Map::new("asks");
pub const COUNTS: Map<u64, Count> = Map::new("counts");
pub const WEIGHTS: Map<&Addr, Uint128> = Map::new("weights");
pub const CAST: Map<(u64, &Addr), bool> = Map::new("cast");
pub const NEXT: Item<u64> = Item::new("next");

pub enum ExecuteMsg { Ask { to: String, coins: Vec<Coin> }, Cast { id: u64, agree: bool }, Settle { id: u64 } }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Ask { to, coins } => {
            WEIGHTS.load(deps.storage, &info.sender)?;
            let id = NEXT.may_load(deps.storage)?.unwrap_or_default();
            NEXT.save(deps.storage, &(id + 1))?;
            ASKS.save(deps.storage, id, &Ask { to: deps.api.addr_validate(&to)?, coins, paid: false })?;
            COUNTS.save(deps.storage, id, &Count { for_it: Uint128::zero(), against: Uint128::zero() })?;
            Ok(Response::new())
        }
        ExecuteMsg::Cast { id, agree } => {
            let weight = WEIGHTS.load(deps.storage, &info.sender)?;
            if CAST.has(deps.storage, (id, &info.sender)) { return Err(StdError::generic_err("twice")); }
            CAST.save(deps.storage, (id, &info.sender), &agree)?;
            COUNTS.update(deps.storage, id, |had| -> StdResult<_> {
                let mut had = had.ok_or_else(|| StdError::generic_err("none"))?;
                if agree { had.for_it += weight } else { had.against += weight }
                Ok(had)
            })?;
            Ok(Response::new())
        }
        ExecuteMsg::Settle { id } => {
            let mut ask = ASKS.load(deps.storage, id)?;
            ensure!(!ask.paid, StdError::generic_err("paid"));
            let count = COUNTS.load(deps.storage, id)?;
            ensure!(count.for_it > count.against, StdError::generic_err("rejected"));
            ask.paid = true;
            ASKS.save(deps.storage, id, &ask)?;
            Ok(Response::new().add_message(BankMsg::Send { to_address: ask.to.to_string(), amount: ask.coins }))
        }
    }
}
`,
      `use cosmwasm_std::{ensure, ensure_eq, entry_point, Addr, CosmosMsg, DepsMut, Env, MessageInfo, Response, StdError};
use cw_storage_plus::{Item, Map};
pub const OWNER: Item<Addr> = Item::new("owner");

pub struct Tx { pub msgs: Vec<CosmosMsg>, pub approvals: Vec<Addr>, pub done: bool }
pub const TXS: Map<u64, Tx> = Map::new("txs");
pub const SIGNERS: Map<&Addr, bool> = Map::new("signers");
pub const NEEDED: Item<usize> = Item::new("needed");
pub const NEXT: Item<u64> = Item::new("next");

pub enum ExecuteMsg { Submit { msgs: Vec<CosmosMsg> }, Approve { id: u64 }, Run { id: u64 }, Sign { who: String } }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Sign { who } => {
            ensure_eq!(info.sender, OWNER.load(deps.storage)?, StdError::generic_err("owner"));
            SIGNERS.save(deps.storage, &deps.api.addr_validate(&who)?, &true)?;
            Ok(Response::new())
        }
        ExecuteMsg::Submit { msgs } => {
            ensure!(SIGNERS.has(deps.storage, &info.sender), StdError::generic_err("signer"));
            let id = NEXT.may_load(deps.storage)?.unwrap_or_default();
            NEXT.save(deps.storage, &(id + 1))?;
            TXS.save(deps.storage, id, &Tx { msgs, approvals: vec![info.sender], done: false })?;
            Ok(Response::new())
        }
        ExecuteMsg::Approve { id } => {
            ensure!(SIGNERS.has(deps.storage, &info.sender), StdError::generic_err("signer"));
            let mut tx = TXS.load(deps.storage, id)?;
            ensure!(!tx.approvals.contains(&info.sender), StdError::generic_err("twice"));
            tx.approvals.push(info.sender);
            TXS.save(deps.storage, id, &tx)?;
            Ok(Response::new())
        }
        ExecuteMsg::Run { id } => {
            let mut tx = TXS.load(deps.storage, id)?;
            ensure!(SIGNERS.has(deps.storage, &info.sender), StdError::generic_err("signer"));
            ensure!(!tx.done, StdError::generic_err("done"));
            ensure!(tx.approvals.len() >= NEEDED.load(deps.storage)?, StdError::generic_err("few"));
            tx.done = true;
            TXS.save(deps.storage, id, &tx)?;
            Ok(Response::new().add_messages(tx.msgs))
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, Coin, DepsMut, Env, MessageInfo, Response, StdError, Uint128};
use cw_storage_plus::{Item, Map};

#[derive(PartialEq)]
pub enum Stage { Open, Passed, Executed }
pub struct Spend { pub to: Addr, pub coins: Vec<Coin>, pub stage: Stage, pub support: Uint128, pub ends: u64 }
pub const SPENDS: Map<String, Spend> = Map::new("spends");
pub const STAKES: Map<&Addr, Uint128> = Map::new("stakes");
pub const QUORUM: Item<Uint128> = Item::new("quorum");
pub const GIVEN: Map<(String, Addr), Uint128> = Map::new("given");

pub enum ExecuteMsg { Suggest { name: String, to: String, coins: Vec<Coin> }, Support { name: String }, Tally { name: String }, Pay { name: String } }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Suggest { name, to, coins } => {
            STAKES.load(deps.storage, &info.sender)?;
            if SPENDS.has(deps.storage, name.clone()) { return Err(StdError::generic_err("taken")); }
            let to = deps.api.addr_validate(&to)?;
            SPENDS.save(deps.storage, name, &Spend { to, coins, stage: Stage::Open, support: Uint128::zero(), ends: env.block.height + 100 })?;
            Ok(Response::new())
        }
        ExecuteMsg::Support { name } => {
            let stake = STAKES.load(deps.storage, &info.sender)?;
            let mut spend = SPENDS.load(deps.storage, name.clone())?;
            if GIVEN.has(deps.storage, (name.clone(), info.sender.clone())) || spend.ends < env.block.height { return Err(StdError::generic_err("no")); }
            GIVEN.save(deps.storage, (name.clone(), info.sender), &stake)?;
            spend.support += stake;
            SPENDS.save(deps.storage, name, &spend)?;
            Ok(Response::new())
        }
        ExecuteMsg::Tally { name } => {
            let mut spend = SPENDS.load(deps.storage, name.clone())?;
            if spend.support < QUORUM.load(deps.storage)? { return Err(StdError::generic_err("quorum")); }
            if spend.stage != Stage::Open { return Err(StdError::generic_err("open")); }
            spend.stage = Stage::Passed;
            SPENDS.save(deps.storage, name, &spend)?;
            Ok(Response::new())
        }
        ExecuteMsg::Pay { name } => {
            let mut spend = SPENDS.load(deps.storage, name.clone())?;
            if spend.stage != Stage::Passed { return Err(StdError::generic_err("not passed")); }
            spend.stage = Stage::Executed;
            SPENDS.save(deps.storage, name, &spend)?;
            Ok(Response::new().add_message(BankMsg::Send { to_address: spend.to.to_string(), amount: spend.coins }))
        }
    }
}
`,
      `use cosmwasm_std::{ensure, ensure_eq, entry_point, Addr, BankMsg, Coin, CosmosMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};
use ballots::decide;

pub struct Plan { pub to: Addr, pub coins: Vec<Coin>, pub yes: Uint128, pub vetoes: Uint128, pub ends: u64, pub note: String }
pub const OWNER: Item<Addr> = Item::new("owner");
pub const PLANS: Map<u64, Plan> = Map::new("plans");
pub const WEIGHTS: Map<&Addr, Uint128> = Map::new("weights");
pub const CAST: Map<(u64, &Addr), bool> = Map::new("cast");
pub enum ExecuteMsg { Propose { id: u64, to: String, coins: Vec<Coin> }, Vote { id: u64 }, Lapse { id: u64 }, Decide { id: u64 }, Force { id: u64 } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Propose { id, to, coins } => {
            WEIGHTS.load(deps.storage, &info.sender)?;
            ensure!(!PLANS.has(deps.storage, id), StdError::generic_err("taken"));
            let plan = Plan { to: deps.api.addr_validate(&to)?, coins, yes: Uint128::zero(), vetoes: Uint128::zero(), ends: env.block.height + 100, note: String::new() };
            PLANS.save(deps.storage, id, &plan)?;
            Ok(Response::new())
        }
        ExecuteMsg::Vote { id } => {
            let weight = WEIGHTS.load(deps.storage, &info.sender)?;
            ensure!(!CAST.has(deps.storage, (id, &info.sender)), StdError::generic_err("twice"));
            CAST.save(deps.storage, (id, &info.sender), &true)?;
            let mut plan = PLANS.load(deps.storage, id)?;
            plan.vetoes += weight;
            PLANS.save(deps.storage, id, &plan)?;
            Ok(Response::new())
        }
        ExecuteMsg::Lapse { id } => {
            let plan = PLANS.load(deps.storage, id)?;
            ensure!(plan.ends < env.block.height, StdError::generic_err("open"));
            PLANS.remove(deps.storage, id);
            Ok(Response::new().add_message(BankMsg::Send { to_address: plan.to.to_string(), amount: plan.coins }))
        }
        ExecuteMsg::Decide { id } => {
            let plan = PLANS.load(deps.storage, id)?;
            ensure!(decide(&plan), StdError::generic_err("rejected"));
            PLANS.remove(deps.storage, id);
            Ok(Response::new().add_message(BankMsg::Send { to_address: plan.to.to_string(), amount: plan.coins }))
        }
        ExecuteMsg::Force { id } => {
            ensure_eq!(info.sender, OWNER.load(deps.storage)?, StdError::generic_err("owner"));
            let plan = PLANS.load(deps.storage, id)?;
            PLANS.remove(deps.storage, id);
            Ok(Response::new().add_message(BankMsg::Send { to_address: plan.to.to_string(), amount: plan.coins }))
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Order, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};
use cw_utils::must_pay;
pub const OWNER: Item<Addr> = Item::new("owner");

pub struct Order { pub trader: String, pub sum: Uint128, pub to: String }
pub const FREE: Map<String, Uint128> = Map::new("free");
fn check(info: &MessageInfo, order: &Order) -> StdResult<()> { if order.trader != info.sender.as_str() { return Err(StdError::generic_err("trader")); } Ok(()) }

pub enum ExecuteMsg { Fill { order: Order }, Put {} }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Put {} => {
            let sum = must_pay(&info, "ujuno").map_err(|e| StdError::generic_err(e.to_string()))?;
            FREE.update(deps.storage, info.sender.to_string(), |had| -> StdResult<_> { Ok(had.unwrap_or_default() + sum) })?;
            Ok(Response::new())
        }
        ExecuteMsg::Fill { order } => {
            check(&info, &order)?;
            let to = deps.api.addr_validate(&order.to)?;
            FREE.update(deps.storage, order.trader.clone(), |had| -> StdResult<_> { Ok(had.unwrap_or_default().checked_sub(order.sum)?) })?;
            Ok(Response::new().add_message(BankMsg::Send { to_address: to.to_string(), amount: coins(order.sum.u128(), "ujuno") }))
        }
    }
}
`,
      `use cosmwasm_std::{coins, ensure, entry_point, Addr, BlockInfo, CosmosMsg, BankMsg, Decimal, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::Map;
use cw_utils::must_pay;

#[derive(PartialEq)]
pub enum Status { Open, Passed, Executed }
pub struct Motion { pub yes: Uint128, pub needed: Uint128, pub ends: u64, pub status: Status, pub msgs: Vec<CosmosMsg> }
impl Motion {
    fn current(&self) -> Status { if self.yes >= self.needed { Status::Passed } else { Status::Open } }
    fn update(&mut self) { let now = self.current(); if self.status == Status::Open { self.status = now; } }
}
pub struct Pool { pub total: Uint128, pub index: Decimal }
pub const MOTIONS: Map<u64, Motion> = Map::new("motions");
pub const WEIGHTS: Map<&Addr, Uint128> = Map::new("weights");
pub const CAST: Map<(u64, &Addr), bool> = Map::new("cast");
pub const POOLS: Map<u64, Pool> = Map::new("pools");
pub const STAKES: Map<(u64, &Addr), Uint128> = Map::new("stakes");
pub enum ExecuteMsg { Vote { id: u64 }, Execute { id: u64 }, Stake { id: u64 }, Reward { id: u64 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Vote { id } => {
            let weight = WEIGHTS.load(deps.storage, &info.sender)?;
            ensure!(!CAST.has(deps.storage, (id, &info.sender)), StdError::generic_err("twice"));
            CAST.save(deps.storage, (id, &info.sender), &true)?;
            let mut motion = MOTIONS.load(deps.storage, id)?;
            motion.yes += weight;
            MOTIONS.save(deps.storage, id, &motion)?;
            Ok(Response::new())
        }
        ExecuteMsg::Execute { id } => {
            let mut motion = MOTIONS.load(deps.storage, id)?;
            motion.update();
            if motion.status != Status::Passed { return Err(StdError::generic_err("not passed")); }
            motion.status = Status::Executed;
            MOTIONS.save(deps.storage, id, &motion)?;
            Ok(Response::new().add_messages(motion.msgs))
        }
        ExecuteMsg::Stake { id } => {
            let paid = must_pay(&info, "ujuno").map_err(|e| StdError::generic_err(e.to_string()))?;
            STAKES.update(deps.storage, (id, &info.sender), |had| -> StdResult<_> { Ok(had.unwrap_or_default() + paid) })?;
            let mut pool = POOLS.load(deps.storage, id)?;
            pool.total += paid;
            POOLS.save(deps.storage, id, &pool)?;
            Ok(Response::new())
        }
        ExecuteMsg::Reward { id } => {
            let pool = POOLS.load(deps.storage, id)?;
            let stake = STAKES.load(deps.storage, (id, &info.sender))?;
            STAKES.remove(deps.storage, (id, &info.sender));
            let due = stake * pool.index;
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(due.u128(), "ujuno") }))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, Deps, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Item;

pub struct Config { pub factory: Addr, pub period: u64 }
pub struct Average { pub value: u64, pub taken: u64 }
pub const CONFIG: Item<Config> = Item::new("config");
pub const AVERAGE: Item<Average> = Item::new("average");
pub struct InstantiateMsg { pub factory: String, pub period: u64 }
pub enum ExecuteMsg { Update { value: u64 } }

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, _info: MessageInfo, msg: InstantiateMsg) -> StdResult<Response> {
    CONFIG.save(deps.storage, &Config { factory: deps.api.addr_validate(&msg.factory)?, period: msg.period })?;
    Ok(Response::new())
}

// Whoever comes after the period.
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let ExecuteMsg::Update { value } = msg;
    let config = CONFIG.load(deps.storage)?;
    let mut average = AVERAGE.load(deps.storage)?;
    if env.block.time.seconds() - average.taken < config.period {
        return Err(StdError::generic_err("too early"));
    }
    average.value = (average.value + value) / 2;
    average.taken = env.block.time.seconds();
    AVERAGE.save(deps.storage, &average)?;
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, wasm_execute, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, WasmMsg};
use cw_storage_plus::{Item, Map};

pub struct Offer { pub owner: Addr, pub until: u64 }
pub const OWNER: Item<Addr> = Item::new("owner");
pub const OFFER: Item<Offer> = Item::new("offer");
pub const GAUGES: Map<&str, bool> = Map::new("gauges");
pub const COUNCIL: Item<Addr> = Item::new("council");
pub enum CouncilMsg { Vote { id: u64, yes: bool } }
pub enum GaugeMsg { Checkpoint {} }
pub enum ExecuteMsg { Offer { to: String }, Accept {}, Withdraw {}, Vote { id: u64, yes: bool }, Poke { gauge: String }, List { gauge: String } }

fn owner_only(deps: &DepsMut, info: &MessageInfo) -> StdResult<()> {
    if info.sender != OWNER.load(deps.storage)? { return Err(StdError::generic_err("owner")); }
    Ok(())
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Offer { to } => {
            owner_only(&deps, &info)?;
            OFFER.save(deps.storage, &Offer { owner: deps.api.addr_validate(&to)?, until: env.block.height + 100 })?;
            Ok(Response::new())
        }
        ExecuteMsg::Accept {} => {
            let offer = OFFER.load(deps.storage)?;
            if info.sender != offer.owner || offer.until < env.block.height { return Err(StdError::generic_err("offer")); }
            OFFER.remove(deps.storage);
            OWNER.save(deps.storage, &offer.owner)?;
            Ok(Response::new())
        }
        ExecuteMsg::Withdraw {} => {
            owner_only(&deps, &info)?;
            OFFER.remove(deps.storage);
            Ok(Response::new())
        }
        ExecuteMsg::Vote { id, yes } => {
            owner_only(&deps, &info)?;
            let council = COUNCIL.load(deps.storage)?;
            Ok(Response::new().add_message(wasm_execute(council, &CouncilMsg::Vote { id, yes }, vec![])?))
        }
        ExecuteMsg::List { gauge } => {
            owner_only(&deps, &info)?;
            GAUGES.save(deps.storage, &gauge, &true)?;
            Ok(Response::new())
        }
        ExecuteMsg::Poke { gauge } => {
            if !GAUGES.has(deps.storage, &gauge) { return Err(StdError::generic_err("gauge")); }
            let contract_addr = deps.api.addr_validate(&gauge)?.to_string();
            Ok(Response::new().add_message(WasmMsg::Execute { contract_addr, msg: to_json_binary(&GaugeMsg::Checkpoint {})?, funds: vec![] }))
        }
    }
}
`,
      `use cosmwasm_std::{ensure, ensure_eq, entry_point, Addr, Binary, DepsMut, Env, MessageInfo, Reply, Response, StdError, StdResult, SubMsg, WasmMsg};
use cw_storage_plus::{Item, Map};
use cw2::set_contract_version;
pub struct InstantiateMsg { pub owner: String }
pub const OWNER: Item<Addr> = Item::new("owner");

pub struct Spec { pub code: u64, pub label: String, pub init: Binary }
pub const COUNT: Map<&Addr, u64> = Map::new("count");
pub const CODES: Map<u64, bool> = Map::new("codes");
fn build(spec: Spec, admin: &Addr) -> WasmMsg { WasmMsg::Instantiate { admin: Some(admin.to_string()), code_id: spec.code, msg: spec.init, funds: vec![], label: spec.label } }

#[entry_point]
pub fn instantiate(deps: DepsMut, env: Env, info: MessageInfo, msg: InstantiateMsg) -> Result<Response, StdError> {
    set_contract_version(deps.storage, "crates.io:own", "1.0.0")?;
    OWNER.save(deps.storage, &deps.api.addr_validate(&msg.owner)?)?;
    Ok(Response::new())
}
pub enum ExecuteMsg { Make { spec: Spec }, Allow { code: u64 } }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Allow { code } => {
            ensure_eq!(info.sender, OWNER.load(deps.storage)?, StdError::generic_err("owner"));
            CODES.save(deps.storage, code, &true)?;
            Ok(Response::new())
        }
        ExecuteMsg::Make { spec } => {
            ensure!(CODES.has(deps.storage, spec.code), StdError::generic_err("code"));
            COUNT.update(deps.storage, &info.sender, |had| -> StdResult<_> { Ok(had.unwrap_or_default() + 1) })?;
            Ok(Response::new().add_submessage(SubMsg::reply_on_success(build(spec, &env.contract.address), 1)))
        }
    }
}

#[entry_point]
pub fn reply(_deps: DepsMut, _env: Env, msg: Reply) -> StdResult<Response> { if msg.id != 1 { return Err(StdError::generic_err("id")); } Ok(Response::new()) }
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError};
use cw_storage_plus::{Item, Map};
use cw2::set_contract_version;
pub struct InstantiateMsg { pub owner: String }
pub const OWNER: Item<Addr> = Item::new("owner");

use cosmwasm_std::wasm_instantiate;
pub struct Config { pub pair_code: u64 }
pub const CONFIG: Item<Config> = Item::new("config");
pub const PAIRS: Map<(String, String), Addr> = Map::new("pairs");

#[entry_point]
pub fn instantiate(deps: DepsMut, env: Env, info: MessageInfo, msg: InstantiateMsg) -> Result<Response, StdError> {
    set_contract_version(deps.storage, "crates.io:own", "1.0.0")?;
    OWNER.save(deps.storage, &deps.api.addr_validate(&msg.owner)?)?;
    CONFIG.save(deps.storage, &Config { pair_code: 1 })?;
    Ok(Response::new())
}
pub enum ExecuteMsg { Pair { a: String, b: String, code: u64 } }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Pair { a, b, code } => {
            if PAIRS.has(deps.storage, (a.clone(), b.clone())) { return Err(StdError::generic_err("exists")); }
            PAIRS.save(deps.storage, (a.clone(), b.clone()), &info.sender)?;
            let code = CONFIG.load(deps.storage)?.pair_code;
            Ok(Response::new().add_message(wasm_instantiate(code, &(a, b), vec![], "pair".to_string())?))
        }
    }
}
`,
      `use cosmwasm_std::{coins, ensure, entry_point, to_json_binary, Addr, BankMsg, Decimal, DepsMut, Env, MessageInfo, Response, StdError, Uint128, WasmMsg};
use cw_storage_plus::{Item, Map};
use cw2::set_contract_version;
use cw20::Cw20ExecuteMsg;
use cw_utils::must_pay;
pub struct InstantiateMsg { pub owner: String }
pub const OWNER: Item<Addr> = Item::new("owner");

pub struct Vault { pub locked: Uint128, pub minted: Uint128 }
pub const VAULTS: Map<&Addr, Vault> = Map::new("vaults");
pub const TOKEN: Item<Addr> = Item::new("token");
pub const RATIO: Item<Decimal> = Item::new("ratio");

#[entry_point]
pub fn instantiate(deps: DepsMut, env: Env, info: MessageInfo, msg: InstantiateMsg) -> Result<Response, StdError> {
    set_contract_version(deps.storage, "crates.io:own", "1.0.0")?;
    OWNER.save(deps.storage, &deps.api.addr_validate(&msg.owner)?)?;
    RATIO.save(deps.storage, &Decimal::percent(50))?;
    TOKEN.save(deps.storage, &deps.api.addr_validate(&msg.owner)?)?;
    Ok(Response::new())
}
pub enum ExecuteMsg { Open { mint: Uint128 }, Seize { owner: String } }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Open { mint } => {
            let locked = must_pay(&info, "uatom").map_err(|e| StdError::generic_err(e.to_string()))?;
            ensure!(!VAULTS.has(deps.storage, &info.sender), StdError::generic_err("one"));
            ensure!(mint <= locked * RATIO.load(deps.storage)?, StdError::generic_err("ratio"));
            VAULTS.save(deps.storage, &info.sender, &Vault { locked, minted: mint })?;
            Ok(Response::new().add_message(WasmMsg::Execute { contract_addr: TOKEN.load(deps.storage)?.to_string(), msg: to_json_binary(&Cw20ExecuteMsg::Mint { recipient: info.sender.to_string(), amount: mint })?, funds: vec![] }))
        }
        ExecuteMsg::Seize { owner } => {
            let owner = deps.api.addr_validate(&owner)?;
            let paid = must_pay(&info, "uusd").map_err(|e| StdError::generic_err(e.to_string()))?;
            let vault = VAULTS.load(deps.storage, &owner)?;
            ensure!(paid == vault.minted, StdError::generic_err("pay it all"));
            ensure!(vault.minted > vault.locked * RATIO.load(deps.storage)?, StdError::generic_err("healthy"));
            VAULTS.remove(deps.storage, &owner);
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(vault.locked.u128(), "uatom") }))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, wasm_execute, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, WasmMsg};
use cw_storage_plus::{Item, Map};

pub struct Offer { pub owner: Addr, pub until: u64 }
pub const OWNER: Item<Addr> = Item::new("owner");
pub const OFFER: Item<Offer> = Item::new("offer");
pub const GAUGES: Map<&str, bool> = Map::new("gauges");
pub const COUNCIL: Item<Addr> = Item::new("council");
pub enum CouncilMsg { Vote { id: u64, yes: bool } }
pub enum CouncilQuery { Pair { token: String } }
pub enum GaugeMsg { Checkpoint {} }
pub enum ExecuteMsg { Offer { to: String }, Accept {}, Withdraw {}, Vote { id: u64, yes: bool }, Poke { gauge: String }, List { gauge: String }, Collect { token: String } }

fn owner_only(deps: &DepsMut, info: &MessageInfo) -> StdResult<()> {
    if info.sender != OWNER.load(deps.storage)? { return Err(StdError::generic_err("owner")); }
    Ok(())
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Offer { to } => {
            owner_only(&deps, &info)?;
            OFFER.save(deps.storage, &Offer { owner: deps.api.addr_validate(&to)?, until: env.block.height + 100 })?;
            Ok(Response::new())
        }
        ExecuteMsg::Accept {} => {
            let offer = OFFER.load(deps.storage)?;
            if info.sender != offer.owner || offer.until < env.block.height { return Err(StdError::generic_err("offer")); }
            OFFER.remove(deps.storage);
            OWNER.save(deps.storage, &offer.owner)?;
            Ok(Response::new())
        }
        ExecuteMsg::Withdraw {} => {
            owner_only(&deps, &info)?;
            OFFER.remove(deps.storage);
            Ok(Response::new())
        }
        ExecuteMsg::Vote { id, yes } => {
            owner_only(&deps, &info)?;
            let council = COUNCIL.load(deps.storage)?;
            Ok(Response::new().add_message(wasm_execute(council, &CouncilMsg::Vote { id, yes }, vec![])?))
        }
        ExecuteMsg::Collect { token } => {
            let council = COUNCIL.load(deps.storage)?;
            let pair: Addr = deps.querier.query_wasm_smart(council, &CouncilQuery::Pair { token: token.clone() })?;
            Ok(Response::new().add_message(wasm_execute(token, &pair, vec![])?))
        }
        ExecuteMsg::List { gauge } => {
            owner_only(&deps, &info)?;
            GAUGES.save(deps.storage, &gauge, &true)?;
            Ok(Response::new())
        }
        ExecuteMsg::Poke { gauge } => {
            if !GAUGES.has(deps.storage, &gauge) { return Err(StdError::generic_err("gauge")); }
            let contract_addr = deps.api.addr_validate(&gauge)?.to_string();
            Ok(Response::new().add_message(WasmMsg::Execute { contract_addr, msg: to_json_binary(&GaugeMsg::Checkpoint {})?, funds: vec![] }))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, Binary, DepsMut, Env, MessageInfo, Response, StdError, StdResult, WasmMsg};
use cw_storage_plus::Item;

pub const ADMIN: Item<Option<Addr>> = Item::new("admin");
pub enum ExecuteMsg { Create { code_id: u64, init: Binary } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Create { code_id, init } => {
            if let Some(admin) = ADMIN.load(deps.storage)? {
                if admin != info.sender { return Err(StdError::generic_err("admin")); }
            }
            let admin = Some(env.contract.address.to_string());
            Ok(Response::new().add_message(WasmMsg::Instantiate { admin, code_id, msg: init, funds: info.funds, label: "made".to_string() }))
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub const OWNER: Item<Addr> = Item::new("owner");
pub const BANNED: Map<&str, ()> = Map::new("banned");
pub const NOTES: Map<&str, ()> = Map::new("notes");
pub const TAKEN: Map<&str, ()> = Map::new("taken");
pub const RANKS: Map<&str, u64> = Map::new("ranks");
pub const DUE: Map<&str, Uint128> = Map::new("due");
pub const UNTIL: Map<&str, u64> = Map::new("until");
pub const TOTAL: Map<&str, Uint128> = Map::new("total");
pub enum ExecuteMsg {
    Ban { denom: String },
    Note { text: String },
    Take { name: String },
    Rank { name: String },
    Pay { name: String },
    End { name: String },
    Put { denom: String },
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Ban { denom } => {
            if OWNER.load(deps.storage)? != info.sender {
                return Err(StdError::generic_err("owner"));
            }
            BANNED.save(deps.storage, &denom, &())?;
            Ok(Response::new())
        }
        // Nobody asks for these.
        ExecuteMsg::Note { text } => {
            NOTES.save(deps.storage, &text, &())?;
            Ok(Response::new())
        }
        // Whoever is first.
        ExecuteMsg::Take { name } => {
            if TAKEN.has(deps.storage, &name) {
                return Err(StdError::generic_err("taken"));
            }
            TAKEN.save(deps.storage, &name, &())?;
            Ok(Response::new())
        }
        // It follows from the time, whoever calls.
        ExecuteMsg::Rank { name } => {
            RANKS.save(deps.storage, &name, &env.block.height)?;
            Ok(Response::new())
        }
        ExecuteMsg::Pay { name } => {
            let due = DUE.load(deps.storage, &name)?;
            DUE.remove(deps.storage, &name);
            let to_address = OWNER.load(deps.storage)?.to_string();
            Ok(Response::new().add_message(BankMsg::Send { to_address, amount: coins(due.u128(), "uatom") }))
        }
        ExecuteMsg::End { name } => {
            if UNTIL.load(deps.storage, &name)? > env.block.height {
                return Err(StdError::generic_err("early"));
            }
            UNTIL.remove(deps.storage, &name);
            Ok(Response::new())
        }
        ExecuteMsg::Put { denom } => {
            if BANNED.has(deps.storage, &denom) || !TAKEN.has(deps.storage, &denom) || UNTIL.load(deps.storage, &denom)? < 3 {
                return Err(StdError::generic_err("refused"));
            }
            let fee = DUE.load(deps.storage, &denom)? + Uint128::from(RANKS.load(deps.storage, &denom)?);
            if info.funds.len() != 1 || info.funds[0].denom != denom {
                return Err(StdError::generic_err("funds"));
            }
            TOTAL.update(deps.storage, &denom, |old| -> StdResult<_> { Ok(old.unwrap_or_default() + fee) })?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, Binary, DepsMut, Env, MessageInfo, Response, StdError, StdResult, WasmMsg};
use cw_storage_plus::Item;

pub const OWNER: Item<Addr> = Item::new("owner");

pub struct InstantiateMsg { pub owner: Addr }
pub enum ExecuteMsg { MigratePair { pair: String, code_id: u64 } }

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, _info: MessageInfo, msg: InstantiateMsg) -> StdResult<Response> {
    OWNER.save(deps.storage, &msg.owner)?;
    Ok(Response::new())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::MigratePair { pair, code_id } => {
            if info.sender != OWNER.load(deps.storage)? {
                return Err(StdError::generic_err("owner"));
            }
            let msg = WasmMsg::Migrate { contract_addr: pair, new_code_id: code_id, msg: Binary::default() };
            Ok(Response::new().add_message(msg))
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, to_json_binary, Addr, BankMsg, Binary, CosmosMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128, WasmMsg};
use cw_storage_plus::Item;

pub struct Config { pub owner: Addr, pub denom: String }
pub const CONFIG: Item<Config> = Item::new("config");
pub enum Callback { After { held: Uint128 } }
pub enum ExecuteMsg { Lend { amount: Uint128, msg: Binary }, After { held: Uint128 }, SetDenom { denom: String } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Lend { amount, msg } => lend(deps, env, info, amount, msg),
        ExecuteMsg::After { held } => after(deps, env, info, held),
        ExecuteMsg::SetDenom { denom } => {
            let mut config = CONFIG.load(deps.storage)?;
            if info.sender != config.owner {
                return Err(StdError::generic_err("owner"));
            }
            config.denom = denom;
            CONFIG.save(deps.storage, &config)?;
            Ok(Response::new())
        }
    }
}

fn lend(deps: DepsMut, env: Env, info: MessageInfo, amount: Uint128, msg: Binary) -> StdResult<Response> {
    let config = CONFIG.load(deps.storage)?;
    let held = deps.querier.query_balance(env.contract.address.clone(), config.denom.clone())?.amount;
    let call = BankMsg::Send { to_address: info.sender.to_string(), amount: coins(amount.u128(), config.denom) };
    let after = WasmMsg::Execute {
        contract_addr: env.contract.address.to_string(),
        msg: to_json_binary(&Callback::After { held })?,
        funds: vec![],
    };
    Ok(Response::new().add_message(call).add_message(after))
}

fn after(deps: DepsMut, env: Env, info: MessageInfo, held: Uint128) -> StdResult<Response> {
    if info.sender != env.contract.address {
        return Err(StdError::generic_err("callback"));
    }
    let config = CONFIG.load(deps.storage)?;
    if deps.querier.query_balance(env.contract.address, config.denom)?.amount < held {
        return Err(StdError::generic_err("not repaid"));
    }
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError};
use cw_storage_plus::Item;

pub enum ContractError { Unauthorized {}, Std(StdError) }
pub struct Config { pub owner: Addr, pub tracker: Addr }
pub const CONFIG: Item<Config> = Item::new("config");
pub const PAUSED: Item<bool> = Item::new("paused");
pub const RATE: Item<u64> = Item::new("rate");
pub enum ExecuteMsg { Track {}, Pause {}, Unpause {} }

#[entry_point]
pub fn execute(mut deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, ContractError> {
    match msg {
        ExecuteMsg::Track {} => track(deps.branch(), info).or_else(|error| match error {
            ContractError::Unauthorized {} => Err(error),
            _ => {
                PAUSED.save(deps.storage, &true)?;
                Ok(Response::new())
            }
        }),
        ExecuteMsg::Pause {} => pause(deps, info, true),
        ExecuteMsg::Unpause {} => pause(deps, info, false),
    }
}

fn track(deps: DepsMut, info: MessageInfo) -> Result<Response, ContractError> {
    if info.sender != CONFIG.load(deps.storage)?.tracker {
        return Err(ContractError::Unauthorized {});
    }
    RATE.update(deps.storage, |rate| rate.checked_add(1).ok_or(ContractError::Unauthorized {}))?;
    Ok(Response::new())
}

fn pause(deps: DepsMut, info: MessageInfo, paused: bool) -> Result<Response, ContractError> {
    if info.sender != CONFIG.load(deps.storage)?.owner {
        return Err(ContractError::Unauthorized {});
    }
    PAUSED.save(deps.storage, &paused)?;
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Deps, Env, MessageInfo, Response, StdError, StdResult, Uint128, BankMsg, coins};
use cw_storage_plus::{Item, Map};
pub struct Config { pub owner: Addr, pub engine: Addr, pub rate: u64 }
pub const CONFIG: Item<Config> = Item::new("config");
pub const OPEN: Item<bool> = Item::new("open");
pub const SHARES: Map<&Addr, u128> = Map::new("shares");
pub const TOTAL: Item<u128> = Item::new("total");
pub enum Kind { Ping, Close }
pub enum ExecuteMsg { Withdraw { amount: u128, recipient: Option<String> }, Do { kind: Kind }, Grow { by: u128 }, Fill { account: Option<String> } }
#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let config = CONFIG.load(deps.storage)?;
    match msg {
        ExecuteMsg::Withdraw { amount, recipient } => {
            if recipient.is_some() && info.sender != config.engine { return Err(StdError::generic_err("engine")); }
            let to = recipient.map(|one| deps.api.addr_validate(&one)).transpose()?.unwrap_or(info.sender);
            let held = SHARES.load(deps.storage, &to)?;
            SHARES.save(deps.storage, &to, &(held - amount))?;
            Ok(Response::new().add_message(BankMsg::Send { to_address: to.to_string(), amount: coins(amount, "ujuno") }))
        }
        ExecuteMsg::Do { kind } => {
            if matches!(kind, Kind::Close) && info.sender != config.owner { return Err(StdError::generic_err("owner")); }
            match kind {
                Kind::Ping => TOTAL.update(deps.storage, |one| StdResult::Ok(one + 1)).map(|_| ())?,
                Kind::Close => OPEN.save(deps.storage, &false)?,
            }
            Ok(Response::new())
        }
        ExecuteMsg::Grow { by } => {
            if by > 1000 && info.sender != config.owner { return Err(StdError::generic_err("owner")); }
            TOTAL.update(deps.storage, |one| StdResult::Ok(one + by))?;
            Ok(Response::new())
        }
        ExecuteMsg::Fill { account } => {
            if account.is_some() && info.sender != config.engine { return Err(StdError::generic_err("engine")); }
            SHARES.update(deps.storage, &info.sender, |one| StdResult::Ok(one.unwrap_or_default() + 1))?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, CanonicalAddr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128, BankMsg, coins};
use cw_storage_plus::{Item, Map};
pub struct Config { pub seller: Addr, pub best: Addr, pub bid: Uint128 }
pub const CONFIG: Item<Config> = Item::new("config");
pub const VOTES: Map<&Addr, bool> = Map::new("votes");
pub struct InstantiateMsg { pub config: Config }
#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, _info: MessageInfo, msg: InstantiateMsg) -> StdResult<Response> {
    CONFIG.save(deps.storage, &msg.config)?;
    Ok(Response::new())
}
pub enum ExecuteMsg { Bid {}, Vote { yes: bool } }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let mut config = CONFIG.load(deps.storage)?;
    match msg {
        ExecuteMsg::Bid {} => {
            if info.sender == config.seller { return Err(StdError::generic_err("seller")); }
            config.best = info.sender;
            config.bid = info.funds[0].amount;
            CONFIG.save(deps.storage, &config)?;
            Ok(Response::new())
        }
        ExecuteMsg::Vote { yes } => {
            if info.sender == config.seller { return Err(StdError::generic_err("seller")); }
            VOTES.save(deps.storage, &info.sender, &yes)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, Deps, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::{Item, Map};
#[derive(Clone, PartialEq)]
pub enum Space { Own, Other }
pub struct Module { pub space: Space, pub name: String }
pub const OWNER: Item<Addr> = Item::new("owner");
pub const DEPUTY: Item<Addr> = Item::new("deputy");
pub const MODULES: Map<Module, bool> = Map::new("modules");
pub const OPEN: Item<bool> = Item::new("open");
pub enum ExecuteMsg { Propose { module: Module }, Close { early: bool }, Ask { early: bool }, Reopen { whole: Module } }
fn ask(deps: Deps, who: &Addr) -> StdResult<()> {
    let free: bool = deps.querier.query_wasm_smart(who, &"free")?;
    if free { Ok(()) } else { Err(StdError::generic_err("busy")) }
}
#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        // The whole of what the condition is about is stored.
        ExecuteMsg::Propose { module } => {
            if module.space == Space::Own && info.sender != OWNER.load(deps.storage)? { return Err(StdError::generic_err("owner")); }
            MODULES.save(deps.storage, module, &true)?;
            Ok(Response::new())
        }
        // There is no way around both.
        ExecuteMsg::Close { early } => {
            if early {
                if info.sender != OWNER.load(deps.storage)? { return Err(StdError::generic_err("owner")); }
            } else {
                if info.sender != DEPUTY.load(deps.storage)? { return Err(StdError::generic_err("deputy")); }
            }
            OPEN.save(deps.storage, &false)?;
            Ok(Response::new())
        }
        ExecuteMsg::Ask { early } => {
            if early {
                if info.sender != OWNER.load(deps.storage)? { return Err(StdError::generic_err("owner")); }
            } else {
                ask(deps.as_ref(), &info.sender)?;
            }
            OPEN.save(deps.storage, &false)?;
            Ok(Response::new())
        }
        ExecuteMsg::Reopen { whole } => {
            if whole.space == Space::Own && info.sender != OWNER.load(deps.storage)? { return Err(StdError::generic_err("owner")); }
            Ok(Response::new().add_attribute("name", whole.name))
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdResult, Storage};
use cw_ledger::shares_between;
use cw_storage_plus::{Item, Map};

pub struct Verifier { pub address: Addr, pub proxy: Option<Addr> }
pub const PROXIES: Map<&Addr, Addr> = Map::new("proxies");
pub const PAID: Item<u64> = Item::new("paid");
pub enum ExecuteMsg { Distribute { pool: String, epochs: u64 } }

fn verifier_at(storage: &dyn Storage, address: Addr) -> Verifier {
    let proxy = PROXIES.may_load(storage, &address).unwrap_or_default();
    Verifier { address, proxy }
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Distribute { pool, epochs } => {
            PAID.save(deps.storage, &env.block.height)?;
            let due = shares_between(deps.storage, &pool, epochs).into_iter().map(|(who, share)| (verifier_at(deps.storage, who), share));
            let messages = due.sorted().map(|(verifier, share)| BankMsg::Send {
                to_address: verifier.proxy.unwrap_or(verifier.address).into(),
                amount: coins(share.u128(), "uaxl"),
            });
            Ok(Response::new().add_messages(messages))
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
      `use cosmwasm_std::{entry_point, Addr, Deps, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Item;
use cw_utils::nonpayable;

pub struct Module { pub own: bool, pub name: String }
pub const OWNER: Item<Addr> = Item::new("owner");
pub const SECRET: Item<String> = Item::new("secret");
pub const OPEN: Item<bool> = Item::new("open");
pub const LAST: Item<u64> = Item::new("last");
pub enum ExecuteMsg { Free { plain: bool }, Asked { plain: bool }, Late { after: u64 }, Known { secret: String }, Own { who: String }, Modules { modules: Vec<Module> }, Some { quiet: bool, close: bool } }

fn ask(deps: Deps, name: &str, who: &Addr) -> StdResult<()> {
    let owner: Addr = deps.querier.query_wasm_smart("namespaces", &name)?;
    if owner != *who { return Err(StdError::generic_err("owner")); }
    Ok(())
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        // Neither says who may do it.
        ExecuteMsg::Free { plain } => {
            if plain { nonpayable(&info).map_err(|one| StdError::generic_err(one.to_string()))?; }
            LAST.save(deps.storage, &env.block.height)?;
        }
        ExecuteMsg::Asked { plain } => {
            if plain { deps.querier.query_balance(&info.sender, "ujuno")?; }
            LAST.save(deps.storage, &env.block.height)?;
        }
        // Time, a secret, or the sender's own account let others in.
        ExecuteMsg::Late { after } => {
            if env.block.height < after && info.sender != OWNER.load(deps.storage)? { return Err(StdError::generic_err("owner")); }
            LAST.save(deps.storage, &0)?;
        }
        ExecuteMsg::Known { secret } => {
            if secret != SECRET.load(deps.storage)? && info.sender != OWNER.load(deps.storage)? { return Err(StdError::generic_err("owner")); }
            LAST.save(deps.storage, &0)?;
        }
        ExecuteMsg::Own { who } => {
            if info.sender != who && info.sender != OWNER.load(deps.storage)? { return Err(StdError::generic_err("owner")); }
            LAST.save(deps.storage, &0)?;
        }
        ExecuteMsg::Modules { modules } => {
            for module in modules {
                if module.own {
                    if info.sender != OWNER.load(deps.storage)? { return Err(StdError::generic_err("owner")); }
                } else {
                    ask(deps.as_ref(), &module.name, &info.sender)?;
                }
                LAST.save(deps.storage, &env.block.height)?;
            }
        }
        // The first check only tells early.
        ExecuteMsg::Some { quiet, close } => {
            if !quiet && info.sender != OWNER.load(deps.storage)? { return Err(StdError::generic_err("owner")); }
            if close {
                if info.sender != OWNER.load(deps.storage)? { return Err(StdError::generic_err("owner")); }
                OPEN.save(deps.storage, &false)?;
            }
        }
    }
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Item;

pub struct Config { pub seller: Addr, pub rate: u64 }
pub struct Offer { pub buyer: Addr, pub rate: u64 }
pub const CONFIG: Item<Config> = Item::new("config");
pub const OFFER: Item<Offer> = Item::new("offer");
pub enum ExecuteMsg { Offer { rate: u64 } }

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, _info: MessageInfo, config: Config) -> StdResult<Response> {
    CONFIG.save(deps.storage, &config)?;
    Ok(Response::new())
}
#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Offer { rate } => {
            if info.sender == CONFIG.load(deps.storage)?.seller { return Err(StdError::generic_err("seller")); }
            OFFER.save(deps.storage, &Offer { buyer: info.sender, rate })?;
            Ok(Response::new())
        }
    }
}
`,
    ],
  },
}

/** Where a message is given its sender for nothing. */
const ignoredIn = (handler: Handler): ReadonlyArray<Match> => {
  const ignored = ignoredSender(handler)
  if (ignored === undefined) return []
  const { definition, binding } = ignored
  return [
    {
      file: definition.module.file,
      span: binding,
      scope: definition.qualifiedName,
      message: "The message never checks its sender, so anyone can send it.",
      trace: wayTo(handler),
      severity: "medium",
      confidence: "medium",
    },
  ]
}
