import { caller, chosen, clock, type Labels } from "../../rust/siblingConditions.ts"
import type { Handler } from "../program/model.ts"
import { storedPlace } from "../program/semantics.ts"
import { fieldPath } from "./storageWrites.ts"

/** Stored places go by their container, whatever the key: `LOANS.debt`. */
export const labelsIn =
  ({ entry: { sender, env, message, funds } }: Handler): Labels =>
  (term) => {
    const place = storedPlace(term)
    if (place !== undefined) return `${place.container.id}.${fieldPath(term)}`
    if (term === sender) return caller
    if (term === message || term === funds) return chosen
    return term.kind === "field" && term.name === "block" && term.base === env ? clock : undefined
  }
