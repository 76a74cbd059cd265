import { describe, expect, it } from "vitest"
import { cosmwasmRules } from "../../../../domain/detection/cosmwasm/catalog.ts"
import { cosmwasmProgram } from "../../../support/rustProject.ts"

/** Ids of the rules with high or critical findings. */
const alarmsIn = (check: string): ReadonlyArray<string> => {
  const program = cosmwasmProgram(`use cw_controllers::Admin;
pub const OWNER: Item<Addr> = Item::new("owner");
pub const ADMIN: Admin = Admin::new("admin");
pub enum ExecuteMsg { Give { to: String }, Keep {} }
fn only_owner(deps: Deps, sender: &Addr) -> StdResult<()> {
    if OWNER.load(deps.storage)? != *sender { return Err(StdError::generic_err("unauthorized")); }
    Ok(())
}
#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, info: MessageInfo, _msg: Empty) -> StdResult<Response> {
    OWNER.save(deps.storage, &info.sender)?;
    Ok(Response::new())
}
#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Give { to } => {
            ${check}
            OWNER.save(deps.storage, &deps.api.addr_validate(&to)?)?;
            Ok(Response::new())
        }
        ExecuteMsg::Keep {} => { only_owner(deps.as_ref(), &info.sender)?; Ok(Response::new()) }
    }
}`)
  const found: Array<string> = []
  for (const { meta, check } of cosmwasmRules)
    if (meta.severity === "high" || meta.severity === "critical") check(program, () => found.push(meta.id))
  return found
}

describe("a check of the sender that has no effect is reported once", () => {
  it.each([
    ["there is none", "", "cosmwasm/authorization/missing-sender-check"],
    [
      "its error is created and dropped",
      `if OWNER.load(deps.storage)? != info.sender { StdError::generic_err("unauthorized"); }`,
      "cosmwasm/error-handling/unreturned-error",
    ],
    [
      "its result is dropped as a statement",
      "only_owner(deps.as_ref(), &info.sender);",
      "cosmwasm/error-handling/ignored-result",
    ],
    [
      "its result is assigned to _",
      "_ = only_owner(deps.as_ref(), &info.sender);",
      "cosmwasm/error-handling/ignored-result",
    ],
    [
      "its error is replaced by ()",
      "only_owner(deps.as_ref(), &info.sender).unwrap_or(());",
      "cosmwasm/error-handling/ignored-result",
    ],
    [
      "a library's result is dropped",
      "let _ = ADMIN.assert_admin(deps.as_ref(), &info.sender);",
      "cosmwasm/error-handling/ignored-result",
    ],
  ])("where %s", (_, check, rule) => {
    expect(alarmsIn(check)).toEqual([rule])
  })
})
