import type { Rule } from "../../../Rule.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import { isPrivileged } from "../../authority/authorization.ts"
import { chosenPayees } from "../../payments/chosenPayees.ts"
import { reached } from "../../questions/identity.ts"
import { movesOfAnyMint } from "../../payments/knownMint.ts"
import type { SolanaProgram } from "../../program/model.ts"

export const chosenPayee: Rule<SolanaProgram> = {
  meta: {
    id: "solana/account-validation/chosen-payee",
    class: "account-data-matching",
    title: "Payment recipient is not validated",
    severity: "medium",
    confidence: "medium",
    cwe: [345, 639],
    description:
      "The instruction takes a price, fee or deposit from the signer, but never compares the account that " +
      "receives it with a constant, a stored address or seeds. Callers can pass a wallet or token account of " +
      "their own, pay themselves, and still get what the payment was for.",
    remediation:
      "Constrain the recipient: `#[account(address = TREASURY)]`, `has_one = vault` on the record that stores " +
      "it, seeds, or `token::authority` with an account that is itself constrained. In native programs, compare " +
      "the key before paying.",
    references: [
      "https://www.anchor-lang.com/docs/references/account-constraints",
      "https://github.com/coral-xyz/sealevel-attacks/tree/master/programs/1-account-data-matching",
    ],
  },
  check: (program, report) => {
    for (const crate of program.crates)
      for (const instruction of crate.instructions) {
        const ofAnyMint = new Set(movesOfAnyMint(instruction).map(({ cpi }) => cpi))
        for (const { account, cpi, credited } of chosenPayees(instruction)) {
          // Whether the tokens are worth anything comes first, and is another rule's question.
          if (ofAnyMint.has(cpi)) continue
          report({
            ...placeOf(cpi.event),
            // Without credit, callers only decide whom they pay, unless somebody else was to have it.
            severity: credited && !isPrivileged(crate, instruction) ? "high" : "low",
            message: credited
              ? `The payment is credited, but \`${account.name}\`, which receives it, may be any account.`
              : `\`${account.name}\`, which receives the payment, may be any account.`,
            trace: reached(cpi.event, account),
          })
        }
      }
  },
  examples: {
    vulnerable: [
      `use anchor_lang::prelude::*;
use anchor_lang::system_program;

pub const TREASURY: Pubkey = pubkey!("DQ4C1tzvu28cwo1roN1Wm6TW35sfJEjLh517k3ZeWevx");

#[program]
pub mod shop {
    use super::*;
    pub fn purchase(ctx: Context<Purchase>, count: u64) -> Result<()> {
        let cost = ctx.accounts.listing.price.checked_mul(count).unwrap();
        let accounts = system_program::Transfer {
            from: ctx.accounts.buyer.to_account_info(),
            to: ctx.accounts.treasury.to_account_info(),
        };
        system_program::transfer(CpiContext::new(ctx.accounts.system_program.to_account_info(), accounts), cost)?; // FINDING
        ctx.accounts.listing.sold = ctx.accounts.listing.sold.checked_add(count).unwrap();
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Purchase<'info> {
    #[account(mut)]
    pub buyer: Signer<'info>,
    #[account(mut)]
    pub listing: Account<'info, Listing>,
    /// CHECK: wallet of the shop
    #[account(mut)]
    pub treasury: UncheckedAccount<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Listing { pub price: u64, pub sold: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod bank {
    use super::*;
    pub fn deposit(ctx: Context<Deposit>, amount: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.source.to_account_info(),
            to: ctx.accounts.safe.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount)?; // FINDING
        ctx.accounts.book.balance = ctx.accounts.book.balance.checked_add(amount).unwrap();
        Ok(())
    }
    pub fn settle(ctx: Context<Settle>, amount: u64) -> Result<()> {
        let fee = amount.checked_mul(ctx.accounts.bank.fee_bps).unwrap() / 10_000;
        pay(&ctx, &ctx.accounts.fees, fee)?;
        pay(&ctx, &ctx.accounts.safe, amount.checked_sub(fee).unwrap())
    }
}

fn pay<'info>(ctx: &Context<Settle<'info>>, to: &Account<'info, TokenAccount>, amount: u64) -> Result<()> {
    let accounts = Transfer {
        from: ctx.accounts.source.to_account_info(),
        to: to.to_account_info(),
        authority: ctx.accounts.user.to_account_info(),
    };
    token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount) // FINDING
}

#[derive(Accounts)]
pub struct Deposit<'info> {
    pub user: Signer<'info>,
    pub bank: Account<'info, Bank>,
    #[account(mut, has_one = bank, has_one = user)]
    pub book: Account<'info, Book>,
    #[account(mut, constraint = source.mint == bank.mint)]
    pub source: Account<'info, TokenAccount>,
    #[account(mut, constraint = safe.mint == bank.mint)]
    pub safe: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Settle<'info> {
    pub user: Signer<'info>,
    #[account(has_one = safe)]
    pub bank: Account<'info, Bank>,
    #[account(mut)]
    pub source: Account<'info, TokenAccount>,
    #[account(mut)]
    pub safe: Account<'info, TokenAccount>,
    /// CHECK: owner of the fees
    pub collector: UncheckedAccount<'info>,
    #[account(mut, token::mint = safe.mint, token::authority = collector)]
    pub fees: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Bank { pub safe: Pubkey, pub mint: Pubkey, pub fees_to: Pubkey, pub fee_bps: u64 }

#[account]
pub struct Book { pub bank: Pubkey, pub user: Pubkey, pub balance: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_lang::system_program;
use anchor_spl::token::{self, Token, TokenAccount};

pub const FEE: u64 = 150_000_000;

#[program]
pub mod nursery {
    use super::*;
    /// What is paid is lamports, which the receiving token account then counts.
    pub fn plant(ctx: Context<Plant>) -> Result<()> {
        let accounts = system_program::Transfer { from: ctx.accounts.planter.to_account_info(), to: ctx.accounts.till.to_account_info() };
        system_program::transfer(CpiContext::new(ctx.accounts.system_program.to_account_info(), accounts), FEE)?; // FINDING
        let accounts = token::SyncNative { account: ctx.accounts.till.to_account_info() };
        token::sync_native(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts))?;
        ctx.accounts.tree.planter = ctx.accounts.planter.key();
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Plant<'info> {
    #[account(mut)]
    pub planter: Signer<'info>,
    #[account(init, payer = planter, space = 40)]
    pub tree: Account<'info, Tree>,
    #[account(mut)]
    pub till: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Tree { pub planter: Pubkey }
`,
    ],
    safe: [
      `use anchor_lang::prelude::*;
use anchor_lang::solana_program::{program::invoke, system_instruction};

#[program]
pub mod tips {
    use super::*;
    /// Whatever record it is, it counts what it got.
    pub fn tip(ctx: Context<Tip>, amount: u64) -> Result<()> {
        ctx.accounts.jar.total = ctx.accounts.jar.total.checked_add(amount).unwrap();
        invoke(
            &system_instruction::transfer(ctx.accounts.from.key, &ctx.accounts.jar.key(), amount),
            &[ctx.accounts.from.to_account_info(), ctx.accounts.jar.to_account_info()],
        )?;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Tip<'info> {
    #[account(mut)]
    pub jar: Account<'info, Jar>,
    #[account(mut)]
    pub from: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Jar { pub total: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_lang::system_program;

pub const TREASURY: Pubkey = pubkey!("DQ4C1tzvu28cwo1roN1Wm6TW35sfJEjLh517k3ZeWevx");

#[program]
pub mod shop {
    use super::*;
    pub fn purchase(ctx: Context<Purchase>, count: u64) -> Result<()> {
        let cost = ctx.accounts.listing.price.checked_mul(count).unwrap();
        let accounts = system_program::Transfer {
            from: ctx.accounts.buyer.to_account_info(),
            to: ctx.accounts.treasury.to_account_info(),
        };
        system_program::transfer(CpiContext::new(ctx.accounts.system_program.to_account_info(), accounts), cost)?;
        ctx.accounts.listing.sold = ctx.accounts.listing.sold.checked_add(count).unwrap();
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Purchase<'info> {
    #[account(mut)]
    pub buyer: Signer<'info>,
    #[account(mut)]
    pub listing: Account<'info, Listing>,
    /// CHECK: wallet of the shop
    #[account(mut, address = TREASURY)]
    pub treasury: UncheckedAccount<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Listing { pub price: u64, pub sold: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod bank {
    use super::*;
    pub fn deposit(ctx: Context<Deposit>, amount: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.source.to_account_info(),
            to: ctx.accounts.safe.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount)?;
        ctx.accounts.book.balance = ctx.accounts.book.balance.checked_add(amount).unwrap();
        Ok(())
    }
    pub fn settle(ctx: Context<Settle>, amount: u64) -> Result<()> {
        let fee = amount.checked_mul(ctx.accounts.bank.fee_bps).unwrap() / 10_000;
        pay(&ctx, &ctx.accounts.fees, fee)?;
        pay(&ctx, &ctx.accounts.safe, amount.checked_sub(fee).unwrap())
    }
}

fn pay<'info>(ctx: &Context<Settle<'info>>, to: &Account<'info, TokenAccount>, amount: u64) -> Result<()> {
    let accounts = Transfer {
        from: ctx.accounts.source.to_account_info(),
        to: to.to_account_info(),
        authority: ctx.accounts.user.to_account_info(),
    };
    token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount)
}

#[derive(Accounts)]
pub struct Deposit<'info> {
    pub user: Signer<'info>,
    pub bank: Account<'info, Bank>,
    #[account(mut, has_one = bank, has_one = user)]
    pub book: Account<'info, Book>,
    #[account(mut, constraint = source.mint == bank.mint)]
    pub source: Account<'info, TokenAccount>,
    #[account(mut, constraint = safe.mint == bank.mint, constraint = bank.safe == safe.key())]
    pub safe: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Settle<'info> {
    pub user: Signer<'info>,
    #[account(has_one = safe)]
    pub bank: Account<'info, Bank>,
    #[account(mut)]
    pub source: Account<'info, TokenAccount>,
    #[account(mut)]
    pub safe: Account<'info, TokenAccount>,
    /// CHECK: owner of the fees
    #[account(address = bank.fees_to)]
    pub collector: UncheckedAccount<'info>,
    #[account(mut, token::mint = safe.mint, token::authority = collector)]
    pub fees: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Bank { pub safe: Pubkey, pub mint: Pubkey, pub fees_to: Pubkey, pub fee_bps: u64 }

#[account]
pub struct Book { pub bank: Pubkey, pub user: Pubkey, pub balance: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_lang::system_program;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

pub const FEE: u64 = 1_000_000;
pub const GOLD: Pubkey = pubkey!("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v");

#[program]
pub mod payments {
    use super::*;
    /// A gift of the caller's choice.
    pub fn give(ctx: Context<Pay>, amount: u64) -> Result<()> {
        pay(&ctx, amount)?;
        ctx.accounts.stats.count = ctx.accounts.stats.count.checked_add(1).unwrap();
        Ok(())
    }
    /// Nothing is given for it.
    pub fn spend(ctx: Context<Pay>) -> Result<()> {
        pay(&ctx, FEE)
    }
    /// Who is paid is what they agree on.
    pub fn agree(ctx: Context<Pay>) -> Result<()> {
        pay(&ctx, FEE)?;
        ctx.accounts.stats.payee = ctx.accounts.to.key();
        Ok(())
    }
    /// A library knows who may be paid.
    pub fn ask(ctx: Context<Pay>) -> Result<()> {
        registry::assert_payee(&ctx.accounts.to)?;
        pay(&ctx, FEE)?;
        ctx.accounts.stats.count = ctx.accounts.stats.count.checked_add(1).unwrap();
        Ok(())
    }
    /// The signer's own account, which another program is given.
    pub fn wrap(ctx: Context<Pay>) -> Result<()> {
        pay(&ctx, FEE)?;
        let accounts = token::SyncNative { account: ctx.accounts.to.to_account_info() };
        token::sync_native(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts))
    }
    pub fn fund(ctx: Context<Pay>) -> Result<()> {
        pay(&ctx, Rent::get()?.minimum_balance(165))?;
        ctx.accounts.stats.count = ctx.accounts.stats.count.checked_add(1).unwrap();
        Ok(())
    }
    /// One of two, which the handler tells apart.
    pub fn tell(ctx: Context<Pay>) -> Result<()> {
        if ctx.accounts.to.key() == ctx.accounts.stats.payee {
            ctx.accounts.stats.count = ctx.accounts.stats.count.checked_add(1).unwrap();
        }
        pay(&ctx, FEE)
    }
    pub fn to_known(ctx: Context<ToKnown>) -> Result<()> {
        let (from, user, token_program) = (&ctx.accounts.from, &ctx.accounts.user, &ctx.accounts.token_program);
        move_to(from, &ctx.accounts.till, user, token_program)?;
        move_to(from, &ctx.accounts.stored, user, token_program)?;
        move_to(from, &ctx.accounts.fixed, user, token_program)?;
        move_to(from, &ctx.accounts.of_other, user, token_program)?;
        move_to(from, &ctx.accounts.of_foreign, user, token_program)?;
        ctx.accounts.stats.count = ctx.accounts.stats.count.checked_add(1).unwrap();
        Ok(())
    }
    /// Both sign: they agree.
    pub fn to_signer(ctx: Context<ToSigner>) -> Result<()> {
        let accounts = system_program::Transfer {
            from: ctx.accounts.user.to_account_info(),
            to: ctx.accounts.seller.to_account_info(),
        };
        system_program::transfer(CpiContext::new(ctx.accounts.system_program.to_account_info(), accounts), FEE)?;
        ctx.accounts.stats.count = ctx.accounts.stats.count.checked_add(1).unwrap();
        Ok(())
    }
    /// What the program pays is another matter.
    pub fn pay_out(ctx: Context<PayOut>) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.stats.to_account_info(),
        };
        let seeds: &[&[u8]] = &[b"stats", &[ctx.accounts.stats.bump]];
        token::transfer(
            CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, &[seeds]),
            FEE,
        )?;
        ctx.accounts.stats.count = ctx.accounts.stats.count.checked_add(1).unwrap();
        Ok(())
    }
    /// Minted, not paid.
    pub fn issue(ctx: Context<Pay>) -> Result<()> {
        let accounts = token::MintTo {
            mint: ctx.accounts.from.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        token::mint_to(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), FEE)?;
        ctx.accounts.stats.count = ctx.accounts.stats.count.checked_add(1).unwrap();
        Ok(())
    }
    pub fn own(ctx: Context<Own>) -> Result<()> {
        move_to(&ctx.accounts.from, &ctx.accounts.to, &ctx.accounts.user, &ctx.accounts.token_program)?;
        ctx.accounts.stats.count = ctx.accounts.stats.count.checked_add(1).unwrap();
        Ok(())
    }
    /// Whoever brings business names the receiver.
    pub fn refer(ctx: Context<Refer>) -> Result<()> {
        move_to(&ctx.accounts.from, &ctx.accounts.host_fee_account, &ctx.accounts.user, &ctx.accounts.token_program)?;
        ctx.accounts.stats.count = ctx.accounts.stats.count.checked_add(1).unwrap();
        Ok(())
    }
    pub fn maybe(ctx: Context<Maybe>) -> Result<()> {
        if let Some(to) = &ctx.accounts.to {
            move_to(&ctx.accounts.from, to, &ctx.accounts.user, &ctx.accounts.token_program)?;
        }
        ctx.accounts.stats.count = ctx.accounts.stats.count.checked_add(1).unwrap();
        Ok(())
    }
    pub fn open(ctx: Context<Open>) -> Result<()> {
        move_to(&ctx.accounts.from, &ctx.accounts.to, &ctx.accounts.user, &ctx.accounts.token_program)
    }
}

fn pay(ctx: &Context<Pay>, amount: u64) -> Result<()> {
    let accounts = Transfer {
        from: ctx.accounts.from.to_account_info(),
        to: ctx.accounts.to.to_account_info(),
        authority: ctx.accounts.user.to_account_info(),
    };
    token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount)
}

fn move_to<'info>(
    from: &Account<'info, TokenAccount>,
    to: &Account<'info, TokenAccount>,
    user: &Signer<'info>,
    token_program: &Program<'info, Token>,
) -> Result<()> {
    let accounts = Transfer { from: from.to_account_info(), to: to.to_account_info(), authority: user.to_account_info() };
    token::transfer(CpiContext::new(token_program.to_account_info(), accounts), FEE)
}

#[derive(Accounts)]
pub struct Pay<'info> {
    pub user: Signer<'info>,
    #[account(mut, token::mint = GOLD)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    #[account(mut)]
    pub stats: Account<'info, Stats>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct ToKnown<'info> {
    pub user: Signer<'info>,
    #[account(mut, token::mint = GOLD)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut, seeds = [b"till"], bump)]
    pub till: Account<'info, TokenAccount>,
    #[account(mut, address = stats.payee)]
    pub stored: Account<'info, TokenAccount>,
    #[account(mut, address = GOLD)]
    pub fixed: Account<'info, TokenAccount>,
    /// CHECK: named by the record
    #[account(address = stats.payee)]
    pub named: UncheckedAccount<'info>,
    #[account(mut, token::authority = named)]
    pub of_other: Account<'info, TokenAccount>,
    pub market: Account<'info, exchange::Market>,
    #[account(mut, address = market.fees)]
    pub of_foreign: Account<'info, TokenAccount>,
    #[account(mut)]
    pub stats: Account<'info, Stats>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct ToSigner<'info> {
    #[account(mut)]
    pub user: Signer<'info>,
    #[account(mut)]
    pub seller: Signer<'info>,
    #[account(mut)]
    pub stats: Account<'info, Stats>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct PayOut<'info> {
    pub user: Signer<'info>,
    #[account(mut, token::mint = GOLD)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    #[account(mut, seeds = [b"stats"], bump = stats.bump)]
    pub stats: Account<'info, Stats>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Own<'info> {
    pub user: Signer<'info>,
    #[account(mut, token::mint = GOLD)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut, token::authority = user)]
    pub to: Account<'info, TokenAccount>,
    #[account(mut)]
    pub stats: Account<'info, Stats>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Refer<'info> {
    pub user: Signer<'info>,
    #[account(mut, token::mint = GOLD)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub host_fee_account: Account<'info, TokenAccount>,
    #[account(mut)]
    pub stats: Account<'info, Stats>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Maybe<'info> {
    pub user: Signer<'info>,
    #[account(mut, token::mint = GOLD)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Option<Account<'info, TokenAccount>>,
    #[account(mut)]
    pub stats: Account<'info, Stats>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(mut)]
    pub user: Signer<'info>,
    #[account(mut, token::mint = GOLD)]
    pub from: Account<'info, TokenAccount>,
    #[account(init, payer = user, token::mint = mint, token::authority = user)]
    pub to: Account<'info, TokenAccount>,
    pub mint: Account<'info, token::Mint>,
    pub token_program: Program<'info, Token>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Stats { pub count: u64, pub payee: Pubkey, pub bump: u8 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod exchange {
    use super::*;
    pub fn order(ctx: Context<Order>, amount: u64, sells: bool) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.source.to_account_info(),
            to: ctx.accounts.vault.to_account_info(),
            authority: ctx.accounts.trader.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount)?;
        ctx.accounts.credit.amount += amount;
        Ok(())
    }
}

#[derive(Accounts)]
#[instruction(amount: u64, sells: bool)]
pub struct Order<'info> {
    pub trader: Signer<'info>,
    pub market: Account<'info, Market>,
    #[account(mut, has_one = market, has_one = trader)]
    pub credit: Account<'info, Credit>,
    #[account(mut)]
    pub source: Account<'info, TokenAccount>,
    #[account(mut, constraint = if sells { vault.key() == market.base_vault } else { vault.key() == market.quote_vault })]
    pub vault: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Market { pub base_vault: Pubkey, pub quote_vault: Pubkey }

#[account]
pub struct Credit { pub market: Pubkey, pub trader: Pubkey, pub amount: u64 }
`,
    ],
  },
}
