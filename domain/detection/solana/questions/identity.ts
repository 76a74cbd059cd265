import { wayTo } from "../../rust/placeOf.ts"
import type { Event } from "../../rust/terms/events.ts"
import type { Term } from "../../rust/terms/terms.ts"
import type { RustType } from "../../rust/crate/types.ts"
import type { Match } from "../../Rule.ts"
import type { Account, AccountCheck } from "../program/model.ts"

const identifying = new Set<AccountCheck["kind"]>(["owner", "key", "type", "sysvar", "initialized", "pda", "call"])

/** Whether the checks of an account determine which one it is, or which program wrote it. */
export const isIdentified = (checks: ReadonlyArray<AccountCheck>): boolean =>
  checks.some(({ kind }) => identifying.has(kind))

/** Whether the checks of an account determine it uniquely: its address, or data that only the right one contains. */
export const isPinned = (checks: ReadonlyArray<AccountCheck>): boolean =>
  checks.some(({ kind }) => kind === "key" || kind === "pda" || kind === "state" || kind === "initialized")

/** The account whose address a term is; or the term itself if it is an account. */
export const accountOfKey = (term: Term): Term => (term.kind === "field" && term.name === "key" ? term.base : term)

const sysvars =
  /^(Clock|Rent|EpochSchedule|EpochRewards|LastRestartSlot|Fees|RecentBlockhashes|SlotHashes|SlotHistory|StakeHistory)$/

/** The struct that a deserializing call yields, if the type is known. */
export const readType = (event: Event): RustType | undefined => {
  if (event.kind !== "call") return undefined
  const { type } = event.result
  return type.kind === "named" && type.name === "Result" ? type.args[0] : type
}

export const isSysvarType = (type: RustType | undefined): boolean =>
  type?.kind === "named" && type.definition === undefined && sysvars.test(type.name)

/** The token program's own structs, by the crate that provides them. */
export const isTokenAccountType = (type: RustType | undefined): boolean =>
  type?.kind === "named" &&
  type.definition === undefined &&
  (type.name === "TokenAccount" || (type.name === "Account" && /(^|::)(state::Account|Account)$/.test(type.path)))

export const isMintType = (type: RustType | undefined): boolean =>
  type?.kind === "named" && type.definition === undefined && type.name === "Mint"

/** Where the accounts of a finding are declared: what is done with them may stand in a function that many share. */
export const declared = (...accounts: ReadonlyArray<Account>): NonNullable<Match["trace"]> =>
  accounts.map(({ place, name }) => ({ ...place, note: `\`${name}\` is passed by the caller` }))

/** Where the accounts of a finding are declared, and the calls that lead to what is done with them. */
export const reached = (event: Event, ...accounts: ReadonlyArray<Account>): NonNullable<Match["trace"]> => [
  ...declared(...accounts),
  ...wayTo(event),
]
