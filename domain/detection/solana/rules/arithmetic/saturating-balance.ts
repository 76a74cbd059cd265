import type { Rule } from "../../../Rule.ts"
import { guaranteed } from "../../../rust/terms/events.ts"
import { mentions, type Term } from "../../../rust/terms/terms.ts"
import type { Instruction, SolanaProgram } from "../../model.ts"
import { movesValue } from "../../cpi.ts"
import { cpisOf } from "../../questions.ts"
import { isAtMost, isConstant, isHeld, isTime } from "../../quantities.ts"
import { accountOfState } from "../../semantics.ts"

export const saturatingBalance: Rule<SolanaProgram> = {
  meta: {
    id: "solana/arithmetic/saturating-balance",
    class: "saturating-math",
    title: "Saturating arithmetic conceals an incorrect balance",
    severity: "low",
    confidence: "medium",
    cwe: [682],
    description:
      "A balance is changed with `saturating_sub` or `saturating_add`. If the amount does not fit, the result " +
      "stops at zero or at the maximum and the instruction succeeds: someone pays less than they owe, or more " +
      "is paid out than recorded, and the recorded balances no longer match the tokens.",
    remediation: "Use `checked_sub` and `checked_add` and return an error, or check beforehand that the amount fits.",
    references: ["https://doc.rust-lang.org/std/primitive.u64.html#method.saturating_sub"],
  },
  check: (program, report) => {
    for (const { instructions } of program.crates)
      for (const instruction of instructions)
        for (const event of instruction.events) {
          if (event.kind !== "call" || !/^saturating_(add|sub)$/.test(event.name) || event.target !== undefined)
            continue
          const [left, right] = event.args.map((one) => one.term)
          if (left === undefined || right === undefined || isConstant(right) || !isHeld(left)) continue
          if (isLamports(right) || (event.name === "saturating_add" && isLamports(left))) continue
          if (isTime(left, counted) || isTime(right, counted) || !settles(instruction, event.result.term)) continue
          if (event.name === "saturating_sub" && isAtMost(guaranteed(event), right, left)) continue
          report({ file: event.file, span: event.node, scope: event.function.qualifiedName })
        }
  },
  examples: {
    vulnerable: [
      `use anchor_lang::prelude::*;

#[program]
pub mod bank {
    use super::*;
    pub fn withdraw(ctx: Context<Withdraw>, amount: u64) -> Result<()> {
        let account = &mut ctx.accounts.account;
        account.balance = account.balance.saturating_sub(amount); // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Withdraw<'info> {
    #[account(mut)]
    pub account: Account<'info, Deposit>,
}

#[account]
pub struct Deposit { pub balance: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod bank {
    use super::*;
    pub fn repay(ctx: Context<Repay>, amount: u64) -> Result<()> {
        ctx.accounts.loan.repay(amount);
        Ok(())
    }
}

impl Loan {
    fn repay(&mut self, amount: u64) {
        self.paid = self.paid.saturating_add(amount); // FINDING
    }
}

#[derive(Accounts)]
pub struct Repay<'info> {
    #[account(mut)]
    pub loan: Account<'info, Loan>,
}

#[account]
pub struct Loan { pub paid: u64 }
`,
    ],
    safe: [
      `use anchor_lang::prelude::*;

#[program]
pub mod bank {
    use super::*;
    pub fn withdraw(ctx: Context<Withdraw>, amount: u64) -> Result<()> {
        let account = &mut ctx.accounts.account;
        account.balance = account.balance.checked_sub(amount).ok_or(ErrorCode::TooMuch)?;
        account.visits = account.visits.saturating_add(1);
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Withdraw<'info> {
    #[account(mut)]
    pub account: Account<'info, Deposit>,
}

#[account]
pub struct Deposit { pub balance: u64, pub visits: u64 }

#[error_code]
pub enum ErrorCode { TooMuch }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod bank {
    use super::*;
    pub fn withdraw(ctx: Context<Withdraw>, amount: u64) -> Result<()> {
        let account = &mut ctx.accounts.account;
        require_gte!(account.balance, amount);
        account.balance = account.balance.saturating_sub(amount);
        let left = account.limit.saturating_sub(amount);
        require!(left > 0, ErrorCode::TooMuch);
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Withdraw<'info> {
    #[account(mut)]
    pub account: Account<'info, Deposit>,
}

#[account]
pub struct Deposit { pub balance: u64, pub limit: u64 }

#[error_code]
pub enum ErrorCode { TooMuch }
`,
    ],
  },
}

/** What is missing for rent, and what lamports add up to, cannot overflow. */
const isLamports = (term: Term): boolean => mentions(term, (one) => one.kind === "field" && one.name === "lamports")

const counted = /timestamp|slot|epoch|time|nonce|(^|_)(index|at|counts?)$/

/** The result becomes a stored balance, lamports, or the amount of a transfer. */
const settles = (instruction: Instruction, result: Term): boolean =>
  instruction.events.some(
    (event) =>
      event.kind === "assign" &&
      event.value.term === result &&
      (accountOfState(event.target.term) !== undefined ||
        (event.target.term.kind === "field" && event.target.term.name === "lamports")),
  ) ||
  cpisOf(instruction).some(
    (cpi) => movesValue(cpi) && cpi.args.some((one) => mentions(one, (inner) => inner === result)),
  )
