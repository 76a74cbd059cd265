import type { Rule } from "../../../Rule.ts"
import type { AssignEvent, Event } from "../../../rust/terms/events.ts"
import { mentions, type Term } from "../../../rust/terms/terms.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import type { CosmWasmProgram } from "../../program/model.ts"
import { ratioOf } from "../../questions/ratio.ts"
import { storedPlace } from "../../program/semantics.ts"

export const skippedIndexUpdate: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/logic/skipped-index-update",
    class: "accounting-index-skip",
    title: "Reward index not updated for users without stake",
    severity: "high",
    confidence: "medium",
    cwe: [682],
    description:
      "Rewards are the stake times the growth of a global index since the user's own index, but the user's " +
      "index is updated only if the stake is not zero. A user without a stake keeps an old index: an attacker " +
      "can then stake and immediately receive rewards for all the time before, at the expense of others.",
    remediation:
      "Set the user's index to the global one on every path, especially if the stake is zero: compute no reward " +
      "in that case, but save the index.",
    references: [
      "https://github.com/oak-security/cosmwasm-ctf",
      "https://uploads-ssl.webflow.com/5ad71ffeb79acc67c8bcdaba/5ad8d1193a40977462982470_scalable-reward-distribution-paper.pdf",
    ],
  },
  check: (program, report) => {
    for (const { entryPoints } of program.crates)
      for (const entry of entryPoints) {
        if (entry.kind !== "execute") continue
        for (const handler of entry.handlers)
          for (const update of handler.events) {
            if (!copiesIndex(update)) continue
            const skip = skipOf(handler.events, update)
            if (skip !== undefined) report(placeOf(skip))
          }
      }
  },
  examples: {
    vulnerable: [
      `use cosmwasm_std::{entry_point, Addr, Decimal, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct State { pub index: Decimal, pub total: Uint128 }
pub struct User { pub stake: Uint128, pub index: Decimal, pub pending: Uint128 }
pub const STATE: Item<State> = Item::new("state");
pub const USERS: Map<&Addr, User> = Map::new("users");
pub enum ExecuteMsg { Stake { amount: Uint128 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Stake { amount } => {
            let state = STATE.load(deps.storage)?;
            let mut user = USERS.load(deps.storage, &info.sender)?;
            settle(&state, &mut user)?;
            user.stake += amount;
            USERS.save(deps.storage, &info.sender, &user)?;
            Ok(Response::new())
        }
    }
}

fn settle(state: &State, user: &mut User) -> StdResult<()> {
    if user.stake.is_zero() {
        return Ok(()); // FINDING
    }
    user.pending += user.stake * (state.index - user.index);
    user.index = state.index;
    Ok(())
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub const GLOBAL: Item<Uint128> = Item::new("global");
pub struct User { pub stake: Uint128, pub seen: Uint128, pub pending: Uint128 }
pub const USERS: Map<&Addr, User> = Map::new("users");
pub enum ExecuteMsg { Deposit { amount: Uint128 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Deposit { amount } => {
            let global = GLOBAL.load(deps.storage)?;
            let mut user = USERS.load(deps.storage, &info.sender)?;
            if user.stake > Uint128::zero() {
                user.pending += user.stake * (global - user.seen);
                user.seen = global; // FINDING
            }
            user.stake += amount;
            USERS.save(deps.storage, &info.sender, &user)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdResult, Storage, Uint128};
use cw_storage_plus::{Item, Map};

pub const GLOBAL: Item<Uint128> = Item::new("global");
pub const STAKES: Map<&Addr, Uint128> = Map::new("stakes");
pub const SEEN: Map<&Addr, Uint128> = Map::new("seen");
pub const REWARDS: Map<&Addr, Uint128> = Map::new("rewards");
pub enum ExecuteMsg { Deposit { amount: Uint128 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Deposit { amount } => {
            settle(deps.storage, &info.sender)?;
            STAKES.update(deps.storage, &info.sender, |old| -> StdResult<_> { Ok(old.unwrap_or_default() + amount) })?;
            Ok(Response::new())
        }
    }
}

fn settle(storage: &mut dyn Storage, user: &Addr) -> StdResult<()> {
    let stake = STAKES.may_load(storage, user)?.unwrap_or_default();
    if stake.is_zero() {
        return Ok(()); // FINDING
    }
    let global = GLOBAL.load(storage)?;
    let seen = SEEN.may_load(storage, user)?.unwrap_or_default();
    REWARDS.save(storage, user, &(stake * (global - seen)))?;
    SEEN.save(storage, user, &global)
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct State { pub index: Uint128 }
#[derive(Default)]
pub struct User { pub stake: Uint128, pub index: Uint128, pub pending: Uint128 }
pub const STATE: Item<State> = Item::new("state");
pub const USERS: Map<&Addr, User> = Map::new("users");
pub enum ExecuteMsg { Deposit { amount: Uint128 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Deposit { amount } => {
            let state = STATE.load(deps.storage)?;
            let mut user = USERS.may_load(deps.storage, &info.sender)?.unwrap_or(User::default());
            settle(&mut user, &state);
            user.stake += amount;
            USERS.save(deps.storage, &info.sender, &user)?;
            Ok(Response::new())
        }
    }
}

fn settle(user: &mut User, state: &State) {
    if user.stake.is_zero() {
        return; // FINDING
    }
    user.pending += user.stake * (state.index - user.index);
    user.index = state.index;
}
`,
      `use cosmwasm_std::{entry_point, Addr, Decimal, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct State { pub index: Decimal, pub total: Uint128 }
pub struct User { pub stake: Uint128, pub count: u64, pub index: Decimal, pub pending: Uint128 }
pub struct MigrateMsg { pub user: String }
pub const STATE: Item<State> = Item::new("state");
pub const POOLS: Map<u64, State> = Map::new("pools");
pub const USERS: Map<&Addr, User> = Map::new("users");
pub enum ExecuteMsg { Settle { kind: u64 }, Branch {}, Both {} }

fn by_zero(state: &State, user: &mut User) -> StdResult<()> {
    if user.stake == Uint128::zero() {
        return Ok(()); // FINDING
    }
    user.index = state.index;
    Ok(())
}

fn by_number(state: &State, user: &mut User) -> StdResult<()> {
    if user.count == 0 {
        return Ok(()); // FINDING
    }
    user.index = state.index;
    Ok(())
}

fn by_number_first(state: &State, user: &mut User) -> StdResult<()> {
    if 0 == user.count {
        return Ok(()); // FINDING
    }
    user.index = state.index;
    Ok(())
}

fn by_five(state: &State, user: &mut User) -> StdResult<()> {
    if user.count == 5 {
        return Ok(());
    }
    user.index = state.index;
    Ok(())
}

fn refused(state: &State, user: &mut User) -> StdResult<()> {
    if user.stake.is_zero() {
        return Err(StdError::generic_err("nothing"));
    }
    user.index = state.index;
    Ok(())
}

fn after(state: &State, user: &mut User) -> StdResult<()> {
    user.index = state.index;
    if user.stake.is_zero() {
        return Ok(());
    }
    user.pending += Uint128::one();
    Ok(())
}

fn branch(state: &State, user: &mut User) -> StdResult<()> {
    if !user.stake.is_zero() {
        user.index = state.index; // FINDING
    }
    Ok(())
}

fn both(state: &State, user: &mut User) -> StdResult<()> {
    if user.stake.is_zero() {
        user.index = state.index;
    } else {
        user.pending += Uint128::one();
        user.index = state.index;
    }
    Ok(())
}

fn other_branch(state: &State, user: &mut User) -> StdResult<()> {
    if user.count > 3 {
        user.index = state.index;
    }
    Ok(())
}

fn of_pool(pool: &State, user: &mut User) -> StdResult<()> {
    if user.stake.is_zero() {
        return Ok(());
    }
    user.index = pool.index;
    Ok(())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let state = STATE.load(deps.storage)?;
    let mut user = USERS.load(deps.storage, &info.sender)?;
    match msg {
        ExecuteMsg::Settle { kind } => {
            let pool = POOLS.load(deps.storage, kind)?;
            match kind {
                0 => by_zero(&state, &mut user)?,
                1 => by_number(&state, &mut user)?,
                2 => by_number_first(&state, &mut user)?,
                3 => by_five(&state, &mut user)?,
                4 => refused(&state, &mut user)?,
                5 => after(&state, &mut user)?,
                6 => other_branch(&state, &mut user)?,
                _ => of_pool(&pool, &mut user)?,
            }
        }
        ExecuteMsg::Branch {} => branch(&state, &mut user)?,
        ExecuteMsg::Both {} => both(&state, &mut user)?,
    }
    USERS.save(deps.storage, &info.sender, &user)?;
    Ok(Response::new())
}

#[entry_point]
pub fn migrate(deps: DepsMut, _env: Env, msg: MigrateMsg) -> StdResult<Response> {
    let state = STATE.load(deps.storage)?;
    let who = deps.api.addr_validate(&msg.user)?;
    let mut user = USERS.load(deps.storage, &who)?;
    if user.stake.is_zero() {
        return Ok(Response::new());
    }
    user.index = state.index;
    USERS.save(deps.storage, &who, &user)?;
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Staker { pub stake: Uint128, pub index: Uint128, pub pending: Uint128 }
pub const INDEX: Item<Uint128> = Item::new("index");
pub const STAKERS: Map<&Addr, Staker> = Map::new("stakers");
pub const SEEN: Map<&Addr, Uint128> = Map::new("seen");
pub enum ExecuteMsg { Sync {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let ExecuteMsg::Sync {} = msg;
    let index = INDEX.load(deps.storage)?;
    let mut staker = STAKERS.load(deps.storage, &info.sender)?;
    if !staker.stake.is_zero() {
        staker.pending += staker.stake * (index - staker.index);
        staker.index = index; // FINDING
    }
    STAKERS.save(deps.storage, &info.sender, &staker)?;
    SEEN.save(deps.storage, &info.sender, &index)?;
    Ok(Response::new())
}`,
    ],
    safe: [
      `use cosmwasm_std::{entry_point, Addr, Decimal, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub const GLOBAL: Item<Decimal> = Item::new("global");
pub struct Pool { pub total: Uint128, pub weight: Uint128, pub seen: Decimal, pub per_stake: Decimal }
pub const POOLS: Map<&str, Pool> = Map::new("pools");
pub const STAKES: Map<(&str, &Addr), Uint128> = Map::new("stakes");
pub enum ExecuteMsg { Deposit { pool: String, amount: Uint128 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Deposit { pool, amount } => {
            let mut record = POOLS.load(deps.storage, &pool)?;
            spread(&mut record, GLOBAL.load(deps.storage)?);
            record.total += amount;
            POOLS.save(deps.storage, &pool, &record)?;
            STAKES.update(deps.storage, (&pool, &info.sender), |old| -> StdResult<_> { Ok(old.unwrap_or_default() + amount) })?;
            Ok(Response::new())
        }
    }
}

fn spread(pool: &mut Pool, global: Decimal) {
    if pool.total.is_zero() {
        return;
    }
    let grown = pool.weight * (global - pool.seen);
    pool.per_stake = pool.per_stake + Decimal::from_ratio(grown, pool.total);
    pool.seen = global;
}
`,
      `use cosmwasm_std::{entry_point, Addr, Decimal, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct State { pub index: Decimal, pub total: Uint128 }
pub struct User { pub stake: Uint128, pub index: Decimal, pub pending: Uint128 }
pub const STATE: Item<State> = Item::new("state");
pub const USERS: Map<&Addr, User> = Map::new("users");
pub enum ExecuteMsg { Stake { amount: Uint128 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Stake { amount } => {
            let state = STATE.load(deps.storage)?;
            let mut user = USERS.load(deps.storage, &info.sender)?;
            settle(&state, &mut user)?;
            user.stake += amount;
            USERS.save(deps.storage, &info.sender, &user)?;
            Ok(Response::new())
        }
    }
}

fn settle(state: &State, user: &mut User) -> StdResult<()> {
    if !user.stake.is_zero() {
        user.pending += user.stake * (state.index - user.index);
    }
    user.index = state.index;
    Ok(())
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub const GLOBAL: Item<Uint128> = Item::new("global");
pub struct User { pub stake: Uint128, pub seen: Uint128, pub pending: Uint128 }
pub const USERS: Map<&Addr, User> = Map::new("users");
pub enum ExecuteMsg { Deposit { amount: Uint128 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Deposit { amount } => {
            let global = GLOBAL.load(deps.storage)?;
            let mut user = USERS.load(deps.storage, &info.sender)?;
            if user.stake.is_zero() {
                user.seen = global;
            } else {
                user.pending += user.stake * (global - user.seen);
                user.seen = global;
            }
            user.stake += amount;
            USERS.save(deps.storage, &info.sender, &user)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{ensure, entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Staker { pub stake: Uint128, pub index: Uint128, pub pending: Uint128 }
pub const INDEX: Item<Uint128> = Item::new("index");
pub const STAKERS: Map<&Addr, Staker> = Map::new("stakers");
pub enum ExecuteMsg { Claim {}, Sync {} }

fn sync(staker: &mut Staker, index: Uint128) {
    staker.pending += staker.stake * (index - staker.index);
    staker.index = index;
}

// Whoever has nothing at stake is turned away.
#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let index = INDEX.load(deps.storage)?;
    let mut staker = STAKERS.load(deps.storage, &info.sender)?;
    ensure!(!staker.stake.is_zero(), StdError::generic_err("no stake"));
    match msg {
        ExecuteMsg::Claim {} => {
            sync(&mut staker, index);
            STAKERS.save(deps.storage, &info.sender, &staker)?;
        }
        ExecuteMsg::Sync {} => STAKERS.save(deps.storage, &info.sender, &Staker { index, ..staker })?,
    }
    Ok(Response::new())
}`,
    ],
  },
}

/** `user.index = state.global_index`, `INDEX.save(user, &global)`: the user's record copies the contract's state. */
const copiesIndex = (event: Event): event is AssignEvent => {
  if (event.kind !== "assign" || event.operator !== "=") return false
  const global = storedPlace(event.value.term)
  return global !== undefined && global.key === undefined
}

/** The part of a record under the same key that a fact says is zero, or is not. */
const heldToZero = (fact: Term, key: Term): Term | undefined => {
  const ofRecord = (term: Term | undefined): Term | undefined =>
    term !== undefined && mentions(term, (one) => storedPlace(one)?.key === key) ? term : undefined
  const isZero = (term: Term): boolean =>
    (term.kind === "literal" && term.value === "0") || (term.kind === "call" && term.name === "zero")
  switch (fact.kind) {
    case "not":
      return heldToZero(fact.operand, key)
    case "call":
      return fact.name === "is_zero" ? ofRecord(fact.args[0]) : undefined
    case "binary":
      return isZero(fact.left) ? ofRecord(fact.right) : isZero(fact.right) ? ofRecord(fact.left) : undefined
    default:
      return undefined
  }
}

/** The divisor of rewards: the total stake, in a pool's record. A user's own stake is a factor. */
const divisorsOf = (events: ReadonlyArray<Event>): ReadonlySet<Term> =>
  new Set(events.flatMap((event) => ratioOf(event)?.denominator ?? []))

/** Where the function returns before the update, or branches around it; undefined if every path updates. */
const skipOf = (events: ReadonlyArray<Event>, update: AssignEvent): Event | undefined => {
  const key = storedPlace(update.target.term)?.key
  if (key === undefined) return undefined
  const divisors = divisorsOf(events)
  const isAboutZero = (fact: Term): boolean => {
    const stake = heldToZero(fact, key)
    return stake !== undefined && !divisors.has(stake)
  }
  const early = events.find(
    (event) =>
      event.kind === "exit" &&
      event.success &&
      event.order < update.order &&
      event.scope.frame === update.scope.frame &&
      [...event.facts].some((fact) => isAboutZero(fact)),
  )
  if (early !== undefined) return early
  const isBranch = update.scope.parent !== undefined && update.scope.parent.frame === update.scope.frame
  if (!isBranch || ![...update.facts].some((fact) => isAboutZero(fact))) return undefined
  // The other branch may update it as well.
  const others = events.filter(
    (event) => copiesIndex(event) && event.target.term === update.target.term && event.scope !== update.scope,
  )
  return others.length > 0 ? undefined : update
}
