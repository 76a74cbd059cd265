import { mentions, type Term } from "../../../rust/terms.ts"
import type { Rule } from "../../../Rule.ts"
import { placeOf } from "../../identity.ts"
import { reportOnce } from "../../../rust/reportOnce.ts"
import type { SolanaProgram } from "../../model.ts"
import { cpisOf } from "../../questions.ts"
import { accountOfState } from "../../semantics.ts"

const isMadeUp = (term: Term): boolean =>
  mentions(
    term,
    (one) => one.kind === "call" && (one.name === "new_unique" || (one.name === "new_rand" && /Pubkey/.test(one.path))),
  )

export const madeUpAuthority: Rule<SolanaProgram> = {
  meta: {
    id: "solana/cpi/made-up-authority",
    class: "cpi-authority-bypass",
    title: "Authority is a key that the program makes up",
    severity: "high",
    confidence: "high",
    cwe: [863, 330],
    description:
      "The program stores or uses `Pubkey::new_unique()` as an authority. That function counts up from one for tests: the key is the same for everyone and can be predicted, nobody who ought to hold it does, and no account that was passed was checked to be the authority. Whatever it guards is either locked for good or open to whoever the remaining code lets through.",
    remediation:
      "Take the authority from an account that signs and that is compared with the stored one, or derive it with seeds: `#[account(seeds = […], bump)]`.",
    references: [
      "https://docs.rs/solana-program/latest/solana_program/pubkey/struct.Pubkey.html#method.new_unique",
      "https://solana.com/docs/core/pda",
    ],
  },
  examples: {
    vulnerable: [
      `use anchor_lang::prelude::*;

#[program]
pub mod config {
    use super::*;

    pub fn rotate(ctx: Context<Rotate>) -> Result<()> {
        ctx.accounts.config.keeper = Pubkey::new_unique(); // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Rotate<'info> {
    #[account(mut)]
    pub config: Account<'info, Config>,
}

#[account]
pub struct Config {
    pub keeper: Pubkey,
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::program::invoke;
use solana_program::{entrypoint::ProgramResult, pubkey::Pubkey};

pub fn hand_over(_program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let token = next_account_info(iter)?;
    let owner = next_account_info(iter)?;
    let next = Pubkey::new_unique();
    let kind = spl_token::instruction::AuthorityType::AccountOwner;
    let instruction =
        spl_token::instruction::set_authority(&spl_token::id(), token.key, Some(&next), kind, owner.key, &[])?;
    invoke(&instruction, &[token.clone(), owner.clone()]) // FINDING
}
`,
    ],
    safe: [
      `use anchor_lang::prelude::*;

#[program]
pub mod config {
    use super::*;

    pub fn rotate(ctx: Context<Rotate>, next: Pubkey) -> Result<()> {
        ctx.accounts.config.keeper = next;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Rotate<'info> {
    #[account(mut, has_one = keeper)]
    pub config: Account<'info, Config>,
    pub keeper: Signer<'info>,
}

#[account]
pub struct Config {
    pub keeper: Pubkey,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod config {
    use super::*;

    pub fn burn(ctx: Context<Burn>) -> Result<()> {
        ctx.accounts.config.keeper = Pubkey::default();
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Burn<'info> {
    #[account(mut, has_one = keeper)]
    pub config: Account<'info, Config>,
    pub keeper: Signer<'info>,
}

#[account]
pub struct Config {
    pub keeper: Pubkey,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotates() {
        let config = Config { keeper: Pubkey::new_unique() };
        assert!(config.keeper != Pubkey::default());
    }
}
`,
    ],
  },
  check: (program, report) => {
    const once = reportOnce(report)
    for (const { instructions } of program.crates)
      for (const instruction of instructions) {
        const cpis = cpisOf(instruction)
        for (const event of instruction.events) {
          if (event.kind === "assign" && accountOfState(event.target.term) !== undefined && isMadeUp(event.value.term))
            once({ ...placeOf(event), message: "A key that nobody holds is stored." })
          if (event.kind !== "call") continue
          const cpi = cpis.find((one) => one.event === event)
          if (cpi !== undefined && [...cpi.args, ...cpi.accounts.map(({ term }) => term)].some(isMadeUp))
            once({ ...placeOf(event), message: "A key that nobody holds is passed on." })
        }
      }
  },
}
