import { oncePer } from "../../oncePer.ts"
import type { StorageAccess } from "../flow/graph/events.ts"
import type { FlowNode } from "../flow/graph/graph.ts"
import { declaredWhole, isComputedSlot } from "../flow/graph/storagePlace.ts"
import type { Reached } from "../flow/functionSummary.ts"
import type { StateVariable } from "../model.ts"
import type { Flow, Program } from "../program.ts"
import { calledOperators } from "../questions/value/calledOperators.ts"
import { sameExpression } from "../questions/value/sameExpression.ts"
import { storageUse } from "../questions/value/storageUse.ts"
import type * as S from "../syntax.ts"

// How the amounts that a program keeps go up and down.

export type Way = "raises" | "lowers" | "sets"

/** One statement that changes a stored amount. */
export interface Change {
  readonly flow: Flow
  readonly at: FlowNode
  readonly event: StorageAccess
  readonly variable: StateVariable
  /** The variable, and the member of the structs that it holds. */
  readonly name: string
  readonly way: Way
  /** By what it goes up or down, or what it is set to. */
  readonly by: S.Expression | undefined
}

/** What happens to one amount in the whole program. */
export interface Amount {
  readonly variable: StateVariable
  readonly raises: ReadonlyArray<Change>
  readonly lowers: ReadonlyArray<Change>
  readonly sets: ReadonlyArray<Change>
}

export interface Amounts {
  /** By variable and member. */
  readonly all: ReadonlyMap<string, Amount>
  /** What a function changes in its own text. */
  readonly changesOf: ReadonlyMap<Flow, ReadonlyArray<Change>>
}

export const amountsOf = oncePer((program: Program): Amounts => {
  const { handed } = storageUse(program)
  const all = new Map<
    string,
    { variable: StateVariable; raises: Array<Change>; lowers: Array<Change>; sets: Array<Change> }
  >()
  const changesOf = new Map<Flow, Array<Change>>()
  const ids = new Map<StateVariable, number>()
  const seen = new Set<StorageAccess>()
  for (const flow of program.allFlows()) {
    for (const write of flow.writes) {
      // what a pointer that is passed refers to differs from caller to caller
      if (write.via.length > 0 && (write.event.place.parameters.length === 0 || seen.has(write.event))) continue
      seen.add(write.event)
      const change = changeIn(flow, write, ids)
      if (change === undefined || handed.has(declaredWhole(change.variable))) continue
      let amount = all.get(change.name)
      if (amount === undefined)
        all.set(change.name, (amount = { variable: change.variable, raises: [], lowers: [], sets: [] }))
      amount[change.way].push(change)
      if (write.via.length > 0) continue
      const known = changesOf.get(flow)
      if (known === undefined) changesOf.set(flow, [change])
      else known.push(change)
    }
  }
  return { all, changesOf }
})

const changeIn = (
  flow: Flow,
  { event, place, at }: Reached<StorageAccess>,
  ids: Map<StateVariable, number>,
): Change | undefined => {
  const [variable, ...others] = place?.variables ?? []
  if (variable === undefined || others.length > 0 || isComputedSlot(variable)) return undefined
  let id = ids.get(variable)
  if (id === undefined) ids.set(variable, (id = ids.size))
  const { node } = event.at
  const done = node?.kind === "ExpressionStatement" ? node.expression : undefined
  const told = done?.kind === "Assignment" && done.left === event.expression ? stepOf(flow.program, done) : undefined
  const { way, by } = told ?? { way: "sets" as const, by: undefined }
  return { flow, at, event, variable, name: `${id}${place!.path}`, way, by }
}

/** `x += n`, `x = x - n`, `x = x.add(n)`, `x = n`. */
const stepOf = (program: Program, { operator, left, right }: S.Assignment): Pick<Change, "way" | "by"> => {
  if (operator === "+=") return { way: "raises", by: right }
  if (operator === "-=") return { way: "lowers", by: right }
  const isItself = (e: S.Expression | undefined): boolean => e !== undefined && sameExpression(program, left, e)
  if (right.kind === "BinaryOperation") {
    if (right.operator === "+" && isItself(right.left)) return { way: "raises", by: right.right }
    if (right.operator === "+" && isItself(right.right)) return { way: "raises", by: right.left }
    if (right.operator === "-" && isItself(right.left)) return { way: "lowers", by: right.right }
  }
  if (right.kind === "FunctionCall") {
    const { callee, args } = right
    const isAttached = callee.kind === "MemberAccess" && isItself(callee.object)
    if (isAttached || isItself(args[0])) {
      const by = args[isAttached ? 0 : 1]
      const operators = calledOperators(program, right)
      if (operators.has("+") !== operators.has("-")) return { way: operators.has("+") ? "raises" : "lowers", by }
    }
  }
  return { way: "sets", by: right }
}
