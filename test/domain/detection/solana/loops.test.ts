import { describe, expect, it } from "vitest"
import { show } from "../../../../domain/detection/rust/terms/show.ts"
import { instructionOf, solanaProgram } from "../../../support/rustProject.ts"

/** What must hold for an instruction to succeed, besides the types of its accounts. */
const demands = (body: string, rest = "") =>
  [
    ...instructionOf(
      solanaProgram(`
      #[program] mod p { use super::*; pub fn go(ctx: Context<Go>, id: u64) -> Result<()> { ${body} Ok(()) } }
      #[derive(Accounts)] pub struct Go<'info> { pub list: Account<'info, List>, pub raw: AccountInfo<'info> }
      #[account] pub struct List { pub entries: Vec<Entry> }
      pub struct Entry { pub id: u64, pub open: bool }
      ${rest}`),
    ).walk.success,
  ]
    .map((one) => show(one).replaceAll("state(ctx.accounts.list).entries", "entries"))
    .filter((one) => !/^typed|succeeded$|is Some$/.test(one))

describe("what a loop finds", () => {
  const search = (then: string) => `
    let mut found = None;
    for one in ctx.accounts.list.entries.iter() { if one.id == id { found = Some(one); break; } }
    ${then}`

  it("meets the condition under which the loop was left", () => {
    expect(demands(search("let one = found.ok_or(E::Missing)?; require!(one.open, E::Closed);"))).toEqual([
      "id == entries[_].id",
      "entries[_].open",
    ])
    expect(demands(search("let one = found.unwrap(); require!(one.open, E::Closed);"))).toEqual([
      "id == entries[_].id",
      "entries[_].open",
    ])
  })

  it("may be nothing if nobody asks", () => {
    expect(demands(search('if let Some(one) = found { msg!("{}", one.id); }'))).toEqual([])
  })

  it("meets what all ways to leave share", () => {
    const ways = (second: string) => `
      let mut found = None;
      for one in ctx.accounts.list.entries.iter() {
        if one.id == id { if one.open { found = Some(one); break; } ${second} } }
      found.ok_or(E::Missing)?;`
    expect(demands(ways('msg!("closed"); found = Some(one); break;'))).toEqual(["id == entries[_].id"])
    expect(demands(ways(""))).toEqual(["id == entries[_].id", "entries[_].open"])
  })
})

describe("an iterator of the program", () => {
  const steps = (next: string) => `
    pub trait Loads { fn load(&self, at: usize) -> std::result::Result<Instruction, ProgramError>; }
    pub struct Chain<'a, 'info> { pub sysvar: &'a AccountInfo<'info> }
    impl<'a, 'info> Loads for Chain<'a, 'info> {
      fn load(&self, at: usize) -> std::result::Result<Instruction, ProgramError> { load_instruction_at_checked(at, self.sysvar) } }
    pub struct Never; impl Loads for Never {
      fn load(&self, at: usize) -> std::result::Result<Instruction, ProgramError> { unimplemented!() } }
    pub struct Steps<'a, L: Loads> { at: usize, loader: &'a L }
    impl<L: Loads> Iterator for Steps<'_, L> {
      type Item = std::result::Result<Instruction, ProgramError>;
      fn next(&mut self) -> Option<Self::Item> { ${next} } }`

  it("gives a loop what its next returns, on success", () => {
    expect(
      demands(
        `let loader = Chain { sysvar: &ctx.accounts.raw };
         let steps = Steps { at: 3, loader: &loader };
         let mut found = None;
         for one in steps { let one = one?; if one.program_id == crate::ID { found = Some(one); break; } }
         found.ok_or(E::Missing)?;`,
        steps(
          "match self.loader.load(self.at) { Ok(one) => Some(Ok(one)), Err(ProgramError::InvalidArgument) => None, Err(e) => Some(Err(e)) }",
        ),
      ),
    ).toEqual(["load_instruction_at_checked(3, ctx.accounts.raw).program_id == ID"])
  })
})

describe("a success", () => {
  it("may hold nothing", () => {
    expect(
      demands(
        'if chosen(&ctx.accounts.list, id)?.is_none() { msg!("none"); }',
        "fn chosen(list: &List, id: u64) -> Result<Option<u64>> { if list.entries[0].id == id { return Ok(Some(id)); } Ok(None) }",
      ),
    ).toEqual([])
  })
})
