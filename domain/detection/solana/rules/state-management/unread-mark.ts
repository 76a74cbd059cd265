import type { Rule } from "../../../Rule.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import type { SolanaProgram } from "../../program/model.ts"
import { neverMarked, unreadMarks } from "../../records/unreadMarks.ts"

export const unreadMark: Rule<SolanaProgram> = {
  meta: {
    id: "solana/state-management/unread-mark",
    class: "repeatable-action",
    title: "Completion flag is never checked",
    severity: "high",
    confidence: "medium",
    cwe: [841, 799],
    description:
      "The instruction records in an account that something was done (claimed, voted, executed), and pays or " +
      "counts something for it, but never checks that record. The same account can be passed again: a claim is " +
      "paid twice, a vote counts as often as it is cast.",
    remediation:
      "Check the flag before setting it: `require!(!ticket.claimed, ErrorCode::AlreadyClaimed)`, or close the " +
      "account with `close = …` after use.",
    references: ["https://cwe.mitre.org/data/definitions/841.html"],
  },
  check: (program, report) => {
    for (const crate of program.crates)
      for (const { account, mark, repeated } of unreadMarks(crate))
        report({
          ...placeOf(mark),
          message: `\`${account.name}\` is marked as done here without checking whether it already was.`,
          trace: [{ file: repeated.file, span: repeated.node, note: "repeated on every call" }],
        })
    for (const crate of program.crates)
      for (const { mark, event } of neverMarked(crate))
        report({ ...placeOf(event), message: `\`${mark}\` is checked here, but no instruction ever sets it.` })
  },
  examples: {
    vulnerable: [
      // A mark that nobody sets.
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod drops {
    use super::*;
    pub fn claim(ctx: Context<Claim>) -> Result<()> {
        require!(!ctx.accounts.ticket.is_claimed, ErrorCode::Claimed); // FINDING
        ctx.accounts.ticket.when = Clock::get()?.unix_timestamp;
        let accounts = Transfer { from: ctx.accounts.vault.to_account_info(), to: ctx.accounts.to.to_account_info(), authority: ctx.accounts.drop.to_account_info() };
        let context = CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, &[&[b"drop"]]);
        token::transfer(context, ctx.accounts.ticket.amount)
    }
}

#[derive(Accounts)]
pub struct Claim<'info> {
    #[account(seeds = [b"drop"], bump, has_one = vault)]
    pub drop: Account<'info, Drop>,
    #[account(mut, has_one = user)]
    pub ticket: Account<'info, Ticket>,
    pub user: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Drop { pub vault: Pubkey }

#[account]
pub struct Ticket { pub user: Pubkey, pub amount: u64, pub when: i64, pub is_claimed: bool }

#[error_code]
pub enum ErrorCode { Claimed }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod drops {
    use super::*;
    pub fn claim(ctx: Context<Claim>) -> Result<()> {
        ctx.accounts.ticket.claimed = true; // FINDING
        pay(&ctx, ctx.accounts.ticket.amount)
    }
    pub fn redeem(ctx: Context<Claim>) -> Result<()> {
        require!(ctx.accounts.ticket.amount > 7, ErrorCode::Claimed);
        ctx.accounts.ticket.stage = Stage::Redeemed; // FINDING
        pay(&ctx, ctx.accounts.ticket.amount)
    }
    pub fn vote(ctx: Context<Claim>) -> Result<()> {
        ctx.accounts.poll.yes += ctx.accounts.ticket.amount;
        ctx.accounts.ticket.has_voted = true; // FINDING
        Ok(())
    }
}

fn pay(ctx: &Context<Claim>, amount: u64) -> Result<()> {
    let accounts = Transfer {
        from: ctx.accounts.vault.to_account_info(),
        to: ctx.accounts.purse.to_account_info(),
        authority: ctx.accounts.hall.to_account_info(),
    };
    let seeds: &[&[&[u8]]] = &[&[b"hall", &[ctx.bumps.hall]]];
    token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, seeds), amount)
}

#[derive(Accounts)]
pub struct Claim<'info> {
    #[account(mut, has_one = user)]
    pub ticket: Account<'info, Ticket>,
    #[account(mut)]
    pub poll: Account<'info, Poll>,
    #[account(mut, seeds = [b"vault"], bump)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut, token::authority = user)]
    pub purse: Account<'info, TokenAccount>,
    /// CHECK: signs
    #[account(seeds = [b"hall"], bump)]
    pub hall: UncheckedAccount<'info>,
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Ticket { pub user: Pubkey, pub amount: u64, pub claimed: bool, pub has_voted: bool, pub stage: Stage }

#[account]
pub struct Poll { pub yes: u64 }

#[derive(AnchorSerialize, AnchorDeserialize, Clone, PartialEq)]
pub enum Stage { Open, Redeemed }

#[error_code]
pub enum ErrorCode { Claimed }
`,
      `use solana_program::account_info::AccountInfo;
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Grant { pub heir: Pubkey, pub amount: u64, pub paid: bool }

pub fn release(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let [grant_info, chest, heir] = accounts else { return Err(ProgramError::NotEnoughAccountKeys) };
    if grant_info.owner != program_id || !heir.is_signer {
        return Err(ProgramError::IllegalOwner);
    }
    let mut grant = Grant::try_from_slice(&grant_info.data.borrow())?;
    if grant.heir != *heir.key {
        return Err(ProgramError::InvalidAccountData);
    }
    **chest.lamports.borrow_mut() -= grant.amount;
    **heir.lamports.borrow_mut() += grant.amount;
    grant.paid = true; // FINDING
    grant.serialize(&mut &mut grant_info.data.borrow_mut()[..])?;
    Ok(())
}
`,
    ],
    safe: [
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod drops {
    use super::*;
    pub fn claim(ctx: Context<Claim>) -> Result<()> {
        require!(!ctx.accounts.ticket.is_claimed, ErrorCode::Claimed);
        ctx.accounts.ticket.when = Clock::get()?.unix_timestamp;
        ctx.accounts.ticket.is_claimed = true;
        let accounts = Transfer { from: ctx.accounts.vault.to_account_info(), to: ctx.accounts.to.to_account_info(), authority: ctx.accounts.drop.to_account_info() };
        let context = CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, &[&[b"drop"]]);
        token::transfer(context, ctx.accounts.ticket.amount)
    }
}

#[derive(Accounts)]
pub struct Claim<'info> {
    #[account(seeds = [b"drop"], bump, has_one = vault)]
    pub drop: Account<'info, Drop>,
    #[account(mut, has_one = user)]
    pub ticket: Account<'info, Ticket>,
    pub user: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Drop { pub vault: Pubkey }

#[account]
pub struct Ticket { pub user: Pubkey, pub amount: u64, pub when: i64, pub is_claimed: bool }

#[error_code]
pub enum ErrorCode { Claimed }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod drops {
    use super::*;
    pub fn claim(ctx: Context<Claim>) -> Result<()> {
        require!(!ctx.accounts.ticket.claimed, ErrorCode::Claimed);
        ctx.accounts.ticket.claimed = true;
        pay(&ctx, ctx.accounts.ticket.amount)
    }
    /// Another field of the record is asked that changes here.
    pub fn redeem(ctx: Context<Claim>) -> Result<()> {
        require!(ctx.accounts.ticket.stage == Stage::Open, ErrorCode::Claimed);
        ctx.accounts.ticket.stage = Stage::Redeemed;
        ctx.accounts.ticket.claimed = true;
        pay(&ctx, ctx.accounts.ticket.amount)
    }
    /// The second time there is nothing left to be paid.
    pub fn take(ctx: Context<Claim>) -> Result<()> {
        let amount = ctx.accounts.ticket.amount;
        ctx.accounts.ticket.amount = 0;
        ctx.accounts.ticket.claimed = true;
        pay(&ctx, amount)
    }
    /// Nor in the vault.
    pub fn sweep(ctx: Context<Claim>) -> Result<()> {
        ctx.accounts.ticket.claimed = true;
        pay(&ctx, ctx.accounts.vault.amount)
    }
    /// Nothing is paid.
    pub fn note(ctx: Context<Claim>) -> Result<()> {
        ctx.accounts.ticket.claimed = true;
        ctx.accounts.ticket.amount += 1;
        Ok(())
    }
    /// It is no mark that something is over.
    pub fn borrow(ctx: Context<Claim>) -> Result<()> {
        ctx.accounts.ticket.active = true;
        ctx.accounts.ticket.stage = Stage::Open;
        pay(&ctx, ctx.accounts.ticket.amount)
    }
    /// It is gone afterwards.
    pub fn close(ctx: Context<Close>) -> Result<()> {
        ctx.accounts.poll.yes += 1;
        ctx.accounts.ticket.claimed = true;
        Ok(())
    }
    /// Or has just been made.
    pub fn open(ctx: Context<Open>) -> Result<()> {
        ctx.accounts.poll.yes += 1;
        ctx.accounts.ticket.claimed = true;
        Ok(())
    }
    /// Whoever decides for all may do so again.
    pub fn decide(ctx: Context<Decide>) -> Result<()> {
        ctx.accounts.poll.yes += 1;
        ctx.accounts.ticket.claimed = true;
        Ok(())
    }
}

fn pay(ctx: &Context<Claim>, amount: u64) -> Result<()> {
    let accounts = Transfer {
        from: ctx.accounts.vault.to_account_info(),
        to: ctx.accounts.purse.to_account_info(),
        authority: ctx.accounts.hall.to_account_info(),
    };
    let seeds: &[&[&[u8]]] = &[&[b"hall", &[ctx.bumps.hall]]];
    token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, seeds), amount)
}

#[derive(Accounts)]
pub struct Claim<'info> {
    #[account(mut, has_one = user)]
    pub ticket: Account<'info, Ticket>,
    #[account(mut, seeds = [b"vault"], bump)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut, token::authority = user)]
    pub purse: Account<'info, TokenAccount>,
    /// CHECK: signs
    #[account(seeds = [b"hall"], bump)]
    pub hall: UncheckedAccount<'info>,
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Close<'info> {
    #[account(mut, has_one = user, close = user)]
    pub ticket: Account<'info, Ticket>,
    #[account(mut)]
    pub poll: Account<'info, Poll>,
    #[account(mut)]
    pub user: Signer<'info>,
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(init, payer = user, space = 64)]
    pub ticket: Account<'info, Ticket>,
    #[account(mut)]
    pub poll: Account<'info, Poll>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Decide<'info> {
    #[account(mut)]
    pub ticket: Account<'info, Ticket>,
    #[account(mut)]
    pub poll: Account<'info, Poll>,
    #[account(address = CHAIR)]
    pub chair: Signer<'info>,
}

pub const CHAIR: Pubkey = pubkey!("V4v1mQiAdLz4qwckEb45WqHYceYizoib39cDBHSWfaB");

#[account]
pub struct Ticket { pub user: Pubkey, pub amount: u64, pub claimed: bool, pub active: bool, pub stage: Stage }

#[account]
pub struct Poll { pub yes: u64 }

#[derive(AnchorSerialize, AnchorDeserialize, Clone, PartialEq)]
pub enum Stage { Open, Redeemed }

#[error_code]
pub enum ErrorCode { Claimed }
`,
      `use solana_program::account_info::AccountInfo;
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Grant { pub heir: Pubkey, pub amount: u64, pub paid: bool }

impl Grant {
    fn is_open(&self) -> bool {
        !self.paid
    }
}

pub fn release(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let [grant_info, chest, heir] = accounts else { return Err(ProgramError::NotEnoughAccountKeys) };
    if grant_info.owner != program_id || !heir.is_signer {
        return Err(ProgramError::IllegalOwner);
    }
    let mut grant = Grant::try_from_slice(&grant_info.data.borrow())?;
    if grant.heir != *heir.key || !grant.is_open() {
        return Err(ProgramError::InvalidAccountData);
    }
    **chest.lamports.borrow_mut() -= grant.amount;
    **heir.lamports.borrow_mut() += grant.amount;
    grant.paid = true;
    grant.serialize(&mut &mut grant_info.data.borrow_mut()[..])?;
    Ok(())
}
`,
    ],
  },
}
