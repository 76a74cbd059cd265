import type { Rule } from "../../../Rule.ts"
import { type CallEvent, type Event, ofKind } from "../../../rust/terms/events.ts"
import type { Term } from "../../../rust/terms/terms.ts"
import { isCreated } from "../../authority/creation.ts"
import type { Account, Instruction, SolanaProgram } from "../../program/model.ts"
import { structOf } from "../../authority/relations.ts"
import { stateOf } from "../../program/semantics.ts"

export const unsetField: Rule<SolanaProgram> = {
  meta: {
    id: "solana/initialization/unset-field",
    class: "uninitialised-field",
    title: "Initialization leaves account fields unset",
    severity: "low",
    confidence: "low",
    cwe: [908, 909],
    description:
      "The instruction creates an account and sets some of its fields, but a key, a bump or a parameter remains " +
      "zero. Later instructions read it as if it were set: comparisons with an all-zero authority never succeed " +
      "or succeed for the default key, seeds with a bump of zero derive a different address, and a limit of " +
      "zero blocks everything or nothing.",
    remediation:
      "Set every field when the account is created; with `set_inner` and a complete struct, the compiler " +
      "enforces this.",
    references: [
      "https://docs.rs/anchor-lang/latest/anchor_lang/accounts/account/struct.Account.html#method.set_inner",
    ],
  },
  check: (program, report) => {
    for (const { instructions } of program.crates) {
      // Fields that another instruction writes get their value later.
      const written = new Map<string, Set<string>>()
      for (const instruction of instructions)
        for (const account of instruction.accounts) {
          const struct = structOf(instruction, account)
          if (struct === undefined || isNew(instruction, account)) continue
          const state = stateOf(program.terms, account.term)
          const names = written.get(struct.name) ?? new Set()
          for (const event of ofKind(instruction.events, "assign")) {
            const name = fieldOf(event.target.term, state)
            if (name !== undefined) names.add(name)
          }
          written.set(struct.name, names)
        }
      for (const instruction of instructions)
        for (const account of instruction.accounts) {
          if (!isNew(instruction, account)) continue
          const definition = structOf(instruction, account)
          if (definition === undefined) continue
          const state = stateOf(program.terms, account.term)
          if (instruction.events.some((event) => isFilled(event, state))) continue
          const set = new Set<string>()
          for (const event of instruction.events) {
            if (event.kind === "assign") {
              const name = fieldOf(event.target.term, state)
              if (name !== undefined) set.add(name)
            } else if (mayFill(event))
              for (const { term } of event.args) {
                // `state.list.push(x)`, `fill(&mut state.key)`.
                const name = fieldOf(term, state)
                if (name !== undefined) set.add(name)
              }
          }
          if (set.size === 0) continue
          const later = written.get(definition.name) ?? new Set()
          const missing = definition.item.fields.flatMap(({ name, type }) => {
            if (set.has(name) || spare.test(name) || type?.kind !== "path") return []
            const kind = type.path.segments.at(-1)?.name ?? ""
            const matters =
              /^(Pubkey|Address)$/.test(kind) ||
              (/^[iu](8|16|32|64|128)$/.test(kind) && (/bump/.test(name) || !startsAtZero.test(name)))
            return matters && !later.has(name) ? [name] : []
          })
          if (missing.length > 0)
            report({
              ...account.place,
              scope: instruction.handler.qualifiedName,
              message: `Never set: ${missing.map((one) => `\`${one}\``).join(", ")}.`,
            })
        }
    }
  },
  examples: {
    vulnerable: [
      `use anchor_lang::prelude::*;

#[program]
pub mod vaults {
    use super::*;
    pub fn create(ctx: Context<Create>, cap: u64) -> Result<()> {
        let vault = &mut ctx.accounts.vault;
        vault.owner = ctx.accounts.payer.key();
        vault.cap = cap;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Create<'info> {
    #[account(init, payer = payer, space = 8 + 41, seeds = [b"vault"], bump)]
    pub vault: Account<'info, Vault>, // FINDING
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Vault { pub owner: Pubkey, pub cap: u64, pub bump: u8 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod vaults {
    use super::*;
    pub fn create(ctx: Context<Create>, fee: u16) -> Result<()> {
        ctx.accounts.config.fee = fee;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Create<'info> {
    #[account(init, payer = payer, space = 8 + 34)]
    pub config: Account<'info, Config>, // FINDING
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Config { pub admin: Pubkey, pub fee: u16 }
`,
      `use pinocchio::{account_info::AccountInfo, instruction::{Seed, Signer}, program_error::ProgramError, pubkey::{find_program_address, Pubkey}, ProgramResult};

#[repr(C)]
pub struct Offer { pub tag: u8, pub maker: Pubkey, pub mint: Pubkey, pub bump: u8 }

pub fn open(id: &Pubkey, accounts: &[AccountInfo], _data: &[u8]) -> ProgramResult {
    let [maker, offer, ..] = accounts else { // FINDING
        return Err(ProgramError::NotEnoughAccountKeys);
    };
    let (address, bump) = find_program_address(&[b"offer", maker.key()], id);
    if &address != offer.key() { return Err(ProgramError::InvalidSeeds); }
    let nonce = [bump];
    let seeds = [Seed::from(b"offer"), Seed::from(maker.key()), Seed::from(&nonce)];
    pinocchio_system::instructions::CreateAccount { from: maker, to: offer, lamports: 1_000_000, space: 66, owner: id }
        .invoke_signed(&[Signer::from(&seeds)])?;
    let bytes = unsafe { offer.borrow_mut_data_unchecked() };
    let state = unsafe { &mut *(bytes.as_mut_ptr() as *mut Offer) };
    state.tag = 1;
    state.maker = *maker.key();
    state.bump = bump;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod pools {
    use super::*;
    pub fn open(ctx: Context<Open>, rate: u64) -> Result<()> {
        let pool = &mut ctx.accounts.pool;
        pool.admin = ctx.accounts.user.key();
        pool.rate = rate;
        pool.reserve_bump = ctx.bumps.pool;
        Ok(())
    }
    // What another instruction sets where it opens a pool is not set here.
    pub fn open_quickly(ctx: Context<OpenQuickly>) -> Result<()> {
        ctx.accounts.pool.admin = ctx.accounts.user.key();
        Ok(())
    }
    pub fn open_by_hand(ctx: Context<OpenByHand>, rate: u64) -> Result<()> {
        name_admin(&mut ctx.accounts.pool, ctx.accounts.user.key());
        show(ctx.accounts.pool.reserve_bump);
        msg!("{:?}", ctx.accounts.pool.clone());
        ctx.accounts.pool.rate = rate;
        Ok(())
    }
}

fn name_admin(pool: &mut Pool, admin: Pubkey) {
    pool.admin = admin;
}

fn show(bump: u8) {
    msg!("{}", bump);
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(init, payer = user, space = 80, seeds = [b"pool"], bump)]
    pub pool: Account<'info, Pool>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct OpenQuickly<'info> {
    #[account(init, payer = user, space = 80, seeds = [b"pool"], bump)]
    pub pool: Account<'info, Pool>, // FINDING
    #[account(mut)]
    pub user: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct OpenByHand<'info> {
    #[account(init, payer = user, space = 80, seeds = [b"pool"], bump)]
    pub pool: Account<'info, Pool>, // FINDING
    #[account(mut)]
    pub user: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
#[derive(Debug)]
pub struct Pool {
    pub admin: Pubkey,
    pub rate: u64,
    pub reserve_bump: u8,
    pub padding: u64,
}
`,
    ],
    safe: [
      `use anchor_lang::prelude::*;

#[program]
pub mod vaults {
    use super::*;
    pub fn create(ctx: Context<Create>, cap: u64) -> Result<()> {
        ctx.accounts.vault.open(ctx.accounts.payer.key(), cap, ctx.bumps.vault);
        Ok(())
    }
}

impl Vault {
    fn open(&mut self, owner: Pubkey, cap: u64, bump: u8) {
        self.owner = owner;
        self.cap = cap;
        self.bump = bump;
    }
}

#[derive(Accounts)]
pub struct Create<'info> {
    #[account(init, payer = payer, space = 8 + 60, seeds = [b"vault"], bump)]
    pub vault: Account<'info, Vault>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Vault { pub owner: Pubkey, pub cap: u64, pub bump: u8, pub deposited: u64, pub closed: bool, pub _reserved: [u8; 8] }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod vaults {
    use super::*;
    pub fn create(ctx: Context<Create>, fee: u16) -> Result<()> {
        ctx.accounts.config.set_inner(Config { admin: ctx.accounts.payer.key(), fee });
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Create<'info> {
    #[account(init, payer = payer, space = 8 + 34)]
    pub config: Account<'info, Config>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Config { pub admin: Pubkey, pub fee: u16 }
`,
    ],
  },
}

const spare = /^_|reserved|padding|^pad\d*$|unused|spare/

/** Types whose initial value is zero. */
const startsAtZero =
  /count|total|index|nonce|number|last|amount|balance|supply|accrued|claimed|paid|collected|raised|votes|deposited|withdrawn|staked|debt|reserve|reward|pending|next|seq|_id$|^id$|end|delegate|winner|closed|state|status|version/

/** The field of a state that contains a place. */
const fieldOf = (place: Term, state: Term): string | undefined => {
  for (let one = place; one.kind === "field"; one = one.base) if (one.base === state) return one.name
  return undefined
}

/** The whole state is set, or handed to code that is not followed. */
const isFilled = (event: Event, state: Term): boolean =>
  event.kind === "assign"
    ? event.target.term === state
    : mayFill(event) && event.args.some(({ term }) => term === state)

/** Code that is not followed may write to what it is given, unless it is known to read. */
const mayFill = (event: Event): event is CallEvent =>
  event.kind === "call" &&
  event.target?.item.body === undefined &&
  !/^(msg!|emit!|key|to_account_info|clone|as_ref|deref|deref_mut|len|try_borrow_data)$/.test(event.name)

/** Created by this instruction: by Anchor, or in native programs with bytes that are then written field by field. */
const isNew = (instruction: Instruction, account: Account): boolean =>
  instruction.kind === "anchor" ? account.constraints?.init === true : isCreated(instruction, account)
