import { describe, expect, it } from "vitest"
import { againstRoles } from "../../../../domain/detection/solana/siblings/roleTies.ts"
import { isAnchored, tiesOf } from "../../../../domain/detection/solana/ties/ties.ts"
import { accountOf, instructionOf, solanaProgram } from "../../../support/rustProject.ts"

/** Whether a session is determined by the comparison of its address with one made of these seeds. */
const isDetermined = (seeds: string): boolean => {
  const instruction = instructionOf(
    solanaProgram(`use anchor_lang::solana_program::hash::hashv;
#[program] pub mod demo { use super::*;
  pub fn rotate(ctx: Context<Rotate>, root: [u8; 32]) -> Result<()> {
    let session = &mut ctx.accounts.session;
    let expected = Pubkey::create_program_address(&[b"session", ${seeds}], ctx.program_id).unwrap();
    require_keys_eq!(expected, session.key());
    session.uses += 1;
    Ok(()) } }
#[derive(Accounts)] pub struct Rotate<'info> {
  #[account(mut)] pub session: Account<'info, Session>, pub gate: Account<'info, Gate>, pub owner: Signer<'info> }
#[account] pub struct Gate { pub round: u64 }
#[account] pub struct Session { pub signers: [u8; 32], pub uses: u64, pub bump: u8 }`),
  )
  return isAnchored(instruction, accountOf(instruction, "session"))
}

describe("an account whose address is compared with a derived one", () => {
  it.each([
    ["&root, &[session.bump]", true],
    ["&[session.bump]", true],
    ["owner.key.as_ref(), &session.signers", true],
    ["&hashv(&[&root, &session.signers]).to_bytes(), &[session.bump]", true],
    // Whatever the account stores leads to its own address.
    ["&session.signers, &[session.bump]", false],
    ["&hashv(&[&session.signers]).to_bytes()", false],
  ])("is determined unless only its own data leads there: %s", (seeds, determined) => {
    expect(isDetermined(seeds.replace("owner.", "ctx.accounts.owner."))).toBe(determined)
  })
})

describe("an associated token account of which neither owner nor mint is known", () => {
  const instruction = instructionOf(
    solanaProgram(`#[program] pub mod demo { use super::*;
  pub fn hand_out(ctx: Context<HandOut>) -> Result<()> { Ok(()) } }
#[derive(Accounts)] pub struct HandOut<'info> {
  #[account(mut)] pub payer: Signer<'info>,
  /// CHECK: anyone
  pub receiver: UncheckedAccount<'info>,
  pub coin: Account<'info, Mint>,
  #[account(init_if_needed, payer = payer, associated_token::mint = coin, associated_token::authority = receiver)]
  pub purse: Account<'info, TokenAccount> }`),
  )

  it.each(["receiver", "coin", "purse"])("determines none of them: %s", (name) => {
    expect(isAnchored(instruction, accountOf(instruction, name))).toBe(false)
  })
})

describe("an account that an entry of another's list names", () => {
  const program = solanaProgram(`#[program] pub mod demo { use super::*;
  pub fn score(ctx: Context<Score>, index: u32) -> Result<()> {
    let mut data = ctx.accounts.list.try_borrow_mut_data()?;
    let (header, mut rest) = ListHeader::deserialize_vec(&mut data)?;
    let entry = *ListHeader::deserialize_mut_slice(&mut rest, index as usize, 1)?.first().ok_or(E::Missing)?;
    require!(entry.vote_account == ctx.accounts.history.vote_account, E::Other);
    Ok(()) } }
#[derive(Accounts)] pub struct Score<'info> {
  /// CHECK: a list of another program
  #[account(address = LIST)] pub list: AccountInfo<'info>,
  pub history: Account<'info, History> }
#[account] pub struct History { pub vote_account: Pubkey }`)

  it("is tied to the list", () => {
    const instruction = instructionOf(program)
    const [tie] = tiesOf(instruction).of(accountOf(instruction, "history"))
    expect(tie).toMatchObject({ slot: "own vote_account", other: accountOf(instruction, "list") })
  })
})

describe("accounts in one role", () => {
  const pay = (name: string): string => `
  pub fn ${name}(ctx: Context<Pay>) -> Result<()> {
    let accounts = Transfer { from: ctx.accounts.vault.to_account_info(), to: ctx.accounts.to.to_account_info(), authority: ctx.accounts.pool.to_account_info() };
    let seeds: &[&[u8]] = &[b"pool"];
    token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), accounts, &[seeds]), 1) }`
  const crate = solanaProgram(`use anchor_spl::token::{self, Transfer};
use anchor_lang::system_program;
#[program] pub mod demo { use super::*;
  ${["pay", "spend", "refund", "give"].map(pay).join("")}
  pub fn found(ctx: Context<Found>) -> Result<()> {
    let accounts = system_program::CreateAccount { from: ctx.accounts.payer.to_account_info(), to: ctx.accounts.to.to_account_info() };
    let seeds: &[&[u8]] = &[b"to"];
    system_program::create_account(CpiContext::new_with_signer(ctx.accounts.system_program.to_account_info(), accounts, &[seeds]), 1, 1, ctx.program_id) } }
#[derive(Accounts)] pub struct Pay<'info> {
  pub pool: Account<'info, Pool>, #[account(mut, address = pool.vault)] pub vault: Account<'info, TokenAccount>,
  #[account(mut)] pub to: Account<'info, TokenAccount>, pub token_program: Program<'info, Token> }
#[derive(Accounts)] pub struct Found<'info> {
  pub pool: Account<'info, Pool>, #[account(mut)] pub payer: Signer<'info>,
  #[account(mut)] pub to: AccountInfo<'info>, pub system_program: Program<'info, System> }
#[account] pub struct Pool { pub vault: Pubkey }`).crates[0]!

  it("do not include what a signer pays", () => {
    expect(againstRoles(crate).map(({ account }) => account.name)).toEqual([])
  })
})
