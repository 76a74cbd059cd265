import type { Rule } from "../../../Rule.ts"
import { mentions, type Term } from "../../../rust/terms/terms.ts"
import { isNamed, successType } from "../../../rust/crate/types.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import type { CosmWasmProgram } from "../../program/model.ts"

interface Quotient {
  readonly numerator: Term
  readonly divisor: Term
}

export const divisionBeforeMultiplication: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/arithmetic/division-before-multiplication",
    class: "division-before-multiplication",
    title: "Integer division before multiplication",
    severity: "low",
    confidence: "medium",
    cwe: [682],
    description:
      "The quotient of two integers loses its fraction, and the loss is multiplied afterwards: `amount / total " +
      "* rewards` is zero for everyone who has less than the total. Users receive too little or, if it is a fee " +
      "or a debt, pay too little, and an attacker picks the amounts for which the loss is largest.",
    remediation:
      "Multiply first: `amount.multiply_ratio(rewards, total)` does this with an intermediate result of twice " +
      "the width, so it does not overflow.",
    references: ["https://docs.rs/cosmwasm-std/latest/cosmwasm_std/struct.Uint128.html#method.multiply_ratio"],
  },
  check: (program, report) => {
    for (const event of program.events()) {
      const isProduct =
        (event.kind === "operation" && event.operator === "*") ||
        (event.kind === "call" &&
          event.method &&
          event.target === undefined &&
          /^(checked_|saturating_|wrapping_)?(mul|multiply_ratio)$/.test(event.name))
      if (!isProduct) continue
      const operands =
        event.kind === "operation"
          ? [event.left, ...(event.right === undefined ? [] : [event.right])]
          : event.args.slice(0, 2)
      // Decimals have 18 fractional digits.
      if (
        operands.some(({ type }) =>
          isNamed(successType(type), "Decimal", "Decimal256", "SignedDecimal", "SignedDecimal256"),
        )
      )
        continue
      const isLossy = operands.some(({ term }, index) => {
        const quotient = quotientOf(term)
        // A numerator that was scaled first keeps its digits.
        if (quotient === undefined || isTime(quotient.numerator) || isProductTerm(quotient.numerator)) return false
        // The author of two constants knew their quotient.
        if (isFixed(quotient.numerator) && isFixed(quotient.divisor)) return false
        if (isDecimal(quotient.numerator) || isDecimal(quotient.divisor)) return false
        // Rounding down to a multiple of the divisor is the purpose.
        return operands[1 - index]?.term !== quotient.divisor
      })
      if (isLossy) report(placeOf(event))
    }
  },
  examples: {
    vulnerable: [
      `use cosmwasm_std::{entry_point, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Pool { pub total: Uint128, pub rewards: Uint128 }
pub const POOL: Item<Pool> = Item::new("pool");
pub const STAKES: Map<&str, Uint128> = Map::new("stakes");
pub const DUE: Map<&str, Uint128> = Map::new("due");
pub enum ExecuteMsg { Settle {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Settle {} => {
            let pool = POOL.load(deps.storage)?;
            let stake = STAKES.load(deps.storage, info.sender.as_str())?;
            let due = stake / pool.total * pool.rewards; // FINDING
            DUE.save(deps.storage, info.sender.as_str(), &due)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{StdResult, Uint128};

pub fn fee(amount: Uint128, rate: Uint128) -> StdResult<Uint128> {
    let part = amount.checked_div(Uint128::new(10_000))?;
    Ok(part.checked_mul(rate)?) // FINDING
}
`,
      `use cosmwasm_std::{entry_point, Decimal, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Pool { pub total: u128, pub rewards: u128, pub time: u128, pub height: u128, pub last: u64 }
pub const POOL: Item<Pool> = Item::new("pool");
pub const DUE: Map<&str, Vec<u128>> = Map::new("due");
pub const DAY: u128 = 86_400;
pub const PART: u128 = 7;
pub enum ExecuteMsg { Settle { stake: u128 } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let ExecuteMsg::Settle { stake } = msg;
    let pool = POOL.load(deps.storage)?;
    let part = stake / pool.total;
    let due = vec![
        part * pool.rewards, // FINDING
        pool.rewards * part, // FINDING
        part.checked_mul(pool.rewards).unwrap(), // FINDING
        math::mul(part, pool.rewards),
        (part as u128) * pool.rewards, // FINDING
        stake.checked_div(pool.total).unwrap() * pool.rewards, // FINDING
        math::div(stake, pool.total) * pool.rewards,
        stake.isqrt() * pool.rewards,
        (DAY / PART) * stake,
        (100 / PART) * stake,
        (100u8 as u128 / PART) * stake,
        (stake as u128 / PART) * pool.rewards, // FINDING
        (100 / pool.total) * stake, // FINDING
        (stake / 100) * pool.rewards, // FINDING
        (stake * 1_000 / pool.total) * pool.rewards,
        (stake.checked_mul(1_000).unwrap() / pool.total) * pool.rewards,
        ((stake * 1_000) as u128 / pool.total) * pool.rewards,
        (stake.pow(2) / pool.total) * pool.rewards, // FINDING
        (stake / PART) * PART,
        ((env.block.time.seconds() - pool.last) / 60) as u128 * pool.rewards,
        ((env.block.height - pool.last) / 60) as u128 * pool.rewards,
        (pool.time / 60) * pool.rewards, // FINDING
        (pool.height / 60) * pool.rewards, // FINDING
        (pool.last.nanos() / 60) * pool.rewards,
    ];
    let rate = Decimal::from_ratio(stake, pool.total);
    let scaled = (rate / Decimal::from_ratio(1u128, 3u128)) * rate;
    let whole = (stake / rate) * rate;
    DUE.save(deps.storage, info.sender.as_str(), &due)?;
    Ok(Response::new().add_attribute("scaled", scaled.to_string()).add_attribute("whole", whole.to_string()))
}
`,
    ],
    safe: [
      `use cosmwasm_std::{entry_point, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Pool { pub total: Uint128, pub rewards: Uint128 }
pub const POOL: Item<Pool> = Item::new("pool");
pub const STAKES: Map<&str, Uint128> = Map::new("stakes");
pub const DUE: Map<&str, Uint128> = Map::new("due");
pub enum ExecuteMsg { Settle {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Settle {} => {
            let pool = POOL.load(deps.storage)?;
            let stake = STAKES.load(deps.storage, info.sender.as_str())?;
            let due = stake * pool.rewards / pool.total;
            DUE.save(deps.storage, info.sender.as_str(), &due.multiply_ratio(1u128, 2u128))?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{Decimal, Env, StdResult, Uint128};

const WEEK: u64 = 604_800;
const LONGEST: u64 = 104 * 604_800;

pub fn slope(weeks: u64) -> Decimal {
    Decimal::from_ratio(90 * weeks, LONGEST / WEEK * 10)
}

pub fn week_start(env: &Env) -> u64 {
    env.block.time.seconds() / WEEK * WEEK
}

pub fn share(amount: Uint128, part: Decimal, whole: Decimal) -> StdResult<Uint128> {
    let ratio = part / whole;
    Ok(amount.mul_floor(ratio * Decimal::percent(50)))
}
`,
      // A number with nine decimals of its own keeps what the division leaves.
      `pub const SCALE: u128 = 1_000_000_000;

#[derive(Clone, Copy)]
pub struct Fixed(pub u128);

impl Fixed {
    pub fn div(self, by: Fixed) -> Fixed { Fixed(self.0 * SCALE / by.0) }
    pub fn mul(self, by: Fixed) -> Fixed { Fixed(self.0 * by.0 / SCALE) }
}

pub fn share(total: Fixed, holders: Fixed, weight: Fixed) -> Fixed {
    total.div(holders).mul(weight)
}`,
    ],
  },
}

/** `a / b` of whole numbers; `checked_div` and the like. */
const quotientOf = (term: Term, depth = 0): Quotient | undefined => {
  if (term.kind === "binary" && term.operator === "/") return { numerator: term.left, divisor: term.right }
  if (
    term.kind === "call" &&
    term.path === "" &&
    /^(checked_|saturating_|wrapping_)?div(_floor|_euclid)?$/.test(term.name)
  ) {
    const [numerator, divisor] = term.args
    return numerator === undefined || divisor === undefined ? undefined : { numerator, divisor }
  }
  if (term.kind === "cast" && depth < 4) return quotientOf(term.value, depth + 1)
  return undefined
}

const isFixed = (term: Term): boolean =>
  term.kind === "literal" || term.kind === "constant" || (term.kind === "cast" && isFixed(term.value))

const isProductTerm = (term: Term): boolean =>
  (term.kind === "binary" && term.operator === "*") ||
  (term.kind === "call" && /^(checked_|saturating_|full_|wrapping_)?mul$/.test(term.name)) ||
  (term.kind === "cast" && isProductTerm(term.value))

/** Created by `Decimal::one()`, `Decimal::from_ratio(…)` and the like. */
const isDecimal = (term: Term): boolean =>
  mentions(term, (one) => one.kind === "call" && /(^|::)(Signed)?Decimal(256)?::\w+$/.test(one.path))

const isTime = (term: Term): boolean =>
  mentions(
    term,
    (one) =>
      (one.kind === "call" && /^(seconds|nanos|minutes|hours|days)$/.test(one.name)) ||
      (one.kind === "field" &&
        (one.name === "height" || one.name === "time") &&
        one.base.kind === "field" &&
        one.base.name === "block"),
  )
