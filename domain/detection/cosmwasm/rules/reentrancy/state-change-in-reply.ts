import type { Rule } from "../../../Rule.ts"
import { mentions, type Term } from "../../../rust/terms/terms.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import type { CosmWasmProgram } from "../../program/model.ts"
import { tokensIn } from "../../questions/payments.ts"
import { outgoingMessages } from "../../questions/questions.ts"
import { replyRequests } from "../../questions/replies.ts"
import { storedPlace } from "../../program/semantics.ts"
import { storageWrites } from "../../questions/storageWrites.ts"

export const stateChangeInReply: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/reentrancy/state-change-in-reply",
    class: "cei-reentrancy",
    title: "State updated in reply, after the payment",
    severity: "high",
    confidence: "medium",
    cwe: [841],
    description:
      "The payment is computed from a stored record, but the record is changed only in `reply`, after the " +
      "submessage has run. A contract that receives the payment, or a token that calls its recipient, can call " +
      "back in between: the record still says that the payment is due, and it is paid again.",
    remediation:
      "Change the record before returning the submessage, and undo the change in `reply` if the submessage " +
      "failed; or reject calls while a payment is pending.",
    references: [
      "https://docs.cosmwasm.com/core/architecture/semantics",
      "https://docs.cosmwasm.com/core/entrypoints/reply",
    ],
  },
  check: (program, report) => {
    for (const { entryPoints } of program.crates) {
      const replied = new Set(
        entryPoints
          .filter(({ kind }) => kind === "reply")
          .flatMap(({ events }) => storageWrites(events))
          .map(({ container }) => container),
      )
      for (const { kind, handlers } of entryPoints) {
        if (kind !== "ibc_packet_ack" && kind !== "ibc_packet_timeout") continue
        for (const { events } of handlers) {
          const booked = new Set(storageWrites(events).map(({ container }) => container))
          for (const { path, fields, event } of outgoingMessages(events)) {
            if (path.startsWith("SubMsg::")) continue
            const open = [...fields.values()].some((one) => [...recordsIn(one)].some((record) => !booked.has(record)))
            if (open)
              report({
                ...placeOf(event),
                message:
                  "The record being paid out is unchanged while the receiver is called, before the packet completes.",
                confidence: "low",
              })
          }
        }
      }
      if (replied.size === 0) continue
      const requests = replyRequests(entryPoints).filter(({ on }) => on !== "error")
      for (const { kind, handlers } of entryPoints) {
        if (kind === "reply") continue
        for (const { events } of handlers) {
          const booked = new Set(storageWrites(events).map(({ container }) => container))
          const sent = new Set(outgoingMessages(events).map(({ event }) => event))
          for (const { event, message } of requests) {
            if (!sent.has(event) || message === undefined) continue
            const open = [...recordsIn(message)].some((one) => replied.has(one) && !booked.has(one))
            if (!open) continue
            // Without coins or tokens, whoever is called has nothing to gain but what it may do anyway.
            if (carriesValue(message)) report(placeOf(event))
            else
              report({
                ...placeOf(event),
                message: "The record that this request is computed from is changed only in `reply`, after the call.",
                severity: "low",
                confidence: "low",
              })
          }
        }
      }
    }
  },
  examples: {
    vulnerable: [
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, DepsMut, Env, MessageInfo, Reply, Response, StdResult, SubMsg, Uint128, WasmMsg};
use cw20::Cw20ExecuteMsg;
use cw_storage_plus::{Item, Map};

pub const TOKEN: Item<Addr> = Item::new("token");
pub const PENDING: Item<Addr> = Item::new("pending");
pub const DUE: Map<&Addr, Uint128> = Map::new("due");
pub enum ExecuteMsg { Claim {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Claim {} => {
            let amount = DUE.load(deps.storage, &info.sender)?;
            PENDING.save(deps.storage, &info.sender)?;
            let send = Cw20ExecuteMsg::Send { contract: info.sender.to_string(), amount, msg: to_json_binary(&())? };
            let call = WasmMsg::Execute { contract_addr: TOKEN.load(deps.storage)?.into(), msg: to_json_binary(&send)?, funds: vec![] };
            Ok(Response::new().add_submessage(SubMsg::reply_on_success(call, 1))) // FINDING
        }
    }
}

#[entry_point]
pub fn reply(deps: DepsMut, _env: Env, _msg: Reply) -> StdResult<Response> {
    let who = PENDING.load(deps.storage)?;
    DUE.remove(deps.storage, &who);
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Reply, Response, StdError, StdResult, SubMsg, Uint128};
use cw_storage_plus::{Item, Map};

pub const LAST: Item<Addr> = Item::new("last");
pub const BALANCES: Map<&Addr, Uint128> = Map::new("balances");
pub enum ExecuteMsg { Withdraw {} }
const PAID: u64 = 4;

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Withdraw {} => {
            let balance = BALANCES.load(deps.storage, &info.sender)?;
            LAST.save(deps.storage, &info.sender)?;
            let pay = BankMsg::Send { to_address: info.sender.to_string(), amount: coins(balance.u128(), "uatom") };
            Ok(Response::new().add_submessage(SubMsg::reply_always(pay, PAID))) // FINDING
        }
    }
}

#[entry_point]
pub fn reply(deps: DepsMut, _env: Env, msg: Reply) -> StdResult<Response> {
    match msg.id {
        PAID => {
            let who = LAST.load(deps.storage)?;
            BALANCES.save(deps.storage, &who, &Uint128::zero())?;
            Ok(Response::new())
        }
        _ => Err(StdError::generic_err("unknown reply")),
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, IbcBasicResponse, IbcPacketTimeoutMsg, StdResult};
use cw_storage_plus::Map;

pub struct Transfer { pub sender: Addr, pub amount: u128 }
pub const TRANSFERS: Map<u64, Transfer> = Map::new("transfers");

#[entry_point]
pub fn ibc_packet_timeout(deps: DepsMut, _env: Env, msg: IbcPacketTimeoutMsg) -> StdResult<IbcBasicResponse> {
    let transfer = TRANSFERS.load(deps.storage, msg.packet.sequence)?;
    let back = BankMsg::Send { to_address: transfer.sender.into(), amount: coins(transfer.amount, "uatom") }; // FINDING
    Ok(IbcBasicResponse::new().add_message(back))
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, IbcBasicResponse, IbcPacketTimeoutMsg, StdResult, SubMsg};
use cw_storage_plus::Map;

pub struct Transfer { pub sender: Addr, pub amount: u128 }
pub const TRANSFERS: Map<u64, Transfer> = Map::new("transfers");

#[entry_point]
pub fn ibc_packet_timeout(deps: DepsMut, _env: Env, msg: IbcPacketTimeoutMsg) -> StdResult<IbcBasicResponse> {
    let transfer = TRANSFERS.load(deps.storage, msg.packet.sequence)?;
    let back = BankMsg::Send { to_address: transfer.sender.into(), amount: coins(transfer.amount, "uatom") }; // FINDING
    Ok(IbcBasicResponse::new().add_submessage(
        SubMsg::reply_on_error(back, 7),
    ))
}`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, DepsMut, Env, MessageInfo, Reply, Response, StdResult, SubMsg, Uint128, WasmMsg};
use cw_storage_plus::{Item, Map};

pub struct Position { pub size: Uint128 }
pub const MARKET: Item<Addr> = Item::new("market");
pub const CURRENT: Item<Addr> = Item::new("current");
pub const POSITIONS: Map<&Addr, Position> = Map::new("positions");
pub enum MarketMsg { Close { size: Uint128 } }
pub enum ExecuteMsg { Close {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Close {} => {
            let position = POSITIONS.load(deps.storage, &info.sender)?;
            CURRENT.save(deps.storage, &info.sender)?;
            let call = WasmMsg::Execute {
                contract_addr: MARKET.load(deps.storage)?.into_string(),
                msg: to_json_binary(&MarketMsg::Close { size: position.size })?,
                funds: vec![],
            };
            Ok(Response::new().add_submessage(SubMsg::reply_on_success(call, 1))) // FINDING
        }
    }
}
#[entry_point]
pub fn reply(deps: DepsMut, _env: Env, _reply: Reply) -> StdResult<Response> {
    let who = CURRENT.load(deps.storage)?;
    POSITIONS.save(deps.storage, &who, &Position { size: Uint128::zero() })?;
    Ok(Response::new())
}
`,
    ],
    safe: [
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Reply, Response, StdResult, SubMsg, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Refund { pub who: Addr, pub amount: Uint128 }
pub const LAST: Item<Refund> = Item::new("last");
pub const BALANCES: Map<&Addr, Uint128> = Map::new("balances");
pub enum ExecuteMsg { Withdraw {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Withdraw {} => {
            let amount = BALANCES.load(deps.storage, &info.sender)?;
            BALANCES.remove(deps.storage, &info.sender);
            let pay = BankMsg::Send { to_address: info.sender.to_string(), amount: coins(amount.u128(), "uatom") };
            LAST.save(deps.storage, &Refund { who: info.sender, amount })?;
            Ok(Response::new().add_submessage(SubMsg::reply_on_error(pay, 1)))
        }
    }
}

#[entry_point]
pub fn reply(deps: DepsMut, _env: Env, _msg: Reply) -> StdResult<Response> {
    let last = LAST.load(deps.storage)?;
    BALANCES.save(deps.storage, &last.who, &last.amount)?;
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Reply, Response, StdResult, SubMsg, Uint128};
use cw_storage_plus::{Item, Map};

pub const PAYMENTS: Item<u64> = Item::new("payments");
pub const BALANCES: Map<&Addr, Uint128> = Map::new("balances");
pub enum ExecuteMsg { Withdraw {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Withdraw {} => {
            let amount = BALANCES.load(deps.storage, &info.sender)?;
            BALANCES.save(deps.storage, &info.sender, &Uint128::zero())?;
            let pay = BankMsg::Send { to_address: info.sender.to_string(), amount: coins(amount.u128(), "uatom") };
            Ok(Response::new().add_submessage(SubMsg::reply_on_success(pay, 1)))
        }
    }
}

#[entry_point]
pub fn reply(deps: DepsMut, _env: Env, _msg: Reply) -> StdResult<Response> {
    PAYMENTS.update(deps.storage, |count| -> StdResult<_> { Ok(count + 1) })?;
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, IbcBasicResponse, IbcPacketTimeoutMsg, StdResult};
use cw_storage_plus::Map;

pub struct Transfer { pub sender: Addr, pub amount: u128 }
pub const TRANSFERS: Map<u64, Transfer> = Map::new("transfers");

#[entry_point]
pub fn ibc_packet_timeout(deps: DepsMut, _env: Env, msg: IbcPacketTimeoutMsg) -> StdResult<IbcBasicResponse> {
    let transfer = TRANSFERS.load(deps.storage, msg.packet.sequence)?;
    TRANSFERS.remove(deps.storage, msg.packet.sequence);
    let back = BankMsg::Send { to_address: transfer.sender.into(), amount: coins(transfer.amount, "uatom") };
    Ok(IbcBasicResponse::new().add_message(back))
}
`,
      // A second message that sends nothing leaves the records alone.
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Reply, Response, StdResult, SubMsg, Uint128};
use cw_storage_plus::{Item, Map};

pub const LAST: Item<Addr> = Item::new("last");
pub const NOTES: Map<&Addr, String> = Map::new("notes");
pub const BALANCES: Map<&Addr, Uint128> = Map::new("balances");
pub enum ExecuteMsg { Withdraw {}, Note { text: String } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Withdraw {} => {
            let amount = BALANCES.load(deps.storage, &info.sender)?;
            BALANCES.remove(deps.storage, &info.sender);
            LAST.save(deps.storage, &info.sender)?;
            let pay = BankMsg::Send { to_address: info.sender.to_string(), amount: coins(amount.u128(), "uatom") };
            Ok(Response::new().add_submessage(SubMsg::reply_on_success(pay, 1)))
        }
        ExecuteMsg::Note { text } => {
            NOTES.save(deps.storage, &info.sender, &text)?;
            Ok(Response::new())
        }
    }
}

#[entry_point]
pub fn reply(deps: DepsMut, _env: Env, _msg: Reply) -> StdResult<Response> {
    let last = LAST.load(deps.storage)?;
    BALANCES.save(deps.storage, &last, &Uint128::zero())?;
    Ok(Response::new())
}`,
    ],
  },
}

/** Whether coins or tokens leave the contract with a message: in any case but that of a call without funds. */
const carriesValue = (message: Term): boolean => {
  let call: Term | undefined
  mentions(message, (one) => {
    if (one.kind === "struct" && /(^|::)WasmMsg::Execute$/.test(one.path)) call = one
    return call !== undefined
  })
  if (call?.kind !== "struct") return true
  const fields = new Map(call.fields)
  const funds = fields.get("funds")
  return !(funds?.kind === "list" && funds.elements.length === 0) || tokensIn(fields.get("msg")) !== undefined
}

/** Keyed containers that a term was computed from. */
const recordsIn = (term: Term): ReadonlySet<Term> => {
  const found = new Set<Term>()
  mentions(term, (one) => {
    const place = storedPlace(one)
    if (place?.key !== undefined) found.add(place.container)
    return false
  })
  return found
}
