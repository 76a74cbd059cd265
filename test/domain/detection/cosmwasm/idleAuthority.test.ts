import { describe, expect, it } from "vitest"
import { cosmwasmRules } from "../../../../domain/detection/cosmwasm/catalog.ts"
import { cosmwasmProgram } from "../../../support/rustProject.ts"

const rule = cosmwasmRules.find(({ meta }) => meta.id.endsWith("/missing-sender-check"))!

const messagesOf = (text: string): ReadonlyArray<string | undefined> => {
  const found: Array<string | undefined> = []
  rule.check(cosmwasmProgram(text), ({ message }) => found.push(message))
  return found
}

/** The body of one message, next to another that checks the owner of the configuration. */
const contract = (body: string): string => `
pub struct Config { pub owner: Addr, pub denom: String }
pub const CONFIG: Item<Config> = Item::new("config");
pub const KEEPER: Item<Option<Addr>> = Item::new("keeper");
pub const CURATOR: Item<Addr> = Item::new("curator");
pub const COUNT: Item<u64> = Item::new("count");
pub const CURATORS: Map<&str, Addr> = Map::new("curators");
pub enum ExecuteMsg { Make { code_id: u64, msg: Binary }, Reset {} }
fn only_curator(storage: &dyn Storage, sender: &Addr) -> StdResult<()> {
    if CURATOR.load(storage)? != *sender { return Err(StdError::generic_err("curator")); }
    Ok(())
}
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Make { code_id, msg } => { ${body} }
        ExecuteMsg::Reset {} => {
            if CONFIG.load(deps.storage)?.owner != info.sender { return Err(StdError::generic_err("owner")); }
            COUNT.save(deps.storage, &0)?;
            Ok(Response::new())
        }
    }
}`

const make = `let made = WasmMsg::Instantiate { admin: Some(env.contract.address.to_string()), code_id: 7, msg, funds: info.funds, label: "made".to_string() };
  Ok(Response::new().add_message(made))`
const count = `COUNT.update(deps.storage, |count| -> StdResult<_> { Ok(count + 1) })?;`

const idle = "The administrator is loaded here but never compared with the sender."

describe("an authority that is loaded but never used", () => {
  it.each([
    ["bound where there is one", `if let Some(keeper) = KEEPER.load(deps.storage)? {} ${make}`],
    ["taken apart by a match", `match KEEPER.load(deps.storage)? { Some(keeper) => {} None => {} } ${make}`],
    ["bound to a name", `let _curator = CURATOR.load(deps.storage)?; ${make}`],
    ["loaded if it is there", `let curator = CURATOR.may_load(deps.storage)?; ${count} ${make}`],
    [
      "part of a record whose owner another message checks",
      `let config = CONFIG.load(deps.storage)?; ${count} Ok(Response::new())`,
    ],
  ])("is told: %s", (_, body) => {
    expect(messagesOf(contract(body))).toEqual([idle])
  })

  it.each([
    [
      "compared",
      `if let Some(keeper) = KEEPER.load(deps.storage)? { if keeper != info.sender { return Err(StdError::generic_err("keeper")); } } ${make}`,
    ],
    ["compared by a helper", `only_curator(deps.storage, &info.sender)?; ${make}`],
    [
      "compared, and reloaded",
      `only_curator(deps.storage, &info.sender)?; let _again = CURATOR.load(deps.storage)?; ${make}`,
    ],
    [
      "told",
      `let curator = CURATOR.load(deps.storage)?; ${count} Ok(Response::new().add_attribute("curator", curator))`,
    ],
    [
      "kept elsewhere",
      `let curator = CURATOR.load(deps.storage)?; CURATORS.save(deps.storage, "last", &curator)?; Ok(Response::new())`,
    ],
    [
      "passed to a function without source",
      `let curator = CURATOR.load(deps.storage)?; other::verify(&curator, &info)?; ${make}`,
    ],
    [
      "part of a record that is used for something else",
      `let config = CONFIG.load(deps.storage)?; ${count} Ok(Response::new().add_attribute("denom", config.denom))`,
    ],
    ["loaded by a message that does nothing", `let _curator = CURATOR.load(deps.storage)?; Ok(Response::new())`],
  ])("is not told where it is %s", (_, body) => {
    expect(messagesOf(contract(body)).filter((one) => one === idle)).toEqual([])
  })
})
