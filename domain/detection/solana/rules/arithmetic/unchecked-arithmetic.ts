import type { Rule } from "../../../Rule.ts"
import { type Event, guaranteed, ofKind } from "../../../rust/terms/events.ts"
import { elsewhere, stopsAtOverflow } from "../../../rust/crate/releaseProfile.ts"
import type { Facts } from "../../../rust/terms/facts.ts"
import { rootOf, type Term } from "../../../rust/terms/terms.ts"
import { integerBits, isInteger, isNamed, type RustType, successType } from "../../../rust/crate/types.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import { isPrivileged } from "../../authority/authorization.ts"
import { movesValue } from "../../questions/cpi.ts"
import type { Cpi, Instruction, SolanaProgram } from "../../program/model.ts"
import { argumentTerms, cpisOf } from "../../questions/questions.ts"
import { isSigned } from "../../questions/signedCpi.ts"
import {
  isAtMost,
  isBounded,
  isChosen,
  isConstant,
  isHeld,
  isTime,
  sizeFactsOf,
  plain,
} from "../../questions/quantities.ts"

interface Operation {
  readonly left: Term
  readonly right: Term
  readonly operator: string
  readonly type: RustType
  /** It wraps whatever the release profile says. */
  readonly wraps: boolean
}

export const uncheckedArithmetic: Rule<SolanaProgram> = {
  meta: {
    id: "solana/arithmetic/unchecked-arithmetic",
    class: "integer-overflow",
    title: "Unchecked arithmetic on amounts",
    severity: "high",
    confidence: "medium",
    cwe: [190, 191],
    description:
      "A value from the caller or from an account is an operand of `+`, `-` or `*` although the release profile " +
      "does not enable overflow checks, so the result wraps around. An attacker subtracts more than there is, " +
      "or adds up to the limit, and ends up with an enormous balance, a tiny debt or a price of zero.",
    remediation:
      "Use `checked_add`, `checked_sub` and `checked_mul` and return an error for `None`, or compute in `u128` " +
      "and convert back with `try_into`. Also set `overflow-checks = true` under `[profile.release]` in the " +
      "Cargo.toml of the workspace.",
    references: [
      "https://doc.rust-lang.org/cargo/reference/profiles.html#overflow-checks",
      "https://neodyme.io/en/blog/solana_common_pitfalls/#integer-overflow-underflow",
    ],
  },
  check: (program, report) => {
    for (const crate of program.crates)
      for (const instruction of crate.instructions) {
        const limited = limitedIn(instruction)
        let privileged: boolean | undefined
        const moved = new Set(
          cpisOf(instruction).flatMap((cpi) =>
            movesValue(cpi) && (!isSigned(cpi) || isMinted(cpi)) ? cpi.args.map(plain) : [],
          ),
        )
        for (const event of instruction.events) {
          const operation = operationOf(event)
          if (operation === undefined) continue
          const { left, right, operator, wraps } = operation
          const type = successType(operation.type)
          const bits = integerBits(type) ?? 0
          if (!isInteger(type) || isNamed(type, "usize", "isize")) continue
          if (isConstant(left)) continue
          // A small constant added to something compared with a limit: near the largest number, the sum is small.
          const result = program.terms.binary(operator, left, right)
          if (operator !== "-" && isConstant(right) && bits >= 32 && !limited.has(result)) continue
          if (isWidened(left, bits) || isWidened(right, bits)) continue
          if (operator === "*" ? isTime(left) && isTime(right) : isTime(left) || isTime(right)) continue
          if (hasSign(type) && operator === "-" && isConstant(right)) continue
          // The product of two widened numbers fits: `u64::from(a) * u64::from(b)`.
          if ([left, right].every((one) => one.kind === "call" && one.name === "from")) continue
          // Of what is too deep to be known only its origins are left.
          if ([left, right].some(({ kind }) => kind === "opaque")) continue
          const chosen = [left, right].filter((one) => isChosen(instruction, one))
          // Accumulators and narrow indices may wrap, or never get there; values directly from the caller are a
          // different matter.
          if ((wraps || bits < 64) && !chosen.some((one) => isGiven(instruction, one))) continue
          // Without the caller's hand both have to be amounts that accounts hold.
          if (chosen.length === 0 && ![left, right].every(isHeld)) continue
          // All lamports together fit into 64 bits.
          if (operator === "+" && isLamports(left) && isLamports(right)) continue
          const facts = guaranteed(event)
          if (operator === "-" && isAtMost(facts, right, left)) continue
          // A limit on the very sum that may have wrapped does not count.
          if (operator !== "-" && chosen.some((one) => isBounded(facts, one, result))) continue
          if (chosen.length > 0 && chosen.every((one) => isCovered(facts, one))) continue
          // No more than the mint's supply can be moved, and holdings are a part of it.
          if (operator === "+" && chosen.length === 1 && moved.has(plain(chosen[0]!)) && isHeld(left)) continue
          // The runtime compares all lamports before and after.
          if (isLamports(left) && instruction.events.some((one) => one.kind === "assign" && one.node === event.node))
            continue
          const stops = wraps ? false : stopsAtOverflow(crate.project.manifests, event.file.path)
          if (stops) continue
          privileged ??= isPrivileged(crate, instruction)
          report({
            ...placeOf(event),
            // The holdings of accounts are bounded by what was paid into them, and so is a function's result from them:
            // it takes other faults to exceed that.
            ...(!chosen.some((one) => isGiven(instruction, one))
              ? { confidence: "low" as const, severity: "low" as const }
              : {}),
            ...(privileged || stops === undefined ? { severity: "low" as const } : {}),
            ...(stops === undefined ? { message: elsewhere } : {}),
          })
        }
      }
  },
  examples: {
    vulnerable: [
      // What a loop also adds to does not.
      `use anchor_lang::prelude::*;

fn price_of(left: u64) -> u64 {
    left / 3 + 1
}

#[program]
pub mod swaps {
    use super::*;

    pub fn fill(ctx: Context<Fill>, amount: u64) -> Result<()> {
        let mut left = amount;
        let mut steps: u64 = 0;
        while left > 0 && steps < 10 {
            left = if steps > 5 { left.checked_add(price_of(left)).unwrap() } else { left.checked_sub(price_of(left)).unwrap() };
            steps = steps.checked_add(1).unwrap();
        }
        ctx.accounts.book.filled = amount - left; // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Fill<'info> {
    #[account(mut)]
    pub book: Account<'info, Book>,
    pub filler: Signer<'info>,
}

#[account]
pub struct Book {
    pub filled: u64,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod bets {
    use super::*;

    pub fn settle(ctx: Context<Settle>, all: u64) -> Result<()> {
        let book = &mut ctx.accounts.book;
        let (first, second) = (book.first, book.second);
        require!(first < all, ErrorCode::Rest);
        book.rest = all - first - second; // FINDING
        require!(second.saturating_add(second) < all, ErrorCode::Rest);
        book.last = all - first - second; // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Settle<'info> {
    #[account(mut, has_one = user)]
    pub book: Account<'info, Book>,
    pub user: Signer<'info>,
}

#[account]
pub struct Book { pub user: Pubkey, pub first: u64, pub second: u64, pub rest: u64, pub last: u64 }

#[error_code]
pub enum ErrorCode { Rest }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod bank {
    use super::*;
    pub fn withdraw(ctx: Context<Withdraw>, amount: u64) -> Result<()> {
        let account = &mut ctx.accounts.account;
        account.balance = account.balance - amount; // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Withdraw<'info> {
    #[account(mut, has_one = owner)]
    pub account: Account<'info, Deposit>,
    pub owner: Signer<'info>,
}

#[account]
pub struct Deposit { pub owner: Pubkey, pub balance: u64 }
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Sale { pub price: u64, pub paid: u64 }

fn cost(price: u64, count: u64) -> u64 {
    price * count // FINDING
}

pub fn buy(program_id: &Pubkey, accounts: &[AccountInfo], count: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let info = next_account_info(iter)?;
    let mut sale = Sale::try_from_slice(&info.data.borrow())?;
    sale.paid = cost(sale.price, count);
    sale.serialize(&mut &mut info.data.borrow_mut()[..])?;
    Ok(())
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::program::{invoke, invoke_signed};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey, system_instruction};
use borsh::{BorshDeserialize, BorshSerialize};
use solana_program::{rent::Rent, sysvar::Sysvar};

pub fn withdraw(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let wallet = next_account_info(iter)?;
    let to = next_account_info(iter)?;
    if wallet.owner != program_id || !to.is_signer {
        return Err(ProgramError::IllegalOwner);
    }
    let least = Rent::get()?.minimum_balance(32);
    if least + amount > wallet.lamports() { // FINDING
        return Err(ProgramError::InsufficientFunds);
    }
    **wallet.lamports.borrow_mut() -= amount;
    **to.lamports.borrow_mut() += amount;
    Ok(())
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Jar {
    pub tag: u8,
    pub limit: u64,
    pub paid: u64,
}

pub fn pay(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let who = next_account_info(iter)?;
    let jar_info = next_account_info(iter)?;
    if jar_info.owner != program_id || !who.is_signer {
        return Err(ProgramError::IllegalOwner);
    }
    let mut jar = Jar::try_from_slice(&jar_info.data.borrow())?;
    if amount + 5_000 > jar.limit { // FINDING
        return Err(ProgramError::InvalidArgument);
    }
    jar.paid = amount;
    jar.serialize(&mut *jar_info.data.borrow_mut())?;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod pools {
    use super::*;

    pub fn plain(ctx: Context<Change>, amount: u64, other: u64, small: u32, tiny: u16, signed: i64, size: usize) -> Result<()> {
        let pool = &mut ctx.accounts.pool;
        pool.a = pool.a + amount; // FINDING
        pool.b = 1_000 - amount;
        pool.c = amount + 1;
        pool.narrow = tiny + 1; // FINDING
        pool.small = pool.small + small; // FINDING
        pool.d = pool.d.wrapping_add(amount); // FINDING
        pool.e = pool.e.wrapping_mul(mix(other)); // FINDING
        pool.balance = signed - 1;
        pool.balance = pool.balance - signed; // FINDING
        pool.count = size * 3;
        pool.left = pool.a - pool.b; // FINDING
        pool.wide = (amount as u128) * (other as u128);
        pool.wide = u128::from(amount) + u128::from(other);
        pool.f = u64::from(small) * u64::from(tiny);
        pool.g = amount * other; // FINDING
        pool.h = u64::from(small) * amount; // FINDING
        pool.h = u64::max(amount, 7) * u64::max(other, 7); // FINDING
        pool.h = amount / other;
        pool.small = helper::half(pool.small) + pool.small;
        pool.narrow = pool.narrow + pool.first;
        pool.h = pool.h.wrapping_add(pool.a);
        pool.h = pool.h.wrapping_div(amount);
        pool.h = u64::wrapping_add(amount, other);
        pool.count = pool.count + amount as usize;
        pool.rate = pool.rate + amount as f64;
        pool.fast = amount as u128 * 3;
        pool.fast = u128::from(amount) + pool.fast;
        pool.fast = pool.fast + mix(other) as u128;
        pool.h = amount - 1; // FINDING
        pool.balance = pool.balance + signed; // FINDING
        pool.balance = pool.balance - 3;
        pool.h = helper::half(pool.a) * 3;
        pool.until = ctx.accounts.clock.unix_timestamp + signed;
        pool.paid = ctx.accounts.clock.unix_timestamp * signed; // FINDING
        pool.until = (ctx.accounts.clock.unix_timestamp - pool.start_timestamp) * pool.last_timestamp;
        Ok(())
    }

    pub fn checked(ctx: Context<Change>, other: u64) -> Result<()> {
        let pool = &mut ctx.accounts.pool;
        require!(other <= 1_000, ErrorCode::Most);
        pool.a = pool.a + other;
        require!(other <= pool.b, ErrorCode::Most);
        pool.b = pool.b - other;
        Ok(())
    }

    pub fn covered(ctx: Context<Change>, amount: u64, other: u64) -> Result<()> {
        let pool = &mut ctx.accounts.pool;
        pool.a = pool.a.checked_sub(amount).ok_or(ErrorCode::Most)?;
        pool.b = pool.b + amount;
        pool.c = other.checked_sub(amount).ok_or(ErrorCode::Most)?;
        pool.d = pool.d + other; // FINDING
        Ok(())
    }

    pub fn partly(ctx: Context<Change>, amount: u64, other: u64) -> Result<()> {
        let pool = &mut ctx.accounts.pool;
        pool.a = pool.a.checked_sub(amount).ok_or(ErrorCode::Most)?;
        pool.b = other + amount; // FINDING
        Ok(())
    }

    pub fn given(ctx: Context<Change>, amount: u64, other: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.from.to_account_info(),
            to: ctx.accounts.vault.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount)?;
        let pool = &mut ctx.accounts.pool;
        pool.a = pool.a + amount;
        pool.b = pool.b + other; // FINDING
        pool.c = pool.c - amount; // FINDING
        pool.d = other + amount; // FINDING
        Ok(())
    }

    pub fn paid_out(ctx: Context<Change>, amount: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.from.to_account_info(),
            authority: ctx.accounts.pool.to_account_info(),
        };
        let seeds: &[&[&[u8]]] = &[&[b"pool"]];
        let context = CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, seeds);
        token::transfer(context, amount)?;
        ctx.accounts.pool.a = ctx.accounts.pool.a + amount; // FINDING
        Ok(())
    }

    pub fn lamports(ctx: Context<Change>, amount: u64) -> Result<()> {
        let user = ctx.accounts.user.to_account_info();
        let vault = ctx.accounts.vault.to_account_info();
        let all = **user.lamports.borrow() + **vault.lamports.borrow();
        **user.try_borrow_mut_lamports()? -= amount;
        **vault.try_borrow_mut_lamports()? += amount;
        ctx.accounts.pool.a = **user.lamports.borrow() + amount; // FINDING
        ctx.accounts.pool.b = all;
        Ok(())
    }
}

fn mix(value: u64) -> u64 {
    value ^ 7
}

#[derive(Accounts)]
pub struct Change<'info> {
    #[account(mut, seeds = [b"pool"], bump)]
    pub pool: Account<'info, Pool>,
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub clock: Sysvar<'info, Clock>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Pool {
    pub a: u64,
    pub b: u64,
    pub c: u64,
    pub d: u64,
    pub e: u64,
    pub f: u64,
    pub g: u64,
    pub h: u64,
    pub left: u64,
    pub count: usize,
    pub small: u32,
    pub narrow: u16,
    pub first: u16,
    pub rate: f64,
    pub fast: u128,
    pub wide: u128,
    pub balance: i64,
    pub until: i64,
    pub paid: i64,
    pub start_timestamp: i64,
    pub last_timestamp: i64,
}

#[error_code]
pub enum ErrorCode { Most }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod sums {
    use super::*;
    pub fn change(ctx: Context<Change>, amount: u64, narrow: u32, short: u16, signed: i64) -> Result<()> {
        let pool = &mut ctx.accounts.pool;
        pool.short = short + 1; // FINDING
        pool.narrow = narrow + 1;
        pool.narrow = helper::half(narrow) + pool.narrow;
        pool.a = amount.pow(2) * pool.a.pow(2); // FINDING
        pool.paid = signed * ctx.accounts.clock.unix_timestamp; // FINDING
        pool.until = signed + ctx.accounts.clock.unix_timestamp;
        Ok(())
    }
    pub fn lamports(ctx: Context<Change>, amount: u64) -> Result<()> {
        let user = ctx.accounts.user.to_account_info();
        let vault = ctx.accounts.vault.to_account_info();
        // All lamports together fit into 64 bits, a difference need not.
        ctx.accounts.pool.a = **user.lamports.borrow() - **vault.lamports.borrow(); // FINDING
        ctx.accounts.pool.b = amount + **user.lamports.borrow(); // FINDING
        Ok(())
    }
    pub fn covered(ctx: Context<Change>, amount: u64) -> Result<()> {
        let pool = &mut ctx.accounts.pool;
        if let Some(rest) = pool.a.checked_sub(amount) {
            pool.a = rest;
            pool.b = pool.b + amount;
        }
        Ok(())
    }
    pub fn uncovered(ctx: Context<Change>, amount: u64) -> Result<()> {
        let pool = &mut ctx.accounts.pool;
        match pool.a.checked_sub(amount) {
            None => pool.b = pool.b + amount, // FINDING
            Some(rest) => pool.a = rest,
        }
        Ok(())
    }
    pub fn other(ctx: Context<Change>, amount: u64) -> Result<()> {
        require!(amount + 1 != ctx.accounts.pool.c, ErrorCode::Same);
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Change<'info> {
    #[account(mut, seeds = [b"pool"], bump)]
    pub pool: Account<'info, Pool>,
    /// CHECK: the program's own
    #[account(mut, seeds = [b"vault"], bump)]
    pub vault: UncheckedAccount<'info>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub clock: Sysvar<'info, Clock>,
}

#[account]
pub struct Pool {
    pub a: u64,
    pub b: u64,
    pub c: u64,
    pub short: u16,
    pub narrow: u32,
    pub paid: i64,
    pub until: i64,
}

#[error_code]
pub enum ErrorCode {
    Same,
}
`,
    ],
    safe: [
      // What a loop only takes away from stays below where it began.
      `use anchor_lang::prelude::*;

fn price_of(left: u64) -> u64 {
    left / 3 + 1
}

#[program]
pub mod swaps {
    use super::*;

    pub fn fill(ctx: Context<Fill>, amount: u64) -> Result<()> {
        let mut left = amount;
        let mut steps: u64 = 0;
        while left > 0 && steps < 10 {
            left = left.checked_sub(price_of(left)).ok_or(ErrorCode::ConstraintRaw)?;
            steps = steps.checked_add(1).unwrap();
        }
        ctx.accounts.book.filled = amount - left;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Fill<'info> {
    #[account(mut)]
    pub book: Account<'info, Book>,
    pub filler: Signer<'info>,
}

#[account]
pub struct Book {
    pub filled: u64,
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Mint, MintTo, Token, TokenAccount};

#[program]
pub mod bets {
    use super::*;

    pub fn settle(ctx: Context<Settle>, all: u64) -> Result<()> {
        let (first, second) = (ctx.accounts.book.first, ctx.accounts.book.second);
        if first.saturating_add(second) < all {
            ctx.accounts.book.rest = all - first - second;
        }
        let accounts = MintTo {
            mint: ctx.accounts.mint.to_account_info(),
            to: ctx.accounts.held.to_account_info(),
            authority: ctx.accounts.book.to_account_info(),
        };
        let seeds: &[&[&[u8]]] = &[&[b"book"]];
        let context = CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, seeds);
        token::mint_to(context, all)?;
        ctx.accounts.book.issued = ctx.accounts.held.amount + all;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Settle<'info> {
    #[account(mut, seeds = [b"book"], bump, has_one = user, has_one = mint)]
    pub book: Account<'info, Book>,
    #[account(mut)]
    pub mint: Account<'info, Mint>,
    #[account(mut, token::mint = mint, token::authority = user)]
    pub held: Account<'info, TokenAccount>,
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Book { pub user: Pubkey, pub mint: Pubkey, pub first: u64, pub second: u64, pub rest: u64, pub issued: u64 }
`,
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
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount)?;
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
pub struct Record { pub user: Pubkey, pub vault: Pubkey, pub balance: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod bank {
    use super::*;
    pub fn withdraw(ctx: Context<Withdraw>, amount: u64) -> Result<()> {
        let account = &mut ctx.accounts.account;
        check(account, amount)?;
        account.balance -= amount;
        account.taken = account.taken.checked_add(amount).ok_or(ErrorCode::Overflow)?;
        account.count += 1;
        Ok(())
    }
}

fn check(account: &Deposit, amount: u64) -> Result<()> {
    require!(amount <= account.balance, ErrorCode::Overflow);
    Ok(())
}

#[derive(Accounts)]
pub struct Withdraw<'info> {
    #[account(mut, has_one = owner)]
    pub account: Account<'info, Deposit>,
    pub owner: Signer<'info>,
}

#[account]
pub struct Deposit { pub owner: Pubkey, pub balance: u64, pub taken: u64, pub count: u64 }

#[error_code]
pub enum ErrorCode { Overflow }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod bank {
    use super::*;
    pub fn quote(ctx: Context<Quote>, amount: u64) -> Result<u64> {
        let pool = &ctx.accounts.pool;
        let wide = (amount as u128) * (pool.price as u128);
        let part = pool.reserve - amount.min(pool.reserve);
        u64::try_from(wide / 1_000_000).map(|out| out.min(part)).map_err(|_| error!(ErrorCode::Overflow))
    }
}

#[derive(Accounts)]
pub struct Quote<'info> { pub pool: Account<'info, Pool> }

#[account]
pub struct Pool { pub price: u64, pub reserve: u64 }

#[error_code]
pub enum ErrorCode { Overflow }
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Purse {
    pub who: Pubkey,
    pub coins: u64,
}

pub fn send(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let who = next_account_info(iter)?;
    let one = next_account_info(iter)?;
    let two = next_account_info(iter)?;
    if one.owner != program_id || two.owner != program_id || one.key == two.key || !who.is_signer {
        return Err(ProgramError::IllegalOwner);
    }
    let mut from = Purse::try_from_slice(&one.data.borrow())?;
    let mut to = Purse::try_from_slice(&two.data.borrow())?;
    if from.who != *who.key {
        return Err(ProgramError::InvalidAccountData);
    }
    from.coins = from.coins.checked_sub(amount).ok_or(ProgramError::InsufficientFunds)?;
    to.coins = to.coins + amount;
    from.serialize(&mut *one.data.borrow_mut())?;
    to.serialize(&mut *two.data.borrow_mut())?;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod pools {
    use super::*;

    pub fn settle(ctx: Context<Settle>) -> Result<()> {
        let growth = ctx.accounts.pool.growth.wrapping_sub(ctx.accounts.position.checkpoint);
        ctx.accounts.position.checkpoint = ctx.accounts.pool.growth;
        ctx.accounts.position.owed = ctx.accounts.position.liquidity.checked_mul(growth).ok_or(ErrorCode::Overflow)?;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Settle<'info> {
    pub pool: Account<'info, Pool>,
    #[account(mut, has_one = owner, has_one = pool)]
    pub position: Account<'info, Position>,
    pub owner: Signer<'info>,
}

#[account]
pub struct Pool { pub growth: u128 }

#[account]
pub struct Position { pub owner: Pubkey, pub pool: Pubkey, pub checkpoint: u128, pub liquidity: u128, pub owed: u128 }

#[error_code]
pub enum ErrorCode { Overflow }
`,
    ],
  },
}

const isWidened = (term: Term, bits: number): boolean =>
  term.kind === "cast" || (term.kind === "call" && /^(from|into)$/.test(term.name)) ? bits >= 128 : false

const isLamports = (term: Term): boolean => {
  const one = plain(term)
  return one.kind === "field" && one.name === "lamports"
}

/** `stored.checked_sub(value)?` succeeded: no more of it than somebody has. */
const isCovered = (facts: Facts, value: Term): boolean => {
  for (const fact of sizeFactsOf(facts, plain(value))) {
    const call =
      fact.kind === "succeeded"
        ? fact.call
        : fact.kind === "is" && /^(Some|Ok)$/.test(fact.variant)
          ? fact.value
          : undefined
    if (call?.kind !== "call" || call.name !== "checked_sub") continue
    const [from, taken] = call.args
    if (from !== undefined && taken !== undefined && plain(taken) === plain(value) && isHeld(from)) return true
  }
  return false
}

const hasSign = (type: RustType): boolean => type.kind === "named" && type.name.startsWith("i")

/** An argument, a field of one, or a sum or product of such; not a function's result from it. */
const isGiven = (instruction: Instruction, term: Term): boolean => {
  const one = plain(term)
  if (one.kind === "binary") return [one.left, one.right].some((part) => isGiven(instruction, part))
  return argumentTerms(instruction).has(rootOf(one))
}

/** The token program adds it to the supply, and fails if that is too much. */
const isMinted = ({ instruction }: Cpi): boolean => /(^|::)mint_to(_checked)?$/.test(instruction)

/** The sums that something must be no less than for the instruction to go on. */
const limitedIn = ({ events }: Instruction): ReadonlySet<Term> =>
  new Set(
    ofKind(events, "check").flatMap(({ conditions }) =>
      conditions.flatMap((one) => (one.kind === "binary" && /^<=?$/.test(one.operator) ? [one.left] : [])),
    ),
  )

const operationOf = (event: Event): Operation | undefined => {
  if (event.kind === "operation")
    return event.right === undefined || !/^[-+*]$/.test(event.operator)
      ? undefined
      : { left: event.left.term, right: event.right.term, operator: event.operator, type: event.type, wraps: false }
  if (event.kind !== "call" || !event.method) return undefined
  const operator = { wrapping_add: "+", wrapping_sub: "-", wrapping_mul: "*" }[event.name]
  const [left, right] = event.args
  if (operator === undefined || left === undefined || right === undefined) return undefined
  return { left: left.term, right: right.term, operator, type: left.type, wraps: true }
}
