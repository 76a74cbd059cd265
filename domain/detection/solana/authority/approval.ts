import { oncePer } from "../../oncePer.ts"
import { everySubterm, mentions, rootOf, type Term } from "../../rust/terms/terms.ts"
import type { Account, Instruction } from "../program/model.ts"
import { isCreated } from "./creation.ts"
import { checksWhenDone, usesOf } from "../questions/questions.ts"
import { accountOfState, keyOf } from "../program/semantics.ts"

const exists = (instruction: Instruction, account: Account): boolean =>
  (instruction.kind === "native"
    ? usesOf(instruction, account).some(({ kind }) => kind === "deserialize")
    : account.wrapper === "state" || account.wrapper === "loader") &&
  account.constraints?.init !== true &&
  account.constraints?.initIfNeeded !== true &&
  account.constraints?.zero !== true &&
  !isCreated(instruction, account)

const hashes = /hash|keccak|sha\d|blake|digest/
const proves = /verif|proof/

const provenTerms = oncePer((instruction: Instruction): ReadonlySet<Term> => {
  const facts = [...instruction.walk.success].filter(
    (fact) =>
      (fact.kind === "call" ? proves.test(fact.name) : fact.kind === "binary" && fact.operator === "==") &&
      mentions(fact, (one) => one.kind === "call" && hashes.test(one.name)) &&
      mentions(fact, (one) => accountOfState(one) !== undefined),
  )
  return everySubterm(facts)
})

/** Whether what the caller passes is hashed, and the result is compared with what is stored: a leaf of a Merkle tree. */
export const isProven = (instruction: Instruction, given: Term): boolean => provenTerms(instruction).has(given)

/**
 * The caller passes it, but a record of the program exists at an address derived from it: a proposal that was voted on,
 * or an order that was placed. Whoever created the record approved it.
 */
export const isApproved = (instruction: Instruction, term: Term): boolean => {
  const root = rootOf(term)
  if (!instruction.arguments.some((one) => one.term === root)) return false
  return (
    isProven(instruction, term) ||
    instruction.accounts.some(
      (account) =>
        exists(instruction, account) &&
        checksWhenDone(instruction, account).some(
          ({ kind, against }) => kind === "pda" && against !== undefined && mentions(against, (one) => one === root),
        ),
    )
  )
}

/**
 * Whether accounts after the declared ones have to sign, each of which a record of the program lists: the members of a
 * multisig, who agree to whatever they sign.
 */
export const isVotedFor = oncePer((instruction: Instruction): boolean => {
  const facts = [...instruction.walk.success]
  const signing = new Set(
    facts.flatMap((fact) =>
      fact.kind === "field" && fact.name === "is_signer" && fact.base.kind === "element"
        ? [keyOf(instruction.walk.terms, fact.base)]
        : [],
    ),
  )
  return facts.some(
    (fact) =>
      mentions(fact, (part) => signing.has(part)) && mentions(fact, (part) => accountOfState(part) !== undefined),
  )
})
