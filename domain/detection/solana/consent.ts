import type { CallEvent, Event, Value } from "../rust/terms/events.ts"
import { mentions, rootOf, type Term } from "../rust/terms/terms.ts"
import { definitionOf } from "../rust/crate/types.ts"
import { movesValue } from "./cpi.ts"
import { isCreated } from "./creation.ts"
import { isPinned, isTokenAccountType, readType } from "./identity.ts"
import type { Account, Instruction, SolanaCrate } from "./model.ts"
import { isBeneficiary, isPaid, isServed } from "./payees.ts"
import { ownAddresses, paysIn } from "./parties.ts"
import { checksAround, checksSomewhere, checksWhenDone, cpisOf, isMutating, isTrusted, usesOf } from "./questions.ts"
import { structOf } from "./relations.ts"
import { accountOfState, keyOf, stateOf } from "./semantics.ts"
import { isSignedFor, roleOf, signedCpisOf } from "./signedCpi.ts"
import { isUpkeep, paysOut } from "./stakes.ts"
import { isAnchored, tiesOf } from "./ties.ts"

/** Names of accounts and of stored keys that stand for whoever may act. */
const authority =
  /(^|_)(authority|owner|admin|manager|operator|guardian|creator|delegate|signer|user|payer|maker|initializer)$/

/** Parties of a deal: where nobody signs at all, what is stored of them stands for their consent. */
const party =
  /(^|_)(seller|buyer|lister|lender|borrower|staker|depositor|funder|grantor|proposer|governor|council|keeper|minter)$/

const lastPart = (name: string): string =>
  name
    .split(".")
    .at(-1)!
    .replace(/_(info|account|acc|ai)$/, "")

const isUnchecked = ({ wrapper }: Account): boolean => wrapper === "raw" || wrapper === "system"

const signs = (instruction: Instruction, account: Account): boolean =>
  checksWhenDone(instruction, account).some(({ kind }) => kind === "signer")

/** `AccountMeta::new(key, true)` and its like. */
const isSigningMeta = (event: Event, key: Term): boolean => {
  if (event.kind !== "call" || !/(^|::)AccountMeta::\w+$/.test(event.path)) return false
  const [first, second] = event.args
  if (first?.term !== key) return false
  return /signer/.test(event.name) || (second?.term.kind === "literal" && second.term.value === "true")
}

/** The runtime demands the signature itself where another program is asked to act for the account. */
const signsForCpi = (instruction: Instruction, account: Account): boolean =>
  instruction.events.some((event) => isSigningMeta(event, keyOf(instruction.walk.terms, account.term))) ||
  cpisOf(instruction).some(({ accounts, args }) => {
    const named = accounts.some(({ name, term }) => authority.test(name) && term === account.term)
    const built = args.some((one) => one.kind === "field" && one.name === "key" && one.base === account.term)
    return named || built
  })

/** A key in the state of an account that only this program writes, not the owner of some token account. */
const isOwnState = (instruction: Instruction, key: Term): boolean => {
  const holder = instruction.accounts.find((one) =>
    mentions(key, (inner) => inner === stateOf(instruction.walk.terms, one.term)),
  )
  if (holder === undefined) return true
  if (
    instruction.kind === "native" &&
    usesOf(instruction, holder).some(({ event }) => isTokenAccountType(readType(event)))
  )
    return false
  if (instruction.kind === "native")
    return (
      checksWhenDone(instruction, holder).some(({ kind }) => kind === "owner" || kind === "pda" || kind === "key") ||
      // The runtime lets only the owner of an account write to it.
      usesOf(instruction, holder).some(({ kind }) => kind === "state-write" || kind === "data-write")
    )
  return holder.state?.kind !== "named" || !/^(TokenAccount|Mint)$/.test(holder.state.name)
}

/** A key in the state of an account of another program's, by a type of that program's crate. */
const isForeign = (instruction: Instruction, key: Term): boolean =>
  instruction.accounts.some(
    ({ term, state }) =>
      state !== undefined &&
      definitionOf(state) === undefined &&
      mentions(key, (inner) => inner === stateOf(instruction.walk.terms, term)),
  )

/** What is done to an account, or to its key, without using it. */
const passive =
  /^(key|clone|to_account_info|as_ref|as_key_ref|deref|borrow|eq|ne|to_bytes|to_string|into|cmp|some|from|from_ref)$|!$/

const isPassive = (event: Event): boolean => event.kind === "call" && passive.test(event.name)

/** Its address is compared, and nothing else is done with it: it can only be there to agree. */
const servesAsIdentity = (instruction: Instruction, account: Account): boolean => {
  const about = ({ term }: Value): boolean => mentions(term, (one) => one === account.term)
  // What is only told to the world is kept nowhere.
  const told = new Set(
    instruction.events.flatMap((event) =>
      event.kind === "call" && /^emit\w*!$/.test(event.name) ? event.args.map(({ term }) => term) : [],
    ),
  )
  return !instruction.events.some(
    (event) =>
      (event.kind === "call" && !isPassive(event) && !isComparison(event) && event.args.some(about)) ||
      (event.kind === "assign" && (about(event.target) || about(event.value))) ||
      (event.kind === "read" && event !== account.taken && about(event.value) && event.value.term !== account.term) ||
      (event.kind === "struct" &&
        event.value.term.kind === "struct" &&
        !told.has(event.value.term) &&
        isKeyStored(event.value.term, account.term)),
  )
}

const isComparison = ({ result, target }: CallEvent): boolean =>
  target !== undefined || result.term.kind === "binary" || result.term.kind === "not"

const isForeignCall = /(^|::)(Instruction|AccountMeta|CpiContext)$/

/** A struct that records the account's address, other than an instruction for another program. */
const isKeyStored = (struct: Term, account: Term): boolean =>
  struct.kind === "struct" &&
  !isForeignCall.test(struct.path) &&
  struct.fields.some(([, value]) => value !== account && mentions(value, (one) => one === account))

/** Its address is noted in a record, which Anchor creates here, and nothing is done with it. */
const isRecordedOnly = (instruction: Instruction, account: Account): boolean => {
  const opens = instruction.accounts.some((one) => one !== account && isCreated(instruction, one))
  if (!opens && instruction.kind === "anchor") return false
  const about = (term: Term): boolean => mentions(term, (one) => one === account.term)
  const key = keyOf(instruction.walk.terms, account.term)
  const handsOn = (term: Term): boolean =>
    term === account.term ||
    term === key ||
    (term.kind === "list" && term.elements.some(handsOn)) ||
    (term.kind === "struct" && isForeignCall.test(term.path) && about(term))
  let recorded = false
  for (const event of instruction.events) {
    if (event.kind === "assign" && about(event.target.term)) return false
    if (event.kind === "assign" && about(event.value.term)) recorded = true
    if (event.kind !== "call" || isPassive(event) || event.target !== undefined) continue
    if (event.args.some(({ term }) => handsOn(term))) return false
    recorded ||= event.args.some(({ term }) => isKeyStored(term, account.term))
  }
  return recorded
}

/** Its address has to be in a list that the program keeps, as those of a multisig's members. */
const isMember = (instruction: Instruction, account: Account): boolean =>
  usesOf(instruction, account).length === 0 &&
  checksWhenDone(instruction, account).some(
    ({ kind, against, fact }) =>
      kind === "key" &&
      fact.kind === "call" &&
      against !== undefined &&
      isTrusted(against) &&
      isOwnState(instruction, against),
  )

const searches = /search|contains|position|find|^any$|is_member/

/** Its address is looked for in what an account of the program stores, and nothing else is done with it. */
const isListed = (instruction: Instruction, account: Account): boolean => {
  if (usesOf(instruction, account).length > 0) return false
  const { terms, success } = instruction.walk
  const key = keyOf(terms, account.term)
  const states = new Set(
    instruction.accounts.flatMap((one) =>
      one !== account && structOf(instruction, one) !== undefined ? [stateOf(terms, one.term)] : [],
    ),
  )
  for (const fact of success)
    if (
      fact.kind !== "binary" &&
      mentions(fact, (one) => one.kind === "call" && searches.test(one.name)) &&
      mentions(fact, (one) => one === key) &&
      mentions(fact, (one) => states.has(one))
    )
      return true
  return false
}

/** A program that is called, or that is to own something: it cannot sign. */
const isProgram = (instruction: Instruction, account: Account): boolean =>
  instruction.kind === "native" &&
  (/program(_id)?$/.test(lastPart(account.name)) ||
    usesOf(instruction, account).some(({ kind }) => kind === "cpi-program"))

/** The program pays under an address that is made from this account's: from what is kept for it. */
const namesPayer = (instruction: Instruction, account: Account): boolean => {
  const key = keyOf(instruction.walk.terms, account.term)
  return (
    instruction.kind === "native" &&
    usesOf(instruction, account).every(({ kind }) => kind === "cpi-account") &&
    !checksWhenDone(instruction, account).some(({ kind }) => kind !== "distinct") &&
    // Whoever pays in or burns with a signature of their own makes an exchange.
    !cpisOf(instruction).some((cpi) => !isSignedFor(instruction, cpi) && movesValue(cpi)) &&
    !instruction.events.some(
      (event) => event.kind === "call" && event.args.some(({ term }) => accountOfState(term) === account.term),
    ) &&
    signedCpisOf(instruction).some(
      (cpi) => movesValue(cpi) && roleOf(cpi, "from") !== undefined && mentions(cpi.signerSeeds, (one) => one === key),
    )
  )
}

/** What is kept at an address made from this one's is changed, and paid to somebody about whom nothing is known. */
const emptiesRecord = (instruction: Instruction, account: Account): boolean =>
  instruction.accounts.some(
    (record) =>
      record !== account &&
      !isCreated(instruction, record) &&
      isDerivedFrom(instruction, record, account) &&
      usesOf(instruction, record).some(({ kind }) => kind === "state-write" || kind === "data-write"),
  ) &&
  signedCpisOf(instruction).some((cpi) => {
    const to = movesValue(cpi) ? roleOf(cpi, "to") : undefined
    return to !== undefined && to !== account.term && !isPinned(checksAround(cpi.event, { term: to }))
  })

const changing = new WeakMap<Instruction, ReadonlySet<string>>()

/** Fields that an instruction changes of records that exist already: the record's name among its accounts, and the field's. */
const changedFields = (instruction: Instruction): ReadonlySet<string> => {
  let fields = changing.get(instruction)
  if (fields !== undefined) return fields
  const names = new Map<Term | undefined, string>()
  for (const one of instruction.accounts)
    if (!isCreated(instruction, one))
      names.set(one.term, `${structOf(instruction, one)?.item.name ?? lastPart(one.name)}`)
  const changed = (place: Term): ReadonlyArray<string> => {
    if (place.kind === "choice") return place.alternatives.flatMap(changed)
    const record = place.kind === "field" ? names.get(accountOfState(place)) : undefined
    return place.kind === "field" && record !== undefined ? [`${record}.${place.name}`] : []
  }
  fields = new Set(instruction.events.flatMap((event) => (event.kind === "assign" ? changed(event.target.term) : [])))
  changing.set(instruction, fields)
  return fields
}

/** Whatever else changes one of the fields that this instruction changes asks an account of this name to sign. */
const isAskedElsewhere = (crate: SolanaCrate, instruction: Instruction, account: Account): boolean =>
  [...changedFields(instruction)].some((field) => {
    const others = crate.instructions.filter((one) => one !== instruction && changedFields(one).has(field))
    const asks = (other: Instruction): boolean =>
      [...signersIn(other)].some(({ name }) => lastPart(name) === lastPart(account.name))
    return others.length > 0 && others.every(asks)
  })

/** Why an unsigned account seems to authorize; undefined where nothing says so. */
const evidence = (
  crate: SolanaCrate,
  instruction: Instruction,
  account: Account,
  hasSigner: boolean,
): string | undefined => {
  if (isBeneficiary(instruction, account) || isServed(instruction, account)) return undefined
  const alone = !hasSigner && servesAsIdentity(instruction, account)
  const compared = checksWhenDone(instruction, account).some(
    ({ kind, against }) =>
      kind === "key" &&
      against?.kind === "field" &&
      (authority.test(against.name) ||
        (!hasSigner && party.test(against.name)) ||
        (alone && isMutating(instruction))) &&
      isTrusted(against) &&
      isOwnState(instruction, against) &&
      !(isForeign(instruction, against) && (isGivenAway(instruction, account) || isUpkeep(instruction))),
  )
  if (compared && !(hasSigner && isPaid(instruction, account))) return "compared with a stored key"
  if (!hasSigner && isMutating(instruction) && isMember(instruction, account)) return "one of a stored list"
  if (!hasSigner && isAskedElsewhere(crate, instruction, account))
    return "asked to sign by all others that change the same field"
  if (!hasSigner && namesPayer(instruction, account)) return "in the seeds that the program pays with"
  if (!hasSigner && emptiesRecord(instruction, account)) return "in the seeds of the record that is paid out"
  if (!authority.test(lastPart(account.name)) || isRecordedOnly(instruction, account)) return undefined
  const used = instruction.events.some(
    (event) =>
      (event.kind === "call" && event.args.some(({ term }) => mentions(term, (one) => one === account.term))) ||
      (event.kind === "assign" && mentions(event.value.term, (one) => one === account.term)),
  )
  return used || isMutating(instruction) ? "named as an authority" : undefined
}

const isSeed = (instruction: Instruction, account: Account): boolean =>
  [...instruction.walk.success].some((fact) =>
    mentions(
      fact,
      (one) =>
        one.kind === "call" &&
        one.name.endsWith("program_address") &&
        mentions(one, (inner) => inner === keyOf(instruction.walk.terms, account.term)),
    ),
  ) ||
  instruction.events.some(
    (event) =>
      event.kind === "call" &&
      /(find|create)_program_address$/.test(event.name) &&
      event.args.some(({ term }) => mentions(term, (one) => one === account.term)),
  )

const isDerivedFrom = (instruction: Instruction, record: Account, account: Account): boolean => {
  const key = keyOf(instruction.walk.terms, account.term)
  return checksWhenDone(instruction, record).some(
    ({ kind, against }) => kind === "pda" && against !== undefined && mentions(against, (one) => one === key),
  )
}

/** What the caller passes replaces what is stored in an account at an address made from this one's. */
const setsRecord = (instruction: Instruction, account: Account): boolean =>
  instruction.accounts.some(
    (record) =>
      !isCreated(instruction, record) &&
      record.constraints?.init !== true &&
      record.constraints?.initIfNeeded !== true &&
      isDerivedFrom(instruction, record, account) &&
      instruction.events.some(
        (event) =>
          event.kind === "assign" &&
          event.operator === "=" &&
          accountOfState(event.target.term) === record.term &&
          instruction.arguments.some(({ term }) => term === rootOf(event.value.term)),
      ),
  )

/** Opened, or made larger, with rent that somebody else pays. */
const isOpenedFor = (instruction: Instruction, account: Account): boolean =>
  instruction.accounts.some(
    (record) =>
      (record.constraints?.init === true || (record.constraints?.realloc !== undefined && !paysOut(instruction))) &&
      isDerivedFrom(instruction, record, account),
  )

/** A function that the walk had no steps left for is given the account. */
const isOutOfSight = (instruction: Instruction, account: Account): boolean =>
  instruction.walk.truncated &&
  instruction.events.some(
    (event) =>
      event.kind === "call" &&
      event.target?.item.body !== undefined &&
      event.args.some(({ term }) => mentions(term, (one) => one === account.term)),
  )

/** Rent for what Anchor creates is taken with the payer's signature. */
const isInitPayer = (instruction: Instruction, account: Account): boolean =>
  instruction.accounts.some(
    ({ constraints }) =>
      constraints?.payer?.kind === "path" && constraints.payer.path.segments.at(-1)?.name === lastPart(account.name),
  )

const signing = new WeakMap<Instruction, ReadonlySet<Account>>()

const signersIn = (instruction: Instruction): ReadonlySet<Account> => {
  let signers = signing.get(instruction)
  if (signers === undefined) {
    signers = new Set(instruction.accounts.filter((one) => signs(instruction, one) || isInitPayer(instruction, one)))
    signing.set(instruction, signers)
  }
  return signers
}

/** It is known by a constant or made from seeds: nobody holds a key for it, or only the program does. */
const isFixed = (instruction: Instruction, account: Account): boolean =>
  tiesOf(instruction)
    .of(account)
    .some(({ slot, other }) => slot.startsWith("seeds ") || (other === undefined && slot.startsWith("=")))

/** Another program is given it, which asks for the signature if it needs one. */
const isGivenAway = (instruction: Instruction, account: Account): boolean =>
  usesOf(instruction, account).some(({ kind }) => kind === "cpi-account") ||
  instruction.events.some(
    (event) =>
      event.kind === "struct" &&
      event.value.term.kind === "struct" &&
      event.value.term.definition === undefined &&
      event.value.term.fields.some(([, value]) => value === account.term),
  )

/** The called program is told of it in a part that asks for no signature. */
const isNamedIn = (instruction: Instruction, account: Account): boolean =>
  cpisOf(instruction).some(({ accounts }) =>
    accounts.some(({ name, term }) => term === account.term && name !== "" && !authority.test(name)),
  )

/** Someone else signs whom the program knows, or who pays with tokens of their own: an operator, a liquidator. */
const isActedOn = (instruction: Instruction, signers: ReadonlySet<Account>): boolean => {
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

/** What says of an account that nothing requires to sign that it should; undefined of all others. */
export const whyItShouldSign = (crate: SolanaCrate, instruction: Instruction, account: Account): string | undefined => {
  const signers = signersIn(instruction)
  if (!isUnchecked(account) || signers.has(account) || signsForCpi(instruction, account)) return undefined
  if (checksWhenDone(instruction, account).some(({ kind }) => kind === "pda")) return undefined
  if (isProgram(instruction, account)) return undefined
  if (ownAddresses(crate, instruction).has(account) || isActedOn(instruction, signers)) return undefined
  // Being one of a list says more than a name does.
  const listed =
    isMutating(instruction) &&
    isListed(instruction, account) &&
    !isBeneficiary(instruction, account) &&
    ![...signers].some(
      (one) => isAnchored(instruction, one) || tiesOf(instruction).isAsked(one) || isListed(instruction, one),
    )
  const why = listed ? "one of a stored list" : evidence(crate, instruction, account, signers.size > 0)
  if (why === undefined || (why === "compared with a stored key" && isNamedIn(instruction, account))) return undefined
  // Asked for on some paths only: the others are meant to be open.
  if (checksSomewhere(instruction, account).some(({ kind }) => kind === "signer")) return undefined
  // What only brings records of one owner together takes nothing from them.
  if (signers.size > 0 && isUpkeep(instruction) && servesAsIdentity(instruction, account)) return undefined
  if (why === "named as an authority") {
    if (/^(new|next|pending|to)_/.test(lastPart(account.name))) return undefined
    // With a name only, another signer may well be the one who authorizes.
    if (signers.size > 0 || isFixed(instruction, account) || isGivenAway(instruction, account)) return undefined
    // A record that is opened for somebody, at an address made from theirs, need not be opened by them.
    if (isSeed(instruction, account) && !setsRecord(instruction, account)) return undefined
  }
  // Opened for somebody, and paid for, by whoever signs.
  if (why !== "one of a stored list" && signers.size > 0 && isOpenedFor(instruction, account)) return undefined
  return isOutOfSight(instruction, account) ? undefined : why
}
