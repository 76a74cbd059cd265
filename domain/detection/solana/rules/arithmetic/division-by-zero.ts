import type { Rule } from "../../../Rule.ts"
import { guaranteed, ofKind } from "../../../rust/terms/events.ts"
import { isInteger, successType } from "../../../rust/crate/types.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import type { SolanaProgram } from "../../program/model.ts"
import { isChosen, isHeld, isNonZero } from "../../questions/quantities.ts"

export const divisionByZero: Rule<SolanaProgram> = {
  meta: {
    id: "solana/arithmetic/division-by-zero",
    class: "division-by-zero",
    title: "Possible division by zero",
    severity: "low",
    confidence: "medium",
    cwe: [369],
    description:
      "The divisor is an argument or an account field that is never checked for zero. The program then panics: " +
      "an empty pool, a fresh configuration or an attacker who sets the divisor to zero makes the instruction " +
      "fail for everyone, including withdrawals or liquidations.",
    remediation:
      "Use `checked_div` (or `checked_rem`) and return a clear error, or check the divisor for zero and decide " +
      "what the result should be in that case.",
    references: ["https://doc.rust-lang.org/std/primitive.u64.html#method.checked_div"],
  },
  check: (program, report) => {
    for (const { instructions } of program.crates)
      for (const instruction of instructions)
        for (const event of ofKind(instruction.events, "operation")) {
          if (event.right === undefined || !/^[/%]$/.test(event.operator)) continue
          const divisor = event.right.term
          if (!isInteger(successType(event.type))) continue
          if (!isChosen(instruction, divisor) && !isHeld(divisor)) continue
          if (isNonZero(guaranteed(event), divisor)) continue
          report(placeOf(event))
        }
  },
  examples: {
    vulnerable: [
      `use anchor_lang::prelude::*;

#[program]
pub mod pool {
    use super::*;
    pub fn rate(ctx: Context<Rate>, amount: u64) -> Result<u64> {
        Ok(amount / ctx.accounts.pool.supply) // FINDING
    }
}

#[derive(Accounts)]
pub struct Rate<'info> { pub pool: Account<'info, Pool> }

#[account]
pub struct Pool { pub supply: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod lottery {
    use super::*;
    pub fn split(ctx: Context<Split>, parts: u64) -> Result<()> {
        let pot = &mut ctx.accounts.pot;
        pot.share = share(pot.total, parts);
        Ok(())
    }
}

fn share(total: u64, parts: u64) -> u64 {
    total % parts // FINDING
}

#[derive(Accounts)]
pub struct Split<'info> {
    #[account(mut)]
    pub pot: Account<'info, Pot>,
}

#[account]
pub struct Pot { pub total: u64, pub share: u64 }
`,
    ],
    safe: [
      `use anchor_lang::prelude::*;

#[program]
pub mod pool {
    use super::*;
    pub fn rate(ctx: Context<Rate>, amount: u64) -> Result<u64> {
        if ctx.accounts.pool.supply == 0 {
            return Ok(amount);
        }
        Ok(amount / ctx.accounts.pool.supply)
    }
}

#[derive(Accounts)]
pub struct Rate<'info> { pub pool: Account<'info, Pool> }

#[account]
pub struct Pool { pub supply: u64 }
`,
      `use anchor_lang::prelude::*;

const DAY: u64 = 86_400;

#[program]
pub mod lottery {
    use super::*;
    pub fn split(ctx: Context<Split>, parts: u64, more: u64) -> Result<()> {
        let pot = &mut ctx.accounts.pot;
        check(parts)?;
        pot.share = pot.total / parts;
        pot.share = pot.share.checked_div(more).ok_or(ErrorCode::None)? + pot.total / (more + 1) + pot.total / DAY;
        Ok(())
    }
}

fn check(parts: u64) -> Result<()> {
    require!(parts > 0, ErrorCode::None);
    Ok(())
}

#[derive(Accounts)]
pub struct Split<'info> {
    #[account(mut)]
    pub pot: Account<'info, Pot>,
}

#[account]
pub struct Pot { pub total: u64, pub share: u64 }

#[error_code]
pub enum ErrorCode { None }
`,
    ],
  },
}
