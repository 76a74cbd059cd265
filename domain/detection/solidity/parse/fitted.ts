const none: ReadonlyArray<never> = []

/**
 * A complete list without the room for 16 more entries that its first `push` allocates: most lists in a tree have one
 * or two entries, and that room is a quarter of the tree.
 */
export const fitted = <A>(list: ReadonlyArray<A>): ReadonlyArray<A> => (list.length === 0 ? none : list.slice())
