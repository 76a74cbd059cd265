import { isApproved, isProven, isVotedFor } from "../../../../../../domain/detection/solana/authority/approval.ts"
import { solanaTable } from "../../../../../support/solanaTable.ts"

/** What of the caller's somebody has agreed to before. */
export const approvals = solanaTable(
  "approvals",
  {
    approved: (instruction, [term]) => isApproved(instruction, term!),
    proven: (instruction, [term]) => isProven(instruction, term!),
    voted: (instruction) => isVotedFor(instruction),
  },
  [
    `use anchor_lang::prelude::*;

#[program]
pub mod orders {
    use super::*;

    pub fn placed(ctx: Context<Placed>, number: u64, other: u64) -> Result<()> {
        ask::approved(number, "true");
        ask::approved(other, "false");
        ask::approved(ctx.accounts.pool.total, "false");
        ask::voted("false");
        Ok(())
    }

    pub fn loaded(ctx: Context<Loaded>, number: u64) -> Result<()> {
        ask::approved(number, "true");
        Ok(())
    }

    // The caller makes the record, so nobody has agreed to it.
    pub fn place(ctx: Context<Place>, number: u64) -> Result<()> {
        ask::approved(number, "false");
        Ok(())
    }

    pub fn ensure(ctx: Context<Ensure>, number: u64) -> Result<()> {
        ask::approved(number, "false");
        Ok(())
    }

    pub fn fill(ctx: Context<Fill>, number: u64) -> Result<()> {
        ask::approved(number, "false");
        Ok(())
    }

    // It may hold nothing.
    pub fn address_only(ctx: Context<AddressOnly>, number: u64) -> Result<()> {
        ask::approved(number, "false");
        Ok(())
    }

    // The record is not the caller's choice.
    pub fn by_state(ctx: Context<ByState>, number: u64) -> Result<()> {
        ask::approved(ctx.accounts.pool.total, "false");
        Ok(())
    }

    pub fn leaf(ctx: Context<Keep>, amount: u64, proof: Vec<[u8; 32]>) -> Result<()> {
        require!(merkle::verify(&proof, ctx.accounts.pool.root, keccak::hash(&amount.to_le_bytes())), Denied::Unknown);
        ask::proven(amount, "true");
        ask::approved(amount, "true");
        Ok(())
    }

    pub fn preimage(ctx: Context<Keep>, secret: u64, other: u64) -> Result<()> {
        require!(keccak::hash(&secret.to_le_bytes()) == ctx.accounts.pool.root, Denied::Unknown);
        ask::proven(secret, "true");
        ask::proven(other, "false");
        Ok(())
    }

    pub fn preimage_above(ctx: Context<Keep>, secret: u64) -> Result<()> {
        require!(keccak::hash(&secret.to_le_bytes()) > ctx.accounts.pool.root, Denied::Unknown);
        ask::proven(secret, "false");
        Ok(())
    }

    pub fn preimage_not(ctx: Context<Keep>, secret: u64) -> Result<()> {
        require!(keccak::hash(&secret.to_le_bytes()) != ctx.accounts.pool.root, Denied::Unknown);
        ask::proven(secret, "false");
        Ok(())
    }

    pub fn unhashed(ctx: Context<Keep>, secret: u64) -> Result<()> {
        require!(mixed(&secret.to_le_bytes()) == ctx.accounts.pool.root, Denied::Unknown);
        ask::proven(secret, "false");
        Ok(())
    }

    pub fn own_root(ctx: Context<Keep>, secret: u64, root: [u8; 32]) -> Result<()> {
        require!(keccak::hash(&secret.to_le_bytes()) == root, Denied::Unknown);
        ask::proven(secret, "false");
        Ok(())
    }

    pub fn compared(ctx: Context<Keep>, secret: u64) -> Result<()> {
        require!(merkle::contains(keccak::hash(&secret.to_le_bytes()), ctx.accounts.pool.root), Denied::Unknown);
        ask::proven(secret, "false");
        Ok(())
    }

    pub fn agreed(ctx: Context<Keep>) -> Result<()> {
        for one in ctx.remaining_accounts.iter() {
            require!(one.is_signer, Denied::Unknown);
            require!(ctx.accounts.pool.members.contains(one.key), Denied::Unknown);
        }
        ask::voted("true");
        Ok(())
    }

    pub fn signed_only(ctx: Context<Keep>) -> Result<()> {
        for one in ctx.remaining_accounts.iter() {
            require!(one.is_signer, Denied::Unknown);
        }
        require!(ctx.accounts.pool.total > 3, Denied::Unknown);
        ask::voted("false");
        Ok(())
    }

    pub fn listed_only(ctx: Context<Keep>) -> Result<()> {
        for one in ctx.remaining_accounts.iter() {
            require!(one.is_writable, Denied::Unknown);
            require!(ctx.accounts.pool.members.contains(one.key), Denied::Unknown);
        }
        ask::voted("false");
        Ok(())
    }

    pub fn signed_and_counted(ctx: Context<Keep>, boss: Pubkey) -> Result<()> {
        for one in ctx.remaining_accounts.iter() {
            require!(one.is_signer, Denied::Unknown);
            require!(*one.key == boss, Denied::Unknown);
        }
        ask::voted("false");
        Ok(())
    }
}

#[derive(Accounts)]
#[instruction(number: u64)]
pub struct Placed<'info> {
    pub pool: Account<'info, Pool>,
    #[account(mut, seeds = [b"order", number.to_le_bytes().as_ref()], bump)]
    pub order: Account<'info, Order>,
}

#[derive(Accounts)]
#[instruction(number: u64)]
pub struct Loaded<'info> {
    #[account(mut, seeds = [b"order", number.to_le_bytes().as_ref()], bump)]
    pub order: AccountLoader<'info, Order>,
}

#[derive(Accounts)]
#[instruction(number: u64)]
pub struct Place<'info> {
    #[account(init, payer = payer, space = 80, seeds = [b"order", number.to_le_bytes().as_ref()], bump)]
    pub order: Account<'info, Order>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
#[instruction(number: u64)]
pub struct Ensure<'info> {
    #[account(init_if_needed, payer = payer, space = 80, seeds = [b"order", number.to_le_bytes().as_ref()], bump)]
    pub order: Account<'info, Order>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
#[instruction(number: u64)]
pub struct Fill<'info> {
    #[account(zero, seeds = [b"order", number.to_le_bytes().as_ref()], bump)]
    pub order: AccountLoader<'info, Order>,
}

#[derive(Accounts)]
#[instruction(number: u64)]
pub struct AddressOnly<'info> {
    /// CHECK: nobody looks
    #[account(mut, seeds = [b"order", number.to_le_bytes().as_ref()], bump)]
    pub order: UncheckedAccount<'info>,
}

#[derive(Accounts)]
#[instruction(number: u64)]
pub struct ByState<'info> {
    pub pool: Account<'info, Pool>,
    #[account(mut, seeds = [b"order", pool.total.to_le_bytes().as_ref()], bump)]
    pub order: Account<'info, Order>,
}

#[derive(Accounts)]
pub struct Keep<'info> {
    pub pool: Account<'info, Pool>,
}

#[account]
pub struct Pool {
    pub root: [u8; 32],
    pub members: Vec<Pubkey>,
    pub total: u64,
}

#[account]
pub struct Order {
    pub price: u64,
}

#[error_code]
pub enum Denied { Unknown }
`,
    `use solana_program::{account_info::{next_account_info, AccountInfo}, entrypoint, entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

entrypoint!(process_instruction);

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Order { pub price: u64 }

pub fn process_instruction(program_id: &Pubkey, accounts: &[AccountInfo], data: &[u8]) -> ProgramResult {
    let number = u64::from_le_bytes(data[1..9].try_into().unwrap());
    match data[0] {
        0 => placed(program_id, accounts, number),
        1 => address_only(program_id, accounts, number),
        _ => Err(ProgramError::InvalidInstructionData),
    }
}

fn placed(program_id: &Pubkey, accounts: &[AccountInfo], number: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let order = next_account_info(iter)?;
    let (expected, _) = Pubkey::find_program_address(&[b"order", &number.to_le_bytes()], program_id);
    if *order.key != expected { return Err(ProgramError::InvalidSeeds); }
    let record = Order::try_from_slice(&order.data.borrow())?;
    ask::approved(number, "true");
    Ok(())
}

fn address_only(program_id: &Pubkey, accounts: &[AccountInfo], number: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let order = next_account_info(iter)?;
    let (expected, _) = Pubkey::find_program_address(&[b"order", &number.to_le_bytes()], program_id);
    if *order.key != expected { return Err(ProgramError::InvalidSeeds); }
    ask::approved(number, "false");
    Ok(())
}
`,
  ],
)
