import type { StructDefinition } from "../../rust/crate/crate.ts"
import { indexBy } from "../../indexBy.ts"
import { oncePer } from "../../oncePer.ts"
import { type Event, guaranteed, ofKind } from "../../rust/terms/events.ts"
import { everySubterm, mentions, type Term } from "../../rust/terms/terms.ts"
import { addressFields, isPrivileged, signersOf } from "../authority/authorization.ts"
import { outsider } from "../consent/names.ts"
import { movesValue } from "../questions/cpi.ts"
import { isCalledByOther } from "../questions/introspection.ts"
import { isMintType, isTokenAccountType } from "../questions/identity.ts"
import type { Account, Instruction, SolanaCrate } from "../program/model.ts"
import { accountAt, cpisOf, successAbout, usesOf } from "../questions/questions.ts"
import { paysIn } from "../ties/parties.ts"
import { storedParts, structOf } from "../authority/relations.ts"
import { keyOf, lamportsOf, stateOf } from "../program/semantics.ts"
import { isSignedFor, roleOf } from "../questions/signedCpi.ts"
import { isGlobal } from "../questions/singleton.ts"
import { lastName, tiesOf } from "../ties/ties.ts"

/** `holder` stores the address of an account in the role of `other`, and the two are never compared. */
export interface Untied {
  readonly holder: Account
  readonly field: string
  readonly other: Account
}

/** Facts that compare something: the success of a call implies nothing about its arguments. */
const comparisons = (facts: Iterable<Term>): ReadonlyArray<Term> =>
  [...facts].filter((fact) => fact.kind !== "succeeded")

const isToken = ({ state }: Account): boolean => isTokenAccountType(state) || isMintType(state)

/** Accounts and arguments that one comparison mentions together. */
type Group = ReadonlyArray<{ readonly term: Term }>

/**
 * What comparisons tie together. Anyone has token accounts: they are a step only if their contents count, as with a
 * position's NFT.
 */
const groupsIn = (instruction: Instruction, facts: ReadonlyArray<Term>): ReadonlyArray<Group> => {
  const { terms } = instruction.walk
  const parts = everySubterm(facts)
  const holds = ({ term }: Account): boolean => {
    return parts.has(terms.field(stateOf(terms, term), "amount"))
  }
  // An argument that is compared with two accounts ties them together.
  const nodes: Group = [...instruction.accounts.filter((one) => !isToken(one) || holds(one)), ...instruction.arguments]
  const byTerm = Map.groupBy(nodes, ({ term }) => term)
  return facts.map((fact) => [...everySubterm([fact])].flatMap((part) => byTerm.get(part) ?? []))
}

/** What is tied to some accounts over any number of steps. */
const tiedTo = (groups: ReadonlyArray<Group>, from: ReadonlyArray<Account>): ReadonlySet<{ readonly term: Term }> => {
  const tied = new Set<{ readonly term: Term }>(from)
  for (let size = 0; size !== tied.size;) {
    size = tied.size
    for (const group of groups) if (group.some((one) => tied.has(one))) for (const one of group) tied.add(one)
  }
  return tied
}

/** Value that the program pays, and to whom; absent if that is unknown. */
interface Payment {
  readonly to: Term | undefined
  readonly event: Event
}

const paymentsOf = (instruction: Instruction): ReadonlyArray<Payment> => {
  const { terms } = instruction.walk
  const paid: Array<Payment> = []
  for (const cpi of cpisOf(instruction)) if (movesValue(cpi)) paid.push({ to: roleOf(cpi, "to"), event: cpi.event })
  const raised = new Map(
    ofKind(instruction.events, "assign")
      .flatMap((one) => (one.operator !== "-" ? [[one.target.term, one] as const] : []))
      .toReversed(),
  )
  for (const { term } of instruction.accounts) {
    const event = raised.get(lamportsOf(terms, term))
    if (event !== undefined) paid.push({ to: term, event })
  }
  return paid
}

/** Accounts that nothing determines. */
const strangersOf = oncePer((instruction: Instruction): ReadonlyArray<Account> => {
  const ties = tiesOf(instruction)
  return instruction.accounts.filter(
    (one) =>
      !isToken(one) && structOf(instruction, one) === undefined && ties.of(one).length === 0 && !ties.isAsked(one),
  )
})

const paidIn = oncePer(
  (instruction: Instruction): ReadonlySet<Term | undefined> => new Set(paymentsOf(instruction).map(({ to }) => to)),
)

/** One that receives the program's payments. */
const strangerPaid = (instruction: Instruction, holder: Account): Account | undefined => {
  const { close } = holder.constraints ?? {}
  const closed = close?.kind === "path" ? close.path.segments.at(-1)?.name : undefined
  return strangersOf(instruction).find((one) => paidIn(instruction).has(one.term) || one.name === closed)
}

/** The record that is closed or paid out without any signature, to an account other than the one it names. */
const openPayouts = (crate: SolanaCrate, instruction: Instruction): ReadonlyArray<Untied> => {
  const parts = storedParts(crate)
  return instruction.accounts.flatMap((holder): ReadonlyArray<Untied> => {
    const struct = structOf(instruction, holder)
    if (struct === undefined || isGlobal(instruction, holder)) return []
    const state = stateOf(instruction.walk.terms, holder.term)
    const isPaidOut =
      holder.constraints?.close !== undefined ||
      cpisOf(instruction).some(({ args }) => args.some((term) => mentions(term, (one) => one === state)))
    const other = isPaidOut ? strangerPaid(instruction, holder) : undefined
    if (other === undefined) return []
    const names = addressFields(crate, struct)
    if (names.includes(lastName(other))) return []
    const field = names.find(
      (name) =>
        // Whether the address is unknown, or belongs to a signer elsewhere.
        parts.get(struct)?.get(name)?.has("signer") !== false &&
        comparisons(successAbout(instruction, instruction.walk.terms.field(state, name))).length === 0,
    )
    return field === undefined ? [] : [{ holder, field, other }]
  })
}

/** Whether it pays for an account that is created here, and gets back no more than the rent. */
const isReimbursed = (instruction: Instruction, account: Account): boolean => {
  const held = lamportsOf(instruction.walk.terms, account.term)
  return (
    instruction.accounts.some(
      ({ constraints }) =>
        constraints?.payer?.kind === "path" && constraints.payer.path.segments.at(-1)?.name === lastName(account),
    ) &&
    instruction.events.every(
      (event) =>
        event.kind !== "assign" ||
        event.target.term !== held ||
        mentions(event.value.term, (one) => one.kind === "call" && one.name === "minimum_balance"),
    )
  )
}

/** A payment, with what is known where it is made: worked out only for records that lose something. */
interface KnownPayment {
  readonly to: Term | undefined
  readonly around: () => {
    readonly about: ReadonlyMap<Term, ReadonlyArray<Term>>
    readonly groups: ReadonlyArray<Group>
  }
}

/** One payment per receiver is enough. */
const knownPayments = (instruction: Instruction): ReadonlyArray<KnownPayment> =>
  [...new Map(paymentsOf(instruction).map((one) => [one.to, one])).values()].map(({ to, event }) => {
    let asked: ReturnType<KnownPayment["around"]> | undefined
    const around = () => {
      if (asked === undefined) {
        const known = comparisons(guaranteed(event))
        asked = { about: indexBy(known, (fact) => everySubterm([fact])), groups: groupsIn(instruction, known) }
      }
      return asked
    }
    return { to, around }
  })

/**
 * Whether its contents, or the lamports of an account whose address it stores, go to an account that it does not name;
 * an account that it leads to is one that it names.
 */
const loses = (instruction: Instruction, holder: Account, payments: ReadonlyArray<KnownPayment>): boolean => {
  const isPaidFrom = (one: Account): boolean =>
    usesOf(instruction, one).some(({ kind }) => kind === "lamports-write" || (kind === "state-write" && one === holder))
  const paying = instruction.accounts.filter(isPaidFrom)
  if (paying.length === 0) return false
  const state = stateOf(instruction.walk.terms, holder.term)
  return payments.some(({ to, around }) => {
    const receiver = accountAt(instruction, to)
    if (receiver === undefined) return false
    const { about, groups } = around()
    const beside = everySubterm(about.get(state) ?? [])
    const names = ({ term }: Account): boolean => beside.has(term)
    return (
      paying.some((one) => one === holder || names(one)) &&
      !names(receiver) &&
      !tiedTo(groups, [holder]).has(receiver) &&
      !isReimbursed(instruction, receiver)
    )
  })
}

/** The conditions that are checked on some path, by the terms they mention; and what is set. */
const askedIn = oncePer(({ events }: Instruction) => ({
  conditions: indexBy(
    ofKind(events, "check").flatMap((event) => event.conditions),
    (condition) => everySubterm([condition]),
  ),
  assigned: new Set(ofKind(events, "assign").map((event) => event.target.term)),
}))

/** The signer's own token, of the kind that the record names, authorizes the signer. */
const hasTokenFor = (instruction: Instruction, holder: Account, signer: Account): boolean => {
  const { terms } = instruction.walk
  const ofRecord = everySubterm(comparisons(successAbout(instruction, stateOf(terms, holder.term))))
  const ofSigner = everySubterm(comparisons(successAbout(instruction, keyOf(terms, signer.term))))
  return instruction.accounts.some(({ term }) => {
    const tokens = stateOf(terms, term)
    return ofRecord.has(tokens) && ofSigner.has(tokens)
  })
}

/** The stored address that should be the signer's, but is neither compared with anything nor set. */
const freeOwner = (
  crate: SolanaCrate,
  instruction: Instruction,
  { holder, struct, signer }: { holder: Account; struct: StructDefinition; signer: Account },
): string | undefined => {
  const { terms } = instruction.walk
  const state = stateOf(terms, holder.term)
  const parts = storedParts(crate).get(struct)
  const { conditions, assigned } = askedIn(instruction)
  const asked = everySubterm([...comparisons(successAbout(instruction, state)), ...(conditions.get(state) ?? [])])
  const free = addressFields(crate, struct).filter((name) => {
    const place = terms.field(state, name)
    return !asked.has(place) && !assigned.has(place) && !assigned.has(state)
  })
  // The address of another account of the instruction does not belong to a signer.
  const isOthers = (name: string): boolean =>
    instruction.accounts.some((one) => lastName(one) === name) ||
    [...(parts?.get(name) ?? [])].some((part) => part !== "signer")
  return (
    free.find((name) => parts?.get(name)?.has("signer") === true) ??
    (free.length === 1 && !isOthers(free[0]!) ? free[0] : free.find((name) => name === signer.name))
  )
}

/**
 * Records that name an owner but are not tied to any signer, while the signer is paid from them:
 * `position.owner` is compared with or set to the signer elsewhere, but not where tokens are withdrawn.
 */
export const openRecords = (crate: SolanaCrate, instruction: Instruction): ReadonlyArray<Untied> => {
  const [signer] = signersOf(instruction)
  if (isCalledByOther(instruction)) return []
  // An account that pays in takes part in an exchange, and may do so with any record.
  if (cpisOf(instruction).some((cpi) => movesValue(cpi) && !isSignedFor(instruction, cpi))) return []
  if (signer === undefined) return openPayouts(crate, instruction)
  const signing = signersOf(instruction)
  if (signing.some((one) => paysIn(instruction, one) || tiesOf(instruction).isAsked(one))) return []
  if (signing.some((one) => outsider.test(lastName(one)))) return []
  const tied = tiedTo(groupsIn(instruction, comparisons(instruction.walk.success)), signing)
  const payments = knownPayments(instruction)
  return instruction.accounts.flatMap((holder): ReadonlyArray<Untied> => {
    const struct = structOf(instruction, holder)
    const { init, initIfNeeded, zero, close } = holder.constraints ?? {}
    if (struct === undefined || isGlobal(instruction, holder)) return []
    // It is tied to the signer, or the signer has a record of the kind: a liquidator's.
    if (instruction.accounts.some((one) => tied.has(one) && structOf(instruction, one) === struct)) return []
    if (init || initIfNeeded || zero) return []
    const closes = close?.kind === "path" && close.path.segments.at(-1)?.name === signer.name
    if (!closes && !loses(instruction, holder, payments)) return []
    if (hasTokenFor(instruction, holder, signer)) return []
    const field = freeOwner(crate, instruction, { holder, struct, signer })
    return field === undefined || isPrivileged(crate, instruction) ? [] : [{ holder, field, other: signer }]
  })
}
