import { describe, expect, it } from "vitest"
import { show } from "../../../../domain/detection/rust/terms/show.ts"
import {
  checksAround,
  checksSomewhere,
  checksWhenDone,
  usesOf,
} from "../../../../domain/detection/solana/questions/questions.ts"
import { accountOf, instructionOf, solanaProgram } from "../../../support/rustProject.ts"
import { cpuTime } from "../../../support/cpuTime.ts"

/** Kinds of checks known of `account` when the handler with this body succeeds. */
const checked = (body: string, account = "a", helpers = ""): ReadonlyArray<string> => {
  const program = solanaProgram(`
    #[program]
    mod p {
      use super::*;
      pub fn go(ctx: Context<Go>, amount: u64, who: Pubkey) -> Result<()> { ${body} }
    }
    #[derive(Accounts)]
    pub struct Go<'info> {
      pub a: AccountInfo<'info>,
      pub b: AccountInfo<'info>,
      pub pool: Account<'info, Pool>,
    }
    #[account]
    pub struct Pool { pub authority: Pubkey, pub paused: bool, pub amount: u64 }
    ${helpers}`)
  const instruction = instructionOf(program, "go")
  return [...new Set(checksWhenDone(instruction, accountOf(instruction, account)).map((one) => one.kind))].toSorted()
}
const signer = "return Err(ProgramError::MissingRequiredSignature.into());"

describe("a signer check is seen", () => {
  it.each([
    ["in an if", `if !ctx.accounts.a.is_signer { ${signer} } Ok(())`],
    ["in the tail of an if", `if ctx.accounts.a.is_signer { Ok(()) } else { Err(E::X.into()) }`],
    ["in require!", `require!(ctx.accounts.a.is_signer, E::X); Ok(())`],
    ["in a conjunction", `if !(ctx.accounts.a.is_signer && amount > 0) { ${signer} } Ok(())`],
    ["in a disjunction of failures", `if amount == 0 || !ctx.accounts.a.is_signer { ${signer} } Ok(())`],
    [
      "through a local and a clone",
      `let x = ctx.accounts.a.to_account_info().clone(); let y = &x; if !y.is_signer { ${signer} } Ok(())`,
    ],
    ["through match", `match ctx.accounts.a.is_signer { true => Ok(()), false => Err(E::X.into()) }`],
    [
      "in both branches",
      `if amount > 1 { require!(ctx.accounts.a.is_signer, E::X) } else { require!(ctx.accounts.a.is_signer, E::Y) } Ok(())`,
    ],
    ["by assert!", `assert!(ctx.accounts.a.is_signer); Ok(())`],
    ["by Signer::try_from", `let s = Signer::try_from(&ctx.accounts.a)?; Ok(())`],
    [
      "behind an early failure",
      `if amount == 0 { return err!(E::Zero); } require!(ctx.accounts.a.is_signer, E::X); Ok(())`,
    ],
  ])("%s", (_, body) => {
    expect(checked(body)).toContain("signer")
  })

  it.each([
    [
      "a function",
      `check(&ctx.accounts.a)?; Ok(())`,
      `fn check(x: &AccountInfo) -> Result<()> { if !x.is_signer { ${signer} } Ok(()) }`,
    ],
    [
      "a function in tail position",
      `check(&ctx.accounts.a)`,
      `fn check(x: &AccountInfo) -> Result<()> { if !x.is_signer { ${signer} } Ok(()) }`,
    ],
    [
      "a nested function call",
      `outer(&ctx)?; Ok(())`,
      `fn outer(c: &Context<Go>) -> Result<()> { inner(&c.accounts.a).map_err(|e| e) } fn inner(x: &AccountInfo) -> Result<()> { require!(x.is_signer, E::X); Ok(()) }`,
    ],
    [
      "a method of the accounts",
      `ctx.accounts.check()?; Ok(())`,
      `impl<'info> Go<'info> { fn check(&self) -> Result<()> { require!(self.a.is_signer, E::X); Ok(()) } }`,
    ],
    [
      "another module",
      `checks::run(&ctx.accounts.a)?; Ok(())`,
      `mod checks { use super::*; pub fn run(x: &AccountInfo) -> Result<()> { require!(x.is_signer, E::X); Ok(()) } }`,
    ],
    ["a predicate", `if !ok(&ctx.accounts.a) { ${signer} } Ok(())`, `fn ok(x: &AccountInfo) -> bool { x.is_signer }`],
    [
      "a predicate with early returns",
      `require!(ok(&ctx.accounts.a), E::X); Ok(())`,
      `fn ok(x: &AccountInfo) -> bool { if !x.is_signer { return false; } true }`,
    ],
    [
      "a method added to AccountInfo",
      `ctx.accounts.a.must_sign()?; Ok(())`,
      `trait Ext { fn must_sign(&self) -> Result<()>; } impl<'info> Ext for AccountInfo<'info> { fn must_sign(&self) -> Result<()> { require!(self.is_signer, E::X); Ok(()) } }`,
    ],
  ])("through %s", (_, body, helpers) => {
    expect(checked(body, "a", helpers)).toContain("signer")
  })

  it("through #[access_control]", () => {
    const program = solanaProgram(`
      #[program] mod p { use super::*;
        #[access_control(check(&ctx))]
        pub fn go(ctx: Context<Go>) -> Result<()> { Ok(()) } }
      fn check(ctx: &Context<Go>) -> Result<()> { require!(ctx.accounts.a.is_signer, E::X); Ok(()) }
      #[derive(Accounts)] pub struct Go<'info> { a: AccountInfo<'info> }`)
    const instruction = instructionOf(program)
    expect(checksWhenDone(instruction, accountOf(instruction, "a")).map((one) => one.kind)).toContain("signer")
  })
})

describe("no signer check is seen", () => {
  it.each([
    ["on one branch only", `if amount > 5 { require!(ctx.accounts.a.is_signer, E::X); } Ok(())`],
    ["of another account", `require!(ctx.accounts.b.is_signer, E::X); Ok(())`],
    ["where the failure is only logged", `if !ctx.accounts.a.is_signer { msg!("no"); } Ok(())`],
    [
      "if an early return with success skips it",
      `if amount == 0 { return Ok(()); } require!(ctx.accounts.a.is_signer, E::X); Ok(())`,
    ],
    ["where either will do", `require!(ctx.accounts.a.is_signer || amount == 0, E::X); Ok(())`],
    ["in debug builds only", `debug_assert!(ctx.accounts.a.is_signer); Ok(())`],
  ])("%s", (_, body) => {
    expect(checked(body)).not.toContain("signer")
  })

  it("when the helper's error is dropped", () => {
    expect(
      checked(
        `let _ = check(&ctx.accounts.a); Ok(())`,
        "a",
        `fn check(x: &AccountInfo) -> Result<()> { require!(x.is_signer, E::X); Ok(()) }`,
      ),
    ).not.toContain("signer")
  })
})

describe("other checks", () => {
  it.each([
    ["owner", "require_keys_eq!(*ctx.accounts.a.owner, crate::ID); Ok(())", "owner"],
    ["owner by method", "if ctx.accounts.a.owner.ne(ctx.program_id) { return err!(E::X); } Ok(())", "owner"],
    ["key", "require_keys_eq!(ctx.accounts.a.key(), ctx.accounts.pool.authority); Ok(())", "key"],
    ["key in a list", "require!(ALLOWED.contains(ctx.accounts.a.key), E::X); Ok(())", "key"],
    [
      "key by memory comparison",
      "if sol_memcmp(ctx.accounts.a.key.as_ref(), who.as_ref(), 32) != 0 { return err!(E::X); } Ok(())",
      "key",
    ],
    ["program by check_id", "if !spl_token::check_id(ctx.accounts.a.key) { return err!(E::X); } Ok(())", "key"],
    [
      "derived address",
      `let (k, _) = Pubkey::find_program_address(&[b"x"], ctx.program_id); require!(k == ctx.accounts.a.key(), E::X); Ok(())`,
      "pda",
    ],
    [
      "state",
      "let s = Pool::try_from_slice(&ctx.accounts.a.data.borrow())?; require!(s.authority == who, E::X); Ok(())",
      "state",
    ],
    ["inequality", "require_keys_neq!(ctx.accounts.a.key(), ctx.accounts.b.key()); Ok(())", "distinct"],
    ["sysvar", "let r = Rent::from_account_info(&ctx.accounts.a)?; Ok(())", "sysvar"],
    ["type", "let t = Account::<Pool>::try_from(&ctx.accounts.a)?; Ok(())", "type"],
    ["library check", "assert_owned_by(&ctx.accounts.a, &crate::ID)?; Ok(())", "owner"],
  ])("%s", (_, body, kind) => {
    expect(checked(body)).toContain(kind)
  })

  it("holds for every element after a loop that checks it", () => {
    const program = solanaProgram(`
      #[program] mod p { use super::*; pub fn go(ctx: Context<Go>) -> Result<()> {
        for x in ctx.remaining_accounts.iter() { require!(x.owner == ctx.program_id, E::X); }
        for x in ctx.remaining_accounts { **x.lamports.borrow_mut() -= 1; }
        Ok(()) } }
      #[derive(Accounts)] pub struct Go<'info> { a: AccountInfo<'info> }`)
    const instruction = instructionOf(program)
    const write = instruction.events.find((one) => one.kind === "assign")!
    expect(show(write.kind === "assign" ? write.target.term : accountOf(instruction, "a").term)).toBe(
      "ctx.remaining_accounts[_].lamports",
    )
    expect([...write.facts].map((one) => show(one))).toContain("ctx.remaining_accounts[_].owner == ID")
  })

  it("after a use protects it like one before", () => {
    const program = solanaProgram(`
      #[program] mod p { use super::*; pub fn go(ctx: Context<Go>, n: u64) -> Result<()> {
        if n > 3 { let s = Pool::try_from_slice(&ctx.accounts.a.data.borrow())?; require!(ctx.accounts.a.owner == &ID, E::X); }
        Ok(()) } }
      #[derive(Accounts)] pub struct Go<'info> { a: AccountInfo<'info> }
      pub struct Pool { x: u8 }`)
    const instruction = instructionOf(program)
    const account = accountOf(instruction, "a")
    const read = usesOf(instruction, account).find((one) => one.kind === "deserialize")!
    expect(checksAround(read.event, account).map((one) => one.kind)).toContain("owner")
    expect(checksWhenDone(instruction, account).map((one) => one.kind)).not.toContain("owner")
    expect(checksSomewhere(instruction, account).map((one) => one.kind)).toContain("owner")
  })
})

describe("a cross-program call is not a check", () => {
  it.each(["transfer_checked", "mint_to_checked", "burn_checked"])("%s", (name) => {
    const body = `let ix = spl_token::instruction::${name}(ctx.accounts.a.key, ctx.accounts.b.key, amount)?; Ok(())`
    expect(checked(body)).toEqual([])
  })
})

describe("concatenated bytes", () => {
  it("are recognized as the seeds of an address", () => {
    const body = `let mut seeds = who.to_bytes().to_vec(); for b in ctx.accounts.b.key().to_bytes() { seeds.push(b); }
      let (k, _) = Pubkey::find_program_address(&[&seeds], ctx.program_id); require!(k == ctx.accounts.a.key(), E::X); Ok(())`
    expect(checked(body)).toContain("pda")
  })
})

describe("recursion", () => {
  it("ends for mutually recursive functions", () => {
    expect(
      checked(
        "f(&ctx.accounts.a)?; Ok(())",
        "a",
        "fn f(a: &AccountInfo) -> Result<()> { g(a) } fn g(a: &AccountInfo) -> Result<()> { require!(a.is_signer, E::X); f(a) }",
      ),
    ).toContain("signer")
  })

  it("ends early for calls that fan out", () => {
    const helpers = Array.from(
      { length: 30 },
      (_, i) => `fn f${i}(a: &AccountInfo) -> Result<()> { ${`f${i + 1}(a)?;`.repeat(6)} Ok(()) }`,
    ).join("\n")
    const before = cpuTime()
    checked("f0(&ctx.accounts.a)?; Ok(())", "a", `${helpers} fn f30(a: &AccountInfo) -> Result<()> { Ok(()) }`)
    expect(cpuTime() - before).toBeLessThan(5_000)
  })
})
