import type { Rule } from "../../../Rule.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import type { CosmWasmProgram } from "../../program/model.ts"
import { isPlainWrite } from "../../questions/storageWrites.ts"

export const ignoredWrite: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/error-handling/ignored-write",
    class: "ignored-result",
    title: "Result of a save is ignored",
    severity: "low",
    confidence: "high",
    cwe: [252],
    description:
      "The result of `save` is discarded. It fails only if the value cannot be serialized, which is rare; but " +
      "then the message continues as if the state had been written, and the corresponding payment or record is " +
      "lost.",
    remediation: "Propagate the error with `?`, as everywhere else.",
    references: ["https://docs.rs/cw-storage-plus/latest/cw_storage_plus/struct.Map.html#method.save"],
  },
  check: (program, report) => {
    for (const event of program.events())
      if (event.kind === "call" && event.dropped !== undefined && isPlainWrite(event)) report(placeOf(event))
  },
  examples: {
    vulnerable: [
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdResult};
use cw_storage_plus::Map;

pub const COUNTS: Map<&Addr, u32> = Map::new("counts");
pub enum ExecuteMsg { Count {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Count {} => {
            let count = COUNTS.may_load(deps.storage, &info.sender)?.unwrap_or(0);
            let _ = COUNTS.save(deps.storage, &info.sender, &(count + 1)); // FINDING
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{Addr, StdResult, Storage};
use cw_storage_plus::Item;

pub const LAST: Item<Addr> = Item::new("last");

pub fn note(storage: &mut dyn Storage, who: &Addr) -> StdResult<()> {
    LAST.save(storage, who).ok(); // FINDING
    Ok(())
}
`,
    ],
    safe: [
      `use cosmwasm_std::{Addr, StdResult, Storage};
use cw_storage_plus::Item;

pub const LAST: Item<Addr> = Item::new("last");

pub fn note(storage: &mut dyn Storage, who: &Addr) -> StdResult<()> {
    LAST.save(storage, who)
}
`,
      `use cosmwasm_std::{Addr, StdResult, Storage};
use cw_storage_plus::Item;

pub const LAST: Item<Addr> = Item::new("last");

pub fn note(storage: &mut dyn Storage, who: &Addr) -> StdResult<bool> {
    match LAST.save(storage, who) {
        Ok(()) => Ok(true),
        Err(_) => Ok(false),
    }
}
`,
      `use cosmwasm_std::{entry_point, DepsMut, Env, MessageInfo, Response, StdResult};
use cw_storage_plus::Item;

pub const COUNT: Item<u64> = Item::new("count");
pub enum ExecuteMsg { Count {} }

// Only the empty value is dropped, not the error.
#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, _msg: ExecuteMsg) -> StdResult<Response> {
    let _ = COUNT.save(deps.storage, &1)?;
    Ok(Response::new())
}`,
    ],
  },
}
