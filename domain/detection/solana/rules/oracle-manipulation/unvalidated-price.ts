import { oncePer } from "../../../oncePer.ts"
import type { Rule } from "../../../Rule.ts"
import { everySubterm, mentions, rootOf, type Term, type TermTable } from "../../../rust/terms/terms.ts"
import { type CallEvent, type Event, ofKind } from "../../../rust/terms/events.ts"
import { isPrivileged } from "../../authority/authorization.ts"
import type { Account, Instruction, SolanaProgram } from "../../program/model.ts"
import { isChanged } from "../../authority/ownership.ts"
import { isFeedLoad, isPriceRead, touchesName } from "../../questions/priceReads.ts"
import { operandsOf, plain } from "../../questions/quantities.ts"
import { definitionOf } from "../../../rust/crate/types.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import { checksAround, isMutating, usesOf } from "../../questions/questions.ts"
import { accountOfState } from "../../program/semantics.ts"

export const unvalidatedPrice: Rule<SolanaProgram> = {
  meta: {
    id: "solana/oracle-manipulation/unvalidated-price",
    class: "unvalidated-oracle",
    title: "Oracle price used without validating source, age or confidence",
    severity: "high",
    confidence: "medium",
    cwe: [345, 1284],
    description:
      "The instruction takes a price from an account that is not tied to the oracle, without checking its age " +
      "or the width of its confidence interval, or from the current balances of a pool. An attacker passes an " +
      "account of their own, waits for a stale or uncertain price, or moves the pool within one transaction, " +
      "and then borrows, mints or liquidates at a price other than the market's.",
    remediation:
      "Check the price account's owner and address (or feed id), read it with a maximum age " +
      "(`get_price_no_older_than`), and reject it if `conf` is too large relative to `price`. If a pool is the " +
      "only source, use a time-weighted average.",
    references: [
      "https://docs.pyth.network/price-feeds/best-practices",
      "https://www.helius.dev/blog/a-hitchhikers-guide-to-solana-program-security",
    ],
  },
  check: (program, report) => {
    for (const crate of program.crates)
      for (const instruction of crate.instructions) {
        // Whoever sets up a market determines its feed.
        const weight = isPrivileged(crate, instruction) ? { severity: "low" as const } : {}
        for (const [account, event] of untiedFeeds(instruction))
          report({
            ...placeOf(event),
            ...weight,
            message: `Neither the owner nor the feed of \`${account.name}\` is checked.`,
          })
        for (const event of undatedReads(instruction))
          report({
            ...placeOf(event),
            message: "The account records when the price was set, but this is never checked.",
          })
        for (const event of ofKind(instruction.events, "call")) {
          const careless = carelessRead(instruction, event)
          if (careless !== undefined)
            report({
              ...placeOf(event),
              // A price that is only shown.
              ...(isMutating(instruction) ? {} : { severity: "low" as const }),
              message: careless,
            })
        }
        for (const [event, quotient] of quotients(program.terms, instruction))
          if (isMovableRatio(instruction, quotient))
            report({
              ...placeOf(event),
              message: "The ratio of a pool's current balances can be moved within one transaction.",
              confidence: "low",
            })
      }
  },
  examples: {
    vulnerable: [
      `use anchor_lang::prelude::*;

#[program]
pub mod lend {
    use super::*;
    pub fn refresh(ctx: Context<Refresh>) -> Result<()> {
        let data = ctx.accounts.price_feed.try_borrow_data()?; // FINDING
        ctx.accounts.reserve.value = u64::from_le_bytes(data[8..16].try_into().unwrap());
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Refresh<'info> {
    #[account(mut)]
    pub reserve: Account<'info, Reserve>,
    /// CHECK: price
    pub price_feed: UncheckedAccount<'info>,
}

#[account]
pub struct Reserve { pub value: u64 }
`,
      `use anchor_lang::prelude::*;
use pyth_solana_receiver_sdk::price_update::PriceUpdateV2;

#[program]
pub mod lend {
    use super::*;
    pub fn refresh(ctx: Context<Refresh>, feed_id: [u8; 32]) -> Result<()> {
        let price = ctx.accounts.update.get_price_unchecked(&feed_id)?; // FINDING
        ctx.accounts.reserve.value = price.price;
        ctx.accounts.reserve.spread = price.conf;
        Ok(())
    }

    pub fn refresh_young(ctx: Context<Refresh>, feed_id: [u8; 32]) -> Result<()> {
        let price = ctx.accounts.update.get_price_no_older_than(&Clock::get()?, 60, &feed_id)?; // FINDING
        ctx.accounts.reserve.value = price.price;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Refresh<'info> {
    #[account(mut)]
    pub reserve: Account<'info, Reserve>,
    pub update: Account<'info, PriceUpdateV2>,
}

#[account]
pub struct Reserve { pub value: i64, pub spread: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::TokenAccount;

#[program]
pub mod lend {
    use super::*;
    pub fn refresh(ctx: Context<Refresh>) -> Result<()> {
        let price = ctx.accounts.usd.amount * 1_000_000 / ctx.accounts.sol.amount; // FINDING
        ctx.accounts.reserve.value = price;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Refresh<'info> {
    #[account(mut, has_one = usd, has_one = sol)]
    pub reserve: Account<'info, Reserve>,
    pub usd: Account<'info, TokenAccount>,
    pub sol: Account<'info, TokenAccount>,
}

#[account]
pub struct Reserve { pub value: u64, pub usd: Pubkey, pub sol: Pubkey }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod lend {
    use super::*;

    pub fn twice(ctx: Context<Raw>) -> Result<()> {
        let first = ctx.accounts.price_feed.try_borrow_data()?; // FINDING
        let second = ctx.accounts.price_feed.try_borrow_data()?;
        ctx.accounts.reserve.value = u64::from(first[8]) + u64::from(second[9]);
        Ok(())
    }

    pub fn named(ctx: Context<Raw>) -> Result<()> {
        ctx.accounts.reserve.feed = ctx.accounts.price_feed.key();
        Ok(())
    }

    pub fn trusted(ctx: Context<Trusted>) -> Result<()> {
        let data = ctx.accounts.price_feed.try_borrow_data()?; // FINDING
        ctx.accounts.reserve.value = u64::from(data[8]);
        Ok(())
    }

    pub fn dated(ctx: Context<Dated>) -> Result<()> {
        let reserve = &mut ctx.accounts.reserve;
        reserve.value = ctx.accounts.market.price; // FINDING
        reserve.other = ctx.accounts.market.price;
        Ok(())
    }

    pub fn undated(ctx: Context<Dated>) -> Result<()> {
        let reserve = &mut ctx.accounts.reserve;
        reserve.value = ctx.accounts.market.fee;
        reserve.other = ctx.accounts.plain.price;
        Ok(())
    }

    pub fn fresh(ctx: Context<Dated>) -> Result<()> {
        require!(ctx.accounts.market.last_update > 5, ErrorCode::Old);
        ctx.accounts.reserve.value = ctx.accounts.market.price;
        Ok(())
    }

    pub fn set(ctx: Context<Dated>, fee: u64) -> Result<()> {
        ctx.accounts.market.fee = fee;
        ctx.accounts.reserve.value = ctx.accounts.market.price;
        Ok(())
    }

    pub fn ratios(ctx: Context<Pooled>) -> Result<()> {
        let pool = &ctx.accounts.pool;
        let reserve = &mut ctx.accounts.reserve;
        reserve.value = pool.base_reserve * 1_000 / pool.quote_reserve; // FINDING
        reserve.value = pool.base_reserve.checked_div(pool.quote_reserve).unwrap(); // FINDING
        reserve.value = pool.base_reserve * 1_000 / pool.base_reserve;
        reserve.value = pool.base_reserve / pool.fee;
        reserve.value = pool.fee / pool.base_reserve;
        reserve.value = pool.base_reserve / pool.share_balance;
        reserve.value = pool.base_reserve * pool.quote_reserve;
        reserve.value = pool.base_reserve / 7;
        Ok(())
    }

    pub fn trade(ctx: Context<Pooled>) -> Result<()> {
        let pool = &mut ctx.accounts.pool;
        pool.fee = 3;
        ctx.accounts.reserve.value = pool.base_reserve * 1_000 / pool.quote_reserve;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Raw<'info> {
    #[account(mut)]
    pub reserve: Account<'info, Reserve>,
    /// CHECK: price
    pub price_feed: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct Trusted<'info> {
    #[account(mut, has_one = authority)]
    pub reserve: Account<'info, Reserve>,
    pub authority: Signer<'info>,
    /// CHECK: price
    pub price_feed: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct Dated<'info> {
    #[account(mut)]
    pub reserve: Account<'info, Reserve>,
    #[account(mut)]
    pub market: Account<'info, Market>,
    pub plain: Account<'info, Plain>,
}

#[derive(Accounts)]
pub struct Pooled<'info> {
    #[account(mut)]
    pub reserve: Account<'info, Reserve>,
    #[account(mut)]
    pub pool: Account<'info, Pool>,
}

#[account]
pub struct Reserve { pub authority: Pubkey, pub feed: Pubkey, pub value: u64, pub other: u64 }

#[account]
pub struct Market { pub price: u64, pub fee: u64, pub last_update: u64 }

#[account]
pub struct Plain { pub price: u64 }

#[account]
pub struct Pool { pub base_reserve: u64, pub quote_reserve: u64, pub share_balance: u64, pub fee: u64 }

#[error_code]
pub enum ErrorCode { Old }
`,
      `use anchor_lang::prelude::*;
use pyth_sdk_solana::load_price_feed_from_account_info;
use pyth_solana_receiver_sdk::price_update::PriceUpdateV2;

#[program]
pub mod lend {
    use super::*;

    pub fn loaded(ctx: Context<Loaded>) -> Result<()> {
        let first = load_price_feed_from_account_info(&ctx.accounts.first)?; // FINDING
        let again = load_price_feed_from_account_info(&ctx.accounts.first)?;
        let known = load_price_feed_from_account_info(&ctx.accounts.known)?;
        ctx.accounts.reserve.value = first.conf + again.conf + known.conf;
        Ok(())
    }

    pub fn aged(ctx: Context<Updated>, id: [u8; 32]) -> Result<()> {
        let price = ctx.accounts.update.get_price_unchecked(&id)?; // FINDING
        require!(price.publish_time > 5, ErrorCode::Old);
        ctx.accounts.reserve.value = price.price;
        Ok(())
    }

    pub fn sure(ctx: Context<Updated>, id: [u8; 32]) -> Result<()> {
        let price = ctx.accounts.update.get_price_no_older_than(&Clock::get()?, 60, &id)?;
        require!(price.conf < 5, ErrorCode::Old);
        ctx.accounts.reserve.value = price.price;
        Ok(())
    }

    pub fn exponents(ctx: Context<Updated>, id: [u8; 32]) -> Result<()> {
        let price = ctx.accounts.update.get_price_no_older_than(&Clock::get()?, 60, &id)?;
        ctx.accounts.reserve.value = price.exponent;
        Ok(())
    }

    pub fn short_exponents(ctx: Context<Updated>, id: [u8; 32]) -> Result<()> {
        let price = ctx.accounts.update.get_price_no_older_than(&Clock::get()?, 60, &id)?;
        ctx.accounts.reserve.value = price.expo;
        Ok(())
    }

    pub fn handed_on(ctx: Context<Updated>, id: [u8; 32]) -> Result<()> {
        let price = ctx.accounts.update.get_price_no_older_than(&Clock::get()?, 60, &id)?; // FINDING
        msg!("{}", helper::value(price.price));
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Loaded<'info> {
    #[account(mut)]
    pub reserve: Account<'info, Reserve>,
    /// CHECK: any
    pub first: UncheckedAccount<'info>,
    /// CHECK: by its address
    #[account(address = reserve.feed)]
    pub known: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct Updated<'info> {
    #[account(mut)]
    pub reserve: Account<'info, Reserve>,
    pub update: Account<'info, PriceUpdateV2>,
}

#[account]
pub struct Reserve { pub feed: Pubkey, pub value: i64 }

#[error_code]
pub enum ErrorCode { Old }
`,
      `use anchor_lang::prelude::*;
use pyth_sdk_solana::load_price_feed_from_account_info;

#[program]
pub mod lend {
    use super::*;

    pub fn borrow(ctx: Context<Borrow>, amount: u64) -> Result<()> {
        let update = load_price_feed_from_account_info(&ctx.accounts.update).unwrap(); // FINDING
        let price = update.get_price_no_older_than(Clock::get()?.unix_timestamp, 60).unwrap();
        require!(price.conf < 1_000, LendError::Price);
        ctx.accounts.reserve.lent += amount * price.price as u64;
        Ok(())
    }

    // The administrator answers for the feed.
    pub fn revalue(ctx: Context<Revalue>) -> Result<()> {
        let update = load_price_feed_from_account_info(&ctx.accounts.update).unwrap(); // FINDING
        let price = update.get_price_no_older_than(Clock::get()?.unix_timestamp, 60).unwrap();
        require!(price.conf < 1_000, LendError::Price);
        ctx.accounts.reserve.value = price.price;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Borrow<'info> {
    #[account(mut)]
    pub reserve: Account<'info, Reserve>,
    /// CHECK: told about the loan
    pub referrer: UncheckedAccount<'info>,
    /// CHECK: read by the library
    pub update: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct Revalue<'info> {
    #[account(mut)]
    pub reserve: Account<'info, Reserve>,
    #[account(seeds = [b"config"], bump, has_one = admin)]
    pub config: Account<'info, Config>,
    pub admin: Signer<'info>,
    /// CHECK: read by the library
    pub update: UncheckedAccount<'info>,
}

#[account]
pub struct Reserve {
    pub lent: u64,
    pub value: i64,
}

#[account]
pub struct Config {
    pub admin: Pubkey,
}

#[error_code]
pub enum LendError {
    Price,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod pools {
    use super::*;
    pub fn open(ctx: Context<Open>) -> Result<()> {
        ctx.accounts.position.value = ctx.accounts.pool.sqrt_price * ctx.accounts.position.size; // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(mut)]
    pub position: Account<'info, Position>,
    pub pool: Account<'info, Pool>,
}

#[account]
pub struct Position { pub size: u128, pub value: u128 }
#[account]
pub struct Pool { pub sqrt_price: u128, pub last_updated_timestamp: u64 }
`,
    ],
    safe: [
      `use anchor_lang::prelude::*;

#[program]
pub mod feeds {
    use super::*;

    // The program of the feed itself: the runtime lets it change no other's.
    pub fn set(ctx: Context<Set>, price: i64) -> Result<()> {
        let mut feed = Price::load(&ctx.accounts.price)?;
        feed.now = price;
        Ok(())
    }

    pub fn read(ctx: Context<Read>, index: u64) -> Result<()> {
        let feed = Price::load(&ctx.accounts.oracle)?;
        let known = ctx.accounts.list.feeds.iter().position(|one| one.eq(ctx.accounts.oracle.key)).ok_or(Wrong::Feed)?;
        ctx.accounts.list.last = feed.now + known as i64;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Set<'info> {
    /// CHECK: changed
    #[account(mut)]
    pub price: AccountInfo<'info>,
}

#[derive(Accounts)]
pub struct Read<'info> {
    #[account(mut)]
    pub list: Account<'info, List>,
    /// CHECK: one of the list
    pub oracle: AccountInfo<'info>,
}

#[account]
pub struct List { pub feeds: Vec<Pubkey>, pub last: i64 }

#[repr(C)]
pub struct Price { pub now: i64 }

impl Price {
    pub fn load<'a>(info: &'a AccountInfo) -> Result<RefMut<'a, Price>> {
        let data = RefMut::map(info.try_borrow_mut_data()?, |data| *data);
        Ok(RefMut::map(data, |data| bytemuck::from_bytes_mut(data)))
    }
}

#[error_code]
pub enum Wrong { Feed }
`,
      `use anchor_lang::prelude::*;
use pyth_solana_receiver_sdk::price_update::PriceUpdateV2;

#[program]
pub mod markets {
    use super::*;

    pub fn open(ctx: Context<Open>, feed_id: [u8; 32]) -> Result<()> {
        let price = ctx.accounts.update.get_price_no_older_than(&Clock::get()?, 60, &feed_id)?;
        ctx.accounts.market.decimals = price.exponent.abs() as u8;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(mut)]
    pub market: Account<'info, Market>,
    pub update: Account<'info, PriceUpdateV2>,
}

#[account]
pub struct Market { pub decimals: u8 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod lend {
    use super::*;
    pub fn refresh(ctx: Context<Refresh>) -> Result<()> {
        let data = ctx.accounts.price_feed.try_borrow_data()?;
        ctx.accounts.reserve.value = u64::from_le_bytes(data[8..16].try_into().unwrap());
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Refresh<'info> {
    #[account(mut, has_one = price_feed)]
    pub reserve: Account<'info, Reserve>,
    /// CHECK: bound by has_one
    pub price_feed: UncheckedAccount<'info>,
}

#[account]
pub struct Reserve { pub value: u64, pub price_feed: Pubkey }
`,
      `use anchor_lang::prelude::*;
use pyth_solana_receiver_sdk::price_update::{Price, PriceUpdateV2};

#[program]
pub mod lend {
    use super::*;
    pub fn refresh(ctx: Context<Refresh>, feed_id: [u8; 32]) -> Result<()> {
        let price = ctx.accounts.update.get_price_no_older_than(&Clock::get()?, 60, &feed_id)?;
        check(&price)?;
        ctx.accounts.reserve.value = price.price;
        Ok(())
    }

    pub fn swap(ctx: Context<Swap>, amount: u64, least: u64) -> Result<()> {
        let pool = &mut ctx.accounts.pool;
        let out = (amount as u128 * pool.reserve_a as u128 / pool.reserve_b as u128) as u64;
        require!(out >= least, ErrorCode::TooUncertain);
        pool.reserve_a = pool.reserve_a.checked_sub(out).unwrap();
        pool.reserve_b = pool.reserve_b.checked_add(amount).unwrap();
        Ok(())
    }
}

fn check(price: &Price) -> Result<()> {
    require!(price.conf < price.price as u64 / 100, ErrorCode::TooUncertain);
    Ok(())
}

#[derive(Accounts)]
pub struct Refresh<'info> {
    #[account(mut)]
    pub reserve: Account<'info, Reserve>,
    pub update: Account<'info, PriceUpdateV2>,
}

#[derive(Accounts)]
pub struct Swap<'info> {
    #[account(mut)]
    pub pool: Account<'info, Pool>,
}

#[account]
pub struct Reserve { pub value: i64 }

#[account]
pub struct Pool { pub reserve_a: u64, pub reserve_b: u64 }

#[error_code]
pub enum ErrorCode { TooUncertain }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod router {
    use super::*;

    // The market that is called checks its own feed.
    pub fn borrow(ctx: Context<Borrow>, amount: u64) -> Result<()> {
        let accounts = lending::cpi::accounts::Borrow {
            market: ctx.accounts.market.to_account_info(),
            price_feed: ctx.accounts.price_feed.to_account_info(),
        };
        lending::cpi::borrow(CpiContext::new(ctx.accounts.lending.to_account_info(), accounts), amount)
    }
}

#[derive(Accounts)]
pub struct Borrow<'info> {
    /// CHECK: the lending program's
    #[account(mut)]
    pub market: UncheckedAccount<'info>,
    /// CHECK: the lending program compares it with the market's
    pub price_feed: UncheckedAccount<'info>,
    pub lending: Program<'info, Lending>,
}
`,
      `use anchor_lang::prelude::*;

// The price of its own pool; the time is that of the rewards.
#[program]
pub mod pools {
    use super::*;
    pub fn open(ctx: Context<Open>) -> Result<()> {
        ctx.accounts.position.value = ctx.accounts.pool.sqrt_price * ctx.accounts.position.size;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(mut)]
    pub position: Account<'info, Position>,
    pub pool: Account<'info, Pool>,
}

#[account]
pub struct Position { pub size: u128, pub value: u128 }
#[account]
pub struct Pool { pub sqrt_price: u128, pub reward_last_updated_timestamp: u64 }
`,
    ],
  },
}

const feed = /price|oracle|feed|pyth|aggregator|switchboard/i

/** Numbers that are set once. */
const scale = /multiplier|decimals|lot_size|factor|scale/i

const reserve = /reserve|balance|amount|liquidity|base|quote|token_[abxy01]|coin|_lots/i

const age =
  /no_older_than|check_staleness|publish_time|publish_slot|posted_slot|valid_slot|last_slot|last_update|latest_confirmed_round|timestamp|max_age|stale/

const uncertainty = /^(conf|confidence|conf_interval|std_deviation|std_dev|stdev)|confidence|deviation/

/** Whether more than its exponent is read; a value passed on as a whole may be read anywhere. */
const isPriceUsed = (instruction: Instruction, { result: { term } }: CallEvent): boolean => {
  const parts = instruction.events.flatMap((one) =>
    one.kind === "assign" ? [one.value.term] : "args" in one ? one.args.map((arg) => arg.term) : [],
  )
  const names = new Set<string>()
  for (const part of everySubterm(parts)) if (part.kind === "field" && part.base === term) names.add(part.name)
  return names.size === 0 || [...names].some((name) => name !== "exponent" && name !== "expo")
}

const isChecked = (event: Parameters<typeof checksAround>[0], account: Account): boolean =>
  account.wrapper !== "raw" ||
  checksAround(event, account).some(({ kind }) => /^(owner|key|pda|type|call|state)$/.test(kind))

/** A time that is not said to be that of something else, as `reward_last_updated_timestamp` is. */
const ofPrice =
  /^((price|oracle|feed|last|ema|mark)_)?(publish_time|published|timestamp|updated_at|update_slot|last_update|last_slot|updated|update|slot)/

/** Whether the account's data contain a price and the time when it was set. */
const isDated = ({ state }: Account): boolean => {
  const definition = state === undefined ? undefined : definitionOf(state)
  if (definition?.kind !== "struct") return false
  return definition.item.fields.some(({ name }) => ofPrice.test(name ?? ""))
}

const accountIn = (term: Term): Term => accountOfState(term) ?? term

/** The two places whose ratio is taken as a price. */
const ratio = oncePer((term: Term): readonly [Term, Term] | undefined => {
  const parts = operandsOf(term, "div")
  if (parts === undefined) return undefined
  const inner = (one: Term): Term => {
    const product = operandsOf(one, "mul")
    return product === undefined ? plain(one) : (product.map(plain).find((part) => part.kind === "field") ?? plain(one))
  }
  const [above, below] = parts.map(inner) as [Term, Term] // two in, two out
  if (above.kind !== "field" || below.kind !== "field" || above === below) return undefined
  return [above, below].every(({ name }) => reserve.test(name) && !scale.test(name)) ? [above, below] : undefined
})

const isTouched = (instruction: Instruction, account: Term): boolean =>
  usesOf(instruction, { term: account }).some(({ kind }) => /write|cpi-account/.test(kind))

/** Feeds whose owner and address nothing checks, each with its first read. */
const untiedFeeds = (instruction: Instruction): ReadonlyMap<Account, Event> => {
  const found = new Map<Account, Event>()
  const isUntied = (account: Account, event: Event): boolean => !found.has(account) && !isChecked(event, account)
  for (const account of instruction.accounts)
    // The runtime lets only the oracle's own program change it.
    if (feed.test(account.name) && !isChanged(instruction, account))
      for (const { kind, event } of usesOf(instruction, account))
        if (/^(data-read|deserialize)$/.test(kind) && isUntied(account, event)) found.set(account, event)
  for (const event of ofKind(instruction.events, "call"))
    if (isFeedLoad(event))
      for (const account of instruction.accounts)
        if (isUntied(account, event) && event.args.some(({ term }) => accountIn(term) === account.term))
          found.set(account, event)
  return found
}

/** The first read of each price that is kept with its time, where no time is looked at. */
const undatedReads = (instruction: Instruction): ReadonlyArray<Event> => {
  const stale = new Set(
    instruction.accounts
      .filter((one) => isDated(one) && !isTouched(instruction, one.term) && !touchesName(instruction, age))
      .map(({ term }) => term),
  )
  return ofKind(instruction.events, "read").filter((event) => {
    if (event.value.term.kind !== "field" || !/(^|_)price$/.test(event.value.term.name)) return false
    const holder = accountOfState(event.value.term)
    return holder !== undefined && stale.delete(holder)
  })
}

/** What a read of a price leaves out. */
const carelessRead = (instruction: Instruction, event: CallEvent): string | undefined => {
  if (!isPriceRead(event)) return undefined
  if (!touchesName(instruction, age)) return "Nothing limits the age of the price."
  return !touchesName(instruction, uncertainty) && isPriceUsed(instruction, event)
    ? "The confidence interval of the price is ignored."
    : undefined
}

/** What may divide one value by another. */
function* quotients(terms: TermTable, { events }: Instruction): Iterable<readonly [Event, Term]> {
  for (const event of ofKind(events, "operation"))
    if (event.operator === "/" && event.right !== undefined)
      yield [event, terms.binary("/", event.left.term, event.right.term)]
  for (const event of ofKind(events, "call")) yield [event, event.result.term]
}

const isMovableRatio = (instruction: Instruction, quotient: Term): boolean => {
  const parts = ratio(quotient)
  if (parts === undefined) return false
  const holders = parts.map(accountOfState)
  if (holders.some((one) => one === undefined || isTouched(instruction, one))) return false
  // Supply divided by the assets of the program's own vault is an exchange rate of shares, not a market price.
  if (parts.some((one) => one.kind === "field" && /supply|share/.test(one.name))) return false
  return !mentions(rootOf(parts[0]), (one) => one.kind === "parameter" && /program/.test(one.name))
}
