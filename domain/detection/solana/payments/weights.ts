import type { Severity } from "../../../finding/Severity.ts"
import { mentions, type Term } from "../../rust/terms/terms.ts"
import { isPrivileged, signersOf } from "../authority/authorization.ts"
import { isCreated } from "../authority/creation.ts"
import type { Account, Instruction, SolanaCrate } from "../program/model.ts"
import { accountOfState, keyOf, lamportsOf, stateOf } from "../program/semantics.ts"
import { movesValue } from "../questions/cpi.ts"
import { usesOf } from "../questions/questions.ts"
import { roleOf, signedCpisOf } from "../questions/signedCpi.ts"
import { isNew } from "../ties/freshness.ts"
import { paysIn } from "../ties/parties.ts"
import { isAtStake, isDealtIn } from "./gains.ts"
import { isDue, paysOut } from "./stakes.ts"

/** Whether data read from an account decides who may act, or what the program pays. */
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

/**
 * The severity of not checking a signer, or these accounts: low if an administrator signs, if anyone may call, or if
 * nobody gains anything with other accounts in their place.
 */
export const weightOfLooseTie = (
  crate: SolanaCrate,
  instruction: Instruction,
  ...accounts: ReadonlyArray<Account>
): { readonly severity?: Severity } =>
  isDue(instruction) || isPrivileged(crate, instruction) || (accounts.length > 0 && !isAtStake(instruction, accounts))
    ? { severity: "low" }
    : {}

/**
 * The severity if a remaining account may be anyone's: low unless somebody is paid, let in or credited by its contents.
 * Whoever pays for it chooses who receives something.
 */
export const weightOfRemaining = (instruction: Instruction, account: Term): { readonly severity?: Severity } => {
  const { events, walk } = instruction
  const isOf = (term: Term): boolean => mentions(term, (one) => accountOfState(one) === account)
  const keys = signersOf(instruction).map(({ term }) => keyOf(walk.terms, term))
  const asked = [...walk.success, ...events.flatMap((event) => (event.kind === "check" ? event.conditions : []))]
  const held = asked.filter(isOf)
  const decides =
    held.some(
      (fact) =>
        (fact.kind === "binary" && fact.operator.startsWith("<")) || mentions(fact, (one) => keys.includes(one)),
    ) ||
    events.some(
      (event) =>
        event.kind === "assign" &&
        (event.target.term === lamportsOf(walk.terms, account) ||
          accountOfState(event.target.term) === account ||
          isOf(event.value.term)),
    ) ||
    signedCpisOf(instruction).some(
      (cpi) =>
        cpi.args.some(isOf) ||
        (cpi.accounts.some(({ term }) => term === account) &&
          !(roleOf(cpi, "from") !== account && signersOf(instruction).some((one) => paysIn(instruction, one)))),
    )
  return !decides ? { severity: "low" } : {}
}

/** Whether existing state is changed: creating a record takes nothing from anyone. */
const changesRecord = (instruction: Instruction): boolean =>
  instruction.accounts.some(
    (one) =>
      one.constraints?.init !== true &&
      !isCreated(instruction, one) &&
      usesOf(instruction, one).some(({ kind }) => kind === "state-write" || kind === "data-write") &&
      usesOf(instruction, one).some(({ kind }) => kind === "deserialize" || kind === "state-read"),
  )

/** The severity if an account's data may come from anyone. */
export const severityOfData = (crate: SolanaCrate, instruction: Instruction, account: Account): Severity =>
  isPrivileged(crate, instruction)
    ? "low"
    : decides(instruction, account) &&
        (paysOut(instruction) || changesRecord(instruction)) &&
        // Nobody has anything in a record that is only made here.
        !instruction.accounts.some((one) => isNew(instruction, one))
      ? "high"
      : isDealtIn(instruction, account) && !instruction.accounts.some((one) => isNew(instruction, one))
        ? "medium"
        : "low"
