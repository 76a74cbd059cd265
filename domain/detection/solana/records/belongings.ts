import { oncePer } from "../../oncePer.ts"
import type { StructDefinition } from "../../rust/crate/crate.ts"
import { everySubterm, mentions, type Term } from "../../rust/terms/terms.ts"
import { isPrivileged, signersOf } from "../authority/authorization.ts"
import { isCreated } from "../authority/creation.ts"
import type { Account, Instruction, SolanaCrate } from "../program/model.ts"
import { usesOf } from "../questions/questions.ts"
import { structOf } from "../authority/relations.ts"
import { keyOf, stateOf } from "../program/semantics.ts"
import { isGlobal } from "../questions/singleton.ts"
import { isAnchored, tiesOf } from "../ties/ties.ts"
import { ofKind } from "../../rust/terms/events.ts"

/**
 * A record that is changed on the word of an account named by another record, although nothing ties the two records
 * together.
 */
export interface Foreign {
  readonly record: Account
  readonly signer: Account
  /** The record that names the signer. */
  readonly holder: Account
}

/** Whether a fact compares something: the success of a call implies nothing about its arguments. */
const compares = (fact: Term): boolean =>
  fact.kind !== "succeeded" && !(fact.kind === "binary" && fact.operator === "!=")

type Belongings = ReadonlyMap<StructDefinition, ReadonlySet<StructDefinition>>

/** The records that those of a struct belong to: some instruction writes or compares the address. */
const belongingsOf = oncePer((crate: SolanaCrate): Belongings => {
  const found = new Map<StructDefinition, Set<StructDefinition>>()
  for (const instruction of crate.instructions) {
    const { terms } = instruction.walk
    const records = instruction.accounts.flatMap((account) => {
      const struct = structOf(instruction, account)
      return struct === undefined
        ? []
        : [{ account, struct, key: keyOf(terms, account.term), state: stateOf(terms, account.term) }]
    })
    if (records.length < 2) continue
    const add = (record: StructDefinition, part: ReadonlySet<Term>): void => {
      for (const { struct, key } of records) {
        if (struct === record || !part.has(key)) continue
        const own = found.get(record)
        if (own === undefined) found.set(record, new Set([struct]))
        else own.add(struct)
      }
    }
    for (const { account, struct } of records)
      for (const { struct: other, slot, other: to } of tiesOf(instruction).of(account)) {
        if (other !== undefined && slot.startsWith("own ")) add(struct, new Set([keyOf(terms, to!.term)]))
        if (slot.startsWith("seeds "))
          for (const fact of instruction.walk.success)
            if (compares(fact) && mentions(fact, (one) => one === keyOf(terms, account.term)))
              add(struct, everySubterm([fact]))
      }
    const byState = new Map(records.toReversed().map((one) => [one.state, one] as const))
    for (const { target, value } of ofKind(instruction.events, "assign")) {
      const parts = everySubterm([target.term])
      for (const { struct, state } of records) if (parts.has(state)) add(struct, everySubterm([value.term]))
    }
    const given = new Map<StructDefinition, Set<Term>>()
    for (const { args } of ofKind(instruction.events, "call")) {
      const record = args.length < 2 ? undefined : byState.get(args[0]!.term)
      if (record === undefined) continue
      const known = given.get(record.struct) ?? new Set()
      given.set(record.struct, known)
      for (const { term } of args.slice(1)) known.add(term)
    }
    for (const [struct, passed] of given) add(struct, everySubterm([...passed]))
  }
  return found
})

const belongsTo = (crate: SolanaCrate, record: StructDefinition, owner: StructDefinition): boolean => {
  const all = belongingsOf(crate)
  const seen = new Set([record])
  // A set also iterates over what is added in the meantime.
  for (const one of seen) for (const next of all.get(one) ?? []) seen.add(next)
  seen.delete(record)
  return seen.has(owner)
}

/** The accounts and arguments that comparisons, or addresses stored here, tie to one, over any number of steps. */
const linkedWith = (instruction: Instruction, first: Account): ReadonlySet<unknown> => {
  const nodes: ReadonlyArray<{ readonly term: Term }> = [...instruction.accounts, ...instruction.arguments]
  const byTerm = new Map(nodes.map((one) => [one.term, one]))
  const conditions = ofKind(instruction.events, "check").flatMap((event) => event.conditions)
  const stored = ofKind(instruction.events, "assign").flatMap((event) =>
    event.value.term.kind === "field" && event.value.term.name === "key" ? [[event.target.term, event.value.term]] : [],
  )
  const compared = [...instruction.walk.success, ...conditions].filter(compares).map((fact) => [fact])
  const groups = [...stored, ...compared].map((one) => {
    const group: Array<unknown> = []
    for (const part of everySubterm(one)) if (byTerm.has(part)) group.push(byTerm.get(part))
    return group
  })
  const linked = new Set<unknown>([first])
  for (let size = 0; size !== linked.size;) {
    size = linked.size
    for (const group of groups) if (group.some((one) => linked.has(one))) for (const one of group) linked.add(one)
  }
  return linked
}

/** Whether some instruction finds its account at a fixed address: there is one for everyone. */
const isShared = (crate: SolanaCrate, struct: StructDefinition): boolean =>
  crate.instructions.some((instruction) =>
    instruction.accounts.some((one) => structOf(instruction, one) === struct && isGlobal(instruction, one)),
  )

const isChanged = (instruction: Instruction, account: Account): boolean =>
  account.constraints?.close !== undefined ||
  usesOf(instruction, account).some(
    ({ kind, event }) =>
      kind === "state-write" ||
      kind === "data-write" ||
      (kind === "lamports-write" && event.kind === "assign" && event.operator !== "+"),
  )

const isOpened = (instruction: Instruction, { constraints, ...account }: Account): boolean =>
  constraints?.init === true ||
  constraints?.initIfNeeded === true ||
  constraints?.zero === true ||
  isCreated(instruction, account) ||
  (instruction.kind === "native" && /(^|_)(init|initialize|create|new)(_|$)/.test(instruction.name))

/** Records changed on the authority of an account that is not tied to them. */
export const foreignRecords = (crate: SolanaCrate, instruction: Instruction): ReadonlyArray<Foreign> => {
  const signers = signersOf(instruction)
  if (signers.length === 0) return []
  const ties = tiesOf(instruction)
  const named = signers.flatMap((signer) =>
    ties
      .of(signer)
      .flatMap(({ other, struct, slot, pins }) =>
        other === undefined || struct === undefined || !pins || slot.startsWith("seed")
          ? []
          : [{ signer, holder: other, struct }],
      ),
  )
  const found: Array<Foreign> = []
  for (const record of named.length === 0 ? [] : instruction.accounts) {
    const struct = structOf(instruction, record)
    if (struct === undefined || !isChanged(instruction, record) || isOpened(instruction, record)) continue
    if (isAnchored(instruction, record) || ties.isAsked(record)) continue
    // If the signer has a record of the kind, such as a liquidator's, the owner of this one is a different matter.
    const twin = instruction.accounts.some((one) => one !== record && structOf(instruction, one) === struct)
    const holder = named.find((one) => one.struct !== struct && belongsTo(crate, struct, one.struct))
    if (twin || holder === undefined || isShared(crate, struct) || isShared(crate, holder.struct)) continue
    const linked = linkedWith(instruction, record)
    if (named.some((one) => linked.has(one.holder)) || signers.some((one) => linked.has(one))) continue
    if (isPrivileged(crate, instruction)) continue
    found.push({ record, signer: holder.signer, holder: holder.holder })
  }
  return found
}
