import { type Event, ofKind } from "./terms/events.ts"
import { mentions, subterms, type Term } from "./terms/terms.ts"

// Conditions that one instruction or message asks before it changes or pays something, and another one that does the
// same does not: a cap, a lock, a pause, whether a loan is healthy.

/** What a term says something about: a stored place by a name that all share, the time, who calls, what they chose. */
export type Labels = (term: Term) => string | undefined

export const clock = "clock"
export const caller = "caller"
export const chosen = "chosen"
/** The effect of paying with the program's or contract's own authority. */
export const pays = "pays"

/** More places than a condition that somebody would repeat has. */
const most = 8

/** More effects, and more conditions, than an instruction has that is worth comparing: each meets each. */
const mostPerDeed = 64

/** The places that a term is made of; undefined where there are too many. */
export const placesWith = (labels: Labels): ((term: Term) => ReadonlySet<string> | undefined) => {
  const known = new Map<Term, ReadonlySet<string> | undefined>()
  const placesOf = (term: Term): ReadonlySet<string> | undefined => {
    if (known.has(term)) return known.get(term)
    const label = labels(term)
    let found: Set<string> | undefined = new Set(label === undefined ? [] : [label])
    if (label === undefined)
      for (const one of subterms(term)) {
        const inner = placesOf(one)
        for (const place of inner ?? []) found?.add(place)
        if (inner === undefined || (found?.size ?? 0) > most) found = undefined
      }
    known.set(term, found)
    return found
  }
  return placesOf
}

export interface Effect {
  /** `Loan.collateral-`, or `pays`. */
  readonly name: string
  readonly event: Event
  /** By how much; absent for payments. */
  readonly by?: Term
  /** Whether the caller says how much. */
  readonly byCaller: boolean
}

interface Condition {
  readonly kind: "gate" | "limit" | "time"
  readonly places: ReadonlyArray<string>
  readonly fact: Term
  /** Where it is asked last; absent for what is declared. */
  readonly order?: number
}

/** What one instruction or message does and asks. */
export interface Deed<Subject> {
  readonly subject: Subject
  readonly effects: ReadonlyArray<Effect>
  readonly conditions: ReadonlyArray<Condition>
  /** The places of everything that is asked on any path, and whether it is about what the caller chose. */
  readonly asked: ReadonlyArray<ReadonlySet<string>>
  readonly paysLess: boolean
  /** The kinds of records that it finds, not those that it makes. */
  readonly kinds: ReadonlySet<string>
}

const isFixed = (term: Term): boolean =>
  term.kind === "literal" || term.kind === "constant" || (term.kind === "struct" && term.fields.length === 0)

/** `!state.paused`, `state.phase == Phase::Open`. */
const isGate = (fact: Term, labels: Labels): boolean => {
  if (fact.kind === "not") return isGate(fact.operand, labels)
  if (fact.kind === "is") return !/^(Some|None|Ok|Err)$/.test(fact.variant) && labels(fact.value) !== undefined
  if (fact.kind === "binary" && /^[!=]=$/.test(fact.operator))
    return (
      (isFixed(fact.left) && labels(fact.right) !== undefined) ||
      (isFixed(fact.right) && labels(fact.left) !== undefined)
    )
  return labels(fact) !== undefined
}

const conditionOf = (fact: Term, places: ReadonlySet<string>, labels: Labels): Condition | undefined => {
  if (places.has(caller)) return undefined
  const own = [...places].filter((one) => one !== chosen && one !== clock).toSorted()
  const compares = fact.kind === "binary" && /^<=?$/.test(fact.operator)
  if (places.has(clock))
    return compares && own.length === 1 && !places.has(chosen) ? { kind: "time", places: own, fact } : undefined
  if (compares) return own.length > 1 ? { kind: "limit", places: own, fact } : undefined
  return own.length === 1 && !places.has(chosen) && isGate(fact, labels)
    ? { kind: "gate", places: own, fact }
    : undefined
}

export const deedOf = <Subject>(
  subject: Subject,
  given: Pick<Deed<Subject>, "effects" | "paysLess" | "kinds"> & {
    readonly facts: Iterable<Term>
    readonly events: ReadonlyArray<Event>
    readonly labels: Labels
  },
): Deed<Subject> => {
  const { facts, events, labels, effects, paysLess, kinds } = given
  const placesOf = placesWith(labels)
  const tested = new Map(
    ofKind(events, "check").flatMap((event) => event.conditions.map((one) => [one, event.order] as const)),
  )
  const conditions: Array<Condition> = []
  for (const fact of facts) {
    const places = placesOf(fact)
    const condition = places === undefined ? undefined : conditionOf(fact, places, labels)
    if (condition === undefined) continue
    const order = tested.get(fact)
    conditions.push({ ...condition, ...(order === undefined ? {} : { order }) })
    if (conditions.length === mostPerDeed) break
  }
  const asked = [...new Set([...facts, ...tested.keys()])].flatMap((one) => placesOf(one) ?? [])
  return { subject, effects: effects.slice(0, mostPerDeed), conditions, asked, paysLess, kinds }
}

export interface MissingCondition<Subject> {
  readonly deed: Deed<Subject>
  readonly effect: Effect
  readonly condition: Condition
  readonly sibling: Deed<Subject>
  readonly siblingEffect: Effect
}

const placeOfEffect = ({ name }: Effect): string => name.slice(0, -1)
const kindOf = (place: string): string => place.slice(0, place.lastIndexOf("."))

/** Whether a condition concerns what is done: the amount that changes, the record that is released, or any payment. */
const concerns = (effect: Effect, { kind, places }: Condition): boolean => {
  if (kind === "gate") return effect.name === pays
  if (effect.name === pays) return false
  if (kind === "limit") return effect.byCaller && places.includes(placeOfEffect(effect))
  return effect.name.endsWith("-") && kindOf(places[0]!) === kindOf(placeOfEffect(effect))
}

/** Whether a limit is on what is left or reached, not on what was there before. */
const isOnResult = ({ event, by }: Effect, { fact, order = -1 }: Condition): boolean =>
  order > event.order || (by !== undefined && by.kind !== "literal" && mentions(fact, (one) => one === by))

/** Whether the same is asked otherwise: all of it on some path, or something else about what it is held against. */
const isAskedOtherwise = ({ asked, paysLess }: Deed<unknown>, effect: Effect, { kind, places }: Condition): boolean => {
  const own = placeOfEffect(effect)
  if (kind === "time" && paysLess) return true
  return asked.some(
    (set) =>
      places.every((one) => set.has(one)) ||
      (kind === "limit" && !set.has(chosen) && !set.has(caller) && places.some((one) => one !== own && set.has(one))) ||
      (kind === "time" && set.has(clock)),
  )
}

interface Group<Subject> {
  readonly deeds: Map<Deed<Subject>, Effect>
  readonly asking: Map<string, { readonly condition: Condition; readonly by: Map<Deed<Subject>, Effect> }>
}

/** What all but one of those that have the same effect ask; `switches` are places that are changed later. */
export const missingConditions = <Subject>(
  deeds: ReadonlyArray<Deed<Subject>>,
  switches: ReadonlySet<string>,
): ReadonlyArray<MissingCondition<Subject>> => {
  const groups = new Map<string, Group<Subject>>()
  const gates = new Map<string, number>()
  for (const deed of deeds) {
    for (const key of new Set(deed.conditions.filter(({ kind }) => kind === "gate").map(({ places }) => places[0]!)))
      gates.set(key, (gates.get(key) ?? 0) + 1)
    for (const effect of deed.effects) {
      const group: Group<Subject> = groups.get(effect.name) ?? { deeds: new Map(), asking: new Map() }
      groups.set(effect.name, group)
      if (!group.deeds.has(deed)) group.deeds.set(deed, effect)
      for (const condition of deed.conditions) {
        if (!concerns(effect, condition)) continue
        if (condition.kind === "limit" && !isOnResult(effect, condition)) continue
        const key = `${condition.kind} ${condition.places.join(" ")}`
        const asking = group.asking.get(key) ?? { condition, by: new Map() }
        group.asking.set(key, asking)
        asking.by.set(deed, effect)
      }
    }
  }
  const found: Array<MissingCondition<Subject>> = []
  for (const { deeds: all, asking } of groups.values())
    for (const { condition, by } of asking.values()) {
      if (all.size - by.size !== 1) continue
      const [place] = condition.places as [string]
      const [deed, effect] = [...all].find(([one]) => !by.has(one))!
      if (condition.kind === "gate" && !(gates.get(place)! > 1 && switches.has(place) && deed.kinds.has(kindOf(place))))
        continue
      if (!concerns(effect, condition) || isAskedOtherwise(deed, effect, condition)) continue
      const [sibling, siblingEffect] = [...by][0]!
      found.push({ deed, effect, condition, sibling, siblingEffect })
    }
  return found
}

const adding = /^(checked_|saturating_|wrapping_|strict_)?add$/
const taking = /^(checked_|saturating_|wrapping_|strict_)?sub$/

/** Whether a new value is more or less than the old one, and by what. */
export const changeOf = (
  operator: string,
  value: Term,
  isOld: (term: Term) => boolean,
): { readonly sign: "+" | "-"; readonly by: Term } | undefined => {
  if (operator === "+" || operator === "-") return { sign: operator, by: value }
  if (value.kind === "literal" && /^0(_?[ui]\d+)?$/.test(value.value)) return { sign: "-", by: value }
  const [left, right] = value.kind === "binary" ? [value.left, value.right] : value.kind === "call" ? value.args : []
  if (left === undefined || right === undefined || (value.kind !== "binary" && value.kind !== "call")) return undefined
  const name = value.kind === "binary" ? value.operator : value.name
  if ((name === "-" || taking.test(name)) && isOld(left)) return { sign: "-", by: right }
  if (name !== "+" && !adding.test(name)) return undefined
  return isOld(left) ? { sign: "+", by: right } : isOld(right) ? { sign: "+", by: left } : undefined
}
