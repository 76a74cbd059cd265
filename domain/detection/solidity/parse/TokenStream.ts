import type { Span } from "../../SourceFile.ts"
import { DecimalNumber, EndOfFile, HexNumber, kindOf, Name, type Tokens } from "./lexer.ts"

/**
 * The nesting depth at which the parser stops descending. Each level costs a few stack frames here and in the analyses;
 * the deepest code in the audited libraries has 24.
 */
export const nestingLimit = 400

const open = new Set(["(", "[", "{"].map(kindOf))
const close = new Set([")", "]", "}"].map(kindOf))
const semicolon = kindOf(";")
const openBrace = kindOf("{")
const closeBrace = kindOf("}")

/** Only words with a special meaning in certain places can be names. */
const softNames = new Set(["address", "payable", "default", "byte", "let", "case", "is", "anonymous"].map(kindOf))

/** A position in the tokens of a file, and the errors encountered so far. */
export class TokenStream {
  index = 0
  depth = 0
  readonly errors: Array<{ start: number; end: number }> = []
  readonly problems = new Set<string>()
  readonly tokens: Tokens
  /** A name that occurs many times in a file is one string: this halves the strings of a tree. */
  private readonly texts = new Map<string, string>()

  constructor(tokens: Tokens) {
    this.tokens = tokens
  }

  get kind(): number {
    return this.tokens.kinds[this.index]!
  }

  /** The kind of the token `ahead` positions further on. */
  peek(ahead: number): number {
    const at = this.index + ahead
    return at < this.tokens.count ? this.tokens.kinds[at]! : EndOfFile
  }

  get start(): number {
    return this.tokens.starts[this.index]!
  }

  /** The end of the previous token. */
  get lastEnd(): number {
    return this.index === 0 ? 0 : this.tokens.ends[this.index - 1]!
  }

  get text(): string {
    return this.textAt(0)
  }

  textAt(ahead: number): string {
    const at = Math.min(this.index + ahead, this.tokens.count)
    const text = this.tokens.text.slice(this.tokens.starts[at]!, this.tokens.ends[at]!)
    const known = this.texts.get(text)
    if (known !== undefined) return known
    this.texts.set(text, text)
    return text
  }

  get atEnd(): boolean {
    return this.index >= this.tokens.count
  }

  advance(): void {
    if (this.index < this.tokens.count) this.index++
  }

  /** Consumes the token if it is of this kind. */
  take(kind: number): boolean {
    if (this.kind !== kind) return false
    this.advance()
    return true
  }

  /** Consumes the token, or records that it is missing and stays. */
  expect(kind: number): boolean {
    if (this.take(kind)) return true
    this.errorHere()
    return false
  }

  takeWord(word: string): boolean {
    if (this.kind !== Name || this.text !== word) return false
    this.advance()
    return true
  }

  isWord(word: string): boolean {
    return this.kind === Name && this.text === word
  }

  isName(ahead = 0): boolean {
    const kind = this.peek(ahead)
    return kind === Name || softNames.has(kind)
  }

  /** The end of what began at `start`; the same position if nothing was consumed. */
  endFrom(start: number): number {
    return Math.max(start, this.lastEnd)
  }

  span(start: number): Span {
    return { start, end: this.endFrom(start) }
  }

  errorHere(): void {
    this.error(this.start, this.tokens.ends[Math.min(this.index, this.tokens.count)]!)
  }

  error(start: number, end: number): void {
    const last = this.errors[this.errors.length - 1]
    if (last !== undefined && start <= last.end + 1) last.end = Math.max(last.end, end)
    else this.errors.push({ start, end })
  }

  /** Whether there is a line break between the previous token and this one. */
  get onNewLine(): boolean {
    for (let i = this.lastEnd; i < this.start; i++) if (this.tokens.text.charCodeAt(i) === 10) return true
    return false
  }

  /** Runs `parse` one level deeper, or `tooDeep` at the limit. */
  nested<A>(parse: () => A, tooDeep: () => A): A {
    if (this.depth >= nestingLimit) {
      this.problems.add(`nesting beyond ${nestingLimit} levels was not analyzed`)
      return tooDeep()
    }
    this.depth++
    try {
      return parse()
    } finally {
      this.depth--
    }
  }

  /** Skips to the end of the current bracket, over balanced pairs; also stops before `;`. */
  skipInside(): void {
    let level = 0
    const { kinds, count } = this.tokens
    while (this.index < count) {
      const kind = kinds[this.index]!
      if (open.has(kind)) level++
      else if (close.has(kind)) {
        if (level === 0) return
        level--
      } else if (kind === semicolon && level === 0) return
      this.index++
    }
  }

  /** Whether the current bracket ends before a brace or semicolon. */
  closesBeforeBody(): boolean {
    let level = 0
    const { kinds, count } = this.tokens
    for (let i = this.index; i < count; i++) {
      const kind = kinds[i]!
      if (kind === openBrace || kind === closeBrace || kind === semicolon) return false
      if (open.has(kind)) level++
      else if (close.has(kind) && --level < 0) return true
    }
    return false
  }

  /** Skips the rest of a broken statement: past its `;` or `{…}`, or up to the enclosing `}`. */
  skipStatement(): void {
    let level = 0
    while (!this.atEnd) {
      const kind = this.kind
      if (level === 0 && kind === closeBrace) return
      if (open.has(kind)) level++
      else if (close.has(kind)) level = Math.max(0, level - 1)
      this.advance()
      if (level === 0 && (kind === semicolon || kind === closeBrace)) return
    }
  }

  get isNumber(): boolean {
    return this.kind === DecimalNumber || this.kind === HexNumber
  }
}
