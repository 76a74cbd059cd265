import { borrowedPermits } from "../../consent/borrowedPermits.ts"
import { idleRemaining, idleSignatures } from "../../consent/idleSignatures.ts"
import { unreadPermits } from "../../consent/unreadPermits.ts"
import { missingSignatureReason } from "../../consent/missingSignatureReason.ts"
import type { Rule } from "../../../Rule.ts"
import { missingTies } from "../../siblings/expectations.ts"
import type { Missing } from "../../ties/missingTie.ts"
import { checksSomewhere, checksWhenDone } from "../../questions/questions.ts"
import { keyOf } from "../../program/semantics.ts"
import { everySubterm } from "../../../rust/terms/terms.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import { isLooseRelation, looseRelations } from "../../siblings/looseRelations.ts"
import type { SolanaProgram } from "../../program/model.ts"
import { signsMessage } from "../../questions/introspection.ts"
import { placeIn } from "../../ties/freshness.ts"
import { signersOf } from "../../authority/authorization.ts"
import { isAnchored } from "../../ties/ties.ts"
import { isAtStake } from "../../payments/gains.ts"
import { isDue } from "../../payments/stakes.ts"
import { weightOfLooseTie } from "../../payments/weights.ts"
import { unevenSigners } from "../../siblings/siblingArms.ts"
import { reasonFor } from "../../siblings/expectationMessages.ts"

export const untiedAuthority: Rule<SolanaProgram> = {
  meta: {
    id: "solana/access-control/untied-authority",
    class: "missing-access-control",
    title: "Signer is not checked against the stored authority",
    severity: "high",
    confidence: "medium",
    cwe: [862, 639],
    description:
      "An account must sign, but its address is never compared with the one that the state stores for this " +
      "role, although the field name or other instructions of the program imply that it should be. Anyone can " +
      "then sign in place of the administrator or owner and change or take what is not theirs.",
    remediation:
      "Add `has_one = …` to the account that stores the authority, or compare the stored address with the " +
      "signer's in the handler before anything is changed. If the instruction is meant for everyone, give the " +
      "signer a name that says so, such as `payer`.",
    references: [
      "https://www.anchor-lang.com/docs/references/account-constraints",
      "https://github.com/coral-xyz/sealevel-attacks/tree/master/programs/1-account-data-matching",
    ],
  },
  check: (program, report) => {
    for (const crate of program.crates) {
      for (const missing of missingTies(crate))
        if (
          missing.signs &&
          !isLooseRelation(crate, missing) &&
          !isGivenByMessage(missing) &&
          // Told as a missing signature.
          missingSignatureReason(crate, missing.instruction, missing.account) === undefined
        )
          report({
            ...missing.account.place,
            scope: missing.instruction.handler.qualifiedName,
            ...reasonFor(missing),
            ...weightOfLooseTie(crate, missing.instruction),
            // The program knows when it goes without, or whoever else signs is known.
            ...(missing.account.optional ||
            (missing.siblings.length > 0 && !isAtStake(missing.instruction, [])) ||
            (missing.slot === "signature" && (isAskedSomewhere(missing) || isRuledByOther(missing))) ||
            signersOf(missing.instruction).some(
              (one) => one !== missing.account && !one.optional && isAnchored(missing.instruction, one),
            )
              ? { severity: "low" as const }
              : {}),
          })
      for (const { instruction, record, asking } of unreadPermits(crate))
        report({
          ...record.place,
          scope: instruction.handler.qualifiedName,
          severity: "medium",
          message: `\`${instruction.name}\` does not check the permissions in \`${record.name}\`, as ${asking.length === 1 ? `\`${asking[0]!.name}\` does` : `${asking.length} other instructions do`}.`,
        })
      const told = new Set(missingTies(crate).map(({ account }) => account))
      for (const instruction of crate.instructions) {
        const idle = idleSignatures(crate, instruction)
        for (const { record, field } of idle.length > 0 ? [] : borrowedPermits(crate, instruction))
          if (!told.has(record))
            report({
              ...record.place,
              scope: instruction.handler.qualifiedName,
              severity: "medium",
              message: `\`${instruction.name}\` never compares \`${record.name}.${field}\` with a signer: a caller without such a record can pass someone else's.`,
            })
        for (const { signer, site } of unevenSigners(instruction))
          report({
            ...site,
            message: `On this path, \`${signer.name}\` can be anyone; on another path, it has to be the stored address. The caller chooses the path.`,
          })
        for (const event of idleRemaining(instruction))
          report({
            ...placeOf(event),
            severity: isDue(instruction) ? "low" : "medium",
            message: `\`${instruction.name}\` requires one of the remaining accounts to sign, but accepts anyone: the signer's address is never used.`,
          })
        for (const { account, weight } of idle)
          if (!told.has(account) && !looseRelations(crate, instruction).some(({ other }) => other === account))
            report({
              ...account.place,
              scope: instruction.handler.qualifiedName,
              severity: weight,
              message: `\`${instruction.name}\` requires \`${account.name}\` to sign, but accepts anyone: the signer's address is never used.`,
            })
      }
    }
  },
  examples: {
    vulnerable: [
      `use anchor_lang::prelude::*;

#[program]
pub mod stand {
    use super::*;

    pub fn collect(ctx: Context<Collect>, which: u8) -> Result<()> {
        let stand = &mut ctx.accounts.stand;
        if which == 0 {
            require_keys_eq!(ctx.accounts.visitor.key(), stand.baker, StandError::Stranger);
            stand.left -= 1;
        } else {
            stand.left -= 2; // FINDING
        }
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Collect<'info> {
    #[account(mut)]
    pub stand: Account<'info, Stand>,
    pub visitor: Signer<'info>,
    /// CHECK: only its address is looked at
    pub goods: UncheckedAccount<'info>,
}

#[account]
pub struct Stand { pub baker: Pubkey, pub brewer: Pubkey, pub bread: Pubkey, pub shared: bool, pub left: u64, pub visits: u64 }
#[error_code]
pub enum StandError { Stranger }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod stand {
    use super::*;

    pub fn collect(ctx: Context<Collect>, which: u8) -> Result<()> {
        let stand = &mut ctx.accounts.stand;
        if ctx.accounts.goods.key() == stand.bread {
            take(stand, 1); // FINDING
        } else {
            require!(ctx.accounts.visitor.key() == stand.brewer, StandError::Stranger);
            take(stand, 2);
        }
        Ok(())
    }
}

fn take(stand: &mut Stand, count: u64) {
    stand.left -= count;
}

#[derive(Accounts)]
pub struct Collect<'info> {
    #[account(mut)]
    pub stand: Account<'info, Stand>,
    pub visitor: Signer<'info>,
    /// CHECK: only its address is looked at
    pub goods: UncheckedAccount<'info>,
}

#[account]
pub struct Stand { pub baker: Pubkey, pub brewer: Pubkey, pub bread: Pubkey, pub shared: bool, pub left: u64, pub visits: u64 }
#[error_code]
pub enum StandError { Stranger }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod rebates {
    use super::*;
    /// The manager's authority is asked for, not that of the rebate.
    pub fn grant(ctx: Context<Grant>, rate: u64) -> Result<()> {
        let manager = &mut ctx.accounts.rebate_manager;
        manager.granted = manager.granted.checked_add(rate / 2).unwrap();
        Ok(())
    }
    /// Any two addresses make a third one.
    pub fn act(ctx: Context<Act>) -> Result<()> {
        let seat = &mut ctx.accounts.seat;
        seat.acts = seat.acts.checked_sub(1).unwrap();
        let accounts = boards::cpi::accounts::Act { delegate: ctx.accounts.delegate.to_account_info() };
        let (seat, member) = (ctx.accounts.seat.key(), ctx.accounts.member.key());
        let seeds: &[&[&[u8]]] = &[&[seat.as_ref(), member.as_ref(), &[ctx.bumps.delegate]]];
        boards::cpi::act(CpiContext::new_with_signer(ctx.accounts.boards.to_account_info(), accounts, seeds))
    }
    pub fn leave(ctx: Context<Leave>) -> Result<()> {
        ctx.accounts.seat.acts = 0;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Grant<'info> {
    #[account(mut)]
    pub rebate_manager: Account<'info, RebateManager>,
    /// CHECK: anyone
    pub rebate_authority: UncheckedAccount<'info>,
    pub authority: Signer<'info>, // FINDING
}

#[derive(Accounts)]
pub struct Act<'info> {
    #[account(mut)]
    pub seat: Account<'info, Seat>,
    pub member: Signer<'info>, // FINDING
    /// CHECK: signs
    #[account(seeds = [seat.key().as_ref(), member.key().as_ref()], bump)]
    pub delegate: UncheckedAccount<'info>,
    pub boards: Program<'info, Boards>,
}

#[derive(Accounts)]
pub struct Leave<'info> {
    #[account(mut, has_one = member)]
    pub seat: Account<'info, Seat>,
    pub member: Signer<'info>,
}

#[account]
pub struct RebateManager { pub authority: Pubkey, pub granted: u64 }

#[account]
pub struct Seat { pub member: Pubkey, pub acts: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod pools {
    use super::*;
    pub fn set_fee(ctx: Context<SetFee>, fee: u16) -> Result<()> {
        require!(fee < 500, ErrorCode::Fee);
        ctx.accounts.pool.settings.fee = fee;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct SetFee<'info> {
    #[account(mut)]
    pub pool: Account<'info, Pool>,
    pub manager: Signer<'info>, // FINDING
}

#[account]
pub struct Pool { pub settings: Settings }

#[derive(AnchorSerialize, AnchorDeserialize, Clone)]
pub struct Settings { pub manager: Pubkey, pub fee: u16 }

#[error_code]
pub enum ErrorCode { Fee }
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Market { pub curator: Pubkey, pub open: bool, pub limit: u64 }

fn load(program_id: &Pubkey, info: &AccountInfo) -> Result<Market, ProgramError> {
    if info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    Ok(Market::try_from_slice(&info.data.borrow())?)
}

pub fn open(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let market_info = next_account_info(iter)?;
    let curator = next_account_info(iter)?;
    let mut market = load(program_id, market_info)?;
    if !curator.is_signer || market.curator != *curator.key {
        return Err(ProgramError::MissingRequiredSignature);
    }
    market.open = true;
    market.serialize(&mut &mut market_info.data.borrow_mut()[..])?;
    Ok(())
}

pub fn close(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let market_info = next_account_info(iter)?;
    let curator = next_account_info(iter)?; // FINDING
    let mut market = load(program_id, market_info)?;
    if !curator.is_signer {
        return Err(ProgramError::MissingRequiredSignature);
    }
    market.open = false;
    market.serialize(&mut &mut market_info.data.borrow_mut()[..])?;
    Ok(())
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Oracle {
    pub authority: Pubkey,
}

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Weights {
    pub parts: [u64; 10],
}

pub fn hand_over(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let oracle_info = next_account_info(iter)?;
    let authority_info = next_account_info(iter)?;
    let next_info = next_account_info(iter)?;
    if oracle_info.owner != program_id || !authority_info.is_signer || !next_info.is_signer {
        return Err(ProgramError::IllegalOwner);
    }
    let mut oracle = Oracle::try_from_slice(&oracle_info.data.borrow())?;
    if oracle.authority != *authority_info.key {
        return Err(ProgramError::InvalidAccountData);
    }
    oracle.authority = *next_info.key;
    oracle.serialize(&mut &mut oracle_info.data.borrow_mut()[..])?;
    Ok(())
}

pub fn weigh(program_id: &Pubkey, accounts: &[AccountInfo], parts: [u64; 10]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let oracle_info = next_account_info(iter)?;
    let weights_info = next_account_info(iter)?;
    let authority_info = next_account_info(iter)?; // FINDING
    if oracle_info.owner != program_id || !authority_info.is_signer {
        return Err(ProgramError::IllegalOwner);
    }
    let (expected, _) = Pubkey::find_program_address(&[oracle_info.key.as_ref()], program_id);
    if expected != *weights_info.key {
        return Err(ProgramError::InvalidArgument);
    }
    let mut weights = Weights::try_from_slice(&weights_info.data.borrow())?;
    weights.parts = parts;
    weights.serialize(&mut &mut weights_info.data.borrow_mut()[..])?;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;
use house_keys::multisig;

#[program]
pub mod feeds {
    use super::*;
    pub fn push(ctx: Context<Push>, price: u64) -> Result<()> {
        ctx.accounts.feed.price = price;
        emit!(Pushed { by: ctx.accounts.pusher.key(), price });
        Ok(())
    }
    pub fn release(ctx: Context<Release>) -> Result<()> {
        ctx.accounts.lockup.ends = 1738195200;
        ctx.accounts.lockup.weight = ctx.accounts.feed.price;
        Ok(())
    }
    pub fn refresh(ctx: Context<Refresh>) -> Result<()> {
        let now = Clock::get()?.unix_timestamp;
        ctx.accounts.feed.time = now;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Push<'info> {
    pub pusher: Signer<'info>, // FINDING
    #[account(mut)]
    pub feed: Account<'info, Feed>,
}

#[derive(Accounts)]
pub struct Release<'info> {
    #[account(address = multisig::ID)]
    pub guardian: Signer<'info>,
    pub second: Signer<'info>, // FINDING
    pub feed: Account<'info, Feed>,
    #[account(mut)]
    pub lockup: Account<'info, Lockup>,
}

#[derive(Accounts)]
pub struct Refresh<'info> {
    pub clock_operator: Signer<'info>, // FINDING
    #[account(mut)]
    pub feed: Account<'info, Feed>,
}

#[account]
pub struct Feed { pub price: u64, pub time: i64 }

#[account]
pub struct Lockup { pub ends: i64, pub weight: u64 }

#[event]
pub struct Pushed { pub by: Pubkey, pub price: u64 }
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, msg, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Rate { pub value: u64 }

fn signed(info: &AccountInfo) -> ProgramResult {
    if info.is_signer { Ok(()) } else { Err(ProgramError::MissingRequiredSignature) }
}

pub fn set(program_id: &Pubkey, accounts: &[AccountInfo], value: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let rate_info = next_account_info(iter)?;
    let setter = next_account_info(iter)?; // FINDING
    signed(setter)?;
    msg!("set by {}", setter.key);
    if rate_info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    let mut rate = Rate::try_from_slice(&rate_info.data.borrow())?;
    rate.value = value;
    rate.serialize(&mut &mut rate_info.data.borrow_mut()[..])?;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{Mint, TokenAccount};

#[program]
pub mod estates {
    use super::*;
    pub fn open(ctx: Context<Open>) -> Result<()> {
        ctx.accounts.estate.open = true;
        Ok(())
    }
    pub fn raise(ctx: Context<Raise>, rent: u64) -> Result<()> {
        ctx.accounts.estate.rent = rent;
        Ok(())
    }
    pub fn lower(ctx: Context<Lower>, rent: u64) -> Result<()> {
        ctx.accounts.estate.rent = rent;
        Ok(())
    }
    pub fn drop(ctx: Context<Drop>, rent: u64, least: u64) -> Result<()> {
        require!(ctx.accounts.deed_account.amount >= least, ErrorCode::ConstraintRaw);
        ctx.accounts.estate.rent = rent;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(mut, has_one = steward)]
    pub estate: Account<'info, Estate>,
    pub steward: Signer<'info>,
}

#[derive(Accounts)]
pub struct Raise<'info> {
    #[account(mut)]
    pub estate: Account<'info, Estate>,
    pub estate_steward: Signer<'info>, // FINDING
}

// Anyone can open an empty account for the deed.
#[derive(Accounts)]
pub struct Lower<'info> {
    #[account(mut, has_one = deed)]
    pub estate: Account<'info, Estate>,
    pub deed: Account<'info, Mint>,
    #[account(token::mint = deed, token::authority = steward, constraint = deed_account.amount < 2)]
    pub deed_account: Account<'info, TokenAccount>,
    pub steward: Signer<'info>, // FINDING
}

#[derive(Accounts)]
pub struct Drop<'info> {
    #[account(mut, has_one = deed)]
    pub estate: Account<'info, Estate>,
    pub deed: Account<'info, Mint>,
    #[account(token::mint = deed, token::authority = steward)]
    pub deed_account: Account<'info, TokenAccount>,
    pub steward: Signer<'info>, // FINDING
}

#[account]
pub struct Estate { pub steward: Pubkey, pub deed: Pubkey, pub open: bool, pub rent: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod chains {
    use super::*;
    pub fn join(ctx: Context<Join>) -> Result<()> {
        ctx.accounts.role.bits = 0;
        Ok(())
    }
    pub fn allow(ctx: Context<Allow>, id: u64) -> Result<()> {
        ctx.accounts.root.allowed = id;
        Ok(())
    }
    pub fn limit(ctx: Context<Allow>, id: u64) -> Result<()> {
        ctx.accounts.root.limit = id;
        Ok(())
    }
    pub fn forbid(ctx: Context<Forbid>, id: u64) -> Result<()> {
        ctx.accounts.root.forbidden = id;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Join<'info> {
    #[account(mut)]
    pub who: Signer<'info>,
    #[account(init, payer = who, space = 9, seeds = [b"role", who.key().as_ref()], bump)]
    pub role: Account<'info, Role>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Allow<'info> {
    pub who: Signer<'info>,
    #[account(seeds = [b"role", who.key().as_ref()], bump = role.bump, constraint = role.may() @ Code::No)]
    pub role: Account<'info, Role>,
    #[account(mut, seeds = [b"root"], bump)]
    pub root: Account<'info, Root>,
}

#[derive(Accounts)]
pub struct Forbid<'info> {
    pub who: Signer<'info>,
    #[account(seeds = [b"role", who.key().as_ref()], bump = role.bump)]
    pub role: Account<'info, Role>, // FINDING
    #[account(mut, seeds = [b"root"], bump)]
    pub root: Account<'info, Root>,
}

#[account]
pub struct Root { pub allowed: u64, pub forbidden: u64, pub limit: u64, pub time: i64 }

#[account]
pub struct Role { pub bits: u8, pub bump: u8, pub count: u64 }

impl Role {
    pub fn may(&self) -> bool {
        self.bits & 4 != 0
    }
}

#[error_code]
pub enum Code { No }
`,
      `use pinocchio::{account_info::AccountInfo, program_error::ProgramError, pubkey::Pubkey, ProgramResult};

pub fn set(program_id: &Pubkey, accounts: &[AccountInfo], value: u8) -> ProgramResult {
    let [table, keeper_of_it] = accounts else { // FINDING
        return Err(ProgramError::NotEnoughAccountKeys);
    };
    if !keeper_of_it.is_signer() || !table.is_owned_by(program_id) {
        return Err(ProgramError::MissingRequiredSignature);
    }
    table.try_borrow_mut_data()?[0] = value;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod gauge {
    use super::*;

    /// Any signature stands for that of the auditor.
    pub fn report(ctx: Context<Report>, value: u64) -> Result<()> {
        if let Some(_auditor) = ctx.accounts.board.auditor {
            require!(ctx.remaining_accounts.len() == 1, GaugeError::Missing);
            let auditor = &ctx.remaining_accounts[0];
            require!(auditor.is_signer, GaugeError::Missing); // FINDING
        }
        ctx.accounts.entry.value = value;
        Ok(())
    }

    pub fn revise(ctx: Context<Report>, value: u64) -> Result<()> {
        second(ctx.remaining_accounts)?;
        ctx.accounts.entry.value = value;
        Ok(())
    }

    pub fn settle(ctx: Context<Report>) -> Result<()> {
        let keeper = &ctx.remaining_accounts[0];
        require!(keeper.is_signer, GaugeError::Missing); // FINDING
        let entry = &mut ctx.accounts.entry;
        entry.total = entry.total.checked_add(entry.value).unwrap();
        Ok(())
    }
}

fn second(rest: &[AccountInfo]) -> Result<()> {
    let Some(auditor) = rest.get(0) else { return err!(GaugeError::Missing) };
    if !auditor.is_signer { // FINDING
        return err!(GaugeError::Missing);
    }
    Ok(())
}

#[derive(Accounts)]
pub struct Report<'info> {
    pub reporter: Signer<'info>,
    #[account(has_one = reporter)]
    pub board: Account<'info, Board>,
    #[account(mut, has_one = board)]
    pub entry: Account<'info, Entry>,
}

#[account]
pub struct Board { pub reporter: Pubkey, pub auditor: Option<Pubkey> }

#[account]
pub struct Entry { pub board: Pubkey, pub value: u64, pub total: u64 }

#[error_code]
pub enum GaugeError { Missing }
`,
      `use anchor_lang::prelude::*;

pub const OPERATOR: Pubkey = pubkey!("Fg6PaFpoGXkYsidMpWTK6W2BeZ7FEfcYkg476zPFsLnS");

#[program]
pub mod repairs {
    use super::*;
    pub fn repair(ctx: Context<Repair>, total: u64) -> Result<()> {
        ctx.accounts.ledger.total = total;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Repair<'info> {
    #[account(mut)]
    pub operator: Signer<'info>, // FINDING
    #[account(
        mut,
        realloc = 64,
        realloc::payer = operator,
        realloc::zero = true,
        seeds = [b"ledger", pool.key().as_ref()],
        bump
    )]
    pub ledger: Account<'info, Ledger>,
    pub pool: Account<'info, Pool>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Ledger { pub total: u64 }

#[account]
pub struct Pool { pub size: u64 }
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};
use bytemuck::Pod;
use std::cell::RefMut;
use std::sync::Arc;

solana_program::declare_id!("Guild11111111111111111111111111111111111111");

/// However a record is read, it stores its authority.
pub trait Loadable: Pod {
    fn load_mut<'a>(info: &'a AccountInfo) -> Result<RefMut<'a, Self>, ProgramError> {
        if info.owner != &crate::ID {
            return Err(ProgramError::IllegalOwner);
        }
        Ok(RefMut::map(info.try_borrow_mut_data()?, |data| bytemuck::from_bytes_mut(&mut data[..40])))
    }
}
#[derive(Clone, Copy, Pod)]
pub struct Guild { pub master: Pubkey, pub tithe: u64 }
impl Loadable for Guild {}

pub fn set_tithe(accounts: &[AccountInfo], tithe: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let guild_info = next_account_info(iter)?;
    let master = next_account_info(iter)?; // FINDING
    let mut guild = Guild::load_mut(guild_info)?;
    if !master.is_signer {
        return Err(ProgramError::MissingRequiredSignature);
    }
    guild.tithe = tithe;
    Ok(())
}

pub struct Club { pub chair: Pubkey, pub dues: u64 }
impl Club {
    fn read(info: &AccountInfo) -> Result<Self, ProgramError> {
        let data = info.data.borrow();
        let (tag, rest) = data.split_first().ok_or(ProgramError::InvalidAccountData)?;
        if info.owner != &crate::ID || *tag != 7 {
            return Err(ProgramError::IllegalOwner);
        }
        let (chair, dues) = rest.split_at(32);
        Ok(Self { chair: Pubkey::try_from(chair).unwrap(), dues: u64::from_le_bytes(dues[..8].try_into().unwrap()) })
    }
}

pub fn set_dues(accounts: &[AccountInfo], dues: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let club_info = next_account_info(iter)?;
    let chair = next_account_info(iter)?; // FINDING
    let club = Club::read(club_info)?;
    if !chair.is_signer || dues < club.dues {
        return Err(ProgramError::MissingRequiredSignature);
    }
    club_info.data.borrow_mut()[33..41].copy_from_slice(&dues.to_le_bytes());
    Ok(())
}

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Lodge { pub elder: Pubkey, pub quorum: u8 }

fn read<T: BorshDeserialize>(info: &AccountInfo) -> Result<T, ProgramError> {
    if info.owner != &crate::ID {
        return Err(ProgramError::IllegalOwner);
    }
    T::try_from_slice(&info.data.borrow()).map_err(|_| ProgramError::InvalidAccountData)
}

pub fn set_quorum(accounts: &[AccountInfo], quorum: u8) -> ProgramResult {
    let iter = &mut accounts.iter();
    let lodge_info = next_account_info(iter)?;
    let elder = next_account_info(iter)?; // FINDING
    let mut lodge: Lodge = read(lodge_info)?;
    if !elder.is_signer {
        return Err(ProgramError::MissingRequiredSignature);
    }
    lodge.quorum = quorum;
    lodge.serialize(&mut &mut lodge_info.data.borrow_mut()[..])?;
    Ok(())
}

pub trait Basin { fn warden(&self) -> &Pubkey; }
#[derive(BorshSerialize, BorshDeserialize)]
pub struct BasinV1 { pub warden: Pubkey, pub level: u64 }
impl Basin for BasinV1 { fn warden(&self) -> &Pubkey { &self.warden } }
fn versioned(info: &AccountInfo) -> Result<Arc<dyn Basin>, ProgramError> {
    match info.data.borrow()[0] {
        1 => Ok(Arc::new(BasinV1::try_from_slice(&info.data.borrow()[1..])?)),
        _ => Err(ProgramError::UninitializedAccount),
    }
}

pub fn set_level(accounts: &[AccountInfo], level: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let basin_info = next_account_info(iter)?;
    let warden = next_account_info(iter)?; // FINDING
    let basin = versioned(basin_info)?;
    if basin_info.owner != &crate::ID || !warden.is_signer || basin.warden() == &Pubkey::default() {
        return Err(ProgramError::MissingRequiredSignature);
    }
    basin_info.data.borrow_mut()[33..41].copy_from_slice(&level.to_le_bytes());
    Ok(())
}

#[derive(Clone, Copy, Pod)]
pub struct Hero { pub player: Pubkey, pub gold: u64 }
fn hero_of<'a>(info: &'a AccountInfo, player: Option<&AccountInfo>) -> Result<RefMut<'a, Hero>, ProgramError> {
    if info.owner != &crate::ID {
        return Err(ProgramError::IllegalOwner);
    }
    let hero: RefMut<'a, Hero> = RefMut::map(info.try_borrow_mut_data()?, |data| bytemuck::from_bytes_mut(data));
    if let Some(player) = player {
        if hero.player != *player.key {
            return Err(ProgramError::InvalidArgument);
        }
    }
    Ok(hero)
}

pub fn spend(accounts: &[AccountInfo], gold: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let hero_info = next_account_info(iter)?;
    let player = next_account_info(iter)?; // FINDING
    if !player.is_signer {
        return Err(ProgramError::MissingRequiredSignature);
    }
    hero_of(hero_info, None)?.gold = gold;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod bids {
    use super::*;

    pub fn raise(ctx: Context<Raise>, id: u64) -> Result<()> {
        let sheet = &mut ctx.accounts.sheet;
        let bid = sheet.bids.iter_mut().find(|bid| bid.id == id).ok_or(Problem::Gone)?;
        bid.rank += 1;
        Ok(())
    }

    pub fn cancel(ctx: Context<Cancel>, id: u64) -> Result<()> {
        let sheet = &mut ctx.accounts.sheet;
        let bid = sheet.bids.iter_mut().find(|bid| bid.id == id).ok_or(Problem::Gone)?;
        bid.rank = sheet.none;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Raise<'info> {
    pub trader: Signer<'info>,
    #[account(mut, has_one = trader)]
    pub sheet: Account<'info, Sheet>,
}

#[derive(Accounts)]
pub struct Cancel<'info> {
    pub user: Signer<'info>, // FINDING
    #[account(mut)]
    pub sheet: Account<'info, Sheet>,
}

#[account]
pub struct Sheet {
    pub trader: Pubkey,
    pub none: u64,
    pub bids: Vec<Bid>,
}

#[derive(AnchorSerialize, AnchorDeserialize, Clone)]
pub struct Bid {
    pub id: u64,
    pub rank: u64,
}

#[error_code]
pub enum Problem {
    #[msg("Gone")]
    Gone,
}
`,
      // What is written lies in the account's bytes.
      `use anchor_lang::prelude::*;

#[program]
pub mod leagues {
    use super::*;
    pub fn freeze(ctx: Context<Freeze>, until: u64) -> Result<()> {
        let mut bytes = ctx.accounts.player.try_borrow_mut_data()?;
        let player: &mut Player = layout::view(&mut bytes[8..]);
        player.frozen = until;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Freeze<'info> {
    pub league: Account<'info, League>,
    /// CHECK: its owner is compared
    #[account(mut, owner = crate::ID)]
    pub player: UncheckedAccount<'info>,
    pub referee: Signer<'info>, // FINDING
}

#[account]
pub struct League { pub referee: Pubkey, pub played: u64 }

#[derive(Clone, Copy)]
pub struct Player { pub frozen: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod bazaar {
    use super::*;
    /// Only those whom the bazaar knows may trade, and anyone's permit shows that.
    pub fn trade(ctx: Context<Trade>, volume: u64) -> Result<()> {
        ctx.accounts.bazaar.volume = volume;
        ctx.accounts.bazaar.guest = ctx.accounts.trader.key();
        Ok(())
    }
    pub fn renew(ctx: Context<Renew>, until: i64) -> Result<()> {
        ctx.accounts.permit.until = until;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Trade<'info> {
    #[account(has_one = bazaar)]
    pub permit: Account<'info, Permit>, // FINDING
    #[account(mut)]
    pub bazaar: Account<'info, Bazaar>,
    pub trader: Signer<'info>,
}

#[derive(Accounts)]
pub struct Renew<'info> {
    #[account(mut, has_one = owner)]
    pub permit: Account<'info, Permit>,
    pub owner: Signer<'info>,
}

#[account]
pub struct Permit { pub bazaar: Pubkey, pub owner: Pubkey, pub until: i64 }
#[account]
pub struct Bazaar { pub volume: u64, pub guest: Pubkey }
`,
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::keccak::hash;
use anchor_lang::solana_program::secp256k1_recover::secp256k1_recover;

#[program]
pub mod desk {
    use super::*;
    pub fn set_limit(ctx: Context<Admin>, limit: u64) -> Result<()> { ctx.accounts.desk.limit = limit; Ok(()) }
    pub fn set_fee(ctx: Context<Edit>, fee: u64, signature: [u8; 64], id: u8) -> Result<()> {
        let desk = &mut ctx.accounts.desk;
        let message = hash(&fee.to_le_bytes()).to_bytes();
        let key = secp256k1_recover(&message, id, &signature).map_err(|_| ProgramError::InvalidArgument)?;
        require!(key.to_bytes() != [0; 64], ErrorCode::ConstraintSigner);
        desk.fee = fee;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Admin<'info> {
    #[account(mut, constraint = desk.authority == signer.key())]
    pub desk: Account<'info, Desk>,
    pub signer: Signer<'info>,
}

#[derive(Accounts)]
pub struct Edit<'info> {
    #[account(mut, seeds = [b"desk"], bump)]
    pub desk: Account<'info, Desk>,
    pub signer: Signer<'info>, // FINDING
}

#[account]
pub struct Desk { pub mint_key: [u8; 64], pub fee: u64, pub limit: u64, pub authority: Pubkey }
`,
    ],
    safe: [
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::keccak::hash;
use anchor_lang::solana_program::secp256k1_recover::secp256k1_recover;

#[program]
pub mod desk {
    use super::*;
    pub fn set_limit(ctx: Context<Admin>, limit: u64) -> Result<()> { ctx.accounts.desk.limit = limit; Ok(()) }
    pub fn set_fee(ctx: Context<Edit>, fee: u64, signature: [u8; 64], id: u8) -> Result<()> {
        let desk = &mut ctx.accounts.desk;
        let message = hash(&fee.to_le_bytes()).to_bytes();
        let key = secp256k1_recover(&message, id, &signature).map_err(|_| ProgramError::InvalidArgument)?;
        require!(key.to_bytes() == desk.mint_key, ErrorCode::ConstraintSigner);
        desk.fee = fee;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Admin<'info> {
    #[account(mut, constraint = desk.authority == signer.key())]
    pub desk: Account<'info, Desk>,
    pub signer: Signer<'info>,
}

#[derive(Accounts)]
pub struct Edit<'info> {
    #[account(mut, seeds = [b"desk"], bump)]
    pub desk: Account<'info, Desk>,
    pub signer: Signer<'info>,
}

#[account]
pub struct Desk { pub mint_key: [u8; 64], pub fee: u64, pub limit: u64, pub authority: Pubkey }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod pools {
    use super::*;
    pub fn buy(ctx: Context<Buy>, price: u64) -> Result<()> {
        ctx.accounts.pool.last = price;
        ctx.accounts.pool.buyer = ctx.accounts.buyer.key();
        Ok(())
    }
}

/// Who is there to sign has to be the stored one; a pool that stores none has nobody.
#[derive(Accounts)]
pub struct Buy<'info> {
    #[account(mut, constraint = cosigner.as_ref().map(|one| one.key()).unwrap_or_default() == pool.cosigner)]
    pub pool: Account<'info, Pool>,
    pub cosigner: Option<Signer<'info>>,
    pub buyer: Signer<'info>,
}

#[account]
pub struct Pool { pub cosigner: Pubkey, pub buyer: Pubkey, pub last: u64 }
`,
      // The record's owner signed a message, which anyone may hand in.
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::sysvar::instructions::{load_current_index_checked, load_instruction_at_checked};

#[program]
pub mod guestbook {
    use super::*;
    pub fn sign(ctx: Context<Sign>, page: u64) -> Result<()> {
        ctx.accounts.guest.page = page;
        Ok(())
    }
    pub fn hand_in(ctx: Context<HandIn>, page: u64) -> Result<()> {
        let index = load_current_index_checked(&ctx.accounts.instructions)?;
        let verified = load_instruction_at_checked(index as usize - 1, &ctx.accounts.instructions)?;
        let guest = &mut ctx.accounts.guest;
        require!(verified.program_id == ed25519_program::ID, GuestError::Unverified);
        require!(verified.data[16..48] == guest.owner.to_bytes(), GuestError::Unverified);
        require!(verified.data[112..120] == page.to_le_bytes(), GuestError::Unverified);
        guest.page = page;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Sign<'info> {
    #[account(mut, has_one = owner)]
    pub guest: Account<'info, Guest>,
    pub owner: Signer<'info>,
}

#[derive(Accounts)]
pub struct HandIn<'info> {
    #[account(mut)]
    pub guest: Account<'info, Guest>,
    pub owner: Signer<'info>,
    /// CHECK: the sysvar
    #[account(address = anchor_lang::solana_program::sysvar::instructions::ID)]
    pub instructions: UncheckedAccount<'info>,
}

#[account]
pub struct Guest { pub owner: Pubkey, pub page: u64 }
#[error_code]
pub enum GuestError { Unverified }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod stand {
    use super::*;

    pub fn collect(ctx: Context<Collect>, which: u8) -> Result<()> {
        let stand = &mut ctx.accounts.stand;
        if stand.shared {
            stand.left -= 1;
        } else {
            require_keys_eq!(ctx.accounts.visitor.key(), stand.baker, StandError::Stranger);
            stand.left -= which as u64;
        }
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Collect<'info> {
    #[account(mut)]
    pub stand: Account<'info, Stand>,
    pub visitor: Signer<'info>,
    /// CHECK: only its address is looked at
    pub goods: UncheckedAccount<'info>,
}

#[account]
pub struct Stand { pub baker: Pubkey, pub brewer: Pubkey, pub bread: Pubkey, pub shared: bool, pub left: u64, pub visits: u64 }
#[error_code]
pub enum StandError { Stranger }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod stand {
    use super::*;

    pub fn collect(ctx: Context<Collect>, which: u8) -> Result<()> {
        let stand = &mut ctx.accounts.stand;
        if which == 0 {
            require_keys_eq!(ctx.accounts.visitor.key(), stand.baker, StandError::Stranger);
            stand.left -= 1;
        } else {
            stand.visits += 1;
        }
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Collect<'info> {
    #[account(mut)]
    pub stand: Account<'info, Stand>,
    pub visitor: Signer<'info>,
    /// CHECK: only its address is looked at
    pub goods: UncheckedAccount<'info>,
}

#[account]
pub struct Stand { pub baker: Pubkey, pub brewer: Pubkey, pub bread: Pubkey, pub shared: bool, pub left: u64, pub visits: u64 }
#[error_code]
pub enum StandError { Stranger }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod stand {
    use super::*;

    pub fn collect(ctx: Context<Collect>, which: u8) -> Result<()> {
        let stand = &mut ctx.accounts.stand;
        if which == 0 {
            require_keys_eq!(ctx.accounts.visitor.key(), stand.baker, StandError::Stranger);
            stand.left -= 1;
        } else {
            let (address, _) = Pubkey::find_program_address(&[b"guest", stand.bread.as_ref()], &crate::ID);
            require!(ctx.accounts.visitor.key() == address, StandError::Stranger);
            stand.left -= 2;
        }
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Collect<'info> {
    #[account(mut)]
    pub stand: Account<'info, Stand>,
    pub visitor: Signer<'info>,
    /// CHECK: only its address is looked at
    pub goods: UncheckedAccount<'info>,
}

#[account]
pub struct Stand { pub baker: Pubkey, pub brewer: Pubkey, pub bread: Pubkey, pub shared: bool, pub left: u64, pub visits: u64 }
#[error_code]
pub enum StandError { Stranger }
`,
      // An administrator may stand in for the holder, so whoever opens a record need not be the administrator.
      `use anchor_lang::prelude::*;

#[program]
pub mod savings {
    use super::*;
    pub fn open(ctx: Context<Open>) -> Result<()> {
        let account = &mut ctx.accounts.account;
        account.group = ctx.accounts.group.key();
        account.holder = ctx.accounts.authority.key();
        ctx.accounts.group.members += 1;
        Ok(())
    }
    pub fn note(ctx: Context<Act>) -> Result<()> { act(ctx, 1) }
    pub fn keep(ctx: Context<Act>) -> Result<()> { act(ctx, 2) }
    pub fn drop(ctx: Context<Act>) -> Result<()> { act(ctx, 3) }
}

fn act(ctx: Context<Act>, deed: u8) -> Result<()> {
    let signer = ctx.accounts.authority.key();
    require!(signer == ctx.accounts.account.holder || signer == ctx.accounts.group.admin, Denied::Signer);
    ctx.accounts.account.deed = deed;
    Ok(())
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(mut)]
    pub group: Account<'info, Group>,
    #[account(init, payer = fee_payer, space = 80)]
    pub account: Account<'info, Saving>,
    pub authority: Signer<'info>,
    #[account(mut)]
    pub fee_payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Act<'info> {
    pub group: Account<'info, Group>,
    #[account(mut, has_one = group)]
    pub account: Account<'info, Saving>,
    pub authority: Signer<'info>,
}

#[account]
pub struct Group { pub admin: Pubkey, pub members: u64 }

#[account]
pub struct Saving { pub group: Pubkey, pub holder: Pubkey, pub deed: u8 }

#[error_code]
pub enum Denied { Signer }
`,
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::sysvar::instructions::load_instruction_at_checked;

#[program]
pub mod feeds {
    use super::*;
    /// Somebody's own record, or one that remembers who wrote it.
    pub fn open(ctx: Context<Open>, price: u64) -> Result<()> {
        ctx.accounts.feed.price = price;
        Ok(())
    }
    pub fn own(ctx: Context<Own>, price: u64) -> Result<()> {
        ctx.accounts.feed.price = price;
        Ok(())
    }
    pub fn sign(ctx: Context<Sign>, price: u64) -> Result<()> {
        ctx.accounts.feed.price = price;
        ctx.accounts.feed.last = ctx.accounts.user.key();
        Ok(())
    }
    /// The called program knows who it is.
    pub fn hand(ctx: Context<Sign>, price: u64) -> Result<()> {
        ctx.accounts.feed.price = price;
        other_program::check_in(&ctx.accounts.user)?;
        Ok(())
    }
    pub fn hand_all(ctx: Context<Sign>, price: u64) -> Result<()> {
        other_program::check_all(&ctx.accounts)?;
        ctx.accounts.feed.price = price;
        Ok(())
    }
    /// It decides what is done, and nothing is refused.
    pub fn either(ctx: Context<Sign>, price: u64) -> Result<()> {
        if ctx.accounts.user.key() == ctx.accounts.feed.last {
            ctx.accounts.feed.price = price;
        } else {
            ctx.accounts.feed.asked = price;
        }
        Ok(())
    }
    /// What the signer did stands elsewhere in the transaction.
    pub fn look(ctx: Context<Look>, price: u64) -> Result<()> {
        let before = load_instruction_at_checked(0, &ctx.accounts.instructions)?;
        require!(before.data.len() == 8, ErrorCode::Data);
        ctx.accounts.feed.price = price;
        Ok(())
    }
    pub fn drop_it(ctx: Context<DropIt>) -> Result<()> {
        require!(ctx.accounts.feed.price == 0, ErrorCode::Data);
        Ok(())
    }
    pub fn grow(ctx: Context<Grow>, price: u64) -> Result<()> {
        ctx.accounts.feed.price = price;
        Ok(())
    }
    /// Anyone may, as their names say.
    pub fn pay(ctx: Context<Pay>, price: u64) -> Result<()> {
        ctx.accounts.feed.price = price;
        Ok(())
    }
    pub fn crank(ctx: Context<Crank>, price: u64) -> Result<()> {
        ctx.accounts.feed.price = price;
        Ok(())
    }
    pub fn may_sign(ctx: Context<MaySign>, price: u64) -> Result<()> {
        ctx.accounts.feed.price = price;
        Ok(())
    }
    /// Nobody says what is written.
    pub fn refresh(ctx: Context<Touch>) -> Result<()> {
        ctx.accounts.feed.time = Clock::get()?.unix_timestamp;
        Ok(())
    }
    pub fn read(ctx: Context<Touch>) -> Result<()> {
        msg!("{}", ctx.accounts.feed.price);
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(mut)]
    pub user: Signer<'info>,
    #[account(init, payer = user, space = 64)]
    pub feed: Account<'info, Feed>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Own<'info> {
    pub user: Signer<'info>,
    #[account(mut, seeds = [b"feed", user.key().as_ref()], bump)]
    pub feed: Account<'info, Feed>,
}

#[derive(Accounts)]
pub struct Sign<'info> {
    pub user: Signer<'info>,
    #[account(mut)]
    pub feed: Account<'info, Feed>,
}

#[derive(Accounts)]
pub struct Look<'info> {
    pub user: Signer<'info>,
    #[account(mut)]
    pub feed: Account<'info, Feed>,
    /// CHECK: load_instruction_at_checked compares its address
    pub instructions: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct DropIt<'info> {
    #[account(mut)]
    pub user: Signer<'info>,
    #[account(mut, close = user)]
    pub feed: Account<'info, Feed>,
}

#[derive(Accounts)]
pub struct Grow<'info> {
    #[account(mut)]
    pub user: Signer<'info>,
    #[account(mut, realloc = 128, realloc::payer = user, realloc::zero = true)]
    pub feed: Account<'info, Feed>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Pay<'info> {
    #[account(mut)]
    pub fee_payer: Signer<'info>,
    #[account(mut)]
    pub feed: Account<'info, Feed>,
}

#[derive(Accounts)]
pub struct Crank<'info> {
    pub keeper: Signer<'info>,
    #[account(mut)]
    pub feed: Account<'info, Feed>,
}

#[derive(Accounts)]
pub struct MaySign<'info> {
    pub user: Option<Signer<'info>>,
    #[account(mut)]
    pub feed: Account<'info, Feed>,
}

#[derive(Accounts)]
pub struct Touch<'info> {
    pub user: Signer<'info>,
    #[account(mut)]
    pub feed: Account<'info, Feed>,
}

#[account]
pub struct Feed { pub price: u64, pub asked: u64, pub time: i64, pub last: Pubkey }

#[error_code]
pub enum ErrorCode { Data }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod raffles {
    use super::*;
    pub fn draw(ctx: Context<Draw>, prize: u64) -> Result<()> {
        ctx.accounts.ticket.prize = prize;
        Ok(())
    }
    pub fn void(ctx: Context<Draw>) -> Result<()> {
        ctx.accounts.ticket.prize = 0;
        Ok(())
    }
    /// The raffle becomes the ticket's.
    pub fn move_over(ctx: Context<MoveOver>) -> Result<()> {
        ctx.accounts.ticket.parent = ctx.accounts.raffle.key();
        Ok(())
    }
    /// The chief becomes the boss.
    pub fn hand_over(ctx: Context<HandOver>) -> Result<()> {
        ctx.accounts.raffle.boss = ctx.accounts.chief.key();
        Ok(())
    }
    /// Whoever gives need not be the boss.
    pub fn chip_in(ctx: Context<ChipIn>, amount: u64) -> Result<()> {
        ctx.accounts.raffle.pot = ctx.accounts.raffle.pot.checked_add(amount).unwrap();
        let paid = Transfer {
            from: ctx.accounts.purse.to_account_info(),
            to: ctx.accounts.vault.to_account_info(),
            authority: ctx.accounts.chief.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), paid), amount)
    }
}

#[derive(Accounts)]
pub struct Draw<'info> {
    #[account(constraint = raffle.boss == chief.key())]
    pub raffle: Account<'info, Raffle>,
    #[account(mut, constraint = ticket.parent == raffle.key())]
    pub ticket: Account<'info, Ticket>,
    pub chief: Signer<'info>,
}

#[derive(Accounts)]
pub struct MoveOver<'info> {
    pub raffle: Account<'info, Raffle>,
    #[account(mut, has_one = owner)]
    pub ticket: Account<'info, Ticket>,
    pub owner: Signer<'info>,
}

#[derive(Accounts)]
pub struct HandOver<'info> {
    #[account(mut, constraint = raffle.boss == former.key())]
    pub raffle: Account<'info, Raffle>,
    pub former: Signer<'info>,
    pub chief: Signer<'info>,
}

#[derive(Accounts)]
pub struct ChipIn<'info> {
    #[account(mut, has_one = vault)]
    pub raffle: Account<'info, Raffle>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub purse: Account<'info, TokenAccount>,
    pub chief: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Raffle { pub boss: Pubkey, pub vault: Pubkey, pub pot: u64 }

#[account]
pub struct Ticket { pub parent: Pubkey, pub owner: Pubkey, pub prize: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod jars {
    use super::*;
    /// Anyone may fill the jar of another.
    pub fn fill(ctx: Context<Fill>, amount: u64) -> Result<()> {
        ctx.accounts.jar.kept = ctx.accounts.jar.kept.checked_add(amount).unwrap();
        let paid = Transfer {
            from: ctx.accounts.purse.to_account_info(),
            to: ctx.accounts.vault.to_account_info(),
            authority: ctx.accounts.owner.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), paid), amount)
    }
}

#[derive(Accounts)]
pub struct Fill<'info> {
    #[account(mut, has_one = vault)]
    pub jar: Account<'info, Jar>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub purse: Account<'info, TokenAccount>,
    pub owner: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Jar { pub owner: Pubkey, pub vault: Pubkey, pub kept: u64 }
`,
      // Not required to sign at all, which another rule reports.
      `use anchor_lang::prelude::*;

#[program]
pub mod deals {
    use super::*;
    pub fn change_taker(ctx: Context<ChangeTaker>, taker: Pubkey) -> Result<()> {
        ctx.accounts.deal.taker = taker;
        Ok(())
    }
    pub fn change_price(ctx: Context<ChangePrice>, price: u64) -> Result<()> {
        ctx.accounts.deal.price = price;
        Ok(())
    }
    pub fn change_end(ctx: Context<ChangeEnd>, end: i64) -> Result<()> {
        ctx.accounts.deal.end = end;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct ChangeTaker<'info> {
    /// CHECK: compared with the deal below
    pub maker: AccountInfo<'info>,
    #[account(mut, has_one = maker)]
    pub deal: Account<'info, Deal>,
}

#[derive(Accounts)]
pub struct ChangePrice<'info> {
    pub maker: Signer<'info>,
    #[account(mut, has_one = maker)]
    pub deal: Account<'info, Deal>,
}

#[derive(Accounts)]
pub struct ChangeEnd<'info> {
    pub maker: Signer<'info>,
    #[account(mut, has_one = maker)]
    pub deal: Account<'info, Deal>,
}

#[account]
pub struct Deal {
    pub maker: Pubkey,
    pub taker: Pubkey,
    pub price: u64,
    pub end: i64,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod pools {
    use super::*;
    pub fn set_fee(ctx: Context<SetFee>, fee: u16) -> Result<()> {
        ctx.accounts.check()?;
        ctx.accounts.pool.settings.fee = fee;
        Ok(())
    }
    pub fn hand_over(ctx: Context<HandOver>) -> Result<()> {
        let pool = &mut ctx.accounts.pool;
        require_keys_eq!(pool.next, ctx.accounts.next.key());
        pool.settings.manager = ctx.accounts.next.key();
        Ok(())
    }
    pub fn touch(ctx: Context<Touch>) -> Result<()> {
        ctx.accounts.pool.touched = Clock::get()?.unix_timestamp;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct SetFee<'info> {
    #[account(mut)]
    pub pool: Account<'info, Pool>,
    pub manager: Signer<'info>,
}

impl<'info> SetFee<'info> {
    fn check(&self) -> Result<()> {
        if self.pool.settings.manager != self.manager.key() {
            return err!(ErrorCode::Manager);
        }
        Ok(())
    }
}

#[derive(Accounts)]
pub struct HandOver<'info> {
    #[account(mut)]
    pub pool: Account<'info, Pool>,
    pub next: Signer<'info>,
}

#[derive(Accounts)]
pub struct Touch<'info> {
    #[account(mut)]
    pub pool: Account<'info, Pool>,
    pub payer: Signer<'info>,
}

#[account]
pub struct Pool { pub settings: Settings, pub next: Pubkey, pub touched: i64 }

#[derive(AnchorSerialize, AnchorDeserialize, Clone)]
pub struct Settings { pub manager: Pubkey, pub fee: u16 }

#[error_code]
pub enum ErrorCode { Manager }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod vaults {
    use super::*;
    pub fn open(ctx: Context<Open>) -> Result<()> {
        ctx.accounts.vault.owner = ctx.accounts.owner.key();
        Ok(())
    }
    pub fn fill(ctx: Context<Fill>, amount: u64) -> Result<()> {
        ctx.accounts.vault.total = ctx.accounts.vault.total.checked_add(amount).unwrap();
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(init, payer = owner, space = 64)]
    pub vault: Account<'info, Vault>,
    #[account(mut)]
    pub owner: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Fill<'info> {
    #[account(mut, seeds = [b"vault", owner.key().as_ref()], bump)]
    pub vault: Account<'info, Vault>,
    pub owner: Signer<'info>,
}

#[account]
pub struct Vault { pub owner: Pubkey, pub total: u64 }
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Oracle {
    pub authority: Pubkey,
}

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Weights {
    pub parts: [u64; 10],
}

pub fn hand_over(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let oracle_info = next_account_info(iter)?;
    let authority_info = next_account_info(iter)?;
    let next_info = next_account_info(iter)?;
    if oracle_info.owner != program_id || !authority_info.is_signer || !next_info.is_signer {
        return Err(ProgramError::IllegalOwner);
    }
    let mut oracle = Oracle::try_from_slice(&oracle_info.data.borrow())?;
    if oracle.authority != *authority_info.key {
        return Err(ProgramError::InvalidAccountData);
    }
    oracle.authority = *next_info.key;
    oracle.serialize(&mut &mut oracle_info.data.borrow_mut()[..])?;
    Ok(())
}

pub fn weigh(program_id: &Pubkey, accounts: &[AccountInfo], parts: [u64; 10]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let oracle_info = next_account_info(iter)?;
    let weights_info = next_account_info(iter)?;
    let authority_info = next_account_info(iter)?;
    if oracle_info.owner != program_id || !authority_info.is_signer {
        return Err(ProgramError::IllegalOwner);
    }
    let (expected, _) = Pubkey::find_program_address(&[oracle_info.key.as_ref(), authority_info.key.as_ref()], program_id);
    if expected != *weights_info.key {
        return Err(ProgramError::InvalidArgument);
    }
    let mut weights = Weights::try_from_slice(&weights_info.data.borrow())?;
    weights.parts = parts;
    weights.serialize(&mut &mut weights_info.data.borrow_mut()[..])?;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Burn, Mint, Token, TokenAccount, Transfer};

#[program]
pub mod bourse {
    use super::*;
    pub fn set_fee(ctx: Context<SetFee>, fee: u64) -> Result<()> {
        ctx.accounts.state.fee = fee;
        Ok(())
    }
    pub fn set_cap(ctx: Context<SetCap>, cap: u64) -> Result<()> {
        ctx.accounts.state.cap = cap;
        Ok(())
    }
    /// Anyone may change old coins for new ones.
    pub fn redeem(ctx: Context<Redeem>, amount: u64) -> Result<()> {
        let burned = Burn {
            mint: ctx.accounts.old.to_account_info(),
            from: ctx.accounts.purse.to_account_info(),
            authority: ctx.accounts.signer.to_account_info(),
        };
        token::burn(CpiContext::new(ctx.accounts.token_program.to_account_info(), burned), amount)?;
        let paid = Transfer {
            from: ctx.accounts.reserve.to_account_info(),
            to: ctx.accounts.target.to_account_info(),
            authority: ctx.accounts.hall.to_account_info(),
        };
        let seeds: &[&[&[u8]]] = &[&[b"hall", &[ctx.bumps.hall]]];
        token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), paid, seeds), amount)
    }
}

#[derive(Accounts)]
pub struct SetFee<'info> {
    #[account(mut)]
    pub state: Account<'info, State>,
    #[account(address = state.admin)]
    pub signer: Signer<'info>,
}

#[derive(Accounts)]
pub struct SetCap<'info> {
    #[account(mut)]
    pub state: Account<'info, State>,
    #[account(address = state.admin)]
    pub signer: Signer<'info>,
}

#[derive(Accounts)]
pub struct Redeem<'info> {
    #[account(seeds = [b"state"], bump, has_one = reserve, has_one = old)]
    pub state: Account<'info, State>,
    #[account(mut)]
    pub old: Account<'info, Mint>,
    #[account(mut, constraint = purse.owner == signer.key())]
    pub purse: Account<'info, TokenAccount>,
    #[account(mut)]
    pub target: Account<'info, TokenAccount>,
    #[account(mut)]
    pub reserve: Account<'info, TokenAccount>,
    /// CHECK: signs
    #[account(seeds = [b"hall"], bump)]
    pub hall: UncheckedAccount<'info>,
    pub signer: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct State { pub admin: Pubkey, pub fee: u64, pub cap: u64, pub reserve: Pubkey, pub old: Pubkey }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

/// The rule about related accounts tells it.
#[program]
pub mod margin {
    use super::*;
    pub fn open(ctx: Context<Open>) -> Result<()> {
        ctx.accounts.loan.debtor = ctx.accounts.debtor.key();
        Ok(())
    }
    pub fn withdraw(ctx: Context<Withdraw>, amount: u64) -> Result<()> {
        let loan = &mut ctx.accounts.loan;
        loan.pledge = loan.pledge.checked_sub(amount).unwrap();
        let paid = Transfer {
            from: ctx.accounts.reserve.to_account_info(),
            to: ctx.accounts.target.to_account_info(),
            authority: ctx.accounts.hall.to_account_info(),
        };
        let seeds: &[&[&[u8]]] = &[&[b"hall", &[ctx.bumps.hall]]];
        token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), paid, seeds), amount)
    }
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(init, payer = debtor, space = 100)]
    pub loan: Account<'info, Loan>,
    #[account(mut)]
    pub debtor: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Withdraw<'info> {
    #[account(mut)]
    pub loan: Account<'info, Loan>,
    #[account(mut)]
    pub target: Account<'info, TokenAccount>,
    #[account(mut, seeds = [b"reserve"], bump)]
    pub reserve: Account<'info, TokenAccount>,
    /// CHECK: signs
    #[account(seeds = [b"hall"], bump)]
    pub hall: UncheckedAccount<'info>,
    pub debtor: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Loan { pub debtor: Pubkey, pub pledge: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, FreezeAccount, Mint, Token, TokenAccount};
use std::str::FromStr;

#[program]
pub mod estates {
    use super::*;
    pub fn open(ctx: Context<Open>) -> Result<()> {
        ctx.accounts.estate.open = true;
        Ok(())
    }
    /// Whoever holds the deed.
    pub fn raise(ctx: Context<Raise>, rent: u64) -> Result<()> {
        ctx.accounts.estate.rent = rent;
        Ok(())
    }
    pub fn lower(ctx: Context<Lower>, rent: u64) -> Result<()> {
        ctx.accounts.estate.rent = rent;
        Ok(())
    }
    /// The token program asks for the signature.
    pub fn freeze(ctx: Context<Freeze>) -> Result<()> {
        ctx.accounts.estate.frozen += 1;
        let frozen = FreezeAccount {
            account: ctx.accounts.target.to_account_info(),
            mint: ctx.accounts.coin.to_account_info(),
            authority: ctx.accounts.freeze_steward.to_account_info(),
        };
        token::freeze_account(CpiContext::new(ctx.accounts.token_program.to_account_info(), frozen))
    }
    pub fn let_out(ctx: Context<LetOut>, rent: u64) -> Result<()> {
        ctx.accounts.estate.rent = rent;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(mut, has_one = steward)]
    pub estate: Account<'info, Estate>,
    pub steward: Signer<'info>,
}

#[derive(Accounts)]
pub struct Raise<'info> {
    #[account(mut, has_one = deed)]
    pub estate: Account<'info, Estate>,
    pub deed: Account<'info, Mint>,
    #[account(token::mint = deed, token::authority = steward, constraint = deed_account.amount >= 1)]
    pub deed_account: Account<'info, TokenAccount>,
    pub steward: Signer<'info>,
}

#[derive(Accounts)]
pub struct Lower<'info> {
    #[account(mut)]
    pub estate: Account<'info, Estate>,
    #[account(address = Pubkey::from_str("9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin").unwrap())]
    pub steward: Signer<'info>,
}

#[derive(Accounts)]
pub struct Freeze<'info> {
    #[account(mut)]
    pub estate: Account<'info, Estate>,
    #[account(mut)]
    pub coin: Account<'info, Mint>,
    #[account(mut)]
    pub target: Account<'info, TokenAccount>,
    pub freeze_steward: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct LetOut<'info> {
    #[account(mut, constraint = estate.broker == broker.address_or_none())]
    pub estate: Account<'info, Estate>,
    pub broker: Option<Signer<'info>>,
}

pub trait Addressed {
    fn address_or_none(&self) -> Option<Pubkey>;
}

impl<T: Key> Addressed for Option<T> {
    fn address_or_none(&self) -> Option<Pubkey> {
        self.as_ref().map(|one| one.key())
    }
}

#[account]
pub struct Estate {
    pub steward: Pubkey,
    pub deed: Pubkey,
    pub broker: Option<Pubkey>,
    pub open: bool,
    pub rent: u64,
    pub frozen: u64,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod chains {
    use super::*;
    pub fn join(ctx: Context<Join>) -> Result<()> {
        ctx.accounts.role.bits = 0;
        Ok(())
    }
    pub fn allow(ctx: Context<Allow>, id: u64) -> Result<()> {
        ctx.accounts.root.allowed = id;
        Ok(())
    }
    pub fn limit(ctx: Context<Allow>, id: u64) -> Result<()> {
        ctx.accounts.root.limit = id;
        Ok(())
    }
    pub fn forbid(ctx: Context<Forbid>, id: u64) -> Result<()> {
        ctx.accounts.root.forbidden = id;
        Ok(())
    }
    /// The holder's own count.
    pub fn count(ctx: Context<Count>, id: u64) -> Result<()> {
        ctx.accounts.role.count = id;
        ctx.accounts.root.limit = ctx.accounts.root.limit.checked_add(1).unwrap();
        ctx.accounts.tally.guest = ctx.accounts.visitor.key();
        Ok(())
    }
    /// It is asked in the handler.
    pub fn late(ctx: Context<Late>, id: u64) -> Result<()> {
        if ctx.accounts.role.count > 3 {
            return err!(Code::No);
        }
        ctx.accounts.root.limit = id;
        Ok(())
    }
    /// Nobody says what is written.
    pub fn tick(ctx: Context<Late>) -> Result<()> {
        ctx.accounts.root.time = Clock::get()?.unix_timestamp;
        Ok(())
    }
    /// What one asks of the root says nothing about those that it names.
    pub fn open(ctx: Context<Named>, id: u64) -> Result<()> {
        require!(ctx.accounts.house.rooms > 2, Code::No);
        ctx.accounts.root.limit = id;
        Ok(())
    }
    pub fn shut(ctx: Context<Named>, id: u64) -> Result<()> {
        ctx.accounts.root.limit = id;
        Ok(())
    }
    /// Most of those who pass a badge do not look at it.
    pub fn wave(ctx: Context<Wave>, id: u64) -> Result<()> {
        ctx.accounts.root.allowed = id;
        Ok(())
    }
    pub fn nod(ctx: Context<Wave>, id: u64) -> Result<()> {
        ctx.accounts.root.forbidden = id;
        Ok(())
    }
    pub fn show(ctx: Context<Wave>, id: u64) -> Result<()> {
        require!(ctx.accounts.badge.rank > 2, Code::No);
        ctx.accounts.root.limit = id;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Join<'info> {
    #[account(mut)]
    pub who: Signer<'info>,
    #[account(init, payer = who, space = 9, seeds = [b"role", who.key().as_ref()], bump)]
    pub role: Account<'info, Role>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Allow<'info> {
    pub who: Signer<'info>,
    #[account(seeds = [b"role", who.key().as_ref()], bump = role.bump, constraint = role.may() @ Code::No)]
    pub role: Account<'info, Role>,
    #[account(mut, seeds = [b"root"], bump)]
    pub root: Account<'info, Root>,
}

#[derive(Accounts)]
pub struct Forbid<'info> {
    pub who: Signer<'info>,
    #[account(seeds = [b"role", who.key().as_ref()], bump = role.bump, constraint = role.may() @ Code::No)]
    pub role: Account<'info, Role>,
    #[account(mut, seeds = [b"root"], bump)]
    pub root: Account<'info, Root>,
}

#[derive(Accounts)]
pub struct Count<'info> {
    pub who: Signer<'info>,
    #[account(mut, seeds = [b"role", who.key().as_ref()], bump = role.bump)]
    pub role: Account<'info, Role>,
    #[account(mut, seeds = [b"root"], bump)]
    pub root: Account<'info, Root>,
}

#[derive(Accounts)]
pub struct Late<'info> {
    pub who: Signer<'info>,
    #[account(seeds = [b"role", who.key().as_ref()], bump = role.bump)]
    pub role: Account<'info, Role>,
    #[account(mut, seeds = [b"root"], bump)]
    pub root: Account<'info, Root>,
}

#[derive(Accounts)]
pub struct Named<'info> {
    pub owner: Signer<'info>,
    #[account(has_one = owner)]
    pub house: Account<'info, House>,
    #[account(mut, seeds = [b"root"], bump)]
    pub root: Account<'info, Root>,
}

#[account]
pub struct House { pub owner: Pubkey, pub rooms: u8 }

#[derive(Accounts)]
pub struct Wave<'info> {
    pub who: Signer<'info>,
    #[account(seeds = [b"badge", who.key().as_ref()], bump)]
    pub badge: Account<'info, Badge>,
    #[account(mut, seeds = [b"root"], bump)]
    pub root: Account<'info, Root>,
}

#[account]
pub struct Badge { pub rank: u8 }

#[account]
pub struct Root { pub allowed: u64, pub forbidden: u64, pub limit: u64, pub time: i64 }

#[account]
pub struct Role { pub bits: u8, pub bump: u8, pub count: u64 }

impl Role {
    pub fn may(&self) -> bool {
        self.bits & 4 != 0
    }
}

#[error_code]
pub enum Code { No }
`,
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::sysvar::instructions::load_instruction_at_checked;

#[program]
pub mod gauge {
    use super::*;

    pub fn report(ctx: Context<Report>, value: u64) -> Result<()> {
        if let Some(expected) = ctx.accounts.board.auditor {
            require!(ctx.remaining_accounts.len() == 1, GaugeError::Missing);
            let auditor = &ctx.remaining_accounts[0];
            require!(auditor.key() == expected, GaugeError::Missing);
            require!(auditor.is_signer, GaugeError::Missing);
        }
        ctx.accounts.entry.value = value;
        Ok(())
    }

    /// Who it was is written down.
    pub fn sign(ctx: Context<Report>, value: u64) -> Result<()> {
        let witness = ctx.remaining_accounts.first().ok_or(GaugeError::Missing)?;
        require!(witness.is_signer, GaugeError::Missing);
        ctx.accounts.entry.witness = witness.key();
        ctx.accounts.entry.value = value;
        Ok(())
    }

    /// The called program looks at it.
    pub fn forward(ctx: Context<Report>, value: u64) -> Result<()> {
        let payer = ctx.remaining_accounts.first().ok_or(GaugeError::Missing)?;
        require!(payer.is_signer, GaugeError::Missing);
        other::call(ctx.remaining_accounts, value)?;
        ctx.accounts.entry.value = value;
        Ok(())
    }

    pub fn hand_on(ctx: Context<Report>, value: u64) -> Result<()> {
        let payer = &ctx.remaining_accounts[0];
        require!(payer.is_signer, GaugeError::Missing);
        other::pay(payer, value)?;
        ctx.accounts.entry.value = value;
        Ok(())
    }

    /// Another instruction of the transaction may have to be theirs.
    pub fn follow(ctx: Context<Follow>, value: u64) -> Result<()> {
        let first = load_instruction_at_checked(0, &ctx.accounts.instructions)?;
        require!(first.data[0] == 3, GaugeError::Missing);
        let payer = &ctx.remaining_accounts[0];
        require!(payer.is_signer, GaugeError::Missing);
        ctx.accounts.entry.value = value;
        Ok(())
    }

    pub fn look(ctx: Context<Report>) -> Result<()> {
        let payer = &ctx.remaining_accounts[0];
        require!(payer.is_signer, GaugeError::Missing);
        msg!("{}", ctx.accounts.entry.value);
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Report<'info> {
    pub reporter: Signer<'info>,
    #[account(has_one = reporter)]
    pub board: Account<'info, Board>,
    #[account(mut, has_one = board)]
    pub entry: Account<'info, Entry>,
}

#[derive(Accounts)]
pub struct Follow<'info> {
    pub reporter: Signer<'info>,
    #[account(has_one = reporter)]
    pub board: Account<'info, Board>,
    #[account(mut, has_one = board)]
    pub entry: Account<'info, Entry>,
    /// CHECK: the load compares it
    pub instructions: UncheckedAccount<'info>,
}

#[account]
pub struct Board { pub reporter: Pubkey, pub auditor: Option<Pubkey> }

#[account]
pub struct Entry { pub board: Pubkey, pub value: u64, pub witness: Pubkey }

#[error_code]
pub enum GaugeError { Missing }
`,
      `use anchor_lang::prelude::*;
use std::str::FromStr;

const FIXER: &str = "Fg6PaFpoGXkYsidMpWTK6W2BeZ7FEfcYkg476zPFsLnS";

#[program]
pub mod repairs {
    use super::*;
    pub fn raise(ctx: Context<Raise>, level: u64) -> Result<()> {
        ctx.accounts.desk.level = level;
        Ok(())
    }
    pub fn repair(ctx: Context<Repair>, level: u64) -> Result<()> {
        ctx.accounts.desk.level = level;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Raise<'info> {
    pub authority: Signer<'info>,
    #[account(mut, has_one = authority)]
    pub desk: Account<'info, Desk>,
}

#[derive(Accounts)]
pub struct Repair<'info> {
    #[account(address = Pubkey::from_str(FIXER).unwrap())]
    pub authority: Signer<'info>,
    #[account(mut)]
    pub desk: Account<'info, Desk>,
}

#[account]
pub struct Desk { pub authority: Pubkey, pub level: u64 }
`,
      `use anchor_lang::prelude::*;

pub const OPERATOR: Pubkey = pubkey!("Fg6PaFpoGXkYsidMpWTK6W2BeZ7FEfcYkg476zPFsLnS");

#[program]
pub mod repairs {
    use super::*;
    pub fn repair(ctx: Context<Repair>, total: u64) -> Result<()> {
        ctx.accounts.ledger.total = total;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Repair<'info> {
    #[account(mut, address = OPERATOR)]
    pub operator: Signer<'info>,
    #[account(
        mut,
        realloc = 64,
        realloc::payer = operator,
        realloc::zero = true,
        seeds = [b"ledger", pool.key().as_ref()],
        bump
    )]
    pub ledger: Account<'info, Ledger>,
    pub pool: Account<'info, Pool>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Ledger { pub total: u64 }

#[account]
pub struct Pool { pub size: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod entries {
    use super::*;
    pub fn enter(ctx: Context<Enter>, text: [u8; 32]) -> Result<()> {
        ctx.accounts.entry.text = text;
        ctx.accounts.entry.board = ctx.accounts.board.key();
        let board = &mut ctx.accounts.board;
        board.entries = board.entries.checked_add(1).unwrap();
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Enter<'info> {
    #[account(mut)]
    pub authority: Signer<'info>,
    #[account(mut)]
    pub board: Account<'info, Board>,
    #[account(init, payer = authority, space = 80)]
    pub entry: Account<'info, Entry>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Board { pub entries: u64 }

#[account]
pub struct Entry { pub board: Pubkey, pub text: [u8; 32] }
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};
use bytemuck::Pod;
use std::cell::RefMut;
use std::sync::Arc;

solana_program::declare_id!("Guild11111111111111111111111111111111111111");

/// The same with each authority compared.
pub trait Loadable: Pod {
    fn load_mut<'a>(info: &'a AccountInfo) -> Result<RefMut<'a, Self>, ProgramError> {
        if info.owner != &crate::ID {
            return Err(ProgramError::IllegalOwner);
        }
        Ok(RefMut::map(info.try_borrow_mut_data()?, |data| bytemuck::from_bytes_mut(&mut data[..40])))
    }
}
#[derive(Clone, Copy, Pod)]
pub struct Guild { pub master: Pubkey, pub tithe: u64 }
impl Loadable for Guild {}

pub fn set_tithe(accounts: &[AccountInfo], tithe: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let guild_info = next_account_info(iter)?;
    let master = next_account_info(iter)?;
    let mut guild = Guild::load_mut(guild_info)?;
    if !master.is_signer || guild.master != *master.key {
        return Err(ProgramError::MissingRequiredSignature);
    }
    guild.tithe = tithe;
    Ok(())
}

pub struct Club { pub chair: Pubkey, pub dues: u64 }
impl Club {
    fn read(info: &AccountInfo) -> Result<Self, ProgramError> {
        let data = info.data.borrow();
        let (tag, rest) = data.split_first().ok_or(ProgramError::InvalidAccountData)?;
        if info.owner != &crate::ID || *tag != 7 {
            return Err(ProgramError::IllegalOwner);
        }
        let (chair, dues) = rest.split_at(32);
        Ok(Self { chair: Pubkey::try_from(chair).unwrap(), dues: u64::from_le_bytes(dues[..8].try_into().unwrap()) })
    }
}

pub fn set_dues(accounts: &[AccountInfo], dues: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let club_info = next_account_info(iter)?;
    let chair = next_account_info(iter)?;
    let club = Club::read(club_info)?;
    if !chair.is_signer || club.chair != *chair.key || dues < club.dues {
        return Err(ProgramError::MissingRequiredSignature);
    }
    club_info.data.borrow_mut()[33..41].copy_from_slice(&dues.to_le_bytes());
    Ok(())
}

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Lodge { pub elder: Pubkey, pub quorum: u8 }

fn read<T: BorshDeserialize>(info: &AccountInfo) -> Result<T, ProgramError> {
    if info.owner != &crate::ID {
        return Err(ProgramError::IllegalOwner);
    }
    T::try_from_slice(&info.data.borrow()).map_err(|_| ProgramError::InvalidAccountData)
}

pub fn set_quorum(accounts: &[AccountInfo], quorum: u8) -> ProgramResult {
    let iter = &mut accounts.iter();
    let lodge_info = next_account_info(iter)?;
    let elder = next_account_info(iter)?;
    let mut lodge: Lodge = read(lodge_info)?;
    if !elder.is_signer || lodge.elder != *elder.key {
        return Err(ProgramError::MissingRequiredSignature);
    }
    lodge.quorum = quorum;
    lodge.serialize(&mut &mut lodge_info.data.borrow_mut()[..])?;
    Ok(())
}

pub trait Basin { fn warden(&self) -> &Pubkey; }
#[derive(BorshSerialize, BorshDeserialize)]
pub struct BasinV1 { pub warden: Pubkey, pub level: u64 }
impl Basin for BasinV1 { fn warden(&self) -> &Pubkey { &self.warden } }
fn versioned(info: &AccountInfo) -> Result<Arc<dyn Basin>, ProgramError> {
    match info.data.borrow()[0] {
        1 => Ok(Arc::new(BasinV1::try_from_slice(&info.data.borrow()[1..])?)),
        _ => Err(ProgramError::UninitializedAccount),
    }
}

pub fn set_level(accounts: &[AccountInfo], level: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let basin_info = next_account_info(iter)?;
    let warden = next_account_info(iter)?;
    let basin = versioned(basin_info)?;
    if basin_info.owner != &crate::ID || !warden.is_signer || basin.warden() != warden.key {
        return Err(ProgramError::MissingRequiredSignature);
    }
    basin_info.data.borrow_mut()[33..41].copy_from_slice(&level.to_le_bytes());
    Ok(())
}

#[derive(Clone, Copy, Pod)]
pub struct Hero { pub player: Pubkey, pub gold: u64 }
fn hero_of<'a>(info: &'a AccountInfo, player: Option<&AccountInfo>) -> Result<RefMut<'a, Hero>, ProgramError> {
    if info.owner != &crate::ID {
        return Err(ProgramError::IllegalOwner);
    }
    let hero: RefMut<'a, Hero> = RefMut::map(info.try_borrow_mut_data()?, |data| bytemuck::from_bytes_mut(data));
    if let Some(player) = player {
        if hero.player != *player.key {
            return Err(ProgramError::InvalidArgument);
        }
    }
    Ok(hero)
}

pub fn spend(accounts: &[AccountInfo], gold: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let hero_info = next_account_info(iter)?;
    let player = next_account_info(iter)?;
    if !player.is_signer {
        return Err(ProgramError::MissingRequiredSignature);
    }
    hero_of(hero_info, Some(player))?.gold = gold;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod bids {
    use super::*;

    pub fn raise(ctx: Context<Raise>, id: u64) -> Result<()> {
        let sheet = &mut ctx.accounts.sheet;
        let bid = sheet.bids.iter_mut().find(|bid| bid.id == id).ok_or(Problem::Gone)?;
        bid.rank += 1;
        Ok(())
    }

    // What is over may be cleared away by anyone.
    pub fn clear(ctx: Context<Clear>, id: u64) -> Result<()> {
        let sheet = &mut ctx.accounts.sheet;
        let bid = sheet.bids.iter_mut().find(|bid| bid.id == id).ok_or(Problem::Gone)?;
        require!(bid.until < Clock::get()?.unix_timestamp, Problem::Gone);
        bid.rank = sheet.none;
        Ok(())
    }

    // Nothing is picked: everything is brought up to date.
    pub fn refresh(ctx: Context<Clear>) -> Result<()> {
        let sheet = &mut ctx.accounts.sheet;
        sheet.last = sheet.none;
        Ok(())
    }

    // There is one board for all.
    pub fn turn(ctx: Context<Turn>, page: u64) -> Result<()> {
        let board = &mut ctx.accounts.board;
        require!(page == board.next, Problem::Gone);
        board.page = board.next;
        Ok(())
    }

    pub fn close_board(ctx: Context<CloseBoard>) -> Result<()> {
        ctx.accounts.board.page = 0;
        Ok(())
    }

    // Nobody is named by it.
    pub fn mark(ctx: Context<Mark>, id: u64) -> Result<()> {
        let counter = &mut ctx.accounts.counter;
        require!(id == counter.next, Problem::Gone);
        counter.page = counter.next;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Raise<'info> {
    pub trader: Signer<'info>,
    #[account(mut, has_one = trader)]
    pub sheet: Account<'info, Sheet>,
}

#[derive(Accounts)]
pub struct Clear<'info> {
    pub user: Signer<'info>,
    #[account(mut)]
    pub sheet: Account<'info, Sheet>,
}

#[derive(Accounts)]
pub struct Turn<'info> {
    pub user: Signer<'info>,
    #[account(mut, seeds = [b"board"], bump)]
    pub board: Account<'info, Board>,
}

#[derive(Accounts)]
pub struct CloseBoard<'info> {
    pub chief: Signer<'info>,
    #[account(mut, seeds = [b"board"], bump, has_one = chief)]
    pub board: Account<'info, Board>,
}

#[derive(Accounts)]
pub struct Mark<'info> {
    pub user: Signer<'info>,
    #[account(mut)]
    pub counter: Account<'info, Counter>,
}

#[account]
pub struct Sheet {
    pub trader: Pubkey,
    pub none: u64,
    pub last: u64,
    pub bids: Vec<Bid>,
}

#[account]
pub struct Board {
    pub chief: Pubkey,
    pub page: u64,
    pub next: u64,
}

#[account]
pub struct Counter {
    pub page: u64,
    pub next: u64,
}

#[derive(AnchorSerialize, AnchorDeserialize, Clone)]
pub struct Bid {
    pub id: u64,
    pub rank: u64,
    pub until: i64,
}

#[error_code]
pub enum Problem {
    #[msg("Gone")]
    Gone,
}
`,
      `use anchor_lang::prelude::*;
use anchor_lang::system_program;

#[program]
pub mod market {
    use super::*;
    pub fn buy(ctx: Context<Buy>) -> Result<()> {
        ctx.accounts.receipt.listing = ctx.accounts.listing.key();
        let accounts = system_program::Transfer {
            from: ctx.accounts.buyer.to_account_info(),
            to: ctx.accounts.owner.to_account_info(),
        };
        let cpi = CpiContext::new(ctx.accounts.system_program.to_account_info(), accounts);
        system_program::transfer(cpi, ctx.accounts.listing.price)
    }
    pub fn delist(ctx: Context<Delist>) -> Result<()> {
        msg!("{} is off the market", ctx.accounts.listing.asset);
        Ok(())
    }
}

/// Whoever pays for the receipt need not have paid for the listing.
#[derive(Accounts)]
pub struct Buy<'info> {
    #[account(mut, close = rent_receiver, has_one = owner, seeds = [b"listing", asset.key().as_ref()], bump)]
    pub listing: Account<'info, Listing>,
    #[account(init, payer = rent_payer, space = 40)]
    pub receipt: Account<'info, Receipt>,
    #[account(mut)]
    pub rent_payer: Signer<'info>,
    /// CHECK: the asset
    pub asset: UncheckedAccount<'info>,
    /// CHECK: receives the price
    #[account(mut)]
    pub owner: UncheckedAccount<'info>,
    /// CHECK: compared
    #[account(mut, constraint = rent_receiver.key() == listing.rent_payer.unwrap_or(listing.owner))]
    pub rent_receiver: UncheckedAccount<'info>,
    #[account(mut)]
    pub buyer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Delist<'info> {
    #[account(mut, close = rent_receiver, has_one = owner)]
    pub listing: Account<'info, Listing>,
    pub owner: Signer<'info>,
    /// CHECK: compared
    #[account(mut, constraint = rent_receiver.key() == listing.rent_payer.unwrap_or(listing.owner))]
    pub rent_receiver: UncheckedAccount<'info>,
}

#[account]
pub struct Listing { pub owner: Pubkey, pub rent_payer: Option<Pubkey>, pub asset: Pubkey, pub price: u64 }

#[account]
pub struct Receipt { pub listing: Pubkey }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod bazaar {
    use super::*;
    pub fn trade(ctx: Context<Trade>, volume: u64) -> Result<()> {
        ctx.accounts.bazaar.volume = volume;
        ctx.accounts.bazaar.guest = ctx.accounts.trader.key();
        Ok(())
    }
    /// The permit says how much: its owner is asked for nothing.
    pub fn weigh(ctx: Context<Stroll>, volume: u64) -> Result<()> {
        ctx.accounts.bazaar.volume = volume;
        ctx.accounts.bazaar.visits = ctx.accounts.permit.visits;
        ctx.accounts.bazaar.guest = ctx.accounts.visitor.key();
        Ok(())
    }
    /// Whatever is over may be swept.
    pub fn sweep(ctx: Context<Stroll>, volume: u64) -> Result<()> {
        require!(ctx.accounts.permit.until < 1000, BazaarError::Open);
        ctx.accounts.bazaar.volume = volume;
        ctx.accounts.bazaar.guest = ctx.accounts.visitor.key();
        Ok(())
    }
    /// By anyone, in the name of the owner who is noted.
    pub fn serve(ctx: Context<Stroll>, volume: u64) -> Result<()> {
        ctx.accounts.bazaar.volume = volume;
        ctx.accounts.bazaar.last = ctx.accounts.permit.key();
        ctx.accounts.bazaar.guest = ctx.accounts.visitor.key();
        Ok(())
    }
    pub fn renew(ctx: Context<Renew>, until: i64) -> Result<()> {
        ctx.accounts.permit.until = until;
        Ok(())
    }
    /// The stall says under which permit it trades.
    pub fn stock(ctx: Context<Stock>, volume: u64) -> Result<()> {
        ctx.accounts.stall.volume = volume;
        ctx.accounts.stall.guest = ctx.accounts.visitor.key();
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Trade<'info> {
    #[account(has_one = bazaar, constraint = permit.owner == trader.key())]
    pub permit: Account<'info, Permit>,
    #[account(mut)]
    pub bazaar: Account<'info, Bazaar>,
    pub trader: Signer<'info>,
}

#[derive(Accounts)]
pub struct Stroll<'info> {
    #[account(has_one = bazaar)]
    pub permit: Account<'info, Permit>,
    #[account(mut)]
    pub bazaar: Account<'info, Bazaar>,
    pub visitor: Signer<'info>,
}

#[derive(Accounts)]
pub struct Renew<'info> {
    #[account(mut, has_one = owner)]
    pub permit: Account<'info, Permit>,
    pub owner: Signer<'info>,
}

#[derive(Accounts)]
pub struct Stock<'info> {
    #[account(has_one = bazaar)]
    pub permit: Account<'info, Permit>,
    pub bazaar: Account<'info, Bazaar>,
    #[account(mut, has_one = permit)]
    pub stall: Account<'info, Stall>,
    pub visitor: Signer<'info>,
}

#[account]
pub struct Permit { pub bazaar: Pubkey, pub owner: Pubkey, pub until: i64, pub visits: u64 }
#[account]
pub struct Bazaar { pub volume: u64, pub visits: u64, pub last: Pubkey, pub guest: Pubkey }
#[account]
pub struct Stall { pub permit: Pubkey, pub volume: u64, pub guest: Pubkey }
#[error_code]
pub enum BazaarError { Open }
`,
    ],
  },
}

/** Whether somebody signs whose address is part of the same seeds: what is there is theirs, too. */
const isRuledByOther = ({ instruction, account }: Missing): boolean => {
  const { terms } = instruction.walk
  const seeds = instruction.accounts
    .flatMap((one) => checksWhenDone(instruction, one))
    .flatMap(({ kind, against }) => (kind === "pda" && against !== undefined ? [everySubterm([against])] : []))
  return signersOf(instruction).some((signer) =>
    seeds.some((parts) => parts.has(keyOf(terms, account.term)) && parts.has(keyOf(terms, signer.term))),
  )
}

/** Its signature is required under a condition: `if market.open { check(owner.is_signer) }`. */
const isAskedSomewhere = ({ instruction, account }: Missing): boolean =>
  checksSomewhere(instruction, account).some(({ kind }) => kind === "signer")

/** Whether the stored address is one that has signed a message: whoever hands it in need not be the same. */
const isGivenByMessage = ({ instruction, holder, slot }: Missing): boolean =>
  holder !== undefined && signsMessage(instruction, placeIn(instruction, holder, slot.slice(slot.indexOf(".") + 1)))
