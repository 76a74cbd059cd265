import type { Rule } from "../../../Rule.ts"
import { isReceiveHook } from "../../authority/authority.ts"
import type { CosmWasmProgram, Handler } from "../../program/model.ts"
import { outgoingMessages } from "../../questions/questions.ts"
import { touches } from "../../questions/touches.ts"
import { wayTo } from "../../questions/way.ts"

export const unexpectedFunds: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/input-validation/unexpected-funds",
    class: "unexpected-funds",
    title: "Funds sent with the message are kept without being recorded",
    severity: "informational",
    confidence: "medium",
    cwe: [20],
    description:
      "The contract accepts payments with some of its messages, but this one does not check `info.funds`. The " +
      "chain moves attached coins to the contract before the message is executed, so coins sent by mistake stay " +
      "there, credited to nobody.",
    remediation: "Call `cw_utils::nonpayable(&info)?` in messages that do not accept payments.",
    references: ["https://docs.rs/cw-utils/latest/cw_utils/fn.nonpayable.html"],
  },
  check: (program, report) => {
    for (const { entryPoints } of program.crates) {
      const refusing = entryPoints.flatMap(({ handlers }) => handlers.filter(refuses)).length > 1
      for (const entry of entryPoints) {
        const { funds } = entry
        if (funds === undefined || (entry.kind !== "execute" && !refusing)) continue
        const looks = entry.handlers.map((handler) => touches(handler, (one) => one === funds))
        if (!looks.includes(true)) {
          // A contract that accepts no coins at all is reported once.
          const [only, ...others] = entry.handlers
          const paying = entry.handlers.filter(({ events }) =>
            outgoingMessages(events).some(({ path }) => path === "BankMsg::Send"),
          )
          const { function: definition } = entry
          for (const handler of paying)
            report({ ...handler.place, scope: handler.function.qualifiedName, trace: wayTo(handler) })
          if (paying.length === 0 && only !== undefined && !entry.handlers.every(isReceiveHook))
            report({
              ...(others.length === 0
                ? { ...only.place, scope: only.function.qualifiedName }
                : { file: definition.module.file, span: definition.item.nameSpan, scope: definition.qualifiedName }),
              confidence: "low",
            })
          continue
        }
        // A token contract that calls the hook attaches nothing; if rejecting coins is the rule, hooks reject them as
        // well.
        const silent = entry.handlers.filter(
          (handler, index) => looks[index] === false && (refusing || !isReceiveHook(handler)),
        )
        // Where other messages refuse coins, each that does not is one that was forgotten; where none does, it is one
        // decision about the contract.
        const isForgotten = entry.handlers.some(refuses)
        const [first, ...others] = silent
        for (const handler of isForgotten ? silent : silent.slice(0, 1))
          report({
            ...handler.place,
            scope: handler.function.qualifiedName,
            ...(isForgotten || others.length === 0
              ? { trace: wayTo(handler) }
              : {
                  message: `${silent.length} of ${entry.handlers.length} messages keep funds sent with them.`,
                  trace: [
                    ...wayTo(first!),
                    ...others.slice(0, shown).map(({ place }) => ({ ...place, note: "so does this message" })),
                  ],
                }),
          })
      }
    }
  },
  examples: {
    vulnerable: [
      // If no message rejects coins, one finding covers the contract. If one does, each of the others is reported.
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::Map;
use cw_utils::must_pay;

pub const BALANCES: Map<&Addr, Uint128> = Map::new("balances");
pub enum ExecuteMsg { Deposit {}, Close {}, Rename {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Deposit {} => {
            let paid = must_pay(&info, "uatom")?;
            BALANCES.save(deps.storage, &info.sender, &paid)?;
            Ok(Response::new())
        }
        ExecuteMsg::Close {} => { // FINDING
            BALANCES.remove(deps.storage, &info.sender);
            Ok(Response::new())
        }
        ExecuteMsg::Rename {} => Ok(Response::new().add_attribute("by", info.sender)),
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::Map;
use cw_utils::{must_pay, nonpayable};

pub const BALANCES: Map<&Addr, Uint128> = Map::new("balances");
pub enum ExecuteMsg { Deposit {}, Close {}, Rename {}, Reset {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Deposit {} => {
            let paid = must_pay(&info, "uatom")?;
            BALANCES.save(deps.storage, &info.sender, &paid)?;
            Ok(Response::new())
        }
        ExecuteMsg::Reset {} => {
            nonpayable(&info)?;
            Ok(Response::new())
        }
        ExecuteMsg::Close {} => { // FINDING
            BALANCES.remove(deps.storage, &info.sender);
            Ok(Response::new())
        }
        ExecuteMsg::Rename {} => { // FINDING
            Ok(Response::new().add_attribute("by", info.sender))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdResult};
use cw20::Cw20ReceiveMsg;
use cw_storage_plus::Item;
use cw_utils::nonpayable;

pub const OWNER: Item<Addr> = Item::new("owner");
pub enum ExecuteMsg { Ping {}, Pong {}, Receive(Cw20ReceiveMsg) }

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, info: MessageInfo, _msg: ()) -> StdResult<Response> {
    nonpayable(&info)?;
    OWNER.save(deps.storage, &info.sender)?;
    Ok(Response::new())
}

#[entry_point]
pub fn execute(_deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Ping {} => {
            nonpayable(&info)?;
            Ok(Response::new())
        }
        ExecuteMsg::Pong {} => {
            nonpayable(&info)?;
            Ok(Response::new())
        }
        ExecuteMsg::Receive(_) => { // FINDING
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::Map;
use cw_utils::must_pay;

pub const BALANCES: Map<&Addr, Uint128> = Map::new("balances");
pub enum ExecuteMsg { Deposit {}, Close {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Deposit {} => {
            let paid = must_pay(&info, "uatom").map_err(|_| StdError::generic_err("payment"))?;
            BALANCES.save(deps.storage, &info.sender, &paid)?;
            Ok(Response::new())
        }
        ExecuteMsg::Close {} => { // FINDING
            BALANCES.remove(deps.storage, &info.sender);
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::Map;

pub const BALANCES: Map<&Addr, Uint128> = Map::new("balances");
pub enum ExecuteMsg { Pay {}, Rename { name: String } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Pay {} => pay(deps, info),
        ExecuteMsg::Rename { name } => rename(name), // FINDING
    }
}

fn pay(deps: DepsMut, info: MessageInfo) -> StdResult<Response> {
    let mut sum = Uint128::zero();
    for coin in info.funds {
        if coin.denom == "uatom" {
            sum += coin.amount;
        }
    }
    BALANCES.save(deps.storage, &info.sender, &sum)?;
    Ok(Response::new())
}

fn rename(name: String) -> StdResult<Response> {
    Ok(Response::new().add_attribute("name", name))
}
`,
      `use cosmwasm_std::{coins, entry_point, Addr, BankMsg, DepsMut, Env, MessageInfo, Response, StdResult, Uint128};
use cw_storage_plus::Map;

pub const OWED: Map<&Addr, Uint128> = Map::new("owed");
pub enum ExecuteMsg { Withdraw { amount: Uint128 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Withdraw { amount } => { // FINDING
            let owed = OWED.load(deps.storage, &info.sender)?;
            OWED.save(deps.storage, &info.sender, &owed.checked_sub(amount)?)?;
            Ok(Response::new().add_message(BankMsg::Send { to_address: info.sender.to_string(), amount: coins(amount.u128(), "uatom") }))
        }
    }
}
`,
    ],
    safe: [
      `use cosmwasm_std::{Addr, Deps, Response, StdError, StdResult};
use cw_storage_plus::Item;
use sylvia::{contract, ctx::{ExecCtx, InstantiateCtx, QueryCtx, ReplyCtx}};
use cw_utils::nonpayable;

pub struct Feed { pub owner: Item<Addr> }

#[contract]
impl Feed {
    #[sv::msg(instantiate)]
    fn instantiate(&self, ctx: InstantiateCtx, owner: String) -> StdResult<Response> {
        nonpayable(&ctx.info)?;
        self.owner.save(ctx.deps.storage, &ctx.deps.api.addr_validate(&owner)?)?;
        Ok(Response::new())
    }

    #[sv::msg(exec)]
    fn ping(&self, ctx: ExecCtx) -> StdResult<Response> {
        nonpayable(&ctx.info)?;
        Ok(Response::new())
    }

    #[sv::msg(query)]
    fn owner(&self, ctx: QueryCtx) -> StdResult<Addr> {
        self.owner.load(ctx.deps.storage)
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdResult};
use cw20::Cw20ReceiveMsg;
use cw_storage_plus::Item;
use cw_utils::nonpayable;

pub const OWNER: Item<Addr> = Item::new("owner");
pub enum ExecuteMsg { Ping {}, Pong {}, Receive(Cw20ReceiveMsg) }

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, info: MessageInfo, _msg: ()) -> StdResult<Response> {
    nonpayable(&info)?;
    OWNER.save(deps.storage, &info.sender)?;
    Ok(Response::new())
}

#[entry_point]
pub fn execute(_deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Ping {} => {
            nonpayable(&info)?;
            Ok(Response::new())
        }
        ExecuteMsg::Pong {} => {
            nonpayable(&info)?;
            Ok(Response::new())
        }
        ExecuteMsg::Receive(_) => {
            nonpayable(&info)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::Map;
use cw_utils::{must_pay, nonpayable};

pub const BALANCES: Map<&Addr, Uint128> = Map::new("balances");
pub enum ExecuteMsg { Deposit {}, Close {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Deposit {} => {
            let paid = must_pay(&info, "uatom").map_err(|_| StdError::generic_err("payment"))?;
            BALANCES.save(deps.storage, &info.sender, &paid)?;
            Ok(Response::new())
        }
        ExecuteMsg::Close {} => {
            nonpayable(&info).map_err(|_| StdError::generic_err("no payment"))?;
            BALANCES.remove(deps.storage, &info.sender);
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult};
use cw_storage_plus::Map;

pub const NAMES: Map<&Addr, String> = Map::new("names");
pub enum ExecuteMsg { Register { name: String }, Pay {} }

fn refuse_funds(info: &MessageInfo) -> StdResult<()> {
    if !info.funds.is_empty() {
        return Err(StdError::generic_err("no payment"));
    }
    Ok(())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::Register { name } => {
            refuse_funds(&info)?;
            NAMES.save(deps.storage, &info.sender, &name)?;
            Ok(Response::new())
        }
        ExecuteMsg::Pay {} => Ok(Response::new().add_attribute("paid", format!("{:?}", info.funds))),
    }
}
`,
      // One message refuses coins; whether the others should, nobody said.
      `use cosmwasm_std::{entry_point, DepsMut, Env, MessageInfo, Response, StdResult};
use cw_storage_plus::Item;
use cw_utils::nonpayable;

pub const COUNT: Item<u64> = Item::new("count");
pub struct InstantiateMsg { pub count: u64 }
pub enum ExecuteMsg { Set { count: u64 } }

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, _info: MessageInfo, msg: InstantiateMsg) -> StdResult<Response> {
    COUNT.save(deps.storage, &msg.count)?;
    Ok(Response::new())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    nonpayable(&info).unwrap();
    match msg {
        ExecuteMsg::Set { count } => COUNT.save(deps.storage, &count)?,
    }
    Ok(Response::new())
}`,
    ],
  },
}

/** Limit: further messages in the trace of one finding. */
const shown = 20

const refuses = ({ events }: Handler): boolean =>
  events.some((event) => event.kind === "call" && /^(nonpayable|no_funds)$/.test(event.name))
