import type { CallEvent } from "../../rust/terms/events.ts"
import { mentions, type Term } from "../../rust/terms/terms.ts"
import { signersOf } from "../authority/authorization.ts"
import { movesValue } from "../questions/cpi.ts"
import { isMintType } from "../questions/identity.ts"
import { isWeighed } from "../questions/introspection.ts"
import type { Account, Cpi, Instruction } from "../program/model.ts"
import { amountOf, isCredited } from "../questions/paidAmounts.ts"
import { checksWhenDone, cpisOf } from "../questions/questions.ts"
import { keyOf, stateOf } from "../program/semantics.ts"
import { isSigned, roleOf, signedCpisOf } from "../questions/signedCpi.ts"
import { isTokenType, tiesOf } from "../ties/ties.ts"

/** Whether the address is what a record, a constant or seeds of something else say. */
const isFixed = (instruction: Instruction, account: Account): boolean =>
  tiesOf(instruction)
    .of(account)
    .some(
      ({ pins, other, struct, slot }) =>
        pins && other !== account && (other === undefined || struct !== undefined || slot.startsWith("seed")),
    ) || checksWhenDone(instruction, account).some(({ kind }) => kind === "call" || kind === "initialized")

/** Whether something identifies the mint: its authority, or an account of known address that holds its tokens. */
const isKnown = (instruction: Instruction, mint: Account): boolean =>
  isFixed(instruction, mint) ||
  tiesOf(instruction).isAsked(mint) ||
  tiesOf(instruction)
    .of(mint)
    .some(
      ({ slot, other }) =>
        /^own (mint|freeze)_authority/.test(slot) ||
        (other !== undefined && (isTokenType(other) ? isFixed(instruction, other) : slot.includes("."))),
    )

/** Builders and contexts of the call itself name the mint without checking anything. */
const isBuilder = ({ name, path }: CallEvent): boolean => /(^|::)instruction::/.test(path) || name === "key"

/** Whether the mint's identity is used for anything else: a lookup, a seed, a record, or a check on some path. */
const isConsidered = (instruction: Instruction, mint: Account, ends: ReadonlyArray<Account>): boolean => {
  const { terms } = instruction.walk
  const key = keyOf(terms, mint.term)
  const places = new Set([key, ...ends.map(({ term }) => terms.field(stateOf(terms, term), "mint"))])
  const addresses = new Set(ends.map(({ term }) => keyOf(terms, term)))
  const has = (term: Term): boolean => mentions(term, (one) => places.has(one))
  const asks = (fact: Term): boolean =>
    has(fact) &&
    fact.kind !== "succeeded" &&
    !(fact.kind === "binary" && places.has(fact.left) && places.has(fact.right)) &&
    !mentions(fact, (one) => addresses.has(one))
  return (
    isWeighed(instruction, asks) ||
    instruction.events.some(
      (event) =>
        (event.kind === "assign" && has(event.value.term)) ||
        (event.kind === "call" && !isBuilder(event) && event.args.some(({ term }) => has(term))),
    )
  )
}

/** The mint of what is moved: the call names it, or one of the token accounts was compared with it. */
const mintOf = (instruction: Instruction, cpi: Cpi): Account | undefined => {
  const named = cpi.accounts.find(({ name }) => name === "mint")?.term
  const ends = [roleOf(cpi, "from"), roleOf(cpi, "to")]
  return instruction.accounts.find(
    (one) =>
      isMintType(one.state) &&
      (one.term === named ||
        instruction.accounts.some(
          (end) =>
            ends.includes(end.term) &&
            tiesOf(instruction)
              .of(end)
              .some(({ slot, other }) => slot === "own mint" && other === one),
        )),
  )
}

/** Whether a record counts afterwards what was paid, or the program pays something for it. */
const givesFor = (instruction: Instruction, cpi: Cpi): boolean => {
  const amount = amountOf(cpi)
  return signedCpisOf(instruction).some(movesValue) || (amount !== undefined && isCredited(instruction, amount))
}

/**
 * Which tokens does the caller have to give? If nothing says which mint it is, and nothing remembers, tokens of a
 * worthless one pay as well.
 */
export const paymentsInAnyMint = (
  instruction: Instruction,
): ReadonlyArray<{ readonly cpi: Cpi; readonly mint: Account }> => {
  const signing = new Set(signersOf(instruction).map(({ term }) => term))
  return cpisOf(instruction).flatMap((cpi) => {
    const authority = roleOf(cpi, "authority")
    const from = roleOf(cpi, "from")
    if (!movesValue(cpi) || isSigned(cpi) || from === undefined) return []
    if (authority === undefined || !signing.has(authority)) return []
    const mint = mintOf(instruction, cpi)
    if (mint === undefined || isKnown(instruction, mint)) return []
    const ends = instruction.accounts.filter(({ term }) => term === from || term === roleOf(cpi, "to"))
    if (ends.some((one) => isFixed(instruction, one)) || isConsidered(instruction, mint, ends)) return []
    return givesFor(instruction, cpi) ? [{ cpi, mint }] : []
  })
}
