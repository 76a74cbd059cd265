import { describe, expect, it } from "vitest"
import { buildSolanaProgram } from "../../../../domain/detection/solana/buildSolana.ts"
import { linksOf } from "../../../../domain/detection/solana/ties/links.ts"
import { accountOf, rustProject } from "../../../support/rustProject.ts"

const manifest = (name: string, dependencies: string): string => `[package]
name = "${name}"
[lib]
crate-type = ["cdylib", "lib"]
[dependencies]
anchor-lang = "0.30.0"
${dependencies}`

const pool = (constraint: string) => `use anchor_lang::prelude::*;
#[program]
pub mod pool {
    use super::*;
    pub fn add(ctx: Context<Add>, amount: u64) -> Result<()> { ctx.accounts.tank.shares += amount; Ok(()) }
}
#[derive(Accounts)]
pub struct Add<'info> {
    #[account(mut${constraint})]
    pub tank: Account<'info, Tank>,
    pub spring: Account<'info, Spring>,
}
#[account]
pub struct Tank { pub spring: Pubkey, pub shares: u64 }
#[account]
pub struct Spring { pub rate: u64 }`

const desk = (imported: string, call: string) => `use anchor_lang::prelude::*;
use pool::{${imported}cpi::accounts::Add, Spring, Tank};
#[program]
pub mod desk {
    use super::*;
    pub fn fill(ctx: Context<Fill>, amount: u64) -> Result<()> {
        let accounts = Add { tank: ctx.accounts.target.to_account_info(), spring: ctx.accounts.spring.to_account_info() };
        let context = CpiContext::new(ctx.accounts.pool_program.to_account_info(), accounts);
        ${call}
        Ok(())
    }
}
#[derive(Accounts)]
pub struct Fill<'info> {
    #[account(mut)]
    pub target: Account<'info, Tank>,
    pub spring: Account<'info, Spring>,
    pub pool_program: Program<'info, pool::program::Pool>,
}`

const areTied = (constraint: string, call: string, imported = ""): boolean => {
  const { crates } = buildSolanaProgram(
    rustProject({
      "programs/pool/Cargo.toml": manifest("pool", ""),
      "programs/pool/src/lib.rs": pool(constraint),
      "programs/desk/Cargo.toml": manifest("desk", `pool = { path = "../pool", features = ["cpi"] }`),
      "programs/desk/src/lib.rs": desk(imported, call),
    }),
  )
  const fill = crates.flatMap(({ instructions }) => instructions).find(({ name }) => name === "fill")!
  return linksOf(fill).belongTogether(accountOf(fill, "target"), accountOf(fill, "spring"))
}

describe("two accounts that another program of the project receives", () => {
  const call = "pool::cpi::add(context, amount)?;"

  it("belong together if it compares them", () => {
    expect(areTied(", has_one = spring", call)).toBe(true)
    expect(areTied("", call)).toBe(false)
  })

  it("are known by an imported module, too", () => {
    expect(areTied(", has_one = spring", "cpi::add(context, amount)?;", "cpi, ")).toBe(true)
  })

  it("do not if it is called on some paths only", () => {
    expect(areTied(", has_one = spring", `if amount > 5 { ${call} }`)).toBe(false)
  })

  it("are not told by what it is told itself", () => {
    expect(areTied(", constraint = tank.shares == amount", call)).toBe(false)
  })
})
