import type { Rule } from "../../../Rule.ts"
import { mentions, type Term } from "../../../rust/terms/terms.ts"
import { isAuthorized } from "../../authority/authority.ts"
import { isBalanceQuery, isOwnAddress, isPoolQuery } from "../../questions/balanceQueries.ts"
import { firstWith, liveDecisions } from "../../inputs/liveDecisions.ts"
import { onlyPayments } from "../../questions/payments.ts"
import { comparisonsOf, sentTerms } from "../../questions/questions.ts"
import { storedPlace } from "../../program/semantics.ts"
import type { Facts } from "../../../rust/terms/facts.ts"
import { type CallEvent, siteIn } from "../../../rust/terms/events.ts"
import type { CosmWasmProgram, EntryPoint, Handler } from "../../program/model.ts"
import { ratioOf } from "../../questions/ratio.ts"
import { storageWrites } from "../../questions/storageWrites.ts"
import { isTrusted } from "../../saves/unreadMarks.ts"

export const liveBalanceDecision: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/oracle-manipulation/live-balance-decision",
    class: "spot-balance-as-truth",
    title: "Live balance determines voting power, access or price",
    severity: "high",
    confidence: "medium",
    cwe: [807],
    description:
      "The contract queries an account's current balance and bases a decision on it: whether a proposal passes, " +
      "how much a vote weighs, whether someone may act. Balances can be borrowed for one transaction or sent by " +
      "anyone: an attacker takes a flash loan, transfers the tokens to where they count, gets the desired " +
      "outcome, and pays them back; the same tokens can also vote again from another account.",
    remediation:
      "Record the relevant amounts in the contract's own storage, updated on deposits and withdrawals, and lock " +
      "them while they count; use snapshots of an earlier block for votes, and time-weighted averages for " +
      "prices.",
    references: [
      "https://github.com/oak-security/cosmwasm-ctf",
      "https://docs.rs/cw-storage-plus/latest/cw_storage_plus/struct.SnapshotMap.html",
    ],
  },
  check: (program, report) => {
    for (const crate of program.crates)
      for (const entry of crate.entryPoints) {
        if (entry.kind !== "execute") continue
        const isOwnAccount = isOwnAddress(crate, program.terms, entry)
        for (const handler of entry.handlers) {
          for (const { query, bound, fact, price } of liveDecisions(entry, handler)) {
            if (!isBalanceQuery(query.result.term)) continue
            const isPrivileged =
              isAuthorized(entry, handler.facts) && !mentions(query.result.term, (one) => one === entry.sender)
            // What is given to the contract stays there: nobody borrows for that.
            const isOwn = mentions(query.result.term, isOwnAccount)
            // A ceiling on somebody's holdings is a limit that can be bypassed, which is another class; one on the
            // contract's holdings locks people out as soon as somebody sends it tokens.
            const isHeldUp = isOwn && !isTrusted(handler, handler.facts) && (onlyPayments(handler)?.length ?? 0) > 0
            if (bound === "ceiling" && !price && !isHeldUp) continue
            // The contract compares its holdings with its own earlier record.
            if (isOwnCall(entry, handler.facts)) continue
            if (bound === "floor" && !price && isOwn && isSpent(handler, query)) continue
            // A helper that queries the balance is correct; the decision is not.
            const decision = firstWith(handler).get(fact)
            report({
              ...siteIn(query, (decision ?? query).scope.frame),
              message: "The outcome of the message depends on this balance.",
              // Trusted accounts could do worse.
              ...(isPrivileged || isOwn ? { confidence: "low" as const, severity: "low" as const } : {}),
            })
          }
          for (const { query, frame, price } of poolPrices(program, handler))
            if (decides(handler, price))
              report({
                ...siteIn(query, frame),
                message: "A single trade can set this price by shifting the pool's reserves.",
                // Trusted accounts choose the moment.
                ...(isAuthorized(entry, handler.facts) ? { severity: "low" as const } : {}),
              })
          // The weight of a vote: the caller's balance, added to a stored value. A token that calls is not a holder.
          const tally = storageWrites(handler.events).find(({ value }) =>
            mentions(
              value,
              (one) =>
                ((one.kind === "binary" && one.operator === "+") ||
                  (one.kind === "call" && /^(checked_|saturating_)?add$/.test(one.name))) &&
                mentions(
                  one,
                  (part) =>
                    isBalanceQuery(part) &&
                    mentions(part, (inner) => inner === entry.sender) &&
                    !mentions(part, isOwnAccount),
                ),
            ),
          )
          if (tally === undefined) continue
          const query = handler.events.find(
            (event) =>
              event.kind === "call" &&
              isBalanceQuery(event.result.term) &&
              mentions(tally.value, (one) => one === event.result.term),
          )
          if (query !== undefined)
            report({
              ...siteIn(query, tally.event.scope.frame),
              message: "The caller's balance is counted as if it could not be transferred away.",
            })
        }
      }
  },
  examples: {
    vulnerable: [
      `use cosmwasm_std::{coins, entry_point, to_json_binary, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128, WasmMsg};
use cw20::{BalanceResponse, Cw20ExecuteMsg, Cw20QueryMsg};
use cw_storage_plus::{Item, Map};

pub struct Config { pub owner: Addr, pub token: Addr, pub pair: Addr, pub least: Uint128 }
pub struct Side { pub amount: Uint128 }
pub struct Sides { pub assets: [Side; 2] }
pub enum PairQuery { Pool {} }
pub struct MigrateMsg {}
pub const CONFIG: Item<Config> = Item::new("config");
pub const VOTES: Map<u64, Uint128> = Map::new("votes");
pub const PRICE: Item<Uint128> = Item::new("price");
pub enum ExecuteMsg { Vote { id: u64 }, Share { id: u64 }, Own { id: u64 }, Checked {}, Paid {}, Sent {}, Shown {}, Divided {}, Once {}, Quorum {}, Called {}, Trusted {} }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let config = CONFIG.load(deps.storage)?;
    match msg {
        ExecuteMsg::Vote { id } => {
            let held = deps.querier.query_balance(&info.sender, "uvote")?.amount; // FINDING
            let votes = VOTES.load(deps.storage, id)?;
            VOTES.save(deps.storage, id, &votes.checked_add(held)?)?;
            Ok(Response::new())
        }
        ExecuteMsg::Share { id } => {
            let held = deps.querier.query_balance(&config.owner, "uvote")?.amount;
            let votes = VOTES.load(deps.storage, id)?;
            VOTES.save(deps.storage, id, &(votes + held))?;
            Ok(Response::new())
        }
        ExecuteMsg::Own { id } => {
            let held = deps.querier.query_balance(&info.sender, "uvote")?.amount;
            VOTES.save(deps.storage, id, &held)?;
            Ok(Response::new())
        }
        ExecuteMsg::Checked {} => {
            let sides: Sides = deps.querier.query_wasm_smart(&config.pair, &PairQuery::Pool {})?; // FINDING
            let price = sides.assets[0].amount.multiply_ratio(1_000u128, sides.assets[1].amount);
            if price < config.least {
                return Err(StdError::generic_err("cheap"));
            }
            Ok(Response::new())
        }
        ExecuteMsg::Paid {} => {
            let sides: Sides = deps.querier.query_wasm_smart(&config.pair, &PairQuery::Pool {})?; // FINDING
            let price = sides.assets[0].amount.multiply_ratio(1_000u128, sides.assets[1].amount);
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.into(), amount: coins(price.u128(), "u") }))
        }
        ExecuteMsg::Sent {} => {
            let sides: Sides = deps.querier.query_wasm_smart(&config.pair, &PairQuery::Pool {})?;
            let price = sides.assets[0].amount.multiply_ratio(1_000u128, sides.assets[1].amount);
            let send = Cw20ExecuteMsg::Send { contract: config.pair.to_string(), amount: price, msg: Binary::default() };
            let call = WasmMsg::Execute { contract_addr: config.token.into(), msg: to_json_binary(&send)?, funds: vec![] };
            Ok(Response::new().add_message(call))
        }
        ExecuteMsg::Shown {} => {
            let sides: Sides = deps.querier.query_wasm_smart(&config.pair, &PairQuery::Pool {})?;
            let price = sides.assets[0].amount.multiply_ratio(1_000u128, sides.assets[1].amount);
            let pay = BankMsg::Send { to_address: info.sender.into(), amount: coins(1, "u") };
            Ok(Response::new().add_message(pay).add_attribute("price", price))
        }
        ExecuteMsg::Divided {} => {
            let sides: Sides = deps.querier.query_wasm_smart(&config.pair, &PairQuery::Pool {})?; // FINDING
            let price = sides.assets[0].amount / sides.assets[1].amount;
            PRICE.save(deps.storage, &price)?;
            Ok(Response::new())
        }
        ExecuteMsg::Once {} => {
            let sides: Sides = deps.querier.query_wasm_smart(&config.pair, &PairQuery::Pool {})?;
            let mut price = sides.assets[0].amount.multiply_ratio(1_000u128, sides.assets[1].amount);
            price = config.least;
            PRICE.save(deps.storage, &price)?;
            Ok(Response::new())
        }
        ExecuteMsg::Quorum {} => {
            let held = deps.querier.query_balance(&env.contract.address, "uvote")?; // FINDING
            if held.amount < config.least {
                return Err(StdError::generic_err("not enough votes"));
            }
            PRICE.save(deps.storage, &Uint128::one())?;
            Ok(Response::new())
        }
        ExecuteMsg::Called {} => {
            if info.sender != env.contract.address {
                return Err(StdError::generic_err("contract"));
            }
            let held = deps.querier.query_balance(&env.contract.address, "uvote")?;
            if held.amount < config.least {
                return Err(StdError::generic_err("not enough votes"));
            }
            PRICE.save(deps.storage, &Uint128::one())?;
            Ok(Response::new())
        }
        ExecuteMsg::Trusted {} => {
            if info.sender != config.owner {
                return Err(StdError::generic_err("owner"));
            }
            let held = deps.querier.query_balance(&config.pair, "uvote")?; // FINDING
            if held.amount < config.least {
                return Err(StdError::generic_err("not enough votes"));
            }
            PRICE.save(deps.storage, &Uint128::one())?;
            Ok(Response::new())
        }
    }
}

#[entry_point]
pub fn migrate(deps: DepsMut, env: Env, _msg: MigrateMsg) -> StdResult<Response> {
    let config = CONFIG.load(deps.storage)?;
    let sides: Sides = deps.querier.query_wasm_smart(&config.pair, &PairQuery::Pool {})?;
    PRICE.save(deps.storage, &(sides.assets[0].amount / sides.assets[1].amount))?;
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::Item;

pub struct Config { pub owner: Addr, pub candidate: Addr, pub quorum: Uint128 }
pub const CONFIG: Item<Config> = Item::new("config");
pub enum ExecuteMsg { Resolve {} }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Resolve {} => {
            let mut config = CONFIG.load(deps.storage)?;
            let held = deps.querier.query_balance(env.contract.address, "uvote")?; // FINDING
            if held.amount < config.quorum {
                return Err(StdError::generic_err("not enough votes"));
            }
            config.owner = config.candidate.clone();
            CONFIG.save(deps.storage, &config)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw20::{BalanceResponse, Cw20QueryMsg};
use cw_storage_plus::{Item, Map};

pub const TOKEN: Item<Addr> = Item::new("token");
pub const VOTES: Map<u64, Uint128> = Map::new("votes");
pub enum ExecuteMsg { Vote { proposal: u64 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Vote { proposal } => {
            let token = TOKEN.load(deps.storage)?;
            let held: BalanceResponse = deps.querier.query_wasm_smart( // FINDING
                token,
                &Cw20QueryMsg::Balance { address: info.sender.to_string() },
            )?;
            let votes = VOTES.load(deps.storage, proposal)?;
            VOTES.save(deps.storage, proposal, &(votes + held.balance))?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, Decimal, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub const PAIR: Item<Addr> = Item::new("pair");
pub const COLLATERAL: Map<&Addr, Uint128> = Map::new("collateral");
pub enum ExecuteMsg { Borrow { amount: Uint128 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Borrow { amount } => {
            let pair = PAIR.load(deps.storage)?;
            let base = deps.querier.query_balance(&pair, "uatom")?.amount; // FINDING
            let price = Decimal::from_ratio(deps.querier.query_balance(&pair, "uusd")?.amount, base);
            let worth = COLLATERAL.load(deps.storage, &info.sender)? * price;
            if amount > worth {
                return Err(StdError::generic_err("not enough collateral"));
            }
            let send = BankMsg::Send { to_address: info.sender.to_string(), amount: coins(amount.u128(), "uusd") };
            Ok(Response::new().add_message(send))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, Coin, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};
use cw_utils::must_pay;

pub struct Sides { pub assets: [Coin; 2] }
pub enum PairQuery { Pool {} }
pub enum ExecuteMsg { Mint {} }
pub const PAIR: Item<Addr> = Item::new("pair");
pub const MINTED: Map<&Addr, Uint128> = Map::new("minted");

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, _msg: ExecuteMsg) -> StdResult<Response> {
    let paid = must_pay(&info, "uatom").map_err(|_| StdError::generic_err("payment"))?;
    let sides: Sides = deps.querier.query_wasm_smart(PAIR.load(deps.storage)?, &PairQuery::Pool {})?; // FINDING
    let worth = paid.multiply_ratio(sides.assets[1].amount, sides.assets[0].amount);
    MINTED.save(deps.storage, &info.sender, &worth)?;
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub const GOAL: Item<Uint128> = Item::new("goal");
pub const BACKERS: Map<&Addr, Uint128> = Map::new("backers");
pub enum ExecuteMsg { Refund {} }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let ExecuteMsg::Refund {} = msg;
    let raised = deps.querier.query_balance(&env.contract.address, "uatom")?.amount; // FINDING
    if raised >= GOAL.load(deps.storage)? {
        return Err(StdError::generic_err("funded"));
    }
    let amount = BACKERS.load(deps.storage, &info.sender)?;
    BACKERS.remove(deps.storage, &info.sender);
    let pay = BankMsg::Send { to_address: info.sender.to_string(), amount: coins(amount.u128(), "uatom") };
    Ok(Response::new().add_message(pay))
}
`,
      `use cosmwasm_std::{coins, entry_point, to_json_binary, Addr, BankMsg, Coin, Decimal, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128, WasmMsg};
use cw20::Cw20ExecuteMsg;
use cw_storage_plus::{Item, Map};

pub struct Config { pub owner: Addr, pub vault: Addr, pub token: Addr, pub pair: Addr, pub least: Uint128, pub rate: Decimal }
pub struct Sides { pub assets: [Coin; 2] }
pub enum PairQuery { Pool {} }
pub const CONFIG: Item<Config> = Item::new("config");
pub const OPEN: Item<bool> = Item::new("open");
pub const MEMBERS: Map<&Addr, bool> = Map::new("members");
pub enum ExecuteMsg { Backed {}, Member {}, Dear {}, Trade {}, Outside {}, Payout {} }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let config = CONFIG.load(deps.storage)?;
    let own = env.contract.address;
    match msg {
        ExecuteMsg::Backed {} => {
            let held = deps.querier.query_balance(&config.vault, "uatom")?; // FINDING
            if held.amount < config.least {
                return Err(StdError::generic_err("not backed"));
            }
            return Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(held.amount.u128(), "uusd") }));
        }
        // Members can borrow as well as anyone.
        ExecuteMsg::Member {} => {
            MEMBERS.load(deps.storage, &info.sender)?;
            let held = deps.querier.query_balance(&info.sender, "uvote")?; // FINDING
            if held.amount < config.least {
                return Err(StdError::generic_err("not enough votes"));
            }
            OPEN.save(deps.storage, &true)?;
        }
        ExecuteMsg::Dear {} => {
            let base = deps.querier.query_balance(&config.pair, "uatom")?.amount; // FINDING
            let price = Decimal::from_ratio(deps.querier.query_balance(&config.pair, "uusd")?.amount, base);
            if price > config.rate {
                return Err(StdError::generic_err("too dear"));
            }
            OPEN.save(deps.storage, &true)?;
        }
        // The contract is the pool.
        ExecuteMsg::Trade {} => {
            let base = deps.querier.query_balance(&own, "uatom")?.amount; // FINDING
            let price = Decimal::from_ratio(deps.querier.query_balance(&own, "uusd")?.amount, base);
            if price < config.rate {
                return Err(StdError::generic_err("too cheap"));
            }
            return Ok(Response::new().add_message(BankMsg::Send { to_address: config.vault.to_string(), amount: coins(base.u128(), "uatom") }));
        }
        ExecuteMsg::Outside {} => {
            if info.sender == own {
                return Err(StdError::generic_err("itself"));
            }
            let held = deps.querier.query_balance(&own, "uvote")?; // FINDING
            if held.amount < config.least {
                return Err(StdError::generic_err("not enough votes"));
            }
            OPEN.save(deps.storage, &true)?;
        }
        ExecuteMsg::Payout {} => {
            let sides: Sides = deps.querier.query_wasm_smart(&config.pair, &PairQuery::Pool {})?; // FINDING
            let amount = config.least.multiply_ratio(sides.assets[0].amount, sides.assets[1].amount);
            let msg = to_json_binary(&Cw20ExecuteMsg::Transfer { recipient: info.sender.to_string(), amount })?;
            return Ok(Response::new().add_message(WasmMsg::Execute { contract_addr: config.token.to_string(), msg, funds: vec![] }));
        }
    }
    Ok(Response::new())
}`,
    ],
    safe: [
      `use cosmwasm_std::{entry_point, BankMsg, Coin, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::Item;

pub struct Config { pub treasury: String, pub least: Uint128 }
pub const CONFIG: Item<Config> = Item::new("config");
pub enum ExecuteMsg { Forward {} }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, _info: MessageInfo, _msg: ExecuteMsg) -> StdResult<Response> {
    let config = CONFIG.load(deps.storage)?;
    let held = deps.querier.query_balance(env.contract.address, "uatom")?.amount;
    if held < config.least {
        return Err(StdError::generic_err("not worth it yet"));
    }
    let amount = vec![Coin { denom: "uatom".to_string(), amount: held }];
    Ok(Response::new().add_message(BankMsg::Send { to_address: config.treasury, amount }))
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, Coin, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128, WasmMsg};
use cw_storage_plus::{Item, Map};

pub struct Sides { pub assets: [Coin; 2] }
pub enum PairQuery { Pool {} }
pub enum PairMsg { Provide { assets: [Uint128; 2] } }
pub enum ExecuteMsg { Provide {} }
pub const PAIR: Item<Addr> = Item::new("pair");
pub const IDLE: Item<Uint128> = Item::new("idle");

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, _msg: ExecuteMsg) -> StdResult<Response> {
    let pair = PAIR.load(deps.storage)?;
    let idle = IDLE.load(deps.storage)?;
    let sides: Sides = deps.querier.query_wasm_smart(&pair, &PairQuery::Pool {})?;
    let other = idle.multiply_ratio(sides.assets[1].amount, sides.assets[0].amount);
    let msg = to_json_binary(&PairMsg::Provide { assets: [idle, other] })?;
    Ok(Response::new().add_message(WasmMsg::Execute { contract_addr: pair.to_string(), msg, funds: vec![] }))
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw20::{BalanceResponse, Cw20QueryMsg, Cw20ReceiveMsg};
use cw_storage_plus::{Item, Map};

pub const TOKEN: Item<Addr> = Item::new("token");
pub const RECEIVED: Map<&Addr, Uint128> = Map::new("received");
pub enum ExecuteMsg { Receive(Cw20ReceiveMsg) }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Receive(_) => {
            if info.sender != TOKEN.load(deps.storage)? {
                return Err(StdError::generic_err("another token"));
            }
            let held: BalanceResponse = deps.querier.query_wasm_smart(
                info.sender.to_string(),
                &Cw20QueryMsg::Balance { address: env.contract.address.to_string() },
            )?;
            let before = RECEIVED.load(deps.storage, &info.sender)?;
            RECEIVED.save(deps.storage, &info.sender, &(before + held.balance))?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::Map;

pub const DEPOSITS: Map<&str, Uint128> = Map::new("deposits");
pub enum ExecuteMsg { Withdraw { amount: Uint128 } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Withdraw { amount } => {
            let held = deps.querier.query_balance(env.contract.address, "uatom")?;
            if held.amount < amount {
                return Err(StdError::generic_err("not enough liquidity"));
            }
            let left = DEPOSITS.load(deps.storage, info.sender.as_str())?.checked_sub(amount)?;
            DEPOSITS.save(deps.storage, info.sender.as_str(), &left)?;
            let pay = BankMsg::Send { to_address: info.sender.to_string(), amount: coins(amount.u128(), "uatom") };
            Ok(Response::new().add_message(pay))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Config { pub owner: Addr, pub candidate: Addr, pub quorum: Uint128 }
pub const CONFIG: Item<Config> = Item::new("config");
pub const LOCKED: Map<&Addr, Uint128> = Map::new("locked");
pub enum ExecuteMsg { Resolve {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Resolve {} => {
            let mut config = CONFIG.load(deps.storage)?;
            let votes = LOCKED.load(deps.storage, &config.candidate)?;
            if votes < config.quorum {
                return Err(StdError::generic_err("not enough votes"));
            }
            config.owner = config.candidate.clone();
            CONFIG.save(deps.storage, &config)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, Coin, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Config { pub owner: Addr, pub pair: Addr, pub goal: Uint128, pub paused: bool }
pub struct Sides { pub assets: [Coin; 2] }
pub struct Shown { pub price: Uint128 }
pub enum PairQuery { Pool {} }
pub const CONFIG: Item<Config> = Item::new("config");
pub const GIFTS: Map<&Addr, Uint128> = Map::new("gifts");
pub enum ExecuteMsg { Alms {}, Close {}, Show {} }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let config = CONFIG.load(deps.storage)?;
    let amount = GIFTS.load(deps.storage, &info.sender)?;
    let pay = BankMsg::Send { to_address: info.sender.to_string(), amount: coins(amount.u128(), "uatom") };
    match msg {
        // Nobody can be locked out: it is about what the sender holds.
        ExecuteMsg::Alms {} => {
            if deps.querier.query_balance(&info.sender, "uatom")?.amount > config.goal {
                return Err(StdError::generic_err("rich"));
            }
            GIFTS.remove(deps.storage, &info.sender);
            Ok(Response::new().add_message(pay))
        }
        // The owner sees to it.
        ExecuteMsg::Close {} => {
            if info.sender != config.owner {
                return Err(StdError::generic_err("owner"));
            }
            if deps.querier.query_balance(env.contract.address, "uatom")?.amount > config.goal {
                return Err(StdError::generic_err("funded"));
            }
            GIFTS.remove(deps.storage, &info.sender);
            Ok(Response::new().add_message(pay))
        }
        ExecuteMsg::Show {} => {
            if config.paused {
                return Err(StdError::generic_err("paused"));
            }
            let sides: Sides = deps.querier.query_wasm_smart(&config.pair, &PairQuery::Pool {})?;
            let mut shown = Shown { price: Uint128::zero() };
            shown.price = sides.assets[0].amount.multiply_ratio(1_000u128, sides.assets[1].amount);
            Ok(Response::new().add_attribute("price", shown.price))
        }
    }
}`,
      `use cosmwasm_std::{coins, entry_point, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::Item;
use cw_utils::must_pay;

pub const SHARES: Item<Uint128> = Item::new("shares");
pub enum ExecuteMsg { Join { least: Option<Uint128> } }

/// The least that the caller is content with limits the caller's own trade.
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Join { least } => {
            let paid = must_pay(&info, "uatom").map_err(|_| StdError::generic_err("payment"))?;
            let held = deps.querier.query_balance(&env.contract.address, "uatom")?.amount;
            let other = deps.querier.query_balance(&env.contract.address, "uusd")?.amount;
            let out = paid.multiply_ratio(other, held);
            if out < least.unwrap_or_default() {
                return Err(StdError::generic_err("too little"));
            }
            SHARES.update(deps.storage, |shares| -> StdResult<_> { Ok(shares + Uint128::one()) })?;
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.into(), amount: coins(out.u128(), "uusd") }))
        }
    }
}
`,
    ],
  },
}

/**
 * Whether the contract queries its own holdings in order to pass them on: a keeper waits until it is worth a message.
 */
const isSpent = ({ events }: Handler, { result }: CallEvent): boolean => sentTerms(events).has(result.term)

interface PoolPrice {
  readonly query: CallEvent
  readonly frame: CallEvent["scope"]["frame"]
  readonly price: Term
}

/** Messages that pay something out; those to a pool trade at the price that the pool itself determines. */
const handsOut = (term: Term): boolean =>
  term.kind === "struct" &&
  /(^|::)(Send|Transfer|TransferFrom|Mint|MintTokens|MsgMint)$/.test(term.path) &&
  !term.fields.some(([name]) => name === "contract")

/** Whether a price is stored, lets a message pass, or is what somebody receives. */
const decides = (handler: Handler, price: Term): boolean => {
  const isPart = (term: Term): boolean => mentions(term, (one) => one === price)
  return (
    handler.events.some(
      (event) =>
        (event.kind === "assign" && storedPlace(event.target.term) !== undefined && isPart(event.value.term)) ||
        (event.kind === "check" && event.conditions.some(isPart)),
    ) ||
    handler.events.some((event) => event.kind === "struct" && handsOut(event.value.term) && isPart(event.value.term))
  )
}

/** One side of a pool divided by the other, and the pool that they were queried from. */
const poolPrices = ({ terms }: CosmWasmProgram, handler: Handler): ReadonlyArray<PoolPrice> => {
  const pools = handler.events.filter(
    (event): event is CallEvent => event.kind === "call" && isPoolQuery(event.result.term),
  )
  if (pools.length === 0) return []
  const sideOf = (term: Term, pool: Term): Term | undefined => {
    let side: Term | undefined
    mentions(term, (one) => {
      if (one.kind === "element" && mentions(one.base, (part) => part === pool)) side = one
      return side !== undefined
    })
    return side
  }
  return handler.events.flatMap((event) => {
    const ratio = ratioOf(event)
    if (ratio === undefined) return []
    const price =
      event.kind === "call"
        ? event.result.term
        : event.kind === "operation" && event.right !== undefined
          ? terms.binary(event.operator, event.left.term, event.right.term)
          : undefined
    return pools.flatMap((query) => {
      const below = sideOf(ratio.denominator, query.result.term)
      const isPrice =
        below !== undefined &&
        ratio.numerators.some((one) => {
          const above = sideOf(one, query.result.term)
          return above !== undefined && above !== below
        })
      return isPrice && price !== undefined ? [{ query, frame: event.scope.frame, price }] : []
    })
  })
}

const isOwnCall = ({ sender, env }: EntryPoint, facts: Facts): boolean =>
  sender !== undefined &&
  comparisonsOf(sender, facts).some(
    ({ operator, against }) => operator === "==" && mentions(against, (one) => one === env),
  )
