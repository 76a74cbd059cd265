import { isDue, isUpkeep, movesWithin, paysOut } from "../../../../../../domain/detection/solana/payments/stakes.ts"
import { severityOfData, weightOfLooseTie } from "../../../../../../domain/detection/solana/payments/weights.ts"
import { accountIn } from "../../../../../../domain/detection/solana/questions/questions.ts"
import { solanaTable } from "../../../../../support/solanaTable.ts"

const about = { pays: paysOut, upkeep: isUpkeep, due: isDue, within: movesWithin }

/** What is at stake if anyone may call an instruction. */
export const stakes = solanaTable(
  "stakes",
  {
    /** The questions to which the answer is yes. */
    is: (instruction) =>
      Object.entries(about)
        .flatMap(([name, is]) => (is(instruction) ? [name] : []))
        .join(" "),
    loose: (instruction, terms, _at, crate) =>
      weightOfLooseTie(crate, instruction, ...terms.map((term) => accountIn(instruction, term)!)).severity ?? "its own",
    data: (instruction, [term], _at, crate) => severityOfData(crate, instruction, accountIn(instruction, term!)!),
  },
  [
    `use anchor_lang::prelude::*;
use anchor_spl::token::{self, CloseAccount, SetAuthority, Token, TokenAccount, Transfer};

#[program]
pub mod keepers {
    use super::*;

    pub fn nothing(ctx: Context<Keep>) -> Result<()> {
        ask::is("upkeep due");
        ask::loose("low");
        Ok(())
    }

    // What is written comes from the state.
    pub fn accrue(ctx: Context<Keep>) -> Result<()> {
        let pool = &mut ctx.accounts.pool;
        pool.total = pool.total + pool.rate * 2;
        ask::is("upkeep due");
        Ok(())
    }

    // The earlier value has moved to another place.
    pub fn move_on(ctx: Context<Keep>) -> Result<()> {
        let pool = &mut ctx.accounts.pool;
        pool.total = pool.total + pool.daily;
        pool.daily = 0;
        ask::is("upkeep due");
        Ok(())
    }

    pub fn clear(ctx: Context<Keep>) -> Result<()> {
        ctx.accounts.pool.daily = 0;
        ask::is("");
        ask::loose("its own");
        Ok(())
    }

    pub fn clear_asked(ctx: Context<Keep>) -> Result<()> {
        require!(ctx.accounts.pool.total > 9, Denied::Early);
        ctx.accounts.pool.daily = 0;
        ask::is("due");
        ask::loose("low");
        Ok(())
    }

    // That it is a pool says nothing of when.
    pub fn clear_of_kind(ctx: Context<Keep>) -> Result<()> {
        require!(ctx.accounts.pool.kind == 3, Denied::Early);
        ctx.accounts.pool.daily = 0;
        ask::is("");
        Ok(())
    }

    pub fn clear_flagged(ctx: Context<Keep>) -> Result<()> {
        require!(!ctx.accounts.pool.closed, Denied::Early);
        ctx.accounts.pool.daily = 0;
        ask::is("due");
        Ok(())
    }

    // Whom it names is no condition.
    pub fn clear_named(ctx: Context<Keep>) -> Result<()> {
        require_keys_eq!(ctx.accounts.pool.owner, ctx.accounts.other.key());
        ctx.accounts.pool.daily = 0;
        ask::is("");
        Ok(())
    }

    // Nobody gains anything with another account in its place.
    pub fn clear_beside(ctx: Context<KeepNew>) -> Result<()> {
        ctx.accounts.pool.closed = false;
        ask::is("");
        ask::loose("its own");
        ask::loose(ctx.accounts.other, "low");
        Ok(())
    }

    pub fn set(ctx: Context<Keep>, rate: u64) -> Result<()> {
        require!(ctx.accounts.pool.total > 9, Denied::Early);
        ctx.accounts.pool.rate = rate;
        ask::is("");
        Ok(())
    }

    pub fn set_derived(ctx: Context<Keep>, rate: u32, flag: bool) -> Result<()> {
        require!(ctx.accounts.pool.total > 9, Denied::Early);
        ctx.accounts.pool.rate = u64::from(rate).min(7);
        ask::is("");
        Ok(())
    }

    pub fn set_not(ctx: Context<Keep>, flag: bool) -> Result<()> {
        require!(ctx.accounts.pool.total > 9, Denied::Early);
        ctx.accounts.pool.closed = !flag;
        ask::is("");
        Ok(())
    }

    pub fn set_cast(ctx: Context<Keep>, rate: u32) -> Result<()> {
        require!(ctx.accounts.pool.total > 9, Denied::Early);
        ctx.accounts.pool.rate = rate as u64 + 1;
        ask::is("");
        Ok(())
    }

    pub fn set_part(ctx: Context<Keep>, given: Given) -> Result<()> {
        require!(ctx.accounts.pool.total > 9, Denied::Early);
        ctx.accounts.pool.rate = given.rate;
        ask::is("");
        Ok(())
    }

    // What a number of the caller finds is the program's.
    pub fn set_found(ctx: Context<Keep>, index: u64) -> Result<()> {
        require!(ctx.accounts.pool.total > 9, Denied::Early);
        ctx.accounts.pool.rate = ctx.accounts.pool.rates[index as usize];
        ask::is("upkeep due");
        Ok(())
    }

    pub fn set_key(ctx: Context<Keep>) -> Result<()> {
        require!(ctx.accounts.pool.total > 9, Denied::Early);
        ctx.accounts.pool.owner = ctx.accounts.other.key();
        ask::is("");
        Ok(())
    }

    pub fn pay(ctx: Context<Pay>) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.source.to_account_info(),
            to: ctx.accounts.target.to_account_info(),
            authority: ctx.accounts.pool.to_account_info(),
        };
        let context = CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, &[&[b"pool"]]);
        token::transfer(context, ctx.accounts.pool.total)?;
        ask::is("pays");
        ask::data(ctx.accounts.pool, "high");
        Ok(())
    }

    pub fn pay_said(ctx: Context<Pay>, amount: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.source.to_account_info(),
            to: ctx.accounts.target.to_account_info(),
            authority: ctx.accounts.pool.to_account_info(),
        };
        let context = CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, &[&[b"pool"]]);
        token::transfer(context, amount)?;
        ask::is("pays");
        ask::data(ctx.accounts.pool, "low");
        Ok(())
    }

    // From one account of the pool to another.
    pub fn cover(ctx: Context<Cover>) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.fund.to_account_info(),
            to: ctx.accounts.vault.to_account_info(),
            authority: ctx.accounts.pool.to_account_info(),
        };
        let context = CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, &[&[b"pool"]]);
        token::transfer(context, ctx.accounts.pool.total)?;
        ask::is("pays within");
        Ok(())
    }

    pub fn cover_said(ctx: Context<Cover>, amount: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.fund.to_account_info(),
            to: ctx.accounts.vault.to_account_info(),
            authority: ctx.accounts.pool.to_account_info(),
        };
        let context = CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, &[&[b"pool"]]);
        token::transfer(context, amount)?;
        ask::is("pays");
        Ok(())
    }

    pub fn cover_and_set(ctx: Context<Cover>, rate: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.fund.to_account_info(),
            to: ctx.accounts.vault.to_account_info(),
            authority: ctx.accounts.pool.to_account_info(),
        };
        let context = CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, &[&[b"pool"]]);
        token::transfer(context, ctx.accounts.pool.total)?;
        ctx.accounts.pool.rate = rate;
        ask::is("pays");
        Ok(())
    }

    pub fn take_in(ctx: Context<Pay>) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.source.to_account_info(),
            to: ctx.accounts.target.to_account_info(),
            authority: ctx.accounts.caller.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), ctx.accounts.pool.total)?;
        ask::is("");
        Ok(())
    }

    pub fn close(ctx: Context<Close>) -> Result<()> {
        ask::is("pays");
        Ok(())
    }

    pub fn enlarge(ctx: Context<Enlarge>) -> Result<()> {
        ask::is("");
        Ok(())
    }

    pub fn take_lamports(ctx: Context<Keep>) -> Result<()> {
        **ctx.accounts.pool.to_account_info().try_borrow_mut_lamports()? -= 5;
        ask::is("pays");
        Ok(())
    }

    pub fn administered(ctx: Context<Administered>, rate: u64) -> Result<()> {
        ctx.accounts.pool.rate = rate;
        ask::is("");
        ask::loose("low");
        ask::data(ctx.accounts.pool, "low");
        Ok(())
    }

    pub fn owned(ctx: Context<Owned>) -> Result<()> {
        ctx.accounts.pool.total = ctx.accounts.pool.total + 1;
        ask::data(ctx.accounts.other, "high");
        Ok(())
    }

    pub fn owned_read(ctx: Context<Owned>) -> Result<()> {
        msg!("{}", ctx.accounts.pool.total);
        ask::data(ctx.accounts.other, "low");
        Ok(())
    }

    pub fn owned_new(ctx: Context<OwnedNew>) -> Result<()> {
        ctx.accounts.pool.total = ctx.accounts.pool.total + 1;
        ask::data(ctx.accounts.other, "low");
        Ok(())
    }

    pub fn owned_new_beside(ctx: Context<OwnedNewBeside>) -> Result<()> {
        ctx.accounts.beside.total = ctx.accounts.beside.total + 1;
        ask::data(ctx.accounts.other, "low");
        Ok(())
    }

    pub fn owned_only(ctx: Context<Owned>) -> Result<()> {
        ask::data(ctx.accounts.other, "low");
        Ok(())
    }
}

pub const BOSS: Pubkey = pubkey!("Stake11111111111111111111111111111111111111");

#[derive(AnchorSerialize, AnchorDeserialize)]
pub struct Given { pub rate: u64 }

#[derive(Accounts)]
pub struct Keep<'info> {
    #[account(mut)]
    pub pool: Account<'info, Pool>,
    /// CHECK: nobody looks
    pub other: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct Pay<'info> {
    #[account(mut)]
    pub pool: Account<'info, Pool>,
    #[account(mut)]
    pub source: Account<'info, TokenAccount>,
    #[account(mut)]
    pub target: Account<'info, TokenAccount>,
    pub caller: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Cover<'info> {
    #[account(mut, seeds = [b"pool"], bump, has_one = fund, has_one = vault)]
    pub pool: Account<'info, Pool>,
    #[account(mut)]
    pub fund: Account<'info, TokenAccount>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Close<'info> {
    #[account(mut, close = other)]
    pub pool: Account<'info, Pool>,
    /// CHECK: nobody looks
    #[account(mut)]
    pub other: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct Enlarge<'info> {
    #[account(mut, realloc = 80, realloc::payer = payer, realloc::zero = false)]
    pub pool: Account<'info, Pool>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Administered<'info> {
    #[account(mut)]
    pub pool: Account<'info, Pool>,
    #[account(address = BOSS)]
    pub boss: Signer<'info>,
}

#[derive(Accounts)]
pub struct Owned<'info> {
    #[account(mut)]
    pub pool: Account<'info, Pool>,
    #[account(has_one = owner)]
    pub other: Account<'info, Pool>,
    pub owner: Signer<'info>,
}

#[derive(Accounts)]
pub struct KeepNew<'info> {
    #[account(init, payer = payer, space = 80)]
    pub pool: Account<'info, Pool>,
    /// CHECK: nobody looks
    pub other: UncheckedAccount<'info>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct OwnedNew<'info> {
    #[account(init, payer = owner, space = 80)]
    pub pool: Account<'info, Pool>,
    #[account(has_one = owner)]
    pub other: Account<'info, Pool>,
    #[account(mut)]
    pub owner: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct OwnedNewBeside<'info> {
    #[account(init, payer = owner, space = 80)]
    pub pool: Account<'info, Pool>,
    #[account(mut)]
    pub beside: Account<'info, Pool>,
    #[account(has_one = owner)]
    pub other: Account<'info, Pool>,
    #[account(mut)]
    pub owner: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Pool {
    pub owner: Pubkey,
    pub fund: Pubkey,
    pub vault: Pubkey,
    pub total: u64,
    pub daily: u64,
    pub rate: u64,
    pub rates: [u64; 8],
    pub kind: u8,
    pub closed: bool,
}

#[error_code]
pub enum Denied { Early }
`,
  ],
)
