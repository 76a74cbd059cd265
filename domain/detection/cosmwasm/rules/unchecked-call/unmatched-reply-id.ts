import type { Rule } from "../../../Rule.ts"
import type { Event } from "../../../rust/terms/events.ts"
import type { Term } from "../../../rust/terms/terms.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import type { CosmWasmProgram, EntryPoint } from "../../program/model.ts"
import { outgoingMessages } from "../../questions/questions.ts"
import { idKey, idValue, isOfReply, replyRequests, unknownRequests } from "../../questions/replies.ts"
import { eventsTouch } from "../../questions/touches.ts"

export const unmatchedReplyId: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/unchecked-call/unmatched-reply-id",
    class: "unprotected-reply",
    title: "Reply handler ignores the submessage id",
    severity: "medium",
    confidence: "high",
    cwe: [841],
    description:
      "`reply` treats every reply alike and never compares `msg.id` with the submessage that it expects. As " +
      "soon as the contract sends a second kind of submessage, or forwards one that a user supplied, its reply " +
      "runs this code too: storage is written as if the expected call had succeeded.",
    remediation: "Match on `msg.id` with a constant for each kind of submessage, and return an error for unknown ids.",
    references: [
      "https://docs.cosmwasm.com/core/entrypoints/reply",
      "https://docs.rs/cosmwasm-std/latest/cosmwasm_std/struct.Reply.html",
    ],
  },
  check: (program, report) => {
    for (const { entryPoints } of program.crates) {
      for (const { event } of unknownRequests(program.terms, entryPoints))
        report({
          ...placeOf(event),
          message: "No branch of `reply` handles this id.",
        })
      for (const reply of entryPoints) {
        if (reply.kind !== "reply") continue
        const { events } = reply
        if (!events.some(({ kind }) => kind === "assign") && outgoingMessages(events).length === 0) continue
        const isId = isOfReply(program.terms, reply, "id")
        const { function: definition } = reply
        if (eventsTouch(events, isId)) {
          // Ids that are computed, such as the number of a record, have no branch each.
          const rest = replyRequests(entryPoints).some(({ id }) => id !== undefined && idValue(id) === undefined)
            ? undefined
            : actionOnOthers(events, isId)
          if (rest !== undefined)
            report({
              ...placeOf(rest),
              message: "This runs for every id that no other branch matches.",
            })
          continue
        }
        report({
          file: definition.module.file,
          span: definition.item.nameSpan,
          scope: definition.qualifiedName,
          // So far, there is nothing to confuse.
          ...(hasOneId(entryPoints) ? { severity: "low" as const } : {}),
        })
      }
    }
  },
  examples: {
    vulnerable: [
      `use cosmwasm_std::{entry_point, DepsMut, Env, Reply, Response, StdResult};
use cw_storage_plus::Item;

pub const READY: Item<bool> = Item::new("ready");

#[entry_point]
pub fn reply(deps: DepsMut, _env: Env, _msg: Reply) -> StdResult<Response> { // FINDING
    READY.save(deps.storage, &true)?;
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{coins, entry_point, BankMsg, DepsMut, Env, Reply, Response, StdError, StdResult};
use cw_storage_plus::Item;

pub const RECIPIENT: Item<String> = Item::new("recipient");

#[entry_point]
pub fn reply(deps: DepsMut, _env: Env, msg: Reply) -> StdResult<Response> { // FINDING
    msg.result.into_result().map_err(StdError::generic_err)?;
    let to_address = RECIPIENT.load(deps.storage)?;
    Ok(Response::new().add_message(BankMsg::Send { to_address, amount: coins(1, "uatom") }))
}
`,
      `use cosmwasm_std::{entry_point, DepsMut, Env, Reply, Response, StdResult};
use cw_storage_plus::Item;

pub const STEP: Item<u8> = Item::new("step");

#[entry_point]
pub fn reply(deps: DepsMut, _env: Env, msg: Reply) -> StdResult<Response> {
    match msg.id {
        1 => STEP.save(deps.storage, &1)?,
        2 => STEP.save(deps.storage, &2)?,
        _ => STEP.save(deps.storage, &9)?, // FINDING
    }
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{coins, entry_point, BankMsg, DepsMut, Env, MessageInfo, Reply, Response, StdError, StdResult, SubMsg};
use cw_storage_plus::Item;

pub const PAID: Item<u64> = Item::new("paid");
pub enum ExecuteMsg { Pay { to: String }, Twice { to: String }, Other { to: String, id: u64 }, Third { to: String } }
const ONCE: u64 = 1;
const TWICE: u64 = 0x02;

#[entry_point]
pub fn execute(_deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Pay { to } => {
            let pay = BankMsg::Send { to_address: to, amount: coins(1, "uatom") };
            Ok(Response::new().add_submessage(SubMsg::reply_on_success(pay, 3))) // FINDING
        }
        ExecuteMsg::Twice { to } => {
            let pay = BankMsg::Send { to_address: to, amount: coins(2, "uatom") };
            Ok(Response::new().add_submessage(SubMsg::reply_on_success(pay, 2)))
        }
        ExecuteMsg::Other { to, id } => {
            let pay = BankMsg::Send { to_address: to, amount: coins(2, "uatom") };
            Ok(Response::new().add_submessage(SubMsg::reply_on_success(pay, id)))
        }
        ExecuteMsg::Third { to } => {
            let pay = BankMsg::Send { to_address: to, amount: coins(2, "uatom") };
            Ok(Response::new().add_submessage(SubMsg::reply_on_success(pay, 1_0u64)))
        }
    }
}

#[entry_point]
pub fn reply(deps: DepsMut, _env: Env, msg: Reply) -> StdResult<Response> {
    if msg.id == ONCE || msg.id == 10 {
        PAID.save(deps.storage, &1)?;
    } else if msg.id == TWICE as u64 {
        PAID.save(deps.storage, &2)?;
    } else {
        return Err(StdError::generic_err("unknown reply"));
    }
    Ok(Response::new())
}
`,
      // The constants are named before the id.
      `use cosmwasm_std::{entry_point, DepsMut, Env, Reply, Response, StdResult};
use cw_storage_plus::Item;

pub const STEP: Item<u8> = Item::new("step");
const FIRST: u64 = 1;
const SECOND: u64 = 2;

#[entry_point]
pub fn reply(deps: DepsMut, _env: Env, msg: Reply) -> StdResult<Response> {
    let (first, second) = (FIRST, SECOND);
    if first == msg.id {
        STEP.save(deps.storage, &1)?;
        return Ok(Response::new());
    }
    if second == msg.id {
        STEP.save(deps.storage, &2)?;
        return Ok(Response::new());
    }
    STEP.save(deps.storage, &9)?; // FINDING
    Ok(Response::new())
}`,
    ],
    safe: [
      `use cosmwasm_std::{entry_point, DepsMut, Env, Reply, Response, StdError, StdResult};
use cw_storage_plus::Item;

pub const READY: Item<bool> = Item::new("ready");
const START: u64 = 1;

#[entry_point]
pub fn reply(deps: DepsMut, _env: Env, msg: Reply) -> StdResult<Response> {
    match msg.id {
        START => {
            READY.save(deps.storage, &true)?;
            Ok(Response::new())
        }
        _ => Err(StdError::generic_err("unknown reply")),
    }
}
`,
      `use cosmwasm_std::{entry_point, DepsMut, Env, Reply, Response, StdResult};
use cw_storage_plus::Map;

pub const PENDING: Map<u64, String> = Map::new("pending");
pub const DONE: Map<&str, bool> = Map::new("done");

#[entry_point]
pub fn reply(deps: DepsMut, _env: Env, msg: Reply) -> StdResult<Response> {
    let name = PENDING.load(deps.storage, msg.id)?;
    PENDING.remove(deps.storage, msg.id);
    DONE.save(deps.storage, &name, &true)?;
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, DepsMut, Env, Reply, Response, StdError, StdResult, SubMsgResponse, SubMsgResult};
use cw_storage_plus::Item;

const CREATE: u64 = 7;
pub const DONE: Item<bool> = Item::new("done");

#[entry_point]
pub fn reply(deps: DepsMut, _env: Env, msg: Reply) -> StdResult<Response> {
    match msg {
        Reply { id: CREATE, result: SubMsgResult::Ok(SubMsgResponse { data: Some(_), .. }), .. } => {
            DONE.save(deps.storage, &true)?;
            Ok(Response::new())
        }
        _ => Err(StdError::generic_err("unknown reply")),
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, BankMsg, DepsMut, Env, MessageInfo, Reply, Response, StdError, StdResult, SubMsg};
use cw_storage_plus::{Item, Map};

pub const PAID: Item<u64> = Item::new("paid");
pub const PENDING: Map<u64, u64> = Map::new("pending");
pub struct ExecuteMsg { pub to: String }
const FIRST: u64 = 1;

#[entry_point]
pub fn execute(_deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let pay = BankMsg::Send { to_address: msg.to, amount: coins(1, "uatom") };
    Ok(Response::new().add_submessage(SubMsg::reply_on_success(pay, 7)))
}

#[entry_point]
pub fn reply(deps: DepsMut, _env: Env, msg: Reply) -> StdResult<Response> {
    if msg.id == FIRST {
        PAID.save(deps.storage, &1)?;
        return Ok(Response::new());
    }
    let known = PENDING.load(deps.storage, msg.id)?;
    PAID.save(deps.storage, &known)?;
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{coins, entry_point, BankMsg, DepsMut, Env, MessageInfo, Reply, Response, StdError, StdResult, SubMsg};
use cw_storage_plus::Item;

pub const PAID: Item<u64> = Item::new("paid");
pub struct ExecuteMsg { pub to: String }
const PAGE: u64 = 100;

#[entry_point]
pub fn execute(_deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let pay = BankMsg::Send { to_address: msg.to, amount: coins(1, "uatom") };
    Ok(Response::new().add_submessage(SubMsg::reply_on_success(pay, 7)))
}

#[entry_point]
pub fn reply(deps: DepsMut, _env: Env, msg: Reply) -> StdResult<Response> {
    if msg.id == PAGE {
        PAID.save(deps.storage, &PAGE)?;
        return Ok(Response::new());
    }
    if msg.id < PAGE {
        PAID.save(deps.storage, &msg.id)?;
        return Ok(Response::new());
    }
    Err(StdError::generic_err("unknown reply"))
}
`,
      // One id has a branch of its own; that the goal is not reached is about no id.
      `use cosmwasm_std::{entry_point, DepsMut, Env, Reply, Response, StdResult};
use cw_storage_plus::Item;

pub const STEP: Item<u64> = Item::new("step");
pub const GOAL: Item<u64> = Item::new("goal");
const PAY: u64 = 1;

#[entry_point]
pub fn reply(deps: DepsMut, _env: Env, msg: Reply) -> StdResult<Response> {
    if msg.id == PAY {
        return Ok(Response::new());
    }
    let step = STEP.load(deps.storage)?;
    let goal = GOAL.load(deps.storage)?;
    if step != goal {
        STEP.save(deps.storage, &(step + 1))?;
    }
    Ok(Response::new())
}`,
      `use cosmwasm_std::{entry_point, BankMsg, DepsMut, Env, MessageInfo, Reply, Response, StdResult, SubMsg};
use cw_storage_plus::Map;

const PAY: u64 = 0;
const BURN: u64 = 1;
pub const DONE: Map<u64, bool> = Map::new("done");
pub enum ExecuteMsg { Run { job: u64, message: BankMsg } }

#[entry_point]
pub fn execute(_deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let ExecuteMsg::Run { job, message } = msg;
    Ok(Response::new().add_submessage(SubMsg::reply_always(message, job)))
}

#[entry_point]
pub fn reply(deps: DepsMut, _env: Env, msg: Reply) -> StdResult<Response> {
    match msg.id {
        PAY => Ok(Response::new()),
        BURN => Ok(Response::new().add_attribute("burnt", "")),
        // The number of a job.
        job => {
            DONE.save(deps.storage, job, &true)?;
            Ok(Response::new())
        }
    }
}
`,
    ],
  },
}

/** Whether all submessages whose replies are requested have one and the same id. */
const hasOneId = (entryPoints: ReadonlyArray<EntryPoint>): boolean => {
  const ids = replyRequests(entryPoints).map(({ id }) => (id === undefined ? undefined : idKey(id)))
  return ids[0] !== undefined && ids.every((one) => one === ids[0])
}

/** What is done for whichever id is left over, where two or more ids have branches of their own. */
const actionOnOthers = (events: ReadonlyArray<Event>, isId: (term: Term) => boolean): Event | undefined =>
  events.find((event) => {
    if (event.kind !== "assign") return false
    const asked = [...event.facts].flatMap((fact) =>
      fact.kind === "binary" && (isId(fact.left) || isId(fact.right)) ? [fact.operator] : [],
    )
    return asked.filter((operator) => operator === "!=").length >= 2 && !asked.includes("==")
  })
