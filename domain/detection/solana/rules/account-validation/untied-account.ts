import type { Rule } from "../../../Rule.ts"
import { isPrivileged } from "../../authority/authorization.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import { reached } from "../../questions/identity.ts"
import { accountAt } from "../../questions/questions.ts"
import { unknownChanges } from "../../records/unknownChanges.ts"
import { unevenUses } from "../../siblings/siblingArms.ts"
import { areStrangers } from "../../siblings/companions.ts"
import { missingTies } from "../../siblings/expectations.ts"
import { minted } from "../../siblings/roleTies.ts"
import { isLooseRelation } from "../../siblings/looseRelations.ts"
import { reasonFor } from "../../siblings/expectationMessages.ts"
import type { SolanaProgram } from "../../program/model.ts"
import { paysIn } from "../../ties/parties.ts"
import { strayRecords } from "../../records/strayRecords.ts"
import { isDealtIn, reachesCaller } from "../../payments/gains.ts"
import { paysOut } from "../../payments/stakes.ts"
import { weightOfLooseTie } from "../../payments/weights.ts"

export const untiedAccount: Rule<SolanaProgram> = {
  meta: {
    id: "solana/account-validation/untied-account",
    class: "account-data-matching",
    title: "Account not checked against the one stored in state",
    severity: "medium",
    confidence: "medium",
    cwe: [639, 345],
    description:
      "The account is not checked against the state that it is used with, although a field of that state stores " +
      "its address or other instructions of the program compare it. The caller can pass the vault, mint or list " +
      "of another pool, or one of their own, so that amounts are recorded in one place and moved in another.",
    remediation:
      "Constrain the account as similar instructions do: with `has_one`, `address`, `seeds`, or a comparison " +
      "with the stored address in the handler.",
    references: [
      "https://www.anchor-lang.com/docs/references/account-constraints",
      "https://github.com/coral-xyz/sealevel-attacks/tree/master/programs/1-account-data-matching",
    ],
  },
  check: (program, report) => {
    for (const crate of program.crates) {
      for (const instruction of crate.instructions) {
        for (const { account, site } of unevenUses(instruction)) {
          const uneven = accountAt(instruction, account)
          if (uneven !== undefined)
            report({
              ...site,
              severity: "low",
              message: `\`${instruction.name}\` does not check here whether \`${uneven.name}\` is the right account, although it does on another path.`,
            })
        }
        for (const { account, event, what } of unknownChanges(instruction))
          report({
            ...placeOf(event),
            severity: isPrivileged(crate, instruction) ? "low" : "high",
            message:
              what === "debit"
                ? `Nothing determines which account \`${account.name}\` is, and \`${instruction.name}\` takes lamports from it here.`
                : `Nothing determines which account \`${account.name}\` is, and \`${instruction.name}\` overwrites its data here.`,
            trace: reached(event, account),
          })
        for (const account of strayRecords(crate, instruction))
          report({
            ...account.place,
            scope: instruction.handler.qualifiedName,
            severity: "high",
            message: `\`${account.name}\` decides what \`${instruction.name}\` pays, but may be any account of its type, and anyone can create one.`,
          })
      }
      for (const missing of missingTies(crate))
        if (!missing.signs && !isLooseRelation(crate, missing) && !areStrangers(crate, missing))
          report({
            ...missing.account.place,
            scope: missing.instruction.handler.qualifiedName,
            ...reasonFor(missing),
            ...weightOfLooseTie(crate, missing.instruction, missing.account),
            // What others ask for may be for their own purposes; a stored address says what this one should be. What the
            // program mints is worth something to whoever receives it.
            ...((missing.siblings.length > 0 && missing.role !== minted) ||
            // A record that only says something wrong is whoever reads it to judge.
            !(reachesCaller(missing.instruction) || isDealtIn(missing.instruction, missing.account))
              ? { severity: "low" as const }
              : {}),
            // An account that pays for somebody else only gives.
            ...(paysIn(missing.instruction, missing.account) && !paysOut(missing.instruction)
              ? { severity: "low" as const }
              : {}),
          })
    }
  },
  examples: {
    vulnerable: [
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Burn, Mint, Token, TokenAccount, Transfer};

#[program]
pub mod guild {
    use super::*;

    pub fn leave(ctx: Context<Leave>, amount: u64) -> Result<()> {
        token::burn(
            CpiContext::new(
                ctx.accounts.token_program.to_account_info(),
                Burn { mint: ctx.accounts.share.to_account_info(), from: ctx.accounts.held.to_account_info(), authority: ctx.accounts.member.to_account_info() },
            ),
            amount,
        )?;
        ctx.accounts.guild.shares -= amount;
        Ok(())
    }

    pub fn swap(ctx: Context<Swap>, amount: u64) -> Result<()> {
        token::burn(
            CpiContext::new(
                ctx.accounts.token_program.to_account_info(),
                Burn { mint: ctx.accounts.paper.to_account_info(), from: ctx.accounts.held.to_account_info(), authority: ctx.accounts.member.to_account_info() },
            ),
            amount,
        )?;
        ctx.accounts.guild.shares -= amount;
        Ok(())
    }

    pub fn halve(ctx: Context<Halve>, amount: u64) -> Result<()> {
        token::burn(
            CpiContext::new(
                ctx.accounts.token_program.to_account_info(),
                Burn { mint: ctx.accounts.ticket.to_account_info(), from: ctx.accounts.held.to_account_info(), authority: ctx.accounts.member.to_account_info() },
            ),
            amount,
        )?;
        ctx.accounts.guild.shares -= amount;
        Ok(())
    }

    pub fn quit(ctx: Context<Quit>, amount: u64) -> Result<()> {
        token::burn(
            CpiContext::new(
                ctx.accounts.token_program.to_account_info(),
                Burn { mint: ctx.accounts.certificate.to_account_info(), from: ctx.accounts.held.to_account_info(), authority: ctx.accounts.member.to_account_info() },
            ),
            amount,
        )?;
        ctx.accounts.guild.shares -= amount;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Leave<'info> {
    #[account(mut, has_one = member)]
    pub guild: Account<'info, Guild>,
    #[account(mut, address = guild.stake_mint)]
    pub share: Account<'info, Mint>,
    #[account(mut)]
    pub held: Account<'info, TokenAccount>,
    pub member: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Swap<'info> {
    #[account(mut, has_one = member)]
    pub guild: Account<'info, Guild>,
    #[account(mut, address = guild.bond_mint)]
    pub paper: Account<'info, Mint>,
    #[account(mut)]
    pub held: Account<'info, TokenAccount>,
    pub member: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Halve<'info> {
    #[account(mut, has_one = member)]
    pub guild: Account<'info, Guild>,
    #[account(mut, address = guild.stake_mint)]
    pub ticket: Account<'info, Mint>,
    #[account(mut)]
    pub held: Account<'info, TokenAccount>,
    pub member: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Quit<'info> {
    #[account(mut, has_one = member)]
    pub guild: Account<'info, Guild>,
    #[account(mut)]
    pub certificate: Account<'info, Mint>, // FINDING
    #[account(mut)]
    pub held: Account<'info, TokenAccount>,
    pub member: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Guild {
    pub member: Pubkey,
    pub stake_mint: Pubkey,
    pub bond_mint: Pubkey,
    pub chest: Pubkey,
    pub shares: u64,
    pub spent: u64,
    pub received: u64,
    pub bump: u8,
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Burn, Mint, Token, TokenAccount, Transfer};

#[program]
pub mod guild {
    use super::*;

    pub fn buy(ctx: Context<Buy>, amount: u64) -> Result<()> {
        token::transfer(
            CpiContext::new_with_signer(
                ctx.accounts.token_program.to_account_info(),
                Transfer { from: ctx.accounts.till.to_account_info(), to: ctx.accounts.held.to_account_info(), authority: ctx.accounts.teller.to_account_info() },
                &[&[b"teller", &[ctx.accounts.guild.bump]]],
            ),
            amount,
        )?;
        ctx.accounts.guild.spent += amount;
        Ok(())
    }

    pub fn host(ctx: Context<Host>, amount: u64) -> Result<()> {
        token::transfer(
            CpiContext::new_with_signer(
                ctx.accounts.token_program.to_account_info(),
                Transfer { from: ctx.accounts.kitty.to_account_info(), to: ctx.accounts.held.to_account_info(), authority: ctx.accounts.teller.to_account_info() },
                &[&[b"teller", &[ctx.accounts.guild.bump]]],
            ),
            amount,
        )?;
        ctx.accounts.guild.spent += amount;
        Ok(())
    }

    pub fn repair(ctx: Context<Repair>, amount: u64) -> Result<()> {
        token::transfer(
            CpiContext::new_with_signer(
                ctx.accounts.token_program.to_account_info(),
                Transfer { from: ctx.accounts.drawer.to_account_info(), to: ctx.accounts.held.to_account_info(), authority: ctx.accounts.teller.to_account_info() },
                &[&[b"teller", &[ctx.accounts.guild.bump]]],
            ),
            amount,
        )?;
        ctx.accounts.guild.spent += amount;
        Ok(())
    }

    pub fn refund(ctx: Context<Refund>, amount: u64) -> Result<()> {
        token::transfer(
            CpiContext::new_with_signer(
                ctx.accounts.token_program.to_account_info(),
                Transfer { from: ctx.accounts.cash_box.to_account_info(), to: ctx.accounts.held.to_account_info(), authority: ctx.accounts.teller.to_account_info() },
                &[&[b"teller", &[ctx.accounts.guild.bump]]],
            ),
            amount,
        )?;
        ctx.accounts.guild.spent += amount;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Buy<'info> {
    #[account(mut, has_one = member)]
    pub guild: Account<'info, Guild>,
    #[account(mut, address = guild.chest)]
    pub till: Account<'info, TokenAccount>,
    #[account(mut)]
    pub held: Account<'info, TokenAccount>,
    /// CHECK: seeds
    #[account(seeds = [b"teller"], bump = guild.bump)]
    pub teller: UncheckedAccount<'info>,
    pub member: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Host<'info> {
    #[account(mut, has_one = member)]
    pub guild: Account<'info, Guild>,
    #[account(mut, address = guild.chest)]
    pub kitty: Account<'info, TokenAccount>,
    #[account(mut)]
    pub held: Account<'info, TokenAccount>,
    /// CHECK: seeds
    #[account(seeds = [b"teller"], bump = guild.bump)]
    pub teller: UncheckedAccount<'info>,
    pub member: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Repair<'info> {
    #[account(mut, has_one = member)]
    pub guild: Account<'info, Guild>,
    #[account(mut, address = guild.chest)]
    pub drawer: Account<'info, TokenAccount>,
    #[account(mut)]
    pub held: Account<'info, TokenAccount>,
    /// CHECK: seeds
    #[account(seeds = [b"teller"], bump = guild.bump)]
    pub teller: UncheckedAccount<'info>,
    pub member: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Refund<'info> {
    #[account(mut, has_one = member)]
    pub guild: Account<'info, Guild>,
    #[account(mut, constraint = cash_box.mint == coin.key())]
    pub cash_box: Account<'info, TokenAccount>, // FINDING
    #[account(mut)]
    pub held: Account<'info, TokenAccount>,
    /// CHECK: seeds
    #[account(seeds = [b"teller"], bump = guild.bump)]
    pub teller: UncheckedAccount<'info>,
    pub coin: Account<'info, Mint>,
    pub member: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Guild {
    pub member: Pubkey,
    pub stake_mint: Pubkey,
    pub bond_mint: Pubkey,
    pub chest: Pubkey,
    pub shares: u64,
    pub spent: u64,
    pub received: u64,
    pub bump: u8,
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Burn, Mint, Token, TokenAccount, Transfer};

#[program]
pub mod guild {
    use super::*;

    pub fn join(ctx: Context<Join>, amount: u64) -> Result<()> {
        token::transfer(
            CpiContext::new(
                ctx.accounts.token_program.to_account_info(),
                Transfer { from: ctx.accounts.held.to_account_info(), to: ctx.accounts.till.to_account_info(), authority: ctx.accounts.member.to_account_info() },
            ),
            amount,
        )?;
        ctx.accounts.guild.received += amount;
        Ok(())
    }

    pub fn renew(ctx: Context<Renew>, amount: u64) -> Result<()> {
        token::transfer(
            CpiContext::new(
                ctx.accounts.token_program.to_account_info(),
                Transfer { from: ctx.accounts.held.to_account_info(), to: ctx.accounts.kitty.to_account_info(), authority: ctx.accounts.member.to_account_info() },
            ),
            amount,
        )?;
        ctx.accounts.guild.received += amount;
        Ok(())
    }

    pub fn rent(ctx: Context<Rent>, amount: u64) -> Result<()> {
        token::transfer(
            CpiContext::new(
                ctx.accounts.token_program.to_account_info(),
                Transfer { from: ctx.accounts.held.to_account_info(), to: ctx.accounts.drawer.to_account_info(), authority: ctx.accounts.member.to_account_info() },
            ),
            amount,
        )?;
        ctx.accounts.guild.received += amount;
        Ok(())
    }

    pub fn fine(ctx: Context<Fine>, amount: u64) -> Result<()> {
        token::transfer(
            CpiContext::new(
                ctx.accounts.token_program.to_account_info(),
                Transfer { from: ctx.accounts.held.to_account_info(), to: ctx.accounts.bowl.to_account_info(), authority: ctx.accounts.member.to_account_info() },
            ),
            amount,
        )?;
        ctx.accounts.guild.received += amount;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Join<'info> {
    #[account(mut, has_one = member)]
    pub guild: Account<'info, Guild>,
    #[account(mut, address = guild.chest)]
    pub till: Account<'info, TokenAccount>,
    #[account(mut)]
    pub held: Account<'info, TokenAccount>,
    pub member: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Renew<'info> {
    #[account(mut, has_one = member)]
    pub guild: Account<'info, Guild>,
    #[account(mut, address = guild.chest)]
    pub kitty: Account<'info, TokenAccount>,
    #[account(mut)]
    pub held: Account<'info, TokenAccount>,
    pub member: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Rent<'info> {
    #[account(mut, has_one = member)]
    pub guild: Account<'info, Guild>,
    #[account(mut, address = guild.chest)]
    pub drawer: Account<'info, TokenAccount>,
    #[account(mut)]
    pub held: Account<'info, TokenAccount>,
    pub member: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Fine<'info> {
    #[account(mut, has_one = member)]
    pub guild: Account<'info, Guild>,
    #[account(mut)]
    pub bowl: Account<'info, TokenAccount>, // FINDING
    #[account(mut)]
    pub held: Account<'info, TokenAccount>,
    pub member: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Guild {
    pub member: Pubkey,
    pub stake_mint: Pubkey,
    pub bond_mint: Pubkey,
    pub chest: Pubkey,
    pub shares: u64,
    pub spent: u64,
    pub received: u64,
    pub bump: u8,
}
`,
      `use borsh::{BorshDeserialize, BorshSerialize};
use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Scale { pub keeper: Pubkey, pub fine: Pubkey, pub coarse: Pubkey, pub last: u64 }

pub fn weigh(program_id: &Pubkey, accounts: &[AccountInfo], exact: bool) -> ProgramResult {
    let iter = &mut accounts.iter();
    let scale_info = next_account_info(iter)?;
    let probe = next_account_info(iter)?;
    let keeper = next_account_info(iter)?;
    if scale_info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    let mut scale = Scale::try_from_slice(&scale_info.data.borrow())?;
    if !keeper.is_signer || keeper.key != &scale.keeper {
        return Err(ProgramError::MissingRequiredSignature);
    }
    if probe.owner != &probes::ID {
        return Err(ProgramError::IllegalOwner);
    }
    scale.last = if exact {
        if probe.key != &scale.fine {
            return Err(ProgramError::InvalidArgument);
        }
        probes::state::Fine::try_from_slice(&probe.data.borrow())?.grams
    } else {
        probes::state::Coarse::try_from_slice(&probe.data.borrow())?.grams // FINDING
    };
    scale.serialize(&mut &mut scale_info.data.borrow_mut()[..])?;
    Ok(())
}
`,
      // What belongs to another record is changed with it; what belongs to the referrer is paid to anybody.
      `use anchor_lang::prelude::*;

#[program]
pub mod guilds {
    use super::*;
    pub fn open(ctx: Context<Open>, rate: u64) -> Result<()> {
        ctx.accounts.ledger.rate = rate;
        Ok(())
    }
    pub fn raise(ctx: Context<Raise>, rate: u64) -> Result<()> {
        ctx.accounts.ledger.rate = rate;
        Ok(())
    }
    pub fn lower(ctx: Context<Lower>, rate: u64) -> Result<()> {
        ctx.accounts.ledger.rate = rate;
        Ok(())
    }
    pub fn accrue(ctx: Context<Accrue>) -> Result<()> {
        let ledger = &mut ctx.accounts.ledger;
        ledger.sum = ledger.sum.checked_add(ledger.rate).unwrap();
        ctx.accounts.guild.total = ctx.accounts.guild.total.checked_add(ledger.rate).unwrap();
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(has_one = head)]
    pub guild: Account<'info, Guild>,
    #[account(mut, seeds = [b"ledger", guild.key().as_ref()], bump)]
    pub ledger: Account<'info, Ledger>,
    pub head: Signer<'info>,
}

#[derive(Accounts)]
pub struct Raise<'info> {
    #[account(has_one = head)]
    pub guild: Account<'info, Guild>,
    #[account(mut, seeds = [b"ledger", guild.key().as_ref()], bump)]
    pub ledger: Account<'info, Ledger>,
    pub head: Signer<'info>,
}

#[derive(Accounts)]
pub struct Lower<'info> {
    #[account(has_one = head)]
    pub guild: Account<'info, Guild>,
    #[account(mut, seeds = [b"ledger", guild.key().as_ref()], bump)]
    pub ledger: Account<'info, Ledger>,
    pub head: Signer<'info>,
}

#[derive(Accounts)]
pub struct Accrue<'info> {
    pub payer: Signer<'info>,
    #[account(mut)]
    pub ledger: Account<'info, Ledger>, // FINDING
    #[account(mut)]
    pub guild: Account<'info, Guild>,
}

#[account]
pub struct Guild { pub head: Pubkey, pub total: u64 }

#[account]
pub struct Ledger { pub rate: u64, pub sum: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod desks {
    use super::*;
    pub fn note(ctx: Context<Note>, amount: u64) -> Result<()> {
        ctx.accounts.desk.sum = amount;
        let referral = ctx.accounts.referral.to_account_info();
        **referral.try_borrow_mut_lamports()? -= ctx.accounts.referral.owed;
        **ctx.accounts.referrer.try_borrow_mut_lamports()? += ctx.accounts.referral.owed;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Note<'info> {
    #[account(mut, has_one = clerk)]
    pub desk: Account<'info, Desk>,
    pub clerk: Signer<'info>,
    #[account(mut)]
    pub referral: Account<'info, Referral>,
    /// CHECK: not needed any more
    #[account(mut)]
    pub referrer: UncheckedAccount<'info>, // FINDING
}

#[account]
pub struct Desk { pub clerk: Pubkey, pub sum: u64 }

#[account]
pub struct Referral { pub referrer: Pubkey, pub owed: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod ledgers {
    use super::*;
    /// That the list has it afterwards says nothing: it is put in here.
    pub fn borrow(ctx: Context<Borrow>, amount: u64) -> Result<()> {
        let bank = &mut ctx.accounts.bank;
        let user = &mut ctx.accounts.user;
        let key = bank.key();
        let at = match user.slots.iter().position(|slot| slot.bank == key) {
            Some(at) => at,
            None => {
                user.slots[0] = Slot { bank: key, debt: 0 };
                0
            }
        };
        require_keys_eq!(user.slots[at].bank, key);
        user.slots[at].debt = user.slots[at].debt.checked_add(amount).unwrap();
        bank.lent = bank.lent.checked_add(amount).unwrap();
        Ok(())
    }
    /// Both lines are changed, and one may be in another ledger.
    pub fn shift(ctx: Context<Shift>, units: u64) -> Result<()> {
        let source = &mut ctx.accounts.source_line;
        let target = &mut ctx.accounts.target_line;
        source.units = source.units.checked_sub(units).unwrap();
        target.units = target.units.checked_add(units).unwrap();
        Ok(())
    }
    /// The new record names the tier and the group, whether they belong together or not.
    pub fn open(ctx: Context<Open>) -> Result<()> {
        ctx.accounts.market.rate = ctx.accounts.tier.rate.min(ctx.accounts.group.cap);
        Ok(())
    }
    pub fn wipe(ctx: Context<Wipe>) -> Result<()> {
        ctx.accounts.base.bin.units = 0;
        Ok(())
    }
    /// A shelf may have a group.
    pub fn clear(ctx: Context<Clear>) -> Result<()> {
        ctx.accounts.shelf.units = 0;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Borrow<'info> {
    pub group: Account<'info, Group>, // FINDING
    #[account(mut, has_one = owner)]
    pub user: Account<'info, User>,
    pub owner: Signer<'info>,
    #[account(mut, has_one = group)]
    pub bank: Account<'info, Bank>,
}

#[derive(Accounts)]
pub struct Shift<'info> {
    pub ledger: Account<'info, Ledger>, // FINDING
    #[account(mut, has_one = ledger, has_one = holder)]
    pub source_line: Account<'info, Line>,
    #[account(mut)]
    pub target_line: Account<'info, Line>,
    pub holder: Signer<'info>,
}

#[derive(Accounts)]
pub struct Open<'info> {
    pub group: Account<'info, Group>, // FINDING
    pub tier: Account<'info, Tier>,
    #[account(init, payer = payer, space = 16, seeds = [group.key().as_ref(), tier.key().as_ref()], bump)]
    pub market: Account<'info, Market>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Base<'info> {
    pub group: Account<'info, Group>, // FINDING
    #[account(mut)]
    pub bin: Account<'info, Bin>,
}

#[derive(Accounts)]
pub struct Wipe<'info> {
    pub base: Base<'info>,
    #[account(has_one = admin, constraint = group.key() == base.group.key())]
    pub group: Account<'info, Group>,
    pub admin: Signer<'info>,
}

#[derive(Accounts)]
pub struct Clear<'info> {
    #[account(has_one = admin)]
    pub group: Account<'info, Group>, // FINDING
    pub admin: Signer<'info>,
    #[account(mut)]
    pub shelf: Account<'info, Shelf>,
}

#[account]
pub struct Shelf { pub group: Option<Pubkey>, pub units: u64 }

#[account]
pub struct Group { pub admin: Pubkey, pub cap: u64 }

#[account]
pub struct Ledger { pub admin: Pubkey }

#[account]
pub struct User { pub group: Pubkey, pub owner: Pubkey, pub slots: Vec<Slot> }

#[derive(AnchorSerialize, AnchorDeserialize, Clone)]
pub struct Slot { pub bank: Pubkey, pub debt: u64 }

#[account]
pub struct Bank { pub group: Pubkey, pub lent: u64 }

#[account]
pub struct Line { pub ledger: Pubkey, pub holder: Pubkey, pub units: u64 }

#[account]
pub struct Tier { pub group: Pubkey, pub rate: u64 }

#[account]
pub struct Market { pub rate: u64 }

#[account]
pub struct Bin { pub group: Pubkey, pub units: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Mint, MintTo, Token, TokenAccount};

#[program]
pub mod stakes {
    use super::*;
    pub fn deposit(ctx: Context<Deposit>, amount: u64) -> Result<()> {
        let accounts = MintTo {
            mint: ctx.accounts.share.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.keeper.to_account_info(),
        };
        let seeds: &[&[&[u8]]] = &[&[b"keeper", &[ctx.accounts.pool.bump]]];
        token::mint_to(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, seeds), amount)
    }
}

#[derive(Accounts)]
pub struct Deposit<'info> {
    #[account(mut)]
    pub pool: Account<'info, Pool>,
    #[account(mut)]
    pub share: Account<'info, Mint>, // FINDING
    #[account(mut, token::mint = share)]
    pub to: Account<'info, TokenAccount>,
    /// CHECK: signs
    #[account(seeds = [b"keeper"], bump = pool.bump)]
    pub keeper: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Pool { pub share: Pubkey, pub bump: u8 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod lists {
    use super::*;
    pub fn add(ctx: Context<Add>, one: u64) -> Result<()> {
        ctx.accounts.entries.load_mut()?.sum = one;
        Ok(())
    }
    pub fn drop(ctx: Context<Remove>, one: u64) -> Result<()> {
        ctx.accounts.entries.load_mut()?.sum = one;
        Ok(())
    }
    pub fn clear(ctx: Context<Clear>) -> Result<()> {
        ctx.accounts.entries.load_mut()?.sum = 0;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Add<'info> {
    #[account(has_one = admin)]
    pub book: Account<'info, Book>,
    pub admin: Signer<'info>,
    #[account(mut, address = book.first)]
    pub entries: AccountLoader<'info, Entries>,
}

#[derive(Accounts)]
pub struct Remove<'info> {
    #[account(has_one = admin)]
    pub book: Account<'info, Book>,
    pub admin: Signer<'info>,
    #[account(mut, constraint = entries.key() == book.first)]
    pub entries: AccountLoader<'info, Entries>,
}

#[derive(Accounts)]
pub struct Clear<'info> {
    #[account(has_one = admin)]
    pub book: Account<'info, Book>,
    pub admin: Signer<'info>,
    #[account(mut)]
    pub entries: AccountLoader<'info, Entries>, // FINDING
}

#[account]
pub struct Book { pub admin: Pubkey, pub first: Pubkey }

#[account(zero_copy)]
pub struct Entries { pub sum: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Mint, MintTo, Token, TokenAccount};

#[program]
pub mod cash {
    use super::*;

    pub fn print(ctx: Context<Print>, amount: u64) -> Result<()> {
        let reserve = &ctx.accounts.reserve;
        require_keys_eq!(reserve.mint, ctx.accounts.collateral.mint);
        require_keys_eq!(reserve.owner, ctx.accounts.coin.key());
        require!(reserve.amount.checked_add(amount).unwrap() <= ctx.accounts.collateral.cap, ErrorCode::ConstraintRaw);
        let accounts = MintTo {
            mint: ctx.accounts.coin.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.keeper.to_account_info(),
        };
        let seeds: &[&[&[u8]]] = &[&[b"keeper", &[ctx.accounts.bank.bump]]];
        token::mint_to(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, seeds), amount)
    }
}

#[derive(Accounts)]
pub struct Print<'info> {
    pub bank: Account<'info, Bank>,
    #[account(has_one = bank)]
    pub collateral: Account<'info, Collateral>,
    #[account(mut)]
    pub coin: Account<'info, Mint>, // FINDING
    #[account(mut)]
    pub reserve: Account<'info, TokenAccount>,
    #[account(mut, token::mint = coin)]
    pub to: Account<'info, TokenAccount>,
    /// CHECK: signs
    #[account(seeds = [b"keeper"], bump = bank.bump)]
    pub keeper: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Bank { pub coin: Pubkey, pub bump: u8 }

#[account]
pub struct Collateral { pub bank: Pubkey, pub mint: Pubkey, pub cap: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod camps {
    use super::*;

    pub fn strike(_ctx: Context<Strike>) -> Result<()> {
        Ok(())
    }

    pub fn sweep(_ctx: Context<Sweep>) -> Result<()> {
        Ok(())
    }

    pub fn leave(_ctx: Context<Leave>) -> Result<()> {
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Strike<'info> {
    pub camp: Account<'info, Camp>,
    #[account(mut, has_one = camp, close = purser)]
    pub tent: Account<'info, Tent>,
    /// CHECK: gets the rent
    #[account(mut, address = camp.purser.unwrap())]
    pub purser: AccountInfo<'info>,
}

#[derive(Accounts)]
pub struct Sweep<'info> {
    pub camp: Account<'info, Camp>,
    #[account(mut, has_one = camp, close = purser)]
    pub tent: Account<'info, Tent>,
    /// CHECK: gets the rent
    #[account(mut, address = camp.purser.unwrap())]
    pub purser: AccountInfo<'info>,
}

#[derive(Accounts)]
pub struct Leave<'info> {
    pub camp: Account<'info, Camp>,
    #[account(mut, has_one = camp, close = purser)]
    pub tent: Account<'info, Tent>,
    /// CHECK: gets the rent
    #[account(mut)]
    pub purser: AccountInfo<'info>, // FINDING
}

#[account]
pub struct Camp { pub scout: Pubkey, pub purser: Option<Pubkey> }

#[account]
pub struct Tent { pub camp: Pubkey, pub size: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Burn, Mint, Token, TokenAccount, Transfer};

#[program]
pub mod bridge {
    use super::*;
    /// Anyone can open a token account of the lane's for another mint.
    pub fn send(ctx: Context<Send>, amount: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.own.to_account_info(),
            to: ctx.accounts.kept.to_account_info(),
            authority: ctx.accounts.sender.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount)?;
        ctx.accounts.lane.out += amount;
        Ok(())
    }
    pub fn burn(ctx: Context<Destroy>, amount: u64) -> Result<()> {
        let accounts = Burn {
            mint: ctx.accounts.coin.to_account_info(),
            from: ctx.accounts.own.to_account_info(),
            authority: ctx.accounts.sender.to_account_info(),
        };
        token::burn(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount)?;
        ctx.accounts.lane.out += amount;
        Ok(())
    }
    pub fn count(ctx: Context<Count>) -> Result<()> {
        ctx.accounts.lane.supply = ctx.accounts.coin.supply;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Send<'info> {
    #[account(mut, seeds = [b"lane"], bump)]
    pub lane: Account<'info, Lane>,
    pub coin: Account<'info, Mint>, // FINDING
    #[account(mut, token::mint = coin, token::authority = sender)]
    pub own: Account<'info, TokenAccount>,
    #[account(mut, associated_token::mint = coin, associated_token::authority = lane)]
    pub kept: Account<'info, TokenAccount>,
    pub sender: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Destroy<'info> {
    #[account(mut, seeds = [b"lane"], bump, constraint = lane.token_address == coin.key())]
    pub lane: Account<'info, Lane>,
    #[account(mut)]
    pub coin: Account<'info, Mint>,
    #[account(mut, token::mint = coin, token::authority = sender)]
    pub own: Account<'info, TokenAccount>,
    pub sender: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Count<'info> {
    #[account(mut, seeds = [b"lane"], bump)]
    pub lane: Account<'info, Lane>,
    #[account(address = lane.token_address)]
    pub coin: Account<'info, Mint>,
}

#[account]
pub struct Lane {
    pub token_address: Pubkey,
    pub out: u64,
    pub supply: u64,
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod trades {
    use super::*;
    pub fn inherit(ctx: Context<Inherit>) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.out.to_account_info(),
            authority: ctx.accounts.market.to_account_info(),
        };
        let seeds: &[&[&[u8]]] = &[&[b"market", &[ctx.accounts.market.bump]]];
        let context = CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, seeds);
        token::transfer(context, ctx.accounts.vault.amount)
    }
}

#[derive(Accounts)]
pub struct Inherit<'info> {
    #[account(seeds = [b"market"], bump = market.bump, has_one = vault)]
    pub market: Account<'info, Market>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    /// CHECK: is paid
    pub heir: UncheckedAccount<'info>, // FINDING
    #[account(mut, token::authority = heir)]
    pub out: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Market {
    pub vault: Pubkey,
    pub heir: Pubkey,
    pub bump: u8,
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

pub const RATES: Pubkey = pubkey!("DQ4C1tzvu28cwo1roN1Wm6TW35sfJEjLh517k3ZeWevx");

#[program]
pub mod mines {
    use super::*;
    pub fn create(ctx: Context<Create>, rate: u64) -> Result<()> {
        ctx.accounts.rates.rate = rate;
        Ok(())
    }
    pub fn claim(ctx: Context<Claim>) -> Result<()> {
        let due = ctx.accounts.miner.work.checked_mul(ctx.accounts.rates.rate).unwrap();
        ctx.accounts.miner.work = 0;
        pay(&ctx.accounts.pot, &ctx.accounts.target, &ctx.accounts.token_program, ctx.bumps.pot, due)
    }
}

fn pay<'info>(
    pot: &Account<'info, TokenAccount>,
    target: &Account<'info, TokenAccount>,
    token_program: &Program<'info, Token>,
    bump: u8,
    due: u64,
) -> Result<()> {
    let accounts =
        Transfer { from: pot.to_account_info(), to: target.to_account_info(), authority: pot.to_account_info() };
    let seeds: &[&[u8]] = &[b"pot", &[bump]];
    token::transfer(CpiContext::new_with_signer(token_program.to_account_info(), accounts, &[seeds]), due)
}

#[derive(Accounts)]
pub struct Create<'info> {
    #[account(mut)]
    pub anyone: Signer<'info>,
    #[account(init, payer = anyone, space = 16)]
    pub rates: Account<'info, Rates>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Claim<'info> {
    pub owner: Signer<'info>,
    #[account(mut, has_one = owner)]
    pub miner: Account<'info, Miner>,
    pub rates: Account<'info, Rates>, // FINDING
    #[account(mut, seeds = [b"pot"], bump)]
    pub pot: Account<'info, TokenAccount>,
    #[account(mut)]
    pub target: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Rates { pub rate: u64 }

#[account]
pub struct Miner { pub owner: Pubkey, pub work: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod shifts {
    use super::*;
    pub fn shift(ctx: Context<Shift>, amount: u64) -> Result<()> {
        let from = &mut ctx.accounts.pool_from;
        from.held = from.held.checked_sub(amount).unwrap();
        let to = &mut ctx.accounts.pool_to;
        to.held = to.held.checked_add(amount).unwrap();
        let seeds: &[&[u8]] = &[b"chest", &[ctx.bumps.chest]];
        let accounts = Transfer {
            from: ctx.accounts.sol_vault_from.to_account_info(),
            to: ctx.accounts.sol_to_vault.to_account_info(),
            authority: ctx.accounts.chest.to_account_info(),
        };
        token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, &[seeds]), amount)
    }
}

#[derive(Accounts)]
pub struct Shift<'info> {
    pub keeper: Signer<'info>,
    #[account(mut, has_one = keeper)]
    pub pool_from: Account<'info, Pool>,
    #[account(mut, has_one = keeper, constraint = pool_to.key() != pool_from.key())]
    pub pool_to: Account<'info, Pool>,
    #[account(mut, address = pool_from.sol_vault)]
    pub sol_vault_from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub sol_to_vault: Account<'info, TokenAccount>, // FINDING
    /// CHECK: signs
    #[account(seeds = [b"chest"], bump)]
    pub chest: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Pool { pub keeper: Pubkey, pub sol_vault: Pubkey, pub held: u64 }
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::program::{invoke, invoke_signed};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshDeserialize, BorshSerialize)]
pub struct Tank { pub version: u8, pub supply: Pubkey, pub coupon: Coupon, pub level: u64 }
#[derive(BorshDeserialize, BorshSerialize)]
pub struct Coupon { pub mint_pubkey: Pubkey, pub total: u64 }

// The mint is named after the record and its part.
pub fn fill(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let source_info = next_account_info(iter)?;
    let target_info = next_account_info(iter)?;
    let tank_info = next_account_info(iter)?;
    let tank_supply_info = next_account_info(iter)?;
    let tank_coupon_mint_info = next_account_info(iter)?; // FINDING
    let minter_info = next_account_info(iter)?;
    let user_info = next_account_info(iter)?;
    let mut tank = Tank::try_from_slice(&tank_info.data.borrow())?;
    if tank_info.owner != program_id || &tank.supply != tank_supply_info.key {
        return Err(ProgramError::InvalidArgument);
    }
    tank.level = tank.level.checked_add(amount).ok_or(ProgramError::ArithmeticOverflow)?;
    tank.coupon.total = tank.coupon.total.checked_add(amount).ok_or(ProgramError::ArithmeticOverflow)?;
    tank.serialize(&mut &mut tank_info.data.borrow_mut()[..])?;
    invoke(
        &spl_token::instruction::transfer(&spl_token::ID, source_info.key, tank_supply_info.key, user_info.key, &[], amount)?,
        &[source_info.clone(), tank_supply_info.clone(), user_info.clone()],
    )?;
    invoke_signed(
        &spl_token::instruction::mint_to(&spl_token::ID, tank_coupon_mint_info.key, target_info.key, minter_info.key, &[], amount)?,
        &[tank_coupon_mint_info.clone(), target_info.clone(), minter_info.clone()],
        &[&[b"minter", &[255]]],
    )
}
`,
      // The account is known by what it stores; its own `key` is not the loader's.
      `use anchor_lang::prelude::*;

#[program]
pub mod ponds {
    use super::*;
    pub fn fill(ctx: Context<Fill>, amount: u64) -> Result<()> {
        let mut pond = ctx.accounts.pond_state.load_mut()?;
        pond.filled = pond.filled.checked_add(amount).unwrap();
        ctx.accounts.order.filled = pond.filled;
        Ok(())
    }
    pub fn drain(ctx: Context<Drain>, amount: u64) -> Result<()> {
        let mut pond = ctx.accounts.pond_state.load_mut()?;
        pond.filled = pond.filled.checked_sub(amount).unwrap();
        ctx.accounts.order.filled = pond.filled;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Fill<'info> {
    #[account(mut)]
    pub pond_state: AccountLoader<'info, PondState>,
    #[account(mut, has_one = owner, constraint = order.pond_id == pond_state.key())]
    pub order: Account<'info, Order>,
    pub owner: Signer<'info>,
}

#[derive(Accounts)]
pub struct Drain<'info> {
    #[account(mut)]
    pub pond_state: AccountLoader<'info, PondState>, // FINDING
    #[account(mut, has_one = owner)]
    pub order: Account<'info, Order>,
    pub owner: Signer<'info>,
}

#[account(zero_copy)]
pub struct PondState { pub filled: u64, pub mint: Pubkey, pub bump: [u8; 1] }

impl PondState {
    /// Not the one that a loader is asked for.
    pub fn key(&self) -> Pubkey {
        Pubkey::create_program_address(&[b"pond", self.mint.as_ref(), self.bump.as_ref()], &ID).unwrap()
    }
}

#[account]
pub struct Order { pub pond_id: Pubkey, pub owner: Pubkey, pub filled: u64 }
`,
      // The ledger is that of a stand of the fair, the member another's.
      `use anchor_lang::prelude::*;

#[program]
pub mod fairs {
    use super::*;
    pub fn cancel(ctx: Context<Cancel>, slot: u64, price: u64) -> Result<()> {
        require!(ctx.accounts.member.open > 0, Bad::Closed);
        ctx.accounts.ledger.best = price.checked_add(slot).unwrap();
        Ok(())
    }
    pub fn retire(ctx: Context<Retire>, slot: u64, price: u64) -> Result<()> {
        require!(ctx.accounts.member.open > 0, Bad::Closed);
        ctx.accounts.ledger.best = price.checked_add(slot).unwrap();
        Ok(())
    }
}

/// The ledger is that of a stand of this fair; the member may be another's.
#[derive(Accounts)]
pub struct Cancel<'info> {
    pub fair: Account<'info, Fair>, // FINDING
    #[account(mut, has_one = owner)]
    pub member: Account<'info, Member>,
    pub owner: Signer<'info>,
    #[account(has_one = fair, has_one = ledger)]
    pub stand: Account<'info, Stand>,
    #[account(mut)]
    pub ledger: Account<'info, Ledger>,
}

#[derive(Accounts)]
pub struct Retire<'info> {
    pub fair: Account<'info, Fair>,
    #[account(mut, has_one = owner, has_one = fair)]
    pub member: Account<'info, Member>,
    pub owner: Signer<'info>,
    #[account(has_one = fair, has_one = ledger)]
    pub stand: Account<'info, Stand>,
    #[account(mut)]
    pub ledger: Account<'info, Ledger>,
}

#[error_code]
pub enum Bad { Closed }

#[account]
pub struct Fair { pub admin: Pubkey }

#[account]
pub struct Member { pub fair: Pubkey, pub owner: Pubkey, pub open: u64 }

#[account]
pub struct Stand { pub fair: Pubkey, pub ledger: Pubkey, pub lot: u64 }

#[account]
pub struct Ledger { pub best: u64 }
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::program::invoke_signed;
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey, system_instruction};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Share { pub holder: Pubkey, pub purse: Pubkey, pub due: u64 }

fn give(from: &AccountInfo, to: &AccountInfo, amount: u64) -> ProgramResult {
    **from.lamports.borrow_mut() = from.lamports().checked_sub(amount).ok_or(ProgramError::InsufficientFunds)?; // FINDING
    **to.lamports.borrow_mut() = to.lamports().checked_add(amount).ok_or(ProgramError::InvalidArgument)?;
    Ok(())
}

pub fn claim(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let share_info = next_account_info(iter)?;
    let pot = next_account_info(iter)?;
    let holder = next_account_info(iter)?;
    if share_info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    let mut share = Share::try_from_slice(&share_info.data.borrow())?;
    if share.holder != *holder.key || !holder.is_signer {
        return Err(ProgramError::MissingRequiredSignature);
    }
    let due = share.due;
    share.due = 0;
    share.serialize(&mut &mut share_info.data.borrow_mut()[..])?;
    give(pot, holder, due)
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::program::invoke_signed;
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey, system_instruction};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Share { pub holder: Pubkey, pub purse: Pubkey, pub due: u64 }

pub fn describe(program_id: &Pubkey, accounts: &[AccountInfo], text: [u8; 32]) -> ProgramResult {
    let [share_info, holder, note] = accounts else { return Err(ProgramError::NotEnoughAccountKeys) };
    if share_info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    let share = Share::try_from_slice(&share_info.data.borrow())?;
    if share.holder != *holder.key || !holder.is_signer {
        return Err(ProgramError::MissingRequiredSignature);
    }
    let (address, bump) = Pubkey::find_program_address(&[b"note", share_info.key.as_ref()], program_id);
    if note.data_is_empty() {
        invoke_signed(
            &system_instruction::create_account(holder.key, note.key, 1_000_000, 32, program_id),
            &[holder.clone(), note.clone()],
            &[&[b"note", share_info.key.as_ref(), &[bump]]],
        )?;
    }
    if note.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    note.data.borrow_mut().copy_from_slice(&text); // FINDING
    Ok(())
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Source { pub ticker_oracle: Pubkey }

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Store { pub keeper: Pubkey, pub source: Source, pub value: u64 }

mod tickers { solana_program::declare_id!("Tick111111111111111111111111111111111111111"); }

fn value_of(ticker_feed: &AccountInfo) -> Result<u64, ProgramError> {
    if *ticker_feed.owner != tickers::id() {
        return Err(ProgramError::IllegalOwner);
    }
    let data = ticker_feed.data.borrow();
    Ok(u64::from_le_bytes(data[8..16].try_into().map_err(|_| ProgramError::InvalidAccountData)?))
}

/// The field has another name than the account whose address it stores.
pub fn open(accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let store_info = next_account_info(iter)?;
    let ticker_feed = next_account_info(iter)?;
    let keeper = next_account_info(iter)?;
    if !keeper.is_signer || store_info.data.borrow()[0] != 0 {
        return Err(ProgramError::MissingRequiredSignature);
    }
    let store = Store { keeper: *keeper.key, source: Source { ticker_oracle: *ticker_feed.key }, value: value_of(ticker_feed)? };
    store.serialize(&mut &mut store_info.data.borrow_mut()[..])?;
    Ok(())
}

pub fn refresh(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let store_info = next_account_info(iter)?;
    let ticker_feed = next_account_info(iter)?; // FINDING
    if store_info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    let mut store = Store::try_from_slice(&store_info.data.borrow())?;
    store.value = value_of(ticker_feed)?;
    store.serialize(&mut &mut store_info.data.borrow_mut()[..])?;
    Ok(())
}
`,
      // One argument chooses the park, another one the cashbox.
      `use anchor_lang::prelude::*;
use anchor_spl::token::{transfer, Token, TokenAccount, Transfer};

#[program]
pub mod parks {
    use super::*;
    pub fn enter(ctx: Context<Enter>, park_index: u16, box_index: u16, fee: u64) -> Result<()> {
        ctx.accounts.park.visits += 1;
        let accounts = Transfer {
            from: ctx.accounts.wallet.to_account_info(),
            to: ctx.accounts.cashbox.to_account_info(),
            authority: ctx.accounts.visitor.to_account_info(),
        };
        ctx.accounts.park.taken += fee;
        transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), fee)
    }
    pub fn visit(ctx: Context<Visit>, park_index: u16, fee: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.wallet.to_account_info(),
            to: ctx.accounts.cashbox.to_account_info(),
            authority: ctx.accounts.visitor.to_account_info(),
        };
        ctx.accounts.park.taken += fee;
        transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), fee)
    }
}

#[derive(Accounts)]
#[instruction(park_index: u16, box_index: u16)]
pub struct Enter<'info> {
    #[account(mut, seeds = [b"park", park_index.to_le_bytes().as_ref()], bump)]
    pub park: Account<'info, Park>,
    #[account(mut, seeds = [b"cashbox", box_index.to_le_bytes().as_ref()], bump)]
    pub cashbox: Account<'info, TokenAccount>, // FINDING
    #[account(mut)]
    pub wallet: Account<'info, TokenAccount>,
    pub visitor: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
#[instruction(park_index: u16)]
pub struct Visit<'info> {
    #[account(mut, seeds = [b"park", park_index.to_le_bytes().as_ref(), visitor.key().as_ref()], bump)]
    pub park: Account<'info, Park>,
    #[account(mut, seeds = [b"cashbox", park_index.to_le_bytes().as_ref(), wallet.key().as_ref()], bump)]
    pub cashbox: Account<'info, TokenAccount>, // FINDING
    #[account(mut)]
    pub wallet: Account<'info, TokenAccount>,
    pub visitor: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Park { pub cashbox: Pubkey, pub visits: u64, pub taken: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_lang::system_program;

#[program]
pub mod market {
    use super::*;
    pub fn buy(ctx: Context<Buy>) -> Result<()> {
        let accounts = system_program::Transfer {
            from: ctx.accounts.buyer.to_account_info(),
            to: ctx.accounts.owner.to_account_info(),
        };
        let cpi = CpiContext::new(ctx.accounts.system_program.to_account_info(), accounts);
        system_program::transfer(cpi, ctx.accounts.listing.price)
    }
    pub fn delist(ctx: Context<Delist>) -> Result<()> {
        msg!("{} is off the market", ctx.accounts.listing.asset);
        Ok(())
    }
}

/// The rent goes to whoever paid it, or else to the owner: that does not say who the owner is.
#[derive(Accounts)]
pub struct Buy<'info> {
    #[account(mut, close = rent_receiver, seeds = [b"listing", asset.key().as_ref()], bump)]
    pub listing: Account<'info, Listing>,
    /// CHECK: the asset
    pub asset: UncheckedAccount<'info>,
    /// CHECK: receives the price
    #[account(mut)]
    pub owner: UncheckedAccount<'info>, // FINDING
    /// CHECK: compared
    #[account(mut, constraint = rent_receiver.key() == listing.rent_payer.unwrap_or(listing.owner))]
    pub rent_receiver: UncheckedAccount<'info>,
    #[account(mut)]
    pub buyer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Delist<'info> {
    #[account(mut, close = rent_receiver, has_one = owner)]
    pub listing: Account<'info, Listing>,
    pub owner: Signer<'info>,
    /// CHECK: compared
    #[account(mut, constraint = rent_receiver.key() == listing.rent_payer.unwrap_or(listing.owner))]
    pub rent_receiver: UncheckedAccount<'info>,
}

#[account]
pub struct Listing { pub owner: Pubkey, pub rent_payer: Option<Pubkey>, pub asset: Pubkey, pub price: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{Mint, Token, TokenAccount};

#[program]
pub mod fair {
    use super::*;
    pub fn set_up(ctx: Context<SetUp>) -> Result<()> {
        ctx.accounts.fair.stalls += 1;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct SetUp<'info> {
    #[account(mut)]
    pub host: Signer<'info>,
    #[account(mut, has_one = host)]
    pub fair: Account<'info, Fair>,
    pub town: Account<'info, Town>,
    /// CHECK: owns the till from now on
    pub collector: UncheckedAccount<'info>, // FINDING
    pub coin: Account<'info, Mint>,
    #[account(init_if_needed, payer = host, seeds = [b"till", town.key().as_ref(), coin.key().as_ref()], bump, token::mint = coin, token::authority = collector)]
    pub till: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Fair { pub host: Pubkey, pub stalls: u64 }
#[account]
pub struct Town { pub collector: Pubkey }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod tolls {
    use super::*;
    pub fn pass(ctx: Context<Pass>, amount: u64) -> Result<()> {
        let fee = amount / ctx.accounts.bridge.rate;
        let accounts = Transfer {
            from: ctx.accounts.purse.to_account_info(),
            to: ctx.accounts.collector_token_account.to_account_info(),
            authority: ctx.accounts.payer.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), fee)
    }
}

#[derive(Accounts)]
pub struct Pass<'info> {
    pub bridge: Account<'info, Bridge>,
    #[account(mut)]
    pub purse: Account<'info, TokenAccount>,
    #[account(mut)]
    pub collector_token_account: Account<'info, TokenAccount>, // FINDING
    pub payer: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Bridge { pub collector: Pubkey, pub rate: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Mint, MintTo, Token, TokenAccount};

#[program]
pub mod press {
    use super::*;

    pub fn borrow(ctx: Context<Print>, index: u8, amount: u64) -> Result<()> {
        ctx.accounts.debt.amount += amount;
        ctx.accounts.print(amount)
    }
    pub fn swap(ctx: Context<Print>, index: u8, amount: u64) -> Result<()> {
        ctx.accounts.debt.swapped += amount;
        ctx.accounts.print(amount / 2)
    }
    pub fn draw(ctx: Context<Print>, index: u8, amount: u64) -> Result<()> {
        ctx.accounts.debt.amount += 2 * amount;
        ctx.accounts.print(2 * amount)
    }
    pub fn wrap(ctx: Context<Wrap>, index: u8, amount: u64) -> Result<()> {
        ctx.accounts.debt.wrapped += amount;
        let seeds: &[&[u8]] = &[b"press", &[ctx.accounts.press.bump]];
        let accounts = MintTo {
            mint: ctx.accounts.paper.to_account_info(),
            to: ctx.accounts.purse.to_account_info(),
            authority: ctx.accounts.press.to_account_info(),
        };
        token::mint_to(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, &[seeds]), amount)
    }
}

impl<'info> Print<'info> {
    fn print(&self, amount: u64) -> Result<()> {
        let seeds: &[&[u8]] = &[b"press", &[self.press.bump]];
        let accounts = MintTo {
            mint: self.paper.to_account_info(),
            to: self.purse.to_account_info(),
            authority: self.press.to_account_info(),
        };
        token::mint_to(CpiContext::new_with_signer(self.token_program.to_account_info(), accounts, &[seeds]), amount)
    }
}

#[derive(Accounts)]
#[instruction(index: u8)]
pub struct Print<'info> {
    pub user: Signer<'info>,
    #[account(mut, has_one = user)]
    pub debt: Account<'info, Debt>,
    #[account(seeds = [b"press"], bump = press.bump)]
    pub press: Account<'info, Press>,
    #[account(mut, address = press.sheets[index as usize].paper)]
    pub paper: Account<'info, Mint>,
    #[account(mut, associated_token::mint = paper, associated_token::authority = user)]
    pub purse: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
#[instruction(index: u8)]
pub struct Wrap<'info> {
    pub user: Signer<'info>,
    #[account(mut, has_one = user)]
    pub debt: Account<'info, Debt>,
    #[account(seeds = [b"press"], bump = press.bump)]
    pub press: Account<'info, Press>,
    #[account(mut)]
    pub paper: Account<'info, Mint>, // FINDING
    #[account(mut, associated_token::mint = paper, associated_token::authority = user)]
    pub purse: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(AnchorSerialize, AnchorDeserialize, Clone)]
pub struct Sheet { pub paper: Pubkey, pub fee: u64 }

#[account]
pub struct Press { pub sheets: Vec<Sheet>, pub bump: u8 }

#[account]
pub struct Debt { pub user: Pubkey, pub amount: u64, pub swapped: u64, pub wrapped: u64 }
`,
    ],
    safe: [
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Mint, MintTo, Token, TokenAccount};

#[program]
pub mod press {
    use super::*;

    pub fn borrow(ctx: Context<Print>, index: u8, amount: u64) -> Result<()> {
        ctx.accounts.debt.amount += amount;
        ctx.accounts.print(amount)
    }
    pub fn swap(ctx: Context<Print>, index: u8, amount: u64) -> Result<()> {
        ctx.accounts.debt.swapped += amount;
        ctx.accounts.print(amount / 2)
    }
    pub fn wrap(ctx: Context<Wrap>, index: u8, amount: u64) -> Result<()> {
        ctx.accounts.debt.wrapped += amount;
        let seeds: &[&[u8]] = &[b"press", &[ctx.accounts.press.bump]];
        let accounts = MintTo {
            mint: ctx.accounts.paper.to_account_info(),
            to: ctx.accounts.purse.to_account_info(),
            authority: ctx.accounts.press.to_account_info(),
        };
        token::mint_to(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, &[seeds]), amount)
    }
}

impl<'info> Print<'info> {
    fn print(&self, amount: u64) -> Result<()> {
        let seeds: &[&[u8]] = &[b"press", &[self.press.bump]];
        let accounts = MintTo {
            mint: self.paper.to_account_info(),
            to: self.purse.to_account_info(),
            authority: self.press.to_account_info(),
        };
        token::mint_to(CpiContext::new_with_signer(self.token_program.to_account_info(), accounts, &[seeds]), amount)
    }
}

#[derive(Accounts)]
#[instruction(index: u8)]
pub struct Print<'info> {
    pub user: Signer<'info>,
    #[account(mut, has_one = user)]
    pub debt: Account<'info, Debt>,
    #[account(seeds = [b"press"], bump = press.bump)]
    pub press: Account<'info, Press>,
    #[account(mut, address = press.sheets[index as usize].paper)]
    pub paper: Account<'info, Mint>,
    #[account(mut, associated_token::mint = paper, associated_token::authority = user)]
    pub purse: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
#[instruction(index: u8)]
pub struct Wrap<'info> {
    pub user: Signer<'info>,
    #[account(mut, has_one = user)]
    pub debt: Account<'info, Debt>,
    #[account(seeds = [b"press"], bump = press.bump)]
    pub press: Account<'info, Press>,
    #[account(mut, address = press.sheets[index as usize].paper)]
    pub paper: Account<'info, Mint>,
    #[account(mut, associated_token::mint = paper, associated_token::authority = user)]
    pub purse: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(AnchorSerialize, AnchorDeserialize, Clone)]
pub struct Sheet { pub paper: Pubkey, pub fee: u64 }

#[account]
pub struct Press { pub sheets: Vec<Sheet>, pub bump: u8 }

#[account]
pub struct Debt { pub user: Pubkey, pub amount: u64, pub swapped: u64, pub wrapped: u64 }
`,
      `// Only one messenger is ever created: there is no other to pass.
use anchor_lang::prelude::*;

#[program]
pub mod bridge {
    use super::*;
    pub fn open(ctx: Context<Open>) -> Result<()> {
        ctx.accounts.messenger.fee = 1;
        Ok(())
    }
    pub fn receive(ctx: Context<Receive>, units: u64) -> Result<()> {
        ctx.accounts.remote.units = units + ctx.accounts.messenger.fee;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(init, payer = payer, space = 80, seeds = [b"messenger"], bump)]
    pub messenger: Account<'info, Messenger>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Receive<'info> {
    pub messenger: Account<'info, Messenger>,
    #[account(mut, has_one = keeper)]
    pub remote: Account<'info, Remote>,
    pub keeper: Signer<'info>,
}

#[account]
pub struct Messenger { pub fee: u64 }

#[account]
pub struct Remote { pub messenger: Pubkey, pub keeper: Pubkey, pub units: u64 }
`,
      // Whoever closes a token account of their own chooses who receives its rent, whatever callers pay to elsewhere.
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, CloseAccount, Token, TokenAccount, Transfer};

#[program]
pub mod shop {
    use super::*;

    pub fn buy(ctx: Context<Pay>, amount: u64) -> Result<()> {
        token::transfer(ctx.accounts.payment(), amount)?;
        ctx.accounts.shop.sold += 1;
        Ok(())
    }

    pub fn tip(ctx: Context<Pay>, amount: u64) -> Result<()> {
        token::transfer(ctx.accounts.payment(), amount)?;
        ctx.accounts.shop.tips += amount;
        Ok(())
    }

    pub fn rent(ctx: Context<Pay>, amount: u64) -> Result<()> {
        token::transfer(ctx.accounts.payment(), amount)?;
        ctx.accounts.shop.rented += amount;
        Ok(())
    }

    pub fn leave(ctx: Context<Leave>) -> Result<()> {
        ctx.accounts.shop.left += 1;
        let close = CloseAccount {
            account: ctx.accounts.purse.to_account_info(),
            destination: ctx.accounts.heir.to_account_info(),
            authority: ctx.accounts.buyer.to_account_info(),
        };
        token::close_account(CpiContext::new(ctx.accounts.token_program.to_account_info(), close))
    }
}

#[derive(Accounts)]
pub struct Pay<'info> {
    #[account(mut, has_one = till)]
    pub shop: Account<'info, Shop>,
    #[account(mut)]
    pub till: Account<'info, TokenAccount>,
    #[account(mut)]
    pub purse: Account<'info, TokenAccount>,
    pub buyer: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

impl<'info> Pay<'info> {
    fn payment(&self) -> CpiContext<'_, '_, '_, 'info, Transfer<'info>> {
        let pay = Transfer { from: self.purse.to_account_info(), to: self.till.to_account_info(), authority: self.buyer.to_account_info() };
        CpiContext::new(self.token_program.to_account_info(), pay)
    }
}

#[derive(Accounts)]
pub struct Leave<'info> {
    #[account(mut)]
    pub shop: Account<'info, Shop>,
    #[account(mut)]
    pub purse: Account<'info, TokenAccount>,
    /// CHECK: anyone's
    #[account(mut)]
    pub heir: UncheckedAccount<'info>,
    pub buyer: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Shop { pub till: Pubkey, pub sold: u64, pub tips: u64, pub rented: u64, pub left: u64 }
`,
      // The argument that chooses the park also chooses its cashbox.
      `use anchor_lang::prelude::*;
use anchor_spl::token::{transfer, Token, TokenAccount, Transfer};

#[program]
pub mod parks {
    use super::*;
    pub fn enter(ctx: Context<Enter>, park_index: u16, fee: u64) -> Result<()> {
        ctx.accounts.park.visits += 1;
        let accounts = Transfer {
            from: ctx.accounts.wallet.to_account_info(),
            to: ctx.accounts.cashbox.to_account_info(),
            authority: ctx.accounts.visitor.to_account_info(),
        };
        ctx.accounts.park.taken += fee;
        transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), fee)
    }
    pub fn rent(ctx: Context<Rent>, park_index: u16, box_index: u16, fee: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.wallet.to_account_info(),
            to: ctx.accounts.cashbox.to_account_info(),
            authority: ctx.accounts.visitor.to_account_info(),
        };
        ctx.accounts.park.taken += fee;
        transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), fee)
    }
    pub fn visit(ctx: Context<Visit>, park_index: u16, fee: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.wallet.to_account_info(),
            to: ctx.accounts.cashbox.to_account_info(),
            authority: ctx.accounts.visitor.to_account_info(),
        };
        ctx.accounts.park.taken += fee;
        transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), fee)
    }
}

#[derive(Accounts)]
#[instruction(park_index: u16)]
pub struct Enter<'info> {
    #[account(mut, seeds = [b"park", park_index.to_le_bytes().as_ref()], bump)]
    pub park: Account<'info, Park>,
    #[account(mut, seeds = [b"cashbox", park_index.to_le_bytes().as_ref()], bump)]
    pub cashbox: Account<'info, TokenAccount>,
    #[account(mut)]
    pub wallet: Account<'info, TokenAccount>,
    pub visitor: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
#[instruction(park_index: u16, box_index: u16)]
pub struct Rent<'info> {
    #[account(mut, seeds = [b"park", park_index.to_le_bytes().as_ref()], bump)]
    pub park: Account<'info, Park>,
    #[account(mut, seeds = [b"cashbox", park_index.to_le_bytes().as_ref(), box_index.to_le_bytes().as_ref()], bump)]
    pub cashbox: Account<'info, TokenAccount>,
    #[account(mut)]
    pub wallet: Account<'info, TokenAccount>,
    pub visitor: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
#[instruction(park_index: u16)]
pub struct Visit<'info> {
    #[account(mut, seeds = [b"park", park_index.to_le_bytes().as_ref()], bump)]
    pub park: Account<'info, Park>,
    #[account(mut, seeds = [b"cashbox", park_index.to_le_bytes().as_ref(), visitor.key().as_ref()], bump)]
    pub cashbox: Account<'info, TokenAccount>,
    #[account(mut)]
    pub wallet: Account<'info, TokenAccount>,
    pub visitor: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Park { pub cashbox: Pubkey, pub visits: u64, pub taken: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Burn, Mint, Token, TokenAccount, Transfer};

#[program]
pub mod guild {
    use super::*;

    pub fn buy(ctx: Context<Buy>, amount: u64) -> Result<()> {
        token::transfer(
            CpiContext::new_with_signer(
                ctx.accounts.token_program.to_account_info(),
                Transfer { from: ctx.accounts.till.to_account_info(), to: ctx.accounts.held.to_account_info(), authority: ctx.accounts.teller.to_account_info() },
                &[&[b"teller", &[ctx.accounts.guild.bump]]],
            ),
            amount,
        )?;
        ctx.accounts.guild.spent += amount;
        Ok(())
    }

    pub fn host(ctx: Context<Host>, amount: u64) -> Result<()> {
        token::transfer(
            CpiContext::new_with_signer(
                ctx.accounts.token_program.to_account_info(),
                Transfer { from: ctx.accounts.kitty.to_account_info(), to: ctx.accounts.held.to_account_info(), authority: ctx.accounts.teller.to_account_info() },
                &[&[b"teller", &[ctx.accounts.guild.bump]]],
            ),
            amount,
        )?;
        ctx.accounts.guild.spent += amount;
        Ok(())
    }

    pub fn repair(ctx: Context<Repair>, amount: u64) -> Result<()> {
        token::transfer(
            CpiContext::new_with_signer(
                ctx.accounts.token_program.to_account_info(),
                Transfer { from: ctx.accounts.drawer.to_account_info(), to: ctx.accounts.held.to_account_info(), authority: ctx.accounts.teller.to_account_info() },
                &[&[b"teller", &[ctx.accounts.guild.bump]]],
            ),
            amount,
        )?;
        ctx.accounts.guild.spent += amount;
        Ok(())
    }

    pub fn found(ctx: Context<Found>, amount: u64) -> Result<()> {
        ctx.accounts.guild.chest = ctx.accounts.purse.key();
        token::transfer(
            CpiContext::new_with_signer(
                ctx.accounts.token_program.to_account_info(),
                Transfer { from: ctx.accounts.purse.to_account_info(), to: ctx.accounts.held.to_account_info(), authority: ctx.accounts.teller.to_account_info() },
                &[&[b"teller", &[ctx.accounts.guild.bump]]],
            ),
            amount,
        )?;
        ctx.accounts.guild.spent += amount;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Buy<'info> {
    #[account(mut, has_one = member)]
    pub guild: Account<'info, Guild>,
    #[account(mut, address = guild.chest)]
    pub till: Account<'info, TokenAccount>,
    #[account(mut)]
    pub held: Account<'info, TokenAccount>,
    /// CHECK: seeds
    #[account(seeds = [b"teller"], bump = guild.bump)]
    pub teller: UncheckedAccount<'info>,
    pub member: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Host<'info> {
    #[account(mut, has_one = member)]
    pub guild: Account<'info, Guild>,
    #[account(mut, address = guild.chest)]
    pub kitty: Account<'info, TokenAccount>,
    #[account(mut)]
    pub held: Account<'info, TokenAccount>,
    /// CHECK: seeds
    #[account(seeds = [b"teller"], bump = guild.bump)]
    pub teller: UncheckedAccount<'info>,
    pub member: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Repair<'info> {
    #[account(mut, has_one = member)]
    pub guild: Account<'info, Guild>,
    #[account(mut, address = guild.chest)]
    pub drawer: Account<'info, TokenAccount>,
    #[account(mut)]
    pub held: Account<'info, TokenAccount>,
    /// CHECK: seeds
    #[account(seeds = [b"teller"], bump = guild.bump)]
    pub teller: UncheckedAccount<'info>,
    pub member: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Found<'info> {
    #[account(init, payer = member, space = 200)]
    pub guild: Account<'info, Guild>,
    #[account(mut)]
    pub purse: Account<'info, TokenAccount>,
    #[account(mut)]
    pub held: Account<'info, TokenAccount>,
    pub system_program: Program<'info, System>,
    /// CHECK: seeds
    #[account(seeds = [b"teller"], bump)]
    pub teller: UncheckedAccount<'info>,
    pub member: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[error_code]
pub enum GuildError { Empty }

#[account]
pub struct Guild {
    pub member: Pubkey,
    pub stake_mint: Pubkey,
    pub bond_mint: Pubkey,
    pub chest: Pubkey,
    pub shares: u64,
    pub spent: u64,
    pub received: u64,
    pub bump: u8,
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Burn, Mint, Token, TokenAccount, Transfer};

#[program]
pub mod guild {
    use super::*;

    pub fn buy(ctx: Context<Buy>, amount: u64) -> Result<()> {
        token::transfer(
            CpiContext::new_with_signer(
                ctx.accounts.token_program.to_account_info(),
                Transfer { from: ctx.accounts.till.to_account_info(), to: ctx.accounts.held.to_account_info(), authority: ctx.accounts.teller.to_account_info() },
                &[&[b"teller", &[ctx.accounts.guild.bump]]],
            ),
            amount,
        )?;
        ctx.accounts.guild.spent += amount;
        Ok(())
    }

    pub fn host(ctx: Context<Host>, amount: u64) -> Result<()> {
        token::transfer(
            CpiContext::new_with_signer(
                ctx.accounts.token_program.to_account_info(),
                Transfer { from: ctx.accounts.kitty.to_account_info(), to: ctx.accounts.held.to_account_info(), authority: ctx.accounts.teller.to_account_info() },
                &[&[b"teller", &[ctx.accounts.guild.bump]]],
            ),
            amount,
        )?;
        ctx.accounts.guild.spent += amount;
        Ok(())
    }

    pub fn repair(ctx: Context<Repair>, amount: u64) -> Result<()> {
        token::transfer(
            CpiContext::new_with_signer(
                ctx.accounts.token_program.to_account_info(),
                Transfer { from: ctx.accounts.drawer.to_account_info(), to: ctx.accounts.held.to_account_info(), authority: ctx.accounts.teller.to_account_info() },
                &[&[b"teller", &[ctx.accounts.guild.bump]]],
            ),
            amount,
        )?;
        ctx.accounts.guild.spent += amount;
        Ok(())
    }

    pub fn wages(ctx: Context<Wages>, amount: u64) -> Result<()> {
        token::transfer(
            CpiContext::new_with_signer(
                ctx.accounts.token_program.to_account_info(),
                Transfer { from: ctx.accounts.purse.to_account_info(), to: ctx.accounts.held.to_account_info(), authority: ctx.accounts.teller.to_account_info() },
                &[&[b"teller", &[ctx.accounts.guild.bump]]],
            ),
            amount,
        )?;
        ctx.accounts.guild.spent += amount;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Buy<'info> {
    #[account(mut, has_one = member)]
    pub guild: Account<'info, Guild>,
    #[account(mut, address = guild.chest)]
    pub till: Account<'info, TokenAccount>,
    #[account(mut)]
    pub held: Account<'info, TokenAccount>,
    /// CHECK: seeds
    #[account(seeds = [b"teller"], bump = guild.bump)]
    pub teller: UncheckedAccount<'info>,
    pub member: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Host<'info> {
    #[account(mut, has_one = member)]
    pub guild: Account<'info, Guild>,
    #[account(mut, address = guild.chest)]
    pub kitty: Account<'info, TokenAccount>,
    #[account(mut)]
    pub held: Account<'info, TokenAccount>,
    /// CHECK: seeds
    #[account(seeds = [b"teller"], bump = guild.bump)]
    pub teller: UncheckedAccount<'info>,
    pub member: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Repair<'info> {
    #[account(mut, has_one = member)]
    pub guild: Account<'info, Guild>,
    #[account(mut, address = guild.chest)]
    pub drawer: Account<'info, TokenAccount>,
    #[account(mut)]
    pub held: Account<'info, TokenAccount>,
    /// CHECK: seeds
    #[account(seeds = [b"teller"], bump = guild.bump)]
    pub teller: UncheckedAccount<'info>,
    pub member: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Wages<'info> {
    #[account(mut, has_one = member)]
    pub guild: Account<'info, Guild>,
    #[account(mut, address = wallet.purse)]
    pub purse: Account<'info, TokenAccount>,
    #[account(mut)]
    pub held: Account<'info, TokenAccount>,
    #[account(has_one = member)]
    pub wallet: Account<'info, Wallet>,
    /// CHECK: seeds
    #[account(seeds = [b"teller"], bump)]
    pub teller: UncheckedAccount<'info>,
    pub member: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[error_code]
pub enum GuildError { Empty }

#[account]
pub struct Guild {
    pub member: Pubkey,
    pub stake_mint: Pubkey,
    pub bond_mint: Pubkey,
    pub chest: Pubkey,
    pub shares: u64,
    pub spent: u64,
    pub received: u64,
    pub bump: u8,
}

#[account]
pub struct Wallet { pub member: Pubkey, pub purse: Pubkey }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Burn, Mint, Token, TokenAccount, Transfer};

#[program]
pub mod guild {
    use super::*;

    pub fn buy(ctx: Context<Buy>, amount: u64) -> Result<()> {
        token::transfer(
            CpiContext::new_with_signer(
                ctx.accounts.token_program.to_account_info(),
                Transfer { from: ctx.accounts.till.to_account_info(), to: ctx.accounts.held.to_account_info(), authority: ctx.accounts.teller.to_account_info() },
                &[&[b"teller", &[ctx.accounts.guild.bump]]],
            ),
            amount,
        )?;
        ctx.accounts.guild.spent += amount;
        Ok(())
    }

    pub fn host(ctx: Context<Host>, amount: u64) -> Result<()> {
        token::transfer(
            CpiContext::new_with_signer(
                ctx.accounts.token_program.to_account_info(),
                Transfer { from: ctx.accounts.kitty.to_account_info(), to: ctx.accounts.held.to_account_info(), authority: ctx.accounts.teller.to_account_info() },
                &[&[b"teller", &[ctx.accounts.guild.bump]]],
            ),
            amount,
        )?;
        ctx.accounts.guild.spent += amount;
        Ok(())
    }

    pub fn repair(ctx: Context<Repair>, amount: u64) -> Result<()> {
        token::transfer(
            CpiContext::new_with_signer(
                ctx.accounts.token_program.to_account_info(),
                Transfer { from: ctx.accounts.drawer.to_account_info(), to: ctx.accounts.held.to_account_info(), authority: ctx.accounts.teller.to_account_info() },
                &[&[b"teller", &[ctx.accounts.guild.bump]]],
            ),
            amount,
        )?;
        ctx.accounts.guild.spent += amount;
        Ok(())
    }

    pub fn spend(ctx: Context<Spend>, amount: u64) -> Result<()> {
        if ctx.accounts.guild.spent > 0 {
            require_keys_eq!(ctx.accounts.purse.key(), ctx.accounts.guild.chest);
        }
        token::transfer(
            CpiContext::new_with_signer(
                ctx.accounts.token_program.to_account_info(),
                Transfer { from: ctx.accounts.purse.to_account_info(), to: ctx.accounts.held.to_account_info(), authority: ctx.accounts.teller.to_account_info() },
                &[&[b"teller", &[ctx.accounts.guild.bump]]],
            ),
            amount,
        )?;
        ctx.accounts.guild.spent += amount;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Buy<'info> {
    #[account(mut, has_one = member)]
    pub guild: Account<'info, Guild>,
    #[account(mut, address = guild.chest)]
    pub till: Account<'info, TokenAccount>,
    #[account(mut)]
    pub held: Account<'info, TokenAccount>,
    /// CHECK: seeds
    #[account(seeds = [b"teller"], bump = guild.bump)]
    pub teller: UncheckedAccount<'info>,
    pub member: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Host<'info> {
    #[account(mut, has_one = member)]
    pub guild: Account<'info, Guild>,
    #[account(mut, address = guild.chest)]
    pub kitty: Account<'info, TokenAccount>,
    #[account(mut)]
    pub held: Account<'info, TokenAccount>,
    /// CHECK: seeds
    #[account(seeds = [b"teller"], bump = guild.bump)]
    pub teller: UncheckedAccount<'info>,
    pub member: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Repair<'info> {
    #[account(mut, has_one = member)]
    pub guild: Account<'info, Guild>,
    #[account(mut, address = guild.chest)]
    pub drawer: Account<'info, TokenAccount>,
    #[account(mut)]
    pub held: Account<'info, TokenAccount>,
    /// CHECK: seeds
    #[account(seeds = [b"teller"], bump = guild.bump)]
    pub teller: UncheckedAccount<'info>,
    pub member: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Spend<'info> {
    #[account(mut, has_one = member)]
    pub guild: Account<'info, Guild>,
    #[account(mut)]
    pub purse: Account<'info, TokenAccount>,
    #[account(mut)]
    pub held: Account<'info, TokenAccount>,
    /// CHECK: seeds
    #[account(seeds = [b"teller"], bump)]
    pub teller: UncheckedAccount<'info>,
    pub member: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[error_code]
pub enum GuildError { Empty }

#[account]
pub struct Guild {
    pub member: Pubkey,
    pub stake_mint: Pubkey,
    pub bond_mint: Pubkey,
    pub chest: Pubkey,
    pub shares: u64,
    pub spent: u64,
    pub received: u64,
    pub bump: u8,
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Burn, Mint, Token, TokenAccount, Transfer};

#[program]
pub mod guild {
    use super::*;

    pub fn buy(ctx: Context<Buy>, amount: u64) -> Result<()> {
        token::transfer(
            CpiContext::new_with_signer(
                ctx.accounts.token_program.to_account_info(),
                Transfer { from: ctx.accounts.till.to_account_info(), to: ctx.accounts.held.to_account_info(), authority: ctx.accounts.teller.to_account_info() },
                &[&[b"teller", &[ctx.accounts.guild.bump]]],
            ),
            amount,
        )?;
        ctx.accounts.guild.spent += amount;
        Ok(())
    }

    pub fn host(ctx: Context<Host>, amount: u64) -> Result<()> {
        token::transfer(
            CpiContext::new_with_signer(
                ctx.accounts.token_program.to_account_info(),
                Transfer { from: ctx.accounts.kitty.to_account_info(), to: ctx.accounts.held.to_account_info(), authority: ctx.accounts.teller.to_account_info() },
                &[&[b"teller", &[ctx.accounts.guild.bump]]],
            ),
            amount,
        )?;
        ctx.accounts.guild.spent += amount;
        Ok(())
    }

    pub fn repair(ctx: Context<Repair>, amount: u64) -> Result<()> {
        token::transfer(
            CpiContext::new_with_signer(
                ctx.accounts.token_program.to_account_info(),
                Transfer { from: ctx.accounts.drawer.to_account_info(), to: ctx.accounts.held.to_account_info(), authority: ctx.accounts.teller.to_account_info() },
                &[&[b"teller", &[ctx.accounts.guild.bump]]],
            ),
            amount,
        )?;
        ctx.accounts.guild.spent += amount;
        Ok(())
    }

    pub fn pledge(ctx: Context<Pledge>, amount: u64) -> Result<()> {
        token::transfer(
            CpiContext::new_with_signer(
                ctx.accounts.token_program.to_account_info(),
                Transfer { from: ctx.accounts.purse.to_account_info(), to: ctx.accounts.held.to_account_info(), authority: ctx.accounts.teller.to_account_info() },
                &[&[b"teller", &[ctx.accounts.guild.bump]]],
            ),
            amount,
        )?;
        ctx.accounts.guild.spent += amount;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Buy<'info> {
    #[account(mut, has_one = member)]
    pub guild: Account<'info, Guild>,
    #[account(mut, address = guild.chest)]
    pub till: Account<'info, TokenAccount>,
    #[account(mut)]
    pub held: Account<'info, TokenAccount>,
    /// CHECK: seeds
    #[account(seeds = [b"teller"], bump = guild.bump)]
    pub teller: UncheckedAccount<'info>,
    pub member: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Host<'info> {
    #[account(mut, has_one = member)]
    pub guild: Account<'info, Guild>,
    #[account(mut, address = guild.chest)]
    pub kitty: Account<'info, TokenAccount>,
    #[account(mut)]
    pub held: Account<'info, TokenAccount>,
    /// CHECK: seeds
    #[account(seeds = [b"teller"], bump = guild.bump)]
    pub teller: UncheckedAccount<'info>,
    pub member: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Repair<'info> {
    #[account(mut, has_one = member)]
    pub guild: Account<'info, Guild>,
    #[account(mut, address = guild.chest)]
    pub drawer: Account<'info, TokenAccount>,
    #[account(mut)]
    pub held: Account<'info, TokenAccount>,
    /// CHECK: seeds
    #[account(seeds = [b"teller"], bump = guild.bump)]
    pub teller: UncheckedAccount<'info>,
    pub member: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Pledge<'info> {
    #[account(mut, has_one = member)]
    pub guild: Account<'info, Guild>,
    #[account(mut, constraint = purse.owner == member.key())]
    pub purse: Account<'info, TokenAccount>,
    #[account(mut)]
    pub held: Account<'info, TokenAccount>,
    /// CHECK: seeds
    #[account(seeds = [b"teller"], bump = guild.bump)]
    pub teller: UncheckedAccount<'info>,
    pub member: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Guild {
    pub member: Pubkey,
    pub stake_mint: Pubkey,
    pub bond_mint: Pubkey,
    pub chest: Pubkey,
    pub shares: u64,
    pub spent: u64,
    pub received: u64,
    pub bump: u8,
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Burn, Mint, Token, TokenAccount, Transfer};

#[program]
pub mod guild {
    use super::*;

    pub fn buy(ctx: Context<Buy>, amount: u64) -> Result<()> {
        token::transfer(
            CpiContext::new_with_signer(
                ctx.accounts.token_program.to_account_info(),
                Transfer { from: ctx.accounts.till.to_account_info(), to: ctx.accounts.held.to_account_info(), authority: ctx.accounts.teller.to_account_info() },
                &[&[b"teller", &[ctx.accounts.guild.bump]]],
            ),
            amount,
        )?;
        ctx.accounts.guild.spent += amount;
        Ok(())
    }

    pub fn host(ctx: Context<Host>, amount: u64) -> Result<()> {
        token::transfer(
            CpiContext::new_with_signer(
                ctx.accounts.token_program.to_account_info(),
                Transfer { from: ctx.accounts.kitty.to_account_info(), to: ctx.accounts.held.to_account_info(), authority: ctx.accounts.teller.to_account_info() },
                &[&[b"teller", &[ctx.accounts.guild.bump]]],
            ),
            amount,
        )?;
        ctx.accounts.guild.spent += amount;
        Ok(())
    }

    pub fn repair(ctx: Context<Repair>, amount: u64) -> Result<()> {
        token::transfer(
            CpiContext::new_with_signer(
                ctx.accounts.token_program.to_account_info(),
                Transfer { from: ctx.accounts.drawer.to_account_info(), to: ctx.accounts.held.to_account_info(), authority: ctx.accounts.teller.to_account_info() },
                &[&[b"teller", &[ctx.accounts.guild.bump]]],
            ),
            amount,
        )?;
        ctx.accounts.guild.spent += amount;
        Ok(())
    }

    pub fn stipend(ctx: Context<Stipend>, amount: u64) -> Result<()> {
        require!(ctx.accounts.purse.amount > amount, GuildError::Empty);
        token::transfer(
            CpiContext::new_with_signer(
                ctx.accounts.token_program.to_account_info(),
                Transfer { from: ctx.accounts.purse.to_account_info(), to: ctx.accounts.held.to_account_info(), authority: ctx.accounts.teller.to_account_info() },
                &[&[b"purse", ctx.accounts.guild.key().as_ref(), &[ctx.accounts.guild.bump]]],
            ),
            amount,
        )?;
        ctx.accounts.guild.spent += amount;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Buy<'info> {
    #[account(mut, has_one = member)]
    pub guild: Account<'info, Guild>,
    #[account(mut, address = guild.chest)]
    pub till: Account<'info, TokenAccount>,
    #[account(mut)]
    pub held: Account<'info, TokenAccount>,
    /// CHECK: seeds
    #[account(seeds = [b"teller"], bump = guild.bump)]
    pub teller: UncheckedAccount<'info>,
    pub member: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Host<'info> {
    #[account(mut, has_one = member)]
    pub guild: Account<'info, Guild>,
    #[account(mut, address = guild.chest)]
    pub kitty: Account<'info, TokenAccount>,
    #[account(mut)]
    pub held: Account<'info, TokenAccount>,
    /// CHECK: seeds
    #[account(seeds = [b"teller"], bump = guild.bump)]
    pub teller: UncheckedAccount<'info>,
    pub member: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Repair<'info> {
    #[account(mut, has_one = member)]
    pub guild: Account<'info, Guild>,
    #[account(mut, address = guild.chest)]
    pub drawer: Account<'info, TokenAccount>,
    #[account(mut)]
    pub held: Account<'info, TokenAccount>,
    /// CHECK: seeds
    #[account(seeds = [b"teller"], bump = guild.bump)]
    pub teller: UncheckedAccount<'info>,
    pub member: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Stipend<'info> {
    #[account(mut, has_one = member)]
    pub guild: Account<'info, Guild>,
    #[account(mut)]
    pub purse: Account<'info, TokenAccount>,
    #[account(mut)]
    pub held: Account<'info, TokenAccount>,
    /// CHECK: seeds
    #[account(seeds = [b"purse", guild.key().as_ref()], bump = guild.bump)]
    pub teller: UncheckedAccount<'info>,
    pub member: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[error_code]
pub enum GuildError { Empty }

#[account]
pub struct Guild {
    pub member: Pubkey,
    pub stake_mint: Pubkey,
    pub bond_mint: Pubkey,
    pub chest: Pubkey,
    pub shares: u64,
    pub spent: u64,
    pub received: u64,
    pub bump: u8,
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Burn, Mint, Token, TokenAccount, Transfer};

#[program]
pub mod guild {
    use super::*;

    pub fn join(ctx: Context<Join>, amount: u64) -> Result<()> {
        token::transfer(
            CpiContext::new(
                ctx.accounts.token_program.to_account_info(),
                Transfer { from: ctx.accounts.held.to_account_info(), to: ctx.accounts.till.to_account_info(), authority: ctx.accounts.member.to_account_info() },
            ),
            amount,
        )?;
        ctx.accounts.guild.received += amount;
        Ok(())
    }

    pub fn renew(ctx: Context<Renew>, amount: u64) -> Result<()> {
        token::transfer(
            CpiContext::new(
                ctx.accounts.token_program.to_account_info(),
                Transfer { from: ctx.accounts.held.to_account_info(), to: ctx.accounts.kitty.to_account_info(), authority: ctx.accounts.member.to_account_info() },
            ),
            amount,
        )?;
        ctx.accounts.guild.received += amount;
        Ok(())
    }

    pub fn rent(ctx: Context<Rent>, amount: u64) -> Result<()> {
        token::transfer(
            CpiContext::new(
                ctx.accounts.token_program.to_account_info(),
                Transfer { from: ctx.accounts.held.to_account_info(), to: ctx.accounts.drawer.to_account_info(), authority: ctx.accounts.member.to_account_info() },
            ),
            amount,
        )?;
        ctx.accounts.guild.received += amount;
        Ok(())
    }

    pub fn refer(ctx: Context<Refer>, amount: u64) -> Result<()> {
        token::transfer(
            CpiContext::new(
                ctx.accounts.token_program.to_account_info(),
                Transfer { from: ctx.accounts.held.to_account_info(), to: ctx.accounts.referrer_tokens.to_account_info(), authority: ctx.accounts.member.to_account_info() },
            ),
            amount,
        )?;
        ctx.accounts.guild.received += amount;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Join<'info> {
    #[account(mut, has_one = member)]
    pub guild: Account<'info, Guild>,
    #[account(mut, address = guild.chest)]
    pub till: Account<'info, TokenAccount>,
    #[account(mut)]
    pub held: Account<'info, TokenAccount>,
    pub member: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Renew<'info> {
    #[account(mut, has_one = member)]
    pub guild: Account<'info, Guild>,
    #[account(mut, address = guild.chest)]
    pub kitty: Account<'info, TokenAccount>,
    #[account(mut)]
    pub held: Account<'info, TokenAccount>,
    pub member: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Rent<'info> {
    #[account(mut, has_one = member)]
    pub guild: Account<'info, Guild>,
    #[account(mut, address = guild.chest)]
    pub drawer: Account<'info, TokenAccount>,
    #[account(mut)]
    pub held: Account<'info, TokenAccount>,
    pub member: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Refer<'info> {
    #[account(mut, has_one = member)]
    pub guild: Account<'info, Guild>,
    #[account(mut)]
    pub referrer_tokens: Account<'info, TokenAccount>,
    #[account(mut)]
    pub held: Account<'info, TokenAccount>,
    pub member: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Guild {
    pub member: Pubkey,
    pub stake_mint: Pubkey,
    pub bond_mint: Pubkey,
    pub chest: Pubkey,
    pub shares: u64,
    pub spent: u64,
    pub received: u64,
    pub bump: u8,
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Burn, Mint, Token, TokenAccount, Transfer};

#[program]
pub mod guild {
    use super::*;

    pub fn leave(ctx: Context<Leave>, amount: u64) -> Result<()> {
        token::burn(
            CpiContext::new(
                ctx.accounts.token_program.to_account_info(),
                Burn { mint: ctx.accounts.share.to_account_info(), from: ctx.accounts.held.to_account_info(), authority: ctx.accounts.member.to_account_info() },
            ),
            amount,
        )?;
        ctx.accounts.guild.shares -= amount;
        Ok(())
    }

    pub fn swap(ctx: Context<Swap>, amount: u64) -> Result<()> {
        token::burn(
            CpiContext::new(
                ctx.accounts.token_program.to_account_info(),
                Burn { mint: ctx.accounts.paper.to_account_info(), from: ctx.accounts.held.to_account_info(), authority: ctx.accounts.member.to_account_info() },
            ),
            amount,
        )?;
        ctx.accounts.guild.shares -= amount;
        Ok(())
    }

    pub fn quit(ctx: Context<Quit>, amount: u64) -> Result<()> {
        token::burn(
            CpiContext::new(
                ctx.accounts.token_program.to_account_info(),
                Burn { mint: ctx.accounts.certificate.to_account_info(), from: ctx.accounts.held.to_account_info(), authority: ctx.accounts.member.to_account_info() },
            ),
            amount,
        )?;
        ctx.accounts.guild.shares -= amount;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Leave<'info> {
    #[account(mut, has_one = member)]
    pub guild: Account<'info, Guild>,
    #[account(mut, address = guild.stake_mint)]
    pub share: Account<'info, Mint>,
    #[account(mut)]
    pub held: Account<'info, TokenAccount>,
    pub member: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Swap<'info> {
    #[account(mut, has_one = member)]
    pub guild: Account<'info, Guild>,
    #[account(mut, address = guild.bond_mint)]
    pub paper: Account<'info, Mint>,
    #[account(mut)]
    pub held: Account<'info, TokenAccount>,
    pub member: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Quit<'info> {
    #[account(mut, has_one = member)]
    pub guild: Account<'info, Guild>,
    #[account(mut)]
    pub certificate: Account<'info, Mint>,
    #[account(mut)]
    pub held: Account<'info, TokenAccount>,
    pub member: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Guild {
    pub member: Pubkey,
    pub stake_mint: Pubkey,
    pub bond_mint: Pubkey,
    pub chest: Pubkey,
    pub shares: u64,
    pub spent: u64,
    pub received: u64,
    pub bump: u8,
}
`,
      `use borsh::{BorshDeserialize, BorshSerialize};
use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Scale { pub keeper: Pubkey, pub fine: Pubkey, pub coarse: Pubkey, pub last: u64 }

pub fn weigh(program_id: &Pubkey, accounts: &[AccountInfo], exact: bool) -> ProgramResult {
    let iter = &mut accounts.iter();
    let scale_info = next_account_info(iter)?;
    let probe = next_account_info(iter)?;
    let keeper = next_account_info(iter)?;
    if scale_info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    let mut scale = Scale::try_from_slice(&scale_info.data.borrow())?;
    if !keeper.is_signer || keeper.key != &scale.keeper {
        return Err(ProgramError::MissingRequiredSignature);
    }
    if probe.owner != &probes::ID {
        return Err(ProgramError::IllegalOwner);
    }
    scale.last = if exact {
        if probe.key != &scale.fine {
            return Err(ProgramError::InvalidArgument);
        }
        probes::state::Fine::try_from_slice(&probe.data.borrow())?.grams
    } else {
        if probe.key != &scale.coarse {
            return Err(ProgramError::InvalidArgument);
        }
        probes::state::Coarse::try_from_slice(&probe.data.borrow())?.grams
    };
    scale.serialize(&mut &mut scale_info.data.borrow_mut()[..])?;
    Ok(())
}
`,
      // Nothing else here that another record could be confused with; an account that is declared and never used.
      `use anchor_lang::prelude::*;

#[program]
pub mod guilds {
    use super::*;
    pub fn open(ctx: Context<Open>, rate: u64) -> Result<()> {
        ctx.accounts.ledger.rate = rate;
        Ok(())
    }
    pub fn raise(ctx: Context<Raise>, rate: u64) -> Result<()> {
        ctx.accounts.ledger.rate = rate;
        Ok(())
    }
    pub fn lower(ctx: Context<Lower>, rate: u64) -> Result<()> {
        ctx.accounts.ledger.rate = rate;
        Ok(())
    }
    pub fn accrue(ctx: Context<Accrue>) -> Result<()> {
        let ledger = &mut ctx.accounts.ledger;
        ledger.sum = ledger.sum.checked_add(ledger.rate).unwrap();
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(has_one = head)]
    pub guild: Account<'info, Guild>,
    #[account(mut, seeds = [b"ledger", guild.key().as_ref()], bump)]
    pub ledger: Account<'info, Ledger>,
    pub head: Signer<'info>,
}

#[derive(Accounts)]
pub struct Raise<'info> {
    #[account(has_one = head)]
    pub guild: Account<'info, Guild>,
    #[account(mut, seeds = [b"ledger", guild.key().as_ref()], bump)]
    pub ledger: Account<'info, Ledger>,
    pub head: Signer<'info>,
}

#[derive(Accounts)]
pub struct Lower<'info> {
    #[account(has_one = head)]
    pub guild: Account<'info, Guild>,
    #[account(mut, seeds = [b"ledger", guild.key().as_ref()], bump)]
    pub ledger: Account<'info, Ledger>,
    pub head: Signer<'info>,
}

#[derive(Accounts)]
pub struct Accrue<'info> {
    pub payer: Signer<'info>,
    #[account(mut)]
    pub ledger: Account<'info, Ledger>,
}

#[account]
pub struct Guild { pub head: Pubkey, pub total: u64 }

#[account]
pub struct Ledger { pub rate: u64, pub sum: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod desks {
    use super::*;
    pub fn note(ctx: Context<Note>, amount: u64) -> Result<()> {
        ctx.accounts.desk.sum = amount;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Note<'info> {
    #[account(mut, has_one = clerk)]
    pub desk: Account<'info, Desk>,
    pub clerk: Signer<'info>,
    #[account(mut)]
    pub referral: Account<'info, Referral>,
    /// CHECK: not needed any more
    #[account(mut)]
    pub referrer: UncheckedAccount<'info>,
}

#[account]
pub struct Desk { pub clerk: Pubkey, pub sum: u64 }

#[account]
pub struct Referral { pub referrer: Pubkey, pub owed: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Mint, Token, TokenAccount, Transfer};

#[program]
pub mod raffles {
    use super::*;
    pub fn draw(ctx: Context<Draw>, prize: u64) -> Result<()> {
        ctx.accounts.ticket.prize = prize;
        Ok(())
    }
    pub fn void(ctx: Context<Draw>) -> Result<()> {
        ctx.accounts.ticket.prize = 0;
        Ok(())
    }
    /// The raffle becomes the ticket's.
    pub fn move_over(ctx: Context<MoveOver>) -> Result<()> {
        ctx.accounts.ticket.parent = ctx.accounts.raffle.key();
        Ok(())
    }
    /// Here it is the badge that the card is for.
    pub fn show(ctx: Context<Show>) -> Result<()> {
        ctx.accounts.card.shown = ctx.accounts.card.shown.checked_add(1).unwrap();
        **ctx.accounts.card.to_account_info().try_borrow_mut_lamports()? -= 1;
        **ctx.accounts.member.try_borrow_mut_lamports()? += 1;
        Ok(())
    }
    pub fn greet(ctx: Context<Greet>) -> Result<()> {
        ctx.accounts.card.shown = 0;
        **ctx.accounts.card.to_account_info().try_borrow_mut_lamports()? -= 1;
        **ctx.accounts.member.try_borrow_mut_lamports()? += 1;
        Ok(())
    }
    pub fn part(ctx: Context<Greet>) -> Result<()> {
        ctx.accounts.card.shown = 1;
        **ctx.accounts.card.to_account_info().try_borrow_mut_lamports()? -= 1;
        **ctx.accounts.member.try_borrow_mut_lamports()? += 1;
        Ok(())
    }
    /// The chief becomes the boss.
    pub fn hand_over(ctx: Context<HandOver>) -> Result<()> {
        ctx.accounts.raffle.boss = ctx.accounts.chief.key();
        Ok(())
    }
    /// Whoever gives need not be the boss.
    pub fn chip_in(ctx: Context<ChipIn>, amount: u64) -> Result<()> {
        ctx.accounts.raffle.pot = ctx.accounts.raffle.pot.checked_add(amount).unwrap();
        let paid = Transfer {
            from: ctx.accounts.purse.to_account_info(),
            to: ctx.accounts.vault.to_account_info(),
            authority: ctx.accounts.chief.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), paid), amount)
    }
}

#[derive(Accounts)]
pub struct Draw<'info> {
    #[account(constraint = raffle.boss == chief.key())]
    pub raffle: Account<'info, Raffle>,
    #[account(mut, constraint = ticket.parent == raffle.key())]
    pub ticket: Account<'info, Ticket>,
    pub chief: Signer<'info>,
}

#[derive(Accounts)]
pub struct MoveOver<'info> {
    pub raffle: Account<'info, Raffle>,
    #[account(mut, has_one = owner)]
    pub ticket: Account<'info, Ticket>,
    pub owner: Signer<'info>,
}

#[derive(Accounts)]
pub struct Greet<'info> {
    #[account(mut, constraint = card.member == member.key())]
    pub card: Account<'info, Card>,
    /// CHECK: is paid
    #[account(mut)]
    pub member: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct Show<'info> {
    #[account(mut, constraint = card.member == badge.key())]
    pub card: Account<'info, Card>,
    pub badge: Account<'info, Mint>,
    /// CHECK: is paid
    #[account(mut)]
    pub member: UncheckedAccount<'info>,
}

#[account]
pub struct Card { pub member: Pubkey, pub shown: u64 }

#[derive(Accounts)]
pub struct HandOver<'info> {
    #[account(mut, constraint = raffle.boss == former.key())]
    pub raffle: Account<'info, Raffle>,
    pub former: Signer<'info>,
    pub chief: Signer<'info>,
}

#[derive(Accounts)]
pub struct ChipIn<'info> {
    #[account(mut, has_one = vault)]
    pub raffle: Account<'info, Raffle>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub purse: Account<'info, TokenAccount>,
    pub chief: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Raffle { pub boss: Pubkey, pub vault: Pubkey, pub pot: u64 }

#[account]
pub struct Ticket { pub parent: Pubkey, pub owner: Pubkey, pub prize: u64 }
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program::invoke_signed, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Safe {
    pub owner: Pubkey,
    pub vault: Pubkey,
    pub bump: u8,
}

/// The call names the stored vault, whichever account is passed for it.
pub fn pay(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let safe_info = next_account_info(iter)?;
    let vault = next_account_info(iter)?;
    let target = next_account_info(iter)?;
    let owner = next_account_info(iter)?;
    let keeper = next_account_info(iter)?;
    if safe_info.owner != program_id || !owner.is_signer {
        return Err(ProgramError::IllegalOwner);
    }
    let safe = Safe::try_from_slice(&safe_info.data.borrow())?;
    if safe.owner != *owner.key {
        return Err(ProgramError::InvalidAccountData);
    }
    let call = spl_token::instruction::transfer(&spl_token::id(), &safe.vault, target.key, keeper.key, &[], amount)?;
    let seeds: &[&[&[u8]]] = &[&[b"keeper", &[safe.bump]]];
    invoke_signed(&call, &[vault.clone(), target.clone(), keeper.clone()], seeds)
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::Mint;

#[program]
pub mod ledgers {
    use super::*;
    /// Only a bank that the list already has can be repaid.
    pub fn repay(ctx: Context<Repay>, amount: u64) -> Result<()> {
        let bank = &mut ctx.accounts.bank;
        let user = &mut ctx.accounts.user;
        let key = bank.key();
        let at = user.slots.iter().position(|slot| slot.bank == key).unwrap();
        require_keys_eq!(user.slots[at].bank, key);
        user.slots[at].debt = user.slots[at].debt.checked_sub(amount).unwrap();
        bank.lent = bank.lent.checked_sub(amount).unwrap();
        Ok(())
    }
    /// The argument is compared with both.
    pub fn count(ctx: Context<Count>, poll: Pubkey) -> Result<()> {
        require_keys_eq!(ctx.accounts.ballot.poll, poll);
        require_keys_eq!(ctx.accounts.poll.key(), poll);
        ctx.accounts.poll.yes = ctx.accounts.poll.yes.checked_add(ctx.accounts.ballot.weight).unwrap();
        ctx.accounts.ballot.weight = 0;
        Ok(())
    }
    /// Which bump an address has is no choice, and it is that of the market's own bin.
    pub fn fill(ctx: Context<Fill>, units: u64, nonce: u8) -> Result<()> {
        ctx.accounts.bin.units = ctx.accounts.bin.units.checked_add(units).unwrap();
        ctx.accounts.market.total = ctx.accounts.market.total.checked_add(units).unwrap();
        Ok(())
    }
    /// The source is of this mint; the target is of its own.
    pub fn move_over(ctx: Context<MoveOver>, units: u64) -> Result<()> {
        require!(ctx.accounts.mint.decimals == 0, ErrorCode::Divisible);
        let source = &mut ctx.accounts.source;
        let target = &mut ctx.accounts.target;
        source.units = source.units.checked_sub(units).unwrap();
        target.units = target.units.checked_add(units).unwrap();
        Ok(())
    }
    /// It becomes the stored one.
    pub fn list(ctx: Context<List>) -> Result<()> {
        ctx.accounts.market.mint = ctx.accounts.mint.key();
        Ok(())
    }
    /// The lot says who the cashier is, whoever those of the desk are.
    pub fn settle(ctx: Context<Settle>, amount: u64) -> Result<()> {
        ctx.accounts.desk.visits = ctx.accounts.desk.visits.checked_add(1).unwrap();
        **ctx.accounts.lot.to_account_info().try_borrow_mut_lamports()? -= amount;
        **ctx.accounts.cashier.try_borrow_mut_lamports()? += amount;
        Ok(())
    }
    /// Anyone may put in, and the owner in the other part takes out.
    pub fn swap(ctx: Context<Swap>, units: u64) -> Result<()> {
        let line = &mut ctx.accounts.put.line;
        line.units = line.units.checked_add(units).unwrap();
        ctx.accounts.take.line.last = ctx.accounts.put.owner.key();
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Repay<'info> {
    pub group: Account<'info, Group>,
    #[account(mut, has_one = owner)]
    pub user: Account<'info, User>,
    pub owner: Signer<'info>,
    #[account(mut, has_one = group)]
    pub bank: Account<'info, Bank>,
}

#[derive(Accounts)]
pub struct Count<'info> {
    #[account(mut)]
    pub poll: Account<'info, Poll>,
    #[account(mut, has_one = voter)]
    pub ballot: Account<'info, Ballot>,
    pub voter: Signer<'info>,
}

#[derive(Accounts)]
#[instruction(units: u64, nonce: u8)]
pub struct Fill<'info> {
    #[account(mut, has_one = admin, has_one = mint)]
    pub market: Account<'info, Market>,
    pub mint: Account<'info, Mint>,
    pub admin: Signer<'info>,
    #[account(mut, seeds = [b"bin", mint.key().as_ref()], bump = nonce)]
    pub bin: Account<'info, Bin>,
}

#[derive(Accounts)]
pub struct MoveOver<'info> {
    pub mint: Account<'info, Mint>,
    #[account(mut, has_one = mint, has_one = holder)]
    pub source: Account<'info, Line>,
    #[account(mut)]
    pub target: Account<'info, Line>,
    pub holder: Signer<'info>,
}

#[derive(Accounts)]
pub struct List<'info> {
    #[account(mut, has_one = admin)]
    pub market: Account<'info, Market>,
    pub admin: Signer<'info>,
    pub mint: Account<'info, Mint>,
}

#[derive(Accounts)]
pub struct Settle<'info> {
    #[account(mut)]
    pub desk: Account<'info, Desk>,
    #[account(mut, has_one = owner, has_one = cashier)]
    pub lot: Account<'info, Lot>,
    pub owner: Signer<'info>,
    /// CHECK: is paid
    #[account(mut)]
    pub cashier: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct Put<'info> {
    pub owner: Signer<'info>,
    #[account(mut)]
    pub line: Account<'info, Deposit>,
}

#[derive(Accounts)]
pub struct Take<'info> {
    pub owner: Signer<'info>,
    #[account(mut, has_one = owner)]
    pub line: Account<'info, Deposit>,
}

#[derive(Accounts)]
pub struct Swap<'info> {
    #[account(constraint = put.line.key() == take.line.key())]
    pub put: Put<'info>,
    pub take: Take<'info>,
}

#[account]
pub struct Group { pub admin: Pubkey }

#[account]
pub struct User { pub group: Pubkey, pub owner: Pubkey, pub slots: Vec<Slot> }

#[derive(AnchorSerialize, AnchorDeserialize, Clone)]
pub struct Slot { pub bank: Pubkey, pub debt: u64 }

#[account]
pub struct Bank { pub group: Pubkey, pub lent: u64 }

#[account]
pub struct Poll { pub yes: u64 }

#[account]
pub struct Ballot { pub poll: Pubkey, pub voter: Pubkey, pub weight: u64 }

#[account]
pub struct Market { pub admin: Pubkey, pub mint: Pubkey, pub bin: Pubkey, pub total: u64 }

#[account]
pub struct Bin { pub units: u64 }

#[account]
pub struct Line { pub mint: Pubkey, pub holder: Pubkey, pub units: u64 }

#[account]
pub struct Desk { pub cashier: Pubkey, pub visits: u64 }

#[account]
pub struct Lot { pub owner: Pubkey, pub cashier: Pubkey }

#[account]
pub struct Deposit { pub owner: Pubkey, pub units: u64, pub last: Pubkey }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Mint, MintTo, Token, TokenAccount};

#[program]
pub mod stakes {
    use super::*;
    pub fn deposit(ctx: Context<Deposit>, amount: u64) -> Result<()> {
        let accounts = MintTo {
            mint: ctx.accounts.share.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.pool.to_account_info(),
        };
        let seeds: &[&[&[u8]]] = &[&[b"pool", ctx.accounts.share.key.as_ref(), &[ctx.accounts.pool.bump]]];
        token::mint_to(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, seeds), amount)
    }
}

#[derive(Accounts)]
pub struct Deposit<'info> {
    #[account(mut, seeds = [b"pool", share.key().as_ref()], bump = pool.bump)]
    pub pool: Account<'info, Pool>,
    #[account(mut, constraint = pool.is_share(&share.key()))]
    pub share: Account<'info, Mint>,
    #[account(mut, token::mint = share)]
    pub to: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Pool { pub share: Pubkey, pub bump: u8 }

impl Pool {
    pub fn is_share(&self, key: &Pubkey) -> bool { self.share == *key }
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod lists {
    use super::*;
    pub fn add(ctx: Context<Add>, one: u64) -> Result<()> {
        ctx.accounts.entries.load_mut()?.sum = one;
        Ok(())
    }
    pub fn drop(ctx: Context<Remove>, one: u64) -> Result<()> {
        ctx.accounts.entries.load_mut()?.sum = one;
        Ok(())
    }
    pub fn clear(ctx: Context<Clear>) -> Result<()> {
        let entries = &ctx.accounts.entries;
        let first = match ctx.accounts.book.first {
            key if key == entries.key() => key,
            _ => return err!(ErrorCode::Wrong),
        };
        msg!("{}", first);
        entries.load_mut()?.sum = 0;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Add<'info> {
    #[account(has_one = admin)]
    pub book: Account<'info, Book>,
    pub admin: Signer<'info>,
    #[account(mut, address = book.first)]
    pub entries: AccountLoader<'info, Entries>,
}

#[derive(Accounts)]
pub struct Remove<'info> {
    #[account(has_one = admin)]
    pub book: Account<'info, Book>,
    pub admin: Signer<'info>,
    #[account(mut, constraint = entries.key() == book.first)]
    pub entries: AccountLoader<'info, Entries>,
}

#[derive(Accounts)]
pub struct Clear<'info> {
    #[account(has_one = admin)]
    pub book: Account<'info, Book>,
    pub admin: Signer<'info>,
    #[account(mut)]
    pub entries: AccountLoader<'info, Entries>,
}

#[account]
pub struct Book { pub admin: Pubkey, pub first: Pubkey }

#[account(zero_copy)]
pub struct Entries { pub sum: u64 }

#[error_code]
pub enum ErrorCode { Wrong }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Mint, MintTo, Token, TokenAccount};

#[program]
pub mod cash {
    use super::*;

    pub fn print(ctx: Context<Print>, amount: u64) -> Result<()> {
        let reserve = &ctx.accounts.reserve;
        require_keys_eq!(reserve.mint, ctx.accounts.collateral.mint);
        require_keys_eq!(reserve.owner, ctx.accounts.coin.key());
        require!(reserve.amount.checked_add(amount).unwrap() <= ctx.accounts.collateral.cap, ErrorCode::ConstraintRaw);
        let accounts = MintTo {
            mint: ctx.accounts.coin.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.keeper.to_account_info(),
        };
        let seeds: &[&[&[u8]]] = &[&[b"keeper", &[ctx.accounts.bank.bump]]];
        token::mint_to(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, seeds), amount)
    }
}

#[derive(Accounts)]
pub struct Print<'info> {
    pub bank: Account<'info, Bank>,
    #[account(has_one = bank)]
    pub collateral: Account<'info, Collateral>,
    #[account(mut, address = bank.coin)]
    pub coin: Account<'info, Mint>,
    #[account(mut)]
    pub reserve: Account<'info, TokenAccount>,
    #[account(mut, token::mint = coin)]
    pub to: Account<'info, TokenAccount>,
    /// CHECK: signs
    #[account(seeds = [b"keeper"], bump = bank.bump)]
    pub keeper: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Bank { pub coin: Pubkey, pub bump: u8 }

#[account]
pub struct Collateral { pub bank: Pubkey, pub mint: Pubkey, pub cap: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod camps {
    use super::*;

    pub fn strike(_ctx: Context<Strike>) -> Result<()> {
        Ok(())
    }

    pub fn sweep(_ctx: Context<Sweep>) -> Result<()> {
        Ok(())
    }

    pub fn leave(_ctx: Context<Leave>) -> Result<()> {
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Strike<'info> {
    pub camp: Account<'info, Camp>,
    #[account(mut, has_one = camp, close = purser)]
    pub tent: Account<'info, Tent>,
    /// CHECK: gets the rent
    #[account(mut, address = camp.purser.unwrap())]
    pub purser: AccountInfo<'info>,
    pub scout: Signer<'info>,
}

#[derive(Accounts)]
pub struct Sweep<'info> {
    pub camp: Account<'info, Camp>,
    #[account(mut, has_one = camp, close = purser)]
    pub tent: Account<'info, Tent>,
    /// CHECK: gets the rent
    #[account(mut, address = camp.purser.unwrap())]
    pub purser: AccountInfo<'info>,
    pub scout: Signer<'info>,
}

#[derive(Accounts)]
pub struct Leave<'info> {
    #[account(has_one = scout)]
    pub camp: Account<'info, Camp>,
    #[account(mut, has_one = camp, close = purser)]
    pub tent: Account<'info, Tent>,
    /// CHECK: gets the rent
    #[account(mut)]
    pub purser: AccountInfo<'info>,
    pub scout: Signer<'info>,
}

#[account]
pub struct Camp { pub scout: Pubkey, pub purser: Option<Pubkey> }

#[account]
pub struct Tent { pub camp: Pubkey, pub size: u64 }
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
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod shelves {
    use super::*;
    /// The token program lets the signer pay in only what the vault takes.
    pub fn put(ctx: Context<Put>, amount: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.purse.to_account_info(),
            to: ctx.accounts.vault.to_account_info(),
            authority: ctx.accounts.owner.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount)?;
        ctx.accounts.shelf.amount += amount;
        Ok(())
    }
    pub fn take(ctx: Context<Take>, amount: u64) -> Result<()> {
        ctx.accounts.shelf.amount -= amount;
        ctx.accounts.shelf.last = ctx.accounts.purse.amount;
        Ok(())
    }
    pub fn note(ctx: Context<Take>) -> Result<()> {
        ctx.accounts.shelf.last = ctx.accounts.purse.amount;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Put<'info> {
    #[account(mut, has_one = vault, has_one = owner)]
    pub shelf: Account<'info, Shelf>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub purse: Account<'info, TokenAccount>,
    pub owner: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Take<'info> {
    #[account(mut, has_one = owner)]
    pub shelf: Account<'info, Shelf>,
    #[account(mut, constraint = purse.mint == shelf.mint)]
    pub purse: Account<'info, TokenAccount>,
    pub owner: Signer<'info>,
}

#[account]
pub struct Shelf {
    pub vault: Pubkey,
    pub owner: Pubkey,
    pub mint: Pubkey,
    pub amount: u64,
    pub last: u64,
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::associated_token::AssociatedToken;
use anchor_spl::token::{self, CloseAccount, Mint, Token, TokenAccount};

// The one account that the tank can have for the stored mint.
#[program]
pub mod tanks {
    use super::*;
    pub fn drain(ctx: Context<Drain>) -> Result<()> {
        ctx.accounts.tank.level = 0;
        let closed = CloseAccount {
            account: ctx.accounts.fuel.to_account_info(),
            destination: ctx.accounts.keeper.to_account_info(),
            authority: ctx.accounts.keeper.to_account_info(),
        };
        token::close_account(CpiContext::new(ctx.accounts.token_program.to_account_info(), closed))
    }
}

#[derive(Accounts)]
pub struct Drain<'info> {
    #[account(mut, has_one = keeper, has_one = coin)]
    pub tank: Account<'info, Tank>,
    pub coin: Account<'info, Mint>,
    #[account(mut, associated_token::mint = coin, associated_token::authority = tank)]
    pub fuel: Account<'info, TokenAccount>,
    pub keeper: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Tank { pub keeper: Pubkey, pub coin: Pubkey, pub fuel: Pubkey, pub level: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

pub const RATES: Pubkey = pubkey!("DQ4C1tzvu28cwo1roN1Wm6TW35sfJEjLh517k3ZeWevx");

#[program]
pub mod mines {
    use super::*;
    pub fn create(ctx: Context<Create>, rate: u64) -> Result<()> {
        ctx.accounts.rates.rate = rate;
        Ok(())
    }
    pub fn claim(ctx: Context<Claim>) -> Result<()> {
        let due = ctx.accounts.miner.work.checked_mul(ctx.accounts.rates.rate).unwrap();
        ctx.accounts.miner.work = 0;
        pay(&ctx.accounts.pot, &ctx.accounts.target, &ctx.accounts.token_program, ctx.bumps.pot, due)
    }
    /// There is only one, or only the operator makes them.
    pub fn create_house(ctx: Context<CreateHouse>, rate: u64) -> Result<()> {
        ctx.accounts.house.rate = rate;
        Ok(())
    }
    pub fn create_deal(ctx: Context<CreateDeal>, rate: u64) -> Result<()> {
        ctx.accounts.deal.rate = rate;
        Ok(())
    }
    pub fn by_house(ctx: Context<By>) -> Result<()> {
        ctx.accounts.miner.work = 0;
        let due = ctx.accounts.house.rate;
        pay(&ctx.accounts.pot, &ctx.accounts.target, &ctx.accounts.token_program, ctx.bumps.pot, due)
    }
    pub fn by_deal(ctx: Context<By>) -> Result<()> {
        ctx.accounts.miner.work = 0;
        let due = ctx.accounts.deal.rate;
        pay(&ctx.accounts.pot, &ctx.accounts.target, &ctx.accounts.token_program, ctx.bumps.pot, due)
    }
    /// What it says is asked, or changed, or decides nothing.
    pub fn asked(ctx: Context<By>) -> Result<()> {
        require!(ctx.accounts.rates.rate < 10, Code::High);
        let due = ctx.accounts.rates.rate;
        pay(&ctx.accounts.pot, &ctx.accounts.target, &ctx.accounts.token_program, ctx.bumps.pot, due)
    }
    pub fn spent(ctx: Context<Spend>) -> Result<()> {
        let due = ctx.accounts.rates.rate;
        ctx.accounts.rates.rate = 0;
        pay(&ctx.accounts.pot, &ctx.accounts.target, &ctx.accounts.token_program, ctx.bumps.pot, due)
    }
    pub fn shown(ctx: Context<By>) -> Result<()> {
        msg!("{}", ctx.accounts.rates.rate);
        pay(&ctx.accounts.pot, &ctx.accounts.target, &ctx.accounts.token_program, ctx.bumps.pot, 1)
    }
}

fn pay<'info>(
    pot: &Account<'info, TokenAccount>,
    target: &Account<'info, TokenAccount>,
    token_program: &Program<'info, Token>,
    bump: u8,
    due: u64,
) -> Result<()> {
    let accounts =
        Transfer { from: pot.to_account_info(), to: target.to_account_info(), authority: pot.to_account_info() };
    let seeds: &[&[u8]] = &[b"pot", &[bump]];
    token::transfer(CpiContext::new_with_signer(token_program.to_account_info(), accounts, &[seeds]), due)
}

#[derive(Accounts)]
pub struct Create<'info> {
    #[account(mut)]
    pub anyone: Signer<'info>,
    #[account(init, payer = anyone, space = 16)]
    pub rates: Account<'info, Rates>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Claim<'info> {
    pub owner: Signer<'info>,
    #[account(mut, has_one = owner)]
    pub miner: Account<'info, Miner>,
    #[account(address = RATES)]
    pub rates: Account<'info, Rates>,
    #[account(mut, seeds = [b"pot"], bump)]
    pub pot: Account<'info, TokenAccount>,
    #[account(mut)]
    pub target: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct CreateHouse<'info> {
    #[account(mut)]
    pub anyone: Signer<'info>,
    #[account(init, payer = anyone, space = 16, seeds = [b"house"], bump)]
    pub house: Account<'info, House>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct CreateDeal<'info> {
    #[account(mut, address = RATES)]
    pub operator: Signer<'info>,
    #[account(init, payer = operator, space = 16)]
    pub deal: Account<'info, Deal>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct By<'info> {
    pub owner: Signer<'info>,
    #[account(mut, has_one = owner)]
    pub miner: Account<'info, Miner>,
    pub house: Account<'info, House>,
    pub deal: Account<'info, Deal>,
    pub rates: Account<'info, Rates>,
    #[account(mut, seeds = [b"pot"], bump)]
    pub pot: Account<'info, TokenAccount>,
    #[account(mut)]
    pub target: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Spend<'info> {
    pub owner: Signer<'info>,
    #[account(mut)]
    pub rates: Account<'info, Rates>,
    #[account(mut, seeds = [b"pot"], bump)]
    pub pot: Account<'info, TokenAccount>,
    #[account(mut)]
    pub target: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct House { pub rate: u64 }

#[account]
pub struct Deal { pub rate: u64 }

#[error_code]
pub enum Code { High }

#[account]
pub struct Rates { pub rate: u64 }

#[account]
pub struct Miner { pub owner: Pubkey, pub work: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod shifts {
    use super::*;
    pub fn shift(ctx: Context<Shift>, amount: u64) -> Result<()> {
        let from = &mut ctx.accounts.pool_from;
        from.held = from.held.checked_sub(amount).unwrap();
        let to = &mut ctx.accounts.pool_to;
        to.held = to.held.checked_add(amount).unwrap();
        let seeds: &[&[u8]] = &[b"chest", &[ctx.bumps.chest]];
        let accounts = Transfer {
            from: ctx.accounts.sol_vault_from.to_account_info(),
            to: ctx.accounts.sol_to_vault.to_account_info(),
            authority: ctx.accounts.chest.to_account_info(),
        };
        token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, &[seeds]), amount)
    }
}

#[derive(Accounts)]
pub struct Shift<'info> {
    pub keeper: Signer<'info>,
    #[account(mut, has_one = keeper)]
    pub pool_from: Account<'info, Pool>,
    #[account(mut, has_one = keeper, constraint = pool_to.key() != pool_from.key())]
    pub pool_to: Account<'info, Pool>,
    #[account(mut, address = pool_from.sol_vault)]
    pub sol_vault_from: Account<'info, TokenAccount>,
    #[account(mut, address = pool_to.sol_vault)]
    pub sol_to_vault: Account<'info, TokenAccount>,
    /// CHECK: signs
    #[account(seeds = [b"chest"], bump)]
    pub chest: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Pool { pub keeper: Pubkey, pub sol_vault: Pubkey, pub held: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod chests {
    use super::*;
    pub fn fill(ctx: Context<Fill>, amount: u64) -> Result<()> {
        let chest = &mut ctx.accounts.left_hand;
        chest.held = chest.held.checked_add(amount).unwrap();
        let accounts = Transfer {
            from: ctx.accounts.hand_purse.to_account_info(),
            to: ctx.accounts.purse.to_account_info(),
            authority: ctx.accounts.giver.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount)
    }
}

#[derive(Accounts)]
pub struct Fill<'info> {
    pub giver: Signer<'info>,
    #[account(mut, has_one = purse)]
    pub left_hand: Account<'info, Chest>,
    #[account(mut)]
    pub purse: Account<'info, TokenAccount>,
    #[account(mut)]
    pub hand_purse: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Chest { pub purse: Pubkey, pub held: u64 }
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::program::invoke;
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshDeserialize, BorshSerialize)]
pub struct Tank { pub version: u8, pub supply: Pubkey, pub coupon: Coupon, pub level: u64 }
#[derive(BorshDeserialize, BorshSerialize)]
pub struct Coupon { pub mint: Pubkey, pub oracle: Pubkey, pub total: u64 }

// The token program compares the mint with that of the supply.
pub fn fill(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let source_info = next_account_info(iter)?;
    let tank_info = next_account_info(iter)?;
    let tank_supply_info = next_account_info(iter)?;
    let tank_coupon_mint_info = next_account_info(iter)?;
    let user_info = next_account_info(iter)?;
    let mut tank = Tank::try_from_slice(&tank_info.data.borrow())?;
    if tank_info.owner != program_id || &tank.supply != tank_supply_info.key {
        return Err(ProgramError::InvalidArgument);
    }
    tank.level = tank.level.checked_add(amount).ok_or(ProgramError::ArithmeticOverflow)?;
    tank.serialize(&mut &mut tank_info.data.borrow_mut()[..])?;
    invoke(
        &spl_token_2022::instruction::transfer_checked(&spl_token_2022::ID, source_info.key, tank_coupon_mint_info.key, tank_supply_info.key, user_info.key, &[], amount, 6)?,
        &[source_info.clone(), tank_coupon_mint_info.clone(), tank_supply_info.clone(), user_info.clone()],
    )
}

// What is about to be stored names the oracle.
pub fn renew(program_id: &Pubkey, accounts: &[AccountInfo], coupon: Coupon) -> ProgramResult {
    let iter = &mut accounts.iter();
    let tank_info = next_account_info(iter)?;
    let oracle_info = next_account_info(iter)?;
    let mut tank = Tank::try_from_slice(&tank_info.data.borrow())?;
    if tank_info.owner != program_id || &coupon.oracle != oracle_info.key {
        return Err(ProgramError::InvalidArgument);
    }
    tank.level = oracle_info.lamports();
    tank.coupon = coupon;
    tank.serialize(&mut &mut tank_info.data.borrow_mut()[..])?;
    Ok(())
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::program::invoke_signed;
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey, system_instruction};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Share { pub holder: Pubkey, pub purse: Pubkey, pub due: u64 }

fn give(from: &AccountInfo, to: &AccountInfo, amount: u64) -> ProgramResult {
    **from.lamports.borrow_mut() = from.lamports().checked_sub(amount).ok_or(ProgramError::InsufficientFunds)?;
    **to.lamports.borrow_mut() = to.lamports().checked_add(amount).ok_or(ProgramError::InvalidArgument)?;
    Ok(())
}

pub fn claim(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let share_info = next_account_info(iter)?;
    let pot = next_account_info(iter)?;
    let holder = next_account_info(iter)?;
    if share_info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    let mut share = Share::try_from_slice(&share_info.data.borrow())?;
    if share.holder != *holder.key || !holder.is_signer {
        return Err(ProgramError::MissingRequiredSignature);
    }
    if share.purse != *pot.key {
        return Err(ProgramError::InvalidArgument);
    }
    let due = share.due;
    share.due = 0;
    share.serialize(&mut &mut share_info.data.borrow_mut()[..])?;
    give(pot, holder, due)
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::program::invoke_signed;
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey, system_instruction};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Share { pub holder: Pubkey, pub purse: Pubkey, pub due: u64 }

fn give(from: &AccountInfo, to: &AccountInfo, amount: u64) -> ProgramResult {
    **from.lamports.borrow_mut() = from.lamports().checked_sub(amount).ok_or(ProgramError::InsufficientFunds)?;
    **to.lamports.borrow_mut() = to.lamports().checked_add(amount).ok_or(ProgramError::InvalidArgument)?;
    Ok(())
}

pub fn claim(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let share_info = next_account_info(iter)?;
    let pot = next_account_info(iter)?;
    let holder = next_account_info(iter)?;
    if share_info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    let mut share = Share::try_from_slice(&share_info.data.borrow())?;
    if share.holder != *holder.key || !holder.is_signer {
        return Err(ProgramError::MissingRequiredSignature);
    }
    if !pot.is_signer {
        return Err(ProgramError::MissingRequiredSignature);
    }
    let due = share.due;
    share.due = 0;
    share.serialize(&mut &mut share_info.data.borrow_mut()[..])?;
    give(pot, holder, due)
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::program::invoke_signed;
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey, system_instruction};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Share { pub holder: Pubkey, pub purse: Pubkey, pub due: u64 }

pub fn describe(program_id: &Pubkey, accounts: &[AccountInfo], text: [u8; 32]) -> ProgramResult {
    let [share_info, holder, note] = accounts else { return Err(ProgramError::NotEnoughAccountKeys) };
    if share_info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    let share = Share::try_from_slice(&share_info.data.borrow())?;
    if share.holder != *holder.key || !holder.is_signer {
        return Err(ProgramError::MissingRequiredSignature);
    }
    let (address, bump) = Pubkey::find_program_address(&[b"note", share_info.key.as_ref()], program_id);
    if address != *note.key {
        return Err(ProgramError::InvalidSeeds);
    }
    if note.data_is_empty() {
        invoke_signed(
            &system_instruction::create_account(holder.key, note.key, 1_000_000, 32, program_id),
            &[holder.clone(), note.clone()],
            &[&[b"note", share_info.key.as_ref(), &[bump]]],
        )?;
    }
    if note.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    note.data.borrow_mut().copy_from_slice(&text);
    Ok(())
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::program::invoke_signed;
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey, system_instruction};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Share { pub holder: Pubkey, pub purse: Pubkey, pub due: u64 }

pub fn describe(program_id: &Pubkey, accounts: &[AccountInfo], text: [u8; 32]) -> ProgramResult {
    let [share_info, holder, note] = accounts else { return Err(ProgramError::NotEnoughAccountKeys) };
    if share_info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    let share = Share::try_from_slice(&share_info.data.borrow())?;
    if share.holder != *holder.key || !holder.is_signer {
        return Err(ProgramError::MissingRequiredSignature);
    }
    let (address, bump) = Pubkey::find_program_address(&[b"note", share_info.key.as_ref()], program_id);
    invoke_signed(
        &system_instruction::create_account(holder.key, note.key, 1_000_000, 32, program_id),
        &[holder.clone(), note.clone()],
        &[&[b"note", share_info.key.as_ref(), &[bump]]],
    )?;
    if note.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    note.data.borrow_mut().copy_from_slice(&text);
    Ok(())
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::program::invoke_signed;
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey, system_instruction};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Share { pub holder: Pubkey, pub purse: Pubkey, pub due: u64 }

pub fn describe(program_id: &Pubkey, accounts: &[AccountInfo], text: [u8; 32]) -> ProgramResult {
    let [share_info, holder, note] = accounts else { return Err(ProgramError::NotEnoughAccountKeys) };
    if share_info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    let share = Share::try_from_slice(&share_info.data.borrow())?;
    if share.holder != *holder.key || !holder.is_signer {
        return Err(ProgramError::MissingRequiredSignature);
    }
    let (address, bump) = Pubkey::find_program_address(&[b"note", share_info.key.as_ref()], program_id);
    if note.data.borrow()[0] != 7 {
        return Err(ProgramError::InvalidAccountData);
    }
    if note.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    note.data.borrow_mut().copy_from_slice(&text);
    Ok(())
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Source { pub ticker_oracle: Pubkey }

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Store { pub keeper: Pubkey, pub source: Source, pub value: u64 }

mod tickers { solana_program::declare_id!("Tick111111111111111111111111111111111111111"); }

fn value_of(ticker_feed: &AccountInfo) -> Result<u64, ProgramError> {
    if *ticker_feed.owner != tickers::id() {
        return Err(ProgramError::IllegalOwner);
    }
    let data = ticker_feed.data.borrow();
    Ok(u64::from_le_bytes(data[8..16].try_into().map_err(|_| ProgramError::InvalidAccountData)?))
}

/// The field has another name than the account whose address it stores.
pub fn open(accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let store_info = next_account_info(iter)?;
    let ticker_feed = next_account_info(iter)?;
    let keeper = next_account_info(iter)?;
    if !keeper.is_signer || store_info.data.borrow()[0] != 0 {
        return Err(ProgramError::MissingRequiredSignature);
    }
    let store = Store { keeper: *keeper.key, source: Source { ticker_oracle: *ticker_feed.key }, value: value_of(ticker_feed)? };
    store.serialize(&mut &mut store_info.data.borrow_mut()[..])?;
    Ok(())
}

pub fn refresh(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let store_info = next_account_info(iter)?;
    let ticker_feed = next_account_info(iter)?;
    if store_info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    let mut store = Store::try_from_slice(&store_info.data.borrow())?;
    if store.source.ticker_oracle != *ticker_feed.key {
        return Err(ProgramError::InvalidArgument);
    }
    store.value = value_of(ticker_feed)?;
    store.serialize(&mut &mut store_info.data.borrow_mut()[..])?;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{Mint, Token, TokenAccount};

#[program]
pub mod fair {
    use super::*;
    pub fn set_up(ctx: Context<SetUp>) -> Result<()> {
        ctx.accounts.fair.stalls += 1;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct SetUp<'info> {
    #[account(mut)]
    pub host: Signer<'info>,
    #[account(mut, has_one = host)]
    pub fair: Account<'info, Fair>,
    #[account(has_one = collector)]
    pub town: Account<'info, Town>,
    /// CHECK: named by the town
    pub collector: UncheckedAccount<'info>,
    pub coin: Account<'info, Mint>,
    #[account(init_if_needed, payer = host, seeds = [b"till", town.key().as_ref(), coin.key().as_ref()], bump, token::mint = coin, token::authority = collector)]
    pub till: Account<'info, TokenAccount>,
    pub market: Account<'info, Market>,
    /// CHECK: the address of the box is made from its own: everyone may have one
    pub keeper: UncheckedAccount<'info>,
    #[account(init_if_needed, payer = host, seeds = [b"box", keeper.key().as_ref(), coin.key().as_ref()], bump, token::mint = coin, token::authority = keeper)]
    pub strongbox: Account<'info, TokenAccount>,
    pub square: Account<'info, Square>,
    /// CHECK: owns what the host has at an address of the host's choice
    pub warden: UncheckedAccount<'info>,
    #[account(init, payer = host, token::mint = coin, token::authority = warden)]
    pub purse: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Fair { pub host: Pubkey, pub stalls: u64 }
#[account]
pub struct Town { pub collector: Pubkey }
#[account]
pub struct Market { pub keeper: Pubkey }
#[account]
pub struct Square { pub warden: Pubkey }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod tolls {
    use super::*;
    pub fn pass(ctx: Context<Pass>, amount: u64) -> Result<()> {
        let fee = amount / ctx.accounts.bridge.rate;
        let accounts = Transfer {
            from: ctx.accounts.purse.to_account_info(),
            to: ctx.accounts.collector_token_account.to_account_info(),
            authority: ctx.accounts.payer.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), fee)
    }
}

#[derive(Accounts)]
pub struct Pass<'info> {
    pub bridge: Account<'info, Bridge>,
    #[account(mut)]
    pub purse: Account<'info, TokenAccount>,
    #[account(mut, constraint = collector_token_account.owner == bridge.collector)]
    pub collector_token_account: Account<'info, TokenAccount>,
    pub payer: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Bridge { pub collector: Pubkey, pub rate: u64 }
`,
      // The record stores the mint and the wallet of a token account, not the account.
      `use anchor_lang::prelude::*;
use anchor_spl::token::{Mint, TokenAccount};

#[program]
pub mod rewards {
    use super::*;
    pub fn open(ctx: Context<Open>) -> Result<()> {
        *ctx.accounts.recipient = Recipient { mint: ctx.accounts.mint.key(), earned: 0 };
        Ok(())
    }
    pub fn count(ctx: Context<Count>, earned: u64) -> Result<()> {
        ctx.accounts.recipient.earned = earned + ctx.accounts.recipient_mint.amount;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(init, payer = payer, space = 48)]
    pub recipient: Account<'info, Recipient>,
    pub mint: Account<'info, Mint>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Count<'info> {
    #[account(mut)]
    pub recipient: Account<'info, Recipient>,
    #[account(token::mint = recipient.mint, constraint = recipient_mint.owner == owner.key())]
    pub recipient_mint: Account<'info, TokenAccount>,
    pub owner: Signer<'info>,
}

#[account]
pub struct Recipient { pub mint: Pubkey, pub earned: u64 }
`,
    ],
  },
}
