import type { Rule } from "../../../Rule.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import { movesValue } from "../../questions/cpi.ts"
import type { SolanaProgram } from "../../program/model.ts"
import { accountAt, checksAround, cpisOf } from "../../questions/questions.ts"
import { roleOf } from "../../questions/signedCpi.ts"

export const unboundTokenAuthority: Rule<SolanaProgram> = {
  meta: {
    id: "solana/pda/unbound-token-authority",
    class: "pda-sharing",
    title: "Token transfer authority is not bound to a user, pool or seeds",
    // The token program still requires the authority's signature in the transaction.
    severity: "low",
    confidence: "low",
    cwe: [284, 862],
    description:
      "The instruction moves tokens for an authority that is declared as an unchecked account: it is not a " +
      "`Signer`, is not derived from seeds, and is not compared with the vault or user that it should belong " +
      "to. If it is meant to be a program address, the same address serves everyone, and nothing checks whose " +
      "tokens are withdrawn.",
    remediation:
      'Declare a wallet as `Signer<\'info>`. Declare a program address with the seeds of its user or pool, `#[account(seeds = [b"vault", user.key().as_ref()], bump)]`, and sign with the same seeds.',
    references: [
      "https://solana.com/developers/courses/program-security/pda-sharing",
      "https://www.anchor-lang.com/docs/basics/pda",
    ],
  },
  check: (program, report) => {
    for (const { instructions } of program.crates)
      for (const instruction of instructions) {
        if (instruction.kind !== "anchor") continue
        for (const cpi of cpisOf(instruction)) {
          if (cpi.signerSeeds !== undefined || !movesValue(cpi)) continue
          const term = roleOf(cpi, "authority")
          const authority = accountAt(instruction, term)
          if (authority?.wrapper !== "raw") continue
          if (checksAround(cpi.event, authority).some(({ kind }) => kind !== "owner" && kind !== "distinct")) continue
          report({
            ...placeOf(cpi.event),
            message: `\`${authority.name}\` is not tied to the tokens that \`${instruction.name}\` moves for it.`,
          })
        }
      }
  },
  examples: {
    vulnerable: [
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod pay {
    use super::*;

    pub fn pay(ctx: Context<Pay>, amount: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.from.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.holder.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount) // FINDING
    }
}

#[derive(Accounts)]
pub struct Pay<'info> {
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub holder: AccountInfo<'info>,
    pub token_program: Program<'info, Token>,
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Burn, Mint, Token, TokenAccount};

#[program]
pub mod burn {
    use super::*;

    pub fn burn(ctx: Context<BurnSome>, amount: u64) -> Result<()> {
        token::burn(ctx.accounts.context(), amount) // FINDING
    }
}

#[derive(Accounts)]
pub struct BurnSome<'info> {
    #[account(mut)]
    pub mint: Account<'info, Mint>,
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    /// CHECK: holds the tokens
    pub holder: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}

impl<'info> BurnSome<'info> {
    fn context(&self) -> CpiContext<'_, '_, '_, 'info, Burn<'info>> {
        let accounts = Burn {
            mint: self.mint.to_account_info(),
            from: self.from.to_account_info(),
            authority: self.holder.to_account_info(),
        };
        CpiContext::new(self.token_program.to_account_info(), accounts)
    }
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod pay {
    use super::*;

    // That it is a wallet, and another one than the payer's, says nothing of whose tokens it holds.
    pub fn pay(ctx: Context<Pay>, amount: u64) -> Result<()> {
        require_keys_neq!(ctx.accounts.holder.key(), ctx.accounts.payer.key());
        let accounts = Transfer {
            from: ctx.accounts.from.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.holder.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount) // FINDING
    }
}

#[derive(Accounts)]
pub struct Pay<'info> {
    pub payer: Signer<'info>,
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    /// CHECK: pays
    #[account(owner = system_program::ID)]
    pub holder: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}
`,
    ],
    safe: [
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod pay {
    use super::*;

    pub fn pay(ctx: Context<Pay>, amount: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.from.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.holder.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount)
    }
}

#[derive(Accounts)]
pub struct Pay<'info> {
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub holder: Signer<'info>,
    pub token_program: Program<'info, Token>,
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod pay {
    use super::*;

    pub fn pay(ctx: Context<Pay>, amount: u64) -> Result<()> {
        let user = ctx.accounts.user.key();
        let seeds: &[&[u8]] = &[b"holder", user.as_ref(), &[ctx.bumps.holder]];
        let accounts = Transfer {
            from: ctx.accounts.from.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.holder.to_account_info(),
        };
        let program = ctx.accounts.token_program.to_account_info();
        token::transfer(CpiContext::new_with_signer(program, accounts, &[seeds]), amount)
    }

    pub fn pay_as_signer(ctx: Context<PayAsSigner>, amount: u64) -> Result<()> {
        require!(ctx.accounts.holder.is_signer, ErrorCode::AccountNotSigner);
        let accounts = Transfer {
            from: ctx.accounts.from.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.holder.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount)
    }
}

#[derive(Accounts)]
pub struct Pay<'info> {
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    #[account(seeds = [b"holder", user.key().as_ref()], bump)]
    pub holder: AccountInfo<'info>,
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct PayAsSigner<'info> {
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub holder: AccountInfo<'info>,
    pub token_program: Program<'info, Token>,
}
`,
    ],
  },
}
