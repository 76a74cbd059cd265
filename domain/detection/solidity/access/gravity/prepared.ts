import type { Fact } from "../../flow/facts/facts.ts"
import { Source } from "../../flow/graph/origins.ts"
import { isPartOf } from "../../flow/graph/storagePlace.ts"
import type { StateVariable } from "../../model.ts"
import { type Deed, isCleared } from "../entries/deeds.ts"
import type { Access, Entry } from "../entries/entries.ts"
import { isAnnounced, isWord } from "../entries/intent.ts"

/**
 * Authorized accounts have determined what happens, and anyone may have it carried out: an announced change whose delay
 * is over, or an approved proposal. Revoking it is a different matter.
 */
export const isPrepared = (access: Access, entry: Entry, deed: Deed): boolean =>
  entry.deeds.every((each) => !isWord(each.value) || isAnnounced(each)) &&
  deed.demands.facts.some((fact) => {
    const variable = setIn(fact)
    return variable !== undefined && isSetByOthers(access, entry, variable) && doesMore(entry, variable)
  })

/** The variable that a condition requires to be set, or to a time that has passed. */
const setIn = (fact: Fact): StateVariable | undefined => {
  if (fact.kind === "any") return undefined
  const { operator, withZero, left, right } = fact
  const isSet = operator === "true" || (withZero && (operator === "!=" || operator === ">"))
  const hasCome =
    right !== undefined && ((left.sources | right.sources) & (Source.timestamp | Source.blockNumber)) !== 0
  const stored = [left, right].find((side) => side?.state.length === 1)
  return isSet || hasCome ? stored?.state[0] : undefined
}

/** Limit: writers of one variable that are examined. */
const writersLimit = 100

const isSetByOthers = (access: Access, entry: Entry, variable: StateVariable): boolean => {
  const writers = access.bySubject.get(variable) ?? []
  if (writers.length > writersLimit) return false
  const setters = writers.filter(({ deed }) => !isCleared(deed))
  return (
    setters.length > 0 &&
    setters.every(({ entry: other, deed }) => other !== entry && deed.demands.standing === "guarded")
  )
}

/** Whether it does more than revoke what was determined. */
const doesMore = ({ deeds }: Entry, variable: StateVariable): boolean =>
  deeds.some((deed) => deed.variable === undefined || !(isPartOf(deed.variable, variable) || isCleared(deed)))
