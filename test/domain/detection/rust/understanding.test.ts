import { describe, expect, it } from "vitest"
import { cosmwasmUnderstanding } from "../../../../domain/detection/cosmwasm/understanding.ts"
import { buildCosmWasmProgram } from "../../../../domain/detection/cosmwasm/buildCosmWasm.ts"
import { buildSolanaProgram } from "../../../../domain/detection/solana/buildSolana.ts"
import { solanaUnderstanding } from "../../../../domain/detection/solana/program/understanding.ts"
import { rustProject } from "../../../support/rustProject.ts"

const cargo = (name: string, dependencies: string, types = '["cdylib", "lib"]'): string =>
  `[package]\nname = "${name}"\nversion = "0.1.0"\n[lib]\ncrate-type = ${types}\n[dependencies]\n${dependencies}\n`

const anchor = `use anchor_lang::prelude::*;
#[program] pub mod p { use super::*;
  pub fn set(ctx: Context<Set>, value: u64) -> Result<()> { ctx.accounts.state.value = value; Ok(()) }
  pub fn nothing(_ctx: Context<Nothing>) -> Result<()> { Ok(()) }
}
#[derive(Accounts)] pub struct Set<'info> { #[account(mut, has_one = owner)] pub state: Account<'info, State>, pub owner: Signer<'info> }
#[derive(Accounts)] pub struct Nothing {}
#[account] pub struct State { pub owner: Pubkey, pub value: u64 }`

describe("the coverage of a program", () => {
  it("counts entry points, handlers and accounts, and names almost empty ones", () => {
    const program = buildSolanaProgram(
      rustProject({ "Cargo.toml": cargo("demo", 'anchor-lang = "0.30"'), "src/lib.rs": anchor }),
    )
    expect(solanaUnderstanding(program)).toEqual([
      {
        program: "demo",
        framework: "Anchor",
        entryPoints: 1,
        handlers: 2,
        understood: 1,
        inputs: 2,
        nearlyEmpty: ["nothing"],
        notFollowed: [],
      },
    ])
  })

  it("names the conditions whose code is not in the deployed build", () => {
    const leftOutOf = (text: string) => {
      const manifest = `${cargo("demo", 'anchor-lang = "0.30"')}[features]\ndev-fee = []\nlive = []\ndefault = ["live"]\n`
      const program = buildSolanaProgram(rustProject({ "Cargo.toml": manifest, "src/lib.rs": `${anchor}\n${text}` }))
      return solanaUnderstanding(program).map((one) => one.leftOut)
    }
    const twice = '#[cfg(feature = "dev-fee")] fn fee() -> u64 { 0 }\n'
    expect(leftOutOf(`${twice}${twice.replace("fee()", "other()")}`)).toEqual([['feature = "dev-fee"']])
    expect(leftOutOf('#[cfg(all(feature = "dev-fee", unix))] mod fees {}')).toEqual([
      ['all(feature = "dev-fee", unix)'],
    ])
    expect(leftOutOf('fn fee() -> u64 { if cfg!(feature = "dev-fee") { 0 } else { 1 } }')).toEqual([
      ['feature = "dev-fee"'],
    ])
    expect(leftOutOf('fn fee() -> u64 { if cfg!(feature = "live") { 1 } else { 0 } }')).toEqual([
      ['not(feature = "live")'],
    ])
    expect(leftOutOf('#[cfg(test)] mod tests {}\n#[cfg(not(feature = "dev-fee"))] fn fee() {}')).toEqual([undefined])
  })

  it("warns if a native program reads its accounts in an unknown way", () => {
    const text = `use solana_program::{account_info::AccountInfo, entrypoint, entrypoint::ProgramResult, pubkey::Pubkey};
entrypoint!(process);
pub fn process(id: &Pubkey, accounts: &[AccountInfo], data: &[u8]) -> ProgramResult { magic::dispatch(id, accounts, data) }`
    const program = buildSolanaProgram(
      rustProject({ "Cargo.toml": cargo("demo", 'solana-program = "2"'), "src/lib.rs": text }),
    )
    const [one] = solanaUnderstanding(program)
    expect(one).toMatchObject({ framework: "native", entryPoints: 1, handlers: 0 })
    expect(one?.warning).toBe("its entry point was found, but no instructions")
  })

  it("is reported for contracts, but not for the packages that they link", () => {
    const project = rustProject({
      "contract/Cargo.toml": cargo("contract", 'cosmwasm-std = "2"\nhelpers = { path = "../helpers" }'),
      "contract/src/lib.rs": `use cosmwasm_std::*;
pub enum ExecuteMsg { Pay { to: String } }
#[entry_point] pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
  match msg { ExecuteMsg::Pay { to } => helpers::pay(deps, to) }
}`,
      "helpers/Cargo.toml": cargo("helpers", 'cosmwasm-std = "2"', '["rlib"]'),
      "helpers/src/lib.rs":
        "use cosmwasm_std::*; pub fn pay(deps: DepsMut, to: String) -> StdResult<Response> { let to = deps.api.addr_validate(&to)?; Ok(Response::new()) }",
      "bot/Cargo.toml": cargo("bot", 'cosmwasm-std = "2"\ntokio = "1"', '["rlib"]'),
      "bot/src/lib.rs": "use cosmwasm_std::*; pub fn run() {}",
    })
    const program = buildCosmWasmProgram(project)
    expect(program.crates.map(({ crate }) => crate.name)).toEqual(["contract", "helpers"])
    expect(cosmwasmUnderstanding(program)).toMatchObject([
      { program: "contract", entryPoints: 1, handlers: 1, understood: 1 },
    ])
  })
})
