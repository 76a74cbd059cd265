import { mentions, type Term } from "../../../rust/terms.ts"
import type { Rule } from "../../../Rule.ts"
import { signersOf, storedKeys } from "../../authorisation.ts"
import type { Account, Instruction, SolanaProgram } from "../../model.ts"
import { checksWhenDone, isFromCaller, isTrusted } from "../../questions.ts"
import { accountOfState, keyOf } from "../../semantics.ts"

const isFixedSeed = (term: Term): boolean =>
  term.kind === "list" ? term.elements.every(isFixedSeed) : term.kind === "literal" || term.kind === "constant"

/** There can be only one such account: its address has no part that differs. */
const isGlobal = (instruction: Instruction, account: Account): boolean =>
  checksWhenDone(instruction, account).some(({ kind, against }) => {
    if (kind !== "pda" || against === undefined) return false
    const call = against.kind === "field" ? against.base : against
    return call.kind === "call" && call.args[0] !== undefined && isFixedSeed(call.args[0])
  })

/** Whether some signer must be who the program's author says: fixed, stored, or the upgrade authority. */
const isRestricted = (instruction: Instruction, created: Account): boolean =>
  signersOf(instruction).some((signer) => {
    const key = keyOf(instruction.walk.terms, signer.term)
    return [...instruction.walk.success].some((fact) => {
      if (!mentions(fact, (one) => one === key)) return false
      if (fact.kind !== "binary") return fact.kind === "call" || fact.kind === "succeeded"
      if (fact.operator === "!=") return false
      const other = mentions(fact.left, (one) => one === key) ? fact.right : fact.left
      return (
        accountOfState(other) !== created.term &&
        (isTrusted(other) || other.kind === "call" || other.kind === "list" || other.kind === "literal")
      )
    })
  })

export const openInitialization: Rule<SolanaProgram> = {
  meta: {
    id: "solana/initialization/open-initialization",
    class: "unprotected-init",
    title: "Anyone can initialise the program's global account first",
    severity: "high",
    // Deployers often initialise in the transaction after deployment, and redeploy when somebody was faster.
    confidence: "medium",
    cwe: [284, 665],
    description:
      "The instruction creates the one account at a constant address that configures the program, and whoever calls it first becomes its authority or chooses its settings. An attacker who watches deployments calls it before the team does and owns the program from then on.",
    remediation:
      "Let only a known key initialise: `#[account(address = ADMIN)]` on the signer, or require the program's upgrade authority with `program_data: Account<'info, ProgramData>` and `constraint = program_data.upgrade_authority_address == Some(authority.key())`.",
    references: [
      "https://docs.rs/anchor-lang/latest/anchor_lang/accounts/account/struct.Account.html",
      "https://www.helius.dev/blog/a-hitchhikers-guide-to-solana-program-security",
    ],
  },
  examples: {
    vulnerable: [
      `use anchor_lang::prelude::*;

#[program]
pub mod market {
    use super::*;

    pub fn initialize(ctx: Context<Initialize>) -> Result<()> {
        ctx.accounts.config.admin = ctx.accounts.payer.key();
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Initialize<'info> {
    #[account(init, payer = payer, space = 40, seeds = [b"config"], bump)]
    pub config: Account<'info, Config>, // FINDING
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Config {
    pub admin: Pubkey,
}
`,
      `use anchor_lang::prelude::*;

pub const SEED: &[u8] = b"global";

#[program]
pub mod market {
    use super::*;

    pub fn initialize(ctx: Context<Initialize>, admin: Pubkey, fee: u64) -> Result<()> {
        ctx.accounts.config.set_inner(Config { admin, fee });
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Initialize<'info> {
    #[account(init, payer = payer, space = 48, seeds = [SEED], bump)]
    pub config: Account<'info, Config>, // FINDING
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Config {
    pub admin: Pubkey,
    pub fee: u64,
}
`,
    ],
    safe: [
      `use anchor_lang::prelude::*;

#[program]
pub mod market {
    use super::*;

    pub fn initialize(ctx: Context<Initialize>) -> Result<()> {
        ctx.accounts.config.admin = ctx.accounts.payer.key();
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Initialize<'info> {
    #[account(init, payer = payer, space = 40, seeds = [b"config"], bump)]
    pub config: Account<'info, Config>,
    #[account(mut)]
    pub payer: Signer<'info>,
    #[account(constraint = program_data.upgrade_authority_address == Some(payer.key()))]
    pub program_data: Account<'info, ProgramData>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Config {
    pub admin: Pubkey,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod profiles {
    use super::*;

    pub fn open(ctx: Context<Open>) -> Result<()> {
        ctx.accounts.profile.user = ctx.accounts.user.key();
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Open<'info> {
    #[account(init, payer = user, space = 40, seeds = [b"profile", user.key().as_ref()], bump)]
    pub profile: Account<'info, Profile>,
    #[account(mut)]
    pub user: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Profile {
    pub user: Pubkey,
}
`,
    ],
  },
  check: (program, report) => {
    const seen = new Set<string>()
    for (const crate of program.crates)
      for (const instruction of crate.instructions)
        for (const account of instruction.accounts) {
          // Where it may exist already, writing it again is the flaw to report.
          if (account.constraints?.init !== true || account.constraints.initIfNeeded) continue
          if (storedKeys(crate, account).length === 0 || !isGlobal(instruction, account)) continue
          const chosen = instruction.events.some(
            (event) =>
              event.kind === "assign" &&
              accountOfState(event.target.term) === account.term &&
              (isFromCaller(instruction, event.value.term) ||
                mentions(event.value.term, (one) =>
                  instruction.accounts.some((other) => one === keyOf(instruction.walk.terms, other.term)),
                )),
          )
          if (!chosen || isRestricted(instruction, account)) continue
          const place = `${account.place.file.path}:${account.place.span.start}`
          if (seen.has(place)) continue
          seen.add(place)
          report({
            ...account.place,
            scope: instruction.handler.qualifiedName,
            message: `The first caller of \`${instruction.name}\` decides what \`${account.name}\` says.`,
          })
        }
  },
}
