import type { Term } from "../../terms/terms.ts"

/** How many elements each iterator has yielded. */
export type Counters = ReadonlyMap<Term, number>

/** Of how many iterators: each step of one copies the counters. Programs that are deployed have three at most. */
export const maxCounters = 64

/** How many elements were taken from each iterator in the meantime. */
export const takenSince = (before: Counters, now: Counters): ReadonlyArray<readonly [Term, number]> =>
  before === now ? [] : [...now].map(([list, count]) => [list, count - (before.get(list) ?? 0)] as const)

/** Where paths join, the iterators may have come as far as on any of them. */
export const furthest = (all: ReadonlyArray<Counters>): Counters => {
  const [first, ...rest] = all
  if (first !== undefined && rest.every((one) => one === first)) return first
  const found = new Map(first)
  for (const counters of rest)
    for (const [list, count] of counters) found.set(list, Math.max(count, found.get(list) ?? 0))
  return found
}
