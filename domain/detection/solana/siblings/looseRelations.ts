import { oncePerPair } from "../../oncePer.ts"
import type { Missing } from "../ties/missingTie.ts"
import type { Instruction, SolanaCrate } from "../program/model.ts"
import { namedAlike } from "./namedAlike.ts"
import { openRecords, type Untied } from "../records/openRecords.ts"

/** Accounts that store the address of another account in the instruction and are not compared with it. */
export const looseRelations = oncePerPair((crate: SolanaCrate, instruction: Instruction): ReadonlyArray<Untied> => {
  const named = namedAlike(crate, instruction)
  const others = openRecords(crate, instruction).filter((one) => !named.some(({ holder }) => holder === one.holder))
  return [...named, ...others]
})

/** Whether the rule about related accounts already reports it: one problem is one finding. */
export const isLooseRelation = (crate: SolanaCrate, { instruction, account, holder }: Missing): boolean =>
  looseRelations(crate, instruction).some(
    (one) => one.other === account || (one.holder === account && one.other === holder),
  )
