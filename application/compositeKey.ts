import type * as Brand from "effect/Brand"

/** Names something in a map or a cache by several texts. */
export type CompositeKey = string & Brand.Brand<"CompositeKey">

/**
 * The key of these parts, and of no others: whoever chooses one of them cannot write it so that it runs into the next,
 * as with a separator between them.
 */
export const compositeKey = (...parts: ReadonlyArray<string>): CompositeKey => JSON.stringify(parts) as CompositeKey // the only maker

/** The parts that a key was made of. */
export const partsOf = (key: CompositeKey): ReadonlyArray<string> => JSON.parse(key) as ReadonlyArray<string> // as made above
