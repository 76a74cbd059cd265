import type { Example } from "./table.ts"

const state = `#[cw_serde] pub struct Config { pub owner: Addr, pub fee: Uint128 }
const CONFIG: Item<Config> = Item::new("config");`
const uses = `use cosmwasm_schema::cw_serde;
use cosmwasm_std::*;
use cw_storage_plus::Item;`
const messages = `#[cw_serde] pub struct InstantiateMsg { pub fee: Uint128 }
#[cw_serde] pub enum ExecuteMsg { SetFee { fee: Uint128 }, Ping {} }`
const init = `CONFIG.save(deps.storage, &Config { owner: info.sender, fee: msg.fee })?; Ok(Response::new())`
const check = 'if info.sender != config.owner { return Err(StdError::generic_err("stranger")); }'
const setFee = `let mut config = CONFIG.load(deps.storage)?; ${check} config.fee = fee; CONFIG.save(deps.storage, &config)?; Ok(Response::new())`

const handled = (...names: ReadonlyArray<string>): Example["handlers"] =>
  Object.fromEntries(names.map((one) => [one, []]))

const both = handled("instantiate", "ExecuteMsg::SetFee", "ExecuteMsg::Ping")

/** What CosmWasm contracts look like, by version and framework. */
export const cosmwasmExamples: ReadonlyArray<Example> = [
  {
    framework: "CosmWasm",
    shows: "2 and 3",
    dependencies: 'cosmwasm-std = "3"\ncosmwasm-schema = "3"\ncw-storage-plus = "3"',
    safe: `${uses}
${state}
${messages}
#[entry_point] pub fn instantiate(deps: DepsMut, _env: Env, info: MessageInfo, msg: InstantiateMsg) -> StdResult<Response> { ${init} }
#[entry_point] pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
  match msg { ExecuteMsg::SetFee { fee } => set_fee(deps, info, fee), ExecuteMsg::Ping {} => Ok(Response::new()) }
}
fn set_fee(deps: DepsMut, info: MessageInfo, fee: Uint128) -> StdResult<Response> { ${setFee} }`,
    without: [check, ""],
    handlers: both,
  },
  {
    framework: "CosmWasm",
    shows: "0.10, the sender in the environment",
    dependencies: 'cosmwasm-std = "0.10"\ncosmwasm-storage = "0.10"',
    safe: `use cosmwasm_std::*;
use cosmwasm_storage::{singleton, singleton_read};
pub struct Config { pub owner: CanonicalAddr, pub fee: Uint128 }
pub struct InitMsg { pub fee: Uint128 }
pub enum HandleMsg { SetFee { fee: Uint128 }, Ping {} }
pub fn init<S: Storage, A: Api, Q: Querier>(deps: &mut Extern<S, A, Q>, env: Env, msg: InitMsg) -> StdResult<InitResponse> {
  singleton(&mut deps.storage, b"config").save(&Config { owner: deps.api.canonical_address(&env.message.sender)?, fee: msg.fee })?;
  Ok(InitResponse::default())
}
pub fn handle<S: Storage, A: Api, Q: Querier>(deps: &mut Extern<S, A, Q>, env: Env, msg: HandleMsg) -> StdResult<HandleResponse> {
  match msg { HandleMsg::SetFee { fee } => set_fee(deps, env, fee), HandleMsg::Ping {} => Ok(HandleResponse::default()) }
}
fn set_fee<S: Storage, A: Api, Q: Querier>(deps: &mut Extern<S, A, Q>, env: Env, fee: Uint128) -> StdResult<HandleResponse> {
  let mut config: Config = singleton_read(&deps.storage, b"config").load()?;
  if deps.api.canonical_address(&env.message.sender)? != config.owner { return Err(StdError::unauthorized()); }
  config.fee = fee;
  singleton(&mut deps.storage, b"config").save(&config)?;
  Ok(HandleResponse::default())
}`,
    without: [
      "if deps.api.canonical_address(&env.message.sender)? != config.owner { return Err(StdError::unauthorized()); }",
      "",
    ],
    handlers: handled("instantiate", "HandleMsg::SetFee", "HandleMsg::Ping"),
  },
  {
    framework: "Sylvia",
    dependencies: 'cosmwasm-std = "2"\nsylvia = "1"\ncw-storage-plus = "2"',
    safe: `use sylvia::contract; use sylvia::ctx::{ExecCtx, InstantiateCtx};
${uses}
pub struct Demo { pub owner: Item<Addr>, pub fee: Item<Uint128> }
#[entry_points] #[contract]
impl Demo {
  pub const fn new() -> Self { Self { owner: Item::new("owner"), fee: Item::new("fee") } }
  #[sv::msg(instantiate)] fn instantiate(&self, ctx: InstantiateCtx, fee: Uint128) -> StdResult<Response> {
    self.owner.save(ctx.deps.storage, &ctx.info.sender)?; self.fee.save(ctx.deps.storage, &fee)?; Ok(Response::new())
  }
  #[sv::msg(exec)] fn set_fee(&self, ctx: ExecCtx, fee: Uint128) -> StdResult<Response> {
    if ctx.info.sender != self.owner.load(ctx.deps.storage)? { return Err(StdError::generic_err("stranger")); }
    self.fee.save(ctx.deps.storage, &fee)?;
    Ok(Response::new())
  }
}`,
    without: [
      'if ctx.info.sender != self.owner.load(ctx.deps.storage)? { return Err(StdError::generic_err("stranger")); }',
      "",
    ],
    handlers: handled("instantiate", "set_fee"),
  },
  {
    framework: "Abstract",
    shows: "handlers handed to the contract's constant",
    dependencies: 'cosmwasm-std = "2"\nabstract-app = "0.24"\ncw-storage-plus = "2"',
    safe: `use abstract_app::AppContract;
${uses}
${state}
${messages}
pub type DemoApp = AppContract<StdError, InstantiateMsg, ExecuteMsg, Empty, Empty>;
const DEMO: DemoApp = DemoApp::new("demo:app", "0.1.0", None)
  .with_instantiate(handlers::instantiate_handler)
  .with_execute(handlers::execute_handler)
  .with_replies(&[(1, handlers::created_reply)]);
abstract_app::export_endpoints!(DEMO, DemoApp);
pub mod handlers {
  use super::*;
  pub fn instantiate_handler(deps: DepsMut, _env: Env, info: MessageInfo, module: DemoApp, msg: InstantiateMsg) -> StdResult<Response> { ${init} }
  pub fn execute_handler(deps: DepsMut, _env: Env, info: MessageInfo, module: DemoApp, msg: ExecuteMsg) -> StdResult<Response> {
    match msg { ExecuteMsg::SetFee { fee } => set_fee(deps, info, fee), ExecuteMsg::Ping {} => Ok(Response::new()) }
  }
  pub fn created_reply(deps: DepsMut, _env: Env, module: DemoApp, reply: Reply) -> StdResult<Response> { CONFIG.load(deps.storage)?; Ok(Response::new()) }
  fn set_fee(deps: DepsMut, info: MessageInfo, fee: Uint128) -> StdResult<Response> { ${setFee} }
}`,
    without: [check, ""],
    handlers: handled("instantiate", "ExecuteMsg::SetFee", "ExecuteMsg::Ping", "reply"),
  },
  {
    framework: "CosmWasm",
    shows: "a context of its own around deps, env and info",
    dependencies: 'cosmwasm-std = "1"\ncw-storage-plus = "1"\ncosmwasm-schema = "1"',
    safe: `${uses}
${state}
${messages}
pub struct ExecuteContext<'a> { pub deps: DepsMut<'a>, pub env: Env, pub info: MessageInfo }
impl<'a> ExecuteContext<'a> { pub fn new(deps: DepsMut<'a>, info: MessageInfo, env: Env) -> Self { Self { deps, env, info } } }
#[cfg_attr(not(feature = "library"), entry_point)]
pub fn instantiate(deps: DepsMut, _env: Env, info: MessageInfo, msg: InstantiateMsg) -> StdResult<Response> { ${init} }
#[cfg_attr(not(feature = "library"), entry_point)]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
  let ctx = ExecuteContext::new(deps, info, env);
  handle(ctx, msg)
}
fn handle(ctx: ExecuteContext, msg: ExecuteMsg) -> StdResult<Response> {
  match msg { ExecuteMsg::SetFee { fee } => set_fee(ctx, fee), ExecuteMsg::Ping {} => Ok(Response::new()) }
}
fn set_fee(ctx: ExecuteContext, fee: Uint128) -> StdResult<Response> {
  let ExecuteContext { deps, info, .. } = ctx;
  ${setFee}
}`,
    without: [check, ""],
    handlers: both,
  },
  {
    framework: "CosmWasm",
    shows: "entry points of other names, known by their message",
    dependencies: 'cosmwasm-std = "1"\ncw-storage-plus = "1"\ncosmwasm-schema = "1"',
    safe: `${uses}
${state}
${messages}
#[entry_point] pub fn instantiate(deps: DepsMut, _env: Env, info: MessageInfo, msg: InstantiateMsg) -> StdResult<Response> { ${init} }
#[entry_point(name = "execute")] pub fn run(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
  match msg { ExecuteMsg::SetFee { fee } => set_fee(deps, info, fee), ExecuteMsg::Ping {} => Ok(Response::new()) }
}
fn set_fee(deps: DepsMut, info: MessageInfo, fee: Uint128) -> StdResult<Response> { ${setFee} }`,
    without: [check, ""],
    handlers: both,
  },
  {
    framework: "CosmWasm",
    shows: "methods of a contract that the entry point makes",
    dependencies: 'cosmwasm-std = "1"\ncw-storage-plus = "1"\ncosmwasm-schema = "1"',
    safe: `${uses}
#[cw_serde] pub struct Config { pub owner: Addr, pub fee: Uint128 }
${messages}
pub struct Demo<'a> { pub config: Item<'a, Config> }
impl<'a> Default for Demo<'a> { fn default() -> Self { Self { config: Item::new("config") } } }
impl<'a> Demo<'a> {
  pub fn instantiate(&self, deps: DepsMut, info: MessageInfo, msg: InstantiateMsg) -> StdResult<Response> {
    self.config.save(deps.storage, &Config { owner: info.sender, fee: msg.fee })?; Ok(Response::new())
  }
  pub fn execute(&self, deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg { ExecuteMsg::SetFee { fee } => self.set_fee(deps, info, fee), ExecuteMsg::Ping {} => Ok(Response::new()) }
  }
  fn set_fee(&self, deps: DepsMut, info: MessageInfo, fee: Uint128) -> StdResult<Response> {
    let mut config = self.config.load(deps.storage)?; ${check} config.fee = fee; self.config.save(deps.storage, &config)?; Ok(Response::new())
  }
}
#[entry_point] pub fn instantiate(deps: DepsMut, _env: Env, info: MessageInfo, msg: InstantiateMsg) -> StdResult<Response> { Demo::default().instantiate(deps, info, msg) }
#[entry_point] pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> { Demo::default().execute(deps, env, info, msg) }`,
    without: [check, ""],
    handlers: both,
  },
]
