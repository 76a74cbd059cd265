import { indexBy } from "../../../indexBy.ts"
import { oncePer } from "../../../oncePer.ts"
import { toggles } from "../../demands/toggles.ts"
import { SomeEvents } from "../../flow/graph/someEvents.ts"
import type { Expr, FlowNode } from "../../flow/graph/graph.ts"
import type { CallSite, Event, StorageAccess } from "../../flow/graph/events.ts"
import type { Fact } from "../../flow/facts/facts.ts"
import { restrictive } from "../../flow/facts/callerCheck.ts"
import { canReenter, sendsEther } from "../../flow/events/outgoingCalls.ts"
import { isZero } from "../../flow/values/isZero.ts"
import type { Reached } from "../../flow/functionSummary.ts"
import type { StateVariable } from "../../model.ts"
import { type Origins, Source, substitute } from "../../flow/graph/origins.ts"
import type { Flow, Program } from "../../program.ts"
import { isComputedSlot } from "../../flow/graph/storagePlace.ts"
import { openTable } from "./openState.ts"

/** Origins of an expression in a call that is reached through others, in terms of the outermost function. */
export const originsThrough = (flow: Flow, { event, via }: Reached<CallSite>, e: Expr): Origins => {
  let inner = via.length === 0 ? flow : flow.program.flow(via.at(-1)!.target!)
  let value = inner.origins(e, event.at)
  for (let i = via.length - 1; i >= 0; i--) {
    const site = via[i]!
    const target = site.target!
    inner = i === 0 ? flow : flow.program.flow(via[i - 1]!.target!)
    const outer = inner
    value = substitute(value, (p) => {
      const arg = site.args[target.parameters.indexOf(p)]
      return arg === undefined ? undefined : outer.origins(arg, site.at)
    })
  }
  return value
}

/**
 * Whose code runs when the contract makes an external call. `stranger`: an address that the caller chose, now or when
 * it was stored · `stored`: one that an administrator can change · `fixed`: set permanently at deployment.
 */
export type Callee = "stranger" | "stored" | "fixed"

export const calleeOf = (flow: Flow, call: Reached<CallSite>): Callee => {
  const { receiver } = call.event
  // SafeERC20 and the like, if their sources are missing: the token comes first.
  const target = receiver ?? call.event.args[0]
  if (target === undefined) return "fixed"
  // An internal function receives the call target from its callers.
  return trust(flow, flow.expand(originsThrough(flow, call, target)))
}

/**
 * Whether the called address was fixed at deployment, or another contract stores it under a name written here: it does
 * not answer a question about an account or item.
 */
export const isSettledCallee = (flow: Flow, call: Reached<CallSite>): boolean => {
  const { receiver } = call.event
  if (receiver === undefined || calleeOf(flow, call) !== "fixed") return false
  const { sources, keys, keyParameters } = flow.expand(originsThrough(flow, call, receiver))
  if ((sources & (Source.lowLevel | Source.unknown | Source.recovered)) !== 0) return false
  const chosen = Source.sender | Source.parameter | Source.calldata | Source.txOrigin | Source.state | Source.external
  return (sources & Source.external) === 0 || ((keys & chosen) === 0 && keyParameters.length === 0)
}

const trust = (flow: Flow, target: Origins): Callee => {
  if ((target.sources & (Source.sender | Source.parameter | Source.calldata | Source.txOrigin)) !== 0) return "stranger"
  if (target.state.some((variable) => openTable(flow, variable) !== undefined)) return "stranger"
  if (target.state.some((variable) => changeable(flow.program).has(variable))) return "stored"
  return "fixed"
}

/** State that some function other than a constructor writes. */
export const changeable = oncePer((program: Program): ReadonlySet<StateVariable> => {
  const written = new Set<StateVariable>()
  for (const flow of program.allFlows()) {
    if (flow.fn.role === "constructor") continue
    for (const { place } of flow.writes) for (const v of place?.variables ?? []) written.add(v)
  }
  return written
})

/**
 * Whether ether is sent along, as the outermost function sees it: a library that makes calls for others, as `Address`
 * does for `SafeERC20`, is passed a value of zero.
 */
export const handsOutEther = (program: Program, { event, via }: Pick<Reached<CallSite>, "event" | "via">): boolean => {
  if (!sendsEther(event)) return false
  let value = event.value!
  for (const site of via.toReversed()) {
    const named = value.kind === "Identifier" ? program.referenceOf(value) : undefined
    const passed = site.args[site.target!.parameters.findIndex((parameter) => parameter === named)]
    if (passed === undefined) break
    value = passed
  }
  return !isZero(value)
}

/** Whether the call sends ether with enough gas to call back. */
export const paysWithGas = (program: Program, call: Reached<CallSite>): boolean =>
  canReenter(call.event) && handsOutEther(program, call)

/** Limit: writes after one call for which checks in between are searched. */
const writeLimit = 50

interface Reads {
  readonly byVariable: ReadonlyMap<StateVariable, SomeEvents>
  readonly ofSlots: ReadonlyArray<Reached<StorageAccess>>
}

export const readsOf = oncePer((flow: Flow): Reads => {
  const reads = indexBy(flow.reads, ({ place }) => place?.variables ?? [])
  const byVariable = new Map([...reads].map(([variable, its]) => [variable, new SomeEvents(flow, its)] as const))
  const ofSlots = flow.reads.filter(({ place }) => place?.variables.some(isComputedSlot) === true)
  return { byVariable, ofSlots }
})

/** The writes to something that is also read, in order, and how many variables they change. */
const rewrites = oncePer((flow: Flow) => {
  const { byVariable } = readsOf(flow)
  const writes = flow.writes.filter(({ place }) => place?.variables.some((v) => byVariable.has(v)) === true)
  return {
    writes: writes.toSorted((a, b) => a.order - b.order),
    variables: new Set(writes.flatMap(({ place }) => place?.variables ?? [])).size,
  }
})

/** The position of the first of several events, which are in order, that does not stand before a place. */
const firstAfter = (events: ReadonlyArray<{ readonly order: number }>, order: number): number => {
  let [from, to] = [0, events.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (events[middle]!.order < order) from = middle + 1
    else to = middle
  }
  return from
}

/** The keys of computed slots that are read before a call. */
const slotsBefore = (flow: Flow, call: Reached<CallSite>): ReadonlyArray<Origins> => {
  const slots: Array<Origins> = []
  for (const read of readsOf(flow).ofSlots) {
    if (slots.length === slotLimit) break
    if (flow.follows(read, call)) slots.push(read.place!.keys)
  }
  return slots
}

/**
 * A write after the call to something that was read before it: the state that a reentrant call finds unchanged. Left
 * out is whatever was already changed before the call, or is checked again after it.
 */
export const staleWrite = (flow: Flow, call: Reached<CallSite>): Reached<StorageAccess> | undefined => {
  const { byVariable } = readsOf(flow)
  const unchanged = new Set<StateVariable>()
  const others = new Set<StateVariable>()
  const isUnchanged = (variable: StateVariable): boolean => {
    if (unchanged.has(variable) || others.has(variable)) return unchanged.has(variable)
    const found =
      byVariable.get(variable)?.mayPrecede(call) === true &&
      !flow.changedBeforeCall(call, variable) &&
      // a flag that is up while the call runs is meant to go down afterwards
      !toggles(flow.program).all.has(variable)
    ;(found ? unchanged : others).add(variable)
    return found
  }
  let slots: ReadonlyArray<Origins> | undefined
  let looked = 0
  const { writes, variables: rewritten } = rewrites(flow)
  // What stands before the call comes after it only in a loop.
  const start = flow.reaches(call.at, call.at) ? 0 : firstAfter(writes, call.order)
  for (let at = start; at < writes.length && others.size < rewritten; at++) {
    const write = writes[at]!
    const { variables, keys } = write.place!
    if (variables.every((v) => others.has(v)) || !flow.follows(call, write)) continue
    const stale = variables.filter(
      (v) =>
        isUnchanged(v) &&
        (!isComputedSlot(v) || (slots ??= slotsBefore(flow, call)).some((one) => selectAlike(one, keys))),
    )
    if (stale.length === 0) continue
    if (stale.some((v) => !flow.recheckedBefore(write, call, v))) return write
    if (++looked > writeLimit) return undefined
  }
  return undefined
}

/** Limit: computed slots read before one call that are remembered. */
const slotLimit = 50

/** Whether both belong to the caller, or are selected by the same parameter. */
const selectAlike = (a: Origins, b: Origins): boolean =>
  ((a.sources | a.keys) & (b.sources | b.keys) & Source.sender) !== 0 ||
  [...a.parameters, ...a.keyParameters].some((p) => b.parameters.includes(p) || b.keyParameters.includes(p))

/** Whether a lock is held at an event: here, by all callers, or by a function on the way to it. */
export const isHeld = (flow: Flow, { at, via, event }: Reached<Event>): boolean =>
  flow.isLocked(at) ||
  [...via.slice(1), event].some((inside) => {
    const { callable } = inside.at
    const inner = callable.kind === "Function" ? flow.program.flowIfBuilt(callable) : undefined
    return inner !== undefined && inner !== flow && inner.lockAt(inside.at) !== undefined
  })

/** Constructors, unreachable functions, and functions that cannot change state cannot be reentered. */
export const mayReenter = (flow: Flow): boolean => {
  const { role, mutability } = flow.fn
  return (
    role !== "constructor" && mutability !== "view" && mutability !== "pure" && flow.program.graph.isReachable(flow.fn)
  )
}

/** Whether a lock is held at the call, or only trusted accounts get there. */
export const isGuarded = (flow: Flow, call: Reached<CallSite>): boolean =>
  isHeld(flow, call) || (flow.isRestricted(call.at) && !isAnyHolder(flow, call.at))

/** Whether every caller check that was passed concerns one entry of a table that anyone can add themselves to. */
const isAnyHolder = (flow: Flow, at: FlowNode): boolean => {
  const checks = flow.callerChecks(at).filter(({ kind }) => restrictive.has(kind))
  const chosenEntry = ({ keys, state }: Origins): boolean =>
    (keys & (Source.parameter | Source.calldata)) !== 0 &&
    state.some((variable) => openTable(flow, variable) !== undefined)
  const byEntry = (fact: Fact): boolean =>
    fact.kind === "any"
      ? fact.options.some((option) => option.some(byEntry))
      : chosenEntry(fact.left) || (fact.right !== undefined && chosenEntry(fact.right))
  return checks.length > 0 && checks.every(({ kind, fact }) => kind === "owner" && byEntry(fact))
}
