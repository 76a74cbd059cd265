import { mentions } from "../../../rust/terms/terms.ts"
import type { Rule } from "../../../Rule.ts"
import { isSysvarType, readType, reached } from "../../questions/identity.ts"
import type { SolanaProgram } from "../../program/model.ts"
import { checksOf } from "../../questions/checks.ts"
import { type Event, guaranteed, ofKind, callsNamed } from "../../../rust/terms/events.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import { checksAround, cpisOf, usesOf } from "../../questions/questions.ts"
import { accountOfState } from "../../program/semantics.ts"
import type { AccountCheck } from "../../program/model.ts"

export const sysvarUnchecked: Rule<SolanaProgram> = {
  meta: {
    id: "solana/account-validation/sysvar-unchecked",
    class: "sysvar-unchecked",
    title: "Unchecked sysvar address",
    severity: "high",
    confidence: "medium",
    cwe: [345, 20],
    description:
      "The instruction reads a sysvar (clock, rent, instructions, slot hashes) from a caller-supplied account " +
      "without comparing its address. An attacker passes an account of their own with forged contents: a clock " +
      "that is years ahead, a rent of zero, or a list of instructions with a signature check that never ran.",
    remediation:
      "Call `Clock::get()`, `Rent::get()` and the like, which do not need an account. If an account is needed, " +
      "declare it as `Sysvar<'info, T>`, compare its key with the sysvar's `ID`, and use " +
      "`load_instruction_at_checked` or `get_instruction_relative` for the instructions sysvar.",
    references: [
      "https://github.com/coral-xyz/sealevel-attacks/tree/master/programs/10-sysvar-address-checking",
      "https://docs.rs/solana-program/latest/solana_program/sysvar/index.html",
    ],
  },
  check: (program, report) => {
    for (const { instructions } of program.crates)
      for (const instruction of instructions) {
        const cpis = cpisOf(instruction)
        for (const event of callsNamed(instruction.events, /^load_(instruction_at|current_index)$/)) {
          for (const { term } of event.args) {
            const account = accountOfState(term)
            if (account === undefined || isVerified(checksOf(account, guaranteed(event)))) continue
            report({
              ...placeOf(event),
              message: "The instructions sysvar is read from an account whose address is never checked.",
              trace: reached(event, ...instruction.accounts.filter((one) => one.term === account)),
            })
          }
        }
        for (const account of instruction.accounts) {
          // A use may be behind a check that paths without it do without.
          const isOpen = (event: Event): boolean => !isVerified(checksAround(event, account))
          const read = usesOf(instruction, account).find(
            ({ event }) =>
              isSysvarType(readType(event)) &&
              !(event.kind === "call" && event.name.startsWith("from_account_")) &&
              isOpen(event),
          )
          if (read !== undefined) {
            report({
              ...placeOf(read.event),
              message: `The address of \`${account.name}\` is never compared with the sysvar's.`,
              trace: reached(read.event, account),
            })
            continue
          }
          if (instruction.kind !== "anchor" || !named.test(account.name.split(".").at(-1)!)) continue
          const mentioned = (term: Parameters<typeof mentions>[0]): boolean =>
            mentions(term, (one) => one === account.term)
          if (cpis.some(({ accounts }) => accounts.some(({ term }) => mentioned(term)))) continue
          if (
            ofKind(instruction.events, "call").some(
              (event) => event.args.some(({ term }) => mentioned(term)) && isOpen(event),
            )
          )
            report({
              ...account.place,
              scope: instruction.handler.qualifiedName,
              message: `\`${account.name}\` is used in \`${instruction.name}\` but may be any account.`,
            })
        }
      }
  },
  examples: {
    vulnerable: [
      `use anchor_lang::prelude::*;

#[program]
pub mod draws {
    use super::*;

    pub fn draw(ctx: Context<Draw>, early: bool) -> Result<()> {
        let hashes = &ctx.accounts.slot_hashes;
        if early {
            msg!("too early");
            return Ok(());
        }
        if !early && hashes.key() == sysvar::slot_hashes::ID {
            msg!("as it should be");
        }
        let data = hashes.data.borrow();
        let seed = u64::from_le_bytes(data[12..20].try_into().unwrap());
        ctx.accounts.round.seed = seed;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Draw<'info> {
    #[account(mut)]
    pub round: Account<'info, Round>,
    /// CHECK: compared in the instruction
    pub slot_hashes: UncheckedAccount<'info>, // FINDING
}

#[account]
pub struct Round {
    pub seed: u64,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod lockup {
    use super::*;

    pub fn unlock(ctx: Context<Unlock>) -> Result<()> {
        let time = &ctx.accounts.time.data.borrow();
        let now = bincode::deserialize::<Clock>(&time).map_err(|_| ErrorCode::AccountDidNotDeserialize)?; // FINDING
        require!(now.unix_timestamp >= ctx.accounts.lock.until, ErrorCode::ConstraintRaw);
        ctx.accounts.lock.open = true;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Unlock<'info> {
    #[account(mut)]
    pub lock: Account<'info, Lock>,
    /// CHECK: clock
    pub time: UncheckedAccount<'info>,
}

#[account]
pub struct Lock {
    pub until: i64,
    pub open: bool,
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::sysvar::instructions::load_instruction_at;
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};

pub fn complete(_program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let sysvar = next_account_info(iter)?;
    let state = next_account_info(iter)?;
    let previous = load_instruction_at(0, &sysvar.try_borrow_data()?)?; // FINDING
    if previous.program_id != solana_program::secp256k1_program::ID {
        return Err(ProgramError::InvalidArgument);
    }
    state.try_borrow_mut_data()?[0] = 1;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod show {
    use super::*;

    pub fn show(ctx: Context<Show>) -> Result<()> {
        msg!("{}", ctx.accounts.rent.key());
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Show<'info> {
    pub rent: AccountInfo<'info>, // FINDING
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod show {
    use super::*;

    pub fn show(ctx: Context<Show>) -> Result<()> {
        msg!("{} {}", ctx.accounts.clock_sysvar_account.key(), ctx.accounts.author.key());
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Show<'info> {
    pub clock_sysvar_account: AccountInfo<'info>, // FINDING
    pub author: AccountInfo<'info>,
}
`,
    ],
    safe: [
      // Paths that do not use it need not compare it.
      `use anchor_lang::prelude::*;

#[program]
pub mod draws {
    use super::*;

    pub fn draw(ctx: Context<Draw>, early: bool) -> Result<()> {
        let hashes = &ctx.accounts.slot_hashes;
        if early {
            msg!("too early");
            return Ok(());
        }
        if hashes.key() != sysvar::slot_hashes::ID {
            return err!(ErrorCode::ConstraintAddress);
        }
        let data = hashes.data.borrow();
        let seed = u64::from_le_bytes(data[12..20].try_into().unwrap());
        ctx.accounts.round.seed = seed;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Draw<'info> {
    #[account(mut)]
    pub round: Account<'info, Round>,
    /// CHECK: compared in the instruction
    pub slot_hashes: UncheckedAccount<'info>,
}

#[account]
pub struct Round {
    pub seed: u64,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod lockup {
    use super::*;

    pub fn unlock(ctx: Context<Unlock>) -> Result<()> {
        let now = Clock::from_account_info(&ctx.accounts.clock)?;
        require!(now.unix_timestamp >= ctx.accounts.lock.until, ErrorCode::ConstraintRaw);
        ctx.accounts.lock.open = true;
        Ok(())
    }

    pub fn unlock_now(ctx: Context<UnlockNow>) -> Result<()> {
        require!(Clock::get()?.unix_timestamp >= ctx.accounts.lock.until, ErrorCode::ConstraintRaw);
        ctx.accounts.lock.open = true;
        msg!("{}", ctx.accounts.clock.key());
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Unlock<'info> {
    #[account(mut)]
    pub lock: Account<'info, Lock>,
    /// CHECK: from_account_info compares the address
    pub clock: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct UnlockNow<'info> {
    #[account(mut)]
    pub lock: Account<'info, Lock>,
    pub clock: Sysvar<'info, Clock>,
}

#[account]
pub struct Lock {
    pub until: i64,
    pub open: bool,
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::sysvar::instructions::{self, load_instruction_at};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};

fn check_sysvar(info: &AccountInfo) -> ProgramResult {
    if *info.key != instructions::ID {
        return Err(ProgramError::InvalidArgument);
    }
    Ok(())
}

pub fn complete(_program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let sysvar = next_account_info(iter)?;
    let state = next_account_info(iter)?;
    check_sysvar(sysvar)?;
    let previous = load_instruction_at(0, &sysvar.try_borrow_data()?)?;
    if previous.program_id != solana_program::secp256k1_program::ID {
        return Err(ProgramError::InvalidArgument);
    }
    state.try_borrow_mut_data()?[0] = 1;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod lockup {
    use super::*;

    // Clients of the first version still pass the clock.
    pub fn unlock(ctx: Context<Unlock>) -> Result<()> {
        require!(Clock::get()?.unix_timestamp >= ctx.accounts.lock.until, ErrorCode::ConstraintRaw);
        ctx.accounts.lock.open = true;
        Ok(())
    }

    pub fn unlock_checked(ctx: Context<Unlock>) -> Result<()> {
        sysvars::assert_clock(&ctx.accounts.clock)?;
        let bytes = ctx.accounts.clock.data.borrow();
        let now = bincode::deserialize::<Clock>(&bytes).map_err(|_| ErrorCode::AccountDidNotDeserialize)?;
        require!(now.unix_timestamp >= ctx.accounts.lock.until, ErrorCode::ConstraintRaw);
        Ok(())
    }

    // A round of the game, whose clock is a record of this program.
    pub fn unlock_round(ctx: Context<UnlockRound>) -> Result<()> {
        msg!("{}", ctx.accounts.clock.key());
        ctx.accounts.lock.open = ctx.accounts.clock.round > 9;
        Ok(())
    }

    pub fn open_mint(ctx: Context<OpenMint>) -> Result<()> {
        let accounts = legacy_token::cpi::accounts::InitializeMint {
            mint: ctx.accounts.mint.to_account_info(),
            rent: ctx.accounts.rent.to_account_info(),
        };
        let context = CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts);
        legacy_token::cpi::initialize_mint(context, 6)
    }
}

#[derive(Accounts)]
pub struct Unlock<'info> {
    #[account(mut)]
    pub lock: Account<'info, Lock>,
    /// CHECK: not used
    pub clock: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct UnlockRound<'info> {
    #[account(mut)]
    pub lock: Account<'info, Lock>,
    pub clock: Account<'info, GameClock>,
}

#[derive(Accounts)]
pub struct OpenMint<'info> {
    /// CHECK: the token program's
    #[account(mut)]
    pub mint: UncheckedAccount<'info>,
    /// CHECK: the token program compares it
    pub rent: UncheckedAccount<'info>,
    pub token_program: Program<'info, LegacyToken>,
}

#[account]
pub struct Lock {
    pub until: i64,
    pub open: bool,
}

#[account]
pub struct GameClock {
    pub round: u64,
}
`,
    ],
  },
}

/** The kind, and what else an account's name may contain. */
const named =
  /^(sysvar_)?(rent|clock|epoch_schedule|epoch_rewards|last_restart_slot|recent_blockhashes|slot_hashes|slot_history|stake_history|instructions_sysvar|instruction_sysvar|sysvar_instructions)(_(sysvar|info|account|program)){0,2}$/

const isVerified = (checks: ReadonlyArray<AccountCheck>): boolean =>
  checks.some(({ kind }) => kind === "sysvar" || kind === "key" || kind === "type" || kind === "call")
