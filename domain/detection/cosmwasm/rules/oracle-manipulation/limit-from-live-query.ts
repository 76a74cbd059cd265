import type { Rule } from "../../../Rule.ts"
import { mentions } from "../../../rust/terms/terms.ts"
import { isHoldingsQuery, isOwnAddress } from "../../questions/balanceQueries.ts"
import { checksFor, liveDecisions } from "../../inputs/liveDecisions.ts"
import { siteIn } from "../../../rust/terms/events.ts"
import type { CosmWasmProgram } from "../../program/model.ts"

export const limitFromLiveQuery: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/oracle-manipulation/limit-from-live-query",
    class: "limit-by-live-balance",
    title: "Limit enforced against a live balance",
    severity: "medium",
    confidence: "medium",
    cwe: [807, 799],
    description:
      "The limit on how much one account may mint, buy or claim is compared with the account's current " +
      "holdings, as returned by a query. Holdings can be moved: an attacker mints up to the limit, transfers " +
      "the tokens to another account and mints again. Paginated queries, such as the list of a cw721 owner's " +
      "tokens, also stop counting at the length of one page.",
    remediation:
      "Count in the contract's own storage how much each account has been given, and compare the limit with " +
      "that counter, which transfers do not change.",
    references: [
      "https://github.com/oak-security/cosmwasm-ctf",
      "https://github.com/public-awesome/cw-nfts/blob/main/packages/cw721/README.md",
    ],
  },
  check: (program, report) => {
    for (const crate of program.crates)
      for (const entry of crate.entryPoints) {
        if (entry.kind !== "execute") continue
        const isOwn = isOwnAddress(crate, program.terms, entry)
        for (const handler of entry.handlers)
          for (const { query, bound, fact, price } of liveDecisions(entry, handler)) {
            if (price) continue
            const about = query.result.term
            const isOfCaller = mentions(about, (one) => one === entry.sender || one === entry.message)
            if (!(bound === "ceiling" && isOfCaller) && !isHoldingsQuery(about)) continue
            // The contract's own holdings are nobody's allowance.
            if (!isHoldingsQuery(about) && mentions(about, isOwn)) continue
            // The query may be in a helper, which is correct; the decision is not.
            const decision = checksFor(handler).get(fact)?.[0]
            report(siteIn(query, (decision ?? query).scope.frame))
          }
      }
  },
  examples: {
    vulnerable: [
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw721::{Cw721QueryMsg, TokensResponse};
use cw_storage_plus::Item;

pub struct Config { pub collection: Addr, pub limit: usize }
pub const CONFIG: Item<Config> = Item::new("config");
pub const MINTED: Item<u64> = Item::new("minted");
pub enum ExecuteMsg { Mint {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Mint {} => {
            let config = CONFIG.load(deps.storage)?;
            let owned: TokensResponse = deps.querier.query_wasm_smart( // FINDING
                config.collection,
                &Cw721QueryMsg::Tokens { owner: info.sender.to_string(), start_after: None, limit: None },
            )?;
            if owned.tokens.len() >= config.limit {
                return Err(StdError::generic_err("limit reached"));
            }
            MINTED.update(deps.storage, |count| -> StdResult<_> { Ok(count + 1) })?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::Item;

pub const CAP: Item<Uint128> = Item::new("cap");
pub const SOLD: Item<Uint128> = Item::new("sold");
pub enum ExecuteMsg { Buy { amount: Uint128 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Buy { amount } => {
            let cap = CAP.load(deps.storage)?;
            let held = deps.querier.query_balance(info.sender, "usale")?; // FINDING
            if held.amount + amount > cap {
                return Err(StdError::generic_err("limit reached"));
            }
            SOLD.update(deps.storage, |sold| -> StdResult<_> { Ok(sold + amount) })?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, Deps, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw20::{BalanceResponse, Cw20QueryMsg};
use cw_storage_plus::{Item, Map};

pub const LIMIT: Item<Uint128> = Item::new("limit");
pub const TOKEN: Item<Addr> = Item::new("token");
pub const ENTRIES: Map<&Addr, bool> = Map::new("entries");
pub enum ExecuteMsg { Enter {} }

fn held(deps: Deps, by: &Addr) -> StdResult<Uint128> {
    let query = Cw20QueryMsg::Balance { address: by.to_string() };
    let answer: BalanceResponse = deps.querier.query_wasm_smart(TOKEN.load(deps.storage)?, &query)?;
    Ok(answer.balance)
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Enter {} => {
            if held(deps.as_ref(), &info.sender)? > LIMIT.load(deps.storage)? { // FINDING
                return Err(StdError::generic_err("too much"));
            }
            ENTRIES.save(deps.storage, &info.sender, &true)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, Deps, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw721::{Cw721QueryMsg, TokensResponse};
use cw_storage_plus::Item;

pub const COLLECTION: Item<Addr> = Item::new("collection");
pub const PAUSED: Item<bool> = Item::new("paused");
pub const MOST: Item<u64> = Item::new("most");
pub const LENT: Item<u64> = Item::new("lent");
pub enum ExecuteMsg { Lend {} }

fn assert_open(deps: Deps) -> StdResult<()> {
    if PAUSED.load(deps.storage)? {
        return Err(StdError::generic_err("paused"));
    }
    Ok(())
}

fn held(deps: Deps, by: &Addr) -> StdResult<u64> {
    let query = Cw721QueryMsg::Tokens { owner: by.to_string(), start_after: None, limit: None };
    let page: TokensResponse = deps.querier.query_wasm_smart(COLLECTION.load(deps.storage)?, &query)?;
    Ok(page.tokens.len() as u64)
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Lend {} => {
            assert_open(deps.as_ref())?;
            if held(deps.as_ref(), &env.contract.address)? >= MOST.load(deps.storage)? { // FINDING
                return Err(StdError::generic_err("full"));
            }
            LENT.update(deps.storage, |count| -> StdResult<_> { Ok(count + 1) })?;
            Ok(Response::new())
        }
    }
}
`,
    ],
    safe: [
      `use cosmwasm_std::{entry_point, to_json_binary, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128, WasmMsg};
use cw_storage_plus::{Item, Map};

pub const CAP: Item<Uint128> = Item::new("cap");
pub const FILLED: Map<&str, Uint128> = Map::new("filled");
pub enum ExecuteMsg { Fill { denom: String } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Fill { denom } => {
            let held = deps.querier.query_balance(&env.contract.address, &denom)?.amount;
            if held > CAP.load(deps.storage)? {
                return Err(StdError::generic_err("full"));
            }
            FILLED.save(deps.storage, &denom, &held)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::{Item, Map};

pub const LIMIT: Item<u64> = Item::new("limit");
pub const MINTED: Map<&Addr, u64> = Map::new("minted");
pub enum ExecuteMsg { Mint {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Mint {} => {
            let minted = MINTED.may_load(deps.storage, &info.sender)?.unwrap_or(0);
            if minted >= LIMIT.load(deps.storage)? {
                return Err(StdError::generic_err("limit reached"));
            }
            MINTED.save(deps.storage, &info.sender, &(minted + 1))?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::Map;

pub const DUE: Map<&str, Uint128> = Map::new("due");
pub enum ExecuteMsg { Claim {} }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Claim {} => {
            let due = DUE.load(deps.storage, info.sender.as_str())?;
            let held = deps.querier.query_balance(env.contract.address, "uatom")?;
            if due > held.amount {
                return Err(StdError::generic_err("come back later"));
            }
            DUE.remove(deps.storage, info.sender.as_str());
            let pay = BankMsg::Send { to_address: info.sender.to_string(), amount: coins(due.u128(), "uatom") };
            Ok(Response::new().add_message(pay))
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::Item;

pub struct State { pub contract_addr: Addr, pub cap: Uint128 }
pub const STATE: Item<State> = Item::new("state");
pub struct InstantiateMsg { pub cap: Uint128 }
pub enum ExecuteMsg { Pay { denom: String } }

#[entry_point]
pub fn instantiate(deps: DepsMut, env: Env, _info: MessageInfo, msg: InstantiateMsg) -> StdResult<Response> {
    STATE.save(deps.storage, &State { contract_addr: env.contract.address, cap: msg.cap })?;
    Ok(Response::new())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let ExecuteMsg::Pay { denom } = msg;
    let state = STATE.load(deps.storage)?;
    if deps.querier.query_balance(&state.contract_addr, &denom)?.amount > state.cap {
        return Err(StdError::generic_err("full"));
    }
    Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(1, denom) }))
}
`,
      `use cosmwasm_std::{entry_point, Addr, Decimal, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::Item;

pub const POOL: Item<Addr> = Item::new("pool");
pub const MOST: Item<Decimal> = Item::new("most");
pub const STARTED: Item<Uint128> = Item::new("started");
pub struct InstantiateMsg { pub most: Uint128 }
pub enum ExecuteMsg { Start { denom: String } }

// Who sets up the contract sets it up once.
#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, info: MessageInfo, msg: InstantiateMsg) -> StdResult<Response> {
    if deps.querier.query_balance(&info.sender, "ushare")?.amount > Uint128::new(5) {
        return Err(StdError::generic_err("too much"));
    }
    STARTED.save(deps.storage, &msg.most)?;
    Ok(Response::new())
}

// A price that can be moved is no allowance: another rule says so.
#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let ExecuteMsg::Start { denom } = msg;
    let pool = POOL.load(deps.storage)?;
    let held = deps.querier.query_balance(&pool, &denom)?.amount;
    let paid = deps.querier.query_balance(&pool, "uusd")?.amount;
    if Decimal::from_ratio(held, paid) > MOST.load(deps.storage)? {
        return Err(StdError::generic_err("price"));
    }
    STARTED.save(deps.storage, &Uint128::one())?;
    Ok(Response::new())
}
`,
    ],
  },
}
