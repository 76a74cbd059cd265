const words =
  /your|xxxx|example|placeholder|change|dummy|replace|insert|sample|secret_?key|private_?key|api_?key|todo|redacted|fake/i

/** The fewest distinct characters that a random text over this alphabet has; one in 100,000 has fewer. */
const fewest = (length: number): number => (length >= 60 ? 9 : length >= 30 ? 8 : 7)

/** Whether a text repeats some piece, such as `0123456789abcdef` four times. */
const isRepeated = (text: string): boolean => {
  for (let period = 1; period <= Math.min(32, text.length / 2); period++) {
    let at = period
    while (at < text.length && text[at] === text[at - period]) at++
    if (at === text.length) return true
  }
  return false
}

/** Whether a value only stands in for a secret: words meant for people, too few distinct characters, or a pattern. */
export const isPlaceholder = (value: string): boolean =>
  words.test(value) || new Set(value.toLowerCase()).size < fewest(value.length) || isRepeated(value)
