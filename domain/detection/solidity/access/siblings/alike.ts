import type { Entry } from "../entries/entries.ts"

/** Similar entry points behind a check, and the number of others without one. */
export interface Alike {
  /** Where nothing similar is behind a check, the others need not be counted: they are no evidence. */
  readonly guarded: ReadonlyArray<Entry>
  readonly open: number
}

export const noneAlike: Alike = { guarded: [], open: 0 }

/** Limit: entry points and contracts that one is compared with; for thousands, the cost would be their product. */
export const compared = 400

/** Only tests are evidence for tests. */
export const standsFor = (other: Entry, entry: Entry): boolean => entry.test || !other.test

/** Entry points as a whole: those behind checks, and those with something that anyone can do. */
export const alikeIn = (entries: ReadonlyArray<Entry>): Alike => ({
  guarded: entries.filter(({ guarded }) => guarded),
  open: entries.filter(({ open }) => open.length > 0).length,
})
