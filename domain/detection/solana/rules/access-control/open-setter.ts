import type { AssignEvent, Value } from "../../../rust/terms/events.ts"
import { elementType, type RustType } from "../../../rust/crate/types.ts"
import { mentions, type Term } from "../../../rust/terms/terms.ts"
import type { Rule } from "../../../Rule.ts"
import { isAddressType } from "../../accountTypes.ts"
import { isAuthorized, signersOf, storedKeys } from "../../authorization.ts"
import { isCreated } from "../../creation.ts"
import { placeOf, readType } from "../../identity.ts"
import type { Account, Instruction, SolanaCrate, SolanaProgram } from "../../model.ts"
import { checksSomewhere, checksWhenDone, isFromCaller, isTrusted, usesOf } from "../../questions.ts"
import { operandsOf } from "../../quantities.ts"
import { isGlobal } from "../../singleton.ts"
import { askedToSign } from "../../signatures.ts"
import { accountOfState, dataOf, keyOf, lamportsOf, stateOf } from "../../semantics.ts"

export const openSetter: Rule<SolanaProgram> = {
  meta: {
    id: "solana/access-control/open-setter",
    class: "missing-access-control",
    title: "Anyone can change the configuration or withdraw the funds",
    severity: "critical",
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
      for (const instruction of crate.instructions)
        for (const account of instruction.accounts) {
          const { constraints } = account
          if (constraints?.init || constraints?.initIfNeeded || constraints?.zero) continue
          const native = instruction.kind === "native"
          if (!native && account.wrapper !== "state" && account.wrapper !== "loader") continue
          const copies = native ? writtenBack(instruction, account) : new Map<Term, Value>()
          const copyOf = ({ term }: Value): Value | undefined =>
            term.kind === "field" ? copies.get(term.base) : undefined
          const event = instruction.events.find(
            (one) =>
              one.kind === "assign" &&
              (((accountOfState(one.target.term) === account.term || copyOf(one.target) !== undefined) &&
                (setsFromCaller(instruction, one) ||
                  setsMember(crate, instruction, account, one) ||
                  flips(instruction, account, one))) ||
                paysOut(instruction, account, one)),
          )
          if (event === undefined) continue
          const read = usesOf(instruction, account).find(({ kind }) => kind === "deserialize")?.event
          const type = native && read !== undefined ? readType(read) : account.state
          const types = [type, ...[...copies.values()].map((one) => one.type)]
          if (types.every((one) => one === undefined || storedKeys(crate, account, one).length === 0)) continue
          if (
            event.kind !== "assign" ||
            signersOf(instruction).includes(account) ||
            isAuthorized(instruction, account) ||
            isAskedFor(instruction) ||
            isConsidered(instruction, account, event)
          )
            continue
          if (native && isCreated(instruction, account)) continue
          // An authority that whoever comes last writes into the account is its re-initialization.
          if (native && setsSigner(instruction, event) && !isTold(instruction, account)) continue
          // An authority that need not sign is reported as that.
          if (
            signersOf(instruction).length === 0 &&
            instruction.accounts.some((one) => one.wrapper === "raw" && storedKeys(crate, account).includes(one.name))
          )
            continue
          report({
            ...placeOf(event),
            message: paysOut(instruction, account, event)
              ? `\`${instruction.name}\` lets anyone take lamports from \`${account.name}\`.`
              : `\`${instruction.name}\` lets anyone change \`${account.name}\`.`,
          })
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
    ],
    safe: [
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
    ],
  },
}

/** A field of it was compared with a literal or a constant: it has been set before. */
const isTold = (instruction: Instruction, account: Account): boolean =>
  checksWhenDone(instruction, account).some(
    ({ kind, against, fact }) =>
      (kind === "state" || kind === "data") &&
      (against?.kind === "literal" || against?.kind === "constant") &&
      fact.kind === "binary" &&
      fact.operator === "==" &&
      !(against.kind === "literal" && /^(0|false)$/.test(against.value)) &&
      !isBlank(against),
  )

const setsSigner = (instruction: Instruction, { value }: AssignEvent): boolean =>
  signersOf(instruction).some(({ term }) => value.term === keyOf(instruction.walk.terms, term))

/** The address of an account of a native program about which nothing is known. */
const isAnyAddress = (instruction: Instruction, term: Term): boolean =>
  instruction.kind === "native" &&
  instruction.accounts.some(
    (one) => term === keyOf(instruction.walk.terms, one.term) && checksWhenDone(instruction, one).length === 0,
  )

/** Whom a list names, the caller decides. */
const setsMember = (crate: SolanaCrate, instruction: Instruction, account: Account, event: AssignEvent): boolean =>
  (event.operator === "push" || event.operator === "remove") &&
  namesAccounts(crate, account, event.target.type) &&
  isChosenFrom(instruction, event)

/** Something the caller chose replaces what the account says: an argument, or the address of whoever signs. */
const setsFromCaller = (instruction: Instruction, event: AssignEvent): boolean => {
  if (event.operator !== "=") return false
  const { term: value } = event.value
  const { term: target } = event.target
  const signers = signersOf(instruction).map(({ term }) => keyOf(instruction.walk.terms, term))
  const chosen = (one: Term): boolean =>
    isFromCaller(instruction, one) || signers.includes(one) || isAnyAddress(instruction, one)
  if (target.kind === "field") return chosen(value) && !isStep(value, target)
  // All of it at once: `set_inner(Config { … })`.
  return value.kind === "struct" && value.fields.some(([, one]) => chosen(one))
}

/** A list of addresses, or of records that have one each: owners, members, operators. */
const namesAccounts = (crate: SolanaCrate, account: Account, list: RustType): boolean => {
  const element = elementType(list)
  return isAddressType(element) || storedKeys(crate, account, element).length > 0
}

/** Who is added to the list, or which of it are taken out, is the caller's choice. */
const isChosenFrom = (instruction: Instruction, { operator, value }: AssignEvent): boolean =>
  isFromCaller(instruction, value.term) ||
  (operator === "remove" && value.closure !== undefined && instruction.arguments.length > 0)

/** What goes up or down from where it was is an account, not a setting: a balance, a rolling sum. */
const isStep = (value: Term, target: Term): boolean => mentions(value, (one) => one === target)

/** A switch that there is one of for everybody: `config.paused = !config.paused`. */
const flips = (instruction: Instruction, account: Account, event: AssignEvent): boolean => {
  const { term: value } = event.value
  return (
    event.target.term.kind === "field" &&
    ((value.kind === "not" && value.operand === event.target.term) ||
      (value.kind === "literal" && value.type === "boolean")) &&
    isGlobal(instruction, account)
  )
}

/** Somebody whom nothing ties to the program is paid. */
const paysStranger = (instruction: Instruction): boolean =>
  instruction.accounts.some(
    (one) =>
      usesOf(instruction, one).some(
        ({ kind, event }) => kind === "lamports-write" && event.kind === "assign" && event.operator === "+",
      ) && !checksWhenDone(instruction, one).some(({ kind }) => kind === "key" || kind === "pda"),
  )

/** Lamports leave the account: as many as the caller says, or as it holds for somebody. */
const paysOut = (instruction: Instruction, account: Account, event: AssignEvent): boolean =>
  event.target.term === lamportsOf(instruction.walk.terms, account.term) &&
  (isFromCaller(instruction, event.value.term) ||
    (mentions(event.value.term, (one) => one === stateOf(instruction.walk.terms, account.term)) &&
      paysStranger(instruction))) &&
  (event.operator === "-" || (event.operator === "=" && operandsOf(event.value.term, "sub") !== undefined))

const isOrdered = (fact: Term, { target, value }: AssignEvent): boolean =>
  fact.kind === "binary" &&
  /^<=?$/.test(fact.operator) &&
  [fact.left, fact.right].includes(target.term) &&
  [fact.left, fact.right].some((one) => one !== target.term && mentions(one, (inner) => inner === value.term))

/** The state that accounts are in before anybody has set them: what is opened here has nobody to ask. */
const isBlank = (term: Term): boolean => term.kind === "constant" && /^un_?init/i.test(term.name)

/** `if account.is_initialized()? { return Err(…) }`, however the method tells. */
const asksWhetherBlank = (instruction: Instruction, account: Account): boolean => {
  const state = stateOf(instruction.walk.terms, account.term)
  // That it is in use already is no reason why anyone may change it.
  const isUsed = [...instruction.walk.success].some(
    (fact) => saysInitialized(fact) && mentions(fact, (one) => one === state),
  )
  return (
    !isUsed &&
    instruction.events.some(
      (event) => event.kind === "call" && /^is_?init/.test(event.name) && event.args[0]?.term === state,
    )
  )
}

const saysInitialized = (fact: Term): boolean =>
  fact.kind === "call" ? /^is_?init/.test(fact.name) : fact.kind === "succeeded"

/** What the caller brings is held against what is there: nobody else is given who could be asked. */
const isWeighed = (instruction: Instruction, state: Term): boolean =>
  [...instruction.walk.success].some(
    (fact) => fact.kind !== "succeeded" && isFromCaller(instruction, fact) && mentions(fact, (one) => one === state),
  )

/** What is written back into an account: a native program changes a copy of its state first. */
const writtenBack = (instruction: Instruction, account: Account): ReadonlyMap<Term, Value> => {
  const data = dataOf(instruction.walk.terms, account.term)
  return new Map(
    instruction.events.flatMap((event) =>
      event.kind === "call" &&
      /^(serialize|pack|pack_into_slice|try_serialize)$/.test(event.name) &&
      event.args.slice(1).some(({ term }) => mentions(term, (one) => one === data))
        ? [[event.args[0]!.term, event.args[0]!] as const]
        : [],
    ),
  )
}

/** The state is compared with something that is not from the caller: a phase, an owner, a limit. */
const isConsidered = (instruction: Instruction, account: Account, written: AssignEvent): boolean => {
  const state = stateOf(instruction.walk.terms, account.term)
  if (asksWhetherBlank(instruction, account)) return true
  if (instruction.kind === "native" && signersOf(instruction).length === 0 && instruction.accounts.length === 1)
    return isWeighed(instruction, state)
  const about = [...checksWhenDone(instruction, account), ...checksSomewhere(instruction, account)]
  return about.some(
    ({ kind, fact }) =>
      kind === "initialized" ||
      kind === "call" ||
      (kind === "state" && fact.kind === "binary" && [fact.left, fact.right].some(isBlank)) ||
      (fact.kind === "not" && mentions(fact, (one) => one.kind === "call" && /^is_?init/.test(one.name))) ||
      // The higher bid wins: what is there is compared with what comes.
      (kind === "state" && isOrdered(fact, written)) ||
      (kind === "state" &&
        instruction.accounts.some((one) =>
          mentions(fact, (inner) => inner === keyOf(instruction.walk.terms, one.term)),
        )) ||
      (kind === "state" && fact.kind !== "binary" && !saysInitialized(fact) && mentions(fact, (one) => one === state)),
  )
}

/**
 * Either the creator or an operator may: each path compares whoever signs with what is stored, no fact holds on both; or
 * who does not sign need not be compared.
 */
const isAskedFor = (instruction: Instruction): boolean => {
  const keysOf = (accounts: Iterable<Account>): ReadonlyArray<Term> =>
    [...accounts].map(({ term }) => keyOf(instruction.walk.terms, term))
  const signers = keysOf(signersOf(instruction))
  const asked = keysOf(askedToSign(instruction)).filter((one) => !signers.includes(one))
  const compares = (keys: ReadonlyArray<Term>, one: Term): boolean =>
    one.kind === "binary" &&
    one.operator === "==" &&
    ((keys.includes(one.left) && isTrusted(one.right)) || (keys.includes(one.right) && isTrusted(one.left)))
  return instruction.events.some(
    (event) =>
      event.kind === "check" &&
      event.conditions.some((one) => compares(signers, one) || mentions(one, (part) => compares(asked, part))),
  )
}
