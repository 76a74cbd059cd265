import type { Event } from "../../../rust/terms/events.ts"
import { mentions, type Term } from "../../../rust/terms/terms.ts"
import type { Rule } from "../../../Rule.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import { isIdentified, reached } from "../../questions/identity.ts"
import type { Account, Instruction, SolanaProgram } from "../../program/model.ts"
import { severityOfData } from "../../payments/weights.ts"
import { isLeftToCalled } from "../../ties/calledProgram.ts"
import { firstRead, runtimeChecks } from "../../authority/ownership.ts"
import { checksWhenDone, usesOf } from "../../questions/questions.ts"
import { keyOf } from "../../program/semantics.ts"
import { signedCpisOf } from "../../questions/signedCpi.ts"

export const missingOwnerCheck: Rule<SolanaProgram> = {
  meta: {
    id: "solana/account-validation/missing-owner-check",
    class: "missing-owner",
    title: "Missing owner check",
    severity: "high",
    confidence: "medium",
    cwe: [345, 862],
    description:
      "The instruction deserializes a caller-supplied account without checking which program owns it. An " +
      "attacker fills an account of their own program with the bytes that this code expects, for example a " +
      "token account with any balance and any owner, and passes it: every value read from it is then under the " +
      "attacker's control.",
    remediation:
      "Declare the account as `Account<'info, T>` (or `InterfaceAccount`), or add `#[account(owner = " +
      "expected_program::ID)]`. In native programs, compare `account.owner` with the program that must have " +
      "written the data before reading it. A fixed address or one derived from seeds is also sufficient.",
    references: [
      "https://github.com/coral-xyz/sealevel-attacks/tree/master/programs/2-owner-checks",
      "https://solana.com/developers/courses/program-security/owner-checks",
    ],
  },
  check: (program, report) => {
    for (const crate of program.crates)
      for (const instruction of crate.instructions)
        for (const account of instruction.accounts) {
          if (account.wrapper !== "raw") continue
          const read = firstRead(instruction, account)
          if (read === undefined || runtimeChecks(instruction, account)) continue
          if (isIdentified(checksWhenDone(instruction, { term: account.term, taken: read }))) continue
          if (isBoundByAddress(instruction, account)) continue
          if (isLeftToCalled(crate, instruction, account, read)) continue
          report({
            ...placeOf(read),
            // What a function of another crate checks of an account that it is given, nobody says.
            severity: isLeftToLibrary(read, account) ? "low" : severityOfData(crate, instruction, account),
            message: `\`${instruction.name}\` reads the data of \`${account.name}\` but never checks which program owns it.`,
            trace: reached(read, account),
          })
        }
  },
  examples: {
    vulnerable: [
      // Clients that Codama generates read whatever they are given.
      `use anchor_lang::prelude::*;
use anchor_spl::token::TokenAccount;
use art_client::accounts::Artwork;

#[program]
pub mod guild {
    use super::*;
    pub fn join(ctx: Context<Join>) -> Result<()> {
        let art = Artwork::try_from(&ctx.accounts.art.to_account_info())?; // FINDING
        require_keys_eq!(art.collection, ctx.accounts.guild.collection);
        require_keys_eq!(art.mint, ctx.accounts.piece.mint);
        ctx.accounts.member.votes += 1;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Join<'info> {
    pub guild: Account<'info, Guild>,
    #[account(mut, has_one = holder, has_one = guild)]
    pub member: Account<'info, Member>,
    #[account(token::authority = holder, constraint = piece.amount == 1)]
    pub piece: Account<'info, TokenAccount>,
    /// CHECK: says which collection the piece is of
    pub art: UncheckedAccount<'info>,
    pub holder: Signer<'info>,
}

#[account]
pub struct Guild {
    pub collection: Pubkey,
}

#[account]
pub struct Member {
    pub holder: Pubkey,
    pub guild: Pubkey,
    pub votes: u64,
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::TokenAccount;
use art_client::accounts::Artwork;

#[program]
pub mod guild {
    use super::*;
    pub fn join(ctx: Context<Join>) -> Result<()> {
        let art = Artwork::safe_deserialize(&ctx.accounts.art.data.borrow())?; // FINDING
        require_keys_eq!(art.collection, ctx.accounts.guild.collection);
        require_keys_eq!(art.mint, ctx.accounts.piece.mint);
        ctx.accounts.member.votes += 1;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Join<'info> {
    pub guild: Account<'info, Guild>,
    #[account(mut, has_one = holder, has_one = guild)]
    pub member: Account<'info, Member>,
    #[account(token::authority = holder, constraint = piece.amount == 1)]
    pub piece: Account<'info, TokenAccount>,
    /// CHECK: says which collection the piece is of
    pub art: UncheckedAccount<'info>,
    pub holder: Signer<'info>,
}

#[account]
pub struct Guild {
    pub collection: Pubkey,
}

#[account]
pub struct Member {
    pub holder: Pubkey,
    pub guild: Pubkey,
    pub votes: u64,
}
`,
      // The library is told whose it is, not which program's.
      `use anchor_lang::prelude::*;
use anchor_spl::token::TokenAccount;
use art_client::accounts::Artwork;

#[program]
pub mod guild {
    use super::*;
    pub fn join(ctx: Context<Join>) -> Result<()> {
        let art = Artwork::load(&ctx.accounts.art, ctx.accounts.holder.key)?; // FINDING
        require_keys_eq!(art.collection, ctx.accounts.guild.collection);
        require_keys_eq!(art.mint, ctx.accounts.piece.mint);
        ctx.accounts.member.votes += 1;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Join<'info> {
    pub guild: Account<'info, Guild>,
    #[account(mut, has_one = holder, has_one = guild)]
    pub member: Account<'info, Member>,
    #[account(token::authority = holder, constraint = piece.amount == 1)]
    pub piece: Account<'info, TokenAccount>,
    /// CHECK: says which collection the piece is of
    pub art: UncheckedAccount<'info>,
    pub holder: Signer<'info>,
}

#[account]
pub struct Guild {
    pub collection: Pubkey,
}

#[account]
pub struct Member {
    pub holder: Pubkey,
    pub guild: Pubkey,
    pub votes: u64,
}
`,
      // What it says is paid out; it is not an account of the payment.
      `use pinocchio::{account_info::AccountInfo, instruction::{Seed, Signer}, program_error::ProgramError, pubkey::Pubkey, ProgramResult};
use pinocchio_token::instructions::Transfer;

#[repr(C)]
pub struct Order { pub maker: Pubkey, pub amount: [u8; 8] }

pub fn pay(accounts: &[AccountInfo], _data: &[u8]) -> ProgramResult {
    let [maker, order_info, vault, to, authority] = accounts else {
        return Err(ProgramError::NotEnoughAccountKeys);
    };
    if !maker.is_signer() {
        return Err(ProgramError::MissingRequiredSignature);
    }
    let order = unsafe { &*(order_info.borrow_data_unchecked().as_ptr() as *const Order) }; // FINDING
    if &order.maker != maker.key() {
        return Err(ProgramError::InvalidAccountData);
    }
    let seeds = [Seed::from(b"authority")];
    Transfer { from: vault, to, authority, amount: u64::from_le_bytes(order.amount) }.invoke_signed(&[Signer::from(&seeds)])
}
`,
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::program_pack::Pack;

#[program]
pub mod votes {
    use super::*;

    pub fn vote(ctx: Context<Vote>) -> Result<()> {
        let weight = spl_token::state::Account::unpack(&ctx.accounts.holding.data.borrow())?; // FINDING
        require!(weight.owner == ctx.accounts.voter.key(), ErrorCode::ConstraintOwner);
        ctx.accounts.poll.votes += weight.amount;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Vote<'info> {
    #[account(mut)]
    pub poll: Account<'info, Poll>,
    /// CHECK: read below
    pub holding: UncheckedAccount<'info>,
    pub voter: Signer<'info>,
}

#[account]
pub struct Poll {
    pub votes: u64,
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::BorshDeserialize;

#[derive(BorshDeserialize)]
pub struct Config {
    pub admin: Pubkey,
}

pub fn withdraw(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let config_info = next_account_info(iter)?;
    let vault = next_account_info(iter)?;
    let admin = next_account_info(iter)?;
    let config = Config::try_from_slice(&config_info.data.borrow())?; // FINDING
    if !admin.is_signer || config.admin != *admin.key {
        return Err(ProgramError::MissingRequiredSignature);
    }
    **vault.try_borrow_mut_lamports()? -= amount;
    **admin.try_borrow_mut_lamports()? += amount;
    Ok(())
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::program_pack::{IsInitialized, Pack};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use spl_token::state::Account as Holding;

pub fn discount(_program_id: &Pubkey, accounts: &[AccountInfo], mint: Pubkey) -> ProgramResult {
    let iter = &mut accounts.iter();
    let card = next_account_info(iter).or(Err(ProgramError::NotEnoughAccountKeys))?;
    let till = next_account_info(iter)?;
    let buyer = next_account_info(iter)?;
    let held = Holding::unpack_unchecked(&card.data.borrow()).or(Err(ProgramError::InvalidAccountData))?; // FINDING
    if !held.is_initialized() || !held.mint.eq(&mint) || held.owner != *buyer.key || !buyer.is_signer {
        return Err(ProgramError::InvalidAccountData);
    }
    **till.try_borrow_mut_lamports()? -= held.amount;
    **buyer.try_borrow_mut_lamports()? += held.amount;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::{program::invoke_signed, system_instruction};

#[program]
pub mod orders {
    use super::*;

    // The vault belongs to the order; the sum of all orders does not.
    pub fn draw(ctx: Context<Draw>) -> Result<()> {
        let size = ctx.accounts.order.try_borrow_data()?[0]; // FINDING
        ctx.accounts.pay(u64::from(size))?;
        ctx.accounts.total.drawn += u64::from(size);
        Ok(())
    }

    pub fn draw_and_log(ctx: Context<DrawAndLog>) -> Result<()> {
        let size = ctx.accounts.draw.order.try_borrow_data()?[0]; // FINDING
        ctx.accounts.draw.pay(u64::from(size))?;
        ctx.accounts.log.try_borrow_mut_data()?[0] = size;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Draw<'info> {
    /// CHECK: read by hand
    pub order: UncheckedAccount<'info>,
    /// CHECK: pays
    #[account(mut)]
    pub vault: UncheckedAccount<'info>,
    #[account(mut, seeds = [b"total"], bump)]
    pub total: Account<'info, Total>,
    #[account(mut)]
    pub user: Signer<'info>,
}

#[derive(Accounts)]
pub struct DrawAndLog<'info> {
    pub draw: Draw<'info>,
    /// CHECK: written by hand
    #[account(mut)]
    pub log: UncheckedAccount<'info>,
}

impl<'info> Draw<'info> {
    fn pay(&self, amount: u64) -> Result<()> {
        let order = self.order.key();
        let paid = system_instruction::transfer(self.vault.key, self.user.key, amount);
        let accounts = [self.vault.to_account_info(), self.user.to_account_info()];
        invoke_signed(&paid, &accounts, &[&[b"vault", order.as_ref(), &[255]]])?;
        Ok(())
    }
}

#[account]
pub struct Total {
    pub drawn: u64,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod couples {
    use super::*;
    pub fn swap(ctx: Context<Swap>, back: bool) -> Result<()> {
        let couple = &mut ctx.accounts.couple;
        if back {
            assert_note(&ctx.accounts.note, &couple.left)?;
        }
        couple.total += ctx.accounts.note.try_borrow_data()?[0] as u64; // FINDING
        Ok(())
    }
}

fn assert_note(note: &UncheckedAccount, mint: &Pubkey) -> Result<()> {
    let (key, _) = Pubkey::find_program_address(&[b"note", mint.as_ref()], &notes::ID);
    require_keys_eq!(key, note.key());
    Ok(())
}

#[derive(Accounts)]
pub struct Swap<'info> {
    #[account(mut)]
    pub couple: Account<'info, Couple>,
    /// CHECK: checked
    pub note: UncheckedAccount<'info>,
}

#[account]
pub struct Couple { pub left: Pubkey, pub right: Pubkey, pub total: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::instruction::{AccountMeta, Instruction};
use anchor_lang::solana_program::program::invoke;

mod presses {
    anchor_lang::declare_id!("Press11111111111111111111111111111111111111");
}

/// Whichever program is called may print for anyone.
#[program]
pub mod tickets {
    use super::*;
    pub fn print(ctx: Context<Print>) -> Result<()> {
        let mut data: &[u8] = &ctx.accounts.plate.try_borrow_data()?;
        let plate = Plate::try_deserialize(&mut data)?; // FINDING
        ctx.accounts.book.printed += plate.copies;
        let order = Instruction {
            program_id: ctx.accounts.press.key(),
            accounts: vec![AccountMeta::new(ctx.accounts.plate.key(), false)],
            data: vec![1],
        };
        invoke(&order, &[ctx.accounts.plate.to_account_info(), ctx.accounts.press.to_account_info()])?;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Print<'info> {
    #[account(mut, has_one = keeper)]
    pub book: Account<'info, Book>,
    pub keeper: Signer<'info>,
    /// CHECK: by the press
    #[account(mut)]
    pub plate: UncheckedAccount<'info>,
    /// CHECK: compared
    pub press: UncheckedAccount<'info>,
}

#[account]
pub struct Book { pub keeper: Pubkey, pub printed: u64 }

#[account]
pub struct Plate { pub copies: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::instruction::{AccountMeta, Instruction};
use anchor_lang::solana_program::program::invoke;

mod presses {
    anchor_lang::declare_id!("Press11111111111111111111111111111111111111");
}

/// The press is not always called.
#[program]
pub mod tickets {
    use super::*;
    pub fn print(ctx: Context<Print>) -> Result<()> {
        let mut data: &[u8] = &ctx.accounts.plate.try_borrow_data()?;
        let plate = Plate::try_deserialize(&mut data)?; // FINDING
        ctx.accounts.book.printed += plate.copies;
        require_keys_eq!(ctx.accounts.press.key(), presses::ID);
        let order = Instruction {
            program_id: ctx.accounts.press.key(),
            accounts: vec![AccountMeta::new(ctx.accounts.plate.key(), false)],
            data: vec![1],
        };
        if plate.copies > 0 {
            invoke(&order, &[ctx.accounts.plate.to_account_info(), ctx.accounts.press.to_account_info()])?;
        }
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Print<'info> {
    #[account(mut, has_one = keeper)]
    pub book: Account<'info, Book>,
    pub keeper: Signer<'info>,
    /// CHECK: by the press
    #[account(mut)]
    pub plate: UncheckedAccount<'info>,
    /// CHECK: compared
    pub press: UncheckedAccount<'info>,
}

#[account]
pub struct Book { pub keeper: Pubkey, pub printed: u64 }

#[account]
pub struct Plate { pub copies: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::instruction::{AccountMeta, Instruction};
use anchor_lang::solana_program::program::invoke;

mod presses {
    anchor_lang::declare_id!("Press11111111111111111111111111111111111111");
}

/// The plates are this program's own; the press does not look at them.
#[program]
pub mod tickets {
    use super::*;
    pub fn print(ctx: Context<Print>) -> Result<()> {
        let mut data: &[u8] = &ctx.accounts.plate.try_borrow_data()?;
        let plate = Plate::try_deserialize(&mut data)?; // FINDING
        ctx.accounts.book.printed += plate.copies;
        require_keys_eq!(ctx.accounts.press.key(), presses::ID);
        let order = Instruction {
            program_id: ctx.accounts.press.key(),
            accounts: vec![AccountMeta::new(ctx.accounts.plate.key(), false)],
            data: vec![1],
        };
        invoke(&order, &[ctx.accounts.plate.to_account_info(), ctx.accounts.press.to_account_info()])?;
        Ok(())
    }
    pub fn engrave(ctx: Context<Engrave>) -> Result<()> {
        ctx.accounts.plate.copies = 1;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Print<'info> {
    #[account(mut, has_one = keeper)]
    pub book: Account<'info, Book>,
    pub keeper: Signer<'info>,
    /// CHECK: by the press
    #[account(mut)]
    pub plate: UncheckedAccount<'info>,
    /// CHECK: compared
    pub press: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct Engrave<'info> {
    #[account(init, payer = keeper, space = 16)]
    pub plate: Account<'info, Plate>,
    #[account(mut)]
    pub keeper: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Book { pub keeper: Pubkey, pub printed: u64 }

#[account]
pub struct Plate { pub copies: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::instruction::{AccountMeta, Instruction};
use anchor_lang::solana_program::program::invoke;

mod presses {
    anchor_lang::declare_id!("Press11111111111111111111111111111111111111");
}

/// Plates are built by this program.
#[program]
pub mod tickets {
    use super::*;
    pub fn print(ctx: Context<Print>) -> Result<()> {
        let mut data: &[u8] = &ctx.accounts.plate.try_borrow_data()?;
        let plate = Plate::try_deserialize(&mut data)?; // FINDING
        ctx.accounts.book.printed += plate.copies;
        require_keys_eq!(ctx.accounts.press.key(), presses::ID);
        let order = Instruction {
            program_id: ctx.accounts.press.key(),
            accounts: vec![AccountMeta::new(ctx.accounts.plate.key(), false)],
            data: vec![1],
        };
        invoke(&order, &[ctx.accounts.plate.to_account_info(), ctx.accounts.press.to_account_info()])?;
        Ok(())
    }
    pub fn engrave(ctx: Context<Engrave>) -> Result<()> {
        ctx.accounts.plate.set_inner(Plate { copies: 1 });
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Print<'info> {
    #[account(mut, has_one = keeper)]
    pub book: Account<'info, Book>,
    pub keeper: Signer<'info>,
    /// CHECK: by the press
    #[account(mut)]
    pub plate: UncheckedAccount<'info>,
    /// CHECK: compared
    pub press: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct Engrave<'info> {
    #[account(init, payer = keeper, space = 16)]
    pub plate: Account<'info, Plate>,
    #[account(mut)]
    pub keeper: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Book { pub keeper: Pubkey, pub printed: u64 }

#[account]
pub struct Plate { pub copies: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::instruction::{AccountMeta, Instruction};
use anchor_lang::solana_program::program::invoke;

mod presses {
    anchor_lang::declare_id!("Press11111111111111111111111111111111111111");
}

/// This program changes plates.
#[program]
pub mod tickets {
    use super::*;
    pub fn print(ctx: Context<Print>) -> Result<()> {
        let mut data: &[u8] = &ctx.accounts.plate.try_borrow_data()?;
        let plate = Plate::try_deserialize(&mut data)?; // FINDING
        ctx.accounts.book.printed += plate.copies;
        require_keys_eq!(ctx.accounts.press.key(), presses::ID);
        let order = Instruction {
            program_id: ctx.accounts.press.key(),
            accounts: vec![AccountMeta::new(ctx.accounts.plate.key(), false)],
            data: vec![1],
        };
        invoke(&order, &[ctx.accounts.plate.to_account_info(), ctx.accounts.press.to_account_info()])?;
        Ok(())
    }
    pub fn engrave(ctx: Context<Engrave>) -> Result<()> {
        let mut data: &[u8] = &ctx.accounts.plate.try_borrow_data()?;
        let mut plate = Plate::try_deserialize(&mut data)?;
        plate.copies = 1;
        let mut bytes = ctx.accounts.plate.try_borrow_mut_data()?;
        plate.try_serialize(&mut bytes.as_mut())?;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Print<'info> {
    #[account(mut, has_one = keeper)]
    pub book: Account<'info, Book>,
    pub keeper: Signer<'info>,
    /// CHECK: by the press
    #[account(mut)]
    pub plate: UncheckedAccount<'info>,
    /// CHECK: compared
    pub press: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct Engrave<'info> {
    /// CHECK: at a fixed address
    #[account(mut, seeds = [b"plate"], bump)]
    pub plate: UncheckedAccount<'info>,
    #[account(mut)]
    pub keeper: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Book { pub keeper: Pubkey, pub printed: u64 }

#[account]
pub struct Plate { pub copies: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::{program::invoke, system_instruction};

mod presses {
    anchor_lang::declare_id!("Press11111111111111111111111111111111111111");
}

/// The system program does not look at it.
#[program]
pub mod tickets {
    use super::*;
    pub fn print(ctx: Context<Print>) -> Result<()> {
        let mut data: &[u8] = &ctx.accounts.plate.try_borrow_data()?;
        let plate = Plate::try_deserialize(&mut data)?; // FINDING
        ctx.accounts.book.printed += plate.copies;
        invoke(&system_instruction::assign(&ctx.accounts.plate.key(), &presses::ID), &[ctx.accounts.plate.to_account_info()])?;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Print<'info> {
    #[account(mut, has_one = keeper)]
    pub book: Account<'info, Book>,
    pub keeper: Signer<'info>,
    /// CHECK: by the press
    #[account(mut)]
    pub plate: UncheckedAccount<'info>,
    /// CHECK: compared
    pub press: UncheckedAccount<'info>,
}

#[account]
pub struct Book { pub keeper: Pubkey, pub printed: u64 }

#[account]
pub struct Plate { pub copies: u64 }
`,
      `use anchor_lang::prelude::*;

/// What is changed is derived from another account than the one that is read.
#[program]
pub mod desk {
    use super::*;
    pub fn quote(ctx: Context<Quote>) -> Result<()> {
        require_keys_neq!(ctx.accounts.desk.key(), ctx.accounts.note.key());
        let note = read_note(&ctx.accounts.note)?; // FINDING
        ctx.accounts.record.limit = note.limit;
        Ok(())
    }
    pub fn settle(ctx: Context<Settle>) -> Result<()> {
        let note = read_note(&ctx.accounts.note)?; // FINDING
        ctx.accounts.record.limit = note.limit;
        Ok(())
    }
}

pub fn read_note(info: &AccountInfo) -> Result<Note> {
    Ok(Note::try_from_slice(&info.data.borrow())?)
}

#[derive(Accounts)]
pub struct Quote<'info> {
    #[account(has_one = keeper)]
    pub desk: Account<'info, Desk>,
    pub keeper: Signer<'info>,
    #[account(mut, seeds = [b"record", desk.key().as_ref()], bump)]
    pub record: Account<'info, Record>,
    /// CHECK: read
    pub note: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct Settle<'info> {
    pub keeper: Signer<'info>,
    #[account(seeds = [b"desk", keeper.key().as_ref()], bump)]
    pub desk: Account<'info, Desk>,
    #[account(mut, seeds = [b"record", desk.key().as_ref()], bump)]
    pub record: Account<'info, Record>,
    /// CHECK: read
    pub note: UncheckedAccount<'info>,
}

#[account]
pub struct Desk { pub keeper: Pubkey }

#[account]
pub struct Record { pub limit: u64 }

#[derive(AnchorDeserialize)]
pub struct Note { pub limit: u64 }
`,
      `use anchor_lang::prelude::*;
use notes::Note;

/// Who wrote the note is not said: not by a number or an address of another meaning, and not to a reader of mere bytes.
#[program]
pub mod desk {
    use super::*;
    pub fn versioned(ctx: Context<Quote>) -> Result<()> {
        let note = Note::load(&ctx.accounts.desk.program_version, &ctx.accounts.note)?; // FINDING
        ctx.accounts.desk.limit = note.limit;
        Ok(())
    }
    pub fn derived(ctx: Context<Quote>, seed: u8) -> Result<()> {
        let maker = Pubkey::create_program_address(&[&[seed]], &crate::ID).unwrap();
        let note = Note::load(&maker, &ctx.accounts.note)?; // FINDING
        ctx.accounts.desk.limit = note.limit;
        Ok(())
    }
    pub fn bytes(ctx: Context<Quote>) -> Result<()> {
        let note = Note::load(&notes::ID, &ctx.accounts.note.data.borrow())?; // FINDING
        ctx.accounts.desk.limit = note.limit;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Quote<'info> {
    #[account(mut, has_one = keeper)]
    pub desk: Account<'info, Desk>,
    pub keeper: Signer<'info>,
    /// CHECK: read
    pub note: UncheckedAccount<'info>,
}

#[account]
pub struct Desk { pub keeper: Pubkey, pub limit: u64, pub program_version: u64 }
`,
    ],
    safe: [
      // Another crate is told which program must have written it.
      `use anchor_lang::prelude::*;
use anchor_spl::token::TokenAccount;
use art_client::accounts::Artwork;

#[program]
pub mod guild {
    use super::*;
    pub fn join(ctx: Context<Join>) -> Result<()> {
        let art = Artwork::load(&art_client::ID, &ctx.accounts.art)?;
        require_keys_eq!(art.collection, ctx.accounts.guild.collection);
        require_keys_eq!(art.mint, ctx.accounts.piece.mint);
        ctx.accounts.member.votes += 1;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Join<'info> {
    pub guild: Account<'info, Guild>,
    #[account(mut, has_one = holder, has_one = guild)]
    pub member: Account<'info, Member>,
    #[account(token::authority = holder, constraint = piece.amount == 1)]
    pub piece: Account<'info, TokenAccount>,
    /// CHECK: says which collection the piece is of
    pub art: UncheckedAccount<'info>,
    pub holder: Signer<'info>,
}

#[account]
pub struct Guild {
    pub collection: Pubkey,
}

#[account]
pub struct Member {
    pub holder: Pubkey,
    pub guild: Pubkey,
    pub votes: u64,
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::TokenAccount;
use art_client::accounts::Artwork;

#[program]
pub mod guild {
    use super::*;
    pub fn join(ctx: Context<Join>) -> Result<()> {
        let art = Artwork::load_checked(&ctx.accounts.art, &ctx.accounts.guild.art_program)?;
        require_keys_eq!(art.collection, ctx.accounts.guild.collection);
        require_keys_eq!(art.mint, ctx.accounts.piece.mint);
        ctx.accounts.member.votes += 1;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Join<'info> {
    pub guild: Account<'info, Guild>,
    #[account(mut, has_one = holder, has_one = guild)]
    pub member: Account<'info, Member>,
    #[account(token::authority = holder, constraint = piece.amount == 1)]
    pub piece: Account<'info, TokenAccount>,
    /// CHECK: says which collection the piece is of
    pub art: UncheckedAccount<'info>,
    pub holder: Signer<'info>,
}

#[account]
pub struct Guild {
    pub collection: Pubkey,
    pub art_program: Pubkey,
}

#[account]
pub struct Member {
    pub holder: Pubkey,
    pub guild: Pubkey,
    pub votes: u64,
}
`,
      `use borsh::{BorshDeserialize, BorshSerialize};
use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program::invoke_signed, program_error::ProgramError, pubkey::Pubkey};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Coin { pub decimals: u8 }

/// A made-up coin leads to a wrapped one of its own, and to the keeper of that.
pub fn wrap(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let coin_info = next_account_info(iter)?;
    let wrapped_info = next_account_info(iter)?;
    let keeper_info = next_account_info(iter)?;
    let to_info = next_account_info(iter)?;
    let (wrapped, _) = Pubkey::find_program_address(&[b"wrapped", coin_info.key.as_ref()], program_id);
    if wrapped != *wrapped_info.key {
        return Err(ProgramError::InvalidSeeds);
    }
    let (keeper, bump) = Pubkey::find_program_address(&[b"keeper", wrapped_info.key.as_ref()], program_id);
    if keeper != *keeper_info.key {
        return Err(ProgramError::InvalidSeeds);
    }
    let coin = Coin::try_from_slice(&coin_info.data.borrow())?;
    invoke_signed(
        &spl_token::instruction::mint_to(&spl_token::ID, wrapped_info.key, to_info.key, keeper_info.key, &[], amount << coin.decimals)?,
        &[wrapped_info.clone(), to_info.clone(), keeper_info.clone()],
        &[&[b"keeper", wrapped_info.key.as_ref(), &[bump]]],
    )
}
`,
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::program_pack::Pack;

#[program]
pub mod votes {
    use super::*;

    #[access_control(is_open(&ctx.accounts.poll) && is_known(&ctx.accounts.poll, &ctx.accounts.holding))]
    pub fn vote(ctx: Context<Vote>) -> Result<()> {
        let weight = spl_token::state::Account::unpack(&ctx.accounts.holding.data.borrow())?;
        require!(weight.owner == ctx.accounts.voter.key(), ErrorCode::ConstraintOwner);
        ctx.accounts.poll.votes += weight.amount;
        Ok(())
    }
}

fn is_open(poll: &Account<Poll>) -> Result<()> {
    require!(poll.votes < 1000, ErrorCode::ConstraintRaw);
    Ok(())
}

fn is_known(poll: &Account<Poll>, holding: &UncheckedAccount) -> Result<()> {
    require!(poll.holding == holding.key(), ErrorCode::ConstraintRaw);
    Ok(())
}

#[derive(Accounts)]
pub struct Vote<'info> {
    #[account(mut)]
    pub poll: Account<'info, Poll>,
    /// CHECK: compared
    pub holding: UncheckedAccount<'info>,
    pub voter: Signer<'info>,
}

#[account]
pub struct Poll { pub votes: u64, pub holding: Pubkey }
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::BorshDeserialize;

macro_rules! sure {
    ($holds:expr, $otherwise:expr) => {{
        if ($holds) {
            Ok(())
        } else {
            msg!("refused at {}", line!());
            Err($otherwise)
        }
    }};
}

#[derive(BorshDeserialize)]
pub struct Rate {
    pub price: u64,
}

pub fn pay(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let rate_info = next_account_info(iter)?;
    let vault = next_account_info(iter)?;
    let payee = next_account_info(iter)?;
    sure!(rate_info.owner == program_id, ProgramError::IllegalOwner)?;
    let rate = Rate::try_from_slice(&rate_info.data.borrow())?;
    **vault.try_borrow_mut_lamports()? -= rate.price;
    **payee.try_borrow_mut_lamports()? += rate.price;
    Ok(())
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::BorshDeserialize;

#[derive(BorshDeserialize)]
pub struct Config {
    pub admin: Pubkey,
}

fn read_config(program_id: &Pubkey, info: &AccountInfo) -> Result<Config, ProgramError> {
    if info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    Ok(Config::try_from_slice(&info.data.borrow())?)
}

pub fn withdraw(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let config_info = next_account_info(iter)?;
    let vault = next_account_info(iter)?;
    let admin = next_account_info(iter)?;
    let config = read_config(program_id, config_info)?;
    if !admin.is_signer || config.admin != *admin.key {
        return Err(ProgramError::MissingRequiredSignature);
    }
    **vault.try_borrow_mut_lamports()? -= amount;
    **admin.try_borrow_mut_lamports()? += amount;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::program_pack::Pack;

#[program]
pub mod votes {
    use super::*;

    pub fn vote(ctx: Context<Vote>) -> Result<()> {
        let weight = spl_token::state::Account::unpack(&ctx.accounts.holding.data.borrow())?;
        require!(weight.owner == ctx.accounts.voter.key(), ErrorCode::ConstraintOwner);
        ctx.accounts.poll.votes += weight.amount;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Vote<'info> {
    #[account(mut)]
    pub poll: Account<'info, Poll>,
    /// CHECK: the token program's
    #[account(owner = spl_token::ID)]
    pub holding: UncheckedAccount<'info>,
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
pub struct Pool {
    pub admin: Pubkey,
}

pub fn pay(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let [pool_info, vault, to, signer, admin] = accounts else { return Err(ProgramError::NotEnoughAccountKeys) };
    let pool = Pool::try_from_slice(&pool_info.data.borrow())?;
    if !admin.is_signer || pool.admin != *admin.key {
        return Err(ProgramError::MissingRequiredSignature);
    }
    let (address, bump) = Pubkey::find_program_address(&[b"authority", pool_info.key.as_ref()], program_id);
    if address != *signer.key {
        return Err(ProgramError::InvalidSeeds);
    }
    invoke_signed(
        &spl_token::instruction::transfer(&spl_token::ID, vault.key, to.key, signer.key, &[], amount)?,
        &[vault.clone(), to.clone(), signer.clone()],
        &[&[b"authority", pool_info.key.as_ref(), &[bump]]],
    )
}
`,
      `use solana_program::account_info::AccountInfo;
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Group { pub cache: Pubkey, pub on: bool, pub sum: u64 }

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Cache { pub price: u64 }

fn load_checked(info: &AccountInfo, program_id: &Pubkey, group: &Group) -> Result<Cache, ProgramError> {
    if info.owner != program_id || group.cache != *info.key {
        return Err(ProgramError::IllegalOwner);
    }
    Ok(Cache::try_from_slice(&info.data.borrow())?)
}

/// There may be nothing to do, before the cache is looked at.
pub fn settle(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
    let [group_info, cache_info] = accounts else { return Err(ProgramError::NotEnoughAccountKeys) };
    if group_info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    let mut group = Group::try_from_slice(&group_info.data.borrow())?;
    if !group.on {
        return Ok(());
    }
    let cache = load_checked(cache_info, program_id, &group)?;
    group.sum = group.sum.checked_add(cache.price).ok_or(ProgramError::InvalidArgument)?;
    group.serialize(&mut &mut group_info.data.borrow_mut()[..])?;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod couples {
    use super::*;
    pub fn swap(ctx: Context<Swap>, back: bool) -> Result<()> {
        let couple = &mut ctx.accounts.couple;
        if back {
            assert_note(&ctx.accounts.note, &couple.left)?;
        } else {
            assert_note(&ctx.accounts.note, &couple.right)?;
        }
        couple.total += ctx.accounts.note.try_borrow_data()?[0] as u64;
        Ok(())
    }
}

fn assert_note(note: &UncheckedAccount, mint: &Pubkey) -> Result<()> {
    let (key, _) = Pubkey::find_program_address(&[b"note", mint.as_ref()], &notes::ID);
    require_keys_eq!(key, note.key());
    Ok(())
}

#[derive(Accounts)]
pub struct Swap<'info> {
    #[account(mut)]
    pub couple: Account<'info, Couple>,
    /// CHECK: checked
    pub note: UncheckedAccount<'info>,
}

#[account]
pub struct Couple { pub left: Pubkey, pub right: Pubkey, pub total: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::instruction::{AccountMeta, Instruction};
use anchor_lang::solana_program::program::invoke;

mod presses {
    anchor_lang::declare_id!("Press11111111111111111111111111111111111111");
}

/// The press, whose record this is, prints only for its own.
#[program]
pub mod tickets {
    use super::*;
    pub fn print(ctx: Context<Print>) -> Result<()> {
        let mut data: &[u8] = &ctx.accounts.plate.try_borrow_data()?;
        let plate = Plate::try_deserialize(&mut data)?;
        ctx.accounts.book.printed += plate.copies;
        require_keys_eq!(ctx.accounts.press.key(), presses::ID);
        let order = Instruction {
            program_id: ctx.accounts.press.key(),
            accounts: vec![AccountMeta::new(ctx.accounts.plate.key(), false)],
            data: vec![1],
        };
        invoke(&order, &[ctx.accounts.plate.to_account_info(), ctx.accounts.press.to_account_info()])?;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Print<'info> {
    #[account(mut, has_one = keeper)]
    pub book: Account<'info, Book>,
    pub keeper: Signer<'info>,
    /// CHECK: by the press
    #[account(mut)]
    pub plate: UncheckedAccount<'info>,
    /// CHECK: compared
    pub press: UncheckedAccount<'info>,
}

#[account]
pub struct Book { pub keeper: Pubkey, pub printed: u64 }

#[account]
pub struct Plate { pub copies: u64 }
`,
      `use notes::Note;
use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::entrypoint::ProgramResult;
use solana_program::pubkey::Pubkey;

// The library is told which program must have written the note: this one.
entrypoint!(process);
pub fn process(program_id: &Pubkey, accounts: &[AccountInfo], data: &[u8]) -> ProgramResult {
    let iter = &mut accounts.iter();
    let note = next_account_info(iter)?;
    let to = next_account_info(iter)?;
    let from = next_account_info(iter)?;
    assert!(from.is_signer && from.owner == program_id);
    let limit = Note::load(program_id, note)?.limit;
    **to.lamports.borrow_mut() += limit;
    **from.lamports.borrow_mut() -= limit;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;
use notes::{Handle, Note};

/// The library is told which program must have written the note.
#[program]
pub mod desk {
    use super::*;
    pub fn by_account(ctx: Context<Quote>) -> Result<()> {
        let note = Note::load(ctx.accounts.note_program.key, &ctx.accounts.note)?;
        ctx.accounts.desk.limit = note.limit;
        Ok(())
    }
    // What only holds the account reads nothing of it.
    pub fn held(ctx: Context<Quote>) -> Result<()> {
        let held = Handle::try_from(&ctx.accounts.note)?;
        ctx.accounts.desk.limit = held.weight();
        Ok(())
    }
    pub fn by_record(ctx: Context<Quote>) -> Result<()> {
        let note = Note::load(&ctx.accounts.desk.note_program, &ctx.accounts.note)?;
        ctx.accounts.desk.limit = note.limit;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Quote<'info> {
    #[account(mut, has_one = keeper, has_one = note_program)]
    pub desk: Account<'info, Desk>,
    pub keeper: Signer<'info>,
    /// CHECK: read
    pub note: UncheckedAccount<'info>,
    /// CHECK: the one that the desk stores
    pub note_program: UncheckedAccount<'info>,
}

#[account]
pub struct Desk { pub keeper: Pubkey, pub note_program: Pubkey, pub limit: u64 }
`,
    ],
  },
}

/** Functions of libraries that are known to read whatever they are given. */
const readsAnything =
  /^(load_price_feed_from_account_info|load_price_account|load_product_account|new|from_account_info|try_from)$/

const isLeftToLibrary = (read: Event, account: Account): boolean =>
  read.kind === "call" &&
  read.target === undefined &&
  !readsAnything.test(read.name) &&
  read.args.some(({ term }) => term === account.term)

/** The account's address, and those of accounts at addresses that are derived from it, over any number of steps. */
const derivedFrom = (instruction: Instruction, account: Account): ReadonlySet<Term> => {
  const { terms } = instruction.walk
  const found = new Set([keyOf(terms, account.term)])
  const made = instruction.accounts.flatMap((one) =>
    checksWhenDone(instruction, one).flatMap(({ kind, against }) =>
      kind === "pda" && against !== undefined ? [{ key: keyOf(terms, one.term), against }] : [],
    ),
  )
  for (let size = 0; size !== found.size;) {
    size = found.size
    for (const { key, against } of made) if (mentions(against, (one) => found.has(one))) found.add(key)
  }
  return found
}

/**
 * Whether everything that the instruction changes is at addresses derived from this account's: a forged account leads
 * only to its own authority or record.
 */
const isBoundByAddress = (instruction: Instruction, account: Account): boolean => {
  const keys = derivedFrom(instruction, account)
  const has = (term: Term): boolean => mentions(term, (one) => keys.has(one))
  let bound = false
  for (const cpi of signedCpisOf(instruction))
    if (has(cpi.signerSeeds)) bound = true
    else return false
  for (const other of instruction.accounts) {
    const changes = usesOf(instruction, other).some(
      ({ kind, event }) =>
        kind.endsWith("-write") && !(kind === "lamports-write" && event.kind === "assign" && event.operator === "+"),
    )
    if (!changes) continue
    if (
      !checksWhenDone(instruction, other).some(
        ({ kind, against }) => kind === "pda" && against !== undefined && has(against),
      )
    )
      return false
    bound = true
  }
  return bound
}
