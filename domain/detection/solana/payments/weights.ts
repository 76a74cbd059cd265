import { oncePer } from "../../oncePer.ts"
import type { Severity } from "../../../finding/Severity.ts"
import { everySubterm, mentions, type Term } from "../../rust/terms/terms.ts"
import { isPrivileged, signersOf } from "../authority/authorization.ts"
import { isCreated } from "../authority/creation.ts"
import type { Account, Instruction, SolanaCrate } from "../program/model.ts"
import { accountOfState, keyOf, stateOf } from "../program/semantics.ts"
import { movesValue } from "../questions/cpi.ts"
import { usesOf } from "../questions/questions.ts"
import { roleOf, signedCpisOf } from "../questions/signedCpi.ts"
import { isNew } from "../ties/freshness.ts"
import { paysIn } from "../ties/parties.ts"
import { isAtStake, isDealtIn } from "./gains.ts"
import { isDue, paysOut } from "./stakes.ts"
import { ofKind } from "../../rust/terms/events.ts"

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

/** The accounts by whose contents somebody is paid, let in or credited. Whoever pays for it chooses who receives something. */
const decidingAccounts = oncePer((instruction: Instruction): ReadonlySet<Term> => {
  const { events, walk } = instruction
  const signers = signersOf(instruction)
  const keys = new Set(signers.map(({ term }) => keyOf(walk.terms, term)))
  const found = new Set<Term>()
  const used: Array<Term> = []
  const conditions = ofKind(events, "check").flatMap((event) => event.conditions)
  for (const fact of new Set([...walk.success, ...conditions]))
    if ((fact.kind === "binary" && /^[<>]/.test(fact.operator)) || mentions(fact, (part) => keys.has(part)))
      used.push(fact)
  for (const event of events) {
    // What a function of the program does with the contents depends on them.
    if (event.kind === "call" && event.target !== undefined) used.push(...event.args.map(({ term }) => term))
    if (event.kind !== "assign") continue
    const { term } = event.target
    if (term.kind === "field" && term.name === "lamports") found.add(term.base)
    used.push(event.value.term)
    const account = accountOfState(term)
    if (account !== undefined) found.add(account)
  }
  const payer = signers.some((one) => paysIn(instruction, one))
  for (const cpi of signedCpisOf(instruction)) {
    used.push(...cpi.args)
    for (const { term } of cpi.accounts) if (!payer || roleOf(cpi, "from") === term) found.add(term)
  }
  for (const part of everySubterm(used)) {
    const account = accountOfState(part)
    if (account !== undefined) found.add(account)
  }
  return found
})

/** Whether existing state is changed: creating a record takes nothing from anyone. */
const changesRecord = (instruction: Instruction): boolean =>
  instruction.accounts.some(
    (one) =>
      one.constraints?.init !== true &&
      !isCreated(instruction, one) &&
      usesOf(instruction, one).some(({ kind }) => kind === "state-write" || kind === "data-write") &&
      usesOf(instruction, one).some(({ kind }) => kind === "deserialize" || kind === "state-read"),
  )

/** The accounts whose data an instruction asks for something, on whatever path. */
const askedAccounts = oncePer(({ events, walk: { success } }: Instruction): ReadonlySet<Term> => {
  const conditions = ofKind(events, "check").flatMap((event) => event.conditions)
  return new Set([...everySubterm([...success, ...conditions])].flatMap((part) => accountOfState(part) ?? []))
})

/** Whether something is paid or changed, and the account's data are asked before. */
const isGate = (instruction: Instruction, account: Term): boolean =>
  (paysOut(instruction) || changesRecord(instruction)) && askedAccounts(instruction).has(account)

/** The severity if an account's data may come from anyone. */
export const severityOfData = (crate: SolanaCrate, instruction: Instruction, account: Account): Severity => {
  // Nobody has anything in a record that is only made here.
  if (isPrivileged(crate, instruction) || instruction.accounts.some((one) => isNew(instruction, one))) return "low"
  if ((paysOut(instruction) || changesRecord(instruction)) && decides(instruction, account)) return "high"
  return isDealtIn(instruction, account) || isGate(instruction, account.term) ? "medium" : "low"
}

/** The severity if a remaining account may be anyone's. */
export const weightOfRemaining = (instruction: Instruction, account: Term): { readonly severity?: Severity } =>
  decidingAccounts(instruction).has(account) ? {} : { severity: isGate(instruction, account) ? "medium" : "low" }
