import type { Term } from "../rust/terms.ts"
import type { Account, Instruction } from "./model.ts"
import { checksWhenDone } from "./questions.ts"

const isFixedSeed = (term: Term): boolean =>
  term.kind === "list" ? term.elements.every(isFixedSeed) : term.kind === "literal" || term.kind === "constant"

/** There can be only one such account: its address has no part that differs. */
export const isGlobal = (instruction: Instruction, account: Account): boolean =>
  checksWhenDone(instruction, account).some(({ kind, against }) => {
    if (kind !== "pda" || against === undefined) return false
    const call = against.kind === "field" ? against.base : against
    return call.kind === "call" && call.args[0] !== undefined && isFixedSeed(call.args[0])
  })
