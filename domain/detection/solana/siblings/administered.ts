import { oncePer } from "../../oncePer.ts"
import type { StructDefinition } from "../../rust/crate/crate.ts"
import { mentions, type Term } from "../../rust/terms/terms.ts"
import type { Account, Instruction, SolanaCrate } from "../program/model.ts"
import { accountOfState, keyOf } from "../program/semantics.ts"
import { determinedBy } from "../ties/determined.ts"
import { checksWhenDone, usesOf } from "../questions/questions.ts"
import { tiesOf } from "../ties/ties.ts"
import { signersOf } from "../authority/authorization.ts"
import { structOf } from "../authority/relations.ts"
import { ofKind } from "../../rust/terms/events.ts"

const isNew = ({ constraints }: Account): boolean => constraints?.init === true || constraints?.initIfNeeded === true

const asksFixedSigner = (instruction: Instruction): boolean =>
  signersOf(instruction).some(
    (one) =>
      !one.optional &&
      tiesOf(instruction)
        .of(one)
        .some(({ slot, either }) => !either && slot.startsWith("=")),
  )

/** Records that, once they exist, only signers at fixed addresses change or close; by the first instruction to do so. */
const administered = oncePer((crate: SolanaCrate): ReadonlyMap<StructDefinition, Instruction> => {
  const found = new Map<StructDefinition, Instruction>()
  const open = new Set<StructDefinition>()
  for (const instruction of crate.instructions)
    for (const account of instruction.accounts) {
      const struct = structOf(instruction, account)
      if (struct === undefined || isNew(account)) continue
      const isChanged =
        account.constraints?.close !== undefined ||
        usesOf(instruction, account).some(({ kind }) => kind.endsWith("-write"))
      if (!isChanged) continue
      if (!asksFixedSigner(instruction)) open.add(struct)
      else if (!found.has(struct)) found.set(struct, instruction)
    }
  for (const one of open) found.delete(one)
  return found
})

/** Stored addresses that have to sign, without anyone who may do so in their place. */
const ownersSlots = oncePer(
  (crate: SolanaCrate): ReadonlySet<string> =>
    new Set(
      crate.instructions.flatMap((instruction) =>
        signersOf(instruction).flatMap((one) =>
          tiesOf(instruction)
            .of(one)
            .flatMap(({ slot, either }) => (either ? [] : [slot])),
        ),
      ),
    ),
)

/** Whether the record belongs to its creator: it is derived from their address, or stores it as the owner's. */
const isOfCreator = (
  crate: SolanaCrate,
  instruction: Instruction,
  record: Account,
  struct: StructDefinition,
): boolean => {
  const keys = new Set(signersOf(instruction).map(({ term }) => keyOf(instruction.walk.terms, term)))
  const namesOwner = (field: string, value: Term): boolean =>
    keys.has(value) && ownersSlots(crate).has(`${struct.name}.${field}`)
  return (
    checksWhenDone(instruction, record).some(
      ({ kind, against }) => kind === "pda" && against !== undefined && mentions(against, (one) => keys.has(one)),
    ) ||
    ofKind(instruction.events, "assign").some((event) => {
      if (accountOfState(event.target.term) !== record.term) return false
      const { target, value } = event
      return value.term.kind === "struct"
        ? value.term.fields.some(([field, one]) => namesOwner(field, one))
        : target.term.kind === "field" && namesOwner(target.term.name, value.term)
    })
  )
}

/**
 * Whether nobody chooses what it contains, and only the administrator then says more: an application that the
 * administrator may grant.
 */
const isApplication = (instruction: Instruction, record: Account, by: Instruction): boolean => {
  const struct = structOf(instruction, record)
  const { has } = determinedBy(instruction, record)
  return (
    by.accounts.some(
      (one) => structOf(by, one) === struct && usesOf(by, one).some(({ kind }) => kind === "state-write"),
    ) &&
    instruction.events.every(
      (event) => event.kind !== "assign" || accountOfState(event.target.term) !== record.term || has(event.value.term),
    )
  )
}

/**
 * The instruction in which only a fixed signer may change records of this kind, if the record is created here for
 * everybody: those who rely on it take it for the administrator's.
 */
export const administeredElsewhere = (
  crate: SolanaCrate,
  instruction: Instruction,
  record: Account,
): Instruction | undefined => {
  const struct = structOf(instruction, record)
  const other = struct === undefined ? undefined : administered(crate).get(struct)
  if (struct === undefined || other === undefined) return undefined
  return isOfCreator(crate, instruction, record, struct) || isApplication(instruction, record, other)
    ? undefined
    : other
}
