import type { Expr } from "../../flow/graph/graph.ts"
import type { StorageAccess } from "../../flow/graph/events.ts"
import type { Reached } from "../../flow/functionSummary.ts"
import type { StateVariable } from "../../model.ts"
import { only, type Origins, Source } from "../../flow/graph/origins.ts"
import type { Flow, Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import { strangersPath } from "./attackerControl.ts"

export interface OpenWrite extends Reached<StorageAccess> {
  readonly flow: Flow
  /** Of the value written, in terms of the flow's function. */
  readonly value: Origins
}

interface Open {
  readonly whole: ReadonlyMap<StateVariable, OpenWrite>
  readonly tables: ReadonlyMap<StateVariable, OpenWrite>
}

const memo = new WeakMap<Program, Open>()

const openIn = (program: Program): Open => {
  let found = memo.get(program)
  if (found === undefined) memo.set(program, (found = findOpen(program)))
  return found
}

/** State variables (whole ones and struct members, no table entries) that any caller can set to a value of their choice. */
export const openState = (program: Program): ReadonlyMap<StateVariable, OpenWrite> => openIn(program).whole

/** Like `openState`, with entries of tables and arrays: those that hold an address which any caller chose. */
export const openTables = (program: Program): ReadonlyMap<StateVariable, OpenWrite> => openIn(program).tables

const chosen = Source.parameter | Source.calldata | Source.sender

const findOpen = (program: Program): Open => {
  const whole = new Map<StateVariable, OpenWrite>()
  const tables = new Map<StateVariable, OpenWrite>()
  for (const flow of program.allFlows()) {
    if (flow.fn.role === "constructor" || !program.graph.isReachable(flow.fn)) continue
    for (const write of flow.writes) {
      // a write inside a callee is looked at there
      if (write.via.length > 0 || write.event.value === undefined || write.place === undefined) continue
      const variable = write.place.variables[0]
      if (variable === undefined || tables.has(variable)) continue
      const isWhole = !write.place.path.includes("[]")
      const holdsAddress = isAddress(program, write.event.value)
      if (!isWhole && !holdsAddress) continue
      const value = flow.origins(write.event.value, write.event.at)
      // what assembly loads from memory is known for the whole block only
      if (write.event.operation === "sstore" && !only(value, chosen | Source.literal | Source.constant)) continue
      if (strangersPath(flow, write.at, value, chosen) === undefined || flow.onceAt(write.at) !== undefined) continue
      const open = { ...write, flow, value }
      if (isWhole) whole.set(variable, open)
      if (holdsAddress) tables.set(variable, open)
    }
  }
  return { whole, tables }
}

/** An address or contract, or a struct built of one. */
const isAddress = (program: Program, e: Expr): boolean => {
  if (e.kind.startsWith("Yul")) return false
  const value = e as S.Expression // no Yul expression is left
  const { kind } = program.typeOf(value)
  if (kind === "address" || kind === "contract") return true
  if (value.kind !== "FunctionCall" || program.callOf(value)?.kind !== "struct") return false
  return value.args.some((arg) => isAddress(program, arg))
}
