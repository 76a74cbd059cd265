import type { CallEvent, Event, Value } from "../../rust/terms/events.ts"
import { mentions, type Term } from "../../rust/terms/terms.ts"
import { isCreated } from "../creation.ts"
import type { Account, Instruction } from "../model.ts"
import { keyOf } from "../semantics.ts"

/** Operations on an account, or on its key, that do not use it. */
const passive =
  /^(key|clone|to_account_info|as_ref|as_key_ref|deref|borrow|eq|ne|to_bytes|to_string|into|cmp|some|from|from_ref)$|!$/

const isPassive = (event: Event): boolean => event.kind === "call" && passive.test(event.name)

/** Whether its address is compared and nothing else is done with it: it can only be there to consent. */
export const servesAsIdentity = (instruction: Instruction, account: Account): boolean => {
  const about = ({ term }: Value): boolean => mentions(term, (one) => one === account.term)
  // Events emitted for listeners are not stored.
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

/** Whether a struct records the account's address, other than an instruction for another program. */
const isKeyStored = (struct: Term, account: Term): boolean =>
  struct.kind === "struct" &&
  !isForeignCall.test(struct.path) &&
  struct.fields.some(([, value]) => value !== account && mentions(value, (one) => one === account))

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
