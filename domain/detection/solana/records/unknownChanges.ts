import { oncePer } from "../../oncePer.ts"
import type { AssignEvent, Event } from "../../rust/terms/events.ts"
import { dividersOf } from "../../rust/terms/otherBranch.ts"
import { everySubterm, type Term } from "../../rust/terms/terms.ts"
import { firstRead } from "../authority/ownership.ts"
import type { Account, Instruction } from "../program/model.ts"
import { dataOf, keyOf, stateOf } from "../program/semantics.ts"
import { checksAround, cpisOf, usesOf } from "../questions/questions.ts"

/** What an instruction takes from, or writes over, an account that nothing identifies. */
export interface UnknownChange {
  readonly account: Account
  readonly event: Event
  readonly what: "debit" | "overwrite"
}

/** `source - amount`, `source.checked_sub(amount)`, `0`, but not `target + amount`. */
const isDebit = ({ operator, value: { term } }: AssignEvent): boolean => {
  if (operator !== "=") return operator === "-"
  if (term.kind === "literal") return term.value === "0"
  return (
    (term.kind === "binary" && term.operator === "-") ||
    (term.kind === "call" && /^(checked|saturating)_sub$/.test(term.name))
  )
}

/** The first change that the runtime allows for any account of the program. */
const changeOf = (instruction: Instruction, account: Account): UnknownChange | undefined => {
  const read = firstRead(instruction, account)
  // On the same path, its contents were checked, or are the old value of what is written.
  const isRead = (event: Event): boolean =>
    read !== undefined && read !== event && dividersOf(instruction.walk.terms, event, read).length === 0
  for (const { kind, event } of usesOf(instruction, account)) {
    const isTaken = kind === "lamports-write" && event.kind === "assign" && isDebit(event)
    if ((isTaken || kind === "data-write") && !isRead(event))
      return { account, event, what: isTaken ? "debit" : "overwrite" }
  }
  return undefined
}

/** Everything that a successful instruction knows something about. */
const knownParts = oncePer(({ walk: { success } }: Instruction): ReadonlySet<Term> =>
  everySubterm([...success].filter((fact) => fact.kind !== "not")),
)

/** Whether it is created here on every path, so that it does not belong to anyone yet. */
const isMade = (instruction: Instruction, account: Account): boolean =>
  cpisOf(instruction).some(
    ({ event, accounts, instruction: path }) =>
      /create|allocate|assign|Create|Allocate|Assign/.test(path) &&
      instruction.walk.success.has(instruction.walk.terms.succeeded(event.result.term)) &&
      accounts.some(({ term }) => term === account.term),
  )

/** Changes of accounts whose address, contents, signature and newness are never checked. */
export const unknownChanges = (instruction: Instruction): ReadonlyArray<UnknownChange> => {
  const { terms } = instruction.walk
  const known = knownParts(instruction)
  return instruction.accounts.flatMap((account) => {
    if (account.wrapper !== "raw") return []
    const change = changeOf(instruction, account)
    if (change === undefined) return []
    const parts = [keyOf(terms, account.term), stateOf(terms, account.term), dataOf(terms, account.term)]
    if (parts.some((part) => known.has(part))) return []
    if (checksAround(change.event, account).some(({ kind }) => kind !== "owner" && kind !== "distinct")) return []
    return isMade(instruction, account) ? [] : [change]
  })
}
