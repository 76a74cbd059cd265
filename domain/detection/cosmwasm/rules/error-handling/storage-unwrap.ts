import type { Rule } from "../../../Rule.ts"
import { loadChains } from "../../program/methodChains.ts"
import type { CosmWasmProgram } from "../../program/model.ts"

export const storageUnwrap: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/error-handling/storage-unwrap",
    class: "storage-unwrap",
    title: "Missing storage entry causes a panic",
    severity: "informational",
    confidence: "high",
    cwe: [248],
    description:
      "The result of a load from storage is unwrapped. If the entry is missing or cannot be parsed, the " +
      "contract panics instead of returning an error: callers see an aborted execution without a reason, and a " +
      "contract that handles errors of a submessage cannot tell what happened.",
    remediation: "Propagate the error with `?`, or use `may_load` and handle the missing entry.",
    references: ["https://docs.rs/cw-storage-plus/latest/cw_storage_plus/struct.Map.html#method.may_load"],
  },
  check: (program, report) => {
    for (const { crate } of program.crates)
      for (const definition of crate.functions)
        for (const { load, then } of loadChains(definition)) {
          const panics = then.find(({ name }) => name === "unwrap" || name === "expect")
          if (panics === undefined) continue
          report({ file: definition.module.file, span: load.methodSpan, scope: definition.qualifiedName })
        }
  },
  examples: {
    vulnerable: [
      `use cosmwasm_std::{Addr, Deps, Uint128};
use cw_storage_plus::Map;

pub const BALANCES: Map<&Addr, Uint128> = Map::new("balances");

pub fn balance(deps: Deps, who: &Addr) -> Uint128 {
    BALANCES.load(deps.storage, who).unwrap() // FINDING
}
`,
      `use cosmwasm_std::{Addr, Deps, StdResult, Uint128};
use cw_storage_plus::Map;

pub const BALANCES: Map<&Addr, Uint128> = Map::new("balances");

pub fn balance(deps: Deps, who: &Addr) -> StdResult<Uint128> {
    Ok(BALANCES.may_load(deps.storage, who)?.expect("known account")) // FINDING
}
`,
    ],
    safe: [
      `use cosmwasm_std::{Addr, Deps, StdResult, Uint128};
use cw_storage_plus::Map;

pub const BALANCES: Map<&Addr, Uint128> = Map::new("balances");

pub fn balance(deps: Deps, who: &Addr) -> StdResult<Uint128> {
    BALANCES.load(deps.storage, who)
}
`,
      `use cosmwasm_std::{Addr, Deps, StdResult, Uint128};
use cw_storage_plus::Map;

pub const BALANCES: Map<&Addr, Uint128> = Map::new("balances");

pub fn balance(deps: Deps, who: &Addr) -> StdResult<Uint128> {
    Ok(BALANCES.may_load(deps.storage, who)?.unwrap_or_else(Uint128::zero))
}
`,
    ],
  },
}
