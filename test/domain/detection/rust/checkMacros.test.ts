import { describe, expect, it } from "vitest"
import {
  checkOfMacro,
  forwardedCheck,
  forwardingMacro,
  type MacroCheck,
} from "../../../../domain/detection/rust/crate/checkMacros.ts"
import { rustProject } from "../../../support/rustProject.ts"

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
      "several conditions",
      `macro_rules! sure { ($err:expr, $($c:expr),+) => { if !($($c)&&+) { return Err($err.into()); } }; }`,
      { kind: "condition", index: 1, holds: true, all: true },
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

  const equal = `macro_rules! equal { ($left:expr, $right:expr, $err:expr) => { that!($left, $err, $left == *$right); }; }`
  const that = `macro_rules! that { ($one:expr, $err:expr, $holds:expr) => { if !$holds { log($one); return Err::<(), E>($err.into()); } }; }`

  it.each([
    [equal, checkOfMacro(that), { kind: "comparison", operator: "==", left: 0, right: 1 }],
    [
      equal.replace("==", "!="),
      { kind: "condition", index: 2, holds: false },
      { kind: "comparison", operator: "==", left: 0, right: 1 },
    ],
    [
      "macro_rules! sure { ($err:expr, $c:expr) => { $crate::that!($c, $err, $c) }; }",
      { kind: "condition", index: 2, holds: true },
      { kind: "condition", index: 1, holds: true },
    ],
    [
      "macro_rules! less { ($err:expr, $a:expr, $b:expr) => { order!($b, $a) }; }",
      { kind: "comparison", operator: "<", left: 1, right: 0 },
      { kind: "comparison", operator: "<", left: 1, right: 2 },
    ],
    [
      "macro_rules! odd { ($a:expr) => { that!($a, E, f($a)) }; }",
      { kind: "condition", index: 2, holds: true },
      undefined,
    ],
    [
      "macro_rules! odd { ($a:expr) => { that!($a, E, $a == 3) }; }",
      { kind: "condition", index: 2, holds: true },
      undefined,
    ],
    [
      "macro_rules! odd { ($a:expr) => { order!($a, 3) }; }",
      { kind: "comparison", operator: "<", left: 0, right: 1 },
      undefined,
    ],
  ] satisfies ReadonlyArray<readonly [string, MacroCheck | undefined, MacroCheck | undefined]>)(
    "is what the macro checks that it hands on to: %s",
    (text, check, own) => {
      const forwarding = forwardingMacro(text)
      expect(forwarding === undefined || check === undefined ? undefined : forwardedCheck(forwarding, check)).toEqual(
        own,
      )
    },
  )

  it("is known whichever of the two is defined first", () => {
    for (const text of [`${equal}\n${that}`, `${that}\n${equal}`])
      expect([...rustProject({ "src/lib.rs": text }).crates[0]!.checkMacros.keys()].toSorted()).toEqual([
        "equal",
        "that",
      ])
  })
})
