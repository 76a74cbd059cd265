import type { Event } from "../rust/terms/events.ts"
import type { Term } from "../rust/terms/terms.ts"
import type { RustType } from "../rust/crate/types.ts"
import type { Match } from "../Rule.ts"
import type { AccountCheck } from "./model.ts"

const identifying = new Set<AccountCheck["kind"]>(["owner", "key", "type", "sysvar", "initialized", "pda", "call"])

/** Whether the checks of an account say which one it is, or which program wrote it. */
export const isIdentified = (checks: ReadonlyArray<AccountCheck>): boolean =>
  checks.some(({ kind }) => identifying.has(kind))

/** Whether the checks of an account pin it down: its address, or data in it that only the right one holds. */
export const isPinned = (checks: ReadonlyArray<AccountCheck>): boolean =>
  checks.some(({ kind }) => kind === "key" || kind === "pda" || kind === "state" || kind === "initialized")

/** The account whose address a term is; the term itself where it is an account already. */
export const accountOfKey = (term: Term): Term => (term.kind === "field" && term.name === "key" ? term.base : term)

const sysvars =
  /^(Clock|Rent|EpochSchedule|EpochRewards|LastRestartSlot|Fees|RecentBlockhashes|SlotHashes|SlotHistory|StakeHistory)$/

/** The struct that a deserializing call yields, where the type is known. */
export const readType = (event: Event): RustType | undefined => {
  if (event.kind !== "call") return undefined
  const { type } = event.result
  return type.kind === "named" && type.name === "Result" ? type.args[0] : type
}

export const isSysvarType = (type: RustType | undefined): boolean =>
  type?.kind === "named" && type.definition === undefined && sysvars.test(type.name)

/** The token program's own structs, by whichever crate gives them. */
export const isTokenAccountType = (type: RustType | undefined): boolean =>
  type?.kind === "named" &&
  type.definition === undefined &&
  (type.name === "TokenAccount" || (type.name === "Account" && /(^|::)(state::Account|Account)$/.test(type.path)))

export const isMintType = (type: RustType | undefined): boolean =>
  type?.kind === "named" && type.definition === undefined && type.name === "Mint"

/** Where an event stands, as a rule reports it. */
export const placeOf = (event: Event): Pick<Match, "file" | "span" | "scope"> => ({
  file: event.file,
  span: event.node,
  scope: event.function.qualifiedName,
})
