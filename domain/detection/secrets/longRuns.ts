/** Characters by code, 1 where they may be in a run; those beyond ASCII may not. */
export type RunCharacters = Uint8Array

/** `one` matches each of the characters. */
export const runCharacters = (one: RegExp): RunCharacters =>
  Uint8Array.from({ length: 128 }, (_, code) => (one.test(String.fromCharCode(code)) ? 1 : 0))

/**
 * The runs of such characters that have a length between two limits and end at other characters on both sides. A run
 * that long contains one of the characters that are `shortest` apart: few others are looked at. As matches of regular
 * expressions, the words of OpenZeppelin's repository take 300 MB and 0.3 s.
 */
export const longRuns = (
  text: string,
  characters: RunCharacters,
  shortest: number,
  longest: number,
): ReadonlyArray<{ readonly run: string; readonly start: number }> => {
  const found: Array<{ run: string; start: number }> = []
  const isIn = (at: number): boolean => {
    const code = text.charCodeAt(at)
    return code < 128 && characters[code] === 1
  }
  // No run begins before `from`, and the character before it is in none.
  let from = 0
  while (from + shortest <= text.length) {
    let start = from + shortest
    while (start > from && isIn(start - 1)) start--
    if (start > from) {
      from = start
      continue
    }
    let end = from + shortest
    while (end < text.length && isIn(end)) end++
    if (end - start <= longest) found.push({ run: text.slice(start, end), start })
    from = end + 1
  }
  return found
}
