import { type Axis, each, eachFile, manifest } from "./axis.ts"

/** A contract with these messages, arms for them, other items and storage. */
const contract = (messages: string, arms: string, items = "", storage = "") => ({
  "Cargo.toml": manifest("cosmwasm-std"),
  "src/lib.rs": "pub mod contract;",
  "src/contract.rs": `use cosmwasm_std::*;
use cw_storage_plus::{Item, Map};
pub const TOTAL: Item<Uint128> = Item::new("total"); pub const OWNER: Item<Addr> = Item::new("owner"); pub const BAL: Map<&Addr, Uint128> = Map::new("bal");
${storage}
pub enum ExecuteMsg { ${messages} }
#[entry_point] pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> { match msg { ${arms} } }
${items}`,
})

/** A contract with one message, whose handler has this body. */
const body = (statements: string, items = "", storage = "") =>
  contract(
    "A { x: Uint128, to: String, all: Vec<Addr> }",
    "ExecuteMsg::A { x, to, all } => f(deps, env, info, x, to, all)",
    `fn f(deps: DepsMut, env: Env, info: MessageInfo, x: Uint128, to: String, all: Vec<Addr>) -> StdResult<Response> { ${statements} Ok(Response::new()) }\n${items}`,
    storage,
  )

const owner = 'if info.sender != OWNER.load(deps.storage)? { return Err(StdError::generic_err("x")); }'

const statements: Readonly<Record<string, Axis>> = {
  "loads, checks and saves": (n) =>
    body(
      each(
        n,
        (i) =>
          `let v${i} = TOTAL.load(deps.storage)?; if v${i} < x { return Err(StdError::generic_err("x")); } TOTAL.save(deps.storage, &(v${i} - x))?;`,
      ),
    ),
  loads: (n) => body(each(n, (i) => `let v${i} = BAL.load(deps.storage, &info.sender)?;`)),
  saves: (n) => body(each(n, (i) => `BAL.save(deps.storage, &info.sender, &(x + Uint128::new(${i})))?;`)),
  updates: (n) =>
    body(
      each(
        n,
        (i) =>
          `BAL.update(deps.storage, &info.sender, |b| -> StdResult<_> { Ok(b.unwrap_or_default() - x + Uint128::new(${i})) })?;`,
      ),
    ),
  removals: (n) => body(each(n, () => "BAL.remove(deps.storage, &info.sender);")),
  "addresses kept": (n) =>
    body(each(n, (i) => `let a${i} = deps.api.addr_validate(&to)?; OWNER.save(deps.storage, &a${i})?;`)),
  "checks of the sender": (n) =>
    body(
      `${each(n, (i) => `if info.sender != Addr::unchecked("a${i}") { return Err(StdError::generic_err("x")); }`)} TOTAL.save(deps.storage, &x)?;`,
    ),
  "checks of the owner": (n) => body(`${each(n, () => owner)} TOTAL.save(deps.storage, &x)?;`),
  "checks of funds": (n) =>
    body(
      each(
        n,
        (i) =>
          `let c${i} = info.funds.iter().find(|c| c.denom == "u${i}").ok_or(StdError::generic_err("x"))?; TOTAL.save(deps.storage, &c${i}.amount)?;`,
      ),
    ),
  "lets, each from the last": (n) =>
    body(
      `let v0 = x; ${each(n, (i) => `let v${i + 1} = v${i} * Uint128::new(3) - x;`)} TOTAL.save(deps.storage, &v${n})?;`,
    ),
  "ifs in a row": (n) =>
    body(
      each(
        n,
        (i) =>
          `if x > Uint128::new(${i}) { TOTAL.save(deps.storage, &x)?; } else { BAL.remove(deps.storage, &info.sender); }`,
      ),
    ),
  "ifs, nested": (n) =>
    body(each(n, (i) => `if x > Uint128::new(${i}) { TOTAL.save(deps.storage, &x)?;`) + "}".repeat(n)),
  "else ifs": (n) =>
    body(
      `${each(n, (i) => `if x > Uint128::new(${i}) { TOTAL.save(deps.storage, &x)?; } else`)} { BAL.remove(deps.storage, &info.sender); }`,
    ),
  "matches in a row": (n) =>
    body(
      each(
        n,
        () =>
          'match BAL.may_load(deps.storage, &info.sender)? { Some(b) => TOTAL.save(deps.storage, &(b - x))?, None => return Err(StdError::generic_err("x")) }',
      ),
    ),
  "loops in a row": (n) =>
    body(
      each(
        n,
        (i) =>
          `for a in all.iter() { let b = BAL.may_load(deps.storage, a)?.unwrap_or_default(); BAL.save(deps.storage, a, &(b + Uint128::new(${i})))?; }`,
      ),
    ),
  "loops over storage": (n) =>
    body(
      each(
        n,
        () =>
          "for e in BAL.range(deps.storage, None, None, Order::Ascending) { let (a, b) = e?; TOTAL.save(deps.storage, &b)?; }",
      ),
    ),
  "loops, nested": (n) =>
    body(`${each(n, (i) => `for a${i} in all.iter() {`)} BAL.save(deps.storage, a0, &x)?; ${"}".repeat(n)}`),
  sums: (n) => body(`TOTAL.save(deps.storage, &(${each(n, (i) => `x * Uint128::new(${i})`, " + ")}))?;`),
  "methods called on the last result": (n) =>
    body(`TOTAL.save(deps.storage, &x${each(n, () => ".checked_sub(x)?", "")})?;`),
  "blocks, nested": (n) => body(`${"{".repeat(n)} TOTAL.save(deps.storage, &x)?; ${"}".repeat(n)}`),
  "queries of other contracts": (n) =>
    body(
      each(
        n,
        (i) =>
          `let q${i}: Uint128 = deps.querier.query_wasm_smart(to.clone(), &x)?; TOTAL.save(deps.storage, &q${i})?;`,
      ),
    ),
  "marks of one entry": (n) =>
    body(
      `${each(n, (i) => `M${i}.save(deps.storage, &to, &true)?;`)} let sent = Response::new().add_message(BankMsg::Send { to_address: to, amount: vec![] });`,
      "",
      each(n, (i) => `pub const M${i}: Map<&str, bool> = Map::new("m${i}");`),
    ),
  "queries of balances": (n) =>
    body(
      each(
        n,
        (i) =>
          `let q${i} = deps.querier.query_balance(&env.contract.address, "u${i}")?; TOTAL.save(deps.storage, &q${i}.amount)?;`,
      ),
    ),
  "messages in a chain": (n) =>
    body(
      `return Ok(Response::new()${each(n, (i) => `.add_message(BankMsg::Send { to_address: to.clone(), amount: coins(x.u128() + ${i}, "u") })`, "")});`,
    ),
  "messages added one by one": (n) =>
    body(
      `let mut r = Response::new(); ${each(n, (i) => `r = r.add_message(WasmMsg::Execute { contract_addr: to.clone(), msg: to_json_binary(&x)?, funds: coins(${i}, "u") });`)} return Ok(r);`,
    ),
  "messages in a list": (n) =>
    body(
      `let mut m: Vec<CosmosMsg> = vec![]; ${each(n, (i) => `m.push(BankMsg::Send { to_address: to.clone(), amount: coins(${i}, "u") }.into());`)} return Ok(Response::new().add_messages(m));`,
    ),
  attributes: (n) => body(`return Ok(Response::new()${each(n, (i) => `.add_attribute("k${i}", to.clone())`, "")});`),
}

const messages: Readonly<Record<string, Axis>> = {
  messages: (n) =>
    contract(
      each(n, (i) => `A${i} { to: String, x: Uint128 },`),
      each(n, (i) => `ExecuteMsg::A${i} { to, x } => f${i}(deps, info, to, x),`),
      each(
        n,
        (i) =>
          `fn f${i}(deps: DepsMut, info: MessageInfo, to: String, x: Uint128) -> StdResult<Response> { let t = deps.api.addr_validate(&to)?; let b = BAL.load(deps.storage, &info.sender)?; BAL.save(deps.storage, &info.sender, &(b - x))?; BAL.save(deps.storage, &t, &x)?; Ok(Response::new()) }`,
      ),
    ),
  "messages of the owner": (n) =>
    contract(
      each(n, (i) => `A${i} { to: String },`),
      each(n, (i) => `ExecuteMsg::A${i} { to } => f${i}(deps, info, to),`),
      each(
        n,
        (i) =>
          `fn f${i}(deps: DepsMut, info: MessageInfo, to: String) -> StdResult<Response> { ${owner} C${i}.save(deps.storage, &deps.api.addr_validate(&to)?)?; Ok(Response::new().add_message(BankMsg::Send { to_address: to, amount: info.funds })) }`,
      ),
      each(n, (i) => `pub const C${i}: Item<Addr> = Item::new("c${i}");`),
    ),
  "messages of some owner each": (n) =>
    contract(
      each(n, (i) => `A${i} { x: Uint128 },`),
      each(
        n,
        (i) =>
          `ExecuteMsg::A${i} { x } => { if info.sender != O${i}.load(deps.storage)? { return Err(StdError::generic_err("x")); } O${(i + 1) % n}.save(deps.storage, &info.sender)?; Ok(Response::new()) }`,
      ),
      "",
      each(n, (i) => `pub const O${i}: Item<Addr> = Item::new("o${i}");`),
    ),
  "messages that mark": (n) =>
    contract(
      each(n, (i) => `A${i} {},`),
      each(n, (i) => `ExecuteMsg::A${i} {} => f${i}(deps, info),`),
      each(
        n,
        (i) =>
          `fn f${i}(deps: DepsMut, info: MessageInfo) -> StdResult<Response> { DONE.save(deps.storage, &info.sender, &true)?; Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(${i}, "u") })) }`,
      ),
      'pub const DONE: Map<&Addr, bool> = Map::new("done");',
    ),
  "messages, each with a map": (n) =>
    contract(
      each(n, (i) => `A${i} { x: Uint128 },`),
      each(n, (i) => `ExecuteMsg::A${i} { x } => { M${i}.save(deps.storage, &info.sender, &x)?; Ok(Response::new()) }`),
      "",
      each(n, (i) => `pub const M${i}: Map<&Addr, Uint128> = Map::new("m${i}");`),
    ),
  "messages that call one helper": (n) =>
    contract(
      each(n, (i) => `A${i} { x: Uint128 },`),
      each(n, (i) => `ExecuteMsg::A${i} { x } => h(deps, info, x + Uint128::new(${i})),`),
      'fn h(deps: DepsMut, info: MessageInfo, x: Uint128) -> StdResult<Response> { let b = BAL.load(deps.storage, &info.sender)?; if b < x { return Err(StdError::generic_err("x")); } BAL.save(deps.storage, &info.sender, &(b - x))?; Ok(Response::new()) }',
    ),
  "fields of a message": (n) =>
    contract(
      `A { ${each(n, (i) => `f${i}: String,`)} }`,
      `ExecuteMsg::A { ${each(n, (i) => `f${i},`)} } => { ${each(n, (i) => `KEPT.save(deps.storage, "${i}", &deps.api.addr_validate(&f${i})?)?;`)} Ok(Response::new()) }`,
      "",
      'pub const KEPT: Map<&str, Addr> = Map::new("kept");',
    ),
  "messages nested in messages": (n) =>
    contract(
      "A { inner: E0 }",
      "ExecuteMsg::A { inner } => f0(deps, info, inner),",
      each(
        n,
        (i) =>
          `pub enum E${i} { B { x: Uint128 }, ${i + 1 < n ? `C { inner: E${i + 1} }` : ""} } fn f${i}(deps: DepsMut, info: MessageInfo, msg: E${i}) -> StdResult<Response> { match msg { E${i}::B { x } => { TOTAL.save(deps.storage, &x)?; Ok(Response::new()) } ${i + 1 < n ? `E${i}::C { inner } => f${i + 1}(deps, info, inner),` : ""} } }`,
      ),
    ),
  "enums of messages": (n) =>
    contract(
      each(n, (i) => `A${i}(E${i}),`),
      each(
        n,
        (i) =>
          `ExecuteMsg::A${i}(inner) => match inner { E${i}::B { x } => { TOTAL.save(deps.storage, &x)?; Ok(Response::new()) } E${i}::C { to } => { OWNER.save(deps.storage, &Addr::unchecked(to))?; Ok(Response::new()) } },`,
      ),
      each(n, (i) => `pub enum E${i} { B { x: Uint128 }, C { to: String } }`),
    ),
  queries: (n) =>
    contract(
      "A { x: Uint128 }",
      "ExecuteMsg::A { x } => Ok(Response::new())",
      `pub enum QueryMsg { ${each(n, (i) => `Q${i} { a: String },`)} } #[entry_point] pub fn query(deps: Deps, env: Env, msg: QueryMsg) -> StdResult<Binary> { match msg { ${each(n, (i) => `QueryMsg::Q${i} { a } => { let d = deps.api.addr_validate(&a)?; to_json_binary(&BAL.load(deps.storage, &d)?) }`)} } }`,
    ),
  replies: (n) =>
    contract(
      "A { x: Uint128 }",
      `ExecuteMsg::A { x } => Ok(Response::new()${each(n, (i) => `.add_submessage(SubMsg::reply_on_success(BankMsg::Burn { amount: vec![] }, ${i}))`, "")})`,
      `#[entry_point] pub fn reply(deps: DepsMut, env: Env, msg: Reply) -> StdResult<Response> { match msg.id { ${each(n, (i) => `${i} => { TOTAL.save(deps.storage, &Uint128::new(${i}))?; Ok(Response::new()) }`)} _ => Err(StdError::generic_err("x")) } }`,
    ),
  "submessages of messages": (n) =>
    contract(
      each(n, (i) => `A${i} { to: String },`),
      each(
        n,
        (i) =>
          `ExecuteMsg::A${i} { to } => Ok(Response::new().add_submessage(SubMsg::reply_always(WasmMsg::Execute { contract_addr: to, msg: to_json_binary(&${i})?, funds: vec![] }, R${i}))),`,
      ),
      `#[entry_point] pub fn reply(deps: DepsMut, env: Env, msg: Reply) -> StdResult<Response> { match msg.id { ${each(n, (i) => `R${i} => f${i}(deps, msg),`)} _ => Err(StdError::generic_err("x")) } } ${each(n, (i) => `fn f${i}(deps: DepsMut, msg: Reply) -> StdResult<Response> { TOTAL.save(deps.storage, &Uint128::new(${i}))?; Ok(Response::new()) }`)}`,
      each(n, (i) => `pub const R${i}: u64 = ${i};`),
    ),
  "fields of a configuration": (n) =>
    contract(
      each(n, (i) => `A${i} { x: Uint128 },`),
      each(
        n,
        (i) =>
          `ExecuteMsg::A${i} { x } => { ${owner} let mut c = CONFIG.load(deps.storage)?; c.f${i} = x; CONFIG.save(deps.storage, &c)?; Ok(Response::new()) }`,
      ),
      `pub struct Config { ${each(n, (i) => `pub f${i}: Uint128,`)} }`,
      'pub const CONFIG: Item<Config> = Item::new("config");',
    ),
  "fields set at once": (n) =>
    body(
      `let mut c = CONFIG.load(deps.storage)?; ${each(n, (i) => `c.f${i} = x;`)} CONFIG.save(deps.storage, &c)?;`,
      `pub struct Config { ${each(n, (i) => `pub f${i}: Uint128,`)} }`,
      'pub const CONFIG: Item<Config> = Item::new("config");',
    ),
  "fields instantiated": (n) =>
    contract(
      "A { x: Uint128 }",
      "ExecuteMsg::A { x } => Ok(Response::new())",
      `pub struct InstantiateMsg { ${each(n, (i) => `pub f${i}: String,`)} } pub struct Config { ${each(n, (i) => `pub f${i}: Addr,`)} } #[entry_point] pub fn instantiate(deps: DepsMut, env: Env, info: MessageInfo, msg: InstantiateMsg) -> StdResult<Response> { CONFIG.save(deps.storage, &Config { ${each(n, (i) => `f${i}: deps.api.addr_validate(&msg.f${i})?,`)} })?; Ok(Response::new()) }`,
      'pub const CONFIG: Item<Config> = Item::new("config");',
    ),
}

const helper = (i: number, rest: string) =>
  `fn h${i}(storage: &mut dyn Storage, x: Uint128) -> StdResult<Uint128> { let t = TOTAL.load(storage)?; TOTAL.save(storage, &(t - x))?; ${rest} }`

const functions: Readonly<Record<string, Axis>> = {
  "helpers in a chain": (n) =>
    body(
      "h0(deps.storage, x)?;",
      each(n, (i) => helper(i, i + 1 < n ? `h${i + 1}(storage, x)` : "Ok(x)")),
    ),
  "helpers that call the next two": (n) =>
    body(
      "h0(deps.storage, x)?;",
      each(n, (i) => helper(i, i + 2 < n ? `let a = h${i + 1}(storage, x)?; h${i + 2}(storage, a)` : "Ok(x)")),
    ),
  "helpers in a circle": (n) =>
    body(
      "h0(deps.storage, x)?;",
      each(n, (i) => helper(i, `h${(i + 1) % n}(storage, x)?; h${(7 * i) % n}(storage, x)`)),
    ),
  "helpers called by one": (n) =>
    body(
      each(n, (i) => `h${i}(deps.storage, x)?;`),
      each(n, (i) => helper(i, "Ok(x)")),
    ),
  "helpers not called": (n) =>
    body(
      "",
      each(n, (i) => helper(i, `h${i + 1}(storage, x)`)),
    ),
  methods: (n) =>
    body(
      `let mut s = STATE.load(deps.storage)?; ${each(n, (i) => `s.m${i}(x)?;`)} STATE.save(deps.storage, &s)?;`,
      `pub struct State { pub t: Uint128 } impl State { ${each(n, (i) => `pub fn m${i}(&mut self, x: Uint128) -> StdResult<()> { self.t -= x; Ok(()) }`)} }`,
      'pub const STATE: Item<State> = Item::new("state");',
    ),
  "methods that return itself": (n) =>
    body(
      `let s = State { t: x }${".m()".repeat(n)}; TOTAL.save(deps.storage, &s.t)?;`,
      "pub struct State { pub t: Uint128 } impl State { pub fn m(self) -> Self { State { t: self.t + self.t } } }",
    ),
  modules: (n) => ({
    ...contract(
      each(n, (i) => `A${i} { to: String, x: Uint128 },`),
      each(n, (i) => `ExecuteMsg::A${i} { to, x } => crate::m${i}::run(deps, info, to, x),`),
    ),
    "src/lib.rs": `pub mod contract; ${each(n, (i) => `pub mod m${i};`)}`,
    ...eachFile(n, (i) => [
      `src/m${i}.rs`,
      `use cosmwasm_std::*; use cw_storage_plus::{Item, Map};
pub const R: Map<&Addr, Uint128> = Map::new("r${i}");
pub fn run(deps: DepsMut, info: MessageInfo, to: String, x: Uint128) -> StdResult<Response> { let t = deps.api.addr_validate(&to)?; R.update(deps.storage, &t, |b| -> StdResult<_> { Ok(b.unwrap_or_default() + x) })?; Ok(Response::new().add_message(WasmMsg::Execute { contract_addr: to, msg: to_json_binary(&x)?, funds: vec![] })) }`,
    ]),
  }),
  crates: (n) =>
    Object.assign(
      {},
      ...Array.from({ length: n }, (_, i) =>
        Object.fromEntries(
          Object.entries(
            contract(
              "A { x: Uint128, to: String }",
              "ExecuteMsg::A { x, to } => { BAL.save(deps.storage, &Addr::unchecked(to), &x)?; Ok(Response::new()) }",
            ),
          ).map(([path, text]) => [`contracts/c${i}/${path}`, text.replace('"demo"', `"c${i}"`)]),
        ),
      ),
    ),
}

/** CosmWasm contracts by what there is much of. */
export const cosmwasmAxes: Readonly<Record<string, Axis>> = { ...statements, ...messages, ...functions }
