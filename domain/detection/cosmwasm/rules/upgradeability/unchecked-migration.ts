import type { Rule } from "../../../Rule.ts"
import type { CosmWasmProgram } from "../../program/model.ts"
import { isOwnWrite, isVersionChecked } from "../../inputs/migrations.ts"

export const uncheckedMigration: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/upgradeability/unchecked-migration",
    class: "unprotected-migrate",
    title: "Migration does not check the contract it migrates from",
    // Only the admin can send a migration, and it harms what is the admin's own.
    severity: "low",
    confidence: "medium",
    cwe: [862, 20],
    description:
      "`migrate` writes to storage without checking the contract's stored name and version. The chain runs it " +
      "whenever the admin sends a migration, whatever code was there before: if it runs a second time, on an " +
      "older version or on another contract, it overwrites balances or configuration with values that do not " +
      "belong there.",
    remediation:
      "Read `cw2::get_contract_version` first and return an error unless the name is this contract's and the version is an older one that the code can handle, or call `cw2::ensure_from_older_version`.",
    references: ["https://docs.rs/cw2", "https://docs.cosmwasm.com/core/entrypoints/migrate"],
  },
  check: (program, report) => {
    for (const { entryPoints } of program.crates)
      for (const { kind, events, function: entry } of entryPoints) {
        if (kind !== "migrate") continue
        if (!events.some(isOwnWrite) || isVersionChecked(events)) continue
        report({ file: entry.module.file, span: entry.item.nameSpan, scope: entry.qualifiedName })
      }
  },
  examples: {
    vulnerable: [
      `use cosmwasm_std::{entry_point, DepsMut, Env, Response, StdError, StdResult};
use cw_storage_plus::Item;

pub enum Step { Open, Closed }
pub const FEE: Item<u64> = Item::new("fee");
pub struct MigrateMsg { pub fee: u64 }

#[entry_point]
pub fn migrate(deps: DepsMut, _env: Env, msg: MigrateMsg) -> StdResult<Response> { // FINDING
    pub const STEP: Item<Step> = Item::new("step");
    if STEP.load(deps.storage)? == Step::Open { return Err(StdError::generic_err("still open")); }
    STEP.remove(deps.storage);
    FEE.save(deps.storage, &msg.fee)?;
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, Response, StdResult};
use cw_storage_plus::Item;

pub const OWNER: Item<Addr> = Item::new("owner");
pub struct MigrateMsg { pub owner: String }

#[entry_point]
pub fn migrate(deps: DepsMut, _env: Env, msg: MigrateMsg) -> StdResult<Response> { // FINDING
    let owner = deps.api.addr_validate(&msg.owner)?;
    OWNER.save(deps.storage, &owner)?;
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, DepsMut, Env, Response, StdResult, Uint128};
use cw2::set_contract_version;
use cw_storage_plus::Item;

pub const TOTAL: Item<Uint128> = Item::new("total");
pub struct MigrateMsg {}

#[entry_point]
pub fn migrate(deps: DepsMut, _env: Env, _msg: MigrateMsg) -> StdResult<Response> { // FINDING
    set_contract_version(deps.storage, "vault", "2.0.0")?;
    reset(deps)
}

fn reset(deps: DepsMut) -> StdResult<Response> {
    TOTAL.save(deps.storage, &Uint128::zero())?;
    Ok(Response::new())
}
`,
    ],
    safe: [
      `use cosmwasm_std::{entry_point, DepsMut, Env, Response, StdError, StdResult};
use cw_storage_plus::Item;

pub struct Meta { pub release: u64, pub fee: u64 }
pub const META: Item<Meta> = Item::new("meta");
pub const FROM: u64 = 3;
pub struct MigrateMsg { pub fee: u64 }

#[entry_point]
pub fn migrate(deps: DepsMut, _env: Env, msg: MigrateMsg) -> StdResult<Response> {
    let mut meta = META.load(deps.storage)?;
    if meta.release != FROM { return Err(StdError::generic_err("another release")); }
    meta.fee = msg.fee;
    META.save(deps.storage, &meta)?;
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, Response, StdError, StdResult, Storage};
use cw2::{get_contract_version, set_contract_version};
use cw_storage_plus::Item;

pub const OWNER: Item<Addr> = Item::new("owner");
pub struct MigrateMsg { pub owner: String }

fn only_from_vault(storage: &dyn Storage) -> StdResult<()> {
    if get_contract_version(storage)?.contract != "vault" {
        return Err(StdError::generic_err("another contract"));
    }
    Ok(())
}

#[entry_point]
pub fn migrate(deps: DepsMut, _env: Env, msg: MigrateMsg) -> StdResult<Response> {
    only_from_vault(deps.storage)?;
    set_contract_version(deps.storage, "vault", "2.0.0")?;
    OWNER.save(deps.storage, &deps.api.addr_validate(&msg.owner)?)?;
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, DepsMut, Env, Response, StdResult};

pub struct MigrateMsg {}

#[entry_point]
pub fn migrate(_deps: DepsMut, _env: Env, _msg: MigrateMsg) -> StdResult<Response> {
    Ok(Response::default())
}
`,
    ],
  },
}
