import type { Span } from "../Source.ts"

/** What Cargo manifests hold: dates stay strings, and what cannot be read is left out. */
export type TomlValue = string | number | boolean | ReadonlyArray<TomlValue> | TomlTable
export interface TomlTable {
  readonly [key: string]: TomlValue
}

type Mutable = { [key: string]: TomlValue }

const isTable = (value: TomlValue | undefined): value is Mutable =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const escapes: Record<string, string> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f", '"': '"', "\\": "\\" }
const maxDepth = 32

/** A file of TOML with the lines of its keys. */
export interface TomlDocument {
  readonly root: TomlTable
  /** The line on which a key of one of its tables, or the key's own table, is first named; without its comment. */
  readonly lineOf: (table: TomlTable, key: string) => Span | undefined
}

/** A longer line is no author's; of such a one only what is around the key is told. */
const longestLine = 4_000

/** The line around an offset, without white space and a comment at its ends. */
const lineAround = (text: string, at: number): Span => {
  let start = at
  while (start > 0 && at - start < longestLine && text[start - 1] !== "\n") start--
  while (start < at && /\s/.test(text[start]!)) start++
  const lineBreak = text.slice(at, at + longestLine).indexOf("\n")
  const line = text.slice(start, lineBreak === -1 ? at + longestLine : at + lineBreak)
  const comment = line.search(/\s#\s/)
  return { start, end: start + (comment === -1 ? line : line.slice(0, comment)).trimEnd().length }
}

/** What a file of TOML says, for those who need no lines. */
export const readToml = (text: string): TomlTable => readTomlDocument(text).root

/** A tolerant reader of TOML 1.0: never throws, steps over what it does not understand, last value of a key wins. */
export const readTomlDocument = (text: string): TomlDocument => {
  let at = 0
  const places = new Map<TomlTable, Map<string, number>>()
  const place = (table: TomlTable, key: string, offset: number): void => {
    const known = places.get(table) ?? new Map<string, number>()
    places.set(table, known)
    if (!known.has(key)) known.set(key, offset)
  }
  const root: Mutable = Object.create(null) as Mutable // no prototype, so that a key `__proto__` is a key

  const blank = (lines: boolean): void => {
    for (; at < text.length; at++) {
      const c = text[at]!
      if (c === "#") {
        const end = text.indexOf("\n", at)
        at = (end === -1 ? text.length : end) - 1
      } else if (c !== " " && c !== "\t" && c !== "\r" && !(lines && c === "\n")) return
    }
  }
  const skipLine = (): void => {
    const end = text.indexOf("\n", at)
    at = end === -1 ? text.length : end + 1
  }
  const string = (): string => {
    const quote = text[at]!
    const long = text.startsWith(quote.repeat(3), at)
    at += long ? 3 : 1
    let value = ""
    for (; at < text.length; at++) {
      const c = text[at]!
      if (c === quote && (!long || text.startsWith(quote.repeat(3), at))) {
        at += long ? 3 : 1
        return value
      }
      if (c === "\n" && !long) return value
      if (c !== "\\" || quote === "'") value += c
      else {
        const code = /^[uU]([0-9a-fA-F]{4,8})/.exec(text.slice(at + 1, at + 10))
        const point = code === null ? undefined : Number.parseInt(code[1]!, 16)
        if (code !== null && point !== undefined && point <= 0x10_ffff) {
          value += String.fromCodePoint(point)
          at += code[0].length
        } else value += escapes[text[++at] ?? ""] ?? ""
      }
    }
    return value
  }
  const keys = (): ReadonlyArray<string> => {
    const path: Array<string> = []
    for (;;) {
      blank(false)
      const c = text[at]
      if (c === '"' || c === "'") path.push(string())
      else {
        const bare = /^[A-Za-z0-9_-]+/.exec(text.slice(at, at + 256))?.[0]
        if (bare === undefined) return []
        path.push(bare)
        at += bare.length
      }
      blank(false)
      if (text[at] !== ".") return path
      at++
    }
  }
  const value = (depth: number): TomlValue | undefined => {
    blank(false)
    const c = text[at]
    if (c === undefined || depth > maxDepth) return undefined
    if (c === '"' || c === "'") return string()
    if (c === "[") {
      at++
      const list: Array<TomlValue> = []
      for (;;) {
        blank(true)
        if (at >= text.length) return list
        if (text[at] === "]") {
          at++
          return list
        }
        if (text[at] === ",") {
          at++
          continue
        }
        const before = at
        const one = value(depth + 1)
        if (one !== undefined) list.push(one)
        if (at === before) return list
      }
    }
    if (c === "{") {
      at++
      const table: Mutable = Object.create(null) as Mutable // as above
      for (;;) {
        blank(true)
        if (at >= text.length || text[at] === "\n") return table
        if (text[at] === "}") {
          at++
          return table
        }
        if (text[at] === ",") {
          at++
          continue
        }
        const offset = at
        const path = keys()
        blank(false)
        if (path.length === 0 || text[at] !== "=") return table
        at++
        const one = value(depth + 1)
        if (one === undefined) return table
        put(table, path, one, offset)
      }
    }
    const word = /^[^\s,\]}#]+/.exec(text.slice(at, at + 256))?.[0]
    if (word === undefined) return undefined
    at += word.length
    if (word === "true" || word === "false") return word === "true"
    const number = Number(word.replaceAll("_", ""))
    return Number.isNaN(number) ? word : number
  }
  const reach = (from: Mutable, path: ReadonlyArray<string>, offset: number): Mutable => {
    let table = from
    for (const key of path) {
      place(table, key, offset)
      const next = table[key]
      const last: TomlValue | undefined = Array.isArray(next) ? (next.at(-1) as TomlValue | undefined) : next // a list of tables
      if (isTable(last)) table = last
      else table = table[key] = Object.create(null) as Mutable // as above
    }
    return table
  }
  const put = (table: Mutable, path: ReadonlyArray<string>, one: TomlValue, offset: number): void => {
    if (path.length > maxDepth) return
    const inner = reach(table, path.slice(0, -1), offset)
    inner[path.at(-1)!] = one
    place(inner, path.at(-1)!, offset)
  }

  let table = root
  while (at < text.length) {
    blank(true)
    if (at >= text.length) break
    if (text[at] === "[") {
      const offset = at
      const list = text[at + 1] === "["
      at += list ? 2 : 1
      const path = keys()
      if (path.length > 0 && path.length <= maxDepth) {
        if (list) {
          const parent = reach(root, path.slice(0, -1), offset)
          const existing = parent[path.at(-1)!]
          table = Object.create(null) as Mutable // as above
          // A list of its own making; a copy for each table would take time with their square.
          if (Array.isArray(existing)) (existing as Array<TomlValue>).push(table)
          else parent[path.at(-1)!] = [table]
        } else table = reach(root, path, offset)
      }
      skipLine()
      continue
    }
    const offset = at
    const path = keys()
    if (path.length === 0 || text[at] !== "=") {
      skipLine()
      continue
    }
    at++
    const one = value(0)
    if (one !== undefined) put(table, path, one, offset)
    blank(false)
    if (text[at] !== "\n" && at < text.length) skipLine()
  }
  const lineOf = (table: TomlTable, key: string): Span | undefined => {
    const offset = places.get(table)?.get(key)
    return offset === undefined ? undefined : lineAround(text, offset)
  }
  return { root, lineOf }
}

export const tableAt = (table: TomlTable, ...path: ReadonlyArray<string>): TomlTable | undefined => {
  let value: TomlValue | undefined = table
  for (const key of path) {
    if (!isTable(value)) return undefined
    value = value[key]
  }
  return isTable(value) ? value : undefined
}
