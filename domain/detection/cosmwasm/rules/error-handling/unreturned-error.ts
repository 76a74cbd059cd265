import type { Rule } from "../../../Rule.ts"
import type { CosmWasmProgram } from "../../program/model.ts"
import { unreturnedErrors } from "../../inputs/unreturnedErrors.ts"

export const unreturnedError: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/error-handling/unreturned-error",
    class: "unreturned-error",
    title: "Error is constructed but not returned",
    severity: "critical",
    confidence: "high",
    cwe: [390, 862],
    description:
      "The branch that should reject the message constructs an error value but discards it, so execution " +
      "continues. The compiler accepts this. An attacker who fails the check gets through anyway: they accept " +
      "an ownership that was never offered, or withdraw funds that are not theirs.",
    remediation:
      "Write `return Err(...)`, or `ensure!(condition, error)` from cosmwasm-std, and add a test that expects " +
      "the error.",
    references: [
      "https://github.com/oak-security/cosmwasm-ctf",
      "https://docs.rs/cosmwasm-std/latest/cosmwasm_std/macro.ensure.html",
    ],
  },
  check: (program, report) => {
    for (const crate of program.crates)
      for (const { definition, error } of unreturnedErrors(crate))
        report({ file: definition.module.file, span: error, scope: definition.qualifiedName })
  },
  examples: {
    vulnerable: [
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError};
use cw_storage_plus::Item;

pub enum ContractError { Std(StdError), Unauthorized {} }
pub struct State { pub owner: Addr, pub proposed: Option<Addr> }
pub const STATE: Item<State> = Item::new("state");
pub enum ExecuteMsg { Accept {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, ContractError> {
    match msg {
        ExecuteMsg::Accept {} => {
            let mut state = STATE.load(deps.storage)?;
            if state.proposed != Some(info.sender.clone()) {
                ContractError::Unauthorized {}; // FINDING
            }
            state.owner = info.sender;
            STATE.save(deps.storage, &state)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{Addr, Deps, StdError, StdResult};
use cw_storage_plus::Item;

pub const OWNER: Item<Addr> = Item::new("owner");

pub fn only_owner(deps: Deps, sender: &Addr) -> StdResult<()> {
    let owner = OWNER.load(deps.storage)?;
    if owner != *sender {
        let _: StdResult<()> = Err(StdError::generic_err("unauthorized")); // FINDING
    }
    match OWNER.may_load(deps.storage)? {
        Some(_) => {}
        None => {
            StdError::generic_err("no owner"); // FINDING
        }
    }
    Ok(())
}
`,
      `use cosmwasm_std::{Env, MessageInfo, StdError, StdResult};

fn too_late(height: u64) -> StdError {
    StdError::generic_err(format!("closed at {height}"))
}

pub fn only_in_time(env: &Env, info: &MessageInfo, end: u64) -> StdResult<()> {
    if env.block.height > end {
        too_late(end); // FINDING
    }
    if info.funds.is_empty() {
        let _error = StdError::generic_err("pay"); // FINDING
    }
    Ok(())
}
`,
      `use cosmwasm_std::{Addr, DepsMut, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Item;

pub const OWNER: Item<Addr> = Item::new("owner");
pub const LIMIT: Item<u64> = Item::new("limit");

pub fn set(deps: DepsMut, info: MessageInfo, limit: u64) -> StdResult<Response> {
    if info.sender != OWNER.load(deps.storage)? { Err(StdError::generic_err("owner")) } else { Ok(()) }; // FINDING
    (limit > 100).then(|| Err::<(), StdError>(StdError::generic_err("limit"))); // FINDING
    LIMIT.save(deps.storage, &limit)?;
    Ok(Response::new())
}
`,
    ],
    safe: [
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError};
use cw_storage_plus::Item;

pub enum ContractError { Std(StdError), Unauthorized {}, Closed }
pub struct State { pub owner: Addr, pub proposed: Option<Addr> }
pub const STATE: Item<State> = Item::new("state");
pub enum ExecuteMsg { Accept {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, ContractError> {
    match msg {
        ExecuteMsg::Accept {} => {
            let mut state = STATE.load(deps.storage)?;
            if state.proposed != Some(info.sender.clone()) {
                return Err(ContractError::Unauthorized {});
            }
            if state.owner == info.sender {
                Err(ContractError::Closed)?;
            }
            state.owner = info.sender;
            STATE.save(deps.storage, &state)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{Addr, Deps, StdError, StdResult};
use cw_storage_plus::Item;

pub const OWNER: Item<Addr> = Item::new("owner");

pub fn only_owner(deps: Deps, sender: &Addr) -> StdResult<()> {
    let owner = OWNER.load(deps.storage)?;
    let error = StdError::generic_err("unauthorized");
    if owner != *sender {
        Err(error)
    } else {
        Ok(())
    }
}
`,
    ],
  },
}
