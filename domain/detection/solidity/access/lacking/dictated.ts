import { sidesOf } from "../../flow/facts/facts.ts"
import { has, type Origins, Source } from "../../flow/graph/origins.ts"
import { declaredWhole } from "../../flow/graph/storagePlace.ts"
import { isScript } from "../../questions/deployment/borrowedCode.ts"
import { claimsFreeEntry, type Deed, isCleared, isSingle } from "../entries/deeds.ts"
import { type Access, type Entry, isDoneOnce, isNamed } from "../entries/entries.ts"
import { isVetted } from "../entries/intent.ts"

/**
 * Whether anyone sets what the contract goes by, and nothing that it knows is asked: the caller's value for all, or for
 * an entry that they name, or nothing in its place, for all.
 */
export const isDictated = (access: Access, entry: Entry, deed: Deed): boolean => {
  const { contract, flow, test } = entry
  const { variable, value, demands, reached } = deed
  const { event } = reached
  if (test || variable === undefined || event.kind !== "write" || !access.used.has(variable)) return false
  if (event.operation === "compound" || event.operation === "increment" || event.operation === "pop") return false
  if (isScript(flow.program, contract) || demands.facts.some(isAboutCode) || isVetted(deed)) return false
  if (isDoneOnce(access, entry, deed)) return false
  if (isCleared(deed)) return isSingle(deed) && demands.facts.length === 0
  return isNamed(value) && isAnyPlace(deed) && !claimsFreeEntry(deed)
}

/** For everyone, or where the caller says, or at the end of a list; an entry that is found by its own hash is always the same. */
const isAnyPlace = ({ keys, value, variable }: Deed): boolean =>
  keys.sources === 0 ||
  isEndOf(keys, declaredWhole(variable!)) ||
  (isNamed({ ...keys, sources: keys.sources & ~Source.hash }) &&
    !(has(keys, Source.hash) && value.parameters.every((p) => keys.parameters.includes(p))))

const isEndOf = ({ sources, state }: Origins, list: Deed["variable"]): boolean =>
  sources === Source.state && state.every((each) => declaredWhole(each) === list)

/** `address(this) != self`: it runs on the storage of others. */
const isAboutCode = (fact: Deed["demands"]["facts"][number]): boolean =>
  fact.kind === "relation" && sidesOf(fact).some((side) => has(side, Source.self))
