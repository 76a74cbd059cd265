import { indexBy } from "../../../indexBy.ts"
import { oncePer } from "../../../oncePer.ts"
import { type CallEvent, guaranteed } from "../../../rust/terms/events.ts"
import { everySubterm, type Term } from "../../../rust/terms/terms.ts"
import { definitionOf } from "../../../rust/crate/types.ts"
import type { Rule } from "../../../Rule.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import { checksOf } from "../../questions/checks.ts"
import { isCreated } from "../../authority/creation.ts"
import { isIdentified, readType } from "../../questions/identity.ts"
import { isTagged, lookalike, shapeOnly, tellsType } from "../../program/layouts.ts"
import type { Account, Instruction, SolanaCrate, SolanaProgram } from "../../program/model.ts"
import { checksWhenDone, usesOf } from "../../questions/questions.ts"
import { dataOf } from "../../program/semantics.ts"

export const knownBySize: Rule<SolanaProgram> = {
  meta: {
    id: "solana/serialization/known-by-size",
    class: "type-cosplay",
    title: "Account type identified by data length alone",
    // No byte of the account is used: only the program's conclusion from the length is at stake.
    severity: "low",
    confidence: "medium",
    cwe: [843, 345],
    description:
      "The instruction checks the data length of an unchecked account and nothing else about it: neither its " +
      "owner, nor its address, nor a discriminator. Every account of that length passes, including accounts of " +
      "another type or another program. An attacker creates one where the length is meant to prove what the " +
      "account is.",
    remediation:
      "Declare the account as `Account<'info, T>`, or compare its owner and discriminator before relying on its " +
      "length. If only the space matters, check at least `account.owner`.",
    references: [
      "https://github.com/coral-xyz/sealevel-attacks/tree/master/programs/3-type-cosplay",
      "https://solana.com/developers/courses/program-security/type-cosplay",
    ],
  },
  check: (program, report) => {
    for (const crate of program.crates) {
      for (const instruction of crate.instructions)
        for (const account of instruction.accounts) {
          if (account.wrapper !== "raw") continue
          const measured = measuredOnly(instruction, account)
          if (measured !== undefined)
            report({
              ...measured,
              message: `Nothing about \`${account.name}\` is checked except its data length.`,
            })
          const read = tagIgnored(crate, instruction, account)
          if (read !== undefined)
            report({
              ...placeOf(read),
              message: `The field that identifies the type of \`${account.name}\` is not checked.`,
            })
        }
    }
  },
  examples: {
    vulnerable: [
      `use anchor_lang::prelude::*;

#[program]
pub mod sizes {
    use super::*;

    pub fn measure(ctx: Context<Measure>) -> Result<()> {
        let bytes = ctx.accounts.record.try_borrow_data()?; // FINDING
        require!(bytes.len() == 40, ErrorCode::AccountDidNotDeserialize);
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Measure<'info> {
    /// CHECK: told by its size
    pub record: UncheckedAccount<'info>,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod sizes {
    use super::*;

    pub fn count(ctx: Context<Count>) -> Result<()> {
        let length = ctx.accounts.list.data.borrow().len(); // FINDING
        ctx.accounts.total.entries += (length / 32) as u64;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Count<'info> {
    /// CHECK: counted
    pub list: AccountInfo<'info>,
    #[account(mut)]
    pub total: Account<'info, Total>,
}

#[account]
pub struct Total {
    pub entries: u64,
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Farm { pub tag: u8, pub boss: Pubkey, pub rate: u64, pub total: u64 }

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Share { pub tag: u8, pub boss: Pubkey, pub coins: u64 }

pub fn open(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let who = next_account_info(iter)?;
    let info = next_account_info(iter)?;
    let old = Share::try_from_slice(&info.data.borrow())?;
    if info.owner != program_id || old.tag != 0 || !who.is_signer {
        return Err(ProgramError::AccountAlreadyInitialized);
    }
    Share { tag: 2, boss: *who.key, coins: 0 }.serialize(&mut *info.data.borrow_mut())?;
    Ok(())
}

pub fn set_rate(program_id: &Pubkey, accounts: &[AccountInfo], rate: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let boss = next_account_info(iter)?;
    let info = next_account_info(iter)?;
    let farm = Farm::try_from_slice(&info.data.borrow())?; // FINDING
    if info.owner != program_id || farm.boss != *boss.key || !boss.is_signer {
        return Err(ProgramError::IllegalOwner);
    }
    Farm { tag: 1, boss: farm.boss, rate, total: farm.total }.serialize(&mut *info.data.borrow_mut())?;
    Ok(())
}
`,
    ],
    safe: [
      `use anchor_lang::prelude::*;

#[program]
pub mod sizes {
    use super::*;

    pub fn measure(ctx: Context<Measure>) -> Result<()> {
        let bytes = ctx.accounts.record.try_borrow_data()?;
        require!(bytes.len() == 40, ErrorCode::AccountDidNotDeserialize);
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Measure<'info> {
    /// CHECK: this program's
    #[account(owner = crate::ID)]
    pub record: UncheckedAccount<'info>,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod sizes {
    use super::*;

    pub fn measure(ctx: Context<Measure>) -> Result<()> {
        let bytes = ctx.accounts.record.to_account_info().data_len();
        require!(bytes == 40, ErrorCode::AccountDidNotDeserialize);
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Measure<'info> {
    pub record: Account<'info, Record>,
}

#[account]
pub struct Record {
    pub owner: Pubkey,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod sizes {
    use super::*;

    // The runtime lets a program debit only accounts that it owns.
    pub fn drain(ctx: Context<Measure>) -> Result<()> {
        require!(ctx.accounts.record.data_len() == 40, ErrorCode::AccountDidNotDeserialize);
        **ctx.accounts.record.lamports.borrow_mut() -= 1;
        **ctx.accounts.payer.lamports.borrow_mut() += 1;
        Ok(())
    }

    // It is not told by its size alone.
    pub fn peek(ctx: Context<Measure>) -> Result<()> {
        let bytes = ctx.accounts.record.try_borrow_data()?;
        require!(bytes.len() == 40, ErrorCode::AccountDidNotDeserialize);
        msg!("{}", bytes[0]);
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Measure<'info> {
    /// CHECK: this program's
    #[account(mut)]
    pub record: UncheckedAccount<'info>,
    #[account(mut)]
    pub payer: Signer<'info>,
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::program::invoke;
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey, system_instruction};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Farm { pub tag: u8, pub boss: Pubkey, pub rate: u64, pub total: u64 }

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Share { pub tag: u8, pub boss: Pubkey, pub coins: u64 }

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Notice { pub lines: [u64; 4], pub boss: Pubkey }

pub fn open_share(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let who = next_account_info(iter)?;
    let info = next_account_info(iter)?;
    let old = Share::try_from_slice(&info.data.borrow())?;
    if info.owner != program_id || old.tag != 0 || !who.is_signer {
        return Err(ProgramError::AccountAlreadyInitialized);
    }
    Share { tag: 2, boss: *who.key, coins: 0 }.serialize(&mut *info.data.borrow_mut())?;
    Ok(())
}

/// What this instruction creates is new, and as long as it was made.
pub fn open_farm(program_id: &Pubkey, accounts: &[AccountInfo], rate: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let boss = next_account_info(iter)?;
    let info = next_account_info(iter)?;
    if info.data_len() > 0 {
        return Err(ProgramError::AccountAlreadyInitialized);
    }
    invoke(
        &system_instruction::create_account(boss.key, info.key, 1_000_000, 49, program_id),
        &[boss.clone(), info.clone()],
    )?;
    if info.owner != program_id || !boss.is_signer {
        return Err(ProgramError::IllegalOwner);
    }
    let new = Farm::try_from_slice(&info.data.borrow())?;
    Farm { tag: 1, boss: *boss.key, rate, total: new.total }.serialize(&mut *info.data.borrow_mut())?;
    Ok(())
}

/// The library reads the discriminator first.
pub fn retire_farm(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let boss = next_account_info(iter)?;
    let info = next_account_info(iter)?;
    let farm: Farm = discriminated::try_read(&info.data.borrow())?;
    if info.owner != program_id || farm.boss != *boss.key || !boss.is_signer {
        return Err(ProgramError::IllegalOwner);
    }
    Farm { tag: 3, boss: farm.boss, rate: 0, total: farm.total }.serialize(&mut *info.data.borrow_mut())?;
    Ok(())
}

/// Nothing else has its shape, and no field says what it is.
pub fn take_down(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let boss = next_account_info(iter)?;
    let info = next_account_info(iter)?;
    let mut notice = Notice::try_from_slice(&info.data.borrow())?;
    if info.owner != program_id || notice.boss != *boss.key || !boss.is_signer {
        return Err(ProgramError::IllegalOwner);
    }
    notice.lines = [0; 4];
    notice.serialize(&mut *info.data.borrow_mut())?;
    Ok(())
}

/// How large the list is, whosever it is.
pub fn measure(_program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let list = next_account_info(iter)?;
    if list.data_len() % 32 != 0 {
        return Err(ProgramError::InvalidAccountData);
    }
    Ok(())
}
`,
    ],
  },
}

/** The events of an instruction by what they read, compute with, pass on or change. */
const eventsAbout = oncePer(({ events }: Instruction) =>
  indexBy(events, (event): Iterable<Term> => {
    switch (event.kind) {
      case "read":
        return [event.value.term]
      case "operation":
        return [event.left.term]
      case "assign":
        return everySubterm([event.target.term])
      case "call":
        return [...event.args.map(({ term }) => term), event.result.term]
      default:
        return []
    }
  }),
)

/** Where its data is read only for its length, and nothing says whose or what it is. */
const measuredOnly = (instruction: Instruction, account: Account): ReturnType<typeof placeOf> | undefined => {
  if (instruction.kind !== "anchor" || checksWhenDone(instruction, account).some(({ kind }) => kind !== "data"))
    return undefined
  const { terms } = instruction.walk
  const data = dataOf(terms, account.term)
  const length = terms.call("len", "", [data])
  const about = new Set([data, length, account.term].flatMap((one) => eventsAbout(instruction).get(one) ?? []))
  let first: ReturnType<typeof placeOf> | undefined
  let measured = false
  for (const event of [...about].toSorted((a, b) => a.order - b.order)) {
    if (event.kind === "read" && event.value.term === data) first ??= placeOf(event)
    if (event.kind === "assign" || (event.kind === "operation" && event.left.term === data)) return undefined
    if (event.kind !== "call") continue
    if (event.name === "len" || event.result.term === length) {
      if (!event.args.some(({ term }) => term === data || term === account.term)) continue
      measured = true
      first ??= placeOf(event)
    } else if (event.args.some(({ term }) => term === data)) return undefined
  }
  return measured ? first : undefined
}

/** Read as a struct whose first field contains its type, which this instruction does not compare. */
const tagIgnored = (crate: SolanaCrate, instruction: Instruction, account: Account): CallEvent | undefined => {
  const read = usesOf(instruction, account)
    .map(({ event }) => event)
    .find((event) => event.kind === "call" && shapeOnly.test(event.name))
  const type = read === undefined ? undefined : readType(read)
  const definition = type === undefined ? undefined : definitionOf(type)
  if (read?.kind !== "call" || definition?.kind !== "struct") return undefined
  if (!isTagged(crate, definition) || crate.stateStructs.filter((one) => isTagged(crate, one)).length < 2)
    return undefined
  const checks = checksOf(account.term, guaranteed(read))
  // Without an owner check, or with another type of the same shape, that is the flaw to report.
  if (!isIdentified(checks) || tellsType(checks) || lookalike(crate, definition, read) !== undefined) return undefined
  return isCreated(instruction, account) ? undefined : read
}
