import { oncePer } from "../../../oncePer.ts"
import type * as S from "../../syntax.ts"
import { type Fact, isImpossible, mirrored, type Relation } from "./facts.ts"
import { chosenByCaller, type Origins, Source } from "../graph/origins.ts"

/**
 * How a fact ties an execution to who asked for it. `owner`: the sender equals something stored, constant or immutable,
 * or what a function without source returns, such as `owner()` · `member`: a stored table says yes to the sender ·
 * `external`: another contract does · `signature`: a recovered signer · `proof`: a hash of the input equals one that is
 * stored, here or in a known contract · `origin`: tx.origin instead of the sender · `self`: the sender equals an argument
 * · `holder`: the sender has a nonzero balance or entry.
 */
export type CallerCheckKind = "owner" | "member" | "external" | "signature" | "proof" | "origin" | "self" | "holder"

export interface CallerCheck {
  readonly kind: CallerCheckKind
  readonly fact: Fact
}

/** The kinds that keep strangers out. */
export const restrictive: ReadonlySet<CallerCheckKind> = new Set([
  "owner",
  "member",
  "external",
  "signature",
  "proof",
  "origin",
])

const fixedSources =
  Source.state | Source.constant | Source.immutable | Source.external | Source.self | Source.created | Source.lowLevel
const plain = Source.literal | Source.constant | Source.immutable | Source.state

/**
 * Reads a fact as a check of the caller; undefined if it is not one. The facts on a long path are queried at each of its
 * steps.
 */
export const callerCheck = oncePer((fact: Fact): CallerCheck | undefined => {
  if (fact.kind === "any") {
    // Every alternative must check the caller; the weakest of them counts.
    let weakest: CallerCheck | undefined
    for (const option of fact.options) {
      if (option.some(isImpossible)) continue
      const checks = option.flatMap((f) => callerCheck(f) ?? [])
      const best = checks.find((c) => restrictive.has(c.kind)) ?? checks[0]
      if (best === undefined) return undefined
      if (weakest === undefined || !restrictive.has(best.kind)) weakest = best
    }
    return weakest === undefined ? undefined : { kind: weakest.kind, fact }
  }
  const kind = kindOf(fact)
  return kind === undefined ? undefined : { kind, fact }
})

const kindOf = ({ operator: written, left, right, withZero, expression }: Relation): CallerCheckKind | undefined => {
  if (right === undefined) {
    if (written !== "true") return undefined
    if ((left.sources & Source.recovered) !== 0) return "signature"
    if ((left.sources & Source.hash) !== 0 && (left.sources & Source.state) !== 0) return "proof"
    return lookup(left)
  }
  for (const [a, b, operator] of [
    [left, right, written],
    [right, left, mirrored[written]],
  ] as const) {
    if ((a.sources & Source.recovered) !== 0) {
      // A comparison with zero alone proves nothing about who signed.
      if (operator === "==" && (b.sources & ~Source.literal) !== 0) return "signature"
      continue
    }
    // A hash that includes the sender is a leaf of a list that contains them.
    const isLeaf = (a.sources & Source.hash) !== 0 && (a.sources & (Source.parameter | Source.calldata)) !== 0
    if (operator === "==" && (a.sources & Source.sender) !== 0 && !isLeaf) {
      if ((b.sources & fixedSources) !== 0 || b.sources === Source.unknown)
        return (b.targets & chosenByCaller) === 0 ? "owner" : "self"
      if (b.sources === Source.literal) return withZero ? undefined : "owner"
      if ((b.sources & (Source.parameter | Source.calldata)) !== 0) return "self"
    }
    if (operator === "==" && (a.sources & Source.txOrigin) !== 0 && (b.sources & (fixedSources | Source.literal)) !== 0)
      return "origin"
    // Two texts are compared by their hashes: the stored one is not a secret.
    const areTexts = (b.sources & Source.hash) !== 0
    if (
      operator === "==" &&
      (a.sources & Source.hash) !== 0 &&
      !areTexts &&
      ((b.sources & (Source.state | Source.immutable | Source.constant)) !== 0 ||
        ((b.sources & Source.external) !== 0 && (b.targets & chosenByCaller) === 0)) &&
      (a.sources & (Source.parameter | Source.calldata | Source.sender)) !== 0
    )
      return "proof"
    const table = lookup(a)
    if (table === undefined) continue
    if (operator === "!=" && withZero && (a.sources & chosenByCaller) === 0 && isBitTest(expression)) return table
    // An entry of the sender that is large enough for the request, or not empty: anyone may come to have one.
    if (operator === ">" || operator === ">=" || (operator === "!=" && withZero))
      return table === "member" ? "holder" : undefined
    if (operator === "==" && !withZero && (b.sources & ~plain) === 0) return table
  }
  return undefined
}

/** `rolesOf[msg.sender] & ADMIN != 0`: a mask asks for certain bits. */
const isBitTest = (e: Relation["expression"]): boolean =>
  e.kind === "BinaryOperation" &&
  [e.left, e.right].some((side) => side.kind === "BinaryOperation" && side.operator === "&")

/** Something stored, or another contract's answer, that the sender selects. */
const lookup = (value: Origins): CallerCheckKind | undefined => {
  if ((value.keys & Source.sender) === 0) {
    return (value.keys & Source.txOrigin) !== 0 && (value.sources & Source.state) !== 0 ? "origin" : undefined
  }
  if ((value.sources & Source.state) !== 0) return "member"
  // An answer proves nothing if the sender chose whom to ask.
  if ((value.targets & chosenByCaller) !== 0) return undefined
  if ((value.sources & (Source.external | Source.lowLevel | Source.unknown)) === 0) return undefined
  return value.calls.length === 0 || value.calls.some(asks) ? "external" : undefined
}

/**
 * False if the call does something for the sender (such as taking a payment), which anybody can have done for
 * themselves. That a low-level call succeeded, which may change anything, says no more.
 */
export const asks = (call: S.FunctionCall | S.YulFunctionCall): boolean => {
  if (call.kind === "YulFunctionCall") return call.name === "staticcall"
  const callee = call.callee.kind === "FunctionCallOptions" ? call.callee.callee : call.callee
  return (
    callee.kind !== "MemberAccess" || !/^(call$|(safe)?(transfer|burn|pull|deposit|permit|mint))/i.test(callee.member)
  )
}
