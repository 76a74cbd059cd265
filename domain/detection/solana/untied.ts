import { type Event, guaranteed } from "../rust/terms/events.ts"
import { mentions, type Term } from "../rust/terms/terms.ts"
import { isAuthorized, signersOf, storedKeys } from "./authorization.ts"
import { movesValue } from "./cpi.ts"
import { isCreated } from "./creation.ts"
import { isPinned } from "./identity.ts"
import type { Account, Instruction, SolanaCrate } from "./model.ts"
import { operandsOf } from "./quantities.ts"
import { accountIn, checksAround, checksSomewhere, checksWhenDone, cpisOf, isMutating, usesOf } from "./questions.ts"
import { type Part, storedParts, structOf } from "./relations.ts"
import { keyOf, lamportsOf, stateOf } from "./semantics.ts"
import { areRelated, isSignedFor, roleOf } from "./signedCpi.ts"

/** `holder` stores the address of an account in the role of `other`, and the two are never compared. */
export interface Untied {
  readonly holder: Account
  readonly field: string
  readonly other: Account
}

interface Outflow {
  readonly event: Event
  readonly from: Account | undefined
  readonly to: Account | undefined
  readonly seeds: Term | undefined
}

/** Value that leaves under the program's own signature, or as lamports of its accounts. */
const outflowsOf = (instruction: Instruction): ReadonlyArray<Outflow> => {
  const signers = signersOf(instruction)
  const { terms } = instruction.walk
  const found: Array<Outflow> = []
  const accountOf = (term: Term | undefined): Account | undefined =>
    term === undefined ? undefined : accountIn(instruction, term)
  for (const cpi of cpisOf(instruction))
    if (isSignedFor(instruction, cpi) && movesValue(cpi) && !signsWith(cpi.signerSeeds, instruction, signers))
      found.push({
        event: cpi.event,
        from: accountOf(roleOf(cpi, "from")),
        to: accountOf(roleOf(cpi, "to")),
        seeds: cpi.signerSeeds,
      })
  const moves = instruction.events.flatMap((event) => {
    if (event.kind !== "assign" || event.target.term.kind !== "field") return []
    const account = instruction.accounts.find((one) => lamportsOf(terms, one.term) === event.target.term)
    return account === undefined ? [] : [{ event, account }]
  })
  const receivers = moves.filter(
    ({ event }) => event.operator === "+" || operandsOf(event.value.term, "add") !== undefined,
  )
  for (const { event, account } of moves) {
    const leaves =
      event.operator === "-" || (event.operator === "=" && operandsOf(event.value.term, "sub") !== undefined)
    if (leaves && !signers.includes(account))
      found.push({ event, from: account, to: receivers.at(-1)?.account, seeds: undefined })
  }
  return found
}

/** Seeds that contain the signer's address sign for what belongs to the signer. */
const signsWith = (seeds: Term | undefined, instruction: Instruction, signers: ReadonlyArray<Account>): boolean =>
  seeds !== undefined &&
  signers.some((one) =>
    mentions(seeds, (term) => term === one.term || term === keyOf(instruction.walk.terms, one.term)),
  )

const isPinnedAt = (event: Event, account: Account): boolean => {
  const checks = checksAround(event, account)
  return isPinned(checks) || checks.some(({ kind }) => kind === "call")
}

const holdersOf = (instruction: Instruction): ReadonlyArray<Account> =>
  instruction.accounts.filter((one) => {
    if (structOf(instruction, one) === undefined || isCreated(instruction, one)) return false
    return !checksWhenDone(instruction, one).some(({ kind }) => kind === "initialized")
  })

/** Address fields of a holder that are neither read nor written. */
const freeFields = (crate: SolanaCrate, instruction: Instruction, holder: Account): ReadonlyArray<string> => {
  const read = usesOf(instruction, holder).find(({ kind }) => kind === "deserialize")?.event
  const type = read?.kind === "call" ? read.result.type : undefined
  const own = type?.kind === "named" && type.name === "Result" ? type.args[0] : type
  const { terms, success } = instruction.walk
  const state = stateOf(terms, holder.term)
  const facts = read === undefined ? success : new Set([...success, ...guaranteed(read)])
  return storedKeys(crate, holder, own).filter((name) => {
    const place = terms.field(state, name)
    const about = (term: Term): boolean => mentions(term, (one) => one === place)
    for (const fact of facts) if (about(fact)) return false
    return !instruction.events.some(
      (event) =>
        (event.kind === "check" && event.conditions.some(about)) ||
        (event.kind === "assign" && (event.target.term === place || event.target.term === state)),
    )
  })
}

/** An account that pays in, burns or closes with its own signature makes an exchange. */
const isExchange = (instruction: Instruction): boolean =>
  cpisOf(instruction).some((cpi) => !isSignedFor(instruction, cpi) && movesValue(cpi))

/** Whether its address is compared with something, even if only on some paths. */
const isAskedFor = (instruction: Instruction, account: Account): boolean =>
  checksSomewhere(instruction, account).some(({ kind }) => kind === "key" || kind === "call")

/** Accounts of a native program that belong together according to its stored state but are never compared. */
export const untiedAccounts = (crate: SolanaCrate, instruction: Instruction): ReadonlyArray<Untied> => {
  if (instruction.kind !== "native" || !isMutating(instruction)) return []
  const holders = holdersOf(instruction)
  if (holders.length === 0) return []
  const { success } = instruction.walk
  const found: Array<Untied> = []
  const stored = storedParts(crate)
  const outflows = outflowsOf(instruction)
  const signers = signersOf(instruction)
  const storesPart = (holder: Account, field: string, part: Part): boolean => {
    const struct = structOf(instruction, holder)
    return struct !== undefined && stored.get(struct)?.get(field)?.has(part) === true
  }
  /** An address derived from the holder's own contains what belongs to it: a single account, if it stores one. */
  const ownsOne = (holder: Account, { seeds }: Outflow): boolean => {
    const struct = structOf(instruction, holder)
    const values =
      struct === undefined ? [] : [...(stored.get(struct)?.values() ?? [])].filter((one) => one.has("value"))
    const key = keyOf(instruction.walk.terms, holder.term)
    return seeds !== undefined && values.length < 2 && mentions(seeds, (one) => one === key)
  }
  for (const holder of holders) {
    const fields = freeFields(crate, instruction, holder)
    if (fields.length === 0) continue
    // The signer takes value out and may be anybody.
    const [signer] = signers
    const taken = outflows.filter(({ event, to }) => to === undefined || signers.includes(to) || !isPinnedAt(event, to))
    if (
      signer !== undefined &&
      taken.length > 0 &&
      !isExchange(instruction) &&
      !signers.some((one) => isAskedFor(instruction, one)) &&
      !holders.some((one) => isAuthorized(instruction, one))
    ) {
      const field = fields.find((one) => storesPart(holder, one, "signer")) ?? fields[0]!
      found.push({ holder, field, other: signer })
      continue
    }
    // Whether value is taken from an account that the caller chooses.
    const source = outflows.find(
      ({ event, from }) => from !== undefined && !holders.includes(from) && !isPinnedAt(event, from),
    )
    if (source?.from !== undefined) {
      const { from } = source
      const unknown = checksAround(source.event, from).every(({ kind }) => kind === "data" || kind === "distinct")
      const field = ownsOne(holder, source) ? undefined : fields.find((one) => storesPart(holder, one, "value"))
      const lamports = source.event.kind === "assign"
      if (field !== undefined || (lamports && unknown)) {
        found.push({ holder, field: field ?? fields[0]!, other: from })
        continue
      }
    }
    // State of another kind, which the program writes to such a field or compares with it elsewhere.
    for (const other of instruction.accounts) {
      const struct = structOf(instruction, other)
      if (struct === undefined || other === holder || struct === structOf(instruction, holder)) continue
      const field = fields.find((one) => storesPart(holder, one, struct))
      if (field === undefined || areRelated(success, holder.term, other.term)) continue
      const checks = checksWhenDone(instruction, other)
      if (checks.some(({ kind }) => kind === "key" || kind === "pda" || kind === "call")) continue
      found.push({ holder, field, other })
      break
    }
  }
  return found
}
