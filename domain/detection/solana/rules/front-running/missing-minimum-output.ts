import type { Match, Rule } from "../../../Rule.ts"
import type { FunctionDefinition } from "../../../rust/crate/crate.ts"
import type { Term } from "../../../rust/terms/terms.ts"
import { isInteger } from "../../../rust/crate/types.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import { movesValue } from "../../questions/cpi.ts"
import { limitsOf, tradeLimit } from "../../questions/limits.ts"
import type { Instruction, SolanaProgram } from "../../program/model.ts"
import { oneSided } from "../../payments/oneSidedLimits.ts"
import { oneOfTwins } from "../../payments/twinLimits.ts"
import { cpisOf, isMutating } from "../../questions/questions.ts"
import { literalValue, madeFrom } from "../../questions/quantities.ts"
import { forgottenLimits, isAskedFor, lastTaker, usedIn } from "../../payments/limitUses.ts"
import { isComputed, isLimited, paidBelowLimit, unlimitedExchange } from "../../payments/exchanges.ts"
import { type AssignEvent, ofKind } from "../../../rust/terms/events.ts"

export const missingMinimumOutput: Rule<SolanaProgram> = {
  meta: {
    id: "solana/front-running/missing-minimum-output",
    class: "missing-slippage",
    title: "Trade without slippage protection",
    severity: "high",
    confidence: "medium",
    cwe: [682, 20],
    description:
      "The instruction exchanges one asset for another at the current rate, and the trader's minimum is " +
      "missing, ignored or zero. Whoever orders transactions can sandwich the trade: they move the rate before " +
      "and after it, the victim receives next to nothing, and the attacker keeps the difference.",
    remediation:
      "Accept the minimum output (or the maximum input) as an argument, compare the computed amount with it " +
      "before anything moves, and pass a real minimum on to other programs.",
    references: [
      "https://www.helius.dev/blog/a-hitchhikers-guide-to-solana-program-security",
      "https://www.helius.dev/blog/solana-mev-an-introduction",
    ],
  },
  check: (program, report) => {
    const told = new Set<FunctionDefinition>()
    for (const crate of program.crates)
      for (const instruction of crate.instructions) {
        const { handler } = instruction
        const limits = limitsOf(crate, instruction)
        const isLimitedAtEnd = limits.some((one) => isAskedFor(instruction, one))
        for (const cpi of isLimitedAtEnd ? [] : cpisOf(instruction)) {
          const call = `${cpi.instruction}::${cpi.event.name}`
          if (!/(^|[:_])swap/.test(call) || cpi.args.length < 2 || !cpi.args.some((one) => literalValue(one) === 0))
            continue
          report({
            ...placeOf(cpi.event),
            message: "The called program is instructed to accept any output.",
          })
        }
        // A handler that only panics takes nothing from anybody.
        if (!isTrade(instruction) || !instruction.events.some((one) => one.kind === "exit")) continue
        let used: ((term: Term) => boolean) | undefined
        const isUsed = (term: Term): boolean => (used ??= usedIn(instruction))(term)
        const unmet = unmetMinimum(instruction)
        if (unmet !== undefined) {
          report(unmet)
          continue
        }
        const place = { file: handler.module.file, span: handler.item.nameSpan, scope: handler.qualifiedName }
        const ignored = limits.find(({ term }) => !isUsed(term))
        if (ignored !== undefined) {
          report({
            ...place,
            message: `\`${ignored.name}\` is never compared with anything.`,
            ...(tradeLimit.test(ignored.name) ? {} : { severity: "medium" as const }),
            trace: lastTaker(instruction, ignored),
          })
          continue
        }
        for (const forgotten of forgottenLimits(instruction, told)) report(forgotten)
        for (const { limit, twin } of oneOfTwins(instruction, limits.slice(0, maxLimits)))
          report({
            ...place,
            message: `\`${limit.name}\` is not compared with the transferred amount, as \`${twin.name}\` is.`,
            ...(tradeLimit.test(limit.name) ? {} : { severity: "medium" as const }),
            trace: lastTaker(instruction, limit),
          })
        for (const limit of limits.slice(0, maxLimits)) {
          const open = tradeLimit.test(limit.name) ? oneSided(instruction, limit) : undefined
          if (open !== undefined)
            report({
              ...placeOf(open),
              message: `\`${limit.name}\` is compared on one path only.`,
              trace: lastTaker(instruction, limit, open.order),
            })
        }
        if (
          !tradeName.test(handler.name) ||
          instruction.arguments.some((one) => limitName.test(one.name) && isUsed(one.term))
        )
          continue
        const trades = ofKind(instruction.events, "assign").some(
          (event) =>
            isComputed(event.value.term) &&
            instruction.arguments.some((one) => madeFrom(event.value.term, (inner) => inner === one.term)),
        )
        const pays = cpisOf(instruction).filter((cpi) => cpi.args.some(isComputed)).length > 0
        if ((trades || pays) && !isLimited(instruction)) report({ ...place, confidence: "low", severity: "low" })
      }
  },
  examples: {
    vulnerable: [
      // A limit that only has to be positive limits nothing.
      `use anchor_lang::prelude::*;
use anchor_spl::token::TokenAccount;

#[program]
pub mod router {
    use super::*;
    pub fn route_swap(ctx: Context<Route>, amount_in: u64, minimum_amount_out: u64) -> Result<()> {
        require!(minimum_amount_out > 0, ErrorCode::Slippage);
        let accounts = pools::cpi::accounts::Swap { trader: ctx.accounts.trader.to_account_info(), target: ctx.accounts.target.to_account_info() };
        pools::cpi::swap(CpiContext::new(ctx.accounts.pools.to_account_info(), accounts), amount_in, 0) // FINDING
    }
}

#[derive(Accounts)]
pub struct Route<'info> {
    pub trader: Signer<'info>,
    #[account(mut, token::authority = trader)]
    pub target: Account<'info, TokenAccount>,
    pub pools: Program<'info, pools::program::Pools>,
}

#[error_code]
pub enum ErrorCode { Slippage }
`,
      // A minimum for what is left before the fee.
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod amm {
    use super::*;
    pub fn swap(ctx: Context<Swap>, amount: u64, least: u64) -> Result<()> {
        let out = ctx.accounts.held.amount.checked_mul(amount).unwrap() / (ctx.accounts.taken.amount + amount);
        require!(out >= least, ErrorCode::Least);
        let given = Transfer { from: ctx.accounts.source.to_account_info(), to: ctx.accounts.taken.to_account_info(), authority: ctx.accounts.user.to_account_info() };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), given), amount)?;
        let paid = Transfer { from: ctx.accounts.held.to_account_info(), to: ctx.accounts.target.to_account_info(), authority: ctx.accounts.pool.to_account_info() };
        let context = CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), paid, &[&[b"pool"]]);
        token::transfer(context, out.checked_sub(out / 100).unwrap()) // FINDING
    }
}

#[derive(Accounts)]
pub struct Swap<'info> {
    #[account(seeds = [b"pool"], bump, has_one = held, has_one = taken)]
    pub pool: Account<'info, Pool>,
    #[account(mut)]
    pub held: Account<'info, TokenAccount>,
    #[account(mut)]
    pub taken: Account<'info, TokenAccount>,
    #[account(mut)]
    pub source: Account<'info, TokenAccount>,
    #[account(mut)]
    pub target: Account<'info, TokenAccount>,
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Pool { pub held: Pubkey, pub taken: Pubkey }

#[error_code]
pub enum ErrorCode { Least }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod amm {
    use super::*;
    pub fn convert(ctx: Context<Swap>, amount_in: u64, minimum_amount_out: u64) -> Result<()> { // FINDING
        let pool = &mut ctx.accounts.pool;
        let out = (pool.base as u128 * amount_in as u128 / pool.quote as u128) as u64;
        pool.base = pool.base.checked_sub(out).unwrap();
        pool.quote = pool.quote.checked_add(amount_in).unwrap();
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Swap<'info> {
    #[account(mut)]
    pub pool: Account<'info, Pool>,
    pub user: Signer<'info>,
}

#[account]
pub struct Pool { pub base: u64, pub quote: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod amm {
    use super::*;
    pub fn swap(ctx: Context<Swap>, amount_in: u64) -> Result<()> { // FINDING
        let pool = &mut ctx.accounts.pool;
        require!(amount_in > 0, ErrorCode::Price);
        let out = (pool.base as u128 * amount_in as u128 / pool.quote as u128) as u64;
        pool.base = pool.base.checked_sub(out).unwrap();
        pool.quote = pool.quote.checked_add(amount_in).unwrap();
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Swap<'info> {
    #[account(mut)]
    pub pool: Account<'info, Pool>,
    pub user: Signer<'info>,
}

#[account]
pub struct Pool { pub base: u64, pub quote: u64 }

#[error_code]
pub enum ErrorCode { Price }
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::program_pack::Pack;
use solana_program::{entrypoint::ProgramResult, program::{invoke, invoke_signed}, program_error::ProgramError, pubkey::Pubkey};

pub fn convert(program_id: &Pubkey, accounts: &[AccountInfo], given: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let user = next_account_info(iter)?;
    let pool = next_account_info(iter)?;
    let source = next_account_info(iter)?;
    let left = next_account_info(iter)?;
    let right = next_account_info(iter)?;
    let target = next_account_info(iter)?;
    let (address, bump) = Pubkey::find_program_address(&[b"pool", left.key.as_ref(), right.key.as_ref()], program_id);
    if address != *pool.key {
        return Err(ProgramError::InvalidSeeds);
    }
    let a = spl_token::state::Account::unpack(&left.data.borrow())?.amount;
    let b = spl_token::state::Account::unpack(&right.data.borrow())?.amount;
    let sum = a.checked_add(given).ok_or(ProgramError::ArithmeticOverflow)?;
    let gained = b.checked_mul(given).and_then(|one| one.checked_div(sum)).ok_or(ProgramError::ArithmeticOverflow)?;
    let seeds: &[&[u8]] = &[b"pool", left.key.as_ref(), right.key.as_ref(), &[bump]];
    let pay = spl_token::instruction::transfer(&spl_token::ID, source.key, left.key, user.key, &[], given)?;
    invoke(&pay, &[source.clone(), left.clone(), user.clone()])?;
    let get = spl_token::instruction::transfer(&spl_token::ID, right.key, target.key, pool.key, &[], gained)?;
    invoke_signed(&get, &[right.clone(), target.clone(), pool.clone()], &[seeds]) // FINDING
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod amm {
    use super::*;

    pub fn route(ctx: Context<Swap>, amount: u64, least: u64) -> Result<()> {
        dex::cpi::swap(CpiContext::new(ctx.accounts.program.to_account_info(), Route {}), amount, 0)?; // FINDING
        dex::cpi::swap(CpiContext::new(ctx.accounts.program.to_account_info(), Route {}), amount, least)?;
        dex::cpi::swap(CpiContext::new(ctx.accounts.program.to_account_info(), Route {}), 0)?;
        dex::cpi::deposit(CpiContext::new(ctx.accounts.program.to_account_info(), Route {}), amount, 0)?;
        Ok(())
    }

    pub fn swap_all(ctx: Context<Swap>) -> Result<()> {
        let pool = &mut ctx.accounts.pool;
        pool.base = pool.base * 2 / pool.quote;
        Ok(())
    }

    pub fn swap_priced(ctx: Context<Swap>, amount: u64, price: u64) -> Result<()> { // FINDING
        let pool = &mut ctx.accounts.pool;
        pool.base = pool.base * amount / pool.quote;
        Ok(())
    }

    pub fn swap_at(ctx: Context<Swap>, amount: u64, price: u64) -> Result<()> {
        let pool = &mut ctx.accounts.pool;
        require!(price < pool.quote, ErrorCode::Least);
        pool.base = pool.base * amount / pool.quote;
        Ok(())
    }

    pub fn swap_stored(ctx: Context<Swap>, amount: u64, limit: u64) -> Result<()> {
        let pool = &mut ctx.accounts.pool;
        pool.limit = limit;
        pool.base = pool.base * amount / pool.quote;
        Ok(())
    }

    pub fn swap_sum(ctx: Context<Swap>, amount: u64) -> Result<()> {
        let pool = &mut ctx.accounts.pool;
        pool.base = pool.base + amount;
        pool.quote = pool.quote * 2;
        Ok(())
    }

    pub fn swap_product(ctx: Context<Swap>, amount: u64) -> Result<()> { // FINDING
        let pool = &mut ctx.accounts.pool;
        pool.base = pool.base.checked_mul(amount).unwrap();
        Ok(())
    }

    pub fn swap_shown(ctx: Context<Swap>, amount: u64) -> Result<()> {
        let out = ctx.accounts.pool.base * amount / ctx.accounts.pool.quote;
        msg!("{}", out);
        Ok(())
    }

    pub fn rebalance(ctx: Context<Swap>, amount: u64) -> Result<()> {
        let pool = &mut ctx.accounts.pool;
        pool.base = pool.base * amount / pool.quote;
        Ok(())
    }

    pub fn swap_least(ctx: Context<Swap>, amount: u64, wanted: u64) -> Result<()> {
        let pool = &mut ctx.accounts.pool;
        let out = pool.base * amount / pool.quote;
        require!(out >= wanted, ErrorCode::Least);
        pool.base = out;
        Ok(())
    }

    pub fn swap_most(ctx: Context<Swap>, amount: u64, wanted: u64) -> Result<()> {
        let pool = &mut ctx.accounts.pool;
        let cost = pool.base * amount / pool.quote;
        require!(cost <= wanted, ErrorCode::Least);
        pool.base = cost;
        Ok(())
    }

    pub fn swap_own(ctx: Context<Swap>, amount: u64) -> Result<()> { // FINDING
        let pool = &mut ctx.accounts.pool;
        let out = pool.base * amount / pool.quote;
        require!(out >= pool.limit, ErrorCode::Least);
        require!(pool.limit <= 3, ErrorCode::Least);
        pool.base = out;
        Ok(())
    }

    pub fn swap_equal(ctx: Context<Swap>, amount: u64, wanted: u64) -> Result<()> { // FINDING
        let pool = &mut ctx.accounts.pool;
        let out = pool.base * amount / pool.quote;
        require!(out != wanted, ErrorCode::Least);
        pool.base = out;
        Ok(())
    }

    pub fn swap_paid(ctx: Context<Swap>, amount: u64) -> Result<()> { // FINDING
        let out = ctx.accounts.pool.base * amount / ctx.accounts.pool.quote;
        let accounts = Transfer {
            from: ctx.accounts.from.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), out)
    }

    pub fn swap_given(ctx: Context<Swap>, amount: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.from.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount)
    }
}

#[derive(Accounts)]
pub struct Swap<'info> {
    #[account(mut)]
    pub pool: Account<'info, Pool>,
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
    /// CHECK: routed to
    pub program: UncheckedAccount<'info>,
}

#[account]
pub struct Pool { pub base: u64, pub quote: u64, pub limit: u64 }

#[error_code]
pub enum ErrorCode { Least }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod amm {
    use super::*;

    // That the pool has as much does not mean that the caller gets enough.
    pub fn swap(ctx: Context<Swap>, given: u64) -> Result<()> { // FINDING
        let pool = &mut ctx.accounts.pool;
        let out = given * pool.rate / 1_000;
        require!(out <= pool.available, AmmError::Empty);
        pool.available = pool.available - given * pool.rate / 1_000;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Swap<'info> {
    #[account(mut)]
    pub pool: Account<'info, Pool>,
    pub user: Signer<'info>,
}

#[account]
pub struct Pool {
    pub rate: u64,
    pub available: u64,
}

#[error_code]
pub enum AmmError {
    Empty,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod pools {
    use super::*;
    pub fn shrink(ctx: Context<Shrink>, shares: u64, token_min_a: u64, token_min_b: u64) -> Result<()> { // FINDING
        let pool = &mut ctx.accounts.pool;
        let a = pool.a.checked_mul(shares).unwrap() / pool.shares;
        let b = pool.b.checked_mul(shares).unwrap() / pool.shares;
        require!(a >= token_min_a, ErrorCode::TooLittle);
        pool.a = pool.a.checked_sub(a).unwrap();
        pool.b = pool.b.checked_sub(b).unwrap();
        Ok(())
    }
    pub fn grow(ctx: Context<Shrink>, order: Order) -> Result<()> { // FINDING
        let pool = &mut ctx.accounts.pool;
        pool.a = pool.a.checked_add(order.amount).unwrap();
        Ok(())
    }
    /// The type of a number of one's own is still a number.
    pub fn move_to(ctx: Context<Shrink>, to: u64, _limit_price: Price) -> Result<()> { // FINDING
        ctx.accounts.pool.b = to;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Shrink<'info> {
    pub owner: Signer<'info>,
    #[account(mut, has_one = owner)]
    pub pool: Account<'info, Pool>,
}

#[account]
pub struct Pool { pub owner: Pubkey, pub a: u64, pub b: u64, pub shares: u64 }

#[derive(AnchorSerialize, AnchorDeserialize, Clone)]
pub struct Order { pub amount: u64, pub at_most: u64 }

#[derive(AnchorSerialize, AnchorDeserialize, Clone)]
pub struct Price { pub v: u128 }

#[error_code]
pub enum ErrorCode { TooLittle }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod pools {
    use super::*;

    /// Only one of two ways to trade looks at the minimum.
    pub fn convert(ctx: Context<Convert>, amount: u64, minimum_received: u64, mode: Mode) -> Result<()> {
        let pool = &mut ctx.accounts.pool;
        let out = match mode {
            Mode::All => whole(pool, amount, minimum_received)?,
            Mode::Part => part(pool, amount, minimum_received)?, // FINDING
        };
        pool.b = pool.b.checked_sub(out).unwrap();
        pool.a = pool.a.checked_add(amount).unwrap();
        Ok(())
    }

    pub fn turn(ctx: Context<Convert>, amount: u64, slippage_bound: u64, exact_in: bool) -> Result<()> {
        let pool = &mut ctx.accounts.pool;
        let paid = if exact_in { amount } else { price(pool.a, pool.b, amount) };
        let got = if exact_in { price(pool.b, pool.a, amount) } else { amount };
        if exact_in {
            require!(got >= slippage_bound, PoolError::TooLittle); // FINDING
        }
        pool.b = pool.b.checked_sub(got).unwrap();
        pool.a = pool.a.checked_add(paid).unwrap();
        Ok(())
    }

    /// Whoever listens to the events limits nothing.
    pub fn tell(ctx: Context<Convert>, amount: u64, min_out: u64) -> Result<()> { // FINDING
        let pool = &mut ctx.accounts.pool;
        let out = price(pool.b, pool.a, amount);
        pool.b = pool.b.checked_sub(out).unwrap();
        emit!(Told { min_out });
        msg!("{}", min_out);
        Ok(())
    }
}

fn whole(pool: &Pool, amount: u64, minimum_received: u64) -> Result<u64> {
    let out = price(pool.b, pool.a, amount);
    require!(out >= minimum_received, PoolError::TooLittle);
    Ok(out)
}

fn part(pool: &Pool, amount: u64, minimum_received: u64) -> Result<u64> {
    let out = price(pool.b, pool.a, amount) >> 1;
    msg!("{}", minimum_received);
    Ok(out)
}

fn price(one: u64, other: u64, amount: u64) -> u64 {
    one.checked_mul(amount).unwrap() / other.max(1)
}

#[derive(Accounts)]
pub struct Convert<'info> {
    pub owner: Signer<'info>,
    #[account(mut, has_one = owner)]
    pub pool: Account<'info, Pool>,
}

#[account]
pub struct Pool { pub owner: Pubkey, pub a: u64, pub b: u64 }

#[event]
pub struct Told { pub min_out: u64 }

#[derive(AnchorSerialize, AnchorDeserialize, Clone, Copy)]
pub enum Mode { All, Part }

#[error_code]
pub enum PoolError { TooLittle }
`,
      `use anchor_lang::prelude::*;
use borsh::{BorshDeserialize, BorshSerialize};

#[program]
pub mod amm {
    use super::*;
    /// Another entry point answers it before Anchor does.
    pub fn swap_fast(ctx: Context<Swap>, amount: u64, min_out: u64) -> Result<()> {
        unreachable!()
    }
}

#[derive(Accounts)]
pub struct Swap<'info> {
    #[account(mut)]
    pub pool: Account<'info, Pool>,
}

#[account]
pub struct Pool { pub a: u64, pub b: u64 }

#[derive(BorshDeserialize)]
pub struct Request { pub amount: u64, pub at_least: u64 }

pub fn swap_raw(program_id: &Pubkey, accounts: &[AccountInfo], data: &[u8]) -> ProgramResult { // FINDING
    let args = crate::instruction::SwapFast::try_from_slice(&data[8..])?;
    let iter = &mut accounts.iter();
    let pool_info = next_account_info(iter)?;
    require_keys_eq!(*pool_info.owner, *program_id);
    trade(pool_info, args.amount)
}

pub fn order(program_id: &Pubkey, accounts: &[AccountInfo], data: &[u8]) -> ProgramResult { // FINDING
    let request = Request::try_from_slice(data)?;
    let iter = &mut accounts.iter();
    let pool_info = next_account_info(iter)?;
    require_keys_eq!(*pool_info.owner, *program_id);
    trade(pool_info, request.amount)
}

fn trade(pool_info: &AccountInfo, amount: u64) -> ProgramResult {
    let mut pool = Pool::try_from_slice(&pool_info.data.borrow())?;
    pool.b = pool.b.checked_sub(amount).ok_or(ProgramError::InvalidArgument)?;
    pool.serialize(&mut &mut pool_info.data.borrow_mut()[..])?;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod pool {
    use super::*;

    pub fn add(ctx: Context<Change>, bounds: Bounds) -> Result<()> { // FINDING
        let Bounds::ByTokens { max_x, max_y } = bounds;
        let pool = &mut ctx.accounts.pool;
        let shares = max_x * pool.shares / pool.x;
        require!(shares > 0, Problem::Bounds);
        let (x, y) = (shares * pool.x / pool.shares + 1, shares * pool.y / pool.shares + 1);
        require!(y <= max_y, Problem::Bounds);
        pool.x += x;
        pool.y += y;
        pool.shares += shares;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Change<'info> {
    pub owner: Signer<'info>,
    #[account(mut, has_one = owner)]
    pub pool: Account<'info, Pool>,
}

#[derive(AnchorSerialize, AnchorDeserialize)]
pub enum Bounds {
    ByTokens { max_x: u64, max_y: u64 },
}

#[account]
pub struct Pool {
    pub owner: Pubkey,
    pub x: u64,
    pub y: u64,
    pub shares: u64,
}

#[error_code]
pub enum Problem {
    #[msg("Bounds")]
    Bounds,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod pool {
    use super::*;

    pub fn add(ctx: Context<Change>, token_max_a: u64, token_max_b: u64) -> Result<()> { // FINDING
        let pool = &mut ctx.accounts.pool;
        let shares = token_max_a * pool.shares / pool.x;
        let (x, y) = (shares * pool.x / pool.shares + 1, shares * pool.y / pool.shares + 1);
        require!(shares > 0 && y <= token_max_b, Problem::Bounds);
        pool.x += x;
        pool.y += y;
        Ok(())
    }

    pub fn join(ctx: Context<Change>, max_1: u64, max_0: u64) -> Result<()> { // FINDING
        let pool = &mut ctx.accounts.pool;
        let shares = max_1 * pool.shares / pool.x;
        let (x, y) = (shares * pool.x / pool.shares + 1, shares * pool.y / pool.shares + 1);
        require!(shares > 0 && y <= max_0, Problem::Bounds);
        pool.x += x;
        pool.y += y;
        Ok(())
    }

    pub fn fill(ctx: Context<Change>, max_quote: u64, max_base: u64) -> Result<()> { // FINDING
        let pool = &mut ctx.accounts.pool;
        let shares = max_quote * pool.shares / pool.x;
        let (x, y) = (shares * pool.x / pool.shares + 1, shares * pool.y / pool.shares + 1);
        require!(shares > 0 && y <= max_base, Problem::Bounds);
        pool.x += x;
        pool.y += y;
        Ok(())
    }

    pub fn give(ctx: Context<Change>, token_max_b: u64, token_max_a: u64) -> Result<()> { // FINDING
        let pool = &mut ctx.accounts.pool;
        let shares = token_max_b * pool.shares / pool.x;
        let (x, y) = (shares * pool.x / pool.shares + 1, shares * pool.y / pool.shares + 1);
        require!(shares > 0 && y <= token_max_a, Problem::Bounds);
        pool.x += x;
        pool.y += y;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Change<'info> {
    pub owner: Signer<'info>,
    #[account(mut, has_one = owner)]
    pub pool: Account<'info, Pool>,
}

#[account]
pub struct Pool {
    pub owner: Pubkey,
    pub x: u64,
    pub y: u64,
    pub shares: u64,
}

#[error_code]
pub enum Problem {
    #[msg("Bounds")]
    Bounds,
}
`,
      // The other direction has no limit, whenever it is compared.
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod kiosk {
    use super::*;
    pub fn trade(ctx: Context<Trade>, amount: u64, other_amount_threshold: u64, is_input: bool) -> Result<()> {
        let other = move_both(&ctx, amount, is_input)?;
        if is_input {
            require!(other >= other_amount_threshold, Bad::Limit); // FINDING
        }
        Ok(())
    }
    pub fn swap(ctx: Context<Trade>, amount: u64, other_amount_threshold: u64, is_input: bool) -> Result<()> {
        let other = move_both(&ctx, amount, is_input)?;
        if is_input {
            require!(other >= other_amount_threshold, Bad::Limit);
        } else {
            require!(other <= other_amount_threshold, Bad::Limit);
        }
        Ok(())
    }
}

fn move_both(ctx: &Context<Trade>, amount: u64, is_input: bool) -> Result<u64> {
    let rate = ctx.accounts.pool.rate;
    let other = if is_input { amount * rate / 1000 } else { amount * 1000 / rate };
    let (paid, got) = if is_input { (amount, other) } else { (other, amount) };
    let accounts = Transfer {
        from: ctx.accounts.source.to_account_info(),
        to: ctx.accounts.vault.to_account_info(),
        authority: ctx.accounts.user.to_account_info(),
    };
    token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), paid)?;
    let seeds: &[&[&[u8]]] = &[&[b"pool", &[ctx.accounts.pool.bump]]];
    let accounts = Transfer {
        from: ctx.accounts.store.to_account_info(),
        to: ctx.accounts.target.to_account_info(),
        authority: ctx.accounts.pool.to_account_info(),
    };
    token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, seeds), got)?;
    Ok(other)
}

#[derive(Accounts)]
pub struct Trade<'info> {
    #[account(seeds = [b"pool"], bump = pool.bump, has_one = vault, has_one = store)]
    pub pool: Account<'info, Pool>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub store: Account<'info, TokenAccount>,
    #[account(mut)]
    pub source: Account<'info, TokenAccount>,
    #[account(mut)]
    pub target: Account<'info, TokenAccount>,
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[error_code]
pub enum Bad { Limit }

#[account]
pub struct Pool { pub vault: Pubkey, pub store: Pubkey, pub rate: u64, pub bump: u8 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod amm {
    use super::*;
    pub fn convert(ctx: Context<Swap>, amount_0: u64, amount_1: u64) -> Result<()> {
        let out = quote(Order { amount_0, amount_1 }, &ctx.accounts.pool)?;
        ctx.accounts.pool.base = ctx.accounts.pool.base.checked_sub(out).unwrap();
        Ok(())
    }
}

pub struct Order { pub amount_0: u64, pub amount_1: u64 }

fn quote(order: Order, pool: &Pool) -> Result<u64> {
    let Order { amount_0: amount_in, amount_1: minimum_amount_out } = order; // FINDING
    require!(amount_in > 0, SwapError::Nothing);
    Ok((pool.base as u128 * amount_in as u128 / pool.quote as u128) as u64)
}

#[derive(Accounts)]
pub struct Swap<'info> {
    #[account(mut)]
    pub pool: Account<'info, Pool>,
    pub trader: Signer<'info>,
}

#[account]
pub struct Pool { pub base: u64, pub quote: u64 }
#[error_code]
pub enum SwapError { Nothing }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod swaps {
    use super::*;
    pub fn swap(ctx: Context<Swap>, amount_in: u64, minimum_amount_out: u64) -> Result<()> { // FINDING
        let price = ctx.accounts.pool.load()?.price;
        let out = amount_in * price / 1000;
        ctx.accounts.user.sub_lamports(amount_in)?;
        **ctx.accounts.pool.to_account_info().try_borrow_mut_lamports()? -= out;
        **ctx.accounts.user.to_account_info().try_borrow_mut_lamports()? += out;
        emit!(Swapped { amount_in, minimum_amount_out });
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Swap<'info> {
    #[account(mut)]
    pub pool: AccountLoader<'info, Pool>,
    #[account(mut)]
    pub user: Signer<'info>,
}

#[event]
pub struct Swapped { pub amount_in: u64, pub minimum_amount_out: u64 }

#[account(zero_copy)]
pub struct Pool { pub price: u64 }
`,
      `use borsh::{BorshDeserialize, BorshSerialize};
use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};

#[derive(BorshDeserialize, BorshSerialize)]
pub enum Order { Buy { paid: u64, min_bought: u64 }, Take { amount: u64 }, Give { amount: u64 }, Rest { amount: u64 }, Vote { min_votes: u64 } }

pub fn process(id: &Pubkey, accounts: &[AccountInfo], data: &[u8]) -> ProgramResult { // FINDING
    let iter = &mut accounts.iter();
    let owner = next_account_info(iter)?;
    let shop = next_account_info(iter)?;
    if !owner.is_signer || shop.owner != id {
        return Err(ProgramError::MissingRequiredSignature);
    }
    match Order::try_from_slice(data)? {
        Order::Buy { paid, min_bought: _ } => buy(accounts, paid),
        Order::Take { amount } => take(accounts, amount),
        Order::Give { amount } => give(accounts, amount),
        Order::Rest { amount } => rest(accounts, amount),
        Order::Vote { min_votes } => vote(accounts, min_votes),
    }
}

fn buy(accounts: &[AccountInfo], paid: u64) -> ProgramResult {
    let [_, shop, stock] = accounts else { return Err(ProgramError::NotEnoughAccountKeys) };
    let bought = stock.lamports() * paid / (shop.lamports() + paid);
    **shop.try_borrow_mut_lamports()? += paid;
    **stock.try_borrow_mut_lamports()? -= bought;
    Ok(())
}
fn take(accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let [_, shop, stock] = accounts else { return Err(ProgramError::NotEnoughAccountKeys) };
    if shop.lamports() < amount {
        return Err(ProgramError::InsufficientFunds);
    }
    **shop.try_borrow_mut_lamports()? -= amount;
    **stock.try_borrow_mut_lamports()? += amount;
    Ok(())
}
fn give(accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let [_, shop, stock] = accounts else { return Err(ProgramError::NotEnoughAccountKeys) };
    if shop.lamports() < amount {
        return Err(ProgramError::InsufficientFunds);
    }
    **shop.try_borrow_mut_lamports()? -= amount;
    **stock.try_borrow_mut_lamports()? += amount;
    Ok(())
}
fn rest(accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let [_, shop, stock] = accounts else { return Err(ProgramError::NotEnoughAccountKeys) };
    if shop.lamports() < amount {
        return Err(ProgramError::InsufficientFunds);
    }
    **shop.try_borrow_mut_lamports()? -= amount;
    **stock.try_borrow_mut_lamports()? += amount;
    Ok(())
}
fn vote(accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let [_, shop, stock] = accounts else { return Err(ProgramError::NotEnoughAccountKeys) };
    if shop.lamports() < amount {
        return Err(ProgramError::InsufficientFunds);
    }
    **shop.try_borrow_mut_lamports()? -= amount;
    **stock.try_borrow_mut_lamports()? += amount;
    Ok(())
}
`,
    ],
    safe: [
      // A limit of another message.
      `use borsh::{BorshDeserialize, BorshSerialize};
use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};

#[derive(BorshDeserialize, BorshSerialize)]
pub enum Order { Buy { paid: u64, min_bought: u64 }, Take { amount: u64 }, Give { amount: u64 }, Rest { amount: u64 }, Vote { min_votes: u64 } }

pub fn process(id: &Pubkey, accounts: &[AccountInfo], data: &[u8]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let owner = next_account_info(iter)?;
    let shop = next_account_info(iter)?;
    if !owner.is_signer || shop.owner != id {
        return Err(ProgramError::MissingRequiredSignature);
    }
    match Order::try_from_slice(data)? {
        Order::Buy { paid, min_bought } => buy(accounts, paid, min_bought),
        Order::Take { amount } => take(accounts, amount),
        Order::Give { amount } => give(accounts, amount),
        Order::Rest { amount } => rest(accounts, amount),
        Order::Vote { min_votes } => vote(accounts, min_votes),
    }
}

fn buy(accounts: &[AccountInfo], paid: u64, min_bought: u64) -> ProgramResult {
    let [_, shop, stock] = accounts else { return Err(ProgramError::NotEnoughAccountKeys) };
    let bought = stock.lamports() * paid / (shop.lamports() + paid);
    if bought < min_bought {
        return Err(ProgramError::InvalidArgument);
    }
    **shop.try_borrow_mut_lamports()? += paid;
    **stock.try_borrow_mut_lamports()? -= bought;
    Ok(())
}
fn take(accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let [_, shop, stock] = accounts else { return Err(ProgramError::NotEnoughAccountKeys) };
    if shop.lamports() < amount {
        return Err(ProgramError::InsufficientFunds);
    }
    **shop.try_borrow_mut_lamports()? -= amount;
    **stock.try_borrow_mut_lamports()? += amount;
    Ok(())
}
fn give(accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let [_, shop, stock] = accounts else { return Err(ProgramError::NotEnoughAccountKeys) };
    if shop.lamports() < amount {
        return Err(ProgramError::InsufficientFunds);
    }
    **shop.try_borrow_mut_lamports()? -= amount;
    **stock.try_borrow_mut_lamports()? += amount;
    Ok(())
}
fn rest(accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let [_, shop, stock] = accounts else { return Err(ProgramError::NotEnoughAccountKeys) };
    if shop.lamports() < amount {
        return Err(ProgramError::InsufficientFunds);
    }
    **shop.try_borrow_mut_lamports()? -= amount;
    **stock.try_borrow_mut_lamports()? += amount;
    Ok(())
}
fn vote(accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let [_, shop, stock] = accounts else { return Err(ProgramError::NotEnoughAccountKeys) };
    if shop.lamports() < amount {
        return Err(ProgramError::InsufficientFunds);
    }
    **shop.try_borrow_mut_lamports()? -= amount;
    **stock.try_borrow_mut_lamports()? += amount;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod swaps {
    use super::*;
    // What was swapped elsewhere is only told.
    pub fn log_swap(ctx: Context<LogSwap>, amount_in: u64, minimum_amount_out: u64) -> Result<()> {
        let note = ctx.accounts.note.load()?;
        emit!(Swapped { before: note.balance, amount_in, minimum_amount_out });
        drop(note);
        ctx.accounts.note.close(ctx.accounts.user.to_account_info())?;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct LogSwap<'info> {
    #[account(mut, has_one = user)]
    pub note: AccountLoader<'info, Note>,
    #[account(mut)]
    pub user: Signer<'info>,
}

#[event]
pub struct Swapped { pub before: u64, pub amount_in: u64, pub minimum_amount_out: u64 }

#[account(zero_copy)]
pub struct Note { pub user: Pubkey, pub balance: u64 }
`,
      // What is missing in one account is first brought from another.
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod amm {
    use super::*;
    pub fn swap(ctx: Context<Swap>, amount: u64, least: u64) -> Result<()> {
        let out = ctx.accounts.held.amount.checked_mul(amount).unwrap() / (ctx.accounts.taken.amount + amount);
        require!(out >= least, ErrorCode::Least);
        let given = Transfer { from: ctx.accounts.source.to_account_info(), to: ctx.accounts.taken.to_account_info(), authority: ctx.accounts.user.to_account_info() };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), given), amount)?;
        if out > ctx.accounts.held.amount {
            let brought = Transfer { from: ctx.accounts.store.to_account_info(), to: ctx.accounts.held.to_account_info(), authority: ctx.accounts.pool.to_account_info() };
            let context = CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), brought, &[&[b"pool"]]);
            token::transfer(context, out.checked_sub(ctx.accounts.held.amount).unwrap())?;
        }
        let paid = Transfer { from: ctx.accounts.held.to_account_info(), to: ctx.accounts.target.to_account_info(), authority: ctx.accounts.pool.to_account_info() };
        let context = CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), paid, &[&[b"pool"]]);
        token::transfer(context, out)
    }
}

#[derive(Accounts)]
pub struct Swap<'info> {
    #[account(seeds = [b"pool"], bump, has_one = held, has_one = taken, has_one = store)]
    pub pool: Account<'info, Pool>,
    #[account(mut)]
    pub held: Account<'info, TokenAccount>,
    #[account(mut)]
    pub store: Account<'info, TokenAccount>,
    #[account(mut)]
    pub taken: Account<'info, TokenAccount>,
    #[account(mut)]
    pub source: Account<'info, TokenAccount>,
    #[account(mut)]
    pub target: Account<'info, TokenAccount>,
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Pool { pub held: Pubkey, pub taken: Pubkey, pub store: Pubkey }

#[error_code]
pub enum ErrorCode { Least }
`,
      // What all legs bring is compared once.
      `use anchor_lang::prelude::*;
use anchor_spl::token::TokenAccount;

#[program]
pub mod router {
    use super::*;
    pub fn route_swap(ctx: Context<Route>, amount_in: u64, minimum_amount_out: u64) -> Result<()> {
        let before = ctx.accounts.target.amount;
        pools::cpi::swap(ctx.accounts.leg(), amount_in, 0)?;
        ctx.accounts.target.reload()?;
        require!(ctx.accounts.target.amount - before >= minimum_amount_out, ErrorCode::Slippage);
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Route<'info> {
    pub trader: Signer<'info>,
    #[account(mut, token::authority = trader)]
    pub target: Account<'info, TokenAccount>,
    pub pools: Program<'info, pools::program::Pools>,
}

impl<'info> Route<'info> {
    fn leg(&self) -> CpiContext<'_, '_, '_, 'info, pools::cpi::accounts::Swap<'info>> {
        let accounts = pools::cpi::accounts::Swap { trader: self.trader.to_account_info(), target: self.target.to_account_info() };
        CpiContext::new(self.pools.to_account_info(), accounts)
    }
}

#[error_code]
pub enum ErrorCode { Slippage }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod amm {
    use super::*;
    pub fn swap(ctx: Context<Swap>, amount: u64, least: u64) -> Result<()> {
        let out = ctx.accounts.held.amount.checked_mul(amount).unwrap() / (ctx.accounts.taken.amount + amount);
        require!(out.checked_sub(out / 100).unwrap() >= least, ErrorCode::Least);
        let given = Transfer { from: ctx.accounts.source.to_account_info(), to: ctx.accounts.taken.to_account_info(), authority: ctx.accounts.user.to_account_info() };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), given), amount)?;
        let paid = Transfer { from: ctx.accounts.held.to_account_info(), to: ctx.accounts.target.to_account_info(), authority: ctx.accounts.pool.to_account_info() };
        let context = CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), paid, &[&[b"pool"]]);
        token::transfer(context, out.checked_sub(out / 100).unwrap())
    }
}

#[derive(Accounts)]
pub struct Swap<'info> {
    #[account(seeds = [b"pool"], bump, has_one = held, has_one = taken)]
    pub pool: Account<'info, Pool>,
    #[account(mut)]
    pub held: Account<'info, TokenAccount>,
    #[account(mut)]
    pub taken: Account<'info, TokenAccount>,
    #[account(mut)]
    pub source: Account<'info, TokenAccount>,
    #[account(mut)]
    pub target: Account<'info, TokenAccount>,
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Pool { pub held: Pubkey, pub taken: Pubkey }

#[error_code]
pub enum ErrorCode { Least }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod amm {
    use super::*;
    pub fn swap(ctx: Context<Swap>, amount_in: u64, minimum_amount_out: u64) -> Result<()> {
        let pool = &mut ctx.accounts.pool;
        let out = (pool.base as u128 * amount_in as u128 / pool.quote as u128) as u64;
        check(out, minimum_amount_out)?;
        pool.base = pool.base.checked_sub(out).unwrap();
        pool.quote = pool.quote.checked_add(amount_in).unwrap();
        Ok(())
    }
}

fn check(out: u64, least: u64) -> Result<()> {
    require_gte!(out, least);
    Ok(())
}

#[derive(Accounts)]
pub struct Swap<'info> {
    #[account(mut)]
    pub pool: Account<'info, Pool>,
    pub user: Signer<'info>,
}

#[account]
pub struct Pool { pub base: u64, pub quote: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod amm {
    use super::*;
    pub fn swap(ctx: Context<Swap>, params: Params) -> Result<()> {
        let pool = &mut ctx.accounts.pool;
        let out = pool.base.checked_mul(params.amount).unwrap().checked_div(pool.quote).unwrap();
        if out < params.wanted {
            return err!(ErrorCode::Price);
        }
        pool.base = pool.base.checked_sub(out).unwrap();
        Ok(())
    }
}

#[derive(AnchorSerialize, AnchorDeserialize)]
pub struct Params { pub amount: u64, pub wanted: u64 }

#[derive(Accounts)]
pub struct Swap<'info> {
    #[account(mut)]
    pub pool: Account<'info, Pool>,
    pub user: Signer<'info>,
}

#[account]
pub struct Pool { pub base: u64, pub quote: u64 }

#[error_code]
pub enum ErrorCode { Price }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, MintTo, Token, TokenAccount, Transfer};

#[program]
pub mod amm {
    use super::*;

    pub fn convert(ctx: Context<Convert>, given: u64, least: u64) -> Result<()> {
        let out = ctx.accounts.to_reserve.amount * given / (ctx.accounts.from_reserve.amount + given);
        require!(out >= least, AmmError::TooLittle);
        ctx.accounts.take(given)?;
        ctx.accounts.pay(out)
    }

    // Nobody but the caller moves this price.
    pub fn convert_at(ctx: Context<Convert>, order: Order) -> Result<()> {
        ctx.accounts.take(order.given)?;
        ctx.accounts.pay(order.wanted * 3 / order.parts)
    }

    // Shares are worth what was paid in for them.
    pub fn deposit(ctx: Context<Convert>, given: u64) -> Result<()> {
        let shares = ctx.accounts.pool.supply * given / (ctx.accounts.from_reserve.amount + given);
        ctx.accounts.take(given)?;
        let minted = MintTo {
            mint: ctx.accounts.shares.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.pool.to_account_info(),
        };
        let program = ctx.accounts.token_program.to_account_info();
        token::mint_to(CpiContext::new_with_signer(program, minted, &[&[b"pool", &[ctx.accounts.pool.bump]]]), shares)
    }
}

#[derive(AnchorSerialize, AnchorDeserialize, Clone, Copy)]
pub struct Order {
    pub given: u64,
    pub wanted: u64,
    pub parts: u64,
}

#[derive(Accounts)]
pub struct Convert<'info> {
    #[account(has_one = from_reserve, has_one = to_reserve)]
    pub pool: Account<'info, Pool>,
    #[account(mut)]
    pub from_reserve: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to_reserve: Account<'info, TokenAccount>,
    /// CHECK: the token program's
    #[account(mut)]
    pub shares: UncheckedAccount<'info>,
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

impl<'info> Convert<'info> {
    fn take(&self, amount: u64) -> Result<()> {
        let accounts = Transfer {
            from: self.from.to_account_info(),
            to: self.from_reserve.to_account_info(),
            authority: self.user.to_account_info(),
        };
        token::transfer(CpiContext::new(self.token_program.to_account_info(), accounts), amount)
    }

    fn pay(&self, amount: u64) -> Result<()> {
        let accounts = Transfer {
            from: self.to_reserve.to_account_info(),
            to: self.to.to_account_info(),
            authority: self.pool.to_account_info(),
        };
        let program = self.token_program.to_account_info();
        token::transfer(CpiContext::new_with_signer(program, accounts, &[&[b"pool", &[self.pool.bump]]]), amount)
    }
}

#[account]
pub struct Pool {
    pub from_reserve: Pubkey,
    pub to_reserve: Pubkey,
    pub supply: u64,
    pub bump: u8,
}

#[error_code]
pub enum AmmError {
    TooLittle,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod pools {
    use super::*;
    pub fn shrink(ctx: Context<Shrink>, shares: u64, token_min_a: u64, token_min_b: u64) -> Result<()> {
        let pool = &mut ctx.accounts.pool;
        let a = pool.a.checked_mul(shares).unwrap() / pool.shares;
        let b = pool.b.checked_mul(shares).unwrap() / pool.shares;
        require!(a >= token_min_a && b >= token_min_b, ErrorCode::TooLittle);
        pool.a = pool.a.checked_sub(a).unwrap();
        pool.b = pool.b.checked_sub(b).unwrap();
        Ok(())
    }
    /// The order is stored, or handed on, with all that it says.
    pub fn keep(ctx: Context<Shrink>, order: Order) -> Result<()> {
        ctx.accounts.pool.order = order;
        Ok(())
    }
    pub fn pass(ctx: Context<Shrink>, order: Order) -> Result<()> {
        ctx.accounts.pool.a = ctx.accounts.pool.a.checked_add(order.amount).unwrap();
        exchange::fill(&order)?;
        Ok(())
    }
    pub fn closed(ctx: Context<Shrink>, to: u64, max_to: u64) -> Result<()> {
        ctx.accounts.pool.b = to;
        panic!("closed")
    }
    pub fn name(ctx: Context<Shrink>, to: u64, max_name: String) -> Result<()> {
        ctx.accounts.pool.b = to;
        Ok(())
    }
    pub fn place(ctx: Context<Shrink>, to: u64, position_limit: u64) -> Result<()> {
        ctx.accounts.pool.b = to;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Shrink<'info> {
    pub owner: Signer<'info>,
    #[account(mut, has_one = owner)]
    pub pool: Account<'info, Pool>,
}

#[account]
pub struct Pool { pub owner: Pubkey, pub a: u64, pub b: u64, pub shares: u64, pub order: Order }

#[derive(AnchorSerialize, AnchorDeserialize, Clone)]
pub struct Order { pub amount: u64, pub at_most: u64 }

#[error_code]
pub enum ErrorCode { TooLittle }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod pools {
    use super::*;

    pub fn convert(ctx: Context<Convert>, amount: u64, minimum_received: u64, mode: Mode) -> Result<()> {
        let pool = &mut ctx.accounts.pool;
        let out = match mode {
            Mode::All => whole(pool, amount, minimum_received)?,
            Mode::Part => part(pool, amount, minimum_received)?,
            Mode::Market => price(pool.b, pool.a, amount),
            Mode::Closed => closed(amount)?,
        };
        pool.b = pool.b.checked_sub(out).unwrap();
        Ok(())
    }

    /// What is compared for both is compared for each.
    pub fn either(ctx: Context<Convert>, amount: u64, min_out: u64, mode: Mode) -> Result<()> {
        let pool = &mut ctx.accounts.pool;
        let out = match mode {
            Mode::All => whole(pool, amount, min_out)?,
            _ => price(pool.b, pool.a, amount),
        };
        require!(out >= min_out, PoolError::TooLittle);
        pool.b = pool.b.checked_sub(out).unwrap();
        Ok(())
    }

    /// A branch may hand it to code that is not seen, or decide by it.
    pub fn elsewhere(ctx: Context<Convert>, amount: u64, min_out: u64, mode: Mode) -> Result<()> {
        let pool = &mut ctx.accounts.pool;
        let out = match mode {
            Mode::All => whole(pool, amount, min_out)?,
            Mode::Part => market::fill(price(pool.b, pool.a, amount), min_out)?,
            _ => fallback(pool, amount, min_out),
        };
        pool.b = pool.b.checked_sub(out).unwrap();
        Ok(())
    }

    pub fn turn(ctx: Context<Convert>, amount: u64, slippage_bound: u64, exact_in: bool) -> Result<()> {
        let pool = &mut ctx.accounts.pool;
        let paid = if exact_in { amount } else { price(pool.a, pool.b, amount) };
        let got = if exact_in { price(pool.b, pool.a, amount) } else { amount };
        if exact_in {
            require!(got >= slippage_bound, PoolError::TooLittle);
        } else {
            require!(paid <= slippage_bound, PoolError::TooLittle);
        }
        pool.b = pool.b.checked_sub(got).unwrap();
        pool.a = pool.a.checked_add(paid).unwrap();
        Ok(())
    }

    /// Nothing moves without the comparison.
    pub fn quiet(ctx: Context<Convert>, amount: u64, min_out: u64, quiet: bool) -> Result<()> {
        let pool = &mut ctx.accounts.pool;
        if quiet {
            return Ok(());
        }
        let out = price(pool.b, pool.a, amount);
        require!(out >= min_out, PoolError::TooLittle);
        pool.b = pool.b.checked_sub(out).unwrap();
        Ok(())
    }

    pub fn optional(ctx: Context<Convert>, amount: u64, min_out: Option<u64>) -> Result<()> {
        let pool = &mut ctx.accounts.pool;
        let out = price(pool.b, pool.a, amount);
        if let Some(least) = min_out {
            require!(out >= least, PoolError::TooLittle);
        }
        pool.b = pool.b.checked_sub(out).unwrap();
        Ok(())
    }

    /// The amount that the caller knows beforehand needs no limit.
    pub fn large(ctx: Context<Convert>, amount: u64, min_out: u64) -> Result<()> {
        let pool = &mut ctx.accounts.pool;
        let out = price(pool.b, pool.a, amount);
        if amount > 10 {
            require!(out >= min_out, PoolError::TooLittle);
        }
        pool.b = pool.b.checked_sub(out).unwrap();
        Ok(())
    }
}

fn whole(pool: &Pool, amount: u64, minimum_received: u64) -> Result<u64> {
    let out = price(pool.b, pool.a, amount);
    require!(out >= minimum_received, PoolError::TooLittle);
    Ok(out)
}

fn part(pool: &Pool, amount: u64, minimum_received: u64) -> Result<u64> {
    let out = price(pool.b, pool.a, amount) >> 1;
    require_gte!(out, minimum_received, PoolError::TooLittle);
    Ok(out)
}

fn fallback(pool: &Pool, amount: u64, least: u64) -> u64 {
    let out = price(pool.b, pool.a, amount);
    if out < least {
        return 0;
    }
    msg!("enough");
    out
}

fn closed(amount: u64) -> Result<u64> {
    msg!("{}", amount);
    err!(PoolError::TooLittle)
}

fn price(one: u64, other: u64, amount: u64) -> u64 {
    one.checked_mul(amount).unwrap() / other.max(1)
}

#[derive(Accounts)]
pub struct Convert<'info> {
    pub owner: Signer<'info>,
    #[account(mut, has_one = owner)]
    pub pool: Account<'info, Pool>,
}

#[account]
pub struct Pool { pub owner: Pubkey, pub a: u64, pub b: u64 }

#[derive(AnchorSerialize, AnchorDeserialize, Clone, Copy)]
pub enum Mode { All, Part, Market, Closed }

#[error_code]
pub enum PoolError { TooLittle }
`,
      `use anchor_lang::prelude::*;
use borsh::{BorshDeserialize, BorshSerialize};

#[program]
pub mod amm {
    use super::*;
    /// Another entry point answers it before Anchor does.
    pub fn swap_fast(ctx: Context<Swap>, amount: u64, min_out: u64) -> Result<()> {
        unreachable!()
    }
}

#[derive(Accounts)]
pub struct Swap<'info> {
    #[account(mut)]
    pub pool: Account<'info, Pool>,
}

#[account]
pub struct Pool { pub a: u64, pub b: u64 }

#[derive(BorshDeserialize)]
pub struct Request { pub amount: u64, pub at_least: u64 }

pub fn swap_raw(program_id: &Pubkey, accounts: &[AccountInfo], data: &[u8]) -> ProgramResult {
    let args = crate::instruction::SwapFast::try_from_slice(&data[8..])?;
    let iter = &mut accounts.iter();
    let pool_info = next_account_info(iter)?;
    require_keys_eq!(*pool_info.owner, *program_id);
    require!(args.amount >= args.min_out, Missed);
    trade(pool_info, args.amount)
}

pub fn order(program_id: &Pubkey, accounts: &[AccountInfo], data: &[u8]) -> ProgramResult {
    let request = Request::try_from_slice(data)?;
    let iter = &mut accounts.iter();
    let pool_info = next_account_info(iter)?;
    require_keys_eq!(*pool_info.owner, *program_id);
    require!(request.amount >= request.at_least, Missed);
    trade(pool_info, request.amount)
}

fn trade(pool_info: &AccountInfo, amount: u64) -> ProgramResult {
    let mut pool = Pool::try_from_slice(&pool_info.data.borrow())?;
    pool.b = pool.b.checked_sub(amount).ok_or(ProgramError::InvalidArgument)?;
    pool.serialize(&mut &mut pool_info.data.borrow_mut()[..])?;
    Ok(())
}

/// What a record stores is no limit of the caller.
pub fn refill(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let pool_info = next_account_info(iter)?;
    let rules_info = next_account_info(iter)?;
    require_keys_eq!(*pool_info.owner, *program_id);
    require_keys_eq!(*rules_info.owner, *program_id);
    let rules = Request::try_from_slice(&rules_info.data.borrow())?;
    require!(rules.amount > 0, Missed);
    trade(pool_info, amount)
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod pool {
    use super::*;

    pub fn add(ctx: Context<Change>, bounds: Bounds) -> Result<()> {
        let Bounds::ByTokens { max_x, max_y } = bounds;
        let pool = &mut ctx.accounts.pool;
        let shares = max_x * pool.shares / pool.x;
        let (x, y) = (shares * pool.x / pool.shares + 1, shares * pool.y / pool.shares + 1);
        require!(x <= max_x && y <= max_y, Problem::Bounds);
        pool.x += x;
        pool.y += y;
        pool.shares += shares;
        Ok(())
    }

    // One of them is capped instead.
    pub fn fill(ctx: Context<Change>, max_x: u64, max_y: u64) -> Result<()> {
        let pool = &mut ctx.accounts.pool;
        let x = (max_x + max_y).min(max_x);
        require!(pool.y <= max_y, Problem::Bounds);
        pool.x += x;
        Ok(())
    }

    // Without a limit of the caller's, the lowest price is meant.
    pub fn trade(ctx: Context<Change>, limit_price_0: u64, limit_price_1: u64) -> Result<()> {
        let pool = &mut ctx.accounts.pool;
        let first = if limit_price_0 == 0 { 1 } else { limit_price_0 };
        require!(first <= pool.x, Problem::Bounds);
        require!(limit_price_1 <= pool.y, Problem::Bounds);
        pool.x -= 1;
        Ok(())
    }

    // Remembered, and compared when it is filled.
    pub fn order(ctx: Context<Change>, min_base: u64, min_quote: u64) -> Result<()> {
        let pool = &mut ctx.accounts.pool;
        require!(min_quote <= pool.y, Problem::Bounds);
        pool.least = min_base;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Change<'info> {
    pub owner: Signer<'info>,
    #[account(mut, has_one = owner)]
    pub pool: Account<'info, Pool>,
}

#[derive(AnchorSerialize, AnchorDeserialize)]
pub enum Bounds {
    ByTokens { max_x: u64, max_y: u64 },
}

#[account]
pub struct Pool {
    pub owner: Pubkey,
    pub x: u64,
    pub y: u64,
    pub shares: u64,
    pub least: u64,
}

#[error_code]
pub enum Problem {
    #[msg("Bounds")]
    Bounds,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod registry {
    use super::*;
    pub fn create(ctx: Context<Create>, max_entries: u32) -> Result<()> {
        ctx.accounts.registry.admin = ctx.accounts.payer.key();
        Ok(())
    }
    pub fn propose(ctx: Context<Change>, min_delay: u64) -> Result<()> {
        ctx.accounts.registry.proposals += 1;
        Ok(())
    }
}

#[derive(Accounts)]
#[instruction(max_entries: u32)]
pub struct Create<'info> {
    #[account(init, payer = payer, space = Registry::size(max_entries))]
    pub registry: Account<'info, Registry>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Change<'info> {
    #[account(mut, has_one = admin)]
    pub registry: Account<'info, Registry>,
    pub admin: Signer<'info>,
}

#[account]
pub struct Registry { pub admin: Pubkey, pub proposals: u64 }
`,
      `use borsh::{BorshDeserialize, BorshSerialize};
use solana_program::{account_info::{next_account_info, AccountInfo}, entrypoint::ProgramResult, pubkey::Pubkey};

#[derive(BorshDeserialize)]
pub struct Packet { pub amount: u64, pub min_lots: u64 }

#[derive(BorshDeserialize)]
pub struct Short { pub amount: u64 }

pub trait Book { fn place(&mut self, packet: &Packet) -> u64; }

pub fn trade(program_id: &Pubkey, accounts: &[AccountInfo], data: &[u8]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let pool_info = next_account_info(iter)?;
    if pool_info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    let packet = match Packet::try_from_slice(data) {
        Ok(packet) => packet,
        Err(_) => Packet::try_from_slice(&[data, &[0]].concat())?,
    };
    let mut book: Box<dyn Book> = load_book(pool_info)?;
    let got = book.place(&packet);
    pool_info.data.borrow_mut()[0..8].copy_from_slice(&got.to_le_bytes());
    Ok(())
}
`,
    ],
  },
}

const limitName = /(^|_)(min|minimum|max|maximum|slippage|least|limit|expected|threshold|price)(_|$)/

const tradeName = /(^|_)(swap|trade|exchange|buy|sell)(_|$)/

/** Nobody trades with more of them; the events are read once for each. */
const maxLimits = 12

/** Whether amounts move, or the program's figures change: a limit to anything else has nothing to do with a price. */
const isTrade = (instruction: Instruction): boolean =>
  instruction.kind === "native"
    ? isMutating(instruction)
    : cpisOf(instruction).some(movesValue) ||
      ofKind(instruction.events, "assign").some((event) => isInteger(event.value.type) && !isClosing(event))

/** The rent of an account that is closed: all that it holds goes, and nothing is left. */
const isClosing = ({ target, value }: AssignEvent): boolean =>
  isLamports(target.term) && (isLamports(value.term) || literalValue(value.term) === 0)

const isLamports = (term: Term): boolean => term.kind === "field" && term.name === "lamports"

/** A payment that no minimum of the caller holds for. */
const unmetMinimum = (instruction: Instruction): Match | undefined => {
  const exchange = unlimitedExchange(instruction)
  if (exchange !== undefined)
    return { ...placeOf(exchange.event), message: "Any amount may be paid out: the caller cannot set a minimum." }
  const reduced = paidBelowLimit(instruction)
  return reduced === undefined
    ? undefined
    : { ...placeOf(reduced), message: "The amount paid is less than the amount compared with the caller's minimum." }
}
