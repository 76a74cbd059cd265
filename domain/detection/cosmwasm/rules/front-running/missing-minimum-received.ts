import type { Rule } from "../../../Rule.ts"
import { isAuthorized } from "../../authority.ts"
import type { CosmWasmProgram } from "../../model.ts"
import { unlimitedExchange, unlimitedTrade } from "../../trades.ts"
import { wayTo } from "../../way.ts"

export const missingMinimumReceived: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/front-running/missing-minimum-received",
    class: "missing-slippage",
    title: "Trade without a minimum to receive",
    severity: "medium",
    confidence: "medium",
    cwe: [682, 20],
    description:
      "The message exchanges one asset for another at a price that trades move, and nothing says how little the " +
      "trader accepts. Whoever sees the transaction first trades before and after it: the price is moved, the " +
      "trader receives next to nothing, and the difference stays with the attacker.",
    remediation:
      "Take the least amount (or the greatest spread) as part of the message, compare what comes out with it " +
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
            file: event.file,
            span: event.node,
            scope: event.function.qualifiedName,
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
    ],
  },
}
