import { mentions, type Term } from "../../../rust/terms/terms.ts"
import type { Rule } from "../../../Rule.ts"
import type { Instruction, SolanaProgram } from "../../program/model.ts"
import { accountOfState } from "../../program/semantics.ts"
import { type AssignEvent, ofKind } from "../../../rust/terms/events.ts"
import { placeOf } from "../../../rust/placeOf.ts"

export const flagNeverTested: Rule<SolanaProgram> = {
  meta: {
    id: "solana/initialization/flag-never-tested",
    class: "reinitialization",
    title: "Initialization flag is set but never checked",
    // If the account is created with `init`, the flag is merely useless.
    severity: "low",
    confidence: "low",
    cwe: [665],
    description:
      "The program marks an account as initialized, but no instruction ever checks the mark. The intended check " +
      "is missing: if the account can reach the initializing instruction twice, for example through " +
      "`init_if_needed` or a handler that accepts an existing account, its authority can be replaced.",
    remediation:
      "Return an error if the flag is already set, before any field is written. If Anchor's `init` makes a " +
      "second initialization impossible, remove the flag.",
    references: ["https://solana.com/developers/courses/program-security/reinitialization-attacks"],
  },
  check: (program, report) => {
    for (const { instructions } of program.crates) {
      const tested = new Map<string, boolean>()
      for (const instruction of instructions)
        for (const event of ofKind(instruction.events, "assign")) {
          const name = setFlag(event)
          if (name === undefined) continue
          const known = tested.get(name) ?? isTested(instructions, name)
          tested.set(name, known)
          if (!known) report({ ...placeOf(event), message: `No instruction ever checks \`${name}\`.` })
        }
    }
  },
  examples: {
    vulnerable: [
      `use anchor_lang::prelude::*;

#[program]
pub mod settings {
    use super::*;

    pub fn start(ctx: Context<Start>, manager: Pubkey) -> Result<()> {
        let settings = &mut ctx.accounts.settings;
        settings.manager = manager;
        settings.is_initialized = true; // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Start<'info> {
    #[account(init, payer = payer, space = 41)]
    pub settings: Account<'info, Settings>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Settings {
    pub manager: Pubkey,
    pub is_initialized: bool,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod settings {
    use super::*;

    pub fn start(ctx: Context<Start>, limit: u64) -> Result<()> {
        ctx.accounts.settings.initialized = true; // FINDING
        ctx.accounts.settings.limit = limit;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Start<'info> {
    #[account(init_if_needed, payer = payer, space = 41, seeds = [payer.key().as_ref()], bump)]
    pub settings: Account<'info, Settings>,
    #[account(mut)]
    pub payer: Signer<'info>,
    pub system_program: Program<'info, System>,
}

#[account]
pub struct Settings {
    pub limit: u64,
    pub initialized: bool,
}
`,
    ],
    safe: [
      `use anchor_lang::prelude::*;

#[program]
pub mod settings {
    use super::*;

    pub fn start(ctx: Context<Start>, manager: Pubkey) -> Result<()> {
        let settings = &mut ctx.accounts.settings;
        settings.refuse_if_used()?;
        settings.manager = manager;
        settings.is_initialized = true;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Start<'info> {
    #[account(mut)]
    pub settings: Account<'info, Settings>,
    pub payer: Signer<'info>,
}

#[account]
pub struct Settings {
    pub manager: Pubkey,
    pub is_initialized: bool,
}

impl Settings {
    fn refuse_if_used(&self) -> Result<()> {
        require!(!self.is_initialized, ErrorCode::ConstraintRaw);
        Ok(())
    }
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod settings {
    use super::*;

    pub fn start(ctx: Context<Start>) -> Result<()> {
        ctx.accounts.settings.is_initialized = true;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Start<'info> {
    #[account(mut, constraint = !settings.is_initialized)]
    pub settings: Account<'info, Settings>,
    pub payer: Signer<'info>,
}

#[account]
pub struct Settings {
    pub is_initialized: bool,
}
`,
    ],
  },
}

const flag = /^(is_)?(initiali[sz]ed|init|inited)$/

/** A flag of an account's state that is set to true. */
const setFlag = (event: AssignEvent): string | undefined => {
  const { term } = event.target
  if (term.kind !== "field" || !flag.test(term.name) || accountOfState(term) === undefined) return undefined
  return event.value.term.kind === "literal" && event.value.term.value === "true" ? term.name : undefined
}

const isTested = (instructions: ReadonlyArray<Instruction>, name: string): boolean => {
  const reads = (one: Term): boolean => mentions(one, (inner) => inner.kind === "field" && inner.name === name)
  return instructions.some(
    ({ events, walk }) =>
      [...walk.success].some(reads) || ofKind(events, "check").some((event) => event.conditions.some(reads)),
  )
}
