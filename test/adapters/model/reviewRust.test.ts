import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { engine } from "../../../apps/wiring/engine.ts"
import { FakeModel, type Heard, type Says } from "../../support/fakeModel.ts"
import { folderOf, MemoryReviewStore, reviewed } from "../../support/reviewed.ts"

const manifest = (name: string, dependency: string): string =>
  `[package]\nname = "${name}"\nversion = "0.1.0"\n[lib]\ncrate-type = ["cdylib"]\n[dependencies]\n${dependency} = "1"\n`

const files = {
  "contracts/bank/Cargo.toml": manifest("bank", "cosmwasm-std"),
  "contracts/bank/src/lib.rs": `use cosmwasm_std::*;
pub enum ExecuteMsg { Pay { to: String, amount: u128 } }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Pay { to, amount } => pay(to, amount),
    }
}
fn pay(to: String, amount: u128) -> StdResult<Response> {
    Ok(Response::new().add_message(payment(to, amount * 2)))
}
fn payment(to: String, amount: u128) -> BankMsg {
    BankMsg::Send { to_address: to, amount: coins(amount, "uusd") }
}
`,
  "programs/vault/Cargo.toml": manifest("vault", "anchor-lang"),
  "programs/vault/src/lib.rs": `use anchor_lang::prelude::*;
#[program]
pub mod vault {
    use super::*;
    pub fn drain(ctx: Context<Drain>, amount: u64) -> Result<()> {
        **ctx.accounts.vault.to_account_info().try_borrow_mut_lamports()? -= amount;
        **ctx.accounts.to.try_borrow_mut_lamports()? += amount;
        Ok(())
    }
}
#[derive(Accounts)]
pub struct Drain<'info> {
    #[account(mut)]
    pub vault: Account<'info, Vault>,
    /// CHECK: whoever is paid
    #[account(mut)]
    pub to: UncheckedAccount<'info>,
}
#[account]
pub struct Vault { pub owner: Pubkey }
`,
}

const quotes = [{ line: 10, text: "Ok(Response::new().add_message(payment(to, amount * 2)))" }]
const claim = {
  category: "logic",
  severity: "high",
  title: "Twice the amount is paid",
  file: "contracts/bank/src/lib.rs",
  function: "pay",
  lineStart: 10,
  lineEnd: 10,
  description: "It doubles.",
  attack: "Anybody sends Pay.",
  remediation: "Pay the amount.",
  quotes,
}

/** Asks about the code, and reports what it sees in the contract. */
const answer = (heard: Heard): Says => {
  const said = heard.said.join("\n")
  if (heard.only === "verdicts") return { call: "verdicts", with: { verdicts: [] } }
  if (heard.tools.includes("judgment")) {
    const step = { caller: "anyone", function: "ExecuteMsg::Pay", values: "to: me, amount: 5", effect: "10 are paid" }
    return { call: "judgment", with: { verdict: "exploitable", steps: [step], reasoning: "No check.", quotes } }
  }
  if (heard.calls.length === 0) {
    const name = said.includes(`"contract":"bank"`) ? "pay" : "drain"
    return {
      calls: ["read_function", "checks_before", "external_calls_of"].map((call) => ({
        call,
        with: { function: name },
      })),
    }
  }
  return { call: "report", with: { claims: said.includes(`"contract":"bank"`) ? [claim] : [] } }
}

describe("the hunt in programs in Rust", () => {
  let model: FakeModel
  let folder: Awaited<ReturnType<typeof folderOf>>
  beforeAll(async () => {
    model = await FakeModel.start(answer)
    folder = await folderOf(files)
  })
  afterAll(() => Promise.all([model.stop(), folder.remove()]))

  it("follows the checklists of each ecosystem, answers about both, and reports what survives", async () => {
    const { findings, coverage } = await Effect.runPromise(
      reviewed(folder.directory, model.url, new MemoryReviewStore(), engine(1)),
    )
    const about = (contract: string) =>
      model.heard
        .findLast(
          ({ tools, said }) => tools.includes("report") && said.join("\n").includes(`"contract":"${contract}"`),
        )!
        .said.join("\n")
    expect(about("bank")).toContain("CosmWasm messages and replies")
    expect(about("bank")).not.toContain("Solana accounts and CPI")
    expect(about("bank")).toContain(`"message":"BankMsg::Send"`)
    expect(about("vault")).toContain("Solana accounts and CPI")
    expect(about("vault")).toContain(`"account":"vault"`)
    expect(findings.filter(({ ruleId }) => ruleId.startsWith("external/ai/"))).toMatchObject([
      {
        ruleId: "external/ai/logic",
        // The steps call the message that leads to the function.
        confidence: "medium",
        location: { file: claim.file, lineStart: 10, snippet: expect.stringContaining("amount * 2") },
      },
    ])
    expect(coverage.engines.find(({ name }) => name === "ai")?.note).toContain("1 problem found, 0 claims refuted")
  })
})
