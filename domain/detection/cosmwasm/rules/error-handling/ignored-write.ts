import type { Rule } from "../../../Rule.ts"
import type { CosmWasmProgram } from "../../model.ts"
import { reportOnce } from "../../../rust/reportOnce.ts"
import { isPlainWrite } from "../../storageWrites.ts"

export const ignoredWrite: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/error-handling/ignored-write",
    class: "ignored-result",
    title: "Whether a save succeeded is not looked at",
    severity: "low",
    confidence: "high",
    cwe: [252],
    description:
      "The answer of `save` is dropped. It fails only where the value cannot be serialised, which is rare; but then the message goes on as if the state had been written, and what was paid or counted for it is lost.",
    remediation: "Pass the error on with `?`, as everywhere else.",
    references: ["https://docs.rs/cw-storage-plus/latest/cw_storage_plus/struct.Map.html#method.save"],
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
    ],
  },
  check: (program, report) => {
    const once = reportOnce(report)
    for (const event of program.events())
      if (event.kind === "call" && event.dropped !== undefined && event.handled !== true && isPlainWrite(event))
        once({ file: event.file, span: event.node, scope: event.function.qualifiedName })
  },
}
