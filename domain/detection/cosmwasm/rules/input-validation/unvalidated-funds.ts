import type { Rule } from "../../../Rule.ts"
import { type Event, guaranteed } from "../../../rust/terms/events.ts"
import { mentioning } from "../../../rust/terms/mentioning.ts"
import { mentions, subterms, type Term } from "../../../rust/terms/terms.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import type { CosmWasmProgram, EntryPoint, Handler } from "../../program/model.ts"
import { isReceiveHook } from "../../authority/authority.ts"
import { keptOverpayment } from "../../inputs/overpayments.ts"
import { outgoingMessages } from "../../questions/questions.ts"
import { storedPlace } from "../../program/semantics.ts"
import { storageWrites } from "../../questions/storageWrites.ts"
import { eventTerms, touches } from "../../questions/touches.ts"

export const unvalidatedFunds: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/input-validation/unvalidated-funds",
    class: "funds-not-validated",
    title: "Payment credited without checking the funds sent",
    severity: "high",
    confidence: "high",
    cwe: [20],
    description:
      "The credited amount is read from `info.funds` without comparing the denomination, or from the message " +
      "without checking the funds at all. On most chains, anyone can create a worthless token: an attacker pays " +
      "with it, or does not pay, is credited as if it were the real one, and withdraws the real one.",
    remediation:
      "Use `cw_utils::must_pay(&info, denom)`, which returns the amount of exactly one coin of that denomination, or check that `info.funds` holds exactly one coin and compare its `denom` with the configured one.",
    references: [
      "https://docs.rs/cw-utils/latest/cw_utils/fn.must_pay.html",
      "https://docs.rs/cosmwasm-std/latest/cosmwasm_std/struct.MessageInfo.html",
    ],
  },
  check: (program, report) => {
    for (const { entryPoints } of program.crates)
      for (const entry of entryPoints) {
        for (const handler of entry.handlers) {
          const coin = unlookedCoin(entry, handler)
          const event = coin ?? (entry.kind === "execute" ? unpaidCredit(entry, handler) : undefined)
          const picked = event === undefined ? pickedCoin(entry, handler) : undefined
          if (picked !== undefined)
            report({
              ...placeOf(picked),
              message: "Coins of other denominations are kept without being credited to anyone.",
              severity: "low",
            })
          const loop = event === undefined ? onlyLooped(entry, handler) : undefined
          if (loop !== undefined)
            report({
              ...placeOf(loop),
              message: "The loop checks each coin that was sent, but does nothing if none was.",
            })
          const kept = event === undefined ? keptOverpayment(handler) : undefined
          if (kept !== undefined)
            report({
              ...placeOf(kept),
              message: "Overpayments are not refunded.",
              severity: "low",
            })
          if (event === undefined) continue
          report({
            ...placeOf(event),
            message:
              coin === undefined
                ? "The credited amount comes from the message alone."
                : "The coin's denomination is never checked.",
            ...(coin === undefined ? { confidence: "medium" as const } : {}),
          })
        }
      }
  },
  examples: {
    vulnerable: [
      // Sent on as it is, but credited as if it were worth something.
      `use cosmwasm_std::{entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub const TREASURY: Item<Addr> = Item::new("treasury");
pub const PAID: Map<&Addr, Uint128> = Map::new("paid");
pub enum ExecuteMsg { Pay {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, _msg: ExecuteMsg) -> StdResult<Response> {
    let coin = info.funds[0].clone();
    PAID.save(deps.storage, &info.sender, &coin.amount)?; // FINDING
    Ok(Response::new().add_message(BankMsg::Send { to_address: TREASURY.load(deps.storage)?.into(), amount: vec![coin] }))
}
`,
      // A message without coins passes a loop over an empty list.
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Price { pub denom: String, pub amount: Uint128 }
pub const PRICE: Item<Price> = Item::new("price");
pub const SOLD: Map<&Addr, u64> = Map::new("sold");
pub enum ExecuteMsg { Buy {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, _msg: ExecuteMsg) -> StdResult<Response> {
    let price = PRICE.load(deps.storage)?;
    for coin in &info.funds {
        if coin.denom != price.denom || coin.amount < price.amount { // FINDING
            return Err(StdError::generic_err("price"));
        }
    }
    SOLD.update(deps.storage, &info.sender, |sold| -> StdResult<_> { Ok(sold.unwrap_or_default() + 1) })?;
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{coins, entry_point, to_json_binary, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128, WasmMsg};
use cw_storage_plus::{Item, Map};

pub const CORE: Item<Addr> = Item::new("core");
pub const BONDS: Map<&Addr, Uint128> = Map::new("bonds");
pub enum ExecuteMsg { Bond {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Bond {} => {
            let coin = cw_utils::one_coin(&info).map_err(|_| StdError::generic_err("one coin"))?;
            BONDS.save(deps.storage, &info.sender, &coin.amount)?; // FINDING
            let bond = WasmMsg::Execute {
                contract_addr: CORE.load(deps.storage)?.to_string(),
                msg: to_json_binary(&coin)?,
                funds: coins(1, "uatom"),
            };
            Ok(Response::new().add_message(bond))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, BankMsg, Coin, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Storage, Uint128, WasmMsg};
use cw_storage_plus::{Item, Map};

pub const PAID: Map<&Addr, Uint128> = Map::new("paid");
pub const DENOM: Item<String> = Item::new("denom");
pub enum ExecuteMsg { Pay {} }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Pay {} => {
            let denom = DENOM.load(deps.storage)?;
            let coin = info.funds.iter().find(|coin| coin.denom == denom); // FINDING
            let paid = coin.ok_or_else(|| StdError::generic_err("nothing"))?.amount;
            PAID.update(deps.storage, &info.sender, |sum| -> StdResult<_> { Ok(sum.unwrap_or_default() + paid) })?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::Map;

pub const BALANCES: Map<&Addr, Uint128> = Map::new("balances");
pub enum ExecuteMsg { Deposit {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Deposit {} => {
            let paid = info.funds[0].amount;
            let balance = BALANCES.may_load(deps.storage, &info.sender)?.unwrap_or_default();
            BALANCES.save(deps.storage, &info.sender, &(balance + paid))?; // FINDING
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::Map;

pub const BALANCES: Map<&Addr, Uint128> = Map::new("balances");
pub enum ExecuteMsg { Deposit { amount: Uint128 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Deposit { amount } => {
            BALANCES.update(deps.storage, &info.sender, |old| -> StdResult<_> { // FINDING
                Ok(old.unwrap_or_default() + amount)
            })?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::Map;

pub const BALANCES: Map<&Addr, Uint128> = Map::new("balances");
pub enum ExecuteMsg { Deposit {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Deposit {} => {
            let paid = info.funds.iter().fold(Uint128::zero(), |sum, coin| sum + coin.amount); // FINDING
            let balance = BALANCES.may_load(deps.storage, &info.sender)?.unwrap_or_default();
            BALANCES.save(deps.storage, &info.sender, &(balance + paid))?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, Coin, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::{Item, Map};

pub const PRICE: Item<Coin> = Item::new("price");
pub const SOLD: Map<&Addr, u64> = Map::new("sold");
pub enum ExecuteMsg { Buy { denom: String } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let ExecuteMsg::Buy { denom } = msg;
    let sent = info.funds.iter().find(|coin| coin.denom == denom).map(|coin| coin.amount).unwrap_or_default(); // FINDING
    if sent < PRICE.load(deps.storage)?.amount {
        return Err(StdError::generic_err("too little"));
    }
    SOLD.update(deps.storage, &info.sender, |sold| -> StdResult<_> { Ok(sold.unwrap_or_default() + 1) })?;
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{coin, entry_point, to_json_binary, Addr, BankMsg, Coin, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128, WasmMsg};
use cw_storage_plus::{Item, Map};

pub struct Config { pub denom: String, pub core: String, pub open: u64 }
pub struct Order { pub denom: String }
pub struct Record { pub denom: String, pub amount: Uint128 }
pub struct InstantiateMsg { pub amount: Uint128 }
pub const CONFIG: Item<Config> = Item::new("config");
pub const FIRST: Map<&Addr, Uint128> = Map::new("first");
pub const PAID: Map<&Addr, Uint128> = Map::new("paid");
pub const EPOCHS: Map<(&Addr, u64), Uint128> = Map::new("epochs");
pub const RECORDS: Map<&Addr, Record> = Map::new("records");
pub const ALLOWED: Map<&str, bool> = Map::new("allowed");
pub const COINS: Item<Vec<Coin>> = Item::new("coins");
pub enum ExecuteMsg {
    Got {},
    Biggest {},
    Asked { denom: String },
    AskedLeft { denom: String },
    Ordered { order: Order },
    Both { denom: String },
    Kept { denom: String },
    Listed { denom: String },
    Helped { denom: String },
    Fixed { denom: String },
    FixedLeft { denom: String },
    Forward {},
    Elsewhere {},
    Inside {},
    Musted {},
    Picked { ids: Vec<u64> },
    Chosen {},
    Looked {},
    Noted {},
    Renamed { denom: String },
    Sent {},
    Checked {},
    Epoch { amount: Uint128 },
    Added { amount: Uint128 },
    Open { amount: Uint128 },
    Taken { amount: Uint128 },
}

fn allow(config: &Config, denom: &str) -> StdResult<()> {
    if config.denom == denom { Ok(()) } else { Err(StdError::generic_err("denom")) }
}

fn pick(funds: &[Coin]) -> Uint128 {
    funds.iter().find(|coin| coin.denom == "uatom").unwrap().amount // FINDING
}

fn credit(deps: DepsMut, info: &MessageInfo) -> StdResult<Response> {
    PAID.save(deps.storage, &info.sender, &info.funds[0].amount)?; // FINDING
    Ok(Response::new())
}

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, info: MessageInfo, msg: InstantiateMsg) -> StdResult<Response> {
    let known = FIRST.may_load(deps.storage, &info.sender)?.unwrap_or_default();
    FIRST.save(deps.storage, &info.sender, &(known + msg.amount))?;
    Ok(Response::new())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Got {} => {
            let paid = info.funds.get(0).unwrap().amount;
            PAID.save(deps.storage, &info.sender, &paid)?; // FINDING
            Ok(Response::new())
        }
        ExecuteMsg::Biggest {} => {
            let paid = treasury::native(&info.funds).amount;
            PAID.save(deps.storage, &info.sender, &paid)?;
            Ok(Response::new())
        }
        ExecuteMsg::Asked { denom } => {
            let paid = info.funds[0].clone();
            if paid.denom != denom {
                return Err(StdError::generic_err("denom"));
            }
            PAID.save(deps.storage, &info.sender, &paid.amount)?; // FINDING
            Ok(Response::new())
        }
        ExecuteMsg::AskedLeft { denom } => {
            let paid = info.funds[0].clone();
            if denom != paid.denom {
                return Err(StdError::generic_err("denom"));
            }
            PAID.save(deps.storage, &info.sender, &paid.amount)?; // FINDING
            Ok(Response::new())
        }
        ExecuteMsg::Ordered { order } => {
            let paid = info.funds[0].clone();
            if paid.denom != order.denom {
                return Err(StdError::generic_err("denom"));
            }
            PAID.save(deps.storage, &info.sender, &paid.amount)?;
            Ok(Response::new())
        }
        ExecuteMsg::Both { denom } => {
            let paid = info.funds[0].clone();
            let config = CONFIG.load(deps.storage)?;
            if paid.denom != denom || paid.denom != config.denom {
                return Err(StdError::generic_err("denom"));
            }
            PAID.save(deps.storage, &info.sender, &paid.amount)?;
            Ok(Response::new())
        }
        ExecuteMsg::Kept { denom } => {
            let paid = info.funds[0].clone();
            if paid.denom != denom {
                return Err(StdError::generic_err("denom"));
            }
            RECORDS.save(deps.storage, &info.sender, &Record { denom, amount: paid.amount })?;
            Ok(Response::new())
        }
        ExecuteMsg::Listed { denom } => {
            let paid = info.funds[0].clone();
            if paid.denom != denom {
                return Err(StdError::generic_err("denom"));
            }
            if !ALLOWED.load(deps.storage, &denom)? {
                return Err(StdError::generic_err("not allowed"));
            }
            PAID.save(deps.storage, &info.sender, &paid.amount)?;
            Ok(Response::new())
        }
        ExecuteMsg::Helped { denom } => {
            let paid = info.funds[0].clone();
            if paid.denom != denom {
                return Err(StdError::generic_err("denom"));
            }
            allow(&CONFIG.load(deps.storage)?, &denom)?;
            PAID.save(deps.storage, &info.sender, &paid.amount)?;
            Ok(Response::new())
        }
        ExecuteMsg::Fixed { denom } => {
            let paid = info.funds[0].clone();
            if paid.denom != denom || denom != "uatom" {
                return Err(StdError::generic_err("denom"));
            }
            PAID.save(deps.storage, &info.sender, &paid.amount)?;
            Ok(Response::new())
        }
        ExecuteMsg::FixedLeft { denom } => {
            let paid = info.funds[0].clone();
            if denom != paid.denom || "uatom" != denom {
                return Err(StdError::generic_err("denom"));
            }
            PAID.save(deps.storage, &info.sender, &paid.amount)?;
            Ok(Response::new())
        }
        ExecuteMsg::Forward {} => {
            let paid = info.funds[0].amount;
            PAID.save(deps.storage, &info.sender, &paid)?; // FINDING
            let call = WasmMsg::Execute { contract_addr: "core".into(), msg: to_json_binary(&1)?, funds: vec![coin(1, "uatom")] };
            Ok(Response::new().add_message(call))
        }
        ExecuteMsg::Elsewhere {} => {
            let config = CONFIG.load(deps.storage)?;
            if config.denom == "none" {
                return Err(StdError::generic_err("closed"));
            }
            PAID.save(deps.storage, &info.sender, &info.funds[0].amount)?; // FINDING
            Ok(Response::new())
        }
        ExecuteMsg::Inside {} => credit(deps, &info),
        ExecuteMsg::Musted {} => {
            cw_utils::must_pay(&info, "uatom").map_err(|_| StdError::generic_err("uatom"))?;
            PAID.save(deps.storage, &info.sender, &info.funds[0].amount)?;
            Ok(Response::new())
        }
        ExecuteMsg::Picked { ids } => {
            let paid = info.funds.iter().find(|coin| coin.denom == "uatom"); // FINDING
            if ids.len() > 4 {
                return Err(StdError::generic_err("too many"));
            }
            PAID.save(deps.storage, &info.sender, &paid.unwrap().amount)?;
            Ok(Response::new())
        }
        ExecuteMsg::Chosen {} => {
            let coins = COINS.load(deps.storage)?;
            let known = coins.iter().find(|coin| coin.denom == "uatom").unwrap();
            PAID.save(deps.storage, &info.sender, &known.amount)?;
            Ok(Response::new())
        }
        ExecuteMsg::Looked {} => {
            PAID.save(deps.storage, &info.sender, &pick(&info.funds))?;
            Ok(Response::new())
        }
        ExecuteMsg::Noted {} => {
            let paid = info.funds[0].clone();
            RECORDS.save(deps.storage, &info.sender, &Record { denom: paid.denom, amount: paid.amount })?;
            Ok(Response::new())
        }
        ExecuteMsg::Renamed { denom } => {
            let paid = info.funds[0].clone();
            if paid.denom != denom {
                return Err(StdError::generic_err("denom"));
            }
            RECORDS.save(deps.storage, &info.sender, &Record { denom: "uatom".into(), amount: paid.amount })?; // FINDING
            Ok(Response::new())
        }
        ExecuteMsg::Sent {} => {
            let paid = info.funds.iter().find(|coin| coin.denom == "uatom").unwrap();
            PAID.save(deps.storage, &info.sender, &paid.amount)?;
            Ok(Response::new().add_message(BankMsg::Send { to_address: "treasury".into(), amount: info.funds }))
        }
        ExecuteMsg::Checked {} => {
            let paid = info.funds.iter().find(|coin| coin.denom == "uatom").unwrap();
            treasury::no_others(&info.funds)?;
            PAID.save(deps.storage, &info.sender, &paid.amount)?;
            Ok(Response::new())
        }
        ExecuteMsg::Epoch { amount } => {
            let key = (&info.sender, CONFIG.load(deps.storage)?.open);
            let known = EPOCHS.may_load(deps.storage, key)?.unwrap_or_default();
            EPOCHS.save(deps.storage, key, &(known + amount))?; // FINDING
            Ok(Response::new())
        }
        ExecuteMsg::Added { amount } => {
            let known = PAID.may_load(deps.storage, &info.sender)?.unwrap_or_default();
            PAID.save(deps.storage, &info.sender, &known.checked_add(amount)?)?; // FINDING
            Ok(Response::new())
        }
        ExecuteMsg::Open { amount } => {
            if CONFIG.load(deps.storage)?.open != 1 {
                return Err(StdError::generic_err("closed"));
            }
            let known = PAID.may_load(deps.storage, &info.sender)?.unwrap_or_default();
            PAID.save(deps.storage, &info.sender, &(known + amount))?; // FINDING
            Ok(Response::new())
        }
        ExecuteMsg::Taken { amount } => {
            let known = PAID.may_load(deps.storage, &info.sender)?.unwrap_or_default();
            let first = FIRST.load(deps.storage, &info.sender)?;
            FIRST.save(deps.storage, &info.sender, &first.checked_sub(amount)?)?;
            PAID.save(deps.storage, &info.sender, &(known + amount))?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub const LIMIT: Item<Uint128> = Item::new("limit");
pub const PAID: Map<&Addr, Uint128> = Map::new("paid");
pub struct Deposit { pub denom: String, pub count: u64 }

fn half(count: u64) -> u64 {
    if count < 2 { 0 } else { 1 + half(count - 2) }
}

// The sender says which coins it sent, and that is all that is asked.
#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: Deposit) -> StdResult<Response> {
    let coin = &info.funds[0];
    if coin.denom != msg.denom {
        return Err(StdError::generic_err("denom"));
    }
    if coin.amount > LIMIT.load(deps.storage)? { // FINDING
        return Err(StdError::generic_err("too much"));
    }
    PAID.save(deps.storage, &info.sender, &coin.amount)?;
    Ok(Response::new().add_attribute("denom", msg.denom).add_attribute("half", half(msg.count).to_string()))
}`,
      `use cosmwasm_std::{entry_point, Addr, BankMsg, Coin, DepsMut, Env, MessageInfo, Response, StdError};
use cw_storage_plus::{Item, Map};
use cw_utils::one_coin;
pub const OWNER: Item<Addr> = Item::new("owner");

pub struct Config { pub price: Coin, pub left: u32 }
pub const CONFIG: Item<Config> = Item::new("config");
pub const TOKENS: Map<u32, Addr> = Map::new("tokens");

pub enum ExecuteMsg { Mint {} }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Mint {} => {
            let mut config = CONFIG.load(deps.storage)?;
            let sent = one_coin(&info).map_err(|e| StdError::generic_err(e.to_string()))?;
            if sent.denom != config.price.denom { return Err(StdError::generic_err("denom")); }
            if sent.amount < config.price.amount { return Err(StdError::generic_err("too little")); } // FINDING
            config.left -= 1;
            TOKENS.save(deps.storage, config.left, &info.sender)?;
            CONFIG.save(deps.storage, &config)?;
            Ok(Response::new().add_message(BankMsg::Send { to_address: OWNER.load(deps.storage)?.to_string(), amount: vec![config.price] }))
        }
    }
}
`,
      `use cosmwasm_std::{ensure, ensure_eq, entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, Uint128};
use cw_storage_plus::{Item, Map};
use cw_utils::must_pay;
pub const OWNER: Item<Addr> = Item::new("owner");

pub const RENT: Map<&str, Uint128> = Map::new("rent");
pub const TENANT: Map<&str, Addr> = Map::new("tenant");

pub enum ExecuteMsg { Rent { room: String }, Price { room: String, rent: Uint128 } }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Price { room, rent } => { ensure_eq!(info.sender, OWNER.load(deps.storage)?, StdError::generic_err("owner")); RENT.save(deps.storage, &room, &rent)?; Ok(Response::new()) }
        ExecuteMsg::Rent { room } => {
            let rent = RENT.load(deps.storage, &room)?;
            let paid = must_pay(&info, "uosmo").map_err(|e| StdError::generic_err(e.to_string()))?;
            ensure!(paid >= rent, StdError::generic_err("rent")); // FINDING
            if TENANT.has(deps.storage, &room) { return Err(StdError::generic_err("taken")); }
            TENANT.save(deps.storage, &room, &info.sender)?;
            Ok(Response::new()
              )
        }
    }
}
`,
      // Each message takes a coin of any denomination, in its own way.
      `use cosmwasm_std::{entry_point, Addr, Coin, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::Map;

pub const PAID: Map<&Addr, Uint128> = Map::new("paid");
pub enum ExecuteMsg { First {}, Last {}, Get {}, Next {}, Nth {}, Pop {}, Fold {}, Sum {}, FindMap {} }

fn none() -> StdError { StdError::generic_err("nothing") }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::First {} => {
            let paid = info.funds.first().ok_or_else(none)?.amount;
            PAID.save(deps.storage, &info.sender, &paid)?; // FINDING
            Ok(Response::new())
        }
        ExecuteMsg::Last {} => {
            let paid = info.funds.last().ok_or_else(none)?.amount;
            PAID.save(deps.storage, &info.sender, &paid)?; // FINDING
            Ok(Response::new())
        }
        ExecuteMsg::Get {} => {
            let paid = info.funds.get(0).ok_or_else(none)?.amount;
            PAID.save(deps.storage, &info.sender, &paid)?; // FINDING
            Ok(Response::new())
        }
        ExecuteMsg::Next {} => {
            let paid = info.funds.iter().next().ok_or_else(none)?.amount;
            PAID.save(deps.storage, &info.sender, &paid)?; // FINDING
            Ok(Response::new())
        }
        ExecuteMsg::Nth {} => {
            let paid = info.funds.iter().nth(0).ok_or_else(none)?.amount;
            PAID.save(deps.storage, &info.sender, &paid)?; // FINDING
            Ok(Response::new())
        }
        ExecuteMsg::Pop {} => {
            let mut funds = info.funds;
            let paid = funds.pop().ok_or_else(none)?.amount;
            PAID.save(deps.storage, &info.sender, &paid)?; // FINDING
            Ok(Response::new())
        }
        ExecuteMsg::Fold {} => {
            let paid = info.funds.iter().fold(Uint128::zero(), |sum, coin| sum + coin.amount); // FINDING
            PAID.save(deps.storage, &info.sender, &paid)?;
            Ok(Response::new())
        }
        ExecuteMsg::Sum {} => {
            let paid = info.funds.iter().map(|coin| coin.amount).sum::<Uint128>(); // FINDING
            PAID.save(deps.storage, &info.sender, &paid)?;
            Ok(Response::new())
        }
        ExecuteMsg::FindMap {} => {
            let paid = info.funds.iter().find_map(|coin| (!coin.amount.is_zero()).then(|| coin.amount)).ok_or_else(none)?; // FINDING
            PAID.save(deps.storage, &info.sender, &paid)?;
            Ok(Response::new())
        }
    }
}`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub const PAID: Map<&Addr, Uint128> = Map::new("paid");
pub const POINTS: Map<&Addr, Uint128> = Map::new("points");
pub const DENOM: Item<String> = Item::new("denom");
pub enum ExecuteMsg { Pay {}, Score { points: Uint128 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Pay {} => {
            let denom = DENOM.load(deps.storage)?;
            let found = info.funds.iter().find_map(|coin| (coin.denom == denom).then(|| coin.amount)); // FINDING
            let paid = found.ok_or_else(|| StdError::generic_err("nothing"))?;
            PAID.save(deps.storage, &info.sender, &paid)?;
            Ok(Response::new())
        }
        ExecuteMsg::Score { points } => {
            let known = POINTS.may_load(deps.storage, &info.sender)?.unwrap_or_default();
            POINTS.save(deps.storage, &info.sender, &known.saturating_add(points))?; // FINDING
            Ok(Response::new())
        }
    }
}`,
    ],
    safe: [
      // Every coin is sent on as what it is, in parts, or to a validator.
      `use cosmwasm_std::{ensure, entry_point, Addr, BankMsg, Coin, DepsMut, Env, MessageInfo, Response, StakingMsg, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub const HEIR: Item<Addr> = Item::new("heir");
pub const STAKED: Map<&Addr, Uint128> = Map::new("staked");
pub enum ExecuteMsg { Split {}, Pass {}, Stake { validator: String } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Split {} => {
            let mut messages = vec![];
            for coin in info.funds.iter() {
                ensure!(!coin.amount.is_zero(), StdError::generic_err("zero"));
                let mut part: Coin = coin.clone();
                part.amount = coin.amount.multiply_ratio(1u128, 2u128);
                messages.push(BankMsg::Send { to_address: HEIR.load(deps.storage)?.into(), amount: vec![part] });
            }
            Ok(Response::new().add_messages(messages))
        }
        ExecuteMsg::Pass {} => {
            for coin in info.funds.iter() {
                ensure!(!coin.amount.is_zero(), StdError::generic_err("zero"));
            }
            Ok(Response::new().add_message(BankMsg::Send { to_address: HEIR.load(deps.storage)?.into(), amount: info.funds }))
        }
        ExecuteMsg::Stake { validator } => {
            let coin = info.funds[0].clone();
            STAKED.save(deps.storage, &info.sender, &coin.amount)?;
            Ok(Response::new().add_message(StakingMsg::Delegate { validator, amount: coin }))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Price { pub denom: String, pub amount: Uint128 }
pub const PRICE: Item<Price> = Item::new("price");
pub const SOLD: Map<&Addr, u64> = Map::new("sold");
pub enum ExecuteMsg { Buy {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, _msg: ExecuteMsg) -> StdResult<Response> {
    let price = PRICE.load(deps.storage)?;
    if info.funds.is_empty() { return Err(StdError::generic_err("price")); }
    for coin in &info.funds {
        if coin.denom != price.denom || coin.amount < price.amount {
            return Err(StdError::generic_err("price"));
        }
    }
    SOLD.update(deps.storage, &info.sender, |sold| -> StdResult<_> { Ok(sold.unwrap_or_default() + 1) })?;
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128, WasmMsg};
use cw_storage_plus::{Item, Map};

pub const CORE: Item<Addr> = Item::new("core");
pub const BONDS: Map<&Addr, Uint128> = Map::new("bonds");
pub enum ExecuteMsg { Bond {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Bond {} => {
            let coin = cw_utils::one_coin(&info).map_err(|_| StdError::generic_err("one coin"))?;
            BONDS.save(deps.storage, &info.sender, &coin.amount)?;
            let bond = WasmMsg::Execute {
                contract_addr: CORE.load(deps.storage)?.to_string(),
                msg: to_json_binary("bond")?,
                funds: vec![coin],
            };
            Ok(Response::new().add_message(bond))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, BankMsg, Coin, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Storage, Uint128, WasmMsg};
use cw_storage_plus::{Item, Map};

pub const PAID: Map<&Addr, Uint128> = Map::new("paid");
pub const DENOM: Item<String> = Item::new("denom");
pub enum ExecuteMsg { Pay {} }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Pay {} => {
            let denom = DENOM.load(deps.storage)?;
            if info.funds.len() != 1 {
                return Err(StdError::generic_err("one coin"));
            }
            let coin = info.funds.iter().find(|coin| coin.denom == denom);
            let paid = coin.ok_or_else(|| StdError::generic_err("nothing"))?.amount;
            PAID.update(deps.storage, &info.sender, |sum| -> StdResult<_> { Ok(sum.unwrap_or_default() + paid) })?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::Map;

pub const BALANCES: Map<&Addr, Uint128> = Map::new("balances");
pub enum ExecuteMsg { Deposit {} }

fn paid(info: &MessageInfo, denom: &str) -> StdResult<Uint128> {
    if info.funds.len() != 1 || info.funds[0].denom != denom {
        return Err(StdError::generic_err("send exactly one coin"));
    }
    Ok(info.funds[0].amount)
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Deposit {} => {
            let paid = paid(&info, "uatom")?;
            let balance = BALANCES.may_load(deps.storage, &info.sender)?.unwrap_or_default();
            BALANCES.save(deps.storage, &info.sender, &(balance + paid))?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::Map;
use cw_utils::must_pay;

pub const BALANCES: Map<&Addr, Uint128> = Map::new("balances");
pub enum ExecuteMsg { Deposit { amount: Uint128 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Deposit { amount } => {
            if must_pay(&info, "uatom").map_err(|_| StdError::generic_err("payment"))? != amount {
                return Err(StdError::generic_err("amount"));
            }
            BALANCES.update(deps.storage, &info.sender, |old| -> StdResult<_> {
                Ok(old.unwrap_or_default() + amount)
            })?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw20::Cw20ReceiveMsg;
use cw_storage_plus::Map;

pub const BALANCES: Map<(&Addr, &Addr), Uint128> = Map::new("balances");
pub const LOCKS: Map<u64, Uint128> = Map::new("locks");
pub const POWER: Map<&Addr, Uint128> = Map::new("power");
pub const ALLOWANCES: Map<(&Addr, &Addr), Uint128> = Map::new("allowances");
pub enum ExecuteMsg { Receive(Cw20ReceiveMsg), Count { ids: Vec<u64> }, Allow { to: String, amount: Uint128 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Receive(cw20) => {
            let user = deps.api.addr_validate(&cw20.sender)?;
            BALANCES.update(deps.storage, (&user, &info.sender), |old| -> StdResult<_> {
                Ok(old.unwrap_or_default() + cw20.amount)
            })?;
            Ok(Response::new())
        }
        ExecuteMsg::Allow { to, amount } => {
            let to = deps.api.addr_validate(&to)?;
            ALLOWANCES.update(deps.storage, (&info.sender, &to), |old| -> StdResult<_> {
                Ok(old.unwrap_or_default() + amount)
            })?;
            Ok(Response::new())
        }
        ExecuteMsg::Count { ids } => {
            let mut power = Uint128::zero();
            for id in ids {
                power += LOCKS.load(deps.storage, id)?;
            }
            POWER.save(deps.storage, &info.sender, &power)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub const ACCEPTED: Item<Vec<String>> = Item::new("accepted");
pub const PAID: Map<&Addr, Uint128> = Map::new("paid");
pub enum ExecuteMsg { Deposit { denom: String } }

fn position(accepted: &[String], denom: &str, from: usize) -> StdResult<usize> {
    match accepted.get(from) {
        None => Err(StdError::generic_err("not accepted")),
        Some(one) if denoms::same(one, denom) => Ok(from),
        Some(_) => position(accepted, denom, from + 1),
    }
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let ExecuteMsg::Deposit { denom } = msg;
    let coin = &info.funds[0];
    if coin.denom != denom {
        return Err(StdError::generic_err("denom"));
    }
    position(&ACCEPTED.load(deps.storage)?, &denom, 0)?;
    PAID.save(deps.storage, &info.sender, &coin.amount)?;
    Ok(Response::new())
}`,
      `use cosmwasm_std::{entry_point, Addr, BankMsg, Coin, DepsMut, Env, MessageInfo, Response, StdError};
use cw_storage_plus::{Item, Map};
use cw_utils::one_coin;
pub const OWNER: Item<Addr> = Item::new("owner");

pub struct Config { pub price: Coin, pub left: u32 }
pub const CONFIG: Item<Config> = Item::new("config");
pub const TOKENS: Map<u32, Addr> = Map::new("tokens");

pub enum ExecuteMsg { Mint {} }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Mint {} => {
            let mut config = CONFIG.load(deps.storage)?;
            let sent = one_coin(&info).map_err(|e| StdError::generic_err(e.to_string()))?;
            if sent.denom != config.price.denom { return Err(StdError::generic_err("denom")); }
            if sent.amount != config.price.amount { return Err(StdError::generic_err("price")); }
            config.left -= 1;
            TOKENS.save(deps.storage, config.left, &info.sender)?;
            CONFIG.save(deps.storage, &config)?;
            Ok(Response::new().add_message(BankMsg::Send { to_address: OWNER.load(deps.storage)?.to_string(), amount: vec![config.price] }))
        }
    }
}
`,
      `use cosmwasm_std::{coins, ensure, ensure_eq, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, Uint128};
use cw_storage_plus::{Item, Map};
use cw_utils::must_pay;
pub const OWNER: Item<Addr> = Item::new("owner");

pub const RENT: Map<&str, Uint128> = Map::new("rent");
pub const TENANT: Map<&str, Addr> = Map::new("tenant");

pub enum ExecuteMsg { Rent { room: String }, Price { room: String, rent: Uint128 } }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Price { room, rent } => { ensure_eq!(info.sender, OWNER.load(deps.storage)?, StdError::generic_err("owner")); RENT.save(deps.storage, &room, &rent)?; Ok(Response::new()) }
        ExecuteMsg::Rent { room } => {
            let rent = RENT.load(deps.storage, &room)?;
            let paid = must_pay(&info, "uosmo").map_err(|e| StdError::generic_err(e.to_string()))?;
            ensure!(paid >= rent, StdError::generic_err("rent"));
            if TENANT.has(deps.storage, &room) { return Err(StdError::generic_err("taken")); }
            TENANT.save(deps.storage, &room, &info.sender)?;
            let back = paid - rent;
            Ok(Response::new()
              .add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(back.u128(), "uosmo") })
              )
        }
    }
}
`,
      `use cosmwasm_std::{ensure, ensure_eq, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};
use cw_utils::must_pay;

pub const OWNER: Item<Addr> = Item::new("owner");
pub const LEAST: Item<Uint128> = Item::new("least");
pub const GIVEN: Map<&Addr, Uint128> = Map::new("given");
pub const NAMES: Map<&str, Addr> = Map::new("names");
pub const MEMBERS: Map<&Addr, u64> = Map::new("members");
pub enum ExecuteMsg { Give {}, Pass { name: String }, Fund { name: String }, Try {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let least = LEAST.load(deps.storage)?;
    match msg {
        ExecuteMsg::Give {} => {
            let paid = must_pay(&info, "ujuno").map_err(|e| StdError::generic_err(e.to_string()))?;
            ensure!(paid >= least, StdError::generic_err("little"));
            GIVEN.save(deps.storage, &info.sender, &paid)?;
            Ok(Response::new())
        }
        ExecuteMsg::Pass { name } => {
            let paid = must_pay(&info, "ujuno").map_err(|e| StdError::generic_err(e.to_string()))?;
            ensure!(paid >= least, StdError::generic_err("little"));
            NAMES.save(deps.storage, &name, &info.sender)?;
            Ok(Response::new().add_message(BankMsg::Send { to_address: OWNER.load(deps.storage)?.to_string(), amount: info.funds }))
        }
        ExecuteMsg::Fund { name } => {
            ensure_eq!(info.sender, OWNER.load(deps.storage)?, StdError::generic_err("owner"));
            let paid = must_pay(&info, "ujuno").map_err(|e| StdError::generic_err(e.to_string()))?;
            ensure!(paid >= least, StdError::generic_err("little"));
            NAMES.save(deps.storage, &name, &info.sender)?;
            Ok(Response::new())
        }
        ExecuteMsg::Try {} => {
            let paid = must_pay(&info, "ujuno").map_err(|e| StdError::generic_err(e.to_string()))?;
            ensure!(paid >= Uint128::new(5), StdError::generic_err("little"));
            MEMBERS.save(deps.storage, &info.sender, &1)?;
            Ok(Response::new())
        }
    }
}
`,
      // One denomination is looked up, after all coins were counted or looked at.
      `use cosmwasm_std::{entry_point, Addr, Coin, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub const PAID: Map<&Addr, Uint128> = Map::new("paid");
pub const DENOM: Item<String> = Item::new("denom");
pub enum ExecuteMsg { Len {}, Count {}, OneCoin {}, MustPay {}, All {}, Any {}, Fold {} }

fn many() -> StdError { StdError::generic_err("one coin") }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let denom = DENOM.load(deps.storage)?;
    match msg {
        ExecuteMsg::Len {} => {
            if info.funds.len() != 1 { return Err(many()); }
            let coin = info.funds.iter().find(|coin| coin.denom == denom);
            let paid = coin.ok_or_else(many)?.amount;
            PAID.save(deps.storage, &info.sender, &paid)?;
            Ok(Response::new())
        }
        ExecuteMsg::Count {} => {
            if info.funds.iter().count() != 1 { return Err(many()); }
            let coin = info.funds.iter().find(|coin| coin.denom == denom);
            let paid = coin.ok_or_else(many)?.amount;
            PAID.save(deps.storage, &info.sender, &paid)?;
            Ok(Response::new())
        }
        ExecuteMsg::OneCoin {} => {
            cw_utils::one_coin(&info).map_err(|_| many())?;
            let coin = info.funds.iter().find(|coin| coin.denom == denom);
            let paid = coin.ok_or_else(many)?.amount;
            PAID.save(deps.storage, &info.sender, &paid)?;
            Ok(Response::new())
        }
        ExecuteMsg::MustPay {} => {
            cw_utils::must_pay(&info, &denom).map_err(|_| many())?;
            let coin = info.funds.iter().find(|coin| coin.denom == denom);
            let paid = coin.ok_or_else(many)?.amount;
            PAID.save(deps.storage, &info.sender, &paid)?;
            Ok(Response::new())
        }
        ExecuteMsg::All {} => {
            if !info.funds.iter().all(|one| one.denom == denom) { return Err(many()); }
            let coin = info.funds.iter().find(|coin| coin.denom == denom);
            let paid = coin.ok_or_else(many)?.amount;
            PAID.save(deps.storage, &info.sender, &paid)?;
            Ok(Response::new())
        }
        ExecuteMsg::Any {} => {
            if info.funds.iter().any(|one| one.denom != denom) { return Err(many()); }
            let coin = info.funds.iter().find(|coin| coin.denom == denom);
            let paid = coin.ok_or_else(many)?.amount;
            PAID.save(deps.storage, &info.sender, &paid)?;
            Ok(Response::new())
        }
        ExecuteMsg::Fold {} => {
            if info.funds.iter().fold(0, |sum, _| sum + 1) != 1 { return Err(many()); }
            let coin = info.funds.iter().find(|coin| coin.denom == denom);
            let paid = coin.ok_or_else(many)?.amount;
            PAID.save(deps.storage, &info.sender, &paid)?;
            Ok(Response::new())
        }
    }
}`,
    ],
  },
}

const isCoinOf =
  (funds: Term) =>
  (term: Term): boolean =>
    (term.kind === "element" && term.base === funds) ||
    (term.kind === "call" &&
      /^(one_coin|find|last|pop|nth)$/.test(term.name) &&
      term.args.some((one) => mentions(one, (part) => part === funds)))

/** The denomination is compared only with one from the message, and nothing follows from that one. */
const isOnlyAsked = (handler: Handler, isDenom: (one: Term) => boolean, message: Term | undefined): boolean => {
  const asked = new Set<Term>()
  let others = false
  touches(handler, (one) => {
    if (one.kind === "call" && one.name === "fundsChecked") others = true
    if (one.kind !== "binary") return false
    const other = isDenom(one.left) ? one.right : isDenom(one.right) ? one.left : undefined
    if (other === undefined) return false
    // Coins listed in the message are compared with the list elsewhere.
    if ((other.kind === "payload" || other.kind === "field") && other.base === message) asked.add(other)
    else others = true
    return false
  })
  if (others || asked.size === 0) return false
  const isAsked = (one: Term): boolean => asked.has(one)
  const isUsed = (one: Term): boolean =>
    (one.kind === "struct" && one.fields.some(([, value]) => mentions(value, isAsked))) ||
    (storedPlace(one) !== undefined && mentions(one, isAsked)) ||
    (one.kind === "call" && one.target !== undefined && one.args.some(isAsked)) ||
    (one.kind === "binary" && (isAsked(one.left) ? !isDenom(one.right) : isAsked(one.right) && !isDenom(one.left)))
  return !touches(handler, isUsed)
}

/**
 * Whether the coin itself is sent on, in whatever amount: `funds: vec![coin]`, where the called contract accepts it or
 * fails; to a validator, where the chain does; or to an account, if no record of this contract says how much it was.
 */
const isHandedOn = (handler: Handler, funds: Term, isCoin: (one: Term) => boolean): boolean => {
  const isRecorded = storageWrites(handler.events).some(({ value }) => mentions(value, isCoin))
  return outgoingMessages(handler.events).some(({ path, fields }) => {
    const paid = path === "BankMsg::Send" && isRecorded ? undefined : (fields.get("funds") ?? fields.get("amount"))
    return paid !== undefined && (paid === funds || (paid.kind === "list" ? paid.elements.some(isCoin) : isCoin(paid)))
  })
}

/** The first use of a sent coin whose denomination was never checked. */
const unlookedCoin = ({ funds, message }: EntryPoint, handler: Handler): Event | undefined => {
  if (funds === undefined) return undefined
  const isCoin = isCoinOf(funds)
  const isDenom = (one: Term): boolean =>
    one.kind === "field" && one.name === "denom" && mentions(one, (part) => part === funds)
  const isTaken = mentioning((one) => one.kind === "field" && one.name === "amount" && isCoin(one.base))
  const takes = (event: Event): boolean =>
    (event.kind === "call" ? event.args.map((one) => one.term) : eventTerms(event)).some(isTaken)
  // A helper's use of the coins is seen inside of it.
  const first = handler.events.find(takes)
  if (first === undefined) return undefined
  // Whether the denomination is compared, stored, used as a key or sent on, or a library checked the funds. `one_coin`
  // counts the coins and accepts any.
  const isCounted = handler.events.some((event) => event.kind === "call" && event.name === "one_coin")
  const isLookedAt = touches(
    handler,
    (one) => isDenom(one) || (one.kind === "call" && one.name === "fundsChecked" && !isCounted),
  )
  if (isLookedAt && !isOnlyAsked(handler, isDenom, message)) return undefined
  return isHandedOn(handler, funds, isCoin) ? undefined : first
}

/** A coin that is looked up among those sent, if nothing counts them: the others are kept. */
const pickedCoin = ({ funds }: EntryPoint, handler: Handler): Event | undefined => {
  const ofFunds = (one: Term): boolean => one === funds
  const picked = handler.events.find(
    (event) => event.kind === "call" && /^find(_map)?$/.test(event.name) && event.args[0]?.term === funds,
  )
  if (picked === undefined) return undefined
  const isKnown = touches(
    handler,
    (one) =>
      one.kind === "call" &&
      /^(len|count|fundsChecked|all|any|fold)$/.test(one.name) &&
      one.args.some((arg) => mentions(arg, ofFunds)),
  )
  // Whether each of them is checked, or all of them are sent on.
  const isUsed =
    handler.events.some((event) => event.kind !== "call" && eventTerms(event).some((one) => one === funds)) ||
    outgoingMessages(handler.events).some(({ fields }) => [...fields.values()].some((one) => one === funds)) ||
    handler.events.some(
      (event) =>
        event.kind === "call" &&
        !event.method &&
        event.target === undefined &&
        event.args.some(({ term }) => term === funds),
    )
  return isKnown || isUsed ? undefined : picked
}

/** A check of each coin in a loop, if nothing says that there is one, and nothing depends on what was sent. */
const onlyLooped = ({ kind, funds }: EntryPoint, handler: Handler): Event | undefined => {
  if (kind !== "execute" || funds === undefined) return undefined
  const ofFunds = mentioning((one) => one === funds)
  const isEach = mentioning((one) => one.kind === "field" && one.name === "amount" && isAnyOf(one.base, funds))
  let found: Event | undefined
  for (const event of handler.events) {
    if (event.kind === "exit" || !eventTerms(event).some(ofFunds)) continue
    if (event.kind !== "check" || !event.scope.loop) return undefined
    if (event.conditions.some(isEach)) found ??= event
  }
  return found
}

const isAnyOf = (term: Term, funds: Term): boolean =>
  term.kind === "element" && term.index === undefined && term.base === funds

/** Whether the caller determines the amount, not only the stored record that it comes from. */
const namesAmount = (term: Term, message: Term | undefined, depth = 0): boolean =>
  term === message ||
  (depth < 16 && storedPlace(term) === undefined && subterms(term).some((one) => namesAmount(one, message, depth + 1)))

/** A credit to the sender of an amount that comes from the message alone. */
const unpaidCredit = (entry: EntryPoint, handler: Handler): Event | undefined => {
  const { sender, message, funds } = entry
  const isMessage = (one: Term): boolean => one === message
  // A receive hook is paid by the token contract: a class of its own.
  if (isReceiveHook(handler) || touches(handler, (one) => one === funds)) return undefined
  const writes = storageWrites(handler.events)
  const credit = writes.find(
    ({ key, value, event }) =>
      key !== undefined &&
      mentions(key, (one) => one === sender) &&
      // An entry between the sender and someone else: an allowance, which is worth as much as the sender has.
      !mentions(key, (one) => one.kind === "call" && one.name === "addr_validate") &&
      mentions(
        value,
        (one) =>
          ((one.kind === "binary" && one.operator === "+") ||
            (one.kind === "call" && /^(checked_|saturating_)?add$/.test(one.name))) &&
          namesAmount(one, message),
      ) &&
      ![...guaranteed(event)].some((fact) => fact.kind === "binary" && mentions(fact, isMessage)),
  )
  if (credit === undefined) return undefined
  const isTaken = handler.events.some(
    (event) =>
      (event.kind === "operation" && event.operator === "-") || (event.kind === "call" && event.name.endsWith("sub")),
  )
  return isTaken || outgoingMessages(handler.events).length > 0 ? undefined : credit.event
}
