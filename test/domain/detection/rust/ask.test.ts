import { describe, expect, it } from "vitest"
import { combined } from "../../../../domain/detection/ask/combined.ts"
import { cosmwasmQueries } from "../../../../domain/detection/cosmwasm/ask/cosmwasmQueries.ts"
import { solanaQueries } from "../../../../domain/detection/solana/ask/solanaQueries.ts"
import { cosmwasmProgram, solanaProgram } from "../../../support/rustProject.ts"

const solana = solanaQueries(
  solanaProgram(`#[program]
pub mod vault {
    use super::*;
    pub fn set_fee(ctx: Context<SetFee>, fee: u64) -> Result<()> {
        require!(fee < 100, Code::TooMuch);
        write_fee(&mut ctx.accounts.vault, fee)
    }
    pub fn pay(ctx: Context<Pay>, amount: u64) -> Result<()> {
        send(&ctx, amount)
    }
}
fn write_fee(vault: &mut Account<Vault>, fee: u64) -> Result<()> {
    vault.fee = fee;
    Ok(())
}
fn send(ctx: &Context<Pay>, amount: u64) -> Result<()> {
    token::transfer(
        CpiContext::new(ctx.accounts.token_program.to_account_info(), Transfer {
            from: ctx.accounts.from.to_account_info(),
            to: ctx.accounts.to.to_account_info(),
            authority: ctx.accounts.authority.to_account_info(),
        }),
        amount,
    )
}
#[derive(Accounts)]
pub struct SetFee<'info> {
    #[account(mut, has_one = authority)]
    pub vault: Account<'info, Vault>,
    pub authority: Signer<'info>,
}
#[derive(Accounts)]
pub struct Pay<'info> {
    #[account(mut)]
    pub from: Account<'info, TokenAccount>,
    #[account(mut)]
    pub to: Account<'info, TokenAccount>,
    pub authority: Signer<'info>,
    pub token_program: Program<'info, Token>,
}
#[account]
pub struct Vault { pub authority: Pubkey, pub fee: u64 }
`),
  () => true,
)

const cosmwasm = cosmwasmQueries(
  cosmwasmProgram(`
const CONFIG: Item<Config> = Item::new("config");
pub struct Config { pub owner: Addr, pub fee: u64 }
pub enum ExecuteMsg { SetFee { fee: u64 }, Pay { to: String, amount: u128 } }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::SetFee { fee } => set_fee(deps, info, fee),
        ExecuteMsg::Pay { to, amount } => pay(to, amount),
    }
}
fn set_fee(deps: DepsMut, info: MessageInfo, fee: u64) -> StdResult<Response> {
    let mut config = CONFIG.load(deps.storage)?;
    if info.sender != config.owner { return Err(StdError::generic_err("no")); }
    config.fee = fee;
    CONFIG.save(deps.storage, &config)?;
    Ok(Response::new())
}
fn pay(to: String, amount: u128) -> StdResult<Response> {
    Ok(Response::new().add_message(payment(to, amount)))
}
fn payment(to: String, amount: u128) -> BankMsg {
    BankMsg::Send { to_address: to, amount: coins(amount, "uusd") }
}
`),
  () => true,
)

const items = (...some: ReadonlyArray<object>) => ({ items: some.map((one) => expect.objectContaining(one)) })

describe("questions about a Solana program", () => {
  it("tell who may do what", () => {
    expect(solana.list_entry_points()).toMatchObject({
      items: [
        { function: "set_fee", standing: "tied", effects: [{ what: "writes `vault.fee`" }] },
        { function: "pay", effects: [{ kind: "assets" }] },
      ],
    })
    expect(solana.list_entry_points("other")).toHaveProperty("error")
  })

  it("tell what is required of the caller and of each account", () => {
    expect(solana.checks_before("set_fee")).toMatchObject({
      functions: [
        {
          standing: "tied",
          accounts: [
            {
              account: "vault",
              type: "Vault",
              checks: expect.arrayContaining([expect.stringMatching(/^state: .*authority/)]),
            },
            { account: "authority", checks: expect.arrayContaining([expect.stringMatching(/^signer: /)]) },
          ],
          checks: items({ condition: "fee < 100", function: "vault::set_fee" }),
        },
      ],
    })
  })

  it("show a handler with its accounts", () => {
    expect(solana.read_function("vault.set_fee")).toMatchObject({
      functions: [
        {
          code: expect.stringContaining("write_fee("),
          accounts: expect.stringContaining("has_one = authority"),
        },
      ],
    })
  })

  it("trace calls, writes and cross-program calls to their entry points", () => {
    expect(solana.callers_of("send")).toMatchObject({
      functions: [{ callers: items({ function: "vault::pay" }), reachedFrom: ["pay"] }],
    })
    for (const name of ["fee", "Vault.fee", "vault.fee"])
      expect(solana.writers_of(name), name).toMatchObject({
        variables: [{ variable: "Vault.fee", writers: items({ function: "write_fee", reachedFrom: ["set_fee"] }) }],
      })
    expect(solana.external_calls_of("pay")).toMatchObject({
      functions: [{ calls: items({ kind: "cpi", signsAsProgram: false, through: ["send"] }) }],
    })
    expect(solana.state_of("Vault")).toMatchObject(items({ kind: "state" }))
    expect(solana.functionAt("src/lib.rs", 13)).toMatchObject({ name: "write_fee", reachedFrom: ["set_fee"] })
  })
})

describe("questions about a CosmWasm contract", () => {
  it("tell who may do what", () => {
    expect(cosmwasm.list_entry_points()).toMatchObject({
      items: [
        { function: "ExecuteMsg::SetFee", standing: "guarded" },
        { function: "ExecuteMsg::Pay", standing: "open", effects: [{ kind: "assets" }] },
      ],
    })
  })

  it("accept a message as the name of its handler", () => {
    const sender = expect.stringMatching(/^`info.sender == CONFIG.owner`$/)
    for (const name of ["ExecuteMsg::SetFee", "set_fee", "SetFee"])
      expect(cosmwasm.checks_before(name), name).toMatchObject({
        functions: [{ function: "ExecuteMsg::SetFee", effects: [{ who: sender }] }],
      })
    expect(cosmwasm.read_function("ExecuteMsg::Pay")).toMatchObject({
      functions: [{ function: "pay", code: expect.stringContaining("add_message") }],
    })
  })

  it("trace calls, writes and messages to the messages that cause them", () => {
    expect(cosmwasm.callers_of("payment")).toMatchObject({
      functions: [{ callers: items({ function: "pay" }), reachedFrom: ["ExecuteMsg::Pay"] }],
    })
    for (const name of ["CONFIG", "CONFIG.fee", "fee"])
      expect(cosmwasm.writers_of(name), name).toMatchObject({
        variables: [{ writers: items({ function: "set_fee", reachedFrom: ["ExecuteMsg::SetFee"] }) }],
      })
    expect(cosmwasm.external_calls_of("pay")).toMatchObject({
      functions: [{ calls: items({ message: "BankMsg::Send", to_address: expect.any(String), through: ["payment"] }) }],
    })
    expect(cosmwasm.state_of("")).toMatchObject(items({ variable: "CONFIG", key: "config" }))
  })
})

describe("a repository of several languages", () => {
  const all = combined([solana, cosmwasm], cosmwasm.files)

  it("can be queried as one", () => {
    expect(all.list_entry_points()).toMatchObject({ items: [{}, {}, {}, {}] })
    expect(all.callers_of("payment")).toMatchObject({ functions: [{ function: "payment" }] })
    expect(all.read_function("set_fee")).toMatchObject({ functions: [{}, {}] })
    expect(all.callers_of("nothing")).toHaveProperty("error")
    expect(all.search("UUSD")).toMatchObject(items({ file: "src/lib.rs" }))
  })

  it("knows the target of each file", () => {
    expect(all.ecosystemOf("src/lib.rs")).toBe("solana")
    expect(all.ecosystemOf("README.md")).toBeUndefined()
  })
})
