import type { Rule } from "../../../Rule.ts"
import { type Event, guaranteed, type WalkScope } from "../../../rust/terms/events.ts"
import { factsAbout } from "../../../rust/terms/facts.ts"
import { everySubterm, mentions, subterms, type Term } from "../../../rust/terms/terms.ts"
import { isNamed } from "../../../rust/crate/types.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import type { Instruction, SolanaProgram } from "../../program/model.ts"
import { isBounded, isChosen, isConstant } from "../../questions/quantities.ts"
import { deserializers } from "../../program/semantics.ts"

export const panicOnInput: Rule<SolanaProgram> = {
  meta: {
    id: "solana/denial-of-service/panic-on-input",
    class: "panic-dos",
    title: "Untrusted input causes a panic",
    severity: "low",
    confidence: "medium",
    cwe: [248, 129],
    description:
      "The program unwraps or indexes a value that comes from an argument or an account, without checking that " +
      "it exists. Malformed input causes a panic without an error code; if such an entry is in a list that " +
      "every instruction must process, an attacker blocks withdrawals or settlements for everyone.",
    remediation: "Use `get`, `ok_or` and `?` with a program-defined error, or check the length and the bounds first.",
    references: ["https://doc.rust-lang.org/book/ch09-03-to-panic-or-not-to-panic.html"],
  },
  check: (program, report) => {
    for (const { instructions } of program.crates)
      for (const instruction of instructions)
        for (const event of instruction.events) {
          if (event.kind === "call" && event.method && /^(unwrap|expect)$/.test(event.name)) {
            const receiver = event.args[0]
            if (receiver === undefined || !mayFail(instruction, receiver.term)) continue
            const [list = receiver.term] = subterms(receiver.term)
            const known = [...identifying(event.facts, receiver.term), ...measuring(event.facts, list)].length > 0
            if (!known) report(placed(event))
          } else if (event.kind === "operation" && event.operator === "[]" && event.right !== undefined) {
            const [list, index] = [event.left.term, event.right.term]
            const facts = guaranteed(event)
            const measured = (): boolean => [...measuring(facts, list)].length > 0
            const anyIndex =
              isChosen(instruction, index) &&
              !isBounded(facts, index) &&
              !mentions(index, (one) => one.kind === "binary" && /^[%&]$/.test(one.operator))
            const fixedIndex =
              isConstant(index) &&
              isNamed(event.left.type, "Vec") &&
              instruction.arguments.some((one) => one.term === list)
            // Instruction data of native programs, unprocessed.
            const rawByte =
              instruction.kind === "native" &&
              isConstant(index) &&
              instruction.arguments.some((one) => one.term === list || isRestOf(list, one.term))
            const remaining = isConstant(index) && list.kind === "field" && list.name === "remaining_accounts"
            if ((anyIndex || fixedIndex || rawByte || remaining) && !measured()) report(placed(event))
          }
        }
  },
  examples: {
    vulnerable: [
      `use anchor_lang::prelude::*;

#[program]
pub mod board {
    use super::*;
    pub fn vote(ctx: Context<Vote>, choice: u8) -> Result<()> {
        ctx.accounts.poll.votes[choice as usize] += 1; // FINDING
        Ok(())
    }

    pub fn rename(ctx: Context<Vote>, name: Vec<u8>) -> Result<()> {
        ctx.accounts.poll.name = String::from_utf8(name).unwrap(); // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Vote<'info> {
    #[account(mut)]
    pub poll: Account<'info, Poll>,
}

#[account]
pub struct Poll { pub votes: Vec<u64>, pub name: String }
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Args { pub amount: u64 }

pub fn process(program_id: &Pubkey, accounts: &[AccountInfo], instruction_data: &[u8]) -> ProgramResult {
    let info = next_account_info(&mut accounts.iter())?;
    let args = Args::try_from_slice(instruction_data).unwrap(); // FINDING
    args.serialize(&mut &mut info.data.borrow_mut()[..])?;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod board {
    use super::*;

    pub fn indexes(ctx: Context<Vote>, choice: u8, list: Vec<u64>, other: Vec<u64>, fixed: [u8; 4]) -> Result<()> {
        let poll = &mut ctx.accounts.poll;
        poll.a = poll.votes[choice as usize]; // FINDING
        poll.a = poll.votes[choice as usize % 4];
        poll.a = poll.votes[(choice & 3) as usize];
        poll.a = poll.votes[(choice + 1) as usize]; // FINDING
        poll.a = poll.votes[0];
        poll.a = list[0]; // FINDING
        poll.a = fixed[0] as u64;
        poll.a = poll.votes[poll.next as usize];
        poll.a = ctx.remaining_accounts[0].lamports(); // FINDING
        poll.a = ctx.remaining_accounts[poll.next as usize].lamports();
        require!(other.is_empty() == false, ErrorCode::Few);
        poll.a = other[0];
        Ok(())
    }

    pub fn lengths(ctx: Context<Vote>, list: Vec<u64>, other: Vec<u64>) -> Result<()> {
        require!(other.len() > 1, ErrorCode::Few);
        ctx.accounts.poll.a = other[1];
        require!(list.capacity() > 1, ErrorCode::Few);
        ctx.accounts.poll.a = list[1]; // FINDING
        Ok(())
    }

    pub fn outcomes(ctx: Context<Vote>, name: Vec<u8>, index: u64, part: Option<u64>, text: String) -> Result<()> {
        let poll = &mut ctx.accounts.poll;
        poll.name = String::from_utf8(name).unwrap(); // FINDING
        poll.a = *poll.votes.get(0).unwrap();
        poll.a = poll.votes.iter().map(|one| one * index).max().unwrap();
        poll.a = part.unwrap(); // FINDING
        poll.a = poll.known.unwrap();
        poll.a = text.parse().expect("number"); // FINDING
        poll.a = Option::unwrap(part);
        poll.a = u64::from_le_bytes(index.to_be_bytes()[..8].try_into().unwrap());
        poll.a = u64::try_from(index).unwrap() as u64; // FINDING
        let second: u32 = index.try_into().unwrap(); // FINDING
        poll.a = second as u64;
        Ok(())
    }

    pub fn known(ctx: Context<Vote>, part: Option<u64>, other: Option<u64>) -> Result<()> {
        if part.is_none() {
            return err!(ErrorCode::Few);
        }
        ctx.accounts.poll.a = part.unwrap();
        ctx.accounts.poll.a = other.unwrap(); // FINDING
        Ok(())
    }

    pub fn accounts(ctx: Context<Vote>) -> Result<()> {
        let helper = ctx.accounts.helper.as_ref().unwrap(); // FINDING
        ctx.accounts.poll.a = helper.a;
        Ok(())
    }

    pub fn optional(ctx: Context<Vote>) -> Result<()> {
        let poll = ctx.accounts.helper.unwrap(); // FINDING
        ctx.accounts.poll.a = poll.a;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Vote<'info> {
    #[account(mut)]
    pub poll: Account<'info, Poll>,
    pub helper: Option<Account<'info, Poll>>,
}

#[account]
pub struct Poll { pub votes: Vec<u64>, pub name: String, pub a: u64, pub next: u8, pub known: Option<u64> }

#[error_code]
pub enum ErrorCode { Few }
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshDeserialize, BorshSerialize)]
pub struct Config {
    pub offset: u8,
    pub total: u64,
}

pub fn read(_program_id: &Pubkey, accounts: &[AccountInfo], data: &[u8]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let config_info = next_account_info(iter)?;
    let mut config = Config::try_from_slice(&config_info.data.borrow())?;
    config.total += data[0] as u64; // FINDING
    let (_, rest) = data.split_at(1);
    config.total += rest[0] as u64; // FINDING
    // The program's own number; what is behind the accounts that are there, the runtime knows.
    config.total += data[config.offset as usize] as u64;
    let (_, others) = accounts.split_at(1);
    let other = &others[0];
    config.total += other.lamports();
    let first = config_info.data.borrow().get(9).unwrap(); // FINDING
    let part = data[1..9].to_vec(); // FINDING
    let name = String::from_utf8(part).unwrap(); // FINDING
    // Eight bytes are a number, and a hash has 32.
    config.total += hash(data)[0] as u64 + config_info.try_borrow_data().unwrap().len() as u64;
    let amount = u64::from_le_bytes(part.try_into().unwrap());
    let small = u32::try_from(scaled(data)).unwrap(); // FINDING
    msg!("{} {} {} {}", first, name, amount, small);
    config.serialize(&mut &mut config_info.data.borrow_mut()[..])?;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod polls {
    use super::*;
    pub fn vote(ctx: Context<Vote>, votes: Vec<u64>) -> Result<()> {
        let poll = &mut ctx.accounts.poll;
        poll.total += votes[0]; // FINDING
        // The program keeps this number itself.
        poll.total += votes[poll.round as usize];
        let next = ctx.remaining_accounts.first().unwrap(); // FINDING
        poll.next = next.key();
        poll.last = ctx.remaining_accounts.last().unwrap().key(); // FINDING
        poll.total += votes.get(1).unwrap(); // FINDING
        Ok(())
    }
    pub fn vote_twice(ctx: Context<Vote>, votes: Vec<u64>) -> Result<()> {
        require!(votes.len() == 2, ErrorCode::InstructionMissing);
        ctx.accounts.poll.total += votes.last().unwrap();
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Vote<'info> {
    #[account(mut)]
    pub poll: Account<'info, Poll>,
    pub voter: Signer<'info>,
}

#[account]
pub struct Poll { pub total: u64, pub round: u8, pub next: Pubkey, pub last: Pubkey }
`,
      // Whoever fills one account stops the payments to all that follow.
      `use anchor_lang::prelude::*;

#[program]
pub mod payouts {
    use super::*;
    pub fn pay_all(ctx: Context<PayAll>) -> Result<()> {
        for receiver in ctx.remaining_accounts.iter() {
            if receiver.is_writable {
                let amount = receiver.try_borrow_data()?.first().unwrap(); // FINDING
                ctx.accounts.pool.paid += *amount as u64;
            }
        }
        Ok(())
    }

    pub fn pay_first(ctx: Context<PayAll>) -> Result<()> {
        if ctx.accounts.pool.paid > 0 {
            let receiver = ctx.remaining_accounts.first().unwrap(); // FINDING
            ctx.accounts.pool.paid -= receiver.lamports();
        }
        Ok(())
    }
}

#[derive(Accounts)]
pub struct PayAll<'info> {
    #[account(mut)]
    pub pool: Account<'info, Pool>,
    pub owner: Signer<'info>,
}

#[account]
pub struct Pool { pub paid: u64 }
`,
    ],
    safe: [
      `use anchor_lang::prelude::*;

#[program]
pub mod board {
    use super::*;
    pub fn vote(ctx: Context<Vote>, choice: u8, other: u8) -> Result<()> {
        let poll = &mut ctx.accounts.poll;
        require!((choice as usize) < poll.votes.len(), ErrorCode::Choice);
        poll.votes[choice as usize] += 1;
        let count = poll.votes.get_mut(other as usize).ok_or(ErrorCode::Choice)?;
        *count = count.checked_add(1).unwrap();
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Vote<'info> {
    #[account(mut)]
    pub poll: Account<'info, Poll>,
}

#[account]
pub struct Poll { pub votes: Vec<u64> }

#[error_code]
pub enum ErrorCode { Choice }
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Args { pub amount: u64 }

pub fn process(program_id: &Pubkey, accounts: &[AccountInfo], instruction_data: &[u8]) -> ProgramResult {
    let info = next_account_info(&mut accounts.iter())?;
    let args = Args::try_from_slice(instruction_data).map_err(|_| ProgramError::InvalidInstructionData)?;
    let first = instruction_data.first().ok_or(ProgramError::InvalidInstructionData)?;
    if *first > 3 {
        return Err(ProgramError::InvalidInstructionData);
    }
    args.serialize(&mut &mut info.data.borrow_mut()[..])?;
    Ok(())
}
`,
    ],
  },
}

/** The facts that constrain the length of a list; each index asks for them among all around it. */
const measuring = factsAbout((fact) =>
  [...everySubterm([fact])].flatMap((one) =>
    one.kind === "call" && /^(len|is_empty|count)$/.test(one.name) ? one.args.slice(0, 1) : [],
  ),
)

/** The facts that say which variant a value is. */
const identifying = factsAbout((fact) => (fact.kind === "is" ? [fact.value] : []))

const fallible =
  /^(get|get_mut|first|last|next|nth|pop|position|find|from_utf8|from_str|from_str_radix|parse|split_first|split_at_checked|to_u64|to_u128|try_into|try_from|iter_next)$/

/** Outside a loop only the transaction that brings it fails, as with an error. */
const placed = (event: Event) => ({
  ...placeOf(event),
  ...(isRepeated(event.scope) ? {} : { severity: "informational" as const }),
})

const isRepeated = (scope: WalkScope): boolean => scope.loop || (scope.parent !== undefined && isRepeated(scope.parent))

const isData = (term: Term): boolean =>
  mentions(term, (one) => one.kind === "field" && (one.name === "data" || one.name === "remaining_accounts"))

const isSliced = (term: Term): boolean =>
  mentions(term, (one) => one.kind === "call" && /^(slice|to_[lb]e_bytes)$/.test(one.name))

/** Behind a part of the data: `data.split_at(8).1`. */
const isRestOf = (term: Term, data: Term): boolean =>
  term.kind === "call" && term.name === "slice" && term.args[0] === data

/** The value may be missing or malformed, as whoever sends the transaction likes. */
const mayFail = (instruction: Instruction, receiver: Term): boolean => {
  if (receiver.kind === "call") {
    if (receiver.name === "state") return true
    if (!fallible.test(receiver.name) && !deserializers.test(receiver.name)) return false
    if (/^try_(into|from)$/.test(receiver.name) && receiver.args.some(isSliced)) return false
    return receiver.args.some((one) => isChosen(instruction, one) || isData(one))
  }
  // `votes.first()`, `data.get(8)`.
  const one = receiver.kind === "element" ? receiver.base : receiver
  return (
    (receiver.kind === "element" && isData(one)) ||
    instruction.arguments.some(({ term }) => term === one) ||
    instruction.accounts.some((one) => one.optional && one.term === receiver)
  )
}
