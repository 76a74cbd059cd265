import type { Rule } from "../../../Rule.ts"
import type { Span } from "../../../SourceFile.ts"
import type { FunctionDefinition } from "../../../rust/crate/crate.ts"
import type { CallEvent, Event } from "../../../rust/terms/events.ts"
import { nodesOf } from "../../../rust/syntax/nodes.ts"
import type { Expression } from "../../../rust/syntax/syntax.ts"
import { mentions, type Term } from "../../../rust/terms/terms.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import { growthOf, openLists } from "../../open/growth.ts"
import { loopsAround } from "../../open/listedEntries.ts"
import type { CosmWasmProgram } from "../../program/model.ts"
import { outgoingMessages } from "../../questions/questions.ts"
import { storedPlace } from "../../program/semantics.ts"
import { eventTerms } from "../../questions/touches.ts"

export const unboundedIteration: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/denial-of-service/unbounded-iteration",
    class: "unbounded-iteration",
    title: "Unbounded iteration over a map that anyone can grow",
    severity: "medium",
    confidence: "medium",
    cwe: [400, 834],
    description:
      "The message iterates over all entries of a map without a limit, and any account can add entries. The gas " +
      "cost grows with every entry: an attacker adds entries until the message exceeds the block gas limit, and " +
      "everything that depends on it, such as payouts, is stuck permanently.",
    remediation:
      "Iterate in pages: use `.take(limit)` with a start key supplied by the caller or kept by the contract, or " +
      "maintain running totals instead of adding up entries.",
    references: ["https://docs.rs/cw-storage-plus/latest/cw_storage_plus/struct.Map.html#method.range"],
  },
  check: (program, report) => {
    const known = new Map<FunctionDefinition, ReadonlySet<Span>>()
    const boundedIn = (definition: FunctionDefinition): ReadonlySet<Span> => {
      const calls = known.get(definition) ?? boundedCalls(definition)
      known.set(definition, calls)
      return calls
    }
    for (const crate of program.crates) {
      const { open, below } = growthOf(crate)
      const lists = openLists(crate)
      const loopsOf = new Map<Term, Array<Event>>()
      for (const { kind, handlers, sender } of crate.entryPoints) {
        const isQuery = kind === "query"
        if (kind !== "execute" && kind !== "sudo" && kind !== "reply" && !isQuery) continue
        for (const { events } of handlers) {
          const bounded = new Set(
            events.flatMap((event) => (event.kind === "call" && bounds.test(event.name) ? [event.args[0]?.term] : [])),
          )
          for (const event of lists.size === 0 || isQuery ? [] : events) {
            const list = listOf(event, lists)
            if (list === undefined) continue
            const loops = loopsOf.get(list)
            if (loops === undefined) loopsOf.set(list, [event])
            else if (!loops.some((one) => one.function === event.function)) loops.push(event)
          }
          for (const event of events) {
            if (event.kind !== "call" || !/^(range|range_raw|keys|prefix_range)$/.test(event.name)) continue
            const container = containerOf(event)
            if (isBelowOwnKey(event, sender)) continue
            const grown = isPrefixed(event) ? below : open
            if (container === undefined || !grown.has(container) || bounded.has(event.result.term)) continue
            if (boundedIn(event.function).has(event.node)) continue
            report({
              ...placeOf(event),
              ...(isQuery ? { message: "The query lists every entry, and fails once there are too many." } : {}),
              // If nobody is paid from it, a message is delayed and nothing is lost.
              ...(paysEach(events, container) ? {} : { severity: "low" as const }),
            })
          }
        }
      }
      // One list is one problem, however many loops iterate over it.
      for (const [first, ...others] of loopsOf.values())
        report({
          file: first!.file,
          span: first!.node,
          scope: first!.function.qualifiedName,
          message: "The loop iterates over a list that anyone can extend.",
          trace: [first!, ...others]
            .slice(0, 20)
            .map(({ file, node }) => ({ file, span: node, note: "Each iteration of this loop costs more gas." })),
        })
    }
  },
  examples: {
    vulnerable: [
      // What leaves the list is not what is old.
      `use cosmwasm_std::{entry_point, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::Map;

pub struct Point { pub at: u64, pub price: Uint128 }
pub const POINTS: Map<&str, Vec<Point>> = Map::new("points");
pub const AVERAGES: Map<&str, Uint128> = Map::new("averages");
pub enum ExecuteMsg { Note { pair: String, price: Uint128 }, Average { pair: String } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Note { pair, price } => {
            let now = env.block.time.seconds();
            let mut points = POINTS.load(deps.storage, &pair)?;
            points.retain(|point| !point.price.is_zero());
            points.push(Point { at: now, price });
            POINTS.save(deps.storage, &pair, &points)?;
        }
        ExecuteMsg::Average { pair } => {
            let mut sum = Uint128::zero();
            for point in POINTS.load(deps.storage, &pair)? {
                sum = sum.checked_add(point.price)?; // FINDING
            }
            AVERAGES.save(deps.storage, &pair, &sum)?;
        }
    }
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Order, Reply, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Config { pub owner: Addr, pub until: u64, pub friends: Vec<Addr> }
pub struct MigrateMsg { pub name: String }
pub const CONFIG: Item<Config> = Item::new("config");
pub const CLOCK: Item<u64> = Item::new("clock");
pub const A: Map<u64, Uint128> = Map::new("a");
pub const B: Map<u64, Uint128> = Map::new("b");
pub const C: Map<u64, Uint128> = Map::new("c");
pub const D: Map<u64, Uint128> = Map::new("d");
pub const E: Map<u64, Uint128> = Map::new("e");
pub const F: Map<(u64, &Addr), Uint128> = Map::new("f");
pub const G: Map<u64, Uint128> = Map::new("g");
pub const NAMES: Map<String, u64> = Map::new("names");
pub const LISTS: Map<&Addr, Vec<u64>> = Map::new("lists");
pub const QUEUE: Item<Vec<Addr>> = Item::new("queue");
pub const CHECKED: Item<Vec<Addr>> = Item::new("checked");
pub const CLOSED: Item<Vec<Addr>> = Item::new("closed");
pub const TRIMMED: Item<Vec<Addr>> = Item::new("trimmed");
pub enum ExecuteMsg { Add { id: u64 }, Bid { id: u64 }, Epoch {}, Late {}, Drop { id: u64 }, Join {}, Names {}, Own { id: u64 }, Pay {}, PayOther {}, Sum {}, Loops {}, First {}, Has {}, Admin { to: Addr }, Close { id: u64 } }
pub enum SudoMsg { End {} }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let config = CONFIG.load(deps.storage)?;
    match msg {
        ExecuteMsg::Add { id } => {
            A.save(deps.storage, id, &Uint128::one())?;
            if info.sender != config.owner {
                return Err(StdError::generic_err("owner"));
            }
            G.save(deps.storage, id, &Uint128::one())?;
            Ok(Response::new())
        }
        ExecuteMsg::Bid { id } => {
            F.save(deps.storage, (id, &info.sender), &Uint128::one())?;
            Ok(Response::new())
        }
        ExecuteMsg::Epoch {} => {
            if env.block.time.seconds() < config.until {
                return Err(StdError::generic_err("early"));
            }
            B.save(deps.storage, CLOCK.load(deps.storage)?, &Uint128::one())?;
            Ok(Response::new())
        }
        ExecuteMsg::Late {} => {
            if env.block.time.seconds() > config.until {
                return Err(StdError::generic_err("late"));
            }
            C.save(deps.storage, CLOCK.load(deps.storage)?, &Uint128::one())?;
            Ok(Response::new())
        }
        ExecuteMsg::Drop { id } => {
            D.remove(deps.storage, id);
            Ok(Response::new())
        }
        ExecuteMsg::Join {} => {
            QUEUE.update(deps.storage, |mut queue| -> StdResult<_> {
                queue.push(info.sender.clone());
                Ok(queue)
            })?;
            let mut checked = CHECKED.load(deps.storage)?;
            if config.friends.len() > 9 {
                return Err(StdError::generic_err("full"));
            }
            checked.push(info.sender.clone());
            CHECKED.save(deps.storage, &checked)?;
            let mut mine = LISTS.load(deps.storage, &info.sender)?;
            mine.push(1);
            LISTS.save(deps.storage, &info.sender, &mine)?;
            let mut trimmed = TRIMMED.load(deps.storage)?;
            trimmed.retain(|one| one != info.sender);
            TRIMMED.save(deps.storage, &trimmed)?;
            Ok(Response::new())
        }
        ExecuteMsg::Names {} => {
            for id in A.keys(deps.storage, None, None, Order::Ascending) { // FINDING
                E.save(deps.storage, id?, &Uint128::one())?;
            }
            for id in E.keys(deps.storage, None, None, Order::Ascending) { // FINDING
                E.save(deps.storage, id?, &Uint128::zero())?;
            }
            Ok(Response::new())
        }
        ExecuteMsg::Own { id } => {
            let mut sum = Uint128::zero();
            for item in F.prefix(id).range(deps.storage, None, None, Order::Ascending) { // FINDING
                sum += item?.1;
            }
            for item in G.range(deps.storage, None, None, Order::Ascending) {
                sum += item?.1;
            }
            Ok(Response::new().add_attribute("sum", sum))
        }
        ExecuteMsg::Pay {} => {
            let mut response = Response::new();
            for item in A.range(deps.storage, None, None, Order::Ascending) { // FINDING
                response = response.add_message(BankMsg::Send { to_address: "pool".into(), amount: coins(item?.1.u128(), "uatom") });
            }
            Ok(response)
        }
        ExecuteMsg::PayOther {} => {
            let mut sum = Uint128::zero();
            for item in A.range(deps.storage, None, None, Order::Ascending) { // FINDING
                sum += item?.1;
            }
            let one = B.load(deps.storage, 1)?;
            Ok(Response::new().add_message(BankMsg::Send { to_address: "pool".into(), amount: coins(one.u128(), "uatom") }))
        }
        ExecuteMsg::Sum {} => {
            let mut sum = Uint128::zero();
            for item in B.range(deps.storage, None, None, Order::Ascending) {
                sum += item?.1;
            }
            for item in C.range(deps.storage, None, None, Order::Ascending) { // FINDING
                sum += item?.1;
            }
            for item in D.range(deps.storage, None, None, Order::Ascending) {
                sum += item?.1;
            }
            for item in NAMES.range(deps.storage, None, None, Order::Ascending) {
                sum += Uint128::from(item?.1);
            }
            Ok(Response::new().add_attribute("sum", sum))
        }
        ExecuteMsg::Loops {} => {
            let mut count = 0;
            for one in QUEUE.load(deps.storage)? {
                count += one.as_str().len(); // FINDING
            }
            for one in CHECKED.load(deps.storage)? {
                count += one.as_str().len(); // FINDING
            }
            for one in LISTS.load(deps.storage, &info.sender)? {
                count += one as usize;
            }
            for one in TRIMMED.load(deps.storage)? {
                count += one.as_str().len();
            }
            for one in CLOSED.load(deps.storage)? {
                count += one.as_str().len();
            }
            Ok(Response::new().add_attribute("count", count.to_string()))
        }
        ExecuteMsg::First {} => {
            let queue = QUEUE.load(deps.storage)?;
            let mut count = 0;
            for _ in 0..3 {
                count += queue[0].as_str().len();
            }
            Ok(Response::new().add_attribute("count", count.to_string()))
        }
        ExecuteMsg::Has {} => {
            let first = A.range(deps.storage, None, None, Order::Ascending).next();
            let mut rest = A.keys(deps.storage, None, None, Order::Ascending);
            let found = rest.find(|one| one == &Ok(3));
            Ok(Response::new().add_attribute("found", found.is_some().to_string()))
        }
        ExecuteMsg::Admin { to } => {
            if info.sender != config.owner {
                return Err(StdError::generic_err("owner"));
            }
            let mut closed = CLOSED.load(deps.storage)?;
            closed.push(to);
            CLOSED.save(deps.storage, &closed)?;
            Ok(Response::new())
        }
        ExecuteMsg::Close { id } => {
            let page: Vec<u64> = A.keys(deps.storage, None, None, Order::Ascending).map(|one| one.unwrap()).collect(); // FINDING
            Ok(Response::new().add_attribute("page", page[id as usize].to_string()))
        }
    }
}

#[entry_point]
pub fn migrate(deps: DepsMut, _env: Env, msg: MigrateMsg) -> StdResult<Response> {
    NAMES.save(deps.storage, msg.name, &1)?;
    let mut closed = CLOSED.load(deps.storage)?;
    closed.push(Addr::unchecked("someone"));
    CLOSED.save(deps.storage, &closed)?;
    for id in A.keys(deps.storage, None, None, Order::Ascending) {
        A.remove(deps.storage, id?);
    }
    Ok(Response::new())
}

#[entry_point]
pub fn sudo(deps: DepsMut, _env: Env, _msg: SudoMsg) -> StdResult<Response> {
    for id in A.keys(deps.storage, None, None, Order::Ascending).collect::<StdResult<Vec<u64>>>()? { // FINDING
        A.remove(deps.storage, id);
    }
    Ok(Response::new())
}

#[entry_point]
pub fn reply(deps: DepsMut, _env: Env, _msg: Reply) -> StdResult<Response> {
    for id in A.keys(deps.storage, None, None, Order::Ascending).collect::<StdResult<Vec<u64>>>()? { // FINDING
        A.remove(deps.storage, id);
    }
    Ok(Response::new())
}

#[entry_point]
pub fn query(deps: Deps, _env: Env, _msg: QueryMsg) -> StdResult<Binary> {
    to_json_binary(&A.keys(deps.storage, None, None, Order::Ascending).collect::<StdResult<Vec<u64>>>()?) // FINDING
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Order, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub const NEXT: Item<(u64, u64)> = Item::new("next");
pub const BATCHES: Map<u64, Uint128> = Map::new("batches");
pub const NAMES: Map<String, u64> = Map::new("names");
pub const SEEN: Map<Addr, u64> = Map::new("seen");
pub enum ExecuteMsg { Submit { name: String }, Settle {} }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Submit { name } => {
            let (id, until) = NEXT.load(deps.storage)?;
            BATCHES.save(deps.storage, id, &Uint128::zero())?;
            NEXT.save(deps.storage, &(id + 1, until))?;
            if env.block.time.seconds() > until {
                return Err(StdError::generic_err("late"));
            }
            NAMES.save(deps.storage, name, &id)?;
            SEEN.save(deps.storage, info.sender, &id)?;
        }
        ExecuteMsg::Settle {} => {
            for id in BATCHES.keys(deps.storage, None, None, Order::Ascending).collect::<StdResult<Vec<u64>>>()? { // FINDING
                BATCHES.remove(deps.storage, id);
            }
            for name in NAMES.keys(deps.storage, None, None, Order::Ascending).collect::<StdResult<Vec<String>>>()? { // FINDING
                NAMES.remove(deps.storage, name);
            }
            for who in SEEN.keys(deps.storage, None, None, Order::Ascending).collect::<StdResult<Vec<Addr>>>()? { // FINDING
                SEEN.remove(deps.storage, who);
            }
        }
    }
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, BankMsg, Coin, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Storage, Uint128, WasmMsg};
use cw_storage_plus::{Item, Map};

pub struct Offer { pub by: Addr, pub price: u64 }
pub struct Item_ { pub owner: Addr, pub offers: Vec<Offer> }
pub const ITEMS: Map<&str, Item_> = Map::new("items");
pub enum ExecuteMsg { Offer { id: String, price: u64 }, Reject { id: String, price: u64 } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Offer { id, price } => {
            let mut item = ITEMS.load(deps.storage, &id)?;
            item.offers.push(Offer { by: info.sender, price });
            ITEMS.save(deps.storage, &id, &item)?;
            Ok(Response::new())
        }
        ExecuteMsg::Reject { id, price } => {
            let mut item = ITEMS.load(deps.storage, &id)?;
            if item.owner != info.sender {
                return Err(StdError::generic_err("owner"));
            }
            let mut found = 0;
            let mut sum = 0;
            for (place, offer) in item.offers.iter().enumerate() {
                sum += offer.price; // FINDING
                if offer.price == price {
                    found = place;
                }
            }
            item.offers.remove(found);
            ITEMS.save(deps.storage, &id, &item)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Order, Response, StdResult, Uint128};
use cw_storage_plus::Map;

pub const STAKES: Map<&Addr, Uint128> = Map::new("stakes");
pub enum ExecuteMsg { Stake {}, PayAll {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Stake {} => {
            STAKES.save(deps.storage, &info.sender, &info.funds[0].amount)?;
            Ok(Response::new())
        }
        ExecuteMsg::PayAll {} => {
            let mut response = Response::new();
            for item in STAKES.range(deps.storage, None, None, Order::Ascending) { // FINDING
                let (who, amount) = item?;
                response = response.add_message(BankMsg::Send { to_address: who.into(), amount: coins(amount.u128(), "uatom") });
            }
            Ok(response)
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Order, Response, StdResult};
use cw_storage_plus::{Item, Map};

pub const PLAYERS: Map<&Addr, bool> = Map::new("players");
pub const WINNER: Item<Addr> = Item::new("winner");
pub enum ExecuteMsg { Join {}, Draw {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Join {} => {
            PLAYERS.save(deps.storage, &info.sender, &true)?;
            Ok(Response::new())
        }
        ExecuteMsg::Draw {} => {
            let players: Vec<Addr> = PLAYERS.keys(deps.storage, None, None, Order::Ascending).collect::<StdResult<_>>()?; // FINDING
            WINNER.save(deps.storage, &players[0])?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdResult};
use cw_storage_plus::Item;

pub const PLAYERS: Item<Vec<Addr>> = Item::new("players");
pub enum ExecuteMsg { Join {}, Pay {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let mut response = Response::new();
    match msg {
        ExecuteMsg::Join {} => {
            PLAYERS.update(deps.storage, |mut players| -> StdResult<_> {
                players.push(info.sender);
                Ok(players)
            })?;
        }
        ExecuteMsg::Pay {} => {
            for player in PLAYERS.load(deps.storage)? {
                response = response.add_message(BankMsg::Send { to_address: player.into(), amount: coins(1, "uatom") }); // FINDING
            }
        }
    }
    Ok(response)
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Order, Response, StdError, StdResult, Uint128};
use cw_storage_plus::Map;
use cw_utils::must_pay;

pub const BIDS: Map<(u64, Addr), Uint128> = Map::new("bids");
pub enum ExecuteMsg { Bid { id: u64 }, Close { id: u64 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Bid { id } => {
            let paid = must_pay(&info, "uatom").map_err(|_| StdError::generic_err("payment"))?;
            BIDS.save(deps.storage, (id, info.sender), &paid)?;
            Ok(Response::new())
        }
        ExecuteMsg::Close { id } => {
            let bids: Vec<(Addr, Uint128)> = BIDS.prefix(id).range(deps.storage, None, None, Order::Ascending).collect::<StdResult<_>>()?; // FINDING
            let refunds = bids.into_iter().map(|(who, paid)| BankMsg::Send { to_address: who.to_string(), amount: coins(paid.u128(), "uatom") });
            Ok(Response::new().add_messages(refunds))
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Order, Response, StdError, StdResult, Uint128};
use cw_storage_plus::Map;
use cw_utils::must_pay;

pub const STAKERS: Map<&Addr, Uint128> = Map::new("stakers");
pub enum ExecuteMsg { Join {}, Distribute {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let paid = must_pay(&info, "uatom").map_err(|_| StdError::generic_err("payment"))?;
    match msg {
        ExecuteMsg::Join {} => {
            STAKERS.update(deps.storage, &info.sender, |old| -> StdResult<_> { Ok(old.unwrap_or_default().checked_add(paid)?) })?;
            Ok(Response::new())
        }
        ExecuteMsg::Distribute {} => {
            let all = STAKERS.range(deps.storage, None, None, Order::Ascending).collect::<StdResult<Vec<_>>>()?; // FINDING
            let total: Uint128 = all.iter().map(|(_, one)| *one).sum();
            let messages = all.into_iter().map(|(who, one)| BankMsg::Send {
                to_address: who.to_string(),
                amount: coins(paid.multiply_ratio(one, total).u128(), "uatom"),
            });
            Ok(Response::new().add_messages(messages))
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Order, Response, StdResult, Uint128};
use cw_storage_plus::Map;

pub const STAKES: Map<(&Addr, u64), Uint128> = Map::new("stakes");
pub const GIFTS: Map<u64, Uint128> = Map::new("gifts");
pub const PRIZES: Map<u64, Uint128> = Map::new("prizes");
pub enum ExecuteMsg { Stake { id: u64, amount: Uint128 }, Give { id: u64, amount: Uint128 }, Total {}, Draw {}, Spread {} }

fn pay(to: &Addr, amount: Uint128) -> BankMsg {
    BankMsg::Send { to_address: to.to_string(), amount: coins(amount.u128(), "uatom") }
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let mut total = Uint128::zero();
    match msg {
        ExecuteMsg::Stake { id, amount } => {
            STAKES.save(deps.storage, (&info.sender, id), &amount)?;
            Ok(Response::new())
        }
        ExecuteMsg::Give { id, amount } => {
            GIFTS.save(deps.storage, id, &amount)?;
            PRIZES.save(deps.storage, id, &amount)?;
            Ok(Response::new())
        }
        ExecuteMsg::Total {} => {
            for stake in STAKES.no_prefix().range(deps.storage, None, None, Order::Ascending) { // FINDING
                total += stake?.1;
            }
            Ok(Response::new().add_attribute("total", total))
        }
        // One gift is paid, whatever their number.
        ExecuteMsg::Draw {} => {
            for gift in GIFTS.range(deps.storage, None, None, Order::Ascending) { // FINDING
                total += gift?.1;
            }
            let first = GIFTS.load(deps.storage, 1)?;
            Ok(Response::new().add_attribute("total", total).add_message(pay(&info.sender, first)))
        }
        // Ten prizes are paid, whatever the number of gifts.
        ExecuteMsg::Spread {} => {
            let mut response = Response::new();
            for gift in GIFTS.range(deps.storage, None, None, Order::Ascending) { // FINDING
                total += gift?.1;
            }
            for prize in PRIZES.range(deps.storage, None, None, Order::Ascending).take(10) {
                response = response.add_message(pay(&info.sender, prize?.1));
            }
            Ok(response.add_attribute("total", total))
        }
    }
}`,
    ],
    safe: [
      // Entries that exist are saved again; new ones, and elements of lists, are counted first.
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Order, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub const OWNER: Item<Addr> = Item::new("owner");
pub const MARKETS: Map<&str, Uint128> = Map::new("markets");
pub const FLOWS: Map<u64, Uint128> = Map::new("flows");
pub const POOLS: Map<&str, Vec<Uint128>> = Map::new("pools");
pub enum ExecuteMsg { List { denom: String }, Trade { denom: String, amount: Uint128 }, Flow { id: u64, amount: Uint128 }, Reward { pool: String, amount: Uint128 }, Pay {}, PayFlows {}, Sum { pool: String } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::List { denom } => {
            if OWNER.load(deps.storage)? != info.sender {
                return Err(StdError::generic_err("owner"));
            }
            MARKETS.save(deps.storage, &denom, &Uint128::zero())?;
            Ok(Response::new())
        }
        ExecuteMsg::Trade { denom, amount } => {
            let traded = MARKETS.load(deps.storage, &denom)?;
            MARKETS.save(deps.storage, &denom, &(traded + amount))?;
            Ok(Response::new())
        }
        ExecuteMsg::Flow { id, amount } => {
            let flows = FLOWS.range(deps.storage, None, None, Order::Ascending).count();
            if flows >= 10 {
                return Err(StdError::generic_err("many"));
            }
            FLOWS.save(deps.storage, id, &amount)?;
            Ok(Response::new())
        }
        ExecuteMsg::Reward { pool, amount } => {
            let mut rewards = POOLS.load(deps.storage, &pool)?;
            if rewards.iter().filter(|one| !one.is_zero()).count() == 5 {
                return Err(StdError::generic_err("many"));
            }
            rewards.push(amount);
            POOLS.save(deps.storage, &pool, &rewards)?;
            Ok(Response::new())
        }
        ExecuteMsg::Pay {} => {
            let mut response = Response::new();
            for market in MARKETS.range(deps.storage, None, None, Order::Ascending) {
                let (denom, amount) = market?;
                response = response.add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(amount.u128(), denom) });
            }
            Ok(response)
        }
        ExecuteMsg::PayFlows {} => {
            let mut response = Response::new();
            for flow in FLOWS.range(deps.storage, None, None, Order::Ascending) {
                let (_, amount) = flow?;
                response = response.add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(amount.u128(), "uatom") });
            }
            Ok(response)
        }
        ExecuteMsg::Sum { pool } => {
            let mut sum = Uint128::zero();
            for reward in POOLS.load(deps.storage, &pool)? {
                sum = sum.checked_add(reward)?;
            }
            Ok(Response::new().add_attribute("sum", sum))
        }
    }
}
`,
      // What is too old leaves the list whenever something is added.
      `use cosmwasm_std::{entry_point, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::Map;

pub struct Point { pub at: u64, pub price: Uint128 }
pub const POINTS: Map<&str, Vec<Point>> = Map::new("points");
pub const AVERAGES: Map<&str, Uint128> = Map::new("averages");
pub enum ExecuteMsg { Note { pair: String, price: Uint128 }, Average { pair: String } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Note { pair, price } => {
            let now = env.block.time.seconds();
            let mut points = POINTS.load(deps.storage, &pair)?;
            points.retain(|point| now - point.at <= 3600);
            points.push(Point { at: now, price });
            POINTS.save(deps.storage, &pair, &points)?;
        }
        ExecuteMsg::Average { pair } => {
            let mut sum = Uint128::zero();
            for point in POINTS.load(deps.storage, &pair)? {
                sum = sum.checked_add(point.price)?;
            }
            AVERAGES.save(deps.storage, &pair, &sum)?;
        }
    }
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Order, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Vault { pub weight: u64, pub held: u64 }
pub const OWNER: Item<Addr> = Item::new("owner");
pub const NEXT: Item<(u64, u64)> = Item::new("next");
pub const BATCHES: Map<u64, Uint128> = Map::new("batches");
pub const VAULTS: Map<String, Vault> = Map::new("vaults");
pub enum ExecuteMsg { Submit { held: u64 }, Settle {}, AddVault { name: String, weight: u64 } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Submit { held } => {
            let (id, due) = NEXT.load(deps.storage)?;
            if env.block.time.seconds() < due {
                return Err(StdError::generic_err("early"));
            }
            BATCHES.save(deps.storage, id, &Uint128::zero())?;
            NEXT.save(deps.storage, &(id + 1, due + 86_400))?;
            for item in VAULTS.range(deps.storage, None, None, Order::Ascending) {
                let (name, mut vault) = item?;
                vault.held += held;
                VAULTS.save(deps.storage, name, &vault)?;
            }
        }
        ExecuteMsg::Settle {} => {
            for id in BATCHES.keys(deps.storage, None, None, Order::Ascending).collect::<StdResult<Vec<u64>>>()? {
                BATCHES.remove(deps.storage, id);
            }
        }
        ExecuteMsg::AddVault { name, weight } => {
            if OWNER.load(deps.storage)? != info.sender {
                return Err(StdError::generic_err("owner"));
            }
            VAULTS.save(deps.storage, name, &Vault { weight, held: 0 })?;
        }
    }
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, BankMsg, Coin, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Storage, Uint128, WasmMsg};
use cw_storage_plus::{Item, Map};

pub struct Offer { pub by: Addr, pub price: u64 }
pub struct Item_ { pub owner: Addr, pub offers: Vec<Offer> }
pub const ITEMS: Map<&str, Item_> = Map::new("items");
pub enum ExecuteMsg { Offer { id: String, price: u64 }, Reject { id: String, price: u64 } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Offer { id, price } => {
            let mut item = ITEMS.load(deps.storage, &id)?;
            if item.offers.len() >= 20 {
                return Err(StdError::generic_err("full"));
            }
            item.offers.push(Offer { by: info.sender, price });
            ITEMS.save(deps.storage, &id, &item)?;
            Ok(Response::new())
        }
        ExecuteMsg::Reject { id, price } => {
            let mut item = ITEMS.load(deps.storage, &id)?;
            if item.owner != info.sender {
                return Err(StdError::generic_err("owner"));
            }
            let mut found = 0;
            let mut sum = 0;
            for (place, offer) in item.offers.iter().enumerate() {
                sum += offer.price;
                if offer.price == price {
                    found = place;
                }
            }
            item.offers.remove(found);
            ITEMS.save(deps.storage, &id, &item)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Order, Response, StdResult};
use cw_storage_plus::{Item, Map};

pub const PLAYERS: Map<&Addr, bool> = Map::new("players");
pub const FIRST: Item<Vec<Addr>> = Item::new("first");
pub enum ExecuteMsg { Join {}, Draw { limit: u32 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Join {} => {
            PLAYERS.save(deps.storage, &info.sender, &true)?;
            Ok(Response::new())
        }
        ExecuteMsg::Draw { limit } => {
            let page: StdResult<Vec<Addr>> = PLAYERS
                .keys(deps.storage, None, None, Order::Ascending)
                .take(limit as usize)
                .collect();
            FIRST.save(deps.storage, &page?)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Order, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub const ADMIN: Item<Addr> = Item::new("admin");
pub const TOTAL: Item<Uint128> = Item::new("total");
pub const MEMBERS: Map<&Addr, Uint128> = Map::new("members");
pub enum ExecuteMsg { AddMember { member: String, weight: Uint128 }, Recount {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::AddMember { member, weight } => {
            if ADMIN.load(deps.storage)? != info.sender {
                return Err(StdError::generic_err("unauthorized"));
            }
            MEMBERS.save(deps.storage, &deps.api.addr_validate(&member)?, &weight)?;
            Ok(Response::new())
        }
        ExecuteMsg::Recount {} => {
            let mut total = Uint128::zero();
            for item in MEMBERS.range(deps.storage, None, None, Order::Ascending) {
                total += item?.1;
            }
            TOTAL.save(deps.storage, &total)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Item;

pub const PLAYERS: Item<Vec<Addr>> = Item::new("players");
pub enum ExecuteMsg { Join {}, Pay {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let mut response = Response::new();
    match msg {
        ExecuteMsg::Join {} => {
            let mut players = PLAYERS.load(deps.storage)?;
            if players.len() >= 10 {
                return Err(StdError::generic_err("full"));
            }
            players.push(info.sender);
            PLAYERS.save(deps.storage, &players)?;
        }
        ExecuteMsg::Pay {} => {
            for player in PLAYERS.load(deps.storage)? {
                response = response.add_message(BankMsg::Send { to_address: player.into(), amount: coins(1, "uatom") });
            }
        }
    }
    Ok(response)
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Order, Response, StdResult};
use cw_storage_plus::Map;

pub const NOTES: Map<(&Addr, u64), String> = Map::new("notes");
pub enum ExecuteMsg { Add { id: u64, text: String }, Clear {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Add { id, text } => NOTES.save(deps.storage, (&info.sender, id), &text)?,
        ExecuteMsg::Clear {} => {
            let ids = NOTES.prefix(&info.sender).keys(deps.storage, None, None, Order::Ascending).collect::<StdResult<Vec<u64>>>()?;
            for id in ids {
                NOTES.remove(deps.storage, (&info.sender, id));
            }
        }
    }
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{coins, entry_point, to_json_binary, Addr, BankMsg, DepsMut, Env, MessageInfo, Order, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Config { pub owner: Addr, pub registry: Addr }
pub const CONFIG: Item<Config> = Item::new("config");
pub const LISTED: Map<&str, bool> = Map::new("listed");
pub const WEIGHTS: Map<&str, Uint128> = Map::new("weights");
pub const DEBTS: Map<(&str, &str), Uint128> = Map::new("debts");
pub enum ExecuteMsg {
    Setup { owner: String, token: String },
    List { token: String },
    Created { token: String },
    Borrow { account: String, denom: String },
    Repay { account: String },
    Distribute {},
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let mut config = CONFIG.load(deps.storage)?;
    match msg {
        ExecuteMsg::Setup { owner, token } => {
            if config.owner != Addr::unchecked("") {
                return Err(StdError::generic_err("again"));
            }
            config.owner = deps.api.addr_validate(&owner)?;
            CONFIG.save(deps.storage, &config)?;
            WEIGHTS.save(deps.storage, &token, &Uint128::one())?;
            Ok(Response::new())
        }
        ExecuteMsg::List { token } => {
            if config.owner != info.sender {
                return Err(StdError::generic_err("owner"));
            }
            LISTED.save(deps.storage, &token, &true)?;
            Ok(Response::new())
        }
        ExecuteMsg::Created { token } => {
            LISTED.load(deps.storage, &token)?;
            WEIGHTS.save(deps.storage, &token, &Uint128::one())?;
            Ok(Response::new())
        }
        ExecuteMsg::Borrow { account, denom } => {
            let holder: Addr = deps.querier.query_wasm_smart(config.registry, &account)?;
            if holder != info.sender {
                return Err(StdError::generic_err("holder"));
            }
            DEBTS.save(deps.storage, (&account, &denom), &Uint128::one())?;
            Ok(Response::new())
        }
        ExecuteMsg::Repay { account } => {
            let debts = DEBTS.prefix(&account).range(deps.storage, None, None, Order::Ascending);
            let messages = debts.map(|one| {
                let (denom, amount) = one?;
                Ok(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(amount.u128(), denom) })
            });
            Ok(Response::new().add_messages(messages.collect::<StdResult<Vec<_>>>()?))
        }
        ExecuteMsg::Distribute {} => {
            let weights = WEIGHTS.range(deps.storage, None, None, Order::Ascending);
            let messages = weights.map(|one| {
                let (token, weight) = one?;
                Ok(BankMsg::Send { to_address: token, amount: coins(weight.u128(), "uatom") })
            });
            Ok(Response::new().add_messages(messages.collect::<StdResult<Vec<_>>>()?))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, Binary, Deps, DepsMut, Env, MessageInfo, Order, Response, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub const QUEUE: Item<Vec<Addr>> = Item::new("queue");
pub const ROUNDS: Map<u64, Uint128> = Map::new("rounds");
pub enum ExecuteMsg { Join {}, Next {} }
pub enum QueryMsg { Waiting { who: Addr } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let mut queue = QUEUE.load(deps.storage)?;
    match msg {
        ExecuteMsg::Join {} => {
            queue.push(info.sender);
            QUEUE.save(deps.storage, &queue)?;
            Ok(Response::new())
        }
        // However long the queue is, only its head is looked at.
        ExecuteMsg::Next {} => {
            let mut response = Response::new();
            for round in 0..3u64 {
                response = response.add_attribute("next", queue[0].to_string()).add_attribute("round", round.to_string());
            }
            Ok(response)
        }
    }
}

#[entry_point]
pub fn query(deps: Deps, _env: Env, msg: QueryMsg) -> StdResult<Binary> {
    let QueryMsg::Waiting { who } = msg;
    let mut before = 0u64;
    for one in QUEUE.load(deps.storage)? {
        before += names::distance(&one, &who);
    }
    to_json_binary(&before)
}`,
    ],
  },
}

/** Whether what is sent is derived from entries found by the iteration. */
const paysEach = (events: ReadonlyArray<Event>, container: Term): boolean =>
  outgoingMessages(events).some(({ fields }) =>
    [...fields.values()].some((value) =>
      mentions(value, (one) => one.kind === "call" && one.name === "anyKey" && one.args[0] === container),
    ),
  )

/** The list whose elements an event in a loop takes. */
const listOf = (event: Event, lists: ReadonlySet<Term>): Term | undefined => {
  let found: Term | undefined
  if (loopsAround(event.scope).length > 0)
    for (const term of eventTerms(event))
      mentions(term, (one) => {
        const container = one.kind === "element" && one.index === undefined ? storedPlace(one)?.container : undefined
        if (container !== undefined && lists.has(container)) found = container
        return found !== undefined
      })
  return found
}

const containerOf = (event: CallEvent): Term | undefined => {
  let found: Term | undefined
  mentions(event.result.term, (one) => {
    found = one.kind === "call" && one.name === "anyKey" ? one.args[0] : storedPlace(one)?.container
    return found !== undefined
  })
  return found
}

const isPrefixed = ({ args: [receiver] }: CallEvent): boolean =>
  receiver?.term.kind === "call" && receiver.term.args.length > 1

/** Entries below the sender's own key, `BIDS.prefix(&info.sender).range(…)`, block nobody else. */
const isBelowOwnKey = (event: CallEvent, sender: Term | undefined): boolean => {
  const prefix = event.args[0]?.term
  return prefix?.kind === "call" && prefix.args.slice(1).some((one) => mentions(one, (part) => part === sender))
}

const bounds = /^(take|next|nth|find|any|first|take_while|last)$/

/**
 * Calls whose iterator a later method of the same chain shortens: `take` is not an event, since `Option::take` is not.
 */
const boundedCalls = (definition: FunctionDefinition): ReadonlySet<Span> => {
  const found = new Set<Span>()
  for (const node of nodesOf(definition.item.body ?? {})) {
    if (node.kind !== "methodCall" || !bounds.test(node.method)) continue
    for (let one: Expression = node.receiver; one.kind === "methodCall"; one = one.receiver) found.add(one)
  }
  return found
}
