import { oncePer } from "../../../oncePer.ts"
import type { Rule } from "../../../Rule.ts"
import type { Event } from "../../../rust/terms/events.ts"
import { everySubterm, mentions, subterms, type Term } from "../../../rust/terms/terms.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import { isBalanceQuery } from "../../questions/balanceQueries.ts"
import type { CosmWasmProgram, EntryPoint, Handler } from "../../program/model.ts"
import { ratioOf } from "../../questions/ratio.ts"
import { mentionsApart, storedPlace } from "../../program/semantics.ts"
import { storageWrites } from "../../questions/storageWrites.ts"

export const shareInflation: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/arithmetic/share-inflation",
    class: "share-inflation",
    title: "First depositor can inflate the share price",
    severity: "high",
    confidence: "high",
    cwe: [682],
    description:
      "The number of shares is the deposit times the share supply, divided by the contract's holdings, which " +
      "are queried from the bank or token contract. The first depositor buys one share and sends a large amount " +
      "directly to the contract. The next deposit is rounded down to zero shares or one share, and the " +
      "attacker's share takes most of it.",
    remediation:
      "Track the deposited assets in storage instead of querying the balance, add virtual shares and assets to " +
      "both sides of the fraction (as in OpenZeppelin's ERC-4626), or permanently lock a minimum number of the " +
      "first shares.",
    references: ["https://github.com/oak-security/cosmwasm-ctf", "https://docs.openzeppelin.com/contracts/5.x/erc4626"],
  },
  check: (program, report) => {
    for (const { entryPoints } of program.crates) {
      const seeded = isSeeded(entryPoints)
      for (const entry of entryPoints) {
        if (entry.kind !== "execute") continue
        for (const handler of entry.handlers)
          for (const event of handler.events) {
            const ratio = ratioOf(event)
            if (ratio === undefined || !isMadeOf(ratio.denominator, isBalanceQuery) || hasOffset(ratio.denominator))
              continue
            const isTime = (term: Term): boolean => mentions(term, (one) => one.kind === "field" && one.name === "time")
            const supply = ratio.numerators.find(
              (one) => isMadeOf(one, isSupply) && !mentions(one, isBalanceQuery) && !isTime(one),
            )
            // `deposit * supply / assets`; a rate of the two alone is applied to the deposit later.
            const others = ratio.numerators.filter((one) => one !== supply)
            const isOfDeposit =
              others.length === 0 ||
              others.some((term) => mentionsApart(term, (one) => one === entry.funds || one === entry.message))
            if (supply === undefined || !isOfDeposit || keepsMinimum(entry, handler)) continue
            const shares = event.kind === "call" ? event.result.term : quotientOf(program, event)
            if (shares === undefined || !isMinted(handler, shares)) continue
            report({
              ...placeOf(event),
              ...(seeded ? { severity: "low" as const } : {}),
            })
          }
      }
    }
  },
  examples: {
    vulnerable: [
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, BankMsg, BankQuery, Decimal, DepsMut, Env, MessageInfo, Response, StdError, StdResult, SupplyResponse, Uint128, WasmMsg};
use cw20::{Cw20ExecuteMsg, Cw20QueryMsg, TokenInfoResponse};
use cw_storage_plus::{Item, Map};
use cw_utils::must_pay;

pub struct InstantiateMsg {}
pub const SUPPLY: Item<Uint128> = Item::new("supply");
pub const TOTAL: Item<Uint128> = Item::new("total");
pub const TOKEN: Item<Addr> = Item::new("token");
pub const OFFSET: Uint128 = Uint128::new(1_000);
pub enum ExecuteMsg {
    Slash {},
    Added {},
    Unused {},
    Paid {},
    Rate {},
    Literal {},
    Constant {},
    AddedOne {},
    OneFirst {},
    Sum {},
    Asked {},
    Bank {},
    Query {},
    Price {},
    Least { amount: Uint128 },
    Above { amount: Uint128 },
    Any { amount: Uint128 },
    Not { amount: Uint128 },
    Some { amount: u128 },
    More { amount: Uint128 },
    Tip { tip: Uint128 },
    Fee {},
}

#[entry_point]
pub fn instantiate(deps: DepsMut, env: Env, info: MessageInfo, _msg: InstantiateMsg) -> StdResult<Response> {
    let paid = must_pay(&info, "uatom").map_err(|_| StdError::generic_err("payment"))?;
    let supply = SUPPLY.load(deps.storage)?;
    let held = deps.querier.query_balance(&env.contract.address, "uatom")?.amount;
    SUPPLY.save(deps.storage, &(supply + paid * supply / held))?;
    Ok(Response::new())
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let paid = must_pay(&info, "uatom").map_err(|_| StdError::generic_err("payment"))?;
    let supply = SUPPLY.load(deps.storage)?;
    let held = deps.querier.query_balance(&env.contract.address, "uatom")?.amount;
    match msg {
        ExecuteMsg::Slash {} => {
            let shares = paid * supply / held; // FINDING
            SUPPLY.save(deps.storage, &(shares + supply))?;
            Ok(Response::new())
        }
        ExecuteMsg::Added {} => {
            let shares = paid.multiply_ratio(supply, held); // FINDING
            SUPPLY.save(deps.storage, &supply.checked_add(shares)?)?;
            Ok(Response::new())
        }
        ExecuteMsg::Unused {} => {
            let shares = paid.multiply_ratio(supply, held);
            TOTAL.save(deps.storage, &supply.checked_add(paid)?)?;
            Ok(Response::new().add_attribute("shares", shares))
        }
        ExecuteMsg::Paid {} => {
            let out = paid.multiply_ratio(supply, held);
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.into(), amount: vec![coin(out, "ub")] }))
        }
        ExecuteMsg::Rate {} => {
            let rate = Decimal::from_ratio(supply, held); // FINDING
            SUPPLY.save(deps.storage, &(supply + paid * rate))?;
            Ok(Response::new())
        }
        ExecuteMsg::Literal {} => {
            let shares = paid.multiply_ratio(supply, held.u128() + 1);
            SUPPLY.save(deps.storage, &(supply + shares))?;
            Ok(Response::new())
        }
        ExecuteMsg::Constant {} => {
            let shares = paid.multiply_ratio(supply, held + OFFSET);
            SUPPLY.save(deps.storage, &(supply + shares))?;
            Ok(Response::new())
        }
        ExecuteMsg::AddedOne {} => {
            let shares = paid.multiply_ratio(supply, held.checked_add(Uint128::one())?);
            SUPPLY.save(deps.storage, &(supply + shares))?;
            Ok(Response::new())
        }
        ExecuteMsg::OneFirst {} => {
            let shares = paid.multiply_ratio(supply, Uint128::one() + held);
            SUPPLY.save(deps.storage, &(supply + shares))?;
            Ok(Response::new())
        }
        ExecuteMsg::Sum {} => {
            let shares = paid.multiply_ratio(supply, held.checked_add(paid)?); // FINDING
            SUPPLY.save(deps.storage, &(supply + shares))?;
            Ok(Response::new())
        }
        ExecuteMsg::Asked {} => {
            let token = TOKEN.load(deps.storage)?;
            let known: TokenInfoResponse = deps.querier.query_wasm_smart(token, &Cw20QueryMsg::TokenInfo {})?;
            let shares = paid.multiply_ratio(known.total_supply, held); // FINDING
            TOTAL.save(deps.storage, &(paid + shares))?;
            Ok(Response::new())
        }
        ExecuteMsg::Bank {} => {
            let known: SupplyResponse = deps.querier.query(&BankQuery::Supply { denom: "ulp".into() }.into())?;
            let shares = paid.multiply_ratio(known.amount.amount, held); // FINDING
            TOTAL.save(deps.storage, &(paid + shares))?;
            Ok(Response::new())
        }
        ExecuteMsg::Query {} => {
            let known = deps.querier.query_supply("ulp")?.amount;
            let shares = paid.multiply_ratio(known, held); // FINDING
            TOTAL.save(deps.storage, &(paid + shares))?;
            Ok(Response::new())
        }
        ExecuteMsg::Price {} => {
            let token = "oracle".to_string();
            let price: Uint128 = deps.querier.query_wasm_smart(token, &OracleMsg::Price {})?;
            let shares = paid.multiply_ratio(price, held);
            TOTAL.save(deps.storage, &(paid + shares))?;
            Ok(Response::new())
        }
        ExecuteMsg::Least { amount } => {
            if amount < Uint128::new(1_000) {
                return Err(StdError::generic_err("little"));
            }
            let shares = amount.multiply_ratio(supply, held);
            SUPPLY.save(deps.storage, &(supply + shares))?;
            Ok(Response::new())
        }
        ExecuteMsg::Above { amount } => {
            if amount <= Uint128::new(1_000) {
                return Err(StdError::generic_err("little"));
            }
            let shares = amount.multiply_ratio(supply, held);
            SUPPLY.save(deps.storage, &(supply + shares))?;
            Ok(Response::new())
        }
        ExecuteMsg::Any { amount } => {
            let shares = amount.multiply_ratio(supply, held); // FINDING
            SUPPLY.save(deps.storage, &(supply + shares))?;
            Ok(Response::new())
        }
        ExecuteMsg::Not { amount } => {
            if Uint128::new(7) == amount {
                return Err(StdError::generic_err("seven"));
            }
            let shares = amount.multiply_ratio(supply, held); // FINDING
            SUPPLY.save(deps.storage, &(supply + shares))?;
            Ok(Response::new())
        }
        ExecuteMsg::Some { amount } => {
            if amount <= 0 {
                return Err(StdError::generic_err("nothing"));
            }
            let shares = Uint128::new(amount).multiply_ratio(supply, held); // FINDING
            SUPPLY.save(deps.storage, &(supply + shares))?;
            Ok(Response::new())
        }
        ExecuteMsg::More { amount } => {
            if amount <= Uint128::zero() {
                return Err(StdError::generic_err("nothing"));
            }
            let shares = amount.multiply_ratio(supply, held); // FINDING
            SUPPLY.save(deps.storage, &(supply + shares))?;
            Ok(Response::new())
        }
        ExecuteMsg::Tip { tip } => {
            let shares = (paid - tip).multiply_ratio(supply, held); // FINDING
            SUPPLY.save(deps.storage, &(supply + shares))?;
            Ok(Response::new())
        }
        ExecuteMsg::Fee {} => {
            let shares = (paid - Uint128::new(1_000)).multiply_ratio(supply, held);
            SUPPLY.save(deps.storage, &(supply + shares))?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};
use cw_utils::must_pay;

pub const SUPPLY: Item<Uint128> = Item::new("supply");
pub const SHARES: Map<&str, Uint128> = Map::new("shares");
pub enum ExecuteMsg { Deposit {} }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Deposit {} => deposit(deps, env, info),
    }
}

fn deposit(deps: DepsMut, env: Env, info: MessageInfo) -> StdResult<Response> {
    let paid = must_pay(&info, "uatom").map_err(|_| StdError::generic_err("payment"))?;
    let supply = SUPPLY.load(deps.storage)?;
    let held = deps.querier.query_balance(env.contract.address, "uatom")?.amount - paid;
    let shares = if supply.is_zero() {
        paid
    } else {
        paid.multiply_ratio(supply, held) // FINDING
    };
    SUPPLY.save(deps.storage, &(supply + shares))?;
    SHARES.update(deps.storage, info.sender.as_str(), |old| -> StdResult<_> { Ok(old.unwrap_or_default() + shares) })?;
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};
use cw_utils::must_pay;

pub const SUPPLY: Item<Uint128> = Item::new("supply");
pub const SHARES: Map<&Addr, Uint128> = Map::new("shares");
pub enum ExecuteMsg { Join {} }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Join {} => {
            let paid = must_pay(&info, "uatom").map_err(|_| StdError::generic_err("payment"))?;
            let supply = SUPPLY.load(deps.storage)?;
            let held = deps.querier.query_balance(&env.contract.address, "uatom")?.amount.checked_sub(paid)?;
            let shares = match supply.is_zero() {
                true => paid,
                false => paid.checked_mul(supply)?.checked_div(held)?, // FINDING
            };
            SUPPLY.save(deps.storage, &(supply + shares))?;
            SHARES.save(deps.storage, &info.sender, &shares)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Reply, Response, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct MsgMint { pub amount: Uint128 }
pub const SHARES: Map<&Addr, Uint128> = Map::new("shares");
pub const TOTAL: Item<Uint128> = Item::new("total");
pub struct InstantiateMsg { pub first: Uint128 }
pub enum ExecuteMsg { Deposit {} }

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, _info: MessageInfo, msg: InstantiateMsg) -> StdResult<Response> {
    TOTAL.save(deps.storage, &msg.first)?;
    Ok(Response::new().add_message(MsgMint { amount: msg.first }))
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let ExecuteMsg::Deposit {} = msg;
    let paid = info.funds[0].amount;
    let held = deps.querier.query_balance(env.contract.address, "uatom")?.amount.checked_sub(paid)?;
    let total = TOTAL.load(deps.storage)?;
    let shares = paid.multiply_ratio(total, held); // FINDING
    SHARES.update(deps.storage, &info.sender, |old| -> StdResult<_> { Ok(old.unwrap_or_default() + shares) })?;
    TOTAL.save(deps.storage, &(total + shares))?;
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{ensure, entry_point, to_json_binary, Addr, Deps, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128, WasmMsg};
use cw20::{Cw20ExecuteMsg, TokenInfoResponse};
use cw_storage_plus::{Item, Map};

pub struct Config { pub token: Addr, pub lent: Uint128 }
pub enum TokenQuery { TokenInfo }
pub const CONFIG: Item<Config> = Item::new("config");
pub const LENT: Item<Uint128> = Item::new("lent");
pub const SHARES: Map<&Addr, Uint128> = Map::new("shares");
pub const SUPPLY: Item<Uint128> = Item::new("supply");
pub enum ExecuteMsg { Deposit {}, Stake {}, Join {} }

fn mint(config: &Config, to: &Addr, amount: Uint128) -> StdResult<WasmMsg> {
    let msg = to_json_binary(&Cw20ExecuteMsg::Mint { recipient: to.to_string(), amount })?;
    Ok(WasmMsg::Execute { contract_addr: config.token.to_string(), msg, funds: vec![] })
}

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, info: MessageInfo, _msg: ExecuteMsg) -> StdResult<Response> {
    CONFIG.save(deps.storage, &Config { token: info.sender, lent: Uint128::zero() })?;
    Ok(Response::new())
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let config = CONFIG.load(deps.storage)?;
    let own = env.contract.address;
    match msg {
        ExecuteMsg::Deposit {} => {
            ensure!(Uint128::one() != info.funds[0].amount, StdError::generic_err("amount"));
            let paid = info.funds[0].amount;
            let held = deps.querier.query_balance(&own, "uatom")?.amount;
            let token: TokenInfoResponse = deps.querier.query_wasm_smart(&config.token, &TokenQuery::TokenInfo)?;
            let shares = paid.multiply_ratio(token.total_supply, held - paid); // FINDING
            Ok(Response::new().add_message(mint(&config, &info.sender, shares)?))
        }
        ExecuteMsg::Stake {} => {
            let paid = info.funds[0].amount;
            let held = deps.querier.query_balance(&own, "uatom")?.amount - paid;
            let supply = SUPPLY.load(deps.storage)?;
            // What is lent grows with the deposits: it is no offset.
            let shares = paid.multiply_ratio(supply, held + LENT.load(deps.storage)?); // FINDING
            SUPPLY.save(deps.storage, &(supply + shares))?;
            SHARES.save(deps.storage, &info.sender, &shares)?;
            Ok(Response::new())
        }
        ExecuteMsg::Join {} => {
            let paid = info.funds[0].amount;
            let supply = SUPPLY.load(deps.storage)?;
            let held = deps.querier.query_balance(&own, "uatom")?.amount - paid;
            let shares = paid.multiply_ratio(supply, vaults::total_assets(deps.storage, held)); // FINDING
            SUPPLY.save(deps.storage, &(supply + shares))?;
            SHARES.save(deps.storage, &info.sender, &shares)?;
            Ok(Response::new())
        }
    }
}`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, DepsMut, Env, MessageInfo, Reply, Response, StdResult, Uint128, WasmMsg};
use cw20::Cw20ExecuteMsg;
use cw_storage_plus::{Item, Map};

pub const TOKEN: Item<Addr> = Item::new("token");
pub const TOTAL: Item<Uint128> = Item::new("total");
pub enum ExecuteMsg { Deposit {} }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let ExecuteMsg::Deposit {} = msg;
    let paid = info.funds[0].amount;
    let held = deps.querier.query_balance(env.contract.address, "uatom")?.amount.checked_sub(paid)?;
    let total = TOTAL.load(deps.storage)?;
    let amount = paid.multiply_ratio(total, held); // FINDING
    TOTAL.save(deps.storage, &(total + amount))?;
    Ok(Response::new())
}

// The contract takes the first shares itself as soon as the token exists.
#[entry_point]
pub fn reply(deps: DepsMut, env: Env, _msg: Reply) -> StdResult<Response> {
    let amount = Uint128::new(1_000);
    TOTAL.save(deps.storage, &amount)?;
    let msg = to_json_binary(&Cw20ExecuteMsg::Mint { recipient: env.contract.address.to_string(), amount })?;
    Ok(Response::new().add_message(WasmMsg::Execute { contract_addr: TOKEN.load(deps.storage)?.to_string(), msg, funds: vec![] }))
}`,
    ],
    safe: [
      `use cosmwasm_std::{entry_point, Decimal, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Poll { pub yes: Uint128, pub passed: bool }
pub const QUORUM: Item<Decimal> = Item::new("quorum");
pub const POLLS: Map<u64, Poll> = Map::new("polls");
pub enum ExecuteMsg { Close { poll: u64 } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Close { poll } => {
            let mut record = POLLS.load(deps.storage, poll)?;
            let staked = deps.querier.query_balance(env.contract.address, "uatom")?.amount;
            record.passed = Decimal::from_ratio(record.yes, staked) > QUORUM.load(deps.storage)?;
            POLLS.save(deps.storage, poll, &record)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};
use cw_utils::must_pay;

pub const SUPPLY: Item<Uint128> = Item::new("supply");
pub const SHARES: Map<&str, Uint128> = Map::new("shares");
pub enum ExecuteMsg { Deposit {} }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Deposit {} => {
            let paid = must_pay(&info, "uatom").map_err(|_| StdError::generic_err("payment"))?;
            let supply = SUPPLY.load(deps.storage)?;
            let held = deps.querier.query_balance(env.contract.address, "uatom")?.amount - paid;
            let shares = paid.multiply_ratio(supply + Uint128::new(1_000), held + Uint128::one());
            SUPPLY.save(deps.storage, &(supply + shares))?;
            SHARES.save(deps.storage, info.sender.as_str(), &shares)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};
use cw_utils::must_pay;

pub struct Pool { pub supply: Uint128, pub assets: Uint128 }
pub const POOL: Item<Pool> = Item::new("pool");
pub const SHARES: Map<&str, Uint128> = Map::new("shares");
pub enum ExecuteMsg { Deposit {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Deposit {} => {
            let paid = must_pay(&info, "uatom").map_err(|_| StdError::generic_err("payment"))?;
            let mut pool = POOL.load(deps.storage)?;
            let shares = if pool.supply.is_zero() { paid } else { paid.multiply_ratio(pool.supply, pool.assets) };
            pool.supply += shares;
            pool.assets += paid;
            POOL.save(deps.storage, &pool)?;
            SHARES.save(deps.storage, info.sender.as_str(), &shares)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::Item;

pub struct Price { pub cumulative: Uint128, pub last: u64 }
pub const PRICE: Item<Price> = Item::new("price");
pub enum ExecuteMsg { Observe {} }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, _info: MessageInfo, _msg: ExecuteMsg) -> StdResult<Response> {
    let mut price = PRICE.load(deps.storage)?;
    let own = env.contract.address;
    let (x, y) = (deps.querier.query_balance(&own, "ua")?.amount, deps.querier.query_balance(&own, "ub")?.amount);
    let elapsed = Uint128::from(env.block.time.seconds() - price.last);
    price.cumulative = price.cumulative.checked_add(elapsed.multiply_ratio(y, x))?;
    price.last = env.block.time.seconds();
    PRICE.save(deps.storage, &price)?;
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, Decimal, DepsMut, Env, MessageInfo, Response, StdResult, Uint128, WasmMsg};
use cw20::Cw20ExecuteMsg;
use cw_storage_plus::{Item, Map};
use cw_utils::must_pay;

pub struct Poll { pub yes: Uint128, pub turnout: Decimal }
pub struct Config { pub token: Addr, pub reward: Uint128 }
pub const CONFIG: Item<Config> = Item::new("config");
pub const POLLS: Map<u64, Poll> = Map::new("polls");
pub const FEES: Item<Uint128> = Item::new("fees");
pub const TIERS: Map<u128, Uint128> = Map::new("tiers");
pub const POINTS: Map<&Addr, Uint128> = Map::new("points");
pub const LAST: Item<u64> = Item::new("last");
pub enum ExecuteMsg { Close { poll: u64 }, Swap {}, Tier {}, Wait {} }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let own = env.contract.address;
    let points = POINTS.load(deps.storage, &info.sender)?;
    let held = deps.querier.query_balance(&own, "uatom")?.amount;
    match msg {
        // The reward does not depend on the turnout.
        ExecuteMsg::Close { poll } => {
            let config = CONFIG.load(deps.storage)?;
            let mut record = POLLS.load(deps.storage, poll)?;
            record.turnout = Decimal::from_ratio(record.yes, held).floor();
            POLLS.save(deps.storage, poll, &record)?;
            let msg = to_json_binary(&Cw20ExecuteMsg::Mint { recipient: info.sender.to_string(), amount: config.reward })?;
            Ok(Response::new().add_message(WasmMsg::Execute { contract_addr: config.token.to_string(), msg, funds: vec![] }))
        }
        // The price of a trade, not of shares.
        ExecuteMsg::Swap {} => {
            let paid = must_pay(&info, "uatom")?;
            let other = deps.querier.query_balance(&own, "uusd")?.amount - FEES.load(deps.storage)?;
            let bought = paid.multiply_ratio(other, held);
            POINTS.save(deps.storage, &info.sender, &(points + bought))?;
            Ok(Response::new())
        }
        // By the time that has passed.
        ExecuteMsg::Wait {} => {
            let paid = must_pay(&info, "uatom")?;
            let waited = Uint128::from(env.block.time.seconds() - LAST.load(deps.storage)?);
            POINTS.save(deps.storage, &info.sender, &(points + paid.multiply_ratio(waited, held)))?;
            Ok(Response::new())
        }
        // By a table.
        ExecuteMsg::Tier {} => {
            let paid = must_pay(&info, "uatom")?;
            let more = paid.multiply_ratio(FEES.load(deps.storage)?, TIERS.load(deps.storage, held.u128())?);
            POINTS.save(deps.storage, &info.sender, &(points + more))?;
            Ok(Response::new())
        }
    }
}`,
    ],
  },
}

const quotientOf = ({ terms }: CosmWasmProgram, event: Event): Term | undefined =>
  event.kind === "operation" && event.right !== undefined
    ? terms.binary(event.operator, event.left.term, event.right.term)
    : undefined

const isMint = (event: Event): event is Event & { readonly kind: "struct" } =>
  event.kind === "struct" && event.value.term.kind === "struct" && /mint/i.test(event.value.term.path)

/** The contract creates the first shares itself during setup: nobody else comes first. */
const isSeeded = (entryPoints: ReadonlyArray<EntryPoint>): boolean =>
  entryPoints.some(({ kind, events }) => (kind === "instantiate" || kind === "reply") && events.some(isMint))

/**
 * Whether somebody receives these shares: they are added to a stored value, or minted. A quorum is a fraction as well.
 */
const isMinted = (handler: Handler, shares: Term): boolean => mintedIn(handler).has(shares)

const mintedIn = oncePer(({ events }: Handler): ReadonlySet<Term> => {
  const addends = [...everySubterm(storageWrites(events).map(({ value }) => value))].flatMap((one) => {
    if (one.kind === "binary") return one.operator === "+" ? [one.left, one.right] : []
    return one.kind === "call" && /(^|_)add$/.test(one.name) ? one.args : []
  })
  return everySubterm([...addends, ...events.flatMap((event) => (isMint(event) ? [event.value.term] : []))])
})

const isFixed = (term: Term): boolean => !mentions(term, (one) => one.kind === "parameter")

/** What is stored grows with the deposits. */
const isOffset = (term: Term): boolean => isFixed(term) && !mentions(term, (one) => storedPlace(one) !== undefined)

/** `assets + 1`: with a virtual offset, the first depositor cannot inflate the price. */
const hasOffset = (term: Term): boolean =>
  mentions(
    term,
    (one) =>
      (one.kind === "binary" && one.operator === "+" && (isOffset(one.left) || isOffset(one.right))) ||
      (one.kind === "call" && /(^|_)add$/.test(one.name) && one.args.slice(1).some(isOffset)),
  )

/** The number itself, or one computed from it; not what was looked up with it. */
const isMadeOf = (term: Term, accept: (term: Term) => boolean, depth = 0): boolean => {
  if (accept(term)) return true
  if (depth > 16) return false
  const parts =
    term.kind === "call" && term.path === "" && !computes.test(term.name) ? term.args.slice(0, 1) : subterms(term)
  return parts.some((one) => isMadeOf(one, accept, depth + 1))
}

const computes =
  /^(checked_|saturating_|wrapping_|full_)?(add|sub|mul|div|multiply_ratio)|^(try_)?(from|into)$|^(max|min|fold|mapped)$/

const isSupplyQuestion = (term: Term): boolean =>
  (term.kind === "struct" || term.kind === "constant") && /::(TokenInfo|Supply)$/.test(term.path)

const isSupply = (term: Term): boolean =>
  storedPlace(term) !== undefined ||
  (term.kind === "call" &&
    (/supply|token_info/.test(term.name) ||
      (term.name.startsWith("query") && term.args.some((one) => mentions(one, isSupplyQuestion)))))

/** A retained part of the first deposit, or a minimum deposit. */
const keepsMinimum = (entry: EntryPoint, handler: Handler): boolean => {
  const isPaid = (term: Term): boolean => mentions(term, (one) => one === entry.funds || one === entry.message)
  const bounded = handler.events.some(
    (event) =>
      event.kind === "check" &&
      event.conditions.some(
        (one) =>
          one.kind === "binary" &&
          (one.operator === "<" || one.operator === "<=") &&
          isFixed(one.left) &&
          !(one.left.kind === "literal" && one.left.value === "0") &&
          !(one.left.kind === "call" && one.left.name === "zero") &&
          isPaid(one.right),
      ),
  )
  const kept = handler.events.some(
    (event) =>
      (event.kind === "operation" &&
        event.operator === "-" &&
        event.right !== undefined &&
        isFixed(event.right.term) &&
        isPaid(event.left.term)) ||
      (event.kind === "call" &&
        /(^|_)sub$/.test(event.name) &&
        event.args[1] !== undefined &&
        isFixed(event.args[1].term) &&
        isPaid(event.args[0]!.term)),
  )
  return bounded || kept
}
