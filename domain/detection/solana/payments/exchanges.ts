import { type Event, ofKind } from "../../rust/terms/events.ts"
import { mentions, type Term } from "../../rust/terms/terms.ts"
import { movesValue } from "../questions/cpi.ts"
import { amountOf } from "../questions/paidAmounts.ts"
import type { Cpi, Instruction } from "../program/model.ts"
import { argumentTerms, cpisOf } from "../questions/questions.ts"
import { isChosen, madeFrom, operandsOf, plain } from "../questions/quantities.ts"
import { accountOfState } from "../program/semantics.ts"
import { isSignedFor, roleOf, signedCpisOf } from "../questions/signedCpi.ts"

export const conditionsOf = (event: Event): ReadonlyArray<Term> => (event.kind === "check" ? event.conditions : [])

/** Whether a price may be in it. */
export const isComputed = (term: Term): boolean =>
  mentions(
    term,
    (one) =>
      (one.kind === "binary" && /^[*/]$/.test(one.operator)) || (one.kind === "call" && /_(mul|div)$/.test(one.name)),
  )

/** Whether a computed amount is compared with the caller's request, or with another account's figure. */
export const isLimited = (instruction: Instruction): boolean => {
  const given = (term: Term): boolean =>
    instruction.arguments.some((one) => madeFrom(term, (inner) => inner === one.term))
  return ofKind(instruction.events, "check")
    .flatMap(conditionsOf)
    .some(
      (fact) =>
        fact.kind === "binary" &&
        /^<=?$/.test(fact.operator) &&
        ((isComputed(fact.left) && given(fact.right)) || (isComputed(fact.right) && given(fact.left))),
    )
}

/** The library's structs contain the amount beside the accounts. */
const amountsOf = (cpi: Cpi): ReadonlyArray<Term> => [...cpi.args, ...cpi.accounts.map(({ term }) => term)]

/**
 * A payout in another token than the caller pays in, of an amount that reserves determine and that is never compared
 * with the caller's request.
 */
export const unlimitedExchange = (instruction: Instruction): Cpi | undefined => {
  if (isLimited(instruction)) return undefined
  const moves = cpisOf(instruction).filter((cpi) => movesValue(cpi) && /transfer/i.test(cpi.instruction))
  const given = (term: Term): boolean => isChosen(instruction, term)
  if (!moves.some((cpi) => !isSignedFor(instruction, cpi) && amountsOf(cpi).some(given))) return undefined
  return moves.find((cpi) => isSignedFor(instruction, cpi) && amountsOf(cpi).some((one) => isPriced(instruction, one)))
}

/** `reserve_out * given / (reserve_in + given)`: the input moves the price at which it is exchanged. */
const isPriced = (instruction: Instruction, term: Term): boolean =>
  madeFrom(term, (one) => {
    const quotient = operandsOf(one, "div")
    return quotient !== undefined && isReserved(quotient[1]) && isChosen(instruction, quotient[1])
  })

const isReserved = (term: Term): boolean => madeFrom(term, (one) => accountOfState(one) !== undefined)

/** A payment of what is left of an amount that was compared with the caller's minimum, and is not compared itself. */
export const paidBelowLimit = (instruction: Instruction): Event | undefined => {
  const given = argumentTerms(instruction)
  const least = new Set<Term>()
  for (const fact of instruction.walk.success)
    if (fact.kind === "binary" && /^<=?$/.test(fact.operator) && given.has(plain(fact.left)))
      least.add(plain(fact.right))
  const signed = signedCpisOf(instruction)
  // What goes from one of the program's accounts to another is not yet paid.
  const sources = new Set(signed.map((cpi) => roleOf(cpi, "from")))
  return signed.find((cpi) => {
    const amount = amountOf(cpi)
    if (!movesValue(cpi) || amount === undefined || least.has(plain(amount))) return false
    const to = roleOf(cpi, "to")
    if (to !== undefined && sources.has(to)) return false
    const [whole] = operandsOf(amount, "sub") ?? []
    return whole !== undefined && !given.has(plain(whole)) && least.has(plain(whole))
  })?.event
}
