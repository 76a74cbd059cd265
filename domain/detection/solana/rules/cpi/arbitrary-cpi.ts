import { oncePer } from "../../../oncePer.ts"
import type { CallEvent, CheckEvent } from "../../../rust/terms/events.ts"
import { everySubterm, mentions, type Term } from "../../../rust/terms/terms.ts"
import type { Rule } from "../../../Rule.ts"
import { isSignersAddress } from "../../authority/signersAddress.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import { isVotedFor } from "../../authority/approval.ts"
import { isPrivileged } from "../../authority/authorization.ts"
import { cpiOf, movesValue } from "../../questions/cpi.ts"
import { usesOf } from "../../questions/questions.ts"
import { signedCpisOf } from "../../questions/signedCpi.ts"
import { openCpisOf } from "../../ties/cpiProgram.ts"
import { accountOfKey, reached } from "../../questions/identity.ts"
import type { Instruction, SolanaProgram } from "../../program/model.ts"
import { stateOf } from "../../program/semantics.ts"

export const arbitraryCpi: Rule<SolanaProgram> = {
  meta: {
    id: "solana/cpi/arbitrary-cpi",
    class: "arbitrary-cpi",
    title: "Arbitrary cross-program invocation",
    severity: "critical",
    confidence: "high",
    cwe: [829, 345],
    description:
      "The instruction calls another program whose account comes from the transaction and is never compared " +
      "with the intended program. An attacker passes a program of their own: it reports success without moving " +
      "a token, or abuses the signatures and writable accounts that the call passes to it.",
    remediation:
      "Declare the program as `Program<'info, T>` or `Interface<'info, T>`, or compare its key with the " +
      "expected id before the call. If several programs are allowed, compare with a stored or constant list.",
    references: [
      "https://github.com/coral-xyz/sealevel-attacks/tree/master/programs/5-arbitrary-cpi",
      "https://solana.com/developers/courses/program-security/arbitrary-cpi",
    ],
  },
  check: (program, report) => {
    for (const crate of program.crates)
      for (const instruction of crate.instructions) {
        let privileged: boolean | undefined
        const reads = readsAndChecks(instruction)
        for (const { event, program: called, refusedByLibrary, signerSeeds } of openCpisOf(instruction)) {
          if (refusedByLibrary || (signerSeeds === undefined && isVerifiedAfterwards(reads, event))) continue
          privileged ??= isPrivileged(crate, instruction) || isVotedFor(instruction)
          report({
            ...placeOf(event),
            // An administrator chooses for themselves; without a signature, the callee gains nothing of the program's,
            // and callers only deceive themselves unless something is recorded or paid for it.
            ...(privileged
              ? { severity: "low" as const }
              : signerSeeds === undefined
                ? {
                    severity: reliesOnCalls(instruction)
                      ? ("high" as const)
                      : movesTokens(event)
                        ? ("medium" as const)
                        : ("low" as const),
                  }
                : isSignersAddress(instruction, signerSeeds)
                  ? { severity: "low" as const }
                  : {}),
            message:
              signerSeeds === undefined
                ? `Nothing in \`${instruction.name}\` determines which program this call reaches.`
                : `Nothing in \`${instruction.name}\` determines which program this call reaches, and the call carries the signature of a PDA.`,
            trace: reached(event, ...instruction.accounts.filter(({ term }) => term === accountOfKey(called))),
          })
        }
      }
  },
  examples: {
    vulnerable: [
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::{instruction::Instruction, program::invoke};

#[program]
pub mod relay {
    use super::*;

    pub fn relay(ctx: Context<Relay>, data: Vec<u8>) -> Result<()> {
        let instruction = Instruction { program_id: ctx.accounts.target.key(), accounts: vec![], data };
        invoke(&instruction, &[ctx.accounts.target.to_account_info()])?; // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Relay<'info> {
    /// CHECK: called
    pub target: UncheckedAccount<'info>,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod bridge {
    use super::*;

    pub fn pay(ctx: Context<Pay>, amount: u64) -> Result<()> {
        let program = &ctx.remaining_accounts[0];
        let accounts = ledger::cpi::accounts::Move {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
        };
        let context = CpiContext::new(program.to_account_info(), accounts); // FINDING
        ledger::cpi::move_funds(context, amount)
    }
}

#[derive(Accounts)]
pub struct Pay<'info> {
    /// CHECK: the ledger's
    #[account(mut)]
    pub vault: UncheckedAccount<'info>,
    /// CHECK: the ledger's
    #[account(mut)]
    pub to: UncheckedAccount<'info>,
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::instruction::{AccountMeta, Instruction};
use solana_program::program::invoke_signed;
use solana_program::{entrypoint::ProgramResult, pubkey::Pubkey};

pub fn forward(_program_id: &Pubkey, accounts: &[AccountInfo], target: Pubkey, data: Vec<u8>) -> ProgramResult {
    let iter = &mut accounts.iter();
    let vault = next_account_info(iter)?;
    let program = next_account_info(iter)?;
    let instruction = Instruction {
        program_id: target,
        accounts: vec![AccountMeta::new(*vault.key, true)],
        data,
    };
    invoke_signed(&instruction, &[vault.clone(), program.clone()], &[&[b"vault"]]) // FINDING
}
`,
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::instruction::{AccountMeta, Instruction};
use anchor_lang::solana_program::program::{invoke, invoke_signed};
use anchor_spl::token::TokenAccount;

#[program]
pub mod flash {
    use super::*;

    // With the vault's signature, the receiver takes from other vaults of the same authority.
    pub fn lend_signed(ctx: Context<Lend>, amount: u64) -> Result<()> {
        let before = ctx.accounts.vault.amount;
        let seeds: &[&[&[u8]]] = &[&[b"authority", &[255]]];
        invoke_signed(&ctx.accounts.callback(amount), &ctx.accounts.infos(), seeds)?; // FINDING
        ctx.accounts.vault.reload()?;
        require!(ctx.accounts.vault.amount >= before, FlashError::Unpaid);
        Ok(())
    }

    // Without a reload, this is what the vault held before.
    pub fn lend_stale(ctx: Context<Lend>, amount: u64) -> Result<()> {
        invoke(&ctx.accounts.callback(amount), &ctx.accounts.infos())?; // FINDING
        journal::note(&ctx.accounts.vault);
        require!(ctx.accounts.vault.amount >= amount, FlashError::Unpaid);
        Ok(())
    }

    // Only how much was lent is compared, not what came back.
    pub fn lend_limited(ctx: Context<Lend>, amount: u64) -> Result<()> {
        invoke(&ctx.accounts.callback(amount), &ctx.accounts.infos())?; // FINDING
        ctx.accounts.vault.reload()?;
        let owed = amount.checked_add(100).unwrap();
        require!(owed <= 1_000_000, FlashError::Limit);
        Ok(())
    }

    pub fn lend_all_but_one(ctx: Context<Lend>, amount: u64) -> Result<()> {
        invoke(&ctx.accounts.callback(amount), &ctx.accounts.infos())?; // FINDING
        ctx.accounts.vault.reload()?;
        require!(ctx.accounts.vault.amount != 0, FlashError::Unpaid);
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Lend<'info> {
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    /// CHECK: called
    pub receiver: UncheckedAccount<'info>,
}

impl<'info> Lend<'info> {
    fn callback(&self, amount: u64) -> Instruction {
        let accounts = vec![AccountMeta::new(self.vault.key(), false)];
        Instruction { program_id: self.receiver.key(), accounts, data: amount.to_le_bytes().to_vec() }
    }

    fn infos(&self) -> [AccountInfo<'info>; 2] {
        [self.vault.to_account_info(), self.receiver.to_account_info()]
    }
}

#[error_code]
pub enum FlashError {
    Unpaid,
    Limit,
}
`,
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::program::invoke_signed;

#[program]
pub mod auctions {
    use super::*;
    pub fn hand_over(ctx: Context<HandOver>, amount: u64) -> Result<()> {
        let transfer = metadata::instruction::transfer(ctx.accounts.program.key(), ctx.accounts.token.key()).unwrap();
        let infos = [ctx.accounts.token.to_account_info(), ctx.accounts.hall.to_account_info()];
        invoke_signed(&transfer, &infos, &[&[b"hall", &[ctx.bumps.hall]]])?; // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct HandOver<'info> {
    /// CHECK: moved
    #[account(mut)]
    pub token: UncheckedAccount<'info>,
    /// CHECK: signs
    #[account(seeds = [b"hall"], bump)]
    pub hall: UncheckedAccount<'info>,
    /// CHECK: called
    pub program: UncheckedAccount<'info>,
    pub caller: Signer<'info>,
}
`,
      // Not for an administrator alone: holders call it as well.
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::{instruction::Instruction, program::invoke_signed};

#[program]
pub mod desks {
    use super::*;
    pub fn pull(ctx: Context<Pull>) -> Result<()> {
        let ix = Instruction { program_id: ctx.accounts.venue.key(), accounts: vec![], data: vec![] };
        let seeds: &[&[u8]] = &[b"desk", &[ctx.accounts.desk.bump]];
        invoke_signed(&ix, &[ctx.accounts.desk.to_account_info()], &[seeds])?; // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Pull<'info> {
    #[account(constraint = caller.key() == seat.holder || caller.key() == desk.admin)]
    pub caller: Signer<'info>,
    pub seat: Account<'info, Seat>,
    #[account(seeds = [b"desk"], bump = desk.bump)]
    pub desk: Account<'info, Desk>,
    /// CHECK: whichever
    pub venue: UncheckedAccount<'info>,
}

#[account]
pub struct Seat { pub holder: Pubkey }

#[account]
pub struct Desk { pub admin: Pubkey, pub bump: u8 }
`,
    ],
    safe: [
      // A library checks the program, in accounts that another instruction converts.
      `use bonfida_utils::checks::{check_account_key, check_signer};
use solana_program::{account_info::{next_account_info, AccountInfo}, entrypoint, entrypoint::ProgramResult, instruction::Instruction, program::invoke_signed, program_error::ProgramError, pubkey::Pubkey};

entrypoint!(process);
pub fn process(program_id: &Pubkey, accounts: &[AccountInfo], data: &[u8]) -> ProgramResult {
    match data[0] {
        0 => run(program_id, Old::parse(accounts)?.into(), data),
        _ => run(program_id, New::parse(accounts)?, data),
    }
}

pub struct Old<'a, T> { target: &'a T, payer: &'a T }
impl<'a, 'b: 'a> Old<'a, AccountInfo<'b>> {
    pub fn parse(accounts: &'a [AccountInfo<'b>]) -> Result<Self, ProgramError> {
        let it = &mut accounts.iter();
        Ok(Old { payer: next_account_info(it)?, target: next_account_info(it)? })
    }
}
impl<'a, T> From<Old<'a, T>> for New<'a, T> {
    fn from(value: Old<'a, T>) -> Self { Self { target: value.target, payer: value.payer } }
}
pub struct New<'a, T> { target: &'a T, payer: &'a T }
impl<'a, 'b: 'a> New<'a, AccountInfo<'b>> {
    pub fn parse(accounts: &'a [AccountInfo<'b>]) -> Result<Self, ProgramError> {
        let it = &mut accounts.iter();
        Ok(New { target: next_account_info(it)?, payer: next_account_info(it)? })
    }
    pub fn check(&self) -> Result<(), ProgramError> {
        check_account_key(self.target, &spl_name_service::ID).unwrap();
        check_signer(self.payer).unwrap();
        Ok(())
    }
}

fn run<'a, 'b: 'a>(program_id: &Pubkey, accounts: New<'a, AccountInfo<'b>>, data: &[u8]) -> ProgramResult {
    accounts.check()?;
    let (_, bump) = Pubkey::find_program_address(&[b"state"], program_id);
    let instruction = Instruction { program_id: *accounts.target.key, accounts: vec![], data: data.to_vec() };
    invoke_signed(&instruction, &[accounts.target.clone(), accounts.payer.clone()], &[&[b"state", &[bump]]])
}
`,
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::{instruction::Instruction, program::invoke_signed};

#[program]
pub mod relays {
    use super::*;
    /// Only the program that the registered address belongs to derives it.
    pub fn configure(ctx: Context<Configure>, data: Vec<u8>) -> Result<()> {
        let order = Instruction { program_id: ctx.accounts.lib_program.key(), accounts: vec![], data };
        let lib = ctx.accounts.lib.key();
        let infos = [ctx.accounts.entry.to_account_info(), ctx.accounts.lib_program.to_account_info()];
        invoke_signed(&order, &infos, &[&[b"lib", lib.as_ref(), &[ctx.accounts.entry.bump]]])?;
        Ok(())
    }

    /// The list says which programs may be called.
    pub fn relay(ctx: Context<Relay>, data: Vec<u8>) -> Result<()> {
        let listed = Entry { program_id: ctx.accounts.target.key() };
        require!(ctx.accounts.lockup.whitelist.contains(&listed), ErrorCode::Stranger);
        let order = Instruction { program_id: ctx.accounts.target.key(), accounts: vec![], data };
        invoke_signed(&order, &[ctx.accounts.target.to_account_info()], &[&[b"lockup", &[ctx.accounts.lockup.bump]]])?;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Configure<'info> {
    #[account(seeds = [b"lib", lib.key().as_ref()], bump = entry.bump)]
    pub entry: Account<'info, Lib>,
    /// CHECK: the program's own address
    #[account(seeds = [b"lib"], bump = entry.lib_bump, seeds::program = lib_program)]
    pub lib: UncheckedAccount<'info>,
    /// CHECK: by the address
    pub lib_program: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct Relay<'info> {
    pub lockup: Account<'info, Lockup>,
    /// CHECK: listed
    pub target: UncheckedAccount<'info>,
}

#[account]
pub struct Lib { pub bump: u8, pub lib_bump: u8 }

#[account]
pub struct Lockup { pub whitelist: Vec<Entry>, pub bump: u8 }

#[derive(AnchorSerialize, AnchorDeserialize, Clone, PartialEq)]
pub struct Entry { pub program_id: Pubkey }

#[error_code]
pub enum ErrorCode { Stranger }
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program::invoke, pubkey::Pubkey};
use spl_token_2022_interface::instruction::burn;

pub fn unwrap(_program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let token_program = next_account_info(iter)?;
    let held = next_account_info(iter)?;
    let mint = next_account_info(iter)?;
    let holder = next_account_info(iter)?;
    invoke(
        &burn(token_program.key, held.key, mint.key, holder.key, &[], amount)?,
        &[held.clone(), mint.clone(), holder.clone()],
    )
}
`,
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::{instruction::Instruction, program::invoke_signed};

#[program]
pub mod council {
    use super::*;

    pub fn carry_out(ctx: Context<CarryOut>, order: Order) -> Result<()> {
        let instruction = Instruction { program_id: order.program, accounts: vec![], data: order.data.clone() };
        let seeds: &[&[&[u8]]] = &[&[b"council", &[ctx.bumps.council]]];
        invoke_signed(&instruction, ctx.remaining_accounts, seeds)?;
        Ok(())
    }
}

#[derive(Accounts)]
#[instruction(order: Order)]
pub struct CarryOut<'info> {
    // Whoever voted for it had it made at the address of what is to be done.
    #[account(mut, close = council, seeds = [b"approved", &digest(&order)], bump)]
    pub approved: Account<'info, Approved>,
    /// CHECK: signs
    #[account(mut, seeds = [b"council"], bump)]
    pub council: UncheckedAccount<'info>,
}

#[derive(AnchorSerialize, AnchorDeserialize, Clone)]
pub struct Order { pub program: Pubkey, pub data: Vec<u8> }

pub fn digest(order: &Order) -> [u8; 32] {
    solana_keccak_hasher::hashv(&[order.program.as_ref(), &order.data]).to_bytes()
}

#[account]
pub struct Approved { pub at: i64 }
`,
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::{instruction::Instruction, program::invoke};

#[program]
pub mod relay {
    use super::*;

    pub fn relay(ctx: Context<Relay>, data: Vec<u8>) -> Result<()> {
        check_target(&ctx.accounts.target)?;
        let instruction = Instruction { program_id: ctx.accounts.target.key(), accounts: vec![], data };
        invoke(&instruction, &[ctx.accounts.target.to_account_info()])?;
        Ok(())
    }

    pub fn relay_known(ctx: Context<RelayKnown>, data: Vec<u8>) -> Result<()> {
        let instruction = Instruction { program_id: ctx.accounts.target.key(), accounts: vec![], data };
        invoke(&instruction, &[ctx.accounts.target.to_account_info()])?;
        Ok(())
    }
}

fn check_target(target: &AccountInfo) -> Result<()> {
    require!(target.key == &spl_token::ID || target.key == &spl_token_2022::ID, ErrorCode::InvalidProgramId);
    Ok(())
}

#[derive(Accounts)]
pub struct Relay<'info> {
    /// CHECK: compared
    pub target: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct RelayKnown<'info> {
    #[account(has_one = target)]
    pub config: Account<'info, Config>,
    /// CHECK: the configured one
    pub target: UncheckedAccount<'info>,
}

#[account]
pub struct Config {
    pub target: Pubkey,
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod pay {
    use super::*;

    pub fn pay(ctx: Context<Pay>, amount: u64) -> Result<()> {
        token::transfer(ctx.accounts.context(), amount)
    }
}

#[derive(Accounts)]
pub struct Pay<'info> {
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub owner: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

impl<'info> Pay<'info> {
    fn context(&self) -> CpiContext<'_, '_, '_, 'info, Transfer<'info>> {
        let accounts = Transfer {
            from: self.from.to_account_info(),
            to: self.to.to_account_info(),
            authority: self.owner.to_account_info(),
        };
        CpiContext::new(self.token_program.to_account_info(), accounts)
    }
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::instruction::{AccountMeta, Instruction};
use solana_program::program::invoke;
use solana_program::program_pack::Pack;
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use spl_token::state::Account;

pub fn flash_loan(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let vault = next_account_info(iter)?;
    let receiver = next_account_info(iter)?;
    if receiver.key == program_id {
        return Err(ProgramError::InvalidArgument);
    }
    let before = Account::unpack(&vault.data.borrow())?.amount;
    let callback = Instruction {
        program_id: *receiver.key,
        accounts: vec![AccountMeta::new(*vault.key, false)],
        data: amount.to_le_bytes().to_vec(),
    };
    invoke(&callback, &[vault.clone(), receiver.clone()])?;
    if Account::unpack(&vault.data.borrow())?.amount < before.checked_add(amount).unwrap() {
        return Err(ProgramError::InsufficientFunds);
    }
    Ok(())
}
`,
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::instruction::{AccountMeta, Instruction};
use anchor_lang::solana_program::program::invoke;
use anchor_spl::token::TokenAccount;

#[program]
pub mod flash {
    use super::*;

    pub fn lend(ctx: Context<Lend>, amount: u64) -> Result<()> {
        let before = ctx.accounts.vault.amount;
        let accounts = vec![AccountMeta::new(ctx.accounts.vault.key(), false)];
        let data = amount.to_le_bytes().to_vec();
        let callback = Instruction { program_id: ctx.accounts.receiver.key(), accounts, data };
        invoke(&callback, &[ctx.accounts.vault.to_account_info(), ctx.accounts.receiver.to_account_info()])?;
        ctx.accounts.vault.reload()?;
        require!(ctx.accounts.vault.amount >= before, FlashError::Unpaid);
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Lend<'info> {
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    /// CHECK: called
    pub receiver: UncheckedAccount<'info>,
}

#[error_code]
pub enum FlashError {
    Unpaid,
}
`,
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::program::invoke_signed;
use metadata::instructions::TransferBuilder;

#[program]
pub mod auctions {
    use super::*;
    pub fn hand_over(ctx: Context<HandOver>, amount: u64) -> Result<()> {
        let transfer = TransferBuilder::new()
            .token(ctx.accounts.token.key())
            .authority(ctx.accounts.hall.key())
            .build(amount)
            .unwrap()
            .instruction();
        let infos = [ctx.accounts.token.to_account_info(), ctx.accounts.hall.to_account_info()];
        invoke_signed(&transfer, &infos, &[&[b"hall", &[ctx.bumps.hall]]])?;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct HandOver<'info> {
    /// CHECK: moved
    #[account(mut)]
    pub token: UncheckedAccount<'info>,
    /// CHECK: signs
    #[account(seeds = [b"hall"], bump)]
    pub hall: UncheckedAccount<'info>,
    pub caller: Signer<'info>,
}
`,
      // A builder that receives only what the program is told fixes the program.
      `use anchor_lang::prelude::*;
use solana_program::program::invoke;

#[program]
pub mod log {
    use super::*;
    pub fn note(ctx: Context<Note>, event: Event) -> Result<()> {
        invoke(&spl_noop::instruction(event.try_to_vec()?), &[ctx.accounts.noop.to_account_info()])?;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Note<'info> {
    /// CHECK: only called
    pub noop: UncheckedAccount<'info>,
}

#[derive(AnchorSerialize, AnchorDeserialize)]
pub struct Event { pub units: u64 }
`,
    ],
  },
}

/** How an account's state is read, with the state, and what is checked, in order: computed once for all calls. */
const readsAndChecks = ({ events, walk }: Instruction): ReadonlyArray<AccountRead | CheckEvent> =>
  events.flatMap((event): ReadonlyArray<AccountRead | CheckEvent> => {
    if (event.kind === "check") return [event]
    if (event.kind !== "call") return none
    const { order } = event
    const { term } = event.result
    const isRead = term.kind === "call" && term.name === "state"
    if (!isRead && event.name !== "reload") return none
    const [account] = isRead ? term.args : []
    const reloaded = event.name === "reload" ? event.args[0]?.term : undefined
    return [
      ...(account === undefined ? [] : [{ order, account, state: term }]),
      ...(reloaded === undefined ? [] : [{ order, account: reloaded, state: stateOf(walk.terms, reloaded) }]),
    ]
  })

const none: ReadonlyArray<AccountRead> = []

interface AccountRead {
  readonly order: number
  readonly account: Term
  readonly state: Term
}

/**
 * A callback, as for a flash loan: an account that was passed is read again after the call, and the instruction fails
 * unless it holds enough. Nothing is signed for the callee that the caller could not sign directly.
 */
const isVerifiedAfterwards = (reads: ReturnType<typeof readsAndChecks>, call: CallEvent): boolean => {
  const given = everySubterm(call.args.map((one) => one.term))
  const readAgain = new Set<Term>()
  for (const one of reads) {
    if (one.order <= call.order) continue
    if ("state" in one) {
      if (given.has(one.account)) readAgain.add(one.state)
    } else if (one.conditions.some((fact) => isBound(fact) && mentions(fact, (inner) => readAgain.has(inner))))
      return true
  }
  return false
}

const isBound = (term: Term): boolean => term.kind === "binary" && term.operator !== "!="

/** Whether something is recorded or paid that supposes that the called program did what it should. */
const reliesOnCalls = oncePer(
  (instruction: Instruction): boolean =>
    signedCpisOf(instruction).length > 0 ||
    instruction.accounts.some(
      (one) => one.constraints?.init === true || usesOf(instruction, one).some(({ kind }) => kind.endsWith("-write")),
    ),
)

const movesTokens = (event: CallEvent): boolean => {
  const cpi = cpiOf(event)
  return cpi !== undefined && movesValue(cpi)
}
