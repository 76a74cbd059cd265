import { describe, expect, it } from "vitest"
import { isDue, movesWithin } from "../../../../domain/detection/solana/payments/stakes.ts"
import { missingTies } from "../../../../domain/detection/solana/siblings/expectations.ts"
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

describe("what the program pays", () => {
  const within = (to: string, body: string, more = ""): boolean => {
    const [crate] = program(
      `pub fn cover(ctx: Context<Cover>, amount: u64) -> Result<()> {
        let due = ctx.accounts.loan.owed;
        let cpi = Transfer { from: ctx.accounts.fund.to_account_info(), to: ctx.accounts.${to}.to_account_info(),
          authority: ctx.accounts.signer.to_account_info() };
        let seeds: &[&[&[u8]]] = &[&[b"signer", &[ctx.bumps.signer]]];
        ${body} Ok(()) }`,
      `#[derive(Accounts)] pub struct Cover<'info> {
        #[account(mut)] pub loan: Account<'info, Loan>,
        #[account(mut, seeds = [b"fund"], bump)] pub fund: Account<'info, TokenAccount>,
        #[account(mut, seeds = [b"vault"], bump)] pub vault: Account<'info, TokenAccount>,
        #[account(mut)] pub other: Account<'info, TokenAccount>,
        ${more}
        /// CHECK: signs
        #[account(seeds = [b"signer"], bump)] pub signer: UncheckedAccount<'info>,
        pub keeper: Signer<'info>, pub token_program: Program<'info, Token> }`,
    ).crates
    return movesWithin(crate!.instructions[0]!)
  }
  const pay = (amount: string): string =>
    `token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), cpi, seeds), ${amount})?;`

  it("stays with it if it says how much goes from one of its accounts to another", () => {
    expect(within("vault", `${pay("due")} ctx.accounts.loan.owed = 0;`)).toBe(true)
    expect(within("other", pay("due"))).toBe(false)
    expect(within("vault", pay("amount"))).toBe(false)
    expect(within("vault", `${pay("due")} ctx.accounts.loan.rate = amount;`)).toBe(false)
    expect(within("vault", "")).toBe(false)
  })

  it("does not if anything else leaves, or somebody gets control", () => {
    const closed = "#[account(mut, close = keeper)] pub old: Account<'info, Loan>,"
    expect(within("vault", pay("due"), closed)).toBe(false)
    expect(within("vault", `${pay("due")} **ctx.accounts.keeper.lamports.borrow_mut() += 1;`)).toBe(false)
    const handed = `token::approve(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(),
      Approve { to: ctx.accounts.fund.to_account_info(), delegate: ctx.accounts.keeper.to_account_info(), authority: ctx.accounts.signer.to_account_info() }, seeds), due)?;`
    expect(within("vault", `${pay("due")} ${handed}`)).toBe(false)
  })

  it("does not if the caller pays", () => {
    const own = `token::transfer(CpiContext::new(ctx.accounts.token_program.to_account_info(), cpi), due)?;`
    expect(within("vault", own)).toBe(false)
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
