import { guaranteed } from "../../../rust/terms/events.ts"
import type { Facts } from "../../../rust/terms/facts.ts"
import { mentions, type Term } from "../../../rust/terms/terms.ts"
import type { Rule } from "../../../Rule.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import { movesValue } from "../../questions/cpi.ts"
import { isMintType, isTokenAccountType } from "../../questions/identity.ts"
import { isAuthorized, signersOf } from "../../authority/authorization.ts"
import type { Account, Cpi, Instruction, SolanaCrate, SolanaProgram } from "../../program/model.ts"
import { accountAt, checksAround, cpisOf } from "../../questions/questions.ts"
import { accountOfState, keyOf, stateOf } from "../../program/semantics.ts"
import { areRelated, roleOf } from "../../questions/signedCpi.ts"
import { structOf } from "../../authority/relations.ts"
import { selfAddresses } from "../../records/selfAddresses.ts"
import { isGlobal } from "../../questions/singleton.ts"

export const sharedAuthority: Rule<SolanaProgram> = {
  meta: {
    id: "solana/pda/shared-authority",
    class: "pda-sharing",
    title: "One PDA signs for several users' vaults",
    severity: "high",
    confidence: "medium",
    cwe: [284, 862],
    description:
      "Tokens leave a vault with the signature of a program address whose seeds contain neither the vault, the " +
      "pool, the destination nor the user, but only something that many of them share, such as a mint. Anyone " +
      "who can open a pool with the same seeds gets the same authority, names someone else's vault in it and " +
      "withdraws.",
    remediation:
      "Derive the authority from what distinguishes the vaults (the pool's address, the user, or the withdrawal " +
      "destination), and declare the same seeds on the account that stores them.",
    references: [
      "https://github.com/coral-xyz/sealevel-attacks/tree/master/programs/8-pda-sharing",
      "https://solana.com/developers/courses/program-security/pda-sharing",
    ],
  },
  check: (program, report) => {
    for (const crate of program.crates)
      for (const instruction of crate.instructions)
        for (const cpi of cpisOf(instruction)) {
          if (cpi.signerSeeds === undefined || !movesValue(cpi)) continue
          const { event } = cpi
          const all = flatten(cpi.signerSeeds)
          const seeds = all.slice(0, -1).filter((one) => !isFixed(one))
          if (all.length < 2) continue
          // The pool itself signs: no other account has its address.
          const authority = roleOf(cpi, "authority")
          if (instruction.accounts.some(({ term, wrapper }) => term === authority && isTyped(wrapper))) continue
          if (seeds.length === 0) {
            if (opensStrangersVault(instruction, cpi)) report({ ...placeOf(event), message: shared })
            continue
          }
          // The token program checks a mint's authority: new tokens come out of nobody's vault.
          if (roleOf(cpi, "from") === undefined && seeds.some((one) => accountOfState(one) !== undefined)) continue
          const facts = guaranteed(event)
          if (seeds.some((seed) => tiesTo(instruction, seed, facts) || isOwnAddress(crate, instruction, seed))) continue
          const understood = seeds.every((seed) => {
            const holder = accountOfState(seed)
            // The mint itself, since the addresses of other accounts tie it.
            if (holder === undefined)
              return instruction.accounts.some((one) => seed.kind === "field" && seed.base === one.term)
            // A mint read from a token account is shared by as many as the mint itself.
            const token = instruction.accounts.find(({ term, state }) => term === holder && isTokenAccountType(state))
            if (token !== undefined && seed.kind === "field" && seed.name === "mint") return true
            // A pool whose address is derived from its contents is unique.
            return !checksAround(event, { term: holder }).some(({ kind }) => kind === "pda" || kind === "key")
          })
          if (!understood) continue
          // A vault at a derived address of its own belongs to one pool only.
          const from = cpi.accounts.find(({ name }) => name === "from")?.term
          if (from !== undefined && checksAround(event, { term: from }).some(({ kind }) => kind === "pda")) continue
          report({ ...placeOf(event), message: shared })
        }
  },
  examples: {
    vulnerable: [
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod pools {
    use super::*;

    pub fn withdraw(ctx: Context<Withdraw>) -> Result<()> {
        let pool = &ctx.accounts.pool;
        let seeds = &[pool.asset.as_ref(), &[pool.bump]];
        let signer = &[&seeds[..]];
        let accounts = Transfer {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.destination.to_account_info(),
            authority: ctx.accounts.authority.to_account_info(),
        };
        let context = CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, signer);
        token::transfer(context, ctx.accounts.vault.amount) // FINDING
    }
}

#[derive(Accounts)]
pub struct Withdraw<'info> {
    #[account(has_one = vault, has_one = destination)]
    pub pool: Account<'info, Pool>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub destination: Account<'info, TokenAccount>,
    /// CHECK: signs
    pub authority: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Pool {
    pub vault: Pubkey,
    pub asset: Pubkey,
    pub destination: Pubkey,
    pub bump: u8,
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Mint, Token, TokenAccount, Transfer};

#[program]
pub mod pools {
    use super::*;

    pub fn withdraw(ctx: Context<Withdraw>, amount: u64) -> Result<()> {
        let bump = ctx.accounts.pool.bump;
        let mint = ctx.accounts.mint.key();
        let seeds: &[&[u8]] = &[b"authority", mint.as_ref(), &[bump]];
        let accounts = Transfer {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.destination.to_account_info(),
            authority: ctx.accounts.authority.to_account_info(),
        };
        let context = CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts);
        token::transfer(context.with_signer(&[seeds]), amount) // FINDING
    }
}

#[derive(Accounts)]
pub struct Withdraw<'info> {
    #[account(has_one = vault, has_one = destination)]
    pub pool: Account<'info, Pool>,
    pub mint: Account<'info, Mint>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub destination: Account<'info, TokenAccount>,
    /// CHECK: signs
    pub authority: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Pool {
    pub vault: Pubkey,
    pub destination: Pubkey,
    pub bump: u8,
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod pools {
    use super::*;

    // Every vault of a mint has the same authority, whichever pool stores the vault.
    pub fn withdraw_by_mint(ctx: Context<Withdraw>, bump: u8) -> Result<()> {
        let seeds = &[ctx.accounts.vault.mint.as_ref(), &[bump]];
        token::transfer(ctx.accounts.context().with_signer(&[&seeds[..]]), ctx.accounts.vault.amount) // FINDING
    }

    pub fn withdraw_asset(ctx: Context<Withdraw>, bump: u8) -> Result<()> {
        let pool = &ctx.accounts.pool;
        require!(pool.asset != ctx.accounts.vault.key(), PoolError::Asset);
        let seeds = &[pool.asset.as_ref(), &[bump]];
        token::transfer(ctx.accounts.context().with_signer(&[&seeds[..]]), ctx.accounts.vault.amount) // FINDING
    }
}

#[derive(Accounts)]
pub struct Withdraw<'info> {
    #[account(has_one = vault, has_one = destination)]
    pub pool: Account<'info, Pool>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub destination: Account<'info, TokenAccount>,
    /// CHECK: signs
    pub authority: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}

impl<'info> Withdraw<'info> {
    fn context(&self) -> CpiContext<'_, '_, '_, 'info, Transfer<'info>> {
        let accounts = Transfer {
            from: self.vault.to_account_info(),
            to: self.destination.to_account_info(),
            authority: self.authority.to_account_info(),
        };
        CpiContext::new(self.token_program.to_account_info(), accounts)
    }
}

#[account]
pub struct Pool {
    pub vault: Pubkey,
    pub asset: Pubkey,
    pub destination: Pubkey,
}

#[error_code]
pub enum PoolError {
    Asset,
}
`,
    ],
    safe: [
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod pools {
    use super::*;

    pub fn withdraw(ctx: Context<Withdraw>) -> Result<()> {
        let pool = &ctx.accounts.pool;
        let seeds = &[pool.destination.as_ref(), &[pool.bump]];
        let signer = &[&seeds[..]];
        token::transfer(ctx.accounts.context().with_signer(signer), ctx.accounts.vault.amount)
    }

    pub fn withdraw_from_pool(ctx: Context<Withdraw>) -> Result<()> {
        let key = ctx.accounts.pool.key();
        let seeds = &[key.as_ref(), &[ctx.accounts.pool.bump]];
        let signer = &[&seeds[..]];
        token::transfer(ctx.accounts.context().with_signer(signer), ctx.accounts.vault.amount)
    }
}

#[derive(Accounts)]
pub struct Withdraw<'info> {
    #[account(has_one = vault, has_one = destination)]
    pub pool: Account<'info, Pool>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub destination: Account<'info, TokenAccount>,
    /// CHECK: signs
    pub authority: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}

impl<'info> Withdraw<'info> {
    fn context(&self) -> CpiContext<'_, '_, '_, 'info, Transfer<'info>> {
        let accounts = Transfer {
            from: self.vault.to_account_info(),
            to: self.destination.to_account_info(),
            authority: self.authority.to_account_info(),
        };
        CpiContext::new(self.token_program.to_account_info(), accounts)
    }
}

#[account]
pub struct Pool {
    pub vault: Pubkey,
    pub destination: Pubkey,
    pub bump: u8,
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod pools {
    use super::*;

    pub fn withdraw(ctx: Context<Withdraw>) -> Result<()> {
        let pool = &ctx.accounts.pool;
        let seeds = &[b"authority".as_ref(), pool.asset.as_ref(), &[pool.bump]];
        let signer = &[&seeds[..]];
        let accounts = Transfer {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.destination.to_account_info(),
            authority: ctx.accounts.authority.to_account_info(),
        };
        let context = CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, signer);
        token::transfer(context, ctx.accounts.vault.amount)
    }
}

#[derive(Accounts)]
pub struct Withdraw<'info> {
    #[account(seeds = [b"pool", pool.asset.as_ref()], bump, has_one = vault, has_one = destination)]
    pub pool: Account<'info, Pool>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub destination: Account<'info, TokenAccount>,
    /// CHECK: signs
    pub authority: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Pool {
    pub vault: Pubkey,
    pub asset: Pubkey,
    pub destination: Pubkey,
    pub bump: u8,
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod pools {
    use super::*;

    // The pool's address is derived from the mint in the seeds.
    pub fn of_mint(ctx: Context<OfMint>) -> Result<()> {
        let pool = &ctx.accounts.pool;
        let seeds = &[b"authority".as_ref(), pool.mint.as_ref(), &[pool.bump]];
        pay(&ctx.accounts.vaults, &ctx.accounts.authority, &[&seeds[..]])
    }

    // The ticket stores which pool it is from.
    pub fn of_ticket(ctx: Context<OfTicket>) -> Result<()> {
        let pool = &ctx.accounts.pool;
        let seeds = &[b"authority".as_ref(), pool.mint.as_ref(), &[pool.bump]];
        pay(&ctx.accounts.vaults, &ctx.accounts.authority, &[&seeds[..]])
    }

    // An authority for each owner.
    pub fn of_owner(ctx: Context<OfTicket>, bump: u8) -> Result<()> {
        let seeds = &[b"authority".as_ref(), ctx.accounts.vaults.to.owner.as_ref(), &[bump]];
        pay(&ctx.accounts.vaults, &ctx.accounts.authority, &[&seeds[..]])
    }

    // The pool signs for itself.
    pub fn of_pool(ctx: Context<OfPool>) -> Result<()> {
        let (mint, bump) = {
            let pool = ctx.accounts.pool.load()?;
            (pool.mint, pool.bump)
        };
        let seeds = &[mint.as_ref(), &[bump]];
        pay(&ctx.accounts.vaults, &ctx.accounts.pool.to_account_info(), &[&seeds[..]])
    }
}

fn pay<'info>(vaults: &Vaults<'info>, authority: &AccountInfo<'info>, signer: &[&[&[u8]]]) -> Result<()> {
    let accounts = Transfer {
        from: vaults.from.to_account_info(),
        to: vaults.to.to_account_info(),
        authority: authority.to_account_info(),
    };
    let program = vaults.token_program.to_account_info();
    token::transfer(CpiContext::new_with_signer(program, accounts, signer), vaults.from.amount)
}

#[derive(Accounts)]
pub struct Vaults<'info> {
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct OfMint<'info> {
    #[account(seeds = [b"pool", pool.mint.as_ref()], bump)]
    pub pool: Account<'info, Pool>,
    pub vaults: Vaults<'info>,
    /// CHECK: signs
    pub authority: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct OfTicket<'info> {
    pub owner: Signer<'info>,
    #[account(has_one = owner, has_one = pool, constraint = ticket.to == vaults.to.key())]
    pub ticket: Account<'info, Ticket>,
    pub pool: Account<'info, Pool>,
    pub vaults: Vaults<'info>,
    /// CHECK: signs
    pub authority: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct OfPool<'info> {
    pub pool: AccountLoader<'info, Pool>,
    pub vaults: Vaults<'info>,
}

#[account]
pub struct Pool {
    pub mint: Pubkey,
    pub bump: u8,
}

#[account]
pub struct Ticket {
    pub owner: Pubkey,
    pub pool: Pubkey,
    pub to: Pubkey,
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Mint, Token, TokenAccount, Transfer};

pub const ADMIN: Pubkey = pubkey!("So11111111111111111111111111111111111111112");
pub const VAULT: Pubkey = pubkey!("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v");

#[program]
pub mod payouts {
    use super::*;

    // The registry derives the authority of a vault from the vault.
    pub fn from_registered(ctx: Context<OfOwner>) -> Result<()> {
        let seeds = registry::signer_seeds(ctx.accounts.payment.vault.key());
        token::transfer(ctx.accounts.payment.context().with_signer(&[seeds]), ctx.accounts.ticket.amount)
    }

    pub fn from_known(ctx: Context<OfOwner>, bump: u8) -> Result<()> {
        require_keys_eq!(ctx.accounts.payment.vault.key(), VAULT);
        let seeds: &[&[u8]] = &[b"authority", &[bump]];
        token::transfer(ctx.accounts.payment.context().with_signer(&[seeds]), ctx.accounts.ticket.amount)
    }

    pub fn from_checked(ctx: Context<OfOwner>, bump: u8) -> Result<()> {
        registry::assert_current(&ctx.accounts.payment.vault)?;
        let seeds: &[&[u8]] = &[b"authority", &[bump]];
        token::transfer(ctx.accounts.payment.context().with_signer(&[seeds]), ctx.accounts.ticket.amount)
    }

    // Everything of a mint belongs to everybody: the ticket says of which one it may be paid.
    pub fn from_mint(ctx: Context<FromMint>, bump: u8) -> Result<()> {
        let seeds: &[&[u8]] = &[b"authority", &[bump]];
        token::transfer(ctx.accounts.payment.context().with_signer(&[seeds]), ctx.accounts.ticket.amount)
    }

    // Anyone may pay out what is due, to whom it is due.
    pub fn settle(ctx: Context<Settle>, bump: u8) -> Result<()> {
        let seeds: &[&[u8]] = &[b"authority", &[bump]];
        token::transfer(ctx.accounts.payment.context().with_signer(&[seeds]), ctx.accounts.ticket.amount)
    }

    pub fn sweep(ctx: Context<Sweep>, bump: u8) -> Result<()> {
        let seeds: &[&[u8]] = &[b"authority", &[bump]];
        let amount = ctx.accounts.payment.vault.amount;
        token::transfer(ctx.accounts.payment.context().with_signer(&[seeds]), amount)
    }

    pub fn sweep_by_config(ctx: Context<SweepByConfig>, bump: u8) -> Result<()> {
        let seeds: &[&[u8]] = &[b"authority", &[bump]];
        let amount = ctx.accounts.payment.vault.amount;
        token::transfer(ctx.accounts.payment.context().with_signer(&[seeds]), amount)
    }
}

#[derive(Accounts)]
pub struct Payment<'info> {
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    /// CHECK: signs
    pub authority: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}

impl<'info> Payment<'info> {
    fn context(&self) -> CpiContext<'_, '_, '_, 'info, Transfer<'info>> {
        let accounts = Transfer {
            from: self.vault.to_account_info(),
            to: self.to.to_account_info(),
            authority: self.authority.to_account_info(),
        };
        CpiContext::new(self.token_program.to_account_info(), accounts)
    }
}

#[derive(Accounts)]
pub struct OfOwner<'info> {
    pub owner: Signer<'info>,
    #[account(has_one = owner)]
    pub ticket: Account<'info, Ticket>,
    pub payment: Payment<'info>,
}

#[derive(Accounts)]
pub struct FromMint<'info> {
    pub owner: Signer<'info>,
    #[account(has_one = owner, constraint = ticket.mint == payment.vault.mint)]
    pub ticket: Account<'info, Ticket>,
    pub payment: Payment<'info>,
}

#[derive(Accounts)]
pub struct Settle<'info> {
    #[account(constraint = ticket.to == payment.to.key())]
    pub ticket: Account<'info, Ticket>,
    pub payment: Payment<'info>,
}

#[derive(Accounts)]
pub struct Sweep<'info> {
    #[account(address = ADMIN)]
    pub admin: Signer<'info>,
    pub mint: Account<'info, Mint>,
    pub payment: Payment<'info>,
}

#[derive(Accounts)]
pub struct SweepByConfig<'info> {
    pub admin: Signer<'info>,
    #[account(seeds = [b"config"], bump, has_one = admin)]
    pub config: Account<'info, Config>,
    pub payment: Payment<'info>,
}

#[account]
pub struct Ticket {
    pub owner: Pubkey,
    pub mint: Pubkey,
    pub to: Pubkey,
    pub amount: u64,
}

#[account]
pub struct Config {
    pub admin: Pubkey,
}
`,
      // Each vault stores its own address as a seed.
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod bank {
    use super::*;
    pub fn open(ctx: Context<Open>) -> Result<()> {
        ctx.accounts.vault.seed = ctx.accounts.vault.key();
        ctx.accounts.vault.owner = ctx.accounts.owner.key();
        Ok(())
    }
    pub fn withdraw(ctx: Context<Withdraw>, amount: u64) -> Result<()> {
        let seed = ctx.accounts.vault.seed;
        let seeds: &[&[u8]] = &[seed.as_ref(), &[ctx.accounts.vault.bump]];
        let accounts = Transfer {
            from: ctx.accounts.tokens.to_account_info(),
            to: ctx.accounts.receiver.to_account_info(),
            authority: ctx.accounts.keeper.to_account_info(),
        };
        token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, &[seeds]), amount)
    }
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(init, payer = owner, space = 80)]
    pub vault: Account<'info, Vault>,
    #[account(mut)]
    pub owner: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Withdraw<'info> {
    #[account(has_one = owner)]
    pub vault: Account<'info, Vault>,
    pub owner: Signer<'info>,
    /// CHECK: signs
    pub keeper: UncheckedAccount<'info>,
    #[account(mut)]
    pub tokens: Account<'info, TokenAccount>,
    #[account(mut)]
    pub receiver: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Vault { pub seed: Pubkey, pub owner: Pubkey, pub bump: u8 }
`,
    ],
  },
}

const flatten = (term: Term): ReadonlyArray<Term> => (term.kind === "list" ? term.elements.flatMap(flatten) : [term])

const isFixed = (term: Term): boolean => term.kind === "literal" || term.kind === "constant"

/**
 * Whether a seed is tied to an account of the instruction that is more than a mint: its address, or a field that names
 * one.
 */
const tiesTo = (instruction: Instruction, seed: Term, facts: Facts): boolean =>
  instruction.accounts.some((account) => {
    if (isMintType(account.state)) return false
    const key = keyOf(instruction.walk.terms, account.term)
    return mentions(seed, (one) => one === key) || facts.has(instruction.walk.terms.binary("==", seed, key))
  })

/** Whether the record that stores it put its own address there. */
const isOwnAddress = (crate: SolanaCrate, instruction: Instruction, seed: Term): boolean => {
  const holder = accountAt(instruction, accountOfState(seed))
  const struct = holder === undefined ? undefined : structOf(instruction, holder)
  return struct !== undefined && seed.kind === "field" && selfAddresses(crate).get(struct)?.has(seed.name) === true
}

const isTyped = (wrapper: Account["wrapper"]): boolean => wrapper === "state" || wrapper === "loader"

/** One address signs for every vault, and the vault may be any of them: it does not matter whose record was passed. */
const opensStrangersVault = (instruction: Instruction, cpi: Cpi): boolean => {
  const from = accountAt(instruction, roleOf(cpi, "from"))
  if (from === undefined) return false
  const known = checksAround(cpi.event, from)
  if (known.some(({ kind }) => kind === "key" || kind === "pda" || kind === "call")) return false
  const { terms } = instruction.walk
  const facts = guaranteed(cpi.event)
  // The signer's own tokens, which the program was allowed to spend.
  const own = stateOf(terms, from.term)
  if (signersOf(instruction).some(({ term }) => areRelated(facts, keyOf(terms, term), own))) return false
  const records = instruction.accounts.filter(
    (one) => isTyped(one.wrapper) && !isTokenAccountType(one.state) && !isMintType(one.state),
  )
  if (records.some((one) => areRelated(facts, stateOf(terms, one.term), from.term))) return false
  return records.some((one) => !isGlobal(instruction, one) && isAuthorized(instruction, one))
}

const shared = "The seeds of the signing address do not distinguish pools or users."
