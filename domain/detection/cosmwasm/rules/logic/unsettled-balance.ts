import { unsettled } from "../../../rust/accruals.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import type { Rule } from "../../../Rule.ts"
import { type CosmWasmProgram, nameOfHandler } from "../../program/model.ts"
import { labelsIn } from "../../questions/labels.ts"

export const unsettledBalance: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/logic/unsettled-balance",
    class: "accounting-index-skip",
    title: "Balance changes before accrued rewards are settled",
    severity: "high",
    confidence: "medium",
    cwe: [682, 841],
    description:
      "Elsewhere, the rewards of a record are computed as its balance times the increase of an index (or of the " +
      "time) since the value stored in the record. Here, the balance or rate changes before those rewards are " +
      "settled, so the new balance counts for the entire period: an attacker deposits just before claiming and " +
      "takes rewards that others earned.",
    remediation:
      "Settle first: compute what the old balance has earned, add it to the pending rewards and update the " +
      "stored index. Only then change the balance.",
    references: [
      "https://uploads-ssl.webflow.com/5ad71ffeb79acc67c8bcdaba/5ad8d1193a40977462982470_scalable-reward-distribution-paper.pdf",
    ],
  },
  check: (program, report) => {
    for (const { entryPoints } of program.crates)
      for (const { subject, event, copy, isRate } of unsettled(
        entryPoints
          .filter(({ walk }) => !walk.truncated)
          .flatMap(({ handlers }) =>
            handlers.map((one) => ({
              subject: one,
              events: one.events,
              labels: labelsIn(one),
              isNew: () => false,
            })),
          ),
      ))
        report({
          ...placeOf(event),
          ...(isRate ? { severity: "low" as const } : {}),
          message: `\`${nameOfHandler(subject)}\` changes this before settling what it has earned since \`${copy.slice(copy.lastIndexOf(".") + 1)}\`.`,
        })
  },
  examples: {
    vulnerable: [
      `use cosmwasm_std::{entry_point, Addr, Decimal, DepsMut, Env, MessageInfo, Response, StdResult, Storage, Uint128};
use cw_storage_plus::{Item, Map};

pub struct User { pub stake: Uint128, pub index: Decimal, pub pending: Uint128 }
pub const INDEX: Item<Decimal> = Item::new("index");
pub const USERS: Map<&Addr, User> = Map::new("users");
pub enum ExecuteMsg { Stake { amount: Uint128 }, Claim {} }

fn settle(storage: &dyn Storage, user: &mut User) -> StdResult<()> {
    let index = INDEX.load(storage)?;
    user.pending += user.stake * (index - user.index);
    user.index = index;
    Ok(())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let mut user = USERS.load(deps.storage, &info.sender)?;
    match msg {
        ExecuteMsg::Stake { amount } => {
            user.stake += amount; // FINDING
        }
        ExecuteMsg::Claim {} => {
            settle(deps.storage, &mut user)?;
            user.pending = Uint128::zero();
        }
    }
    USERS.save(deps.storage, &info.sender, &user)?;
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, Addr, Decimal, DepsMut, Env, MessageInfo, Response, StdResult, Storage, Uint128};
use cw_storage_plus::{Item, Map};

pub struct User { pub stake: Uint128, pub index: Decimal, pub pending: Uint128 }
pub const INDEX: Item<Decimal> = Item::new("index");
pub const USERS: Map<&Addr, User> = Map::new("users");
pub enum ExecuteMsg { Stake { amount: Uint128 }, Claim {} }

fn settle(storage: &dyn Storage, user: &mut User) -> StdResult<()> {
    let index = INDEX.load(storage)?;
    user.pending += user.stake * (index - user.index);
    user.index = index;
    Ok(())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let mut user = USERS.load(deps.storage, &info.sender)?;
    match msg {
        ExecuteMsg::Stake { amount } => {
            user.stake = user.stake.checked_add(amount)?; // FINDING
            settle(deps.storage, &mut user)?;
        }
        ExecuteMsg::Claim {} => {
            settle(deps.storage, &mut user)?;
            user.pending = Uint128::zero();
        }
    }
    USERS.save(deps.storage, &info.sender, &user)?;
    Ok(Response::new())
}
`,
    ],
    safe: [
      `use cosmwasm_std::{entry_point, Addr, Decimal, DepsMut, Env, MessageInfo, Response, StdResult, Storage, Uint128};
use cw_storage_plus::{Item, Map};

pub struct User { pub stake: Uint128, pub index: Decimal, pub pending: Uint128 }
pub const INDEX: Item<Decimal> = Item::new("index");
pub const USERS: Map<&Addr, User> = Map::new("users");
pub enum ExecuteMsg { Stake { amount: Uint128 }, Claim {} }

fn settle(storage: &dyn Storage, user: &mut User) -> StdResult<()> {
    let index = INDEX.load(storage)?;
    user.pending += user.stake * (index - user.index);
    user.index = index;
    Ok(())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let mut user = USERS.load(deps.storage, &info.sender)?;
    match msg {
        ExecuteMsg::Stake { amount } => {
            settle(deps.storage, &mut user)?;
            user.stake += amount;
        }
        ExecuteMsg::Claim {} => {
            settle(deps.storage, &mut user)?;
            user.pending = Uint128::zero();
        }
    }
    USERS.save(deps.storage, &info.sender, &user)?;
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, Addr, Decimal, DepsMut, Env, MessageInfo, Response, StdResult, Storage, Uint128};
use cw_storage_plus::{Item, Map};

pub struct User { pub stake: Uint128, pub index: Decimal, pub pending: Uint128 }
pub const INDEX: Item<Decimal> = Item::new("index");
pub const USERS: Map<&Addr, User> = Map::new("users");
pub enum ExecuteMsg { Stake { amount: Uint128 }, Claim {} }

fn settle(storage: &dyn Storage, user: &mut User) -> StdResult<()> {
    let index = INDEX.load(storage)?;
    user.pending += user.stake * (index - user.index);
    user.index = index;
    Ok(())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let mut user = USERS.load(deps.storage, &info.sender)?;
    match msg {
        ExecuteMsg::Stake { amount } => {
            user.index = INDEX.load(deps.storage)?;
            user.stake += amount;
        }
        ExecuteMsg::Claim {} => {
            settle(deps.storage, &mut user)?;
            user.pending = Uint128::zero();
        }
    }
    USERS.save(deps.storage, &info.sender, &user)?;
    Ok(Response::new())
}
`,
    ],
  },
}
