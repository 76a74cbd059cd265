import type { Flow } from "../program.ts"
import type * as S from "../syntax.ts"
import type { CallSite, Event, StorageAccess } from "./graph/events.ts"
import { none } from "./graph/graph.ts"
import { either, noOrigins, type Origins, Source } from "./graph/origins.ts"
import { leavesContract } from "./events/outgoingCalls.ts"
import { isSomewhere, type StoragePlace } from "./graph/storagePlace.ts"
import type { Reached, FunctionSummary } from "./functionSummary.ts"

/** How many entries of one kind a summary passes on; the function itself keeps all of its own. */
const summaryLimit = 128

/** What a function and its callees do, once the callees are summarized. */
export const effectsOf = (flow: Flow): Pick<FunctionSummary, "returns" | "reads" | "writes" | "external"> => {
  const reads: Array<Reached<StorageAccess>> = []
  const writes: Array<Reached<StorageAccess>> = []
  const external: Array<Reached<CallSite>> = []
  for (const node of flow.nodes) {
    if (node.events.length === 0 || !flow.isReachable(node)) continue
    for (const event of node.events) {
      if (event.kind === "call") continue
      const list = event.kind === "read" ? reads : writes
      list.push({ event, via: none, at: event.at, order: event.order, place: event.place })
    }
  }
  for (const site of flow.calls()) {
    if (leavesContract(site))
      external.push({ event: site, via: none, at: site.at, order: site.order, place: undefined })
    else if ((site.callKind === "internal" || site.callKind === "library") && site.target !== undefined)
      takeOver(flow, site, reads, writes, external)
  }
  return { returns: flow.isReachable(flow.exit), reads, writes, external }
}

/** What a call brings in: the callee's effects, with storage pointers replaced by the arguments. */
const takeOver = (
  flow: Flow,
  site: CallSite,
  reads: Array<Reached<StorageAccess>>,
  writes: Array<Reached<StorageAccess>>,
  external: Array<Reached<CallSite>>,
): void => {
  const target = site.target!
  const callee = flow.program.flowIfBuilt(target)
  if (callee === undefined || site.call === undefined || callee === flow) return
  const { summary } = callee
  const position = { at: site.at, order: site.order }
  // One path to each event is enough from one call.
  const seen = new Set<Event>()
  for (const [from, to] of [
    [summary.reads, reads],
    [summary.writes, writes],
  ] as const) {
    for (const reached of from.slice(0, summaryLimit)) {
      if (to.length > summaryLimit * 8) break
      if (seen.has(reached.event)) continue
      seen.add(reached.event)
      const place =
        reached.place === undefined
          ? undefined
          : flow.values.storage.placeForCaller(reached.place, site.call, target.parameters, site.at)
      if (place === undefined || !isSomewhere(place) || reached.via.length > 24) continue
      to.push({ ...position, event: reached.event, via: [site, ...reached.via], place })
    }
  }
  for (const reached of summary.external.slice(0, summaryLimit)) {
    if (external.length > summaryLimit * 8 || reached.via.length > 24) break
    if (seen.has(reached.event)) continue
    seen.add(reached.event)
    external.push({ ...position, event: reached.event, via: [site, ...reached.via], place: undefined })
  }
}

/** The origins of each returned value. */
export const resultsOf = (flow: Flow): ReadonlyArray<Origins> => {
  return flow.fn.returns.map((variable, i) => {
    let result = noOrigins
    for (const node of flow.returns) {
      if (node.callable !== flow.fn || !flow.isReachable(node) || node.expression === undefined) continue
      const e = node.expression
      if (e.kind === "TupleExpression" && flow.fn.returns.length > 1) {
        const component = e.components[i]
        if (component !== undefined) result = either(result, flow.origins(component, node))
      } else result = either(result, flow.origins(e, node))
    }
    if (variable.name !== "" && flow.isReachable(flow.exit)) {
      const named = flow.values.local(variable, flow.exit)
      // The initial zero is not a source worth mentioning if something is assigned.
      if (result === noOrigins || named.sources !== Source.literal) result = either(result, named)
    }
    return result
  })
}

/** Where the storage pointer that a function returns points. */
export const returnedPlace = (flow: Flow): StoragePlace | undefined => {
  if (flow.fn.returns.length !== 1) return undefined
  const variable = flow.fn.returns[0]!
  const type = variable.type
  if (type.kind !== "mapping" && !("location" in type && type.location === "storage")) return undefined
  for (const node of flow.returns) {
    if (node.callable !== flow.fn || node.expression === undefined || !flow.isReachable(node)) continue
    const place = flow.values.storage.place(node.expression as S.Expression, node)
    if (isSomewhere(place)) return place
  }
  const place = flow.values.storage.localPlace(variable, flow.exit)
  return isSomewhere(place) ? place : undefined
}

/** Summarizes functions that call each other until nothing is added, in at most four rounds; large groups get one. */
export const summarizeGroup = (flows: ReadonlyArray<{ readonly summarize: () => boolean }>): void => {
  for (let round = 0; round < 4; round++) {
    let grew = false
    for (const flow of flows) grew = flow.summarize() || grew
    if (!grew || flows.length === 1 || flows.length > 64) return
  }
}
