import type { Rule } from "../../../Rule.ts"
import type { Expression } from "../../../rust/syntax/syntax.ts"
import { mentions, subterms, type Term } from "../../../rust/terms/terms.ts"
import type { Event } from "../../../rust/terms/events.ts"
import type { FunctionDefinition } from "../../../rust/crate/crate.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import type { CosmWasmProgram, EntryPoint } from "../../program/model.ts"
import { mentionsOutside } from "../../program/semantics.ts"
import { paymentOf } from "../../questions/payments.ts"
import { outgoingMessages } from "../../questions/questions.ts"
import { storageWrites } from "../../questions/storageWrites.ts"

export const blockData: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/bad-randomness/block-data",
    class: "weak-randomness",
    title: "Randomness derived from block data",
    severity: "high",
    confidence: "medium",
    cwe: [338, 330],
    description:
      "A random draw is the remainder of the block height, the block time or the transaction index. These " +
      "values are known when the message is executed: an attacker calls from a contract that computes the same " +
      "draw and reverts unless it wins, and validators can influence the time and order.",
    remediation:
      "Draw from a randomness beacon, such as drand through Nois, with a request made before the outcome is " +
      "known, or use a commit-reveal scheme with a penalty for not revealing.",
    references: ["https://docs.nois.network", "https://docs.rs/cosmwasm-std/latest/cosmwasm_std/struct.BlockInfo.html"],
  },
  check: (program, report) => {
    for (const { entryPoints } of program.crates) {
      const pays = paysSomebody(entryPoints)
      for (const entry of entryPoints) {
        if (entry.kind === "query") continue
        const drawn = new Map<Term, FunctionDefinition>()
        for (const event of entry.events) {
          let left: Term | undefined
          let result: Term | undefined
          if (event.kind === "operation" && event.operator === "%" && event.right !== undefined) {
            if (isCalendar(event.right.term)) continue
            left = event.left.term
            result = program.terms.binary("%", left, event.right.term)
          } else if (event.kind === "operation" && event.operator === "&" && event.right !== undefined) {
            // The lowest bits: `seed & 1`.
            left = event.left.term.kind === "literal" ? event.right.term : event.left.term
          } else if (event.kind === "call" && event.method && remainders.test(event.name)) {
            left = event.args[0]?.term
            result = event.result.term
          } else if (event.kind === "call" && seeds(event)) left = event.args[0]?.term
          // What remains of an amount, which was queried, is left over.
          if (left === undefined || !isBlockData(entry, left) || mentions(left, isQueried)) continue
          // `now - now % week` is the start of the week.
          const isStart = entry.events.some(
            (other) =>
              (other.kind === "operation" && other.operator === "-" && other.right?.term === result) ||
              (other.kind === "call" && differences.test(other.name) && other.args[1]?.term === result),
          )
          if (isStart || isPeriod(entry, event)) continue
          // Numbers drawn one after another from the same seed are one problem.
          const seed = seedOf(entry, left)
          if (seed !== undefined && drawn.get(seed) === event.function) continue
          if (seed !== undefined) drawn.set(seed, event.function)
          report({
            ...placeOf(event),
            ...(pays ? {} : { severity: "low" as const }),
          })
        }
      }
    }
  },
  examples: {
    vulnerable: [
      // Digits of a hash, one after another.
      `use cosmwasm_std::{coins, entry_point, BankMsg, DepsMut, Env, MessageInfo, Response, StdResult};

pub enum ExecuteMsg { Roll {} }

#[entry_point]
pub fn execute(_deps: DepsMut, env: Env, info: MessageInfo, _msg: ExecuteMsg) -> StdResult<Response> {
    let seed = mixed(env.block.time.seconds());
    let first = seed % 7; // FINDING
    let rest = seed / 7;
    Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(first + rest, "uatom") }))
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdResult};
use cw_storage_plus::Item;

pub const PLAYERS: Item<Vec<Addr>> = Item::new("players");
pub const WINNER: Item<Addr> = Item::new("winner");
pub enum ExecuteMsg { Draw {} }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Draw {} => {
            let players = PLAYERS.load(deps.storage)?;
            let index = env.block.time.nanos() as usize % players.len(); // FINDING
            WINNER.save(deps.storage, &players[index])?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, BankMsg, DepsMut, Env, MessageInfo, Response, StdResult};

pub enum ExecuteMsg { Flip {} }

fn seed(env: &Env) -> u64 {
    env.block.height * 31 + env.block.time.seconds()
}

#[entry_point]
pub fn execute(_deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Flip {} => {
            if seed(&env) % 2 == 0 { // FINDING
                let pay = BankMsg::Send { to_address: info.sender.into(), amount: coins(2, "uatom") };
                return Ok(Response::new().add_message(pay));
            }
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdResult};
use cw_storage_plus::Item;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use rand_chacha::ChaChaRng;

pub const WINNER: Item<u32> = Item::new("winner");
pub enum ExecuteMsg { Draw {} }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Draw {} => {
            let mut source = ChaChaRng::seed_from_u64(env.block.time.nanos()); // FINDING
            WINNER.save(deps.storage, &source.next_u32())?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, BankMsg, DepsMut, Env, MessageInfo, Response, StdResult};

pub enum ExecuteMsg { Flip { heads: bool } }

#[entry_point]
pub fn execute(_deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let ExecuteMsg::Flip { heads } = msg;
    let seed = env.block.height ^ env.block.time.nanos();
    let won = (seed & 1 == 1) == heads; // FINDING
    if !won {
        return Ok(Response::new());
    }
    Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(2, "uatom") }))
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Binary, Deps, DepsMut, Env, MessageInfo, Response, StdResult};
use cw_storage_plus::Item;

pub const DRAWN: Item<Vec<u64>> = Item::new("drawn");
pub enum ExecuteMsg { Draw { players: u64 } }
pub enum QueryMsg { Guess { players: u64 } }

fn both(env: &Env, players: u64) -> (u64, u64) {
    let seed = hash(env.block.time.nanos());
    (seed % players, seed % 7) // FINDING
}

fn start(now: u64) -> u64 {
    let rest = now % 7_001;
    now - rest
}

fn odd(now: u64) -> u64 {
    now % (120 + 1) // FINDING
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let ExecuteMsg::Draw { players } = msg;
    let now = env.block.time.seconds();
    let (first, second) = both(&env, players);
    let mut drawn = vec![
        first,
        second,
        start(now),
        now % 60,
        odd(now),
        now % (60 * players), // FINDING
        1 & env.block.height, // FINDING
        env.transaction.unwrap().index as u64 % players, // FINDING
        env.contract.address.as_str().len() as u64 % players,
        remainder::checked_rem(now, players),
    ];
    let mut one = oorandom::Rand32::new(env.block.height); // FINDING
    let mut two = fastrand::Rng::with_seed(env.block.height); // FINDING
    let three = Timestamp::new(env.block.height);
    let four = rand_core::Seed::of(env.block.height);
    drawn.push(one.rand_u32() as u64);
    drawn.push(two.u64(..));
    drawn.push(three.seconds());
    drawn.push(four.first());
    DRAWN.save(deps.storage, &drawn)?;
    Ok(Response::new())
}

#[entry_point]
pub fn query(_deps: Deps, env: Env, msg: QueryMsg) -> StdResult<Binary> {
    let QueryMsg::Guess { players } = msg;
    to_json_binary(&(env.block.height % players))
}
`,
      `use cosmwasm_std::{entry_point, Addr, Coin, DepsMut, Env, MessageInfo, Response, StdResult};
use cw_storage_plus::{Item, Map};

pub const DRAWS: Map<&Addr, u64> = Map::new("draws");
pub enum ExecuteMsg { Draw {} }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let ExecuteMsg::Draw {} = msg;
    DRAWS.save(deps.storage, &info.sender, &(env.block.height % 6))?; // FINDING
    Ok(Response::new())
}`,
      `use cosmwasm_std::{entry_point, Addr, Coin, DepsMut, Env, MessageInfo, Response, StdResult};
use cw_storage_plus::{Item, Map};

pub const WINNER: Item<Addr> = Item::new("winner");
pub enum ExecuteMsg { Draw {} }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let ExecuteMsg::Draw {} = msg;
    if env.block.height % 6 == 0 { // FINDING
        WINNER.save(deps.storage, &info.sender)?;
    }
    Ok(Response::new())
}`,
      `use cosmwasm_std::{entry_point, Addr, Coin, DepsMut, Env, MessageInfo, Response, StdResult};
use cw_storage_plus::{Item, Map};

pub const POTS: Map<u64, Vec<Coin>> = Map::new("pots");
pub enum ExecuteMsg { Draw {} }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let ExecuteMsg::Draw {} = msg;
    POTS.save(deps.storage, env.block.height % 6, &info.funds)?; // FINDING
    Ok(Response::new())
}`,
      `use cosmwasm_std::{entry_point, Addr, Coin, DepsMut, Env, MessageInfo, Response, StdResult};
use cw_storage_plus::{Item, Map};

pub const SALT: Item<u64> = Item::new("salt");
pub const COLORS: Map<u64, u64> = Map::new("colors");
pub enum ExecuteMsg { Draw {} }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let ExecuteMsg::Draw {} = msg;
    let salt = SALT.load(deps.storage)?;
    let color = hashes::mixed(salt, env.block.height) % 6; // FINDING
    let shade = hashes::shifted(salt, env.block.time.nanos()) % 6; // FINDING
    COLORS.save(deps.storage, color, &shade)?;
    Ok(Response::new())
}`,
    ],
    safe: [
      // The next height that is a multiple.
      `use cosmwasm_std::{coins, entry_point, BankMsg, DepsMut, Env, MessageInfo, Response, StdResult};
use cw_storage_plus::Item;

pub const NEXT: Item<u64> = Item::new("next");
pub enum ExecuteMsg { Schedule { every: u64 } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let ExecuteMsg::Schedule { every } = msg;
    let height = env.block.height;
    NEXT.save(deps.storage, &(height.saturating_sub(height % every) + every))?;
    Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(1, "uatom") }))
}
`,
      // The start of an epoch: the time is split into periods of a length that other constants make up.
      `use cosmwasm_std::{coins, entry_point, BankMsg, DepsMut, Env, MessageInfo, Response, StdResult};

const DAY: u64 = 86_400;
const START: u64 = 1_716_768_000;
const EPOCH: u64 = DAY * 14;
pub enum ExecuteMsg { Pay {} }

fn epoch_start(now: u64) -> u64 {
    let passed = now % START;
    if passed % EPOCH == 0 { now } else { START + passed / EPOCH * EPOCH }
}

#[entry_point]
pub fn execute(_deps: DepsMut, env: Env, info: MessageInfo, _msg: ExecuteMsg) -> StdResult<Response> {
    let start = epoch_start(env.block.time.seconds());
    Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(start.into(), "uatom") }))
}
`,
      `use cosmwasm_std::{entry_point, DepsMut, Env, MessageInfo, Response, StdResult};
use cw_storage_plus::Item;

pub const WEEK_START: Item<u64> = Item::new("week_start");
pub enum ExecuteMsg { Roll {} }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Roll {} => {
            let now = env.block.time.seconds();
            let start = now - now % 604_800;
            WEEK_START.save(deps.storage, &start)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Item;

pub const BEACON: Item<Addr> = Item::new("beacon");
pub const PLAYERS: Item<Vec<Addr>> = Item::new("players");
pub const WINNER: Item<Addr> = Item::new("winner");
pub enum ExecuteMsg { Deliver { randomness: u64 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Deliver { randomness } => {
            if BEACON.load(deps.storage)? != info.sender {
                return Err(StdError::generic_err("unauthorized"));
            }
            let players = PLAYERS.load(deps.storage)?;
            let index = randomness as usize % players.len();
            WINNER.save(deps.storage, &players[index])?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, DepsMut, Env, MessageInfo, Response, StdError, StdResult};

pub enum ExecuteMsg { Settle {} }

#[entry_point]
pub fn execute(_deps: DepsMut, env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Settle {} => {
            if env.block.time.seconds() % 86_400 < 3_600 {
                return Err(StdError::generic_err("closed in the first hour of the day"));
            }
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, DepsMut, Env, MessageInfo, Response, StdError, StdResult};

const EPOCH: u64 = 14 * 24 * 60 * 60;
pub enum ExecuteMsg { Roll {} }

#[entry_point]
pub fn execute(_deps: DepsMut, env: Env, _info: MessageInfo, _msg: ExecuteMsg) -> StdResult<Response> {
    if env.block.time.seconds() % EPOCH != 0 {
        return Err(StdError::generic_err("not yet"));
    }
    Ok(Response::new())
}
`,
      `use chrono::{DateTime, Datelike, Utc};
use cosmwasm_std::{coins, entry_point, BankMsg, DepsMut, Env, MessageInfo, Response, StdResult};

pub enum ExecuteMsg { Pay {} }

#[entry_point]
pub fn execute(_deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Pay {} => {
            let date: DateTime<Utc> = to_date(env.block.time);
            let bonus = if date.month() % 12 == 0 { 2 } else { 1 };
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(bonus, "uatom") }))
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, BankMsg, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::Item;
use curves::Curve;

pub struct Flow { pub curve: Curve, pub total: u128, pub per_point: u128, pub left: u128 }
pub const FLOW: Item<Flow> = Item::new("flow");
pub const POINTS: Item<u128> = Item::new("points");
pub enum ExecuteMsg { Share {}, Pick { denom: String } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let mut flow = FLOW.load(deps.storage)?;
    match msg {
        ExecuteMsg::Share {} => {
            let balance = deps.querier.query_balance(&env.contract.address, "ujuno")?.amount.u128();
            let amount = balance - flow.total - flow.curve.value(env.block.time.seconds()).u128();
            let points = POINTS.load(deps.storage)?;
            flow.per_point += amount / points;
            flow.left = amount % points;
            FLOW.save(deps.storage, &flow)?;
            Ok(Response::new())
        }
        // Where something is found is not a draw, whatever the time decides elsewhere.
        ExecuteMsg::Pick { denom } => {
            let pools = vec![("ujuno", flow.curve.value(env.block.time.seconds()).u128()), ("uatom", 2)];
            let at = pools.iter().position(|(one, _)| *one == denom).unwrap();
            let other = pools[(at + 1) % 2];
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(other.1, other.0) }))
        }
    }
}
`,
    ],
  },
}

/** Whether the contract has something that a draw could be about: it pays, or stores what belongs to people. */
const paysSomebody = (entryPoints: ReadonlyArray<EntryPoint>): boolean =>
  entryPoints.some(
    ({ events, sender, funds }) =>
      outgoingMessages(events).some((one) => paymentOf(one) !== undefined) ||
      storageWrites(events).some(
        ({ key, value }) =>
          (key !== undefined && mentions(key, (one) => one === sender)) ||
          mentions(value, (one) => one === sender || one === funds),
      ),
  )

/** `time % week` beside `time / week`: the time is split into periods, and nothing is drawn from it. */
const isPeriod = ({ events }: EntryPoint, event: Event): boolean => {
  if (event.kind !== "operation" || event.right === undefined) return false
  const { left, right } = event
  if (mentions(left.term, (one) => one.kind === "call" && !/^(plus_|minus_)?(seconds|days|hours)$/.test(one.name)))
    return false
  return events.some(
    (other) =>
      other.kind === "operation" &&
      other.operator === "/" &&
      other.left.term === left.term &&
      other.right?.term === right.term,
  )
}

/**
 * Height, time or transaction index, or a hash of them; the month or the weekday of a date is not a draw, nor is where
 * something is found.
 */
const isBlockData = (entry: EntryPoint, term: Term): boolean =>
  mentionsOutside(
    term,
    (one) =>
      one.kind === "field" &&
      (one.name === "block" || one.name === "transaction") &&
      mentions(one.base, (part) => part === entry.env),
    (one) =>
      one.kind === "call" &&
      /^((year|month|day|weekday|ordinal|hour|minute)(_ce|0)?|r?position|find\w*)$/.test(one.name),
  )

const isQueried = (term: Term): boolean =>
  (term.kind === "field" && term.name === "querier") || (term.kind === "call" && term.name.startsWith("query"))

/** The first call that received block data on the way to a number: a hash, or a generator. */
const seedOf = (entry: EntryPoint, term: Term, depth = 0): Term | undefined => {
  if (depth > 30 || !isBlockData(entry, term)) return undefined
  for (const one of subterms(term)) {
    const found = seedOf(entry, one, depth + 1)
    if (found !== undefined) return found
  }
  return term.kind === "call" ? term : undefined
}

/** Time of day or day of the week: a remainder by whole minutes. */
const isCalendar = (term: Term | undefined): boolean => {
  const value = term === undefined ? undefined : numberOf(term)
  return value !== undefined && value >= 60 && value % 60 === 0
}

const numberOf = (term: Term): number | undefined => {
  if (term.kind === "literal") return Number(term.value.replaceAll("_", ""))
  if (term.kind === "binary" && term.operator === "*") {
    const [left, right] = [numberOf(term.left), numberOf(term.right)]
    return left === undefined || right === undefined ? undefined : left * right
  }
  return term.kind === "constant" ? numberIn(term.definition?.item.value) : undefined
}

/** `7 * 24 * 60 * 60` in a constant. */
const numberIn = (node: Expression | undefined, depth = 0): number | undefined => {
  if (node === undefined || depth > 8) return undefined
  if (node.kind === "literal") return Number(node.value.replaceAll("_", ""))
  if (node.kind !== "binary" || node.operator !== "*") return undefined
  const [left, right] = [numberIn(node.left, depth + 1), numberIn(node.right, depth + 1)]
  return left === undefined || right === undefined ? undefined : left * right
}

/** A generator receives its seed: everything that it produces follows from that. */
const seeds = ({ name, path }: { readonly name: string; readonly path: string }): boolean => {
  if (/^(seed_from_u64|from_seed)$/.test(name)) return true
  const parts = path.split("::")
  const last = parts.pop()
  return (
    (last === "new" || last === "with_seed") &&
    parts.some((part) => /^(oorandom|rand\w*|fastrand|nanorand|tinyrand)$/.test(part))
  )
}

const differences = /^(checked|saturating|wrapping)_sub$/

const remainders = /^(checked_|wrapping_)?rem(_euclid)?$/
