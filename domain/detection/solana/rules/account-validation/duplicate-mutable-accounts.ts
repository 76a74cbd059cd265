import type { Event } from "../../../rust/terms/events.ts"
import type { Term } from "../../../rust/terms/terms.ts"
import { oncePer } from "../../../oncePer.ts"
import type { Rule } from "../../../Rule.ts"
import type { Severity } from "../../../../finding/Severity.ts"
import { readType } from "../../questions/identity.ts"
import { type Account, type AccountCheck, type Instruction, type SolanaProgram } from "../../program/model.ts"
import { checksAround, checksWhenDone, usesOf } from "../../questions/questions.ts"
import { accountOfState, keyOf, stateOf } from "../../program/semantics.ts"
import { isTokenType } from "../../ties/ties.ts"
import { definitionOf } from "../../../rust/crate/types.ts"
import type { TypeDefinition } from "../../../rust/crate/crate.ts"

interface Written {
  readonly account: Account
  readonly type: TypeDefinition
  readonly event: Event
  /** See `checksWhenDone`. */
  readonly done: ReadonlyArray<AccountCheck>
  /** From reading to writing. */
  readonly spans: ReadonlyArray<readonly [from: number, to: number]>
}

export const duplicateMutable: Rule<SolanaProgram> = {
  meta: {
    id: "solana/account-validation/duplicate-mutable-accounts",
    class: "duplicate-mutable",
    title: "Duplicate mutable accounts",
    severity: "high",
    confidence: "medium",
    cwe: [694, 20],
    description:
      "The instruction changes two accounts of the same type without checking that they differ. An attacker " +
      "passes one account twice: each copy is changed separately and the copy written last wins, so a transfer " +
      "to oneself creates balance, or a penalty on one side is undone by the other.",
    remediation:
      "Compare the two addresses: `#[account(mut, constraint = a.key() != b.key())]` or `require_keys_neq!`. " +
      "Different seeds, or a relation that only one account can have, also work.",
    references: [
      "https://github.com/coral-xyz/sealevel-attacks/tree/master/programs/6-duplicate-mutable-accounts",
      "https://solana.com/developers/courses/program-security/duplicate-mutable-accounts",
    ],
  },
  check: (program, report) => {
    for (const { instructions } of program.crates)
      for (const instruction of instructions) {
        const written = writtenBy(instruction)
        for (const [index, latest] of written.entries()) {
          const { account, type } = latest
          const other = written
            .slice(0, index)
            .find((one) => one.type === type && !areDistinct(instruction, one, latest))
          if (other === undefined) continue
          report({
            ...account.place,
            scope: instruction.handler.qualifiedName,
            ...severityOf(instruction, other, latest),
            message: `\`${instruction.name}\` changes \`${other.account.name}\` and \`${account.name}\`, which may be the same account.`,
          })
        }
      }
  },
  examples: {
    vulnerable: [
      `use anchor_lang::prelude::*;

#[program]
pub mod points {
    use super::*;

    pub fn send(ctx: Context<Send>, amount: u64) -> Result<()> {
        let from = &mut ctx.accounts.from;
        from.balance = from.balance.checked_sub(amount).unwrap();
        let to = &mut ctx.accounts.to;
        to.balance = to.balance.checked_add(amount).unwrap();
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Send<'info> {
    #[account(mut, has_one = owner)]
    pub from: Account<'info, Points>,
    #[account(mut)]
    pub to: Account<'info, Points>, // FINDING
    pub owner: Signer<'info>,
}

#[account]
pub struct Points {
    pub owner: Pubkey,
    pub balance: u64,
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshDeserialize, BorshSerialize)]
pub struct Points {
    pub owner: Pubkey,
    pub balance: u64,
}

pub fn send(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let from_info = next_account_info(iter)?;
    let to_info = next_account_info(iter)?; // FINDING
    let owner = next_account_info(iter)?;
    if from_info.owner != program_id || to_info.owner != program_id || !owner.is_signer {
        return Err(ProgramError::IllegalOwner);
    }
    let mut from = Points::try_from_slice(&from_info.data.borrow())?;
    let mut to = Points::try_from_slice(&to_info.data.borrow())?;
    if from.owner != *owner.key {
        return Err(ProgramError::InvalidAccountData);
    }
    from.balance = from.balance.checked_sub(amount).ok_or(ProgramError::InsufficientFunds)?;
    to.balance = to.balance.checked_add(amount).ok_or(ProgramError::InsufficientFunds)?;
    from.serialize(&mut &mut from_info.data.borrow_mut()[..])?;
    to.serialize(&mut &mut to_info.data.borrow_mut()[..])?;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;

pub const FIRST: Pubkey = pubkey!("Stake11111111111111111111111111111111111111");
pub const SECOND: Pubkey = pubkey!("Vote111111111111111111111111111111111111111");

#[program]
pub mod books {
    use super::*;
    pub fn move_all(ctx: Context<Any>) -> Result<()> {
        // Of one kind is not apart.
        require!(ctx.accounts.from.mint == ctx.accounts.to.mint, ErrorCode::Same);
        ctx.accounts.to.coins += ctx.accounts.from.coins;
        ctx.accounts.from.coins = 0;
        Ok(())
    }
    pub fn match_bids(ctx: Context<Bids>) -> Result<()> {
        ctx.accounts.to.coins += ctx.accounts.from.coins;
        ctx.accounts.from.coins = 0;
        Ok(())
    }
    pub fn match_open(ctx: Context<HalfOpen>) -> Result<()> {
        ctx.accounts.to.coins += ctx.accounts.from.coins;
        ctx.accounts.from.coins = 0;
        Ok(())
    }
    pub fn match_others(ctx: Context<Others>) -> Result<()> {
        ctx.accounts.to.coins += ctx.accounts.from.coins;
        ctx.accounts.from.coins = 0;
        Ok(())
    }
    pub fn match_mixed(ctx: Context<Mixed>) -> Result<()> {
        ctx.accounts.to.coins += ctx.accounts.from.coins;
        ctx.accounts.from.coins = 0;
        Ok(())
    }
    pub fn match_sides(ctx: Context<Sides>) -> Result<()> {
        ctx.accounts.to.coins += ctx.accounts.from.coins;
        ctx.accounts.from.coins = 0;
        Ok(())
    }
    pub fn match_fixed(ctx: Context<Fixed>) -> Result<()> {
        ctx.accounts.to.coins += ctx.accounts.from.coins;
        ctx.accounts.from.coins = 0;
        Ok(())
    }
    // Where only one of them is written unless they differ, nothing is written twice.
    pub fn pay_out(ctx: Context<ToPay>) -> Result<()> {
        if ctx.accounts.from.key() != ctx.accounts.to.key() {
            ctx.accounts.to.coins += 1;
        }
        ctx.accounts.from.coins = 0;
        Ok(())
    }
    pub fn pay_in(ctx: Context<ToPay>) -> Result<()> {
        if ctx.accounts.from.key() != ctx.accounts.to.key() {
            ctx.accounts.from.coins -= 1;
        }
        ctx.accounts.to.coins = 0;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Any<'info> {
    #[account(mut)]
    pub from: Account<'info, Book>,
    #[account(mut)]
    pub to: Account<'info, Book>, // FINDING
}

#[derive(Accounts)]
pub struct Bids<'info> {
    #[account(mut, constraint = from.side == 1)]
    pub from: Account<'info, Book>,
    #[account(mut, constraint = to.side == 1)]
    pub to: Account<'info, Book>, // FINDING
}

#[derive(Accounts)]
pub struct HalfOpen<'info> {
    #[account(mut, constraint = from.side == 1)]
    pub from: Account<'info, Book>,
    #[account(mut)]
    pub to: Account<'info, Book>, // FINDING
}

#[derive(Accounts)]
pub struct Others<'info> {
    #[account(mut, constraint = from.side != 1)]
    pub from: Account<'info, Book>,
    #[account(mut, constraint = to.side != 2)]
    pub to: Account<'info, Book>, // FINDING
}

#[derive(Accounts)]
pub struct Mixed<'info> {
    #[account(mut, constraint = from.side == 1)]
    pub from: Account<'info, Book>,
    #[account(mut, constraint = to.tier == 2)]
    pub to: Account<'info, Book>, // FINDING
}

#[derive(Accounts)]
pub struct Sides<'info> {
    #[account(mut, constraint = from.side == 7)]
    pub from: Account<'info, Book>,
    #[account(mut, constraint = 8 == to.side)]
    pub to: Account<'info, Book>,
}

#[derive(Accounts)]
pub struct Fixed<'info> {
    #[account(mut, address = FIRST)]
    pub from: Account<'info, Book>,
    #[account(mut, address = SECOND)]
    pub to: Account<'info, Book>,
}

#[derive(Accounts)]
pub struct ToPay<'info> {
    #[account(mut)]
    pub from: Account<'info, Book>,
    #[account(mut)]
    pub to: Account<'info, Book>,
}

#[account]
pub struct Book {
    pub mint: Pubkey,
    pub side: u8,
    pub tier: u8,
    pub coins: u64,
}

#[error_code]
pub enum ErrorCode {
    Same,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod books {
    use super::*;
    pub fn cross(ctx: Context<Cross>, amount: u64, sides: Sides) -> Result<()> {
        // Two sides that the caller names may be the same.
        require!(ctx.accounts.bid.side == sides.from && ctx.accounts.ask.side == sides.to, ErrorCode::Amount);
        ctx.accounts.bid.coins -= amount;
        ctx.accounts.ask.coins += amount;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Cross<'info> {
    #[account(mut, has_one = owner)]
    pub bid: Account<'info, Book>,
    #[account(mut)]
    pub ask: Account<'info, Book>, // FINDING
    pub owner: Signer<'info>,
}

#[account]
pub struct Book {
    pub owner: Pubkey,
    pub side: u64,
    pub coins: u64,
}

#[derive(AnchorSerialize, AnchorDeserialize, Clone)]
pub struct Sides {
    pub from: u64,
    pub to: u64,
}

#[error_code]
pub enum ErrorCode {
    Amount,
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{Mint, TokenAccount};

#[program]
pub mod lots {
    use super::*;

    pub fn merge(ctx: Context<Merge>) -> Result<()> {
        let size = ctx.accounts.source.size;
        ctx.accounts.source.size = 0;
        ctx.accounts.target.size += size;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Merge<'info> {
    pub owner: Signer<'info>,
    pub ticket: Account<'info, Mint>,
    #[account(token::mint = ticket, token::authority = owner, constraint = held.amount == 1)]
    pub held: Account<'info, TokenAccount>,
    #[account(mut, seeds = [b"lot", ticket.key().as_ref()], bump)]
    pub source: Account<'info, Lot>,
    #[account(mut)]
    pub target: Account<'info, Lot>, // FINDING
    #[account(token::authority = target)]
    pub vault: Account<'info, TokenAccount>,
}

#[account]
pub struct Lot {
    pub size: u64,
}
`,
    ],
    safe: [
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Jar { pub coins: u64 }

fn change(program_id: &Pubkey, info: &AccountInfo, by: i64) -> ProgramResult {
    if info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    let mut jar = Jar::try_from_slice(&info.data.borrow())?;
    jar.coins = jar.coins.checked_add_signed(by).ok_or(ProgramError::InsufficientFunds)?;
    jar.serialize(&mut *info.data.borrow_mut())?;
    Ok(())
}

pub fn pour(program_id: &Pubkey, accounts: &[AccountInfo], amount: i64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let one = next_account_info(iter)?;
    let two = next_account_info(iter)?;
    // Each is read when the other has been written.
    change(program_id, one, -amount)?;
    change(program_id, two, amount)
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod pools {
    use super::*;

    pub fn trade(ctx: Context<Trade>, amount: u64) -> Result<()> {
        ctx.accounts.left.reserve = ctx.accounts.left.reserve.checked_add(amount).unwrap();
        ctx.accounts.right.reserve = ctx.accounts.right.reserve.checked_sub(amount).unwrap();
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Trade<'info> {
    #[account(mut)]
    pub left: Account<'info, Pool>,
    // What one account stores cannot differ from itself.
    #[account(mut, constraint = right.mint != left.mint)]
    pub right: Account<'info, Pool>,
    pub user: Signer<'info>,
}

#[account]
pub struct Pool { pub mint: Pubkey, pub reserve: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod points {
    use super::*;

    pub fn send(ctx: Context<Send>, amount: u64) -> Result<()> {
        ctx.accounts.check()?;
        ctx.accounts.from.balance -= amount;
        ctx.accounts.to.balance += amount;
        Ok(())
    }

    pub fn send_own(ctx: Context<SendOwn>, amount: u64) -> Result<()> {
        ctx.accounts.from.balance -= amount;
        ctx.accounts.to.balance += amount;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Send<'info> {
    #[account(mut)]
    pub from: Account<'info, Points>,
    #[account(mut)]
    pub to: Account<'info, Points>,
}

impl<'info> Send<'info> {
    fn check(&self) -> Result<()> {
        require_keys_neq!(self.from.key(), self.to.key());
        Ok(())
    }
}

#[derive(Accounts)]
pub struct SendOwn<'info> {
    #[account(mut, seeds = [b"checking", owner.key().as_ref()], bump)]
    pub from: Account<'info, Points>,
    #[account(mut, seeds = [b"savings", owner.key().as_ref()], bump)]
    pub to: Account<'info, Points>,
    pub owner: Signer<'info>,
}

#[account]
pub struct Points {
    pub balance: u64,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod points {
    use super::*;

    pub fn open(ctx: Context<Open>, amount: u64) -> Result<()> {
        ctx.accounts.from.balance -= amount;
        ctx.accounts.to.balance = amount;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(mut)]
    pub from: Account<'info, Points>,
    #[account(init, payer = owner, space = 16)]
    pub to: Account<'info, Points>,
    #[account(mut)]
    pub owner: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Points {
    pub balance: u64,
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshDeserialize, BorshSerialize)]
pub struct Book {
    pub coins: u64,
}

// The second is read, changed and written before the first is read.
pub fn shift(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let first = next_account_info(iter)?;
    let second = next_account_info(iter)?;
    if first.owner != program_id || second.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    let mut to = Book::try_from_slice(&second.data.borrow())?;
    if first.data.borrow()[0] == 0 {
        return Err(ProgramError::UninitializedAccount);
    }
    to.coins += amount;
    to.serialize(&mut *second.data.borrow_mut())?;
    let mut from = Book::try_from_slice(&first.data.borrow())?;
    from.coins -= amount;
    from.serialize(&mut *first.data.borrow_mut())?;
    Ok(())
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, msg, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshDeserialize, BorshSerialize)]
pub struct Jar {
    pub coins: u64,
}

// The first is only looked at again while the second is being changed.
pub fn pour(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let first = next_account_info(iter)?;
    let second = next_account_info(iter)?;
    if first.owner != program_id || second.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    let mut from = Jar::try_from_slice(&first.data.borrow())?;
    from.coins -= amount;
    from.serialize(&mut *first.data.borrow_mut())?;
    let mut to = Jar::try_from_slice(&second.data.borrow())?;
    let left = Jar::try_from_slice(&first.data.borrow())?;
    msg!("{} left", left.coins);
    to.coins += amount;
    to.serialize(&mut *second.data.borrow_mut())?;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod books {
    use super::*;
    pub fn cross(ctx: Context<Cross>, amount: u64) -> Result<()> {
        require!(amount > 7 && amount != 8, ErrorCode::Amount);
        require!(ctx.accounts.bid.side == 7 && ctx.accounts.ask.side == 8, ErrorCode::Amount);
        ctx.accounts.bid.coins -= amount;
        ctx.accounts.ask.coins += amount;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Cross<'info> {
    #[account(mut, has_one = owner)]
    pub bid: Account<'info, Book>,
    #[account(mut)]
    pub ask: Account<'info, Book>,
    pub owner: Signer<'info>,
}

#[account]
pub struct Book {
    pub owner: Pubkey,
    pub side: u64,
    pub coins: u64,
}

#[error_code]
pub enum ErrorCode {
    Amount,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod lots {
    use super::*;

    pub fn merge(ctx: Context<Merge>) -> Result<()> {
        let size = ctx.accounts.source.size;
        ctx.accounts.source.size = 0;
        ctx.accounts.target.size += size;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Merge<'info> {
    pub owner: Signer<'info>,
    #[account(has_one = owner)]
    pub shelf: Account<'info, Shelf>,
    #[account(mut, seeds = [b"lot", owner.key().as_ref()], bump)]
    pub source: Account<'info, Lot>,
    #[account(mut, address = shelf.first)]
    pub target: Account<'info, Lot>,
}

#[account]
pub struct Shelf {
    pub owner: Pubkey,
    pub first: Pubkey,
}

#[account]
pub struct Lot {
    pub size: u64,
}
`,
    ],
  },
}

const severityOf = (instruction: Instruction, one: Written, other: Written): { readonly severity?: Severity } => {
  // Both are changed in place, and a second mutable borrow fails during the first: nothing is overwritten.
  if (one.account.wrapper === "loader" && other.account.wrapper === "loader") return { severity: "low" }
  // One is the caller's, or a certain one: what the other may be is left to the caller, not what both are.
  return [one, other].some((each) => addressesOf(instruction, each).length > 0) ? { severity: "medium" } : {}
}

/** Accounts whose data the instruction changes, with the project's struct that they contain. */
const writtenBy = (instruction: Instruction): ReadonlyArray<Written> =>
  instruction.accounts.flatMap((account) => {
    if (account.constraints?.init === true) return []
    const uses = usesOf(instruction, account)
    const write = uses.findLast(({ kind }) => kind === "state-write" || kind === "data-write")
    if (write === undefined) return []
    const read = uses.find(({ kind }) => kind === "deserialize")
    const type = account.state ?? (read === undefined ? undefined : readType(read.event))
    const definition = type === undefined ? undefined : definitionOf(type)
    if (definition === undefined) return []
    let from = -1
    const spans = uses.flatMap(({ kind, event }) => {
      if (kind === "deserialize") from = event.order
      return kind === "data-write" || kind === "state-write" ? [[from, event.order] as const] : []
    })
    return [{ account, type: definition, event: write.event, done: checksWhenDone(instruction, account), spans }]
  })

/** Whether one of two accounts has an address or a relation that the other cannot have. */
const areDistinct = (instruction: Instruction, one: Written, other: Written): boolean => {
  const [first, second] = [one.account, other.account]
  const { terms } = instruction.walk
  if (differs(one, keyOf(terms, second.term)) || differs(other, keyOf(terms, first.term))) return true
  if (storesDiffer(instruction, first, second) || holdDifferent(instruction, first, second)) return true
  if (areChangedInTurn(one, other)) return true
  const [seedsOfFirst, seedsOfSecond] = [addressesOf(instruction, one), addressesOf(instruction, other)]
  if (seedsOfFirst.length === 0 || seedsOfSecond.length === 0) return false
  return !seedsOfFirst.some((each) => seedsOfSecond.includes(each))
}

/** Known where both are written, even if not on all paths: `if from == to { return Ok(()) }`. */
const differs = ({ account, event }: Written, key: Term): boolean =>
  checksAround(event, account).some(({ kind, against }) => kind === "distinct" && against === key)

/** The addresses that an account must have. A token account may be anybody's, and so may what it says its owner is. */
const addressesOf = (instruction: Instruction, { done }: Written): ReadonlyArray<Term | undefined> =>
  done.flatMap(({ kind, against }) => {
    if (kind !== "pda" && kind !== "key") return []
    const holder = against === undefined ? undefined : accountOfState(against)
    return holder !== undefined && instruction.accounts.some((one) => one.term === holder && isTokenType(one))
      ? []
      : [against]
  })

/** A place by each term that it is part of, with the names of the fields that lead there. */
function* placesIn(term: Term): Iterable<readonly [base: Term, path: string]> {
  let path = ""
  for (let at = term; at.kind === "field"; at = at.base) {
    path = `${at.name}.${path}`
    yield [at.base, path]
  }
}

/** What successful instructions know about parts of terms: other terms that they differ from, and literals they equal. */
interface Parts {
  readonly unequal: ReadonlyMap<Term, ReadonlyArray<readonly [path: string, other: Term]>>
  readonly literals: ReadonlyMap<Term, ReadonlyArray<readonly [path: string, value: Term]>>
}

const partsOf = oncePer(({ walk: { success } }: Instruction): Parts => {
  const parts = { unequal: new Map<Term, Array<[string, Term]>>(), literals: new Map<Term, Array<[string, Term]>>() }
  const add = (to: keyof Parts, place: Term, other: Term): void => {
    for (const [base, path] of placesIn(place)) {
      const known = parts[to].get(base)
      if (known === undefined) parts[to].set(base, [[path, other]])
      else known.push([path, other])
    }
  }
  for (const fact of success) {
    if (fact.kind !== "binary") continue
    const { operator, left, right } = fact
    if (operator === "!=") {
      add("unequal", left, right)
      add("unequal", right, left)
    } else if (operator === "==") {
      if (left.kind === "literal") add("literals", right, left)
      else if (right.kind === "literal") add("literals", left, right)
    }
  }
  return parts
})

/** `from.mint != to.mint`: an account cannot differ from itself. */
const storesDiffer = (instruction: Instruction, one: Account, other: Account): boolean => {
  const { terms } = instruction.walk
  const second = stateOf(terms, other.term)
  return (partsOf(instruction).unequal.get(stateOf(terms, one.term)) ?? []).some(([path, against]) =>
    [...placesIn(against)].some(([base, otherPath]) => base === second && otherPath === path),
  )
}

/** A native program reads a copy and writes it back: reading after the other has been written overwrites nothing. */
const areChangedInTurn = (one: Written, other: Written): boolean =>
  one.spans.every(([from, to]) => other.spans.every(([begin, end]) => end < from || to < begin))

/** `bid.side == 0` and `ask.side == 1`: one field of each, held against literals of its own. */
const holdDifferent = (instruction: Instruction, one: Account, other: Account): boolean => {
  const { literals } = partsOf(instruction)
  const literalsOf = ({ term }: Account) => literals.get(stateOf(instruction.walk.terms, term)) ?? []
  const others = new Map(literalsOf(other))
  return literalsOf(one).some(([path, value]) => (others.get(path) ?? value) !== value)
}
