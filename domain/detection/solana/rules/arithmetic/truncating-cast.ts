import type { Rule } from "../../../Rule.ts"
import { guaranteed, ofKind } from "../../../rust/terms/events.ts"
import { anyFact, type Facts } from "../../../rust/terms/facts.ts"
import { mentions, type Term } from "../../../rust/terms/terms.ts"
import { integerBits, successType, type RustType } from "../../../rust/crate/types.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import type { Instruction, SolanaProgram } from "../../program/model.ts"
import {
  isAtMost,
  isBounded,
  isChosen,
  isConstant,
  isHeld,
  sizeFactsOf,
  literalValue,
  operandsOf,
  plain,
} from "../../questions/quantities.ts"

export const truncatingCast: Rule<SolanaProgram> = {
  meta: {
    id: "solana/arithmetic/truncating-cast",
    class: "unsafe-cast",
    title: "Lossy integer conversion of an amount",
    severity: "low",
    confidence: "medium",
    cwe: [681, 197],
    description:
      "A number from the caller or an account is converted with `as` to a type that cannot represent all of its " +
      "values, or a difference that may be negative is converted without checking its sign. `as` never fails: " +
      "an attacker chooses the value so that a large amount becomes a small one, or a loss becomes an enormous " +
      "gain.",
    remediation:
      "Use `u64::try_from(value)` or `try_into()` and return the error, or check the bounds (and the sign) before the cast.",
    references: [
      "https://doc.rust-lang.org/reference/expressions/operator-expr.html#semantics",
      "https://neodyme.io/en/blog/solana_common_pitfalls/",
    ],
  },
  check: (program, report) => {
    for (const { instructions } of program.crates)
      for (const instruction of instructions)
        for (const event of instruction.events) {
          if (event.kind === "operation" && event.operator === "as") {
            const value = event.left.term
            const what = lost(successType(event.left.type), event.type)
            if (what === undefined || reduces(instruction, value)) continue
            if (value.kind === "field" && /timestamp|slot|epoch|decimals|exponent|expo$|bump|nonce/.test(value.name))
              continue
            // An index or a length: it came from a type that is no wider.
            if (value.kind === "cast" && value.to === "usize") continue
            const chosen = isChosen(instruction, value)
            if (!chosen && !isHeld(value)) continue
            const facts = guaranteed(event)
            if (what === "sign" ? isNonNegative(facts, value) : isBounded(facts, value)) continue
            const difference = operandsOf(value, "sub")
            if (what === "sign" && difference !== undefined && isAtMost(facts, difference[1], difference[0])) continue
            report({
              ...placeOf(event),
              message: `The conversion drops the ${what}.`,
              ...(chosen ? {} : { confidence: "low" as const, severity: "low" as const }),
            })
          } else if (
            event.kind === "call" &&
            /^to_u(8|16|32|64|128|size)$/.test(event.name) &&
            event.target === undefined
          ) {
            const value = event.args[0]?.term
            const difference = value === undefined ? undefined : operandsOf(value, "sub")
            if (difference === undefined || difference.every((one) => isConstant(one))) continue
            const facts = guaranteed(event)
            if (isAtMost(facts, difference[1], difference[0]) || isNonNegative(facts, value!)) continue
            report({
              ...placeOf(event),
              message: "The difference may be negative.",
              confidence: "low",
              severity: "low",
            })
          }
        }
  },
  examples: {
    vulnerable: [
      `use anchor_lang::prelude::*;

#[program]
pub mod lend {
    use super::*;
    pub fn borrow(ctx: Context<Borrow>, amount: u64) -> Result<()> {
        ctx.accounts.loan.debt = amount as u32; // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Borrow<'info> {
    #[account(mut)]
    pub loan: Account<'info, Loan>,
}

#[account]
pub struct Loan { pub debt: u32 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod perp {
    use super::*;
    pub fn settle(ctx: Context<Settle>) -> Result<()> {
        let position = &mut ctx.accounts.position;
        position.paid = position.profit as u64; // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Settle<'info> {
    #[account(mut)]
    pub position: Account<'info, Position>,
}

#[account]
pub struct Position { pub profit: i64, pub paid: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod lend {
    use super::*;

    pub fn casts(ctx: Context<Change>, amount: u64, other: u64, wide: u128, signed: i64, index: u64) -> Result<()> {
        let pool = &mut ctx.accounts.pool;
        let none = amount ^ 7;
        pool.a = amount as u32; // FINDING
        pool.a = 5_000_000_000u64 as u32;
        pool.b = pool.last_slot as u32;
        pool.b = pool.bump_seed as u32;
        pool.a = (index as usize) as u32;
        pool.a = (pool.total as u32) + 1; // FINDING
        pool.a = helper::now() as u32;
        pool.c = signed as u64; // FINDING
        pool.c = (signed - pool.balance) as u64; // FINDING
        pool.c = (wide * 3 / 7) as u64;
        pool.c = (wide * u128::from(other) / 7) as u64; // FINDING
        pool.c = (u128::from(pool.total) * u128::from(pool.reserve) / 1_000) as u64; // FINDING
        pool.c = (u128::from(pool.total) * u128::from(pool.fee_bps) / 10_000) as u64;
        pool.c = (pool.wide * pool.small as u128 / 10_000) as u64;
        pool.c = (pool.wide * helper::part() / 10_000) as u64;
        pool.c = (pool.wide * pool.wide / pool.other_wide) as u64;
        pool.a = amount.min(9) as u32;
        pool.a = amount.pow(2) as u32; // FINDING
        pool.a = amount.isqrt() as u32;
        pool.a = (amount % 9) as u32;
        pool.a = (amount >> 9) as u32;
        pool.c = none;
        Ok(())
    }

    pub fn signs(ctx: Context<Change>, signed: i64, second: i64, third: i64, fifth: i64) -> Result<()> {
        let pool = &mut ctx.accounts.pool;
        require!(signed >= 0, ErrorCode::Sign);
        pool.c = signed as u64;
        require!(pool.balance <= second, ErrorCode::Sign);
        pool.c = (second - pool.balance) as u64;
        require!(third.is_positive(), ErrorCode::Sign);
        pool.c = third as u64;
        require!(fifth <= 1_000, ErrorCode::Sign);
        pool.c = fifth as u64; // FINDING
        Ok(())
    }

    pub fn odd(ctx: Context<Change>, signed: i64, second: i64) -> Result<()> {
        let pool = &mut ctx.accounts.pool;
        require!(signed.is_odd(), ErrorCode::Sign);
        pool.c = signed as u64; // FINDING
        Ok(())
    }

    pub fn positive(ctx: Context<Change>, signed: i64, second: i64) -> Result<()> {
        let pool = &mut ctx.accounts.pool;
        require!(second.is_positive(), ErrorCode::Sign);
        pool.c = signed as u64; // FINDING
        Ok(())
    }

    pub fn not_negative(ctx: Context<Change>, signed: i64) -> Result<()> {
        if signed.is_negative() {
            return err!(ErrorCode::Sign);
        }
        ctx.accounts.pool.c = signed as u64;
        Ok(())
    }

    pub fn not_odd(ctx: Context<Change>, signed: i64) -> Result<()> {
        if signed.is_odd() {
            return err!(ErrorCode::Sign);
        }
        ctx.accounts.pool.c = signed as u64; // FINDING
        Ok(())
    }

    pub fn decimals(ctx: Context<Change>, amount: i64, other: i64) -> Result<()> {
        let pool = &mut ctx.accounts.pool;
        pool.c = (pool.balance - amount).to_u64().unwrap(); // FINDING
        pool.c = amount.to_u64().unwrap();
        pool.c = (7 - 3).to_u64().unwrap();
        require!(other <= pool.balance, ErrorCode::Sign);
        pool.c = (pool.balance - other).to_u64().unwrap();
        require!(pool.first - pool.second >= 0, ErrorCode::Sign);
        pool.c = (pool.first - pool.second).to_u64().unwrap();
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Change<'info> {
    #[account(mut)]
    pub pool: Account<'info, Pool>,
}

#[account]
pub struct Pool {
    pub a: u32,
    pub b: u32,
    pub c: u64,
    pub last_slot: u64,
    pub bump_seed: u64,
    pub total: u64,
    pub reserve: u64,
    pub fee_bps: u64,
    pub small: u16,
    pub wide: u128,
    pub other_wide: u128,
    pub balance: i64,
    pub first: i64,
    pub second: i64,
}

#[error_code]
pub enum ErrorCode { Sign }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod lend {
    use super::*;

    pub fn repay(ctx: Context<Repay>, amount: u64, fee: u64) -> Result<()> {
        let loan = &mut ctx.accounts.loan;
        require!(fee <= amount, LoanError::Fee);
        // That the difference is positive does not make it small.
        loan.paid = (amount - fee) as u32; // FINDING
        loan.last = (amount as u128) as u32; // FINDING
        loan.share = (u128::from(amount) * u128::from(loan.total) / 1_000) as u64; // FINDING
        require!(0 != loan.balance, LoanError::Balance);
        loan.credit = loan.balance as u64; // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Repay<'info> {
    #[account(mut)]
    pub loan: Account<'info, Loan>,
}

#[account]
pub struct Loan {
    pub paid: u32,
    pub last: u32,
    pub share: u64,
    pub credit: u64,
    pub total: u64,
    pub balance: i64,
}

#[error_code]
pub enum LoanError {
    Fee,
    Balance,
}
`,
    ],
    safe: [
      `use anchor_lang::prelude::*;

#[program]
pub mod lend {
    use super::*;
    pub fn borrow(ctx: Context<Borrow>, amount: u64, limit: u64) -> Result<()> {
        ctx.accounts.loan.debt = u32::try_from(amount).map_err(|_| error!(ErrorCode::TooMuch))?;
        require!(limit <= u32::MAX as u64, ErrorCode::TooMuch);
        ctx.accounts.loan.limit = limit as u32;
        ctx.accounts.loan.wide = amount as u128;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Borrow<'info> {
    #[account(mut)]
    pub loan: Account<'info, Loan>,
}

#[account]
pub struct Loan { pub debt: u32, pub limit: u32, pub wide: u128 }

#[error_code]
pub enum ErrorCode { TooMuch }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod perp {
    use super::*;
    pub fn settle(ctx: Context<Settle>) -> Result<()> {
        let position = &mut ctx.accounts.position;
        if position.profit > 0 {
            position.paid = position.profit as u64;
        }
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Settle<'info> {
    #[account(mut)]
    pub position: Account<'info, Position>,
}

#[account]
pub struct Position { pub profit: i64, pub paid: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod lend {
    use super::*;

    pub fn accrue(ctx: Context<Accrue>, amount: Money) -> Result<()> {
        let loan = &mut ctx.accounts.loan;
        // Nobody chooses what the network counts.
        let height: u64 = network::height();
        loan.at = height as u32;
        loan.due = (loan.balance - amount).to_u64().unwrap_or(0);
        Ok(())
    }
}

#[derive(AnchorSerialize, AnchorDeserialize, Clone, Copy)]
pub struct Money {
    pub units: i64,
}

impl std::ops::Sub for Money {
    type Output = Money;

    fn sub(self, other: Money) -> Money {
        Money { units: self.units - other.units }
    }
}

impl Money {
    pub fn to_u64(self) -> Option<u64> {
        u64::try_from(self.units).ok()
    }
}

#[derive(Accounts)]
pub struct Accrue<'info> {
    #[account(mut)]
    pub loan: Account<'info, Loan>,
}

#[account]
pub struct Loan {
    pub at: u32,
    pub due: u64,
    pub balance: Money,
}
`,
    ],
  },
}

const isSigned = (type: RustType): boolean => type.kind === "named" && type.name.startsWith("i")

/** What a cast cannot represent; undefined if every value fits. */
const lost = (from: RustType, to: RustType): "high bits" | "sign" | undefined => {
  const [before, after] = [integerBits(from), integerBits(to)]
  if (before === undefined || after === undefined) return undefined
  if (after < before) return "high bits"
  return isSigned(from) && !isSigned(to) ? "sign" : undefined
}

/** An amount of 64 bits or more, unlike rates in basis points and decimals. */
const isWide = (instruction: Instruction, factor: Term): boolean => {
  if (!isChosen(instruction, factor) && !isHeld(factor)) return false
  const value = plain(factor)
  const cast = ofKind(instruction.events, "operation").find((event) => event.left.term === value)
  const narrow = cast?.kind === "operation" && (integerBits(successType(cast.left.type)) ?? 0) < 64
  return !narrow && !mentions(value, (one) => one.kind === "field" && /bps|basis|percent|decimals|fee/.test(one.name))
}

const reduces = (instruction: Instruction, term: Term): boolean => {
  const one = plain(term)
  const quotient = operandsOf(one, "div")
  const product = quotient !== undefined && isConstant(quotient[1]) ? operandsOf(quotient[0], "mul") : undefined
  // Amounts can be as large as the caller likes, whatever constant divides their product.
  if (product?.every((factor) => isWide(instruction, factor)) === true) return false
  if (one.kind === "binary") return /^(%|>>|&|\/)$/.test(one.operator)
  return (
    one.kind === "call" &&
    /^(min|clamp|abs|unsigned_abs|len|count|max|isqrt|sqrt|leading_zeros|trailing_zeros|checked_rem|checked_div|div_ceil|checked_ceil_div)$/.test(
      one.name,
    )
  )
}

const someIsAsked = anyFact(
  (fact) => fact.kind === "not" && fact.operand.kind === "call" && fact.operand.name === "is_negative",
)

const isNonNegative = (facts: Facts, term: Term): boolean => {
  const value = plain(term)
  if (someIsAsked(facts)) return true
  for (const fact of sizeFactsOf(facts, value)) {
    if (fact.kind === "binary" && (fact.operator === "<" || fact.operator === "<=") && plain(fact.right) === value)
      if ((literalValue(fact.left) ?? 0) >= 0) return true
    if (fact.kind === "call" && fact.name === "is_positive") return true
  }
  return false
}
