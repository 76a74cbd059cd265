import type { Rule } from "../../../Rule.ts"
import { declared, isTokenAccountType, reached } from "../../questions/identity.ts"
import { paymentsInAnyMint } from "../../payments/anyMint.ts"
import { hasKnownMint, movesOfAnyMint } from "../../payments/knownMint.ts"
import type { Account, Cpi, Instruction, SolanaProgram } from "../../program/model.ts"
import { signersOf } from "../../authority/authorization.ts"
import { checksAround, isMutating, usesOf } from "../../questions/questions.ts"
import { mustHold, tiesOf } from "../../ties/ties.ts"
import { keyOf, stateOf } from "../../program/semantics.ts"
import { writesOf } from "../../payments/stakes.ts"
import { mentions } from "../../../rust/terms/terms.ts"
import { type Event, ofKind } from "../../../rust/terms/events.ts"
import { isSigned } from "../../questions/signedCpi.ts"
import { placeOf } from "../../../rust/placeOf.ts"

export const tokenMintMismatch: Rule<SolanaProgram> = {
  meta: {
    id: "solana/token-handling/token-mint-mismatch",
    class: "token-mint-mismatch",
    title: "Tokens of any mint are accepted",
    severity: "high",
    confidence: "medium",
    cwe: [345, 20],
    description:
      "Tokens are moved between two token accounts, neither of which is verified by address or by mint. The " +
      "token program only ensures that both hold the same token. An attacker creates a worthless mint, passes " +
      "two accounts for it, and is credited as if they had paid with the real token.",
    remediation:
      "Constrain the accounts to the intended mint: `#[account(mut, token::mint = mint)]` or " +
      "`associated_token::mint`, `has_one = vault` on the account that stores it, or compare `account.mint` " +
      "with the expected key.",
    references: [
      "https://www.anchor-lang.com/docs/references/account-constraints",
      "https://www.helius.dev/blog/a-hitchhikers-guide-to-solana-program-security",
    ],
  },
  check: (program, report) => {
    for (const { instructions } of program.crates)
      for (const instruction of instructions) {
        for (const account of instruction.accounts) {
          const asked = admitsBy(instruction, account)
          if (asked !== undefined || admitsByConstraint(instruction, account))
            report({
              ...(asked === undefined
                ? { ...account.place, scope: instruction.handler.qualifiedName }
                : placeOf(asked)),
              message: `\`${account.name}\` may hold any tokens, including those of a worthless mint.`,
              trace: declared(account),
            })
        }
        for (const { cpi, from, to } of movesOfAnyMint(instruction))
          report({
            ...placeOf(cpi.event),
            // The caller's own tokens, which go to another account of the same mint or nowhere, and count for nothing.
            ...(isSigned(cpi) || isRecorded(instruction, cpi, to) ? {} : { severity: "low" as const }),
            message: `Neither the address nor the mint of \`${from.name}\` and \`${to.name}\` is checked.`,
            trace: reached(cpi.event, from, to),
          })
        for (const { cpi, mint } of paymentsInAnyMint(instruction))
          report({
            ...placeOf(cpi.event),
            message: `\`${mint.name}\` may be any mint, and its tokens are taken as payment.`,
            trace: reached(cpi.event, mint),
          })
      }
  },
  examples: {
    vulnerable: [
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
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount)?; // FINDING
        ctx.accounts.record.balance += amount;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Deposit<'info> {
    #[account(mut, has_one = user)]
    pub record: Account<'info, Record>,
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Record {
    pub user: Pubkey,
    pub balance: u64,
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Mint, Token, TokenAccount, Transfer};

#[program]
pub mod shop {
    use super::*;

    pub fn pay(ctx: Context<Pay>, amount: u64) -> Result<()> {
        token::transfer(ctx.accounts.context(), amount) // FINDING
    }
}

#[derive(Accounts)]
pub struct Pay<'info> {
    pub mint: Account<'info, Mint>,
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

impl<'info> Pay<'info> {
    fn context(&self) -> CpiContext<'_, '_, '_, 'info, Transfer<'info>> {
        let accounts = Transfer {
            from: self.from.to_account_info(),
            to: self.to.to_account_info(),
            authority: self.user.to_account_info(),
        };
        CpiContext::new(self.token_program.to_account_info(), accounts)
    }
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::{entrypoint::ProgramResult, program::invoke, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshSerialize, BorshDeserialize)]
pub struct Record {
    pub user: Pubkey,
    pub balance: u64,
}

pub fn deposit(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let user = next_account_info(iter)?;
    let record_info = next_account_info(iter)?;
    let from = next_account_info(iter)?;
    let vault = next_account_info(iter)?;
    if record_info.owner != program_id || !user.is_signer {
        return Err(ProgramError::IllegalOwner);
    }
    let mut record = Record::try_from_slice(&record_info.data.borrow())?;
    if record.user != *user.key {
        return Err(ProgramError::InvalidAccountData);
    }
    invoke( // FINDING
        &spl_token::instruction::transfer(&spl_token::ID, from.key, vault.key, user.key, &[], amount)?,
        &[from.clone(), vault.clone(), user.clone()],
    )?;
    record.balance = record.balance.checked_add(amount).ok_or(ProgramError::ArithmeticOverflow)?;
    record.serialize(&mut *record_info.data.borrow_mut())?;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::TokenAccount;

#[program]
pub mod clubs {
    use super::*;

    pub fn enter(ctx: Context<Enter>) -> Result<()> {
        require!(ctx.accounts.holding.amount >= ctx.accounts.club.least, ErrorCode::Poor); // FINDING
        ctx.accounts.club.members = ctx.accounts.club.members.checked_add(1).ok_or(ErrorCode::Poor)?;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Enter<'info> {
    #[account(mut)]
    pub club: Account<'info, Club>,
    #[account(constraint = holding.owner == user.key())]
    pub holding: Account<'info, TokenAccount>,
    pub user: Signer<'info>,
}

#[account]
pub struct Club {
    pub mint: Pubkey,
    pub least: u64,
    pub members: u64,
}

#[error_code]
pub enum ErrorCode {
    Poor,
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Mint, Token, TokenAccount, Transfer};

pub const MINT: Pubkey = pubkey!("So11111111111111111111111111111111111111112");
pub const OWNER: Pubkey = pubkey!("So11111111111111111111111111111111111111112");
pub const VAULT: Pubkey = pubkey!("So11111111111111111111111111111111111111112");

pub const USDC: Pubkey = pubkey!("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v");

#[program]
pub mod bank {
    use super::*;

    pub fn recorded(ctx: Context<Recorded>, amount: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.from.to_account_info(),
            to: ctx.accounts.vault.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        let context = CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts);
        token::transfer(context, amount)?; // FINDING
        ctx.accounts.record.balance += amount;
        Ok(())
    }

    pub fn unrecorded(ctx: Context<Unrecorded>, amount: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.from.to_account_info(),
            to: ctx.accounts.vault.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        let context = CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts);
        token::transfer(context, amount)?;
        Ok(())
    }

    pub fn with_mint(ctx: Context<WithMint>, amount: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.from.to_account_info(),
            to: ctx.accounts.vault.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        let context = CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts);
        token::transfer(context, amount)?; // FINDING
        Ok(())
    }

    pub fn of_mint(ctx: Context<OfMint>, amount: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.from.to_account_info(),
            to: ctx.accounts.vault.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        let context = CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts);
        token::transfer(context, amount)?;
        ctx.accounts.record.balance += amount;
        Ok(())
    }

    pub fn from_of_mint(ctx: Context<FromOfMint>, amount: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.from.to_account_info(),
            to: ctx.accounts.vault.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        let context = CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts);
        token::transfer(context, amount)?;
        ctx.accounts.record.balance += amount;
        Ok(())
    }

    pub fn associated(ctx: Context<Associated>, amount: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.from.to_account_info(),
            to: ctx.accounts.vault.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        let context = CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts);
        token::transfer(context, amount)?;
        ctx.accounts.record.balance += amount;
        Ok(())
    }

    pub fn made(ctx: Context<Made>, amount: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.from.to_account_info(),
            to: ctx.accounts.vault.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        let context = CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts);
        token::transfer(context, amount)?;
        ctx.accounts.record.balance += amount;
        Ok(())
    }

    pub fn by_key(ctx: Context<ByKey>, amount: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.from.to_account_info(),
            to: ctx.accounts.vault.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        let context = CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts);
        token::transfer(context, amount)?;
        ctx.accounts.record.balance += amount;
        Ok(())
    }

    pub fn by_seeds(ctx: Context<BySeeds>, amount: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.from.to_account_info(),
            to: ctx.accounts.vault.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        let context = CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts);
        token::transfer(context, amount)?;
        ctx.accounts.record.balance += amount;
        Ok(())
    }

    pub fn by_mint(ctx: Context<ByMint>, amount: u64) -> Result<()> {
        require_keys_eq!(ctx.accounts.vault.mint, MINT);
        let accounts = Transfer {
            from: ctx.accounts.from.to_account_info(),
            to: ctx.accounts.vault.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        let context = CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts);
        token::transfer(context, amount)?;
        ctx.accounts.record.balance += amount;
        Ok(())
    }

    pub fn by_owner(ctx: Context<ByOwner>, amount: u64) -> Result<()> {
        require_keys_eq!(ctx.accounts.vault.owner, OWNER);
        let accounts = Transfer {
            from: ctx.accounts.from.to_account_info(),
            to: ctx.accounts.vault.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        let context = CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts);
        token::transfer(context, amount)?; // FINDING
        ctx.accounts.record.balance += amount;
        Ok(())
    }

    pub fn by_record_mint(ctx: Context<ByRecordMint>, amount: u64) -> Result<()> {
        require_keys_eq!(ctx.accounts.record.mint, MINT);
        let accounts = Transfer {
            from: ctx.accounts.from.to_account_info(),
            to: ctx.accounts.vault.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        let context = CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts);
        token::transfer(context, amount)?; // FINDING
        ctx.accounts.record.balance += amount;
        Ok(())
    }

    pub fn other_type(ctx: Context<OtherType>, amount: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.from.to_account_info(),
            to: ctx.accounts.vault.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        let context = CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts);
        token::transfer(context, amount)?;
        ctx.accounts.record.balance += amount;
        Ok(())
    }

    pub fn other_from(ctx: Context<OtherFrom>, amount: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.from.to_account_info(),
            to: ctx.accounts.vault.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        let context = CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts);
        token::transfer(context, amount)?;
        ctx.accounts.record.balance += amount;
        Ok(())
    }

    pub fn enter(ctx: Context<Enter>) -> Result<()> {
        require!(ctx.accounts.ticket.amount >= 1, ErrorCode::Ticket); // FINDING
        require_keys_eq!(ctx.accounts.ticket.owner, ctx.accounts.user.key());
        Ok(())
    }

    pub fn enter_of_mint(ctx: Context<Enter>) -> Result<()> {
        require!(ctx.accounts.ticket.amount >= 1, ErrorCode::Ticket);
        require_keys_eq!(ctx.accounts.ticket.owner, ctx.accounts.user.key());
        require_keys_eq!(ctx.accounts.ticket.mint, MINT);
        Ok(())
    }

    pub fn enter_any(ctx: Context<Enter>) -> Result<()> {
        require!(ctx.accounts.ticket.amount >= 1, ErrorCode::Ticket);
        Ok(())
    }

    pub fn enter_not(ctx: Context<Enter>) -> Result<()> {
        require!(ctx.accounts.ticket.amount != 1, ErrorCode::Ticket);
        require_keys_eq!(ctx.accounts.ticket.owner, ctx.accounts.user.key());
        Ok(())
    }

    pub fn enter_by_record(ctx: Context<Enter>) -> Result<()> {
        require!(ctx.accounts.pass.amount >= 1, ErrorCode::Ticket);
        require_keys_eq!(ctx.accounts.pass.owner, ctx.accounts.user.key());
        Ok(())
    }

    pub fn pay(ctx: Context<Enter>) -> Result<()> {
        require!(ctx.accounts.ticket.amount >= 1, ErrorCode::Ticket);
        require_keys_eq!(ctx.accounts.ticket.owner, ctx.accounts.user.key());
        let accounts = Transfer {
            from: ctx.accounts.ticket.to_account_info(),
            to: ctx.accounts.known.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), 1)
    }
}

#[derive(Accounts)]
pub struct Recorded<'info> {
    #[account(mut, has_one = user)]
    pub record: Account<'info, Record>,
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Unrecorded<'info> {
    #[account(mut, has_one = user)]
    pub record: Account<'info, Record>,
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct WithMint<'info> {
    #[account(mut, has_one = user)]
    pub record: Account<'info, Record>,
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    pub mint: Account<'info, Mint>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct OfMint<'info> {
    #[account(mut, has_one = user)]
    pub record: Account<'info, Record>,
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut, token::mint = mint)]
    pub vault: Account<'info, TokenAccount>,
    #[account(address = USDC)]
    pub mint: Account<'info, Mint>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct FromOfMint<'info> {
    #[account(mut, has_one = user)]
    pub record: Account<'info, Record>,
    #[account(mut, token::mint = mint)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(address = USDC)]
    pub mint: Account<'info, Mint>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Associated<'info> {
    #[account(mut, has_one = user)]
    pub record: Account<'info, Record>,
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut, associated_token::mint = mint, associated_token::authority = user)]
    pub vault: Account<'info, TokenAccount>,
    #[account(address = USDC)]
    pub mint: Account<'info, Mint>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Made<'info> {
    #[account(mut, has_one = user)]
    pub record: Account<'info, Record>,
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(init, payer = user, space = 165)]
    pub vault: Account<'info, TokenAccount>,
    pub system_program: Program<'info, System>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct ByKey<'info> {
    #[account(mut, has_one = user)]
    pub record: Account<'info, Record>,
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut, address = VAULT)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct BySeeds<'info> {
    #[account(mut, has_one = user)]
    pub record: Account<'info, Record>,
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut, seeds = [b"vault"], bump)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct ByMint<'info> {
    #[account(mut, has_one = user)]
    pub record: Account<'info, Record>,
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct ByOwner<'info> {
    #[account(mut, has_one = user)]
    pub record: Account<'info, Record>,
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct ByRecordMint<'info> {
    #[account(mut, has_one = user)]
    pub record: Account<'info, Record>,
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct OtherType<'info> {
    #[account(mut, has_one = user)]
    pub record: Account<'info, Record>,
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub vault: Account<'info, Record>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct OtherFrom<'info> {
    #[account(mut, has_one = user)]
    pub record: Account<'info, Record>,
    #[account(mut)]
    pub from: Account<'info, Record>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Enter<'info> {
    pub user: Signer<'info>,
    #[account(mut)]
    pub ticket: Account<'info, TokenAccount>,
    pub pass: Account<'info, Pass>,
    #[account(mut, address = VAULT)]
    pub known: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Record { pub user: Pubkey, pub mint: Pubkey, pub balance: u64 }

#[account]
pub struct Pass { pub owner: Pubkey, pub amount: u64 }

#[error_code]
pub enum ErrorCode { Ticket }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Mint, Token, TokenAccount, Transfer, TransferChecked};

pub const GOLD: Pubkey = pubkey!("Stake11111111111111111111111111111111111111");

#[program]
pub mod desk {
    use super::*;
    // The mint that is given to the token program is known itself.
    pub fn pay_gold(ctx: Context<PayGold>, amount: u64) -> Result<()> {
        let accounts = TransferChecked {
            from: ctx.accounts.from.to_account_info(),
            mint: ctx.accounts.mint.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        token::transfer_checked(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount, 6)?;
        ctx.accounts.desk.paid += amount;
        Ok(())
    }
    pub fn pay_own(ctx: Context<PayOwn>, amount: u64) -> Result<()> {
        let accounts = TransferChecked {
            from: ctx.accounts.from.to_account_info(),
            mint: ctx.accounts.mint.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        token::transfer_checked(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount, 6)?;
        ctx.accounts.desk.paid += amount;
        Ok(())
    }
    pub fn pay_any(ctx: Context<PayAny>, amount: u64) -> Result<()> {
        let accounts = TransferChecked {
            from: ctx.accounts.from.to_account_info(),
            mint: ctx.accounts.mint.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        token::transfer_checked(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount, 6)?; // FINDING
        ctx.accounts.desk.paid += amount;
        Ok(())
    }
    // Nothing is noted down and nothing given: whoever sends worthless tokens sends them.
    pub fn pass_on(ctx: Context<PassOn>, amount: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.from.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount)
    }
    // The amount is not a limit that has to be reached.
    pub fn empty(ctx: Context<PassOn>) -> Result<()> {
        require!(ctx.accounts.from.owner == ctx.accounts.user.key(), ErrorCode::Filled);
        require!(ctx.accounts.from.amount == 6, ErrorCode::Filled);
        Ok(())
    }
}

#[derive(Accounts)]
pub struct PayGold<'info> {
    #[account(mut)]
    pub desk: Account<'info, Desk>,
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    #[account(address = GOLD)]
    pub mint: Account<'info, Mint>,
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct PayOwn<'info> {
    #[account(mut)]
    pub desk: Account<'info, Desk>,
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    #[account(seeds = [b"mint"], bump)]
    pub mint: Account<'info, Mint>,
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct PayAny<'info> {
    #[account(mut)]
    pub desk: Account<'info, Desk>,
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub mint: Account<'info, Mint>,
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct PassOn<'info> {
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Desk { pub paid: u64 }

#[error_code]
pub enum ErrorCode { Filled }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Burn, Mint, Token, TokenAccount, Transfer};

#[program]
pub mod sales {
    use super::*;
    pub fn buy(ctx: Context<Buy>, amount: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.paying.to_account_info(),
            to: ctx.accounts.till.to_account_info(),
            authority: ctx.accounts.buyer.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount)?; // FINDING
        ctx.accounts.receipt.amount = amount;
        Ok(())
    }
    pub fn redeem(ctx: Context<Redeem>, shares: u64) -> Result<()> {
        let burned = Burn {
            mint: ctx.accounts.share_mint.to_account_info(),
            from: ctx.accounts.shares.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        token::burn(CpiContext::new(ctx.accounts.token_program.to_account_info(), burned), shares)?; // FINDING
        let paid = Transfer {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.target.to_account_info(),
            authority: ctx.accounts.pool.to_account_info(),
        };
        let seeds: &[&[u8]] = &[b"pool", &[ctx.accounts.pool.bump]];
        token::transfer(
            CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), paid, &[seeds]),
            shares,
        )
    }
}

#[derive(Accounts)]
pub struct Buy<'info> {
    pub buyer: Signer<'info>,
    pub currency: Account<'info, Mint>,
    #[account(mut, token::mint = currency, token::authority = buyer)]
    pub paying: Account<'info, TokenAccount>,
    /// CHECK: an address of the program
    #[account(seeds = [b"till"], bump)]
    pub holder: UncheckedAccount<'info>,
    #[account(mut, associated_token::mint = currency, associated_token::authority = holder)]
    pub till: Account<'info, TokenAccount>,
    #[account(mut)]
    pub receipt: Account<'info, Receipt>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Redeem<'info> {
    pub user: Signer<'info>,
    #[account(seeds = [b"pool"], bump = pool.bump, has_one = vault)]
    pub pool: Account<'info, Pool>,
    #[account(mut)]
    pub share_mint: Account<'info, Mint>,
    #[account(mut)]
    pub shares: Account<'info, TokenAccount>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub target: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Receipt { pub amount: u64, pub currency: Pubkey }

#[account]
pub struct Pool { pub vault: Pubkey, pub bump: u8 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod locks {
    use super::*;
    // The lock is opened here.
    pub fn release(ctx: Context<Release>, amount: u64) -> Result<()> {
        ctx.accounts.lock.left = ctx.accounts.lock.left.checked_sub(amount).unwrap();
        let moved = Transfer {
            from: ctx.accounts.from.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.lock.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), moved), amount) // FINDING
    }
    // The tree names the amount only.
    pub fn claim(ctx: Context<Claim>, amount: u64) -> Result<()> {
        let leaf = keccak::hashv(&[&amount.to_le_bytes()]).0;
        require!(leaf == ctx.accounts.drop.root, ErrorCode::ConstraintRaw);
        ctx.accounts.drop.left = ctx.accounts.drop.left.checked_sub(amount).unwrap();
        let moved = Transfer {
            from: ctx.accounts.from.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.drop.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), moved), amount) // FINDING
    }
}

#[derive(Accounts)]
pub struct Release<'info> {
    #[account(init, payer = payer, space = 16, seeds = [b"lock", from.key().as_ref()], bump)]
    pub lock: Account<'info, Lock>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Claim<'info> {
    #[account(mut)]
    pub drop: Account<'info, Drop>,
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Lock { pub left: u64 }
#[account]
pub struct Drop { pub root: [u8; 32], pub left: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::TokenAccount;

#[program]
pub mod doors {
    use super::*;
    pub fn enter(ctx: Context<Enter>) -> Result<()> {
        let door = &mut ctx.accounts.door;
        door.visits = door.visits.checked_add(1).unwrap();
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Enter<'info> {
    pub visitor: Signer<'info>,
    #[account(constraint = ticket.owner == visitor.key(), constraint = ticket.amount == 1)]
    pub ticket: Account<'info, TokenAccount>, // FINDING
    #[account(mut)]
    pub door: Account<'info, Door>,
}

#[account]
pub struct Door { pub ticket_mint: Pubkey, pub visits: u64 }
`,
    ],
    safe: [
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Mint, Token, TokenAccount, Transfer};

pub const USDC: Pubkey = pubkey!("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v");

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
        ctx.accounts.record.balance += amount;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Deposit<'info> {
    #[account(mut, has_one = user)]
    pub record: Account<'info, Record>,
    #[account(address = USDC)]
    pub mint: Account<'info, Mint>,
    #[account(mut, token::mint = mint)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Record {
    pub user: Pubkey,
    pub balance: u64,
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod bank {
    use super::*;

    pub fn deposit(ctx: Context<Deposit>, amount: u64) -> Result<()> {
        check_vault(&ctx.accounts.bank, &ctx.accounts.vault)?;
        let accounts = Transfer {
            from: ctx.accounts.from.to_account_info(),
            to: ctx.accounts.vault.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount)?;
        ctx.accounts.bank.total += amount;
        Ok(())
    }
}

fn check_vault(bank: &Bank, vault: &Account<TokenAccount>) -> Result<()> {
    require_keys_eq!(bank.vault, vault.key());
    Ok(())
}

#[derive(Accounts)]
pub struct Deposit<'info> {
    #[account(mut)]
    pub bank: Account<'info, Bank>,
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    pub user: Signer<'info>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Bank {
    pub vault: Pubkey,
    pub total: u64,
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::TokenAccount;

#[program]
pub mod clubs {
    use super::*;

    pub fn enter(ctx: Context<Enter>) -> Result<()> {
        require!(ctx.accounts.holding.amount >= ctx.accounts.club.least, ErrorCode::Poor);
        ctx.accounts.club.members = ctx.accounts.club.members.checked_add(1).ok_or(ErrorCode::Poor)?;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Enter<'info> {
    #[account(mut)]
    pub club: Account<'info, Club>,
    #[account(constraint = holding.owner == user.key() && holding.mint == club.mint)]
    pub holding: Account<'info, TokenAccount>,
    pub user: Signer<'info>,
}

#[account]
pub struct Club {
    pub mint: Pubkey,
    pub least: u64,
    pub members: u64,
}

#[error_code]
pub enum ErrorCode {
    Poor,
}
`,
      `use solana_program::account_info::{next_account_info, AccountInfo};
use solana_program::program::invoke;
use solana_program::{entrypoint::ProgramResult, program_error::ProgramError, pubkey::Pubkey};
use borsh::{BorshDeserialize, BorshSerialize};

#[derive(BorshDeserialize, BorshSerialize)]
pub struct Desk { pub paid: u64 }

// The account is made for the mint that it is made for.
pub fn open(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let desk_info = next_account_info(iter)?;
    let from = next_account_info(iter)?;
    let to = next_account_info(iter)?;
    let mint = next_account_info(iter)?;
    let user = next_account_info(iter)?;
    if desk_info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    invoke(&spl_token::instruction::initialize_account(&spl_token::ID, to.key, mint.key, user.key)?, &[to.clone(), mint.clone()])?;
    invoke(&spl_token::instruction::transfer(&spl_token::ID, from.key, to.key, user.key, &[], amount)?, &[from.clone(), to.clone(), user.clone()])?;
    let mut desk = Desk::try_from_slice(&desk_info.data.borrow())?;
    desk.paid += amount;
    desk.serialize(&mut *desk_info.data.borrow_mut())?;
    Ok(())
}

pub fn empty(program_id: &Pubkey, accounts: &[AccountInfo], amount: u64) -> ProgramResult {
    let iter = &mut accounts.iter();
    let desk_info = next_account_info(iter)?;
    let from = next_account_info(iter)?;
    let to = next_account_info(iter)?;
    let mint = next_account_info(iter)?;
    let user = next_account_info(iter)?;
    if desk_info.owner != program_id {
        return Err(ProgramError::IllegalOwner);
    }
    invoke(&spl_token::instruction::initialize_account(&spl_token::ID, from.key, mint.key, user.key)?, &[from.clone(), mint.clone()])?;
    invoke(&spl_token::instruction::transfer(&spl_token::ID, from.key, to.key, user.key, &[], amount)?, &[from.clone(), to.clone(), user.clone()])?;
    let mut desk = Desk::try_from_slice(&desk_info.data.borrow())?;
    desk.paid += amount;
    desk.serialize(&mut *desk_info.data.borrow_mut())?;
    Ok(())
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Burn, Mint, Token, TokenAccount, Transfer};

#[program]
pub mod sales {
    use super::*;
    pub fn buy(ctx: Context<Buy>, amount: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.paying.to_account_info(),
            to: ctx.accounts.till.to_account_info(),
            authority: ctx.accounts.buyer.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount)?;
        ctx.accounts.receipt.amount = amount;
        ctx.accounts.receipt.currency = ctx.accounts.currency.key();
        Ok(())
    }
    pub fn redeem(ctx: Context<Redeem>, shares: u64) -> Result<()> {
        let burned = Burn {
            mint: ctx.accounts.share_mint.to_account_info(),
            from: ctx.accounts.shares.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        token::burn(CpiContext::new(ctx.accounts.token_program.to_account_info(), burned), shares)?;
        let paid = Transfer {
            from: ctx.accounts.vault.to_account_info(),
            to: ctx.accounts.target.to_account_info(),
            authority: ctx.accounts.pool.to_account_info(),
        };
        let seeds: &[&[u8]] = &[b"pool", &[ctx.accounts.pool.bump]];
        token::transfer(
            CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), paid, &[seeds]),
            shares,
        )
    }
    /// The mint decides what it counts for.
    pub fn weigh(ctx: Context<Weigh>, amount: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.paying.to_account_info(),
            to: ctx.accounts.till.to_account_info(),
            authority: ctx.accounts.buyer.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount)?;
        let rate = rates::lookup(ctx.accounts.paying.mint)?;
        ctx.accounts.receipt.amount = amount.checked_mul(rate).unwrap();
        Ok(())
    }
    pub fn prefer(ctx: Context<Weigh>, amount: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.paying.to_account_info(),
            to: ctx.accounts.till.to_account_info(),
            authority: ctx.accounts.buyer.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount)?;
        if ctx.accounts.paying.mint == ctx.accounts.receipt.currency {
            ctx.accounts.receipt.amount = amount;
        }
        Ok(())
    }
    /// Nothing is given for what is burned.
    pub fn burn(ctx: Context<BurnOwn>, amount: u64) -> Result<()> {
        let burned = Burn {
            mint: ctx.accounts.mint.to_account_info(),
            from: ctx.accounts.from.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        token::burn(CpiContext::new(ctx.accounts.token_program.to_account_info(), burned), amount)
    }
    /// Each mint has a vault and a count of its own.
    pub fn lock(ctx: Context<Lock>, amount: u64) -> Result<()> {
        let accounts = Transfer {
            from: ctx.accounts.from.to_account_info(),
            to: ctx.accounts.vault.to_account_info(),
            authority: ctx.accounts.user.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), accounts), amount)?;
        ctx.accounts.count.amount = ctx.accounts.count.amount.checked_add(amount).unwrap();
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Buy<'info> {
    pub buyer: Signer<'info>,
    pub currency: Account<'info, Mint>,
    #[account(mut, token::mint = currency, token::authority = buyer)]
    pub paying: Account<'info, TokenAccount>,
    /// CHECK: an address of the program
    #[account(seeds = [b"till"], bump)]
    pub holder: UncheckedAccount<'info>,
    #[account(mut, associated_token::mint = currency, associated_token::authority = holder)]
    pub till: Account<'info, TokenAccount>,
    #[account(mut)]
    pub receipt: Account<'info, Receipt>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Redeem<'info> {
    pub user: Signer<'info>,
    #[account(seeds = [b"pool"], bump = pool.bump, has_one = vault)]
    pub pool: Account<'info, Pool>,
    #[account(mut, mint::authority = pool)]
    pub share_mint: Account<'info, Mint>,
    #[account(mut)]
    pub shares: Account<'info, TokenAccount>,
    #[account(mut)]
    pub vault: Account<'info, TokenAccount>,
    #[account(mut)]
    pub target: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Weigh<'info> {
    pub buyer: Signer<'info>,
    pub currency: Account<'info, Mint>,
    #[account(mut, token::mint = currency, token::authority = buyer)]
    pub paying: Account<'info, TokenAccount>,
    /// CHECK: an address of the program
    #[account(seeds = [b"till"], bump)]
    pub holder: UncheckedAccount<'info>,
    #[account(mut, associated_token::mint = currency, associated_token::authority = holder)]
    pub till: Account<'info, TokenAccount>,
    #[account(mut)]
    pub receipt: Account<'info, Receipt>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct BurnOwn<'info> {
    pub user: Signer<'info>,
    #[account(mut)]
    pub mint: Account<'info, Mint>,
    #[account(mut, token::mint = mint)]
    pub from: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Lock<'info> {
    pub user: Signer<'info>,
    pub mint: Account<'info, Mint>,
    #[account(mut, seeds = [b"count", mint.key().as_ref()], bump)]
    pub count: Account<'info, Receipt>,
    #[account(mut, token::mint = mint)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut, associated_token::mint = mint, associated_token::authority = count)]
    pub vault: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Receipt { pub amount: u64, pub currency: Pubkey }

#[account]
pub struct Pool { pub vault: Pubkey, pub bump: u8 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::{self, Token, TokenAccount, Transfer};

#[program]
pub mod locks {
    use super::*;
    /// The lock was opened for this account.
    pub fn release(ctx: Context<Release>, amount: u64) -> Result<()> {
        ctx.accounts.lock.left = ctx.accounts.lock.left.checked_sub(amount).unwrap();
        let moved = Transfer {
            from: ctx.accounts.from.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.lock.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), moved), amount)
    }
    /// The tree names the mint.
    pub fn claim(ctx: Context<Claim>, amount: u64) -> Result<()> {
        let leaf = keccak::hashv(&[ctx.accounts.from.mint.as_ref(), &amount.to_le_bytes()]).0;
        require!(leaf == ctx.accounts.drop.root, ErrorCode::ConstraintRaw);
        ctx.accounts.drop.left = ctx.accounts.drop.left.checked_sub(amount).unwrap();
        let moved = Transfer {
            from: ctx.accounts.from.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.drop.to_account_info(),
        };
        token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), moved), amount)
    }
}

#[derive(Accounts)]
pub struct Release<'info> {
    #[account(mut, seeds = [b"lock", from.key().as_ref()], bump)]
    pub lock: Account<'info, Lock>,
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[derive(Accounts)]
pub struct Claim<'info> {
    #[account(mut)]
    pub drop: Account<'info, Drop>,
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub token_program: Program<'info, Token>,
}

#[account]
pub struct Lock { pub left: u64 }
#[account]
pub struct Drop { pub root: [u8; 32], pub left: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::TokenAccount;

#[program]
pub mod doors {
    use super::*;
    pub fn enter(ctx: Context<Enter>) -> Result<()> {
        let door = &mut ctx.accounts.door;
        door.visits = door.visits.checked_add(1).unwrap();
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Enter<'info> {
    pub visitor: Signer<'info>,
    #[account(constraint = ticket.owner == visitor.key(), constraint = ticket.amount == 1, constraint = ticket.mint == door.ticket_mint)]
    pub ticket: Account<'info, TokenAccount>,
    #[account(mut)]
    pub door: Account<'info, Door>,
}

#[account]
pub struct Door { pub ticket_mint: Pubkey, pub visits: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::TokenAccount;

#[program]
pub mod doors {
    use super::*;
    pub fn enter(ctx: Context<Enter>) -> Result<()> {
        msg!("{}", ctx.accounts.door.visits);
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Enter<'info> {
    pub visitor: Signer<'info>,
    #[account(constraint = ticket.owner == visitor.key(), constraint = ticket.amount == 1)]
    pub ticket: Account<'info, TokenAccount>,
    pub door: Account<'info, Door>,
}

#[account]
pub struct Door { pub ticket_mint: Pubkey, pub visits: u64 }
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::TokenAccount;

#[program]
pub mod doors {
    use super::*;
    pub fn enter(ctx: Context<Enter>) -> Result<()> {
        let door = &mut ctx.accounts.door;
        door.visits = door.visits.checked_add(1).unwrap();
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Enter<'info> {
    pub visitor: Signer<'info>,
    #[account(constraint = ticket.owner == door.key(), constraint = ticket.amount == 1)]
    pub ticket: Account<'info, TokenAccount>,
    #[account(mut)]
    pub door: Account<'info, Door>,
}

#[account]
pub struct Door { pub ticket_mint: Pubkey, pub visits: u64 }
`,
    ],
  },
}

/** Whether a record says how much was moved, or to where. */
const isRecorded = (instruction: Instruction, cpi: Cpi, to: Account): boolean => {
  const key = keyOf(instruction.walk.terms, to.term)
  return writesOf(instruction).some(({ value }) => mentions(value, (one) => one === key || cpi.args.includes(one)))
}

/** Where the signer's balance is required, and any token will do: holders of worthless ones are admitted. */
const admitsBy = (instruction: Instruction, account: Account): Event | undefined => {
  if (!isTokenAccountType(account.state) || usesOf(instruction, account).some(({ kind }) => kind === "cpi-account"))
    return undefined
  const amount = instruction.walk.terms.field(stateOf(instruction.walk.terms, account.term), "amount")
  const asked = ofKind(instruction.events, "check").find((event) =>
    event.conditions.some((one) => one.kind === "binary" && /^<=?$/.test(one.operator) && one.right === amount),
  )
  if (asked === undefined || hasKnownMint(asked, account)) return undefined
  const owned = checksAround(asked, account).some(({ fact }) =>
    mentions(fact, (one) => one.kind === "field" && one.name === "owner"),
  )
  return owned ? asked : undefined
}

/** The same for `constraint = ticket.amount == 1`, which is not an event. */
const admitsByConstraint = (instruction: Instruction, account: Account): boolean => {
  if (!mustHold(instruction, account) || !isTokenAccountType(account.state) || !isMutating(instruction)) return false
  if (usesOf(instruction, account).some(({ kind }) => kind === "cpi-account")) return false
  const end = instruction.events.findLast((event) => event.kind === "exit" && event.success)
  const ties = tiesOf(instruction).of(account)
  return (
    end !== undefined &&
    ties.some(
      ({ slot, other }) => slot === "own owner" && other !== undefined && signersOf(instruction).includes(other),
    ) &&
    !tiesOf(instruction).isAsked(account) &&
    !hasKnownMint(end, account)
  )
}
