import type { CallEvent } from "../../../rust/terms/events.ts"
import { everySubterm, mentions, type Term } from "../../../rust/terms/terms.ts"
import type { TypeNode } from "../../../rust/syntax/syntax.ts"
import type { Rule } from "../../../Rule.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import { isAuthorized } from "../../authority/authority.ts"
import type { CosmWasmCrate, CosmWasmProgram, Handler } from "../../program/model.ts"
import { outgoingMessages } from "../../questions/questions.ts"
import { storageWrites } from "../../questions/storageWrites.ts"
import { eventTerms } from "../../questions/touches.ts"
import { wayTo } from "../../questions/way.ts"

export const stalePrice: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/oracle-manipulation/stale-price",
    class: "oracle-stale",
    title: "Stale oracle price",
    severity: "medium",
    confidence: "medium",
    cwe: [672, 20],
    description:
      "The message acts on a price that the oracle returns together with its time, but never checks that time. " +
      "If the feed stops, the last price remains: anyone who knows the real one can borrow, mint or liquidate " +
      "at the old one, at the expense of everyone else.",
    remediation:
      "Compare the returned time with `env.block.time` and fail if the price is older than the market allows; " +
      "with Pyth, use `get_price_no_older_than`.",
    references: [
      "https://docs.pyth.network/price-feeds/best-practices",
      "https://docs.rs/pyth-sdk-cw/latest/pyth_sdk_cw/struct.PriceFeed.html",
    ],
  },
  check: (program, report) => {
    for (const crate of program.crates) {
      let structs: Structs | undefined
      for (const entry of crate.entryPoints) {
        if (entry.kind !== "execute" && entry.kind !== "sudo" && entry.kind !== "reply") continue
        for (const handler of entry.handlers) {
          const event = agelessAnswer(handler, () => (structs ??= structsOf(crate)))
          if (event !== undefined)
            report({
              ...placeOf(event),
              ...(isAuthorized(entry, handler.facts) ? { severity: "low" as const } : {}),
              trace: wayTo(handler, event),
            })
        }
      }
    }
  },
  examples: {
    vulnerable: [
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, Decimal, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct PriceResponse { pub price: Decimal, pub last_updated: u64 }
pub enum OracleQuery { Price { denom: String, timeframe: Option<u64> } }
pub const ORACLE: Item<Addr> = Item::new("oracle");
pub const HELD: Map<&Addr, Uint128> = Map::new("held");
pub enum ExecuteMsg { Borrow { amount: Uint128 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let ExecuteMsg::Borrow { amount } = msg;
    let answer: PriceResponse = deps.querier.query_wasm_smart(ORACLE.load(deps.storage)?, &OracleQuery::Price { denom: "uatom".into(), timeframe: None })?; // FINDING
    if HELD.load(deps.storage, &info.sender)? * answer.price < amount {
        return Err(StdError::generic_err("collateral"));
    }
    HELD.remove(deps.storage, &info.sender);
    Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(amount.u128(), "uusd") }))
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, Deps, DepsMut, Env, QueryRequest, Response, StdResult, Uint128, WasmQuery};
use cw_storage_plus::Item;

pub struct Price { pub price: i64, pub conf: u64, pub publish_time: i64 }
pub struct PriceFeed { pub price: Price, pub ema_price: Price }
pub struct PriceFeedResponse { pub price_feed: PriceFeed }
pub enum PythQuery { PriceFeed { id: String } }
pub const PYTH: Item<Addr> = Item::new("pyth");
pub const LAST: Item<Uint128> = Item::new("last");
pub enum SudoMsg { Update {} }

fn price_of(deps: Deps) -> StdResult<Uint128> {
    let msg = to_json_binary(&PythQuery::PriceFeed { id: "eth".into() })?;
    let question = QueryRequest::Wasm(WasmQuery::Smart { contract_addr: PYTH.load(deps.storage)?.into_string(), msg });
    let answer: PriceFeedResponse = deps.querier.query(&question)?; // FINDING
    Ok(Uint128::from(answer.price_feed.price.price as u64))
}

#[entry_point]
pub fn sudo(deps: DepsMut, _env: Env, msg: SudoMsg) -> StdResult<Response> {
    let SudoMsg::Update {} = msg;
    let price = price_of(deps.as_ref())?;
    LAST.save(deps.storage, &price)?;
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{coins, ensure, entry_point, Addr, BankMsg, Decimal, DepsMut, Env, MessageInfo, Reply, Response, StdError, StdResult, Timestamp, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Asset { pub denom: String }
pub struct PriceResponse { pub price: Decimal, pub asset: Asset, pub last_updated: u64 }
pub struct Listing { pub price: Decimal, pub symbol: String }
pub struct Quote { pub spot_price: Decimal, pub time: Timestamp }
pub enum Answer { Quote(Quote), Closed }
pub struct Last { pub rate: Decimal, pub updated: u64 }
pub enum OracleQuery { Price {}, Quote {} }
pub const ORACLE: Item<Addr> = Item::new("oracle");
pub const LAST: Item<Last> = Item::new("last");
pub const HELD: Map<&Addr, Uint128> = Map::new("held");
pub enum ExecuteMsg { Sell { amount: Uint128 }, Quote { amount: Uint128 } }

fn worth(answer: &PriceResponse, amount: Uint128) -> Uint128 {
    amount * answer.price
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let oracle = ORACLE.load(deps.storage)?;
    match msg {
        ExecuteMsg::Sell { amount } => {
            let last = LAST.load(deps.storage)?;
            ensure!(amount * last.rate < Uint128::new(1_000_000), StdError::generic_err("too much"));
            let answer: PriceResponse = deps.querier.query_wasm_smart(oracle, &OracleQuery::Price {})?; // FINDING
            ensure!(answer.asset.denom == "uatom", StdError::generic_err("asset"));
            let to_address = info.sender.to_string();
            Ok(Response::new().add_message(BankMsg::Send { to_address, amount: coins(worth(&answer, amount).u128(), "uusd") }))
        }
        ExecuteMsg::Quote { amount } => {
            let answer: Answer = deps.querier.query_wasm_smart(oracle, &OracleQuery::Quote {})?; // FINDING
            let Answer::Quote(quote) = answer else {
                return Err(StdError::generic_err("closed"));
            };
            HELD.save(deps.storage, &info.sender, &(amount * quote.spot_price))?;
            Ok(Response::new())
        }
    }
}

#[entry_point]
pub fn reply(deps: DepsMut, _env: Env, _msg: Reply) -> StdResult<Response> {
    let quote: Quote = deps.querier.query_wasm_smart(ORACLE.load(deps.storage)?, &OracleQuery::Quote {})?; // FINDING
    LAST.save(deps.storage, &Last { rate: quote.spot_price, updated: 0 })?;
    Ok(Response::new())
}`,
    ],
    safe: [
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, Binary, Decimal, Deps, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Item;

pub struct PriceResponse { pub price: Decimal, pub last_updated: u64 }
pub struct RateResponse { pub rate: Decimal, pub name: String }
pub struct Quote { pub price: Decimal }
pub struct Feed { pub price: Quote, pub updated: u64 }
pub enum OracleQuery { Price {}, Rate {}, Feed {}, Within { timeframe: Option<u64> } }
pub const ORACLE: Item<Addr> = Item::new("oracle");
pub const LAST: Item<Decimal> = Item::new("last");
pub enum ExecuteMsg { Fresh {}, Rate {}, Handed {}, Feed {}, Within {}, Seen {} }
pub enum QueryMsg { Price {} }

fn price_of(deps: Deps) -> StdResult<PriceResponse> {
    deps.querier.query_wasm_smart(ORACLE.load(deps.storage)?, &OracleQuery::Price {})
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Fresh {} => {
            let answer = price_of(deps.as_ref())?;
            if answer.last_updated + 60 < env.block.time.seconds() {
                return Err(StdError::generic_err("stale"));
            }
            LAST.save(deps.storage, &answer.price)?;
        }
        ExecuteMsg::Rate {} => {
            let answer: RateResponse = deps.querier.query_wasm_smart(ORACLE.load(deps.storage)?, &OracleQuery::Rate {})?;
            LAST.save(deps.storage, &answer.rate)?;
        }
        ExecuteMsg::Handed {} => {
            let answer = price_of(deps.as_ref())?;
            prices::assert_fresh(&answer, &env)?;
            LAST.save(deps.storage, &answer.price)?;
        }
        ExecuteMsg::Feed {} => {
            let answer: Feed = deps.querier.query_wasm_smart(ORACLE.load(deps.storage)?, &OracleQuery::Feed {})?;
            if answer.updated + 60 < env.block.time.seconds() {
                return Err(StdError::generic_err("stale"));
            }
            LAST.save(deps.storage, &answer.price.price)?;
        }
        ExecuteMsg::Within {} => {
            let answer: PriceResponse = deps.querier.query_wasm_smart(ORACLE.load(deps.storage)?, &OracleQuery::Within { timeframe: Some(60) })?;
            LAST.save(deps.storage, &answer.price)?;
        }
        ExecuteMsg::Seen {} => return Ok(Response::new().add_attribute("price", price_of(deps.as_ref())?.price.to_string())),
    }
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, Binary, Decimal, Deps, DepsMut, Env, MessageInfo, Response, StdResult};
use cw_storage_plus::Item;

pub struct PriceResponse { pub price: Decimal, pub last_updated: u64 }
pub enum OracleQuery { Price {} }
pub const ORACLE: Item<Addr> = Item::new("oracle");
pub enum QueryMsg { Price {} }

#[entry_point]
pub fn query(deps: Deps, _env: Env, _msg: QueryMsg) -> StdResult<Binary> {
    let answer: PriceResponse = deps.querier.query_wasm_smart(ORACLE.load(deps.storage)?, &OracleQuery::Price {})?;
    to_json_binary(&answer.price)
}
`,
      `use cosmwasm_std::{entry_point, Addr, Decimal, Deps, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Item;

pub struct PriceResponse { pub price: Decimal, pub last_updated: u64 }
pub struct Price { pub price: Decimal, pub publish_time: u64 }
pub struct PriceFeed { pub price: Price, pub id: String }
pub enum OracleQuery { Price {}, Feed {}, Within { max_age: u64 } }
pub const ORACLE: Item<Addr> = Item::new("oracle");
pub const LAST: Item<Decimal> = Item::new("last");
pub enum ExecuteMsg { Handed {}, Feed {}, Within {}, Foreign {}, Seen {} }

fn price_of(deps: Deps) -> StdResult<PriceResponse> {
    deps.querier.query_wasm_smart(ORACLE.load(deps.storage)?, &OracleQuery::Price {})
}

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, _info: MessageInfo, _msg: ExecuteMsg) -> StdResult<Response> {
    LAST.save(deps.storage, &price_of(deps.as_ref())?.price)?;
    Ok(Response::new())
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let oracle = ORACLE.load(deps.storage)?;
    match msg {
        ExecuteMsg::Handed {} => {
            let answer = price_of(deps.as_ref())?;
            prices::assert_fresh(&answer, &env)?;
            LAST.save(deps.storage, &answer.price)?;
        }
        ExecuteMsg::Feed {} => {
            let feed: PriceFeed = deps.querier.query_wasm_smart(oracle, &OracleQuery::Feed {})?;
            if feed.price.publish_time + 60 < env.block.time.seconds() {
                return Err(StdError::generic_err("stale"));
            }
            LAST.save(deps.storage, &feed.price.price)?;
        }
        ExecuteMsg::Within {} => {
            let answer: PriceResponse = deps.querier.query_wasm_smart(oracle, &OracleQuery::Within { max_age: prices::MAX_AGE })?;
            LAST.save(deps.storage, &answer.price)?;
        }
        ExecuteMsg::Foreign {} => {
            let answer: feeds::Quote = deps.querier.query_wasm_smart(oracle, &OracleQuery::Price {})?;
            LAST.save(deps.storage, &(answer.price * answer.scale))?;
        }
        ExecuteMsg::Seen {} => return Ok(Response::new().add_attribute("price", price_of(deps.as_ref())?.price.to_string())),
    }
    Ok(Response::new())
}`,
    ],
  },
}

/** The structs of a project as sets of field names, indexed by field name. */
type Structs = ReadonlyMap<string, ReadonlyArray<ReadonlySet<string>>>

const priceName = /^(\w+_)?(price|rate)$/
const timeName = /(^|_)(time|timestamp|updated?|date|expir[a-z]*|published?)(_|$)/

const structsOf = ({ crate, project }: CosmWasmCrate): Structs => {
  const linked = new Set((crate.manifest?.dependencies ?? []).map(({ name }) => name.replaceAll("-", "_")))
  const structs = [...project.resolver.crates.values()]
    .filter(({ name }) => name === crate.name || linked.has(name))
    .flatMap(({ modules }) => modules.flatMap(({ names }) => [...names.values()].flat()))
    .filter((definition) => definition.kind === "struct")
  const names = new Set(structs.map(({ name }) => name))
  // A price is a number: `PriceFeed.price` is a record of its own.
  const isNumber = (type: TypeNode | undefined): boolean =>
    type?.kind === "path" && !names.has(type.path.segments.at(-1)!.name)
  const found = new Map<string, Array<ReadonlySet<string>>>()
  for (const { item } of structs) {
    const fields = new Set(item.fields.map(({ name }) => name))
    for (const { name, type } of item.fields) {
      if (!isNumber(type)) continue
      const known = found.get(name)
      if (known === undefined) found.set(name, [fields])
      else known.push(fields)
    }
  }
  return found
}

/** The query that a part of a response comes from. */
const queryOf = (term: Term): Term | undefined => {
  let one = term
  while (one.kind === "field" || one.kind === "payload") one = one.base
  return one.kind === "call" && one.name.startsWith("query") ? one : undefined
}

/** Whether the query itself states how old the response may be. */
const asksForAge = (query: Term | undefined): boolean =>
  query !== undefined &&
  mentions(
    query,
    (one) =>
      one.kind === "struct" &&
      one.fields.some(
        ([name, value]) => /time|age|older/.test(name) && !(value.kind === "constant" && value.name === "None"),
      ),
  )

/** A query whose response includes the time of the price, if only the price is used. */
const agelessAnswer = (handler: Handler, structs: () => Structs): CallEvent | undefined => {
  const { events, facts } = handler
  const calls = events.filter((event) => event.kind === "call")
  if (!calls.some(({ name }) => name.startsWith("query"))) return undefined
  if (storageWrites(events).length === 0 && outgoingMessages(events).length === 0) return undefined
  const parts = new Map<Term, Set<string>>()
  for (const one of everySubterm([...facts, ...events.flatMap(eventTerms)])) {
    if (one.kind !== "field" || queryOf(one.base) === undefined) continue
    const known = parts.get(one.base)
    if (known === undefined) parts.set(one.base, new Set([one.name]))
    else known.add(one.name)
  }
  for (const [answer, used] of parts) {
    const price = [...used].find((name) => priceName.test(name))
    if (price === undefined || [...used].some((name) => timeName.test(name))) continue
    // A record of its own, examined separately.
    if ([...parts.keys()].some((one) => one.kind === "field" && one.base === answer && one.name === price)) continue
    const kinds = (structs().get(price) ?? []).filter((fields) => [...used].every((name) => fields.has(name)))
    if (kinds.length === 0 || !kinds.every((fields) => [...fields].some((name) => timeName.test(name)))) continue
    // A function without source may read any part of it.
    const isHandedOn = calls.some(
      ({ target, args }) => target === undefined && args.some(({ term }) => term === answer),
    )
    const query = queryOf(answer)
    if (!isHandedOn && !asksForAge(query)) return calls.find(({ result }) => result.term === query)
  }
  return undefined
}
