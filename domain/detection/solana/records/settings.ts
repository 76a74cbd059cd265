import type { AssignEvent } from "../../rust/terms/events.ts"
import { elementType, type RustType } from "../../rust/crate/types.ts"
import { mentions, subterms, type Term } from "../../rust/terms/terms.ts"
import { isAddressType } from "../program/accountTypes.ts"
import { signersOf, storedKeys } from "../authority/authorization.ts"
import { guardedSingletons } from "../authority/guardedSingletons.ts"
import { structOf } from "../authority/relations.ts"
import type { Account, Instruction, SolanaCrate } from "../program/model.ts"
import { accountsByKey, argumentTerms, checksWhenDone, isFromCaller, usesOf } from "../questions/questions.ts"
import { operandsOf } from "../questions/quantities.ts"
import { isGlobal } from "../questions/singleton.ts"
import { keyOf, lamportsOf, stateOf } from "../program/semantics.ts"
import { copyWritesOf, lamportWritesOf, stateWritesOf } from "../questions/writes.ts"

/** Other instructions change it for known signers only, and there is only one. */
export const isGuardedElsewhere = (crate: SolanaCrate, instruction: Instruction, account: Account): boolean => {
  const struct = structOf(instruction, account)
  return struct !== undefined && guardedSingletons(crate).has(struct) && isGlobal(instruction, account)
}

/** The first assignment that sets something in an account for the caller, or takes lamports from it. */
export const settingOf = (crate: SolanaCrate, instruction: Instruction, account: Account): AssignEvent | undefined => {
  const set = [...stateWritesOf(instruction, account), ...copyWritesOf(instruction, account)].filter(
    (event) =>
      setsFromCaller(instruction, event) ||
      setsMember(crate, instruction, account, event) ||
      flips(instruction, account, event),
  )
  const paid = lamportWritesOf(instruction, account).filter((event) => paysOut(instruction, account, event))
  return [...set, ...paid].reduce<AssignEvent | undefined>(
    (first, event) => (first === undefined || event.order < first.order ? event : first),
    undefined,
  )
}

/** Whether the caller becomes what is set. */
export const setsSigner = (instruction: Instruction, { value }: AssignEvent): boolean =>
  signersOf(instruction).some(({ term }) => value.term === keyOf(instruction.walk.terms, term))

/** The address of an account of a native program about which nothing is known. */
const isAnyAddress = (instruction: Instruction, term: Term): boolean =>
  instruction.kind === "native" &&
  (accountsByKey(instruction)
    .get(term)
    ?.some((one) => checksWhenDone(instruction, one).length === 0) ??
    false)

/** The caller decides whom a list names, or what is in one that others may not change. */
const setsMember = (crate: SolanaCrate, instruction: Instruction, account: Account, event: AssignEvent): boolean =>
  isChosenFrom(instruction, event) &&
  (namesAccounts(crate, account, event.target.type) ||
    (event.operator === "push" && isGuardedElsewhere(crate, instruction, account)))

/** Whether something the caller chose replaces stored data: an argument, or a signer's address. */
const setsFromCaller = (instruction: Instruction, event: AssignEvent): boolean => {
  if (event.operator !== "=") return false
  const { term: value } = event.value
  const { term: target } = event.target
  const signers = signersOf(instruction).map(({ term }) => keyOf(instruction.walk.terms, term))
  // Of an entry that the caller selects, what belongs to it: `entries.find(|one| one.id == id)`.
  const isGiven = (one: Term): boolean =>
    isFromCaller(instruction, one) && !(isListed(target) && isOnlySelected(instruction, one))
  const chosen = (one: Term): boolean => isGiven(one) || signers.includes(one) || isAnyAddress(instruction, one)
  if (target.kind === "field") return chosen(value) && !isStep(value, target)
  // All of it at once: `set_inner(Config { … })`.
  return value.kind === "struct" && value.fields.some(([, one]) => chosen(one))
}

/** Whether it is in an entry of a list. */
const isListed = (place: Term): boolean => place.kind === "element" || (place.kind === "field" && isListed(place.base))

/** Whether the caller's arguments say only which of the stored values is meant. */
const isOnlySelected = (instruction: Instruction, value: Term): boolean => {
  const given = argumentTerms(instruction)
  const parts = new Set([value])
  for (const part of parts) {
    if (given.has(part)) return false
    const named =
      part.kind === "call" && /^(find|position|get)$/.test(part.name) ? part.args.slice(0, 1) : subterms(part)
    for (const one of named) parts.add(one)
  }
  return true
}

/** A list of addresses, or of records that each have one: owners, members, operators. */
const namesAccounts = (crate: SolanaCrate, account: Account, list: RustType): boolean => {
  const element = elementType(list)
  return isAddressType(element) || storedKeys(crate, account, element).length > 0
}

/** Who is added to the list, or which of it are taken out, is the caller's choice. */
const isChosenFrom = (instruction: Instruction, { value }: AssignEvent): boolean =>
  isFromCaller(instruction, value.term) || (value.closure !== undefined && instruction.arguments.length > 0)

/** Values that are increased or decreased are balances or running sums, not settings. */
const isStep = (value: Term, target: Term): boolean => mentions(value, (one) => one === target)

/** A switch that there is one of for everybody: `config.paused = !config.paused`. */
const flips = (instruction: Instruction, account: Account, { value: { term: value } }: AssignEvent): boolean => {
  return (
    (value.kind === "not" || (value.kind === "literal" && value.type === "boolean")) && isGlobal(instruction, account)
  )
}

/** Whether an account is paid that nothing ties to the program. */
const paysStranger = (instruction: Instruction): boolean =>
  instruction.accounts.some(
    (one) =>
      usesOf(instruction, one).some(
        ({ kind, event }) => kind === "lamports-write" && event.kind === "assign" && event.operator === "+",
      ) && !checksWhenDone(instruction, one).some(({ kind }) => kind === "key" || kind === "pda"),
  )

/** Whether lamports leave the account: as many as the caller requests, or as it holds for somebody. */
export const paysOut = (instruction: Instruction, account: Account, event: AssignEvent): boolean =>
  event.target.term === lamportsOf(instruction.walk.terms, account.term) &&
  (isFromCaller(instruction, event.value.term) ||
    (mentions(event.value.term, (one) => one === stateOf(instruction.walk.terms, account.term)) &&
      paysStranger(instruction))) &&
  (event.operator === "-" || operandsOf(event.value.term, "sub") !== undefined)
