import type { Term } from "../../../../../../domain/detection/rust/terms/terms.ts"
import { linksOf } from "../../../../../../domain/detection/solana/ties/links.ts"
import type { Account, Instruction } from "../../../../../../domain/detection/solana/program/model.ts"
import { accountIn } from "../../../../../../domain/detection/solana/questions/questions.ts"
import { isTied } from "../../../../../../domain/detection/solana/ties/tied.ts"
import { solanaTable } from "../../../../../support/solanaTable.ts"

const accountsIn = (instruction: Instruction, terms: ReadonlyArray<Term>): ReadonlyArray<Account> =>
  terms.map((term) => accountIn(instruction, term)!)

/** Which accounts belong together, and which of them lead to which. */
export const links = solanaTable(
  "links",
  {
    fixed: (instruction, terms) => linksOf(instruction).isFixed(accountsIn(instruction, terms)[0]!),
    /** The other accounts that it determines. */
    leads: (instruction, terms) => {
      const [account] = accountsIn(instruction, terms)
      return [...linksOf(instruction).determinedBy(account!)]
        .flatMap((one) => (one === account ? [] : [one.name]))
        .toSorted()
        .join(" ")
    },
    together: (instruction, terms) => {
      const [one, other] = accountsIn(instruction, terms)
      return linksOf(instruction).belongTogether(one!, other!)
    },
    tied: (instruction, terms) => {
      const [account, holder] = accountsIn(instruction, terms)
      return isTied(instruction, account!, holder!)
    },
  },
  [
    `use anchor_lang::prelude::*;
use anchor_spl::associated_token::get_associated_token_address;
use anchor_spl::token::{Mint, TokenAccount};
use lending::Reserve;

pub const TREASURY: Pubkey = pubkey!("9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin");

#[program]
pub mod pools {
    use super::*;

    pub fn nothing(ctx: Context<All>) -> Result<()> {
        let all = &ctx.accounts;
        ask::leads(all.pool, "");
        ask::fixed(all.pool, "false");
        ask::together(all.pool, all.vault, "false");
        ask::tied(all.vault, all.pool, "false");
        Ok(())
    }

    // A record leads on from what it stores; a token account that the caller chose leads nowhere.
    pub fn stored(ctx: Context<All>) -> Result<()> {
        let all = &ctx.accounts;
        require_keys_eq!(all.pool.vault, all.vault.key());
        require_keys_eq!(all.vault.mint, all.mint.key());
        ask::leads(all.pool, "mint vault");
        ask::leads(all.vault, "");
        ask::leads(all.mint, "");
        ask::together(all.pool, all.vault, "true");
        ask::together(all.mint, all.vault, "true");
        ask::together(all.mint, all.user, "false");
        ask::tied(all.mint, all.pool, "true");
        ask::tied(all.user, all.pool, "false");
        Ok(())
    }

    pub fn read(ctx: Context<All>) -> Result<()> {
        let all = &ctx.accounts;
        let tokens = TokenAccount::try_deserialize(&mut &all.raw.data.borrow()[..])?;
        require_keys_eq!(tokens.owner, all.user.key());
        ask::leads(all.raw, "");
        Ok(())
    }

    pub fn read_mint(ctx: Context<All>) -> Result<()> {
        let all = &ctx.accounts;
        let mint = Mint::try_deserialize(&mut &all.raw.data.borrow()[..])?;
        require!(mint.freeze_authority.unwrap() == all.user.key(), Wrong::Account);
        ask::leads(all.raw, "");
        Ok(())
    }

    // What is asked on some paths counts as well, and so does each of two accounts that it may be.
    pub fn sometimes(ctx: Context<All>, first: bool) -> Result<()> {
        let all = &ctx.accounts;
        if first {
            require_keys_eq!(all.pool.vault, all.vault.key());
        }
        let one = if first { all.mint.key() } else { all.user.key() };
        require_keys_eq!(all.pool.mint, one);
        ask::leads(all.pool, "mint user vault");
        Ok(())
    }

    pub fn same(ctx: Context<All>) -> Result<()> {
        let all = &ctx.accounts;
        require_keys_eq!(all.pool.key(), all.other.key());
        require_keys_eq!(all.other.vault, all.vault.key());
        ask::leads(all.pool, "other vault");
        ask::leads(all.other, "pool vault");
        Ok(())
    }

    // A constant fixes an account, and what is stored there.
    pub fn constant(ctx: Context<All>) -> Result<()> {
        let all = &ctx.accounts;
        require_keys_eq!(all.pool.key(), TREASURY);
        require_keys_eq!(all.pool.vault, all.vault.key());
        require_keys_eq!(all.other.vault, all.mint.key());
        ask::fixed(all.pool, "true");
        ask::fixed(all.vault, "true");
        ask::fixed(all.mint, "false");
        ask::tied(all.vault, all.user, "true");
        ask::tied(all.mint, all.user, "false");
        Ok(())
    }

    pub fn seeds(ctx: Context<All>) -> Result<()> {
        let all = &ctx.accounts;
        let (single, _) = Pubkey::find_program_address(&[b"config"], ctx.program_id);
        require_keys_eq!(all.other.key(), single);
        let (address, _) = Pubkey::find_program_address(&[b"record", all.user.key().as_ref()], ctx.program_id);
        require_keys_eq!(all.record.key(), address);
        ask::fixed(all.other, "true");
        ask::fixed(all.record, "false");
        ask::leads(all.record, "user");
        ask::leads(all.user, "record");
        Ok(())
    }

    // Anyone can make an address: only what is stored there says of whom it is.
    pub fn empty(ctx: Context<All>) -> Result<()> {
        let all = &ctx.accounts;
        let (address, _) = Pubkey::find_program_address(&[b"raw", all.user.key().as_ref()], ctx.program_id);
        require_keys_eq!(all.raw.key(), address);
        ask::leads(all.raw, "");
        ask::leads(all.user, "raw");
        Ok(())
    }

    pub fn read_record(ctx: Context<All>) -> Result<()> {
        let all = &ctx.accounts;
        let (address, _) = Pubkey::find_program_address(&[b"raw", all.user.key().as_ref()], ctx.program_id);
        require_keys_eq!(all.raw.key(), address);
        let record = Record::try_deserialize(&mut &all.raw.data.borrow()[..])?;
        require!(record.nonce > 3, Wrong::Account);
        ask::leads(all.raw, "user");
        Ok(())
    }

    pub fn stored_empty(ctx: Context<All>) -> Result<()> {
        let all = &ctx.accounts;
        let (address, _) = Pubkey::find_program_address(&[b"raw", all.user.key().as_ref()], ctx.program_id);
        require_keys_eq!(all.raw.key(), address);
        require_keys_eq!(all.pool.vault, all.raw.key());
        ask::leads(all.raw, "");
        ask::leads(all.pool, "raw user");
        Ok(())
    }

    pub fn loaded(ctx: Context<All>) -> Result<()> {
        let all = &ctx.accounts;
        let (address, _) = Pubkey::find_program_address(&[b"book", all.user.key().as_ref()], ctx.program_id);
        require_keys_eq!(all.book.key(), address);
        ask::leads(all.book, "user");
        Ok(())
    }

    // One of two makers leads nowhere alone; a choice of the caller's makes one of many; a bump is no choice.
    pub fn parts(ctx: Context<All>) -> Result<()> {
        let all = &ctx.accounts;
        let (address, _) =
            Pubkey::find_program_address(&[all.pool.key().as_ref(), all.user.key().as_ref()], ctx.program_id);
        require_keys_eq!(all.record.key(), address);
        ask::leads(all.user, "");
        ask::leads(all.pool, "");
        ask::leads(all.record, "pool user");
        ask::together(all.pool, all.user, "true");
        Ok(())
    }

    pub fn chosen(ctx: Context<All>, id: u64) -> Result<()> {
        let all = &ctx.accounts;
        let (address, _) = Pubkey::find_program_address(&[all.user.key().as_ref(), &id.to_le_bytes()], ctx.program_id);
        require_keys_eq!(all.record.key(), address);
        ask::leads(all.user, "");
        ask::leads(all.record, "user");
        ask::fixed(all.record, "false");
        Ok(())
    }

    pub fn only_chosen(ctx: Context<All>, id: u64) -> Result<()> {
        let all = &ctx.accounts;
        let (address, _) = Pubkey::find_program_address(&[&id.to_le_bytes()], ctx.program_id);
        require_keys_eq!(all.record.key(), address);
        ask::fixed(all.record, "false");
        Ok(())
    }

    pub fn bumped(ctx: Context<All>) -> Result<()> {
        let all = &ctx.accounts;
        let address =
            Pubkey::create_program_address(&[all.user.key().as_ref(), &[all.record.bump]], ctx.program_id).unwrap();
        require_keys_eq!(all.record.key(), address);
        ask::leads(all.user, "record");
        Ok(())
    }

    pub fn counted(ctx: Context<All>) -> Result<()> {
        let all = &ctx.accounts;
        let address =
            Pubkey::create_program_address(&[all.user.key().as_ref(), &[all.record.nonce]], ctx.program_id).unwrap();
        require_keys_eq!(all.record.key(), address);
        ask::leads(all.user, "");
        Ok(())
    }

    // A stored seed belongs to the record that stores it, or is the account whose address it is.
    pub fn told(ctx: Context<All>) -> Result<()> {
        let all = &ctx.accounts;
        let (address, _) = Pubkey::find_program_address(&[all.pool.mint.as_ref()], ctx.program_id);
        require_keys_eq!(all.record.key(), address);
        ask::leads(all.pool, "record");
        ask::leads(all.record, "pool");
        Ok(())
    }

    pub fn told_with(ctx: Context<All>) -> Result<()> {
        let all = &ctx.accounts;
        require_keys_eq!(all.pool.mint, all.mint.key());
        let (address, _) = Pubkey::find_program_address(&[all.pool.mint.as_ref()], ctx.program_id);
        require_keys_eq!(all.record.key(), address);
        ask::leads(all.mint, "record");
        ask::leads(all.record, "mint");
        Ok(())
    }

    // What is made from a user and the only pool does not make the user lead to the pool.
    pub fn beside_fixed(ctx: Context<All>) -> Result<()> {
        let all = &ctx.accounts;
        require_keys_eq!(all.pool.key(), TREASURY);
        let (address, _) =
            Pubkey::find_program_address(&[all.pool.key().as_ref(), all.user.key().as_ref()], ctx.program_id);
        require_keys_eq!(all.record.key(), address);
        require_keys_eq!(all.record.user, all.raw.key());
        ask::leads(all.user, "raw record");
        ask::leads(all.record, "pool raw user");
        Ok(())
    }

    // An associated account tells of whom it is, unless anyone could pass it as a token account.
    pub fn associated(ctx: Context<All>) -> Result<()> {
        let all = &ctx.accounts;
        let address = get_associated_token_address(&all.user.key(), &all.mint.key());
        require_keys_eq!(all.raw.key(), address);
        ask::leads(all.raw, "mint user");
        ask::leads(all.user, "");
        Ok(())
    }

    pub fn associated_vault(ctx: Context<All>) -> Result<()> {
        let all = &ctx.accounts;
        require_keys_eq!(all.vault.key(), get_associated_token_address(&all.user.key(), &all.mint.key()));
        require_keys_eq!(all.pool.vault, all.vault.key());
        ask::leads(all.vault, "");
        ask::leads(all.pool, "mint user vault");
        Ok(())
    }

    // An entry of a list counts, unless it was just put in.
    pub fn listed(ctx: Context<All>, at: u8) -> Result<()> {
        let all = &ctx.accounts;
        require_keys_eq!(all.list.members[at as usize], all.user.key());
        require_keys_eq!(all.list.seats[at as usize].mint, all.mint.key());
        ask::leads(all.list, "mint user");
        Ok(())
    }

    pub fn entered(ctx: Context<All>, at: u8) -> Result<()> {
        let all = &mut ctx.accounts;
        all.list.members[at as usize] = all.user.key();
        all.list.seats[at as usize].mint = all.mint.key();
        all.pool.vault = all.vault.key();
        require_keys_eq!(all.list.members[at as usize], all.user.key());
        require_keys_eq!(all.list.seats[at as usize].mint, all.mint.key());
        require_keys_eq!(all.list.seats[at as usize].vault, all.vault.key());
        require_keys_eq!(all.list.keeper, all.raw.key());
        all.list.keeper = all.raw.key();
        ask::leads(all.list, "raw vault");
        Ok(())
    }

    pub fn begun(ctx: Context<Begin>) -> Result<()> {
        ask::leads(ctx.accounts.record, "");
        ask::leads(ctx.accounts.note, "user");
        ask::leads(ctx.accounts.user, "note");
        Ok(())
    }

    // One record of another program for each mint is as good as any; several of this program may store one mint.
    pub fn foreign(ctx: Context<All>) -> Result<()> {
        let all = &ctx.accounts;
        require_keys_eq!(all.pool.mint, all.mint.key());
        require_keys_eq!(all.reserve.mint, all.mint.key());
        require_keys_eq!(all.other.mint, all.mint.key());
        ask::tied(all.reserve, all.pool, "true");
        ask::tied(all.other, all.pool, "false");
        ask::tied(all.reserve, all.record, "false");
        Ok(())
    }

    pub fn asked(ctx: Context<All>) -> Result<()> {
        let all = &ctx.accounts;
        verify_pair(&all.vault, &all.pool)?;
        ask::tied(all.vault, all.pool, "true");
        ask::tied(all.vault, all.other, "false");
        Ok(())
    }
}

#[derive(Accounts)]
pub struct All<'info> {
    pub pool: Account<'info, Pool>,
    pub other: Account<'info, Pool>,
    pub record: Account<'info, Record>,
    pub list: Account<'info, List>,
    pub book: AccountLoader<'info, Book>,
    pub reserve: Account<'info, Reserve>,
    pub vault: Account<'info, TokenAccount>,
    pub mint: Account<'info, Mint>,
    /// CHECK: compared
    pub raw: UncheckedAccount<'info>,
    pub user: Signer<'info>,
}

#[derive(Accounts)]
pub struct Begin<'info> {
    #[account(init, payer = user, space = 80, has_one = user)]
    pub record: Account<'info, Record>,
    #[account(seeds = [b"note", user.key().as_ref()], bump = note.nonce)]
    pub note: Account<'info, Note>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Pool { pub vault: Pubkey, pub mint: Pubkey }
#[account]
pub struct Record { pub user: Pubkey, pub nonce: u8, pub bump: u8 }
#[account]
pub struct Note { pub nonce: u8 }
#[account]
pub struct List { pub members: Vec<Pubkey>, pub seats: Vec<Seat>, pub keeper: Pubkey }
pub struct Seat { pub mint: Pubkey, pub vault: Pubkey }
#[account(zero_copy)]
pub struct Book { pub user: Pubkey }
`,
  ],
)
