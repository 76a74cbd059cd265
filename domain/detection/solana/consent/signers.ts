import { oncePer, oncePerPair } from "../../oncePer.ts"
import { type Event, guaranteed, ofKind } from "../../rust/terms/events.ts"
import type { Term } from "../../rust/terms/terms.ts"
import type { Account, Cpi, Instruction } from "../program/model.ts"
import { isNew } from "../ties/freshness.ts"
import { paysIn } from "../ties/parties.ts"
import { accountAt, accountsByKey, checksWhenDone, cpisOf, isFromCaller } from "../questions/questions.ts"
import { accountOfState, keyOf } from "../program/semantics.ts"
import { paysForNew } from "../ties/tied.ts"
import { tiesOf } from "../ties/ties.ts"
import { authority } from "./names.ts"

const signs = (instruction: Instruction, account: Account): boolean =>
  checksWhenDone(instruction, account).some(({ kind }) => kind === "signer")

/** The key in `AccountMeta::new(key, true)` and the like. */
const signingMeta = (event: Event): Term | undefined => {
  if (event.kind !== "call" || !/(^|::)AccountMeta::\w+$/.test(event.path)) return undefined
  const [first, second] = event.args
  const signs = /signer/.test(event.name) || (second?.term.kind === "literal" && second.term.value === "true")
  return signs ? first?.term : undefined
}

/** The runtime itself requires the signature if another program is called to act for the account. */
export const signsForCpi = (instruction: Instruction, account: Account): boolean => {
  const signers = signersOfCpis(instruction)
  return signers.has(account.term) || signers.has(keyOf(instruction.walk.terms, account.term))
}

/** Whether an account is created by the call if it does not exist yet: its payer need not sign once it does. */
const createsOnce = ({ walk }: Instruction, { instruction, event }: Cpi): boolean =>
  /create_(associated_token_)?account|Create(Account)?$/.test(instruction) &&
  !walk.success.has(walk.terms.succeeded(event.result.term))

/** Writes into existing records: of addresses, and of what the caller says. */
const decisions = oncePer((instruction: Instruction) => {
  const keys = accountsByKey(instruction)
  const changes = ofKind(instruction.events, "assign").filter(({ target }) => {
    const record = accountAt(instruction, accountOfState(target.term))
    return record !== undefined && !isNew(instruction, record)
  })
  return {
    named: changes.filter(({ value }) => keys.has(value.term)),
    said: changes.filter(({ value }) => isFromCaller(instruction, value.term)),
  }
})

const decidesWithout = oncePerPair((instruction: Instruction, condition: Term): boolean => {
  const { named, said } = decisions(instruction)
  // Of a number that is zero where the call is left out, nothing is written.
  const all = isFromCaller(instruction, condition) ? named : [...named, ...said]
  return all.some((one) => !guaranteed(one).has(condition))
})

/** Whether something is decided also where the call is left out: the signature that it requires is then no consent. */
export const takesEffectWithoutCall = (instruction: Instruction, { event }: Cpi): boolean => {
  for (const fact of event.facts) if (!instruction.walk.success.has(fact)) return decidesWithout(instruction, fact)
  return false
}

const signersOfCpis = oncePer((instruction: Instruction): ReadonlySet<Term> => {
  const found = new Set<Term>(instruction.events.flatMap((event) => signingMeta(event) ?? []))
  for (const cpi of cpisOf(instruction)) {
    if (takesEffectWithoutCall(instruction, cpi)) continue
    // What follows a context is not an account: `set_authority(context, kind, Some(owner.key()))`.
    const keys = cpi.event.name.startsWith("invoke")
      ? cpi.args.filter((one) => one.kind === "field" && one.name === "key")
      : []
    const payer = createsOnce(instruction, cpi) ? keys[0] : undefined
    for (const { name, term } of cpi.accounts)
      if (authority.test(name) && (payer === undefined || keyOf(instruction.walk.terms, term) !== payer))
        found.add(term)
    for (const one of keys) if (one !== payer) found.add(one)
  }
  return found
})

/** Those who must sign; rent for accounts that Anchor creates is paid with the payer's signature. */
export const signersIn = oncePer(
  (instruction: Instruction): ReadonlySet<Account> =>
    new Set(instruction.accounts.filter((one) => signs(instruction, one) || paysForNew(instruction, one))),
)

/** Whether another signer is known to the program, or pays with its own tokens: an operator, or a liquidator. */
export const isActedOn = (instruction: Instruction, signers: ReadonlySet<Account>): boolean => {
  const ties = tiesOf(instruction)
  return [...signers].some(
    (one) =>
      paysIn(instruction, one) ||
      ties.isAsked(one) ||
      ties.of(one).some(
        ({ slot, other, struct }) =>
          // Only a program signs for an address that is derived from seeds.
          slot.startsWith("seeds ") ||
          (other === undefined ? slot.startsWith("=") : struct !== undefined && !slot.startsWith("seed")),
      ),
  )
}
