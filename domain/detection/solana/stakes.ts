import type { Severity } from "../../finding/Severity.ts"
import { mentions, type Term } from "../rust/terms.ts"
import { isPrivileged, signersOf } from "./authorization.ts"
import { movesValue } from "./cpi.ts"
import type { Account, Instruction, SolanaCrate } from "./model.ts"
import { cpisOf, isFromCaller, usesOf } from "./questions.ts"
import { accountOfState, keyOf, stateOf } from "./semantics.ts"
import { signedCpisOf } from "./signedCpi.ts"

/** Value leaves what the program keeps: tokens that it signs for, lamports of its accounts. */
export const paysOut = (instruction: Instruction): boolean =>
  signedCpisOf(instruction).some(movesValue) ||
  instruction.accounts.some(
    (one) =>
      one.constraints?.close !== undefined ||
      (!signersOf(instruction).includes(one) &&
        usesOf(instruction, one).some(
          ({ kind, event }) => kind === "lamports-write" && event.kind === "assign" && event.operator !== "+",
        )),
  )

/** What the caller passes, or somebody's address, is written into state, or a literal. */
const isTold = (instruction: Instruction): boolean => {
  const keys = new Set(instruction.accounts.map(({ term }) => keyOf(instruction.walk.terms, term)))
  // What was there went into another record: `total += daily; daily = 0`.
  const isMoved = (place: Term): boolean =>
    instruction.events.some(
      (event) =>
        event.kind === "assign" && event.target.term !== place && mentions(event.value.term, (one) => one === place),
    )
  return instruction.events.some(
    (event) =>
      event.kind === "assign" &&
      accountOfState(event.target.term) !== undefined &&
      ((event.value.term.kind === "literal" && !isMoved(event.target.term)) ||
        isFromCaller(instruction, event.value.term) ||
        mentions(event.value.term, (one) => keys.has(one))),
  )
}

/** Nothing leaves and nobody says what is written: what is stored already decides, whoever asks for it. */
export const isUpkeep = (instruction: Instruction): boolean =>
  !instruction.accounts.some(({ constraints }) => constraints?.realloc !== undefined) &&
  !paysOut(instruction) &&
  !isTold(instruction) &&
  !cpisOf(instruction).some(movesValue)

/** What is read from an account decides who may act, or what the program pays. */
const decides = (instruction: Instruction, account: Account): boolean => {
  const { terms, success } = instruction.walk
  const state = stateOf(terms, account.term)
  const keys = signersOf(instruction).map(({ term }) => keyOf(terms, term))
  const paid = signedCpisOf(instruction).filter(movesValue)
  return (
    [...success].some(
      (fact) => mentions(fact, (one) => one === state) && keys.some((key) => mentions(fact, (one) => one === key)),
    ) || paid.some((cpi) => [...cpi.args, cpi.signerSeeds].some((term) => mentions(term, (one) => one === state)))
  )
}

/** What it is worth that an account's data may be anybody's. */
export const severityOfData = (crate: SolanaCrate, instruction: Instruction, account: Account): Severity =>
  isPrivileged(crate, instruction) ? "low" : decides(instruction, account) || paysOut(instruction) ? "critical" : "high"
