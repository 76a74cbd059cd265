import { chosenPayees } from "../../../../../../domain/detection/solana/payments/chosenPayees.ts"
import {
  dictates,
  isAtStake,
  isDealtIn,
  reachesCaller,
} from "../../../../../../domain/detection/solana/payments/gains.ts"
import {
  isBeneficiary,
  isPaid,
  isServed,
  isSettled,
  payeeSlots,
} from "../../../../../../domain/detection/solana/payments/payees.ts"
import { accountIn } from "../../../../../../domain/detection/solana/questions/questions.ts"
import type { Instruction } from "../../../../../../domain/detection/solana/program/model.ts"
import { solanaTable } from "../../../../../support/solanaTable.ts"

const about = {
  reaches: reachesCaller,
  dictates,
  settled: isSettled,
  stake: (instruction: Instruction) => isAtStake(instruction, []),
}
const ofAccount = { beneficiary: isBeneficiary, served: isServed, paid: isPaid, dealt: isDealtIn }

/** Who is paid by an instruction, and what its caller gains. */
export const payments = solanaTable(
  "payments",
  {
    /** The questions to which the answer is yes. */
    is: (instruction) =>
      Object.entries(about)
        .flatMap(([name, is]) => (is(instruction) ? [name] : []))
        .join(" "),
    as: (instruction, [term]) =>
      Object.entries(ofAccount)
        .flatMap(([name, is]) => (is(instruction, accountIn(instruction, term!)!) ? [name] : []))
        .join(" "),
    chosen: (instruction) => chosenPayees(instruction).map(({ account }) => account.name),
    slots: (_instruction, _terms, _at, crate) => [...payeeSlots(crate)].toSorted().join(" "),
  },
  [
    `use anchor_lang::prelude::*;
use anchor_spl::token::{self, CloseAccount, Mint, Token, TokenAccount, Transfer};

#[program]
pub mod desk {
    use super::*;

    pub fn nothing(ctx: Context<Keep>) -> Result<()> {
        ask::is("");
        ask::as(ctx.accounts.pool, "");
        ask::slots("Offer.maker Pool.fund Pool.rent_to Pool.vault Ticket.holder");
        Ok(())
    }

    // To an account of the caller's.
    pub fn pay_caller(ctx: Context<PayCaller>) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.target.to_account_info(),
            authority: ctx.accounts.pool.to_account_info(),
        };
        token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, &[&[b"pool"]]), ctx.accounts.pool.total)?;
        ask::is("reaches stake");
        ask::as(ctx.accounts.target, "paid dealt");
        ask::as(ctx.accounts.vault, "dealt");
        ask::as(ctx.accounts.pool, "dealt");
        ask::as(ctx.accounts.caller, "");
        Ok(())
    }

    pub fn pay_own(ctx: Context<PayOwn>) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.target.to_account_info(),
            authority: ctx.accounts.pool.to_account_info(),
        };
        token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, &[&[b"pool"]]), ctx.accounts.pool.total)?;
        ask::is("reaches stake");
        Ok(())
    }

    // From one account of the pool to another.
    pub fn pay_fund(ctx: Context<PayFund>) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.fund.to_account_info(),
            authority: ctx.accounts.pool.to_account_info(),
        };
        token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, &[&[b"pool"]]), ctx.accounts.pool.total)?;
        ask::is("");
        ask::as(ctx.accounts.fund, "paid dealt");
        Ok(())
    }

    // What the caller pays is no concern of the program's.
    pub fn pay_in(ctx: Context<PayCaller>) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.target.to_account_info(),
            to: ctx.accounts.vault.to_account_info(),
            authority: ctx.accounts.caller.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), ctx.accounts.pool.total)?;
        ask::is("");
        ask::as(ctx.accounts.target, "");
        ask::as(ctx.accounts.vault, "paid dealt");
        Ok(())
    }

    // Only its rent is paid out.
    pub fn close_vault(ctx: Context<PayCaller>) -> Result<()> {
        let accounts = CloseAccount {
            account: ctx.accounts.vault.to_account_info(),
            destination: ctx.accounts.target.to_account_info(),
            authority: ctx.accounts.pool.to_account_info(),
        };
        token::close_account(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, &[&[b"pool"]]))?;
        ask::is("");
        Ok(())
    }

    pub fn take_lamports(ctx: Context<Both>) -> Result<()> {
        **ctx.accounts.pool.to_account_info().try_borrow_mut_lamports()? -= 5;
        **ctx.accounts.other.to_account_info().try_borrow_mut_lamports()? += 5;
        ask::is("reaches stake");
        ask::as(ctx.accounts.pool, "dealt");
        ask::as(ctx.accounts.other, "paid dealt");
        Ok(())
    }

    // Nothing is taken from any other.
    pub fn add_lamports(ctx: Context<Both>) -> Result<()> {
        **ctx.accounts.other.to_account_info().try_borrow_mut_lamports()? += 5;
        ask::is("");
        Ok(())
    }

    pub fn drop_lamports(ctx: Context<Both>) -> Result<()> {
        **ctx.accounts.other.to_account_info().try_borrow_mut_lamports()? -= 5;
        ask::is("");
        ask::as(ctx.accounts.other, "dealt");
        Ok(())
    }

    pub fn give_both(ctx: Context<Both>) -> Result<()> {
        **ctx.accounts.pool.to_account_info().try_borrow_mut_lamports()? = 5;
        **ctx.accounts.other.to_account_info().try_borrow_mut_lamports()? = 5;
        ask::is("reaches stake");
        Ok(())
    }

    pub fn looks_at_lamports(ctx: Context<Both>) -> Result<()> {
        msg!("{}", ctx.accounts.other.to_account_info().lamports());
        ask::as(ctx.accounts.other, "");
        Ok(())
    }

    pub fn close_to_caller(ctx: Context<CloseToCaller>) -> Result<()> {
        ask::is("reaches stake");
        ask::as(ctx.accounts.caller, "paid");
        ask::as(ctx.accounts.other, "");
        Ok(())
    }

    pub fn close_to_named(ctx: Context<CloseToNamed>) -> Result<()> {
        ask::is("");
        ask::as(ctx.accounts.rent_to, "paid");
        Ok(())
    }

    pub fn close_over(ctx: Context<CloseToNamed>) -> Result<()> {
        require!(ctx.accounts.pool.ends < Clock::get()?.unix_timestamp, Denied::Early);
        ask::is("settled");
        ask::as(ctx.accounts.rent_to, "beneficiary paid");
        Ok(())
    }

    pub fn close_over_said(ctx: Context<CloseToNamed>, amount: u64) -> Result<()> {
        require!(ctx.accounts.pool.ends < Clock::get()?.unix_timestamp, Denied::Early);
        ask::is("");
        ask::as(ctx.accounts.rent_to, "paid");
        Ok(())
    }

    pub fn over_only(ctx: Context<Keep>) -> Result<()> {
        require!(ctx.accounts.pool.ends < Clock::get()?.unix_timestamp, Denied::Early);
        ask::is("");
        Ok(())
    }

    pub fn close_over_to_caller(ctx: Context<CloseToCaller>) -> Result<()> {
        require!(ctx.accounts.pool.ends < Clock::get()?.unix_timestamp, Denied::Early);
        ask::is("reaches stake");
        Ok(())
    }

    pub fn close_over_and_mark(ctx: Context<CloseToNamedBeside>) -> Result<()> {
        require!(ctx.accounts.pool.ends < Clock::get()?.unix_timestamp, Denied::Early);
        ctx.accounts.beside.closed = true;
        ask::is("dictates stake");
        Ok(())
    }

    // The records say the same of something, which is not how far they have come.
    pub fn close_alike(ctx: Context<CloseToNamedBeside>) -> Result<()> {
        require!(ctx.accounts.pool.total == ctx.accounts.beside.total, Denied::Early);
        ask::is("");
        Ok(())
    }

    pub fn close_above(ctx: Context<CloseToNamedBeside>) -> Result<()> {
        require!(ctx.accounts.pool.total > ctx.accounts.beside.total, Denied::Early);
        ask::is("settled");
        Ok(())
    }

    // Its record has come to an end.
    pub fn close_ticket(ctx: Context<CloseTicket>) -> Result<()> {
        require!(ctx.accounts.pool.closed, Denied::Early);
        ask::is("settled");
        ask::as(ctx.accounts.holder, "beneficiary paid");
        Ok(())
    }

    pub fn close_ticket_early(ctx: Context<CloseTicket>) -> Result<()> {
        ask::is("");
        ask::as(ctx.accounts.holder, "paid");
        Ok(())
    }

    // Somebody else is paid as well.
    pub fn close_ticket_and_pay(ctx: Context<CloseTicket>) -> Result<()> {
        require!(ctx.accounts.pool.closed, Denied::Early);
        **ctx.accounts.keeper.to_account_info().try_borrow_mut_lamports()? += ctx.accounts.pool.total;
        ask::as(ctx.accounts.holder, "paid");
        Ok(())
    }

    pub fn close_ticket_and_read(ctx: Context<CloseTicket>) -> Result<()> {
        require!(ctx.accounts.pool.closed, Denied::Early);
        msg!("{}", ctx.accounts.holder.lamports());
        ask::as(ctx.accounts.holder, "beneficiary paid");
        Ok(())
    }

    pub fn close_ticket_and_charge(ctx: Context<CloseTicket>) -> Result<()> {
        require!(ctx.accounts.pool.closed, Denied::Early);
        **ctx.accounts.holder.to_account_info().try_borrow_mut_lamports()? -= ctx.accounts.pool.total;
        ask::as(ctx.accounts.holder, "paid dealt");
        Ok(())
    }

    pub fn owed(ctx: Context<Both>) -> Result<()> {
        **ctx.accounts.pool.to_account_info().try_borrow_mut_lamports()? -= ctx.accounts.pool.total;
        **ctx.accounts.other.to_account_info().try_borrow_mut_lamports()? += ctx.accounts.pool.total;
        ask::as(ctx.accounts.other, "beneficiary paid dealt");
        Ok(())
    }

    pub fn owed_fixed(ctx: Context<Both>) -> Result<()> {
        **ctx.accounts.other.to_account_info().try_borrow_mut_lamports()? = 0;
        ask::as(ctx.accounts.other, "paid dealt");
        Ok(())
    }

    pub fn owed_and_paid(ctx: Context<OwedAndPaid>) -> Result<()> {
        **ctx.accounts.other.to_account_info().try_borrow_mut_lamports()? += ctx.accounts.pool.total;
        let accounts = Transfer {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.target.to_account_info(),
            authority: ctx.accounts.pool.to_account_info(),
        };
        token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, &[&[b"pool"]]), ctx.accounts.pool.total)?;
        ask::as(ctx.accounts.other, "paid dealt");
        Ok(())
    }

    pub fn pay_maker(ctx: Context<PayMaker>) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.source.to_account_info(),
            to: ctx.accounts.target.to_account_info(),
            authority: ctx.accounts.taker.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), ctx.accounts.offer.price)?;
        ask::as(ctx.accounts.maker, "paid");
        ask::as(ctx.accounts.taker, "");
        ask::as(ctx.accounts.target, "paid dealt");
        ask::as(ctx.accounts.offer, "dealt");
        ask::chosen("");
        Ok(())
    }

    // The mint says nothing of who is paid.
    pub fn pay_somebody(ctx: Context<PaySomebody>) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.source.to_account_info(),
            to: ctx.accounts.target.to_account_info(),
            authority: ctx.accounts.taker.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), ctx.accounts.offer.price)?;
        ctx.accounts.offer.taken = true;
        ask::is("dictates stake");
        ask::as(ctx.accounts.maker, "");
        ask::chosen("target");
        Ok(())
    }

    // Nothing is given for it.
    pub fn pay_for_nothing(ctx: Context<PaySomebody>) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.source.to_account_info(),
            to: ctx.accounts.target.to_account_info(),
            authority: ctx.accounts.taker.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), ctx.accounts.offer.price)?;
        ask::chosen("");
        Ok(())
    }

    pub fn pay_twice(ctx: Context<PaySomebody>) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.source.to_account_info(),
            to: ctx.accounts.target.to_account_info(),
            authority: ctx.accounts.taker.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), ctx.accounts.offer.price)?;
        let item = Transfer {
            from: ctx.accounts.item.to_account_info(),
            to: ctx.accounts.source.to_account_info(),
            authority: ctx.accounts.offer.to_account_info(),
        };
        token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), item, &[&[b"offer"]]), 1)?;
        ask::chosen("target");
        Ok(())
    }

    pub fn pay_and_open(ctx: Context<PayAndOpen>) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.source.to_account_info(),
            to: ctx.accounts.target.to_account_info(),
            authority: ctx.accounts.taker.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), 500)?;
        ask::chosen("target");
        Ok(())
    }

    pub fn pay_and_ensure(ctx: Context<PayAndEnsure>) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.source.to_account_info(),
            to: ctx.accounts.target.to_account_info(),
            authority: ctx.accounts.taker.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), 500)?;
        ask::chosen("target");
        Ok(())
    }

    // From a record of anyone's to an account that the pool names.
    pub fn shift_lamports(ctx: Context<Shift>) -> Result<()> {
        **ctx.accounts.beside.to_account_info().try_borrow_mut_lamports()? -= 5;
        **ctx.accounts.rent_to.to_account_info().try_borrow_mut_lamports()? += 5;
        ask::is("");
        Ok(())
    }

    pub fn close_full(ctx: Context<CloseToNamed>) -> Result<()> {
        require!(ctx.accounts.pool.total == 7, Denied::Early);
        ask::is("settled");
        Ok(())
    }

    pub fn close_now(ctx: Context<CloseToNamed>) -> Result<()> {
        require!(ctx.accounts.pool.daily == Clock::get()?.slot, Denied::Early);
        ask::is("settled");
        Ok(())
    }

    pub fn close_noted(ctx: Context<CloseToNamed>) -> Result<()> {
        ledger::note(ctx.accounts.pool.total)?;
        ask::is("");
        Ok(())
    }

    // Tokens go to an account of the holder's.
    pub fn serve(ctx: Context<Serve>) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.target.to_account_info(),
            authority: ctx.accounts.pool.to_account_info(),
        };
        token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, &[&[b"pool"]]), ctx.accounts.pool.total)?;
        ask::as(ctx.accounts.holder, "served paid");
        ask::as(ctx.accounts.vault, "dealt");
        ask::as(ctx.accounts.ticket, "");
        Ok(())
    }

    pub fn serve_said(ctx: Context<Serve>, amount: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.target.to_account_info(),
            authority: ctx.accounts.pool.to_account_info(),
        };
        token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, &[&[b"pool"]]), ctx.accounts.pool.total)?;
        ask::as(ctx.accounts.holder, "paid");
        Ok(())
    }

    pub fn serve_none(ctx: Context<Serve>) -> Result<()> {
        ask::as(ctx.accounts.holder, "");
        Ok(())
    }

    pub fn charge(ctx: Context<Serve>) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.target.to_account_info(),
            to: ctx.accounts.vault.to_account_info(),
            authority: ctx.accounts.pool.to_account_info(),
        };
        token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, &[&[b"pool"]]), ctx.accounts.pool.total)?;
        ask::as(ctx.accounts.holder, "");
        Ok(())
    }

    pub fn serve_and_more(ctx: Context<Serve>) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.target.to_account_info(),
            authority: ctx.accounts.pool.to_account_info(),
        };
        token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, &[&[b"pool"]]), ctx.accounts.pool.total)?;
        let others = Transfer {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.other.to_account_info(),
            authority: ctx.accounts.pool.to_account_info(),
        };
        token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), others, &[&[b"pool"]]), ctx.accounts.pool.total)?;
        ask::as(ctx.accounts.holder, "paid");
        Ok(())
    }

    // The record is the program's own.
    pub fn fill_ticket(ctx: Context<Serve>) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.ticket.to_account_info(),
            authority: ctx.accounts.pool.to_account_info(),
        };
        token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, &[&[b"pool"]]), ctx.accounts.pool.total)?;
        ask::as(ctx.accounts.holder, "");
        Ok(())
    }

    // Another program is told something of the caller's.
    pub fn direct(ctx: Context<PayFund>, amount: u64) -> Result<()> {
        let accounts = noter::cpi::accounts::Note {
            to: ctx.accounts.other.to_account_info(),
            from: ctx.accounts.vault.to_account_info(),
            authority: ctx.accounts.pool.to_account_info(),
        };
        noter::cpi::note(CpiContext::new_with_signer(ctx.accounts.noter.to_account_info(), accounts, &[&[b"pool"]]), amount)?;
        ask::is("stake");
        ask::as(ctx.accounts.vault, "");
        ask::as(ctx.accounts.pool, "");
        Ok(())
    }

    pub fn direct_fixed(ctx: Context<PayFund>) -> Result<()> {
        let accounts = noter::cpi::accounts::Note {
            to: ctx.accounts.other.to_account_info(),
            from: ctx.accounts.vault.to_account_info(),
            authority: ctx.accounts.pool.to_account_info(),
        };
        noter::cpi::note(CpiContext::new_with_signer(ctx.accounts.noter.to_account_info(), accounts, &[&[b"pool"]]), ctx.accounts.pool.total)?;
        ask::is("");
        ask::as(ctx.accounts.pool, "");
        Ok(())
    }

    pub fn pay_fund_said(ctx: Context<PayFund>, amount: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.fund.to_account_info(),
            authority: ctx.accounts.pool.to_account_info(),
        };
        token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, &[&[b"pool"]]), amount)?;
        ask::is("");
        Ok(())
    }

    // Whoever has to sign for one thing is no payee of another.
    pub fn signs(ctx: Context<Signs>) -> Result<()> {
        Ok(())
    }

    pub fn pays_signer(ctx: Context<PaysSigner>) -> Result<()> {
        ask::as(ctx.accounts.keeper, "paid");
        Ok(())
    }

    // Who may close the account is not who is paid.
    pub fn pay_delegated(ctx: Context<PayDelegated>) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.target.to_account_info(),
            authority: ctx.accounts.pool.to_account_info(),
        };
        token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, &[&[b"pool"]]), ctx.accounts.pool.total)?;
        ask::as(ctx.accounts.maker, "served");
        Ok(())
    }

    // What the caller writes down, into what exists.
    pub fn set(ctx: Context<Keep>, rate: u64) -> Result<()> {
        ctx.accounts.pool.total = rate;
        ask::is("dictates stake");
        Ok(())
    }

    pub fn set_key(ctx: Context<Keep>) -> Result<()> {
        ctx.accounts.pool.rent_to = ctx.accounts.other.key();
        ask::is("dictates stake");
        Ok(())
    }

    pub fn accrue(ctx: Context<Keep>) -> Result<()> {
        ctx.accounts.pool.total = ctx.accounts.pool.total + ctx.accounts.pool.daily;
        ask::is("");
        ask::as(ctx.accounts.pool, "");
        Ok(())
    }

    pub fn copy(ctx: Context<CloseToNamedBeside>) -> Result<()> {
        ctx.accounts.beside.total = ctx.accounts.beside.total + ctx.accounts.pool.daily;
        ask::as(ctx.accounts.pool, "dealt");
        ask::as(ctx.accounts.beside, "");
        Ok(())
    }

    // Nobody has anything in it yet.
    pub fn open(ctx: Context<Open>, rate: u64) -> Result<()> {
        ctx.accounts.pool.total = rate;
        ask::is("");
        Ok(())
    }

    pub fn open_zeroed(ctx: Context<OpenZeroed>, rate: u64) -> Result<()> {
        let mut pool = ctx.accounts.pool.load_init()?;
        pool.total = rate;
        ask::is("");
        Ok(())
    }

    pub fn open_copy(ctx: Context<OpenCopy>) -> Result<()> {
        ctx.accounts.made.total = ctx.accounts.pool.daily;
        ask::as(ctx.accounts.pool, "");
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Keep<'info> {
    #[account(mut)]
    pub pool: Account<'info, Pool>,
    /// CHECK: nobody looks
    pub other: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct Both<'info> {
    #[account(mut)]
    pub pool: Account<'info, Pool>,
    /// CHECK: nobody looks
    #[account(mut)]
    pub other: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct PayCaller<'info> {
    #[account(mut, seeds = [b"pool"], bump, has_one = vault)]
    pub pool: Account<'info, Pool>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub target: Account<'info, TokenAccount>,
    pub caller: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct PayOwn<'info> {
    #[account(mut, seeds = [b"pool"], bump, has_one = vault)]
    pub pool: Account<'info, Pool>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut, token::mint = vault.mint, token::authority = caller)]
    pub target: Account<'info, TokenAccount>,
    pub caller: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct PayFund<'info> {
    #[account(mut, seeds = [b"pool"], bump, has_one = vault, has_one = fund)]
    pub pool: Account<'info, Pool>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub fund: Account<'info, TokenAccount>,
    #[account(mut)]
    pub other: Account<'info, TokenAccount>,
    pub noter: Program<'info, Noter>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct OwedAndPaid<'info> {
    #[account(mut, seeds = [b"pool"], bump, has_one = vault)]
    pub pool: Account<'info, Pool>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub target: Account<'info, TokenAccount>,
    /// CHECK: nobody looks
    #[account(mut)]
    pub other: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct CloseToCaller<'info> {
    #[account(mut, close = caller)]
    pub pool: Account<'info, Pool>,
    #[account(mut)]
    pub caller: Signer<'info>,
    /// CHECK: nobody looks
    pub other: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct CloseToNamed<'info> {
    #[account(mut, close = rent_to, has_one = rent_to)]
    pub pool: Account<'info, Pool>,
    /// CHECK: named by the pool
    #[account(mut)]
    pub rent_to: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct CloseToNamedBeside<'info> {
    #[account(mut, close = rent_to, has_one = rent_to)]
    pub pool: Account<'info, Pool>,
    /// CHECK: named by the pool
    #[account(mut)]
    pub rent_to: UncheckedAccount<'info>,
    #[account(mut)]
    pub beside: Account<'info, Pool>,
}

#[derive(Accounts)]
pub struct CloseTicket<'info> {
    pub pool: Account<'info, Pool>,
    #[account(mut, close = holder, has_one = holder, has_one = pool)]
    pub ticket: Account<'info, Ticket>,
    /// CHECK: named by the ticket
    #[account(mut)]
    pub holder: UncheckedAccount<'info>,
    /// CHECK: nobody looks
    #[account(mut)]
    pub keeper: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct PayMaker<'info> {
    #[account(mut, has_one = maker)]
    pub offer: Account<'info, Offer>,
    /// CHECK: named by the offer
    pub maker: UncheckedAccount<'info>,
    pub taker: Signer<'info>,
    #[account(mut)]
    pub source: Account<'info, TokenAccount>,
    #[account(mut, constraint = target.owner == maker.key())]
    pub target: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct PaySomebody<'info> {
    #[account(mut, has_one = maker)]
    pub offer: Account<'info, Offer>,
    /// CHECK: named by the offer
    pub maker: UncheckedAccount<'info>,
    pub taker: Signer<'info>,
    #[account(mut)]
    pub source: Account<'info, TokenAccount>,
    #[account(mut, constraint = target.mint == offer.mint)]
    pub target: Account<'info, TokenAccount>,
    #[account(mut)]
    pub item: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct PayAndOpen<'info> {
    #[account(init, payer = taker, space = 80)]
    pub offer: Account<'info, Offer>,
    #[account(mut)]
    pub taker: Signer<'info>,
    #[account(mut)]
    pub source: Account<'info, TokenAccount>,
    #[account(mut)]
    pub target: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct PayAndEnsure<'info> {
    #[account(init_if_needed, payer = taker, space = 80)]
    pub offer: Account<'info, Offer>,
    #[account(mut)]
    pub taker: Signer<'info>,
    #[account(mut)]
    pub source: Account<'info, TokenAccount>,
    #[account(mut)]
    pub target: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(init, payer = payer, space = 80)]
    pub pool: Account<'info, Pool>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct OpenZeroed<'info> {
    #[account(zero)]
    pub pool: AccountLoader<'info, Pool>,
}

#[derive(Accounts)]
pub struct OpenCopy<'info> {
    pub pool: Account<'info, Pool>,
    #[account(init, payer = payer, space = 80)]
    pub made: Account<'info, Pool>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Pool {
    pub rent_to: Pubkey,
    pub fund: Pubkey,
    pub vault: Pubkey,
    pub total: u64,
    pub daily: u64,
    pub ends: i64,
    pub closed: bool,
}

#[account]
pub struct Offer {
    pub maker: Pubkey,
    pub mint: Pubkey,
    pub price: u64,
    pub taken: bool,
}

#[derive(Accounts)]
pub struct Shift<'info> {
    #[account(mut, seeds = [b"pool"], bump, has_one = rent_to)]
    pub pool: Account<'info, Pool>,
    /// CHECK: named by the pool
    #[account(mut)]
    pub rent_to: UncheckedAccount<'info>,
    #[account(mut)]
    pub beside: Account<'info, Pool>,
}

#[derive(Accounts)]
pub struct Serve<'info> {
    #[account(mut, seeds = [b"pool"], bump, has_one = vault)]
    pub pool: Account<'info, Pool>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut, has_one = holder)]
    pub ticket: Account<'info, Ticket>,
    /// CHECK: named by the ticket
    pub holder: UncheckedAccount<'info>,
    pub mint: Account<'info, Mint>,
    #[account(mut, token::mint = mint, token::authority = holder)]
    pub target: Account<'info, TokenAccount>,
    #[account(mut)]
    pub other: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Signs<'info> {
    #[account(mut, has_one = keeper)]
    pub office: Account<'info, Office>,
    pub keeper: Signer<'info>,
}

#[derive(Accounts)]
pub struct PaysSigner<'info> {
    #[account(mut, close = keeper, has_one = keeper)]
    pub office: Account<'info, Office>,
    /// CHECK: named by the office
    #[account(mut)]
    pub keeper: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct PayDelegated<'info> {
    #[account(mut, seeds = [b"pool"], bump, has_one = vault)]
    pub pool: Account<'info, Pool>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    /// CHECK: compared
    pub maker: UncheckedAccount<'info>,
    #[account(mut, constraint = target.close_authority == COption::Some(maker.key()))]
    pub target: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Office {
    pub keeper: Pubkey,
}

#[account]
pub struct Ticket {
    pub holder: Pubkey,
    pub pool: Pubkey,
}

#[error_code]
pub enum Denied { Early }
`,
  ],
)
