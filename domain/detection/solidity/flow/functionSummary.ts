import type { CallSite, Event, StorageAccess } from "./graph/events.ts"
import type { Fact } from "./facts/facts.ts"
import type { FlowNode } from "./graph/graph.ts"
import type { Origins } from "./graph/origins.ts"
import type { StoragePlace } from "./graph/storagePlace.ts"

/** An event of this function or of one that it calls: `at` is the node of this function, `via` the calls in between. */
export interface Reached<E extends Event> {
  readonly event: E
  readonly via: ReadonlyArray<CallSite>
  readonly at: FlowNode
  readonly order: number
  /** For storage: the place in terms of this function. */
  readonly place: StoragePlace | undefined
}

/** What callers need to know about a function; computed once, callees first. */
export interface FunctionSummary {
  /** False if every path reverts. */
  readonly returns: boolean
  /** The origins of each returned value, in terms of the parameters. */
  readonly results: ReadonlyArray<Origins>
  /** Where the returned storage pointer points. */
  readonly place: StoragePlace | undefined
  readonly reads: ReadonlyArray<Reached<StorageAccess>>
  readonly writes: ReadonlyArray<Reached<StorageAccess>>
  /** Calls that leave the contract. */
  readonly external: ReadonlyArray<Reached<CallSite>>
  /** What holds whenever it returns normally, in terms of its parameters. */
  readonly exitFacts: ReadonlyArray<Fact>
}

/** What is known before a function has been looked at. */
export const nothingKnown: FunctionSummary = {
  returns: true,
  results: [],
  place: undefined,
  reads: [],
  writes: [],
  external: [],
  exitFacts: [],
}
