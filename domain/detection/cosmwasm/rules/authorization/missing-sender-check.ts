import type { Rule } from "../../../Rule.ts"
import { mentions, type Term } from "../../../rust/terms.ts"
import type { Event } from "../../../rust/events.ts"
import { authorityPlaces, isAuthorised, isReceiveHook } from "../../authority.ts"
import type { CosmWasmCrate, CosmWasmProgram, EntryPoint, Handler } from "../../model.ts"
import { outgoingMessages } from "../../questions.ts"
import { reportOnce } from "../../../rust/reportOnce.ts"
import { storedPlace } from "../../semantics.ts"
import { storageWrites } from "../../storageWrites.ts"
import { touches } from "../../touches.ts"

const arithmetic = /^(checked|saturating|wrapping|overflowing)_|^(add|sub|mul|div|multiply_ratio|mul_floor|mul_ceil)$/

const isComputed = (term: Term): boolean =>
  mentions(term, (one) => one.kind === "binary" || (one.kind === "call" && arithmetic.test(one.name)))

/** Containers that the contract sets up when it is instantiated: its configuration. */
const configured = (crate: CosmWasmCrate): ReadonlySet<Term> =>
  new Set(
    crate.entryPoints
      .filter(({ kind }) => kind === "instantiate")
      .flatMap(({ events }) => storageWrites(events))
      .filter(({ key }) => key === undefined)
      .map(({ container }) => container),
  )

interface Problem {
  readonly event: Event
  readonly message: string
  readonly confidence?: "medium" | "low"
}

const problemOf = (
  entry: EntryPoint,
  handler: Handler,
  authorities: ReadonlySet<string>,
  config: ReadonlySet<Term>,
): Problem | undefined => {
  const { sender, message } = entry
  const isMessage = (one: Term): boolean => one === message
  const chosen = (term: Term): boolean => mentions(term, isMessage)
  const compared = (container: Term): boolean =>
    [...handler.facts].some(
      (fact) =>
        fact.kind === "binary" &&
        mentions(fact, (one) => storedPlace(one)?.container === container) &&
        mentions(fact, (one) => one === message || one === sender || one === entry.funds),
    )
  const writes = storageWrites(handler.events).filter(({ event }) => !isAuthorised(entry, event.facts))
  // A new record with its owner is nobody's yet: its key is not the caller's choice, or was found to be free.
  const isNewRecord = (container: Term, key: Term | undefined): boolean =>
    key !== undefined &&
    (!chosen(key) ||
      [...handler.facts].some((fact) => mentions(fact, (one) => storedPlace(one)?.container === container)))
  for (const { container, key, path, value, event } of writes)
    if (
      authorities.has(`${container.id}:${path}`) &&
      (chosen(value) || value === sender) &&
      !isNewRecord(container, key) &&
      !compared(container)
    )
      return {
        event,
        message:
          "Whoever calls decides who is in charge from now on: this place is what other messages compare the sender with.",
      }
  for (const { container, key, value, event } of writes)
    if (key === undefined && config.has(container) && chosen(value) && !isComputed(value) && !compared(container))
      return { event, message: "The configuration is overwritten with what the caller sends.", confidence: "medium" }

  const isOwn = (one: Term): boolean => {
    const key = storedPlace(one)?.key
    return key !== undefined && mentions(key, (part) => part === sender)
  }
  const paysIn = (one: Term): boolean => one === entry.funds
  if (touches(handler, (one) => isOwn(one) || paysIn(one))) return undefined
  const tested = [...handler.facts].some(
    (fact) =>
      (fact.kind === "binary" || fact.kind === "succeeded") &&
      mentions(fact, (one) => one === message || one === sender) &&
      !mentions(fact, (one) => one.kind === "call" && one.name === "addr_validate"),
  )
  if (!tested)
    for (const { path, fields, event } of outgoingMessages(handler.events)) {
      const to = fields.get("to_address")
      if (path !== "BankMsg::Send" || to === undefined) continue
      if (chosen(to) || mentions(to, (one) => one === sender))
        return { event, message: "Anyone can have the contract's funds sent to an address of their choice." }
    }
  for (const { key, value, event } of writes) {
    if (
      key === undefined ||
      !mentions(key, (one) => one.kind === "call" && one.name === "addr_validate" && chosen(one))
    )
      continue
    if (event.operator === "remove" || chosen(value) || (value.kind === "literal" && value.type === "boolean"))
      return { event, message: "The entry of any address can be changed by anyone.", confidence: "medium" }
  }
  return undefined
}

export const missingSenderCheck: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/authorization/missing-sender-check",
    class: "missing-auth",
    title: "Privileged message can be sent by anyone",
    severity: "critical",
    confidence: "high",
    cwe: [862],
    description:
      "The message changes who is in charge, how the contract is configured, or where its funds go, and nothing ties `info.sender` to an address that the contract trusts. Execute messages are open to every account of the chain: an attacker sends this one, makes itself the owner or changes what it likes, and takes what the contract holds.",
    remediation:
      "Load the stored owner first and return an error unless it equals `info.sender`; `cw_ownable::assert_owner`, `cw_controllers::Admin::assert_admin` or an allow-list serve as well. Do it in the handler or in a helper whose result is passed on with `?`.",
    references: [
      "https://docs.cosmwasm.com/core/architecture/semantics",
      "https://github.com/oak-security/cosmwasm-ctf",
      "https://docs.rs/cw-ownable",
    ],
  },
  examples: {
    vulnerable: [
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
    ],
    safe: [
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
    ],
  },
  check: (program, report) => {
    const once = reportOnce(report)
    for (const crate of program.crates) {
      const authorities = authorityPlaces(crate)
      const config = configured(crate)
      for (const entry of crate.entryPoints) {
        if (entry.kind !== "execute") continue
        for (const handler of entry.handlers) {
          // What a token contract hands on is its own class.
          if (isReceiveHook(handler) || isAuthorised(entry, handler.facts)) continue
          const problem = problemOf(entry, handler, authorities, config)
          if (problem === undefined) continue
          const { event, message, confidence } = problem
          once({
            file: event.file,
            span: event.node,
            scope: event.function.qualifiedName,
            message,
            ...(confidence === undefined ? {} : { confidence }),
          })
        }
      }
    }
  },
}
