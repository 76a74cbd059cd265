import { oncePer } from "../../oncePer.ts"
import type { Expr, FlowNode } from "../flow/graph/graph.ts"
import type { CallSite, StorageAccess } from "../flow/graph/events.ts"
import { type Fact, relationsIn } from "../flow/facts/facts.ts"
import { callerCheck, restrictive } from "../flow/facts/callerCheck.ts"
import { isZero } from "../flow/values/isZero.ts"
import type { LocalVariable, StateVariable } from "../model.ts"
import { type Origins, Source } from "../flow/graph/origins.ts"
import type * as S from "../syntax.ts"
import type { Flow, Program } from "../program.ts"
import { isBranch } from "./openings.ts"

const depthLimit = 6

/** `a < b` and the like compare amounts; equality with zero only prevents mistakes. */
const comparesAmounts = (e: Expr): boolean => {
  if (e.kind === "UnaryOperation") return comparesAmounts(e.operand)
  if (e.kind !== "BinaryOperation") return false
  switch (e.operator) {
    case "&&":
    case "||":
      return comparesAmounts(e.left) && comparesAmounts(e.right)
    case "==":
    case "!=":
      return isZero(e.left) || isZero(e.right)
    default:
      return true
  }
}

/** Whether the function goes on only with one outcome. */
const isRequired = (flow: Flow, e: Expr): boolean =>
  flow
    .facts(flow.exit)
    .some((fact) => !(fact.kind === "any" && isBranch(fact)) && relationsIn([fact]).some((f) => f.expression === e))

const memo = new WeakMap<Flow, boolean>()

/** Whether the caller, or one of `parameters`, decides if a function continues. */
const decidesBy = (flow: Flow, parameters: ReadonlyArray<LocalVariable>, depth: number): boolean => {
  if (parameters.length === 0 && memo.has(flow)) return memo.get(flow)!
  const concerns = (o: Origins): boolean =>
    ((o.sources | o.keys) & Source.sender) !== 0 ||
    o.parameters.some((p) => parameters.includes(p)) ||
    o.keyParameters.some((p) => parameters.includes(p))
  if (parameters.length === 0) memo.set(flow, false)
  let result = false
  const answers = flow.fn.returns.length === 0 || flow.fn.returns.some(({ type }) => type.kind === "bool")
  for (const node of flow.conditionNodes()) {
    if (node.expression === undefined || comparesAmounts(node.expression)) continue
    // a number or an account may depend on the sender although nobody is excluded
    if (!answers && !isRequired(flow, node.expression)) continue
    if (concerns(flow.origins(node.expression, node))) {
      result = true
      break
    }
  }
  if (!result && depth < depthLimit) {
    for (const site of flow.calls()) {
      if (site.callKind !== "internal" || site.target === undefined || !site.target.implemented) continue
      const handed = site.target.parameters.filter((_, i) => {
        const arg = site.args[i]
        return arg !== undefined && concerns(flow.origins(arg, site.at))
      })
      if (decidesBy(flow.program.flow(site.target), handed, depth + 1)) {
        result = true
        break
      }
    }
  }
  if (parameters.length === 0) memo.set(flow, result)
  return result
}

/** Whether one of the ways to make the fact true constrains the caller. */
export const mayTieCaller = (fact: Fact): boolean => {
  if (fact.kind === "any") return !isBranch(fact) && fact.options.some((option) => option.some(mayTieCaller))
  const check = callerCheck(fact)
  return check !== undefined && restrictive.has(check.kind)
}

/** Calls of functions in which the sender decides, or a parameter for which the sender is passed. */
export const askingCalls = oncePer((flow: Flow): ReadonlyArray<CallSite> =>
  [...flow.calls()].filter((site) => {
    if (site.callKind !== "internal" && site.callKind !== "library") return false
    if (site.target === undefined || !site.target.implemented) return false
    const handed = site.target.parameters.filter((_, i) => {
      const arg = site.args[i]
      if (arg === undefined) return false
      const { sources, keys } = flow.origins(arg, site.at)
      return ((sources | keys) & Source.sender) !== 0
    })
    return decidesBy(flow.program.flow(site.target), handed, 0)
  }),
)

/**
 * A table of numbers that are not amounts: entries are only ever set to fixed numbers, counters (an owner's index) or
 * times.
 */
interface IndexTable {
  readonly holdsNoAmounts: boolean
  /** Whether anyone can create their own entry. */
  readonly joinable: boolean
}

const indexTable = (program: Program, variable: StateVariable): IndexTable | undefined =>
  allTables(program).get(variable)

const isIndexTable = (program: Program, variable: StateVariable): boolean =>
  indexTable(program, variable)?.holdsNoAmounts === true

const allTables = oncePer((program: Program): ReadonlyMap<StateVariable, IndexTable> => {
  const found = new Map<StateVariable, IndexTable>()
  const seen = new Map<StorageAccess, boolean>()
  for (const flow of program.allFlows()) {
    for (const { event, place } of flow.writes) {
      if (!mayBeNumber(program, event)) continue
      for (const written of place?.variables ?? []) {
        if (written.type.kind !== "mapping") continue
        let isFixed = seen.get(event)
        if (isFixed === undefined) seen.set(event, (isFixed = isIndex(program, event)))
        const known = found.get(written)
        found.set(written, {
          holdsNoAmounts: isFixed && known?.holdsNoAmounts !== false,
          joinable:
            (flow.fn.role !== "constructor" && (place!.keys.sources & Source.sender) !== 0) || known?.joinable === true,
        })
      }
    }
  }
  return found
})

/** Besides numbers, a table of structs contains accounts, roles, or lists of either: none of them is an amount. */
const mayBeNumber = (program: Program, { expression }: StorageAccess): boolean => {
  if (expression.kind.startsWith("Yul")) return true
  const { kind } = program.typeOf(expression as S.Expression) // It is not Yul, as checked above.
  return kind === "integer" || kind === "unknown"
}

const isIndex = (program: Program, { operation, value, at }: StorageAccess): boolean => {
  if (operation !== "assign" && operation !== "delete") return false
  const inner = at.callable.kind === "Function" ? program.flowIfBuilt(at.callable) : undefined
  if (value === undefined || inner === undefined || inner.nodes[at.id] !== at) return value === undefined
  const { sources, parameters } = inner.origins(value, at)
  // a library receives a pointer to the table
  const isStored = parameters.every(({ type }) => type.kind === "struct" && type.location === "storage")
  return (sources & ~(indexSources | (isStored ? Source.parameter : 0))) === 0
}

const indexSources = Source.literal | Source.constant | Source.state | Source.timestamp | Source.blockNumber

/** Whether the fact says that the sender is on a list that others put them on. */
export const isListed = (program: Program, fact: Fact): boolean => {
  const tables = indexTables(program, fact)
  return tables.length > 0 && tables.every((table) => indexTable(program, table)?.joinable === false)
}

/** Whether the sender has an entry in a table of indices: one of several owners. */
export const hasIndex = (flow: Flow, at: FlowNode): boolean =>
  flow.callerChecks(at).some(({ kind, fact }) => kind === "holder" && indexTables(flow.program, fact).length > 0)

/** Such tables that a fact looks the sender up in. */
export const indexTables = (program: Program, fact: Fact): ReadonlyArray<StateVariable> => {
  if (fact.kind === "any") return fact.options.flatMap((option) => option.flatMap((f) => indexTables(program, f)))
  const table = [fact.left, fact.right].find((side) => side !== undefined && (side.keys & Source.sender) !== 0)
  return table?.state.filter((variable) => isIndexTable(program, variable)) ?? []
}
