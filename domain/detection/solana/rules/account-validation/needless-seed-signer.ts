import type { Rule } from "../../../Rule.ts"
import { nodesOf } from "../../../rust/syntax/nodes.ts"
import type { Event } from "../../../rust/terms/events.ts"
import { mentions, type Term } from "../../../rust/terms/terms.ts"
import type { Account, Instruction, SolanaProgram } from "../../program/model.ts"

export const needlessSeedSigner: Rule<SolanaProgram> = {
  meta: {
    id: "solana/account-validation/needless-seed-signer",
    class: "overconstrained-seed",
    title: "Unnecessary signer",
    severity: "informational",
    confidence: "low",
    cwe: [1076],
    description:
      "The account is declared as `Signer`, but the instruction uses only its address, as a seed of an account " +
      "that someone else pays for. Anyone who wants to create the account for another user (a market maker, a " +
      "protocol, a program address) cannot do so, and clients collect a signature that protects nothing.",
    remediation:
      "Declare it as `UncheckedAccount` or `SystemAccount`, unless the user's consent to the creation is what the signature is for.",
    references: ["https://www.anchor-lang.com/docs/references/account-types"],
  },
  check: (program, report) => {
    for (const { instructions } of program.crates)
      for (const instruction of instructions)
        for (const account of instruction.accounts) {
          if (account.wrapper !== "signer" || account.constraints?.mutable === true) continue
          if (!isSeedOnly(instruction, account)) continue
          report({ ...account.place, scope: instruction.handler.qualifiedName })
        }
  },
  examples: {
    vulnerable: [
      `use anchor_lang::prelude::*;

#[program]
pub mod profiles {
    use super::*;
    pub fn create(ctx: Context<Create>) -> Result<()> {
        ctx.accounts.profile.points = 0;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Create<'info> {
    #[account(init, payer = payer, space = 16, seeds = [b"profile", user.key().as_ref()], bump)]
    pub profile: Account<'info, Profile>,
    pub user: Signer<'info>, // FINDING
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Profile { pub points: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod markets {
    use super::*;
    pub fn open(ctx: Context<Open>, fee: u64) -> Result<()> {
        ctx.accounts.market.fee = fee;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(mut)]
    pub sponsor: Signer<'info>,
    pub base: Signer<'info>, // FINDING
    #[account(init, payer = sponsor, space = 16, seeds = [base.key.as_ref()], bump)]
    pub market: Account<'info, Market>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Market { pub fee: u64 }
`,
    ],
    safe: [
      `use anchor_lang::prelude::*;

#[program]
pub mod profiles {
    use super::*;
    pub fn create(ctx: Context<Create>) -> Result<()> {
        ctx.accounts.profile.points = 0;
        Ok(())
    }

    pub fn spend(ctx: Context<Spend>, points: u64) -> Result<()> {
        ctx.accounts.profile.points = ctx.accounts.profile.points.checked_sub(points).unwrap();
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Create<'info> {
    #[account(init, payer = payer, space = 16, seeds = [b"profile", user.key().as_ref()], bump)]
    pub profile: Account<'info, Profile>,
    /// CHECK: a seed
    pub user: UncheckedAccount<'info>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[derive(Accounts)]
pub struct Spend<'info> {
    #[account(mut, seeds = [b"profile", user.key().as_ref()], bump)]
    pub profile: Account<'info, Profile>,
    pub user: Signer<'info>,
}

#[account]
pub struct Profile { pub points: u64 }
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod profiles {
    use super::*;
    pub fn create(ctx: Context<Create>) -> Result<()> {
        ctx.accounts.profile.owner = ctx.accounts.user.key();
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Create<'info> {
    #[account(init, payer = payer, space = 40, seeds = [b"profile", user.key().as_ref()], bump)]
    pub profile: Account<'info, Profile>,
    pub user: Signer<'info>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Profile { pub owner: Pubkey }
`,
    ],
  },
}

const namesIn = (expression: object | undefined): ReadonlySet<string> =>
  new Set(
    expression === undefined
      ? []
      : nodesOf(expression).flatMap((node) => (node.kind === "path" ? [node.path.segments[0]?.name ?? ""] : [])),
  )

const touches = (event: Event, account: Term): boolean => {
  const is = (term: Term): boolean => mentions(term, (one) => one === account)
  // Seeds are evaluated, too.
  if (event.kind === "call")
    return !/^(key|as_ref)$|program_address$/.test(event.name) && event.args.some(({ term }) => is(term))
  return event.kind === "assign" && is(event.value.term)
}

/** Whether only the seeds of accounts created here refer to it. */
const isSeedOnly = (instruction: Instruction, account: Account): boolean => {
  let seeds = false
  for (const { name, constraints } of instruction.accounts) {
    if (constraints === undefined || name === account.name) continue
    for (const { name: constraint, value } of constraints.args) {
      if (!namesIn(value).has(account.name)) continue
      if (constraint !== "seeds" || !constraints.init) return false
      seeds = true
    }
  }
  return seeds && !instruction.events.some((event) => touches(event, account.term))
}
