import { mentions, type Term } from "../../../rust/terms/terms.ts"
import type { Rule } from "../../../Rule.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import type { SolanaProgram } from "../../program/model.ts"
import { cpisOf } from "../../questions/questions.ts"
import { accountOfState } from "../../program/semantics.ts"
import { ofKind } from "../../../rust/terms/events.ts"

export const madeUpAuthority: Rule<SolanaProgram> = {
  meta: {
    id: "solana/cpi/made-up-authority",
    class: "cpi-authority-bypass",
    title: "Authority is a generated placeholder key",
    severity: "high",
    confidence: "high",
    cwe: [863, 330],
    description:
      "The program stores or uses `Pubkey::new_unique()` as an authority. That function is a counter intended " +
      "for tests: the key is predictable, the same for everyone, and nobody holds its private key, while the " +
      "accounts passed to the instruction are not checked against an authority. Whatever the authority guards " +
      "is either locked permanently or open to anyone who passes the remaining checks.",
    remediation:
      "Take the authority from an account that signs and is compared with the stored one, or derive it from " +
      "seeds: `#[account(seeds = […], bump)]`.",
    references: [
      "https://docs.rs/solana-program/latest/solana_program/pubkey/struct.Pubkey.html#method.new_unique",
      "https://solana.com/docs/core/pda",
    ],
  },
  check: (program, report) => {
    for (const { instructions } of program.crates)
      for (const instruction of instructions) {
        for (const event of ofKind(instruction.events, "assign")) {
          if (accountOfState(event.target.term) !== undefined && isMadeUp(event.value.term))
            report({ ...placeOf(event), message: "A key that nobody holds is stored." })
        }
        for (const { event, args, accounts } of cpisOf(instruction)) {
          if ([...args, ...accounts.map(({ term }) => term)].some(isMadeUp))
            report({ ...placeOf(event), message: "A key that nobody holds is passed on." })
        }
      }
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
      `use anchor_lang::prelude::*;

#[program]
pub mod config {
    use super::*;

    pub fn rotate(ctx: Context<Rotate>) -> Result<()> {
        ctx.accounts.config.keeper = Pubkey::new_rand(); // FINDING
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
      `use anchor_lang::prelude::*;
use dice::Salt;

#[program]
pub mod config {
    use super::*;

    pub fn shuffle(ctx: Context<Shuffle>) -> Result<()> {
        ctx.accounts.config.salt = Salt::new_rand();
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Shuffle<'info> {
    #[account(mut, has_one = keeper)]
    pub config: Account<'info, Config>,
    pub keeper: Signer<'info>,
}

#[account]
pub struct Config {
    pub keeper: Pubkey,
    pub salt: Salt,
}
`,
    ],
  },
}

const isMadeUp = (term: Term): boolean =>
  mentions(
    term,
    (one) => one.kind === "call" && (one.name === "new_unique" || (one.name === "new_rand" && /Pubkey/.test(one.path))),
  )
