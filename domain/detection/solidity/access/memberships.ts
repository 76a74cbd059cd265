import { type Deed, isOwn } from "./deeds.ts"
import type { Access, Entry } from "./entries.ts"
import type { Type } from "../types.ts"
import { besidesWriting } from "./siblings.ts"

/** Functions that let in only some before one that lets in anyone is worth telling. */
const othersAtLeast = 3

export interface Membership {
  readonly deed: Deed
  readonly guarded: ReadonlyArray<Entry>
}

/** Of amounts everybody has their own. */
const isMark = (type: Type): boolean => (type.kind === "mapping" ? isMark(type.value) : type.kind === "bool")

/** Everybody else who leaves something under their own name (a vote, a signature) is one of those whom a check lets in. */
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
