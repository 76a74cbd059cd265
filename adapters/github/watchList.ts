import type { TokenKind } from "../../domain/repository/HostingToken.ts"
import type { Page } from "./hostRequests.ts"

/** Consecutive pages that may contain nothing new, as some do if many repositories are created meanwhile. */
const maxRepeats = 3

/** Detects that a list shifted while it was read: a deletion moves later entries to pages already read. */
export interface ListWatch {
  readonly read: (page: Page) => void
  /** Whether the service repeats its pages, or returns empty ones endlessly. */
  readonly repeats: () => boolean
  /** After the last page: whether a repository may have been missed. */
  readonly changed: () => boolean
}

/** The length of the list, from its pages of one repository each; undefined if the service does not say. */
export const totalOf = ({ total, last, next, repositories }: Page): number | undefined =>
  total ?? last ?? (next === undefined ? repositories.length : undefined)

/**
 * Watches a list that is read oldest first. `end` was requested beforehand, latest first and one repository per page:
 * it counts the list and identifies its latest entry. If nothing before that entry was added or removed, it is found at
 * exactly this position. Entries created in the same second may be in a different order. An installation's list has no
 * order; there, each page states the length.
 */
export const watchList = (kind: TokenKind, end: Page): ListWatch => {
  const total = totalOf(end)
  const latest = end.createdAt[0]
  const seen = new Set<number>()
  let places = 0
  let moved = false
  let repeats = 0
  return {
    read: (page) => {
      const known = seen.size
      for (const [index, { githubId }] of page.repositories.entries()) {
        seen.add(githubId)
        if (++places === total && kind !== "installation") moved ||= page.createdAt[index] !== latest
      }
      repeats = seen.size > known ? 0 : repeats + 1
      if (total !== undefined && page.total !== undefined) moved ||= page.total !== total
    },
    repeats: () => repeats >= maxRepeats,
    changed: () => moved || seen.size < (total ?? 0),
  }
}
