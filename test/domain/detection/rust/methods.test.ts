import { describe, expect, it } from "vitest"
import { show } from "../../../../domain/detection/rust/terms/show.ts"
import { instructionOf, solanaProgram } from "../../../support/rustProject.ts"

/** What the methods of an instruction run, and on what. */
const runBy = (body: string, beside: string): ReadonlyArray<string> => {
  const program = solanaProgram(`
#[program] pub mod demo { use super::*;
pub fn go(ctx: Context<Go>, amount: u64) -> Result<()> { ${body} } }
#[derive(Accounts)] pub struct Go<'info> { pub owner: Signer<'info>, #[account(mut)] pub pool: Account<'info, Pool> }
#[account] pub struct Pool { pub total: u64 }
${beside}`)
  return instructionOf(program).events.flatMap((event) => {
    if (event.kind !== "call" || !event.method) return []
    const on = event.args[0] === undefined ? "" : show(event.args[0].term)
    return [`${on}.${event.name} ${event.target?.qualifiedName ?? "unknown"}`]
  })
}

describe("what a method runs", () => {
  const wrapper = `impl Common { pub fn note(&self) {} } pub struct Common { pub count: u64 }
pub struct Outer { pub common: Common, pub size: u64 }
impl Outer { pub fn own(&self) {} }
impl std::ops::Deref for Outer { type Target = Common; fn deref(&self) -> &Common { &self.common } }
pub fn made() -> Outer { unimplemented!() }`

  it("is a method of what a struct dereferences to, if it has none of that name", () => {
    expect(runBy("let one = made(); one.own(); one.note(); Ok(())", wrapper)).toEqual([
      "?().own Outer::own",
      "?().common.note Common::note",
    ])
  })

  it("is the struct's own if derives give it to every struct, and else that of the code it dereferences to", () => {
    const foreign = wrapper.replaceAll(/impl Common.*/g, "").replaceAll("Common", "other::Common")
    expect(runBy("let one = made(); one.hash(); one.note(); Ok(())", foreign)).toEqual([
      "?().hash unknown",
      "?().common.note unknown",
    ])
  })

  it("is that of every type that implements the trait", () => {
    const traits = `pub trait Gate { fn pass(&self); }
pub struct Inner { pub n: u64 } impl Inner { pub fn pass(&self, to: u64) {} }
pub struct Other { pub n: u64 } impl Other { pub fn pass(&self, to: u64) {} }
pub struct Left { pub inner: Inner } impl Gate for Left { fn pass(&self) { self.inner.pass(1) } }
pub struct Right { pub n: u64 } impl Gate for Right { fn pass(&self) {} }
pub fn gate() -> Box<dyn Gate> { unimplemented!() }`
    expect(runBy("let one = gate(); one.pass(); Ok(())", traits)).toEqual([
      "?().pass Left::pass",
      "?().inner.pass Inner::pass",
      "?().pass Right::pass",
    ])
  })

  it("is the struct's, and not that of a trait of the same name", () => {
    const twins = `pub mod a { pub trait Gate { fn pass(&self); } pub struct Left { pub n: u64 } impl Gate for Left { fn pass(&self) {} } }
pub struct Gate { pub n: u64 } impl Gate { pub fn pass(&self) {} }
pub fn gate() -> Gate { unimplemented!() }`
    expect(runBy("let one = gate(); one.pass(); Ok(())", twins)).toEqual(["?().pass Gate::pass"])
  })

  it("is known from the value that a type parameter stands for", () => {
    const generic = `pub struct Left { pub n: u64 } impl Left { pub fn pass(&self) {} }
pub struct Right { pub n: u64 } impl Right { pub fn pass(&self) {} }
pub struct Holder<T> { pub inner: T }
pub fn run<T>(one: T) { one.pass() }`
    expect(runBy("run(Left { n: 1 }); Holder { inner: Right { n: 2 } }.inner.pass(); Ok(())", generic)).toEqual([
      "crate::Left { n: 1 }.pass Left::pass",
      "crate::Right { n: 2 }.pass Right::pass",
    ])
  })

  it("is the only conversion of the struct", () => {
    const converted = `pub struct Left { pub n: u64 } pub struct Right { pub n: u64 }
impl From<Left> for Right { fn from(one: Left) -> Right { Right { n: one.n } } }
pub fn left() -> Left { unimplemented!() }`
    expect(runBy("let one: Right = left().into(); let other = left().kept(); Ok(())", converted)).toEqual([
      "?().into Right::from",
      "?().kept unknown",
    ])
  })

  it("is a method of what a container holds if it takes as many arguments", () => {
    const held = `pub struct Left { pub n: u64 } impl Left { pub fn pass(&self, to: u64) {} pub fn load(at: u64) {} }
pub fn shared() -> other::Held<Left> { unimplemented!() }`
    expect(runBy("let one = shared(); one.pass(1); one.pass(1, 2); one.load(1); Ok(())", held)).toEqual([
      "?().pass Left::pass",
      "?().pass unknown",
      "?().load unknown",
    ])
  })

  it("is the only method of that name and arity if nothing is known of the receiver", () => {
    const only = `pub struct Left { pub n: u64 } impl Left { pub fn pass(&self, to: u64) {} pub fn end(&self) {} pub fn stop(&self) {} }
pub fn foreign() -> other::Thing { unimplemented!() }`
    expect(
      runBy("let one = whatever!(); one.pass(1); one.pass(); one.stop(); one.end(); foreign().stop(); Ok(())", only),
    ).toEqual([
      "whatever!().pass Left::pass",
      "whatever!().pass unknown",
      "whatever!().stop Left::stop",
      "whatever!().end unknown",
      "?().stop unknown",
    ])
  })

  it("runs nothing where the receiver or an argument never comes to be", () => {
    const never = `pub struct Left { pub n: u64 } impl Left { pub fn pass(&self, to: u64) -> Result<()> { Ok(()) } }
pub fn left() -> Left { unimplemented!() }`
    expect(runBy("?().pass(return Ok(()))", never)).toEqual([])
    expect(runBy("(return Ok(())).pass(left().pass(1))", never)).toEqual([])
  })
})
