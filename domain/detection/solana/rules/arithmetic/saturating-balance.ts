import type { Rule } from "../../../Rule.ts"
import { guaranteed, ofKind, callsNamed } from "../../../rust/terms/events.ts"
import { mentions, type Term } from "../../../rust/terms/terms.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import type { Instruction, SolanaProgram } from "../../program/model.ts"
import { movesValue } from "../../questions/cpi.ts"
import { cpisOf } from "../../questions/questions.ts"
import { isAtMost, isConstant, isHeld, isTime } from "../../questions/quantities.ts"
import { accountOfState } from "../../program/semantics.ts"

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
        for (const event of callsNamed(instruction.events, /^saturating_(add|sub)$/)) {
          if (event.target !== undefined) continue
          const [left, right] = event.args.map((one) => one.term)
          if (left === undefined || right === undefined || isConstant(right) || !isHeld(left)) continue
          if (isLamports(right) || (event.name === "saturating_add" && isLamports(left))) continue
          if (isTime(left, counted) || isTime(right, counted) || !settles(instruction, event.result.term)) continue
          if (event.name === "saturating_sub" && isAtMost(guaranteed(event), right, left)) continue
          report(placeOf(event))
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
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Burn, Mint, Token, TokenAccount};

#[program]
pub mod bank {
    use super::*;

    pub fn change(ctx: Context<Change>, amount: u64, times: u64) -> Result<()> {
        let account = &mut ctx.accounts.account;
        account.balance = account.balance.saturating_sub(amount); // FINDING
        account.total = account.total.saturating_add(amount); // FINDING
        account.total = amount.saturating_sub(times);
        account.total = account.total.saturating_sub(3);
        account.last_slot = account.last_slot.saturating_add(times);
        account.total = account.total.saturating_add(account.last_slot);
        account.count = account.count.saturating_sub(times);
        let shown = account.balance.saturating_sub(times);
        msg!("{}", shown);
        Ok(())
    }

    pub fn lamports(ctx: Context<Change>, amount: u64) -> Result<()> {
        let user = ctx.accounts.user.to_account_info();
        let rest = user.lamports().saturating_sub(amount); // FINDING
        **user.lamports.borrow_mut() = rest;
        let vault = ctx.accounts.vault.to_account_info();
        let more = vault.lamports().saturating_add(amount);
        **vault.lamports.borrow_mut() = more;
        let account = &mut ctx.accounts.account;
        account.balance = account.balance.saturating_sub(vault.lamports());
        Ok(())
    }

    pub fn burn(ctx: Context<Change>, amount: u64) -> Result<()> {
        let least = ctx.accounts.account.balance.saturating_sub(amount); // FINDING
        let accounts = Burn {
            mint: ctx.accounts.mint.to_account_info(),
            from: ctx.accounts.vault.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        token::burn(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), least)?;
        Ok(())
    }

    pub fn told(ctx: Context<Change>, amount: u64) -> Result<()> {
        let least = ctx.accounts.account.balance.saturating_sub(amount);
        other::cpi::tell(CpiContext::new(ctx.accounts.token_program.to_account_info(), Tell {}), least)?;
        Ok(())
    }

    pub fn least(ctx: Context<Change>, amount: u64) -> Result<()> {
        require!(amount <= ctx.accounts.account.balance, ErrorCode::Little);
        ctx.accounts.account.balance = ctx.accounts.account.balance.saturating_sub(amount);
        ctx.accounts.account.total = ctx.accounts.account.total.saturating_add(amount); // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Change<'info> {
    #[account(mut)]
    pub account: Account<'info, Deposit>,
    #[account(mut)]
    pub mint: Account<'info, Mint>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Deposit { pub balance: u64, pub total: u64, pub last_slot: u64, pub count: u64 }

#[error_code]
pub enum ErrorCode { Little }
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
      `use anchor_lang::prelude::*;

#[program]
pub mod ledger {
    use super::*;

    // The method is the program's own, and fails where there is too little.
    pub fn take(ctx: Context<Take>, amount: Coins) -> Result<()> {
        let account = &mut ctx.accounts.account;
        account.balance = account.balance.saturating_sub(amount);
        Ok(())
    }
}

#[derive(AnchorSerialize, AnchorDeserialize, Clone, Copy)]
pub struct Coins {
    pub units: u64,
}

impl Coins {
    pub fn saturating_sub(self, other: Coins) -> Coins {
        Coins { units: self.units.checked_sub(other.units).expect("too little") }
    }
}

#[derive(Accounts)]
pub struct Take<'info> {
    #[account(mut, has_one = owner)]
    pub account: Account<'info, Book>,
    pub owner: Signer<'info>,
}

#[account]
pub struct Book {
    pub owner: Pubkey,
    pub balance: Coins,
}
`,
    ],
  },
}

/** The missing rent, and sums of lamports, cannot overflow. */
const isLamports = (term: Term): boolean => mentions(term, (one) => one.kind === "field" && one.name === "lamports")

const counted = /timestamp|slot|epoch|time|nonce|(^|_)(index|at|counts?)$/

/** The result becomes a stored balance, lamports, or the amount of a transfer. */
const settles = (instruction: Instruction, result: Term): boolean =>
  ofKind(instruction.events, "assign").some(
    (event) =>
      event.value.term === result &&
      (accountOfState(event.target.term) !== undefined ||
        (event.target.term.kind === "field" && event.target.term.name === "lamports")),
  ) ||
  cpisOf(instruction).some(
    (cpi) => movesValue(cpi) && cpi.args.some((one) => mentions(one, (inner) => inner === result)),
  )
