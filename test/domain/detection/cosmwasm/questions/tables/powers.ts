import { keptIn } from "../../../../../../domain/detection/cosmwasm/authority/openness.ts"
import { openCode, openMessage } from "../../../../../../domain/detection/cosmwasm/open/openMessages.ts"
import { type Asked, cosmwasmTable } from "../../../../../support/cosmwasmTable.ts"

const about = ({ crate, handler }: Asked) => ({ entry: handler.entry, handler, ...keptIn(crate) })

const powers: ReadonlyArray<readonly [said: string, power: string]> = [
  ["admin of another", "governs"],
  ["staking rewards", "rewards"],
  ["contract's funds", "pays"],
]

/** What anyone can have a contract do for them. */
export const powersOfAnyone = cosmwasmTable(
  "powers",
  {
    open: (asked) => {
      const said = openMessage(about(asked))?.message
      return said === undefined ? "none" : powers.find(([part]) => said.includes(part))?.[1]
    },
    instantiates: (asked) => openCode(about(asked)) !== undefined,
  },
  [
    `use cosmwasm_std::{coins, ensure, entry_point, to_json_binary, Addr, BankMsg, Binary, DepsMut, DistributionMsg, Env, MessageInfo, QueryRequest, Response, StdError, StdResult, WasmMsg, WasmQuery};
use cw_storage_plus::{Item, Map};

pub struct Config { pub factory: Addr, pub treasury: String, pub prefix: String, pub least: u128, pub open: bool }
pub struct Pool { pub to: String, pub note: String }
pub const CONFIG: Item<Config> = Item::new("config");
pub const SECRET: Item<Binary> = Item::new("secret");
pub const POOLS: Map<u64, Pool> = Map::new("pools");

pub enum ExecuteMsg {
    Pay { to: String },
    Faucet { to: String, amount: u128 },
    Secret { to: String, code: Binary },
    Preimage { to: String, code: Binary },
    Stated { to: String, code: Binary },
    SecretFirst { to: String, code: Binary },
    PreimageFirst { to: String, code: Binary },
    StatedFirst { to: String, code: Binary },
    PreimageOrOpen { to: String, code: Binary },
    OpenOrPreimage { to: String, code: Binary },
    Member { to: String },
}

fn pay(to: String) -> Response {
    Response::new().add_message(BankMsg::Send { to_address: to, amount: coins(1, "u") })
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let secret = SECRET.load(deps.storage)?;
    let stated: Binary = deps.querier.query_wasm_smart("oracle", &0)?;
    let config = CONFIG.load(deps.storage)?;
    match msg {
        ExecuteMsg::Pay { to } => {
            ask::open("pays");
            Ok(pay(to))
        }
        // Everyone may ask for a little.
        ExecuteMsg::Faucet { to, amount } => {
            ensure!(amount <= config.least, StdError::generic_err("much"));
            ask::open("none");
            Ok(Response::new().add_message(BankMsg::Send { to_address: to, amount: coins(amount, "u") }))
        }
        // Everyone can read the secret from the storage, but not what it is the hash of.
        ExecuteMsg::Secret { to, code } => {
            ensure!(code == SECRET.load(deps.storage)?, StdError::generic_err("code"));
            ask::open("pays");
            Ok(pay(to))
        }
        ExecuteMsg::Preimage { to, code } => {
            ensure!(sha(&code) == POOLS.load(deps.storage, 1)?.note, StdError::generic_err("code"));
            ask::open("none");
            Ok(pay(to))
        }
        ExecuteMsg::Stated { to, code } => {
            ensure!(code == deps.querier.query_wasm_smart("oracle", &1)?, StdError::generic_err("code"));
            ask::open("none");
            Ok(pay(to))
        }
        ExecuteMsg::SecretFirst { to, code } => {
            ensure!(secret == code, StdError::generic_err("code"));
            ask::open("pays");
            Ok(pay(to))
        }
        ExecuteMsg::PreimageFirst { to, code } => {
            ensure!(secret == sha(&code), StdError::generic_err("code"));
            ask::open("none");
            Ok(pay(to))
        }
        ExecuteMsg::StatedFirst { to, code } => {
            ensure!(stated == code, StdError::generic_err("code"));
            ask::open("none");
            Ok(pay(to))
        }
        ExecuteMsg::PreimageOrOpen { to, code } => {
            ensure!(sha(&code) == secret || config.open, StdError::generic_err("code"));
            ask::open("pays");
            Ok(pay(to))
        }
        ExecuteMsg::OpenOrPreimage { to, code } => {
            ensure!(config.open || sha(&code) == secret, StdError::generic_err("code"));
            ask::open("pays");
            Ok(pay(to))
        }
        ExecuteMsg::Member { to } => {
            let member: bool = deps.querier.query_wasm_smart(&config.factory, &info.sender)?;
            ensure!(member, StdError::generic_err("member"));
            ask::open("none");
            Ok(pay(to))
        }
    }
}
`,
    `use cosmwasm_std::{coins, entry_point, to_json_binary, Addr, BankMsg, DepsMut, Env, MessageInfo, QueryRequest, Response, StdResult, WasmQuery};
use cw_storage_plus::{Item, Map};

pub struct Config { pub factory: Addr, pub treasury: String, pub prefix: String, pub open: bool }
pub struct Pool { pub to: String, pub note: String }
pub struct Get { pub of: String, pub key: String }
pub const CONFIG: Item<Config> = Item::new("config");
pub const POOL: Item<Pool> = Item::new("pool");

pub enum ExecuteMsg {
    Found { name: String },
    FoundOrTreasury { name: String },
    FoundOrNamed { name: String, to: String },
    FoundIn { name: String },
    Prefixed { to: String },
    Asked { registry: String },
    AskedAbout { registry: String, name: String },
    Smart { name: String },
    SmartAsked { registry: String },
    SmartMade { name: String },
    SmartOfSender { name: String },
    PoolOrItself { name: String },
    PoolOrNamed { name: String, to: String },
    Given { pool: Option<Pool> },
}

fn pay(to: String) -> Response {
    Response::new().add_message(BankMsg::Send { to_address: to, amount: coins(1, "u") })
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let config = CONFIG.load(deps.storage)?;
    match msg {
        // What a known contract says of a name is not up to the caller. If it has to answer, that is a check.
        ExecuteMsg::Found { name } => {
            if let Ok(to) = deps.querier.query_wasm_smart::<String>(&config.factory, &name) {
                return Ok(pay(to));
            }
            ask::open("none");
            Ok(Response::new())
        }
        ExecuteMsg::FoundOrTreasury { name } => {
            let to = match deps.querier.query_wasm_smart(&config.factory, &name) { Ok(found) => found, Err(_) => config.treasury };
            ask::open("none");
            Ok(pay(to))
        }
        ExecuteMsg::FoundOrNamed { name, to } => {
            let to = match deps.querier.query_wasm_smart(&config.factory, &name) { Ok(found) => found, Err(_) => to };
            ask::open("pays");
            Ok(pay(to))
        }
        ExecuteMsg::Prefixed { to } => {
            let to = with_prefix(&config.prefix, &to);
            ask::open("pays");
            Ok(pay(to))
        }
        ExecuteMsg::Asked { registry } => {
            if let Ok(to) = deps.querier.query_wasm_smart::<String>(&registry, &0) {
                return Ok(pay(to));
            }
            ask::open("pays");
            Ok(Response::new())
        }
        ExecuteMsg::AskedAbout { registry, name } => {
            if let Ok(to) = deps.querier.query_wasm_smart::<String>(&registry, &Get { of: config.prefix, key: name }) {
                return Ok(pay(to));
            }
            ask::open("pays");
            Ok(Response::new())
        }
        ExecuteMsg::Smart { name } => {
            let request = WasmQuery::Smart { contract_addr: config.factory.to_string(), msg: to_json_binary(&name)? };
            if let Ok(to) = deps.querier.query::<String>(&request) {
                return Ok(pay(to));
            }
            ask::open("none");
            Ok(Response::new())
        }
        ExecuteMsg::SmartAsked { registry } => {
            let request = WasmQuery::Smart { contract_addr: registry, msg: to_json_binary(&config.prefix)? };
            if let Ok(to) = deps.querier.query::<String>(&request) {
                return Ok(pay(to));
            }
            ask::open("pays");
            Ok(Response::new())
        }
        ExecuteMsg::SmartMade { name } => {
            let request = WasmQuery::Smart { contract_addr: config.prefix + &name, msg: to_json_binary("to")? };
            if let Ok(to) = deps.querier.query::<String>(&request) {
                return Ok(pay(to));
            }
            ask::open("pays");
            Ok(Response::new())
        }
        ExecuteMsg::SmartOfSender { name } => {
            let request = WasmQuery::Smart { contract_addr: info.sender.to_string(), msg: to_json_binary(&name)? };
            if let Ok(to) = deps.querier.query::<String>(&request) {
                return Ok(pay(to));
            }
            ask::open("pays");
            Ok(Response::new())
        }
        // Which of the pools that the contract lists.
        ExecuteMsg::FoundIn { name } => {
            let pool = list_of(&config, &name);
            ask::open("none");
            Ok(pay(pool.to))
        }
        ExecuteMsg::PoolOrItself { name } => {
            let pool = list_of(&config, &name);
            let to = if config.open { pool.to } else { env.contract.address.to_string() };
            ask::open("none");
            Ok(pay(to))
        }
        ExecuteMsg::PoolOrNamed { name, to } => {
            let pool = list_of(&config, &name);
            let to = if config.open { pool.to } else { to };
            ask::open("pays");
            Ok(pay(to))
        }
        ExecuteMsg::Given { pool } => {
            let pool = match pool { Some(given) => given, None => POOL.load(deps.storage)? };
            ask::open("pays");
            Ok(pay(pool.to))
        }
    }
}
`,
    `use cosmwasm_std::{coins, ensure, entry_point, to_json_binary, Addr, BankMsg, Binary, DepsMut, DistributionMsg, Env, MessageInfo, Response, StdError, StdResult, WasmMsg};
use cw_storage_plus::{Item, Map};

pub struct Config { pub factory: Addr, pub owner: Option<Addr>, pub key: Binary, pub fee: u128 }
pub struct Order { pub maker: Addr, pub amount: u128 }
pub const CONFIG: Item<Config> = Item::new("config");
pub const ADMIN: Item<Addr> = Item::new("admin");
pub const CODES: Map<u64, bool> = Map::new("codes");
pub const ORDERS: Item<Vec<Order>> = Item::new("orders");

pub enum ExecuteMsg {
    Lend { to: String },
    LendFirst { to: String },
    LendAndCall { to: String },
    LendAndNote { to: String },
    Cash {},
    CashFor { to: String },
    CashElse {},
    New { code_id: u64 },
    NewByAdmin { code_id: u64 },
    NewBySome { code_id: u64 },
    NewListed { code_id: u64 },
    NewSigned { code_id: u64, hash: Binary, signature: Binary },
    NewKnown { label: String },
    Upgrade { contract: String },
    UpgradeOwn {},
    UpgradeSigned { contract: String },
    Rewards { to: String },
    OwnRewards {},
    FixedRewards { memo: String },
    AskedRewards { to: String },
    TestedRewards { to: String },
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let config = CONFIG.load(deps.storage)?;
    match msg {
        // It then compares what it holds with what it held.
        ExecuteMsg::Lend { to } => {
            let held = deps.querier.query_balance(&env.contract.address, "u")?.amount;
            let pay = BankMsg::Send { to_address: to, amount: coins(1, "u") };
            let check = WasmMsg::Execute { contract_addr: env.contract.address.to_string(), msg: to_json_binary(&held)?, funds: vec![] };
            ask::open("none");
            Ok(Response::new().add_message(pay).add_message(check))
        }
        ExecuteMsg::LendFirst { to } => {
            let held = deps.querier.query_balance(&env.contract.address, "u")?.amount;
            let check = WasmMsg::Execute { contract_addr: env.contract.address.to_string(), msg: to_json_binary(&held)?, funds: vec![] };
            let pay = BankMsg::Send { to_address: to, amount: coins(1, "u") };
            ask::open("pays");
            Ok(Response::new().add_message(check).add_message(pay))
        }
        ExecuteMsg::LendAndCall { to } => {
            let held = deps.querier.query_balance(&env.contract.address, "u")?.amount;
            let pay = BankMsg::Send { to_address: to, amount: coins(1, "u") };
            let told = WasmMsg::Execute { contract_addr: config.factory.to_string(), msg: to_json_binary(&held)?, funds: vec![] };
            ask::open("pays");
            Ok(Response::new().add_message(pay).add_message(told))
        }
        ExecuteMsg::LendAndNote { to } => {
            let pay = BankMsg::Send { to_address: to, amount: coins(1, "u") };
            let call = WasmMsg::Execute { contract_addr: env.contract.address.to_string(), msg: to_json_binary("note")?, funds: vec![] };
            ask::open("pays");
            Ok(Response::new().add_message(pay).add_message(call))
        }
        ExecuteMsg::Cash {} => {
            let mut pay = BankMsg::Send { to_address: config.factory.to_string(), amount: vec![] };
            for order in ORDERS.load(deps.storage)? {
                if order.maker == info.sender {
                    pay = BankMsg::Send { to_address: info.sender.to_string(), amount: coins(order.amount, "u") };
                }
            }
            ask::open("none");
            Ok(Response::new().add_message(pay))
        }
        ExecuteMsg::CashFor { to } => {
            let mut pay = BankMsg::Send { to_address: config.factory.to_string(), amount: vec![] };
            for order in ORDERS.load(deps.storage)? {
                if order.maker == info.sender {
                    pay = BankMsg::Send { to_address: to.clone(), amount: coins(order.amount, "u") };
                }
            }
            ask::open("pays");
            Ok(Response::new().add_message(pay))
        }
        ExecuteMsg::CashElse {} => {
            for order in ORDERS.load(deps.storage)? {
                if order.maker == info.sender {
                    CODES.save(deps.storage, 1, &true)?;
                }
            }
            ask::open("pays");
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(config.fee, "u") }))
        }
        ExecuteMsg::New { code_id } => {
            let new = WasmMsg::Instantiate { admin: None, code_id, msg: to_json_binary("")?, funds: vec![], label: "new".to_string() };
            ask::instantiates("true");
            Ok(Response::new().add_message(new))
        }
        ExecuteMsg::NewByAdmin { code_id } => {
            ensure!(ADMIN.load(deps.storage)? == info.sender, StdError::generic_err("admin"));
            let new = WasmMsg::Instantiate { admin: None, code_id, msg: to_json_binary("")?, funds: vec![], label: "new".to_string() };
            ask::instantiates("false");
            Ok(Response::new().add_message(new))
        }
        // Somebody else is checked where there is somebody.
        ExecuteMsg::NewBySome { code_id } => {
            if let Some(owner) = config.owner {
                ensure!(owner == info.sender, StdError::generic_err("owner"));
                CODES.save(deps.storage, 1, &true)?;
            }
            let new = WasmMsg::Instantiate { admin: None, code_id, msg: to_json_binary("")?, funds: vec![], label: "new".to_string() };
            ask::instantiates("false");
            Ok(Response::new().add_message(new))
        }
        ExecuteMsg::NewListed { code_id } => {
            ensure!(CODES.has(deps.storage, code_id), StdError::generic_err("code"));
            let new = WasmMsg::Instantiate { admin: None, code_id, msg: to_json_binary("")?, funds: vec![], label: "new".to_string() };
            ask::instantiates("false");
            Ok(Response::new().add_message(new))
        }
        ExecuteMsg::NewSigned { code_id, hash, signature } => {
            ensure!(deps.api.secp256k1_verify(&hash, &signature, &config.key)?, StdError::generic_err("signature"));
            let new = WasmMsg::Instantiate { admin: None, code_id, msg: to_json_binary("")?, funds: vec![], label: "new".to_string() };
            ask::instantiates("false");
            Ok(Response::new().add_message(new))
        }
        ExecuteMsg::NewKnown { label } => {
            let new = WasmMsg::Instantiate { admin: None, code_id: 7, msg: to_json_binary("")?, funds: vec![], label };
            ask::instantiates("false");
            Ok(Response::new().add_message(new))
        }
        ExecuteMsg::Upgrade { contract } => {
            ask::open("governs");
            Ok(Response::new().add_message(WasmMsg::Migrate { contract_addr: contract, new_code_id: 1, msg: to_json_binary("")? }))
        }
        ExecuteMsg::UpgradeOwn {} => {
            if let Ok(contract_addr) = deps.querier.query_wasm_smart(&config.factory, &info.sender) {
                return Ok(Response::new().add_message(WasmMsg::Migrate { contract_addr, new_code_id: 1, msg: to_json_binary("")? }));
            }
            ask::open("none");
            Ok(Response::new())
        }
        ExecuteMsg::UpgradeSigned { contract } => {
            ensure!(signed(&contract) == config.factory, StdError::generic_err("signed"));
            ask::open("none");
            Ok(Response::new().add_message(WasmMsg::Migrate { contract_addr: contract, new_code_id: 1, msg: to_json_binary("")? }))
        }
        ExecuteMsg::Rewards { to } => {
            ask::open("rewards");
            Ok(Response::new().add_message(DistributionMsg::SetWithdrawAddress { address: to }))
        }
        ExecuteMsg::OwnRewards {} => {
            ask::open("rewards");
            Ok(Response::new().add_message(DistributionMsg::SetWithdrawAddress { address: info.sender.to_string() }))
        }
        ExecuteMsg::FixedRewards { memo } => {
            ask::open("none");
            let to = config.factory.to_string();
            Ok(Response::new().add_message(DistributionMsg::SetWithdrawAddress { address: to }).add_attribute("memo", memo))
        }
        ExecuteMsg::AskedRewards { to } => {
            if let Some(owner) = config.owner {
                ensure!(owner == info.sender, StdError::generic_err("owner"));
                CODES.save(deps.storage, 1, &true)?;
            }
            ask::open("none");
            Ok(Response::new().add_message(DistributionMsg::SetWithdrawAddress { address: to }))
        }
        ExecuteMsg::TestedRewards { to } => {
            ensure!(signed(&to) == config.factory, StdError::generic_err("signed"));
            ask::open("none");
            Ok(Response::new().add_message(DistributionMsg::SetWithdrawAddress { address: to }))
        }
    }
}
`,
  ],
)
