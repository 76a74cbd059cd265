import { guaranteed } from "../../../rust/terms/events.ts"
import { mentions } from "../../../rust/terms/terms.ts"
import type { Rule } from "../../../Rule.ts"
import { signersOf } from "../../authorization.ts"
import { movesValue } from "../../cpi.ts"
import { isPinned, placeOf } from "../../identity.ts"
import { plain } from "../../quantities.ts"
import type { Account, Cpi, Instruction, SolanaProgram } from "../../model.ts"
import { accountIn, checksAround, cpisOf, isFromCaller } from "../../questions.ts"
import { accountOfState, keyOf, stateOf } from "../../semantics.ts"
import { areRelated, flattenSeeds, isSignedFor, roleOf, signedCpisOf } from "../../signedCpi.ts"
import type { Term } from "../../../rust/terms/terms.ts"

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
        const signers = signersOf(instruction)
        // Whoever pays in, burns or closes without the program's signature signs for that: an exchange.
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
          if (looksAhead(instruction)) continue
          // A signer's own account, or one that belongs with an account of the seeds.
          if (signers.some(({ term }) => term === destination.term)) continue
          const facts = guaranteed(cpi.event)
          const tied = signers.some((signer) => {
            const key = keyOf(instruction.walk.terms, signer.term)
            if (mentions(cpi.signerSeeds, (one) => one === key || one === signer.term)) return true
            return instruction.accounts.some((one) => one !== signer && areRelated(facts, key, one.term))
          })
          // Shares for what came in by other ways: how many, the balances say.
          if (signers.length === 0 && roleOf(cpi, "from") === undefined && !amountIsChosen(instruction, cpi)) continue
          if (tied || (signers.length > 0 && !freeSeeds(instruction, cpi))) continue
          report({
            ...placeOf(cpi.event),
            message: `Nobody who signs \`${instruction.name}\` is tied to what the program signs for here.`,
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
    ],
  },
}

const isChecked = (cpi: Cpi, account: Account): boolean => {
  if (account.constraints?.token !== undefined || account.constraints?.associatedToken !== undefined) return true
  const checks = checksAround(cpi.event, account)
  return isPinned(checks) || checks.some(({ kind }) => kind === "signer" || kind === "call")
}

/** Seeds that the caller picks freely: an argument, or the address of an account about which nothing is known. */
const freeSeeds = (instruction: Instruction, cpi: Cpi & { readonly signerSeeds: Term }): boolean => {
  const seeds = flattenSeeds(cpi.signerSeeds).slice(0, -1)
  return seeds.some((seed) => {
    if (seed.kind === "literal" || seed.kind === "constant") return false
    const holder = instruction.accounts.find((one) => seed === keyOf(instruction.walk.terms, one.term))
    if (holder !== undefined)
      return (holder.wrapper === "raw" || holder.wrapper === "system") && !isChecked(cpi, holder)
    return isFromCaller(instruction, seed) && accountOfState(seed) === undefined
  })
}

const amountIsChosen = (instruction: Instruction, cpi: Cpi): boolean =>
  instruction.kind === "anchor" ||
  [...cpi.args, ...cpi.accounts.flatMap(({ name, term }) => (name === "amount" ? [term] : []))].some((one) =>
    instruction.arguments.some(({ term }) => plain(one) === term),
  )

/** A flash loan: the transaction has an instruction behind this one that pays it back. */
const looksAhead = (instruction: Instruction): boolean =>
  instruction.events.some((event) => event.kind === "call" && event.name.startsWith("load_instruction_at"))

/** A flash loan: what the account holds is looked at again when all is done. */
const isRepaid = (instruction: Instruction, cpi: Cpi): boolean => {
  const from = roleOf(cpi, "from")
  if (from === undefined) return false
  const state = stateOf(instruction.walk.terms, from)
  const lent = signedCpisOf(instruction).find((one) => roleOf(one, "from") === from)?.event.order
  const again = instruction.events.find(
    (event) => event.kind === "call" && event.result.term === state && event.order > (lent ?? Infinity),
  )?.order
  return instruction.events.some(
    (event) =>
      event.kind === "check" &&
      event.order > (again ?? Infinity) &&
      event.conditions.some((one) => mentions(one, (inner) => inner === state)),
  )
}
