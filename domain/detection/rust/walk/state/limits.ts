/** Limits: call depth, and expressions in total; beyond them, a call is a term like any foreign one. */
export const maxDepth = 12
export const maxSteps = 400_000

/**
 * The number of expressions of one message or instruction within which every call is walked; beyond it, a function that
 * was walked often enough (`recall.ts`) is represented by its earlier outcome. Helpers that call the next one twice
 * would otherwise be walked 4,096 times at depth 12.
 */
export const freeSteps = 4_000
