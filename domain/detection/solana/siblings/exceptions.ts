import { oncePer } from "../../oncePer.ts"
import type { Account, SolanaCrate } from "../program/model.ts"
import type { Missing } from "../ties/missingTie.ts"
import { missingTies } from "./expectations.ts"
import { unlikeSigners } from "./siblingSigners.ts"
import { unlikeSiblings } from "./siblingTies.ts"

/** Siblings that are many enough for an exception among them to be worth a second look. */
const enough = 3

/** The same tie seen from the record that stores the address: it is told at the account whose address that is. */
const isMirrored = ({ slot }: Missing): boolean => slot.startsWith("own ")

/** What an instruction does not check though most others do, where something explains it: once per account. */
export const exceptions = oncePer((crate: SolanaCrate): ReadonlyArray<Missing> => {
  const seen = new Set<Account>(missingTies(crate).map(({ account }) => account))
  return [...unlikeSiblings(crate), ...unlikeSigners(crate)].filter((missing) => {
    const { account, siblings } = missing
    if (siblings.length < enough || seen.has(account) || isMirrored(missing)) return false
    seen.add(account)
    return true
  })
})
