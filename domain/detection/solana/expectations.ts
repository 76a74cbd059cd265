import type { Missing } from "./missingTie.ts"
import type { Account, SolanaCrate } from "./model.ts"
import { againstNames } from "./namedTies.ts"
import { againstSigners } from "./siblingSigners.ts"
import { againstSiblings } from "./siblingTies.ts"

const missing = new WeakMap<SolanaCrate, ReadonlyArray<Missing>>()

/**
 * Accounts that are tied to nothing, although their names or the program's other instructions suggest what they should
 * be tied to.
 */
export const missingTies = (crate: SolanaCrate): ReadonlyArray<Missing> => {
  let found = missing.get(crate)
  if (found === undefined) {
    const seen = new Set<Account>()
    found = [...againstNames(crate), ...againstSiblings(crate), ...againstSigners(crate)].filter(({ account }) => {
      if (seen.has(account)) return false
      seen.add(account)
      return true
    })
    missing.set(crate, found)
  }
  return found
}
