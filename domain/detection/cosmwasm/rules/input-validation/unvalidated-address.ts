import { isNamed } from "../../../rust/crate/types.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import type { Event } from "../../../rust/terms/events.ts"
import { mentions, type Term } from "../../../rust/terms/terms.ts"
import type { Rule } from "../../../Rule.ts"
import { addressPlaces, firstUse, senderKeyed, storedAsAddress } from "../../saves/addressUses.ts"
import { isTrusted, uncheckedAddresses, uncheckedInChecks } from "../../inputs/uncheckedAddresses.ts"
import type { CosmWasmProgram } from "../../program/model.ts"
import { storedPlace } from "../../program/semantics.ts"
import { callerInputs } from "../../questions/callerInputs.ts"
import { usesOf } from "../../saves/entryUses.ts"

export const unvalidatedAddress: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/input-validation/unvalidated-address",
    class: "addr-not-validated",
    title: "Unvalidated address",
    severity: "medium",
    confidence: "high",
    cwe: [20],
    description:
      "An address sent by the caller is stored, compared or used as a key without validation. `Addr::unchecked` " +
      "and `Addr` fields of a message accept any text: an invalid address locks funds permanently, and the same " +
      "account written in upper case, which bech32 permits, is a different text, so it bypasses a comparison " +
      "meant to exclude it or opens a second record.",
    remediation:
      "Accept addresses as `String` in messages and pass them through `deps.api.addr_validate` before they are " +
      "stored, compared or used as keys. It returns an error for text that is not a normalized address of the " +
      "chain.",
    references: [
      "https://docs.rs/cosmwasm-std/latest/cosmwasm_std/struct.Addr.html",
      "https://docs.rs/cosmwasm-std/latest/cosmwasm_std/trait.Api.html",
    ],
  },
  check: (program, report) => {
    for (const event of uncheckedInChecks(program))
      report({
        ...placeOf(event),
        message: "`Addr::unchecked` in a function that should validate its argument.",
        confidence: "medium",
      })
    for (const crate of program.crates) {
      const places = addressPlaces(crate)
      const accounts = senderKeyed(crate)
      for (const entry of crate.entryPoints) {
        const { message, kind } = entry
        if (kind === "query" || message === undefined) continue
        if (kind !== "sudo") for (const match of uncheckedAddresses(entry, message)) report(match)
        if (kind !== "execute" && kind !== "instantiate" && kind !== "migrate") continue
        for (const event of storedAsAddress(entry, message))
          report({
            ...placeOf(event),
            message:
              "An `Addr` from the message is stored as received: deserializing it from JSON does not validate it.",
            ...(isTrusted(entry, event) ? { severity: "low" as const } : {}),
          })
        const uses = usesOf(entry)
        for (const input of callerInputs(crate, entry, program.terms)) {
          if (!isNamed(input.type, "Addr", "String", "HumanAddr")) continue
          const use = firstUse(entry, uses, input, places, accounts, program.terms)
          if (use === undefined) continue
          report({
            ...placeOf(use),
            message: `\`${input.name}\` is used as an address without being validated.`,
            ...(isNamed(input.type, "Addr") ? {} : { confidence: "medium" as const }),
            ...(isTrusted(entry, use) || !decides(use, input.term) ? { severity: "low" as const } : {}),
          })
        }
      }
    }
  },
  examples: {
    vulnerable: [
      `use cosmwasm_std::{Addr, Deps, Response, StdError, StdResult};
use cw_storage_plus::Item;
use sylvia::{contract, ctx::{ExecCtx, InstantiateCtx, QueryCtx, ReplyCtx}};

pub struct Feed { pub owner: Item<Addr>, pub oracle: Item<Addr> }

#[contract]
impl Feed {
    #[sv::msg(instantiate)]
    fn instantiate(&self, ctx: InstantiateCtx, owner: String) -> StdResult<Response> {
        self.owner.save(ctx.deps.storage, &ctx.deps.api.addr_validate(&owner)?)?;
        Ok(Response::new())
    }

    #[sv::msg(exec)]
    fn point(&self, ctx: ExecCtx, note: String, oracle: String) -> StdResult<Response> {
        if ctx.info.sender != self.owner.load(ctx.deps.storage)? {
            return Err(StdError::generic_err(note));
        }
        self.oracle.save(ctx.deps.storage, &Addr::unchecked(oracle))?; // FINDING
        Ok(Response::new())
    }
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, BankMsg, Coin, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Storage, Uint128, WasmMsg};
use cw_storage_plus::{Item, Map};

pub struct Config { pub owner: Addr, pub oracle: Option<Addr>, pub members: Vec<Addr>, pub name: String }
pub const CONFIG: Item<Config> = Item::new("config");
// Made by a macro of Config.
pub enum ExecuteMsg { Update { new: ConfigOptional } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Update { new } => {
            let mut config = CONFIG.load(deps.storage)?;
            if info.sender != config.owner {
                return Err(StdError::generic_err("owner"));
            }
            if let Some(oracle) = new.oracle {
                config.oracle = Some(oracle); // FINDING
            }
            if let Some(name) = new.name {
                config.name = name;
            }
            CONFIG.save(deps.storage, &config)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, Reply, Response, StdError, StdResult};
use cw_storage_plus::Item;
use cw_utils::parse_reply_instantiate_data;

pub const TOKEN: Item<Addr> = Item::new("token");

#[entry_point]
pub fn reply(deps: DepsMut, _env: Env, msg: Reply) -> StdResult<Response> {
    match msg.id {
        1 => {
            let made = parse_reply_instantiate_data(msg).map_err(|_| StdError::generic_err("no contract"))?;
            TOKEN.save(deps.storage, &Addr::unchecked(made.contract_address))?; // FINDING
            Ok(Response::new())
        }
        _ => Err(StdError::generic_err("unknown reply")),
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::Map;

pub const GRANTS: Map<&Addr, Uint128> = Map::new("grants");
pub enum ExecuteMsg { Grant { to: String, amount: Uint128 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Grant { to, amount } => {
            let to = Addr::unchecked(to); // FINDING
            GRANTS.save(deps.storage, &to, &amount)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, Binary, DepsMut, Env, MessageInfo, Response, StdError, StdResult, WasmMsg};
use cw_storage_plus::Item;

pub struct Config { pub vault: Addr }
pub const CONFIG: Item<Config> = Item::new("config");
pub enum ExecuteMsg { Forward { target: Addr, msg: Binary } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Forward { target, msg } => forward(deps, target, msg),
    }
}

fn forward(deps: DepsMut, target: Addr, msg: Binary) -> StdResult<Response> {
    let config = CONFIG.load(deps.storage)?;
    if target == config.vault { // FINDING
        return Err(StdError::generic_err("not the vault"));
    }
    let call = WasmMsg::Execute { contract_addr: target.to_string(), msg, funds: vec![] };
    Ok(Response::new().add_message(call))
}
`,
      `use cosmwasm_std::{entry_point, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::Map;

pub const BALANCES: Map<String, Uint128> = Map::new("balances");
pub enum ExecuteMsg { Transfer { to: String, amount: Uint128 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Transfer { to, amount } => {
            BALANCES.update(deps.storage, info.sender.to_string(), |balance| -> StdResult<_> {
                Ok(balance.unwrap_or_default().checked_sub(amount)?)
            })?;
            BALANCES.update(deps.storage, to, |balance| -> StdResult<_> { // FINDING
                Ok(balance.unwrap_or_default().checked_add(amount)?)
            })?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::{Item, Map};

pub struct Voter { pub account: Addr, pub weight: u64 }
pub struct InstantiateMsg { pub owner: Option<String> }
pub enum ExecuteMsg { Add { voters: Vec<Voter> } }
pub const OWNER: Item<Addr> = Item::new("owner");
pub const WEIGHTS: Map<&Addr, u64> = Map::new("weights");

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, info: MessageInfo, msg: InstantiateMsg) -> StdResult<Response> {
    let owner = msg.owner.map(Addr::unchecked).unwrap_or(info.sender); // FINDING
    OWNER.save(deps.storage, &owner)?;
    Ok(Response::new())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    if OWNER.load(deps.storage)? != info.sender {
        return Err(StdError::generic_err("owner"));
    }
    let ExecuteMsg::Add { voters } = msg;
    for voter in voters {
        WEIGHTS.save(deps.storage, &voter.account, &voter.weight)?; // FINDING
    }
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, BankMsg, DepsMut, Empty, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Config { pub owner: Addr, pub spare: Option<Addr>, pub members: Vec<Addr>, pub pair: [Addr; 2], pub count: Option<u64>, pub wallet: Wrapper<Addr> }
pub struct Call { pub payee: String }
pub const CONFIG: Item<Config> = Item::new("config");
pub const NAMES: Map<&str, u64> = Map::new("names");
pub const GRANTS: Map<&Addr, Uint128> = Map::new("grants");
pub const HEIR: Item<String> = Item::new("heir");
pub const NOTE: Item<String> = Item::new("note");
// Made by a macro of Config.
pub enum ExecuteMsg {
    Update { new: ConfigOptional },
    Checked { new: ConfigOptional },
    Mine { new: ConfigOptional },
    Heir { heir: String },
    Note { note: String },
    Inherit {},
    Grant { to: String, amount: Uint128 },
    Known { to: String },
    Old { to: String },
    Twice { to: String },
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Update { new } => {
            let mut config = CONFIG.load(deps.storage)?;
            let mut local = CONFIG.load(deps.storage)?.owner;
            config.spare = new.spare; // FINDING
            config.members = new.members; // FINDING
            config.pair = new.pair; // FINDING
            config.count = new.count;
            config.wallet = new.wallet;
            local = new.owner;
            CONFIG.save(deps.storage, &config)?;
            Ok(Response::new().add_attribute("local", local))
        }
        ExecuteMsg::Checked { new } => {
            let mut config = CONFIG.load(deps.storage)?;
            deps.api.addr_validate(new.owner.as_str())?;
            config.owner = new.owner;
            config.spare = new.spare; // FINDING
            CONFIG.save(deps.storage, &config)?;
            Ok(Response::new())
        }
        ExecuteMsg::Mine { new } => {
            let mut config = CONFIG.load(deps.storage)?;
            if info.sender != env.contract.address {
                return Err(StdError::generic_err("self"));
            }
            config.owner = new.owner;
            CONFIG.save(deps.storage, &config)?;
            Ok(Response::new())
        }
        ExecuteMsg::Heir { heir } => {
            HEIR.save(deps.storage, &heir)?; // FINDING
            Ok(Response::new())
        }
        ExecuteMsg::Note { note } => {
            NOTE.save(deps.storage, &note)?;
            Ok(Response::new())
        }
        ExecuteMsg::Inherit {} => {
            if HEIR.load(deps.storage)? != info.sender {
                return Err(StdError::generic_err("heir"));
            }
            Ok(Response::new())
        }
        ExecuteMsg::Grant { to, amount } => {
            let other = deps.api.addr_validate("someone")?;
            GRANTS.save(deps.storage, &other, &amount)?;
            GRANTS.save(deps.storage, &Addr::unchecked(to), &amount)?; // FINDING
            Ok(Response::new())
        }
        ExecuteMsg::Known { to } => {
            deps.api.addr_validate(&to)?;
            GRANTS.save(deps.storage, &Addr::unchecked(to), &Uint128::one())?;
            Ok(Response::new())
        }
        ExecuteMsg::Old { to } => {
            let to = Addr::unchecked(to); // FINDING
            GRANTS.load(deps.storage, &to)?;
            GRANTS.remove(deps.storage, &to);
            Ok(Response::new())
        }
        ExecuteMsg::Twice { to } => {
            if to == info.sender.as_str() { // FINDING
                return Err(StdError::generic_err("self"));
            }
            Ok(Response::new())
        }
    }
}

#[entry_point]
pub fn sudo(deps: DepsMut, _env: Env, msg: Call) -> StdResult<Response> {
    GRANTS.save(deps.storage, &Addr::unchecked(msg.payee), &Uint128::one())?;
    Ok(Response::new())
}

#[entry_point]
pub fn query(deps: Deps, _env: Env, msg: Call) -> StdResult<Binary> {
    to_json_binary(&GRANTS.load(deps.storage, &Addr::unchecked(msg.payee))?)
}
`,
      `use cosmwasm_std::{entry_point, Addr, BankMsg, Binary, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw20::Cw20ReceiveMsg;
use cw_storage_plus::{Item, Map};

pub struct Config { pub owner: Addr, pub token: Addr, pub codes: Vec<u64>, pub code: [u8; 4] }
pub struct Label { pub text: String }
pub struct Answer { pub owner: String }
pub struct MigrateMsg { pub new: ConfigOptional }
pub struct SudoMsg { pub new: ConfigOptional }
pub const CONFIG: Item<Config> = Item::new("config");
pub const BOOK: Map<&str, String> = Map::new("book");
pub const GRANTS: Map<&Addr, Uint128> = Map::new("grants");
pub const LIMITS: Map<String, Uint128> = Map::new("limits");
pub const WORDS: Map<String, u64> = Map::new("words");
pub const HEIR: Item<String> = Item::new("heir");
pub const WARD: Item<String> = Item::new("ward");
pub const NOTE: Item<String> = Item::new("note");
pub enum ExecuteMsg {
    Receive(Cw20ReceiveMsg),
    Stored { key: String },
    Lower { to: String },
    Asked { at: String },
    Peek { to: String },
    Sought { to: String },
    Another { to: String },
    Either { first: String, second: String, flag: bool },
    Listed { list: Vec<String> },
    Lenient { to: String },
    Named { text: Option<String> },
    Same { to: String },
    Word { word: String },
    Heir { heir: String, by: String },
    Ward { ward: String },
    Valid { heir: String },
    Own { heir: String },
    Guarded { ward: String },
    Must { to: String },
    Is { to: String },
    Limit { to: String, word: String, amount: Uint128 },
    Fresh { new: ConfigOptional },
    Codes { new: ConfigOptional },
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let config = CONFIG.load(deps.storage)?;
    match msg {
        ExecuteMsg::Receive(wrapper) => {
            if info.sender != config.token {
                return Err(StdError::generic_err("token"));
            }
            let sender = Addr::unchecked(wrapper.sender); // FINDING
            GRANTS.save(deps.storage, &sender, &wrapper.amount)?;
            Ok(Response::new())
        }
        ExecuteMsg::Stored { key } => {
            let known = BOOK.load(deps.storage, &key)?;
            GRANTS.save(deps.storage, &Addr::unchecked(known), &Uint128::one())?;
            Ok(Response::new())
        }
        ExecuteMsg::Lower { to } => {
            GRANTS.save(deps.storage, &Addr::unchecked(to.to_lowercase()), &Uint128::one())?;
            Ok(Response::new())
        }
        ExecuteMsg::Asked { at } => {
            let answer: Answer = deps.querier.query_wasm_smart(at, &Binary::default())?;
            GRANTS.save(deps.storage, &Addr::unchecked(answer.owner), &Uint128::one())?; // FINDING
            Ok(Response::new())
        }
        ExecuteMsg::Peek { to } => {
            let to = Addr::unchecked(to); // FINDING
            let found = GRANTS.may_load(deps.storage, &to)?;
            Ok(Response::new().add_attribute("found", found.unwrap_or_default()))
        }
        ExecuteMsg::Sought { to } => {
            let to = Addr::unchecked(to); // FINDING
            if to != config.owner {
                return Err(StdError::generic_err("owner"));
            }
            Ok(Response::new())
        }
        ExecuteMsg::Another { to } => {
            let to = Addr::unchecked(to); // FINDING
            if to == config.owner {
                return Err(StdError::generic_err("not the owner"));
            }
            Ok(Response::new())
        }
        ExecuteMsg::Either { first, second, flag } => {
            let to = if flag { first } else { second };
            GRANTS.save(deps.storage, &Addr::unchecked(to), &Uint128::one())?; // FINDING
            Ok(Response::new())
        }
        ExecuteMsg::Listed { list } => {
            GRANTS.save(deps.storage, &Addr::unchecked(list[0].clone()), &Uint128::one())?; // FINDING
            Ok(Response::new())
        }
        ExecuteMsg::Lenient { to } => {
            let to = Addr::unchecked(to); // FINDING
            let before = GRANTS.load(deps.storage, &to).unwrap_or_default();
            GRANTS.save(deps.storage, &to, &before)?;
            Ok(Response::new())
        }
        ExecuteMsg::Named { text } => {
            let label = text.map(Label::new);
            Ok(Response::new().add_attribute("label", label.unwrap().text))
        }
        ExecuteMsg::Same { to } => {
            if to == HEIR.load(deps.storage)? { // FINDING
                return Err(StdError::generic_err("heir"));
            }
            Ok(Response::new())
        }
        ExecuteMsg::Word { word } => {
            if word == NOTE.load(deps.storage)? {
                return Err(StdError::generic_err("note"));
            }
            NOTE.save(deps.storage, &word)?;
            Ok(Response::new())
        }
        ExecuteMsg::Heir { heir, by } => {
            if WARD.load(deps.storage)? != info.sender {
                return Err(StdError::generic_err("ward"));
            }
            deps.api.addr_validate(&by)?;
            HEIR.save(deps.storage, &heir)?; // FINDING
            Ok(Response::new())
        }
        ExecuteMsg::Ward { ward } => {
            if info.sender != HEIR.load(deps.storage)? {
                return Err(StdError::generic_err("heir"));
            }
            WARD.save(deps.storage, &ward)?; // FINDING
            Ok(Response::new())
        }
        ExecuteMsg::Valid { heir } => {
            deps.api.addr_validate(&heir)?;
            if heir == info.sender.as_str() {
                return Err(StdError::generic_err("self"));
            }
            HEIR.save(deps.storage, &heir)?;
            Ok(Response::new())
        }
        ExecuteMsg::Own { heir } => {
            if info.sender != env.contract.address {
                return Err(StdError::generic_err("contract"));
            }
            HEIR.save(deps.storage, &heir)?;
            Ok(Response::new())
        }
        ExecuteMsg::Guarded { ward } => {
            if ward.len() > 90 {
                return Err(StdError::generic_err("long"));
            }
            WARD.save(deps.storage, &ward)?; // FINDING
            Ok(Response::new())
        }
        ExecuteMsg::Must { to } => {
            if to != info.sender.as_str() {
                return Err(StdError::generic_err("sender"));
            }
            Ok(Response::new())
        }
        ExecuteMsg::Is { to } => {
            if info.sender.as_str() != to {
                return Err(StdError::generic_err("sender"));
            }
            Ok(Response::new())
        }
        ExecuteMsg::Limit { to, word, amount } => {
            WORDS.save(deps.storage, word, &1)?;
            LIMITS.save(deps.storage, to.clone(), &amount)?; // FINDING
            Ok(Response::new().add_message(BankMsg::Send { to_address: to, amount: vec![] }))
        }
        ExecuteMsg::Fresh { new } => {
            let mut fresh = Config { owner: info.sender.clone(), token: info.sender, codes: vec![], code: [0; 4] };
            fresh.owner = new.owner;
            Ok(Response::new().add_attribute("fresh", fresh.owner))
        }
        ExecuteMsg::Codes { new } => {
            let mut changed = CONFIG.load(deps.storage)?;
            changed.codes = new.codes;
            changed.code = new.code;
            CONFIG.save(deps.storage, &changed)?;
            Ok(Response::new())
        }
    }
}

#[entry_point]
pub fn migrate(deps: DepsMut, _env: Env, msg: MigrateMsg) -> StdResult<Response> {
    let mut config = CONFIG.load(deps.storage)?;
    config.owner = msg.new.owner; // FINDING
    CONFIG.save(deps.storage, &config)?;
    Ok(Response::new())
}

#[entry_point]
pub fn sudo(deps: DepsMut, _env: Env, msg: SudoMsg) -> StdResult<Response> {
    let mut config = CONFIG.load(deps.storage)?;
    config.owner = msg.new.owner;
    CONFIG.save(deps.storage, &config)?;
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{ensure, entry_point, to_json_binary, Addr, Binary, Deps, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Config { pub token: Addr, pub owner: Addr, pub operators: Vec<Addr>, pub denom: String }
pub struct Order { pub sender: String, pub amount: Uint128 }
pub struct Deposit { pub sender: String, pub referrer: String, pub order: Order, pub amount: Uint128 }
pub const CONFIG: Item<Config> = Item::new("config");
pub const GUARDIAN: Item<String> = Item::new("guardian");
pub const PAYEES: Map<u64, String> = Map::new("payees");
pub const ORDERS: Map<u64, Order> = Map::new("orders");
pub const GRANTS: Map<&Addr, Uint128> = Map::new("grants");
pub enum QueryMsg { Guardian {} }
pub enum ExecuteMsg {
    Pay { id: u64 },
    Grant { to: String },
    Operators { new: ConfigOptional },
    Outside { new: ConfigOptional },
    Guardian { guardian: String },
    Freeze {},
    Denom { denom: String },
    Handover { to: String, again: String },
    Replace { by: String },
    Appoint { to: String },
    Deposited(Deposit),
    Trusted(Deposit),
}

#[entry_point]
pub fn query(deps: Deps, _env: Env, _msg: QueryMsg) -> StdResult<Binary> {
    to_json_binary(&GUARDIAN.load(deps.storage)?)
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let mut config = CONFIG.load(deps.storage)?;
    match msg {
        ExecuteMsg::Pay { id } => {
            let payee = Addr::unchecked(ORDERS.load(deps.storage, id)?.sender);
            GRANTS.save(deps.storage, &payee, &Uint128::one())?;
        }
        ExecuteMsg::Grant { to } => {
            ensure!(to.starts_with("juno1"), StdError::generic_err("prefix"));
            GRANTS.save(deps.storage, &Addr::unchecked(to), &Uint128::one())?; // FINDING
        }
        ExecuteMsg::Operators { new } => {
            ensure!(new.operators.contains(&info.sender), StdError::generic_err("the sender must stay"));
            config.operators = new.operators; // FINDING
        }
        ExecuteMsg::Outside { new } => {
            if info.sender == env.contract.address {
                return Err(StdError::generic_err("itself"));
            }
            config.owner = new.owner; // FINDING
        }
        ExecuteMsg::Guardian { guardian } => {
            ensure!(guardian.starts_with("juno1"), StdError::generic_err("prefix"));
            GUARDIAN.save(deps.storage, &guardian)?; // FINDING
        }
        ExecuteMsg::Freeze {} => {
            if info.sender.as_str() != GUARDIAN.load(deps.storage)? {
                return Err(StdError::generic_err("guardian"));
            }
        }
        ExecuteMsg::Denom { denom } => {
            if config.denom != info.funds[0].denom {
                return Err(StdError::generic_err("denom"));
            }
            config.denom = denom;
        }
        ExecuteMsg::Handover { to, again } => {
            ensure!(to != info.sender.as_str() && to == again, StdError::generic_err("to")); // FINDING
            PAYEES.save(deps.storage, 0, &to)?;
        }
        ExecuteMsg::Replace { by } => {
            ensure!(by != info.sender.as_str() && info.sender == config.owner, StdError::generic_err("by")); // FINDING
            PAYEES.save(deps.storage, 0, &by)?;
        }
        ExecuteMsg::Appoint { to } => {
            ensure!(to == info.sender.as_str() || to.len() < 60, StdError::generic_err("to")); // FINDING
            PAYEES.save(deps.storage, 1, &to)?;
        }
        ExecuteMsg::Deposited(deposit) => {
            GRANTS.save(deps.storage, &Addr::unchecked(deposit.sender), &deposit.amount)?; // FINDING
        }
        ExecuteMsg::Trusted(deposit) => {
            ensure!(info.sender == config.token, StdError::generic_err("token"));
            GRANTS.save(deps.storage, &Addr::unchecked(deposit.referrer), &deposit.amount)?; // FINDING
            GRANTS.save(deps.storage, &Addr::unchecked(deposit.order.sender), &deposit.order.amount)?; // FINDING
        }
    }
    CONFIG.save(deps.storage, &config)?;
    Ok(Response::new())
}`,
      `use cosmwasm_std::{ensure, entry_point, to_json_binary, Addr, DepsMut, Env, MessageInfo, Response, StdError, Uint128, WasmMsg};
use cw_storage_plus::{Item, Map};
use cw20::Cw20ExecuteMsg;
use cw_utils::must_pay;
pub const OWNER: Item<Addr> = Item::new("owner");

pub struct Will { pub heir: String, pub sum: Uint128, pub at: u64 }
pub const WILLS: Map<&Addr, Will> = Map::new("wills");

pub enum ExecuteMsg { Make { heir: String }, Open { of: String } }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Make { heir } => {
            let sum = must_pay(&info, "ujuno").map_err(|e| StdError::generic_err(e.to_string()))?;
            if WILLS.has(deps.storage, &info.sender) { return Err(StdError::generic_err("one")); }
            WILLS.save(deps.storage, &info.sender, &Will { heir, sum, at: env.block.height + 1000 })?; // FINDING
            Ok(Response::new())
        }
        ExecuteMsg::Open { of } => {
            let of = deps.api.addr_validate(&of)?;
            let will = WILLS.load(deps.storage, &of)?;
            ensure!(will.at <= env.block.height, StdError::generic_err("early"));
            WILLS.remove(deps.storage, &of);
            Ok(Response::new().add_message(WasmMsg::Execute { contract_addr: OWNER.load(deps.storage)?.to_string(), msg: to_json_binary(&Cw20ExecuteMsg::Transfer { recipient: will.heir, amount: will.sum })?, funds: vec![] }))
        }
    }
}
`,
      `use cosmwasm_std::{coins, ensure, ensure_eq, entry_point, Addr, BankMsg, Decimal, DepsMut, Env, MessageInfo, Response, StdError};
use cw_storage_plus::Item;
use cw_utils::must_pay;
pub const OWNER: Item<Addr> = Item::new("owner");

pub struct Split { pub to: String, pub part: Decimal }
pub const SPLITS: Item<Vec<Split>> = Item::new("splits");

pub enum ExecuteMsg { Set { splits: Vec<Split> }, Pay {} }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Set { splits } => {
            ensure_eq!(info.sender, OWNER.load(deps.storage)?, StdError::generic_err("owner"));
            ensure!(splits.len() < 10, StdError::generic_err("many"));
            SPLITS.save(deps.storage, &splits)?; // FINDING
            Ok(Response::new())
        }
        ExecuteMsg::Pay {} => {
            let paid = must_pay(&info, "ujuno").map_err(|e| StdError::generic_err(e.to_string()))?;
            let mut out = vec![];
            for one in SPLITS.load(deps.storage)? { out.push(BankMsg::Send { to_address: one.to, amount: coins((paid * one.part).u128(), "ujuno") }); }
            Ok(Response::new().add_messages(out))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, Deps, DepsMut, Env, MessageInfo, Response, StdResult};
use cw_storage_plus::Map;

pub struct Feed { pub pair: Addr, pub window: u64 }
pub struct RawFeed { pub pair: String, pub window: u64 }
pub trait Checked<T> { fn validate(self, deps: &Deps) -> StdResult<T>; }
impl Checked<Feed> for RawFeed {
    fn validate(self, _deps: &Deps) -> StdResult<Feed> {
        Ok(Feed { pair: Addr::unchecked(self.pair), window: self.window }) // FINDING
    }
}
pub const FEEDS: Map<&str, u64> = Map::new("feeds");
pub enum ExecuteMsg { Touch {} }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, _info: MessageInfo, _msg: ExecuteMsg) -> StdResult<Response> {
    FEEDS.save(deps.storage, "last", &env.block.height)?;
    Ok(Response::new())
}
`,
      // Addresses inside of what is stored as a whole, and a function that could validate but takes any text.
      `use cosmwasm_std::{ensure, entry_point, Addr, Api, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Item;

pub struct Fees { pub collector: String, pub rate: u64 }
pub struct Params { pub fees: Fees, pub cap: u64 }
pub struct Settings { pub params: Params, pub open: bool }
pub const PARAMS: Item<Params> = Item::new("params");
pub const SETTINGS: Item<Settings> = Item::new("settings");

pub enum ExecuteMsg { SetAll { params: Params }, SetParams { params: Params }, Pay {}, PaySet {}, Same { to: String } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::SetAll { params } => {
            PARAMS.save(deps.storage, &params)?; // FINDING
            Ok(Response::new())
        }
        ExecuteMsg::SetParams { params } => {
            let mut settings = SETTINGS.load(deps.storage)?;
            settings.params = params; // FINDING
            SETTINGS.save(deps.storage, &settings)?;
            Ok(Response::new())
        }
        ExecuteMsg::Pay {} => {
            let to_address = PARAMS.load(deps.storage)?.fees.collector;
            Ok(Response::new().add_message(BankMsg::Send { to_address, amount: info.funds }))
        }
        ExecuteMsg::PaySet {} => {
            let to_address = SETTINGS.load(deps.storage)?.params.fees.collector;
            Ok(Response::new().add_message(BankMsg::Send { to_address, amount: info.funds }))
        }
        ExecuteMsg::Same { to } => {
            ensure!(to == "treasury", StdError::generic_err("to"));
            Ok(Response::new())
        }
    }
}

pub trait Checked { fn check_owner(&self, api: &dyn Api, owner: &str) -> StdResult<Addr>; }
impl Checked for Params {
    fn check_owner(&self, api: &dyn Api, owner: &str) -> StdResult<Addr> {
        Ok(Addr::unchecked(owner)) // FINDING
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdResult};

pub enum ExecuteMsg { Sweep { recipient: Addr } }

#[entry_point]
pub fn execute(_deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Sweep { recipient } => {
            let pay = BankMsg::Send { to_address: recipient.to_string(), amount: coins(100, "uatom") }; // FINDING
            Ok(Response::new().add_message(pay))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::{Item, Map};
pub struct Config { pub owner: Addr, pub allowed: Vec<Addr>, pub proxy: Option<Addr>, pub port: String }
pub struct Base<'a, T, U> { pub config: Item<'a, T>, pub rest: Map<'a, u64, U> }
impl<T, U> Default for Base<'static, T, U> { fn default() -> Self { Self::new() } }
impl<'a, T, U> Base<'a, T, U> { pub fn new() -> Self { Self { config: Item::new("config"), rest: Map::new("rest") } } }
pub type Mine<'a> = Base<'a, Config, u64>;
pub enum ExecuteMsg { Update { new_config: ConfigOptional }, Go {} }
#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Update { new_config } => {
            let base = Mine::default();
            let mut config = base.config.load(deps.storage)?;
            if info.sender != config.owner { return Err(StdError::generic_err("owner")); }
            if let Some(allowed) = new_config.allowed { config.allowed = allowed; } // FINDING
            if let Some(proxy) = new_config.proxy { config.proxy = Some(proxy.clone()); } // FINDING
            if let Some(port) = new_config.port { config.port = port; }
            base.config.save(deps.storage, &config)?;
            Ok(Response::new())
        }
        ExecuteMsg::Go {} => {
            let config = Mine::default().config.load(deps.storage)?;
            if !config.allowed.contains(&info.sender) { return Err(StdError::generic_err("allowed")); }
            Ok(Response::new())
        }
    }
}
`,
    ],
    safe: [
      `use cosmwasm_std::{entry_point, Addr, BankMsg, Coin, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};

pub struct Config { pub relayer: Addr, pub paid: Uint128 }
pub const CONFIG: Item<Config> = Item::new("config");
pub enum ExecuteMsg { Told { by: Addr, amount: Uint128 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Told { by, amount } => {
            let mut config = CONFIG.load(deps.storage)?;
            if by != config.relayer {
                return Err(StdError::generic_err("another relayer"));
            }
            config.paid += amount;
            CONFIG.save(deps.storage, &config)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, BankMsg, Coin, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Storage, Uint128, WasmMsg};
use cw_storage_plus::{Item, Map};

pub struct Config { pub owner: Addr, pub oracle: Option<Addr>, pub members: Vec<Addr>, pub name: String }
pub const CONFIG: Item<Config> = Item::new("config");
// Made by a macro of Config.
pub enum ExecuteMsg { Update { new: ConfigOptional } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Update { new } => {
            let mut config = CONFIG.load(deps.storage)?;
            if info.sender != config.owner {
                return Err(StdError::generic_err("owner"));
            }
            if let Some(oracle) = new.oracle {
                config.oracle = Some(deps.api.addr_validate(oracle.as_str())?);
            }
            if let Some(name) = new.name {
                config.name = name;
            }
            CONFIG.save(deps.storage, &config)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::Map;

pub const GRANTS: Map<&Addr, Uint128> = Map::new("grants");
pub enum ExecuteMsg { Grant { to: String, amount: Uint128 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Grant { to, amount } => {
            let to = deps.api.addr_validate(&to)?;
            GRANTS.save(deps.storage, &to, &amount)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, Api, Binary, DepsMut, Env, MessageInfo, Response, StdError, StdResult, WasmMsg};
use cw_storage_plus::Item;

pub struct Config { pub vault: Addr, pub token: Addr }
pub const CONFIG: Item<Config> = Item::new("config");
pub enum ExecuteMsg { Forward { target: Addr, msg: Binary } }

fn checked(api: &dyn Api, address: &Addr) -> StdResult<Addr> {
    api.addr_validate(address.as_str())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Forward { target, msg } => {
            let target = checked(deps.api, &target)?;
            let config = CONFIG.load(deps.storage)?;
            let burn = Addr::unchecked("cosmos1burn");
            if target == config.vault || target == burn {
                return Err(StdError::generic_err("not the vault"));
            }
            let call = WasmMsg::Execute { contract_addr: target.to_string(), msg, funds: vec![] };
            Ok(Response::new().add_message(call))
        }
    }
}
`,
      `use cosmwasm_std::{ensure, entry_point, to_json_binary, Addr, DepsMut, Env, MessageInfo, Response, StdError, Uint128, WasmMsg};
use cw_storage_plus::{Item, Map};
use cw20::Cw20ExecuteMsg;
use cw_utils::must_pay;
pub const OWNER: Item<Addr> = Item::new("owner");

pub struct Will { pub heir: String, pub sum: Uint128, pub at: u64 }
pub const WILLS: Map<&Addr, Will> = Map::new("wills");

pub enum ExecuteMsg { Make { heir: String }, Open { of: String } }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Make { heir } => {
            let sum = must_pay(&info, "ujuno").map_err(|e| StdError::generic_err(e.to_string()))?;
            if WILLS.has(deps.storage, &info.sender) { return Err(StdError::generic_err("one")); }
            let heir = deps.api.addr_validate(&heir)?.to_string();
            WILLS.save(deps.storage, &info.sender, &Will { heir, sum, at: env.block.height + 1000 })?;
            Ok(Response::new())
        }
        ExecuteMsg::Open { of } => {
            let of = deps.api.addr_validate(&of)?;
            let will = WILLS.load(deps.storage, &of)?;
            ensure!(will.at <= env.block.height, StdError::generic_err("early"));
            WILLS.remove(deps.storage, &of);
            Ok(Response::new().add_message(WasmMsg::Execute { contract_addr: OWNER.load(deps.storage)?.to_string(), msg: to_json_binary(&Cw20ExecuteMsg::Transfer { recipient: will.heir, amount: will.sum })?, funds: vec![] }))
        }
    }
}
`,
      `use cosmwasm_std::{coins, ensure, ensure_eq, entry_point, Addr, BankMsg, Decimal, DepsMut, Env, MessageInfo, Response, StdError};
use cw_storage_plus::Item;
use cw_utils::must_pay;
pub const OWNER: Item<Addr> = Item::new("owner");

pub struct Split { pub to: String, pub part: Decimal }
pub const SPLITS: Item<Vec<Split>> = Item::new("splits");

pub enum ExecuteMsg { Set { splits: Vec<Split> }, Pay {} }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Set { splits } => {
            ensure_eq!(info.sender, OWNER.load(deps.storage)?, StdError::generic_err("owner"));
            ensure!(splits.len() < 10, StdError::generic_err("many"));
            for one in &splits { deps.api.addr_validate(&one.to)?; }
            SPLITS.save(deps.storage, &splits)?;
            Ok(Response::new())
        }
        ExecuteMsg::Pay {} => {
            let paid = must_pay(&info, "ujuno").map_err(|e| StdError::generic_err(e.to_string()))?;
            let mut out = vec![];
            for one in SPLITS.load(deps.storage)? { out.push(BankMsg::Send { to_address: one.to, amount: coins((paid * one.part).u128(), "ujuno") }); }
            Ok(Response::new().add_messages(out))
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Order, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};
use cw_utils::must_pay;
pub const OWNER: Item<Addr> = Item::new("owner");

pub struct Order { pub trader: String, pub sum: Uint128, pub to: String }
pub const FREE: Map<String, Uint128> = Map::new("free");
fn check(info: &MessageInfo, order: &Order) -> StdResult<()> { if order.trader != info.sender.as_str() { return Err(StdError::generic_err("trader")); } Ok(()) }

pub enum ExecuteMsg { Fill { order: Order }, Put {} }
#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> Result<Response, StdError> {
    match msg {
        ExecuteMsg::Put {} => {
            let sum = must_pay(&info, "ujuno").map_err(|e| StdError::generic_err(e.to_string()))?;
            FREE.update(deps.storage, info.sender.to_string(), |had| -> StdResult<_> { Ok(had.unwrap_or_default() + sum) })?;
            Ok(Response::new())
        }
        ExecuteMsg::Fill { order } => {
            check(&info, &order)?;
            let to = deps.api.addr_validate(&order.to)?;
            FREE.update(deps.storage, order.trader.clone(), |had| -> StdResult<_> { Ok(had.unwrap_or_default().checked_sub(order.sum)?) })?;
            Ok(Response::new().add_message(BankMsg::Send { to_address: to.to_string(), amount: coins(order.sum.u128(), "ujuno") }))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, Deps, DepsMut, Env, MessageInfo, Response, StdResult};
use cw_storage_plus::Map;

pub struct Feed { pub pair: Addr, pub window: u64 }
pub struct RawFeed { pub pair: String, pub window: u64 }
pub trait Checked<T> { fn validate(self, deps: &Deps) -> StdResult<T>; }
impl Checked<Feed> for RawFeed {
    fn validate(self, deps: &Deps) -> StdResult<Feed> {
        Ok(Feed { pair: deps.api.addr_validate(&self.pair)?, window: self.window })
    }
}
pub const FEEDS: Map<&str, u64> = Map::new("feeds");
pub enum ExecuteMsg { Touch {} }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, _info: MessageInfo, _msg: ExecuteMsg) -> StdResult<Response> {
    FEEDS.save(deps.storage, "last", &env.block.height)?;
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, Addr, Deps, DepsMut, Env, MessageInfo, Response, StdResult};
use cw_storage_plus::Map;

pub struct Feed { pub pair: Addr }
pub struct RawFeed { pub pair: String }
pub trait Shown { fn shown(self, deps: &Deps) -> StdResult<Feed>; fn validate_text(&self) -> Addr; fn check_known(self, deps: &Deps) -> StdResult<Feed>; }
impl Shown for RawFeed {
    fn shown(self, _deps: &Deps) -> StdResult<Feed> {
        Ok(Feed { pair: Addr::unchecked(self.pair) })
    }
    fn validate_text(&self) -> Addr {
        Addr::unchecked(self.pair.clone())
    }
    fn check_known(self, _deps: &Deps) -> StdResult<Feed> {
        Ok(Feed { pair: Addr::unchecked("fixed") })
    }
}
pub const FEEDS: Map<&str, u64> = Map::new("feeds");
pub enum ExecuteMsg { Touch {} }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, _info: MessageInfo, _msg: ExecuteMsg) -> StdResult<Response> {
    FEEDS.save(deps.storage, "last", &env.block.height)?;
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{coins, ensure_eq, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::Item;

pub struct Fee { pub to: String, pub sum: Uint128 }
pub const OWNER: Item<Addr> = Item::new("owner");
pub const FEE: Item<Option<Fee>> = Item::new("fee");
pub enum ExecuteMsg { SetFee { fee: Option<Fee> }, Pay {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::SetFee { fee } => {
            ensure_eq!(info.sender, OWNER.load(deps.storage)?, StdError::generic_err("owner"));
            if let Some(fee) = &fee {
                deps.api.addr_validate(fee.to.as_str())?;
            }
            FEE.save(deps.storage, &fee)?;
            Ok(Response::new())
        }
        ExecuteMsg::Pay {} => {
            let fee = FEE.load(deps.storage)?.ok_or_else(|| StdError::generic_err("none"))?;
            Ok(Response::new().add_message(BankMsg::Send { to_address: fee.to, amount: coins(fee.sum.u128(), "ujuno") }))
        }
    }
}
`,
      // The sender's own address is a valid one, wherever it is stored; so is one that a check goes on to validate.
      `use cosmwasm_std::{ensure, entry_point, Addr, BankMsg, Deps, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::{Item, Map};

pub struct Fees { pub collector: String, pub rate: u64 }
pub struct Params { pub fees: Fees, pub cap: u64 }
pub const PARAMS: Item<Params> = Item::new("params");
pub const HELD: Map<Addr, u128> = Map::new("held");

pub enum ExecuteMsg { Set { params: Params }, SetTurned { params: Params }, Pay {}, Hold { who: String } }

fn check(deps: Deps, who: &str) -> StdResult<Addr> {
    let unchecked = Addr::unchecked(who);
    deps.api.addr_validate(who)?;
    Ok(unchecked)
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Set { params } => {
            ensure!(params.fees.collector == info.sender, StdError::generic_err("collector"));
            PARAMS.save(deps.storage, &params)?;
            Ok(Response::new())
        }
        ExecuteMsg::SetTurned { params } => {
            ensure!(info.sender == params.fees.collector, StdError::generic_err("collector"));
            PARAMS.save(deps.storage, &params)?;
            Ok(Response::new())
        }
        ExecuteMsg::Pay {} => {
            let to_address = PARAMS.load(deps.storage)?.fees.collector;
            Ok(Response::new().add_message(BankMsg::Send { to_address, amount: info.funds }))
        }
        ExecuteMsg::Hold { who } => {
            HELD.save(deps.storage, check(deps.as_ref(), &who)?, &0)?;
            Ok(Response::new())
        }
    }
}
`,
    ],
  },
}

/** Whether it is compared, or a key: as a receiver, a wrong address costs only what the caller sends there. */
const decides = (use: Event, input: Term): boolean => {
  const key = use.kind === "assign" ? storedPlace(use.target.term)?.key : undefined
  return use.kind === "check" || (key !== undefined && mentions(key, (one) => one === input))
}
