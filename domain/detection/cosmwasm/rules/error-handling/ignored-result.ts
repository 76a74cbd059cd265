import type { Rule } from "../../../Rule.ts"
import type { FunctionDefinition } from "../../../rust/crate/crate.ts"
import { isNamed, isOutcome, successType } from "../../../rust/crate/types.ts"
import type { ExitEvent, Frame } from "../../../rust/terms/events.ts"
import type { Term } from "../../../rust/terms/terms.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import { isLibraryCheck, isResultIgnored } from "../../questions/libraryChecks.ts"
import type { CosmWasmProgram } from "../../program/model.ts"
import { isPlainWrite } from "../../questions/storageWrites.ts"

export const ignoredResult: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/error-handling/ignored-result",
    class: "ignored-result",
    title: "Result of a check or write is discarded",
    severity: "high",
    confidence: "high",
    cwe: [252],
    description:
      "A function that returns a `Result` is called and its result is discarded, as a bare statement, with `let " +
      "_ =`, or with `.ok()`. If it is a check, it checks nothing: an attacker who fails it continues as if it " +
      "had passed. If it is a write, the contract continues as if it had succeeded.",
    remediation:
      "Propagate the error with `?`. If an error should really be ignored, match it and explain why in a comment.",
    references: [
      "https://doc.rust-lang.org/std/result/index.html#results-must-be-used",
      "https://rust-lang.github.io/rust-clippy/master/index.html#let_underscore_must_use",
    ],
  },
  check: (program, report) => {
    const acting = new Set<FunctionDefinition>()
    const refusing = new Set<FunctionDefinition>()
    for (const event of program.events()) {
      if (event.kind === "assign")
        for (let frame: Frame | undefined = event.scope.frame; frame !== undefined; frame = frame.parent)
          acting.add(frame.function)
      if (event.kind === "exit" && event.success && !isOfClosure(event) && !isYes(event.value.term))
        refusing.add(event.function)
    }
    for (const event of program.events()) {
      if (event.kind !== "call" || event.dropped === undefined || infallible.test(event.name)) continue
      const { type } = event.result
      const isAnswer = isNamed(successType(type), "bool") && isResultIgnored(event)
      // Whether a function did something often does not matter, and one that never returns false fails instead.
      if (isAnswer && event.target !== undefined && (acting.has(event.target) || !refusing.has(event.target))) continue
      if (!isAnswer && event.handled === true) continue
      if (!isAnswer && !isOutcome(type) && !isLibraryCheck(event)) continue
      // A dropped `Option`, such as the result of `insert` and `pop`, is not an ignored check.
      if (type.kind === "named" && type.name === "Option") continue
      if (isPlainWrite(event)) continue
      report({
        ...placeOf(event),
        message: `The result of \`${event.name}\` is ignored.`,
      })
    }
  },
  examples: {
    vulnerable: [
      `use cosmwasm_std::{entry_point, Addr, Deps, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Item;

pub const OWNER: Item<Addr> = Item::new("owner");
pub const FEE: Item<u64> = Item::new("fee");
pub enum ExecuteMsg { SetFee { fee: u64 } }

fn only_owner(deps: Deps, sender: &Addr) -> StdResult<()> {
    if OWNER.load(deps.storage)? != *sender {
        return Err(StdError::generic_err("unauthorized"));
    }
    Ok(())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::SetFee { fee } => {
            let _ = only_owner(deps.as_ref(), &info.sender); // FINDING
            FEE.save(deps.storage, &fee)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, DepsMut, Env, MessageInfo, Response, StdResult};
use cw_utils::nonpayable;

pub enum ExecuteMsg { Register { name: String } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Register { name } => {
            nonpayable(&info).ok(); // FINDING
            deps.api.addr_validate(&name); // FINDING
            Ok(Response::new().add_attribute("name", name))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, Deps, DepsMut, Env, MessageInfo, Response, StdResult, Storage};
use cw_controllers::Admin;
use cw_storage_plus::Map;

pub const ADMIN: Admin = Admin::new("admin");
pub const COUNCIL: Map<&Addr, bool> = Map::new("council");
pub enum ExecuteMsg { Add { who: String }, Drop { who: String }, Clear {} }

fn on_council(storage: &dyn Storage, who: &Addr) -> StdResult<bool> {
    Ok(COUNCIL.may_load(storage, who)?.unwrap_or(false))
}

fn is_known(storage: &dyn Storage, who: &Addr) -> bool {
    COUNCIL.has(storage, who)
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Add { who } => {
            on_council(deps.storage, &info.sender)?; // FINDING
            COUNCIL.save(deps.storage, &deps.api.addr_validate(&who)?, &true)?;
        }
        ExecuteMsg::Drop { who } => {
            ADMIN.is_admin(deps.as_ref(), &info.sender)?; // FINDING
            COUNCIL.remove(deps.storage, &deps.api.addr_validate(&who)?);
        }
        ExecuteMsg::Clear {} => {
            is_known(deps.storage, &info.sender); // FINDING
            COUNCIL.clear(deps.storage);
        }
    }
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Storage};
use cw_controllers::Admin;
use cw_storage_plus::{Item, Map};

pub const ADMIN: Admin = Admin::new("admin");
pub const CREDITS: Map<&Addr, u64> = Map::new("credits");
pub const BANNED: Map<&Addr, bool> = Map::new("banned");
pub const FEE: Item<u64> = Item::new("fee");
pub enum ExecuteMsg { SetFee { fee: u64 } }

fn charge(storage: &mut dyn Storage, who: &Addr) -> StdResult<()> {
    let left = CREDITS.load(storage, who)?.checked_sub(1).ok_or(StdError::generic_err("no credit"))?;
    CREDITS.save(storage, who, &left)
}

fn is_welcome(storage: &dyn Storage, who: &Addr) -> StdResult<bool> {
    if BANNED.has(storage, who) {
        return Ok(false);
    }
    Ok(true)
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::SetFee { fee } => {
            is_welcome(deps.storage, &info.sender)?; // FINDING
            let _ = charge(deps.storage, &info.sender); // FINDING
            ADMIN.assert_admin(deps.as_ref(), &info.sender).ok(); // FINDING
            let _ = cw_ownable::assert_owner(deps.storage, &info.sender); // FINDING
            cw2::assert_contract_version(deps.storage, "crates.io:fees", "1.2.0"); // FINDING
            FEE.save(deps.storage, &fee)?;
            Ok(Response::new())
        }
    }
}
`,
    ],
    safe: [
      `use cosmwasm_std::{entry_point, Addr, Deps, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Item;

pub const OWNER: Item<Addr> = Item::new("owner");
pub const FEE: Item<u64> = Item::new("fee");
pub enum ExecuteMsg { SetFee { fee: u64 } }

fn only_owner(deps: Deps, sender: &Addr) -> StdResult<()> {
    if OWNER.load(deps.storage)? != *sender {
        return Err(StdError::generic_err("unauthorized"));
    }
    Ok(())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::SetFee { fee } => {
            only_owner(deps.as_ref(), &info.sender)?;
            FEE.save(deps.storage, &fee)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, DepsMut, Env, MessageInfo, Response, StdError, StdResult};

pub enum ExecuteMsg { Open {} }

#[cfg(feature = "open")]
fn open(info: &MessageInfo) -> StdResult<Response> {
    cw_utils::nonpayable(info).map_err(|_| StdError::generic_err("coins"))?;
    Ok(Response::new())
}

#[entry_point]
pub fn execute(_deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Open {} => {
            #[cfg(feature = "open")]
            {
                open(&info)
            }
            #[cfg(not(feature = "open"))]
            {
                Err(StdError::generic_err("closed"))
            }
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Map;
use std::fmt::Write;

pub const NAMES: Map<&str, String> = Map::new("names");
pub enum ExecuteMsg { Register { name: String } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Register { name } => {
            if deps.api.addr_validate(&name).is_ok() {
                return Err(StdError::generic_err("names only"));
            }
            NAMES.remove(deps.storage, info.sender.as_str());
            let mut text = String::new();
            let _ = write!(text, "{name}");
            NAMES.save(deps.storage, info.sender.as_str(), &text).map(|_| Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Storage};
use cw_storage_plus::Map;

pub const SEEN: Map<&Addr, bool> = Map::new("seen");
pub enum ExecuteMsg { See {}, Know {}, Open {} }

/// Whether this is the first time.
fn see(storage: &mut dyn Storage, who: &Addr) -> StdResult<bool> {
    let is_new = !SEEN.has(storage, who);
    SEEN.save(storage, who, &true)?;
    Ok(is_new)
}

fn is_known(storage: &dyn Storage, who: &Addr) -> StdResult<bool> {
    Ok(SEEN.may_load(storage, who)?.unwrap_or(false))
}

fn can_open(storage: &dyn Storage, who: &Addr) -> StdResult<bool> {
    if SEEN.has(storage, who) {
        return Err(StdError::generic_err("known"));
    }
    if !who.as_str().chars().all(|c| c.is_alphanumeric()) {
        return Err(StdError::generic_err("name"));
    }
    Ok(true)
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Open {} => {
            can_open(deps.storage, &info.sender)?;
        }
        ExecuteMsg::See {} => {
            see(deps.storage, &info.sender)?;
        }
        ExecuteMsg::Know {} => {
            if !is_known(deps.storage, &info.sender)? {
                return Err(StdError::generic_err("unknown"));
            }
        }
    }
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdResult, Storage};
use cw_storage_plus::Map;

pub const SEEN: Map<&Addr, u64> = Map::new("seen");
pub struct Line { pub text: String }
pub enum ExecuteMsg { See { text: String } }

impl Line {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.text.push_str(text);
        Ok(())
    }
}

fn last_seen(storage: &dyn Storage, who: &Addr) -> StdResult<u64> {
    Ok(SEEN.may_load(storage, who)?.unwrap_or(0))
}

fn first_of(text: &str) -> Option<char> {
    text.chars().next()
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::See { text } => {
            let mut line = Line { text: String::new() };
            let _ = line.write_str(&text);
            // That it parses is all that matters.
            last_seen(deps.storage, &info.sender)?;
            let _ = first_of(&text);
            SEEN.save(deps.storage, &info.sender, &env.block.height)?;
            Ok(Response::new().add_attribute("line", line.text))
        }
    }
}
`,
    ],
  },
}

/** What a closure returns is not what the function around it returns. */
const isOfClosure = ({ scope: { frame } }: ExitEvent): boolean => frame.parent !== undefined && frame.call === undefined

const isYes = (term: Term): boolean => term.kind === "literal" && term.value === "true"

/** Formatting into a string cannot fail, and neither can a log. */
const infallible = /^(write!?|writeln!?|write_str|write_fmt|(log|error|warn|info|debug|trace)!)$/
