import { oncePer } from "../../oncePer.ts"
import type { Fact } from "../flow/facts/facts.ts"
import type { StorageAccess } from "../flow/graph/events.ts"
import type { Expr, FlowNode } from "../flow/graph/graph.ts"
import { type Origins, Source } from "../flow/graph/origins.ts"
import type { Reached } from "../flow/functionSummary.ts"
import type { StateVariable } from "../model.ts"
import type { Flow, Program } from "../program.ts"
import { payoutsOf } from "../questions/call/payments.ts"
import { isLargeFunction } from "../questions/largeFunction.ts"
import { sameExpression } from "../questions/value/sameExpression.ts"
import type * as S from "../syntax.ts"
import { type Amount, type Amounts, amountsOf, type Change } from "./changes.ts"
import { leftBehind } from "./companions.ts"

// Amounts whose changes do not add up: by what other functions do to them, and by what is done along with them.

/**
 * `oneWay`: two amounts go down (or up) together, and one of them never the other way · `overwritten`: an amount is set
 * to what comes in, or is added to another · `swelling`: an entry goes up by what is paid out of it · `doubled`: both
 * entries of a transfer go up · `lost`: nobody gets what is taken from an entry · `alone`: every other function changes
 * another amount with it · `unspent`: an amount increases by the amount that it was just checked to cover.
 */
export interface Imbalance {
  readonly kind: "oneWay" | "overwritten" | "swelling" | "doubled" | "lost" | "alone" | "unspent"
  readonly change: Change
  /** What is not changed, or changed wrongly. */
  readonly variable: StateVariable
  readonly isNeverRaised: boolean
  readonly evidence: Change | undefined
}

export const imbalances = oncePer((program: Program): ReadonlyArray<Imbalance> => {
  const amounts = amountsOf(program)
  const found: Array<Imbalance> = []
  const told = new Set<string>()
  for (const [flow, changes] of amounts.changesOf) {
    if (changes.length > changeLimit || isLargeFunction(flow)) continue
    for (const one of pairs(program, changes)) {
      const lagging = oneWay(program, amounts, one)
      if (lagging !== undefined && !told.has(one.other.name)) {
        told.add(one.other.name)
        found.push(lagging)
      }
    }
    for (const change of changes) {
      const kind = wrongIn(program, amounts, change, changes)
      if (kind !== undefined)
        found.push({ kind, change, variable: change.variable, isNeverRaised: false, evidence: undefined })
    }
  }
  const known = new Set(found.map(({ change }) => change))
  for (const { change, variable, evidence } of leftBehind(program, amounts))
    if (!known.has(change) && !told.has(change.name))
      found.push({ kind: "alone", change, variable, isNeverRaised: false, evidence })
  return found
})

/** Limit: changes of one function that are compared with each other. */
const changeLimit = 40

const wrongIn = (
  program: Program,
  amounts: Amounts,
  change: Change,
  changes: ReadonlyArray<Change>,
): Imbalance["kind"] | undefined => {
  switch (change.way) {
    case "sets":
      return isOverwritten(program, amounts, change, changes) ? "overwritten" : undefined
    case "raises":
      if (isUnspent(program, change)) return "unspent"
      if (isSwelling(program, amounts, change)) return "swelling"
      return isDoubled(program, amounts, change, changes) ? "doubled" : undefined
    case "lowers":
      return isLost(program, amounts, change) ? "lost" : undefined
  }
}

interface Pair {
  readonly first: Change
  readonly other: Change
}

/** Two amounts that go the same way by the same. */
function* pairs(program: Program, changes: ReadonlyArray<Change>): Generator<Pair> {
  const moving = changes.filter(({ way, by }) => way !== "sets" && by !== undefined && !isFixed(by))
  for (const first of moving)
    for (const other of moving)
      if (first.name !== other.name && first.way === other.way && sameExpression(program, first.by!, other.by!))
        yield { first, other }
}

const isFixed = (e: S.Expression): boolean => e.kind === "Literal"

const isClock = ({ sources }: Origins): boolean =>
  (sources & ~(Source.literal | Source.constant | Source.timestamp | Source.blockNumber)) === 0

/** The one of a pair also goes the other way, in functions that leave the other alone; the other never does. */
const oneWay = (program: Program, amounts: Amounts, { first, other }: Pair): Imbalance | undefined => {
  const { all } = amounts
  const back = first.way === "raises" ? "lowers" : "raises"
  const amount = all.get(other.name)!
  if (amount[back].length > 0 || amount.sets.length > 0 || isKept(amount)) return undefined
  const alone = returnsAlone(amounts)(first.name, other.name, back)
  if (alone === undefined || (other.way === "raises" && !isUsed(program, amount))) return undefined
  return { kind: "oneWay", change: alone, variable: other.variable, isNeverRaised: back === "raises", evidence: other }
}

/** The first change of an amount one way, in a function that neither changes it otherwise nor changes the other. */
const returnsAlone = oncePer(({ all, changesOf }: Amounts) => {
  const known = new Map<string, Change | undefined>()
  return (amount: string, other: string, back: "raises" | "lowers"): Change | undefined => {
    const key = `${back} ${amount} ${other}`
    if (!known.has(key)) {
      const isAlone = ({ flow }: Change): boolean =>
        !(changesOf.get(flow) ?? []).some(({ name, way }) => name === other || (name === amount && way !== back))
      known.set(key, all.get(amount)![back].find(isAlone))
    }
    return known.get(key)
  }
})

const isKept = ({ variable }: Amount): boolean => variable.node?.value !== undefined || variable.type.kind === "struct"

/** Whether anything is done with it, or others may read it, beyond bringing it up to date. */
const isUsed = (program: Program, { variable, raises }: Amount): boolean => {
  if (variable.visibility === "public") return true
  const updates = new Set(raises.map(({ at }) => at))
  return (readsIn(program).get(variable) ?? []).some((at) => !updates.has(at))
}

/** The steps that read each variable. */
const readsIn = oncePer((program: Program): ReadonlyMap<StateVariable, ReadonlyArray<FlowNode>> => {
  const steps = new Map<StateVariable, Array<FlowNode>>()
  for (const { reads } of program.allFlows())
    for (const { at, via, place } of reads)
      for (const variable of via.length > 0 ? [] : (place?.variables ?? [])) {
        const known = steps.get(variable)
        if (known === undefined) steps.set(variable, [at])
        else known.push(at)
      }
  return steps
})

/** `total += n; held[who] = n`, `held[from] -= n; held[to] = n`, where `held` goes up elsewhere, or `n` comes in. */
const isOverwritten = (program: Program, { all }: Amounts, change: Change, changes: ReadonlyArray<Change>): boolean => {
  const { by, flow, at, name, variable } = change
  const { raises, lowers } = all.get(name)!
  if (by === undefined || isFixed(by) || raises.length + lowers.length === 0) return false
  // one of two branches starts over, and a new record sets its other members, too
  const isBegun = changes.some(
    (each) => each.variable === variable && each.way === (each.name === name ? "raises" : "sets"),
  )
  if (isBegun) return false
  const value = flow.origins(by, at)
  if (isClock(value) || value.state.includes(variable) || flow.facts(at).some(isFirst)) return false
  if (change.event.place.path.includes("[]") && isReceived(change)) return true
  return (
    raises.length > 0 &&
    changes.some(
      (each) =>
        (each.way === "raises" || (each.way === "lowers" && each.name === name)) &&
        each.by !== undefined &&
        sameExpression(program, each.by, by),
    )
  )
}

/** That something is not set yet: it happens once. */
const isFirst = (fact: Fact): boolean =>
  fact.kind === "relation" &&
  (fact.operator === "false" || (fact.withZero && fact.operator !== "!=" && fact.operator !== ">")) &&
  [fact.left, fact.right].some((side) => side !== undefined && side.state.length > 0)

/** `require(held >= n); held += n` */
const isUnspent = (program: Program, { flow, at, event, by }: Change): boolean =>
  by !== undefined &&
  !isFixed(by) &&
  flow.facts(at).some((fact) => {
    if (fact.kind === "any" || fact.expression.kind !== "BinaryOperation") return false
    const { left, right } = fact.expression
    const isMore = isAtLeast.has(fact.operator)
    const [more, less] = isMore ? [left, right] : [right, left]
    return (
      (isMore || isAtMost.has(fact.operator)) &&
      isSame(program, event.expression, more) &&
      sameExpression(program, less, by)
    )
  })

const isAtLeast: ReadonlySet<string> = new Set([">", ">="])
const isAtMost: ReadonlySet<string> = new Set(["<", "<="])

/** Whether the amount comes in with the call: ether, or tokens that are taken from somebody. */
const isReceived = oncePer(
  ({ flow, at, by }: Change): boolean =>
    by !== undefined &&
    ((flow.origins(by, at).sources & Source.value) !== 0 ||
      flow
        .calls()
        .some(({ name, args }) => /(transferFrom|pullTokens?)$/i.test(name) && isSame(flow.program, args.at(-1), by))),
)

/** Functions that raise an amount by what they receive. */
const receiving = oncePer(
  ({ raises }: Amount): ReadonlySet<Flow> => new Set(raises.filter(isReceived).map(({ flow }) => flow)),
)

const isRepaid = oncePer(({ lowers }: Amount): boolean => lowers.some(isReceived))

/** Whether there is one besides this. */
const hasOther = (flows: ReadonlySet<Flow>, flow: Flow): boolean => flows.size > (flows.has(flow) ? 1 : 0)

const isSame = (program: Program, a: Expr | undefined, b: S.Expression): boolean =>
  a !== undefined && !a.kind.startsWith("Yul") && sameExpression(program, a as S.Expression, b) // not Yul, as just asked

/** `held[who] += n` before `n` is paid, although what comes in is added to `held` as well. */
const isSwelling = (program: Program, { all }: Amounts, change: Change): boolean => {
  const { by, flow, variable, name } = change
  if (by === undefined || isFixed(by) || variable.type.kind !== "mapping") return false
  const amount = all.get(name)!
  return (
    hasOther(receiving(amount), flow) &&
    amount.lowers.length > 0 &&
    !isRepaid(amount) &&
    !isReceived(change) &&
    payoutsOf(flow).some(
      ({ call, amount: paid }) =>
        call.via.length === 0 &&
        isSame(program, paid, by) &&
        (flow.dominates(change.at, call.at) || flow.dominates(call.at, change.at)),
    )
  )
}

/** `held[from] += n; held[to] += n`: of two entries that go up by the same, one was meant to go down. */
const isDoubled = (program: Program, { all }: Amounts, change: Change, changes: ReadonlyArray<Change>): boolean => {
  const { by, name, variable } = change
  if (by === undefined || isFixed(by) || variable.type.kind !== "mapping" || isReceived(change)) return false
  if (all.get(name)!.lowers.length === 0) return false
  const moved = changes.filter((each) => each.by !== undefined && isSame(program, each.by, by))
  const raised = moved.filter(({ way }) => way === "raises")
  return (
    raised.length === 2 &&
    raised[0] === change &&
    raised[1]!.name === name &&
    !moved.some((each) => each.name === name && each.way !== "raises")
  )
}

/** Functions that lower an amount, and raise it in their own text. */
const moving = oncePer(({ changesOf }: Amounts) => {
  const own = new Set([...changesOf.values()].flat())
  return oncePer(({ lowers, raises }: Amount): ReadonlySet<Flow> => {
    const up = new Set(raises.filter((each) => own.has(each)).map(({ flow }) => flow))
    return new Set(lowers.map(({ flow }) => flow).filter((flow) => up.has(flow)))
  })
})

/** `held[who] -= n`, and nothing else is done with `n`, although it goes to another entry elsewhere. */
const isLost = (program: Program, amounts: Amounts, change: Change): boolean => {
  const { by, flow, name, variable, at } = change
  if (by?.kind !== "Identifier" || variable.type.kind !== "mapping" || !program.graph.isEntryPoint(flow.fn))
    return false
  const amount = amounts.all.get(name)!
  const isMoved = hasOther(moving(amounts)(amount), flow) || receiving(amount).size > 0
  if (!isMoved || flow.isRestricted(at)) return false
  const { parameters } = flow.origins(by, at)
  return (
    parameters.length > 0 &&
    !flow.writes.some(
      (write) => write.event !== change.event && (write.via.length > 0 || uses(flow, write, parameters)),
    ) &&
    flow
      .calls()
      .every(
        ({ callKind }) =>
          callKind === "event" || callKind === "builtin" || callKind === "conversion" || callKind === "error",
      ) &&
    flow.externalCalls.length === 0
  )
}

const uses = (flow: Flow, { event, at }: Reached<StorageAccess>, parameters: Origins["parameters"]): boolean =>
  event.value === undefined || flow.origins(event.value, at).parameters.some((p) => parameters.includes(p))
