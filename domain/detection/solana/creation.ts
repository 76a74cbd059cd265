import { mentions } from "../rust/terms.ts"
import type { Account, Instruction } from "./model.ts"
import { cpisOf } from "./questions.ts"

/** Whether this instruction creates the account itself, which fails where it exists. */
export const isCreated = (instruction: Instruction, account: Account): boolean =>
  cpisOf(instruction).some(
    ({ instruction: path, accounts, args }) =>
      /create_account|CreateAccount|allocate|Allocate|create_or_allocate/.test(path) &&
      [...accounts.map(({ term }) => term), ...args].some((one) => mentions(one, (inner) => inner === account.term)),
  ) ||
  instruction.events.some(
    (event) =>
      event.kind === "call" &&
      /^create_(or_allocate_|and_\w+_)?(pda_)?account/.test(event.name) &&
      event.args.some(({ term }) => mentions(term, (one) => one === account.term)),
  )
