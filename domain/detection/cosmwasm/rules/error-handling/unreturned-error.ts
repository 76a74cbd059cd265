import type { Rule } from "../../../Rule.ts"
import type { FunctionDefinition } from "../../../rust/crate.ts"
import { nodesOf } from "../../../rust/nodes.ts"
import type { Expression, Path } from "../../../rust/syntax.ts"
import type { CosmWasmCrate, CosmWasmProgram } from "../../model.ts"
import { reportOnce } from "../../../rust/reportOnce.ts"

/** Whether a path names `Err`, a variant of an error type, or a constructor of `StdError`. */
const isErrorPath = ({ project }: CosmWasmCrate, definition: FunctionDefinition, path: Path): boolean => {
  const names = path.segments.map(({ name }) => name)
  if (names.at(-1) === "Err") return true
  const found = project.resolver.resolve(definition.module, names)
  if (found.kind === "definition" && found.definition.kind === "variant") {
    const { enum: owner } = found.definition
    return (
      /Err(or)?$/.test(owner.name) ||
      owner.item.attributes.some(({ name, args }) => name === "derive" && args.some((one) => one.name === "Error"))
    )
  }
  // An error type of another crate: `ContractError::Unauthorized`, `StdError::generic_err`.
  return names.length > 1 && names.at(-2)!.endsWith("Error")
}

const isError = (crate: CosmWasmCrate, definition: FunctionDefinition, node: Expression): boolean => {
  switch (node.kind) {
    case "struct":
    case "path":
      return isErrorPath(crate, definition, node.path)
    case "call":
      return node.callee.kind === "path" && isErrorPath(crate, definition, node.callee.path)
    case "methodCall":
      return node.method === "into" && isError(crate, definition, node.receiver)
    default:
      return false
  }
}

export const unreturnedError: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/error-handling/unreturned-error",
    class: "unreturned-error",
    title: "An error is built but not returned",
    severity: "critical",
    confidence: "high",
    cwe: [390, 862],
    description:
      "The branch that should reject the message only builds an error value and drops it, so that execution goes on behind it. The compiler is content. An attacker who fails the check is let through all the same: it accepts an ownership that was never offered, or withdraws what is not its own.",
    remediation:
      "Write `return Err(...)`, or `ensure!(condition, error)` of cosmwasm-std, and add a test that expects the error.",
    references: [
      "https://github.com/oak-security/cosmwasm-ctf",
      "https://docs.rs/cosmwasm-std/latest/cosmwasm_std/macro.ensure.html",
    ],
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
  check: (program, report) => {
    const once = reportOnce(report)
    for (const crate of program.crates)
      for (const definition of crate.crate.functions) {
        if (definition.item.body === undefined) continue
        for (const node of nodesOf(definition.item.body)) {
          const dropped =
            node.kind === "expression" && node.semicolon
              ? node.expression
              : node.kind === "let" && "otherwise" in node === false && node.pattern.kind === "wildcard"
                ? node.value
                : undefined
          if (dropped === undefined || !isError(crate, definition, dropped)) continue
          once({ file: definition.module.file, span: dropped, scope: definition.qualifiedName })
        }
      }
  },
}
