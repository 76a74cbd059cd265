import type { SourceUnit } from "./syntax.ts"

/** A compiler version as one number, so that `0.8.20` is 8020: comparable with `<`. */
export type Version = number

export const version = (text: string): Version => {
  const [major = 0, minor = 0, patch = 0] = text.split(".").map((part) => Number.parseInt(part, 10) || 0)
  return major * 1_000_000 + minor * 1000 + patch
}

/**
 * The compilers that a file allows. Without a pragma, the syntax decides between the last 0.4 and the latest version.
 */
export interface VersionRange {
  /** The lowest version allowed. */
  readonly min: Version
  /** The highest version allowed; Infinity without an upper bound. */
  readonly max: Version
  readonly fromPragma: boolean
  /** Whether sums and products revert on overflow in every allowed version (outside `unchecked`). */
  readonly checkedArithmetic: boolean
  /** Whether constructors may be named after the contract, and functions without visibility are public. */
  readonly before05: boolean
}

const range = (min: Version, max: Version, fromPragma: boolean): VersionRange => ({
  min,
  max,
  fromPragma,
  checkedArithmetic: min >= 8000,
  before05: min < 5000,
})

const next = (v: Version, part: "patch" | "minor"): Version => {
  if (part === "patch") return v - 1
  return (Math.floor(v / 1000) + 1) * 1000 - 1
}

/** One comparator, such as `^0.8.0`, `>=0.4.22`, `0.5.*`. */
const comparator = (operator: string, text: string): readonly [Version, Version] => {
  const parts = text.split(".")
  const wild = parts.some((part) => /[*xX]/.test(part)) || parts.length < 3
  const v = version(text)
  switch (operator) {
    case "^":
      // Below 1.0.0, the caret pins the minor version.
      return [v, v >= 1_000_000 ? (Math.floor(v / 1_000_000) + 1) * 1_000_000 - 1 : next(v, "minor")]
    case "~":
      return [v, next(v, "minor")]
    case ">=":
      return [v, Infinity]
    case ">":
      return [v + 1, Infinity]
    case "<=":
      return [0, v]
    case "<":
      return [0, next(v, "patch")]
    default:
      return wild ? [v, next(v, "minor")] : [v, v]
  }
}

/** Operators and versions, with white space as it may occur between them. */
const comparators = (text: string) =>
  text.replaceAll(/\s+/g, " ").matchAll(/(\^|~|>=|>|<=|<|=)? ?v?(\d+(?: ?\. ?[\d*xX]+)*)/g)

/** Reads the value of a `pragma solidity`; an unreadable one allows everything. */
export const parseVersionPragma = (value: string): readonly [Version, Version] => {
  let min = Infinity
  let max = 0
  for (const alternative of value.replaceAll(/["']/g, "").split("||")) {
    let low = 0
    let high = Infinity
    const hyphen = /^\s*v?(\d[\d.]*)\s+-\s+v?(\d[\d.]*)\s*$/.exec(alternative)
    if (hyphen !== null) {
      low = version(hyphen[1]!)
      high = version(hyphen[2]!)
    } else {
      for (const [, operator, text] of comparators(alternative)) {
        const [from, to] = comparator(operator ?? "=", text!.replaceAll(/\s/g, ""))
        low = Math.max(low, from)
        high = Math.min(high, to)
      }
    }
    min = Math.min(min, low)
    max = Math.max(max, high)
  }
  return [min === Infinity ? 0 : min, max]
}

/** The range of a file: all of its `pragma solidity` combined. */
export const versionOf = (unit: SourceUnit): VersionRange => {
  let min = 0
  let max = Infinity
  let fromPragma = false
  for (const pragma of unit.pragmas) {
    if (pragma.name !== "solidity") continue
    fromPragma = true
    const [low, high] = parseVersionPragma(pragma.value)
    min = Math.max(min, low)
    max = Math.min(max, high)
  }
  // 0.4.0 is the oldest version whose syntax is supported.
  if (fromPragma) return range(Math.max(min, 4000), max, true)
  const old = unit.items.some(
    (item) =>
      item.kind === "ContractDefinition" &&
      item.contractKind !== "interface" &&
      item.members.some(
        (m) => m.kind === "FunctionDefinition" && m.functionKind === "function" && m.visibility === "default",
      ),
  )
  return old ? range(4000, 4026, false) : range(8000, Infinity, false)
}
