import { wayTo } from "../../../rust/placeOf.ts"
import { siteUnlike } from "../../../rust/terms/events.ts"
import { show } from "../../../rust/terms/show.ts"
import type { Rule } from "../../../Rule.ts"
import type { SolanaProgram } from "../../program/model.ts"
import { missingConditionsIn } from "../../siblings/missingConditions.ts"

export const unaskedCondition: Rule<SolanaProgram> = {
  meta: {
    id: "solana/logic/unasked-condition",
    class: "missing-condition",
    title: "Missing condition that similar instructions enforce",
    severity: "medium",
    confidence: "low",
    cwe: [841, 754],
    description:
      "All other instructions that change this amount, or that pay out, first check a condition, such as a cap, " +
      "a lock, a pause or the health of a loan. This one does not, so users can bypass the condition by calling " +
      "it instead.",
    remediation:
      "Enforce the same condition here, ideally in a helper that all of them call. If it does not apply here, " +
      "say so in a comment and suppress the finding.",
    references: ["https://cwe.mitre.org/data/definitions/841.html"],
  },
  check: (program, report) => {
    for (const crate of program.crates)
      for (const { deed, effect, condition, sibling, siblingEffect } of missingConditionsIn(crate))
        report({
          ...siteUnlike(effect.event, siblingEffect.event),
          ...(condition.kind === "gate" ? { severity: "low" as const } : {}),
          message: `\`${deed.subject.name}\` does not check \`${show(condition.fact)}\`, as \`${sibling.subject.name}\` does.`,
          trace: wayTo(effect.event),
        })
  },
  examples: {
    vulnerable: [
      // A liquidation of anybody's loan.
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod market {
    use super::*;
    pub fn withdraw(ctx: Context<Use>, amount: u64) -> Result<()> {
        let loan = &mut ctx.accounts.loan;
        loan.held = loan.held.checked_sub(amount).ok_or(Refused::No)?;
        require!(is_healthy(loan, ctx.accounts.market.price), Refused::No);
        pay(&ctx.accounts.market, &ctx.accounts.vault, &ctx.accounts.to, &ctx.accounts.token_program, amount)
    }
    pub fn liquidate(ctx: Context<Seize>, amount: u64) -> Result<()> {
        let loan = &mut ctx.accounts.loan;
        loan.held = loan.held.checked_sub(amount).ok_or(Refused::No)?; // FINDING
        loan.debt = loan.debt.checked_sub(amount / 2).ok_or(Refused::No)?;
        pay(&ctx.accounts.market, &ctx.accounts.vault, &ctx.accounts.to, &ctx.accounts.token_program, amount)
    }
}

#[derive(Accounts)]
pub struct Use<'info> {
    #[account(seeds = [b"market"], bump, has_one = vault)]
    pub market: Account<'info, Market>,
    #[account(mut, has_one = owner)]
    pub loan: Account<'info, Loan>,
    pub owner: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Seize<'info> {
    #[account(seeds = [b"market"], bump, has_one = vault)]
    pub market: Account<'info, Market>,
    #[account(mut)]
    pub loan: Account<'info, Loan>,
    pub caller: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Govern<'info> {
    #[account(mut, seeds = [b"market"], bump, has_one = admin)]
    pub market: Account<'info, Market>,
    #[account(mut)]
    pub loan: Account<'info, Loan>,
    pub admin: Signer<'info>,
}

#[account]
pub struct Market { pub admin: Pubkey, pub vault: Pubkey, pub price: u64, pub paused: bool, pub phase: Phase, pub bonus: u64 }

#[account]
pub struct Loan { pub owner: Pubkey, pub held: u64, pub debt: u64, pub until: i64, pub raised: u64, pub cap: u64, pub index: u64 }

#[derive(AnchorSerialize, AnchorDeserialize, Clone, PartialEq)]
pub enum Phase { Open, Shut }

#[error_code]
pub enum Refused { No }

fn pay<'info>(market: &Account<'info, Market>, vault: &Account<'info, TokenAccount>, to: &Account<'info, TokenAccount>, program: &Program<'info, Token>, amount: u64) -> Result<()> {
    let accounts = Transfer { from: vault.to_account_info(), to: to.to_account_info(), authority: market.to_account_info() };
    token::transfer(CpiContext::new_with_signer(program.to_account_info(), accounts, &[&[b"market"]]), amount)
}

fn is_healthy(loan: &Loan, price: u64) -> bool {
    loan.held as u128 * price as u128 >= loan.debt as u128 * 1_200_000
}
`,
      // A cap that one way to pay in does not know.
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod market {
    use super::*;
    pub fn give(ctx: Context<Seize>, amount: u64) -> Result<()> {
        let loan = &mut ctx.accounts.loan;
        loan.raised = loan.raised.checked_add(amount).ok_or(Refused::No)?;
        require!(loan.raised <= loan.cap, Refused::No);
        Ok(())
    }
    pub fn give_twice(ctx: Context<Seize>, amount: u64) -> Result<()> {
        let loan = &mut ctx.accounts.loan;
        loan.raised += amount * 2; // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Use<'info> {
    #[account(seeds = [b"market"], bump, has_one = vault)]
    pub market: Account<'info, Market>,
    #[account(mut, has_one = owner)]
    pub loan: Account<'info, Loan>,
    pub owner: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Seize<'info> {
    #[account(seeds = [b"market"], bump, has_one = vault)]
    pub market: Account<'info, Market>,
    #[account(mut)]
    pub loan: Account<'info, Loan>,
    pub caller: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Govern<'info> {
    #[account(mut, seeds = [b"market"], bump, has_one = admin)]
    pub market: Account<'info, Market>,
    #[account(mut)]
    pub loan: Account<'info, Loan>,
    pub admin: Signer<'info>,
}

#[account]
pub struct Market { pub admin: Pubkey, pub vault: Pubkey, pub price: u64, pub paused: bool, pub phase: Phase, pub bonus: u64 }

#[account]
pub struct Loan { pub owner: Pubkey, pub held: u64, pub debt: u64, pub until: i64, pub raised: u64, pub cap: u64, pub index: u64 }

#[derive(AnchorSerialize, AnchorDeserialize, Clone, PartialEq)]
pub enum Phase { Open, Shut }

#[error_code]
pub enum Refused { No }

fn pay<'info>(market: &Account<'info, Market>, vault: &Account<'info, TokenAccount>, to: &Account<'info, TokenAccount>, program: &Program<'info, Token>, amount: u64) -> Result<()> {
    let accounts = Transfer { from: vault.to_account_info(), to: to.to_account_info(), authority: market.to_account_info() };
    token::transfer(CpiContext::new_with_signer(program.to_account_info(), accounts, &[&[b"market"]]), amount)
}
`,
      // A lock, and a pause.
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod market {
    use super::*;
    pub fn release(ctx: Context<Use>) -> Result<()> {
        require!(Clock::get()?.unix_timestamp >= ctx.accounts.loan.until, Refused::No);
        let amount = ctx.accounts.loan.held;
        ctx.accounts.loan.held = 0;
        pay(&ctx.accounts.market, &ctx.accounts.vault, &ctx.accounts.to, &ctx.accounts.token_program, amount)
    }
    pub fn release_part(ctx: Context<Use>, amount: u64) -> Result<()> {
        let loan = &mut ctx.accounts.loan;
        loan.held = loan.held.checked_sub(amount).ok_or(Refused::No)?; // FINDING
        pay(&ctx.accounts.market, &ctx.accounts.vault, &ctx.accounts.to, &ctx.accounts.token_program, amount)
    }
}

#[derive(Accounts)]
pub struct Use<'info> {
    #[account(seeds = [b"market"], bump, has_one = vault)]
    pub market: Account<'info, Market>,
    #[account(mut, has_one = owner)]
    pub loan: Account<'info, Loan>,
    pub owner: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Seize<'info> {
    #[account(seeds = [b"market"], bump, has_one = vault)]
    pub market: Account<'info, Market>,
    #[account(mut)]
    pub loan: Account<'info, Loan>,
    pub caller: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Govern<'info> {
    #[account(mut, seeds = [b"market"], bump, has_one = admin)]
    pub market: Account<'info, Market>,
    #[account(mut)]
    pub loan: Account<'info, Loan>,
    pub admin: Signer<'info>,
}

#[account]
pub struct Market { pub admin: Pubkey, pub vault: Pubkey, pub price: u64, pub paused: bool, pub phase: Phase, pub bonus: u64 }

#[account]
pub struct Loan { pub owner: Pubkey, pub held: u64, pub debt: u64, pub until: i64, pub raised: u64, pub cap: u64, pub index: u64 }

#[derive(AnchorSerialize, AnchorDeserialize, Clone, PartialEq)]
pub enum Phase { Open, Shut }

#[error_code]
pub enum Refused { No }

fn pay<'info>(market: &Account<'info, Market>, vault: &Account<'info, TokenAccount>, to: &Account<'info, TokenAccount>, program: &Program<'info, Token>, amount: u64) -> Result<()> {
    let accounts = Transfer { from: vault.to_account_info(), to: to.to_account_info(), authority: market.to_account_info() };
    token::transfer(CpiContext::new_with_signer(program.to_account_info(), accounts, &[&[b"market"]]), amount)
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod market {
    use super::*;
    pub fn open(ctx: Context<Use>, amount: u64) -> Result<()> {
        require!(ctx.accounts.market.phase == Phase::Open, Refused::No);
        ctx.accounts.loan.debt = amount;
        Ok(())
    }
    pub fn draw(ctx: Context<Use>, amount: u64) -> Result<()> {
        require!(ctx.accounts.market.phase == Phase::Open, Refused::No);
        ctx.accounts.loan.debt = ctx.accounts.loan.debt.checked_add(amount).unwrap();
        pay(&ctx.accounts.market, &ctx.accounts.vault, &ctx.accounts.to, &ctx.accounts.token_program, amount)
    }
    pub fn refund(ctx: Context<Use>, amount: u64) -> Result<()> {
        let loan = &mut ctx.accounts.loan;
        loan.held = loan.held.checked_sub(amount).ok_or(Refused::No)?;
        pay(&ctx.accounts.market, &ctx.accounts.vault, &ctx.accounts.to, &ctx.accounts.token_program, amount) // FINDING
    }
    pub fn stop(ctx: Context<Govern>, paused: bool, phase: Phase) -> Result<()> {
        ctx.accounts.market.paused = paused;
        ctx.accounts.market.phase = phase;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Use<'info> {
    #[account(seeds = [b"market"], bump, has_one = vault)]
    pub market: Account<'info, Market>,
    #[account(mut, has_one = owner)]
    pub loan: Account<'info, Loan>,
    pub owner: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Seize<'info> {
    #[account(seeds = [b"market"], bump, has_one = vault)]
    pub market: Account<'info, Market>,
    #[account(mut)]
    pub loan: Account<'info, Loan>,
    pub caller: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Govern<'info> {
    #[account(mut, seeds = [b"market"], bump, has_one = admin)]
    pub market: Account<'info, Market>,
    #[account(mut)]
    pub loan: Account<'info, Loan>,
    pub admin: Signer<'info>,
}

#[account]
pub struct Market { pub admin: Pubkey, pub vault: Pubkey, pub price: u64, pub paused: bool, pub phase: Phase, pub bonus: u64 }

#[account]
pub struct Loan { pub owner: Pubkey, pub held: u64, pub debt: u64, pub until: i64, pub raised: u64, pub cap: u64, pub index: u64 }

#[derive(AnchorSerialize, AnchorDeserialize, Clone, PartialEq)]
pub enum Phase { Open, Shut }

#[error_code]
pub enum Refused { No }

fn pay<'info>(market: &Account<'info, Market>, vault: &Account<'info, TokenAccount>, to: &Account<'info, TokenAccount>, program: &Program<'info, Token>, amount: u64) -> Result<()> {
    let accounts = Transfer { from: vault.to_account_info(), to: to.to_account_info(), authority: market.to_account_info() };
    token::transfer(CpiContext::new_with_signer(program.to_account_info(), accounts, &[&[b"market"]]), amount)
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod market {
    use super::*;
    pub fn open(ctx: Context<Use>, amount: u64) -> Result<()> {
        require!(!ctx.accounts.market.paused, Refused::No);
        ctx.accounts.loan.debt = amount;
        Ok(())
    }
    pub fn draw(ctx: Context<Use>, amount: u64) -> Result<()> {
        require!(!ctx.accounts.market.paused, Refused::No);
        ctx.accounts.loan.debt = ctx.accounts.loan.debt.checked_add(amount).unwrap();
        pay(&ctx.accounts.market, &ctx.accounts.vault, &ctx.accounts.to, &ctx.accounts.token_program, amount)
    }
    pub fn refund(ctx: Context<Use>, amount: u64) -> Result<()> {
        let loan = &mut ctx.accounts.loan;
        loan.held = loan.held.checked_sub(amount).ok_or(Refused::No)?;
        pay(&ctx.accounts.market, &ctx.accounts.vault, &ctx.accounts.to, &ctx.accounts.token_program, amount) // FINDING
    }
    pub fn stop(ctx: Context<Govern>, paused: bool, phase: Phase) -> Result<()> {
        ctx.accounts.market.paused = paused;
        ctx.accounts.market.phase = phase;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Use<'info> {
    #[account(seeds = [b"market"], bump, has_one = vault)]
    pub market: Account<'info, Market>,
    #[account(mut, has_one = owner)]
    pub loan: Account<'info, Loan>,
    pub owner: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Seize<'info> {
    #[account(seeds = [b"market"], bump, has_one = vault)]
    pub market: Account<'info, Market>,
    #[account(mut)]
    pub loan: Account<'info, Loan>,
    pub caller: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Govern<'info> {
    #[account(mut, seeds = [b"market"], bump, has_one = admin)]
    pub market: Account<'info, Market>,
    #[account(mut)]
    pub loan: Account<'info, Loan>,
    pub admin: Signer<'info>,
}

#[account]
pub struct Market { pub admin: Pubkey, pub vault: Pubkey, pub price: u64, pub paused: bool, pub phase: Phase, pub bonus: u64 }

#[account]
pub struct Loan { pub owner: Pubkey, pub held: u64, pub debt: u64, pub until: i64, pub raised: u64, pub cap: u64, pub index: u64 }

#[derive(AnchorSerialize, AnchorDeserialize, Clone, PartialEq)]
pub enum Phase { Open, Shut }

#[error_code]
pub enum Refused { No }

fn pay<'info>(market: &Account<'info, Market>, vault: &Account<'info, TokenAccount>, to: &Account<'info, TokenAccount>, program: &Program<'info, Token>, amount: u64) -> Result<()> {
    let accounts = Transfer { from: vault.to_account_info(), to: to.to_account_info(), authority: market.to_account_info() };
    token::transfer(CpiContext::new_with_signer(program.to_account_info(), accounts, &[&[b"market"]]), amount)
}
`,
    ],
    safe: [
      // The opposite is asked, or something else of it; who governs need not ask.
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod market {
    use super::*;
    pub fn withdraw(ctx: Context<Use>, amount: u64) -> Result<()> {
        let loan = &mut ctx.accounts.loan;
        loan.held = loan.held.checked_sub(amount).ok_or(Refused::No)?;
        require!(is_healthy(loan, ctx.accounts.market.price), Refused::No);
        pay(&ctx.accounts.market, &ctx.accounts.vault, &ctx.accounts.to, &ctx.accounts.token_program, amount)
    }
    pub fn liquidate(ctx: Context<Seize>, amount: u64) -> Result<()> {
        let loan = &mut ctx.accounts.loan;
        require!(!is_healthy(loan, ctx.accounts.market.price), Refused::No);
        loan.held = loan.held.checked_sub(amount).ok_or(Refused::No)?;
        pay(&ctx.accounts.market, &ctx.accounts.vault, &ctx.accounts.to, &ctx.accounts.token_program, amount)
    }
}

#[derive(Accounts)]
pub struct Use<'info> {
    #[account(seeds = [b"market"], bump, has_one = vault)]
    pub market: Account<'info, Market>,
    #[account(mut, has_one = owner)]
    pub loan: Account<'info, Loan>,
    pub owner: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Seize<'info> {
    #[account(seeds = [b"market"], bump, has_one = vault)]
    pub market: Account<'info, Market>,
    #[account(mut)]
    pub loan: Account<'info, Loan>,
    pub caller: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Govern<'info> {
    #[account(mut, seeds = [b"market"], bump, has_one = admin)]
    pub market: Account<'info, Market>,
    #[account(mut)]
    pub loan: Account<'info, Loan>,
    pub admin: Signer<'info>,
}

#[account]
pub struct Market { pub admin: Pubkey, pub vault: Pubkey, pub price: u64, pub paused: bool, pub phase: Phase, pub bonus: u64 }

#[account]
pub struct Loan { pub owner: Pubkey, pub held: u64, pub debt: u64, pub until: i64, pub raised: u64, pub cap: u64, pub index: u64 }

#[derive(AnchorSerialize, AnchorDeserialize, Clone, PartialEq)]
pub enum Phase { Open, Shut }

#[error_code]
pub enum Refused { No }

fn pay<'info>(market: &Account<'info, Market>, vault: &Account<'info, TokenAccount>, to: &Account<'info, TokenAccount>, program: &Program<'info, Token>, amount: u64) -> Result<()> {
    let accounts = Transfer { from: vault.to_account_info(), to: to.to_account_info(), authority: market.to_account_info() };
    token::transfer(CpiContext::new_with_signer(program.to_account_info(), accounts, &[&[b"market"]]), amount)
}

fn is_healthy(loan: &Loan, price: u64) -> bool {
    loan.held as u128 * price as u128 >= loan.debt as u128 * 1_200_000
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod market {
    use super::*;
    pub fn withdraw(ctx: Context<Use>, amount: u64) -> Result<()> {
        let loan = &mut ctx.accounts.loan;
        loan.held = loan.held.checked_sub(amount).ok_or(Refused::No)?;
        require!(is_healthy(loan, ctx.accounts.market.price), Refused::No);
        pay(&ctx.accounts.market, &ctx.accounts.vault, &ctx.accounts.to, &ctx.accounts.token_program, amount)
    }
    pub fn withdraw_free(ctx: Context<Use>, amount: u64) -> Result<()> {
        let loan = &mut ctx.accounts.loan;
        require!(loan.debt == 0, Refused::No);
        loan.held = loan.held.checked_sub(amount).ok_or(Refused::No)?;
        pay(&ctx.accounts.market, &ctx.accounts.vault, &ctx.accounts.to, &ctx.accounts.token_program, amount)
    }
}

#[derive(Accounts)]
pub struct Use<'info> {
    #[account(seeds = [b"market"], bump, has_one = vault)]
    pub market: Account<'info, Market>,
    #[account(mut, has_one = owner)]
    pub loan: Account<'info, Loan>,
    pub owner: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Seize<'info> {
    #[account(seeds = [b"market"], bump, has_one = vault)]
    pub market: Account<'info, Market>,
    #[account(mut)]
    pub loan: Account<'info, Loan>,
    pub caller: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Govern<'info> {
    #[account(mut, seeds = [b"market"], bump, has_one = admin)]
    pub market: Account<'info, Market>,
    #[account(mut)]
    pub loan: Account<'info, Loan>,
    pub admin: Signer<'info>,
}

#[account]
pub struct Market { pub admin: Pubkey, pub vault: Pubkey, pub price: u64, pub paused: bool, pub phase: Phase, pub bonus: u64 }

#[account]
pub struct Loan { pub owner: Pubkey, pub held: u64, pub debt: u64, pub until: i64, pub raised: u64, pub cap: u64, pub index: u64 }

#[derive(AnchorSerialize, AnchorDeserialize, Clone, PartialEq)]
pub enum Phase { Open, Shut }

#[error_code]
pub enum Refused { No }

fn pay<'info>(market: &Account<'info, Market>, vault: &Account<'info, TokenAccount>, to: &Account<'info, TokenAccount>, program: &Program<'info, Token>, amount: u64) -> Result<()> {
    let accounts = Transfer { from: vault.to_account_info(), to: to.to_account_info(), authority: market.to_account_info() };
    token::transfer(CpiContext::new_with_signer(program.to_account_info(), accounts, &[&[b"market"]]), amount)
}

fn is_healthy(loan: &Loan, price: u64) -> bool {
    loan.held as u128 * price as u128 >= loan.debt as u128 * 1_200_000
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod market {
    use super::*;
    pub fn withdraw(ctx: Context<Use>, amount: u64) -> Result<()> {
        let loan = &mut ctx.accounts.loan;
        loan.held = loan.held.checked_sub(amount).ok_or(Refused::No)?;
        require!(is_healthy(loan, ctx.accounts.market.price), Refused::No);
        pay(&ctx.accounts.market, &ctx.accounts.vault, &ctx.accounts.to, &ctx.accounts.token_program, amount)
    }
    pub fn slash(ctx: Context<Govern>, amount: u64) -> Result<()> {
        let loan = &mut ctx.accounts.loan;
        loan.held = loan.held.checked_sub(amount).ok_or(Refused::No)?;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Use<'info> {
    #[account(seeds = [b"market"], bump, has_one = vault)]
    pub market: Account<'info, Market>,
    #[account(mut, has_one = owner)]
    pub loan: Account<'info, Loan>,
    pub owner: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Seize<'info> {
    #[account(seeds = [b"market"], bump, has_one = vault)]
    pub market: Account<'info, Market>,
    #[account(mut)]
    pub loan: Account<'info, Loan>,
    pub caller: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Govern<'info> {
    #[account(mut, seeds = [b"market"], bump, has_one = admin)]
    pub market: Account<'info, Market>,
    #[account(mut)]
    pub loan: Account<'info, Loan>,
    pub admin: Signer<'info>,
}

#[account]
pub struct Market { pub admin: Pubkey, pub vault: Pubkey, pub price: u64, pub paused: bool, pub phase: Phase, pub bonus: u64 }

#[account]
pub struct Loan { pub owner: Pubkey, pub held: u64, pub debt: u64, pub until: i64, pub raised: u64, pub cap: u64, pub index: u64 }

#[derive(AnchorSerialize, AnchorDeserialize, Clone, PartialEq)]
pub enum Phase { Open, Shut }

#[error_code]
pub enum Refused { No }

fn pay<'info>(market: &Account<'info, Market>, vault: &Account<'info, TokenAccount>, to: &Account<'info, TokenAccount>, program: &Program<'info, Token>, amount: u64) -> Result<()> {
    let accounts = Transfer { from: vault.to_account_info(), to: to.to_account_info(), authority: market.to_account_info() };
    token::transfer(CpiContext::new_with_signer(program.to_account_info(), accounts, &[&[b"market"]]), amount)
}

fn is_healthy(loan: &Loan, price: u64) -> bool {
    loan.held as u128 * price as u128 >= loan.debt as u128 * 1_200_000
}
`,
      // Two that do not ask are no exception, and what grows by itself has no cap.
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod market {
    use super::*;
    pub fn withdraw(ctx: Context<Use>, amount: u64) -> Result<()> {
        let loan = &mut ctx.accounts.loan;
        loan.held = loan.held.checked_sub(amount).ok_or(Refused::No)?;
        require!(is_healthy(loan, ctx.accounts.market.price), Refused::No);
        pay(&ctx.accounts.market, &ctx.accounts.vault, &ctx.accounts.to, &ctx.accounts.token_program, amount)
    }
    pub fn take(ctx: Context<Seize>, amount: u64) -> Result<()> {
        let loan = &mut ctx.accounts.loan;
        loan.held = loan.held.checked_sub(amount).ok_or(Refused::No)?;
        Ok(())
    }
    pub fn take_more(ctx: Context<Seize>, amount: u64) -> Result<()> {
        let loan = &mut ctx.accounts.loan;
        loan.held = loan.held.checked_sub(amount).ok_or(Refused::No)?;
        Ok(())
    }
    pub fn give(ctx: Context<Seize>, amount: u64) -> Result<()> {
        let loan = &mut ctx.accounts.loan;
        loan.raised = loan.raised.checked_add(amount).ok_or(Refused::No)?;
        require!(loan.raised <= loan.cap, Refused::No);
        Ok(())
    }
    pub fn grow(ctx: Context<Seize>) -> Result<()> {
        let loan = &mut ctx.accounts.loan;
        loan.raised = loan.raised.checked_add(ctx.accounts.market.bonus).ok_or(Refused::No)?;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Use<'info> {
    #[account(seeds = [b"market"], bump, has_one = vault)]
    pub market: Account<'info, Market>,
    #[account(mut, has_one = owner)]
    pub loan: Account<'info, Loan>,
    pub owner: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Seize<'info> {
    #[account(seeds = [b"market"], bump, has_one = vault)]
    pub market: Account<'info, Market>,
    #[account(mut)]
    pub loan: Account<'info, Loan>,
    pub caller: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Govern<'info> {
    #[account(mut, seeds = [b"market"], bump, has_one = admin)]
    pub market: Account<'info, Market>,
    #[account(mut)]
    pub loan: Account<'info, Loan>,
    pub admin: Signer<'info>,
}

#[account]
pub struct Market { pub admin: Pubkey, pub vault: Pubkey, pub price: u64, pub paused: bool, pub phase: Phase, pub bonus: u64 }

#[account]
pub struct Loan { pub owner: Pubkey, pub held: u64, pub debt: u64, pub until: i64, pub raised: u64, pub cap: u64, pub index: u64 }

#[derive(AnchorSerialize, AnchorDeserialize, Clone, PartialEq)]
pub enum Phase { Open, Shut }

#[error_code]
pub enum Refused { No }

fn pay<'info>(market: &Account<'info, Market>, vault: &Account<'info, TokenAccount>, to: &Account<'info, TokenAccount>, program: &Program<'info, Token>, amount: u64) -> Result<()> {
    let accounts = Transfer { from: vault.to_account_info(), to: to.to_account_info(), authority: market.to_account_info() };
    token::transfer(CpiContext::new_with_signer(program.to_account_info(), accounts, &[&[b"market"]]), amount)
}

fn is_healthy(loan: &Loan, price: u64) -> bool {
    loan.held as u128 * price as u128 >= loan.debt as u128 * 1_200_000
}
`,
      // Who leaves early pays for it; what is asked of one record says nothing of another.
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod market {
    use super::*;
    pub fn release(ctx: Context<Use>) -> Result<()> {
        require!(Clock::get()?.unix_timestamp >= ctx.accounts.loan.until, Refused::No);
        let amount = ctx.accounts.loan.held;
        ctx.accounts.loan.held = 0;
        pay(&ctx.accounts.market, &ctx.accounts.vault, &ctx.accounts.to, &ctx.accounts.token_program, amount)
    }
    pub fn release_early(ctx: Context<Use>, amount: u64) -> Result<()> {
        let loan = &mut ctx.accounts.loan;
        loan.held = loan.held.checked_sub(amount).ok_or(Refused::No)?;
        pay(&ctx.accounts.market, &ctx.accounts.vault, &ctx.accounts.to, &ctx.accounts.token_program, amount / 2)
    }
}

#[derive(Accounts)]
pub struct Use<'info> {
    #[account(seeds = [b"market"], bump, has_one = vault)]
    pub market: Account<'info, Market>,
    #[account(mut, has_one = owner)]
    pub loan: Account<'info, Loan>,
    pub owner: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Seize<'info> {
    #[account(seeds = [b"market"], bump, has_one = vault)]
    pub market: Account<'info, Market>,
    #[account(mut)]
    pub loan: Account<'info, Loan>,
    pub caller: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Govern<'info> {
    #[account(mut, seeds = [b"market"], bump, has_one = admin)]
    pub market: Account<'info, Market>,
    #[account(mut)]
    pub loan: Account<'info, Loan>,
    pub admin: Signer<'info>,
}

#[account]
pub struct Market { pub admin: Pubkey, pub vault: Pubkey, pub price: u64, pub paused: bool, pub phase: Phase, pub bonus: u64 }

#[account]
pub struct Loan { pub owner: Pubkey, pub held: u64, pub debt: u64, pub until: i64, pub raised: u64, pub cap: u64, pub index: u64 }

#[derive(AnchorSerialize, AnchorDeserialize, Clone, PartialEq)]
pub enum Phase { Open, Shut }

#[error_code]
pub enum Refused { No }

fn pay<'info>(market: &Account<'info, Market>, vault: &Account<'info, TokenAccount>, to: &Account<'info, TokenAccount>, program: &Program<'info, Token>, amount: u64) -> Result<()> {
    let accounts = Transfer { from: vault.to_account_info(), to: to.to_account_info(), authority: market.to_account_info() };
    token::transfer(CpiContext::new_with_signer(program.to_account_info(), accounts, &[&[b"market"]]), amount)
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod market {
    use super::*;
    pub fn release(ctx: Context<Use>) -> Result<()> {
        require!(Clock::get()?.unix_timestamp >= ctx.accounts.loan.until, Refused::No);
        let amount = ctx.accounts.loan.held;
        ctx.accounts.loan.held = 0;
        pay(&ctx.accounts.market, &ctx.accounts.vault, &ctx.accounts.to, &ctx.accounts.token_program, amount)
    }
    pub fn release_at_night(ctx: Context<Use>, amount: u64) -> Result<()> {
        require!(Clock::get()?.unix_timestamp % 86_400 < 3_600, Refused::No);
        let loan = &mut ctx.accounts.loan;
        loan.held = loan.held.checked_sub(amount).ok_or(Refused::No)?;
        pay(&ctx.accounts.market, &ctx.accounts.vault, &ctx.accounts.to, &ctx.accounts.token_program, amount)
    }
}

#[derive(Accounts)]
pub struct Use<'info> {
    #[account(seeds = [b"market"], bump, has_one = vault)]
    pub market: Account<'info, Market>,
    #[account(mut, has_one = owner)]
    pub loan: Account<'info, Loan>,
    pub owner: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Seize<'info> {
    #[account(seeds = [b"market"], bump, has_one = vault)]
    pub market: Account<'info, Market>,
    #[account(mut)]
    pub loan: Account<'info, Loan>,
    pub caller: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Govern<'info> {
    #[account(mut, seeds = [b"market"], bump, has_one = admin)]
    pub market: Account<'info, Market>,
    #[account(mut)]
    pub loan: Account<'info, Loan>,
    pub admin: Signer<'info>,
}

#[account]
pub struct Market { pub admin: Pubkey, pub vault: Pubkey, pub price: u64, pub paused: bool, pub phase: Phase, pub bonus: u64 }

#[account]
pub struct Loan { pub owner: Pubkey, pub held: u64, pub debt: u64, pub until: i64, pub raised: u64, pub cap: u64, pub index: u64 }

#[derive(AnchorSerialize, AnchorDeserialize, Clone, PartialEq)]
pub enum Phase { Open, Shut }

#[error_code]
pub enum Refused { No }

fn pay<'info>(market: &Account<'info, Market>, vault: &Account<'info, TokenAccount>, to: &Account<'info, TokenAccount>, program: &Program<'info, Token>, amount: u64) -> Result<()> {
    let accounts = Transfer { from: vault.to_account_info(), to: to.to_account_info(), authority: market.to_account_info() };
    token::transfer(CpiContext::new_with_signer(program.to_account_info(), accounts, &[&[b"market"]]), amount)
}
`,
      // A pause that only one other asks, and one that does not stop payments.
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod market {
    use super::*;
    pub fn draw(ctx: Context<Use>, amount: u64) -> Result<()> {
        require!(!ctx.accounts.market.paused, Refused::No);
        ctx.accounts.loan.debt = amount;
        pay(&ctx.accounts.market, &ctx.accounts.vault, &ctx.accounts.to, &ctx.accounts.token_program, amount)
    }
    pub fn refund(ctx: Context<Use>, amount: u64) -> Result<()> {
        let loan = &mut ctx.accounts.loan;
        loan.held = loan.held.checked_sub(amount).ok_or(Refused::No)?;
        pay(&ctx.accounts.market, &ctx.accounts.vault, &ctx.accounts.to, &ctx.accounts.token_program, amount)
    }
    pub fn stop(ctx: Context<Govern>, paused: bool, phase: Phase) -> Result<()> {
        ctx.accounts.market.paused = paused;
        ctx.accounts.market.phase = phase;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Use<'info> {
    #[account(seeds = [b"market"], bump, has_one = vault)]
    pub market: Account<'info, Market>,
    #[account(mut, has_one = owner)]
    pub loan: Account<'info, Loan>,
    pub owner: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Seize<'info> {
    #[account(seeds = [b"market"], bump, has_one = vault)]
    pub market: Account<'info, Market>,
    #[account(mut)]
    pub loan: Account<'info, Loan>,
    pub caller: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Govern<'info> {
    #[account(mut, seeds = [b"market"], bump, has_one = admin)]
    pub market: Account<'info, Market>,
    #[account(mut)]
    pub loan: Account<'info, Loan>,
    pub admin: Signer<'info>,
}

#[account]
pub struct Market { pub admin: Pubkey, pub vault: Pubkey, pub price: u64, pub paused: bool, pub phase: Phase, pub bonus: u64 }

#[account]
pub struct Loan { pub owner: Pubkey, pub held: u64, pub debt: u64, pub until: i64, pub raised: u64, pub cap: u64, pub index: u64 }

#[derive(AnchorSerialize, AnchorDeserialize, Clone, PartialEq)]
pub enum Phase { Open, Shut }

#[error_code]
pub enum Refused { No }

fn pay<'info>(market: &Account<'info, Market>, vault: &Account<'info, TokenAccount>, to: &Account<'info, TokenAccount>, program: &Program<'info, Token>, amount: u64) -> Result<()> {
    let accounts = Transfer { from: vault.to_account_info(), to: to.to_account_info(), authority: market.to_account_info() };
    token::transfer(CpiContext::new_with_signer(program.to_account_info(), accounts, &[&[b"market"]]), amount)
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod market {
    use super::*;
    pub fn draw(ctx: Context<Use>, amount: u64) -> Result<()> {
        require!(!ctx.accounts.market.paused, Refused::No);
        ctx.accounts.loan.debt = amount;
        pay(&ctx.accounts.market, &ctx.accounts.vault, &ctx.accounts.to, &ctx.accounts.token_program, amount)
    }
    pub fn open(ctx: Context<Use>, amount: u64) -> Result<()> {
        require!(!ctx.accounts.market.paused, Refused::No);
        ctx.accounts.loan.debt = amount;
        Ok(())
    }
    pub fn note(ctx: Context<Use>, amount: u64) -> Result<()> {
        ctx.accounts.loan.index = amount;
        Ok(())
    }
    pub fn stop(ctx: Context<Govern>, paused: bool, phase: Phase) -> Result<()> {
        ctx.accounts.market.paused = paused;
        ctx.accounts.market.phase = phase;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Use<'info> {
    #[account(seeds = [b"market"], bump, has_one = vault)]
    pub market: Account<'info, Market>,
    #[account(mut, has_one = owner)]
    pub loan: Account<'info, Loan>,
    pub owner: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Seize<'info> {
    #[account(seeds = [b"market"], bump, has_one = vault)]
    pub market: Account<'info, Market>,
    #[account(mut)]
    pub loan: Account<'info, Loan>,
    pub caller: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Govern<'info> {
    #[account(mut, seeds = [b"market"], bump, has_one = admin)]
    pub market: Account<'info, Market>,
    #[account(mut)]
    pub loan: Account<'info, Loan>,
    pub admin: Signer<'info>,
}

#[account]
pub struct Market { pub admin: Pubkey, pub vault: Pubkey, pub price: u64, pub paused: bool, pub phase: Phase, pub bonus: u64 }

#[account]
pub struct Loan { pub owner: Pubkey, pub held: u64, pub debt: u64, pub until: i64, pub raised: u64, pub cap: u64, pub index: u64 }

#[derive(AnchorSerialize, AnchorDeserialize, Clone, PartialEq)]
pub enum Phase { Open, Shut }

#[error_code]
pub enum Refused { No }

fn pay<'info>(market: &Account<'info, Market>, vault: &Account<'info, TokenAccount>, to: &Account<'info, TokenAccount>, program: &Program<'info, Token>, amount: u64) -> Result<()> {
    let accounts = Transfer { from: vault.to_account_info(), to: to.to_account_info(), authority: market.to_account_info() };
    token::transfer(CpiContext::new_with_signer(program.to_account_info(), accounts, &[&[b"market"]]), amount)
}
`,
      // A trait of the market, which nobody changes; a record of another kind.
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod market {
    use super::*;
    pub fn draw(ctx: Context<Use>, amount: u64) -> Result<()> {
        require!(!ctx.accounts.market.paused, Refused::No);
        ctx.accounts.loan.debt = amount;
        pay(&ctx.accounts.market, &ctx.accounts.vault, &ctx.accounts.to, &ctx.accounts.token_program, amount)
    }
    pub fn open(ctx: Context<Use>, amount: u64) -> Result<()> {
        require!(!ctx.accounts.market.paused, Refused::No);
        ctx.accounts.loan.debt = amount;
        Ok(())
    }
    pub fn refund(ctx: Context<Use>, amount: u64) -> Result<()> {
        let loan = &mut ctx.accounts.loan;
        loan.held = loan.held.checked_sub(amount).ok_or(Refused::No)?;
        pay(&ctx.accounts.market, &ctx.accounts.vault, &ctx.accounts.to, &ctx.accounts.token_program, amount)
    }
}

#[derive(Accounts)]
pub struct Use<'info> {
    #[account(seeds = [b"market"], bump, has_one = vault)]
    pub market: Account<'info, Market>,
    #[account(mut, has_one = owner)]
    pub loan: Account<'info, Loan>,
    pub owner: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Seize<'info> {
    #[account(seeds = [b"market"], bump, has_one = vault)]
    pub market: Account<'info, Market>,
    #[account(mut)]
    pub loan: Account<'info, Loan>,
    pub caller: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Govern<'info> {
    #[account(mut, seeds = [b"market"], bump, has_one = admin)]
    pub market: Account<'info, Market>,
    #[account(mut)]
    pub loan: Account<'info, Loan>,
    pub admin: Signer<'info>,
}

#[account]
pub struct Market { pub admin: Pubkey, pub vault: Pubkey, pub price: u64, pub paused: bool, pub phase: Phase, pub bonus: u64 }

#[account]
pub struct Loan { pub owner: Pubkey, pub held: u64, pub debt: u64, pub until: i64, pub raised: u64, pub cap: u64, pub index: u64 }

#[derive(AnchorSerialize, AnchorDeserialize, Clone, PartialEq)]
pub enum Phase { Open, Shut }

#[error_code]
pub enum Refused { No }

fn pay<'info>(market: &Account<'info, Market>, vault: &Account<'info, TokenAccount>, to: &Account<'info, TokenAccount>, program: &Program<'info, Token>, amount: u64) -> Result<()> {
    let accounts = Transfer { from: vault.to_account_info(), to: to.to_account_info(), authority: market.to_account_info() };
    token::transfer(CpiContext::new_with_signer(program.to_account_info(), accounts, &[&[b"market"]]), amount)
}
`,
      // A limit on what was there before says nothing of the change.
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod market {
    use super::*;
    pub fn give(ctx: Context<Seize>, amount: u64) -> Result<()> {
        require!(ctx.accounts.loan.raised <= ctx.accounts.loan.cap, Refused::No);
        let loan = &mut ctx.accounts.loan;
        loan.raised = loan.raised.checked_add(amount).ok_or(Refused::No)?;
        Ok(())
    }
    pub fn give_more(ctx: Context<Seize>, amount: u64) -> Result<()> {
        let loan = &mut ctx.accounts.loan;
        loan.raised += amount;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Use<'info> {
    #[account(seeds = [b"market"], bump, has_one = vault)]
    pub market: Account<'info, Market>,
    #[account(mut, has_one = owner)]
    pub loan: Account<'info, Loan>,
    pub owner: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Seize<'info> {
    #[account(seeds = [b"market"], bump, has_one = vault)]
    pub market: Account<'info, Market>,
    #[account(mut)]
    pub loan: Account<'info, Loan>,
    pub caller: Signer<'info>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Govern<'info> {
    #[account(mut, seeds = [b"market"], bump, has_one = admin)]
    pub market: Account<'info, Market>,
    #[account(mut)]
    pub loan: Account<'info, Loan>,
    pub admin: Signer<'info>,
}

#[account]
pub struct Market { pub admin: Pubkey, pub vault: Pubkey, pub price: u64, pub paused: bool, pub phase: Phase, pub bonus: u64 }

#[account]
pub struct Loan { pub owner: Pubkey, pub held: u64, pub debt: u64, pub until: i64, pub raised: u64, pub cap: u64, pub index: u64 }

#[derive(AnchorSerialize, AnchorDeserialize, Clone, PartialEq)]
pub enum Phase { Open, Shut }

#[error_code]
pub enum Refused { No }

fn pay<'info>(market: &Account<'info, Market>, vault: &Account<'info, TokenAccount>, to: &Account<'info, TokenAccount>, program: &Program<'info, Token>, amount: u64) -> Result<()> {
    let accounts = Transfer { from: vault.to_account_info(), to: to.to_account_info(), authority: market.to_account_info() };
    token::transfer(CpiContext::new_with_signer(program.to_account_info(), accounts, &[&[b"market"]]), amount)
}
`,
    ],
  },
}
