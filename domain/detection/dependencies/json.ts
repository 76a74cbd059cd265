import type { Span } from "../Source.ts"

/** A JSON value with the place that it was read from. Objects are maps, so that no key is special. */
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

/** A package inside a package inside … of the oldest lock files nests two levels each. */
const maxDepth = 200

class Malformed extends Error {}

/** Reads JSON (RFC 8259) in one pass; `reason` says where it ceases to be JSON. */
export const readJson = (text: string): JsonNode | { readonly reason: string } => {
  let at = 0
  const fail = (what: string): never => {
    throw new Malformed(`is not JSON: ${what} near line ${text.slice(0, at).split("\n").length}`)
  }
  const blank = (): void => {
    for (; at < text.length; at++) {
      const c = text.charCodeAt(at)
      if (c === 47 && text.charCodeAt(at + 1) === 47) {
        // Comments, which some tools let stand.
        const end = text.indexOf("\n", at)
        at = end === -1 ? text.length - 1 : end
      } else if (c !== 32 && c !== 10 && c !== 13 && c !== 9) return
    }
  }
  const string = (): string => {
    const start = at
    for (at++; at < text.length; at++) {
      const c = text.charCodeAt(at)
      if (c === 92) at++
      else if (c === 34) {
        at++
        const raw = text.slice(start, at)
        if (!raw.includes("\\")) return raw.slice(1, -1)
        try {
          // A JSON string literal gives a string.
          return JSON.parse(raw) as string
        } catch {
          return fail("a broken escape")
        }
      } else if (c === 10) break
    }
    return fail("a text without an end")
  }
  const value = (depth: number): JsonNode => {
    if (depth > maxDepth) fail(`more than ${maxDepth} levels`)
    blank()
    const start = at
    const c = text[at]
    if (c === '"') return { kind: "string", value: string(), start, end: at }
    if (c === "{") {
      const entries = new Map<string, JsonEntry>()
      at++
      blank()
      while (text[at] !== "}") {
        if (text[at] !== '"') fail("a key is missing")
        const from = at
        const key = string()
        blank()
        if (text[at] !== ":") fail("a colon is missing")
        at++
        const one = value(depth + 1)
        entries.set(key, { value: one, span: { start: from, end: at } })
        blank()
        if (text[at] === ",") {
          at++
          blank()
        } else if (text[at] !== "}") fail("a comma is missing")
      }
      at++
      return { kind: "object", entries, start, end: at }
    }
    if (c === "[") {
      const items: Array<JsonNode> = []
      at++
      blank()
      while (text[at] !== "]") {
        items.push(value(depth + 1))
        blank()
        if (text[at] === ",") {
          at++
          blank()
        } else if (text[at] !== "]") fail("a comma is missing")
      }
      at++
      return { kind: "list", items, start, end: at }
    }
    while (at < text.length && !/[\s,\]}]/.test(text[at]!)) at++
    const word = text.slice(start, at)
    if (!/^(?:true|false|null|-?\d[\d.eE+-]*)$/.test(word)) fail("a value is missing")
    return { kind: "other", text: word, start, end: at }
  }
  try {
    const whole = value(0)
    blank()
    if (at < text.length) fail("text after its end")
    return whole
  } catch (error) {
    if (error instanceof Malformed) return { reason: error.message }
    throw error
  }
}

const noEntries: ReadonlyMap<string, JsonEntry> = new Map()

/** The entries of the object at a path of keys; none where there is no such object. */
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
