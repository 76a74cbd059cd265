import type { Rule } from "../../../Rule.ts"
import type { Resolver } from "../../../rust/crate/resolve.ts"
import { type Event, guaranteed } from "../../../rust/terms/events.ts"
import type { Term } from "../../../rust/terms/terms.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import { isAuthorized } from "../../authority/authority.ts"
import { agreedTimes, type AgreedTimes, asksClock, expiryBeside, looksAtTime } from "../../questions/blockTime.ts"
import { senderQuestions } from "../../authority/callerIdentity.ts"
import { earlyReleases } from "../../saves/earlyReleases.ts"
import { forgottenTimes } from "../../inputs/forgottenTimes.ts"
import type { CosmWasmProgram, Handler } from "../../program/model.ts"
import { comparisonsOf } from "../../questions/questions.ts"
import { paysNamed } from "../../authority/records.ts"
import { storedPlace } from "../../program/semantics.ts"
import { type StorageWrite, storageWrites } from "../../questions/storageWrites.ts"
import { touches } from "../../questions/touches.ts"
import { wayTo } from "../../questions/way.ts"

export const uncheckedTime: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/logic/unchecked-time",
    class: "unchecked-expiry",
    title: "Expiration or end time is not checked",
    severity: "medium",
    confidence: "medium",
    cwe: [672, 841],
    description:
      "A record states until when it is valid or running, but this message ignores that time. Either anyone can " +
      "settle the record early, although other messages still treat it as running (an auction ends with the " +
      "first bid), or an expired right is still honored (a spender whose approval has run out takes the token).",
    remediation:
      "Compare the record's time with `env.block` before acting on it, as the other messages do: " +
      "`if env.block.time < auction.ends { return Err(…) }`, `if approval.expires.is_expired(&env.block) { return Err(…) }`.",
    references: ["https://docs.rs/cw-utils/latest/cw_utils/enum.Expiration.html"],
  },
  check: (program, report) => {
    for (const crate of program.crates) {
      const times = agreedTimes(crate)
      const forgotten = forgottenTimes(crate)
      const released = earlyReleases(crate)
      for (const entry of crate.entryPoints) {
        if (entry.kind !== "execute") continue
        for (const handler of entry.handlers) {
          const early = settledEarly(handler, times)
          const late = expiredRight(crate.project.resolver, handler)
          const own = released.get(handler)
          const event = early?.event ?? late ?? own ?? forgotten.get(handler)
          if (event === undefined) continue
          report({
            ...placeOf(event),
            // That no message asks is no evidence of what anyone gains by it.
            ...((early ?? late ?? own) ? {} : { severity: "low" as const }),
            message:
              early !== undefined
                ? "Other messages wait for this record's time; here, anyone can settle it early."
                : late !== undefined
                  ? "The sender's right may have expired: its expiration is never checked."
                  : own !== undefined
                    ? "Elsewhere, the owner of this record has to wait for its time; here, it is released at once."
                    : "The record has an expiration that no message ever checks.",
            trace: wayTo(handler, event),
          })
        }
      }
    }
  },
  examples: {
    vulnerable: [
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Timestamp, Uint128};
use cw_storage_plus::Map;
use cw_utils::must_pay;

pub struct Auction { pub seller: Addr, pub ends: Timestamp, pub best: Uint128, pub bidder: Option<Addr> }
pub const AUCTIONS: Map<u64, Auction> = Map::new("auctions");
pub enum ExecuteMsg { Bid { id: u64 }, Settle { id: u64 } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Bid { id } => {
            let mut auction = AUCTIONS.load(deps.storage, id)?;
            if env.block.time >= auction.ends {
                return Err(StdError::generic_err("ended"));
            }
            auction.best = must_pay(&info, "uatom").map_err(|_| StdError::generic_err("payment"))?;
            auction.bidder = Some(info.sender);
            AUCTIONS.save(deps.storage, id, &auction)?;
            Ok(Response::new())
        }
        ExecuteMsg::Settle { id } => {
            let auction = AUCTIONS.load(deps.storage, id)?;
            AUCTIONS.remove(deps.storage, id); // FINDING
            let to_address = auction.seller.to_string();
            Ok(Response::new().add_message(BankMsg::Send { to_address, amount: coins(auction.best.u128(), "uatom") }))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Map;
use cw_utils::Expiration;

pub struct Approval { pub spender: Addr, pub expires: Expiration }
pub struct Nft { pub owner: Addr, pub approval: Option<Approval> }
pub const NFTS: Map<&str, Nft> = Map::new("nfts");
pub enum ExecuteMsg { Approve { id: String, spender: String, expires: Expiration }, Take { id: String } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Approve { id, spender, expires } => {
            let mut nft = NFTS.load(deps.storage, &id)?;
            if nft.owner != info.sender {
                return Err(StdError::generic_err("owner"));
            }
            nft.approval = Some(Approval { spender: deps.api.addr_validate(&spender)?, expires });
            NFTS.save(deps.storage, &id, &nft)?;
        }
        ExecuteMsg::Take { id } => {
            let mut nft = NFTS.load(deps.storage, &id)?; // FINDING
            let approval = nft.approval.take().ok_or_else(|| StdError::generic_err("no approval"))?;
            if approval.spender != info.sender {
                return Err(StdError::generic_err("spender"));
            }
            nft.owner = info.sender;
            NFTS.save(deps.storage, &id, &nft)?;
        }
    }
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Timestamp, Uint128};
use cw_storage_plus::{Item, Map};
use cw_utils::must_pay;

pub struct Lock { pub amount: Uint128, pub until: Timestamp }
pub struct Offer { pub to: Addr, pub ttl: u64 }
pub const LOCKS: Map<&Addr, Lock> = Map::new("locks");
pub const OFFER: Item<Offer> = Item::new("offer");
pub const OWNER: Item<Addr> = Item::new("owner");
pub enum ExecuteMsg { Lock {}, Release {}, Propose { to: String }, Claim {} }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Lock {} => {
            let amount = must_pay(&info, "uatom")?;
            LOCKS.save(deps.storage, &info.sender, &Lock { amount, until: env.block.time.plus_seconds(86_400) })?;
            Ok(Response::new())
        }
        ExecuteMsg::Release {} => {
            let lock = LOCKS.load(deps.storage, &info.sender)?;
            LOCKS.remove(deps.storage, &info.sender); // FINDING
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(lock.amount.u128(), "uatom") }))
        }
        ExecuteMsg::Propose { to } => {
            if info.sender != OWNER.load(deps.storage)? {
                return Err(StdError::generic_err("owner"));
            }
            OFFER.save(deps.storage, &Offer { to: deps.api.addr_validate(&to)?, ttl: env.block.height + 100 })?;
            Ok(Response::new())
        }
        ExecuteMsg::Claim {} => {
            let offer = OFFER.load(deps.storage)?;
            if info.sender != offer.to {
                return Err(StdError::generic_err("offer"));
            }
            OFFER.remove(deps.storage); // FINDING
            OWNER.save(deps.storage, &info.sender)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Timestamp, Uint128};
use cw_storage_plus::{Item, Map};
use cw_utils::{must_pay, Expiration};

pub struct Approval { pub spender: Addr, pub expires: Expiration }
pub struct Nft { pub owner: Addr, pub approvals: Vec<Approval> }
pub struct Pass { pub holder: Addr, pub expires: Expiration }
pub struct Deputy { pub address: Addr, pub expires: Expiration }
pub struct Auction { pub seller: Addr, pub ends: Timestamp, pub best: Uint128 }
pub const PAUSED: Item<bool> = Item::new("paused");
pub const NFTS: Map<&str, Nft> = Map::new("nfts");
pub const PASSES: Map<&str, Pass> = Map::new("passes");
pub const DEPUTY: Item<Deputy> = Item::new("deputy");
pub const AUCTIONS: Map<u64, Auction> = Map::new("auctions");
pub const CURRENT: Item<u64> = Item::new("current");
pub enum ExecuteMsg { Take { id: String, pass: String }, Pause {}, Bid {}, Settle {} }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    if PAUSED.load(deps.storage)? {
        return Err(StdError::generic_err("paused"));
    }
    match msg {
        // The pass may have expired, and so may the approval: only one of them is asked.
        ExecuteMsg::Take { id, pass } => {
            let pass = PASSES.load(deps.storage, &pass)?;
            if pass.expires.is_expired(&env.block) {
                return Err(StdError::generic_err("pass"));
            }
            let mut nft = NFTS.load(deps.storage, &id)?; // FINDING
            for approval in &nft.approvals {
                if approval.spender == info.sender {
                    nft.owner = info.sender.clone();
                }
            }
            NFTS.save(deps.storage, &id, &nft)?;
            Ok(Response::new())
        }
        ExecuteMsg::Pause {} => {
            if DEPUTY.load(deps.storage)?.address != info.sender { // FINDING
                return Err(StdError::generic_err("deputy"));
            }
            PAUSED.save(deps.storage, &true)?;
            Ok(Response::new())
        }
        ExecuteMsg::Bid {} => {
            let id = CURRENT.load(deps.storage)?;
            let mut auction = AUCTIONS.load(deps.storage, id)?;
            if env.block.time >= auction.ends {
                return Err(StdError::generic_err("ended"));
            }
            auction.best = must_pay(&info, "uatom")?;
            AUCTIONS.save(deps.storage, id, &auction)?;
            Ok(Response::new())
        }
        ExecuteMsg::Settle {} => {
            let id = CURRENT.load(deps.storage)?;
            let auction = AUCTIONS.load(deps.storage, id)?;
            AUCTIONS.remove(deps.storage, id); // FINDING
            let to_address = auction.seller.to_string();
            Ok(Response::new().add_message(BankMsg::Send { to_address, amount: coins(auction.best.u128(), "uatom") }))
        }
    }
}`,
      `use cosmwasm_std::{coins, entry_point, to_json_binary, Addr, BankMsg, Binary, Deps, DepsMut, Env, MessageInfo, Response, StdResult, Timestamp, Uint128};
use cw_storage_plus::{Item, Map};
use cw_utils::must_pay;

pub struct Lock { pub amount: Uint128, pub until: Timestamp }
pub const LOCKS: Map<&Addr, Lock> = Map::new("locks");
pub const TIP: Item<Uint128> = Item::new("tip");
pub enum QueryMsg { Lock { who: Addr } }
pub enum ExecuteMsg { Lock {}, Extend {}, Release {}, Tip {} }
pub enum SudoMsg { Release { who: Addr } }

fn label(lock: &Lock) -> String {
    format!("locked {}", lock.amount)
}

fn pay(to: &Addr, amount: Uint128) -> BankMsg {
    BankMsg::Send { to_address: to.to_string(), amount: coins(amount.u128(), "uatom") }
}

// A query that shows the time holds nobody back.
#[entry_point]
pub fn query(deps: Deps, _env: Env, msg: QueryMsg) -> StdResult<Binary> {
    let QueryMsg::Lock { who } = msg;
    to_json_binary(&LOCKS.load(deps.storage, &who)?.until.seconds())
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Lock {} => {
            let amount = must_pay(&info, "uatom")?;
            LOCKS.save(deps.storage, &info.sender, &Lock { amount, until: env.block.time.plus_seconds(86_400) })?;
            Ok(Response::new())
        }
        ExecuteMsg::Extend {} => {
            let mut lock = LOCKS.load(deps.storage, &info.sender)?;
            lock.until = env.block.time.plus_seconds(172_800);
            LOCKS.save(deps.storage, &info.sender, &lock)?;
            Ok(Response::new())
        }
        ExecuteMsg::Release {} => {
            let lock = LOCKS.load(deps.storage, &info.sender)?;
            let text = label(&lock);
            LOCKS.remove(deps.storage, &info.sender); // FINDING
            Ok(Response::new().add_message(pay(&info.sender, lock.amount)).add_attribute("lock", text))
        }
        // Not from a lock.
        ExecuteMsg::Tip {} => Ok(Response::new().add_message(pay(&info.sender, TIP.load(deps.storage)?))),
    }
}

#[entry_point]
pub fn sudo(deps: DepsMut, _env: Env, msg: SudoMsg) -> StdResult<Response> {
    let SudoMsg::Release { who } = msg;
    let lock = LOCKS.load(deps.storage, &who)?;
    LOCKS.remove(deps.storage, &who);
    Ok(Response::new().add_message(pay(&who, lock.amount)))
}`,
      `use cosmwasm_std::{coins, entry_point, to_json_binary, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, Uint128, WasmMsg};
use cw_storage_plus::{Item, Map};
pub const OWNER: Item<Addr> = Item::new("owner");

pub struct Vest { pub to: Addr, pub sum: Uint128, pub ends: u64 }
pub const VESTS: Map<&str, Vest> = Map::new("vests");

pub enum ExecuteMsg { Claim { name: String }, Collapse { name: String } }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Claim { name } => {
            let vest = VESTS.load(deps.storage, &name)?;
            if vest.to != info.sender { return Err(StdError::generic_err("to")); }
            if env.block.time.seconds() < vest.ends { return Err(StdError::generic_err("early")); }
            VESTS.remove(deps.storage, &name);
            Ok(Response::new().add_message(BankMsg::Send { to_address: vest.to.to_string(), amount: coins(vest.sum.u128(), "ujuno") }))
        }
        ExecuteMsg::Collapse { name } => {
            let vest = VESTS.load(deps.storage, &name)?;
            if vest.to != info.sender { return Err(StdError::generic_err("to")); }
            VESTS.remove(deps.storage, &name); // FINDING
            Ok(Response::new().add_message(WasmMsg::Execute { contract_addr: OWNER.load(deps.storage)?.to_string(), msg: to_json_binary(&vest.to)?, funds: coins(vest.sum.u128(), "ujuno") }))
        }
    }
}
`,
      `use cosmwasm_std::{coins, ensure, ensure_eq, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, Uint128};
use cw_storage_plus::{Item, Map};
use cw_utils::must_pay;

pub struct Position { pub owner: Addr, pub size: Uint128, pub unlocks: u64 }
pub const POSITIONS: Map<u64, Position> = Map::new("positions");
pub const NEXT: Item<u64> = Item::new("next");

pub enum ExecuteMsg { Create { blocks: u64 }, Close { id: u64 }, Merge { from: u64, into: u64 } }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Create { blocks } => {
            let size = must_pay(&info, "uosmo").map_err(|e| StdError::generic_err(e.to_string()))?;
            let id = NEXT.may_load(deps.storage)?.unwrap_or_default();
            NEXT.save(deps.storage, &(id + 1))?;
            POSITIONS.save(deps.storage, id, &Position { owner: info.sender, size, unlocks: env.block.height + blocks })?;
            Ok(Response::new())
        }
        ExecuteMsg::Close { id } => {
            let position = POSITIONS.load(deps.storage, id)?;
            ensure_eq!(position.owner, info.sender, StdError::generic_err("owner"));
            ensure!(position.unlocks <= env.block.height, StdError::generic_err("locked"));
            POSITIONS.remove(deps.storage, id);
            Ok(Response::new().add_message(BankMsg::Send { to_address: position.owner.to_string(), amount: coins(position.size.u128(), "uosmo") }))
        }
        ExecuteMsg::Merge { from, into } => {
            let one = POSITIONS.load(deps.storage, from)?;
            ensure_eq!(one.owner, info.sender, StdError::generic_err("owner"));
            let mut other = POSITIONS.load(deps.storage, into)?;
            ensure_eq!(other.owner, info.sender, StdError::generic_err("owner"));
            ensure!(from != into, StdError::generic_err("same"));
            other.size += one.size;
            POSITIONS.remove(deps.storage, from); // FINDING
            POSITIONS.save(deps.storage, into, &other)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{coins, ensure, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, Timestamp, Uint128};
use cw_storage_plus::{Item, Map};
use cw_utils::must_pay;
pub const OWNER: Item<Addr> = Item::new("owner");

pub struct Part { pub coins: Uint128, pub free_at: Timestamp }
pub struct Saver { pub parts: Vec<Part> }
pub const SAVERS: Map<&Addr, Saver> = Map::new("savers");

pub enum ExecuteMsg { Put {}, Pull {} }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Put {} => {
            let paid = must_pay(&info, "uosmo").map_err(|e| StdError::generic_err(e.to_string()))?;
            let mut saver = SAVERS.may_load(deps.storage, &info.sender)?.unwrap_or(Saver { parts: vec![] });
            ensure!(saver.parts.len() < 10, StdError::generic_err("many"));
            saver.parts.push(Part { coins: paid, free_at: env.block.time.plus_days(14) });
            SAVERS.save(deps.storage, &info.sender, &saver)?;
            Ok(Response::new())
        }
        ExecuteMsg::Pull {} => {
            let mut saver = SAVERS.load(deps.storage, &info.sender)?;
            let mut sum = Uint128::zero();
            for part in &saver.parts {
                sum += part.coins;
            }
            saver.parts.clear();
            SAVERS.save(deps.storage, &info.sender, &saver)?;
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(sum.u128(), "uosmo") })) // FINDING
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::Map;
use cw_utils::must_pay;

pub struct Stake { pub amount: Uint128, pub power: Uint128, pub until: u64 }
pub const STAKES: Map<&Addr, Stake> = Map::new("stakes");
pub enum ExecuteMsg { Lock { weeks: u64 }, Leave {} }

/// Rounded to whole weeks, it is still a time.
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let now = env.block.time.seconds();
    match msg {
        ExecuteMsg::Lock { weeks } => {
            let amount = must_pay(&info, "uatom").map_err(|_| StdError::generic_err("payment"))?;
            let power = amount;
            STAKES.save(deps.storage, &info.sender, &Stake { amount, power, until: (now / 604800 + weeks) * 604800 })?;
            Ok(Response::new())
        }
        ExecuteMsg::Leave {} => {
            let stake = STAKES.load(deps.storage, &info.sender)?;
            STAKES.remove(deps.storage, &info.sender); // FINDING
            let to_address = info.sender.to_string();
            Ok(Response::new().add_message(BankMsg::Send { to_address, amount: coins(stake.amount.u128(), "uatom") }))
        }
    }
}
`,
    ],
    safe: [
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Timestamp, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Auction { pub seller: Addr, pub ends: Timestamp, pub best: Uint128, pub bought: bool }
pub const AUCTIONS: Map<u64, Auction> = Map::new("auctions");
pub const PAUSED_UNTIL: Item<Timestamp> = Item::new("paused");
pub enum ExecuteMsg { Bid { id: u64 }, Settle { id: u64 }, Cancel { id: u64 }, Buy { id: u64 }, Later { id: u64 }, Drop { id: u64 } }

fn pay(to: &Addr, amount: Uint128) -> Response {
    Response::new().add_message(BankMsg::Send { to_address: to.to_string(), amount: coins(amount.u128(), "uatom") })
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Bid { id } => {
            let mut auction = AUCTIONS.load(deps.storage, id)?;
            if env.block.time >= auction.ends {
                return Err(StdError::generic_err("ended"));
            }
            auction.best = info.funds[0].amount;
            AUCTIONS.save(deps.storage, id, &auction)?;
            Ok(Response::new())
        }
        ExecuteMsg::Settle { id } => {
            let auction = AUCTIONS.load(deps.storage, id)?;
            if env.block.time < auction.ends {
                return Err(StdError::generic_err("running"));
            }
            AUCTIONS.remove(deps.storage, id);
            Ok(pay(&auction.seller, auction.best))
        }
        ExecuteMsg::Cancel { id } => {
            let auction = AUCTIONS.load(deps.storage, id)?;
            if auction.seller != info.sender {
                return Err(StdError::generic_err("seller"));
            }
            AUCTIONS.remove(deps.storage, id);
            Ok(pay(&auction.seller, auction.best))
        }
        ExecuteMsg::Buy { id } => {
            let auction = AUCTIONS.load(deps.storage, id)?;
            if info.funds[0].amount < auction.best {
                return Err(StdError::generic_err("too little"));
            }
            AUCTIONS.remove(deps.storage, id);
            Ok(pay(&auction.seller, auction.best))
        }
        ExecuteMsg::Later { id } => {
            if PAUSED_UNTIL.load(deps.storage)? > env.block.time {
                return Err(StdError::generic_err("paused"));
            }
            let auction = AUCTIONS.load(deps.storage, id)?;
            AUCTIONS.remove(deps.storage, id);
            Ok(pay(&auction.seller, auction.best))
        }
        ExecuteMsg::Drop { id } => {
            let auction = AUCTIONS.load(deps.storage, id)?;
            if !auction.bought {
                return Err(StdError::generic_err("not bought"));
            }
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Map;
use cw_utils::Expiration;

pub struct Approval { pub spender: Addr, pub expires: Expiration }
pub struct Nft { pub owner: Addr, pub approval: Option<Approval> }
pub const NFTS: Map<&str, Nft> = Map::new("nfts");
pub enum ExecuteMsg { Give { id: String, to: String }, Take { id: String } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Give { id, to } => {
            let mut nft = NFTS.load(deps.storage, &id)?;
            if nft.owner != info.sender {
                return Err(StdError::generic_err("owner"));
            }
            nft.owner = deps.api.addr_validate(&to)?;
            NFTS.save(deps.storage, &id, &nft)?;
        }
        ExecuteMsg::Take { id } => {
            let mut nft = NFTS.load(deps.storage, &id)?;
            let approval = nft.approval.take().ok_or_else(|| StdError::generic_err("no approval"))?;
            if approval.spender != info.sender || approval.expires.is_expired(&env.block) {
                return Err(StdError::generic_err("spender"));
            }
            nft.owner = info.sender;
            NFTS.save(deps.storage, &id, &nft)?;
        }
    }
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, BlockInfo, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Timestamp, Uint128};
use cw_storage_plus::Map;
use cw_utils::must_pay;

pub struct Lock { pub amount: Uint128, pub until: Timestamp }
impl Lock {
    fn is_over(&self, block: &BlockInfo) -> bool {
        block.time >= self.until
    }
}
pub struct Deposit { pub amount: Uint128, pub since: u64, pub height: u64 }
pub struct Term { pub amount: Uint128, pub end: u64 }
pub struct Plan { pub amount: Uint128, pub end: u64 }
pub const LOCKS: Map<&Addr, Lock> = Map::new("locks");
pub const DEPOSITS: Map<&Addr, Deposit> = Map::new("deposits");
pub const TERMS: Map<&Addr, Term> = Map::new("terms");
pub const PLANS: Map<&Addr, Plan> = Map::new("plans");
pub enum ExecuteMsg { Lock {}, Release {}, Deposit {}, Withdraw {}, Start {}, Stop {}, Plan {}, Vest {} }

fn pay(to: &Addr, amount: Uint128) -> Response {
    Response::new().add_message(BankMsg::Send { to_address: to.to_string(), amount: coins(amount.u128(), "uatom") })
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let amount = must_pay(&info, "uatom")?;
    match msg {
        ExecuteMsg::Lock {} => LOCKS.save(deps.storage, &info.sender, &Lock { amount, until: env.block.time.plus_seconds(86_400) })?,
        ExecuteMsg::Release {} => {
            let lock = LOCKS.load(deps.storage, &info.sender)?;
            if !lock.is_over(&env.block) {
                return Err(StdError::generic_err("locked"));
            }
            LOCKS.remove(deps.storage, &info.sender);
            return Ok(pay(&info.sender, lock.amount));
        }
        // Since when is history, not a promise.
        ExecuteMsg::Deposit {} => DEPOSITS.save(deps.storage, &info.sender, &Deposit { amount, since: env.block.time.seconds(), height: env.block.height })?,
        ExecuteMsg::Withdraw {} => {
            let deposit = DEPOSITS.load(deps.storage, &info.sender)?;
            DEPOSITS.remove(deps.storage, &info.sender);
            return Ok(pay(&info.sender, deposit.amount));
        }
        ExecuteMsg::Start {} => TERMS.save(deps.storage, &info.sender, &Term { amount, end: env.block.height + 10 })?,
        ExecuteMsg::Stop {} => {
            let term = TERMS.load(deps.storage, &info.sender)?;
            terms::assert_over(&term, &env.block)?;
            TERMS.remove(deps.storage, &info.sender);
            return Ok(pay(&info.sender, term.amount));
        }
        ExecuteMsg::Plan {} => PLANS.save(deps.storage, &info.sender, &Plan { amount, end: env.block.height + 10 })?,
        ExecuteMsg::Vest {} => {
            let plan = PLANS.load(deps.storage, &info.sender)?;
            PLANS.remove(deps.storage, &info.sender);
            let left = plan.end.saturating_sub(env.block.height);
            return Ok(pay(&info.sender, plan.amount.multiply_ratio(left, 10u64)));
        }
    }
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{coins, ensure, entry_point, Addr, BankMsg, Binary, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Timestamp, Uint128};
use cw_storage_plus::{Item, Map};
use cw_utils::Expiration;

pub struct Auction { pub seller: Addr, pub ends: Timestamp, pub best: Uint128, pub rent: Uint128, pub bought: bool }
pub struct Offer { pub maker: Addr, pub amount: Uint128 }
pub struct Approval { pub spender: Addr, pub expires: Expiration }
pub const AUCTIONS: Map<u64, Auction> = Map::new("auctions");
pub const OFFERS: Map<u64, Offer> = Map::new("offers");
pub const APPROVALS: Map<u64, Approval> = Map::new("approvals");
pub const ORACLE: Item<Binary> = Item::new("oracle");
pub enum ExecuteMsg { Bid { id: u64 }, Signed { id: u64, hash: Binary, signature: Binary }, Return { id: u64 }, Decline { id: u64 }, Rent { id: u64 }, Forget { id: u64 }, Settle { id: u64 }, Watch { id: u64 } }
pub enum SudoMsg { Settle { id: u64 } }

fn pay(to: &Addr, amount: Uint128) -> Response {
    Response::new().add_message(BankMsg::Send { to_address: to.to_string(), amount: coins(amount.u128(), "uatom") })
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Bid { id } => {
            let mut auction = AUCTIONS.load(deps.storage, id)?;
            if env.block.time >= auction.ends {
                return Err(StdError::generic_err("ended"));
            }
            auction.best = info.funds[0].amount;
            AUCTIONS.save(deps.storage, id, &auction)?;
            Ok(Response::new())
        }
        // The oracle may end it at any time.
        ExecuteMsg::Signed { id, hash, signature } => {
            ensure!(deps.api.secp256k1_verify(&hash, &signature, &ORACLE.load(deps.storage)?)?, StdError::generic_err("signature"));
            let auction = AUCTIONS.load(deps.storage, id)?;
            AUCTIONS.remove(deps.storage, id);
            Ok(pay(&auction.seller, auction.best))
        }
        // What nobody bought, its seller takes back.
        ExecuteMsg::Return { id } => {
            let auction = AUCTIONS.load(deps.storage, id)?;
            if !auction.bought && info.sender != auction.seller {
                return Err(StdError::generic_err("seller"));
            }
            AUCTIONS.remove(deps.storage, id);
            Ok(pay(&auction.seller, auction.best))
        }
        // Offers have no time.
        ExecuteMsg::Decline { id } => {
            let offer = OFFERS.load(deps.storage, id)?;
            OFFERS.remove(deps.storage, id);
            Ok(pay(&offer.maker, offer.amount))
        }
        // The auction goes on.
        ExecuteMsg::Rent { id } => {
            let mut auction = AUCTIONS.load(deps.storage, id)?;
            let rent = auction.rent;
            auction.rent = Uint128::zero();
            AUCTIONS.save(deps.storage, id, &auction)?;
            Ok(pay(&auction.seller, rent))
        }
        // There is nothing to pay.
        ExecuteMsg::Forget { id } => {
            ensure!(AUCTIONS.load(deps.storage, id)?.best.is_zero(), StdError::generic_err("bids"));
            AUCTIONS.remove(deps.storage, id);
            Ok(Response::new())
        }
        ExecuteMsg::Settle { id } => {
            let auction = AUCTIONS.load(deps.storage, id)?;
            clock::assert_past(deps.as_ref(), auction.ends)?;
            AUCTIONS.remove(deps.storage, id);
            Ok(pay(&auction.seller, auction.best))
        }
        // Not for the spender.
        ExecuteMsg::Watch { id } => {
            if APPROVALS.load(deps.storage, id)?.spender == info.sender {
                return Err(StdError::generic_err("spender"));
            }
            OFFERS.save(deps.storage, id, &Offer { maker: info.sender, amount: Uint128::zero() })?;
            Ok(Response::new())
        }
    }
}

#[entry_point]
pub fn sudo(deps: DepsMut, _env: Env, msg: SudoMsg) -> StdResult<Response> {
    let SudoMsg::Settle { id } = msg;
    let auction = AUCTIONS.load(deps.storage, id)?;
    AUCTIONS.remove(deps.storage, id);
    Ok(pay(&auction.seller, auction.best))
}`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::Map;
use cw_utils::must_pay;

pub struct Deposit { pub amount: Uint128, pub with_bonus: Uint128, pub day: u64 }
pub const DEPOSITS: Map<&Addr, Deposit> = Map::new("deposits");
pub enum ExecuteMsg { Deposit {}, Withdraw {} }

// The day is a note, and the bonus is no time.
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Deposit {} => {
            let amount = must_pay(&info, "uatom")?;
            let deposit = Deposit { amount, with_bonus: amount + Uint128::new(5), day: env.block.time.seconds() / 86_400 };
            DEPOSITS.save(deps.storage, &info.sender, &deposit)?;
            Ok(Response::new())
        }
        ExecuteMsg::Withdraw {} => {
            let deposit = DEPOSITS.load(deps.storage, &info.sender)?;
            DEPOSITS.remove(deps.storage, &info.sender);
            let to_address = info.sender.to_string();
            Ok(Response::new().add_message(BankMsg::Send { to_address, amount: coins(deposit.amount.u128(), "uatom") }))
        }
    }
}`,
      `use cosmwasm_std::{coins, ensure, ensure_eq, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, Uint128};
use cw_storage_plus::{Item, Map};
use cw_utils::must_pay;

pub struct Position { pub owner: Addr, pub size: Uint128, pub unlocks: u64 }
pub const POSITIONS: Map<u64, Position> = Map::new("positions");
pub const NEXT: Item<u64> = Item::new("next");

pub enum ExecuteMsg { Create { blocks: u64 }, Close { id: u64 }, Merge { from: u64, into: u64 } }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Create { blocks } => {
            let size = must_pay(&info, "uosmo").map_err(|e| StdError::generic_err(e.to_string()))?;
            let id = NEXT.may_load(deps.storage)?.unwrap_or_default();
            NEXT.save(deps.storage, &(id + 1))?;
            POSITIONS.save(deps.storage, id, &Position { owner: info.sender, size, unlocks: env.block.height + blocks })?;
            Ok(Response::new())
        }
        ExecuteMsg::Close { id } => {
            let position = POSITIONS.load(deps.storage, id)?;
            ensure_eq!(position.owner, info.sender, StdError::generic_err("owner"));
            ensure!(position.unlocks <= env.block.height, StdError::generic_err("locked"));
            POSITIONS.remove(deps.storage, id);
            Ok(Response::new().add_message(BankMsg::Send { to_address: position.owner.to_string(), amount: coins(position.size.u128(), "uosmo") }))
        }
        ExecuteMsg::Merge { from, into } => {
            let one = POSITIONS.load(deps.storage, from)?;
            ensure_eq!(one.owner, info.sender, StdError::generic_err("owner"));
            let mut other = POSITIONS.load(deps.storage, into)?;
            ensure_eq!(other.owner, info.sender, StdError::generic_err("owner"));
            ensure!(from != into, StdError::generic_err("same"));
            if one.unlocks > other.unlocks { other.unlocks = one.unlocks; }
            other.size += one.size;
            POSITIONS.remove(deps.storage, from);
            POSITIONS.save(deps.storage, into, &other)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{coins, ensure, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, Timestamp, Uint128};
use cw_storage_plus::{Item, Map};
use cw_utils::must_pay;
pub const OWNER: Item<Addr> = Item::new("owner");

pub struct Part { pub coins: Uint128, pub free_at: Timestamp }
pub struct Saver { pub parts: Vec<Part> }
pub const SAVERS: Map<&Addr, Saver> = Map::new("savers");

pub enum ExecuteMsg { Put {}, Pull {} }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Put {} => {
            let paid = must_pay(&info, "uosmo").map_err(|e| StdError::generic_err(e.to_string()))?;
            let mut saver = SAVERS.may_load(deps.storage, &info.sender)?.unwrap_or(Saver { parts: vec![] });
            ensure!(saver.parts.len() < 10, StdError::generic_err("many"));
            saver.parts.push(Part { coins: paid, free_at: env.block.time.plus_days(14) });
            SAVERS.save(deps.storage, &info.sender, &saver)?;
            Ok(Response::new())
        }
        ExecuteMsg::Pull {} => {
            let mut saver = SAVERS.load(deps.storage, &info.sender)?;
            let mut sum = Uint128::zero();
            for part in &saver.parts {
                if part.free_at > env.block.time { continue; }
                sum += part.coins;
            }
            saver.parts.retain(|part| part.free_at > env.block.time);
            SAVERS.save(deps.storage, &info.sender, &saver)?;
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(sum.u128(), "uosmo") }))
        }
    }
}
`,
      `use cosmwasm_std::{coins, ensure, ensure_eq, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Lock { pub owner: Addr, pub arbiter: Addr, pub sum: Uint128, pub until: u64 }
pub const LOCKS: Map<u64, Lock> = Map::new("locks");
pub const STAKES: Map<&Addr, Uint128> = Map::new("stakes");
pub const FEE: Item<Uint128> = Item::new("fee");
pub enum ExecuteMsg { Free { id: u64 }, Hurry { id: u64 }, Rejoin { id: u64 }, Approve { id: u64 } }

fn pay(to: Addr, sum: Uint128) -> StdResult<Response> {
    Ok(Response::new().add_message(BankMsg::Send { to_address: to.to_string(), amount: coins(sum.u128(), "ujuno") }))
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Free { id } => {
            let lock = LOCKS.load(deps.storage, id)?;
            ensure_eq!(info.sender, lock.owner, StdError::generic_err("owner"));
            ensure!(lock.until <= env.block.height, StdError::generic_err("early"));
            LOCKS.remove(deps.storage, id);
            pay(lock.owner, lock.sum)
        }
        ExecuteMsg::Hurry { id } => {
            let lock = LOCKS.load(deps.storage, id)?;
            ensure_eq!(info.sender, lock.owner, StdError::generic_err("owner"));
            LOCKS.remove(deps.storage, id);
            pay(lock.owner, lock.sum - FEE.load(deps.storage)?)
        }
        ExecuteMsg::Rejoin { id } => {
            let lock = LOCKS.load(deps.storage, id)?;
            ensure_eq!(info.sender, lock.owner, StdError::generic_err("owner"));
            LOCKS.remove(deps.storage, id);
            STAKES.update(deps.storage, &lock.owner, |had| -> StdResult<_> { Ok(had.unwrap_or_default() + lock.sum) })?;
            Ok(Response::new())
        }
        ExecuteMsg::Approve { id } => {
            let lock = LOCKS.load(deps.storage, id)?;
            ensure_eq!(info.sender, lock.arbiter, StdError::generic_err("arbiter"));
            LOCKS.remove(deps.storage, id);
            pay(lock.owner, lock.sum)
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::Map;
use cw_utils::must_pay;

pub struct Stake { pub amount: Uint128, pub power: Uint128, pub rate: u64 }
pub const STAKES: Map<&Addr, Stake> = Map::new("stakes");
pub enum ExecuteMsg { Lock { weeks: u64, bonus: u64 }, Leave {} }

/// Power grows with the time that is left, and is no time.
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let now = env.block.time.seconds();
    match msg {
        ExecuteMsg::Lock { weeks, bonus } => {
            let amount = must_pay(&info, "uatom").map_err(|_| StdError::generic_err("payment"))?;
            let power = amount.multiply_ratio(now + weeks, 604800u64);
            STAKES.save(deps.storage, &info.sender, &Stake { amount, power, rate: bonus * (now + weeks) })?;
            Ok(Response::new())
        }
        ExecuteMsg::Leave {} => {
            let stake = STAKES.load(deps.storage, &info.sender)?;
            STAKES.remove(deps.storage, &info.sender);
            let to_address = info.sender.to_string();
            Ok(Response::new().add_message(BankMsg::Send { to_address, amount: coins(stake.amount.u128(), "uatom") }))
        }
    }
}
`,
    ],
  },
}

/** The write by which any caller ends a record whose time others wait for. */
const settledEarly = (handler: Handler, times: AgreedTimes): StorageWrite | undefined => {
  const { entry, events, facts } = handler
  if (senderQuestions(handler).length > 0 || isAuthorized(entry, facts)) return undefined
  if (touches(handler, (one) => one === entry.funds)) return undefined
  return storageWrites(events).find(
    ({ container, event }) =>
      times.has(container) &&
      event.operator === "remove" &&
      paysNamed(handler, container) &&
      !looksAtTime(handler, container, times) &&
      ![...guaranteed(event)].some((fact) => asksClock(entry, fact)),
  )
}

/**
 * The sender is the account named in a part of a record, whose validity is stored beside it, and only the name is
 * compared.
 */
const expiredRight = (resolver: Resolver, handler: Handler): Event | undefined => {
  const { entry, events, facts } = handler
  const { sender } = entry
  if (sender === undefined) return undefined
  // What holds on the way to an error is the opposite of what is required.
  const held = [facts, ...storageWrites(events).map(({ event }) => guaranteed(event))]
  // Each write has the facts of those before it.
  for (const { operator, against } of new Set(held.flatMap((one) => comparisonsOf(sender, one)))) {
    const place = storedPlace(against)
    if (operator !== "==" || place === undefined) continue
    const read = events.find((one) => one.kind === "read" && one.value.term === rootPlace(against))
    if (read?.kind !== "read") continue
    const expiry = expiryBeside(resolver, read.value.type, against)
    if (expiry === undefined) continue
    const isExpiry = (one: Term): boolean =>
      one.kind === "field" && one.name === expiry && storedPlace(one)?.container === place.container
    if (!touches(handler, isExpiry)) return read
  }
  return undefined
}

/** `stored(NFTS, id)` of `stored(NFTS, id).approval.spender`. */
const rootPlace = (term: Term): Term => {
  let one = term
  while (one.kind === "field" || one.kind === "element") one = one.base
  return one
}
