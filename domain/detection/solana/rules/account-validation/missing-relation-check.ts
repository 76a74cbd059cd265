import { oncePer } from "../../../oncePer.ts"
import type { FunctionDefinition } from "../../../rust/crate/crate.ts"
import { type Event, ofKind } from "../../../rust/terms/events.ts"
import { mentions } from "../../../rust/terms/terms.ts"
import type { Rule } from "../../../Rule.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import { reasonFor } from "../../siblings/expectationMessages.ts"
import { missingTies } from "../../siblings/expectations.ts"
import { looseRelations } from "../../siblings/looseRelations.ts"
import { isPinned, isTokenAccountType, readType } from "../../questions/identity.ts"
import type { Account, AccountCheck, AccountUse, Instruction, SolanaCrate, SolanaProgram } from "../../program/model.ts"
import { signedCpisOf } from "../../questions/signedCpi.ts"
import { isDealtIn, reachesCaller } from "../../payments/gains.ts"
import { weightOfLooseTie } from "../../payments/weights.ts"
import { checksSomewhere, checksWhenDone, usesOf } from "../../questions/questions.ts"
import { accountOfState, keyOf } from "../../program/semantics.ts"
import { signersOf } from "../../authority/authorization.ts"
import { paysIn } from "../../ties/parties.ts"
import { paysForNew } from "../../ties/tied.ts"
import { tiesOf } from "../../ties/ties.ts"

export const missingRelationCheck: Rule<SolanaProgram> = {
  meta: {
    id: "solana/account-validation/missing-relation-check",
    class: "account-data-matching",
    title: "Missing relation check between accounts",
    severity: "high",
    confidence: "medium",
    cwe: [639, 345],
    description:
      "The instruction takes accounts that should belong together, such as a vault and its authority, or a " +
      "token account and its owner, but never compares the address that one of them stores with the other. An " +
      "attacker combines a victim's account with one of their own: each is valid by itself, and the program " +
      "acts on the victim's account with the attacker's authority.",
    remediation:
      "Link the accounts: `#[account(has_one = authority)]`, a `constraint` that compares the stored key, " +
      "`token::authority = …`, or seeds that contain the other account's key. In native programs, compare the " +
      "keys and return an error.",
    references: [
      "https://github.com/coral-xyz/sealevel-attacks/tree/master/programs/1-account-data-matching",
      "https://solana.com/developers/courses/program-security/account-data-matching",
    ],
  },
  check: (program, report) => {
    for (const crate of program.crates)
      for (const instruction of crate.instructions) {
        // A handler that only panics, with its work done elsewhere, does no harm.
        if (!ofKind(instruction.events, "exit").some((event) => event.success)) continue
        for (const account of instruction.accounts) {
          const read = strangersToken(instruction, account)
          if (read !== undefined)
            report({
              ...placeOf(read),
              ...(reachesCaller(instruction) ? {} : { severity: "low" as const }),
              message: `\`${account.name}\` may be anyone's token account.`,
            })
        }
        for (const { holder, field, other } of looseRelations(crate, instruction)) {
          const use = firstRead(instruction, holder)
          const missing = missingTies(crate).find((one) => one.account === other)
          report({
            ...(missing === undefined ? {} : { trace: reasonFor(missing).trace }),
            ...(use === undefined
              ? { ...holder.place, scope: instruction.handler.qualifiedName }
              : placeOfRead(crate, instruction, use.event)),
            ...weightOfLooseTie(crate, instruction, holder, other),
            ...(signersOf(instruction).includes(other) ||
            reachesCaller(instruction) ||
            signedCpisOf(instruction).length > 0 ||
            [holder, other].some((one) => isDealtIn(instruction, one))
              ? {}
              : { severity: "low" as const }),
            // Whoever brings their own tokens signs for them, and need not be the one whom the record names.
            ...(signersOf(instruction).includes(other) &&
            (/payer|funder/.test(other.name) || paysIn(instruction, other) || paysForNew(instruction, other))
              ? { severity: "low" as const }
              : {}),
            message: `\`${holder.name}\` stores \`${field}\`, but \`${instruction.name}\` never compares it with \`${other.name}\`.`,
          })
        }
      }
  },
  examples: {
    vulnerable: [
      // The token program compares the mint only if there is something to mint; its supply is written down anyway.
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Mint, MintTo, Token, TokenAccount};

#[program]
pub mod orchard {
    use super::*;
    pub fn settle(ctx: Context<Settle>) -> Result<()> {
        let fee = ctx.accounts.orchard.fee;
        if fee > 0 {
            let seeds: &[&[u8]] = &[b"gardener", &[ctx.bumps.gardener]];
            let accounts = MintTo {
                mint: ctx.accounts.share_mint.to_account_info(),
                to: ctx.accounts.treasury.to_account_info(),
                authority: ctx.accounts.gardener.to_account_info(),
            };
            token::mint_to(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, &[seeds]), fee)?;
        }
        ctx.accounts.orchard.shares = ctx.accounts.share_mint.supply;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Settle<'info> {
    #[account(mut, has_one = treasury)]
    pub orchard: Account<'info, Orchard>, // FINDING
    #[account(mut)]
    pub share_mint: Account<'info, Mint>,
    #[account(mut)]
    pub treasury: Account<'info, TokenAccount>,
    /// CHECK: signs
    #[account(seeds = [b"gardener"], bump)]
    pub gardener: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Orchard { pub share_mint: Pubkey, pub treasury: Pubkey, pub fee: u64, pub shares: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::associated_token::{create, Create};
use anchor_spl::token::{Mint, Token};

#[program]
pub mod tiers {
    use super::*;
    /// A check of two numbers is not one of whose they are.
    pub fn tune(ctx: Context<Tune>) -> Result<()> {
        rates::check_rate(ctx.accounts.tier.rate, ctx.accounts.group.cap)?;
        ctx.accounts.tier.initialize(ctx.accounts.group.cap);
        Ok(())
    }
    /// The lock says that the line is of that ledger.
    pub fn lock(ctx: Context<Freeze>) -> Result<()> {
        let lock = &mut ctx.accounts.lock;
        lock.ledger = ctx.accounts.ledger.key();
        lock.line = ctx.accounts.line.key();
        Ok(())
    }
    /// Nothing moves yet, so nobody asks which coin it is.
    pub fn prepare(ctx: Context<Prepare>) -> Result<()> {
        let house = ctx.accounts.house.key();
        let made = Create {
            payer: ctx.accounts.payer.to_account_info(),
            associated_token: ctx.accounts.purse.to_account_info(),
            authority: ctx.accounts.keeper.to_account_info(),
            mint: ctx.accounts.coin.to_account_info(),
            system_program: ctx.accounts.system_program.to_account_info(),
            token_program: ctx.accounts.token_program.to_account_info(),
        };
        let seeds: &[&[&[u8]]] = &[&[b"keeper", house.as_ref(), &[ctx.bumps.keeper]]];
        create(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), made, seeds))
    }
}

#[derive(Accounts)]
pub struct Freeze<'info> {
    pub ledger: Account<'info, Ledger>,
    #[account(has_one = holder)]
    pub line: Account<'info, Line>, // FINDING
    #[account(init, payer = holder, space = 80)]
    pub lock: Account<'info, Lock>,
    #[account(mut)]
    pub holder: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Prepare<'info> {
    pub house: Account<'info, House>, // FINDING
    pub coin: Account<'info, Mint>,
    /// CHECK: signs
    #[account(seeds = [b"keeper", house.key().as_ref()], bump)]
    pub keeper: UncheckedAccount<'info>,
    /// CHECK: is made here
    #[account(mut)]
    pub purse: UncheckedAccount<'info>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct House { pub coin: Pubkey }

#[account]
pub struct Lock { pub ledger: Pubkey, pub line: Pubkey }

#[account]
pub struct Ledger { pub admin: Pubkey }

#[account]
pub struct Line { pub ledger: Pubkey, pub holder: Pubkey, pub units: u64 }

#[derive(Accounts)]
pub struct Tune<'info> {
    #[account(has_one = admin)]
    pub group: Account<'info, Group>,
    pub admin: Signer<'info>,
    #[account(mut)]
    pub tier: Account<'info, Tier>, // FINDING
}

#[account]
pub struct Group { pub admin: Pubkey, pub cap: u64 }

#[account]
pub struct Tier { pub group: Pubkey, pub rate: u64 }

impl Tier {
    pub fn initialize(&mut self, rate: u64) {
        self.rate = rate;
    }
}
`,
      `use anchor_lang::prelude::*;
use depot_types::state::{Depot, Rack};

#[program]
pub mod depots {
    use super::*;
    pub fn fill(ctx: Context<Fill>, amount: u64) -> Result<()> {
        let mut rack = ctx.accounts.rack.load_mut()?;
        rack.filled = rack.filled.checked_add(amount).unwrap();
        Ok(())
    }
    pub fn empty(ctx: Context<Empty>) -> Result<()> {
        let mut depot = ctx.accounts.depot.load_mut()?; // FINDING
        depot.filled = 0;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Fill<'info> {
    #[account(has_one = keeper)]
    pub depot: AccountLoader<'info, Depot>,
    pub keeper: Signer<'info>,
    #[account(mut, has_one = depot)]
    pub rack: AccountLoader<'info, Rack>,
}

// The types are of a crate that is not here: what they store is known from the other instruction.
#[derive(Accounts)]
pub struct Empty<'info> {
    #[account(mut)]
    pub depot: AccountLoader<'info, Depot>,
    pub keeper: Signer<'info>,
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, program_pack::Pack, pubkey::Pubkey};
use spl_token::state::Account;

// Whoever holds enough may enter, and nobody asks who holds it.
pub fn enter(_program_id: &Pubkey, accounts: &[AccountInfo], least: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let held_info = next_account_info(iter)?;
    let held = Account::unpack(&held_info.data.borrow())?; // FINDING
    if held.amount < least {
        return Err(ProgramError::InsufficientFunds);
    }
    Ok(())
}

// Nothing of it is looked at but that it can be read.
pub fn show(_program_id: &Pubkey, accounts: &[AccountInfo], note: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let held_info = next_account_info(iter)?;
    Account::unpack(&held_info.data.borrow())?; // FINDING
    if note > 5 {
        return Err(ProgramError::InvalidArgument);
    }
    Ok(())
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod vaults {
    use super::*;

    pub fn withdraw(ctx: Context<Withdraw>, amount: u64) -> Result<()> {
        **ctx.accounts.vault.to_account_info().try_borrow_mut_lamports()? -= amount;
        **ctx.accounts.authority.to_account_info().try_borrow_mut_lamports()? += amount;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Withdraw<'info> {
    #[account(mut)]
    pub vault: Account<'info, Vault>, // FINDING
    #[account(mut)]
    pub authority: Signer<'info>,
}

#[account]
pub struct Vault {
    pub authority: Pubkey,
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::TokenAccount;

#[program]
pub mod votes {
    use super::*;

    pub fn vote(ctx: Context<Vote>) -> Result<()> {
        ctx.accounts.poll.votes += ctx.accounts.holding.amount; // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Vote<'info> {
    #[account(mut)]
    pub poll: Account<'info, Poll>,
    pub holding: Account<'info, TokenAccount>,
    pub voter: Signer<'info>,
}

#[account]
pub struct Poll {
    pub votes: u64,
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::program::{invoke, invoke_signed};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey, system_instruction};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Ballot {
    pub voter: Pubkey,
    pub poll: Pubkey,
    pub weight: u64,
}

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Poll {
    pub yes: u64,
}

pub fn tally(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let ballot_info = next_account_info(iter)?;
    let poll_info = next_account_info(iter)?;
    let voter = next_account_info(iter)?;
    if ballot_info.owner != program_id || poll_info.owner != program_id || !voter.is_signer {
        return Err(ProgramError::IllegalOwner);
    }
    let ballot = Ballot::try_from_slice(&ballot_info.data.borrow())?; // FINDING
    if ballot.voter != *voter.key {
        return Err(ProgramError::InvalidArgument);
    }
    let mut poll = Poll::try_from_slice(&poll_info.data.borrow())?;
    poll.yes = poll.yes.checked_add(ballot.weight).ok_or(ProgramError::InvalidArgument)?;
    poll.serialize(&mut &mut poll_info.data.borrow_mut()[..])?;
    Ok(())
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Purse {
    pub boss: Pubkey,
    pub store: Pubkey,
}

pub fn draw(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let purse_info = next_account_info(iter)?;
    let chest = next_account_info(iter)?;
    let caller = next_account_info(iter)?;
    if purse_info.owner != program_id || !caller.is_signer {
        return Err(ProgramError::IllegalOwner);
    }
    let purse = Purse::try_from_slice(&purse_info.data.borrow())?; // FINDING
    if purse.store != *chest.key {
        return Err(ProgramError::InvalidAccountData);
    }
    **chest.lamports.borrow_mut() -= amount;
    **caller.lamports.borrow_mut() += amount;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod stashes {
    use super::*;

    pub fn open(ctx: Context<Open>) -> Result<()> {
        ctx.accounts.stash.holder = ctx.accounts.user.key();
        Ok(())
    }

    pub fn take(ctx: Context<Take>, amount: u64) -> Result<()> {
        let stash = &mut ctx.accounts.stash;
        stash.balance = stash.balance.checked_sub(amount).ok_or(ErrorCode::Low)?;
        let accounts = Transfer {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.mine.to_account_info(),
            authority: ctx.accounts.keeper.to_account_info(),
        };
        let seeds: &[&[&[u8]]] = &[&[b"keeper", &[ctx.bumps.keeper]]];
        token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, seeds), amount)
    }
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(init, payer = user, space = 64)]
    pub stash: Account<'info, Stash>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Take<'info> {
    #[account(mut)]
    pub stash: Account<'info, Stash>, // FINDING
    #[account(mut, token::authority = user)]
    pub mine: Account<'info, TokenAccount>,
    #[account(mut, seeds = [b"tokens"], bump)]
    pub vault: Account<'info, TokenAccount>,
    /// CHECK: signs
    #[account(seeds = [b"keeper"], bump)]
    pub keeper: UncheckedAccount<'info>,
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Stash {
    pub holder: Pubkey,
    pub balance: u64,
}

#[error_code]
pub enum ErrorCode {
    Low,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod tickets {
    use super::*;

    pub fn order(ctx: Context<Order>, amount: u64) -> Result<()> {
        ctx.accounts.ticket.heir = ctx.accounts.user.key();
        ctx.accounts.ticket.amount = amount;
        Ok(())
    }

    pub fn claim(ctx: Context<Claim>) -> Result<()> {
        require!(ctx.accounts.ticket.amount != 0, ErrorCode::ConstraintRaw);
        ctx.accounts.ticket.amount = 0;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Order<'info> {
    #[account(init, payer = user, space = 64)]
    pub ticket: Account<'info, Ticket>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Claim<'info> {
    #[account(mut, close = to)]
    pub ticket: Account<'info, Ticket>, // FINDING
    #[account(mut)]
    pub to: SystemAccount<'info>,
}

#[account]
pub struct Ticket { pub heir: Pubkey, pub amount: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod orchards {
    use super::*;

    pub fn pick(ctx: Context<Pick>) -> Result<()> {
        let due = ctx.accounts.plot.trees.checked_mul(ctx.accounts.orchard.yield_each).unwrap();
        ctx.accounts.plot.trees = 0;
        let fruit = ctx.accounts.orchard.fruit;
        let seeds: &[&[u8]] = &[b"orchard", fruit.as_ref(), &[ctx.accounts.orchard.bump]];
        token::transfer(
            CpiContext::new_with_signer(
                ctx.accounts.token_program.to_account_info(),
                Transfer {
                    from: ctx.accounts.store.to_account_info(),
                    to: ctx.accounts.basket.to_account_info(),
                    authority: ctx.accounts.orchard.to_account_info(),
                },
                &[seeds],
            ),
            due,
        )
    }
}

#[derive(Accounts)]
pub struct Pick<'info> {
    #[account(has_one = store)]
    pub orchard: Account<'info, Orchard>,
    #[account(mut, has_one = tenant)]
    pub plot: Account<'info, Plot>, // FINDING
    #[account(mut)]
    pub store: Account<'info, TokenAccount>,
    #[account(mut)]
    pub basket: Account<'info, TokenAccount>,
    pub tenant: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Orchard { pub fruit: Pubkey, pub store: Pubkey, pub yield_each: u64, pub bump: u8 }

#[account]
pub struct Plot { pub tenant: Pubkey, pub orchard: Pubkey, pub trees: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod petitions {
    use super::*;

    pub fn file(ctx: Context<File>) -> Result<()> {
        ctx.accounts.petition.author = ctx.accounts.author.key();
        ctx.accounts.petition.stage = Stage::Open;
        Ok(())
    }

    pub fn recall(ctx: Context<Recall>) -> Result<()> {
        ctx.accounts.petition.stage = Stage::Recalled;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct File<'info> {
    #[account(init, payer = author, space = 64)]
    pub petition: Account<'info, Petition>,
    #[account(mut)]
    pub author: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Recall<'info> {
    #[account(mut)]
    pub petition: Account<'info, Petition>, // FINDING
    pub author: Signer<'info>,
}

#[account]
pub struct Petition { pub author: Pubkey, pub stage: Stage }

#[derive(AnchorSerialize, AnchorDeserialize, Clone, PartialEq)]
pub enum Stage { Open, Recalled }
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, program_pack::Pack, pubkey::Pubkey};
use spl_token::state::Account;

// Every token account belongs to the token program.
pub fn enter(_program_id: &Pubkey, accounts: &[AccountInfo], least: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let held_info = next_account_info(iter)?;
    if *held_info.owner != spl_token::id() {
        return Err(ProgramError::IllegalOwner);
    }
    let held = Account::unpack(&held_info.data.borrow())?; // FINDING
    if held.amount < least {
        return Err(ProgramError::InsufficientFunds);
    }
    Ok(())
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{Mint, Token, TokenAccount};
use anchor_spl::token_2022::spl_token_2022;
use anchor_lang::solana_program::program::invoke;

#[program]
pub mod trades {
    use super::*;
    /// A checked transfer checks decimals, and not what the settings have to do with the market.
    pub fn trade(ctx: Context<Trade>, amount: u64) -> Result<()> {
        let fee = amount * ctx.accounts.settings.fee / 10_000;
        let order = spl_token_2022::instruction::transfer_checked(
            ctx.accounts.token_program.key,
            &ctx.accounts.from.key(),
            &ctx.accounts.mint.key(),
            &ctx.accounts.vault.key(),
            ctx.accounts.trader.key,
            &[],
            amount + fee,
            ctx.accounts.mint.decimals,
        )?;
        invoke(&order, &[ctx.accounts.from.to_account_info(), ctx.accounts.vault.to_account_info()])?;
        Ok(())
    }

    /// The lock is made out by the market, to whom the caller likes.
    pub fn lock(ctx: Context<Lock>, amount: u64) -> Result<()> {
        let accounts = locks::cpi::accounts::Lock {
            sender: ctx.accounts.market.to_account_info(),
            recipient: ctx.accounts.heir.to_account_info(),
        };
        let seeds: &[&[&[u8]]] = &[&[ctx.accounts.market.to_account_info().key.as_ref(), &[ctx.accounts.market.bump]]];
        locks::cpi::lock(CpiContext::new_with_signer(ctx.accounts.locks.to_account_info(), accounts, seeds), amount)
    }
}

#[derive(Accounts)]
pub struct Trade<'info> {
    pub settings: Account<'info, Settings>,
    #[account(has_one = vault)]
    pub market: Account<'info, Market>, // FINDING
    #[account(mut, token::mint = mint)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    pub mint: Account<'info, Mint>,
    pub trader: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Lock<'info> {
    pub market: Account<'info, Market>, // FINDING
    /// CHECK: is named in the lock
    pub heir: UncheckedAccount<'info>,
    pub locks: Program<'info, Locks>,
}

#[account]
pub struct Market {
    pub settings: Pubkey,
    pub vault: Pubkey,
    pub heir: Pubkey,
    pub bump: u8,
}

#[account]
pub struct Settings {
    pub fee: u64,
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{Mint, TokenAccount};

#[program]
pub mod kiosks {
    use super::*;
    /// There are many price lists for one mint.
    pub fn close(ctx: Context<Close>) -> Result<()> {
        let kiosk = &mut ctx.accounts.kiosk;
        kiosk.rest = ctx.accounts.prices.rest;
        Ok(())
    }

    pub fn open(ctx: Context<Open>) -> Result<()> {
        ctx.accounts.kiosk.prices = ctx.accounts.prices.key();
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Close<'info> {
    #[account(mut, has_one = owner, has_one = till)]
    pub kiosk: Account<'info, Kiosk>, // FINDING
    #[account(has_one = mint)]
    pub prices: Account<'info, Prices>,
    #[account(token::mint = mint)]
    pub till: Account<'info, TokenAccount>,
    pub mint: Account<'info, Mint>,
    pub owner: Signer<'info>,
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(mut, has_one = owner)]
    pub kiosk: Account<'info, Kiosk>,
    pub prices: Account<'info, Prices>,
    pub owner: Signer<'info>,
}

#[account]
pub struct Kiosk {
    pub owner: Pubkey,
    pub till: Pubkey,
    pub prices: Pubkey,
    pub rest: u64,
}

#[account]
pub struct Prices {
    pub mint: Pubkey,
    pub rest: u64,
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, spl_token::instruction::AuthorityType, Mint, SetAuthority, Token};

#[program]
pub mod mints {
    use super::*;
    pub fn take_over(ctx: Context<TakeOver>) -> Result<()> {
        let accounts = SetAuthority {
            current_authority: ctx.accounts.press.to_account_info(),
            account_or_mint: ctx.accounts.mint.to_account_info(),
        };
        let seeds: &[&[&[u8]]] = &[&[b"press", &[ctx.accounts.press.bump]]];
        let context = CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, seeds);
        token::set_authority(context, AuthorityType::MintTokens, Some(ctx.accounts.boss.key()))
    }

    /// The program signs for what the caller says.
    pub fn vote(ctx: Context<Vote>, side: u8) -> Result<()> {
        let accounts = polls::cpi::accounts::Cast {
            poll: ctx.accounts.poll.to_account_info(),
            voter: ctx.accounts.press.to_account_info(),
        };
        let seeds: &[&[&[u8]]] = &[&[b"press", &[ctx.accounts.press.bump]]];
        polls::cpi::cast(CpiContext::new_with_signer(ctx.accounts.polls.to_account_info(), accounts, seeds), side)
    }
}

#[derive(Accounts)]
pub struct TakeOver<'info> {
    #[account(seeds = [b"press"], bump = press.bump, has_one = mint)]
    pub press: Account<'info, Press>, // FINDING
    #[account(mut)]
    pub mint: Account<'info, Mint>,
    pub boss: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Vote<'info> {
    #[account(seeds = [b"press"], bump = press.bump)]
    pub press: Account<'info, Press>, // FINDING
    /// CHECK: the other program's
    #[account(mut)]
    pub poll: UncheckedAccount<'info>,
    pub boss: Signer<'info>,
    pub polls: Program<'info, Polls>,
}

#[account]
pub struct Press {
    pub mint: Pubkey,
    pub boss: Pubkey,
    pub bump: u8,
}
`,
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::sysvar::instructions::get_instruction_relative;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod harvests {
    use super::*;
    pub fn open(ctx: Context<Open>) -> Result<()> {
        ctx.accounts.field.farmer = ctx.accounts.farmer.key();
        Ok(())
    }

    pub fn share(ctx: Context<ShareOut>) -> Result<()> {
        let due = ctx.accounts.share.due;
        ctx.accounts.field.taken += due;
        **ctx.accounts.field.to_account_info().try_borrow_mut_lamports()? -= due;
        **ctx.accounts.helper.to_account_info().try_borrow_mut_lamports()? += due;
        Ok(())
    }
    // More than the rent.
    pub fn note(ctx: Context<Write>) -> Result<()> {
        let due = ctx.accounts.field.taken;
        ctx.accounts.field.taken += 1;
        **ctx.accounts.field.to_account_info().try_borrow_mut_lamports()? -= due;
        **ctx.accounts.payer.to_account_info().try_borrow_mut_lamports()? += due;
        Ok(())
    }
    // The instruction before says nothing about the caller.
    pub fn lend(ctx: Context<Lend>, amount: u64) -> Result<()> {
        let before = get_instruction_relative(-1, &ctx.accounts.instructions)?;
        require_keys_eq!(before.program_id, scheduler::ID);
        ctx.accounts.field.taken += amount;
        let seeds: &[&[&[u8]]] = &[&[b"barn", &[ctx.bumps.barn]]];
        let lent = Transfer {
            from: ctx.accounts.store.to_account_info(),
            to: ctx.accounts.target.to_account_info(),
            authority: ctx.accounts.barn.to_account_info(),
        };
        token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), lent, seeds), amount)
    }
}

#[derive(Accounts)]
pub struct ShareOut<'info> {
    #[account(mut)]
    pub field: Account<'info, Field>, // FINDING
    #[account(has_one = helper)]
    pub share: Account<'info, Share>, // FINDING
    /// CHECK: paid
    #[account(mut)]
    pub helper: UncheckedAccount<'info>,
    pub caller: Signer<'info>,
}

#[derive(Accounts)]
pub struct Write<'info> {
    #[account(init, payer = payer, space = 16)]
    pub note: Account<'info, Note>,
    #[account(mut)]
    pub field: Account<'info, Field>, // FINDING
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Lend<'info> {
    #[account(mut)]
    pub field: Account<'info, Field>, // FINDING
    #[account(mut, seeds = [b"store"], bump)]
    pub store: Account<'info, TokenAccount>,
    /// CHECK: gets what is lent
    #[account(mut)]
    pub target: UncheckedAccount<'info>,
    /// CHECK: signs
    #[account(seeds = [b"barn"], bump)]
    pub barn: UncheckedAccount<'info>,
    /// CHECK: the sysvar
    #[account(address = anchor_lang::solana_program::sysvar::instructions::ID)]
    pub instructions: UncheckedAccount<'info>,
    pub caller: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(init, payer = farmer, space = 100)]
    pub field: Account<'info, Field>,
    #[account(mut)]
    pub farmer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Field { pub farmer: Pubkey, pub taken: u64 }
#[account]
pub struct Share { pub field: Pubkey, pub helper: Pubkey, pub due: u64 }
#[account]
pub struct Note { pub text: u64 }
`,
      // Who stores an account's address in a record that was there before, or counts what it holds, did not choose it.
      `use anchor_lang::prelude::*;
use anchor_spl::token::TokenAccount;

#[program]
pub mod barns {
    use super::*;
    pub fn turn(ctx: Context<Turn>) -> Result<()> {
        let owner = ctx.accounts.target.owner; // FINDING
        ctx.accounts.barn.set_inner(Barn { target: ctx.accounts.target.key(), owner });
        Ok(())
    }
    pub fn copy(ctx: Context<Copy>) -> Result<()> {
        let owner = ctx.accounts.target.owner; // FINDING
        ctx.accounts.barn.set_inner(Barn { target: ctx.accounts.target.key(), owner });
        ctx.accounts.shed.count = 1;
        Ok(())
    }
    pub fn weigh(ctx: Context<Weigh>) -> Result<()> {
        let weight = ctx.accounts.target.amount; // FINDING
        ctx.accounts.scale.set_inner(Scale { target: ctx.accounts.target.key(), weight });
        Ok(())
    }
    pub fn seat(ctx: Context<Seat>) -> Result<()> {
        let owner = ctx.accounts.target.owner; // FINDING
        ctx.accounts.barn.set_inner(Barn { target: ctx.accounts.farmer.key(), owner });
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Turn<'info> {
    #[account(mut)]
    pub barn: Account<'info, Barn>,
    pub target: Account<'info, TokenAccount>,
    pub farmer: Signer<'info>,
}

#[derive(Accounts)]
pub struct Copy<'info> {
    #[account(init, payer = farmer, space = 16)]
    pub shed: Account<'info, Shed>,
    #[account(mut)]
    pub barn: Account<'info, Barn>,
    pub target: Account<'info, TokenAccount>,
    #[account(mut)]
    pub farmer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Weigh<'info> {
    #[account(init, payer = farmer, space = 48)]
    pub scale: Account<'info, Scale>,
    pub target: Account<'info, TokenAccount>,
    #[account(mut)]
    pub farmer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Seat<'info> {
    #[account(init, payer = farmer, space = 72)]
    pub barn: Account<'info, Barn>,
    pub target: Account<'info, TokenAccount>,
    #[account(mut)]
    pub farmer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Barn { pub target: Pubkey, pub owner: Pubkey }
#[account]
pub struct Shed { pub count: u64 }
#[account]
pub struct Scale { pub target: Pubkey, pub weight: u64 }
`,
      `use solana_program::{account_info::{next_account_info, AccountInfo}, entrypoint::ProgramResult, program::invoke_signed, program_error::ProgramError, pubkey::Pubkey, system_instruction};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Board { pub kind: u8, pub authority: Pubkey, pub count: u64 }

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Note { pub kind: u8, pub board: Pubkey, pub text: u64 }

/// Whoever pays for the note is taken for the board's authority.
pub fn add(program_id: &Pubkey, accounts: &[AccountInfo], text: u64, bump: u8) -> ProgramResult {
    let iter = &mut accounts.iter();
    let board_info = next_account_info(iter)?;
    let authority = next_account_info(iter)?;
    let note_info = next_account_info(iter)?;
    let system = next_account_info(iter)?;
    if board_info.owner != program_id {
        return Err(ProgramError::IncorrectProgramId);
    }
    if !authority.is_signer {
        return Err(ProgramError::MissingRequiredSignature);
    }
    let mut board = Board::try_from_slice(&board_info.data.borrow())?; // FINDING
    if board.kind != 1 {
        return Err(ProgramError::InvalidAccountData);
    }
    let (address, _) = Pubkey::find_program_address(&[b"note", board_info.key.as_ref()], program_id);
    if address != *note_info.key {
        return Err(ProgramError::InvalidSeeds);
    }
    invoke_signed(
        &system_instruction::create_account(authority.key, note_info.key, 1_000_000, 40, program_id),
        &[authority.clone(), note_info.clone(), system.clone()],
        &[&[b"note", board_info.key.as_ref(), &[bump]]],
    )?;
    let note = Note { kind: 2, board: *board_info.key, text };
    note.serialize(&mut &mut note_info.data.borrow_mut()[..])?;
    board.count = text;
    board.serialize(&mut &mut board_info.data.borrow_mut()[..])?;
    Ok(())
}

pub fn set(program_id: &Pubkey, accounts: &[AccountInfo], count: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let board_info = next_account_info(iter)?;
    let authority = next_account_info(iter)?;
    if board_info.owner != program_id {
        return Err(ProgramError::IncorrectProgramId);
    }
    if !authority.is_signer {
        return Err(ProgramError::MissingRequiredSignature);
    }
    let mut board = Board::try_from_slice(&board_info.data.borrow())?;
    if board.kind != 1 {
        return Err(ProgramError::InvalidAccountData);
    }
    if board.authority != *authority.key {
        return Err(ProgramError::IllegalOwner);
    }
    board.count = count;
    board.serialize(&mut &mut board_info.data.borrow_mut()[..])?;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod markets {
    use super::*;
    pub fn skim(ctx: Context<Skim>) -> Result<()> {
        let due = ctx.accounts.market.fees;
        ctx.accounts.market.fees = 0;
        pay(&ctx.accounts.market, &ctx.accounts.fee_vault, &ctx.accounts.treasury, &ctx.accounts.token_program, due)
    }
    pub fn leave(ctx: Context<Leave>, amount: u64) -> Result<()> {
        let slot = &mut ctx.accounts.slot;
        slot.amount = slot.amount.checked_sub(amount).unwrap();
        pay(&ctx.accounts.market, &ctx.accounts.stock_vault, &ctx.accounts.purse, &ctx.accounts.token_program, amount)
    }
}

fn pay<'info>(
    market: &Account<'info, Market>,
    from: &Account<'info, TokenAccount>,
    to: &Account<'info, TokenAccount>,
    program: &Program<'info, Token>,
    amount: u64,
) -> Result<()> {
    let accounts = Transfer { from: from.to_account_info(), to: to.to_account_info(), authority: market.to_account_info() };
    let number = market.number.to_le_bytes();
    let seeds: &[&[u8]] = &[b"market", &number, &[market.bump]];
    token::transfer(CpiContext::new_with_signer(program.to_account_info(), accounts, &[seeds]), amount)
}

#[derive(Accounts)]
pub struct Skim<'info> {
    #[account(mut, has_one = treasury)]
    pub market: Account<'info, Market>, // FINDING
    #[account(mut)]
    pub fee_vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub treasury: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Leave<'info> {
    pub owner: Signer<'info>,
    #[account(has_one = stock_vault)]
    pub market: Account<'info, Market>,
    #[account(mut, has_one = owner, has_one = market)]
    pub slot: Account<'info, Slot>,
    #[account(mut)]
    pub stock_vault: Account<'info, TokenAccount>,
    #[account(mut, constraint = purse.mint == stock_vault.mint)]
    pub purse: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Market {
    pub number: u64,
    pub bump: u8,
    pub fees: u64,
    pub fee_mint: Pubkey,
    pub fee_vault: Pubkey,
    pub stock_vault: Pubkey,
    pub treasury: Pubkey,
}

#[account]
pub struct Slot { pub owner: Pubkey, pub market: Pubkey, pub amount: u64 }
`,
      `use anchor_lang::prelude::*;
use drawer::{clear, dispose};

#[program]
pub mod office {
    use super::*;
    /// What the library does with the two, nobody can see here.
    pub fn discard(ctx: Context<Discard>) -> Result<()> {
        dispose(&mut ctx.accounts.file.to_account_info(), &mut ctx.accounts.clerk.to_account_info())
    }
}

#[derive(Accounts)]
pub struct Discard<'info> {
    #[account(mut)]
    pub file: Account<'info, File>, // FINDING
    #[account(mut)]
    pub clerk: Signer<'info>,
}

#[account]
pub struct File { pub clerk: Pubkey, pub pages: u64 }
`,
      `use borsh::{BorshDeserialize, BorshSerialize};
use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Chest { pub owner: Pubkey, pub purse: Pubkey, pub coins: u64 }

// What several instructions read with is not where one of them lacks a comparison.
fn open_chest(place: &AccountInfo) -> Result<Chest, ProgramError> {
    Chest::try_from_slice(&place.data.borrow()).map_err(|_| ProgramError::InvalidAccountData)
}

pub fn fill(program_id: &Pubkey, accounts: &[AccountInfo], coins: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let owner = next_account_info(iter)?;
    let place = next_account_info(iter)?;
    let purse = next_account_info(iter)?;
    if place.owner != program_id {
        return Err(ProgramError::IncorrectProgramId);
    }
    let mut chest = open_chest(place)?; // FINDING
    if !owner.is_signer || chest.owner != *owner.key {
        return Err(ProgramError::IllegalOwner);
    }
    **purse.try_borrow_mut_lamports()? -= coins;
    chest.coins = chest.coins.checked_add(coins).ok_or(ProgramError::InvalidArgument)?;
    chest.serialize(&mut *place.data.borrow_mut())?;
    Ok(())
}

pub fn spill(program_id: &Pubkey, accounts: &[AccountInfo], coins: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let owner = next_account_info(iter)?;
    let place = next_account_info(iter)?;
    let purse = next_account_info(iter)?;
    if place.owner != program_id {
        return Err(ProgramError::IncorrectProgramId);
    }
    let mut chest = open_chest(place)?; // FINDING
    if !owner.is_signer || chest.owner != *owner.key {
        return Err(ProgramError::IllegalOwner);
    }
    **purse.try_borrow_mut_lamports()? -= coins;
    chest.coins = chest.coins.checked_sub(coins).ok_or(ProgramError::InvalidArgument)?;
    chest.serialize(&mut *place.data.borrow_mut())?;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{Token, TokenAccount};
use memory_lib::CpiMemory;

#[program]
pub mod vaults {
    use super::*;
    pub fn settle(ctx: Context<Settle>) -> Result<()> {
        let before = ctx.accounts.supply.amount; // FINDING
        // Whose supply it is, nobody asks.
        let metas = lender::accounts::Redeem { to: ctx.accounts.vault.key() }.to_account_metas(None);
        CpiMemory::new(ctx.remaining_accounts).run(&lender::ID, &metas, &[7])?;
        ctx.accounts.book.last = before;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Settle<'info> {
    #[account(mut, has_one = keeper, has_one = vault)]
    pub book: Account<'info, Book>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub supply: Account<'info, TokenAccount>,
    pub keeper: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Book { pub keeper: Pubkey, pub vault: Pubkey, pub last: u64 }
`,
    ],
    safe: [
      `use anchor_lang::prelude::*;
use anchor_spl::token::{Token, TokenAccount};
use memory_lib::CpiMemory;

#[program]
pub mod vaults {
    use super::*;
    pub fn settle(ctx: Context<Settle>) -> Result<()> {
        let before = ctx.accounts.supply.amount;
        // The lender's program knows its own supply.
        let metas = lender::accounts::Redeem { supply: ctx.accounts.supply.key(), to: ctx.accounts.vault.key() }.to_account_metas(None);
        CpiMemory::new(ctx.remaining_accounts).run(&lender::ID, &metas, &[7])?;
        ctx.accounts.book.last = before;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Settle<'info> {
    #[account(mut, has_one = keeper, has_one = vault)]
    pub book: Account<'info, Book>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub supply: Account<'info, TokenAccount>,
    pub keeper: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Book { pub keeper: Pubkey, pub vault: Pubkey, pub last: u64 }
`,
      // The token program compares the mint, whatever is written down of it.
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Mint, MintTo, Token, TokenAccount};

#[program]
pub mod orchard {
    use super::*;
    pub fn settle(ctx: Context<Settle>) -> Result<()> {
        let fee = ctx.accounts.orchard.fee;
        let seeds: &[&[u8]] = &[b"gardener", &[ctx.bumps.gardener]];
        let accounts = MintTo {
            mint: ctx.accounts.share_mint.to_account_info(),
            to: ctx.accounts.treasury.to_account_info(),
            authority: ctx.accounts.gardener.to_account_info(),
        };
        token::mint_to(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, &[seeds]), fee)?;
        ctx.accounts.orchard.shares = ctx.accounts.share_mint.supply;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Settle<'info> {
    #[account(mut, has_one = treasury)]
    pub orchard: Account<'info, Orchard>,
    #[account(mut)]
    pub share_mint: Account<'info, Mint>,
    #[account(mut)]
    pub treasury: Account<'info, TokenAccount>,
    /// CHECK: signs
    #[account(seeds = [b"gardener"], bump)]
    pub gardener: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Orchard { pub share_mint: Pubkey, pub treasury: Pubkey, pub fee: u64, pub shares: u64 }
`,
      // Shares for tokens that come in: the holder says who receives them.
      `use borsh::{BorshDeserialize, BorshSerialize};
use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::program::{invoke, invoke_signed};
use solana_program::{entrypoint, entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};

entrypoint!(process);

#[derive(BorshDeserialize, BorshSerialize)]
pub struct Well { pub bump: u8, pub vault: Pubkey, pub shares: Pubkey, pub coin: Pubkey, pub rate: u64 }

fn process(program_id: &Pubkey, accounts: &[AccountInfo], data: &[u8]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let well_info = next_account_info(iter)?;
    let authority_info = next_account_info(iter)?;
    let wallet_info = next_account_info(iter)?;
    let user_info = next_account_info(iter)?;
    let vault_info = next_account_info(iter)?;
    let shares_info = next_account_info(iter)?;
    let receiver_info = next_account_info(iter)?;
    let token_program_info = next_account_info(iter)?;
    if well_info.owner != program_id || *token_program_info.key != spl_token::id() {
        return Err(ProgramError::IllegalOwner);
    }
    let well = Well::try_from_slice(&well_info.data.borrow())?;
    let seeds: &[&[u8]] = &[well_info.key.as_ref(), &[well.bump]];
    if *authority_info.key != Pubkey::create_program_address(seeds, program_id)? {
        return Err(ProgramError::InvalidSeeds);
    }
    if *vault_info.key != well.vault || *shares_info.key != well.shares {
        return Err(ProgramError::InvalidArgument);
    }
    let amount = u64::from(data[0]);
    invoke(
        &spl_token::instruction::transfer(token_program_info.key, wallet_info.key, vault_info.key, user_info.key, &[], amount)?,
        &[wallet_info.clone(), vault_info.clone(), user_info.clone()],
    )?;
    invoke_signed(
        &spl_token::instruction::mint_to(token_program_info.key, shares_info.key, receiver_info.key, authority_info.key, &[], amount / well.rate)?,
        &[shares_info.clone(), receiver_info.clone(), authority_info.clone()],
        &[seeds],
    )
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::Mint;

#[program]
pub mod markets {
    use super::*;
    /// There is only one treasury.
    pub fn tax(ctx: Context<Tax>, amount: u64) -> Result<()> {
        **ctx.accounts.office.to_account_info().try_borrow_mut_lamports()? -= amount;
        **ctx.accounts.treasury.to_account_info().try_borrow_mut_lamports()? += amount;
        Ok(())
    }
    /// A check that is not here is given both.
    pub fn tune(ctx: Context<Tune>) -> Result<()> {
        rates::check_tier(&ctx.accounts.group, &ctx.accounts.tier)?;
        ctx.accounts.tier.rate = ctx.accounts.group.cap;
        Ok(())
    }
    /// The program that is called later is told the shelf, and asks.
    pub fn queue(ctx: Context<Queue>) -> Result<()> {
        ctx.accounts.bot.count = ctx.accounts.bot.count.checked_add(1).unwrap();
        let metas = shops::accounts::Claim { shelf: ctx.accounts.shelf.key() }.to_account_metas(None);
        let accounts = tasks::cpi::accounts::Queue { payer: ctx.accounts.payer.to_account_info() };
        tasks::cpi::queue(CpiContext::new(ctx.accounts.tasks.to_account_info(), accounts), metas)
    }
    /// Which bump an address has is no choice.
    pub fn pour(ctx: Context<Pour>, units: u64) -> Result<()> {
        let mint = ctx.accounts.mint.key();
        let bin = &mut ctx.accounts.bin;
        let seeds: &[&[u8]] = &[b"bin", mint.as_ref(), &[bin.bump]];
        require_keys_eq!(bin.key(), Pubkey::create_program_address(seeds, ctx.program_id).unwrap());
        bin.units = bin.units.checked_add(units).unwrap();
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Tax<'info> {
    #[account(mut, has_one = admin)]
    pub office: Account<'info, Office>,
    pub admin: Signer<'info>,
    #[account(mut, seeds = [b"treasury"], bump)]
    pub treasury: Account<'info, Treasury>,
}

#[account]
pub struct Office { pub admin: Pubkey, pub treasury: Pubkey }

#[account]
pub struct Treasury { pub total: u64 }

#[derive(Accounts)]
pub struct Tune<'info> {
    #[account(has_one = admin)]
    pub group: Account<'info, Group>,
    pub admin: Signer<'info>,
    #[account(mut)]
    pub tier: Account<'info, Tier>,
}

#[account]
pub struct Group { pub admin: Pubkey, pub cap: u64 }

#[account]
pub struct Tier { pub group: Pubkey, pub rate: u64 }

#[derive(Accounts)]
pub struct Queue<'info> {
    #[account(mut)]
    pub bot: Account<'info, Bot>,
    pub shelf: Account<'info, Shelf>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub tasks: Program<'info, Tasks>,
}

#[account]
pub struct Bot { pub shelf: Pubkey, pub count: u64 }

#[account]
pub struct Shelf { pub units: u64 }

#[derive(Accounts)]
pub struct Pour<'info> {
    #[account(mut, has_one = admin, has_one = mint)]
    pub market: Account<'info, Market>,
    pub mint: Account<'info, Mint>,
    pub admin: Signer<'info>,
    #[account(mut)]
    pub bin: Account<'info, Bin>,
}

#[account]
pub struct Market { pub admin: Pubkey, pub mint: Pubkey, pub bin: Pubkey }

#[account]
pub struct Bin { pub units: u64, pub bump: u8 }
`,
      `use anchor_lang::prelude::*;
use depot_types::state::{Depot, Rack};

#[program]
pub mod depots {
    use super::*;
    pub fn fill(ctx: Context<Fill>, amount: u64) -> Result<()> {
        let mut rack = ctx.accounts.rack.load_mut()?;
        rack.filled = rack.filled.checked_add(amount).unwrap();
        Ok(())
    }
    pub fn empty(ctx: Context<Empty>) -> Result<()> {
        let mut depot = ctx.accounts.depot.load_mut()?;
        depot.filled = 0;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Fill<'info> {
    #[account(has_one = keeper)]
    pub depot: AccountLoader<'info, Depot>,
    pub keeper: Signer<'info>,
    #[account(mut, has_one = depot)]
    pub rack: AccountLoader<'info, Rack>,
}

#[derive(Accounts)]
pub struct Empty<'info> {
    #[account(mut, has_one = keeper)]
    pub depot: AccountLoader<'info, Depot>,
    pub keeper: Signer<'info>,
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token_interface::{TokenAccount, TokenInterface};

#[program]
pub mod purses {
    use super::*;
    pub fn count(ctx: Context<Count>) -> Result<()> {
        ctx.accounts.tally.seen = ctx.accounts.purse.amount;
        Ok(())
    }
    pub fn note(ctx: Context<Note>) -> Result<()> {
        ctx.accounts.tally.seen = 0;
        ctx.accounts.tally.last = ctx.accounts.purse.key();
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Count<'info> {
    #[account(mut, has_one = owner)]
    pub tally: Account<'info, Tally>,
    pub owner: Signer<'info>,
    #[account(constraint = purse.owner == owner.key())]
    pub purse: InterfaceAccount<'info, TokenAccount>,
}

#[derive(Accounts)]
pub struct Note<'info> {
    #[account(mut, has_one = owner)]
    pub tally: Account<'info, Tally>,
    pub owner: Signer<'info>,
    pub purse: InterfaceAccount<'info, TokenAccount>,
}

#[account]
pub struct Tally {
    pub owner: Pubkey,
    pub last: Pubkey,
    pub seen: u64,
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::TokenAccount;

#[program]
pub mod club {
    use super::*;
    // Only its kind is asked.
    pub fn note_vault(ctx: Context<Enter>) -> Result<()> {
        require!(ctx.accounts.held.delegate.is_none(), ErrorCode::Poor);
        ctx.accounts.pass.mint = ctx.accounts.held.mint;
        Ok(())
    }
    // The library looks whose it is, or the handler does on the one path and asks for the delegate on the other.
    pub fn enter_checked(ctx: Context<Enter>) -> Result<()> {
        library::assert_owner_of(&ctx.accounts.held)?;
        require!(ctx.accounts.held.amount > 5, ErrorCode::Poor);
        Ok(())
    }
    pub fn enter_either(ctx: Context<Enter>) -> Result<()> {
        let user = ctx.accounts.user.key();
        if ctx.accounts.held.delegate.is_some() {
            require!(ctx.accounts.held.delegate.contains(&user), ErrorCode::Poor);
        } else {
            require!(ctx.accounts.held.owner == user, ErrorCode::Poor);
        }
        require!(ctx.accounts.held.amount > 5, ErrorCode::Poor);
        Ok(())
    }
    // It is changed here, for which it has to be known.
    pub fn refresh(ctx: Context<Enter>) -> Result<()> {
        require!(ctx.accounts.held.amount > 5, ErrorCode::Poor);
        ctx.accounts.held.amount = 0;
        Ok(())
    }
    pub fn gone(ctx: Context<Enter>) -> Result<()> {
        require!(ctx.accounts.held.amount > 5, ErrorCode::Poor);
        err!(ErrorCode::Poor)
    }
    pub fn enter_rich(ctx: Context<EnterRich>) -> Result<()> {
        require!(ctx.accounts.held.amount > 5, ErrorCode::Poor);
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Enter<'info> {
    #[account(mut)]
    pub pass: Account<'info, Pass>,
    pub held: Account<'info, TokenAccount>,
    pub user: Signer<'info>,
}

#[derive(Accounts)]
pub struct EnterRich<'info> {
    #[account(token::authority = user)]
    pub held: Account<'info, TokenAccount>,
    pub user: Signer<'info>,
}

#[account]
pub struct Pass { pub mint: Pubkey }

#[error_code]
pub enum ErrorCode { Poor }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod vaults {
    use super::*;

    pub fn withdraw(ctx: Context<Withdraw>, amount: u64) -> Result<()> {
        **ctx.accounts.vault.to_account_info().try_borrow_mut_lamports()? -= amount;
        **ctx.accounts.authority.to_account_info().try_borrow_mut_lamports()? += amount;
        Ok(())
    }

    pub fn withdraw_checked(ctx: Context<WithdrawChecked>, amount: u64) -> Result<()> {
        ctx.accounts.vault.check(ctx.accounts.authority.key)?;
        **ctx.accounts.vault.to_account_info().try_borrow_mut_lamports()? -= amount;
        **ctx.accounts.authority.to_account_info().try_borrow_mut_lamports()? += amount;
        Ok(())
    }

    pub fn withdraw_derived(ctx: Context<WithdrawDerived>, amount: u64) -> Result<()> {
        **ctx.accounts.vault.to_account_info().try_borrow_mut_lamports()? -= amount;
        **ctx.accounts.authority.to_account_info().try_borrow_mut_lamports()? += amount;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Withdraw<'info> {
    #[account(mut, has_one = authority)]
    pub vault: Account<'info, Vault>,
    #[account(mut)]
    pub authority: Signer<'info>,
}

#[derive(Accounts)]
pub struct WithdrawChecked<'info> {
    #[account(mut)]
    pub vault: Account<'info, Vault>,
    #[account(mut)]
    pub authority: Signer<'info>,
}

#[derive(Accounts)]
pub struct WithdrawDerived<'info> {
    #[account(mut, seeds = [b"vault", authority.key().as_ref()], bump)]
    pub vault: Account<'info, Vault>,
    #[account(mut)]
    pub authority: Signer<'info>,
}

#[account]
pub struct Vault {
    pub authority: Pubkey,
}

impl Vault {
    fn check(&self, caller: &Pubkey) -> Result<()> {
        require_keys_eq!(self.authority, *caller);
        Ok(())
    }
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::TokenAccount;

#[program]
pub mod votes {
    use super::*;

    pub fn vote(ctx: Context<Vote>) -> Result<()> {
        ctx.accounts.poll.votes += ctx.accounts.holding.amount;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Vote<'info> {
    #[account(mut)]
    pub poll: Account<'info, Poll>,
    #[account(constraint = holding.owner == voter.key())]
    pub holding: Account<'info, TokenAccount>,
    pub voter: Signer<'info>,
}

#[account]
pub struct Poll {
    pub votes: u64,
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Grant {
    pub heir: Pubkey,
    pub store: Pubkey,
    pub amount: u64,
}

pub fn release(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let grant_info = next_account_info(iter)?;
    let chest = next_account_info(iter)?;
    let to = next_account_info(iter)?;
    let crank = next_account_info(iter)?;
    if grant_info.owner != program_id || !crank.is_signer {
        return Err(ProgramError::IllegalOwner);
    }
    let grant = Grant::try_from_slice(&grant_info.data.borrow())?;
    if grant.store != *chest.key || grant.heir != *to.key {
        return Err(ProgramError::InvalidAccountData);
    }
    **chest.lamports.borrow_mut() -= grant.amount;
    **to.lamports.borrow_mut() += grant.amount;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod stashes {
    use super::*;

    pub fn open(ctx: Context<Open>) -> Result<()> {
        ctx.accounts.stash.holder = ctx.accounts.user.key();
        Ok(())
    }

    pub fn take(ctx: Context<Take>, amount: u64) -> Result<()> {
        let stash = &mut ctx.accounts.stash;
        stash.balance = stash.balance.checked_sub(amount).ok_or(ErrorCode::Low)?;
        let accounts = Transfer {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.mine.to_account_info(),
            authority: ctx.accounts.keeper.to_account_info(),
        };
        let seeds: &[&[&[u8]]] = &[&[b"keeper", &[ctx.bumps.keeper]]];
        token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, seeds), amount)
    }
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(init, payer = user, space = 64)]
    pub stash: Account<'info, Stash>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Take<'info> {
    #[account(mut, constraint = stash.holder == *user.key)]
    pub stash: Account<'info, Stash>,
    #[account(mut, token::authority = user)]
    pub mine: Account<'info, TokenAccount>,
    #[account(mut, seeds = [b"tokens"], bump)]
    pub vault: Account<'info, TokenAccount>,
    /// CHECK: signs
    #[account(seeds = [b"keeper"], bump)]
    pub keeper: UncheckedAccount<'info>,
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Stash {
    pub holder: Pubkey,
    pub balance: u64,
}

#[error_code]
pub enum ErrorCode {
    Low,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod tickets {
    use super::*;

    pub fn order(ctx: Context<Order>, amount: u64) -> Result<()> {
        ctx.accounts.ticket.heir = ctx.accounts.user.key();
        ctx.accounts.ticket.amount = amount;
        Ok(())
    }

    pub fn claim(ctx: Context<Claim>) -> Result<()> {
        require!(ctx.accounts.ticket.amount != 0, ErrorCode::ConstraintRaw);
        ctx.accounts.ticket.amount = 0;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Order<'info> {
    #[account(init, payer = user, space = 64)]
    pub ticket: Account<'info, Ticket>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Claim<'info> {
    #[account(mut, close = to)]
    pub ticket: Account<'info, Ticket>,
    #[account(mut, address = ticket.heir)]
    pub to: SystemAccount<'info>,
}

#[account]
pub struct Ticket { pub heir: Pubkey, pub amount: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod orchards {
    use super::*;

    pub fn pick(ctx: Context<Pick>) -> Result<()> {
        let due = ctx.accounts.plot.trees.checked_mul(ctx.accounts.orchard.yield_each).unwrap();
        ctx.accounts.plot.trees = 0;
        let fruit = ctx.accounts.orchard.fruit;
        let seeds: &[&[u8]] = &[b"orchard", fruit.as_ref(), &[ctx.accounts.orchard.bump]];
        token::transfer(
            CpiContext::new_with_signer(
                ctx.accounts.token_program.to_account_info(),
                Transfer {
                    from: ctx.accounts.store.to_account_info(),
                    to: ctx.accounts.basket.to_account_info(),
                    authority: ctx.accounts.orchard.to_account_info(),
                },
                &[seeds],
            ),
            due,
        )
    }
}

#[derive(Accounts)]
pub struct Pick<'info> {
    #[account(has_one = store)]
    pub orchard: Account<'info, Orchard>,
    #[account(mut, has_one = tenant, has_one = orchard)]
    pub plot: Account<'info, Plot>,
    #[account(mut)]
    pub store: Account<'info, TokenAccount>,
    #[account(mut)]
    pub basket: Account<'info, TokenAccount>,
    pub tenant: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Orchard { pub fruit: Pubkey, pub store: Pubkey, pub yield_each: u64, pub bump: u8 }

#[account]
pub struct Plot { pub tenant: Pubkey, pub orchard: Pubkey, pub trees: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod petitions {
    use super::*;

    pub fn file(ctx: Context<File>) -> Result<()> {
        ctx.accounts.petition.author = ctx.accounts.author.key();
        ctx.accounts.petition.stage = Stage::Open;
        Ok(())
    }

    pub fn recall(ctx: Context<Recall>) -> Result<()> {
        ctx.accounts.petition.stage = Stage::Recalled;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct File<'info> {
    #[account(init, payer = author, space = 64)]
    pub petition: Account<'info, Petition>,
    #[account(mut)]
    pub author: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Recall<'info> {
    #[account(mut, has_one = author)]
    pub petition: Account<'info, Petition>,
    pub author: Signer<'info>,
}

#[account]
pub struct Petition { pub author: Pubkey, pub stage: Stage }

#[derive(AnchorSerialize, AnchorDeserialize, Clone, PartialEq)]
pub enum Stage { Open, Recalled }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

/// Whoever liquidates has no loan of their own.
#[program]
pub mod margin {
    use super::*;
    pub fn open(ctx: Context<Open>) -> Result<()> {
        ctx.accounts.loan.debtor = ctx.accounts.debtor.key();
        Ok(())
    }
    pub fn liquidate(ctx: Context<Liquidate>) -> Result<()> {
        let loan = &mut ctx.accounts.loan;
        require!(loan.pledge < loan.debt, ErrorCode::Healthy);
        let amount = loan.pledge / 10;
        loan.pledge = loan.pledge.checked_sub(amount).unwrap();
        let paid = Transfer {
            from: ctx.accounts.reserve.to_account_info(),
            to: ctx.accounts.target.to_account_info(),
            authority: ctx.accounts.hall.to_account_info(),
        };
        let seeds: &[&[&[u8]]] = &[&[b"hall", &[ctx.bumps.hall]]];
        token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), paid, seeds), amount)
    }
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(init, payer = debtor, space = 100)]
    pub loan: Account<'info, Loan>,
    #[account(mut)]
    pub debtor: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Liquidate<'info> {
    #[account(mut)]
    pub loan: Account<'info, Loan>,
    #[account(mut)]
    pub target: Account<'info, TokenAccount>,
    #[account(mut, seeds = [b"reserve"], bump)]
    pub reserve: Account<'info, TokenAccount>,
    /// CHECK: signs
    #[account(seeds = [b"hall"], bump)]
    pub hall: UncheckedAccount<'info>,
    pub liquidator: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Loan { pub debtor: Pubkey, pub pledge: u64, pub debt: u64 }

#[error_code]
pub enum ErrorCode { Healthy }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{Mint, TokenAccount};

#[program]
pub mod stands {
    use super::*;
    /// The other program has one curve for each mint.
    pub fn close(ctx: Context<Close>) -> Result<()> {
        ctx.accounts.stand.rest = ctx.accounts.curve.rest;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Close<'info> {
    #[account(mut, has_one = owner, has_one = till)]
    pub stand: Account<'info, Stand>,
    #[account(has_one = mint)]
    pub curve: Account<'info, curves::Curve>,
    #[account(token::mint = mint)]
    pub till: Account<'info, TokenAccount>,
    pub mint: Account<'info, Mint>,
    pub owner: Signer<'info>,
}

#[account]
pub struct Stand {
    pub owner: Pubkey,
    pub till: Pubkey,
    pub curve: Pubkey,
    pub rest: u64,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod farms {
    use super::*;
    /// Nobody says what is done: anyone may have it done.
    pub fn harvest(ctx: Context<Harvest>) -> Result<()> {
        let accounts = fields::cpi::accounts::Reap {
            field: ctx.accounts.field.to_account_info(),
            farmer: ctx.accounts.farm.to_account_info(),
        };
        let seeds: &[&[&[u8]]] = &[&[b"farm", &[ctx.accounts.farm.bump]]];
        fields::cpi::reap(CpiContext::new_with_signer(ctx.accounts.fields.to_account_info(), accounts, seeds))
    }
    /// The other program is asked on the caller's own word.
    pub fn look(ctx: Context<Harvest>, depth: u8) -> Result<()> {
        let accounts = fields::cpi::accounts::Dig {
            field: ctx.accounts.field.to_account_info(),
        };
        fields::cpi::dig(CpiContext::new(ctx.accounts.fields.to_account_info(), accounts), depth)
    }
}

#[derive(Accounts)]
pub struct Harvest<'info> {
    #[account(seeds = [b"farm"], bump = farm.bump)]
    pub farm: Account<'info, Farm>,
    /// CHECK: the other program's
    #[account(mut)]
    pub field: UncheckedAccount<'info>,
    pub boss: Signer<'info>,
    pub fields: Program<'info, Fields>,
}

#[account]
pub struct Farm {
    pub boss: Pubkey,
    pub bump: u8,
}
`,
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::sysvar::instructions::get_instruction_relative;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod harvests {
    use super::*;
    pub fn open(ctx: Context<Open>) -> Result<()> {
        ctx.accounts.field.farmer = ctx.accounts.farmer.key();
        Ok(())
    }
    /// To the helper whose share of this field it is.
    pub fn share(ctx: Context<ShareOut>) -> Result<()> {
        let due = ctx.accounts.share.due;
        ctx.accounts.field.taken += due;
        **ctx.accounts.field.to_account_info().try_borrow_mut_lamports()? -= due;
        **ctx.accounts.helper.to_account_info().try_borrow_mut_lamports()? += due;
        Ok(())
    }
    pub fn note(ctx: Context<Write>) -> Result<()> {
        let rent = Rent::get()?.minimum_balance(16);
        ctx.accounts.field.taken += 1;
        **ctx.accounts.field.to_account_info().try_borrow_mut_lamports()? -= rent;
        **ctx.accounts.payer.to_account_info().try_borrow_mut_lamports()? += rent;
        Ok(())
    }
    /// The scheduler calls, which knows to whom it lends.
    pub fn lend(ctx: Context<Lend>, amount: u64) -> Result<()> {
        let current = get_instruction_relative(0, &ctx.accounts.instructions)?;
        require_keys_eq!(current.program_id, scheduler::ID);
        ctx.accounts.field.taken += amount;
        let seeds: &[&[&[u8]]] = &[&[b"barn", &[ctx.bumps.barn]]];
        let lent = Transfer {
            from: ctx.accounts.store.to_account_info(),
            to: ctx.accounts.target.to_account_info(),
            authority: ctx.accounts.barn.to_account_info(),
        };
        token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), lent, seeds), amount)
    }
    /// The farmer says where the harvest goes; whose account it is does not matter.
    pub fn found(ctx: Context<Found>) -> Result<()> {
        ctx.accounts.barn.set_inner(Barn { target: ctx.accounts.target.key(), owner: ctx.accounts.target.owner });
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Found<'info> {
    #[account(init, payer = farmer, space = 100)]
    pub barn: Account<'info, Barn>,
    pub target: Account<'info, TokenAccount>,
    #[account(mut)]
    pub farmer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct ShareOut<'info> {
    #[account(mut)]
    pub field: Account<'info, Field>,
    #[account(seeds = [b"share", field.key().as_ref(), &share.due.to_le_bytes()], bump, has_one = helper)]
    pub share: Account<'info, Share>,
    /// CHECK: paid
    #[account(mut)]
    pub helper: UncheckedAccount<'info>,
    pub caller: Signer<'info>,
}

#[derive(Accounts)]
pub struct Write<'info> {
    #[account(init, payer = payer, space = 16)]
    pub note: Account<'info, Note>,
    #[account(mut)]
    pub field: Account<'info, Field>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Lend<'info> {
    #[account(mut)]
    pub field: Account<'info, Field>,
    #[account(mut, seeds = [b"store"], bump)]
    pub store: Account<'info, TokenAccount>,
    /// CHECK: gets what is lent
    #[account(mut)]
    pub target: UncheckedAccount<'info>,
    /// CHECK: signs
    #[account(seeds = [b"barn"], bump)]
    pub barn: UncheckedAccount<'info>,
    /// CHECK: the sysvar
    #[account(address = anchor_lang::solana_program::sysvar::instructions::ID)]
    pub instructions: UncheckedAccount<'info>,
    pub caller: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Barn { pub target: Pubkey, pub owner: Pubkey }

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(init, payer = farmer, space = 100)]
    pub field: Account<'info, Field>,
    #[account(mut)]
    pub farmer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Field { pub farmer: Pubkey, pub taken: u64 }
#[account]
pub struct Share { pub field: Pubkey, pub helper: Pubkey, pub due: u64 }
#[account]
pub struct Note { pub text: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::TokenAccount;

#[program]
pub mod barns {
    use super::*;
    pub fn found(ctx: Context<Found>) -> Result<()> {
        let target = &ctx.accounts.target;
        ctx.accounts.barn.set_inner(Barn { target: target.key(), owner: target.owner, mint: target.mint });
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Found<'info> {
    #[account(init, payer = farmer, space = 104)]
    pub barn: Account<'info, Barn>,
    pub target: Account<'info, TokenAccount>,
    #[account(mut)]
    pub farmer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Barn { pub target: Pubkey, pub owner: Pubkey, pub mint: Pubkey }
`,
      `use solana_program::{account_info::{next_account_info, AccountInfo}, entrypoint::ProgramResult, program::invoke, program_error::ProgramError, pubkey::Pubkey, system_instruction};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Board { pub kind: u8, pub owner: Pubkey, pub journal: Pubkey, pub count: u64 }

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Journal { pub kind: u8, pub board: Pubkey, pub text: u64 }

/// The new account signs for its own creation: it is not the one that the board stores.
pub fn add(program_id: &Pubkey, accounts: &[AccountInfo], text: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let board_info = next_account_info(iter)?;
    let owner = next_account_info(iter)?;
    let journal = next_account_info(iter)?;
    let system_program = next_account_info(iter)?;
    let mut board = load(program_id, board_info, owner)?;
    if !journal.is_signer {
        return Err(ProgramError::MissingRequiredSignature);
    }
    invoke(
        &system_instruction::create_account(owner.key, journal.key, 1_000_000, 41, program_id),
        &[owner.clone(), journal.clone(), system_program.clone()],
    )?;
    write(board_info, journal, text)?;
    board.count = text;
    board.serialize(&mut &mut board_info.data.borrow_mut()[..])?;
    Ok(())
}

/// The same by a helper that is not seen.
pub fn append(program_id: &Pubkey, accounts: &[AccountInfo], text: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let board_info = next_account_info(iter)?;
    let owner = next_account_info(iter)?;
    let journal = next_account_info(iter)?;
    let system_program = next_account_info(iter)?;
    let rent = next_account_info(iter)?;
    let mut board = load(program_id, board_info, owner)?;
    if !journal.is_signer {
        return Err(ProgramError::MissingRequiredSignature);
    }
    helpers::create_account(owner, journal, 41, program_id, system_program, rent)?;
    write(board_info, journal, text)?;
    board.count = text;
    board.serialize(&mut &mut board_info.data.borrow_mut()[..])?;
    Ok(())
}

fn load(program_id: &Pubkey, board_info: &AccountInfo, owner: &AccountInfo) -> Result<Board, ProgramError> {
    if board_info.owner != program_id {
        return Err(ProgramError::IncorrectProgramId);
    }
    if !owner.is_signer {
        return Err(ProgramError::MissingRequiredSignature);
    }
    let board = Board::try_from_slice(&board_info.data.borrow())?;
    if board.kind != 1 || board.owner != *owner.key {
        return Err(ProgramError::InvalidAccountData);
    }
    Ok(board)
}

fn write(board_info: &AccountInfo, journal: &AccountInfo, text: u64) -> ProgramResult {
    let new = Journal { kind: 2, board: *board_info.key, text };
    new.serialize(&mut &mut journal.data.borrow_mut()[..])?;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod markets {
    use super::*;
    pub fn skim(ctx: Context<Skim>) -> Result<()> {
        let due = ctx.accounts.market.fees;
        ctx.accounts.market.fees = 0;
        pay(&ctx.accounts.market, &ctx.accounts.fee_vault, &ctx.accounts.treasury, &ctx.accounts.token_program, due)
    }
    pub fn leave(ctx: Context<Leave>, amount: u64) -> Result<()> {
        let slot = &mut ctx.accounts.slot;
        slot.amount = slot.amount.checked_sub(amount).unwrap();
        pay(&ctx.accounts.market, &ctx.accounts.fee_vault, &ctx.accounts.purse, &ctx.accounts.token_program, amount)
    }
}

fn pay<'info>(
    market: &Account<'info, Market>,
    from: &Account<'info, TokenAccount>,
    to: &Account<'info, TokenAccount>,
    program: &Program<'info, Token>,
    amount: u64,
) -> Result<()> {
    let accounts = Transfer { from: from.to_account_info(), to: to.to_account_info(), authority: market.to_account_info() };
    let number = market.number.to_le_bytes();
    let seeds: &[&[u8]] = &[b"market", &number, &[market.bump]];
    token::transfer(CpiContext::new_with_signer(program.to_account_info(), accounts, &[seeds]), amount)
}

#[derive(Accounts)]
pub struct Skim<'info> {
    #[account(mut, has_one = treasury)]
    pub market: Account<'info, Market>,
    #[account(mut)]
    pub fee_vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub treasury: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Leave<'info> {
    pub owner: Signer<'info>,
    #[account(has_one = fee_vault)]
    pub market: Account<'info, Market>,
    #[account(mut, has_one = owner, has_one = market)]
    pub slot: Account<'info, Slot>,
    #[account(mut)]
    pub fee_vault: Account<'info, TokenAccount>,
    #[account(mut, constraint = purse.mint == fee_vault.mint)]
    pub purse: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Market {
    pub number: u64,
    pub bump: u8,
    pub fees: u64,
    pub fee_mint: Pubkey,
    pub fee_vault: Pubkey,
    pub stock_vault: Pubkey,
    pub treasury: Pubkey,
}

#[account]
pub struct Slot { pub owner: Pubkey, pub market: Pubkey, pub amount: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod markets {
    use super::*;
    pub fn skim(ctx: Context<Skim>) -> Result<()> {
        let due = ctx.accounts.market.fees;
        ctx.accounts.market.fees = 0;
        pay(&ctx.accounts.market, &ctx.accounts.fee_vault, &ctx.accounts.treasury, &ctx.accounts.token_program, due)
    }
    pub fn leave(ctx: Context<Leave>, amount: u64) -> Result<()> {
        let slot = &mut ctx.accounts.slot;
        slot.amount = slot.amount.checked_sub(amount).unwrap();
        pay(&ctx.accounts.market, &ctx.accounts.stock_vault, &ctx.accounts.purse, &ctx.accounts.token_program, amount)
    }
}

fn pay<'info>(
    market: &Account<'info, Market>,
    from: &Account<'info, TokenAccount>,
    to: &Account<'info, TokenAccount>,
    program: &Program<'info, Token>,
    amount: u64,
) -> Result<()> {
    let accounts = Transfer { from: from.to_account_info(), to: to.to_account_info(), authority: market.to_account_info() };
    let number = market.number.to_le_bytes();
    let seeds: &[&[u8]] = &[b"market", &number, &[market.bump]];
    token::transfer(CpiContext::new_with_signer(program.to_account_info(), accounts, &[seeds]), amount)
}

#[derive(Accounts)]
pub struct Skim<'info> {
    #[account(mut, has_one = treasury)]
    pub market: Account<'info, Market>,
    #[account(mut)]
    pub fee_vault: Account<'info, TokenAccount>,
    #[account(mut, constraint = treasury.mint == market.fee_mint)]
    pub treasury: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Leave<'info> {
    pub owner: Signer<'info>,
    #[account(has_one = stock_vault)]
    pub market: Account<'info, Market>,
    #[account(mut, has_one = owner, has_one = market)]
    pub slot: Account<'info, Slot>,
    #[account(mut)]
    pub stock_vault: Account<'info, TokenAccount>,
    #[account(mut, constraint = purse.mint == stock_vault.mint)]
    pub purse: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Market {
    pub number: u64,
    pub bump: u8,
    pub fees: u64,
    pub fee_mint: Pubkey,
    pub fee_vault: Pubkey,
    pub stock_vault: Pubkey,
    pub treasury: Pubkey,
}

#[account]
pub struct Slot { pub owner: Pubkey, pub market: Pubkey, pub amount: u64 }
`,
      `use anchor_lang::prelude::*;
use drawer::{clear, dispose};

#[program]
pub mod office {
    use super::*;
    pub fn discard(ctx: Context<Discard>) -> Result<()> {
        dispose(&mut ctx.accounts.file.to_account_info(), &mut ctx.accounts.clerk.to_account_info())
    }

    /// A single account, a check, or accounts that cannot change: nothing is moved.
    pub fn look(ctx: Context<Look>) -> Result<()> {
        clear(&ctx.accounts.file.to_account_info());
        drawer::check_shelf(&ctx.accounts.file.to_account_info(), &ctx.accounts.clerk.to_account_info());
        Ok(())
    }

    pub fn compare(ctx: Context<Compare>) -> Result<()> {
        dispose(&ctx.accounts.file.to_account_info(), &ctx.accounts.clerk.to_account_info())
    }
}

#[derive(Accounts)]
pub struct Discard<'info> {
    #[account(mut, has_one = clerk)]
    pub file: Account<'info, File>,
    #[account(mut)]
    pub clerk: Signer<'info>,
}

#[derive(Accounts)]
pub struct Look<'info> {
    #[account(mut)]
    pub file: Account<'info, File>,
    #[account(mut)]
    pub clerk: Signer<'info>,
}

#[derive(Accounts)]
pub struct Compare<'info> {
    pub file: Account<'info, File>,
    pub clerk: Signer<'info>,
}

#[account]
pub struct File { pub clerk: Pubkey, pub pages: u64 }
`,
      `use borsh::{BorshDeserialize, BorshSerialize};
use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Chest { pub owner: Pubkey, pub purse: Pubkey, pub coins: u64 }

fn open_chest(place: &AccountInfo) -> Result<Chest, ProgramError> {
    Chest::try_from_slice(&place.data.borrow()).map_err(|_| ProgramError::InvalidAccountData)
}

pub fn fill(program_id: &Pubkey, accounts: &[AccountInfo], coins: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let owner = next_account_info(iter)?;
    let place = next_account_info(iter)?;
    let purse = next_account_info(iter)?;
    if place.owner != program_id {
        return Err(ProgramError::IncorrectProgramId);
    }
    let mut chest = open_chest(place)?;
    if !owner.is_signer || chest.owner != *owner.key {
        return Err(ProgramError::IllegalOwner);
    }
    if chest.purse != *purse.key {
        return Err(ProgramError::InvalidArgument);
    }
    **purse.try_borrow_mut_lamports()? -= coins;
    chest.coins = chest.coins.checked_add(coins).ok_or(ProgramError::InvalidArgument)?;
    chest.serialize(&mut *place.data.borrow_mut())?;
    Ok(())
}

pub fn spill(program_id: &Pubkey, accounts: &[AccountInfo], coins: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let owner = next_account_info(iter)?;
    let place = next_account_info(iter)?;
    let purse = next_account_info(iter)?;
    if place.owner != program_id {
        return Err(ProgramError::IncorrectProgramId);
    }
    let mut chest = open_chest(place)?;
    if !owner.is_signer || chest.owner != *owner.key {
        return Err(ProgramError::IllegalOwner);
    }
    if chest.purse != *purse.key {
        return Err(ProgramError::InvalidArgument);
    }
    **purse.try_borrow_mut_lamports()? -= coins;
    chest.coins = chest.coins.checked_sub(coins).ok_or(ProgramError::InvalidArgument)?;
    chest.serialize(&mut *place.data.borrow_mut())?;
    Ok(())
}
`,
    ],
  },
}

/** Whether its address is stored in a record created here: whoever creates it chooses the account. */
const isRecorded = (instruction: Instruction, { term }: Account): boolean => {
  const key = keyOf(instruction.walk.terms, term)
  return ofKind(instruction.events, "assign").some(
    (event) =>
      event.value.term.kind === "struct" &&
      event.value.term.fields.some(([, value]) => value === key) &&
      instruction.accounts.some(
        (one) => one.constraints?.init === true && accountOfState(event.target.term) === one.term,
      ),
  )
}

/** A token account whose balance or owner is used although it may be anybody's. */
const strangersToken = (instruction: Instruction, account: Account): Event | undefined => {
  const uses = usesOf(instruction, account)
  const read = uses.find(({ event }) => isTokenAccountType(readType(event)))?.event
  // The mint alone does not identify the account's owner, and nobody gains from it.
  const typed = isTokenAccountType(account.state) ? uses.find(({ kind }) => kind === "state-read")?.event : undefined
  // The owner does not matter if only the kind is checked: a vault whose address is recorded.
  const parts = uses.flatMap(({ event }) =>
    event.kind === "read" && event.value.term.kind === "field" ? [event.value.term.name] : [],
  )
  if (parts.length > 0 && parts.every((name) => /^(mint|delegate|close_authority|state|is_native)$/.test(name)))
    return undefined
  if (uses.some(({ kind }) => kind === "cpi-account" || kind.endsWith("-write"))) return undefined
  // Any token account has an amount and a mint: its owner has to be compared.
  const namesOwner = ({ fact }: AccountCheck): boolean =>
    mentions(fact, (one) => one.kind === "field" && /^(owner|delegate)$/.test(one.name))
  const checks = checksWhenDone(instruction, account).filter(({ kind }) => kind !== "state")
  // Compared with the owner on one path and with the delegate on another.
  if (checksSomewhere(instruction, account).some((one) => one.kind === "state" && namesOwner(one))) return undefined
  if (isPinned(checks) || checks.some(({ kind }) => kind === "call")) return undefined
  // Either its owner signs, or somebody who may act for all of them.
  if (
    tiesOf(instruction)
      .of(account)
      .some(({ slot }) => slot === "own owner")
  )
    return undefined
  if (parts.every((name) => name === "owner" || name === "mint") && isRecorded(instruction, account)) return undefined
  return read ?? typed
}

/** The functions in which accounts of several instructions are read. */
const sharedReaders = oncePer((crate: SolanaCrate): ReadonlySet<FunctionDefinition> => {
  const first = new Map<FunctionDefinition, Instruction>()
  const shared = new Set<FunctionDefinition>()
  for (const instruction of crate.instructions)
    for (const account of instruction.accounts) {
      const read = firstRead(instruction, account)?.event.function
      if (read === undefined) continue
      const other = first.get(read)
      if (other === undefined) first.set(read, instruction)
      else if (other !== instruction) shared.add(read)
    }
  return shared
})

/** Where the account is read, or where its handler calls the function that reads the accounts of others as well. */
const placeOfRead = (crate: SolanaCrate, { handler }: Instruction, read: Event): ReturnType<typeof placeOf> => {
  const place = placeOf(read)
  const call = sharedReaders(crate).has(read.function) ? place.trace?.[0] : undefined
  return call === undefined ? place : { ...place, file: call.file, span: call.span, scope: handler.qualifiedName }
}

const firstRead = (instruction: Instruction, account: Account): AccountUse | undefined =>
  usesOf(instruction, account).find(({ kind }) => kind === "deserialize")
