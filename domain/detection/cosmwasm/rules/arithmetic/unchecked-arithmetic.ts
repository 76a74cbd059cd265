import type { Rule } from "../../../Rule.ts"
import { guaranteed } from "../../../rust/terms/events.ts"
import type { Facts } from "../../../rust/terms/facts.ts"
import { mentions, type Term } from "../../../rust/terms/terms.ts"
import { isInteger, successType } from "../../../rust/crate/types.ts"
import { isAuthorized } from "../../authority/authority.ts"
import { storedPlace } from "../../program/semantics.ts"
import type { CosmWasmProgram, EntryPoint } from "../../program/model.ts"
import { elsewhere, stopsAtOverflow } from "../../../rust/crate/releaseProfile.ts"
import { placeOf } from "../../../rust/placeOf.ts"

export const uncheckedArithmetic: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/arithmetic/unchecked-arithmetic",
    class: "unchecked-arithmetic",
    title: "Unchecked integer arithmetic wraps around",
    severity: "high",
    confidence: "high",
    cwe: [190, 191],
    description:
      "A caller-supplied value is an operand of `+`, `-` or `*` on a plain integer (or of a `wrapping_` " +
      "method), and the release profile does not enable overflow checks, so the result wraps around. An " +
      "attacker subtracts more than they have, or adds up to the limit, and ends up with a huge or tiny " +
      "balance, voting power or price.",
    remediation:
      "Use `Uint128` and related types, whose operators panic on overflow, or `checked_add`, `checked_sub` and " +
      "`checked_mul` with `?`. Also set `overflow-checks = true` under `[profile.release]` in the Cargo.toml of " +
      "the workspace.",
    references: [
      "https://doc.rust-lang.org/cargo/reference/profiles.html#overflow-checks",
      "https://docs.rs/cosmwasm-std/latest/cosmwasm_std/struct.Uint128.html",
    ],
  },
  check: (program, report) => {
    for (const { entryPoints, project } of program.crates)
      for (const entry of entryPoints) {
        if (entry.kind === "query") continue
        for (const event of entry.events) {
          let operator: string
          let operands: readonly [Term, Term]
          let wraps = false
          if (event.kind === "operation" && /^[-+*]$/.test(event.operator) && event.right !== undefined) {
            if (!isInteger(successType(event.type))) continue
            operator = event.operator
            operands = [event.left.term, event.right.term]
          } else if (event.kind === "call" && event.method && /^wrapping_(add|sub|mul)$/.test(event.name)) {
            const [left, right] = event.args
            if (left === undefined || right === undefined) continue
            operator = { wrapping_add: "+", wrapping_sub: "-", wrapping_mul: "*" }[event.name] ?? "+"
            operands = [left.term, right.term]
            wraps = true
          } else continue
          const [left, right] = operands
          if (!isChosen(entry, left) && !isChosen(entry, right)) continue
          if (
            operator === "-" &&
            !isChosen(entry, right) &&
            right.kind !== "literal" &&
            storedPlace(right) === undefined
          )
            continue
          const stops = wraps ? false : stopsAtOverflow(project.manifests, event.file.path)
          if (stops) continue
          if (isGuarded(operator, left, right, event.facts, entry)) continue
          report({
            ...placeOf(event),
            // A trusted account harms only itself.
            ...(stops === undefined || isAuthorized(entry, guaranteed(event)) ? { severity: "low" as const } : {}),
            ...(stops === undefined ? { message: elsewhere } : {}),
          })
        }
      }
  },
  examples: {
    vulnerable: [
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdResult};
use cw_storage_plus::Map;

pub struct Account { pub power: u128 }
pub const ACCOUNTS: Map<&Addr, Account> = Map::new("accounts");
pub enum ExecuteMsg { Unstake { amount: u128 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Unstake { amount } => {
            let mut account = ACCOUNTS.load(deps.storage, &info.sender)?;
            account.power -= amount; // FINDING
            ACCOUNTS.save(deps.storage, &info.sender, &account)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, DepsMut, Env, MessageInfo, Response, StdResult};
use cw_storage_plus::Item;

pub const PRICE: Item<u64> = Item::new("price");
pub const COST: Item<u64> = Item::new("cost");
pub enum ExecuteMsg { Buy { count: u64 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Buy { count } => {
            let cost = count.wrapping_mul(PRICE.load(deps.storage)?); // FINDING
            COST.save(deps.storage, &cost)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Binary, Deps, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::{Item, Map};

pub const PRICE: Item<u64> = Item::new("price");
pub const PRICES: Map<u64, u64> = Map::new("prices");
pub const COST: Item<u64> = Item::new("cost");
pub enum ExecuteMsg { Buy { count: u64, other: u64, kind: u64 } }
pub enum QueryMsg { Cost { count: u64 } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let ExecuteMsg::Buy { count, other, kind } = msg;
    let price = PRICE.load(deps.storage)?;
    let cost = match kind {
        0 => Wrapping::wrapping_mul(count, price),
        1 => count - env.block.height,
        2 => count - 1, // FINDING
        3 => count - price, // FINDING
        4 => info.funds[0].amount.u128() as u64 * price, // FINDING
        5 => PRICES.load(deps.storage, count)? * 2,
        6 => (2 + count.saturating_sub(1)) * price, // FINDING
        7 => treasury::saturating_add(count, 1) * price,
        8 => count.min(5) * price,
        9 => price.saturating_add(1) * 2,
        10 => price - count % 7, // FINDING
        _ => return Err(StdError::generic_err("kind")),
    };
    COST.save(deps.storage, &cost)?;
    Ok(Response::new())
}

fn least(price: u64, count: u64) -> StdResult<u64> {
    if count >= price {
        return Err(StdError::generic_err("count"));
    }
    Ok(price - count)
}

fn different(price: u64, count: u64) -> StdResult<u64> {
    if count == price {
        return Err(StdError::generic_err("count"));
    }
    Ok(price - count) // FINDING
}

fn few(price: u64, count: u64) -> StdResult<u64> {
    if count >= 100 {
        return Err(StdError::generic_err("count"));
    }
    Ok(price * count)
}

fn three(price: u64, count: u64) -> StdResult<u64> {
    if count != 3 {
        return Err(StdError::generic_err("count"));
    }
    Ok(price * count)
}

fn is_three(price: u64, count: u64) -> StdResult<u64> {
    if 3 != count {
        return Err(StdError::generic_err("count"));
    }
    Ok(price * count)
}

fn not_three(price: u64, count: u64) -> StdResult<u64> {
    if count == 3 {
        return Err(StdError::generic_err("count"));
    }
    Ok(price * count) // FINDING
}

fn at_least_three(price: u64, count: u64) -> StdResult<u64> {
    if 3 > count {
        return Err(StdError::generic_err("count"));
    }
    Ok(price * count) // FINDING
}

fn cheap(price: u64, count: u64) -> StdResult<u64> {
    if price > 100 {
        return Err(StdError::generic_err("price"));
    }
    Ok(price * count) // FINDING
}

fn fewer_than(price: u64, count: u64, other: u64) -> StdResult<u64> {
    if count > other {
        return Err(StdError::generic_err("other"));
    }
    Ok(price * count) // FINDING
}

#[entry_point]
pub fn sudo(deps: DepsMut, _env: Env, msg: ExecuteMsg) -> StdResult<Response> {
    let ExecuteMsg::Buy { count, other, kind } = msg;
    let price = PRICE.load(deps.storage)?;
    let cost = match kind {
        0 => least(price, count)?,
        1 => different(price, count)?,
        2 => few(price, count)?,
        3 => three(price, count)?,
        4 => is_three(price, count)?,
        5 => not_three(price, count)?,
        6 => at_least_three(price, count)?,
        7 => cheap(price, count)?,
        _ => fewer_than(price, count, other)?,
    };
    COST.save(deps.storage, &cost)?;
    Ok(Response::new())
}

#[entry_point]
pub fn query(deps: Deps, _env: Env, msg: QueryMsg) -> StdResult<Binary> {
    let QueryMsg::Cost { count } = msg;
    to_json_binary(&(PRICE.load(deps.storage)? * count))
}
`,
      `use cosmwasm_std::{ensure, entry_point, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Item;

pub const LEAST: Item<u64> = Item::new("least");
pub const TOTAL: Item<u64> = Item::new("total");
pub enum ExecuteMsg { Count { amount: u64 } }

// A lower limit bounds nothing.
#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let ExecuteMsg::Count { amount } = msg;
    ensure!(amount > LEAST.load(deps.storage)?, StdError::generic_err("too little"));
    TOTAL.save(deps.storage, &(amount * 3))?; // FINDING
    Ok(Response::new())
}`,
    ],
    safe: [
      `use cosmwasm_std::{entry_point, DepsMut, Env, MessageInfo, Response, StdResult};
use cw_storage_plus::Item;

pub const TICK: Item<i64> = Item::new("tick");
pub const SPACING: Item<i64> = Item::new("spacing");
pub enum ExecuteMsg { Move { tick: i64 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Move { tick } => {
            let below = tick - tick % SPACING.load(deps.storage)?;
            TICK.save(deps.storage, &below)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::Map;

pub struct Account { pub power: u128, pub stake: Uint128 }
pub const ACCOUNTS: Map<&Addr, Account> = Map::new("accounts");
pub enum ExecuteMsg { Unstake { amount: u128, stake: Uint128 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Unstake { amount, stake } => {
            let mut account = ACCOUNTS.load(deps.storage, &info.sender)?;
            if amount > account.power {
                return Err(StdError::generic_err("too much"));
            }
            account.power -= amount;
            account.stake -= stake;
            ACCOUNTS.save(deps.storage, &info.sender, &account)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Item;

pub const TOTAL: Item<u64> = Item::new("total");
pub enum ExecuteMsg { Add { count: u64 }, Next {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Add { count } => {
            let total = TOTAL.load(deps.storage)?.checked_add(count).ok_or_else(|| StdError::generic_err("overflow"))?;
            TOTAL.save(deps.storage, &total)?;
            Ok(Response::new())
        }
        ExecuteMsg::Next {} => {
            TOTAL.update(deps.storage, |total| -> StdResult<_> { Ok(total + 1) })?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{ensure, entry_point, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Item;

pub const UNIT: Item<u64> = Item::new("unit");
pub const TOTAL: Item<u64> = Item::new("total");
pub enum ExecuteMsg { Count { amount: u64 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let unit = UNIT.load(deps.storage)?;
    let ExecuteMsg::Count { amount } = msg;
    ensure!(unit == amount, StdError::generic_err("unit"));
    TOTAL.save(deps.storage, &(amount * 3))?;
    Ok(Response::new())
}`,
    ],
  },
}

/** What the caller chooses directly, not what is stored under a chosen key. */
const isChosen = (entry: EntryPoint, term: Term): boolean => {
  const seen = new Set<Term>()
  const visit = (one: Term): boolean => {
    if (one === entry.message || one === entry.funds) return true
    if (seen.has(one)) return false
    seen.add(one)
    switch (one.kind) {
      case "field":
      case "element":
      case "payload":
        return visit(one.base)
      case "cast":
        return visit(one.value)
      case "binary":
        return visit(one.left) || visit(one.right)
      case "choice":
        return one.alternatives.some(visit)
      case "call":
        return (
          one.path === "" && /^(u128|u64|checked_\w+|saturating_\w+|unwrap_or)$/.test(one.name) && one.args.some(visit)
        )
      default:
        return false
    }
  }
  return visit(term)
}

/**
 * Whether `right <= left` is known, so that `left - right` cannot wrap; for the others, any bound on the caller's side
 * suffices.
 */
const isGuarded = (operator: string, left: Term, right: Term, facts: Facts, entry: EntryPoint): boolean => {
  const isBounded = (by: string, one: Term, limit: Term): boolean =>
    /^(<=?|==)$/.test(by) && (one === left || one === right) && isChosen(entry, one) && !isChosen(entry, limit)
  // The remainder of a division is a part of it.
  if (operator === "-" && right.kind === "binary" && right.operator === "%" && right.left === left) return true
  for (const fact of facts) {
    if (fact.kind !== "binary") continue
    if (operator === "-") {
      if (
        (fact.operator === "<" || fact.operator === "<=") &&
        fact.left === right &&
        mentions(left, (one) => one === fact.right)
      )
        return true
    } else if (
      isBounded(fact.operator, fact.left, fact.right) ||
      (fact.operator === "==" && isBounded("==", fact.right, fact.left))
    )
      return true
  }
  return false
}
