import type { FunctionDefinition } from "../../rust/crate/crate.ts"
import type { Event, Frame } from "../../rust/terms/events.ts"
import { mentions, type Term } from "../../rust/terms/terms.ts"
import type { TypeNode } from "../../rust/syntax/syntax.ts"
import type { CosmWasmCrate } from "../program/model.ts"
import { storedPlace } from "../program/semantics.ts"
import { fieldPath } from "../questions/storageWrites.ts"

// Counters and balances whose new value a function computes and returns but does not save.

/** `&mut dyn Storage`. */
const isMutableStorage = (type: TypeNode | undefined): boolean =>
  type?.kind === "reference" &&
  type.mutable &&
  type.type.kind === "bounds" &&
  type.type.bounds.some((one) => one.kind === "path" && one.path.segments.at(-1)?.name === "Storage")

const looking = /^(load|may_load|has|range|range_raw|keys|prefix|prefix_range|key|iter|is_empty|len|first|last)$/

/** Whether an event changes storage, or passes it on to code without source, which may. */
const mayWrite = (event: Event): boolean =>
  (event.kind === "assign" && storedPlace(event.target.term) !== undefined) ||
  (event.kind === "call" &&
    event.target === undefined &&
    !looking.test(event.name) &&
    event.args.some(({ term }) => term.kind === "field" && term.name === "storage"))

/** A stored number plus or minus something that is not stored: `COUNT.load(storage)? + 1`. */
const isNewValue = (term: Term): boolean => {
  const sides =
    term.kind === "binary" && /^[+-]$/.test(term.operator)
      ? [term.left, term.right]
      : term.kind === "call" && /^(checked_|saturating_)?(add|sub)$/.test(term.name)
        ? term.args
        : []
  const isPlace = (one: Term): boolean =>
    one.kind === "choice" ? one.alternatives.some(isPlace) : storedPlace(one) !== undefined && fieldPath(one) === ""
  const [place, ...others] = [...sides.filter(isPlace), ...sides.filter((one) => !isPlace(one))]
  return (
    place !== undefined &&
    isPlace(place) &&
    others.length === 1 &&
    others.every((one) => !mentions(one, (part) => storedPlace(part) !== undefined))
  )
}

/** Functions that take mutable storage and return the new value of a stored number, which nothing saves. */
export const returnedSums = ({ entryPoints }: CosmWasmCrate): ReadonlySet<FunctionDefinition> => {
  const found = new Set<FunctionDefinition>()
  if (entryPoints.some(({ walk }) => walk.truncated)) return found
  const writing = new Set<FunctionDefinition>()
  for (const { events } of entryPoints)
    for (const event of events) {
      if (event.kind === "call" && event.target !== undefined && isNewValue(event.result.term))
        if (event.target.parameters.some(({ type }) => isMutableStorage(type))) found.add(event.target)
      if (!mayWrite(event)) continue
      for (let at: Frame | undefined = event.scope.frame; at !== undefined && !writing.has(at.function); at = at.parent)
        writing.add(at.function)
    }
  for (const one of writing) found.delete(one)
  return found
}
