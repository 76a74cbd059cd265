import type { Rule } from "../../../Rule.ts"
import { mentions, type Term } from "../../../rust/terms/terms.ts"
import { isNamed } from "../../../rust/crate/types.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import type { Account, Cpi, Instruction, SolanaProgram } from "../../program/model.ts"
import { touchesName } from "../../questions/priceReads.ts"
import { operandsOf } from "../../questions/quantities.ts"
import { accountAt, cpisOf, isFromCaller, successAbout } from "../../questions/questions.ts"
import { roleOf } from "../../questions/signedCpi.ts"
import { accountOfState } from "../../program/semantics.ts"
import { ofKind } from "../../../rust/terms/events.ts"

export const transferFeeIgnored: Rule<SolanaProgram> = {
  meta: {
    id: "solana/token-handling/transfer-fee-ignored",
    class: "token2022-extension",
    title: "Token-2022 transfer fee is not deducted from the credited deposit",
    severity: "high",
    confidence: "medium",
    cwe: [682],
    description:
      "The instruction accepts tokens of the Token-2022 program and credits the amount sent. A mint with the " +
      "transfer-fee extension withholds part of it: less arrives than is recorded, and the last depositors find " +
      "the vault empty. An attacker can deposit and withdraw such a token repeatedly until the share of others " +
      "has been consumed by fees.",
    remediation:
      "Reload the vault after the transfer and credit the difference of its balances, or read the mint's " +
      "`TransferFeeConfig` and compute what arrives; otherwise, reject mints with unsupported extensions.",
    references: ["https://solana.com/docs/tokens/extensions/transfer-fees", "https://neodyme.io/en/blog/token-2022/"],
  },
  check: (program, report) => {
    for (const { instructions } of program.crates)
      for (const instruction of instructions) {
        const sent = new Set<Term>()
        for (const cpi of cpisOf(instruction))
          if (transfers.test(cpi.instruction) && cpi.signerSeeds === undefined && mayBeToken2022(instruction, cpi))
            for (const term of cpi.args)
              if (
                !sent.has(term) &&
                isFromCaller(instruction, term) &&
                !isMeasured(instruction, roleOf(cpi, "to"), term)
              )
                sent.add(term)
        if (sent.size === 0 || touchesName(instruction, extension)) continue
        for (const event of ofKind(instruction.events, "assign")) {
          if (accountOfState(event.target.term) === undefined) continue
          const { term } = event.value
          const adds =
            event.operator === "+" ||
            (term.kind === "binary" && term.operator === "+") ||
            (term.kind === "call" && term.name.endsWith("_add")) ||
            (event.operator === "=" && sent.has(term))
          if (adds && mentions(term, (one) => sent.has(one))) report(placeOf(event))
        }
      }
  },
  examples: {
    vulnerable: [
      `use anchor_lang::prelude::*;
use anchor_spl::token_interface::{self, Mint, TokenAccount, TokenInterface, TransferChecked};

#[program]
pub mod bank {
    use super::*;
    pub fn deposit(ctx: Context<Deposit>, amount: u64) -> Result<()> {
        let accounts = TransferChecked {
            from: ctx.accounts.from.to_account_info(),
            mint: ctx.accounts.mint.to_account_info(),
            to: ctx.accounts.vault.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        token_interface::transfer_checked(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount, 6)?;
        let book = &mut ctx.accounts.book;
        book.amount = book.amount.checked_add(amount).unwrap(); // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Deposit<'info> {
    pub user: Signer<'info>,
    #[account(mut)]
    pub book: Account<'info, Book>,
    #[account(mut)]
    pub from: InterfaceAccount<'info, TokenAccount>,
    #[account(mut)]
    pub vault: InterfaceAccount<'info, TokenAccount>,
    pub mint: InterfaceAccount<'info, Mint>,
    pub token_program: Interface<'info, TokenInterface>,
}

#[account]
pub struct Book { pub amount: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token_2022::{transfer_checked, Token2022, TransferChecked};

#[program]
pub mod bank {
    use super::*;
    pub fn deposit(ctx: Context<Deposit>, amount: u64) -> Result<()> {
        pull(&ctx, amount)?;
        ctx.accounts.book.amount += amount; // FINDING
        Ok(())
    }
}

fn pull(ctx: &Context<Deposit>, amount: u64) -> Result<()> {
    let accounts = TransferChecked {
        from: ctx.accounts.from.to_account_info(),
        mint: ctx.accounts.mint.to_account_info(),
        to: ctx.accounts.vault.to_account_info(),
        authority: ctx.accounts.user.to_account_info(),
    };
    transfer_checked(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount, 6)
}

#[derive(Accounts)]
pub struct Deposit<'info> {
    pub user: Signer<'info>,
    #[account(mut)]
    pub book: Account<'info, Book>,
    /// CHECK: by the token program
    #[account(mut)]
    pub from: UncheckedAccount<'info>,
    /// CHECK: by the token program
    #[account(mut)]
    pub vault: UncheckedAccount<'info>,
    /// CHECK: by the token program
    pub mint: UncheckedAccount<'info>,
    pub token_program: Program<'info, Token2022>,
}

#[account]
pub struct Book { pub amount: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, Transfer};
use anchor_spl::token_2022;
use anchor_spl::token_interface::{self, Approve, Mint, TokenAccount, TokenInterface, TransferChecked};

#[program]
pub mod bank {
    use super::*;

    pub fn plus(ctx: Context<Deposit>, amount: u64, other: u64) -> Result<()> {
        token_interface::transfer_checked(paid_in(&ctx), amount, 6)?;
        let book = &mut ctx.accounts.book;
        book.amount = book.amount + amount; // FINDING
        Ok(())
    }

    pub fn grown(ctx: Context<Deposit>, amount: u64, other: u64) -> Result<()> {
        token_interface::transfer_checked(paid_in(&ctx), amount, 6)?;
        let book = &mut ctx.accounts.book;
        book.amount += amount; // FINDING
        Ok(())
    }

    pub fn checked(ctx: Context<Deposit>, amount: u64, other: u64) -> Result<()> {
        token_interface::transfer_checked(paid_in(&ctx), amount, 6)?;
        let book = &mut ctx.accounts.book;
        book.amount = book.amount.checked_add(amount).unwrap(); // FINDING
        book.due = book.due.checked_sub(amount).unwrap();
        book.due = book.due.checked_mul(amount).unwrap();
        Ok(())
    }

    pub fn set(ctx: Context<Deposit>, amount: u64, other: u64) -> Result<()> {
        token_interface::transfer_checked(paid_in(&ctx), amount, 6)?;
        let book = &mut ctx.accounts.book;
        book.amount = amount; // FINDING
        book.due = other;
        book.due = other + 1;
        Ok(())
    }

    pub fn less(ctx: Context<Deposit>, amount: u64, other: u64) -> Result<()> {
        token_interface::transfer_checked(paid_in(&ctx), amount, 6)?;
        let book = &mut ctx.accounts.book;
        book.due -= amount;
        book.due = book.due - amount;
        book.rate = amount * 2;
        Ok(())
    }

    pub fn approved(ctx: Context<Deposit>, amount: u64, other: u64) -> Result<()> {
        token_interface::approve(allowed(&ctx), amount)?;
        let book = &mut ctx.accounts.book;
        book.amount += amount;
        Ok(())
    }

    pub fn paid_out(ctx: Context<Deposit>, amount: u64, other: u64) -> Result<()> {
        let seeds: &[&[&[u8]]] = &[&[b"book"]];
        token_interface::transfer_checked(paid_in(&ctx).with_signer(seeds), amount, 6)?;
        let book = &mut ctx.accounts.book;
        book.amount += amount;
        Ok(())
    }

    pub fn due(ctx: Context<Deposit>, amount: u64, other: u64) -> Result<()> {
        let due = ctx.accounts.book.due;
        token_interface::transfer_checked(paid_in(&ctx), due, 6)?;
        let book = &mut ctx.accounts.book;
        book.amount += due;
        Ok(())
    }

    pub fn measured(ctx: Context<Deposit>, amount: u64, other: u64) -> Result<()> {
        token_interface::transfer_checked(paid_in(&ctx), amount, 6)?;
        ctx.accounts.vault.reload()?;
        let book = &mut ctx.accounts.book;
        book.amount += amount;
        Ok(())
    }

    pub fn classic(ctx: Context<Classic>, amount: u64, other: u64) -> Result<()> {
        token::transfer(classic_in(&ctx), amount)?;
        let book = &mut ctx.accounts.book;
        book.amount += amount;
        Ok(())
    }

    pub fn newer(ctx: Context<Classic>, amount: u64, other: u64) -> Result<()> {
        token_2022::transfer(classic_in(&ctx), amount)?;
        let book = &mut ctx.accounts.book;
        book.amount += amount; // FINDING
        Ok(())
    }

    pub fn either(ctx: Context<Either>, amount: u64, other: u64) -> Result<()> {
        token::transfer(either_in(&ctx), amount)?;
        let book = &mut ctx.accounts.book;
        book.amount += amount; // FINDING
        Ok(())
    }

    pub fn held(ctx: Context<Held>, amount: u64, other: u64) -> Result<()> {
        token::transfer(held_in(&ctx), amount)?;
        let book = &mut ctx.accounts.book;
        book.amount += amount; // FINDING
        Ok(())
    }

    pub fn beside(ctx: Context<Beside>, amount: u64, other: u64) -> Result<()> {
        token::transfer(beside_in(&ctx), amount)?;
        let book = &mut ctx.accounts.book;
        book.amount += amount;
        Ok(())
    }

    pub fn local(ctx: Context<Deposit>, amount: u64, other: u64) -> Result<()> {
        token_interface::transfer_checked(paid_in(&ctx), amount, 6)?;
        let mut sum = 0;
        sum += amount;
        msg!("{}", sum);
        Ok(())
    }
}

fn paid_in<'a, 'b, 'c, 'info>(ctx: &Context<'a, 'b, 'c, 'info, Deposit<'info>>) -> CpiContext<'a, 'b, 'c, 'info, TransferChecked<'info>> {
    let accounts = TransferChecked {
        from: ctx.accounts.from.to_account_info(),
        mint: ctx.accounts.mint.to_account_info(),
        to: ctx.accounts.vault.to_account_info(),
        authority: ctx.accounts.user.to_account_info(),
    };
    CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts)
}

fn classic_in<'a, 'b, 'c, 'info>(ctx: &Context<'a, 'b, 'c, 'info, Classic<'info>>) -> CpiContext<'a, 'b, 'c, 'info, Transfer<'info>> {
    let accounts = Transfer {
        from: ctx.accounts.from.to_account_info(),
        to: ctx.accounts.vault.to_account_info(),
        authority: ctx.accounts.user.to_account_info(),
    };
    CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts)
}

fn either_in<'a, 'b, 'c, 'info>(ctx: &Context<'a, 'b, 'c, 'info, Either<'info>>) -> CpiContext<'a, 'b, 'c, 'info, Transfer<'info>> {
    let accounts = Transfer {
        from: ctx.accounts.from.to_account_info(),
        to: ctx.accounts.vault.to_account_info(),
        authority: ctx.accounts.user.to_account_info(),
    };
    CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts)
}

fn held_in<'a, 'b, 'c, 'info>(ctx: &Context<'a, 'b, 'c, 'info, Held<'info>>) -> CpiContext<'a, 'b, 'c, 'info, Transfer<'info>> {
    let accounts = Transfer {
        from: ctx.accounts.from.to_account_info(),
        to: ctx.accounts.vault.to_account_info(),
        authority: ctx.accounts.user.to_account_info(),
    };
    CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts)
}

fn beside_in<'a, 'b, 'c, 'info>(ctx: &Context<'a, 'b, 'c, 'info, Beside<'info>>) -> CpiContext<'a, 'b, 'c, 'info, Transfer<'info>> {
    let accounts = Transfer {
        from: ctx.accounts.from.to_account_info(),
        to: ctx.accounts.vault.to_account_info(),
        authority: ctx.accounts.user.to_account_info(),
    };
    CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts)
}

fn allowed<'a, 'b, 'c, 'info>(ctx: &Context<'a, 'b, 'c, 'info, Deposit<'info>>) -> CpiContext<'a, 'b, 'c, 'info, Approve<'info>> {
    let accounts = Approve {
        to: ctx.accounts.from.to_account_info(),
        delegate: ctx.accounts.vault.to_account_info(),
        authority: ctx.accounts.user.to_account_info(),
    };
    CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts)
}

#[derive(Accounts)]
pub struct Deposit<'info> {
    pub user: Signer<'info>,
    #[account(mut)]
    pub book: Account<'info, Book>,
    #[account(mut)]
    pub from: InterfaceAccount<'info, TokenAccount>,
    #[account(mut)]
    pub vault: InterfaceAccount<'info, TokenAccount>,
    pub mint: InterfaceAccount<'info, Mint>,
    pub token_program: Interface<'info, TokenInterface>,
}

#[derive(Accounts)]
pub struct Classic<'info> {
    pub user: Signer<'info>,
    #[account(mut)]
    pub book: Account<'info, Book>,
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    /// CHECK: by the library
    pub token_program: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct Either<'info> {
    pub user: Signer<'info>,
    #[account(mut)]
    pub book: Account<'info, Book>,
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    pub token_program: Interface<'info, TokenInterface>,
}

#[derive(Accounts)]
pub struct Held<'info> {
    pub user: Signer<'info>,
    #[account(mut)]
    pub book: Account<'info, Book>,
    #[account(mut)]
    pub from: InterfaceAccount<'info, TokenAccount>,
    #[account(mut)]
    pub vault: InterfaceAccount<'info, TokenAccount>,
    /// CHECK: by the library
    pub token_program: UncheckedAccount<'info>,
}

#[derive(Accounts)]
pub struct Beside<'info> {
    pub user: Signer<'info>,
    #[account(mut)]
    pub book: Account<'info, Book>,
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    pub other: InterfaceAccount<'info, TokenAccount>,
    pub feed: InterfaceAccount<'info, Feed>,
    /// CHECK: by the library
    pub token_program: UncheckedAccount<'info>,
}

#[account]
pub struct Book { pub amount: u64, pub due: u64, pub rate: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token_2022::Token2022;
use anchor_spl::token_interface::{self, Mint, TokenAccount, TransferChecked};

/// Only the newer program is accepted.
#[program]
pub mod bank {
    use super::*;
    pub fn deposit(ctx: Context<Deposit>, amount: u64) -> Result<()> {
        let accounts = TransferChecked {
            from: ctx.accounts.from.to_account_info(),
            mint: ctx.accounts.mint.to_account_info(),
            to: ctx.accounts.vault.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        token_interface::transfer_checked(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount, 6)?;
        ctx.accounts.book.amount += amount; // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Deposit<'info> {
    pub user: Signer<'info>,
    #[account(mut)]
    pub book: Account<'info, Book>,
    #[account(mut)]
    pub from: InterfaceAccount<'info, TokenAccount>,
    #[account(mut)]
    pub vault: InterfaceAccount<'info, TokenAccount>,
    pub mint: InterfaceAccount<'info, Mint>,
    pub token_program: Program<'info, Token2022>,
}

#[account]
pub struct Book { pub amount: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token_interface::{self, accessor, Mint, TokenAccount, TokenInterface, TransferChecked};

#[program]
pub mod bank {
    use super::*;
    pub fn deposit(ctx: Context<Deposit>, amount: u64) -> Result<()> {
        let before = accessor::amount(&ctx.accounts.from.to_account_info())?;
        send(&ctx, amount)?;
        let after = accessor::amount(&ctx.accounts.from.to_account_info())?;
        require!(before == after + amount, ErrorCode::ConstraintRaw);
        ctx.accounts.book.amount += amount; // FINDING
        Ok(())
    }
    pub fn top_up(ctx: Context<Deposit>, amount: u64) -> Result<()> {
        let before = accessor::amount(&ctx.accounts.from.to_account_info())?;
        send(&ctx, amount)?;
        let after = accessor::amount(&ctx.accounts.from.to_account_info())?;
        require_eq!(before.checked_sub(after).unwrap(), amount);
        ctx.accounts.book.amount += amount; // FINDING
        Ok(())
    }
}

fn send(ctx: &Context<Deposit>, amount: u64) -> Result<()> {
    let accounts = TransferChecked {
        from: ctx.accounts.from.to_account_info(),
        mint: ctx.accounts.mint.to_account_info(),
        to: ctx.accounts.vault.to_account_info(),
        authority: ctx.accounts.user.to_account_info(),
    };
    token_interface::transfer_checked(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount, 6)
}

#[derive(Accounts)]
pub struct Deposit<'info> {
    pub user: Signer<'info>,
    #[account(mut)]
    pub book: Account<'info, Book>,
    #[account(mut)]
    pub from: InterfaceAccount<'info, TokenAccount>,
    #[account(mut)]
    pub vault: InterfaceAccount<'info, TokenAccount>,
    pub mint: InterfaceAccount<'info, Mint>,
    pub token_program: Interface<'info, TokenInterface>,
}

#[account]
pub struct Book { pub amount: u64 }
`,
    ],
    safe: [
      `use anchor_lang::prelude::*;
use anchor_spl::token_interface::{self, accessor, Mint, TokenAccount, TokenInterface, TransferChecked};

#[program]
pub mod bank {
    use super::*;
    pub fn deposit(ctx: Context<Deposit>, amount: u64) -> Result<()> {
        let before = accessor::amount(&ctx.accounts.vault.to_account_info())?;
        send(&ctx, amount)?;
        let after = accessor::amount(&ctx.accounts.vault.to_account_info())?;
        require!(after == before + amount, ErrorCode::ConstraintRaw);
        ctx.accounts.book.amount += amount;
        Ok(())
    }
    pub fn top_up(ctx: Context<Deposit>, amount: u64) -> Result<()> {
        let before = accessor::amount(&ctx.accounts.vault.to_account_info())?;
        send(&ctx, amount)?;
        let after = accessor::amount(&ctx.accounts.vault.to_account_info())?;
        require_eq!(after.checked_sub(before).unwrap(), amount);
        ctx.accounts.book.amount += amount;
        Ok(())
    }
}

fn send(ctx: &Context<Deposit>, amount: u64) -> Result<()> {
    let accounts = TransferChecked {
        from: ctx.accounts.from.to_account_info(),
        mint: ctx.accounts.mint.to_account_info(),
        to: ctx.accounts.vault.to_account_info(),
        authority: ctx.accounts.user.to_account_info(),
    };
    token_interface::transfer_checked(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount, 6)
}

#[derive(Accounts)]
pub struct Deposit<'info> {
    pub user: Signer<'info>,
    #[account(mut)]
    pub book: Account<'info, Book>,
    #[account(mut)]
    pub from: InterfaceAccount<'info, TokenAccount>,
    #[account(mut)]
    pub vault: InterfaceAccount<'info, TokenAccount>,
    pub mint: InterfaceAccount<'info, Mint>,
    pub token_program: Interface<'info, TokenInterface>,
}

#[account]
pub struct Book { pub amount: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token_interface::{self, Mint, TokenAccount, TokenInterface, TransferChecked};

#[program]
pub mod bank {
    use super::*;
    pub fn deposit(ctx: Context<Deposit>, amount: u64) -> Result<()> {
        let before = ctx.accounts.vault.amount;
        let accounts = TransferChecked {
            from: ctx.accounts.from.to_account_info(),
            mint: ctx.accounts.mint.to_account_info(),
            to: ctx.accounts.vault.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        token_interface::transfer_checked(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount, 6)?;
        ctx.accounts.vault.reload()?;
        let received = ctx.accounts.vault.amount.checked_sub(before).unwrap();
        let book = &mut ctx.accounts.book;
        book.amount = book.amount.checked_add(received).unwrap();
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Deposit<'info> {
    pub user: Signer<'info>,
    #[account(mut)]
    pub book: Account<'info, Book>,
    #[account(mut)]
    pub from: InterfaceAccount<'info, TokenAccount>,
    #[account(mut)]
    pub vault: InterfaceAccount<'info, TokenAccount>,
    pub mint: InterfaceAccount<'info, Mint>,
    pub token_program: Interface<'info, TokenInterface>,
}

#[account]
pub struct Book { pub amount: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod bank {
    use super::*;
    pub fn deposit(ctx: Context<Deposit>, amount: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.from.to_account_info(),
            to: ctx.accounts.vault.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount)?;
        ctx.accounts.book.amount += amount;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Deposit<'info> {
    pub user: Signer<'info>,
    #[account(mut)]
    pub book: Account<'info, Book>,
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Book { pub amount: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::Token;
use anchor_spl::token_interface::{self, Mint, TokenAccount, TransferChecked};

/// The wrappers serve both programs, but only the older one is accepted.
#[program]
pub mod bank {
    use super::*;
    pub fn deposit(ctx: Context<Deposit>, amount: u64) -> Result<()> {
        let accounts = TransferChecked {
            from: ctx.accounts.from.to_account_info(),
            mint: ctx.accounts.mint.to_account_info(),
            to: ctx.accounts.vault.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        token_interface::transfer_checked(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount, 6)?;
        ctx.accounts.book.amount += amount;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Deposit<'info> {
    pub user: Signer<'info>,
    #[account(mut)]
    pub book: Account<'info, Book>,
    #[account(mut)]
    pub from: InterfaceAccount<'info, TokenAccount>,
    #[account(mut)]
    pub vault: InterfaceAccount<'info, TokenAccount>,
    pub mint: InterfaceAccount<'info, Mint>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Book { pub amount: u64 }
`,
    ],
  },
}

const transfers = /(^|::)(transfer|transfer_checked|Transfer|TransferChecked)$/

const extension =
  /transfer_fee|get_extension|get_epoch_fee|calculate_(epoch_)?fee|calculate_inverse|^reload$|extension_types|get_extension_types|amount_after/i

const isInterface = ({ type }: Account): boolean => isNamed(type, "Interface", "InterfaceAccount")

/** `Program<'info, Token>`: the token program from before the extensions. */
const isClassic = ({ type }: Account): boolean =>
  type.kind === "named" && type.args[0] !== undefined && isNamed(type.args[0], "Token")

/** Whether the instruction fails unless so much arrives: `vault.amount == before + amount`. */
const isMeasured = (instruction: Instruction, to: Term | undefined, amount: Term): boolean =>
  successAbout(instruction, amount).some((fact) => {
    if (to === undefined || fact.kind !== "binary" || fact.operator !== "==") return false
    const isTold = (side: Term, other: Term): boolean => {
      const sum = operandsOf(side, "add")
      const difference = operandsOf(side, "sub")
      // What was read before and after is the same term.
      if (sum !== undefined) return sum.includes(amount) && sum.includes(other) && mentions(other, (one) => one === to)
      if (difference === undefined || other !== amount) return false
      return difference[0] === difference[1] && mentions(difference[0], (one) => one === to)
    }
    return isTold(fact.left, fact.right) || isTold(fact.right, fact.left)
  })

/** Whether the token program may be Token-2022. */
const mayBeToken2022 = (instruction: Instruction, cpi: Cpi): boolean => {
  const program = accountAt(instruction, cpi.program)
  if (program !== undefined && isClassic(program)) return false
  return (
    /token_interface|token_2022|token2022/.test(cpi.instruction) ||
    instruction.accounts.some(
      (one) => isInterface(one) && (cpi.program === one.term || cpi.accounts.some(({ term }) => term === one.term)),
    )
  )
}
