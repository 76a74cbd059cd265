import { mentions, type Term } from "../../../rust/terms/terms.ts"
import type { Rule } from "../../../Rule.ts"
import { isPrivileged } from "../../authority/authorization.ts"
import { movesValue } from "../../questions/cpi.ts"
import type { Account, Instruction, SolanaProgram } from "../../program/model.ts"
import { accountIn, cpisOf, usesOf } from "../../questions/questions.ts"
import { accountOfState, dataOf, lamportsOf, ownerOf } from "../../program/semantics.ts"
import { type AssignEvent, ofKind } from "../../../rust/terms/events.ts"
import { placeOf } from "../../../rust/placeOf.ts"

interface Wiping {
  readonly zeroed: boolean
  readonly given: boolean
  readonly marks: ReadonlyArray<Term>
}

export const insecureClose: Rule<SolanaProgram> = {
  meta: {
    id: "solana/account-validation/insecure-close",
    class: "insecure-close",
    title: "Closed account can be revived",
    severity: "high",
    confidence: "medium",
    cwe: [672, 404],
    description:
      "The instruction takes all lamports out of an account but leaves its data and owner unchanged. An account " +
      "without lamports disappears only at the end of the transaction: an attacker sends rent to it in a later " +
      "instruction of the same transaction, and it survives with its old contents, ready to be closed or " +
      "claimed from again. With Anchor, zeroed data of an `Account<T>` is written back on exit.",
    remediation:
      "Use Anchor's `close = destination`. To do it manually, move the lamports, assign the account to the " +
      "system program and shrink its data to zero length (`account.assign(&system_program::ID); " +
      "account.realloc(0, false)`).",
    references: [
      "https://github.com/coral-xyz/sealevel-attacks/tree/master/programs/9-closing-accounts",
      "https://solana.com/developers/courses/program-security/closing-accounts",
    ],
  },
  check: (program, report) => {
    for (const crate of program.crates)
      for (const instruction of crate.instructions)
        for (const event of ofKind(instruction.events, "assign")) {
          const account = accountIn(instruction, event.target.term)
          if (account === undefined || !drains(instruction, account, event)) continue
          const { zeroed, given, marks } = wiping(instruction, account)
          if (given) continue
          const written = account.wrapper === "state" || account.wrapper === "loader"
          if (zeroed && (!written || looksFor(crate.instructions, marks))) continue
          // Draining an account with the closed-account mark is how revived ones are cleared.
          if (
            !written &&
            instruction.kind === "anchor" &&
            usesOf(instruction, account).some(({ kind }) => kind === "data-read")
          )
            continue
          report({
            ...placeOf(event),
            // Bytes that were overwritten come back only where the account is written back as it was read.
            ...(zeroed || isPrivileged(crate, instruction) || !isWorthRepeating(instruction, account)
              ? { severity: "low" as const }
              : {}),
            message: zeroed
              ? `\`${account.name}\` is emptied, but can be revived within the transaction with its data intact.`
              : `\`${account.name}\` loses its lamports but keeps its data and owner.`,
          })
        }
  },
  examples: {
    vulnerable: [
      // A helper's name does not close anything.
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};

pub fn finish(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let record = next_account_info(iter)?;
    let user = next_account_info(iter)?;
    if record.owner != program_id || !user.is_signer {
        return Err(ProgramError::IllegalOwner);
    }
    close_account(record, user)
}

fn close_account(info: &AccountInfo, to: &AccountInfo) -> ProgramResult {
    let sum = to.lamports().checked_add(info.lamports()).ok_or(ProgramError::InvalidArgument)?;
    **to.lamports.borrow_mut() = sum;
    **info.lamports.borrow_mut() = 0; // FINDING
    Ok(())
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct Record { pub user: Pubkey, pub is_initialized: bool, pub is_open: bool }

pub fn close(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let info = next_account_info(iter)?;
    let user = next_account_info(iter)?;
    let other_info = next_account_info(iter)?;
    if info.owner != program_id || other_info.owner != program_id || !user.is_signer {
        return Err(ProgramError::IllegalOwner);
    }
    let mut data = info.try_borrow_mut_data()?;
    let mut other_data = other_info.try_borrow_mut_data()?;
    let record: &mut Record = bytemuck::from_bytes_mut(&mut data);
    let other: &mut Record = bytemuck::from_bytes_mut(&mut other_data);
    if record.user != *user.key || other.user != *user.key {
        return Err(ProgramError::InvalidAccountData);
    }
    record.is_open = false;
    record.is_initialized = true;
    other.is_initialized = false;
    let sum = user.lamports().checked_add(info.lamports()).ok_or(ProgramError::InvalidArgument)?;
    **user.lamports.borrow_mut() = sum;
    **info.lamports.borrow_mut() = 0; // FINDING
    Ok(())
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod tickets {
    use super::*;

    pub fn redeem(ctx: Context<Redeem>) -> Result<()> {
        let ticket = ctx.accounts.ticket.to_account_info();
        let all = ticket.lamports();
        **ctx.accounts.user.to_account_info().try_borrow_mut_lamports()? += all;
        **ticket.try_borrow_mut_lamports()? -= all; // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Redeem<'info> {
    #[account(mut, has_one = user)]
    pub ticket: Account<'info, Ticket>,
    #[account(mut)]
    pub user: Signer<'info>,
}

#[account]
pub struct Ticket {
    pub user: Pubkey,
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};

pub fn close(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let record = next_account_info(iter)?;
    let user = next_account_info(iter)?;
    if record.owner != program_id || !user.is_signer {
        return Err(ProgramError::IllegalOwner);
    }
    let sum = user.lamports().checked_add(record.lamports()).ok_or(ProgramError::InvalidArgument)?;
    **user.lamports.borrow_mut() = sum;
    **record.lamports.borrow_mut() = 0; // FINDING
    Ok(())
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod vaults {
    use super::*;

    pub fn to_zero(ctx: Context<Close>, amount: u64) -> Result<()> {
        let vault = ctx.accounts.vault.to_account_info();
        let user = ctx.accounts.user.to_account_info();
        let all = vault.lamports();
        **user.lamports.borrow_mut() += all;
        **vault.lamports.borrow_mut() = 0; // FINDING
        Ok(())
    }

    pub fn to_typed_zero(ctx: Context<Close>, amount: u64) -> Result<()> {
        let vault = ctx.accounts.vault.to_account_info();
        let user = ctx.accounts.user.to_account_info();
        let all = vault.lamports();
        **user.lamports.borrow_mut() += all;
        **vault.lamports.borrow_mut() = 0u64; // FINDING
        Ok(())
    }

    pub fn to_one(ctx: Context<Close>, amount: u64) -> Result<()> {
        let vault = ctx.accounts.vault.to_account_info();
        let user = ctx.accounts.user.to_account_info();
        let all = vault.lamports();
        **user.lamports.borrow_mut() += all;
        **vault.lamports.borrow_mut() = 10;
        Ok(())
    }

    pub fn minus(ctx: Context<Close>, amount: u64) -> Result<()> {
        let vault = ctx.accounts.vault.to_account_info();
        let user = ctx.accounts.user.to_account_info();
        let all = vault.lamports();
        **user.lamports.borrow_mut() += all;
        **vault.lamports.borrow_mut() -= all; // FINDING
        Ok(())
    }

    pub fn minus_some(ctx: Context<Close>, amount: u64) -> Result<()> {
        let vault = ctx.accounts.vault.to_account_info();
        let user = ctx.accounts.user.to_account_info();
        let all = vault.lamports();
        **user.lamports.borrow_mut() += all;
        **vault.lamports.borrow_mut() -= amount;
        Ok(())
    }

    pub fn plus(ctx: Context<Close>, amount: u64) -> Result<()> {
        let vault = ctx.accounts.vault.to_account_info();
        let user = ctx.accounts.user.to_account_info();
        let all = vault.lamports();
        **user.lamports.borrow_mut() += all;
        **vault.lamports.borrow_mut() += all;
        Ok(())
    }

    pub fn binary(ctx: Context<Close>, amount: u64) -> Result<()> {
        let vault = ctx.accounts.vault.to_account_info();
        let user = ctx.accounts.user.to_account_info();
        let all = vault.lamports();
        **user.lamports.borrow_mut() += all;
        **vault.lamports.borrow_mut() = all - all; // FINDING
        Ok(())
    }

    pub fn binary_plus(ctx: Context<Close>, amount: u64) -> Result<()> {
        let vault = ctx.accounts.vault.to_account_info();
        let user = ctx.accounts.user.to_account_info();
        let all = vault.lamports();
        **user.lamports.borrow_mut() += all;
        **vault.lamports.borrow_mut() = all + all;
        Ok(())
    }

    pub fn binary_part(ctx: Context<Close>, amount: u64) -> Result<()> {
        let vault = ctx.accounts.vault.to_account_info();
        let user = ctx.accounts.user.to_account_info();
        let all = vault.lamports();
        **user.lamports.borrow_mut() += all;
        **vault.lamports.borrow_mut() = all - amount;
        Ok(())
    }

    pub fn binary_of(ctx: Context<Close>, amount: u64) -> Result<()> {
        let vault = ctx.accounts.vault.to_account_info();
        let user = ctx.accounts.user.to_account_info();
        let all = vault.lamports();
        **user.lamports.borrow_mut() += all;
        **vault.lamports.borrow_mut() = amount - all;
        Ok(())
    }

    pub fn checked(ctx: Context<Close>, amount: u64) -> Result<()> {
        let vault = ctx.accounts.vault.to_account_info();
        let user = ctx.accounts.user.to_account_info();
        let all = vault.lamports();
        **user.lamports.borrow_mut() += all;
        **vault.lamports.borrow_mut() = all.checked_sub(all).unwrap(); // FINDING
        Ok(())
    }

    pub fn checked_part(ctx: Context<Close>, amount: u64) -> Result<()> {
        let vault = ctx.accounts.vault.to_account_info();
        let user = ctx.accounts.user.to_account_info();
        let all = vault.lamports();
        **user.lamports.borrow_mut() += all;
        **vault.lamports.borrow_mut() = all.checked_sub(amount).unwrap();
        Ok(())
    }

    pub fn checked_of(ctx: Context<Close>, amount: u64) -> Result<()> {
        let vault = ctx.accounts.vault.to_account_info();
        let user = ctx.accounts.user.to_account_info();
        let all = vault.lamports();
        **user.lamports.borrow_mut() += all;
        **vault.lamports.borrow_mut() = amount.checked_sub(all).unwrap();
        Ok(())
    }

    pub fn divided(ctx: Context<Close>, amount: u64) -> Result<()> {
        let vault = ctx.accounts.vault.to_account_info();
        let user = ctx.accounts.user.to_account_info();
        let all = vault.lamports();
        **user.lamports.borrow_mut() += all;
        **vault.lamports.borrow_mut() = all.checked_div(all).unwrap();
        Ok(())
    }

    pub fn assigned(ctx: Context<Close>, amount: u64) -> Result<()> {
        let vault = ctx.accounts.vault.to_account_info();
        let user = ctx.accounts.user.to_account_info();
        let all = vault.lamports();
        **user.lamports.borrow_mut() += all;
        **vault.lamports.borrow_mut() = 0;
        vault.assign(&system_program::ID);
        Ok(())
    }

    pub fn resized(ctx: Context<Close>, amount: u64) -> Result<()> {
        let vault = ctx.accounts.vault.to_account_info();
        let user = ctx.accounts.user.to_account_info();
        let all = vault.lamports();
        **user.lamports.borrow_mut() += all;
        **vault.lamports.borrow_mut() = 0;
        vault.realloc(0, false)?;
        Ok(())
    }

    pub fn resized_new(ctx: Context<Close>, amount: u64) -> Result<()> {
        let vault = ctx.accounts.vault.to_account_info();
        let user = ctx.accounts.user.to_account_info();
        let all = vault.lamports();
        **user.lamports.borrow_mut() += all;
        **vault.lamports.borrow_mut() = 0;
        vault.resize(0)?;
        Ok(())
    }

    pub fn resized_some(ctx: Context<Close>, amount: u64) -> Result<()> {
        let vault = ctx.accounts.vault.to_account_info();
        let user = ctx.accounts.user.to_account_info();
        let all = vault.lamports();
        **user.lamports.borrow_mut() += all;
        **vault.lamports.borrow_mut() = 0; // FINDING
        vault.realloc(8, false)?;
        Ok(())
    }

    pub fn resized_other(ctx: Context<Close>, amount: u64) -> Result<()> {
        let vault = ctx.accounts.vault.to_account_info();
        let user = ctx.accounts.user.to_account_info();
        let all = vault.lamports();
        **user.lamports.borrow_mut() += all;
        **vault.lamports.borrow_mut() = 0; // FINDING
        user.realloc(0, false)?;
        Ok(())
    }

    pub fn flagged(ctx: Context<Close>, amount: u64) -> Result<()> {
        let vault = ctx.accounts.vault.to_account_info();
        let user = ctx.accounts.user.to_account_info();
        let all = vault.lamports();
        **user.lamports.borrow_mut() += all;
        **vault.lamports.borrow_mut() = 0;
        ctx.accounts.vault.is_initialized = false;
        Ok(())
    }

    pub fn flagged_true(ctx: Context<Close>, amount: u64) -> Result<()> {
        let vault = ctx.accounts.vault.to_account_info();
        let user = ctx.accounts.user.to_account_info();
        let all = vault.lamports();
        **user.lamports.borrow_mut() += all;
        **vault.lamports.borrow_mut() = 0; // FINDING
        ctx.accounts.vault.is_initialized = true;
        Ok(())
    }

    pub fn raw_zero(ctx: Context<Raw>, amount: u64) -> Result<()> {
        let raw = &ctx.accounts.raw;
        let user = ctx.accounts.user.to_account_info();
        **user.lamports.borrow_mut() += raw.lamports();
        **raw.lamports.borrow_mut() = 0; // FINDING
        Ok(())
    }

    pub fn raw_filled(ctx: Context<Raw>, amount: u64) -> Result<()> {
        let raw = &ctx.accounts.raw;
        let user = ctx.accounts.user.to_account_info();
        **user.lamports.borrow_mut() += raw.lamports();
        **raw.lamports.borrow_mut() = 0;
        raw.data.borrow_mut().fill(0);
        Ok(())
    }

    pub fn counted(ctx: Context<Booked>, amount: u64) -> Result<()> {
        let vault = ctx.accounts.vault.to_account_info();
        let user = ctx.accounts.user.to_account_info();
        let all = vault.lamports();
        **user.lamports.borrow_mut() += all;
        ctx.accounts.book.count -= 1;
        **vault.lamports.borrow_mut() = 0; // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Close<'info> {
    #[account(mut, has_one = user)]
    pub vault: Account<'info, Vault>,
    #[account(mut)]
    pub user: Signer<'info>,
}

#[derive(Accounts)]
pub struct Booked<'info> {
    #[account(mut, has_one = user)]
    pub vault: Account<'info, Vault>,
    #[account(mut)]
    pub book: Account<'info, Book>,
    #[account(mut)]
    pub user: Signer<'info>,
}

#[derive(Accounts)]
pub struct Raw<'info> {
    /// CHECK: the program's own
    #[account(mut, owner = ID)]
    pub raw: UncheckedAccount<'info>,
    #[account(mut)]
    pub user: Signer<'info>,
}

#[account]
pub struct Vault { pub user: Pubkey, pub is_initialized: bool }

#[account]
pub struct Book { pub count: u64 }

#[error_code]
pub enum ErrorCode { Open }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod vaults {
    use super::*;
    pub fn pay_in(ctx: Context<Close>, amount: u64) -> Result<()> {
        require!(amount > 0, ErrorCode::Empty);
        ctx.accounts.vault.amount = 0;
        Ok(())
    }
    // Zeroed is not marked: it may be revived within the transaction.
    pub fn close(ctx: Context<Close>) -> Result<()> {
        let vault = ctx.accounts.vault.to_account_info();
        **ctx.accounts.user.try_borrow_mut_lamports()? += vault.lamports();
        **vault.try_borrow_mut_lamports()? = 0; // FINDING
        vault.try_borrow_mut_data()?.fill(0);
        Ok(())
    }
    pub fn close_loaded(ctx: Context<CloseLoaded>) -> Result<()> {
        let vault = ctx.accounts.vault.to_account_info();
        **ctx.accounts.user.try_borrow_mut_lamports()? += vault.lamports();
        **vault.try_borrow_mut_lamports()? = 0; // FINDING
        vault.try_borrow_mut_data()?.fill(0);
        Ok(())
    }
    pub fn close_read(ctx: Context<Close>) -> Result<()> {
        let vault = ctx.accounts.vault.to_account_info();
        msg!("{}", vault.try_borrow_data()?.len());
        **ctx.accounts.user.try_borrow_mut_lamports()? += vault.lamports();
        **vault.try_borrow_mut_lamports()? = 0; // FINDING
        Ok(())
    }
    // What is paid, or noted elsewhere, may be had again and again.
    pub fn close_paid(ctx: Context<ClosePaid>, amount: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.from.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount)?;
        let vault = ctx.accounts.vault.to_account_info();
        **ctx.accounts.user.try_borrow_mut_lamports()? += vault.lamports();
        **vault.try_borrow_mut_lamports()? = 0; // FINDING
        Ok(())
    }
    pub fn close_noted(ctx: Context<CloseNoted>) -> Result<()> {
        ctx.accounts.log.try_borrow_mut_data()?[0] += 1;
        let vault = ctx.accounts.vault.to_account_info();
        **ctx.accounts.user.try_borrow_mut_lamports()? += vault.lamports();
        **vault.try_borrow_mut_lamports()? = 0; // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Close<'info> {
    #[account(mut, has_one = user)]
    pub vault: Account<'info, Vault>,
    #[account(mut)]
    pub user: Signer<'info>,
}

#[derive(Accounts)]
pub struct CloseLoaded<'info> {
    #[account(mut, has_one = user)]
    pub vault: AccountLoader<'info, Vault>,
    #[account(mut)]
    pub user: Signer<'info>,
}

#[derive(Accounts)]
pub struct ClosePaid<'info> {
    #[account(mut, has_one = user)]
    pub vault: Account<'info, Vault>,
    #[account(mut)]
    pub user: Signer<'info>,
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct CloseNoted<'info> {
    #[account(mut, has_one = user)]
    pub vault: Account<'info, Vault>,
    #[account(mut)]
    pub user: Signer<'info>,
    /// CHECK: a log
    #[account(mut)]
    pub log: UncheckedAccount<'info>,
}

#[account]
pub struct Vault { pub user: Pubkey, pub amount: u64 }

#[error_code]
pub enum ErrorCode { Empty }
`,
    ],
    safe: [
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub struct Record { pub user: Pubkey, pub is_initialized: bool }

pub fn close(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let info = next_account_info(iter)?;
    let user = next_account_info(iter)?;
    if info.owner != program_id || !user.is_signer {
        return Err(ProgramError::IllegalOwner);
    }
    let mut data = info.try_borrow_mut_data()?;
    let record: &mut Record = bytemuck::from_bytes_mut(&mut data);
    if record.user != *user.key || !record.is_initialized {
        return Err(ProgramError::InvalidAccountData);
    }
    record.is_initialized = false;
    let sum = user.lamports().checked_add(info.lamports()).ok_or(ProgramError::InvalidArgument)?;
    **user.lamports.borrow_mut() = sum;
    **info.lamports.borrow_mut() = 0;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod tickets {
    use super::*;

    pub fn redeem(ctx: Context<Redeem>) -> Result<()> {
        Ok(())
    }

    pub fn redeem_part(ctx: Context<RedeemPart>, amount: u64) -> Result<()> {
        **ctx.accounts.ticket.to_account_info().try_borrow_mut_lamports()? -= amount;
        **ctx.accounts.user.to_account_info().try_borrow_mut_lamports()? += amount;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Redeem<'info> {
    #[account(mut, has_one = user, close = user)]
    pub ticket: Account<'info, Ticket>,
    #[account(mut)]
    pub user: Signer<'info>,
}

#[derive(Accounts)]
pub struct RedeemPart<'info> {
    #[account(mut, has_one = user)]
    pub ticket: Account<'info, Ticket>,
    #[account(mut)]
    pub user: Signer<'info>,
}

#[account]
pub struct Ticket {
    pub user: Pubkey,
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey, system_program};

fn remove(record: &AccountInfo, to: &AccountInfo) -> ProgramResult {
    let sum = to.lamports().checked_add(record.lamports()).ok_or(ProgramError::InvalidArgument)?;
    **to.lamports.borrow_mut() = sum;
    **record.lamports.borrow_mut() = 0;
    record.assign(&system_program::ID);
    record.realloc(0, false)
}

pub fn close(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let record = next_account_info(iter)?;
    let user = next_account_info(iter)?;
    if record.owner != program_id || !user.is_signer {
        return Err(ProgramError::IllegalOwner);
    }
    remove(record, user)
}
`,
      `use anchor_lang::prelude::*;

pub const CLOSED: [u8; 8] = [255; 8];

#[program]
pub mod vaults {
    use super::*;
    // Marked, and whoever finds the mark clears what was revived.
    pub fn close(ctx: Context<Close>) -> Result<()> {
        let vault = ctx.accounts.vault.to_account_info();
        **ctx.accounts.user.try_borrow_mut_lamports()? += vault.lamports();
        **vault.try_borrow_mut_lamports()? = 0;
        vault.try_borrow_mut_data()?[..8].copy_from_slice(&CLOSED);
        Ok(())
    }
    pub fn clear(ctx: Context<Clear>) -> Result<()> {
        let vault = &ctx.accounts.vault;
        require!(vault.try_borrow_data()?[..8] == CLOSED, ErrorCode::Open);
        **ctx.accounts.user.try_borrow_mut_lamports()? += vault.lamports();
        **vault.try_borrow_mut_lamports()? = 0;
        Ok(())
    }
    pub fn clear_zeroed(ctx: Context<Clear>) -> Result<()> {
        let vault = &ctx.accounts.vault;
        vault.try_borrow_mut_data()?.fill(0);
        **ctx.accounts.user.try_borrow_mut_lamports()? += vault.lamports();
        **vault.try_borrow_mut_lamports()? = 0;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Close<'info> {
    #[account(mut, has_one = user)]
    pub vault: Account<'info, Vault>,
    #[account(mut)]
    pub user: Signer<'info>,
}

#[derive(Accounts)]
pub struct Clear<'info> {
    /// CHECK: carries the mark
    #[account(mut)]
    pub vault: UncheckedAccount<'info>,
    #[account(mut)]
    pub user: Signer<'info>,
}

#[account]
pub struct Vault { pub user: Pubkey, pub amount: u64 }

#[error_code]
pub enum ErrorCode { Open }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod vaults {
    use super::*;
    // Marked, and whoever finds the mark clears what was revived.
    pub fn close(ctx: Context<Close>) -> Result<()> {
        let vault = ctx.accounts.vault.to_account_info();
        **ctx.accounts.user.try_borrow_mut_lamports()? += vault.lamports();
        **vault.try_borrow_mut_lamports()? = 0;
        vault.try_borrow_mut_data()?[..8].copy_from_slice(&[255, 255, 255, 255, 255, 255, 255, 255]);
        Ok(())
    }
    pub fn clear(ctx: Context<Clear>) -> Result<()> {
        let vault = &ctx.accounts.vault;
        require!(vault.try_borrow_data()?[..8] == [255, 255, 255, 255, 255, 255, 255, 255], ErrorCode::Open);
        **ctx.accounts.user.try_borrow_mut_lamports()? += vault.lamports();
        **vault.try_borrow_mut_lamports()? = 0;
        Ok(())
    }
    pub fn clear_zeroed(ctx: Context<Clear>) -> Result<()> {
        let vault = &ctx.accounts.vault;
        vault.try_borrow_mut_data()?.fill(0);
        **ctx.accounts.user.try_borrow_mut_lamports()? += vault.lamports();
        **vault.try_borrow_mut_lamports()? = 0;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Close<'info> {
    #[account(mut, has_one = user)]
    pub vault: Account<'info, Vault>,
    #[account(mut)]
    pub user: Signer<'info>,
}

#[derive(Accounts)]
pub struct Clear<'info> {
    /// CHECK: carries the mark
    #[account(mut)]
    pub vault: UncheckedAccount<'info>,
    #[account(mut)]
    pub user: Signer<'info>,
}

#[account]
pub struct Vault { pub user: Pubkey, pub amount: u64 }

#[error_code]
pub enum ErrorCode { Open }`,
    ],
  },
}

const isZero = (term: Term): boolean => term.kind === "literal" && /^0(_?[ui]\d+)?$/.test(term.value)

/** Lamports set to zero, or reduced by the full balance. */
const drains = (instruction: Instruction, account: Account, event: AssignEvent): boolean => {
  const lamports = lamportsOf(instruction.walk.terms, account.term)
  if (event.target.term !== lamports) return false
  const { term } = event.value
  if (event.operator === "=")
    return (
      isZero(term) ||
      (term.kind === "call" && term.name.endsWith("sub") && term.args[0] === lamports && term.args[1] === lamports) ||
      (term.kind === "binary" && term.operator === "-" && term.left === lamports && term.right === lamports)
    )
  return event.operator === "-" && term === lamports
}

const nothingLeft = /^(closed|deleted|uninitiali[sz]ed)$/i

/**
 * `record.is_initialized = false`, `record.flags = Flag::Closed as u64`: who loads the account next is told that there
 * is nothing.
 */
const isUnset = ({ target: { term }, value }: AssignEvent, account: Account): boolean => {
  if (term.kind !== "field" || accountOfState(term) !== account.term) return false
  const set = value.term.kind === "cast" ? value.term.value : value.term
  return set.kind === "literal"
    ? /initiali[sz]ed$/.test(term.name) && set.value === "false"
    : (set.kind === "constant" && nothingLeft.test(set.name)) ||
        (set.kind === "struct" && nothingLeft.test(set.path.split("::").at(-1)!))
}

/** Other effects could be repeated with the revived account; its lamports have to be paid in first. */
const isWorthRepeating = (instruction: Instruction, account: Account): boolean =>
  cpisOf(instruction).some(movesValue) ||
  instruction.accounts.some(
    (one) =>
      one !== account && usesOf(instruction, one).some(({ kind }) => kind === "state-write" || kind === "data-write"),
  )

const wipers =
  /^(fill|sol_memset|memset|write_all|copy_from_slice|clone_from_slice|zeroize|write_bytes|serialize|try_serialize|pack)$/

/** What else happens to the account: data overwritten, returned to the system program, or marked with a constant. */
const wiping = (instruction: Instruction, account: Account): Wiping => {
  const { terms } = instruction.walk
  const data = dataOf(terms, account.term)
  const touches = (term: Term): boolean => mentions(term, (one) => one === account.term)
  let zeroed = usesOf(instruction, account).some(({ kind }) => kind === "data-write")
  let given = account.constraints?.close !== undefined
  const marks: Array<Term> = []
  for (const event of instruction.events) {
    if (event.kind === "assign" && event.target.term === ownerOf(terms, account.term)) given = true
    if (event.kind === "assign" && isUnset(event, account)) given = true
    if (event.kind !== "call" || !event.args.some(({ term }) => touches(term))) continue
    // What a function of the project does is seen by its own events.
    if (
      event.target === undefined &&
      /^(assign|close|close_account|close_unchecked|realloc|resize|delete_account)$/.test(event.name)
    )
      given ||= !/^(realloc|resize)$/.test(event.name) || isZero(event.args[1]?.term ?? data)
    if (!wipers.test(event.name)) continue
    zeroed = true
    for (const { term } of event.args) if (term.kind === "constant" || term.kind === "list") marks.push(term)
  }
  return { zeroed, given, marks }
}

/** Whether some instruction looks for the mark in an account's data, such as one that drains revived accounts. */
const looksFor = (instructions: ReadonlyArray<Instruction>, marks: ReadonlyArray<Term>): boolean =>
  instructions.some(({ events }) =>
    ofKind(events, "check").some((event) =>
      event.conditions.some((one) => mentions(one, (inner) => marks.some((mark) => mark === inner))),
    ),
  )
