import { oncePer } from "../../oncePer.ts"
import { type Event, guaranteed, ofKind } from "../../rust/terms/events.ts"
import { everySubterm, type Term } from "../../rust/terms/terms.ts"
import { isProven } from "../authority/approval.ts"
import { movesValue } from "../questions/cpi.ts"
import { isMintType, isTokenAccountType } from "../questions/identity.ts"
import type { Account, Cpi, Instruction } from "../program/model.ts"
import { accountAt, accountIn, checksAround, cpisOf } from "../questions/questions.ts"
import { accountOfState, stateOf } from "../program/semantics.ts"
import { isSignedFor, roleOf, signedCpisOf } from "../questions/signedCpi.ts"
import { tiesOf } from "../ties/ties.ts"

/** Whether the instruction knows which tokens the account holds: its mint was compared, or the account is known. */
export const hasKnownMint = (event: Event, account: Account): boolean =>
  [
    ...checksAround(event, account),
    // What a parser checked where it took the account, even if it takes it only on some paths.
    ...(account.taken === undefined ? [] : checksAround(account.taken, account)),
  ].some(({ kind, fact }) => {
    if (kind === "key" || kind === "pda" || kind === "initialized" || kind === "call") return true
    return (
      fact.kind === "binary" &&
      [fact.left, fact.right].some(
        (one) => one.kind === "field" && one.name === "mint" && accountOfState(one) === account.term,
      )
    )
  })

/** Limit: calls that are looked at to see what an account holds; ordinary code has one or two. */
const mostMoves = 4

/** By account, calls that move its tokens to or from an account of known mint. */
const movesOfKnownMint = oncePer((instruction: Instruction): ReadonlyMap<Account, ReadonlyArray<Cpi>> => {
  const found = new Map<Account, Array<Cpi>>()
  for (const cpi of cpisOf(instruction).filter(movesValue)) {
    const [from, to] = (["from", "to"] as const).map((role) => {
      const term = roleOf(cpi, role)
      return accountAt(instruction, term)
    })
    if (from === undefined || to === undefined) continue
    for (const [account, other] of [
      [from, to],
      [to, from],
    ] as const) {
      const own = found.get(account) ?? []
      if (own.length >= mostMoves || !hasKnownMint(cpi.event, other)) continue
      found.set(account, [...own, cpi])
    }
  }
  return found
})

/** Whether its tokens also go to, or come from, an account of known mint on every path through an event. */
const sharesMint = (instruction: Instruction, event: Event, account: Account): boolean =>
  (movesOfKnownMint(instruction).get(account) ?? []).some(
    (cpi) => cpi.event !== event && guaranteed(event).has(instruction.walk.terms.succeeded(cpi.event.result.term)),
  )

/** In native programs nothing declares what an account is; the call does. */
const isToken = (cpi: Cpi, account: Account): boolean =>
  account.wrapper === "raw"
    ? account.constraints === undefined && !/system/.test(cpi.instruction)
    : isTokenAccountType(account.state)

/** For accounts that this instruction creates for a mint: the accounts passed for their creation. */
const openedBy = (instruction: Instruction): ReadonlySet<Term> =>
  everySubterm(
    cpisOf(instruction).flatMap(({ instruction: path, accounts, args }) =>
      /initialize_account|InitializeAccount|create_associated/.test(path)
        ? [...accounts.map(({ term }) => term), ...args]
        : [],
    ),
  )

/** Whether the instruction records what came in, gives something for it, or names the expected mint. */
const reliesOnMint = (instruction: Instruction): ((cpi: Cpi) => boolean) => {
  const names = instruction.accounts.some((one) => isMintType(one.state))
  const gives = signedCpisOf(instruction).some(movesValue)
  const keeps = ofKind(instruction.events, "assign").some((event) => accountOfState(event.target.term) !== undefined)
  return (cpi) => keeps || names || (gives && !isSignedFor(instruction, cpi))
}

/**
 * Whether a record of the program exists at an address derived from the account, so that it was opened for it, or its
 * mint is part of what was proven.
 */
const isAcceptedBefore = (instruction: Instruction, account: Account): boolean =>
  tiesOf(instruction)
    .of(account)
    .some(({ slot, other, struct }) => slot.startsWith("seed of ") && struct !== undefined && !isNew(other)) ||
  isProven(instruction, instruction.walk.terms.field(stateOf(instruction.walk.terms, account.term), "mint"))

const isNew = (account: Account | undefined): boolean =>
  account?.constraints?.init === true || account?.constraints?.initIfNeeded === true

/** Tokens that move between two accounts neither of which identifies them, although it matters. */
export const movesOfAnyMint = (
  instruction: Instruction,
): ReadonlyArray<{ readonly cpi: Cpi; readonly from: Account; readonly to: Account }> => {
  const opened = openedBy(instruction)
  const relies = reliesOnMint(instruction)
  return cpisOf(instruction)
    .filter(movesValue)
    .flatMap((cpi) => {
      const [from, to] = ["from", "to"].map((role) => {
        const term = cpi.accounts.find(({ name }) => name === role)?.term
        return term === undefined ? undefined : accountIn(instruction, term)
      })
      if (from === undefined || to === undefined || !isToken(cpi, from) || !isToken(cpi, to)) return []
      if (hasKnownMint(cpi.event, from) || hasKnownMint(cpi.event, to)) return []
      if (sharesMint(instruction, cpi.event, from) || sharesMint(instruction, cpi.event, to)) return []
      if (opened.has(from.term) || opened.has(to.term)) return []
      if (isAcceptedBefore(instruction, from) || isAcceptedBefore(instruction, to)) return []
      // The token program itself compares a mint that it receives.
      const mint = cpi.accounts.find(({ name }) => name === "mint")?.term
      if (
        mint !== undefined &&
        checksAround(cpi.event, { term: mint }).some(({ kind }) => kind === "key" || kind === "pda")
      )
        return []
      return relies(cpi) ? [{ cpi, from, to }] : []
    })
}
