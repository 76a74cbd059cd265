import type { Flow } from "../program.ts"

/** Steps of one function; the largest of OpenZeppelin and Uniswap have some 300. */
const manySteps = 3000

/**
 * True for functions so long that questions about paths between two steps, which take a table for each first step, are not
 * asked: generated code, and files made to exhaust the engine.
 */
export const isLargeFunction = (flow: Flow): boolean => flow.nodes.length > manySteps
