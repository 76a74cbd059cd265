import { mentions } from "../../../rust/terms/terms.ts"
import type { Event } from "../../../rust/terms/events.ts"
import type { Rule } from "../../../Rule.ts"
import { signersOf, storedKeys } from "../../authorization.ts"
import { isCreated } from "../../creation.ts"
import { placeOf } from "../../identity.ts"
import { isGlobal } from "../../singleton.ts"
import type { Account, Instruction, SolanaProgram } from "../../model.ts"
import { isFromCaller, isTrusted, usesOf } from "../../questions.ts"
import { accountOfState, keyOf } from "../../semantics.ts"

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
    const seen = new Set<string>()
    for (const crate of program.crates)
      for (const instruction of crate.instructions)
        for (const account of instruction.accounts) {
          if (instruction.kind === "native") {
            const write = isGlobal(instruction, account) ? firstRecord(instruction, account) : undefined
            if (write === undefined || !isCreated(instruction, account) || isRestricted(instruction, account)) continue
            const place = placeOf(write)
            const key = `${place.file.path}:${place.span.start}`
            if (seen.has(key)) continue
            seen.add(key)
            report({
              ...place,
              message: `The first caller of \`${instruction.name}\` decides what \`${account.name}\` contains.`,
            })
            continue
          }
          // If it may exist already, writing it again is the flaw to report.
          if (account.constraints?.init !== true || account.constraints.initIfNeeded) continue
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
          const place = `${account.place.file.path}:${account.place.span.start}`
          if (seen.has(place)) continue
          seen.add(place)
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
    return [...instruction.walk.success].some((fact) => {
      if (!mentions(fact, (one) => one === key)) return false
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
