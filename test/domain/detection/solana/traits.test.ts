import { describe, expect, it } from "vitest"
import { show } from "../../../../domain/detection/rust/terms/show.ts"
import { checksWhenDone } from "../../../../domain/detection/solana/questions/questions.ts"
import { accountOf, instructionOf, solanaProgram } from "../../../support/rustProject.ts"

/** What an instruction compares with the signer's key. */
const comparedWith = (body: string, traits: string) => {
  const instruction = instructionOf(
    solanaProgram(`
    #[program] mod p { use super::*; pub fn go(ctx: Context<Go>) -> Result<()> { ${body} } }
    #[derive(Accounts)]
    pub struct Go<'info> { pub registry: Account<'info, Registry>, pub clerk: Signer<'info> }
    #[account] pub struct Registry { pub chief: Pubkey, pub members: Vec<Member> }
    pub struct Member { pub who: Pubkey }
    pub trait Staffed<'info> {
      fn clerk(&self) -> &Signer<'info>;
      fn registry(&self) -> &Account<'info, Registry>;
      fn only_chief(&self) -> Result<()> {
        require_keys_eq!(self.clerk().key(), self.registry().chief);
        Ok(())
      }
    }
    impl<'info> Staffed<'info> for Go<'info> {
      fn clerk(&self) -> &Signer<'info> { &self.clerk }
      fn registry(&self) -> &Account<'info, Registry> { &self.registry }
    }
    ${traits}`),
  )
  return checksWhenDone(instruction, accountOf(instruction, "clerk")).flatMap(({ against }) =>
    against === undefined ? [] : [show(against)],
  )
}
const chief = ["state(ctx.accounts.registry).chief"]

const blanket = `
  pub trait Guarded<'info>: Staffed<'info> + Sized {
    fn chief_only(ctx: &Context<Self>) -> Result<()> { ctx.accounts.only_chief() }
    fn guarded(ctx: &Context<Self>) -> Result<()> { Self::chief_only(ctx) }
  }
  impl<'info, T: Staffed<'info>> Guarded<'info> for T {}`

describe("a function of a trait", () => {
  it("runs for the type of the argument that names Self", () => {
    expect(comparedWith("Guarded::guarded(&ctx)?; Ok(())", blanket)).toEqual(chief)
  })

  it("belongs to each type for which a blanket impl declares the trait", () => {
    expect(comparedWith("Go::guarded(&ctx)?; Ok(())", blanket)).toEqual(chief)
    expect(comparedWith("<Go as Guarded>::guarded(&ctx)?; Ok(())", blanket)).toEqual(chief)
    expect(
      comparedWith(
        "Go::guarded(&ctx)?; Ok(())",
        `pub trait Guarded { fn guarded(ctx: &Context<Self>) -> Result<()>; }
         impl<'info, T: Staffed<'info>> Guarded for T {
           fn guarded(ctx: &Context<Self>) -> Result<()> { ctx.accounts.only_chief() } }`,
      ),
    ).toEqual(chief)
  })

  it("belongs to no type if two blanket impls declare it", () => {
    const other = "pub trait Open { fn guarded(ctx: u8) {} } impl<T> Open for T {}"
    expect(comparedWith("Go::guarded(&ctx)?; Ok(())", `${blanket} ${other}`)).toEqual([])
  })

  it("gives way to the type's own", () => {
    expect(
      comparedWith(
        "Guarded::guarded(&ctx)?; Ok(())",
        `pub trait Guarded<'info>: Staffed<'info> + Sized {
           fn chief_only(ctx: &Context<Self>) -> Result<()> { ctx.accounts.only_chief() }
           fn guarded(ctx: &Context<Self>) -> Result<()> { Self::chief_only(ctx) } }
         impl<'info> Guarded<'info> for Go<'info> { fn chief_only(ctx: &Context<Self>) -> Result<()> { Ok(()) } }`,
      ),
    ).toEqual([])
  })

  it("runs for an unknown type as the trait declares it", () => {
    expect(
      comparedWith(
        "Guarded::guarded(ctx.accounts)?; Ok(())",
        `pub trait Guarded { fn same(go: &Go) -> Result<()> { go.only_chief() }
           fn guarded(go: &Go) -> Result<()> { Self::same(go) } }`,
      ),
    ).toEqual(chief)
  })
})

describe("a method of a trait object", () => {
  const objects = (types: number, last: string) => `
    trait Door { fn open(&self, registry: &Registry, clerk: Pubkey) -> Result<()>; }
    fn door(mode: u8) -> Result<Box<dyn Door>> { if mode == 0 { Ok(Box::new(D0)) } else { pick() } }
    ${Array.from({ length: types }, (_, at) => {
      const asks = "require_keys_eq!(clerk, registry.chief);"
      return `struct D${at};
      impl D${at} { fn ask(&self, registry: &Registry, clerk: Pubkey) -> Result<()> { ${at === types - 1 ? last : asks} Ok(()) } }
      impl Door for D${at} {
        fn open(&self, registry: &Registry, clerk: Pubkey) -> Result<()> { self.ask(registry, clerk) } }`
    }).join("\n")}`
  const body = "door(ctx.accounts.registry.members.len() as u8)?.open(&ctx.accounts.registry, ctx.accounts.clerk.key())"
  const asks = "require_keys_eq!(clerk, registry.chief);"

  it("asks what each of its implementations asks", () => {
    expect(comparedWith(body, objects(1, asks))).toEqual(chief)
    expect(comparedWith(body, objects(4, asks))).toEqual(chief)
    expect(comparedWith(body, objects(4, ""))).toEqual([])
  })

  it("takes a reference, too", () => {
    const reference = `fn enter(door: &dyn Door, ctx: &Context<Go>) -> Result<()> {
      door.open(&ctx.accounts.registry, ctx.accounts.clerk.key()) }`
    expect(comparedWith("enter(&D1, &ctx)", objects(3, asks) + reference)).toEqual(chief)
  })

  it("is not followed if an implementation borrows, unless it is the only one", () => {
    const borrowing = (types: number) => objects(types, asks).replace("for D0", "for D0<'_>")
    expect(comparedWith(body, borrowing(1))).toEqual(chief)
    expect(comparedWith(body, borrowing(2))).toEqual([])
  })

  it("is not followed if it may be one of many", () => {
    expect(comparedWith(body, objects(5, asks))).toEqual([])
  })
})

describe("a type parameter", () => {
  it("is what the arguments say", () => {
    const generic = "fn check<T: Guarded>(all: &[u8], ctx: &Context<T>) -> Result<()> { T::guarded(ctx) }"
    expect(comparedWith("check(&[], &ctx)?; Ok(())", `${blanket} ${generic}`)).toEqual(chief)
  })

  it("of an impl is what the arguments say", () => {
    const generic =
      "struct Desk<T>(T); impl<T: Guarded> Desk<T> { fn check(all: Vec<Context<T>>) -> Result<()> { T::guarded(&all[0]) } }"
    expect(comparedWith("Desk::check(vec![ctx])?; Ok(())", `${blanket} ${generic}`)).toEqual(chief)
  })
})

describe("a binary search", () => {
  const found = (search: string) =>
    comparedWith(
      `let members = &ctx.accounts.registry.members; let key = ctx.accounts.clerk.key();
      require!(${search}.is_ok(), Denied); Ok(())`,
      "",
    ).map((one) => one.replace(/^.*members/, "member"))

  it("compares an element with what is searched", () => {
    expect(found("members.binary_search_by(|one| one.who.cmp(&key))")).toEqual(["member"])
    expect(found("members.binary_search_by_key(&key, |one| one.who)")).toEqual(["member"])
    expect(found("members.binary_search(&key)")).toEqual(["member"])
  })

  it("compares nothing if it orders by anything else", () => {
    expect(found("members.binary_search_by(|one| later(one.who, key))")).toEqual([])
  })
})
