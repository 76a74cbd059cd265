import { oncePer } from "../../oncePer.ts"
import type { Event } from "../../rust/terms/events.ts"
import type { Term } from "../../rust/terms/terms.ts"
import type { Account, Instruction } from "../program/model.ts"
import { paysIn } from "../ties/parties.ts"
import { checksWhenDone, cpisOf } from "../questions/questions.ts"
import { keyOf } from "../program/semantics.ts"
import { tiesOf } from "../ties/ties.ts"
import { authority, lastPart } from "./names.ts"

const signs = (instruction: Instruction, account: Account): boolean =>
  checksWhenDone(instruction, account).some(({ kind }) => kind === "signer")

/** The key in `AccountMeta::new(key, true)` and the like. */
const signingMeta = (event: Event): Term | undefined => {
  if (event.kind !== "call" || !/(^|::)AccountMeta::\w+$/.test(event.path)) return undefined
  const [first, second] = event.args
  const signs = /signer/.test(event.name) || (second?.term.kind === "literal" && second.term.value === "true")
  return signs ? first?.term : undefined
}

/** The runtime itself requires the signature if another program is asked to act for the account. */
export const signsForCpi = (instruction: Instruction, account: Account): boolean => {
  const signers = signersOfCpis(instruction)
  return signers.has(account.term) || signers.has(keyOf(instruction.walk.terms, account.term))
}

const signersOfCpis = oncePer((instruction: Instruction): ReadonlySet<Term> => {
  const found = new Set<Term>(instruction.events.flatMap((event) => signingMeta(event) ?? []))
  for (const { accounts, args } of cpisOf(instruction)) {
    for (const { name, term } of accounts) if (authority.test(name)) found.add(term)
    for (const one of args) if (one.kind === "field" && one.name === "key") found.add(one)
  }
  return found
})

/** Rent for accounts that Anchor creates is paid with the payer's signature. */
const isInitPayer = (instruction: Instruction, account: Account): boolean =>
  instruction.accounts.some(
    ({ constraints }) =>
      constraints?.payer?.kind === "path" && constraints.payer.path.segments.at(-1)?.name === lastPart(account.name),
  )

export const signersIn = oncePer(
  (instruction: Instruction): ReadonlySet<Account> =>
    new Set(instruction.accounts.filter((one) => signs(instruction, one) || isInitPayer(instruction, one))),
)

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
