import type { Event } from "../rust/events.ts"
import { mentions } from "../rust/terms.ts"
import { storedPlace } from "./semantics.ts"
import { eventsTouch } from "./touches.ts"

const versionCheck =
  /^(get_contract_version|ensure_from_older_version|assert_contract_version|ensure_contract_version|query_contract_info)$/

/** Whether a migration looks at the name or version it comes from: cw2's, or one that the contract keeps itself. */
export const isVersionChecked = (events: ReadonlyArray<Event>): boolean =>
  events.some((event) => event.kind === "call" && versionCheck.test(event.name)) ||
  eventsTouch(
    events,
    (term) =>
      term.kind === "binary" &&
      /^([=!]=|<=?)$/.test(term.operator) &&
      mentions(term, (one) => storedPlace(one) !== undefined),
  )

/** A write to the contract's own storage. */
export const isOwnWrite = (event: Event): boolean =>
  event.kind === "assign" && storedPlace(event.target.term) !== undefined

/** The new name and version take the place of the old ones. */
export const isVersionSet = (event: Event): boolean => event.kind === "call" && event.name === "set_contract_version"
