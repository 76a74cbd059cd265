import { describe, expect, it } from "vitest"
import type { Rule } from "../../../../domain/detection/Rule.ts"
import { isAtStake } from "../../../../domain/detection/solana/payments/gains.ts"
import type { SolanaProgram } from "../../../../domain/detection/solana/program/model.ts"
import { untiedAuthority } from "../../../../domain/detection/solana/rules/access-control/untied-authority.ts"
import { missingOwnerCheck } from "../../../../domain/detection/solana/rules/account-validation/missing-owner-check.ts"
import { missingSignerCheck } from "../../../../domain/detection/solana/rules/account-validation/missing-signer-check.ts"
import { hiddenByCpi } from "../../../../domain/detection/solana/rules/input-validation/hidden-by-cpi.ts"
import { arbitraryCpi } from "../../../../domain/detection/solana/rules/cpi/arbitrary-cpi.ts"
import { solanaProgram } from "../../../support/rustProject.ts"

const severities = (rule: Rule<SolanaProgram>, text: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  rule.check(solanaProgram(text), ({ severity }) => found.push(severity ?? rule.meta.severity))
  return found
}

describe("a record that nothing ties to the market it names", () => {
  const program = (body: string, args = "", more = "") => `
    use anchor_spl::token::{self, Token, TokenAccount, Transfer};
    #[program] pub mod p { use super::*;
      pub fn act(ctx: Context<Act>${args}) -> Result<()> { ${body} Ok(()) }
      pub fn open(ctx: Context<Open>) -> Result<()> { ctx.accounts.line.market = ctx.accounts.market.key(); Ok(()) } }
    #[derive(Accounts)] pub struct Act<'info> {
      pub market: Account<'info, Market>,
      #[account(mut, has_one = holder)] pub line: Account<'info, Line>,
      #[account(init, payer = holder, space = 80)] pub note: Account<'info, Note>,
      #[account(mut)] pub holder: Signer<'info>, ${more}
      pub system_program: Program<'info, System> }
    #[derive(Accounts)] pub struct Open<'info> {
      pub market: Account<'info, Market>,
      #[account(init, payer = payer, space = 80)] pub line: Account<'info, Line>,
      #[account(mut)] pub payer: Signer<'info>, pub system_program: Program<'info, System> }
    #[account] pub struct Market { pub rate: u64, pub bump: u8 }
    #[account] pub struct Line { pub market: Pubkey, pub holder: Pubkey, pub units: u64 }
    #[account] pub struct Note { pub line: Pubkey, pub units: u64 }`
  const matters = (...of: Parameters<typeof program>): boolean => {
    const [instruction] = solanaProgram(program(...of)).crates[0]!.instructions
    return isAtStake(instruction!, [instruction!.accounts[0]!])
  }

  it("matters little while only new records are filled", () => {
    expect(matters("ctx.accounts.note.line = ctx.accounts.line.key();")).toBe(false)
    expect(matters("ctx.accounts.note.units = ctx.accounts.market.rate;")).toBe(false)
  })

  it("matters if existing records change by what the caller says, or by what the market stores", () => {
    expect(matters("ctx.accounts.line.units = units;", ", units: u64")).toBe(true)
    expect(matters("ctx.accounts.line.units += ctx.accounts.market.rate;")).toBe(true)
  })

  it("matters if the program pays the caller, but not if it pays into its own account", () => {
    const pay = (to: string) => `
      let cpi = Transfer { from: ctx.accounts.purse.to_account_info(), to: ctx.accounts.${to}.to_account_info(),
        authority: ctx.accounts.keeper.to_account_info() };
      let seeds: &[&[&[u8]]] = &[&[b"keeper", &[ctx.bumps.keeper]]];
      token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), cpi, seeds), 5)?;`
    const accounts = `
      #[account(mut, seeds = [b"purse"], bump)] pub purse: Account<'info, TokenAccount>,
      #[account(mut, seeds = [b"fund"], bump)] pub fund: Account<'info, TokenAccount>,
      #[account(mut, token::authority = holder)] pub own: Account<'info, TokenAccount>,
      /// CHECK: signs
      #[account(seeds = [b"keeper"], bump)] pub keeper: UncheckedAccount<'info>,
      pub token_program: Program<'info, Token>,`
    expect(matters(pay("own"), "", accounts)).toBe(true)
    expect(matters(pay("fund"), "", accounts)).toBe(false)
  })
})

describe("the signature of whom a closed record pays", () => {
  const close = (constraint: string) =>
    severities(
      missingSignerCheck,
      `#[program] pub mod p { use super::*; pub fn clean(_ctx: Context<Clean>) -> Result<()> { Ok(()) } }
      #[derive(Accounts)] pub struct Clean<'info> {
        #[account(mut, has_one = payer, close = payer${constraint})] pub job: Account<'info, Job>,
        /// CHECK: paid
        #[account(mut)] pub payer: UncheckedAccount<'info> }
      #[account] pub struct Job { pub payer: Pubkey, pub state: u8 }`,
    )

  it("matters little once the record has come to an end", () => {
    expect(close(", constraint = job.state == 2")).toEqual(["low"])
    expect(close("")).toEqual(["critical"])
  })
})

describe("a program that the caller chooses", () => {
  const call = (body: string) =>
    severities(
      arbitraryCpi,
      `use anchor_lang::solana_program::{instruction::Instruction, program::invoke};
      #[program] pub mod p { use super::*; pub fn relay(ctx: Context<Relay>, data: Vec<u8>) -> Result<()> {
        let order = Instruction { program_id: ctx.accounts.target.key(), accounts: vec![], data };
        invoke(&order, &[ctx.accounts.target.to_account_info()])?; ${body} Ok(()) } }
      #[derive(Accounts)] pub struct Relay<'info> {
        /// CHECK: called
        pub target: UncheckedAccount<'info>,
        #[account(mut)] pub tally: Account<'info, Tally> }
      #[account] pub struct Tally { pub calls: u64 }`,
    )

  it("harms nobody unless something is recorded for it", () => {
    expect(call("")).toEqual(["low"])
    expect(call("ctx.accounts.tally.calls += 1;")).toEqual(["high"])
  })
})

describe("data that a library reads", () => {
  const read = (how: string) =>
    severities(
      missingOwnerCheck,
      `use oracles::Orders;
      #[program] pub mod p { use super::*; pub fn fill(ctx: Context<Fill>) -> Result<()> {
        let orders = ${how}; ctx.accounts.tally.calls = orders.count; Ok(()) } }
      #[derive(Accounts)] pub struct Fill<'info> {
        /// CHECK: read
        pub orders: UncheckedAccount<'info>,
        #[account(mut)] pub tally: Account<'info, Tally> }
      #[derive(AnchorSerialize, AnchorDeserialize)] pub struct Mine { pub count: u64 }
      #[account] pub struct Tally { pub calls: u64 }`,
    )

  it("may have been checked by the function that is given the account", () => {
    expect(read("ctx.accounts.orders.load()?")).toEqual(["low"])
    expect(read("Mine::try_from_slice(&ctx.accounts.orders.data.borrow())?")).toEqual(["medium"])
  })
})

describe("an administrator who pays for a record", () => {
  const program = (name: string) => `#[program] pub mod p { use super::*;
      pub fn one(ctx: Context<Set>) -> Result<()> { ctx.accounts.state.fee = 1; Ok(()) }
      pub fn two(ctx: Context<Set>) -> Result<()> { ctx.accounts.state.fee = 2; Ok(()) }
      pub fn open(ctx: Context<Open>) -> Result<()> { ctx.accounts.vault.fee = 3; Ok(()) } }
    #[derive(Accounts)] pub struct Set<'info> {
      #[account(mut, has_one = ${name})] pub state: Account<'info, State>, pub ${name}: Signer<'info> }
    #[derive(Accounts)] pub struct Open<'info> {
      #[account(init, payer = ${name}, space = 80)] pub vault: Account<'info, Vault>,
      #[account(mut)] pub ${name}: Signer<'info>, pub system_program: Program<'info, System> }
    #[account] pub struct State { pub ${name}: Pubkey, pub fee: u64 }
    #[account] pub struct Vault { pub fee: u64 }`

  it("is compared with nothing, as the other instructions do", () => {
    expect(severities(untiedAuthority, program("admin"))).toEqual(["medium"])
    expect(severities(untiedAuthority, program("owner"))).toEqual([])
  })
})

describe("a search of the transaction that calls by other programs escape", () => {
  const lend = (accounts: string) => `
    #[program] pub mod p { use super::*;
      pub fn lend(ctx: Context<Lend>, amount: u64) -> Result<()> {
        let next = get_instruction_relative(1, &ctx.accounts.sysvar)?;
        require!(next.program_id == crate::ID, E::Missing);
        **ctx.accounts.pool.to_account_info().try_borrow_mut_lamports()? -= amount;
        **ctx.accounts.borrower.to_account_info().try_borrow_mut_lamports()? += amount;
        Ok(()) } }
    #[derive(Accounts)] pub struct Lend<'info> {
      #[account(mut)] pub pool: Account<'info, Pool>, #[account(mut)] pub borrower: Signer<'info>,
      pub sysvar: AccountInfo<'info>, ${accounts} }
    #[account] pub struct Pool { pub lent: u64 }
    #[account] pub struct Loan { pub amount: u64 }`

  it("matters little where an account is created at a derived address, or closed, which succeeds once", () => {
    expect(severities(hiddenByCpi, lend(""))).toEqual(["medium"])
    for (const how of ["mut", "init, payer = borrower, space = 16"])
      expect(severities(hiddenByCpi, lend(`#[account(${how})] pub loan: Account<'info, Loan>,`))).toEqual(["medium"])
    const once = ['init, payer = borrower, space = 16, seeds = [b"loan"], bump', "mut, close = borrower"]
    for (const how of once)
      expect(severities(hiddenByCpi, lend(`#[account(${how})] pub loan: Account<'info, Loan>,`))).toEqual(["low"])
  })
})
