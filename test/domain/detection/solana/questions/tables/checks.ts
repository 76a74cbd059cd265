import { show } from "../../../../../../domain/detection/rust/terms/show.ts"
import {
  accountIn,
  checksAround,
  checksSomewhere,
  isFromCaller,
  isMutating,
  isTrusted,
  usesOf,
} from "../../../../../../domain/detection/solana/questions/questions.ts"
import { solanaTable } from "../../../../../support/solanaTable.ts"

/** What is checked about an account, and what is done with it. */
export const checks = solanaTable(
  "checks",
  {
    known: (_, [account], at) =>
      checksAround(at, { term: account! })
        .map(({ kind, against }) => (against === undefined ? kind : `${kind} ${show(against)}`))
        .join(),
    sometimes: (instruction, [account]) =>
      checksSomewhere(instruction, { term: account! })
        .map(({ kind }) => kind)
        .join(),
    uses: (instruction, [account]) =>
      [...new Set(usesOf(instruction, { term: account! }).map(({ kind }) => kind))].join(),
    trusted: (_, [term]) => isTrusted(term!),
    given: (instruction, [term]) => isFromCaller(instruction, term!),
    account: (instruction, [term]) => accountIn(instruction, term!)?.name,
    mutating: (instruction) => isMutating(instruction),
  },
  [
    `use anchor_lang::prelude::*;

pub const ADMIN: Pubkey = pubkey!("9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin");
pub const ALLOWED: [Pubkey; 2] = [crate::ID, ADMIN];

#[program]
pub mod checks {
    use super::*;

    pub fn keys(ctx: Context<All>, bump: u8) -> Result<()> {
        let all = &ctx.accounts;
        ask::known(all.a, "distinct ctx.accounts.c.key");
        require_keys_eq!(all.b.key(), ADMIN);
        ask::known(all.b, "key example::ADMIN");
        require_keys_neq!(all.c.key(), all.a.key());
        ask::known(all.c, "distinct ctx.accounts.a.key");
        require_keys_eq!(*all.d.owner, crate::ID);
        ask::known(all.d, "owner ID");
        let (address, _) = Pubkey::find_program_address(&[b"e"], ctx.program_id);
        require_keys_eq!(all.e.key(), address);
        ask::known(all.e, "pda Pubkey::find_program_address(['e'], ID).0");
        require!(all.f.is_signer, Wrong::Account);
        ask::known(all.f, "signer");
        require!(ALLOWED.contains(&all.g.key()), Wrong::Account);
        ask::known(all.g, "key example::ALLOWED");
        require!(ALLOWED.contains(all.h.owner), Wrong::Account);
        ask::known(all.h, "owner example::ALLOWED");
        require!(all.i.lamports() == 5, Wrong::Account);
        ask::known(all.i, "data 5");
        require!(all.j.key() == ADMIN || all.j.key() == crate::ID, Wrong::Account);
        ask::known(all.j, "key example::ADMIN");
        require!(all.k.key() == ADMIN || all.k.is_signer, Wrong::Account);
        ask::known(all.k, "");
        require!(all.l.key() == ADMIN && all.l.is_signer, Wrong::Account);
        ask::known(all.l, "key example::ADMIN,signer");
        Ok(())
    }

    pub fn calls(ctx: Context<All>, bump: u8) -> Result<()> {
        let all = &ctx.accounts;
        foreign::check_vault(&all.a)?;
        ask::known(all.a, "call");
        foreign::assert_owner(all.b.owner)?;
        ask::known(all.b, "call");
        foreign::transfer_checked(&all.c)?;
        ask::known(all.c, "");
        foreign::describe(&all.d)?;
        ask::known(all.d, "");
        require!(foreign::is_member(&all.e.key()), Wrong::Account);
        ask::known(all.e, "call");
        require!(!foreign::is_member(&all.f.key()), Wrong::Account);
        ask::known(all.f, "call");
        require!(*all.g.owner == crate::ID || foreign::check_owner(all.g.owner).is_ok(), Wrong::Account);
        ask::known(all.g, "call");
        if bump > 5 {
            require_keys_eq!(all.h.key(), ADMIN);
        }
        ask::known(all.h, "");
        ask::sometimes(all.h, "key");
        ask::sometimes(all.i, "");
        foreign::check_twice(5, &all.j)?;
        ask::known(all.j, "call");
        foreign::unchecked(&all.k)?;
        ask::known(all.k, "");
        ask::mutating("false");
        Ok(())
    }

    pub fn states(ctx: Context<States>, amount: u64) -> Result<()> {
        let all = &mut ctx.accounts;
        ask::known(all.pool, "type,state,state ctx.accounts.who.key");
        ask::known(all.other, "type,state 7");
        ask::known(all.fresh, "type,initialized,pda anchor::find_program_address(['fresh'], ID).0");
        ask::known(all.clock, "sysvar");
        ask::known(all.who, "signer,key state(ctx.accounts.pool).admin");
        ask::trusted(ADMIN, "true");
        ask::trusted(all.pool.admin, "true");
        ask::trusted(amount, "false");
        ask::trusted(all.who.key(), "false");
        ask::given(amount + 1, "true");
        ask::given(all.pool.total, "false");
        ask::account(all.pool.total, "pool");
        ask::account(all.who, "who");
        ask::account(amount, "undefined");
        all.pool.total = amount;
        ask::uses(all.pool, "state-read,state-write");
        ask::uses(all.other, "state-read");
        ask::mutating("true");
        Ok(())
    }
}

#[derive(Accounts)]
pub struct All<'info> {
    pub a: UncheckedAccount<'info>,
    pub b: UncheckedAccount<'info>,
    pub c: UncheckedAccount<'info>,
    pub d: UncheckedAccount<'info>,
    pub e: UncheckedAccount<'info>,
    pub f: UncheckedAccount<'info>,
    pub g: UncheckedAccount<'info>,
    pub h: UncheckedAccount<'info>,
    pub i: UncheckedAccount<'info>,
    pub j: UncheckedAccount<'info>,
    pub k: UncheckedAccount<'info>,
    pub l: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct States<'info> {
    #[account(mut, constraint = !pool.closed)]
    pub pool: Account<'info, Pool>,
    #[account(constraint = other.total != 7)]
    pub other: AccountLoader<'info, Pool>,
    #[account(init, payer = who, space = 49, seeds = [b"fresh"], bump)]
    pub fresh: Account<'info, Pool>,
    pub clock: Sysvar<'info, Clock>,
    #[account(mut, address = pool.admin)]
    pub who: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Pool {
    pub admin: Pubkey,
    pub total: u64,
    pub closed: bool,
}

#[error_code]
pub enum Wrong {
    Account,
}
`,
    `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::program::invoke;
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub enum Phase { Empty, Open }

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Book { pub phase: Phase, pub owner: Pubkey, pub open: bool, pub size: u64 }

pub fn uses(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let one = next_account_info(iter)?;
    let two = next_account_info(iter)?;
    let three = next_account_info(iter)?;
    let four = next_account_info(iter)?;
    let mut book = Book::try_from_slice(&one.data.borrow())?;
    if book.owner != *two.key || book.open || amount < book.size {
        return Err(ProgramError::InvalidArgument);
    }
    book.size = amount;
    book.serialize(&mut *one.data.borrow_mut())?;
    **two.lamports.borrow_mut() -= amount;
    **three.lamports.borrow_mut() += amount;
    let first = three.data.borrow()[0];
    four.data.borrow_mut()[0] = 7;
    invoke(&foreign::instruction::ping(&foreign::ID, four.key), &[two.clone(), four.clone()])?;
    ask::uses(one, "deserialize,state-write,data-write");
    ask::uses(two, "lamports-write,cpi-account");
    ask::uses(three, "lamports-write");
    ask::uses(four, "data-write,cpi-account");
    ask::known(one, "state accounts[1].key,state,state amount");
    ask::known(two, "key state(accounts[0]).owner");
    Ok(())
}

pub fn phases(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let one = next_account_info(iter)?;
    let two = next_account_info(iter)?;
    match Book::try_from_slice(&one.data.borrow())?.phase {
        Phase::Open => {
            ask::known(one, "state,owner program_id");
        }
        Phase::Empty => return Err(ProgramError::InvalidArgument),
    }
    let either = if one.is_signer { one } else { two };
    if either.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    ask::known(two, "owner program_id");
    Ok(())
}
`,
  ],
)
