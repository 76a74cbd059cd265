import type { Event } from "../../../rust/events.ts"
import { mentions, type Term } from "../../../rust/terms.ts"
import { definitionOf, isNamed, pointee, resolveType } from "../../../rust/types.ts"
import type { Rule } from "../../../Rule.ts"
import { isPinned, isTokenAccountType, oncePerPlace, placeOf, readType } from "../../identity.ts"
import type { Account, Instruction, SolanaCrate, SolanaProgram } from "../../model.ts"
import { checksWhenDone, cpisOf, isFromCaller, isMutating, usesOf } from "../../questions.ts"
import { accountOfState, keyOf, stateOf } from "../../semantics.ts"

/** A token account whose balance or owner is used although it may be anybody's. */
const strangersToken = (instruction: Instruction, account: Account): Event | undefined => {
  const uses = usesOf(instruction, account)
  const read = uses.find(({ kind, event }) => kind === "deserialise" && isTokenAccountType(readType(event)))?.event
  const typed = isTokenAccountType(account.state) ? uses.find(({ kind }) => kind === "state-read")?.event : undefined
  const found = read ?? typed
  if (found === undefined || uses.some(({ kind }) => kind === "cpi-account" || kind.endsWith("-write")))
    return undefined
  const checks = checksWhenDone(instruction, account)
  if (isPinned(checks) || checks.some(({ kind }) => kind === "call")) return undefined
  return account.constraints?.token !== undefined || account.constraints?.associatedToken !== undefined
    ? undefined
    : found
}

const lastName = ({ name }: Account): string => name.split(".").at(-1)!

interface Unrelated {
  readonly holder: Account
  readonly field: string
  readonly other: Account
}

/** `holder` stores the address of an account of the same name as the one that is given, and nobody compares them. */
const unrelated = (crate: SolanaCrate, instruction: Instruction): ReadonlyArray<Unrelated> => {
  if (instruction.kind !== "anchor" || !isMutating(instruction)) return []
  const { terms, success } = instruction.walk
  const found: Array<Unrelated> = []
  for (const holder of instruction.accounts) {
    if (holder.wrapper !== "state" && holder.wrapper !== "loader") continue
    if (holder.constraints?.init || holder.constraints?.initIfNeeded || holder.constraints?.zero) continue
    const definition = holder.state === undefined ? undefined : definitionOf(holder.state)
    if (definition?.kind !== "struct") continue
    const state = stateOf(terms, holder.term)
    const writes = instruction.events.filter(
      (event) => event.kind === "assign" && accountOfState(event.target.term) === holder.term,
    )
    for (const field of definition.item.fields) {
      const type = resolveType({ resolver: crate.project.resolver, module: definition.module }, field.type)
      if (!isNamed(pointee(type), "Pubkey")) continue
      const other = instruction.accounts.find((one) => one !== holder && lastName(one) === field.name)
      if (other === undefined || other.constraints?.init) continue
      const stored = terms.field(state, field.name)
      const key = keyOf(terms, other.term)
      const about = (term: Term): boolean => mentions(term, (one) => one === stored)
      if ([...success].some((fact) => about(fact) || tiesAddress(fact, holder, other, instruction))) continue
      // Written here: it is about to be the stored one.
      if (
        writes.some((event) => event.kind === "assign" && (event.target.term === stored || event.target.term === state))
      )
        continue
      if (instruction.events.some((event) => event.kind === "check" && event.conditions.some(about))) continue
      // What the caller writes into the account is the missing access control's concern.
      if (writes.some((event) => event.kind === "assign" && isFromCaller(instruction, event.value.term))) continue
      if (other.wrapper === "raw" && !checksWhenDone(instruction, other).some(({ kind }) => kind === "signer")) {
        if (!cpisOf(instruction).some(({ accounts }) => accounts.some(({ term }) => term === other.term))) continue
      }
      if (checksWhenDone(instruction, other).some(({ kind, against }) => kind === "key" && against !== key)) continue
      found.push({ holder, field: field.name, other })
    }
  }
  return found
}

/** One's address is made from the other's. */
const tiesAddress = (fact: Term, holder: Account, other: Account, instruction: Instruction): boolean => {
  const { terms } = instruction.walk
  const [a, b] = [keyOf(terms, holder.term), keyOf(terms, other.term)]
  const has = (term: Term, one: Term): boolean => mentions(term, (inner) => inner === one)
  return fact.kind === "binary" && fact.operator === "==" && has(fact, a) && has(fact, b)
}

export const missingRelationCheck: Rule<SolanaProgram> = {
  meta: {
    id: "solana/account-validation/missing-relation-check",
    class: "account-data-matching",
    title: "Accounts are not checked to belong together",
    severity: "high",
    confidence: "medium",
    cwe: [639, 345],
    description:
      "The instruction takes accounts that should belong together, such as a vault and its authority, or a token account and its owner, and never compares the address that one of them stores with the other. An attacker combines a victim's account with one of their own: each is valid on its own, and the program acts on the victim's account with the attacker's right.",
    remediation:
      "Tie the accounts: `#[account(has_one = authority)]`, a `constraint` that compares the stored key, `token::authority = …`, or seeds that contain the other account's key. In native programs compare the keys and return an error.",
    references: [
      "https://github.com/coral-xyz/sealevel-attacks/tree/master/programs/1-account-data-matching",
      "https://solana.com/developers/courses/program-security/account-data-matching",
    ],
  },
  examples: {
    vulnerable: [
      `use anchor_lang::prelude::*;

#[program]
pub mod vaults {
    use super::*;

    pub fn withdraw(ctx: Context<Withdraw>, amount: u64) -> Result<()> {
        **ctx.accounts.vault.to_account_info().try_borrow_mut_lamports()? -= amount;
        **ctx.accounts.authority.to_account_info().try_borrow_mut_lamports()? += amount;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Withdraw<'info> {
    #[account(mut)]
    pub vault: Account<'info, Vault>, // FINDING
    #[account(mut)]
    pub authority: Signer<'info>,
}

#[account]
pub struct Vault {
    pub authority: Pubkey,
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::TokenAccount;

#[program]
pub mod votes {
    use super::*;

    pub fn vote(ctx: Context<Vote>) -> Result<()> {
        ctx.accounts.poll.votes += ctx.accounts.holding.amount; // FINDING
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Vote<'info> {
    #[account(mut)]
    pub poll: Account<'info, Poll>,
    pub holding: Account<'info, TokenAccount>,
    pub voter: Signer<'info>,
}

#[account]
pub struct Poll {
    pub votes: u64,
}
`,
    ],
    safe: [
      `use anchor_lang::prelude::*;

#[program]
pub mod vaults {
    use super::*;

    pub fn withdraw(ctx: Context<Withdraw>, amount: u64) -> Result<()> {
        **ctx.accounts.vault.to_account_info().try_borrow_mut_lamports()? -= amount;
        **ctx.accounts.authority.to_account_info().try_borrow_mut_lamports()? += amount;
        Ok(())
    }

    pub fn withdraw_checked(ctx: Context<WithdrawChecked>, amount: u64) -> Result<()> {
        ctx.accounts.vault.check(ctx.accounts.authority.key)?;
        **ctx.accounts.vault.to_account_info().try_borrow_mut_lamports()? -= amount;
        **ctx.accounts.authority.to_account_info().try_borrow_mut_lamports()? += amount;
        Ok(())
    }

    pub fn withdraw_derived(ctx: Context<WithdrawDerived>, amount: u64) -> Result<()> {
        **ctx.accounts.vault.to_account_info().try_borrow_mut_lamports()? -= amount;
        **ctx.accounts.authority.to_account_info().try_borrow_mut_lamports()? += amount;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Withdraw<'info> {
    #[account(mut, has_one = authority)]
    pub vault: Account<'info, Vault>,
    #[account(mut)]
    pub authority: Signer<'info>,
}

#[derive(Accounts)]
pub struct WithdrawChecked<'info> {
    #[account(mut)]
    pub vault: Account<'info, Vault>,
    #[account(mut)]
    pub authority: Signer<'info>,
}

#[derive(Accounts)]
pub struct WithdrawDerived<'info> {
    #[account(mut, seeds = [b"vault", authority.key().as_ref()], bump)]
    pub vault: Account<'info, Vault>,
    #[account(mut)]
    pub authority: Signer<'info>,
}

#[account]
pub struct Vault {
    pub authority: Pubkey,
}

impl Vault {
    fn check(&self, caller: &Pubkey) -> Result<()> {
        require_keys_eq!(self.authority, *caller);
        Ok(())
    }
}
`,
      `use anchor_lang::prelude::*;
use anchor_spl::token::TokenAccount;

#[program]
pub mod votes {
    use super::*;

    pub fn vote(ctx: Context<Vote>) -> Result<()> {
        ctx.accounts.poll.votes += ctx.accounts.holding.amount;
        Ok(())
    }
}

#[derive(Accounts)]
pub struct Vote<'info> {
    #[account(mut)]
    pub poll: Account<'info, Poll>,
    #[account(constraint = holding.owner == voter.key())]
    pub holding: Account<'info, TokenAccount>,
    pub voter: Signer<'info>,
}

#[account]
pub struct Poll {
    pub votes: u64,
}
`,
    ],
  },
  check: (program, report) => {
    const once = oncePerPlace(report)
    for (const crate of program.crates)
      for (const instruction of crate.instructions) {
        for (const account of instruction.accounts) {
          const read = strangersToken(instruction, account)
          if (read !== undefined)
            once({ ...placeOf(read), message: `\`${account.name}\` may be anybody's token account.` })
        }
        for (const { holder, field, other } of unrelated(crate, instruction))
          once({
            ...holder.place,
            scope: instruction.handler.qualifiedName,
            message: `\`${holder.name}\` stores \`${field}\`, but \`${instruction.name}\` never compares it with \`${other.name}\`.`,
          })
      }
  },
}
