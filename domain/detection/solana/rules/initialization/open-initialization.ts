import { mentions } from "../../../rust/terms/terms.ts"
import type { Event } from "../../../rust/terms/events.ts"
import type { Rule } from "../../../Rule.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import { signersOf, storedKeys } from "../../authority/authorization.ts"
import { isCreated } from "../../authority/creation.ts"
import { isGlobal } from "../../questions/singleton.ts"
import type { Account, Instruction, SolanaProgram } from "../../program/model.ts"
import { isFromCaller, isTrusted, successAbout, usesOf } from "../../questions/questions.ts"
import { accountOfState, keyOf } from "../../program/semantics.ts"

export const openInitialization: Rule<SolanaProgram> = {
  meta: {
    id: "solana/initialization/open-initialization",
    class: "unprotected-init",
    title: "Anyone can initialize the program's global account first",
    severity: "low",
    // Deployers often initialize in the transaction after deployment, and redeploy if somebody was faster.
    confidence: "medium",
    cwe: [284, 665],
    description:
      "The instruction creates the account that configures the program, at a constant address, and the first " +
      "caller becomes its authority or chooses its settings. An attacker who watches deployments calls it " +
      "before the team does and owns the program from then on.",
    remediation:
      "Let only a known key initialize it: use `#[account(address = ADMIN)]` on the signer, or require the " +
      "program's upgrade authority with `program_data: Account<'info, ProgramData>` and `constraint = " +
      "program_data.upgrade_authority_address == Some(authority.key())`.",
    references: [
      "https://docs.rs/anchor-lang/latest/anchor_lang/accounts/account/struct.Account.html",
      "https://www.helius.dev/blog/a-hitchhikers-guide-to-solana-program-security",
    ],
  },
  check: (program, report) => {
    for (const crate of program.crates)
      for (const instruction of crate.instructions)
        for (const account of instruction.accounts) {
          if (instruction.kind === "native") {
            const write = isGlobal(instruction, account) ? firstRecord(instruction, account) : undefined
            if (write === undefined || !isCreated(instruction, account) || isRestricted(instruction, account)) continue
            report({
              ...placeOf(write),
              message: `The first caller of \`${instruction.name}\` decides what \`${account.name}\` contains.`,
            })
            continue
          }
          // If it may exist already, writing it again is the flaw to report.
          if (account.constraints?.init !== true) continue
          if (storedKeys(crate, account).length === 0 || !isGlobal(instruction, account)) continue
          const chosen = instruction.events.some(
            (event) =>
              event.kind === "assign" &&
              accountOfState(event.target.term) === account.term &&
              (isFromCaller(instruction, event.value.term) ||
                mentions(event.value.term, (one) =>
                  instruction.accounts.some((other) => one === keyOf(instruction.walk.terms, other.term)),
                )),
          )
          if (!chosen || isRestricted(instruction, account)) continue
          report({
            ...account.place,
            scope: instruction.handler.qualifiedName,
            message: `The first caller of \`${instruction.name}\` decides what \`${account.name}\` contains.`,
          })
        }
  },
  examples: {
    vulnerable: [
      `use anchor_lang::prelude::*;

#[program]
pub mod market {
    use super::*;

    pub fn initialize(ctx: Context<Initialize>) -> Result<()> {
        ctx.accounts.config.admin = ctx.accounts.payer.key();
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Initialize<'info> {
    #[account(init, payer = payer, space = 40, seeds = [b"config"], bump)]
    pub config: Account<'info, Config>, // FINDING
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Config {
    pub admin: Pubkey,
}
`,
      `use anchor_lang::prelude::*;

pub const SEED: &[u8] = b"global";

#[program]
pub mod market {
    use super::*;

    pub fn initialize(ctx: Context<Initialize>, admin: Pubkey, fee: u64) -> Result<()> {
        ctx.accounts.config.set_inner(Config { admin, fee });
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Initialize<'info> {
    #[account(init, payer = payer, space = 48, seeds = [SEED], bump)]
    pub config: Account<'info, Config>, // FINDING
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Config {
    pub admin: Pubkey,
    pub fee: u64,
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::program::invoke_signed;
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey, system_instruction};
use borsh::BorshSerialize;

#[derive(BorshSerialize)]
pub struct Config {
    pub boss: Pubkey,
}

pub fn setup(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let [config_info, payer, system] = accounts else { return Err(ProgramError::NotEnoughAccountKeys) };
    let (address, bump) = Pubkey::find_program_address(&[b"config"], program_id);
    if address != *config_info.key || !payer.is_signer {
        return Err(ProgramError::InvalidSeeds);
    }
    invoke_signed(
        &system_instruction::create_account(payer.key, config_info.key, 1_000_000, 32, program_id),
        &[payer.clone(), config_info.clone(), system.clone()],
        &[&[b"config", &[bump]]],
    )?;
    let config = Config { boss: *payer.key };
    config.serialize(&mut &mut config_info.data.borrow_mut()[..])?; // FINDING
    Ok(())
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod market {
    use super::*;

    // What was just stored says nothing of who stored it.
    pub fn open(ctx: Context<Open>) -> Result<()> {
        let config = &mut ctx.accounts.config;
        config.admin = ctx.accounts.payer.key();
        require_keys_eq!(config.admin, ctx.accounts.payer.key());
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(init, payer = payer, space = 40, seeds = [b"config"], bump)]
    pub config: Account<'info, Config>, // FINDING
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Config {
    pub admin: Pubkey,
}
`,
    ],
    safe: [
      `use anchor_lang::prelude::*;

#[program]
pub mod market {
    use super::*;

    pub fn initialize(ctx: Context<Initialize>) -> Result<()> {
        ctx.accounts.config.admin = ctx.accounts.payer.key();
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Initialize<'info> {
    #[account(init, payer = payer, space = 40, seeds = [b"config"], bump)]
    pub config: Account<'info, Config>,
    #[account(mut)]
    pub payer: Signer<'info>,
    #[account(constraint = program_data.upgrade_authority_address == Some(payer.key()))]
    pub program_data: Account<'info, ProgramData>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Config {
    pub admin: Pubkey,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod profiles {
    use super::*;

    pub fn open(ctx: Context<Open>) -> Result<()> {
        ctx.accounts.profile.user = ctx.accounts.user.key();
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(init, payer = user, space = 40, seeds = [b"profile", user.key().as_ref()], bump)]
    pub profile: Account<'info, Profile>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Profile {
    pub user: Pubkey,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod market {
    use super::*;

    pub fn open_as_team(ctx: Context<Open>) -> Result<()> {
        team::require_member(&ctx.accounts.payer.key())?;
        ctx.accounts.config.admin = ctx.accounts.payer.key();
        Ok(())
    }

    pub fn open_as_deployer(ctx: Context<Open>) -> Result<()> {
        require!(ctx.accounts.payer.key() == team::deployer(), MarketError::Payer);
        ctx.accounts.config.admin = ctx.accounts.payer.key();
        Ok(())
    }

    pub fn open_as_written(ctx: Context<Open>) -> Result<()> {
        let payer = ctx.accounts.payer.key();
        require!(payer.to_string() == "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin", MarketError::Payer);
        ctx.accounts.config.admin = payer;
        Ok(())
    }

    pub fn open_as_bytes(ctx: Context<Open>) -> Result<()> {
        require!(ctx.accounts.payer.key.to_bytes() == [4, 7, 9, 1], MarketError::Payer);
        ctx.accounts.config.admin = ctx.accounts.payer.key();
        Ok(())
    }

    // Whoever comes later may write it again, which is another rule's concern.
    pub fn open_again(ctx: Context<OpenAgain>) -> Result<()> {
        ctx.accounts.config.admin = ctx.accounts.payer.key();
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(init, payer = payer, space = 40, seeds = [b"config"], bump)]
    pub config: Account<'info, Config>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct OpenAgain<'info> {
    #[account(init_if_needed, payer = payer, space = 40, seeds = [b"config"], bump)]
    pub config: Account<'info, Config>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Config {
    pub admin: Pubkey,
}

#[error_code]
pub enum MarketError {
    Payer,
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::instruction::{AccountMeta, Instruction};
use solana_program::program::{invoke, invoke_signed};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey, system_instruction};
use borsh::BorshSerialize;

pub const ADMIN: Pubkey = solana_program::pubkey!("9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin");

#[derive(BorshSerialize)]
pub struct Config {
    pub admin: Pubkey,
}

#[derive(BorshSerialize)]
pub struct Counter {
    pub count: u64,
}

pub fn open(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let payer = next_account_info(iter)?;
    let config = next_account_info(iter)?;
    if !payer.is_signer || *payer.key != ADMIN {
        return Err(ProgramError::MissingRequiredSignature);
    }
    let (address, bump) = Pubkey::find_program_address(&[b"config"], program_id);
    if address != *config.key {
        return Err(ProgramError::InvalidSeeds);
    }
    let created = system_instruction::create_account(payer.key, config.key, 1_000_000, 32, program_id);
    invoke_signed(&created, &[payer.clone(), config.clone()], &[&[b"config", &[bump]]])?;
    Config { admin: *payer.key }.serialize(&mut *config.data.borrow_mut())?;
    Ok(())
}

/// The first caller decides who is told, and nothing of what is stored.
pub fn open_counter(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let payer = next_account_info(iter)?;
    let counter = next_account_info(iter)?;
    let hook = next_account_info(iter)?;
    if !payer.is_signer {
        return Err(ProgramError::MissingRequiredSignature);
    }
    let (address, bump) = Pubkey::find_program_address(&[b"counter"], program_id);
    if address != *counter.key {
        return Err(ProgramError::InvalidSeeds);
    }
    let created = system_instruction::create_account(payer.key, counter.key, 1_000_000, 8, program_id);
    invoke_signed(&created, &[payer.clone(), counter.clone()], &[&[b"counter", &[bump]]])?;
    Counter { count: 0 }.serialize(&mut *counter.data.borrow_mut())?;
    let metas = vec![AccountMeta::new_readonly(*counter.key, false)];
    invoke(&Instruction { program_id: *hook.key, accounts: metas, data: vec![] }, &[counter.clone()])
}
`,
    ],
  },
}

/** Where an address of the caller's choice is stored in the account. */
const firstRecord = (instruction: Instruction, account: Account): Event | undefined =>
  usesOf(instruction, account).find(
    ({ kind, event }) =>
      kind === "data-write" &&
      event.kind === "call" &&
      event.args.some(
        ({ term }) =>
          term.kind === "struct" &&
          term.fields.some(([, value]) =>
            instruction.accounts.some((one) => value === keyOf(instruction.walk.terms, one.term)),
          ),
      ),
  )?.event

/** Whether some signer is determined by the program's author: fixed, stored, or the upgrade authority. */
const isRestricted = (instruction: Instruction, created: Account): boolean =>
  signersOf(instruction).some((signer) => {
    const key = keyOf(instruction.walk.terms, signer.term)
    return successAbout(instruction, key).some((fact) => {
      // That the payer could pay, or was recorded, does not identify the payer.
      if (fact.kind === "succeeded")
        return !(fact.call.kind === "call" && /invoke|serialize|^pack|^write/.test(fact.call.name))
      if (fact.kind !== "binary") return fact.kind === "call"
      if (fact.operator === "!=") return false
      const other = mentions(fact.left, (one) => one === key) ? fact.right : fact.left
      return (
        accountOfState(other) !== created.term &&
        (isTrusted(other) || other.kind === "call" || other.kind === "list" || other.kind === "literal")
      )
    })
  })
