import type { Rule } from "../../../Rule.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import type { Term } from "../../../rust/terms/terms.ts"
import type { Instruction, SolanaProgram } from "../../program/model.ts"
import { checksWhenDone, successAbout } from "../../questions/questions.ts"
import { isChosen } from "../../questions/quantities.ts"
import { accountOfState } from "../../program/semantics.ts"
import { ofKind } from "../../../rust/terms/events.ts"

export const singleStepAuthority: Rule<SolanaProgram> = {
  meta: {
    id: "solana/centralization/single-step-authority",
    class: "single-step-authority",
    title: "Single-step authority transfer",
    severity: "low",
    confidence: "medium",
    cwe: [283],
    description:
      "The current authority writes the next one directly into the state, and the new authority does not need " +
      "to agree. A mistyped or wrong address takes effect immediately: the program can then never be " +
      "administered again, or belongs to someone else.",
    remediation:
      "Store the new authority as pending and let it take over in an instruction that it signs itself; or " +
      "require its signature in this one.",
    references: ["https://docs.openzeppelin.com/contracts/5.x/api/access#Ownable2Step"],
  },
  check: (program, report) => {
    for (const { instructions } of program.crates)
      for (const instruction of instructions)
        for (const event of ofKind(instruction.events, "assign")) {
          if (event.operator !== "=" || event.target.term.kind !== "field") continue
          const target = event.target.term
          if (!authority.test(target.name) || accountOfState(target) === undefined) continue
          // Only the current authority hands over: the stored authority is compared with a signer.
          const inForce = successAbout(instruction, target).some(
            (fact) => fact.kind === "binary" && fact.operator === "==",
          )
          if (!inForce || !isUnproven(instruction, event.value.term)) continue
          report(placeOf(event))
        }
  },
  examples: {
    vulnerable: [
      `use anchor_lang::prelude::*;

#[program]
pub mod config {
    use super::*;
    pub fn hand_over(ctx: Context<HandOver>, to: Pubkey) -> Result<()> {
        ctx.accounts.config.admin = to; // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct HandOver<'info> {
    #[account(mut, has_one = admin)]
    pub config: Account<'info, Config>,
    pub admin: Signer<'info>,
}

#[account]
pub struct Config { pub admin: Pubkey }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod config {
    use super::*;
    pub fn hand_over(ctx: Context<HandOver>) -> Result<()> {
        let config = &mut ctx.accounts.config;
        require_keys_eq!(config.authority, ctx.accounts.caller.key());
        config.authority = ctx.accounts.heir.key(); // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct HandOver<'info> {
    #[account(mut)]
    pub config: Account<'info, Config>,
    pub caller: Signer<'info>,
    /// CHECK: becomes the authority
    pub heir: UncheckedAccount<'info>,
}

#[account]
pub struct Config { pub authority: Pubkey }
`,
    ],
    safe: [
      `use anchor_lang::prelude::*;

#[program]
pub mod config {
    use super::*;
    pub fn offer(ctx: Context<Offer>, to: Pubkey) -> Result<()> {
        ctx.accounts.config.pending_admin = to;
        Ok(())
    }

    pub fn accept(ctx: Context<Accept>) -> Result<()> {
        let config = &mut ctx.accounts.config;
        config.admin = ctx.accounts.pending_admin.key();
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Offer<'info> {
    #[account(mut, has_one = admin)]
    pub config: Account<'info, Config>,
    pub admin: Signer<'info>,
}

#[derive(Accounts)]
pub struct Accept<'info> {
    #[account(mut, has_one = pending_admin)]
    pub config: Account<'info, Config>,
    pub pending_admin: Signer<'info>,
}

#[account]
pub struct Config { pub admin: Pubkey, pub pending_admin: Pubkey }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod config {
    use super::*;
    pub fn create(ctx: Context<Create>, admin: Pubkey) -> Result<()> {
        ctx.accounts.config.admin = admin;
        Ok(())
    }

    pub fn hand_over(ctx: Context<HandOver>) -> Result<()> {
        ctx.accounts.config.admin = ctx.accounts.heir.key();
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Create<'info> {
    #[account(init, payer = payer, space = 40)]
    pub config: Account<'info, Config>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct HandOver<'info> {
    #[account(mut, has_one = admin)]
    pub config: Account<'info, Config>,
    pub admin: Signer<'info>,
    pub heir: Signer<'info>,
}

#[account]
pub struct Config { pub admin: Pubkey }
`,
      `use anchor_lang::prelude::*;

pub const SUCCESSOR: Pubkey = pubkey!("9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin");

#[program]
pub mod config {
    use super::*;

    // The program signs for its council, and nobody can mistype its address.
    pub fn to_council(ctx: Context<ToCouncil>) -> Result<()> {
        ctx.accounts.config.admin = ctx.accounts.council.key();
        Ok(())
    }

    pub fn to_successor(ctx: Context<ToSuccessor>) -> Result<()> {
        ctx.accounts.config.admin = ctx.accounts.successor.key();
        Ok(())
    }

    pub fn to_signer(ctx: Context<ToSigner>) -> Result<()> {
        ctx.accounts.config.admin = ctx.accounts.successor.key();
        Ok(())
    }
}

#[derive(Accounts)]
pub struct ToCouncil<'info> {
    #[account(mut, has_one = admin)]
    pub config: Account<'info, Config>,
    pub admin: Signer<'info>,
    /// CHECK: signs for the program
    #[account(seeds = [b"council"], bump)]
    pub council: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct ToSuccessor<'info> {
    #[account(mut, has_one = admin)]
    pub config: Account<'info, Config>,
    pub admin: Signer<'info>,
    /// CHECK: compared
    #[account(address = SUCCESSOR)]
    pub successor: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct ToSigner<'info> {
    #[account(mut, has_one = admin)]
    pub config: Account<'info, Config>,
    pub admin: Signer<'info>,
    pub successor: Signer<'info>,
}

#[account]
pub struct Config {
    pub admin: Pubkey,
}
`,
    ],
  },
}

const authority = /(^|_)(authority|admin|owner|governance|governor|manager|operator|guardian)$/

/** Whether the value is the address of an account that does not sign: nobody proves that they hold its key. */
const isUnproven = (instruction: Instruction, value: Term): boolean => {
  const holder = instruction.accounts.find((one) => value.kind === "field" && value.base === one.term)
  if (holder === undefined) return isChosen(instruction, value)
  return !checksWhenDone(instruction, holder).some(({ kind }) => kind === "signer" || kind === "pda" || kind === "key")
}
