import type { Fact } from "../flow/facts/facts.ts"
import type { CallSite } from "../flow/graph/events.ts"
import { has, only, type Origins, Source } from "../flow/graph/origins.ts"
import type { StateVariable } from "../model.ts"
import type { Flow } from "../program.ts"
import type { Payment } from "../questions/authority/entitlement.ts"
import { isLowered } from "../questions/value/lowered.ts"
import type { Deed } from "./deeds.ts"
import { type Access, accessOf, type Entry, isNamed } from "./entries.ts"

// Whose an entry of a table is: the account's that it is kept under, or that it was made out to.

const memo = new WeakMap<Access, ReadonlyMap<StateVariable, Entry>>()

/** Tables whose entries are made out to whoever makes them, `orders[id] = Order(msg.sender, …)`, and a function that does. */
export const heldTables = (access: Access): ReadonlyMap<StateVariable, Entry> => {
  let held = memo.get(access)
  if (held === undefined) memo.set(access, (held = findHeld(access)))
  return held
}

const findHeld = ({ entries }: Access): ReadonlyMap<StateVariable, Entry> => {
  const held = new Map<StateVariable, Entry>()
  for (const entry of entries)
    for (const deed of entry.deeds)
      if (deed.variable !== undefined && isMadeOut(deed) && !held.has(deed.variable)) held.set(deed.variable, entry)
  return held
}

const isMadeOut = ({ path, value, reached: { event } }: Deed): boolean => {
  if (path === undefined || !has(value, Source.sender)) return false
  if (isMember(path)) return value.sources === Source.sender
  return path.endsWith("[]") ? value.sources !== Source.sender : event.kind === "write" && event.operation === "push"
}

/** The caller says which entry, of a table that lies somewhere. */
export const isNamedEntry = (keys: Origins): boolean =>
  has(keys, Source.parameter) && only(keys, Source.parameter | Source.literal | Source.constant)

const isMember = (path: string | undefined): boolean => path?.includes("[].") === true

/** What the caller says is written to an entry that was made out to another, and that does not become theirs. */
export const changesOthers = (
  access: Access,
  { deeds }: Entry,
  { variable, path, keys, value, demands }: Deed,
): boolean =>
  variable !== undefined &&
  isMember(path) &&
  isNamedEntry(keys) &&
  isNamed(value) &&
  heldTables(access).has(variable) &&
  // that a payment succeeds is not a condition
  !demands.facts.some(
    (fact) =>
      mayEntitle(fact, entitling) &&
      !deeds.some(({ reached: { event } }) => event.kind === "call" && event.node === fact.expression),
  ) &&
  !deeds.some((each) => each.variable === variable && isMadeOut(each))

/** What another account has is paid out: the caller names the account, or an entry that is somebody's, and is paid themselves. */
export const isOthersDue = (
  flow: Flow,
  { site, amount, receiver }: Payment,
  path: ReadonlyArray<CallSite>,
): boolean => {
  if (path.length > 0 || flow.writes.some(({ place }) => (place?.keys.sources ?? 0) & Source.sender)) return false
  if (isPaidFor(flow, site)) return false
  const facts = flow.facts(site.at)
  return flow.writes.some(({ place, event, at, via }) => {
    if (place === undefined || via.length > 0 || !isNamedEntry(place.keys)) return false
    const named = place.keys.parameters
    const byAccount = named.every(({ type }) => type.kind === "address")
    if (named.length === 0 || named.some((p) => receiver.parameters.includes(p))) return false
    if (!byAccount && !place.variables.some((v) => heldTables(accessOf(flow.program)).has(v))) return false
    if (facts.some((fact) => mayEntitle(fact, byAccount ? entitling | elapsed : entitling))) return false
    const isRead = place.variables.some((v) => amount.state.includes(v)) && only(amount, Source.state)
    const isTaken = byAccount && isLowered(flow.program, event) && isPartly(amount, flow, event.value, at)
    return (isRead || isTaken) && (at === site.at || flow.reaches(at, site.at) || flow.reaches(site.at, at))
  })
}

/** What is paid is as much as the entry is lowered by, or computed from that. */
const isPartly = (
  amount: Origins,
  flow: Flow,
  ...[value, at]: [Parameters<Flow["origins"]>[0] | undefined, Parameters<Flow["origins"]>[1]]
): boolean => value !== undefined && flow.origins(value, at).parameters.some((p) => amount.parameters.includes(p))

/** Something that is told who calls comes before: it takes in what is paid for. */
const isPaidFor = (flow: Flow, site: CallSite): boolean =>
  flow.externalCalls.some(
    ({ event, at, via }) =>
      at !== site.at &&
      !event.isStatic &&
      flow.dominates(at, site.at) &&
      (via.length > 0 || event.args.some((arg) => has(flow.origins(arg, event.at), Source.sender))),
  )

/** Conditions that may be about the caller's right to what another account has. */
const mayEntitle = (fact: Fact, sources: number): boolean =>
  fact.kind === "any" ||
  [fact.left, fact.right].some((side) => side !== undefined && (has(side, sources) || (side.keys & entitling) !== 0))

const entitling =
  Source.sender |
  Source.txOrigin |
  Source.value |
  Source.hash |
  Source.recovered |
  Source.external |
  Source.lowLevel |
  Source.unknown

/** Who may have an account's due after some time is another question than who may have what an entry holds. */
const elapsed = Source.timestamp | Source.blockNumber
