import { isRecorded } from "../../payments/chosenPayees.ts"
import { isSettled } from "../../payments/payees.ts"
import { dictates } from "../../payments/gains.ts"
import { isDue, isUpkeep, paysOut } from "../../payments/stakes.ts"
import type { Match, Rule } from "../../../Rule.ts"
import { leftovers, missingSignatureReason } from "../../consent/missingSignatureReason.ts"
import { signersIn } from "../../consent/signers.ts"
import type { Account, Instruction, SolanaProgram } from "../../program/model.ts"
import { askedOf, isMutating } from "../../questions/questions.ts"

export const missingSignerCheck: Rule<SolanaProgram> = {
  meta: {
    id: "solana/account-validation/missing-signer-check",
    class: "missing-signer",
    title: "Missing signer check",
    severity: "critical",
    confidence: "high",
    cwe: [862, 345],
    description:
      "The instruction trusts an account as an authority based on its address alone. Addresses are public: " +
      "anyone can include the authority's account in a transaction without its owner's consent, and the program " +
      "then acts as if the owner had agreed.",
    remediation:
      "Declare the account as `Signer<'info>`, add `#[account(signer)]`, or return an error unless `is_signer` is true before acting on its behalf.",
    references: [
      "https://github.com/coral-xyz/sealevel-attacks/tree/master/programs/0-signer-authorization",
      "https://solana.com/developers/courses/program-security/signer-auth",
    ],
  },
  check: (program, report) => {
    for (const crate of program.crates)
      for (const instruction of crate.instructions)
        for (const account of instruction.accounts) {
          const why = missingSignatureReason(crate, instruction, account)
          // An interface says who calls, and nobody can sign beyond what it passes on.
          if (why === undefined || instruction.handler.item.attributes.some(({ name }) => name === "interface"))
            continue
          report({
            ...account.place,
            scope: instruction.handler.qualifiedName,
            message: `Nothing requires \`${account.name}\` to sign \`${instruction.name}\`, although it is ${why}.`,
            trace: comparisonsOf(instruction, account),
            ...(isMutating(instruction) ? {} : { confidence: "medium" as const }),
            // Of a closed record, the rent is all that is left.
            ...(why === leftovers || isSettled(instruction) || isNameAlone(why, instruction)
              ? { severity: "low" as const }
              : isDue(instruction)
                ? // Whose record it is matters to its owner, though nobody else gains.
                  { severity: why === "compared with a stored key" ? ("medium" as const) : ("low" as const) }
                : isUpkeep(instruction) || signersIn(instruction).size > 0
                  ? // Whoever else signs may be the one who is asked.
                    {
                      severity:
                        why === "in a stored list" && isRecorded(instruction, account)
                          ? ("low" as const)
                          : ("high" as const),
                    }
                  : {}),
          })
        }
  },
  examples: {
    vulnerable: [
      `use solana_program::account_info::{next_account_infos, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, program_pack::Pack, pubkey::Pubkey};
use crate::state::Pool;

fn hand_over(program_id: &Pubkey, admin: Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    if let [admin_info, pool_info] = next_account_infos(iter, 2)? { // FINDING
        let mut pool = Pool::unpack(&pool_info.data.borrow())?;
        if *admin_info.key != pool.admin || pool_info.owner != program_id {
            return Err(ProgramError::InvalidArgument);
        }
        pool.admin = admin;
        Pool::pack(pool, &mut pool_info.data.borrow_mut())
    } else {
        Err(ProgramError::NotEnoughAccountKeys)
    }
}
`,
      // After the end, too, only the owner says where it goes.
      `use anchor_lang::prelude::*;

#[program]
pub mod locks {
    use super::*;
    pub fn unlock(ctx: Context<Unlock>) -> Result<()> {
        require!(ctx.accounts.lock.ends < Clock::get()?.unix_timestamp, ErrorCode::Early);
        let held = ctx.accounts.lock.held;
        ctx.accounts.lock.sub_lamports(held)?;
        ctx.accounts.target.add_lamports(held)?;
        Ok(())
    }

    pub fn appoint(ctx: Context<Appoint>, heir: Pubkey) -> Result<()> {
        require!(ctx.accounts.lock.ends < Clock::get()?.unix_timestamp, ErrorCode::Early);
        ctx.accounts.lock.heir = heir;
        Ok(())
    }

    pub fn hurry(ctx: Context<Hurry>) -> Result<()> {
        require!(Clock::get()?.unix_timestamp < ctx.accounts.lock.ends, ErrorCode::Late);
        ctx.accounts.lock.held = 0;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Unlock<'info> {
    #[account(mut, has_one = owner)]
    pub lock: Account<'info, Lock>,
    /// CHECK: named by the lock
    pub owner: UncheckedAccount<'info>, // FINDING
    /// CHECK: anyone's
    #[account(mut)]
    pub target: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct Appoint<'info> {
    #[account(mut, has_one = owner)]
    pub lock: Account<'info, Lock>,
    /// CHECK: named by the lock
    pub owner: UncheckedAccount<'info>, // FINDING
}

#[derive(Accounts)]
pub struct Hurry<'info> {
    #[account(mut, has_one = owner)]
    pub lock: Account<'info, Lock>,
    /// CHECK: named by the lock
    pub owner: UncheckedAccount<'info>, // FINDING
}

#[account]
pub struct Lock { pub owner: Pubkey, pub heir: Pubkey, pub ends: i64, pub held: u64 }

#[error_code]
pub enum ErrorCode { Early, Late }
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Match {
    pub referee: Pubkey,
    pub winner: u8,
}

pub fn rule(accounts: &[AccountInfo], winner: u8) -> ProgramResult {
    let iter = &mut accounts.iter();
    let match_info = next_account_info(iter)?;
    let referee_info = next_account_info(iter)?; // FINDING
    let mut game = Match::try_from_slice(&match_info.data.borrow())?;
    if game.referee != *referee_info.key {
        return Err(ProgramError::InvalidArgument);
    }
    game.winner = winner;
    borsh::to_writer(&mut match_info.data.borrow_mut()[..], &game)?;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod registry {
    use super::*;

    pub fn add(ctx: Context<Add>) -> Result<()> {
        ctx.accounts.registry.count += 1;
        Ok(())
    }

    pub fn remove(ctx: Context<Remove>) -> Result<()> {
        ctx.accounts.registry.count -= 1;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Add<'info> {
    #[account(mut)]
    pub registry: Account<'info, Registry>,
    #[account(address = registry.council)]
    pub council: Signer<'info>,
}

#[derive(Accounts)]
pub struct Remove<'info> {
    #[account(mut)]
    pub registry: Account<'info, Registry>,
    /// CHECK: see above
    pub council: UncheckedAccount<'info>, // FINDING
}

#[account]
pub struct Registry { pub council: Pubkey, pub count: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod councils {
    use super::*;
    pub fn open(ctx: Context<Open>) -> Result<()> {
        require!(ctx.accounts.council.is_member(ctx.accounts.proposer.key()), ErrorCode::Stranger);
        ctx.accounts.council.count += 1;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(mut)]
    pub council: Account<'info, Council>,
    /// CHECK: one of the members
    pub proposer: UncheckedAccount<'info>, // FINDING
    pub payer: Signer<'info>,
}

#[account]
pub struct Council { pub members: Vec<Pubkey>, pub count: u64 }

impl Council {
    pub fn is_member(&self, one: Pubkey) -> bool {
        self.members.binary_search(&one).is_ok()
    }
}

#[error_code]
pub enum ErrorCode { Stranger }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod vault {
    use super::*;

    pub fn set_fee(ctx: Context<SetFee>, fee: u64) -> Result<()> {
        ctx.accounts.config.fee = fee;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct SetFee<'info> {
    #[account(mut, has_one = authority)]
    pub config: Account<'info, Config>,
    pub authority: UncheckedAccount<'info>, // FINDING
}

#[account]
pub struct Config {
    pub authority: Pubkey,
    pub fee: u64,
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Pool {
    pub admin: Pubkey,
    pub paused: bool,
}

pub fn pause(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let pool_info = next_account_info(iter)?;
    let caller = next_account_info(iter)?; // FINDING
    if pool_info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    let mut pool = Pool::try_from_slice(&pool_info.data.borrow())?;
    if pool.admin != *caller.key {
        return Err(ProgramError::InvalidAccountData);
    }
    pool.paused = true;
    pool.serialize(&mut &mut pool_info.data.borrow_mut()[..])?;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod safes {
    use super::*;

    pub fn hand_over(ctx: Context<HandOver>, next: Pubkey) -> Result<()> {
        let safe = &mut ctx.accounts.safe;
        if safe.boss != *ctx.accounts.current.key {
            return Err(ErrorCode::ConstraintAddress.into());
        }
        safe.boss = next;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct HandOver<'info> {
    #[account(mut)]
    pub safe: Account<'info, Safe>,
    pub current: SystemAccount<'info>, // FINDING
}

#[account]
pub struct Safe {
    pub boss: Pubkey,
}
`,
      `use pinocchio::{account_info::AccountInfo, instruction::{Seed, Signer}, program_error::ProgramError, pubkey::{find_program_address, Pubkey}, ProgramResult};

pub const ID: Pubkey = [3u8; 32];

pub fn process_instruction(_id: &Pubkey, accounts: &[AccountInfo], data: &[u8]) -> ProgramResult {
    match data.split_first() {
        Some((0, _)) => Withdraw::try_from(accounts)?.process(),
        Some((1, _)) => Sweep::try_from(accounts)?.process(),
        _ => Err(ProgramError::InvalidInstructionData),
    }
}

pub struct Withdraw<'a> { from: &'a AccountInfo, vault: &'a AccountInfo, bump: u8 }

impl<'a> TryFrom<&'a [AccountInfo]> for Withdraw<'a> {
    type Error = ProgramError;
    fn try_from(accounts: &'a [AccountInfo]) -> Result<Self, ProgramError> {
        let [from, vault, ..] = accounts else { return Err(ProgramError::NotEnoughAccountKeys) }; // FINDING
        let (address, bump) = find_program_address(&[b"vault", from.key()], &ID);
        if &address != vault.key() { return Err(ProgramError::InvalidSeeds); }
        Ok(Self { from, vault, bump })
    }
}

impl<'a> Withdraw<'a> {
    fn process(&self) -> ProgramResult {
        let bump = [self.bump];
        let seeds = [Seed::from(b"vault"), Seed::from(self.from.key()), Seed::from(&bump)];
        pinocchio_system::instructions::Transfer { from: self.vault, to: self.from, lamports: self.vault.lamports() }
            .invoke_signed(&[Signer::from(&seeds)])
    }
}

pub struct Sweep<'a> { who: &'a AccountInfo, purse: &'a AccountInfo }

impl<'a> TryFrom<&'a [AccountInfo]> for Sweep<'a> {
    type Error = ProgramError;
    fn try_from(accounts: &'a [AccountInfo]) -> Result<Self, ProgramError> {
        let [who, purse, ..] = accounts else { return Err(ProgramError::NotEnoughAccountKeys) };
        if !who.is_signer() { return Err(ProgramError::MissingRequiredSignature); }
        Ok(Self { who, purse })
    }
}

impl<'a> Sweep<'a> {
    fn process(&self) -> ProgramResult {
        pinocchio_system::instructions::Transfer { from: self.who, to: self.purse, lamports: 1 }.invoke()
    }
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::program::invoke_signed;
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Deposit {
    pub amount: u64,
}

pub fn withdraw(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let realm = next_account_info(iter)?;
    let vault = next_account_info(iter)?;
    let to = next_account_info(iter)?;
    let depositor = next_account_info(iter)?; // FINDING
    let deposit_info = next_account_info(iter)?;
    let token_program = next_account_info(iter)?;
    let (kept, _) = Pubkey::find_program_address(&[b"deposit", depositor.key.as_ref()], program_id);
    let (holding, _) = Pubkey::find_program_address(&[b"vault", realm.key.as_ref()], program_id);
    let (signs, bump) = Pubkey::find_program_address(&[b"realm"], program_id);
    if kept != *deposit_info.key || holding != *vault.key || signs != *realm.key {
        return Err(ProgramError::InvalidSeeds);
    }
    let mut deposit = Deposit::try_from_slice(&deposit_info.data.borrow())?;
    let instruction = spl_token::instruction::transfer(
        &spl_token::ID,
        vault.key,
        to.key,
        realm.key,
        &[],
        deposit.amount,
    )?;
    invoke_signed(
        &instruction,
        &[vault.clone(), to.clone(), realm.clone(), token_program.clone()],
        &[&[b"realm", &[bump]]],
    )?;
    deposit.amount = 0;
    deposit.serialize(&mut &mut deposit_info.data.borrow_mut()[..])?;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod trusts {
    use super::*;

    pub fn dissolve(ctx: Context<Dissolve>) -> Result<()> {
        let founder = ctx.accounts.trust.founder;
        let seeds: &[&[u8]] = &[b"trust", founder.as_ref(), &[ctx.accounts.trust.bump]];
        token::transfer(
            CpiContext::new_with_signer(
                ctx.accounts.token_program.to_account_info(),
                Transfer {
                    from: ctx.accounts.chest.to_account_info(),
                    to: ctx.accounts.heir_tokens.to_account_info(),
                    authority: ctx.accounts.trust.to_account_info(),
                },
                &[seeds],
            ),
            ctx.accounts.chest.amount,
        )
    }
}

#[derive(Accounts)]
pub struct Dissolve<'info> {
    #[account(mut, has_one = founder, close = founder)]
    pub trust: Account<'info, Trust>,
    #[account(mut, seeds = [b"chest", trust.key().as_ref()], bump)]
    pub chest: Account<'info, TokenAccount>,
    #[account(mut)]
    pub heir_tokens: Account<'info, TokenAccount>,
    #[account(mut)]
    pub founder: SystemAccount<'info>, // FINDING
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Trust { pub founder: Pubkey, pub bump: u8 }
`,
      `use borsh::{BorshDeserialize, BorshSerialize};
use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{clock::Clock, entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey, sysvar::Sysvar};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Seat {
    pub holder: Pubkey,
    pub until: i64,
    pub weight: u64,
}

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Chamber {
    pub speaker: Pubkey,
    pub seats: u64,
}

pub fn vacate(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let chamber_info = next_account_info(iter)?;
    let seat_info = next_account_info(iter)?;
    let purse = next_account_info(iter)?; // FINDING
    if chamber_info.owner != program_id || seat_info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    let mut chamber = Chamber::try_from_slice(&chamber_info.data.borrow())?;
    let seat = Seat::try_from_slice(&seat_info.data.borrow())?;
    chamber.seats = chamber.seats.checked_sub(1).ok_or(ProgramError::ArithmeticOverflow)?;
    chamber.serialize(&mut &mut chamber_info.data.borrow_mut()[..])?;
    let sum = purse.lamports().checked_add(seat_info.lamports()).ok_or(ProgramError::ArithmeticOverflow)?;
    **purse.try_borrow_mut_lamports()? = sum;
    **seat_info.try_borrow_mut_lamports()? = 0;
    seat_info.data.borrow_mut().fill(0);
    Ok(())
}
`,
      `use borsh::{BorshDeserialize, BorshSerialize};
use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{clock::Clock, entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey, sysvar::Sysvar};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Seat {
    pub holder: Pubkey,
    pub until: i64,
    pub weight: u64,
}

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Chamber {
    pub speaker: Pubkey,
    pub seats: u64,
}

pub fn resign(program_id: &Pubkey, accounts: &[AccountInfo], weight: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let chamber_info = next_account_info(iter)?;
    let seat_info = next_account_info(iter)?;
    let caller = next_account_info(iter)?; // FINDING
    if chamber_info.owner != program_id || seat_info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    let chamber = Chamber::try_from_slice(&chamber_info.data.borrow())?;
    let mut seat = Seat::try_from_slice(&seat_info.data.borrow())?;
    if *caller.key == seat.holder {
        msg!("of their own accord");
    } else {
        if chamber.speaker != *caller.key || !caller.is_signer {
            return Err(ProgramError::MissingRequiredSignature);
        }
    }
    seat.weight = seat.weight.checked_sub(weight).ok_or(ProgramError::ArithmeticOverflow)?;
    seat.serialize(&mut &mut seat_info.data.borrow_mut()[..])?;
    Ok(())
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program::invoke_signed, program_error::ProgramError, pubkey::Pubkey, system_instruction};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Hall { pub seats: u64 }

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Seat { pub hall: Pubkey, pub who: Pubkey }

/// The seat that is opened names the hall, which was there before.
pub fn add_seat(program_id: &Pubkey, accounts: &[AccountInfo], who: Pubkey) -> ProgramResult {
    let iter = &mut accounts.iter();
    let hall_info = next_account_info(iter)?; // FINDING
    let seat_info = next_account_info(iter)?;
    let payer = next_account_info(iter)?;
    if hall_info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    let mut hall = Hall::try_from_slice(&hall_info.data.borrow())?;
    hall.seats = hall.seats.checked_add(1).unwrap();
    hall.serialize(&mut &mut hall_info.data.borrow_mut()[..])?;
    let seat = Seat { hall: *hall_info.key, who };
    let size = seat.try_to_vec()?.len() as u64;
    let (address, bump) = Pubkey::find_program_address(&[hall_info.key.as_ref(), who.as_ref()], program_id);
    invoke_signed(
        &system_instruction::create_account(payer.key, &address, 1_000_000, size, program_id),
        &[payer.clone(), seat_info.clone()],
        &[&[hall_info.key.as_ref(), who.as_ref(), &[bump]]],
    )?;
    seat.serialize(&mut &mut seat_info.data.borrow_mut()[..])?;
    Ok(())
}

pub fn remove_seat(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let hall_info = next_account_info(iter)?;
    if hall_info.owner != program_id || !hall_info.is_signer {
        return Err(ProgramError::IllegalOwner);
    }
    let mut hall = Hall::try_from_slice(&hall_info.data.borrow())?;
    hall.seats = hall.seats.checked_sub(1).unwrap();
    hall.serialize(&mut &mut hall_info.data.borrow_mut()[..])?;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod licenses {
    use super::*;
    /// The license proves that there is such a keeper, and not that they ask for it.
    pub fn sweep(ctx: Context<Sweep>, amount: u64) -> Result<()> {
        ctx.accounts.pot.sub_lamports(amount)?;
        ctx.accounts.recipient.add_lamports(amount)?;
        Ok(())
    }

    pub fn demote(ctx: Context<Demote>) -> Result<()> {
        ctx.accounts.theirs.level &= 3;
        Ok(())
    }

    pub fn praise(ctx: Context<Praise>) -> Result<()> {
        ctx.accounts.theirs.praised += 1;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Sweep<'info> {
    /// CHECK: has a license
    pub keeper: UncheckedAccount<'info>, // FINDING
    #[account(seeds = [b"license", keeper.key().as_ref()], bump, seeds::program = registry::ID)]
    pub license: Account<'info, License>,
    #[account(mut, seeds = [b"pot"], bump = pot.bump)]
    pub pot: Account<'info, Pot>,
    /// CHECK: is paid
    #[account(mut)]
    pub recipient: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct Demote<'info> {
    #[account(mut)]
    pub payer: Signer<'info>,
    /// CHECK: has a license
    pub keeper: UncheckedAccount<'info>, // FINDING
    #[account(seeds = [b"license", keeper.key().as_ref()], bump, constraint = own.level > 2)]
    pub own: Account<'info, License>,
    #[account(mut)]
    pub theirs: Account<'info, License>,
}

#[derive(Accounts)]
pub struct Praise<'info> {
    pub keeper: Signer<'info>,
    #[account(mut)]
    pub theirs: Account<'info, License>,
}

#[account]
pub struct License {
    pub level: u8,
    pub praised: u64,
}

#[account]
pub struct Pot {
    pub bump: u8,
}
`,
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::sysvar::instructions::get_instruction_relative;

#[program]
pub mod ballots {
    use super::*;
    pub fn cast(ctx: Context<Cast>, choice: u8) -> Result<()> {
        ctx.accounts.ballot.payer = ctx.accounts.payer.key();
        ctx.accounts.ballot.choice = choice;
        Ok(())
    }
    pub fn sweep(_ctx: Context<Sweep>) -> Result<()> {
        Ok(())
    }
    // Anyone may put an instruction of another program before it.
    pub fn seal(ctx: Context<Count>) -> Result<()> {
        let before = get_instruction_relative(-1, &ctx.accounts.instructions)?;
        require_keys_eq!(before.program_id, scheduler::ID);
        ctx.accounts.ballot.choice = 1;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Cast<'info> {
    #[account(init, payer = payer, space = 100)]
    pub ballot: Account<'info, Ballot>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Sweep<'info> {
    #[account(mut, has_one = payer, has_one = vote, close = payer)]
    pub ballot: Account<'info, Ballot>,
    /// CHECK: gets the rent
    #[account(mut)]
    pub payer: UncheckedAccount<'info>, // FINDING
    pub vote: Account<'info, Vote>,
}

#[derive(Accounts)]
pub struct Count<'info> {
    #[account(mut, has_one = payer)]
    pub ballot: Account<'info, Ballot>,
    /// CHECK: named
    pub payer: UncheckedAccount<'info>, // FINDING
    /// CHECK: the sysvar
    #[account(address = anchor_lang::solana_program::sysvar::instructions::ID)]
    pub instructions: UncheckedAccount<'info>,
}

#[account]
pub struct Ballot { pub payer: Pubkey, pub vote: Pubkey, pub choice: u8 }
#[account]
pub struct Vote { pub phase: Phase }
#[derive(AnchorSerialize, AnchorDeserialize, Clone, PartialEq)]
pub enum Phase { Open, Over }
`,
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::{instruction::Instruction, program::invoke_signed};

/// Nobody pays for it: the owner of a loan loses a place.
#[program]
pub mod loans {
    use super::*;
    pub fn join(ctx: Context<Join>) -> Result<()> {
        let pool = ctx.accounts.pool.key();
        let accounts = club::accounts::Enroll {
            authority: ctx.accounts.desk.key(),
            owner: ctx.accounts.owner.key(),
            seat: ctx.accounts.seat.key(),
        };
        let order = Instruction {
            program_id: ctx.accounts.club.key(),
            accounts: accounts.to_account_metas(None),
            data: club::instruction::Enroll {}.data(),
        };
        let seeds: &[&[&[u8]]] = &[&[b"desk", pool.as_ref(), &[ctx.bumps.desk]]];
        invoke_signed(&order, &ctx.accounts.to_account_infos(), seeds)?;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Join<'info> {
    #[account(mut)]
    pub payer: Signer<'info>,
    /// CHECK: the loan's
    pub owner: UncheckedAccount<'info>, // FINDING
    #[account(has_one = owner, has_one = pool)]
    pub loan: Account<'info, Loan>,
    pub pool: Account<'info, Pool>,
    /// CHECK: signs
    #[account(seeds = [b"desk", pool.key().as_ref()], bump)]
    pub desk: UncheckedAccount<'info>,
    /// CHECK: by the club
    #[account(mut)]
    pub seat: UncheckedAccount<'info>,
    pub club: Program<'info, Club>,
}

#[account]
pub struct Loan { pub owner: Pubkey, pub pool: Pubkey }

#[account]
pub struct Pool { pub admin: Pubkey }
`,
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::{instruction::Instruction, program::invoke_signed};

/// Whoever pays says what the owner has to pay later.
#[program]
pub mod loans {
    use super::*;
    pub fn join(ctx: Context<Join>, fee: u64) -> Result<()> {
        let pool = ctx.accounts.pool.key();
        let accounts = club::accounts::Enroll {
            authority: ctx.accounts.desk.key(),
            payer: ctx.accounts.payer.key(),
            owner: ctx.accounts.owner.key(),
            seat: ctx.accounts.seat.key(),
        };
        let order = Instruction {
            program_id: ctx.accounts.club.key(),
            accounts: accounts.to_account_metas(None),
            data: club::instruction::Enroll { fee }.data(),
        };
        let seeds: &[&[&[u8]]] = &[&[b"desk", pool.as_ref(), &[ctx.bumps.desk]]];
        invoke_signed(&order, &ctx.accounts.to_account_infos(), seeds)?;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Join<'info> {
    #[account(mut)]
    pub payer: Signer<'info>,
    /// CHECK: the loan's
    pub owner: UncheckedAccount<'info>, // FINDING
    #[account(has_one = owner, has_one = pool)]
    pub loan: Account<'info, Loan>,
    pub pool: Account<'info, Pool>,
    /// CHECK: signs
    #[account(seeds = [b"desk", pool.key().as_ref()], bump)]
    pub desk: UncheckedAccount<'info>,
    /// CHECK: by the club
    #[account(mut)]
    pub seat: UncheckedAccount<'info>,
    pub club: Program<'info, Club>,
}

#[account]
pub struct Loan { pub owner: Pubkey, pub pool: Pubkey }

#[account]
pub struct Pool { pub admin: Pubkey }
`,
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::{instruction::Instruction, program::invoke_signed};

/// What is paid for is the place of another.
#[program]
pub mod loans {
    use super::*;
    pub fn join(ctx: Context<Join>) -> Result<()> {
        let pool = ctx.accounts.pool.key();
        let accounts = club::accounts::Enroll {
            authority: ctx.accounts.desk.key(),
            payer: ctx.accounts.payer.key(),
            owner: ctx.accounts.seat.key(),
            seat: ctx.accounts.seat.key(),
        };
        require_keys_eq!(ctx.accounts.seat.key(), club::seat_of(ctx.accounts.owner.key));
        let order = Instruction {
            program_id: ctx.accounts.club.key(),
            accounts: accounts.to_account_metas(None),
            data: club::instruction::Enroll {}.data(),
        };
        let seeds: &[&[&[u8]]] = &[&[b"desk", pool.as_ref(), &[ctx.bumps.desk]]];
        invoke_signed(&order, &ctx.accounts.to_account_infos(), seeds)?;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Join<'info> {
    #[account(mut)]
    pub payer: Signer<'info>,
    /// CHECK: the loan's
    pub owner: UncheckedAccount<'info>, // FINDING
    #[account(has_one = owner, has_one = pool)]
    pub loan: Account<'info, Loan>,
    pub pool: Account<'info, Pool>,
    /// CHECK: signs
    #[account(seeds = [b"desk", pool.key().as_ref()], bump)]
    pub desk: UncheckedAccount<'info>,
    /// CHECK: by the club
    #[account(mut)]
    pub seat: UncheckedAccount<'info>,
    pub club: Program<'info, Club>,
}

#[account]
pub struct Loan { pub owner: Pubkey, pub pool: Pubkey }

#[account]
pub struct Pool { pub admin: Pubkey }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{Mint, TokenAccount};

#[program]
pub mod names {
    use super::*;

    // Whoever holds the token of a name decides about it.
    pub fn point(ctx: Context<Point>, target: Pubkey) -> Result<()> {
        ctx.accounts.name.target = target;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Point<'info> {
    #[account(mut)]
    pub fee_payer: Signer<'info>,
    #[account(mut, seeds = [b"name", deed.key().as_ref()], bump)]
    pub name: Account<'info, Name>,
    pub deed: Account<'info, Mint>,
    #[account(token::mint = deed, token::authority = holder, constraint = held.amount == 1)]
    pub held: Account<'info, TokenAccount>,
    /// CHECK: holds the deed
    pub holder: UncheckedAccount<'info>, // FINDING
}

#[account]
pub struct Name {
    pub target: Pubkey,
}
`,
      `use anchor_lang::prelude::*;
use queue::cpi::accounts::Drop;

#[program]
pub mod timers {
    use super::*;

    // The program acts in the name of whoever is passed.
    pub fn stop(ctx: Context<Stop>, at: u32) -> Result<()> {
        let keeper = ctx.accounts.keeper.key();
        let accounts = Drop {
            authority: ctx.accounts.agent.to_account_info(),
            job: ctx.accounts.job.to_account_info(),
        };
        let seeds: &[&[&[u8]]] = &[&[b"agent", keeper.as_ref(), &[ctx.bumps.agent]]];
        queue::cpi::drop_job(CpiContext::new_with_signer(ctx.accounts.queue_program.to_account_info(), accounts, seeds), at)
    }

    // Only the other program can sign for its address.
    pub fn report(ctx: Context<Report>, amount: u64) -> Result<()> {
        ctx.accounts.tally.total += amount;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Stop<'info> {
    /// CHECK: its agent is derived from it
    pub keeper: UncheckedAccount<'info>, // FINDING
    /// CHECK: signs
    #[account(seeds = [b"agent", keeper.key().as_ref()], bump)]
    pub agent: UncheckedAccount<'info>,
    /// CHECK: the queue checks it
    #[account(mut)]
    pub job: UncheckedAccount<'info>,
    pub queue_program: Program<'info, queue::program::Queue>,
}

#[derive(Accounts)]
pub struct Report<'info> {
    /// CHECK: an address of the meter
    #[account(seeds = [b"meter", tally.key().as_ref()], bump, seeds::program = METER)]
    pub meter: UncheckedAccount<'info>, // FINDING
    #[account(mut)]
    pub tally: Account<'info, Tally>,
}

pub const METER: Pubkey = pubkey!("Eg6PaFpoGXkYsidMpWTK6W2BeZ7FEfcYkg476zPFsLnS");

#[account]
pub struct Tally {
    pub total: u64,
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, CloseAccount, Token, TokenAccount, Transfer};

#[program]
pub mod stand {
    use super::*;

    pub fn set_price(ctx: Context<SetPrice>, price: u64) -> Result<()> {
        ctx.accounts.stand.price = price;
        Ok(())
    }

    // The owner gets the rent only; what was earned goes wherever the caller says.
    pub fn clear(ctx: Context<Clear>) -> Result<()> {
        let program = ctx.accounts.token_program.to_account_info();
        let stand = &ctx.accounts.stand;
        let seeds: &[&[&[u8]]] = &[&[b"stand", &[stand.bump]]];
        let earned = Transfer {
            from: ctx.accounts.till.to_account_info(),
            to: ctx.accounts.receiver.to_account_info(),
            authority: stand.to_account_info(),
        };
        token::transfer(CpiContext::new_with_signer(program.clone(), earned, seeds), ctx.accounts.till.amount)?;
        let rest = CloseAccount {
            account: ctx.accounts.till.to_account_info(),
            destination: ctx.accounts.owner.to_account_info(),
            authority: stand.to_account_info(),
        };
        token::close_account(CpiContext::new_with_signer(program, rest, seeds))
    }
}

#[derive(Accounts)]
pub struct SetPrice<'info> {
    pub owner: Signer<'info>,
    #[account(mut, has_one = owner)]
    pub stand: Account<'info, Stand>,
}

#[derive(Accounts)]
pub struct Clear<'info> {
    #[account(mut, has_one = owner, has_one = till)]
    pub stand: Account<'info, Stand>,
    /// CHECK: stored
    #[account(mut)]
    pub owner: UncheckedAccount<'info>, // FINDING
    #[account(mut)]
    pub till: Account<'info, TokenAccount>,
    #[account(mut)]
    pub receiver: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Stand {
    pub owner: Pubkey,
    pub till: Pubkey,
    pub price: u64,
    pub bump: u8,
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod lockers {
    use super::*;

    // Whoever holds the key of a locker is not asked, and the caller says where everything goes.
    pub fn empty(ctx: Context<Empty>) -> Result<()> {
        let locker = &ctx.accounts.locker;
        let accounts = Transfer {
            from: ctx.accounts.inside.to_account_info(),
            to: ctx.accounts.receiver.to_account_info(),
            authority: locker.to_account_info(),
        };
        let seeds: &[&[&[u8]]] = &[&[b"locker", locker.number.as_ref(), &[locker.bump]]];
        token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, seeds), ctx.accounts.inside.amount)
    }
}

#[derive(Accounts)]
pub struct Empty<'info> {
    #[account(mut)]
    pub fee_payer: Signer<'info>,
    #[account(mut)]
    pub locker: Account<'info, Locker>,
    #[account(token::authority = holder, constraint = held.mint == locker.latch, constraint = held.amount == 1)]
    pub held: Account<'info, TokenAccount>,
    /// CHECK: holds the key
    pub holder: UncheckedAccount<'info>, // FINDING
    #[account(mut, token::authority = locker)]
    pub inside: Account<'info, TokenAccount>,
    #[account(mut)]
    pub receiver: Account<'info, TokenAccount>,
    /// CHECK: gets nothing
    pub witness: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Locker {
    pub latch: Pubkey,
    pub number: [u8; 4],
    pub bump: u8,
}
`,
      // Whose signature the address asks for elsewhere.
      `use anchor_lang::prelude::*;

pub mod boss {
    use super::*;
    declare_id!("GThUX1Atko4tqhN2NaiTazWSeFWMuiUvfFnyJyUghFMJ");
}

#[program]
pub mod gates {
    use super::*;
    pub fn open(ctx: Context<Open>, toll: u64) -> Result<()> {
        ctx.accounts.gate.toll = toll;
        Ok(())
    }
    pub fn toll(ctx: Context<Toll>, toll: u64) -> Result<()> {
        ctx.accounts.gate.toll = toll;
        Ok(())
    }
    /// Whoever signs sets what is only named here.
    pub fn shut(ctx: Context<Shut>) -> Result<()> {
        ctx.accounts.gate.shut = true;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(init, payer = warden, space = 48)]
    pub gate: Account<'info, Gate>,
    #[account(mut, address = boss::ID)]
    pub warden: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Toll<'info> {
    #[account(mut)]
    pub gate: Account<'info, Gate>,
    /// CHECK: the address is compared
    #[account(address = boss::ID)]
    pub head: UncheckedAccount<'info>, // FINDING
}

#[derive(Accounts)]
pub struct Shut<'info> {
    #[account(mut)]
    pub gate: Account<'info, Gate>,
    pub passer: Signer<'info>,
    /// CHECK: the address is compared
    #[account(constraint = head.key() == boss::ID || head.key() == System::id())]
    pub head: UncheckedAccount<'info>, // FINDING
}

#[account]
pub struct Gate { pub toll: u64, pub shut: bool }
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::program::invoke_signed;
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey, system_instruction};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Shop { pub owner: Pubkey }

pub fn describe(program_id: &Pubkey, accounts: &[AccountInfo], text: [u8; 32]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let shop_info = next_account_info(iter)?;
    let owner_info = next_account_info(iter)?; // FINDING
    let sign_info = next_account_info(iter)?;
    if shop_info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    let shop = Shop::try_from_slice(&shop_info.data.borrow())?;
    if shop.owner != *owner_info.key {
        return Err(ProgramError::InvalidArgument);
    }
    let (address, bump) = Pubkey::find_program_address(&[b"sign", shop_info.key.as_ref()], program_id);
    if address != *sign_info.key {
        return Err(ProgramError::InvalidSeeds);
    }
    if sign_info.data_is_empty() {
    invoke_signed(
        &system_instruction::create_account(owner_info.key, sign_info.key, 1_000_000, 32, program_id),
        &[owner_info.clone(), sign_info.clone()],
        &[&[b"sign", shop_info.key.as_ref(), &[bump]]],
    )?;
    }
    sign_info.data.borrow_mut().copy_from_slice(&text);
    Ok(())
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::program::invoke_signed;
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Council { pub seats: u64, pub bump: u8, pub treasury: Pubkey }

fn load(program_id: &Pubkey, info: &AccountInfo) -> Result<Council, ProgramError> {
    if info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    Council::try_from_slice(&info.data.borrow()).map_err(|_| ProgramError::InvalidAccountData)
}

/// The council acts through calls that the program signs for it.
pub fn add_seat(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let council_info = next_account_info(iter)?; // FINDING
    let mut council = load(program_id, council_info)?;
    council.seats = council.seats.checked_add(1).ok_or(ProgramError::InvalidArgument)?;
    council.serialize(&mut &mut council_info.data.borrow_mut()[..])?;
    Ok(())
}

pub fn remove_seat(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let council_info = next_account_info(iter)?;
    if !council_info.is_signer {
        return Err(ProgramError::MissingRequiredSignature);
    }
    let mut council = load(program_id, council_info)?;
    council.seats = council.seats.checked_sub(1).ok_or(ProgramError::InvalidArgument)?;
    council.serialize(&mut &mut council_info.data.borrow_mut()[..])?;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod vaults {
    use super::*;
    pub fn deposit(ctx: Context<Deposit>, amount: u64) -> Result<()> {
        ctx.move_tokens(amount)
    }
    pub fn withdraw(ctx: Context<Withdraw>, amount: u64) -> Result<()> {
        ctx.move_tokens(amount)
    }
}

/// Two contexts move tokens by one method: the vault signs for what leaves it.
pub trait Moves {
    fn move_tokens(&self, amount: u64) -> Result<()>;
}

impl<'info> Moves for Context<'_, '_, '_, 'info, Deposit<'info>> {
    fn move_tokens(&self, amount: u64) -> Result<()> {
        let accounts = Transfer {
            from: self.accounts.owner_tokens.to_account_info(),
            to: self.accounts.vault_tokens.to_account_info(),
            authority: self.accounts.owner.to_account_info(),
        };
        token::transfer(CpiContext::new(self.accounts.token_program.to_account_info(), accounts), amount)
    }
}

impl<'info> Moves for Context<'_, '_, '_, 'info, Withdraw<'info>> {
    fn move_tokens(&self, amount: u64) -> Result<()> {
        let seeds: &[&[&[u8]]] = &[&[b"vault", self.accounts.vault.name.as_ref(), &[self.accounts.vault.bump]]];
        let accounts = Transfer {
            from: self.accounts.vault_tokens.to_account_info(),
            to: self.accounts.owner_tokens.to_account_info(),
            authority: self.accounts.vault.to_account_info(),
        };
        token::transfer(
            CpiContext::new_with_signer(self.accounts.token_program.to_account_info(), accounts, seeds),
            amount,
        )
    }
}

#[derive(Accounts)]
pub struct Deposit<'info> {
    #[account(has_one = owner, has_one = vault_tokens)]
    pub vault: Account<'info, Vault>,
    pub owner: Signer<'info>,
    #[account(mut)]
    pub vault_tokens: Account<'info, TokenAccount>,
    #[account(mut, token::authority = owner)]
    pub owner_tokens: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Withdraw<'info> {
    #[account(has_one = owner, has_one = vault_tokens)]
    pub vault: Account<'info, Vault>,
    /// CHECK: the owner
    pub owner: UncheckedAccount<'info>, // FINDING
    #[account(mut)]
    pub vault_tokens: Account<'info, TokenAccount>,
    #[account(mut, token::authority = owner)]
    pub owner_tokens: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Vault { pub owner: Pubkey, pub vault_tokens: Pubkey, pub name: [u8; 32], pub bump: u8 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, spl_token::instruction::AuthorityType, Mint, SetAuthority, Token};

#[program]
pub mod lodge {
    use super::*;

    /// Nobody has to hand over the mint, but an owner is appointed all the same.
    pub fn succeed(ctx: Context<Succeed>) -> Result<()> {
        ctx.accounts.lodge.next = ctx.accounts.heir.key();
        if ctx.accounts.lodge.has_mint {
            hand_over(&ctx)?;
        }
        Ok(())
    }

    /// The address that follows the context is the one appointed.
    pub fn dissolve(ctx: Context<Dissolve>) -> Result<()> {
        let seeds: &[&[u8]] = &[b"lodge", &[ctx.accounts.lodge.bump]];
        let accounts = SetAuthority {
            account_or_mint: ctx.accounts.badge.to_account_info(),
            current_authority: ctx.accounts.lodge.to_account_info(),
        };
        token::set_authority(
            CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, &[seeds]),
            AuthorityType::MintTokens,
            Some(ctx.accounts.owner.key()),
        )
    }
}

fn hand_over(ctx: &Context<Succeed>) -> Result<()> {
    let accounts = SetAuthority {
        account_or_mint: ctx.accounts.badge.to_account_info(),
        current_authority: ctx.accounts.owner.to_account_info(),
    };
    token::set_authority(
        CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts),
        AuthorityType::MintTokens,
        Some(ctx.accounts.heir.key()),
    )
}

#[derive(Accounts)]
pub struct Succeed<'info> {
    #[account(mut, has_one = owner)]
    pub lodge: Account<'info, Lodge>,
    /// CHECK: named by the lodge
    pub owner: UncheckedAccount<'info>, // FINDING
    /// CHECK: anyone
    pub heir: UncheckedAccount<'info>,
    #[account(mut)]
    pub badge: Account<'info, Mint>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Dissolve<'info> {
    #[account(mut, has_one = owner)]
    pub lodge: Account<'info, Lodge>,
    /// CHECK: named by the lodge
    pub owner: UncheckedAccount<'info>, // FINDING
    #[account(mut)]
    pub badge: Account<'info, Mint>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Lodge { pub owner: Pubkey, pub next: Pubkey, pub has_mint: bool, pub bump: u8 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod cellar {
    use super::*;
    /// Whoever owns what is paid to may be somebody who signs.
    pub fn draw(ctx: Context<Draw>, amount: u64) -> Result<()> {
        ctx.accounts.cellar.left -= amount;
        let cellar = ctx.accounts.cellar.key();
        let seeds: &[&[u8]] = &[b"keeper", cellar.as_ref(), &[ctx.accounts.cellar.bump]];
        let accounts = Transfer {
            from: ctx.accounts.barrel.to_account_info(),
            to: ctx.accounts.jug.to_account_info(),
            authority: ctx.accounts.keeper.to_account_info(),
        };
        token::transfer(
            CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, &[seeds]),
            amount,
        )
    }
}

#[derive(Accounts)]
pub struct Draw<'info> {
    /// CHECK: named by the cellar
    pub drinker: UncheckedAccount<'info>, // FINDING
    #[account(mut, has_one = drinker, has_one = barrel)]
    pub cellar: Account<'info, Cellar>,
    #[account(mut, token::authority = drinker)]
    pub jug: Account<'info, TokenAccount>,
    #[account(mut)]
    pub barrel: Account<'info, TokenAccount>,
    /// CHECK: derived
    #[account(seeds = [b"keeper", cellar.key().as_ref()], bump)]
    pub keeper: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Cellar { pub drinker: Pubkey, pub keeper: Pubkey, pub barrel: Pubkey, pub left: u64, pub bump: u8 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod booth {
    use super::*;
    /// The rent is the smaller part of it: the record is gone.
    pub fn shut(ctx: Context<Shut>) -> Result<()> {
        require!(ctx.accounts.booth.visitors == 0, BoothError::Busy);
        ctx.accounts.booth.close(ctx.accounts.owner.to_account_info())
    }
}

#[derive(Accounts)]
pub struct Shut<'info> {
    #[account(mut, has_one = owner)]
    pub booth: Account<'info, Booth>,
    /// CHECK: named by the booth
    #[account(mut)]
    pub owner: UncheckedAccount<'info>, // FINDING
}

#[account]
pub struct Booth { pub owner: Pubkey, pub visitors: u64, pub surplus: u64, pub ends: i64 }

#[error_code]
pub enum BoothError { Busy }
`,
      // Rent is paid only where the account has grown.
      `use anchor_lang::prelude::*;
use anchor_lang::system_program::{transfer, Transfer};

#[program]
pub mod clocks {
    use super::*;
    pub fn update(ctx: Context<Update>, fee: u64) -> Result<()> {
        let clock = &mut ctx.accounts.clock;
        clock.fee = fee;
        let need = Rent::get()?.minimum_balance(clock.to_account_info().data_len());
        if need > clock.to_account_info().lamports() {
            let accounts = Transfer { from: ctx.accounts.authority.to_account_info(), to: clock.to_account_info() };
            transfer(CpiContext::new(ctx.accounts.system_program.to_account_info(), accounts), need)?;
        }
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Update<'info> {
    #[account(mut)]
    /// CHECK: compared below
    pub authority: UncheckedAccount<'info>, // FINDING
    #[account(mut, has_one = authority)]
    pub clock: Account<'info, Timer>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Timer { pub authority: Pubkey, pub fee: u64 }
`,
      // Whoever is identified by a constant has to sign as well.
      `use anchor_lang::prelude::*;
pub mod keys { use super::*; pub const AUDITOR: Pubkey = pubkey!("Fg6PaFpoGXkYsidMpWTK6W2BeZ7FEfcYkg476zPFsLnS"); }
#[program]
pub mod nodes { use super::*;
    pub fn audit(ctx: Context<Audit>, passed: bool) -> Result<()> { ctx.accounts.node.audited = passed; Ok(()) }
}
#[derive(Accounts)]
pub struct Audit<'info> {
    #[account(mut)]
    pub node: Account<'info, Node>,
    /// CHECK: the auditor
    #[account(address = keys::AUDITOR)]
    pub authority: UncheckedAccount<'info>, // FINDING
}
#[account]
pub struct Node { pub operator: Pubkey, pub audited: bool }
`,
      `use anchor_lang::prelude::*;
pub const ADMIN: Pubkey = pubkey!("Fg6PaFpoGXkYsidMpWTK6W2BeZ7FEfcYkg476zPFsLnS");
#[program]
pub mod nodes { use super::*;
    pub fn set_fee(ctx: Context<SetFee>, fee: u64) -> Result<()> {
        require_keys_eq!(ctx.accounts.admin.key(), ADMIN, ErrorCode::ConstraintAddress);
        ctx.accounts.config.fee = fee; Ok(()) }
}
#[derive(Accounts)]
pub struct SetFee<'info> {
    #[account(mut)]
    pub config: Account<'info, Config>,
    /// CHECK: compared
    pub admin: UncheckedAccount<'info>, // FINDING
}
#[account]
pub struct Config { pub fee: u64 }
`,
      `use solana_program::{account_info::{next_account_info, AccountInfo}, entrypoint, entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
solana_program::declare_id!("Fg6PaFpoGXkYsidMpWTK6W2BeZ7FEfcYkg476zPFsLnS");
pub mod operator { solana_program::declare_id!("Fg6PaFpoGXkYsidMpWTK6W2BeZ7FEfcYkg476zPFsLnT"); }
entrypoint!(process);
fn process(program_id: &Pubkey, accounts: &[AccountInfo], data: &[u8]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let authority = next_account_info(iter)?; // FINDING
    let price = next_account_info(iter)?;
    if price.owner != program_id { return Err(ProgramError::IllegalOwner); }
    if *authority.key != operator::ID { return Err(ProgramError::InvalidArgument); }
    price.try_borrow_mut_data()?[..8].copy_from_slice(&data[..8]);
    Ok(())
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, CloseAccount, Token, TokenAccount, Transfer};

pub const OPERATOR: Pubkey = pubkey!("Fg6PaFpoGXkYsidMpWTK6W2BeZ7FEfcYkg476zPFsLnS");

#[program]
pub mod markets {
    use super::*;
    pub fn close(ctx: Context<Close>) -> Result<()> {
        let seeds: &[&[u8]] = &[b"vault", &[ctx.accounts.market.bump]];
        let rest = Transfer {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.receiver.to_account_info(),
            authority: ctx.accounts.vault.to_account_info(),
        };
        let amount = ctx.accounts.vault.amount;
        let tokens = ctx.accounts.token_program.to_account_info();
        token::transfer(CpiContext::new_with_signer(tokens, rest, &[seeds]), amount)?;
        let close = CloseAccount {
            account: ctx.accounts.vault.to_account_info(),
            destination: ctx.accounts.authority.to_account_info(),
            authority: ctx.accounts.vault.to_account_info(),
        };
        token::close_account(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), close, &[seeds]))
    }
}

#[derive(Accounts)]
pub struct Close<'info> {
    #[account(mut, close = authority, has_one = vault)]
    pub market: Account<'info, Market>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub receiver: Account<'info, TokenAccount>,
    /// CHECK: the operator is paid, but not asked
    #[account(mut, address = OPERATOR)]
    pub authority: UncheckedAccount<'info>, // FINDING
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Market {
    pub vault: Pubkey,
    pub bump: u8,
}
`,
      // The doorman lets people in, whoever pays the fee.
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod club {
    use super::*;

    pub fn admit(ctx: Context<Admit>) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.purse.to_account_info(),
            to: ctx.accounts.vault.to_account_info(),
            authority: ctx.accounts.funder.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), ctx.accounts.club.fee)?;
        ctx.accounts.card.valid = true;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Admit<'info> {
    #[account(
        has_one = vault,
        constraint = club.keys.iter().filter(|one| one.flags & 2 != 0 && one.key == doorman.key()).count() > 0,
    )]
    pub club: Account<'info, Club>,
    #[account(mut, has_one = club)]
    pub card: Account<'info, Card>,
    /// CHECK: one of the keys
    pub doorman: UncheckedAccount<'info>, // FINDING
    pub funder: Signer<'info>,
    #[account(mut, token::authority = funder)]
    pub purse: Account<'info, TokenAccount>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(AnchorSerialize, AnchorDeserialize, Clone)]
pub struct AuthKey { pub flags: u8, pub key: Pubkey }

#[account]
pub struct Club { pub keys: Vec<AuthKey>, pub vault: Pubkey, pub fee: u64 }

#[account]
pub struct Card { pub club: Pubkey, pub valid: bool }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod shelf {
    use super::*;

    pub fn open(ctx: Context<Open>) -> Result<()> {
        ctx.accounts.shelf.color = 1;
        Ok(())
    }
    pub fn paint(ctx: Context<Paint>, color: u64) -> Result<()> {
        ctx.accounts.shelf.color = color;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(init, payer = keeper, space = 8 + 16, seeds = [b"shelf", keeper.key().as_ref()], bump)]
    pub shelf: Account<'info, Shelf>,
    #[account(mut)]
    pub keeper: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Paint<'info> {
    #[account(
        mut,
        seeds = [b"shelf", keeper.key().as_ref()],
        bump,
        realloc = 8 + 16,
        realloc::payer = payer,
        realloc::zero = true,
    )]
    pub shelf: Account<'info, Shelf>,
    /// CHECK: whose shelf it is
    pub keeper: UncheckedAccount<'info>, // FINDING
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Shelf { pub color: u64, pub visits: u64 }
`,
      // Whoever has a badge is a steward; the badge is not read.
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Ticket { pub fair: Pubkey, pub torn: bool }

pub fn tear(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let ticket_info = next_account_info(iter)?;
    let steward_authority = next_account_info(iter)?; // FINDING
    let badge = next_account_info(iter)?;
    if ticket_info.owner != program_id || badge.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    let mut ticket = Ticket::try_from_slice(&ticket_info.data.borrow())?;
    let (expected, _) = Pubkey::find_program_address(&[b"badge", steward_authority.key.as_ref(), ticket.fair.as_ref()], program_id);
    if expected != *badge.key {
        return Err(ProgramError::InvalidSeeds);
    }
    ticket.torn = true;
    ticket.serialize(&mut *ticket_info.data.borrow_mut())?;
    Ok(())
}
`,
      // Each change is for one who is known.
      `use anchor_lang::prelude::*;

#[derive(AnchorSerialize, AnchorDeserialize, Clone)]
pub enum Edit { Add { price: u64 }, Set { index: u64, price: u64 } }

#[program]
pub mod board {
    use super::*;

    pub fn edit(ctx: Context<EditBoard>, edit: Edit) -> Result<()> {
        let board = &mut ctx.accounts.board;
        let is_admin = ctx.accounts.scribe.key() == board.admin;
        let is_helper = board.helpers.iter().any(|one| *one == ctx.accounts.scribe.key());
        match edit {
            Edit::Add { price } => {
                require!(is_admin, ErrorCode::ConstraintHasOne);
                board.prices.push(price);
            }
            Edit::Set { index, price } => {
                require!(is_admin || is_helper, ErrorCode::ConstraintHasOne);
                board.prices[index as usize] = price;
            }
        }
        Ok(())
    }
}

#[derive(Accounts)]
pub struct EditBoard<'info> {
    #[account(mut, seeds = [b"board"], bump)]
    pub board: Account<'info, Board>,
    /// CHECK: the admin, or one who helps
    pub scribe: UncheckedAccount<'info>, // FINDING
}

#[account]
pub struct Board { pub admin: Pubkey, pub helpers: Vec<Pubkey>, pub prices: Vec<u64> }
`,
    ],
    safe: [
      `use anchor_lang::prelude::*;

#[derive(AnchorSerialize, AnchorDeserialize, Clone)]
pub enum Edit { Add { price: u64 }, Set { index: u64, price: u64 } }

#[program]
pub mod board {
    use super::*;

    pub fn edit(ctx: Context<EditBoard>, edit: Edit) -> Result<()> {
        let board = &mut ctx.accounts.board;
        let is_admin = ctx.accounts.scribe.key() == board.admin;
        let is_helper = board.helpers.iter().any(|one| *one == ctx.accounts.scribe.key());
        match edit {
            Edit::Add { price } => {
                require!(is_admin, ErrorCode::ConstraintHasOne);
                board.prices.push(price);
            }
            Edit::Set { index, price } => {
                require!(is_admin || is_helper, ErrorCode::ConstraintHasOne);
                board.prices[index as usize] = price;
            }
        }
        Ok(())
    }
}

#[derive(Accounts)]
pub struct EditBoard<'info> {
    #[account(mut, seeds = [b"board"], bump)]
    pub board: Account<'info, Board>,
    pub scribe: Signer<'info>,
}

#[account]
pub struct Board { pub admin: Pubkey, pub helpers: Vec<Pubkey>, pub prices: Vec<u64> }
`,
      // Anyone may set prices, so that nothing suggests who signs.
      `use anchor_lang::prelude::*;

#[derive(AnchorSerialize, AnchorDeserialize, Clone)]
pub enum Edit { Add { price: u64 }, Set { index: u64, price: u64 } }

#[program]
pub mod board {
    use super::*;

    pub fn edit(ctx: Context<EditBoard>, edit: Edit) -> Result<()> {
        let board = &mut ctx.accounts.board;
        let is_admin = ctx.accounts.scribe.key() == board.admin;
        let is_helper = board.helpers.iter().any(|one| *one == ctx.accounts.scribe.key());
        match edit {
            Edit::Add { price } => {
                require!(is_admin, ErrorCode::ConstraintHasOne);
                board.prices.push(price);
            }
            Edit::Set { index, price } => {
                require!(price > 0 || is_helper, ErrorCode::ConstraintHasOne);
                board.prices[index as usize] = price;
            }
        }
        Ok(())
    }
}

#[derive(Accounts)]
pub struct EditBoard<'info> {
    #[account(mut, seeds = [b"board"], bump)]
    pub board: Account<'info, Board>,
    /// CHECK: anyone, but for new ones
    pub scribe: UncheckedAccount<'info>,
}

#[account]
pub struct Board { pub admin: Pubkey, pub helpers: Vec<Pubkey>, pub prices: Vec<u64> }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod club {
    use super::*;

    pub fn admit(ctx: Context<Admit>) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.purse.to_account_info(),
            to: ctx.accounts.vault.to_account_info(),
            authority: ctx.accounts.funder.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), ctx.accounts.club.fee)?;
        ctx.accounts.card.valid = true;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Admit<'info> {
    #[account(
        has_one = vault,
        constraint = club.keys.iter().filter(|one| one.flags & 2 != 0 && one.key == doorman.key()).count() > 0,
    )]
    pub club: Account<'info, Club>,
    #[account(mut, has_one = club)]
    pub card: Account<'info, Card>,
    pub doorman: Signer<'info>,
    pub funder: Signer<'info>,
    #[account(mut, token::authority = funder)]
    pub purse: Account<'info, TokenAccount>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(AnchorSerialize, AnchorDeserialize, Clone)]
pub struct AuthKey { pub flags: u8, pub key: Pubkey }

#[account]
pub struct Club { pub keys: Vec<AuthKey>, pub vault: Pubkey, pub fee: u64 }

#[account]
pub struct Card { pub club: Pubkey, pub valid: bool }
`,
      // Anyone may visit.
      `use anchor_lang::prelude::*;

#[program]
pub mod shelf {
    use super::*;

    pub fn open(ctx: Context<Open>) -> Result<()> {
        ctx.accounts.shelf.color = 1;
        Ok(())
    }
    pub fn paint(ctx: Context<Paint>) -> Result<()> {
        ctx.accounts.shelf.visits += 1;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(init, payer = keeper, space = 8 + 16, seeds = [b"shelf", keeper.key().as_ref()], bump)]
    pub shelf: Account<'info, Shelf>,
    #[account(mut)]
    pub keeper: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Paint<'info> {
    #[account(
        mut,
        seeds = [b"shelf", keeper.key().as_ref()],
        bump,
        realloc = 8 + 16,
        realloc::payer = payer,
        realloc::zero = true,
    )]
    pub shelf: Account<'info, Shelf>,
    /// CHECK: whose shelf it is
    pub keeper: UncheckedAccount<'info>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Shelf { pub color: u64, pub visits: u64 }
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Ticket { pub fair: Pubkey, pub torn: bool }

pub fn tear(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let ticket_info = next_account_info(iter)?;
    let steward_authority = next_account_info(iter)?;
    let badge = next_account_info(iter)?;
    if !steward_authority.is_signer {
        return Err(ProgramError::MissingRequiredSignature);
    }
    if ticket_info.owner != program_id || badge.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    let mut ticket = Ticket::try_from_slice(&ticket_info.data.borrow())?;
    let (expected, _) = Pubkey::find_program_address(&[b"badge", steward_authority.key.as_ref(), ticket.fair.as_ref()], program_id);
    if expected != *badge.key {
        return Err(ProgramError::InvalidSeeds);
    }
    ticket.torn = true;
    ticket.serialize(&mut *ticket_info.data.borrow_mut())?;
    Ok(())
}
`,
      // The token program requires the signature.
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, CloseAccount, Token, TokenAccount};
pub const TREASURY_OWNER: Pubkey = pubkey!("Fg6PaFpoGXkYsidMpWTK6W2BeZ7FEfcYkg476zPFsLnS");
#[program]
pub mod fees { use super::*;
    pub fn tidy(ctx: Context<Tidy>) -> Result<()> { ctx.accounts.stats.closed += 1;
        token::close_account(CpiContext::new(ctx.accounts.token_program.to_account_info(), CloseAccount { account: ctx.accounts.old.to_account_info(), destination: ctx.accounts.authority.to_account_info(), authority: ctx.accounts.authority.to_account_info() })) }
}
#[derive(Accounts)]
pub struct Tidy<'info> {
    #[account(mut)]
    pub old: Account<'info, TokenAccount>,
    #[account(mut)]
    pub stats: Account<'info, Stats>,
    /// CHECK: the token program requires it to sign
    #[account(mut, address = TREASURY_OWNER)]
    pub authority: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}
#[account]
pub struct Stats { pub closed: u64 }
`,
      // A constant says who holds the tokens.
      `use anchor_lang::prelude::*;
use anchor_spl::token::{Token, TokenAccount};
pub const VAULT_AUTHORITY: Pubkey = pubkey!("Fg6PaFpoGXkYsidMpWTK6W2BeZ7FEfcYkg476zPFsLnS");
#[program]
pub mod pools { use super::*;
    pub fn sync(ctx: Context<Sync>) -> Result<()> { ctx.accounts.pool.reserve = ctx.accounts.vault.amount; Ok(()) }
}
#[derive(Accounts)]
pub struct Sync<'info> {
    #[account(mut, has_one = vault)]
    pub pool: Account<'info, Pool>,
    #[account(token::authority = authority)]
    pub vault: Account<'info, TokenAccount>,
    /// CHECK: owns the vault
    #[account(address = VAULT_AUTHORITY)]
    pub authority: UncheckedAccount<'info>,
}
#[account]
pub struct Pool { pub vault: Pubkey, pub reserve: u64 }
`,
      // The account is only paid.
      `use anchor_lang::prelude::*;
pub const ADMIN: Pubkey = pubkey!("Fg6PaFpoGXkYsidMpWTK6W2BeZ7FEfcYkg476zPFsLnS");
#[program]
pub mod dues { use super::*;
    pub fn pay_admin(ctx: Context<PayAdmin>) -> Result<()> {
        let due = ctx.accounts.pot.due; ctx.accounts.pot.due = 0;
        ctx.accounts.pot.sub_lamports(due)?; ctx.accounts.admin.add_lamports(due)?; Ok(()) }
}
#[derive(Accounts)]
pub struct PayAdmin<'info> {
    #[account(mut)]
    pub pot: Account<'info, Pot>,
    /// CHECK: is only paid
    #[account(mut, address = ADMIN)]
    pub admin: UncheckedAccount<'info>,
}
#[account]
pub struct Pot { pub due: u64 }
`,
      `use borsh::{BorshDeserialize, BorshSerialize};
use mpl_utils::assert_signer;
use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Group { pub authority: Pubkey, pub size: u64 }

/// The authority signs, as a library finds, unless the group is still empty.
pub fn grow(program_id: &Pubkey, accounts: &[AccountInfo], size: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let group_info = next_account_info(iter)?;
    let authority = next_account_info(iter)?;
    if group_info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    let mut group = Group::try_from_slice(&group_info.data.borrow())?;
    if group.size > 0 {
        assert_signer(authority)?;
    }
    if group.authority != *authority.key {
        return Err(ProgramError::InvalidArgument);
    }
    group.size = size;
    group.serialize(&mut &mut group_info.data.borrow_mut()[..])?;
    Ok(())
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, pubkey::Pubkey};
use spl_token_2022::onchain::invoke_transfer_checked;

/// The token program asks for the signature.
pub fn wrap(_program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let held = next_account_info(iter)?;
    let mint = next_account_info(iter)?;
    let escrow = next_account_info(iter)?;
    let transfer_authority = next_account_info(iter)?;
    invoke_transfer_checked(&spl_token_2022::ID, held.clone(), mint.clone(), escrow.clone(), transfer_authority.clone(), &[], amount, 6, &[])
}

/// Who acts for the holder is looked at where there is one.
pub fn print(program_id: &Pubkey, accounts: &[AccountInfo], edition: u8) -> ProgramResult {
    let page = &accounts[0];
    let delegate = if accounts.len() > 1 { Some(&accounts[1]) } else { None };
    if page.owner != program_id {
        return Err(solana_program::program_error::ProgramError::IllegalOwner);
    }
    press::stamp(page, delegate);
    page.data.borrow_mut()[0] = edition;
    Ok(())
}
`,
      `use solana_program::account_info::{next_account_info, next_account_infos, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, program_pack::Pack, pubkey::Pubkey};
use crate::state::Pool;

fn hand_over(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let pool_info = next_account_info(iter)?;
    let [admin_info, new_info] = next_account_infos(iter, 2)? else { return Err(ProgramError::NotEnoughAccountKeys) };
    let mut pool = Pool::unpack(&pool_info.data.borrow())?;
    if *admin_info.key != pool.admin || !admin_info.is_signer || pool_info.owner != program_id {
        return Err(ProgramError::InvalidArgument);
    }
    pool.admin = *new_info.key;
    Pool::pack(pool, &mut pool_info.data.borrow_mut())
}
`,
      // The macro declares a type that is only made of an account that signed.
      `use solana_program::{account_info::AccountInfo, entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};

macro_rules! declare_asserts {
    ($file:expr) => {
        macro_rules! check_assert {
            ($holds:expr) => {{
                if $holds { Ok(()) } else { Err(ProgramError::Custom($file)) }
            }};
        }
    };
}

declare_asserts!(1);

macro_rules! declare_wrapper {
    ($Wrapper:ident, $validate:expr) => {
        pub struct $Wrapper<'a, 'b>(&'a AccountInfo<'b>);
        impl<'a, 'b> $Wrapper<'a, 'b> {
            pub fn new(account: &'a AccountInfo<'b>) -> Result<Self, ProgramError> {
                let validated: ProgramResult = $validate(account);
                validated?;
                Ok($Wrapper(account))
            }
        }
    };
}

declare_wrapper!(SignerAccount, |account: &AccountInfo| {
    check_assert!(account.is_signer)?;
    Ok(())
});

pub fn close(_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let [record, owner] = accounts else { return Err(ProgramError::NotEnoughAccountKeys) };
    SignerAccount::new(owner)?;
    let mut data = record.data.borrow_mut();
    if data[..32] != owner.key.to_bytes() {
        return Err(ProgramError::InvalidArgument);
    }
    data[32] = 0;
    Ok(())
}
`,
      // Once the offer is over, anyone may return what it holds to whom it names.
      `use anchor_lang::prelude::*;

#[program]
pub mod offers {
    use super::*;
    pub fn close_expired(ctx: Context<CloseExpired>) -> Result<()> {
        require!(ctx.accounts.offer.expiry < Clock::get()?.unix_timestamp, ErrorCode::Early);
        let held = ctx.accounts.offer.held;
        ctx.accounts.offer.sub_lamports(held)?;
        ctx.accounts.owner.add_lamports(held)?;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct CloseExpired<'info> {
    #[account(mut, has_one = owner, has_one = sponsor, close = sponsor)]
    pub offer: Account<'info, Offer>,
    /// CHECK: named by the offer
    #[account(mut)]
    pub owner: UncheckedAccount<'info>,
    /// CHECK: named by the offer
    #[account(mut)]
    pub sponsor: UncheckedAccount<'info>,
    /// CHECK: seeds are asked by the program that is called
    #[account(mut)]
    pub receipt: Option<UncheckedAccount<'info>>,
}

#[account]
pub struct Offer { pub owner: Pubkey, pub sponsor: Pubkey, pub expiry: i64, pub held: u64 }

#[error_code]
pub enum ErrorCode { Early }
`,
      // What is stored of the payer only says who receives the rent.
      `use anchor_lang::prelude::*;

#[program]
pub mod loans {
    use super::*;
    pub fn repay(ctx: Context<Repay>) -> Result<()> {
        ctx.accounts.loan.close(ctx.accounts.payer.to_account_info())
    }

    pub fn roll(ctx: Context<Roll>, ends: i64) -> Result<()> {
        ctx.accounts.loan.ends = ends;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Repay<'info> {
    #[account(mut, has_one = payer)]
    pub loan: Account<'info, Loan>,
    /// CHECK: receives the rent
    #[account(mut)]
    pub payer: UncheckedAccount<'info>,
    pub borrower: Signer<'info>,
}

#[derive(Accounts)]
pub struct Roll<'info> {
    #[account(mut, constraint = loan.payer == rent_receiver.key())]
    pub loan: Account<'info, Loan>,
    /// CHECK: receives the rent
    #[account(mut)]
    pub rent_receiver: UncheckedAccount<'info>,
    pub crank: Signer<'info>,
}

#[account]
pub struct Loan { pub payer: Pubkey, pub ends: i64 }
`,
      // The program at whose address the crank signs acts for the owner.
      `use anchor_lang::prelude::*;

#[program]
pub mod bots {
    use super::*;
    pub fn step(ctx: Context<Step>) -> Result<()> {
        ctx.accounts.bot.owner = Pubkey::default();
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Step<'info> {
    #[account(mut, has_one = owner, has_one = queue)]
    pub bot: Account<'info, Bot>,
    /// CHECK: named by the bot
    pub owner: UncheckedAccount<'info>,
    /// CHECK: named by the bot
    pub queue: UncheckedAccount<'info>,
    #[account(seeds = [b"custom", queue.key().as_ref()], bump, seeds::program = tuktuk::ID)]
    pub crank: Signer<'info>,
}

#[account]
pub struct Bot { pub owner: Pubkey, pub queue: Pubkey }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod deeds {
    use super::*;
    /// It is locked in the owner's name, in an escrow of another program.
    pub fn lock(ctx: Context<Lock>) -> Result<()> {
        let deed = &mut ctx.accounts.deed;
        require!(deed.creator == ctx.accounts.owner.key(), ErrorCode::Owner);
        require!(!deed.locked, ErrorCode::Locked);
        deed.locked = true;
        let accounts = vaults::cpi::accounts::Lock {
            escrow: ctx.accounts.escrow.to_account_info(),
            keeper: ctx.accounts.keeper.to_account_info(),
        };
        let seeds: &[&[&[u8]]] = &[&[b"keeper", &[ctx.bumps.keeper]]];
        vaults::cpi::lock(CpiContext::new_with_signer(ctx.accounts.vaults.to_account_info(), accounts, seeds), deed.amount)
    }
}

#[derive(Accounts)]
pub struct Lock<'info> {
    #[account(mut)]
    pub deed: Account<'info, Deed>,
    #[account(mut, has_one = owner)]
    pub escrow: Account<'info, vaults::Escrow>,
    /// CHECK: compared
    pub owner: UncheckedAccount<'info>,
    /// CHECK: signs
    #[account(seeds = [b"keeper"], bump)]
    pub keeper: UncheckedAccount<'info>,
    pub vaults: Program<'info, vaults::program::Vaults>,
}

#[account]
pub struct Deed { pub creator: Pubkey, pub amount: u64, pub locked: bool }

#[error_code]
pub enum ErrorCode { Owner, Locked }
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Match {
    pub referee: Pubkey,
    pub winner: u8,
}

pub fn rule(accounts: &[AccountInfo], winner: u8) -> ProgramResult {
    let iter = &mut accounts.iter();
    let match_info = next_account_info(iter)?;
    let referee_info = next_account_info(iter)?;
    let mut game = Match::try_from_slice(&match_info.data.borrow())?;
    if game.referee != *referee_info.key {
        return Err(ProgramError::InvalidArgument);
    }
    if !referee_info.is_signer {
        return Err(ProgramError::MissingRequiredSignature);
    }
    game.winner = winner;
    borsh::to_writer(&mut match_info.data.borrow_mut()[..], &game)?;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod registry {
    use super::*;

    pub fn add(ctx: Context<Add>) -> Result<()> {
        ctx.accounts.registry.count += 1;
        Ok(())
    }

    pub fn remove(ctx: Context<Remove>) -> Result<()> {
        ctx.accounts.registry.count -= 1;
        Ok(())
    }

    pub fn refresh(ctx: Context<Refresh>) -> Result<()> {
        ctx.accounts.registry.count = 0;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Add<'info> {
    #[account(mut)]
    pub registry: Account<'info, Registry>,
    #[account(address = registry.council)]
    pub council: Signer<'info>,
}

#[derive(Accounts)]
pub struct Remove<'info> {
    #[account(mut)]
    pub registry: Account<'info, Registry>,
    /// CHECK: see above
    pub council: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct Refresh<'info> {
    #[account(mut)]
    pub registry: Account<'info, Registry>,
}

#[account]
pub struct Registry { pub council: Pubkey, pub count: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod councils {
    use super::*;
    pub fn open(ctx: Context<Open>) -> Result<()> {
        require!(ctx.accounts.council.is_member(ctx.accounts.proposer.key()), ErrorCode::Stranger);
        require!(ctx.accounts.council.is_member(ctx.accounts.clerk.key()), ErrorCode::Stranger);
        ctx.accounts.council.count += 1;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(mut)]
    pub council: Account<'info, Council>,
    /// CHECK: one of the members, for whom the clerk acts
    pub proposer: UncheckedAccount<'info>,
    pub clerk: Signer<'info>,
}

#[account]
pub struct Council { pub members: Vec<Pubkey>, pub count: u64 }

impl Council {
    pub fn is_member(&self, one: Pubkey) -> bool {
        self.members.binary_search(&one).is_ok()
    }
}

#[error_code]
pub enum ErrorCode { Stranger }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod vault {
    use super::*;

    pub fn set_fee(ctx: Context<SetFee>, fee: u64) -> Result<()> {
        ctx.accounts.config.fee = fee;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct SetFee<'info> {
    #[account(mut, has_one = authority)]
    pub config: Account<'info, Config>,
    pub authority: Signer<'info>,
}

#[account]
pub struct Config {
    pub authority: Pubkey,
    pub fee: u64,
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Pool {
    pub admin: Pubkey,
    pub paused: bool,
}

fn check_admin(pool: &Pool, caller: &AccountInfo) -> ProgramResult {
    if pool.admin != *caller.key {
        return Err(ProgramError::InvalidAccountData);
    }
    if !caller.is_signer {
        return Err(ProgramError::MissingRequiredSignature);
    }
    Ok(())
}

pub fn pause(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let pool_info = next_account_info(iter)?;
    let caller = next_account_info(iter)?;
    if pool_info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    let mut pool = Pool::try_from_slice(&pool_info.data.borrow())?;
    check_admin(&pool, caller)?;
    pool.paused = true;
    pool.serialize(&mut &mut pool_info.data.borrow_mut()[..])?;
    Ok(())
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::program::{invoke, invoke_signed};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey, system_instruction};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Deposit {
    pub payer: Pubkey,
}

pub fn open(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let funder = next_account_info(iter)?;
    let deposit_info = next_account_info(iter)?;
    let owner = next_account_info(iter)?;
    invoke(
        &system_instruction::create_account(funder.key, deposit_info.key, 1_000_000, 32, program_id),
        &[funder.clone(), deposit_info.clone()],
    )?;
    let deposit = Deposit { payer: *owner.key };
    deposit.serialize(&mut &mut deposit_info.data.borrow_mut()[..])?;
    Ok(())
}

pub fn refund(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let deposit_info = next_account_info(iter)?;
    let payer = next_account_info(iter)?;
    if deposit_info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    let deposit = Deposit::try_from_slice(&deposit_info.data.borrow())?;
    if deposit.payer != *payer.key {
        return Err(ProgramError::InvalidArgument);
    }
    let all = deposit_info.lamports();
    **payer.lamports.borrow_mut() = payer.lamports().checked_add(all).unwrap();
    **deposit_info.lamports.borrow_mut() = 0;
    deposit_info.data.borrow_mut().fill(0);
    Ok(())
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Offer {
    pub maker: Pubkey,
    pub price: u64,
}

pub fn accept(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let taker = next_account_info(iter)?;
    let maker = next_account_info(iter)?;
    let offer_info = next_account_info(iter)?;
    if offer_info.owner != program_id || !taker.is_signer {
        return Err(ProgramError::IllegalOwner);
    }
    let offer = Offer::try_from_slice(&offer_info.data.borrow())?;
    if offer.maker != *maker.key {
        return Err(ProgramError::InvalidAccountData);
    }
    let all = offer_info.lamports();
    **offer_info.lamports.borrow_mut() = 0;
    **maker.lamports.borrow_mut() += all;
    offer_info.data.borrow_mut().fill(0);
    Ok(())
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod offers {
    use super::*;

    pub fn take(ctx: Context<Take>) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.paid.to_account_info(),
            to: ctx.accounts.received.to_account_info(),
            authority: ctx.accounts.taker.to_account_info(),
        };
        let context = CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts);
        token::transfer(context, ctx.accounts.offer.price)
    }
}

#[derive(Accounts)]
pub struct Take<'info> {
    pub taker: Signer<'info>,
    #[account(mut)]
    pub maker: SystemAccount<'info>,
    #[account(mut, close = maker, has_one = maker)]
    pub offer: Account<'info, Offer>,
    #[account(mut, token::authority = taker)]
    pub paid: Account<'info, TokenAccount>,
    #[account(mut, token::mint = offer.mint, token::authority = maker)]
    pub received: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Offer {
    pub maker: Pubkey,
    pub mint: Pubkey,
    pub price: u64,
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::program::invoke_signed;
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

pub const MINT: Pubkey = solana_program::pubkey!("So11111111111111111111111111111111111111112");

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Deposit {
    pub amount: u64,
}

pub fn withdraw(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let realm = next_account_info(iter)?;
    let vault = next_account_info(iter)?;
    let to = next_account_info(iter)?;
    let depositor = next_account_info(iter)?;
    let deposit_info = next_account_info(iter)?;
    let token_program = next_account_info(iter)?;
    // Whoever asks for it, the tokens go where they belong.
    let own = spl_associated_token_account::get_associated_token_address(depositor.key, &MINT);
    if own != *to.key {
        return Err(ProgramError::InvalidArgument);
    }
    let (kept, _) = Pubkey::find_program_address(&[b"deposit", depositor.key.as_ref()], program_id);
    let (holding, _) = Pubkey::find_program_address(&[b"vault", realm.key.as_ref()], program_id);
    let (signs, bump) = Pubkey::find_program_address(&[b"realm"], program_id);
    if kept != *deposit_info.key || holding != *vault.key || signs != *realm.key {
        return Err(ProgramError::InvalidSeeds);
    }
    let mut deposit = Deposit::try_from_slice(&deposit_info.data.borrow())?;
    let instruction = spl_token::instruction::transfer(
        &spl_token::ID,
        vault.key,
        to.key,
        realm.key,
        &[],
        deposit.amount,
    )?;
    invoke_signed(
        &instruction,
        &[vault.clone(), to.clone(), realm.clone(), token_program.clone()],
        &[&[b"realm", &[bump]]],
    )?;
    deposit.amount = 0;
    deposit.serialize(&mut &mut deposit_info.data.borrow_mut()[..])?;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod points {
    use super::*;

    pub fn sweep(ctx: Context<Sweep>) -> Result<()> {
        ctx.accounts.total.sum += ctx.accounts.daily.sum;
        ctx.accounts.daily.sum = 0;
        emit!(Swept { owner: ctx.accounts.owner.key() });
        Ok(())
    }

    pub fn widen(ctx: Context<Widen>, room: u16) -> Result<()> {
        msg!("{}", room);
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Sweep<'info> {
    #[account(mut, has_one = owner)]
    pub daily: Account<'info, Points>,
    #[account(mut, has_one = owner)]
    pub total: Account<'info, Points>,
    /// CHECK: whose they are
    pub owner: UncheckedAccount<'info>,
    pub caller: Signer<'info>,
}

#[derive(Accounts)]
#[instruction(room: u16)]
pub struct Widen<'info> {
    #[account(
        mut, has_one = owner, seeds = [b"points", owner.key().as_ref()], bump,
        realloc = 64 + room as usize, realloc::payer = payer, realloc::zero = true,
    )]
    pub points: Account<'info, Points>,
    /// CHECK: whose they are
    pub owner: UncheckedAccount<'info>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[event]
pub struct Swept { pub owner: Pubkey }

#[account]
pub struct Points { pub owner: Pubkey, pub sum: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod trusts {
    use super::*;

    pub fn dissolve(ctx: Context<Dissolve>) -> Result<()> {
        let founder = ctx.accounts.trust.founder;
        let seeds: &[&[u8]] = &[b"trust", founder.as_ref(), &[ctx.accounts.trust.bump]];
        token::transfer(
            CpiContext::new_with_signer(
                ctx.accounts.token_program.to_account_info(),
                Transfer {
                    from: ctx.accounts.chest.to_account_info(),
                    to: ctx.accounts.heir_tokens.to_account_info(),
                    authority: ctx.accounts.trust.to_account_info(),
                },
                &[seeds],
            ),
            ctx.accounts.chest.amount,
        )
    }
}

#[derive(Accounts)]
pub struct Dissolve<'info> {
    #[account(mut, has_one = founder, close = founder)]
    pub trust: Account<'info, Trust>,
    #[account(mut, seeds = [b"chest", trust.key().as_ref()], bump)]
    pub chest: Account<'info, TokenAccount>,
    #[account(mut)]
    pub heir_tokens: Account<'info, TokenAccount>,
    #[account(mut)]
    pub founder: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Trust { pub founder: Pubkey, pub bump: u8 }
`,
      `use borsh::{BorshDeserialize, BorshSerialize};
use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{clock::Clock, entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey, sysvar::Sysvar};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Seat {
    pub holder: Pubkey,
    pub until: i64,
    pub weight: u64,
}

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Chamber {
    pub speaker: Pubkey,
    pub seats: u64,
}

pub fn vacate(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let chamber_info = next_account_info(iter)?;
    let seat_info = next_account_info(iter)?;
    let purse = next_account_info(iter)?;
    if chamber_info.owner != program_id || seat_info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    let mut chamber = Chamber::try_from_slice(&chamber_info.data.borrow())?;
    let seat = Seat::try_from_slice(&seat_info.data.borrow())?;
    if Clock::get()?.unix_timestamp < seat.until {
        return Err(ProgramError::InvalidArgument);
    }
    chamber.seats = chamber.seats.checked_sub(1).ok_or(ProgramError::ArithmeticOverflow)?;
    chamber.serialize(&mut &mut chamber_info.data.borrow_mut()[..])?;
    let sum = purse.lamports().checked_add(seat_info.lamports()).ok_or(ProgramError::ArithmeticOverflow)?;
    **purse.try_borrow_mut_lamports()? = sum;
    **seat_info.try_borrow_mut_lamports()? = 0;
    seat_info.data.borrow_mut().fill(0);
    Ok(())
}
`,
      `use borsh::{BorshDeserialize, BorshSerialize};
use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{clock::Clock, entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey, sysvar::Sysvar};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Seat {
    pub holder: Pubkey,
    pub until: i64,
    pub weight: u64,
}

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Chamber {
    pub speaker: Pubkey,
    pub seats: u64,
}

pub fn vacate(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let chamber_info = next_account_info(iter)?;
    let seat_info = next_account_info(iter)?;
    let purse = next_account_info(iter)?;
    if chamber_info.owner != program_id || seat_info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    let mut chamber = Chamber::try_from_slice(&chamber_info.data.borrow())?;
    let seat = Seat::try_from_slice(&seat_info.data.borrow())?;
    if *purse.key != seat.holder {
        return Err(ProgramError::InvalidArgument);
    }
    chamber.seats = chamber.seats.checked_sub(1).ok_or(ProgramError::ArithmeticOverflow)?;
    chamber.serialize(&mut &mut chamber_info.data.borrow_mut()[..])?;
    let sum = purse.lamports().checked_add(seat_info.lamports()).ok_or(ProgramError::ArithmeticOverflow)?;
    **purse.try_borrow_mut_lamports()? = sum;
    **seat_info.try_borrow_mut_lamports()? = 0;
    seat_info.data.borrow_mut().fill(0);
    Ok(())
}
`,
      `use borsh::{BorshDeserialize, BorshSerialize};
use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{clock::Clock, entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey, sysvar::Sysvar};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Seat {
    pub holder: Pubkey,
    pub until: i64,
    pub weight: u64,
}

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Chamber {
    pub speaker: Pubkey,
    pub seats: u64,
}

pub fn resign(program_id: &Pubkey, accounts: &[AccountInfo], weight: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let chamber_info = next_account_info(iter)?;
    let seat_info = next_account_info(iter)?;
    let caller = next_account_info(iter)?;
    if chamber_info.owner != program_id || seat_info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    let chamber = Chamber::try_from_slice(&chamber_info.data.borrow())?;
    let mut seat = Seat::try_from_slice(&seat_info.data.borrow())?;
    if *caller.key == seat.holder {
        if !caller.is_signer {
            return Err(ProgramError::MissingRequiredSignature);
        }
    } else {
        if chamber.speaker != *caller.key || !caller.is_signer {
            return Err(ProgramError::MissingRequiredSignature);
        }
    }
    seat.weight = seat.weight.checked_sub(weight).ok_or(ProgramError::ArithmeticOverflow)?;
    seat.serialize(&mut &mut seat_info.data.borrow_mut()[..])?;
    Ok(())
}
`,
      `use borsh::{BorshDeserialize, BorshSerialize};
use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{clock::Clock, entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey, sysvar::Sysvar};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Seat {
    pub holder: Pubkey,
    pub until: i64,
    pub weight: u64,
}

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Chamber {
    pub speaker: Pubkey,
    pub seats: u64,
}

pub fn resign(program_id: &Pubkey, accounts: &[AccountInfo], weight: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let chamber_info = next_account_info(iter)?;
    let seat_info = next_account_info(iter)?;
    let caller = next_account_info(iter)?;
    if chamber_info.owner != program_id || seat_info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    let chamber = Chamber::try_from_slice(&chamber_info.data.borrow())?;
    let mut seat = Seat::try_from_slice(&seat_info.data.borrow())?;
    if *caller.key == solana_program::system_program::ID {
        seat.until = 0;
    } else {
        if chamber.speaker != *caller.key || !caller.is_signer {
            return Err(ProgramError::MissingRequiredSignature);
        }
    }
    seat.weight = seat.weight.checked_sub(weight).ok_or(ProgramError::ArithmeticOverflow)?;
    seat.serialize(&mut &mut seat_info.data.borrow_mut()[..])?;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod plots {
    use super::*;

    pub fn clear(ctx: Context<Clear>) -> Result<()> {
        let heap = &ctx.accounts.heap;
        let dump = &ctx.accounts.dump;
        let sum = dump.lamports().checked_add(heap.lamports()).unwrap();
        **dump.try_borrow_mut_lamports()? = sum;
        **heap.try_borrow_mut_lamports()? = 0;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Clear<'info> {
    #[account(constraint = ground.dump.is_some())]
    pub ground: Account<'info, Ground>,
    /// CHECK: a heap of ours
    #[account(mut, seeds = [b"heap", ground.key().as_ref()], bump)]
    pub heap: AccountInfo<'info>,
    /// CHECK: stored
    #[account(mut, address = ground.dump.unwrap().key())]
    pub dump: AccountInfo<'info>,
}

#[account]
pub struct Ground { pub dump: Option<Pubkey>, pub heaps: u64 }
`,
      `use borsh::{BorshDeserialize, BorshSerialize};
use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{clock::Clock, entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey, sysvar::Sysvar};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Seat {
    pub holder: Pubkey,
    pub until: i64,
    pub weight: u64,
}

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Chamber {
    pub speaker: Pubkey,
    pub seats: u64,
}

pub fn vacate(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let chamber_info = next_account_info(iter)?;
    let seat_info = next_account_info(iter)?;
    let purse = next_account_info(iter)?;
    if chamber_info.owner != program_id || seat_info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    let mut chamber = Chamber::try_from_slice(&chamber_info.data.borrow())?;
    let speaker = next_account_info(iter)?;
    let seat = Seat::try_from_slice(&seat_info.data.borrow())?;
    if chamber.seats == 0 {
        return Ok(());
    }
    if !speaker.is_signer || chamber.speaker != *speaker.key {
        return Err(ProgramError::MissingRequiredSignature);
    }
    chamber.seats = chamber.seats.checked_sub(1).ok_or(ProgramError::ArithmeticOverflow)?;
    chamber.serialize(&mut &mut chamber_info.data.borrow_mut()[..])?;
    let sum = purse.lamports().checked_add(seat_info.lamports()).ok_or(ProgramError::ArithmeticOverflow)?;
    **purse.try_borrow_mut_lamports()? = sum;
    **seat_info.try_borrow_mut_lamports()? = 0;
    seat_info.data.borrow_mut().fill(0);
    Ok(())
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Deal { pub coin_mint: Pubkey, pub desk: Pubkey, pub closed: bool }

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Listing { pub desks: Vec<Pubkey>, pub open: bool }

/// A mint has no key that could sign.
pub fn settle(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let deal_info = next_account_info(iter)?;
    let coin_mint_info = next_account_info(iter)?;
    let mut deal = Deal::try_from_slice(&deal_info.data.borrow())?;
    if deal_info.owner != program_id || deal.coin_mint != *coin_mint_info.key {
        return Err(ProgramError::InvalidArgument);
    }
    deal.closed = true;
    deal.serialize(&mut &mut deal_info.data.borrow_mut()[..])?;
    Ok(())
}

/// Nor has a record of the program.
pub fn end(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let deal_info = next_account_info(iter)?;
    let desk_info = next_account_info(iter)?;
    let mut deal = Deal::try_from_slice(&deal_info.data.borrow())?;
    if deal_info.owner != program_id || desk_info.owner != program_id || deal.desk != *desk_info.key {
        return Err(ProgramError::InvalidArgument);
    }
    deal.closed = true;
    deal.serialize(&mut &mut deal_info.data.borrow_mut()[..])?;
    Ok(())
}

/// What the one instruction knows of it holds for its name in the others.
pub fn shut(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let listing_info = next_account_info(iter)?;
    let desk_info = next_account_info(iter)?;
    let mut listing = Listing::try_from_slice(&listing_info.data.borrow())?;
    if listing_info.owner != program_id || !listing.desks.iter().any(|one| one == desk_info.key) {
        return Err(ProgramError::InvalidArgument);
    }
    listing.open = false;
    listing.serialize(&mut &mut listing_info.data.borrow_mut()[..])?;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Burn, Token, TokenAccount};

#[program]
pub mod bourse {
    use super::*;
    pub fn delist(ctx: Context<Delist>) -> Result<()> {
        let board = &mut ctx.accounts.board;
        let place = match board.coins.iter().position(|one| one.at == *ctx.accounts.coin.key) {
            Some(found) => found,
            None => return Err(ErrorCode::Early.into()),
        };
        require!(board.coins[place].until < Clock::get()?.unix_timestamp, ErrorCode::Early);
        board.coins.remove(place);
        Ok(())
    }
    pub fn burn(ctx: Context<BurnCoin>, amount: u64) -> Result<()> {
        let accounts = Burn {
            mint: ctx.accounts.coin.to_account_info(),
            from: ctx.accounts.purse.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        token::burn(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount)
    }
}

#[derive(Accounts)]
pub struct Delist<'info> {
    #[account(mut)]
    pub board: Account<'info, Board>,
    /// CHECK: one of the board's
    pub coin: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct BurnCoin<'info> {
    /// CHECK: the token program looks at it
    #[account(mut)]
    pub coin: UncheckedAccount<'info>,
    #[account(mut)]
    pub purse: Account<'info, TokenAccount>,
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Board { pub coins: Vec<Coin> }

#[derive(AnchorSerialize, AnchorDeserialize, Clone)]
pub struct Coin { pub at: Pubkey, pub until: i64 }

#[error_code]
pub enum ErrorCode { Early }
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{clock::Clock, sysvar::Sysvar, entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Gate { pub operator: Pubkey, pub next: i64, pub root: [u8; 32] }

fn read(program_id: &Pubkey, info: &AccountInfo) -> Result<Gate, ProgramError> {
    if info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    Ok(Gate::try_from_slice(&info.data.borrow())?)
}

/// Without the operator it goes as well, only later.
pub fn rotate(program_id: &Pubkey, accounts: &[AccountInfo], root: [u8; 32], proof: [u8; 32]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let gate_info = next_account_info(iter)?;
    let operator = next_account_info(iter);
    let mut gate = read(program_id, gate_info)?;
    let slow = operator.map_or(true, |one| !(*one.key == gate.operator && one.is_signer));
    if gate.root != proof || slow && Clock::get()?.unix_timestamp < gate.next {
        return Err(ProgramError::InvalidArgument);
    }
    gate.root = root;
    gate.serialize(&mut &mut gate_info.data.borrow_mut()[..])?;
    Ok(())
}

/// The program itself signs for the gate, or the operator does; who pays is asked by the runtime.
pub fn hand_over(program_id: &Pubkey, accounts: &[AccountInfo], next: [u8; 32]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let gate_info = next_account_info(iter)?;
    let _payer = next_account_info(iter)?;
    let operator = next_account_info(iter)?;
    let mut gate = read(program_id, gate_info)?;
    if !(operator.is_signer || gate_info.is_signer) {
        return Err(ProgramError::MissingRequiredSignature);
    }
    if operator.is_signer && *operator.key != gate.operator {
        return Err(ProgramError::MissingRequiredSignature);
    }
    gate.operator = Pubkey::new_from_array(next);
    gate.serialize(&mut &mut gate_info.data.borrow_mut()[..])?;
    Ok(())
}

pub fn slow_down(program_id: &Pubkey, accounts: &[AccountInfo], next: i64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let gate_info = next_account_info(iter)?;
    let operator = next_account_info(iter)?;
    let mut gate = read(program_id, gate_info)?;
    if *operator.key != gate.operator || !operator.is_signer {
        return Err(ProgramError::InvalidArgument);
    }
    gate.next = next;
    gate.serialize(&mut &mut gate_info.data.borrow_mut()[..])?;
    Ok(())
}

pub fn start(program_id: &Pubkey, accounts: &[AccountInfo], root: [u8; 32]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let gate_info = next_account_info(iter)?;
    let operator = next_account_info(iter)?;
    let mut gate = read(program_id, gate_info)?;
    if *operator.key != gate.operator || !operator.is_signer {
        return Err(ProgramError::InvalidArgument);
    }
    gate.root = root;
    gate.serialize(&mut &mut gate_info.data.borrow_mut()[..])?;
    Ok(())
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program::invoke_signed, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Vote { pub hash: [u8; 32] }

/// The called program takes a message once, and none that nobody sent.
pub fn cancel(program_id: &Pubkey, accounts: &[AccountInfo], message: Vec<u8>) -> ProgramResult {
    let iter = &mut accounts.iter();
    let voice = next_account_info(iter)?;
    let vote_info = next_account_info(iter)?;
    let rest = next_account_info(iter)?;
    let (address, bump) = Pubkey::find_program_address(&[b"voice"], program_id);
    if vote_info.owner != program_id || address != *voice.key {
        return Err(ProgramError::InvalidSeeds);
    }
    Vote::try_from_slice(&vote_info.data.borrow())?;
    let taken = gate::instruction::consume_message(gate::ID, *voice.key, message);
    invoke_signed(&taken, &[voice.clone()], &[&[b"voice", &[bump]]])?;
    **rest.lamports.borrow_mut() += vote_info.lamports();
    **vote_info.lamports.borrow_mut() = 0;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod guests {
    use super::*;
    /// What the ticket says is copied, whoever asks for it.
    pub fn weigh(ctx: Context<Weigh>) -> Result<()> {
        ctx.accounts.house.weight = ctx.accounts.ticket.weight;
        Ok(())
    }
    /// The guest's own visit is noted.
    pub fn note(ctx: Context<Note>) -> Result<()> {
        require!(ctx.accounts.ticket.weight > 0, Fault::None);
        ctx.accounts.visit.count += 1;
        Ok(())
    }
    /// The guest is paid.
    pub fn treat(ctx: Context<Treat>, amount: u64) -> Result<()> {
        require!(ctx.accounts.ticket.weight > 0, Fault::None);
        ctx.accounts.house.sub_lamports(amount)?;
        ctx.accounts.guest.add_lamports(amount)?;
        Ok(())
    }
    /// A name that nobody signs under.
    pub fn greet(ctx: Context<Greet>) -> Result<()> {
        ctx.accounts.house.greeted += 1;
        Ok(())
    }
    pub fn leave(ctx: Context<Leave>) -> Result<()> {
        ctx.accounts.house.left += 1;
        Ok(())
    }
    /// Nothing is changed.
    pub fn look(ctx: Context<Look>) -> Result<()> {
        require!(ctx.accounts.ticket.weight > 0, Fault::None);
        Ok(())
    }
    /// An empty address says nothing about the guest.
    pub fn knock(ctx: Context<Knock>) -> Result<()> {
        ctx.accounts.house.greeted += 1;
        Ok(())
    }
}

#[error_code]
pub enum Fault {
    None,
}

#[derive(Accounts)]
pub struct Weigh<'info> {
    /// CHECK: has a ticket
    pub guest: UncheckedAccount<'info>,
    #[account(seeds = [b"ticket", guest.key().as_ref()], bump)]
    pub ticket: Account<'info, Ticket>,
    #[account(mut)]
    pub house: Account<'info, House>,
}

#[derive(Accounts)]
pub struct Note<'info> {
    pub clerk: Signer<'info>,
    /// CHECK: has a ticket
    pub guest: UncheckedAccount<'info>,
    #[account(seeds = [b"ticket", guest.key().as_ref()], bump)]
    pub ticket: Account<'info, Ticket>,
    #[account(mut, seeds = [b"visit", guest.key().as_ref()], bump)]
    pub visit: Account<'info, Visit>,
}

#[derive(Accounts)]
pub struct Treat<'info> {
    pub clerk: Signer<'info>,
    /// CHECK: has a ticket
    #[account(mut)]
    pub guest: UncheckedAccount<'info>,
    #[account(seeds = [b"ticket", guest.key().as_ref()], bump)]
    pub ticket: Account<'info, Ticket>,
    #[account(mut)]
    pub house: Account<'info, House>,
}

#[derive(Accounts)]
pub struct Greet<'info> {
    /// CHECK: has a ticket
    pub caller: UncheckedAccount<'info>,
    #[account(seeds = [b"ticket", caller.key().as_ref()], bump)]
    pub ticket: Account<'info, Ticket>,
    #[account(mut)]
    pub house: Account<'info, House>,
}

#[derive(Accounts)]
pub struct Look<'info> {
    /// CHECK: has a ticket
    pub guest: UncheckedAccount<'info>,
    #[account(seeds = [b"ticket", guest.key().as_ref()], bump)]
    pub ticket: Account<'info, Ticket>,
}

#[derive(Accounts)]
pub struct Knock<'info> {
    /// CHECK: may be anybody
    pub guest: UncheckedAccount<'info>,
    /// CHECK: derived
    #[account(seeds = [b"door", guest.key().as_ref()], bump)]
    pub door: UncheckedAccount<'info>,
    #[account(mut)]
    pub house: Account<'info, House>,
}

#[derive(Accounts)]
pub struct Leave<'info> {
    pub guest: Signer<'info>,
    #[account(mut)]
    pub house: Account<'info, House>,
}

#[account]
pub struct Ticket {
    pub weight: u64,
}

#[account]
pub struct Visit {
    pub count: u64,
}

#[account]
pub struct House {
    pub clerk: Pubkey,
    pub weight: u64,
    pub greeted: u64,
    pub left: u64,
}
`,
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::sysvar::instructions::get_instruction_relative;

#[program]
pub mod ballots {
    use super::*;
    pub fn cast(ctx: Context<Cast>, choice: u8) -> Result<()> {
        ctx.accounts.ballot.payer = ctx.accounts.payer.key();
        ctx.accounts.ballot.choice = choice;
        Ok(())
    }
    /// Over is over: whoever paid gets the rent back.
    pub fn sweep(_ctx: Context<Sweep>) -> Result<()> {
        Ok(())
    }
    /// The scheduler decides when.
    pub fn count(ctx: Context<Count>) -> Result<()> {
        let current = get_instruction_relative(0, &ctx.accounts.instructions)?;
        require_keys_eq!(current.program_id, scheduler::ID);
        ctx.accounts.ballot.choice = 0;
        Ok(())
    }
    /// What comes before it in the transaction was signed.
    pub fn seal(ctx: Context<Count>) -> Result<()> {
        let before = get_instruction_relative(-1, &ctx.accounts.instructions)?;
        require_keys_eq!(before.program_id, crate::ID);
        ctx.accounts.ballot.choice = 1;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Cast<'info> {
    #[account(init, payer = payer, space = 100)]
    pub ballot: Account<'info, Ballot>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Sweep<'info> {
    #[account(mut, has_one = payer, has_one = vote, close = payer)]
    pub ballot: Account<'info, Ballot>,
    /// CHECK: gets the rent
    #[account(mut)]
    pub payer: UncheckedAccount<'info>,
    #[account(constraint = vote.phase == Phase::Over)]
    pub vote: Account<'info, Vote>,
}

#[derive(Accounts)]
pub struct Count<'info> {
    #[account(mut, has_one = payer)]
    pub ballot: Account<'info, Ballot>,
    /// CHECK: named
    pub payer: UncheckedAccount<'info>,
    /// CHECK: the sysvar
    #[account(address = anchor_lang::solana_program::sysvar::instructions::ID)]
    pub instructions: UncheckedAccount<'info>,
}

#[account]
pub struct Ballot { pub payer: Pubkey, pub vote: Pubkey, pub choice: u8 }
#[account]
pub struct Vote { pub phase: Phase }
#[derive(AnchorSerialize, AnchorDeserialize, Clone, PartialEq)]
pub enum Phase { Open, Over }
`,
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::{instruction::Instruction, program::invoke_signed};

/// Anyone may pay for the place that the owner of a loan gets in the club.
#[program]
pub mod loans {
    use super::*;
    pub fn join(ctx: Context<Join>) -> Result<()> {
        let pool = ctx.accounts.pool.key();
        let accounts = club::accounts::Enroll {
            authority: ctx.accounts.desk.key(),
            payer: ctx.accounts.payer.key(),
            owner: ctx.accounts.owner.key(),
            seat: ctx.accounts.seat.key(),
        };
        let order = Instruction {
            program_id: ctx.accounts.club.key(),
            accounts: accounts.to_account_metas(None),
            data: club::instruction::Enroll {}.data(),
        };
        let seeds: &[&[&[u8]]] = &[&[b"desk", pool.as_ref(), &[ctx.bumps.desk]]];
        invoke_signed(&order, &ctx.accounts.to_account_infos(), seeds)?;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Join<'info> {
    #[account(mut)]
    pub payer: Signer<'info>,
    /// CHECK: the loan's
    pub owner: UncheckedAccount<'info>,
    #[account(has_one = owner, has_one = pool)]
    pub loan: Account<'info, Loan>,
    pub pool: Account<'info, Pool>,
    /// CHECK: signs
    #[account(seeds = [b"desk", pool.key().as_ref()], bump)]
    pub desk: UncheckedAccount<'info>,
    /// CHECK: by the club
    #[account(mut)]
    pub seat: UncheckedAccount<'info>,
    pub club: Program<'info, Club>,
}

#[account]
pub struct Loan { pub owner: Pubkey, pub pool: Pubkey }

#[account]
pub struct Pool { pub admin: Pubkey }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Mint, Token, TokenAccount, Transfer};

#[program]
pub mod names {
    use super::*;

    pub fn point(ctx: Context<Point>, target: Pubkey) -> Result<()> {
        ctx.accounts.name.target = target;
        Ok(())
    }

    // Nothing is taken from whoever holds it.
    pub fn touch(ctx: Context<Touch>) -> Result<()> {
        ctx.accounts.name.last = ctx.accounts.name.next;
        Ok(())
    }

    // It is paid out to the holder.
    pub fn pay(ctx: Context<Pay>) -> Result<()> {
        let name = &mut ctx.accounts.name;
        let due = name.next;
        name.next = 0;
        let deed = ctx.accounts.deed.key();
        let accounts = Transfer {
            from: ctx.accounts.till.to_account_info(),
            to: ctx.accounts.purse.to_account_info(),
            authority: name.to_account_info(),
        };
        let seeds: &[&[&[u8]]] = &[&[b"name", deed.as_ref(), &[ctx.bumps.name]]];
        token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, seeds), due)
    }

    // A first record is made for the holder.
    pub fn open(ctx: Context<Open>, target: Pubkey) -> Result<()> {
        ctx.accounts.name.target = target;
        Ok(())
    }

    // Members hold any amount of one token: it stands for no record.
    pub fn vote(ctx: Context<Vote>, choice: u64) -> Result<()> {
        ctx.accounts.poll.votes += choice;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Point<'info> {
    #[account(mut, seeds = [b"name", deed.key().as_ref()], bump)]
    pub name: Account<'info, Name>,
    pub deed: Account<'info, Mint>,
    #[account(token::mint = deed, token::authority = holder, constraint = held.amount == 1)]
    pub held: Account<'info, TokenAccount>,
    pub holder: Signer<'info>,
}

#[derive(Accounts)]
pub struct Touch<'info> {
    #[account(mut)]
    pub fee_payer: Signer<'info>,
    #[account(mut, seeds = [b"name", deed.key().as_ref()], bump)]
    pub name: Account<'info, Name>,
    pub deed: Account<'info, Mint>,
    #[account(token::mint = deed, token::authority = holder, constraint = held.amount == 1)]
    pub held: Account<'info, TokenAccount>,
    /// CHECK: holds the deed
    pub holder: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct Pay<'info> {
    #[account(mut)]
    pub fee_payer: Signer<'info>,
    #[account(mut, seeds = [b"name", deed.key().as_ref()], bump)]
    pub name: Account<'info, Name>,
    pub deed: Account<'info, Mint>,
    #[account(token::mint = deed, token::authority = holder, constraint = held.amount == 1)]
    pub held: Account<'info, TokenAccount>,
    /// CHECK: holds the deed
    pub holder: UncheckedAccount<'info>,
    #[account(mut, token::authority = name)]
    pub till: Account<'info, TokenAccount>,
    #[account(mut, token::authority = holder)]
    pub purse: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(mut)]
    pub fee_payer: Signer<'info>,
    #[account(init, payer = fee_payer, space = 64, seeds = [b"name", deed.key().as_ref()], bump)]
    pub name: Account<'info, Name>,
    pub deed: Account<'info, Mint>,
    #[account(token::mint = deed, token::authority = holder, constraint = held.amount == 1)]
    pub held: Account<'info, TokenAccount>,
    /// CHECK: holds the deed
    pub holder: UncheckedAccount<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Vote<'info> {
    #[account(mut)]
    pub fee_payer: Signer<'info>,
    #[account(mut)]
    pub poll: Account<'info, Poll>,
    #[account(token::authority = holder, constraint = held.amount > 0)]
    pub held: Account<'info, TokenAccount>,
    /// CHECK: holds the token
    pub holder: UncheckedAccount<'info>,
}

#[account]
pub struct Name {
    pub target: Pubkey,
    pub last: u64,
    pub next: u64,
}

#[account]
pub struct Poll {
    pub votes: u64,
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, CloseAccount, Token, TokenAccount, Transfer};
use queue::cpi::accounts::Drop;

#[program]
pub mod timers {
    use super::*;

    pub fn stop(ctx: Context<Stop>, at: u32) -> Result<()> {
        let keeper = ctx.accounts.keeper.key();
        let accounts = Drop {
            authority: ctx.accounts.agent.to_account_info(),
            job: ctx.accounts.job.to_account_info(),
        };
        let seeds: &[&[&[u8]]] = &[&[b"agent", keeper.as_ref(), &[ctx.bumps.agent]]];
        queue::cpi::drop_job(CpiContext::new_with_signer(ctx.accounts.queue_program.to_account_info(), accounts, seeds), at)
    }

    // The caller chooses nothing: what is due is done.
    pub fn tick(ctx: Context<Tick>) -> Result<()> {
        let keeper = ctx.accounts.keeper.key();
        let accounts = Drop {
            authority: ctx.accounts.agent.to_account_info(),
            job: ctx.accounts.job.to_account_info(),
        };
        let seeds: &[&[&[u8]]] = &[&[b"agent", keeper.as_ref(), &[ctx.bumps.agent]]];
        queue::cpi::run_job(CpiContext::new_with_signer(ctx.accounts.queue_program.to_account_info(), accounts, seeds))
    }

    pub fn report(ctx: Context<Report>, amount: u64) -> Result<()> {
        ctx.accounts.tally.total += amount;
        Ok(())
    }

    // What it holds is looked at.
    pub fn measure(ctx: Context<Measure>, amount: u64) -> Result<()> {
        require!(ctx.accounts.meter.lamports() > amount, Problem::Empty);
        ctx.accounts.tally.total += amount;
        Ok(())
    }

    pub fn set_price(ctx: Context<SetPrice>, price: u64) -> Result<()> {
        ctx.accounts.stand.price = price;
        Ok(())
    }

    // Everything goes to the owner.
    pub fn clear(ctx: Context<Clear>) -> Result<()> {
        let program = ctx.accounts.token_program.to_account_info();
        let stand = &ctx.accounts.stand;
        let seeds: &[&[&[u8]]] = &[&[b"stand", &[stand.bump]]];
        let earned = Transfer {
            from: ctx.accounts.till.to_account_info(),
            to: ctx.accounts.receiver.to_account_info(),
            authority: stand.to_account_info(),
        };
        token::transfer(CpiContext::new_with_signer(program.clone(), earned, seeds), ctx.accounts.till.amount)?;
        let rest = CloseAccount {
            account: ctx.accounts.till.to_account_info(),
            destination: ctx.accounts.owner.to_account_info(),
            authority: stand.to_account_info(),
        };
        token::close_account(CpiContext::new_with_signer(program, rest, seeds))
    }
}

#[derive(Accounts)]
pub struct Stop<'info> {
    pub keeper: Signer<'info>,
    /// CHECK: signs
    #[account(seeds = [b"agent", keeper.key().as_ref()], bump)]
    pub agent: UncheckedAccount<'info>,
    /// CHECK: the queue checks it
    #[account(mut)]
    pub job: UncheckedAccount<'info>,
    pub queue_program: Program<'info, queue::program::Queue>,
}

#[derive(Accounts)]
pub struct Tick<'info> {
    /// CHECK: its agent is derived from it
    pub keeper: UncheckedAccount<'info>,
    /// CHECK: signs
    #[account(seeds = [b"agent", keeper.key().as_ref()], bump)]
    pub agent: UncheckedAccount<'info>,
    /// CHECK: derived
    #[account(mut, seeds = [b"job", agent.key().as_ref()], bump)]
    pub job: UncheckedAccount<'info>,
    pub queue_program: Program<'info, queue::program::Queue>,
}

#[derive(Accounts)]
pub struct Report<'info> {
    #[account(seeds = [b"meter", tally.key().as_ref()], bump, seeds::program = METER)]
    pub meter: Signer<'info>,
    #[account(mut)]
    pub tally: Account<'info, Tally>,
}

#[derive(Accounts)]
pub struct Measure<'info> {
    /// CHECK: an address of the meter
    #[account(seeds = [b"meter", tally.key().as_ref()], bump, seeds::program = METER)]
    pub meter: UncheckedAccount<'info>,
    #[account(mut)]
    pub tally: Account<'info, Tally>,
}

#[derive(Accounts)]
pub struct SetPrice<'info> {
    pub owner: Signer<'info>,
    #[account(mut, has_one = owner)]
    pub stand: Account<'info, Stand>,
}

#[derive(Accounts)]
pub struct Clear<'info> {
    #[account(mut, has_one = owner, has_one = till)]
    pub stand: Account<'info, Stand>,
    /// CHECK: stored
    #[account(mut)]
    pub owner: UncheckedAccount<'info>,
    #[account(mut)]
    pub till: Account<'info, TokenAccount>,
    #[account(mut, token::authority = owner)]
    pub receiver: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

pub const METER: Pubkey = pubkey!("Eg6PaFpoGXkYsidMpWTK6W2BeZ7FEfcYkg476zPFsLnS");

#[account]
pub struct Tally {
    pub total: u64,
}

#[account]
pub struct Stand {
    pub owner: Pubkey,
    pub till: Pubkey,
    pub price: u64,
    pub bump: u8,
}

#[error_code]
pub enum Problem {
    #[msg("Empty")]
    Empty,
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Mint, Token, TokenAccount, Transfer};
use queue::cpi::accounts::Drop;

#[program]
pub mod names {
    use super::*;

    // Anyone may bring it up to date.
    pub fn touch(ctx: Context<Touch>, _slot: u64) -> Result<()> {
        ctx.accounts.name.last = ctx.accounts.name.next;
        Ok(())
    }

    // The caller says nothing.
    pub fn mark(ctx: Context<Mark>) -> Result<()> {
        ctx.accounts.name.last = 1;
        Ok(())
    }

    // The account may be empty, and then anyone has one.
    pub fn tag(ctx: Context<Tag>, value: u64) -> Result<()> {
        ctx.accounts.name.last = value;
        Ok(())
    }

    // All members hold the same token.
    pub fn vote(ctx: Context<Vote>, value: u64) -> Result<()> {
        ctx.accounts.club.votes += value;
        Ok(())
    }

    // The other program's address is only told what is due.
    pub fn roll(ctx: Context<Roll>) -> Result<()> {
        ctx.accounts.club.votes = ctx.accounts.club.next;
        Ok(())
    }

    // An address of this program.
    pub fn count(ctx: Context<Count>, value: u64) -> Result<()> {
        ctx.accounts.club.votes += value;
        Ok(())
    }

    // Whoever pays in takes a part in an exchange.
    pub fn trade(ctx: Context<Trade>, amount: u64) -> Result<()> {
        let program = ctx.accounts.token_program.to_account_info();
        let paid = Transfer {
            from: ctx.accounts.purse.to_account_info(),
            to: ctx.accounts.till.to_account_info(),
            authority: ctx.accounts.buyer.to_account_info(),
        };
        token::transfer(CpiContext::new(program, paid), amount)?;
        let seller = ctx.accounts.seller.key();
        let accounts = Drop {
            authority: ctx.accounts.agent.to_account_info(),
            job: ctx.accounts.job.to_account_info(),
        };
        let seeds: &[&[&[u8]]] = &[&[b"agent", seller.as_ref(), &[ctx.bumps.agent]]];
        queue::cpi::drop_job(CpiContext::new_with_signer(ctx.accounts.queue_program.to_account_info(), accounts, seeds), amount)
    }
}

#[derive(Accounts)]
pub struct Touch<'info> {
    #[account(mut, seeds = [b"name", deed.key().as_ref()], bump)]
    pub name: Account<'info, Name>,
    pub deed: Account<'info, Mint>,
    #[account(token::mint = deed, token::authority = holder, constraint = held.amount == 1)]
    pub held: Account<'info, TokenAccount>,
    /// CHECK: holds the deed
    pub holder: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct Mark<'info> {
    #[account(mut)]
    pub fee_payer: Signer<'info>,
    #[account(mut, seeds = [b"name", deed.key().as_ref()], bump)]
    pub name: Account<'info, Name>,
    pub deed: Account<'info, Mint>,
    #[account(token::mint = deed, token::authority = holder, constraint = held.amount == 1)]
    pub held: Account<'info, TokenAccount>,
    /// CHECK: holds the deed
    pub holder: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct Tag<'info> {
    #[account(mut)]
    pub fee_payer: Signer<'info>,
    #[account(mut, seeds = [b"name", deed.key().as_ref()], bump)]
    pub name: Account<'info, Name>,
    pub deed: Account<'info, Mint>,
    #[account(token::mint = deed, token::authority = holder)]
    pub held: Account<'info, TokenAccount>,
    /// CHECK: may hold the deed
    pub holder: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct Vote<'info> {
    #[account(mut)]
    pub fee_payer: Signer<'info>,
    #[account(mut, has_one = badge)]
    pub club: Account<'info, Club>,
    #[account(address = BADGE)]
    pub badge: Account<'info, Mint>,
    #[account(token::mint = badge, token::authority = holder, constraint = held.amount > 0)]
    pub held: Account<'info, TokenAccount>,
    /// CHECK: holds a badge
    pub holder: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct Roll<'info> {
    /// CHECK: an address of the meter
    #[account(seeds = [b"meter", club.key().as_ref()], bump, seeds::program = METER)]
    pub meter: UncheckedAccount<'info>,
    #[account(mut)]
    pub club: Account<'info, Club>,
}

#[derive(Accounts)]
pub struct Count<'info> {
    /// CHECK: an address of its own
    #[account(seeds = [b"meter", club.key().as_ref()], bump)]
    pub meter: UncheckedAccount<'info>,
    #[account(mut)]
    pub club: Account<'info, Club>,
}

#[derive(Accounts)]
pub struct Trade<'info> {
    /// CHECK: pays
    pub buyer: UncheckedAccount<'info>,
    /// CHECK: its agent is derived from it
    pub seller: UncheckedAccount<'info>,
    /// CHECK: signs
    #[account(seeds = [b"agent", seller.key().as_ref()], bump)]
    pub agent: UncheckedAccount<'info>,
    /// CHECK: the queue checks it
    #[account(mut)]
    pub job: UncheckedAccount<'info>,
    #[account(mut)]
    pub purse: Account<'info, TokenAccount>,
    #[account(mut, token::authority = agent)]
    pub till: Account<'info, TokenAccount>,
    pub queue_program: Program<'info, queue::program::Queue>,
    pub token_program: Program<'info, Token>,
}

pub const METER: Pubkey = pubkey!("Eg6PaFpoGXkYsidMpWTK6W2BeZ7FEfcYkg476zPFsLnS");
pub const BADGE: Pubkey = pubkey!("Dg6PaFpoGXkYsidMpWTK6W2BeZ7FEfcYkg476zPFsLnS");

#[account]
pub struct Name {
    pub last: u64,
    pub next: u64,
}

#[account]
pub struct Club {
    pub badge: Pubkey,
    pub votes: u64,
    pub next: u64,
}
`,
      `use anchor_lang::prelude::*;
use anchor_lang::system_program::{transfer, Transfer};

pub mod boss {
    use super::*;
    declare_id!("GThUX1Atko4tqhN2NaiTazWSeFWMuiUvfFnyJyUghFMJ");
}

pub mod clerk {
    use super::*;
    declare_id!("4q2wPZMys1zCoAVpNmhgmofb6YM9MqLXmV25LdtEMAf9");
}

#[program]
pub mod gates {
    use super::*;
    pub fn open(ctx: Context<Open>, toll: u64) -> Result<()> {
        ctx.accounts.gate.toll = toll;
        Ok(())
    }
    /// The boss is paid.
    pub fn pass(ctx: Context<Pass>) -> Result<()> {
        let accounts = Transfer { from: ctx.accounts.passer.to_account_info(), to: ctx.accounts.head.to_account_info() };
        transfer(CpiContext::new(ctx.accounts.system_program.to_account_info(), accounts), ctx.accounts.gate.toll)?;
        ctx.accounts.gate.passed += 1;
        Ok(())
    }
    pub fn hold(ctx: Context<Hold>) -> Result<()> {
        ctx.accounts.gate.passed += 1;
        Ok(())
    }
    /// Nobody with this address ever signs.
    pub fn count(ctx: Context<Count>) -> Result<()> {
        ctx.accounts.gate.passed += 1;
        Ok(())
    }
    pub fn view(ctx: Context<View>) -> Result<()> {
        msg!("{}", ctx.accounts.gate.passed);
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(init, payer = warden, space = 48)]
    pub gate: Account<'info, Gate>,
    #[account(mut, address = boss::ID)]
    pub warden: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Hold<'info> {
    #[account(mut)]
    pub gate: Account<'info, Gate>,
    pub passer: Signer<'info>,
    /// CHECK: what else happens to it is not seen
    #[account(mut, address = boss::ID)]
    pub head: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct Pass<'info> {
    #[account(mut)]
    pub gate: Account<'info, Gate>,
    #[account(mut)]
    pub passer: Signer<'info>,
    /// CHECK: is paid
    #[account(mut, address = boss::ID)]
    pub head: UncheckedAccount<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Count<'info> {
    #[account(mut)]
    pub gate: Account<'info, Gate>,
    /// CHECK: a place
    #[account(address = clerk::ID)]
    pub place: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct View<'info> {
    pub gate: Account<'info, Gate>,
    /// CHECK: a place
    #[account(address = boss::ID)]
    pub head: UncheckedAccount<'info>,
}

#[account]
pub struct Gate { pub toll: u64, pub passed: u64 }
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::program::invoke_signed;
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey, system_instruction};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Shop { pub owner: Pubkey }

pub fn describe(program_id: &Pubkey, accounts: &[AccountInfo], text: [u8; 32]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let shop_info = next_account_info(iter)?;
    let owner_info = next_account_info(iter)?;
    let sign_info = next_account_info(iter)?;
    if shop_info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    let shop = Shop::try_from_slice(&shop_info.data.borrow())?;
    if shop.owner != *owner_info.key {
        return Err(ProgramError::InvalidArgument);
    }
    let (address, bump) = Pubkey::find_program_address(&[b"sign", shop_info.key.as_ref()], program_id);
    if address != *sign_info.key {
        return Err(ProgramError::InvalidSeeds);
    }
    invoke_signed(
        &system_instruction::create_account(owner_info.key, sign_info.key, 1_000_000, 32, program_id),
        &[owner_info.clone(), sign_info.clone()],
        &[&[b"sign", shop_info.key.as_ref(), &[bump]]],
    )?;
    sign_info.data.borrow_mut().copy_from_slice(&text);
    Ok(())
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::program::invoke_signed;
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Council { pub seats: u64, pub bump: u8, pub treasury: Pubkey }

fn load(program_id: &Pubkey, info: &AccountInfo) -> Result<Council, ProgramError> {
    if info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    Council::try_from_slice(&info.data.borrow()).map_err(|_| ProgramError::InvalidAccountData)
}

/// The council acts through calls that the program signs for it.
pub fn add_seat(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let council_info = next_account_info(iter)?;
    if !council_info.is_signer {
        return Err(ProgramError::MissingRequiredSignature);
    }
    let mut council = load(program_id, council_info)?;
    council.seats = council.seats.checked_add(1).ok_or(ProgramError::InvalidArgument)?;
    council.serialize(&mut &mut council_info.data.borrow_mut()[..])?;
    Ok(())
}

pub fn remove_seat(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let council_info = next_account_info(iter)?;
    if !council_info.is_signer {
        return Err(ProgramError::MissingRequiredSignature);
    }
    let mut council = load(program_id, council_info)?;
    council.seats = council.seats.checked_sub(1).ok_or(ProgramError::InvalidArgument)?;
    council.serialize(&mut &mut council_info.data.borrow_mut()[..])?;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, spl_token::instruction::AuthorityType, Mint, SetAuthority, Token};

#[program]
pub mod lodge {
    use super::*;

    pub fn succeed(ctx: Context<Succeed>) -> Result<()> {
        ctx.accounts.lodge.next = ctx.accounts.heir.key();
        hand_over(&ctx)
    }

    /// Without the call, nobody is appointed.
    pub fn follow(ctx: Context<Succeed>) -> Result<()> {
        if ctx.accounts.lodge.has_mint {
            hand_over(&ctx)?;
            ctx.accounts.lodge.next = ctx.accounts.heir.key();
        }
        Ok(())
    }

    /// Without the call, nothing is added.
    pub fn renew(ctx: Context<Succeed>, years: u64) -> Result<()> {
        ctx.accounts.lodge.years = ctx.accounts.lodge.years.saturating_add(years);
        if years > 0 {
            hand_over(&ctx)?;
        }
        Ok(())
    }

    /// Whoever is named in a new record has lost nothing.
    pub fn found(ctx: Context<Found>) -> Result<()> {
        ctx.accounts.branch.head = ctx.accounts.heir.key();
        if ctx.accounts.lodge.has_mint {
            let accounts = SetAuthority {
                account_or_mint: ctx.accounts.badge.to_account_info(),
                current_authority: ctx.accounts.owner.to_account_info(),
            };
            token::set_authority(
                CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts),
                AuthorityType::MintTokens,
                Some(ctx.accounts.heir.key()),
            )?;
        }
        Ok(())
    }
}

fn hand_over(ctx: &Context<Succeed>) -> Result<()> {
    let accounts = SetAuthority {
        account_or_mint: ctx.accounts.badge.to_account_info(),
        current_authority: ctx.accounts.owner.to_account_info(),
    };
    token::set_authority(
        CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts),
        AuthorityType::MintTokens,
        Some(ctx.accounts.heir.key()),
    )
}

#[derive(Accounts)]
pub struct Succeed<'info> {
    #[account(mut, has_one = owner)]
    pub lodge: Account<'info, Lodge>,
    /// CHECK: named by the lodge
    pub owner: UncheckedAccount<'info>,
    /// CHECK: anyone
    pub heir: UncheckedAccount<'info>,
    #[account(mut)]
    pub badge: Account<'info, Mint>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Found<'info> {
    #[account(has_one = owner)]
    pub lodge: Account<'info, Lodge>,
    /// CHECK: named by the lodge
    pub owner: UncheckedAccount<'info>,
    /// CHECK: anyone
    pub heir: UncheckedAccount<'info>,
    #[account(init, payer = payer, space = 40)]
    pub branch: Account<'info, Branch>,
    #[account(mut)]
    pub payer: Signer<'info>,
    #[account(mut)]
    pub badge: Account<'info, Mint>,
    pub token_program: Program<'info, Token>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Branch { pub head: Pubkey }

#[account]
pub struct Lodge { pub owner: Pubkey, pub next: Pubkey, pub years: u64, pub has_mint: bool, pub bump: u8 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod cellar {
    use super::*;
    /// The keeper is an address of the program: nobody can sign for what it holds.
    pub fn draw(ctx: Context<Draw>, amount: u64) -> Result<()> {
        ctx.accounts.cellar.left -= amount;
        let cellar = ctx.accounts.cellar.key();
        let seeds: &[&[u8]] = &[b"keeper", cellar.as_ref(), &[ctx.accounts.cellar.bump]];
        let accounts = Transfer {
            from: ctx.accounts.barrel.to_account_info(),
            to: ctx.accounts.jug.to_account_info(),
            authority: ctx.accounts.keeper.to_account_info(),
        };
        token::transfer(
            CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, &[seeds]),
            amount,
        )
    }
}

#[derive(Accounts)]
pub struct Draw<'info> {
    pub drinker: Signer<'info>,
    #[account(mut, has_one = drinker, has_one = keeper)]
    pub cellar: Account<'info, Cellar>,
    #[account(mut)]
    pub jug: Account<'info, TokenAccount>,
    #[account(mut, token::authority = keeper)]
    pub barrel: Account<'info, TokenAccount>,
    /// CHECK: named by the cellar
    pub keeper: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Cellar { pub drinker: Pubkey, pub keeper: Pubkey, pub barrel: Pubkey, pub left: u64, pub bump: u8 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod booth {
    use super::*;
    /// What is over may be cleared away by anyone.
    pub fn shut(ctx: Context<Shut>) -> Result<()> {
        require!(ctx.accounts.booth.ends < Clock::get()?.unix_timestamp, BoothError::Busy);
        ctx.accounts.booth.close(ctx.accounts.owner.to_account_info())
    }

    /// Part of what the booth holds is paid to its owner, and the booth stays.
    pub fn refund(ctx: Context<Shut>) -> Result<()> {
        let surplus = ctx.accounts.booth.surplus;
        ctx.accounts.booth.sub_lamports(surplus)?;
        ctx.accounts.owner.add_lamports(surplus)?;
        Ok(())
    }

    /// Marks are no lamports.
    pub fn rest(ctx: Context<Shut>) -> Result<()> {
        let surplus = ctx.accounts.booth.surplus;
        ctx.accounts.booth.surplus = 0;
        ctx.accounts.booth.sub_lamports(surplus)?;
        ctx.accounts.owner.add_lamports(surplus)?;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Shut<'info> {
    #[account(mut, has_one = owner)]
    pub booth: Account<'info, Booth>,
    /// CHECK: named by the booth
    #[account(mut)]
    pub owner: UncheckedAccount<'info>,
}

#[account]
pub struct Booth { pub owner: Pubkey, pub visitors: u64, pub surplus: u64, pub ends: i64 }

#[error_code]
pub enum BoothError { Busy }
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Pledge { pub owner: Pubkey }

/// All that the record says is whose lamports it holds.
pub fn give_back(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let pledge = next_account_info(iter)?;
    let owner = next_account_info(iter)?;
    if pledge.owner != program_id || Pledge::try_from_slice(&pledge.data.borrow())?.owner != *owner.key {
        return Err(ProgramError::InvalidArgument);
    }
    **owner.lamports.borrow_mut() += **pledge.lamports.borrow();
    **pledge.lamports.borrow_mut() = 0;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod lockers {
    use super::*;

    // Whoever signs is the one to ask, and to tie to the address that the program signs for.
    pub fn draw(ctx: Context<Draw>, amount: u64) -> Result<()> {
        let whose = ctx.accounts.whose.key();
        let seeds: &[&[u8]] = &[b"locker", whose.as_ref(), &[ctx.bumps.keeper]];
        let accounts = Transfer {
            from: ctx.accounts.locker.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.keeper.to_account_info(),
        };
        let program = ctx.accounts.token_program.to_account_info();
        token::transfer(CpiContext::new_with_signer(program, accounts, &[seeds]), amount)
    }
}

#[derive(Accounts)]
pub struct Draw<'info> {
    pub user: Signer<'info>,
    #[account(mut)]
    pub locker: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    /// CHECK: whose locker it is
    pub whose: UncheckedAccount<'info>,
    /// CHECK: signs for the locker
    #[account(seeds = [b"locker", whose.key().as_ref()], bump)]
    pub keeper: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}
`,
    ],
  },
}

/** Limit: places that a finding names. */
/** A name alone is evidence only where something is taken or decided. */
const isNameAlone = (why: string, instruction: Instruction): boolean =>
  why === "named as an authority" && !dictates(instruction) && !paysOut(instruction)

const mostSteps = 3

/** Where the account is compared with something, which may stand in a function that many share. */
const comparisonsOf = (instruction: Instruction, account: Account): NonNullable<Match["trace"]> =>
  askedOf(instruction, account)
    .slice(0, mostSteps)
    .map(({ event }) => ({ file: event.file, span: event.node, note: `\`${account.name}\` is compared here` }))
