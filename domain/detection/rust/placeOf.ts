import type { Match } from "../Rule.ts"
import type { Event } from "./terms/events.ts"

/** The place of an event, as a rule reports it. */
export const placeOf = (event: Event): Pick<Match, "file" | "span" | "scope"> => ({
  file: event.file,
  span: event.node,
  scope: event.function.qualifiedName,
})
