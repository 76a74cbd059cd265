import type { ContractModel, StateVariable } from "../../model.ts"
import type { Program } from "../../program.ts"
import { storageUse } from "../value/storageUse.ts"
import { ownLayoutOf, type Placed, slotsOf } from "./layout.ts"

/** Space that a base contract reserves for variables of later releases. */
export interface Gap {
  readonly contract: ContractModel
  readonly variable: StateVariable
  /** Slots of the gap. */
  readonly room: number
  /** Slots of the contract, including the gap: the number that stays the same from release to release. */
  readonly total: number
}

/** The gap of a contract, if it has one. */
export const gapOf = (program: Program, contract: ContractModel): Gap | undefined => {
  const layout = ownLayoutOf(program, contract)
  const placed = layout.find((one) => isReserved(program, one))
  const last = layout.at(-1)
  if (placed === undefined || last === undefined || last.after !== "") return undefined
  return { contract, variable: placed.variable, room: slotsOf(placed), total: last.slot + slotsOf(last) }
}

/** Whether it is an array of whole slots that is never used. */
export const isReserved = (program: Program, placed: Placed): boolean => {
  const { type, visibility } = placed.variable
  if (type.kind !== "array" || !type.fixed || visibility === "public" || slotsOf(placed) < 2) return false
  const { read, written } = storageUse(program)
  return !read.has(placed.variable) && !written.has(placed.variable)
}
