import { sidesOf } from "../../flow/facts/facts.ts"
import { has, Source } from "../../flow/graph/origins.ts"
import type { Deed } from "../entries/deeds.ts"
import type { Access, Entry } from "../entries/entries.ts"
import { peersOf } from "../siblings/namesakes.ts"

export interface Appointment {
  readonly deed: Deed
  readonly guarded: ReadonlyArray<Entry>
}

/** `vault.setKeeper(msg.sender)`: this contract is the keeper, and any caller takes its place. */
export const appointsCaller = (access: Access, entry: Entry): Appointment | undefined => {
  for (const deed of entry.deeds) {
    const { value, keys, demands } = deed
    if (demands.standing !== "open") continue
    // whoever has something created owns it
    if (value.sources !== Source.sender || has(keys, Source.created)) continue
    const guarded = peersOf(access, entry, deed)
    if (guarded.length > 0 && guarded.every(({ deeds }) => deeds.some(isHandover))) return { deed, guarded }
  }
  return undefined
}

/** Whether only the account that is stored can store another in its place. */
const isHandover = ({ demands, variable }: Deed): boolean =>
  variable !== undefined &&
  demands.facts.some(
    (fact) =>
      fact.kind === "relation" &&
      sidesOf(fact).some(({ sources }) => sources === Source.sender) &&
      sidesOf(fact).some(({ state }) => state.includes(variable)),
  )
