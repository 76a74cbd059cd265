import { indexBy } from "../../indexBy.ts"
import { oncePer, oncePerPair } from "../../oncePer.ts"
import { type Facts, factsOn } from "../../rust/terms/facts.ts"
import { mentions, type Term } from "../../rust/terms/terms.ts"
import type { AccountCheck } from "../program/model.ts"
import { accountOfState, isGetter } from "../program/semantics.ts"

const fieldOf = (
  term: Term,
  account: Term,
): "key" | "owner" | "is_signer" | "data" | "lamports" | "state" | undefined => {
  if (term.kind === "field" && term.base === account) {
    const { name } = term
    return name === "key" || name === "owner" || name === "is_signer" || name === "data" || name === "lamports"
      ? name
      : undefined
  }
  if (term === account) return undefined
  // The account came out of one of several lists: checks on it apply to either.
  if (term.kind === "choice")
    return term.alternatives.map((one) => fieldOf(one, account)).find((one) => one !== undefined)
  return accountOfState(valueRead(term)) === account ? "state" : undefined
}

/** `record.kind()`: what a method that is not followed reads is taken for a field of that name. */
const valueRead = (term: Term): Term => (term.kind === "call" && isGetter(term) ? term.args[0]! : term)

const isPda = (term: Term): boolean =>
  mentions(
    term,
    (one) =>
      one.kind === "call" && /program_address$|^associated_token_address$|^get_associated_token_address/.test(one.name),
  )

const compare = (fact: Term, left: Term, right: Term, equal: boolean, account: Term): AccountCheck | undefined => {
  const own = fieldOf(left, account)
  if (own === undefined) return undefined
  if (!equal) {
    if (own === "key") return { kind: "distinct", against: right, fact }
    return own === "state" ? { kind: "state", against: right, fact } : { kind: "data", against: right, fact }
  }
  switch (own) {
    case "owner":
      return { kind: "owner", against: right, fact }
    case "key":
      return { kind: isPda(right) ? "pda" : "key", against: right, fact }
    case "state":
      return { kind: "state", against: right, fact }
    case "is_signer":
      return { kind: "signer", fact }
    default:
      return { kind: "data", against: right, fact }
  }
}

/** What one fact says about an account. */
const checksIn = (fact: Term, account: Term, depth = 0): ReadonlyArray<AccountCheck> => {
  switch (fact.kind) {
    case "field":
      if (fact.base === account && fact.name === "is_signer") return [{ kind: "signer", fact }]
      return accountOfState(fact) === account ? [{ kind: "state", fact }] : []
    case "binary": {
      const { operator, left, right } = fact
      if (operator === "||" && depth < 8) {
        // Either side may hold: only a kind of check that both share is certain.
        const other = checksIn(right, account, depth + 1)
        const own = checksIn(left, account, depth + 1)
        const both = own.filter((one) => other.some((two) => two.kind === one.kind))
        // `owner == token_program || check_token_program(owner).is_ok()`: the account was checked either way.
        const called = [...own, ...other].some(({ kind }) => kind === "call")
        return both.length === 0 && called && own.length > 0 && other.length > 0 ? [{ kind: "call", fact }] : both
      }
      if (operator === "&&" && depth < 8)
        return [...checksIn(left, account, depth + 1), ...checksIn(right, account, depth + 1)]
      const equal = operator === "=="
      const found = [compare(fact, left, right, equal, account), compare(fact, right, left, equal, account)]
      return found.filter((one) => one !== undefined)
    }
    case "choice":
      return depth > 4 ? [] : fact.alternatives.flatMap((one) => checksIn(one, account, depth + 1))
    case "not":
      if (accountOfState(fact.operand) === account && fact.operand !== account) return [{ kind: "state", fact }]
      return fact.operand.kind === "call" ? callChecks(fact.operand, fact, account) : []
    case "is":
      if (accountOfState(fact.value) === account) return [{ kind: "state", fact }]
      return fact.variant === "Ok" ? callChecks(fact.value, fact, account) : []
    case "succeeded":
      return callChecks(fact.call, fact, account)
    case "call":
      return callChecks(fact, fact, account)
    default:
      return []
  }
}

/**
 * `transfer_checked` checks the mint's decimals, `checked_add` a number, `is_exempt` lamports: none says anything about an
 * account.
 */
const noCheck = /^(transfer|mint_to|burn|approve)_checked|^checked_|unchecked|^is_exempt$/

/** For a foreign function, only its name distinguishes a check from a builder. */
export const isNamedLikeCheck = (name: string): boolean =>
  /check|assert|verify|validate|require|ensure|^is_|matches/.test(name) && !noCheck.test(name)

/** What a library's function asks for says its name: `load_signer(admin, false)?`. */
const namesSigner = /^(load|assert|check|require|ensure|verify|validate)_(is_)?signer$/

const isOrMayBe = (term: Term | undefined, account: Term): boolean =>
  term === account || (term?.kind === "choice" && term.alternatives.includes(account))

const callChecks = (call: Term, fact: Term, account: Term): ReadonlyArray<AccountCheck> => {
  if (call.kind !== "call") return []
  const [first] = call.args
  if (isOrMayBe(first, account) && call.path === "") {
    if (call.name === "typed") return [{ kind: "type", fact }]
    if (call.name === "sysvar") return [{ kind: "sysvar", fact }]
    if (call.name === "initialized") return [{ kind: "initialized", fact }]
  }
  // `ALLOWED.contains(&account.key)`.
  if (call.name === "contains" || call.name === "any") {
    const member = call.args
      .slice(1)
      // `allowed.iter().any(|one| one == account.key)`: what the closure compares with the elements.
      .flatMap((one) => (one.kind === "binary" && one.operator === "==" ? [one.left, one.right] : [one]))
      .map((one) => fieldOf(one, account))
      .find((one) => one !== undefined)
    if (member !== undefined)
      return [
        {
          kind: member === "owner" ? "owner" : member === "key" ? "key" : "state",
          fact,
          ...(first === undefined ? {} : { against: first }),
        },
      ]
  }
  if (isOrMayBe(first, account) && namesSigner.test(call.name)) return [{ kind: "signer", fact }]
  if (
    !isNamedLikeCheck(call.name) ||
    !call.args.some((one) => isOrMayBe(one, account) || fieldOf(one, account) !== undefined)
  )
    return []
  // What data says about itself (`state.is_initialized()`) is only as trustworthy as whoever wrote it.
  const asksItself = call.args.length === 1 && call.name.startsWith("is_") && fieldOf(first!, account) === "state"
  return [{ kind: asksItself ? "state" : "call", fact }]
}

/** Accounts of which a term may be a part that is compared, as `fieldOf` tells. */
const ownersOf = (term: Term): ReadonlyArray<Term> => {
  if (term.kind === "choice") return term.alternatives.flatMap(ownersOf)
  const account = accountOfState(valueRead(term))
  return [...(term.kind === "field" ? [term.base] : []), ...(account === undefined ? [] : [account])]
}

/** Terms that `checksIn` may take for an account of which the fact says something. */
const subjectsOf = (fact: Term, depth = 0): ReadonlyArray<Term> => {
  switch (fact.kind) {
    case "binary":
      if ((fact.operator === "||" || fact.operator === "&&") && depth < 8)
        return [...subjectsOf(fact.left, depth + 1), ...subjectsOf(fact.right, depth + 1)]
      return [...ownersOf(fact.left), ...ownersOf(fact.right)]
    case "choice":
      return depth > 4 ? [] : fact.alternatives.flatMap((one) => subjectsOf(one, depth + 1))
    case "not":
      return [...ownersOf(fact.operand), ...subjectsOf(fact.operand, depth + 1)]
    case "is":
      return [...ownersOf(fact.value), ...subjectsOf(fact.value, depth + 1)]
    case "succeeded":
      return subjectsOf(fact.call, depth + 1)
    case "call":
      return fact.args.flatMap((one) => [
        one,
        ...(one.kind === "choice" ? one.alternatives : []),
        ...(one.kind === "binary" ? [...ownersOf(one.left), ...ownersOf(one.right)] : ownersOf(one)),
      ])
    default:
      return ownersOf(fact)
  }
}

const subjectsOnce = oncePer((fact: Term): ReadonlySet<Term> => new Set(subjectsOf(fact)))

/** Facts by the accounts of which they may say something: so many accounts need not ask so many facts. */
export const bySubject = <A>(
  all: Iterable<A>,
  factsOf: (one: A) => Iterable<Term>,
): ReadonlyMap<Term, ReadonlyArray<A>> =>
  indexBy(all, (one) => [...factsOf(one)].flatMap((fact) => [...subjectsOnce(fact)]))

const about = factsOn(subjectsOnce)

const checksAmong = oncePerPair((account: Term, facts: ReadonlyArray<Term>): ReadonlyArray<AccountCheck> =>
  facts.flatMap((fact) => checksIn(fact, account)),
)

/** Every check of an account among the facts: those of an event, or all that are guaranteed if it succeeds. */
export const checksOf = (account: Term, facts: Facts): ReadonlyArray<AccountCheck> =>
  checksAmong(account, about(facts, account))
