import type { Rule } from "../../../Rule.ts"
import type { FunctionDefinition } from "../../../rust/crate.ts"
import { type Event, type Frame, siteIn } from "../../../rust/events.ts"
import { reportOnce } from "../../../rust/reportOnce.ts"
import { mentions, type Term } from "../../../rust/terms.ts"
import { authorityPlaces, isAuthorized, isPresence, isReceiveHook } from "../../authority.ts"
import type { CosmWasmProgram, EntryPoint, Handler } from "../../model.ts"
import { isContainer, storedPlace } from "../../semantics.ts"
import { unreturnedErrors } from "../../unreturnedErrors.ts"
import { configured, isLostCheck, openPowerOf, privilegedPlaces } from "../../openPowers.ts"
import { comparisonsOf } from "../../questions.ts"

/** What a message does to something that the contract keeps. */
interface Effect {
  readonly entry: EntryPoint
  readonly handler: Handler
  readonly event: Event
  readonly container: Term
  readonly key: Term | undefined
  readonly values: ReadonlyArray<Term>
}

const reading =
  /^(load|may_load|has|range|keys|prefix|key|iter|is_\w+|get\w*|query\w*|may_\w+|as_\w+|len|clone|first|last)$/

/** Writes to storage, and calls of helpers that keep something themselves: `HOOKS.add_hook(deps.storage, addr)`. */
const effectsOf = (entry: EntryPoint, handler: Handler): ReadonlyArray<Effect> => {
  // What is put into a list, or taken out of it, before the list is saved.
  const moved = new Map<Term, Array<Term>>()
  for (const event of handler.events) {
    const [receiver, ...rest] = event.kind === "call" && event.method && event.target === undefined ? event.args : []
    const container = receiver === undefined ? undefined : storedPlace(receiver.term)?.container
    if (container === undefined) continue
    const known = moved.get(container) ?? []
    moved.set(container, known)
    for (const { term } of rest) known.push(term)
  }
  return handler.events.flatMap((event): ReadonlyArray<Effect> => {
    if (event.kind === "assign") {
      const place = storedPlace(event.target.term)
      if (place === undefined) return []
      return [{ entry, handler, event, ...place, values: [event.value.term, ...(moved.get(place.container) ?? [])] }]
    }
    if (event.kind !== "call" || !event.method || event.target !== undefined || reading.test(event.name)) return []
    const [receiver, ...rest] = event.args
    // What containers do is an `assign` of its own.
    if (receiver === undefined || isContainer(receiver.type)) return []
    if (receiver.term.kind !== "constant" || receiver.term.definition === undefined || rest.length === 0) return []
    if (!rest.some(({ term }) => mentions(term, (one) => one.kind === "field" && one.name === "storage"))) return []
    const values = rest.map(({ term }) => term)
    return [{ entry, handler, event, container: receiver.term, key: undefined, values }]
  })
}

/** The sender is trusted, or changes what is its own. */
const isGuarded = ({ entry, handler, event, key }: Effect): boolean => {
  const { sender } = entry
  // Whoever sets the contract up decides; a key is what others fill in later.
  if (entry.kind === "instantiate") return true
  if (isAuthorized(entry, event.facts) || isAuthorized(entry, handler.facts)) return true
  return sender !== undefined && key !== undefined && mentions(key, (one) => one === sender)
}

/** Nobody asks who sends: not by a comparison, not by a key, not by what is paid. */
const isBlind = ({ entry, handler, event, key, values }: Effect): boolean => {
  const { sender, funds } = entry
  if (sender === undefined) return false
  const about = (term: Term): boolean => mentions(term, (one) => one === sender || one === funds)
  if (key !== undefined && about(key)) return false
  if (values.some(about)) return false
  if (comparisonsOf(sender, event.facts).length > 0) return false
  return ![...handler.facts, ...event.facts].some(
    (fact) => about(fact) && !(fact.kind === "call" && fact.name === "fundsChecked"),
  )
}

/** What is written is the caller's choice, and nothing stored or timed has to allow it. */
const isChosen = ({ entry, event, container, key, values }: Effect): boolean => {
  const { message, env } = entry
  const chosen = (term: Term | undefined): boolean =>
    term !== undefined && message !== undefined && mentions(term, (one) => one === message)
  if (!chosen(key) && !values.some(chosen)) return false
  // Whether a list holds something already is no permission.
  const allows = (one: Term): boolean => {
    const place = storedPlace(one)
    return one === env || (place !== undefined && !(key === undefined && place.container === container))
  }
  return ![...event.facts].some((fact) => !isPresence(fact) && mentions(fact, allows))
}

/** Where the message itself leads to the change: a helper that the others call as well is right as it stands. */
const ownSite = ({ event, handler }: Effect, all: ReadonlyArray<Effect>): ReturnType<typeof siteIn> => {
  const shared = new Set<FunctionDefinition>()
  for (const other of all)
    if (other.handler !== handler)
      for (let at: Frame | undefined = other.event.scope.frame; at !== undefined; at = at.parent)
        shared.add(at.function)
  let own = event.scope.frame
  for (let at: Frame | undefined = own; at !== undefined; at = at.parent) if (!shared.has(at.function)) own = at
  return siteIn(event, own)
}

export const unguardedSibling: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/authorization/unguarded-sibling",
    class: "missing-auth",
    title: "Anyone can change what the other messages guard",
    severity: "high",
    confidence: "medium",
    cwe: [862],
    description:
      "Every other message that changes this part of the storage compares the sender with an address that the contract trusts, or changes the sender's own entry only. This one takes what to change from its caller and never asks who that is, so that any account of the chain can do what is meant for the owner, the governing contract or the one whom the entry belongs to.",
    remediation:
      "Compare `info.sender` as the other messages do, before anything is written. Where the message is meant to be open, restrict what it can write to what follows from the contract's own state.",
    references: ["https://docs.cosmwasm.com/core/architecture/semantics", "https://docs.rs/cw-ownable"],
  },
  examples: {
    vulnerable: [
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::{Item, Map};

pub struct Config { pub dao: Addr }
pub const CONFIG: Item<Config> = Item::new("config");
pub const MEMBERS: Map<&str, u64> = Map::new("members");
pub enum ExecuteMsg { Add { name: String, weight: u64 }, Drop { name: String } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Add { name, weight } => {
            let config = CONFIG.load(deps.storage)?;
            if info.sender != config.dao {
                return Err(StdError::generic_err("unauthorized"));
            }
            MEMBERS.save(deps.storage, &name, &weight)?;
            Ok(Response::new())
        }
        ExecuteMsg::Drop { name } => {
            MEMBERS.remove(deps.storage, &name); // FINDING
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdResult};
use cw_storage_plus::Map;

pub const STAKES: Map<&Addr, u64> = Map::new("stakes");
pub enum ExecuteMsg { Claim {}, Changed(Change) }
pub struct Change { pub addr: Addr, pub amount: u64 }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Claim {} => {
            STAKES.save(deps.storage, &info.sender, &0)?;
            Ok(Response::new())
        }
        ExecuteMsg::Changed(change) => {
            STAKES.save(deps.storage, &change.addr, &change.amount)?; // FINDING
            Ok(Response::new())
        }
    }
}
`,
    ],
    safe: [
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::{Item, Map};

pub struct Config { pub dao: Addr }
pub const CONFIG: Item<Config> = Item::new("config");
pub const MEMBERS: Map<&str, u64> = Map::new("members");
pub enum ExecuteMsg { Add { name: String, weight: u64 }, Drop { name: String } }

fn only_dao(deps: &DepsMut, info: &MessageInfo) -> StdResult<()> {
    let config = CONFIG.load(deps.storage)?;
    if info.sender == config.dao { Ok(()) } else { Err(StdError::generic_err("unauthorized")) }
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Add { name, weight } => {
            only_dao(&deps, &info)?;
            MEMBERS.save(deps.storage, &name, &weight)?;
            Ok(Response::new())
        }
        ExecuteMsg::Drop { name } => {
            only_dao(&deps, &info)?;
            MEMBERS.remove(deps.storage, &name);
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::{Item, Map};

pub struct Config { pub dao: Addr }
pub struct Vote { pub until: u64, pub open: bool }
pub const CONFIG: Item<Config> = Item::new("config");
pub const VOTES: Map<u64, Vote> = Map::new("votes");
pub enum ExecuteMsg { Open { id: u64, until: u64 }, Close { id: u64 } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Open { id, until } => {
            if info.sender != CONFIG.load(deps.storage)?.dao {
                return Err(StdError::generic_err("unauthorized"));
            }
            VOTES.save(deps.storage, id, &Vote { until, open: true })?;
            Ok(Response::new())
        }
        ExecuteMsg::Close { id } => {
            let mut vote = VOTES.load(deps.storage, id)?;
            if env.block.height < vote.until {
                return Err(StdError::generic_err("open"));
            }
            vote.open = false;
            VOTES.save(deps.storage, id, &vote)?;
            Ok(Response::new())
        }
    }
}
`,
    ],
  },
  check: (program, report) => {
    const once = reportOnce(report)
    for (const crate of program.crates) {
      const unreturned = new Set(unreturnedErrors(crate).map(({ definition }) => definition))
      const [authorities, privileged, config] = [authorityPlaces(crate), privilegedPlaces(crate), configured(crate)]
      const byContainer = new Map<Term, Array<Effect>>()
      for (const entry of crate.entryPoints)
        if (entry.kind === "execute" || entry.kind === "instantiate")
          for (const handler of entry.handlers)
            for (const effect of effectsOf(entry, handler)) {
              if (entry.kind === "instantiate" && effect.key !== undefined) continue
              const known = byContainer.get(effect.container)
              if (known === undefined) byContainer.set(effect.container, [effect])
              else known.push(effect)
            }
      for (const effects of byContainer.values()) {
        const open = new Set<Handler>()
        for (const effect of effects) if (!isGuarded(effect)) open.add(effect.handler)
        // One message among others, each of which asks.
        if (open.size !== 1 || new Set(effects.map(({ handler }) => handler)).size < 2) continue
        for (const effect of effects) {
          const { entry, handler } = effect
          if (!open.has(handler) || isGuarded(effect) || isReceiveHook(handler)) continue
          if (handler.events.some((one) => unreturned.has(one.function) || isLostCheck(entry, one))) continue
          if (!isBlind(effect) || !isChosen(effect)) continue
          // What it opens to everybody is told as such.
          if (openPowerOf(entry, handler, authorities, privileged, config) !== undefined) break
          once(ownSite(effect, effects))
          break
        }
      }
    }
  },
}
