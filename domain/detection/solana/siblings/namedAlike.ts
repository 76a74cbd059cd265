import { oncePerPair } from "../../oncePer.ts"
import { mentions, type Term } from "../../rust/terms/terms.ts"
import { addressFieldPositions, isAuthorized, signersOf } from "../authority/authorization.ts"
import { isCreated } from "../authority/creation.ts"
import { missingTies } from "./expectations.ts"
import { isImplied } from "../authority/implied.ts"
import type { Account, AccountCheck, AccountUse, Instruction, SolanaCrate } from "../program/model.ts"
import { checksWhenDone, cpisOf, isFromCaller, isMutating, usesOf } from "../questions/questions.ts"
import { structOf } from "../authority/relations.ts"
import { keyOf, stateOf } from "../program/semantics.ts"
import { isUpkeep } from "../payments/stakes.ts"
import { lastName } from "../ties/ties.ts"
import type { Untied } from "../records/openRecords.ts"
import { stateWritesOf } from "../questions/writes.ts"
import { ofKind } from "../../rust/terms/events.ts"

/** The facts that mention each term, so that a lookup does not go through all of them. */
const factsByPart = (facts: Iterable<Term>): ReadonlyMap<Term, ReadonlyArray<Term>> => {
  const found = new Map<Term, Array<Term>>()
  for (const fact of facts)
    mentions(fact, (part) => {
      const known = found.get(part)
      if (known === undefined) found.set(part, [fact])
      else known.push(fact)
      return false
    })
  return found
}

const isCpi = (call: Term): boolean =>
  call.kind === "call" &&
  (/^invoke(_|$)/.test(call.name) || call.args.some((one) => one.kind === "struct" && one.path === "CpiContext"))

/** If it mentions two addresses, one is derived from the other. */
const isEquality = (fact: Term): boolean => fact.kind === "binary" && fact.operator === "=="

/** `holder` stores the address of an account with the same name as a given one, and the two are never compared. */
const unrelated = (crate: SolanaCrate, instruction: Instruction): ReadonlyArray<Untied> => {
  if (!isMutating(instruction)) return []
  const upkeep = isUpkeep(instruction)
  const native = instruction.kind === "native"
  const { terms, success } = instruction.walk
  const found: Array<Untied> = []
  const named = Map.groupBy(instruction.accounts, lastName)
  // The success of a CPI implies nothing about its signer seeds.
  const known = factsByPart([...success].filter((fact) => fact.kind !== "succeeded" || !isCpi(fact.call)))
  const asked = factsByPart(new Set(ofKind(instruction.events, "check").flatMap((event) => event.conditions)))
  const checked = new Map<Account, ReadonlyArray<AccountCheck>>()
  const checksOnce = (account: Account): ReadonlyArray<AccountCheck> => {
    const checks = checked.get(account) ?? checksWhenDone(instruction, account)
    checked.set(account, checks)
    return checks
  }
  const used = new Map<Account, ReadonlyArray<AccountUse>>()
  const usesOnce = (account: Account): ReadonlyArray<AccountUse> => {
    const uses = used.get(account) ?? usesOf(instruction, account)
    used.set(account, uses)
    return uses
  }
  for (const holder of instruction.accounts) {
    if (!native && holder.wrapper !== "state" && holder.wrapper !== "loader") continue
    if (holder.constraints?.init || holder.constraints?.initIfNeeded || holder.constraints?.zero) continue
    const definition = structOf(instruction, holder)
    if (definition === undefined || (native && isCreated(instruction, holder))) continue
    const state = stateOf(terms, holder.term)
    const writes = stateWritesOf(instruction, holder)
    const positions = addressFieldPositions(crate, definition)
    const fields = [...named.keys()].filter((name) => positions.has(name))
    for (const field of fields.toSorted((a, b) => positions.get(a)! - positions.get(b)!)) {
      const other = named.get(field)?.find((one) => one !== holder)
      if (other === undefined || other.constraints?.init) continue
      if (upkeep && signersOf(instruction).includes(other)) continue
      // An account that a native program receives but never inspects may be meant for another program.
      const uses = native ? usesOnce(other) : []
      if (native && (uses.length === 0 || uses.some(({ kind }) => kind === "cpi-program"))) continue
      const stored = terms.field(state, field)
      const key = keyOf(terms, other.term)
      if (known.has(stored) || isImplied(instruction, other, stored)) continue
      const own = known.get(keyOf(terms, holder.term))
      if (own?.some((fact) => isEquality(fact) && known.get(key)?.includes(fact))) continue
      // Written here: it is about to become the stored one.
      if (writes.some(({ target }) => target.term === stored || target.term === state)) continue
      if (asked.has(stored)) continue
      // If anyone may write to the account, that is the missing access control's concern.
      if (
        writes.some(({ value }) => isFromCaller(instruction, value.term)) &&
        !(native && isAuthorized(instruction, holder))
      )
        continue
      if (!native && other.wrapper === "raw" && !checksOnce(other).some(({ kind }) => kind === "signer")) {
        if (!cpisOf(instruction).some(({ accounts }) => accounts.some(({ term }) => term === other.term))) continue
      }
      if (checksOnce(other).some(({ kind, against }) => kind === "key" && against !== key)) continue
      found.push({ holder, field, other })
    }
  }
  return found
}

/** The same, if the model of ties agrees: it sees chains of comparisons, macros, and checks on some paths. */
export const namedAlike = oncePerPair((crate: SolanaCrate, instruction: Instruction): ReadonlyArray<Untied> => {
  const all = unrelated(crate, instruction)
  const missing = new Set(all.length === 0 ? [] : missingTies(crate).map(({ account }) => account))
  return all.filter(({ other }) => missing.has(other))
})
