/** The elements by each of their keys, in order; `Map.groupBy` has room for one key of each. */
export const indexBy = <One, Key>(
  all: Iterable<One>,
  keysOf: (one: One) => Iterable<Key>,
): ReadonlyMap<Key, ReadonlyArray<One>> => {
  const index = new Map<Key, Array<One>>()
  for (const one of all)
    for (const key of keysOf(one)) {
      const known = index.get(key)
      if (known === undefined) index.set(key, [one])
      else if (known.at(-1) !== one) known.push(one)
    }
  return index
}
