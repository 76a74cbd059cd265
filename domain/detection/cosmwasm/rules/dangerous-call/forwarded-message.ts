import { oncePer } from "../../../oncePer.ts"
import type { Rule } from "../../../Rule.ts"
import { type Facts, factsNotMet } from "../../../rust/terms/facts.ts"
import { mentions, rootOf, type Term } from "../../../rust/terms/terms.ts"
import type { Event } from "../../../rust/terms/events.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import { honorsHelperResult, isAuthorized, isAboutPresence, isPresence } from "../../authority/authority.ts"
import type { CosmWasmProgram, EntryPoint, OutgoingMessage } from "../../program/model.ts"
import { outgoingMessages } from "../../questions/questions.ts"
import { storedPlace } from "../../program/semantics.ts"
import { placeKey, storageWrites } from "../../questions/storageWrites.ts"

export const forwardedMessage: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/dangerous-call/forwarded-message",
    class: "arbitrary-msg",
    title: "Anyone can make the contract send an arbitrary message",
    severity: "critical",
    confidence: "high",
    cwe: [610, 441],
    description:
      "The contract sends a message supplied by the caller, or a contract call whose target and content are " +
      "both chosen by the caller, without checking who may request it. To everyone else, the message comes from " +
      "the contract: an attacker can transfer the contract's tokens and coins, call its own privileged " +
      "messages, or use rights that others granted it.",
    remediation:
      "Restrict this to the stored owner, or build the message in the contract from validated parts. If " +
      "forwarding is the purpose, compare the target with an allowlist, and exclude the contract itself and " +
      "every token it holds.",
    references: [
      "https://docs.cosmwasm.com/core/architecture/semantics",
      "https://docs.rs/cosmwasm-std/latest/cosmwasm_std/enum.CosmosMsg.html",
    ],
  },
  check: (program, report) => {
    for (const { entryPoints } of program.crates) {
      const open = openPlaces(entryPoints)
      const keepsTokens = holdsTokens(entryPoints)
      for (const entry of entryPoints) {
        if (entry.kind !== "execute") continue
        for (const handler of entry.handlers) {
          if (honorsHelperResult(handler)) continue
          for (const event of storedForwards(open, handler.events))
            if (!isAuthorized(entry, event.facts))
              report({
                ...placeOf(event),
                message: "The message was stored unchanged, and anyone could send it.",
                confidence: "medium",
              })
          const called = new Set<Event>(
            outgoingMessages(handler.events).flatMap(({ event, fields }) =>
              isRaw(entry, fields.get("contract_addr")) ? [event] : [],
            ),
          )
          // Which rights this contract has at one that it has stored, only that one says.
          const known = new Set<Event>(
            outgoingMessages(handler.events).flatMap(({ event, fields }) => {
              const to = fields.get("contract_addr")
              return to !== undefined && storedPlace(to) !== undefined ? [event] : []
            }),
          )
          for (const event of [...forwards(entry, handler.events), ...validated(entry, handler.events)]) {
            if (isAuthorized(entry, event.facts) || isInspected(event, handler.events)) continue
            const list = listing(entry, event)
            if (list === "allowed") continue
            report({
              ...placeOf(event),
              ...(list === "not denied" ? { severity: "low" as const, confidence: "low" as const } : {}),
              ...(list === undefined && called.has(event) && !keepsTokens ? { severity: "medium" as const } : {}),
              ...(list === undefined && known.has(event)
                ? { severity: "high" as const, confidence: "medium" as const }
                : {}),
            })
          }
        }
      }
    }
  },
  examples: {
    vulnerable: [
      `use cosmwasm_std::{entry_point, from_json, Addr, AnyMsg, Binary, BankMsg, CosmosMsg, DepsMut, Empty, Env, MessageInfo, Response, StdError, StdResult, SubMsg, WasmMsg};
use cw_storage_plus::{Item, Map};

pub struct Config { pub owner: Addr, pub proxy: Addr }
pub struct Job { pub by: Addr, pub done: bool, pub votes: u64, pub message: CosmosMsg }
pub struct Raw { pub message: CosmosMsg }
pub struct MigrateMsg { pub msgs: Vec<CosmosMsg> }
pub const CONFIG: Item<Config> = Item::new("config");
pub const JOBS: Map<u64, Job> = Map::new("jobs");
pub const OWNED: Map<u64, CosmosMsg> = Map::new("owned");
pub const QUEUE: Map<u64, CosmosMsg> = Map::new("queue");
pub const MIGRATED: Map<u64, CosmosMsg> = Map::new("migrated");
pub enum ExecuteMsg {
    Listed { first: CosmosMsg, second: CosmosMsg },
    Chosen { first: CosmosMsg, second: CosmosMsg, flag: bool },
    Read { raw: Binary },
    Sub { msg: CosmosMsg },
    Always { msg: CosmosMsg },
    Made { msg: CosmosMsg },
    Gate { value: Binary },
    Typed { value: Binary },
    Url { url: String },
    Proxy { payload: Binary },
    Open { to: String, payload: Binary },
    Sink { to: String, payload: Binary },
    Deep { to: String, payload: Binary },
    Moved { to: String, payload: Binary },
    Resolved { to: String, payload: Binary },
    Custom { value: Binary },
    Parts { msg: CosmosMsg },
    RunMigrated { id: u64 },
    Called { id: u64 },
    Noted { msg: CosmosMsg },
    Event { msg: CosmosMsg },
    Owned { id: u64, msg: CosmosMsg },
    RunOwned { id: u64 },
    Late { id: u64, msg: CosmosMsg },
    Enqueue { id: u64, msg: CosmosMsg },
    Run { id: u64 },
    RunAsOwner { id: u64 },
    Log { id: u64 },
    Schedule { id: u64, message: CosmosMsg },
    Start { id: u64 },
    Vote { id: u64 },
    Kind { msg: CosmosMsg },
    Each { msgs: Vec<CosmosMsg> },
    Other { msg: CosmosMsg, note: CosmosMsg },
    Admin { msg: CosmosMsg },
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let config = CONFIG.load(deps.storage)?;
    match msg {
        ExecuteMsg::Listed { first, second } => Ok(Response::new().add_messages(vec![first, second])), // FINDING
        ExecuteMsg::Chosen { first, second, flag } => {
            let one = if flag { first } else { second };
            Ok(Response::new().add_message(one)) // FINDING
        }
        ExecuteMsg::Read { raw } => {
            let one: CosmosMsg = from_json(&raw)?;
            Ok(Response::new().add_message(one)) // FINDING
        }
        ExecuteMsg::Sub { msg } => Ok(Response::new().add_submessage(SubMsg::new(msg))), // FINDING
        ExecuteMsg::Always { msg } => Ok(Response::new().add_submessage(SubMsg::reply_always(msg, 1))), // FINDING
        ExecuteMsg::Made { msg } => Ok(Response::new().add_message(Wrapped::new(msg))),
        ExecuteMsg::Gate { value } => {
            let call = CosmosMsg::Stargate { type_url: "/cosmos.bank.v1beta1.MsgSend".into(), value }; // FINDING
            Ok(Response::new().add_message(call))
        }
        ExecuteMsg::Typed { value } => {
            let call = CosmosMsg::Any(AnyMsg { type_url: "/cosmos.bank.v1beta1.MsgSend".into(), value }); // FINDING
            Ok(Response::new().add_message(call))
        }
        ExecuteMsg::Url { url } => {
            let call = CosmosMsg::Any(AnyMsg { type_url: url, value: Binary::default() });
            Ok(Response::new().add_message(call))
        }
        ExecuteMsg::Proxy { payload } => {
            let call = WasmMsg::Execute { contract_addr: config.proxy.to_string(), msg: payload, funds: vec![] }; // FINDING
            Ok(Response::new().add_message(call))
        }
        ExecuteMsg::Open { to, payload } => {
            let call = WasmMsg::Instantiate { admin: None, code_id: 1, msg: payload, funds: vec![], label: to };
            Ok(Response::new().add_message(call))
        }
        ExecuteMsg::Sink { to, payload } => {
            let to = deps.api.addr_humanize(&to)?;
            let call = WasmMsg::Execute { contract_addr: to.to_string(), msg: payload, funds: vec![] }; // FINDING
            Ok(Response::new().add_message(call))
        }
        ExecuteMsg::Deep { to, payload } => {
            let call = WasmMsg::Migrate { contract_addr: to, new_code_id: 1, msg: payload };
            Ok(Response::new().add_message(call))
        }
        ExecuteMsg::Moved { to, payload } => {
            let to = deps.api.addr_validate(&to)?;
            let call = WasmMsg::Migrate { contract_addr: to.to_string(), new_code_id: 1, msg: payload };
            Ok(Response::new().add_message(call))
        }
        ExecuteMsg::Resolved { to, payload } => {
            let call = WasmMsg::Execute { contract_addr: names::resolve(&to), msg: payload, funds: vec![] };
            Ok(Response::new().add_message(call))
        }
        ExecuteMsg::Custom { value } => {
            let call = CosmosMsg::Custom(Payload { value });
            Ok(Response::new().add_message(call))
        }
        ExecuteMsg::Parts { msg } => Ok(Response::new().add_submessage(SubMsg::limits(msg))),
        ExecuteMsg::RunMigrated { id } => {
            let one = MIGRATED.load(deps.storage, id)?;
            Ok(Response::new().add_message(one))
        }
        ExecuteMsg::Called { id } => {
            let one = QUEUE.load(deps.storage, id)?;
            Ok(add_message(Response::new(), one))
        }
        ExecuteMsg::Noted { msg } => Ok(Response::new().add_attribute("msg", msg)),
        ExecuteMsg::Event { msg } => Ok(add_message(Response::new(), msg)),
        ExecuteMsg::Owned { id, msg } => {
            if info.sender != config.owner {
                return Err(StdError::generic_err("owner"));
            }
            OWNED.save(deps.storage, id, &msg)?;
            Ok(Response::new())
        }
        ExecuteMsg::RunOwned { id } => {
            let one = OWNED.load(deps.storage, id)?;
            Ok(Response::new().add_message(one))
        }
        ExecuteMsg::Late { id, msg } => {
            if info.sender == config.owner {
                OWNED.save(deps.storage, id, &msg)?;
            }
            Ok(Response::new())
        }
        ExecuteMsg::Enqueue { id, msg } => {
            QUEUE.save(deps.storage, id, &msg)?;
            Ok(Response::new())
        }
        ExecuteMsg::Run { id } => {
            let one = QUEUE.load(deps.storage, id)?;
            if id > 9 {
                return Err(StdError::generic_err("id"));
            }
            Ok(Response::new().add_message(one)) // FINDING
        }
        ExecuteMsg::RunAsOwner { id } => {
            let one = QUEUE.load(deps.storage, id)?;
            if info.sender == config.owner {
                return Ok(Response::new().add_message(one));
            }
            Ok(Response::new())
        }
        ExecuteMsg::Log { id } => {
            let one = QUEUE.load(deps.storage, id)?;
            Ok(Response::new().set_data(one))
        }
        ExecuteMsg::Schedule { id, message } => {
            JOBS.save(deps.storage, id, &Job { by: info.sender, done: false, votes: 0, message })?;
            Ok(Response::new())
        }
        ExecuteMsg::Start { id } => {
            let mut job = JOBS.load(deps.storage, id)?;
            if job.done {
                return Err(StdError::generic_err("done"));
            }
            job.done = true;
            JOBS.save(deps.storage, id, &job)?;
            Ok(Response::new().add_message(job.message)) // FINDING
        }
        ExecuteMsg::Vote { id } => {
            let job = JOBS.load(deps.storage, id)?;
            if job.votes < 3 {
                return Err(StdError::generic_err("votes"));
            }
            Ok(Response::new().add_message(job.message))
        }
        ExecuteMsg::Kind { msg } => {
            match msg {
                CosmosMsg::Bank(_) => {}
                _ => return Err(StdError::generic_err("bank only")),
            }
            Ok(Response::new().add_message(msg))
        }
        ExecuteMsg::Each { msgs } => {
            for one in &msgs {
                match one {
                    CosmosMsg::Bank(_) => {}
                    _ => return Err(StdError::generic_err("bank only")),
                }
            }
            Ok(Response::new().add_messages(msgs))
        }
        ExecuteMsg::Other { msg, note } => {
            match note {
                CosmosMsg::Bank(_) => {}
                _ => return Err(StdError::generic_err("bank only")),
            }
            Ok(Response::new().add_message(msg)) // FINDING
        }
        ExecuteMsg::Admin { msg } => {
            if info.sender != config.owner {
                return Err(StdError::generic_err("owner"));
            }
            Ok(Response::new().add_message(msg))
        }
    }
}

#[entry_point]
pub fn migrate(deps: DepsMut, _env: Env, msg: MigrateMsg) -> StdResult<Response> {
    MIGRATED.save(deps.storage, 1, &msg.msgs[0])?;
    Ok(Response::new().add_messages(msg.msgs))
}
`,
      `use cosmwasm_std::{entry_point, CosmosMsg, DepsMut, Env, MessageInfo, Response, StdResult};

pub enum ExecuteMsg { Run { msgs: Vec<CosmosMsg> } }

#[entry_point]
pub fn execute(_deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Run { msgs } => {
            Ok(Response::new().add_messages(msgs)) // FINDING
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Binary, DepsMut, Env, MessageInfo, Response, StdResult, WasmMsg};

pub enum ExecuteMsg { Call { target: String, payload: Binary } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Call { target, payload } => call(deps, info, target, payload),
    }
}

fn call(deps: DepsMut, info: MessageInfo, target: String, payload: Binary) -> StdResult<Response> {
    let target = deps.api.addr_validate(&target)?;
    let call = WasmMsg::Execute { contract_addr: target.into(), msg: payload, funds: info.funds }; // FINDING
    Ok(Response::new().add_message(call))
}
`,
      `use cosmwasm_std::{entry_point, Binary, CosmosMsg, DepsMut, Env, MessageInfo, Response, StdResult, WasmMsg};
use cw_storage_plus::Map;

pub const QUEUE: Map<u64, CosmosMsg> = Map::new("queue");
pub enum ExecuteMsg { Enqueue { id: u64, msg: CosmosMsg }, Run { id: u64 }, Again { payload: Binary } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Enqueue { id, msg } => {
            QUEUE.save(deps.storage, id, &msg)?;
            Ok(Response::new())
        }
        ExecuteMsg::Run { id } => {
            let msg = QUEUE.load(deps.storage, id)?;
            Ok(Response::new().add_message(msg)) // FINDING
        }
        ExecuteMsg::Again { payload } => {
            let call = WasmMsg::Execute { contract_addr: env.contract.address.into(), msg: payload, funds: vec![] }; // FINDING
            Ok(Response::new().add_message(call))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, CosmosMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::{Item, Map};

pub struct Job { pub at: u64, pub message: CosmosMsg }
pub const JOBS: Map<u64, Job> = Map::new("jobs");
pub const COUNT: Item<u64> = Item::new("count");
pub enum ExecuteMsg { Schedule { at: u64, message: CosmosMsg }, Run { id: u64 } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Schedule { at, message } => {
            let id = COUNT.load(deps.storage)?;
            COUNT.save(deps.storage, &(id + 1))?;
            JOBS.save(deps.storage, id, &Job { at, message })?;
            Ok(Response::new())
        }
        ExecuteMsg::Run { id } => {
            let job = JOBS.load(deps.storage, id)?;
            if env.block.time.seconds() < job.at {
                return Err(StdError::generic_err("early"));
            }
            JOBS.remove(deps.storage, id);
            Ok(Response::new().add_message(job.message)) // FINDING
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, CosmosMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Map;

pub const MODULES: Map<&Addr, bool> = Map::new("modules");
pub enum ExecuteMsg { Relay { msgs: Vec<CosmosMsg> }, Ask { msgs: Vec<CosmosMsg> } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Relay { msgs } => {
            MODULES.may_load(deps.storage, &info.sender)?;
            Ok(Response::new().add_messages(msgs)) // FINDING
        }
        ExecuteMsg::Ask { msgs } => {
            if !MODULES.may_load(deps.storage, &info.sender)?.unwrap_or(false) {
                return Err(StdError::generic_err("module"));
            }
            Ok(Response::new().add_messages(msgs))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, CosmosMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Map;

pub struct Plan { pub msg: CosmosMsg, pub opened: Option<u64> }
pub const PLANS: Map<u64, Plan> = Map::new("plans");
pub enum ExecuteMsg { Plan { id: u64, msg: CosmosMsg }, Open { id: u64 } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Plan { id, msg } => {
            PLANS.save(deps.storage, id, &Plan { msg, opened: Some(env.block.height) })?;
            Ok(Response::new())
        }
        // Every plan has a height.
        ExecuteMsg::Open { id } => {
            let plan = PLANS.load(deps.storage, id)?;
            let Some(opened) = plan.opened else {
                return Err(StdError::generic_err("not opened"));
            };
            Ok(Response::new().add_message(plan.msg).add_attribute("opened", opened.to_string())) // FINDING
        }
    }
}`,
      // Tokens may be taken from a contract that sends or receives them, but not from one that only tells its hub.
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, Binary, DepsMut, Env, MessageInfo, Response, StdResult, WasmMsg};
use cw_storage_plus::Item;

pub const HUB: Item<Addr> = Item::new("hub");
pub enum HubMsg { Seen { id: u64 } }
pub enum ExecuteMsg { Tell { id: u64 }, Call { target: String, payload: Binary } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Tell { id } => {
            let msg = to_json_binary(&HubMsg::Seen { id })?;
            let tell = WasmMsg::Execute { contract_addr: HUB.load(deps.storage)?.into(), msg, funds: vec![] };
            Ok(Response::new().add_message(tell))
        }
        ExecuteMsg::Call { target, payload } => {
            let call = WasmMsg::Execute { contract_addr: target, msg: payload, funds: info.funds }; // FINDING
            Ok(Response::new().add_message(call))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Binary, DepsMut, Env, MessageInfo, Response, StdResult, Uint128, WasmMsg};
use cw20::Cw20ReceiveMsg;
use cw_storage_plus::Map;

pub const HELD: Map<String, Uint128> = Map::new("held");
pub enum ExecuteMsg { Receive(Cw20ReceiveMsg), Call { target: String, payload: Binary } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Receive(received) => {
            HELD.save(deps.storage, info.sender.into(), &received.amount)?;
            Ok(Response::new())
        }
        ExecuteMsg::Call { target, payload } => {
            let call = WasmMsg::Execute { contract_addr: target, msg: payload, funds: info.funds }; // FINDING
            Ok(Response::new().add_message(call))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, Binary, DepsMut, Env, MessageInfo, Response, StdResult, Uint128, WasmMsg};
use cw20::Cw20ExecuteMsg;
use cw_storage_plus::{Item, Map};

pub const TOKEN: Item<Addr> = Item::new("token");
pub const DUE: Map<&Addr, Uint128> = Map::new("due");
pub enum ExecuteMsg { Claim {}, Call { target: String, payload: Binary } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Claim {} => {
            let amount = DUE.load(deps.storage, &info.sender)?;
            DUE.remove(deps.storage, &info.sender);
            let msg = to_json_binary(&Cw20ExecuteMsg::Transfer { recipient: info.sender.into(), amount })?;
            let send = WasmMsg::Execute { contract_addr: TOKEN.load(deps.storage)?.into(), msg, funds: vec![] };
            Ok(Response::new().add_message(send))
        }
        ExecuteMsg::Call { target, payload } => {
            let call = WasmMsg::Execute { contract_addr: target, msg: payload, funds: info.funds }; // FINDING
            Ok(Response::new().add_message(call))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, CosmosMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult};

pub enum ExecuteMsg { Run { vault: String, owner: String, messages: Vec<CosmosMsg> } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Run { vault, owner, messages } => {
            let caller = deps.api.addr_validate(&vault)?;
            if info.sender != caller || deps.api.addr_validate(&owner)? != caller {
                return Err(StdError::generic_err("vault"));
            }
            Ok(Response::new().add_messages(messages)) // FINDING
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, Binary, Coin, DepsMut, Env, MessageInfo, Response, StdError, StdResult, WasmMsg};
use cw_storage_plus::Map;

pub const DENIED: Map<&str, bool> = Map::new("denied");
pub const OPEN: Map<u64, bool> = Map::new("open");
pub enum ExecuteMsg { Call { target: String, msg: Binary }, Once { target: String, msg: Binary } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Call { target, msg } => {
            if DENIED.has(deps.storage, &target) {
                return Err(StdError::generic_err("target"));
            }
            Ok(Response::new().add_message(WasmMsg::Execute { contract_addr: target, msg, funds: info.funds })) // FINDING
        }
        ExecuteMsg::Once { target, msg } => {
            if !OPEN.has(deps.storage, 1) {
                return Err(StdError::generic_err("closed"));
            }
            Ok(Response::new().add_message(WasmMsg::Execute { contract_addr: target, msg, funds: info.funds })) // FINDING
        }
    }
}
`,
    ],
    safe: [
      // A packet of the project's own that is filled with messages.
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, DepsMut, Env, MessageInfo, Response, StdResult};
use cw_storage_plus::Item;

pub struct Packet { pub messages: Vec<String> }
impl Packet {
    pub fn add_message(mut self, message: String) -> Self {
        self.messages.push(message);
        self
    }
}
pub const LAST: Item<Packet> = Item::new("last");
pub enum ExecuteMsg { Relay { messages: Vec<String> } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Relay { messages } => {
            let mut packet = Packet { messages: vec![] };
            for message in messages {
                packet = packet.add_message(message);
            }
            LAST.save(deps.storage, &packet)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, CosmosMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Item;

pub const ADMINS: Item<Vec<Addr>> = Item::new("admins");
pub enum ExecuteMsg { Run { msgs: Vec<CosmosMsg> } }

fn may_run(admins: &[Addr], sender: &Addr) -> bool {
    admins.iter().any(|one| one == sender)
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Run { msgs } => {
            let admins = ADMINS.load(deps.storage)?;
            if !may_run(&admins, &info.sender) {
                return Err(StdError::generic_err("unauthorized"));
            }
            Ok(Response::new().add_messages(msgs))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, Binary, DepsMut, Env, MessageInfo, Response, StdResult, Uint128, WasmMsg};
use cw20::Cw20ReceiveMsg;
use cw_storage_plus::Map;

pub const BALANCES: Map<&Addr, Uint128> = Map::new("balances");
pub enum ExecuteMsg { Send { contract: String, amount: Uint128, msg: Binary } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Send { contract, amount, msg } => {
            let contract = deps.api.addr_validate(&contract)?;
            let left = BALANCES.load(deps.storage, &info.sender)?.checked_sub(amount)?;
            BALANCES.save(deps.storage, &info.sender, &left)?;
            let hook = Cw20ReceiveMsg { sender: info.sender.into(), amount, msg };
            let call = WasmMsg::Execute { contract_addr: contract.into(), msg: to_json_binary(&hook)?, funds: vec![] };
            Ok(Response::new().add_message(call))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, CosmosMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Map;

pub struct Proposal { pub msgs: Vec<CosmosMsg>, pub votes: u64 }
pub const PROPOSALS: Map<u64, Proposal> = Map::new("proposals");
pub const WEIGHTS: Map<&Addr, u64> = Map::new("weights");
pub enum ExecuteMsg { Propose { id: u64, msgs: Vec<CosmosMsg> }, Run { id: u64 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Propose { id, msgs } => {
            let votes = WEIGHTS.may_load(deps.storage, &info.sender)?.unwrap_or_default();
            PROPOSALS.save(deps.storage, id, &Proposal { msgs, votes })?;
            Ok(Response::new())
        }
        ExecuteMsg::Run { id } => {
            let proposal = PROPOSALS.load(deps.storage, id)?;
            if proposal.votes < 50 {
                return Err(StdError::generic_err("not passed"));
            }
            Ok(Response::new().add_messages(proposal.msgs))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, CosmosMsg, Deps, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Item;

pub enum GroupQuery { IsMember { addr: Addr } }
pub const GROUP: Item<Addr> = Item::new("group");
pub enum ExecuteMsg { Run { msg: CosmosMsg } }

fn assert_member(deps: Deps, who: &Addr) -> StdResult<()> {
    let is_member: bool = deps.querier.query_wasm_smart(GROUP.load(deps.storage)?, &GroupQuery::IsMember { addr: who.clone() })?;
    if !is_member {
        return Err(StdError::generic_err("not a member"));
    }
    Ok(())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let ExecuteMsg::Run { msg } = msg;
    assert_member(deps.as_ref(), &info.sender)?;
    Ok(Response::new().add_message(msg))
}`,
      `use cosmwasm_std::{entry_point, Addr, CosmosMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Item;

pub const FACTORY: Item<Addr> = Item::new("factory");
pub enum ExecuteMsg { Run { vault: String, asset: String, messages: Vec<CosmosMsg> } }
pub enum QueryMsg { Vault { asset: String } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Run { vault, asset, messages } => {
            let factory = FACTORY.load(deps.storage)?;
            let known: String = deps.querier.query_wasm_smart(factory, &QueryMsg::Vault { asset })?;
            let caller = deps.api.addr_validate(&vault)?;
            if info.sender != caller || deps.api.addr_validate(&known)? != caller {
                return Err(StdError::generic_err("vault"));
            }
            Ok(Response::new().add_messages(messages))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, Binary, Coin, DepsMut, Env, MessageInfo, Response, StdError, StdResult, WasmMsg};
use cw_storage_plus::Map;

pub const ALLOWED: Map<&str, bool> = Map::new("allowed");
pub enum ExecuteMsg { Call { target: String, msg: Binary } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Call { target, msg } => {
            if !ALLOWED.has(deps.storage, &target) {
                return Err(StdError::generic_err("target"));
            }
            Ok(Response::new().add_message(WasmMsg::Execute { contract_addr: target, msg, funds: info.funds }))
        }
    }
}
`,
    ],
  },
}

const additions = /^add_(message|messages|submessage|submessages)$/

/** The caller's own value, or a list with it, rather than a message that the contract built around it. */
const isRaw = (entry: EntryPoint, term: Term | undefined, depth = 0): boolean => {
  if (term === undefined || depth > 6) return false
  if (rootOf(term) === entry.message) return true
  if (term.kind === "list") return term.elements.some((one) => isRaw(entry, one, depth + 1))
  if (term.kind === "choice") return term.alternatives.some((one) => isRaw(entry, one, depth + 1))
  if (term.kind !== "call") return false
  if (/^(mapped|from_json)$/.test(term.name)) return isRaw(entry, term.args[0], depth + 1)
  return /^(new|reply_always|reply_on_error|reply_on_success|reply_never)$/.test(term.name) && /SubMsg/.test(term.path)
    ? isRaw(entry, term.args[0], depth + 1)
    : false
}

/** Whether the contract can only call itself, or a contract of its own choice, with a call that the caller wrote. */
const isPossessed = (entry: EntryPoint, { path, fields }: OutgoingMessage): boolean => {
  if (path === "CosmosMsg::Stargate") return isRaw(entry, fields.get("value"))
  const call = path === "CosmosMsg::Any" ? fields.get("0") : undefined
  if (call?.kind === "struct") return call.fields.some(([name, value]) => name === "value" && isRaw(entry, value))
  const target = fields.get("contract_addr")
  return (
    path === "WasmMsg::Execute" &&
    target !== undefined &&
    (storedPlace(target) !== undefined || mentions(target, (one) => one === entry.env)) &&
    isRaw(entry, fields.get("msg"))
  )
}

const forwards = (entry: EntryPoint, events: ReadonlyArray<Event>): ReadonlyArray<Event> => [
  ...outgoingMessages(events)
    .filter((one) => isPossessed(entry, one))
    .map(({ event }) => event),
  ...outgoingMessages(events)
    .filter(
      ({ path, fields }) =>
        path === "WasmMsg::Execute" && isRaw(entry, fields.get("contract_addr")) && isRaw(entry, fields.get("msg")),
    )
    .map(({ event }) => event),
  ...events.filter(
    (event) =>
      event.kind === "call" &&
      event.method &&
      // A method of that name of the project collects messages of another kind.
      event.target === undefined &&
      additions.test(event.name) &&
      isRaw(entry, event.args[1]?.term),
  ),
]

/** Whether token contracts may owe it something: it is sent tokens, or asks for them. Coins need a message of the bank. */
const holdsTokens = (entryPoints: ReadonlyArray<EntryPoint>): boolean =>
  entryPoints.some(({ handlers }) =>
    handlers.some(
      ({ message, events }) =>
        /(^|::)Receive(Nft)?( |$)/.test(message) ||
        outgoingMessages(events).some(({ fields }) => {
          const sent = fields.get("msg")
          return (
            sent !== undefined &&
            mentions(sent, (one) => one.kind === "struct" && /(^|::)Cw(20|721)\w*::/.test(one.path))
          )
        }),
    ),
  )

/** `contract_addr` may be the result of `addr_validate` on the caller's text. */
const validated = (entry: EntryPoint, events: ReadonlyArray<Event>): ReadonlyArray<Event> =>
  outgoingMessages(events)
    .filter(({ path, fields }) => {
      const to = fields.get("contract_addr")
      return (
        path === "WasmMsg::Execute" &&
        to?.kind === "call" &&
        to.name === "addr_validate" &&
        isRaw(entry, to.args[0]) &&
        isRaw(entry, fields.get("msg"))
      )
    })
    .map(({ event }) => event)

/** Containers into which anyone puts an unchanged value, and in which of their fields. */
const openPlaces = (
  entryPoints: ReadonlyArray<EntryPoint>,
): { readonly containers: ReadonlySet<Term>; readonly fields: ReadonlySet<string> } => {
  const found = new Set<Term>()
  const fields = new Set<string>()
  for (const entry of entryPoints) {
    if (entry.kind !== "execute") continue
    for (const { events } of entry.handlers)
      for (const { container, path, value, event } of storageWrites(events))
        if (isRaw(entry, value) && !isAuthorized(entry, event.facts)) {
          found.add(container)
          fields.add(`${container.id}:${path}`)
        }
  }
  return { containers: found, fields }
}

/**
 * Messages that send what anyone stored before, without checking anything else about it: votes, a status, or its time.
 */
const storedForwards = (
  { containers: open, fields }: ReturnType<typeof openPlaces>,
  events: ReadonlyArray<Event>,
): ReadonlyArray<Event> => {
  // That it was not sent before says nothing about who requested it.
  const marked = new Set(events.flatMap((event) => (event.kind === "assign" ? [event.target.term] : [])))
  return events.filter((event) => {
    if (event.kind !== "call" || !event.method || !additions.test(event.name)) return false
    const container = event.args[1] === undefined ? undefined : storedPlace(event.args[1].term)?.container
    return (
      container !== undefined &&
      open.has(container) &&
      ![...event.facts].some(
        (fact) =>
          !isPresence(fact) &&
          !marked.has(flagOf(fact)) &&
          // A time from the message is the sender's own choice, too.
          mentions(
            fact,
            (one) => one.kind === "field" && isOfRecord(one, container) && !fields.has(placeKey(one) ?? ""),
          ),
      )
    )
  })
}

const isOfRecord = (term: Term, container: Term): boolean => storedPlace(term)?.container === container

/** The flag that a condition consists of: `!proposal.executed`. */
const flagOf = (fact: Term): Term => (fact.kind === "not" ? fact.operand : fact)

/** Whether something that the caller names is looked up in a stored list, and has to be in it or must not be. */
const listing = ({ message }: EntryPoint, { facts }: Event): "allowed" | "not denied" | undefined => {
  const isEntry = (one: Term): boolean => {
    const key = storedPlace(one)?.key
    return key !== undefined && mentions(key, (part) => part === message)
  }
  let denied = false
  for (const fact of facts) {
    if (isPresence(fact) && mentions(fact, isEntry)) return "allowed"
    denied ||= isAboutPresence(fact) && mentions(fact, isEntry)
  }
  return denied ? "not denied" : undefined
}

/** Its kind is checked, message by message: what each sender may send is up to those branches. */
const isInspected = (event: Event, events: ReadonlyArray<Event>): boolean => {
  const given = event.kind === "call" ? event.args[1]?.term : undefined
  return given !== undefined && matchedIn(events).has(given)
}

/** What is told apart by its kind, or has a part that is. */
const matchedIn = oncePer((events: ReadonlyArray<Event>): ReadonlySet<Term> => {
  const found = new Set<Term>()
  const met = new Set<Facts>()
  for (const { facts } of events)
    for (const fact of factsNotMet(facts, met))
      if (fact.kind === "is")
        for (let one: Term | undefined = fact.value; one !== undefined; one = "base" in one ? one.base : undefined)
          found.add(one)
  return found
})
