import { mentions } from "../../../rust/terms.ts"
import type { Rule } from "../../../Rule.ts"
import { placeOf } from "../../identity.ts"
import { reportOnce } from "../../../rust/reportOnce.ts"
import type { Account, Instruction, SolanaProgram } from "../../model.ts"
import { checksWhenDone } from "../../questions.ts"
import { dataOf, stateOf } from "../../semantics.ts"

/** Its data is looked at for its length alone, and nothing says whose or what it is. */
const measuredOnly = (instruction: Instruction, account: Account): ReturnType<typeof placeOf> | undefined => {
  if (instruction.kind !== "anchor" || checksWhenDone(instruction, account).some(({ kind }) => kind !== "data"))
    return undefined
  const { terms } = instruction.walk
  const [data, state] = [dataOf(terms, account.term), stateOf(terms, account.term)]
  let first: ReturnType<typeof placeOf> | undefined
  let measured = false
  for (const event of instruction.events) {
    if (event.kind === "read" && event.value.term === data) first ??= placeOf(event)
    if (event.kind === "assign" && mentions(event.target.term, (one) => one === account.term)) return undefined
    if (event.kind === "operation" && event.left.term === data) return undefined
    if (event.kind !== "call") continue
    if (event.result.term === state) return undefined
    const length = terms.call("len", "", [data])
    if (event.name === "len" || event.result.term === length) {
      if (!event.args.some(({ term }) => term === data || term === account.term)) continue
      measured = true
      first ??= placeOf(event)
    } else if (
      event.args.some(({ term }) => term === data) &&
      !/^(borrow|try_borrow_data|deref|as_ref|drop)$/.test(event.name)
    )
      return undefined
  }
  return measured ? first : undefined
}

export const knownBySize: Rule<SolanaProgram> = {
  meta: {
    id: "solana/serialization/known-by-size",
    class: "type-cosplay",
    title: "Account is told by the length of its data alone",
    // No byte of the account is used: what is at stake is only what the program concludes from the length.
    severity: "low",
    confidence: "medium",
    cwe: [843, 345],
    description:
      "The instruction measures the data of an unchecked account and knows nothing else of it: neither its owner, nor its address, nor a discriminator. Every account with as many bytes passes, of another type or of another program. An attacker makes one where the length is meant to prove what the account is.",
    remediation:
      "Declare the account as `Account<'info, T>`, or compare owner and discriminator before its length is taken for anything. Where only the space matters check at least `account.owner`.",
    references: [
      "https://github.com/coral-xyz/sealevel-attacks/tree/master/programs/3-type-cosplay",
      "https://solana.com/developers/courses/program-security/type-cosplay",
    ],
  },
  examples: {
    vulnerable: [
      `use anchor_lang::prelude::*;

#[program]
pub mod sizes {
    use super::*;

    pub fn measure(ctx: Context<Measure>) -> Result<()> {
        let bytes = ctx.accounts.record.try_borrow_data()?; // FINDING
        require!(bytes.len() == 40, ErrorCode::AccountDidNotDeserialize);
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Measure<'info> {
    /// CHECK: told by its size
    pub record: UncheckedAccount<'info>,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod sizes {
    use super::*;

    pub fn count(ctx: Context<Count>) -> Result<()> {
        let length = ctx.accounts.list.data.borrow().len(); // FINDING
        ctx.accounts.total.entries += (length / 32) as u64;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Count<'info> {
    /// CHECK: counted
    pub list: AccountInfo<'info>,
    #[account(mut)]
    pub total: Account<'info, Total>,
}

#[account]
pub struct Total {
    pub entries: u64,
}
`,
    ],
    safe: [
      `use anchor_lang::prelude::*;

#[program]
pub mod sizes {
    use super::*;

    pub fn measure(ctx: Context<Measure>) -> Result<()> {
        let bytes = ctx.accounts.record.try_borrow_data()?;
        require!(bytes.len() == 40, ErrorCode::AccountDidNotDeserialize);
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Measure<'info> {
    /// CHECK: this program's
    #[account(owner = crate::ID)]
    pub record: UncheckedAccount<'info>,
}
`,
      `use anchor_lang::prelude::*;

#[program]
pub mod sizes {
    use super::*;

    pub fn measure(ctx: Context<Measure>) -> Result<()> {
        let bytes = ctx.accounts.record.to_account_info().data_len();
        require!(bytes == 40, ErrorCode::AccountDidNotDeserialize);
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Measure<'info> {
    pub record: Account<'info, Record>,
}

#[account]
pub struct Record {
    pub owner: Pubkey,
}
`,
    ],
  },
  check: (program, report) => {
    const once = reportOnce(report)
    for (const { instructions } of program.crates)
      for (const instruction of instructions)
        for (const account of instruction.accounts) {
          const measured = account.wrapper === "raw" ? measuredOnly(instruction, account) : undefined
          if (measured !== undefined)
            once({
              ...measured,
              message: `Nothing is known of \`${account.name}\` but the length of its data.`,
            })
        }
  },
}
