import { guaranteed } from "../../../rust/terms/events.ts"
import type { Term } from "../../../rust/terms/terms.ts"
import type { Rule } from "../../../Rule.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import { movesValue } from "../../questions/cpi.ts"
import { isPinned, reached } from "../../questions/identity.ts"
import type { Account, Cpi, Instruction, SolanaProgram } from "../../program/model.ts"
import { accountAt, accountIn, checksAround } from "../../questions/questions.ts"
import { keyOf } from "../../program/semantics.ts"
import { areRelated, flattenSeeds, roleOf, signedCpisOf } from "../../questions/signedCpi.ts"

export const unboundSource: Rule<SolanaProgram> = {
  meta: {
    id: "solana/cpi/unbound-source",
    class: "cpi-authority-bypass",
    title: "Program-signed transfer out of a caller-chosen account",
    severity: "high",
    confidence: "medium",
    cwe: [269, 863],
    description:
      "The program signs a transfer with an address that can spend from many accounts, as their owner or as a " +
      "delegate of its users, and the caller chooses the source account. An attacker passes another user's account " +
      "or the protocol's own, and the signature is valid for it.",
    remediation:
      "Constrain the source by the state that it belongs to (`has_one = vault`, seeds, `token::authority` with " +
      "per-user seeds), and compare the owner of a user's account with the signer.",
    references: [
      "https://solana.com/docs/core/cpi",
      "https://www.helius.dev/blog/a-hitchhikers-guide-to-solana-program-security",
    ],
  },
  check: (program, report) => {
    for (const crate of program.crates)
      for (const instruction of crate.instructions)
        for (const cpi of signedCpisOf(instruction)) {
          const source = freeSource(instruction, cpi)
          if (source !== undefined)
            report({
              ...placeOf(cpi.event),
              message: `The signing PDA pays from \`${source.name}\`, which can be any account that it owns.`,
              trace: reached(cpi.event, source),
            })
        }
  },
  examples: {
    vulnerable: [
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod bank {
    use super::*;

    pub fn withdraw(ctx: Context<Withdraw>, amount: u64) -> Result<()> {
        ctx.accounts.record.balance -= amount;
        let seeds: &[&[u8]] = &[b"bank", &[ctx.bumps.authority]];
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
    #[account(mut, has_one = user)]
    pub record: Account<'info, Record>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    /// CHECK: signs
    #[account(seeds = [b"bank"], bump)]
    pub authority: UncheckedAccount<'info>,
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Record {
    pub user: Pubkey,
    pub balance: u64,
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Burn, Token, TokenAccount};

#[program]
pub mod swaps {
    use super::*;

    pub fn pay(ctx: Context<Pay>, amount: u64) -> Result<()> {
        ctx.accounts.book.owed = ctx.accounts.book.owed.checked_sub(amount).unwrap();
        let seeds: &[&[&[u8]]] = &[&[b"swaps", &[ctx.bumps.signs]]];
        let context = CpiContext::from(&*ctx.accounts).with_signer(seeds);
        token::burn(context, amount) // FINDING
    }
}

#[derive(Accounts)]
pub struct Pay<'info> {
    #[account(mut, has_one = owner)]
    pub book: Account<'info, Book>,
    pub owner: Signer<'info>,
    /// CHECK: the token program
    #[account(mut)]
    pub mint: UncheckedAccount<'info>,
    #[account(mut)]
    pub paid: Account<'info, TokenAccount>,
    /// CHECK: may burn what users allow it to
    #[account(seeds = [b"swaps"], bump)]
    pub signs: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}

impl<'a, 'b, 'c, 'info> From<&Pay<'info>> for CpiContext<'a, 'b, 'c, 'info, Burn<'info>> {
    fn from(accounts: &Pay<'info>) -> CpiContext<'a, 'b, 'c, 'info, Burn<'info>> {
        let burned = Burn {
            mint: accounts.mint.to_account_info(),
            to: accounts.paid.to_account_info(),
            authority: accounts.signs.to_account_info(),
        };
        CpiContext::new(accounts.token_program.to_account_info(), burned)
    }
}

#[account]
pub struct Book { pub owner: Pubkey, pub owed: u64 }
`,
    ],
    safe: [
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod bank {
    use super::*;

    pub fn withdraw(ctx: Context<Withdraw>, amount: u64) -> Result<()> {
        check_vault(&ctx.accounts.bank, &ctx.accounts.vault.key())?;
        let seeds: &[&[u8]] = &[b"bank", &[ctx.bumps.authority]];
        let accounts = Transfer {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.authority.to_account_info(),
        };
        let program = ctx.accounts.token_program.to_account_info();
        token::transfer(CpiContext::new_with_signer(program, accounts, &[seeds]), amount)
    }
}

fn check_vault(bank: &Bank, vault: &Pubkey) -> Result<()> {
    require_keys_eq!(bank.vault, *vault);
    Ok(())
}

#[derive(Accounts)]
pub struct Withdraw<'info> {
    #[account(mut, has_one = user)]
    pub bank: Account<'info, Bank>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    /// CHECK: signs
    #[account(seeds = [b"bank"], bump)]
    pub authority: UncheckedAccount<'info>,
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Bank {
    pub user: Pubkey,
    pub vault: Pubkey,
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod bank {
    use super::*;

    pub fn withdraw(ctx: Context<Withdraw>, amount: u64) -> Result<()> {
        let seeds: &[&[u8]] = &[b"bank", &[ctx.bumps.authority]];
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
    #[account(mut, seeds = [b"vault", user.key().as_ref()], bump)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    /// CHECK: signs
    #[account(seeds = [b"bank"], bump)]
    pub authority: UncheckedAccount<'info>,
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Burn, Token, TokenAccount};

#[program]
pub mod swaps {
    use super::*;

    pub fn pay(ctx: Context<Pay>, amount: u64) -> Result<()> {
        ctx.accounts.book.owed = ctx.accounts.book.owed.checked_sub(amount).unwrap();
        let seeds: &[&[&[u8]]] = &[&[b"swaps", &[ctx.bumps.signs]]];
        let context = CpiContext::from(&*ctx.accounts).with_signer(seeds);
        token::burn(context, amount)
    }
}

#[derive(Accounts)]
pub struct Pay<'info> {
    #[account(mut, has_one = owner)]
    pub book: Account<'info, Book>,
    pub owner: Signer<'info>,
    /// CHECK: the token program
    #[account(mut)]
    pub mint: UncheckedAccount<'info>,
    #[account(mut, constraint = paid.owner == owner.key())]
    pub paid: Account<'info, TokenAccount>,
    /// CHECK: may burn what users allow it to
    #[account(seeds = [b"swaps"], bump)]
    pub signs: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}

impl<'a, 'b, 'c, 'info> From<&Pay<'info>> for CpiContext<'a, 'b, 'c, 'info, Burn<'info>> {
    fn from(accounts: &Pay<'info>) -> CpiContext<'a, 'b, 'c, 'info, Burn<'info>> {
        let burned = Burn {
            mint: accounts.mint.to_account_info(),
            to: accounts.paid.to_account_info(),
            authority: accounts.signs.to_account_info(),
        };
        CpiContext::new(accounts.token_program.to_account_info(), burned)
    }
}

#[account]
pub struct Book { pub owner: Pubkey, pub owed: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, TokenAccount, Transfer};

#[program]
pub mod hall {
    use super::*;
    pub fn pay(ctx: Context<Pay>, amount: u64) -> ProgramResult {
        let seeds: &[&[&[u8]]] = &[&[b"hall", &[ctx.accounts.state.bump]]];
        let accounts = Transfer {
            from: ctx.accounts.reserve.to_account_info(),
            to: ctx.accounts.target.to_account_info(),
            authority: ctx.accounts.hall.clone(),
        };
        token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.clone(), accounts, seeds), amount)
    }
}

#[derive(Accounts)]
pub struct Pay<'info> {
    #[account(has_one = admin)]
    pub state: ProgramAccount<'info, State>,
    #[account(signer)]
    pub admin: AccountInfo<'info>,
    #[account(mut)]
    pub target: CpiAccount<'info, TokenAccount>,
    #[account(mut, "reserve.to_account_info().key == &state.reserve")]
    pub reserve: CpiAccount<'info, TokenAccount>,
    #[account("hall.key == &state.hall")]
    pub hall: AccountInfo<'info>,
    #[account("token_program.key == &token::ID")]
    pub token_program: AccountInfo<'info>,
}

#[account]
pub struct State { pub admin: Pubkey, pub hall: Pubkey, pub reserve: Pubkey, pub bump: u8 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod bank {
    use super::*;

    pub fn withdraw(ctx: Context<Withdraw>, amount: u64) -> Result<()> {
        require!(registry::holds(&ctx.accounts.vault.key(), &ctx.accounts.user.key()), BankError::Vault);
        ctx.accounts.record.balance -= amount;
        let seeds: &[&[u8]] = &[b"bank", &[ctx.bumps.authority]];
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
    #[account(mut, has_one = user)]
    pub record: Account<'info, Record>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    /// CHECK: signs
    #[account(seeds = [b"bank"], bump)]
    pub authority: UncheckedAccount<'info>,
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Record {
    pub user: Pubkey,
    pub balance: u64,
}

#[error_code]
pub enum BankError {
    Vault,
}
`,
    ],
  },
}

/**
 * Paid out of a token account that nothing determines, so that everything the program address owns can be taken from.
 */
const freeSource = (instruction: Instruction, cpi: Cpi & { readonly signerSeeds: Term }): Account | undefined => {
  if (!movesValue(cpi)) return undefined
  const term = roleOf(cpi, "from")
  const source = accountAt(instruction, term)
  if (source === undefined) return undefined
  const checks = checksAround(cpi.event, source)
  if (isPinned(checks) || checks.some(({ kind }) => kind === "call")) return undefined
  // Seeds that contain something of this instruction belong to one owner, and so do all of its accounts.
  const seeds = flattenSeeds(cpi.signerSeeds)
  const facts = guaranteed(cpi.event)
  const key = keyOf(instruction.walk.terms, source.term)
  if (seeds.slice(0, -1).some((one) => one.kind !== "literal" && one.kind !== "constant")) return undefined
  const to = roleOf(cpi, "to")
  const destination = to === undefined ? undefined : accountIn(instruction, to)
  // A payment to where it belongs does no harm, unless somebody is credited for it.
  const isCredited = instruction.events.some((event) => event.kind === "assign")
  if (!isCredited && destination !== undefined && isPinned(checksAround(cpi.event, destination))) return undefined
  return instruction.accounts.some(
    (one) => one !== source && areRelated(facts, key, keyOf(instruction.walk.terms, one.term)),
  )
    ? undefined
    : source
}
