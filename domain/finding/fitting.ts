const encoder = new TextEncoder()

/** Bytes of a value as JSON in UTF-8. */
export const jsonBytes = (value: unknown): number => encoder.encode(JSON.stringify(value)).length

/**
 * The longest prefix of a list whose JSON takes at most `bytes`, each item as returned by `shown`. Everything after the
 * first item that does not fit is omitted as well, so a list in order of importance stays one.
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
