import { guaranteed } from "../../../rust/terms/events.ts"
import type { Facts } from "../../../rust/terms/facts.ts"
import { mentions, type Term } from "../../../rust/terms/terms.ts"
import type { Rule } from "../../../Rule.ts"
import { isSignersAddress } from "../../authority/signersAddress.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import { isAuthorized, isPrivileged } from "../../authority/authorization.ts"
import { checksOf } from "../../questions/checks.ts"
import { openCpisOf } from "../../ties/cpiProgram.ts"
import { movesValue } from "../../questions/cpi.ts"
import { isApproved, isVotedFor } from "../../authority/approval.ts"
import { accountOfKey, isIdentified } from "../../questions/identity.ts"
import type { Cpi, Instruction, SolanaCrate, SolanaProgram } from "../../program/model.ts"
import { isFromCaller, isTrusted } from "../../questions/questions.ts"
import { signedCpisOf } from "../../questions/signedCpi.ts"

export const signerForCallersAccounts: Rule<SolanaProgram> = {
  meta: {
    id: "solana/cpi/signer-for-callers-accounts",
    class: "pda-signer-overlap",
    title: "Program signature covers caller-chosen accounts",
    severity: "high",
    confidence: "medium",
    cwe: [269, 441],
    description:
      "The program signs a call with one of its own addresses, but the entire account list and the instruction data " +
      "are supplied by the caller. An attacker passes accounts of another user or of the protocol from which the same " +
      "address may spend, and the signature is valid for them.",
    remediation:
      "Restrict what the signature is used for: build the account list from validated accounts, or sign only what was " +
      "stored and approved beforehand, and do not include the signing address in an account list from the caller.",
    references: [
      "https://solana.com/docs/core/cpi",
      "https://www.helius.dev/blog/a-hitchhikers-guide-to-solana-program-security",
    ],
  },
  check: (program, report) => {
    for (const crate of program.crates)
      for (const instruction of crate.instructions)
        for (const cpi of signedCpisOf(instruction))
          if (forwardsAll(crate, instruction, cpi))
            report({
              ...placeOf(cpi.event),
              ...(cpi.signerSeeds !== undefined && isSignersAddress(instruction, cpi.signerSeeds)
                ? { severity: "low" as const }
                : {}),
              message: "The call is signed for any accounts and data that the caller passes.",
            })
  },
  examples: {
    vulnerable: [
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::{instruction::Instruction, program::invoke_signed};

#[program]
pub mod agent {
    use super::*;

    pub fn act<'info>(ctx: Context<'_, '_, '_, 'info, Act<'info>>, data: Vec<u8>) -> Result<()> {
        let metas = ctx.remaining_accounts.iter().map(|one| AccountMeta::new(one.key(), true)).collect();
        let instruction = Instruction { program_id: ctx.accounts.target.key(), accounts: metas, data };
        invoke_signed(&instruction, ctx.remaining_accounts, &[&[b"agent", &[ctx.accounts.agent.bump]]])?; // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Act<'info> {
    #[account(has_one = target)]
    pub agent: Account<'info, Agent>,
    /// CHECK: the configured one
    pub target: UncheckedAccount<'info>,
}

#[account]
pub struct Agent {
    pub target: Pubkey,
    pub bump: u8,
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::instruction::{AccountMeta, Instruction};
use solana_program::{entrypoint::ProgramResult, program::invoke_signed, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Safe {
    pub boss: Pubkey,
    pub target: Pubkey,
    pub bump: u8,
}

pub fn relay(program_id: &Pubkey, accounts: &[AccountInfo], data: &[u8]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let caller = next_account_info(iter)?;
    let safe_info = next_account_info(iter)?;
    let target = next_account_info(iter)?;
    if safe_info.owner != program_id || !caller.is_signer {
        return Err(ProgramError::IllegalOwner);
    }
    let safe = Safe::try_from_slice(&safe_info.data.borrow())?;
    if safe.target != *target.key {
        return Err(ProgramError::InvalidAccountData);
    }
    let metas = accounts[3..]
        .iter()
        .map(|one| AccountMeta { pubkey: *one.key, is_signer: one.is_signer, is_writable: one.is_writable })
        .collect();
    let instruction = Instruction { program_id: *target.key, accounts: metas, data: data.to_vec() };
    invoke_signed(&instruction, &accounts[2..], &[&[b"safe", safe_info.key.as_ref(), &[safe.bump]]]) // FINDING
}
`,
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::{instruction::Instruction, program::invoke_signed};

#[program]
pub mod agent {
    use super::*;

    // Who is first in the list is known; what follows is not.
    pub fn act<'info>(ctx: Context<'_, '_, '_, 'info, Act<'info>>, data: Vec<u8>) -> Result<()> {
        let metas = ctx.remaining_accounts.iter().map(|one| AccountMeta::new(one.key(), true)).collect();
        let instruction = Instruction::new_with_bytes(ctx.accounts.target.key(), &data, metas);
        let accounts = [&[ctx.accounts.agent.to_account_info()], ctx.remaining_accounts].concat();
        invoke_signed(&instruction, &accounts, &[&[b"agent", &[ctx.accounts.agent.bump]]])?; // FINDING
        Ok(())
    }

    // Nobody knows who wrote the buffer.
    pub fn act_as_written<'info>(ctx: Context<'_, '_, '_, 'info, Act<'info>>, data: Vec<u8>) -> Result<()> {
        require!(*ctx.accounts.buffer.data.borrow() == data, AgentError::Data);
        let metas = ctx.remaining_accounts.iter().map(|one| AccountMeta::new(one.key(), true)).collect();
        let instruction = Instruction { program_id: ctx.accounts.target.key(), accounts: metas, data };
        invoke_signed(&instruction, ctx.remaining_accounts, &[&[b"agent", &[ctx.accounts.agent.bump]]])?; // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Act<'info> {
    #[account(has_one = target)]
    pub agent: Account<'info, Agent>,
    /// CHECK: the configured one
    pub target: UncheckedAccount<'info>,
    /// CHECK: compared with the data
    pub buffer: UncheckedAccount<'info>,
}

#[account]
pub struct Agent {
    pub target: Pubkey,
    pub bump: u8,
}

#[error_code]
pub enum AgentError {
    Data,
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::instruction::{AccountMeta, Instruction};
use solana_program::{entrypoint::ProgramResult, program::invoke_signed, program_error::ProgramError, pubkey::Pubkey};

/// The same call for each account of the list.
pub fn relay_to_each(program_id: &Pubkey, accounts: &[AccountInfo], data: &[u8]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let safe = next_account_info(iter)?;
    let (address, bump) = Pubkey::find_program_address(&[b"safe"], program_id);
    if address != *safe.key {
        return Err(ProgramError::InvalidSeeds);
    }
    for account in &accounts[1..] {
        let metas = vec![AccountMeta::new(*account.key, false), AccountMeta::new(*safe.key, true)];
        let instruction = Instruction { program_id: vault_program::id(), accounts: metas, data: data.to_vec() };
        invoke_signed(&instruction, &[account.clone(), safe.clone()], &[&[b"safe", &[bump]]])?; // FINDING
    }
    Ok(())
}
`,
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::{instruction::Instruction, program::invoke_signed};

#[program]
pub mod parcels {
    use super::*;

    // Whoever calls hashes what they like.
    pub fn send<'info>(ctx: Context<'_, '_, '_, 'info, Send<'info>>, data: Vec<u8>, root: [u8; 32]) -> Result<()> {
        let leaf = keccak::hashv(&[&data]).0;
        require!(leaf == root, ErrorCode::ConstraintRaw);
        let metas = ctx.remaining_accounts.iter().map(|one| AccountMeta::new(one.key(), true)).collect();
        let instruction = Instruction { program_id: ctx.accounts.target.key(), accounts: metas, data };
        invoke_signed(&instruction, ctx.remaining_accounts, &[&[b"depot", &[ctx.accounts.depot.bump]]])?; // FINDING
        Ok(())
    }
    // Which instruction it is says the first byte of the caller's.
    pub fn pass<'info>(ctx: Context<'_, '_, '_, 'info, Send<'info>>, kind: u8) -> Result<()> {
        let metas = ctx.remaining_accounts.iter().map(|one| AccountMeta::new(one.key(), true)).collect();
        let data = vec![kind, 1];
        let instruction = Instruction { program_id: ctx.accounts.target.key(), accounts: metas, data };
        invoke_signed(&instruction, ctx.remaining_accounts, &[&[b"depot", &[ctx.accounts.depot.bump]]])?; // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Send<'info> {
    #[account(has_one = target)]
    pub depot: Account<'info, Depot>,
    /// CHECK: the configured one
    pub target: UncheckedAccount<'info>,
}

#[account]
pub struct Depot { pub target: Pubkey, pub root: [u8; 32], pub bump: u8 }
`,
    ],
    safe: [
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::{instruction::{AccountMeta, Instruction}, program::invoke_signed};
use anchor_lang::system_program;

const SEND: [u8; 8] = [1, 2, 3, 4, 5, 6, 7, 8];

#[program]
pub mod council {
    use super::*;
    /// Members who agree sign whatever they like.
    pub fn act(ctx: Context<Act>, count: u8, data: Vec<u8>) -> Result<()> {
        require!(count as u16 >= ctx.accounts.council.threshold, ErrorCode::Few);
        for one in &ctx.remaining_accounts[..count as usize] {
            require!(one.is_signer, ErrorCode::Few);
            require!(ctx.accounts.council.members.contains(one.key), ErrorCode::Few);
        }
        let accounts = ctx.remaining_accounts.iter().map(|one| AccountMeta::new(*one.key, one.is_signer)).collect();
        let order = Instruction { program_id: registry::ID, accounts, data };
        let council = ctx.accounts.council.key();
        invoke_signed(&order, ctx.remaining_accounts, &[&[b"purse", council.as_ref(), &[ctx.accounts.council.bump]]])?;
        Ok(())
    }

    /// The wrapper says what is asked of the system program.
    pub fn make(ctx: Context<Act>, seed: u64, bump: u8) -> Result<()> {
        let made = &ctx.remaining_accounts[0];
        let accounts = system_program::CreateAccount {
            from: ctx.accounts.payer.to_account_info(),
            to: made.clone(),
        };
        let seeds: &[&[&[u8]]] = &[&[b"made", &seed.to_le_bytes(), &[bump]]];
        let context = CpiContext::new(ctx.accounts.system_program.to_account_info(), accounts).with_signer(seeds);
        system_program::create_account(context, seed, 80, &crate::ID)
    }

    /// The first bytes say what is asked of the registry.
    pub fn send(ctx: Context<Act>, text: Vec<u8>) -> Result<()> {
        let accounts = ctx.remaining_accounts.iter().map(|one| AccountMeta::new(*one.key, one.is_signer)).collect();
        let data = [SEND.as_slice(), text.as_slice()].concat();
        let order = Instruction { program_id: registry::ID, accounts, data };
        let council = ctx.accounts.council.key();
        invoke_signed(&order, ctx.remaining_accounts, &[&[b"purse", council.as_ref(), &[ctx.accounts.council.bump]]])?;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Act<'info> {
    pub council: Account<'info, Council>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Council { pub members: Vec<Pubkey>, pub threshold: u16, pub bump: u8 }

#[error_code]
pub enum ErrorCode { Few }
`,
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::{instruction::{AccountMeta, Instruction}, program::invoke_signed};

#[program]
pub mod councils {
    use super::*;

    pub fn execute(ctx: Context<Execute>, data: Vec<u8>) -> Result<()> {
        require!(ctx.accounts.proposal.data == data, ErrorCode::Other);
        let accounts = ctx.remaining_accounts.iter().map(|one| AccountMeta::new(*one.key, one.is_signer)).collect();
        let instruction = Instruction { program_id: ctx.accounts.target.key(), accounts, data };
        invoke_signed(&instruction, ctx.remaining_accounts, &[&[b"treasury", &[ctx.bumps.treasury]]])?;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Execute<'info> {
    #[account(has_one = target)]
    pub proposal: Account<'info, Proposal>,
    /// CHECK: compared
    pub target: UncheckedAccount<'info>,
    /// CHECK: signs
    #[account(seeds = [b"treasury"], bump)]
    pub treasury: UncheckedAccount<'info>,
}

#[account]
pub struct Proposal {
    pub target: Pubkey,
    pub data: Vec<u8>,
}

#[error_code]
pub enum ErrorCode {
    Other,
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::instruction::{AccountMeta, Instruction};
use solana_program::{entrypoint::ProgramResult, program::invoke_signed, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Safe {
    pub boss: Pubkey,
    pub target: Pubkey,
    pub bump: u8,
}

pub fn relay(program_id: &Pubkey, accounts: &[AccountInfo], data: &[u8]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let caller = next_account_info(iter)?;
    let safe_info = next_account_info(iter)?;
    let target = next_account_info(iter)?;
    if safe_info.owner != program_id || !caller.is_signer {
        return Err(ProgramError::IllegalOwner);
    }
    let safe = Safe::try_from_slice(&safe_info.data.borrow())?;
    if safe.target != *target.key || safe.boss != *caller.key {
        return Err(ProgramError::InvalidAccountData);
    }
    let metas = accounts[3..]
        .iter()
        .map(|one| AccountMeta { pubkey: *one.key, is_signer: one.is_signer, is_writable: one.is_writable })
        .collect();
    let instruction = Instruction { program_id: *target.key, accounts: metas, data: data.to_vec() };
    invoke_signed(&instruction, &accounts[2..], &[&[b"safe", safe_info.key.as_ref(), &[safe.bump]]])
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program::invoke_signed, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Desk { pub lender: Pubkey, pub held: u64 }

/// The lender's own builder says what is asked; more accounts at the end change nothing about it.
pub fn lend(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let desk_info = next_account_info(iter)?;
    let from = next_account_info(iter)?;
    let signer = next_account_info(iter)?;
    let lender = next_account_info(iter)?;
    let desk = Desk::try_from_slice(&desk_info.data.borrow())?;
    if desk_info.owner != program_id || desk.lender != *lender.key {
        return Err(ProgramError::InvalidArgument);
    }
    let (address, bump) = Pubkey::find_program_address(&[desk_info.key.as_ref()], program_id);
    if address != *signer.key {
        return Err(ProgramError::InvalidSeeds);
    }
    let given = other_lending::instruction::deposit_liquidity(*lender.key, amount, *from.key, *signer.key);
    invoke_signed(&given, &[&[from.clone(), signer.clone()], &accounts[4..]].concat(), &[&[desk_info.key.as_ref(), &[bump]]])
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::instruction::{AccountMeta, Instruction};
use solana_program::{entrypoint::ProgramResult, keccak, program::invoke_signed, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Proposal { pub bump: u8 }

/// A proposal for this very target and data exists at the address that is made from both.
pub fn execute(program_id: &Pubkey, accounts: &[AccountInfo], target: Pubkey, data: Vec<u8>) -> ProgramResult {
    let iter = &mut accounts.iter();
    let council = next_account_info(iter)?;
    let proposal_info = next_account_info(iter)?;
    let proposal = Proposal::try_from_slice(&proposal_info.data.borrow())?;
    let hash = keccak::hashv(&[target.as_ref(), &data]).0;
    let address = Pubkey::create_program_address(&[b"proposal", &hash, &[proposal.bump]], program_id)?;
    let (own, bump) = Pubkey::find_program_address(&[b"council"], program_id);
    if address != *proposal_info.key || own != *council.key {
        return Err(ProgramError::InvalidSeeds);
    }
    let metas = accounts[2..]
        .iter()
        .map(|one| AccountMeta { pubkey: *one.key, is_signer: one.is_signer, is_writable: one.is_writable })
        .collect();
    let instruction = Instruction { program_id: target, accounts: metas, data };
    invoke_signed(&instruction, accounts, &[&[b"council", &[bump]]])
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::instruction::{AccountMeta, Instruction};
use solana_program::{entrypoint::ProgramResult, program::invoke_signed, program_error::ProgramError, pubkey::Pubkey};

/// The registry leaves only accounts that it knows.
pub fn relay_to_registered(program_id: &Pubkey, accounts: &[AccountInfo], data: &[u8]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let safe = next_account_info(iter)?;
    let (address, bump) = Pubkey::find_program_address(&[b"safe"], program_id);
    if address != *safe.key {
        return Err(ProgramError::InvalidSeeds);
    }
    let registered = registry::registered(accounts)?;
    let metas = registered.iter().map(|one| AccountMeta::new(*one.key, one.is_signer)).collect();
    let instruction = Instruction { program_id: vault_program::id(), accounts: metas, data: data.to_vec() };
    invoke_signed(&instruction, &registered, &[&[b"safe", &[bump]]])
}

pub fn relay_to_own(program_id: &Pubkey, accounts: &[AccountInfo], data: &[u8]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let safe = next_account_info(iter)?;
    let (address, bump) = Pubkey::find_program_address(&[b"safe"], program_id);
    if address != *safe.key {
        return Err(ProgramError::InvalidSeeds);
    }
    for account in &accounts[1..] {
        if account.owner != program_id {
            return Err(ProgramError::IllegalOwner);
        }
        let metas = vec![AccountMeta::new(*account.key, false), AccountMeta::new(*safe.key, true)];
        let instruction = Instruction { program_id: vault_program::id(), accounts: metas, data: data.to_vec() };
        invoke_signed(&instruction, &[account.clone(), safe.clone()], &[&[b"safe", &[bump]]])?;
    }
    Ok(())
}

/// What follows is for the mint's transfer hook; the builder refuses programs other than those for tokens.
pub fn pay(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let from = next_account_info(iter)?;
    let mint = next_account_info(iter)?;
    let to = next_account_info(iter)?;
    let safe = next_account_info(iter)?;
    let tokens = next_account_info(iter)?;
    let (_, bump) = Pubkey::find_program_address(&[b"safe"], program_id);
    let payment = spl_token_2022::instruction::transfer_checked(
        tokens.key, from.key, mint.key, to.key, safe.key, &[], amount, 6,
    )?;
    let given = [&[from.clone(), mint.clone(), to.clone(), safe.clone()], &accounts[5..]].concat();
    invoke_signed(&payment, &given, &[&[b"safe", &[bump]]])
}
`,
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::{instruction::{AccountMeta, Instruction}, program::invoke_signed};

#[program]
pub mod councils {
    use super::*;

    // What is executed was voted on; the memo is only written to the log.
    pub fn execute(ctx: Context<Execute>, data: Vec<u8>, memo: String) -> Result<()> {
        require!(ctx.accounts.proposal.data == data, CouncilError::Data);
        msg!("{}", memo);
        let accounts = ctx.remaining_accounts.iter().map(|one| AccountMeta::new(*one.key, one.is_signer)).collect();
        let instruction = Instruction { program_id: ctx.accounts.target.key(), accounts, data };
        invoke_signed(&instruction, ctx.remaining_accounts, &[&[b"treasury", &[ctx.bumps.treasury]]])?;
        Ok(())
    }

    // The administrator chooses who is notified, and nobody chooses of what.
    pub fn notify(ctx: Context<Notify>) -> Result<()> {
        let accounts = ctx.remaining_accounts.iter().map(|one| AccountMeta::new(*one.key, one.is_signer)).collect();
        let instruction = Instruction { program_id: ctx.accounts.hook.key(), accounts, data: vec![7] };
        invoke_signed(&instruction, ctx.remaining_accounts, &[&[b"treasury", &[ctx.bumps.treasury]]])?;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Execute<'info> {
    #[account(has_one = target)]
    pub proposal: Account<'info, Proposal>,
    /// CHECK: compared
    pub target: UncheckedAccount<'info>,
    /// CHECK: signs
    #[account(seeds = [b"treasury"], bump)]
    pub treasury: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct Notify<'info> {
    pub admin: Signer<'info>,
    #[account(seeds = [b"config"], bump, has_one = admin)]
    pub config: Account<'info, Config>,
    /// CHECK: any program
    pub hook: UncheckedAccount<'info>,
    /// CHECK: signs
    #[account(seeds = [b"treasury"], bump)]
    pub treasury: UncheckedAccount<'info>,
}

#[account]
pub struct Proposal {
    pub target: Pubkey,
    pub data: Vec<u8>,
}

#[account]
pub struct Config {
    pub admin: Pubkey,
}

#[error_code]
pub enum CouncilError {
    Data,
}
`,
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::{instruction::Instruction, program::invoke_signed};

#[program]
pub mod parcels {
    use super::*;

    /// What was agreed on is in the tree.
    pub fn send<'info>(ctx: Context<'_, '_, '_, 'info, Send<'info>>, data: Vec<u8>) -> Result<()> {
        let leaf = keccak::hashv(&[&data]).0;
        require!(leaf == ctx.accounts.depot.root, ErrorCode::ConstraintRaw);
        let metas = ctx.remaining_accounts.iter().map(|one| AccountMeta::new(one.key(), true)).collect();
        let instruction = Instruction { program_id: ctx.accounts.target.key(), accounts: metas, data };
        invoke_signed(&instruction, ctx.remaining_accounts, &[&[b"depot", &[ctx.accounts.depot.bump]]])?;
        Ok(())
    }
    pub fn pass<'info>(ctx: Context<'_, '_, '_, 'info, Send<'info>>, kind: u8) -> Result<()> {
        let metas = ctx.remaining_accounts.iter().map(|one| AccountMeta::new(one.key(), true)).collect();
        let data = vec![3, kind];
        let instruction = Instruction { program_id: ctx.accounts.target.key(), accounts: metas, data };
        invoke_signed(&instruction, ctx.remaining_accounts, &[&[b"depot", &[ctx.accounts.depot.bump]]])?;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Send<'info> {
    #[account(has_one = target)]
    pub depot: Account<'info, Depot>,
    /// CHECK: the configured one
    pub target: UncheckedAccount<'info>,
}

#[account]
pub struct Depot { pub target: Pubkey, pub root: [u8; 32], pub bump: u8 }
`,
    ],
  },
}

/** The rest of the list, or all of it, as in native programs. */
const isList = (term: Term): boolean =>
  term.kind === "parameter" ||
  (term.kind === "call" && /^(slice|as_slice|to_vec|concat|mapped)$/.test(term.name) && term.args.some(isList)) ||
  (term.kind === "element" && term.index === undefined)

const isRemaining = (term: Term): boolean =>
  isList(term) || mentions(term, (one) => one.kind === "field" && one.name === "remaining_accounts")

/** Whether the account lists, and thus the accounts that are charged, come unchanged from the caller. */
const forwardsAll = (crate: SolanaCrate, instruction: Instruction, cpi: Cpi): boolean => {
  if (!cpi.accounts.some(({ term }) => isRemaining(term)) || movesValue(cpi) || isVotedFor(instruction)) return false
  const facts = guaranteed(cpi.event)
  const checked = cpi.accounts.some(({ term }) => isRemaining(term) && isIdentified(checksOf(term, facts)))
  const [built] = cpi.event.args
  // A wrapper, such as `system_program::create_account(context, …)`, says what is asked.
  if (built?.term.kind === "struct" && built.term.path === "CpiContext") return false
  if (checked || built === undefined || !isFromCaller(instruction, built.term)) return false
  if (openCpisOf(instruction).some(({ event }) => event === cpi.event)) return true
  if (namesInstruction(built.term)) return false
  // A builder with arguments of its own says what is asked: `instruction::deposit(amount, …)`.
  if (built.term.kind === "call" && !/^new(_with_\w+)?$/.test(built.term.name)) return false
  // What was previously proposed and approved: `proposal.data == data`.
  const passed = instruction.arguments.filter(({ term }) => mentions(built.term, (one) => one === term))
  if (passed.every(({ term }) => isStored(facts, term) || isApproved(instruction, term))) return false
  // Seeds with the called program's own address make a signature that means nothing to any other program.
  if (isForCallee(cpi)) return false
  // The account that the state names may use the signature freely, for a known program.
  return instruction.kind === "anchor"
    ? !isPrivileged(crate, instruction)
    : !instruction.accounts.some((one) => isAuthorized(instruction, one))
}

/** Whether its data begins with bytes that are written in the text: they say what is asked of the program. */
const namesInstruction = (built: Term): boolean => {
  const data = built.kind === "struct" ? built.fields.find(([name]) => name === "data")?.[1] : undefined
  const parts = data?.kind === "call" && data.name === "concat" ? data.args[0] : data
  const [first] = parts?.kind === "list" ? parts.elements : []
  return first?.kind === "literal" || first?.kind === "constant"
}

const isForCallee = ({ program, signerSeeds }: Cpi): boolean => {
  if (program === undefined || signerSeeds === undefined) return false
  const own = accountOfKey(program)
  return mentions(signerSeeds, (one) => one === own)
}

const isStored = (facts: Facts, term: Term): boolean => {
  for (const fact of facts) {
    if (fact.kind !== "binary" || fact.operator !== "==") continue
    const sides = [fact.left, fact.right]
    if (sides.includes(term) && sides.some(isTrusted)) return true
  }
  return false
}
