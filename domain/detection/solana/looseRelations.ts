import type { Missing } from "./missingTie.ts"
import type { Instruction, SolanaCrate } from "./model.ts"
import { namedAlike } from "./namedAlike.ts"
import { openRecords } from "./openRecords.ts"
import { type Untied, untiedAccounts } from "./untied.ts"

const known = new WeakMap<Instruction, ReadonlyArray<Untied>>()

/** Accounts that store the address of another account in the instruction and are not compared with it. */
export const looseRelations = (crate: SolanaCrate, instruction: Instruction): ReadonlyArray<Untied> => {
  let found = known.get(instruction)
  if (found === undefined) {
    const named = namedAlike(crate, instruction)
    const others = [...untiedAccounts(crate, instruction), ...openRecords(crate, instruction)].filter(
      (one) => !named.some(({ holder }) => holder === one.holder),
    )
    known.set(instruction, (found = [...named, ...others]))
  }
  return found
}

/** Whether the rule about related accounts already reports it: one problem is one finding. */
export const isLooseRelation = (crate: SolanaCrate, { instruction, account, holder }: Missing): boolean =>
  looseRelations(crate, instruction).some(
    (one) => one.other === account || (one.holder === account && one.other === holder),
  )
