import {
  emptiesRecord,
  isOpenedElsewhere,
  isOpenedFor,
  isSeed,
  isVouchedFor,
  namesPayer,
  setsRecord,
} from "../../../../../../domain/detection/solana/consent/recordsOf.ts"
import { isActedOn, signersIn, signsForCpi } from "../../../../../../domain/detection/solana/consent/signers.ts"
import type { Account, Instruction } from "../../../../../../domain/detection/solana/program/model.ts"
import { missingSignatureReason } from "../../../../../../domain/detection/solana/consent/missingSignatureReason.ts"
import { accountIn } from "../../../../../../domain/detection/solana/questions/questions.ts"
import { solanaTable } from "../../../../../support/solanaTable.ts"

type AboutAccount = (instruction: Instruction, account: Account) => boolean

/** The questions to which the answer is yes. */
const about: Readonly<Record<string, AboutAccount>> = {
  payer: namesPayer,
  emptied: emptiesRecord,
  seed: isSeed,
  vouched: isVouchedFor,
  set: setsRecord,
  opened: isOpenedFor,
  elsewhere: (instruction, account) => isOpenedElsewhere(instruction, account, signersIn(instruction)),
}

/** Whose signature an instruction asks for, and whose another program asks for. */
export const consent = solanaTable(
  "consent",
  {
    /** Those of these accounts for which a called program makes the runtime ask for a signature. */
    called: (instruction, terms) =>
      terms
        .flatMap((term) => accountIn(instruction, term) ?? [])
        .filter((one) => signsForCpi(instruction, one))
        .map(({ name }) => name)
        .join(" "),
    /** All that must sign. */
    signers: (instruction) => [...signersIn(instruction)].map(({ name }) => name).join(" "),
    /** What the records of an account, at addresses derived from its own, say about its part in the instruction. */
    records: (instruction, [term]) =>
      Object.entries(about)
        .flatMap(([name, is]) => (is(instruction, accountIn(instruction, term!)!) ? [name] : []))
        .join(" "),
    /** What suggests that it should sign; the question itself is code without source that receives the account. */
    why: (instruction, [term], _at, crate) =>
      missingSignatureReason(crate, instruction, accountIn(instruction, term!)!) ?? "nothing",
    /** All whose signature is missing: asking about one is a use of it. */
    suspects: (instruction, _terms, _at, crate) =>
      instruction.accounts
        .filter((one) => missingSignatureReason(crate, instruction, one) !== undefined)
        .map(({ name }) => name)
        .join(" "),
    acted: (instruction) => isActedOn(instruction, signersIn(instruction)),
  },
  [
    `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::instruction::{AccountMeta, Instruction};
use solana_program::program::invoke;
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey, system_instruction};
use spl_associated_token_account::instruction::{create_associated_token_account, create_associated_token_account_idempotent};

pub fn metas(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let first = next_account_info(iter)?;
    let second = next_account_info(iter)?;
    let third = next_account_info(iter)?;
    let metas = vec![AccountMeta::new(*first.key, true), AccountMeta::new_readonly(*second.key, false), AccountMeta::signer(*third.key)];
    invoke(&Instruction { program_id: foreign::ID, accounts: metas, data: vec![] }, &[first.clone(), second.clone()])?;
    ask::called(first, second, third, "first third");
    ask::signers("");
    Ok(())
}

pub fn transfer(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let giver = next_account_info(iter)?;
    let taker = next_account_info(iter)?;
    invoke(&system_instruction::transfer(giver.key, taker.key, amount), &[giver.clone(), taker.clone()])?;
    ask::called(giver, "giver");
    if !taker.is_signer {
        return Err(ProgramError::MissingRequiredSignature);
    }
    ask::signers("taker");
    ask::acted("false");
    Ok(())
}

pub fn create(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let payer = next_account_info(iter)?;
    let owner = next_account_info(iter)?;
    let mint = next_account_info(iter)?;
    invoke(&create_associated_token_account(payer.key, owner.key, mint.key, &spl_token::ID), &[payer.clone()])?;
    ask::called(payer, "payer");
    Ok(())
}

// If it exists already, nobody pays for it.
pub fn create_once(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let payer = next_account_info(iter)?;
    let owner = next_account_info(iter)?;
    let mint = next_account_info(iter)?;
    if mint.data_is_empty() {
        invoke(&create_associated_token_account(payer.key, owner.key, mint.key, &spl_token::ID), &[payer.clone()])?;
    }
    ask::called(payer, "");
    Ok(())
}
`,
    `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod desks {
    use super::*;

    pub fn named(ctx: Context<All>, amount: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.source.to_account_info(),
            to: ctx.accounts.target.to_account_info(),
            authority: ctx.accounts.keeper.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount)?;
        ask::called(ctx.accounts.keeper, ctx.accounts.source, ctx.accounts.target, "keeper");
        Ok(())
    }

    pub fn asked(ctx: Context<Asked>) -> Result<()> {
        ask::signers("boss");
        ask::acted("true");
        Ok(())
    }

    pub fn anyone(ctx: Context<Anyone>) -> Result<()> {
        ask::signers("caller");
        ask::acted("false");
        Ok(())
    }

    pub fn by_constant(ctx: Context<Anyone>) -> Result<()> {
        require_keys_eq!(ctx.accounts.caller.key(), BOSS);
        ask::acted("true");
        Ok(())
    }

    pub fn paid(ctx: Context<Paid>, amount: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.source.to_account_info(),
            to: ctx.accounts.target.to_account_info(),
            authority: ctx.accounts.caller.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount)?;
        ask::acted("true");
        Ok(())
    }

    pub fn made(ctx: Context<Made>) -> Result<()> {
        ask::signers("desk payer");
        ask::acted("false");
        Ok(())
    }
}

pub const BOSS: Pubkey = pubkey!("Stake11111111111111111111111111111111111111");

#[derive(Accounts)]
pub struct All<'info> {
    #[account(mut)]
    pub source: Account<'info, TokenAccount>,
    #[account(mut)]
    pub target: Account<'info, TokenAccount>,
    /// CHECK: the token program looks
    pub keeper: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Asked<'info> {
    #[account(has_one = boss)]
    pub desk: Account<'info, Desk>,
    pub boss: Signer<'info>,
}

#[derive(Accounts)]
pub struct Anyone<'info> {
    pub desk: Account<'info, Desk>,
    pub caller: Signer<'info>,
}

#[derive(Accounts)]
pub struct Paid<'info> {
    #[account(mut)]
    pub source: Account<'info, TokenAccount>,
    #[account(mut)]
    pub target: Account<'info, TokenAccount>,
    pub caller: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Made<'info> {
    #[account(init, payer = payer, space = 40)]
    pub desk: Account<'info, Desk>,
    /// CHECK: Anchor creates the account with its signature
    #[account(mut)]
    pub payer: UncheckedAccount<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Desk { pub boss: Pubkey }
`,
    `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod clubs {
    use super::*;

    pub fn look(ctx: Context<Look>, points: u64) -> Result<()> {
        require!(ctx.accounts.record.points > 3, Denied::Few);
        ask::records(ctx.accounts.member, "seed vouched");
        ask::records(ctx.accounts.other, "");
        Ok(())
    }

    pub fn take(ctx: Context<Look>, points: u64) -> Result<()> {
        ctx.accounts.other.points = ctx.accounts.record.points;
        ask::records(ctx.accounts.member, "seed");
        Ok(())
    }

    pub fn set(ctx: Context<Look>, points: u64) -> Result<()> {
        ctx.accounts.record.points = points;
        ask::records(ctx.accounts.member, "seed set");
        Ok(())
    }

    pub fn add(ctx: Context<Look>, points: u64) -> Result<()> {
        ctx.accounts.record.points += points;
        ask::records(ctx.accounts.member, "seed");
        Ok(())
    }

    pub fn reset(ctx: Context<Look>, points: u64) -> Result<()> {
        ctx.accounts.record.points = 0;
        ask::records(ctx.accounts.member, "seed");
        Ok(())
    }

    pub fn set_other(ctx: Context<Look>, points: u64) -> Result<()> {
        ctx.accounts.other.points = points;
        ask::records(ctx.accounts.member, "seed vouched");
        Ok(())
    }

    pub fn open(ctx: Context<Open>, points: u64) -> Result<()> {
        ctx.accounts.record.points = points;
        ask::records(ctx.accounts.member, "seed opened");
        Ok(())
    }

    pub fn open_again(ctx: Context<OpenAgain>, points: u64) -> Result<()> {
        ctx.accounts.record.points = points;
        ask::records(ctx.accounts.member, "seed");
        Ok(())
    }

    pub fn enlarge(ctx: Context<Enlarge>) -> Result<()> {
        ask::records(ctx.accounts.member, "seed vouched opened");
        Ok(())
    }

    // What is enlarged and paid out is no gift.
    pub fn enlarge_and_pay(ctx: Context<Enlarge>, amount: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.source.to_account_info(),
            to: ctx.accounts.target.to_account_info(),
            authority: ctx.accounts.record.to_account_info(),
        };
        token::transfer(
            CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, &[&[b"club"]]),
            amount,
        )?;
        ask::records(ctx.accounts.member, "seed vouched");
        Ok(())
    }

    pub fn empty(ctx: Context<Enlarge>, amount: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.source.to_account_info(),
            to: ctx.accounts.target.to_account_info(),
            authority: ctx.accounts.record.to_account_info(),
        };
        token::transfer(
            CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, &[&[b"club"]]),
            amount,
        )?;
        ctx.accounts.record.points -= amount;
        ask::records(ctx.accounts.member, "emptied seed");
        Ok(())
    }

    pub fn empty_to_member(ctx: Context<Look>, amount: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.record.to_account_info(),
            to: ctx.accounts.member.to_account_info(),
            authority: ctx.accounts.record.to_account_info(),
        };
        token::transfer(CpiContext::new_with_signer(ctx.accounts.member.to_account_info(), accounts, &[&[b"club"]]), amount)?;
        ctx.accounts.record.points -= amount;
        ask::records(ctx.accounts.member, "seed");
        Ok(())
    }

    pub fn elsewhere(ctx: Context<Elsewhere>) -> Result<()> {
        let accounts = registry::cpi::accounts::Enroll {
            payer: ctx.accounts.payer.to_account_info(),
            member: ctx.accounts.member.to_account_info(),
        };
        registry::cpi::enroll(CpiContext::new(ctx.accounts.registry.to_account_info(), accounts))?;
        ask::records(ctx.accounts.member, "elsewhere");
        ask::records(ctx.accounts.stranger, "");
        Ok(())
    }

    pub fn elsewhere_unpaid(ctx: Context<Elsewhere>) -> Result<()> {
        let accounts = registry::cpi::accounts::Enroll {
            payer: ctx.accounts.stranger.to_account_info(),
            member: ctx.accounts.member.to_account_info(),
        };
        registry::cpi::enroll(CpiContext::new(ctx.accounts.registry.to_account_info(), accounts))?;
        ask::records(ctx.accounts.member, "");
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Look<'info> {
    #[account(mut, seeds = [b"record", member.key().as_ref()], bump)]
    pub record: Account<'info, Record>,
    #[account(mut)]
    pub other: Account<'info, Record>,
    /// CHECK: its record says who it is
    pub member: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(init, payer = payer, space = 40, seeds = [b"record", member.key().as_ref()], bump)]
    pub record: Account<'info, Record>,
    /// CHECK: somebody pays for it
    pub member: UncheckedAccount<'info>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct OpenAgain<'info> {
    #[account(init_if_needed, payer = payer, space = 40, seeds = [b"record", member.key().as_ref()], bump)]
    pub record: Account<'info, Record>,
    /// CHECK: somebody pays for it
    pub member: UncheckedAccount<'info>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Enlarge<'info> {
    #[account(mut, realloc = 80, realloc::payer = payer, realloc::zero = false, seeds = [b"record", member.key().as_ref()], bump)]
    pub record: Account<'info, Record>,
    /// CHECK: somebody pays for it
    pub member: UncheckedAccount<'info>,
    #[account(mut)]
    pub source: Account<'info, TokenAccount>,
    #[account(mut)]
    pub target: Account<'info, TokenAccount>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub token_program: Program<'info, Token>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Elsewhere<'info> {
    /// CHECK: the registry looks
    pub member: UncheckedAccount<'info>,
    /// CHECK: nobody looks
    pub stranger: UncheckedAccount<'info>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub registry: Program<'info, registry::program::Registry>,
}

#[account]
pub struct Record { pub points: u64 }

#[error_code]
pub enum Denied { Few }
`,
    `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::program::{invoke, invoke_signed};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey, system_instruction};

pub fn pay(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let owner = next_account_info(iter)?;
    let purse = next_account_info(iter)?;
    let target = next_account_info(iter)?;
    let stranger = next_account_info(iter)?;
    let transfer = system_instruction::transfer(purse.key, target.key, amount);
    invoke_signed(&transfer, &[purse.clone(), target.clone()], &[&[b"purse", owner.key.as_ref(), &[7]]])?;
    ask::records(owner, "payer");
    ask::records(stranger, "");
    Ok(())
}

// Whoever pays in takes part in an exchange.
pub fn exchange(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let owner = next_account_info(iter)?;
    let purse = next_account_info(iter)?;
    let target = next_account_info(iter)?;
    invoke(&system_instruction::transfer(target.key, purse.key, amount), &[purse.clone(), target.clone()])?;
    let transfer = system_instruction::transfer(purse.key, target.key, amount);
    invoke_signed(&transfer, &[purse.clone(), target.clone()], &[&[b"purse", owner.key.as_ref(), &[7]]])?;
    ask::records(owner, "");
    Ok(())
}

// Whose data is read is known otherwise.
pub fn pay_known(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let owner = next_account_info(iter)?;
    let purse = next_account_info(iter)?;
    let target = next_account_info(iter)?;
    let found = State::try_from_slice(&owner.data.borrow())?;
    let transfer = system_instruction::transfer(purse.key, target.key, amount);
    invoke_signed(&transfer, &[purse.clone(), target.clone()], &[&[b"purse", owner.key.as_ref(), &[7]]])?;
    ask::records(owner, "");
    Ok(())
}

pub fn pay_asked(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let owner = next_account_info(iter)?;
    let purse = next_account_info(iter)?;
    let target = next_account_info(iter)?;
    if !owner.is_signer {
        return Err(ProgramError::MissingRequiredSignature);
    }
    let transfer = system_instruction::transfer(purse.key, target.key, amount);
    invoke_signed(&transfer, &[purse.clone(), target.clone()], &[&[b"purse", owner.key.as_ref(), &[7]]])?;
    ask::records(owner, "");
    Ok(())
}

pub fn find(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let owner = next_account_info(iter)?;
    let stranger = next_account_info(iter)?;
    let (address, _) = Pubkey::find_program_address(&[b"purse", owner.key.as_ref()], program_id);
    ask::records(owner, "seed");
    ask::records(stranger, "");
    Ok(())
}

#[derive(BorshSerialize, BorshDeserialize)]
pub struct State { pub total: u64 }
`,
    `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod banks {
    use super::*;

    pub fn compared(ctx: Context<Change>, rate: u64) -> Result<()> {
        require_keys_eq!(ctx.accounts.bank.admin, ctx.accounts.somebody.key());
        ctx.accounts.bank.rate = rate;
        ask::why(ctx.accounts.somebody, "compared with a stored key");
        Ok(())
    }

    pub fn compared_party(ctx: Context<Change>, rate: u64) -> Result<()> {
        require_keys_eq!(ctx.accounts.bank.lender, ctx.accounts.somebody.key());
        ctx.accounts.bank.rate = rate;
        ask::why(ctx.accounts.somebody, "compared with a stored key");
        Ok(())
    }

    pub fn compared_thing(ctx: Context<Change>, rate: u64) -> Result<()> {
        require_keys_eq!(ctx.accounts.bank.vault, ctx.accounts.somebody.key());
        ctx.accounts.bank.rate = rate;
        ask::why(ctx.accounts.somebody, "nothing");
        Ok(())
    }

    pub fn not_compared(ctx: Context<Change>, rate: u64) -> Result<()> {
        ctx.accounts.bank.rate = rate;
        ask::why(ctx.accounts.somebody, "nothing");
        ask::why(ctx.accounts.authority, "named as an authority");
        Ok(())
    }

    pub fn signed_party(ctx: Context<Signed>, rate: u64) -> Result<()> {
        require_keys_eq!(ctx.accounts.bank.lender, ctx.accounts.somebody.key());
        ctx.accounts.bank.rate = rate;
        ask::why(ctx.accounts.somebody, "nothing");
        ask::why(ctx.accounts.caller, "nothing");
        Ok(())
    }

    pub fn signed_admin(ctx: Context<Signed>, rate: u64) -> Result<()> {
        require_keys_eq!(ctx.accounts.bank.admin, ctx.accounts.somebody.key());
        ctx.accounts.bank.rate = rate;
        ask::why(ctx.accounts.somebody, "compared with a stored key");
        Ok(())
    }

    // Whoever is only compared agrees by being there, unless somebody else signs.
    pub fn compared_alone(ctx: Context<Change>, rate: u64) -> Result<()> {
        require_keys_eq!(ctx.accounts.bank.friend, ctx.accounts.somebody.key());
        ctx.accounts.bank.rate = rate;
        ask::suspects("somebody authority");
        Ok(())
    }

    pub fn compared_beside(ctx: Context<Signed>, rate: u64) -> Result<()> {
        require_keys_eq!(ctx.accounts.bank.friend, ctx.accounts.somebody.key());
        ctx.accounts.bank.rate = rate;
        ask::suspects("");
        Ok(())
    }

    // An address that is derived from it can be found by anyone.
    pub fn derive(ctx: Context<Derived>) -> Result<()> {
        ctx.accounts.badge.level = 1;
        ask::suspects("");
        Ok(())
    }

    pub fn rename(ctx: Context<Renamed>, rate: u64) -> Result<()> {
        ctx.accounts.bank.rate = rate;
        ask::suspects("");
        Ok(())
    }

    pub fn listed(ctx: Context<Change>, rate: u64) -> Result<()> {
        require!(ctx.accounts.bank.members.contains(&ctx.accounts.somebody.key()), Denied::Stranger);
        ctx.accounts.bank.rate = rate;
        ask::why(ctx.accounts.somebody, "in a stored list");
        Ok(())
    }

    pub fn by_boss(ctx: Context<ByBoss>, rate: u64) -> Result<()> {
        ctx.accounts.bank.rate = rate;
        ask::why(ctx.accounts.boss, "nothing");
        Ok(())
    }

    pub fn pay_to(ctx: Context<Pay>, amount: u64) -> Result<()> {
        require_keys_eq!(ctx.accounts.bank.lender, ctx.accounts.lender.key());
        **ctx.accounts.bank.to_account_info().try_borrow_mut_lamports()? -= amount;
        **ctx.accounts.lender.to_account_info().try_borrow_mut_lamports()? += amount;
        ask::why(ctx.accounts.lender, "compared with a stored key");
        Ok(())
    }

    pub fn seeded(ctx: Context<Seeded>, rate: u64) -> Result<()> {
        ctx.accounts.bank.rate = rate;
        ask::why(ctx.accounts.authority, "nothing");
        ask::why(ctx.accounts.program, "nothing");
        Ok(())
    }

    pub fn take(ctx: Context<Vouched>, amount: u64) -> Result<()> {
        require!(ctx.accounts.badge.level > 3, Denied::Stranger);
        ctx.accounts.bank.rate = amount;
        ask::why(ctx.accounts.operator, "the account whose record states its rights");
        Ok(())
    }
}

pub const BOSS: Pubkey = pubkey!("Stake11111111111111111111111111111111111111");

#[derive(Accounts)]
pub struct Change<'info> {
    #[account(mut)]
    pub bank: Account<'info, Bank>,
    /// CHECK: compared above, or not
    pub somebody: UncheckedAccount<'info>,
    /// CHECK: nobody looks
    pub authority: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct Derived<'info> {
    #[account(mut, seeds = [b"badge", owner.key().as_ref()], bump)]
    pub badge: Account<'info, Badge>,
    /// CHECK: whose badge it is
    pub owner: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct Renamed<'info> {
    #[account(mut)]
    pub bank: Account<'info, Bank>,
    /// CHECK: who is to be asked from now on
    pub new_owner: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct Signed<'info> {
    #[account(mut)]
    pub bank: Account<'info, Bank>,
    /// CHECK: compared above
    pub somebody: UncheckedAccount<'info>,
    pub caller: Signer<'info>,
}

#[derive(Accounts)]
pub struct ByBoss<'info> {
    #[account(mut)]
    pub bank: Account<'info, Bank>,
    #[account(address = BOSS)]
    pub boss: Signer<'info>,
}

#[derive(Accounts)]
pub struct Pay<'info> {
    #[account(mut)]
    pub bank: Account<'info, Bank>,
    /// CHECK: compared above
    #[account(mut)]
    pub lender: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct Seeded<'info> {
    #[account(mut)]
    pub bank: Account<'info, Bank>,
    /// CHECK: derived
    #[account(seeds = [b"authority"], bump)]
    pub authority: UncheckedAccount<'info>,
    /// CHECK: nobody looks
    pub program: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct Vouched<'info> {
    #[account(mut)]
    pub bank: Account<'info, Bank>,
    #[account(seeds = [b"badge", operator.key().as_ref()], bump)]
    pub badge: Account<'info, Badge>,
    /// CHECK: its badge says what it may do
    pub operator: UncheckedAccount<'info>,
}

#[account]
pub struct Bank {
    pub admin: Pubkey,
    pub lender: Pubkey,
    pub vault: Pubkey,
    pub friend: Pubkey,
    pub members: Vec<Pubkey>,
    pub rate: u64,
}

#[account]
pub struct Badge { pub level: u8 }

#[error_code]
pub enum Denied { Stranger }
`,
  ],
)
