import { oncePer } from "../../oncePer.ts"
import { type CallEvent, type Event, ofKind } from "../../rust/terms/events.ts"
import { everySubterm, mentions, subterms, type Term } from "../../rust/terms/terms.ts"
import { isCreated } from "../authority/creation.ts"
import type { Account, Instruction } from "../program/model.ts"
import { keyOf } from "../program/semantics.ts"

/** Operations on an account, or on its key, that do not use it. */
const passive =
  /^(key|clone|to_account_info|as_ref|as_key_ref|deref|borrow|eq|ne|to_bytes|to_string|into|cmp|some|from|from_ref)$|!$/

const isPassive = (event: Event): boolean => event.kind === "call" && passive.test(event.name)

/** Terms that the instruction uses, changes, destructures or stores. */
const activeTerms = oncePer(({ events }: Instruction): ReadonlySet<Term> => {
  // Events emitted for listeners are not stored.
  const told = new Set(
    ofKind(events, "call").flatMap((event) =>
      /^emit\w*!$/.test(event.name) ? event.args.map(({ term }) => term) : [],
    ),
  )
  const found: Array<Term> = []
  for (const event of events)
    if (event.kind === "call") {
      if (!isPassive(event) && !isComparison(event)) for (const { term } of event.args) found.push(term)
    } else if (event.kind === "assign") found.push(event.target.term, event.value.term)
    else if (event.kind === "read") found.push(...subterms(event.value.term))
    else if (event.kind === "struct" && !told.has(event.value.term)) found.push(...keysStored(event.value.term))
  return everySubterm(found)
})

/** Its address is compared, and nothing else is done with it: it can only be there to agree. */
export const servesAsIdentity = (instruction: Instruction, account: Account): boolean =>
  !activeTerms(instruction).has(account.term)

const isComparison = ({ result, target }: CallEvent): boolean =>
  target !== undefined || result.term.kind === "binary" || result.term.kind === "not"

const isForeignCall = /(^|::)(Instruction|AccountMeta|CpiContext)$/

/** Parts of what a struct records, such as an account's address, other than an instruction for another program. */
const keysStored = (struct: Term): ReadonlyArray<Term> =>
  struct.kind === "struct" && !isForeignCall.test(struct.path)
    ? struct.fields.flatMap(([, value]) => subterms(value))
    : []

const isKeyStored = (struct: Term, account: Term): boolean =>
  keysStored(struct).some((part) => mentions(part, (one) => one === account))

/** Whether its address is stored in a record that Anchor creates here, and nothing else is done with it. */
export const isRecordedOnly = (instruction: Instruction, account: Account): boolean => {
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
