import type { Rule } from "../../../Rule.ts"
import { isWithin, type WalkScope, ofKind } from "../../../rust/terms/events.ts"
import { mentions, type Term } from "../../../rust/terms/terms.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import type { Cpi, SolanaProgram } from "../../program/model.ts"
import { cpisOf } from "../../questions/questions.ts"

export const lamportsBeforeCpi: Rule<SolanaProgram> = {
  meta: {
    id: "solana/denial-of-service/lamports-before-cpi",
    class: "lamport-cpi-dos",
    title: "Lamports moved directly before a CPI that omits the account",
    severity: "low",
    confidence: "medium",
    cwe: [362, 703],
    description:
      "The program changes an account's lamports directly and then calls another program without passing that " +
      "account. The runtime compares the lamport totals of the passed accounts before and after the call and " +
      "finds them unbalanced: the instruction always fails, and the operation (a withdrawal, closing an " +
      "account) is stuck.",
    remediation:
      "Move lamports manually only after the last CPI, or pass every account whose lamports were changed to the " +
      "CPI as an additional account.",
    references: ["https://github.com/solana-labs/solana/issues/20311", "https://solana.com/docs/core/cpi"],
  },
  check: (program, report) => {
    for (const { instructions } of program.crates)
      for (const instruction of instructions) {
        const edits: Array<{ readonly account: Term; readonly order: number; readonly scope: WalkScope }> = []
        for (const event of ofKind(instruction.events, "assign"))
          if (event.target.term.kind === "field" && event.target.term.name === "lamports")
            edits.push({ account: event.target.term.base, order: event.order, scope: event.scope })
        for (const { event, accounts } of cpisOf(instruction)) {
          // A list that is passed on unchanged may contain any account; a parameter in a named field is an amount.
          const isAnything = ({ name, term }: Cpi["accounts"][number]): boolean =>
            term.kind === "parameter" && name === ""
          if (accounts.some(isAnything)) continue
          const before = edits.filter(({ order, scope }) => order < event.order && leadsTo(scope, event.scope))
          const shown = before.filter(({ account }) =>
            accounts.some(({ term }) => mentions(term, (one) => one === account)),
          )
          // If no changed account is passed, the runtime sees no change yet: the sums differ if some are passed.
          if (shown.length > 0 && shown.length < before.length) report(placeOf(event))
        }
      }
  },
  examples: {
    vulnerable: [
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod vault {
    use super::*;
    pub fn leave(ctx: Context<Leave>, fee: u64, amount: u64) -> Result<()> {
        **ctx.accounts.treasury.to_account_info().try_borrow_mut_lamports()? -= fee;
        **ctx.accounts.user.to_account_info().try_borrow_mut_lamports()? += fee;
        let accounts = Transfer {
            from: ctx.accounts.from.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount) // FINDING
    }
}

#[derive(Accounts)]
pub struct Leave<'info> {
    #[account(mut)]
    pub treasury: Account<'info, Treasury>,
    #[account(mut)]
    pub user: Signer<'info>,
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Treasury { pub fees: u64 }
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program::invoke, pubkey::Pubkey, system_instruction};

fn pay(from: &AccountInfo, to: &AccountInfo, amount: u64) {
    **from.lamports.borrow_mut() -= amount;
    **to.lamports.borrow_mut() += amount;
}

pub fn settle(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let vault = next_account_info(iter)?;
    let user = next_account_info(iter)?;
    let other = next_account_info(iter)?;
    pay(vault, user, amount);
    invoke(&system_instruction::transfer(user.key, other.key, 5), &[user.clone(), other.clone()]) // FINDING
}
`,
      `use pinocchio::{account_info::AccountInfo, program_error::ProgramError, ProgramResult};
use pinocchio_system::instructions::Transfer;

pub fn settle(accounts: &[AccountInfo], amount: u64, fee: u64) -> ProgramResult {
    let [vault, user, other] = accounts else { return Err(ProgramError::NotEnoughAccountKeys) };
    *vault.try_borrow_mut_lamports()? -= amount;
    *user.try_borrow_mut_lamports()? += amount;
    Transfer { from: user, to: other, lamports: fee }.invoke() // FINDING
}
`,
    ],
    safe: [
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod vault {
    use super::*;
    pub fn leave(ctx: Context<Leave>, rent: u64, amount: u64) -> Result<()> {
        **ctx.accounts.record.to_account_info().try_borrow_mut_lamports()? -= rent;
        **ctx.accounts.payer.to_account_info().try_borrow_mut_lamports()? += rent;
        // Neither of the two is shown to the token program.
        let accounts = Transfer {
            from: ctx.accounts.from.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount)
    }
}

#[derive(Accounts)]
pub struct Leave<'info> {
    #[account(mut, has_one = payer)]
    pub record: Account<'info, Record>,
    /// CHECK: gets the rent back
    #[account(mut)]
    pub payer: UncheckedAccount<'info>,
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Record { pub payer: Pubkey }
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program::invoke, pubkey::Pubkey, system_instruction};

pub fn settle(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let vault = next_account_info(iter)?;
    let user = next_account_info(iter)?;
    let other = next_account_info(iter)?;
    invoke(&system_instruction::transfer(user.key, other.key, 5), &[user.clone(), other.clone()])?;
    **vault.lamports.borrow_mut() -= amount;
    **user.lamports.borrow_mut() += amount;
    Ok(())
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program::invoke, pubkey::Pubkey, system_instruction};

pub fn settle(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let vault = next_account_info(iter)?;
    let user = next_account_info(iter)?;
    let other = next_account_info(iter)?;
    if amount > 0 {
        **vault.lamports.borrow_mut() -= amount;
        **user.lamports.borrow_mut() += amount;
        return Ok(());
    }
    invoke(&system_instruction::transfer(user.key, other.key, 5), &[user.clone(), other.clone()])
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program::invoke, pubkey::Pubkey, system_instruction};

pub fn settle(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let vault = next_account_info(iter)?;
    let user = next_account_info(iter)?;
    let other = next_account_info(iter)?;
    **vault.lamports.borrow_mut() -= amount;
    **user.lamports.borrow_mut() += amount;
    invoke(
        &system_instruction::transfer(user.key, other.key, 5),
        &[user.clone(), other.clone(), vault.clone()],
    )
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::instruction::Instruction;
use solana_program::{entrypoint::ProgramResult, program::invoke, pubkey::Pubkey};

/// The vault may be among the accounts that are passed on as they came.
pub fn settle_and_call(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let vault = next_account_info(iter)?;
    let user = next_account_info(iter)?;
    **vault.lamports.borrow_mut() -= amount;
    **user.lamports.borrow_mut() += amount;
    let call = Instruction { program_id: market::id(), accounts: vec![], data: vec![1] };
    invoke(&call, &[&[user.clone()], accounts].concat())
}
`,
    ],
  },
}

/** The events of a scope are on a path to another: no branch in between returned. */
const leadsTo = (from: WalkScope, to: WalkScope): boolean => {
  for (let one: WalkScope | undefined = from; one !== undefined && !isWithin(to, one); one = one.parent)
    if (one.parent?.frame === one.frame && one.end === undefined) return false
  return true
}
