/** The parts of a source that are not code. A string literal includes its quotes, a comment its markers. */
export type Part = "comment" | "string"

/**
 * Rust differs in nested comments, raw strings, multi-line strings, and lifetimes. `hash` is for TOML, YAML, Python and
 * lock files: comments from `#` to the end of the line.
 */
export type Lexis = "solidity" | "rust" | "hash"

export const lexisOf = (path: string): Lexis =>
  path.endsWith(".rs")
    ? "rust"
    : /(?:\.(?:toml|lock|ya?ml|env|sh|py)|\.gitmodules|(?:^|\/)(?:\.env(?:rc|\.[\w.-]+)|\.npmrc|[Mm]akefile|justfile))$/.test(
          path,
        )
      ? "hash"
      : "solidity"

const rawString = /b?r(#*)"/y
const character = /'(?:\\.[^'\n]{0,8}|[^\\'\n]{1,2})'/y
const word = /[A-Za-z0-9_$]/

/** Where a comment or a literal may begin: regular expressions find it several times as fast as a loop. */
const stops: Record<Lexis, RegExp> = { solidity: /["'/]/g, rust: /["'/]|\bb?r#*"/g, hash: /["'#]/g }

const lineEnd = (text: string, from: number): number => {
  const end = text.indexOf("\n", from)
  return end === -1 ? text.length : end
}

/** Where the comment that starts at `start` ends; unclosed ones end with the text. */
const blockCommentEnd = (text: string, start: number, nested: boolean): number => {
  let depth = 1
  for (let i = start + 2; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === 42 && text.charCodeAt(i + 1) === 47) {
      i++
      if (--depth === 0) return i + 1
    } else if (nested && c === 47 && text.charCodeAt(i + 1) === 42) {
      i++
      depth++
    }
  }
  return text.length
}

/** Where a quoted literal ends. In Solidity, a line break also ends it, so that a stray quote costs only one line. */
const quotedEnd = (text: string, start: number, multiline: boolean): number => {
  const quote = text.charCodeAt(start)
  for (let i = start + 1; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === 92) i++
    else if (c === quote) return i + 1
    else if (c === 10 && !multiline) return i
  }
  return text.length
}

const rawStringEnd = (text: string, start: number): number | undefined => {
  if (start > 0 && word.test(text[start - 1]!)) return undefined
  rawString.lastIndex = start
  const opening = rawString.exec(text)
  if (opening === null) return undefined
  const closing = `"${opening[1]}`
  const end = text.indexOf(closing, rawString.lastIndex)
  return end === -1 ? text.length : end + closing.length
}

/**
 * Distinguishes comments and string literals from code, in order and in one pass over the text, without a grammar:
 * enough to know that a directive is in a comment rather than in a string.
 */
export const lexicalScan = (
  text: string,
  lexis: Lexis,
  visit: (part: Part, start: number, end: number) => void,
): void => {
  const rust = lexis === "rust"
  const stop = stops[lexis]
  let i = 0
  const take = (part: Part, end: number): void => {
    visit(part, i, end)
    i = end
  }
  const goOn = (): void => {
    stop.lastIndex = i + 1
    i = stop.exec(text)?.index ?? text.length
  }
  while (i < text.length) {
    const c = text.charCodeAt(i)
    if (lexis === "hash") {
      if (c === 35) take("comment", lineEnd(text, i))
      else if (c === 34 || c === 39) take("string", quotedEnd(text, i, false))
      else goOn()
    } else if (c === 47 && text.charCodeAt(i + 1) === 47) take("comment", lineEnd(text, i))
    else if (c === 47 && text.charCodeAt(i + 1) === 42) take("comment", blockCommentEnd(text, i, rust))
    else if (c === 34) take("string", quotedEnd(text, i, rust))
    else if (c === 39 && !rust) take("string", quotedEnd(text, i, false))
    else if (c === 39) {
      character.lastIndex = i
      // Anything else that starts with a quote is a lifetime.
      if (character.test(text)) take("string", character.lastIndex)
      else i++
    } else if (rust && (c === 114 || c === 98)) {
      const end = rawStringEnd(text, i)
      if (end === undefined) goOn()
      else take("string", end)
    } else goOn()
  }
}
