import type { Span } from "../../SourceFile.ts"

/** A JSON value with the place where it was read. Objects are maps, so that no key is special. */
export type JsonNode = Span &
  (
    | { readonly kind: "object"; readonly entries: ReadonlyMap<string, JsonEntry> }
    | { readonly kind: "list"; readonly items: ReadonlyArray<JsonNode> }
    | { readonly kind: "string"; readonly value: string }
    | { readonly kind: "other"; readonly text: string }
  )

export interface JsonEntry {
  /** From the key to the end of the value. */
  readonly span: Span
  readonly value: JsonNode
}

/** The oldest lock files nest a package inside a package inside …, two levels each. */
const maxDepth = 200

class Malformed extends Error {}

/** One pass over a text; each method leaves `at` behind what it has read. */
class Reader {
  private readonly text: string
  private at = 0

  constructor(text: string) {
    this.text = text
  }

  document(): JsonNode {
    const whole = this.value(0)
    this.blank()
    if (this.at < this.text.length) this.fail("text after its end")
    return whole
  }

  private fail(what: string): never {
    throw new Malformed(`is not JSON: ${what} near line ${this.text.slice(0, this.at).split("\n").length}`)
  }

  private blank(): void {
    const { text } = this
    for (; this.at < text.length; this.at++) {
      const c = text.charCodeAt(this.at)
      if (c === 47 && text.charCodeAt(this.at + 1) === 47) {
        // Comments, which some tools allow.
        const end = text.indexOf("\n", this.at)
        this.at = end === -1 ? text.length - 1 : end
      } else if (c !== 32 && c !== 10 && c !== 13 && c !== 9) return
    }
  }

  private string(): string {
    const { text } = this
    const start = this.at
    for (this.at++; this.at < text.length; this.at++) {
      const c = text.charCodeAt(this.at)
      if (c === 92) this.at++
      else if (c === 34) {
        this.at++
        const raw = text.slice(start, this.at)
        if (!raw.includes("\\")) return raw.slice(1, -1)
        try {
          // A JSON string literal parses to a string.
          return JSON.parse(raw) as string
        } catch {
          return this.fail("an invalid escape sequence")
        }
      } else if (c === 10) break
    }
    return this.fail("an unterminated string")
  }

  private value(depth: number): JsonNode {
    if (depth > maxDepth) this.fail(`more than ${maxDepth} levels`)
    this.blank()
    const start = this.at
    const c = this.text[start]
    if (c === '"') return { kind: "string", value: this.string(), start, end: this.at }
    if (c === "{") return { kind: "object", entries: this.entries(depth), start, end: this.at }
    if (c === "[") return { kind: "list", items: this.items(depth), start, end: this.at }
    return { kind: "other", text: this.word(), start, end: this.at }
  }

  private entries(depth: number): ReadonlyMap<string, JsonEntry> {
    const entries = new Map<string, JsonEntry>()
    this.at++
    this.blank()
    while (this.text[this.at] !== "}") {
      if (this.text[this.at] !== '"') this.fail("a key is missing")
      const start = this.at
      const key = this.string()
      this.blank()
      if (this.text[this.at] !== ":") this.fail("a colon is missing")
      this.at++
      const value = this.value(depth + 1)
      entries.set(key, { value, span: { start, end: this.at } })
      this.separator("}")
    }
    this.at++
    return entries
  }

  private items(depth: number): ReadonlyArray<JsonNode> {
    const items: Array<JsonNode> = []
    this.at++
    this.blank()
    while (this.text[this.at] !== "]") {
      items.push(this.value(depth + 1))
      this.separator("]")
    }
    this.at++
    return items
  }

  /** The comma after an element, which tools also allow after the last one. */
  private separator(close: string): void {
    this.blank()
    if (this.text[this.at] === ",") {
      this.at++
      this.blank()
    } else if (this.text[this.at] !== close) this.fail("a comma is missing")
  }

  /** `true`, `false`, `null` or a number. */
  private word(): string {
    const start = this.at
    while (this.at < this.text.length && !/[\s,\]}]/.test(this.text[this.at]!)) this.at++
    const word = this.text.slice(start, this.at)
    if (!/^(?:true|false|null|-?\d[\d.eE+-]*)$/.test(word)) this.fail("a value is missing")
    return word
  }
}

/** Reads JSON (RFC 8259) in one pass; `reason` says where it is malformed. */
export const readJson = (text: string): JsonNode | { readonly reason: string } => {
  try {
    return new Reader(text).document()
  } catch (error) {
    if (error instanceof Malformed) return { reason: error.message }
    throw error
  }
}

const noEntries: ReadonlyMap<string, JsonEntry> = new Map()

/** The entries of the object at a path of keys; none if there is no such object. */
export const entriesAt = (
  node: JsonNode | undefined,
  ...path: ReadonlyArray<string>
): ReadonlyMap<string, JsonEntry> => {
  let current = node
  for (const key of path) current = current?.kind === "object" ? current.entries.get(key)?.value : undefined
  return current?.kind === "object" ? current.entries : noEntries
}

export const textOf = (entry: JsonEntry | undefined): string | undefined =>
  entry?.value.kind === "string" ? entry.value.value : undefined

export const isTrue = (entry: JsonEntry | undefined): boolean =>
  entry?.value.kind === "other" && entry.value.text === "true"
