import { describe, expect, it } from "vitest"
import { isDue } from "../../../../domain/detection/solana/stakes.ts"
import { missingTies } from "../../../../domain/detection/solana/expectations.ts"
import { solanaProgram } from "../../../support/rustProject.ts"

const program = (handlers: string, accounts: string) =>
  solanaProgram(`use anchor_spl::token::{self, Token, TokenAccount, Transfer};
    #[program] pub mod p { use super::*; ${handlers} }
    #[account] pub struct Loan { pub owner: Pubkey, pub owed: u64, pub rate: u64, pub late: bool, pub until: i64 }
    ${accounts}`)

const change = `#[derive(Accounts)] pub struct Change<'info> {
  #[account(mut)] pub loan: Account<'info, Loan>, pub owner: Signer<'info> }`

const dueOf = (body: string, args = ""): boolean => {
  const [crate] = program(
    `pub fn act(ctx: Context<Change>${args}) -> Result<()> { let loan = &mut ctx.accounts.loan; ${body} Ok(()) }`,
    change,
  ).crates
  return isDue(crate!.instructions[0]!)
}

describe("what anyone may request", () => {
  it("is what follows from the stored state", () => {
    expect(dueOf("loan.owed = loan.owed.checked_mul(loan.rate).unwrap();")).toBe(true)
  })

  it("is a mark after the stored state was checked", () => {
    expect(dueOf("require!(loan.until < Clock::get()?.unix_timestamp, E::Early); loan.late = true;")).toBe(true)
    expect(dueOf("loan.late = true;")).toBe(false)
  })

  it("is not a value of the caller's choice, in whatever form, or somebody's address", () => {
    expect(dueOf("loan.rate = rate;", ", rate: u64")).toBe(false)
    expect(dueOf("loan.rate = (rate as u64).saturating_mul(2).min(loan.rate);", ", rate: u32")).toBe(false)
    expect(dueOf("loan.owner = ctx.accounts.owner.key();")).toBe(false)
  })
})

describe("an account that nobody compares", () => {
  const pay = `let cpi = Transfer { from: ctx.accounts.from.to_account_info(), to: ctx.accounts.vault.to_account_info(),
      authority: ctx.accounts.owner.to_account_info() };
    token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), cpi), amount)?;`
  const missing = (body: string): ReadonlyArray<string> =>
    program(
      `pub fn act(ctx: Context<Pay>, amount: u64) -> Result<()> { ${body} ctx.accounts.loan.owed -= amount; Ok(()) }`,
      `#[derive(Accounts)] pub struct Pay<'info> { #[account(mut)] pub loan: Account<'info, Loan>,
        #[account(mut)] pub from: Account<'info, TokenAccount>, #[account(mut)] pub vault: Account<'info, TokenAccount>,
        pub owner: Signer<'info>, pub token_program: Program<'info, Token> }`,
    ).crates.flatMap((crate) => missingTies(crate).map(({ account }) => account.name))

  it("is not an authority if only the signer's own funds move", () => {
    expect(missing(pay)).not.toContain("owner")
    expect(missing("")).toContain("owner")
  })
})
