import type { StructDefinition } from "../../rust/crate/crate.ts"
import { type CallEvent, type Event, ofKind } from "../../rust/terms/events.ts"
import { everySubterm, mentions, type Term } from "../../rust/terms/terms.ts"
import { indexBy } from "../../indexBy.ts"
import { definitionOf, isNamed } from "../../rust/crate/types.ts"
import { addressFields, signersOf } from "../authority/authorization.ts"
import { payer } from "../consent/names.ts"
import { readType } from "../questions/identity.ts"
import type { Account, Instruction, SolanaCrate } from "../program/model.ts"
import { storedParts, structOf } from "../authority/relations.ts"
import { accountOfState, keyOf, stateOf, isOfRemaining } from "../program/semantics.ts"
import { isAnchored, lastName, tiesOf } from "../ties/ties.ts"

/** Native programs take as many as there are out of their list. */
const isRest = (term: Term): boolean =>
  term.kind === "element" && (isSlice(term.base) || (term.index === undefined && term.base.kind === "parameter"))

const isSlice = (term: Term): boolean =>
  term.kind === "call" && term.name === "slice" && term.args[0]?.kind === "parameter"

/** One of the accounts beyond those that an instruction declares. */
export const isRemaining = (term: Term): boolean => isRest(term) || isOfRemaining(term)

/** The remaining account that a term is, or belongs to. */
export const remainingIn = (term: Term): Term | undefined => {
  if (isRemaining(term)) return term
  const account = accountOfState(term) ?? (term.kind === "field" ? term.base : undefined)
  return account !== undefined && isRemaining(account) ? account : undefined
}

/** A record among the remaining accounts that counts, although nothing determines that it should. */
export interface LooseRecord {
  readonly record: Term
  readonly event: Event
  /** The owner or parent that it stores and that is never compared; absent if it may be counted twice. */
  readonly belonging?: { readonly field: string; readonly to: Account }
}

interface Loaded {
  readonly term: Term
  readonly struct: StructDefinition
  readonly event: CallEvent
}

/** Records that are read from remaining accounts as a struct of the project. */
const loadedIn = (instruction: Instruction): ReadonlyArray<Loaded> => {
  const found = new Map<Term, Loaded>()
  for (const event of ofKind(instruction.events, "call")) {
    const { term: result } = event.result
    const term = result.kind === "call" && result.name === "state" ? result.args[0] : result
    if (term === undefined || found.has(term) || !isRemaining(term)) continue
    const type = readType(event)
    const state =
      type?.kind === "named" && isNamed(type, "Account", "AccountLoader", "Option") ? type.args.at(-1) : type
    const struct = state === undefined ? undefined : definitionOf(state)
    if (struct?.kind === "struct") found.set(term, { term, struct, event })
  }
  return [...found.values()]
}

/** Everything that is tested on the way, on any path, by each part of it. */
type Conditions = ReadonlyMap<Term, ReadonlyArray<Term>>

const conditionsOf = ({ walk, events }: Instruction): Conditions =>
  indexBy(new Set([...walk.success, ...ofKind(events, "check").flatMap((event) => event.conditions)]), (fact) =>
    everySubterm([fact]),
  )

type Change = Event & { readonly kind: "assign" }

/** Writes to another account's state, by what they depend on or write to. */
const changesOf = ({ events }: Instruction): ReadonlyMap<Term, ReadonlyArray<Change>> =>
  indexBy(
    ofKind(events, "assign").filter(({ target }) => accountOfState(target.term) !== undefined),
    ({ target, value }) => everySubterm([target.term, value.term]),
  )

/** The account whose address the record should store, according to other instructions or the field's name. */
const belongingOf = (
  crate: SolanaCrate,
  instruction: Instruction,
  { term, struct, event }: Loaded,
  conditions: Conditions,
): LooseRecord["belonging"] | undefined => {
  const { terms } = instruction.walk
  const key = keyOf(terms, term)
  const state = stateOf(terms, term)
  const signers = signersOf(instruction)
  const keys = new Set(signers.map((one) => keyOf(terms, one.term)))
  const places = new Map(addressFields(crate, struct).map((name) => [name, terms.field(state, name)] as const))
  const asks = (part: Term): ReadonlyArray<Term> =>
    (conditions.get(part) ?? []).filter(
      // Being different from the previous ones does not determine which one it is.
      (fact) => fact.kind !== "not" && !(fact.kind === "binary" && fact.operator === "!="),
    )
  if (asks(key).length > 0) return undefined
  // It must not be the declared one: whoever referred the user has records of their own.
  const isOthers = instruction.accounts.some(
    (one) => structOf(instruction, one) === struct && event.facts.has(terms.binary("!=", key, keyOf(terms, one.term))),
  )
  if (isOthers) return undefined
  // Its owner does not determine what it is part of.
  if ([...places.values()].flatMap(asks).every((fact) => mentions(fact, (one) => keys.has(one))))
    for (const [field, parts] of storedParts(crate).get(struct) ?? []) {
      const to = instruction.accounts.find((one) => {
        const own = structOf(instruction, one)
        return own !== undefined && own !== struct && parts.has(own)
      })
      if (to !== undefined) return { field, to }
    }
  const to = signers.find((one) => {
    const place = places.get(lastName(one))
    return (
      place !== undefined &&
      asks(place).length === 0 &&
      // Who paid for the record need not be who pays now.
      !payer.test(lastName(one)) &&
      // A signer that is identified by something else acts for others: an operator.
      !isAnchored(instruction, one)
    )
  })
  return to === undefined ? undefined : { field: lastName(to), to }
}

/** Whether its address is looked up among those seen before, has to differ from them, or has to be the stored one. */
const isToldApart = (conditions: Conditions, key: Term): boolean =>
  conditions.get(key)?.some(({ kind }) => kind !== "succeeded") === true

/** Whether a number from the record is added to another account's state without recording it. */
const addsUp = (
  instruction: Instruction,
  { term }: Loaded,
  changes: ReadonlyArray<Change>,
  conditions: Conditions,
): Change | undefined => {
  const state = stateOf(instruction.walk.terms, term)
  const key = keyOf(instruction.walk.terms, term)
  if (changes.some(({ target }) => mentions(target.term, (one) => one === state))) return undefined
  const knownTo = (account: Term): boolean =>
    signersOf(instruction).some((one) =>
      tiesOf(instruction)
        .of(one)
        .some(({ other }) => other?.term === account),
    )
  const sum = changes.find(({ target, operator, value }) => {
    const account = accountOfState(target.term)
    return (
      account !== undefined &&
      // A party that is consulted about the sum makes mistakes at its own expense.
      !knownTo(account) &&
      (operator === "+" || mentions(value.term, (one) => one === target.term))
    )
  })
  if (sum === undefined || isToldApart(conditions, key)) return undefined
  // Whether it is recorded elsewhere: in a list, a set, or an account derived from its address.
  const isNoted = ofKind(instruction.events, "call").some(
    (event) =>
      /^(insert|push|contains|remove|entry)$|program_address$/.test(event.name) &&
      event.args.some((one) => mentions(one.term, (part) => part === key)),
  )
  return isNoted ? undefined : sum
}

/** Records among the remaining accounts that may belong to something else, or be passed twice. */
export const looseRecords = (crate: SolanaCrate, instruction: Instruction): ReadonlyArray<LooseRecord> => {
  const { terms } = instruction.walk
  const records = loadedIn(instruction)
  if (records.length === 0) return []
  const conditions = conditionsOf(instruction)
  const byState = changesOf(instruction)
  const found: Array<LooseRecord> = []
  for (const record of records) {
    const changes = byState.get(stateOf(terms, record.term))
    if (changes === undefined) continue
    const belonging = belongingOf(crate, instruction, record, conditions)
    if (belonging !== undefined) {
      found.push({ record: record.term, event: record.event, belonging })
      continue
    }
    const sum = addsUp(instruction, record, changes, conditions)
    if (sum !== undefined) found.push({ record: record.term, event: sum })
  }
  return found
}
