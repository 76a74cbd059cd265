import type { StructDefinition } from "../../rust/crate/crate.ts"
import type { Event, StructEvent, Value } from "../../rust/terms/events.ts"
import { mentions, type TermTable } from "../../rust/terms/terms.ts"
import { definitionOf, successType } from "../../rust/crate/types.ts"
import type { Handler, StorageContainer } from "../program/model.ts"
import { isOtherBranch } from "../../rust/terms/otherBranch.ts"
import { readsOnly } from "./idleValues.ts"
import { storedPlace } from "../program/semantics.ts"

/** A record that is created and then dropped. */
interface Dropped {
  readonly event: StructEvent
  readonly container: StorageContainer
}

const isOf = ({ term, type }: Value, struct: StructDefinition): boolean =>
  definitionOf(successType(type)) === struct ||
  mentions(term, (one) => one.kind === "struct" && one.definition === struct)

/** Whether it is used in storage, a message, a comparison or another value, or passed to a function without source. */
const takes = (event: Event, struct: StructDefinition): boolean => {
  switch (event.kind) {
    case "assign":
      return event.target.term.kind !== "field" && isOf(event.value, struct)
    case "struct":
      return (
        event.value.term.kind === "struct" &&
        event.value.term.definition !== struct &&
        event.value.term.fields.some(([, value]) =>
          mentions(value, (one) => one.kind === "struct" && one.definition === struct),
        )
      )
    case "call":
      return event.target === undefined && event.args.slice(event.method ? 1 : 0).some((one) => isOf(one, struct))
    // Created for comparison with stored data.
    case "check":
      return event.conditions.some((fact) =>
        mentions(fact, (one) => one.kind === "struct" && one.definition === struct),
      )
    default:
      return false
  }
}

/** Records of a stored type that a message creates and neither saves nor passes on. */
export const droppedRecords = (
  containers: ReadonlyArray<StorageContainer>,
  { entry, events }: Handler,
  terms: TermTable,
): ReadonlyArray<Dropped> => {
  if (entry.kind === "query") return []
  const byStruct = new Map<StructDefinition, StorageContainer>()
  for (const container of containers) {
    const struct = definitionOf(container.value)
    // If a struct is stored in several places, it may be meant for any of them.
    if (struct?.kind === "struct") byStruct.set(struct, container)
  }
  if (byStruct.size === 0) return []
  const known = new Map<StructDefinition, ReadonlyArray<Event>>()
  const takersOf = (definition: StructDefinition, container: StorageContainer): ReadonlyArray<Event> => {
    const found =
      known.get(definition) ??
      events
        .filter(
          (other) =>
            takes(other, definition) ||
            (other.kind === "assign" && storedPlace(other.target.term)?.container === container.term),
        )
        .toReversed()
    known.set(definition, found)
    return found
  }
  return events.flatMap((event) => {
    if (event.kind !== "struct" || event.value.term.kind !== "struct" || readsOnly(event.function)) return []
    const { definition } = event.value.term
    const container = definition?.kind === "struct" ? byStruct.get(definition) : undefined
    if (container === undefined || definition?.kind !== "struct") return []
    const isLater = (other: Event): boolean =>
      other !== event &&
      other.order >= event.order &&
      !isOtherBranch(terms, event, other, (fact) => mentions(fact, (one) => one === event.value.term))
    // The last one is most likely to come after all that creates such a record.
    const reaches = takersOf(definition, container).some(isLater)
    return reaches ? [] : [{ event, container }]
  })
}
