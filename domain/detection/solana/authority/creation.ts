import { oncePer } from "../../oncePer.ts"
import type { Term } from "../../rust/terms/terms.ts"
import { signersOf } from "./authorization.ts"
import type { Account, Instruction } from "../program/model.ts"
import { cpisOf } from "../questions/questions.ts"
import { callsNamed } from "../../rust/terms/events.ts"

const maxDepth = 6

/** The account, its address, or a list that it is in; not seeds with its address, nor a record that will name it. */
const isIt = (term: Term, account: Account, depth = 0): boolean => {
  if (term === account.term) return true
  if (term.kind === "field") return term.name === "key" && term.base === account.term
  if (term.kind === "list") return term.elements.includes(account.term)
  if (depth > maxDepth) return false
  if (term.kind === "call") return term.args.some((one) => isIt(one, account, depth + 1))
  return term.kind === "choice" && term.alternatives.some((one) => isIt(one, account, depth + 1))
}

/** The arguments of calls that create accounts. It is queried for every account, so the events are read only once. */
const givenToCreation = oncePer((instruction: Instruction): ReadonlyArray<Term> => {
  const called = cpisOf(instruction)
    .filter(({ instruction: path }) => /create_account|CreateAccount|allocate|Allocate|create_or_allocate/.test(path))
    .flatMap(({ accounts, args }) => [...accounts.map(({ term }) => term), ...args])
  const helped = callsNamed(instruction.events, /^create_(or_allocate_|and_\w+_)?(pda_)?account/).flatMap(({ args }) =>
    args.map(({ term }) => term),
  )
  return [...new Set([...called, ...helped])]
})

const given = oncePer((instruction: Instruction): ReadonlyArray<Account> => {
  const terms = givenToCreation(instruction)
  return instruction.accounts.filter((account) => terms.some((one) => isIt(one, account)))
})

/** What an account at a program's address needs beside itself and whoever pays. */
const isPlatform = ({ name, wrapper }: Account): boolean =>
  wrapper === "program" || wrapper === "sysvar" || /(^|_)(program|rent|sysvar|clock)(_|$)/.test(name)

/** Whether this instruction creates the account itself, which fails if it exists. */
export const isCreated = (instruction: Instruction, account: Account): boolean => {
  const all = given(instruction)
  if (!all.includes(account)) return false
  // Beside an address of the program, which cannot sign for itself, a signer pays.
  const signing = signersOf(instruction)
  return !signing.includes(account) || all.every((one) => signing.includes(one) || isPlatform(one))
}
