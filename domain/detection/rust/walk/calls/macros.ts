import type { Value } from "../../terms/events.ts"
import type { MacroCheck } from "../../crate/checkMacros.ts"
import { record } from "./followCall.ts"
import { lookUp } from "../values/names.ts"
import { bindPattern } from "../control/patterns.ts"
import type { CallSite } from "../state/platform.ts"
import { comparingMacros, divergingMacros, errorMacros, requireMacros } from "../values/std.ts"
import type { MacroCall } from "../../syntax/syntax.ts"
import type { Term } from "../../terms/terms.ts"
import { isNamed, namedType, type RustType, unknownType } from "../../crate/types.ts"
import type { Walk } from "../state/walk.ts"

/** Macros that compare addresses accept accounts as well. */
const addressOf = ({ terms }: Walk, { term, type }: Value): Term =>
  type.kind === "unknown" || isNamed(type, "Pubkey", "Address") || (term.kind === "field" && term.name === "key")
    ? term
    : terms.field(term, "key")

/** What the project's own definition of a macro requires; if several crates define it, that of the caller's crate. */
const checkOfCall = ({ frame, resolver }: Walk, { name, args }: MacroCall): MacroCheck | undefined => {
  const { crate } = frame.function.module
  let found = crate.checkMacros.get(name)
  if (found === undefined)
    for (const other of resolver.crates.values()) if ((found = other.checkMacros.get(name)) !== undefined) break
  const last = found?.kind === "comparison" ? Math.max(found.left, found.right) : found?.index
  return last === undefined || last >= args.length ? undefined : found
}

const conditionOf = (walk: Walk, { args }: MacroCall, check: MacroCheck): Term => {
  if (check.kind === "comparison") {
    const { term } = walk.expression(args[check.left]!)
    return walk.terms.binary(check.operator, term, walk.expression(args[check.right]!).term)
  }
  const asked = args.slice(check.index, check.all === true ? args.length : check.index + 1)
  const condition = asked.map((one) => walk.condition(one)).reduce((all, one) => walk.terms.binary("&&", all, one))
  return check.holds ? condition : walk.terms.not(condition)
}

export const evaluateMacro = (walk: Walk, node: MacroCall): Value => {
  const { name } = node
  const { terms } = walk
  if (name === "vec") {
    const values = node.args.map((one) => walk.expression(one))
    const element = values.find((one) => one.type.kind !== "unknown")?.type ?? unknownType
    const items = values.map((one) => one.term)
    const type: RustType = namedType("Vec", [element])
    return { term: node.repeat ? terms.call("repeat", "", items) : terms.list(items, false), type }
  }
  if (name === "matches") {
    const value = node.args[0] === undefined ? walk.opaque([]) : walk.expression(node.args[0])
    if (node.pattern === undefined) return walk.opaque([value.term], namedType("bool"))
    const facts = [...bindPattern(walk, node.pattern, value)]
    if (node.guard !== undefined) facts.push(walk.condition(node.guard))
    let all: Term | undefined
    for (const one of facts) all = all === undefined ? one : terms.binary("&&", all, one)
    return { term: all ?? terms.literal("boolean", "true"), type: namedType("bool") }
  }
  const own = checkOfCall(walk, node)
  if (own !== undefined) {
    const condition = conditionOf(walk, node, own)
    if (walk.isDead) return { ...walk.unit, never: true }
    walk.emit({ ...walk.at(node), kind: "check", conditions: walk.consequences(condition, true) })
    walk.assume(condition, true)
    return walk.unit
  }
  const comparing = comparingMacros[name]
  const [first, second] = node.args
  const rest = (from: number) => node.args.slice(from).map((one) => walk.expression(one))
  if (comparing !== undefined && first !== undefined && second !== undefined) {
    const left = walk.expression(first)
    const right = walk.expression(second)
    if (walk.isDead) return { ...walk.unit, never: true }
    const fact = /_keys_/.test(name)
      ? terms.binary(comparing, addressOf(walk, left), addressOf(walk, right))
      : terms.binary(comparing, left.term, right.term)
    if (!name.startsWith("debug_")) {
      walk.assume(fact, true)
      walk.emit({ ...walk.at(node), kind: "check", conditions: [fact] })
    }
    return walk.unit
  }
  if ((requireMacros.has(name) || /^(require|ensure|assert)_/.test(name)) && first !== undefined) {
    const condition = walk.condition(first)
    if (walk.isDead) return { ...walk.unit, never: true }
    if (!name.startsWith("debug_")) {
      walk.emit({ ...walk.at(node), kind: "check", conditions: walk.consequences(condition, true) })
      walk.assume(condition, true)
    }
    return walk.unit
  }
  const args = rest(0)
  if (walk.isDead) return { ...walk.unit, never: true }
  const path = `${lookUp(walk, node.path).path}!`
  const site: CallSite = {
    name: `${name}!`,
    path,
    method: false,
    args,
    nodes: node.args,
    generics: [],
    selfType: undefined,
    target: undefined,
    node,
  }
  const result = record(walk, site, () => {
    const own = walk.semantics.call?.(site, walk)
    if (own !== undefined) return own
    const term = terms.call(
      `${name}!`,
      path,
      args.map((one) => one.term),
    )
    if (errorMacros.has(name)) return { term, type: namedType("Result", [unknownType]), failure: true }
    return { term, type: name === "format" ? namedType("String") : unknownType }
  })
  if (divergingMacros.has(name)) {
    walk.die("failure")
    return { ...walk.unit, never: true }
  }
  return result
}
