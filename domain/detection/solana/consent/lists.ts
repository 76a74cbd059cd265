import { oncePer } from "../../oncePer.ts"
import { everySubterm, mentions, type Term } from "../../rust/terms/terms.ts"
import type { Account, Instruction } from "../program/model.ts"
import { checksWhenDone, isTrusted, usesOf } from "../questions/questions.ts"
import { structOf } from "../authority/relations.ts"
import { keyOf, stateOf } from "../program/semantics.ts"
import { isOwnState } from "./storedKeys.ts"

/** Whether its address has to be in a list that the program stores, such as a multisig's members. */
export const isMember = (instruction: Instruction, account: Account): boolean =>
  usesOf(instruction, account).length === 0 &&
  checksWhenDone(instruction, account).some(
    ({ kind, against, fact }) =>
      kind === "key" &&
      fact.kind === "call" &&
      against !== undefined &&
      isTrusted(against) &&
      isOwnState(instruction, against),
  )

const searches = /search|contains|^r?position$|^find(_|$)|^any$|^filter$|is_member/

/** `find_program_address` looks for a bump. */
const isSearch = (name: string): boolean => searches.test(name) && !name.endsWith("program_address")

/** Whether its address is looked up in an account of the program, and nothing else is done with it. */
export const isListed = (instruction: Instruction, account: Account): boolean => {
  if (usesOf(instruction, account).length > 0) return false
  const { terms } = instruction.walk
  const key = keyOf(terms, account.term)
  return searchesIn(instruction).some(
    (parts) =>
      parts.has(key) &&
      instruction.accounts.some(
        (one) => one !== account && structOf(instruction, one) !== undefined && parts.has(stateOf(terms, one.term)),
      ),
  )
}

const searchesIn = oncePer((instruction: Instruction): ReadonlyArray<ReadonlySet<Term>> => {
  // `members.iter().filter(is_it).count() > 0`
  const isCount = (fact: Term): boolean => fact.kind === "binary" && fact.left.kind === "literal"
  const hasSearch = (fact: Term): boolean =>
    (fact.kind !== "binary" || isCount(fact)) && mentions(fact, (one) => one.kind === "call" && isSearch(one.name))
  return [...instruction.walk.success].filter(hasSearch).map((fact) => everySubterm([fact]))
})
