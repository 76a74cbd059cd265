import { oncePer } from "../../../oncePer.ts"
import { type Fact, sidesOf } from "../../flow/facts/facts.ts"
import type { CallSite, StorageAccess } from "../../flow/graph/events.ts"
import type { FlowNode } from "../../flow/graph/graph.ts"
import { has, only, type Origins, Source } from "../../flow/graph/origins.ts"
import type { Reached } from "../../flow/functionSummary.ts"
import { declaredWhole } from "../../flow/graph/storagePlace.ts"
import type { LocalVariable, StateVariable } from "../../model.ts"
import { alongPath } from "../../questions/authority/attackerControl.ts"
import type { Flow } from "../../program.ts"
import type { Payment } from "../../questions/authority/entitlement.ts"
import { isLowered } from "../../questions/value/lowered.ts"
import type { Deed } from "../entries/deeds.ts"
import { type Access, accessOf, type Entry, isNamed } from "../entries/entries.ts"
import { pathsOfStrangers } from "./payer.ts"

// The owner of a table entry: the account that is its key, or that it was made out to.

/**
 * Tables whose entries are made out to whoever creates them, `orders[id] = Order(msg.sender, …)`, with a function that
 * does so. Where another table says whose they are, `holderOf[id] = msg.sender`, the same function fills both.
 */
export const accountOwnedTables = oncePer(({ entries }: Access): ReadonlyMap<StateVariable, Entry> => {
  const held = new Map<StateVariable, Entry>()
  const numbers = new Map<object, number>()
  /** What selects an entry: the same for the entries of two tables that a function fills under one key. */
  const selector = ({ keys: { sources, keys, parameters, state } }: Deed): string => {
    for (const one of [...parameters, ...state]) if (!numbers.has(one)) numbers.set(one, numbers.size)
    return [sources, keys, ...[...parameters, ...state].map((one) => numbers.get(one))].join(" ")
  }
  for (const entry of entries) {
    const madeOut = entry.deeds.filter(isMadeOut)
    const titles = new Set(madeOut.filter(({ path }) => path === "[]").map(selector))
    for (const deed of entry.deeds) {
      if (deed.variable === undefined || held.has(deed.variable)) continue
      if (isMadeOut(deed) || (isOfItem(deed) && titles.has(selector(deed)))) held.set(deed.variable, entry)
    }
  }
  return held
})

/** Whether an entry is written that is selected by something other than an account. */
const isOfItem = ({ path, keys }: Deed): boolean =>
  path?.startsWith("[]") === true &&
  !has(keys, Source.sender) &&
  keys.parameters.every(({ type }) => type.kind !== "address")

const isMadeOut = ({ path, value, reached: { event } }: Deed): boolean => {
  if (path === undefined || !has(value, Source.sender)) return false
  if (isMember(path)) return value.sources === Source.sender
  return path.endsWith("[]") || (event.kind === "write" && event.operation === "push")
}

/** Whether the caller selects the entry, in a table at some place in storage. */
export const isNamedEntry = (keys: Origins): boolean =>
  has(keys, Source.parameter) && only(keys, Source.parameter | Source.literal | Source.constant)

const isMember = (path: string | undefined): boolean => path?.includes("[].") === true

/**
 * Whether the caller's value is written to an entry that was made out to another account and does not become the
 * caller's.
 */
export const changesOthers = (
  access: Access,
  { deeds }: Entry,
  { variable, path, keys, value, demands }: Deed,
): boolean =>
  variable !== undefined &&
  isMember(path) &&
  isNamedEntry(keys) &&
  isNamed(value) &&
  accountOwnedTables(access).has(variable) &&
  // that a payment succeeds is not a condition
  !demands.facts.some(
    (fact) =>
      mayEntitle(fact) &&
      !deeds.some(({ reached: { event } }) => event.kind === "call" && event.node === fact.expression),
  ) &&
  !deeds.some((each) => each.variable === variable && isMadeOut(each))

/**
 * Another account's balance is paid out: the caller names the account, or somebody's entry, and receives the payment.
 * Returns the calls through which it happens, of which `path` are those through which the caller names the recipient.
 */
export const redirectedPayment = (
  flow: Flow,
  payment: Payment,
  path: ReadonlyArray<CallSite>,
): ReadonlyArray<CallSite> | undefined => {
  const { site, receiver } = payment
  if (writesOwnEntry(flow)) return undefined
  const entries = entriesOfOthers(flow)
  if (entries.length === 0 || isPaidFor(flow, site)) return undefined
  const facts = flow.facts(site.at)
  if (facts.some((fact) => mayEntitle(fact))) return undefined
  for (const entry of entries) {
    const keys = keysOfOther(flow, payment, entry)
    if (keys === undefined) continue
    const way = path.length > 0 ? wayOfOther(flow, payment, keys) : isApart(keys, receiver) ? path : undefined
    if (way !== undefined) return way
  }
  return undefined
}

const writesOwnEntry = oncePer((flow: Flow): boolean =>
  flow.writes.some(({ place }) => ((place?.keys.sources ?? 0) & Source.sender) !== 0),
)

/** A write to an entry that the caller names and that is, or may be, another account's. */
type NamedWrite = {
  readonly write: Reached<StorageAccess>
  readonly keys: Origins
  /** The tables and records that are written, as a whole. */
  readonly records: ReadonlySet<StateVariable>
  /** True if accounts are its keys; otherwise, its entries store who holds them. */
  readonly byAccount: boolean
  /** What an account's entry is lowered by. */
  readonly taken: ReadonlyArray<LocalVariable>
}

const entriesOfOthers = oncePer((flow: Flow): ReadonlyArray<NamedWrite> =>
  flow.writes.flatMap((write) => {
    const { place, via, event, at } = write
    if (place === undefined || via.length > 0 || !isNamedEntry(place.keys)) return []
    const { keys, variables } = place
    const records = new Set(variables.map(declaredWhole))
    const isHeld = [...records].some((v) => accountOwnedTables(accessOf(flow.program)).has(v))
    // `refunds[round][account]`: of an entry that stores its holder, an account among the keys says something else
    const accounts = keys.parameters.filter(({ type }) => type.kind === "address")
    const byAccount = accounts.length === keys.parameters.length || (accounts.length > 0 && !isHeld)
    if (!byAccount && !isHeld) return []
    const isTaken = event.value !== undefined && isLowered(flow.program, event)
    const taken = isTaken ? flow.origins(event.value, at).parameters : []
    return [{ write, keys, records, byAccount, taken }]
  }),
)

/** What selects the entry, if it is lowered or cleared as its contents are paid out. */
const keysOfOther = (
  flow: Flow,
  { site, amount }: Payment,
  { write: { event, at }, keys, records, byAccount, taken }: NamedWrite,
): Origins | undefined => {
  const isRead = amount.state.some((v) => records.has(declaredWhole(v))) && only(amount, Source.state)
  // The payment equals the reduction of the entry, or is computed from it.
  const isTaken = taken.some((p) => amount.parameters.includes(p))
  // the item itself is transferred
  const isItem = !byAccount && event.value === undefined && keys.parameters.some((p) => amount.parameters.includes(p))
  if (!isRead && !isTaken && !isItem) return undefined
  return at === site.at || flow.reaches(at, site.at) || flow.reaches(site.at, at) ? keys : undefined
}

const isApart = ({ parameters }: Origins, receiver: Origins): boolean =>
  parameters.length > 0 && !parameters.some((p) => receiver.parameters.includes(p))

/** A path to an internal function on which the caller names both the owner of the entry and a different recipient. */
const wayOfOther = (flow: Flow, { site, receiver }: Payment, keys: Origins): ReadonlyArray<CallSite> | undefined => {
  for (const way of pathsOfStrangers(flow, site.at, keys)) {
    const [first] = way
    const outermost = first?.at.callable.kind === "Function" ? flow.program.flow(first.at.callable) : undefined
    if (first === undefined || outermost === undefined || isPaidFor(outermost, first)) continue
    if (outermost.writes.some(({ place }) => (place?.keys.sources ?? 0) & Source.sender)) continue
    const named = alongPath(flow, keys, way)
    if (isNamedEntry(named) && isApart(named, alongPath(flow, receiver, way))) return way
  }
  return undefined
}

/** Where something receives the caller's address. */
const takingsOf = oncePer((flow: Flow): ReadonlyArray<FlowNode> =>
  flow.externalCalls.flatMap(({ event, at, via }) =>
    !event.isStatic && (via.length > 0 || event.args.some((arg) => has(flow.origins(arg, event.at), Source.sender)))
      ? [at]
      : [],
  ),
)

/** Whether something that receives the caller's address precedes it: it takes in what is paid for. */
const isPaidFor = (flow: Flow, site: CallSite): boolean =>
  takingsOf(flow).some((at) => at !== site.at && flow.dominates(at, site.at))

/** Conditions that may concern the caller's right to another account's balance. */
const mayEntitle = (fact: Fact): boolean =>
  fact.kind === "any"
    ? fact.options.some((option) => option.some((f) => mayEntitle(f)))
    : sidesOf(fact).some((side) => has(side, entitling) || (side.keys & entitling) !== 0)

const entitling =
  Source.sender |
  Source.txOrigin |
  Source.value |
  Source.hash |
  Source.recovered |
  Source.external |
  Source.lowLevel |
  Source.unknown
