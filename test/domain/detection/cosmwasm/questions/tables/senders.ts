import {
  authorityPlaces,
  honorsHelperResult,
  isAuthorized,
} from "../../../../../../domain/detection/cosmwasm/authority/authority.ts"
import type { CosmWasmCrate } from "../../../../../../domain/detection/cosmwasm/program/model.ts"
import { comparisonsOf, outgoingMessages } from "../../../../../../domain/detection/cosmwasm/questions/questions.ts"
import {
  configured,
  forgetsOwner,
  idleAuthority,
  isTied,
  isVouchedFor,
  paysNamed,
  privilegedPlaces,
} from "../../../../../../domain/detection/cosmwasm/authority/records.ts"
import { storedPlace } from "../../../../../../domain/detection/cosmwasm/program/semantics.ts"
import {
  ignoresCaller,
  isLostCheck,
  affectsOnlySender,
  takesNothing,
} from "../../../../../../domain/detection/cosmwasm/authority/senderConcern.ts"
import { show } from "../../../../../../domain/detection/rust/terms/show.ts"
import { cosmwasmTable } from "../../../../../support/cosmwasmTable.ts"

/** Places by the names of their containers: `CONFIG:owner`. */
const named = ({ containers }: CosmWasmCrate, places: Iterable<string>): string => {
  const names = new Map(containers.flatMap(({ term, name }) => (term === undefined ? [] : [[String(term.id), name]])))
  return [...places]
    .map((place) => place.replace(/^\d+/, (id) => names.get(id) ?? id))
    .toSorted()
    .join(" ")
}

/** Who may send a message, and whose the records are that it changes. */
export const senders = cosmwasmTable(
  "senders",
  {
    compared: ({ handler: { entry }, at }) =>
      comparisonsOf(entry.sender!, at.facts)
        .map(({ operator, against }) => `${operator} ${show(against)}`)
        .join("; "),
    authorized: ({ handler: { entry }, at }) => isAuthorized(entry, at.facts),
    tied: ({ handler: { entry }, at }, [key]) => isTied(entry, key!, at.facts),
    vouched: ({ handler: { entry }, at }) => isVouchedFor(entry, at.facts),
    nobody: ({ handler }) => ignoresCaller(handler.entry, handler),
    own: ({ handler }) => affectsOnlySender(handler),
    unpaid: ({ handler }) => takesNothing(handler),
    heeds: ({ handler }) => honorsHelperResult(handler),
    forgets: ({ handler, crate }) => forgetsOwner(handler.entry, handler, authorityPlaces(crate)),
    idle: ({ handler, crate }) => {
      const read = idleAuthority(handler, authorityPlaces(crate))
      return read === undefined ? "none" : show(read.value.term)
    },
    pays: ({ handler }, [record]) => paysNamed(handler, storedPlace(record!)!.container),
    sends: ({ handler }) =>
      outgoingMessages(handler.events)
        .map(({ path, fields }) => `${path}(${[...fields.keys()].join()})`)
        .join(" "),
    receivers: ({ handler }) =>
      outgoingMessages(handler.events)
        .map(({ fields }) => show(fields.get("to_address")!))
        .join(" "),
    lost: ({ handler }) => handler.events.some((event) => isLostCheck(handler.entry, event)),
    configured: ({ crate }) => [...configured(crate)].map((one) => show(one)).join(),
    privileged: ({ crate }) => named(crate, privilegedPlaces(crate)),
    authorities: ({ crate }) => named(crate, authorityPlaces(crate)),
  },
  [
    `use cosmwasm_std::{coins, ensure, entry_point, Addr, BankMsg, Binary, CosmosMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, SubMsg, Uint128, WasmMsg};
use cw_storage_plus::{Item, Map};
use cw_utils::nonpayable;

pub struct Config { pub owner: Addr, pub key: Binary, pub name: String }
pub struct Escrow { pub maker: Addr, pub arbiter: Addr, pub ends: u64, pub amount: u128 }
pub struct Grant { pub until: u64 }
pub struct Note { pub text: String }

pub const CONFIG: Item<Config> = Item::new("config");
pub const ADMIN: Item<Addr> = Item::new("admin");
pub const COUNT: Item<u64> = Item::new("count");
pub const ADMINS: Map<&Addr, bool> = Map::new("admins");
pub const HELD: Map<&Addr, Uint128> = Map::new("held");
pub const ESCROWS: Map<u64, Escrow> = Map::new("escrows");
pub const GRANTS: Map<&Addr, Grant> = Map::new("grants");
pub const NOTES: Map<u64, Note> = Map::new("notes");

pub struct InstantiateMsg { pub owner: Addr, pub key: Binary }
pub enum ExecuteMsg {
    Owner { to: Addr },
    NotOwner {},
    Either { by: Addr },
    Both {},
    Listed { who: Addr },
    Entered {},
    Named { who: Addr },
    Itself {},
    Signed { hash: Binary, signature: Binary },
    SignedByAny { hash: Binary, signature: Binary, key: Binary },
    Validated {},
    Added {},
    Taken {},
    Lasting {},
    Holder { id: u64 },
    OwnEscrow { id: u64 },
    Open { id: u64 },
    OpenNote { id: u64 },
    Pay { id: u64 },
    PayTo { id: u64, to: Addr },
    Deposit {},
    Free {},
    Empty {},
    Helped {},
    HelpedIdly { who: Addr },
    Ignored {},
    Idle {},
    Used {},
    Messages { to: String, msg: Binary },
}

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, info: MessageInfo, msg: InstantiateMsg) -> StdResult<Response> {
    CONFIG.save(deps.storage, &Config { owner: msg.owner.clone(), key: msg.key, name: "n".to_string() })?;
    ADMIN.save(deps.storage, &msg.owner)?;
    ADMINS.save(deps.storage, &info.sender, &true)?;
    ask::configured("example::contract::CONFIG,example::contract::ADMIN");
    ask::privileged("ADMINS[] CONFIG:owner COUNT: ESCROWS[] HELD[]");
    ask::authorities("ADMIN: CONFIG:owner ESCROWS:maker");
    Ok(Response::new())
}

fn only_admin(deps: &DepsMut, sender: &Addr) -> StdResult<()> {
    if ADMIN.load(deps.storage)? != *sender {
        return Err(StdError::generic_err("admin"));
    }
    Ok(())
}

fn only_named(sender: &Addr, who: &Addr) -> StdResult<()> {
    if sender != who {
        return Err(StdError::generic_err("who"));
    }
    Ok(())
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Owner { to } => {
            let mut config = CONFIG.load(deps.storage)?;
            ask::compared("");
            ask::authorized("false");
            if config.owner != info.sender {
                return Err(StdError::generic_err("owner"));
            }
            ask::compared("== stored(example::contract::CONFIG).owner");
            ask::authorized("true");
            config.owner = to;
            CONFIG.save(deps.storage, &config)?;
            ESCROWS.remove(deps.storage, 1);
            ask::nobody("false");
            ask::heeds("false");
            ask::idle("none");
            Ok(Response::new())
        }
        ExecuteMsg::NotOwner {} => {
            let config = CONFIG.load(deps.storage)?;
            if config.owner == info.sender {
                return Err(StdError::generic_err("owner"));
            }
            ask::compared("!= stored(example::contract::CONFIG).owner");
            ask::authorized("false");
            COUNT.save(deps.storage, &1)?;
            ask::nobody("true");
            Ok(Response::new())
        }
        ExecuteMsg::Either { by } => {
            let config = CONFIG.load(deps.storage)?;
            if config.owner != info.sender && by != info.sender {
                return Err(StdError::generic_err("either"));
            }
            ask::compared("== stored(example::contract::CONFIG).owner");
            Ok(Response::new())
        }
        ExecuteMsg::Both {} => {
            let config = CONFIG.load(deps.storage)?;
            let admin = ADMIN.load(deps.storage)?;
            ensure!(config.owner == info.sender && admin == info.sender, StdError::generic_err("both"));
            ask::compared("== stored(example::contract::CONFIG).owner; == stored(example::contract::ADMIN)");
            Ok(Response::new())
        }
        ExecuteMsg::Listed { who } => {
            if !ADMINS.has(deps.storage, &info.sender) {
                return Err(StdError::generic_err("admins"));
            }
            ask::compared("is example::contract::ADMINS");
            ask::authorized("true");
            ADMINS.save(deps.storage, &who, &true)?;
            Ok(Response::new())
        }
        ExecuteMsg::Entered {} => {
            let listed = ADMINS.load(deps.storage, &info.sender)?;
            ask::compared("is example::contract::ADMINS");
            ensure!(listed, StdError::generic_err("listed"));
            ask::authorized("true");
            Ok(Response::new())
        }
        ExecuteMsg::Named { who } => {
            if who != info.sender {
                return Err(StdError::generic_err("who"));
            }
            ask::compared("== msg.<ExecuteMsg::Named>.who");
            ask::authorized("false");
            ask::tied(who, "true");
            ask::tied(info.funds, "false");
            Ok(Response::new())
        }
        ExecuteMsg::Itself {} => {
            if info.sender != env.contract.address {
                return Err(StdError::generic_err("itself"));
            }
            ask::authorized("true");
            Ok(Response::new())
        }
        ExecuteMsg::Signed { hash, signature } => {
            let config = CONFIG.load(deps.storage)?;
            ensure!(deps.api.secp256k1_verify(&hash, &signature, &config.key)?, StdError::generic_err("signature"));
            ask::authorized("true");
            Ok(Response::new())
        }
        ExecuteMsg::SignedByAny { hash, signature, key } => {
            ensure!(deps.api.secp256k1_verify(&hash, &signature, &key)?, StdError::generic_err("signature"));
            ask::authorized("false");
            Ok(Response::new())
        }
        ExecuteMsg::Validated {} => {
            deps.api.addr_validate(info.sender.as_str())?;
            ask::compared("validAddress validAddress(info.sender); addr_validate addr_validate(info.sender)");
            ask::authorized("false");
            Ok(Response::new())
        }
        ExecuteMsg::Added {} => {
            let held = HELD.may_load(deps.storage, &info.sender)?.unwrap_or_default();
            let sum = held.checked_add(Uint128::one())?;
            HELD.save(deps.storage, &info.sender, &sum)?;
            ask::compared("");
            ask::nobody("false");
            ask::own("true");
            Ok(Response::new())
        }
        ExecuteMsg::Taken {} => {
            let held = HELD.may_load(deps.storage, &info.sender)?.unwrap_or_default();
            let rest = held.checked_sub(Uint128::one())?;
            ask::compared("checked_sub cosmwasm_std::Uint128::one()");
            HELD.save(deps.storage, &info.sender, &rest)?;
            Ok(Response::new())
        }
        ExecuteMsg::Lasting {} => {
            let grant = GRANTS.load(deps.storage, &info.sender)?;
            if env.block.time.seconds() > grant.until {
                return Err(StdError::generic_err("over"));
            }
            ask::compared("is example::contract::GRANTS");
            Ok(Response::new())
        }
        ExecuteMsg::Holder { id } => {
            let owner: Addr = deps.querier.query_wasm_smart("nft", &id)?;
            if owner != info.sender {
                return Err(StdError::generic_err("holder"));
            }
            ask::vouched("true");
            Ok(Response::new())
        }
        ExecuteMsg::OwnEscrow { id } => {
            let escrow = ESCROWS.load(deps.storage, id)?;
            if escrow.maker != info.sender {
                return Err(StdError::generic_err("maker"));
            }
            ask::vouched("false");
            ask::forgets("false");
            ESCROWS.remove(deps.storage, id);
            Ok(Response::new())
        }
        ExecuteMsg::Open { id } => {
            let escrow = ESCROWS.load(deps.storage, id)?;
            ensure!(env.block.time.seconds() > escrow.ends, StdError::generic_err("early"));
            ESCROWS.remove(deps.storage, id);
            ask::forgets("true");
            ask::nobody("true");
            ask::own("false");
            Ok(Response::new())
        }
        ExecuteMsg::OpenNote { id } => {
            let note = NOTES.load(deps.storage, id)?;
            ensure!(note.text != "", StdError::generic_err("empty"));
            NOTES.remove(deps.storage, id);
            ask::forgets("false");
            Ok(Response::new())
        }
        ExecuteMsg::Pay { id } => {
            let escrow = ESCROWS.load(deps.storage, id)?;
            let pay = BankMsg::Send { to_address: escrow.maker.to_string(), amount: coins(escrow.amount, "u") };
            ask::pays(escrow, "true");
            ask::nobody("true");
            Ok(Response::new().add_message(pay))
        }
        ExecuteMsg::PayTo { id, to } => {
            let escrow = ESCROWS.load(deps.storage, id)?;
            let pay = BankMsg::Send { to_address: to.to_string(), amount: coins(escrow.amount, "u") };
            ask::pays(escrow, "false");
            Ok(Response::new().add_message(pay))
        }
        ExecuteMsg::Deposit {} => {
            let paid = info.funds.iter().map(|one| one.amount).sum::<Uint128>();
            COUNT.save(deps.storage, &(paid.u128() as u64))?;
            ask::nobody("false");
            ask::own("true");
            ask::unpaid("false");
            Ok(Response::new())
        }
        ExecuteMsg::Free {} => {
            nonpayable(&info)?;
            COUNT.save(deps.storage, &2)?;
            ask::unpaid("true");
            ask::nobody("true");
            ask::own("false");
            Ok(Response::new())
        }
        ExecuteMsg::Empty {} => {
            ensure!(info.funds.is_empty(), StdError::generic_err("funds"));
            COUNT.save(deps.storage, &2)?;
            ask::unpaid("true");
            ask::nobody("true");
            Ok(Response::new())
        }
        ExecuteMsg::Helped {} => {
            only_admin(&deps, &info.sender)?;
            ask::heeds("true");
            ask::authorized("true");
            COUNT.save(deps.storage, &3)?;
            Ok(Response::new())
        }
        ExecuteMsg::HelpedIdly { who } => {
            only_named(&info.sender, &who)?;
            ask::heeds("false");
            ask::authorized("false");
            Ok(Response::new())
        }
        ExecuteMsg::Ignored {} => {
            let _ = only_admin(&deps, &info.sender);
            ask::heeds("false");
            ask::lost("true");
            Ok(Response::new())
        }
        ExecuteMsg::Idle {} => {
            let config = CONFIG.load(deps.storage)?;
            COUNT.save(deps.storage, &4)?;
            ask::idle("stored(example::contract::CONFIG)");
            Ok(Response::new())
        }
        ExecuteMsg::Used {} => {
            let config = CONFIG.load(deps.storage)?;
            ask::idle("none");
            Ok(Response::new().add_attribute("name", config.name))
        }
        ExecuteMsg::Messages { to, msg } => {
            let send = BankMsg::Send { to_address: to.clone(), amount: vec![] };
            let call = WasmMsg::Execute { contract_addr: to.clone(), msg: msg.clone(), funds: vec![] };
            let burn = CosmosMsg::Bank(BankMsg::Burn { amount: vec![] });
            let reply = SubMsg::reply_always(call, 1);
            let note = Note { text: to.clone() };
            ask::sends("BankMsg::Send(to_address,amount) WasmMsg::Execute(contract_addr,msg,funds) BankMsg::Burn(amount) CosmosMsg::Bank(0) SubMsg::reply_always(0,1)");
            ask::nobody("true");
            Ok(Response::new().add_message(send).add_message(burn).add_submessage(reply))
        }
    }
}
`,
    `use cosmwasm_std::{coins, ensure, entry_point, to_json_binary, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128, WasmMsg};
use cw20::Cw20ExecuteMsg;
use cw_asset::Asset;
use cw_storage_plus::{Item, Map};
use cw_utils::must_pay;

pub struct Config { pub owner: Addr, pub hub: Addr, pub names: Vec<String>, pub blocked: Vec<Addr> }
pub struct Escrow { pub maker: Addr, pub arbiter: Addr, pub amount: u128 }
pub struct Order { pub maker: Addr, pub price: u128 }
pub struct Grant { pub holder: Addr, pub until: u64 }
pub enum HubMsg { Note { by: Addr }, Pay { beneficiary: Addr }, Give { receiver: Addr } }

pub const CONFIG: Item<Config> = Item::new("config");
pub const ADMIN: Item<Addr> = Item::new("admin");
pub const COUNT: Item<u64> = Item::new("count");
pub const ESCROWS: Map<u64, Escrow> = Map::new("escrows");
pub const ORDERS: Map<u64, Order> = Map::new("orders");
pub const GRANTS: Map<&Addr, Grant> = Map::new("grants");
pub const KEEPERS: Map<u64, Addr> = Map::new("keepers");

pub enum ExecuteMsg {
    Cancel { id: u64 },
    Step {},
    OwnGrant {},
    Exact {},
    Macro {},
    OwnerOrLate {},
    OwnerWhenOpen { open: bool },
    NotBlocked {},
    NameKnown { name: String },
    NotNamed { who: Addr },
    NotHolder { id: u64 },
    LateCheck {},
    PaidRightly {},
    PaidAtAll {},
    NoNames {},
    Refund {},
    OpenOrder { id: u64 },
    OpenEscrow { id: u64 },
    NextEscrow {},
    FirstEscrow { id: u64 },
    PayToken { id: u64 },
    PayHub { id: u64 },
    GiveHub { id: u64 },
    NoteHub { id: u64 },
    CallMaker { id: u64 },
    PayOrder { id: u64 },
    Assets { asset: Asset, to: Addr },
    IdleKeeper {},
    IdleCount {},
    IdleAdmin {},
    Opened {},
    Fetched {},
    Tried {},
    Dropped {},
}

fn only_admin(deps: &DepsMut, sender: &Addr) -> StdResult<()> {
    if ADMIN.load(deps.storage)? != *sender {
        return Err(StdError::generic_err("admin"));
    }
    Ok(())
}

fn only_early(deps: &DepsMut) -> StdResult<()> {
    if COUNT.load(deps.storage)? > 9 {
        return Err(StdError::generic_err("late"));
    }
    Ok(())
}

fn grant_of(deps: &DepsMut, sender: &Addr) -> StdResult<Grant> {
    if COUNT.load(deps.storage)? > 9 {
        return Err(StdError::generic_err("late"));
    }
    GRANTS.load(deps.storage, sender)
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Cancel { id } => {
            let escrow = ESCROWS.load(deps.storage, id)?;
            ensure!(escrow.maker == info.sender, StdError::generic_err("maker"));
            ask::authorities("ADMIN: CONFIG:blocked CONFIG:owner ESCROWS:maker");
            ESCROWS.remove(deps.storage, id);
            Ok(Response::new())
        }
        ExecuteMsg::Step {} => {
            ensure!(ADMIN.load(deps.storage)? == info.sender, StdError::generic_err("admin"));
            COUNT.save(deps.storage, &1)?;
            Ok(Response::new())
        }
        ExecuteMsg::OwnGrant {} => {
            let grant = GRANTS.load(deps.storage, &info.sender)?;
            ensure!(grant.holder == info.sender, StdError::generic_err("holder"));
            ask::compared("is example::contract::GRANTS; == stored(example::contract::GRANTS, info.sender).holder");
            Ok(Response::new())
        }
        ExecuteMsg::Exact {} => {
            let grant = GRANTS.load(deps.storage, &info.sender)?;
            ensure!(grant.until == 5, StdError::generic_err("until"));
            ask::compared("is example::contract::GRANTS; == 5");
            Ok(Response::new())
        }
        ExecuteMsg::Macro {} => {
            ensure_admin!(info.sender);
            ask::compared("ensured info.sender");
            ask::authorized("true");
            Ok(Response::new())
        }
        ExecuteMsg::OwnerOrLate {} => {
            let config = CONFIG.load(deps.storage)?;
            ensure!(
                config.owner == info.sender || env.block.height > 1000,
                StdError::generic_err("owner")
            );
            ask::compared("");
            ask::authorized("false");
            Ok(Response::new())
        }
        ExecuteMsg::OwnerWhenOpen { open } => {
            let config = CONFIG.load(deps.storage)?;
            ensure!(
                (config.owner == info.sender && open) || config.hub == info.sender,
                StdError::generic_err("owner")
            );
            ask::compared("== stored(example::contract::CONFIG).owner");
            Ok(Response::new())
        }
        ExecuteMsg::NotBlocked {} => {
            let config = CONFIG.load(deps.storage)?;
            ensure!(!config.blocked.contains(&info.sender), StdError::generic_err("blocked"));
            ask::compared("!contains contains(stored(example::contract::CONFIG).blocked, info.sender)");
            ask::authorized("false");
            Ok(Response::new())
        }
        ExecuteMsg::NameKnown { name } => {
            let config = CONFIG.load(deps.storage)?;
            ensure!(config.names.contains(&name), StdError::generic_err("name"));
            ask::authorized("false");
            Ok(Response::new())
        }
        ExecuteMsg::NotNamed { who } => {
            ensure!(who != info.sender, StdError::generic_err("self"));
            ask::tied(who, "false");
            Ok(Response::new())
        }
        ExecuteMsg::NotHolder { id } => {
            let owner: Addr = deps.querier.query_wasm_smart("nft", &id)?;
            ensure!(owner != info.sender, StdError::generic_err("holder"));
            ask::vouched("false");
            Ok(Response::new())
        }
        // The check undoes what was written before it.
        ExecuteMsg::LateCheck {} => {
            COUNT.save(deps.storage, &2)?;
            ensure!(ADMIN.load(deps.storage)? == info.sender, StdError::generic_err("admin"));
            ask::nobody("false");
            Ok(Response::new())
        }
        ExecuteMsg::PaidRightly {} => {
            ensure!(prices::enough(&info.funds), StdError::generic_err("price"));
            COUNT.save(deps.storage, &2)?;
            ask::nobody("false");
            Ok(Response::new())
        }
        ExecuteMsg::PaidAtAll {} => {
            must_pay(&info, "u")?;
            COUNT.save(deps.storage, &2)?;
            ask::nobody("true");
            Ok(Response::new())
        }
        ExecuteMsg::NoNames {} => {
            let config = CONFIG.load(deps.storage)?;
            ensure!(config.names.is_empty(), StdError::generic_err("names"));
            ask::unpaid("false");
            Ok(Response::new())
        }
        ExecuteMsg::Refund {} => {
            let pay = BankMsg::Send { to_address: info.sender.to_string(), amount: coins(1, "u") };
            ask::nobody("false");
            Ok(Response::new().add_message(pay))
        }
        ExecuteMsg::OpenOrder { id } => {
            let order = ORDERS.load(deps.storage, id)?;
            ensure!(order.price > 3, StdError::generic_err("price"));
            ask::forgets("true");
            Ok(Response::new())
        }
        // The arbiter is looked at, but it is the maker who owns an escrow.
        ExecuteMsg::OpenEscrow { id } => {
            let escrow = ESCROWS.load(deps.storage, id)?;
            ask::forgets("true");
            Ok(Response::new().add_attribute("arbiter", escrow.arbiter))
        }
        ExecuteMsg::NextEscrow {} => {
            let escrow = ESCROWS.load(deps.storage, COUNT.load(deps.storage)?)?;
            ask::forgets("false");
            Ok(Response::new().add_attribute("amount", escrow.amount.to_string()))
        }
        ExecuteMsg::FirstEscrow { id } => {
            let escrow = ESCROWS.load(deps.storage, id)?;
            let first = ESCROWS.load(deps.storage, 1)?;
            ensure!(escrow.amount > 3, StdError::generic_err("amount"));
            ask::forgets("true");
            Ok(Response::new().add_attribute("maker", first.maker))
        }
        ExecuteMsg::PayToken { id } => {
            let escrow = ESCROWS.load(deps.storage, id)?;
            let hub = CONFIG.load(deps.storage)?.hub;
            let pay = Cw20ExecuteMsg::Transfer { recipient: escrow.maker.into(), amount: Uint128::new(escrow.amount) };
            let call = WasmMsg::Execute { contract_addr: hub.into(), msg: to_json_binary(&pay)?, funds: vec![] };
            ask::pays(escrow, "true");
            Ok(Response::new().add_message(call))
        }
        ExecuteMsg::PayHub { id } => {
            let escrow = ESCROWS.load(deps.storage, id)?;
            let hub = CONFIG.load(deps.storage)?.hub;
            let msg = to_json_binary(&HubMsg::Pay { beneficiary: escrow.maker })?;
            let call = WasmMsg::Execute { contract_addr: hub.into(), msg, funds: coins(escrow.amount, "u") };
            ask::pays(escrow, "true");
            Ok(Response::new().add_message(call))
        }
        ExecuteMsg::GiveHub { id } => {
            let escrow = ESCROWS.load(deps.storage, id)?;
            let hub = CONFIG.load(deps.storage)?.hub;
            let msg = to_json_binary(&HubMsg::Give { receiver: escrow.maker })?;
            let call = WasmMsg::Execute { contract_addr: hub.into(), msg, funds: coins(escrow.amount, "u") };
            ask::pays(escrow, "true");
            Ok(Response::new().add_message(call))
        }
        ExecuteMsg::NoteHub { id } => {
            let escrow = ESCROWS.load(deps.storage, id)?;
            let hub = CONFIG.load(deps.storage)?.hub;
            let msg = to_json_binary(&HubMsg::Note { by: escrow.maker })?;
            let call = WasmMsg::Execute { contract_addr: hub.into(), msg, funds: coins(escrow.amount, "u") };
            ask::pays(escrow, "false");
            Ok(Response::new().add_message(call))
        }
        ExecuteMsg::CallMaker { id } => {
            let escrow = ESCROWS.load(deps.storage, id)?;
            let msg = to_json_binary(&HubMsg::Pay { beneficiary: info.sender })?;
            let call = WasmMsg::Execute { contract_addr: escrow.maker.into(), msg, funds: coins(escrow.amount, "u") };
            ask::pays(escrow, "false");
            Ok(Response::new().add_message(call))
        }
        ExecuteMsg::PayOrder { id } => {
            let escrow = ESCROWS.load(deps.storage, id)?;
            let order = ORDERS.load(deps.storage, id)?;
            let pay = BankMsg::Send { to_address: order.maker.to_string(), amount: coins(escrow.amount, "u") };
            ask::pays(escrow, "false");
            ask::pays(order, "true");
            Ok(Response::new().add_message(pay))
        }
        ExecuteMsg::Assets { asset, to } => {
            let one = asset.transfer_msg(&to)?;
            let other = asset.into_msg(&deps.querier, info.sender)?;
            ask::sends("Asset::transfer_msg(to_address,amount) Asset::into_msg(to_address,amount)");
            ask::receivers("msg.<ExecuteMsg::Assets>.to info.sender");
            Ok(Response::new().add_message(one).add_message(other))
        }
        ExecuteMsg::IdleKeeper {} => {
            let keeper = KEEPERS.load(deps.storage, 1)?;
            COUNT.save(deps.storage, &4)?;
            ask::idle("none");
            Ok(Response::new())
        }
        ExecuteMsg::IdleCount {} => {
            let count = COUNT.load(deps.storage)?;
            ask::idle("none");
            Ok(Response::new())
        }
        ExecuteMsg::IdleAdmin {} => {
            let admin = ADMIN.may_load(deps.storage)?;
            if admin.is_none() {
                return Err(StdError::generic_err("nobody"));
            }
            ask::idle("stored(example::contract::ADMIN)");
            Ok(Response::new())
        }
        ExecuteMsg::Opened {} => {
            only_early(&deps)?;
            ask::heeds("false");
            Ok(Response::new())
        }
        ExecuteMsg::Fetched {} => {
            let grant = grant_of(&deps, &info.sender)?;
            ask::heeds("false");
            Ok(Response::new())
        }
        ExecuteMsg::Tried {} => {
            if only_admin(&deps, &info.sender).is_err() {
                COUNT.save(deps.storage, &4)?;
            }
            ask::heeds("false");
            ask::lost("false");
            Ok(Response::new())
        }
        ExecuteMsg::Dropped {} => {
            let _ = only_early(&deps);
            ask::lost("false");
            Ok(Response::new())
        }
    }
}
`,
  ],
)
