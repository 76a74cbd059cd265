import type { Fact } from "../flow/facts/facts.ts"
import { Source } from "../flow/graph/origins.ts"
import { isPartOf } from "../flow/graph/storagePlace.ts"
import { isZero } from "../flow/values/isZero.ts"
import type { StateVariable } from "../model.ts"
import type { Deed } from "./deeds.ts"
import type { Access, Entry } from "./entries.ts"
import { isWord } from "./intent.ts"

/**
 * What is done was laid down by those who may, and everybody is let in to have it carried out: a change that was announced
 * and whose delay is over, a proposal that was approved. To take it back is another matter.
 */
export const isPrepared = (access: Access, entry: Entry, deed: Deed): boolean =>
  entry.deeds.every(({ value }) => !isWord(value)) &&
  deed.demands.facts.some((fact) => {
    const variable = setIn(fact)
    return variable !== undefined && isSetByOthers(access, entry, variable) && doesMore(entry, variable)
  })

/** The variable that a condition says has been set, or to a time that has come. */
const setIn = (fact: Fact): StateVariable | undefined => {
  if (fact.kind === "any") return undefined
  const { operator, withZero, left, right } = fact
  const isSet = operator === "true" || (withZero && (operator === "!=" || operator === ">"))
  const hasCome =
    right !== undefined && ((left.sources | right.sources) & (Source.timestamp | Source.blockNumber)) !== 0
  const stored = [left, right].find((side) => side?.state.length === 1)
  return isSet || hasCome ? stored?.state[0] : undefined
}

/** Writers of one variable that are looked at. */
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

const isCleared = ({ reached: { event } }: Deed): boolean =>
  event.kind !== "call" && (event.operation === "delete" || (event.value !== undefined && isZero(event.value)))

/** It does not only take back what was laid down. */
const doesMore = ({ deeds }: Entry, variable: StateVariable): boolean =>
  deeds.some((deed) => deed.variable === undefined || !(isPartOf(deed.variable, variable) || isCleared(deed)))
