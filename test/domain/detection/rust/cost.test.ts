import { describe, expect, it } from "vitest"
import { cosmwasmRules } from "../../../../domain/detection/cosmwasm/catalog.ts"
import { touches } from "../../../../domain/detection/cosmwasm/questions/touches.ts"
import type { Rule } from "../../../../domain/detection/Rule.ts"
import { solanaRules } from "../../../../domain/detection/solana/catalog.ts"
import { cosmwasmProgram, instructionOf, solanaProgram } from "../../../support/rustProject.ts"
import { cpuTimeOf } from "../../../support/cpuTime.ts"

const depths = (deep: number): ReadonlyArray<number> => Array.from({ length: deep }, (_, index) => index + 1)

/** Helpers that each call the next one twice, so that n of them have 2^n paths. */
const anchor = (deep: number): string =>
  `declare_id!("Fg6PaFpoGXkYsidMpWTK6W2BeZ7FEfcYkg476zPFsLnS");
#[program] pub mod demo { use super::*;
  pub fn go(ctx: Context<Go>, amount: u64) -> Result<()> {
    ctx.accounts.pool.total = h1(&mut ctx.accounts.pool, amount, Clock::get()?.unix_timestamp)?; Ok(())
  }
}
#[derive(Accounts)] pub struct Go<'info> { #[account(mut, has_one = owner)] pub pool: Account<'info, Pool>, pub owner: Signer<'info> }
#[account] pub struct Pool { pub owner: Pubkey, pub total: u64, pub last: i64 }
fn h${deep + 1}(pool: &mut Account<Pool>, amount: u64, now: i64) -> Result<u64> { require!(amount > 3, Bad::Bad); Ok(amount - pool.total + (now - pool.last) as u64) }
${depths(deep)
  .map(
    (at) => `fn h${at}(pool: &mut Account<Pool>, amount: u64, now: i64) -> Result<u64> {
  let a = h${at + 1}(pool, amount, now)?;
  let b = h${at + 1}(pool, a + 1, now)?;
  pool.total = pool.total + a - b;
  Ok(a + b + pool.total)
}`,
  )
  .join("\n")}`

const cosmwasm = (deep: number): string =>
  `const TOTAL: Item<Uint128> = Item::new("total");
pub enum ExecuteMsg { Go { amount: Uint128 } }
#[entry_point] pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: ExecuteMsg) -> StdResult<Response> {
  match msg { ExecuteMsg::Go { amount } => { let x = h1(deps.storage, amount)?; TOTAL.save(deps.storage, &x)?; Ok(Response::new()) } }
}
fn h${deep + 1}(storage: &mut dyn Storage, amount: Uint128) -> StdResult<Uint128> { let t = TOTAL.load(storage)?; if amount < t { return Err(StdError::generic_err("x")); } Ok(amount - t) }
${depths(deep)
  .map(
    (at) => `fn h${at}(storage: &mut dyn Storage, amount: Uint128) -> StdResult<Uint128> {
  let a = h${at + 1}(storage, amount)?;
  let b = h${at + 1}(storage, a + Uint128::one())?;
  TOTAL.save(storage, &(a * b))?;
  Ok(a * b)
}`,
  )
  .join("\n")}`

describe("helpers that call the next one twice", () => {
  it("produce events in proportion to their number, and omit no call", () => {
    for (const make of [
      (deep: number) => {
        const { walk, events } = instructionOf(solanaProgram(anchor(deep)))
        return { walk, events }
      },
      (deep: number) => cosmwasmProgram(cosmwasm(deep)).crates[0]!.entryPoints[0]!,
    ]) {
      const { events, walk } = make(11)
      expect(events.length).toBeLessThan(12_000)
      expect(walk.truncated).toBe(false)
      expect([...walk.notFollowed]).toEqual([])
    }
  })

  it("are still seen to check what they do", () => {
    const { walk, accounts } = instructionOf(solanaProgram(anchor(11)))
    const owner = accounts.find(({ name }) => name === "owner")!
    expect(walk.success.has(walk.terms.field(owner.term, "is_signer"))).toBe(true)
    // Of calls that were walked and calls that were not.
    const larger = [...walk.success].filter(
      (fact) => fact.kind === "binary" && fact.left === walk.terms.literal("integer", "3"),
    )
    expect(larger.length).toBeGreaterThan(1)
  })

  it("cost all rules together less than ten seconds of CPU time", { timeout: 60_000 }, () => {
    const cpu = cpuTimeOf(() => {
      const solana = solanaProgram(anchor(11))
      for (const rule of solanaRules) rule.check(solana, () => {})
      const contract = cosmwasmProgram(cosmwasm(11))
      for (const rule of cosmwasmRules) rule.check(contract, () => {})
    })
    expect(cpu).toBeLessThan(10_000)
  })
})

describe("few lines with many paths", () => {
  /** Events and CPU time of all rules. */
  const examined = (text: string): { readonly events: number; readonly cpu: number } => {
    let events = 0
    const cpu = cpuTimeOf(() => {
      const program = solanaProgram(text)
      for (const rule of solanaRules) rule.check(program, () => {})
      events = program.crates[0]!.instructions[0]!.events.length
    })
    return { events, cpu }
  }
  const body = (statements: string, items = ""): string =>
    `#[program] pub mod demo { use super::*; pub fn go(ctx: Context<Go>, amount: u64) -> Result<()> { ${statements} Ok(()) } }
    #[derive(Accounts)] pub struct Go<'info> { #[account(mut, has_one = owner)] pub pool: Account<'info, Pool>, pub owner: Signer<'info> }
    #[account] pub struct Pool { pub owner: Pubkey, pub total: u64 }
    ${items}`

  it("of calls, each handing on what it has learned from the next two", { timeout: 60_000 }, () => {
    const helpers = depths(40).map(
      (at) => `fn h${at}(pool: &mut Account<Pool>, a: u64) -> Result<u64> {
        let b = h${at + 1}(pool, a)?; let c = h${at + 1}(pool, b)?; pool.total = h${at + 2}(pool, c)?; Ok(b + c) }`,
    )
    // 14 such helpers took a gigabyte and no end.
    const { events, cpu } = examined(body("h1(&mut ctx.accounts.pool, amount)?;", helpers.join("\n")))
    expect(events).toBeLessThan(12_000)
    expect(cpu).toBeLessThan(10_000)
  })

  it("of closures, each calling the previous one three times", { timeout: 60_000 }, () => {
    const closures = depths(90).map((at) => `let f${at} = |x: u64| f${at - 1}(f${at - 1}(x)) + f${at - 1}(x + ${at});`)
    const { events, cpu } = examined(
      body(`let f0 = |x: u64| x + amount; ${closures.join("\n")} ctx.accounts.pool.total = f90(1);`),
    )
    expect(events).toBeLessThan(12_000)
    expect(cpu).toBeLessThan(2_000)
  })
})

describe("time is linear in the text", () => {
  /** The factor by which CPU time grows with eight times the text; a first, unmeasured run lets V8 compile. */
  const growth = (work: (count: number) => unknown, count: number): number => {
    work(count)
    // The lower of two: the collector may run in either.
    const least = (size: number): number =>
      Math.min(
        cpuTimeOf(() => void work(size)),
        cpuTimeOf(() => void work(size)),
      )
    // Deno's clock only has milliseconds.
    return least(8 * count) / Math.max(least(count), 1)
  }

  it("for what consecutive checks touch", { timeout: 60_000 }, () => {
    const checks = Array.from({ length: 5_000 }, (_, at) => `if info.sender != a${at} { return Err(E::B {}); }`)
    const [handler] = cosmwasmProgram(`#[entry_point]
      pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: u64) -> StdResult<Response> {
        ${checks.join("\n")} Ok(Response::new()) }`).crates[0]!.entryPoints[0]!.handlers
    // There are 12 million facts of events, which took a second.
    expect(cpuTimeOf(() => expect(touches(handler!, () => false)).toBe(false))).toBeLessThan(400)
  })

  it("for addresses of messages and where they are used", { timeout: 60_000 }, () => {
    const rule = cosmwasmRules.find(({ meta }) => meta.id.endsWith("/unvalidated-address"))!
    const programs = new Map(
      [24, 192].map((count) => {
        const each = (text: (at: number) => string) => Array.from({ length: count }, (_, at) => text(at)).join("\n")
        return [
          count,
          cosmwasmProgram(`pub enum M { ${each((at) => `A${at} { to: String, id: u64 },`)} }
            ${each((at) => `const R${at}: Map<u64, R> = Map::new("r${at}");`)}
            #[entry_point] pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: M) -> StdResult<Response> {
            match msg { ${each((at) => `M::A${at} { to, id } => { let mut r = R${at}.load(deps.storage, id)?; r.to = to; R${at}.save(deps.storage, id, &r)?; Ok(Response::new()) }`)} } }`),
        ] as const
      }),
    )
    expect(growth((count) => rule.check(programs.get(count)!, () => {}), 24)).toBeLessThan(24)
  })

  /** Like `growth`, but of rules alone, each time on a fresh program. */
  const growthOfRules = <Program>(
    catalog: ReadonlyArray<Rule<Program>>,
    names: ReadonlyArray<string>,
    programOf: (count: number) => Program,
    few: number,
  ): number => {
    const rules = catalog.filter(({ meta }) => names.some((name) => meta.id.endsWith(`/${name}`)))
    expect(rules).toHaveLength(names.length)
    const cost = (count: number): number => {
      const program = programOf(count)
      return cpuTimeOf(() => {
        for (const rule of rules) rule.check(program, () => {})
      })
    }
    // The lowest of three, since the collector may run in any. Below 4 ms, noise would decide.
    const least = (count: number): number => Math.min(cost(count), cost(count), cost(count))
    cost(few)
    return least(8 * few) / Math.max(least(few), 4)
  }

  it("for consecutive cross-program calls", { timeout: 60_000 }, () => {
    const calls = (count: number) => {
      const all = Array.from(
        { length: count },
        (_, at) => `token::transfer(CpiContext::new(ctx.accounts.program.to_account_info(), Transfer {
          from: ctx.accounts.a.to_account_info(), to: ctx.accounts.b.to_account_info(),
          authority: ctx.accounts.owner.to_account_info() }), amount + ${at})?;`,
      )
      return solanaProgram(`#[program] pub mod demo { use super::*; pub fn go(ctx: Context<Go>, amount: u64) -> Result<()> {
        ${all.join("\n")} Ok(()) } }
        #[derive(Accounts)] pub struct Go<'info> { pub owner: Signer<'info>, #[account(mut)] pub a: Account<'info, TokenAccount>,
        #[account(mut)] pub b: Account<'info, TokenAccount>, pub program: UncheckedAccount<'info> }`)
    }
    // 40 times as long when each context was looked for in each call.
    expect(growthOfRules(solanaRules, ["arbitrary-cpi", "token-mint-mismatch"], calls, 250)).toBeLessThan(24)
  })

  it("for accounts of an instruction, each of which is compared or paid", { timeout: 60_000 }, () => {
    const accounts = (count: number) => {
      const each = (text: (at: number) => string) => Array.from({ length: count }, (_, at) => text(at)).join("\n")
      return solanaProgram(`#[program] pub mod demo { use super::*; pub fn go(ctx: Context<Go>, amount: u64) -> Result<()> {
        ${each(
          (
            at,
          ) => `require_keys_eq!(ctx.accounts.a${at}.key(), ctx.accounts.s${at}.owner); ctx.accounts.s${at}.total = amount;
          **ctx.accounts.b${at}.lamports.borrow_mut() -= ctx.accounts.s${at}.total;`,
        )} Ok(()) } }
        #[account] pub struct Pool { pub owner: Pubkey, pub total: u64 }
        #[derive(Accounts)] pub struct Go<'info> { ${each(
          (at) => `/// CHECK: compared
          pub a${at}: AccountInfo<'info>, pub b${at}: AccountInfo<'info>, #[account(mut)] pub s${at}: Account<'info, Pool>,`,
        )} }`)
    }
    // 60 times as long when each account was looked for in each event and in each fact.
    expect(growthOfRules(solanaRules, ["missing-signer-check"], accounts, 160)).toBeLessThan(45)
  })

  it("for records of an instruction that all belong to one account", { timeout: 60_000 }, () => {
    const records = (count: number) => {
      const each = (text: (at: number) => string) => Array.from({ length: count }, (_, at) => text(at)).join("\n")
      return solanaProgram(`#[program] pub mod demo { use super::*; pub fn go(ctx: Context<Go>, amount: u64) -> Result<()> {
        ${each((at) => `ctx.accounts.pool_${at}.total = amount;`)} Ok(()) } }
        #[account] pub struct Pool { pub owner: Pubkey, pub total: u64 }
        #[derive(Accounts)] pub struct Go<'info> { pub owner: Signer<'info>,
        ${each((at) => `#[account(mut, has_one = owner)] pub pool_${at}: Account<'info, Pool>,`)} }`)
    }
    // 60 times as long when each record was held against all others.
    expect(growthOfRules(solanaRules, ["untied-authority"], records, 200)).toBeLessThan(24)
  })

  it("for accounts of a native program, each of which is read, changed and written back", { timeout: 60_000 }, () => {
    const accounts = (count: number) => {
      const each = Array.from(
        { length: count },
        (_, at) => `let a${at} = next_account_info(it)?; let mut s${at} = S::unpack(&a${at}.data.borrow())?;
          s${at}.x = data[${at}]; S::pack(s${at}, &mut a${at}.data.borrow_mut())?;`,
      )
      return solanaProgram(`entrypoint!(process);
        pub fn process(program_id: &Pubkey, accounts: &[AccountInfo], data: &[u8]) -> ProgramResult {
        let it = &mut accounts.iter(); ${each.join("\n")} Ok(()) }
        pub struct S { pub x: u64, pub owner: Pubkey }`)
    }
    // 60 times as long when each account was looked for in each call.
    expect(growthOfRules(solanaRules, ["open-setter"], accounts, 240)).toBeLessThan(24)
  })

  it("for fields of a message, each of which is checked and kept", { timeout: 60_000 }, () => {
    const fields = (count: number) => {
      const each = (text: (at: number) => string) => Array.from({ length: count }, (_, at) => text(at)).join("\n")
      return cosmwasmProgram(`pub enum M { A { ${each((at) => `f${at}: String,`)} } }
        const KEPT: Map<&str, Addr> = Map::new("kept");
        #[entry_point] pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: M) -> StdResult<Response> {
        match msg { M::A { ${each((at) => `f${at},`)} } => {
        ${each((at) => `KEPT.save(deps.storage, "${at}", &deps.api.addr_validate(&f${at})?)?;`)} Ok(Response::new()) } } }`)
    }
    // 50 times as long when the facts of each write were gone through.
    expect(growthOfRules(cosmwasmRules, ["missing-sender-check", "unguarded-sibling"], fields, 100)).toBeLessThan(24)
    // 110 times as long.
    expect(growthOfRules(cosmwasmRules, ["unbounded-iteration"], fields, 100)).toBeLessThan(40)
  })

  it("for loops over ids from the caller, each of which loads an entry", { timeout: 60_000 }, () => {
    const loops = (count: number) =>
      cosmwasmProgram(`pub enum M { A { ids: Vec<u64> } }
        const HELD: Map<u64, u64> = Map::new("held");
        #[entry_point] pub fn execute(deps: DepsMut, env: Env, info: MessageInfo, msg: M) -> StdResult<Response> {
        let mut sum = 0;
        match msg { M::A { ids } => { ${"for id in ids.iter() { sum += HELD.load(deps.storage, *id)?; }\n".repeat(count)} } }
        Ok(Response::new()) }`)
    // 60 times as long when each entry was looked for in all events of the handler.
    expect(growthOfRules(cosmwasmRules, ["duplicate-ids"], loops, 60)).toBeLessThan(30)
  })
})

it("thousands of instructions leave what one program may: the last ones are walked without the functions that they call", () => {
  const count = 2_000
  const many = anchor(9).replace(
    /pub fn go\([\s\S]*?Ok\(\(\)\)\n {2}\}/,
    Array.from(
      { length: count },
      (_, at) => `pub fn go${at}(ctx: Context<Go>, amount: u64) -> Result<()> {
        ctx.accounts.pool.total = h1(&mut ctx.accounts.pool, amount, ${at})?; Ok(()) }`,
    ).join("\n"),
  )
  const { instructions } = solanaProgram(many).crates[0]!
  expect(instructions).toHaveLength(count)
  expect(instructions.map(({ walk }) => walk.truncated).filter((cut) => !cut).length).toBeGreaterThan(100)
  expect(instructions.at(-1)!.walk.truncated).toBe(true)
  expect(instructions.reduce((sum, { events }) => sum + events.length, 0)).toBeLessThan(1_500_000)
}, 60_000)
