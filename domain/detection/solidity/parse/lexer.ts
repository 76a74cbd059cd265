/**
 * Token kinds are small integers; `kindOf("(")` and `kindOf("function")` return those of punctuation and reserved
 * words.
 */
export const EndOfFile = 0
export const Name = 1
export const DecimalNumber = 2
export const HexNumber = 3
export const StringLiteral = 4
export const UnicodeString = 5
export const HexString = 6
/** A character that starts no token. */
const Stray = 7

const firstWord = 16

/**
 * Words that are never names. Others (`from`, `error`, `type`, `layout`, `receive` …) are names with a special meaning
 * in certain places.
 */
const reserved = (
  "abstract anonymous assembly break case catch constant constructor continue contract default delete do else emit enum " +
  "event external false for function if import indexed interface internal is let library mapping memory modifier new " +
  "override payable pragma private public pure return returns storage struct true try unchecked using var view virtual " +
  "while calldata immutable address bool string bytes byte int uint fixed ufixed"
).split(" ")

const punctuation = (
  "( ) [ ] { } ; , . : ? := -> => = == != < > <= >= + - * / % ** ++ -- += -= *= /= %= && || ! & | ^ ~ &= |= ^= " +
  "<< >> >>> <<= >>= >>>= =:"
).split(" ")

const kinds = new Map<string, number>([...reserved, ...punctuation].map((word, i) => [word, firstWord + i]))

export const kindOf = (word: string): number => {
  const kind = kinds.get(word)
  if (kind === undefined) throw new Error(`no token ${word}`)
  return kind
}

/** Types with a width (`uint8`, `bytes32`, `fixed128x18`) share one kind; the text says which one it is. */
export const SizedType = 8

const isSizedType = (word: string): boolean => {
  const first = word.charCodeAt(0)
  // i, u, b, f: avoids the regular expression for nearly every name.
  if (first !== 105 && first !== 117 && first !== 98 && first !== 102) return false
  return /^(u?int\d{1,3}|bytes\d{1,2}|u?fixed\d+x\d+)$/.test(word)
}

export interface Tokens {
  readonly text: string
  readonly count: number
  readonly kinds: Uint8Array
  readonly starts: Uint32Array
  readonly ends: Uint32Array
}

const isNameStart = (c: number): boolean => (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || c === 95 || c === 36
const isDigit = (c: number): boolean => c >= 48 && c <= 57
const isNamePart = (c: number): boolean => isNameStart(c) || isDigit(c)
const isHexDigit = (c: number): boolean => isDigit(c) || (c >= 97 && c <= 102) || (c >= 65 && c <= 70)

/**
 * Byte order marks, joiners, no-break spaces and direction marks mean nothing to the grammar (a rule looks at the
 * text).
 */
const isInvisible = (c: number): boolean =>
  c === 0xfeff ||
  c === 0xa0 ||
  (c >= 0x200b && c <= 0x200f) ||
  (c >= 0x2028 && c <= 0x202e) ||
  (c >= 0x2060 && c <= 0x2069)

const stringEnd = (text: string, start: number, quote: number): number => {
  let i = start + 1
  for (; i < text.length; i++) {
    const c = text.charCodeAt(i)
    if (c === quote) return i + 1
    if (c === 92) i++
    else if (c === 10 || c === 13) return i
  }
  return Math.min(i, text.length)
}

const numberEnd = (text: string, start: number): number => {
  let i = start
  const digits = (): void => {
    for (let c = text.charCodeAt(i); isDigit(c) || c === 95; c = text.charCodeAt(i)) i++
  }
  digits()
  if (text.charCodeAt(i) === 46 && isDigit(text.charCodeAt(i + 1))) {
    i++
    digits()
  }
  const e = text.charCodeAt(i)
  if (e === 101 || e === 69) {
    const sign = text.charCodeAt(i + 1) === 45 ? 1 : 0
    if (isDigit(text.charCodeAt(i + 1 + sign))) {
      i += 1 + sign
      digits()
    }
  }
  return i
}

/** Splits a file into tokens, in time linear in its length, and drops comments and white space. Never throws. */
export const tokenize = (text: string): Tokens => {
  const length = text.length
  let capacity = Math.max(64, length >>> 2)
  let tokenKinds = new Uint8Array(capacity)
  let starts = new Uint32Array(capacity)
  let ends = new Uint32Array(capacity)
  let count = 0
  const push = (kind: number, start: number, end: number): void => {
    if (count + 1 >= capacity) {
      capacity *= 2
      const grow = <A extends Uint8Array | Uint32Array>(to: A, from: A): A => (to.set(from), to)
      tokenKinds = grow(new Uint8Array(capacity), tokenKinds)
      starts = grow(new Uint32Array(capacity), starts)
      ends = grow(new Uint32Array(capacity), ends)
    }
    tokenKinds[count] = kind
    starts[count] = start
    ends[count] = end
    count++
  }
  let i = 0
  while (i < length) {
    const c = text.charCodeAt(i)
    if (c === 32 || (c >= 9 && c <= 13)) {
      i++
    } else if (isNameStart(c) || (c > 127 && !isInvisible(c))) {
      const start = i++
      for (
        let d = text.charCodeAt(i);
        i < length && (isNamePart(d) || (d > 127 && !isInvisible(d)));
        d = text.charCodeAt(i)
      )
        i++
      const word = text.slice(start, i)
      const quote = text.charCodeAt(i)
      if ((quote === 34 || quote === 39) && (word === "hex" || word === "unicode")) {
        i = stringEnd(text, i, quote)
        push(word === "hex" ? HexString : UnicodeString, start, i)
      } else push(kinds.get(word) ?? (isSizedType(word) ? SizedType : Name), start, i)
    } else if (isDigit(c) || (c === 46 && isDigit(text.charCodeAt(i + 1)))) {
      const start = i
      const x = text.charCodeAt(i + 1)
      if (c === 48 && (x === 120 || x === 88)) {
        i += 2
        for (let d = text.charCodeAt(i); isHexDigit(d) || d === 95; d = text.charCodeAt(i)) i++
        push(HexNumber, start, i)
      } else {
        i = numberEnd(text, i)
        push(DecimalNumber, start, i)
      }
    } else if (c === 34 || c === 39) {
      const start = i
      i = stringEnd(text, i, c)
      push(StringLiteral, start, i)
    } else if (c === 47 && text.charCodeAt(i + 1) === 47) {
      i += 2
      for (let d = text.charCodeAt(i); i < length && d !== 10 && d !== 13; d = text.charCodeAt(i)) i++
    } else if (c === 47 && text.charCodeAt(i + 1) === 42) {
      const end = text.indexOf("*/", i + 2)
      i = end === -1 ? length : end + 2
    } else if (isInvisible(c)) {
      i++
    } else {
      let width = Math.min(4, length - i)
      let kind: number | undefined
      for (; width > 0 && kind === undefined; width--) kind = kinds.get(text.slice(i, i + width))
      push(kind ?? Stray, i, (i += kind === undefined ? 1 : width + 1))
    }
  }
  tokenKinds[count] = EndOfFile
  starts[count] = length
  ends[count] = length
  return { text, count, kinds: tokenKinds, starts, ends }
}
