import type { Rule } from "../../../Rule.ts"
import { guaranteed } from "../../../rust/terms/events.ts"
import { factsAbout } from "../../../rust/terms/facts.ts"
import { everySubterm } from "../../../rust/terms/terms.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import type { SolanaProgram } from "../../program/model.ts"
import { movesValue } from "../../questions/cpi.ts"
import { cpisOf } from "../../questions/questions.ts"

export const uncheckedTransferAmount: Rule<SolanaProgram> = {
  meta: {
    id: "solana/input-validation/unchecked-transfer-amount",
    class: "missing-amount-validation",
    title: "Unchecked transfer amount",
    // The token program rejects missing tokens; only zero and other unwanted amounts get through.
    severity: "informational",
    confidence: "low",
    cwe: [20],
    description:
      "A caller-supplied amount is passed to a transfer without any check by this program. The token program " +
      "rejects amounts above the balance, but with its own error, and accepts zero: records, events or rewards " +
      "that follow the transfer are created for nothing.",
    remediation: "Reject zero, and check the amount against the relevant balance or limit before the transfer.",
    references: ["https://solana.com/docs/tokens/basics/transfer-tokens"],
  },
  check: (program, report) => {
    for (const { instructions } of program.crates)
      for (const instruction of instructions)
        for (const cpi of cpisOf(instruction)) {
          if (!movesValue(cpi)) continue
          const amount = instruction.arguments.find((one) => cpi.args.includes(one.term))
          if (amount === undefined) continue
          const { event } = cpi
          const done = program.terms.succeeded(event.result.term)
          if ([...mentioning(guaranteed(event), amount.term)].some((fact) => fact !== done)) continue
          report(placeOf(event))
        }
  },
  examples: {
    vulnerable: [
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod pay {
    use super::*;
    pub fn send(ctx: Context<Send>, amount: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.from.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount) // FINDING
    }
}

#[derive(Accounts)]
pub struct Send<'info> {
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program::invoke, pubkey::Pubkey, system_instruction};

pub fn send(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let from = next_account_info(iter)?;
    let to = next_account_info(iter)?;
    invoke(&system_instruction::transfer(from.key, to.key, amount), &[from.clone(), to.clone()]) // FINDING
}
`,
    ],
    safe: [
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod pay {
    use super::*;
    pub fn send(ctx: Context<Send>, amount: u64) -> Result<()> {
        check(amount)?;
        let accounts = Transfer {
            from: ctx.accounts.from.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount)
    }
}

fn check(amount: u64) -> Result<()> {
    require!(amount > 0, ErrorCode::Nothing);
    Ok(())
}

#[derive(Accounts)]
pub struct Send<'info> {
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[error_code]
pub enum ErrorCode { Nothing }
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program::invoke, program_error::ProgramError, pubkey::Pubkey, system_instruction};

pub fn send(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let from = next_account_info(iter)?;
    let to = next_account_info(iter)?;
    let left = from.lamports().checked_sub(amount).ok_or(ProgramError::InsufficientFunds)?;
    invoke(&system_instruction::transfer(from.key, to.key, amount), &[from.clone(), to.clone()])
}
`,
    ],
  },
}

const mentioning = factsAbout((fact) => [...everySubterm([fact])])
