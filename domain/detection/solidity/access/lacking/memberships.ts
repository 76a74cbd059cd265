import { type Deed, isOwn } from "../entries/deeds.ts"
import type { Access, Entry } from "../entries/entries.ts"
import type { Type } from "../../types.ts"
import { besidesWriting } from "../siblings/family.ts"

/** How many functions must restrict callers before an unrestricted one is reported. */
const othersAtLeast = 3

export interface Membership {
  readonly deed: Deed
  readonly guarded: ReadonlyArray<Entry>
}

/** Amounts are excluded: every account has its own. */
const isMark = (type: Type): boolean => (type.kind === "mapping" ? isMark(type.value) : type.kind === "bool")

/** Every other function that records something under the sender (a vote, a signature) checks the sender first. */
export const openMembership = (access: Access, entry: Entry): Membership | undefined => {
  for (const deed of entry.deeds) {
    const { variable } = deed
    if (variable === undefined || deed.demands.standing === "guarded" || !isOwn(deed) || !isMark(variable.type))
      continue
    const others = besidesWriting(access, entry, variable, true)
    if (others.length >= othersAtLeast && others.every(({ guarded }) => guarded)) return { deed, guarded: others }
  }
  return undefined
}
