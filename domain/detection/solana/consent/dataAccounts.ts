import { oncePer } from "../../oncePer.ts"
import type { Term } from "../../rust/terms/terms.ts"
import { signersOf } from "../authority/authorization.ts"
import { isMintType, isTokenAccountType } from "../questions/identity.ts"
import type { Account, Instruction, SolanaCrate } from "../program/model.ts"
import { checksWhenDone, cpisOf, usesOf } from "../questions/questions.ts"
import { structOf } from "../authority/relations.ts"
import { lastName } from "../ties/ties.ts"

/** Roles that only token program accounts have. */
const tokenRoles = /^(mint|from|source|to|destination|account)$/

const isOwnerProgram = (instruction: Instruction, account: Account): boolean =>
  checksWhenDone(instruction, account).some(
    ({ kind, against }) =>
      kind === "owner" && !(against?.kind === "constant" && /system_program|system_interface/.test(against.path)),
  )

/** Accounts passed to the token program as its own state; the rent of a token account that is closed goes to anyone. */
const tokenParts = (instruction: Instruction): ReadonlySet<Term> =>
  new Set(
    cpisOf(instruction).flatMap(({ accounts, instruction: called }) =>
      /system/.test(called)
        ? []
        : accounts.flatMap(({ name, term }) =>
            tokenRoles.test(name) && !(name === "destination" && /close/i.test(called)) ? [term] : [],
          ),
    ),
  )

const holdsData = (instruction: Instruction, account: Account): boolean =>
  structOf(instruction, account) !== undefined ||
  isTokenAccountType(account.state) ||
  isMintType(account.state) ||
  isOwnerProgram(instruction, account) ||
  usesOf(instruction, account).some(({ kind }) => kind === "deserialize")

interface Names {
  readonly things: ReadonlySet<string>
  readonly people: ReadonlySet<string>
}

/** Names that some instruction uses for a record, a mint or a token account, and none for a signer; those of signers. */
const namesIn = oncePer((crate: SolanaCrate): Names => {
  const things = new Set<string>()
  const people = new Set<string>()
  for (const instruction of crate.instructions) {
    const parts = tokenParts(instruction)
    for (const account of instruction.accounts)
      if (parts.has(account.term) || holdsData(instruction, account)) things.add(lastName(account))
    for (const account of signersOf(instruction)) people.add(lastName(account))
  }
  for (const name of people) things.delete(name)
  return { things, people }
})

/** Whether it holds data rather than representing someone who could sign. */
export const isDataAccount = (crate: SolanaCrate, account: Account): boolean =>
  namesIn(crate).things.has(lastName(account))

/** Whether some instruction requires an account of this name to sign. */
export const signsElsewhere = (crate: SolanaCrate, account: Account): boolean =>
  namesIn(crate).people.has(lastName(account))
