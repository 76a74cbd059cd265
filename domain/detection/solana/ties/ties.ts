import { oncePer } from "../../oncePer.ts"
import type { StructDefinition } from "../../rust/crate/crate.ts"
import { everySubterm, mentions, subterms, type Term } from "../../rust/terms/terms.ts"
import { definitionOf, isNamed } from "../../rust/crate/types.ts"
import { isNamedLikeCheck } from "../questions/checks.ts"
import type { Account, Instruction } from "../program/model.ts"
import { structOf } from "../authority/relations.ts"
import { accountOfState, isGetter } from "../program/semantics.ts"
import { ofKind } from "../../rust/terms/events.ts"

/**
 * What an account is compared with: one side of an equality is its address or a value it stores; the other is a
 * constant, a derived address, or belongs to another account.
 */
export interface Tie {
  /** Equal for all instructions with the same comparison: `Pool.vault`, `=TREASURY`, `seeds vault`, `own owner`. */
  readonly slot: string
  /** The account on the other side, and its struct in the project. */
  readonly other: Account | undefined
  readonly struct: StructDefinition | undefined
  /** Whether it determines the account: a value that it stores itself, such as a mint, may be the same in many. */
  readonly pins: boolean
  /** Whether something else may hold in its place: `signer == record.owner || signer == group.admin`. */
  readonly either: boolean
}

type Found = Omit<Tie, "either">

type Side =
  | { readonly kind: "key"; readonly account: Account }
  | { readonly kind: "state"; readonly account: Account; readonly path: string }
  | { readonly kind: "fixed"; readonly slot: string }
  | { readonly kind: "made"; readonly slot: string; readonly address: Term; readonly from: ReadonlyArray<Account> }

const literalsIn = (term: Term): string => {
  const found: Array<string> = []
  mentions(term, (one) => {
    if (one.kind === "literal" && one.type !== "integer") found.push(one.value)
    if (one.kind === "constant" && !/(^|::)ID$/.test(one.path)) found.push(one.name)
    return false
  })
  return found.toSorted().join(",")
}

export const isMade = (term: Term): boolean =>
  mentions(term, (one) => one.kind === "call" && /program_address$|associated_token_address/.test(one.name))

/** Copies and conversions of an address. */
export const bare = (term: Term): Term => {
  for (let one: Term = term; ;) {
    if (one.kind === "cast") one = one.value
    else if (
      one.kind === "call" &&
      one.args.length === 1 &&
      /^(key|from|into|to_bytes|as_ref|as_array|new_from_array|new|unwrap_or_default|ok_or)$/.test(one.name)
    )
      one = one.args[0]!
    else return one
  }
}

/** The accounts whose keys or data are seeds of an address; the caller cannot choose the bump. */
const seedsIn = (address: Term, accounts: ReadonlyMap<Term, Account>): ReadonlyArray<Account> => {
  const found = new Set<Account>()
  const parts = new Set([address])
  // A set also iterates over what is added in the meantime.
  for (const part of parts) {
    const account = accounts.get(part)
    if (account !== undefined) found.add(account)
    for (const inner of isBump(part) ? [] : subterms(part)) parts.add(inner)
  }
  return [...found]
}

/** The caller cannot choose an address's bump. */
export const isBump = (term: Term): boolean =>
  (term.kind === "field" || term.kind === "parameter") && /(^|_)bump(_|$)/.test(term.name)

const takesOut = /^(first|last|get|slice|deserialize_\w+)$/

const sideOf = (term: Term, accounts: ReadonlyMap<Term, Account>): Side | undefined => {
  const one: Term = bare(term)
  if (one.kind === "choice")
    return one.alternatives.map((each) => sideOf(each, accounts)).find((each) => each !== undefined)
  const own = accounts.get(one)
  if (own !== undefined) return { kind: "key", account: own }
  if (isMade(one))
    return {
      kind: "made",
      slot: `seeds ${literalsIn(one)}`,
      address: one,
      from: seedsIn(one, accounts),
    }
  const path: Array<string> = []
  for (let at: Term = one; ;) {
    if (at.kind === "field") {
      const holder = accounts.get(at.base)
      if (holder !== undefined && at.name === "key") return { kind: "key", account: holder }
      path.unshift(at.name)
      at = at.base
    } else if (at.kind === "element") {
      // An element of a list: the caller chooses which one.
      path.unshift("[]")
      at = at.base
    } else if (at.kind === "payload") at = at.base
    // `Header::deserialize_slice(list, index)?.first()`: what a library takes out of the data.
    else if (at.kind === "call" && at.args[0] !== undefined && takesOut.test(at.name)) {
      path.unshift("[]")
      at = at.args[0]
    } else if (at.kind === "call" && isGetter(at)) {
      path.unshift(at.name)
      at = at.args[0]!
    } else if (at.kind === "call" && at.name === "state" && at.args[0] !== undefined) {
      const holder = accounts.get(at.args[0])
      return holder === undefined ? undefined : { kind: "state", account: holder, path: path.join(".") }
    } else break
  }
  return one.kind === "constant"
    ? { kind: "fixed", slot: `=${/^(ID|id)$/.test(one.name) ? one.path.split("::").slice(-2).join("::") : one.name}` }
    : undefined
}

/** Equalities that a fact contains; those of an alternative hold on one path. */
export const equalitiesIn = (fact: Term, depth = 0): ReadonlyArray<readonly [Term, Term]> => {
  if (fact.kind !== "binary" || depth > 6) return []
  if (fact.operator === "==") return [[fact.left, fact.right]]
  return fact.operator === "||" || fact.operator === "&&"
    ? [...equalitiesIn(fact.left, depth + 1), ...equalitiesIn(fact.right, depth + 1)]
    : []
}

/** Names of numbers and flags, for data read from an account under a type that is not its own. */
const counts =
  /(^|_)(epoch|slot|amount|lamports|balance|count|index|time|timestamp|bump|status|nonce|version|len|decimals|rate|price|supply)$/

/** Whether it is a number or a flag: two accounts that store the same one are not tied by it. */
const isNumber = (instruction: Instruction, account: Account, path: string): boolean => {
  const [first, ...rest] = path.split(".")
  const field = structOf(instruction, account)?.item.fields.find(({ name }) => name === first)
  if (field === undefined) return counts.test(path)
  if (rest.length > 0 || field.type?.kind !== "path") return false
  return /^([ui](8|16|32|64|128|size)|bool)$/.test(field.type.path.segments.at(-1)?.name ?? "")
}

/** What a term is about as a whole: accounts, their addresses and their data, but not single values in it. */
export const wholesIn = (term: Term): ReadonlySet<Term> => {
  const found = new Set([term])
  // A set also iterates over what is added in the meantime.
  for (const one of found)
    if (one.kind !== "field" || one.name === "key" || accountOfState(one) === undefined)
      for (const part of subterms(one)) found.add(part)
  return found
}

export interface Ties {
  readonly of: (account: Account) => ReadonlyArray<Tie>
  /** Whether a function without source, or only some path, checks the account. */
  readonly isAsked: (account: Account) => boolean
  /** Whether a function without source checks the account alone, or together with the other one. */
  readonly isAskedWith: (account: Account, other: Account) => boolean
}

/** What an equality of two sides implies about the first, and about what the other is derived from. */
const tiesBetween = (
  instruction: Instruction,
  one: Side,
  other: Side,
): ReadonlyArray<readonly [account: Account, tie: Found]> => {
  if (one.kind === "key") {
    if (other.kind === "fixed")
      return [[one.account, { slot: other.slot, other: undefined, struct: undefined, pins: true }]]
    if (other.kind === "made") {
      const isGiven = instruction.arguments.some(({ term }) => mentions(other.address, (part) => part === term))
      // What it stores itself determines it only together with something else.
      const from = other.from.find((each) => each !== one.account) ?? (isGiven ? undefined : other.from[0])
      // An account in another's seeds is identified by it in turn.
      const struct = structOf(instruction, one.account)
      const slot = `seed of ${lastName(one.account)}`
      return [
        [one.account, { slot: other.slot, other: from, struct: undefined, pins: true }],
        ...other.from
          .filter((seed) => seed !== one.account)
          .map((seed) => [seed, { slot, other: one.account, struct, pins: true }] as const),
      ]
    }
    if (other.account === one.account) return []
    const struct = structOf(instruction, other.account)
    const type = struct?.name ?? typeName(other.account)
    const slot = other.kind === "key" ? `key of ${lastName(other.account)}` : `${type}.${other.path}`
    return [[one.account, { slot, other: other.account, struct, pins: true }]]
  }
  if (one.kind !== "state") return []
  const to = other.kind === "key" || other.kind === "state" ? other.account : undefined
  if (to === one.account || (other.kind === "state" && isNumber(instruction, one.account, one.path))) return []
  const struct = to === undefined ? undefined : structOf(instruction, to)
  return [[one.account, { slot: `own ${one.path}`, other: to, struct, pins: false }]]
}

const tiesByAccount = (
  instruction: Instruction,
  accounts: ReadonlyMap<Term, Account>,
): ReadonlyMap<Account, ReadonlyArray<Tie>> => {
  const ties = new Map<Account, Array<Tie>>()
  for (const fact of instruction.walk.success) {
    const either = fact.kind === "binary" && fact.operator === "||"
    for (const [left, right] of equalitiesIn(fact)) {
      const [one, other] = [sideOf(left, accounts), sideOf(right, accounts)]
      // A value from the caller is no evidence by itself, but may be compared with something else in turn.
      if (one === undefined || other === undefined) continue
      for (const [account, found] of [
        ...tiesBetween(instruction, one, other),
        ...tiesBetween(instruction, other, one),
      ]) {
        const own = ties.get(account)
        if (own === undefined) ties.set(account, [{ ...found, either }])
        else own.push({ ...found, either })
      }
    }
  }
  return ties
}

/** The accounts that a check without source receives themselves, and those of which it receives any value. */
interface Given {
  readonly whole: ReadonlySet<Account>
  readonly parts: ReadonlySet<Account>
}

const givenToChecks = ({ accounts, events, walk }: Instruction): ReadonlyArray<Given> => {
  const calls = [...walk.success].flatMap((fact): ReadonlyArray<Given> => {
    const call = fact.kind === "succeeded" ? fact.call : fact.kind === "is" ? fact.value : fact
    if (call.kind !== "call") return []
    if ((call.path === "" || !isNamedLikeCheck(call.name)) && !/contains|^any$/.test(call.name)) return []
    const parts = everySubterm([call])
    const whole = wholesIn(call)
    return [
      {
        whole: new Set(accounts.filter(({ term }) => whole.has(term))),
        parts: new Set(accounts.filter(({ term }) => parts.has(term))),
      },
    ]
  })
  const conditions = ofKind(events, "check").flatMap((event) => event.conditions)
  // A macro of the project that receives an account, or all of them, is not a condition: it checks them.
  const macros = conditions.map((condition): Given => {
    const all = new Set(
      accounts.filter(({ term }) => condition === term || (term.kind === "field" && condition === term.base)),
    )
    return { whole: all, parts: all }
  })
  return [...calls, ...macros]
}

/** Accounts compared by conditions neither side of which has to hold. */
const askedOnSomePath = ({ events, walk }: Instruction, accounts: ReadonlyMap<Term, Account>): ReadonlySet<Account> => {
  const open = ofKind(events, "check").flatMap(({ conditions }) =>
    conditions.filter((one) => !walk.success.has(one) || equalitiesIn(one).length === 0),
  )
  const asked = new Set<Account>()
  for (const one of everySubterm(open))
    if (one.kind === "binary" && (one.operator === "==" || one.operator === "!="))
      for (const side of [sideOf(one.left, accounts), sideOf(one.right, accounts)])
        if (side?.kind === "key" || side?.kind === "state") asked.add(side.account)
  return asked
}

/** Every tie of an instruction's accounts that holds if it succeeds. */
export const tiesOf = oncePer((instruction: Instruction): Ties => {
  const accounts = new Map(instruction.accounts.map((one) => [one.term, one] as const))
  const ties = tiesByAccount(instruction, accounts)
  const given = givenToChecks(instruction)
  const asked = new Set(askedOnSomePath(instruction, accounts))
  for (const { parts } of given) for (const one of parts) asked.add(one)
  return {
    of: (account) => ties.get(account) ?? [],
    isAsked: (account) => asked.has(account),
    isAskedWith: (account, other) =>
      given.some(({ whole, parts }) => whole.has(account) && (parts.size === 1 || parts.has(other))),
  }
})

/** The name of an account without parts such as `account` and `info`. */
export const lastName = ({ name }: Pick<Account, "name">): string =>
  name
    .slice(name.lastIndexOf(".") + 1)
    .replace(/^_+/, "")
    .replace(/_(info|account|acc|ai|account_info|acct)$/, "")

export const typeName = ({ state, type }: Account): string => {
  const own = state ?? type
  return definitionOf(own)?.name ?? (own.kind === "named" ? own.name : "")
}

/** Token accounts and mints can belong to anyone: what they store ties an account only to whoever passed them. */
export const isTokenType = (account: Account): boolean =>
  account.state !== undefined &&
  isNamed(account.state, "TokenAccount", "Mint") &&
  definitionOf(account.state) === undefined

/** Whether it is the associated token account of an owner and a mint that are both identified. */
const isOwnAssociated = (
  instruction: Instruction,
  account: Account,
  { slot, other }: Tie,
  isKnown: (account: Account) => boolean,
): boolean => {
  if (other !== account || !slot.startsWith("seeds ") || !isTokenType(account)) return false
  const own = tiesOf(instruction).of(account)
  return ["own owner", "own mint"].every((name) =>
    own.some(
      ({ slot: field, other: its, struct }) =>
        field === name && its !== undefined && its !== account && (struct !== undefined || isKnown(its)),
    ),
  )
}

/** Whether what a token account stores is set here, rather than compared. */
export const isSetAtCreation = (account: Account): boolean =>
  isTokenType(account) && (account.constraints?.init === true || account.constraints?.initIfNeeded === true)

const isAnchoredBy = (
  instruction: Instruction,
  account: Account,
  isGood: (account: Account, tie: Tie) => boolean,
  before: ReadonlyArray<Account> = [],
): boolean => {
  // Something identified only by what this account stores is no evidence about this account.
  const isKnown = (other: Account): boolean =>
    before.length < 4 && !before.includes(other) && isAnchoredBy(instruction, other, isGood, [...before, account])
  return tiesOf(instruction)
    .of(account)
    .some((tie) => {
      const { pins, other, struct, slot } = tie
      if (other === undefined) return pins
      if (isOwnAssociated(instruction, account, tie, isKnown)) return true
      if (other === account || before.includes(other) || !isGood(account, tie)) return false
      if (isSetAtCreation(other)) return false
      if (struct !== undefined) return true
      if (slot.startsWith("seeds ")) return true
      // Anyone has an address to use in seeds: what counts is that the program stored something there.
      if (slot.startsWith("seed of ")) return false
      return isKnown(other)
    })
}

/**
 * Whether the account is determined: by a constant, by seeds, by what an account of the program stores, or by an
 * account that is itself determined.
 */
export const isAnchored = (instruction: Instruction, account: Account): boolean =>
  isAnchoredBy(instruction, account, () => true)

/** Whether it is a record of this program that stores the mint: several may store the same one. */
const onlyStoresMint = (instruction: Instruction, account: Account, { pins, other }: Tie): boolean =>
  !pins &&
  other !== undefined &&
  isTokenType(other) &&
  structOf(instruction, account) !== undefined &&
  account.isForeign !== true

const isZero = (term: Term): boolean => term.kind === "literal" && term.value === "0"

/**
 * The token accounts that must hold something: whoever owns one has what the mint stands for. What the caller says it
 * should hold may be nothing.
 */
const heldIn = oncePer((instruction: Instruction): ReadonlySet<Term> => {
  const isSaid = (term: Term): boolean =>
    instruction.arguments.some((one) => mentions(term, (part) => part === one.term))
  const holders = new Map(
    instruction.accounts.map(({ term }) => {
      const { terms } = instruction.walk
      return [terms.field(terms.call("state", "", [term]), "amount"), term] as const
    }),
  )
  return new Set(
    [...instruction.walk.success].flatMap((fact) => {
      if (fact.kind !== "binary" || !/^(==|!=|<=?)$/.test(fact.operator) || isSaid(fact)) return []
      const account = holders.get(fact.right) ?? (fact.operator.startsWith("<") ? undefined : holders.get(fact.left))
      const isEmpty = fact.operator === "==" && [fact.left, fact.right].some(isZero)
      return account === undefined || isEmpty ? [] : [account]
    }),
  )
})

/** Whether a token account has to hold something, so that not anyone has one like it. */
export const mustHold = (instruction: Instruction, { term }: Account): boolean => heldIn(instruction).has(term)

/**
 * The same, except that a token account for the right mint or holder proves nothing unless it has to hold something,
 * because anyone can create one, and that of the program's records many may store the same mint.
 */
export const isFullyDetermined = (instruction: Instruction, account: Account): boolean =>
  isAnchoredBy(
    instruction,
    account,
    (one, tie) =>
      (tie.pins || !isTokenType(one) || mustHold(instruction, one)) && !onlyStoresMint(instruction, one, tie),
  )
