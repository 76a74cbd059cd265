import { oncePer } from "../../../oncePer.ts"
import { type Fact, sidesOf } from "../../flow/facts/facts.ts"
import { has, only, Source } from "../../flow/graph/origins.ts"
import { declaredWhole } from "../../flow/graph/storagePlace.ts"
import type { StateVariable, StructModel } from "../../model.ts"
import type { Program } from "../../program.ts"
import type * as S from "../../syntax.ts"
import type { Type } from "../../types.ts"
import { walk } from "../../visit.ts"
import { type Deed, isCleared, isPayout } from "../entries/deeds.ts"
import { type Entry, isFixed, isNamed } from "../entries/entries.ts"
import { isDue, isVetted, servesCaller, told } from "../entries/intent.ts"

// Accounts that a record names and that no function looks at: the only use for a beneficiary or an arbiter is to be
// compared with the sender, or paid.

/** Somebody named in each entry of a table. */
export interface Party {
  readonly table: StateVariable
  readonly member: string
}

const structOf = (type: Type): StructModel | undefined =>
  type.kind === "mapping"
    ? structOf(type.value)
    : type.kind === "array"
      ? structOf(type.base)
      : type.kind === "struct"
        ? type.struct
        : undefined

const isTable = ({ kind }: Type): boolean => kind === "mapping" || kind === "array"

const idleParties = oncePer((program: Program): ReadonlyMap<StateVariable, string> => {
  const tables = new Map<StateVariable, StructModel>()
  const names = new Set<string>()
  for (const { stateVariables } of program.contracts)
    for (const variable of stateVariables) {
      const struct = isTable(variable.type) ? structOf(variable.type) : undefined
      const accounts = struct?.members.filter(({ type }) => type.kind === "address") ?? []
      if (accounts.length > 0) tables.set(variable, struct!)
      for (const { name } of accounts) names.add(name)
    }
  if (tables.size === 0) return new Map()
  const { read, made, passed, called } = usesOf(program, names)
  const idle = new Map<StateVariable, string>()
  for (const [variable, struct] of tables) {
    // through its getter, others may look at all of an entry
    if (!made.has(struct) || passed.has(struct) || called.has(variable.name)) continue
    const member = struct.members.find(({ name, type }) => type.kind === "address" && !read.has(name))
    if (member !== undefined) idle.set(variable, member.name)
  }
  return idle
})

const usesOf = (program: Program, names: ReadonlySet<string>) => {
  const read = new Set<string>()
  const made = new Set<StructModel>()
  /** What is encoded, or passed to another contract. */
  const passed = new Set<StructModel>()
  const called = new Set<string>()
  const noteCall = (node: S.FunctionCall): void => {
    const call = program.callOf(node)
    if (call?.kind === "struct" && call.type?.kind === "struct") made.add(call.type.struct)
    if (call === undefined || call.kind === "struct" || call.kind === "event" || call.kind === "internal") return
    called.add(call.name)
    if (call.name === "push") return
    for (const arg of call.args) {
      const struct = structOf(program.typeOf(arg))
      if (struct !== undefined) passed.add(struct)
    }
  }
  for (const { node } of [...program.functions, ...program.contracts.flatMap(({ modifiers }) => modifiers)]) {
    if (node.body === undefined) continue
    walk(node.body, (part) => {
      if (part.kind === "Assignment" && part.operator === "=" && part.left.kind === "MemberAccess") {
        const struct = structOf(program.typeOf(part.left.object))
        if (struct !== undefined) made.add(struct)
        for (const inner of [part.left.object, part.right]) walk(inner, note)
        return false
      }
      return note(part)
    })
  }
  return { read, made, passed, called }
  function note(part: S.Node): boolean {
    if (part.kind === "MemberAccess" && names.has(part.member)) read.add(part.member)
    if (part.kind === "FunctionCall") noteCall(part)
    return true
  }
}

/**
 * The account that an entry of a table names and that nobody is compared with, if the caller decides what becomes of
 * any entry: sets a value or a mark, or says who is paid.
 */
export const uncheckedParty = (program: Program, entry: Entry): (Party & { readonly deed: Deed }) | undefined => {
  const takes = entry.deeds.some(takesItem)
  if (servesCaller(entry) && !takes) return undefined
  for (const deed of entry.open) {
    if (deed.variable === undefined || deed.reached.event.kind !== "write" || !has(deed.keys, told)) continue
    const table = declaredWhole(deed.variable)
    const member = idleParties(program).get(table)
    if (member === undefined || isCreated(entry, table, member)) continue
    if (takes ? isCleared(deed) : decides(entry, deed) && !isConditional(deed, table)) return { table, member, deed }
  }
  return undefined
}

/** `managerOf[id] = msg.sender`: the item that the caller names becomes the caller's. */
const takesItem = ({ value, keys, variable, path }: Deed): boolean =>
  variable !== undefined && path?.startsWith("[]") === true && value.sources === Source.sender && has(keys, told)

/** Whether the function itself names the account. */
const isCreated = ({ deeds }: Entry, table: StateVariable, member: string): boolean =>
  deeds.some(
    (deed) =>
      deed.variable !== undefined &&
      declaredWhole(deed.variable) === table &&
      !isCleared(deed) &&
      (deed.path!.endsWith(`.${member}`) || deed.path!.endsWith("[]")),
  )

const decides = ({ deeds }: Entry, deed: Deed): boolean =>
  isNamed(deed.value) ||
  isCleared(deed) ||
  isFixed(deed.value) ||
  deeds.some((other) => isPayout(other) && has(other.value, told | Source.sender))

/** Whether more is required than a certain state of the entry: its time, its numbers, a payment. */
const isConditional = (deed: Deed, table: StateVariable): boolean => {
  const facts = deed.demands.facts.filter((fact) => !isState(fact, table))
  return (
    facts.some((fact) => isDue(fact) || isTimed(fact)) || isVetted({ ...deed, demands: { ...deed.demands, facts } })
  )
}

/** `order.state == State.Open`, `!order.paid`: it implies nothing about who may change the entry. */
export const isState = (fact: Fact, table: StateVariable): boolean =>
  fact.kind === "relation" &&
  sidesOf(fact).every((side) => only(side, Source.state | Source.literal | Source.constant) || side.sources === 0) &&
  sidesOf(fact).every(({ state }) => state.every((variable) => declaredWhole(variable) === table))

export const isTimed = (fact: Fact): boolean =>
  fact.kind === "relation" && sidesOf(fact).some((side) => has(side, Source.timestamp | Source.blockNumber))
