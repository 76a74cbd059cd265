/** Who may have a thing done: `guarded` by a check of the caller, `tied` to something about them, `open` to anyone, `once`. */
export type AccessStanding = "guarded" | "tied" | "open" | "once"

/** What kind of thing is done: `authority` is a change of who may do things, `assets` ether or tokens that move. */
export type AccessKind = "authority" | "assets" | "state" | "call"

/** One thing that a function can do. */
export interface AccessEffect {
  readonly kind: AccessKind
  /** `writes owner`, `calls token.transfer()`. */
  readonly what: string
  readonly standing: AccessStanding
  /** The conditions that decide, as written, or who that is in words. */
  readonly who: string
  readonly file: string
  readonly line: number
}

/** An externally reachable function of a contract that can change something. */
export interface AccessRow {
  readonly contract: string
  /** `setFee(uint256)`. */
  readonly function: string
  /** Where it is declared, which may be a base. */
  readonly file: string
  readonly line: number
  /** The least that is asked before any of the effects. */
  readonly standing: AccessStanding
  readonly effects: ReadonlyArray<AccessEffect>
  /** Effects beyond the limit, which are not listed. */
  readonly more?: number
}

export const accessLimits = {
  rows: 5_000,
  effectsOfRow: 12,
  /** Characters of a name or condition taken from a repository. */
  text: 120,
} as const

/** How one function's access differs between two tables; one side is absent where the function is new or gone. */
export interface AccessChange {
  readonly contract: string
  readonly function: string
  readonly change: "added" | "removed" | "loosened" | "tightened" | "changed"
  readonly before?: AccessRow
  readonly after?: AccessRow
}

const looseness: Record<AccessStanding, number> = { guarded: 0, once: 1, tied: 2, open: 3 }

/** The least that is asked of several. */
export const weakest = (standings: ReadonlyArray<AccessStanding>): AccessStanding =>
  standings.reduce((found, each) => (looseness[each] > looseness[found] ? each : found), "guarded")

const keyOf = (row: AccessRow): string => `${row.contract}\n${row.function}`

/** Contracts of one name are told apart by their order. */
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
