import type { StructDefinition } from "../../rust/crate/crate.ts"
import { mentions, type Term } from "../../rust/terms/terms.ts"
import { signersOf } from "../authority/authorization.ts"
import type { Account, Instruction, SolanaCrate } from "../program/model.ts"
import { accountsByKey, isMutating, usesOf } from "../questions/questions.ts"
import { structOf } from "../authority/relations.ts"
import { stateOf } from "../program/semantics.ts"
import { isUpkeep } from "../payments/stakes.ts"
import { tiesOf } from "../ties/ties.ts"
import { ofKind } from "../../rust/terms/events.ts"

/** A record about the signer that is only passed, and the instructions that check its contents. */
export interface UnreadPermit {
  readonly instruction: Instruction
  readonly record: Account
  readonly asking: ReadonlyArray<Instruction>
}

/** Whether more of a record's contents is checked than its identity and its owner. */
const isAsked = (instruction: Instruction, record: Account): boolean => {
  const state = stateOf(instruction.walk.terms, record.term)
  const keys = accountsByKey(instruction)
  const has = (fact: Term, accept: (one: Term) => boolean): boolean => mentions(fact, accept)
  const asks = (fact: Term): boolean => has(fact, (one) => one === state) && !has(fact, (one) => keys.has(one))
  return (
    [...instruction.walk.success].some(asks) ||
    ofKind(instruction.events, "check").some((event) => event.conditions.some(asks))
  )
}

/** Records at an address that the signer's is a seed of, and that stay as they are. */
const recordsOfSigner = (instruction: Instruction): ReadonlyArray<Account> => {
  const ties = tiesOf(instruction)
  const signers = signersOf(instruction)
  const tied = new Set(
    signers.flatMap((one) => ties.of(one).flatMap(({ slot, other }) => (slot.startsWith("seed of ") ? [other] : []))),
  )
  return instruction.accounts.filter(
    (one) =>
      tied.has(one) &&
      structOf(instruction, one) !== undefined &&
      !signers.includes(one) &&
      one.constraints?.mutable !== true &&
      usesOf(instruction, one).every(({ kind }) => kind === "state-read" || kind === "deserialize"),
  )
}

/** The share of the other instructions with such a record that must look at it. */
const minShare = 0.6

/**
 * Does what a record permits matter here as it does elsewhere? Whoever has one passes, whatever their role, if
 * everywhere else it is asked what the record says.
 */
export const unreadPermits = ({ instructions }: SolanaCrate): ReadonlyArray<UnreadPermit> => {
  const byStruct = new Map<StructDefinition, Array<{ instruction: Instruction; record: Account; asks: boolean }>>()
  for (const instruction of instructions)
    for (const record of recordsOfSigner(instruction)) {
      const struct = structOf(instruction, record)!
      const known = byStruct.get(struct)
      const one = { instruction, record, asks: isAsked(instruction, record) }
      if (known === undefined) byStruct.set(struct, [one])
      else known.push(one)
    }
  return [...byStruct.values()].flatMap((all) => {
    const asking = all.filter(({ asks }) => asks)
    return all.flatMap(({ instruction, record, asks }) =>
      asks || asking.length === 0 || asking.length < minShare * (all.length - 1) || !isMutating(instruction)
        ? []
        : isUpkeep(instruction)
          ? []
          : [{ instruction, record, asking: asking.map((one) => one.instruction) }],
    )
  })
}
