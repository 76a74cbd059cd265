import type { AssignEvent, Event } from "../rust/terms/events.ts"
import { type Facts, factsNotMet } from "../rust/terms/facts.ts"
import { everySubterm, mentions, type Term } from "../rust/terms/terms.ts"
import { isPrivileged, signersOf } from "./authorization.ts"
import { movesValue } from "./cpi.ts"
import { isCreated } from "./creation.ts"
import type { Account, Instruction, SolanaCrate } from "./model.ts"
import { accountOfState, lamportsOf, stateOf } from "./semantics.ts"
import { roleOf, signedCpisOf } from "./signedCpi.ts"

/** A record is marked as done, and what is done along with it may be done again. */
export interface UnreadMark {
  readonly account: Account
  readonly mark: AssignEvent
  readonly repeated: Event
}

/** What is over once it has happened: a field that says so, or a state. */
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

/** What is paid for the record, or counted in another one; emptying an account does not happen twice. */
const repeatedWith = (instruction: Instruction, record: Account): Event | undefined => {
  const { terms } = instruction.walk
  for (const cpi of signedCpisOf(instruction)) {
    if (!movesValue(cpi)) continue
    const from = roleOf(cpi, "from")
    const held = from === undefined ? undefined : stateOf(terms, from)
    if (!cpi.args.some((term) => mentions(term, (one) => one === held))) return cpi.event
  }
  const signers = signersOf(instruction)
  return instruction.events.find((event) => {
    if (event.kind !== "assign" || (event.operator !== "+" && event.operator !== "-")) return false
    const counted = accountOfState(event.target.term)
    if (event.operator === "+") return counted !== undefined && counted !== record.term
    return instruction.accounts.some(
      (one) => !signers.includes(one) && lamportsOf(terms, one.term) === event.target.term,
    )
  })
}

/** All that decides on the way whether, or how much. */
const askedIn = ({ walk, events }: Instruction): ReadonlySet<Term> => {
  const met = new Set<Facts>()
  const asked: Array<Term> = [...walk.success]
  for (const event of events) {
    for (const fact of factsNotMet(event.facts, met)) asked.push(fact)
    if (event.kind === "check") asked.push(...event.conditions)
    if (event.kind === "call") asked.push(...event.args.map(({ term }) => term))
    if (event.kind === "assign") asked.push(event.value.term)
  }
  return everySubterm(asked)
}

/** Records that an instruction marks as done without having asked, on any path, what it changes of them. */
export const unreadMarks = (crate: SolanaCrate): ReadonlyArray<UnreadMark> =>
  crate.instructions.flatMap((instruction): ReadonlyArray<UnreadMark> => {
    const marks = instruction.events.flatMap((event) => (event.kind === "assign" && isMark(event) ? [event] : []))
    if (marks.length === 0 || isPrivileged(crate, instruction)) return []
    const asked = askedIn(instruction)
    return marks.flatMap((mark): ReadonlyArray<UnreadMark> => {
      const holder = accountOfState(mark.target.term)
      const account = instruction.accounts.find(({ term }) => term === holder)
      if (account === undefined || account.constraints?.close !== undefined || isNew(instruction, account)) return []
      const isAsked = instruction.events.some(
        (event) =>
          event.kind === "assign" && accountOfState(event.target.term) === holder && asked.has(event.target.term),
      )
      const repeated = isAsked ? undefined : repeatedWith(instruction, account)
      return repeated === undefined ? [] : [{ account, mark, repeated }]
    })
  })
