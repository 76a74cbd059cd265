import { holdsIn, relationsIn, sidesOf } from "../../flow/facts/facts.ts"
import { oncePer } from "../../../oncePer.ts"
import type { FlowNode } from "../../flow/graph/graph.ts"
import type { StorageAccess } from "../../flow/graph/events.ts"
import type { StateVariable } from "../../model.ts"
import { chosenByCaller, has, only, type Origins, Source } from "../../flow/graph/origins.ts"
import type { Flow, Program } from "../../program.ts"
import type { Type } from "../../types.ts"
import { isLargeFunction } from "../largeFunction.ts"
import { hasInitializerModifier } from "../deployment/initializer.ts"
import type * as S from "../../syntax.ts"
import { sendsEther } from "../../flow/events/outgoingCalls.ts"
import { writtenAs } from "../value/writtenAs.ts"
import { walk } from "../../visit.ts"

/** What an addition costs whoever makes it: only gas, or also a payment that they do not choose. */
type Cost = "gas" | "payment"

/** Lists in storage that strangers can extend, and counters that they can raise, without a limit: by variable, and by name in it. */
const growth = oncePer((program: Program): ReadonlyMap<StateVariable, ReadonlyMap<string, Cost>> => {
  const grown = new Map<StateVariable, Map<string, Cost>>()
  for (const flow of program.allFlows()) {
    if (flow.fn.role === "constructor" || !program.graph.isReachable(flow.fn)) continue
    for (const { event, via, place, at } of flow.writes) {
      if (via.length > 0 || place === undefined) continue
      const type = kindOfGrowth(event, place.path)
      if (type === undefined) continue
      const isAnybodys = isOthersList(flow, event, place.keys)
      const fresh = place.variables.filter(
        (variable) =>
          (isAnybodys ? leaf(variable.type) : variable.type).kind === type &&
          grown.get(variable)?.get(listName(variable, place.path)) !== "gas",
      )
      if (fresh.length === 0 || isKeptFromStrangers(flow, at)) continue
      for (const variable of fresh) {
        if (
          isLimited(flow, at, variable) ||
          isLimitedAfter(flow, at, variable) ||
          isFirst(flow, at, variable) ||
          isKnownOnce(flow, event)
        )
          continue
        const names = grown.get(variable) ?? new Map<string, Cost>()
        grown.set(variable, names.set(listName(variable, place.path), isPaidFor(flow, at) ? "payment" : "gas"))
      }
    }
  }
  return grown
})

/**
 * Whether only what another contract names is added, and only once: a check that it has not been added precedes. How many
 * there are, that contract decides.
 */
const isKnownOnce = (flow: Flow, { value, at }: StorageAccess): boolean => {
  if (value === undefined) return false
  const { sources } = flow.origins(value, at)
  return (
    (sources & Source.external) !== 0 &&
    (sources & (chosenByCaller | Source.timestamp | Source.blockNumber)) === 0 &&
    holdsIn(
      flow.facts(at),
      ({ operator, left, withZero }) =>
        left.state.length > 0 &&
        (left.keys & Source.external) !== 0 &&
        (operator === "false" || (operator === "==" && withZero)),
    )
  )
}

/**
 * What it costs a stranger to make a list longer, or to raise a counter; undefined if they cannot, or a limit is
 * enforced. `list` is the expression of the list, of its length, or of an element: a variable may hold several lists.
 */
export const costToGrow = (
  flow: Flow,
  variable: StateVariable,
  list?: S.Expression,
  at?: FlowNode,
): Cost | undefined => {
  const names = growth(flow.program).get(variable)
  if (names === undefined) return undefined
  const name = list === undefined || at === undefined ? undefined : nameOfList(flow, list, at)
  if (name !== undefined && variable.type.kind !== "integer") return names.get(name)
  return [...names.values()].includes("gas") ? "gas" : "payment"
}

/** `rounds` in `disputes[id].rounds.push()`; the variable itself if it is the list. */
const listName = (variable: StateVariable, path: string): string =>
  `${variable.name}${path}`
    .replace(/\.length$/, "")
    .replaceAll("[]", "")
    .split(".")
    .at(-1)!

const nameOfList = (flow: Flow, list: S.Expression, at: FlowNode): string | undefined => {
  const { e, at: where } = writtenAs(flow, list, at)
  const { program } = flow
  switch (e.kind) {
    case "Identifier":
      return program.referenceOf(e)?.kind === "StateVariable" ? e.name : undefined
    case "MemberAccess": {
      const isList = e.member !== "length" && ["array", "mapping"].includes(program.typeOf(e).kind)
      return isList ? e.member : nameOfList(flow, e.object, where)
    }
    case "IndexAccess":
      return nameOfList(flow, e.base, where)
    case "FunctionCall": {
      const call = program.callOf(e)
      return call?.kind === "conversion" && call.args[0] !== undefined
        ? nameOfList(flow, call.args[0], where)
        : undefined
    }
    default:
      return undefined
  }
}

/** Whether an entry point extends a list for somebody whom its caller names: `ids[who].push(id)`. */
const isOthersList = (flow: Flow, event: StorageAccess, keys: Origins): boolean => {
  const isOthers = (value: Origins): boolean =>
    has(value, Source.parameter) && !has(value, Source.sender | Source.external | Source.created | Source.recovered)
  if (!isOthers(keys)) return false
  const reached = additions(flow.program).get(event)
  return reached === undefined || reached.some(isOthers)
}

/** By addition to a list: the keys by which it is found, in terms of the open entry points that reach it. */
const additions = oncePer((program: Program): ReadonlyMap<StorageAccess, ReadonlyArray<Origins>> => {
  const found = new Map<StorageAccess, Array<Origins>>()
  for (const flow of program.allFlows()) {
    if (!program.graph.isEntryPoint(flow.fn)) continue
    for (const { event, place, at } of flow.writes) {
      if (place === undefined || kindOfGrowth(event, place.path) !== "array" || flow.isRestricted(at)) continue
      const keys = found.get(event)
      if (keys === undefined) found.set(event, [place.keys])
      else keys.push(place.keys)
    }
  }
  return found
})

const chosen = Source.parameter | Source.calldata | Source.value | Source.literal

const isDue = (amount: Origins): boolean => !only(amount, chosen)

/** Whether the caller must pay for the addition in an amount that they do not choose: it is compared with it, or sent on. */
const isPaidFor = (flow: Flow, at: FlowNode): boolean =>
  holdsIn(
    flow.facts(at),
    ({ operator, left, right, withZero }) =>
      right !== undefined &&
      !withZero &&
      operator !== "!=" &&
      ((has(left, Source.value) && isDue(right)) || (has(right, Source.value) && isDue(left))),
  ) || duePayments(flow).some((payment) => flow.reaches(payment, at) || flow.reaches(at, payment))

/** Limit: payments of one function that are examined. */
const paymentLimit = 20

/** Where a payable function sends on an amount that its caller does not choose, and not back to them. */
const duePayments = oncePer((flow: Flow): ReadonlyArray<FlowNode> =>
  flow.fn.mutability !== "payable"
    ? []
    : flow
        .calls()
        .filter(
          (site) =>
            sendsEther(site) &&
            site.receiver !== undefined &&
            isDue(flow.origins(site.value!, site.at)) &&
            !has(flow.origins(site.receiver, site.at), Source.sender),
        )
        .slice(0, paymentLimit)
        .map(({ at }) => at),
)

const leaf = (type: Type): Type => (type.kind === "mapping" ? leaf(type.value) : type)

const kindOfGrowth = (event: StorageAccess, path: string): "array" | "integer" | undefined => {
  if (event.operation === "push") return "array"
  // before 0.6: `list.length++`, `list.length = n`
  if (path.endsWith(".length")) return event.operation === "delete" || event.operation === "pop" ? undefined : "array"
  return event.operation === "increment" && path === "" && isRaised(event) ? "integer" : undefined
}

const isRaised = ({ at, expression }: StorageAccess): boolean => {
  let raised = false
  if (at.expression === undefined) return false
  walk(at.expression, (e) => {
    raised ||= e.kind === "UnaryOperation" && e.operator === "++" && e.operand === expression
    return !raised
  })
  return raised
}

const orderings = new Set(["<", "<=", ">", ">="])

/** Limits: callers followed in a row, and callers of one function. */
const depthLimit = 3
const callerLimit = 8

/** Whether only some accounts get there, or everyone together once. */
const isKeptFromStrangers = (flow: Flow, at: FlowNode, depth = 0): boolean => {
  if (flow.isRestricted(at) || hasInitializerModifier(flow.fn)) return true
  const { graph } = flow.program
  const callers = graph.callers(flow.fn)
  return (
    !graph.isEntryPoint(flow.fn) &&
    depth < depthLimit &&
    callers.length > 0 &&
    callers.length <= callerLimit &&
    callers.every(({ from, call }) => {
      const caller = flow.program.flow(from)
      const site = caller.siteOf(call.node)
      return site !== undefined && isKeptFromStrangers(caller, site.at, depth + 1)
    })
  )
}

/** Whether an earlier check compares the length with something that the caller does not choose, or what is listed with the time. */
const isLimited = (flow: Flow, at: FlowNode, variable: StateVariable): boolean =>
  relationsIn(flow.facts(at)).some(
    ({ operator, left, right, withZero }) =>
      right !== undefined &&
      [[left, right] as const, [right, left] as const].some(
        ([length, limit]) =>
          length.state.includes(variable) &&
          (limit.sources & Source.parameter) === 0 &&
          (has(limit, Source.timestamp) || (!withZero && orderings.has(operator) && length.keys === 0)),
      ),
  )

/** Whether it is added only while there is none. */
const isFirst = (flow: Flow, at: FlowNode, variable: StateVariable): boolean =>
  holdsIn(
    flow.facts(at),
    (relation) =>
      relation.operator === "==" &&
      relation.withZero &&
      sidesOf(relation).some(({ state, keys }) => keys === 0 && state.includes(variable)),
  )

/** Whether it is undone if the list has become too long. */
const isLimitedAfter = (flow: Flow, at: FlowNode, variable: StateVariable): boolean =>
  !isLargeFunction(flow) &&
  flow
    .conditionNodes()
    .some(
      (node) =>
        flow.dominates(at, node) &&
        node.expression?.kind === "BinaryOperation" &&
        orderings.has(node.expression.operator) &&
        flow.origins(node.expression.left, node).state.includes(variable) &&
        !has(flow.origins(node.expression.right, node), Source.parameter) &&
        node.succs.some((next) => next !== flow.exit && !flow.reaches(next, flow.exit)),
    )
