import { mentions, type Term } from "../rust/terms/terms.ts"
import type { Account, Instruction } from "./model.ts"
import { cpisOf } from "./questions.ts"

/** The account, its address, or a list that it is in; not seeds with its address. */
const isIt = (term: Term, account: Account): boolean =>
  term === account.term ||
  (term.kind === "field" && term.name === "key" && term.base === account.term) ||
  (term.kind === "list"
    ? term.elements.includes(account.term)
    : term.kind !== "field" && mentions(term, (one) => one === account.term))

/** Whether this instruction creates the account itself, which fails where it exists. */
export const isCreated = (instruction: Instruction, account: Account): boolean =>
  cpisOf(instruction).some(
    ({ instruction: path, accounts, args }) =>
      /create_account|CreateAccount|allocate|Allocate|create_or_allocate/.test(path) &&
      [...accounts.map(({ term }) => term), ...args].some((one) => isIt(one, account)),
  ) ||
  instruction.events.some(
    (event) =>
      event.kind === "call" &&
      /^create_(or_allocate_|and_\w+_)?(pda_)?account/.test(event.name) &&
      event.args.some(({ term }) => isIt(term, account)),
  )
