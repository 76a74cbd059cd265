import type { Span } from "./SourceFile.ts"

/** The values in Cargo manifests: dates stay strings, and unreadable values are left out. */
export type TomlValue = string | number | boolean | ReadonlyArray<TomlValue> | TomlTable
export interface TomlTable {
  readonly [key: string]: TomlValue
}

type Mutable = { [key: string]: TomlValue }

const isMutable = (value: TomlValue | undefined): value is Mutable =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const isTable: (value: TomlValue | undefined) => value is TomlTable = isMutable

export const textOf = (value: TomlValue | undefined): string | undefined =>
  typeof value === "string" ? value : undefined

/** The strings in a list. */
export const textsOf = (value: TomlValue | undefined): ReadonlyArray<string> =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : []

const escapes: Record<string, string> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", '"': '"', "\\": "\\" }
const maxDepth = 32

/** A TOML file with the lines of its keys. */
export interface TomlDocument {
  readonly root: TomlTable
  /** The line on which a key of one of its tables, or the key's own table, is first named; without its comment. */
  readonly lineOf: (table: TomlTable, key: string) => Span | undefined
}

/** Longer lines were not written by an author; of these, only what surrounds the key is shown. */
const longestLine = 4_000

/** The line around an offset, without surrounding white space and a trailing comment. */
const lineAround = (text: string, at: number): Span => {
  let start = at
  while (start > 0 && at - start < longestLine && text[start - 1] !== "\n") start--
  while (start < at && /\s/.test(text[start]!)) start++
  const lineBreak = text.slice(at, at + longestLine).indexOf("\n")
  const line = text.slice(start, lineBreak === -1 ? at + longestLine : at + lineBreak)
  const comment = line.search(/\s#\s/)
  return { start, end: start + (comment === -1 ? line : line.slice(0, comment)).trimEnd().length }
}

/** The contents of a TOML file, for those who need no lines. */
export const readToml = (text: string): TomlTable => readTomlDocument(text).root

/** No prototype, so that `__proto__` is a key like any other. */
const emptyTable = (): Mutable => Object.create(null) as Mutable

class TomlReader {
  readonly root = emptyTable()
  /** The offsets of the keys of each table. */
  private readonly places = new Map<TomlTable, Map<string, number>>()
  private readonly text: string
  private at = 0

  constructor(text: string) {
    this.text = text
  }

  read(): void {
    let table = this.root
    while (this.at < this.text.length) {
      this.blank(true)
      if (this.at >= this.text.length) return
      if (this.text[this.at] === "[") table = this.header(table)
      else this.entry(table)
    }
  }

  lineOf(table: TomlTable, key: string): Span | undefined {
    const offset = this.places.get(table)?.get(key)
    return offset === undefined ? undefined : lineAround(this.text, offset)
  }

  /** `[path]` or `[[path]]`: the table that follows; the previous one if this is malformed. */
  private header(before: Mutable): Mutable {
    let table = before
    const offset = this.at
    const list = this.text[this.at + 1] === "["
    this.at += list ? 2 : 1
    const path = this.keys()
    if (path.length > 0 && path.length <= maxDepth) {
      if (list) {
        const parent = this.reach(this.root, path.slice(0, -1), offset)
        const existing = parent[path.at(-1)!]
        table = emptyTable()
        // A list created here; copying it for each table would take quadratic time.
        if (Array.isArray(existing)) (existing as Array<TomlValue>).push(table)
        else parent[path.at(-1)!] = [table]
      } else table = this.reach(this.root, path, offset)
    }
    this.skipLine()
    return table
  }

  /** `key = value` on a line. */
  private entry(table: Mutable): void {
    if (!this.assignment(table, 0)) {
      this.skipLine()
      return
    }
    this.blank(false)
    if (this.text[this.at] !== "\n" && this.at < this.text.length) this.skipLine()
  }

  /** False if there is no key before a `=`. */
  private assignment(table: Mutable, depth: number): boolean {
    const offset = this.at
    const path = this.keys()
    this.blank(false)
    if (path.length === 0 || this.text[this.at] !== "=") return false
    this.at++
    const value = this.value(depth)
    if (value !== undefined) this.put(table, path, value, offset)
    return value !== undefined || depth === 0
  }

  private value(depth: number): TomlValue | undefined {
    this.blank(false)
    const c = this.text[this.at]
    if (c === undefined || depth > maxDepth) return undefined
    if (c === '"' || c === "'") return this.string()
    if (c === "[") return this.list(depth)
    if (c === "{") return this.inlineTable(depth)
    const word = /^[^\s,\]}#]+/.exec(this.text.slice(this.at, this.at + 256))?.[0]
    if (word === undefined) return undefined
    this.at += word.length
    if (word === "true" || word === "false") return word === "true"
    const number = Number(word.replaceAll("_", ""))
    return Number.isNaN(number) ? word : number
  }

  private list(depth: number): ReadonlyArray<TomlValue> {
    this.at++
    const list: Array<TomlValue> = []
    while (!this.ends("]")) {
      const before = this.at
      const one = this.value(depth + 1)
      if (one !== undefined) list.push(one)
      if (this.at === before) break
    }
    return list
  }

  private inlineTable(depth: number): TomlTable {
    this.at++
    const table = emptyTable()
    while (!this.ends("}") && this.text[this.at] !== "\n") {
      if (!this.assignment(table, depth + 1)) break
    }
    return table
  }

  /** Skips blanks and commas, and the closing bracket if it is next. */
  private ends(bracket: string): boolean {
    this.blank(true)
    while (this.text[this.at] === ",") {
      this.at++
      this.blank(true)
    }
    if (this.text[this.at] === bracket) {
      this.at++
      return true
    }
    return this.at >= this.text.length
  }

  private keys(): ReadonlyArray<string> {
    const path: Array<string> = []
    for (;;) {
      this.blank(false)
      const c = this.text[this.at]
      if (c === '"' || c === "'") path.push(this.string())
      else {
        const bare = /^[A-Za-z0-9_-]+/.exec(this.text.slice(this.at, this.at + 256))?.[0]
        if (bare === undefined) return []
        path.push(bare)
        this.at += bare.length
      }
      this.blank(false)
      if (this.text[this.at] !== ".") return path
      this.at++
    }
  }

  private string(): string {
    const { text } = this
    const quote = text[this.at]!
    const long = text.startsWith(quote.repeat(3), this.at)
    this.at += long ? 3 : 1
    let value = ""
    for (; this.at < text.length; this.at++) {
      const c = text[this.at]!
      if (c === quote && (!long || text.startsWith(quote.repeat(3), this.at))) {
        this.at += long ? 3 : 1
        return value
      }
      if (c === "\n" && !long) return value
      value += c === "\\" && quote !== "'" ? this.escaped() : c
    }
    return value
  }

  /** What a backslash and the characters after it stand for; ends at the last of these characters. */
  private escaped(): string {
    const code = /^[uU]([0-9a-fA-F]{4,8})/.exec(this.text.slice(this.at + 1, this.at + 10))
    const point = code === null ? undefined : Number.parseInt(code[1]!, 16)
    if (code === null || point === undefined || point > 0x10_ffff) return escapes[this.text[++this.at] ?? ""] ?? ""
    this.at += code[0].length
    return String.fromCodePoint(point)
  }

  private blank(lines: boolean): void {
    for (; this.at < this.text.length; this.at++) {
      const c = this.text[this.at]!
      if (c === "#") {
        const end = this.text.indexOf("\n", this.at)
        this.at = (end === -1 ? this.text.length : end) - 1
      } else if (c !== " " && c !== "\t" && c !== "\r" && !(lines && c === "\n")) return
    }
  }

  private skipLine(): void {
    const end = this.text.indexOf("\n", this.at)
    this.at = end === -1 ? this.text.length : end + 1
  }

  private place(table: TomlTable, key: string, offset: number): void {
    const known = this.places.get(table) ?? new Map<string, number>()
    this.places.set(table, known)
    if (!known.has(key)) known.set(key, offset)
  }

  private reach(from: Mutable, path: ReadonlyArray<string>, offset: number): Mutable {
    let table = from
    for (const key of path) {
      this.place(table, key, offset)
      const next = table[key]
      const last: TomlValue | undefined = Array.isArray(next) ? (next.at(-1) as TomlValue | undefined) : next // A list of tables.
      if (isMutable(last)) table = last
      else table = table[key] = emptyTable()
    }
    return table
  }

  private put(table: Mutable, path: ReadonlyArray<string>, value: TomlValue, offset: number): void {
    if (path.length > maxDepth) return
    const inner = this.reach(table, path.slice(0, -1), offset)
    inner[path.at(-1)!] = value
    this.place(inner, path.at(-1)!, offset)
  }
}

/**
 * A tolerant reader of TOML 1.0: never throws, skips what it does not understand, and takes the last value of a key.
 */
export const readTomlDocument = (text: string): TomlDocument => {
  const reader = new TomlReader(text)
  reader.read()
  return { root: reader.root, lineOf: (table, key) => reader.lineOf(table, key) }
}

export const tableAt = (table: TomlTable, ...path: ReadonlyArray<string>): TomlTable | undefined => {
  let value: TomlValue | undefined = table
  for (const key of path) {
    if (!isTable(value)) return undefined
    value = value[key]
  }
  return isTable(value) ? value : undefined
}
