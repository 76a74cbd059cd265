import { mentions } from "../../../rust/terms/terms.ts"
import { type Event, ofKind } from "../../../rust/terms/events.ts"
import type { Rule } from "../../../Rule.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import { administeredElsewhere } from "../../siblings/administered.ts"
import { signersOf, storedKeys } from "../../authority/authorization.ts"
import { isCreated } from "../../authority/creation.ts"
import { isGlobal } from "../../questions/singleton.ts"
import type { Account, Instruction, SolanaProgram } from "../../program/model.ts"
import { isFromCaller, isTrusted, successAbout, usesOf } from "../../questions/questions.ts"
import { accountOfState, keyOf } from "../../program/semantics.ts"

export const openInitialization: Rule<SolanaProgram> = {
  meta: {
    id: "solana/initialization/open-initialization",
    class: "unprotected-init",
    title: "Anyone can initialize the program's global account first",
    severity: "low",
    // Deployers often initialize in the transaction after deployment, and redeploy if somebody was faster.
    confidence: "medium",
    cwe: [284, 665],
    description:
      "The instruction creates the account that configures the program, at a constant address, and the first " +
      "caller becomes its authority or chooses its settings. An attacker who watches deployments calls it " +
      "before the team does and owns the program from then on.",
    remediation:
      "Let only a known key initialize it: use `#[account(address = ADMIN)]` on the signer, or require the " +
      "program's upgrade authority with `program_data: Account<'info, ProgramData>` and `constraint = " +
      "program_data.upgrade_authority_address == Some(authority.key())`.",
    references: [
      "https://docs.rs/anchor-lang/latest/anchor_lang/accounts/account/struct.Account.html",
      "https://www.helius.dev/blog/a-hitchhikers-guide-to-solana-program-security",
    ],
  },
  check: (program, report) => {
    for (const crate of program.crates)
      for (const instruction of crate.instructions)
        for (const account of instruction.accounts) {
          if (instruction.kind === "native") {
            const write = isGlobal(instruction, account) ? firstRecord(instruction, account) : undefined
            if (write === undefined || !isCreated(instruction, account) || isRestricted(instruction, account)) continue
            report({
              ...placeOf(write),
              message: `The first caller of \`${instruction.name}\` decides what \`${account.name}\` contains.`,
            })
            continue
          }
          // If it may exist already, writing it again is the flaw to report.
          if (account.constraints?.init !== true) continue
          const other = administeredElsewhere(crate, instruction, account)
          if (other !== undefined && !isRestricted(instruction, account)) {
            report({
              ...account.place,
              scope: instruction.handler.qualifiedName,
              severity: "medium",
              message: `Anyone can create \`${account.name}\` with \`${instruction.name}\`, although only the administrator may change it in \`${other.name}\`.`,
            })
            continue
          }
          if (storedKeys(crate, account).length === 0 || !isGlobal(instruction, account)) continue
          const chosen = ofKind(instruction.events, "assign").some(
            (event) =>
              accountOfState(event.target.term) === account.term &&
              (isFromCaller(instruction, event.value.term) ||
                mentions(event.value.term, (one) =>
                  instruction.accounts.some((other) => one === keyOf(instruction.walk.terms, other.term)),
                )),
          )
          if (!chosen || isRestricted(instruction, account)) continue
          report({
            ...account.place,
            scope: instruction.handler.qualifiedName,
            message: `The first caller of \`${instruction.name}\` decides what \`${account.name}\` contains.`,
          })
        }
  },
  examples: {
    vulnerable: [
      `use anchor_lang::prelude::*;

#[program]
pub mod market {
    use super::*;

    pub fn initialize(ctx: Context<Initialize>) -> Result<()> {
        ctx.accounts.config.admin = ctx.accounts.payer.key();
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Initialize<'info> {
    #[account(init, payer = payer, space = 40, seeds = [b"config"], bump)]
    pub config: Account<'info, Config>, // FINDING
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Config {
    pub admin: Pubkey,
}
`,
      `use anchor_lang::prelude::*;

pub const SEED: &[u8] = b"global";

#[program]
pub mod market {
    use super::*;

    pub fn initialize(ctx: Context<Initialize>, admin: Pubkey, fee: u64) -> Result<()> {
        ctx.accounts.config.set_inner(Config { admin, fee });
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Initialize<'info> {
    #[account(init, payer = payer, space = 48, seeds = [SEED], bump)]
    pub config: Account<'info, Config>, // FINDING
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Config {
    pub admin: Pubkey,
    pub fee: u64,
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::program::invoke_signed;
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey, system_instruction};
use borsh::BorshSerialize;

#[derive(BorshSerialize)]
pub struct Config {
    pub boss: Pubkey,
}

pub fn setup(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let [config_info, payer, system] = accounts else { return Err(ProgramError::NotEnoughAccountKeys) };
    let (address, bump) = Pubkey::find_program_address(&[b"config"], program_id);
    if address != *config_info.key || !payer.is_signer {
        return Err(ProgramError::InvalidSeeds);
    }
    invoke_signed(
        &system_instruction::create_account(payer.key, config_info.key, 1_000_000, 32, program_id),
        &[payer.clone(), config_info.clone(), system.clone()],
        &[&[b"config", &[bump]]],
    )?;
    let config = Config { boss: *payer.key };
    config.serialize(&mut &mut config_info.data.borrow_mut()[..])?; // FINDING
    Ok(())
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod market {
    use super::*;

    // What was just stored says nothing of who stored it.
    pub fn open(ctx: Context<Open>) -> Result<()> {
        let config = &mut ctx.accounts.config;
        config.admin = ctx.accounts.payer.key();
        require_keys_eq!(config.admin, ctx.accounts.payer.key());
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(init, payer = payer, space = 40, seeds = [b"config"], bump)]
    pub config: Account<'info, Config>, // FINDING
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Config {
    pub admin: Pubkey,
}
`,
      // Of records, too, that only a fixed signer may change.
      `use anchor_lang::prelude::*;

pub mod clerk {
    use super::*;
    declare_id!("4q2wPZMys1zCoAVpNmhgmofb6YM9MqLXmV25LdtEMAf9");
}

#[program]
pub mod stalls {
    use super::*;
    /// Whoever trades takes the fee for the clerk's.
    pub fn create_tier(ctx: Context<CreateTier>, index: u16, fee: u64) -> Result<()> {
        ctx.accounts.tier.fee = fee;
        ctx.accounts.tier.collector = ctx.accounts.payer.key();
        Ok(())
    }
    pub fn update_tier(ctx: Context<UpdateTier>, fee: u64) -> Result<()> {
        ctx.accounts.tier.fee = fee;
        Ok(())
    }
    pub fn collect(ctx: Context<Collect>) -> Result<()> {
        msg!("{}", ctx.accounts.tier.fee);
        Ok(())
    }
    pub fn permit(ctx: Context<Permit>) -> Result<()> {
        ctx.accounts.permit.trader = ctx.accounts.trader.key();
        Ok(())
    }
    pub fn revoke(_ctx: Context<Revoke>) -> Result<()> {
        Ok(())
    }
}

#[derive(Accounts)]
#[instruction(index: u16)]
pub struct CreateTier<'info> {
    #[account(init, payer = payer, space = 48, seeds = [b"tier", index.to_le_bytes().as_ref()], bump)]
    pub tier: Account<'info, Tier>, // FINDING
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct UpdateTier<'info> {
    #[account(mut)]
    pub tier: Account<'info, Tier>,
    #[account(address = clerk::ID)]
    pub clerk: Signer<'info>,
}

#[derive(Accounts)]
pub struct Collect<'info> {
    pub tier: Account<'info, Tier>,
    #[account(constraint = collector.key() == tier.collector || collector.key() == clerk::ID)]
    pub collector: Signer<'info>,
}

#[derive(Accounts)]
pub struct Permit<'info> {
    #[account(init, payer = payer, space = 40, seeds = [b"permit", trader.key().as_ref()], bump)]
    pub permit: Account<'info, Pass>, // FINDING
    /// CHECK: is permitted
    pub trader: UncheckedAccount<'info>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Revoke<'info> {
    #[account(mut, close = clerk)]
    pub permit: Account<'info, Pass>,
    #[account(mut, address = clerk::ID)]
    pub clerk: Signer<'info>,
}

#[account]
pub struct Tier { pub fee: u64, pub collector: Pubkey }

#[account]
pub struct Pass { pub trader: Pubkey }
`,
    ],
    safe: [
      `use anchor_lang::prelude::*;

#[program]
pub mod market {
    use super::*;

    pub fn initialize(ctx: Context<Initialize>) -> Result<()> {
        ctx.accounts.config.admin = ctx.accounts.payer.key();
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Initialize<'info> {
    #[account(init, payer = payer, space = 40, seeds = [b"config"], bump)]
    pub config: Account<'info, Config>,
    #[account(mut)]
    pub payer: Signer<'info>,
    #[account(constraint = program_data.upgrade_authority_address == Some(payer.key()))]
    pub program_data: Account<'info, ProgramData>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Config {
    pub admin: Pubkey,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod profiles {
    use super::*;

    pub fn open(ctx: Context<Open>) -> Result<()> {
        ctx.accounts.profile.user = ctx.accounts.user.key();
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(init, payer = user, space = 40, seeds = [b"profile", user.key().as_ref()], bump)]
    pub profile: Account<'info, Profile>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Profile {
    pub user: Pubkey,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod market {
    use super::*;

    pub fn open_as_team(ctx: Context<Open>) -> Result<()> {
        team::require_member(&ctx.accounts.payer.key())?;
        ctx.accounts.config.admin = ctx.accounts.payer.key();
        Ok(())
    }

    pub fn open_as_deployer(ctx: Context<Open>) -> Result<()> {
        require!(ctx.accounts.payer.key() == team::deployer(), MarketError::Payer);
        ctx.accounts.config.admin = ctx.accounts.payer.key();
        Ok(())
    }

    pub fn open_as_written(ctx: Context<Open>) -> Result<()> {
        let payer = ctx.accounts.payer.key();
        require!(payer.to_string() == "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin", MarketError::Payer);
        ctx.accounts.config.admin = payer;
        Ok(())
    }

    pub fn open_as_bytes(ctx: Context<Open>) -> Result<()> {
        require!(ctx.accounts.payer.key.to_bytes() == [4, 7, 9, 1], MarketError::Payer);
        ctx.accounts.config.admin = ctx.accounts.payer.key();
        Ok(())
    }

    // Whoever comes later may write it again, which is another rule's concern.
    pub fn open_again(ctx: Context<OpenAgain>) -> Result<()> {
        ctx.accounts.config.admin = ctx.accounts.payer.key();
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(init, payer = payer, space = 40, seeds = [b"config"], bump)]
    pub config: Account<'info, Config>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct OpenAgain<'info> {
    #[account(init_if_needed, payer = payer, space = 40, seeds = [b"config"], bump)]
    pub config: Account<'info, Config>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Config {
    pub admin: Pubkey,
}

#[error_code]
pub enum MarketError {
    Payer,
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::instruction::{AccountMeta, Instruction};
use solana_program::program::{invoke, invoke_signed};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey, system_instruction};
use borsh::BorshSerialize;

pub const ADMIN: Pubkey = solana_program::pubkey!("9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin");

#[derive(BorshSerialize)]
pub struct Config {
    pub admin: Pubkey,
}

#[derive(BorshSerialize)]
pub struct Counter {
    pub count: u64,
}

pub fn open(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let payer = next_account_info(iter)?;
    let config = next_account_info(iter)?;
    if !payer.is_signer || *payer.key != ADMIN {
        return Err(ProgramError::MissingRequiredSignature);
    }
    let (address, bump) = Pubkey::find_program_address(&[b"config"], program_id);
    if address != *config.key {
        return Err(ProgramError::InvalidSeeds);
    }
    let created = system_instruction::create_account(payer.key, config.key, 1_000_000, 32, program_id);
    invoke_signed(&created, &[payer.clone(), config.clone()], &[&[b"config", &[bump]]])?;
    Config { admin: *payer.key }.serialize(&mut *config.data.borrow_mut())?;
    Ok(())
}

/// The first caller decides who is told, and nothing of what is stored.
pub fn open_counter(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let payer = next_account_info(iter)?;
    let counter = next_account_info(iter)?;
    let hook = next_account_info(iter)?;
    if !payer.is_signer {
        return Err(ProgramError::MissingRequiredSignature);
    }
    let (address, bump) = Pubkey::find_program_address(&[b"counter"], program_id);
    if address != *counter.key {
        return Err(ProgramError::InvalidSeeds);
    }
    let created = system_instruction::create_account(payer.key, counter.key, 1_000_000, 8, program_id);
    invoke_signed(&created, &[payer.clone(), counter.clone()], &[&[b"counter", &[bump]]])?;
    Counter { count: 0 }.serialize(&mut *counter.data.borrow_mut())?;
    let metas = vec![AccountMeta::new_readonly(*counter.key, false)];
    invoke(&Instruction { program_id: *hook.key, accounts: metas, data: vec![] }, &[counter.clone()])
}
`,
      `use anchor_lang::prelude::*;

pub mod clerk {
    use super::*;
    declare_id!("4q2wPZMys1zCoAVpNmhgmofb6YM9MqLXmV25LdtEMAf9");
}

#[program]
pub mod stalls {
    use super::*;
    /// The clerk's own.
    pub fn create_tier(ctx: Context<CreateTier>, fee: u64) -> Result<()> {
        ctx.accounts.tier.fee = fee;
        Ok(())
    }
    pub fn update_tier(ctx: Context<UpdateTier>, fee: u64) -> Result<()> {
        ctx.accounts.tier.fee = fee;
        Ok(())
    }
    /// Their owner's, who withdraws; the clerk only sets the fee.
    pub fn open_stall(ctx: Context<OpenStall>) -> Result<()> {
        ctx.accounts.stall.owner = ctx.accounts.payer.key();
        Ok(())
    }
    pub fn open_whole(ctx: Context<OpenStall>) -> Result<()> {
        ctx.accounts.stall.set_inner(Stall { owner: ctx.accounts.payer.key(), fee: 1 });
        Ok(())
    }
    pub fn tax(ctx: Context<Tax>, fee: u64) -> Result<()> {
        ctx.accounts.stall.fee = fee;
        Ok(())
    }
    pub fn withdraw(ctx: Context<Withdraw>) -> Result<()> {
        msg!("{}", ctx.accounts.stall.fee);
        Ok(())
    }
    /// One for each who asks.
    pub fn ask(ctx: Context<Ask>, amount: u64) -> Result<()> {
        ctx.accounts.request.amount = amount;
        Ok(())
    }
    pub fn grant(ctx: Context<Grant>) -> Result<()> {
        ctx.accounts.request.granted = true;
        Ok(())
    }
    /// For anybody, who still waits for the clerk.
    pub fn apply(ctx: Context<Apply>) -> Result<()> {
        ctx.accounts.license.trader = ctx.accounts.trader.key();
        ctx.accounts.license.granted = false;
        Ok(())
    }
    pub fn license(ctx: Context<Licensing>) -> Result<()> {
        ctx.accounts.license.granted = true;
        Ok(())
    }
    /// The clerk is not the only one who changes a rate.
    pub fn quote(ctx: Context<Quote>, rate: u64) -> Result<()> {
        ctx.accounts.rate.value = rate;
        Ok(())
    }
    pub fn fix(ctx: Context<Fix>, rate: u64) -> Result<()> {
        ctx.accounts.rate.value = rate;
        Ok(())
    }
    pub fn bid(ctx: Context<Bid>, rate: u64) -> Result<()> {
        ctx.accounts.rate.value = rate;
        Ok(())
    }
    /// With or without the clerk.
    pub fn note(ctx: Context<Note>) -> Result<()> {
        ctx.accounts.page.notes = 0;
        Ok(())
    }
    pub fn erase(ctx: Context<Erase>) -> Result<()> {
        ctx.accounts.page.notes = 0;
        Ok(())
    }
    /// The clerk, or whoever owns the lot.
    pub fn offer(ctx: Context<Offer>, price: u64) -> Result<()> {
        ctx.accounts.lot.price = price;
        Ok(())
    }
    pub fn reprice(ctx: Context<Reprice>, price: u64) -> Result<()> {
        ctx.accounts.lot.price = price;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct CreateTier<'info> {
    #[account(init, payer = clerk, space = 48)]
    pub tier: Account<'info, Tier>,
    #[account(mut, address = clerk::ID)]
    pub clerk: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct UpdateTier<'info> {
    #[account(mut)]
    pub tier: Account<'info, Tier>,
    #[account(address = clerk::ID)]
    pub clerk: Signer<'info>,
}

#[derive(Accounts)]
pub struct OpenStall<'info> {
    #[account(init, payer = payer, space = 48)]
    pub stall: Account<'info, Stall>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Tax<'info> {
    #[account(mut)]
    pub stall: Account<'info, Stall>,
    #[account(address = clerk::ID)]
    pub clerk: Signer<'info>,
}

#[derive(Accounts)]
pub struct Withdraw<'info> {
    #[account(has_one = owner)]
    pub stall: Account<'info, Stall>,
    pub owner: Signer<'info>,
}

#[derive(Accounts)]
pub struct Ask<'info> {
    #[account(init, payer = payer, space = 48, seeds = [b"request", payer.key().as_ref()], bump)]
    pub request: Account<'info, Request>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Apply<'info> {
    #[account(init, payer = payer, space = 48, seeds = [b"license", trader.key().as_ref()], bump)]
    pub license: Account<'info, License>,
    /// CHECK: may be licensed
    pub trader: UncheckedAccount<'info>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Licensing<'info> {
    #[account(mut)]
    pub license: Account<'info, License>,
    #[account(address = clerk::ID)]
    pub clerk: Signer<'info>,
}

#[derive(Accounts)]
pub struct Grant<'info> {
    #[account(mut)]
    pub request: Account<'info, Request>,
    #[account(address = clerk::ID)]
    pub clerk: Signer<'info>,
}

#[derive(Accounts)]
pub struct Quote<'info> {
    #[account(init, payer = payer, space = 48)]
    pub rate: Account<'info, Rate>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Fix<'info> {
    #[account(mut)]
    pub rate: Account<'info, Rate>,
    #[account(address = clerk::ID)]
    pub clerk: Signer<'info>,
}

#[derive(Accounts)]
pub struct Bid<'info> {
    #[account(mut)]
    pub rate: Account<'info, Rate>,
}

#[derive(Accounts)]
pub struct Note<'info> {
    #[account(init, payer = payer, space = 48)]
    pub page: Account<'info, Page>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Erase<'info> {
    #[account(mut)]
    pub page: Account<'info, Page>,
    #[account(address = clerk::ID)]
    pub clerk: Option<Signer<'info>>,
}

#[derive(Accounts)]
pub struct Offer<'info> {
    #[account(init, payer = payer, space = 48)]
    pub lot: Account<'info, Lot>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Reprice<'info> {
    #[account(mut)]
    pub lot: Account<'info, Lot>,
    #[account(constraint = owner.key() == lot.owner || owner.key() == clerk::ID)]
    pub owner: Signer<'info>,
}

#[account]
pub struct Tier { pub fee: u64 }

#[account]
pub struct Stall { pub owner: Pubkey, pub fee: u64 }

#[account]
pub struct Request { pub amount: u64, pub granted: bool }

#[account]
pub struct License { pub trader: Pubkey, pub granted: bool }

#[account]
pub struct Rate { pub value: u64 }

#[account]
pub struct Page { pub notes: u64 }

#[account]
pub struct Lot { pub owner: Pubkey, pub price: u64 }
`,
    ],
  },
}

/** Where an address of the caller's choice is stored in the account. */
const firstRecord = (instruction: Instruction, account: Account): Event | undefined =>
  usesOf(instruction, account).find(
    ({ kind, event }) =>
      kind === "data-write" &&
      event.kind === "call" &&
      event.args.some(
        ({ term }) =>
          term.kind === "struct" &&
          term.fields.some(([, value]) =>
            instruction.accounts.some((one) => value === keyOf(instruction.walk.terms, one.term)),
          ),
      ),
  )?.event

/** Whether some signer is determined by the program's author: fixed, stored, or the upgrade authority. */
const isRestricted = (instruction: Instruction, created: Account): boolean =>
  signersOf(instruction).some((signer) => {
    const key = keyOf(instruction.walk.terms, signer.term)
    return successAbout(instruction, key).some((fact) => {
      // That the payer could pay, or was recorded, does not identify the payer.
      if (fact.kind === "succeeded")
        return !(fact.call.kind === "call" && /invoke|serialize|^pack|^write/.test(fact.call.name))
      if (fact.kind !== "binary") return fact.kind === "call"
      if (fact.operator === "!=") return false
      const other = mentions(fact.left, (one) => one === key) ? fact.right : fact.left
      return (
        accountOfState(other) !== created.term &&
        (isTrusted(other) || other.kind === "call" || other.kind === "list" || other.kind === "literal")
      )
    })
  })
