import type { Rule } from "../../../Rule.ts"
import type { Term } from "../../../rust/terms/terms.ts"
import type { FunctionDefinition } from "../../../rust/crate/crate.ts"
import type { Resolver } from "../../../rust/crate/resolve.ts"
import { definitionOf, isInteger, resolveType, selfTypeOf, successType } from "../../../rust/crate/types.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import type { SolanaProgram } from "../../program/model.ts"
import { isConstant, operandsOf, plain } from "../../questions/quantities.ts"

export const divisionBeforeMultiplication: Rule<SolanaProgram> = {
  meta: {
    id: "solana/arithmetic/division-before-multiplication",
    class: "precision-loss",
    title: "Division before multiplication",
    severity: "low",
    confidence: "medium",
    cwe: [682],
    description:
      "The result of an integer division is multiplied. The division has already dropped its remainder, and the " +
      "factor magnifies the loss: for small amounts, the result is zero. An attacker splits a payment into " +
      "amounts below the divisor and pays no fee, or receives shares at a wrong rate.",
    remediation:
      "Multiply first and divide last, in `u128` if the product may overflow, and decide for each amount who " +
      "benefits from rounding: the protocol, never the caller.",
    references: [
      "https://neodyme.io/en/blog/solana_common_pitfalls/",
      "https://www.helius.dev/blog/a-hitchhikers-guide-to-solana-program-security",
    ],
  },
  check: (program, report) => {
    for (const { instructions, project } of program.crates)
      for (const event of instructions.flatMap((one) => one.events)) {
        let operands: readonly [Term, Term]
        if (event.kind === "operation" && event.operator === "*" && event.right !== undefined) {
          if (!isInteger(successType(event.type))) continue
          operands = [event.left.term, event.right.term]
        } else if (event.kind === "call" && event.method && /^(checked|saturating|wrapping)_mul$/.test(event.name)) {
          const [left, right] = event.args
          if (left === undefined || right === undefined) continue
          const { type } = left
          if (type.kind === "named" && !isInteger(successType(type))) continue
          operands = [left.term, right.term]
        } else continue
        const [left, right] = operands
        if (!losesRemainder(left, right) && !losesRemainder(right, left)) continue
        if (isNumber(project.resolver, event.function)) continue
        report(placeOf(event))
      }
  },
  examples: {
    vulnerable: [
      `use anchor_lang::prelude::*;

#[program]
pub mod fees {
    use super::*;
    pub fn fee(ctx: Context<Fee>, amount: u64) -> Result<u64> {
        let fee = amount / 10_000 * ctx.accounts.config.basis_points; // FINDING
        Ok(fee)
    }
}

#[derive(Accounts)]
pub struct Fee<'info> { pub config: Account<'info, Config> }

#[account]
pub struct Config { pub basis_points: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod shares {
    use super::*;
    pub fn mint(ctx: Context<Mint>, amount: u64) -> Result<()> {
        let pool = &mut ctx.accounts.pool;
        let rate = pool.supply.checked_div(pool.assets).ok_or(ErrorCode::Math)?;
        pool.minted = rate.checked_mul(amount).ok_or(ErrorCode::Math)?; // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Mint<'info> {
    #[account(mut)]
    pub pool: Account<'info, Pool>,
}

#[account]
pub struct Pool { pub supply: u64, pub assets: u64, pub minted: u64 }

#[error_code]
pub enum ErrorCode { Math }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod pools {
    use super::*;

    pub fn settle(ctx: Context<Settle>, amount: u64, other: u64) -> Result<()> {
        let pool = &mut ctx.accounts.pool;
        let part = amount / pool.total;
        pool.a = part * other; // FINDING
        pool.a = part.checked_mul(other).unwrap(); // FINDING
        pool.a = part.mul_up(other);
        pool.a = math::checked_mul(part, other);
        pool.a = part * pool.total;
        pool.a = (amount / 7) * 7;
        pool.b = (amount as f64 / 3.0) * other as f64;
        pool.a = Wad(amount / pool.total).checked_mul(Wad(other)).unwrap().0;
        pool.a = other * part; // FINDING
        pool.a = Wad::share(amount, other);
        pool.a = Wide { a: amount, b: other, c: 1 }.scaled(part);
        pool.a = Named { a: String::new() }.scaled(amount, other);
        pool.a = Unit.scaled(amount, other);
        pool.a = free(amount, other);
        pool.a = Mixed { value: amount, name: other }.scaled(part);
        Ok(())
    }
}

#[derive(Clone, Copy)]
pub struct Wad(pub u64);

impl Wad {
    pub fn share(amount: u64, other: u64) -> u64 {
        (amount / 7) * other // FINDING
    }

    pub fn checked_mul(self, other: Wad) -> Option<Wad> {
        Some(Wad((self.0 / 1_000) * other.0))
    }
}

pub struct Mixed { pub value: u64, pub name: u64 }

impl Mixed {
    pub fn scaled(self, part: u64) -> u64 {
        (self.value / self.name) * part
    }
}

pub struct Wide { pub a: u64, pub b: u64, pub c: u64 }

impl Wide {
    pub fn scaled(self, part: u64) -> u64 {
        (self.a / self.b) * part // FINDING
    }
}

pub struct Named { pub a: String }

impl Named {
    pub fn scaled(self, a: u64, part: u64) -> u64 {
        (a / 7) * part // FINDING
    }
}

pub struct Unit;

impl Unit {
    pub fn scaled(self, a: u64, part: u64) -> u64 {
        (a / 7) * part // FINDING
    }
}

pub fn free(a: u64, b: u64) -> u64 {
    (a / 7) * b // FINDING
}

#[derive(Accounts)]
pub struct Settle<'info> {
    #[account(mut)]
    pub pool: Account<'info, Pool>,
}

#[account]
pub struct Pool { pub a: u64, pub b: f64, pub total: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod fees {
    use super::*;

    // Whatever number the library returns, the division comes first.
    pub fn fee(ctx: Context<Fee>, amount: u64) -> Result<u64> {
        let share = shares::held(&ctx.accounts.vault).checked_div(100).unwrap();
        Ok(share.checked_mul(amount).unwrap()) // FINDING
    }
}

#[derive(Accounts)]
pub struct Fee<'info> {
    /// CHECK: the library's
    pub vault: UncheckedAccount<'info>,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod shares {
    use super::*;
    pub fn settle(ctx: Context<Settle>, amount: u64) -> Result<()> {
        let pool = &mut ctx.accounts.pool;
        let part = amount / pool.total;
        pool.minted = part.saturating_mul(pool.rate); // FINDING
        pool.owed = part.wrapping_mul(pool.rate); // FINDING
        pool.position.grow(amount);
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Settle<'info> { #[account(mut)] pub pool: Account<'info, Pool> }

#[account]
pub struct Pool { pub total: u64, pub rate: u64, pub minted: u64, pub owed: u64, pub position: Position }

#[derive(AnchorSerialize, AnchorDeserialize, Clone)]
pub struct Position { pub amount: u64, pub owner: Pubkey }

impl Position {
    // With an owner beside it, it is no number of its own.
    pub fn grow(&mut self, by: u64) {
        self.amount = by / 100 * self.amount; // FINDING
    }
}`,
    ],
    safe: [
      `use anchor_lang::prelude::*;

#[program]
pub mod fees {
    use super::*;
    pub fn fee(ctx: Context<Fee>, amount: u64) -> Result<u64> {
        let whole = amount / 100 * 100;
        Ok(whole * ctx.accounts.config.basis_points / 10_000)
    }
}

#[derive(Accounts)]
pub struct Fee<'info> { pub config: Account<'info, Config> }

#[account]
pub struct Config { pub basis_points: u64 }
`,
      `use anchor_lang::prelude::*;

const SCALE: u128 = 1_000_000_000_000;

#[program]
pub mod shares {
    use super::*;
    pub fn mint(ctx: Context<Mint>, amount: u64) -> Result<()> {
        let pool = &mut ctx.accounts.pool;
        let rate = (pool.supply as u128 * SCALE).checked_div(pool.assets as u128).ok_or(ErrorCode::Math)?;
        pool.minted = rate.checked_mul(amount as u128).ok_or(ErrorCode::Math)? / SCALE;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Mint<'info> {
    #[account(mut)]
    pub pool: Account<'info, Pool>,
}

#[account]
pub struct Pool { pub supply: u64, pub assets: u64, pub minted: u128 }

#[error_code]
pub enum ErrorCode { Math }
`,
    ],
  },
}

/** A product was divided: the loss is less than one of the units that the factor counts. */
const isScaled = (dividend: Term): boolean => operandsOf(dividend, "mul") !== undefined

/** The quotient's remainder is gone when it is multiplied; `a / b * b` rounds down on purpose. */
const losesRemainder = (quotient: Term, factor: Term): boolean => {
  const division = operandsOf(quotient, "div")
  if (division === undefined) return false
  const [dividend, divisor] = division
  return plain(divisor) !== plain(factor) && !isConstant(dividend) && !isScaled(dividend)
}

/** Arithmetic of a decimal type: quotients are its purpose, and it keeps the digits. */
const isNumber = (resolver: Resolver, { owner, item }: FunctionDefinition): boolean => {
  const type = owner?.kind === "impl" && item.self !== undefined ? definitionOf(selfTypeOf(resolver, owner)) : undefined
  return (
    type?.kind === "struct" &&
    type.item.fields.length > 0 &&
    type.item.fields.length <= 2 &&
    type.item.fields.every((field) => isInteger(resolveType({ resolver, module: type.module }, field.type)))
  )
}
