/** How many characters before a value may say what it is. */
const reach = 160

const letter = /[A-Za-z0-9]/

/**
 * The text before a value: its line, or the line above if its own says nothing. Starts after the last `;`, so that
 * another statement does not speak for the value.
 */
export const before = (text: string, at: number): string => {
  const lines = text.slice(Math.max(0, at - reach), at).split("\n")
  const last = lines.at(-1)!
  const segment = letter.test(last) ? last : `${lines.at(-2) ?? ""}\n${last}`
  return segment.slice(segment.lastIndexOf(";") + 1)
}

const telling = /key|pk|secret|seed|mnemonic|phrase|wallet|account|token|url|rpc|broadcast/i

/** The last name before a value that says what it is, or an empty string. */
export const nameIn = (segment: string): string =>
  (segment.match(/[A-Za-z_]\w+/g)?.findLast((name) => telling.test(name)) ?? "").slice(0, 100)
