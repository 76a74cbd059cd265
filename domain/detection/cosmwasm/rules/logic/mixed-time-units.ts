import { placeOf } from "../../../rust/placeOf.ts"
import { mixedUnits, type Unit } from "../../../rust/timeUnits.ts"
import type { Term } from "../../../rust/terms/terms.ts"
import type { Rule } from "../../../Rule.ts"
import type { CosmWasmProgram } from "../../program/model.ts"
import { labelsIn } from "../../questions/labels.ts"

/** `time.seconds()` of a `Timestamp`, whosever it is. */
const answers: ReadonlyMap<string, Unit> = new Map([
  ["seconds", "seconds"],
  ["millis", "milliseconds"],
  ["nanos", "nanoseconds"],
])

const platform = (term: Term): Unit | undefined => {
  if (term.kind === "field") return term.name === "height" ? "blocks" : undefined
  return term.kind === "call" ? answers.get(term.name) : undefined
}

export const mixedTimeUnits: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/logic/mixed-time-units",
    class: "mixed-time-units",
    title: "Mixed time units",
    severity: "high",
    confidence: "medium",
    cwe: [682, 1339],
    description:
      "A time in one unit is added to, subtracted from or compared with one in another: blocks or slots with " +
      "seconds, nanoseconds with seconds. A one-year lock ends within seconds or never, and rates are off by " +
      "orders of magnitude.",
    remediation:
      "Use one unit per field, include it in the field's name (`unlock_seconds`), and convert when reading a " +
      "value in another unit.",
    references: ["https://cwe.mitre.org/data/definitions/1339.html"],
  },
  check: (program, report) => {
    for (const { entryPoints } of program.crates)
      for (const { event, units } of mixedUnits(
        entryPoints.flatMap(({ handlers }) =>
          handlers.map((one) => ({ events: one.events, labels: labelsIn(one), platform })),
        ),
      ))
        report({ ...placeOf(event), message: `A time in ${units[0]} is combined with one in ${units[1]}.` })
  },
  examples: {
    vulnerable: [
      // A record is saved as a whole.
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Map;

pub struct Offer { pub maker: Addr, pub ends: u64 }
pub const OFFERS: Map<u64, Offer> = Map::new("offers");
pub enum ExecuteMsg { Make { id: u64 }, Close { id: u64 } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Make { id } => OFFERS.save(deps.storage, id, &Offer { maker: info.sender, ends: env.block.time.seconds() + 90 })?,
        ExecuteMsg::Close { id } => {
            let offer = OFFERS.load(deps.storage, id)?;
            if env.block.height < offer.ends { // FINDING
                return Err(StdError::generic_err("open"));
            }
            OFFERS.remove(deps.storage, id);
        }
    }
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::{Item, Map};

pub const LOCK_SECONDS: Item<u64> = Item::new("lock");
pub const UNTIL: Map<&Addr, u64> = Map::new("until");
pub const SINCE: Map<&Addr, u64> = Map::new("since");
pub struct Config { pub lock_seconds: u64 }
pub const CONFIG: Item<Config> = Item::new("config");
pub enum ExecuteMsg { Lock {}, Open {} }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let config = CONFIG.load(deps.storage)?;
    match msg {
        ExecuteMsg::Lock {} => {
            UNTIL.save(deps.storage, &info.sender, &(env.block.time.nanos() + config.lock_seconds))?; // FINDING
        }
        ExecuteMsg::Open {} => {
            SINCE.remove(deps.storage, &info.sender);
        }
    }
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::{Item, Map};

pub const LOCK_SECONDS: Item<u64> = Item::new("lock");
pub const UNTIL: Map<&Addr, u64> = Map::new("until");
pub const SINCE: Map<&Addr, u64> = Map::new("since");
pub struct Config { pub lock_seconds: u64 }
pub const CONFIG: Item<Config> = Item::new("config");
pub enum ExecuteMsg { Lock {}, Open {} }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let config = CONFIG.load(deps.storage)?;
    match msg {
        ExecuteMsg::Lock {} => {
            SINCE.save(deps.storage, &info.sender, &env.block.height)?;
        }
        ExecuteMsg::Open {} => {
            let since = SINCE.load(deps.storage, &info.sender)?;
            if since > env.block.time.seconds() { // FINDING
                return Err(StdError::generic_err("locked"));
            }
        }
    }
    Ok(Response::new())
}
`,
    ],
    safe: [
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Map;

pub struct Offer { pub maker: Addr, pub ends: u64 }
pub const OFFERS: Map<u64, Offer> = Map::new("offers");
pub enum ExecuteMsg { Make { id: u64 }, Close { id: u64 } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Make { id } => OFFERS.save(deps.storage, id, &Offer { maker: info.sender, ends: env.block.height + 90 })?,
        ExecuteMsg::Close { id } => {
            let offer = OFFERS.load(deps.storage, id)?;
            if env.block.height < offer.ends {
                return Err(StdError::generic_err("open"));
            }
            OFFERS.remove(deps.storage, id);
        }
    }
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::{Item, Map};

pub const LOCK_SECONDS: Item<u64> = Item::new("lock");
pub const UNTIL: Map<&Addr, u64> = Map::new("until");
pub const SINCE: Map<&Addr, u64> = Map::new("since");
pub struct Config { pub lock_seconds: u64 }
pub const CONFIG: Item<Config> = Item::new("config");
pub enum ExecuteMsg { Lock {}, Open {} }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let config = CONFIG.load(deps.storage)?;
    match msg {
        ExecuteMsg::Lock {} => {
            UNTIL.save(deps.storage, &info.sender, &(env.block.time.seconds() + config.lock_seconds))?;
            SINCE.save(deps.storage, &info.sender, &env.block.height)?;
        }
        ExecuteMsg::Open {} => {
            if UNTIL.load(deps.storage, &info.sender)? > env.block.time.seconds() {
                return Err(StdError::generic_err("locked"));
            }
            if SINCE.load(deps.storage, &info.sender)? + 5 > env.block.height {
                return Err(StdError::generic_err("locked"));
            }
        }
    }
    Ok(Response::new())
}
`,
      // Converted.
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::{Item, Map};

pub const LOCK_SECONDS: Item<u64> = Item::new("lock");
pub const UNTIL: Map<&Addr, u64> = Map::new("until");
pub const SINCE: Map<&Addr, u64> = Map::new("since");
pub struct Config { pub lock_seconds: u64 }
pub const CONFIG: Item<Config> = Item::new("config");
pub enum ExecuteMsg { Lock {}, Open {} }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let config = CONFIG.load(deps.storage)?;
    match msg {
        ExecuteMsg::Lock {} => {
            UNTIL.save(deps.storage, &info.sender, &(env.block.time.nanos() / 1_000_000_000 + config.lock_seconds))?;
        }
        ExecuteMsg::Open {} => {
            SINCE.save(deps.storage, &info.sender, &(env.block.time.nanos() + config.lock_seconds * 1_000_000_000))?;
        }
    }
    Ok(Response::new())
}
`,
    ],
  },
}
