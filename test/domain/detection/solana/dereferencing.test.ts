import { describe, expect, it } from "vitest"
import { show } from "../../../../domain/detection/rust/terms/show.ts"
import { checksWhenDone, usesOf } from "../../../../domain/detection/solana/questions/questions.ts"
import { accountOf, instructionOf, solanaProgram } from "../../../support/rustProject.ts"

const program = (body: string, rest = "") =>
  instructionOf(
    solanaProgram(`
    #[program] mod p { use super::*; pub fn go(ctx: Context<Go>, fee: u64) -> Result<()> { ${body} } }
    #[derive(Accounts)]
    pub struct Go<'info> { #[account(mut)] pool: Account<'info, Pool>, raw: AccountInfo<'info>, maker: Signer<'info> }
    #[account] pub struct Pool { pub maker: Pubkey, pub data: u64 }
    ${rest}`),
  )

describe("an Account used as its state", () => {
  it("is written through methods of the state", () => {
    const instruction = program(
      "ctx.accounts.pool.set(fee); Ok(())",
      "impl Pool { fn set(&mut self, fee: u64) { self.data = fee; } }",
    )
    expect(usesOf(instruction, accountOf(instruction, "pool")).map(({ kind }) => kind)).toContain("state-write")
  })

  it("is checked by functions that take the state", () => {
    const instruction = program(
      "only_maker(&ctx.accounts.pool, ctx.accounts.maker.key)?; Ok(())",
      "fn only_maker(pool: &Pool, caller: &Pubkey) -> Result<()> { require_keys_eq!(pool.maker, *caller); Ok(()) }",
    )
    const checks = checksWhenDone(instruction, accountOf(instruction, "pool"))
    expect(checks.filter(({ kind }) => kind === "state").map(({ against }) => against && show(against))).toEqual([
      "ctx.accounts.maker.key",
    ])
  })

  it("is read through a composite that dereferences to it", () => {
    const instruction = instructionOf(
      solanaProgram(`
      #[program] mod p { use super::*; pub fn go(ctx: Context<Go>) -> Result<()> { Ok(()) } }
      #[derive(Accounts)] pub struct Go<'info> {
        pub config: Open<'info>,
        #[account(address = config.mint)] pub mint: AccountInfo<'info> }
      #[derive(Accounts)] pub struct Open<'info> { pub config: Account<'info, Config> }
      impl<'info> Deref for Open<'info> { type Target = Config; fn deref(&self) -> &Config { &self.config } }
      #[account] pub struct Config { pub mint: Pubkey }`),
    )
    const checks = checksWhenDone(instruction, accountOf(instruction, "mint"))
    expect(checks.flatMap(({ against }) => (against === undefined ? [] : [show(against)]))).toEqual([
      "state(ctx.accounts.config.config).mint",
    ])
  })

  it("is asked through a composite and a trait's method", () => {
    const instruction = instructionOf(
      solanaProgram(`
      #[program] mod p { use super::*; pub fn go(ctx: Context<Go>) -> Result<()> { Ok(()) } }
      #[derive(Accounts)] pub struct Go<'info> {
        #[account(constraint = only_owner(&open, &owner)?)] pub owner: Signer<'info>,
        pub open: Open<'info> }
      #[derive(Accounts)] pub struct Open<'info> { pub config: Account<'info, Config> }
      impl<'info> Deref for Open<'info> { type Target = Account<'info, Config>; fn deref(&self) -> &Self::Target { &self.config } }
      fn only_owner<A: Owned>(one: &Account<A>, owner: &Signer) -> Result<bool> {
        if one.owner() == &owner.key() { Ok(true) } else { Err(ErrorCode::ConstraintOwner.into()) } }
      trait Owned { fn owner(&self) -> &Pubkey; }
      impl Owned for Config { fn owner(&self) -> &Pubkey { &self.owner } }
      #[account] pub struct Config { pub owner: Pubkey }`),
    )
    const checks = checksWhenDone(instruction, accountOf(instruction, "owner"))
    expect(checks.flatMap(({ against }) => (against === undefined ? [] : [show(against)]))).toEqual([
      "state(ctx.accounts.open.config).owner",
    ])
  })

  it("distinguishes a field named data from the account's bytes", () => {
    const instruction = program("ctx.accounts.pool.data = fee; Ok(())")
    expect(usesOf(instruction, accountOf(instruction, "pool")).map(({ kind }) => kind)).toContain("state-write")
  })
})

describe("access_control", () => {
  it("holds for a handler to which the program module delegates", () => {
    const instruction = program(
      "Go::run(ctx, fee)",
      `impl Go<'_> {
        fn check(&self) -> Result<()> { require_keys_eq!(self.pool.maker, self.maker.key()); Ok(()) }
        #[access_control(ctx.accounts.check())]
        fn run(ctx: Context<Self>, fee: u64) -> Result<()> { ctx.accounts.pool.data = fee; Ok(()) }
      }`,
    )
    expect(checksWhenDone(instruction, accountOf(instruction, "pool")).some(({ kind }) => kind === "state")).toBe(true)
  })
})

describe("a condition with alternatives", () => {
  const kinds = (condition: string): ReadonlyArray<string> => {
    const instruction = program(`require!(${condition}, ErrorCode::ConstraintRaw); Ok(())`)
    return checksWhenDone(instruction, accountOf(instruction, "raw")).map(({ kind }) => kind)
  }
  it("is a check if one alternative calls a library", () => {
    expect(
      kinds("ctx.accounts.raw.owner == &spl_token::ID || spl_lib::is_token_program(ctx.accounts.raw.owner)"),
    ).toEqual(["call"])
  })
  it("is not a check if an alternative has nothing to do with the account", () => {
    expect(kinds("ctx.accounts.raw.owner == &spl_token::ID || fee == 0")).toEqual([])
  })
})

describe("a struct that dereferences to one of its fields", () => {
  const inner = `
    #[program] mod p { use super::*; pub fn go(ctx: Context<Go>, fee: u64) -> Result<()> { ctx.accounts.set(fee) } }
    #[derive(Accounts)] pub struct Go<'info> { common: Common<'info>, other: Signer<'info> }
    #[derive(Accounts)] pub struct Common<'info> { #[account(mut)] pool: Account<'info, Pool>, maker: Signer<'info> }
    impl<'info> std::ops::Deref for Go<'info> { type Target = Common<'info>; fn deref(&self) -> &Self::Target { &self.common } }
    #[account] pub struct Pool { pub maker: Pubkey, pub fee: u64 }`

  it("has the methods of that field", () => {
    const instruction = instructionOf(
      solanaProgram(
        `${inner} impl<'info> Common<'info> { fn set(&mut self, fee: u64) -> Result<()> { self.pool.fee = fee; Ok(()) } }`,
      ),
    )
    expect(usesOf(instruction, accountOf(instruction, "common.pool")).map(({ kind }) => kind)).toContain("state-write")
  })

  it("has the fields of that field", () => {
    const instruction = instructionOf(
      solanaProgram(
        `${inner} impl<'info> Go<'info> { fn set(&mut self, fee: u64) -> Result<()> { self.pool.fee = fee; Ok(()) } }`,
      ),
    )
    expect(usesOf(instruction, accountOf(instruction, "common.pool")).map(({ kind }) => kind)).toContain("state-write")
  })

  it("is what views of its bytes contain", () => {
    const instruction = program(
      `let bytes = ctx.accounts.pool.to_account_info().try_borrow_mut_data()?;
       let (_, rest) = RefMut::map_split(bytes, |all| all.split_at_mut(8));
       let pool: RefMut<Pool> = RefMut::map(rest, |all| bytemuck::from_bytes_mut(all));
       require_keys_eq!(pool.maker, *ctx.accounts.maker.key);
       Ok(())`,
      "use std::cell::RefMut;",
    )
    const checks = checksWhenDone(instruction, accountOf(instruction, "pool"))
    expect(checks.filter(({ kind }) => kind === "state").map(({ against }) => against && show(against))).toEqual([
      "ctx.accounts.maker.key",
    ])
  })
})

describe("bytes written over a local", () => {
  it.each([
    ["at.copy_from_slice(bytes)", "ctx.accounts.maker.key"],
    ["at[..32].copy_from_slice(bytes)", "concat(ctx.accounts.maker.key)"],
    ["at[..1].clone_from_slice(&[1]); at[1..].clone_from_slice(bytes)", "concat([1], ctx.accounts.maker.key)"],
  ])("are its value: %s", (write, value) => {
    const instruction = program(
      `let bytes = ctx.accounts.maker.key().as_ref(); let mut at = [0u8; 33]; ${write};
       let (k, _) = Pubkey::find_program_address(&[&at], ctx.program_id);
       require!(k == ctx.accounts.raw.key(), E::X); Ok(())`,
    )
    const [check] = checksWhenDone(instruction, accountOf(instruction, "raw"))
    expect(show(check!.against!)).toContain(`[${value}]`)
  })
})
