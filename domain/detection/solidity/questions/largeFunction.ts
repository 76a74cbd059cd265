import type { Flow } from "../program.ts"

/** Steps of one function; the largest ones of OpenZeppelin and Uniswap have some 300. */
const manySteps = 3000

/**
 * Whether a function is so long that questions about paths between two steps, which need a table for each first step,
 * are skipped: generated code, and files meant to exhaust the engine.
 */
export const isLargeFunction = (flow: Flow): boolean => flow.nodes.length > manySteps
