import { oncePer, oncePerPair } from "../../../oncePer.ts"
import { guaranteed, ofKind } from "../../../rust/terms/events.ts"
import type { Facts } from "../../../rust/terms/facts.ts"
import { mentions } from "../../../rust/terms/terms.ts"
import type { Rule } from "../../../Rule.ts"
import { signersOf } from "../../authority/authorization.ts"
import { movesValue } from "../../questions/cpi.ts"
import { isPinned } from "../../questions/identity.ts"
import { isCalledByOther } from "../../questions/introspection.ts"
import { openPayouts } from "../../payments/openPayouts.ts"
import { plain } from "../../questions/quantities.ts"
import type { Account, Cpi, Instruction, SolanaProgram } from "../../program/model.ts"
import { closes, reachesCaller } from "../../payments/gains.ts"
import { accountIn, checksAround, cpisOf, isFromCaller } from "../../questions/questions.ts"
import { keyOf, stateOf } from "../../program/semantics.ts"
import { paysIn } from "../../ties/parties.ts"
import { areRelated, flattenSeeds, isSignedFor, roleOf, signedCpisOf } from "../../questions/signedCpi.ts"
import type { Term } from "../../../rust/terms/terms.ts"
import { placeOf } from "../../../rust/placeOf.ts"

export const unboundSignerSeeds: Rule<SolanaProgram> = {
  meta: {
    id: "solana/cpi/unbound-signer-seeds",
    class: "cpi-authority-bypass",
    title: "Program-signed transfer for a caller-chosen beneficiary",
    severity: "high",
    confidence: "medium",
    cwe: [863, 639],
    description:
      "The program moves tokens or lamports with the signature of one of its own addresses, but nothing ties " +
      "that address to the caller: the user in the seeds neither signs nor is compared with anything, or no " +
      "account signs at all while the destination can be chosen freely. An attacker names a victim in the " +
      "seeds, or themselves as the destination, and the program signs the withdrawal.",
    remediation:
      "Derive the seeds from an account that signs, or compare the authority with the one stored in the vault's state (`has_one = authority` with `Signer`). Check the destination against that authority as well.",
    references: [
      "https://solana.com/developers/courses/program-security/signer-auth",
      "https://solana.com/docs/core/cpi",
    ],
  },
  check: (program, report) => {
    for (const { instructions } of program.crates)
      for (const instruction of instructions) {
        for (const { cpi, account, record } of openPayouts(instruction))
          if (!isRepaid(instruction, cpi))
            report({
              ...placeOf(cpi.event),
              message: `The caller of \`${instruction.name}\` chooses \`${account.name}\`, which receives what \`${record.name}\` is owed.`,
            })
        const signers = signersOf(instruction)
        // An account that pays in, burns or closes without the program's signature signs for that: an exchange.
        if (
          signers.length === 0 &&
          cpisOf(instruction).some((cpi) => !isSignedFor(instruction, cpi) && movesValue(cpi))
        )
          continue
        for (const cpi of signedCpisOf(instruction)) {
          if (!movesValue(cpi)) continue
          const to = roleOf(cpi, "to")
          const destination = to === undefined ? undefined : accountIn(instruction, to)
          if (destination === undefined || isChecked(cpi, destination) || isRepaid(instruction, cpi)) continue
          if (looksAhead(instruction) || isCalledByOther(instruction)) continue
          const tied =
            mentions(cpi.signerSeeds, (one) => signers.some(({ term }) => term === one)) ||
            isSignerRelated(instruction, guaranteed(cpi.event))
          // Shares for value that came in by other ways: the balances determine how many.
          if (signers.length === 0 && roleOf(cpi, "from") === undefined && !amountIsChosen(instruction, cpi)) continue
          if (tied || (signers.length > 0 && !freeSeeds(instruction, cpi))) continue
          report({
            ...placeOf(cpi.event),
            // Of an account that was emptied into one of the program's own, the rent is all that is left.
            ...((closes(cpi) && !reachesCaller(instruction)) ||
            // Tokens are issued to whoever pays for them.
            (roleOf(cpi, "from") === undefined && signers.some((one) => paysIn(instruction, one)))
              ? { severity: "low" as const }
              : {}),
            message: `No signer of \`${instruction.name}\` is tied to the address that the program signs for here.`,
          })
        }
      }
  },
  examples: {
    vulnerable: [
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod vaults {
    use super::*;

    pub fn withdraw(ctx: Context<Withdraw>, amount: u64, bump: u8) -> Result<()> {
        let user = ctx.accounts.user.key();
        let seeds: &[&[u8]] = &[b"vault", user.as_ref(), &[bump]];
        let accounts = Transfer {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.authority.to_account_info(),
        };
        let program = ctx.accounts.token_program.to_account_info();
        token::transfer(CpiContext::new_with_signer(program, accounts, &[seeds]), amount) // FINDING
    }
}

#[derive(Accounts)]
pub struct Withdraw<'info> {
    /// CHECK: named in the seeds
    pub user: UncheckedAccount<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    /// CHECK: signs
    pub authority: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::program::invoke_signed;
use solana_program::{entrypoint::ProgramResult, pubkey::Pubkey};

pub fn withdraw(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let vault = next_account_info(iter)?;
    let to = next_account_info(iter)?;
    let user = next_account_info(iter)?;
    let authority = next_account_info(iter)?;
    let (_, bump) = Pubkey::find_program_address(&[b"vault", user.key.as_ref()], program_id);
    let instruction =
        spl_token::instruction::transfer(&spl_token::id(), vault.key, to.key, authority.key, &[], amount)?;
    let seeds: &[&[u8]] = &[b"vault", user.key.as_ref(), &[bump]];
    invoke_signed(&instruction, &[vault.clone(), to.clone(), authority.clone()], &[seeds]) // FINDING
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Approve, Mint, Token, TokenAccount, Transfer};

pub const VAULT: &[u8] = b"vault";
pub const KNOWN: Pubkey = pubkey!("So11111111111111111111111111111111111111112");

#[program]
pub mod vaults {
    use super::*;

    pub fn of_any(ctx: Context<OfAny>, amount: u64, id: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.authority.to_account_info(),
        };
        let seeds: &[&[u8]] = &[b"vault", ctx.accounts.any.key().as_ref(), &[255]];
        let program = ctx.accounts.token_program.to_account_info();
        token::transfer(CpiContext::new_with_signer(program, accounts, &[seeds]), amount)?; // FINDING
        Ok(())
    }

    pub fn of_system(ctx: Context<OfSystem>, amount: u64, id: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.authority.to_account_info(),
        };
        let seeds: &[&[u8]] = &[b"vault", ctx.accounts.any.key().as_ref(), &[255]];
        let program = ctx.accounts.token_program.to_account_info();
        token::transfer(CpiContext::new_with_signer(program, accounts, &[seeds]), amount)?; // FINDING
        Ok(())
    }

    pub fn of_user(ctx: Context<OfUser>, amount: u64, id: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.authority.to_account_info(),
        };
        let seeds: &[&[u8]] = &[b"vault", ctx.accounts.user.key().as_ref(), &[255]];
        let program = ctx.accounts.token_program.to_account_info();
        token::transfer(CpiContext::new_with_signer(program, accounts, &[seeds]), amount)?;
        Ok(())
    }

    pub fn of_fixed(ctx: Context<OfFixed>, amount: u64, id: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.authority.to_account_info(),
        };
        let seeds: &[&[u8]] = &[b"vault", &[255]];
        let program = ctx.accounts.token_program.to_account_info();
        token::transfer(CpiContext::new_with_signer(program, accounts, &[seeds]), amount)?;
        Ok(())
    }

    pub fn of_constant(ctx: Context<OfConstant>, amount: u64, id: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.authority.to_account_info(),
        };
        let seeds: &[&[u8]] = &[VAULT, &[255]];
        let program = ctx.accounts.token_program.to_account_info();
        token::transfer(CpiContext::new_with_signer(program, accounts, &[seeds]), amount)?;
        Ok(())
    }

    pub fn of_argument(ctx: Context<OfArgument>, amount: u64, id: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.authority.to_account_info(),
        };
        let seeds: &[&[u8]] = &[b"vault", &id.to_le_bytes(), &[255]];
        let program = ctx.accounts.token_program.to_account_info();
        token::transfer(CpiContext::new_with_signer(program, accounts, &[seeds]), amount)?; // FINDING
        Ok(())
    }

    pub fn of_pool(ctx: Context<OfPool>, amount: u64, id: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.authority.to_account_info(),
        };
        let seeds: &[&[u8]] = &[b"vault", ctx.accounts.pool.key().as_ref(), &[255]];
        let program = ctx.accounts.token_program.to_account_info();
        token::transfer(CpiContext::new_with_signer(program, accounts, &[seeds]), amount)?;
        Ok(())
    }

    pub fn of_owner(ctx: Context<OfOwner>, amount: u64, id: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.authority.to_account_info(),
        };
        let seeds: &[&[u8]] = &[b"vault", ctx.accounts.pool.owner.as_ref(), &[255]];
        let program = ctx.accounts.token_program.to_account_info();
        token::transfer(CpiContext::new_with_signer(program, accounts, &[seeds]), amount)?;
        Ok(())
    }

    pub fn of_known(ctx: Context<OfKnown>, amount: u64, id: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.authority.to_account_info(),
        };
        let seeds: &[&[u8]] = &[b"vault", ctx.accounts.any.key().as_ref(), &[255]];
        let program = ctx.accounts.token_program.to_account_info();
        token::transfer(CpiContext::new_with_signer(program, accounts, &[seeds]), amount)?;
        Ok(())
    }

    pub fn to_own(ctx: Context<ToOwn>, amount: u64, id: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.authority.to_account_info(),
        };
        let seeds: &[&[u8]] = &[b"vault", ctx.accounts.any.key().as_ref(), &[255]];
        let program = ctx.accounts.token_program.to_account_info();
        token::transfer(CpiContext::new_with_signer(program, accounts, &[seeds]), amount)?;
        Ok(())
    }

    pub fn to_associated(ctx: Context<ToAssociated>, amount: u64, id: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.authority.to_account_info(),
        };
        let seeds: &[&[u8]] = &[b"vault", ctx.accounts.any.key().as_ref(), &[255]];
        let program = ctx.accounts.token_program.to_account_info();
        token::transfer(CpiContext::new_with_signer(program, accounts, &[seeds]), amount)?;
        Ok(())
    }

    pub fn to_known(ctx: Context<ToKnown>, amount: u64, id: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.authority.to_account_info(),
        };
        let seeds: &[&[u8]] = &[b"vault", ctx.accounts.any.key().as_ref(), &[255]];
        let program = ctx.accounts.token_program.to_account_info();
        token::transfer(CpiContext::new_with_signer(program, accounts, &[seeds]), amount)?;
        Ok(())
    }

    pub fn to_signer(ctx: Context<ToSigner>, amount: u64, id: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.authority.to_account_info(),
        };
        let seeds: &[&[u8]] = &[b"vault", ctx.accounts.any.key().as_ref(), &[255]];
        let program = ctx.accounts.token_program.to_account_info();
        token::transfer(CpiContext::new_with_signer(program, accounts, &[seeds]), amount)?;
        Ok(())
    }

    pub fn tied(ctx: Context<Tied>, amount: u64, id: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.authority.to_account_info(),
        };
        let seeds: &[&[u8]] = &[b"vault", ctx.accounts.any.key().as_ref(), &[255]];
        let program = ctx.accounts.token_program.to_account_info();
        token::transfer(CpiContext::new_with_signer(program, accounts, &[seeds]), amount)?;
        Ok(())
    }

    pub fn nobody(ctx: Context<Nobody>, amount: u64, id: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.authority.to_account_info(),
        };
        let seeds: &[&[u8]] = &[b"vault", &[255]];
        let program = ctx.accounts.token_program.to_account_info();
        token::transfer(CpiContext::new_with_signer(program, accounts, &[seeds]), amount)?; // FINDING
        Ok(())
    }

    pub fn nobody_of_any(ctx: Context<NobodyOfAny>, amount: u64, id: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.authority.to_account_info(),
        };
        let seeds: &[&[u8]] = &[b"vault", ctx.accounts.any.key().as_ref(), &[255]];
        let program = ctx.accounts.token_program.to_account_info();
        token::transfer(CpiContext::new_with_signer(program, accounts, &[seeds]), amount)?; // FINDING
        Ok(())
    }

    pub fn exchanged(ctx: Context<Exchanged>, amount: u64, id: u64) -> Result<()> {
        let paid = Transfer {
            from: ctx.accounts.to.to_account_info(),
            to: ctx.accounts.vault.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), paid), amount)?;
        let accounts = Transfer {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.authority.to_account_info(),
        };
        let seeds: &[&[u8]] = &[b"vault", &[255]];
        let program = ctx.accounts.token_program.to_account_info();
        token::transfer(CpiContext::new_with_signer(program, accounts, &[seeds]), amount)?;
        Ok(())
    }

    pub fn allowed(ctx: Context<Allowed>, amount: u64, id: u64) -> Result<()> {
        let paid = Approve {
            to: ctx.accounts.to.to_account_info(),
            delegate: ctx.accounts.vault.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        token::approve(CpiContext::new(ctx.accounts.token_program.to_account_info(), paid), amount)?;
        let accounts = Transfer {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.authority.to_account_info(),
        };
        let seeds: &[&[u8]] = &[b"vault", &[255]];
        let program = ctx.accounts.token_program.to_account_info();
        token::transfer(CpiContext::new_with_signer(program, accounts, &[seeds]), amount)?; // FINDING
        Ok(())
    }

    pub fn looked_ahead(ctx: Context<LookedAhead>, amount: u64, id: u64) -> Result<()> {
        let next = load_instruction_at_checked(1, &ctx.accounts.authority)?;
        require!(next.data.len() > 8, ErrorCode::Repaid);
        let accounts = Transfer {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.authority.to_account_info(),
        };
        let seeds: &[&[u8]] = &[b"vault", ctx.accounts.any.key().as_ref(), &[255]];
        let program = ctx.accounts.token_program.to_account_info();
        token::transfer(CpiContext::new_with_signer(program, accounts, &[seeds]), amount)?;
        Ok(())
    }

    pub fn checked_before(ctx: Context<CheckedBefore>, amount: u64, id: u64) -> Result<()> {
        require!(ctx.accounts.vault.amount >= amount, ErrorCode::Repaid);
        let accounts = Transfer {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.authority.to_account_info(),
        };
        let seeds: &[&[u8]] = &[b"vault", ctx.accounts.any.key().as_ref(), &[255]];
        let program = ctx.accounts.token_program.to_account_info();
        token::transfer(CpiContext::new_with_signer(program, accounts, &[seeds]), amount)?; // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct OfAny<'info> {
    pub user: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    /// CHECK: any
    pub any: UncheckedAccount<'info>,
    /// CHECK: signs
    pub authority: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct OfSystem<'info> {
    pub user: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub any: SystemAccount<'info>,
    /// CHECK: signs
    pub authority: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct OfUser<'info> {
    pub user: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    /// CHECK: signs
    pub authority: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct OfFixed<'info> {
    pub user: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    /// CHECK: signs
    pub authority: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct OfConstant<'info> {
    pub user: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    /// CHECK: signs
    pub authority: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct OfArgument<'info> {
    pub user: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    /// CHECK: signs
    pub authority: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct OfPool<'info> {
    pub user: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub pool: Account<'info, Pool>,
    /// CHECK: signs
    pub authority: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct OfOwner<'info> {
    pub user: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub pool: Account<'info, Pool>,
    /// CHECK: signs
    pub authority: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct OfKnown<'info> {
    pub user: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    /// CHECK: by its address
    #[account(address = KNOWN)]
    pub any: UncheckedAccount<'info>,
    /// CHECK: signs
    pub authority: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct ToOwn<'info> {
    pub user: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut, token::authority = user)]
    pub to: Account<'info, TokenAccount>,
    /// CHECK: any
    pub any: UncheckedAccount<'info>,
    /// CHECK: signs
    pub authority: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct ToAssociated<'info> {
    pub user: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut, associated_token::mint = mint, associated_token::authority = user)]
    pub to: Account<'info, TokenAccount>,
    /// CHECK: any
    pub any: UncheckedAccount<'info>,
    pub mint: Account<'info, Mint>,
    /// CHECK: signs
    pub authority: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct ToKnown<'info> {
    pub user: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut, address = KNOWN)]
    pub to: Account<'info, TokenAccount>,
    /// CHECK: any
    pub any: UncheckedAccount<'info>,
    /// CHECK: signs
    pub authority: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct ToSigner<'info> {
    pub user: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Signer<'info>,
    /// CHECK: any
    pub any: UncheckedAccount<'info>,
    /// CHECK: signs
    pub authority: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Tied<'info> {
    pub user: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    /// CHECK: any
    pub any: UncheckedAccount<'info>,
    #[account(has_one = user)]
    pub pool: Account<'info, Owned>,
    /// CHECK: signs
    pub authority: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Nobody<'info> {
    /// CHECK: nobody signs
    pub user: UncheckedAccount<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    /// CHECK: signs
    pub authority: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct NobodyOfAny<'info> {
    /// CHECK: nobody signs
    pub user: UncheckedAccount<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    /// CHECK: any
    pub any: UncheckedAccount<'info>,
    /// CHECK: signs
    pub authority: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Exchanged<'info> {
    /// CHECK: signs the call
    pub user: UncheckedAccount<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    /// CHECK: signs
    pub authority: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Allowed<'info> {
    /// CHECK: signs the call
    pub user: UncheckedAccount<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    /// CHECK: signs
    pub authority: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct LookedAhead<'info> {
    pub user: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    /// CHECK: any
    pub any: UncheckedAccount<'info>,
    /// CHECK: signs
    pub authority: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct CheckedBefore<'info> {
    pub user: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    /// CHECK: any
    pub any: UncheckedAccount<'info>,
    /// CHECK: signs
    pub authority: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Pool { pub owner: Pubkey }

#[account]
pub struct Owned { pub user: Pubkey }

#[error_code]
pub enum ErrorCode { Repaid }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Mint, MintTo, Token, TokenAccount, Transfer};

#[program]
pub mod rewards {
    use super::*;

    // Whoever pays the fee signs for it, and for nothing else.
    pub fn withdraw_for(ctx: Context<WithdrawFor>, amount: u64) -> Result<()> {
        let fee = Transfer {
            from: ctx.accounts.payer_tokens.to_account_info(),
            to: ctx.accounts.fees.to_account_info(),
            authority: ctx.accounts.payer.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), fee), 100)?;
        let user = ctx.accounts.user.key();
        let seeds: &[&[u8]] = &[b"vault", user.as_ref(), &[255]];
        let payment = Transfer {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.authority.to_account_info(),
        };
        let program = ctx.accounts.token_program.to_account_info();
        token::transfer(CpiContext::new_with_signer(program, payment, &[seeds]), amount) // FINDING
    }

    pub fn mint_reward(ctx: Context<MintReward>) -> Result<()> {
        let minted = MintTo {
            mint: ctx.accounts.mint.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.authority.to_account_info(),
        };
        let program = ctx.accounts.token_program.to_account_info();
        let context = CpiContext::new_with_signer(program, minted, &[&[b"minter", &[255]]]);
        token::mint_to(context, ctx.accounts.mint.supply / 100) // FINDING
    }
}

#[derive(Accounts)]
pub struct WithdrawFor<'info> {
    pub payer: Signer<'info>,
    #[account(mut)]
    pub payer_tokens: Account<'info, TokenAccount>,
    #[account(mut)]
    pub fees: Account<'info, TokenAccount>,
    /// CHECK: named in the seeds
    pub user: UncheckedAccount<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    /// CHECK: signs
    pub authority: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct MintReward<'info> {
    #[account(mut)]
    pub mint: Account<'info, Mint>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    /// CHECK: signs
    pub authority: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::program::{invoke, invoke_signed};
use solana_program::program_error::ProgramError;
use solana_program::program_pack::Pack;
use solana_program::{entrypoint::ProgramResult, pubkey::Pubkey};
use spl_token::state::{Account, Mint};

// What the vault held before the loan says nothing about what came back.
pub fn lend(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let vault = next_account_info(iter)?;
    let to = next_account_info(iter)?;
    let authority = next_account_info(iter)?;
    let borrower = next_account_info(iter)?;
    let before = Account::unpack(&vault.data.borrow())?;
    let (_, bump) = Pubkey::find_program_address(&[b"vault"], program_id);
    let loan = spl_token::instruction::transfer(&spl_token::id(), vault.key, to.key, authority.key, &[], amount)?;
    let seeds: &[&[u8]] = &[b"vault", &[bump]];
    invoke_signed(&loan, &[vault.clone(), to.clone(), authority.clone()], &[seeds])?; // FINDING
    invoke(&callback::repay(borrower.key, amount), &[borrower.clone()])?;
    if before.amount < amount {
        return Err(ProgramError::InsufficientFunds);
    }
    Ok(())
}

// The vault is read again, and what was read is not asked.
pub fn lend_and_log(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let vault = next_account_info(iter)?;
    let to = next_account_info(iter)?;
    let authority = next_account_info(iter)?;
    let (_, bump) = Pubkey::find_program_address(&[b"vault"], program_id);
    let loan = spl_token::instruction::transfer(&spl_token::id(), vault.key, to.key, authority.key, &[], amount)?;
    let seeds: &[&[u8]] = &[b"vault", &[bump]];
    invoke_signed(&loan, &[vault.clone(), to.clone(), authority.clone()], &[seeds])?; // FINDING
    let after = Account::unpack(&vault.data.borrow())?;
    msg!("left: {}", after.amount);
    if amount > 1_000_000 {
        return Err(ProgramError::InvalidArgument);
    }
    Ok(())
}

pub fn mint(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let shares = next_account_info(iter)?;
    let to = next_account_info(iter)?;
    let authority = next_account_info(iter)?;
    let (_, bump) = Pubkey::find_program_address(&[b"minter"], program_id);
    let minted = spl_token::instruction::mint_to(&spl_token::id(), shares.key, to.key, authority.key, &[], amount)?;
    let seeds: &[&[u8]] = &[b"minter", &[bump]];
    invoke_signed(&minted, &[shares.clone(), to.clone(), authority.clone()], &[seeds]) // FINDING
}

// The payer is nobody to the user whose minter signs.
pub fn mint_share(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let payer = next_account_info(iter)?;
    let user = next_account_info(iter)?;
    let shares = next_account_info(iter)?;
    let to = next_account_info(iter)?;
    let authority = next_account_info(iter)?;
    if !payer.is_signer {
        return Err(ProgramError::MissingRequiredSignature);
    }
    let supply = Mint::unpack(&shares.data.borrow())?.supply;
    let (_, bump) = Pubkey::find_program_address(&[b"minter", user.key.as_ref()], program_id);
    let minted = spl_token::instruction::mint_to(&spl_token::id(), shares.key, to.key, authority.key, &[], supply / 9)?;
    let seeds: &[&[u8]] = &[b"minter", user.key.as_ref(), &[bump]];
    invoke_signed(&minted, &[shares.clone(), to.clone(), authority.clone()], &[seeds]) // FINDING
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod dividends {
    use super::*;

    /// Whoever calls first takes what a member is owed.
    pub fn pay_out(ctx: Context<PayOut>) -> Result<()> {
        let share = &mut ctx.accounts.share;
        let due = share.owed;
        share.owed = 0;
        let seeds: &[&[&[u8]]] = &[&[b"pot", &[ctx.accounts.pot.bump]]];
        let payment = Transfer {
            from: ctx.accounts.safe.to_account_info(),
            to: ctx.accounts.target.to_account_info(),
            authority: ctx.accounts.pot.to_account_info(),
        };
        let program = ctx.accounts.token_program.to_account_info();
        token::transfer(CpiContext::new_with_signer(program, payment, seeds), due) // FINDING
    }

    pub fn pay_last(ctx: Context<PayLast>) -> Result<()> {
        let seeds: &[&[&[u8]]] = &[&[b"pot", &[ctx.accounts.pot.bump]]];
        let payment = Transfer {
            from: ctx.accounts.safe.to_account_info(),
            to: ctx.accounts.target.to_account_info(),
            authority: ctx.accounts.pot.to_account_info(),
        };
        let program = ctx.accounts.token_program.to_account_info();
        token::transfer(CpiContext::new_with_signer(program, payment, seeds), ctx.accounts.share.owed) // FINDING
    }
}

#[derive(Accounts)]
pub struct PayOut<'info> {
    pub keeper: Signer<'info>,
    #[account(seeds = [b"pot"], bump = pot.bump, has_one = safe)]
    pub pot: Account<'info, Pot>,
    #[account(mut, has_one = pot)]
    pub share: Account<'info, Share>,
    #[account(mut)]
    pub safe: Account<'info, TokenAccount>,
    #[account(mut, token::mint = safe.mint)]
    pub target: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct PayLast<'info> {
    /// CHECK: gets the rent back
    #[account(mut)]
    pub keeper: Signer<'info>,
    #[account(seeds = [b"pot"], bump = pot.bump, has_one = safe)]
    pub pot: Account<'info, Pot>,
    #[account(mut, has_one = pot, close = keeper)]
    pub share: Account<'info, Share>,
    #[account(mut)]
    pub safe: Account<'info, TokenAccount>,
    #[account(mut)]
    pub target: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Pot { pub safe: Pubkey, pub bump: u8 }

#[account]
pub struct Share { pub pot: Pubkey, pub member: Pubkey, pub owed: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::associated_token::AssociatedToken;
use anchor_spl::token::{self, Mint, Token, TokenAccount, Transfer};

#[program]
pub mod dividends {
    use super::*;

    /// Anyone has an account for the ticket, with nothing in it.
    pub fn pay_holder(ctx: Context<PayHolder>) -> Result<()> {
        let due = ctx.accounts.share.owed;
        ctx.accounts.share.owed = 0;
        let seeds: &[&[&[u8]]] = &[&[b"pot", &[ctx.accounts.pot.bump]]];
        let payment = Transfer {
            from: ctx.accounts.safe.to_account_info(),
            to: ctx.accounts.target.to_account_info(),
            authority: ctx.accounts.pot.to_account_info(),
        };
        let program = ctx.accounts.token_program.to_account_info();
        token::transfer(CpiContext::new_with_signer(program, payment, seeds), due) // FINDING
    }
}

#[derive(Accounts)]
pub struct PayHolder<'info> {
    pub keeper: Signer<'info>,
    #[account(seeds = [b"pot"], bump = pot.bump, has_one = safe)]
    pub pot: Account<'info, Pot>,
    #[account(mut, has_one = pot, has_one = ticket)]
    pub share: Account<'info, Share>,
    pub ticket: Account<'info, Mint>,
    pub coin: Account<'info, Mint>,
    /// CHECK: holds the ticket
    pub holder: UncheckedAccount<'info>,
    #[account(associated_token::mint = ticket, associated_token::authority = holder)]
    pub held: Account<'info, TokenAccount>,
    #[account(mut)]
    pub safe: Account<'info, TokenAccount>,
    #[account(mut, associated_token::mint = coin, associated_token::authority = holder)]
    pub target: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
    pub associated_token_program: Program<'info, AssociatedToken>,
}

#[account]
pub struct Pot { pub safe: Pubkey, pub bump: u8 }

#[account]
pub struct Share { pub pot: Pubkey, pub ticket: Pubkey, pub owed: u64 }
`,
    ],
    safe: [
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod vaults {
    use super::*;

    pub fn withdraw(ctx: Context<Withdraw>, amount: u64) -> Result<()> {
        let user = ctx.accounts.user.key();
        let seeds: &[&[u8]] = &[b"vault", user.as_ref(), &[ctx.bumps.authority]];
        let accounts = Transfer {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.authority.to_account_info(),
        };
        let program = ctx.accounts.token_program.to_account_info();
        token::transfer(CpiContext::new_with_signer(program, accounts, &[seeds]), amount)
    }
}

#[derive(Accounts)]
pub struct Withdraw<'info> {
    pub user: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    /// CHECK: signs
    #[account(seeds = [b"vault", user.key().as_ref()], bump)]
    pub authority: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::program::invoke_signed;
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};

fn check_user(user: &AccountInfo) -> ProgramResult {
    if !user.is_signer {
        return Err(ProgramError::MissingRequiredSignature);
    }
    Ok(())
}

pub fn withdraw(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let vault = next_account_info(iter)?;
    let to = next_account_info(iter)?;
    let user = next_account_info(iter)?;
    let authority = next_account_info(iter)?;
    check_user(user)?;
    let (_, bump) = Pubkey::find_program_address(&[b"vault", user.key.as_ref()], program_id);
    let instruction =
        spl_token::instruction::transfer(&spl_token::id(), vault.key, to.key, authority.key, &[], amount)?;
    let seeds: &[&[u8]] = &[b"vault", user.key.as_ref(), &[bump]];
    invoke_signed(&instruction, &[vault.clone(), to.clone(), authority.clone()], &[seeds])
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::program::{invoke, invoke_signed};
use solana_program::program_error::ProgramError;
use solana_program::program_pack::Pack;
use solana_program::{entrypoint::ProgramResult, pubkey::Pubkey};
use spl_token::state::{Account, Mint};

pub fn lend(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let vault = next_account_info(iter)?;
    let to = next_account_info(iter)?;
    let authority = next_account_info(iter)?;
    let borrower = next_account_info(iter)?;
    let before = Account::unpack(&vault.data.borrow())?.amount;
    let (_, bump) = Pubkey::find_program_address(&[b"vault"], program_id);
    let loan = spl_token::instruction::transfer(&spl_token::id(), vault.key, to.key, authority.key, &[], amount)?;
    let seeds: &[&[u8]] = &[b"vault", &[bump]];
    invoke_signed(&loan, &[vault.clone(), to.clone(), authority.clone()], &[seeds])?;
    invoke(&callback::repay(borrower.key, amount), &[borrower.clone()])?;
    let after = Account::unpack(&vault.data.borrow())?.amount;
    if after < before {
        return Err(ProgramError::InsufficientFunds);
    }
    Ok(())
}

// Shares for what came into the vault since the last time.
pub fn mint_shares(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let vault = next_account_info(iter)?;
    let shares = next_account_info(iter)?;
    let to = next_account_info(iter)?;
    let authority = next_account_info(iter)?;
    let held = Account::unpack(&vault.data.borrow())?.amount;
    let supply = Mint::unpack(&shares.data.borrow())?.supply;
    let (_, bump) = Pubkey::find_program_address(&[b"minter"], program_id);
    let amount = held.saturating_sub(supply);
    let minted = spl_token::instruction::mint_to(&spl_token::id(), shares.key, to.key, authority.key, &[], amount)?;
    let seeds: &[&[u8]] = &[b"minter", &[bump]];
    invoke_signed(&minted, &[shares.clone(), to.clone(), authority.clone()], &[seeds])
}

pub fn sweep(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let vault = next_account_info(iter)?;
    let to = next_account_info(iter)?;
    let authority = next_account_info(iter)?;
    treasury_registry::assert_registered(to)?;
    let (_, bump) = Pubkey::find_program_address(&[b"vault"], program_id);
    let swept = spl_token::instruction::transfer(&spl_token::id(), vault.key, to.key, authority.key, &[], amount)?;
    let seeds: &[&[u8]] = &[b"vault", &[bump]];
    invoke_signed(&swept, &[vault.clone(), to.clone(), authority.clone()], &[seeds])
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod positions {
    use super::*;

    // Whatever position the owner names, it is one of their own.
    pub fn withdraw(ctx: Context<Withdraw>, id: u64, amount: u64, bump: u8) -> Result<()> {
        let owner = ctx.accounts.owner.key();
        let seeds: &[&[u8]] = &[b"position", owner.as_ref(), &id.to_le_bytes(), &[bump]];
        let payment = Transfer {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.position.to_account_info(),
        };
        let program = ctx.accounts.token_program.to_account_info();
        token::transfer(CpiContext::new_with_signer(program, payment, &[seeds]), amount)
    }
}

#[derive(Accounts)]
pub struct Withdraw<'info> {
    pub owner: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    /// CHECK: signs
    pub position: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}
`,
      // Only the program of the game may have this called, whatever the user's account is.
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::sysvar::instructions::{get_instruction_relative, ID as INSTRUCTIONS};
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

pub const GAME: Pubkey = pubkey!("So11111111111111111111111111111111111111112");

#[program]
pub mod prizes {
    use super::*;

    pub fn pay(ctx: Context<Pay>, amount: u64, bump: u8) -> Result<()> {
        let caller = get_instruction_relative(0, &ctx.accounts.instructions)?;
        require_keys_eq!(caller.program_id, GAME);
        let user = ctx.accounts.user.key();
        let seeds: &[&[u8]] = &[b"prizes", user.as_ref(), &[bump]];
        let accounts = Transfer {
            from: ctx.accounts.prizes.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.authority.to_account_info(),
        };
        let program = ctx.accounts.token_program.to_account_info();
        token::transfer(CpiContext::new_with_signer(program, accounts, &[seeds]), amount)
    }
}

#[derive(Accounts)]
pub struct Pay<'info> {
    /// CHECK: named in the seeds
    pub user: UncheckedAccount<'info>,
    #[account(mut)]
    pub prizes: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    /// CHECK: signs
    pub authority: UncheckedAccount<'info>,
    /// CHECK: the sysvar
    #[account(address = INSTRUCTIONS)]
    pub instructions: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}
`,
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::sysvar::instructions::load_instruction_at_checked;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod dividends {
    use super::*;

    /// The member is paid, whoever asks for it.
    pub fn pay_out(ctx: Context<PayOut>) -> Result<()> {
        let due = ctx.accounts.share.owed;
        ctx.accounts.share.owed = 0;
        pay(&ctx.accounts.pot, &ctx.accounts.safe, &ctx.accounts.target, &ctx.accounts.token_program, due)
    }

    /// The member says where it goes.
    pub fn pay_member(ctx: Context<PayMember>) -> Result<()> {
        let due = ctx.accounts.share.owed;
        ctx.accounts.share.owed = 0;
        pay(&ctx.accounts.pot, &ctx.accounts.safe, &ctx.accounts.target, &ctx.accounts.token_program, due)
    }

    /// A registry that is not seen knows the keeper.
    pub fn pay_for(ctx: Context<PayAny>) -> Result<()> {
        keepers::assert_known(&ctx.accounts.keeper)?;
        let due = ctx.accounts.share.owed;
        ctx.accounts.share.owed = 0;
        pay(&ctx.accounts.pot, &ctx.accounts.safe, &ctx.accounts.target, &ctx.accounts.token_program, due)
    }

    /// A fee for whoever does the work: nobody was owed it.
    pub fn reward(ctx: Context<PayAny>) -> Result<()> {
        let fee = ctx.accounts.share.owed;
        ctx.accounts.share.count += 1;
        pay(&ctx.accounts.pot, &ctx.accounts.safe, &ctx.accounts.target, &ctx.accounts.token_program, fee)
    }

    /// What is the same for all is nobody's share.
    pub fn drip(ctx: Context<PayAny>) -> Result<()> {
        let fee = ctx.accounts.pot.left;
        ctx.accounts.pot.left = fee - 1;
        pay(&ctx.accounts.pot, &ctx.accounts.safe, &ctx.accounts.target, &ctx.accounts.token_program, fee)
    }

    /// Whoever gives something for it says where it goes.
    pub fn exchange(ctx: Context<Exchange>, amount: u64) -> Result<()> {
        let due = ctx.accounts.share.owed;
        ctx.accounts.share.owed = 0;
        let payment = Transfer {
            from: ctx.accounts.source.to_account_info(),
            to: ctx.accounts.safe.to_account_info(),
            authority: ctx.accounts.keeper.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), payment), amount)?;
        pay(&ctx.accounts.pot, &ctx.accounts.safe, &ctx.accounts.target, &ctx.accounts.token_program, due)
    }

    /// Another instruction of the transaction pays it back.
    pub fn lend(ctx: Context<Lend>, at: u16) -> Result<()> {
        let last = load_instruction_at_checked(at as usize, &ctx.accounts.instructions)?;
        require!(last.data[0] == 7, DividendError::NotPaidBack);
        let due = ctx.accounts.share.owed;
        ctx.accounts.share.owed = 0;
        pay(&ctx.accounts.pot, &ctx.accounts.safe, &ctx.accounts.target, &ctx.accounts.token_program, due)
    }
}

fn pay<'info>(
    pot: &Account<'info, Pot>,
    safe: &Account<'info, TokenAccount>,
    target: &Account<'info, TokenAccount>,
    token_program: &Program<'info, Token>,
    due: u64,
) -> Result<()> {
    let seeds: &[&[&[u8]]] = &[&[b"pot", &[pot.bump]]];
    let payment = Transfer { from: safe.to_account_info(), to: target.to_account_info(), authority: pot.to_account_info() };
    token::transfer(CpiContext::new_with_signer(token_program.to_account_info(), payment, seeds), due)
}

#[derive(Accounts)]
pub struct PayOut<'info> {
    pub keeper: Signer<'info>,
    #[account(seeds = [b"pot"], bump = pot.bump, has_one = safe)]
    pub pot: Account<'info, Pot>,
    #[account(mut, has_one = pot)]
    pub share: Account<'info, Share>,
    #[account(mut)]
    pub safe: Account<'info, TokenAccount>,
    #[account(mut, token::mint = safe.mint, token::authority = share.member)]
    pub target: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct PayMember<'info> {
    pub member: Signer<'info>,
    #[account(seeds = [b"pot"], bump = pot.bump, has_one = safe)]
    pub pot: Account<'info, Pot>,
    #[account(mut, has_one = pot, has_one = member)]
    pub share: Account<'info, Share>,
    #[account(mut)]
    pub safe: Account<'info, TokenAccount>,
    #[account(mut)]
    pub target: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct PayAny<'info> {
    pub keeper: Signer<'info>,
    #[account(mut, seeds = [b"pot"], bump = pot.bump, has_one = safe)]
    pub pot: Account<'info, Pot>,
    #[account(mut, has_one = pot)]
    pub share: Account<'info, Share>,
    #[account(mut)]
    pub safe: Account<'info, TokenAccount>,
    #[account(mut)]
    pub target: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Exchange<'info> {
    pub keeper: Signer<'info>,
    #[account(mut, seeds = [b"pot"], bump = pot.bump, has_one = safe)]
    pub pot: Account<'info, Pot>,
    #[account(mut, has_one = pot)]
    pub share: Account<'info, Share>,
    #[account(mut)]
    pub safe: Account<'info, TokenAccount>,
    #[account(mut)]
    pub source: Account<'info, TokenAccount>,
    #[account(mut)]
    pub target: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Lend<'info> {
    pub keeper: Signer<'info>,
    #[account(mut, seeds = [b"pot"], bump = pot.bump, has_one = safe)]
    pub pot: Account<'info, Pot>,
    #[account(mut, has_one = pot)]
    pub share: Account<'info, Share>,
    #[account(mut)]
    pub safe: Account<'info, TokenAccount>,
    #[account(mut)]
    pub target: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
    /// CHECK: the load compares it
    pub instructions: UncheckedAccount<'info>,
}

#[account]
pub struct Pot { pub safe: Pubkey, pub bump: u8, pub left: u64 }

#[account]
pub struct Share { pub pot: Pubkey, pub member: Pubkey, pub owed: u64, pub count: u64 }

#[error_code]
pub enum DividendError { NotPaidBack }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::associated_token::AssociatedToken;
use anchor_spl::token::{self, Mint, Token, TokenAccount, Transfer};

#[program]
pub mod dividends {
    use super::*;

    /// Whoever holds the token that the share was made for is paid.
    pub fn pay_holder(ctx: Context<PayHolder>) -> Result<()> {
        let due = ctx.accounts.share.owed;
        ctx.accounts.share.owed = 0;
        let seeds: &[&[&[u8]]] = &[&[b"pot", &[ctx.accounts.pot.bump]]];
        let payment = Transfer {
            from: ctx.accounts.safe.to_account_info(),
            to: ctx.accounts.target.to_account_info(),
            authority: ctx.accounts.pot.to_account_info(),
        };
        let program = ctx.accounts.token_program.to_account_info();
        token::transfer(CpiContext::new_with_signer(program, payment, seeds), due)
    }

    /// A flash loan: what was lent has to be there again.
    pub fn lend(ctx: Context<Lend>) -> Result<()> {
        let before = ctx.accounts.safe.amount;
        let due = ctx.accounts.share.owed;
        ctx.accounts.share.owed = 0;
        let seeds: &[&[&[u8]]] = &[&[b"pot", &[ctx.accounts.pot.bump]]];
        let payment = Transfer {
            from: ctx.accounts.safe.to_account_info(),
            to: ctx.accounts.target.to_account_info(),
            authority: ctx.accounts.pot.to_account_info(),
        };
        let program = ctx.accounts.token_program.to_account_info();
        token::transfer(CpiContext::new_with_signer(program, payment, seeds), due)?;
        callback::run(&ctx.accounts.keeper)?;
        ctx.accounts.safe.reload()?;
        require!(ctx.accounts.safe.amount >= before, DividendError::NotPaidBack);
        Ok(())
    }
}

#[derive(Accounts)]
pub struct PayHolder<'info> {
    pub keeper: Signer<'info>,
    #[account(seeds = [b"pot"], bump = pot.bump, has_one = safe)]
    pub pot: Account<'info, Pot>,
    #[account(mut, has_one = pot, has_one = ticket)]
    pub share: Account<'info, Share>,
    pub ticket: Account<'info, Mint>,
    pub coin: Account<'info, Mint>,
    /// CHECK: holds the ticket
    pub holder: UncheckedAccount<'info>,
    #[account(associated_token::mint = ticket, associated_token::authority = holder, constraint = held.amount > 0)]
    pub held: Account<'info, TokenAccount>,
    #[account(mut)]
    pub safe: Account<'info, TokenAccount>,
    #[account(mut, associated_token::mint = coin, associated_token::authority = holder)]
    pub target: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
    pub associated_token_program: Program<'info, AssociatedToken>,
}

#[derive(Accounts)]
pub struct Lend<'info> {
    pub keeper: Signer<'info>,
    #[account(seeds = [b"pot"], bump = pot.bump, has_one = safe)]
    pub pot: Account<'info, Pot>,
    #[account(mut, has_one = pot)]
    pub share: Account<'info, Share>,
    #[account(mut)]
    pub safe: Account<'info, TokenAccount>,
    #[account(mut)]
    pub target: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Pot { pub safe: Pubkey, pub bump: u8 }

#[account]
pub struct Share { pub pot: Pubkey, pub ticket: Pubkey, pub owed: u64 }

#[error_code]
pub enum DividendError { NotPaidBack }
`,
    ],
  },
}

/** Whether a fact is about the key of a signer and about an account. */
const isSignerRelated = oncePerPair((instruction: Instruction, facts: Facts): boolean =>
  signersOf(instruction).some(({ term }) => {
    const key = keyOf(instruction.walk.terms, term)
    return instruction.accounts.some((one) => areRelated(facts, key, one.term))
  }),
)

const isChecked = (cpi: Cpi, account: Account): boolean => {
  const checks = checksAround(cpi.event, account)
  return isPinned(checks) || checks.some(({ kind }) => kind === "signer" || kind === "call")
}

/** Seeds that the caller chooses freely: an argument, or the address of an account about which nothing is known. */
const freeSeeds = (instruction: Instruction, cpi: Cpi & { readonly signerSeeds: Term }): boolean => {
  const seeds = flattenSeeds(cpi.signerSeeds).slice(0, -1)
  return seeds.some((seed) => {
    const holder = instruction.accounts.find((one) => seed === keyOf(instruction.walk.terms, one.term))
    if (holder !== undefined)
      return (holder.wrapper === "raw" || holder.wrapper === "system") && !isChecked(cpi, holder)
    return isFromCaller(instruction, seed)
  })
}

const amountIsChosen = (instruction: Instruction, cpi: Cpi): boolean =>
  instruction.kind === "anchor" ||
  [...cpi.args, ...cpi.accounts.map(({ term }) => term)].some((one) =>
    instruction.arguments.some(({ term }) => plain(one) === term),
  )

/** A flash loan: a later instruction of the transaction pays it back. */
const looksAhead = oncePer((instruction: Instruction): boolean =>
  ofKind(instruction.events, "call").some((event) => event.name.startsWith("load_instruction_at")),
)

/** A flash loan: the account's holdings are checked again at the end. */
const isRepaid = (instruction: Instruction, cpi: Cpi): boolean => {
  const from = roleOf(cpi, "from")
  return from !== undefined && isReturnedTo(instruction, from)
}

const isReturnedTo = oncePerPair((instruction: Instruction, from: Term): boolean => {
  const state = stateOf(instruction.walk.terms, from)
  const lent = signedCpisOf(instruction).find((one) => roleOf(one, "from") === from)?.event.order
  const again = ofKind(instruction.events, "call").find(
    (event) =>
      (event.result.term === state || (event.name === "reload" && event.args[0]?.term === from)) &&
      event.order > (lent ?? Infinity),
  )?.order
  return ofKind(instruction.events, "check").some(
    (event) =>
      event.order > (again ?? Infinity) && event.conditions.some((one) => mentions(one, (inner) => inner === state)),
  )
})
