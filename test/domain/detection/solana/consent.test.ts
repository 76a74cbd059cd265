import { describe, expect, it } from "vitest"
import { missingSignatureReason } from "../../../../domain/detection/solana/consent/missingSignatureReason.ts"
import { solanaProgram } from "../../../support/rustProject.ts"

/** Accounts of an instruction that should sign, according to some evidence, but need not. */
const unsigned = (text: string): ReadonlyArray<string> =>
  solanaProgram(`use anchor_spl::token::{self, Burn, Mint, Token, TokenAccount, Transfer};
    #[account] pub struct State { pub authority: Pubkey, pub admin: Pubkey }
    #[account] pub struct Loan { pub owner: Pubkey, pub owed: u64 }
    ${text}`).crates.flatMap((crate) =>
    crate.instructions.flatMap((one) =>
      one.accounts.flatMap((account) =>
        missingSignatureReason(crate, one, account) === undefined ? [] : [`${one.name}.${account.name}`],
      ),
    ),
  )

const pays = `let cpi = Transfer { from: ctx.accounts.vault.to_account_info(), to: ctx.accounts.to.to_account_info(),
  authority: ctx.accounts.authority.to_account_info() };
  token::transfer(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), cpi, &[&[b"a", &[1]]]), 5)`

describe("whose signature is missing", () => {
  it("is not that of the beneficiary of a final CPI in which the caller chooses nothing", () => {
    const lock = (args: string): ReadonlyArray<string> =>
      unsigned(`#[program] mod p { use super::*;
        pub fn lock(ctx: Context<Lock>${args}) -> Result<()> {
          let cpi = locker::cpi::accounts::Lock { escrow: ctx.accounts.escrow.to_account_info(), source: ctx.accounts.vault.to_account_info(),
            owner: ctx.accounts.signs.to_account_info() };
          locker::cpi::lock(CpiContext::new_with_signer(ctx.accounts.locker.to_account_info(), cpi, &[&[b"a", &[1]]]), 5) } }
      #[derive(Accounts)] pub struct Lock<'info> {
        #[account(mut, has_one = owner)] pub escrow: Account<'info, LockEscrow>,
        /// CHECK: whose the escrow is
        pub owner: AccountInfo<'info>,
        /// CHECK: ours
        #[account(seeds = [b"a"], bump)] pub signs: AccountInfo<'info>,
        #[account(mut)] pub vault: Account<'info, TokenAccount>,
        /// CHECK: called
        #[account(address = locker::ID)] pub locker: AccountInfo<'info> }`)
    expect(lock("")).toEqual([])
    expect(lock(", amount: u64")).toEqual(["lock.owner"])
  })

  it("is not that of an address for which the program signs, even if it does nothing", () => {
    expect(
      unsigned(`#[program] mod p { use super::*;
        pub fn pay(ctx: Context<Pay>) -> Result<()> { ${pays} }
        pub fn look(ctx: Context<Look>) -> Result<()> { ctx.accounts.loan.owed = 0; Ok(()) } }
      #[derive(Accounts)] pub struct Pay<'info> {
        #[account(has_one = authority, has_one = admin)] pub state: Account<'info, State>,
        /// CHECK: ours
        pub authority: AccountInfo<'info>, pub admin: Signer<'info>,
        #[account(mut)] pub vault: Account<'info, TokenAccount>, #[account(mut)] pub to: Account<'info, TokenAccount>,
        pub token_program: Program<'info, Token> }
      #[derive(Accounts)] pub struct Look<'info> {
        #[account(has_one = authority)] pub state: Account<'info, State>,
        /// CHECK: ours
        pub authority: AccountInfo<'info>, #[account(mut)] pub loan: Account<'info, Loan>, pub payer: Signer<'info> }`),
    ).toEqual([])
  })

  it("is not that of a debtor if the signer pays with their own tokens", () => {
    expect(
      unsigned(`#[program] mod p { use super::*;
        pub fn liquidate(ctx: Context<Liquidate>) -> Result<()> {
          let cpi = Burn { mint: ctx.accounts.mint.to_account_info(), from: ctx.accounts.paid.to_account_info(),
            authority: ctx.accounts.authority.to_account_info() };
          ctx.accounts.loan.owed = 0;
          token::burn(CpiContext::new_with_signer(ctx.accounts.token_program.to_account_info(), cpi, &[&[b"a", &[1]]]), 5) } }
      #[derive(Accounts)] pub struct Liquidate<'info> {
        #[account(has_one = authority)] pub state: Account<'info, State>,
        /// CHECK: ours
        pub authority: AccountInfo<'info>,
        #[account(mut, has_one = owner)] pub loan: Account<'info, Loan>,
        /// CHECK: the debtor
        pub owner: AccountInfo<'info>, pub liquidator: Signer<'info>,
        #[account(mut)] pub mint: Account<'info, Mint>,
        #[account(mut, token::authority = liquidator)] pub paid: Account<'info, TokenAccount>,
        pub token_program: Program<'info, Token> }`),
    ).toEqual([])
  })

  it("is that of the account named in the state if somebody else only pays the fees", () => {
    expect(
      unsigned(`#[program] mod p { use super::*;
        pub fn forgive(ctx: Context<Forgive>) -> Result<()> { ctx.accounts.loan.owed = 0; Ok(()) } }
      #[derive(Accounts)] pub struct Forgive<'info> {
        #[account(has_one = admin)] pub state: Account<'info, State>,
        /// CHECK: compared
        pub admin: AccountInfo<'info>, #[account(mut)] pub loan: Account<'info, Loan>, pub payer: Signer<'info> }`),
    ).toEqual(["forgive.admin"])
  })

  it("is that of a member who is looked up in a list, whatever its name", () => {
    expect(
      unsigned(`#[program] mod p { use super::*;
        pub fn propose(ctx: Context<Propose>) -> Result<()> {
          require!(ctx.accounts.council.is_member(ctx.accounts.creator.key()).is_some(), Oops::No);
          ctx.accounts.proposal.creator = ctx.accounts.creator.key(); Ok(()) } }
      impl Council { fn is_member(&self, one: Pubkey) -> Option<usize> { self.members.binary_search_by_key(&one, |each| each.key).ok() } }
      #[derive(Accounts)] pub struct Propose<'info> {
        #[account(mut)] pub council: Account<'info, Council>,
        #[account(init, payer = payer, space = 80)] pub proposal: Account<'info, Proposal>,
        /// CHECK: a member
        pub creator: UncheckedAccount<'info>,
        #[account(mut)] pub payer: Signer<'info>, pub system_program: Program<'info, System> }
      #[account] pub struct Council { pub members: Vec<Member> }
      #[derive(Clone)] pub struct Member { pub key: Pubkey }
      #[account] pub struct Proposal { pub creator: Pubkey }
      #[error_code] pub enum Oops { No }`),
    ).toEqual(["propose.creator"])
  })

  it("is nobody's if an account is created, since the system program requires its payer to sign", () => {
    expect(
      unsigned(`#[program] mod p { use super::*;
        pub fn init(ctx: Context<Init>) -> Result<()> {
          let state = &mut ctx.accounts.state; state.admin = ctx.accounts.admin.key(); Ok(()) } }
      #[derive(Accounts)] pub struct Init<'info> {
        #[account(init, payer = payer, space = 100, seeds = [b"state"], bump)] pub state: Account<'info, State>,
        /// CHECK: pays
        #[account(mut)] pub payer: AccountInfo<'info>,
        /// CHECK: noted
        pub admin: AccountInfo<'info>, pub system_program: Program<'info, System> }`),
    ).toEqual([])
  })
})

describe("a closure that another function calls", () => {
  it("resolves its names where it is defined", () => {
    const [crate] = solanaProgram(`
      #[program] mod p { use super::*;
        pub fn go(ctx: Context<Go>, fee: u64) -> Result<()> { let pool = &mut ctx.accounts.pool; guarded(|| { pool.fee = fee; Ok(()) }, fee) } }
      fn guarded(run: impl FnOnce() -> Result<()>, pool: u64) -> Result<()> { run()?; Ok(()) }
      #[derive(Accounts)] pub struct Go<'info> { #[account(mut)] pub pool: Account<'info, Pool> }
      #[account] pub struct Pool { pub fee: u64 }`).crates
    const written = crate!.instructions[0]!.events.flatMap((event) =>
      event.kind === "assign" && event.target.term.kind === "field" ? [event.target.term.base.kind] : [],
    )
    expect(written).toEqual(["call"])
  })
})
