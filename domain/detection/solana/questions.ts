import { type Event, guaranteed } from "../rust/events.ts"
import { mentions, type Term } from "../rust/terms.ts"
import { checksOf } from "./checks.ts"
import { cpiOf } from "./cpi.ts"
import type { Account, AccountCheck, AccountUse, Cpi, Instruction } from "./model.ts"
import { accountOfState } from "./semantics.ts"

/** Every cross-program call of an instruction, in order. */
export const cpisOf = (instruction: Instruction): ReadonlyArray<Cpi> =>
  instruction.events.flatMap((event) => (event.kind === "call" ? (cpiOf(event) ?? []) : []))

const isLamports = (term: Term, account: Term): boolean =>
  term.kind === "field" && term.name === "lamports" && term.base === account
const isData = (term: Term, account: Term): boolean => {
  for (let one = term; ;) {
    if (one.kind === "field" && one.name === "data") return one.base === account
    if (one.kind === "field" || one.kind === "element" || one.kind === "payload") one = one.base
    else if (one.kind === "call" && one.name === "slice" && one.args[0] !== undefined) one = one.args[0]
    else return false
  }
}
const serialisers =
  /^(pack|pack_into_slice|serialize|try_serialize|serialize_into|copy_from_slice|clone_from_slice|fill|sol_memset|sol_memcpy|write_all|to_writer|exit)$/

/** What an instruction does with an account, in order. */
export const usesOf = (instruction: Instruction, account: Pick<Account, "term">): ReadonlyArray<AccountUse> => {
  const { term } = account
  const uses: Array<AccountUse> = []
  const add = (kind: AccountUse["kind"], event: Event): void => {
    uses.push({ kind, event })
  }
  for (const event of instruction.events) {
    if (event.kind === "call") {
      const { result } = event
      if (
        result.term.kind === "call" &&
        result.term.name === "state" &&
        result.term.args[0] === term &&
        event.name !== "load_init"
      )
        add("deserialise", event)
      const written = serialisers.test(event.name) && event.args.some((one) => isData(one.term, term))
      if (written) add("data-write", event)
      const cpi = cpiOf(event)
      if (cpi !== undefined) {
        if (
          cpi.program !== undefined &&
          (cpi.program === term || (cpi.program.kind === "field" && cpi.program.base === term))
        )
          add("cpi-program", event)
        if (cpi.accounts.some((one) => one.term === term || mentions(one.term, (inner) => inner === term)))
          add("cpi-account", event)
      }
    } else if (event.kind === "assign") {
      const target = event.target.term
      if (isLamports(target, term)) add("lamports-write", event)
      else if (isData(target, term)) add("data-write", event)
      else if (accountOfState(target) === term) add("state-write", event)
    } else if (event.kind === "read") {
      const read = event.value.term
      if (isLamports(read, term)) add("lamports-read", event)
      else if (isData(read, term)) add("data-read", event)
      else if (accountOfState(read) === term) add("state-read", event)
    }
  }
  return uses
}

/** Checks of an account that hold whenever the instruction succeeds, on the paths that take the account at all. */
export const checksWhenDone = (
  instruction: Instruction,
  account: Pick<Account, "term" | "taken">,
): ReadonlyArray<AccountCheck> =>
  checksOf(account.term, account.taken === undefined ? instruction.walk.success : guaranteed(account.taken))

/** Checks of an account on some path: they may not protect all uses, but somebody thought of it. */
export const checksSomewhere = (
  instruction: Instruction,
  account: Pick<Account, "term">,
): ReadonlyArray<AccountCheck> =>
  instruction.events.flatMap((event) =>
    event.kind === "check" ? checksOf(account.term, new Set(event.conditions)) : [],
  )

/** Checks of an account on every successful path through an event, before or after it. */
export const checksAround = (event: Event, account: Pick<Account, "term">): ReadonlyArray<AccountCheck> =>
  checksOf(account.term, guaranteed(event))

/** The account that a term is, or belongs to: `vault`, `vault.key`, `vault.amount` are all of `vault`. */
export const accountIn = (instruction: Instruction, term: Term): Account | undefined =>
  instruction.accounts.find((one) => one.term === term) ??
  instruction.accounts.find((one) => mentions(term, (inner) => inner === one.term))

/** Whether the instruction changes anything: state, data, lamports, or through another program. */
export const isMutating = (instruction: Instruction): boolean =>
  instruction.accounts.some((one) => one.constraints?.init === true || one.constraints?.close !== undefined) ||
  instruction.events.some((event) => {
    if (event.kind === "call") return cpiOf(event) !== undefined || serialisers.test(event.name)
    if (event.kind !== "assign") return false
    const { term } = event.target
    return accountOfState(term) !== undefined || (term.kind === "field" && term.name === "lamports")
  })

/** Whether an argument of the caller reaches a term. */
export const isFromCaller = (instruction: Instruction, term: Term): boolean =>
  instruction.arguments.some((argument) => mentions(term, (one) => one === argument.term))

/** Whether another account's state, or a constant, fixes what a term is compared with. */
export const isTrusted = (term: Term): boolean =>
  term.kind === "constant" ||
  mentions(term, (one) => one.kind === "call" && (one.name === "state" || one.name.endsWith("program_address")))
