import type { StateVariable } from "../model.ts"
import type { Flow, Program } from "../program.ts"
import { isLargeFunction } from "../questions/largeFunction.ts"
import { sameExpression } from "../questions/value/sameExpression.ts"
import type * as S from "../syntax.ts"
import type { Amounts, Change } from "./changes.ts"

// Amounts that go up and down together.

/** An amount that changes by the same as another in all functions that change the other, except one. */
export interface LeftBehind {
  /** The change of the other amount in that function. */
  readonly change: Change
  readonly variable: StateVariable
  /** A change of both. */
  readonly evidence: Change
}

/** Functions that change both amounts before one that changes only one of them is reported. */
const timesAtLeast = 2

/**
 * One is enough if an amount goes one way with an entry of the other, of which it is the sum, and back alone; and if the
 * entries change only with it.
 */
const isSumOf = ({ all }: Amounts, change: Change, [first, other]: readonly [Change, Change]): boolean =>
  depthOf(change) < depthOf(other) &&
  first.way === other.way &&
  change.way !== first.way &&
  all.get(other.name)!.sets.length === 0

const depthOf = ({ event }: Change): number => event.place.path.split("[]").length

/** Limit: changes of one function that are compared with each other. */
const changeLimit = 40

/** For two amounts, the functions that change both by the same, each with its change of the first. */
type Pairs = ReadonlyMap<string, { readonly other: Change; readonly flows: ReadonlyMap<Flow, Change> }>

export const leftBehind = (program: Program, amounts: Amounts): ReadonlyArray<LeftBehind> => {
  const movers = moversOf(amounts)
  const found = new Map<Change, LeftBehind>()
  for (const [name, pairs] of pairsOf(program, amounts, movers)) {
    const all = movers.get(name)!
    for (const { other, flows } of pairs.values()) {
      if (flows.size !== all.size - 1) continue
      const [flow, change] = [...all].find(([each]) => !flows.has(each))!
      const [evidence] = flows.values()
      const isSum = movers.get(other.name)!.size === flows.size && isSumOf(amounts, change, [evidence!, other])
      if (flows.size < timesAtLeast && !isSum) continue
      if (found.has(change) || isSigned(flow, change.by!) || reads(flow, change, other.variable)) continue
      if (flow.isRestricted(change.at) || isExchange(amounts, change)) continue
      if (touches(program, flow, other.variable, 0)) continue
      found.set(change, { change, variable: other.variable, evidence: evidence! })
    }
  }
  return [...found.values()]
}

/** For each amount, the functions that change it one way. What both takes from one entry and gives to another moves. */
const moversOf = ({ changesOf }: Amounts): ReadonlyMap<string, ReadonlyMap<Flow, Change>> => {
  const movers = new Map<string, Map<Flow, Change>>()
  for (const [flow, changes] of changesOf) {
    if (changes.length > changeLimit || isLargeFunction(flow)) continue
    for (const change of changes) {
      if (change.way === "sets" || change.by === undefined || change.by.kind === "Literal") continue
      if (changes.some(({ name, way }) => name === change.name && way !== change.way)) continue
      const known = movers.get(change.name)
      if (known === undefined) movers.set(change.name, new Map([[flow, change]]))
      else if (!known.has(flow)) known.set(flow, change)
    }
  }
  return movers
}

const pairsOf = (
  program: Program,
  { changesOf }: Amounts,
  movers: ReadonlyMap<string, ReadonlyMap<Flow, Change>>,
): ReadonlyMap<string, Pairs> => {
  const pairs = new Map<string, Map<string, { other: Change; flows: Map<Flow, Change> }>>()
  for (const [flow, changes] of changesOf) {
    const own = changes.filter((each) => movers.get(each.name)?.get(flow) === each)
    for (const first of own)
      for (const other of own) {
        if (first.variable === other.variable || first.variable.contract !== other.variable.contract) continue
        if (!sameExpression(program, first.by!, other.by!)) continue
        let known = pairs.get(first.name)
        if (known === undefined) pairs.set(first.name, (known = new Map()))
        const pair = known.get(other.name)
        if (pair === undefined) known.set(other.name, { other, flows: new Map([[flow, first]]) })
        else pair.flows.set(flow, first)
      }
  }
  return pairs
}

/** What is taken from one amount is added to another. */
const isExchange = ({ changesOf }: Amounts, { flow, way, by }: Change): boolean =>
  changesOf
    .get(flow)!
    .some(
      (each) =>
        each.way !== "sets" && each.way !== way && each.by !== undefined && sameExpression(flow.program, each.by, by!),
    )

/** What is added may be negative, and then balances out. */
const isSigned = ({ program }: Flow, by: S.Expression): boolean => {
  const type = program.typeOf(by)
  return type.kind === "integer" && type.signed
}

/** Whether the amount follows from the other one. */
const reads = (flow: Flow, { by, at }: Change, variable: StateVariable): boolean =>
  flow.origins(by!, at).state.includes(variable)

/** Limits: callers that are searched, and how far up. */
const callerLimit = 8
const depthLimit = 2

/** Whether a function, what it calls, or one of its callers changes the variable. */
const touches = (program: Program, flow: Flow, variable: StateVariable, depth: number): boolean =>
  flow.writes.some(({ place, event }) => (place ?? event.place).variables.includes(variable)) ||
  (depth < depthLimit &&
    program.graph
      .callers(flow.fn)
      .slice(0, callerLimit)
      .some(({ from }) => touches(program, program.flow(from), variable, depth + 1)))
