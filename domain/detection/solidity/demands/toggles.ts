import { oncePer } from "../../oncePer.ts"
import { isNothing } from "../flow/values/isZero.ts"
import type { Reached } from "../flow/functionSummary.ts"
import type { StorageAccess } from "../flow/graph/events.ts"
import type { Expr, FlowNode } from "../flow/graph/graph.ts"
import type { StateVariable } from "../model.ts"
import type { Flow, Program } from "../program.ts"

interface Toggles {
  /**
   * Flags that are set only during one call of the contract, with the functions that set them: whatever requires one
   * of them runs inside such a call, behind its checks.
   */
  readonly session: ReadonlyMap<StateVariable, ReadonlySet<Flow>>
  readonly all: ReadonlySet<StateVariable>
}

/** Variables that one function sets to one fixed value and then to another. */
export const toggles = oncePer((program: Program): Toggles => {
  const told = program.allFlows().flatMap(togglesOf)
  const session = new Map<StateVariable, Set<Flow>>()
  for (const { flow, variable, first, last } of told)
    if (first !== "0" && last === "0") session.set(variable, (session.get(variable) ?? new Set()).add(flow))
  // a lock whose flag means that nothing is running is set between calls
  for (const variable of setBetweenCalls(program, session)) session.delete(variable)
  return {
    session,
    all: new Set(told.map(({ variable }) => variable)),
  }
})

/** Those that are set from the start, or that some call leaves set. */
const setBetweenCalls = (program: Program, flags: ReadonlyMap<StateVariable, unknown>): ReadonlySet<StateVariable> => {
  const found = new Set<StateVariable>()
  if (flags.size === 0) return found
  for (const flag of flags.keys()) if (flag.node?.value !== undefined && !isNothing(flag.node.value)) found.add(flag)
  for (const flow of program.allFlows()) {
    if (flow.fn.role !== "constructor" && !program.graph.isEntryPoint(flow.fn)) continue
    const last = new Map<StateVariable, StorageAccess>()
    for (const { event, place } of flow.writes) {
      const variable = place?.variables[0]
      if (variable !== undefined && flags.has(variable)) last.set(variable, event)
    }
    for (const [variable, { value, at }] of last)
      if (value !== undefined && fixedValue(flow, value, at) !== "0") found.add(variable)
  }
  return found
}

interface Toggle {
  readonly flow: Flow
  readonly variable: StateVariable
  readonly first: string
  readonly last: string
}

const togglesOf = (flow: Flow): ReadonlyArray<Toggle> => {
  if (flow.writes.length < 2) return []
  const values = new Map<StateVariable, Array<{ readonly write: Reached<StorageAccess>; readonly value: string }>>()
  for (const write of flow.writes) {
    const { event, place, via } = write
    const variable = place?.variables[0]
    if (via.length > 1 || variable === undefined || place?.path !== "") continue
    const value = event.value === undefined ? "0" : fixedValue(flow, event.value, event.at)
    if (value === undefined) continue
    const known = values.get(variable)
    if (known === undefined) values.set(variable, [{ write, value }])
    else known.push({ write, value })
  }
  return [...values].flatMap(([variable, told]) => {
    const [first, last] = [told[0]!, told.at(-1)!] // none is empty
    // A number that is kept within bounds is set to one of them or to the other.
    return first.value === last.value || !flow.follows(first.write, last.write)
      ? []
      : [{ flow, variable, first: first.value, last: last.value }]
  })
}

/** A literal, a member of an enum, or the constant whose name it uses. */
const fixedValue = ({ program }: Flow, e: Expr, at: FlowNode): string | undefined => {
  if (e.kind === "Literal" || e.kind === "YulLiteral") return e.value === "false" ? "0" : e.value
  if (e.kind === "MemberAccess") {
    const type = program.typeOf(e.object)
    if (type.kind === "typeName" && type.type.kind === "enum")
      return `${type.type.enum.node.values.findIndex(({ name }) => name === e.member)}`
  }
  if (e.kind !== "Identifier" && e.kind !== "YulIdentifier" && e.kind !== "MemberAccess") return undefined
  const found = program.referenceOf(e)
  return found?.kind === "StateVariable" && found.constant ? `${found.name}@${at.callable.source.file.path}` : undefined
}
