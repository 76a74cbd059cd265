import type { Rule } from "../../../Rule.ts"
import type { CosmWasmProgram } from "../../program/model.ts"
import { unreturnedPackets } from "../../saves/unreturnedPackets.ts"

export const unreturnedPacket: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/logic/unreturned-packet",
    class: "ibc-refund-missing",
    title: "Failed IBC packet is not refunded",
    severity: "high",
    confidence: "medium",
    cwe: [755, 841],
    description:
      "The contract takes coins, tokens or part of a balance in order to send a packet, but does not return " +
      "them if the packet times out or the other chain responds with an error: the sender's funds are lost. " +
      "Anyone's packet can fail this way, and if the relayers stop, every packet does.",
    remediation:
      "In `ibc_packet_timeout`, and for errors in `ibc_packet_ack`, undo what was done when the packet was " +
      "sent: refund the coins, or restore the balance.",
    references: ["https://github.com/CosmWasm/cosmwasm/blob/main/IBC.md"],
  },
  check: (program, report) => {
    for (const crate of program.crates)
      for (const { function: definition, kind } of unreturnedPackets(crate))
        report({
          file: definition.module.file,
          span: definition.item.nameSpan,
          scope: definition.qualifiedName,
          message: `\`${kind}\` does not refund what was taken to send the packet.`,
        })
  },
  examples: {
    vulnerable: [
      `use cosmwasm_std::{coins, entry_point, from_json, to_json_binary, Addr, BankMsg, DepsMut, Env, IbcBasicResponse, IbcMsg, IbcPacketAckMsg, IbcPacketTimeoutMsg, MessageInfo, Response, StdAck, StdResult, Uint128};
use cw_storage_plus::Map;

pub struct Packet { pub from: Addr, pub amount: Uint128 }
pub struct ExecuteMsg { pub channel: String, pub amount: Uint128 }
pub const BALANCES: Map<&Addr, Uint128> = Map::new("balances");
pub const SENT: Map<&Addr, u64> = Map::new("sent");

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let amount = msg.amount;
    BALANCES.update(deps.storage, &info.sender, |old| -> StdResult<_> { Ok(old.unwrap_or_default().checked_sub(amount)?) })?;
    let packet = Packet { from: info.sender, amount };
    let send = IbcMsg::SendPacket { channel_id: msg.channel, data: to_json_binary(&packet)?, timeout: env.block.time.plus_seconds(60).into() };
    Ok(Response::new().add_message(send))
}

#[entry_point]
pub fn ibc_packet_ack(deps: DepsMut, _env: Env, msg: IbcPacketAckMsg) -> StdResult<IbcBasicResponse> {
    let ack: StdAck = from_json(&msg.acknowledgement.data)?;
    if matches!(ack, StdAck::Error(_)) {
        let packet: Packet = from_json(&msg.original_packet.data)?;
        BALANCES.update(deps.storage, &packet.from, |old| -> StdResult<_> { Ok(old.unwrap_or_default() + packet.amount) })?;
    }
    Ok(IbcBasicResponse::new().add_attribute("action", "ack"))
}

#[entry_point]
pub fn ibc_packet_timeout( // FINDING
    deps: DepsMut, _env: Env, msg: IbcPacketTimeoutMsg) -> StdResult<IbcBasicResponse> {
    let packet: Packet = from_json(&msg.packet.data)?;
    Ok(IbcBasicResponse::new().add_attribute("from", packet.from))
}
`,
      `use cosmwasm_std::{coins, entry_point, from_json, to_json_binary, Addr, BankMsg, DepsMut, Env, IbcBasicResponse, IbcMsg, IbcPacketAckMsg, IbcPacketTimeoutMsg, MessageInfo, Response, StdAck, StdResult, Uint128};
use cw_storage_plus::Map;

pub struct Packet { pub from: Addr, pub amount: Uint128 }
pub struct ExecuteMsg { pub channel: String, pub amount: Uint128 }
pub const BALANCES: Map<&Addr, Uint128> = Map::new("balances");
pub const SENT: Map<&Addr, u64> = Map::new("sent");

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let amount = info.funds[0].amount;
    let packet = Packet { from: info.sender, amount };
    let send = IbcMsg::SendPacket { channel_id: msg.channel, data: to_json_binary(&packet)?, timeout: env.block.time.plus_seconds(60).into() };
    Ok(Response::new().add_message(send))
}

#[entry_point]
pub fn ibc_packet_ack( // FINDING
    _deps: DepsMut, _env: Env, msg: IbcPacketAckMsg) -> StdResult<IbcBasicResponse> {
    let ack: StdAck = from_json(&msg.acknowledgement.data)?;
    Ok(IbcBasicResponse::new().add_attribute("action", "ack"))
}

#[entry_point]
pub fn ibc_packet_timeout(deps: DepsMut, _env: Env, msg: IbcPacketTimeoutMsg) -> StdResult<IbcBasicResponse> {
    let packet: Packet = from_json(&msg.packet.data)?;
    Ok(IbcBasicResponse::new().add_message(BankMsg::Send { to_address: packet.from.to_string(), amount: coins(packet.amount.u128(), "uatom") }))
}
`,
    ],
    safe: [
      `use cosmwasm_std::{coins, entry_point, from_json, to_json_binary, Addr, BankMsg, DepsMut, Env, IbcBasicResponse, IbcMsg, IbcPacketAckMsg, IbcPacketTimeoutMsg, MessageInfo, Response, StdAck, StdResult, Uint128};
use cw_storage_plus::Map;

pub struct Packet { pub from: Addr, pub amount: Uint128 }
pub struct ExecuteMsg { pub channel: String, pub amount: Uint128 }
pub const BALANCES: Map<&Addr, Uint128> = Map::new("balances");
pub const SENT: Map<&Addr, u64> = Map::new("sent");

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let amount = msg.amount;
    BALANCES.update(deps.storage, &info.sender, |old| -> StdResult<_> { Ok(old.unwrap_or_default().checked_sub(amount)?) })?;
    let packet = Packet { from: info.sender, amount };
    let send = IbcMsg::SendPacket { channel_id: msg.channel, data: to_json_binary(&packet)?, timeout: env.block.time.plus_seconds(60).into() };
    Ok(Response::new().add_message(send))
}

#[entry_point]
pub fn ibc_packet_ack(deps: DepsMut, _env: Env, msg: IbcPacketAckMsg) -> StdResult<IbcBasicResponse> {
    let ack: StdAck = from_json(&msg.acknowledgement.data)?;
    if matches!(ack, StdAck::Error(_)) {
        let packet: Packet = from_json(&msg.original_packet.data)?;
        BALANCES.update(deps.storage, &packet.from, |old| -> StdResult<_> { Ok(old.unwrap_or_default() + packet.amount) })?;
    }
    Ok(IbcBasicResponse::new().add_attribute("action", "ack"))
}

#[entry_point]
pub fn ibc_packet_timeout(deps: DepsMut, _env: Env, msg: IbcPacketTimeoutMsg) -> StdResult<IbcBasicResponse> {
    let packet: Packet = from_json(&msg.packet.data)?;
    Ok(IbcBasicResponse::new().add_message(BankMsg::Send { to_address: packet.from.to_string(), amount: coins(packet.amount.u128(), "uatom") }))
}
`,
      // Nothing was taken.
      `use cosmwasm_std::{coins, entry_point, from_json, to_json_binary, Addr, BankMsg, DepsMut, Env, IbcBasicResponse, IbcMsg, IbcPacketAckMsg, IbcPacketTimeoutMsg, MessageInfo, Response, StdAck, StdResult, Uint128};
use cw_storage_plus::Map;

pub struct Packet { pub from: Addr, pub amount: Uint128 }
pub struct ExecuteMsg { pub channel: String, pub amount: Uint128 }
pub const BALANCES: Map<&Addr, Uint128> = Map::new("balances");
pub const SENT: Map<&Addr, u64> = Map::new("sent");

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let amount = msg.amount;
    let packet = Packet { from: info.sender, amount };
    let send = IbcMsg::SendPacket { channel_id: msg.channel, data: to_json_binary(&packet)?, timeout: env.block.time.plus_seconds(60).into() };
    Ok(Response::new().add_message(send))
}

#[entry_point]
pub fn ibc_packet_ack(_deps: DepsMut, _env: Env, msg: IbcPacketAckMsg) -> StdResult<IbcBasicResponse> {
    let ack: StdAck = from_json(&msg.acknowledgement.data)?;
    Ok(IbcBasicResponse::new().add_attribute("action", "ack"))
}

#[entry_point]
pub fn ibc_packet_timeout(deps: DepsMut, _env: Env, msg: IbcPacketTimeoutMsg) -> StdResult<IbcBasicResponse> {
    let packet: Packet = from_json(&msg.packet.data)?;
    Ok(IbcBasicResponse::new().add_attribute("from", packet.from))
}
`,
    ],
  },
}
