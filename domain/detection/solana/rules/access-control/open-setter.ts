import type { Rule } from "../../../Rule.ts"
import { oncePer } from "../../../oncePer.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import { isAuthorized, signersOf, storedKeys } from "../../authority/authorization.ts"
import { isCreated } from "../../authority/creation.ts"
import { readType } from "../../questions/identity.ts"
import type { Instruction, SolanaProgram } from "../../program/model.ts"
import { usesOf } from "../../questions/questions.ts"
import { openTreasuries } from "../../records/openTreasuries.ts"
import { copiesOf } from "../../questions/writes.ts"
import { isGuardedElsewhere, paysOut, setsSigner, settingOf } from "../../records/settings.ts"
import { asksEither, isConsidered, hasComeDue, isInUse } from "../../consent/askedBefore.ts"

export const openSetter: Rule<SolanaProgram> = {
  meta: {
    id: "solana/access-control/open-setter",
    class: "missing-access-control",
    title: "Anyone can change the configuration or withdraw the funds",
    severity: "high",
    confidence: "medium",
    cwe: [284, 862],
    description:
      "The instruction writes caller-supplied values to an account that stores an authority, or pays lamports " +
      "out of it, without requiring anyone's consent: no signer is compared with the stored authority or with " +
      "another fixed key. Anyone can set fees, limits or the authority itself, and then use the program as if " +
      "it were theirs.",
    remediation:
      "Require the stored authority to sign: `#[account(mut, has_one = authority)]` together with `authority: Signer<'info>`, or compare the signer's key with the stored one (or with a constant) before writing.",
    references: [
      "https://solana.com/developers/courses/program-security/signer-auth",
      "https://www.helius.dev/blog/a-hitchhikers-guide-to-solana-program-security",
    ],
  },
  check: (program, report) => {
    for (const crate of program.crates)
      for (const instruction of crate.instructions) {
        for (const cpi of openTreasuries(instruction))
          report({
            ...placeOf(cpi.event),
            message: `\`${instruction.name}\` pays what the program holds to anyone who asks.`,
          })
        for (const account of instruction.accounts) {
          if (account.constraints?.initIfNeeded) continue
          const native = instruction.kind === "native"
          const event = settingOf(crate, instruction, account)
          if (event === undefined) continue
          const read = usesOf(instruction, account).find(({ kind }) => kind === "deserialize")?.event
          const type = read === undefined ? account.state : readType(read)
          const types = [type, ...[...copiesOf(instruction, account).values()].map((one) => one.type)]
          if (!isGuardedElsewhere(crate, instruction, account))
            if (types.every((one) => storedKeys(crate, account, one).length === 0)) continue
          if (
            signersOf(instruction).includes(account) ||
            isAuthorized(instruction, account) ||
            asksEither(instruction) ||
            isConsidered(instruction, account, event) ||
            hasComeDue(instruction, account)
          )
            continue
          if (isCreated(instruction, account)) continue
          // An authority that whoever comes last writes into the account is its re-initialization.
          if (native && setsSigner(instruction, event) && !isInUse(instruction, account)) continue
          // An authority that need not sign is reported as that.
          if (
            signersOf(instruction).length === 0 &&
            storedKeys(crate, account).some((name) => isTakenRaw(instruction, name))
          )
            continue
          report({
            ...placeOf(event),
            message: paysOut(instruction, account, event)
              ? `\`${instruction.name}\` lets anyone take lamports from \`${account.name}\`.`
              : `\`${instruction.name}\` lets anyone change \`${account.name}\`.`,
          })
        }
      }
  },
  examples: {
    vulnerable: [
      `use anchor_lang::prelude::*;

#[program]
pub mod teams {
    use super::*;
    pub fn add_owner(ctx: Context<Edit>, owner: Pubkey) -> Result<()> {
        ctx.accounts.team.owners.push(owner); // FINDING
        Ok(())
    }
    pub fn drop_owner(ctx: Context<Edit>, index: u32) -> Result<()> {
        ctx.accounts.team.owners.swap_remove(index as usize); // FINDING
        Ok(())
    }
    pub fn add_member(ctx: Context<Edit>, member: Member) -> Result<()> {
        ctx.accounts.team.members.insert(0, member); // FINDING
        Ok(())
    }
    pub fn drop_member(ctx: Context<Edit>, key: Pubkey) -> Result<()> {
        ctx.accounts.team.members.retain(|one| one.key != key); // FINDING
        Ok(())
    }
    pub fn rename(ctx: Context<Edit>, name: [u8; 32]) -> Result<()> {
        ctx.accounts.team.name.copy_from_slice(&name); // FINDING
        Ok(())
    }
    pub fn join(ctx: Context<Edit>, note: String) -> Result<()> {
        ctx.accounts.team.guests.push(ctx.accounts.caller.key());
        ctx.accounts.team.notes.push(note);
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Edit<'info> {
    #[account(mut)]
    pub team: Account<'info, Team>,
    pub caller: Signer<'info>,
}

#[derive(AnchorSerialize, AnchorDeserialize, Clone)]
pub struct Member { pub key: Pubkey, pub share: u16 }

#[account]
pub struct Team {
    pub boss: Pubkey,
    pub owners: Vec<Pubkey>,
    pub members: Vec<Member>,
    pub guests: Vec<Pubkey>,
    pub notes: Vec<String>,
    pub name: [u8; 32],
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod fees {
    use super::*;

    pub fn set_fee(ctx: Context<SetFee>, fee: u64) -> Result<()> {
        ctx.accounts.config.fee = fee; // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct SetFee<'info> {
    #[account(mut)]
    pub config: Account<'info, Config>,
    pub caller: Signer<'info>,
}

#[account]
pub struct Config {
    pub admin: Pubkey,
    pub fee: u64,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod fees {
    use super::*;

    pub fn take_over(ctx: Context<TakeOver>) -> Result<()> {
        let config = &mut ctx.accounts.config;
        config.admin = ctx.accounts.caller.key(); // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct TakeOver<'info> {
    #[account(mut, seeds = [b"config"], bump)]
    pub config: Account<'info, Config>,
    pub caller: Signer<'info>,
}

#[account]
pub struct Config {
    pub admin: Pubkey,
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshDeserialize, BorshSerialize)]
pub struct Config {
    pub admin: Pubkey,
    pub fee: u64,
}

pub fn set_fee(program_id: &Pubkey, accounts: &[AccountInfo], fee: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let config_info = next_account_info(iter)?;
    if config_info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    let mut config = Config::try_from_slice(&config_info.data.borrow())?;
    config.fee = fee; // FINDING
    config.serialize(&mut &mut config_info.data.borrow_mut()[..])?;
    Ok(())
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::program::{invoke, invoke_signed};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey, system_instruction};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Config {
    pub admin: Pubkey,
    pub rate: u64,
}

pub fn set_rate(program_id: &Pubkey, accounts: &[AccountInfo], rate: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let config_info = next_account_info(iter)?;
    let caller = next_account_info(iter)?;
    if !caller.is_signer || config_info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    let mut config = Config::try_from_slice(&config_info.data.borrow())?;
    config.rate = rate; // FINDING
    config.serialize(&mut &mut config_info.data.borrow_mut()[..])?;
    Ok(())
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize, Clone)]
pub struct Rules {
    pub quorum: u64,
}

#[derive(BorshSerialize, BorshDeserialize)]
pub struct OldCouncil {
    pub realm: Pubkey,
    pub rules: Rules,
}

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Council {
    pub realm: Pubkey,
    pub rules: Rules,
    pub since: u64,
}

fn council(program_id: &Pubkey, info: &AccountInfo) -> Result<Council, ProgramError> {
    if info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    if info.data.borrow()[0] == 1 {
        let old = OldCouncil::try_from_slice(&info.data.borrow())?;
        return Ok(Council { realm: old.realm, rules: old.rules, since: 0 });
    }
    Ok(Council::try_from_slice(&info.data.borrow())?)
}

pub fn set_rules(program_id: &Pubkey, accounts: &[AccountInfo], rules: Rules) -> ProgramResult {
    let iter = &mut accounts.iter();
    let council_info = next_account_info(iter)?;
    let mut found = council(program_id, council_info)?;
    found.rules = rules; // FINDING
    found.serialize(&mut &mut council_info.data.borrow_mut()[..])?;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;

macro_rules! load_mut {
    ($loader:expr) => {{
        $loader.load_mut().map_err(|_| ErrorCode::NotLoaded)
    }};
}

#[program]
pub mod fees {
    use super::*;

    pub fn set_fee(ctx: Context<SetFee>, fee: u64) -> Result<()> {
        let mut config = load_mut!(ctx.accounts.config)?;
        config.fee = fee; // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct SetFee<'info> {
    #[account(mut)]
    pub config: AccountLoader<'info, Config>,
    pub caller: Signer<'info>,
}

#[account(zero_copy)]
pub struct Config {
    pub authority: Pubkey,
    pub fee: u64,
}

#[error_code]
pub enum ErrorCode {
    NotLoaded,
}
`,
      `use anchor_lang::prelude::*;

pub const TREASURY: Pubkey = pubkey!("Stake11111111111111111111111111111111111111");

#[program]
pub mod desk {
    use super::*;
    pub fn replace(ctx: Context<Edit>, admin: Pubkey) -> Result<()> {
        ctx.accounts.desk.set_inner(Desk { admin, fee: 1, ..Desk::default() }); // FINDING
        Ok(())
    }
    // What a new value is compared with does not say who may set it.
    pub fn set_other_fee(ctx: Context<Edit>, fee: u64) -> Result<()> {
        require!(fee != ctx.accounts.desk.fee, ErrorCode::Same);
        ctx.accounts.desk.fee = fee; // FINDING
        Ok(())
    }
    pub fn set_low_fee(ctx: Context<Edit>, fee: u64) -> Result<()> {
        require!(fee <= ctx.accounts.desk.most, ErrorCode::TooHigh);
        ctx.accounts.desk.fee = fee; // FINDING
        Ok(())
    }
    pub fn set_spread(ctx: Context<Edit>, fee: u64) -> Result<()> {
        require!(ctx.accounts.desk.fee < ctx.accounts.desk.most, ErrorCode::TooHigh);
        ctx.accounts.desk.fee = fee; // FINDING
        Ok(())
    }
    pub fn set_when_ready(ctx: Context<Edit>, fee: u64) -> Result<()> {
        require!(ctx.accounts.desk.is_initialized, ErrorCode::Same);
        ctx.accounts.desk.fee = fee; // FINDING
        Ok(())
    }
    pub fn set_when_live(ctx: Context<Edit>, fee: u64) -> Result<()> {
        require!(ctx.accounts.desk.stage == Stage::Live, ErrorCode::Same);
        ctx.accounts.desk.fee = fee; // FINDING
        Ok(())
    }
    // Whom the caller names is nobody the desk knows.
    pub fn set_for(ctx: Context<Edit>, fee: u64, expected: Pubkey) -> Result<()> {
        if fee > 5 {
            require!(expected == ctx.accounts.caller.key(), ErrorCode::Same);
        }
        ctx.accounts.desk.fee = fee; // FINDING
        Ok(())
    }
    pub fn set_with(ctx: Context<Edit>, fee: u64) -> Result<()> {
        let caller = ctx.accounts.caller.key();
        if fee > 5 {
            require!(caller == ctx.remaining_accounts[0].key(), ErrorCode::Same);
        }
        ctx.accounts.desk.fee = fee; // FINDING
        Ok(())
    }
    pub fn set_beside(ctx: Context<Beside>, fee: u64) -> Result<()> {
        ctx.accounts.desk.fee = fee; // FINDING
        Ok(())
    }
    pub fn set_of_pool(ctx: Context<OfPool>, fee: u64) -> Result<()> {
        ctx.accounts.desk.fee = fee; // FINDING
        Ok(())
    }
    pub fn toggle(ctx: Context<Only>) -> Result<()> {
        ctx.accounts.desk.open = !ctx.accounts.desk.open; // FINDING
        Ok(())
    }
    pub fn shut(ctx: Context<Only>) -> Result<()> {
        ctx.accounts.desk.open = false; // FINDING
        Ok(())
    }
    pub fn withdraw(ctx: Context<Pay>, amount: u64) -> Result<()> {
        ctx.accounts.desk.sub_lamports(amount)?; // FINDING
        ctx.accounts.to.add_lamports(amount)
    }
    pub fn withdraw_by_hand(ctx: Context<Pay>, amount: u64) -> Result<()> {
        let desk = ctx.accounts.desk.to_account_info();
        **desk.try_borrow_mut_lamports()? = desk.lamports().checked_sub(amount).unwrap(); // FINDING
        ctx.accounts.to.add_lamports(amount)
    }
    pub fn sweep(ctx: Context<Pay>) -> Result<()> {
        let fees = ctx.accounts.desk.fee;
        ctx.accounts.desk.sub_lamports(fees)?; // FINDING
        ctx.accounts.to.add_lamports(fees)
    }
}

#[derive(Accounts)]
pub struct Edit<'info> {
    #[account(mut)]
    pub desk: Account<'info, Desk>,
    pub caller: Signer<'info>,
}

#[derive(Accounts)]
pub struct Only<'info> {
    #[account(mut, seeds = [b"desk"], bump)]
    pub desk: Account<'info, Desk>,
    pub caller: Signer<'info>,
}

#[derive(Accounts)]
pub struct Beside<'info> {
    #[account(mut)]
    pub desk: Account<'info, Desk>,
    pub caller: Signer<'info>,
    /// CHECK: compared with nothing
    pub admin: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct OfPool<'info> {
    #[account(mut)]
    pub desk: Account<'info, Desk>,
    pub pool: Account<'info, Pool>,
}

#[derive(Accounts)]
pub struct Pay<'info> {
    #[account(mut)]
    pub desk: Account<'info, Desk>,
    pub caller: Signer<'info>,
    /// CHECK: paid
    #[account(mut)]
    pub to: UncheckedAccount<'info>,
}

#[account]
#[derive(Default)]
pub struct Desk {
    pub admin: Pubkey,
    pub pool: Pubkey,
    pub stage: Stage,
    pub fee: u64,
    pub best: u64,
    pub most: u64,
    pub open: bool,
    pub is_initialized: bool,
}

#[account]
pub struct Pool {
    pub size: u64,
}

#[derive(AnchorSerialize, AnchorDeserialize, Clone, PartialEq)]
pub enum Stage {
    Uninitialized,
    Live,
}

#[error_code]
pub enum ErrorCode {
    Same,
    TooHigh,
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshDeserialize, BorshSerialize, PartialEq)]
pub enum Stage {
    Uninitialized,
    Live,
    Closed,
}

#[derive(BorshDeserialize, BorshSerialize, IsInitialized)]
pub struct Config {
    pub stage: Stage,
    pub version: u8,
    pub admin: Pubkey,
}

// Whoever takes over what is in use takes it from somebody.
pub fn take_live(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let config_info = next_account_info(iter)?;
    let caller = next_account_info(iter)?;
    let mut config = Config::try_from_slice(&config_info.data.borrow())?;
    if !caller.is_signer || config_info.owner != program_id || config.stage != Stage::Live {
        return Err(ProgramError::InvalidArgument);
    }
    config.admin = *caller.key; // FINDING
    config.serialize(&mut &mut config_info.data.borrow_mut()[..])?;
    Ok(())
}

pub fn take_used(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let config_info = next_account_info(iter)?;
    let caller = next_account_info(iter)?;
    let mut config = Config::try_from_slice(&config_info.data.borrow())?;
    if !caller.is_signer || config_info.owner != program_id || !config.is_initialized() {
        return Err(ProgramError::InvalidArgument);
    }
    config.admin = *caller.key; // FINDING
    config.serialize(&mut &mut config_info.data.borrow_mut()[..])?;
    Ok(())
}

pub fn hand_over(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let config_info = next_account_info(iter)?;
    let heir = next_account_info(iter)?;
    let mut config = Config::try_from_slice(&config_info.data.borrow())?;
    if config_info.owner != program_id {
        return Err(ProgramError::InvalidArgument);
    }
    config.admin = *heir.key; // FINDING
    config.serialize(&mut &mut config_info.data.borrow_mut()[..])?;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod halls {
    use super::*;
    /// The hall names nobody, but others ask a warden before it is changed.
    pub fn pause(ctx: Context<Open>, paused: bool) -> Result<()> {
        require!(ctx.accounts.hall.paused != paused, Fault::Same);
        ctx.accounts.hall.paused = paused; // FINDING
        Ok(())
    }
    pub fn invite(ctx: Context<Open>, town: String) -> Result<()> {
        require!(!ctx.accounts.hall.towns.contains(&town), Fault::Same);
        ctx.accounts.hall.towns.push(town); // FINDING
        Ok(())
    }
    pub fn rename(ctx: Context<Rename>, name: String) -> Result<()> {
        ctx.accounts.hall.name = name;
        Ok(())
    }
}

#[error_code]
pub enum Fault {
    Same,
}

#[derive(Accounts)]
pub struct Open<'info> {
    pub caller: Signer<'info>,
    #[account(mut, seeds = [b"hall"], bump)]
    pub hall: Account<'info, Hall>,
}

#[derive(Accounts)]
pub struct Rename<'info> {
    pub caller: Signer<'info>,
    #[account(address = WARDEN)]
    pub warden: Signer<'info>,
    #[account(mut, seeds = [b"hall"], bump)]
    pub hall: Account<'info, Hall>,
}

#[account]
pub struct Hall {
    pub paused: bool,
    pub name: String,
    pub towns: Vec<String>,
}
`,
      `use anchor_lang::prelude::*;

pub const TREASURY: Pubkey = pubkey!("Stake11111111111111111111111111111111111111");

#[program]
pub mod club {
    use super::*;
    pub fn pay_and_set(ctx: Context<Edit>, amount: u64, fee: u64) -> Result<()> {
        ctx.accounts.club.sub_lamports(amount)?; // FINDING
        ctx.accounts.caller.add_lamports(amount)?;
        ctx.accounts.club.fee = fee;
        Ok(())
    }
    // That the member is new does not say who may add it.
    pub fn add(ctx: Context<Edit>, member: Pubkey) -> Result<()> {
        require!(!ctx.accounts.club.members.contains(&member), ErrorCode::Known);
        ctx.accounts.club.members.push(member); // FINDING
        Ok(())
    }
    // Everybody but the treasury may.
    pub fn set_fee(ctx: Context<Edit>, fee: u64) -> Result<()> {
        if fee > 5 {
            require!(ctx.accounts.caller.key() != TREASURY, ErrorCode::Known);
        }
        ctx.accounts.club.fee = fee; // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Edit<'info> {
    #[account(mut)]
    pub club: Account<'info, Club>,
    #[account(mut)]
    pub caller: Signer<'info>,
}

#[account]
pub struct Club {
    pub boss: Pubkey,
    pub members: Vec<Pubkey>,
    pub fee: u64,
}

#[error_code]
pub enum ErrorCode {
    Known,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod mills {
    use super::*;
    pub fn halt(ctx: Context<Run>) -> Result<()> {
        ctx.accounts.mill.until = Clock::get()?.unix_timestamp + 3600;
        ctx.accounts.mill.halted = true;
        Ok(())
    }
    // Whoever calls may say what time it is.
    pub fn wake(ctx: Context<Resume>, now: i64) -> Result<()> {
        require!(ctx.accounts.mill.is_over(now), ErrorCode::ConstraintRaw);
        ctx.accounts.mill.halted = false; // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Run<'info> {
    #[account(mut, seeds = [b"mill"], bump, has_one = miller)]
    pub mill: Account<'info, Mill>,
    pub miller: Signer<'info>,
}
#[derive(Accounts)]
pub struct Resume<'info> {
    #[account(mut, seeds = [b"mill"], bump)]
    pub mill: Account<'info, Mill>,
}

#[account]
pub struct Mill { pub miller: Pubkey, pub until: i64, pub halted: bool }

impl Mill {
    pub fn is_over(&self, now: i64) -> bool {
        if !self.halted {
            return true;
        }
        now - self.until >= 0
    }
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

pub const OPERATOR: Pubkey = pubkey!("Fg6PaFpoGXkYsidMpWTK6W2BeZ7FEfcYkg476zPFsLnS");

#[program]
pub mod treasury {
    use super::*;
    pub fn sweep(ctx: Context<Sweep>) -> Result<()> {
        let amount = ctx.accounts.purse.amount;
        let accounts = Transfer {
            from: ctx.accounts.purse.to_account_info(),
            to: ctx.accounts.receiver.to_account_info(),
            authority: ctx.accounts.chest.to_account_info(),
        };
        let seeds: &[&[u8]] = &[b"chest", &[ctx.bumps.chest]];
        token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, &[seeds]), amount) // FINDING
    }
}

#[derive(Accounts)]
pub struct Sweep<'info> {
    #[account(mut)]
    pub operator: Signer<'info>,
    #[account(mut, token::authority = chest)]
    pub purse: Account<'info, TokenAccount>,
    #[account(mut, token::authority = operator)]
    pub receiver: Account<'info, TokenAccount>,
    /// CHECK: signs
    #[account(seeds = [b"chest"], bump)]
    pub chest: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Receipt { pub paid: u64, pub owner: Pubkey }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

pub const OPERATOR: Pubkey = pubkey!("Fg6PaFpoGXkYsidMpWTK6W2BeZ7FEfcYkg476zPFsLnS");

#[program]
pub mod treasury {
    use super::*;
    pub fn sweep(ctx: Context<Sweep>, amount: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.purse.to_account_info(),
            to: ctx.accounts.receiver.to_account_info(),
            authority: ctx.accounts.chest.to_account_info(),
        };
        let seeds: &[&[u8]] = &[b"chest", &[ctx.bumps.chest]];
        token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, &[seeds]), amount) // FINDING
    }
}

#[derive(Accounts)]
pub struct Sweep<'info> {
    /// CHECK: receives
    #[account(mut)]
    pub operator: UncheckedAccount<'info>,
    #[account(mut, token::authority = chest)]
    pub purse: Account<'info, TokenAccount>,
    #[account(mut, token::authority = operator)]
    pub receiver: Account<'info, TokenAccount>,
    /// CHECK: signs
    #[account(seeds = [b"chest"], bump)]
    pub chest: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Receipt { pub paid: u64, pub owner: Pubkey }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Mint, Token, TokenAccount, Transfer};

pub const OPERATOR: Pubkey = pubkey!("Fg6PaFpoGXkYsidMpWTK6W2BeZ7FEfcYkg476zPFsLnS");

#[program]
pub mod treasury {
    use super::*;
    pub fn sweep(ctx: Context<Sweep>) -> Result<()> {
        let amount = ctx.accounts.purse.amount;
        let accounts = Transfer {
            from: ctx.accounts.purse.to_account_info(),
            to: ctx.accounts.receiver.to_account_info(),
            authority: ctx.accounts.chest.to_account_info(),
        };
        let seeds: &[&[u8]] = &[b"chest", &[ctx.bumps.chest]];
        token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, &[seeds]), amount) // FINDING
    }
}

#[derive(Accounts)]
pub struct Sweep<'info> {
    #[account(mut)]
    pub operator: Signer<'info>,
    #[account(mut, token::authority = chest)]
    pub purse: Account<'info, TokenAccount>,
    #[account(address = OPERATOR)]
    pub coin: Account<'info, Mint>,
    #[account(mut, token::mint = coin, token::authority = operator)]
    pub receiver: Account<'info, TokenAccount>,
    /// CHECK: signs
    #[account(seeds = [b"chest"], bump)]
    pub chest: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Receipt { pub paid: u64, pub owner: Pubkey }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Burn, Mint, Token, TokenAccount, Transfer};

/// The coupons that are burned are not those of the user.
#[program]
pub mod coupons {
    use super::*;
    pub fn redeem(ctx: Context<Redeem>, amount: u64, bump: u8) -> Result<()> {
        let seeds: &[&[&[u8]]] = &[&[b"desk", &[bump]]];
        let burn = Burn {
            mint: ctx.accounts.coupon.to_account_info(),
            from: ctx.accounts.coupons.to_account_info(),
            authority: ctx.accounts.desk.to_account_info(),
        };
        token::burn(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), burn, seeds), amount)?;
        let pay = Transfer {
            from: ctx.accounts.till.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.desk.to_account_info(),
        };
        token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), pay, seeds), amount) // FINDING
    }
}

#[derive(Accounts)]
#[instruction(amount: u64, bump: u8)]
pub struct Redeem<'info> {
    pub user: Signer<'info>,
    #[account(mut, seeds = [b"coupon"], bump)]
    pub coupon: Account<'info, Mint>,
    #[account(mut, constraint = coupons.owner == desk.key(), constraint = coupons.mint == coupon.key())]
    pub coupons: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    #[account(mut, seeds = [b"till"], bump)]
    pub till: Account<'info, TokenAccount>,
    /// CHECK: signs
    #[account(seeds = [b"desk"], bump = bump)]
    pub desk: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}
`,
      `use solana_program::account_info::AccountInfo;
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};
use desk_lib::loader::load_signer;

#[derive(BorshDeserialize, BorshSerialize, Clone)]
pub struct Rate { pub id: u8, pub most: u64, pub now: u64 }

#[derive(BorshDeserialize, BorshSerialize)]
pub struct Desk { pub kind: u8, pub admin: Pubkey, pub epoch: u64, pub fee: u64, pub rates: Vec<Rate> }

impl Desk {
    pub const KIND: u8 = 7;
    fn load(program_id: &Pubkey, info: &AccountInfo) -> Result<Desk, ProgramError> {
        if info.owner != program_id {
            return Err(ProgramError::IllegalOwner);
        }
        Ok(Desk::try_from_slice(&info.data.borrow())?)
    }
    fn store(&self, info: &AccountInfo) -> ProgramResult {
        self.serialize(&mut &mut info.data.borrow_mut()[..])?;
        Ok(())
    }
}

pub fn fill(program_id: &Pubkey, accounts: &[AccountInfo], epoch: u64) -> ProgramResult {
    let [info] = accounts else { return Err(ProgramError::NotEnoughAccountKeys) };
    let mut desk = Desk::load(program_id, info)?;
    if desk.kind != Desk::KIND {
        desk.kind = Desk::KIND;
    }
    desk.epoch = epoch; // FINDING
    desk.store(info)
}

// Which of the rates everybody pays is what they pay.
pub fn choose(program_id: &Pubkey, accounts: &[AccountInfo], id: u8) -> ProgramResult {
    let [info] = accounts else { return Err(ProgramError::NotEnoughAccountKeys) };
    let mut desk = Desk::load(program_id, info)?;
    desk.fee = desk.rates.iter().find(|one| one.id == id).map_or(0, |one| one.most); // FINDING
    desk.store(info)
}

pub fn set_rate(program_id: &Pubkey, accounts: &[AccountInfo], id: u8, now: u64) -> ProgramResult {
    let [info] = accounts else { return Err(ProgramError::NotEnoughAccountKeys) };
    let mut desk = Desk::load(program_id, info)?;
    for rate in desk.rates.iter_mut() {
        if rate.id == id {
            rate.now = now; // FINDING
        }
    }
    desk.store(info)
}
`,
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::keccak::hash;
use anchor_lang::solana_program::secp256k1_recover::secp256k1_recover;
use anchor_lang::solana_program::sysvar::instructions::get_instruction_relative;

#[program]
pub mod desk {
    use super::*;
    // Anyone can sign something.
    pub fn set_fee(ctx: Context<Edit>, fee: u64, signature: [u8; 64], id: u8, signer: [u8; 20]) -> Result<()> {
        let message = hash(&fee.to_le_bytes()).to_bytes();
        let key = secp256k1_recover(&message, id, &signature).map_err(|_| ProgramError::InvalidArgument)?;
        let digest = hash(key.to_bytes().as_slice()).to_bytes();
        require!(digest[12..32] == signer, ErrorCode::ConstraintSigner);
        ctx.accounts.desk.fee = fee; // FINDING
        Ok(())
    }
    pub fn set_unsigned(ctx: Context<Edit>, fee: u64, digest: [u8; 32]) -> Result<()> {
        let mut address = [0u8; 20];
        address.copy_from_slice(&digest[12..32]);
        require!(address == ctx.accounts.desk.signer, ErrorCode::ConstraintSigner);
        ctx.accounts.desk.fee = fee; // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Edit<'info> {
    #[account(mut, seeds = [b"desk"], bump)]
    pub desk: Account<'info, Desk>,
    pub caller: Signer<'info>,
    /// CHECK: the sysvar
    #[account(address = anchor_lang::solana_program::sysvar::instructions::ID)]
    pub instructions: UncheckedAccount<'info>,
}

#[account]
pub struct Desk { pub signer: [u8; 20], pub nonce: u64, pub fee: u64 , pub admin: Pubkey }
`,
    ],
    safe: [
      // Who may do what is the value of an `if`.
      `use anchor_lang::prelude::*;

macro_rules! refuse_unless {
    ($boolean:expr, $err:expr) => {
        if !$boolean {
            return Err(error!($err));
        }
    };
}

#[derive(AnchorSerialize, AnchorDeserialize, Clone, Copy, PartialEq)]
pub enum Setting { Frozen { value: bool }, Fee { value: u64 } }

#[program]
pub mod market {
    use super::*;

    pub fn set(ctx: Context<Set>, setting: Setting) -> Result<()> {
        let market = &mut ctx.accounts.market;
        let signer = ctx.accounts.signer.key();
        let is_admin = signer == market.admin;
        let is_guard = market.guards.iter().any(|one| *one == signer);
        refuse_unless!(
            if is_admin {
                true
            } else if is_guard {
                if let Setting::Frozen { value } = setting { value } else { false }
            } else {
                false
            },
            ErrorCode::ConstraintSigner
        );
        match setting {
            Setting::Frozen { value } => market.frozen = value,
            Setting::Fee { value } => market.fee = value,
        }
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Set<'info> {
    #[account(mut, seeds = [b"market"], bump)]
    pub market: Account<'info, Market>,
    pub signer: Signer<'info>,
}

#[account]
pub struct Market { pub admin: Pubkey, pub guards: Vec<Pubkey>, pub frozen: bool, pub fee: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::keccak::hash;
use anchor_lang::solana_program::secp256k1_recover::secp256k1_recover;
use anchor_lang::solana_program::sysvar::instructions::get_instruction_relative;

#[program]
pub mod desk {
    use super::*;
    // Whoever brings the message, the desk's signer signed it.
    pub fn set_fee(ctx: Context<Edit>, fee: u64, signature: [u8; 64], id: u8) -> Result<()> {
        let desk = &mut ctx.accounts.desk;
        let message = hash(&[fee.to_le_bytes(), desk.nonce.to_le_bytes()].concat()).to_bytes();
        let key = secp256k1_recover(&message, id, &signature).map_err(|_| ProgramError::InvalidArgument)?;
        let digest = hash(key.to_bytes().as_slice()).to_bytes();
        let mut address = [0u8; 20];
        address.copy_from_slice(&digest[12..32]);
        if address != desk.signer {
            return err!(ErrorCode::ConstraintSigner);
        }
        desk.nonce += 1;
        desk.fee = fee;
        Ok(())
    }
    // Only the gateway can call.
    pub fn on_call(ctx: Context<Edit>, fee: u64) -> Result<()> {
        let current = get_instruction_relative(0, &ctx.accounts.instructions)?;
        require!(current.program_id == gateway::ID, ErrorCode::ConstraintSigner);
        ctx.accounts.desk.fee = fee;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Edit<'info> {
    #[account(mut, seeds = [b"desk"], bump)]
    pub desk: Account<'info, Desk>,
    pub caller: Signer<'info>,
    /// CHECK: the sysvar
    #[account(address = anchor_lang::solana_program::sysvar::instructions::ID)]
    pub instructions: UncheckedAccount<'info>,
}

#[account]
pub struct Desk { pub signer: [u8; 20], pub nonce: u64, pub fee: u64 , pub admin: Pubkey }
`,
      `use solana_program::account_info::AccountInfo;
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};
use desk_lib::loader::load_signer;

#[derive(BorshDeserialize, BorshSerialize, Clone)]
pub struct Rate { pub id: u8, pub most: u64, pub now: u64 }

#[derive(BorshDeserialize, BorshSerialize)]
pub struct Desk { pub kind: u8, pub admin: Pubkey, pub epoch: u64, pub fee: u64, pub rates: Vec<Rate> }

impl Desk {
    pub const KIND: u8 = 7;
    fn load(program_id: &Pubkey, info: &AccountInfo) -> Result<Desk, ProgramError> {
        if info.owner != program_id {
            return Err(ProgramError::IllegalOwner);
        }
        Ok(Desk::try_from_slice(&info.data.borrow())?)
    }
    fn store(&self, info: &AccountInfo) -> ProgramResult {
        self.serialize(&mut &mut info.data.borrow_mut()[..])?;
        Ok(())
    }
}

// Whoever comes first fills the account that was made for it.
pub fn fill(program_id: &Pubkey, accounts: &[AccountInfo], epoch: u64) -> ProgramResult {
    let [info] = accounts else { return Err(ProgramError::NotEnoughAccountKeys) };
    let mut desk = Desk::load(program_id, info)?;
    let is_empty = info.data_len() > 60 && desk.kind != Desk::KIND;
    if is_empty {
        desk.kind = Desk::KIND;
        desk.epoch = epoch;
        desk.store(info)?;
    }
    Ok(())
}

// The caller only says which entry gets what it stores.
pub fn refresh(program_id: &Pubkey, accounts: &[AccountInfo], id: u8) -> ProgramResult {
    let [info] = accounts else { return Err(ProgramError::NotEnoughAccountKeys) };
    let mut desk = Desk::load(program_id, info)?;
    let most = desk.rates.iter().find(|one| one.id == id).ok_or(ProgramError::InvalidArgument)?.most;
    for rate in desk.rates.iter_mut() {
        if rate.id == id {
            rate.now = most;
        }
    }
    desk.store(info)
}

// The library's function fails unless the account signs.
pub fn set_fee(program_id: &Pubkey, accounts: &[AccountInfo], fee: u64) -> ProgramResult {
    let [info, admin] = accounts else { return Err(ProgramError::NotEnoughAccountKeys) };
    let mut desk = Desk::load(program_id, info)?;
    load_signer(admin, false)?;
    if desk.admin.ne(admin.key) {
        return Err(ProgramError::InvalidArgument);
    }
    desk.fee = fee;
    desk.store(info)
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod endpoint {
    use super::*;
    /// The settings are those of the sender, who signs, or whose delegate does.
    pub fn choose(ctx: Context<Choose>, sender: Pubkey, library: Pubkey) -> Result<()> {
        ctx.accounts.settings.owner = library;
        Ok(())
    }
}

#[derive(Accounts)]
#[instruction(sender: Pubkey)]
pub struct Choose<'info> {
    pub signer: Signer<'info>,
    #[account(
        seeds = [b"app", sender.as_ref()],
        bump,
        constraint = signer.key() == sender || signer.key() == app.delegate
    )]
    pub app: Account<'info, App>,
    #[account(mut, seeds = [b"settings", sender.as_ref()], bump)]
    pub settings: Account<'info, Settings>,
}

#[account]
pub struct App { pub delegate: Pubkey }

#[account]
pub struct Settings { pub owner: Pubkey }
`,
      // A number says that it was not in use.
      `use borsh::{BorshDeserialize, BorshSerialize};
use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Market { pub version: u8, pub owner: Pubkey }

pub fn open(program_id: &Pubkey, accounts: &[AccountInfo], owner: Pubkey) -> ProgramResult {
    let info = next_account_info(&mut accounts.iter())?;
    if info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    let mut market = Market::try_from_slice(&info.data.borrow())?;
    if market.version != 0 {
        return Err(ProgramError::AccountAlreadyInitialized);
    }
    market.version = 1;
    market.owner = owner;
    market.serialize(&mut *info.data.borrow_mut())?;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod teams {
    use super::*;
    pub fn add_owner(ctx: Context<Edit>, owner: Pubkey) -> Result<()> {
        only_boss(&ctx.accounts.team, &ctx.accounts.caller)?;
        ctx.accounts.team.owners.push(owner);
        Ok(())
    }
    pub fn drop_owner(ctx: Context<Edit>, index: u32) -> Result<()> {
        only_boss(&ctx.accounts.team, &ctx.accounts.caller)?;
        ctx.accounts.team.owners.swap_remove(index as usize);
        Ok(())
    }
    pub fn add_member(ctx: Context<Edit>, member: Member) -> Result<()> {
        only_boss(&ctx.accounts.team, &ctx.accounts.caller)?;
        ctx.accounts.team.members.insert(0, member);
        Ok(())
    }
    pub fn drop_member(ctx: Context<Edit>, key: Pubkey) -> Result<()> {
        only_boss(&ctx.accounts.team, &ctx.accounts.caller)?;
        ctx.accounts.team.members.retain(|one| one.key != key);
        Ok(())
    }
    pub fn rename(ctx: Context<Edit>, name: [u8; 32]) -> Result<()> {
        only_boss(&ctx.accounts.team, &ctx.accounts.caller)?;
        ctx.accounts.team.name.copy_from_slice(&name);
        Ok(())
    }
    pub fn join(ctx: Context<Edit>, note: String) -> Result<()> {
        ctx.accounts.team.guests.push(ctx.accounts.caller.key());
        ctx.accounts.team.notes.push(note);
        Ok(())
    }
}

fn only_boss(team: &Team, caller: &Signer) -> Result<()> {
    require_keys_eq!(team.boss, caller.key());
    Ok(())
}

#[derive(Accounts)]
pub struct Edit<'info> {
    #[account(mut)]
    pub team: Account<'info, Team>,
    pub caller: Signer<'info>,
}

#[derive(AnchorSerialize, AnchorDeserialize, Clone)]
pub struct Member { pub key: Pubkey, pub share: u16 }

#[account]
pub struct Team {
    pub boss: Pubkey,
    pub owners: Vec<Pubkey>,
    pub members: Vec<Member>,
    pub guests: Vec<Pubkey>,
    pub notes: Vec<String>,
    pub name: [u8; 32],
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod fees {
    use super::*;

    pub fn set_fee(ctx: Context<SetFee>, fee: u64) -> Result<()> {
        only_admin(&ctx.accounts.config, &ctx.accounts.caller)?;
        ctx.accounts.config.fee = fee;
        Ok(())
    }

    pub fn set_own(ctx: Context<SetOwn>, fee: u64) -> Result<()> {
        ctx.accounts.config.fee = fee;
        Ok(())
    }

    pub fn set_fixed(ctx: Context<SetFixed>, fee: u64) -> Result<()> {
        ctx.accounts.config.fee = fee;
        Ok(())
    }
}

fn only_admin(config: &Config, caller: &Signer) -> Result<()> {
    require!(config.admin == caller.key(), ErrorCode::ConstraintHasOne);
    Ok(())
}

#[derive(Accounts)]
pub struct SetFee<'info> {
    #[account(mut)]
    pub config: Account<'info, Config>,
    pub caller: Signer<'info>,
}

#[derive(Accounts)]
pub struct SetOwn<'info> {
    #[account(mut, seeds = [b"config", caller.key().as_ref()], bump)]
    pub config: Account<'info, Config>,
    pub caller: Signer<'info>,
}

pub const ADMIN: Pubkey = Pubkey::new_from_array([7u8; 32]);

#[derive(Accounts)]
pub struct SetFixed<'info> {
    #[account(mut)]
    pub config: Account<'info, Config>,
    #[account(address = ADMIN)]
    pub caller: Signer<'info>,
}

#[account]
pub struct Config {
    pub admin: Pubkey,
    pub fee: u64,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod fees {
    use super::*;

    pub fn start(ctx: Context<Start>, fee: u64) -> Result<()> {
        let config = &mut ctx.accounts.config;
        config.admin = ctx.accounts.admin.key();
        config.fee = fee;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Start<'info> {
    #[account(init, payer = admin, space = 48)]
    pub config: Account<'info, Config>,
    #[account(mut)]
    pub admin: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Config {
    pub admin: Pubkey,
    pub fee: u64,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod auctions {
    use super::*;

    pub fn bid(ctx: Context<Bid>, amount: u64) -> Result<()> {
        require!(amount > ctx.accounts.auction.best, ErrorCode::ConstraintRaw);
        ctx.accounts.auction.best = amount;
        ctx.accounts.auction.bidder = ctx.accounts.user.key();
        Ok(())
    }

    pub fn collect(ctx: Context<Collect>) -> Result<()> {
        let fees = ctx.accounts.auction.fees;
        ctx.accounts.auction.fees = 0;
        ctx.accounts.auction.sub_lamports(fees)?;
        ctx.accounts.treasury.add_lamports(fees)?;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Bid<'info> {
    #[account(mut)]
    pub auction: Account<'info, Auction>,
    pub user: Signer<'info>,
}

#[derive(Accounts)]
pub struct Collect<'info> {
    #[account(mut, has_one = treasury)]
    pub auction: Account<'info, Auction>,
    /// CHECK: paid
    #[account(mut)]
    pub treasury: UncheckedAccount<'info>,
}

#[account]
pub struct Auction {
    pub treasury: Pubkey,
    pub bidder: Pubkey,
    pub best: u64,
    pub fees: u64,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod pools {
    use super::*;

    pub fn set_rate(ctx: Context<SetRate>, rate: u64) -> Result<()> {
        let caller = ctx.accounts.caller.key();
        if ctx.accounts.pool.creator != caller {
            require!(ctx.accounts.operator.wallet == caller, ErrorCode::Stranger);
        }
        ctx.accounts.pool.rate = rate;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct SetRate<'info> {
    #[account(mut)]
    pub pool: Account<'info, Pool>,
    pub operator: Account<'info, Operator>,
    pub caller: Signer<'info>,
}

#[account]
pub struct Pool {
    pub creator: Pubkey,
    pub rate: u64,
}

#[account]
pub struct Operator {
    pub wallet: Pubkey,
}

#[error_code]
pub enum ErrorCode {
    Stranger,
}
`,
      `use anchor_lang::prelude::*;

pub const OPERATOR: Pubkey = pubkey!("Stake11111111111111111111111111111111111111");

#[program]
pub mod pools {
    use super::*;

    pub fn set_rate(ctx: Context<SetRate>, rate: u64) -> Result<()> {
        ctx.accounts.pool.rate = rate;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct SetRate<'info> {
    #[account(constraint = caller.key() == OPERATOR || caller.key() == config.admin)]
    pub caller: Signer<'info>,
    pub config: Account<'info, Config>,
    #[account(mut)]
    pub pool: Account<'info, Pool>,
}

#[account]
pub struct Config {
    pub admin: Pubkey,
}

#[account]
pub struct Pool {
    pub creator: Pubkey,
    pub rate: u64,
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize, Clone)]
pub struct Rules {
    pub quorum: u64,
}

#[derive(BorshSerialize, BorshDeserialize)]
pub struct OldCouncil {
    pub realm: Pubkey,
    pub rules: Rules,
}

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Council {
    pub realm: Pubkey,
    pub rules: Rules,
    pub since: u64,
}

fn council(program_id: &Pubkey, info: &AccountInfo) -> Result<Council, ProgramError> {
    if info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    if info.data.borrow()[0] == 1 {
        let old = OldCouncil::try_from_slice(&info.data.borrow())?;
        return Ok(Council { realm: old.realm, rules: old.rules, since: 0 });
    }
    Ok(Council::try_from_slice(&info.data.borrow())?)
}

pub fn set_rules(program_id: &Pubkey, accounts: &[AccountInfo], rules: Rules) -> ProgramResult {
    let iter = &mut accounts.iter();
    let council_info = next_account_info(iter)?;
    // Its own address signs, by a proposal that was voted for.
    if !council_info.is_signer {
        return Err(ProgramError::MissingRequiredSignature);
    }
    let mut found = council(program_id, council_info)?;
    found.rules = rules;
    found.serialize(&mut &mut council_info.data.borrow_mut()[..])?;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod fees {
    use super::*;

    pub fn set_fee(ctx: Context<SetFee>, fee: u64) -> Result<()> {
        let mut config = load_mut!(ctx.accounts.config)?;
        config.fee = fee;
        Ok(())
    }
}

fn may(config: &Config, who: &Pubkey) -> bool {
    config.authority == *who || (config.delegate == *who && config.delegate != Pubkey::default())
}

#[derive(Accounts)]
pub struct SetFee<'info> {
    #[account(mut, constraint = may(&*config.load()?, authority.key) || config.load()?.clerks.contains(authority.key))]
    pub config: AccountLoader<'info, Config>,
    pub authority: Signer<'info>,
}

#[account(zero_copy)]
pub struct Config {
    pub authority: Pubkey,
    pub delegate: Pubkey,
    pub clerks: [Pubkey; 4],
    pub fee: u64,
}
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
      `use anchor_lang::prelude::*;

pub const TREASURY: Pubkey = pubkey!("Stake11111111111111111111111111111111111111");

#[program]
pub mod desk {
    use super::*;
    // Every step is the program's own: nobody has to be asked.
    pub fn advance(ctx: Context<Only>) -> Result<()> {
        ctx.accounts.desk.phase = 3;
        Ok(())
    }
    // One of many desks: its own user turns it on and off.
    pub fn close_own(ctx: Context<Edit>) -> Result<()> {
        ctx.accounts.desk.open = false;
        Ok(())
    }
    pub fn leave(ctx: Context<Edit>) -> Result<()> {
        let caller = ctx.accounts.caller.key();
        ctx.accounts.desk.members.retain(|one| *one != caller);
        Ok(())
    }
    pub fn join(ctx: Context<Edit>) -> Result<()> {
        ctx.accounts.desk.set_inner(Desk { fee: 1, ..Desk::default() });
        Ok(())
    }
    pub fn open(ctx: Context<Open>, admin: Pubkey) -> Result<()> {
        ctx.accounts.desk.admin = admin;
        Ok(())
    }
    // An owner or administrator who need not sign is another rule's finding.
    pub fn set_of_owner(ctx: Context<OfOwner>, fee: u64) -> Result<()> {
        ctx.accounts.desk.fee = fee;
        Ok(())
    }
    pub fn set_of_admin(ctx: Context<OfAdmin>, fee: u64) -> Result<()> {
        ctx.accounts.desk.fee = fee;
        Ok(())
    }
    // The pool that is named is one of the program's.
    pub fn bind(ctx: Context<Bind>) -> Result<()> {
        ctx.accounts.desk.pool = ctx.accounts.pool.key();
        Ok(())
    }
    pub fn guess(ctx: Context<Edit>, fee: u64) -> Result<()> {
        require!(ctx.accounts.desk.open, ErrorCode::Shut);
        ctx.accounts.desk.fee = fee;
        Ok(())
    }
    pub fn report(ctx: Context<Edit>, fee: u64) -> Result<()> {
        verify_report(&ctx.accounts.desk.to_account_info(), fee)?;
        ctx.accounts.desk.fee = fee;
        Ok(())
    }
    pub fn start(ctx: Context<Edit>, admin: Pubkey) -> Result<()> {
        require!(ctx.accounts.desk.stage == Stage::Uninitialized, ErrorCode::Shut);
        ctx.accounts.desk.admin = admin;
        Ok(())
    }
    pub fn deposit(ctx: Context<Pay>, amount: u64) -> Result<()> {
        ctx.accounts.desk.add_lamports(amount)?;
        ctx.accounts.caller.sub_lamports(amount)
    }
    pub fn deposit_by_hand(ctx: Context<Pay>, amount: u64) -> Result<()> {
        let desk = ctx.accounts.desk.to_account_info();
        **desk.try_borrow_mut_lamports()? = desk.lamports().checked_add(amount).unwrap();
        ctx.accounts.caller.sub_lamports(amount)
    }
    // The treasury is the same for all.
    pub fn collect(ctx: Context<Pay>) -> Result<()> {
        let fees = ctx.accounts.desk.fee;
        ctx.accounts.desk.phase += 1;
        ctx.accounts.desk.sub_lamports(fees)?;
        ctx.accounts.treasury.add_lamports(fees)
    }
    pub fn collect_in(ctx: Context<PayIn>) -> Result<()> {
        let fees = ctx.accounts.desk.fee;
        ctx.accounts.desk.sub_lamports(fees)?;
        ctx.accounts.safe.add_lamports(fees)
    }
    pub fn refund(ctx: Context<Refund>) -> Result<()> {
        let rent = ctx.accounts.rent.minimum_balance(8);
        ctx.accounts.desk.sub_lamports(rent)?;
        ctx.accounts.to.add_lamports(rent)
    }
    pub fn set_by_admin_or_cheaply(ctx: Context<Edit>, fee: u64) -> Result<()> {
        let admin = ctx.accounts.desk.admin;
        if fee > 5 {
            require!(admin == ctx.accounts.caller.key(), ErrorCode::Shut);
        }
        ctx.accounts.desk.fee = fee;
        Ok(())
    }
    pub fn set_by_either(ctx: Context<Edit>, fee: u64) -> Result<()> {
        let caller = ctx.accounts.caller.key();
        if caller != TREASURY {
            require!(ctx.accounts.desk.admin == caller, ErrorCode::Shut);
        }
        ctx.accounts.desk.fee = fee;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Edit<'info> {
    #[account(mut)]
    pub desk: Account<'info, Desk>,
    pub caller: Signer<'info>,
}

#[derive(Accounts)]
pub struct Only<'info> {
    #[account(mut, seeds = [b"desk"], bump)]
    pub desk: Account<'info, Desk>,
    pub caller: Signer<'info>,
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(init, payer = caller, space = 200, seeds = [b"desk"], bump)]
    pub desk: Account<'info, Desk>,
    #[account(mut)]
    pub caller: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct OfOwner<'info> {
    #[account(mut, has_one = owner)]
    pub desk: Account<'info, Desk>,
    pub caller: Signer<'info>,
    /// CHECK: need not sign
    pub owner: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct OfAdmin<'info> {
    #[account(mut)]
    pub desk: Account<'info, Desk>,
    /// CHECK: need not sign
    pub admin: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct Bind<'info> {
    #[account(mut)]
    pub desk: Account<'info, Desk>,
    pub pool: Account<'info, Pool>,
    pub caller: Signer<'info>,
}

#[derive(Accounts)]
pub struct Pay<'info> {
    #[account(mut)]
    pub desk: Account<'info, Desk>,
    #[account(mut)]
    pub caller: Signer<'info>,
    /// CHECK: paid
    #[account(mut, address = TREASURY)]
    pub treasury: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct PayIn<'info> {
    #[account(mut)]
    pub desk: Account<'info, Desk>,
    /// CHECK: the program's own
    #[account(mut, seeds = [b"safe"], bump)]
    pub safe: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct Refund<'info> {
    #[account(mut)]
    pub desk: Account<'info, Desk>,
    /// CHECK: whoever paid the rent
    #[account(mut)]
    pub to: UncheckedAccount<'info>,
    pub rent: Sysvar<'info, Rent>,
}

#[account]
#[derive(Default)]
pub struct Desk {
    pub admin: Pubkey,
    pub owner: Pubkey,
    pub pool: Pubkey,
    pub members: Vec<Pubkey>,
    pub fee: u64,
    pub phase: u8,
    pub open: bool,
    pub stage: Stage,
}

#[account]
pub struct Pool {
    pub size: u64,
}

#[derive(AnchorSerialize, AnchorDeserialize, Clone, Default, PartialEq)]
pub enum Stage {
    #[default]
    Uninitialized,
    Live,
}

#[error_code]
pub enum ErrorCode {
    Shut,
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshDeserialize, BorshSerialize, PartialEq)]
pub enum Stage {
    Live,
    Closed,
}

#[derive(BorshDeserialize, BorshSerialize)]
pub struct Config {
    pub stage: Stage,
    pub version: u8,
    pub fee: u64,
    pub admin: Pubkey,
}

// Whoever comes last is the administrator: the rule about initializing again says so.
pub fn start(_program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let config_info = next_account_info(iter)?;
    let caller = next_account_info(iter)?;
    if !caller.is_signer || config_info.owner != &crate::ID {
        return Err(ProgramError::IllegalOwner);
    }
    let mut config = Config::try_from_slice(&config_info.data.borrow())?;
    config.admin = *caller.key;
    config.serialize(&mut &mut config_info.data.borrow_mut()[..])?;
    Ok(())
}

pub fn start_once(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let config_info = next_account_info(iter)?;
    let caller = next_account_info(iter)?;
    let mut config = Config::try_from_slice(&config_info.data.borrow())?;
    if !caller.is_signer || config_info.owner != program_id || config.version != 0 {
        return Err(ProgramError::AccountAlreadyInitialized);
    }
    config.admin = *caller.key;
    config.serialize(&mut &mut config_info.data.borrow_mut()[..])?;
    Ok(())
}

pub fn start_unless_closed(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let config_info = next_account_info(iter)?;
    let caller = next_account_info(iter)?;
    let mut config = Config::try_from_slice(&config_info.data.borrow())?;
    if !caller.is_signer || config_info.owner != program_id || config.stage == Stage::Closed {
        return Err(ProgramError::InvalidArgument);
    }
    config.admin = *caller.key;
    config.serialize(&mut &mut config_info.data.borrow_mut()[..])?;
    Ok(())
}

// A draft that is not written back changes nothing.
pub fn try_fee(program_id: &Pubkey, accounts: &[AccountInfo], fee: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let config_info = next_account_info(iter)?;
    if config_info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    let old = Config::try_from_slice(&config_info.data.borrow())?;
    let mut draft = Config { stage: Stage::Live, version: 2, fee: 0, admin: old.admin };
    draft.fee = fee;
    msg!("{}", draft.differs_from(&config_info.data.borrow()));
    Ok(())
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod boards {
    use super::*;
    /// Nobody is asked anywhere: the board is for everybody.
    pub fn write(ctx: Context<Write>, text: String) -> Result<()> {
        ctx.accounts.board.text = text;
        Ok(())
    }
    pub fn add(ctx: Context<Write>, word: String) -> Result<()> {
        ctx.accounts.board.words.push(word);
        Ok(())
    }
    /// Of shelves there are many, and one may be the caller's.
    pub fn label(ctx: Context<Label>, text: String) -> Result<()> {
        ctx.accounts.shelf.text = text;
        Ok(())
    }
    pub fn fill(ctx: Context<Fill>, text: String) -> Result<()> {
        ctx.accounts.main.text = text;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Write<'info> {
    pub caller: Signer<'info>,
    #[account(mut, seeds = [b"board"], bump)]
    pub board: Account<'info, Board>,
}

#[derive(Accounts)]
pub struct Label<'info> {
    pub caller: Signer<'info>,
    #[account(mut)]
    pub shelf: Account<'info, Shelf>,
}

#[derive(Accounts)]
pub struct Fill<'info> {
    #[account(address = WARDEN)]
    pub warden: Signer<'info>,
    #[account(mut, seeds = [b"main"], bump)]
    pub main: Account<'info, Shelf>,
}

#[account]
pub struct Board {
    pub text: String,
    pub words: Vec<String>,
}

#[account]
pub struct Shelf {
    pub text: String,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod stats {
    use super::*;
    pub fn rename(ctx: Context<Rename>, name: String) -> Result<()> {
        ctx.accounts.stats.name = name;
        Ok(())
    }
    /// A running sum is no setting.
    pub fn note(ctx: Context<Note>, amount: u64) -> Result<()> {
        ctx.accounts.stats.volume += amount;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Rename<'info> {
    #[account(address = WARDEN)]
    pub warden: Signer<'info>,
    #[account(mut, seeds = [b"stats"], bump)]
    pub stats: Account<'info, Stats>,
}

#[derive(Accounts)]
pub struct Note<'info> {
    pub caller: Signer<'info>,
    #[account(mut, seeds = [b"stats"], bump)]
    pub stats: Account<'info, Stats>,
}

#[account]
pub struct Stats {
    pub name: String,
    pub volume: u64,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod mills {
    use super::*;
    pub fn halt(ctx: Context<Run>) -> Result<()> {
        ctx.accounts.mill.until = Clock::get()?.unix_timestamp + 3600;
        ctx.accounts.mill.halted = true;
        Ok(())
    }
    pub fn resume(ctx: Context<Resume>) -> Result<()> {
        require!(ctx.accounts.mill.is_over(Clock::get()?.unix_timestamp), ErrorCode::ConstraintRaw);
        ctx.accounts.mill.halted = false;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Run<'info> {
    #[account(mut, seeds = [b"mill"], bump, has_one = miller)]
    pub mill: Account<'info, Mill>,
    pub miller: Signer<'info>,
}
#[derive(Accounts)]
pub struct Resume<'info> {
    #[account(mut, seeds = [b"mill"], bump)]
    pub mill: Account<'info, Mill>,
}

#[account]
pub struct Mill { pub miller: Pubkey, pub until: i64, pub halted: bool }

impl Mill {
    pub fn is_over(&self, now: i64) -> bool {
        if !self.halted {
            return true;
        }
        now - self.until >= 0
    }
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

pub const OPERATOR: Pubkey = pubkey!("Fg6PaFpoGXkYsidMpWTK6W2BeZ7FEfcYkg476zPFsLnS");

#[program]
pub mod treasury {
    use super::*;
    pub fn sweep(ctx: Context<Sweep>) -> Result<()> {
        let amount = ctx.accounts.purse.amount;
        let accounts = Transfer {
            from: ctx.accounts.purse.to_account_info(),
            to: ctx.accounts.receiver.to_account_info(),
            authority: ctx.accounts.chest.to_account_info(),
        };
        let seeds: &[&[u8]] = &[b"chest", &[ctx.bumps.chest]];
        token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, &[seeds]), amount)
    }
}

#[derive(Accounts)]
pub struct Sweep<'info> {
    #[account(mut, address = OPERATOR)]
    pub operator: Signer<'info>,
    #[account(mut, token::authority = chest)]
    pub purse: Account<'info, TokenAccount>,
    #[account(mut, token::authority = operator)]
    pub receiver: Account<'info, TokenAccount>,
    /// CHECK: signs
    #[account(seeds = [b"chest"], bump)]
    pub chest: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Receipt { pub paid: u64, pub owner: Pubkey }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

pub const OPERATOR: Pubkey = pubkey!("Fg6PaFpoGXkYsidMpWTK6W2BeZ7FEfcYkg476zPFsLnS");

#[program]
pub mod treasury {
    use super::*;
    pub fn sweep(ctx: Context<Sweep>) -> Result<()> {
        let amount = ctx.accounts.purse.amount;
        let accounts = Transfer {
            from: ctx.accounts.purse.to_account_info(),
            to: ctx.accounts.receiver.to_account_info(),
            authority: ctx.accounts.chest.to_account_info(),
        };
        let seeds: &[&[u8]] = &[b"chest", &[ctx.bumps.chest]];
        token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, &[seeds]), amount)
    }
}

#[derive(Accounts)]
pub struct Sweep<'info> {
    #[account(mut)]
    pub operator: Signer<'info>,
    #[account(mut, token::authority = chest)]
    pub purse: Account<'info, TokenAccount>,
    #[account(mut, address = OPERATOR)]
    pub receiver: Account<'info, TokenAccount>,
    /// CHECK: signs
    #[account(seeds = [b"chest"], bump)]
    pub chest: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Receipt { pub paid: u64, pub owner: Pubkey }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

pub const OPERATOR: Pubkey = pubkey!("Fg6PaFpoGXkYsidMpWTK6W2BeZ7FEfcYkg476zPFsLnS");

#[program]
pub mod treasury {
    use super::*;
    pub fn sweep(ctx: Context<Sweep>) -> Result<()> {
        let amount = ctx.accounts.purse.amount;
        let accounts = Transfer {
            from: ctx.accounts.purse.to_account_info(),
            to: ctx.accounts.receiver.to_account_info(),
            authority: ctx.accounts.chest.to_account_info(),
        };
        let seeds: &[&[u8]] = &[b"chest", &[ctx.bumps.chest]];
        token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, &[seeds]), amount)
    }
}

#[derive(Accounts)]
pub struct Sweep<'info> {
    #[account(mut)]
    pub operator: Signer<'info>,
    #[account(mut, token::authority = chest)]
    pub purse: Account<'info, TokenAccount>,
    /// CHECK: compared
    #[account(address = OPERATOR)]
    pub home: UncheckedAccount<'info>,
    #[account(mut, token::authority = home)]
    pub receiver: Account<'info, TokenAccount>,
    /// CHECK: signs
    #[account(seeds = [b"chest"], bump)]
    pub chest: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Receipt { pub paid: u64, pub owner: Pubkey }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

pub const OPERATOR: Pubkey = pubkey!("Fg6PaFpoGXkYsidMpWTK6W2BeZ7FEfcYkg476zPFsLnS");

#[program]
pub mod treasury {
    use super::*;
    pub fn sweep(ctx: Context<Sweep>) -> Result<()> {
        let amount = ctx.accounts.purse.amount;
        let accounts = Transfer {
            from: ctx.accounts.purse.to_account_info(),
            to: ctx.accounts.receiver.to_account_info(),
            authority: ctx.accounts.chest.to_account_info(),
        };
        let seeds: &[&[u8]] = &[b"chest", &[ctx.bumps.chest]];
        token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, &[seeds]), amount)
    }
}

#[derive(Accounts)]
pub struct Sweep<'info> {
    #[account(mut)]
    pub operator: Signer<'info>,
    #[account(mut, token::authority = chest)]
    pub purse: Account<'info, TokenAccount>,
    #[account(mut, token::authority = operator)]
    pub receiver: Account<'info, TokenAccount>,
    /// CHECK: signs
    #[account(seeds = [b"chest"], bump)]
    pub chest: UncheckedAccount<'info>,
    #[account(init, payer = operator, space = 48, seeds = [b"receipt", operator.key().as_ref()], bump)]
    pub receipt: Account<'info, Receipt>,
    pub token_program: Program<'info, Token>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Receipt { pub paid: u64, pub owner: Pubkey }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

pub const OPERATOR: Pubkey = pubkey!("Fg6PaFpoGXkYsidMpWTK6W2BeZ7FEfcYkg476zPFsLnS");

#[program]
pub mod treasury {
    use super::*;
    pub fn sweep(ctx: Context<Sweep>) -> Result<()> {
        let amount = ctx.accounts.purse.amount;
        require!(ctx.accounts.receipt.paid == 0, ErrorCode::AccountNotInitialized);
        ctx.accounts.receipt.paid = amount;
        let accounts = Transfer {
            from: ctx.accounts.purse.to_account_info(),
            to: ctx.accounts.receiver.to_account_info(),
            authority: ctx.accounts.chest.to_account_info(),
        };
        let seeds: &[&[u8]] = &[b"chest", &[ctx.bumps.chest]];
        token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, &[seeds]), amount)
    }
}

#[derive(Accounts)]
pub struct Sweep<'info> {
    #[account(mut)]
    pub operator: Signer<'info>,
    #[account(mut, token::authority = chest)]
    pub purse: Account<'info, TokenAccount>,
    #[account(mut, token::authority = operator)]
    pub receiver: Account<'info, TokenAccount>,
    /// CHECK: signs
    #[account(seeds = [b"chest"], bump)]
    pub chest: UncheckedAccount<'info>,
    #[account(mut)]
    pub receipt: Account<'info, Receipt>,
    pub token_program: Program<'info, Token>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Receipt { pub paid: u64, pub owner: Pubkey }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

pub const OPERATOR: Pubkey = pubkey!("Fg6PaFpoGXkYsidMpWTK6W2BeZ7FEfcYkg476zPFsLnS");

#[program]
pub mod treasury {
    use super::*;
    pub fn sweep(ctx: Context<Sweep>) -> Result<()> {
        let amount = 1_000_000;
        let accounts = Transfer {
            from: ctx.accounts.purse.to_account_info(),
            to: ctx.accounts.receiver.to_account_info(),
            authority: ctx.accounts.chest.to_account_info(),
        };
        let seeds: &[&[u8]] = &[b"chest", &[ctx.bumps.chest]];
        token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, &[seeds]), amount)
    }
}

#[derive(Accounts)]
pub struct Sweep<'info> {
    #[account(mut)]
    pub operator: Signer<'info>,
    #[account(mut, token::authority = chest)]
    pub purse: Account<'info, TokenAccount>,
    #[account(mut, token::authority = operator)]
    pub receiver: Account<'info, TokenAccount>,
    /// CHECK: signs
    #[account(seeds = [b"chest"], bump)]
    pub chest: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Receipt { pub paid: u64, pub owner: Pubkey }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

pub const OPERATOR: Pubkey = pubkey!("Fg6PaFpoGXkYsidMpWTK6W2BeZ7FEfcYkg476zPFsLnS");

#[program]
pub mod treasury {
    use super::*;
    pub fn sweep(ctx: Context<Sweep>) -> Result<()> {
        let amount = ctx.accounts.purse.amount;
        let accounts = Transfer {
            from: ctx.accounts.purse.to_account_info(),
            to: ctx.accounts.receiver.to_account_info(),
            authority: ctx.accounts.chest.to_account_info(),
        };
        let given = Transfer {
            from: ctx.accounts.giver.to_account_info(),
            to: ctx.accounts.purse.to_account_info(),
            authority: ctx.accounts.operator.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), given), amount)?;
        let seeds: &[&[u8]] = &[b"chest", &[ctx.bumps.chest]];
        token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, &[seeds]), amount)
    }
}

#[derive(Accounts)]
pub struct Sweep<'info> {
    #[account(mut)]
    pub operator: Signer<'info>,
    #[account(mut, token::authority = chest)]
    pub purse: Account<'info, TokenAccount>,
    #[account(mut, token::authority = operator)]
    pub receiver: Account<'info, TokenAccount>,
    #[account(mut)]
    pub giver: Account<'info, TokenAccount>,
    /// CHECK: signs
    #[account(seeds = [b"chest"], bump)]
    pub chest: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Receipt { pub paid: u64, pub owner: Pubkey }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

pub const OPERATOR: Pubkey = pubkey!("Fg6PaFpoGXkYsidMpWTK6W2BeZ7FEfcYkg476zPFsLnS");

#[program]
pub mod treasury {
    use super::*;
    pub fn sweep(ctx: Context<Sweep>) -> Result<()> {
        let amount = ctx.accounts.purse.amount;
        let accounts = Transfer {
            from: ctx.accounts.purse.to_account_info(),
            to: ctx.accounts.receiver.to_account_info(),
            authority: ctx.accounts.chest.to_account_info(),
        };
        let seeds: &[&[u8]] = &[b"chest", ctx.accounts.operator.key.as_ref(), &[ctx.bumps.chest]];
        token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, &[seeds]), amount)
    }
}

#[derive(Accounts)]
pub struct Sweep<'info> {
    #[account(mut)]
    pub operator: Signer<'info>,
    #[account(mut, token::authority = chest)]
    pub purse: Account<'info, TokenAccount>,
    #[account(mut, token::authority = operator)]
    pub receiver: Account<'info, TokenAccount>,
    /// CHECK: signs
    #[account(seeds = [b"chest", operator.key().as_ref()], bump)]
    pub chest: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Receipt { pub paid: u64, pub owner: Pubkey }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

pub const OPERATORS: [Pubkey; 1] = [pubkey!("Fg6PaFpoGXkYsidMpWTK6W2BeZ7FEfcYkg476zPFsLnS")];

#[program]
pub mod treasury {
    use super::*;
    pub fn sweep(ctx: Context<Sweep>) -> Result<()> {
        require!(OPERATORS.contains(&ctx.accounts.operator.key()), ErrorCode::ConstraintSigner);
        let amount = ctx.accounts.purse.amount;
        let accounts = Transfer {
            from: ctx.accounts.purse.to_account_info(),
            to: ctx.accounts.receiver.to_account_info(),
            authority: ctx.accounts.chest.to_account_info(),
        };
        let seeds: &[&[u8]] = &[b"chest", &[ctx.bumps.chest]];
        token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, &[seeds]), amount)
    }
}

#[derive(Accounts)]
pub struct Sweep<'info> {
    #[account(mut)]
    pub operator: Signer<'info>,
    #[account(mut, token::authority = chest)]
    pub purse: Account<'info, TokenAccount>,
    #[account(mut, token::authority = operator)]
    pub receiver: Account<'info, TokenAccount>,
    /// CHECK: signs
    #[account(seeds = [b"chest"], bump)]
    pub chest: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Receipt { pub paid: u64, pub owner: Pubkey }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

pub const OPERATOR: Pubkey = pubkey!("Fg6PaFpoGXkYsidMpWTK6W2BeZ7FEfcYkg476zPFsLnS");

#[program]
pub mod treasury {
    use super::*;
    pub fn sweep(ctx: Context<Sweep>) -> Result<()> {
        let amount = 10u64.pow(6);
        let accounts = Transfer {
            from: ctx.accounts.purse.to_account_info(),
            to: ctx.accounts.receiver.to_account_info(),
            authority: ctx.accounts.chest.to_account_info(),
        };
        let seeds: &[&[u8]] = &[b"chest", &[ctx.bumps.chest]];
        token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, &[seeds]), amount)
    }
}

#[derive(Accounts)]
pub struct Sweep<'info> {
    #[account(mut)]
    pub operator: Signer<'info>,
    #[account(mut, token::authority = chest)]
    pub purse: Account<'info, TokenAccount>,
    #[account(mut, token::authority = operator)]
    pub receiver: Account<'info, TokenAccount>,
    /// CHECK: signs
    #[account(seeds = [b"chest"], bump)]
    pub chest: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Receipt { pub paid: u64, pub owner: Pubkey }
`,
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::sysvar::instructions::{self, get_instruction_relative};
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

pub const OPERATOR: Pubkey = pubkey!("Fg6PaFpoGXkYsidMpWTK6W2BeZ7FEfcYkg476zPFsLnS");

#[program]
pub mod treasury {
    use super::*;
    pub fn sweep(ctx: Context<Sweep>) -> Result<()> {
        let amount = ctx.accounts.purse.amount;
        let accounts = Transfer {
            from: ctx.accounts.purse.to_account_info(),
            to: ctx.accounts.receiver.to_account_info(),
            authority: ctx.accounts.chest.to_account_info(),
        };
        let later = get_instruction_relative(1, &ctx.accounts.instructions)?;
        require_keys_eq!(later.program_id, crate::ID);
        let seeds: &[&[u8]] = &[b"chest", &[ctx.bumps.chest]];
        token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, &[seeds]), amount)
    }
}

#[derive(Accounts)]
pub struct Sweep<'info> {
    #[account(mut)]
    pub operator: Signer<'info>,
    #[account(mut, token::authority = chest)]
    pub purse: Account<'info, TokenAccount>,
    #[account(mut, token::authority = operator)]
    pub receiver: Account<'info, TokenAccount>,
    /// CHECK: compared
    #[account(address = instructions::ID)]
    pub instructions: UncheckedAccount<'info>,
    /// CHECK: signs
    #[account(seeds = [b"chest"], bump)]
    pub chest: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Receipt { pub paid: u64, pub owner: Pubkey }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Burn, Mint, Token, TokenAccount, Transfer};

/// The program, which the user made a delegate, burns the coupons that it pays for.
#[program]
pub mod coupons {
    use super::*;
    pub fn redeem(ctx: Context<Redeem>, amount: u64, bump: u8) -> Result<()> {
        let seeds: &[&[&[u8]]] = &[&[b"desk", &[bump]]];
        let burn = Burn {
            mint: ctx.accounts.coupon.to_account_info(),
            from: ctx.accounts.coupons.to_account_info(),
            authority: ctx.accounts.desk.to_account_info(),
        };
        token::burn(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), burn, seeds), amount)?;
        let pay = Transfer {
            from: ctx.accounts.till.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.desk.to_account_info(),
        };
        token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), pay, seeds), amount)
    }
}

#[derive(Accounts)]
#[instruction(amount: u64, bump: u8)]
pub struct Redeem<'info> {
    pub user: Signer<'info>,
    #[account(mut, seeds = [b"coupon"], bump)]
    pub coupon: Account<'info, Mint>,
    #[account(mut, constraint = coupons.owner == user.key(), constraint = coupons.mint == coupon.key())]
    pub coupons: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    #[account(mut, seeds = [b"till"], bump)]
    pub till: Account<'info, TokenAccount>,
    /// CHECK: signs
    #[account(seeds = [b"desk"], bump = bump)]
    pub desk: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Burn, Mint, Token, TokenAccount, Transfer};

/// The program, which the user made a delegate, burns the coupons; the contexts are conversions.
#[program]
pub mod coupons {
    use super::*;
    pub fn redeem(ctx: Context<Redeem>, amount: u64, bump: u8) -> Result<()> {
        let seeds: &[&[&[u8]]] = &[&[b"desk", &[bump]]];
        let burn: CpiContext<Burn> = CpiContext::from(&*ctx.accounts).with_signer(seeds);
        token::burn(burn, amount)?;
        let pay: CpiContext<Transfer> = CpiContext::from(&*ctx.accounts).with_signer(seeds);
        token::transfer(pay, amount)
    }
}

impl<'a, 'b, 'c, 'info> From<&Redeem<'info>> for CpiContext<'a, 'b, 'c, 'info, Transfer<'info>> {
    fn from(accounts: &Redeem<'info>) -> CpiContext<'a, 'b, 'c, 'info, Transfer<'info>> {
        let pay = Transfer { from: accounts.till.to_account_info(), to: accounts.to.to_account_info(), authority: accounts.desk.to_account_info() };
        CpiContext::new(accounts.token_program.to_account_info(), pay)
    }
}

impl<'a, 'b, 'c, 'info> From<&Redeem<'info>> for CpiContext<'a, 'b, 'c, 'info, Burn<'info>> {
    fn from(accounts: &Redeem<'info>) -> CpiContext<'a, 'b, 'c, 'info, Burn<'info>> {
        let burn = Burn { mint: accounts.coupon.to_account_info(), from: accounts.coupons.to_account_info(), authority: accounts.desk.to_account_info() };
        CpiContext::new(accounts.token_program.to_account_info(), burn)
    }
}

#[derive(Accounts)]
#[instruction(amount: u64, bump: u8)]
pub struct Redeem<'info> {
    pub user: Signer<'info>,
    #[account(mut, seeds = [b"coupon"], bump)]
    pub coupon: Account<'info, Mint>,
    #[account(mut, constraint = coupons.owner == user.key(), constraint = coupons.mint == coupon.key())]
    pub coupons: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    #[account(mut, seeds = [b"till"], bump)]
    pub till: Account<'info, TokenAccount>,
    /// CHECK: signs
    #[account(seeds = [b"desk"], bump = bump)]
    pub desk: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}
`,
      `use anchor_lang::prelude::*;
use spl_governance::state::token_owner_record::get_token_owner_record_data;

#[program]
pub mod votes {
    use super::*;
    pub fn choose(ctx: Context<Choose>, delegate: Pubkey) -> Result<()> {
        let record = get_token_owner_record_data(&ctx.accounts.registrar.governance, &ctx.accounts.record)?;
        record.assert_token_owner_or_delegate_is_signer(&ctx.accounts.voter)?;
        ctx.accounts.weight.delegate = delegate;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Choose<'info> {
    pub registrar: Account<'info, Registrar>,
    #[account(mut, constraint = weight.realm == registrar.realm)]
    pub weight: Account<'info, Weight>,
    /// CHECK: read by the library
    pub record: UncheckedAccount<'info>,
    pub voter: Signer<'info>,
}

#[account]
pub struct Registrar { pub governance: Pubkey, pub realm: Pubkey }

#[account]
pub struct Weight { pub realm: Pubkey, pub owner: Pubkey, pub delegate: Pubkey }
`,
    ],
  },
}

const rawNames = oncePer(
  (instruction: Instruction): ReadonlySet<string> =>
    new Set(instruction.accounts.flatMap((one) => (one.wrapper === "raw" ? [one.name] : []))),
)
const isTakenRaw = (instruction: Instruction, name: string): boolean => rawNames(instruction).has(name)
