import { oncePer } from "../../oncePer.ts"
import { mentions } from "../../rust/terms/terms.ts"
import type { Account, Instruction } from "../program/model.ts"
import { accountOfState, stateOf } from "../program/semantics.ts"
import { isClock } from "../questions/quantities.ts"
import { isFromCaller, successAbout, usesOf } from "../questions/questions.ts"
import { tiesOf } from "../ties/ties.ts"
import { signersIn } from "./signers.ts"
import { ofKind } from "../../rust/terms/events.ts"

/** Whether a time that the record stores has passed whenever the instruction succeeds: `offer.expiry < now`. */
const isOver = (instruction: Instruction, { term }: Account): boolean =>
  successAbout(instruction, stateOf(instruction.walk.terms, term)).some(
    (fact) =>
      fact.kind === "binary" &&
      fact.operator.startsWith("<") &&
      mentions(fact.right, isClock) &&
      !mentions(fact.left, isClock) &&
      accountOfState(fact.left) === term,
  )

/** Whether the caller says nothing that is stored, and no account that may receive something is the caller's choice. */
const leavesNoChoice = oncePer(
  (instruction: Instruction): boolean =>
    instruction.accounts.every(
      (one) =>
        !(one.constraints?.mutable || usesOf(instruction, one).some(({ kind }) => kind === "lamports-write")) ||
        one.optional ||
        signersIn(instruction).has(one) ||
        tiesOf(instruction).of(one).length > 0,
    ) &&
    !ofKind(instruction.events, "assign").some(
      (event) => accountOfState(event.target.term) !== undefined && isFromCaller(instruction, event.value.term),
    ),
)

/** Whether the record that names the account has come to its end, so that anyone may return what belongs to whom. */
export const isSettledByTime = (instruction: Instruction, account: Account): boolean =>
  leavesNoChoice(instruction) &&
  tiesOf(instruction)
    .of(account)
    .some(({ other, struct }) => other !== undefined && struct !== undefined && isOver(instruction, other))
