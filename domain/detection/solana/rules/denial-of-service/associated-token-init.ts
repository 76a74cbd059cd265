import type { Rule } from "../../../Rule.ts"
import { guaranteed } from "../../../rust/terms/events.ts"
import { mentions } from "../../../rust/terms/terms.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import type { Expression } from "../../../rust/syntax/syntax.ts"
import type { Account, SolanaProgram } from "../../program/model.ts"
import { cpisOf } from "../../questions/questions.ts"
import { tiesOf } from "../../ties/ties.ts"

export const associatedTokenInit: Rule<SolanaProgram> = {
  meta: {
    id: "solana/denial-of-service/associated-token-init",
    class: "ata-init-dos",
    title: "Instruction fails if the associated token account already exists",
    severity: "low",
    confidence: "medium",
    cwe: [400, 703],
    description:
      "The instruction always creates an associated token account itself. Anyone can create the associated " +
      "token account of any wallet and mint: an attacker does so first, and the instruction fails from then on, " +
      "for the price of the rent.",
    remediation:
      "Use `init_if_needed` with the `associated_token::` constraints, or " +
      "`create_associated_token_account_idempotent`; the address determines mint and owner, so using an " +
      "existing account is safe.",
    references: [
      "https://www.anchor-lang.com/docs/references/account-constraints",
      "https://spl.solana.com/associated-token-account",
    ],
  },
  check: (program, report) => {
    for (const { instructions } of program.crates)
      for (const instruction of instructions) {
        for (const { constraints, place } of instruction.accounts) {
          if (constraints?.init !== true || constraints.associatedToken === undefined) continue
          const { authority, mint } = constraints.associatedToken
          // The wallet or the mint is created by this very instruction, or made from an address that is: nobody could
          // know it before, and whoever is too late takes another one.
          const isNew = (one: Account): boolean => one.constraints?.init === true && one.constraints.seeds === undefined
          const accountNamed = (named: Expression | undefined): Account | undefined => {
            const name = named?.kind === "path" ? named.path.segments.at(-1)?.name : undefined
            return instruction.accounts.find((one) => one.name === name)
          }
          const isUnforeseen = (named: Expression | undefined): boolean => {
            const account = accountNamed(named)
            return (
              account !== undefined &&
              (isNew(account) ||
                tiesOf(instruction)
                  .of(account)
                  .some(({ slot, other }) => slot.startsWith("seeds ") && other !== undefined && isNew(other)))
            )
          }
          // Before the mint exists, so does no account for it.
          const created = (named: Expression | undefined): boolean => accountNamed(named)?.constraints?.init === true
          if (isUnforeseen(authority) || isUnforeseen(mint) || created(mint)) continue
          report({ ...place, scope: instruction.handler.qualifiedName })
        }
        for (const { event, instruction: path } of cpisOf(instruction)) {
          if (!/(^|::)create_associated_token_account$|associated_token::create$/.test(path)) continue
          const asked = [...guaranteed(event)].some((fact) =>
            mentions(
              fact,
              (one) =>
                (one.kind === "call" && one.name === "len") ||
                (one.kind === "field" && /^(lamports|owner)$/.test(one.name)),
            ),
          )
          if (!asked) report(placeOf(event))
        }
      }
  },
  examples: {
    vulnerable: [
      // The wallet is made from an address that anyone can compute beforehand.
      `use anchor_lang::prelude::*;
use anchor_spl::associated_token::AssociatedToken;
use anchor_spl::token::{Mint, Token, TokenAccount};

#[program]
pub mod markets {
    use super::*;
    pub fn open(ctx: Context<Open>, fee: u64) -> Result<()> {
        ctx.accounts.market.fee = fee;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(init, seeds = [b"market", mint.key().as_ref()], bump, payer = payer, space = 16)]
    pub market: Account<'info, Market>,
    /// CHECK: derived
    #[account(seeds = [b"authority", market.key().as_ref()], bump)]
    pub authority: UncheckedAccount<'info>,
    #[account(init, payer = payer, associated_token::mint = mint, associated_token::authority = authority)]
    pub vault: Account<'info, TokenAccount>, // FINDING
    pub mint: Account<'info, Mint>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
    pub token_program: Program<'info, Token>,
    pub associated_token_program: Program<'info, AssociatedToken>,
}

#[account]
pub struct Market { pub fee: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::{associated_token::AssociatedToken, token::{Mint, Token, TokenAccount}};

#[program]
pub mod escrow {
    use super::*;
    pub fn take(ctx: Context<Take>) -> Result<()> { Ok(()) }
}

#[derive(Accounts)]
pub struct Take<'info> {
    #[account(mut)]
    pub taker: Signer<'info>,
    pub mint: Account<'info, Mint>,
    #[account(init, payer = taker, associated_token::mint = mint, associated_token::authority = taker)]
    pub receive: Account<'info, TokenAccount>, // FINDING
    pub token_program: Program<'info, Token>,
    pub associated_token_program: Program<'info, AssociatedToken>,
    pub system_program: Program<'info, System>,
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program::invoke, pubkey::Pubkey};
use spl_associated_token_account::instruction::create_associated_token_account;

pub fn take(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let payer = next_account_info(iter)?;
    let wallet = next_account_info(iter)?;
    let mint = next_account_info(iter)?;
    let target = next_account_info(iter)?;
    invoke( // FINDING
        &create_associated_token_account(payer.key, wallet.key, mint.key, &spl_token::ID),
        &[payer.clone(), target.clone(), wallet.clone(), mint.clone()],
    )
}
`,
    ],
    safe: [
      // The wallet is made from the address of a new account.
      `use anchor_lang::prelude::*;
use anchor_spl::associated_token::AssociatedToken;
use anchor_spl::token::{Mint, Token, TokenAccount};

#[program]
pub mod markets {
    use super::*;
    pub fn open(ctx: Context<Open>, fee: u64) -> Result<()> {
        ctx.accounts.market.fee = fee;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(init, payer = payer, space = 16)]
    pub market: Account<'info, Market>,
    /// CHECK: derived
    #[account(seeds = [b"authority", market.key().as_ref()], bump)]
    pub authority: UncheckedAccount<'info>,
    #[account(init, payer = payer, associated_token::mint = mint, associated_token::authority = authority)]
    pub vault: Account<'info, TokenAccount>,
    pub mint: Account<'info, Mint>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
    pub token_program: Program<'info, Token>,
    pub associated_token_program: Program<'info, AssociatedToken>,
}

#[account]
pub struct Market { pub fee: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::{associated_token::AssociatedToken, token::{Mint, Token, TokenAccount}};

#[program]
pub mod escrow {
    use super::*;
    pub fn take(ctx: Context<Take>) -> Result<()> { Ok(()) }
}

#[derive(Accounts)]
pub struct Take<'info> {
    #[account(mut)]
    pub taker: Signer<'info>,
    pub mint: Account<'info, Mint>,
    #[account(init_if_needed, payer = taker, associated_token::mint = mint, associated_token::authority = taker)]
    pub receive: Account<'info, TokenAccount>,
    #[account(init, payer = taker, seeds = [b"vault"], bump, token::mint = mint, token::authority = taker)]
    pub vault: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
    pub associated_token_program: Program<'info, AssociatedToken>,
    pub system_program: Program<'info, System>,
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program::invoke, pubkey::Pubkey};
use spl_associated_token_account::instruction::create_associated_token_account;

pub fn take(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let payer = next_account_info(iter)?;
    let wallet = next_account_info(iter)?;
    let mint = next_account_info(iter)?;
    let target = next_account_info(iter)?;
    if target.data_is_empty() {
        invoke(
            &create_associated_token_account(payer.key, wallet.key, mint.key, &spl_token::ID),
            &[payer.clone(), target.clone(), wallet.clone(), mint.clone()],
        )?;
    }
    Ok(())
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program::invoke, pubkey::Pubkey};
use spl_associated_token_account::instruction::create_associated_token_account;

pub fn open(_program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let payer = next_account_info(iter)?;
    let wallet = next_account_info(iter)?;
    let mint = next_account_info(iter)?;
    let tokens = next_account_info(iter)?;
    if tokens.lamports() > 0 {
        return Ok(());
    }
    let created = create_associated_token_account(payer.key, wallet.key, mint.key, &spl_token::id());
    invoke(&created, &[payer.clone(), wallet.clone(), mint.clone(), tokens.clone()])
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::{associated_token::AssociatedToken, token::{Mint, Token, TokenAccount}};

#[program]
pub mod pools {
    use super::*;
    pub fn open(ctx: Context<Open>) -> Result<()> { Ok(()) }
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(mut)]
    pub creator: Signer<'info>,
    pub token_mint: Account<'info, Mint>,
    #[account(init, seeds = [b"shares", token_mint.key().as_ref()], bump, mint::decimals = 9, mint::authority = creator, payer = creator)]
    pub share_mint: Account<'info, Mint>,
    #[account(init, associated_token::mint = share_mint, associated_token::authority = creator, payer = creator)]
    pub shares: Account<'info, TokenAccount>,
    pub system_program: Program<'info, System>,
    pub token_program: Program<'info, Token>,
    pub associated_token_program: Program<'info, AssociatedToken>,
}
`,
    ],
  },
}
