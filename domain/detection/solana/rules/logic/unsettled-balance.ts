import { unsettled } from "../../../rust/accruals.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import type { Rule } from "../../../Rule.ts"
import type { SolanaProgram } from "../../program/model.ts"
import { isNewRecord, labelsIn } from "../../siblings/labels.ts"

export const unsettledBalance: Rule<SolanaProgram> = {
  meta: {
    id: "solana/logic/unsettled-balance",
    class: "accounting-index-skip",
    title: "Balance changes before accrued rewards are settled",
    severity: "high",
    confidence: "medium",
    cwe: [682, 841],
    description:
      "Elsewhere, the rewards of a record are computed as its balance times the increase of an index (or of the " +
      "time) since the value stored in the record. Here, the balance or rate changes before those rewards are " +
      "settled, so the new balance counts for the entire period: an attacker deposits just before claiming and " +
      "takes rewards that others earned.",
    remediation:
      "Settle first: compute what the old balance has earned, add it to the pending rewards and update the " +
      "stored index. Only then change the balance.",
    references: [
      "https://uploads-ssl.webflow.com/5ad71ffeb79acc67c8bcdaba/5ad8d1193a40977462982470_scalable-reward-distribution-paper.pdf",
    ],
  },
  check: (program, report) => {
    for (const { instructions } of program.crates)
      for (const { subject, event, copy, isRate } of unsettled(
        instructions
          .filter(({ walk }) => !walk.truncated)
          .map((one) => ({
            subject: one,
            events: one.events,
            labels: labelsIn(one),
            isNew: (write) => isNewRecord(one, write),
          })),
      ))
        report({
          ...placeOf(event),
          ...(isRate ? { severity: "low" as const } : {}),
          message: `\`${subject.name}\` changes this before settling what it has earned since \`${copy}\`.`,
        })
  },
  examples: {
    vulnerable: [
      // Too late, and never.
      `use anchor_lang::prelude::*;

#[program]
pub mod farm {
    use super::*;
    pub fn stake(ctx: Context<Use>, amount: u64) -> Result<()> {
        ctx.accounts.user.staked = ctx.accounts.user.staked.checked_add(amount).ok_or(Refused::No)?; // FINDING
        settle(&ctx.accounts.pool, &mut ctx.accounts.user)?;
        Ok(())
    }
    pub fn unstake(ctx: Context<Use>, amount: u64) -> Result<()> {
        ctx.accounts.user.staked -= amount; // FINDING
        Ok(())
    }
    pub fn claim(ctx: Context<Use>) -> Result<()> {
        settle(&ctx.accounts.pool, &mut ctx.accounts.user)?;
        ctx.accounts.user.pending = 0;
        Ok(())
    }
}

fn settle(pool: &Pool, user: &mut User) -> Result<()> {
    let gained = (user.staked as u128).checked_mul(pool.index - user.seen).ok_or(Refused::No)? / 1_000_000;
    user.pending += gained as u64;
    user.seen = pool.index;
    Ok(())
}

fn advance(pool: &mut Pool) -> Result<()> {
    let now = Clock::get()?.unix_timestamp;
    pool.index += (now - pool.updated) as u128 * pool.rate as u128;
    pool.updated = now;
    Ok(())
}

#[derive(Accounts)]
pub struct Use<'info> {
    #[account(mut)]
    pub pool: Account<'info, Pool>,
    #[account(mut, has_one = owner, has_one = pool)]
    pub user: Account<'info, User>,
    pub owner: Signer<'info>,
}

#[derive(Accounts)]
pub struct Join<'info> {
    pub pool: Account<'info, Pool>,
    #[account(init, payer = owner, space = 200)]
    pub user: Account<'info, User>,
    #[account(mut)]
    pub owner: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Govern<'info> {
    #[account(mut, has_one = admin)]
    pub pool: Account<'info, Pool>,
    pub admin: Signer<'info>,
}

#[account]
pub struct Pool { pub admin: Pubkey, pub index: u128, pub rate: u64, pub updated: i64, pub price: u64 }

#[account]
pub struct User { pub owner: Pubkey, pub pool: Pubkey, pub staked: u64, pub pending: u64, pub seen: u128, pub bought: u64, pub points: u64 }

#[error_code]
pub enum Refused { No }
`,
      // A rate for the time that has passed.
      `use anchor_lang::prelude::*;

#[program]
pub mod farm {
    use super::*;
    pub fn set_rate(ctx: Context<Govern>, rate: u64) -> Result<()> {
        ctx.accounts.pool.rate = rate; // FINDING
        Ok(())
    }
    pub fn sync(ctx: Context<Govern>) -> Result<()> {
        advance(&mut ctx.accounts.pool)
    }
}

fn settle(pool: &Pool, user: &mut User) -> Result<()> {
    let gained = (user.staked as u128).checked_mul(pool.index - user.seen).ok_or(Refused::No)? / 1_000_000;
    user.pending += gained as u64;
    user.seen = pool.index;
    Ok(())
}

fn advance(pool: &mut Pool) -> Result<()> {
    let now = Clock::get()?.unix_timestamp;
    pool.index += (now - pool.updated) as u128 * pool.rate as u128;
    pool.updated = now;
    Ok(())
}

#[derive(Accounts)]
pub struct Use<'info> {
    #[account(mut)]
    pub pool: Account<'info, Pool>,
    #[account(mut, has_one = owner, has_one = pool)]
    pub user: Account<'info, User>,
    pub owner: Signer<'info>,
}

#[derive(Accounts)]
pub struct Join<'info> {
    pub pool: Account<'info, Pool>,
    #[account(init, payer = owner, space = 200)]
    pub user: Account<'info, User>,
    #[account(mut)]
    pub owner: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Govern<'info> {
    #[account(mut, has_one = admin)]
    pub pool: Account<'info, Pool>,
    pub admin: Signer<'info>,
}

#[account]
pub struct Pool { pub admin: Pubkey, pub index: u128, pub rate: u64, pub updated: i64, pub price: u64 }

#[account]
pub struct User { pub owner: Pubkey, pub pool: Pubkey, pub staked: u64, pub pending: u64, pub seen: u128, pub bought: u64, pub points: u64 }

#[error_code]
pub enum Refused { No }
`,
    ],
    safe: [
      // Before, or in a new record.
      `use anchor_lang::prelude::*;

#[program]
pub mod farm {
    use super::*;
    pub fn stake(ctx: Context<Use>, amount: u64) -> Result<()> {
        settle(&ctx.accounts.pool, &mut ctx.accounts.user)?;
        ctx.accounts.user.staked = ctx.accounts.user.staked.checked_add(amount).ok_or(Refused::No)?;
        Ok(())
    }
    pub fn stake_first(ctx: Context<Use>, amount: u64) -> Result<()> {
        ctx.accounts.user.seen = ctx.accounts.pool.index;
        ctx.accounts.user.staked = ctx.accounts.user.staked.checked_add(amount).ok_or(Refused::No)?;
        Ok(())
    }
    pub fn join(ctx: Context<Join>, amount: u64) -> Result<()> {
        ctx.accounts.user.staked += amount;
        ctx.accounts.user.seen = ctx.accounts.pool.index;
        Ok(())
    }
    pub fn set_rate(ctx: Context<Govern>, rate: u64) -> Result<()> {
        advance(&mut ctx.accounts.pool)?;
        ctx.accounts.pool.rate = rate;
        Ok(())
    }
}

fn settle(pool: &Pool, user: &mut User) -> Result<()> {
    let gained = (user.staked as u128).checked_mul(pool.index - user.seen).ok_or(Refused::No)? / 1_000_000;
    user.pending += gained as u64;
    user.seen = pool.index;
    Ok(())
}

fn advance(pool: &mut Pool) -> Result<()> {
    let now = Clock::get()?.unix_timestamp;
    pool.index += (now - pool.updated) as u128 * pool.rate as u128;
    pool.updated = now;
    Ok(())
}

#[derive(Accounts)]
pub struct Use<'info> {
    #[account(mut)]
    pub pool: Account<'info, Pool>,
    #[account(mut, has_one = owner, has_one = pool)]
    pub user: Account<'info, User>,
    pub owner: Signer<'info>,
}

#[derive(Accounts)]
pub struct Join<'info> {
    pub pool: Account<'info, Pool>,
    #[account(init, payer = owner, space = 200)]
    pub user: Account<'info, User>,
    #[account(mut)]
    pub owner: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Govern<'info> {
    #[account(mut, has_one = admin)]
    pub pool: Account<'info, Pool>,
    pub admin: Signer<'info>,
}

#[account]
pub struct Pool { pub admin: Pubkey, pub index: u128, pub rate: u64, pub updated: i64, pub price: u64 }

#[account]
pub struct User { pub owner: Pubkey, pub pool: Pubkey, pub staked: u64, pub pending: u64, pub seen: u128, pub bought: u64, pub points: u64 }

#[error_code]
pub enum Refused { No }
`,
      // A copy that does not follow is a price, or a start.
      `use anchor_lang::prelude::*;

#[program]
pub mod farm {
    use super::*;
    pub fn buy(ctx: Context<Use>, amount: u64) -> Result<()> {
        ctx.accounts.user.points += amount;
        Ok(())
    }
    pub fn value(ctx: Context<Use>) -> Result<()> {
        let user = &mut ctx.accounts.user;
        user.pending = user.points * (ctx.accounts.pool.price - user.bought);
        Ok(())
    }
}

fn settle(pool: &Pool, user: &mut User) -> Result<()> {
    let gained = (user.staked as u128).checked_mul(pool.index - user.seen).ok_or(Refused::No)? / 1_000_000;
    user.pending += gained as u64;
    user.seen = pool.index;
    Ok(())
}

fn advance(pool: &mut Pool) -> Result<()> {
    let now = Clock::get()?.unix_timestamp;
    pool.index += (now - pool.updated) as u128 * pool.rate as u128;
    pool.updated = now;
    Ok(())
}

#[derive(Accounts)]
pub struct Use<'info> {
    #[account(mut)]
    pub pool: Account<'info, Pool>,
    #[account(mut, has_one = owner, has_one = pool)]
    pub user: Account<'info, User>,
    pub owner: Signer<'info>,
}

#[derive(Accounts)]
pub struct Join<'info> {
    pub pool: Account<'info, Pool>,
    #[account(init, payer = owner, space = 200)]
    pub user: Account<'info, User>,
    #[account(mut)]
    pub owner: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Govern<'info> {
    #[account(mut, has_one = admin)]
    pub pool: Account<'info, Pool>,
    pub admin: Signer<'info>,
}

#[account]
pub struct Pool { pub admin: Pubkey, pub index: u128, pub rate: u64, pub updated: i64, pub price: u64 }

#[account]
pub struct User { pub owner: Pubkey, pub pool: Pubkey, pub staked: u64, pub pending: u64, pub seen: u128, pub bought: u64, pub points: u64 }

#[error_code]
pub enum Refused { No }
`,
    ],
  },
}
