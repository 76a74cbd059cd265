import type { Rule } from "../../../Rule.ts"
import { oncePer } from "../../../oncePer.ts"
import { guaranteed } from "../../../rust/terms/events.ts"
import { anyFact, type Facts, factsAbout } from "../../../rust/terms/facts.ts"
import { everySubterm, mentions, type Term } from "../../../rust/terms/terms.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import type { Cpi, Instruction, SolanaProgram } from "../../program/model.ts"
import { cpisOf } from "../../questions/questions.ts"

export const prefundedAccount: Rule<SolanaProgram> = {
  meta: {
    id: "solana/denial-of-service/prefunded-account",
    class: "account-precreation-dos",
    title: "Account creation fails once the address holds lamports",
    severity: "low",
    confidence: "medium",
    cwe: [400, 703],
    description:
      "The program creates an account at an address derived from seeds with the system program's " +
      "`create_account`, which fails if the address already holds a single lamport. Anyone can compute the " +
      "address: an attacker transfers a few lamports to it beforehand, and the account can never be created.",
    remediation:
      "If the address already holds lamports, transfer only what is missing for rent and then call `allocate` " +
      "and `assign` with the signer seeds. Anchor's `init` does this.",
    references: [
      "https://github.com/solana-labs/solana/blob/master/programs/system/src/system_processor.rs",
      "https://www.helius.dev/blog/a-hitchhikers-guide-to-solana-program-security",
    ],
  },
  check: (program, report) => {
    for (const { instructions } of program.crates)
      for (const instruction of instructions)
        for (const cpi of cpisOf(instruction)) {
          const { event, instruction: path, signerSeeds, args } = cpi
          if (!creates.test(path) || (signerSeeds === undefined && !args.some(isAddress))) continue
          if (signerSeeds !== undefined && isUnforeseen(instruction, signerSeeds)) continue
          if (asksForLamports(guaranteed(event), createdBy(instruction, cpi))) continue
          report(placeOf(event))
        }
  },
  examples: {
    vulnerable: [
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program::invoke_signed, pubkey::Pubkey, system_instruction};

pub fn open(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let payer = next_account_info(iter)?;
    let vault = next_account_info(iter)?;
    let (address, bump) = Pubkey::find_program_address(&[b"vault", payer.key.as_ref()], program_id);
    invoke_signed( // FINDING
        &system_instruction::create_account(payer.key, &address, 1_000_000, 64, program_id),
        &[payer.clone(), vault.clone()],
        &[&[b"vault", payer.key.as_ref(), &[bump]]],
    )
}
`,
      `use anchor_lang::prelude::*;
use anchor_lang::system_program::{create_account, CreateAccount};

#[program]
pub mod vaults {
    use super::*;
    pub fn open(ctx: Context<Open>, bump: u8) -> Result<()> {
        let seeds: &[&[u8]] = &[b"vault", &[bump]];
        let accounts = CreateAccount { from: ctx.accounts.payer.to_account_info(), to: ctx.accounts.vault.to_account_info() };
        let signer = &[seeds];
        let cpi = CpiContext::new_with_signer(ctx.accounts.system_program.to_account_info(), accounts, signer);
        create_account(cpi, 1_000_000, 64, ctx.program_id)?; // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(mut)]
    pub payer: Signer<'info>,
    /// CHECK: created here
    #[account(mut)]
    pub vault: UncheckedAccount<'info>,
    pub system_program: Program<'info, System>,
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::program_error::ProgramError;
use solana_program::{entrypoint::ProgramResult, program::invoke_signed, pubkey::Pubkey, system_instruction};

/// What the payer has, and that the ticket is new, says nothing about the vault.
pub fn open(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let payer = next_account_info(iter)?;
    let vault = next_account_info(iter)?;
    let ticket = next_account_info(iter)?;
    if payer.lamports() < 1_000_000 || ticket.data_len() > 0 {
        return Err(ProgramError::InsufficientFunds);
    }
    invoke_signed( // FINDING
        &system_instruction::create_account(payer.key, vault.key, 1_000_000, 64, program_id),
        &[payer.clone(), vault.clone()],
        &[&[b"vault", payer.key.as_ref(), &[255]]],
    )
}
`,
    ],
    safe: [
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program::{invoke, invoke_signed}, pubkey::Pubkey, system_instruction};

/// Nobody knows the proposal's address before it signs for its own creation.
pub fn propose(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let payer = next_account_info(iter)?;
    let proposal = next_account_info(iter)?;
    let mint = next_account_info(iter)?;
    let (address, bump) = Pubkey::find_program_address(&[proposal.key.as_ref(), b"mint"], program_id);
    invoke(
        &system_instruction::create_account(payer.key, proposal.key, 1_000_000, 64, program_id),
        &[payer.clone(), proposal.clone()],
    )?;
    invoke_signed(
        &system_instruction::create_account(payer.key, mint.key, 1_000_000, 82, &spl_token::ID),
        &[payer.clone(), mint.clone()],
        &[&[proposal.key.as_ref(), b"mint", &[bump]]],
    )
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program::{invoke, invoke_signed}, pubkey::Pubkey, system_instruction};

pub fn open(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let payer = next_account_info(iter)?;
    let vault = next_account_info(iter)?;
    let (address, bump) = Pubkey::find_program_address(&[b"vault", payer.key.as_ref()], program_id);
    let seeds: &[&[u8]] = &[b"vault", payer.key.as_ref(), &[bump]];
    if vault.lamports() == 0 {
        invoke_signed(
            &system_instruction::create_account(payer.key, &address, 1_000_000, 64, program_id),
            &[payer.clone(), vault.clone()],
            &[seeds],
        )
    } else {
        invoke(&system_instruction::transfer(payer.key, &address, 1_000_000), &[payer.clone(), vault.clone()])?;
        invoke_signed(&system_instruction::allocate(&address, 64), &[vault.clone()], &[seeds])?;
        invoke_signed(&system_instruction::assign(&address, program_id), &[vault.clone()], &[seeds])
    }
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program::invoke, pubkey::Pubkey, system_instruction};

pub fn open(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let payer = next_account_info(iter)?;
    let fresh = next_account_info(iter)?;
    invoke(
        &system_instruction::create_account(payer.key, fresh.key, 1_000_000, 64, program_id),
        &[payer.clone(), fresh.clone()],
    )
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::program::{invoke, invoke_signed};
use solana_program::{entrypoint::ProgramResult, pubkey::Pubkey, rent::Rent, system_instruction, sysvar::Sysvar};

/// Whoever has the key of a fresh account signs for it.
pub fn open_fresh(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let payer = next_account_info(iter)?;
    let fresh = next_account_info(iter)?;
    let rent = Rent::get()?.minimum_balance(64);
    invoke(
        &system_instruction::create_account(payer.key, fresh.key, rent, 64, program_id),
        &[payer.clone(), fresh.clone()],
    )
}

pub fn open_once(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let payer = next_account_info(iter)?;
    let vault = next_account_info(iter)?;
    if !vault.data_is_empty() {
        return Ok(());
    }
    invoke_signed(
        &system_instruction::create_account(payer.key, vault.key, 1_000_000, 64, program_id),
        &[payer.clone(), vault.clone()],
        &[&[b"vault", payer.key.as_ref(), &[255]]],
    )
}
`,
    ],
  },
}

const creates = /(^|::)(create_account|CreateAccount)$/

const isAddress = (term: Term): boolean =>
  mentions(term, (one) => one.kind === "call" && /program_address$|^create_with_seed$/.test(one.name))

/** Whether the seeds name an account that is created here with a key of its own: nobody knows the address before. */
const isUnforeseen = (instruction: Instruction, seeds: Term): boolean =>
  mentions(seeds, (one) => madeByKey(instruction).has(one))

const madeByKey = oncePer(
  (instruction: Instruction): ReadonlySet<Term> =>
    new Set(
      cpisOf(instruction).flatMap((cpi) =>
        creates.test(cpi.instruction) && cpi.signerSeeds === undefined ? (createdBy(instruction, cpi) ?? []) : [],
      ),
    ),
)

/** The created account, if the call names an account rather than only an address. */
const createdBy = (instruction: Instruction, { accounts, args }: Cpi): Term | undefined => {
  const named = accounts.find(({ name }) => /^(to|to_account|new_account|account)$/.test(name))?.term ?? args[1]
  const term = named?.kind === "field" && named.name === "key" ? named.base : named
  return instruction.accounts.some((one) => one.term === term) ? term : undefined
}

/** Whose lamports, owner or length a fact is about. */
const askedIn = (fact: Term): ReadonlyArray<Term> =>
  [...everySubterm([fact])].flatMap((one) => {
    if (one.kind === "field") return one.name === "lamports" || one.name === "owner" ? [one.base] : []
    return one.kind === "call" && one.name === "len" ? one.args.slice(0, 1) : []
  })

const asking = factsAbout((fact) => [...everySubterm(askedIn(fact))])
const askingAny = anyFact((fact) => askedIn(fact).length > 0)

const asksForLamports = (facts: Facts, account: Term | undefined): boolean =>
  account === undefined ? askingAny(facts) : [...asking(facts, account)].length > 0
