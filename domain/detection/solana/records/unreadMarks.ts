import { type AssignEvent, type Event, knownAt, ofKind, passedAt } from "../../rust/terms/events.ts"
import { everySubterm, mentions, type Term } from "../../rust/terms/terms.ts"
import { isPrivileged, signersOf } from "../authority/authorization.ts"
import { movesValue } from "../questions/cpi.ts"
import { isCreated } from "../authority/creation.ts"
import type { Account, Instruction, SolanaCrate } from "../program/model.ts"
import { accountOfState, lamportsOf, stateOf } from "../program/semantics.ts"
import { roleOf, signedCpisOf } from "../questions/signedCpi.ts"

/** A record is marked as done, but the accompanying action can be repeated. */
export interface UnreadMark {
  readonly account: Account
  readonly mark: AssignEvent
  readonly repeated: Event
}

/** A field or state that marks an action as completed. */
const done =
  /(^|_)(done|claimed|paid|executed|finished|finalized|settled|redeemed|cancell?ed|completed|withdrawn|voted|approved|used|released|refunded|resolved|consumed|processed)$/i

const isMark = ({ operator, target: { term: target }, value: { term: value } }: AssignEvent): boolean =>
  operator === "=" &&
  target.kind === "field" &&
  ((value.kind === "literal" && value.value === "true" && done.test(target.name)) ||
    (value.kind === "constant" && done.test(value.name)))

const isNew = (instruction: Instruction, account: Account): boolean =>
  account.constraints?.init === true ||
  account.constraints?.initIfNeeded === true ||
  account.constraints?.zero === true ||
  isCreated(instruction, account)

/** What an instruction pays or counts, and in which record; an account can only be emptied once. */
const effectsOf = (instruction: Instruction): ReadonlyArray<{ readonly event: Event; readonly in?: Term }> => {
  const { terms } = instruction.walk
  const signers = new Set(signersOf(instruction))
  const kept = new Set(instruction.accounts.flatMap((one) => (signers.has(one) ? [] : [lamportsOf(terms, one.term)])))
  const paid = signedCpisOf(instruction).flatMap((cpi) => {
    if (!movesValue(cpi)) return []
    const from = roleOf(cpi, "from")
    const held = from === undefined ? undefined : stateOf(terms, from)
    return cpi.args.some((term) => mentions(term, (one) => one === held)) ? [] : [{ event: cpi.event }]
  })
  const found: Array<{ readonly event: Event; readonly in?: Term }> = paid.slice(0, 1)
  for (const event of ofKind(instruction.events, "assign")) {
    if (event.operator === "-" && kept.has(event.target.term)) found.push({ event })
    const counted = event.operator === "+" ? accountOfState(event.target.term) : undefined
    // Two records are enough: at least one of them is not the marked one.
    if (counted !== undefined && !found.some((one) => one.in === counted)) found.push({ event, in: counted })
    if (found.length > 1) break
  }
  return found
}

/** Everything on the path that decides whether it happens, or how much is paid. */
const askedIn = ({ walk, events }: Instruction): ReadonlySet<Term> =>
  everySubterm([
    ...walk.success,
    ...knownAt(events),
    ...ofKind(events, "check").flatMap(({ conditions }) => conditions),
    ...passedAt(events),
    ...ofKind(events, "assign").map(({ value }) => value.term),
  ])

/** Records that an instruction marks as done without checking, on any path, the fields that it changes. */
export const unreadMarks = (crate: SolanaCrate): ReadonlyArray<UnreadMark> =>
  crate.instructions.flatMap((instruction): ReadonlyArray<UnreadMark> => {
    const marks = ofKind(instruction.events, "assign").filter(isMark)
    if (marks.length === 0 || isPrivileged(crate, instruction)) return []
    const asked = askedIn(instruction)
    const askedOf = new Set(
      ofKind(instruction.events, "assign").flatMap((event) =>
        asked.has(event.target.term) ? [accountOfState(event.target.term)] : [],
      ),
    )
    const effects = effectsOf(instruction)
    const byTerm = new Map(instruction.accounts.map((one) => [one.term, one] as const))
    return marks.flatMap((mark): ReadonlyArray<UnreadMark> => {
      const holder = accountOfState(mark.target.term)
      const account = holder === undefined ? undefined : byTerm.get(holder)
      if (account === undefined || account.constraints?.close !== undefined || isNew(instruction, account)) return []
      const repeated = askedOf.has(holder) ? undefined : effects.find((one) => one.in !== holder)?.event
      return repeated === undefined ? [] : [{ account, mark, repeated }]
    })
  })

/** A condition that nothing was claimed, paid or executed yet, on a mark that no instruction ever sets. */
export const neverMarked = (
  crate: SolanaCrate,
): ReadonlyArray<{ readonly mark: string; readonly event: Event & { readonly kind: "check" } }> => {
  const set = new Set<string>()
  const isUnset = (value: Term): boolean => value.kind === "literal" && value.value === "false"
  for (const { events } of crate.instructions)
    for (const { target, value } of ofKind(events, "assign"))
      if (target.term.kind === "field" && !isUnset(value.term)) set.add(target.term.name)
  for (const { events } of crate.instructions)
    for (const { value } of ofKind(events, "struct"))
      if (value.term.kind === "struct")
        for (const [name, field] of value.term.fields) if (!isUnset(field)) set.add(name)
  return crate.instructions.flatMap((instruction) => {
    if (instruction.walk.truncated || isPrivileged(crate, instruction)) return []
    const asking = ofKind(instruction.events, "check").flatMap((event) =>
      event.conditions.flatMap((one) => {
        const mark = one.kind === "not" && one.operand.kind === "field" ? one.operand : undefined
        const isOpen = mark !== undefined && done.test(mark.name.replace(/^(is|was|has)_/, "_")) && !set.has(mark.name)
        return isOpen && accountOfState(mark) !== undefined ? [{ mark: mark.name, event }] : []
      }),
    )
    return asking.length > 0 && effectsOf(instruction).length > 0 ? asking : []
  })
}
