import type { Rule } from "../../../Rule.ts"
import type { Span } from "../../../SourceFile.ts"
import { guaranteed } from "../../../rust/terms/events.ts"
import { mentions, type Term } from "../../../rust/terms/terms.ts"
import { isPresence } from "../../authority/authority.ts"
import { loadChains } from "../../program/methodChains.ts"
import type { CosmWasmCrate, CosmWasmProgram } from "../../program/model.ts"
import { outgoingMessages } from "../../questions/questions.ts"
import { storedPlace } from "../../program/semantics.ts"

export const unwrapOrDefault: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/error-handling/unwrap-or-default",
    class: "unwrap-or-default",
    title: "Load error replaced by a default value",
    severity: "low",
    confidence: "medium",
    cwe: [456, 391],
    description:
      "The default value is used not only if an entry is missing but for every load error, most importantly for " +
      "stored bytes that no longer parse after a migration. Balances then read as zero and are overwritten with " +
      "zero by the next save; permissions read as their default.",
    remediation:
      "Use `may_load(...)?`, which distinguishes a missing entry from an error, and apply the default only to " +
      "`None`.",
    references: ["https://docs.rs/cw-storage-plus/latest/cw_storage_plus/struct.Map.html#method.may_load"],
  },
  check: (program, report) => {
    for (const crate of program.crates) {
      const decisive = decisiveLoads(crate)
      for (const definition of crate.crate.functions)
        for (const { load, then } of loadChains(definition)) {
          const at = then.findIndex(({ name }) => defaults.test(name))
          if (at === -1) continue
          const passedOn = then.slice(0, at).some(({ name }) => name === "?" || name === "unwrap" || name === "expect")
          const message = decisive.get(load)
          if (!passedOn || message !== undefined)
            report({
              file: definition.module.file,
              span: load.methodSpan,
              scope: definition.qualifiedName,
              ...(passedOn && message !== undefined ? { message } : {}),
            })
        }
    }
  },
  examples: {
    vulnerable: [
      `use cosmwasm_std::{Addr, Deps, Uint128};
use cw_storage_plus::Map;

pub const BALANCES: Map<&Addr, Uint128> = Map::new("balances");

pub fn balance(deps: Deps, who: &Addr) -> Uint128 {
    BALANCES.load(deps.storage, who).unwrap_or_default() // FINDING
}
`,
      `use cosmwasm_std::{Addr, Deps};
use cw_storage_plus::Map;

pub const ALLOWED: Map<&Addr, bool> = Map::new("allowed");

pub fn is_allowed(deps: Deps, who: &Addr) -> bool {
    ALLOWED.may_load(deps.storage, who).ok().flatten().unwrap_or(true) // FINDING
}
`,
      `use cosmwasm_std::{entry_point, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Item;

pub const OWNER: Item<String> = Item::new("owner");
pub const FEE: Item<u64> = Item::new("fee");
pub enum ExecuteMsg { Fee { fee: u64 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let ExecuteMsg::Fee { fee } = msg;
    let owner = OWNER.may_load(deps.storage)?.unwrap_or_default(); // FINDING
    if !owner.is_empty() && owner != info.sender.as_str() {
        return Err(StdError::generic_err("owner"));
    }
    FEE.save(deps.storage, &fee)?;
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128, WasmMsg};
use cw_storage_plus::{Item, Map};

pub const OWNER: Item<Addr> = Item::new("owner");
pub const KEEPER: Item<Addr> = Item::new("keeper");
pub const PRICE: Item<Uint128> = Item::new("price");
pub const PAID: Map<&Addr, Addr> = Map::new("paid");
pub const SHARES: Map<u64, Uint128> = Map::new("shares");
pub enum ExecuteMsg { Left {}, Right {}, Other { who: Addr }, Own {}, Pay { id: u64 }, Unpaid { id: u64 }, Call { id: u64 }, Looked { id: u64 }, Present { id: u64 }, Asked { id: u64 } }
pub struct MigrateMsg {}

fn expected(deps: &DepsMut) -> Uint128 {
    PRICE.may_load(deps.storage).expect("price").unwrap_or_default()
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Left {} => {
            let owner = OWNER.may_load(deps.storage)?.unwrap_or_default(); // FINDING
            if owner != info.sender {
                return Err(StdError::generic_err("owner"));
            }
            Ok(Response::new())
        }
        ExecuteMsg::Right {} => {
            let keeper = KEEPER.may_load(deps.storage)?.unwrap_or_default(); // FINDING
            if info.sender != keeper {
                return Err(StdError::generic_err("keeper"));
            }
            Ok(Response::new())
        }
        ExecuteMsg::Other { who } => {
            let owner = OWNER.may_load(deps.storage)?.unwrap_or_default();
            if owner != who {
                return Err(StdError::generic_err("other"));
            }
            Ok(Response::new().add_attribute("price", expected(&deps)))
        }
        ExecuteMsg::Own {} => {
            let mine = PAID.may_load(deps.storage, &info.sender)?.unwrap_or_default();
            if mine != info.sender {
                return Err(StdError::generic_err("self"));
            }
            Ok(Response::new())
        }
        ExecuteMsg::Pay { id } => {
            let share = SHARES.may_load(deps.storage, id)?.unwrap_or_default(); // FINDING
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.into(), amount: coins(share.u128(), "u") }))
        }
        ExecuteMsg::Unpaid { id } => {
            let share = SHARES.may_load(deps.storage, id)?.unwrap_or_default();
            let pay = BankMsg::Send { to_address: info.sender.into(), amount: coins(1, "u") };
            Ok(Response::new().add_message(pay).add_attribute("share", share))
        }
        ExecuteMsg::Call { id } => {
            let share = SHARES.may_load(deps.storage, id)?.unwrap_or_default();
            let call = WasmMsg::Execute { contract_addr: "pool".into(), msg: to_json_binary(&share)?, funds: vec![] };
            Ok(Response::new().add_message(call))
        }
        ExecuteMsg::Looked { id } => {
            let share = SHARES.may_load(deps.storage, id)?.unwrap_or_default();
            if share < Uint128::new(5) {
                return Err(StdError::generic_err("little"));
            }
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.into(), amount: coins(share.u128(), "u") }))
        }
        ExecuteMsg::Present { id } => {
            let share = SHARES.may_load(deps.storage, id)?.unwrap_or_default(); // FINDING
            if id > 5 {
                return Err(StdError::generic_err("id"));
            }
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.into(), amount: coins(share.u128(), "u") }))
        }
        ExecuteMsg::Asked { id } => {
            let share = SHARES.may_load(deps.storage, id).unwrap().unwrap_or(Uint128::one());
            if share.is_zero() {
                return Err(StdError::generic_err("none"));
            }
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.into(), amount: coins(share.u128(), "u") }))
        }
    }
}

#[entry_point]
pub fn migrate(deps: DepsMut, _env: Env, _msg: MigrateMsg) -> StdResult<Response> {
    let share = SHARES.may_load(deps.storage, 1)?.unwrap_or_default();
    Ok(Response::new().add_message(BankMsg::Send { to_address: "pool".into(), amount: coins(share.u128(), "u") }))
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Empty, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::{Item, Map};

pub const KEEPER: Item<Addr> = Item::new("keeper");
pub const KEEPERS: Map<u64, Addr> = Map::new("keepers");
pub const OPEN: Item<bool> = Item::new("open");
pub enum ExecuteMsg { Shut {}, Open { id: u64 } }

fn keeper(deps: &DepsMut) -> StdResult<Addr> {
    Ok(KEEPER.may_load(deps.storage)?.unwrap_or_default()) // FINDING
}

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, _info: MessageInfo, _msg: Empty) -> StdResult<Response> {
    Ok(Response::new().add_attribute("keeper", keeper(&deps)?))
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Shut {} => {
            if keeper(&deps)? != info.sender {
                return Err(StdError::generic_err("keeper"));
            }
            OPEN.save(deps.storage, &false)?;
            Ok(Response::new())
        }
        ExecuteMsg::Open { id } => {
            let keeper = KEEPERS.may_load(deps.storage, id)?.unwrap_or_default(); // FINDING
            if info.sender != keeper {
                return Err(StdError::generic_err("keeper"));
            }
            OPEN.save(deps.storage, &true)?;
            Ok(Response::new())
        }
    }
}
`,
    ],
    safe: [
      `use cosmwasm_std::{Addr, Deps, StdResult, Uint128};
use cw_storage_plus::Map;

pub const BALANCES: Map<&Addr, Uint128> = Map::new("balances");

pub fn balance(deps: Deps, who: &Addr) -> StdResult<Uint128> {
    Ok(BALANCES.may_load(deps.storage, who)?.unwrap_or_default())
}
`,
      `use cosmwasm_std::{Addr, Deps, StdResult, Uint128};
use cw_storage_plus::Map;

pub const BALANCES: Map<&Addr, Uint128> = Map::new("balances");

pub fn balance(deps: Deps, who: &Addr) -> StdResult<Uint128> {
    match BALANCES.may_load(deps.storage, who)? {
        Some(amount) => Ok(amount),
        None => Ok(Uint128::zero()),
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub const OWNER: Item<Addr> = Item::new("owner");
pub const DUE: Map<u64, Uint128> = Map::new("due");
pub enum ExecuteMsg { Pay { id: u64 }, First { who: Addr }, Second { who: Addr } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        // Without an entry, it fails.
        ExecuteMsg::Pay { id } => {
            let due = DUE.load(deps.storage, id)?.checked_sub(Uint128::one()).unwrap_or_default();
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.into(), amount: coins(due.u128(), "u") }))
        }
        // What is asked of the owner is not who it is.
        ExecuteMsg::First { who } => {
            let owner = OWNER.may_load(deps.storage)?.unwrap_or_default();
            if info.sender == who || owner == who {
                return Err(StdError::generic_err("own"));
            }
            Ok(Response::new().add_attribute("owner", owner))
        }
        ExecuteMsg::Second { who } => {
            let owner = OWNER.may_load(deps.storage)?.unwrap_or_default();
            if who == info.sender || who == owner {
                return Err(StdError::generic_err("own"));
            }
            Ok(Response::new().add_attribute("owner", owner))
        }
    }
}
`,
    ],
  },
}

const defaults = /^(unwrap_or|unwrap_or_default|unwrap_or_else)$/

/**
 * Loads of authorized accounts, and of amounts that are paid out unchecked, each with the effect of a default there.
 */
const decisiveLoads = (crate: CosmWasmCrate): ReadonlyMap<Span, string> => {
  const found = new Map<Span, string>()
  for (const entry of crate.entryPoints) {
    if (entry.kind !== "execute") continue
    for (const { events } of entry.handlers) {
      const paid = outgoingMessages(events).filter(({ path }) => path === "BankMsg::Send")
      const checks = events.flatMap((event) => (event.kind === "check" ? event.conditions : []))
      for (const event of events) {
        if (event.kind !== "call" || event.name !== "may_load") continue
        const loaded = event.result.term
        const place = storedPlace(loaded)
        if (place === undefined) continue
        const isLoaded = (one: Term): boolean => one === loaded
        const isOwn = place.key !== undefined && mentions(place.key, (one) => one === entry.sender)
        const isSender = (one: Term): boolean =>
          one.kind === "binary" &&
          /^[!=]=$/.test(one.operator) &&
          ((one.left === entry.sender && one.right === loaded) || (one.right === entry.sender && one.left === loaded))
        if (!isOwn && checks.some((condition) => mentions(condition, isSender)))
          found.set(event.node, "If no account is stored, the default value decides who is authorized.")
        else if (
          paid.some(
            (one) =>
              [...one.fields.values()].some((field) => mentions(field, isLoaded)) &&
              ![...guaranteed(one.event)].some((fact) => !isPresence(fact) && mentions(fact, isLoaded)),
          )
        )
          found.set(event.node, "A missing entry is paid out as its default value.")
      }
    }
  }
  return found
}
