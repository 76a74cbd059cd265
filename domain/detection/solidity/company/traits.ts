import type { Fact, Relation } from "../flow/facts/facts.ts"
import type { CallSite, StorageAccess } from "../flow/graph/events.ts"
import type { FlowNode } from "../flow/graph/graph.ts"
import { type Origins, Source } from "../flow/graph/origins.ts"
import { isComputedSlot } from "../flow/graph/storagePlace.ts"
import type { LocalVariable, StateVariable } from "../model.ts"
import type { Flow, Program } from "../program.ts"
import { isLowered } from "../questions/value/lowered.ts"
import { membersRead } from "../questions/value/membersRead.ts"
import { isRaised } from "../questions/value/raised.ts"
import { abiName } from "../types.ts"

// What a function asks and changes on every path, in words that functions of one contract share.

/** A condition that a function asks, or a place that it changes. */
export interface Trait {
  /** Equal for functions that see to the same. */
  readonly key: string
  /** The state and parameters that it concerns: a function that looks at all of them sees to it in its own way. */
  readonly about: ReadonlyArray<string>
  /** Whose entry or state must be known to be comparable: the variable of a table, and the parameters. */
  readonly needs: ReadonlyArray<string>
  /** Where it sees to it; one step may see to several things. */
  readonly at: FlowNode
}

/** `moves`: an amount goes down in one place and up in another, `sets`: whatever else changes it. */
export type Way = "raises" | "lowers" | "moves" | "sets"

interface Change extends Trait {
  readonly way: Way
  /** It has an entry for each account or item. */
  readonly isTable: boolean
}

export interface Traits {
  readonly flow: Flow
  /** What it asks on every path. */
  readonly asks: ReadonlyMap<string, Trait>
  /** What it changes, by name, and which way. */
  readonly changes: ReadonlyMap<string, Change>
  /** The parameters it takes, as they are named in conditions. */
  readonly takes: ReadonlySet<string>
  /** The tables that it uses, and the parameters that it takes. */
  readonly knows: ReadonlySet<string>
  /** Everything that it looks at on any path. */
  readonly touched: ReadonlySet<string>
}

const ether = "msg.value"

/** Limits: facts and writes of one function that are compared. */
const factLimit = 60
const writeLimit = 60

export const traitsOf = (flow: Flow, locks: ReadonlySet<StateVariable>): Traits => {
  const { parameters } = flow.fn
  // most functions have no company that makes the rest worth looking for
  let asks: Traits["asks"] | undefined
  let uses: Uses | undefined
  return {
    flow,
    changes: changesIn(flow, locks),
    takes: new Set(parameters.flatMap((p) => (p.name === "" ? [] : [parameterName(p)]))),
    get asks() {
      return (asks ??= asksIn(flow, locks))
    },
    get knows() {
      return (uses ??= usesIn(flow)).knows
    },
    get touched() {
      return (uses ??= usesIn(flow)).touched
    },
  }
}

const asksIn = (flow: Flow, locks: ReadonlySet<StateVariable>): Traits["asks"] => {
  const asks = new Map<string, Trait>()
  for (const fact of flow.facts(flow.exit).slice(0, factLimit)) {
    const trait = fact.kind === "any" || isPartOfLookup(flow, fact) ? undefined : askedIn(flow.program, fact, locks)
    if (trait !== undefined) asks.set(trait.key, trait)
  }
  return asks
}

const changesIn = (flow: Flow, locks: ReadonlySet<StateVariable>): Traits["changes"] => {
  const changes = new Map<string, Change>()
  for (const { event, place, at } of flow.writes.slice(0, writeLimit)) {
    const [variable, ...others] = place?.variables ?? []
    if (variable === undefined || others.length > 0 || isComputedSlot(variable) || locks.has(variable)) continue
    const key = nameOf(variable, place!.path)
    const way = wayOf(flow.program, event)
    const known = changes.get(key)
    changes.set(key, {
      key,
      about: [key],
      needs: [],
      isTable: place!.path.includes("[]"),
      at,
      way: known === undefined || known.way === way ? way : joined(known.way, way),
    })
  }
  return changes
}

type Uses = Pick<Traits, "knows" | "touched">

const usesIn = (flow: Flow): Uses => {
  const touched = new Set<string>()
  for (const { place } of flow.reads)
    for (const v of place?.variables ?? []) touched.add(nameOf(v, place!.path)).add(v.name)
  for (const { place } of flow.writes) for (const v of place?.variables ?? []) touched.add(v.name)
  for (const node of flow.conditionNodes()) {
    const { parameters, calls } = flow.origins(node.expression!, node)
    for (const { name } of parameters) touched.add(`(${name})`)
    for (const call of calls) touched.add(calledName(flow.program, call))
  }
  for (const { event } of flow.externalCalls) touched.add(`${event.name}()`)
  const knows = new Set(touched)
  for (const { name } of flow.fn.parameters) if (name !== "") knows.add(`(${name})`)
  if (flow.fn.mutability === "payable") knows.add(ether)
  return { knows, touched }
}

const joined = (a: Way, b: Way): Way => (a === "sets" || b === "sets" ? "sets" : "moves")

const parameterName = ({ name, type }: LocalVariable): string => `(${name}) ${abiName(type)}`

/** A variable, or a member of the structs that it holds. */
const nameOf = ({ name }: StateVariable, path: string): string =>
  path.includes(".") ? `${name}${path.slice(path.lastIndexOf("."))}` : name

const wayOf = (program: Program, event: StorageAccess): Way =>
  isLowered(program, event) ? "lowers" : isRaised(program, event) ? "raises" : "sets"

const fixed = Source.literal | Source.constant | Source.immutable
const times = Source.timestamp | Source.blockNumber
/** What a condition may be made of that is not about who calls. */
const measures = fixed | times | Source.state | Source.parameter | Source.external | Source.value

/** What a function that returns a value checks is part of obtaining that value. */
const isPartOfLookup = (flow: Flow, { at: { callable } }: Fact): boolean =>
  callable !== flow.fn && callable.kind === "Function" && callable.returns.length > 0

const askedIn = (program: Program, fact: Relation, locks: ReadonlySet<StateVariable>): Trait | undefined => {
  const { left, right, operator, withZero } = fact
  const sides = right === undefined ? [left] : [left, right]
  if (sides.some(({ sources }) => (sources & ~measures) !== 0)) return undefined
  if (sides.some(({ state }) => state.some((v) => (v.node === undefined && v.whole === undefined) || locks.has(v))))
    return undefined
  // who may call is for the access model, and that nothing is asked for does no harm
  if (operator === "true" && (left.keys & Source.sender) !== 0) return undefined
  if (
    withZero &&
    sides.some((side) => side.sources === Source.parameter && side.parameters[0]!.type.kind === "integer")
  )
    return undefined
  const words = sides.map((side) => wordFor(program, fact, side))
  if (words.some((word) => word === undefined)) return undefined
  const about = words.flatMap((word) =>
    word === undefined || word === "time" || word === "fixed" ? [] : [word.split(" ")[0]!],
  )
  if (about.length === 0) return undefined
  const tables = sides.flatMap(({ state, keys }) => (keys === 0 ? [] : state.map(({ name }) => name)))
  const needs = [...tables, ...about.filter((word) => word.startsWith("(") || word === ether)]
  return { key: `${words.toSorted().join(" ~ ")}${withZero ? " 0" : ""}`, about, needs, at: fact.at }
}

/** One side of a comparison; nothing for what cannot be compared across functions. */
const wordFor = (
  program: Program,
  fact: Relation,
  { sources, state, parameters, calls }: Origins,
): string | undefined => {
  if ((sources & Source.external) !== 0) {
    const [call, ...others] = calls
    if (call?.kind !== "FunctionCall" || others.length > 0 || (sources & ~(Source.external | fixed)) !== 0)
      return undefined
    const target = program.callOf(call)?.target
    return target?.mutability === "view" || target?.mutability === "pure" ? calledName(program, call) : undefined
  }
  if ((sources & Source.state) !== 0) {
    const [variable, ...others] = state
    if (
      variable === undefined ||
      // how long a list is
      variable.type.kind === "array" ||
      others.length > 0 ||
      (sources & ~(Source.state | fixed | times | Source.parameter)) !== 0
    )
      return undefined
    const [member, ...more] = membersRead(program, fact, variable)
    return more.length > 0 ? undefined : nameOf(variable, member ?? "")
  }
  if ((sources & Source.parameter) !== 0) return parameters.length === 1 ? parameterName(parameters[0]!) : undefined
  if ((sources & Source.value) !== 0) return ether
  return (sources & times) !== 0 ? "time" : "fixed"
}

const calledName = (program: Program, call: CallSite["node"]): string =>
  `${call.kind === "FunctionCall" ? (program.callOf(call)?.name ?? "") : call.name}()`
