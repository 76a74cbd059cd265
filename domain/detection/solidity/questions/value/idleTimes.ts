import { oncePer } from "../../../oncePer.ts"
import { isPointer, type StorageAccess } from "../../flow/graph/events.ts"
import type { Expr, FlowNode } from "../../flow/graph/graph.ts"
import { Source } from "../../flow/graph/origins.ts"
import { declaredWhole, isComputedSlot } from "../../flow/graph/storagePlace.ts"
import type { Reached } from "../../flow/functionSummary.ts"
import type { ContractModel, StateVariable } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"
import { calledOperators } from "./calledOperators.ts"
import { storageUse } from "./storageUse.ts"

/** A time to come that is stored and that nothing looks at again. */
export interface IdleTime {
  readonly flow: Flow
  readonly event: StorageAccess
  readonly variable: StateVariable
  /** `.eta` of a record, empty for the variable or its entries. */
  readonly member: string
  /** Where a function removes or lowers an entry of the same table without looking at its time. */
  readonly ends: ReadonlyArray<Reached<StorageAccess>>
}

/** Where `block.timestamp + wait` is stored: the first place for each variable, or member of a record. */
export const laterTimes = oncePer((program: Program): ReadonlyArray<Omit<IdleTime, "ends">> => {
  const { handed } = storageUse(program)
  const found = new Map<string, Omit<IdleTime, "ends">>()
  for (const flow of program.allFlows()) {
    for (const { event, place, via, at } of flow.writes) {
      const [variable, ...others] = place?.variables ?? []
      if (via.length > 0 || variable === undefined || others.length > 0 || event.value === undefined) continue
      if (isComputedSlot(variable) || handed.has(declaredWhole(variable))) continue
      for (const member of timesIn(flow, event.value, at, lastOf(place!.path))) {
        const key = `${variable.contract?.name ?? ""} ${variable.name}${member}`
        if (!found.has(key)) found.set(key, { flow, event, variable, member })
      }
    }
  }
  return [...found.values()]
})

export const idleTimes = (program: Program): ReadonlyArray<IdleTime> => {
  const found = laterTimes(program)
  if (found.length === 0) return []
  const lending = lenders(program)
  const reads = readsOf(program)
  return found.flatMap((time) => {
    const { variable, member, flow } = time
    // other code runs on the contract's storage
    if (flow.context !== undefined && lending.has(flow.context)) return []
    const read = reads.get(variable)
    if (read?.has(member) === true || read?.has(whole) === true) return []
    return [{ ...time, ends: endsOf(program, variable, member) }]
  })
}

/** Contracts that delegate calls, and what inherits them. */
const lenders = (program: Program): ReadonlySet<ContractModel> =>
  new Set(
    program
      .allFlows()
      .flatMap(({ fn: { contract }, externalCalls }) =>
        contract !== undefined && externalCalls.some(({ event }) => event.callKind === "delegatecall")
          ? [contract, ...contract.derived]
          : [],
      ),
  )

const lastOf = (path: string): string => (path.includes(".") ? path.slice(path.lastIndexOf(".")) : "")

/** `block.timestamp + wait`, also for a member of a new record. */
const timesIn = (flow: Flow, value: Expr, at: FlowNode, member: string): ReadonlyArray<string> => {
  if (value.kind === "FunctionCall") {
    const call = flow.program.callOf(value)
    if (call?.kind === "struct" && call.type?.kind === "struct") {
      const { args, names } = call.node
      return call.type.struct.members.flatMap(({ name }, i) => {
        const given = args[names === undefined ? i : names.indexOf(name)]
        return given === undefined ? [] : timesIn(flow, given, at, `.${name}`)
      })
    }
    if (call?.kind === "conversion" && call.args[0] !== undefined) return timesIn(flow, call.args[0], at, member)
  }
  const isSum =
    value.kind === "BinaryOperation"
      ? value.operator === "+"
      : value.kind === "FunctionCall" && calledOperators(flow.program, value).has("+")
  if (!isSum) return []
  const { sources } = flow.origins(value, at)
  return (sources & times) !== 0 && (sources & ~inputs) === 0 ? [member] : []
}

const times = Source.timestamp | Source.blockNumber
const inputs = times | Source.literal | Source.constant | Source.immutable | Source.state | Source.parameter

/** Stands for a copy of the whole record. */
const whole = "[]"

/** The members that functions read which change state, or which other functions call. */
const readsOf = (program: Program): ReadonlyMap<StateVariable, ReadonlySet<string>> => {
  const names = new Set(program.allFlows().flatMap((flow) => flow.calls().map(({ name }) => name)))
  const found = new Map<StateVariable, Set<string>>()
  for (const flow of program.allFlows()) {
    const { fn } = flow
    const informs = fn.mutability === "view" && !names.has(fn.name) && fn.node.override === undefined
    for (const { event, place } of informs ? [] : flow.reads) {
      if (isPointer(event)) continue
      for (const variable of place?.variables ?? []) {
        const known = found.get(variable) ?? new Set()
        found.set(variable, known.add(isRecord(variable) && !place!.path.includes(".") ? whole : lastOf(place!.path)))
      }
    }
  }
  return found
}

const isRecord = ({ type }: StateVariable): boolean => {
  let kind = type
  while (kind.kind === "mapping") kind = kind.value
  return kind.kind === "struct"
}

const endsOf = (program: Program, variable: StateVariable, member: string): ReadonlyArray<Reached<StorageAccess>> =>
  program
    .allFlows()
    .flatMap((flow) =>
      flow.writes
        .filter(
          ({ event, place, via }) =>
            via.length === 0 &&
            place?.variables.includes(variable) === true &&
            (event.operation === "delete" || (lastOf(place.path) === member && event.value?.kind === "Literal")),
        )
        .slice(0, 1),
    )
