import type * as Brand from "effect/Brand"

/** Identifies something in a map or a cache by several texts. */
export type CompositeKey = string & Brand.Brand<"CompositeKey">

/**
 * The key of exactly these parts: no choice of one part can make it run into the next, as it could with a separator
 * between them.
 */
export const compositeKey = (...parts: ReadonlyArray<string>): CompositeKey => JSON.stringify(parts) as CompositeKey // the only constructor

/** The parts that a key was made from. */
export const partsOf = (key: CompositeKey): ReadonlyArray<string> => JSON.parse(key) as ReadonlyArray<string> // as made above
