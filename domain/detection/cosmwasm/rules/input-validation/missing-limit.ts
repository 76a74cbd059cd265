import { mentions, type Term } from "../../../rust/terms/terms.ts"
import type { Rule } from "../../../Rule.ts"
import { placeOf } from "../../../rust/placeOf.ts"
import type { CosmWasmProgram, EntryPoint, Handler } from "../../program/model.ts"
import { isComputedFrom } from "../../program/semantics.ts"
import { placeKey, type StorageWrite, storageWrites } from "../../questions/storageWrites.ts"

export const missingLimit: Rule<CosmWasmProgram> = {
  meta: {
    id: "cosmwasm/input-validation/missing-limit",
    class: "missing-limit",
    title: "Fee or share without an upper limit",
    severity: "low",
    confidence: "medium",
    cwe: [1284, 20],
    description:
      "The message stores a fee or another fraction without limiting it. Elsewhere, that fraction of an amount " +
      "is computed and subtracted from the amount: if it exceeds the whole, the subtraction fails, and " +
      "payments, swaps or withdrawals are stuck until it is corrected; if it is close to the whole, users get " +
      "nothing.",
    remediation: "Reject values above a fixed maximum wherever the setting is stored, including in `instantiate`.",
    references: ["https://docs.rs/cosmwasm-std/latest/cosmwasm_std/struct.Decimal.html"],
  },
  check: (program, report) => {
    for (const { entryPoints } of program.crates) {
      const shares = sharesTaken(entryPoints)
      if (shares.size === 0) continue
      for (const entry of entryPoints) {
        if (entry.kind !== "execute" && entry.kind !== "instantiate") continue
        for (const handler of entry.handlers)
          for (const write of storageWrites(handler.events)) {
            const { container, path, event } = write
            if (!shares.has(`${container.id}:${path}`) || !isUnlimited(handler, write)) continue
            report({
              ...placeOf(event),
              // The deployer can still correct it.
              ...(entry.kind === "instantiate" ? { severity: "informational" as const } : {}),
            })
            break
          }
      }
    }
  },
  examples: {
    vulnerable: [
      `use cosmwasm_std::{coins, ensure_eq, entry_point, Addr, BankMsg, Decimal, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::Item;
use cw_utils::must_pay;

pub struct InstantiateMsg { pub owner: String, pub tax: Decimal }
pub const OWNER: Item<Addr> = Item::new("owner");
pub const FEE: Item<Decimal> = Item::new("fee");
pub const TAX: Item<Decimal> = Item::new("tax");
pub enum ExecuteMsg { SetFee { fee: Decimal }, Pay { to: String }, Pass { to: String } }

#[entry_point]
pub fn instantiate(deps: DepsMut, _env: Env, _info: MessageInfo, msg: InstantiateMsg) -> StdResult<Response> {
    OWNER.save(deps.storage, &deps.api.addr_validate(&msg.owner)?)?;
    FEE.save(deps.storage, &Decimal::zero())?;
    TAX.save(deps.storage, &msg.tax)?; // FINDING
    Ok(Response::new())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    match msg {
        ExecuteMsg::SetFee { fee } => {
            ensure_eq!(info.sender, OWNER.load(deps.storage)?, StdError::generic_err("owner"));
            FEE.save(deps.storage, &fee)?; // FINDING
            Ok(Response::new())
        }
        ExecuteMsg::Pay { to } => {
            let paid = must_pay(&info, "uatom")?;
            let fee = paid * FEE.load(deps.storage)?;
            let to_address = deps.api.addr_validate(&to)?.into_string();
            Ok(Response::new().add_message(BankMsg::Send { to_address, amount: coins(paid.checked_sub(fee)?.u128(), "uatom") }))
        }
        ExecuteMsg::Pass { to } => {
            let paid = must_pay(&info, "uatom")?;
            let rest = paid.mul_floor(Decimal::one() - TAX.load(deps.storage)?);
            let to_address = deps.api.addr_validate(&to)?.into_string();
            Ok(Response::new().add_message(BankMsg::Send { to_address, amount: coins(rest.u128(), "uatom") }))
        }
    }
}
`,
      `use cosmwasm_std::{entry_point, Addr, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};
use cw_utils::must_pay;

pub struct Settings { pub admin: Addr, pub fee_bps: u64, pub paused: bool }
pub const SETTINGS: Item<Settings> = Item::new("settings");
pub const NET: Map<&Addr, Uint128> = Map::new("net");
pub enum ExecuteMsg { Configure { fee_bps: Option<u64> }, Deposit {} }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let mut settings = SETTINGS.load(deps.storage)?;
    match msg {
        ExecuteMsg::Configure { fee_bps } => {
            if settings.admin != info.sender {
                return Err(StdError::generic_err("admin"));
            }
            if let Some(bps) = fee_bps {
                settings.fee_bps = bps; // FINDING
            }
            SETTINGS.save(deps.storage, &settings)?;
            Ok(Response::new())
        }
        ExecuteMsg::Deposit {} => {
            let paid = must_pay(&info, "uatom")?;
            let net = paid - paid.multiply_ratio(settings.fee_bps, 10_000u64);
            NET.save(deps.storage, &info.sender, &net)?;
            Ok(Response::new())
        }
    }
}
`,
      `use cosmwasm_std::{ensure, entry_point, Addr, Decimal, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};
use cw_utils::must_pay;

pub struct Shares { pub levy: Decimal, pub duty: Decimal, pub toll: Uint128, pub cut: Uint128, pub tithe: Uint128, pub tax: Decimal }
pub const SHARES: Item<Shares> = Item::new("shares");
pub const NET: Map<&Addr, Uint128> = Map::new("net");
pub const BASIS_POINTS: u128 = 10_000;
pub enum ExecuteMsg { Levy { percent: u64 }, Duty { duty: Decimal }, Toll { toll: Uint128 }, Cut { cut: Uint128 }, Tithe { tithe: Uint128 }, Tax { tax: Decimal }, Deposit {} }

fn check_share(share: Decimal) -> StdResult<()> {
    if share.is_zero() {
        return Err(StdError::generic_err("share"));
    }
    Ok(())
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let mut shares = SHARES.load(deps.storage)?;
    match msg {
        ExecuteMsg::Levy { percent } => shares.levy = Decimal::percent(percent), // FINDING
        // A lower limit only.
        ExecuteMsg::Duty { duty } => {
            ensure!(duty - Decimal::permille(1) > Decimal::zero(), StdError::generic_err("duty"));
            shares.duty = duty; // FINDING
        }
        ExecuteMsg::Toll { toll } => shares.toll = toll, // FINDING
        ExecuteMsg::Cut { cut } => shares.cut = cut, // FINDING
        ExecuteMsg::Tithe { tithe } => shares.tithe = tithe, // FINDING
        ExecuteMsg::Tax { tax } => {
            check_share(tax)?;
            shares.tax = tax; // FINDING
        }
        ExecuteMsg::Deposit {} => {
            let paid = must_pay(&info, "uatom")?;
            let levied = paid - shares.levy * paid;
            let net = levied - levied * shares.duty;
            let passed = net - net.multiply_ratio(shares.toll, BASIS_POINTS);
            let rest = passed - passed.multiply_ratio(shares.cut, Uint128::new(10_000));
            let kept = rest.checked_sub(rest.multiply_ratio(shares.tithe, Uint128::from(1_000u64)))?;
            NET.save(deps.storage, &info.sender, &(kept - kept * shares.tax))?;
        }
    }
    SHARES.save(deps.storage, &shares)?;
    Ok(Response::new())
}`,
    ],
    safe: [
      `use cosmwasm_std::{entry_point, Addr, Decimal, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};
use cw_utils::must_pay;

pub struct Settings { pub fee: Decimal, pub tax: Decimal, pub bonus: Decimal, pub price: Uint128, pub cut: Decimal, pub part: Uint128, pub of: Uint128 }
pub const SETTINGS: Item<Settings> = Item::new("settings");
pub const NET: Map<&Addr, Uint128> = Map::new("net");
pub enum ExecuteMsg { Fee { fee: Decimal }, Tax { tax: Decimal }, Bonus { bonus: Decimal }, Price { price: Uint128 }, Reset {}, Cut { cut: Decimal }, Part { part: Uint128, of: Uint128 }, Double { tax: Decimal }, Deposit {} }

fn checked(share: Decimal) -> StdResult<Decimal> {
    if share > Decimal::percent(5) {
        return Err(StdError::generic_err("share"));
    }
    Ok(share)
}

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let mut settings = SETTINGS.load(deps.storage)?;
    match msg {
        ExecuteMsg::Fee { fee } => settings.fee = checked(fee)?,
        ExecuteMsg::Tax { tax } => {
            shares::validate(tax)?;
            settings.tax = tax;
        }
        // It is added rather than deducted.
        ExecuteMsg::Bonus { bonus } => settings.bonus = bonus,
        ExecuteMsg::Price { price } => settings.price = price,
        ExecuteMsg::Reset {} => settings.fee = Decimal::zero(),
        ExecuteMsg::Double { tax } => settings.tax = tax * tax,
        // A share of a stored total.
        ExecuteMsg::Part { part, of } => {
            settings.part = part;
            settings.of = of;
        }
        ExecuteMsg::Cut { cut } => settings.cut = cut.min(Decimal::percent(10)),
        ExecuteMsg::Deposit {} => {
            let paid = must_pay(&info, "uatom")?;
            let rest = paid - paid * settings.fee - paid * settings.tax;
            let more = rest - paid * settings.tax + paid * settings.bonus;
            let less = paid - paid * settings.cut - paid.multiply_ratio(settings.part, settings.of);
            NET.save(deps.storage, &info.sender, &(more.checked_sub(settings.price)? + less))?;
            return Ok(Response::new());
        }
    }
    SETTINGS.save(deps.storage, &settings)?;
    Ok(Response::new())
}
`,
      `use cosmwasm_std::{entry_point, Decimal, Deps, DepsMut, Binary, Env, MessageInfo, Response, StdResult, Uint128, to_json_binary};
use cw_storage_plus::Item;

pub const FEE: Item<Decimal> = Item::new("fee");
pub enum ExecuteMsg { SetFee { fee: Decimal } }
pub enum QueryMsg { After { amount: Uint128 } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, _info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let ExecuteMsg::SetFee { fee } = msg;
    FEE.save(deps.storage, &fee)?;
    Ok(Response::new())
}

#[entry_point]
pub fn query(deps: Deps, _env: Env, msg: QueryMsg) -> StdResult<Binary> {
    let QueryMsg::After { amount } = msg;
    to_json_binary(&(amount - amount * FEE.load(deps.storage)?))
}
`,
      `use cosmwasm_std::{ensure, entry_point, Addr, Decimal, DepsMut, Env, MessageInfo, Response, StdError, StdResult, Uint128};
use cw_storage_plus::{Item, Map};
use cw_utils::must_pay;

pub struct Split { pub levy: Decimal, pub duty: Decimal, pub toll: Decimal, pub tax: Decimal, pub fee: Decimal, pub bonus: Decimal }
pub struct Terms { pub parts: Uint128, pub pieces: Uint128, pub price: Uint128, pub count: Uint128, pub part: Uint128, pub of: u128, pub slot: Uint128 }
pub const SPLIT: Item<Split> = Item::new("split");
pub const TERMS: Item<Terms> = Item::new("terms");
pub const NET: Map<&Addr, Uint128> = Map::new("net");
pub enum ExecuteMsg { Levy { levy: Decimal }, Shares { duty: Decimal, toll: Decimal }, Tax { tax: Decimal }, Fee { fee: Option<Decimal> }, Bonus { bonus: Decimal }, Terms { terms: Terms }, Deposit {} }
pub enum SudoMsg { Levy { levy: Decimal } }

#[entry_point]
pub fn execute(deps: DepsMut, _env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
    let mut split = SPLIT.load(deps.storage)?;
    match msg {
        ExecuteMsg::Levy { levy } => split.levy = levy / Uint128::new(100),
        // Together they are the whole.
        ExecuteMsg::Shares { duty, toll } => {
            ensure!(duty + toll == Decimal::one(), StdError::generic_err("shares"));
            split.duty = duty;
            split.toll = toll;
        }
        ExecuteMsg::Tax { tax } => {
            shares::validate(tax)?;
            split.tax = tax;
        }
        ExecuteMsg::Fee { fee } => {
            if let Some(fee) = fee {
                ensure!(fee <= Decimal::percent(5), StdError::generic_err("fee"));
                split.fee = fee;
            }
        }
        // It is added rather than deducted.
        ExecuteMsg::Bonus { bonus } => split.bonus = bonus,
        // Neither is a share of what is paid.
        ExecuteMsg::Terms { terms } => TERMS.save(deps.storage, &Terms { parts: terms.parts, pieces: terms.pieces, price: terms.price, count: terms.count, part: terms.part, of: terms.of, slot: terms.slot })?,
        ExecuteMsg::Deposit {} => {
            let terms = TERMS.load(deps.storage)?;
            let paid = must_pay(&info, "uatom")?;
            let levied = paid - paid * split.levy;
            let net = levied - levied * split.duty;
            let passed = net - net * split.toll;
            let taxed = passed - passed * split.tax;
            let rest = taxed - taxed * split.fee;
            let more = rest + rest * split.bonus;
            let halved = more - more / terms.parts;
            let fewer = halved.checked_sub(halved.checked_div(terms.pieces)?)?;
            let bought = fewer - terms.price * terms.count;
            let left = bought - bought.multiply_ratio(terms.part, Uint128::new(terms.of));
            NET.save(deps.storage, &info.sender, &(left - left.multiply_ratio(terms.slot, slots::number(1))))?;
        }
    }
    SPLIT.save(deps.storage, &split)?;
    Ok(Response::new())
}

// The chain's governance may take what it wants.
#[entry_point]
pub fn sudo(deps: DepsMut, _env: Env, msg: SudoMsg) -> StdResult<Response> {
    let SudoMsg::Levy { levy } = msg;
    let mut split = SPLIT.load(deps.storage)?;
    split.levy = levy;
    SPLIT.save(deps.storage, &split)?;
    Ok(Response::new())
}`,
    ],
  },
}

const multiplying = /^(checked_|saturating_)?(mul(_floor|_ceil)?|multiply_ratio)$/

const computing = /^(min|clamp)$|^(checked_|saturating_)?(add|sub|mul|div|multiply_ratio|from_ratio)/

/** A subtraction: what is deducted from what. */
const subtraction = (term: Term): readonly [from: Term, taken: Term] | undefined => {
  const [from, taken] = term.kind === "call" && /^(checked_|saturating_)?sub$/.test(term.name) ? term.args : []
  return from === undefined || taken === undefined ? undefined : [from, taken]
}

const isWhole = (term: Term): boolean =>
  term.kind === "literal" ||
  term.kind === "constant" ||
  (term.kind === "call" &&
    (term.name === "one" || (/^(percent|new|from|bps|permille)$/.test(term.name) && term.args.every(isWhole))))

/** The factor of an amount: `amount * share`, `amount.multiply_ratio(share, 10_000)`. */
const sharesOf = (product: Term, amount: Term): ReadonlyArray<Term> => {
  const factors =
    product.kind === "binary" && product.operator === "*"
      ? [product.left, product.right]
      : product.kind === "call" && multiplying.test(product.name)
        ? product.args
        : []
  const [first, second, whole] = factors
  if (first === undefined || second === undefined || (whole !== undefined && !isWhole(whole))) return []
  return mentions(first, (one) => one === amount) ? [second] : mentions(second, (one) => one === amount) ? [first] : []
}

/** Places of shares that are deducted from the amount they are a share of, or from one. */
const sharesTaken = (entryPoints: ReadonlyArray<EntryPoint>): ReadonlySet<string> => {
  const found = new Set<string>()
  for (const { kind, events } of entryPoints) {
    if (kind === "query") continue
    for (const event of events) {
      const made =
        event.kind === "operation" && event.operator === "-" && event.right !== undefined
          ? ([event.left.term, event.right.term] as const)
          : event.kind === "call"
            ? subtraction(event.result.term)
            : undefined
      if (made === undefined) continue
      const [from, taken] = made
      for (const share of isWhole(from) ? [taken] : sharesOf(taken, from)) {
        const place = placeKey(share)
        if (place !== undefined) found.add(place)
      }
    }
  }
  return found
}

/** Whether the share comes from the caller and is not compared with anything. */
const isUnlimited = ({ entry: { message }, events, facts }: Handler, { value }: StorageWrite): boolean => {
  if (!isComputedFrom(value, (one) => one === message)) return false
  // A computed value is not the number that was sent.
  if (mentions(value, (one) => one.kind === "binary" || (one.kind === "call" && computing.test(one.name)))) return false
  const isIt = (term: Term): boolean => mentions(term, (one) => one === value)
  // A lower limit is none.
  const limits = (one: Term): boolean =>
    one.kind === "binary" && (one.operator === "==" ? isIt(one) : /^<=?$/.test(one.operator) && isIt(one.left))
  return (
    ![...facts, ...events.flatMap((event) => (event.kind === "check" ? event.conditions : []))].some((condition) =>
      mentions(condition, limits),
    ) &&
    !events.some(
      (event) =>
        event.kind === "call" &&
        event.target === undefined &&
        /valid|check|assert|ensure|limit/.test(event.name) &&
        event.args.some(({ term }) => isIt(term)),
    )
  )
}
