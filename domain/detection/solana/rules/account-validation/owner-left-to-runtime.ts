import { definitionOf } from "../../../rust/crate/types.ts"
import type { Rule } from "../../../Rule.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import { isCreated } from "../../authority/creation.ts"
import { isIdentified, readType } from "../../questions/identity.ts"
import type { SolanaProgram } from "../../program/model.ts"
import { isChanged } from "../../authority/ownership.ts"
import { checksWhenDone, usesOf } from "../../questions/questions.ts"

export const ownerLeftToRuntime: Rule<SolanaProgram> = {
  meta: {
    id: "solana/account-validation/owner-left-to-runtime",
    class: "missing-owner",
    title: "Account owner is checked only by the runtime",
    // The runtime rejects the write: at stake are the effects before it, and the next change of the code.
    severity: "informational",
    confidence: "medium",
    cwe: [345, 862],
    description:
      "The instruction treats an account's data as its own state and writes to it without comparing the " +
      "account's owner. The runtime rejects the write if another program owns the account, so the whole " +
      "instruction fails; but every decision made before that relies on bytes that anyone may have written, and " +
      "a path that only reads, or that is added later, has no check at all.",
    remediation:
      "Return an error unless `account.owner == program_id` before the data is read, for example in the single " +
      "function that loads the state.",
    references: [
      "https://solana.com/developers/courses/program-security/owner-checks",
      "https://solana.com/docs/core/accounts",
    ],
  },
  check: (program, report) => {
    for (const { instructions } of program.crates)
      for (const instruction of instructions) {
        for (const account of instruction.accounts) {
          const reads = usesOf(instruction, account).flatMap(({ kind, event }) =>
            kind === "deserialize" && event.kind === "call" ? [event] : [],
          )
          // Where the bytes become a struct, rather than the helper that does it.
          const read = reads.find(({ target }) => target === undefined) ?? reads[0]
          const type = read === undefined ? undefined : readType(read)
          if (read === undefined || type === undefined || definitionOf(type)?.kind !== "struct") continue
          if (!isChanged(instruction, account) || isCreated(instruction, account)) continue
          if (isIdentified(checksWhenDone(instruction, { term: account.term, taken: read }))) continue
          report({
            ...placeOf(read),
            message: `\`${instruction.name}\` never compares the owner of \`${account.name}\` itself.`,
          })
        }
      }
  },
  examples: {
    vulnerable: [
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Jar {
    pub tag: u8,
    pub holder: Pubkey,
    pub coins: u64,
}

pub fn take(_program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let holder = next_account_info(iter)?;
    let jar_info = next_account_info(iter)?;
    let mut jar = Jar::try_from_slice(&jar_info.data.borrow())?; // FINDING
    if jar.tag != 1 || jar.holder != *holder.key || !holder.is_signer {
        return Err(ProgramError::InvalidAccountData);
    }
    jar.coins = jar.coins.checked_sub(amount).ok_or(ProgramError::InsufficientFunds)?;
    jar.serialize(&mut *jar_info.data.borrow_mut())?;
    Ok(())
}
`,
      `use pinocchio::{account_info::AccountInfo, program_error::ProgramError, pubkey::Pubkey, ProgramResult};

#[repr(C)]
pub struct Settings {
    pub tag: u8,
    pub admin: Pubkey,
    pub fee: u8,
}

fn settings(info: &AccountInfo) -> Result<&mut Settings, ProgramError> {
    if info.data_len() != core::mem::size_of::<Settings>() {
        return Err(ProgramError::InvalidAccountData);
    }
    let bytes = unsafe { info.borrow_mut_data_unchecked() };
    Ok(unsafe { &mut *(bytes.as_mut_ptr() as *mut Settings) }) // FINDING
}

pub fn set_fee(_program_id: &Pubkey, accounts: &[AccountInfo], data: &[u8]) -> ProgramResult {
    let [admin, config, ..] = accounts else {
        return Err(ProgramError::NotEnoughAccountKeys);
    };
    let config = settings(config)?;
    if !admin.is_signer() || &config.admin != admin.key() {
        return Err(ProgramError::MissingRequiredSignature);
    }
    config.fee = *data.first().ok_or(ProgramError::InvalidInstructionData)?;
    Ok(())
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::instruction::{AccountMeta, Instruction};
use solana_program::program::invoke;
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Jar {
    pub tag: u8,
    pub holder: Pubkey,
    pub coins: u64,
}

/// The journal hears of the jar before this program reads it.
pub fn take(_program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let holder = next_account_info(iter)?;
    let jar_info = next_account_info(iter)?;
    let metas = vec![AccountMeta::new_readonly(*jar_info.key, false)];
    invoke(&Instruction { program_id: journal::id(), accounts: metas, data: vec![1] }, &[jar_info.clone()])?;
    let mut jar = Jar::try_from_slice(&jar_info.data.borrow())?; // FINDING
    if jar.tag != 1 || jar.holder != *holder.key || !holder.is_signer {
        return Err(ProgramError::InvalidAccountData);
    }
    jar.coins = jar.coins.checked_sub(amount).ok_or(ProgramError::InsufficientFunds)?;
    jar.serialize(&mut *jar_info.data.borrow_mut())?;
    Ok(())
}
`,
    ],
    safe: [
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Jar {
    pub tag: u8,
    pub holder: Pubkey,
    pub coins: u64,
}

fn load(program_id: &Pubkey, info: &AccountInfo) -> Result<Jar, ProgramError> {
    if info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    let jar = Jar::try_from_slice(&info.data.borrow())?;
    if jar.tag == 1 { Ok(jar) } else { Err(ProgramError::InvalidAccountData) }
}

pub fn take(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let holder = next_account_info(iter)?;
    let jar_info = next_account_info(iter)?;
    let mut jar = load(program_id, jar_info)?;
    if jar.holder != *holder.key || !holder.is_signer {
        return Err(ProgramError::InvalidAccountData);
    }
    jar.coins = jar.coins.checked_sub(amount).ok_or(ProgramError::InsufficientFunds)?;
    jar.serialize(&mut *jar_info.data.borrow_mut())?;
    Ok(())
}
`,
      `use pinocchio::{account_info::AccountInfo, program_error::ProgramError, pubkey::{find_program_address, Pubkey}, ProgramResult};

#[repr(C)]
pub struct Settings {
    pub tag: u8,
    pub admin: Pubkey,
    pub fee: u8,
}

pub fn set_fee(program_id: &Pubkey, accounts: &[AccountInfo], data: &[u8]) -> ProgramResult {
    let [admin, config, ..] = accounts else {
        return Err(ProgramError::NotEnoughAccountKeys);
    };
    let (address, _) = find_program_address(&[b"settings"], program_id);
    if &address != config.key() || config.data_len() != core::mem::size_of::<Settings>() {
        return Err(ProgramError::InvalidSeeds);
    }
    let bytes = unsafe { config.borrow_mut_data_unchecked() };
    let settings = unsafe { &mut *(bytes.as_mut_ptr() as *mut Settings) };
    if !admin.is_signer() || &settings.admin != admin.key() {
        return Err(ProgramError::MissingRequiredSignature);
    }
    settings.fee = *data.first().ok_or(ProgramError::InvalidInstructionData)?;
    Ok(())
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::program::invoke;
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey, system_instruction};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Jar {
    pub tag: u8,
    pub holder: Pubkey,
    pub coins: u64,
}

/// What was just created belongs to this program.
pub fn open(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let holder = next_account_info(iter)?;
    let jar_info = next_account_info(iter)?;
    let created = system_instruction::create_account(holder.key, jar_info.key, 1_000_000, 41, program_id);
    invoke(&created, &[holder.clone(), jar_info.clone()])?;
    let mut jar = Jar::try_from_slice(&jar_info.data.borrow())?;
    jar.tag = 1;
    jar.holder = *holder.key;
    jar.serialize(&mut *jar_info.data.borrow_mut())?;
    Ok(())
}

/// What a counter of the library's contains names nobody.
pub fn count(_program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let counter_info = next_account_info(iter)?;
    let mut count = u64::try_from_slice(&counter_info.data.borrow())?;
    count = count.checked_add(1).ok_or(ProgramError::InvalidAccountData)?;
    count.serialize(&mut *counter_info.data.borrow_mut())?;
    Ok(())
}
`,
    ],
  },
}
