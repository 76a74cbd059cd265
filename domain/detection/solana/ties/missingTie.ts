import type { Account, Instruction } from "../program/model.ts"

/** An account that should be tied to something but is not. */
export interface Missing {
  readonly instruction: Instruction
  readonly account: Account
  /** The account that stores its expected address; absent if other instructions compare it with something fixed. */
  readonly holder: Account | undefined
  /** `Pool.vault`, as in messages; of a role, `Pool`. */
  readonly slot: string
  /** Instructions that compare it; none if the name alone suggests it. */
  readonly siblings: ReadonlyArray<Instruction>
  /** What the siblings do with the accounts that they compare, if it is that which they have in common. */
  readonly role?: string
  /** Whether it signs: the action is done on its authority. */
  readonly signs: boolean
}
