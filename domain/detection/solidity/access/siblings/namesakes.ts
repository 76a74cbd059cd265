import { oncePer } from "../../../oncePer.ts"
import type { Deed } from "../entries/deeds.ts"
import { type Access, type Entry, type Subject, subjectOf } from "../entries/entries.ts"
import { isDue, isWord, servesCaller } from "../entries/intent.ts"
import type { FunctionModel } from "../../model.ts"
import { type Alike, alikeIn, compared, noneAlike, standsFor } from "./alike.ts"

// Functions of other contracts that have the same signature or name.

/**
 * Guarded functions of other contracts of the program that a call may run, if most of the possible ones are guarded.
 */
export const peersOf = (access: Access, entry: Entry, { reached }: Deed): ReadonlyArray<Entry> => {
  const { event } = reached
  const target = event.kind === "call" ? event.target : undefined
  if (target === undefined) return []
  const all = (access.bySignature.get(target.signature) ?? []).slice(0, compared).filter((other) => other !== entry)
  const guarded = all.filter((other) => other.guarded)
  return guarded.length * 2 > all.length ? guarded : []
}

/**
 * Open functions that pass the caller's word to each function of the program, other than for what the caller owns or has
 * paid for.
 */
const forwarders = oncePer((access: Access): ReadonlyMap<FunctionModel, ReadonlySet<Entry>> => {
  const found = new Map<FunctionModel, Set<Entry>>()
  for (const entry of access.entries) {
    if (entry.test || servesCaller(entry)) continue
    for (const { reached, demands, value } of entry.open.slice(0, compared)) {
      const { event } = reached
      if (!isWord(value) || event.kind !== "call" || event.target === undefined || demands.facts.some(isDue)) continue
      const known = found.get(event.target)
      if (known === undefined) found.set(event.target, new Set([entry]))
      else known.add(entry)
    }
  }
  return found
})

/** Whether another function passes anyone's request on to the same function: that is what it is for. */
export const isForwardedElsewhere = (access: Access, entry: Entry, { reached: { event } }: Deed): boolean => {
  const all = event.kind === "call" && event.target !== undefined ? forwarders(access).get(event.target) : undefined
  return all !== undefined && all.size > (all.has(entry) ? 1 : 0)
}

const nameOf = (subject: Subject | undefined): string | undefined =>
  typeof subject === "string" ? `${subject.split(" ")[0]!}()` : subject?.name

/** The first effect of a function on anything of each name. */
const namedDeeds = oncePer(
  ({ deeds }: Entry): ReadonlyMap<string | undefined, Deed> =>
    new Map(deeds.toReversed().map((deed) => [nameOf(subjectOf(deed)), deed])),
)

/** Functions that do something to what has one name. */
interface Namesakes {
  readonly guarded: Array<Entry>
  readonly open: Array<Entry>
}

/** By what they do it to, for functions that are grouped by signature or name. */
const namesakesIn = (groups: ReadonlyMap<string, ReadonlyArray<Entry>>) => {
  const known = new Map<string, ReadonlyMap<string | undefined, Namesakes>>()
  return (key: string): ReadonlyMap<string | undefined, Namesakes> => {
    const found = known.get(key)
    if (found !== undefined) return found
    const named = new Map<string | undefined, Namesakes>()
    for (const entry of (groups.get(key) ?? []).slice(0, compared))
      for (const [name, deed] of namedDeeds(entry)) {
        let namesakes = named.get(name)
        if (namesakes === undefined) named.set(name, (namesakes = { guarded: [], open: [] }))
        namesakes[deed.demands.standing === "guarded" ? "guarded" : "open"].push(entry)
      }
    known.set(key, named)
    return named
  }
}

const namesakes = oncePer(({ bySignature, byName }: Access) => ({
  ofSignature: namesakesIn(bySignature),
  ofName: namesakesIn(byName),
}))

const alikeAmong = (all: Namesakes | undefined, isOther: (entry: Entry) => boolean): Alike =>
  all === undefined || all.guarded.length === 0
    ? noneAlike
    : { guarded: all.guarded.filter(isOther), open: all.open.filter(isOther).length }

/** Functions of the same signature in other contracts that do the same to something of the same name. */
export const twinsOf = (access: Access, entry: Entry, subject: Subject): Alike =>
  alikeAmong(
    namesakes(access).ofSignature(entry.fn.signature).get(nameOf(subject)),
    (other) => other !== entry && standsFor(other, entry),
  )

/** The same for functions of the same name with different parameters. */
export const namesakesOf = (access: Access, entry: Entry, subject: Subject): Alike =>
  alikeAmong(
    namesakes(access).ofName(entry.fn.name).get(nameOf(subject)),
    (other) => other.contract !== entry.contract && standsFor(other, entry),
  )

/** Functions of the same signature in other contracts that do the same to something of the same name as a deed here. */
export const sameSignatureFunctions = (access: Access, entry: Entry): ReadonlyArray<Entry> => {
  const names = [...new Set(entry.open.map((deed) => nameOf(subjectOf(deed))))]
  return (access.bySignature.get(entry.fn.signature) ?? [])
    .slice(0, compared)
    .filter((other) => other !== entry && standsFor(other, entry) && names.some((name) => namedDeeds(other).has(name)))
}

/** Other implementations of a function that both contracts inherit from a common base. */
export const implementationsOf = (access: Access, entry: Entry): Alike => {
  const { contract, fn } = entry
  const bases = new Set(
    contract.linearization
      .slice(1)
      .filter(({ functions }) => functions.some((each) => each.signature === fn.signature)),
  )
  if (bases.size === 0) return noneAlike
  return alikeIn(
    (access.bySignature.get(fn.signature) ?? [])
      .slice(0, compared)
      .filter(
        (other) =>
          other !== entry &&
          standsFor(other, entry) &&
          other.contract.linearization.slice(1).some((base) => bases.has(base)),
      ),
  )
}
