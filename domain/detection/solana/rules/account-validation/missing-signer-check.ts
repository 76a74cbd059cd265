import type { Rule } from "../../../Rule.ts"
import type { CallEvent, Event, Value } from "../../../rust/events.ts"
import { mentions, rootOf, type Term } from "../../../rust/terms.ts"
import { movesValue } from "../../cpi.ts"
import { isCreated } from "../../creation.ts"
import { isTokenAccountType, readType } from "../../identity.ts"
import type { Account, Instruction, SolanaProgram } from "../../model.ts"
import { isBeneficiary, isPaid } from "../../payees.ts"
import { checksSomewhere, checksWhenDone, cpisOf, isMutating, isTrusted, usesOf } from "../../questions.ts"
import { accountOfState, keyOf, stateOf } from "../../semantics.ts"
import { structOf } from "../../relations.ts"
import { isSignedFor, roleOf, signedCpisOf } from "../../signedCpi.ts"
import { isAnchored, tiesOf } from "../../ties.ts"

/** Names of accounts and of stored keys that stand for whoever may act. */
const authority =
  /(^|_)(authority|owner|admin|manager|operator|guardian|creator|delegate|signer|user|payer|maker|initializer)$/

/** Parties of a deal: where nobody signs at all, what is stored of them stands for their consent. */
const party =
  /(^|_)(seller|buyer|lister|lender|borrower|staker|depositor|funder|grantor|proposer|governor|council|keeper|minter)$/

const lastPart = (name: string): string =>
  name
    .split(".")
    .at(-1)!
    .replace(/_(info|account|acc|ai)$/, "")

const isUnchecked = ({ wrapper }: Account): boolean => wrapper === "raw" || wrapper === "system"

const signs = (instruction: Instruction, account: Account): boolean =>
  checksWhenDone(instruction, account).some(({ kind }) => kind === "signer")

/** `AccountMeta::new(key, true)` and its like. */
const isSigningMeta = (event: Event, key: Term): boolean => {
  if (event.kind !== "call" || !/(^|::)AccountMeta::\w+$/.test(event.path)) return false
  const [first, second] = event.args
  if (first?.term !== key) return false
  return /signer/.test(event.name) || (second?.term.kind === "literal" && second.term.value === "true")
}

/** The runtime demands the signature itself where another program is asked to act for the account. */
const signsForCpi = (instruction: Instruction, account: Account): boolean =>
  instruction.events.some((event) => isSigningMeta(event, keyOf(instruction.walk.terms, account.term))) ||
  cpisOf(instruction).some(({ accounts, args }) => {
    const named = accounts.some(({ name, term }) => authority.test(name) && term === account.term)
    const built = args.some((one) => one.kind === "field" && one.name === "key" && one.base === account.term)
    return named || built
  })

/** A key in the state of an account that only this program writes, not the owner of some token account. */
const isOwnState = (instruction: Instruction, key: Term): boolean => {
  const holder = instruction.accounts.find((one) =>
    mentions(key, (inner) => inner === stateOf(instruction.walk.terms, one.term)),
  )
  if (holder === undefined) return true
  if (
    instruction.kind === "native" &&
    usesOf(instruction, holder).some(({ event }) => isTokenAccountType(readType(event)))
  )
    return false
  if (instruction.kind === "native")
    return checksWhenDone(instruction, holder).some(({ kind }) => kind === "owner" || kind === "pda" || kind === "key")
  return holder.state?.kind !== "named" || !/^(TokenAccount|Mint)$/.test(holder.state.name)
}

/** What is done to an account, or to its key, without using it. */
const passive =
  /^(key|clone|to_account_info|as_ref|as_key_ref|deref|borrow|eq|ne|to_bytes|to_string|into|cmp|some|from|from_ref)$|!$/

const isPassive = (event: Event): boolean => event.kind === "call" && passive.test(event.name)

/** Its address is compared, and nothing else is done with it: it can only be there to agree. */
const servesAsIdentity = (instruction: Instruction, account: Account): boolean => {
  const about = ({ term }: Value): boolean => mentions(term, (one) => one === account.term)
  return !instruction.events.some(
    (event) =>
      (event.kind === "call" && !isPassive(event) && !isComparison(event) && event.args.some(about)) ||
      (event.kind === "assign" && (about(event.target) || about(event.value))) ||
      (event.kind === "read" && event !== account.taken && about(event.value) && event.value.term !== account.term) ||
      (event.kind === "struct" && event.value.term.kind === "struct" && isKeyStored(event.value.term, account.term)),
  )
}

const isComparison = ({ result, target }: CallEvent): boolean =>
  target !== undefined || result.term.kind === "binary" || result.term.kind === "not"

const isForeignCall = /(^|::)(Instruction|AccountMeta|CpiContext)$/

/** A struct that records the account's address, other than an instruction for another program. */
const isKeyStored = (struct: Term, account: Term): boolean =>
  struct.kind === "struct" &&
  !isForeignCall.test(struct.path) &&
  struct.fields.some(([, value]) => value !== account && mentions(value, (one) => one === account))

/** Its address is noted in a record, which Anchor creates here, and nothing is done with it. */
const isRecordedOnly = (instruction: Instruction, account: Account): boolean => {
  const opens = instruction.accounts.some((one) => one !== account && isCreated(instruction, one))
  if (!opens && instruction.kind === "anchor") return false
  const about = (term: Term): boolean => mentions(term, (one) => one === account.term)
  const key = keyOf(instruction.walk.terms, account.term)
  const handsOn = (term: Term): boolean =>
    term === account.term ||
    term === key ||
    (term.kind === "list" && term.elements.some(handsOn)) ||
    (term.kind === "struct" && isForeignCall.test(term.path) && about(term))
  let recorded = false
  for (const event of instruction.events) {
    if (event.kind === "assign" && about(event.target.term)) return false
    if (event.kind === "assign" && about(event.value.term)) recorded = true
    if (event.kind !== "call" || isPassive(event) || event.target !== undefined) continue
    if (event.args.some(({ term }) => handsOn(term))) return false
    recorded ||= event.args.some(({ term }) => isKeyStored(term, account.term))
  }
  return recorded
}

/** Its address has to be in a list that the program keeps, as those of a multisig's members. */
const isMember = (instruction: Instruction, account: Account): boolean =>
  usesOf(instruction, account).length === 0 &&
  checksWhenDone(instruction, account).some(
    ({ kind, against, fact }) =>
      kind === "key" &&
      fact.kind === "call" &&
      against !== undefined &&
      isTrusted(against) &&
      isOwnState(instruction, against),
  )

const searches = /search|contains|position|find|^any$|is_member/

/** Its address is looked for in what an account of the program stores, and nothing else is done with it. */
const isListed = (instruction: Instruction, account: Account): boolean => {
  if (usesOf(instruction, account).length > 0) return false
  const { terms, success } = instruction.walk
  const key = keyOf(terms, account.term)
  const states = new Set(
    instruction.accounts.flatMap((one) =>
      one !== account && structOf(instruction, one) !== undefined ? [stateOf(terms, one.term)] : [],
    ),
  )
  for (const fact of success)
    if (
      fact.kind !== "binary" &&
      mentions(fact, (one) => one.kind === "call" && searches.test(one.name)) &&
      mentions(fact, (one) => one === key) &&
      mentions(fact, (one) => states.has(one))
    )
      return true
  return false
}

/** A program that is called, or that is to own something: it cannot sign. */
const isProgram = (instruction: Instruction, account: Account): boolean =>
  instruction.kind === "native" &&
  (/program(_id)?$/.test(lastPart(account.name)) ||
    usesOf(instruction, account).some(({ kind }) => kind === "cpi-program"))

/** The program pays under an address that is made from this account's: from what is kept for it. */
const namesPayer = (instruction: Instruction, account: Account): boolean => {
  const key = keyOf(instruction.walk.terms, account.term)
  return (
    instruction.kind === "native" &&
    usesOf(instruction, account).every(({ kind }) => kind === "cpi-account") &&
    !checksWhenDone(instruction, account).some(({ kind }) => kind !== "distinct") &&
    // Whoever pays in or burns with a signature of their own makes an exchange.
    !cpisOf(instruction).some((cpi) => !isSignedFor(instruction, cpi) && movesValue(cpi)) &&
    !instruction.events.some(
      (event) => event.kind === "call" && event.args.some(({ term }) => accountOfState(term) === account.term),
    ) &&
    signedCpisOf(instruction).some(
      (cpi) => movesValue(cpi) && roleOf(cpi, "from") !== undefined && mentions(cpi.signerSeeds, (one) => one === key),
    )
  )
}

/** Why an unsigned account seems to authorise; undefined where nothing says so. */
const evidence = (instruction: Instruction, account: Account, hasSigner: boolean): string | undefined => {
  if (isBeneficiary(instruction, account)) return undefined
  const alone = !hasSigner && servesAsIdentity(instruction, account)
  const compared = checksWhenDone(instruction, account).some(
    ({ kind, against }) =>
      kind === "key" &&
      against?.kind === "field" &&
      (authority.test(against.name) ||
        (!hasSigner && party.test(against.name)) ||
        (alone && isMutating(instruction))) &&
      isTrusted(against) &&
      isOwnState(instruction, against),
  )
  if (compared && !(hasSigner && isPaid(instruction, account))) return "compared with a stored key"
  if (!hasSigner && isMutating(instruction) && isMember(instruction, account)) return "one of a stored list"
  if (!hasSigner && namesPayer(instruction, account)) return "in the seeds that the program pays with"
  if (!authority.test(lastPart(account.name)) || isRecordedOnly(instruction, account)) return undefined
  const used = instruction.events.some(
    (event) =>
      (event.kind === "call" && event.args.some(({ term }) => mentions(term, (one) => one === account.term))) ||
      (event.kind === "assign" && mentions(event.value.term, (one) => one === account.term)),
  )
  return used || isMutating(instruction) ? "named as an authority" : undefined
}

const isSeed = (instruction: Instruction, account: Account): boolean =>
  [...instruction.walk.success].some((fact) =>
    mentions(
      fact,
      (one) =>
        one.kind === "call" &&
        one.name.endsWith("program_address") &&
        mentions(one, (inner) => inner === keyOf(instruction.walk.terms, account.term)),
    ),
  ) ||
  instruction.events.some(
    (event) =>
      event.kind === "call" &&
      /(find|create)_program_address$/.test(event.name) &&
      event.args.some(({ term }) => mentions(term, (one) => one === account.term)),
  )

const isDerivedFrom = (instruction: Instruction, record: Account, account: Account): boolean => {
  const key = keyOf(instruction.walk.terms, account.term)
  return checksWhenDone(instruction, record).some(
    ({ kind, against }) => kind === "pda" && against !== undefined && mentions(against, (one) => one === key),
  )
}

/** What the caller passes replaces what is stored in an account at an address made from this one's. */
const setsRecord = (instruction: Instruction, account: Account): boolean =>
  instruction.accounts.some(
    (record) =>
      !isCreated(instruction, record) &&
      record.constraints?.init !== true &&
      record.constraints?.initIfNeeded !== true &&
      isDerivedFrom(instruction, record, account) &&
      instruction.events.some(
        (event) =>
          event.kind === "assign" &&
          event.operator === "=" &&
          accountOfState(event.target.term) === record.term &&
          instruction.arguments.some(({ term }) => term === rootOf(event.value.term)),
      ),
  )

const isOpenedFor = (instruction: Instruction, account: Account): boolean =>
  instruction.accounts.some(
    (record) => record.constraints?.init === true && isDerivedFrom(instruction, record, account),
  )

/** A function that the walk had no steps left for is given the account. */
const isOutOfSight = (instruction: Instruction, account: Account): boolean =>
  instruction.walk.truncated &&
  instruction.events.some(
    (event) =>
      event.kind === "call" &&
      event.target?.item.body !== undefined &&
      event.args.some(({ term }) => mentions(term, (one) => one === account.term)),
  )

const signing = new WeakMap<Instruction, ReadonlySet<Account>>()

const signersIn = (instruction: Instruction): ReadonlySet<Account> => {
  let signers = signing.get(instruction)
  if (signers === undefined) {
    signers = new Set(instruction.accounts.filter((one) => signs(instruction, one)))
    signing.set(instruction, signers)
  }
  return signers
}

/** What says of an account that nothing requires to sign that it should; undefined of all others. */
export const whyItShouldSign = (instruction: Instruction, account: Account): string | undefined => {
  const signers = signersIn(instruction)
  if (!isUnchecked(account) || signers.has(account) || signsForCpi(instruction, account)) return undefined
  if (checksWhenDone(instruction, account).some(({ kind }) => kind === "pda")) return undefined
  if (isProgram(instruction, account)) return undefined
  const why =
    evidence(instruction, account, signers.size > 0) ??
    (isMutating(instruction) &&
    isListed(instruction, account) &&
    !isBeneficiary(instruction, account) &&
    ![...signers].some(
      (one) => isAnchored(instruction, one) || tiesOf(instruction).isAsked(one) || isListed(instruction, one),
    )
      ? "one of a stored list"
      : undefined)
  if (why === undefined) return undefined
  // Asked for on some paths only: the others are meant to be open.
  if (checksSomewhere(instruction, account).some(({ kind }) => kind === "signer")) return undefined
  if (why === "named as an authority") {
    // With a name only, another signer may well be the one who authorizes.
    if (signers.size > 0) return undefined
    // A record that is opened for somebody, at an address made from theirs, need not be opened by them.
    if (isSeed(instruction, account) && !setsRecord(instruction, account)) return undefined
  }
  // Opened for somebody, and paid for, by whoever signs.
  if (why !== "one of a stored list" && signers.size > 0 && isOpenedFor(instruction, account)) return undefined
  return isOutOfSight(instruction, account) ? undefined : why
}

export const missingSignerCheck: Rule<SolanaProgram> = {
  meta: {
    id: "solana/account-validation/missing-signer-check",
    class: "missing-signer",
    title: "Authority account is not required to sign",
    severity: "critical",
    confidence: "high",
    cwe: [862, 345],
    description:
      "The instruction trusts an account as an authority by its address alone. Addresses are public: anyone can list the authority's account in a transaction without its owner's consent, and the program then acts as if the owner had agreed.",
    remediation:
      "Declare the account as `Signer<'info>`, add `#[account(signer)]`, or return an error unless `is_signer` is true before acting on its behalf.",
    references: [
      "https://github.com/coral-xyz/sealevel-attacks/tree/master/programs/0-signer-authorization",
      "https://solana.com/developers/courses/program-security/signer-auth",
    ],
  },
  examples: {
    vulnerable: [
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
    ],
    safe: [
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
    ],
  },
  check: (program, report) => {
    for (const { instructions } of program.crates)
      for (const instruction of instructions)
        for (const account of instruction.accounts) {
          const why = whyItShouldSign(instruction, account)
          if (why === undefined) continue
          report({
            ...account.place,
            scope: instruction.handler.qualifiedName,
            message: `Nothing requires \`${account.name}\` to sign \`${instruction.name}\`, although it is ${why}.`,
            ...(isMutating(instruction) ? {} : { confidence: "medium" as const }),
          })
        }
  },
}
