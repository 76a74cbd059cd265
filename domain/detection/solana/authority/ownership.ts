import { oncePer } from "../../oncePer.ts"
import { type Event, ofKind } from "../../rust/terms/events.ts"
import { everySubterm, mentions, rootOf, type Term } from "../../rust/terms/terms.ts"
import { movesValue } from "../questions/cpi.ts"
import { isMintType, isSysvarType, isTokenAccountType, readType } from "../questions/identity.ts"
import type { Account, Instruction } from "../program/model.ts"
import { cpisOf, usesOf } from "../questions/questions.ts"
import { dataOf } from "../program/semantics.ts"

/** Operations that only measure or pass on the bytes say nothing about their contents. */
const neutral =
  /^(len|is_empty|data_len|data_is_empty|borrow|borrow_mut|drop|try_borrow_data|to_account_info|key|clone|sol_log_data)$|!$/

/** `TlvStateMut` and the like exist to change the data, which the runtime permits only to its owner. */
const isMutableView = (event: Event): boolean => {
  const type = readType(event)
  return type?.kind === "named" && type.definition === undefined && type.name.endsWith("Mut")
}

/** The functions that read the instructions sysvar; its address is left to another rule. */
const introspects = /^load_(instruction|current)|^get_instruction_relative/

/** The first operation on each account's bytes that interprets them, by the bytes. */
const firstOnBytes = oncePer((instruction: Instruction): ReadonlyMap<Term, Event> => {
  const found = new Map<Term, Event>()
  const note = (term: Term, event: Event): void => {
    if (!found.has(term)) found.set(term, event)
  }
  for (const event of instruction.events) {
    if (event.kind === "operation" && event.operator === "[]") note(event.left.term, event)
    if (event.kind !== "call" || neutral.test(event.name) || event.target !== undefined) continue
    if (isSysvarType(readType(event)) || isMutableView(event) || introspects.test(event.name)) continue
    for (const { term } of event.args) {
      note(term, event)
      if (term.kind === "call" && term.name === "slice" && term.args[0] !== undefined) note(term.args[0], event)
    }
  }
  return found
})

/** The first place where the account's bytes are interpreted. */
export const firstRead = (instruction: Instruction, account: Account): Event | undefined => {
  const read = usesOf(instruction, account).find(
    ({ kind, event }) =>
      kind === "deserialize" &&
      !isSysvarType(readType(event)) &&
      !isMutableView(event) &&
      !(event.kind === "call" && introspects.test(event.name)),
  )
  const bytes = firstOnBytes(instruction).get(dataOf(instruction.walk.terms, account.term))
  if (read === undefined || bytes === undefined) return read?.event ?? bytes
  return read.event.order < bytes.order ? read.event : bytes
}

/** Reads that copy: assignments to the copy are written back by another call. */
const copies = /^(unpack|try_from_slice|deserialize|try_deserialize|decode|from_slice|get_packed_len)/

/** Whether state in the account's own bytes, as returned by casts and `load_mut`, is assigned to. */
export const isWrittenInPlace = (instruction: Instruction, account: Pick<Account, "term">): boolean => {
  const uses = usesOf(instruction, account)
  const reads = uses.flatMap(({ kind, event }) => (kind === "deserialize" && event.kind === "call" ? [event] : []))
  return (
    reads.length > 0 && !reads.some(({ name }) => copies.test(name)) && uses.some(({ kind }) => kind === "state-write")
  )
}

/** `RefMut::map(account.try_borrow_mut_data()?, …).price = price`: what is assigned to through a view of the bytes. */
const writtenThrough = oncePer((instruction: Instruction): ReadonlySet<Term> =>
  everySubterm(
    ofKind(instruction.events, "assign").flatMap((event) => {
      if (event.target.term.kind !== "field") return []
      const view = rootOf(event.target.term)
      return view.kind === "call" && view.name === "map" ? [view] : []
    }),
  ),
)

/** The runtime lets a program change the data of its own accounts only, and take lamports from no others. */
export const isChanged = (instruction: Instruction, account: Account): boolean =>
  isWrittenInPlace(instruction, account) ||
  writtenThrough(instruction).has(dataOf(instruction.walk.terms, account.term)) ||
  usesOf(instruction, account).some(
    ({ kind, event }) =>
      kind === "data-write" || (kind === "lamports-write" && event.kind === "assign" && event.operator !== "+"),
  )

/** In a call with tokens or a mint, the token program inspects them. */
const isToken = (instruction: Instruction, account: Account): boolean =>
  usesOf(instruction, account).some(({ kind, event }) => {
    const type = kind === "deserialize" ? readType(event) : undefined
    return isTokenAccountType(type) || isMintType(type)
  })

/** The runtime ensures that the owner agrees, or the token program does if tokens move. */
export const runtimeChecks = (instruction: Instruction, account: Account): boolean =>
  isChanged(instruction, account) ||
  cpisOf(instruction).some(
    (cpi) =>
      (movesValue(cpi) || isToken(instruction, account)) &&
      cpi.accounts.some(({ term }) => mentions(term, (one) => one === account.term)),
  )
