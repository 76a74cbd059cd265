import { indexBy } from "../../../indexBy.ts"
import { oncePer } from "../../../oncePer.ts"
import { definitionOf, type RustType } from "../../../rust/crate/types.ts"
import type { Rule } from "../../../Rule.ts"
import { isMintType, isTokenAccountType, readType } from "../../questions/identity.ts"
import { isChangedBy } from "../../questions/changedByCall.ts"
import {
  type Account,
  accountsInTransaction,
  type Cpi,
  type Instruction,
  type SolanaProgram,
} from "../../program/model.ts"
import { movesValue } from "../../questions/cpi.ts"
import { amountOf } from "../../questions/paidAmounts.ts"
import { roleOf } from "../../questions/signedCpi.ts"
import { cpisOf, usesOf } from "../../questions/questions.ts"
import { accountOfState } from "../../program/semantics.ts"
import { mentions, type Term } from "../../../rust/terms/terms.ts"
import { type Event, type WalkScope, ofKind, siteIn } from "../../../rust/terms/events.ts"
import { beyond } from "../../../rust/terms/facts.ts"
import { placeOf } from "../../../rust/placeOf.ts"

export const staleAfterCpi: Rule<SolanaProgram> = {
  meta: {
    id: "solana/state-management/stale-after-cpi",
    class: "stale-account-after-cpi",
    title: "Stale account data after a CPI",
    severity: "high",
    confidence: "medium",
    cwe: [362, 672],
    description:
      "Anchor deserializes an account once, before the handler runs. A call to another program changes the " +
      "account's bytes but not that copy, so a balance or a supply read afterwards has its value from before " +
      "the call. Rewards, shares and checks computed from it are wrong, and an attacker repeats the operation " +
      "to be credited with the difference.",
    remediation: "Call `account.reload()?` between the CPI and the first use of the new value.",
    references: [
      "https://solana.com/developers/courses/program-security/account-reloading",
      "https://docs.rs/anchor-lang/latest/anchor_lang/accounts/account/struct.Account.html#method.reload",
    ],
  },
  check: (program, report) => {
    for (const { instructions } of program.crates)
      for (const instruction of instructions) {
        const cpis = cpisOf(instruction)
        for (const copy of copiesIn(instruction, cpis)) {
          const stale = staleRead(instruction, copy, cpis)
          if (stale === undefined) continue
          const { read, cpi, isTold } = stale
          report({
            ...placeOf(read),
            ...(isTold ? { severity: "low" as const } : {}),
            message: `${copy.name} was changed by an earlier call and is not reloaded.`,
            trace: [
              { file: cpi.event.file, span: cpi.event.node, note: "The call changes the account" },
              { file: read.file, span: read.node, note: "The value from before the call is read" },
            ],
          })
        }
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
        let before = ctx.accounts.vault.amount;
        let accounts = Transfer {
            from: ctx.accounts.from.to_account_info(),
            to: ctx.accounts.vault.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount)?;
        ctx.accounts.record.balance += ctx.accounts.vault.amount - before; // FINDING
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
      `use anchor_lang::prelude::*;
use anchor_spl::token_interface::{self, BurnChecked, Mint, TokenAccount, TokenInterface};

#[program]
pub mod shares {
    use super::*;

    pub fn burn(ctx: Context<BurnShares>, amount: u64) -> Result<()> {
        ctx.accounts.burn_some(amount)?;
        msg!("{}", ctx.accounts.shares.supply); // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct BurnShares<'info> {
    #[account(mut)]
    pub shares: InterfaceAccount<'info, Mint>,
    #[account(mut, token::mint = shares)]
    pub from: InterfaceAccount<'info, TokenAccount>,
    pub user: Signer<'info>,
    pub token_program: Interface<'info, TokenInterface>,
}

impl<'info> BurnShares<'info> {
    fn burn_some(&self, amount: u64) -> Result<()> {
        let accounts = BurnChecked {
            mint: self.shares.to_account_info(),
            from: self.from.to_account_info(),
            authority: self.user.to_account_info(),
        };
        let context = CpiContext::new(self.token_program.to_account_info(), accounts);
        token_interface::burn_checked(context, amount, self.shares.decimals)
    }
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::program_pack::Pack;
use solana_program::{entrypoint::ProgramResult, program::invoke, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Book {
    pub vault: Pubkey,
    pub worth: u64,
}

pub fn add(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let who = next_account_info(iter)?;
    let book_info = next_account_info(iter)?;
    let vault = next_account_info(iter)?;
    let from = next_account_info(iter)?;
    let mut book = Book::try_from_slice(&book_info.data.borrow())?;
    if book_info.owner != program_id || book.vault != *vault.key {
        return Err(ProgramError::InvalidAccountData);
    }
    let held = spl_token::state::Account::unpack(&vault.data.borrow())?;
    invoke(
        &spl_token::instruction::transfer(&spl_token::ID, from.key, vault.key, who.key, &[], amount)?,
        &[from.clone(), vault.clone(), who.clone()],
    )?;
    book.worth = held.amount; // FINDING
    book.serialize(&mut *book_info.data.borrow_mut())?;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Approve, Mint, Token, TokenAccount, Transfer};

#[program]
pub mod bank {
    use super::*;

    pub fn read(ctx: Context<Change>, amount: u64, other: u64) -> Result<()> {
        token::transfer(moved(&ctx), amount)?;
        ctx.accounts.record.balance = ctx.accounts.vault.amount; // FINDING
        Ok(())
    }

    pub fn sent(ctx: Context<Change>, amount: u64, other: u64) -> Result<()> {
        token::transfer(moved(&ctx), amount)?;
        ctx.accounts.record.balance = ctx.accounts.from.amount; // FINDING
        Ok(())
    }

    pub fn fixed(ctx: Context<Change>, amount: u64, other: u64) -> Result<()> {
        token::transfer(moved(&ctx), amount)?;
        ctx.accounts.record.mint = ctx.accounts.vault.mint;
        Ok(())
    }

    pub fn data_only(ctx: Context<Change>, amount: u64, other: u64) -> Result<()> {
        token::transfer(moved(&ctx), amount)?;
        ctx.accounts.record.balance = ctx.accounts.vault.data;
        Ok(())
    }

    pub fn before(ctx: Context<Change>, amount: u64, other: u64) -> Result<()> {
        ctx.accounts.record.balance = ctx.accounts.vault.amount;
        token::transfer(moved(&ctx), amount)?;
        Ok(())
    }

    pub fn reloaded(ctx: Context<Change>, amount: u64, other: u64) -> Result<()> {
        token::transfer(moved(&ctx), amount)?;
        ctx.accounts.vault.reload()?;
        ctx.accounts.record.balance = ctx.accounts.vault.amount;
        Ok(())
    }

    pub fn other_reloaded(ctx: Context<Change>, amount: u64, other: u64) -> Result<()> {
        token::transfer(moved(&ctx), amount)?;
        ctx.accounts.from.reload()?;
        ctx.accounts.record.balance = ctx.accounts.vault.amount; // FINDING
        Ok(())
    }

    pub fn named(ctx: Context<Change>, amount: u64, other: u64) -> Result<()> {
        token::transfer(moved(&ctx), amount)?;
        ctx.accounts.vault.exchange()?;
        ctx.accounts.record.balance = ctx.accounts.vault.amount; // FINDING
        Ok(())
    }

    pub fn read_again(ctx: Context<Change>, amount: u64, other: u64) -> Result<()> {
        token::transfer(moved(&ctx), amount)?;
        let fresh = TokenAccount::try_deserialize(&mut &ctx.accounts.vault.to_account_info().data.borrow()[..])?;
        ctx.accounts.record.balance = fresh.amount;
        Ok(())
    }

    pub fn own(ctx: Context<Change>, amount: u64, other: u64) -> Result<()> {
        token::transfer(moved(&ctx), amount)?;
        ctx.accounts.record.balance = ctx.accounts.record.other;
        Ok(())
    }

    pub fn third(ctx: Context<Change>, amount: u64, other: u64) -> Result<()> {
        token::transfer(moved(&ctx), amount)?;
        ctx.accounts.record.balance = ctx.accounts.third.amount;
        Ok(())
    }

    pub fn minted(ctx: Context<Change>, amount: u64, other: u64) -> Result<()> {
        token::transfer(moved(&ctx), amount)?;
        ctx.accounts.record.balance = ctx.accounts.mint.supply;
        Ok(())
    }

    pub fn allowed(ctx: Context<Change>, amount: u64, other: u64) -> Result<()> {
        token::approve(allowed(&ctx), amount)?;
        ctx.accounts.record.balance = ctx.accounts.helper.amount;
        Ok(())
    }

    pub fn either(ctx: Context<Change>, amount: u64, other: u64) -> Result<()> {
        if amount > 5 {
            token::transfer(moved(&ctx), amount)?;
        } else {
            ctx.accounts.record.balance = ctx.accounts.vault.amount;
        }
        Ok(())
    }

    pub fn branch(ctx: Context<Change>, amount: u64, other: u64) -> Result<()> {
        if amount > 5 {
            token::transfer(moved(&ctx), amount)?;
        }
        if other > 5 {
            ctx.accounts.record.balance = ctx.accounts.vault.amount; // FINDING
        }
        Ok(())
    }

    pub fn not_both(ctx: Context<Change>, amount: u64, other: u64) -> Result<()> {
        if amount > 5 {
            token::transfer(moved(&ctx), amount)?;
        }
        if amount <= 5 {
            ctx.accounts.record.balance = ctx.accounts.vault.amount;
        }
        Ok(())
    }

    pub fn flagged(ctx: Context<Change>, amount: u64, other: u64) -> Result<()> {
        let flag = ctx.accounts.record.flag;
        if flag {
            token::transfer(moved(&ctx), amount)?;
        }
        if !flag {
            ctx.accounts.record.balance = ctx.accounts.vault.amount;
        }
        Ok(())
    }

    pub fn matched(ctx: Context<Change>, amount: u64, other: u64) -> Result<()> {
        match amount {
            1 => {
                token::transfer(moved(&ctx), amount)?;
            }
            _ => {
                ctx.accounts.record.balance = ctx.accounts.vault.amount;
            }
        }
        Ok(())
    }

    pub fn matched_twice(ctx: Context<Change>, amount: u64, other: u64) -> Result<()> {
        match amount {
            1 => {
                token::transfer(moved(&ctx), amount)?;
            }
            _ => {}
        }
        match other {
            1 => {
                ctx.accounts.record.balance = ctx.accounts.vault.amount; // FINDING
            }
            _ => {}
        }
        Ok(())
    }

    pub fn none(ctx: Context<Change>, amount: u64, other: u64) -> Result<()> {
        ctx.accounts.record.balance = ctx.accounts.vault.amount;
        Ok(())
    }
}

fn moved<'a, 'b, 'c, 'info>(ctx: &Context<'a, 'b, 'c, 'info, Change<'info>>) -> CpiContext<'a, 'b, 'c, 'info, Transfer<'info>> {
    let accounts = Transfer {
        from: ctx.accounts.from.to_account_info(),
        to: ctx.accounts.vault.to_account_info(),
        authority: ctx.accounts.user.to_account_info(),
    };
    CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts)
}

fn allowed<'a, 'b, 'c, 'info>(ctx: &Context<'a, 'b, 'c, 'info, Change<'info>>) -> CpiContext<'a, 'b, 'c, 'info, Approve<'info>> {
    let accounts = Approve {
        to: ctx.accounts.from.to_account_info(),
        delegate: ctx.accounts.helper.to_account_info(),
        authority: ctx.accounts.user.to_account_info(),
    };
    CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts)
}

#[derive(Accounts)]
pub struct Change<'info> {
    #[account(mut, has_one = user, has_one = vault)]
    pub record: Account<'info, Record>,
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    pub third: Account<'info, TokenAccount>,
    pub helper: Account<'info, TokenAccount>,
    #[account(mut)]
    pub mint: Account<'info, Mint>,
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Record { pub user: Pubkey, pub vault: Pubkey, pub mint: Pubkey, pub balance: u64, pub other: u64, pub flag: bool }
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::program::invoke;
use solana_program::program_pack::Pack;
use solana_program::{entrypoint::ProgramResult, msg, pubkey::Pubkey};
use spl_token::state::{Account, Mint};

/// Reading the receipt again does not read the mint again.
pub fn mint(_program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let mint = next_account_info(iter)?;
    let receipt = next_account_info(iter)?;
    let authority = next_account_info(iter)?;
    let shares = Mint::unpack(&mint.data.borrow())?;
    let minted = spl_token::instruction::mint_to(&spl_token::id(), mint.key, receipt.key, authority.key, &[], amount)?;
    invoke(&minted, &[mint.clone(), receipt.clone(), authority.clone()])?;
    let held = Account::unpack(&receipt.data.borrow())?;
    msg!("{} of {}", held.amount, shares.supply); // FINDING
    Ok(())
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod pools {
    use super::*;

    pub fn settle(ctx: Context<Settle>, side: Side, amount: u64) -> Result<()> {
        match side {
            Side::Long => {
                token::transfer(ctx.accounts.transfer(), amount)?;
                ctx.accounts.pool.held = ctx.accounts.vault.amount; // FINDING
            }
            Side::Short => ctx.accounts.pool.debt += amount,
        }
        Ok(())
    }
}

#[derive(AnchorSerialize, AnchorDeserialize, Clone, Copy)]
pub enum Side {
    Long,
    Short,
}

#[derive(Accounts)]
pub struct Settle<'info> {
    #[account(mut)]
    pub pool: Account<'info, Pool>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    pub owner: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

impl<'info> Settle<'info> {
    fn transfer(&self) -> CpiContext<'_, '_, '_, 'info, Transfer<'info>> {
        let accounts = Transfer {
            from: self.from.to_account_info(),
            to: self.vault.to_account_info(),
            authority: self.owner.to_account_info(),
        };
        CpiContext::new(self.token_program.to_account_info(), accounts)
    }
}

#[account]
pub struct Pool {
    pub held: u64,
    pub debt: u64,
}
`,
      `use anchor_lang::prelude::*;
use council::{Motion, cpi::{self, accounts::Vote as CouncilVote}};

#[program]
pub mod seats {
    use super::*;
    pub fn vote(ctx: Context<Vote>) -> Result<()> {
        let accounts = CouncilVote { motion: ctx.accounts.motion.to_account_info() };
        cpi::vote(CpiContext::new(ctx.accounts.council.to_account_info(), accounts))?;
        ctx.accounts.seat.newest = ctx.accounts.motion.voted_at; // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Vote<'info> {
    #[account(mut)]
    pub seat: Account<'info, Seat>,
    #[account(mut)]
    pub motion: Account<'info, Motion>,
    pub council: Program<'info, Council>,
}

#[account]
pub struct Seat { pub newest: i64 }
`,
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::{instruction::{AccountMeta, Instruction}, program::{invoke, invoke_signed}};
use anchor_spl::token::TokenAccount;

#[program]
pub mod desk {
    use super::*;

    pub fn route(ctx: Context<Route>, data: Vec<u8>) -> Result<()> {
        let before = ctx.accounts.purse.amount;
        let accounts: Vec<AccountMeta> = ctx
            .remaining_accounts
            .iter()
            .map(|one| AccountMeta { pubkey: *one.key, is_signer: false, is_writable: one.is_writable })
            .collect();
        let swap = Instruction { program_id: ctx.accounts.router.key(), accounts, data };
        invoke_signed(&swap, ctx.remaining_accounts, &[&[b"desk", &[ctx.accounts.note.bump]]])?;
        ctx.accounts.note.gained += ctx.accounts.purse.amount.checked_sub(before).unwrap(); // FINDING
        Ok(())
    }

    pub fn forward(ctx: Context<Route>, data: Vec<u8>) -> Result<()> {
        let accounts = ctx.accounts.to_account_metas(None);
        let call = Instruction { program_id: ctx.accounts.router.key(), accounts, data };
        invoke(&call, &ctx.accounts.to_account_infos())?;
        ctx.accounts.note.gained = ctx.accounts.purse.amount; // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Route<'info> {
    pub owner: Signer<'info>,
    #[account(mut)]
    pub purse: Account<'info, TokenAccount>,
    #[account(mut, has_one = owner)]
    pub note: Account<'info, Note>,
    /// CHECK: the address is fixed
    #[account(address = ROUTER)]
    pub router: UncheckedAccount<'info>,
}

pub const ROUTER: Pubkey = pubkey!("Eg6PaFpoGXkYsidMpWTK6W2BeZ7FEfcYkg476zPFsLnS");

#[account]
pub struct Note {
    pub owner: Pubkey,
    pub gained: u64,
    pub bump: u8,
}
`,
      // One of two accounts by the direction; accounts that follow those of the instruction.
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Mint, MintTo, Token, TokenAccount, Transfer};

#[program]
pub mod bank {
    use super::*;
    pub fn swap(ctx: Context<Trade>, amount: u64, back: bool) -> Result<()> {
        let before = ctx.accounts.vault.amount;
        let (one, other) = if back {
            (ctx.accounts.vault.clone(), ctx.accounts.store.clone())
        } else {
            (ctx.accounts.store.clone(), ctx.accounts.vault.clone())
        };
        pay(&ctx.accounts.user, &one.to_account_info(), &other.to_account_info(), &ctx.accounts.token_program, amount)?;
        ctx.accounts.record.balance = u64::max(ctx.accounts.vault.amount.checked_sub(before).unwrap(), 1); // FINDING
        msg!("{}", amount);
        Ok(())
    }
    pub fn supplies<'info>(ctx: Context<'_, '_, '_, 'info, Trade<'info>>, amount: u64) -> Result<()> {
        let mut mints = mints(ctx.remaining_accounts)?;
        let mut purses = purses(ctx.remaining_accounts)?;
        let supplies = mints.iter().map(|one| one.supply).collect::<Vec<u64>>();
        let amounts = purses.iter().map(|one| one.amount).collect::<Vec<u64>>();
        for (mint, purse) in mints.iter().zip(purses.iter()) {
            let accounts = MintTo { mint: mint.to_account_info(), to: purse.to_account_info(), authority: ctx.accounts.user.to_account_info() };
            token::mint_to(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount)?;
        }
        for (i, mint) in mints.iter_mut().enumerate() {
            require_eq!(mint.supply, supplies[i] + amount, Bad::Sum); // FINDING
        }
        for (i, purse) in purses.iter_mut().enumerate() {
            purse.reload()?;
            require_eq!(purse.amount, amounts[i] + amount, Bad::Sum);
        }
        Ok(())
    }
    pub fn amounts<'info>(ctx: Context<'_, '_, '_, 'info, Trade<'info>>, amount: u64) -> Result<()> {
        let mut mints = mints(ctx.remaining_accounts)?;
        let mut purses = purses(ctx.remaining_accounts)?;
        let supplies = mints.iter().map(|one| one.supply).collect::<Vec<u64>>();
        let amounts = purses.iter().map(|one| one.amount).collect::<Vec<u64>>();
        for (mint, purse) in mints.iter().zip(purses.iter()) {
            let accounts = MintTo { mint: mint.to_account_info(), to: purse.to_account_info(), authority: ctx.accounts.user.to_account_info() };
            token::mint_to(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount)?;
        }
        for (i, mint) in mints.iter_mut().enumerate() {
            mint.reload()?;
            require_eq!(mint.supply, supplies[i] + amount, Bad::Sum);
        }
        for (i, purse) in purses.iter_mut().enumerate() {
            require_eq!(purse.amount, amounts[i] + amount, Bad::Sum); // FINDING
        }
        Ok(())
    }
    pub fn spend<'info>(ctx: Context<'_, '_, '_, 'info, Trade<'info>>, amount: u64) -> Result<()> {
        for purse in purses(ctx.remaining_accounts)?.iter() {
            pay(&ctx.accounts.user, &purse.to_account_info(), &ctx.accounts.store.to_account_info(), &ctx.accounts.token_program, amount)?;
            msg!("{}", purse.amount); // FINDING
        }
        Ok(())
    }
    pub fn again<'info>(ctx: Context<'_, '_, '_, 'info, Trade<'info>>, amount: u64) -> Result<()> {
        for mint in mints(ctx.remaining_accounts)?.iter() {
            let accounts = MintTo { mint: mint.to_account_info(), to: ctx.accounts.store.to_account_info(), authority: ctx.accounts.user.to_account_info() };
            token::mint_to(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount)?;
            let purses = purses(ctx.remaining_accounts)?;
            msg!("{} {}", mint.supply, purses.len()); // FINDING
        }
        Ok(())
    }
    pub fn parsed<'info>(ctx: Context<'_, '_, '_, 'info, Trade<'info>>, amount: u64) -> Result<()> {
        for mint in mints(ctx.remaining_accounts)?.iter() {
            let accounts = MintTo { mint: mint.to_account_info(), to: ctx.accounts.store.to_account_info(), authority: ctx.accounts.user.to_account_info() };
            token::mint_to(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount)?;
            for one in ctx.remaining_accounts {
                let purse = TokenAccount::try_deserialize(&mut &one.data.borrow()[..])?;
                msg!("{} {}", mint.supply, purse.amount); // FINDING
            }
        }
        Ok(())
    }
}

fn pay<'info>(user: &Signer<'info>, from: &AccountInfo<'info>, to: &AccountInfo<'info>, program: &Program<'info, Token>, amount: u64) -> Result<()> {
    let accounts = Transfer { from: from.to_account_info(), to: to.to_account_info(), authority: user.to_account_info() };
    token::transfer(CpiContext::new(program.to_account_info(), accounts), amount)
}

fn mints<'info>(all: &[AccountInfo<'info>]) -> Result<Vec<Account<'info, Mint>>> {
    let mut mints = vec![];
    for one in all {
        mints.push(Account::<Mint>::try_from(one)?);
    }
    Ok(mints)
}

fn purses<'info>(all: &[AccountInfo<'info>]) -> Result<Vec<Account<'info, TokenAccount>>> {
    let mut purses = vec![];
    for one in all {
        purses.push(Account::<TokenAccount>::try_from(one)?);
    }
    Ok(purses)
}

#[derive(Accounts)]
pub struct Trade<'info> {
    #[account(mut, has_one = user, has_one = vault, has_one = store)]
    pub record: Account<'info, Record>,
    #[account(mut)]
    pub store: Account<'info, TokenAccount>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[error_code]
pub enum Bad { Sum }

#[account]
pub struct Record { pub user: Pubkey, pub vault: Pubkey, pub store: Pubkey, pub balance: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, SetAuthority, Token, TokenAccount, Transfer};

#[program]
pub mod desk {
    use super::*;
    // The wrong way, another amount, or only one of two.
    pub fn put(ctx: Context<Put>, amount: u64) -> Result<()> {
        pay(&ctx.accounts.user, &ctx.accounts.purse.to_account_info(), &ctx.accounts.vault.to_account_info(), &ctx.accounts.token_program, amount)?;
        ctx.accounts.record.balance = ctx.accounts.vault.amount.saturating_sub(amount); // FINDING
        ctx.accounts.record.rest = ctx.accounts.purse.amount + amount; // FINDING
        Ok(())
    }
    pub fn put_more(ctx: Context<Put>, amount: u64, more: u64) -> Result<()> {
        pay(&ctx.accounts.user, &ctx.accounts.purse.to_account_info(), &ctx.accounts.vault.to_account_info(), &ctx.accounts.token_program, amount)?;
        ctx.accounts.record.balance = ctx.accounts.vault.amount.saturating_add(more); // FINDING
        ctx.accounts.record.rest = ctx.accounts.purse.amount - more; // FINDING
        Ok(())
    }
    pub fn put_twice(ctx: Context<Put>, amount: u64) -> Result<()> {
        pay(&ctx.accounts.user, &ctx.accounts.purse.to_account_info(), &ctx.accounts.vault.to_account_info(), &ctx.accounts.token_program, amount)?;
        pay(&ctx.accounts.user, &ctx.accounts.purse.to_account_info(), &ctx.accounts.vault.to_account_info(), &ctx.accounts.token_program, amount)?;
        ctx.accounts.record.balance = ctx.accounts.vault.amount.saturating_add(amount); // FINDING
        Ok(())
    }
    // Only listeners are told: low.
    pub fn tell(ctx: Context<Put>, amount: u64) -> Result<()> {
        pay(&ctx.accounts.user, &ctx.accounts.purse.to_account_info(), &ctx.accounts.vault.to_account_info(), &ctx.accounts.token_program, amount)?;
        emit_cpi!(Paid {
            by: ctx.accounts.user.key(),
            before: ctx.accounts.vault.amount, // FINDING
            total: total(&ctx.accounts.record),
        });
        Ok(())
    }
}

fn pay<'info>(user: &Signer<'info>, from: &AccountInfo<'info>, to: &AccountInfo<'info>, program: &Program<'info, Token>, amount: u64) -> Result<()> {
    let accounts = Transfer { from: from.to_account_info(), to: to.to_account_info(), authority: user.to_account_info() };
    token::transfer(CpiContext::new(program.to_account_info(), accounts), amount)
}

fn total(record: &Record) -> u64 { record.balance + 1 }

#[derive(Accounts)]
pub struct Put<'info> {
    #[account(mut, has_one = user, has_one = vault)]
    pub record: Account<'info, Record>,
    #[account(mut, token::authority = user)]
    pub purse: Account<'info, TokenAccount>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[event]
pub struct Paid { pub before: u64, pub total: u64, pub by: Pubkey }

#[account]
pub struct Record { pub user: Pubkey, pub vault: Pubkey, pub balance: u64, pub rest: u64, pub left: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Mint, MintTo, Token, TokenAccount, Transfer};

/// Something hangs on each value from before the call.
#[program]
pub mod bank {
    use super::*;

    pub fn limited(ctx: Context<Move>, amount: u64, fee: u64) -> Result<()> {
        pay_in(&ctx, amount)?;
        require!(ctx.accounts.vault.amount + fee < ctx.accounts.record.limit, Bad::Sum); // FINDING
        Ok(())
    }

    pub fn expected(ctx: Context<Move>, amount: u64) -> Result<()> {
        pay_in(&ctx, amount)?;
        require!(ctx.accounts.vault.amount == ctx.accounts.record.limit, Bad::Sum); // FINDING
        Ok(())
    }

    pub fn noted(ctx: Context<Move>, amount: u64, fee: u64) -> Result<()> {
        pay_in(&ctx, amount)?;
        require!(ctx.accounts.record.limit == ctx.accounts.vault.amount + fee, Bad::Sum); // FINDING
        ctx.accounts.record.total = ctx.accounts.vault.amount;
        Ok(())
    }

    pub fn passed_on(ctx: Context<Move>, amount: u64, nonce: u64) -> Result<()> {
        pay_in(&ctx, amount)?;
        require!(ctx.accounts.record.nonce == nonce, Bad::Sum);
        let held = ctx.accounts.vault.amount; // FINDING
        pay_in(&ctx, held)
    }

    pub fn minted(ctx: Context<Move>, amount: u64) -> Result<()> {
        let accounts = MintTo {
            mint: ctx.accounts.mint.to_account_info(),
            to: ctx.accounts.from.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        token::mint_to(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount)?;
        ctx.accounts.record.total = ctx.accounts.mint.supply; // FINDING
        Ok(())
    }
}

fn pay_in(ctx: &Context<Move>, amount: u64) -> Result<()> {
    let accounts = Transfer {
        from: ctx.accounts.from.to_account_info(),
        to: ctx.accounts.vault.to_account_info(),
        authority: ctx.accounts.user.to_account_info(),
    };
    token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount)
}

#[derive(Accounts)]
pub struct Move<'info> {
    #[account(mut, has_one = user, has_one = vault, has_one = mint)]
    pub record: Account<'info, Record>,
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub mint: Account<'info, Mint>,
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Record {
    pub user: Pubkey,
    pub vault: Pubkey,
    pub mint: Pubkey,
    pub limit: u64,
    pub nonce: u64,
    pub total: u64,
}

#[error_code]
pub enum Bad { Sum }
`,
    ],
    safe: [
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, SetAuthority, Token, TokenAccount, Transfer};

#[program]
pub mod desk {
    use super::*;
    // What was moved is added, or taken off.
    pub fn put(ctx: Context<Put>, amount: u64) -> Result<()> {
        pay(&ctx.accounts.user, &ctx.accounts.purse.to_account_info(), &ctx.accounts.vault.to_account_info(), &ctx.accounts.token_program, amount)?;
        ctx.accounts.record.balance = ctx.accounts.vault.amount.saturating_add(amount);
        ctx.accounts.record.rest = ctx.accounts.purse.amount - amount;
        ctx.accounts.record.left = ctx.accounts.purse.amount.saturating_sub(amount);
        Ok(())
    }
    // Whose it is changes, not how much it is.
    pub fn hand_over(ctx: Context<Put>) -> Result<()> {
        let accounts = SetAuthority { current_authority: ctx.accounts.user.to_account_info(), account_or_mint: ctx.accounts.purse.to_account_info() };
        token::set_authority(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), token::spl_token::instruction::AuthorityType::AccountOwner, Some(ctx.accounts.vault.key()))?;
        ctx.accounts.record.rest = ctx.accounts.purse.amount;
        Ok(())
    }
}

fn pay<'info>(user: &Signer<'info>, from: &AccountInfo<'info>, to: &AccountInfo<'info>, program: &Program<'info, Token>, amount: u64) -> Result<()> {
    let accounts = Transfer { from: from.to_account_info(), to: to.to_account_info(), authority: user.to_account_info() };
    token::transfer(CpiContext::new(program.to_account_info(), accounts), amount)
}

fn total(record: &Record) -> u64 { record.balance + 1 }

#[derive(Accounts)]
pub struct Put<'info> {
    #[account(mut, has_one = user, has_one = vault)]
    pub record: Account<'info, Record>,
    #[account(mut, token::authority = user)]
    pub purse: Account<'info, TokenAccount>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[event]
pub struct Paid { pub before: u64, pub total: u64, pub by: Pubkey }

#[account]
pub struct Record { pub user: Pubkey, pub vault: Pubkey, pub balance: u64, pub rest: u64, pub left: u64 }
`,
      // Frozen accounts hold as much as before.
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, FreezeAccount, Mint, ThawAccount, Token, TokenAccount, Transfer};

#[program]
pub mod passes {
    use super::*;
    pub fn hand_on(ctx: Context<HandOn>) -> Result<()> {
        let a = &ctx.accounts;
        let thaw = ThawAccount { account: a.source.to_account_info(), mint: a.mint.to_account_info(), authority: a.owner.to_account_info() };
        token::thaw_account(CpiContext::new(a.token_program.to_account_info(), thaw))?;
        let transfer = Transfer { from: a.source.to_account_info(), to: a.target.to_account_info(), authority: a.owner.to_account_info() };
        token::transfer(CpiContext::new(a.token_program.to_account_info(), transfer), a.source.amount)?;
        let freeze = FreezeAccount { account: a.target.to_account_info(), mint: a.mint.to_account_info(), authority: a.owner.to_account_info() };
        token::freeze_account(CpiContext::new(a.token_program.to_account_info(), freeze))?;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct HandOn<'info> {
    #[account(mut)]
    pub source: Account<'info, TokenAccount>,
    #[account(mut)]
    pub target: Account<'info, TokenAccount>,
    pub mint: Account<'info, Mint>,
    pub owner: Signer<'info>,
    pub token_program: Program<'info, Token>,
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod bank {
    use super::*;

    pub fn deposit(ctx: Context<Deposit>, amount: u64) -> Result<()> {
        let before = ctx.accounts.vault.amount;
        let accounts = Transfer {
            from: ctx.accounts.from.to_account_info(),
            to: ctx.accounts.vault.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount)?;
        ctx.accounts.vault.reload()?;
        ctx.accounts.record.balance += ctx.accounts.vault.amount - before;
        msg!("{}", ctx.accounts.vault.mint);
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
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod bank {
    use super::*;

    pub fn sweep(ctx: Context<Sweep>) -> Result<()> {
        let all = ctx.accounts.vault.amount;
        let accounts = Transfer {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), all)?;
        msg!("{}", all);
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Sweep<'info> {
    #[account(mut, token::authority = user)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut, token::authority = user)]
    pub to: Account<'info, TokenAccount>,
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}
`,
      `use amm::state::Market;
use anchor_lang::prelude::*;
use anchor_lang::system_program;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod pools {
    use super::*;

    pub fn settle(ctx: Context<Settle>, side: Side, amount: u64) -> Result<()> {
        match side {
            Side::Long => token::transfer(ctx.accounts.transfer(), amount)?,
            Side::Short => ctx.accounts.pool.held = ctx.accounts.vault.amount,
        }
        Ok(())
    }

    // An authority only signs.
    pub fn pay(ctx: Context<Pay>, amount: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.from.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.market.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount)?;
        msg!("{}", ctx.accounts.market.price);
        Ok(())
    }

    // No other program writes what this one stores in the pool.
    pub fn fund(ctx: Context<Fund>, amount: u64) -> Result<()> {
        let accounts = system_program::Transfer {
            from: ctx.accounts.owner.to_account_info(),
            to: ctx.accounts.pool.to_account_info(),
        };
        system_program::transfer(CpiContext::new(ctx.accounts.system_program.to_account_info(), accounts), amount)?;
        msg!("{}", ctx.accounts.pool.held);
        Ok(())
    }
}

#[derive(AnchorSerialize, AnchorDeserialize, Clone, Copy)]
pub enum Side {
    Long,
    Short,
}

#[derive(Accounts)]
pub struct Settle<'info> {
    #[account(mut)]
    pub pool: Account<'info, Pool>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    pub owner: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

impl<'info> Settle<'info> {
    fn transfer(&self) -> CpiContext<'_, '_, '_, 'info, Transfer<'info>> {
        let accounts = Transfer {
            from: self.from.to_account_info(),
            to: self.vault.to_account_info(),
            authority: self.owner.to_account_info(),
        };
        CpiContext::new(self.token_program.to_account_info(), accounts)
    }
}

#[derive(Accounts)]
pub struct Pay<'info> {
    pub market: Account<'info, Market>,
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Fund<'info> {
    #[account(mut)]
    pub pool: Account<'info, Pool>,
    #[account(mut)]
    pub owner: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Pool {
    pub held: u64,
}
`,
      `use anchor_lang::prelude::*;
use council::{Motion, cpi::{self, accounts::Vote as CouncilVote}};

#[program]
pub mod seats {
    use super::*;
    pub fn vote(ctx: Context<Vote>) -> Result<()> {
        let accounts = CouncilVote { motion: ctx.accounts.motion.to_account_info() };
        cpi::vote(CpiContext::new(ctx.accounts.council.to_account_info(), accounts))?;
        ctx.accounts.seat.newest = ctx.accounts.motion.created_at;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Vote<'info> {
    #[account(mut)]
    pub seat: Account<'info, Seat>,
    #[account(mut)]
    pub motion: Account<'info, Motion>,
    pub council: Program<'info, Council>,
}

#[account]
pub struct Seat { pub newest: i64 }
`,
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::{instruction::{AccountMeta, Instruction}, program::{invoke, invoke_signed}};
use anchor_spl::token::TokenAccount;

#[program]
pub mod desk {
    use super::*;

    pub fn route(ctx: Context<Route>, data: Vec<u8>) -> Result<()> {
        let before = ctx.accounts.purse.amount;
        let accounts: Vec<AccountMeta> = ctx
            .remaining_accounts
            .iter()
            .map(|one| AccountMeta { pubkey: *one.key, is_signer: false, is_writable: one.is_writable })
            .collect();
        let swap = Instruction { program_id: ctx.accounts.router.key(), accounts, data };
        invoke_signed(&swap, ctx.remaining_accounts, &[&[b"desk", &[ctx.accounts.note.bump]]])?;
        ctx.accounts.purse.reload()?;
        ctx.accounts.note.gained += ctx.accounts.purse.amount.checked_sub(before).unwrap();
        Ok(())
    }

    // What the unknown accounts are for has nothing to do with the purse.
    pub fn notify(ctx: Context<Route>, data: Vec<u8>) -> Result<()> {
        let accounts: Vec<AccountMeta> = ctx
            .remaining_accounts
            .iter()
            .map(|one| AccountMeta { pubkey: *one.key, is_signer: false, is_writable: one.is_writable })
            .collect();
        let call = Instruction { program_id: ctx.accounts.router.key(), accounts, data };
        invoke_signed(&call, ctx.remaining_accounts, &[&[b"desk", &[ctx.accounts.note.bump]]])?;
        ctx.accounts.note.gained = ctx.accounts.purse.amount;
        Ok(())
    }

    // Another program cannot write to what is not mutable.
    pub fn look(ctx: Context<Look>, data: Vec<u8>) -> Result<()> {
        let accounts = ctx.accounts.to_account_metas(None);
        let call = Instruction { program_id: ctx.accounts.router.key(), accounts, data };
        invoke(&call, &ctx.accounts.to_account_infos())?;
        ctx.accounts.note.gained = ctx.accounts.purse.amount;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Route<'info> {
    pub owner: Signer<'info>,
    #[account(mut)]
    pub purse: Account<'info, TokenAccount>,
    #[account(mut, has_one = owner)]
    pub note: Account<'info, Note>,
    /// CHECK: the address is fixed
    #[account(address = ROUTER)]
    pub router: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct Look<'info> {
    pub owner: Signer<'info>,
    pub purse: Account<'info, TokenAccount>,
    #[account(mut, has_one = owner)]
    pub note: Account<'info, Note>,
    /// CHECK: the address is fixed
    #[account(address = ROUTER)]
    pub router: UncheckedAccount<'info>,
}

pub const ROUTER: Pubkey = pubkey!("Eg6PaFpoGXkYsidMpWTK6W2BeZ7FEfcYkg476zPFsLnS");

#[account]
pub struct Note {
    pub owner: Pubkey,
    pub gained: u64,
    pub bump: u8,
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Approve, Mint, MintTo, Token, TokenAccount, Transfer, TransferChecked};

#[program]
pub mod bank {
    use super::*;
    pub fn swap(ctx: Context<Trade>, amount: u64, back: bool) -> Result<()> {
        let before = ctx.accounts.vault.amount;
        let (one, other) = if back {
            (ctx.accounts.vault.clone(), ctx.accounts.store.clone())
        } else {
            (ctx.accounts.store.clone(), ctx.accounts.vault.clone())
        };
        pay(&ctx.accounts.user, &one.to_account_info(), &other.to_account_info(), &ctx.accounts.token_program, amount)?;
        ctx.accounts.vault.reload()?;
        ctx.accounts.record.balance = ctx.accounts.vault.amount.checked_sub(before).unwrap();
        Ok(())
    }
    pub fn issue<'info>(ctx: Context<'_, '_, '_, 'info, Trade<'info>>, amount: u64) -> Result<()> {
        let mut mints = mints(ctx.remaining_accounts)?;
        let mut purses = purses(ctx.remaining_accounts)?;
        let supplies = mints.iter().map(|one| one.supply).collect::<Vec<u64>>();
        let amounts = purses.iter().map(|one| one.amount).collect::<Vec<u64>>();
        for (mint, purse) in mints.iter().zip(purses.iter()) {
            let accounts = MintTo { mint: mint.to_account_info(), to: purse.to_account_info(), authority: ctx.accounts.user.to_account_info() };
            token::mint_to(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount)?;
        }
        for (i, mint) in mints.iter_mut().enumerate() {
            mint.reload()?;
            require_eq!(mint.supply, supplies[i] + amount, Bad::Sum);
        }
        for (i, purse) in purses.iter_mut().enumerate() {
            purse.reload()?;
            require_eq!(purse.amount, amounts[i] + amount, Bad::Sum);
        }
        Ok(())
    }
    pub fn sent<'info>(ctx: Context<'_, '_, '_, 'info, Trade<'info>>, amount: u64) -> Result<()> {
        let mints = mints(ctx.remaining_accounts)?;
        let purses = purses(ctx.remaining_accounts)?;
        for purse in purses.iter() {
            pay(&ctx.accounts.user, &ctx.accounts.store.to_account_info(), &purse.to_account_info(), &ctx.accounts.token_program, amount)?;
        }
        for (mint, purse) in mints.iter().zip(purses.iter()) {
            msg!("{} {}", mint.supply, purse.owner);
        }
        Ok(())
    }
    /// What is read is what nothing was taken from.
    pub fn picked(ctx: Context<Trade>, amount: u64, first: bool) -> Result<()> {
        let from = if first { ctx.accounts.vault.clone() } else { ctx.accounts.store.clone() };
        pay(&ctx.accounts.user, &from.to_account_info(), &ctx.accounts.user.to_account_info(), &ctx.accounts.token_program, amount)?;
        if !first {
            msg!("{}", ctx.accounts.vault.amount);
        }
        Ok(())
    }
    /// Neither the mints nor the purses are what these calls change.
    pub fn others<'info>(ctx: Context<'_, '_, '_, 'info, Trade<'info>>, amount: u64) -> Result<()> {
        for (mint, purse) in mints(ctx.remaining_accounts)?.iter().zip(purses(ctx.remaining_accounts)?.iter()) {
            let accounts = MintTo { mint: ctx.accounts.vault.to_account_info(), to: purse.to_account_info(), authority: ctx.accounts.user.to_account_info() };
            token::mint_to(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount)?;
            msg!("{}", mint.supply);
        }
        Ok(())
    }
    pub fn checked<'info>(ctx: Context<'_, '_, '_, 'info, Trade<'info>>, amount: u64) -> Result<()> {
        for mint in mints(ctx.remaining_accounts)?.iter() {
            let accounts = TransferChecked { from: ctx.accounts.store.to_account_info(), mint: mint.to_account_info(), to: ctx.accounts.vault.to_account_info(), authority: ctx.accounts.user.to_account_info() };
            token::transfer_checked(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount, 6)?;
            msg!("{}", mint.supply);
        }
        Ok(())
    }
    pub fn allowed<'info>(ctx: Context<'_, '_, '_, 'info, Trade<'info>>, amount: u64) -> Result<()> {
        for purse in purses(ctx.remaining_accounts)?.iter() {
            let accounts = Approve { to: purse.to_account_info(), delegate: ctx.accounts.user.to_account_info(), authority: ctx.accounts.user.to_account_info() };
            token::approve(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount)?;
            let accounts = TransferChecked { from: ctx.accounts.store.to_account_info(), mint: purse.to_account_info(), to: ctx.accounts.vault.to_account_info(), authority: ctx.accounts.user.to_account_info() };
            token::transfer_checked(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount, 6)?;
            msg!("{}", purse.amount);
        }
        Ok(())
    }
}

fn pay<'info>(user: &Signer<'info>, from: &AccountInfo<'info>, to: &AccountInfo<'info>, program: &Program<'info, Token>, amount: u64) -> Result<()> {
    let accounts = Transfer { from: from.to_account_info(), to: to.to_account_info(), authority: user.to_account_info() };
    token::transfer(CpiContext::new(program.to_account_info(), accounts), amount)
}

fn mints<'info>(all: &[AccountInfo<'info>]) -> Result<Vec<Account<'info, Mint>>> {
    let mut mints = vec![];
    for one in all {
        mints.push(Account::<Mint>::try_from(one)?);
    }
    Ok(mints)
}

fn purses<'info>(all: &[AccountInfo<'info>]) -> Result<Vec<Account<'info, TokenAccount>>> {
    let mut purses = vec![];
    for one in all {
        purses.push(Account::<TokenAccount>::try_from(one)?);
    }
    Ok(purses)
}

#[derive(Accounts)]
pub struct Trade<'info> {
    #[account(mut, has_one = user, has_one = vault, has_one = store)]
    pub record: Account<'info, Record>,
    #[account(mut)]
    pub store: Account<'info, TokenAccount>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[error_code]
pub enum Bad { Sum }

#[account]
pub struct Record { pub user: Pubkey, pub vault: Pubkey, pub store: Pubkey, pub balance: u64 }
`,
    ],
  },
}

/** Values that no call changes once they are set. */
const constant =
  /^(mint|owner|decimals|is_initialized|is_native|mint_authority|freeze_authority|authority|bump|\w*_bump|created_(at|on|ts|time|slot))$/

/** Two arms of one `match` or `if` are mutually exclusive. */
const excludes = (one: WalkScope, other: WalkScope): boolean => {
  const arms = new Map<WalkScope | undefined, WalkScope>()
  for (let scope: WalkScope | undefined = one; scope !== undefined; scope = scope.parent) arms.set(scope.parent, scope)
  for (let scope: WalkScope | undefined = other; scope !== undefined; scope = scope.parent) {
    const sibling = arms.get(scope.parent)
    if (sibling === undefined) continue
    return (
      sibling !== scope && sibling.arm !== undefined && scope.arm !== undefined && sibling.arm.value === scope.arm.value
    )
  }
  return false
}

/** Something holds at one of them but not at the other: `if hook { settle(…) } else { settle(…) }`. */
const contradict = ({ walk: { terms } }: Instruction, one: Event, other: Event): boolean =>
  beyond(one.facts, other.facts).some((fact) => other.facts.has(terms.not(fact)))

/** Of a type that another program defines, be it one of this project. */
const isForeign = ({ wrapper, state, isForeign: ofOther, constraints }: Account): boolean =>
  wrapper === "state" &&
  state !== undefined &&
  (definitionOf(state) === undefined || (ofOther === true && constraints?.mutable === true))

/** The token program's own structs, which its calls change. */
const isTokenState = (instruction: Instruction, account: Account): boolean =>
  usesOf(instruction, account).some(({ event }) => {
    const type = readType(event)
    return isTokenAccountType(type) || isMintType(type)
  })

/** What a program has in memory of an account. */
interface Copy {
  readonly term: Term
  readonly name: string
  readonly isChangedBy: (cpi: Cpi) => boolean
  /** Whether a value is of its type: all accounts of a list are one term. */
  readonly isOfType: (type: RustType) => boolean
  readonly isVariable: (field: string) => boolean
}

/** Tokens and mints among the remaining accounts, each kind as one. */
const remainingCopies = (cpis: ReadonlyArray<Cpi>): ReadonlyArray<Copy> => {
  const lists = new Set(
    cpis.flatMap(({ accounts }) =>
      accounts.flatMap(({ term }) => (term.kind === "element" && term.base.kind === "field" ? [term] : [])),
    ),
  )
  const holds = (type: RustType, isKind: (type: RustType) => boolean): boolean =>
    type.kind === "named" && (type.args.length === 0 ? isKind(type) : type.args.some((one) => holds(one, isKind)))
  return [...lists].slice(0, accountsInTransaction).flatMap((term) => [
    {
      term,
      name: "A mint among the remaining accounts",
      isChangedBy: ({ accounts, instruction }: Cpi) =>
        /mint_to|burn/.test(instruction) && accounts.some((one) => one.name === "mint" && one.term === term),
      isOfType: (type: RustType) => holds(type, isMintType),
      isVariable: (field: string) => field === "supply",
    },
    {
      term,
      name: "A token account among the remaining accounts",
      isChangedBy: (cpi: Cpi) => movesValue(cpi) && (roleOf(cpi, "from") === term || roleOf(cpi, "to") === term),
      isOfType: (type: RustType) => holds(type, isTokenAccountType),
      isVariable: (field: string) => field === "amount",
    },
  ])
}

/** The copies that the calls of an instruction can make stale. */
const copiesIn = (instruction: Instruction, cpis: ReadonlyArray<Cpi>): ReadonlyArray<Copy> => [
  ...instruction.accounts
    // Other programs cannot write the project's own accounts.
    .filter((one) => (instruction.kind === "native" ? isTokenState(instruction, one) : isForeign(one)))
    .map((account) => ({
      term: account.term,
      name: `\`${account.name}\``,
      isChangedBy: (cpi: Cpi) => isChangedBy(instruction, cpi, account),
      isOfType: () => true,
      isVariable: (field: string) => field !== "data" && !constant.test(field),
    })),
  ...remainingCopies(cpis),
]

/** Whether an event before a macro is in its arguments, or in what they call. */
const isArgument = (event: Event | undefined, { file, node, scope }: Event): boolean => {
  const site = event === undefined ? undefined : siteIn(event, scope.frame)
  return site?.file === file && site.span.start > node.start
}

/** Reads in the arguments of `emit!` and `msg!`: only listeners are told the value. */
const toldReads = oncePer(({ events }: Instruction): ReadonlySet<Event> => {
  const told = new Set<Event>()
  for (const [index, call] of events.entries()) {
    if (call.kind !== "call" || !/^(emit\w*|msg)!$/.test(call.name)) continue
    let at = index
    while (isArgument(events[--at], call)) told.add(events[at]!)
  }
  return told
})

/** The events that read or reload what a program has in memory of each account. */
const eventsAbout = oncePer(({ events }: Instruction) =>
  indexBy(events, (event) => {
    if (event.kind === "read") return [accountOfState(event.value.term)]
    if (event.kind !== "call") return []
    const { term } = event.result
    return [event.args[0]?.term, term.kind === "call" ? term.args[0] : undefined]
  }),
)

const positions = oncePer(({ events }: Instruction) => new Map(events.map((event, at) => [event, at])))

/** What is known to be changed: by a program of this project, a field that it writes; of others, tokens and mints. */
const isKnownToChange = (instruction: Instruction, term: Term, cpi: Cpi, field: string): boolean => {
  const account = instruction.accounts.find((one) => one.term === term)
  if (account === undefined || isTokenAccountType(account.state) || isMintType(account.state)) return true
  if (instruction.kind === "native") return true
  const callee = instruction.callee(cpi.instruction)
  return ofKind(callee?.events ?? [], "assign").some(
    (event) => event.target.term.kind === "field" && event.target.term.name === field,
  )
}

/**
 * Whether something hangs on the value: the call is known to change it, and it is not only compared, with what moved
 * added to it, so that the instruction fails if they differ.
 */
const isWorth = (instruction: Instruction, account: Term, cpi: Cpi, read: Event): boolean => {
  const value = read.kind === "read" ? read.value.term : undefined
  if (value?.kind !== "field") return true
  if (!isKnownToChange(instruction, account, cpi, value.name)) return false
  const isCorrected = (term: Term): boolean =>
    term.kind === "binary" &&
    /^[=!]=$/.test(term.operator) &&
    [term.left, term.right].some((side) => side !== value && mentions(side, (one) => one === value))
  const isSet = ofKind(instruction.events, "assign").some((event) => mentions(event.value.term, (one) => one === value))
  return isSet || !ofKind(instruction.events, "check").some((event) => event.conditions.some(isCorrected))
}

const placeKey = ({ file, node }: Event): string => `${file.path}:${node.start}`

/** What happens, by where it begins: `vault.amount.saturating_sub(fee)`. */
const beginningAt = oncePer(({ events }: Instruction) => indexBy(events, (event) => [placeKey(event)]))

/** Whether what the call moved is added to the value from before it, or taken off it. */
const isCarriedOn = (instruction: Instruction, account: Term, cpi: Cpi, read: Event): boolean => {
  const amount = amountOf(cpi)
  const isIncome = roleOf(cpi, "to") === account
  return (beginningAt(instruction).get(placeKey(read)) ?? []).some((event) =>
    event.kind === "call"
      ? event.args[1]?.term === amount && event.name.endsWith(isIncome ? "_add" : "_sub")
      : event.kind === "operation" && event.right?.term === amount && event.operator === (isIncome ? "+" : "-"),
  )
}

/** The first read of a value that an earlier call has changed; one on which nothing hangs if there is no other. */
const staleRead = (
  instruction: Instruction,
  { term: account, ...copy }: Copy,
  cpis: ReadonlyArray<Cpi>,
): { read: Event; cpi: Cpi; isTold?: boolean } | undefined => {
  const changes = new Map<Event, Cpi>(cpis.filter(copy.isChangedBy).map((cpi) => [cpi.event, cpi]))
  if (changes.size === 0) return undefined
  const at = positions(instruction)
  const events = new Set([...changes.keys(), ...(eventsAbout(instruction).get(account) ?? [])])
  let last: Cpi | undefined
  let isOnly = true
  let told: { read: Event; cpi: Cpi; isTold: boolean } | undefined
  for (const event of [...events].toSorted((a, b) => at.get(a)! - at.get(b)!)) {
    if (event.kind === "call") {
      const [receiver] = event.args
      if (
        /^(reload|load|load_mut|refresh)$/.test(event.name) &&
        receiver?.term === account &&
        copy.isOfType(receiver.type)
      )
        last = undefined
      // Deserialized again from the account's bytes.
      const { term, type } = event.result
      if (term.kind === "call" && term.name === "state" && copy.isOfType(type)) last = undefined
      const change = changes.get(event)
      if (change !== undefined) {
        isOnly = last === undefined
        last = change
      }
    }
    if (event.kind !== "read" || last === undefined) continue
    const { term } = event.value
    if (term.kind !== "field" || !copy.isVariable(term.name)) continue
    if (excludes(last.event.scope, event.scope) || contradict(instruction, last.event, event)) continue
    if (isOnly && isCarriedOn(instruction, account, last, event)) continue
    if (!toldReads(instruction).has(event) && isWorth(instruction, account, last, event))
      return { read: event, cpi: last }
    told ??= { read: event, cpi: last, isTold: true }
  }
  return told
}
