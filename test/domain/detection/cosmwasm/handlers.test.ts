import { isAuthorized } from "../../../../domain/detection/cosmwasm/authority/authority.ts"
import { describe, expect, it } from "vitest"
import { comparisonsOf, outgoingMessages } from "../../../../domain/detection/cosmwasm/questions/questions.ts"
import { show } from "../../../../domain/detection/rust/terms/show.ts"
import { cosmwasmProgram, handlerOf } from "../../../support/rustProject.ts"

const contract = (handler: string, helpers = "") =>
  cosmwasmProgram(`
  pub struct Config { pub owner: Addr, pub denom: String, pub token: Addr }
  pub const CONFIG: Item<Config> = Item::new("config");
  pub const BALANCES: Map<&Addr, Uint128> = Map::new("balances");
  pub const ADMIN: Admin = Admin::new("admin");
  pub enum ExecuteMsg { Set { owner: String, amount: Uint128 }, Ping {}, Receive(Cw20ReceiveMsg) }
  pub enum HookMsg { Stake {}, Vote { id: u64 } }
  #[cfg_attr(not(feature = "library"), entry_point)]
  pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, ContractError> {
    match msg {
      ExecuteMsg::Set { owner, amount } => set(deps, env, info, owner, amount),
      ExecuteMsg::Ping {} => Ok(Response::new()),
      ExecuteMsg::Receive(cw20) => receive(deps, info, cw20),
    }
  }
  fn set(deps: DepsMut, env: Env, info: MessageInfo, owner: String, amount: Uint128) -> Result<Response, ContractError> { ${handler} }
  fn receive(deps: DepsMut, info: MessageInfo, cw20: Cw20ReceiveMsg) -> Result<Response, ContractError> {
    match from_json(&cw20.msg)? { HookMsg::Stake {} => { BALANCES.save(deps.storage, &info.sender, &cw20.amount)?; Ok(Response::new()) }, HookMsg::Vote { id } => Ok(Response::new()) }
  }
  ${helpers}`)
const set = (handler: string, helpers = "") => handlerOf(contract(handler, helpers), "ExecuteMsg::Set")
const save = `CONFIG.save(deps.storage, &Config { owner: deps.api.addr_validate(&owner)?, denom: "u".into(), token: info.sender })?; Ok(Response::new())`

describe("dispatch", () => {
  it("assigns one handler to each message, including nested ones", () => {
    const entry = contract("Ok(Response::new())").crates[0]!.entryPoints[0]!
    expect(entry.kind).toBe("execute")
    expect(entry.handlers.map((one) => one.message).toSorted()).toEqual([
      "ExecuteMsg::Ping",
      "ExecuteMsg::Receive > HookMsg::Stake",
      "ExecuteMsg::Receive > HookMsg::Vote",
      "ExecuteMsg::Set",
    ])
    expect(handlerOf(contract(save), "ExecuteMsg::Set").function.name).toBe("set")
  })

  it("separates the events of one message from those of others", () => {
    const program = contract(save)
    const writes = (message: string) =>
      handlerOf(program, message).events.flatMap((one) => (one.kind === "assign" ? [show(one.target.term)] : []))
    expect(writes("ExecuteMsg::Set")).toEqual([expect.stringContaining("CONFIG")])
    expect(writes("ExecuteMsg::Ping")).toEqual([])
    expect(writes("ExecuteMsg::Receive > HookMsg::Stake")).toEqual([expect.stringMatching(/BALANCES, info\.sender/)])
  })
})

describe("a contract that wraps another one", () => {
  const around = (execute: string) =>
    cosmwasmProgram(`
  pub const NAMES: Map<u64, String> = Map::new("names");
  pub enum ExecuteMsg { Name { id: u64, name: String }, Drop { id: u64 }, Extension { msg: Own } }
  pub enum Own { First { id: u64 }, Second {} }
  pub enum Inner { Name { id: u64, name: String, by: Addr }, Drop { id: u64 }, Other {} }
  #[entry_point]
  pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> { ${execute} }
  fn base(deps: DepsMut, info: MessageInfo, msg: Inner) -> StdResult<Response> {
    match msg {
      Inner::Name { id, name, .. } => NAMES.save(deps.storage, id, &name)?,
      Inner::Drop { id } => NAMES.remove(deps.storage, id),
      Inner::Other {} => (),
    }
    Ok(Response::new())
  }
  fn same(deps: DepsMut, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
      ExecuteMsg::Name { id, name } => NAMES.save(deps.storage, id, &name)?,
      ExecuteMsg::Drop { id } => NAMES.remove(deps.storage, id),
      ExecuteMsg::Extension { .. } => (),
    }
    Ok(Response::new())
  }`)
  const messages = (program: ReturnType<typeof around>) =>
    program.crates[0]!.entryPoints[0]!.handlers.map((one) => one.message).toSorted()
  const written = (program: ReturnType<typeof around>, message: string) =>
    handlerOf(program, message).events.flatMap((one) => (one.kind === "assign" ? [show(one.value.term)] : []))

  it("is seen through if it translates its messages", () => {
    const program = around(`let inner = match msg {
      ExecuteMsg::Name { id, name } => Inner::Name { id, name, by: info.sender.clone() },
      ExecuteMsg::Drop { id } => Inner::Drop { id },
      ExecuteMsg::Extension { .. } => Inner::Other {},
    };
    base(deps, info, inner)`)
    expect(messages(program)).toEqual(["Inner::Drop", "Inner::Name"])
    expect(written(program, "Inner::Name")).toEqual(["msg.<ExecuteMsg::Name>.name"])
  })

  it("forwards only what it does not handle itself", () => {
    const program = around(`match msg {
      ExecuteMsg::Drop { .. } => Err(StdError::generic_err("never")),
      ExecuteMsg::Extension { msg } => match msg { Own::First { id } => { NAMES.remove(deps.storage, id); Ok(Response::new()) }, Own::Second {} => Ok(Response::new()) },
      _ => same(deps, msg),
    }`)
    expect(messages(program)).toEqual([
      "ExecuteMsg::Drop",
      "ExecuteMsg::Extension > Own::First",
      "ExecuteMsg::Extension > Own::Second",
      "ExecuteMsg::Name",
    ])
    expect(written(program, "ExecuteMsg::Drop")).toEqual([])
  })
})

describe("the sender is checked", () => {
  it.each([
    [
      "by comparison",
      `if info.sender != CONFIG.load(deps.storage)?.owner { return Err(ContractError::Unauthorized {}); } ${save}`,
      "",
    ],
    [
      "through a loaded local",
      `let config = CONFIG.load(deps.storage)?; ensure!(config.owner == info.sender, ContractError::Unauthorized {}); ${save}`,
      "",
    ],
    [
      "by ensure_eq!",
      `ensure_eq!(info.sender, CONFIG.load(deps.storage)?.owner, ContractError::Unauthorized {}); ${save}`,
      "",
    ],
    [
      "as text",
      `if info.sender.to_string() != CONFIG.load(deps.storage)?.owner.as_str() { return Err(ContractError::Unauthorized {}); } ${save}`,
      "",
    ],
    [
      "in a helper",
      `only_owner(deps.as_ref(), &info.sender)?; ${save}`,
      `fn only_owner(deps: Deps, who: &Addr) -> Result<(), ContractError> { let c = CONFIG.load(deps.storage)?; if c.owner != *who { return Err(ContractError::Unauthorized {}); } Ok(()) }`,
    ],
    [
      "in a method of the state",
      `CONFIG.load(deps.storage)?.assert_owner(&info.sender)?; ${save}`,
      `impl Config { fn assert_owner(&self, who: &Addr) -> Result<(), ContractError> { if &self.owner == who { Ok(()) } else { Err(ContractError::Unauthorized {}) } } }`,
    ],
    [
      "in a helper that accepts either of two",
      `either(deps.as_ref(), &info.sender)?; ${save}`,
      `fn either(deps: Deps, who: &Addr) -> Result<(), ContractError> { let c = CONFIG.load(deps.storage)?; if c.owner == *who { return Ok(()); } if c.token == *who { return Ok(()); } Err(ContractError::Unauthorized {}) }`,
    ],
    [
      "by a flag that a loop sets",
      `let mut known = false; for one in BALANCES.keys(deps.storage, None, None, Order::Ascending) { if one? == info.sender { known = true; break; } } if !known { return Err(ContractError::Unauthorized {}); } ${save}`,
      "",
    ],
    [
      "by a search that may fail",
      `match found(deps.as_ref(), &info.sender)? { Some(_) => {} None => return Err(ContractError::Unauthorized {}) } ${save}`,
      `fn found(deps: Deps, who: &Addr) -> Result<Option<Addr>, ContractError> { let c = CONFIG.load(deps.storage)?; if c.owner == *who { return Ok(Some(c.owner)); } Ok(None) }`,
    ],
    ["by cw-ownable", `cw_ownable::assert_owner(deps.storage, &info.sender)?; ${save}`, ""],
    ["by cw-controllers", `ADMIN.assert_admin(deps.as_ref(), &info.sender)?; ${save}`, ""],
    [
      "inside update",
      `CONFIG.update(deps.storage, |mut c| -> Result<_, ContractError> { if c.owner != info.sender { return Err(ContractError::Unauthorized {}); } c.denom = owner; Ok(c) })?; Ok(Response::new())`,
      "",
    ],
    ["by a record of its own", `let own = BALANCES.load(deps.storage, &info.sender)?; Ok(Response::new())`, ""],
    [
      "against itself as contract",
      `if info.sender != env.contract.address { return Err(ContractError::Unauthorized {}); } ${save}`,
      "",
    ],
  ])("%s", (_, handler, helpers) => {
    const found = set(handler, helpers)
    expect(isAuthorized(found.entry, found.facts)).toBe(true)
  })
})

describe("the sender is not checked", () => {
  it.each([
    ["at all", save],
    [
      "against what it sends itself",
      `if info.sender.to_string() != owner { return Err(ContractError::Unauthorized {}); } ${save}`,
    ],
    [
      "where the error is not returned",
      `if info.sender != CONFIG.load(deps.storage)?.owner { ContractError::Unauthorized {}; } ${save}`,
    ],
    [
      "where one of two paths through a helper checks nothing",
      `if amount.is_zero() { return Ok(Response::new()); } let _ = CONFIG.load(deps.storage)?.owner == info.sender; ${save}`,
    ],
    ["where the helper's result is dropped", `only_owner(deps.as_ref(), &info.sender); ${save}`],
  ])("%s", (_, handler) => {
    const helper = `fn only_owner(deps: Deps, who: &Addr) -> Result<(), ContractError> { if CONFIG.load(deps.storage)?.owner != *who { return Err(ContractError::Unauthorized {}); } Ok(()) }`
    const found = set(handler, helper)
    expect(isAuthorized(found.entry, found.facts)).toBe(false)
  })

  it("and dropped results are marked", () => {
    const found = set(
      `only(deps.as_ref()); let _ = only(deps.as_ref()); only(deps.as_ref())?; Ok(Response::new())`,
      "fn only(deps: Deps) -> Result<(), ContractError> { Ok(()) }",
    )
    expect(
      found.events.flatMap((one) => (one.kind === "call" && one.name === "only" ? [one.dropped ?? one.handled] : [])),
    ).toEqual(["ignored", "discarded", true])
  })
})

describe("storage and messages", () => {
  it("lists containers with namespace and value", () => {
    const { containers } = contract("Ok(Response::new())").crates[0]!
    expect(containers.map((one) => [one.name, one.kind, one.key])).toEqual([
      ["CONFIG", "Item", "config"],
      ["BALANCES", "Map", "balances"],
      ["ADMIN", "Admin", "admin"],
    ])
  })

  it("sees what is sent, to whom, and from which input", () => {
    const found = set(
      `let to = deps.api.addr_validate(&owner)?; Ok(Response::new().add_message(BankMsg::Send { to_address: to.to_string(), amount: vec![coin(amount.u128(), "u")] }))`,
    )
    const [message] = outgoingMessages(found.events)
    expect(message?.path).toBe("BankMsg::Send")
    expect(show(message!.fields.get("to_address")!)).toBe("addr_validate(msg.<ExecuteMsg::Set>.owner)")
    expect(show(message!.fields.get("amount")!)).toMatch(/msg\.<ExecuteMsg::Set>\.amount/)
  })

  it("sees submessages, funds helpers and raw arithmetic with types", () => {
    const found = set(
      `nonpayable(&info)?; let sub = SubMsg::reply_always(BankMsg::Burn { amount: vec![] }, 1); let fee = amount * Uint128::new(2); Ok(Response::new().add_submessage(sub))`,
    )
    expect(outgoingMessages(found.events).map((one) => one.path)).toEqual(["BankMsg::Burn", "SubMsg::reply_always"])
    expect([...found.facts].map((one) => show(one))).toContain("fundsChecked(info.funds)")
    expect(found.events.find((one) => one.kind === "operation")).toMatchObject({
      operator: "*",
      type: { name: "Uint128" },
    })
  })

  it("compares any term, not only the sender", () => {
    const found = set(`if amount < Uint128::new(5) { return Err(ContractError::Small {}); } ${save}`)
    const amount = found.events
      .flatMap((one) => (one.kind === "check" ? one.conditions : []))
      .flatMap((one) => (one.kind === "binary" ? [one.left, one.right] : []))
      .find((one) => show(one).endsWith("amount"))!
    expect(comparisonsOf(amount, found.facts).map((one) => one.operator)).toEqual(["<="])
  })
})

describe("entry points marked elsewhere or by newer names", () => {
  const kindsOf = (text: string): ReadonlyArray<string> =>
    cosmwasmProgram(text).crates.flatMap(({ entryPoints }) =>
      entryPoints.map(({ kind, function: { qualifiedName } }) => `${kind} ${qualifiedName}`),
    )

  it("uses the implementation of a Sylvia interface method, not its declaration", () => {
    expect(
      kindsOf(`
pub mod api { #[interface] pub trait Admin { type Error; #[sv::msg(exec)] fn hand(&self, ctx: ExecCtx, to: String) -> Result<Response, Self::Error>; fn help(&self); } }
pub struct Vault { pub owner: Item<Addr> }
#[contract]
impl Vault { #[sv::msg(query)] fn owner(&self, ctx: QueryCtx) -> StdResult<Addr> { self.owner.load(ctx.deps.storage) } }
impl api::Admin for Vault {
    type Error = StdError;
    fn hand(&self, ctx: ExecCtx, to: String) -> Result<Response, StdError> { Ok(Response::new()) }
    fn help(&self) {}
}`),
    ).toEqual(["query Vault::owner", "execute Vault::hand"])
  })

  const context = "pub struct Ctx<'a> { pub deps: DepsMut<'a>, pub info: MessageInfo, pub env: Env }"
  it.each([
    ["of a framework", "pub fn execute(ctx: ExecuteContext, msg: ExecuteMsg) -> R {}", ["execute execute"]],
    ["of the project", `${context} pub fn execute(ctx: Ctx, msg: ExecuteMsg) -> R {}`, ["execute execute"]],
    ["without a message", "pub fn execute(ctx: ExecuteContext, amount: u64) -> R {}", []],
    ["with the message of another entry point", "pub fn query(ctx: ExecuteContext, msg: ExecuteMsg) -> R {}", []],
    ["that contains no access to the chain", "pub struct Ctx {} pub fn execute(ctx: Ctx, msg: ExecuteMsg) -> R {}", []],
  ])("recognizes a function by its context, %s", (_, text, expected) => {
    expect(kindsOf(text)).toEqual(expected)
  })

  it("recognizes a Sylvia interface without source by the context of its methods", () => {
    const program = cosmwasmProgram(`
use apis::Admin;
pub struct Vault { pub owner: Item<Addr> }
impl Admin for Vault {
    fn hand(&self, ctx: ExecCtx, note: String, to: String) -> StdResult<Response> { let found = self.owner.load(ctx.deps.storage)?; Ok(Response::new()) }
    fn ended(&self, ctx: SudoCtx) -> StdResult<Response> { Ok(Response::new()) }
    fn help(&self, other: String) {}
}
impl Other { fn plain(&self, ctx: ExecCtx) -> StdResult<Response> { Ok(Response::new()) } }`)
    const entries = program.crates.flatMap(({ entryPoints }) => entryPoints)
    expect(entries.map(({ kind, function: { name }, sender }) => `${kind} ${name} ${sender !== undefined}`)).toEqual([
      "execute hand true",
      "sudo ended false",
    ])
    expect(entries[0]!.parts!.map(({ term }) => show(term))).toEqual(["msg.<Vault::hand>.note", "msg.<Vault::hand>.to"])
  })

  it("recognizes the packets of IBC version 2", () => {
    expect(
      kindsOf(`#[entry_point]
pub fn ibc2_packet_receive(deps: DepsMut, env: Env, msg: Ibc2PacketReceiveMsg) -> StdResult<IbcReceiveResponse> { Ok(IbcReceiveResponse::new()) }`),
    ).toEqual(["ibc2_packet_receive ibc2_packet_receive"])
  })
})
