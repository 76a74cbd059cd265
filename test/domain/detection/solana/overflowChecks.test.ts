import { describe, expect, it } from "vitest"
import { buildSolanaProgram } from "../../../../domain/detection/solana/buildSolana.ts"
import { uncheckedArithmetic } from "../../../../domain/detection/solana/rules/arithmetic/unchecked-arithmetic.ts"
import { rustProject } from "../../../support/rustProject.ts"

const path = "programs/vault/src/lib.rs"
const vault = '[package]\nname = "vault"\nversion = "0.1.0"\n\n[dependencies]\nanchor-lang = "0.30.1"\n'
const checked = "[profile.release]\noverflow-checks = true\n"
const program = (sum: string) => `use anchor_lang::prelude::*;
#[program] pub mod vault { use super::*;
  pub fn pay(ctx: Context<Pay>, amount: u64) -> Result<()> { ctx.accounts.vault.paid = ${sum}; Ok(()) } }
#[derive(Accounts)] pub struct Pay<'info> { #[account(mut)] pub vault: Account<'info, Vault> }
#[account] pub struct Vault { pub paid: u64 }
`

const isFlagged = (manifests: Record<string, string>, sum = "ctx.accounts.vault.paid + amount"): boolean => {
  let found = false
  const files = { [path]: program(sum), ...manifests }
  uncheckedArithmetic.check(buildSolanaProgram(rustProject(files)), () => (found = true))
  return found
}

describe("raw arithmetic of Solana programs and the release profile", () => {
  it("is reported if no manifest enables overflow checks", () => {
    expect(isFlagged({ "programs/vault/Cargo.toml": vault })).toBe(true)
  })

  it("is not reported if the workspace enables them, unless the method wraps by name", () => {
    const manifests = {
      "programs/vault/Cargo.toml": vault,
      "Cargo.toml": `[workspace]\nmembers = ["programs/*"]\n\n${checked}`,
    }
    expect(isFlagged(manifests)).toBe(false)
    expect(isFlagged(manifests, "ctx.accounts.vault.paid.wrapping_add(amount)")).toBe(true)
  })

  it("is reported if only a member of the workspace enables them, which Cargo ignores", () => {
    const manifests = {
      "programs/vault/Cargo.toml": `${vault}\n${checked}`,
      "Cargo.toml": '[workspace]\nmembers = ["programs/*"]\n',
    }
    expect(isFlagged(manifests)).toBe(true)
  })

  it("is a hint if it is up to a workspace outside the project", () => {
    const own = vault.replace('"0.30.1"', "{ workspace = true }")
    const found: Array<string | undefined> = []
    const files = { [path]: program("ctx.accounts.vault.paid + amount"), "programs/vault/Cargo.toml": own }
    uncheckedArithmetic.check(buildSolanaProgram(rustProject(files)), ({ severity }) => found.push(severity))
    expect(found).toEqual(["low"])
  })
})
