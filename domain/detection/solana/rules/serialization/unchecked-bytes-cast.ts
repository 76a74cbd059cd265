import type { Rule } from "../../../Rule.ts"
import { type CallEvent, guaranteed, callsNamed } from "../../../rust/terms/events.ts"
import { mentions, type Term } from "../../../rust/terms/terms.ts"
import { severityOfData } from "../../payments/weights.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import { isCreated } from "../../authority/creation.ts"
import { isSysvarType, readType } from "../../questions/identity.ts"
import type { SolanaProgram } from "../../program/model.ts"
import { checksAround } from "../../questions/questions.ts"
import { accountOfState, dataOf } from "../../program/semantics.ts"

export const uncheckedBytesCast: Rule<SolanaProgram> = {
  meta: {
    id: "solana/serialization/unchecked-bytes-cast",
    class: "unsafe-zero-copy",
    title: "Account bytes cast to a struct without validation",
    severity: "high",
    confidence: "medium",
    cwe: [704, 125, 345],
    description:
      "Unsafe code reinterprets the bytes of an account as a struct, and the account's length or owner is not " +
      "checked on that path. An attacker passes an account of their own: with well-chosen bytes, it poses as " +
      "the program's state, and with too few bytes, the program reads and writes beyond the account.",
    remediation:
      "Before the cast, check that the program owns the account, that its data has the length of the struct, " +
      "and the discriminator; keep the unsafe call in one function that does all three.",
    references: [
      "https://github.com/anza-xyz/pinocchio",
      "https://www.helius.dev/blog/a-hitchhikers-guide-to-solana-program-security",
    ],
  },
  check: (program, report) => {
    for (const crate of program.crates)
      for (const instruction of crate.instructions) {
        const found = new Map<Term, CallEvent>()
        for (const event of callsNamed(instruction.events, castsOrBorrows)) {
          // A function of another crate with such a name (`pyth_client::cast`) is not unsafe code of this program.
          if (event.name === "cast" && event.path !== "") continue
          for (const { term } of event.args) {
            const read = accountOfState(term)
            const account = instruction.accounts.find((one) => one.term === term || one.term === read)
            if (account === undefined || isCreated(instruction, account)) continue
            // A field of something read before is a value by now.
            if (mentions(term, (one) => one.kind === "call" && one.name === "state")) continue
            // Sysvars are checked by comparing the address.
            if (isSysvarType(readType(event))) continue
            // The innermost cast is where the bytes become a struct.
            const known = found.get(account.term)
            const borrowed = borrows.test(event.name)
            if (known !== undefined && borrowed) continue
            const identified = checksAround(event, account).some(({ kind }) => /^(owner|key|pda|type|call)$/.test(kind))
            const data = dataOf(program.terms, account.term)
            const measured = [...guaranteed(event)].some((fact) =>
              mentions(
                fact,
                (one) => one.kind === "call" && one.name === "len" && mentions(one, (inner) => inner === data),
              ),
            )
            // A struct of the right length that may be anybody's is left to the owner check.
            if (!measured || (borrowed && !identified)) found.set(account.term, event)
            else if (known !== undefined && borrows.test(known.name)) found.delete(account.term)
          }
        }
        for (const [term, event] of found) {
          const account = instruction.accounts.find((one) => one.term === term)!
          report({ ...placeOf(event), severity: severityOfData(crate, instruction, account) })
        }
      }
  },
  examples: {
    vulnerable: [
      `use pinocchio::{account_info::AccountInfo, program_error::ProgramError, pubkey::Pubkey, ProgramResult};

#[repr(C)]
pub struct Vault { pub owner: Pubkey, pub amount: u64 }

impl Vault {
    pub unsafe fn from_bytes_unchecked(bytes: &[u8]) -> &Self {
        &*(bytes.as_ptr() as *const Self) // FINDING
    }
}

pub fn withdraw(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let [user, vault, _rest @ ..] = accounts else {
        return Err(ProgramError::NotEnoughAccountKeys);
    };
    if !user.is_signer() {
        return Err(ProgramError::MissingRequiredSignature);
    }
    let state = unsafe { Vault::from_bytes_unchecked(vault.borrow_data_unchecked()) };
    if state.owner != *user.key() {
        return Err(ProgramError::IllegalOwner);
    }
    Ok(())
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};

#[repr(C)]
pub struct Config { pub fee: u64 }

pub fn fee(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let info = next_account_info(&mut accounts.iter())?;
    if info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    let data = info.try_borrow_data()?;
    let config: &Config = unsafe { &*(data.as_ptr() as *const Config) }; // FINDING
    solana_program::msg!("{}", config.fee);
    Ok(())
}
`,
      `use pinocchio::account_info::AccountInfo;
use pinocchio::program_error::ProgramError;
use pinocchio::sysvars::clock::Clock;
use pinocchio::{pubkey::Pubkey, ProgramResult};

#[repr(C)]
pub struct Vault { pub owner: Pubkey, pub amount: [u8; 8] }

impl Vault {
    pub const LEN: usize = 40;
}

// Bytes are picked out whatever their length.
pub fn peek(_program_id: &Pubkey, accounts: &[AccountInfo], _data: &[u8]) -> ProgramResult {
    let vault_info = &accounts[0];
    let bytes = unsafe { vault_info.borrow_data_unchecked() }; // FINDING
    msg!("{}", bytes[0]);
    Ok(())
}

// Long enough, but it may be anybody's.
pub fn peek_measured(_program_id: &Pubkey, accounts: &[AccountInfo], _data: &[u8]) -> ProgramResult {
    let vault_info = &accounts[0];
    let bytes = unsafe { vault_info.borrow_data_unchecked() }; // FINDING
    if vault_info.data_len() != Vault::LEN {
        return Err(ProgramError::InvalidAccountData);
    }
    msg!("{}", bytes[0]);
    Ok(())
}

// The cast is the place, not what borrows afterwards.
pub fn read(_program_id: &Pubkey, accounts: &[AccountInfo], _data: &[u8]) -> ProgramResult {
    let vault_info = &accounts[0];
    let vault = unsafe { Vault::from_account_info_unchecked(vault_info) }; // FINDING
    let bytes = unsafe { vault_info.borrow_data_unchecked() };
    msg!("{} {}", vault.amount[0], bytes[0]);
    Ok(())
}

pub fn read_behind(_program_id: &Pubkey, accounts: &[AccountInfo], _data: &[u8]) -> ProgramResult {
    let vault_info = &accounts[0];
    let bytes = vault_info.try_borrow_data()?;
    let vault = unsafe { Vault::from_bytes_unchecked(&bytes[8..]) }; // FINDING
    msg!("{}", vault.amount[0]);
    Ok(())
}

pub fn read_twice(_program_id: &Pubkey, accounts: &[AccountInfo], data: &[u8]) -> ProgramResult {
    let vault_info = &accounts[0];
    if data.is_empty() {
        let vault = unsafe { Vault::from_account_info_unchecked(vault_info) }; // FINDING
        msg!("{}", vault.amount[0]);
        return Ok(());
    }
    if vault_info.data_len() != Vault::LEN {
        return Err(ProgramError::InvalidAccountData);
    }
    let vault = unsafe { Vault::load_unchecked(vault_info) };
    msg!("{}", vault.amount[0]);
    Ok(())
}
`,
    ],
    safe: [
      `use pinocchio::{account_info::AccountInfo, program_error::ProgramError, pubkey::Pubkey, ProgramResult};

#[repr(C)]
pub struct Vault { pub owner: Pubkey, pub amount: u64 }

impl Vault {
    pub const LEN: usize = 40;
    pub fn read<'a>(info: &'a AccountInfo, program_id: &Pubkey) -> Result<&'a Self, ProgramError> {
        if !info.is_owned_by(program_id) {
            return Err(ProgramError::IllegalOwner);
        }
        if info.data_len() != Self::LEN {
            return Err(ProgramError::InvalidAccountData);
        }
        Ok(unsafe { &*(info.borrow_data_unchecked().as_ptr() as *const Self) })
    }
}

pub fn withdraw(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let [user, vault, _rest @ ..] = accounts else {
        return Err(ProgramError::NotEnoughAccountKeys);
    };
    let state = Vault::read(vault, program_id)?;
    if !user.is_signer() || state.owner != *user.key() {
        return Err(ProgramError::IllegalOwner);
    }
    Ok(())
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};

#[repr(C)]
pub struct Config { pub fee: u64 }

pub fn fee(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let info = next_account_info(&mut accounts.iter())?;
    if info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    let data = info.try_borrow_data()?;
    if data.len() < core::mem::size_of::<Config>() {
        return Err(ProgramError::AccountDataTooSmall);
    }
    let config: &Config = unsafe { &*(data.as_ptr() as *const Config) };
    solana_program::msg!("{}", config.fee);
    Ok(())
}
`,
      `use pinocchio::account_info::AccountInfo;
use pinocchio::program_error::ProgramError;
use pinocchio::sysvars::clock::Clock;
use pinocchio::{pubkey::Pubkey, ProgramResult};

#[repr(C)]
pub struct Vault { pub owner: Pubkey, pub amount: [u8; 8] }

impl Vault {
    pub const LEN: usize = 40;
}

pub fn read_own(program_id: &Pubkey, accounts: &[AccountInfo], _data: &[u8]) -> ProgramResult {
    let vault_info = &accounts[0];
    if vault_info.data_len() != Vault::LEN || vault_info.owner() != program_id {
        return Err(ProgramError::InvalidAccountData);
    }
    let bytes = unsafe { vault_info.borrow_data_unchecked() };
    msg!("{}", bytes[0]);
    Ok(())
}

// Whose it is, is the missing owner check's concern.
pub fn read_measured(_program_id: &Pubkey, accounts: &[AccountInfo], _data: &[u8]) -> ProgramResult {
    let vault_info = &accounts[0];
    let bytes = unsafe { vault_info.borrow_data_unchecked() };
    if vault_info.data_len() != Vault::LEN {
        return Err(ProgramError::InvalidAccountData);
    }
    let vault = unsafe { Vault::from_bytes_unchecked(bytes) };
    msg!("{}", vault.amount[0]);
    Ok(())
}

pub fn read_safely(program_id: &Pubkey, accounts: &[AccountInfo], _data: &[u8]) -> ProgramResult {
    let (vault_info, clock_info, price_info) = (&accounts[0], &accounts[1], &accounts[2]);
    if vault_info.owner() != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    let vault = bytemuck::from_bytes::<Vault>(&vault_info.try_borrow_data()?);
    // A field of what was read is a value by now.
    let amount: u64 = unsafe { core::mem::transmute(vault.amount) };
    // The sysvar's own reader compares the address, and another crate's function of the name is not a cast.
    let clock = unsafe { Clock::from_account_info_unchecked(clock_info) };
    let price = pyth_client::cast::<pyth_client::Price>(&price_info.try_borrow_data()?);
    msg!("{} {} {}", amount, clock.slot, price.agg);
    Ok(())
}
`,
    ],
  },
}

const casts =
  /^(\w*from_bytes(_mut)?_unchecked(_mut)?|from_account_(info|view)_unchecked|load(_mut)?_unchecked|transmute(_copy)?|read_unaligned|from_raw_parts(_mut)?|cast)$/

const borrows = /^(borrow(_mut)?_data_unchecked|borrow_unchecked(_mut)?)$/

const castsOrBorrows = { test: (name: string): boolean => casts.test(name) || borrows.test(name) }
