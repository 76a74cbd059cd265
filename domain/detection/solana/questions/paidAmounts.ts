import { oncePer } from "../../oncePer.ts"
import { everySubterm, type Term } from "../../rust/terms/terms.ts"
import type { Cpi, Instruction } from "../program/model.ts"
import { accountOfState } from "../program/semantics.ts"
import { ofKind } from "../../rust/terms/events.ts"

/** Where the builders take the amount, as far as they take anything else. */
const amountAt: ReadonlyArray<readonly [path: RegExp, index: number]> = [
  [/(^|::)(system_instruction|(solana_)?system_interface::instruction)::transfer$/, 2],
  [/(^|::)instruction::transfer$/, 5],
  [/(^|::)instruction::transfer_checked(_with_fee)?$/, 6],
]

/** How much a call moves. */
export const amountOf = ({ instruction, args, accounts }: Cpi): Term | undefined =>
  args[amountAt.find(([path]) => path.test(instruction))?.[1] ?? 0] ??
  accounts.find(({ name }) => /^(amount|lamports)$/.test(name))?.term

/** Whatever is written to records. */
const recorded = oncePer(({ events }: Instruction): ReadonlySet<Term> =>
  everySubterm(
    ofKind(events, "assign").flatMap((event) =>
      accountOfState(event.target.term) !== undefined ? [event.value.term] : [],
    ),
  ),
)

/** Whether a record says afterwards that so much was paid. */
export const isCredited = (instruction: Instruction, amount: Term): boolean =>
  amount.kind !== "literal" && recorded(instruction).has(amount)
