import { isClock } from "../questions/quantities.ts"
import type { Expression } from "../../rust/syntax/syntax.ts"
import { mentions, type Term } from "../../rust/terms/terms.ts"
import { oncePer } from "../../oncePer.ts"
import type { Account, AccountUse, Instruction, SolanaCrate } from "../program/model.ts"
import { checksWhenDone, cpisOf, usesOf } from "../questions/questions.ts"
import { structOf } from "../authority/relations.ts"
import { keyOf, lamportsOf, stateOf } from "../program/semantics.ts"
import { isSigned } from "../questions/signedCpi.ts"
import { dictates, reachesCaller } from "./gains.ts"
import { signersSlots } from "../ties/parties.ts"
import { tiesOf } from "../ties/ties.ts"

/**
 * Whether the caller chooses nothing, and the account only receives lamports: anyone may pay somebody what they are
 * owed.
 */
export const isBeneficiary = (instruction: Instruction, account: Account): boolean => {
  const uses = usesOf(instruction, account)
  const receives = ({ kind, event }: AccountUse): boolean =>
    kind === "lamports-write" &&
    event.kind === "assign" &&
    event.operator !== "-" &&
    event.value.term.kind !== "literal"
  const closed = instruction.accounts.filter((one) => isClosedInto(instruction, one, account))
  return (
    instruction.arguments.length === 0 &&
    (closed.length > 0 ? closed.some((one) => isOver(instruction, one)) : uses.some(receives)) &&
    uses.every((use) => use.kind === "lamports-read" || receives(use)) &&
    !instruction.accounts.some((one) => one !== account && usesOf(instruction, one).some(receives)) &&
    cpisOf(instruction).length === 0
  )
}

/**
 * Whether the caller chooses nothing, and every call that the program signs receives a record of another program that
 * names the account: tokens are locked or staked in their owner's name.
 */
export const isServed = (instruction: Instruction, account: Account): boolean => {
  const signed = cpisOf(instruction).filter((cpi) => isSigned(cpi))
  if (instruction.arguments.length > 0 || signed.length === 0) return false
  const own = instruction.accounts.filter(
    (one) =>
      one.state !== undefined &&
      (structOf(instruction, one) === undefined || one.isForeign === true) &&
      tiesOf(instruction)
        .of(one)
        .some(({ slot, other }) => slot.startsWith("own ") && other === account),
  )
  return signed.every(({ accounts }) =>
    own.some((one) => accounts.some(({ name, term }) => term === one.term && name !== "from")),
  )
}

/** Whether the account is closed, by a constraint or as `closed.close(account)`, and the other one is paid its rent. */
const isClosedInto = (instruction: Instruction, closed: Account, account: Account): boolean => {
  if (isPathTo(closed.constraints?.close, account)) return true
  const held = lamportsOf(instruction.walk.terms, closed.term)
  return (
    /^(state|loader)$/.test(closed.wrapper) &&
    usesOf(instruction, account).some(({ event }) => event.kind === "assign" && event.value.term === held)
  )
}

/**
 * Whether it has served its purpose: its time has passed, or the record that it belongs to has come to some state, such
 * as a vote that is over.
 */
const isOver = (instruction: Instruction, closed: Account): boolean =>
  checksWhenDone(instruction, { term: closed.term }).some(
    ({ kind, fact }) => kind === "state" && mentions(fact, isClock),
  ) ||
  tiesOf(instruction)
    .of(closed)
    .some(({ slot, other }) => slot.startsWith("own ") && other !== undefined && isInState(instruction, other))

const isState = (term: Term): boolean => term.kind === "call" && term.name === "state"

/** What is checked of a record other than its relation to other accounts. */
const statedOf = (instruction: Instruction, { term }: Account): ReadonlyArray<Term> => {
  const { terms, success } = instruction.walk
  const state = stateOf(terms, term)
  const keys = new Set(instruction.accounts.map((one) => keyOf(terms, one.term)))
  return [...success].filter(
    (fact) =>
      fact.kind !== "succeeded" && mentions(fact, (one) => one === state) && !mentions(fact, (one) => keys.has(one)),
  )
}

const isInState = (instruction: Instruction, account: Account): boolean => statedOf(instruction, account).length > 0

/**
 * Whether nobody says anything, and all that happens is that records that have come to some state are closed: those
 * whom they name are paid what is left.
 */
export const isSettled = (instruction: Instruction): boolean => {
  const relates = (fact: Term): boolean =>
    fact.kind === "binary" && fact.operator === "==" && [fact.left, fact.right].every((side) => mentions(side, isState))
  return (
    instruction.arguments.length === 0 &&
    instruction.accounts.some(({ constraints }) => constraints?.close !== undefined) &&
    instruction.accounts.some((one) => statedOf(instruction, one).some((fact) => !relates(fact))) &&
    !reachesCaller(instruction) &&
    !dictates(instruction)
  )
}

export const isPathTo = (node: Expression | undefined, account: Account): boolean =>
  node?.kind === "path" && node.path.segments.at(-1)?.name === account.name.slice(account.name.lastIndexOf(".") + 1)

/** Whether someone else signs, and this account is paid what is stored for it: the maker of an accepted offer. */
export const isPaid = (instruction: Instruction, account: Account): boolean => {
  const { terms } = instruction.walk
  const key = keyOf(terms, account.term)
  /** Itself, or a token account of its own. */
  const belongs = (term: Term): boolean =>
    term === account.term ||
    checksWhenDone(instruction, { term }).some(
      ({ kind, against, fact }) =>
        kind === "state" && against === key && mentions(fact, (one) => one.kind === "field" && one.name === "owner"),
    )
  return (
    instruction.accounts.some(({ constraints }) => isPathTo(constraints?.close, account)) ||
    usesOf(instruction, account).some(
      ({ kind, event }) => kind === "lamports-write" && event.kind === "assign" && event.operator !== "-",
    ) ||
    cpisOf(instruction).some(({ accounts }) =>
      accounts.some(({ name, term }) => /^(to|destination)$/.test(name) && belongs(term)),
    )
  )
}

/** Stored addresses that are only ever paid, such as who receives the rent of a record: their owners never sign. */
export const payeeSlots = oncePer((crate: SolanaCrate): ReadonlySet<string> => {
  const found = new Set<string>()
  for (const instruction of crate.instructions)
    for (const account of instruction.accounts)
      if (isPaid(instruction, account))
        for (const { slot, pins, struct } of tiesOf(instruction).of(account))
          if (pins && struct !== undefined && !signersSlots(crate).has(slot)) found.add(slot)
  return found
})
