import * as Schema from "effect/Schema"
import { jsonBytes } from "../finding/fitting.ts"
import { accessLimits } from "./accessLimits.ts"
import { looseness } from "./looseness.ts"

/**
 * Who can do something: `guarded` by a check of the caller, `tied` to something about them, `open` to anyone, `once`.
 */
export const AccessStanding = Schema.Literals(["guarded", "tied", "open", "once"])
export type AccessStanding = typeof AccessStanding.Type

/** The kind of an effect: `authority` changes who may do things, `assets` are coins or tokens that move. */
export const AccessKind = Schema.Literals(["authority", "assets", "state", "call"])
export type AccessKind = typeof AccessKind.Type

/**
 * One effect of a function: `writes owner`, `calls token.transfer()`; `who` has the conditions as written, or a
 * description.
 */
export const AccessEffect = Schema.Struct({
  kind: AccessKind,
  what: Schema.String,
  standing: AccessStanding,
  who: Schema.String,
  file: Schema.String,
  line: Schema.Int,
})
export type AccessEffect = typeof AccessEffect.Type

/**
 * An externally reachable function of a contract or program that can change something: `setFee(uint256)`, at its
 * declaration; `standing` is the weakest of its effects, `more` counts effects that are not listed.
 */
export const AccessRow = Schema.Struct({
  contract: Schema.String,
  function: Schema.String,
  file: Schema.String,
  line: Schema.Int,
  standing: AccessStanding,
  effects: Schema.Array(AccessEffect),
  more: Schema.optionalKey(Schema.Int),
}).annotate({ identifier: "AccessRow" })
export type AccessRow = typeof AccessRow.Type

/** A table as it is stored and sent; `omitted` counts rows that did not fit. */
export const AccessTable = Schema.Struct({
  access: Schema.Array(AccessRow),
  omitted: Schema.optionalKey(Schema.Int),
}).annotate({ identifier: "AccessTable" })
export type AccessTable = typeof AccessTable.Type

/** How one function's access differs between two tables; one side is absent if the function is new or gone. */
const AccessChange = Schema.Struct({
  contract: Schema.String,
  function: Schema.String,
  change: Schema.Literals(["added", "removed", "loosened", "tightened", "changed"]),
  before: Schema.optionalKey(AccessRow),
  after: Schema.optionalKey(AccessRow),
})
export type AccessChange = typeof AccessChange.Type

/** The changes between two tables, loosened access first. */
export const AccessChanges = Schema.Struct({
  changes: Schema.Array(AccessChange),
  omitted: Schema.optionalKey(Schema.Int),
}).annotate({ identifier: "AccessChanges" })
export type AccessChanges = typeof AccessChanges.Type

/** Those that fit into the limit, by `byWorth`, in their original order. */
const fit = <T>(
  items: ReadonlyArray<T>,
  byWorth: ReadonlyArray<T>,
  bytes: number,
): { readonly kept: ReadonlyArray<T>; readonly omitted: number } => {
  let room = bytes - 100
  const kept = new Set<T>()
  for (const item of byWorth) {
    room -= jsonBytes(item) + 1
    if (room < 0) break
    kept.add(item)
  }
  return { kept: items.filter((item) => kept.has(item)), omitted: items.length - kept.size }
}

const fitted = (rows: ReadonlyArray<AccessRow>, most: number, bytes: number): AccessTable => {
  const byWorth = rows.toSorted((a, b) => looseness[b.standing] - looseness[a.standing])
  const { kept, omitted } = fit(rows, byWorth.slice(0, most), bytes)
  return omitted === 0 ? { access: kept } : { access: kept, omitted }
}

/** A table within its limit: checked rows are omitted before unchecked ones. */
export const fitAccess = (rows: ReadonlyArray<AccessRow>): AccessTable => fitted(rows, rows.length, accessLimits.bytes)

/** The part of a table that a result shows, chosen in the same way. */
export const shownAccess = (rows: ReadonlyArray<AccessRow>): AccessTable =>
  fitted(rows, accessLimits.shownRows, accessLimits.shownBytes)

/** Changes within their limit. */
export const fitChanges = (changes: ReadonlyArray<AccessChange>): AccessChanges => {
  const { kept, omitted } = fit(changes, changes, accessLimits.bytes)
  return omitted === 0 ? { changes: kept } : { changes: kept, omitted }
}

/** The rows of each contract, in their order. */
export const byContract = (rows: ReadonlyArray<AccessRow>): ReadonlyMap<string, ReadonlyArray<AccessRow>> =>
  Map.groupBy(rows, ({ contract }) => contract)

const keyOf = (row: AccessRow): string => `${row.contract}\n${row.function}`

/** Contracts of the same name are distinguished by their order. */
const byKey = (rows: ReadonlyArray<AccessRow>): ReadonlyMap<string, AccessRow> => {
  const found = new Map<string, AccessRow>()
  for (const row of rows) {
    let key = keyOf(row)
    while (found.has(key)) key += "'"
    found.set(key, row)
  }
  return found
}

const told = ({ effects, more }: AccessRow): string =>
  JSON.stringify([effects.map(({ kind, what, standing, who }) => [kind, what, standing, who]).toSorted(), more ?? 0])

/** What changed from one table to a later one, loosened access first. */
export const compareAccess = (
  before: ReadonlyArray<AccessRow>,
  after: ReadonlyArray<AccessRow>,
): ReadonlyArray<AccessChange> => {
  const old = byKey(before)
  const now = byKey(after)
  const changes: Array<AccessChange> = []
  for (const [key, row] of now) {
    const was = old.get(key)
    const named = { contract: row.contract, function: row.function, after: row }
    if (was === undefined) changes.push({ ...named, change: "added" })
    else if (looseness[row.standing] > looseness[was.standing])
      changes.push({ ...named, change: "loosened", before: was })
    else if (looseness[row.standing] < looseness[was.standing])
      changes.push({ ...named, change: "tightened", before: was })
    else if (told(row) !== told(was)) changes.push({ ...named, change: "changed", before: was })
  }
  for (const [key, row] of old) {
    if (!now.has(key)) changes.push({ contract: row.contract, function: row.function, change: "removed", before: row })
  }
  const order = ["loosened", "added", "changed", "tightened", "removed"]
  return changes.toSorted((a, b) => order.indexOf(a.change) - order.indexOf(b.change))
}
