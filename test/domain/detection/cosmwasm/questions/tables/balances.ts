import { firstWith, liveDecisions } from "../../../../../../domain/detection/cosmwasm/inputs/liveDecisions.ts"
import { cosmwasmTable } from "../../../../../support/cosmwasmTable.ts"

/** What the balances at this moment decide. */
export const balances = cosmwasmTable(
  "balances",
  {
    live: ({ handler }) =>
      liveDecisions(handler.entry, handler)
        .map(({ bound, price }) => (price ? `price ${bound}` : bound))
        .join(),
    since: ({ handler }) =>
      liveDecisions(handler.entry, handler)
        .map(({ fact }) => firstWith(handler).get(fact)?.kind)
        .join(),
  },
  [
    `use cosmwasm_std::{ensure, entry_point, to_json_binary, Addr, BankMsg, Coin, Decimal, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::Item;

pub struct Config { pub vault: Addr, pub pool: Addr, pub least: Uint128, pub rate: Decimal }
pub struct Part { pub least: Uint128, pub most: u64 }
pub const CONFIG: Item<Config> = Item::new("config");
pub const DONE: Item<u64> = Item::new("done");
pub enum ExecuteMsg {
    Nothing {},
    Floor {},
    Ceiling {},
    Between {},
    Equal {},
    Twice {},
    Grown {},
    Positive {},
    Withdraw { amount: Uint128 },
    WithdrawAll { amount: Uint128 },
    Below { amount: Uint128 },
    Paid {},
    Asked {},
    AskedOnly {},
    Divided {},
    DividedBy {},
    Dividing {},
    Ratio {},
    RatioOf {},
    Compared {},
    Price { least: Uint128 },
    PriceOf { part: Part },
    PricePaid {},
    PriceSent { least: Uint128 },
    Added {},
    Left {},
    LeftOf {},
    LeftAfter {},
    LeftOver {},
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let config = CONFIG.load(deps.storage)?;
    match msg {
        ExecuteMsg::Nothing {} => ask::live(""),
        ExecuteMsg::Floor {} => {
            let held = deps.querier.query_balance(&config.vault, "u")?.amount;
            ensure!(held >= config.least, StdError::generic_err("less"));
            ask::live("floor");
        }
        ExecuteMsg::Ceiling {} => {
            let held = deps.querier.query_balance(&config.vault, "u")?.amount;
            ensure!(held <= config.least, StdError::generic_err("more"));
            ask::live("ceiling");
            ask::since("call");
        }
        ExecuteMsg::Between {} => {
            let held = deps.querier.query_balance(&config.vault, "u")?.amount;
            if held <= config.least {
                DONE.save(deps.storage, &1)?;
            } else {
                DONE.save(deps.storage, &2)?;
            }
            ask::live("both");
        }
        ExecuteMsg::Equal {} => {
            let held = deps.querier.query_balance(&config.vault, "u")?.amount;
            ensure!(held == limit(7), StdError::generic_err("more or less"));
            ask::live("floor");
        }
        ExecuteMsg::Twice {} => {
            let held = deps.querier.query_balance(&config.vault, "u")?.amount;
            if env.block.height > 7 {
                ensure!(held <= config.least, StdError::generic_err("more"));
                DONE.save(deps.storage, &1)?;
            } else {
                ensure!(held <= config.least, StdError::generic_err("more"));
                log("early");
            }
            ask::since("assign");
        }
        // What somebody gained is compared, not what they hold.
        ExecuteMsg::Grown {} => {
            let before = deps.querier.query_balance(&config.pool, "u")?.amount;
            let held = deps.querier.query_balance(&config.vault, "u")?.amount;
            ensure!(held >= before, StdError::generic_err("less"));
            ask::live("");
        }
        ExecuteMsg::Positive {} => {
            let held = deps.querier.query_balance(&config.vault, "u")?.amount;
            ensure!(held > Uint128::zero(), StdError::generic_err("nothing"));
            ask::live("");
        }
        // Whether there is enough for what the caller asks for.
        ExecuteMsg::Withdraw { amount } => {
            let held = deps.querier.query_balance(&config.vault, "u")?.amount;
            ensure!(held >= amount, StdError::generic_err("less"));
            ask::live("");
        }
        ExecuteMsg::WithdrawAll { amount } => {
            let held = deps.querier.query_balance(&config.vault, "all")?.amount;
            ensure!(amount == held, StdError::generic_err("not all"));
            ask::live("floor");
        }
        ExecuteMsg::Below { amount } => {
            let held = deps.querier.query_balance(&config.vault, "u")?.amount;
            ensure!(held <= amount, StdError::generic_err("more"));
            ask::live("ceiling");
        }
        ExecuteMsg::Paid {} => {
            let held = deps.querier.query_balance(&config.vault, "u")?.amount;
            ensure!(held >= info.funds[0].amount, StdError::generic_err("less"));
            ask::live("");
        }
        ExecuteMsg::Asked {} => {
            let amount: Uint128 = deps.querier.query_wasm_smart(&config.pool, &0)?;
            let held = deps.querier.query_balance(&config.vault, "u")?.amount;
            ensure!(held >= amount, StdError::generic_err("less"));
            ask::live("");
            let pay = BankMsg::Send { to_address: config.pool.to_string(), amount: vec![Coin { denom: "u".to_string(), amount }] };
            return Ok(Response::new().add_message(pay));
        }
        ExecuteMsg::AskedOnly {} => {
            let amount: Uint128 = deps.querier.query_wasm_smart(&config.pool, &0)?;
            let held = deps.querier.query_balance(&config.vault, "u")?.amount;
            ensure!(held >= amount, StdError::generic_err("less"));
            ask::live("floor");
        }
        ExecuteMsg::Divided {} => {
            let (base, quote) = (deps.querier.query_balance(&config.pool, "u")?.amount, deps.querier.query_balance(&config.pool, "v")?.amount);
            ensure!(quote / base >= config.least, StdError::generic_err("cheap"));
            ask::live("price floor");
        }
        ExecuteMsg::DividedBy {} => {
            let quote = deps.querier.query_balance(&config.pool, "v")?.amount;
            ensure!(quote / config.least >= config.least, StdError::generic_err("cheap"));
            ask::live("floor");
        }
        ExecuteMsg::Dividing {} => {
            let base = deps.querier.query_balance(&config.pool, "v")?.amount;
            ensure!(config.least / base >= config.least, StdError::generic_err("cheap"));
            ask::live("floor");
        }
        ExecuteMsg::Added {} => {
            let (base, quote) = (deps.querier.query_balance(&config.pool, "u")?.amount, deps.querier.query_balance(&config.pool, "v")?.amount);
            ensure!(quote + base >= config.least, StdError::generic_err("little"));
            ask::live("floor");
        }
        ExecuteMsg::Ratio {} => {
            let (base, quote) = (deps.querier.query_balance(&config.pool, "u")?.amount, deps.querier.query_balance(&config.pool, "v")?.amount);
            ensure!(Decimal::from_ratio(quote, base) >= config.rate, StdError::generic_err("cheap"));
            ask::live("price floor");
        }
        ExecuteMsg::RatioOf {} => {
            let quote = deps.querier.query_balance(&config.pool, "v")?.amount;
            ensure!(Decimal::from_ratio(quote, config.least) >= config.rate, StdError::generic_err("cheap"));
            ask::live("floor");
        }
        ExecuteMsg::Compared {} => {
            let (base, quote) = (deps.querier.query_balance(&config.pool, "u")?.amount, deps.querier.query_balance(&config.pool, "v")?.amount);
            ensure!(quote.max(base) >= config.least, StdError::generic_err("little"));
            ask::live("floor");
        }
        // The least that the caller is content with.
        ExecuteMsg::Price { least } => {
            let (base, quote) = (deps.querier.query_balance(&config.pool, "u")?.amount, deps.querier.query_balance(&config.pool, "v")?.amount);
            ensure!(quote / base >= least, StdError::generic_err("cheap"));
            ask::live("");
        }
        ExecuteMsg::PriceOf { part } => {
            let (base, quote) = (deps.querier.query_balance(&config.pool, "u")?.amount, deps.querier.query_balance(&config.pool, "v")?.amount);
            ensure!(quote / base >= part.least, StdError::generic_err("cheap"));
            DONE.save(deps.storage, &part.most)?;
            ask::live("");
        }
        ExecuteMsg::PricePaid {} => {
            let (base, quote) = (deps.querier.query_balance(&config.pool, "u")?.amount, deps.querier.query_balance(&config.pool, "v")?.amount);
            ensure!(quote / base >= info.funds[0].amount, StdError::generic_err("cheap"));
            ask::live("price floor");
        }
        ExecuteMsg::PriceSent { least } => {
            let (base, quote) = (deps.querier.query_balance(&config.pool, "u")?.amount, deps.querier.query_balance(&config.pool, "v")?.amount);
            ensure!(quote / base >= least, StdError::generic_err("cheap"));
            let pay = BankMsg::Send { to_address: config.pool.to_string(), amount: vec![Coin { denom: "u".to_string(), amount: least }] };
            ask::live("price floor");
            return Ok(Response::new().add_message(pay));
        }
        ExecuteMsg::Left {} => {
            let held = deps.querier.query_balance(&config.vault, "u")?.amount;
            config.least.checked_sub(held)?;
            ask::live("ceiling");
        }
        ExecuteMsg::LeftOf {} => {
            let held = deps.querier.query_balance(&config.vault, "u")?.amount;
            held.checked_sub(config.least)?;
            ask::live("");
        }
        ExecuteMsg::LeftAfter {} => {
            let (base, quote) = (deps.querier.query_balance(&config.pool, "u")?.amount, deps.querier.query_balance(&config.pool, "v")?.amount);
            base.checked_sub(quote)?;
            ask::live("");
        }
        ExecuteMsg::LeftOver {} => {
            let held = deps.querier.query_balance(&config.vault, "u")?.amount;
            DONE.load(deps.storage)?.checked_sub(1)?;
            ask::live("");
        }
    }
    DONE.save(deps.storage, &3)?;
    Ok(Response::new())
}
`,
  ],
)
