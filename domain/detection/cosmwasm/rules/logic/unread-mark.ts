import type { Rule } from "../../../Rule.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import type { CosmWasmProgram } from "../../program/model.ts"
import { unreadMarks } from "../../saves/unreadMarks.ts"

export const unreadMark: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/logic/unread-mark",
    class: "repeatable-action",
    title: "Completion flag is never checked",
    severity: "high",
    confidence: "medium",
    cwe: [841, 799],
    description:
      "The message records that an account or entry has had its turn (claimed, voted, executed, last paid) without " +
      "checking that record first: nothing reads it, or only other messages do. The same caller can claim, vote or " +
      "execute again, as often as they like.",
    remediation:
      "Check the record before setting it: `if CLAIMED.has(storage, &sender) { return Err(…) }`, or compare the " +
      "record's status with the one required here.",
    references: ["https://cwe.mitre.org/data/definitions/841.html"],
  },
  check: (program, report) => {
    for (const crate of program.crates)
      for (const { handler, mark, repeated, isReadElsewhere } of unreadMarks(crate))
        report({
          ...placeOf(mark.event),
          message: isReadElsewhere
            ? `Other messages check this record; \`${handler.message}\` sets it without checking, so it can be repeated.`
            : "No message checks this record, so the action can be repeated.",
          trace: [{ file: repeated.file, span: repeated.node, note: "repeated on every call" }],
        })
  },
  examples: {
    vulnerable: [
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::{Item, Map};

pub struct User { pub paid: bool, pub last: u64, pub level: u64 }
pub const ROOT: Item<Vec<u8>> = Item::new("root");
pub const CLAIMED: Map<(u8, &Addr), bool> = Map::new("claimed");
pub const USERS: Map<&Addr, User> = Map::new("users");
pub enum ExecuteMsg { Claim { stage: u8, proof: Vec<Vec<u8>> }, Redeem {}, Drip {}, Level {} }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Claim { stage, proof } => claim(deps, info, stage, proof),
        ExecuteMsg::Redeem {} => redeem(deps, info),
        ExecuteMsg::Drip {} => drip(deps, env, info),
        ExecuteMsg::Level {} => {
            let user = USERS.load(deps.storage, &info.sender)?;
            Ok(Response::new().add_attribute("level", user.level.to_string()))
        }
    }
}

fn claim(deps: DepsMut, info: MessageInfo, stage: u8, proof: Vec<Vec<u8>>) -> StdResult<Response> {
    let root = ROOT.load(deps.storage)?;
    if fold(info.sender.as_bytes().to_vec(), proof) != root {
        return Err(StdError::generic_err("not on the list"));
    }
    CLAIMED.save(deps.storage, (stage, &info.sender), &true)?; // FINDING
    Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(100, "uatom") }))
}

fn redeem(deps: DepsMut, info: MessageInfo) -> StdResult<Response> {
    USERS.update(deps.storage, &info.sender, |user| -> StdResult<User> {
        let mut user = user.ok_or_else(|| StdError::generic_err("unknown"))?;
        user.paid = true; // FINDING
        Ok(user)
    })?;
    Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(100, "uatom") }))
}

fn drip(deps: DepsMut, env: Env, info: MessageInfo) -> StdResult<Response> {
    let mut user = USERS.load(deps.storage, &info.sender)?;
    user.last = env.block.time.seconds(); // FINDING
    USERS.save(deps.storage, &info.sender, &user)?;
    Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(1, "uatom") }))
}`,
      `use cosmwasm_std::{entry_point, Addr, CosmosMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::{Item, Map};

#[derive(PartialEq)]
pub enum Status { Open, Passed, Executed, Cancelled }
pub struct Proposal { pub proposer: Addr, pub msgs: Vec<CosmosMsg>, pub yes: u64, pub status: Status }
pub const NEXT: Item<u64> = Item::new("next");
pub const MEMBERS: Map<&Addr, u64> = Map::new("members");
pub const VOTED: Map<(u64, &Addr), bool> = Map::new("voted");
pub const PROPOSALS: Map<u64, Proposal> = Map::new("proposals");
pub enum ExecuteMsg { Propose { msgs: Vec<CosmosMsg> }, Vote { id: u64 }, Execute { id: u64 }, Cancel { id: u64 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Propose { msgs } => propose(deps, info, msgs),
        ExecuteMsg::Vote { id } => vote(deps, info, id),
        ExecuteMsg::Execute { id } => run(deps, id),
        ExecuteMsg::Cancel { id } => cancel(deps, info, id),
    }
}

fn propose(deps: DepsMut, info: MessageInfo, msgs: Vec<CosmosMsg>) -> StdResult<Response> {
    MEMBERS.load(deps.storage, &info.sender)?;
    let id = NEXT.load(deps.storage)?;
    NEXT.save(deps.storage, &(id + 1))?;
    PROPOSALS.save(deps.storage, id, &Proposal { proposer: info.sender, msgs, yes: 0, status: Status::Open })?;
    Ok(Response::new())
}

fn vote(deps: DepsMut, info: MessageInfo, id: u64) -> StdResult<Response> {
    let weight = MEMBERS.load(deps.storage, &info.sender)?;
    let mut proposal = PROPOSALS.load(deps.storage, id)?;
    proposal.yes += weight;
    PROPOSALS.save(deps.storage, id, &proposal)?;
    VOTED.save(deps.storage, (id, &info.sender), &true)?; // FINDING
    Ok(Response::new())
}

fn run(deps: DepsMut, id: u64) -> StdResult<Response> {
    let mut proposal = PROPOSALS.load(deps.storage, id)?;
    if proposal.yes < 10 {
        return Err(StdError::generic_err("not passed"));
    }
    proposal.status = Status::Executed; // FINDING
    PROPOSALS.save(deps.storage, id, &proposal)?;
    Ok(Response::new().add_messages(proposal.msgs))
}

fn cancel(deps: DepsMut, info: MessageInfo, id: u64) -> StdResult<Response> {
    let mut proposal = PROPOSALS.load(deps.storage, id)?;
    if proposal.proposer != info.sender || proposal.status != Status::Open {
        return Err(StdError::generic_err("not yours, or over"));
    }
    proposal.status = Status::Cancelled;
    PROPOSALS.save(deps.storage, id, &proposal)?;
    Ok(Response::new())
}`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::Map;

pub struct Ballot { pub yes: bool, pub weight: Uint128 }
pub struct Poll { pub yes: Uint128, pub no: Uint128 }
pub const WEIGHTS: Map<&Addr, Uint128> = Map::new("weights");
pub const POLLS: Map<u64, Poll> = Map::new("polls");
pub const BALLOTS: Map<(u64, &Addr), Ballot> = Map::new("ballots");
pub const CHOICES: Map<(u64, &Addr), bool> = Map::new("choices");
pub enum ExecuteMsg { Vote { id: u64, yes: bool }, Choose { id: u64, yes: bool } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let weight = WEIGHTS.load(deps.storage, &info.sender)?;
    match msg {
        ExecuteMsg::Vote { id, yes } => {
            let mut poll = POLLS.load(deps.storage, id)?;
            if yes { poll.yes += weight } else { poll.no += weight }
            POLLS.save(deps.storage, id, &poll)?;
            BALLOTS.save(deps.storage, (id, &info.sender), &Ballot { yes, weight })?; // FINDING
        }
        ExecuteMsg::Choose { id, yes } => {
            CHOICES.save(deps.storage, (id, &info.sender), &yes)?; // FINDING
            let mut poll = POLLS.load(deps.storage, id)?;
            poll.yes += weight;
            POLLS.save(deps.storage, id, &poll)?;
        }
    }
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};
use cw_utils::nonpayable;

pub const DROP: Item<Uint128> = Item::new("drop");
pub const TAKEN: Map<&Addr, bool> = Map::new("taken");
pub enum ExecuteMsg { Take {}, Grab {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Take {} => nonpayable(&info).map_err(|_| StdError::generic_err("funds"))?,
        ExecuteMsg::Grab {} => {
            if !info.funds.is_empty() {
                return Err(StdError::generic_err("funds"));
            }
        }
    }
    TAKEN.save(deps.storage, &info.sender, &true)?; // FINDING
    let amount = coins(DROP.load(deps.storage)?.u128(), "uatom");
    Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount }))
}
`,
      `use cosmwasm_std::{entry_point, CosmosMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Map;

pub enum Stage { Voting, Passed, Executed }
pub struct Poll { pub stage: Stage, pub msgs: Vec<CosmosMsg>, pub yes: u64 }
pub const POLLS: Map<u64, Poll> = Map::new("polls");
pub const OPEN: Map<u64, bool> = Map::new("open");
pub enum ExecuteMsg { Count { id: u64 }, Run { id: u64 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Count { id } => {
            let mut poll = POLLS.load(deps.storage, id)?;
            if !matches!(poll.stage, Stage::Voting) || poll.yes < 10 {
                return Err(StdError::generic_err("not passed"));
            }
            poll.stage = Stage::Passed;
            POLLS.save(deps.storage, id, &poll)?;
            Ok(Response::new())
        }
        ExecuteMsg::Run { id } => {
            let mut poll = POLLS.load(deps.storage, id)?;
            OPEN.remove(deps.storage, id);
            poll.stage = Stage::Executed; // FINDING
            POLLS.save(deps.storage, id, &poll)?;
            Ok(Response::new().add_messages(poll.msgs))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, CosmosMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Map;

#[derive(PartialEq)]
pub enum Stage { Voting, Passed, Done }
pub struct Poll { pub stage: Stage, pub msgs: Vec<CosmosMsg> }
pub const POLLS: Map<u64, Poll> = Map::new("polls");
pub const DONE: Map<(&str, u64), bool> = Map::new("done");
pub enum ExecuteMsg { Run { id: u64 } }

/// The state that is asked stays as it is.
#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Run { id } => {
            let mut poll = POLLS.load(deps.storage, id)?;
            if poll.stage != Stage::Passed {
                return Err(StdError::generic_err("not passed"));
            }
            DONE.save(deps.storage, ("run", id), &true)?; // FINDING
            POLLS.save(deps.storage, id, &poll)?;
            Ok(Response::new().add_messages(poll.msgs))
        }
    }
}
`,
    ],
    safe: [
      `use cosmwasm_std::{entry_point, Addr, CosmosMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::{Item, Map};

#[derive(PartialEq)]
pub enum Status { Open, Passed, Executed, Cancelled }
pub struct Proposal { pub proposer: Addr, pub msgs: Vec<CosmosMsg>, pub yes: u64, pub status: Status }
pub const NEXT: Item<u64> = Item::new("next");
pub const MEMBERS: Map<&Addr, u64> = Map::new("members");
pub const VOTED: Map<(u64, &Addr), bool> = Map::new("voted");
pub const PROPOSALS: Map<u64, Proposal> = Map::new("proposals");
pub enum ExecuteMsg { Propose { msgs: Vec<CosmosMsg> }, Vote { id: u64 }, Execute { id: u64 }, Cancel { id: u64 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Propose { msgs } => propose(deps, info, msgs),
        ExecuteMsg::Vote { id } => vote(deps, info, id),
        ExecuteMsg::Execute { id } => run(deps, id),
        ExecuteMsg::Cancel { id } => cancel(deps, info, id),
    }
}

fn propose(deps: DepsMut, info: MessageInfo, msgs: Vec<CosmosMsg>) -> StdResult<Response> {
    MEMBERS.load(deps.storage, &info.sender)?;
    let id = NEXT.load(deps.storage)?;
    NEXT.save(deps.storage, &(id + 1))?;
    PROPOSALS.save(deps.storage, id, &Proposal { proposer: info.sender, msgs, yes: 0, status: Status::Open })?;
    Ok(Response::new())
}

fn vote(deps: DepsMut, info: MessageInfo, id: u64) -> StdResult<Response> {
    let weight = MEMBERS.load(deps.storage, &info.sender)?;
    if VOTED.may_load(deps.storage, (id, &info.sender))?.is_some() {
        return Err(StdError::generic_err("voted"));
    }
    let mut proposal = PROPOSALS.load(deps.storage, id)?;
    proposal.yes += weight;
    PROPOSALS.save(deps.storage, id, &proposal)?;
    VOTED.save(deps.storage, (id, &info.sender), &true)?;
    Ok(Response::new())
}

fn run(deps: DepsMut, id: u64) -> StdResult<Response> {
    let mut proposal = PROPOSALS.load(deps.storage, id)?;
    if proposal.yes < 10 || proposal.status != Status::Open {
        return Err(StdError::generic_err("not passed"));
    }
    proposal.status = Status::Executed;
    PROPOSALS.save(deps.storage, id, &proposal)?;
    Ok(Response::new().add_messages(proposal.msgs))
}

fn cancel(deps: DepsMut, info: MessageInfo, id: u64) -> StdResult<Response> {
    let mut proposal = PROPOSALS.load(deps.storage, id)?;
    if proposal.proposer != info.sender || proposal.status != Status::Open {
        return Err(StdError::generic_err("not yours, or over"));
    }
    proposal.status = Status::Cancelled;
    PROPOSALS.save(deps.storage, id, &proposal)?;
    Ok(Response::new())
}`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct User { pub last: u64, pub member: bool }
pub const ADMIN: Item<Addr> = Item::new("admin");
pub const NEXT: Item<u64> = Item::new("next");
pub const CLAIMED: Map<&Addr, bool> = Map::new("claimed");
pub const GRANTED: Map<&Addr, bool> = Map::new("granted");
pub const BOUGHT: Map<&Addr, bool> = Map::new("bought");
pub const PAID: Map<&Addr, bool> = Map::new("paid");
pub const LISTED: Map<&Addr, bool> = Map::new("listed");
pub const JOINED: Map<&Addr, bool> = Map::new("joined");
pub const OF_USER: Map<(&Addr, u64), bool> = Map::new("of_user");
pub const DUE: Map<&Addr, Uint128> = Map::new("due");
pub const USERS: Map<&Addr, User> = Map::new("users");
pub enum ExecuteMsg { Claim {}, Grant { to: String }, Buy {}, Withdraw {}, List {}, Join {}, Leave {}, Open {}, Touch {}, Late {} }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Claim {} => claim(deps, info),
        ExecuteMsg::Grant { to } => grant(deps, info, to),
        ExecuteMsg::Buy {} => buy(deps, info),
        ExecuteMsg::Withdraw {} => withdraw(deps, info),
        ExecuteMsg::List {} => list(deps, info),
        ExecuteMsg::Join {} => join(deps, info),
        ExecuteMsg::Leave {} => leave(deps, info),
        ExecuteMsg::Open {} => open(deps, info),
        ExecuteMsg::Touch {} => touch(deps, env, info),
        ExecuteMsg::Late {} => late(deps, env, info),
    }
}

fn pay(to: &Addr) -> Response {
    Response::new().add_message(BankMsg::Send { to_address: to.to_string(), amount: coins(1, "uatom") })
}

fn claim(deps: DepsMut, info: MessageInfo) -> StdResult<Response> {
    if CLAIMED.has(deps.storage, &info.sender) {
        return Err(StdError::generic_err("claimed"));
    }
    CLAIMED.save(deps.storage, &info.sender, &true)?;
    Ok(pay(&info.sender))
}

fn grant(deps: DepsMut, info: MessageInfo, to: String) -> StdResult<Response> {
    if info.sender != ADMIN.load(deps.storage)? {
        return Err(StdError::generic_err("admin"));
    }
    let to = deps.api.addr_validate(&to)?;
    GRANTED.save(deps.storage, &to, &true)?;
    Ok(pay(&to))
}

// each time is paid for
fn buy(deps: DepsMut, info: MessageInfo) -> StdResult<Response> {
    if info.funds != coins(5, "uatom") {
        return Err(StdError::generic_err("price"));
    }
    BOUGHT.save(deps.storage, &info.sender, &true)?;
    Ok(pay(&info.sender))
}

// what is paid is used up
fn withdraw(deps: DepsMut, info: MessageInfo) -> StdResult<Response> {
    let amount = DUE.load(deps.storage, &info.sender)?;
    DUE.remove(deps.storage, &info.sender);
    PAID.save(deps.storage, &info.sender, &true)?;
    Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(amount.u128(), "uatom") }))
}

// nothing is repeated
fn list(deps: DepsMut, info: MessageInfo) -> StdResult<Response> {
    LISTED.save(deps.storage, &info.sender, &true)?;
    Ok(Response::new())
}

// a list that its entries may leave
fn join(deps: DepsMut, info: MessageInfo) -> StdResult<Response> {
    JOINED.save(deps.storage, &info.sender, &true)?;
    Ok(pay(&ADMIN.load(deps.storage)?))
}

fn leave(deps: DepsMut, info: MessageInfo) -> StdResult<Response> {
    if !JOINED.load(deps.storage, &info.sender)? {
        return Err(StdError::generic_err("not in"));
    }
    JOINED.remove(deps.storage, &info.sender);
    Ok(Response::new())
}

// an index of what is made here
fn open(deps: DepsMut, info: MessageInfo) -> StdResult<Response> {
    let id = NEXT.load(deps.storage)?;
    NEXT.save(deps.storage, &(id + 1))?;
    OF_USER.save(deps.storage, (&info.sender, id), &true)?;
    USERS.save(deps.storage, &info.sender, &User { last: 0, member: true })?;
    Ok(pay(&ADMIN.load(deps.storage)?))
}

// a clock that others read
fn touch(deps: DepsMut, env: Env, info: MessageInfo) -> StdResult<Response> {
    let mut user = USERS.load(deps.storage, &info.sender)?;
    user.last = env.block.time.seconds();
    USERS.save(deps.storage, &info.sender, &user)?;
    Ok(pay(&ADMIN.load(deps.storage)?))
}

fn late(deps: DepsMut, env: Env, info: MessageInfo) -> StdResult<Response> {
    let user = USERS.load(deps.storage, &info.sender)?;
    if env.block.time.seconds() < user.last + 100 {
        return Err(StdError::generic_err("early"));
    }
    Ok(Response::new())
}`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};
use cw_utils::must_pay;

pub struct Ballot { pub yes: bool, pub weight: Uint128 }
pub const WEIGHTS: Map<&Addr, Uint128> = Map::new("weights");
pub const YES: Map<u64, Uint128> = Map::new("yes");
pub const BALLOTS: Map<(u64, &Addr), Ballot> = Map::new("ballots");
pub const NAMES: Map<&Addr, String> = Map::new("names");
pub const CALLS: Item<u64> = Item::new("calls");
pub const RAISED: Item<Uint128> = Item::new("raised");
pub enum ExecuteMsg { Vote { id: u64, yes: bool }, Name { name: String }, Give { name: String } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Vote { id, yes } => {
            if BALLOTS.has(deps.storage, (id, &info.sender)) {
                return Err(StdError::generic_err("voted"));
            }
            let weight = WEIGHTS.load(deps.storage, &info.sender)?;
            BALLOTS.save(deps.storage, (id, &info.sender), &Ballot { yes, weight })?;
            YES.update(deps.storage, id, |sum| -> StdResult<_> { Ok(sum.unwrap_or_default() + weight) })?;
        }
        ExecuteMsg::Name { name } => {
            NAMES.save(deps.storage, &info.sender, &name)?;
            CALLS.update(deps.storage, |calls| -> StdResult<_> { Ok(calls + 1) })?;
        }
        ExecuteMsg::Give { name } => {
            let paid = must_pay(&info, "uatom").map_err(|_| StdError::generic_err("payment"))?;
            NAMES.save(deps.storage, &info.sender, &name)?;
            RAISED.update(deps.storage, |sum| -> StdResult<_> { Ok(sum + paid) })?;
        }
    }
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, CosmosMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Map;

pub enum Stage { Voting, Passed, Executed }
pub struct Poll { pub stage: Stage, pub msgs: Vec<CosmosMsg>, pub yes: u64 }
pub const POLLS: Map<u64, Poll> = Map::new("polls");
pub const OPEN: Map<u64, bool> = Map::new("open");
pub enum ExecuteMsg { Count { id: u64 }, Run { id: u64 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Count { id } => {
            let mut poll = POLLS.load(deps.storage, id)?;
            if !matches!(poll.stage, Stage::Voting) || poll.yes < 10 {
                return Err(StdError::generic_err("not passed"));
            }
            poll.stage = Stage::Passed;
            POLLS.save(deps.storage, id, &poll)?;
            Ok(Response::new())
        }
        ExecuteMsg::Run { id } => {
            let mut poll = POLLS.load(deps.storage, id)?;
            if !OPEN.load(deps.storage, id)? {
                return Err(StdError::generic_err("closed"));
            }
            OPEN.remove(deps.storage, id);
            poll.stage = Stage::Executed;
            POLLS.save(deps.storage, id, &poll)?;
            Ok(Response::new().add_messages(poll.msgs))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, CosmosMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Map;

#[derive(PartialEq)]
pub enum Stage { Voting, Passed, Done }
pub struct Poll { pub stage: Stage, pub msgs: Vec<CosmosMsg> }
pub const POLLS: Map<u64, Poll> = Map::new("polls");
pub const DONE: Map<(&str, u64), bool> = Map::new("done");
pub enum ExecuteMsg { Run { id: u64 } }

/// The list of what is done repeats the state, which is asked.
#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Run { id } => {
            let mut poll = POLLS.load(deps.storage, id)?;
            if poll.stage != Stage::Passed {
                return Err(StdError::generic_err("not passed"));
            }
            DONE.save(deps.storage, ("run", id), &true)?;
            poll.stage = Stage::Done;
            POLLS.save(deps.storage, id, &poll)?;
            Ok(Response::new().add_messages(poll.msgs))
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Timestamp};
use cw_storage_plus::Map;

pub struct Beacon { pub verified: Timestamp, pub value: String }
pub struct Entry { pub at: u64 }
pub const BEACONS: Map<u64, Beacon> = Map::new("beacons");
pub const ENTRIES: Map<(u64, &Addr), Entry> = Map::new("entries");
pub enum ExecuteMsg { Add { round: u64, value: String } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Add { round, value } => {
            if let Some(known) = BEACONS.may_load(deps.storage, round)? {
                if known.value != value { return Err(StdError::generic_err("value")); }
            }
            if ENTRIES.has(deps.storage, (round, &info.sender)) { return Err(StdError::generic_err("twice")); }
            ENTRIES.save(deps.storage, (round, &info.sender), &Entry { at: env.block.height })?;
            if !BEACONS.has(deps.storage, round) {
                BEACONS.save(deps.storage, round, &Beacon { verified: env.block.time, value })?;
            }
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(1, "unois") }))
        }
    }
}
`,
    ],
  },
}
