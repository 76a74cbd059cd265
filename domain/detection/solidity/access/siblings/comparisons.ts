import { type Deed, isTakeover, isWrite } from "../entries/deeds.ts"
import { type Access, type Entry, type Subject, subjectOf } from "../entries/entries.ts"
import { type Alike, noneAlike } from "./alike.ts"
import { passedOn, settersBeside } from "./family.ts"
import { implementationsOf, namesakesOf, twinsOf } from "./namesakes.ts"
import { isAwaited, ownersOf, placeOf, positionsOf, sameSubject, takes } from "./sameSubject.ts"

/** An answer about a subject, computed once for all deeds with the same `aspect`. */
const oncePerSubject = (
  aspect: (deed: Deed) => string,
  answer: (subject: Subject, deed: Deed) => Alike,
): ((deed: Deed) => Alike) => {
  const known = new Map<Subject, Map<string, Alike>>()
  return (deed) => {
    const subject = subjectOf(deed)
    if (subject === undefined) return noneAlike
    let byAspect = known.get(subject)
    if (byAspect === undefined) known.set(subject, (byAspect = new Map()))
    const key = aspect(deed)
    let found = byAspect.get(key)
    if (found === undefined) byAspect.set(key, (found = answer(subject, deed)))
    return found
  }
}

/**
 * What the deeds of one function are compared with. In a chain of calls, each function does what all the later ones do,
 * most of it to the same variables.
 */
export const comparisonsOf = (access: Access, entry: Entry) => {
  let setters: Alike | undefined
  let passing: Alike | undefined
  let implementations: Alike | undefined
  return {
    setters: () => (setters ??= settersBeside(access, entry)),
    passing: () => (passing ??= passedOn(access, entry)),
    implementations: () => (implementations ??= implementationsOf(access, entry)),
    twins: oncePerSubject(
      () => "",
      (subject) => twinsOf(access, entry, subject),
    ),
    namesakes: oncePerSubject(
      () => "",
      (subject) => namesakesOf(access, entry, subject),
    ),
    positions: oncePerSubject(
      () => "",
      (subject) => positionsOf(access, entry, subject),
    ),
    same: oncePerSubject(
      (deed) => `${isAwaited(deed)} ${placeOf(deed)}`,
      (subject, deed) => sameSubject(access, entry, deed, subject),
    ),
    owners: oncePerSubject(
      (deed) => `${isTakeover(deed)} ${placeOf(deed)}`,
      (subject, deed) => ownersOf(access, entry, deed, subject, isTakeover(deed) ? isWrite : takes),
    ),
  }
}
