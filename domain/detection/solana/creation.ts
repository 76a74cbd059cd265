import { mentions, type Term } from "../rust/terms/terms.ts"
import type { Account, Instruction } from "./model.ts"
import { cpisOf } from "./questions.ts"

/** The account, its address, or a list that contains it; but not seeds that contain its address. */
const isIt = (term: Term, account: Account): boolean =>
  term === account.term ||
  (term.kind === "field" && term.name === "key" && term.base === account.term) ||
  (term.kind === "list"
    ? term.elements.includes(account.term)
    : term.kind !== "field" && mentions(term, (one) => one === account.term))

const read = new WeakMap<Instruction, ReadonlyArray<Term>>()

/** The arguments of calls that create accounts. It is queried for every account, so the events are read only once. */
const givenToCreation = (instruction: Instruction): ReadonlyArray<Term> => {
  let given = read.get(instruction)
  if (given === undefined) {
    const called = cpisOf(instruction)
      .filter(({ instruction: path }) => /create_account|CreateAccount|allocate|Allocate|create_or_allocate/.test(path))
      .flatMap(({ accounts, args }) => [...accounts.map(({ term }) => term), ...args])
    const helped = instruction.events.flatMap((event) =>
      event.kind === "call" && /^create_(or_allocate_|and_\w+_)?(pda_)?account/.test(event.name)
        ? event.args.map(({ term }) => term)
        : [],
    )
    read.set(instruction, (given = [...new Set([...called, ...helped])]))
  }
  return given
}

/** Whether this instruction creates the account itself, which fails if it exists. */
export const isCreated = (instruction: Instruction, account: Account): boolean =>
  givenToCreation(instruction).some((one) => isIt(one, account))
