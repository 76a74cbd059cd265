import { oncePer } from "../../oncePer.ts"
import type { Missing } from "../ties/missingTie.ts"
import { definitionOf } from "../../rust/crate/types.ts"
import { singletonsOf } from "../questions/singleton.ts"
import type { Account, SolanaCrate } from "../program/model.ts"
import { againstNames } from "./namedTies.ts"
import { againstRoles } from "./roleTies.ts"
import { againstSigners } from "./siblingSigners.ts"
import { againstSiblings } from "./siblingTies.ts"

/**
 * Accounts that are tied to nothing, although their names or the program's other instructions suggest what they should
 * be tied to.
 */
export const missingTies = oncePer((crate: SolanaCrate): ReadonlyArray<Missing> => {
  const seen = new Set<Account>()
  const singletons = singletonsOf(crate)
  /** All such accounts are created at one address: there is no other to pass. */
  const isOnly = ({ state, wrapper }: Account): boolean => {
    const struct = wrapper === "raw" || state === undefined ? undefined : definitionOf(state)
    return struct?.kind === "struct" && singletons.has(struct)
  }
  return [...againstNames(crate), ...againstSiblings(crate), ...againstRoles(crate), ...againstSigners(crate)].filter(
    ({ account }) => {
      if (seen.has(account) || isOnly(account)) return false
      seen.add(account)
      return true
    },
  )
})
