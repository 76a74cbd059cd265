import { shutsOut } from "../../demands/demands.ts"
import { oncePer } from "../../../oncePer.ts"
import type { Definition, FlowNode } from "../../flow/graph/graph.ts"
import { holdsIn, type Relation, relationsIn } from "../../flow/facts/facts.ts"
import { isZero } from "../../flow/values/isZero.ts"
import type { Flow } from "../../program.ts"
import type { LocalVariable } from "../../model.ts"
import { only, type Origins, Source } from "../../flow/graph/origins.ts"
import { Shape } from "../../flow/graph/shape.ts"
import type * as S from "../../syntax.ts"
import { walk } from "../../visit.ts"

/** A parameter through which a stranger can choose a number of any size. */
export interface CallerNumber {
  readonly parameter: LocalVariable
  /** The function that declares the parameter, and the node in it up to which checks count. */
  readonly flow: Flow
  readonly at: FlowNode
}

const depthLimit = 12
const callerLimit = 12

/**
 * The parameter through which a stranger can make an operand as large as an integer of `bits` gets; undefined if the
 * operand is bounded: a literal, state, ether (below 2^90), time, a quotient or remainder, or a much narrower type.
 */
export const callerNumber = (flow: Flow, e: S.Expression, at: FlowNode, bits: number): CallerNumber | undefined => {
  const known = bounded(flow)
  const steps: Steps = { seen: new Set(), edges: new Set(), bounded: known.get(bits) ?? new Set(), isCut: false }
  known.set(bits, steps.bounded)
  const found = search(flow, e, at, bits, steps, 0)
  if (found === undefined && !steps.isCut) for (const one of steps.seen) steps.bounded.add(one)
  return found
}

/** What a search has been through, and what those that found nothing have. */
interface Steps {
  readonly seen: Set<Definition>
  readonly edges: Set<unknown>
  readonly bounded: Set<Definition>
  /** Whether something was too far away, or was not looked at for another reason, or is capped where it comes from. */
  isCut: boolean
}

/** By the size of the integer, the definitions from which searches that began in a function have found nothing. */
const bounded = oncePer<Flow, Map<number, Set<Definition>>>(() => new Map())

const search = (
  flow: Flow,
  e: S.Expression,
  at: FlowNode,
  bits: number,
  steps: Steps,
  depth: number,
): CallerNumber | undefined => {
  if (depth > depthLimit) {
    steps.isCut = true
    return undefined
  }
  const again = (inner: S.Expression, where = at): CallerNumber | undefined =>
    search(flow, inner, where, bits, steps, depth + 1)
  const type = flow.program.typeOf(e)
  // A sum of values half as wide does not reach the limit.
  if (type.kind === "integer" && type.bits * 2 <= bits) return undefined
  switch (e.kind) {
    case "Identifier": {
      const variable = flow.program.referenceOf(e)
      if (variable?.kind !== "LocalVariable") return undefined
      const { definitions, initial } = flow.values.reaching(variable, at)
      const isParameter = flow.fn.parameters.includes(variable)
      if (initial && isParameter) {
        const found = fromOutside(flow, variable, at, bits, steps, depth)
        if (found !== undefined) return found
      }
      for (const d of definitions) {
        if (d.value === undefined || d.index !== undefined || steps.seen.has(d) || steps.bounded.has(d)) continue
        steps.seen.add(d)
        // Assembly values are not followed.
        if (d.value.kind.startsWith("Yul")) continue
        const found = again(d.value as S.Expression, d.at)
        if (found !== undefined) return found
      }
      return undefined
    }
    case "IndexAccess":
    case "MemberAccess":
      return again(e.kind === "IndexAccess" ? e.base : e.object)
    case "UnaryOperation":
      return e.operator === "-" ? again(e.operand) : undefined
    case "BinaryOperation":
      return e.operator === "+" || e.operator === "-" || e.operator === "*"
        ? (again(e.left) ?? again(e.right))
        : undefined
    case "Conditional":
      // the smaller of two numbers
      return isOrdering(e.condition) ? undefined : (again(e.then) ?? again(e.else))
    case "Assignment":
      return again(e.right)
    case "FunctionCall": {
      const call = flow.program.callOf(e)
      if (call?.kind !== "conversion" || call.type?.kind !== "integer" || call.args[0] === undefined) return undefined
      return call.type.bits * 2 <= bits ? undefined : again(call.args[0])
    }
    default:
      return undefined
  }
}

/**
 * The parameter through which a stranger controls it: that of an open entry point, or one that passes it on unchecked.
 */
const fromOutside = (
  flow: Flow,
  parameter: LocalVariable,
  at: FlowNode,
  bits: number,
  steps: Steps,
  depth: number,
): CallerNumber | undefined => {
  if (parameter.type.kind === "address" || parameter.type.kind === "bool" || parameter.type.kind === "bytes")
    return undefined
  const { graph } = flow.program
  if (graph.isEntryPoint(flow.fn)) {
    if (flow.fn.mutability === "view" || flow.fn.mutability === "pure") return undefined
    return { parameter, flow, at }
  }
  if (isCapped({ parameter, flow, at })) return undefined
  for (const edge of graph.callers(flow.fn).slice(0, callerLimit)) {
    if (edge.from === flow.fn) continue
    if (steps.edges.has(edge)) {
      steps.isCut = true
      continue
    }
    steps.edges.add(edge)
    const caller = flow.program.flow(edge.from)
    const site = caller.siteOf(edge.call.node)
    const arg = site?.call?.args[flow.fn.parameters.indexOf(parameter)]
    if (site === undefined || arg === undefined || shutsOut(caller, site.at)) continue
    const found = search(caller, arg, site.at, bits, steps, depth + 1)
    if (found === undefined) continue
    if (!isCapped(found)) return found
    steps.isCut = true
  }
  return undefined
}

const upper = new Set(["<", "<=", "=="])
const lower = new Set([">", ">=", "=="])

/** Whether a check before the use keeps the parameter below something that its caller does not choose. */
export const isCapped = ({ parameter, flow, at }: CallerNumber): boolean => {
  const chosen = (value: Origins): boolean => only(value, Source.parameter | Source.calldata)
  const caps = ({ operator, left, right, withZero }: Relation): boolean =>
    right !== undefined &&
    !withZero &&
    ((left.parameters.includes(parameter) && upper.has(operator) && !chosen(right)) ||
      (right.parameters.includes(parameter) && lower.has(operator) && !chosen(left)))
  // Where the number itself is replaced, the alternative to being small enough is another number.
  const isReplaced = flow.values.reaching(parameter, at).definitions.length > 0
  const facts = flow.facts(at)
  return isReplaced ? relationsIn(facts).some(caps) : holdsIn(facts, caps)
}

const plain = Source.literal | Source.state | Source.parameter | Source.constant | Source.sender

/** What a value can have in common with another one: a state variable, a parameter, ether, or a balance. */
export const shared = ({ state, parameters, sources }: Origins): ReadonlyArray<unknown> => {
  const bits: Array<number> = []
  for (let rest = sources & ~plain; rest !== 0; rest &= rest - 1) bits.push(rest & -rest)
  return [...state, ...parameters, ...bits]
}

/** Whether the two values have something in common. */
export const share = (a: Origins, b: Origins): boolean =>
  a.state.some((v) => b.state.includes(v)) ||
  a.parameters.some((p) => b.parameters.includes(p)) ||
  (a.sources & b.sources & ~plain) !== 0

/** Whether a relation compares an operand with the other one, or a result with what it was computed from. */
export const compares = (left: Origins, right: Origins, chosen: Origins, result: Origins): boolean =>
  (share(left, chosen) && share(right, result)) || (share(right, chosen) && share(left, result))

export const ordering = new Set<string>(["<", "<=", ">", ">="])

export const isOrdering = (e: S.Node): e is S.BinaryOperation =>
  e.kind === "BinaryOperation" && ordering.has(e.operator)

/** Whether some path of the function compares the parameter with something, even if this one does not. */
export const comparedAnywhere = ({ parameter, flow }: CallerNumber): boolean => comparedIn(flow).has(parameter)

/** `(a | b) >> 128 == 0`: neither is wider. */
const isShifted = ({ left, right }: S.BinaryOperation): boolean =>
  [left, right].some((side) => side.kind === "BinaryOperation" && side.operator === ">>") &&
  (isZero(left) || isZero(right))

/** Parameters that conditions compare with anything but zero, or whose width they limit. */
const comparedIn = oncePer((flow: Flow): ReadonlySet<LocalVariable> => {
  const compared = new Set<LocalVariable>()
  for (const node of flow.conditionNodes()) {
    if ((node.shape & (Shape.ordering | Shape.bits)) === 0) continue
    walk(node.expression!, (e) => {
      const isWidth = e.kind === "BinaryOperation" && (e.operator === "==" || e.operator === "!=") && isShifted(e)
      if (!isWidth && (!isOrdering(e) || isZero(e.left) || isZero(e.right))) return
      for (const side of [e.left, e.right]) for (const p of flow.origins(side, node).parameters) compared.add(p)
    })
  }
  return compared
})
