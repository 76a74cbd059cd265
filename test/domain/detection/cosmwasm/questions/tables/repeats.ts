import { unrecorded } from "../../../../../../domain/detection/cosmwasm/saves/unrecorded.ts"
import type { Event } from "../../../../../../domain/detection/rust/terms/events.ts"
import { cosmwasmTable } from "../../../../../support/cosmwasmTable.ts"

/** How the text of an event begins: `BankMsg::Send`, `TOTAL.save`. */
const startOf = ({ file, node }: Event): string => /^[\w:.]*/.exec(file.text.slice(node.start))![0]

/** Actions for a record that are not recorded, each by how its message begins. */
export const repeats = cosmwasmTable(
  "repeats",
  {
    again: ({ handler }) =>
      unrecorded(handler)
        .map(({ event, message }) => `${startOf(event)}: ${message.split(" ").slice(0, 4).join(" ")}`)
        .join("; "),
  },
  [
    `use cosmwasm_std::{coins, ensure, entry_point, Addr, BankMsg, Binary, DepsMut, Env, MessageInfo, Order, Response, StdError, StdResult, Storage, Uint128, WasmMsg};
use cw20::Cw20ReceiveMsg;
use cw_storage_plus::{Item, Map};
use cw_utils::nonpayable;

pub struct Config { pub owner: Addr, pub key: Binary }
pub struct User { pub owner: Addr, pub paid: bool, pub level: u64 }

pub const CONFIG: Item<Config> = Item::new("config");
pub const SWITCH: Item<bool> = Item::new("switch");
pub const TOTAL: Item<Uint128> = Item::new("total");
pub const PAID: Item<Vec<Addr>> = Item::new("paid");
pub const NOTES: Map<&Addr, u64> = Map::new("notes");
pub const LIMITS: Map<&Addr, Uint128> = Map::new("limits");
pub const HELD: Map<&Addr, Uint128> = Map::new("held");
pub const STEPS: Map<(&Addr, u64), Uint128> = Map::new("steps");
pub const USERS: Map<&Addr, User> = Map::new("users");
pub const PARTS: Map<(&Addr, u64), User> = Map::new("parts");

pub struct SudoMsg { pub who: Addr, pub hash: Binary, pub signature: Binary }
pub enum ExecuteMsg {
    Pay {},
    PayNamed { who: Addr },
    PayOwners {},
    PayFixed {},
    PayTotal {},
    PayAsked { amount: Uint128 },
    PayAskedSub { amount: Uint128 },
    PayAskedTimes { amount: Uint128 },
    PayAskedIfAny { amount: Uint128 },
    PayAskedOfOther { who: Addr, amount: Uint128 },
    PayAskedTaken { amount: Uint128, to: Addr },
    PayWithCall {},
    PayByOwner {},
    PayForFunds {},
    PayForNothing {},
    Receive(Cw20ReceiveMsg),
    Noted {},
    NotedNamed { who: Addr },
    NotedForOwner {},
    Switched {},
    Raised {},
    Lowered {},
    Emptied {},
    Listed {},
    Unlisted {},
    Given {},
    GivenAsMethod {},
    GivenToLook {},
    GivenBySource {},
    Signed { hash: Binary, signature: Binary },
    SignedPay { hash: Binary, signature: Binary },
    SignedSilent { hash: Binary, signature: Binary },
    SignedByOwner { hash: Binary, signature: Binary },
    SignedNoted { hash: Binary, signature: Binary },
    SignedGiven { hash: Binary, signature: Binary },
    SignedLooked { hash: Binary, signature: Binary },
    SignedChecked { hash: Binary, signature: Binary },
    SignedRanged { hash: Binary, signature: Binary },
    SignedBuilt { hash: Binary, signature: Binary },
    Move { to: Addr },
    MoveNamed { name: String, to: Addr },
    MoveChecked { to: Addr },
    MoveOther { to: Addr },
    MoveMore { to: Addr },
    MoveTimes { to: Addr },
    MoveBoth { to: Addr },
    MoveTwo { to: Addr },
    MoveOwn {},
    MoveStep { step: u64 },
    MoveAny { to: Addr },
    Save { to: Addr },
    SaveAgain { to: Addr },
    SaveCopy { to: Addr },
    SaveOwn {},
    SaveKnown {},
    SaveSame { to: Addr },
    SaveSameToo { to: Addr },
    SaveHalfSame { to: Addr, other: Addr },
    SaveOther { to: Addr },
    SavePart { part: u64 },
    SaveAny { to: Addr },
    SaveBoth { to: Addr },
    SaveTwo { to: Addr },
    SaveList { to: Addr },
}

fn pay(to: &Addr, amount: Uint128) -> BankMsg {
    BankMsg::Send { to_address: to.to_string(), amount: coins(amount.u128(), "uatom") }
}

fn only_open(storage: &dyn Storage) -> StdResult<()> {
    ensure!(SWITCH.load(storage)?, StdError::generic_err("shut"));
    Ok(())
}

#[entry_point]
pub fn sudo(deps: DepsMut, _env: Env, msg: SudoMsg) -> StdResult<Response> {
    let config = CONFIG.load(deps.storage)?;
    ensure!(deps.api.secp256k1_verify(&msg.hash, &msg.signature, &config.key)?, StdError::generic_err("signature"));
    let held = HELD.load(deps.storage, &msg.who)?;
    ask::again("");
    Ok(Response::new().add_message(pay(&msg.who, held)))
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        // What is paid out of the record of the sender, or of whom the message names.
        ExecuteMsg::Pay {} => {
            let held = HELD.load(deps.storage, &info.sender)?;
            ask::again("BankMsg::Send: This is paid out");
            Ok(Response::new().add_message(pay(&info.sender, held)))
        }
        ExecuteMsg::PayNamed { who } => {
            let held = HELD.load(deps.storage, &who)?;
            ask::again("BankMsg::Send: This is paid out");
            Ok(Response::new().add_message(pay(&who, held)))
        }
        ExecuteMsg::PayOwners {} => {
            let held = HELD.load(deps.storage, &CONFIG.load(deps.storage)?.owner)?;
            ask::again("");
            Ok(Response::new().add_message(pay(&info.sender, held)))
        }
        ExecuteMsg::PayFixed {} => {
            HELD.load(deps.storage, &info.sender)?;
            ask::again("");
            Ok(Response::new().add_message(pay(&info.sender, Uint128::new(5))))
        }
        ExecuteMsg::PayTotal {} => {
            ask::again("");
            Ok(Response::new().add_message(pay(&info.sender, TOTAL.load(deps.storage)?)))
        }
        // What the message asks for is out of the record that limits it: the sender's own.
        ExecuteMsg::PayAsked { amount } => {
            let held = HELD.load(deps.storage, &info.sender)?;
            ensure!(amount <= held, StdError::generic_err("more"));
            ask::again("BankMsg::Send: This is paid out");
            Ok(Response::new().add_message(pay(&info.sender, amount)))
        }
        ExecuteMsg::PayAskedSub { amount } => {
            let held = HELD.load(deps.storage, &info.sender)?;
            held.checked_sub(amount)?;
            ask::again("BankMsg::Send: This is paid out");
            Ok(Response::new().add_message(pay(&info.sender, amount)))
        }
        ExecuteMsg::PayAskedTimes { amount } => {
            let held = HELD.load(deps.storage, &info.sender)?;
            held.checked_mul(amount)?;
            ask::again("");
            Ok(Response::new().add_message(pay(&info.sender, amount)))
        }
        ExecuteMsg::PayAskedIfAny { amount } => {
            let held = HELD.load(deps.storage, &info.sender)?;
            ensure!(!held.is_zero(), StdError::generic_err("none"));
            ask::again("");
            Ok(Response::new().add_message(pay(&info.sender, amount)))
        }
        ExecuteMsg::PayAskedOfOther { who, amount } => {
            let held = HELD.load(deps.storage, &who)?;
            ensure!(amount <= held, StdError::generic_err("more"));
            ask::again("");
            Ok(Response::new().add_message(pay(&info.sender, amount)))
        }
        ExecuteMsg::PayAskedTaken { amount, to } => {
            let held = HELD.load(deps.storage, &info.sender)?;
            ensure!(amount <= held, StdError::generic_err("more"));
            HELD.remove(deps.storage, &CONFIG.load(deps.storage)?.owner);
            ask::again("");
            Ok(Response::new().add_message(pay(&to, amount)))
        }
        // Not if another contract is called as well, if only the owner may, or if it is in return for something.
        ExecuteMsg::PayWithCall {} => {
            let held = HELD.load(deps.storage, &info.sender)?;
            let call = WasmMsg::Execute { contract_addr: info.sender.to_string(), msg: Binary::default(), funds: vec![] };
            ask::again("");
            Ok(Response::new().add_message(pay(&info.sender, held)).add_message(call))
        }
        ExecuteMsg::PayByOwner {} => {
            ensure!(CONFIG.load(deps.storage)?.owner == info.sender, StdError::generic_err("owner"));
            let held = HELD.load(deps.storage, &info.sender)?;
            ask::again("");
            Ok(Response::new().add_message(pay(&info.sender, held)))
        }
        ExecuteMsg::PayForFunds {} => {
            let held = HELD.load(deps.storage, &info.sender)?;
            ensure!(info.funds[0].amount > held, StdError::generic_err("price"));
            ask::again("");
            Ok(Response::new().add_message(pay(&info.sender, held)))
        }
        ExecuteMsg::PayForNothing {} => {
            nonpayable(&info)?;
            let held = HELD.load(deps.storage, &info.sender)?;
            ask::again("BankMsg::Send: This is paid out");
            Ok(Response::new().add_message(pay(&info.sender, held)))
        }
        ExecuteMsg::Receive(received) => {
            let held = HELD.load(deps.storage, &info.sender)?;
            ask::again("");
            Ok(Response::new().add_message(pay(&info.sender, held)))
        }
        // It is noted under the account or for the message, by a flag, in a list, or by code that nobody sees.
        ExecuteMsg::Noted {} => {
            let held = HELD.load(deps.storage, &info.sender)?;
            NOTES.save(deps.storage, &info.sender, &1)?;
            ask::again("");
            Ok(Response::new().add_message(pay(&info.sender, held)))
        }
        ExecuteMsg::NotedNamed { who } => {
            let held = HELD.load(deps.storage, &info.sender)?;
            NOTES.save(deps.storage, &who, &1)?;
            ask::again("");
            Ok(Response::new().add_message(pay(&info.sender, held)))
        }
        ExecuteMsg::NotedForOwner {} => {
            let held = HELD.load(deps.storage, &info.sender)?;
            NOTES.save(deps.storage, &CONFIG.load(deps.storage)?.owner, &1)?;
            ask::again("BankMsg::Send: This is paid out");
            Ok(Response::new().add_message(pay(&info.sender, held)))
        }
        ExecuteMsg::Switched {} => {
            let held = HELD.load(deps.storage, &info.sender)?;
            SWITCH.save(deps.storage, &true)?;
            ask::again("");
            Ok(Response::new().add_message(pay(&info.sender, held)))
        }
        ExecuteMsg::Raised {} => {
            let held = HELD.load(deps.storage, &info.sender)?;
            TOTAL.save(deps.storage, &(TOTAL.load(deps.storage)? + held))?;
            ask::again("BankMsg::Send: This is paid out");
            Ok(Response::new().add_message(pay(&info.sender, held)))
        }
        ExecuteMsg::Lowered {} => {
            let held = HELD.load(deps.storage, &info.sender)?;
            TOTAL.save(deps.storage, &(TOTAL.load(deps.storage)? - held))?;
            ask::again("BankMsg::Send: This is paid out");
            Ok(Response::new().add_message(pay(&info.sender, held)))
        }
        ExecuteMsg::Emptied {} => {
            let held = HELD.load(deps.storage, &info.sender)?;
            HELD.remove(deps.storage, &info.sender);
            ask::again("");
            Ok(Response::new().add_message(pay(&info.sender, held)))
        }
        ExecuteMsg::Listed {} => {
            let held = HELD.load(deps.storage, &info.sender)?;
            let mut paid = PAID.load(deps.storage)?;
            paid.push(info.sender.clone());
            PAID.save(deps.storage, &paid)?;
            ask::again("");
            Ok(Response::new().add_message(pay(&info.sender, held)))
        }
        ExecuteMsg::Unlisted {} => {
            let held = HELD.load(deps.storage, &info.sender)?;
            let mut names = ledger::Names::new();
            names.insert(info.sender.clone());
            ask::again("BankMsg::Send: This is paid out");
            Ok(Response::new().add_message(pay(&info.sender, held)))
        }
        ExecuteMsg::Given {} => {
            let held = HELD.load(deps.storage, &info.sender)?;
            ledger::note(deps.storage, &info.sender)?;
            ask::again("");
            Ok(Response::new().add_message(pay(&info.sender, held)))
        }
        ExecuteMsg::GivenAsMethod {} => {
            let held = HELD.load(deps.storage, &info.sender)?;
            ledger::Ledger::new().note(deps.storage, &info.sender)?;
            ask::again("");
            Ok(Response::new().add_message(pay(&info.sender, held)))
        }
        ExecuteMsg::GivenToLook {} => {
            let held = HELD.load(deps.storage, &info.sender)?;
            ledger::get_note(deps.storage, &info.sender)?;
            ask::again("BankMsg::Send: This is paid out");
            Ok(Response::new().add_message(pay(&info.sender, held)))
        }
        ExecuteMsg::GivenBySource {} => {
            let held = HELD.load(deps.storage, &info.sender)?;
            only_open(deps.storage)?;
            ask::again("BankMsg::Send: This is paid out");
            Ok(Response::new().add_message(pay(&info.sender, held)))
        }
        // What a signature allows, as long as nothing at all is written.
        ExecuteMsg::Signed { hash, signature } => {
            let config = CONFIG.load(deps.storage)?;
            ensure!(deps.api.secp256k1_verify(&hash, &signature, &config.key)?, StdError::generic_err("signature"));
            ask::again("BankMsg::Send: A signature allows this,");
            Ok(Response::new().add_message(pay(&info.sender, Uint128::new(5))))
        }
        ExecuteMsg::SignedPay { hash, signature } => {
            let config = CONFIG.load(deps.storage)?;
            ensure!(deps.api.secp256k1_verify(&hash, &signature, &config.key)?, StdError::generic_err("signature"));
            let held = HELD.load(deps.storage, &info.sender)?;
            ask::again("BankMsg::Send: This is paid out");
            Ok(Response::new().add_message(pay(&info.sender, held)))
        }
        ExecuteMsg::SignedSilent { hash, signature } => {
            let config = CONFIG.load(deps.storage)?;
            ensure!(deps.api.secp256k1_verify(&hash, &signature, &config.key)?, StdError::generic_err("signature"));
            ask::again("");
            Ok(Response::new())
        }
        ExecuteMsg::SignedByOwner { hash, signature } => {
            let config = CONFIG.load(deps.storage)?;
            ensure!(config.owner == info.sender, StdError::generic_err("owner"));
            ensure!(deps.api.secp256k1_verify(&hash, &signature, &config.key)?, StdError::generic_err("signature"));
            ask::again("");
            Ok(Response::new().add_message(pay(&info.sender, Uint128::new(5))))
        }
        ExecuteMsg::SignedNoted { hash, signature } => {
            let config = CONFIG.load(deps.storage)?;
            ensure!(deps.api.secp256k1_verify(&hash, &signature, &config.key)?, StdError::generic_err("signature"));
            TOTAL.save(deps.storage, &(TOTAL.load(deps.storage)? + Uint128::new(5)))?;
            ask::again("");
            Ok(Response::new().add_message(pay(&info.sender, Uint128::new(5))))
        }
        ExecuteMsg::SignedGiven { hash, signature } => {
            let config = CONFIG.load(deps.storage)?;
            ensure!(deps.api.secp256k1_verify(&hash, &signature, &config.key)?, StdError::generic_err("signature"));
            ledger::note(deps.storage, &hash)?;
            ask::again("");
            Ok(Response::new().add_message(pay(&info.sender, Uint128::new(5))))
        }
        ExecuteMsg::SignedLooked { hash, signature } => {
            let config = CONFIG.load(deps.storage)?;
            ensure!(deps.api.secp256k1_verify(&hash, &signature, &config.key)?, StdError::generic_err("signature"));
            ledger::is_open(deps.storage)?;
            ask::again("BankMsg::Send: A signature allows this,");
            Ok(Response::new().add_message(pay(&info.sender, Uint128::new(5))))
        }
        ExecuteMsg::SignedChecked { hash, signature } => {
            let config = CONFIG.load(deps.storage)?;
            ensure!(deps.api.secp256k1_verify(&hash, &signature, &config.key)?, StdError::generic_err("signature"));
            only_open(deps.storage)?;
            ask::again("BankMsg::Send: A signature allows this,");
            Ok(Response::new().add_message(pay(&info.sender, Uint128::new(5))))
        }
        ExecuteMsg::SignedRanged { hash, signature } => {
            let config = CONFIG.load(deps.storage)?;
            ensure!(deps.api.secp256k1_verify(&hash, &signature, &config.key)?, StdError::generic_err("signature"));
            let count = HELD.keys_raw(deps.storage, None, None, Order::Ascending).count();
            ask::again("BankMsg::Send: A signature allows this,");
            Ok(Response::new().add_message(pay(&info.sender, Uint128::new(count as u128))))
        }
        ExecuteMsg::SignedBuilt { hash, signature } => {
            let mut config = CONFIG.load(deps.storage)?;
            ensure!(deps.api.secp256k1_verify(&hash, &signature, &config.key)?, StdError::generic_err("signature"));
            let mut user = User { owner: config.owner, paid: true, level: 0 };
            user.level = 1;
            ask::again("BankMsg::Send: A signature allows this,");
            Ok(Response::new().add_message(pay(&user.owner, Uint128::new(5))))
        }
        // One entry less something is saved over another.
        ExecuteMsg::Move { to } => {
            let held = HELD.load(deps.storage, &info.sender)?;
            HELD.save(deps.storage, &to, &(held - Uint128::one()))?;
            ask::again("HELD.save: The amount is deducted");
            Ok(Response::new())
        }
        ExecuteMsg::MoveNamed { name, to } => {
            let from = deps.api.addr_validate(&name)?;
            let held = HELD.load(deps.storage, &from)?;
            HELD.save(deps.storage, &to, &(held - Uint128::one()))?;
            ask::again("HELD.save: The amount is deducted");
            Ok(Response::new())
        }
        ExecuteMsg::MoveChecked { to } => {
            let held = HELD.load(deps.storage, &info.sender)?;
            HELD.save(deps.storage, &to, &held.checked_sub(Uint128::one())?)?;
            ask::again("HELD.save: The amount is deducted");
            Ok(Response::new())
        }
        ExecuteMsg::MoveOther { to } => {
            let limit = LIMITS.load(deps.storage, &info.sender)?;
            HELD.save(deps.storage, &to, &(limit - Uint128::one()))?;
            ask::again("");
            Ok(Response::new())
        }
        ExecuteMsg::MoveMore { to } => {
            let held = HELD.load(deps.storage, &info.sender)?;
            HELD.save(deps.storage, &to, &(held + Uint128::one()))?;
            ask::again("");
            Ok(Response::new())
        }
        ExecuteMsg::MoveTimes { to } => {
            let held = HELD.load(deps.storage, &info.sender)?;
            HELD.save(deps.storage, &to, &held.checked_mul(Uint128::one())?)?;
            ask::again("");
            Ok(Response::new())
        }
        ExecuteMsg::MoveBoth { to } => {
            let held = HELD.load(deps.storage, &info.sender)?;
            HELD.save(deps.storage, &to, &(held - Uint128::one()))?;
            HELD.save(deps.storage, &info.sender, &Uint128::one())?;
            ask::again("");
            Ok(Response::new())
        }
        ExecuteMsg::MoveTwo { to } => {
            let held = HELD.load(deps.storage, &info.sender)?;
            HELD.save(deps.storage, &to, &(held - Uint128::one()))?;
            NOTES.save(deps.storage, &info.sender, &1)?;
            ask::again("HELD.save: The amount is deducted");
            Ok(Response::new())
        }
        ExecuteMsg::MoveOwn {} => {
            let held = HELD.load(deps.storage, &info.sender)?;
            HELD.save(deps.storage, &info.sender, &(held - Uint128::one()))?;
            ask::again("");
            Ok(Response::new())
        }
        ExecuteMsg::MoveStep { step } => {
            let held = STEPS.load(deps.storage, (&info.sender, 1))?;
            STEPS.save(deps.storage, (&info.sender, step), &(held - Uint128::one()))?;
            ask::again("");
            Ok(Response::new())
        }
        ExecuteMsg::MoveAny { to } => {
            for entry in HELD.range(deps.storage, None, None, Order::Ascending) {
                let (_, held) = entry?;
                HELD.save(deps.storage, &to, &(held - Uint128::one()))?;
            }
            ask::again("");
            Ok(Response::new())
        }
        // One entry is changed and saved over another, which is not known to be the same.
        ExecuteMsg::Save { to } => {
            let mut user = USERS.load(deps.storage, &info.sender)?;
            user.level = 1;
            USERS.save(deps.storage, &to, &user)?;
            ask::again("USERS.save: One entry is changed,");
            Ok(Response::new())
        }
        ExecuteMsg::SaveAgain { to } => {
            let user = USERS.load(deps.storage, &info.sender)?;
            USERS.save(deps.storage, &info.sender, &user)?;
            USERS.save(deps.storage, &to, &user)?;
            ask::again("");
            Ok(Response::new())
        }
        ExecuteMsg::SaveCopy { to } => {
            let user = USERS.load(deps.storage, &info.sender)?;
            USERS.save(deps.storage, &to, &user)?;
            ask::again("");
            Ok(Response::new())
        }
        ExecuteMsg::SaveOwn {} => {
            let mut user = USERS.load(deps.storage, &info.sender)?;
            user.level = 1;
            USERS.save(deps.storage, &info.sender, &user)?;
            ask::again("");
            Ok(Response::new())
        }
        ExecuteMsg::SaveKnown {} => {
            let mut user = USERS.load(deps.storage, &info.sender)?;
            user.level = 1;
            USERS.save(deps.storage, &user.owner, &user)?;
            ask::again("");
            Ok(Response::new())
        }
        ExecuteMsg::SaveSame { to } => {
            ensure!(to == info.sender, StdError::generic_err("to"));
            let mut user = USERS.load(deps.storage, &info.sender)?;
            user.level = 1;
            USERS.save(deps.storage, &to, &user)?;
            ask::again("");
            Ok(Response::new())
        }
        ExecuteMsg::SaveSameToo { to } => {
            let mut user = USERS.load(deps.storage, &to)?;
            ensure!(to == info.sender, StdError::generic_err("to"));
            user.level = 1;
            USERS.save(deps.storage, &info.sender, &user)?;
            ask::again("");
            Ok(Response::new())
        }
        ExecuteMsg::SaveHalfSame { to, other } => {
            let mut user = USERS.load(deps.storage, &info.sender)?;
            ensure!(to == other, StdError::generic_err("to"));
            ensure!(user.owner == info.sender, StdError::generic_err("owner"));
            user.level = 1;
            USERS.save(deps.storage, &to, &user)?;
            ask::again("USERS.save: One entry is changed,");
            Ok(Response::new())
        }
        ExecuteMsg::SaveOther { to } => {
            let mut user = USERS.load(deps.storage, &info.sender)?;
            ensure!(to != info.sender, StdError::generic_err("to"));
            user.level = 1;
            USERS.save(deps.storage, &to, &user)?;
            ask::again("USERS.save: One entry is changed,");
            Ok(Response::new())
        }
        ExecuteMsg::SavePart { part } => {
            let mut user = PARTS.load(deps.storage, (&info.sender, 1))?;
            user.level = 1;
            PARTS.save(deps.storage, (&info.sender, part), &user)?;
            ask::again("");
            Ok(Response::new())
        }
        ExecuteMsg::SaveAny { to } => {
            for entry in USERS.range(deps.storage, None, None, Order::Ascending) {
                let (_, mut user) = entry?;
                user.level = 1;
                USERS.save(deps.storage, &to, &user)?;
            }
            ask::again("");
            Ok(Response::new())
        }
        ExecuteMsg::SaveBoth { to } => {
            let mut user = USERS.load(deps.storage, &info.sender)?;
            user.level = 1;
            USERS.save(deps.storage, &to, &user)?;
            USERS.remove(deps.storage, &info.sender);
            ask::again("");
            Ok(Response::new())
        }
        ExecuteMsg::SaveTwo { to } => {
            let mut user = USERS.load(deps.storage, &info.sender)?;
            user.level = 1;
            USERS.save(deps.storage, &to, &user)?;
            NOTES.save(deps.storage, &info.sender, &1)?;
            ask::again("USERS.save: One entry is changed,");
            Ok(Response::new())
        }
        ExecuteMsg::SaveList { to } => {
            let user = USERS.load(deps.storage, &info.sender)?;
            let mut copy = User { owner: to.clone(), paid: true, level: 0 };
            copy.level = 2;
            USERS.save(deps.storage, &to, &user)?;
            ask::again("");
            Ok(Response::new())
        }
    }
}
`,
  ],
)
