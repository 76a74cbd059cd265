import type { Rule } from "../../../Rule.ts"
import { isOwnWrite, isVersionChecked, isVersionSet } from "../../inputs/migrations.ts"
import type { CosmWasmProgram } from "../../program/model.ts"

export const overwrittenVersion: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/upgradeability/overwritten-version",
    class: "unprotected-migrate",
    title: "Migration sets the version without checking the previous one",
    severity: "low",
    confidence: "high",
    cwe: [862, 20],
    description:
      "`migrate` stores the name and version of the new code, regardless of what was there before, and does " +
      "nothing else. An admin who migrates the wrong contract, or downgrades to an older version, gets no " +
      "error: from then on, the stored data is read by code that was not written for it.",
    remediation:
      "Call `cw2::ensure_from_older_version` instead of `set_contract_version`: it compares the name, rejects a " +
      "newer version and stores the new one.",
    references: ["https://docs.rs/cw2", "https://docs.cosmwasm.com/core/entrypoints/migrate"],
  },
  check: (program, report) => {
    for (const { entryPoints } of program.crates)
      for (const { kind, events, function: entry } of entryPoints) {
        if (kind !== "migrate" || !events.some(isVersionSet) || events.some(isOwnWrite)) continue
        if (!isVersionChecked(events))
          report({ file: entry.module.file, span: entry.item.nameSpan, scope: entry.qualifiedName })
      }
  },
  examples: {
    vulnerable: [
      `use cosmwasm_std::{entry_point, DepsMut, Env, Response, StdResult};
use cw2::set_contract_version;

pub struct MigrateMsg {}

#[entry_point]
pub fn migrate(deps: DepsMut, _env: Env, _msg: MigrateMsg) -> StdResult<Response> { // FINDING
    set_contract_version(deps.storage, "vault", "2.0.0")?;
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, DepsMut, Empty, Env, Response, StdError};

const NAME: &str = "crates.io:vault";

#[entry_point]
pub fn migrate(deps: DepsMut, _env: Env, _msg: Empty) -> Result<Response, StdError> { // FINDING
    renew(deps)
}

fn renew(deps: DepsMut) -> Result<Response, StdError> {
    cw2::set_contract_version(deps.storage, NAME, env!("CARGO_PKG_VERSION"))?;
    Ok(Response::default())
}
`,
    ],
    safe: [
      `use cosmwasm_std::{entry_point, DepsMut, Empty, Env, Response, StdResult};

#[entry_point]
pub fn migrate(deps: DepsMut, _env: Env, _msg: Empty) -> StdResult<Response> {
    cw2::ensure_from_older_version(deps.storage, "vault", "2.0.0")?;
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, DepsMut, Empty, Env, Response, StdError, StdResult, Storage};
use cw2::{get_contract_version, set_contract_version};

#[entry_point]
pub fn migrate(deps: DepsMut, _env: Env, _msg: Empty) -> StdResult<Response> {
    only_from_vault(deps.storage)?;
    set_contract_version(deps.storage, "vault", "2.0.0")?;
    Ok(Response::new())
}

fn only_from_vault(storage: &dyn Storage) -> StdResult<()> {
    if get_contract_version(storage)?.contract != "vault" {
        return Err(StdError::generic_err("another contract"));
    }
    Ok(())
}
`,
      `use cosmwasm_std::{entry_point, DepsMut, Empty, Env, MessageInfo, Response, StdResult};
use cw2::set_contract_version;

// There is no earlier version to compare with.
#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, _info: MessageInfo, _msg: Empty) -> StdResult<Response> {
    set_contract_version(deps.storage, "crates.io:vault", "2.0.0")?;
    Ok(Response::new())
}`,
    ],
  },
}
