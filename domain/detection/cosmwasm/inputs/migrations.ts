import type { Event } from "../../rust/terms/events.ts"
import { mentions, type Term } from "../../rust/terms/terms.ts"
import { storedPlace } from "../program/semantics.ts"
import { fieldPath } from "../questions/storageWrites.ts"
import { eventsTouch } from "../questions/touches.ts"

const versionCheck =
  /^(get_contract_version|ensure_from_older_version|assert_contract_version|ensure_contract_version|query_contract_info)$/

/**
 * Whether a stored value is a version, by its name or by what it is compared with; the progress of an earlier migration
 * is not.
 */
const isVersion = (stored: Term, other: Term): boolean =>
  mentions(stored, (one) => storedPlace(one) !== undefined) &&
  (/version|contract|schema/i.test(`${nameOf(stored)} ${fieldPath(stored)}`) ||
    (other.kind === "literal" && other.type !== "boolean") ||
    (other.kind === "constant" && /^[A-Z0-9_]+$/.test(other.name)))

const nameOf = (stored: Term): string => {
  const container = storedPlace(stored)?.container
  return container?.kind === "constant" ? container.name : ""
}

/**
 * Whether a migration checks the name or version that it migrates from: cw2's, or one that the contract stores itself.
 */
export const isVersionChecked = (events: ReadonlyArray<Event>): boolean =>
  events.some((event) => event.kind === "call" && versionCheck.test(event.name)) ||
  eventsTouch(
    events,
    (term) =>
      term.kind === "binary" &&
      /^([=!]=|<=?)$/.test(term.operator) &&
      (isVersion(term.left, term.right) || isVersion(term.right, term.left)),
  )

/** A write to the contract's own storage. */
export const isOwnWrite = (event: Event): boolean =>
  event.kind === "assign" && storedPlace(event.target.term) !== undefined

/** Whether the new name and version replace the old ones. */
export const isVersionSet = (event: Event): boolean => event.kind === "call" && event.name === "set_contract_version"
