import type { Rule } from "../../../Rule.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import { openCpisOf } from "../../ties/cpiProgram.ts"
import type { SolanaProgram } from "../../program/model.ts"

export const uncheckedTokenProgram: Rule<SolanaProgram> = {
  meta: {
    id: "solana/cpi/unchecked-token-program",
    class: "arbitrary-cpi",
    title: "Unchecked token program account",
    // spl-token rejects other programs since 3.1.1: what remains is the dependency on that.
    severity: "low",
    confidence: "medium",
    cwe: [829, 345],
    description:
      "The instruction builds a token instruction for a program account that it does not check itself. Old " +
      "versions of spl-token (before 3.1.1) accept any program there, so an attacker's program is called " +
      "instead of the token program; newer versions reject it in the builder, and the program relies on that " +
      "implicitly.",
    remediation:
      "Declare the account as `Program<'info, Token>` or `Interface<'info, TokenInterface>`, or compare its key with `spl_token::ID` before the call; keep spl-token at 3.1.1 or later.",
    references: [
      "https://github.com/coral-xyz/sealevel-attacks/tree/master/programs/5-arbitrary-cpi",
      "https://github.com/solana-labs/solana-program-library/pull/1714",
    ],
  },
  check: (program, report) => {
    for (const { instructions } of program.crates)
      for (const instruction of instructions)
        for (const { event, refusedByLibrary } of openCpisOf(instruction))
          if (refusedByLibrary)
            report({
              ...placeOf(event),
              message: `\`${instruction.name}\` does not compare the token program's address.`,
            })
  },
  examples: {
    vulnerable: [
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::program::invoke;

#[program]
pub mod pay {
    use super::*;

    pub fn pay(ctx: Context<Pay>, amount: u64) -> Result<()> {
        let accounts = &ctx.accounts;
        let instruction =
            spl_token::instruction::transfer(accounts.program.key, accounts.from.key, accounts.to.key, accounts.owner.key, &[], amount)?;
        invoke(&instruction, &[accounts.from.clone(), accounts.to.clone(), accounts.owner.to_account_info()])?; // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Pay<'info> {
    #[account(mut)]
    pub from: AccountInfo<'info>,
    #[account(mut)]
    pub to: AccountInfo<'info>,
    pub owner: Signer<'info>,
    pub program: AccountInfo<'info>,
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, TokenAccount};

#[program]
pub mod burn {
    use super::*;

    pub fn burn(ctx: Context<BurnSome>, amount: u64) -> Result<()> {
        let accounts = token::Burn {
            mint: ctx.accounts.mint.to_account_info(),
            from: ctx.accounts.from.to_account_info(),
            authority: ctx.accounts.owner.to_account_info(),
        };
        let context = CpiContext::new(ctx.accounts.program.to_account_info(), accounts); // FINDING
        token::burn(context, amount)
    }
}

#[derive(Accounts)]
pub struct BurnSome<'info> {
    #[account(mut)]
    pub mint: AccountInfo<'info>,
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    pub owner: Signer<'info>,
    pub program: AccountInfo<'info>,
}
`,
    ],
    safe: [
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::program::invoke;

#[program]
pub mod pay {
    use super::*;

    pub fn pay(ctx: Context<Pay>, amount: u64) -> Result<()> {
        let accounts = &ctx.accounts;
        require_keys_eq!(accounts.program.key(), spl_token::ID);
        let instruction =
            spl_token::instruction::transfer(accounts.program.key, accounts.from.key, accounts.to.key, accounts.owner.key, &[], amount)?;
        invoke(&instruction, &[accounts.from.clone(), accounts.to.clone(), accounts.owner.to_account_info()])?;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Pay<'info> {
    #[account(mut)]
    pub from: AccountInfo<'info>,
    #[account(mut)]
    pub to: AccountInfo<'info>,
    pub owner: Signer<'info>,
    pub program: AccountInfo<'info>,
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, TokenAccount};

#[program]
pub mod burn {
    use super::*;

    pub fn burn(ctx: Context<BurnSome>, amount: u64) -> Result<()> {
        let accounts = token::Burn {
            mint: ctx.accounts.mint.to_account_info(),
            from: ctx.accounts.from.to_account_info(),
            authority: ctx.accounts.owner.to_account_info(),
        };
        let context = CpiContext::new(ctx.accounts.program.to_account_info(), accounts);
        token::burn(context, amount)
    }
}

#[derive(Accounts)]
pub struct BurnSome<'info> {
    #[account(mut)]
    pub mint: AccountInfo<'info>,
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    pub owner: Signer<'info>,
    #[account(address = token::ID)]
    pub program: AccountInfo<'info>,
}
`,
    ],
  },
}
