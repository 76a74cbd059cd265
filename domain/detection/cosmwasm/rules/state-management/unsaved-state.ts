import type { Rule } from "../../../Rule.ts"
import type { CosmWasmProgram } from "../../program/model.ts"
import { lookedUpInVain } from "../../saves/lookedUpInVain.ts"
import { lostByMessages } from "../../saves/lostByMessages.ts"
import { lostInFunctions } from "../../saves/lostInFunctions.ts"

export const unsavedState: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/state-management/unsaved-state",
    class: "state-not-saved",
    title: "Loaded value is modified but never saved",
    severity: "high",
    confidence: "high",
    cwe: [665],
    description:
      "`load` returns a copy. The handler changes that copy and ends without `save` or `update`, so storage " +
      "keeps the old value: a debit that is never recorded can be repeated until the contract is empty, and a " +
      "flag that is never set protects nothing.",
    remediation: "Call `save` with the changed value on every successful path, or make the change inside `update`.",
    references: ["https://docs.rs/cw-storage-plus/latest/cw_storage_plus/struct.Item.html#method.update"],
  },
  check: (program, report) => {
    for (const crate of program.crates) {
      for (const one of lostInFunctions(crate)) report(one)
      for (const one of lookedUpInVain(program, crate)) report(one)
      for (const one of lostByMessages(program, crate)) report(one)
    }
  },
  examples: {
    vulnerable: [
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::Item;

pub const OWNER: Item<Addr> = Item::new("owner");
pub const FREE: Item<Uint128> = Item::new("free");
pub const MOST: Item<Uint128> = Item::new("most");
pub enum ExecuteMsg { Fund {}, Draw { amount: Uint128 }, Take { amount: Uint128 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Fund {} => {
            let free = FREE.load(deps.storage)? + cw_utils::must_pay(&info, "ujuno")?;
            FREE.save(deps.storage, &free)?;
            Ok(Response::new())
        }
        ExecuteMsg::Draw { amount } => {
            if info.sender != OWNER.load(deps.storage)? {
                return Err(StdError::generic_err("unauthorized"));
            }
            let mut free = FREE.load(deps.storage)?;
            let sum = std::cmp::min(amount, free);
            free -= sum; // FINDING
            let pay = BankMsg::Send { to_address: info.sender.to_string(), amount: coins(sum.u128(), "ujuno") };
            Ok(Response::new().add_message(pay).add_attribute("free", free.to_string()))
        }
        ExecuteMsg::Take { amount } => {
            if info.sender != OWNER.load(deps.storage)? {
                return Err(StdError::generic_err("unauthorized"));
            }
            let free = FREE.load(deps.storage)?.checked_sub(amount)?; // FINDING
            let pay = BankMsg::Send { to_address: info.sender.to_string(), amount: coins(amount.u128(), "ujuno") };
            Ok(Response::new().add_message(pay).add_attribute("free", free.to_string()))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::Map;
use spans::Span;

pub struct Lien { pub amount: Span, pub holder: Addr, pub count: u64 }
pub const LIENS: Map<u64, Lien> = Map::new("liens");
pub enum ExecuteMsg { Open { id: u64 }, Commit { id: u64, sum: Uint128 }, Undo { id: u64, sum: Uint128 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Open { id } => {
            LIENS.save(deps.storage, id, &Lien { amount: Span::new(), holder: info.sender, count: 0 })?;
            Ok(Response::new())
        }
        ExecuteMsg::Commit { id, sum } => {
            let mut lien = LIENS.load(deps.storage, id)?;
            lien.amount.commit(sum); // FINDING
            Ok(Response::new())
        }
        ExecuteMsg::Undo { id, sum } => {
            let mut lien = LIENS.load(deps.storage, id)?;
            lien.amount.undo(sum).map_err(|_| StdError::generic_err("sum"))?; // FINDING
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdResult, Storage};
use cw_storage_plus::Map;

pub struct Seat { pub rank: u64, pub since: u64 }
pub const SEATS: Map<&Addr, Seat> = Map::new("seats");
pub enum ExecuteMsg { Rank { rank: u64 }, Swap { with: Addr }, Reset {}, Show {} }

// More calls than the walk follows.
fn keep1(storage: &mut dyn Storage, who: &Addr, seat: &Seat) -> StdResult<()> { keep2(storage, who, seat) }
fn keep2(storage: &mut dyn Storage, who: &Addr, seat: &Seat) -> StdResult<()> { keep3(storage, who, seat) }
fn keep3(storage: &mut dyn Storage, who: &Addr, seat: &Seat) -> StdResult<()> { keep4(storage, who, seat) }
fn keep4(storage: &mut dyn Storage, who: &Addr, seat: &Seat) -> StdResult<()> { keep5(storage, who, seat) }
fn keep5(storage: &mut dyn Storage, who: &Addr, seat: &Seat) -> StdResult<()> { keep6(storage, who, seat) }
fn keep6(storage: &mut dyn Storage, who: &Addr, seat: &Seat) -> StdResult<()> { keep7(storage, who, seat) }
fn keep7(storage: &mut dyn Storage, who: &Addr, seat: &Seat) -> StdResult<()> { keep8(storage, who, seat) }
fn keep8(storage: &mut dyn Storage, who: &Addr, seat: &Seat) -> StdResult<()> { keep9(storage, who, seat) }
fn keep9(storage: &mut dyn Storage, who: &Addr, seat: &Seat) -> StdResult<()> { keep10(storage, who, seat) }
fn keep10(storage: &mut dyn Storage, who: &Addr, seat: &Seat) -> StdResult<()> { keep11(storage, who, seat) }
fn keep11(storage: &mut dyn Storage, who: &Addr, seat: &Seat) -> StdResult<()> { keep12(storage, who, seat) }
fn keep12(storage: &mut dyn Storage, who: &Addr, seat: &Seat) -> StdResult<()> { keep13(storage, who, seat) }
fn keep13(storage: &mut dyn Storage, who: &Addr, seat: &Seat) -> StdResult<()> { keep14(storage, who, seat) }
fn keep14(storage: &mut dyn Storage, who: &Addr, seat: &Seat) -> StdResult<()> { SEATS.save(storage, who, seat) }

fn rank1(seat: &Seat) -> u64 { rank2(seat) }
fn rank2(seat: &Seat) -> u64 { rank3(seat) }
fn rank3(seat: &Seat) -> u64 { rank4(seat) }
fn rank4(seat: &Seat) -> u64 { rank5(seat) }
fn rank5(seat: &Seat) -> u64 { rank6(seat) }
fn rank6(seat: &Seat) -> u64 { rank7(seat) }
fn rank7(seat: &Seat) -> u64 { rank8(seat) }
fn rank8(seat: &Seat) -> u64 { rank9(seat) }
fn rank9(seat: &Seat) -> u64 { rank10(seat) }
fn rank10(seat: &Seat) -> u64 { rank11(seat) }
fn rank11(seat: &Seat) -> u64 { rank12(seat) }
fn rank12(seat: &Seat) -> u64 { rank13(seat) }
fn rank13(seat: &Seat) -> u64 { rank14(seat) }
fn rank14(seat: &Seat) -> u64 { seat.rank }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Rank { rank } => {
            if let Some(mut seat) = SEATS.may_load(deps.storage, &info.sender)? {
                seat.rank = rank; // FINDING
            } else {
                SEATS.save(deps.storage, &info.sender, &Seat { rank, since: env.block.height })?;
            }
            Ok(Response::new())
        }
        ExecuteMsg::Swap { with } => {
            let mut seat = SEATS.load(deps.storage, &info.sender)?;
            let other = SEATS.load(deps.storage, &with)?;
            seat.rank = other.rank; // FINDING
            keep1(deps.storage, &with, &other)?;
            Ok(Response::new())
        }
        ExecuteMsg::Reset {} => {
            let mut seat = SEATS.load(deps.storage, &info.sender)?;
            keep1(deps.storage, &info.sender, &seat)?;
            seat.rank = 0; // FINDING
            Ok(Response::new())
        }
        ExecuteMsg::Show {} => {
            let mut seat = SEATS.load(deps.storage, &info.sender)?;
            seat.since = env.block.height; // FINDING
            Ok(Response::new().add_attribute("rank", rank1(&seat).to_string()))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Order, Response, StdError, StdResult, Storage, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Shelf { pub books: Vec<String>, pub keeper: Addr }
pub const COUNT: Item<u64> = Item::new("count");
pub const LOANS: Map<&str, (Addr, u64)> = Map::new("loans");
pub const FINES: Map<&Addr, Uint128> = Map::new("fines");
pub enum ExecuteMsg { Borrow { title: String }, Fine { who: Vec<String>, amount: Uint128 }, Sort { titles: Vec<String> } }

fn next(storage: &mut dyn Storage, title: &str) -> StdResult<String> {
    let count = COUNT.load(storage)?; // FINDING
    #[cfg(feature = "trace")]
    log(title);
    Ok(title.to_lowercase())
}

fn prolong(storage: &mut dyn Storage, title: &str, days: u64) -> StdResult<()> { // FINDING
    let (reader, _) = LOANS.load(storage, title)?;
    LOANS.save(storage, title, &(reader, 0))
}

fn fine(deps: DepsMut, who: Vec<String>, amount: Uint128) -> StdResult<Response> {
    for name in who {
        let reader = deps.api.addr_validate(&name)?;
        if let Some(due) = FINES.may_load(deps.storage, &reader)? { // FINDING
            continue;
        }
        FINES.save(deps.storage, &reader, &amount)?;
    }
    Ok(Response::new())
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Borrow { title } => {
            let title = next(deps.storage, &title)?;
            LOANS.save(deps.storage, &title, &(info.sender, env.block.height))?;
            prolong(deps.storage, &title, 14)?;
            Ok(Response::new())
        }
        ExecuteMsg::Fine { who, amount } => fine(deps, who, amount),
        ExecuteMsg::Sort { titles } => {
            for (place, title) in titles.iter().enumerate() {} // FINDING
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, BankMsg, Coin, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Storage, Uint128, WasmMsg};
use cosmwasm_storage::{Bucket, ReadonlyBucket};

pub struct Account { pub open: bool, pub amount: Uint128 }
static ACCOUNTS: &[u8] = b"accounts";
pub enum ExecuteMsg { Open { id: String }, Add { id: String } }

fn read(storage: &dyn Storage, owner: &Addr, id: &str) -> StdResult<Account> {
    match ReadonlyBucket::multilevel(storage, &[ACCOUNTS, owner.as_bytes()]).may_load(id.as_bytes())? {
        Some(account) => Ok(account),
        None => Ok(Account { open: false, amount: Uint128::zero() }),
    }
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Open { id } => {
            let mut account = read(deps.storage, &info.sender, &id)?;
            account.open = true; // FINDING
            Ok(Response::new())
        }
        ExecuteMsg::Add { id } => {
            let mut account = read(deps.storage, &info.sender, &id)?;
            account.amount += info.funds[0].amount;
            Bucket::multilevel(deps.storage, &[ACCOUNTS, info.sender.as_bytes()]).save(id.as_bytes(), &account)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdResult};
use cw_storage_plus::{Item, Map};

pub struct Ballot { pub voter: Addr, pub weight: u64 }
pub struct Poll { pub yes: u64, pub open: bool }
pub enum Kind { Plain, Weighted }
pub const KIND: Item<Kind> = Item::new("kind");
pub const POLLS: Map<u64, Poll> = Map::new("polls");
pub const BALLOTS: Map<(u64, &Addr), Ballot> = Map::new("ballots");
pub enum ExecuteMsg { Vote { id: u64, weight: u64 }, Seen { id: u64 } }

fn count(deps: DepsMut, id: u64, mut poll: Poll, weight: u64) -> StdResult<Response> {
    poll.yes += weight;
    POLLS.save(deps.storage, id, &poll)?;
    Ok(Response::new())
}

fn count_one(mut poll: Poll) -> StdResult<Response> {
    poll.yes += 1;
    Ok(Response::new().add_attribute("yes", poll.yes.to_string()))
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Vote { id, weight } => {
            let poll = POLLS.load(deps.storage, id)?;
            let _ballot = Ballot { voter: info.sender, weight }; // FINDING
            match KIND.load(deps.storage)? {
                Kind::Plain => count_one(poll), // FINDING
                Kind::Weighted => count(deps, id, poll, weight),
            }
        }
        ExecuteMsg::Seen { id } => {
            let ballot = BALLOTS.load(deps.storage, (id, &info.sender))?;
            Ok(Response::new().add_attribute("weight", ballot.weight.to_string()))
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::Map;

pub struct Account { pub balance: Uint128 }
pub const ACCOUNTS: Map<&Addr, Account> = Map::new("accounts");
pub enum ExecuteMsg { Withdraw { amount: Uint128 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Withdraw { amount } => {
            let mut account = ACCOUNTS.load(deps.storage, &info.sender)?;
            account.balance = account.balance.checked_sub(amount)?; // FINDING
            let pay = BankMsg::Send { to_address: info.sender.to_string(), amount: coins(amount.u128(), "uatom") };
            Ok(Response::new().add_message(pay))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Item;

pub struct Config { pub owner: Addr, pub blocked: Vec<Addr> }
pub const CONFIG: Item<Config> = Item::new("config");
pub enum ExecuteMsg { Block { who: String } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Block { who } => {
            let mut config = CONFIG.load(deps.storage)?;
            if config.owner != info.sender {
                return Err(StdError::generic_err("unauthorized"));
            }
            config.blocked.push(deps.api.addr_validate(&who)?); // FINDING
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::Map;

pub struct Pool { pub total: Uint128 }
pub const POOLS: Map<u64, Pool> = Map::new("pools");
pub enum ExecuteMsg { Grow { id: u64, by: Uint128 } }

fn grow(pool: &mut Pool, by: Uint128) -> StdResult<()> {
    pool.total = pool.total.checked_add(by)?;
    Ok(())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Grow { id, by } => {
            let mut pool = POOLS.load(deps.storage, id)?;
            grow(&mut pool, by)?; // FINDING
            Ok(Response::new().add_attribute("total", pool.total))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdResult, Storage, Uint128};
use cosmwasm_storage::{bucket, bucket_read, Bucket, ReadonlyBucket};

pub struct Loan { pub owed: Uint128, pub yes: u64, pub no: u64 }
pub fn loans(storage: &mut dyn Storage) -> Bucket<Loan> { bucket(storage, b"loans") }
pub fn read_loans(storage: &dyn Storage) -> ReadonlyBucket<Loan> { bucket_read(storage, b"loans") }
pub enum ExecuteMsg { Forgive {}, Vote { yes: bool } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let mut loan = read_loans(deps.storage).load(info.sender.as_bytes())?;
    match msg {
        ExecuteMsg::Forgive {} => {
            loan.owed = Uint128::zero(); // FINDING
            Ok(Response::new())
        }
        ExecuteMsg::Vote { yes } => {
            if yes {
                loan.yes += 1; // FINDING
            } else {
                loan.no += 1;
                loans(deps.storage).save(info.sender.as_bytes(), &loan)?;
            }
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Grant { pub amount: Uint128, pub released: Uint128, pub start: u64, pub end: u64 }
pub const GRANTS: Map<&Addr, Grant> = Map::new("grants");
pub const BALANCES: Map<&Addr, Uint128> = Map::new("balances");
pub const CLAIMED: Map<&Addr, bool> = Map::new("claimed");
pub const ROOT: Item<Vec<u8>> = Item::new("root");
pub struct InstantiateMsg { pub root: Vec<u8> }
pub enum ExecuteMsg { Release {}, Withdraw { amount: Uint128 }, Transfer { to: String, amount: Uint128 }, Claim { amount: Uint128, proof: Vec<u8> } }

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, _info: MessageInfo, msg: InstantiateMsg) -> StdResult<Response> {
    ROOT.save(deps.storage, &msg.root)?;
    Ok(Response::new())
}

fn pay(to: &Addr, amount: Uint128) -> BankMsg {
    BankMsg::Send { to_address: to.to_string(), amount: coins(amount.u128(), "uatom") } // FINDING
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Release {} => {
            let grant = GRANTS.load(deps.storage, &info.sender)?; // FINDING
            let passed = env.block.time.seconds().min(grant.end) - grant.start;
            let due = grant.amount.multiply_ratio(passed, grant.end - grant.start).checked_sub(grant.released)?;
            Ok(Response::new().add_message(pay(&info.sender, due)))
        }
        ExecuteMsg::Withdraw { amount } => {
            if amount > BALANCES.load(deps.storage, &info.sender)? {
                return Err(StdError::generic_err("too much"));
            }
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(amount.u128(), "uatom") })) // FINDING
        }
        ExecuteMsg::Transfer { to, amount } => {
            let to = deps.api.addr_validate(&to)?;
            let left = BALANCES.load(deps.storage, &info.sender)?.checked_sub(amount)?;
            BALANCES.save(deps.storage, &to, &left)?; // FINDING
            BALANCES.update(deps.storage, &to, |old| -> StdResult<_> { Ok(old.unwrap_or_default() + amount) })?;
            Ok(Response::new())
        }
        ExecuteMsg::Claim { amount, proof } => {
            if CLAIMED.may_load(deps.storage, &info.sender)?.unwrap_or(false) { // FINDING
                return Err(StdError::generic_err("claimed"));
            }
            if proof != ROOT.load(deps.storage)? {
                return Err(StdError::generic_err("proof"));
            }
            Ok(Response::new().add_message(pay(&info.sender, amount)))
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Round { pub number: u64, pub pot: Uint128, pub names: Vec<Addr> }
pub const ROUND: Item<Round> = Item::new("round");
pub const TOTAL: Item<Uint128> = Item::new("total");
pub const HELD: Map<&Addr, Round> = Map::new("held");
pub enum ExecuteMsg { Enter {}, Join {}, Reset {}, Add { amounts: Vec<Uint128> }, Move { to: Addr } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Enter {} => enter(deps, info),
        ExecuteMsg::Join {} => join(deps, info),
        ExecuteMsg::Reset {} => reset(deps),
        ExecuteMsg::Add { amounts } => add(deps, amounts),
        ExecuteMsg::Move { to } => {
            let mut held = HELD.load(deps.storage, &info.sender)?;
            held.number += 1;
            HELD.save(deps.storage, &to, &held)?; // FINDING
            Ok(Response::new())
        }
    }
}

fn enter(deps: DepsMut, info: MessageInfo) -> StdResult<Response> {
    let round = ROUND.load(deps.storage)?;
    let mut next = round.clone();
    next.pot = next.pot.checked_add(info.funds[0].amount)?;
    ROUND.save(deps.storage, &round)?; // FINDING
    Ok(Response::new())
}

fn join(deps: DepsMut, info: MessageInfo) -> StdResult<Response> {
    let old = ROUND.load(deps.storage)?;
    let mut round = ROUND.load(deps.storage)?;
    round.names.push(info.sender);
    ROUND.save(deps.storage, &old)?; // FINDING
    Ok(Response::new())
}

fn reset(deps: DepsMut) -> StdResult<Response> {
    let mut round = ROUND.may_load(deps.storage)?.unwrap_or_default();
    round.number += 1;
    ROUND.save(deps.storage, &ROUND.load(deps.storage)?)?; // FINDING
    Ok(Response::new())
}

fn add(deps: DepsMut, amounts: Vec<Uint128>) -> StdResult<Response> {
    let mut total = Uint128::from(TOTAL.load(deps.storage)?);
    let mut sum = TOTAL.load(deps.storage)?;
    for amount in amounts {
        total = total.checked_add(amount)?; // FINDING
        sum += amount; // FINDING
    }
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{coins, entry_point, BankMsg, Binary, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::Item;

pub const KEY: Item<Binary> = Item::new("key");
pub enum ExecuteMsg { Redeem { nonce: u64, to: String, amount: Uint128, signature: Binary } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let ExecuteMsg::Redeem { nonce, to, amount, signature } = msg;
    let to = deps.api.addr_validate(&to)?;
    let text = format!("{}:{}:{}:{}", env.contract.address, nonce, to, amount);
    let hash = hashes::digest(text.as_bytes());
    if !deps.api.secp256k1_verify(&hash, &signature, &KEY.load(deps.storage)?)? {
        return Err(StdError::generic_err("signature"));
    }
    Ok(Response::new().add_message(BankMsg::Send { to_address: to.into_string(), amount: coins(amount.u128(), "uatom") })) // FINDING
}
`,
      `use cosmwasm_std::{entry_point, Addr, Deps, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Config { pub open: bool }
pub struct Account { pub balance: Uint128, pub moved: u64 }
pub const CONFIG: Item<Config> = Item::new("config");
pub const ACCOUNTS: Map<&Addr, Account> = Map::new("accounts");
pub enum ExecuteMsg { Move { to: Addr }, Earn { amount: Uint128 } }

fn assert_open(deps: Deps) -> StdResult<()> {
    if !CONFIG.load(deps.storage)?.open {
        return Err(StdError::generic_err("closed"));
    }
    Ok(())
}

fn credit(account: &mut Account, amount: Uint128) {
    account.balance += amount;
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    assert_open(deps.as_ref())?;
    match msg {
        // The old account is closed, and the new one is not written.
        ExecuteMsg::Move { to } => {
            let own = ACCOUNTS.load(deps.storage, &info.sender)?;
            ACCOUNTS.remove(deps.storage, &info.sender);
            let mut other = ACCOUNTS.load(deps.storage, &to)?;
            other.balance += own.balance; // FINDING
        }
        ExecuteMsg::Earn { amount } => {
            let mut own = ACCOUNTS.load(deps.storage, &info.sender)?;
            credit(&mut own, amount); // FINDING
        }
    }
    Ok(Response::new())
}`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Storage, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Config { pub owner: Addr, pub oracle: Addr, pub fee: u64 }
pub struct Item_ { pub by: Addr, pub price: Uint128 }
pub const CONFIG: Item<Config> = Item::new("config");
pub const LAST: Item<u64> = Item::new("last");
pub const OWED: Map<&str, Uint128> = Map::new("owed");
pub const ITEMS: Map<u64, Item_> = Map::new("items");
pub enum ExecuteMsg { Add { price: Uint128 }, Take { denom: String, amount: Uint128 }, Set { oracle: Option<String>, fee: Option<u64> } }

fn next_id(storage: &mut dyn Storage) -> StdResult<u64> { // FINDING
    let id = LAST.load(storage)? + 1;
    Ok(id)
}

fn lower(storage: &mut dyn Storage, denom: &str, amount: Uint128) -> StdResult<Uint128> { // FINDING
    let mut owed = OWED.may_load(storage, denom)?.unwrap_or_default();
    owed -= amount;
    Ok(owed)
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Add { price } => {
            let id = next_id(deps.storage)?;
            ITEMS.save(deps.storage, id, &Item_ { by: info.sender, price })?; // FINDING
            Ok(Response::new())
        }
        ExecuteMsg::Take { denom, amount } => {
            if info.sender != CONFIG.load(deps.storage)?.owner {
                return Err(StdError::generic_err("owner"));
            }
            lower(deps.storage, &denom, amount)?;
            Ok(Response::new())
        }
        ExecuteMsg::Set { oracle, fee } => {
            let mut config = CONFIG.load(deps.storage)?;
            if info.sender != config.owner {
                return Err(StdError::generic_err("owner"));
            }
            let mut response = Response::new();
            if let Some(oracle) = oracle {
                response = response.add_attribute("oracle", deps.api.addr_validate(&oracle)?); // FINDING
            }
            if let Some(fee) = fee {
                config.fee = fee;
                response = response.add_attribute("fee", fee.to_string());
            }
            CONFIG.save(deps.storage, &config)?;
            Ok(response)
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Vault { pub shares: Uint128, pub since: u64 }
pub struct State { pub total: Uint128 }
pub struct Order { pub by: Addr }
pub const OWED: Map<&Addr, Uint128> = Map::new("owed");
pub const PAID: Item<Uint128> = Item::new("paid");
pub const STATE: Item<State> = Item::new("state");
pub const VAULTS: Map<&Addr, Vault> = Map::new("vaults");
pub const OWNER: Item<Addr> = Item::new("owner");
pub const FEEDER: Item<Addr> = Item::new("feeder");
pub const NEXT: Item<u64> = Item::new("next");
pub const ORDERS: Map<u64, Order> = Map::new("orders");
pub const NAMED: Map<String, Addr> = Map::new("named");
pub enum ExecuteMsg { Claim {}, Leave { amount: Uint128 }, SetFeeder { feeder: String }, Place {}, Mint {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Claim {} => {
            let owed = OWED.load(deps.storage, &info.sender)?;
            PAID.update(deps.storage, |paid| -> StdResult<_> { Ok(paid + owed) })?;
            let pay = BankMsg::Send { to_address: info.sender.to_string(), amount: coins(owed.u128(), "uatom") }; // FINDING
            Ok(Response::new().add_message(pay))
        }
        ExecuteMsg::Leave { amount } => {
            let vault = VAULTS.load(deps.storage, &info.sender)?;
            if vault.shares < amount {
                return Err(StdError::generic_err("too much"));
            }
            let mut state = STATE.load(deps.storage)?;
            state.total = state.total.checked_sub(amount)?;
            STATE.save(deps.storage, &state)?;
            let pay = BankMsg::Send { to_address: info.sender.to_string(), amount: coins(amount.u128(), "uatom") }; // FINDING
            Ok(Response::new().add_message(pay))
        }
        ExecuteMsg::SetFeeder { feeder } => {
            if info.sender != OWNER.load(deps.storage)? {
                return Err(StdError::generic_err("owner"));
            }
            let feeder = deps.api.addr_validate(&feeder)?; // FINDING
            Ok(Response::new().add_attribute("feeder", feeder))
        }
        ExecuteMsg::Place {} => {
            let id = NEXT.load(deps.storage)?;
            ORDERS.save(deps.storage, id, &Order { by: info.sender })?; // FINDING
            Ok(Response::new())
        }
        ExecuteMsg::Mint {} => {
            let name = format!("nft-{}", NEXT.load(deps.storage)? + 1);
            NAMED.save(deps.storage, name, &info.sender)?; // FINDING
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Lock { pub amount: Uint128 }
pub const LOCKS: Map<&Addr, Lock> = Map::new("locks");
pub const LAST: Item<u64> = Item::new("last");
pub const NOTES: Map<(Addr, u64), String> = Map::new("notes");
pub enum ExecuteMsg { Leave {}, Note { text: String } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Leave {} => {
            let mut lock = LOCKS
                .may_load(deps.storage, &info.sender)?
                .filter(|lock| !lock.amount.is_zero())
                .ok_or_else(|| StdError::generic_err("nothing"))?;
            let back = coins(lock.amount.u128(), "uatom");
            lock.amount = Uint128::zero(); // FINDING
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: back }))
        }
        ExecuteMsg::Note { text } => {
            let id = LAST.load(deps.storage)?;
            NOTES.save(deps.storage, (info.sender, id), &text)?; // FINDING
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Item;

pub struct Updates { pub oracle: Option<String>, pub fee: Option<u64> }
pub const OWNER: Item<Addr> = Item::new("owner");
pub const FEE: Item<u64> = Item::new("fee");
pub enum ExecuteMsg { Set { updates: Updates } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let ExecuteMsg::Set { updates } = msg;
    if info.sender != OWNER.load(deps.storage)? {
        return Err(StdError::generic_err("owner"));
    }
    let mut response = Response::new();
    if let Some(oracle) = updates.oracle {
        response = response.add_attribute("oracle", oracle); // FINDING
    }
    if let Some(fee) = updates.fee {
        FEE.save(deps.storage, &fee)?;
    }
    Ok(response)
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, Uint128};
use cw_storage_plus::{Item, Map};
use cw_utils::must_pay;
pub const OWNER: Item<Addr> = Item::new("owner");

pub struct Loan { pub owed: Uint128, pub rate: u64 }
pub const LOANS: Map<(&Addr, &str), Loan> = Map::new("loans");

pub enum ExecuteMsg { Repay { denom: String } }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Repay { denom } => {
            let paid = must_pay(&info, &denom).map_err(|e| StdError::generic_err(e.to_string()))?;
            let mut loan = LOANS.load(deps.storage, (&info.sender, &denom))?;
            loan.owed = loan.owed.checked_sub(paid)?; // FINDING
            if loan.owed.is_zero() {
                LOANS.remove(deps.storage, (&info.sender, &denom));
            }
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, Uint128};
use cw_storage_plus::Item;
pub const OWNER: Item<Addr> = Item::new("owner");

pub struct Pool { pub paused: bool, pub idle: Uint128, pub debt: Uint128, pub at: u64 }
pub const POOL: Item<Pool> = Item::new("pool");

pub enum ExecuteMsg { Crank {} }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Crank {} => {
            let mut pool = POOL.load(deps.storage)?;
            let held = deps.querier.query_balance(env.contract.address, "uatom")?.amount;
            if pool.paused {
                pool.idle = held; // FINDING
                return Ok(Response::new().add_attribute("crank", "paused"));
            }
            pool.debt += Uint128::one();
            pool.at = env.block.height;
            POOL.save(deps.storage, &pool)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{coins, ensure_eq, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, Uint128};
use cw_storage_plus::{Item, Map};
pub const OWNER: Item<Addr> = Item::new("owner");

pub struct Step { pub due: u64, pub sum: Uint128 }
pub struct Plan { pub steps: Vec<Step> }
pub const PLANS: Map<&Addr, Plan> = Map::new("plans");

pub enum ExecuteMsg { Cut { who: String, sum: Uint128 }, Grant { who: String, steps: Vec<Step> } }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Grant { who, steps } => {
            ensure_eq!(info.sender, OWNER.load(deps.storage)?, StdError::generic_err("owner"));
            PLANS.save(deps.storage, &deps.api.addr_validate(&who)?, &Plan { steps })?;
            Ok(Response::new())
        }
        ExecuteMsg::Cut { who, sum } => {
            ensure_eq!(info.sender, OWNER.load(deps.storage)?, StdError::generic_err("owner"));
            let who = deps.api.addr_validate(&who)?;
            let mut plan = PLANS.load(deps.storage, &who)?;
            let mut open = plan.steps.iter_mut().filter(|one| one.due > env.block.height);
            let Some(step) = open.next() else { return Err(StdError::generic_err("none")) };
            step.sum = step.sum.checked_sub(sum)?; // FINDING
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(sum.u128(), "ujuno") }))
        }
    }
}
`,
      `use cosmwasm_std::{ensure_eq, entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError};
use cw_storage_plus::Item;
pub const OWNER: Item<Addr> = Item::new("owner");

pub struct Share { pub to: Addr, pub weight: u64 }
pub const SHARES: Item<Vec<Share>> = Item::new("shares");

pub enum ExecuteMsg { Reweigh { to: String, weight: u64 } }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Reweigh { to, weight } => {
            ensure_eq!(info.sender, OWNER.load(deps.storage)?, StdError::generic_err("owner"));
            let mut shares = SHARES.load(deps.storage)?;
            let share = shares.iter_mut().find(|one| one.to == to).ok_or_else(|| StdError::generic_err("none"))?;
            share.weight = weight; // FINDING
            Ok(Response::new().add_attribute("weight", weight.to_string()))
        }
    }
}
`,
      `use cosmwasm_std::{ensure_eq, entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Storage, Uint128};
use cw_storage_plus::{Item, Map};
use cw_utils::must_pay;
pub const OWNER: Item<Addr> = Item::new("owner");

pub struct Stats { pub trades: u64, pub volume: Uint128 }
impl Stats { fn record(&mut self, sum: Uint128) { self.trades += 1; self.volume += sum; } // FINDING
   fn load(storage: &dyn Storage) -> StdResult<Self> { STATS.load(storage) }
   fn store(&self, storage: &mut dyn Storage) -> StdResult<()> { STATS.save(storage, self) } }
pub const STATS: Item<Stats> = Item::new("stats");
pub const PAID: Map<&Addr, Uint128> = Map::new("paid");

pub enum ExecuteMsg { Trade {}, Clear {} }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Clear {} => {
            ensure_eq!(info.sender, OWNER.load(deps.storage)?, StdError::generic_err("owner"));
            Stats { trades: 0, volume: Uint128::zero() }.store(deps.storage)?;
            Ok(Response::new())
        }
        ExecuteMsg::Trade {} => {
            let sum = must_pay(&info, "ujuno").map_err(|e| StdError::generic_err(e.to_string()))?;
            let mut stats = Stats::load(deps.storage)?;
            stats.record(sum);
            PAID.save(deps.storage, &info.sender, &sum)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{ensure, ensure_eq, entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError};
use cw_storage_plus::{Item, Map};
pub const OWNER: Item<Addr> = Item::new("owner");

pub const GUARDS: Map<&Addr, bool> = Map::new("guards");
pub const LIMIT: Item<u64> = Item::new("limit");

pub enum ExecuteMsg { Drop { who: String }, Add { who: String }, Halt {} }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Drop { who } => { // FINDING
            ensure_eq!(info.sender, OWNER.load(deps.storage)?, StdError::generic_err("owner"));
            let who = deps.api.addr_validate(&who)?;
            ensure!(GUARDS.has(deps.storage, &who), StdError::generic_err("no guard"));
            Ok(Response::new().add_attribute("dropped", who))
        }
        ExecuteMsg::Add { who } => {
            ensure_eq!(info.sender, OWNER.load(deps.storage)?, StdError::generic_err("owner"));
            GUARDS.save(deps.storage, &deps.api.addr_validate(&who)?, &true)?;
            Ok(Response::new())
        }
        ExecuteMsg::Halt {} => {
            ensure!(GUARDS.has(deps.storage, &info.sender), StdError::generic_err("no guard"));
            LIMIT.save(deps.storage, &0)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, from_json, to_json_binary, Addr, DepsMut, Env, MessageInfo, Response, StdError, Uint128, WasmMsg};
use cw_storage_plus::{Item, Map};
use cw20::{Cw20ExecuteMsg, Cw20ReceiveMsg};
pub const OWNER: Item<Addr> = Item::new("owner");

pub struct Grant { pub who: String, pub sum: Uint128 }
pub const TOKEN: Item<Addr> = Item::new("token");
pub const GRANTS: Map<&Addr, Uint128> = Map::new("grants");
pub enum HookMsg { Register { grants: Vec<Grant> } }

pub enum ExecuteMsg { Receive(Cw20ReceiveMsg), Claim {} }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Receive(hook) => {
            if info.sender != TOKEN.load(deps.storage)? { return Err(StdError::generic_err("token")); }
            match from_json(&hook.msg)? {
                HookMsg::Register { grants } => { // FINDING
                    let mut sum = Uint128::zero();
                    for one in grants {
                        let _who = deps.api.addr_validate(&one.who)?;
                        if one.sum.is_zero() { return Err(StdError::generic_err("zero")); }
                        sum += one.sum;
                    }
                    if sum != hook.amount { return Err(StdError::generic_err("sum")); }
                    Ok(Response::new())
                }
            }
        }
        ExecuteMsg::Claim {} => {
            let sum = GRANTS.load(deps.storage, &info.sender)?;
            GRANTS.remove(deps.storage, &info.sender);
            Ok(Response::new().add_message(WasmMsg::Execute { contract_addr: TOKEN.load(deps.storage)?.to_string(), msg: to_json_binary(&Cw20ExecuteMsg::Transfer { recipient: info.sender.to_string(), amount: sum })?, funds: vec![] }))
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, Decimal, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Item;
use cw_utils::must_pay;
pub const OWNER: Item<Addr> = Item::new("owner");

pub const FEE: Item<Decimal> = Item::new("fee");
pub enum SudoMsg { SetFee { fee: Decimal } }

pub enum ExecuteMsg { Pay {} }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Pay {} => {
            let sum = must_pay(&info, "ujuno").map_err(|e| StdError::generic_err(e.to_string()))?;
            let fee = FEE.load(deps.storage)?;
            Ok(Response::new().add_message(BankMsg::Send { to_address: OWNER.load(deps.storage)?.to_string(), amount: coins((sum * fee).u128(), "ujuno") }))
        }
    }
}

#[entry_point]
pub fn sudo(deps: DepsMut, _env: Env, msg: SudoMsg) -> StdResult<Response> {
    match msg {
        SudoMsg::SetFee { fee } => {
            if fee > Decimal::percent(10) { return Err(StdError::generic_err("fee")); } // FINDING
            Ok(Response::new().add_attribute("fee", fee.to_string()))
        }
    }
}
`,
      `use cosmwasm_std::{ensure_eq, entry_point, Addr, Decimal, DepsMut, Env, MessageInfo, Response, StdError};
use cw_storage_plus::Item;
pub const OWNER: Item<Addr> = Item::new("owner");

pub struct Config { pub fee: Decimal, pub slippage: Decimal, pub keeper: Addr }
pub const CONFIG: Item<Config> = Item::new("config");

pub enum ExecuteMsg { Update { fee: Option<Decimal>, slippage: Option<Decimal>, keeper: Option<String> } }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Update { fee, slippage, keeper } => {
            ensure_eq!(info.sender, OWNER.load(deps.storage)?, StdError::generic_err("owner"));
            let mut config = CONFIG.load(deps.storage)?;
            if let Some(fee) = fee { if fee >= Decimal::one() { return Err(StdError::generic_err("fee")); } config.fee = fee; }
            if let Some(slippage) = slippage {
                if slippage > Decimal::percent(50) { return Err(StdError::generic_err("slippage")); } // FINDING
            }
            if let Some(keeper) = keeper { config.keeper = deps.api.addr_validate(&keeper)?; }
            CONFIG.save(deps.storage, &config)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{coins, ensure_eq, entry_point, Addr, BankMsg, Decimal, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::Item;
pub const OWNER: Item<Addr> = Item::new("owner");

pub struct Curve { pub base: Decimal, pub slope: Decimal }
impl Curve { pub fn validate(&self) -> StdResult<()> { if self.base > Decimal::one() || self.slope > Decimal::percent(900) { return Err(StdError::generic_err("curve")); } Ok(()) } } // FINDING
pub const CURVE: Item<Curve> = Item::new("curve");
pub const TOTAL: Item<Uint128> = Item::new("total");

pub enum ExecuteMsg { Collect { next: Option<Curve> } }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Collect { next } => {
            ensure_eq!(info.sender, OWNER.load(deps.storage)?, StdError::generic_err("owner"));
            let had = TOTAL.load(deps.storage)?;
            TOTAL.save(deps.storage, &Uint128::zero())?;
            if let Some(next) = next {
                next.validate()?;
            }
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(had.u128(), "ujuno") }))
        }
    }
}
`,
      `use cosmwasm_std::{ensure, ensure_eq, entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, Uint128};
use cw_storage_plus::Item;
pub const OWNER: Item<Addr> = Item::new("owner");

pub const CAP: Item<Uint128> = Item::new("cap");
pub const EPOCH: Item<u64> = Item::new("epoch");
pub const MAX: u64 = 86400;

pub enum ExecuteMsg { Tune { cap: Uint128, epoch: u64 } }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Tune { cap, epoch } => {
            ensure_eq!(info.sender, OWNER.load(deps.storage)?, StdError::generic_err("owner"));
            ensure!(epoch > 0 && epoch <= MAX, StdError::generic_err("epoch")); // FINDING
            CAP.save(deps.storage, &cap)?;
            Ok(Response::new().add_attribute("epoch", epoch.to_string()))
        }
    }
}
`,
      `use cosmwasm_std::{coins, ensure, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, Uint128};
use cw_storage_plus::{Item, Map};
use cw_utils::must_pay;
pub const OWNER: Item<Addr> = Item::new("owner");

pub struct Loan { pub owed: Uint128, pub since: u64 }
pub const LOANS: Map<&Addr, Loan> = Map::new("loans");

pub enum ExecuteMsg { Repay {}, Borrow { sum: Uint128 } }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Borrow { sum } => {
            ensure!(!LOANS.has(deps.storage, &info.sender), StdError::generic_err("one"));
            LOANS.save(deps.storage, &info.sender, &Loan { owed: sum, since: env.block.height })?;
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(sum.u128(), "ujuno") }))
        }
        ExecuteMsg::Repay {} => {
            let paid = must_pay(&info, "ujuno").map_err(|e| StdError::generic_err(e.to_string()))?;
            let mut loan = LOANS.load(deps.storage, &info.sender)?;
            loan.owed = loan.owed.checked_sub(paid)?; // FINDING
            LOANS.remove(deps.storage, &info.sender);
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::Item;
use cw_utils::must_pay;
pub const OWNER: Item<Addr> = Item::new("owner");

use cw_storage_plus::{SnapshotMap, Strategy};
pub const POWER: SnapshotMap<&Addr, Uint128> = SnapshotMap::new("power", "power__check", "power__change", Strategy::EveryBlock);

pub enum ExecuteMsg { Lock {}, Unlock { sum: Uint128 } }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Lock {} => {
            let paid = must_pay(&info, "ujuno").map_err(|e| StdError::generic_err(e.to_string()))?;
            POWER.update(deps.storage, &info.sender, env.block.height, |had| -> StdResult<_> { Ok(had.unwrap_or_default() + paid) })?;
            Ok(Response::new())
        }
        ExecuteMsg::Unlock { sum } => {
            let had = POWER.load(deps.storage, &info.sender)?;
            let left = had.checked_sub(sum)?;
            Ok(Response::new().add_attribute("left", left).add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(sum.u128(), "ujuno") })) // FINDING
        }
    }
}
`,
      `use cosmwasm_std::{coins, ensure_eq, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Term { pub ends: u64, pub sum: Uint128 }
pub struct Plan { pub terms: Vec<Term> }
pub const OWNER: Item<Addr> = Item::new("owner");
pub const PLANS: Map<&Addr, Plan> = Map::new("plans");
pub enum ExecuteMsg { Take { who: String, sum: Uint128 } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Take { who, sum } => {
            ensure_eq!(info.sender, OWNER.load(deps.storage)?, StdError::generic_err("owner"));
            let who = deps.api.addr_validate(&who)?;
            let mut plan = PLANS.load(deps.storage, &who)?;
            let mut running = plan.terms.iter_mut().filter(|one| env.block.height < one.ends);
            if let Some(term) = running.next() {
                if running.next().is_some() {
                    return Err(StdError::generic_err("several"));
                }
                term.sum -= sum; // FINDING
            } else {
                return Err(StdError::generic_err("none"));
            }
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(sum.u128(), "ujuno") }))
        }
    }
}
`,
      `use cosmwasm_std::{ensure_eq, entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Item;

pub struct Share { pub to: Addr, pub weight: u64 }
pub const OWNER: Item<Addr> = Item::new("owner");
pub const SHARES: Item<Vec<Share>> = Item::new("shares");
pub const COUNT: Item<u64> = Item::new("count");
pub enum ExecuteMsg { Move { from: String, to: String, weight: u64 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Move { from, to, weight } => {
            ensure_eq!(info.sender, OWNER.load(deps.storage)?, StdError::generic_err("owner"));
            let mut shares = SHARES.load(deps.storage)?;
            let source = shares.iter_mut().find(|one| one.to == from).ok_or_else(|| StdError::generic_err("none"))?;
            source.weight -= weight; // FINDING
            if shares.iter_mut().find(|one| one.to == to).is_none() {
                COUNT.update(deps.storage, |had| -> StdResult<_> { Ok(had + 1) })?;
            } else {
                return Err(StdError::generic_err("there already"));
            }
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Storage, Uint128};
use cw20_base::state::TOKEN_INFO;
use cw721_base::state as nft;
use cw_storage_plus::{Item, Map};

pub struct Side { pub count: u64 }
pub struct User { pub stake: Uint128, pub index: Uint128, pub due: Uint128 }
pub const OWNER: Item<Addr> = Item::new("owner");
pub const INDEX: Item<Uint128> = Item::new("index");
pub const PAUSED: Item<bool> = Item::new("paused");
pub const NEXT: Item<u64> = Item::new("next");
pub const SIDES: Map<u8, Side> = Map::new("sides");
pub const USERS: Map<&Addr, User> = Map::new("users");
pub const OWED: Map<(&Addr, &str), Uint128> = Map::new("owed");
pub const QUOTAS: Map<&str, Uint128> = Map::new("quotas");
pub const ALL_QUOTAS: Map<&str, Uint128> = Map::new("all_quotas");
pub const NAMES: Map<u64, String> = Map::new("names");
pub const KINDS: Map<u64, u8> = Map::new("kinds");
pub struct InstantiateMsg { pub owner: String }
pub enum ExecuteMsg {
    Shrink { by: Uint128 },
    Rename { id: String, uri: String },
    Switch { from: u8, to: u8 },
    Claim {},
    Harvest { denom: String },
    Grant { who: String, more: Uint128 },
    Spread {},
    Make { name: String, kind: u8 },
    Act { id: u64 },
}

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, _info: MessageInfo, msg: InstantiateMsg) -> StdResult<Response> {
    OWNER.save(deps.storage, &deps.api.addr_validate(&msg.owner)?)?;
    INDEX.save(deps.storage, &Uint128::zero())?;
    NEXT.save(deps.storage, &0)?;
    SIDES.save(deps.storage, 0, &Side { count: 0 })?;
    let first = User { stake: Uint128::zero(), index: Uint128::zero(), due: Uint128::zero() };
    USERS.save(deps.storage, &deps.api.addr_validate(&msg.owner)?, &first)?;
    Ok(Response::new())
}

fn settle(user: &mut User, index: Uint128) {
    user.due += user.stake * (index - user.index);
    user.index = index;
}

fn accrue(storage: &mut dyn Storage, who: &Addr, denom: &str, more: Uint128) -> StdResult<Uint128> {
    let mut owed = OWED.may_load(storage, (who, denom))?.unwrap_or_default();
    if !more.is_zero() {
        owed = owed.checked_add(more)?;
    }
    OWED.save(storage, (who, denom), &owed)?;
    Ok(owed)
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    if PAUSED.may_load(deps.storage)?.unwrap_or(false) { // FINDING
        return Err(StdError::generic_err("paused"));
    }
    match msg {
        ExecuteMsg::Shrink { by } => {
            let mut token = TOKEN_INFO.load(deps.storage)?;
            token.total_supply = token.total_supply.checked_sub(by)?; // FINDING
            Ok(Response::new())
        }
        ExecuteMsg::Rename { id, uri } => {
            let mut token = nft::TOKENS.load(deps.storage, &id)?;
            if token.owner != info.sender {
                return Err(StdError::generic_err("owner"));
            }
            token.token_uri = Some(uri); // FINDING
            Ok(Response::new())
        }
        ExecuteMsg::Switch { from, to } => {
            let mut left = SIDES.load(deps.storage, from)?;
            let mut right = SIDES.load(deps.storage, to)?;
            left.count -= 1; // FINDING
            right.count += 1;
            SIDES.save(deps.storage, to, &right)?;
            Ok(Response::new())
        }
        ExecuteMsg::Claim {} => {
            let mut user = USERS.load(deps.storage, &info.sender)?;
            settle(&mut user, INDEX.load(deps.storage)?);
            USERS.save(deps.storage, &info.sender, &user)?;
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(user.due.u128(), "uatom") })) // FINDING
        }
        ExecuteMsg::Harvest { denom } => {
            let owed = accrue(deps.storage, &info.sender, &denom, INDEX.load(deps.storage)?)?;
            let mut amount = vec![];
            amount.push(Coin { denom, amount: owed });
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount })) // FINDING
        }
        ExecuteMsg::Grant { who, more } => {
            if OWNER.load(deps.storage)? != info.sender {
                return Err(StdError::generic_err("owner"));
            }
            if let Some(old) = QUOTAS.may_load(deps.storage, &who)? {
                QUOTAS.save(deps.storage, &who, &(old + more))?; // FINDING
            }
            Ok(Response::new())
        }
        ExecuteMsg::Spread {} => {
            for (who, quota) in ALL_QUOTAS.range(deps.storage, None, None, Order::Ascending).collect::<StdResult<Vec<_>>>()? {
                ALL_QUOTAS.save(deps.storage, &who, &(quota + Uint128::one()))?; // FINDING
            }
            Ok(Response::new())
        }
        ExecuteMsg::Make { name, kind } => {
            let id = NEXT.load(deps.storage)?;
            NEXT.save(deps.storage, &(id + 1))?;
            NAMES.save(deps.storage, id, &name)?;
            Ok(Response::new().add_attribute("kind", kind.to_string()))
        }
        ExecuteMsg::Act { id } => {
            let name = NAMES.load(deps.storage, id)?;
            if KINDS.may_load(deps.storage, id)?.unwrap_or(0) == 1 { // FINDING
                NAMES.remove(deps.storage, id);
            }
            Ok(Response::new().add_attribute("name", name))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, Binary, CosmosMsg, BankMsg, Deps, DepsMut, Env, MessageInfo, Response, StdResult, Uint128, coins};
use cw_paginate::paginate_map;
use cw_storage_plus::Map;

pub const DEBTS: Map<&Addr, Uint128> = Map::new("debts");
pub enum ExecuteMsg { Borrow { amount: Uint128 }, Repay {} }
pub enum QueryMsg { Debts { limit: Option<u32> } }

#[entry_point]
pub fn instantiate(_deps: DepsMut, _env: Env, _info: MessageInfo, _msg: u64) -> StdResult<Response> {
    Ok(Response::new())
}
#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Borrow { amount } => Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(amount.u128(), "ujuno") })),
        ExecuteMsg::Repay {} => {
            let debt = DEBTS.load(deps.storage, &info.sender)?;
            let paid = cw_utils::must_pay(&info, "ujuno").unwrap();
            DEBTS.save(deps.storage, &info.sender, &debt.checked_sub(paid)?)?; // FINDING
            Ok(Response::new())
        }
    }
}
#[entry_point]
pub fn query(deps: Deps, _env: Env, msg: QueryMsg) -> StdResult<Binary> {
    match msg { QueryMsg::Debts { limit } => to_json_binary(&paginate_map(&DEBTS, deps.storage, limit)?) }
}
`,
      `use cosmwasm_std::{entry_point, Addr, BankMsg, Coin, CosmosMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::Map;

pub const PENDING: Map<Addr, Uint128> = Map::new("pending");
pub enum ExecuteMsg { Claim {}, Deposit {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Deposit {} => {
            let paid = cw_utils::must_pay(&info, "ujuno").unwrap();
            PENDING.update(deps.storage, info.sender, |had| StdResult::Ok(had.unwrap_or_default() + paid))?;
            Ok(Response::new())
        }
        ExecuteMsg::Claim {} => {
            let pending = PENDING.may_load(deps.storage, info.sender.clone())?.unwrap_or(Uint128::zero());
            if pending.is_zero() { return Err(StdError::generic_err("nothing")); }
            Ok(Response::new().add_message(CosmosMsg::Bank(BankMsg::Send { // FINDING
                to_address: info.sender.to_string(),
                amount: vec![Coin { denom: "ujuno".to_string(), amount: pending }],
            })))
        }
    }
}
`,
      `use cosmwasm_std::{attr, entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Map;

pub const HELD: Map<&Addr, u64> = Map::new("held");
pub enum ExecuteMsg { Give { to: String, amount: u64 }, Shown { to: String } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let mut shown = vec![attr("by", &info.sender)];
    match msg {
        ExecuteMsg::Give { to, amount } => {
            let to = deps.api.addr_validate(&to)?; // FINDING
            HELD.save(deps.storage, &info.sender, &amount)?;
            shown.push(attr("to", to));
        }
        ExecuteMsg::Shown { to } => {
            let to = deps.api.addr_validate(&to)?; // FINDING
            HELD.save(deps.storage, &info.sender, &0)?;
            let name = short_name(to.as_str());
            shown.push(attr("to", name));
        }
    }
    Ok(Response::new().add_attributes(shown))
}
`,
    ],
    safe: [
      `use cosmwasm_std::{entry_point, DepsMut, Env, MessageInfo, Response, StdResult};
use cw_storage_plus::Item;

pub const COUNT: Item<u64> = Item::new("count");
pub const NOTE: Item<String> = Item::new("note");
pub enum Step { Up, Down }
pub enum ExecuteMsg { Turn { step: Step, note: Option<String> } }

// Which step it is decides what is saved.
#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Turn { step, note } => {
            if let Some(note) = note {
                NOTE.save(deps.storage, &note)?;
            }
            let count = COUNT.load(deps.storage)?;
            match step {
                Step::Up => COUNT.save(deps.storage, &(count + 1))?,
                Step::Down => COUNT.save(deps.storage, &(count - 1))?,
            }
            Ok(Response::new())
        }
    }
}
`,
      // Saved; and a limit that no message raises or lowers stays as it is.
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::Item;

pub const OWNER: Item<Addr> = Item::new("owner");
pub const FREE: Item<Uint128> = Item::new("free");
pub const MOST: Item<Uint128> = Item::new("most");
pub enum ExecuteMsg { Fund {}, Draw { amount: Uint128 }, Take { amount: Uint128 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Fund {} => {
            let free = FREE.load(deps.storage)? + cw_utils::must_pay(&info, "ujuno")?;
            FREE.save(deps.storage, &free)?;
            Ok(Response::new())
        }
        ExecuteMsg::Draw { amount } => {
            if info.sender != OWNER.load(deps.storage)? {
                return Err(StdError::generic_err("unauthorized"));
            }
            let mut free = FREE.load(deps.storage)?;
            let sum = std::cmp::min(amount, free);
            free -= sum;
            FREE.save(deps.storage, &free)?;
            let pay = BankMsg::Send { to_address: info.sender.to_string(), amount: coins(sum.u128(), "ujuno") };
            Ok(Response::new().add_message(pay).add_attribute("free", free.to_string()))
        }
        ExecuteMsg::Take { amount } => {
            if info.sender != OWNER.load(deps.storage)? {
                return Err(StdError::generic_err("unauthorized"));
            }
            let free = MOST.load(deps.storage)?.checked_sub(amount)?;
            let pay = BankMsg::Send { to_address: info.sender.to_string(), amount: coins(amount.u128(), "ujuno") };
            Ok(Response::new().add_message(pay).add_attribute("free", free.to_string()))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::Map;
use spans::Span;

pub struct Lien { pub amount: Span, pub holder: Addr, pub count: u64 }
pub const LIENS: Map<u64, Lien> = Map::new("liens");
pub enum ExecuteMsg { Open { id: u64 }, Commit { id: u64, sum: Uint128 }, Count { id: u64 }, Show { id: u64 }, Next { id: u64, sum: Uint128 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Open { id } => {
            LIENS.save(deps.storage, id, &Lien { amount: Span::new(), holder: info.sender, count: 0 })?;
            Ok(Response::new())
        }
        ExecuteMsg::Commit { id, sum } => {
            let mut lien = LIENS.load(deps.storage, id)?;
            lien.amount.commit(sum);
            LIENS.save(deps.storage, id, &lien)?;
            Ok(Response::new())
        }
        ExecuteMsg::Count { id } => {
            let mut lien = LIENS.load(deps.storage, id)?;
            lien.count += 1;
            LIENS.save(deps.storage, id, &lien)?;
            lien.amount.check(lien.count)?;
            Ok(Response::new())
        }
        ExecuteMsg::Show { id } => {
            let lien = LIENS.load(deps.storage, id)?;
            lien.amount.check(lien.count)?;
            Ok(Response::new())
        }
        ExecuteMsg::Next { id, sum } => {
            let mut lien = LIENS.load(deps.storage, id)?;
            let next = lien.amount.plus(sum);
            lien = Lien { amount: next, ..lien };
            LIENS.save(deps.storage, id, &lien)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{Addr, Response, StdError};
use cw_storage_plus::{Item, Map};
use sylvia::ctx::ExecCtx;

pub struct Stakes { pub vault: Item<Addr>, pub amounts: Map<Addr, u128> }

#[sylvia::contract]
impl Stakes {
    #[sv::msg(exec)]
    fn receive(&self, ctx: ExecCtx, owner: String, amount: u128) -> Result<Response, StdError> {
        if ctx.info.sender != self.vault.load(ctx.deps.storage)? {
            return Err(StdError::generic_err("unauthorized"));
        }
        let owner = ctx.deps.api.addr_validate(&owner)?;
        self.amounts.save(ctx.deps.storage, owner, &amount)?;
        Ok(Response::new())
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdResult, Storage};
use cw_storage_plus::Map;

pub struct Seat { pub rank: u64, pub since: u64 }
pub const SEATS: Map<&Addr, Seat> = Map::new("seats");
pub enum ExecuteMsg { Rank { rank: u64 } }

// More calls than the walk follows.
fn keep1(storage: &mut dyn Storage, who: &Addr, seat: &Seat) -> StdResult<()> { keep2(storage, who, seat) }
fn keep2(storage: &mut dyn Storage, who: &Addr, seat: &Seat) -> StdResult<()> { keep3(storage, who, seat) }
fn keep3(storage: &mut dyn Storage, who: &Addr, seat: &Seat) -> StdResult<()> { keep4(storage, who, seat) }
fn keep4(storage: &mut dyn Storage, who: &Addr, seat: &Seat) -> StdResult<()> { keep5(storage, who, seat) }
fn keep5(storage: &mut dyn Storage, who: &Addr, seat: &Seat) -> StdResult<()> { keep6(storage, who, seat) }
fn keep6(storage: &mut dyn Storage, who: &Addr, seat: &Seat) -> StdResult<()> { keep7(storage, who, seat) }
fn keep7(storage: &mut dyn Storage, who: &Addr, seat: &Seat) -> StdResult<()> { keep8(storage, who, seat) }
fn keep8(storage: &mut dyn Storage, who: &Addr, seat: &Seat) -> StdResult<()> { keep9(storage, who, seat) }
fn keep9(storage: &mut dyn Storage, who: &Addr, seat: &Seat) -> StdResult<()> { keep10(storage, who, seat) }
fn keep10(storage: &mut dyn Storage, who: &Addr, seat: &Seat) -> StdResult<()> { keep11(storage, who, seat) }
fn keep11(storage: &mut dyn Storage, who: &Addr, seat: &Seat) -> StdResult<()> { keep12(storage, who, seat) }
fn keep12(storage: &mut dyn Storage, who: &Addr, seat: &Seat) -> StdResult<()> { keep13(storage, who, seat) }
fn keep13(storage: &mut dyn Storage, who: &Addr, seat: &Seat) -> StdResult<()> { keep14(storage, who, seat) }
fn keep14(storage: &mut dyn Storage, who: &Addr, seat: &Seat) -> StdResult<()> { SEATS.save(storage, who, seat) }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Rank { rank } => {
            let mut seat = SEATS.load(deps.storage, &info.sender)?;
            seat.rank = rank;
            keep1(deps.storage, &info.sender, &seat)?;
        }
    }
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, Addr, Deps, DepsMut, Env, MessageInfo, Order, Response, StdError, StdResult, Storage, Uint128};
use cw_storage_plus::{Item, Map};

pub enum Kind { Short, Long { days: u64 }, Endless { days: u64, fee: Uint128 } }
pub const KIND: Item<Kind> = Item::new("kind");
pub const LOANS: Map<&str, (Addr, u64)> = Map::new("loans");
pub const FINES: Map<&Addr, Uint128> = Map::new("fines");
pub const TOTAL: Item<Uint128> = Item::new("total");
pub enum ExecuteMsg { Borrow { title: String }, Fine { who: Vec<String>, amount: Uint128 }, Sort { titles: Vec<String> }, Close {} }

fn days(deps: Deps, title: &str, extra: u64) -> StdResult<u64> {
    let (reader, days) = LOANS.load(deps.storage, title)?;
    Ok(days)
}

fn is_known(storage: &dyn Storage, title: &str, extra: u64) -> bool { LOANS.has(storage, title) }

fn levy(storage: &mut dyn Storage, rate: u64) -> StdResult<Uint128> {
    let due = TOTAL.load(storage)?;
    #[cfg(feature = "tax")]
    TOTAL.save(storage, &(due * Uint128::from(rate)))?;
    TOTAL.load(storage)
}

#[cfg(feature = "tax")]
fn taxed(storage: &mut dyn Storage, amount: Uint128) -> StdResult<Uint128> { Ok(amount) }

fn sum(storage: &mut dyn Storage, amount: Uint128, rate: u64) -> StdResult<Uint128> {
    #[cfg(feature = "tax")]
    let amount = amount * Uint128::from(rate);
    TOTAL.update(storage, |total| -> StdResult<_> { Ok(total + amount) })
}

fn fine(deps: DepsMut, env: Env, who: Vec<String>, amount: Uint128) -> StdResult<Response> {
    let total = sum(deps.storage, amount, 2)? + levy(deps.storage, 2)?;
    for (_place, name) in who.iter().enumerate() {
        let name = name.trim();
        let reader = deps.api.addr_validate(name)?;
        FINES.update(deps.storage, &reader, |old| -> StdResult<_> { Ok(amount) })?;
    }
    let _checked = TOTAL.load(deps.storage)?;
    Ok(Response::new().add_attribute("total", format!("{total}")))
}

fn close(deps: DepsMut, _env: Env, info: MessageInfo) -> StdResult<Response> {
    let mut message = "closed";
    if let Some(due) = FINES.may_load(deps.storage, &info.sender)? && !due.is_zero() {
        message = "due";
    }
    let days = match KIND.load(deps.storage)? {
        Kind::Short => 7,
        Kind::Long { days } | Kind::Endless { days, .. } if days > 7 => days,
        other => if matches!(other, Kind::Endless { fee, .. } if !fee.is_zero()) { 1 } else { 0 },
    };
    let titles: Vec<_> = LOANS.keys(deps.storage, None, None, Order::Ascending).collect::<StdResult<_>>()?;
    let mut at = 0;
    while let Some(title) = titles.get(at) {
        at += 1;
        LOANS.remove(deps.storage, title);
    }
    Ok(Response::new().add_attribute("message", message).add_attribute("days", days.to_string()))
}

fn reset(deps: DepsMut, env: Env) -> StdResult<()> {
    Err(StdError::generic_err("never"))
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Borrow { title } => {
            let days = days(deps.as_ref(), &title, 3)?;
            let sender = info.sender;
            fn twice(days: u64) -> u64 { let unused = days; days * 2 }
            LOANS.save(deps.storage, &title, &(sender, days))?;
            Ok(Response::new())
        }
        ExecuteMsg::Fine { who, amount } => fine(deps, env, who, amount),
        ExecuteMsg::Sort { titles } => {
            reset(deps, env)?;
            Ok(Response::new().add_attribute("titles", titles.concat()))
        }
        ExecuteMsg::Close {} => close(deps, env, info),
    }
}
`,
      `use cosmwasm_std::{entry_point, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Item;

#[derive(PartialEq)]
pub struct Totals { pub count: u64, pub held: u64 }
pub const TOTALS: Item<Totals> = Item::new("totals");
pub const COUNT: Item<u64> = Item::new("count");
pub const HELD: Item<u64> = Item::new("held");
pub enum ExecuteMsg { Audit {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Audit {} => {
            let totals = Totals { count: COUNT.load(deps.storage)?, held: HELD.load(deps.storage)? };
            if totals != TOTALS.load(deps.storage)? {
                return Err(StdError::generic_err("differs"));
            }
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::{Item, Map};

pub struct Range { pub low: i64, pub high: i64 }
pub const CURRENT: Item<Range> = Item::new("current");
pub const POSITIONS: Map<u64, (i64, i64)> = Map::new("positions");
pub const COUNT: Item<u64> = Item::new("count");
pub enum ExecuteMsg { Merge { ids: Vec<u64> } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Merge { ids } => {
            let mut range: Option<Range> = None;
            let found: StdResult<Vec<u64>> = ids
                .into_iter()
                .map(|id| {
                    let (low, high) = POSITIONS.load(deps.storage, id)?;
                    if let Some(range) = &range {
                        if range.low != low || range.high != high {
                            return Err(StdError::generic_err("differs"));
                        }
                    } else {
                        range = Some(Range { low, high })
                    }
                    Ok(id)
                })
                .collect();
            CURRENT.save(deps.storage, &range.unwrap())?;
            COUNT.save(deps.storage, &(found?.len() as u64))?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::Map;

pub struct Order { pub amount: Uint128, pub number: u64 }
pub const WAITING: Map<&Addr, Order> = Map::new("waiting");
pub const PLACED: Map<&Addr, Order> = Map::new("placed");
pub enum ExecuteMsg { Place { number: u64 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Place { number } => {
            let mut order = WAITING.load(deps.storage, &info.sender)?;
            WAITING.remove(deps.storage, &info.sender);
            order.number = number;
            PLACED.save(deps.storage, &info.sender, &order)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, BankMsg, Coin, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Storage, Uint128, WasmMsg};
use cosmwasm_storage::{Bucket, ReadonlyBucket};

pub struct Account { pub open: bool, pub amount: Uint128 }
static ACCOUNTS: &[u8] = b"accounts";
pub enum ExecuteMsg { Open { id: String }, Add { id: String } }

fn read(storage: &dyn Storage, owner: &Addr, id: &str) -> StdResult<Account> {
    match ReadonlyBucket::multilevel(storage, &[ACCOUNTS, owner.as_bytes()]).may_load(id.as_bytes())? {
        Some(account) => Ok(account),
        None => Ok(Account { open: false, amount: Uint128::zero() }),
    }
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Open { id } => {
            let mut account = read(deps.storage, &info.sender, &id)?;
            account.open = true;
            Bucket::multilevel(deps.storage, &[ACCOUNTS, info.sender.as_bytes()]).save(id.as_bytes(), &account)?;
            Ok(Response::new())
        }
        ExecuteMsg::Add { id } => {
            let mut account = read(deps.storage, &info.sender, &id)?;
            account.amount += info.funds[0].amount;
            Bucket::multilevel(deps.storage, &[ACCOUNTS, info.sender.as_bytes()]).save(id.as_bytes(), &account)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, DepsMut, Env, MessageInfo, Response, StdResult, SubMsg, WasmMsg};
use cw_storage_plus::{Item, Map};

pub struct Bid { pub from: Addr, pub price: u128 }
pub struct Terms { pub price: u128 }
pub const BIDS: Map<u64, Bid> = Map::new("bids");
pub const TERMS: Item<Terms> = Item::new("terms");
pub enum ExecuteMsg { Bid { id: u64, price: u128 }, Tell { to: String, price: u128 } }

fn file(deps: DepsMut, id: u64, bid: &Bid) -> StdResult<()> { BIDS.save(deps.storage, id, bid) }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Bid { id, price } => {
            let mut bid = Bid { from: info.sender, price };
            bid.price += 1;
            file(deps, id, &bid)?;
            Ok(Response::new())
        }
        ExecuteMsg::Tell { to, price } => {
            let terms = Terms { price };
            let tell = WasmMsg::Execute { contract_addr: to, msg: to_json_binary(&terms)?, funds: vec![] };
            Ok(Response::new().add_submessage(SubMsg::new(tell)))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Storage, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Account { pub balance: Uint128 }
pub struct Config { pub owner: Addr, pub blocked: Vec<Addr> }
pub const ACCOUNTS: Map<&Addr, Account> = Map::new("accounts");
pub const CONFIG: Item<Config> = Item::new("config");
pub enum ExecuteMsg { Burn { amount: Uint128 }, Block { who: String } }

fn store(storage: &mut dyn Storage, who: &Addr, account: Account) -> StdResult<()> {
    ACCOUNTS.save(storage, who, &account)
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Burn { amount } => {
            let mut account = ACCOUNTS.load(deps.storage, &info.sender)?;
            account.balance = account.balance.checked_sub(amount)?;
            store(deps.storage, &info.sender, account)?;
            Ok(Response::new())
        }
        ExecuteMsg::Block { who } => {
            let who = deps.api.addr_validate(&who)?;
            CONFIG.update(deps.storage, |mut config| -> StdResult<_> {
                if config.owner != info.sender {
                    return Err(StdError::generic_err("unauthorized"));
                }
                config.blocked.push(who);
                Ok(config)
            })?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Binary, Deps, Env, StdResult, Uint128};
use cw_storage_plus::Item;

pub struct State { pub index: Uint128 }
pub const STATE: Item<State> = Item::new("state");
pub enum QueryMsg { State {} }

#[entry_point]
pub fn query(deps: Deps, _env: Env, msg: QueryMsg) -> StdResult<Binary> {
    match msg {
        QueryMsg::State {} => {
            let mut state = STATE.load(deps.storage)?;
            state.index += Uint128::one();
            to_json_binary(&state)
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, to_json_binary, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128, WasmMsg};
use cw20::Cw20ExecuteMsg;
use cw_storage_plus::{Item, Map};
use cw_utils::must_pay;

pub const OWNER: Item<Addr> = Item::new("owner");
pub const BALANCES: Map<&Addr, Uint128> = Map::new("balances");
pub const HISTORY: Map<(&Addr, u64), Uint128> = Map::new("history");
pub const CLAIMED: Map<&Addr, bool> = Map::new("claimed");
pub const PRICES: Map<&str, Uint128> = Map::new("prices");
pub const TOKEN: Item<Addr> = Item::new("token");
pub struct InstantiateMsg { pub owner: String }
pub enum ExecuteMsg {
    Transfer { to: String, amount: Uint128 },
    Lower { at: u64, by: Uint128 },
    Claim {},
    Sell { denom: String },
    Redeem { denom: String },
    Refund { who: String },
    Drain { who: String },
}

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, _info: MessageInfo, msg: InstantiateMsg) -> StdResult<Response> {
    OWNER.save(deps.storage, &deps.api.addr_validate(&msg.owner)?)?;
    PRICES.save(deps.storage, "uosmo", &Uint128::one())?;
    Ok(Response::new())
}

fn pay(to: &Addr, amount: Uint128) -> BankMsg {
    BankMsg::Send { to_address: to.to_string(), amount: coins(amount.u128(), "uatom") }
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Transfer { to, amount } => {
            let to = deps.api.addr_validate(&to)?;
            let left = BALANCES.load(deps.storage, &info.sender)?.checked_sub(amount)?;
            BALANCES.save(deps.storage, &info.sender, &left)?;
            BALANCES.update(deps.storage, &to, |old| -> StdResult<_> { Ok(old.unwrap_or_default() + amount) })?;
            Ok(Response::new())
        }
        ExecuteMsg::Lower { at, by } => {
            let before = HISTORY.load(deps.storage, (&info.sender, at))?;
            HISTORY.save(deps.storage, (&info.sender, at + 1), &before.checked_sub(by)?)?;
            for one in BALANCES.range(deps.storage, None, None, Order::Ascending).collect::<StdResult<Vec<_>>>()? {
                BALANCES.save(deps.storage, &one.0, &one.1.checked_sub(by)?)?;
            }
            Ok(Response::new())
        }
        ExecuteMsg::Claim {} => {
            if CLAIMED.may_load(deps.storage, &info.sender)?.unwrap_or(false) {
                return Err(StdError::generic_err("claimed"));
            }
            CLAIMED.save(deps.storage, &info.sender, &true)?;
            Ok(Response::new().add_message(pay(&info.sender, Uint128::new(5))))
        }
        ExecuteMsg::Sell { denom } => {
            let paid = must_pay(&info, &denom).map_err(|_| StdError::generic_err("payment"))?;
            let due = paid * PRICES.load(deps.storage, &denom)?;
            Ok(Response::new().add_message(pay(&info.sender, due)))
        }
        ExecuteMsg::Redeem { denom } => {
            let due = PRICES.load(deps.storage, &denom)?;
            let burn = Cw20ExecuteMsg::BurnFrom { owner: info.sender.to_string(), amount: Uint128::one() };
            let contract_addr = TOKEN.load(deps.storage)?.to_string();
            let burn = WasmMsg::Execute { contract_addr, msg: to_json_binary(&burn)?, funds: vec![] };
            Ok(Response::new().add_message(burn).add_message(pay(&info.sender, due)))
        }
        ExecuteMsg::Refund { who } => {
            let who = deps.api.addr_validate(&who)?;
            let due = BALANCES.load(deps.storage, &who)?;
            BALANCES.remove(deps.storage, &who);
            Ok(Response::new().add_message(pay(&who, due)))
        }
        ExecuteMsg::Drain { who } => {
            if OWNER.load(deps.storage)? != info.sender {
                return Err(StdError::generic_err("owner"));
            }
            let who = deps.api.addr_validate(&who)?;
            Ok(Response::new().add_message(pay(&who, BALANCES.load(deps.storage, &who)?)))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Storage, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Round { pub number: u64, pub pot: Uint128, pub names: Vec<Addr> }
pub const ROUND: Item<Round> = Item::new("round");
pub const LAST: Item<Round> = Item::new("last");
pub const TOTAL: Item<Uint128> = Item::new("total");
pub const HELD: Map<&Addr, Round> = Map::new("held");
pub enum ExecuteMsg { Enter {}, Part {}, Look {}, Shadow {}, Other {}, Told {}, Limit { amounts: Vec<Uint128> }, Move { to: Addr }, Known {}, Both { to: Addr }, Same { to: Addr } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Enter {} => enter(deps, info),
        ExecuteMsg::Part {} => part(deps),
        ExecuteMsg::Look {} => look(deps),
        ExecuteMsg::Shadow {} => shadow(deps),
        ExecuteMsg::Other {} => other(deps),
        ExecuteMsg::Told {} => told(deps),
        ExecuteMsg::Limit { amounts } => limit(deps, amounts),
        // Nothing is changed on the way.
        ExecuteMsg::Move { to } => {
            let held = HELD.load(deps.storage, &info.sender)?;
            HELD.save(deps.storage, &to, &held)?;
            HELD.remove(deps.storage, &info.sender);
            Ok(Response::new())
        }
        ExecuteMsg::Known {} => {
            let mut held = HELD.load(deps.storage, &info.sender)?;
            held.number += 1;
            HELD.save(deps.storage, &held.names[0], &held)?;
            Ok(Response::new())
        }
        ExecuteMsg::Both { to } => {
            let mut held = HELD.load(deps.storage, &info.sender)?;
            held.number += 1;
            HELD.save(deps.storage, &to, &held)?;
            HELD.remove(deps.storage, &info.sender);
            Ok(Response::new())
        }
        ExecuteMsg::Same { to } => {
            if to != info.sender {
                return Err(StdError::generic_err("self"));
            }
            let mut held = HELD.load(deps.storage, &info.sender)?;
            held.number += 1;
            HELD.save(deps.storage, &to, &held)?;
            Ok(Response::new())
        }
    }
}

fn enter(deps: DepsMut, info: MessageInfo) -> StdResult<Response> {
    let round = ROUND.load(deps.storage)?;
    let mut next = round.clone();
    next.names.push(info.sender);
    LAST.save(deps.storage, &round)?;
    ROUND.save(deps.storage, &next)?;
    Ok(Response::new())
}

fn part(deps: DepsMut) -> StdResult<Response> {
    let mut round = ROUND.load(deps.storage)?;
    round.number += 1;
    ROUND.save(deps.storage, &Round { number: round.number, pot: Uint128::zero(), names: vec![] })?;
    Ok(Response::new())
}

fn look(deps: DepsMut) -> StdResult<Response> {
    let mut round = ROUND.load(deps.storage)?;
    ROUND.save(deps.storage, &Round { number: 0, pot: Uint128::zero(), names: vec![] })?;
    round.number += 1;
    LAST.save(deps.storage, &round)?;
    Ok(Response::new())
}

fn shadow(deps: DepsMut) -> StdResult<Response> {
    let mut round = ROUND.load(deps.storage)?;
    round.number += 1;
    let round = round;
    ROUND.save(deps.storage, &round)?;
    Ok(Response::new())
}

fn keep(storage: &mut dyn Storage, round: Round) -> StdResult<()> {
    ROUND.save(storage, &round)
}

fn other(deps: DepsMut) -> StdResult<Response> {
    let old = LAST.load(deps.storage)?;
    let mut round = ROUND.load(deps.storage)?;
    round.number += 1;
    ROUND.save(deps.storage, &old)?;
    keep(deps.storage, round)?;
    Ok(Response::new())
}

fn told(deps: DepsMut) -> StdResult<Response> {
    let mut total = TOTAL.load(deps.storage)?;
    let mut count = TOTAL.load(deps.storage)?;
    total += Uint128::one();
    count += Uint128::one();
    if count > Uint128::new(9) {
        return Err(StdError::generic_err(format!("{total}")));
    }
    Ok(Response::new())
}

fn limit(deps: DepsMut, amounts: Vec<Uint128>) -> StdResult<Response> {
    // A check in itself: it fails where less is left.
    let mut left = TOTAL.load(deps.storage)?;
    for amount in amounts {
        left = left.checked_sub(amount)?;
    }
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, Binary, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub const KEY: Item<Binary> = Item::new("key");
pub const OWNER: Item<Addr> = Item::new("owner");
pub const USED: Map<u64, bool> = Map::new("used");
pub enum ExecuteMsg { Redeem { nonce: u64, amount: Uint128, signature: Binary }, Sweep { amount: Uint128, signature: Binary }, Look { amount: Uint128, signature: Binary } }

fn pay(to: &Addr, amount: Uint128) -> Response {
    Response::new().add_message(BankMsg::Send { to_address: to.to_string(), amount: coins(amount.u128(), "uatom") })
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let key = KEY.load(deps.storage)?;
    match msg {
        ExecuteMsg::Redeem { nonce, amount, signature } => {
            let hash = hashes::digest(&(nonce, amount));
            if !deps.api.secp256k1_verify(&hash, &signature, &key)? || USED.has(deps.storage, nonce) {
                return Err(StdError::generic_err("signature"));
            }
            USED.save(deps.storage, nonce, &true)?;
            Ok(pay(&info.sender, amount))
        }
        ExecuteMsg::Sweep { amount, signature } => {
            if info.sender != OWNER.load(deps.storage)? || !deps.api.secp256k1_verify(&hashes::digest(&amount), &signature, &key)? {
                return Err(StdError::generic_err("owner"));
            }
            Ok(pay(&info.sender, amount))
        }
        ExecuteMsg::Look { amount, signature } => {
            if !deps.api.secp256k1_verify(&hashes::digest(&amount), &signature, &key)? {
                return Err(StdError::generic_err("signature"));
            }
            Ok(Response::new().add_attribute("amount", amount))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, Binary, Deps, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Account { pub balance: Uint128, pub notes: Vec<String> }
pub struct Archive { pub last: Account }
pub const ACCOUNTS: Map<&Addr, Account> = Map::new("accounts");
pub const OLD_ACCOUNTS: Map<&Addr, Account> = Map::new("old_accounts");
pub const ARCHIVE: Item<Archive> = Item::new("archive");
pub const TOTAL: Item<Uint128> = Item::new("total");
pub enum ExecuteMsg { Close {}, Earn { amount: Uint128 }, Archive {}, Show { note: String } }
pub enum QueryMsg { Total { more: Uint128 } }

impl Account {
    fn extend(&self, note: String) -> Vec<String> {
        vec![note, self.balance.to_string()]
    }
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        // Taken out before it is changed: only the event tells the rest.
        ExecuteMsg::Close {} => {
            let mut own = ACCOUNTS.load(deps.storage, &info.sender)?;
            ACCOUNTS.remove(deps.storage, &info.sender);
            own.balance += Uint128::one();
            Ok(Response::new().add_attribute("closed", own.balance))
        }
        // Whoever is in the old map moves to the new one.
        ExecuteMsg::Earn { amount } => {
            let mut own = match OLD_ACCOUNTS.may_load(deps.storage, &info.sender)? {
                Some(old) => old,
                None => ACCOUNTS.load(deps.storage, &info.sender)?,
            };
            own.balance += amount;
            ACCOUNTS.save(deps.storage, &info.sender, &own)?;
            Ok(Response::new())
        }
        // The changed copy is kept as part of another record.
        ExecuteMsg::Archive {} => {
            let mut own = ACCOUNTS.load(deps.storage, &info.sender)?;
            own.balance += Uint128::one();
            let mut archive = ARCHIVE.load(deps.storage)?;
            archive.last = own;
            ARCHIVE.save(deps.storage, &archive)?;
            Ok(Response::new())
        }
        ExecuteMsg::Show { note } => {
            let own = ACCOUNTS.load(deps.storage, &info.sender)?;
            Ok(Response::new().add_attribute("notes", own.extend(note).join(" ")))
        }
    }
}

// A query has nothing to lose.
#[entry_point]
pub fn query(deps: Deps, _env: Env, msg: QueryMsg) -> StdResult<Binary> {
    let QueryMsg::Total { more } = msg;
    let mut total = TOTAL.load(deps.storage)?;
    total += more;
    to_json_binary(&more)
}`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Storage, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Config { pub owner: Addr, pub oracle: Addr, pub fee: u64 }
pub struct Item_ { pub by: Addr, pub price: Uint128 }
pub const CONFIG: Item<Config> = Item::new("config");
pub const LAST: Item<u64> = Item::new("last");
pub const OWED: Map<&str, Uint128> = Map::new("owed");
pub const ITEMS: Map<u64, Item_> = Map::new("items");
pub const CAP: Item<Uint128> = Item::new("cap");
pub const USED: Item<Uint128> = Item::new("used");
pub enum ExecuteMsg { Add { price: Uint128 }, Take { denom: String, amount: Uint128 }, Set { oracle: Option<String>, fee: Option<u64> } }

fn next_id(storage: &mut dyn Storage) -> StdResult<u64> {
    let id = LAST.load(storage)? + 1;
    LAST.save(storage, &id)?;
    Ok(id)
}

fn lower(storage: &mut dyn Storage, denom: &str, amount: Uint128) -> StdResult<Uint128> {
    let mut owed = OWED.may_load(storage, denom)?.unwrap_or_default();
    owed -= amount;
    keep(storage, denom, owed)?;
    Ok(owed)
}

fn keep(storage: &mut dyn Storage, denom: &str, owed: Uint128) -> StdResult<()> {
    OWED.save(storage, denom, &owed)
}

fn left(storage: &dyn Storage, amount: Uint128) -> StdResult<Uint128> {
    Ok(CAP.load(storage)? - amount)
}

fn free(storage: &mut dyn Storage) -> StdResult<Uint128> {
    Ok(CAP.load(storage)? - USED.load(storage)?)
}

fn counted(storage: &mut dyn Storage) -> StdResult<u64> {
    let seen = LAST.load(storage)? + 1;
    counters::raise(storage, seen)?;
    Ok(seen)
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Add { price } => {
            let id = next_id(deps.storage)?;
            if left(deps.storage, price)? > free(deps.storage)? || counted(deps.storage)? > 9 {
                return Err(StdError::generic_err("cap"));
            }
            ITEMS.save(deps.storage, id, &Item_ { by: info.sender, price })?;
            Ok(Response::new())
        }
        ExecuteMsg::Take { denom, amount } => {
            if info.sender != CONFIG.load(deps.storage)?.owner {
                return Err(StdError::generic_err("owner"));
            }
            lower(deps.storage, &denom, amount)?;
            Ok(Response::new())
        }
        ExecuteMsg::Set { oracle, fee } => {
            let mut config = CONFIG.load(deps.storage)?;
            if info.sender != config.owner {
                return Err(StdError::generic_err("owner"));
            }
            let mut response = Response::new();
            if let Some(oracle) = oracle {
                config.oracle = deps.api.addr_validate(&oracle)?;
                response = response.add_attribute("oracle", config.oracle.clone());
            }
            if let Some(fee) = fee {
                config.fee = fee;
                response = response.add_attribute("fee", fee.to_string());
            }
            CONFIG.save(deps.storage, &config)?;
            Ok(response)
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::Item;

pub struct Config { pub owner: Addr, pub fee: u64 }
pub const CONFIG: Item<Config> = Item::new("config");
pub enum ExecuteMsg {
    Below { cap: Option<u64>, fee: Option<u64> },
    Kept { note: Option<String>, fee: Option<u64> },
    Logged { note: Option<String> },
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let mut config = CONFIG.load(deps.storage)?;
    if info.sender != config.owner {
        return Err(StdError::generic_err("owner"));
    }
    let mut response = Response::new();
    match msg {
        ExecuteMsg::Below { cap, fee } => {
            if let Some(fee) = fee {
                config.fee = fee;
            }
            if let Some(cap) = cap {
                if config.fee > cap {
                    return Err(StdError::generic_err("cap"));
                }
                response = response.add_attribute("cap", cap.to_string());
            }
        }
        ExecuteMsg::Kept { note, fee } => {
            if let Some(fee) = fee {
                config.fee = fee;
            }
            if let Some(note) = note {
                notes::keep(deps.storage, &note)?;
            }
        }
        ExecuteMsg::Logged { note } => {
            config.fee += 1;
            if let Some(note) = note {
                response = response.add_attribute("note", note);
            }
        }
    }
    CONFIG.save(deps.storage, &config)?;
    Ok(response)
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Vault { pub shares: Uint128, pub since: u64 }
pub struct State { pub total: Uint128 }
pub struct Order { pub by: Addr }
pub const OWED: Map<&Addr, Uint128> = Map::new("owed");
pub const PAID: Item<Uint128> = Item::new("paid");
pub const STATE: Item<State> = Item::new("state");
pub const VAULTS: Map<&Addr, Vault> = Map::new("vaults");
pub const OWNER: Item<Addr> = Item::new("owner");
pub const FEEDER: Item<Addr> = Item::new("feeder");
pub const NEXT: Item<u64> = Item::new("next");
pub const ORDERS: Map<u64, Order> = Map::new("orders");
pub const NAMED: Map<String, Addr> = Map::new("named");
pub enum ExecuteMsg { Claim {}, Leave { amount: Uint128 }, SetFeeder { feeder: String }, Place {}, Mint {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Claim {} => {
            let owed = OWED.load(deps.storage, &info.sender)?;
            OWED.remove(deps.storage, &info.sender);
            PAID.update(deps.storage, |paid| -> StdResult<_> { Ok(paid + owed) })?;
            let pay = BankMsg::Send { to_address: info.sender.to_string(), amount: coins(owed.u128(), "uatom") };
            Ok(Response::new().add_message(pay))
        }
        ExecuteMsg::Leave { amount } => {
            let vault = VAULTS.load(deps.storage, &info.sender)?;
            if vault.shares < amount {
                return Err(StdError::generic_err("too much"));
            }
            VAULTS.save(deps.storage, &info.sender, &Vault { shares: vault.shares - amount, since: vault.since })?;
            let mut state = STATE.load(deps.storage)?;
            state.total = state.total.checked_sub(amount)?;
            STATE.save(deps.storage, &state)?;
            let pay = BankMsg::Send { to_address: info.sender.to_string(), amount: coins(amount.u128(), "uatom") };
            Ok(Response::new().add_message(pay))
        }
        ExecuteMsg::SetFeeder { feeder } => {
            if info.sender != OWNER.load(deps.storage)? {
                return Err(StdError::generic_err("owner"));
            }
            let feeder = deps.api.addr_validate(&feeder)?;
            FEEDER.save(deps.storage, &feeder)?;
            Ok(Response::new().add_attribute("feeder", feeder))
        }
        ExecuteMsg::Place {} => {
            let id = NEXT.load(deps.storage)?;
            ORDERS.save(deps.storage, id, &Order { by: info.sender })?;
            NEXT.save(deps.storage, &(id + 1))?;
            Ok(Response::new())
        }
        ExecuteMsg::Mint {} => {
            let name = format!("nft-{}", NEXT.load(deps.storage)? + 1);
            NAMED.save(deps.storage, name, &info.sender)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_controllers::Hooks;
use cw_storage_plus::{Item, Map};

pub struct Round { pub open: bool, pub number: u64 }
pub struct Veto { pub by: String, pub early: bool }
pub struct List { pub amounts: Vec<Uint128> }
pub const HOOKS: Hooks = Hooks::new("hooks");
pub const OWED: Map<&Addr, Uint128> = Map::new("owed");
pub const DONE: Map<&Addr, u64> = Map::new("done");
pub const ROUND: Item<Round> = Item::new("round");
pub const OWNER: Item<Addr> = Item::new("owner");
pub const MODULE: Item<Addr> = Item::new("module");
pub const VETO: Item<Veto> = Item::new("veto");
pub const LISTS: Map<&Addr, List> = Map::new("lists");
pub const ENTRIES: Map<u64, Addr> = Map::new("entries");
pub const CHOSEN: Map<(u64, Addr), bool> = Map::new("chosen");
pub const LATEST: Map<String, Addr> = Map::new("latest");
pub const DENOM: Item<String> = Item::new("denom");
pub enum ExecuteMsg { Close {}, Mark {}, Pop {}, Hand {}, Hook { hook: String }, SetVeto { veto: Veto }, Enter {}, Choose {}, Shut {}, See {} }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let pay = |amount: Uint128| BankMsg::Send { to_address: info.sender.to_string(), amount: coins(amount.u128(), "uatom") };
    match msg {
        // A flag, a mark of the account, a list or other code may note it.
        ExecuteMsg::Close {} => {
            let owed = OWED.load(deps.storage, &info.sender)?;
            let mut round = ROUND.load(deps.storage)?;
            if !round.open {
                return Err(StdError::generic_err("closed"));
            }
            round.open = false;
            ROUND.save(deps.storage, &round)?;
            Ok(Response::new().add_message(pay(owed)))
        }
        ExecuteMsg::Mark {} => {
            let owed = OWED.load(deps.storage, &info.sender)?;
            if DONE.has(deps.storage, &info.sender) {
                return Err(StdError::generic_err("done"));
            }
            DONE.save(deps.storage, &info.sender, &env.block.height)?;
            Ok(Response::new().add_message(pay(owed)))
        }
        ExecuteMsg::Pop {} => {
            let mut list = LISTS.load(deps.storage, &info.sender)?;
            let amount = list.amounts.remove(0);
            LISTS.save(deps.storage, &info.sender, &list)?;
            Ok(Response::new().add_message(pay(amount)))
        }
        ExecuteMsg::Hand {} => {
            let owed = OWED.load(deps.storage, &info.sender)?;
            ledger::settle(deps.storage, &info.sender)?;
            Ok(Response::new().add_message(pay(owed)))
        }
        ExecuteMsg::Hook { hook } => {
            if info.sender != OWNER.load(deps.storage)? {
                return Err(StdError::generic_err("owner"));
            }
            let hook = deps.api.addr_validate(&hook)?;
            HOOKS.add_hook(deps.storage, hook)?;
            Ok(Response::new())
        }
        ExecuteMsg::SetVeto { veto } => {
            if info.sender != OWNER.load(deps.storage)? {
                return Err(StdError::generic_err("owner"));
            }
            deps.api.addr_validate(&veto.by)?;
            VETO.save(deps.storage, &veto)?;
            Ok(Response::new())
        }
        // The number of a round is advanced elsewhere, and an answer is not stored here.
        ExecuteMsg::Enter {} => {
            let number = ROUND.load(deps.storage)?.number;
            ENTRIES.save(deps.storage, number, &info.sender)?;
            Ok(Response::new())
        }
        ExecuteMsg::Choose {} => {
            let number: u64 = deps.querier.query_wasm_smart(MODULE.load(deps.storage)?, &1)?;
            ENTRIES.save(deps.storage, number, &info.sender)?;
            CHOSEN.save(deps.storage, (number, info.sender), &true)?;
            Ok(Response::new())
        }
        ExecuteMsg::Shut {} => {
            ROUND.update(deps.storage, |mut round| -> StdResult<_> {
                round.number += 1;
                Ok(round)
            })?;
            Ok(Response::new())
        }
        // What is there is looked at before.
        ExecuteMsg::See {} => {
            LATEST.save(deps.storage, names::of(DENOM.load(deps.storage)?), &info.sender)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Lock { pub amount: Uint128 }
pub const LOCKS: Map<&Addr, Lock> = Map::new("locks");
pub const LAST: Item<u64> = Item::new("last");
pub const NOTES: Map<(Addr, u64), String> = Map::new("notes");
pub enum ExecuteMsg { Leave {}, Note { text: String } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Leave {} => {
            let mut lock = LOCKS
                .may_load(deps.storage, &info.sender)?
                .filter(|lock| !lock.amount.is_zero())
                .ok_or_else(|| StdError::generic_err("nothing"))?;
            let back = coins(lock.amount.u128(), "uatom");
            lock.amount = Uint128::zero();
            LOCKS.save(deps.storage, &info.sender, &lock)?;
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: back }))
        }
        ExecuteMsg::Note { text } => {
            let id = LAST.load(deps.storage)?;
            NOTES.save(deps.storage, (info.sender, id), &text)?;
            LAST.save(deps.storage, &(id + 1))?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, Uint128};
use cw_storage_plus::{Item, Map};
use cw_utils::must_pay;
pub const OWNER: Item<Addr> = Item::new("owner");

pub struct Loan { pub owed: Uint128, pub rate: u64 }
pub const LOANS: Map<(&Addr, &str), Loan> = Map::new("loans");

pub enum ExecuteMsg { Repay { denom: String } }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Repay { denom } => {
            let paid = must_pay(&info, &denom).map_err(|e| StdError::generic_err(e.to_string()))?;
            let mut loan = LOANS.load(deps.storage, (&info.sender, &denom))?;
            loan.owed = loan.owed.checked_sub(paid)?;
            if loan.owed.is_zero() {
                LOANS.remove(deps.storage, (&info.sender, &denom));
            }
            else { LOANS.save(deps.storage, (&info.sender, &denom), &loan)?; }
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, Uint128};
use cw_storage_plus::Item;
pub const OWNER: Item<Addr> = Item::new("owner");

pub struct Pool { pub paused: bool, pub idle: Uint128, pub debt: Uint128, pub at: u64 }
pub const POOL: Item<Pool> = Item::new("pool");

pub enum ExecuteMsg { Crank {} }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Crank {} => {
            let mut pool = POOL.load(deps.storage)?;
            let held = deps.querier.query_balance(env.contract.address, "uatom")?.amount;
            if pool.paused {
                pool.idle = held;
                POOL.save(deps.storage, &pool)?;
                return Ok(Response::new().add_attribute("crank", "paused"));
            }
            pool.debt += Uint128::one();
            pool.at = env.block.height;
            POOL.save(deps.storage, &pool)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{coins, ensure_eq, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, Uint128};
use cw_storage_plus::{Item, Map};
pub const OWNER: Item<Addr> = Item::new("owner");

pub struct Step { pub due: u64, pub sum: Uint128 }
pub struct Plan { pub steps: Vec<Step> }
pub const PLANS: Map<&Addr, Plan> = Map::new("plans");

pub enum ExecuteMsg { Cut { who: String, sum: Uint128 }, Grant { who: String, steps: Vec<Step> } }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Grant { who, steps } => {
            ensure_eq!(info.sender, OWNER.load(deps.storage)?, StdError::generic_err("owner"));
            PLANS.save(deps.storage, &deps.api.addr_validate(&who)?, &Plan { steps })?;
            Ok(Response::new())
        }
        ExecuteMsg::Cut { who, sum } => {
            ensure_eq!(info.sender, OWNER.load(deps.storage)?, StdError::generic_err("owner"));
            let who = deps.api.addr_validate(&who)?;
            let mut plan = PLANS.load(deps.storage, &who)?;
            let mut open = plan.steps.iter_mut().filter(|one| one.due > env.block.height);
            let Some(step) = open.next() else { return Err(StdError::generic_err("none")) };
            step.sum = step.sum.checked_sub(sum)?;
            PLANS.save(deps.storage, &who, &plan)?;
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(sum.u128(), "ujuno") }))
        }
    }
}
`,
      `use cosmwasm_std::{ensure_eq, entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Storage, Uint128};
use cw_storage_plus::{Item, Map};
use cw_utils::must_pay;
pub const OWNER: Item<Addr> = Item::new("owner");

pub struct Stats { pub trades: u64, pub volume: Uint128 }
impl Stats { fn record(&mut self, sum: Uint128) { self.trades += 1; self.volume += sum; }
   fn load(storage: &dyn Storage) -> StdResult<Self> { STATS.load(storage) }
   fn store(&self, storage: &mut dyn Storage) -> StdResult<()> { STATS.save(storage, self) } }
pub const STATS: Item<Stats> = Item::new("stats");
pub const PAID: Map<&Addr, Uint128> = Map::new("paid");

pub enum ExecuteMsg { Trade {}, Clear {} }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Clear {} => {
            ensure_eq!(info.sender, OWNER.load(deps.storage)?, StdError::generic_err("owner"));
            Stats { trades: 0, volume: Uint128::zero() }.store(deps.storage)?;
            Ok(Response::new())
        }
        ExecuteMsg::Trade {} => {
            let sum = must_pay(&info, "ujuno").map_err(|e| StdError::generic_err(e.to_string()))?;
            let mut stats = Stats::load(deps.storage)?;
            stats.record(sum);
            stats.store(deps.storage)?;
            PAID.save(deps.storage, &info.sender, &sum)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{ensure, entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::Map;

pub struct Bond { pub left: Uint128, pub denom: String }
pub const BONDS: Map<&Addr, Bond> = Map::new("bonds");
pub enum ExecuteMsg { Settle { paid: Uint128 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Settle { paid } => {
            let mut bond = BONDS.load(deps.storage, &info.sender)?;
            bond.left = bond.left.checked_sub(paid)?;
            ensure!(bond.left.is_zero(), StdError::generic_err("all at once"));
            BONDS.remove(deps.storage, &info.sender);
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, DepsMut, Env, MessageInfo, Response, StdResult};
use cw_storage_plus::Item;

pub struct Round { pub open: bool, pub since: u64 }
pub const ROUND: Item<Round> = Item::new("round");
pub enum ExecuteMsg { Touch {} }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Touch {} => {
            let mut round = ROUND.load(deps.storage)?;
            if !round.open {
                round.open = true;
                round.since = env.block.height;
            }
            if round.open {
                ROUND.save(deps.storage, &round)?;
            }
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, from_json, to_json_binary, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128, WasmMsg};
use cw_storage_plus::{Item, Map};
use cw20::{Cw20ExecuteMsg, Cw20ReceiveMsg};
pub const OWNER: Item<Addr> = Item::new("owner");

pub struct Grant { pub who: String, pub sum: Uint128 }
pub const TOKEN: Item<Addr> = Item::new("token");
pub const GRANTS: Map<&Addr, Uint128> = Map::new("grants");
pub enum HookMsg { Register { grants: Vec<Grant> } }

pub enum ExecuteMsg { Receive(Cw20ReceiveMsg), Claim {} }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Receive(hook) => {
            if info.sender != TOKEN.load(deps.storage)? { return Err(StdError::generic_err("token")); }
            match from_json(&hook.msg)? {
                HookMsg::Register { grants } => {
                    let mut sum = Uint128::zero();
                    for one in grants {
                        let who = deps.api.addr_validate(&one.who)?;
                        if one.sum.is_zero() { return Err(StdError::generic_err("zero")); }
                        sum += one.sum;
                        GRANTS.update(deps.storage, &who, |had| -> StdResult<_> { Ok(had.unwrap_or_default() + one.sum) })?;
                    }
                    if sum != hook.amount { return Err(StdError::generic_err("sum")); }
                    Ok(Response::new())
                }
            }
        }
        ExecuteMsg::Claim {} => {
            let sum = GRANTS.load(deps.storage, &info.sender)?;
            GRANTS.remove(deps.storage, &info.sender);
            Ok(Response::new().add_message(WasmMsg::Execute { contract_addr: TOKEN.load(deps.storage)?.to_string(), msg: to_json_binary(&Cw20ExecuteMsg::Transfer { recipient: info.sender.to_string(), amount: sum })?, funds: vec![] }))
        }
    }
}
`,
      `use cosmwasm_std::{ensure, ensure_eq, entry_point, to_json_binary, Addr, Decimal, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw20::Cw20ReceiveMsg;
use cw_storage_plus::Item;
use members::{Guards, Members};

pub const OWNER: Item<Addr> = Item::new("owner");
pub const TOKEN: Item<Addr> = Item::new("token");
pub const GUARDS: Guards = Guards::new("guards");
pub enum ExecuteMsg {
    AssertHeld { denom: String, least: Uint128 },
    AssertFee { fee: Decimal },
    TopUp(Cw20ReceiveMsg),
    Guard { who: String },
    Seat { who: String },
    Quote { fee: Decimal },
    Retired { fee: Decimal },
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::AssertHeld { denom, least } => {
            let held = deps.querier.query_balance(&info.sender, denom)?;
            ensure!(held.amount >= least, StdError::generic_err("too little"));
            Ok(Response::new())
        }
        ExecuteMsg::AssertFee { fee } => {
            ensure_eq!(info.sender, env.contract.address, StdError::generic_err("only itself"));
            ensure!(fee < Decimal::one(), StdError::generic_err("fee"));
            Ok(Response::new())
        }
        ExecuteMsg::TopUp(_) => {
            ensure_eq!(info.sender, TOKEN.load(deps.storage)?, StdError::generic_err("token"));
            Ok(Response::new())
        }
        ExecuteMsg::Guard { who } => {
            ensure_eq!(info.sender, OWNER.load(deps.storage)?, StdError::generic_err("owner"));
            GUARDS.add(deps.storage, deps.api.addr_validate(&who)?)?;
            Ok(Response::new())
        }
        ExecuteMsg::Seat { who } => {
            ensure_eq!(info.sender, OWNER.load(deps.storage)?, StdError::generic_err("owner"));
            let who = deps.api.addr_validate(&who)?;
            Members::seat(deps, who)?;
            Ok(Response::new())
        }
        ExecuteMsg::Quote { fee } => {
            ensure_eq!(info.sender, OWNER.load(deps.storage)?, StdError::generic_err("owner"));
            ensure!(fee < Decimal::one(), StdError::generic_err("fee"));
            Ok(Response::new().set_data(to_json_binary(&fee)?))
        }
        ExecuteMsg::Retired { fee } => {
            ensure_eq!(info.sender, OWNER.load(deps.storage)?, StdError::generic_err("owner"));
            ensure!(fee < Decimal::one(), StdError::generic_err("fee"));
            Err(StdError::generic_err("retired"))
        }
    }
}
`,
      `use cosmwasm_std::{ensure_eq, entry_point, Addr, Decimal, DepsMut, Env, MessageInfo, Response, StdError};
use cw_storage_plus::Item;
pub const OWNER: Item<Addr> = Item::new("owner");

pub struct Config { pub fee: Decimal, pub slippage: Decimal, pub keeper: Addr }
pub const CONFIG: Item<Config> = Item::new("config");

pub enum ExecuteMsg { Update { fee: Option<Decimal>, slippage: Option<Decimal>, keeper: Option<String> } }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Update { fee, slippage, keeper } => {
            ensure_eq!(info.sender, OWNER.load(deps.storage)?, StdError::generic_err("owner"));
            let mut config = CONFIG.load(deps.storage)?;
            if let Some(fee) = fee { if fee >= Decimal::one() { return Err(StdError::generic_err("fee")); } config.fee = fee; }
            if let Some(slippage) = slippage {
                if slippage > Decimal::percent(50) { return Err(StdError::generic_err("slippage")); }
                config.slippage = slippage;
            }
            if let Some(keeper) = keeper { config.keeper = deps.api.addr_validate(&keeper)?; }
            CONFIG.save(deps.storage, &config)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{ensure, ensure_eq, entry_point, Addr, Decimal, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Storage, Uint128};
use cw_storage_plus::Item;

pub const OWNER: Item<Addr> = Item::new("owner");
pub const FEE: Item<Decimal> = Item::new("fee");
pub const TOTAL: Item<Uint128> = Item::new("total");
pub enum ExecuteMsg { Tune { fee: Decimal, version: u64, confirmed: bool, batch: u64, deadline: u64, floor: Uint128 } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Tune { fee, version, confirmed, batch, deadline, floor } => {
            ensure_eq!(info.sender, OWNER.load(deps.storage)?, StdError::generic_err("owner"));
            ensure!(version == 2, StdError::generic_err("version"));
            ensure!(confirmed, StdError::generic_err("confirm"));
            ensure!(env.block.height < deadline, StdError::generic_err("late"));
            ensure!(TOTAL.load(deps.storage)? >= floor, StdError::generic_err("floor"));
            ensure!(batch <= 30, StdError::generic_err("batch"));
            let mut rate = fee;
            for _ in 0..batch {
                rate = rate * fee;
            }
            ensure!(fee <= Decimal::percent(50), StdError::generic_err("fee"));
            store(deps.storage, fee)?;
            Ok(Response::new())
        }
    }
}

fn store(storage: &mut dyn Storage, fee: Decimal) -> StdResult<()> {
    FEE.save(storage, &fee)
}
`,
      `use cosmwasm_std::{ensure_eq, entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::Item;
use cw2::set_contract_version;
use cw_utils::must_pay;
pub struct InstantiateMsg { pub owner: String }
pub const OWNER: Item<Addr> = Item::new("owner");

use cw_asset::Asset;
pub const HELD: Item<Uint128> = Item::new("held");

#[entry_point]
pub fn instantiate(deps: DepsMut, env: Env, info: MessageInfo, msg: InstantiateMsg) -> Result<Response, StdError> {
    set_contract_version(deps.storage, "crates.io:own", "1.0.0")?;
    OWNER.save(deps.storage, &deps.api.addr_validate(&msg.owner)?)?;
    HELD.save(deps.storage, &Uint128::zero())?;
    Ok(Response::new())
}
pub enum ExecuteMsg { Sweep { asset: Asset, to: String }, Join {} }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Sweep { asset, to } => {
            ensure_eq!(info.sender, OWNER.load(deps.storage)?, StdError::generic_err("owner"));
            let to = deps.api.addr_validate(&to)?;
            Ok(Response::new().add_message(asset.transfer_msg(&to)?))
        }
        ExecuteMsg::Join {} => {
            let sum = must_pay(&info, "ujuno").map_err(|e| StdError::generic_err(e.to_string()))?;
            HELD.update(deps.storage, |had| -> StdResult<_> { Ok(had + sum) })?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{coins, ensure, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::Map;
use cw_utils::must_pay;

pub struct Loan { pub owed: Uint128, pub deposit: Uint128 }
pub const LOANS: Map<&Addr, Loan> = Map::new("loans");
pub const CLOSED: Map<&Addr, Loan> = Map::new("closed");
pub enum ExecuteMsg { Repay {}, Close {}, Archive {}, Forgive {} }

fn settle(loan: &Loan) -> StdResult<Uint128> {
    loan.deposit.checked_sub(loan.owed).map_err(StdError::overflow)
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let mut loan = LOANS.load(deps.storage, &info.sender)?;
    match msg {
        ExecuteMsg::Repay {} => {
            let paid = must_pay(&info, "ujuno").map_err(|e| StdError::generic_err(e.to_string()))?;
            loan.owed = loan.owed.checked_sub(paid)?;
            ensure!(loan.owed.is_zero(), StdError::generic_err("all of it"));
            LOANS.remove(deps.storage, &info.sender);
            Ok(Response::new())
        }
        ExecuteMsg::Close {} => {
            let paid = must_pay(&info, "ujuno").map_err(|e| StdError::generic_err(e.to_string()))?;
            loan.owed -= paid;
            LOANS.remove(deps.storage, &info.sender);
            let rest = settle(&loan)?;
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(rest.u128(), "ujuno") }))
        }
        ExecuteMsg::Archive {} => {
            let paid = must_pay(&info, "ujuno").map_err(|e| StdError::generic_err(e.to_string()))?;
            loan.owed -= paid;
            LOANS.remove(deps.storage, &info.sender);
            CLOSED.save(deps.storage, &info.sender, &loan)?;
            Ok(Response::new())
        }
        ExecuteMsg::Forgive {} => {
            loan.owed = Uint128::zero();
            LOANS.remove(deps.storage, &info.sender);
            Ok(Response::new().add_attribute("forgiven", info.sender))
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::Item;
use cw_utils::must_pay;
pub const OWNER: Item<Addr> = Item::new("owner");

use cw_storage_plus::{SnapshotMap, Strategy};
pub const POWER: SnapshotMap<&Addr, Uint128> = SnapshotMap::new("power", "power__check", "power__change", Strategy::EveryBlock);

pub enum ExecuteMsg { Lock {}, Unlock { sum: Uint128 } }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Lock {} => {
            let paid = must_pay(&info, "ujuno").map_err(|e| StdError::generic_err(e.to_string()))?;
            POWER.update(deps.storage, &info.sender, env.block.height, |had| -> StdResult<_> { Ok(had.unwrap_or_default() + paid) })?;
            Ok(Response::new())
        }
        ExecuteMsg::Unlock { sum } => {
            let had = POWER.load(deps.storage, &info.sender)?;
            let left = had.checked_sub(sum)?;
            POWER.save(deps.storage, &info.sender, &left, env.block.height)?;
            Ok(Response::new().add_attribute("left", left).add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(sum.u128(), "ujuno") }))
        }
    }
}
`,
      // What is given at the start goes into a controller that keeps it itself.
      `use cosmwasm_std::{entry_point, DepsMut, Env, MessageInfo, Response, StdResult};
use cw_controllers::Admin;
use cw_storage_plus::Item;

pub const ADMIN: Admin = Admin::new("admin");
pub const TIMEOUT: Item<u64> = Item::new("timeout");
pub struct InstantiateMsg { pub admin: String, pub timeout: u64 }
pub enum ExecuteMsg { SetTimeout { timeout: u64 } }

#[entry_point]
pub fn instantiate(mut deps: DepsMut, _env: Env, _info: MessageInfo, msg: InstantiateMsg) -> StdResult<Response> {
    TIMEOUT.save(deps.storage, &msg.timeout)?;
    let admin = deps.api.addr_validate(&msg.admin)?;
    ADMIN.set(deps.branch(), Some(admin))?;
    Ok(Response::new())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::SetTimeout { timeout } => {
            ADMIN.assert_admin(deps.as_ref(), &info.sender)?;
            TIMEOUT.save(deps.storage, &timeout)?;
            Ok(Response::new())
        }
    }
}`,
      `use cosmwasm_std::{coins, entry_point, to_json_binary, Addr, BankMsg, Binary, Deps, DepsMut, Empty, Env, MessageInfo, Order, Response, StdError, StdResult, Storage, Uint128};
use cw20_base::state::{BALANCES, TOKEN_INFO};
use cw_storage_plus::{Item, Map};

pub struct Side { pub count: u64 }
pub struct User { pub stake: Uint128, pub due: Uint128, pub paid: Uint128 }
pub const OWNER: Item<Addr> = Item::new("owner");
pub const PAUSED: Item<bool> = Item::new("paused");
pub const SIDES: Map<u8, Side> = Map::new("sides");
pub const USERS: Map<&Addr, User> = Map::new("users");
pub const OWED: Map<&Addr, Uint128> = Map::new("owed");
pub const POOLS: Map<&str, Uint128> = Map::new("pools");
pub const LEDGER: Map<&str, Uint128> = Map::new("ledger");
pub const SEEN: Map<&str, u64> = Map::new("seen");
pub const PATHS: Map<&str, u64> = Map::new("paths");
pub const OLD: Map<&str, u64> = Map::new("old");
pub const ADDED: Map<&str, u64> = Map::new("added");
pub struct InstantiateMsg { pub owner: String }
pub struct MigrateMsg {}
pub struct QueryMsg { pub name: String }
pub struct Book { pub map: Map<&'static str, u64> }
pub enum ExecuteMsg {
    Pause {},
    Burn { by: Uint128 },
    Switch { from: u8, to: u8 },
    Single { at: u8, to: u8 },
    Claim {},
    Take {},
    Close {},
    Fund { name: String },
    Grow { name: String, by: u64 },
}

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, _info: MessageInfo, msg: InstantiateMsg) -> StdResult<Response> {
    OWNER.save(deps.storage, &deps.api.addr_validate(&msg.owner)?)?;
    SIDES.save(deps.storage, 0, &Side { count: 0 })?;
    Ok(Response::new())
}

#[entry_point]
pub fn migrate(deps: DepsMut, _env: Env, _msg: MigrateMsg) -> StdResult<Response> {
    SEEN.save(deps.storage, "first", &1)?;
    Ok(Response::new().add_attribute("old", OLD.load(deps.storage, "first")?.to_string()))
}

// What earlier versions wrote, queries may still tell.
#[entry_point]
pub fn query(deps: Deps, _env: Env, msg: QueryMsg) -> StdResult<Binary> {
    to_json_binary(&OLD.may_load(deps.storage, &msg.name)?)
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    if PAUSED.may_load(deps.storage)?.unwrap_or(false) {
        return Err(StdError::generic_err("paused"));
    }
    match msg {
        ExecuteMsg::Pause {} => {
            if OWNER.load(deps.storage)? != info.sender {
                return Err(StdError::generic_err("owner"));
            }
            PAUSED.save(deps.storage, &true)?;
            Ok(Response::new())
        }
        ExecuteMsg::Burn { by } => {
            BALANCES.update(deps.storage, &info.sender, |old| -> StdResult<_> { Ok(old.unwrap_or_default().checked_sub(by)?) })?;
            let mut token = TOKEN_INFO.load(deps.storage)?;
            token.total_supply = token.total_supply.checked_sub(by)?;
            TOKEN_INFO.save(deps.storage, &token)?;
            Ok(Response::new())
        }
        ExecuteMsg::Switch { from, to } => {
            let mut left = SIDES.load(deps.storage, from)?;
            let mut right = SIDES.load(deps.storage, to)?;
            left.count -= 1;
            right.count += 1;
            SIDES.save(deps.storage, from, &left)?;
            SIDES.save(deps.storage, to, &right)?;
            Ok(Response::new())
        }
        // A copy goes elsewhere.
        ExecuteMsg::Single { at, to } => {
            let mut side = SIDES.load(deps.storage, at)?;
            side.count += 1;
            SIDES.remove(deps.storage, at);
            SIDES.save(deps.storage, to, &side)?;
            Ok(Response::new())
        }
        ExecuteMsg::Claim {} => {
            let mut user = USERS.may_load(deps.storage, &info.sender)?.unwrap_or(User { stake: Uint128::one(), due: Uint128::zero(), paid: Uint128::zero() });
            user.due += user.stake;
            user.paid += user.due;
            let pay = BankMsg::Send { to_address: info.sender.to_string(), amount: coins(user.due.u128(), "uatom") };
            user.due = Uint128::zero();
            USERS.save(deps.storage, &info.sender, &user)?;
            Ok(Response::new().add_message(pay))
        }
        ExecuteMsg::Take {} => {
            let owed = OWED.may_load(deps.storage, &info.sender)?.unwrap_or_default() + Uint128::one();
            OWED.save(deps.storage, &info.sender, &owed)?;
            let pay = BankMsg::Send { to_address: info.sender.to_string(), amount: coins(owed.u128(), "uatom") };
            OWED.save(deps.storage, &info.sender, &Uint128::zero())?;
            Ok(Response::new().add_message(pay))
        }
        ExecuteMsg::Close {} => {
            let owed = OWED.may_load(deps.storage, &info.sender)?.unwrap_or_default() + Uint128::one();
            OWED.save(deps.storage, &info.sender, &owed)?;
            OWED.remove(deps.storage, &info.sender);
            let pay = BankMsg::Send { to_address: info.sender.to_string(), amount: coins(owed.u128(), "uatom") };
            Ok(Response::new().add_message(pay))
        }
        // What is in the pool is not due to anybody.
        ExecuteMsg::Fund { name } => {
            let total = POOLS.may_load(deps.storage, "all")?.unwrap_or_default() + Uint128::one();
            POOLS.save(deps.storage, "all", &total)?;
            let pay = BankMsg::Send { to_address: OWNER.load(deps.storage)?.to_string(), amount: coins(total.u128(), name) };
            Ok(Response::new().add_message(pay))
        }
        ExecuteMsg::Grow { name, by } => {
            let seen = SEEN.load(deps.storage, "first")?;
            registry::fill(deps.storage, &LEDGER, &name)?;
            ADDED.add(deps.storage, &name, by)?;
            PATHS.key(&name).save(deps.storage, &by)?;
            let known = LEDGER.load(deps.storage, &name)?.u128() as u64 + ADDED.load(deps.storage, &name)? + PATHS.load(deps.storage, &name)?;
            Ok(Response::new().add_attribute("known", (seen + known).to_string()))
        }
    }
}
`,
      `use std::collections::{BTreeMap, HashSet};
use cosmwasm_std::{entry_point, Addr, Deps, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_controllers::Admin;
use cw_storage_plus::{Item, Map};

pub struct Flow { pub emitted: BTreeMap<u64, Uint128>, pub each: Uint128 }
pub const ADMIN: Admin = Admin::new("admin");
pub const BLOCKED: Item<Vec<Addr>> = Item::new("blocked");
pub const FLOWS: Map<u64, Flow> = Map::new("flows");
pub const PAID: Map<Addr, Uint128> = Map::new("paid");
pub enum ExecuteMsg { HandOver { owner: Option<String> }, Block { addresses: Vec<String> }, Claim { flow: u64 }, Add { flow: u64, each: Uint128 } }

#[entry_point]
pub fn execute(mut deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::HandOver { owner } => {
            ADMIN.assert_admin(deps.as_ref(), &info.sender)?;
            if let Some(owner) = owner {
                let owner = deps.api.addr_validate(owner.as_str())?;
                ADMIN.set(deps.branch(), Some(owner))?;
            }
            Ok(Response::new())
        }
        ExecuteMsg::Block { addresses } => {
            ADMIN.assert_admin(deps.as_ref(), &info.sender)?;
            let named: HashSet<Addr> = addresses.iter().map(|one| deps.api.addr_validate(one)).collect::<StdResult<_>>()?;
            let mut all: HashSet<Addr> = BLOCKED.may_load(deps.storage)?.unwrap_or_default().into_iter().collect();
            all.extend(named);
            BLOCKED.save(deps.storage, &all.into_iter().collect())?;
            Ok(Response::new())
        }
        ExecuteMsg::Claim { flow } => {
            let due = due(deps.as_ref(), flow)?;
            PAID.save(deps.storage, info.sender, &due)?;
            Ok(Response::new())
        }
        ExecuteMsg::Add { flow, each } => {
            ADMIN.assert_admin(deps.as_ref(), &info.sender)?;
            FLOWS.save(deps.storage, flow, &Flow { emitted: BTreeMap::new(), each })?;
            Ok(Response::new())
        }
    }
}

fn due(deps: Deps, flow: u64) -> StdResult<Uint128> {
    let mut flow = FLOWS.load(deps.storage, flow)?;
    let mut sum = Uint128::zero();
    for epoch in 1..10u64 {
        let before = *flow.emitted.get(&(epoch - 1)).unwrap_or(&Uint128::zero());
        flow.emitted.insert(epoch, before + flow.each);
        sum += before;
    }
    Ok(sum)
}
`,
      `use cosmwasm_std::{entry_point, coins, Addr, BankMsg, CosmosMsg, Decimal, Deps, DepsMut, Env, MessageInfo, Response, StdResult, Storage, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Step { pub due: bool, pub msgs: Vec<CosmosMsg> }
pub struct Route { pub steps: Vec<u64>, pub from: String }
pub struct Rates { pub shares: Vec<(Addr, Decimal)> }
pub struct Adjustment { pub value: Decimal, pub since: u64 }
pub struct OldTerm { pub end: u64 }
pub struct Term { pub end: u64, pub rate: Decimal }
pub const STEPS: Map<u64, Vec<Step>> = Map::new("steps");
pub const LAST: Item<u64> = Item::new("last");
pub const ROUTES: Map<&str, Route> = Map::new("routes");
pub const RATES: Item<Rates> = Item::new("rates");
pub const ADJUSTMENTS: Map<u64, Adjustment> = Map::new("adjustments");
pub const OLD_TERMS: Map<u64, OldTerm> = Map::new("terms");
pub const TERMS: Map<u64, Term> = Map::new("terms");
pub enum ExecuteMsg { Run { id: u64 }, Follow { name: String }, Share { of: Addr }, Adjust { id: u64 }, Set { id: u64, adjustment: Adjustment }, Agree { id: u64 } }

impl Route {
    fn steps_from(&self, from: &str) -> Vec<u64> {
        if self.from == from {
            self.steps.clone()
        } else {
            let mut steps = self.steps.clone();
            steps.reverse();
            steps
        }
    }
}

impl Rates {
    fn raise(&mut self, of: &Addr, by: Decimal) -> Decimal {
        self.shares.push((of.clone(), by));
        by
    }
}

// Computes with the copy that it loads.
fn share_of(deps: Deps, of: &Addr) -> StdResult<Decimal> {
    let mut rates = RATES.load(deps.storage)?;
    Ok(rates.raise(of, Decimal::percent(1)))
}

fn adjustment_of(storage: &dyn Storage, id: u64, now: u64) -> Decimal {
    let adjustment = ADJUSTMENTS.load(storage, id).unwrap_or_else(|_| Adjustment { value: Decimal::one(), since: now });
    if adjustment.since + 100 > now { adjustment.value } else { Decimal::one() }
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Run { id } => {
            let mut msgs = vec![];
            let mut sent = vec![];
            // The steps have messages of their own under the same name.
            for Step { due, msgs } in STEPS.load(deps.storage, id)? {
                if due {
                    sent.extend(msgs);
                    break;
                }
            }
            msgs.push(CosmosMsg::Bank(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(1, "uatom") }));
            LAST.save(deps.storage, &id)?;
            Ok(Response::new().add_messages(msgs).add_messages(sent))
        }
        ExecuteMsg::Follow { name } => {
            let route = ROUTES.load(deps.storage, &name)?;
            LAST.save(deps.storage, &route.steps_from("uatom").len() as u64)?;
            Ok(Response::new())
        }
        ExecuteMsg::Share { of } => {
            let share = share_of(deps.as_ref(), &of)?;
            ADJUSTMENTS.save(deps.storage, 0, &Adjustment { value: share, since: env.block.height })?;
            Ok(Response::new())
        }
        ExecuteMsg::Adjust { id } => {
            let value = adjustment_of(deps.storage, id, env.block.height);
            RATES.save(deps.storage, &Rates { shares: vec![(info.sender, value)] })?;
            Ok(Response::new())
        }
        ExecuteMsg::Set { id, adjustment } => {
            ADJUSTMENTS.save(deps.storage, id, &adjustment)?;
            Ok(Response::new())
        }
        ExecuteMsg::Agree { id } => {
            let end = match OLD_TERMS.may_load(deps.storage, id)? {
                Some(old) => old.end,
                None => env.block.height,
            };
            TERMS.save(deps.storage, id, &Term { end, rate: Decimal::one() })?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_ledger::record;
use cw_storage_plus::Map;

pub const DEBTS: Map<&Addr, Uint128> = Map::new("debts");
pub enum ExecuteMsg { Borrow { amount: Uint128 }, Repay {} }

#[entry_point]
pub fn instantiate(_deps: DepsMut, _env: Env, _info: MessageInfo, _msg: u64) -> StdResult<Response> {
    Ok(Response::new())
}
#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Borrow { amount } => {
            record(&DEBTS, deps.storage, &info.sender, amount)?;
            Ok(Response::new())
        }
        ExecuteMsg::Repay {} => {
            let debt = DEBTS.load(deps.storage, &info.sender)?;
            let paid = cw_utils::must_pay(&info, "ujuno").unwrap();
            DEBTS.save(deps.storage, &info.sender, &debt.checked_sub(paid)?)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, BankMsg, Coin, CosmosMsg, DepsMut, Empty, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::Map;

pub const PENDING: Map<Addr, Uint128> = Map::new("pending");
pub enum ExecuteMsg { Claim {}, Deposit {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response<Empty>> {
    match msg {
        ExecuteMsg::Deposit {} => {
            let paid = cw_utils::must_pay(&info, "ujuno").unwrap();
            PENDING.update(deps.storage, info.sender, |had| StdResult::Ok(had.unwrap_or_default() + paid))?;
            Ok(Response::new())
        }
        ExecuteMsg::Claim {} => {
            let pending = PENDING.may_load(deps.storage, info.sender.clone())?.unwrap_or(Uint128::zero());
            if pending.is_zero() { return Err(StdError::generic_err("nothing")); }
            let paid = CosmosMsg::Bank(BankMsg::Send { to_address: info.sender.to_string(), amount: vec![Coin { denom: "ujuno".to_string(), amount: pending }] });
            Ok(Response::new().add_message(CosmosMsg::Custom(module_burn(&info.sender, pending))).add_message(paid))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Storage, Uint128};
use cosmwasm_storage::{bucket, bucket_read};
use sha3::{Digest, Sha3_256};

pub struct Position { pub margin: Uint128, pub trader: Addr }
pub enum ExecuteMsg { Deposit { market: String, amount: Uint128 } }

fn key_of(market: &Addr, trader: &Addr) -> Vec<u8> {
    let mut hasher = Sha3_256::new();
    hasher.update(market.as_bytes());
    hasher.update(trader.as_bytes());
    hasher.finalize().to_vec()
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Deposit { market, amount } => {
            let market = deps.api.addr_validate(&market)?;
            let key = key_of(&market, &info.sender);
            let mut position: Position = bucket_read(deps.storage, b"position").load(&key)?;
            if position.trader != info.sender { return Err(StdError::generic_err("none")); }
            position.margin = position.margin.checked_add(amount)?;
            bucket(deps.storage, b"position").save(&key, &position)?;
            Ok(Response::new().add_attribute("market", market))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Item;

pub struct Config { pub owner: Addr, pub denom: String, pub rate: u64 }
pub const CONFIG: Item<Config> = Item::new("config");
pub enum ExecuteMsg { Update { denom: Option<String>, rate: Option<u64> } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Update { denom, rate } => {
            let mut config = CONFIG.load(deps.storage)?;
            if info.sender != config.owner { return Err(StdError::generic_err("owner")); }
            if let Some(_one) = denom { return Err(StdError::generic_err("the denomination is fixed")); }
            if let Some(rate) = rate { config.rate = rate; }
            CONFIG.save(deps.storage, &config)?;
            Ok(Response::new())
        }
    }
}
`,
    ],
  },
}
