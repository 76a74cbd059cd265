import { wayTo } from "../../../rust/placeOf.ts"
import { siteUnlike } from "../../../rust/terms/events.ts"
import { show } from "../../../rust/terms/show.ts"
import type { Rule } from "../../../Rule.ts"
import { type CosmWasmProgram, nameOfHandler } from "../../program/model.ts"
import { missingConditionsIn } from "../../authority/missingConditions.ts"

export const unaskedCondition: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/logic/unasked-condition",
    class: "missing-condition",
    title: "Missing condition that similar messages enforce",
    severity: "medium",
    confidence: "low",
    cwe: [841, 754],
    description:
      "All other messages that change this amount, or that pay out, first check a condition, such as a cap, a " +
      "lock, a pause or the health of a loan. This one does not, so users can bypass the condition by calling " +
      "it instead.",
    remediation:
      "Enforce the same condition here, ideally in a helper that all of them call. If it does not apply here, " +
      "say so in a comment and suppress the finding.",
    references: ["https://cwe.mitre.org/data/definitions/841.html"],
  },
  check: (program, report) => {
    for (const crate of program.crates)
      for (const { deed, effect, condition, sibling, siblingEffect } of missingConditionsIn(crate))
        report({
          ...siteUnlike(effect.event, siblingEffect.event),
          ...(condition.kind === "gate" ? { severity: "low" as const } : {}),
          message: `\`${nameOfHandler(deed.subject)}\` does not check \`${show(condition.fact)}\`, as \`${nameOfHandler(sibling.subject)}\` does.`,
          trace: wayTo(effect.event),
        })
  },
  examples: {
    vulnerable: [
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Config { pub owner: Addr, pub denom: String, pub paused: bool, pub price: Uint128 }
pub struct Loan { pub held: Uint128, pub debt: Uint128, pub raised: Uint128, pub cap: Uint128 }
pub const CONFIG: Item<Config> = Item::new("config");
pub const LOANS: Map<&Addr, Loan> = Map::new("loans");
pub const NOTES: Map<&Addr, Uint128> = Map::new("notes");
pub enum ExecuteMsg { Withdraw { amount: Uint128 }, Liquidate { who: String, amount: Uint128 } }

fn no() -> StdError { StdError::generic_err("no") }

fn is_healthy(loan: &Loan, config: &Config) -> bool {
    loan.held * config.price >= loan.debt + loan.debt
}

fn pay(config: Config, to: &Addr, amount: Uint128) -> StdResult<Response> {
    Ok(Response::new().add_message(BankMsg::Send { to_address: to.to_string(), amount: coins(amount.u128(), config.denom) }))
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let mut config = CONFIG.load(deps.storage)?;
    match msg {
        ExecuteMsg::Withdraw { amount } => {
            let mut loan = LOANS.load(deps.storage, &info.sender)?;
            loan.held = loan.held.checked_sub(amount)?;
            if !is_healthy(&loan, &config) { return Err(no()); }
            LOANS.save(deps.storage, &info.sender, &loan)?;
            pay(config, &info.sender, amount)
        }
        ExecuteMsg::Liquidate { who, amount } => {
            let who = deps.api.addr_validate(&who)?;
            let mut loan = LOANS.load(deps.storage, &who)?;
            loan.held = loan.held.checked_sub(amount)?; // FINDING
            LOANS.save(deps.storage, &who, &loan)?;
            pay(config, &info.sender, amount)
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Config { pub owner: Addr, pub denom: String, pub paused: bool, pub price: Uint128 }
pub struct Loan { pub held: Uint128, pub debt: Uint128, pub raised: Uint128, pub cap: Uint128 }
pub const CONFIG: Item<Config> = Item::new("config");
pub const LOANS: Map<&Addr, Loan> = Map::new("loans");
pub const NOTES: Map<&Addr, Uint128> = Map::new("notes");
pub enum ExecuteMsg { Stop { paused: bool }, Supply { amount: Uint128 }, Take { amount: Uint128 }, Draw { amount: Uint128 } }

fn no() -> StdError { StdError::generic_err("no") }

fn is_healthy(loan: &Loan, config: &Config) -> bool {
    loan.held * config.price >= loan.debt + loan.debt
}

fn pay(config: Config, to: &Addr, amount: Uint128) -> StdResult<Response> {
    Ok(Response::new().add_message(BankMsg::Send { to_address: to.to_string(), amount: coins(amount.u128(), config.denom) }))
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let mut config = CONFIG.load(deps.storage)?;
    match msg {
        ExecuteMsg::Stop { paused } => {
            if info.sender != config.owner { return Err(no()); }
            config.paused = paused;
            CONFIG.save(deps.storage, &config)?;
            Ok(Response::new())
        }
        ExecuteMsg::Supply { amount } => {
            if config.paused { return Err(no()); }
            let mut loan = LOANS.load(deps.storage, &info.sender)?;
            loan.raised += amount;
            LOANS.save(deps.storage, &info.sender, &loan)?;
            Ok(Response::new())
        }
        ExecuteMsg::Take { amount } => {
            if config.paused { return Err(no()); }
            let mut loan = LOANS.load(deps.storage, &info.sender)?;
            loan.debt += amount;
            LOANS.save(deps.storage, &info.sender, &loan)?;
            pay(config, &info.sender, amount)
        }
        ExecuteMsg::Draw { amount } => {
            let mut loan = LOANS.load(deps.storage, &info.sender)?;
            loan.cap += amount;
            LOANS.save(deps.storage, &info.sender, &loan)?;
            pay(config, &info.sender, amount) // FINDING
        }
    }
}
`,
    ],
    safe: [
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Config { pub owner: Addr, pub denom: String, pub paused: bool, pub price: Uint128 }
pub struct Loan { pub held: Uint128, pub debt: Uint128, pub raised: Uint128, pub cap: Uint128 }
pub const CONFIG: Item<Config> = Item::new("config");
pub const LOANS: Map<&Addr, Loan> = Map::new("loans");
pub const NOTES: Map<&Addr, Uint128> = Map::new("notes");
pub enum ExecuteMsg { Withdraw { amount: Uint128 }, Liquidate { who: String, amount: Uint128 } }

fn no() -> StdError { StdError::generic_err("no") }

fn is_healthy(loan: &Loan, config: &Config) -> bool {
    loan.held * config.price >= loan.debt + loan.debt
}

fn pay(config: Config, to: &Addr, amount: Uint128) -> StdResult<Response> {
    Ok(Response::new().add_message(BankMsg::Send { to_address: to.to_string(), amount: coins(amount.u128(), config.denom) }))
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let mut config = CONFIG.load(deps.storage)?;
    match msg {
        ExecuteMsg::Withdraw { amount } => {
            let mut loan = LOANS.load(deps.storage, &info.sender)?;
            loan.held = loan.held.checked_sub(amount)?;
            if !is_healthy(&loan, &config) { return Err(no()); }
            LOANS.save(deps.storage, &info.sender, &loan)?;
            pay(config, &info.sender, amount)
        }
        ExecuteMsg::Liquidate { who, amount } => {
            let who = deps.api.addr_validate(&who)?;
            let mut loan = LOANS.load(deps.storage, &who)?;
            if is_healthy(&loan, &config) { return Err(no()); }
            loan.held = loan.held.checked_sub(amount)?;
            LOANS.save(deps.storage, &who, &loan)?;
            pay(config, &info.sender, amount)
        }
    }
}
`,
      // Who is stored may; and no pause that nobody can set.
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Config { pub owner: Addr, pub denom: String, pub paused: bool, pub price: Uint128 }
pub struct Loan { pub held: Uint128, pub debt: Uint128, pub raised: Uint128, pub cap: Uint128 }
pub const CONFIG: Item<Config> = Item::new("config");
pub const LOANS: Map<&Addr, Loan> = Map::new("loans");
pub const NOTES: Map<&Addr, Uint128> = Map::new("notes");
pub enum ExecuteMsg { Withdraw { amount: Uint128 }, Slash { who: String, amount: Uint128 } }

fn no() -> StdError { StdError::generic_err("no") }

fn is_healthy(loan: &Loan, config: &Config) -> bool {
    loan.held * config.price >= loan.debt + loan.debt
}

fn pay(config: Config, to: &Addr, amount: Uint128) -> StdResult<Response> {
    Ok(Response::new().add_message(BankMsg::Send { to_address: to.to_string(), amount: coins(amount.u128(), config.denom) }))
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let mut config = CONFIG.load(deps.storage)?;
    match msg {
        ExecuteMsg::Withdraw { amount } => {
            let mut loan = LOANS.load(deps.storage, &info.sender)?;
            loan.held = loan.held.checked_sub(amount)?;
            if !is_healthy(&loan, &config) { return Err(no()); }
            LOANS.save(deps.storage, &info.sender, &loan)?;
            pay(config, &info.sender, amount)
        }
        ExecuteMsg::Slash { who, amount } => {
            if info.sender != config.owner { return Err(no()); }
            let who = deps.api.addr_validate(&who)?;
            let mut loan = LOANS.load(deps.storage, &who)?;
            loan.held = loan.held.checked_sub(amount)?;
            LOANS.save(deps.storage, &who, &loan)?;
            pay(config, &info.sender, amount)
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Config { pub owner: Addr, pub denom: String, pub paused: bool, pub price: Uint128 }
pub struct Loan { pub held: Uint128, pub debt: Uint128, pub raised: Uint128, pub cap: Uint128 }
pub const CONFIG: Item<Config> = Item::new("config");
pub const LOANS: Map<&Addr, Loan> = Map::new("loans");
pub const NOTES: Map<&Addr, Uint128> = Map::new("notes");
pub enum ExecuteMsg { Supply { amount: Uint128 }, Take { amount: Uint128 }, Draw { amount: Uint128 } }

fn no() -> StdError { StdError::generic_err("no") }

fn is_healthy(loan: &Loan, config: &Config) -> bool {
    loan.held * config.price >= loan.debt + loan.debt
}

fn pay(config: Config, to: &Addr, amount: Uint128) -> StdResult<Response> {
    Ok(Response::new().add_message(BankMsg::Send { to_address: to.to_string(), amount: coins(amount.u128(), config.denom) }))
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let mut config = CONFIG.load(deps.storage)?;
    match msg {
        ExecuteMsg::Supply { amount } => {
            if config.paused { return Err(no()); }
            let mut loan = LOANS.load(deps.storage, &info.sender)?;
            loan.raised += amount;
            LOANS.save(deps.storage, &info.sender, &loan)?;
            Ok(Response::new())
        }
        ExecuteMsg::Take { amount } => {
            if config.paused { return Err(no()); }
            let mut loan = LOANS.load(deps.storage, &info.sender)?;
            loan.debt += amount;
            LOANS.save(deps.storage, &info.sender, &loan)?;
            pay(config, &info.sender, amount)
        }
        ExecuteMsg::Draw { amount } => {
            let mut loan = LOANS.load(deps.storage, &info.sender)?;
            loan.cap += amount;
            LOANS.save(deps.storage, &info.sender, &loan)?;
            pay(config, &info.sender, amount)
        }
    }
}
`,
      // That there is a record is not a switch.
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Config { pub owner: Addr, pub denom: String, pub paused: bool, pub price: Uint128 }
pub struct Loan { pub held: Uint128, pub debt: Uint128, pub raised: Uint128, pub cap: Uint128 }
pub const CONFIG: Item<Config> = Item::new("config");
pub const LOANS: Map<&Addr, Loan> = Map::new("loans");
pub const NOTES: Map<&Addr, Uint128> = Map::new("notes");
pub enum ExecuteMsg { Take { amount: Uint128 }, Note { amount: Uint128 }, Draw { amount: Uint128 } }

fn no() -> StdError { StdError::generic_err("no") }

fn is_healthy(loan: &Loan, config: &Config) -> bool {
    loan.held * config.price >= loan.debt + loan.debt
}

fn pay(config: Config, to: &Addr, amount: Uint128) -> StdResult<Response> {
    Ok(Response::new().add_message(BankMsg::Send { to_address: to.to_string(), amount: coins(amount.u128(), config.denom) }))
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let mut config = CONFIG.load(deps.storage)?;
    match msg {
        ExecuteMsg::Take { amount } => {
            NOTES.load(deps.storage, &info.sender)?;
            pay(config, &info.sender, amount)
        }
        ExecuteMsg::Note { amount } => {
            NOTES.load(deps.storage, &info.sender)?;
            NOTES.save(deps.storage, &info.sender, &amount)?;
            Ok(Response::new())
        }
        ExecuteMsg::Draw { amount } => {
            NOTES.save(deps.storage, &info.sender, &amount)?;
            pay(config, &info.sender, amount)
        }
    }
}
`,
    ],
  },
}
