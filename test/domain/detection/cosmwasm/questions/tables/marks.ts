import { unreadMarks } from "../../../../../../domain/detection/cosmwasm/saves/unreadMarks.ts"
import type { Event } from "../../../../../../domain/detection/rust/terms/events.ts"
import { show } from "../../../../../../domain/detection/rust/terms/show.ts"
import { cosmwasmTable } from "../../../../../support/cosmwasmTable.ts"

/** How the text of an event begins: `BankMsg::Send`, `TOTAL.save`. */
const startOf = ({ file, node }: Event): string => /^[\w:.]*/.exec(file.text.slice(node.start))![0]

/** Marks that an entry has had its turn, which the message sets without checking, and what is done again. */
export const marks = cosmwasmTable(
  "marks",
  {
    unread: ({ handler, crate }) =>
      unreadMarks(crate)
        .filter((one) => one.handler === handler)
        .map(
          ({ mark, repeated, isReadElsewhere }) =>
            `${show(mark.event.target.term).replaceAll("example::contract::", "")}: ${startOf(repeated)}` +
            (isReadElsewhere ? ", read elsewhere" : ""),
        )
        .join("; "),
  },
  [
    `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Deps, Env, MessageInfo, Order, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};
use cw_utils::nonpayable;

pub enum Status { Open, Done }
pub struct User { pub paid: bool, pub told: bool, pub level: u64, pub name: String, pub last: u64, pub status: Status }
pub struct Vote { pub yes: bool, pub at: u64 }

pub const ADMIN: Item<Addr> = Item::new("admin");
pub const COUNT: Item<u64> = Item::new("count");
pub const TOTALS: Map<u64, Uint128> = Map::new("totals");
pub const HELD: Map<&Addr, Uint128> = Map::new("held");
pub const NOTES: Map<&Addr, String> = Map::new("notes");
pub const NAMES: Map<&Addr, String> = Map::new("names");
pub const LINKS: Map<&Addr, Addr> = Map::new("links");
pub const DONE: Map<&Addr, bool> = Map::new("done");
pub const SHUT: Map<&Addr, bool> = Map::new("shut");
pub const COPIED: Map<&Addr, User> = Map::new("copied");
pub const INVITED: Map<&Addr, bool> = Map::new("invited");
pub const LOOKED: Map<&Addr, bool> = Map::new("looked");
pub const QUERIED: Map<&Addr, bool> = Map::new("queried");
pub const CHECKED: Map<&Addr, bool> = Map::new("checked");
pub const LISTED: Map<&Addr, bool> = Map::new("listed");
pub const SWITCH: Item<bool> = Item::new("switch");
pub const MODES: Map<&Addr, Status> = Map::new("modes");
pub const USERS: Map<&Addr, User> = Map::new("users");
pub const LOGGED: Map<&Addr, User> = Map::new("logged");
pub const TIMES: Map<&Addr, u64> = Map::new("times");
pub const CLOCKS: Map<&Addr, u64> = Map::new("clocks");
pub const VOTES: Map<&Addr, Vote> = Map::new("votes");
pub const BALLOTS: Map<&Addr, u64> = Map::new("ballots");
pub const KNOWN: Map<&Addr, u64> = Map::new("known");

pub enum ExecuteMsg {
    Claim {},
    ClaimFor { who: Addr },
    ClaimAll {},
    ClaimLinked {},
    Unclaim {},
    Twice {},
    Clear {},
    Mode {},
    Silent {},
    Counted {},
    CountedOwn {},
    Lowered {},
    Doubled {},
    Restarted {},
    ByAdmin {},
    ByOwner {},
    ByNamed { who: Addr },
    NotAdmin {},
    Queried {},
    Checked {},
    Check {},
    Enlist {},
    Strike {},
    Delist {},
    Invite {},
    Uninvite {},
    Look {},
    LookFirst {},
    Paid {},
    PaidNothing {},
    Removed {},
    RemovedFirst {},
    RemovedIfThere {},
    ReceiveHook {},
    User {},
    UserBoth {},
    UserNew {},
    UserOther { who: Addr },
    UserChecked {},
    UserCopied {},
    UserLogged {},
    UserStored {},
    UserHelped {},
    UserStatus {},
    UserLimit {},
    UserName { name: String },
    UserLevel { level: u64 },
    Note { who: Addr, text: String },
    Drip {},
    DripPlus {},
    DripStored {},
    DripNamed { at: u64 },
    DripSilent {},
    DripClock {},
    Clock {},
    Vote { yes: bool },
    VoteUnsigned { who: Addr, yes: bool },
    VoteFixed {},
    VoteSummed { weight: u128 },
    VoteByWeight { yes: bool },
    VotePaid { yes: bool },
    VoteOwn { yes: bool },
    VoteConstant { yes: bool },
    Ballot { choice: u64 },
    BallotKnown { choice: u64 },
    AskKnown {},
}

pub const LIMIT: u64 = 5;

macro_rules! ensure_owner {
    ($who:expr) => {
        if !is_owner(&$who) {
            return Err(StdError::generic_err("owner"));
        }
    };
}

fn pay(to: &Addr) -> BankMsg {
    BankMsg::Send { to_address: to.to_string(), amount: coins(100, "uatom") }
}

fn seal(user: &mut User) -> StdResult<()> {
    user.paid = true;
    Ok(())
}

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, info: MessageInfo, _msg: u64) -> StdResult<Response> {
    ADMIN.save(deps.storage, &info.sender)?;
    QUERIED.load(deps.storage, &info.sender)?;
    DONE.save(deps.storage, &info.sender, &true)?;
    ask::unread("");
    Ok(Response::new().add_message(pay(&info.sender)))
}

#[entry_point]
pub fn migrate(deps: DepsMut, _env: Env, msg: Addr) -> StdResult<Response> {
    QUERIED.load(deps.storage, &msg)?;
    Ok(Response::new())
}

#[entry_point]
pub fn query(deps: Deps, _env: Env, msg: Addr) -> StdResult<bool> {
    QUERIED.load(deps.storage, &msg)
}

#[entry_point]
pub fn sudo(deps: DepsMut, _env: Env, msg: Addr) -> StdResult<Response> {
    DONE.save(deps.storage, &msg, &true)?;
    ask::unread("");
    Ok(Response::new().add_message(pay(&msg)))
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        // A flag for the sender, or for whom the message names; not one for all, or one that storage leads to.
        ExecuteMsg::Claim {} => {
            DONE.save(deps.storage, &info.sender, &true)?;
            ask::unread("stored(DONE, info.sender): BankMsg::Send");
            Ok(Response::new().add_message(pay(&info.sender)))
        }
        ExecuteMsg::ClaimFor { who } => {
            DONE.save(deps.storage, &who, &true)?;
            ask::unread("stored(DONE, msg.<ExecuteMsg::ClaimFor>.who): BankMsg::Send");
            Ok(Response::new().add_message(pay(&who)))
        }
        ExecuteMsg::ClaimAll {} => {
            SWITCH.save(deps.storage, &true)?;
            ask::unread("");
            Ok(Response::new().add_message(pay(&info.sender)))
        }
        ExecuteMsg::ClaimLinked {} => {
            let link = LINKS.load(deps.storage, &info.sender)?;
            DONE.save(deps.storage, &link, &true)?;
            ask::unread("");
            Ok(Response::new().add_message(pay(&info.sender)))
        }
        // Only a true flag marks, and only what has a field becomes a variant.
        ExecuteMsg::Unclaim {} => {
            SHUT.save(deps.storage, &info.sender, &false)?;
            ask::unread("");
            Ok(Response::new().add_message(pay(&info.sender)))
        }
        ExecuteMsg::Twice {} => {
            TIMES.save(deps.storage, &info.sender, &1)?;
            ask::unread("");
            Ok(Response::new().add_message(pay(&info.sender)))
        }
        ExecuteMsg::Clear {} => {
            NAMES.save(deps.storage, &info.sender, &"true".to_string())?;
            ask::unread("");
            Ok(Response::new().add_message(pay(&info.sender)))
        }
        ExecuteMsg::Mode {} => {
            MODES.save(deps.storage, &info.sender, &Status::Done)?;
            ask::unread("");
            Ok(Response::new().add_message(pay(&info.sender)))
        }
        // Something is sent, or a number that all share rises.
        ExecuteMsg::Silent {} => {
            DONE.save(deps.storage, &info.sender, &true)?;
            ask::unread("");
            Ok(Response::new())
        }
        ExecuteMsg::Counted {} => {
            DONE.save(deps.storage, &info.sender, &true)?;
            COUNT.update(deps.storage, |count| -> StdResult<_> { Ok(count + 1) })?;
            ask::unread("stored(DONE, info.sender): COUNT.update");
            Ok(Response::new())
        }
        ExecuteMsg::CountedOwn {} => {
            DONE.save(deps.storage, &info.sender, &true)?;
            let held = HELD.load(deps.storage, &info.sender)?;
            HELD.save(deps.storage, &info.sender, &(held + Uint128::one()))?;
            ask::unread("");
            Ok(Response::new())
        }
        ExecuteMsg::Lowered {} => {
            DONE.save(deps.storage, &info.sender, &true)?;
            COUNT.update(deps.storage, |count| -> StdResult<_> { Ok(count - 1) })?;
            ask::unread("");
            Ok(Response::new().add_message(pay(&info.sender)))
        }
        ExecuteMsg::Doubled {} => {
            DONE.save(deps.storage, &info.sender, &true)?;
            COUNT.update(deps.storage, |count| -> StdResult<_> { Ok(count * 2) })?;
            ask::unread("");
            Ok(Response::new())
        }
        ExecuteMsg::Restarted {} => {
            DONE.save(deps.storage, &info.sender, &true)?;
            COUNT.save(deps.storage, &0)?;
            ask::unread("");
            Ok(Response::new())
        }
        // Whom the contract knows is trusted; whom only the message names, or who is not another, is not.
        ExecuteMsg::ByAdmin {} => {
            if ADMIN.load(deps.storage)? != info.sender {
                return Err(StdError::generic_err("admin"));
            }
            DONE.save(deps.storage, &info.sender, &true)?;
            ask::unread("");
            Ok(Response::new().add_message(pay(&info.sender)))
        }
        ExecuteMsg::ByOwner {} => {
            ensure_owner!(info.sender);
            DONE.save(deps.storage, &info.sender, &true)?;
            ask::unread("");
            Ok(Response::new().add_message(pay(&info.sender)))
        }
        ExecuteMsg::ByNamed { who } => {
            if who != info.sender {
                return Err(StdError::generic_err("who"));
            }
            DONE.save(deps.storage, &info.sender, &true)?;
            ask::unread("stored(DONE, info.sender): BankMsg::Send");
            Ok(Response::new().add_message(pay(&info.sender)))
        }
        ExecuteMsg::NotAdmin {} => {
            if ADMIN.load(deps.storage)? == info.sender {
                return Err(StdError::generic_err("admin"));
            }
            DONE.save(deps.storage, &info.sender, &true)?;
            ask::unread("stored(DONE, info.sender): BankMsg::Send");
            Ok(Response::new().add_message(pay(&info.sender)))
        }
        // Who reads it: no query and no migration stops the next turn; a list that is written and struck off is none.
        ExecuteMsg::Queried {} => {
            QUERIED.save(deps.storage, &info.sender, &true)?;
            ask::unread("stored(QUERIED, info.sender): BankMsg::Send");
            Ok(Response::new().add_message(pay(&info.sender)))
        }
        ExecuteMsg::Checked {} => {
            CHECKED.save(deps.storage, &info.sender, &true)?;
            ask::unread("stored(CHECKED, info.sender): BankMsg::Send, read elsewhere");
            Ok(Response::new().add_message(pay(&info.sender)))
        }
        ExecuteMsg::Check {} => {
            CHECKED.load(deps.storage, &info.sender)?;
            SHUT.save(deps.storage, &info.sender, &false)?;
            Ok(Response::new())
        }
        ExecuteMsg::Enlist {} => {
            LISTED.save(deps.storage, &info.sender, &true)?;
            ask::unread("");
            Ok(Response::new().add_message(pay(&info.sender)))
        }
        ExecuteMsg::Strike {} => {
            LISTED.remove(deps.storage, &info.sender);
            Ok(Response::new())
        }
        ExecuteMsg::Delist {} => {
            let count = LISTED.keys(deps.storage, None, None, Order::Ascending).count();
            Ok(Response::new().add_attribute("count", count.to_string()))
        }
        ExecuteMsg::Invite {} => {
            INVITED.save(deps.storage, &info.sender, &true)?;
            ask::unread("");
            Ok(Response::new().add_message(pay(&info.sender)))
        }
        ExecuteMsg::Uninvite {} => {
            INVITED.load(deps.storage, &info.sender)?;
            INVITED.save(deps.storage, &info.sender, &false)?;
            Ok(Response::new())
        }
        ExecuteMsg::Look {} => {
            let done = LOOKED.may_load(deps.storage, &info.sender)?;
            LOOKED.save(deps.storage, &info.sender, &true)?;
            ask::unread("");
            Ok(Response::new().add_message(pay(&info.sender)))
        }
        ExecuteMsg::LookFirst {} => {
            if LOOKED.has(deps.storage, &info.sender) {
                return Err(StdError::generic_err("done"));
            }
            LOOKED.save(deps.storage, &info.sender, &true)?;
            ask::unread("");
            Ok(Response::new().add_message(pay(&info.sender)))
        }
        // Each turn is paid for, or takes something away.
        ExecuteMsg::Paid {} => {
            DONE.save(deps.storage, &info.sender, &true)?;
            if info.funds[0].amount < Uint128::new(5) {
                return Err(StdError::generic_err("price"));
            }
            ask::unread("");
            Ok(Response::new().add_message(pay(&info.sender)))
        }
        ExecuteMsg::PaidNothing {} => {
            nonpayable(&info)?;
            DONE.save(deps.storage, &info.sender, &true)?;
            ask::unread("stored(DONE, info.sender): BankMsg::Send");
            Ok(Response::new().add_message(pay(&info.sender)))
        }
        ExecuteMsg::Removed {} => {
            DONE.save(deps.storage, &info.sender, &true)?;
            NAMES.remove(deps.storage, &info.sender);
            ask::unread("stored(DONE, info.sender): BankMsg::Send");
            Ok(Response::new().add_message(pay(&info.sender)))
        }
        ExecuteMsg::RemovedFirst {} => {
            let held = HELD.load(deps.storage, &info.sender)?;
            DONE.save(deps.storage, &info.sender, &true)?;
            HELD.remove(deps.storage, &info.sender);
            ask::unread("");
            Ok(Response::new().add_message(pay(&info.sender)))
        }
        ExecuteMsg::RemovedIfThere {} => {
            if !NAMES.has(deps.storage, &info.sender) {
                return Err(StdError::generic_err("name"));
            }
            DONE.save(deps.storage, &info.sender, &true)?;
            NAMES.remove(deps.storage, &info.sender);
            ask::unread("");
            Ok(Response::new().add_message(pay(&info.sender)))
        }
        ExecuteMsg::ReceiveHook {} => {
            DONE.save(deps.storage, &info.sender, &true)?;
            ask::unread("");
            Ok(Response::new().add_message(pay(&info.sender)))
        }
        // A field of a record that is changed, unless the record is new, another's, or looked at.
        ExecuteMsg::User {} => {
            let mut user = USERS.load(deps.storage, &info.sender)?;
            user.paid = true;
            USERS.save(deps.storage, &info.sender, &user)?;
            ask::unread("stored(USERS, info.sender).paid: BankMsg::Send");
            Ok(Response::new().add_message(pay(&info.sender)))
        }
        ExecuteMsg::UserBoth {} => {
            let user = USERS.load(deps.storage, &info.sender)?;
            USERS.save(deps.storage, &info.sender, &User { paid: true, told: true, ..user })?;
            ask::unread("stored(USERS, info.sender): BankMsg::Send");
            Ok(Response::new().add_message(pay(&info.sender)))
        }
        ExecuteMsg::UserNew {} => {
            let user = User { paid: true, told: false, level: 0, name: "n".to_string(), last: 0, status: Status::Open };
            USERS.save(deps.storage, &info.sender, &user)?;
            ask::unread("");
            Ok(Response::new().add_message(pay(&info.sender)))
        }
        ExecuteMsg::UserOther { who } => {
            let other = USERS.load(deps.storage, &who)?;
            USERS.save(deps.storage, &info.sender, &User { paid: true, told: false, ..other })?;
            ask::unread("");
            Ok(Response::new().add_message(pay(&info.sender)))
        }
        ExecuteMsg::UserChecked {} => {
            let mut user = USERS.load(deps.storage, &info.sender)?;
            if user.told {
                return Err(StdError::generic_err("told"));
            }
            user.told = true;
            USERS.save(deps.storage, &info.sender, &user)?;
            ask::unread("");
            Ok(Response::new().add_message(pay(&info.sender)))
        }
        ExecuteMsg::UserCopied {} => {
            let mut user = COPIED.load(deps.storage, &info.sender)?;
            user.paid = user.told;
            user.told = true;
            COPIED.save(deps.storage, &info.sender, &user)?;
            ask::unread("");
            Ok(Response::new().add_message(pay(&info.sender)))
        }
        ExecuteMsg::UserLogged {} => {
            let mut user = LOGGED.load(deps.storage, &info.sender)?;
            user.paid = true;
            seen(&user);
            LOGGED.save(deps.storage, &info.sender, &user)?;
            ask::unread("");
            Ok(Response::new().add_message(pay(&info.sender)))
        }
        ExecuteMsg::UserStored {} => {
            let mut user = USERS.load(deps.storage, &info.sender)?;
            user.paid = true;
            USERS.save(deps.storage, &info.sender, &user.clone())?;
            ask::unread("stored(USERS, info.sender).paid: BankMsg::Send");
            Ok(Response::new().add_message(pay(&info.sender)))
        }
        ExecuteMsg::UserHelped {} => {
            let mut user = USERS.load(deps.storage, &info.sender)?;
            seal(&mut user)?;
            USERS.save(deps.storage, &info.sender, &user)?;
            ask::unread("stored(USERS, info.sender).paid: BankMsg::Send");
            Ok(Response::new().add_message(pay(&info.sender)))
        }
        ExecuteMsg::UserStatus {} => {
            let mut user = USERS.load(deps.storage, &info.sender)?;
            user.status = Status::Done;
            USERS.save(deps.storage, &info.sender, &user)?;
            ask::unread("stored(USERS, info.sender).status: BankMsg::Send");
            Ok(Response::new().add_message(pay(&info.sender)))
        }
        ExecuteMsg::UserLimit {} => {
            let mut user = USERS.load(deps.storage, &info.sender)?;
            user.level = LIMIT;
            USERS.save(deps.storage, &info.sender, &user)?;
            ask::unread("");
            Ok(Response::new().add_message(pay(&info.sender)))
        }
        ExecuteMsg::UserName { name } => {
            let mut user = USERS.load(deps.storage, &info.sender)?;
            user.name = name;
            USERS.save(deps.storage, &info.sender, &user)?;
            ask::unread("");
            Ok(Response::new().add_message(pay(&info.sender)))
        }
        ExecuteMsg::UserLevel { level } => {
            let mut user = USERS.load(deps.storage, &info.sender)?;
            user.level = level;
            USERS.save(deps.storage, &info.sender, &user)?;
            TOTALS.save(deps.storage, 1, &(TOTALS.load(deps.storage, 1)? + weight_of(&info.sender)))?;
            ask::unread("");
            Ok(Response::new())
        }
        ExecuteMsg::Note { who, text } => {
            NOTES.save(deps.storage, &who, &text)?;
            TOTALS.save(deps.storage, 1, &(TOTALS.load(deps.storage, 1)? + weight_of(&info.sender)))?;
            ask::unread("");
            Ok(Response::new())
        }
        // A time is that of the block, neither later nor another's, and decides only what is sent.
        ExecuteMsg::Drip {} => {
            TIMES.save(deps.storage, &info.sender, &env.block.time.seconds())?;
            ask::unread("stored(TIMES, info.sender): BankMsg::Send");
            Ok(Response::new().add_message(pay(&info.sender)))
        }
        ExecuteMsg::DripPlus {} => {
            TIMES.save(deps.storage, &info.sender, &(env.block.time.seconds() + 60))?;
            ask::unread("");
            Ok(Response::new().add_message(pay(&info.sender)))
        }
        ExecuteMsg::DripStored {} => {
            let start = COUNT.load(deps.storage)?;
            TIMES.save(deps.storage, &info.sender, &start.max(env.block.time.seconds()))?;
            ask::unread("");
            Ok(Response::new().add_message(pay(&info.sender)))
        }
        ExecuteMsg::DripNamed { at } => {
            TIMES.save(deps.storage, &info.sender, &at.max(env.block.time.seconds()))?;
            ask::unread("");
            Ok(Response::new().add_message(pay(&info.sender)))
        }
        ExecuteMsg::DripSilent {} => {
            TIMES.save(deps.storage, &info.sender, &env.block.time.seconds())?;
            COUNT.update(deps.storage, |count| -> StdResult<_> { Ok(count + 1) })?;
            ask::unread("");
            Ok(Response::new())
        }
        ExecuteMsg::DripClock {} => {
            CLOCKS.save(deps.storage, &info.sender, &env.block.time.seconds())?;
            ask::unread("");
            Ok(Response::new().add_message(pay(&info.sender)))
        }
        ExecuteMsg::Clock {} => {
            let last = CLOCKS.load(deps.storage, &info.sender)?;
            Ok(Response::new().add_attribute("last", last.to_string()))
        }
        // A vote is the sender's own, says what the message says, and is counted for all.
        ExecuteMsg::Vote { yes } => {
            VOTES.save(deps.storage, &info.sender, &Vote { yes, at: env.block.height })?;
            let sum = TOTALS.load(deps.storage, yes as u64)?;
            TOTALS.save(deps.storage, yes as u64, &(sum + weight_of(&info.sender)))?;
            ask::unread("stored(VOTES, info.sender): TOTALS.save");
            Ok(Response::new())
        }
        ExecuteMsg::VoteUnsigned { who, yes } => {
            VOTES.save(deps.storage, &who, &Vote { yes, at: 0 })?;
            TOTALS.save(deps.storage, 1, &(TOTALS.load(deps.storage, 1)? + weight_of(&who)))?;
            ask::unread("");
            Ok(Response::new())
        }
        ExecuteMsg::VoteFixed {} => {
            VOTES.save(deps.storage, &info.sender, &Vote { yes: false, at: env.block.height })?;
            TOTALS.save(deps.storage, 1, &(TOTALS.load(deps.storage, 1)? + weight_of(&info.sender)))?;
            ask::unread("");
            Ok(Response::new())
        }
        ExecuteMsg::VoteSummed { weight } => {
            VOTES.save(deps.storage, &info.sender, &Vote { yes: weight > 0, at: 0 })?;
            TOTALS.save(deps.storage, 1, &TOTALS.load(deps.storage, 1)?.checked_add(Uint128::new(weight))?)?;
            ask::unread("stored(VOTES, info.sender): TOTALS.save");
            Ok(Response::new())
        }
        ExecuteMsg::VoteByWeight { yes } => {
            VOTES.save(deps.storage, &info.sender, &Vote { yes, at: 0 })?;
            TOTALS.save(deps.storage, 1, &weight_of(&info.sender))?;
            ask::unread("");
            Ok(Response::new())
        }
        ExecuteMsg::VotePaid { yes } => {
            VOTES.save(deps.storage, &info.sender, &Vote { yes, at: 0 })?;
            let paid = info.funds.iter().map(|one| one.amount).sum::<Uint128>();
            TOTALS.save(deps.storage, 1, &(TOTALS.load(deps.storage, 1)? + paid + weight_of(&info.sender)))?;
            ask::unread("");
            Ok(Response::new())
        }
        ExecuteMsg::VoteOwn { yes } => {
            VOTES.save(deps.storage, &info.sender, &Vote { yes, at: 0 })?;
            let held = HELD.may_load(deps.storage, &info.sender)?.unwrap_or_default();
            HELD.save(deps.storage, &info.sender, &(held + weight_of(&info.sender)))?;
            ask::unread("");
            Ok(Response::new())
        }
        ExecuteMsg::VoteConstant { yes } => {
            VOTES.save(deps.storage, &info.sender, &Vote { yes, at: 0 })?;
            COUNT.update(deps.storage, |count| -> StdResult<_> { Ok(count + 1) })?;
            ask::unread("");
            Ok(Response::new())
        }
        ExecuteMsg::Ballot { choice } => {
            BALLOTS.save(deps.storage, &info.sender, &choice)?;
            TOTALS.save(deps.storage, 1, &(TOTALS.load(deps.storage, 1)? + weight_of(&info.sender)))?;
            ask::unread("stored(BALLOTS, info.sender): TOTALS.save");
            Ok(Response::new())
        }
        ExecuteMsg::BallotKnown { choice } => {
            KNOWN.save(deps.storage, &info.sender, &choice)?;
            TOTALS.save(deps.storage, 1, &(TOTALS.load(deps.storage, 1)? + weight_of(&info.sender)))?;
            ask::unread("");
            Ok(Response::new())
        }
        ExecuteMsg::AskKnown {} => {
            KNOWN.load(deps.storage, &info.sender)?;
            Ok(Response::new())
        }
    }
}
`,
  ],
)
