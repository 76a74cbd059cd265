import { oncePer } from "../../../oncePer.ts"
import type { ContractModel, FunctionModel } from "../../model.ts"
import { Source } from "../../flow/graph/origins.ts"
import type { Program } from "../../program.ts"
import { authorities, isPaidFor } from "./authorities.ts"

/** Functions that were meant as constructors but are ordinary functions. */
export const misnamedConstructors = oncePer(
  (program: Program): ReadonlySet<FunctionModel> => new Set(program.contracts.flatMap((c) => misnamedIn(program, c))),
)

const misnamedIn = (program: Program, contract: ContractModel): ReadonlyArray<FunctionModel> => {
  if (contract.node.contractKind !== "contract") return []
  if (contract.functions.some((fn) => fn.role === "constructor")) return []
  const old = contract.source.version.before05
  return contract.functions.filter((fn) => {
    if (fn.role !== "function" || !fn.implemented || !program.graph.isEntryPoint(fn)) return false
    const named = fn.name.toLowerCase() === "constructor" || (old && isNear(fn.name, contract.name))
    return (named || (old && makesSenderOwner(program, fn))) && setsStateForAnyone(program, fn)
  })
}

/** Whether the name is the contract's except for case, or for a letter or two. */
const isNear = (name: string, contract: string): boolean => {
  const [a, b] = [name.toLowerCase(), contract.toLowerCase()]
  return a === b || (a.length >= 6 && b.length >= 6 && distance(a, b) <= 2)
}

/** Edit distance; 3 if it is larger than 2. */
const distance = (a: string, b: string): number => {
  if (Math.abs(a.length - b.length) > 2 || a.length > 64) return 3
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    row = next
  }
  return row[b.length]!
}

/**
 * Whether the caller unconditionally becomes what a check elsewhere requires, and the function does nothing with its
 * parameters first.
 */
const makesSenderOwner = (program: Program, fn: FunctionModel): boolean => {
  const known = authorities(program)
  const flow = program.flow(fn)
  return flow.writes.some(
    ({ event, place, at, via }) =>
      via.length === 0 &&
      event.value !== undefined &&
      place?.path === "" &&
      place.variables.some((variable) => known.has(variable)) &&
      flow.origins(event.value, at).sources === Source.sender &&
      flow.dominates(at, flow.exit) &&
      flow.facts(at).length === 0,
  )
}

const setsStateForAnyone = (program: Program, fn: FunctionModel): boolean => {
  const flow = program.flow(fn)
  return flow.writes.some(
    ({ at, place }) =>
      place !== undefined &&
      place.variables.length > 0 &&
      !flow.isRestricted(at) &&
      flow.onceAt(at) === undefined &&
      !isPaidFor(flow.facts(at)),
  )
}
