import type { Fact, Relation } from "../../flow/facts/facts.ts"
import type { StorageAccess } from "../../flow/graph/events.ts"
import type { FlowNode } from "../../flow/graph/graph.ts"
import { only, Source } from "../../flow/graph/origins.ts"
import type { LocalVariable, StateVariable } from "../../model.ts"
import type { Flow, Program } from "../../program.ts"

/** A state variable is set to a value from the caller. */
interface Setting {
  readonly flow: Flow
  readonly event: StorageAccess
  readonly at: FlowNode
  readonly variable: StateVariable
  /** The comparisons with the new value, in the function and, for an internal function, in all of its callers. */
  readonly compared: boolean
  /** Whether one of these comparisons is of the requested kind. */
  readonly checked: boolean
}

/** Limit: assignments of one function that are examined. */
const limit = 100

/**
 * All places at which variables of some kind are set to a parameter, and whether a comparison of some kind precedes
 * them.
 */
export const settingsOf = (
  program: Program,
  isMeant: (variable: StateVariable) => boolean,
  isCheck: (relation: Relation, variable: StateVariable) => boolean,
): ReadonlyArray<Setting> =>
  program.allFlows().flatMap((flow) => {
    const found: Array<Setting> = []
    for (const { event, place, via, at } of flow.writes) {
      const variable = place?.variables[0]
      if (via.length > 0 || variable === undefined || event.value === undefined || place?.path !== "") continue
      if (!isMeant(variable) || found.length >= limit) continue
      const value = flow.origins(event.value, at)
      if (!only(value, Source.parameter)) continue
      const relations = comparisons(flow, at, value.parameters, 0)
      found.push({
        flow,
        event,
        at,
        variable,
        compared: relations.length > 0,
        checked: relations.some((relation) => isCheck(relation, variable)),
      })
    }
    return found
  })

/** Limits: depth of functions and their callers, and callers of each. */
const depthLimit = 4
const callerLimit = 8

/**
 * What holds for parameters at a step. If there are several callers, those facts of the one that guarantees the least.
 */
const comparisons = (
  flow: Flow,
  at: FlowNode,
  parameters: ReadonlyArray<LocalVariable>,
  depth: number,
): ReadonlyArray<Relation> => {
  const here = flow.facts(at).flatMap((fact) => relationsAbout(fact, parameters))
  const { graph } = flow.program
  if (here.length > 0 || flow.fn.role === "constructor" || graph.isEntryPoint(flow.fn) || depth >= depthLimit)
    return here
  let least: ReadonlyArray<Relation> | undefined
  for (const { from, call } of graph.callers(flow.fn).slice(0, callerLimit)) {
    const caller = flow.program.flow(from)
    const site = caller.siteOf(call.node)
    if (site === undefined) continue
    const passed = parameters.flatMap((parameter) => {
      const arg = site.args[flow.fn.parameters.indexOf(parameter)]
      return arg === undefined ? [] : caller.origins(arg, site.at).parameters
    })
    if (passed.length === 0) continue
    const told = comparisons(caller, site.at, passed, depth + 1)
    if (told.length === 0) return told
    if (least === undefined || told.length < least.length) least = told
  }
  return least ?? here
}

const relationsAbout = (fact: Fact, parameters: ReadonlyArray<LocalVariable>): ReadonlyArray<Relation> =>
  fact.kind === "any"
    ? fact.options.flatMap((option) => option.flatMap((inner) => relationsAbout(inner, parameters)))
    : [fact.left, fact.right].some((side) =>
          [...(side?.parameters ?? []), ...(side?.keyParameters ?? [])].some((p) => parameters.includes(p)),
        )
      ? [fact]
      : []

/**
 * For each unchecked function, the number of similar functions in other contracts that must set a variable of the same
 * name with a check.
 */
const twinsNeeded = 2

/** Where the same variable is set with a check: elsewhere in the program, or in all contracts with such a function. */
export const precedents = (settings: ReadonlyArray<Setting>): ((setting: Setting) => Setting | undefined) => {
  const byVariable = new Map<StateVariable, Setting>()
  const twins = new Map<string, { readonly checked: Array<Setting>; unchecked: number }>()
  for (const setting of settings) {
    if (setting.checked) byVariable.set(setting.variable, setting)
    const known = twins.get(twinKey(setting)) ?? { checked: [], unchecked: 0 }
    if (setting.checked) known.checked.push(setting)
    else known.unchecked++
    twins.set(twinKey(setting), known)
  }
  return (setting) => {
    const same = byVariable.get(setting.variable)
    if (same !== undefined && same.flow !== setting.flow) return same
    const alike = twins.get(twinKey(setting))
    return alike !== undefined && alike.checked.length >= twinsNeeded * alike.unchecked ? alike.checked[0] : undefined
  }
}

const twinKey = ({ flow: { fn }, variable }: Setting): string =>
  fn.role === "constructor" ? `constructor ${variable.name}` : `${fn.signature} ${variable.name}`
