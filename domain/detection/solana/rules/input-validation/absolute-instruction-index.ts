import { mentions, type Term } from "../../../rust/terms/terms.ts"
import type { Rule } from "../../../Rule.ts"
import type { CallEvent } from "../../../rust/terms/events.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import { looksIn, weighedParts } from "../../questions/introspection.ts"
import type { Instruction, SolanaProgram } from "../../program/model.ts"

export const absoluteInstructionIndex: Rule<SolanaProgram> = {
  meta: {
    id: "solana/input-validation/absolute-instruction-index",
    class: "instruction-introspection",
    title: "Instruction introspection uses an absolute index",
    severity: "high",
    confidence: "medium",
    cwe: [841, 345],
    description:
      "The program verifies that something happened in the same transaction, such as a signature check or a " +
      "repayment, by reading the instruction at a fixed or caller-chosen index, and does not check which " +
      "program that instruction is for. An attacker places one suitable instruction there and refers to it from " +
      "several calls, or places a look-alike from a program of their own.",
    remediation:
      "Use `get_instruction_relative` (or `load_current_index_checked`) to look relative to the current " +
      "instruction, compare the `program_id`, data and accounts of the instruction found, and let each call " +
      "refer to its own.",
    references: [
      "https://solana.com/docs/programs/limitations",
      "https://docs.rs/solana-program/latest/solana_program/sysvar/instructions/index.html",
    ],
  },
  check: (program, report) => {
    for (const { instructions } of program.crates)
      for (const instruction of instructions)
        for (const { event, index, program: called } of looksIn(instruction)) {
          if (index === undefined || event.name === "get_instruction_relative" || isRelative(index)) continue
          // A loop over all instructions examines each of them.
          if (
            index.kind !== "literal" &&
            index.kind !== "constant" &&
            !mentions(index, (one) => instruction.arguments.some(({ term }) => term === one))
          )
            continue
          if (weighedParts(instruction).has(called) || isOnlyAskedFor(instruction, event)) continue
          report({
            ...placeOf(event),
            message:
              "The index is not relative to the current instruction, and the program of the instruction found is not checked.",
          })
        }
  },
  examples: {
    vulnerable: [
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::sysvar::instructions::{load_instruction_at_checked, ID as INSTRUCTIONS};

#[program]
pub mod mint {
    use super::*;

    pub fn mint(ctx: Context<MintOne>) -> Result<()> {
        let paid = load_instruction_at_checked(0, &ctx.accounts.instructions)?; // FINDING
        require!(paid.data.len() == 12, ErrorCode::ConstraintRaw);
        ctx.accounts.counter.minted += 1;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct MintOne<'info> {
    #[account(mut)]
    pub counter: Account<'info, Counter>,
    /// CHECK: the sysvar
    #[account(address = INSTRUCTIONS)]
    pub instructions: UncheckedAccount<'info>,
}

#[account]
pub struct Counter {
    pub minted: u64,
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::sysvar::instructions::load_instruction_at_checked;
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};

pub fn claim(_program_id: &Pubkey, accounts: &[AccountInfo], index: u16) -> ProgramResult {
    let iter = &mut accounts.iter();
    let sysvar = next_account_info(iter)?;
    let record = next_account_info(iter)?;
    let proof = load_instruction_at_checked(index as usize, sysvar)?; // FINDING
    if proof.data.first() != Some(&1) {
        return Err(ProgramError::InvalidInstructionData);
    }
    record.try_borrow_mut_data()?[0] = 1;
    Ok(())
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::sysvar::instructions::load_instruction_at_checked;
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};

pub fn claim(_program_id: &Pubkey, accounts: &[AccountInfo], index: u16) -> ProgramResult {
    let iter = &mut accounts.iter();
    let sysvar = next_account_info(iter)?;
    let record = next_account_info(iter)?;
    let proof = load_instruction_at_checked(usize::from(index.saturating_sub(1)), sysvar)?; // FINDING
    if proof.data.first() != Some(&1) {
        return Err(ProgramError::InvalidInstructionData);
    }
    record.try_borrow_mut_data()?[0] = 1;
    Ok(())
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::sysvar::instructions::load_instruction_at_checked;
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};

pub fn settle(_program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let sysvar = next_account_info(iter)?;
    let record = next_account_info(iter)?;
    if let Ok(payment) = load_instruction_at_checked(0, sysvar) { // FINDING
        if payment.data.len() == 12 {
            record.try_borrow_mut_data()?[0] = 1;
        }
    }
    Ok(())
}
`,
    ],
    safe: [
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::sysvar::instructions::{get_instruction_relative, ID as INSTRUCTIONS};

#[program]
pub mod mint {
    use super::*;

    pub fn mint(ctx: Context<MintOne>) -> Result<()> {
        let paid = get_instruction_relative(-1, &ctx.accounts.instructions)?;
        require_keys_eq!(paid.program_id, spl_token::ID);
        ctx.accounts.counter.minted += 1;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct MintOne<'info> {
    #[account(mut)]
    pub counter: Account<'info, Counter>,
    /// CHECK: the sysvar
    #[account(address = INSTRUCTIONS)]
    pub instructions: UncheckedAccount<'info>,
}

#[account]
pub struct Counter {
    pub minted: u64,
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::instruction::Instruction;
use solana_program::sysvar::instructions::{load_current_index_checked, load_instruction_at_checked};
use solana_program::{ed25519_program, entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};

fn check_program(found: &Instruction) -> ProgramResult {
    if found.program_id != ed25519_program::ID {
        return Err(ProgramError::IncorrectProgramId);
    }
    Ok(())
}

pub fn claim(_program_id: &Pubkey, accounts: &[AccountInfo], index: u16) -> ProgramResult {
    let iter = &mut accounts.iter();
    let sysvar = next_account_info(iter)?;
    let record = next_account_info(iter)?;
    let before = load_current_index_checked(sysvar)? as usize - 1;
    let previous = load_instruction_at_checked(before, sysvar)?;
    if previous.data.is_empty() {
        return Err(ProgramError::InvalidInstructionData);
    }
    let proof = load_instruction_at_checked(index as usize, sysvar)?;
    check_program(&proof)?;
    record.try_borrow_mut_data()?[0] = 1;
    Ok(())
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::sysvar::instructions::{
    get_instruction_relative, load_current_index_checked, load_instruction_at_checked,
};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};

pub fn claim(_program_id: &Pubkey, accounts: &[AccountInfo], back: u16) -> ProgramResult {
    let iter = &mut accounts.iter();
    let sysvar = next_account_info(iter)?;
    let record = next_account_info(iter)?;
    let current = load_current_index_checked(sysvar)?;
    let proof = load_instruction_at_checked(usize::from(current - back), sysvar)?;
    let next = get_instruction_relative(1, sysvar)?;
    if proof.data.first() != Some(&1) || !next.accounts.is_empty() {
        return Err(ProgramError::InvalidInstructionData);
    }
    record.try_borrow_mut_data()?[0] = 1;
    Ok(())
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::sysvar::instructions::{load_current_index_checked, load_instruction_at_checked};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};

pub fn settle(_program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let sysvar = next_account_info(iter)?;
    let record = next_account_info(iter)?;
    let alone = load_current_index_checked(sysvar)? == 0 && load_instruction_at_checked(1, sysvar).is_err();
    if !alone {
        return Err(ProgramError::InvalidInstructionData);
    }
    record.try_borrow_mut_data()?[0] = 1;
    Ok(())
}
`,
    ],
  },
}

const isRelative = (index: Term): boolean =>
  mentions(index, (one) => one.kind === "call" && /^load_current_index(_checked)?$|^get_stack_height$/.test(one.name))

/** Whether the program asks no more than whether there is such an instruction: `load_instruction_at(1, …).is_err()`. */
const isOnlyAskedFor = (instruction: Instruction, { result: { term }, examined }: CallEvent): boolean =>
  examined === true &&
  ![...weighedParts(instruction)].some(
    (one) => ("base" in one && one.base === term) || (one.kind === "call" && one.args.includes(term)),
  )
