import { oncePer } from "../../../oncePer.ts"
import { has, Source } from "../../flow/graph/origins.ts"
import type { LocalVariable, StateVariable } from "../../model.ts"
import type { Type } from "../../types.ts"
import type { Deed } from "../entries/deeds.ts"
import { type Access, type Entry, isNamed } from "../entries/entries.ts"
import { isEntitled } from "./rights.ts"

// Who is paid, votes or acts in place of an account that holds something here: `receiverOf[account]`.

const isByAccount = (type: Type, of: (value: Type) => boolean): boolean =>
  type.kind === "mapping" && type.key.kind === "address" && of(type.value)

const isAccount = ({ kind }: Type): boolean => kind === "address"

const isAmount = ({ kind }: Type): boolean => kind === "integer"

/** Tables of what accounts hold: the sender's own entry changes, or an entry is paid out. */
const holdings = oncePer(({ entries }: Access): ReadonlySet<StateVariable> => {
  const found = new Set<StateVariable>()
  for (const { deeds } of entries)
    for (const { variable, keys, value } of deeds)
      if (variable === undefined) for (const paid of value.state) found.add(paid)
      else if (has(keys, Source.sender)) found.add(variable)
  return new Set([...found].filter(({ type }) => isByAccount(type, isAmount)))
})

/** Tables of which an entry is read along with what the same account holds, and a function that does so. */
const standIns = oncePer((access: Access): ReadonlyMap<StateVariable, Entry> => {
  const found = new Map<StateVariable, Entry>()
  for (const entry of access.entries) {
    const named = new Map<StateVariable, ReadonlyArray<LocalVariable>>()
    const holders = new Set<LocalVariable>()
    for (const { place } of entry.flow.reads) {
      const [variable] = place?.variables ?? []
      if (variable === undefined || place!.keys.sources !== Source.parameter) continue
      const { parameters } = place!.keys
      if (isByAccount(variable.type, isAccount)) named.set(variable, parameters)
      else if (holdings(access).has(variable)) for (const p of parameters) holders.add(p)
    }
    for (const [variable, parameters] of named) if (parameters.some((p) => holders.has(p))) found.set(variable, entry)
  }
  return found
})

/** The function that shows that the account is somebody's stand-in, if the deed replaces it for anyone. */
export const changesDelegate = (access: Access, deed: Deed): Entry | undefined => {
  const shows = deed.variable === undefined ? undefined : standIns(access).get(deed.variable)
  return isNamed(deed.value) && !isEntitled(deed) ? shows : undefined
}
