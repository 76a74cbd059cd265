import type { Event } from "../../rust/terms/events.ts"
import type { Term } from "../../rust/terms/terms.ts"
import type { Account, Instruction } from "../model.ts"
import { paysIn } from "../parties.ts"
import { checksWhenDone, cpisOf } from "../questions.ts"
import { keyOf } from "../semantics.ts"
import { tiesOf } from "../ties.ts"
import { authority, lastPart } from "./names.ts"

const signs = (instruction: Instruction, account: Account): boolean =>
  checksWhenDone(instruction, account).some(({ kind }) => kind === "signer")

/** `AccountMeta::new(key, true)` and the like. */
const isSigningMeta = (event: Event, key: Term): boolean => {
  if (event.kind !== "call" || !/(^|::)AccountMeta::\w+$/.test(event.path)) return false
  const [first, second] = event.args
  if (first?.term !== key) return false
  return /signer/.test(event.name) || (second?.term.kind === "literal" && second.term.value === "true")
}

/** The runtime itself requires the signature if another program is asked to act for the account. */
export const signsForCpi = (instruction: Instruction, account: Account): boolean =>
  instruction.events.some((event) => isSigningMeta(event, keyOf(instruction.walk.terms, account.term))) ||
  cpisOf(instruction).some(({ accounts, args }) => {
    const named = accounts.some(({ name, term }) => authority.test(name) && term === account.term)
    const built = args.some((one) => one.kind === "field" && one.name === "key" && one.base === account.term)
    return named || built
  })

/** Rent for accounts that Anchor creates is paid with the payer's signature. */
const isInitPayer = (instruction: Instruction, account: Account): boolean =>
  instruction.accounts.some(
    ({ constraints }) =>
      constraints?.payer?.kind === "path" && constraints.payer.path.segments.at(-1)?.name === lastPart(account.name),
  )

const signing = new WeakMap<Instruction, ReadonlySet<Account>>()

export const signersIn = (instruction: Instruction): ReadonlySet<Account> => {
  let signers = signing.get(instruction)
  if (signers === undefined) {
    signers = new Set(instruction.accounts.filter((one) => signs(instruction, one) || isInitPayer(instruction, one)))
    signing.set(instruction, signers)
  }
  return signers
}

/** Whether another signer is known to the program, or pays with its own tokens: an operator, or a liquidator. */
export const isActedOn = (instruction: Instruction, signers: ReadonlySet<Account>): boolean => {
  const ties = tiesOf(instruction)
  return [...signers].some(
    (one) =>
      paysIn(instruction, one) ||
      ties.isAsked(one) ||
      ties
        .of(one)
        .some(({ slot, other, struct }) =>
          other === undefined ? slot.startsWith("=") : struct !== undefined && !slot.startsWith("seed"),
        ),
  )
}
