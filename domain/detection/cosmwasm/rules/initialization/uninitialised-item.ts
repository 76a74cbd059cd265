import type { Rule } from "../../../Rule.ts"
import type { Event } from "../../../rust/terms/events.ts"
import { mentions, type Term } from "../../../rust/terms/terms.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import { isPresence } from "../../authority/authority.ts"
import type { CosmWasmProgram, EntryPoint } from "../../program/model.ts"
import { ratioOf } from "../../questions/ratio.ts"
import { storageWrites } from "../../questions/storageWrites.ts"
import { storedPlace } from "../../program/semantics.ts"

export const uninitializedItem: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/initialization/uninitialised-item",
    class: "uninitialised-state",
    title: "Storage item is loaded but never initialized",
    // It fails, and nobody gains from it.
    severity: "low",
    confidence: "medium",
    cwe: [908],
    description:
      "The message loads an item that `instantiate` does not save, and no other message saves it without " +
      "loading it first. `load` fails if nothing is stored, so the message can never succeed: deposits made " +
      "earlier may be impossible to withdraw.",
    remediation:
      "Save an initial value in `instantiate` (and in `migrate` for existing contracts), or use `may_load` and " +
      "handle the empty case.",
    references: ["https://docs.rs/cw-storage-plus/latest/cw_storage_plus/struct.Item.html#method.may_load"],
  },
  check: (program, report) => {
    const saved = new Set<Term>()
    // A save after a hard load of the same item is never the first one.
    for (const { entryPoints } of program.crates)
      for (const { handlers } of entryPoints)
        for (const { events } of handlers) {
          const needed = new Set<Term>()
          for (const event of events) {
            if (event.kind === "call" && event.name === "load" && event.handled === true && event.args[0] !== undefined)
              needed.add(event.args[0].term)
            if (event.kind !== "assign" || event.operator === "update" || event.operator === "remove") continue
            const container = storedPlace(event.target.term)?.container
            if (event.target.term.kind === "call" && container !== undefined && !needed.has(container))
              saved.add(container)
          }
        }
    for (const { entryPoints, containers } of program.crates) {
      if (!entryPoints.some(({ kind }) => kind === "instantiate")) continue
      const items = new Set(containers.filter(({ kind }) => kind === "Item").map(({ term }) => term))
      for (const event of divisionsByEmptyLists(entryPoints))
        report({
          ...placeOf(event),
          message: "The list counted here is empty at first, so the division panics.",
        })
      const reported = new Set<Term>()
      for (const { kind, events } of entryPoints) {
        if (kind === "migrate") continue
        for (const event of events) {
          // `Item::update` loads first and fails if nothing is stored.
          if (event.kind !== "call" || !/^(load|update)$/.test(event.name) || event.handled !== true) continue
          const container = event.args[0]?.term
          if (container === undefined || !items.has(container) || saved.has(container) || reported.has(container))
            continue
          reported.add(container)
          report(placeOf(event))
        }
      }
    }
  },
  examples: {
    vulnerable: [
      `use cosmwasm_std::{entry_point, DepsMut, Env, MessageInfo, Response, StdResult};
use cw_storage_plus::Item;

pub const COUNT: Item<u64> = Item::new("count");
pub struct InstantiateMsg {}
pub enum ExecuteMsg { Add {} }

#[entry_point]
pub fn instantiate(_deps: DepsMut, _env: Env, _info: MessageInfo, _msg: InstantiateMsg) -> StdResult<Response> {
    Ok(Response::new())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Add {} => {
            let count = COUNT.load(deps.storage)?; // FINDING
            COUNT.save(deps.storage, &(count + 1))?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Item;

pub const ADMIN: Item<Addr> = Item::new("admin");
pub const OPEN: Item<bool> = Item::new("open");
pub struct InstantiateMsg {}
pub enum ExecuteMsg { Close {} }

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, _info: MessageInfo, _msg: InstantiateMsg) -> StdResult<Response> {
    OPEN.save(deps.storage, &true)?;
    Ok(Response::new())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Close {} => {
            if ADMIN.load(deps.storage)? != info.sender { // FINDING
                return Err(StdError::generic_err("unauthorized"));
            }
            OPEN.save(deps.storage, &false)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdResult};
use cw_storage_plus::Item;

pub const HOLDERS: Item<Vec<Addr>> = Item::new("holders");
pub struct InstantiateMsg {}
pub enum ExecuteMsg { Join {} }

#[entry_point]
pub fn instantiate(_deps: DepsMut, _env: Env, _info: MessageInfo, _msg: InstantiateMsg) -> StdResult<Response> {
    Ok(Response::new())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Join {} => {
            HOLDERS.update(deps.storage, |mut holders| -> StdResult<_> { // FINDING
                holders.push(info.sender);
                Ok(holders)
            })?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdResult};
use cw_storage_plus::Item;

pub const PAYEES: Item<Vec<Addr>> = Item::new("payees");
pub const SHARE: Item<u128> = Item::new("share");
pub enum ExecuteMsg { Join {}, Split { amount: u128 } }

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, _info: MessageInfo, share: u128) -> StdResult<Response> {
    PAYEES.save(deps.storage, &vec![])?;
    SHARE.save(deps.storage, &share)?;
    Ok(Response::new())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let mut payees = PAYEES.load(deps.storage)?;
    match msg {
        ExecuteMsg::Join {} => {
            payees.push(info.sender);
            PAYEES.save(deps.storage, &payees)?;
        }
        ExecuteMsg::Split { amount } => {
            SHARE.save(deps.storage, &(amount / payees.len() as u128))?; // FINDING
        }
    }
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::Item;

pub struct State { pub count: u64 }
pub const STATE: Item<State> = Item::new("state");
pub const OWNER: Item<String> = Item::new("owner");
pub enum ExecuteMsg { Preview { count: u64 }, Count {} }

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, info: MessageInfo, _msg: ExecuteMsg) -> StdResult<Response> {
    OWNER.save(deps.storage, &info.sender.to_string())?;
    Ok(Response::new())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        // A copy is changed, and shown.
        ExecuteMsg::Preview { count } => {
            let mut state = STATE.may_load(deps.storage)?.unwrap_or(State { count: 0 });
            state.count += count;
            Ok(Response::new().add_attribute("count", state.count.to_string()))
        }
        ExecuteMsg::Count {} => {
            let state = STATE.load(deps.storage)?; // FINDING
            Ok(Response::new().add_attribute("count", state.count.to_string()))
        }
    }
}`,
      // Containers in a struct, with and without a key of the caller.
      `use cosmwasm_std::{entry_point, DepsMut, Env, MessageInfo, Response, StdResult};
use cw_storage_plus::{Item, Map};

pub struct Shop<'a> {
    pub next: Item<'a, u64>,
    pub sold: Item<'a, u64>,
    pub goods: Map<'a, u64, String>,
}

impl Default for Shop<'static> {
    fn default() -> Self {
        Self::new("next")
    }
}

impl<'a> Shop<'a> {
    fn new(next_key: &'a str) -> Self {
        // Long constructors are followed, too: what is counted, what is sold, and everything that is for sale in the shop.
        // Each of them has a key of its own, none of which is the key of another container of this contract. If one were,
        // both would overwrite each other; so the keys are words of their own, and the first of them comes from the caller,
        // because the tests of this contract, and those of its successor, which is deployed beside it, use another one.
        // The order of the fields in this struct is that of their declaration, and has no meaning besides that at all.
        // Whoever adds a container adds it at the end, behind the goods, and gives it a key that is not used anywhere else.
        Self { next: Item::new(next_key), sold: Item::new("sold"), goods: Map::new("goods") }
    }
    fn offer(&self, deps: DepsMut, name: String) -> StdResult<Response> {
        let id = self.next.load(deps.storage)?; // FINDING
        self.next.save(deps.storage, &(id + 1))?;
        self.goods.save(deps.storage, id, &name)?;
        Ok(Response::new())
    }
    fn buy(&self, deps: DepsMut, id: u64) -> StdResult<Response> {
        let sold = self.sold.load(deps.storage)?; // FINDING
        self.sold.save(deps.storage, &(sold + 1))?;
        self.goods.remove(deps.storage, id);
        Ok(Response::new())
    }
}

pub struct InstantiateMsg {}
pub enum ExecuteMsg { Offer { name: String }, Buy { id: u64 } }

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, _info: MessageInfo, _msg: InstantiateMsg) -> StdResult<Response> {
    let shop = Shop::default();
    Ok(Response::new())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Offer { name } => Shop::default().offer(deps, name),
        ExecuteMsg::Buy { id } => Shop::default().buy(deps, id),
    }
}
`,
    ],
    safe: [
      `use cosmwasm_std::{entry_point, DepsMut, Env, MessageInfo, Response, StdResult};
use cw_storage_plus::{Item, Map};

pub struct Shop<'a> {
    pub next: Item<'a, u64>,
    pub sold: Item<'a, u64>,
    pub goods: Map<'a, u64, String>,
}

impl Default for Shop<'static> {
    fn default() -> Self {
        Self::new("next")
    }
}

impl<'a> Shop<'a> {
    fn new(next_key: &'a str) -> Self {
        // Long constructors are followed, too: what is counted, what is sold, and everything that is for sale in the shop.
        // Each of them has a key of its own, none of which is the key of another container of this contract. If one were,
        // both would overwrite each other; so the keys are words of their own, and the first of them comes from the caller,
        // because the tests of this contract, and those of its successor, which is deployed beside it, use another one.
        // The order of the fields in this struct is that of their declaration, and has no meaning besides that at all.
        // Whoever adds a container adds it at the end, behind the goods, and gives it a key that is not used anywhere else.
        Self { next: Item::new(next_key), sold: Item::new("sold"), goods: Map::new("goods") }
    }
    fn offer(&self, deps: DepsMut, name: String) -> StdResult<Response> {
        let id = self.next.load(deps.storage)?;
        self.next.save(deps.storage, &(id + 1))?;
        self.goods.save(deps.storage, id, &name)?;
        Ok(Response::new())
    }
    fn buy(&self, deps: DepsMut, id: u64) -> StdResult<Response> {
        let sold = self.sold.load(deps.storage)?;
        self.sold.save(deps.storage, &(sold + 1))?;
        self.goods.remove(deps.storage, id);
        Ok(Response::new())
    }
}

pub struct InstantiateMsg {}
pub enum ExecuteMsg { Offer { name: String }, Buy { id: u64 } }

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, _info: MessageInfo, _msg: InstantiateMsg) -> StdResult<Response> {
    let shop = Shop::default();
    shop.next.save(deps.storage, &0)?;
    shop.sold.save(deps.storage, &0)?;
    Ok(Response::new())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Offer { name } => Shop::default().offer(deps, name),
        ExecuteMsg::Buy { id } => Shop::default().buy(deps, id),
    }
}
`,
      `use cosmwasm_std::{entry_point, DepsMut, Env, MessageInfo, Response, StdResult, Storage};
use cw_storage_plus::Item;

pub const COUNT: Item<u64> = Item::new("count");
pub struct InstantiateMsg {}
pub enum ExecuteMsg { Add {} }

fn set_up(storage: &mut dyn Storage) -> StdResult<()> {
    COUNT.save(storage, &0)
}

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, _info: MessageInfo, _msg: InstantiateMsg) -> StdResult<Response> {
    set_up(deps.storage)?;
    Ok(Response::new())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Add {} => {
            let count = COUNT.load(deps.storage)?;
            COUNT.save(deps.storage, &(count + 1))?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, DepsMut, Env, MessageInfo, Response, StdResult};
use cw_storage_plus::Item;

pub const COUNT: Item<u64> = Item::new("count");
pub const LAST: Item<u64> = Item::new("last");
pub struct InstantiateMsg {}
pub enum ExecuteMsg { Add {}, Start {}, Stop {} }

#[entry_point]
pub fn instantiate(_deps: DepsMut, _env: Env, _info: MessageInfo, _msg: InstantiateMsg) -> StdResult<Response> {
    Ok(Response::new())
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Add {} => {
            let count = COUNT.may_load(deps.storage)?.unwrap_or(0);
            COUNT.save(deps.storage, &(count + 1))?;
            Ok(Response::new())
        }
        ExecuteMsg::Start {} => {
            LAST.save(deps.storage, &env.block.height)?;
            Ok(Response::new())
        }
        ExecuteMsg::Stop {} => {
            let last = LAST.load(deps.storage)?;
            Ok(Response::new().add_attribute("last", last.to_string()))
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Config { pub heirs: Vec<Addr>, pub friends: Vec<Addr> }
pub const COUNT: Item<u64> = Item::new("count");
pub const WAITING: Item<Vec<Addr>> = Item::new("waiting");
pub const MEMBERS: Item<Vec<Addr>> = Item::new("members");
pub const JURY: Item<Vec<Addr>> = Item::new("jury");
pub const TEAMS: Map<u64, Vec<Addr>> = Map::new("teams");
pub const CONFIG: Item<Config> = Item::new("config");
pub enum ExecuteMsg { Count {}, Last {}, Draw { jury: Vec<Addr> }, Share { team: u64, amount: u128 } }

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, info: MessageInfo, _msg: ExecuteMsg) -> StdResult<Response> {
    WAITING.save(deps.storage, &vec![])?;
    MEMBERS.save(deps.storage, &vec![info.sender.clone()])?;
    JURY.save(deps.storage, &vec![info.sender.clone()])?;
    // Nobody is in the first team.
    TEAMS.save(deps.storage, 0, &vec![])?;
    CONFIG.save(deps.storage, &Config { heirs: vec![], friends: vec![info.sender] })?;
    Ok(Response::new())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Count {} => {
            let count = COUNT.load(deps.storage).unwrap_or_default();
            COUNT.save(deps.storage, &(count + 1))?;
            Ok(Response::new())
        }
        ExecuteMsg::Last {} => Ok(Response::new().add_attribute("count", COUNT.load(deps.storage)?.to_string())),
        ExecuteMsg::Draw { jury } => {
            JURY.save(deps.storage, &vec![])?;
            JURY.save(deps.storage, &jury)?;
            Ok(Response::new())
        }
        ExecuteMsg::Share { team, amount } => {
            let by_member = amount / MEMBERS.load(deps.storage)?.len() as u128;
            let by_team = by_member / TEAMS.load(deps.storage, team)?.len() as u128;
            let by_friend = by_team / CONFIG.load(deps.storage)?.friends.len() as u128;
            let by_juror = by_friend / JURY.load(deps.storage)?.len() as u128;
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(by_juror, "uatom") }))
        }
    }
}`,
    ],
  },
}

/** Lists that are stored empty when the contract is set up. */
const emptyAtFirst = (entryPoints: ReadonlyArray<EntryPoint>): ReadonlySet<Term> =>
  new Set(
    entryPoints
      .filter(({ kind }) => kind === "instantiate")
      .flatMap(({ events }) => storageWrites(events))
      .filter(
        ({ key, path, value }) =>
          key === undefined && path === "" && value.kind === "list" && !value.tuple && value.elements.length === 0,
      )
      .map(({ container }) => container),
  )

/** Divisions by the length of such a list without checking it first. */
const divisionsByEmptyLists = (entryPoints: ReadonlyArray<EntryPoint>): ReadonlyArray<Event> => {
  const empty = emptyAtFirst(entryPoints)
  if (empty.size === 0) return []
  return entryPoints
    .filter(({ kind }) => kind === "execute" || kind === "sudo")
    .flatMap(({ events }) => events)
    .filter((event) => {
      const divisor = ratioOf(event)?.denominator
      let list: Term | undefined
      if (divisor !== undefined)
        mentions(divisor, (one) => {
          const [counted] = one.kind === "call" && one.name === "len" ? one.args : []
          const container = counted === undefined ? undefined : storedPlace(counted)?.container
          if (container !== undefined && empty.has(container)) list = container
          return list !== undefined
        })
      return (
        list !== undefined &&
        ![...event.facts].some((fact) => !isPresence(fact) && mentions(fact, (one) => one === list))
      )
    })
}
