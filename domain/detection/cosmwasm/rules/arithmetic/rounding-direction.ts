import type { Rule } from "../../../Rule.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import { everySubterm, mentions, rootOf, type Term } from "../../../rust/terms/terms.ts"
import type { Event, Value } from "../../../rust/terms/events.ts"
import { isNamed } from "../../../rust/crate/types.ts"
import { isPresence } from "../../authority/authority.ts"
import type { CosmWasmProgram, OutgoingMessage, EntryPoint } from "../../program/model.ts"
import { paymentOf } from "../../questions/payments.ts"
import { outgoingMessages } from "../../questions/questions.ts"
import { ratioOf } from "../../questions/ratio.ts"
import { isComputedFrom, storedPlace } from "../../program/semantics.ts"
import { type StorageWrite, storageWrites } from "../../questions/storageWrites.ts"
import { Sums, summandsIn } from "../../questions/sums.ts"

export const roundingDirection: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/arithmetic/rounding-direction",
    class: "rounding-direction",
    title: "Amount owed by the user is rounded down",
    // Each message costs more gas than the unit that it saves, unless one unit is worth a lot.
    severity: "low",
    confidence: "medium",
    cwe: [682],
    description:
      "The user specifies the amount to receive, and the amount deducted from their record, or the fee for it, " +
      "is a fraction rounded down. For small amounts, the fraction is zero: an attacker withdraws in many small " +
      "steps, giving up less than they receive each time, until the share of others is gone.",
    remediation:
      "Round in favor of the contract: use `mul_ceil`, `checked_mul_ceil` or `div_ceil` for what the user owes, " +
      "and the floor for what they receive. Reject results of zero.",
    references: [
      "https://docs.rs/cosmwasm-std/latest/cosmwasm_std/struct.Uint128.html#method.mul_ceil",
      "https://docs.openzeppelin.com/contracts/5.x/erc4626",
    ],
  },
  check: (program, report) => {
    const binary = (operator: string, left: Term, right: Term): Term => program.terms.binary(operator, left, right)
    for (const { entryPoints } of program.crates) {
      const debts = debtPlaces(entryPoints)
      for (const entry of entryPoints) {
        if (entry.kind !== "execute") continue
        const isChosen = (term: Term): boolean => mentions(term, (one) => one === entry.message)
        for (const handler of entry.handlers) {
          const writes = storageWrites(handler.events)
          const written = new Sums(writes.map(({ value }) => value))
          const own = new Sums(
            writes.flatMap(({ key, value }) =>
              key !== undefined && mentions(key, (one) => one === entry.sender) ? [value] : [],
            ),
          )
          const owed = new Sums(writes.flatMap((one) => (debts.has(pathKey(one)) ? [one.value] : [])))
          const sent = outgoingMessages(handler.events)
          const paid = sent.flatMap(({ fields }) => [...fields.values()])
          // What goes to an account that the contract knows is divided, not charged.
          const isUsers = (one: OutgoingMessage): boolean => {
            const to = paymentOf(one)?.to
            return to !== undefined && mentions(to, (part) => part === entry.message || part === entry.sender)
          }
          const { differences: rests } = new Sums(sent.filter(isUsers).flatMap(({ fields }) => [...fields.values()]))
          const tested = everySubterm([...handler.facts].filter((fact) => !isPresence(fact)))
          for (const event of handler.events) {
            const floor = floorOf(event, binary)
            if (floor === undefined) continue
            const whole = wholeOf(event)
            // The rest goes to the user, so the fraction is a fee.
            if (!tested.has(floor) && rests.some((rest) => rest.whole === whole && rest.taken.has(floor)))
              report({
                ...placeOf(event),
                message: "The fee is rounded down, so many small amounts pay nothing.",
                confidence: "low",
              })
            if (owed.added.has(floor))
              report({
                ...placeOf(event),
                message: "The amount added to the debt is rounded down.",
              })
            const isOwed = own.contain(floor)
            const isMadeGood = written.toppedUp.has(floor) || written.leaveRestOf(floor, entry.message)
            if (!isOwed || isMadeGood) continue
            const above = ratioOf(event)?.numerators ?? [floor]
            // The payment is the requested amount, rather than something derived from the fraction.
            const isAsked = paid.some(
              (one) =>
                !mentions(one, (part) => part === floor) &&
                // The name of a pool, used for lookups, is not an amount.
                isComputedFrom(
                  one,
                  (part) =>
                    isChosen(part) &&
                    storedPlace(part) === undefined &&
                    above.some((numerator) => isComputedFrom(numerator, (inner) => inner === part)),
                ),
            )
            if (isAsked) report(placeOf(event))
          }
        }
      }
    }
  },
  examples: {
    vulnerable: [
      // What is added, counted or stored beside it does not round it up.
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Pool { pub cash: Uint128, pub shares: Uint128, pub fee: Uint128 }
pub struct Account { pub shares: Uint128, pub limit: Uint128, pub count: Uint128 }
pub const POOL: Item<Pool> = Item::new("pool");
pub const ACCOUNTS: Map<&Addr, Account> = Map::new("accounts");
pub enum ExecuteMsg { Plus { cash: Uint128 }, Added { cash: Uint128 }, Less { cash: Uint128 }, Limited { cash: Uint128, limit: Uint128 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let pool = POOL.load(deps.storage)?;
    let mut own = ACCOUNTS.load(deps.storage, &info.sender)?;
    let cash = match msg {
        ExecuteMsg::Plus { cash } => {
            own.shares = own.shares.checked_sub((cash * pool.shares + pool.fee) / pool.cash)?; // FINDING
            own.count = own.count + Uint128::one();
            ACCOUNTS.save(deps.storage, &info.sender, &own)?;
            cash
        }
        ExecuteMsg::Added { cash } => {
            own.shares = own.shares.checked_sub((cash * pool.shares).checked_add(pool.fee)? / pool.cash)?; // FINDING
            own.count = Uint128::one() + own.count;
            ACCOUNTS.save(deps.storage, &info.sender, &own)?;
            cash
        }
        ExecuteMsg::Less { cash } => {
            own.shares = own.shares.checked_sub((cash * pool.shares).checked_sub(pool.cash)? / pool.cash)?; // FINDING
            ACCOUNTS.save(deps.storage, &info.sender, &own)?;
            cash
        }
        ExecuteMsg::Limited { cash, limit } => {
            let burnt = cash.multiply_ratio(pool.shares, pool.cash); // FINDING
            own.shares = own.shares.checked_sub(burnt)?;
            own.limit = limit.checked_sub(burnt)?;
            ACCOUNTS.save(deps.storage, &info.sender, &own)?;
            cash
        }
    };
    Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(cash.u128(), "uusd") }))
}
`,
      `use cosmwasm_std::{coins, entry_point, BankMsg, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Pool { pub supply: Uint128, pub assets: Uint128 }
pub const POOL: Item<Pool> = Item::new("pool");
pub const SHARES: Map<&str, Uint128> = Map::new("shares");
pub enum ExecuteMsg { Withdraw { amount: Uint128 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Withdraw { amount } => {
            let pool = POOL.load(deps.storage)?;
            let burned = amount.multiply_ratio(pool.supply, pool.assets); // FINDING
            let left = SHARES.load(deps.storage, info.sender.as_str())?.checked_sub(burned)?;
            SHARES.save(deps.storage, info.sender.as_str(), &left)?;
            let pay = BankMsg::Send { to_address: info.sender.to_string(), amount: coins(amount.u128(), "uatom") };
            Ok(Response::new().add_message(pay))
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, BankMsg, Decimal, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub const RATE: Item<Decimal> = Item::new("rate");
pub const CREDIT: Map<&str, Uint128> = Map::new("credit");
pub enum ExecuteMsg { Borrow { amount: Uint128 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Borrow { amount } => {
            let rate = RATE.load(deps.storage)?;
            let used = amount * rate; // FINDING
            CREDIT.update(deps.storage, info.sender.as_str(), |old| -> StdResult<_> {
                Ok(old.unwrap_or_default() - used)
            })?;
            let pay = BankMsg::Send { to_address: info.sender.to_string(), amount: coins(amount.u128(), "uatom") };
            Ok(Response::new().add_message(pay))
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, BankMsg, Decimal, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Item;
use cw_utils::must_pay;

pub const FEE: Item<Decimal> = Item::new("fee");
pub enum ExecuteMsg { Exchange {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Exchange {} => {
            let paid = must_pay(&info, "uatom").map_err(|_| StdError::generic_err("payment"))?;
            let fee = paid.mul_floor(FEE.load(deps.storage)?); // FINDING
            let rest = paid.checked_sub(fee)?;
            let send = BankMsg::Send { to_address: info.sender.to_string(), amount: coins(rest.u128(), "uusd") };
            Ok(Response::new().add_message(send))
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, Decimal, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Loan { pub principal: Uint128, pub since: u64 }
pub const LOANS: Map<&Addr, Loan> = Map::new("loans");
pub const RATE: Item<Decimal> = Item::new("rate");
pub enum ExecuteMsg { Accrue {}, Borrow { amount: Uint128 } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let mut loan = LOANS.load(deps.storage, &info.sender)?;
    match msg {
        ExecuteMsg::Accrue {} => {
            let rate = RATE.load(deps.storage)? * Decimal::from_ratio(env.block.time.seconds() - loan.since, 31_536_000u64);
            loan.principal += loan.principal.mul_floor(rate); // FINDING
            loan.since = env.block.time.seconds();
            LOANS.save(deps.storage, &info.sender, &loan)?;
            Ok(Response::new())
        }
        ExecuteMsg::Borrow { amount } => {
            loan.principal += amount;
            LOANS.save(deps.storage, &info.sender, &loan)?;
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(amount.u128(), "uusd") }))
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, Decimal, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::{Item, Map};
use cw_utils::must_pay;

pub struct Pool { pub cash: Uint128, pub shares: Uint128, pub index: Uint128 }
pub const POOL: Item<Pool> = Item::new("pool");
pub const FEE: Item<Decimal> = Item::new("fee");
pub const SHARES: Map<&Addr, Uint128> = Map::new("shares");
pub const DEBTS: Map<&Addr, Uint128> = Map::new("debts");
pub enum ExecuteMsg { Redeem { cash: Uint128 }, Exchange {}, Borrow { amount: Uint128 }, Repay {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let pool = POOL.load(deps.storage)?;
    let to_address = info.sender.to_string();
    let amount = match msg {
        // Rounded down, and one less.
        ExecuteMsg::Redeem { cash } => {
            let burnt = cash.multiply_ratio(pool.shares, pool.cash); // FINDING
            let own = SHARES.load(deps.storage, &info.sender)?;
            SHARES.save(deps.storage, &info.sender, &own.checked_sub(burnt.saturating_sub(Uint128::one()))?)?;
            cash
        }
        ExecuteMsg::Exchange {} => {
            let paid = must_pay(&info, "uatom")?;
            let fee = FEE.load(deps.storage)? * paid; // FINDING
            paid.checked_sub(fee)?
        }
        ExecuteMsg::Borrow { amount } => {
            let debt = DEBTS.load(deps.storage, &info.sender)?;
            let more = amount.multiply_ratio(1_000_000u128, pool.index); // FINDING
            DEBTS.save(deps.storage, &info.sender, &debt.checked_add(more)?)?;
            amount
        }
        ExecuteMsg::Repay {} => {
            let debt = DEBTS.load(deps.storage, &info.sender)?;
            DEBTS.save(deps.storage, &info.sender, &debt.checked_sub(info.funds[0].amount)?)?;
            return Ok(Response::new());
        }
    };
    Ok(Response::new().add_message(BankMsg::Send { to_address, amount: coins(amount.u128(), "uusd") }))
}`,
      `use cosmwasm_std::{coins, entry_point, BankMsg, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Pool { pub rate: Uint128, pub span: Uint128 }
pub const POOL: Item<Pool> = Item::new("pool");
pub const DEBTS: Map<&Addr, Uint128> = Map::new("debts");
pub enum ExecuteMsg { Lend { amount: Uint128 }, Accrue {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let debt = DEBTS.load(deps.storage, &info.sender)?;
    match msg {
        ExecuteMsg::Lend { amount } => {
            DEBTS.save(deps.storage, &info.sender, &(debt + amount))?;
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(amount.u128(), "uusd") }))
        }
        ExecuteMsg::Accrue {} => {
            let pool = POOL.load(deps.storage)?;
            let interest = pool.rate / pool.span; // FINDING
            DEBTS.save(deps.storage, &info.sender, &(debt + interest))?;
            Ok(Response::new())
        }
    }
}
`,
    ],
    safe: [
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, Decimal, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Loan { pub owed: Decimal }
pub const INDEX: Item<Decimal> = Item::new("index");
pub const LOANS: Map<&Addr, Loan> = Map::new("loans");
pub enum ExecuteMsg { Borrow { amount: Uint128 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let ExecuteMsg::Borrow { amount } = msg;
    let mut loan = LOANS.load(deps.storage, &info.sender)?;
    let whole: Decimal = Decimal::from_ratio(amount, 1u128);
    loan.owed = loan.owed + whole.checked_div(INDEX.load(deps.storage)?)?;
    LOANS.save(deps.storage, &info.sender, &loan)?;
    Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(amount.u128(), "uatom") }))
}
`,
      // Rounded up, or made good, in the other order.
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Pool { pub cash: Uint128, pub shares: Uint128 }
pub struct Account { pub shares: Uint128, pub free: Uint128 }
pub const POOL: Item<Pool> = Item::new("pool");
pub const ACCOUNTS: Map<&Addr, Account> = Map::new("accounts");
pub enum ExecuteMsg { Plus { cash: Uint128 }, Added { cash: Uint128 }, One { cash: Uint128 }, Least { cash: Uint128 }, Other { cash: Uint128 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let pool = POOL.load(deps.storage)?;
    let mut own = ACCOUNTS.load(deps.storage, &info.sender)?;
    let cash = match msg {
        ExecuteMsg::Plus { cash } => {
            own.shares = own.shares.checked_sub((pool.cash + cash * pool.shares) / pool.cash)?;
            ACCOUNTS.save(deps.storage, &info.sender, &own)?;
            cash
        }
        ExecuteMsg::Added { cash } => {
            own.shares = own.shares.checked_sub((cash * pool.shares).checked_add(pool.cash)? / pool.cash)?;
            ACCOUNTS.save(deps.storage, &info.sender, &own)?;
            cash
        }
        ExecuteMsg::One { cash } => {
            let burnt = Uint128::one() + cash.multiply_ratio(pool.shares, pool.cash);
            own.shares = own.shares.checked_sub(burnt)?;
            ACCOUNTS.save(deps.storage, &info.sender, &own)?;
            cash
        }
        ExecuteMsg::Least { cash } => {
            let burnt = std::cmp::max(cash.multiply_ratio(pool.shares, pool.cash).u128(), 1u128);
            own.shares = own.shares.checked_sub(Uint128::from(burnt))?;
            ACCOUNTS.save(deps.storage, &info.sender, &own)?;
            cash
        }
        ExecuteMsg::Other { cash } => {
            let part = cash.multiply_ratio(pool.shares, pool.cash);
            own.shares = own.shares - part;
            own.free = own.free - (cash - part);
            ACCOUNTS.save(deps.storage, &info.sender, &own)?;
            cash
        }
    };
    Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(cash.u128(), "uusd") }))
}
`,
      `use cosmwasm_std::{coins, entry_point, BankMsg, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Pool { pub supply: Uint128, pub assets: Uint128 }
pub const POOL: Item<Pool> = Item::new("pool");
pub const SHARES: Map<&str, Uint128> = Map::new("shares");
pub enum ExecuteMsg { Withdraw { amount: Uint128 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Withdraw { amount } => {
            let pool = POOL.load(deps.storage)?;
            let burned = amount.mul_ceil((pool.supply, pool.assets));
            let left = SHARES.load(deps.storage, info.sender.as_str())?.checked_sub(burned)?;
            SHARES.save(deps.storage, info.sender.as_str(), &left)?;
            let pay = BankMsg::Send { to_address: info.sender.to_string(), amount: coins(amount.u128(), "uatom") };
            Ok(Response::new().add_message(pay))
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, BankMsg, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Pool { pub supply: Uint128, pub assets: Uint128 }
pub const POOL: Item<Pool> = Item::new("pool");
pub const SHARES: Map<&str, Uint128> = Map::new("shares");
pub enum ExecuteMsg { Redeem { shares: Uint128 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Redeem { shares } => {
            let pool = POOL.load(deps.storage)?;
            let paid = shares.multiply_ratio(pool.assets, pool.supply);
            let left = SHARES.load(deps.storage, info.sender.as_str())?.checked_sub(shares)?;
            SHARES.save(deps.storage, info.sender.as_str(), &left)?;
            let pay = BankMsg::Send { to_address: info.sender.to_string(), amount: coins(paid.u128(), "uatom") };
            Ok(Response::new().add_message(pay))
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, BankMsg, Decimal, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Item;
use cw_utils::must_pay;

pub const FEE: Item<Decimal> = Item::new("fee");
pub enum ExecuteMsg { Exchange {}, Trade {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let paid = must_pay(&info, "uatom").map_err(|_| StdError::generic_err("payment"))?;
    let rate = FEE.load(deps.storage)?;
    let fee = match msg {
        ExecuteMsg::Exchange {} => paid.mul_ceil(rate),
        ExecuteMsg::Trade {} => {
            let fee = paid.mul_floor(rate);
            if fee.is_zero() {
                return Err(StdError::generic_err("too small"));
            }
            fee
        }
    };
    let send = BankMsg::Send { to_address: info.sender.to_string(), amount: coins(paid.checked_sub(fee)?.u128(), "uusd") };
    Ok(Response::new().add_message(send))
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Pool { pub cash: Uint128, pub shares: Uint128 }
pub const POOL: Item<Pool> = Item::new("pool");
pub const SHARES: Map<&Addr, Uint128> = Map::new("shares");
pub enum ExecuteMsg { Redeem { cash: Uint128 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let ExecuteMsg::Redeem { cash } = msg;
    let pool = POOL.load(deps.storage)?;
    let burnt = (cash * pool.shares + pool.cash - Uint128::one()) / pool.cash;
    let own = SHARES.load(deps.storage, &info.sender)?;
    SHARES.save(deps.storage, &info.sender, &own.checked_sub(burnt)?)?;
    Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(cash.u128(), "uusd") }))
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Pool { pub cash: Uint128, pub shares: Uint128 }
pub const POOL: Item<Pool> = Item::new("pool");
pub const SHARES: Map<&Addr, Uint128> = Map::new("shares");
pub enum ExecuteMsg { Redeem { cash: Uint128 }, Refund { cash: Uint128 } }

impl Pool {
    fn shares_of(&self, cash: Uint128) -> Uint128 { cash.multiply_ratio(self.shares, self.cash) }
    fn cash_of(&self, shares: Uint128) -> Uint128 { shares.multiply_ratio(self.cash, self.shares) }
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let pool = POOL.load(deps.storage)?;
    let own = SHARES.load(deps.storage, &info.sender)?;
    let cash = match msg {
        ExecuteMsg::Redeem { cash } => {
            let mut burnt = pool.shares_of(cash);
            if pool.cash_of(burnt) < cash {
                burnt += Uint128::new(1);
            }
            SHARES.save(deps.storage, &info.sender, &own.checked_sub(burnt)?)?;
            cash
        }
        ExecuteMsg::Refund { cash } => {
            let burnt = pool.shares_of(cash).checked_add(Uint128::one())?;
            SHARES.save(deps.storage, &info.sender, &own.checked_sub(burnt)?)?;
            cash
        }
    };
    Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(cash.u128(), "uusd") }))
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::Map;

pub struct Stake { pub bonded: Uint128, pub free: Uint128 }
pub const STAKES: Map<&Addr, Stake> = Map::new("stakes");
pub enum ExecuteMsg { Withdraw { amount: Uint128 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let ExecuteMsg::Withdraw { amount } = msg;
    let mut stake = STAKES.load(deps.storage, &info.sender)?;
    let from_bonded = amount.multiply_ratio(stake.bonded, stake.bonded + stake.free);
    let from_free = amount.checked_sub(from_bonded)?;
    stake.bonded = stake.bonded.checked_sub(from_bonded)?;
    stake.free = stake.free.checked_sub(from_free)?;
    STAKES.save(deps.storage, &info.sender, &stake)?;
    Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(amount.u128(), "uusd") }))
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, DepsMut, Env, MessageInfo, Response, StdResult, Uint128, WasmMsg};
use cw20::Cw20ExecuteMsg;
use cw_storage_plus::{Item, Map};

pub struct Farm { pub index: Uint128, pub bonded: Uint128 }
pub struct Stake { pub bonded: Uint128, pub index: Uint128, pub reward: Uint128 }
pub const FARMS: Map<&str, Farm> = Map::new("farms");
pub const STAKES: Map<(&str, &Addr), Stake> = Map::new("stakes");
pub const SHARES: Map<&Addr, Uint128> = Map::new("shares");
pub const SUPPLY: Item<Uint128> = Item::new("supply");
pub enum ExecuteMsg { Unbond { token: String, amount: Uint128 }, Join {} }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Unbond { token, amount } => {
            let farm = FARMS.load(deps.storage, &token)?;
            let mut stake = STAKES.load(deps.storage, (&token, &info.sender))?;
            let held = deps.querier.query_balance(&token, "uatom")?.amount;
            stake.reward += stake.bonded.multiply_ratio(farm.index - stake.index, held + amount);
            stake.index = farm.index;
            stake.bonded = stake.bonded.checked_sub(amount)?;
            STAKES.save(deps.storage, (&token, &info.sender), &stake)?;
            let msg = to_json_binary(&Cw20ExecuteMsg::Transfer { recipient: info.sender.to_string(), amount })?;
            Ok(Response::new().add_message(WasmMsg::Execute { contract_addr: token, msg, funds: vec![] }))
        }
        ExecuteMsg::Join {} => {
            let paid = info.funds[0].amount;
            let held = deps.querier.query_balance(&env.contract.address, "uatom")?.amount;
            let supply = SUPPLY.load(deps.storage)?;
            let shares = paid.multiply_ratio(supply + Uint128::new(1000), held.checked_sub(paid)? + Uint128::one());
            SHARES.update(deps.storage, &info.sender, |old| -> StdResult<_> { Ok(old.unwrap_or_default() + shares) })?;
            SUPPLY.save(deps.storage, &(supply + shares))?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, Decimal, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::{Item, Map};
use cw_utils::must_pay;

pub struct Pool { pub cash: Uint128, pub shares: Uint128, pub lent: Uint128, pub rate: Uint128 }
pub struct Pair { pub first: Addr, pub second: Addr, pub weight: Uint128, pub total: Uint128 }
pub const POOL: Item<Pool> = Item::new("pool");
pub const PAIR: Item<Pair> = Item::new("pair");
pub const FEE: Item<Decimal> = Item::new("fee");
pub const SHARES: Map<&Addr, Uint128> = Map::new("shares");
pub const DEBTS: Map<&Addr, Uint128> = Map::new("debts");
pub const COUPONS: Map<u64, Uint128> = Map::new("coupons");
pub enum ExecuteMsg { Redeem { cash: Uint128 }, Coupon { id: u64 }, Lend { amount: Uint128 }, Accrue {}, Split {}, Halve {} }
pub enum SudoMsg { Tax { amount: Uint128, to: String } }

fn pay(to: &Addr, amount: Uint128) -> BankMsg {
    BankMsg::Send { to_address: to.to_string(), amount: coins(amount.u128(), "uusd") }
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let mut pool = POOL.load(deps.storage)?;
    let pair = PAIR.load(deps.storage)?;
    let own = SHARES.load(deps.storage, &info.sender)?;
    match msg {
        // Pays what the burnt shares are worth.
        ExecuteMsg::Redeem { cash } => {
            let burnt = cash.multiply_ratio(pool.shares, pool.cash);
            SHARES.save(deps.storage, &info.sender, &own.checked_sub(burnt)?)?;
            Ok(Response::new().add_message(pay(&info.sender, burnt.multiply_ratio(pool.cash, pool.shares))))
        }
        // Nobody can choose an amount that rounds well.
        ExecuteMsg::Coupon { id } => {
            let cash = COUPONS.load(deps.storage, id)?;
            let burnt = cash.multiply_ratio(pool.shares, pool.cash);
            SHARES.save(deps.storage, &info.sender, &own.checked_sub(burnt)?)?;
            Ok(Response::new().add_message(pay(&info.sender, cash)))
        }
        ExecuteMsg::Lend { amount } => {
            pool.lent += amount;
            POOL.save(deps.storage, &pool)?;
            let debt = DEBTS.load(deps.storage, &info.sender)?;
            DEBTS.save(deps.storage, &info.sender, &(debt + amount))?;
            Ok(Response::new().add_message(pay(&info.sender, amount)))
        }
        // Nobody owes the total.
        ExecuteMsg::Accrue {} => {
            let debt = DEBTS.load(deps.storage, &info.sender)?;
            let interest = debt.multiply_ratio(pool.rate, 10_000u128);
            pool.lent += interest;
            POOL.save(deps.storage, &pool)?;
            DEBTS.save(deps.storage, &info.sender, &(debt + rounding::up(interest)))?;
            Ok(Response::new())
        }
        ExecuteMsg::Split {} => {
            let paid = must_pay(&info, "uusd")?;
            let first = paid.multiply_ratio(pair.weight, pair.total);
            Ok(Response::new().add_message(pay(&pair.first, first)).add_message(pay(&pair.second, paid - first)))
        }
        ExecuteMsg::Halve {} => {
            let paid = must_pay(&info, "uusd")?;
            let half = paid / Uint128::new(2);
            Ok(Response::new().add_message(pay(&pair.first, half)).add_message(pay(&pair.second, paid - half)))
        }
    }
}

#[entry_point]
pub fn sudo(deps: DepsMut, _env: Env, msg: SudoMsg) -> StdResult<Response> {
    let SudoMsg::Tax { amount, to } = msg;
    let tax = amount.mul_floor(FEE.load(deps.storage)?);
    Ok(Response::new().add_message(pay(&deps.api.addr_validate(&to)?, amount - tax)))
}`,
      `use cosmwasm_std::{coins, entry_point, BankMsg, Decimal, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Pool { pub rate: Decimal, pub span: Decimal }
pub const POOL: Item<Pool> = Item::new("pool");
pub const DEBTS: Map<&Addr, Decimal> = Map::new("debts");
pub enum ExecuteMsg { Lend { amount: Uint128 }, Accrue {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let debt = DEBTS.load(deps.storage, &info.sender)?;
    match msg {
        ExecuteMsg::Lend { amount } => {
            DEBTS.save(deps.storage, &info.sender, &(debt + amount))?;
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(amount.u128(), "uusd") }))
        }
        // A decimal keeps what a whole number would lose.
        ExecuteMsg::Accrue {} => {
            let pool = POOL.load(deps.storage)?;
            let interest = pool.rate / pool.span;
            DEBTS.save(deps.storage, &info.sender, &(debt + interest))?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, Decimal, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::Item;

pub struct Config { pub fund: Addr, pub treasury: Addr, pub share: Decimal }
pub const CONFIG: Item<Config> = Item::new("config");
pub enum ExecuteMsg { Distribute { amount: Uint128 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Distribute { amount } => {
            let config = CONFIG.load(deps.storage)?;
            let share = amount * config.share;
            let rest = amount.checked_sub(share)?;
            Ok(Response::new()
                .add_message(BankMsg::Send { to_address: config.fund.into(), amount: coins(share.u128(), "ujuno") })
                .add_message(BankMsg::Send { to_address: config.treasury.into(), amount: coins(rest.u128(), "ujuno") }))
        }
    }
}
`,
    ],
  },
}

/** `(a * b + c - 1) / c` */
const isRoundedUp = (numerator: Term, denominator: Term): boolean =>
  mentions(
    numerator,
    (one) =>
      (one.kind === "binary" && one.operator === "+" && (one.left === denominator || one.right === denominator)) ||
      (one.kind === "call" && /(^|_)add$/.test(one.name) && one.args.includes(denominator)),
  )

const isDecimal = ({ type }: Value): boolean => isNamed(type, "Decimal", "Decimal256")

/** What is computed of a decimal is one: a quintillionth of a unit is lost. */
const isRate = (event: Event): boolean => {
  if (event.kind === "operation") return event.operator !== "*" && isDecimal(event.left)
  return event.kind === "call" && event.args[0] !== undefined && isDecimal(event.args[0])
}

/** A product or fraction that is rounded down, or undefined. */
const floorOf = (event: Event, binary: (operator: string, left: Term, right: Term) => Term): Term | undefined => {
  if (isRate(event)) return undefined
  if (event.kind === "operation" && event.right !== undefined) {
    const isScaled = isDecimal(event.left) !== isDecimal(event.right)
    const isFloor =
      event.operator === "/" ? !isRoundedUp(event.left.term, event.right.term) : event.operator === "*" && isScaled
    return isFloor ? binary(event.operator, event.left.term, event.right.term) : undefined
  }
  if (event.kind !== "call" || /ceil|from_ratio/.test(event.name)) return undefined
  return ratioOf(event) !== undefined || /^(checked_)?mul_floor$/.test(event.name) ? event.result.term : undefined
}

const pathKey = ({ container, path }: StorageWrite): string => `${container.id}:${path}`

/** The parts of the message that a term is made of. */
const asked = (term: Term, message: Term | undefined): ReadonlySet<Term> => {
  const found = new Set<Term>()
  mentions(term, (one) => {
    if (rootOf(one) === message) found.add(one)
    return false
  })
  return found
}

/** Records that grow by what the contract pays out on demand, or shrink by what is paid in: debts. */
const debtPlaces = (entryPoints: ReadonlyArray<EntryPoint>): ReadonlySet<string> => {
  const places = new Set<string>()
  for (const { handlers, message, funds } of entryPoints) {
    for (const { events } of handlers) {
      const paid = new Set(
        outgoingMessages(events).flatMap(({ fields }) =>
          [...fields.values()].flatMap((one) => [...asked(one, message)]),
        ),
      )
      for (const write of storageWrites(events)) {
        const isOwn = (one: Term): boolean => storedPlace(one)?.container === write.container
        const grows = mentions(
          write.value,
          (part) => summandsIn(part).some((one) => paid.has(one)) && mentions(part, isOwn),
        )
        // Derived from the numerator, not from the divisor.
        const shrinks =
          funds !== undefined &&
          new Sums([write.value]).differences.some(({ whole, taken }) => taken.has(funds) && mentions(whole, isOwn))
        if (write.key !== undefined && (grows || shrinks)) places.add(pathKey(write))
      }
    }
  }
  return places
}

/** What a decimal fraction is taken of: `amount` in `amount * rate` and `amount.mul_floor(rate)`. */
const wholeOf = (event: Event): Term | undefined => {
  if (event.kind === "call") return /^(checked_)?mul_floor$/.test(event.name) ? event.args[0]?.term : undefined
  if (event.kind !== "operation" || event.operator !== "*" || event.right === undefined) return undefined
  return isDecimal(event.left) ? event.right.term : event.left.term
}
