import type { StructDefinition } from "../../rust/crate/crate.ts"
import { oncePer } from "../../oncePer.ts"
import { everySubterm, mentions, type Term } from "../../rust/terms/terms.ts"
import { addressFields, signersOf } from "../authority/authorization.ts"
import { structOf } from "../authority/relations.ts"
import { isUpkeep } from "../payments/stakes.ts"
import type { Account, Instruction, SolanaCrate } from "../program/model.ts"
import { accountOfState, keyOf, stateOf } from "../program/semantics.ts"
import { accountsByKey, checksWhenDone, cpisOf, isMutating, successAbout, usesOf } from "../questions/questions.ts"
import { signersSlots } from "../ties/parties.ts"
import { tiesOf } from "../ties/ties.ts"
import { ofKind } from "../../rust/terms/events.ts"

/** A record that shows what its owner may do, of an owner who need not be the signer. */
export interface BorrowedPermit {
  readonly record: Account
  readonly field: string
  readonly signer: Account
}

/** Values that an instruction writes, passes on, or derives addresses from. */
const usedValues = oncePer((instruction: Instruction): ReadonlySet<Term> => {
  const written = ofKind(instruction.events, "assign").map((event) => event.value.term)
  const passed = cpisOf(instruction).flatMap(({ accounts, args, signerSeeds }) => [
    ...accounts.map(({ term }) => term),
    ...args,
    ...(signerSeeds === undefined ? [] : [signerSeeds]),
  ])
  const made = instruction.accounts.flatMap((one) =>
    checksWhenDone(instruction, one).flatMap(({ kind, against }) =>
      kind === "pda" && against !== undefined ? [against] : [],
    ),
  )
  return everySubterm([...written, ...passed, ...made])
})

/** Whether it is only there to show something: it stays as it is, nothing in it is used, and nothing says which it is. */
const isOnlyShown = (instruction: Instruction, record: Account): boolean => {
  const { terms } = instruction.walk
  const used = usedValues(instruction)
  return (
    record.constraints?.mutable !== true &&
    usesOf(instruction, record).every(({ kind }) => kind === "state-read" || kind === "deserialize") &&
    [record.term, keyOf(terms, record.term), stateOf(terms, record.term)].every((one) => !used.has(one)) &&
    tiesOf(instruction)
      .of(record)
      .every(({ pins }) => !pins)
  )
}

/** Whether all that is asked of it is which other record it belongs to: numbers and flags are asked for their own sake. */
const onlyBelongs = (instruction: Instruction, record: Account): boolean => {
  const keys = accountsByKey(instruction)
  const state = stateOf(instruction.walk.terms, record.term)
  const facts = successAbout(instruction, state).filter(({ kind }) => kind !== "succeeded")
  const parents = new Set(
    facts.flatMap((fact): ReadonlyArray<Account | undefined> => {
      const sides = fact.kind === "binary" && fact.operator === "==" ? [fact.left, fact.right] : []
      const other = sides.find((side) => !mentions(side, (one) => one === state))
      if (other === undefined) return [undefined]
      const holder = accountOfState(other)
      return keys.get(other) ?? [instruction.accounts.find(({ term }) => term === holder)]
    }),
  )
  return parents.size > 0 && [...parents].every((one) => one !== undefined && structOf(instruction, one) !== undefined)
}

/** Everything that some check is about. */
const askedValues = oncePer(({ events }: Instruction): ReadonlySet<Term> =>
  everySubterm(ofKind(events, "check").flatMap((event) => event.conditions)),
)

/** The owner that it stores, whom other instructions ask to sign, and who is not asked about here. */
const ownerIn = (
  crate: SolanaCrate,
  instruction: Instruction,
  record: Account,
  struct: StructDefinition,
): string | undefined => {
  const { terms } = instruction.walk
  const state = stateOf(terms, record.term)
  const asked = askedValues(instruction)
  return addressFields(crate, struct).find(
    (name) =>
      signersSlots(crate).has(`${struct.name}.${name}`) &&
      !asked.has(terms.field(state, name)) &&
      successAbout(instruction, terms.field(state, name)).length === 0,
  )
}

/**
 * Records that only show what somebody may do, and belong to a stranger as far as the instruction asks: whoever has
 * none shows another's.
 */
export const borrowedPermits = (crate: SolanaCrate, instruction: Instruction): ReadonlyArray<BorrowedPermit> => {
  const [signer] = signersOf(instruction)
  if (signer === undefined || !isMutating(instruction) || isUpkeep(instruction)) return []
  return instruction.accounts.flatMap((record) => {
    const struct = structOf(instruction, record)
    if (struct === undefined || !isOnlyShown(instruction, record) || !onlyBelongs(instruction, record)) return []
    const field = ownerIn(crate, instruction, record, struct)
    return field === undefined ? [] : [{ record, field, signer }]
  })
}
