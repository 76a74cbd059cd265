import type { Event, WalkScope } from "../../rust/terms/events.ts"
import { everySubterm, mentions, rootOf, type Term } from "../../rust/terms/terms.ts"
import type { EntryPoint, Handler } from "../program/model.ts"
import { outgoingMessages } from "../questions/questions.ts"
import { storedPlace } from "../program/semantics.ts"

// What is done with stored entries whose keys are in a list from the caller. A loop may read thousands of entries, so
// the queries on each of them are indexed once.

/** What a loop does with the entries of each container. */
interface LoopUses {
  /** It saves or removes entries. */
  readonly marked: ReadonlySet<Term>
  readonly added: ReadonlySet<Term>
  /** It reads and changes them at an element of the list, so that it sees what it counted before. */
  readonly counted: (list: Term) => ReadonlySet<Term>
}

/** What a handler does with the entries of each container. */
export interface EntryUses {
  readonly inLoop: (loop: WalkScope) => LoopUses
  /** They determine what messages say, except for the recipients. */
  readonly paid: ReadonlySet<Term>
  /** The order of the last removal. */
  readonly removed: ReadonlyMap<Term, number>
  readonly isDeduplicated: (loop: WalkScope, list: Term) => boolean
}

/** The list at a key, created where there is none. */
const listAt = <K, V>(lists: Map<K, Array<V>>, key: K): Array<V> => {
  let list = lists.get(key)
  if (list === undefined) lists.set(key, (list = []))
  return list
}

/** The innermost loop first. */
export const loopsAround = (scope: WalkScope): ReadonlyArray<WalkScope> => {
  const found: Array<WalkScope> = []
  for (let one: WalkScope | undefined = scope; one !== undefined; one = one.parent) if (one.loop) found.push(one)
  return found
}

/** Any element of a list from the caller that is part of a key. */
export const callerList = (entry: EntryPoint, key: Term): Term | undefined => {
  let list: Term | undefined
  mentions(key, (one) => {
    if (one.kind === "element" && one.index === undefined && rootOf(one) === entry.message) list = one.base
    return list !== undefined
  })
  return list
}

const containersIn = (terms: ReadonlyArray<Term>): ReadonlyArray<Term> =>
  [...everySubterm(terms)].flatMap((one) => storedPlace(one)?.container ?? [])

const basesIn = (key: Term): ReadonlyArray<Term> =>
  [...everySubterm([key])].flatMap((one) => (one.kind === "element" ? [one.base] : []))

const shared = (one: ReadonlySet<Term>, other: ReadonlySet<Term>): ReadonlySet<Term> =>
  new Set([...one].filter((term) => other.has(term)))

const usesIn = (events: ReadonlyArray<Event>): LoopUses => {
  const marked = new Set<Term>()
  const added: Array<Term> = []
  const byList = new Map<Term, { readonly read: Set<Term>; readonly changed: Set<Term> }>()
  for (const event of events) {
    if (event.kind === "operation" && event.operator === "+" && event.right !== undefined) added.push(event.right.term)
    if (event.kind === "call" && /(^|_)add$/.test(event.name))
      added.push(...event.args.slice(1).map(({ term }) => term))
    if (event.kind !== "read" && event.kind !== "assign") continue
    const term = event.kind === "read" ? event.value.term : event.target.term
    const place = storedPlace(term)
    if (place === undefined) continue
    if (event.kind === "assign" && term.kind === "call") marked.add(place.container)
    for (const list of place.key === undefined ? [] : basesIn(place.key)) {
      const of = byList.get(list) ?? { read: new Set(), changed: new Set() }
      byList.set(list, of)
      of[event.kind === "read" ? "read" : "changed"].add(place.container)
    }
  }
  const counted = new Map([...byList].map(([list, { read, changed }]) => [list, shared(read, changed)]))
  return { marked, added: new Set(containersIn(added)), counted: (list) => counted.get(list) ?? none }
}
const none: ReadonlySet<Term> = new Set()

const receivers = /^(to_address|recipient|receiver|contract_addr|validator)$/

/** The values of a message's fields; the recipient implies nothing about the amount. */
const said = (fields: Iterable<readonly [string, Term]>, depth = 0): ReadonlyArray<Term> =>
  [...fields].flatMap(([name, value]) => {
    if (receivers.test(name)) return []
    return value.kind === "struct" && depth < 6 ? said(value.fields, depth + 1) : [value]
  })

const dedups =
  /^(dedup\w*|unique\w*|windows|tuple_windows|contains|contains_key|insert|all_unique|sort_unstable_dedup)$/
const setTypes = /(HashSet|BTreeSet|BTreeMap|HashMap)/

/**
 * The terms of which repeated ones are refused: by a set, a sort that removes duplicates, a lookup of seen ones, or a
 * comparison of the number of distinct ones. In a loop, a lookup of one's own may do it.
 */
const deduplicated = (events: ReadonlyArray<Event>): ((loop: WalkScope, list: Term) => boolean) => {
  const always: Array<Term> = []
  const inLoop = new Map<WalkScope, Array<Term>>()
  const measured = new Set<Term>()
  for (const event of events) {
    if (event.kind === "check")
      for (const fact of event.conditions) for (const one of bothCounted(fact)) measured.add(one)
    if (event.kind !== "call") continue
    const args = event.args.map(({ term }) => term)
    const { type } = event.result
    if (dedups.test(event.name) || setTypes.test(event.path) || (type.kind === "named" && setTypes.test(type.name)))
      always.push(...args)
    else if (/dup/.test(event.name)) for (const loop of loopsAround(event.scope)) listAt(inLoop, loop).push(...args)
  }
  const everywhere = everySubterm(always)
  const within = new Map([...inLoop].map(([loop, terms]) => [loop, everySubterm(terms)]))
  return (loop, list) => everywhere.has(list) || measured.has(list) || within.get(loop)?.has(list) === true
}

/** What the lengths on both sides of a comparison are about. */
const bothCounted = (fact: Term): ReadonlySet<Term> => {
  if (fact.kind !== "binary" || !isCount(fact.left) || !isCount(fact.right)) return none
  return shared(everySubterm([fact.left]), everySubterm([fact.right]))
}

const isCount = (term: Term): boolean => term.kind === "call" && /^(len|count)$/.test(term.name)

export const entryUsesOf = ({ events }: Handler): EntryUses => {
  const byLoop = new Map<WalkScope, Array<Event>>()
  const removed = new Map<Term, number>()
  for (const event of events) {
    for (const loop of loopsAround(event.scope)) listAt(byLoop, loop).push(event)
    const container =
      event.kind === "assign" && event.operator === "remove" ? storedPlace(event.target.term)?.container : undefined
    if (container !== undefined) removed.set(container, Math.max(event.order, removed.get(container) ?? 0))
  }
  const uses = new Map<WalkScope, LoopUses>()
  return {
    inLoop: (loop) => {
      const known = uses.get(loop) ?? usesIn(byLoop.get(loop) ?? [])
      uses.set(loop, known)
      return known
    },
    paid: new Set(containersIn(outgoingMessages(events).flatMap(({ fields }) => said(fields)))),
    removed,
    isDeduplicated: deduplicated(events),
  }
}
