import { indexBy } from "../../indexBy.ts"
import { oncePer } from "../../oncePer.ts"
import { type CallEvent, type CheckEvent, type Event, guaranteed, ofKind } from "../../rust/terms/events.ts"
import { everySubterm, mentions, type Term } from "../../rust/terms/terms.ts"
import { bySubject, checksOf } from "./checks.ts"
import { cpiOf } from "./cpi.ts"
import type { Account, AccountCheck, AccountUse, Cpi, Instruction } from "../program/model.ts"
import { accountOfState, keyOf } from "../program/semantics.ts"

/** Every cross-program call of an instruction, in order. */
export const cpisOf = oncePer((instruction: Instruction): ReadonlyArray<Cpi> =>
  ofKind(instruction.events, "call").flatMap((event) => cpiOf(event) ?? []),
)

const accountOfLamports = (term: Term): Term | undefined =>
  term.kind === "field" && term.name === "lamports" ? term.base : undefined
const accountOfData = (term: Term): Term | undefined => {
  for (let one = term; ;) {
    if (one.kind === "field" && one.name === "data") return one.base
    if (one.kind === "field" || one.kind === "element" || one.kind === "payload") one = one.base
    else if (one.kind === "call" && one.name === "slice" && one.args[0] !== undefined) one = one.args[0]
    else return undefined
  }
}
const serializers =
  /^(pack|pack_into_slice|serialize|try_serialize|serialize_into|copy_from_slice|clone_from_slice|fill|sol_memset|sol_memcpy|write_all|to_writer|exit)$/

/** The accounts in what Anchor makes of a program's instructions for its callers: `lender::accounts::Redeem { vault: vault.key() }`. */
const listedIn = (made: Term): ReadonlyArray<Term> =>
  made.kind === "struct" && made.definition === undefined && /(^|::)accounts::\w+$/.test(made.path)
    ? made.fields.flatMap(([, key]) => (key.kind === "field" && key.name === "key" ? [key.base] : []))
    : []

/** What an instruction does with each place that may be an account. */
const usesIn = oncePer((instruction: Instruction): ReadonlyMap<Term, ReadonlyArray<AccountUse>> => {
  const uses = new Map<Term, Array<AccountUse>>()
  const add = (account: Term | undefined, kind: AccountUse["kind"], event: Event): void => {
    if (account === undefined) return
    const own = uses.get(account)
    if (own === undefined) uses.set(account, [{ kind, event }])
    else own.push({ kind, event })
  }
  const addPlace = (place: Term, access: "read" | "write", event: Event): void => {
    const lamports = accountOfLamports(place)
    const data = accountOfData(place)
    const state = accountOfState(place)
    add(lamports, `lamports-${access}`, event)
    if (data !== lamports) add(data, `data-${access}`, event)
    if (state !== lamports && state !== data) add(state, `state-${access}`, event)
  }
  for (const event of instruction.events) {
    if (event.kind === "assign") addPlace(event.target.term, "write", event)
    else if (event.kind === "read") addPlace(event.value.term, "read", event)
    else if (event.kind === "struct")
      for (const account of listedIn(event.value.term)) add(account, "cpi-account", event)
    else if (event.kind === "call") {
      const { term } = event.result
      if (term.kind === "call" && term.name === "state" && event.name !== "load_init")
        add(term.args[0], "deserialize", event)
      if (serializers.test(event.name))
        for (const account of new Set(event.args.map((one) => accountOfData(one.term))))
          add(account, "data-write", event)
      const cpi = cpiOf(event)
      if (cpi === undefined) continue
      add(cpi.program, "cpi-program", event)
      if (cpi.program?.kind === "field") add(cpi.program.base, "cpi-program", event)
      for (const account of everySubterm(cpi.accounts.map(({ term }) => term))) add(account, "cpi-account", event)
    }
  }
  return uses
})

/** Calls that only tell listeners. */
const tells = /^(emit\w*|msg|debug\w*|info|log|print(ln)?|format|sol_log\w*)!?$/

/** Whether a call hands its arguments to code that is not seen: what a followed function does comes as events of its own. */
export const isUnseenCall = ({ walk }: Instruction, { name, target }: CallEvent): boolean =>
  !tells.test(name) && (target?.item.body === undefined || walk.notFollowed.has(target))

/** Operations that only pass on an account or report its address. */
export const neutral =
  /^(key|to_account_info|to_account_metas|as_ref|clone|borrow|borrow_mut|next_account_info|into|iter|owner|is_owned_by)$|^(check|assert|validate|verify|ensure)_|!$/

/**
 * Whether code that is not seen receives several accounts, and may change one: it may move what is in it to another.
 */
export const isHandedOver = oncePer((instruction: Instruction): boolean =>
  ofKind(instruction.events, "call").some((event) => {
    if (event.args.length < 2 || !isUnseenCall(instruction, event) || neutral.test(event.name)) return false
    const given = event.args.flatMap(({ term }) => accountAt(instruction, term) ?? [])
    return given.length > 1 && given.some(({ constraints }) => constraints?.mutable) && cpiOf(event) === undefined
  }),
)

/** The uses of an account in an instruction, in order. */
export const usesOf = (instruction: Instruction, account: Pick<Account, "term">): ReadonlyArray<AccountUse> =>
  usesIn(instruction).get(account.term) ?? []

/** Checks of an account that hold whenever the instruction succeeds, on the paths that take the account at all. */
export const checksWhenDone = (
  instruction: Instruction,
  account: Pick<Account, "term" | "taken">,
): ReadonlyArray<AccountCheck> =>
  checksOf(account.term, account.taken === undefined ? instruction.walk.success : guaranteed(account.taken))

/** What a successful instruction knows about a term, or anything that contains it. */
export const successAbout = (instruction: Instruction, term: Term): ReadonlyArray<Term> =>
  mentioning(instruction).get(term) ?? []

const mentioning = oncePer(({ walk: { success } }: Instruction) => indexBy(success, (fact) => everySubterm([fact])))

const askedByAccount = oncePer((instruction: Instruction): ReadonlyMap<Term, ReadonlyArray<Asked>> => {
  const all = ofKind(instruction.events, "check").flatMap((event) => [{ event, facts: new Set(event.conditions) }])
  return bySubject(all, ({ facts }) => facts)
})

interface Asked {
  readonly event: CheckEvent
  readonly facts: ReadonlySet<Term>
}

/** Conditions that may ask something of an account, by where they are. */
export const askedOf = (instruction: Instruction, account: Pick<Account, "term">): ReadonlyArray<Asked> =>
  askedByAccount(instruction).get(account.term) ?? []

/** Checks of an account on some path: they may not protect all uses, but show that it was considered. */
export const checksSomewhere = (
  instruction: Instruction,
  account: Pick<Account, "term">,
): ReadonlyArray<AccountCheck> => askedOf(instruction, account).flatMap(({ facts }) => checksOf(account.term, facts))

/** Checks of an account on every successful path through an event, before or after it. */
export const checksAround = (event: Event, account: Pick<Account, "term">): ReadonlyArray<AccountCheck> =>
  checksOf(account.term, guaranteed(event))

/** The accounts of an instruction by the terms of their addresses. */
export const accountsByKey = oncePer((instruction: Instruction): ReadonlyMap<Term, ReadonlyArray<Account>> => {
  const { terms } = instruction.walk
  return Map.groupBy(instruction.accounts, ({ term }) => keyOf(terms, term))
})

/** The account that a term is. */
export const accountAt = (instruction: Instruction, term: Term | undefined): Account | undefined =>
  term === undefined ? undefined : instruction.accounts[positionsOf(instruction).get(term) ?? -1]

/** The account that a term is, or belongs to: `vault`, `vault.key`, `vault.amount` all belong to `vault`. */
export const accountIn = (instruction: Instruction, term: Term): Account | undefined => {
  const positions = positionsOf(instruction)
  let first = positions.get(term) ?? instruction.accounts.length
  if (first === instruction.accounts.length)
    for (const part of everySubterm([term])) first = Math.min(first, positions.get(part) ?? first)
  return instruction.accounts[first]
}

/** Where the first account with each term is. */
const positionsOf = oncePer(
  ({ accounts }: Instruction): ReadonlyMap<Term, number> =>
    new Map(accounts.map(({ term }, at) => [term, at] as const).toReversed()),
)

/** Whether the instruction changes anything: state, data, lamports, or through another program. */
export const isMutating = oncePer((instruction: Instruction): boolean => {
  const given = new Set(instruction.accounts.map(({ term }) => term))
  return (
    isHandedOver(instruction) ||
    instruction.accounts.some(
      ({ constraints }) =>
        constraints?.init === true || constraints?.close !== undefined || constraints?.realloc !== undefined,
    ) ||
    instruction.events.some((event) => {
      if (event.kind === "call") return cpiOf(event) !== undefined || serializers.test(event.name)
      if (event.kind !== "assign") return false
      const { term } = event.target
      if (accountOfState(term) !== undefined || (term.kind === "field" && term.name === "lamports")) return true
      // A struct that lies in an account's bytes, however it was taken from them.
      return mentions(term, (one) => one.kind === "field" && one.name === "data" && given.has(one.base))
    })
  )
})

/** Whether an argument from the caller reaches a term. */
export const isFromCaller = (instruction: Instruction, term: Term): boolean => {
  const given = argumentTerms(instruction)
  return given.size > 0 && mentions(term, (one) => given.has(one))
}

export const argumentTerms = oncePer(
  (instruction: Instruction): ReadonlySet<Term> => new Set(instruction.arguments.map(({ term }) => term)),
)

/** Whether another account's state, or a constant, determines what a term is compared with. */
export const isTrusted = (term: Term): boolean =>
  term.kind === "constant" ||
  mentions(term, (one) => one.kind === "call" && (one.name === "state" || one.name.endsWith("program_address")))
