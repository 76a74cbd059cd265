import { oncePer } from "../../../oncePer.ts"
import type { StateVariable } from "../../model.ts"
import type { Deed } from "../entries/deeds.ts"
import type { Access, Entry } from "../entries/entries.ts"

/** Limit: conditions of one function. */
const factLimit = 100

/** The functions that require each flag to be set. */
const requiring = oncePer((access: Access): ReadonlyMap<StateVariable, ReadonlyArray<Entry>> => {
  const found = new Map<StateVariable, Array<Entry>>()
  for (const entry of access.entries)
    for (const fact of entry.flow.facts(entry.flow.exit).slice(0, factLimit)) {
      const flag = fact.kind === "relation" && fact.operator === "true" ? fact.left.state[0] : undefined
      if (flag === undefined) continue
      const known = found.get(flag)
      if (known === undefined) found.set(flag, [entry])
      else known.push(entry)
    }
  return found
})

/**
 * The functions that wait for the flag that a deed raises. One that is lowered again says that there is work to do, and
 * anyone may know of some.
 */
export const functionsAwaitingFlag = (access: Access, deed: Deed): ReadonlyArray<Entry> => {
  const { variable } = deed
  const waiting = variable === undefined ? undefined : requiring(access).get(variable)
  return waiting !== undefined && access.bySubject.get(variable!)!.every((other) => isRaised(other.deed)) ? waiting : []
}

const isRaised = ({ reached: { event } }: Deed): boolean =>
  event.value?.kind === "Literal" && event.value.value === "true"
