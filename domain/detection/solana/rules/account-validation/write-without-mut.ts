import type { Rule } from "../../../Rule.ts"
import type { SolanaProgram } from "../../program/model.ts"
import { usesOf } from "../../questions/questions.ts"

export const writeWithoutMut: Rule<SolanaProgram> = {
  meta: {
    id: "solana/account-validation/write-without-mut",
    class: "missing-mut",
    title: "Modified account is not declared mutable",
    severity: "low",
    confidence: "high",
    cwe: [471],
    description:
      "The handler changes an account that its `#[account(…)]` attribute does not declare as `mut`. Anchor " +
      "writes back only mutable accounts: the change is silently lost when the instruction ends, so whatever " +
      "relies on it (a counter, a used flag, a debt) can be used again. If lamports of such an account are " +
      "changed, the transaction fails.",
    remediation: "Add `mut` to the account's attribute, or leave the account unchanged.",
    references: ["https://www.anchor-lang.com/docs/references/account-constraints"],
  },
  check: (program, report) => {
    for (const { instructions } of program.crates)
      for (const instruction of instructions)
        for (const account of instruction.accounts) {
          const { constraints, wrapper } = account
          if (constraints === undefined || constraints.mutable || (wrapper !== "state" && wrapper !== "loader"))
            continue
          const write = usesOf(instruction, account).find(
            ({ kind }) => kind === "state-write" || kind === "lamports-write",
          )
          if (write === undefined) continue
          report({
            ...account.place,
            scope: instruction.handler.qualifiedName,
            trace: [{ file: write.event.file, span: write.event.node, note: "Changed here" }],
          })
        }
  },
  examples: {
    vulnerable: [
      `use anchor_lang::prelude::*;

#[program]
pub mod tickets {
    use super::*;
    pub fn redeem(ctx: Context<Redeem>) -> Result<()> {
        let ticket = &mut ctx.accounts.ticket;
        require!(!ticket.used, ErrorCode::Used);
        ticket.used = true;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Redeem<'info> {
    #[account(has_one = holder)]
    pub ticket: Account<'info, Ticket>, // FINDING
    pub holder: Signer<'info>,
}

#[account]
pub struct Ticket { pub holder: Pubkey, pub used: bool }

#[error_code]
pub enum ErrorCode { Used }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod tickets {
    use super::*;
    pub fn count(ctx: Context<Count>) -> Result<()> {
        bump(&mut ctx.accounts.counter)
    }
}

fn bump(counter: &mut Account<Counter>) -> Result<()> {
    counter.value += 1;
    Ok(())
}

#[derive(Accounts)]
pub struct Count<'info> {
    pub counter: Account<'info, Counter>, // FINDING
}

#[account]
pub struct Counter { pub value: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod pools {
    use super::*;

    pub fn set_price(ctx: Context<SetPrice>, price: u64) -> Result<()> {
        ctx.accounts.pool.load_mut()?.price = price;
        Ok(())
    }

    pub fn pay(ctx: Context<Pay>, amount: u64) -> Result<()> {
        **ctx.accounts.vault.to_account_info().lamports.borrow_mut() -= amount;
        **ctx.accounts.user.lamports.borrow_mut() += amount;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct SetPrice<'info> {
    #[account(has_one = admin)]
    pub pool: AccountLoader<'info, Pool>, // FINDING
    pub admin: Signer<'info>,
}

#[derive(Accounts)]
pub struct Pay<'info> {
    #[account(has_one = user)]
    pub vault: Account<'info, Vault>, // FINDING
    // Anchor writes nothing back to it, and the runtime accepts what was taken from the vault.
    /// CHECK: paid
    pub user: UncheckedAccount<'info>,
}

#[account(zero_copy)]
pub struct Pool {
    pub admin: Pubkey,
    pub price: u64,
}

#[account]
pub struct Vault {
    pub user: Pubkey,
}
`,
    ],
    safe: [
      `use anchor_lang::prelude::*;

#[program]
pub mod tickets {
    use super::*;
    pub fn redeem(ctx: Context<Redeem>) -> Result<()> {
        ctx.accounts.ticket.used = true;
        ctx.accounts.log.last = ctx.accounts.shop.id;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Redeem<'info> {
    #[account(mut, has_one = holder)]
    pub ticket: Account<'info, Ticket>,
    #[account(init_if_needed, payer = holder, space = 16, seeds = [b"log"], bump)]
    pub log: Account<'info, Log>,
    pub shop: Account<'info, Shop>,
    #[account(mut)]
    pub holder: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Ticket { pub holder: Pubkey, pub used: bool }
#[account]
pub struct Log { pub last: u64 }
#[account]
pub struct Shop { pub id: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod tickets {
    use super::*;
    pub fn preview(ctx: Context<Preview>) -> Result<u64> {
        let mut counter = ctx.accounts.counter.value;
        counter += 1;
        Ok(counter)
    }
}

#[derive(Accounts)]
pub struct Preview<'info> {
    pub counter: Account<'info, Counter>,
}

#[account]
pub struct Counter { pub value: u64 }
`,
    ],
  },
}
