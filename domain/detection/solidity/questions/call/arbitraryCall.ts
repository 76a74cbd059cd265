import type { Expr } from "../../flow/graph/graph.ts"
import type { CallSite } from "../../flow/graph/events.ts"
import type { Fact } from "../../flow/facts/facts.ts"
import type { Flow } from "../../program.ts"
import type { Reached } from "../../flow/functionSummary.ts"
import { has, only, type Origins, Source } from "../../flow/graph/origins.ts"
import { directCalls, strangersPath } from "../authority/attackerControl.ts"
import { dependsOn } from "../authority/authorities.ts"
import { originsThrough } from "../authority/callOut.ts"
import { openTable } from "../authority/openState.ts"

const chosen = Source.parameter | Source.calldata

const targetAndData = ({ callKind, call, name, receiver, args, target }: CallSite): ReadonlyArray<Expr | undefined> => {
  if (callKind === "call" && call !== undefined) return [receiver, args[0]]
  // OpenZeppelin's Address, if its source is missing
  const isWrapped = callKind === "library" && target === undefined && /^functionCall(WithValue)?$/.test(name)
  return isWrapped ? [args[0], args[1]] : []
}

/** Calls that can go anywhere, with any data. */
export const lowLevelCalls = (flow: Flow): ReadonlyArray<Reached<CallSite>> => {
  const wrapped = [...flow.calls()].filter((site) => site.callKind === "library" && targetAndData(site).length > 0)
  return [
    ...directCalls(flow).filter(({ event }) => event.callKind === "call"),
    ...wrapped.map((event) => ({ event, via: [], at: event.at, order: event.order, place: undefined })),
  ]
}

/**
 * A low-level call, made by the function itself or by a library on its behalf, whose target and entire calldata a
 * stranger chose, now or when they were stored: the calls that lead to the function, outermost first. Undefined for all
 * others.
 */
export const arbitraryCallPath = (flow: Flow, call: Reached<CallSite>): ReadonlyArray<CallSite> | undefined => {
  const [receiver, data] = targetAndData(call.event)
  if (receiver === undefined || data === undefined) return undefined
  const target = originsThrough(flow, call, receiver)
  const passed = originsThrough(flow, call, data)
  if (isStored(flow, target) && only(passed, Source.state | chosen)) {
    // The data may be stored beside the target, in a table that contains no address.
    const isOpen =
      target.state.every((v) => openTable(flow, v) !== undefined) && !dependsOn(flow.facts(call.at), () => true)
    return isOpen ? strangersPath(flow, call.at, target, Source.state) : undefined
  }
  if (!has(target, chosen) || has(target, Source.state | Source.immutable | Source.constant)) return undefined
  if (!only(passed, chosen) || flow.facts(call.at).some(namesFunctions)) return undefined
  return strangersPath(flow, call.at, target, Source.calldata)
}

/** Whether the bytes with which the calldata begins are one of a few, as read in assembly: the functions it may call. */
const namesFunctions = (fact: Fact): boolean =>
  fact.kind === "any"
    ? fact.options.every((option) => option.some(namesFunctions))
    : fact.operator === "==" &&
      fact.right !== undefined &&
      (fact.left.sources & ~Source.literal) === Source.calldata &&
      only(fact.right, Source.literal)

const isStored = (flow: Flow, target: Origins): boolean =>
  only(target, Source.state) && target.state.length > 0 && flow.fn.role !== "constructor"
