import { describe, expect, it } from "vitest"
import { buildSolanaProgram } from "../../../../domain/detection/solana/buildSolana.ts"
import { show } from "../../../../domain/detection/rust/terms/show.ts"
import { checksWhenDone, cpisOf, usesOf } from "../../../../domain/detection/solana/questions/questions.ts"
import { accountOf, instructionOf, rustProject } from "../../../support/rustProject.ts"

const program = (text: string) =>
  buildSolanaProgram(
    rustProject({ "src/lib.rs": `use solana_program::account_info::{next_account_info, AccountInfo};\n${text}` }),
  )
const kinds = (instruction: ReturnType<typeof instructionOf>, name: string) =>
  checksWhenDone(instruction, accountOf(instruction, name)).map((one) => one.kind)

describe("native programs", () => {
  it("have one instruction per handler behind the dispatch", () => {
    const found = program(`
      entrypoint!(process_instruction);
      pub fn process_instruction(program_id: &Pubkey, accounts: &[AccountInfo], data: &[u8]) -> ProgramResult { Processor::process(program_id, accounts, data) }
      struct Processor;
      impl Processor {
        fn process(program_id: &Pubkey, accounts: &[AccountInfo], data: &[u8]) -> ProgramResult {
          match Ix::unpack(data)? { Ix::A => Self::a(program_id, accounts), Ix::B { amount } => Self::b(accounts, amount) }
        }
        fn a(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult {
          let iter = &mut accounts.iter();
          let first_info = next_account_info(iter)?;
          let second_info = next_account_info(iter)?;
          if second_info.owner != program_id { return Err(ProgramError::IllegalOwner); }
          if !first_info.is_signer { return Err(ProgramError::MissingRequiredSignature); }
          Ok(())
        }
        fn b(accounts: &[AccountInfo], amount: u64) -> ProgramResult { let [x, y, ..] = accounts else { return Err(E) }; **x.lamports.borrow_mut() -= amount; Ok(()) }
      }`)
    const all = found.crates[0]!.instructions
    expect(all.map((one) => [one.name, one.accounts.map((account) => account.name)])).toEqual([
      ["a", ["first_info", "second_info"]],
      ["b", ["x", "y"]],
    ])
    expect(kinds(all[0]!, "first_info")).toEqual(["signer"])
    expect(kinds(all[0]!, "second_info")).toEqual(["owner"])
    expect(all[1]!.arguments.map((one) => one.name)).toEqual(["amount"])
    expect(usesOf(all[1]!, accountOf(all[1]!, "x")).map((one) => one.kind)).toContain("lamports-write")
  })

  it("may take several accounts at once", () => {
    const found = program(`
      entrypoint!(process);
      fn process(program_id: &Pubkey, accounts: &[AccountInfo], data: &[u8]) -> ProgramResult {
        let iter = &mut accounts.iter();
        let pool = next_account_info(iter)?;
        let [owner, vault] = next_account_infos(iter, 2)? else { return Err(E) };
        let clock = next_account_info(iter)?;
        let all = next_account_infos(iter, data.len())?;
        if !owner.is_signer { return Err(E); }
        Ok(())
      }`)
    const [only] = found.crates[0]!.instructions
    expect(only!.accounts.map(({ name, term }) => `${name} ${show(term)}`)).toEqual([
      "pool accounts[0]",
      "owner accounts[1]",
      "vault accounts[2]",
      "clock accounts[3]",
    ])
    expect(kinds(only!, "owner")).toEqual(["signer"])
  })

  it("may go through their accounts with several iterators", () => {
    const found = program(`
      struct Reader<'a> { left: Iter<'a, AccountInfo> }
      impl<'a> Reader<'a> {
        fn new(accounts: &'a [AccountInfo]) -> Self { let left = accounts.iter(); Self { left } }
      }
      fn second(accounts: &[AccountInfo]) -> ProgramResult {
        let iter = &mut accounts.iter();
        next_account_info(iter)?;
        let second = next_account_info(iter)?;
        if !second.is_signer { return Err(E); }
        Ok(())
      }
      pub fn go(accounts: &[AccountInfo]) -> ProgramResult {
        let iter = &mut accounts.iter();
        let first = next_account_info(iter)?;
        second(accounts)?;
        let other = next_account_info(iter)?;
        let again = next_account_info(&mut accounts.iter())?;
        let third = next_account_info(iter)?;
        let mut reader = Reader::new(accounts);
        let first_of_reader = next_account_info(&mut reader.left)?;
        log(first, other, again, third, first_of_reader);
        Ok(())
      }`)
    const instruction = instructionOf(found, "go")
    expect(instruction.accounts.map(({ name, term }) => `${name} ${show(term)}`)).toEqual([
      "first accounts[0]",
      "other accounts[1]",
      "third accounts[2]",
    ])
    expect(kinds(instruction, "other")).toEqual(["signer"])
  })

  it("may take their accounts from a reader of their own, which moves on by one", () => {
    const found = program(`
      entrypoint!(process);
      struct Reader<'a> { all: &'a [AccountInfo], at: usize }
      impl<'a> Reader<'a> {
        fn over(all: &'a [AccountInfo]) -> Self { Self { all, at: 0 } }
        fn next(&mut self) -> Result<&'a AccountInfo, ProgramError> {
          if self.at >= self.all.len() { return Err(ProgramError::NotEnoughAccountKeys); }
          let one = &self.all[self.at];
          self.at += 1;
          Ok(one)
        }
        fn next_signer(&mut self) -> Result<&'a AccountInfo, ProgramError> {
          let one = self.next()?;
          if !one.is_signer { return Err(ProgramError::MissingRequiredSignature); }
          Ok(one)
        }
        fn same(&self, count: usize) -> bool { self.all[self.at].is_writable && self.all.len() == count }
      }
      pub fn process(program_id: &Pubkey, accounts: &[AccountInfo], data: &[u8]) -> ProgramResult { close(accounts) }
      fn close(accounts: &[AccountInfo]) -> ProgramResult {
        let mut reader = Reader::over(accounts);
        let vault = reader.next()?;
        let owner = reader.next_signer()?;
        if !reader.same(2) { return Err(ProgramError::InvalidArgument); }
        **vault.lamports.borrow_mut() = 0;
        Ok(())
      }`)
    const [close, ...others] = found.crates[0]!.instructions
    expect(others).toEqual([])
    expect(close!.accounts.map((one) => one.name)).toEqual(["vault", "owner"])
    expect(kinds(close!, "owner")).toEqual(["signer"])
    expect(kinds(close!, "vault")).toEqual([])
  })

  it("may be arms that share an iterator, and what each arm hands it to is a part of it", () => {
    const context = (name: string) => `
      struct ${name}<'a> { vault: &'a AccountInfo<'a>, owner: &'a AccountInfo<'a> }
      impl<'a> ${name}<'a> {
        fn new(id: &Pubkey, iter: &mut Enumerate<Iter<'a, AccountInfo<'a>>>) -> Result<Self, ProgramError> {
          let vault = Take::next_owned(iter, id)?;
          let owner = Take::next_signer(iter)?;
          Ok(Self { vault, owner })
        }
        fn process(&self, id: &Pubkey, iter: &mut Enumerate<Iter<'a, AccountInfo<'a>>>) -> ProgramResult {
          let extra = Take::next_signer(iter)?;
          Ok(())
        }
      }`
    const found = program(`
      struct Take;
      impl Take {
        fn next_owned<'a, I: Iterator<Item = &'a AccountInfo<'a>>>(iter: &mut Enumerate<I>, owner: &Pubkey) -> Result<I::Item, ProgramError> {
          let (index, one) = iter.next().ok_or(ProgramError::NotEnoughAccountKeys)?;
          if one.owner.eq(owner) { return Ok(one); }
          Err(ProgramError::IllegalOwner)
        }
        fn next_signer<'a, I: Iterator<Item = &'a AccountInfo<'a>>>(iter: &mut Enumerate<I>) -> Result<I::Item, ProgramError> {
          let (index, one) = iter.next().ok_or(ProgramError::NotEnoughAccountKeys)?;
          if one.is_signer { return Ok(one); }
          Err(ProgramError::MissingRequiredSignature)
        }
      }
      ${context("Open")} ${context("Close")}
      pub fn process(id: &Pubkey, accounts: &[AccountInfo], data: &[u8]) -> ProgramResult {
        let iter = &mut accounts.iter().enumerate();
        match Ix::unpack(data)? { Ix::Open => Open::new(id, iter)?.process(id, iter), Ix::Close => Close::new(id, iter)?.process(id, iter) }
      }`)
    const all = found.crates[0]!.instructions
    expect(all.map((one) => [one.name, one.accounts.map((account) => account.name)])).toEqual([
      ["Open", ["vault", "owner", "extra"]],
      ["Close", ["vault", "owner", "extra"]],
    ])
    expect(kinds(all[1]!, "vault")).toEqual(["owner"])
    expect(kinds(all[1]!, "owner")).toEqual(["signer"])
  })

  it("may be arms of a dispatch that takes the first accounts for all of them", () => {
    const found = program(`
      struct Shared<'a> { market: &'a AccountInfo<'a>, signer: &'a AccountInfo<'a> }
      impl<'a> Shared<'a> {
        fn load(iter: &mut Iter<'a, AccountInfo<'a>>) -> Result<Self, ProgramError> {
          let shared = Self { market: next_account_info(iter)?, signer: next_account_info(iter)? };
          if !shared.signer.is_signer { return Err(ProgramError::MissingRequiredSignature); }
          Ok(shared)
        }
      }
      pub fn process(id: &Pubkey, accounts: &[AccountInfo], data: &[u8]) -> ProgramResult {
        let (first, accounts) = accounts.split_at(2);
        let shared = Shared::load(&mut first.iter())?;
        match Ix::unpack(data)? {
          Ix::A => a(id, &shared, accounts), Ix::B => b(id, &shared, accounts), Ix::C => c(id, &shared, accounts),
          Ix::D => d(id, &shared, accounts), Ix::E => Ok(()),
        }
      }
      ${["a", "b", "c", "d"].map((name) => `fn ${name}(id: &Pubkey, shared: &Shared, accounts: &[AccountInfo]) -> ProgramResult { let vault_${name} = next_account_info(&mut accounts.iter())?; Ok(()) }`).join("\n")}`)
    const all = found.crates[0]!.instructions
    expect(all.map((one) => one.name)).toEqual(["a", "b", "c", "d", "E"])
    expect(all[1]!.accounts.map((account) => account.name)).toEqual(["vault_b", "market", "signer"])
    expect(kinds(all[1]!, "signer")).toEqual(["signer"])
  })

  it("keep what a dispatch checks before its handlers, also one inside another", () => {
    const handler = (name: string, account: string): string =>
      `pub mod ${name} { use super::*; pub fn run(config: &Config, accounts: &[AccountInfo]) -> ProgramResult { if let [_admin, _config, ${account}] = accounts { Ok(()) } else { Err(E) } } }`
    const found = program(`
      pub struct Config { pub admin: Pubkey }
      fn check_admin(config: &Config, accounts: &[AccountInfo]) -> ProgramResult {
        let admin = next_account_info(&mut accounts.iter())?;
        if admin.key != &config.admin { return Err(E); }
        if !admin.is_signer { return Err(E); }
        Ok(())
      }
      pub fn process(id: &Pubkey, accounts: &[AccountInfo], data: &[u8]) -> ProgramResult {
        let iter = &mut accounts.iter();
        let _caller = next_account_info(iter)?;
        let config_info = next_account_info(iter)?;
        if config_info.owner != id { return Err(E); }
        let config = Config::unpack(&config_info.data.borrow())?;
        match Ix::unpack(data)? {
          Ix::Deposit => deposit::run(&config, accounts)?,
          Ix::Pause => { if cheap { check_admin(&config, accounts)?; pause::run(&config, accounts)?; } }
          Ix::Pool { ix } => match ix {
            PoolIx::Add => { check_admin(&config, accounts)?; add::run(&config, accounts)?; }
            PoolIx::Drop => { check_admin(&config, accounts)?; drop_pool::run(&config, accounts)?; }
            _ => return Err(E),
          },
        }
        Ok(())
      }
      ${handler("deposit", "vault")} ${handler("pause", "flag")} ${handler("add", "pool")} ${handler("drop_pool", "pool_to_drop")}`)
    const all = found.crates[0]!.instructions
    expect(all.map((one) => [one.name, one.accounts.at(-1)?.name, one.accounts.length])).toEqual([
      ["run", "vault", 3],
      ["run", "flag", 3],
      ["run", "pool", 3],
      ["run", "pool_to_drop", 3],
    ])
    expect(all.map((one) => checksWhenDone(one, one.accounts[0]!).map(({ kind }) => kind))).toEqual([
      [],
      [],
      ["key", "signer"],
      ["key", "signer"],
    ])
    expect(kinds(all[3]!, "config_info")).toContain("owner")
  })

  it("keep what a dispatch lets a function check that takes accounts itself", () => {
    const names = ["a", "b", "c", "d"]
    const found = program(`
      fn check_admin(accounts: &[AccountInfo]) -> ProgramResult { let [admin, ..] = accounts else { return Err(E) }; if !admin.is_signer { return Err(E); } Ok(()) }
      pub fn process(id: &Pubkey, accounts: &[AccountInfo], data: &[u8]) -> ProgramResult {
        check_admin(accounts)?;
        match Ix::unpack(data)? { ${names.map((name) => `Ix::${name.toUpperCase()} => ${name}(accounts),`).join(" ")} }
      }
      ${names.map((name) => `fn ${name}(accounts: &[AccountInfo]) -> ProgramResult { let [boss, ${name}_vault] = accounts else { return Err(E) }; Ok(()) }`).join("\n")}`)
    const all = found.crates[0]!.instructions
    expect(all.map((one) => one.name)).toEqual(names)
    expect(all.map((one) => checksWhenDone(one, one.accounts[0]!).map(({ kind }) => kind))).toEqual(
      names.map(() => ["signer"]),
    )
  })

  it("are not methods that change what somebody loaded", () => {
    const found = program(`
      entrypoint!(process);
      struct Bank { total: u64 }
      impl Bank { fn add_up(&mut self, vaults: &[AccountInfo], now: u64) -> ProgramResult { for one in vaults.iter() { self.total += one.lamports(); } Ok(()) } }
      struct Processor;
      impl Processor {
        fn add(&self, accounts: &[AccountInfo]) -> ProgramResult {
          let [bank_info, vault] = accounts else { return Err(E) };
          let mut bank = Bank::unpack(&bank_info.data.borrow())?;
          bank.add_up(&accounts[1..], 0)
        }
      }
      pub fn process(program_id: &Pubkey, accounts: &[AccountInfo], data: &[u8]) -> ProgramResult { Processor.add(accounts) }`)
    expect(found.crates[0]!.instructions.map((one) => one.name)).toEqual(["add"])
  })

  it("recognize their own id whatever the handler calls it", () => {
    const instruction = instructionOf(
      program(`pub fn go(p: &Pubkey, accounts: &[AccountInfo], to: &Pubkey) -> ProgramResult {
        let a = next_account_info(&mut accounts.iter())?;
        let (k, _) = Pubkey::find_program_address(&[b"a"], p);
        if k != *a.key { return Err(ProgramError::InvalidSeeds); }
        Ok(())
      }`),
      "go",
    )
    expect(instruction.arguments.map((one) => one.name)).toEqual(["to"])
    const [check] = checksWhenDone(instruction, accountOf(instruction, "a"))
    expect(check?.against === undefined ? undefined : show(check.against)).toContain("program_id")
  })

  it("take accounts from a parser that returns a struct", () => {
    const instruction = instructionOf(
      program(`
      struct Ctx<'a> { payer: &'a AccountInfo<'a>, vault: &'a AccountInfo<'a> }
      impl<'a> Ctx<'a> { fn parse(accounts: &'a [AccountInfo<'a>]) -> Result<Self, ProgramError> {
        let iter = &mut accounts.iter();
        let c = Ctx { payer: next_account_info(iter)?, vault: next_account_info(iter)? };
        if !c.payer.is_signer { return Err(ProgramError::MissingRequiredSignature); }
        Ok(c) } }
      pub fn run(program_id: &Pubkey, accounts: &[AccountInfo]) -> ProgramResult { let c = Ctx::parse(accounts)?; check(c.vault, program_id)?; Ok(()) }
      fn check(x: &AccountInfo, id: &Pubkey) -> ProgramResult { if x.owner != id { return Err(ProgramError::IllegalOwner); } Ok(()) }`),
    )
    expect(instruction.name).toBe("run")
    expect(kinds(instruction, "payer")).toContain("signer")
    expect(kinds(instruction, "vault")).toContain("owner")
  })

  it("may use Pinocchio's methods and typed CPIs", () => {
    const instruction = instructionOf(
      buildSolanaProgram(
        rustProject({
          "src/lib.rs": `
      use pinocchio::{account_info::AccountInfo, ProgramResult};
      pub fn go(program_id: &Pubkey, accounts: &[AccountInfo], data: &[u8]) -> ProgramResult {
        let [owner, vault, rest @ ..] = accounts else { return Err(ProgramError::NotEnoughAccountKeys) };
        if !owner.is_signer() { return Err(ProgramError::MissingRequiredSignature) }
        if !vault.is_owned_by(program_id) { return Err(ProgramError::IllegalOwner) }
        let d = unsafe { vault.borrow_data_unchecked() };
        let v = bytemuck::from_bytes::<Vault>(&d[8..]);
        Transfer { from: owner, to: vault, lamports: v.amount }.invoke()?;
        Ok(())
      }
      struct Vault { amount: u64 }`,
        }),
      ),
    )
    expect(kinds(instruction, "owner")).toContain("signer")
    expect(kinds(instruction, "vault")).toContain("owner")
    expect(usesOf(instruction, accountOf(instruction, "vault")).map((one) => one.kind)).toEqual(
      expect.arrayContaining(["data-read", "deserialize", "cpi-account"]),
    )
    expect(cpisOf(instruction)).toHaveLength(1)
  })

  it("guarantee, for an account taken only on some paths, only what those paths check", () => {
    const instruction = instructionOf(
      program(`
      pub fn run(accounts: &[AccountInfo], flag: bool) -> ProgramResult {
        let iter = &mut accounts.iter();
        let a = next_account_info(iter)?;
        if flag { let b = next_account_info(iter)?; if !b.is_signer { return Err(E); } }
        Ok(()) }`),
    )
    expect(kinds(instruction, "b")).toEqual(["signer"])
    expect(kinds(instruction, "a")).toEqual([])
  })

  it("have one instruction per dispatch arm that takes accounts itself", () => {
    const all = program(`
      pub fn process_instruction(id: &Pubkey, accounts: &[AccountInfo], data: &[u8]) -> ProgramResult {
        match data.split_first() {
          Some((0, data)) => Make::try_from((data, accounts))?.process(),
          Some((1, _)) => Take::try_from(accounts)?.process(),
          Some((2, data)) => set_fee(accounts, data),
          _ => Err(ProgramError::InvalidInstructionData),
        }
      }
      struct Make<'a> { maker: &'a AccountInfo }
      impl<'a> TryFrom<(&'a [u8], &'a [AccountInfo])> for Make<'a> {
        type Error = ProgramError;
        fn try_from((data, accounts): (&'a [u8], &'a [AccountInfo])) -> Result<Self, ProgramError> {
          let [maker, ..] = accounts else { return Err(E) };
          if !maker.is_signer() { return Err(E); }
          Ok(Self { maker })
        }
      }
      impl<'a> Make<'a> { fn process(&self) -> ProgramResult { Ok(()) } }
      struct Take<'a> { taker: &'a AccountInfo, maker: &'a AccountInfo }
      impl<'a> TryFrom<&'a [AccountInfo]> for Take<'a> {
        type Error = ProgramError;
        fn try_from(accounts: &'a [AccountInfo]) -> Result<Self, ProgramError> {
          let [taker, maker] = accounts else { return Err(E) };
          Ok(Self { taker, maker })
        }
      }
      impl<'a> Take<'a> { fn process(&self) -> ProgramResult { if !self.taker.is_owned_by(&ID) { return Err(E); } Ok(()) } }
      fn set_fee(accounts: &[AccountInfo], data: &[u8]) -> ProgramResult { let [admin, ..] = accounts else { return Err(E) }; Ok(()) }`)
      .crates[0]!.instructions
    expect(all.map((one) => [one.name, one.accounts.map((account) => account.name)])).toEqual([
      ["Make", ["maker"]],
      ["Take", ["taker", "maker"]],
      ["set_fee", ["admin"]],
    ])
    expect(kinds(all[0]!, "maker")).toEqual(["signer"])
    expect(kinds(all[1]!, "taker")).toEqual(["owner"])
  })

  it("have as state the type to which their bytes are cast, even through a generic loader", () => {
    const loaded = (body: string) =>
      instructionOf(
        program(`
          #[repr(C)] pub struct Pool { pub admin: Pubkey, pub fee: u64 }
          pub unsafe fn load<T>(bytes: &[u8]) -> Result<&T, ProgramError> { Ok(&*(bytes.as_ptr() as *const T)) }
          pub fn go(accounts: &[AccountInfo]) -> ProgramResult {
            let [admin, pool] = accounts else { return Err(E) };
            let state = ${body};
            if &state.admin != admin.key() { return Err(E); }
            Ok(())
          }`),
        "go",
      )
    for (const body of [
      "unsafe { &*(pool.borrow_data_unchecked().as_ptr() as *const Pool) }",
      "unsafe { &mut *pool.borrow_unchecked_mut().as_mut_ptr().cast::<Pool>() }",
      "unsafe { load::<Pool>(pool.borrow_data_unchecked())? }",
    ]) {
      const instruction = loaded(body)
      const [check] = checksWhenDone(instruction, accountOf(instruction, "admin"))
      expect(check?.against === undefined ? undefined : show(check.against)).toBe("state(accounts[1]).admin")
    }
  })

  it("are checked by functions passed as values, behind hints, and in either of two lists", () => {
    const instruction = instructionOf(
      program(`
        fn derive(id: &Pubkey, of: &Pubkey) -> Pubkey { Pubkey::find_program_address(&[b"a", of.as_ref()], id).0 }
        fn check(id: &Pubkey, of: &Pubkey, given: &Pubkey, with: &dyn Fn(&Pubkey, &Pubkey) -> Pubkey) -> ProgramResult {
          if with(id, of) != *given { return Err(E); }
          Ok(())
        }
        pub fn go(program_id: &Pubkey, accounts: &[AccountInfo], short: bool) -> ProgramResult {
          let (a, b) = if short { let [a, b] = accounts else { return Err(E) }; (a, b) } else { let [a, _, b] = accounts else { return Err(E) }; (a, b) };
          if unlikely(!b.is_signer()) { return Err(E); }
          check(program_id, b.key(), a.key(), &derive)?;
          Ok(())
        }`),
      "go",
    )
    expect(kinds(instruction, "a")).toContain("pda")
    expect(kinds(instruction, "b")).toContain("signer")
  })
})
