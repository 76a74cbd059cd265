import { type Axis, each, eachFile, manifest } from "./axis.ts"

/** An Anchor program of these instructions, structs of accounts and other items. */
const anchor = (instructions: string, accounts: string, items = "") => ({
  "Cargo.toml": manifest("anchor-lang"),
  "src/lib.rs": `use anchor_lang::prelude::*;
declare_id!("Fg6PaFpoGXkYsidMpWTK6W2BeZ7FEfcYkg476zPFsLnS");
#[program] pub mod demo { use super::*;
${instructions}
}
${accounts}
#[account] pub struct Pool { pub owner: Pubkey, pub total: u64, pub last: i64, pub mint: Pubkey }
${items}`,
})

const instruction = (name: string, body: string, context = "Go", args = "amount: u64"): string =>
  `pub fn ${name}(ctx: Context<${context}>, ${args}) -> Result<()> { ${body} Ok(()) }`

const accountsOf = (name = "Go", more = ""): string =>
  `#[derive(Accounts)] pub struct ${name}<'info> { #[account(mut, has_one = owner)] pub pool: Account<'info, Pool>, pub owner: Signer<'info>, ${more} }`

/** A program of one instruction with this body. */
const body = (statements: string, items = "", more = "") =>
  anchor(instruction("f", statements), accountsOf("Go", more), items)

/** A program of one instruction with this body and these accounts. */
const withAccounts = (statements: string, accounts: string, items = "") =>
  anchor(
    instruction("f", statements),
    `#[derive(Accounts)] pub struct Go<'info> { pub owner: Signer<'info>, ${accounts} }`,
    items,
  )

const tokens =
  "#[account(mut)] pub a: Account<'info, TokenAccount>, #[account(mut)] pub b: Account<'info, TokenAccount>, pub tp: Program<'info, Token>,"
const transfer = (amount: string): string =>
  `token::transfer(CpiContext::new(ctx.accounts.tp.to_account_info(), Transfer { from: ctx.accounts.a.to_account_info(), to: ctx.accounts.b.to_account_info(), authority: ctx.accounts.owner.to_account_info() }), ${amount})?;`

const statements: Readonly<Record<string, Axis>> = {
  "checks and changes": (n) =>
    body(
      each(
        n,
        (i) =>
          `require!(ctx.accounts.pool.total > amount + ${i}, E::A); ctx.accounts.pool.total = ctx.accounts.pool.total - amount;`,
      ),
    ),
  "checks of keys": (n) =>
    body(
      each(
        n,
        (i) => `require_keys_eq!(ctx.accounts.pool.owner, ctx.accounts.owner.key()); require!(amount > ${i}, E::A);`,
      ),
    ),
  transfers: (n) =>
    body(
      each(n, (i) => transfer(`amount + ${i}`)),
      "",
      tokens,
    ),
  "calls of other programs": (n) =>
    body(
      each(
        n,
        (i) =>
          `invoke_signed(&Instruction { program_id: ctx.remaining_accounts[${i}].key(), accounts: vec![], data: vec![${i}] }, ctx.remaining_accounts, &[&[b"s", &[${i}]]])?;`,
      ),
    ),
  "transfers that the program signs": (n) =>
    withAccounts(
      each(
        n,
        (i) =>
          `token::transfer(CpiContext::new_with_signer(ctx.accounts.tp.to_account_info(), Transfer { from: ctx.accounts.a.to_account_info(), to: ctx.accounts.b.to_account_info(), authority: ctx.accounts.authority.to_account_info() }, &[&[b"vault", ctx.accounts.user.key().as_ref(), &[${i}]]]), amount + ${i})?;`,
      ),
      `pub user: UncheckedAccount<'info>, pub authority: UncheckedAccount<'info>, ${tokens}`,
    ),
  "times that are waited for, and amounts that are deducted": (n) =>
    anchor(
      instruction(
        "f",
        `let pot = &mut ctx.accounts.pot; ${each(n, (i) => `require!(pot.t${i} < Clock::get()?.unix_timestamp, E::Early); pot.a${i} -= amount;`)}`,
      ) + instruction("g", `let pot = &mut ctx.accounts.pot; ${each(n, (i) => `pot.a${i} -= amount;`)}`),
      accountsOf("Go", "#[account(mut, has_one = owner)] pub pot: Account<'info, Pot>,"),
      `#[account] pub struct Pot { pub owner: Pubkey, ${each(n, (i) => `pub t${i}: i64, pub a${i}: u64,`)} }`,
    ),
  "methods of one trait, one for each context": (n) =>
    anchor(
      each(n, (i) => instruction(`f${i}`, "ctx.pay(amount)?;", `Go${i}`)),
      each(
        n,
        (i) =>
          `${accountsOf(`Go${i}`)} impl<'i> Pays for Context<'_, '_, '_, 'i, Go${i}<'i>> { fn pay(&self, amount: u64) -> Result<()> { Ok(()) } }`,
      ),
      "pub trait Pays { fn pay(&self, amount: u64) -> Result<()>; }",
    ),
  "inspected instructions": (n) =>
    withAccounts(
      each(
        n,
        (i) =>
          `let look${i} = load_instruction_at_checked(${i}, &ctx.accounts.sysvar)?; require!(look${i}.data[0..32] == ctx.accounts.pool.owner.to_bytes(), E::Other);`,
      ),
      "#[account(mut)] pub pool: Account<'info, Pool>, pub sysvar: UncheckedAccount<'info>,",
    ),
  "payments from remaining accounts": (n) =>
    withAccounts(
      each(
        n,
        (i) =>
          `let t${i} = Account::<TokenAccount>::try_from(&ctx.remaining_accounts[${i}])?; token::transfer(CpiContext::new(ctx.accounts.tp.to_account_info(), Transfer { from: ctx.remaining_accounts[${i}].clone(), to: ctx.accounts.b.to_account_info(), authority: ctx.accounts.owner.to_account_info() }), t${i}.amount)?; msg!("{}", t${i}.amount);`,
      ),
      tokens,
    ),
  "lets, each from the last": (n) =>
    body(
      `let v0 = amount; ${each(n, (i) => `let v${i + 1} = v${i} / 3 * ctx.accounts.pool.total;`)} ctx.accounts.pool.total = v${n};`,
    ),
  "lets, independent": (n) => body(each(n, (i) => `let v${i} = amount + ${i}; ctx.accounts.pool.total += v${i};`)),
  "assignments of one local": (n) =>
    body(`let mut y = amount; ${each(n, (i) => `y = y * amount + ${i};`)} ctx.accounts.pool.total = y;`),
  "ifs in a row": (n) =>
    body(
      each(n, (i) => `if amount > ${i} { ctx.accounts.pool.total += ${i}; } else { ctx.accounts.pool.last = ${i}; }`),
    ),
  "ifs that return": (n) =>
    body(each(n, (i) => `if amount == ${i} { ctx.accounts.pool.total = ${i}; return Ok(()); }`)),
  "ifs, nested": (n) => body(each(n, (i) => `if amount > ${i} { ctx.accounts.pool.total += ${i};`) + "}".repeat(n)),
  "else ifs": (n) =>
    body(
      `${each(n, (i) => `if amount > ${i} { ctx.accounts.pool.total += ${i}; } else`)} { ctx.accounts.pool.last = 1; }`,
    ),
  "if lets": (n) =>
    body(
      each(
        n,
        (i) => `if let Some(v) = ctx.accounts.pool.total.checked_sub(amount + ${i}) { ctx.accounts.pool.total = v; }`,
      ),
    ),
  "a chain of lets": (n) =>
    body(
      `if let Some(a) = amount.checked_add(1) ${each(n, (i) => `&& let Some(a) = a.checked_sub(${i})`)} { ctx.accounts.pool.total = a; }`,
    ),
  "matches in a row": (n) =>
    body(each(n, (i) => `match amount { ${i} => return Err(E::A.into()), _ => { ctx.accounts.pool.total += ${i}; } }`)),
  "arms of a match": (n) =>
    anchor(
      instruction(
        "f",
        `match kind { ${each(n, (i) => `Kind::A${i} { x } => { ctx.accounts.pool.total = x - amount; }`)} }`,
        "Go",
        "amount: u64, kind: Kind",
      ),
      accountsOf(),
      `pub enum Kind { ${each(n, (i) => `A${i} { x: u64 },`)} }`,
    ),
  "loops in a row": (n) =>
    body(
      each(
        n,
        (i) =>
          `for a in ctx.remaining_accounts.iter() { let p = Pool::try_from_slice(&a.data.borrow())?; require!(p.total > ${i}, E::A); ctx.accounts.pool.total += p.total / 3; }`,
      ),
    ),
  "loops, nested": (n) =>
    body(
      `${each(n, (i) => `for a${i} in ctx.remaining_accounts.iter() {`)} ctx.accounts.pool.total += amount; ${"}".repeat(n)}`,
    ),
  "remaining accounts": (n) =>
    body(
      each(
        n,
        (i) =>
          `let a${i} = &ctx.remaining_accounts[${i}]; let p${i} = Pool::try_from_slice(&a${i}.data.borrow())?; ctx.accounts.pool.total += p${i}.total; **a${i}.lamports.borrow_mut() -= amount;`,
      ),
    ),
  "remaining accounts, one after the other": (n) =>
    body(
      `let it = &mut ctx.remaining_accounts.iter(); ${each(n, (i) => `let a${i} = next_account_info(it)?; ctx.accounts.pool.total += a${i}.lamports();`)}`,
    ),
  "remaining accounts that have to sign, and a program that is called": (n) =>
    body(
      `${each(n, (i) => `require!(ctx.remaining_accounts[${i}].is_signer && ctx.accounts.pool.total != ${i}, E::No); require_keys_neq!(ctx.remaining_accounts[${i}].key(), ctx.accounts.pool.owner);`)}
       let order = Instruction { program_id: ctx.remaining_accounts[0].key(), accounts: vec![], data: vec![] }; invoke(&order, ctx.remaining_accounts)?;`,
    ),
  closures: (n) =>
    body(
      each(
        n,
        (i) =>
          `let v${i} = ctx.remaining_accounts.iter().map(|a| a.lamports() + ${i}).sum::<u64>(); ctx.accounts.pool.total += v${i};`,
      ),
    ),
  "closures, each calls the last": (n) =>
    body(
      `let f0 = |x: u64| x + amount; ${each(n, (i) => `let f${i + 1} = |x: u64| f${i}(x) - ${i};`)} ctx.accounts.pool.total = f${n}(1);`,
    ),
  "a sum": (n) => body(`ctx.accounts.pool.total = ${each(n, (i) => `amount * ${i}`, " + ")};`),
  parentheses: (n) => body(`ctx.accounts.pool.total = ${"(amount + ".repeat(n)}1${")".repeat(n)};`),
  "a conjunction": (n) =>
    body(`require!(${each(n, (i) => `amount > ${i}`, " && ")}, E::A); ctx.accounts.pool.total = amount;`),
  "blocks, nested": (n) => body(`${"{".repeat(n)} ctx.accounts.pool.total = amount; ${"}".repeat(n)}`),
  "methods called on the last result": (n) =>
    body(`ctx.accounts.pool.total = amount${each(n, (i) => `.checked_add(${i}).unwrap()`, "")};`),
  "results asked": (n) => body(`ctx.accounts.pool.total = amount${each(n, () => ".checked_add(1).ok_or(E::A)?", "")};`),
  "arguments, nested": (n) =>
    body(`ctx.accounts.pool.total = ${"h(".repeat(n)}amount${")".repeat(n)};`, "fn h(a: u64) -> u64 { a - 1 }"),
  logs: (n) => body(each(n, (i) => `msg!("{} {}", ctx.accounts.pool.key(), amount + ${i});`)),
  "events emitted": (n) =>
    body(
      each(n, (i) => `emit!(Done { amount: amount + ${i}, pool: ctx.accounts.pool.key() });`),
      "#[event] pub struct Done { pub amount: u64, pub pool: Pubkey }",
    ),
  "structs built": (n) =>
    body(
      each(n, (i) => `let s${i} = Part { a: amount, b: amount - ${i} }; ctx.accounts.pool.total = s${i}.b;`),
      "pub struct Part { pub a: u64, pub b: u64 }",
    ),
}

const functions: Readonly<Record<string, Axis>> = {
  "helpers in a chain": (n) =>
    body(
      "h0(&mut ctx.accounts.pool, amount)?;",
      each(
        n,
        (i) =>
          `fn h${i}(pool: &mut Account<Pool>, amount: u64) -> Result<()> { pool.total = pool.total - amount; ${i + 1 < n ? `h${i + 1}(pool, amount + 1)?;` : ""} Ok(()) }`,
      ),
    ),
  "helpers in a chain that return": (n) =>
    body(
      "ctx.accounts.pool.total = h0(amount);",
      each(n, (i) => `fn h${i}(amount: u64) -> u64 { ${i + 1 < n ? `h${i + 1}(amount) - 1` : "amount"} }`),
    ),
  "helpers that call the next two": (n) =>
    body(
      "h0(&mut ctx.accounts.pool, amount)?;",
      each(
        n,
        (i) =>
          `fn h${i}(pool: &mut Account<Pool>, amount: u64) -> Result<u64> { ${i + 2 < n ? `let a = h${i + 1}(pool, amount + 1)?; let b = h${i + 2}(pool, a)?; pool.total = a - b; Ok(a + b)` : "Ok(pool.total - amount)"} }`,
      ),
    ),
  "helpers in a circle": (n) =>
    body(
      "h0(&mut ctx.accounts.pool, amount)?;",
      each(
        n,
        (i) =>
          `fn h${i}(pool: &mut Account<Pool>, amount: u64) -> Result<()> { pool.total -= amount; h${(i + 1) % n}(pool, amount)?; h${(7 * i) % n}(pool, amount) }`,
      ),
    ),
  "helpers called by one": (n) =>
    body(
      each(n, (i) => `h${i}(&mut ctx.accounts.pool, amount)?;`),
      each(
        n,
        (i) =>
          `fn h${i}(pool: &mut Account<Pool>, amount: u64) -> Result<()> { require!(amount > ${i}, E::A); pool.total -= amount; Ok(()) }`,
      ),
    ),
  "helpers not called": (n) =>
    body(
      "",
      each(
        n,
        (i) =>
          `pub fn h${i}(pool: &mut Pool, amount: u64, c: &Clock) -> Result<u64> { pool.total = pool.total - amount; if c.unix_timestamp > pool.last { pool.last = c.unix_timestamp; } Ok(pool.total * 3 / amount) }`,
      ),
    ),
  "helpers not called, in a chain": (n) =>
    body(
      "",
      each(
        n,
        (i) =>
          `pub fn h${i}(pool: &mut Pool, amount: u64) -> Result<u64> { pool.total -= amount; h${i + 1}(pool, amount) }`,
      ),
    ),
  "instructions that call one helper": (n) =>
    anchor(
      each(n, (i) => instruction(`f${i}`, `h(&mut ctx.accounts.pool, amount + ${i})?;`)),
      accountsOf(),
      `fn h(pool: &mut Account<Pool>, amount: u64) -> Result<()> { ${each(6, (i) => `require!(amount > ${i}, E::A); pool.total = pool.total - amount * ${i};`)} Ok(()) }`,
    ),
  parameters: (n) =>
    body(
      `h(${each(n, (i) => `amount + ${i}`, ", ")});`,
      `fn h(${each(n, (i) => `a${i}: u64`, ", ")}) -> u64 { ${each(n, (i) => `a${i}`, " - ")} }`,
    ),
  "arguments of an instruction": (n) =>
    anchor(
      instruction(
        "f",
        each(n, (i) => `require!(a${i} > 1, E::A); ctx.accounts.pool.total -= a${i};`),
        "Go",
        each(n, (i) => `a${i}: u64`, ", "),
      ),
      accountsOf(),
    ),
  methods: (n) =>
    body(
      each(n, (i) => `ctx.accounts.pool.m${i}(amount)?;`),
      `impl Pool { ${each(n, (i) => `pub fn m${i}(&mut self, a: u64) -> Result<()> { self.total -= a; require!(self.total > ${i}, E::A); Ok(()) }`)} }`,
    ),
  "methods in a chain": (n) =>
    body(
      "ctx.accounts.pool.m0(amount)?;",
      `impl Pool { ${each(n, (i) => `pub fn m${i}(&mut self, a: u64) -> Result<()> { self.total -= a; ${i + 1 < n ? `self.m${i + 1}(a)` : "Ok(())"} }`)} }`,
    ),
  "methods not called": (n) =>
    body(
      "",
      `impl Pool { ${each(n, (i) => `pub fn m${i}(&mut self, a: u64) -> u64 { self.total -= a; self.total * ${i} }`)} }`,
    ),
  impls: (n) =>
    body(
      each(n, (i) => `ctx.accounts.pool.m${i}(amount)?;`),
      each(n, (i) => `impl Pool { pub fn m${i}(&mut self, a: u64) -> Result<()> { self.total -= a; Ok(()) } }`),
    ),
  traits: (n) =>
    body(
      each(n, (i) => `ctx.accounts.pool.t${i}(amount)?;`),
      each(
        n,
        (i) =>
          `pub trait T${i} { fn t${i}(&mut self, a: u64) -> Result<()>; } impl T${i} for Pool { fn t${i}(&mut self, a: u64) -> Result<()> { self.total -= a; Ok(()) } }`,
      ),
    ),
  "types of one trait": (n) =>
    body(
      each(n, (i) => `S${i} { a: amount }.t(amount)?;`),
      `pub trait T { fn t(&mut self, a: u64) -> Result<()>; } ${each(n, (i) => `pub struct S${i} { a: u64 } impl T for S${i} { fn t(&mut self, a: u64) -> Result<()> { self.a -= a; Ok(()) } }`)}`,
    ),
  "traits in a chain": (n) =>
    body(
      "ctx.accounts.pool.t0(amount)?;",
      each(
        n,
        (i) =>
          `pub trait T${i}${i + 1 < n ? `: T${i + 1}` : ""} { fn t${i}(&mut self, a: u64) -> Result<()> { ${i + 1 < n ? `self.t${i + 1}(a)` : "Ok(())"} } } impl T${i} for Pool {}`,
      ),
    ),
  generics: (n) =>
    body(
      each(n, (i) => `ctx.accounts.pool.total = g${i}::<u64>(amount);`),
      each(n, (i) => `pub fn g${i}<T: Into<u64>>(a: T) -> u64 { a.into() - ${i} }`),
    ),
  "parameters of a generic": (n) =>
    body(
      "",
      `pub struct G<${each(n, (i) => `T${i}`, ", ")}> { ${each(n, (i) => `a${i}: T${i},`)} } impl<${each(n, (i) => `T${i}: Clone`, ", ")}> G<${each(n, (i) => `T${i}`, ", ")}> { fn f(&self, x: u64) -> u64 { x - 1 } }`,
    ),
  "generic types, nested": (n) =>
    body(
      "",
      `pub struct G { a: ${"Option<".repeat(n)}u64${">".repeat(n)} } impl G { fn f(&self) -> u64 { self.a - 1 } }`,
    ),
  "type aliases in a chain": (n) =>
    body(
      `let a: A${n} = amount; ctx.accounts.pool.total = a - 1;`,
      `pub type A0 = u64; ${each(n, (i) => `pub type A${i + 1} = A${i};`)}`,
    ),
  "constants, each from the last": (n) =>
    body(
      `ctx.accounts.pool.total = C${n};`,
      `pub const C0: u64 = 3; ${each(n, (i) => `pub const C${i + 1}: u64 = C${i} * 2 - C${i};`)}`,
    ),
  conversions: (n) =>
    body(
      each(n, (i) => `let s${i}: S${i} = S${i}::from(amount); ctx.accounts.pool.total = s${i}.a;`),
      each(
        n,
        (i) =>
          `pub struct S${i} { a: u64 } impl From<u64> for S${i} { fn from(a: u64) -> Self { S${i} { a: a - 1 } } }`,
      ),
    ),
  "macros used": (n) =>
    body(
      each(n, (i) => `check!(amount > ${i}, E::A); ctx.accounts.pool.total += ${i};`),
      "macro_rules! check { ($c:expr, $e:expr) => { if !$c { return Err($e.into()) } } }",
    ),
  "macros declared": (n) =>
    body(
      each(n, (i) => `check${i}!(amount > ${i}, E::A);`),
      each(n, (i) => `macro_rules! check${i} { ($c:expr, $e:expr) => { if !$c { return Err($e.into()) } } }`),
    ),
  "modules, nested": (n) =>
    body(
      `${each(n, (i) => `m${i}`, "::")}::run(&mut ctx.accounts.pool, amount)?;`,
      each(
        n,
        (i) =>
          `pub mod m${i} { use super::*; pub fn run(pool: &mut Account<Pool>, amount: u64) -> Result<()> { pool.total += amount; Ok(()) }`,
      ) + "}".repeat(n),
    ),
  "modules in files": (n) => ({
    ...anchor(
      each(n, (i) => instruction(`f${i}`, `m${i}::run(ctx, amount)?;`)),
      accountsOf(),
      each(n, (i) => `pub mod m${i};`),
    ),
    ...eachFile(n, (i) => [
      `src/m${i}.rs`,
      "use super::*;\npub fn run(ctx: Context<Go>, amount: u64) -> Result<()> { ctx.accounts.pool.total -= amount; Ok(()) }",
    ]),
  }),
  "modules with globs in a chain": (n) =>
    body(
      "m0::run(&mut ctx.accounts.pool, amount)?;",
      each(
        n,
        (i) =>
          `pub mod m${i} { use super::*; ${i + 1 < n ? `pub use super::m${i + 1}::*;` : "pub fn run(pool: &mut Account<Pool>, amount: u64) -> Result<()> { pool.total -= amount; Ok(()) }"} pub fn only${i}(a: u64) -> u64 { a / 3 * 2 } }`,
      ),
    ),
  "modules with globs of one": (n) =>
    body(
      each(n, (i) => `run${i}(&mut ctx.accounts.pool, amount)?; miss${i}(amount);`),
      each(
        n,
        (i) =>
          `pub mod m${i} { use super::Pool; pub fn run${i}(pool: &mut Account<Pool>, amount: u64) -> Result<()> { pool.total -= amount; Ok(()) } }\npub use m${i}::*;`,
      ),
    ),
  crates: (n) =>
    Object.assign(
      {},
      ...Array.from({ length: n }, (_, i) =>
        Object.fromEntries(
          Object.entries(body("ctx.accounts.pool.total -= amount;")).map(([path, text]) => [
            `programs/p${i}/${path}`,
            text.replace('"demo"', `"p${i}"`),
          ]),
        ),
      ),
    ),
}

const accounts: Readonly<Record<string, Axis>> = {
  "accounts of an instruction": (n) =>
    withAccounts(
      each(n, (i) => `ctx.accounts.p${i}.total = amount + ${i};`),
      each(n, (i) => `#[account(mut)] pub p${i}: Account<'info, Pool>,`),
    ),
  "accounts that one owns": (n) =>
    withAccounts(
      each(n, (i) => `ctx.accounts.p${i}.total = amount;`),
      each(n, (i) => `#[account(mut, has_one = owner)] pub p${i}: Account<'info, Pool>,`),
    ),
  "raw accounts": (n) =>
    withAccounts(
      each(n, (i) => `**ctx.accounts.p${i}.lamports.borrow_mut() -= amount;`),
      each(n, (i) => `/// CHECK: x\n#[account(mut)] pub p${i}: AccountInfo<'info>,`),
    ),
  "raw accounts, each of its own struct": (n) =>
    anchor(
      each(n, (i) =>
        instruction(
          `f${i}`,
          `let s = S${i}::try_from_slice(&ctx.accounts.raw.data.borrow())?; require_keys_eq!(*ctx.accounts.raw.owner, crate::ID); ctx.accounts.pool.total = s.a;`,
        ),
      ),
      accountsOf("Go", "/// CHECK: x\n pub raw: AccountInfo<'info>,"),
      each(
        n,
        (i) =>
          `#[derive(BorshDeserialize)] pub struct S${i} { pub a: u64, pub b: T${i} } #[derive(BorshDeserialize)] pub struct T${i} { pub c: u8 }`,
      ),
    ),
  "raw accounts of authorities": (n) =>
    withAccounts(
      each(n, (i) => `ctx.accounts.pool.total += ctx.accounts.authority_${i}.lamports();`),
      `#[account(mut)] pub pool: Account<'info, Pool>, ${each(n, (i) => `/// CHECK: x\n pub authority_${i}: AccountInfo<'info>,`)}`,
    ),
  "raw accounts compared": (n) =>
    withAccounts(
      each(
        n,
        (i) =>
          `require_keys_eq!(ctx.accounts.p${i}.key(), ctx.accounts.s${i}.owner); ctx.accounts.s${i}.total = amount;`,
      ),
      each(n, (i) => `/// CHECK: x\n pub p${i}: AccountInfo<'info>, #[account(mut)] pub s${i}: Account<'info, Pool>,`),
    ),
  "token accounts": (n) =>
    withAccounts(
      each(
        n,
        (i) =>
          `token::transfer(CpiContext::new(ctx.accounts.tp.to_account_info(), Transfer { from: ctx.accounts.t${i}.to_account_info(), to: ctx.accounts.t${(i + 1) % n}.to_account_info(), authority: ctx.accounts.owner.to_account_info() }), amount)?;`,
      ),
      `pub tp: Program<'info, Token>, ${each(n, (i) => `#[account(mut)] pub t${i}: Account<'info, TokenAccount>,`)}`,
    ),
  "constraints of one account": (n) =>
    withAccounts(
      "ctx.accounts.pool.total = amount;",
      `#[account(mut, ${each(n, (i) => `constraint = pool.total > ${i} @ E::A,`)})] pub pool: Account<'info, Pool>`,
    ),
  "constraints over accounts": (n) =>
    withAccounts(
      "ctx.accounts.p0.total = amount;",
      each(
        n,
        (i) =>
          `#[account(mut, has_one = owner, constraint = p${i}.mint == p${(i + 1) % n}.mint)] pub p${i}: Account<'info, Pool>,`,
      ),
    ),
  "seeds, each from the last account": (n) =>
    withAccounts(
      "",
      `pub a0: Account<'info, Pool>, ${each(n, (i) => `#[account(mut, seeds = [a${i}.key().as_ref(), a${i}.mint.as_ref()], bump)] pub a${i + 1}: Account<'info, Pool>,`)}`,
    ),
  "signers of one instruction": (n) =>
    withAccounts(
      "ctx.accounts.pool.total = amount;",
      `#[account(mut)] pub pool: Account<'info, Pool>, ${each(n, (i) => `pub s${i}: Signer<'info>,`)}`,
    ),
  "programs of one instruction": (n) =>
    body(
      "ctx.accounts.pool.total = amount;",
      "",
      each(n, (i) => `pub p${i}: Program<'info, Token>,`),
    ),
  "calls that make one account": (n) =>
    withAccounts(
      each(
        n,
        (i) =>
          `require!(amount > ${i}, E::X); invoke_signed(&system_instruction::create_account(ctx.accounts.owner.key, ctx.accounts.a.key, 1, 64, &ID), &[ctx.accounts.owner.to_account_info()], &[&[b"a", &[${i}]]])?;`,
      ),
      "#[account(mut)] pub a: UncheckedAccount<'info>,",
    ),
  "accounts made": (n) =>
    withAccounts(
      each(n, (i) => `ctx.accounts.p${i}.owner = ctx.accounts.owner.key();`),
      `pub system_program: Program<'info, System>, ${each(n, (i) => `#[account(init, payer = owner, space = 100, seeds = [b"p${i}"], bump)] pub p${i}: Account<'info, Pool>,`)}`,
    ),
  "accounts closed": (n) =>
    withAccounts(
      "",
      each(n, (i) => `#[account(mut, close = owner)] pub p${i}: Account<'info, Pool>,`),
    ),
  "structs of accounts, nested": (n) =>
    anchor(
      instruction("f", `ctx.accounts${each(n - 1, (i) => `.n${i + 1}`, "")}.pool.total = amount;`, "G0"),
      each(
        n,
        (i) =>
          `#[derive(Accounts)] pub struct G${i}<'info> { ${i + 1 < n ? `pub n${i + 1}: G${i + 1}<'info>,` : ""} #[account(mut)] pub pool: Account<'info, Pool>, pub owner: Signer<'info> }`,
      ),
    ),
  "instructions, each with a struct": (n) =>
    anchor(
      each(n, (i) =>
        instruction(
          `f${i}`,
          `ctx.accounts.pool.total = ctx.accounts.pool.total - amount; require!(amount > ${i}, E::A);`,
          `G${i}`,
        ),
      ),
      each(n, (i) => accountsOf(`G${i}`)),
    ),
  "instructions of one struct": (n) =>
    anchor(
      each(n, (i) => instruction(`f${i}`, `${transfer("amount")} ctx.accounts.pool.total += amount;`)),
      accountsOf("Go", tokens),
    ),
  "instructions, each with a record": (n) =>
    anchor(
      each(n, (i) =>
        instruction(`f${i}`, "ctx.accounts.s.a = amount; ctx.accounts.s.k = ctx.accounts.owner.key();", `G${i}`),
      ),
      each(
        n,
        (i) =>
          `#[derive(Accounts)] pub struct G${i}<'info> { #[account(mut)] pub s: Account<'info, S${i}>, pub owner: Signer<'info> } #[account] pub struct S${i} { pub a: u64, pub k: Pubkey }`,
      ),
    ),
  "instructions with seeds": (n) =>
    anchor(
      each(n, (i) => instruction(`f${i}`, "ctx.accounts.pool.total = amount;", `G${i}`)),
      each(
        n,
        (i) =>
          `#[derive(Accounts)] pub struct G${i}<'info> { #[account(mut, seeds = [b"pool", owner.key().as_ref(), &[${i}]], bump)] pub pool: Account<'info, Pool>, pub owner: Signer<'info>, #[account(mut, constraint = vault.owner == pool.key())] pub vault: Account<'info, TokenAccount> }`,
      ),
    ),
  "fields of a record": (n) =>
    body(
      each(n, (i) => `ctx.accounts.big.f${i} = amount;`),
      `#[account] pub struct Big { ${each(n, (i) => `pub f${i}: u64,`)} }`,
      "#[account(mut)] pub big: Account<'info, Big>,",
    ),
  "fields of a record, each with an instruction": (n) =>
    anchor(
      each(n, (i) => instruction(`f${i}`, `ctx.accounts.big.f${i} = amount;`)),
      accountsOf("Go", "#[account(mut)] pub big: Account<'info, Big>,"),
      `#[account] pub struct Big { ${each(n, (i) => `pub f${i}: u64,`)} }`,
    ),
  "names alike": (n) =>
    withAccounts(
      each(
        n,
        (i) => `ctx.accounts.s${i}.total = ctx.accounts.s${i}.total + amount; msg!("{}", ctx.accounts.k${i}.key());`,
      ),
      each(n, (i) => `/// CHECK: x\n pub k${i}: AccountInfo<'info>, #[account(mut)] pub s${i}: Account<'info, P${i}>,`),
      each(n, (i) => `#[account] pub struct P${i} { pub k${i}: Pubkey, pub total: u64 }`),
    ),
  "names alike in one record": (n) =>
    withAccounts(
      `ctx.accounts.s.total = amount; ${each(n, (i) => `msg!("{}", ctx.accounts.k${i}.key());`)}`,
      `#[account(mut)] pub s: Account<'info, P>, ${each(n, (i) => `/// CHECK: x\n pub k${i}: AccountInfo<'info>,`)}`,
      `#[account] pub struct P { ${each(n, (i) => `pub k${i}: Pubkey,`)} pub total: u64 }`,
    ),
}

const native = (statements: string, items = "pub struct S { pub x: u64, pub owner: Pubkey }") => ({
  "Cargo.toml": manifest("solana-program"),
  "src/lib.rs": `use solana_program::{account_info::{next_account_info, AccountInfo}, entrypoint, entrypoint::ProgramResult, pubkey::Pubkey, program_error::ProgramError};
entrypoint!(process);
pub fn process(program_id: &Pubkey, accounts: &[AccountInfo], data: &[u8]) -> ProgramResult { ${statements} }
${items}`,
})

const natives: Readonly<Record<string, Axis>> = {
  "native accounts": (n) =>
    native(
      `let it = &mut accounts.iter(); ${each(n, (i) => `let a${i} = next_account_info(it)?; if a${i}.owner != program_id { return Err(ProgramError::IncorrectProgramId); } let s${i} = S::unpack(&a${i}.data.borrow())?; **a${i}.lamports.borrow_mut() -= s${i}.x;`)} Ok(())`,
    ),
  "native accounts written back": (n) =>
    native(
      `let it = &mut accounts.iter(); ${each(n, (i) => `let a${i} = next_account_info(it)?; let mut s${i} = S::unpack(&a${i}.data.borrow())?; s${i}.x = data[${i}]; S::pack(s${i}, &mut a${i}.data.borrow_mut())?;`)} Ok(())`,
    ),
  "native accounts told by their size": (n) =>
    native(
      `let it = &mut accounts.iter(); ${each(n, (i) => `let a${i} = next_account_info(it)?; if a${i}.data_len() != S${i}::LEN { return Err(ProgramError::InvalidAccountData); } let mut s${i} = S${i}::unpack_unchecked(&a${i}.data.borrow())?; s${i}.x = data[${i}]; S${i}::pack(s${i}, &mut a${i}.data.borrow_mut())?;`)} Ok(())`,
      each(n, (i) => `pub struct S${i} { pub x: u64 } impl S${i} { pub const LEN: usize = 8; }`),
    ),
  "native instructions": (n) =>
    native(
      `let i = I::unpack(data)?; match i { ${each(n, (i) => `I::A${i} { x } => p${i}(program_id, accounts, x),`)} }`,
      `pub enum I { ${each(n, (i) => `A${i} { x: u64 },`)} } pub struct S { pub x: u64, pub owner: Pubkey } ${each(n, (i) => `fn p${i}(program_id: &Pubkey, accounts: &[AccountInfo], x: u64) -> ProgramResult { let it = &mut accounts.iter(); let a = next_account_info(it)?; let b = next_account_info(it)?; if !b.is_signer { return Err(ProgramError::MissingRequiredSignature); } let mut s = S::unpack(&a.data.borrow())?; s.x = s.x - x; S::pack(s, &mut a.data.borrow_mut())?; Ok(()) }`)}`,
    ),
}

/** Solana programs by what there is much of. */
export const solanaAxes: Readonly<Record<string, Axis>> = { ...statements, ...functions, ...accounts, ...natives }
