import type { Rule } from "../../../Rule.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import { isAuthorized } from "../../authority/authority.ts"
import type { CosmWasmProgram } from "../../program/model.ts"
import { unlimitedExchange, unlimitedTrade } from "../../inputs/trades.ts"
import { wayTo } from "../../questions/way.ts"

export const missingMinimumReceived: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/front-running/missing-minimum-received",
    class: "missing-slippage",
    title: "Trade without slippage protection",
    severity: "medium",
    confidence: "medium",
    cwe: [682, 20],
    description:
      "The message exchanges one asset for another at a price that trades can move, and the trader cannot " +
      "specify the minimum that they accept. Anyone who sees the transaction in the mempool can sandwich it: " +
      "they move the price before it and back after it, the trader receives next to nothing, and the attacker " +
      "keeps the difference.",
    remediation:
      "Accept the minimum output (or the maximum spread) in the message, compare the computed amount with it " +
      "before anything is paid, and pass a real minimum on to other contracts.",
    references: [
      "https://docs.osmosis.zone/osmosis-core/modules/gamm/",
      "https://docs.astroport.fi/developers/smart-contracts/",
    ],
  },
  check: (program, report) => {
    for (const { entryPoints } of program.crates)
      for (const entry of entryPoints) {
        if (entry.kind !== "execute") continue
        for (const handler of entry.handlers) {
          const exchange = isAuthorized(entry, handler.facts) ? undefined : unlimitedExchange(handler)
          const event = exchange?.event ?? unlimitedTrade(handler)
          if (event === undefined) continue
          report({
            ...placeOf(event),
            message:
              exchange === undefined
                ? "The other contract may return any amount for this."
                : "The payout may be any amount: the trader sets no minimum.",
            // The contract trades part of its own earnings.
            ...(exchange === undefined ? { severity: "low" as const } : {}),
            trace: wayTo(handler, event),
          })
        }
      }
  },
  examples: {
    vulnerable: [
      `use cosmwasm_std::{coins, entry_point, BankMsg, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::Item;
use cw_utils::must_pay;

pub struct Pool { pub denom: String, pub other: String, pub here: Uint128, pub there: Uint128 }
pub const POOL: Item<Pool> = Item::new("pool");
pub enum ExecuteMsg { Swap { min_out: Uint128 }, Sell { amount: u128 } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Swap { min_out: _ } => {
            let mut pool = POOL.load(deps.storage)?;
            let paid = must_pay(&info, &pool.denom)?;
            let out = pool.there.multiply_ratio(paid, pool.here + paid);
            pool.here += paid;
            pool.there = pool.there.checked_sub(out)?;
            POOL.save(deps.storage, &pool)?;
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(out.u128(), pool.other) })) // FINDING
        }
        ExecuteMsg::Sell { amount } => {
            let held = deps.querier.query_balance(&env.contract.address, "uatom")?.amount.u128();
            let out = held * amount / (held + amount);
            if out == 0 {
                return Ok(Response::new());
            }
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(out, "uatom") })) // FINDING
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, Coin, Decimal, DepsMut, Env, MessageInfo, Response, StdResult, Uint128, WasmMsg};
use cw_storage_plus::Item;

pub const ROUTER: Item<Addr> = Item::new("router");
pub const TOTAL: Item<Uint128> = Item::new("total");
pub enum RouterMsg { SwapExact { into: String, minimum_receive: Option<Uint128> } }
pub enum PairMsg { Swap { belief_price: Option<Decimal>, max_spread: Option<Decimal> } }
pub struct MsgSwapExactAmountIn { pub sender: String, pub token_out_min_amount: String }
pub enum ExecuteMsg { Harvest {}, Compound {}, Route {} }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let contract_addr = ROUTER.load(deps.storage)?.into_string();
    let all: Coin = deps.querier.query_balance(&env.contract.address, "ureward")?;
    match msg {
        ExecuteMsg::Harvest {} => {
            let call = RouterMsg::SwapExact { into: "uatom".into(), minimum_receive: None };
            Ok(Response::new().add_message(WasmMsg::Execute { contract_addr, msg: to_json_binary(&call)?, funds: vec![all] })) // FINDING
        }
        ExecuteMsg::Compound {} => {
            let call = PairMsg::Swap { belief_price: None, max_spread: None };
            Ok(Response::new().add_message(WasmMsg::Execute { contract_addr, msg: to_json_binary(&call)?, funds: vec![all] })) // FINDING
        }
        ExecuteMsg::Route {} => {
            let call = MsgSwapExactAmountIn { sender: env.contract.address.to_string(), token_out_min_amount: Uint128::zero().to_string() };
            Ok(Response::new().add_message(WasmMsg::Execute { contract_addr, msg: to_json_binary(&call)?, funds: vec![all] })) // FINDING
        }
    }
}
`,
      `use cosmwasm_std::{coins, ensure, entry_point, Addr, BankMsg, Coin, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::Item;
use cw_utils::must_pay;

pub struct Pool { pub base: Uint128, pub quote: Uint128, pub limit: Uint128, pub pair: Addr }
pub struct Sides { pub assets: [Coin; 2] }
pub enum PairQuery { Pool {} }
pub const POOL: Item<Pool> = Item::new("pool");
pub enum ExecuteMsg { Sell { deadline: u64, times: u64, memo: String }, Buy { memo: String }, Swap {} }

fn note(out: Uint128, memo: &str) -> String {
    format!("{memo}: {out}")
}

// Neither a deadline nor that the pool can pay limits the price.
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let pool = POOL.load(deps.storage)?;
    let to_address = info.sender.to_string();
    let paid = must_pay(&info, "uatom")?;
    ensure!(paid < pool.limit, StdError::generic_err("too much"));
    match msg {
        ExecuteMsg::Sell { deadline, times, memo } => {
            ensure!(env.block.time.seconds() <= deadline, StdError::generic_err("late"));
            ensure!(times < 10, StdError::generic_err("times"));
            names::assert_short(&memo)?;
            let out = pool.quote.checked_mul(paid)?.checked_div(pool.base + paid)?;
            ensure!(out < pool.quote, StdError::generic_err("empty"));
            ensure!(Uint128::zero() < out, StdError::generic_err("nothing"));
            let pay = BankMsg::Send { to_address, amount: coins(out.u128(), "uusd") }; // FINDING
            Ok(Response::new().add_message(pay).add_attribute("memo", memo))
        }
        ExecuteMsg::Buy { memo } => {
            let out = pool.quote.mul_floor((paid, pool.base + paid));
            let pay = BankMsg::Send { to_address, amount: coins(out.u128(), "uusd") }; // FINDING
            Ok(Response::new().add_message(pay).add_attribute("note", note(out, &memo)))
        }
        ExecuteMsg::Swap {} => {
            let sides: Sides = deps.querier.query_wasm_smart(&pool.pair, &PairQuery::Pool {})?;
            let out = paid.multiply_ratio(pool.limit, sides.assets[0].amount + paid);
            Ok(Response::new().add_message(BankMsg::Send { to_address, amount: coins(out.u128(), "uusd") })) // FINDING
        }
    }
}`,
      `use cosmwasm_std::{ensure, entry_point, to_json_binary, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128, WasmMsg};
use cw_storage_plus::Item;

pub struct Config { pub pair: Addr, pub min_offer: Uint128 }
pub enum PairMsg { Swap { offer: Uint128, minimum_receive: Uint128 }, SwapExactIn { offer: Uint128, min_out: u128 } }
pub const CONFIG: Item<Config> = Item::new("config");
pub enum ExecuteMsg { Zero { offer: Uint128 }, New { offer: Uint128 }, Literal { offer: Uint128 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let config = CONFIG.load(deps.storage)?;
    let contract_addr = config.pair.to_string();
    match msg {
        ExecuteMsg::Zero { offer } => {
            ensure!(offer > config.min_offer, StdError::generic_err("too little"));
            let msg = to_json_binary(&PairMsg::Swap { offer, minimum_receive: Uint128::zero() })?;
            Ok(Response::new().add_message(WasmMsg::Execute { contract_addr, msg, funds: vec![] })) // FINDING
        }
        ExecuteMsg::New { offer } => {
            let msg = to_json_binary(&PairMsg::Swap { offer, minimum_receive: Uint128::new(1) })?;
            Ok(Response::new().add_message(WasmMsg::Execute { contract_addr, msg, funds: vec![] })) // FINDING
        }
        ExecuteMsg::Literal { offer } => {
            let msg = to_json_binary(&PairMsg::SwapExactIn { offer, min_out: 0 })?;
            Ok(Response::new().add_message(WasmMsg::Execute { contract_addr, msg, funds: vec![] })) // FINDING
        }
    }
}`,
      `use cosmwasm_std::{coins, entry_point, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_utils::must_pay;

pub enum ExecuteMsg { Swap {} }

/// What was paid in still moves the price, although something else is taken off.
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let held = deps.querier.query_balance(&env.contract.address, "uatom")?.amount;
    let other = deps.querier.query_balance(&env.contract.address, "uusd")?.amount;
    match msg {
        ExecuteMsg::Swap {} => {
            let paid = must_pay(&info, "uatom").map_err(|_| StdError::generic_err("payment"))?;
            let out = other.multiply_ratio(paid, (held + paid).checked_sub(Uint128::new(1))?);
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(out.u128(), "uusd") })) // FINDING
        }
    }
}
`,
    ],
    safe: [
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};
use cw_utils::must_pay;

pub struct Pool { pub owner: Addr, pub denom: String, pub other: String, pub here: Uint128, pub there: Uint128, pub supply: Uint128 }
pub const POOL: Item<Pool> = Item::new("pool");
pub const SHARES: Map<&Addr, Uint128> = Map::new("shares");
pub enum ExecuteMsg { Swap { min_out: Option<Uint128> }, Withdraw { shares: Uint128 }, Sweep { amount: Uint128 }, Sell { limits: Limits } }
pub struct Limits { pub spread: Uint128 }

fn pay(to: &Addr, amount: Uint128, denom: String) -> Response {
    Response::new().add_message(BankMsg::Send { to_address: to.to_string(), amount: coins(amount.u128(), denom) })
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let mut pool = POOL.load(deps.storage)?;
    match msg {
        ExecuteMsg::Swap { min_out } => {
            let paid = must_pay(&info, &pool.denom)?;
            let out = pool.there.multiply_ratio(paid, pool.here + paid);
            if let Some(least) = min_out {
                if out < least {
                    return Err(StdError::generic_err("slippage"));
                }
            }
            pool.there = pool.there.checked_sub(out)?;
            POOL.save(deps.storage, &pool)?;
            Ok(pay(&info.sender, out, pool.other))
        }
        // A share of the pool: trading first does not change it.
        ExecuteMsg::Withdraw { shares } => {
            SHARES.update(deps.storage, &info.sender, |have| -> StdResult<_> { Ok(have.unwrap_or_default().checked_sub(shares)?) })?;
            let out = pool.there.multiply_ratio(shares, pool.supply);
            pool.supply = pool.supply.checked_sub(shares)?;
            POOL.save(deps.storage, &pool)?;
            Ok(pay(&info.sender, out, pool.other))
        }
        ExecuteMsg::Sweep { amount } => {
            if info.sender != pool.owner {
                return Err(StdError::generic_err("owner"));
            }
            let out = pool.there.multiply_ratio(amount, pool.here + amount);
            Ok(pay(&info.sender, out, pool.other))
        }
        ExecuteMsg::Sell { limits } => {
            let paid = must_pay(&info, &pool.denom)?;
            let out = pool.there.multiply_ratio(paid, pool.here + paid);
            spreads::assert_spread(out, limits.spread)?;
            pool.there = pool.there.checked_sub(out)?;
            POOL.save(deps.storage, &pool)?;
            Ok(pay(&info.sender, out, pool.other))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, Coin, Decimal, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128, WasmMsg};
use cw_storage_plus::Item;

pub const ROUTER: Item<Addr> = Item::new("router");
pub const SPREAD: Item<Decimal> = Item::new("spread");
pub enum RouterMsg { SwapExact { into: String, minimum_receive: Option<Uint128> }, Stake { minimum: Option<Uint128> } }
pub enum PairMsg { Swap { belief_price: Option<Decimal>, max_spread: Option<Decimal> } }
pub enum OwnMsg { SwapRest { minimum_receive: Option<Uint128> } }
pub enum ExecuteMsg { Harvest { least: Uint128 }, Compound {}, Checked { minimum_receive: Uint128 }, Step {}, Stake {}, Rest {} }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let contract_addr = ROUTER.load(deps.storage)?.into_string();
    let all: Coin = deps.querier.query_balance(&env.contract.address, "ureward")?;
    let call = match msg {
        ExecuteMsg::Harvest { least } => to_json_binary(&RouterMsg::SwapExact { into: "uatom".into(), minimum_receive: Some(least) })?,
        ExecuteMsg::Compound {} => {
            let max_spread = Some(SPREAD.load(deps.storage)?);
            to_json_binary(&PairMsg::Swap { belief_price: None, max_spread })?
        }
        // The amount received is checked afterwards.
        ExecuteMsg::Checked { minimum_receive } => {
            let swap = to_json_binary(&PairMsg::Swap { belief_price: None, max_spread: None })?;
            let check = to_json_binary(&minimum_receive)?;
            return Ok(Response::new()
                .add_message(WasmMsg::Execute { contract_addr, msg: swap, funds: vec![all] })
                .add_message(WasmMsg::Execute { contract_addr: env.contract.address.to_string(), msg: check, funds: vec![] }));
        }
        ExecuteMsg::Step {} => {
            if info.sender != env.contract.address {
                return Err(StdError::generic_err("own"));
            }
            to_json_binary(&PairMsg::Swap { belief_price: None, max_spread: None })?
        }
        ExecuteMsg::Stake {} => to_json_binary(&RouterMsg::Stake { minimum: None })?,
        ExecuteMsg::Rest {} => {
            let rest = to_json_binary(&OwnMsg::SwapRest { minimum_receive: None })?;
            return Ok(Response::new().add_message(WasmMsg::Execute { contract_addr: env.contract.address.to_string(), msg: rest, funds: vec![] }));
        }
    };
    Ok(Response::new().add_message(WasmMsg::Execute { contract_addr, msg: call, funds: vec![all] }))
}
`,
      `use cosmwasm_std::{coins, ensure, entry_point, BankMsg, Decimal, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::Item;
use cw_utils::must_pay;

pub struct Pool { pub base: Uint128, pub quote: Uint128, pub bonus: Uint128 }
pub const POOL: Item<Pool> = Item::new("pool");
pub enum ExecuteMsg { Sell { max_price: Decimal }, Reward {}, Share { heads: Uint128 } }
pub enum SudoMsg { Sell { amount: Uint128, to: String } }

fn pay(info: &MessageInfo, amount: Uint128) -> StdResult<Response> {
    Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(amount.u128(), "uusd") }))
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let pool = POOL.load(deps.storage)?;
    let paid = must_pay(&info, "uatom")?;
    match msg {
        ExecuteMsg::Sell { max_price } => {
            let out = pool.quote.multiply_ratio(paid, pool.base + paid);
            ensure!(Decimal::from_ratio(paid, out) <= max_price, StdError::generic_err("price"));
            pay(&info, out)
        }
        // Nothing is divided.
        ExecuteMsg::Reward {} => pay(&info, pool.quote * (pool.bonus + paid)),
        // It is the sender's own number, and no reserve.
        ExecuteMsg::Share { heads } => pay(&info, pool.bonus / (heads + Uint128::one())),
    }
}

// The chain's governance sells at any price.
#[entry_point]
pub fn sudo(deps: DepsMut, _env: Env, msg: SudoMsg) -> StdResult<Response> {
    let SudoMsg::Sell { amount, to } = msg;
    let pool = POOL.load(deps.storage)?;
    let out = pool.quote.multiply_ratio(amount, pool.base + amount);
    let to_address = deps.api.addr_validate(&to)?.into_string();
    Ok(Response::new().add_message(BankMsg::Send { to_address, amount: coins(out.u128(), "uusd") }))
}`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, Decimal, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128, WasmMsg};
use cw_storage_plus::Item;

pub struct Limits { pub min_out: Uint128 }
pub enum PairMsg {
    Swap { offer: Uint128, belief_price: Option<Decimal>, max_spread: Option<Decimal> },
    SwapExactIn { offer: Uint128, min_out: Uint128 },
    SwapBare { offer: Uint128 },
    Provide { offer: Uint128, slippage_tolerance: Option<Decimal> },
}
pub const PAIR: Item<Addr> = Item::new("pair");
pub enum ExecuteMsg { Route { offer: Uint128 }, Step { offer: Uint128 }, Spread { offer: Uint128 }, Fixed { offer: Uint128 }, Counted { offer: Uint128 }, Bare { offer: Uint128 }, Provide { offer: Uint128 }, Checked { offer: Uint128, limits: Limits } }

fn send(contract_addr: &Addr, call: &PairMsg) -> StdResult<Response> {
    let msg = to_json_binary(call)?;
    Ok(Response::new().add_message(WasmMsg::Execute { contract_addr: contract_addr.to_string(), msg, funds: vec![] }))
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let own = env.contract.address;
    let pair = PAIR.load(deps.storage)?;
    match msg {
        // The contract calls itself for each step, and the last one is checked.
        ExecuteMsg::Route { offer } => send(&own, &PairMsg::SwapExactIn { offer, min_out: Uint128::zero() }),
        ExecuteMsg::Step { offer } => {
            if info.sender != own {
                return Err(StdError::generic_err("contract"));
            }
            send(&pair, &PairMsg::SwapExactIn { offer, min_out: Uint128::zero() })
        }
        ExecuteMsg::Spread { offer } => send(&pair, &PairMsg::Swap { offer, belief_price: None, max_spread: Some(limits::MAX_SPREAD) }),
        ExecuteMsg::Fixed { offer } => send(&pair, &PairMsg::SwapExactIn { offer, min_out: Uint128::new(950) }),
        ExecuteMsg::Counted { offer } => send(&pair, &PairMsg::SwapExactIn { offer, min_out: limits::least_of(1) }),
        ExecuteMsg::Bare { offer } => send(&pair, &PairMsg::SwapBare { offer }),
        // What is added to a pool is not traded.
        ExecuteMsg::Provide { offer } => send(&pair, &PairMsg::Provide { offer, slippage_tolerance: None }),
        ExecuteMsg::Checked { offer, limits } => {
            let first = send(&pair, &PairMsg::SwapExactIn { offer, min_out: Uint128::zero() })?;
            let msg = to_json_binary(&limits.min_out)?;
            Ok(first.add_message(WasmMsg::Execute { contract_addr: own.to_string(), msg, funds: vec![] }))
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, BankMsg, Decimal, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_utils::must_pay;

pub enum ExecuteMsg { Stake {}, Unstake {}, Leave {} }

/// Shares at the price from before, and their part of everything, whatever others do.
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let supply = deps.querier.query_supply("ushare")?.amount;
    let held = deps.querier.query_balance(&env.contract.address, "uatom")?.amount;
    let (out, denom) = match msg {
        ExecuteMsg::Stake {} => {
            let paid = must_pay(&info, "uatom").map_err(|_| StdError::generic_err("payment"))?;
            (paid.multiply_ratio(supply, held - paid), "ushare")
        }
        ExecuteMsg::Leave {} => {
            let paid = must_pay(&info, "uatom").map_err(|_| StdError::generic_err("payment"))?;
            (paid.multiply_ratio(supply, held.checked_sub(paid)?), "ushare")
        }
        ExecuteMsg::Unstake {} => {
            let paid = must_pay(&info, "ushare").map_err(|_| StdError::generic_err("payment"))?;
            let part = Decimal::from_ratio(held, 1u128) * Decimal::from_ratio(paid, supply);
            (part.numerator() / part.denominator(), "uatom")
        }
    };
    Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(out.u128(), denom) }))
}
`,
    ],
  },
}
