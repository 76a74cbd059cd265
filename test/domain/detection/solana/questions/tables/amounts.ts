import { guaranteed } from "../../../../../../domain/detection/rust/terms/events.ts"
import { show } from "../../../../../../domain/detection/rust/terms/show.ts"
import {
  isAtMost,
  isBounded,
  isChosen,
  isConstant,
  isHeld,
  isNonZero,
  isTime,
  literalValue,
  operandsOf,
} from "../../../../../../domain/detection/solana/questions/quantities.ts"
import { solanaTable } from "../../../../../support/solanaTable.ts"

/** What is known about a number: where it comes from, and how large it may be. */
export const amounts = solanaTable(
  "amounts",
  {
    chosen: (instruction, [term]) => isChosen(instruction, term!),
    held: (_, [term]) => isHeld(term!),
    fixed: (_, [term]) => isConstant(term!),
    literal: (_, [term]) => literalValue(term!),
    time: (_, [term]) => isTime(term!),
    most: (_, [small, large], at) => isAtMost(guaranteed(at), small!, large!),
    bounded: (_, [term, except], at) => isBounded(guaranteed(at), term!, except),
    nonzero: (_, [term], at) => isNonZero(guaranteed(at), term!),
    operands: (_, [term]) =>
      (["add", "sub", "mul", "div"] as const)
        .flatMap((operation) => {
          const found = operandsOf(term!, operation)
          return found === undefined ? [] : [`${operation} ${show(found[0])} ${show(found[1])}`]
        })
        .join(),
  },
  [
    `use anchor_lang::prelude::*;

pub const MAX: u64 = 50;

#[program]
pub mod amounts {
    use super::*;

    pub fn origins(ctx: Context<All>, a: u64, b: u64, index: u8) -> Result<()> {
        let pool = &ctx.accounts.pool;
        let held = pool.total;
        let list = &pool.parts;
        ask::chosen(a, "true");
        ask::chosen(held, "false");
        ask::chosen(held + a, "true");
        ask::chosen(list[index as usize], "false");
        ask::chosen(foreign::part(a), "true");
        ask::chosen(foreign::hash(a), "false");
        ask::chosen(foreign::hashv(a), "false");
        ask::chosen(list.len(), "false");
        ask::chosen(7, "false");
        ask::held(held, "true");
        ask::held(held * 3, "true");
        ask::held(a, "false");
        ask::held(list.len(), "false");
        ask::held(ctx.accounts.user.lamports(), "true");
        ask::held(ctx.accounts.user.data.borrow(), "false");
        ask::held(ctx.accounts.user.key(), "false");
        ask::fixed(7, "true");
        ask::fixed(MAX, "true");
        ask::fixed(MAX * 2 as u64, "true");
        ask::fixed(u64::from(7u8), "true");
        ask::fixed(a + 7, "false");
        ask::fixed(foreign::now(), "false");
        ask::literal(7, "7");
        ask::literal(7u8 as u64, "7");
        ask::literal(u64::from(7u8), "7");
        ask::literal(u64::from(7u8, 9), "undefined");
        ask::literal(true, "undefined");
        ask::literal(MAX, "undefined");
        ask::time(pool.last_slot, "true");
        ask::time(pool.total, "false");
        ask::time(pool.last_slot - pool.total, "true");
        ask::time(pool.total + pool.updated_ts, "true");
        ask::time(pool.total * pool.updated_ts, "false");
        ask::time(pool.last_slot.max(a), "true");
        ask::time(foreign::of(pool.last_slot), "false");
        ask::time(Clock::get()?.unix_timestamp as u64, "true");
        ask::time(if a > 1 { pool.last_slot } else { pool.total }, "true");
        ask::time(7, "false");
        ask::operands(a + b, "add a b");
        ask::operands(a.checked_sub(b).unwrap(), "sub a b");
        ask::operands(a.saturating_mul(b), "mul a b");
        ask::operands(a.wrapping_add(b), "add a b");
        ask::operands(a.safe_div(b)?, "div a b");
        ask::operands(a.try_sub(b)?, "sub a b");
        ask::operands(a.div_euclid(b), "");
        ask::operands(a.checked_div_euclid(b).unwrap(), "div a b");
        ask::operands((a / b) as u32, "div a b");
        ask::operands(a.checked_neg(), "");
        ask::operands(a % b, "");
        Ok(())
    }

    pub fn most(ctx: Context<All>, a: u64, b: u64, c: u64, d: u64, e: u64, f: u64) -> Result<()> {
        let total = ctx.accounts.pool.total;
        ask::most(a, a, "true");
        ask::most(a as u128, u128::from(a), "true");
        ask::most(a, b, "true");
        require!(a <= b, Wrong::Size);
        ask::most(b, a, "false");
        ask::most(a, c, "false");
        ask::most(a.min(c), c, "true");
        ask::most(a.max(c), c, "false");
        ask::most(c, a.max(c), "true");
        ask::most(c, a.min(c), "false");
        ask::most(a.min(d), c, "false");
        ask::most(c, a.max(d), "false");
        require!(c + d < total, Wrong::Size);
        ask::most(c, total, "true");
        ask::most(d, total, "true");
        ask::most(e, total, "false");
        ask::most(d, total - c, "true");
        ask::most(c, total - c, "false");
        ask::most(e, total - c, "false");
        require!(e == f, Wrong::Size);
        ask::most(e, f, "true");
        ask::most(f, e, "true");
        require!(f != d, Wrong::Size);
        ask::most(f, d, "false");
        ask::most(1, f, "false");
        Ok(())
    }

    pub fn subtracted(ctx: Context<All>, a: u64, b: u64, c: u64) -> Result<()> {
        let left = a.checked_sub(b).ok_or(Wrong::Size)?;
        ask::most(b, c, "false");
        ask::most(b, a, "true");
        ask::most(a, b, "false");
        ask::most(c, a, "false");
        let sum = a.checked_add(c).ok_or(Wrong::Size)?;
        ask::most(c, a, "false");
        Ok(())
    }

    pub fn ordered(ctx: Context<All>, a: u64, b: u64, c: u64) -> Result<()> {
        match a.cmp(&b) {
            Ordering::Less => {
                ask::most(a, b, "true");
                ask::most(b, a, "false");
                ask::most(a, c, "false");
                ask::most(c, b, "false");
            }
            Ordering::Greater => {
                ask::most(a, b, "false");
                ask::most(b, a, "true");
                ask::most(c, a, "false");
                ask::most(b, c, "false");
            }
            Ordering::Equal => {
                ask::most(a, b, "false");
            }
        }
        Ok(())
    }

    pub fn literals(ctx: Context<All>, a: u64, b: u64, c: u64) -> Result<()> {
        require!(a >= 5, Wrong::Size);
        ask::most(5, a, "true");
        ask::most(6, a, "false");
        require!(b > 5, Wrong::Size);
        ask::most(6, b, "true");
        ask::most(7, b, "false");
        require!(c != 0, Wrong::Size);
        ask::most(1, c, "true");
        ask::most(2, c, "false");
        Ok(())
    }

    pub fn bounded(ctx: Context<All>, a: u64, b: u64, c: u64, d: u64, e: u64, f: u64) -> Result<()> {
        let total = ctx.accounts.pool.total;
        require!(a < total, Wrong::Size);
        ask::bounded(a, "true");
        ask::bounded(total, "false");
        require!(b + c <= total, Wrong::Size);
        ask::bounded(b, "true");
        ask::bounded(c, "true");
        ask::bounded(c, b, "false");
        ask::bounded(b.checked_add(c).unwrap(), "false");
        require!(d.checked_add(a).unwrap() <= total, Wrong::Size);
        ask::bounded(d, "true");
        require!(e == 7, Wrong::Size);
        ask::bounded(e, "true");
        require!((1..9).contains(&f), Wrong::Size);
        ask::bounded(f, "true");
        Ok(())
    }

    pub fn unbounded(ctx: Context<All>, a: u64, b: u64, c: u64) -> Result<()> {
        let total = ctx.accounts.pool.total;
        require!(a != 7, Wrong::Size);
        ask::bounded(a, "false");
        require!(b * 2 < total, Wrong::Size);
        ask::bounded(b, "false");
        require!(foreign::holds(5, b), Wrong::Size);
        ask::bounded(b, "false");
        require!(total == c, Wrong::Size);
        ask::bounded(c, "true");
        ask::bounded(total, "true");
        Ok(())
    }

    pub fn nonzero(ctx: Context<All>, a: u64, b: u64, c: u64, d: u64, e: u64, f: u64, g: u64) -> Result<()> {
        ask::nonzero(0, "false");
        ask::nonzero(7, "true");
        ask::nonzero(MAX, "true");
        ask::nonzero(g, "false");
        ask::nonzero(g.max(1), "true");
        ask::nonzero(g.max(0), "false");
        ask::nonzero(g + 1, "true");
        ask::nonzero(1 + g, "true");
        ask::nonzero(g * 1, "false");
        ask::nonzero(10u64.pow(3), "true");
        ask::nonzero(10u64.pow(g as u32), "true");
        require!(!a.is_zero(), Wrong::Size);
        ask::nonzero(a, "true");
        require!(!b.is_odd(), Wrong::Size);
        ask::nonzero(b, "false");
        require!(c != 0, Wrong::Size);
        ask::nonzero(c, "true");
        ask::nonzero(foreign::get(0, g), "false");
        ask::nonzero(10 - g, "false");
        require!(d != 1, Wrong::Size);
        ask::nonzero(d, "false");
        require!(e > d, Wrong::Size);
        ask::nonzero(e, "true");
        require!(f >= e, Wrong::Size);
        ask::nonzero(f, "true");
        ask::nonzero(a * c, "true");
        ask::nonzero(a * g, "false");
        ask::nonzero(if d > 5 { a } else { c }, "true");
        ask::nonzero(if d > 5 { a } else { g }, "false");
        Ok(())
    }

    pub fn products(ctx: Context<All>, a: u64, b: u64, c: u64, d: u64, e: u64, f: u64, g: u64, h: u64) -> Result<()> {
        require!(a >= b, Wrong::Size);
        ask::nonzero(a, "false");
        require!(c * d != 0, Wrong::Size);
        ask::nonzero(d, "true");
        require!(e * f > 0, Wrong::Size);
        ask::nonzero(e, "true");
        require!(g + h > 0, Wrong::Size);
        ask::nonzero(g, "false");
        Ok(())
    }
}

#[derive(Accounts)]
pub struct All<'info> {
    pub pool: Account<'info, Pool>,
    pub user: UncheckedAccount<'info>,
}

#[account]
pub struct Pool {
    pub total: u64,
    pub last_slot: u64,
    pub updated_ts: u64,
    pub parts: Vec<u64>,
}

#[error_code]
pub enum Wrong {
    Size,
}
`,
  ],
)
