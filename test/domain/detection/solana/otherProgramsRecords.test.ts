import { describe, expect, it } from "vitest"
import { buildSolanaProgram } from "../../../../domain/detection/solana/buildSolana.ts"
import { staleAfterCpi } from "../../../../domain/detection/solana/rules/state-management/stale-after-cpi.ts"
import { rustProject } from "../../../support/rustProject.ts"

const manifest = (name: string, dependencies: string): string => `[package]
name = "${name}"
[lib]
crate-type = ["cdylib", "lib"]
[dependencies]
anchor-lang = "0.30.0"
${dependencies}`

const pool = `use anchor_lang::prelude::*;
#[program]
pub mod pool {
    use super::*;
    pub fn add(ctx: Context<Add>, amount: u64) -> Result<()> {
        ctx.accounts.tank.shares += amount;
        Ok(())
    }
}
#[derive(Accounts)]
pub struct Add<'info> {
    pub owner: Signer<'info>,
    #[account(mut, has_one = owner)]
    pub tank: Account<'info, Tank>,
}
#[account]
pub struct Tank {
    pub owner: Pubkey,
    pub shares: u64,
    pub cap: u64,
}`

const desk = (after: string, constraint: string): string => `use anchor_lang::prelude::*;
use pool::{cpi::accounts::Add, Tank};
#[program]
pub mod desk {
    use super::*;
    pub fn fill(ctx: Context<Fill>, amount: u64) -> Result<()> {
        let accounts = Add {
            owner: ctx.accounts.owner.to_account_info(),
            tank: ctx.accounts.tank.to_account_info(),
        };
        pool::cpi::add(CpiContext::new(ctx.accounts.pool_program.to_account_info(), accounts), amount)?;
        ${after}
        ctx.accounts.note.shares = ctx.accounts.tank.shares;
        Ok(())
    }
}
#[derive(Accounts)]
pub struct Fill<'info> {
    pub owner: Signer<'info>,
    #[account(${constraint})]
    pub tank: Account<'info, Tank>,
    #[account(mut, has_one = owner)]
    pub note: Account<'info, Note>,
    pub pool_program: Program<'info, pool::program::Pool>,
}
#[account]
pub struct Note {
    pub owner: Pubkey,
    pub shares: u64,
}`

const reported = (after: string, constraint = "mut, has_one = owner"): ReadonlyArray<string> => {
  const program = buildSolanaProgram(
    rustProject({
      "programs/pool/Cargo.toml": manifest("pool", ""),
      "programs/pool/src/lib.rs": pool,
      "programs/desk/Cargo.toml": manifest("desk", `pool = { path = "../pool", features = ["cpi"] }`),
      "programs/desk/src/lib.rs": desk(after, constraint),
    }),
  )
  const found: Array<string> = []
  staleAfterCpi.check(program, ({ severity }) => found.push(severity ?? "its own"))
  return found
}

describe("a record of another program of the workspace", () => {
  it("is stale after a call to that program", () => {
    expect(reported("")).toEqual(["its own"])
  })

  it("is fresh once it was reloaded", () => {
    expect(reported("ctx.accounts.tank.reload()?;")).toEqual([])
  })

  it("does not matter if it is fresh where the program that was called writes something else", () => {
    expect(reported("ctx.accounts.note.shares = ctx.accounts.tank.cap; ctx.accounts.tank.reload()?;")).toEqual(["low"])
  })

  it("is not changed by a call if it is not mutable", () => {
    expect(reported("", "has_one = owner")).toEqual([])
  })
})
