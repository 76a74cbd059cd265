import type { TypeDefinition } from "../../../rust/crate/crate.ts"
import { type CallEvent, guaranteed } from "../../../rust/terms/events.ts"
import { definitionOf } from "../../../rust/crate/types.ts"
import type { Rule } from "../../../Rule.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import { checksOf } from "../../questions/checks.ts"
import { isIdentified, readType } from "../../questions/identity.ts"
import { hasAttribute, lookalike, shapeOnly, tellsType } from "../../program/layouts.ts"
import type { SolanaProgram } from "../../program/model.ts"
import { usesOf } from "../../questions/questions.ts"

export const typeCosplay: Rule<SolanaProgram> = {
  meta: {
    id: "solana/serialization/type-cosplay",
    class: "type-cosplay",
    title: "Type confusion between accounts",
    severity: "high",
    confidence: "medium",
    cwe: [843, 345],
    description:
      "The bytes of an account are deserialized as a struct without checking a discriminator, and the program " +
      "has other account types whose bytes fit as well. An attacker passes an account of another type, which " +
      "they legitimately control: one of its fields, for example a key that anyone may set, is then interpreted " +
      "as the authority.",
    remediation:
      "Declare the account as `Account<'info, T>`, which compares Anchor's discriminator. In native programs give every account type a discriminator as its first field, written at creation and compared before any other field is used; or read one enum that has all account types as variants.",
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
          const reads = usesOf(instruction, account).flatMap(({ event }) => (event.kind === "call" ? [event] : []))
          const types = new Map<TypeDefinition, CallEvent>()
          for (const event of reads) {
            const type = readType(event)
            const definition = type === undefined ? undefined : definitionOf(type)
            if (definition === undefined || !shapeOnly.test(event.name)) continue
            const checks = checksOf(account.term, guaranteed(event))
            if (tellsType(checks)) continue
            if (!types.has(definition)) types.set(definition, event)
            // Without an owner check, that is the flaw to report.
            if (!isIdentified(checks)) continue
            const skipsOwn = hasAttribute(definition.item, /^account$/)
            const other = skipsOwn ? definition.name : lookalike(crate, definition, event)
            if (other === undefined) continue
            report({
              ...placeOf(event),
              message: skipsOwn
                ? `\`${account.name}\` is read as \`${definition.name}\` without its discriminator.`
                : `An account that holds a \`${other}\` can be passed for \`${account.name}\`, read as \`${definition.name}\`.`,
            })
          }
          const second = [...types.values()][1]
          if (second !== undefined && !toldBySize(second))
            report({
              ...placeOf(second),
              message: `\`${account.name}\` is read as two types, so nothing determines which it is.`,
              // Which of them an attacker can make is not known.
              severity: "low",
            })
        }
    }
  },
  examples: {
    vulnerable: [
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::BorshDeserialize;

#[derive(BorshDeserialize)]
pub struct Vault {
    pub manager: Pubkey,
}

#[derive(BorshDeserialize)]
pub struct Greeting {
    pub author: Pubkey,
}

pub fn withdraw(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let vault_info = next_account_info(iter)?;
    let manager = next_account_info(iter)?;
    let vault = Vault::try_from_slice(&vault_info.data.borrow())?; // FINDING
    if vault_info.owner != program_id || vault.manager != *manager.key || !manager.is_signer {
        return Err(ProgramError::IllegalOwner);
    }
    **vault_info.lamports.borrow_mut() -= amount;
    **manager.lamports.borrow_mut() += amount;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod vaults {
    use super::*;

    pub fn withdraw(ctx: Context<Withdraw>) -> Result<()> {
        let vault = Vault::try_from_slice(&ctx.accounts.vault.data.borrow())?; // FINDING
        require_keys_eq!(*ctx.accounts.vault.owner, crate::ID);
        require_keys_eq!(vault.manager, ctx.accounts.manager.key());
        msg!("{}", vault.manager);
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Withdraw<'info> {
    /// CHECK: read by hand
    pub vault: UncheckedAccount<'info>,
    pub manager: Signer<'info>,
}

#[account]
pub struct Vault {
    pub manager: Pubkey,
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, msg, program_error::ProgramError, pubkey::Pubkey};
use borsh::BorshDeserialize;

#[derive(BorshDeserialize)]
pub struct Offer {
    pub price: u64,
    pub seller: Pubkey,
}

#[derive(BorshDeserialize)]
pub struct Bid {
    pub bidder: Pubkey,
    pub price: u64,
}

/// That it is long enough, and the book's, is true of both.
pub fn show(_program_id: &Pubkey, accounts: &[AccountInfo], is_offer: bool) -> ProgramResult {
    let iter = &mut accounts.iter();
    let entry = next_account_info(iter)?;
    if entry.data_len() < 40 || *entry.owner != order_book::id() || order_book::version() != 1 {
        return Err(ProgramError::InvalidAccountData);
    }
    if is_offer {
        let offer = Offer::try_from_slice(&entry.data.borrow())?;
        msg!("{}", offer.price);
    } else {
        let bid = Bid::try_from_slice(&entry.data.borrow())?; // FINDING
        msg!("{}", bid.price);
    }
    let last = Bid::try_from_slice(&entry.data.borrow())?;
    msg!("{}", last.bidder);
    Ok(())
}
`,
    ],
    safe: [
      // What looks like it is the argument of an instruction, and never an account.
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::BorshDeserialize;

#[derive(BorshDeserialize)]
pub struct Vault {
    pub manager: Pubkey,
}

#[derive(BorshDeserialize)]
pub struct Greeting {
    pub author: Pubkey,
}

#[derive(BorshDeserialize)]
pub enum Order {
    Greet(Greeting),
    Withdraw { amount: u64 },
}

pub fn withdraw(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let vault_info = next_account_info(iter)?;
    let manager = next_account_info(iter)?;
    let vault = Vault::try_from_slice(&vault_info.data.borrow())?;
    if vault_info.owner != program_id || vault.manager != *manager.key || !manager.is_signer {
        return Err(ProgramError::IllegalOwner);
    }
    **vault_info.lamports.borrow_mut() -= amount;
    **manager.lamports.borrow_mut() += amount;
    Ok(())
}
`,
      `use borsh::{BorshDeserialize, BorshSerialize};
use mpl_utils::assert_derivation;
use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Permit { pub uses: u64, pub bump: u8 }
#[derive(BorshSerialize, BorshDeserialize)]
pub struct Mark { pub count: u64, pub kind: u8 }

/// The library derives the address at which there is nothing but a permit.
pub fn spend(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let user = next_account_info(iter)?;
    let permit_info = next_account_info(iter)?;
    if !user.is_signer || permit_info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    assert_derivation(program_id, permit_info, &[b"permit", user.key.as_ref()], ProgramError::InvalidSeeds)?;
    let mut permit = Permit::try_from_slice(&permit_info.data.borrow())?;
    permit.uses = permit.uses.checked_sub(1).ok_or(ProgramError::InvalidArgument)?;
    permit.serialize(&mut &mut permit_info.data.borrow_mut()[..])?;
    Ok(())
}

pub fn mark(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let mark_info = next_account_info(iter)?;
    if !mark_info.is_signer || mark_info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    let mark = Mark { count: 1, kind: 2 };
    mark.serialize(&mut &mut mark_info.data.borrow_mut()[..])?;
    Ok(())
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::BorshDeserialize;

#[derive(BorshDeserialize, PartialEq)]
pub enum Kind {
    Vault,
    Greeting,
}

#[derive(BorshDeserialize)]
pub struct Vault {
    pub kind: Kind,
    pub manager: Pubkey,
}

#[derive(BorshDeserialize)]
pub struct Greeting {
    pub kind: Kind,
    pub author: Pubkey,
}

impl Vault {
    fn read(info: &AccountInfo) -> Result<Vault, ProgramError> {
        let vault = Vault::try_from_slice(&info.data.borrow())?;
        if vault.kind != Kind::Vault {
            return Err(ProgramError::InvalidAccountData);
        }
        Ok(vault)
    }
}

pub fn withdraw(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let vault_info = next_account_info(iter)?;
    let manager = next_account_info(iter)?;
    let vault = Vault::read(vault_info)?;
    if vault_info.owner != program_id || vault.manager != *manager.key || !manager.is_signer {
        return Err(ProgramError::IllegalOwner);
    }
    **vault_info.lamports.borrow_mut() -= amount;
    **manager.lamports.borrow_mut() += amount;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod vaults {
    use super::*;

    pub fn withdraw(ctx: Context<Withdraw>) -> Result<()> {
        let vault: Account<Vault> = Account::try_from(&ctx.accounts.vault)?;
        require_keys_eq!(vault.manager, ctx.accounts.manager.key());
        let mut bytes: &[u8] = &ctx.accounts.other.data.borrow();
        let other = Greeting::try_deserialize(&mut bytes)?;
        require_keys_eq!(*ctx.accounts.other.owner, crate::ID);
        msg!("{}", other.author);
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Withdraw<'info> {
    /// CHECK: loaded above
    pub vault: UncheckedAccount<'info>,
    /// CHECK: read above
    pub other: UncheckedAccount<'info>,
    pub manager: Signer<'info>,
}

#[account]
pub struct Vault {
    pub manager: Pubkey,
}

#[account]
pub struct Greeting {
    pub author: Pubkey,
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, msg, program_error::ProgramError, pubkey::Pubkey};
use borsh::BorshDeserialize;

#[derive(BorshDeserialize)]
pub struct Offer {
    pub price: u64,
    pub seller: Pubkey,
    pub expiry: i64,
}

#[derive(BorshDeserialize)]
pub struct Bid {
    pub bidder: Pubkey,
    pub price: u64,
}

pub fn show(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let entry = next_account_info(iter)?;
    if entry.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    if entry.data_len() == 48 {
        let offer = Offer::try_from_slice(&entry.data.borrow())?;
        msg!("{}", offer.price);
    } else if entry.data_len() == 40 {
        let bid = Bid::try_from_slice(&entry.data.borrow())?;
        msg!("{}", bid.price);
    }
    Ok(())
}
`,
    ],
  },
}

/** `if data.len() == Account::LEN { … } else if data.len() == Mint::LEN { … }`. */
const toldBySize = (event: CallEvent): boolean =>
  [...event.facts].some(
    (fact) =>
      fact.kind === "binary" &&
      fact.operator === "==" &&
      [fact.left, fact.right].some((one) => one.kind === "call" && one.name === "len"),
  )
