import { guaranteed, ofKind, callsNamed } from "../../../rust/terms/events.ts"
import type { Facts } from "../../../rust/terms/facts.ts"
import { mentions, type Term } from "../../../rust/terms/terms.ts"
import type { Rule } from "../../../Rule.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import type { Instruction, SolanaProgram } from "../../program/model.ts"
import { cpisOf, isFromCaller } from "../../questions/questions.ts"
import { accountOfState, isOwnProgramId } from "../../program/semantics.ts"

export const nonCanonicalBump: Rule<SolanaProgram> = {
  meta: {
    id: "solana/pda/non-canonical-bump",
    class: "bump-canonicalization",
    title: "Non-canonical bump accepted",
    // What a second address is worth depends on the program; if there is one record per user, a second claim.
    severity: "medium",
    confidence: "medium",
    cwe: [345, 20],
    description:
      "The address is computed with `create_program_address` and a bump that the caller chose. For the same " +
      "seeds, several bumps give valid addresses, so one user can have several accounts where the program " +
      "expects exactly one: a second voting record, a second claim, a profile that shadows the real one.",
    remediation:
      "Derive the canonical bump with `find_program_address` and compare, or use Anchor's `seeds = […], bump`. " +
      "To avoid the search, store the canonical bump in the account when it is created and use `bump = " +
      "account.bump`.",
    references: [
      "https://github.com/coral-xyz/sealevel-attacks/tree/master/programs/7-bump-seed-canonicalization",
      "https://solana.com/developers/courses/program-security/bump-seed-canonicalization",
    ],
  },
  check: (program, report) => {
    for (const { instructions } of program.crates) {
      const stored = writtenFields(instructions)
      for (const instruction of instructions) {
        const isOpen = (seeds: Term): boolean => {
          const bump = bumpOf(seeds)
          if (bump === undefined || mentions(bump, isSearch)) return false
          if (isFromCaller(instruction, bump)) return true
          const holder = accountOfState(bump)
          if (holder === undefined || instruction.kind === "native") return false
          return bump.kind === "field" && !stored.has(bump.name)
        }
        for (const event of callsNamed(instruction.events, /^create_program_address$/)) {
          const seeds = event.args[0]?.term
          const owner = event.args[1]?.term
          if (seeds === undefined || (owner !== undefined && !isOwnProgramId(owner)) || !isOpen(seeds)) continue
          if (isCompared(guaranteed(event), [bumpOf(seeds), event.result.term])) continue
          report({
            ...placeOf(event),
            severity: "low",
            message: "The bump comes from the caller and is not compared with the canonical one.",
          })
        }
        for (const { constraints, place, name } of instruction.accounts) {
          if (constraints?.bump === undefined || constraints.bump === "canonical" || constraints.init) continue
          const { bump } = constraints
          const written = bump.kind === "path" ? bump.path.segments : []
          if (
            written.length !== 1 ||
            !instruction.arguments.some((one) => argumentNames(instruction, one.name).has(written[0]!.name))
          )
            continue
          report({
            ...place,
            scope: instruction.handler.qualifiedName,
            severity: "low",
            message: `The bump of \`${name}\` is an argument of the instruction.`,
          })
        }
        for (const cpi of cpisOf(instruction)) {
          const { signerSeeds, event } = cpi
          if (signerSeeds === undefined || !/create_account|allocate|CreateAccount/.test(cpi.instruction)) continue
          const bump = bumpOf(signerSeeds)
          if (bump === undefined || mentions(bump, isSearch) || !isFromCaller(instruction, bump)) continue
          if (isCompared(guaranteed(event), [bump, ...cpi.accounts.map(({ term }) => term)])) continue
          report({
            ...placeOf(event),
            severity: "low",
            message: "The account is created at an address whose bump the caller chose.",
          })
        }
      }
    }
  },
  examples: {
    vulnerable: [
      `use anchor_lang::prelude::*;

#[program]
pub mod claims {
    use super::*;

    pub fn claim(ctx: Context<Claim>, bump: u8) -> Result<()> {
        let seeds = &[b"claim".as_ref(), ctx.accounts.user.key.as_ref(), &[bump]];
        let address = Pubkey::create_program_address(seeds, ctx.program_id).unwrap(); // FINDING
        require_keys_eq!(address, ctx.accounts.record.key());
        ctx.accounts.record.claimed = true;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Claim<'info> {
    #[account(mut)]
    pub record: Account<'info, Record>,
    pub user: Signer<'info>,
}

#[account]
pub struct Record {
    pub claimed: bool,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod claims {
    use super::*;

    pub fn claim(ctx: Context<Claim>, bump: u8) -> Result<()> {
        ctx.accounts.record.claimed = true;
        Ok(())
    }
}

#[derive(Accounts)]
#[instruction(bump: u8)]
pub struct Claim<'info> {
    #[account(mut, seeds = [b"claim", user.key().as_ref()], bump = bump)]
    pub record: Account<'info, Record>, // FINDING
    pub user: Signer<'info>,
}

#[account]
pub struct Record {
    pub claimed: bool,
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program::invoke_signed, pubkey::Pubkey, system_instruction};

pub fn open(program_id: &Pubkey, accounts: &[AccountInfo], bump: u8) -> ProgramResult {
    let iter = &mut accounts.iter();
    let payer = next_account_info(iter)?;
    let seat = next_account_info(iter)?;
    invoke_signed( // FINDING
        &system_instruction::create_account(payer.key, seat.key, 1_000_000, 32, program_id),
        &[payer.clone(), seat.clone()],
        &[&[b"seat", payer.key.as_ref(), &[bump]]],
    )
}
`,
    ],
    safe: [
      `use anchor_lang::prelude::*;

#[program]
pub mod claims {
    use super::*;

    pub fn open(ctx: Context<Open>) -> Result<()> {
        ctx.accounts.record.bump = ctx.bumps.record;
        Ok(())
    }

    pub fn claim(ctx: Context<Claim>) -> Result<()> {
        let record = &ctx.accounts.record;
        let seeds = &[b"claim".as_ref(), ctx.accounts.user.key.as_ref(), &[record.bump]];
        let address = Pubkey::create_program_address(seeds, ctx.program_id).unwrap();
        require_keys_eq!(address, record.key());
        ctx.accounts.record.claimed = true;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(init, payer = user, space = 10, seeds = [b"claim", user.key().as_ref()], bump)]
    pub record: Account<'info, Record>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Claim<'info> {
    #[account(mut)]
    pub record: Account<'info, Record>,
    pub user: Signer<'info>,
}

#[account]
pub struct Record {
    pub claimed: bool,
    pub bump: u8,
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};

fn check_address(program_id: &Pubkey, user: &Pubkey, record: &AccountInfo, bump: u8) -> ProgramResult {
    let (expected, canonical) = Pubkey::find_program_address(&[b"claim", user.as_ref()], program_id);
    if *record.key != expected || bump != canonical {
        return Err(ProgramError::InvalidSeeds);
    }
    Ok(())
}

pub fn claim(program_id: &Pubkey, accounts: &[AccountInfo], bump: u8) -> ProgramResult {
    let iter = &mut accounts.iter();
    let record = next_account_info(iter)?;
    let user = next_account_info(iter)?;
    check_address(program_id, user.key, record, bump)?;
    let again = Pubkey::create_program_address(&[b"claim", user.key.as_ref(), &[bump]], program_id)?;
    if again != *record.key || !user.is_signer {
        return Err(ProgramError::InvalidSeeds);
    }
    record.try_borrow_mut_data()?[0] = 1;
    Ok(())
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program::invoke_signed, pubkey::Pubkey, system_instruction};

/// What the search finds is no choice of the caller's, who names the seeds.
pub fn open(program_id: &Pubkey, accounts: &[AccountInfo], who: Pubkey) -> ProgramResult {
    let iter = &mut accounts.iter();
    let payer = next_account_info(iter)?;
    let seat = next_account_info(iter)?;
    let (address, bump) = Pubkey::find_program_address(&[b"seat", who.as_ref()], program_id);
    invoke_signed(
        &system_instruction::create_account(payer.key, &address, 1_000_000, 32, program_id),
        &[payer.clone(), seat.clone()],
        &[&[b"seat", who.as_ref(), &[bump]]],
    )
}
`,
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::{program::invoke_signed, system_instruction};

#[program]
pub mod seats {
    use super::*;

    pub fn open(ctx: Context<Open>, who: Pubkey, bump: u8) -> Result<()> {
        let (address, canonical) = Pubkey::find_program_address(&[b"seat", who.as_ref()], ctx.program_id);
        require!(bump == canonical, SeatError::Bump);
        let created = system_instruction::create_account(ctx.accounts.payer.key, &address, 1_000_000, 32, ctx.program_id);
        invoke_signed(&created, &ctx.accounts.infos(), &[&[b"seat", who.as_ref(), &[bump]]])?;
        Ok(())
    }

    // The hall was made with a bump that the search found.
    pub fn open_in_hall(ctx: Context<Open>) -> Result<()> {
        let hall = &ctx.accounts.hall;
        let address = ctx.accounts.seat.key;
        let created = system_instruction::create_account(ctx.accounts.payer.key, address, 1_000_000, 32, ctx.program_id);
        invoke_signed(&created, &ctx.accounts.infos(), &[&[b"seat", hall.key().as_ref(), &[hall.seat_bump]]])?;
        Ok(())
    }

    // Without a bump among the seeds, the caller's bytes make addresses of seats, all of them the program's.
    pub fn open_named(ctx: Context<Open>, name: [u8; 8]) -> Result<()> {
        let address = Pubkey::create_program_address(&[b"seat", name.as_ref()], ctx.program_id).unwrap();
        require_keys_eq!(address, ctx.accounts.seat.key());
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(mut)]
    pub payer: Signer<'info>,
    pub hall: Account<'info, Hall>,
    /// CHECK: created
    #[account(mut)]
    pub seat: UncheckedAccount<'info>,
}

impl<'info> Open<'info> {
    fn infos(&self) -> [AccountInfo<'info>; 2] {
        [self.payer.to_account_info(), self.seat.to_account_info()]
    }
}

#[account]
pub struct Hall {
    pub seat_bump: u8,
}

#[error_code]
pub enum SeatError {
    Bump,
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};

/// Whoever the caller names has one seat, at the bump that the search finds.
pub fn take(program_id: &Pubkey, accounts: &[AccountInfo], who: Pubkey) -> ProgramResult {
    let iter = &mut accounts.iter();
    let seat = next_account_info(iter)?;
    let (_, bump) = Pubkey::find_program_address(&[b"seat", who.as_ref()], program_id);
    let address = Pubkey::create_program_address(&[b"seat", who.as_ref(), &[bump]], program_id)?;
    if address != *seat.key {
        return Err(ProgramError::InvalidSeeds);
    }
    seat.try_borrow_mut_data()?[0] = 1;
    Ok(())
}
`,
    ],
  },
}

const isSearch = (term: Term): boolean =>
  term.kind === "call" && /find_program_address$|^derive_program_address$/.test(term.name)

/** The bump is the last seed, in a list of its own: `&[…, &[bump]]`. Other seeds are bytes of something longer. */
const bumpOf = (seeds: Term): Term | undefined => {
  let [one, isAlone] = [seeds, false]
  for (;;) {
    const elements: ReadonlyArray<Term> = one.kind === "list" ? one.elements : []
    const last = elements.at(-1)
    if (last === undefined) return isAlone ? one : undefined
    isAlone ||= elements.length === 1
    one = last
  }
}

/** Whether the address or the bump was compared with the result of the search. */
const isCompared = (facts: Facts, terms: ReadonlyArray<Term | undefined>): boolean => {
  for (const fact of facts) {
    if (fact.kind !== "binary" || fact.operator !== "==") continue
    const { left, right } = fact
    const searched = mentions(left, isSearch) ? right : mentions(right, isSearch) ? left : undefined
    if (searched !== undefined && terms.some((one) => mentions(searched, (inner) => inner === one))) return true
  }
  return false
}

/** Names of state fields that some instruction writes: the bump is stored when the account is created. */
const writtenFields = (instructions: ReadonlyArray<Instruction>): ReadonlySet<string> => {
  const names = new Set<string>()
  for (const { events } of instructions)
    // A part of the state with its own fields is built before it is stored.
    for (const { value } of ofKind(events, "struct"))
      if (value.term.kind === "struct") for (const [name] of value.term.fields) names.add(name)
  for (const { events } of instructions)
    for (const event of ofKind(events, "assign")) {
      if (accountOfState(event.target.term) === undefined) continue
      if (event.target.term.kind === "field") names.add(event.target.term.name)
      if (event.value.term.kind === "struct") for (const [name] of event.value.term.fields) names.add(name)
    }
  return names
}

/** `#[instruction(…)]` may name an argument differently than the handler: both count, by position. */
const argumentNames = (instruction: Instruction, own: string): ReadonlySet<string> => {
  const declared = instruction.context?.item.attributes.find((one) => one.name === "instruction")?.args ?? []
  const index = instruction.arguments.findIndex((one) => one.name === own)
  const other = declared[index]?.name
  return new Set(other === undefined ? [] : [other])
}
