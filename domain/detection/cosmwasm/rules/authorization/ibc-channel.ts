import type { Rule } from "../../../Rule.ts"
import { type AssignEvent, guaranteed } from "../../../rust/terms/events.ts"
import { mentions, type Term } from "../../../rust/terms/terms.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import { isPresence } from "../../authority/authority.ts"
import type { CosmWasmProgram, EntryPoint } from "../../program/model.ts"
import { outgoingMessages } from "../../questions/questions.ts"
import { storageWrites } from "../../questions/storageWrites.ts"
import { eventsTouch } from "../../questions/touches.ts"

export const ibcChannel: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/authorization/ibc-channel",
    class: "ibc-channel-auth",
    title: "IBC packets or handshakes accepted from any channel",
    severity: "high",
    confidence: "medium",
    cwe: [346],
    description:
      "The entry point acts without checking the channel, port or connection on which the packet arrived. " +
      "Anyone can start a chain or contract of their own and open a channel to this one: an attacker sends " +
      "arbitrary packets over it and is trusted like the real counterparty.",
    remediation:
      "Check the order, version and connection in `ibc_channel_open` and `ibc_channel_connect`, store the " +
      "channel there, and compare `packet.dest.channel_id` with the stored one, or load the channel's record, " +
      "before acting on a packet.",
    references: [
      "https://docs.cosmwasm.com/ibc/diy-protocol/channel-lifecycle",
      "https://docs.rs/cosmwasm-std/latest/cosmwasm_std/struct.IbcPacket.html",
    ],
  },
  check: (program, report) => {
    for (const { entryPoints } of program.crates) {
      const handshake = entryPoints.some(
        (entry) => entry.kind === "ibc_channel_open" && eventsTouch(entry.events, namesChannel(entry)),
      )
      const receivers = entryPoints.filter((entry) => entry.kind === "ibc_packet_receive" && acts(entry))
      const blind = receivers.filter((entry) => !eventsTouch(entry.events, namesChannel(entry)))
      const atName = ({ function: definition }: EntryPoint) => ({
        file: definition.module.file,
        span: definition.item.nameSpan,
        scope: definition.qualifiedName,
      })
      const handshakes = entryPoints.filter(({ kind }) => kind === "ibc_channel_open" || kind === "ibc_channel_connect")
      // Only a known counterparty gets a channel at all.
      if (handshakes.some(comparesCounterparty)) continue
      const isOnly = handshakes.some(isOnlyChannel)
      for (const entry of blind)
        report({
          ...atName(entry),
          ...(handshake ? { confidence: "low" as const } : {}),
          // What others can do is to open it first.
          ...(isOnly ? { severity: "low" as const } : {}),
        })
      if (receivers.length === 0 || blind.length > 0) continue
      for (const entry of handshakes) {
        const write = trustOfLast(entry)
        if (write !== undefined)
          report({
            ...placeOf(write),
            message: "Anyone can open a channel, and the contract trusts the one opened last.",
            confidence: "medium",
          })
        if (entry.kind === "ibc_channel_open" && !handshake)
          report({
            ...atName(entry),
            message: "Channels of any version, ordering and origin are accepted.",
            confidence: "medium",
          })
      }
    }
  },
  examples: {
    vulnerable: [
      // Others can only open the one channel first.
      `use cosmwasm_std::{entry_point, DepsMut, Env, IbcBasicResponse, IbcChannelConnectMsg, IbcPacketReceiveMsg, IbcReceiveResponse, StdError, StdResult};
use cw_storage_plus::Item;

pub const CHANNEL: Item<String> = Item::new("channel");
pub const PRICE: Item<u128> = Item::new("price");

#[entry_point]
pub fn ibc_channel_connect(deps: DepsMut, _env: Env, msg: IbcChannelConnectMsg) -> StdResult<IbcBasicResponse> {
    if CHANNEL.may_load(deps.storage)?.is_some() {
        return Err(StdError::generic_err("open"));
    }
    CHANNEL.save(deps.storage, &msg.channel().endpoint.channel_id)?;
    Ok(IbcBasicResponse::new())
}

#[entry_point]
pub fn ibc_packet_receive(deps: DepsMut, _env: Env, msg: IbcPacketReceiveMsg) -> StdResult<IbcReceiveResponse> { // FINDING
    PRICE.save(deps.storage, &(msg.packet.data.len() as u128))?;
    Ok(IbcReceiveResponse::new(b"ok"))
}
`,
      `use cosmwasm_std::{coins, entry_point, from_json, BankMsg, DepsMut, Env, IbcPacketReceiveMsg, IbcReceiveResponse, StdResult};

pub struct Payment { pub to: String, pub amount: u128 }

#[entry_point]
pub fn ibc_packet_receive(_deps: DepsMut, _env: Env, msg: IbcPacketReceiveMsg) -> StdResult<IbcReceiveResponse> { // FINDING
    let payment: Payment = from_json(&msg.packet.data)?;
    let pay = BankMsg::Send { to_address: payment.to, amount: coins(payment.amount, "uatom") };
    Ok(IbcReceiveResponse::new(b"ok").add_message(pay))
}
`,
      `use cosmwasm_std::{entry_point, DepsMut, Env, IbcPacketReceiveMsg, IbcReceiveResponse, StdResult};
use cw_storage_plus::Item;

pub const OPEN: Item<bool> = Item::new("open");

#[entry_point]
pub fn ibc_packet_receive(deps: DepsMut, _env: Env, _msg: IbcPacketReceiveMsg) -> StdResult<IbcReceiveResponse> { // FINDING
    OPEN.save(deps.storage, &true)?;
    Ok(IbcReceiveResponse::new(b"ok"))
}
`,
      `use cosmwasm_std::{coins, entry_point, from_json, BankMsg, DepsMut, Env, IbcBasicResponse, IbcChannelConnectMsg, IbcPacketReceiveMsg, IbcReceiveResponse, StdError, StdResult};
use cw_storage_plus::Item;

pub const CHANNEL: Item<String> = Item::new("channel");

#[entry_point]
pub fn ibc_channel_connect(deps: DepsMut, _env: Env, msg: IbcChannelConnectMsg) -> StdResult<IbcBasicResponse> {
    CHANNEL.save(deps.storage, &msg.channel().endpoint.channel_id)?; // FINDING
    Ok(IbcBasicResponse::new())
}

#[entry_point]
pub fn ibc_packet_receive(deps: DepsMut, _env: Env, msg: IbcPacketReceiveMsg) -> StdResult<IbcReceiveResponse> {
    if msg.packet.dest.channel_id != CHANNEL.load(deps.storage)? {
        return Err(StdError::generic_err("unknown channel"));
    }
    let (to, amount): (String, u128) = from_json(&msg.packet.data)?;
    Ok(IbcReceiveResponse::new(b"ok").add_message(BankMsg::Send { to_address: to, amount: coins(amount, "uatom") }))
}
`,
      `use cosmwasm_std::{entry_point, from_json, CosmosMsg, DepsMut, Env, IbcChannelOpenMsg, IbcPacketReceiveMsg, IbcReceiveResponse, StdError, StdResult};

#[entry_point]
pub fn ibc_channel_open(_deps: DepsMut, _env: Env, msg: IbcChannelOpenMsg) -> StdResult<()> {
    if msg.channel().version != "gov-1" {
        return Err(StdError::generic_err("version"));
    }
    Ok(())
}

#[entry_point]
pub fn ibc_packet_receive(_deps: DepsMut, _env: Env, msg: IbcPacketReceiveMsg) -> StdResult<IbcReceiveResponse> { // FINDING
    let messages: Vec<CosmosMsg> = from_json(&msg.packet.data)?;
    Ok(IbcReceiveResponse::new().set_ack(b"ok").add_messages(messages))
}
`,
      `use cosmwasm_std::{entry_point, from_json, CosmosMsg, DepsMut, Env, IbcBasicResponse, IbcChannelConnectMsg, IbcChannelOpenMsg, IbcPacketReceiveMsg, IbcReceiveResponse, StdError, StdResult};
use cw_storage_plus::{Item, Map};

pub const PAUSED: Item<bool> = Item::new("paused");
pub const PEERS: Map<&str, u64> = Map::new("peers");

#[entry_point]
pub fn ibc_channel_open(deps: DepsMut, _env: Env, _msg: IbcChannelOpenMsg) -> StdResult<()> { // FINDING
    if PAUSED.load(deps.storage)? {
        return Err(StdError::generic_err("paused"));
    }
    Ok(())
}

// That the name of the peer is well-formed does not say whose it is.
#[entry_point]
pub fn ibc_channel_connect(deps: DepsMut, _env: Env, msg: IbcChannelConnectMsg) -> StdResult<IbcBasicResponse> {
    let channel = msg.channel();
    let Some(number) = channel.counterparty_endpoint.channel_id.strip_prefix("channel-") else {
        return Err(StdError::generic_err("name"));
    };
    PEERS.save(deps.storage, &channel.endpoint.channel_id, &number.parse().unwrap_or(0))?;
    Ok(IbcBasicResponse::new())
}

#[entry_point]
pub fn ibc_packet_receive(deps: DepsMut, _env: Env, msg: IbcPacketReceiveMsg) -> StdResult<IbcReceiveResponse> {
    PEERS.load(deps.storage, &msg.packet.dest.channel_id)?;
    let messages: Vec<CosmosMsg> = from_json(&msg.packet.data)?;
    Ok(IbcReceiveResponse::new(b"ok").add_messages(messages))
}
`,
    ],
    safe: [
      `use cosmwasm_std::{coins, entry_point, from_json, BankMsg, DepsMut, Env, IbcPacketReceiveMsg, IbcReceiveResponse, StdError, StdResult};
use cw_storage_plus::Item;

pub struct Payment { pub to: String, pub amount: u128 }
pub const CHANNEL: Item<String> = Item::new("channel");

#[entry_point]
pub fn ibc_packet_receive(deps: DepsMut, _env: Env, msg: IbcPacketReceiveMsg) -> StdResult<IbcReceiveResponse> {
    if msg.packet.dest.channel_id != CHANNEL.load(deps.storage)? {
        return Err(StdError::generic_err("unknown channel"));
    }
    let payment: Payment = from_json(&msg.packet.data)?;
    let pay = BankMsg::Send { to_address: payment.to, amount: coins(payment.amount, "uatom") };
    Ok(IbcReceiveResponse::new(b"ok").add_message(pay))
}
`,
      `use cosmwasm_std::{entry_point, DepsMut, Env, IbcPacket, IbcPacketReceiveMsg, IbcReceiveResponse, StdResult, Uint128};
use cw_storage_plus::Map;

pub const RECEIVED: Map<&str, Uint128> = Map::new("received");

fn count(deps: DepsMut, packet: &IbcPacket) -> StdResult<()> {
    let known = RECEIVED.load(deps.storage, &packet.dest.channel_id)?;
    RECEIVED.save(deps.storage, &packet.dest.channel_id, &(known + Uint128::one()))
}

#[entry_point]
pub fn ibc_packet_receive(deps: DepsMut, _env: Env, msg: IbcPacketReceiveMsg) -> StdResult<IbcReceiveResponse> {
    count(deps, &msg.packet)?;
    Ok(IbcReceiveResponse::new(b"ok"))
}
`,
      `use cosmwasm_std::{coins, entry_point, from_json, BankMsg, DepsMut, Env, IbcBasicResponse, IbcChannelConnectMsg, IbcPacketReceiveMsg, IbcReceiveResponse, StdError, StdResult};
use cw_storage_plus::Item;

pub const CHANNEL: Item<String> = Item::new("channel");

#[entry_point]
pub fn ibc_channel_connect(deps: DepsMut, _env: Env, msg: IbcChannelConnectMsg) -> StdResult<IbcBasicResponse> {
    if CHANNEL.may_load(deps.storage)?.is_some() {
        return Err(StdError::generic_err("there is a channel"));
    }
    CHANNEL.save(deps.storage, &msg.channel().endpoint.channel_id)?;
    Ok(IbcBasicResponse::new())
}

#[entry_point]
pub fn ibc_packet_receive(deps: DepsMut, _env: Env, msg: IbcPacketReceiveMsg) -> StdResult<IbcReceiveResponse> {
    if msg.packet.dest.channel_id != CHANNEL.load(deps.storage)? {
        return Err(StdError::generic_err("unknown channel"));
    }
    let (to, amount): (String, u128) = from_json(&msg.packet.data)?;
    Ok(IbcReceiveResponse::new(b"ok").add_message(BankMsg::Send { to_address: to, amount: coins(amount, "uatom") }))
}
`,
      `use cosmwasm_std::{entry_point, from_json, CosmosMsg, DepsMut, Env, IbcChannelOpenMsg, IbcPacketReceiveMsg, IbcReceiveResponse, StdError, StdResult};
use cw_storage_plus::Item;

pub const CONNECTION: Item<String> = Item::new("connection");

#[entry_point]
pub fn ibc_channel_open(deps: DepsMut, _env: Env, msg: IbcChannelOpenMsg) -> StdResult<()> {
    if msg.channel().connection_id != CONNECTION.load(deps.storage)? {
        return Err(StdError::generic_err("connection"));
    }
    Ok(())
}

#[entry_point]
pub fn ibc_packet_receive(_deps: DepsMut, _env: Env, msg: IbcPacketReceiveMsg) -> StdResult<IbcReceiveResponse> {
    let messages: Vec<CosmosMsg> = from_json(&msg.packet.data)?;
    Ok(IbcReceiveResponse::new().set_ack(b"ok").add_messages(messages))
}
`,
      `use cosmwasm_std::{entry_point, DepsMut, Env, IbcBasicResponse, IbcChannelConnectMsg, IbcEndpoint, IbcPacketReceiveMsg, IbcReceiveResponse, StdResult};
use cw_storage_plus::Map;

pub const PEERS: Map<&str, IbcEndpoint> = Map::new("peers");
pub const COUNTS: Map<&str, u64> = Map::new("counts");

// Each channel has its own entry.
#[entry_point]
pub fn ibc_channel_connect(deps: DepsMut, _env: Env, msg: IbcChannelConnectMsg) -> StdResult<IbcBasicResponse> {
    let channel = msg.channel();
    PEERS.save(deps.storage, &channel.endpoint.channel_id, &channel.counterparty_endpoint)?;
    Ok(IbcBasicResponse::new())
}

#[entry_point]
pub fn ibc_packet_receive(deps: DepsMut, _env: Env, msg: IbcPacketReceiveMsg) -> StdResult<IbcReceiveResponse> {
    let from = &msg.packet.dest.channel_id;
    PEERS.load(deps.storage, from)?;
    COUNTS.update(deps.storage, from, |count| -> StdResult<_> { Ok(count.unwrap_or(0) + 1) })?;
    Ok(IbcReceiveResponse::new(b"ok"))
}
`,
    ],
  },
}

const isOfMessage = ({ message }: EntryPoint, term: Term): boolean => mentions(term, (one) => one === message)

/** The channel, port or connection that a packet or handshake names. */
const namesChannel =
  (entry: EntryPoint) =>
  (term: Term): boolean =>
    term.kind === "field" &&
    /^(channel_id|port_id|connection_id|src|dest|endpoint|counterparty_endpoint|order|version|counterparty_version)$/.test(
      term.name,
    ) &&
    isOfMessage(entry, term)

const namesCounterparty =
  (entry: EntryPoint) =>
  (term: Term): boolean =>
    term.kind === "field" && /^(connection_id|counterparty_endpoint)$/.test(term.name) && isOfMessage(entry, term)

const comparesCounterparty = (entry: EntryPoint): boolean =>
  entry.events.some(
    (event) =>
      event.kind === "check" &&
      event.conditions.some((one) => !isPresence(one) && mentions(one, namesCounterparty(entry))),
  )

const acts = ({ events }: EntryPoint): boolean =>
  events.some(
    (event) => event.kind === "assign" || (event.kind === "call" && /^add_(sub)?messages?$/.test(event.name)),
  ) || outgoingMessages(events).length > 0

const storedChannels = (entry: EntryPoint): ReadonlyArray<{ readonly event: AssignEvent; readonly isAsked: boolean }> =>
  entry.kind !== "ibc_channel_connect"
    ? []
    : storageWrites(entry.events).flatMap(({ container, key, value, event }) =>
        key === undefined && isOfMessage(entry, value)
          ? [{ event, isAsked: [...guaranteed(event)].some((fact) => mentions(fact, (one) => one === container)) }]
          : [],
      )

/** `CHANNEL.save(channel_id)`: the contract comes to trust whichever channel was opened last. */
const trustOfLast = (entry: EntryPoint): AssignEvent | undefined =>
  storedChannels(entry).find(({ isAsked }) => !isAsked)?.event

/** Whether there is one channel only: the first one that is stored. */
const isOnlyChannel = (entry: EntryPoint): boolean => {
  const stored = storedChannels(entry)
  return stored.length > 0 && stored.every(({ isAsked }) => isAsked)
}
