import type { Rule } from "../../../Rule.ts"
import { loadChains } from "../../methodChains.ts"
import type { CosmWasmProgram } from "../../model.ts"

const defaults = /^(unwrap_or|unwrap_or_default|unwrap_or_else)$/

export const unwrapOrDefault: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/error-handling/unwrap-or-default",
    class: "unwrap-or-default",
    title: "Any error of a load becomes a default value",
    severity: "low",
    confidence: "medium",
    cwe: [456, 391],
    description:
      "A default stands in not only where an entry is missing but for every error of the load, above all for stored bytes that no longer parse after a migration. Balances then read as zero and are overwritten with it on the next save; rights read as their default.",
    remediation:
      "Use `may_load(...)?`, which tells a missing entry from an error, and put the default on the `None` only.",
    references: ["https://docs.rs/cw-storage-plus/latest/cw_storage_plus/struct.Map.html#method.may_load"],
  },
  examples: {
    vulnerable: [
      `use cosmwasm_std::{Addr, Deps, Uint128};
use cw_storage_plus::Map;

pub const BALANCES: Map<&Addr, Uint128> = Map::new("balances");

pub fn balance(deps: Deps, who: &Addr) -> Uint128 {
    BALANCES.load(deps.storage, who).unwrap_or_default() // FINDING
}
`,
      `use cosmwasm_std::{Addr, Deps};
use cw_storage_plus::Map;

pub const ALLOWED: Map<&Addr, bool> = Map::new("allowed");

pub fn is_allowed(deps: Deps, who: &Addr) -> bool {
    ALLOWED.may_load(deps.storage, who).ok().flatten().unwrap_or(true) // FINDING
}
`,
    ],
    safe: [
      `use cosmwasm_std::{Addr, Deps, StdResult, Uint128};
use cw_storage_plus::Map;

pub const BALANCES: Map<&Addr, Uint128> = Map::new("balances");

pub fn balance(deps: Deps, who: &Addr) -> StdResult<Uint128> {
    Ok(BALANCES.may_load(deps.storage, who)?.unwrap_or_default())
}
`,
      `use cosmwasm_std::{Addr, Deps, StdResult, Uint128};
use cw_storage_plus::Map;

pub const BALANCES: Map<&Addr, Uint128> = Map::new("balances");

pub fn balance(deps: Deps, who: &Addr) -> StdResult<Uint128> {
    match BALANCES.may_load(deps.storage, who)? {
        Some(amount) => Ok(amount),
        None => Ok(Uint128::zero()),
    }
}
`,
    ],
  },
  check: (program, report) => {
    for (const { crate } of program.crates)
      for (const definition of crate.functions)
        for (const { load, then } of loadChains(definition)) {
          const at = then.findIndex(({ name }) => defaults.test(name))
          const passedOn = then.slice(0, at).some(({ name }) => name === "?" || name === "unwrap" || name === "expect")
          if (at === -1 || passedOn) continue
          report({ file: definition.module.file, span: load.methodSpan, scope: definition.qualifiedName })
        }
  },
}
