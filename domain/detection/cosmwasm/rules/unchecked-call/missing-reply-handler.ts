import type { Rule } from "../../../Rule.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import type { CosmWasmProgram } from "../../program/model.ts"
import { replyRequests } from "../../questions/replies.ts"

export const missingReplyHandler: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/unchecked-call/missing-reply-handler",
    class: "missing-reply-handler",
    title: "Reply requested without a reply entry point",
    severity: "medium",
    confidence: "high",
    cwe: [754],
    description:
      "The submessage requests a reply, but the contract does not export `reply`. When the reply is due, the " +
      "chain finds no entry point and the whole transaction fails: the message can never succeed or, with " +
      "`reply_on_error`, fails exactly when an error should be handled, so the funds behind it stay locked.",
    remediation:
      "Add a `reply` entry point that matches on the id, or send the message with `add_message` or " +
      "`SubMsg::new` if the outcome does not matter.",
    references: [
      "https://docs.cosmwasm.com/core/entrypoints/reply",
      "https://docs.rs/cosmwasm-std/latest/cosmwasm_std/struct.SubMsg.html",
    ],
  },
  check: (program, report) => {
    for (const { entryPoints } of program.crates) {
      if (entryPoints.some(({ kind }) => kind === "reply")) continue
      for (const { event } of replyRequests(entryPoints)) report(placeOf(event))
    }
  },
  examples: {
    vulnerable: [
      `use cosmwasm_std::{coins, entry_point, BankMsg, DepsMut, Env, MessageInfo, Response, StdResult, SubMsg};

pub enum ExecuteMsg { Refund {} }

#[entry_point]
pub fn execute(_deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Refund {} => {
            let pay = BankMsg::Send { to_address: info.sender.to_string(), amount: coins(1, "uatom") };
            Ok(Response::new().add_submessage(SubMsg::reply_on_error(pay, 1))) // FINDING
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Binary, DepsMut, Env, MessageInfo, ReplyOn, Response, StdResult, SubMsg, WasmMsg};

pub struct InstantiateMsg { pub code_id: u64, pub init: Binary }

#[entry_point]
pub fn instantiate(_deps: DepsMut, _env: Env, _info: MessageInfo, msg: InstantiateMsg) -> StdResult<Response> {
    let create = WasmMsg::Instantiate { admin: None, code_id: msg.code_id, msg: msg.init, funds: vec![], label: "token".to_string() };
    let sub = SubMsg { id: 7, msg: create.into(), gas_limit: None, reply_on: ReplyOn::Success, payload: Binary::default() }; // FINDING
    Ok(Response::new().add_submessage(sub))
}
`,
    ],
    safe: [
      `use cosmwasm_std::{coins, entry_point, BankMsg, DepsMut, Env, MessageInfo, Reply, Response, StdError, StdResult, SubMsg};

pub enum ExecuteMsg { Refund {} }

#[entry_point]
pub fn execute(_deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Refund {} => {
            let pay = BankMsg::Send { to_address: info.sender.to_string(), amount: coins(1, "uatom") };
            Ok(Response::new().add_submessage(SubMsg::reply_on_success(pay, 1)))
        }
    }
}

#[entry_point]
pub fn reply(_deps: DepsMut, _env: Env, msg: Reply) -> StdResult<Response> {
    match msg.id {
        1 => Ok(Response::new().add_attribute("refund", "done")),
        _ => Err(StdError::generic_err("unknown reply")),
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, BankMsg, DepsMut, Env, MessageInfo, Response, StdResult, SubMsg};

pub enum ExecuteMsg { Refund {} }

#[entry_point]
pub fn execute(_deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Refund {} => {
            let pay = BankMsg::Send { to_address: info.sender.to_string(), amount: coins(1, "uatom") };
            Ok(Response::new().add_submessage(SubMsg::new(pay)))
        }
    }
}
`,
    ],
  },
}
