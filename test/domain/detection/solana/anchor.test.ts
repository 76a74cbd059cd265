import { describe, expect, it } from "vitest"
import { show } from "../../../../domain/detection/rust/terms/show.ts"
import { checksWhenDone, cpisOf, usesOf } from "../../../../domain/detection/solana/questions/questions.ts"
import { accountOf, instructionOf, solanaProgram } from "../../../support/rustProject.ts"

const accounts = (fields: string, body = "Ok(())") =>
  instructionOf(
    solanaProgram(`
    #[program] mod p { use super::*; pub fn go(ctx: Context<Go>, bump: u8, name: String) -> Result<()> { ${body} } }
    #[derive(Accounts)] #[instruction(bump: u8, name: String)]
    pub struct Go<'info> { ${fields} }
    #[account] pub struct Pool { pub maker: Pubkey, pub mint: Pubkey, pub amount: u64, pub bump: u8 }`),
  )
const facts = (fields: string, name: string): ReadonlyArray<string> => {
  const instruction = accounts(fields)
  return checksWhenDone(instruction, accountOf(instruction, name)).map((one) => `${one.kind} ${show(one.fact)}`)
}

describe("accounts of an Accounts struct", () => {
  it("are named, wrapped and typed", () => {
    const instruction = accounts(`
      a: AccountInfo<'info>, b: UncheckedAccount<'info>, c: Signer<'info>, d: Program<'info, Token>, e: Sysvar<'info, Rent>,
      f: SystemAccount<'info>, g: Box<Account<'info, Pool>>, h: Option<Account<'info, Pool>>, i: AccountLoader<'info, Pool>,
      j: InterfaceAccount<'info, TokenAccount>, k: Interface<'info, TokenInterface>, l: Box<InterfaceAccount<'info, Mint>>,`)
    expect(instruction.accounts.map((one) => `${one.name} ${one.wrapper}${one.optional ? "?" : ""}`)).toEqual([
      "a raw",
      "b raw",
      "c signer",
      "d program",
      "e sysvar",
      "f system",
      "g state",
      "h state?",
      "i loader",
      "j state",
      "k program",
      "l state",
    ])
    const { state } = accountOf(instruction, "g")
    expect(state).toMatchObject({ name: "Pool", definition: { kind: "struct" } })
  })

  it("of composite structs are expanded", () => {
    const program = solanaProgram(`
      #[program] mod p { use super::*; pub fn go(ctx: Context<Outer>) -> Result<()> { require!(ctx.accounts.inner.a.is_signer, E::X); Ok(()) } }
      #[derive(Accounts)] pub struct Outer<'info> { inner: Inner<'info> }
      #[derive(Accounts)] pub struct Inner<'info> { a: AccountInfo<'info>, #[account(has_one = a)] pool: Account<'info, Pool> }
      #[account] pub struct Pool { a: Pubkey }`)
    const instruction = instructionOf(program)
    expect(
      checksWhenDone(instruction, accountOf(instruction, "inner.a"))
        .map((one) => one.kind)
        .toSorted(),
    ).toEqual(["key", "signer"])
  })

  it("do not loop for a struct that contains itself", () => {
    const program = solanaProgram(`
      #[program] mod p { use super::*; pub fn go(ctx: Context<A>) -> Result<()> { Ok(()) } }
      #[derive(Accounts)] pub struct A<'info> { a: Box<A<'info>>, b: Signer<'info> }`)
    expect(instructionOf(program).accounts.length).toBeGreaterThan(0)
  })
})

describe("constraints become facts", () => {
  it.each([
    ["signer", "#[account(signer)] a: AccountInfo<'info>", "a", "signer ctx.accounts.a.is_signer"],
    [
      "has_one",
      "#[account(has_one = maker)] a: Account<'info, Pool>, maker: AccountInfo<'info>",
      "maker",
      "key state(ctx.accounts.a).maker == ctx.accounts.maker.key",
    ],
    [
      "constraint",
      "#[account(constraint = a.maker == b.key() && a.amount > 1 @ E::X)] a: Account<'info, Pool>, b: AccountInfo<'info>",
      "b",
      "key state(ctx.accounts.a).maker == ctx.accounts.b.key",
    ],
    ["address", "#[account(address = crate::ADMIN)] a: AccountInfo<'info>", "a", "key ctx.accounts.a.key == ADMIN"],
    [
      "owner",
      "#[account(owner = token_program.key())] a: AccountInfo<'info>, token_program: Program<'info, Token>",
      "a",
      "owner ctx.accounts.a.owner == ctx.accounts.token_program.key",
    ],
    [
      "token::authority",
      "#[account(token::mint = m, token::authority = b)] a: Account<'info, TokenAccount>, b: Signer<'info>, m: Account<'info, Mint>",
      "b",
      "key state(ctx.accounts.a).owner == ctx.accounts.b.key",
    ],
    ["program", "a: Program<'info, System>", "a", "key ctx.accounts.a.key == System::ID"],
    [
      "init",
      "#[account(init, payer = b, space = 8, seeds = [b\"x\"], bump)] a: Account<'info, Pool>, b: Signer<'info>",
      "a",
      "initialized initialized(ctx.accounts.a)",
    ],
  ])("%s", (_, fields, name, expected) => {
    expect(facts(fields, name)).toEqual(
      expect.arrayContaining([expected.includes(" == ") ? expect.stringMatching(sides(expected)) : expected]),
    )
  })

  it("seeds distinguish a bump that is searched for from a given one", () => {
    const canonical = facts(`#[account(seeds = [b"x", name.as_bytes()], bump)] a: Account<'info, Pool>`, "a").join("\n")
    expect(canonical).toMatch(/pda .*find_program_address\(\["x", name\], ID\)/)
    const given = facts(`#[account(seeds = [b"x"], bump = bump)] a: Account<'info, Pool>`, "a").join("\n")
    expect(given).toMatch(/pda .*create_program_address\(\["x"\], bump, ID\)/)
  })

  it("keeps them all as written, too", () => {
    const { constraints } = accountOf(
      accounts(
        `#[account(mut, close = b, realloc = 10, realloc::payer = b, realloc::zero = false, rent_exempt = enforce, executable)] a: Account<'info, Pool>, b: Signer<'info>`,
      ),
      "a",
    )
    expect(constraints).toMatchObject({
      mutable: true,
      executable: true,
      rentExempt: "enforce",
      close: { kind: "path" },
      realloc: { size: { value: "10" }, zero: { value: "false" } },
    })
  })
})

/** Both orders of a comparison are one fact. */
const sides = (expected: string): RegExp => {
  const [, kind, left, right] = /^(\w+) (.*) == (.*)$/.exec(expected)!
  const quoted = [left!, right!].map((one) => one.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
  return new RegExp(`^${kind} (${quoted[0]} == ${quoted[1]}|${quoted[1]} == ${quoted[0]})$`)
}

describe("what a handler does", () => {
  const fields = `#[account(mut)] pool: Account<'info, Pool>, from: Account<'info, TokenAccount>, to: AccountInfo<'info>, raw: AccountInfo<'info>, maker: Signer<'info>, token_program: Program<'info, Token>`

  it("includes CPIs built in a method, with seeds and accounts", () => {
    const program = solanaProgram(`
      use anchor_spl::token::{self, Transfer};
      #[program] mod p { use super::*; pub fn go(ctx: Context<Go>, n: u64) -> Result<()> {
        let seeds = &[b"v".as_ref(), &[ctx.accounts.pool.bump]];
        token::transfer(ctx.accounts.cpi().with_signer(&[&seeds[..]]), n)?; Ok(()) } }
      impl<'info> Go<'info> { fn cpi(&self) -> CpiContext<'_, '_, '_, 'info, Transfer<'info>> {
        CpiContext::new(self.token_program.to_account_info(), Transfer { from: self.from.to_account_info(), to: self.to.clone(), authority: self.maker.to_account_info() }) } }
      #[derive(Accounts)] pub struct Go<'info> { ${fields} }
      #[account] pub struct Pool { bump: u8 }`)
    const instruction = instructionOf(program)
    const [cpi] = cpisOf(instruction)
    expect(cpi?.instruction).toBe("anchor_spl::token::transfer")
    expect(show(cpi!.program!)).toBe("ctx.accounts.token_program")
    expect(cpi?.accounts.map(({ name, term }) => `${name}=${show(term)}`)).toEqual([
      "from=ctx.accounts.from",
      "to=ctx.accounts.to",
      "authority=ctx.accounts.maker",
    ])
    expect(show(cpi!.signerSeeds!)).toContain("state(ctx.accounts.pool).bump")
    expect(cpi?.event.handled).toBe(true)
  })

  it("includes invoke with the program of the instruction, and ignored results", () => {
    const instruction = accounts(
      fields,
      "invoke(&spl_token::instruction::transfer(ctx.accounts.raw.key, ctx.accounts.from.to_account_info().key, ctx.accounts.to.key, ctx.accounts.maker.key, &[], 1)?, &[ctx.accounts.to.clone()]); Ok(())",
    )
    const [cpi] = cpisOf(instruction)
    expect(show(cpi!.program!)).toBe("ctx.accounts.raw.key")
    expect(cpi?.event.dropped).toBe("ignored")
  })

  it("includes reads and writes of state, data and lamports", () => {
    const instruction = accounts(
      fields,
      "let p = &mut ctx.accounts.pool; p.amount += 1; **ctx.accounts.raw.try_borrow_mut_lamports()? -= 5; ctx.accounts.raw.data.borrow_mut()[0] = 1; let x = Pool::try_from_slice(&ctx.accounts.to.data.borrow())?; Ok(())",
    )
    const kinds = (name: string) => new Set(usesOf(instruction, accountOf(instruction, name)).map((one) => one.kind))
    expect(kinds("pool")).toContain("state-write")
    expect(kinds("raw")).toContain("lamports-write")
    expect(kinds("raw")).toContain("data-write")
    expect(kinds("to")).toContain("deserialize")
    expect(kinds("maker").size).toBe(0)
  })
})

describe("handlers of a program module", () => {
  it("are its functions and the methods of its `#[state]`, whose fields the program stores", () => {
    const program = solanaProgram(`
      #[program] mod p { use super::*;
        #[state] pub struct Exchange { pub admin: Pubkey, pub fee: u64 }
        impl Exchange {
          pub fn new(ctx: Context<Admin>) -> Result<Self> { Ok(Self { admin: *ctx.accounts.admin.key, fee: 0 }) }
          pub fn set_fee(&mut self, ctx: Context<Admin>, fee: u64) -> Result<()> {
            if self.admin != *ctx.accounts.admin.key { return Err(ErrorCode::Stranger.into()) }
            self.fee = fee; Ok(()) }
          fn half(&self) -> u64 { self.fee / 2 } }
        pub fn touch(ctx: Context<Admin>) -> Result<()> { Ok(()) } }
      #[derive(Accounts)] pub struct Admin<'info> { #[account(signer)] pub admin: AccountInfo<'info> }`)
    const names = program.crates.flatMap(({ instructions }) => instructions.map(({ name }) => name))
    expect(names.toSorted()).toEqual(["new", "set_fee", "touch"])
    const instruction = instructionOf(program, "set_fee")
    expect(instruction.arguments.map(({ name }) => name)).toEqual(["fee"])
    const checks = checksWhenDone(instruction, accountOf(instruction, "admin"))
    expect(checks.map((one) => `${one.kind} ${show(one.fact)}`)).toContain(
      "key ctx.accounts.admin.key == state(self).admin",
    )
  })

  it("include those that a fallback runs as values, but not their helpers, nor what nothing can run", () => {
    const text = (fallback: string) => `
      #[program] mod p { use super::*;
        pub fn touch(ctx: Context<Pay>) -> Result<()> { touched(ctx) }
        ${fallback} }
      pub trait Legacy<'info> {
        const RUN: fn(Context<Self>) -> Result<()>;
        fn process(accounts: &'info [AccountInfo<'info>]) -> Result<()> { Self::RUN(Context::of(accounts)?) }
      }
      impl<'info> Legacy<'info> for Pay<'info> { const RUN: fn(Context<Self>) -> Result<()> = pay; }
      impl<'info> Pay<'info> { fn constraints(ctx: &Context<Self>) -> Result<()> { require!(ctx.accounts.admin.is_signer, E); Ok(()) } }
      fn touched(ctx: Context<Pay>) -> Result<()> { Ok(()) }
      #[access_control(Pay::constraints(&ctx))]
      fn pay(ctx: Context<Pay>) -> Result<()> { send(ctx) }
      fn send(ctx: Context<Pay>) -> Result<()> { Ok(()) }
      #[derive(Accounts)] pub struct Pay<'info> { pub admin: AccountInfo<'info> }`
    const of = (fallback: string) =>
      solanaProgram(text(fallback)).crates.flatMap(({ instructions }) => instructions.map(({ name }) => name))
    expect(of("")).toEqual(["touch"])
    const fallback =
      "pub fn other<'info>(id: &Pubkey, accounts: &'info [AccountInfo<'info>], data: &[u8]) -> Result<()> { Pay::process(accounts) }"
    expect(of(fallback)).toEqual(["touch", "pay"])
    const pay = instructionOf(solanaProgram(text(fallback)), "pay")
    expect(checksWhenDone(pay, accountOf(pay, "admin")).map(({ kind }) => kind)).toContain("signer")
  })
})
