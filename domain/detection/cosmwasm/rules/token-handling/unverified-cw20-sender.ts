import type { Rule } from "../../../Rule.ts"
import { type Event, guaranteed } from "../../../rust/terms/events.ts"
import { mentions, subterms, type Term } from "../../../rust/terms/terms.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import { isAuthorized, isReceiveHook } from "../../authority/authority.ts"
import type { CosmWasmProgram, EntryPoint, Handler } from "../../program/model.ts"
import { outgoingMessages } from "../../questions/questions.ts"
import { type StorageWrite, storageWrites } from "../../questions/storageWrites.ts"
import { touches } from "../../questions/touches.ts"
import { wayTo } from "../../questions/way.ts"

export const unverifiedCw20Sender: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/token-handling/unverified-cw20-sender",
    class: "cw20-receive-unverified",
    title: "Receive hook credits tokens from any contract",
    severity: "critical",
    confidence: "high",
    cwe: [345],
    description:
      "The receive hook for cw20 or cw721 transfers acts on the amount and sender in the message without " +
      "comparing `info.sender`, which is the token contract, with the expected token. Any account can send this " +
      "message: an attacker claims to have sent a huge amount, is credited for it, and withdraws the real " +
      "tokens.",
    remediation:
      "Compare `info.sender` with the stored address of the token contract before anything else, look it up in " +
      "a list of accepted tokens, or keep separate accounts per token with `info.sender` as part of the key.",
    references: [
      "https://github.com/CosmWasm/cw-plus/blob/main/packages/cw20/README.md",
      "https://docs.rs/cw20/latest/cw20/struct.Cw20ReceiveMsg.html",
    ],
  },
  check: (program, report) => {
    for (const { entryPoints } of program.crates)
      for (const entry of entryPoints) {
        if (entry.kind !== "execute") continue
        const isSender = (one: Term): boolean => one === entry.sender
        let open: ReadonlySet<string> | undefined
        for (const handler of entry.handlers) {
          if (!isReceiveHook(handler)) continue
          const writes = storageWrites(handler.events)
          const messages = outgoingMessages(handler.events)
          // Accounts of each token apart.
          const keepsApart = writes.some(
            ({ key, value }) => (key !== undefined && names(key, isSender)) || names(value, isSender),
          )
          // Tokens that go back, or on to somebody who is told which ones they are.
          const passesOn = messages.some(({ fields }) => [...fields.values()].some((one) => names(one, isSender)))
          // Each kind of hook may have a check of its own.
          const unasked = [...writes, ...messages].filter((one) => !isAuthorized(entry, guaranteed(one.event)))
          if (keepsApart || passesOn || unasked.length === 0) continue
          const sites = (open ??= openSites(entry))
          const event = unasked.find((one) => !sites.has(siteOf(one.event)))?.event
          if (event === undefined) continue
          report({
            ...placeOf(event),
            message: `\`${handler.message}\` accepts any calling contract as the token.`,
            ...(credits(handler, writes) ? {} : { severity: "medium" as const }),
            trace: wayTo(handler, event),
          })
        }
      }
  },
  examples: {
    vulnerable: [
      `use cosmwasm_std::{entry_point, from_json, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Storage, Uint128};
use cw20::Cw20ReceiveMsg;
use cw_storage_plus::Map;
use cw_utils::must_pay;

pub const BALANCES: Map<&Addr, Uint128> = Map::new("balances");
pub enum ExecuteMsg { Receive(Cw20ReceiveMsg), Deposit {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Receive(wrapper) => {
            let sender = deps.api.addr_validate(&wrapper.sender)?;
            deposit(deps.storage, sender, wrapper.amount)
        }
        ExecuteMsg::Deposit {} => {
            let paid = must_pay(&info, "uatom").map_err(|_| StdError::generic_err("payment"))?;
            deposit(deps.storage, info.sender, paid)
        }
    }
}

fn deposit(storage: &mut dyn Storage, sender: Addr, amount: Uint128) -> StdResult<Response> {
    BALANCES.update(storage, &sender, |old| -> StdResult<_> { Ok(old.unwrap_or_default() + amount) })?; // FINDING
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, from_json, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw20::{BalanceResponse, Cw20QueryMsg, Cw20ReceiveMsg};
use cw_storage_plus::{Item, Map};

pub const SHARES: Map<&str, Uint128> = Map::new("shares");
pub const TOTAL: Item<Uint128> = Item::new("total");
pub const TOKEN: Item<Addr> = Item::new("token");
pub enum ExecuteMsg { Receive(Cw20ReceiveMsg) }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Receive(paid) => {
            let query = Cw20QueryMsg::Balance { address: env.contract.address.to_string() };
            let held: BalanceResponse = deps.querier.query_wasm_smart(info.sender, &query)?;
            let total = TOTAL.load(deps.storage)?;
            let shares = paid.amount.multiply_ratio(total, held.balance);
            SHARES.save(deps.storage, &paid.sender, &shares)?; // FINDING
            TOTAL.save(deps.storage, &(total + shares))?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw20::Cw20ReceiveMsg;
use cw_storage_plus::Map;

pub const STAKES: Map<&str, Uint128> = Map::new("stakes");
pub enum ExecuteMsg { Receive(Cw20ReceiveMsg) }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Receive(wrapped) => {
            let staker = deps.api.addr_validate(&wrapped.sender)?;
            STAKES.update(deps.storage, staker.as_str(), |old| -> StdResult<_> { // FINDING
                Ok(old.unwrap_or_default() + wrapped.amount)
            })?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{coins, entry_point, from_json, BankMsg, DepsMut, Env, MessageInfo, Response, StdResult};
use cw20::Cw20ReceiveMsg;

pub enum ExecuteMsg { Receive(Cw20ReceiveMsg) }
pub enum HookMsg { Redeem {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Receive(wrapped) => receive(deps, info, wrapped),
    }
}

fn receive(_deps: DepsMut, _info: MessageInfo, wrapped: Cw20ReceiveMsg) -> StdResult<Response> {
    match from_json::<HookMsg>(&wrapped.msg)? {
        HookMsg::Redeem {} => {
            let pay = BankMsg::Send { to_address: wrapped.sender, amount: coins(wrapped.amount.u128(), "uatom") }; // FINDING
            Ok(Response::new().add_message(pay))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, DepsMut, Env, MessageInfo, Response, StdResult, Storage, Uint128, WasmMsg};
use cw20::{Cw20ExecuteMsg, Cw20ReceiveMsg};
use cw_storage_plus::Item;

pub const SHARE: Item<Addr> = Item::new("share");
pub const STAKE: Item<Addr> = Item::new("stake");
pub const SEEN: Item<u64> = Item::new("seen");
pub enum ExecuteMsg { Receive(Cw20ReceiveMsg), Refresh {} }

fn refresh(storage: &mut dyn Storage, env: &Env) -> StdResult<()> {
    SEEN.save(storage, &env.block.height)
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Refresh {} => {
            refresh(deps.storage, &env)?;
            Ok(Response::new())
        }
        ExecuteMsg::Receive(wrapper) => {
            refresh(deps.storage, &env)?;
            let stake = STAKE.load(deps.storage)?.to_string();
            let pay = Cw20ExecuteMsg::Transfer { recipient: wrapper.sender, amount: wrapper.amount };
            Ok(Response::new().add_message(WasmMsg::Execute { contract_addr: stake, msg: to_json_binary(&pay)?, funds: vec![] })) // FINDING
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw20::Cw20ReceiveMsg;
use cw721::Cw721ReceiveMsg;
use cw_storage_plus::{Item, Map};

pub const OWNER: Item<Addr> = Item::new("owner");
pub const LAST: Item<String> = Item::new("last");
pub const HOLDERS: Map<String, String> = Map::new("holders");
pub const POINTS: Map<String, Uint128> = Map::new("points");
pub enum ExecuteMsg { Receive(Cw20ReceiveMsg), ReceiveNft(Cw721ReceiveMsg), Grant { to: String, amount: Uint128 } }

fn credit(deps: DepsMut, to: String, amount: Uint128) -> StdResult<Response> {
    POINTS.save(deps.storage, to, &amount)?; // FINDING
    Ok(Response::new())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Receive(wrapper) => credit(deps, wrapper.sender, wrapper.amount),
        ExecuteMsg::ReceiveNft(wrapper) => {
            HOLDERS.save(deps.storage, wrapper.token_id, &wrapper.sender)?; // FINDING
            Ok(Response::new())
        }
        ExecuteMsg::Grant { to, amount } => {
            if info.sender != OWNER.load(deps.storage)? {
                return Err(StdError::generic_err("owner"));
            }
            credit(deps, to, amount)
        }
    }
}`,
      `use cosmwasm_std::{entry_point, DepsMut, Env, MessageInfo, Response, StdResult};
use cw20::Cw20ReceiveMsg;
use cw_storage_plus::Item;

pub const LAST: Item<String> = Item::new("last");
pub enum ExecuteMsg { Receive(Cw20ReceiveMsg), Forget {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Receive(wrapper) => LAST.save(deps.storage, &wrapper.sender)?, // FINDING
        ExecuteMsg::Forget {} => LAST.remove(deps.storage),
    }
    Ok(Response::new())
}`,
    ],
    safe: [
      `use cosmwasm_std::{entry_point, from_json, to_json_binary, Addr, Binary, Deps, DepsMut, Env, MessageInfo, Response, StdResult, WasmMsg};
use cw20::Cw20ReceiveMsg;

pub struct Hop { pub pool: String, pub msg: Binary }
pub enum ExecuteMsg { Receive(Cw20ReceiveMsg), Swap { hops: Vec<Hop>, to: Option<String> }, Step { hop: Hop, to: String } }
pub enum HookMsg { Swap { hops: Vec<Hop>, to: Option<String> } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Receive(wrapper) => {
            let HookMsg::Swap { hops, to } = from_json(&wrapper.msg)?;
            let sender = deps.api.addr_validate(&wrapper.sender)?;
            swap(env, sender, hops, to)
        }
        ExecuteMsg::Swap { hops, to } => swap(env, info.sender, hops, to),
        ExecuteMsg::Step { hop, .. } => {
            Ok(Response::new().add_message(WasmMsg::Execute { contract_addr: hop.pool, msg: hop.msg, funds: vec![] }))
        }
    }
}

fn swap(env: Env, sender: Addr, hops: Vec<Hop>, to: Option<String>) -> StdResult<Response> {
    let to = to.unwrap_or(sender.to_string());
    let own = env.contract.address.to_string();
    let mut response = Response::new();
    for hop in hops {
        let msg = to_json_binary(&ExecuteMsg::Step { hop, to: to.clone() })?;
        response = response.add_message(WasmMsg::Execute { contract_addr: own.clone(), msg, funds: vec![] });
    }
    Ok(response)
}
`,
      `use cosmwasm_std::{entry_point, from_json, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw20::{BalanceResponse, Cw20QueryMsg, Cw20ReceiveMsg};
use cw_storage_plus::{Item, Map};

pub const SHARES: Map<&str, Uint128> = Map::new("shares");
pub const TOTAL: Item<Uint128> = Item::new("total");
pub const TOKEN: Item<Addr> = Item::new("token");
pub enum ExecuteMsg { Receive(Cw20ReceiveMsg) }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Receive(paid) => {
            if info.sender != TOKEN.load(deps.storage)? {
                return Err(StdError::generic_err("token"));
            }
            let query = Cw20QueryMsg::Balance { address: env.contract.address.to_string() };
            let held: BalanceResponse = deps.querier.query_wasm_smart(info.sender, &query)?;
            let total = TOTAL.load(deps.storage)?;
            let shares = paid.amount.multiply_ratio(total, held.balance);
            SHARES.save(deps.storage, &paid.sender, &shares)?;
            TOTAL.save(deps.storage, &(total + shares))?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw20::Cw20ReceiveMsg;
use cw_storage_plus::{Item, Map};

pub const TOKEN: Item<Addr> = Item::new("token");
pub const STAKES: Map<&str, Uint128> = Map::new("stakes");
pub enum ExecuteMsg { Receive(Cw20ReceiveMsg) }

fn only_token(deps: &DepsMut, info: &MessageInfo) -> StdResult<()> {
    if TOKEN.load(deps.storage)? != info.sender {
        return Err(StdError::generic_err("unknown token"));
    }
    Ok(())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Receive(wrapped) => {
            only_token(&deps, &info)?;
            let staker = deps.api.addr_validate(&wrapped.sender)?;
            STAKES.update(deps.storage, staker.as_str(), |old| -> StdResult<_> {
                Ok(old.unwrap_or_default() + wrapped.amount)
            })?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw20::Cw20ReceiveMsg;
use cw_storage_plus::Map;

pub const STAKES: Map<(&str, &str), Uint128> = Map::new("stakes");
pub enum ExecuteMsg { Receive(Cw20ReceiveMsg) }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Receive(wrapped) => {
            let staker = deps.api.addr_validate(&wrapped.sender)?;
            STAKES.update(deps.storage, (info.sender.as_str(), staker.as_str()), |old| -> StdResult<_> {
                Ok(old.unwrap_or_default() + wrapped.amount)
            })?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw20::Cw20ReceiveMsg;
use cw_storage_plus::{Item, Map};

pub const TOKENS: Item<Vec<Addr>> = Item::new("tokens");
pub const POINTS: Map<&Addr, Uint128> = Map::new("points");
pub enum ExecuteMsg { Receive(Cw20ReceiveMsg) }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Receive(wrapper) => {
            let mut authorized = false;
            for token in TOKENS.load(deps.storage)? {
                if token == info.sender {
                    authorized = true;
                }
            }
            if !authorized {
                return Err(StdError::generic_err("token"));
            }
            let sender = deps.api.addr_validate(&wrapper.sender)?;
            POINTS.update(deps.storage, &sender, |old| -> StdResult<_> { Ok(old.unwrap_or_default() + wrapper.amount) })?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Storage, Uint128, WasmMsg};
use cw20::{Cw20ExecuteMsg, Cw20ReceiveMsg};
use cw_storage_plus::Item;

pub const SHARE: Item<Addr> = Item::new("share");
pub const STAKE: Item<Addr> = Item::new("stake");
pub const SEEN: Item<u64> = Item::new("seen");
pub enum ExecuteMsg { Receive(Cw20ReceiveMsg), Refresh {} }

fn refresh(storage: &mut dyn Storage, env: &Env) -> StdResult<()> {
    SEEN.save(storage, &env.block.height)
}

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Refresh {} => {
            refresh(deps.storage, &env)?;
            Ok(Response::new())
        }
        ExecuteMsg::Receive(wrapper) => {
            if info.sender != SHARE.load(deps.storage)? {
                return Err(StdError::generic_err("share"));
            }
            refresh(deps.storage, &env)?;
            let stake = STAKE.load(deps.storage)?.to_string();
            let pay = Cw20ExecuteMsg::Transfer { recipient: wrapper.sender, amount: wrapper.amount };
            Ok(Response::new().add_message(WasmMsg::Execute { contract_addr: stake, msg: to_json_binary(&pay)?, funds: vec![] }))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, to_json_binary, DepsMut, Env, MessageInfo, Response, StdResult, WasmMsg};
use cw20::{Cw20ExecuteMsg, Cw20ReceiveMsg};
use cw_storage_plus::Item;

pub const RETURNED: Item<u64> = Item::new("returned");
pub enum ExecuteMsg { Receive(Cw20ReceiveMsg), Forget {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        // Whatever is sent here goes back.
        ExecuteMsg::Receive(wrapper) => {
            RETURNED.save(deps.storage, &(RETURNED.load(deps.storage)? + 1))?;
            let msg = to_json_binary(&Cw20ExecuteMsg::Transfer { recipient: wrapper.sender, amount: wrapper.amount })?;
            Ok(Response::new().add_message(WasmMsg::Execute { contract_addr: info.sender.to_string(), msg, funds: vec![] }))
        }
        ExecuteMsg::Forget {} => {
            RETURNED.remove(deps.storage);
            Ok(Response::new())
        }
    }
}`,
      `use cosmwasm_std::{entry_point, from_json, to_json_binary, DepsMut, Env, MessageInfo, Response, StdResult, Uint128, WasmMsg};
use cw20::{Cw20Coin, Cw20ReceiveMsg};
use cw_storage_plus::{Item, Map};

pub const BEFORE: Item<Uint128> = Item::new("before");
pub enum ExecuteMsg { Receive(Cw20ReceiveMsg), Swap { from: Cw20Coin } }

#[entry_point]
pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        // Whoever continues is told which tokens they are.
        ExecuteMsg::Receive(wrapper) => {
            let from = Cw20Coin { address: info.sender.to_string(), amount: wrapper.amount };
            BEFORE.save(deps.storage, &wrapper.amount)?;
            let msg = to_json_binary(&ExecuteMsg::Swap { from })?;
            Ok(Response::new().add_message(WasmMsg::Execute { contract_addr: env.contract.address.to_string(), msg, funds: vec![] }))
        }
        _ => Ok(Response::new()),
    }
}
`,
    ],
  },
}

/** Somebody gets something for the tokens: what is kept or sent is made from their number. */
const credits = ({ events }: Handler, writes: ReadonlyArray<StorageWrite>): boolean => {
  const isNumber = (one: Term): boolean => one.kind === "field" && (one.name === "amount" || one.name === "token_id")
  const sent = outgoingMessages(events).flatMap(({ fields }) => [...fields.values()])
  const kept = writes.flatMap(({ key, value }) => (key === undefined ? [value] : [key, value]))
  return [...kept, ...sent].some((one) => mentions(one, isNumber))
}

const siteOf = ({ node, file }: Event): string => `${file.path}:${node.start}`

/** What other messages have done for everybody, without a payment: to pretend one gains nothing there. */
const openSites = (entry: EntryPoint): ReadonlySet<string> =>
  new Set(
    entry.handlers
      .filter(
        (one) =>
          !isReceiveHook(one) && !isAuthorized(entry, one.facts) && !touches(one, (term) => term === entry.funds),
      )
      .flatMap(({ events }) => events.map(siteOf)),
  )

/** Without what was asked of it: a balance that the token tells is not a name of the token. */
const names = (term: Term, accept: (one: Term) => boolean): boolean =>
  accept(term) ||
  (!(term.kind === "call" && term.name.startsWith("query")) && subterms(term).some((one) => names(one, accept)))
