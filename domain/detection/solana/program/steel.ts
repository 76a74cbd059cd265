import { definitionOf, namedType, type RustType, unknownType } from "../../rust/crate/types.ts"
import type { Value } from "../../rust/terms/events.ts"
import type { CallSite } from "../../rust/walk/state/platform.ts"
import type { Term, TermTable } from "../../rust/terms/terms.ts"
import { walkBranch } from "../../rust/walk/control/branching.ts"
import { runClosure } from "../../rust/walk/entering/closures.ts"
import type { Walk } from "../../rust/walk/state/walk.ts"
import { accountInfo, wrapperOf } from "./accountTypes.ts"

/** What the arguments of a call stand for. */
interface Asked {
  readonly terms: TermTable
  readonly account: Term
  readonly args: ReadonlyArray<Term>
}

const equal = (terms: TermTable, left: Term, right: Term | undefined): ReadonlyArray<Term> =>
  right === undefined ? [] : [terms.binary("==", left, right)]

/** What is known about an account once a method of Steel has returned it: each fails otherwise. */
const checks: Readonly<Record<string, (asked: Asked) => ReadonlyArray<Term>>> = {
  is_signer: ({ terms, account }) => [terms.field(account, "is_signer")],
  is_writable: ({ terms, account }) => [terms.field(account, "is_writable")],
  is_executable: ({ terms, account }) => [terms.field(account, "executable")],
  is_empty: ({ terms, account }) => [
    terms.binary("==", terms.call("len", "", [terms.field(account, "data")]), terms.literal("integer", "0")),
  ],
  is_program: ({ terms, account, args: [id] }) => equal(terms, terms.field(account, "key"), id),
  is_sysvar: ({ terms, account, args: [id] }) => [
    terms.call("sysvar", "", [account]),
    ...equal(terms, terms.field(account, "key"), id),
  ],
  is_type: ({ terms, account, args: [program] }) => [
    terms.call("typed", "", [account]),
    ...equal(terms, terms.field(account, "owner"), program),
  ],
  has_address: ({ terms, account, args: [key] }) => equal(terms, terms.field(account, "key"), key),
  has_owner: ({ terms, account, args: [program] }) => equal(terms, terms.field(account, "owner"), program),
  has_seeds: ({ terms, account, args: [seeds, program] }) =>
    seeds === undefined
      ? []
      : equal(
          terms,
          terms.field(account, "key"),
          terms.field(
            terms.call("find_program_address", "steel::find_program_address", [seeds, program ?? terms.constant("ID")]),
            "0",
          ),
        ),
}

/** Methods that compare owner and discriminator and return the state. */
const readers: Readonly<Record<string, string | undefined>> = {
  as_account: undefined,
  as_account_mut: undefined,
  as_mint: "Mint",
  as_token_account: "TokenAccount",
  as_associated_token_account: "TokenAccount",
}

/** Whether a crate takes its account methods from Steel, where `is_signer` is a requirement rather than a query. */
const usesSteel = ({ frame }: Walk): boolean => {
  const { crate, globs, imports } = frame.function.module
  return (
    (crate.manifest?.dependencies.some((one) => one.package === "steel") ?? false) ||
    globs.some(({ path }) => path[0] === "steel") ||
    [...imports.values()].some((all) => all.some(({ path }) => path[0] === "steel"))
  )
}

/** `pool.assert_mut(|p| p.authority == *signer.key)?`: a requirement on the state that returns it. */
const assertion = (site: CallSite, state: Value, walk: Walk): Value | undefined => {
  const closure = site.args[1]?.closure
  if (closure === undefined || !/^assert(_mut)?(_err|_msg|_err_with_msg)?$/.test(site.name)) return undefined
  if (state.term.kind !== "call" || state.term.name !== "state" || state.term.path !== "") return undefined
  const { value } = walkBranch(walk, () => runClosure(walk, closure, [state]))
  return { ...state, type: namedType("Result", [state.type]), onSuccess: walk.consequences(value.term, true) }
}

/** The methods that Steel adds to accounts and to the data read from them. */
export const steelCall = (site: CallSite, walk: Walk): Value | undefined => {
  const [receiver, ...rest] = site.args
  if (!site.method || site.target !== undefined || receiver === undefined) return undefined
  const asserted = assertion(site, receiver, walk)
  if (asserted !== undefined) return asserted
  if (wrapperOf(receiver.type) !== "raw" || !usesSteel(walk)) return undefined
  const { terms } = walk
  const account = receiver.term
  const args = rest.map(({ term }) => term)
  if (Object.hasOwn(checks, site.name)) {
    const onSuccess = checks[site.name]!({ terms, account, args })
    return { term: account, type: namedType("Result", [accountInfo]), onSuccess }
  }
  if (!Object.hasOwn(readers, site.name)) return undefined
  const [generic] = site.generics
  const held = readers[site.name]
  const type: RustType = held !== undefined ? namedType(held) : generic === undefined ? unknownType : walk.type(generic)
  const state = terms.call("state", "", [account])
  const [owner, mint] = args
  const onSuccess = [
    terms.call("typed", "", [account]),
    ...(definitionOf(type) === undefined ? [] : equal(terms, terms.field(account, "owner"), args[0])),
    ...(site.name === "as_associated_token_account" && owner !== undefined && mint !== undefined
      ? [
          terms.binary("==", terms.field(state, "owner"), owner),
          terms.binary("==", terms.field(state, "mint"), mint),
          terms.binary(
            "==",
            terms.field(account, "key"),
            terms.call("associated_token_address", "steel::associated_token_address", [owner, mint]),
          ),
        ]
      : []),
  ]
  return { term: state, type: namedType("Result", [type]), onSuccess }
}
