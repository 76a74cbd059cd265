import { expect, it } from "vitest"
import { show } from "../../../../domain/detection/rust/terms/show.ts"
import { solanaProgram } from "../../../support/rustProject.ts"

/** What the calls of `look` in an instruction are given. */
const seen = (body: string): ReadonlyArray<string> =>
  solanaProgram(`use anchor_lang::prelude::*;
#[program]
pub mod m {
    use super::*;
    pub fn go(ctx: Context<Go>, a: u64, b: u64) -> Result<()> { ${body} Ok(()) }
}
#[derive(Accounts)]
pub struct Go<'info> { pub who: Signer<'info> }
`)
    .crates.flatMap(({ instructions }) => instructions)
    .flatMap(({ events }) => events)
    .flatMap((event) => (event.kind === "call" && event.name === "look" ? [show(event.args[0]!.term)] : []))

it("a name that a block declares means what it did before, after the block", () => {
  expect(seen("{ let a = b; look(a); } look(a);")).toEqual(["b", "a"])
  expect(seen("if b > 3 { let (a, _) = (b, 1); look(a); } look(a);")).toEqual(["b", "a"])
  expect(seen("let c = { let a = b; let a = a; a }; look(a); look(c);")).toEqual(["a", "b"])
  expect(seen("for b in [1, 2] { let a = b; look(a); } look(a);").at(-1)).toBe("a")
  expect(seen("let mut c = a; { c = b; let c = 7; look(c); } look(c);")).toEqual(["7", "b"])
  expect(seen("let add = |x: u64| { let a = x; a }; { look(add(b)); } look(a);")).toEqual(["b", "a"])
})
