import { describe, expect, it } from "vitest"
import { checkOfMacro } from "../../../../domain/detection/rust/crate/checkMacros.ts"

describe("what a macro of the project checks", () => {
  it.each([
    [
      "a result by both branches",
      `macro_rules! validate {
    ($assert:expr, $err:expr) => {{ if ($assert) { Ok(()) } else { msg!("{} at {}:{}", $err, file!(), line!()); Err($err) } }};
    ($assert:expr, $err:expr, $($arg:tt)+) => {{ if ($assert) { Ok(()) } else { msg!($($arg)*); Err($err) } }};
}`,
      { kind: "condition", index: 0, holds: true },
    ],
    [
      "a return",
      `macro_rules! sure { ($err:expr, $c:expr) => { if !($c) { return Err($err.into()); } }; }`,
      { kind: "condition", index: 1, holds: true },
    ],
    [
      "that something is false",
      `macro_rules! fail_if { ($c:expr) => { if $c { return err!(Wrong); } }; }`,
      { kind: "condition", index: 0, holds: false },
    ],
    [
      "that two are equal",
      `macro_rules! same { ($a:expr, $b:expr, $err:expr $(,)?) => { if $a != $b { // not the same
        return Err($err.into()) } }; }`,
      { kind: "comparison", operator: "==", left: 0, right: 1 },
    ],
    [
      "an order",
      `macro_rules! at_most { ($a:expr, $b:expr) => { if *$a <= $b { Ok(()) } else { Err(Wrong) } }; }`,
      { kind: "comparison", operator: "<=", left: 0, right: 1 },
    ],
  ])("as %s", (_, text, check) => {
    expect(checkOfMacro(text)).toEqual(check)
  })

  it.each([
    ["fails in both branches", `macro_rules! no { ($c:expr) => { if $c { Err(A) } else { Err(B) } }; }`],
    ["fails in none", `macro_rules! say { ($c:expr) => { if $c { msg!("yes") } else { msg!("no") } }; }`],
    [
      "one condition and another",
      `macro_rules! odd { ($c:expr) => { if $c { return Err(A) } }; ($c:expr, $d:expr) => { if !$c { return Err($d) } }; }`,
    ],
    ["has no condition", `macro_rules! add { ($a:expr, $b:expr) => { $a.checked_add($b).ok_or(Wrong)? }; }`],
  ])("is nothing where it %s", (_, text) => {
    expect(checkOfMacro(text)).toBeUndefined()
  })
})
