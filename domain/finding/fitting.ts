/** Bytes of a value as JSON in UTF-8. */
export const jsonBytes = (value: unknown): number => {
  const json = JSON.stringify(value)
  let bytes = 0
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    // Surrogates come in pairs of 4 bytes: lone ones are escaped.
    bytes += code < 0x80 ? 1 : code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 2 : 3
  }
  return bytes
}

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
