import { type CallEvent, type Frame, guaranteed } from "../../../rust/terms/events.ts"
import { mentions, type Term } from "../../../rust/terms/terms.ts"
import type { Rule } from "../../../Rule.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import { cpiOf } from "../../questions/cpi.ts"
import type { SolanaProgram } from "../../program/model.ts"

export const cpiResultIgnored: Rule<SolanaProgram> = {
  meta: {
    id: "solana/cpi/result-ignored",
    class: "cpi-result-ignored",
    title: "Ignored result of a cross-program invocation",
    severity: "low",
    confidence: "high",
    cwe: [252, 754],
    description:
      "The program calls another program and discards the result. If the call is rejected before it runs, for " +
      "example because a builder or a wrapper returns an error, the program continues as if the transfer had " +
      "happened: it credits a deposit that never arrived or marks a payment as done. A call that fails while it runs " +
      "ends the whole transaction.",
    remediation:
      "Propagate the error with `?`, return the result, or match on it and undo everything that depends on the " +
      "call.",
    references: [
      "https://solana.com/docs/core/cpi",
      "https://doc.rust-lang.org/std/result/index.html#results-must-be-used",
    ],
  },
  check: (program, report) => {
    const survived: Array<CallEvent> = []
    const returned = new Map<Frame, Array<Term>>()
    for (const event of program.events()) {
      if (event.kind === "exit" && event.success) {
        const { frame } = event.scope
        const known = returned.get(frame)
        if (known === undefined) returned.set(frame, [event.value.term])
        else known.push(event.value.term)
      }
      if (event.kind !== "call") continue
      if (isIgnored(event))
        report({ ...placeOf(event), message: "Whether this call succeeded makes no difference to what follows." })
      else if (cpiOf(event) !== undefined && goesOn(event)) survived.push(event)
    }
    for (const event of survived) {
      if (returned.get(event.scope.frame)?.some((term) => mentions(term, (one) => one === event.result.term))) continue
      report({ ...placeOf(event), message: "If this call fails, the instruction continues and succeeds." })
    }
  },
  examples: {
    vulnerable: [
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod bank {
    use super::*;

    pub fn deposit(ctx: Context<Deposit>, amount: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.from.to_account_info(),
            to: ctx.accounts.vault.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        let _ = token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount); // FINDING
        ctx.accounts.record.balance += amount;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Deposit<'info> {
    #[account(mut, has_one = user, has_one = vault)]
    pub record: Account<'info, Record>,
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Record {
    pub user: Pubkey,
    pub vault: Pubkey,
    pub balance: u64,
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::program::invoke;
use solana_program::{entrypoint::ProgramResult, pubkey::Pubkey, system_instruction};

pub fn pay(_program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let from = next_account_info(iter)?;
    let to = next_account_info(iter)?;
    let record = next_account_info(iter)?;
    invoke(&system_instruction::transfer(from.key, to.key, amount), &[from.clone(), to.clone()]).ok(); // FINDING
    record.try_borrow_mut_data()?[0] = 1;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod bank {
    use super::*;

    pub fn release(ctx: Context<Release>, amount: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.from.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        let paid = token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount); // FINDING
        if paid.is_err() {
            msg!("not paid");
        }
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Release<'info> {
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod bank {
    use super::*;

    pub fn dropped(ctx: Context<Pay>, amount: u64) -> Result<()> {
        let _ = token::transfer(transfer_of(&ctx), amount); // FINDING
        Ok(())
    }

    pub fn made_ok(ctx: Context<Pay>, amount: u64) -> Result<()> {
        token::transfer(transfer_of(&ctx), amount).ok(); // FINDING
        Ok(())
    }

    pub fn is_ok(ctx: Context<Pay>, amount: u64) -> Result<()> {
        let _ = token::transfer(transfer_of(&ctx), amount).is_ok(); // FINDING
        Ok(())
    }

    pub fn mapped(ctx: Context<Pay>, amount: u64) -> Result<()> {
        let _ = token::transfer(transfer_of(&ctx), amount).map(|_| 1);
        Ok(())
    }

    pub fn noted(ctx: Context<Pay>, amount: u64) -> Result<()> {
        token::transfer(transfer_of(&ctx), amount).map_err(|_| error!(ErrorCode::Paid))?;
        Ok(())
    }

    pub fn unwrapped(ctx: Context<Pay>, amount: u64) -> Result<()> {
        token::transfer(transfer_of(&ctx), amount).unwrap();
        Ok(())
    }

    pub fn helped(ctx: Context<Pay>, amount: u64) -> Result<()> {
        let _ = helper(amount);
        let _ = helper(amount).ok();
        Ok(())
    }

    pub fn tested(ctx: Context<Pay>, amount: u64) -> Result<()> {
        if token::transfer(transfer_of(&ctx), amount).is_err() {
            return err!(ErrorCode::Paid);
        }
        Ok(())
    }

    pub fn logged(ctx: Context<Pay>, amount: u64) -> Result<()> {
        if token::transfer(transfer_of(&ctx), amount).is_err() { // FINDING
            msg!("not paid");
        }
        Ok(())
    }

    pub fn matched(ctx: Context<Pay>, amount: u64) -> Result<()> {
        match token::transfer(transfer_of(&ctx), amount) { // FINDING
            Ok(_) => {}
            Err(_) => msg!("not paid"),
        }
        Ok(())
    }

    pub fn matched_well(ctx: Context<Pay>, amount: u64) -> Result<()> {
        match token::transfer(transfer_of(&ctx), amount) {
            Ok(_) => Ok(()),
            Err(error) => Err(error),
        }
    }

    pub fn let_err(ctx: Context<Pay>, amount: u64) -> Result<()> {
        if let Err(error) = token::transfer(transfer_of(&ctx), amount) { // FINDING
            msg!("{}", error);
        }
        Ok(())
    }

    pub fn kept(ctx: Context<Pay>, amount: u64) -> Result<()> {
        let result = token::transfer(transfer_of(&ctx), amount);
        if result.is_err() {
            msg!("not paid");
        }
        result
    }

    pub fn kept_of_other(ctx: Context<Pay>, amount: u64) -> Result<()> {
        let result = token::transfer(transfer_of(&ctx), amount); // FINDING
        if result.is_err() {
            msg!("not paid");
        }
        helper(amount)
    }

    pub fn helper_logged(ctx: Context<Pay>, amount: u64) -> Result<()> {
        if helper(amount).is_err() {
            msg!("no help");
        }
        Ok(())
    }

    pub fn inner(ctx: Context<Pay>, amount: u64) -> Result<()> {
        let paid = inner(&ctx, amount);
        if paid.is_err() {
            return err!(ErrorCode::Paid);
        }
        Ok(())
    }

    pub fn raw(ctx: Context<Pay>, amount: u64) -> Result<()> {
        pinocchio::cpi::invoke_signed_unchecked(&instruction_of(&ctx), &accounts_of(&ctx), &[]);
        Ok(())
    }

    pub fn raw_other(ctx: Context<Pay>, amount: u64) -> Result<()> {
        let _ = solana_cpi::invoke_signed(&instruction_of(&ctx), &accounts_of(&ctx), &[]); // FINDING
        Ok(())
    }

    pub fn raw_cpi(ctx: Context<Pay>, amount: u64) -> Result<()> {
        slice_invoke::cpi::invoke_unchecked(&instruction_of(&ctx), &accounts_of(&ctx));
        Ok(())
    }

    pub fn raw_plain(ctx: Context<Pay>, amount: u64) -> Result<()> {
        pinocchio::program::invoke(&instruction_of(&ctx), &accounts_of(&ctx)); // FINDING
        Ok(())
    }

    pub fn raw_unknown(ctx: Context<Pay>, amount: u64) -> Result<()> {
        solana_program::program::invoke_signed_unchecked(&instruction_of(&ctx), &accounts_of(&ctx), &[]); // FINDING
        Ok(())
    }
}

fn transfer_of<'a, 'b, 'c, 'info>(ctx: &Context<'a, 'b, 'c, 'info, Pay<'info>>) -> CpiContext<'a, 'b, 'c, 'info, Transfer<'info>> {
    let accounts = Transfer {
        from: ctx.accounts.from.to_account_info(),
        to: ctx.accounts.vault.to_account_info(),
        authority: ctx.accounts.user.to_account_info(),
    };
    CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts)
}

fn helper(amount: u64) -> Result<()> {
    if amount > 5 {
        return err!(ErrorCode::Paid);
    }
    Ok(())
}

fn inner(ctx: &Context<Pay>, amount: u64) -> Result<()> {
    let result = token::transfer(transfer_of(ctx), amount);
    if result.is_err() {
        msg!("not paid");
    }
    result
}

#[derive(Accounts)]
pub struct Pay<'info> {
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[error_code]
pub enum ErrorCode { Paid }
`,
      `use solana_program::account_info::AccountInfo;
use solana_program::program::invoke;
use solana_program::{entrypoint::ProgramResult, pubkey::Pubkey, system_instruction};

// It goes on unless the caller is strict.
pub fn pay(_program_id: &Pubkey, accounts: &[AccountInfo], strict: bool) -> ProgramResult {
    let (from, to) = (&accounts[0], &accounts[1]);
    let paid = invoke(&system_instruction::transfer(from.key, to.key, 1), &[from.clone(), to.clone()]); // FINDING
    match note(from) {
        Ok(()) => msg!("noted"),
        Err(error) => return Err(error),
    }
    if paid.is_err() && strict {
        return Err(paid.unwrap_err());
    }
    Ok(())
}

pub fn pay_quietly(_program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let (from, to) = (&accounts[0], &accounts[1]);
    invoke(&system_instruction::transfer(from.key, to.key, 1), &[from.clone(), to.clone()]).ok(); // FINDING
    invoke(&system_instruction::transfer(from.key, to.key, 2), &[from.clone(), to.clone()]).map_err(|_| msg!("no")).unwrap_or(()); // FINDING
    invoke(&system_instruction::transfer(from.key, to.key, 3), &[from.clone(), to.clone()]).unwrap();
    // What is no call of another program may fail.
    note(from).ok();
    if note(to).is_err() {
        msg!("not noted");
    }
    Ok(())
}

pub fn pay_or_fail(_program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let (from, to) = (&accounts[0], &accounts[1]);
    let paid = invoke(&system_instruction::transfer(from.key, to.key, 1), &[from.clone(), to.clone()]);
    if paid.is_err() {
        msg!("not paid");
        return paid;
    }
    match invoke(&system_instruction::transfer(from.key, to.key, 2), &[from.clone(), to.clone()]) {
        Ok(()) => msg!("paid"),
        Err(error) => return Err(error),
    }
    Ok(())
}
`,
    ],
    safe: [
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::program::invoke;
use solana_program::{entrypoint::ProgramResult, pubkey::Pubkey, system_instruction};

fn move_lamports<'a>(from: &AccountInfo<'a>, to: &AccountInfo<'a>, amount: u64) -> ProgramResult {
    invoke(&system_instruction::transfer(from.key, to.key, amount), &[from.clone(), to.clone()])
}

pub fn pay(_program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let from = next_account_info(iter)?;
    let to = next_account_info(iter)?;
    let record = next_account_info(iter)?;
    move_lamports(from, to, amount)?;
    record.try_borrow_mut_data()?[0] = 1;
    Ok(())
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::program::invoke;
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey, system_instruction};

pub fn pay(_program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let from = next_account_info(iter)?;
    let to = next_account_info(iter)?;
    match invoke(&system_instruction::transfer(from.key, to.key, amount), &[from.clone(), to.clone()]) {
        Ok(()) => Ok(()),
        Err(_) => Err(ProgramError::InsufficientFunds),
    }
}
`,
      `use pinocchio::account_info::AccountInfo;
use pinocchio::program::invoke_unchecked;
use pinocchio::{pubkey::Pubkey, ProgramResult};

// The runtime ends the transaction where the call fails.
pub fn process_instruction(_program_id: &Pubkey, accounts: &[AccountInfo], _data: &[u8]) -> ProgramResult {
    let instruction = Instruction { program_id: accounts[1].key(), accounts: &[], data: &[] };
    invoke_unchecked(&instruction, &[accounts[0].into()]);
    Ok(())
}
`,
    ],
  },
}

/** Pinocchio's returns nothing: the runtime ends the transaction if the call fails. */
const hasNoResult = ({ path }: CallEvent): boolean => {
  const parts = path.split("::")
  const name = parts.pop()!
  return (
    name.startsWith("invoke") &&
    name.endsWith("_unchecked") &&
    (parts.at(-1) === "cpi" || parts.some((part) => /^pinocchio(_\w+)?$/.test(part)))
  )
}

/** Something depends on the outcome, but the instruction continues even if it is an error. */
const goesOn = (event: CallEvent): boolean => {
  const { term } = event.result
  if (event.examined !== true) return false
  for (const fact of guaranteed(event)) {
    if (fact.kind === "is" && fact.value === term) return false
  }
  return true
}

/** A statement throws the outcome away: itself, or by `.ok()` and the like. */
const isIgnored = (event: CallEvent): boolean =>
  event.dropped !== undefined && cpiOf(event) !== undefined && !hasNoResult(event)
