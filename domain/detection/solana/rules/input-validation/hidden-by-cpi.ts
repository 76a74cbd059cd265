import type { Rule } from "../../../Rule.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import { reachesCaller } from "../../payments/gains.ts"
import { asksForCaller, isComparedWithOwnProgram, looksIn } from "../../questions/introspection.ts"
import type { Instruction, SolanaProgram } from "../../program/model.ts"

/** Whether an account is created at a derived address, or closed, which succeeds once. */
const isOnce = ({ accounts }: Instruction): boolean =>
  accounts.some(
    ({ constraints }) =>
      (constraints?.init === true && constraints.seeds !== undefined) || constraints?.close !== undefined,
  )

export const hiddenByCpi: Rule<SolanaProgram> = {
  meta: {
    id: "solana/input-validation/hidden-by-cpi",
    class: "instruction-introspection",
    title: "Instruction introspection misses calls made through CPI",
    severity: "medium",
    confidence: "medium",
    cwe: [841, 693],
    description:
      "The program searches the instructions of the transaction for its own, to allow one use per transaction " +
      "or to find the matching half of a pair. The list contains only top-level instructions, not CPIs: an " +
      "attacker's program invokes this one as often as it likes, and the check sees only the attacker's single " +
      "instruction.",
    remediation:
      "Reject calls from other programs where the check matters: compare the program of the current instruction " +
      "(`load_current_index_checked`) with the program's own id, or require `get_stack_height() == " +
      "TRANSACTION_LEVEL_STACK_HEIGHT`. Otherwise, record in an account what must happen only once.",
    references: [
      "https://docs.rs/solana-program/latest/solana_program/sysvar/instructions/index.html",
      "https://docs.rs/solana-program/latest/solana_program/instruction/fn.get_stack_height.html",
    ],
  },
  check: (program, report) => {
    for (const { instructions } of program.crates)
      for (const instruction of instructions) {
        const look = looksIn(instruction).find((one) => isComparedWithOwnProgram(instruction, one))
        if (look === undefined || asksForCaller(instruction)) continue
        report({
          ...placeOf(look.event),
          // Nothing is gained by going unseen, or nothing happens twice.
          ...(reachesCaller(instruction) && !isOnce(instruction) ? {} : { severity: "low" as const }),
          message: `\`${instruction.name}\` inspects instructions of its own program but does not check whether another program calls it.`,
        })
      }
  },
  examples: {
    vulnerable: [
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::sysvar::instructions::{
    load_current_index_checked, load_instruction_at_checked, ID as INSTRUCTIONS,
};

#[program]
pub mod raffle {
    use super::*;

    pub fn draw(ctx: Context<Draw>) -> Result<()> {
        let sysvar = &ctx.accounts.instructions;
        let own = load_current_index_checked(sysvar)?;
        for index in 0..own {
            let earlier = load_instruction_at_checked(index as usize, sysvar)?; // FINDING
            require!(earlier.program_id != crate::ID, ErrorCode::ConstraintRaw);
        }
        ctx.accounts.pot.draws += 1;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Draw<'info> {
    #[account(mut)]
    pub pot: Account<'info, Pot>,
    /// CHECK: the sysvar
    #[account(address = INSTRUCTIONS)]
    pub instructions: UncheckedAccount<'info>,
}

#[account]
pub struct Pot {
    pub draws: u64,
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::sysvar::instructions::get_instruction_relative;
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};

pub fn lend(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let sysvar = next_account_info(iter)?;
    let pool = next_account_info(iter)?;
    let borrower = next_account_info(iter)?;
    let next = get_instruction_relative(1, sysvar)?; // FINDING
    if next.program_id != *program_id || next.data.first() != Some(&7) {
        return Err(ProgramError::InvalidInstructionData);
    }
    **pool.try_borrow_mut_lamports()? -= amount;
    **borrower.try_borrow_mut_lamports()? += amount;
    Ok(())
}
`,
    ],
    safe: [
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::instruction::{get_stack_height, TRANSACTION_LEVEL_STACK_HEIGHT};
use anchor_lang::solana_program::sysvar::instructions::{
    load_current_index_checked, load_instruction_at_checked, ID as INSTRUCTIONS,
};

#[program]
pub mod raffle {
    use super::*;

    pub fn draw(ctx: Context<Draw>) -> Result<()> {
        require!(get_stack_height() == TRANSACTION_LEVEL_STACK_HEIGHT, ErrorCode::ConstraintRaw);
        let sysvar = &ctx.accounts.instructions;
        let own = load_current_index_checked(sysvar)?;
        for index in 0..own {
            let earlier = load_instruction_at_checked(index as usize, sysvar)?;
            require!(earlier.program_id != crate::ID, ErrorCode::ConstraintRaw);
        }
        ctx.accounts.pot.draws += 1;
        Ok(())
    }

    pub fn pick(ctx: Context<Draw>) -> Result<()> {
        let sysvar = &ctx.accounts.instructions;
        let own = load_current_index_checked(sysvar)?;
        let called = load_instruction_at_checked(own.into(), sysvar)?;
        require_keys_eq!(called.program_id, crate::ID);
        for index in 0..own {
            let earlier = load_instruction_at_checked(index as usize, sysvar)?;
            require!(earlier.program_id != crate::ID, ErrorCode::ConstraintRaw);
        }
        ctx.accounts.pot.draws += 1;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Draw<'info> {
    #[account(mut)]
    pub pot: Account<'info, Pot>,
    /// CHECK: the sysvar
    #[account(address = INSTRUCTIONS)]
    pub instructions: UncheckedAccount<'info>,
}

#[account]
pub struct Pot {
    pub draws: u64,
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::sysvar::instructions::get_instruction_relative;
use solana_program::{ed25519_program, entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};

pub fn prove(_program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let sysvar = next_account_info(iter)?;
    let record = next_account_info(iter)?;
    let before = get_instruction_relative(-1, sysvar)?;
    if before.program_id != ed25519_program::ID {
        return Err(ProgramError::InvalidInstructionData);
    }
    record.try_borrow_mut_data()?[0] = 1;
    Ok(())
}
`,
    ],
  },
}
