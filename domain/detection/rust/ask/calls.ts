import type { FunctionDefinition } from "../crate/crate.ts"
import type { CallEvent, Event } from "../terms/events.ts"
import type { RustEntry } from "./RustModel.ts"

/** The calls between the functions of a project, each place once. */
export interface Calls {
  readonly callersOf: (fn: FunctionDefinition) => ReadonlyArray<CallEvent>
  readonly calleesOf: (fn: FunctionDefinition) => ReadonlySet<FunctionDefinition>
  /** The entries that reach a function, in order. */
  readonly entriesOf: (fn: FunctionDefinition) => ReadonlyArray<RustEntry>
}

const none: ReadonlySet<FunctionDefinition> = new Set()

/** Everything that some functions call, including themselves. */
const closure = (
  from: Iterable<FunctionDefinition>,
  callees: ReadonlyMap<FunctionDefinition, ReadonlySet<FunctionDefinition>>,
): ReadonlySet<FunctionDefinition> => {
  // A set also iterates over what is added in the meantime.
  const reached = new Set(from)
  for (const fn of reached) for (const callee of callees.get(fn) ?? none) reached.add(callee)
  return reached
}

export const callsOf = (events: ReadonlyArray<Event>, entries: ReadonlyArray<RustEntry>): Calls => {
  const callers = new Map<FunctionDefinition, Map<string, CallEvent>>()
  const callees = new Map<FunctionDefinition, Set<FunctionDefinition>>()
  for (const event of events) {
    if (event.kind !== "call" || event.target?.item.body === undefined) continue
    const { target, file, node } = event
    let known = callers.get(target)
    if (known === undefined) callers.set(target, (known = new Map()))
    const key = `${file.path}:${node.start}`
    if (!known.has(key)) known.set(key, event)
    let called = callees.get(event.function)
    if (called === undefined) callees.set(event.function, (called = new Set()))
    called.add(target)
  }
  const reaching = new Map<FunctionDefinition, Array<RustEntry>>()
  for (const entry of entries) {
    const walked = new Set([entry.root, entry.function])
    const called = new Set<FunctionDefinition>()
    for (const event of entry.events) {
      walked.add(event.function)
      if (event.kind === "call" && event.target !== undefined) called.add(event.target)
    }
    // A second call of a helper is not walked again. Dispatchers are, since they lead to the code of other messages.
    const rest = [...called].filter((fn) => !walked.has(fn))
    for (const fn of new Set([...walked, ...closure(rest, callees)])) {
      const own = reaching.get(fn)
      if (own === undefined) reaching.set(fn, [entry])
      else own.push(entry)
    }
  }
  return {
    callersOf: (fn) => [...(callers.get(fn)?.values() ?? [])],
    calleesOf: (fn) => callees.get(fn) ?? none,
    entriesOf: (fn) => reaching.get(fn) ?? [],
  }
}
