import type { Rule } from "../../../Rule.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import { isConstant } from "../../questions/quantities.ts"
import type { SolanaProgram } from "../../program/model.ts"
import { wrapperOf } from "../../program/accountTypes.ts"
import { callsNamed } from "../../../rust/terms/events.ts"

export const reallocWithoutZeroing: Rule<SolanaProgram> = {
  meta: {
    id: "solana/storage/realloc-without-zeroing",
    class: "realloc-zero",
    title: "Account reallocation without zeroing new bytes",
    severity: "low",
    confidence: "low",
    cwe: [665, 226],
    description:
      "The account is resized without requesting zeroed memory. Within one transaction, an account can be " +
      "shrunk and grown again: the regained bytes still contain their previous values, so removed list entries, " +
      "authorities or balances reappear.",
    remediation:
      "Pass `true` (`realloc::zero = true`) wherever the account may have been shrunk in the same transaction, or overwrite the new bytes.",
    references: [
      "https://docs.rs/solana-program/latest/solana_program/account_info/struct.AccountInfo.html#method.realloc",
      "https://www.anchor-lang.com/docs/references/account-constraints",
    ],
  },
  check: (program, report) => {
    for (const { instructions } of program.crates)
      for (const instruction of instructions) {
        for (const { constraints, place } of instruction.accounts) {
          const zero = constraints?.realloc?.zero
          if (zero?.kind === "literal" && zero.value === "false")
            report({ ...place, scope: instruction.handler.qualifiedName })
        }
        for (const event of callsNamed(instruction.events, /^realloc$/)) {
          const [account, size, zero] = event.args
          if (account === undefined || size === undefined || wrapperOf(account.type) === undefined) continue
          if (zero?.term.kind !== "literal" || zero.term.value !== "false") continue
          // To a fixed size: a migration, or no change at all.
          if (isConstant(size.term)) continue
          report(placeOf(event))
        }
      }
  },
  examples: {
    vulnerable: [
      `use anchor_lang::prelude::*;

#[program]
pub mod lists {
    use super::*;
    pub fn resize(ctx: Context<Resize>, size: u16) -> Result<()> { Ok(()) }
}

#[derive(Accounts)]
#[instruction(size: u16)]
pub struct Resize<'info> {
    #[account(mut, realloc = size as usize, realloc::payer = payer, realloc::zero = false)]
    pub list: Account<'info, List>, // FINDING
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct List { pub items: Vec<u64> }
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, pubkey::Pubkey};

pub fn resize(program_id: &Pubkey, accounts: &[AccountInfo], size: u64) -> ProgramResult {
    let list = next_account_info(&mut accounts.iter())?;
    grow(list, size as usize)
}

fn grow(info: &AccountInfo, size: usize) -> ProgramResult {
    info.realloc(size, false) // FINDING
}
`,
    ],
    safe: [
      `use anchor_lang::prelude::*;

#[program]
pub mod lists {
    use super::*;
    pub fn resize(ctx: Context<Resize>, size: u16) -> Result<()> { Ok(()) }
}

#[derive(Accounts)]
#[instruction(size: u16)]
pub struct Resize<'info> {
    #[account(mut, realloc = size as usize, realloc::payer = payer, realloc::zero = true)]
    pub list: Account<'info, List>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct List { pub items: Vec<u64> }
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, pubkey::Pubkey};

pub fn close(program_id: &Pubkey, accounts: &[AccountInfo], size: u64) -> ProgramResult {
    let list = next_account_info(&mut accounts.iter())?;
    list.realloc(size as usize, true)?;
    list.realloc(0, false)
}
`,
      `use history::Historical;
use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, pubkey::Pubkey};

pub const LENGTH: usize = 256;

pub fn migrate(program_id: &Pubkey, accounts: &[AccountInfo], size: u64) -> ProgramResult {
    let list = next_account_info(&mut accounts.iter())?;
    list.realloc(LENGTH, false)?;
    list.record_size(size, false)
}
`,
    ],
  },
}
