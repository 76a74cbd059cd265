import { describe, expect, it, vi } from "vitest"
import {
  type Event,
  guaranteed,
  isWithin,
  type Value,
  type WalkScope,
} from "../../../../domain/detection/rust/terms/events.ts"
import { show } from "../../../../domain/detection/rust/terms/show.ts"
import type { Term } from "../../../../domain/detection/rust/terms/terms.ts"
import { SharedCalls } from "../../../../domain/detection/rust/walk/state/sharedCalls.ts"
import type { SolanaProgram } from "../../../../domain/detection/solana/program/model.ts"
import { solanaProgram } from "../../../support/rustProject.ts"

const listed = (terms: Iterable<Term>): string => [...terms].map(show).toSorted().join(" & ")

const valueOf = ({ term, failure, never }: Value): string => `${show(term)} ${failure ?? ""} ${never ?? ""}`

const scopesOf = (scope: WalkScope | undefined): string =>
  scope === undefined
    ? ""
    : `${scope.startOrder}-${scope.endOrder} ${scope.loop} ${scope.arm?.variant ?? ""} ${scope.frame.depth} ${scope.frame.function.qualifiedName} ${scope.frame.call?.start ?? ""} ${scope.frame.exits.map(({ order, facts }) => `${order}: ${listed(facts)}`).join("; ")} < ${scopesOf(scope.parent)}`

/** Whether the returns of the function are in its own scope. */
const exitsWithin = (scope: WalkScope): string => {
  let outermost = scope
  while (outermost.parent?.frame === scope.frame) outermost = outermost.parent
  return scope.frame.exits.map((one) => isWithin(one.scope, outermost)).join()
}

const told = (event: Event): string => {
  const { kind, order, node, file, function: of, facts, scope } = event
  const where = `${kind} ${order} ${file.path}:${node.start} ${of.qualifiedName}`
  const known = `${listed(facts)} => ${listed(guaranteed(event))}`
  const what =
    event.kind === "call"
      ? `${event.path} ${event.args.map(valueOf).join(", ")} = ${valueOf(event.result)} ${listed((event.result.onSuccess ?? []).filter((one) => !facts.has(one)))} ${JSON.stringify(event.result.type.kind)} ${event.handled} ${event.dropped} ${event.examined}`
      : event.kind === "check"
        ? listed(event.conditions)
        : event.kind === "assign"
          ? `${valueOf(event.target)} ${event.operator} ${valueOf(event.value)}`
          : event.kind === "operation"
            ? `${valueOf(event.left)} ${event.operator}`
            : valueOf(event.value)
  return `${where}\n  ${what}\n  ${known}\n  ${scopesOf(scope)}\n  ${exitsWithin(scope)}`
}

const toldOf = ({ crates }: SolanaProgram): ReadonlyArray<string> =>
  crates.flatMap(({ instructions }) =>
    instructions.flatMap(({ name, events, walk }) => [
      `${name}: ${listed(walk.success)}, ${[...walk.notFollowed.values()].join()}`,
      ...events.map(told),
    ]),
  )

/** What was reused, after checking that all events are the same as if each instruction were walked separately. */
const takenOver = (source: string): string => {
  const find = vi.spyOn(SharedCalls.prototype, "find")
  const shared = toldOf(solanaProgram(source))
  const { calls, results } = find.mock
  const names = calls.filter((_, index) => results[index]?.value !== undefined).map(([{ name }]) => name)
  find.mockReturnValue(undefined)
  expect(shared).toEqual(toldOf(solanaProgram(source)))
  find.mockRestore()
  return names.join()
}

const twice = (helpers: string, first: string, second = first): string => `
use anchor_lang::prelude::*;
#[program] pub mod demo { use super::*;
pub fn one(ctx: Context<Go>, amount: u64) -> Result<()> { ${first} Ok(()) }
pub fn two(ctx: Context<Go>, amount: u64) -> Result<()> { ${second} Ok(()) } }
#[derive(Accounts)] pub struct Go<'info> { pub owner: Signer<'info>, #[account(mut)] pub pool: Account<'info, Pool> }
#[account] pub struct Pool { pub owner: Pubkey, pub total: u64, pub fee: u64, pub state: State }
pub enum State { Open, Closed }
${helpers}`

const checked = `fn change(pool: &mut Account<Pool>, owner: &Signer, amount: u64) -> Result<u64> {
  require!(amount > 0, E::Zero);
  let fee = pool.fee.checked_mul(amount).ok_or(E::Overflow)?;
  if pool.total < fee { return Err(E::Low.into()); }
  for one in [1, 2] { pool.total += one; }
  match pool.state { State::Open => { pool.fee = fee; } State::Closed => return Err(E::Closed.into()) }
  log(pool.total);
  inner(pool, owner)?;
  Ok(fee) }
fn inner(pool: &mut Account<Pool>, owner: &Signer) -> Result<()> {
  require_keys_eq!(pool.owner, owner.key()); pool.total = pool.total / 2; other::note(pool.total); Ok(()) }
fn log(total: u64) { msg!("{}", total); }`
const call = "change(&mut ctx.accounts.pool, &ctx.accounts.owner, amount)?;"

describe("a call that another instruction makes with the same arguments is walked once", () => {
  it("and its events are those of each instruction", () => {
    for (const second of [
      call,
      `let a = 1; require!(ctx.accounts.pool.fee < 5, E::Fee); ${call} ${call}`,
      `if amount > 3 { ${call} } else { ctx.accounts.pool.total = 0; }`,
      `let fee: u64 = ${call} let _ = fee; for one in 0..2 { ${call} }`,
    ])
      expect(takenOver(twice(checked, call, second))).toBe("change")
  })

  it("unless it depends on something known in one and not in the other", () => {
    const known = `require!(amount > 0, E::Zero); ${call}`
    expect(takenOver(twice(checked, known, call))).toBe("inner")
    expect(takenOver(twice(checked, call, known))).toBe("change")
    expect(takenOver(twice(checked, known))).toBe("change")
  })

  it("unless a condition implies more in one than in the other", () => {
    const asks = `fn act(pool: &mut Account<Pool>, found: Option<u64>, amount: u64) -> Result<()> {
      if let Some(found) = found { pool.total = amount; pool.fee = found + 1; pool.total -= pool.fee; } Ok(()) }`
    const act = "act(&mut ctx.accounts.pool, found, amount)?;"
    const plain = `let found = ctx.accounts.pool.limit; ${act}`
    const asked = `let found = ctx.accounts.pool.limit; if let Some(State::Open) = found { } ${act}`
    expect(takenOver(twice(asks, plain))).toBe("act")
    expect(takenOver(twice(asks, plain, asked))).toBe("")
    expect(takenOver(twice(asks, asked))).toBe("act")
  })

  it("unless a match depends on an alternative that holds only in one", () => {
    const decides = `fn act(pool: &mut Account<Pool>, owner: &Signer, amount: u64) -> Result<()> {
      match pool.state { State::Open => { pool.total = amount; pool.fee = amount * 2; } State::Closed => { pool.total -= 1; } } Ok(()) }`
    const act = "act(&mut ctx.accounts.pool, &ctx.accounts.owner, amount)?;"
    const either =
      "require!(matches!(ctx.accounts.pool.state, State::Closed) || ctx.accounts.pool.owner == ctx.accounts.owner.key(), E::No);"
    expect(takenOver(twice(decides, act))).toBe("act")
    expect(takenOver(twice(decides, act, `${either} ${act}`))).toBe("")
    expect(takenOver(twice(decides, `${either} ${act}`))).toBe("act")
  })

  it("unless it would be recursive", () => {
    const back = `fn down(pool: &mut Account<Pool>, amount: u64) -> Result<()> {
      pool.total += amount; pool.fee -= amount; pool.total *= 2; up(pool, amount) }
      fn up(pool: &mut Account<Pool>, amount: u64) -> Result<()> { pool.fee = 1 + amount / 2; pool.total -= pool.fee; down(pool, amount) }`
    const of = (name: string) => `${name}(&mut ctx.accounts.pool, amount)?;`
    expect(takenOver(twice(back, of("down"), of("up")))).toBe("")
    expect(takenOver(twice(back.replace("; down(pool, amount) }", "; Ok(()) }"), of("down"), of("up")))).toBe("up")
  })

  it("once per position of the iterators", () => {
    const next = `fn next(accounts: &mut std::slice::Iter<AccountInfo>, amount: u64) -> Result<u64> {
      let one = accounts.next().unwrap(); let data = one.try_borrow_data()?; require!(data[0] as u64 == amount, E::No); Ok(amount / 2 + 1) }`
    const start = "let accounts = &mut ctx.remaining_accounts.iter();"
    const read = "next(accounts, amount)?;"
    expect(takenOver(twice(next, `${start} ${read} ${read}`))).toBe("next,next")
    expect(takenOver(twice(next, `${start} ${read}`, `${start} accounts.next(); ${read}`))).toBe("")
    expect(takenOver(twice(next, `${start} ${read}`, `${start} for one in 0..3 { ${read} }`))).toBe("")
  })

  it("with what it left out because the walk was long, unless this walk is not", () => {
    const named = `fn act(pool: &mut Account<Pool>, amount: u64) -> Result<u64> {
      pool.total = amount * tag("last"); pool.fee = pool.total / 2; Ok(pool.fee + amount * 3 - 1) }
      fn tag(name: &str) -> u64 { if name.len() > 3 { return 2; } 3 }`
    const act = "act(&mut ctx.accounts.pool, amount)?;"
    const steps = `let steps = [${"0, ".repeat(4_100)}];`
    const names = ["a", "b", "c", "d", "e", "f"].map((name) => `let ${name} = tag("${name}");`).join(" ")
    expect(takenOver(twice(named, `${steps} ${names} ${act}`))).toBe("act")
    expect(takenOver(twice(named, `${steps} ${names} ${act}`, `${names} ${act}`))).toBe("")
  })

  it("but not twice in one instruction, whose values of unknown origin would be conflated", () => {
    const random = `fn pick(pool: &mut Account<Pool>, amount: u64) -> Result<u64> {
      let mut at = 0; while at < amount { at += other::random(); } pool.total = at; Ok(at) }
      fn both(pool: &mut Account<Pool>, amount: u64) -> Result<u64> { let one = pick(pool, amount)?; pool.fee = one * 3; Ok(one) }`
    const pick = "let a = pick(&mut ctx.accounts.pool, amount)?;"
    const both = "let b = both(&mut ctx.accounts.pool, amount)?;"
    expect(takenOver(twice(random, `${both}`, `${both} ${pick} require!(a == b, E::No);`))).toBe("both")
  })

  it("nor if it is passed a closure, or a result that it may inspect", () => {
    const looks = `fn look(found: Result<u64>, pool: &mut Account<Pool>) -> Result<u64> {
      let amount = found?; pool.total += amount; pool.fee = amount / 2; pool.total -= 1; Ok(amount) }
      fn each<F: Fn(u64) -> u64>(run: F, pool: &mut Account<Pool>) -> Result<u64> {
      let amount = run(pool.fee); pool.total += amount; pool.fee = amount / 2; pool.total -= 1; Ok(amount) }`
    expect(takenOver(twice(looks, "look(other::read(amount), &mut ctx.accounts.pool)?;"))).toBe("")
    expect(takenOver(twice(looks, "each(|fee| fee + amount, &mut ctx.accounts.pool)?;"))).toBe("")
  })

  it("whatever one of them declares about the result", () => {
    const reads = `fn read(bytes: &[u8], amount: u64) -> Result<u64> { let a = amount * 3; let b = a / 2; let c = a - b; other::unpack(bytes, c) }`
    const read = "read(&ctx.accounts.pool.to_account_info().data.borrow(), amount)?;"
    expect(takenOver(twice(reads, `let clock: Clock = ${read}`, `let clock = ${read}`))).toBe("read")
  })
})
