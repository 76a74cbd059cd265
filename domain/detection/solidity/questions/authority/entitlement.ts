import { oncePer } from "../../../oncePer.ts"
import { askingCalls } from "../../demands/callerInspection.ts"
import { isBranch } from "../../demands/openings.ts"
import { toggles } from "../../demands/toggles.ts"
import type { CallSite, StorageAccess } from "../../flow/graph/events.ts"
import type { Expr, FlowNode } from "../../flow/graph/graph.ts"
import type { Fact, Relation } from "../../flow/facts/facts.ts"
import type { LocalVariable, StateVariable } from "../../model.ts"
import { SomeEvents } from "../../flow/graph/someEvents.ts"
import { has, only, type Origins, Source } from "../../flow/graph/origins.ts"
import { isComputedSlot } from "../../flow/graph/storagePlace.ts"
import type { Reached } from "../../flow/functionSummary.ts"
import type { Flow, Program } from "../../program.ts"
import { alongPath } from "./attackerControl.ts"

/** Ether or tokens that leave the contract. */
export interface Payment {
  /** A node in the function whose flow it is; the call itself may be in a library. */
  readonly site: CallSite
  readonly receiver: Origins
  readonly amount: Origins
  /** The source that shows how much of the asset the contract holds: `Source.balance`, `Source.tokenBalance`. */
  readonly holdings: number
}

/** Sources by which a condition on the way can make the payment somebody's due: paid for, drawn, proven, answered. */
const earning =
  Source.value |
  Source.blockEntropy |
  Source.hash |
  Source.recovered |
  Source.external |
  Source.lowLevel |
  Source.unknown |
  Source.gas |
  Source.code |
  Source.tokenBalance

/** Amounts that come with the caller or from another contract. */
const ownMoney = Source.value | Source.external | Source.lowLevel | Source.tokenBalance | Source.unknown | Source.gas

/** Whether a condition concerns the caller, a table entry, or something that only an eligible caller knows. */
const makesDue = (fact: Fact, literal: boolean, holdings: number): boolean => {
  if (fact.kind === "any") return fact.options.some((option) => option.some((f) => makesDue(f, literal, holdings)))
  const sides = fact.right === undefined ? [fact.left] : [fact.left, fact.right]
  if (sides.some((side) => has(side, Source.value))) return true
  // A sufficient balance or elapsed time entitles nobody in particular; a draw based on time does.
  if (sides.some((side) => has(side, holdings))) return false
  if (sides.some((side) => has(side, Source.timestamp | Source.blockNumber))) return fact.operator === "=="
  if (isCopied(fact)) return false
  return sides.some(
    (side) =>
      has(side, earning) ||
      (side.keys & (Source.sender | Source.parameter | Source.txOrigin | Source.calldata)) !== 0 ||
      // A fixed sum paid against a counter or a flag is a rule of the game.
      (literal && has(side, Source.state)),
  )
}

/** Whether it says which way is taken, or that nothing else is running. */
const isWay = (fact: Fact, locks: ReadonlySet<StateVariable>): boolean =>
  fact.kind === "any" ? isBranch(fact) : fact.left.state.some((variable) => locks.has(variable))

/** `peers[chain] == peer`, both named by the caller, who copies what everybody can read. */
const isCopied = ({ operator, left, right }: Relation): boolean =>
  right !== undefined &&
  operator === "==" &&
  [left, right].some((side) => only(side, Source.parameter)) &&
  [left, right].some(
    (side) => only(side, Source.state) && only({ ...side, sources: side.keys }, Source.parameter | Source.literal),
  )

type Variables = ReadonlySet<StateVariable>

/**
 * Variables whose entry, selected by the caller, must be unset: the flag of a claim, which anyone has for as many keys
 * as they like.
 */
const freeFlag = (fact: Fact): ReadonlyArray<StateVariable> => {
  if (fact.kind === "any") return []
  const { operator, left, right, withZero } = fact
  if (operator !== "false" && !(withZero && operator === "==")) return []
  const entry = right !== undefined && right.state.length > 0 ? right : left
  const isSelected = (entry.keys & (Source.sender | Source.parameter | Source.calldata)) !== 0
  return isSelected && only(entry, Source.state | Source.parameter | Source.calldata | Source.literal | Source.constant)
    ? entry.state
    : []
}

/** Calls that settle a payment. */
interface SettlingCalls {
  readonly any: SomeEvents
  /** By what an argument says: only payments to whom this names, or that are derived from it. */
  readonly naming: ReadonlyMap<LocalVariable, ReadonlyArray<NamingCalls>>
}

interface NamingCalls {
  readonly calls: SomeEvents
  /** If the argument may only be how much is paid: what it is computed from. */
  readonly sum: ReadonlyArray<LocalVariable> | undefined
}

/**
 * `strategy.withdraw(amount)`: whoever is only told how much takes it from nobody in particular. A base without source
 * that is told as well, `_burn(owner, amount)`, may take it.
 */
const settlingCalls = oncePer((flow: Flow): SettlingCalls => {
  const toldToBase = flow.calls().some(({ callKind, args }) => callKind === "unknown" && args.length > 1)
  const any: Array<Reached<CallSite>> = []
  const naming = new Map<LocalVariable, Map<string, { calls: Array<Reached<CallSite>>; sum: NamingCalls["sum"] }>>()
  for (const call of flow.externalCalls) {
    const { event, via } = call
    if (event.isStatic) continue
    // In another function, the arguments are not in terms of this one.
    const told = via.length > 0 ? [] : event.args.map((arg) => flow.origins(arg, event.at))
    // The caller's payment has been used, and the remainder is returned.
    const isPaid = event.value !== undefined && has(flow.origins(event.value, event.at), Source.value)
    if (via.length > 0 || isPaid || told.some((o) => (o.keys & Source.sender) !== 0 || has(o, Source.sender)))
      any.push(call)
    for (const o of told) {
      const isSum =
        !toldToBase && only(o, Source.parameter) && o.parameters.every(({ type }) => type.kind === "integer")
      const key = isSum ? o.parameters.map(({ name }) => name).join() : ""
      for (const p of o.parameters) {
        const groups = naming.get(p) ?? new Map()
        naming.set(p, groups)
        if (!groups.has(key)) groups.set(key, { calls: [], sum: isSum ? o.parameters : undefined })
        groups.get(key)!.calls.push(call)
      }
    }
  }
  const placed = ({ calls, sum }: { calls: Array<Reached<CallSite>>; sum: NamingCalls["sum"] }): NamingCalls => ({
    calls: new SomeEvents(flow, calls),
    sum,
  })
  return {
    any: new SomeEvents(flow, any),
    naming: new Map([...naming].map(([p, groups]) => [p, [...groups.values()].map(placed)])),
  }
})

/** Writes to entries that the sender or an argument selects. */
const entriesWritten = oncePer((flow: Flow) =>
  flow.writes.filter(
    ({ place }) =>
      place !== undefined &&
      (((place.keys.keys | place.keys.sources) & Source.sender) !== 0 || place.keys.parameters.length > 0),
  ),
)

/**
 * Whether the account's entry in some table is reduced, now or afterwards, or handed over in another contract. A write
 * whose value does not depend on the sum settles nothing if the caller names the sum.
 */
const isSettled = (
  flow: Flow,
  site: CallSite,
  parameters: ReadonlyArray<LocalVariable>,
  flags: Variables = new Set(),
  isNamed = false,
): boolean => {
  const concerns = (o: Origins): boolean =>
    (o.keys & Source.sender) !== 0 || has(o, Source.sender) || o.parameters.some((p) => parameters.includes(p))
  for (const { place, event, via } of entriesWritten(flow)) {
    if (place === undefined || !concerns(place.keys) || place.variables.every((v) => flags.has(v))) continue
    if (!isNamed || isDecidedBy(flow, { event, via, place }, parameters)) return true
  }
  if (isHandedToBase(flow, site, concerns)) return true
  const { any, naming } = settlingCalls(flow)
  if (any.precede(site.at)) return true
  const paid = /^(safe)?transfer$/i.test(site.name) ? site.args.at(-1) : undefined
  const sums = paid === undefined ? [] : flow.origins(paid, site.at).parameters
  return parameters.some((p) =>
    naming.get(p)?.some(({ calls, sum }) => sum?.every((one) => sums.includes(one)) !== true && calls.precede(site.at)),
  )
}

/** Whether the sum that the caller names is what an entry is changed by, or selects it. */
const isDecidedBy = (
  flow: Flow,
  { event, via, place }: Pick<Reached<StorageAccess>, "event" | "via" | "place">,
  parameters: ReadonlyArray<LocalVariable>,
): boolean => {
  const isSum = (p: LocalVariable): boolean => parameters.includes(p) && p.type.kind !== "address"
  const names = (e: Expr, at: FlowNode): boolean => {
    const value = flow.origins(e, at)
    return value.parameters.some(isSum) || has(value, Source.unknown)
  }
  if (place!.variables.some(isComputedSlot) || place!.keys.parameters.some(isSum)) return true
  const [first] = via
  if (first !== undefined) return first.args.some((arg) => names(arg, first.at))
  return event.value !== undefined && names(event.value, event.at)
}

/** Calls of bases without source that are given the caller's account. */
const callsOfBases = oncePer((flow: Flow): ReadonlyArray<CallSite> =>
  flow
    .calls()
    .filter(
      ({ callKind, at, args }) =>
        callKind === "unknown" && args.length > 1 && args.some((arg) => has(flow.origins(arg, at), Source.sender)),
    ),
)

/** A base without source receives the account first: its `_burn` or `_transfer` takes what is paid for. */
const isHandedToBase = (flow: Flow, site: CallSite, concerns: (o: Origins) => boolean): boolean =>
  callsOfBases(flow).some(
    ({ at, args }) =>
      flow.dominates(at, site.at) && args.every((arg) => concernsOrFixed(flow.origins(arg, at), concerns)),
  )

const concernsOrFixed = (o: Origins, concerns: (o: Origins) => boolean): boolean =>
  concerns(o) || only(o, Source.self | Source.literal | Source.constant | Source.immutable)

/** Conditions that compare the caller with stored state. */
const conditionsAboutSender = oncePer((flow: Flow): ReadonlyArray<FlowNode> =>
  flow.conditionNodes().filter((node) => {
    if (node.expression === undefined) return false
    const { sources, keys } = flow.origins(node.expression, node)
    return ((sources | keys) & Source.sender) !== 0 && (sources & Source.state) !== 0
  }),
)

/** Whether some condition on the way, including in a finished loop or branch, or in a helper, concerns the caller. */
const asksForSender = (flow: Flow, site: CallSite, flags: Variables): boolean =>
  askingCalls(flow).some(({ at }) => at !== site.at && flow.reaches(at, site.at)) ||
  conditionsAboutSender(flow).some(
    (node) =>
      flow.reaches(node, site.at) &&
      !flow.origins(node.expression!, node).state.every((variable) => flags.has(variable)),
  )

/** Whether a scalar that records somebody's payment or turn is written where the ether leaves. */
const writesAny = (flow: Flow, variables: ReadonlyArray<StateVariable>): boolean =>
  variables.length > 0 &&
  flow.writes.some((write) => write.place?.variables.some((v) => variables.includes(v)) === true)

/**
 * Whether a contract whose callers combine several of its functions in one call sends out leftovers: callers leave
 * nothing behind for others. The function accepts ether, like the others in such a batch.
 */
export const isSweptInBatch = (flow: Flow, payment: Payment, path: ReadonlyArray<CallSite>): boolean => {
  const { program } = flow
  const { fn, context } = (path.length > 0 ? callerOf(program, path[0]!) : undefined) ?? flow
  if (fn.mutability !== "payable" || context === undefined) return false
  if (!has(alongPath(flow, payment.amount, path), payment.holdings)) return false
  return program.functionsOf(context).some(
    (other) =>
      other.implemented &&
      other.mutability === "payable" &&
      program
        .flow(other)
        .calls()
        .some(
          ({ callKind, receiver, at }) =>
            callKind === "delegatecall" &&
            receiver !== undefined &&
            only(program.flow(other).origins(receiver, at), Source.self),
        ),
  )
}

/** `require(msg.value == sum)`, where the sum is that of all payments, which the caller names. */
const isPaidFor = (fact: Fact, { parameters }: Origins): boolean =>
  fact.kind === "relation" &&
  fact.right !== undefined &&
  (
    [
      [fact.left, fact.right, /^[=>]/],
      [fact.right, fact.left, /^[=<]/],
    ] as const
  ).some(
    ([paid, sum, covers]) =>
      only(paid, Source.value) && covers.test(fact.operator) && sum.parameters.some((p) => parameters.includes(p)),
  )

const setHere = Source.state | Source.immutable | Source.constant

/** A share that the contract has set, for having the rest go where the contract has it go: the incentive of a keeper. */
const isIncentive = (flow: Flow, { receiver, amount, holdings }: Payment): boolean =>
  only(receiver, Source.sender) &&
  has(amount, holdings) &&
  has(amount, setHere) &&
  !has(amount, Source.parameter | Source.calldata) &&
  flow.calls().some(({ at, name, args, value, receiver: called }) => {
    const to = /^(?:safe)?transfer$/i.test(name) ? (args.at(-2) ?? called) : called
    return (
      to !== undefined &&
      only(flow.origins(to, at), setHere) &&
      [...args, ...(value === undefined ? [] : [value])].some((part) => has(flow.origins(part, at), holdings))
    )
  })

/** Whether something in this function or in those on the way to it makes the payment the caller's due. */
export const isEarned = (flow: Flow, payment: Payment, path: ReadonlyArray<CallSite>): boolean => {
  const { site, holdings, amount, receiver: chosen } = payment
  if (has(amount, Source.value) || (has(amount, ownMoney) && !has(amount, holdings))) return true
  if (isIncentive(flow, payment)) return true
  const isLiteral = !has(amount, holdings | Source.balance | Source.parameter | Source.state)
  // A table entry says what the caller is owed; whether it is reduced is left to other rules.
  if (!has(amount, holdings) && (amount.keys & (Source.sender | Source.parameter | Source.calldata)) !== 0) return true
  const strict = isLiteral || has(chosen, Source.sender)
  const locks = toggles(flow.program).all
  const facts = flow.facts(site.at).filter((fact) => !isWay(fact, locks))
  // A caller who names the sum is not entitled to it merely because they have not been here before.
  const isNamed = only(amount, Source.parameter | Source.calldata)
  const flags = new Set(isNamed ? facts.flatMap(freeFlag) : [])
  const makesItDue = (fact: Fact): boolean =>
    !(isNamed && freeFlag(fact).length > 0) && makesDue(fact, strict, holdings)
  if (facts.some(makesItDue) || flow.facts(flow.exit).some((fact) => isPaidFor(fact, amount))) return true
  const isUsed = (variable: StateVariable): boolean => !flags.has(variable) && !locks.has(variable)
  if (flow.consumedAt(site.at).some(isUsed) || asksForSender(flow, site, flags)) return true
  const parameters = [...amount.parameters, ...chosen.parameters]
  if (isSettled(flow, site, parameters, flags, isNamed && path.length === 0) || writesAny(flow, amount.state))
    return true
  return path.some((via) => {
    const caller = callerOf(flow.program, via)
    return (
      caller !== undefined &&
      (caller.facts(via.at).some((fact) => !isWay(fact, locks) && makesDue(fact, strict, holdings)) ||
        caller.consumedAt(via.at).some((variable) => !locks.has(variable)) ||
        isSettled(caller, via, parametersOf(caller, via)) ||
        via.args.some((arg) => {
          const o = caller.origins(arg, via.at)
          return (
            (has(o, ownMoney) && !has(o, holdings)) ||
            (has(o, Source.state) && (o.keys & (Source.sender | Source.parameter)) !== 0)
          )
        }))
    )
  })
}

const parametersOf = (flow: Flow, site: CallSite): ReadonlyArray<LocalVariable> =>
  site.args.flatMap((arg) => flow.origins(arg, site.at).parameters)

/** The function that contains a call of the path. */
const callerOf = (program: Program, site: CallSite): Flow | undefined => {
  const { callable } = site.at
  return callable.kind === "Function" ? program.flow(callable) : undefined
}
