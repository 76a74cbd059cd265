import { type AssignEvent, ofKind } from "../../rust/terms/events.ts"
import { mentioning } from "../../rust/terms/mentioning.ts"
import { everySubterm, mentions, type Term } from "../../rust/terms/terms.ts"
import { oncePer } from "../../oncePer.ts"
import { signersOf } from "../authority/authorization.ts"
import type { Account, Instruction } from "../program/model.ts"
import { accountsByKey, checksSomewhere, checksWhenDone, isFromCaller, isTrusted } from "../questions/questions.ts"
import { isClock } from "../questions/quantities.ts"
import { askedToSign } from "../questions/signatures.ts"
import { accountOfState, keyOf, stateOf } from "../program/semantics.ts"

/** A field of it was compared with a constant, or says so itself: it has been set before. */
export const isInUse = (instruction: Instruction, account: Account): boolean =>
  checksWhenDone(instruction, account).some(
    ({ kind, against, fact }) =>
      kind === "state" &&
      (against === undefined
        ? saysInitialized(fact)
        : against.kind === "constant" && fact.kind === "binary" && fact.operator === "=="),
  )

const isOrdered = (fact: Term, { target, value }: AssignEvent): boolean =>
  fact.kind === "binary" &&
  /^<=?$/.test(fact.operator) &&
  [fact.left, fact.right].includes(target.term) &&
  [fact.left, fact.right].some((one) => mentions(one, (inner) => inner === value.term))

/** The state of accounts before anything is set: there is nobody to consult yet. */
const isBlank = (term: Term): boolean => term.kind === "constant" && /^un_?init/i.test(term.name)

const timedParts = oncePer((instruction: Instruction): ReadonlySet<Term> => {
  return everySubterm([...instruction.walk.success].filter((fact) => mentions(fact, isClock)))
})

/** Whether the account's own time has come: anyone may say so. */
export const hasComeDue = (instruction: Instruction, account: Account): boolean =>
  timedParts(instruction).has(stateOf(instruction.walk.terms, account.term))

/** `market.version == 0`, which is then set to another number: it was not in use yet. */
const isFirstUse = (instruction: Instruction, fact: Term & { readonly kind: "binary" }): boolean => {
  if (fact.operator !== "==") return false
  const [zero, mark] = fact.left.kind === "literal" ? [fact.left, fact.right] : [fact.right, fact.left]
  return (
    zero.kind === "literal" &&
    zero.value === "0" &&
    ofKind(instruction.events, "assign").some((event) => event.target.term === mark && event.value.term !== zero)
  )
}

/** Whether it is written only as long as a mark is missing that is then set: `if data[0] != KIND { data[0] = KIND; … }`. */
const isFirstWrite = (instruction: Instruction, account: Account, { facts }: AssignEvent): boolean =>
  ofKind(instruction.events, "assign").some(
    ({ target, value }) =>
      accountOfState(target.term) === account.term &&
      !isFromCaller(instruction, value.term) &&
      facts.has(instruction.walk.terms.binary("!=", target.term, value.term)),
  )

/** Whether the state is compared with something that is not from the caller: a phase, an owner, a limit. */
export const isConsidered = (instruction: Instruction, account: Account, written: AssignEvent): boolean => {
  const keys = accountsByKey(instruction)
  if (isFirstWrite(instruction, account, written)) return true
  return [...checksWhenDone(instruction, account), ...checksSomewhere(instruction, account)].some(
    ({ kind, fact }) =>
      kind === "initialized" ||
      kind === "call" ||
      (kind === "state" &&
        (fact.kind === "binary"
          ? [fact.left, fact.right].some(isBlank) ||
            isFirstUse(instruction, fact) ||
            isOrdered(fact, written) ||
            mentions(fact, (one) => keys.has(one))
          : !saysInitialized(fact))),
  )
}

/** That it is in use is no reason why anyone may change it. */
const saysInitialized = (fact: Term): boolean =>
  (fact.kind === "call" || fact.kind === "field") && /^(is_)?init/.test(fact.name)

/** Either the creator or an operator may: each path compares the signer with stored data, but no fact holds on both. */
export const asksEither = oncePer((instruction: Instruction): boolean => {
  const asking = new Set([...signersOf(instruction), ...askedToSign(instruction)])
  const keys = new Set([...asking].map(({ term }) => keyOf(instruction.walk.terms, term)))
  const compares = (one: Term): boolean =>
    one.kind === "binary" &&
    one.operator === "==" &&
    [one.left, one.right].some((side) => keys.has(side)) &&
    [one.left, one.right].some(isTrusted)
  const conditions = new Set(ofKind(instruction.events, "check").flatMap((event) => event.conditions))
  return [...conditions].some(mentioning(compares))
})
