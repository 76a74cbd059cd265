import { oncePerPair } from "../../oncePer.ts"
import type { StructDefinition } from "../../rust/crate/crate.ts"
import { everySubterm, mentions, type Term } from "../../rust/terms/terms.ts"
import { addressFields, isPrivileged } from "../authority/authorization.ts"
import { isCreated } from "../authority/creation.ts"
import type { Missing } from "../ties/missingTie.ts"
import type { Account, Instruction, SolanaCrate } from "../program/model.ts"
import { isMutating, usesOf } from "../questions/questions.ts"
import { storedParts, structOf } from "../authority/relations.ts"
import { keyOf, stateOf } from "../program/semantics.ts"
import { snake } from "./storedNames.ts"
import { lastName } from "../ties/ties.ts"
import { ofKind } from "../../rust/terms/events.ts"

/** Two accounts that are used together although nothing ensures that they belong together. */
export interface Strangers {
  readonly account: Account
  readonly other: Account
  /** The address that both name, or the value that the caller passes and `other` stores. */
  readonly field: string
  /** Whether the caller selects `account` with an argument of that name; otherwise, both store an address under it. */
  readonly picked: boolean
}

const isNew = (instruction: Instruction, account: Account): boolean =>
  account.constraints?.init === true ||
  account.constraints?.initIfNeeded === true ||
  account.constraints?.zero === true ||
  isCreated(instruction, account)

/** Equalities that hold if the instruction succeeds, and those that are tested on some path. */
const equalitiesOf = (instruction: Instruction): ReadonlyArray<Term & { kind: "binary" }> => {
  const asked = ofKind(instruction.events, "check").flatMap((event) => event.conditions)
  const found: Array<Term & { kind: "binary" }> = []
  for (const fact of new Set([...instruction.walk.success, ...asked]))
    mentions(fact, (one) => {
      if (one.kind === "binary" && (one.operator === "==" || one.operator === "!=")) found.push(one)
      return false
    })
  return found
}

interface Record {
  readonly account: Account
  readonly struct: StructDefinition
  readonly state: Term
}

const recordsOf = (instruction: Instruction): ReadonlyArray<Record> =>
  instruction.accounts.flatMap((account) => {
    const struct = structOf(instruction, account)
    return struct === undefined || isNew(instruction, account)
      ? []
      : [{ account, struct, state: stateOf(instruction.walk.terms, account.term) }]
  })

/**
 * Accounts at addresses derived from a number that the caller passes, while a record stores that number under the same
 * name: `tick` of `lower_index`, and the position's own `lower_index` is never compared.
 */
const pickedAccounts = (instruction: Instruction, records: ReadonlyArray<Record>): ReadonlyArray<Strangers> => {
  const equalities = equalitiesOf(instruction)
  const found: Array<Strangers> = []
  for (const { name: parameter, term: argument } of instruction.arguments) {
    const name = parameter.replace(/^_+/, "")
    const isArgument = (one: Term): boolean => one === argument
    const picked = records.find(({ account, struct }) => {
      // Every record may have an `index`; it is `tick_index` that identifies the tick.
      if (!name.includes("_") || ![snake(struct.name), lastName(account)].some((one) => name.includes(one)))
        return false
      const key = keyOf(instruction.walk.terms, account.term)
      return equalities.some(
        ({ operator, left, right }) =>
          operator === "==" &&
          ((left === key && mentions(right, isArgument)) || (right === key && mentions(left, isArgument))),
      )
    })
    const holder = records.find(
      ({ account, struct }) => account !== picked?.account && struct.item.fields.some((field) => field.name === name),
    )
    if (picked === undefined || holder === undefined) continue
    const stored = instruction.walk.terms.field(holder.state, name)
    const isAsked = instruction.events.some(
      (event) =>
        (event.kind === "check" && event.conditions.some((one) => mentions(one, (part) => part === stored))) ||
        (event.kind === "assign" &&
          (event.target.term === stored || (instruction.kind === "native" && event.target.term === holder.state))),
    )
    if (isAsked || equalities.some((one) => mentions(one, (part) => part === stored))) continue
    // If the record itself is at an address derived from the number, it is the intended one.
    const key = keyOf(instruction.walk.terms, holder.account.term)
    if (equalities.some((one) => mentions(one, (part) => part === key) && mentions(one, isArgument))) continue
    found.push({ account: picked.account, other: holder.account, field: name, picked: true })
  }
  return found
}

/**
 * Accounts by the comparisons that tie them, over any number of steps; an address derived from others is tied to those.
 */
const groupsOf = (instruction: Instruction): ReadonlyMap<Account, number> => {
  // A new record that names two accounts does not make them belong together.
  const accounts = instruction.accounts.filter((account) => !isNew(instruction, account))
  const byTerm = new Map(accounts.map((one) => [one.term, one] as const))
  const group = new Map(accounts.map((one, index) => [one, index] as const))
  const inside = (term: Term): ReadonlyArray<Account> => [
    ...new Set([...everySubterm([term])].flatMap((one) => byTerm.get(one) ?? [])),
  ]
  for (const { operator, left, right } of equalitiesOf(instruction)) {
    if (operator !== "==") continue
    for (const one of inside(left))
      for (const other of inside(right)) {
        const [from, to] = [group.get(other), group.get(one)]
        if (from === to) continue
        for (const [each, own] of group) if (own === from) group.set(each, to!)
      }
  }
  return group
}

/** Two records that store their parent under the same name, and may have different parents. */
const differentParents = (
  crate: SolanaCrate,
  instruction: Instruction,
  records: ReadonlyArray<Record>,
): ReadonlyArray<Strangers> => {
  const stored = storedParts(crate)
  const groups = groupsOf(instruction)
  const given = new Map(instruction.accounts.map((one) => [lastName(one), one] as const))
  const hasField = ({ struct }: Record, name: string): boolean => addressFields(crate, struct).includes(name)
  /** Fields in which some instruction stores, or looks for, the address of another kind of record. */
  const partsOf = ({ struct }: Record): ReadonlyArray<string> =>
    [...(stored.get(struct) ?? [])].flatMap(([name, roles]) =>
      [...roles].some((role) => role !== "signer" && role !== "value" && role !== struct) ? [name] : [],
    )
  /** If the parent is given, one of the two is known to belong to it; that neither does is reported for each alone. */
  const isOpen = (name: string, one: Record, other: Record): boolean => {
    const whole = given.get(name)
    const group = whole === undefined ? undefined : groups.get(whole)
    return whole === undefined || group === groups.get(one.account) || group === groups.get(other.account)
  }
  const found: Array<Strangers> = []
  for (const [index, one] of records.entries())
    for (const other of records.slice(index + 1)) {
      if (one.struct === other.struct || groups.get(one.account) === groups.get(other.account)) continue
      const field =
        partsOf(one).find((name) => hasField(other, name) && isOpen(name, one, other)) ??
        partsOf(other).find((name) => hasField(one, name) && isOpen(name, one, other))
      const changed = [one, other].find(({ account }) =>
        usesOf(instruction, account).some(({ kind }) => kind === "state-write" || kind === "data-write"),
      )
      if (field === undefined || changed === undefined) continue
      found.push({ account: changed.account, other: (changed === one ? other : one).account, field, picked: false })
    }
  return found
}

/** Accounts of an instruction that may belong to different parents. */
export const strangersIn = oncePerPair((crate: SolanaCrate, instruction: Instruction): ReadonlyArray<Strangers> => {
  const records = isMutating(instruction) ? recordsOf(instruction) : []
  return records.length < 2 || isPrivileged(crate, instruction)
    ? []
    : [...pickedAccounts(instruction, records), ...differentParents(crate, instruction, records)]
})

/** Whether it was reported that the parents of the two records may differ: one problem is one finding. */
export const areStrangers = (crate: SolanaCrate, { instruction, account, holder, slot }: Missing): boolean =>
  strangersIn(crate, instruction).some(
    (one) =>
      !one.picked &&
      (one.account === holder || one.other === holder) &&
      lastName(account) === one.field &&
      slot.endsWith(`.${one.field}`),
  )
