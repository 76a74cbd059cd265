const none: ReadonlyArray<never> = []

/**
 * A list that is complete, without the room for 16 more entries that its first `push` has made: most lists of a tree have
 * one or two, and that room is a quarter of the tree.
 */
export const fitted = <A>(list: ReadonlyArray<A>): ReadonlyArray<A> => (list.length === 0 ? none : list.slice())
