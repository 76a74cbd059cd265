import type { Rule } from "../../../Rule.ts"
import type { Event, WalkScope } from "../../../rust/terms/events.ts"
import { indexBy } from "../../../indexBy.ts"
import { toldBy } from "../../../rust/terms/facts.ts"
import type { Term } from "../../../rust/terms/terms.ts"
import type { CosmWasmProgram, EntryPoint } from "../../program/model.ts"
import { idKey, isOfReply, replyRequests } from "../../questions/replies.ts"
import { eventsTouch } from "../../questions/touches.ts"

interface Part {
  readonly events: ReadonlyArray<Event>
  readonly arm: WalkScope["arm"]
  readonly frame: WalkScope["frame"] | undefined
}

export const swallowedReplyError: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/error-handling/swallowed-reply-error",
    class: "reply-error-swallowed",
    title: "Reply continues after a failed submessage",
    severity: "high",
    confidence: "high",
    cwe: [390, 252],
    description:
      "The submessage also requests a reply on errors, but the reply handler never inspects `msg.result`. If a " +
      "submessage fails, only the submessage is rolled back; because the reply succeeds, everything else is " +
      "committed. An attacker makes the payment or transfer fail, for example with a contract that rejects it, " +
      "and keeps what was given in return.",
    remediation:
      "Use `SubMsg::reply_on_success` if a failure must undo everything. Otherwise, inspect the result with " +
      "`msg.result.into_result()` or a match on `SubMsgResult::Err`, and undo in storage what the failed " +
      "message was supposed to pay for.",
    references: [
      "https://docs.cosmwasm.com/core/entrypoints/reply",
      "https://github.com/oak-security/cosmwasm-ctf",
      "https://docs.rs/cosmwasm-std/latest/cosmwasm_std/enum.ReplyOn.html",
    ],
  },
  check: (program, report) => {
    for (const { entryPoints } of program.crates) {
      const requests = replyRequests(entryPoints).filter(({ on }) => on !== "success")
      for (const reply of entryPoints) {
        if (reply.kind !== "reply") continue
        const isId = isOfReply(program.terms, reply, "id")
        const isResult = isOfReply(program.terms, reply, "result")
        const partFor = partsOf(reply, isId)
        for (const { event, id, on } of requests) {
          const { events, arm, frame } = partFor(id)
          // A function that turns the id into a name says nothing about what is done for it.
          if (frame !== undefined && frame.function !== reply.function && events.every(({ kind }) => kind === "exit"))
            continue
          // A foreign function that receives the whole reply, such as `parse_reply_instantiate_data`, fails on an
          // error.
          const isHandedOn = events.some(
            (one) =>
              one.kind === "call" && one.target === undefined && one.args.some(({ term }) => term === reply.message),
          )
          if (isHandedOn || eventsTouch(events, isResult)) continue
          const trace = [{ file: event.file, span: event.node, note: "The reply on error is requested here." }]
          const { function: definition } = reply
          report({
            ...(arm === undefined || frame === undefined
              ? { file: definition.module.file, span: definition.item.nameSpan, scope: definition.qualifiedName }
              : { file: frame.function.module.file, span: arm.node, scope: frame.function.qualifiedName }),
            trace,
            // A contract that requests replies only for errors intends to continue without the submessage.
            ...(on === "error" ? { severity: "low" as const, confidence: "low" as const } : {}),
          })
        }
      }
    }
  },
  examples: {
    vulnerable: [
      `use cosmwasm_std::{coins, entry_point, BankMsg, DepsMut, Env, MessageInfo, Reply, Response, StdError, StdResult, SubMsg};
use cw_storage_plus::Item;

pub const SOLD: Item<bool> = Item::new("sold");
pub enum ExecuteMsg { Buy { seller: String } }
const PAID: u64 = 1;

#[entry_point]
pub fn execute(_deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Buy { seller } => {
            let pay = BankMsg::Send { to_address: seller, amount: coins(10, "uatom") };
            Ok(Response::new().add_submessage(SubMsg::reply_always(pay, PAID)))
        }
    }
}

#[entry_point]
pub fn reply(deps: DepsMut, _env: Env, msg: Reply) -> StdResult<Response> {
    match msg.id {
        PAID => { // FINDING
            SOLD.save(deps.storage, &true)?;
            Ok(Response::new())
        }
        _ => Err(StdError::generic_err("unknown reply")),
    }
}
`,
      `use cosmwasm_std::{entry_point, Binary, DepsMut, Env, MessageInfo, Reply, ReplyOn, Response, StdResult, SubMsg, WasmMsg};

pub enum ExecuteMsg { Call { msg: Binary } }

#[entry_point]
pub fn execute(_deps: DepsMut, env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Call { msg } => {
            let call = WasmMsg::Execute { contract_addr: env.contract.address.to_string(), msg, funds: vec![] };
            let sub = SubMsg { id: 1, msg: call.into(), gas_limit: None, reply_on: ReplyOn::Error, payload: Binary::default() };
            Ok(Response::new().add_submessage(sub))
        }
    }
}

#[entry_point]
pub fn reply(_deps: DepsMut, _env: Env, msg: Reply) -> StdResult<Response> { // FINDING
    Ok(Response::new().add_attribute("id", msg.id.to_string()))
}
`,
      `use cosmwasm_std::{coins, entry_point, BankMsg, DepsMut, Env, MessageInfo, Reply, Response, StdError, StdResult, SubMsg, SubMsgResult};
use cw_storage_plus::Item;

pub const SOLD: Item<u64> = Item::new("sold");
pub enum ExecuteMsg { Buy { seller: String, id: u64 } }
const FOUR: u64 = 4;
const EIGHT: u64 = 4 + 4;
const NINE: u64 = 4 + 5;

fn pay() -> BankMsg {
    BankMsg::Send { to_address: "pool".into(), amount: coins(10, "uatom") }
}

#[entry_point]
pub fn execute(_deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let ExecuteMsg::Buy { seller, id } = msg;
    Ok(Response::new()
        .add_submessage(SubMsg::reply_always(pay(), 1))
        .add_submessage(SubMsg::reply_always(pay(), 2u8 as u64))
        .add_submessage(SubMsg::reply_always(pay(), FOUR))
        .add_submessage(SubMsg::reply_always(pay(), 5))
        .add_submessage(SubMsg::reply_always(pay(), 6))
        .add_submessage(SubMsg::reply_always(pay(), 7))
        .add_submessage(SubMsg::reply_always(pay(), EIGHT))
        .add_submessage(SubMsg::reply_on_success(pay(), 10)))
}

fn named(id: u64) -> &'static str {
    match id {
        7 => "seven",
        _ => "other",
    }
}

#[entry_point]
pub fn reply(deps: DepsMut, _env: Env, msg: Reply) -> StdResult<Response> {
    let name = named(msg.id);
    match msg.id {
        1 => { // FINDING
            SOLD.save(deps.storage, &1)?;
        }
        2 => { // FINDING
            SOLD.save(deps.storage, &2)?;
        }
        4 => { // FINDING
            SOLD.save(deps.storage, &4)?;
        }
        5 => {
            if msg.result.is_err() {
                return Err(StdError::generic_err("failed"));
            }
            SOLD.save(deps.storage, &5)?;
        }
        6 => match msg.result {
            SubMsgResult::Ok(_) => SOLD.save(deps.storage, &6)?,
            SubMsgResult::Err(_) => SOLD.save(deps.storage, &0)?,
        },
        EIGHT => { // FINDING
            SOLD.save(deps.storage, &8)?;
        }
        NINE => {
            SOLD.save(deps.storage, &9)?;
        }
        10 => {
            SOLD.save(deps.storage, &10)?;
        }
        _ => return Err(StdError::generic_err("unknown reply")),
    }
    Ok(Response::new().add_attribute("name", name))
}
`,
      `use cosmwasm_std::{coins, entry_point, BankMsg, DepsMut, Env, MessageInfo, Reply, Response, StdError, StdResult, SubMsg};
use cw_storage_plus::Item;

pub const SOLD: Item<u64> = Item::new("sold");
pub struct ExecuteMsg { pub seller: String }
const PAID: u64 = 0x1;
const OPENED: u64 = 2;

#[entry_point]
pub fn execute(_deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let pay = BankMsg::Send { to_address: msg.seller, amount: coins(10, "uatom") };
    Ok(Response::new().add_submessage(SubMsg::reply_always(pay, 2u64)))
}

#[entry_point]
pub fn reply(deps: DepsMut, _env: Env, msg: Reply) -> StdResult<Response> {
    match msg.id {
        PAID => SOLD.save(deps.storage, &1)?,
        OPENED => { // FINDING
            SOLD.save(deps.storage, &2)?;
        }
        _ => return Err(StdError::generic_err("unknown reply")),
    }
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{coins, entry_point, BankMsg, DepsMut, Env, MessageInfo, Reply, Response, StdError, StdResult, SubMsg};
use cw_storage_plus::Item;

pub const PAID: u64 = 3;
pub const DONE: Item<bool> = Item::new("done");
pub enum ExecuteMsg { Pay {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, _msg: ExecuteMsg) -> StdResult<Response> {
    DONE.save(deps.storage, &true)?;
    let pay = BankMsg::Send { to_address: info.sender.to_string(), amount: coins(1, "uatom") };
    Ok(Response::new().add_submessage(SubMsg::reply_always(pay, PAID)))
}

#[entry_point]
pub fn reply(_deps: DepsMut, _env: Env, msg: Reply) -> StdResult<Response> {
    let response = Response::new().add_attribute("step", "reply");
    match msg.id {
        PAID => Ok(response), // FINDING
        _ => Err(StdError::generic_err("unknown reply")),
    }
}
`,
    ],
    safe: [
      `use cosmwasm_std::{coins, Addr, BankMsg, Binary, Response, StdResult, SubMsg, SubMsgResult};
use cw_storage_plus::Item;
use sylvia::{contract, ctx::{ExecCtx, ReplyCtx}};

pub struct Payer { pub failed: Item<u64> }

#[contract]
impl Payer {
    #[sv::msg(exec)]
    fn pay(&self, ctx: ExecCtx, amount: u128) -> StdResult<Response> {
        let pay = BankMsg::Send { to_address: ctx.info.sender.to_string(), amount: coins(amount, "uatom") };
        Ok(Response::new().add_submessage(SubMsg::reply_always(pay, 1)))
    }

    #[sv::msg(reply)]
    fn reply(&self, ctx: ReplyCtx, outcome: SubMsgResult, _payload: Binary) -> StdResult<Response> {
        if let SubMsgResult::Err(_) = outcome {
            self.failed.update(ctx.deps.storage, |all| -> StdResult<_> { Ok(all + 1) })?;
        }
        Ok(Response::new())
    }
}
`,
      `use cosmwasm_std::{coins, BankMsg, Binary, Response, StdError, SubMsg, SubMsgResult};
use cw_storage_plus::Item;
use sylvia::ctx::{ExecCtx, ReplyCtx};

pub struct Rewards { pub paid: Item<u64> }

#[sylvia::contract]
impl Rewards {
    #[sv::msg(exec)]
    fn pay(&self, ctx: ExecCtx) -> Result<Response, StdError> {
        let send = BankMsg::Send { to_address: ctx.info.sender.to_string(), amount: coins(1, "uatom") };
        Ok(Response::new().add_submessage(SubMsg::reply_always(send, 1)))
    }

    #[sv::msg(reply)]
    fn reply(&self, ctx: ReplyCtx, result: SubMsgResult, _payload: Binary) -> Result<Response, StdError> {
        match result {
            SubMsgResult::Ok(_) => {
                self.paid.update(ctx.deps.storage, |paid| Ok::<_, StdError>(paid + 1))?;
                Ok(Response::new())
            }
            SubMsgResult::Err(error) => Ok(Response::new().add_attribute("error", error)),
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, BankMsg, DepsMut, Env, MessageInfo, Reply, Response, StdError, StdResult, SubMsg};
use cw_storage_plus::Item;

pub const SOLD: Item<bool> = Item::new("sold");
pub const OPEN: Item<bool> = Item::new("open");
pub enum ExecuteMsg { Buy { seller: String }, Open { seller: String } }
const PAID: u64 = 1;
const OPENED: u64 = 2;

#[entry_point]
pub fn execute(_deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Buy { seller } => {
            let pay = BankMsg::Send { to_address: seller, amount: coins(10, "uatom") };
            Ok(Response::new().add_submessage(SubMsg::reply_always(pay, PAID)))
        }
        ExecuteMsg::Open { seller } => {
            let pay = BankMsg::Send { to_address: seller, amount: coins(1, "uatom") };
            Ok(Response::new().add_submessage(SubMsg::reply_on_success(pay, OPENED)))
        }
    }
}

#[entry_point]
pub fn reply(deps: DepsMut, _env: Env, msg: Reply) -> StdResult<Response> {
    match msg.id {
        PAID => paid(deps, msg),
        OPENED => {
            OPEN.save(deps.storage, &true)?;
            Ok(Response::new())
        }
        _ => Err(StdError::generic_err("unknown reply")),
    }
}

fn paid(deps: DepsMut, msg: Reply) -> StdResult<Response> {
    if msg.result.is_ok() {
        SOLD.save(deps.storage, &true)?;
    }
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, Binary, DepsMut, Env, MessageInfo, Reply, Response, StdError, StdResult, SubMsg, SubMsgResult, WasmMsg};

pub enum ExecuteMsg { Call { msg: Binary } }

#[entry_point]
pub fn execute(_deps: DepsMut, env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Call { msg } => {
            let call = WasmMsg::Execute { contract_addr: env.contract.address.to_string(), msg, funds: vec![] };
            Ok(Response::new().add_submessage(SubMsg::reply_on_error(call, 1)))
        }
    }
}

#[entry_point]
pub fn reply(_deps: DepsMut, _env: Env, msg: Reply) -> StdResult<Response> {
    match msg.result {
        SubMsgResult::Ok(_) => Ok(Response::new()),
        SubMsgResult::Err(text) => Err(StdError::generic_err(text)),
    }
}
`,
      `use cosmwasm_std::{entry_point, BankMsg, DepsMut, Env, MessageInfo, Reply, Response, StdError, StdResult, SubMsg};

pub enum Step { Pay }

fn step_of(id: u64) -> StdResult<Step> {
    match id {
        4 => Ok(Step::Pay),
        _ => Err(StdError::generic_err("unknown reply")),
    }
}

#[entry_point]
pub fn execute(_deps: DepsMut, _env: Env, info: MessageInfo, _msg: u64) -> StdResult<Response> {
    let pay = BankMsg::Send { to_address: info.sender.to_string(), amount: info.funds };
    Ok(Response::new().add_submessage(SubMsg::reply_on_error(pay, 4)))
}

#[entry_point]
pub fn reply(_deps: DepsMut, _env: Env, msg: Reply) -> StdResult<Response> {
    match step_of(msg.id)? {
        Step::Pay => Err(StdError::generic_err(msg.result.unwrap_err())),
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, BankMsg, DepsMut, Env, MessageInfo, Reply, Response, StdError, StdResult, SubMsg};
use cw_storage_plus::Item;

pub const SOLD: Item<u64> = Item::new("sold");
pub struct ExecuteMsg { pub seller: String }
const PAID: u64 = 1;
const OPENED: u64 = 2;

#[entry_point]
pub fn execute(_deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let pay = BankMsg::Send { to_address: msg.seller, amount: coins(10, "uatom") };
    Ok(Response::new().add_submessage(SubMsg::reply_always(pay, 1)))
}

#[entry_point]
pub fn reply(deps: DepsMut, _env: Env, msg: Reply) -> StdResult<Response> {
    match msg.id {
        PAID => pay(deps, msg),
        OPENED => {
            SOLD.save(deps.storage, &2)?;
            Ok(Response::new())
        }
        _ => Err(StdError::generic_err("unknown reply")),
    }
}

fn pay(deps: DepsMut, msg: Reply) -> StdResult<Response> {
    if msg.result.is_ok() {
        SOLD.save(deps.storage, &1)?;
    }
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{coins, entry_point, BankMsg, DepsMut, Env, MessageInfo, Reply, Response, StdError, StdResult, SubMsg};
use cw_storage_plus::Item;

pub const STEP: Item<u64> = Item::new("step");
pub const ROUND: Item<u64> = Item::new("round");
pub const SEEN: Item<bool> = Item::new("seen");
pub enum ExecuteMsg { Pay {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, _msg: ExecuteMsg) -> StdResult<Response> {
    if STEP.load(deps.storage)? > 40 {
        return Err(StdError::generic_err("over"));
    }
    let pay = BankMsg::Send { to_address: info.sender.to_string(), amount: coins(1, "uatom") };
    Ok(Response::new().add_submessage(SubMsg::reply_always(pay, 7)))
}

// Numbers that are compared with seven need not be ids.
#[entry_point]
pub fn reply(deps: DepsMut, _env: Env, msg: Reply) -> StdResult<Response> {
    if STEP.load(deps.storage)? == 7 {
        SEEN.save(deps.storage, &true)?;
    }
    if ROUND.load(deps.storage)? == 7 {
        SEEN.save(deps.storage, &false)?;
    }
    if msg.result.is_err() {
        return Err(StdError::generic_err("unpaid"));
    }
    Ok(Response::new())
}
`,
    ],
  },
}

/** What `reply` does for one id: its arm or branch, or all of it if nothing distinguishes ids. */
const partsOf = (reply: EntryPoint, isId: (term: Term) => boolean): ((id: Term | undefined) => Part) => {
  const idsIn = toldBy((fact: Term): ReadonlyArray<string | Term> =>
    fact.kind === "binary" && fact.operator === "=="
      ? [...(isId(fact.left) ? [idKey(fact.right)] : []), ...(isId(fact.right) ? [idKey(fact.left)] : [])]
      : [],
  )
  const eventsOf = indexBy(reply.events, (event) => idsIn(event.facts))
  const whole: Part = { events: reply.events, arm: undefined, frame: undefined }
  return (id) => {
    const events = id === undefined ? undefined : eventsOf.get(idKey(id))
    if (events === undefined) return whole
    for (let one: WalkScope | undefined = events[0]!.scope; one !== undefined; one = one.parent)
      if (one.arm !== undefined && isId(one.arm.value)) return { events, arm: one.arm, frame: one.frame }
    return { events, arm: undefined, frame: undefined }
  }
}
