import { oncePer } from "../../oncePer.ts"
import { type Event, guaranteed } from "../../rust/terms/events.ts"
import { definitionOf, type RustType } from "../../rust/crate/types.ts"
import { readType } from "../questions/identity.ts"
import type { Account, Instruction, SolanaCrate } from "../program/model.ts"
import { accountIn, cpisOf, usesOf } from "../questions/questions.ts"
import { accountOfState } from "../program/semantics.ts"
import { openCpisOf } from "./cpiProgram.ts"

const structIn = (type: RustType | undefined): object | undefined =>
  type === undefined ? undefined : definitionOf(type)

/** The structs that the program builds or changes: their records are its own. */
const ownStructs = oncePer(({ instructions }: SolanaCrate): ReadonlySet<object> => {
  const own = new Set<object>()
  const add = (type: RustType | undefined): void => {
    const struct = structIn(type)
    if (struct !== undefined) own.add(struct)
  }
  for (const instruction of instructions)
    for (const event of instruction.events) {
      if (event.kind === "struct") add(event.value.type)
      if (event.kind !== "assign") continue
      const written = accountOfState(event.target.term)
      const account = written === undefined ? undefined : accountIn(instruction, written)
      if (account === undefined) continue
      add(account.state)
      for (const use of usesOf(instruction, account)) if (use.kind === "deserialize") add(readType(use.event))
    }
  return own
})

/**
 * Whether an account is another program's record, and is passed to a known program on every successful path through
 * the place where it is read: that program would not take a forged one.
 */
export const isLeftToCalled = (
  crate: SolanaCrate,
  instruction: Instruction,
  { term }: Account,
  read: Event,
): boolean => {
  const struct = structIn(readType(read))
  if (struct === undefined || ownStructs(crate).has(struct)) return false
  const called = cpisOf(instruction).filter(
    (cpi) =>
      cpi.program !== undefined &&
      cpi.accounts.some((one) => one.term === term) &&
      [...cpi.event.facts].every((fact) => guaranteed(read).has(fact)),
  )
  if (called.length === 0) return false
  const open = new Set(openCpisOf(instruction).map(({ event }) => event))
  return called.some(({ event }) => !open.has(event))
}
