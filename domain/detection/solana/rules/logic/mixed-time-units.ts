import { placeOf } from "../../../rust/placeOf.ts"
import { mixedUnits, type Unit } from "../../../rust/timeUnits.ts"
import type { Term } from "../../../rust/terms/terms.ts"
import type { Rule } from "../../../Rule.ts"
import type { SolanaProgram } from "../../program/model.ts"
import { isClock } from "../../questions/quantities.ts"
import { labelsIn } from "../../siblings/labels.ts"

const answers: ReadonlyMap<string, Unit> = new Map([
  ["slot", "blocks"],
  ["unix_timestamp", "seconds"],
  ["epoch", "epochs"],
])

const platform = (term: Term): Unit | undefined =>
  term.kind === "field" && isClock(term.base) ? answers.get(term.name) : undefined

export const mixedTimeUnits: Rule<SolanaProgram> = {
  meta: {
    id: "solana/logic/mixed-time-units",
    class: "mixed-time-units",
    title: "Mixed time units",
    severity: "high",
    confidence: "medium",
    cwe: [682, 1339],
    description:
      "A time in one unit is added to, subtracted from or compared with one in another: blocks or slots with " +
      "seconds, nanoseconds with seconds. A one-year lock ends within seconds or never, and rates are off by " +
      "orders of magnitude.",
    remediation:
      "Use one unit per field, include it in the field's name (`unlock_seconds`), and convert when reading a " +
      "value in another unit.",
    references: ["https://cwe.mitre.org/data/definitions/1339.html"],
  },
  check: (program, report) => {
    for (const { instructions } of program.crates)
      for (const { event, units } of mixedUnits(
        instructions.map((one) => ({ events: one.events, labels: labelsIn(one), platform })),
      ))
        report({ ...placeOf(event), message: `A time in ${units[0]} is combined with one in ${units[1]}.` })
  },
  examples: {
    vulnerable: [
      `use anchor_lang::prelude::*;

pub const SECONDS_PER_DAY: i64 = 86_400;
pub const RATE: i64 = 3;

#[program]
pub mod locks {
    use super::*;
    pub fn lock(ctx: Context<Use>, days: i64) -> Result<()> {
        let clock = Clock::get()?;
        ctx.accounts.lock.until = (clock.slot as i64).checked_add(days * SECONDS_PER_DAY).ok_or(Refused::No)?; // FINDING
        ctx.accounts.lock.since = clock.slot;
        Ok(())
    }
    pub fn age(ctx: Context<Use>) -> Result<()> {
        let age = Clock::get()?.unix_timestamp - ctx.accounts.lock.since as i64; // FINDING
        msg!("{}", age);
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Use<'info> {
    #[account(mut, has_one = owner)]
    pub lock: Account<'info, Lock>,
    pub owner: Signer<'info>,
}

#[account]
pub struct Lock { pub owner: Pubkey, pub until: i64, pub since: u64, pub period_slots: u64, pub period_secs: i64 }

#[error_code]
pub enum Refused { No }
`,
      `use anchor_lang::prelude::*;

pub const SECONDS_PER_DAY: i64 = 86_400;
pub const RATE: i64 = 3;

#[program]
pub mod locks {
    use super::*;
    pub fn lock(ctx: Context<Use>) -> Result<()> {
        let clock = Clock::get()?;
        ctx.accounts.lock.until = clock.unix_timestamp + ctx.accounts.lock.period_secs;
        Ok(())
    }
    pub fn open(ctx: Context<Use>) -> Result<()> {
        require!(Clock::get()?.slot as i64 >= ctx.accounts.lock.until, Refused::No); // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Use<'info> {
    #[account(mut, has_one = owner)]
    pub lock: Account<'info, Lock>,
    pub owner: Signer<'info>,
}

#[account]
pub struct Lock { pub owner: Pubkey, pub until: i64, pub since: u64, pub period_slots: u64, pub period_secs: i64 }

#[error_code]
pub enum Refused { No }
`,
    ],
    safe: [
      // A game's epoch is a time in seconds.
      `use anchor_lang::prelude::*;

#[program]
pub mod games {
    use super::*;
    pub fn open(ctx: Context<Play>) -> Result<()> {
        ctx.accounts.game.epoch = Clock::get()?.unix_timestamp;
        Ok(())
    }
    pub fn play(ctx: Context<Play>) -> Result<()> {
        require!(Clock::get()?.unix_timestamp > ctx.accounts.game.epoch + 60, Early::Early);
        ctx.accounts.game.plays += 1;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Play<'info> {
    #[account(mut, has_one = owner)]
    pub game: Account<'info, Game>,
    pub owner: Signer<'info>,
}

#[account]
pub struct Game { pub owner: Pubkey, pub epoch: i64, pub plays: u64 }

#[error_code]
pub enum Early { Early }
`,
      `use anchor_lang::prelude::*;

pub const SECONDS_PER_DAY: i64 = 86_400;
pub const RATE: i64 = 3;

#[program]
pub mod locks {
    use super::*;
    pub fn lock(ctx: Context<Use>, days: i64) -> Result<()> {
        let clock = Clock::get()?;
        ctx.accounts.lock.until = clock.unix_timestamp.checked_add(days * SECONDS_PER_DAY).ok_or(Refused::No)?;
        ctx.accounts.lock.since = clock.slot + ctx.accounts.lock.period_slots;
        Ok(())
    }
    pub fn open(ctx: Context<Use>) -> Result<()> {
        let clock = Clock::get()?;
        require!(clock.unix_timestamp >= ctx.accounts.lock.until && clock.slot > ctx.accounts.lock.since, Refused::No);
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Use<'info> {
    #[account(mut, has_one = owner)]
    pub lock: Account<'info, Lock>,
    pub owner: Signer<'info>,
}

#[account]
pub struct Lock { pub owner: Pubkey, pub until: i64, pub since: u64, pub period_slots: u64, pub period_secs: i64 }

#[error_code]
pub enum Refused { No }
`,
      // Converted, by a number or a rate.
      `use anchor_lang::prelude::*;

pub const SECONDS_PER_DAY: i64 = 86_400;
pub const RATE: i64 = 3;

#[program]
pub mod locks {
    use super::*;
    pub fn lock(ctx: Context<Use>, slots: u64) -> Result<()> {
        let clock = Clock::get()?;
        ctx.accounts.lock.until = clock.unix_timestamp + clock.slot as i64 * 2 / 5;
        ctx.accounts.lock.period_secs = clock.unix_timestamp - ctx.accounts.lock.period_slots as i64 * RATE;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Use<'info> {
    #[account(mut, has_one = owner)]
    pub lock: Account<'info, Lock>,
    pub owner: Signer<'info>,
}

#[account]
pub struct Lock { pub owner: Pubkey, pub until: i64, pub since: u64, pub period_slots: u64, pub period_secs: i64 }

#[error_code]
pub enum Refused { No }
`,
    ],
  },
}
