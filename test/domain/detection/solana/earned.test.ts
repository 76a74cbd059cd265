import { describe, expect, it } from "vitest"
import type { Rule } from "../../../../domain/detection/Rule.ts"
import { solanaRules } from "../../../../domain/detection/solana/catalog.ts"
import type { SolanaProgram } from "../../../../domain/detection/solana/program/model.ts"
import { solanaProgram } from "../../../support/rustProject.ts"

/** The severity of everything that the catalog's rule reports. */
const severities = (id: string, text: string): ReadonlyArray<string> => {
  const rule: Rule<SolanaProgram> = solanaRules.find(({ meta }) => meta.id === `solana/${id}`)!
  const found: Array<string> = []
  rule.check(solanaProgram(text), ({ severity }) => found.push(severity ?? rule.meta.severity))
  return found
}

describe("what an administrator can do", () => {
  const wraps = (constraint: string) =>
    severities(
      "initialization/reinitialization",
      `#[program] pub mod p { use super::*; pub fn set(ctx: Context<Set>, to: Pubkey) -> Result<()> {
          ctx.accounts.rule.keeper = to; Ok(()) } }
      #[derive(Accounts)] pub struct Set<'info> {
        #[account(init_if_needed, payer = chief, space = 80, seeds = [b"rule"], bump)] pub rule: Account<'info, Rule>,
        #[account(seeds = [b"config"], bump${constraint})] pub config: Account<'info, Config>,
        #[account(mut)] pub chief: Signer<'info>, pub system_program: Program<'info, System> }
      #[account] pub struct Rule { pub keeper: Pubkey }
      #[account] pub struct Config { pub chief: Pubkey }`,
    )

  it("is low", () => {
    expect(wraps(", has_one = chief")).toEqual(["low"])
    expect(wraps("")).toEqual(["high"])
  })
})

describe("records that belong to whoever signs", () => {
  const close = (ticket: string, body = "Ok(())") =>
    severities(
      "account-validation/missing-relation-check",
      `#[program] pub mod p { use super::*;
        pub fn shut(ctx: Context<Shut>) -> Result<()> { ${body} }
        pub fn open(ctx: Context<Open>) -> Result<()> { ctx.accounts.stake.ticket = ctx.accounts.ticket.key(); Ok(()) } }
      #[derive(Accounts)] pub struct Shut<'info> {
        #[account(mut, close = owner, has_one = owner)] pub stake: Account<'info, Stake>,
        #[account(mut, close = owner${ticket})] pub ticket: Account<'info, Ticket>,
        #[account(mut)] pub owner: Signer<'info> }
      #[derive(Accounts)] pub struct Open<'info> {
        #[account(init, payer = owner, space = 80)] pub stake: Account<'info, Stake>,
        #[account(init, payer = owner, space = 80)] pub ticket: Account<'info, Ticket>,
        #[account(mut)] pub owner: Signer<'info>, pub system_program: Program<'info, System> }
      #[account] pub struct Stake { pub owner: Pubkey, pub ticket: Pubkey, pub units: u64 }
      #[account] pub struct Ticket { pub owner: Pubkey, pub units: u64 }`,
    )

  it("are their own affair", () => {
    expect(close(", has_one = owner")).toEqual(["low"])
    expect(new Set(close(""))).toEqual(new Set(["high"]))
  })
})

describe("what changes nothing", () => {
  const read = (body: string) =>
    severities(
      "account-validation/sysvar-unchecked",
      `use std::str::FromStr;
      #[program] pub mod p { use super::*; pub fn show(ctx: Context<Show>) -> Result<()> {
        let clock = Clock::from_account_info(&ctx.accounts.clock)?; ${body} Ok(()) } }
      #[derive(Accounts)] pub struct Show<'info> { pub clock: AccountInfo<'info>, #[account(mut)] pub bell: Account<'info, Bell> }
      #[account] pub struct Bell { pub at: i64 }`,
    )

  it("is low", () => {
    const all = [read('msg!("{}", clock.slot);'), read("ctx.accounts.bell.at = clock.unix_timestamp;")]
    expect(all.map((one) => one.filter((severity) => severity !== "low").length)).toEqual([0, all[1]!.length])
  })
})
