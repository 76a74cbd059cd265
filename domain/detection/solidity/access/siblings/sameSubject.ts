import { oncePer } from "../../../oncePer.ts"
import { has, Source } from "../../flow/graph/origins.ts"
import type { StateVariable } from "../../model.ts"
import { areRelated } from "../../questions/authority/forwarding.ts"
import { isLowered } from "../../questions/value/lowered.ts"
import { type Deed, isOwn, isWrite } from "../entries/deeds.ts"
import { type Access, type Entry, isFixed, isPause, runsOnce, type Subject, subjectOf } from "../entries/entries.ts"
import { type Alike, compared, noneAlike, standsFor } from "./alike.ts"

// Other functions that write the same variable, or make the same call.

interface Other {
  readonly entry: Entry
  readonly deed: Deed
}

const doing = (access: Access, subject: Subject, entry: Entry): ReadonlyArray<Other> =>
  (access.bySubject.get(subject) ?? [])
    .slice(0, compared)
    .filter(({ entry: other }) => other !== entry && standsFor(other, entry))

/** Whether any function does it behind a check. */
const isGuardedFor = oncePer((others: ReadonlyArray<Other>): boolean =>
  others.slice(0, compared).some(({ deed }) => deed.demands.standing === "guarded"),
)

/** The same, if any function does it behind a check; otherwise they are no evidence. */
const doingGuarded = (access: Access, subject: Subject, entry: Entry): ReadonlyArray<Other> => {
  const others = access.bySubject.get(subject)
  return others !== undefined && isGuardedFor(others) ? doing(access, subject, entry) : []
}

const alikeBy = (others: ReadonlyArray<Other>): Alike => {
  const guarded = others.filter(({ deed }) => deed.demands.standing === "guarded")
  return { guarded: guarded.map(({ entry }) => entry), open: others.length - guarded.length }
}

/** The variable that determines the target of a call. */
const receiverOf = ({ flow: { program }, reached: { event } }: Deed): StateVariable | undefined => {
  const receiver = event.kind === "call" ? event.receiver : undefined
  if (receiver?.kind !== "Identifier") return undefined
  const named = program.referenceOf(receiver)
  return named?.kind === "StateVariable" ? named : undefined
}

/** Functions of other contracts that call the same function of an account that both know by the same inherited variable. */
export const sameCalleeFunctions = (access: Access, entry: Entry, deed: Deed): Alike => {
  const subject = subjectOf(deed)
  const receiver = receiverOf(deed)
  if (subject === undefined || receiver === undefined) return noneAlike
  return alikeBy(
    doingGuarded(access, subject, entry).filter(
      (other) => other.entry.contract !== entry.contract && receiverOf(other.deed) === receiver,
    ),
  )
}

/** Other functions of the family that write the same variable, or call the same function. */
export const sameSubject = (access: Access, entry: Entry, deed: Deed, subject: Subject): Alike =>
  alikeBy(
    doingGuarded(access, subject, entry).filter(
      ({ entry: other, deed: each }) =>
        (deed.entryName !== undefined || areRelated(other.contract, entry.contract)) &&
        other.fn.signature !== entry.fn.signature &&
        !runsOnce(access, other) &&
        each.path === deed.path &&
        (each.demands.standing === "guarded" || !isAwaited(each) || isAwaited(deed)),
    ),
  )

/**
 * Whether it clears, when the time has come, what was set before: that anyone may carry it out says nothing about who
 * may set it.
 */
export const isAwaited = (deed: Deed): boolean =>
  isWrite(deed) &&
  isFixed(deed.value) &&
  deed.demands.facts.some(
    (fact) =>
      fact.kind === "relation" &&
      [fact.left, fact.right].some((side) => side !== undefined && has(side, Source.timestamp | Source.blockNumber)) &&
      [fact.left, fact.right].some((side) => side !== undefined && side.state.length > 0),
  )

/** Whether it sets a variable of the contract to a fixed value, on no condition but the variable's present value. */
const isSwitch = ({ variable, keys, value, reached, demands }: Deed): boolean =>
  (variable === undefined ? isPause(reached.event) : keys.sources === 0 && value.sources !== 0 && isFixed(value)) &&
  demands.facts.every(
    (fact) =>
      fact.kind === "relation" &&
      [fact.left, fact.right].every(
        (side) => side === undefined || isFixed(side) || (side.state.length === 1 && side.state[0] === variable),
      ),
  )

/** Functions that bring what this one switches into another position. */
export const positionsOf = (access: Access, entry: Entry, subject: Subject): Alike =>
  // what is set up along with other things is more than a switch
  entry.open.every(isSwitch)
    ? alikeBy(
        doingGuarded(access, subject, entry).filter(
          ({ entry: other, deed }) =>
            other.fn.signature !== entry.fn.signature &&
            areRelated(other.contract, entry.contract) &&
            isFixed(deed.value),
        ),
      )
    : noneAlike

/** Whether an entry is lowered, or set to a value. */
export const takes = ({ flow, reached: { event } }: Deed): boolean =>
  event.kind === "write" &&
  event.value !== undefined &&
  (event.operation === "assign" || isLowered(flow.program, event))

/** Whether a deed is one of those that are compared with each other. */
type Likeness = (deed: Deed) => boolean

export const placeOf = ({ entryName, path }: Deed): string => `${entryName ?? ""} ${path ?? ""}`

/** What a function does, by variable and place in it: whether all that is alike is the sender's own or behind a check. */
const handlingOf = oncePer((isAlike: Likeness) =>
  oncePer((entry: Entry): ReadonlyMap<StateVariable | undefined, ReadonlyMap<string, boolean>> => {
    const handling = new Map<StateVariable | undefined, Map<string, boolean>>()
    for (const deed of entry.deeds) {
      if (!isAlike(deed)) continue
      let places = handling.get(deed.variable)
      if (places === undefined) handling.set(deed.variable, (places = new Map()))
      const place = placeOf(deed)
      if (places.get(place) !== false) places.set(place, isOwn(deed) || deed.demands.standing !== "open")
    }
    return handling
  }),
)

/**
 * Other functions that do to entries of the same table what `isAlike` describes: to the sender's own, or behind a
 * check.
 */
export const ownersOf = (access: Access, entry: Entry, deed: Deed, subject: Subject, isAlike: Likeness): Alike => {
  const handling = handlingOf(isAlike)
  const place = placeOf(deed)
  const guarded: Array<Entry> = []
  let open = 0
  for (const { entry: other } of doing(access, subject, entry)) {
    // heirs of one base that have nothing else in common are as open as each is meant to be
    if (deed.entryName === undefined && !areRelated(other.contract, entry.contract)) continue
    const isKept = handling(other).get(deed.variable)?.get(place)
    if (isKept === true) guarded.push(other)
    else if (isKept === false) open++
  }
  return { guarded, open }
}
