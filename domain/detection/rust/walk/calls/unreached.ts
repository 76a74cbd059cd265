import type { Crate, FunctionDefinition } from "../../crate/crate.ts"
import type { Event } from "../../terms/events.ts"
import type { Walk } from "../state/walk.ts"

/** The events of functions outside of `reached`, each walked by itself; computed once, on the first call. */
export const unreachedEvents = (
  crates: ReadonlyArray<Crate>,
  reached: () => Iterable<FunctionDefinition>,
  walkAlone: (definition: FunctionDefinition) => Walk,
): (() => ReadonlyArray<Event>) => {
  let known: ReadonlyArray<Event> | undefined
  const walked = (): ReadonlyArray<Event> => {
    const seen = new Set(reached())
    const found: Array<Event> = []
    for (const { functions } of crates)
      for (const definition of functions) {
        if (seen.has(definition) || definition.item.body === undefined) continue
        seen.add(definition)
        for (const event of walkAlone(definition).events) found.push(event)
      }
    return found
  }
  return () => (known ??= walked())
}
