import { foreignRecords } from "../../records/belongings.ts"
import { strangersIn } from "../../siblings/companions.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import { reached } from "../../questions/identity.ts"
import { isAboutAnyone, looksIn } from "../../questions/introspection.ts"
import type { Account, Instruction, SolanaProgram } from "../../program/model.ts"
import { usesOf } from "../../questions/questions.ts"
import { isGlobal } from "../../questions/singleton.ts"
import type { Rule } from "../../../Rule.ts"
import type { Term } from "../../../rust/terms/terms.ts"

export const mixedRecords: Rule<SolanaProgram> = {
  meta: {
    id: "solana/account-validation/mixed-records",
    class: "account-data-matching",
    title: "Records not checked to belong to the same pool or owner",
    severity: "medium",
    confidence: "medium",
    cwe: [639, 345],
    description:
      "The instruction uses two records of the program together without checking that they belong together. For " +
      "example, both store a pool and the two values are never compared; the caller selects one by an id that " +
      "the other stores; one is changed because the signer stored in the other signs; or another instruction of " +
      "the transaction is accepted as its counterpart regardless of its accounts. An attacker combines records " +
      "of different pools or owners, so that what happened in one counts in the other.",
    remediation:
      "Compare the values that both store (`constraint = position.pool == incentive.pool`), read the id from " +
      "the record instead of taking it as an argument, or link the records with `has_one` or seeds.",
    references: [
      "https://www.anchor-lang.com/docs/references/account-constraints",
      "https://github.com/coral-xyz/sealevel-attacks/tree/master/programs/1-account-data-matching",
    ],
  },
  check: (program, report) => {
    for (const crate of program.crates)
      for (const instruction of crate.instructions) {
        for (const { account, other, field, picked } of strangersIn(crate, instruction))
          report({
            ...account.place,
            scope: instruction.handler.qualifiedName,
            message: picked
              ? `\`${instruction.name}\` selects \`${account.name}\` by the argument \`${field}\`, which it never compares with \`${other.name}.${field}\`.`
              : `\`${account.name}\` and \`${other.name}\` both store \`${field}\`, and \`${instruction.name}\` never compares the two.`,
            trace: [{ ...other.place, note: `\`${other.name}\` stores \`${field}\`` }],
          })
        for (const { record, signer, holder } of foreignRecords(crate, instruction))
          report({
            ...record.place,
            scope: instruction.handler.qualifiedName,
            message: `\`${instruction.name}\` changes \`${record.name}\` on the signature of \`${signer.name}\`, which \`${holder.name}\` names, but nothing ties the two records together.`,
            trace: [{ ...holder.place, note: `\`${holder.name}\` names \`${signer.name}\`` }],
          })
        const record = ownRecord(instruction)
        if (record === undefined) continue
        const told = new Set<Term>()
        for (const look of looksIn(instruction)) {
          // A wrapper and the call in it find the same one.
          const { term } = look.event.result
          if (told.has(term) || !isAboutAnyone(instruction, look)) continue
          told.add(term)
          report({
            ...placeOf(look.event),
            message: `The instruction that \`${instruction.name}\` finds here may concern a different \`${record.name}\`: its accounts are not compared.`,
            trace: reached(look.event, record),
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
pub struct Market {
    pub manager: Pubkey,
    pub opened: u64,
}

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Pool {
    pub market: Pubkey,
    pub total: u64,
}

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Allowance {
    pub pool: Pubkey,
    pub share: u16,
}

pub fn open_pool(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let market_info = next_account_info(iter)?;
    let pool_info = next_account_info(iter)?;
    let manager = next_account_info(iter)?;
    if market_info.owner != program_id || pool_info.owner != program_id || !manager.is_signer {
        return Err(ProgramError::IllegalOwner);
    }
    let market = Market::try_from_slice(&market_info.data.borrow())?;
    if market.manager != *manager.key {
        return Err(ProgramError::InvalidAccountData);
    }
    let mut pool = Pool::try_from_slice(&pool_info.data.borrow())?;
    if pool.market != Pubkey::default() {
        return Err(ProgramError::AccountAlreadyInitialized);
    }
    pool.market = *market_info.key;
    pool.serialize(&mut &mut pool_info.data.borrow_mut()[..])?;
    Ok(())
}

pub fn allow(program_id: &Pubkey, accounts: &[AccountInfo], share: u16) -> ProgramResult {
    let iter = &mut accounts.iter();
    let market_info = next_account_info(iter)?;
    let pool_info = next_account_info(iter)?;
    let allowance_info = next_account_info(iter)?;
    let manager = next_account_info(iter)?;
    if market_info.owner != program_id || pool_info.owner != program_id || allowance_info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    if !manager.is_signer {
        return Err(ProgramError::MissingRequiredSignature);
    }
    let market = Market::try_from_slice(&market_info.data.borrow())?;
    let pool = Pool::try_from_slice(&pool_info.data.borrow())?;
    if market.manager != *manager.key || pool.market != *market_info.key {
        return Err(ProgramError::InvalidAccountData);
    }
    let mut allowance = Allowance::try_from_slice(&allowance_info.data.borrow())?;
    if allowance.pool != Pubkey::default() {
        return Err(ProgramError::AccountAlreadyInitialized);
    }
    allowance.pool = *pool_info.key;
    allowance.share = share;
    allowance.serialize(&mut &mut allowance_info.data.borrow_mut()[..])?;
    Ok(())
}

pub fn change(program_id: &Pubkey, accounts: &[AccountInfo], share: u16) -> ProgramResult {
    let iter = &mut accounts.iter();
    let market_info = next_account_info(iter)?;
    let allowance_info = next_account_info(iter)?; // FINDING
    let manager = next_account_info(iter)?;
    if market_info.owner != program_id || allowance_info.owner != program_id || !manager.is_signer {
        return Err(ProgramError::IllegalOwner);
    }
    let market = Market::try_from_slice(&market_info.data.borrow())?;
    if market.manager != *manager.key {
        return Err(ProgramError::InvalidAccountData);
    }
    let mut allowance = Allowance::try_from_slice(&allowance_info.data.borrow())?;
    allowance.share = share;
    allowance.serialize(&mut &mut allowance_info.data.borrow_mut()[..])?;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod loans {
    use super::*;

    pub fn lend(ctx: Context<Lend>) -> Result<()> {
        ctx.accounts.loan.desk = ctx.accounts.desk.key();
        Ok(())
    }

    pub fn forgive(ctx: Context<Forgive>) -> Result<()> {
        ctx.accounts.loan.owed = 0;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Lend<'info> {
    #[account(has_one = clerk)]
    pub desk: Account<'info, Desk>,
    #[account(init, payer = clerk, space = 64)]
    pub loan: Account<'info, Loan>,
    #[account(mut)]
    pub clerk: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Forgive<'info> {
    #[account(has_one = clerk)]
    pub desk: Account<'info, Desk>,
    #[account(mut)]
    pub loan: Account<'info, Loan>, // FINDING
    pub clerk: Signer<'info>,
}

#[account]
pub struct Desk { pub clerk: Pubkey, pub sum: u64 }

#[account]
pub struct Loan { pub desk: Pubkey, pub owed: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod bins {
    use super::*;

    pub fn collect(ctx: Context<Collect>, bin_index: i32) -> Result<()> {
        let share = &mut ctx.accounts.share;
        share.owed += ctx.accounts.bin.fees * share.amount;
        msg!("{}", bin_index);
        Ok(())
    }
}

#[derive(Accounts)]
#[instruction(bin_index: i32)]
pub struct Collect<'info> {
    #[account(seeds = [b"bin", &bin_index.to_le_bytes()], bump = bin.bump)]
    pub bin: Account<'info, Bin>, // FINDING
    #[account(mut, has_one = owner)]
    pub share: Account<'info, Share>,
    pub owner: Signer<'info>,
}

#[account]
pub struct Bin { pub bump: u8, pub fees: u64 }

#[account]
pub struct Share { pub owner: Pubkey, pub bin_index: i32, pub amount: u64, pub owed: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod drops {
    use super::*;

    pub fn announce(ctx: Context<Announce>) -> Result<()> {
        ctx.accounts.prize.league = ctx.accounts.league.key();
        Ok(())
    }

    pub fn enter(ctx: Context<Enter>) -> Result<()> {
        ctx.accounts.entry.points = ctx.accounts.player.points;
        ctx.accounts.prize.entries += 1;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Announce<'info> {
    #[account(init, payer = host, space = 64)]
    pub prize: Account<'info, Prize>,
    #[account(has_one = host)]
    pub league: Account<'info, League>,
    #[account(mut)]
    pub host: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Enter<'info> {
    #[account(mut)]
    pub prize: Account<'info, Prize>, // FINDING
    #[account(has_one = owner)]
    pub player: Account<'info, Player>,
    #[account(init, payer = owner, space = 64, seeds = [b"entry", prize.key().as_ref(), player.key().as_ref()], bump)]
    pub entry: Account<'info, Entry>,
    #[account(mut)]
    pub owner: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct League { pub host: Pubkey }

#[account]
pub struct Prize { pub league: Pubkey, pub entries: u64 }

#[account]
pub struct Player { pub owner: Pubkey, pub league: Pubkey, pub points: u64 }

#[account]
pub struct Entry { pub points: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod guilds {
    use super::*;

    pub fn admit(ctx: Context<Admit>, weight: u64) -> Result<()> {
        ctx.accounts.seal.guild = ctx.accounts.guild.key();
        ctx.accounts.seal.bearer = ctx.accounts.bearer.key();
        ctx.accounts.seal.weight = weight;
        Ok(())
    }

    pub fn acclaim(ctx: Context<Acclaim>) -> Result<()> {
        let motion = &mut ctx.accounts.motion;
        motion.weight = motion.weight.max(ctx.accounts.seal.weight);
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Admit<'info> {
    #[account(has_one = master)]
    pub guild: Account<'info, Guild>,
    #[account(init, payer = master, space = 120)]
    pub seal: Account<'info, Seal>,
    /// CHECK: whoever the master admits
    pub bearer: UncheckedAccount<'info>,
    #[account(mut)]
    pub master: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Acclaim<'info> {
    pub guild: Account<'info, Guild>,
    #[account(mut, has_one = guild)]
    pub motion: Account<'info, Motion>, // FINDING
    #[account(has_one = bearer)]
    pub seal: Account<'info, Seal>,
    pub bearer: Signer<'info>,
}

#[account]
pub struct Guild { pub master: Pubkey }

#[account]
pub struct Motion { pub guild: Pubkey, pub weight: u64 }

#[account]
pub struct Seal { pub guild: Pubkey, pub bearer: Pubkey, pub weight: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::sysvar::instructions::{get_instruction_relative, load_current_index_checked, load_instruction_at_checked};

#[program]
pub mod flash {
    use super::*;

    /// What was lent by one pool is given back to another.
    pub fn give_back(ctx: Context<GiveBack>, amount: u64, at: u8) -> Result<()> {
        let here = load_current_index_checked(&ctx.accounts.instructions)? as usize;
        require!((at as usize) < here, FlashError::Order);
        let taken = load_instruction_at_checked(at as usize, &ctx.accounts.instructions)?; // FINDING
        require_keys_eq!(taken.program_id, crate::ID);
        require!(taken.data[..8] == [1, 2, 3, 4, 5, 6, 7, 8], FlashError::Other);
        require!(taken.data[8..16] == amount.to_le_bytes(), FlashError::Amount);
        ctx.accounts.pool.lent = ctx.accounts.pool.lent.checked_sub(amount).unwrap();
        Ok(())
    }

    pub fn lend(ctx: Context<GiveBack>, amount: u64) -> Result<()> {
        let next = get_instruction_relative(1, &ctx.accounts.instructions)?; // FINDING
        if next.program_id != crate::ID || next.data != GIVE_BACK {
            return err!(FlashError::Other);
        }
        ctx.accounts.pool.lent = ctx.accounts.pool.lent.checked_add(amount).unwrap();
        Ok(())
    }
}

const GIVE_BACK: [u8; 8] = [1; 8];

#[derive(Accounts)]
pub struct GiveBack<'info> {
    pub user: Signer<'info>,
    #[account(mut)]
    pub pool: Account<'info, Pool>,
    /// CHECK: the loads compare it
    pub instructions: UncheckedAccount<'info>,
}

#[account]
pub struct Pool { pub lent: u64 }

#[error_code]
pub enum FlashError { Order, Other, Amount }
`,
    ],
    safe: [
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Market {
    pub manager: Pubkey,
    pub opened: u64,
}

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Pool {
    pub market: Pubkey,
    pub total: u64,
}

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Allowance {
    pub pool: Pubkey,
    pub share: u16,
}

pub fn open_pool(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let market_info = next_account_info(iter)?;
    let pool_info = next_account_info(iter)?;
    let manager = next_account_info(iter)?;
    if market_info.owner != program_id || pool_info.owner != program_id || !manager.is_signer {
        return Err(ProgramError::IllegalOwner);
    }
    let market = Market::try_from_slice(&market_info.data.borrow())?;
    if market.manager != *manager.key {
        return Err(ProgramError::InvalidAccountData);
    }
    let mut pool = Pool::try_from_slice(&pool_info.data.borrow())?;
    if pool.market != Pubkey::default() {
        return Err(ProgramError::AccountAlreadyInitialized);
    }
    pool.market = *market_info.key;
    pool.serialize(&mut &mut pool_info.data.borrow_mut()[..])?;
    Ok(())
}

pub fn allow(program_id: &Pubkey, accounts: &[AccountInfo], share: u16) -> ProgramResult {
    let iter = &mut accounts.iter();
    let market_info = next_account_info(iter)?;
    let pool_info = next_account_info(iter)?;
    let allowance_info = next_account_info(iter)?;
    let manager = next_account_info(iter)?;
    if market_info.owner != program_id || pool_info.owner != program_id || allowance_info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    if !manager.is_signer {
        return Err(ProgramError::MissingRequiredSignature);
    }
    let market = Market::try_from_slice(&market_info.data.borrow())?;
    let pool = Pool::try_from_slice(&pool_info.data.borrow())?;
    if market.manager != *manager.key || pool.market != *market_info.key {
        return Err(ProgramError::InvalidAccountData);
    }
    let mut allowance = Allowance::try_from_slice(&allowance_info.data.borrow())?;
    if allowance.pool != Pubkey::default() {
        return Err(ProgramError::AccountAlreadyInitialized);
    }
    allowance.pool = *pool_info.key;
    allowance.share = share;
    allowance.serialize(&mut &mut allowance_info.data.borrow_mut()[..])?;
    Ok(())
}

pub fn change(program_id: &Pubkey, accounts: &[AccountInfo], share: u16) -> ProgramResult {
    let iter = &mut accounts.iter();
    let market_info = next_account_info(iter)?;
    let pool_info = next_account_info(iter)?;
    let allowance_info = next_account_info(iter)?;
    let manager = next_account_info(iter)?;
    if market_info.owner != program_id || allowance_info.owner != program_id || !manager.is_signer {
        return Err(ProgramError::IllegalOwner);
    }
    let market = Market::try_from_slice(&market_info.data.borrow())?;
    let pool = Pool::try_from_slice(&pool_info.data.borrow())?;
    if market.manager != *manager.key || pool_info.owner != program_id || pool.market != *market_info.key {
        return Err(ProgramError::InvalidAccountData);
    }
    let mut allowance = Allowance::try_from_slice(&allowance_info.data.borrow())?;
    if allowance.pool != *pool_info.key {
        return Err(ProgramError::InvalidAccountData);
    }
    allowance.share = share;
    allowance.serialize(&mut &mut allowance_info.data.borrow_mut()[..])?;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod loans {
    use super::*;

    pub fn lend(ctx: Context<Lend>) -> Result<()> {
        ctx.accounts.loan.desk = ctx.accounts.desk.key();
        Ok(())
    }

    pub fn forgive(ctx: Context<Forgive>) -> Result<()> {
        ctx.accounts.loan.owed = 0;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Lend<'info> {
    #[account(has_one = clerk)]
    pub desk: Account<'info, Desk>,
    #[account(init, payer = clerk, space = 64)]
    pub loan: Account<'info, Loan>,
    #[account(mut)]
    pub clerk: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Forgive<'info> {
    #[account(seeds = [b"desk"], bump, has_one = clerk)]
    pub desk: Account<'info, Desk>,
    #[account(mut)]
    pub loan: Account<'info, Loan>,
    pub clerk: Signer<'info>,
}

#[account]
pub struct Desk { pub clerk: Pubkey, pub sum: u64 }

#[account]
pub struct Loan { pub desk: Pubkey, pub owed: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod loans {
    use super::*;

    pub fn lend(ctx: Context<Lend>) -> Result<()> {
        ctx.accounts.loan.desk = ctx.accounts.desk.key();
        Ok(())
    }

    pub fn forgive(ctx: Context<Forgive>) -> Result<()> {
        ctx.accounts.loan.owed = 0;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Lend<'info> {
    #[account(has_one = clerk)]
    pub desk: Account<'info, Desk>,
    #[account(init, payer = clerk, space = 64)]
    pub loan: Account<'info, Loan>,
    #[account(mut)]
    pub clerk: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Forgive<'info> {
    #[account(has_one = clerk)]
    pub desk: Account<'info, Desk>,
    #[account(mut)]
    pub loan: Account<'info, Loan>,
    #[account(has_one = desk)]
    pub own: Account<'info, Loan>,
    pub clerk: Signer<'info>,
}

#[account]
pub struct Desk { pub clerk: Pubkey, pub sum: u64 }

#[account]
pub struct Loan { pub desk: Pubkey, pub owed: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod bins {
    use super::*;

    pub fn collect(ctx: Context<Collect>, bin_index: i32) -> Result<()> {
        let share = &mut ctx.accounts.share;
        share.owed += ctx.accounts.bin.fees * share.amount;
        msg!("{}", bin_index);
        Ok(())
    }
}

#[derive(Accounts)]
#[instruction(bin_index: i32)]
pub struct Collect<'info> {
    #[account(seeds = [b"bin", &bin_index.to_le_bytes()], bump = bin.bump)]
    pub bin: Account<'info, Bin>,
    #[account(mut, has_one = owner, constraint = share.bin_index == bin_index)]
    pub share: Account<'info, Share>,
    pub owner: Signer<'info>,
}

#[account]
pub struct Bin { pub bump: u8, pub fees: u64 }

#[account]
pub struct Share { pub owner: Pubkey, pub bin_index: i32, pub amount: u64, pub owed: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod drops {
    use super::*;

    pub fn announce(ctx: Context<Announce>) -> Result<()> {
        ctx.accounts.prize.league = ctx.accounts.league.key();
        Ok(())
    }

    pub fn enter(ctx: Context<Enter>) -> Result<()> {
        require_keys_eq!(ctx.accounts.prize.league, ctx.accounts.player.league);
        ctx.accounts.entry.points = ctx.accounts.player.points;
        ctx.accounts.prize.entries += 1;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Announce<'info> {
    #[account(init, payer = host, space = 64)]
    pub prize: Account<'info, Prize>,
    #[account(has_one = host)]
    pub league: Account<'info, League>,
    #[account(mut)]
    pub host: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Enter<'info> {
    #[account(mut)]
    pub prize: Account<'info, Prize>,
    #[account(has_one = owner)]
    pub player: Account<'info, Player>,
    #[account(init, payer = owner, space = 64, seeds = [b"entry", prize.key().as_ref(), player.key().as_ref()], bump)]
    pub entry: Account<'info, Entry>,
    #[account(mut)]
    pub owner: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct League { pub host: Pubkey }

#[account]
pub struct Prize { pub league: Pubkey, pub entries: u64 }

#[account]
pub struct Player { pub owner: Pubkey, pub league: Pubkey, pub points: u64 }

#[account]
pub struct Entry { pub points: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod guilds {
    use super::*;

    pub fn admit(ctx: Context<Admit>, weight: u64) -> Result<()> {
        ctx.accounts.seal.guild = ctx.accounts.guild.key();
        ctx.accounts.seal.bearer = ctx.accounts.bearer.key();
        ctx.accounts.seal.weight = weight;
        Ok(())
    }

    pub fn acclaim(ctx: Context<Acclaim>) -> Result<()> {
        let motion = &mut ctx.accounts.motion;
        motion.weight = motion.weight.max(ctx.accounts.seal.weight);
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Admit<'info> {
    #[account(has_one = master)]
    pub guild: Account<'info, Guild>,
    #[account(init, payer = master, space = 120)]
    pub seal: Account<'info, Seal>,
    /// CHECK: whoever the master admits
    pub bearer: UncheckedAccount<'info>,
    #[account(mut)]
    pub master: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Acclaim<'info> {
    pub guild: Account<'info, Guild>,
    #[account(mut, has_one = guild)]
    pub motion: Account<'info, Motion>,
    #[account(has_one = bearer, has_one = guild)]
    pub seal: Account<'info, Seal>,
    pub bearer: Signer<'info>,
}

#[account]
pub struct Guild { pub master: Pubkey }

#[account]
pub struct Motion { pub guild: Pubkey, pub weight: u64 }

#[account]
pub struct Seal { pub guild: Pubkey, pub bearer: Pubkey, pub weight: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod guilds {
    use super::*;

    pub fn admit(ctx: Context<Admit>, weight: u64) -> Result<()> {
        ctx.accounts.seal.guild = ctx.accounts.guild.key();
        ctx.accounts.seal.bearer = ctx.accounts.bearer.key();
        ctx.accounts.seal.weight = weight;
        Ok(())
    }

    pub fn acclaim(ctx: Context<Acclaim>) -> Result<()> {
        let motion = &mut ctx.accounts.motion;
        motion.weight = motion.weight.max(ctx.accounts.seal.weight);
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Admit<'info> {
    #[account(has_one = master)]
    pub guild: Account<'info, Guild>,
    #[account(init, payer = master, space = 120)]
    pub seal: Account<'info, Seal>,
    /// CHECK: whoever the master admits
    pub bearer: UncheckedAccount<'info>,
    #[account(mut)]
    pub master: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Acclaim<'info> {
    // That nothing says which guild is meant is told of each record alone, by another rule.
    pub guild: Account<'info, Guild>,
    #[account(mut)]
    pub motion: Account<'info, Motion>,
    #[account(has_one = bearer)]
    pub seal: Account<'info, Seal>,
    pub bearer: Signer<'info>,
}

#[account]
pub struct Guild { pub master: Pubkey }

#[account]
pub struct Motion { pub guild: Pubkey, pub weight: u64 }

#[account]
pub struct Seal { pub guild: Pubkey, pub bearer: Pubkey, pub weight: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod perps {
    use super::*;

    pub fn open(ctx: Context<Open>) -> Result<()> {
        ctx.accounts.trader.positions = ctx.accounts.positions.key();
        ctx.accounts.positions.trader = ctx.accounts.trader.key();
        Ok(())
    }

    /// The filler's positions are not those that are filled, which are no address but a list.
    pub fn fill(ctx: Context<Fill>, price: u64) -> Result<()> {
        ctx.accounts.filler.fees = ctx.accounts.filler.fees.checked_add(1).unwrap();
        ctx.accounts.positions.positions[0].price = price;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(init, payer = authority, space = 400)]
    pub trader: Account<'info, Trader>,
    #[account(init, payer = authority, space = 400)]
    pub positions: Account<'info, Positions>,
    #[account(mut)]
    pub authority: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Fill<'info> {
    pub authority: Signer<'info>,
    #[account(mut, has_one = authority)]
    pub filler: Account<'info, Trader>,
    #[account(constraint = trader.positions == positions.key())]
    pub trader: Account<'info, Trader>,
    #[account(mut, has_one = trader)]
    pub positions: Account<'info, Positions>,
}

#[account]
pub struct Trader { pub authority: Pubkey, pub positions: Pubkey, pub fees: u64 }

#[account]
pub struct Positions { pub trader: Pubkey, pub positions: [Position; 5] }

#[derive(AnchorSerialize, AnchorDeserialize, Clone, Copy)]
pub struct Position { pub price: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::sysvar::instructions::{load_current_index_checked, load_instruction_at_checked};

#[program]
pub mod flash {
    use super::*;

    pub fn give_back(ctx: Context<GiveBack>, amount: u64, at: u8) -> Result<()> {
        let taken = load_instruction_at_checked(at as usize, &ctx.accounts.instructions)?;
        require_keys_eq!(taken.program_id, crate::ID);
        require!(taken.data[..8] == [1, 2, 3, 4, 5, 6, 7, 8], FlashError::Other);
        require_keys_eq!(taken.accounts[1].pubkey, ctx.accounts.pool.key());
        ctx.accounts.pool.lent = ctx.accounts.pool.lent.checked_sub(amount).unwrap();
        Ok(())
    }

    /// The address of the pool stands among the data.
    pub fn named(ctx: Context<GiveBack>, amount: u64, at: u8) -> Result<()> {
        let taken = load_instruction_at_checked(at as usize, &ctx.accounts.instructions)?;
        require_keys_eq!(taken.program_id, crate::ID);
        require!(taken.data[..8] == [1, 2, 3, 4, 5, 6, 7, 8], FlashError::Other);
        require!(taken.data[8..40] == ctx.accounts.pool.key().to_bytes(), FlashError::Other);
        ctx.accounts.pool.lent = ctx.accounts.pool.lent.checked_sub(amount).unwrap();
        Ok(())
    }

    /// Only that nobody else's runs in between.
    pub fn alone(ctx: Context<GiveBack>, amount: u64, at: u8) -> Result<()> {
        let other = load_instruction_at_checked(at as usize, &ctx.accounts.instructions)?;
        require_keys_eq!(other.program_id, crate::ID);
        ctx.accounts.pool.lent = ctx.accounts.pool.lent.checked_sub(amount).unwrap();
        Ok(())
    }

    /// A signature that another program checked says all in its data.
    pub fn signed(ctx: Context<GiveBack>, amount: u64, at: u8) -> Result<()> {
        let proof = load_instruction_at_checked(at as usize, &ctx.accounts.instructions)?;
        require_keys_eq!(proof.program_id, ed25519_program::ID);
        require!(proof.data[16..24] == amount.to_le_bytes(), FlashError::Other);
        ctx.accounts.pool.lent = ctx.accounts.pool.lent.checked_sub(amount).unwrap();
        Ok(())
    }

    pub fn own(ctx: Context<GiveBack>, amount: u64) -> Result<()> {
        let here = load_current_index_checked(&ctx.accounts.instructions)? as usize;
        let this = load_instruction_at_checked(here, &ctx.accounts.instructions)?;
        require_keys_eq!(this.program_id, crate::ID);
        require!(this.data[..8] == [8, 7, 6, 5, 4, 3, 2, 1], FlashError::Other);
        ctx.accounts.pool.lent = ctx.accounts.pool.lent.checked_sub(amount).unwrap();
        Ok(())
    }

    pub fn elsewhere(ctx: Context<GiveBack>, amount: u64, at: u8) -> Result<()> {
        let taken = load_instruction_at_checked(at as usize, &ctx.accounts.instructions)?;
        require_keys_eq!(taken.program_id, crate::ID);
        require!(taken.data[..8] == [1, 2, 3, 4, 5, 6, 7, 8], FlashError::Other);
        halves::assert_about(&taken, &ctx.accounts.pool)?;
        ctx.accounts.pool.lent = ctx.accounts.pool.lent.checked_sub(amount).unwrap();
        Ok(())
    }

    /// There is only one.
    pub fn only(ctx: Context<Only>, amount: u64, at: u8) -> Result<()> {
        let taken = load_instruction_at_checked(at as usize, &ctx.accounts.instructions)?;
        require_keys_eq!(taken.program_id, crate::ID);
        require!(taken.data[..8] == [1, 2, 3, 4, 5, 6, 7, 8], FlashError::Other);
        ctx.accounts.pool.lent = ctx.accounts.pool.lent.checked_sub(amount).unwrap();
        Ok(())
    }
}

#[derive(Accounts)]
pub struct GiveBack<'info> {
    pub user: Signer<'info>,
    #[account(mut)]
    pub pool: Account<'info, Pool>,
    /// CHECK: the loads compare it
    pub instructions: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct Only<'info> {
    pub user: Signer<'info>,
    #[account(mut, seeds = [b"pool"], bump)]
    pub pool: Account<'info, Pool>,
    /// CHECK: the loads compare it
    pub instructions: UncheckedAccount<'info>,
}

#[account]
pub struct Pool { pub lent: u64 }

#[error_code]
pub enum FlashError { Order, Other, Amount }
`,
    ],
  },
}

/** A record that there is one of for each of many, and that the instruction changes. */
const ownRecord = (instruction: Instruction): Account | undefined =>
  instruction.accounts.find(
    (one) => !isGlobal(instruction, one) && usesOf(instruction, one).some(({ kind }) => kind === "state-write"),
  )
