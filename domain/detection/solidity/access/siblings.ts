import { oncePer, oncePerPair } from "../../oncePer.ts"
import { has, Source } from "../flow/graph/origins.ts"
import type { ContractModel, StateVariable } from "../model.ts"
import { type Deed, isOwn, isTakeover, isWrite } from "./deeds.ts"
import { isLowered } from "../questions/value/lowered.ts"
import { areRelated } from "../questions/authority/forwarding.ts"
import { type Access, type Entry, isFixed, isNamed, isPause, runsOnce, type Subject, subjectOf } from "./entries.ts"
import { isSetting } from "./intent.ts"

/** Similar entry points behind a check, and the number of others without one. */
export interface Alike {
  readonly guarded: ReadonlyArray<Entry>
  readonly open: number
}

export const noneAlike: Alike = { guarded: [], open: 0 }

/** Limit: entry points and contracts that one is compared with; for thousands, the cost would be their product. */
const compared = 400

/** Only tests are evidence for tests. */
const standsFor = (other: Entry, entry: Entry): boolean => entry.test || !other.test

const memo = new WeakMap<Access, Map<ContractModel, Map<ContractModel | undefined, ReadonlyArray<Entry>>>>()

/** The entry points of a contract as deployed, of its bases and of its derived contracts. */
const membersOf = (
  access: Access,
  contract: ContractModel,
  context: ContractModel | undefined,
): ReadonlyArray<Entry> => {
  let families = memo.get(access)
  if (families === undefined) memo.set(access, (families = new Map()))
  let byContext = families.get(contract)
  if (byContext === undefined) families.set(contract, (byContext = new Map()))
  let members = byContext.get(context)
  if (members === undefined) {
    const contracts = new Set([
      ...contract.linearization,
      ...(context?.linearization ?? []),
      ...contract.derived.slice(0, compared),
    ])
    const found: Array<Entry> = []
    for (const c of contracts) {
      if (found.length >= compared) break
      found.push(...(access.own.get(c) ?? []).slice(0, compared))
    }
    byContext.set(context, (members = found.slice(0, compared)))
  }
  return members
}

/** The other entry points of the contract as deployed, of its bases and of its derived contracts. */
export const familyOf = (access: Access, entry: Entry): Alike & { readonly setters: Alike } => {
  const { contract, fn, flow } = entry
  const members = membersOf(access, contract, flow.context).filter(
    (other) =>
      other !== entry && other.fn.signature !== fn.signature && standsFor(other, entry) && !runsOnce(access, other),
  )
  const guarded = members.filter((other) => other.guarded)
  const open = members.filter((other) => other.open.length > 0)
  return {
    guarded,
    open: open.length,
    setters: {
      guarded: guarded.filter(isSetter),
      open: open.filter(isOpenSetter).length,
    },
  }
}

const isSetter = oncePer(({ deeds }: Entry): boolean => deeds.some(isSetting))

const isOpenSetter = oncePer(({ open }: Entry): boolean => open.some(isSetting))

/** The variable by which a call knows whom it calls. */
const receiverOf = ({ flow: { program }, reached: { event } }: Deed): StateVariable | undefined => {
  const receiver = event.kind === "call" ? event.receiver : undefined
  if (receiver?.kind !== "Identifier") return undefined
  const named = program.referenceOf(receiver)
  return named?.kind === "StateVariable" ? named : undefined
}

/** Functions of other contracts that call the same function of an account that both know by the same inherited variable. */
export const fellowsOf = (access: Access, entry: Entry, deed: Deed): Alike => {
  const subject = subjectOf(deed)
  const receiver = receiverOf(deed)
  if (subject === undefined || receiver === undefined) return noneAlike
  const others = (access.bySubject.get(subject) ?? [])
    .slice(0, compared)
    .filter(
      ({ entry: other, deed: each }) =>
        other.contract !== entry.contract && standsFor(other, entry) && receiverOf(each) === receiver,
    )
  const guarded = others.filter(({ deed: each }) => each.demands.standing === "guarded")
  return { guarded: guarded.map(({ entry: other }) => other), open: others.length - guarded.length }
}

/** The other setters of the same contract. */
const settersBeside = (access: Access, entry: Entry): Alike => {
  const setters = besides(access, entry).filter(isSetter)
  return {
    guarded: setters.filter(({ guarded }) => guarded),
    open: setters.filter(({ open }) => open.length > 0).length,
  }
}

/** The account to which a function only forwards its arguments. */
const passesTo = oncePer(({ deeds }: Entry): StateVariable | undefined => {
  const to = deeds.map(({ variable, keys, value }) =>
    variable === undefined &&
    keys.sources !== 0 &&
    (keys.sources & ~(Source.state | Source.immutable)) === 0 &&
    isNamed(value)
      ? keys.state[0]
      : undefined,
  )
  return to.every((each) => each === to[0]) ? to[0] : undefined
})

/** The other functions of the same contract that forward their arguments to the same account. */
const passedOn = (access: Access, entry: Entry): Alike => {
  const to = passesTo(entry)
  if (to === undefined) return noneAlike
  const others = besides(access, entry).filter((other) => passesTo(other) === to)
  return { guarded: others.filter(({ guarded }) => guarded), open: others.filter(({ open }) => open.length > 0).length }
}

/** Other functions of the family that write the same variable, or call the same function. */
const sameSubject = (access: Access, entry: Entry, deed: Deed, subject: Subject): Alike => {
  const guarded: Array<Entry> = []
  let open = 0
  for (const other of (access.bySubject.get(subject) ?? []).slice(0, compared)) {
    if (other.entry === entry || !standsFor(other.entry, entry)) continue
    if (deed.entryName === undefined && !areRelated(other.entry.contract, entry.contract)) continue
    if (other.entry.fn.signature === entry.fn.signature || runsOnce(access, other.entry)) continue
    if (deed.path !== undefined && other.deed.path !== deed.path) continue
    if (other.deed.demands.standing === "guarded") guarded.push(other.entry)
    else if (!isAwaited(other.deed) || isAwaited(deed)) open++
  }
  return { guarded, open }
}

/** An answer about a subject, worked out once for all deeds of which `aspect` is the same. */
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
  return {
    setters: () => (setters ??= settersBeside(access, entry)),
    passing: () => (passing ??= passedOn(access, entry)),
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

/**
 * Whether it clears, when the time has come, what was set before: that anyone may carry it out says nothing about who
 * may set it.
 */
const isAwaited = (deed: Deed): boolean =>
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
const positionsOf = (access: Access, entry: Entry, subject: Subject): Alike => {
  // what is set up along with other things is more than a switch
  if (!entry.open.every(isSwitch)) return noneAlike
  const others = (access.bySubject.get(subject) ?? [])
    .slice(0, compared)
    .filter(
      ({ entry: other, deed: each }) =>
        other !== entry &&
        other.fn.signature !== entry.fn.signature &&
        standsFor(other, entry) &&
        areRelated(other.contract, entry.contract) &&
        isFixed(each.value),
    )
  const guarded = others.filter(({ deed: each }) => each.demands.standing === "guarded")
  return { guarded: guarded.map(({ entry: other }) => other), open: others.length - guarded.length }
}

/** Whether an entry is lowered, or set to a value. */
export const takes = ({ flow, reached: { event } }: Deed): boolean =>
  event.kind === "write" &&
  event.value !== undefined &&
  (event.operation === "assign" || isLowered(flow.program, event))

/** Whether a deed is one of those that are compared with each other. */
type Likeness = (deed: Deed) => boolean

const placeOf = ({ entryName, path }: Deed): string => `${entryName ?? ""} ${path ?? ""}`

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
const ownersOf = (access: Access, entry: Entry, deed: Deed, subject: Subject, isAlike: Likeness): Alike => {
  const handling = handlingOf(isAlike)
  const place = placeOf(deed)
  const guarded: Array<Entry> = []
  let open = 0
  for (const { entry: other } of (access.bySubject.get(subject) ?? []).slice(0, compared)) {
    if (other === entry || !standsFor(other, entry)) continue
    // heirs of one base that have nothing else in common are as open as each is meant to be
    if (deed.entryName === undefined && !areRelated(other.contract, entry.contract)) continue
    const isKept = handling(other).get(deed.variable)?.get(place)
    if (isKept === true) guarded.push(other)
    else if (isKept === false) open++
  }
  return { guarded, open }
}

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
  all === undefined ? noneAlike : { guarded: all.guarded.filter(isOther), open: all.open.filter(isOther).length }

/** Functions of the same signature in other contracts that do the same to something of the same name. */
const twinsOf = (access: Access, entry: Entry, subject: Subject): Alike =>
  alikeAmong(
    namesakes(access).ofSignature(entry.fn.signature).get(nameOf(subject)),
    (other) => other !== entry && standsFor(other, entry),
  )

/** The same for functions of the same name with different parameters. */
const namesakesOf = (access: Access, entry: Entry, subject: Subject): Alike =>
  alikeAmong(
    namesakes(access).ofName(entry.fn.name).get(nameOf(subject)),
    (other) => other.contract !== entry.contract && standsFor(other, entry),
  )

/** Functions of the same signature in other contracts that do the same to something of the same name as a deed here. */
export const samesOf = (access: Access, entry: Entry): ReadonlyArray<Entry> => {
  const names = [...new Set(entry.open.map((deed) => nameOf(subjectOf(deed))))]
  return (access.bySignature.get(entry.fn.signature) ?? [])
    .slice(0, compared)
    .filter((other) => other !== entry && standsFor(other, entry) && names.some((name) => namedDeeds(other).has(name)))
}

/** Those functions of a contract that others are compared with. */
const comparable = oncePerPair((access: Access, contract: ContractModel): ReadonlyArray<Entry> =>
  (access.own.get(contract) ?? [])
    .slice(0, compared)
    .filter((entry) => entry.fn.role === "function" && !runsOnce(access, entry)),
)

/** The other functions of the same contract. */
export const besides = (access: Access, entry: Entry): ReadonlyArray<Entry> =>
  comparable(access, entry.contract).filter((other) => other !== entry)

/** The functions of a contract that write one variable. */
interface Writers {
  readonly all: Set<Entry>
  /** Those that write the sender's own part of it. */
  readonly own: Set<Entry>
}

const writersIn = oncePerPair((access: Access, contract: ContractModel): ReadonlyMap<StateVariable, Writers> => {
  const found = new Map<StateVariable, Writers>()
  for (const entry of comparable(access, contract)) {
    for (const deed of entry.deeds) {
      if (deed.variable === undefined) continue
      let each = found.get(deed.variable)
      if (each === undefined) found.set(deed.variable, (each = { all: new Set(), own: new Set() }))
      each.all.add(entry)
      if (isOwn(deed)) each.own.add(entry)
    }
  }
  return found
})

/**
 * Those among the other functions of the contract that write a variable; with `own`, those that write the sender's part
 * of it.
 */
export const besidesWriting = (
  access: Access,
  entry: Entry,
  variable: StateVariable,
  own = false,
): ReadonlyArray<Entry> => {
  const writers = writersIn(access, entry.contract).get(variable)
  return [...((own ? writers?.own : writers?.all) ?? [])].filter((other) => other !== entry)
}
