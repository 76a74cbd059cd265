import { oncePer } from "../../../oncePer.ts"
import { callerCheck } from "../../flow/facts/callerCheck.ts"
import { type Fact, type Relation, relationsIn, sidesOf } from "../../flow/facts/facts.ts"
import { has, only, type Origins, Source } from "../../flow/graph/origins.ts"
import { declaredWhole } from "../../flow/graph/storagePlace.ts"
import type { LocalVariable, StateVariable } from "../../model.ts"
import type { Program } from "../../program.ts"
import { membersIn } from "../../questions/authority/authorities.ts"
import type { Type } from "../../types.ts"
import { type Deed, claimsFreeEntry, isOwn, isTakeover } from "../entries/deeds.ts"
import { type Access, type Entry, isFixed, isNamed } from "../entries/entries.ts"
import { isNamedEntry } from "./holders.ts"
import { isState, isTimed } from "./idleParties.ts"
import { isDue, isVetted, isWord, servesCaller } from "../entries/intent.ts"

// Who owns an item and who may act for whom: tables that functions compare with the sender, entry by entry.

/** A table such as `ownerOf[id]`, `records[node].owner`, `approved[account][spender]`. */
interface Right {
  /** For a struct, the members that name its owner. */
  readonly members: Set<string>
  /** An entry point with such a check. */
  readonly asks: Entry
}

const rightsOf = oncePer(({ entries }: Access): ReadonlyMap<StateVariable, Right> => {
  const rights = new Map<StateVariable, Right>()
  const seen = new Set<ReadonlyArray<Fact>>()
  for (const entry of entries) {
    for (const { place } of entry.flow.reads) {
      const [variable] = place?.variables ?? []
      if (place?.keys.sources !== Source.sender || variable === undefined || !isByAccount(variable.type)) continue
      if (!rights.has(variable)) rights.set(variable, { members: new Set(), asks: entry })
    }
    for (const { demands, flow } of entry.deeds) {
      const { facts } = demands
      if (seen.has(facts)) continue
      seen.add(facts)
      const callers = new Set(facts.flatMap(namesCaller))
      for (const fact of facts) {
        for (const [relation, variable] of tablesIn(fact, callers)) {
          let right = rights.get(variable)
          if (right === undefined) rights.set(variable, (right = { members: new Set(), asks: entry }))
          for (const member of membersOf(flow.program, relation, variable)) right.members.add(member)
        }
      }
    }
  }
  return rights
})

const membersOf = (program: Program, fact: Relation, variable: StateVariable): ReadonlyArray<string> =>
  leaf(variable.type).kind === "struct" ? membersIn(program, fact, variable) : []

/** Parameters that must be the sender: `require(from == msg.sender)`. */
const namesCaller = (fact: Fact): ReadonlyArray<LocalVariable> =>
  fact.kind === "relation" && fact.operator === "==" && sidesOf(fact).some(({ sources }) => sources === Source.sender)
    ? sidesOf(fact).flatMap((side) => (only(side, Source.parameter) ? side.parameters : []))
    : []

const selected = Source.parameter | Source.calldata

/** Tables whose entry, selected by an argument, is compared with the sender. */
const tablesIn = (
  fact: Fact,
  callers: ReadonlySet<LocalVariable>,
): ReadonlyArray<readonly [Relation, StateVariable]> => {
  if (fact.kind === "any") return fact.options.flatMap((option) => option.flatMap((each) => tablesIn(each, callers)))
  const isCaller = (side: Origins): boolean =>
    side.sources === Source.sender || (only(side, Source.parameter) && side.parameters.some((p) => callers.has(p)))
  const sides = sidesOf(fact)
  const stored =
    fact.operator === "==" && sides.length === 2 && sides.some(isCaller)
      ? sides.find((side) => has(side, Source.state) && (side.keys & selected) !== 0 && !isCaller(side))
      : callerCheck(fact)?.kind === "member"
        ? sides.find((side) => (side.keys & Source.sender) !== 0 && side.keyParameters.length > 0)
        : undefined
  return (stored?.state ?? [])
    .filter(
      ({ type }) =>
        (type.kind === "mapping" || type.kind === "array") &&
        (leaf(type).kind === "struct" || names.has(leaf(type).kind)),
    )
    .map((variable) => [fact, variable] as const)
}

/** `delegateOf[account]`: one entry per account, which looks up its own. */
const isByAccount = (type: Type): boolean =>
  type.kind === "mapping" && type.key.kind === "address" && names.has(type.value.kind)

/** Types that name an account or answer yes or no. */
const names: ReadonlySet<Type["kind"]> = new Set<Type["kind"]>(["address", "contract", "bool"])

const leaf = (type: Type): Type =>
  type.kind === "mapping" ? leaf(type.value) : type.kind === "array" ? leaf(type.base) : type

/**
 * The function that identifies an item's owner, or an account's representative, if the deed changes that for an item or
 * account that anyone names: it names another one, removes the existing one, or changes what belongs to the owner.
 */
export const changesOwnerOrApproval = (access: Access, deed: Deed): Entry | undefined => {
  const { variable, path, keys, reached, value } = deed
  if (variable === undefined || path === undefined || reached.event.kind !== "write") return undefined
  const right = rightsOf(access).get(variable)
  if (right === undefined || !isNamedEntry(keys)) return undefined
  const { operation } = reached.event
  const isRecord = leaf(variable.type).kind === "struct"
  if (isRecord && right.members.size === 0) return undefined
  const changes =
    !isRecord || right.members.has(path)
      ? isNamed(value) || isTakeover(deed) || operation === "delete"
      : path.endsWith("[]")
        ? operation === "delete"
        : operation === "assign" && isNamed(value)
  if (changes) return isEntitled(deed) ? undefined : right.asks
  return isRecord && operation === "assign" && isFixed(value) ? statesHeld(access, deed) : undefined
}

/** Limit: functions that write one table that are examined. */
const writersLimit = 100

/**
 * The function by which an item's owner moves it to another state, if the deed moves any item to one. The state of an
 * item does not answer who may change it, except that its time has come.
 */
const statesHeld = (access: Access, deed: Deed): Entry | undefined => {
  const { variable, path } = deed
  const record = declaredWhole(variable!)
  const facts = deed.demands.facts.filter((fact) => !isState(fact, record))
  if (facts.some(isDue) || isVetted({ ...deed, demands: { ...deed.demands, facts } })) return undefined
  const alike = (access.bySubject.get(variable!) ?? [])
    .slice(0, writersLimit)
    .filter(({ deed: other }) => other !== deed && other.path === path && isFixed(other.value))
  const held = alike.filter(({ deed: other }) => other.demands.facts.some((fact) => asksHolder(fact, record)))
  const open = alike.filter(
    ({ deed: other }) => other.demands.standing === "open" && !other.demands.facts.some(isTimed),
  )
  return held.length > 0 && open.every(({ deed: other }) => other.flow === deed.flow) ? held[0]!.entry : undefined
}

/**
 * The functions that change the same part of an item, if each of them asks for the account that the item names, and
 * nothing ties the caller of this one to the item whose part the caller sets.
 */
export const changesHeld = (
  access: Access,
  entry: Entry,
): { deed: Deed; guarded: ReadonlyArray<Entry> } | undefined => {
  if (entry.guarded || servesCaller(entry)) return undefined
  for (const deed of entry.deeds) {
    const { variable, path, keys, value, demands } = deed
    if (variable === undefined || keys.parameters.length === 0 || !isWord(value) || isOwn(deed)) continue
    const record = declaredWhole(variable)
    if (record === variable && path?.includes("[].") !== true) continue
    if (demands.standing === "guarded" || demands.facts.some((f) => tiesToItem(f, keys))) continue
    const asked: Array<Fact> = []
    const guarded: Array<Entry> = []
    for (const { entry: other } of (access.bySubject.get(variable) ?? []).slice(0, writersLimit)) {
      const same = other === entry ? undefined : other.deeds.find((each) => isSamePart(each, deed))
      if (same === undefined) continue
      const asks = same.demands.facts.find((fact) => asksHolder(fact, record))
      guarded.push(other)
      if (asks === undefined) break
      asked.push(asks)
    }
    if (asked.length > 0 && asked.length === guarded.length && !appoints(entry, asked)) return { deed, guarded }
  }
  return undefined
}

/** Whether the item is made, or given to somebody: its account is set, too. */
const appoints = ({ deeds }: Entry, asked: ReadonlyArray<Fact>): boolean => {
  const holders = new Set(relationsIn(asked).flatMap((fact) => sidesOf(fact).flatMap(({ state }) => state)))
  return deeds.some(
    ({ variable, value }) =>
      variable !== undefined &&
      holders.has(variable) &&
      (has(value, Source.sender) || value.parameters.some(({ type }) => type.kind === "address")),
  )
}

const isSamePart = (a: Deed, b: Deed): boolean => a.variable === b.variable && a.path === b.path

const tiesToItem = (fact: Fact, item: Origins): boolean =>
  fact.kind === "any"
    ? fact.options.some((option) => option.some((f) => tiesToItem(f, item)))
    : isDue(fact) ||
      (sidesOf(fact).some(({ sources, keys }) => ((sources | keys) & Source.sender) !== 0) &&
        sidesOf(fact).some(({ parameters, keyParameters }) =>
          [...parameters, ...keyParameters].some((p) => item.parameters.includes(p)),
        ))

/** The sender, or whom a forwarder names after the call's arguments. */
const forwarded = Source.sender | Source.calldata | Source.literal

/** Whether the sender is named in the item, or is one of several accounts that are. */
const asksHolder = (fact: Fact, record: StateVariable): boolean =>
  fact.kind === "any"
    ? fact.options.every((option) => option.some((f) => asksHolder(f, record)))
    : fact.operator === "==" &&
      sidesOf(fact).some((side) => has(side, Source.sender) && only(side, forwarded)) &&
      sidesOf(fact).some(({ state }) => state.some((variable) => declaredWhole(variable) === record))

/**
 * Whether something is required that a stranger may not be able to provide; merely repeating stored values does not
 * count.
 */
export const isEntitled = (deed: Deed): boolean => {
  const facts = deed.demands.facts.filter((fact) => !isEcho(fact))
  return facts.some(isDue) || claimsFreeEntry(deed) || isVetted({ ...deed, demands: { ...deed.demands, facts } })
}

/** `require(ownerOf[id] == from)`: the caller simply looks it up. */
const isEcho = (fact: Fact): boolean =>
  fact.kind === "relation" &&
  fact.operator === "==" &&
  sidesOf(fact).some((side) => only(side, selected) && side.keys === 0 && side.parameters.length > 0) &&
  sidesOf(fact).some((side) => has(side, Source.state))
