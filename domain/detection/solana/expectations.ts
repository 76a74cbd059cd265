import type { StructDefinition } from "../rust/crate/crate.ts"
import type { Event, Value } from "../rust/terms/events.ts"
import { resolveType, definitionOf, type RustType } from "../rust/crate/types.ts"
import { everySubterm, mentions, type Term } from "../rust/terms/terms.ts"
import { isAddressType } from "./accountTypes.ts"
import { signersOf } from "./authorization.ts"
import { comparedIn } from "./comparisons.ts"
import { isCreated } from "./creation.ts"
import type { Account, Instruction, SolanaCrate } from "./model.ts"
import { cpiOf, movesValue } from "./cpi.ts"
import { isImplied } from "./implied.ts"
import { onlyPaysIn, paysIn, signersSlots } from "./parties.ts"
import { isPaid } from "./payees.ts"
import { checksWhenDone, cpisOf, isMutating, usesOf } from "./questions.ts"
import { structOf } from "./relations.ts"
import { isOwnProgramId, keyOf, lamportsOf, stateOf } from "./semantics.ts"
import { isSigned, roleOf } from "./signedCpi.ts"
import { isGlobal } from "./singleton.ts"
import { isUpkeep } from "./stakes.ts"
import { isAnchored, isPinnedDown, isTokenType, lastName, type Tie, tiesOf, typeName } from "./ties.ts"

/** An account that should be tied to something but is not. */
export interface Missing {
  readonly instruction: Instruction
  readonly account: Account
  /** The account that stores its expected address; absent if other instructions compare it with something fixed. */
  readonly holder: Account | undefined
  /** `Pool.vault`, as in messages. */
  readonly slot: string
  /** Instructions that compare it; none if the name alone suggests it. */
  readonly siblings: ReadonlyArray<Instruction>
  /** Whether it signs: the action is done on its authority. */
  readonly signs: boolean
}

/** Structs are nested in the state of large programs. */
const maxNesting = 3

/** The fields of a struct that store addresses, by path: `liq_pool.lp_mint`. */
const addressesIn = (crate: SolanaCrate, struct: StructDefinition, depth = 0): ReadonlyArray<string> =>
  struct.item.fields.flatMap((field): ReadonlyArray<string> => {
    const type: RustType = resolveType({ resolver: crate.project.resolver, module: struct.module }, field.type)
    if (isAddressType(type)) return [field.name]
    const inner = definitionOf(type)
    if (inner?.kind !== "struct" || depth >= maxNesting) return []
    return addressesIn(crate, inner, depth + 1).map((path) => `${field.name}.${path}`)
  })

const stored = new WeakMap<SolanaCrate, Map<StructDefinition, ReadonlyMap<string, string>>>()

/** The names that accounts at the stored addresses would have, with the paths. */
const storedNames = (crate: SolanaCrate, struct: StructDefinition): ReadonlyMap<string, string> => {
  let ofCrate = stored.get(crate)
  if (ofCrate === undefined) stored.set(crate, (ofCrate = new Map()))
  let names = ofCrate.get(struct)
  if (names === undefined) {
    const found = new Map<string, string>()
    const ambiguous = new Set<string>()
    for (const path of addressesIn(crate, struct)) {
      const parts = path.split(".")
      const last = parts.at(-1)!
      const own = /^(account|key|address|pubkey|id)$/.test(last) && parts.length > 1 ? parts.at(-2)! : last
      for (const name of new Set([plainName(own), plainName(parts.join("_"))])) {
        if (found.has(name)) ambiguous.add(name)
        found.set(name, path)
      }
    }
    for (const name of ambiguous) found.delete(name)
    ofCrate.set(struct, (names = found))
  }
  return names
}

const plainName = (name: string): string => name.replace(/_(info|account|acc|ai|acct|key|pubkey|address|id)$/, "")

/** Whether it stores nothing yet, or only the caller's own choice. */
const isNew = (instruction: Instruction, account: Account): boolean => {
  const { constraints } = account
  if (constraints?.init === true || constraints?.zero === true || constraints?.initIfNeeded === true) return true
  if (isCreated(instruction, account)) return true
  if (instruction.kind !== "native") return false
  const state = stateOf(instruction.walk.terms, account.term)
  return (
    /(^|_)(init|initialize|create|new)(_|$)/.test(instruction.name) ||
    instruction.events.some(
      (event) => event.kind === "call" && /^init(ialize)?(_|$)/.test(event.name) && event.args[0]?.term === state,
    )
  )
}

const placeIn = (instruction: Instruction, holder: Account, path: string): Term => {
  const { terms } = instruction.walk
  let place = stateOf(terms, holder.term)
  for (const part of path.split(".")) place = terms.field(place, part)
  return place
}

/** Whether its own address is written here: it is about to become the stored one. */
const isWritten = (instruction: Instruction, holder: Account, path: string, account: Account): boolean => {
  const { terms } = instruction.walk
  const places = new Set<Term>([stateOf(terms, holder.term)])
  let place = stateOf(terms, holder.term)
  for (const part of path.split(".")) places.add((place = terms.field(place, part)))
  const isItself = ({ term }: Value): boolean => mentions(term, (one) => one === account.term)
  return instruction.events.some(
    (event) =>
      (event.kind === "assign" && places.has(event.target.term) && isItself(event.value)) ||
      (event.kind === "call" &&
        /^(init\w*|set_inner)$/.test(event.name) &&
        places.has(event.args[0]!.term) &&
        event.args.slice(1).some(isItself)),
  )
}

/** Whether its address is stored in a record created here: it is about to become a known one. */
const isRegistered = (instruction: Instruction, account: Account): boolean => {
  const key = keyOf(instruction.walk.terms, account.term)
  const told = toldOf(instruction)
  return instruction.events.some(
    (event) =>
      event.kind === "struct" &&
      event.value.term.kind === "struct" &&
      event.value.term.definition !== undefined &&
      !told.has(event.value.term) &&
      event.value.term.fields.some(([, value]) => value === key),
  )
}

/** Events for listeners are not stored. */
const toldOf = (instruction: Instruction): ReadonlySet<Term> =>
  new Set(
    instruction.events.flatMap((event) =>
      event.kind === "call" && /^emit\w*!$/.test(event.name) ? event.args.map(({ term }) => term) : [],
    ),
  )

/** Whether the account that it names is set here. */
const isNamedHere = (instruction: Instruction, account: Account, slot: string): boolean => {
  const { terms } = instruction.walk
  let place = stateOf(terms, account.term)
  for (const part of slot.slice("own ".length).split(".")) place = terms.field(place, part)
  return instruction.events.some((event) => event.kind === "assign" && event.target.term === place)
}

/** Accounts that receive the lamports of closed ones. */
const closeReceivers = ({ accounts }: Instruction): ReadonlySet<Account> => {
  const names = new Set(
    accounts.flatMap(({ constraints }) =>
      constraints?.close?.kind === "path" ? [constraints.close.path.segments.at(-1)!.name] : [],
    ),
  )
  return new Set(accounts.filter(({ name }) => names.has(name.slice(name.lastIndexOf(".") + 1))))
}

const mentionedIn = new WeakMap<Instruction, ReadonlySet<Term>>()

/** All arguments of calls, and the beneficiaries of closed accounts. */
const mentioned = (instruction: Instruction): ReadonlySet<Term> => {
  let found = mentionedIn.get(instruction)
  if (found === undefined) {
    const { events } = instruction
    const given = events.flatMap((event) =>
      event.kind === "call" && !neutral.test(event.name) ? event.args.map(({ term }) => term) : [],
    )
    found = everySubterm([...given, ...[...closeReceivers(instruction)].map(({ term }) => term)])
    mentionedIn.set(instruction, found)
  }
  return found
}

/** Operations that only pass on an account or report its address. */
const neutral =
  /^(key|to_account_info|as_ref|clone|borrow|borrow_mut|next_account_info|into|iter|owner|is_owned_by)$|^(check|assert|validate|verify|ensure)_|!$/

/** Whether it is the mint or owner of a token account that another program is given: it decides what moves where. */
const isNamedByMoved = (instruction: Instruction, account: Account): boolean =>
  instruction.accounts.some(
    (one) =>
      isTokenType(one) &&
      tiesOf(instruction)
        .of(one)
        .some(({ slot, other }) => slot.startsWith("own ") && other === account) &&
      usesOf(instruction, one).some(({ kind }) => kind === "cpi-account"),
  )

/**
 * Whether something is done with it, or on its authority. Programs are left to other rules, and if the signing address
 * is derived from the holder's, the called program accepts no other account.
 */
const matters = (
  instruction: Instruction,
  account: Account,
  holder: Account | undefined,
  signers: ReadonlyArray<Account>,
): boolean => {
  if (signers.includes(account)) return true
  const uses = usesOf(instruction, account)
  if (uses.some(({ kind }) => kind === "cpi-program")) return false
  // Whether the program's seeds determine a single address: the call fails for any other.
  const { terms } = instruction.walk
  if (uses.some(({ event }) => isOwnAuthority(event, account, stateOf(terms, account.term)))) return false
  // Reading that it holds something only shows that it exists: nothing is done with it.
  if (uses.length > 0 && uses.every(({ kind }) => kind === "lamports-read")) {
    const held = lamportsOf(terms, account.term)
    return instruction.events.some(
      (event) => event.kind === "assign" && mentions(event.value.term, (one) => one === held),
    )
  }
  if (uses.length === 0)
    return (
      account.constraints?.mutable === true ||
      mentioned(instruction).has(account.term) ||
      isNamedByMoved(instruction, account)
    )
  if (holder === undefined || uses.some(({ kind }) => kind !== "cpi-account")) return true
  const key = keyOf(terms, holder.term)
  return !uses.every(({ event }) => {
    const cpi = event.kind === "call" ? cpiOf(event) : undefined
    // Whoever may pay chooses the recipient.
    if (
      cpi?.accounts.some(({ name, term }) => term === account.term && /^(recipient|receiver|beneficiary)$/.test(name))
    )
      return false
    const isMadeFrom = cpi?.signerSeeds !== undefined && mentions(cpi.signerSeeds, (one) => one === key)
    // Whether a function that receives both compares them.
    return isMadeFrom || cpi?.accounts.some(({ term }) => mentions(term, (one) => one === holder.term)) === true
  })
}

/** Whether the program signs for it; seeds that it stores itself fit every account of its kind. */
const isOwnAuthority = (event: Event, account: Account, state: Term): boolean => {
  const cpi = event.kind === "call" ? cpiOf(event) : undefined
  return (
    cpi !== undefined &&
    isSigned(cpi) &&
    roleOf(cpi, "authority") === account.term &&
    (cpi.signerSeeds === undefined || !mentions(cpi.signerSeeds, (one) => one === state))
  )
}

const isProgramLike = ({ wrapper, constraints }: Account): boolean =>
  wrapper === "program" || wrapper === "sysvar" || constraints?.executable === true

/** For accounts of one name and type, what their addresses are compared with in the instructions of a crate. */
interface Group {
  readonly members: Array<{
    readonly instruction: Instruction
    readonly account: Account
    readonly ties: ReadonlyArray<Tie>
  }>
}

const groupsOf = (crate: SolanaCrate): ReadonlyMap<string, Group> => {
  const groups = new Map<string, Group>()
  for (const instruction of crate.instructions) {
    const ties = tiesOf(instruction)
    for (const account of instruction.accounts) {
      if (isProgramLike(account)) continue
      const struct = structOf(instruction, account)
      const key = `${lastName(account)} ${struct?.name ?? (isTokenType(account) ? typeName(account) : "")}`
      let group = groups.get(key)
      if (group === undefined) groups.set(key, (group = { members: [] }))
      group.members.push({ instruction, account, ties: ties.of(account) })
    }
  }
  return groups
}

/** Whether only another program inspects it, which may own it and knows what it should be. */
const isHandedOn = (instruction: Instruction, account: Account): boolean =>
  (account.wrapper === "raw" || isOfOtherProgram(instruction, account)) &&
  usesOf(instruction, account).every(({ kind }) => kind === "cpi-account")

/** Whether another program's crate declares it; the token program's accounts belong to anyone. */
const isOfOtherProgram = (instruction: Instruction, account: Account): boolean => {
  const definition = account.state === undefined ? undefined : definitionOf(account.state)
  return (
    account.state !== undefined &&
    !isTokenType(account) &&
    definition?.module.crate !== instruction.handler.module.crate
  )
}

const recordTypes = new WeakMap<SolanaCrate, ReadonlyMap<string, StructDefinition | undefined>>()

/** What accounts of one name store, if the instructions that read them agree. */
const recordTypesOf = (crate: SolanaCrate): ReadonlyMap<string, StructDefinition | undefined> => {
  let types = recordTypes.get(crate)
  if (types === undefined) {
    const found = new Map<string, StructDefinition | undefined>()
    for (const instruction of crate.instructions)
      for (const account of instruction.accounts) {
        const struct = structOf(instruction, account)
        const name = lastName(account)
        if (struct !== undefined) found.set(name, found.has(name) && found.get(name) !== struct ? undefined : struct)
      }
    recordTypes.set(crate, (types = found))
  }
  return types
}

/** What an account stores: a native program that checks only its owner reads it elsewhere. */
const recordOf = (crate: SolanaCrate, instruction: Instruction, account: Account): StructDefinition | undefined => {
  const struct = structOf(instruction, account)
  if (struct !== undefined || instruction.kind !== "native") return struct
  const isOwn = checksWhenDone(instruction, account).some(
    ({ kind, against }) => kind === "owner" && against !== undefined && isOwnProgramId(against),
  )
  return isOwn ? recordTypesOf(crate).get(lastName(account)) : undefined
}

const holderOf = (instruction: Instruction, struct: StructDefinition, except: Account): Account | undefined =>
  instruction.accounts.find(
    (one) => one !== except && structOf(instruction, one) === struct && !isNew(instruction, one),
  )

/** The share of instructions that must compare it for the others to stand out. */
const minSiblings = 2
const minShare = 0.6

/** Whether a record is created for it: anyone may have one. */
const opensOwn = (instruction: Instruction, account: Account): boolean => {
  const { terms } = instruction.walk
  const isItself = (term: Term): boolean => mentions(term, (one) => one === account.term)
  return instruction.accounts.some((one) => {
    if (one === account || !isNew(instruction, one)) return false
    const state = stateOf(terms, one.term)
    return (
      tiesOf(instruction)
        .of(account)
        .some(({ slot, other }) => other === one && slot.startsWith("seed of ")) ||
      instruction.events.some((event) =>
        event.kind === "assign"
          ? isItself(event.value.term) && mentions(event.target.term, (part) => part === state)
          : event.kind === "call" &&
            event.args[0]?.term === state &&
            event.args.slice(1).some(({ term }) => isItself(term)),
      )
    )
  })
}

/** Whether it is paid with: the token program accepts no other mint than the receiver's. */
const paysFrom = (instruction: Instruction, account: Account): boolean =>
  cpisOf(instruction).some((cpi) => movesValue(cpi) && roleOf(cpi, "from") === account.term)

/** Accounts that other instructions of the program constrain, but this one does not. */
const againstSiblings = (crate: SolanaCrate): ReadonlyArray<Missing> => {
  const found: Array<Missing> = []
  for (const { members } of groupsOf(crate).values()) {
    if (members.length <= minSiblings) continue
    const bySlot = new Map<string, { tie: Tie; instructions: Set<Instruction> }>()
    for (const { instruction, ties } of members)
      for (const tie of ties) {
        const known = bySlot.get(tie.slot)
        if (known === undefined) bySlot.set(tie.slot, { tie, instructions: new Set([instruction]) })
        else known.instructions.add(instruction)
      }
    for (const [slot, { tie, instructions }] of bySlot) {
      if (instructions.size < minSiblings || slot.includes("[]") || slot.startsWith("seed of ")) continue
      const isPath = slot.includes(".") && !slot.startsWith("own ")
      if (isPath && tie.struct === undefined) continue
      // If another party may act, such as a liquidator or administrator, the owner of the record is a different matter.
      if (!tie.pins && tie.struct === undefined) continue
      const could = members.filter(
        ({ instruction, account }) =>
          instructions.has(instruction) ||
          (!isNew(instruction, account) &&
            (tie.struct === undefined || holderOf(instruction, tie.struct, account) !== undefined)),
      )
      if (instructions.size < minShare * could.length) continue
      for (const { instruction, account, ties } of could) {
        if (instructions.has(instruction) || !isMutating(instruction)) continue
        // Whether it is constrained in another way, or tied to something that is.
        if (isPinnedDown(instruction, account)) continue
        if (structOf(instruction, account) !== undefined && ties.some((one) => !one.pins)) continue
        if (tiesOf(instruction).isAsked(account)) continue
        const signers = signersOf(instruction)
        if (signers.includes(account) && opensOwn(instruction, account)) continue
        const holder = tie.struct === undefined ? undefined : holderOf(instruction, tie.struct, account)
        if (!matters(instruction, account, holder, signers)) continue
        if (/^(seeds |=)/.test(slot) && isHandedOn(instruction, account)) continue
        if (isRegistered(instruction, account)) continue
        // Whoever may close a record chooses who receives its rent.
        if (closeReceivers(instruction).has(account) && signers.some((one) => isAnchored(instruction, one))) continue
        if (slot === "own mint" && paysFrom(instruction, account)) continue
        if (slot.startsWith("own ") && isNamedHere(instruction, account, slot)) continue
        if (signers.includes(account) && onlyPaysIn(instruction, account)) continue
        // Whoever gives tokens of their own in exchange need not be the administrator.
        if (holder !== undefined && isGlobal(instruction, holder) && paysIn(instruction, account)) continue
        if (holder !== undefined && isWritten(instruction, holder, slot.slice(slot.indexOf(".") + 1), account)) continue
        found.push({
          instruction,
          account,
          holder,
          slot,
          siblings: [...instructions],
          signs: signers.includes(account),
        })
      }
    }
  }
  return found
}

/** Accounts with the name under which another account of the instruction stores an address. */
const againstNames = (crate: SolanaCrate): ReadonlyArray<Missing> => {
  const found: Array<Missing> = []
  for (const instruction of crate.instructions) {
    if (!isMutating(instruction)) continue
    const signers = signersOf(instruction)
    const byName = new Map(instruction.accounts.map((one) => [plainName(lastName(one)), one] as const))
    for (const holder of instruction.accounts) {
      const struct = recordOf(crate, instruction, holder)
      const isRead = structOf(instruction, holder) !== undefined
      // An account that is neither read nor written exists already, even if others are created.
      const isFresh = isRead ? isNew : isCreated
      if (struct === undefined || isFresh(instruction, holder)) continue
      for (const [name, path] of storedNames(crate, struct)) {
        const account =
          byName.get(name) ??
          (signersSlots(crate).has(`${struct.name}.${path}`)
            ? signers.find((one) => plainName(lastName(one)).endsWith(`_${name}`))
            : undefined)
        if (account === undefined || account === holder || isProgramLike(account)) continue
        const isPayer = !isRead && signers.includes(account)
        if ((!isPayer && isFresh(instruction, account)) || !matters(instruction, account, holder, signers)) continue
        if (isPinnedDown(instruction, account) || tiesOf(instruction).isAsked(account)) continue
        if (isWeighed(instruction, account, holder)) continue
        // Anyone may trigger what is already stored.
        if (signers.includes(account) && isRead && isUpkeep(instruction)) continue
        if (isWritten(instruction, holder, path, account)) continue
        if (isImplied(instruction, account, placeIn(instruction, holder, path))) continue
        if (signers.includes(account) && onlyPaysIn(instruction, account)) continue
        if (!isRead && opensOwn(instruction, account)) continue
        found.push({
          instruction,
          account,
          holder,
          slot: `${struct.name}.${path}`,
          siblings: [],
          signs: signers.includes(account),
        })
      }
    }
  }
  return found
}

/** Whether they are compared on some path, or to decide which path is taken. */
const isWeighed = (instruction: Instruction, account: Account, holder: Account): boolean => {
  const { terms } = instruction.walk
  const key = keyOf(terms, account.term)
  const state = stateOf(terms, holder.term)
  return comparedIn(instruction).some(
    (one) =>
      // The sum of amounts of both does not identify either account.
      [one.left, one.right].some((side) => side === account.term || mentions(side, (part) => part === key)) &&
      mentions(one, (part) => part === state),
  )
}

/** Accounts that sign in the program's other instructions and are identified here, but not required to sign. */
const againstSigners = (crate: SolanaCrate): ReadonlyArray<Missing> => {
  const found: Array<Missing> = []
  for (const { members } of groupsOf(crate).values()) {
    const signing = members.filter(({ instruction, account }) => signersOf(instruction).includes(account))
    if (signing.length < minSiblings || signing.length < minShare * members.length) continue
    for (const { instruction, account, ties } of members) {
      const signers = signersOf(instruction)
      if (signers.includes(account) || !isMutating(instruction) || isNew(instruction, account)) continue
      const isAuthority =
        ties.some(({ struct, pins, slot }) => struct !== undefined && pins && !slot.startsWith("seed of ")) ||
        tiesOf(instruction).isAsked(account)
      if (!isAuthority && instruction.kind === "anchor") continue
      // Whether something is created or enlarged for it, and paid for by another account.
      if (instruction.accounts.some((one) => isNew(instruction, one) || one.constraints?.realloc !== undefined))
        continue
      // The called program requires the signatures that it needs.
      if (usesOf(instruction, account).some(({ kind }) => kind === "cpi-account")) continue
      if (isPaid(instruction, account) || signers.some((one) => isAnchored(instruction, one))) continue
      if (signers.some((one) => tiesOf(instruction).isAsked(one))) continue
      if (signers.length > 0 && isUpkeep(instruction)) continue
      found.push({
        instruction,
        account,
        holder: undefined,
        slot: "signature",
        siblings: signing.map((one) => one.instruction),
        signs: true,
      })
    }
  }
  return found
}

const missing = new WeakMap<SolanaCrate, ReadonlyArray<Missing>>()

/**
 * Accounts that are tied to nothing, although their names or the program's other instructions suggest what they should
 * be tied to.
 */
export const missingTies = (crate: SolanaCrate): ReadonlyArray<Missing> => {
  let found = missing.get(crate)
  if (found === undefined) {
    const seen = new Set<Account>()
    found = [...againstNames(crate), ...againstSiblings(crate), ...againstSigners(crate)].filter(({ account }) => {
      if (seen.has(account)) return false
      seen.add(account)
      return true
    })
    missing.set(crate, found)
  }
  return found
}
