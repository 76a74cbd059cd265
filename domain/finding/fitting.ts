const encoder = new TextEncoder()

/** Bytes of a value as JSON in UTF-8. */
export const jsonBytes = (value: unknown): number => encoder.encode(JSON.stringify(value)).length

/**
 * The longest beginning of a list whose JSON takes no more than `bytes`, each item as `shown` gives it. What comes after
 * the first one without room is left out as well: a list in order of importance stays one.
 */
export const fitting = <A, B>(
  items: ReadonlyArray<A>,
  bytes: number,
  shown: (item: A, index: number) => B,
): ReadonlyArray<B> => {
  const listed: Array<B> = []
  let left = bytes - 2
  for (const [index, item] of items.entries()) {
    const one = shown(item, index)
    left -= jsonBytes(one) + 1
    if (left < 0) break
    listed.push(one)
  }
  return listed
}
