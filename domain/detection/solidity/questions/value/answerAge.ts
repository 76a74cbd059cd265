import { indexBy } from "../../../indexBy.ts"
import { oncePer } from "../../../oncePer.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import type { Definition, FlowNode } from "../../flow/graph/graph.ts"
import { isZero } from "../../flow/values/isZero.ts"
import type { FunctionModel, LocalVariable } from "../../model.ts"
import type { Flow } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { walk } from "../../visit.ts"

/** A call that returns a value and its time, with their positions among its results. */
export interface TimedAnswer {
  readonly flow: Flow
  readonly site: CallSite
  readonly answer: number
  readonly times: ReadonlyArray<number>
}

/** What happens to the time of an answer. `told`: it is returned, so the callers are responsible for checking it. */
type AgeUse = "compared" | "told" | "ignored"

export const ageUse = (timed: TimedAnswer): AgeUse => {
  const { flow, site, answer, times } = timed
  const taken = takenFrom(flow, site)
  if (!taken.some(({ index }) => index === answer)) return "compared"
  let told = false
  for (const { index, variable, keepsOld } of taken) {
    if (index === undefined || !times.includes(index) || variable.kind !== "LocalVariable") continue
    const use = keepsOld ? memberUse(flow, site, index) : localUse(flow, variable, new Set())
    if (use === "compared") return use
    told ||= use === "told"
  }
  return told ? "told" : "ignored"
}

/** Calls of a function that passes on the answer and its time without checking the time itself. */
export const relayed = (timed: TimedAnswer): ReadonlyArray<TimedAnswer> => {
  const { flow, site } = timed
  const taken = takenFrom(flow, site)
  const heldAt = (positions: ReadonlyArray<number>): ReadonlyArray<number> =>
    positions.flatMap((position) =>
      taken.flatMap(({ index, variable }) =>
        index === position && variable.kind === "LocalVariable" ? returnedAs(flow, variable) : [],
      ),
    )
  const [answer] = heldAt([timed.answer])
  const times = heldAt(timed.times)
  if (answer === undefined || times.length === 0) return []
  return flow.program.graph.callers(flow.fn).flatMap(({ from, call }) => {
    const caller = flow.program.flow(from as FunctionModel) // modifiers are not callers in this graph
    const there = caller.siteOf(call.node)
    return there === undefined ? [] : [{ flow: caller, site: there, answer, times }]
  })
}

/** Variables that receive the results of a call, including those of a `try`. */
const takenFrom = (flow: Flow, { node, at }: CallSite): ReadonlyArray<Definition> => {
  const here = at.definitions.filter(({ value }) => value === node)
  return here.length > 0
    ? here
    : flow.nodes.flatMap(({ definitions }) => definitions.filter(({ value }) => value === node))
}

/** By variable, the positions among the function's results at which it is returned. */
const returnedIn = oncePer((flow: Flow): ReadonlyMap<unknown, ReadonlyArray<number>> => {
  const positions = new Map(flow.fn.returns.map(({ node }, position) => [node, position]))
  const found = new Map<unknown, Array<number>>()
  const add = (variable: unknown, position: number): void => {
    const known = found.get(variable)
    if (known === undefined) found.set(variable, [position])
    else known.push(position)
  }
  for (const variable of flow.fn.returns) add(variable.node, positions.get(variable.node)!)
  for (const { definitions } of flow.nodes)
    for (const { variable, value } of definitions) {
      const position = positions.get(variable.node as LocalVariable["node"])
      const from = value?.kind === "Identifier" ? flow.program.referenceOf(value) : undefined
      if (position !== undefined && from?.kind === "LocalVariable") add(from.node, position)
    }
  return found
})

/** The positions at which the function returns the variable. */
const returnedAs = (flow: Flow, { node }: LocalVariable): ReadonlyArray<number> =>
  [...new Set(returnedIn(flow).get(node))].toSorted((a, b) => a - b)

/** By variable, the steps that use it, beyond testing whether it exists at all. */
const usesOf = oncePer((flow: Flow) =>
  indexBy(flow.nodes, (node) => {
    const used = new Set<unknown>()
    mentions(node, (e) => {
      if (e.kind === "Identifier") used.add(flow.program.referenceOf(e))
      return false
    })
    return used
  }),
)

/** Limit: locals that a time is followed into. */
const localLimit = 20

const isOfLocal = ({ variable }: Definition): boolean => variable.kind === "LocalVariable"

const localUse = (flow: Flow, variable: LocalVariable, seen: Set<LocalVariable>): AgeUse => {
  if (seen.size >= localLimit) return "compared"
  seen.add(variable)
  let told = variable.role === "return"
  for (const node of usesOf(flow).get(variable) ?? []) {
    if (!node.definitions.some(isOfLocal) || callsOthers(node)) return "compared"
    for (const { variable: next } of node.definitions) {
      if (next.kind !== "LocalVariable" || seen.has(next)) continue
      const use = localUse(flow, next, seen)
      if (use === "compared") return use
      told ||= use === "told"
    }
  }
  return told ? "told" : "ignored"
}

/** The same for a struct member in memory that the result is assigned to. */
const memberUse = (flow: Flow, { at }: CallSite, index: number): AgeUse => {
  const { expression } = at
  const left =
    expression?.kind === "Assignment" && expression.left.kind === "TupleExpression" ? expression.left : undefined
  const target = left?.components[index]
  if (target?.kind !== "MemberAccess") return "compared"
  const structOf = (e: S.Node) => (e.kind === "Identifier" ? flow.program.referenceOf(e) : undefined)
  const struct = structOf(target.object)
  const isOther = (e: S.Node): boolean =>
    e.kind === "MemberAccess" && e.member !== target.member && structOf(e.object) === struct
  if (struct?.kind === "LocalVariable" && struct.role === "return") return "compared"
  return flow.nodes.some((node) => node !== at && mentions(node, (e) => structOf(e) === struct, isOther))
    ? "compared"
    : "ignored"
}

/** Whether the step uses the value, beyond testing whether it exists at all. */
const mentions = (
  { expression, kind }: FlowNode,
  is: (e: S.Node) => boolean,
  isOther: (e: S.Node) => boolean = () => false,
): boolean => {
  // `updatedAt;` only silences the compiler, and the condition of a branch is a step, too
  if (expression === undefined || kind === "branch" || expression.kind === "Identifier") return false
  let found = false
  walk(expression, (e) => {
    if (e.kind === "BinaryOperation" && /^[<>]=?$|^[!=]=$/.test(e.operator) && (isZero(e.left) || isZero(e.right)))
      return false
    if (isOther(e)) return false
    found ||= is(e)
    return !found
  })
  return found
}

/** Whether something is called that can inspect the value passed to it. */
const callsOthers = ({ events }: FlowNode): boolean =>
  events.some(
    (event) =>
      event.kind === "call" && event.args.length > 0 && !/^(?:conversion|builtin|struct)$/.test(event.callKind),
  )
