import {
  callsOf,
  effectsOf,
  isGuarded,
  isSuspect,
  oddOneOut,
  ownSite,
} from "../../../../../../domain/detection/cosmwasm/authority/siblingEffects.ts"
import { show } from "../../../../../../domain/detection/rust/terms/show.ts"
import type { Term } from "../../../../../../domain/detection/rust/terms/terms.ts"
import { type Asked, cosmwasmTable } from "../../../../../support/cosmwasmTable.ts"

const shown = (term: Term): string => show(term).replaceAll("example::contract::", "")

const all = ({ handler }: Asked) => [...effectsOf(handler.entry, handler), ...callsOf(handler.entry, handler)]

/** What a message does to what the contract stores, and whether anyone may have it done. */
export const effects = cosmwasmTable(
  "effects",
  {
    done: (asked) =>
      all(asked)
        .map(({ container, key, values }) => `${shown(container)}${key === undefined ? "" : "[]"}(${values.length})`)
        .join(" "),
    suspect: (asked) =>
      all(asked)
        .map((one) => isSuspect(one))
        .join(),
    guarded: (asked) =>
      all(asked)
        .map((one) => isGuarded(one))
        .join(),
    site: (asked) => {
      const others = asked.crate.entryPoints.flatMap(({ handlers }) =>
        handlers.flatMap((handler) => all({ ...asked, handler })),
      )
      const { file, span } = ownSite(all(asked)[0]!, others)
      return file.text.slice(span.start, span.end)
    },
    odd: ({ crate, handler }) => {
      const odd = oddOneOut(crate)
      return odd?.handler === handler ? odd.values.map(shown).join() : "none"
    },
  },
  [
    `use cosmwasm_std::{entry_point, to_json_binary, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Storage, WasmMsg};
use cw_controllers::{Admin, Hooks};
use cw_storage_plus::{Item, Map};
use kept::{Members, MEMBERS};

pub struct List { pub names: Vec<String> }
impl List {
    pub fn named(&self, _name: &str) -> bool { true }
}
pub struct Book(pub Item<List>);
impl Book {
    pub fn keep(&self, storage: &mut dyn Storage, name: String) -> StdResult<()> {
        COUNT.save(storage, &1)
    }
}

pub const LIST: Item<List> = Item::new("list");
pub const COUNT: Item<u64> = Item::new("count");
pub const POOL: Item<Addr> = Item::new("pool");
pub const POOLS: Map<u64, Addr> = Map::new("pools");
pub const HOOKS: Hooks = Hooks::new("hooks");
pub const BOOK: Book = Book(LIST);

pub enum ExecuteMsg {
    Push { name: String },
    Told { name: String },
    Known { name: String },
    Hook { hook: String },
    Paginate {},
    Query {},
    Keep { name: String },
    Local { name: String },
    Foreign { name: String },
    Named { name: String },
    Tell { name: String },
    Migrate { code: u64 },
    TellGiven { to: String },
    TellOne { id: u64 },
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Push { name } => {
            let mut list = LIST.load(deps.storage)?;
            list.names.push(name);
            LIST.save(deps.storage, &list)?;
            ask::done("LIST(2)");
        }
        ExecuteMsg::Told { name } => {
            let list = LIST.load(deps.storage)?;
            log(list.names, name);
            LIST.save(deps.storage, &list)?;
            ask::done("LIST(1)");
        }
        ExecuteMsg::Known { name } => {
            let list = LIST.load(deps.storage)?;
            list.named(&name);
            LIST.save(deps.storage, &list)?;
            ask::done("LIST(1)");
        }
        ExecuteMsg::Hook { hook } => {
            HOOKS.add_hook(deps.storage, deps.api.addr_validate(&hook)?)?;
            ask::done("HOOKS(2)");
        }
        ExecuteMsg::Paginate {} => {
            kept::paginate(&HOOKS, deps.storage);
            ask::done("");
        }
        ExecuteMsg::Query {} => {
            HOOKS.query_hooks(deps.storage)?;
            ask::done("");
        }
        ExecuteMsg::Keep { name } => {
            BOOK.keep(deps.storage, name)?;
            ask::done("COUNT(1)");
        }
        ExecuteMsg::Local { name } => {
            let members = Members::new();
            members.add(deps.storage, name);
            ask::done("");
        }
        ExecuteMsg::Foreign { name } => {
            MEMBERS.add(deps.storage, name);
            ask::done("");
        }
        ExecuteMsg::Named { name } => {
            HOOKS.name(deps.api, name);
            ask::done("");
        }
        ExecuteMsg::Tell { name } => {
            let contract_addr = POOL.load(deps.storage)?.to_string();
            let told = WasmMsg::Execute { contract_addr, msg: to_json_binary(&name)?, funds: vec![] };
            ask::done("stored(POOL)(3)");
            return Ok(Response::new().add_message(told));
        }
        ExecuteMsg::Migrate { code } => {
            let contract_addr = POOL.load(deps.storage)?.to_string();
            let told = WasmMsg::Migrate { contract_addr, new_code_id: code, msg: to_json_binary("")? };
            ask::done("");
            return Ok(Response::new().add_message(told));
        }
        ExecuteMsg::TellGiven { to } => {
            let told = WasmMsg::Execute { contract_addr: to, msg: to_json_binary("")?, funds: vec![] };
            ask::done("");
            return Ok(Response::new().add_message(told));
        }
        ExecuteMsg::TellOne { id } => {
            let contract_addr = POOLS.load(deps.storage, id)?.to_string();
            let told = WasmMsg::Execute { contract_addr, msg: to_json_binary("")?, funds: vec![] };
            ask::done("");
            return Ok(Response::new().add_message(told));
        }
    }
    Ok(Response::new())
}
`,
    `use cosmwasm_std::{ensure, entry_point, Addr, Coin, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_controllers::Hooks;
use cw_storage_plus::{Item, Map};
use cw_utils::must_pay;

pub struct Order { pub maker: Addr, pub amount: u64 }
pub const OWNER: Item<Addr> = Item::new("owner");
pub const RATE: Item<u64> = Item::new("rate");
pub const LAST: Item<u64> = Item::new("last");
pub const TITLE: Item<String> = Item::new("title");
pub const PRICES: Map<String, u64> = Map::new("prices");
pub const ORDERS: Map<u64, Order> = Map::new("orders");
pub const MAKERS: Map<u64, Addr> = Map::new("makers");
pub const PAID: Map<u64, Vec<Coin>> = Map::new("paid");
pub const NOTES: Map<u64, String> = Map::new("notes");
pub const LIMITS: Map<String, u64> = Map::new("limits");
pub const HOOKS: Hooks = Hooks::new("hooks");
pub const ALL: Item<Vec<Order>> = Item::new("all");

pub enum ExecuteMsg {
    Set { rate: u64 },
    SetThenCheck { rate: u64 },
    Own { note: u64 },
    PaidSome { rate: u64 },
    PaidEnough { rate: u64 },
    PaidOnly { rate: u64 },
    ForThePaying { rate: u64 },
    Member { rate: u64 },
    Timed { rate: u64 },
    ByPayment { rate: u64 },
    WithPayment { id: u64 },
    ForPayment { id: u64, note: String },
    ForSender { id: u64, note: String },
    Asked { rate: u64 },
    AskedLater { rate: u64 },
    Limited { denom: String, rate: u64 },
    Listed { rate: u64 },
    ListedHere { rate: u64 },
    Hooked { hook: String },
    HookedBy { hook: String },
    New { note: String },
    NewOf { note: String },
    NewLength { note: String },
    NewPrice { note: String },
    NewAgain { note: String },
    Clear {},
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Set { rate } => {
            RATE.save(deps.storage, &rate)?;
            ask::suspect("true");
        }
        ExecuteMsg::SetThenCheck { rate } => {
            RATE.save(deps.storage, &rate)?;
            ensure!(OWNER.load(deps.storage)? == info.sender, StdError::generic_err("owner"));
            ask::suspect("false");
            ask::guarded("true");
        }
        ExecuteMsg::Own { note } => {
            MAKERS.save(deps.storage, note, &info.sender)?;
            ask::suspect("false");
        }
        // Anyone can pay: whose it is, the payment does not say, but it is asked for.
        ExecuteMsg::PaidEnough { rate } => {
            ensure!(info.funds[0].amount >= Uint128::new(5), StdError::generic_err("payment"));
            RATE.save(deps.storage, &rate)?;
            ask::suspect("false");
        }
        ExecuteMsg::PaidOnly { rate } => {
            must_pay(&info, "u")?;
            RATE.save(deps.storage, &rate)?;
            ask::suspect("false");
        }
        ExecuteMsg::ForThePaying { rate } => {
            if info.funds[0].amount >= Uint128::new(5) {
                RATE.save(deps.storage, &rate)?;
            }
            ask::suspect("false");
        }
        ExecuteMsg::Member { rate } => {
            if let Some(_) = member(rate, &info.sender) {
                RATE.save(deps.storage, &rate)?;
            }
            ask::suspect("false");
        }
        ExecuteMsg::Timed { rate } => {
            RATE.save(deps.storage, &(rate + env.block.height))?;
            ask::suspect("true");
        }
        ExecuteMsg::PaidSome { rate } => {
            if let Some(first) = info.funds.first() {
                RATE.save(deps.storage, &rate)?;
            }
            ask::suspect("true");
        }
        ExecuteMsg::ByPayment { rate } => {
            PRICES.save(deps.storage, info.funds[0].denom.clone(), &rate)?;
            ask::suspect("false");
        }
        ExecuteMsg::WithPayment { id } => {
            PAID.save(deps.storage, id, &info.funds)?;
            ask::suspect("false");
        }
        ExecuteMsg::ForPayment { id, note } => {
            PAID.save(deps.storage, id, &info.funds)?;
            NOTES.save(deps.storage, id, &note)?;
            ask::suspect("false,false");
        }
        ExecuteMsg::ForSender { id, note } => {
            MAKERS.save(deps.storage, id, &info.sender)?;
            NOTES.save(deps.storage, id, &note)?;
            ask::suspect("false,false");
        }
        ExecuteMsg::Asked { rate } => {
            ensure!(deps.querier.query_wasm_smart("members", &info.sender)?, StdError::generic_err("member"));
            RATE.save(deps.storage, &rate)?;
            ask::suspect("false");
        }
        ExecuteMsg::AskedLater { rate } => {
            RATE.save(deps.storage, &rate)?;
            ensure!(deps.querier.query_wasm_smart("members", &info.sender)?, StdError::generic_err("member"));
            ask::suspect("false");
        }
        ExecuteMsg::Limited { denom, rate } => {
            ensure!(rate < LIMITS.load(deps.storage, denom.clone())?, StdError::generic_err("limit"));
            PRICES.save(deps.storage, denom, &rate)?;
            ask::suspect("false");
        }
        ExecuteMsg::Listed { rate } => {
            ensure!(rate > LAST.load(deps.storage)?, StdError::generic_err("less"));
            RATE.save(deps.storage, &rate)?;
            ask::suspect("false");
        }
        ExecuteMsg::ListedHere { rate } => {
            ensure!(rate > RATE.load(deps.storage)?, StdError::generic_err("less"));
            RATE.save(deps.storage, &rate)?;
            ask::suspect("true");
        }
        ExecuteMsg::Hooked { hook } => {
            HOOKS.add_hook(deps.storage, hook)?;
            ask::suspect("true");
        }
        ExecuteMsg::HookedBy { hook } => {
            HOOKS.add_until(deps.storage, hook, &env.block)?;
            ask::suspect("false");
        }
        ExecuteMsg::New { note } => {
            let id = LAST.load(deps.storage)? + 1;
            LAST.save(deps.storage, &id)?;
            NOTES.save(deps.storage, id, &note)?;
            ask::suspect("false,false");
        }
        ExecuteMsg::NewOf { note } => {
            let id = LAST.load(deps.storage)? + 1;
            NOTES.save(deps.storage, id, &note)?;
            ask::suspect("true");
        }
        ExecuteMsg::NewLength { note } => {
            let id = note.len() as u64;
            LAST.save(deps.storage, &id)?;
            NOTES.save(deps.storage, id, &note)?;
            ask::suspect("true,true");
        }
        ExecuteMsg::NewPrice { note } => {
            let id = LAST.load(deps.storage)? + 1;
            PRICES.save(deps.storage, "last".to_string(), &id)?;
            NOTES.save(deps.storage, id, &note)?;
            ask::suspect("false,true");
        }
        ExecuteMsg::NewAgain { note } => {
            let id = LAST.load(deps.storage)? + 1;
            LAST.save(deps.storage, &0)?;
            NOTES.save(deps.storage, id, &note)?;
            ask::suspect("false,true");
        }
        ExecuteMsg::Clear {} => {
            TITLE.remove(deps.storage);
            ask::suspect("true");
        }
    }
    Ok(Response::new())
}
`,
    // What others call, too, is correct: the message that leads there is not. One that does nothing is not the odd one.
    `use cosmwasm_std::{ensure, entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Item;

pub const OWNER: Item<Addr> = Item::new("owner");
pub const RATE: Item<u64> = Item::new("rate");
pub enum ExecuteMsg { Set { rate: u64 }, Reset {}, Change { rate: u64 }, Nothing {} }

fn only_owner(deps: &DepsMut, info: &MessageInfo) -> StdResult<()> {
    ensure!(OWNER.load(deps.storage)? == info.sender, StdError::generic_err("owner"));
    Ok(())
}
fn set(deps: DepsMut, rate: u64) -> StdResult<()> {
    RATE.save(deps.storage, &rate)
}
fn double(deps: DepsMut, rate: u64) -> StdResult<()> {
    set(deps, 2 * rate)
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Set { rate } => {
            only_owner(&deps, &info)?;
            set(deps, rate)?;
            ask::site("RATE.save(deps.storage, &rate)");
            ask::odd("none");
        }
        ExecuteMsg::Reset {} => {
            only_owner(&deps, &info)?;
            RATE.save(deps.storage, &0)?;
        }
        ExecuteMsg::Change { rate } => {
            double(deps, rate)?;
            ask::site("set(deps, 2 * rate)");
            ask::odd("2 * msg.<ExecuteMsg::Change>.rate");
        }
        ExecuteMsg::Nothing {} => log("nothing"),
    }
    Ok(Response::new())
}
`,
    // A token's hook is checked otherwise.
    `use cosmwasm_std::{ensure, entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw20::Cw20ReceiveMsg;
use cw_storage_plus::Item;

pub const OWNER: Item<Addr> = Item::new("owner");
pub const RATE: Item<u64> = Item::new("rate");
pub const HELD: Item<Uint128> = Item::new("held");
pub enum ExecuteMsg { Set { rate: u64 }, Reset {}, Receive(Cw20ReceiveMsg) }

fn only_owner(deps: &DepsMut, info: &MessageInfo) -> StdResult<()> {
    ensure!(OWNER.load(deps.storage)? == info.sender, StdError::generic_err("owner"));
    Ok(())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Set { rate } => {
            only_owner(&deps, &info)?;
            RATE.save(deps.storage, &rate)?;
        }
        ExecuteMsg::Reset {} => {
            only_owner(&deps, &info)?;
            RATE.save(deps.storage, &0)?;
        }
        ExecuteMsg::Receive(received) => {
            HELD.save(deps.storage, &received.amount)?;
            ask::odd("none");
        }
    }
    Ok(Response::new())
}
`,
  ],
)
