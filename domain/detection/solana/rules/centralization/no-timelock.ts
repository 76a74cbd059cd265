import { mentions, type Term } from "../../../rust/terms/terms.ts"
import { isClock } from "../../questions/quantities.ts"
import { isInteger, pointee } from "../../../rust/crate/types.ts"
import { oncePer } from "../../../oncePer.ts"
import type { Rule } from "../../../Rule.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import { signersOf } from "../../authority/authorization.ts"
import type { Instruction, SolanaProgram } from "../../program/model.ts"
import { isFromCaller } from "../../questions/questions.ts"
import { accountOfState, keyOf, stateOf } from "../../program/semantics.ts"
import { ofKind } from "../../../rust/terms/events.ts"

export const noTimelock: Rule<SolanaProgram> = {
  meta: {
    id: "solana/centralization/no-timelock",
    class: "no-timelock",
    title: "Privileged change takes effect immediately",
    // Nothing is broken: it shows how far users have to trust the administrator's key.
    severity: "informational",
    confidence: "medium",
    cwe: [284],
    description:
      "The administrator sets a protocol parameter, and it takes effect with the next instruction. Users cannot " +
      "see the change coming and leave; the key holder, or someone who steals the key, can set fees or limits " +
      "to extreme values and use them in the same transaction.",
    remediation:
      "Split the change in two steps: one proposes and stores the new value and the time from which it can be " +
      "applied, the other applies it and requires `Clock::get()?.unix_timestamp` to be past that time. A bound " +
      "on the value and a multisig as administrator reduce the risk further.",
    references: [
      "https://docs.openzeppelin.com/contracts/5.x/api/governance#TimelockController",
      "https://docs.squads.so/main/navigating-your-squad/settings",
    ],
  },
  check: (program, report) => {
    for (const { instructions } of program.crates)
      for (const instruction of instructions) {
        let asked: boolean | undefined
        const isTimed = (): boolean => (asked ??= waits(instruction))
        for (const event of ofKind(instruction.events, "assign")) {
          if (event.target.term.kind !== "field") continue
          const account = accountOfState(event.target.term)
          if (account === undefined || !isInteger(pointee(event.target.type))) continue
          if (/^(pending|proposed|next|new|queued)_/.test(event.target.term.name)) continue
          if (!isFromCaller(instruction, event.value.term) || isTimed()) continue
          // A total that grows is not a setting.
          if (mentions(event.value.term, (one) => one === event.target.term)) continue
          if (!administered(instruction).has(stateOf(program.terms, account))) continue
          report({ ...placeOf(event), message: `\`${event.target.term.name}\` changes without a delay.` })
        }
      }
  },
  examples: {
    vulnerable: [
      `use anchor_lang::prelude::*;

#[program]
pub mod lending {
    use super::*;

    pub fn set_rate(ctx: Context<SetRate>, rate: u64) -> Result<()> {
        ctx.accounts.market.rate = rate; // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct SetRate<'info> {
    #[account(mut, has_one = admin)]
    pub market: Account<'info, Market>,
    pub admin: Signer<'info>,
}

#[account]
pub struct Market {
    pub admin: Pubkey,
    pub rate: u64,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod lending {
    use super::*;

    pub fn set_limits(ctx: Context<SetLimits>, limits: Limits) -> Result<()> {
        require_keys_eq!(ctx.accounts.market.governance, ctx.accounts.signer.key());
        ctx.accounts.market.ceiling = limits.ceiling; // FINDING
        Ok(())
    }
}

#[derive(AnchorSerialize, AnchorDeserialize)]
pub struct Limits {
    pub ceiling: u64,
}

#[derive(Accounts)]
pub struct SetLimits<'info> {
    #[account(mut)]
    pub market: Account<'info, Market>,
    pub signer: Signer<'info>,
}

#[account]
pub struct Market {
    pub governance: Pubkey,
    pub ceiling: u64,
}
`,
    ],
    safe: [
      `use anchor_lang::prelude::*;

#[program]
pub mod lending {
    use super::*;

    pub fn propose_rate(ctx: Context<SetRate>, rate: u64) -> Result<()> {
        let market = &mut ctx.accounts.market;
        market.pending_rate = rate;
        market.apply_after = Clock::get()?.unix_timestamp + 86400;
        Ok(())
    }

    pub fn apply_rate(ctx: Context<SetRate>) -> Result<()> {
        let market = &mut ctx.accounts.market;
        require!(Clock::get()?.unix_timestamp >= market.apply_after, ErrorCode::ConstraintRaw);
        market.rate = market.pending_rate;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct SetRate<'info> {
    #[account(mut, has_one = admin)]
    pub market: Account<'info, Market>,
    pub admin: Signer<'info>,
}

#[account]
pub struct Market {
    pub admin: Pubkey,
    pub rate: u64,
    pub pending_rate: u64,
    pub apply_after: i64,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod notes {
    use super::*;

    pub fn set_color(ctx: Context<SetColor>, color: u64) -> Result<()> {
        ctx.accounts.note.color = color;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct SetColor<'info> {
    #[account(mut, has_one = writer)]
    pub note: Account<'info, Note>,
    pub writer: Signer<'info>,
}

#[account]
pub struct Note {
    pub writer: Pubkey,
    pub color: u64,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod config {
    use super::*;

    pub fn set_fee(ctx: Context<Change>, fee: u64) -> Result<()> {
        let config = &mut ctx.accounts.config;
        require!(ctx.accounts.clock.unix_timestamp >= config.open_at, ErrorCode::ConstraintRaw);
        config.fee = fee;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Change<'info> {
    #[account(mut, has_one = admin)]
    pub config: Account<'info, Config>,
    pub admin: Signer<'info>,
    pub clock: Sysvar<'info, Clock>,
}

#[account]
pub struct Config {
    pub admin: Pubkey,
    pub fee: u64,
    pub open_at: i64,
}
`,
      // Without the administrator's account, the instruction is everybody's.
      `use anchor_lang::prelude::*;

#[program]
pub mod rates {
    use super::*;

    pub fn set_rate(ctx: Context<SetRate>, rate: u64) -> Result<()> {
        ctx.accounts.market.rate = rate;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct SetRate<'info> {
    #[account(mut, has_one = admin)]
    pub market: Account<'info, Market>,
    pub admin: Option<Signer<'info>>,
}

#[account]
pub struct Market {
    pub admin: Pubkey,
    pub rate: u64,
}
`,
    ],
  },
}

const administrator =
  /(^|_)(admin|administrator|governance|governor|manager|operator|council|dao|controller|guardian|multisig)(_key|_pubkey)?$/

/** The states of which a signer is the administrator. */
const administered = oncePer((instruction: Instruction): ReadonlySet<Term> => {
  const { terms, success } = instruction.walk
  // Without the optional ones, everyone else may call.
  const keys = new Set(signersOf(instruction).flatMap(({ term, optional }) => (optional ? [] : [keyOf(terms, term)])))
  const stateIn = (stored: Term, other: Term): ReadonlyArray<Term> =>
    stored.kind === "field" && administrator.test(stored.name) && keys.has(other) ? [stored.base] : []
  return new Set(
    [...success].flatMap((fact) =>
      fact.kind === "binary" && fact.operator === "=="
        ? [...stateIn(fact.left, fact.right), ...stateIn(fact.right, fact.left)]
        : [],
    ),
  )
})

/** Whether some condition tests a time. */
const waits = (instruction: Instruction): boolean =>
  [...instruction.walk.success].some((fact) =>
    mentions(fact, (one) => (one.kind === "field" && /^(unix_timestamp|slot|epoch)$/.test(one.name)) || isClock(one)),
  )
