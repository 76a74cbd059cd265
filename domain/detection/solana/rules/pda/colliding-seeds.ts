import { accountAt } from "../../questions/questions.ts"
import { fieldType, isNamed, type RustType } from "../../../rust/crate/types.ts"
import type { Term } from "../../../rust/terms/terms.ts"
import type { Rule } from "../../../Rule.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import type { Instruction, SolanaCrate, SolanaProgram } from "../../program/model.ts"
import { ofKind } from "../../../rust/terms/events.ts"

export const collidingSeeds: Rule<SolanaProgram> = {
  meta: {
    id: "solana/pda/colliding-seeds",
    class: "weak-pda-seeds",
    title: "PDA seed collision",
    severity: "medium",
    confidence: "medium",
    cwe: [341, 694],
    description:
      "Two variable-length seeds are adjacent, or two kinds of account are derived from the same seeds without " +
      "a distinguishing prefix. Seeds are concatenated without separators, so `ab` and `c` give the same " +
      "address as `a` and `bc`: an attacker chooses seeds that yield the address of someone else's account, or " +
      "of an account of another kind, and occupies or uses it.",
    remediation:
      "Start the seeds of each account type with a unique literal, and never place two variable-length seeds " +
      "next to each other: hash them (`hash(name.as_bytes()).to_bytes()`), fix their length, or put a key " +
      "between them.",
    references: [
      "https://solana.com/docs/core/pda",
      "https://www.helius.dev/blog/a-hitchhikers-guide-to-solana-program-security",
    ],
  },
  check: (program, report) => {
    for (const crate of program.crates) {
      const kinds = new Map<string, string>()
      for (const instruction of crate.instructions) {
        const scope = instruction.handler.qualifiedName
        for (const event of ofKind(instruction.events, "call")) {
          if (!isSearch(event.result.term)) continue
          const seeds = seedsOf(event.result.term)
          if (seeds !== undefined && areAdjacent(crate, instruction, seeds))
            report({ ...placeOf(event), message: "Two seeds of variable length are adjacent." })
        }
        for (const account of instruction.accounts) {
          if (account.constraints?.seeds === undefined) continue
          const call = addressOf(instruction, account.term)
          const seeds = call === undefined ? undefined : seedsOf(call)
          if (seeds === undefined) continue
          if (areAdjacent(crate, instruction, seeds))
            report({
              ...account.place,
              scope,
              message: `Two seeds of \`${account.name}\` of variable length are adjacent.`,
            })
          const type = account.state?.kind === "named" ? account.state.name : undefined
          if (type === undefined) continue
          const shape = seeds.map((one) => shapeOf(instruction, one)).join(",")
          if (shape.includes("?")) continue
          const known = kinds.get(shape)
          if (known === undefined) kinds.set(shape, type)
          else if (known !== type)
            report({
              ...account.place,
              scope,
              message: `\`${known}\` and \`${type}\` have the same seeds and no prefix.`,
            })
        }
      }
    }
  },
  examples: {
    vulnerable: [
      `use anchor_lang::prelude::*;

#[program]
pub mod names {
    use super::*;

    pub fn register(ctx: Context<Register>, domain: String, label: String) -> Result<()> {
        ctx.accounts.record.holder = ctx.accounts.user.key();
        Ok(())
    }
}

#[derive(Accounts)]
#[instruction(domain: String, label: String)]
pub struct Register<'info> {
    #[account(init, payer = user, space = 40, seeds = [b"name", domain.as_bytes(), label.as_bytes()], bump)]
    pub record: Account<'info, Record>, // FINDING
    #[account(mut)]
    pub user: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Record {
    pub holder: Pubkey,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod bank {
    use super::*;

    pub fn save(ctx: Context<Save>) -> Result<()> {
        ctx.accounts.savings.amount += 1;
        Ok(())
    }

    pub fn borrow(ctx: Context<Borrow>) -> Result<()> {
        ctx.accounts.debt.amount += 1;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Save<'info> {
    #[account(mut, seeds = [user.key().as_ref()], bump)]
    pub savings: Account<'info, Savings>,
    pub user: Signer<'info>,
}

#[derive(Accounts)]
pub struct Borrow<'info> {
    #[account(mut, seeds = [user.key().as_ref()], bump)]
    pub debt: Account<'info, Debt>, // FINDING
    pub user: Signer<'info>,
}

#[account]
pub struct Savings {
    pub amount: u64,
}

#[account]
pub struct Debt {
    pub amount: u64,
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};

pub fn register(program_id: &Pubkey, accounts: &[AccountInfo], domain: String, label: String) -> ProgramResult {
    let iter = &mut accounts.iter();
    let record = next_account_info(iter)?;
    let (address, _) = Pubkey::find_program_address(&[domain.as_bytes(), label.as_bytes()], program_id); // FINDING
    if address != *record.key {
        return Err(ProgramError::InvalidSeeds);
    }
    record.try_borrow_mut_data()?[0] = 1;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;

pub const FOUR: &[u8] = b"four";

#[program]
pub mod names {
    use super::*;

    pub fn make_refs(ctx: Context<Refs>, first: String, second: String) -> Result<()> {
        ctx.accounts.record.holder = ctx.accounts.user.key();
        Ok(())
    }
    pub fn make_trimmed(ctx: Context<Trimmed>, first: String, second: String) -> Result<()> {
        ctx.accounts.record.holder = ctx.accounts.user.key();
        Ok(())
    }
    pub fn make_bytes(ctx: Context<Bytes>, first: Vec<u8>, second: Vec<u8>) -> Result<()> {
        ctx.accounts.record.holder = ctx.accounts.user.key();
        Ok(())
    }
    pub fn make_fixed(ctx: Context<Fixed>, first: [u8; 4], second: [u8; 4]) -> Result<()> {
        ctx.accounts.record.holder = ctx.accounts.user.key();
        Ok(())
    }
    pub fn make_hashed(ctx: Context<Hashed>, first: String, second: String) -> Result<()> {
        ctx.accounts.record.holder = ctx.accounts.user.key();
        Ok(())
    }
    pub fn make_apart(ctx: Context<Apart>, first: String, second: String) -> Result<()> {
        ctx.accounts.record.holder = ctx.accounts.user.key();
        Ok(())
    }
    pub fn make_numbers(ctx: Context<Numbers>, first: Vec<u64>, second: Vec<u64>) -> Result<()> {
        ctx.accounts.record.holder = ctx.accounts.user.key();
        Ok(())
    }
    pub fn make_counted(ctx: Context<Counted>, first: u64, second: String) -> Result<()> {
        ctx.accounts.record.holder = ctx.accounts.user.key();
        Ok(())
    }
    pub fn make_short(ctx: Context<Short>, first: String, second: String) -> Result<()> {
        ctx.accounts.record.holder = ctx.accounts.user.key();
        Ok(())
    }
    pub fn make_named(ctx: Context<Named>, first: String, second: String) -> Result<()> {
        ctx.accounts.record.holder = ctx.accounts.user.key();
        Ok(())
    }
    pub fn make_one(ctx: Context<One>) -> Result<()> {
        ctx.accounts.record.holder = ctx.accounts.user.key();
        Ok(())
    }
    pub fn make_two(ctx: Context<Two>) -> Result<()> {
        ctx.accounts.record.holder = ctx.accounts.user.key();
        Ok(())
    }
    pub fn make_three(ctx: Context<Three>) -> Result<()> {
        ctx.accounts.record.holder = ctx.accounts.user.key();
        Ok(())
    }
    pub fn make_four(ctx: Context<Four>) -> Result<()> {
        ctx.accounts.record.holder = ctx.accounts.user.key();
        Ok(())
    }
    pub fn make_five(ctx: Context<Five>) -> Result<()> {
        ctx.accounts.record.holder = ctx.accounts.user.key();
        Ok(())
    }
    pub fn make_six(ctx: Context<Six>) -> Result<()> {
        ctx.accounts.record.holder = ctx.accounts.user.key();
        Ok(())
    }
    pub fn make_seven(ctx: Context<Seven>) -> Result<()> {
        ctx.accounts.record.holder = ctx.accounts.user.key();
        Ok(())
    }
    pub fn make_again(ctx: Context<Again>) -> Result<()> {
        ctx.accounts.record.holder = ctx.accounts.user.key();
        Ok(())
    }

    pub fn look(ctx: Context<Look>, first: String, second: String) -> Result<()> {
        let (found, _) = Pubkey::find_program_address(&[first.as_bytes(), second.as_bytes()], ctx.program_id); // FINDING
        let (other, _) = Pubkey::find_program_address(&[b"x", first.as_bytes()], ctx.program_id);
        let parts = join(&[first.as_bytes(), second.as_bytes()]);
        msg!("{} {} {}", found, other, parts);
        Ok(())
    }
}

#[derive(Accounts)]
#[instruction(first: String, second: String)]
pub struct Refs<'info> {
    #[account(init, payer = user, space = 40, seeds = [first.as_ref(), second.as_ref()], bump)]
    pub record: Account<'info, A>, // FINDING
    #[account(mut)]
    pub user: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
#[instruction(first: String, second: String)]
pub struct Trimmed<'info> {
    #[account(init, payer = user, space = 40, seeds = [b"t", first.trim().as_bytes(), second.to_lowercase().as_bytes().as_ref()], bump)]
    pub record: Account<'info, A>, // FINDING
    #[account(mut)]
    pub user: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
#[instruction(first: Vec<u8>, second: Vec<u8>)]
pub struct Bytes<'info> {
    #[account(init, payer = user, space = 40, seeds = [b"b", first.as_slice(), &second], bump)]
    pub record: Account<'info, A>, // FINDING
    #[account(mut)]
    pub user: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
#[instruction(first: [u8; 4], second: [u8; 4])]
pub struct Fixed<'info> {
    #[account(init, payer = user, space = 40, seeds = [b"f", first.as_ref(), second.as_ref()], bump)]
    pub record: Account<'info, A>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
#[instruction(first: String, second: String)]
pub struct Hashed<'info> {
    #[account(init, payer = user, space = 40, seeds = [b"h", &hash(first.as_bytes()).to_bytes(), second.as_bytes()], bump)]
    pub record: Account<'info, A>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
#[instruction(first: String, second: String)]
pub struct Apart<'info> {
    #[account(init, payer = user, space = 40, seeds = [first.as_bytes(), b"/", second.as_bytes()], bump)]
    pub record: Account<'info, A>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
#[instruction(first: Vec<u64>, second: Vec<u64>)]
pub struct Numbers<'info> {
    #[account(init, payer = user, space = 40, seeds = [b"n", &first[0].to_le_bytes(), &second[0].to_le_bytes()], bump)]
    pub record: Account<'info, A>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
#[instruction(first: u64, second: String)]
pub struct Counted<'info> {
    #[account(init, payer = user, space = 40, seeds = [b"c", &first.to_le_bytes(), second.as_bytes()], bump)]
    pub record: Account<'info, A>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
#[instruction(first: String, second: String)]
pub struct Short<'info> {
    #[account(init, payer = user, space = 40, seeds = [b"s", first.code().as_ref(), second.code().as_ref()], bump)]
    pub record: Account<'info, A>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
#[instruction(first: String, second: String)]
pub struct Named<'info> {
    #[account(init, payer = user, space = 40, seeds = [b"m", names::of(&first).as_bytes(), second.as_bytes()], bump)]
    pub record: Account<'info, A>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct One<'info> {
    #[account(init, payer = user, space = 40, seeds = [user.key().as_ref()], bump)]
    pub record: Account<'info, B>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Two<'info> {
    #[account(init, payer = user, space = 40, seeds = [user.key().as_ref()], bump)]
    pub record: Account<'info, C>, // FINDING
    #[account(mut)]
    pub user: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Three<'info> {
    #[account(init, payer = user, space = 40, seeds = [b"three", user.key().as_ref()], bump)]
    pub record: Account<'info, D>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Four<'info> {
    #[account(init, payer = user, space = 40, seeds = [FOUR, user.key().as_ref()], bump)]
    pub record: Account<'info, E>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Five<'info> {
    #[account(init, payer = user, space = 40, seeds = [pool.key().as_ref()], bump)]
    pub record: Account<'info, F>,
    pub pool: Account<'info, Pool>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Six<'info> {
    #[account(init, payer = user, space = 40, seeds = [other.key().as_ref()], bump)]
    pub record: Account<'info, A>,
    /// CHECK: any
    pub other: UncheckedAccount<'info>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Seven<'info> {
    #[account(init, payer = user, space = 40, seeds = [any.key().as_ref()], bump)]
    pub record: Account<'info, B>,
    /// CHECK: any
    pub any: UncheckedAccount<'info>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Again<'info> {
    #[account(init, payer = user, space = 40, seeds = [user.key().as_ref()], bump)]
    pub record: Account<'info, B>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Look<'info> {
    pub user: Signer<'info>,
}

#[account]
pub struct A { pub holder: Pubkey }
#[account]
pub struct B { pub holder: Pubkey }
#[account]
pub struct C { pub holder: Pubkey }
#[account]
pub struct D { pub holder: Pubkey }
#[account]
pub struct E { pub holder: Pubkey }
#[account]
pub struct F { pub holder: Pubkey }
#[account]
pub struct Pool { pub holder: Pubkey }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod names {
    use super::*;
    pub fn open(ctx: Context<Open>, args: OpenArgs) -> Result<()> {
        ctx.accounts.record.holder = ctx.accounts.user.key();
        Ok(())
    }
    pub fn open_by_ref(ctx: Context<OpenByRef>, args: OpenArgs) -> Result<()> {
        ctx.accounts.record.holder = ctx.accounts.user.key();
        Ok(())
    }
    // Codes have four bytes each, hashes 32; names that the book keeps are not the caller's choice.
    pub fn open_coded(ctx: Context<OpenCoded>, args: OpenArgs, names: Names) -> Result<()> {
        ctx.accounts.record.holder = ctx.accounts.user.key();
        Ok(())
    }
    pub fn open_hashed(ctx: Context<OpenHashed>, args: OpenArgs) -> Result<()> {
        ctx.accounts.record.holder = ctx.accounts.user.key();
        Ok(())
    }
    pub fn open_again(ctx: Context<OpenAgain>) -> Result<()> {
        ctx.accounts.record.holder = ctx.accounts.user.key();
        Ok(())
    }
    pub fn save(ctx: Context<Save>) -> Result<()> {
        ctx.accounts.savings.holder = ctx.accounts.user.key();
        Ok(())
    }
    pub fn borrow(ctx: Context<Borrow>) -> Result<()> {
        ctx.accounts.debt.holder = ctx.accounts.user.key();
        Ok(())
    }
}

#[derive(AnchorSerialize, AnchorDeserialize, Clone)]
pub struct OpenArgs { pub domain: String, pub label: String, pub first: [u8; 4], pub second: [u8; 4] }

#[derive(AnchorSerialize, AnchorDeserialize, Clone)]
pub struct Names { pub first: String, pub second: String }

#[derive(Accounts)]
#[instruction(args: OpenArgs)]
pub struct Open<'info> {
    #[account(mut, seeds = [b"name", args.domain.as_bytes(), args.label.as_bytes()], bump)]
    pub record: Account<'info, Record>, // FINDING
    pub user: Signer<'info>,
}

#[derive(Accounts)]
#[instruction(args: OpenArgs)]
pub struct OpenByRef<'info> {
    #[account(mut, seeds = [b"name", args.domain.as_bytes().as_ref(), args.label.as_bytes().as_ref()], bump)]
    pub record: Account<'info, Record>, // FINDING
    pub user: Signer<'info>,
}

#[derive(Accounts)]
#[instruction(args: OpenArgs, names: Names)]
pub struct OpenCoded<'info> {
    #[account(mut, seeds = [b"code", args.first.as_ref(), args.second.as_ref()], bump)]
    pub record: Account<'info, Record>,
    pub user: Signer<'info>,
}

#[derive(Accounts)]
#[instruction(args: OpenArgs)]
pub struct OpenHashed<'info> {
    #[account(mut, seeds = [b"hash", blake3::hash(args.domain.as_bytes()).as_bytes(), args.label.as_bytes()], bump)]
    pub record: Account<'info, Record>,
    pub user: Signer<'info>,
}

#[derive(Accounts)]
pub struct OpenAgain<'info> {
    pub book: Account<'info, Book>,
    #[account(mut, seeds = [b"name", book.domain.as_bytes(), book.label.as_bytes()], bump)]
    pub record: Account<'info, Record>,
    pub user: Signer<'info>,
}

#[derive(Accounts)]
pub struct Save<'info> {
    pub book: Account<'info, Book>,
    #[account(mut, seeds = [book.key().as_ref()], bump)]
    pub savings: Account<'info, Savings>,
    pub user: Signer<'info>,
}

#[derive(Accounts)]
pub struct Borrow<'info> {
    pub book: Account<'info, Book>,
    #[account(mut, seeds = [book.key().as_ref()], bump)]
    pub debt: Account<'info, Debt>, // FINDING
    pub user: Signer<'info>,
}

#[account]
pub struct Book { pub domain: String, pub label: String }
#[account]
pub struct Record { pub holder: Pubkey }
#[account]
pub struct Savings { pub holder: Pubkey }
#[account]
pub struct Debt { pub holder: Pubkey }
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshDeserialize, BorshSerialize)]
pub struct Args {
    pub domain: String,
    pub label: String,
    pub seller: Pubkey,
    pub buyer: Pubkey,
}

pub fn register(program_id: &Pubkey, accounts: &[AccountInfo], data: &[u8]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let record = next_account_info(iter)?;
    let args = Args::try_from_slice(data)?;
    let (address, _) = Pubkey::find_program_address(&[args.domain.as_ref(), args.label.as_ref()], program_id); // FINDING
    if address != *record.key {
        return Err(ProgramError::InvalidSeeds);
    }
    record.try_borrow_mut_data()?[0] = 1;
    Ok(())
}

pub fn register_sale(program_id: &Pubkey, accounts: &[AccountInfo], data: &[u8]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let record = next_account_info(iter)?;
    let args = Args::try_from_slice(data)?;
    let (address, _) = Pubkey::find_program_address(&[args.seller.as_ref(), args.buyer.as_ref()], program_id);
    if address != *record.key {
        return Err(ProgramError::InvalidSeeds);
    }
    record.try_borrow_mut_data()?[0] = 1;
    Ok(())
}
`,
    ],
    safe: [
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::hash::hash;

#[program]
pub mod names {
    use super::*;

    pub fn register(ctx: Context<Register>, domain: String, label: String) -> Result<()> {
        ctx.accounts.record.holder = ctx.accounts.user.key();
        Ok(())
    }

    pub fn register_below(ctx: Context<RegisterBelow>, domain: String, label: String) -> Result<()> {
        ctx.accounts.record.holder = ctx.accounts.user.key();
        Ok(())
    }
}

#[derive(Accounts)]
#[instruction(domain: String, label: String)]
pub struct Register<'info> {
    #[account(init, payer = user, space = 40, seeds = [b"name", &hash(domain.as_bytes()).to_bytes(), label.as_bytes()], bump)]
    pub record: Account<'info, Record>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
#[instruction(domain: String, label: String)]
pub struct RegisterBelow<'info> {
    #[account(init, payer = user, space = 40, seeds = [b"below", domain.as_bytes(), user.key().as_ref(), label.as_bytes()], bump)]
    pub record: Account<'info, Record>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Record {
    pub holder: Pubkey,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod bank {
    use super::*;

    pub fn save(ctx: Context<Save>) -> Result<()> {
        ctx.accounts.savings.amount += 1;
        Ok(())
    }

    pub fn save_more(ctx: Context<SaveMore>) -> Result<()> {
        ctx.accounts.savings.amount += 2;
        Ok(())
    }

    pub fn borrow(ctx: Context<Borrow>) -> Result<()> {
        ctx.accounts.debt.amount += 1;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Save<'info> {
    #[account(mut, seeds = [user.key().as_ref()], bump)]
    pub savings: Account<'info, Savings>,
    pub user: Signer<'info>,
}

#[derive(Accounts)]
pub struct SaveMore<'info> {
    #[account(mut, seeds = [user.key().as_ref()], bump)]
    pub savings: Account<'info, Savings>,
    pub user: Signer<'info>,
}

#[derive(Accounts)]
pub struct Borrow<'info> {
    #[account(mut, seeds = [b"debt", user.key().as_ref()], bump)]
    pub debt: Account<'info, Debt>,
    pub user: Signer<'info>,
}

#[account]
pub struct Savings {
    pub amount: u64,
}

#[account]
pub struct Debt {
    pub amount: u64,
}
`,
    ],
  },
}

const isSearch = (term: Term): boolean =>
  term.kind === "call" && /(find|create)_program_address$|^derive_program_address$/.test(term.name)

/** Text and byte lists are as long as the caller likes; keys, numbers and hashes are not. */
const isVariable = ({ project }: SolanaCrate, instruction: Instruction, seed: Term): boolean => {
  const text = trimmed(seed)
  const isText = (type: RustType): boolean => isNamed(type, "String", "str", "Vec", "Cow")
  return (
    isTextField(instruction, text) ||
    instruction.arguments.some(({ type, term }) =>
      text.kind === "field" && text.base === term
        ? isText(fieldType(project.resolver, type, text.name))
        : text === term && isText(type),
    )
  )
}

/** `args.name`, if `Args::try_from_slice(data)` declares it as text. */
const isTextField = (instruction: Instruction, source: Term): boolean => {
  if (source.kind !== "field" || source.base.kind !== "call") return false
  const struct = source.base.path.split("::").at(-2) ?? ""
  return instruction.handler.module.crate.modules.some((module) =>
    (module.names.get(struct) ?? []).some(
      (one) =>
        one.kind === "struct" &&
        one.item.fields.some(
          ({ name, type }) =>
            name === source.name && type?.kind === "path" && type.path.segments.at(-1)?.name === "String",
        ),
    ),
  )
}

/** `name.trim()`: of the name's own length, or nearly. */
const trimmed = (term: Term): Term =>
  term.kind === "call" && /^(trim|to_lowercase|to_uppercase)$/.test(term.name) ? trimmed(term.args[0]!) : term

const seedsOf = (call: Term): ReadonlyArray<Term> | undefined => {
  if (call.kind !== "call") return undefined
  const [seeds] = call.args
  return seeds?.kind === "list" ? seeds.elements : undefined
}

/** Two neighbors of free length: `ab` + `c` is `a` + `bc`. */
const areAdjacent = (crate: SolanaCrate, instruction: Instruction, seeds: ReadonlyArray<Term>): boolean => {
  const variable = seeds.map((one) => isVariable(crate, instruction, one))
  return variable.some((one, index) => one && variable[index + 1] === true)
}

/** The address that `seeds =` requires for an account. */
const addressOf = (instruction: Instruction, account: Term): Term | undefined => {
  const key = instruction.walk.terms.field(account, "key")
  for (const fact of instruction.walk.success) {
    if (fact.kind !== "binary" || (fact.left !== key && fact.right !== key)) continue
    const other = fact.left === key ? fact.right : fact.left
    const call = other.kind === "field" ? other.base : other
    if (isSearch(call)) return call
  }
  return undefined
}

/** Whose address a seed is, by the account's role; anything else could have any value. */
const shapeOf = (instruction: Instruction, seed: Term): string => {
  if (seed.kind !== "field") return "?"
  const account = accountAt(instruction, seed.base)
  if (account === undefined) return "?"
  return account.wrapper === "signer" ? "signer" : account.state?.kind === "named" ? account.state.name : "?"
}
