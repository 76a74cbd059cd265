import { createRequire } from "node:module"
import { readFile } from "node:fs/promises"
import { Language, Parser, type Node as RustNode } from "web-tree-sitter"
import type { Ecosystem } from "../../domain/analysis/Framework.ts"
import { sourceFile } from "../../domain/detection/SourceFile.ts"
import { parseSolidity } from "../../domain/detection/solidity/parse/parse.ts"

/** A piece of a text that a parser named, and the pieces in it. */
export interface Piece {
  readonly kind: string
  readonly start: number
  readonly end: number
}

/** The pieces of a text, and how many errors its parser sees in it. */
export interface Grammar {
  readonly pieces: (text: string) => ReadonlyArray<Piece>
  readonly errors: (text: string) => number
}

/** A number from 0 to below `below`. */
export type Random = (below: number) => number

/** The same numbers for the same seed (mulberry32). */
export const seeded = (seed: number): Random => {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((((t ^ (t >>> 14)) >>> 0) / 4_294_967_296) * below) >>> 0
  }
}

const solidity: Grammar = {
  pieces: (text) => {
    const found: Array<Piece> = []
    const take = (value: unknown): void => {
      if (typeof value !== "object" || value === null) return
      if ("kind" in value && "start" in value && "end" in value) found.push(value as Piece)
      for (const [key, inner] of Object.entries(value)) if (key !== "file") take(inner)
    }
    take(parseSolidity(sourceFile("a.sol", text)).items)
    return found
  },
  errors: (text) => parseSolidity(sourceFile("a.sol", text)).errors.length,
}

const rust = async (): Promise<Grammar> => {
  const resolve = createRequire(import.meta.url).resolve
  await Parser.init()
  const wasm = await readFile(resolve("@vscode/tree-sitter-wasm/wasm/tree-sitter-rust.wasm"))
  const parser = new Parser().setLanguage(await Language.load(new Uint8Array(wasm)))
  const read = <A>(text: string, use: (root: RustNode) => A): A => {
    const tree = parser.parse(text)!
    try {
      return use(tree.rootNode)
    } finally {
      tree.delete()
    }
  }
  return {
    pieces: (text) => read(text, collect),
    errors: (text) => read(text, (root) => (root.hasError ? root.descendantsOfType("ERROR").length + 1 : 0)),
  }
}

const collect = (root: RustNode): ReadonlyArray<Piece> => {
  const found: Array<Piece> = []
  const take = (node: RustNode): void => {
    if (node !== root) found.push({ kind: node.type, start: node.startIndex, end: node.endIndex })
    for (const inner of node.namedChildren) if (inner !== null) take(inner)
  }
  take(root)
  return found
}

/** Lines, for what is neither Solidity nor Rust. */
const lines: Grammar = {
  pieces: (text) =>
    [...text.matchAll(/[^\n]+\n?|"[^"\n]*"|[\w.-]+/g)].map(({ 0: { length }, index }) => ({
      kind: "line",
      start: index,
      end: index + length,
    })),
  errors: () => 0,
}

export const grammarOf = async (ecosystem: Ecosystem | "text"): Promise<Grammar> =>
  ecosystem === "text" ? lines : ecosystem === "evm" ? solidity : rust()

/** Names that a piece declares, as far as its text shows it. */
const declaredIn = (text: string): ReadonlySet<string> => {
  const names = new Set<string>()
  const patterns = [
    /\b(?:fn|struct|enum|trait|mod|const|static|type|let|mut|for|function|contract|interface|library|modifier|event|error|macro_rules!)\s+(\w+)/g,
    /\b([a-z_]\w*)\s*:(?!:)/g,
    /(?<!\b(?:return|emit|new|delete|is|revert|else|mut|in|memory|storage|calldata)\s)[\w\])]\s+([A-Za-z_]\w*)\s*(?=[;=,)])/g,
    /^\s*(\w+)\s*(?:\(|\{|,|$)/g,
  ]
  for (const pattern of patterns) for (const { 1: name } of text.matchAll(pattern)) names.add(name!)
  for (const word of keywords) names.delete(word)
  return names
}
const keywords =
  `if for while return emit match let mut self Self pub fn uint256 address bool bytes32 public private external internal view pure memory
  storage calldata returns require assert unchecked else struct mapping msg u64 u8 Ok Err Some None use impl true false this super crate move`.split(
    /\s+/,
  )

/** How copies of a piece differ: not at all, by the names they declare, or each uses what another one declares. */
const namings = ["same", "own", "own", "last", "next", "two"] as const
type Naming = (typeof namings)[number]

/** Text that depends on the number of a copy. */
type Copy = (at: number, of: number) => string

const copies = (text: string, naming: Naming, declared: ReadonlySet<string>, random: Random): Copy => {
  if (naming === "same" || declared.size === 0) return () => text
  const parts = text.split(/([A-Za-z_]\w*)/)
  const own = [...declaredIn(text)].filter((name) => declared.has(name))
  const others = [
    ...new Set(parts.filter((part, at) => at % 2 === 1 && !declared.has(part) && !keywords.includes(part))),
  ]
  const from = own.length === 0 || others.length === 0 || naming === "own" ? undefined : others[random(others.length)]
  const second = naming === "two" && others.length > 1 ? others[random(others.length)] : undefined
  const target = own[random(Math.max(1, own.length))]
  const numbered = (name: string, at: number): string => (at <= 0 ? name : `${name}_${at}`)
  return (at, of) =>
    parts
      .map((part, index) => {
        if (index % 2 === 0) return part
        if (target !== undefined && part === from) return numbered(target, naming === "next" ? (at + 1) % of : at - 1)
        if (target !== undefined && part === second) return numbered(target, at - 2)
        return declared.has(part) ? numbered(part, at) : part
      })
      .join("")
}

const repeated = (copy: Copy, separator: string, times: number): string =>
  Array.from({ length: times }, (_, at) => copy(at, times)).join(separator)

const separators = ["\n", ", ", " ", "; ", " + ", " && ", " | ", ".", "/", "::", " = "]

/** A text as a function of its size in characters. */
export interface Shape {
  readonly name: string
  readonly text: (characters: number) => string
}

const replaced = (text: string, { start, end }: Piece, by: string): string =>
  text.slice(0, start) + by + text.slice(end)
const textOf = (text: string, { start, end }: Piece): string => text.slice(start, end)

/** What may stand between copies of a piece. */
const separatorOf = (
  text: string,
  piece: Piece,
  grammar: Grammar,
  errors: number,
  random: Random,
): string | undefined => {
  const part = textOf(text, piece)
  const from = random(3) === 0 ? random(separators.length) : 0
  for (let at = 0; at < separators.length; at++) {
    const separator = separators[(from + at) % separators.length]!
    if (grammar.errors(replaced(text, piece, [part, part, part].join(separator))) <= errors) return separator
  }
  return undefined
}

interface Context {
  readonly text: string
  readonly pieces: ReadonlyArray<Piece>
  readonly grammar: Grammar
  readonly errors: number
  readonly random: Random
}

const anyOf = <A>(list: ReadonlyArray<A>, random: Random): A | undefined => list[random(Math.max(1, list.length))]
const short = (text: string): string => text.replaceAll(/\s+/g, " ").slice(0, 60)

const beside = ({ text, pieces, grammar, errors, random }: Context): Shape | undefined => {
  const piece = anyOf(pieces, random)
  if (piece === undefined) return undefined
  const separator = separatorOf(text, piece, grammar, errors, random)
  if (separator === undefined) return undefined
  const part = textOf(text, piece)
  const naming = anyOf(namings, random)!
  const copy = copies(part, naming, declaredIn(part), random)
  return {
    name: `${piece.kind} beside, ${naming}: ${short(part)}`,
    text: (size) =>
      replaced(
        text,
        piece,
        repeated(copy, separator, Math.max(2, Math.floor(size / (part.length + separator.length + 3)))),
      ),
  }
}

const two = ({ text, pieces, grammar, errors, random }: Context): Shape | undefined => {
  const one = anyOf(pieces, random)
  if (one === undefined) return undefined
  const declared = new Set(declaredIn(textOf(text, one)))
  const apart = pieces.filter(({ start, end }) => end <= one.start || start >= one.end)
  const users = apart.filter((each) => {
    const words = textOf(text, each).match(/[A-Za-z_]\w*/g) ?? []
    return words.some((word) => declared.has(word))
  })
  const other = anyOf(users.length > 0 && random(4) > 0 ? users : apart, random)
  if (other === undefined) return undefined
  const between = separatorOf(text, one, grammar, errors, random)
  const within = separatorOf(text, other, grammar, errors, random)
  if (between === undefined || within === undefined) return undefined
  const [a, b] = [textOf(text, one), textOf(text, other)]
  for (const name of declaredIn(b)) declared.add(name)
  const naming = random(3) === 0 ? anyOf(namings, random)! : "own"
  const [copyA, copyB] = [copies(a, naming, declared, random), copies(b, naming, declared, random)]
  return {
    name: `${one.kind} and ${other.kind}, ${naming}: ${short(a)} | ${short(b)}`,
    text: (size) => {
      const times = Math.max(2, Math.floor(size / (a.length + b.length + 10)))
      const first = { ...one, by: repeated(copyA, between, times) }
      const second = { ...other, by: repeated(copyB, within, times) }
      const [early, late] = first.start < second.start ? [first, second] : [second, first]
      return replaced(replaced(text, late, late.by), early, early.by)
    },
  }
}

/** So many copies of a piece, in each of which so many of another. */
const inEach = ({ text, pieces, grammar, errors, random }: Context): Shape | undefined => {
  const outer = anyOf(pieces, random)
  if (outer === undefined) return undefined
  const inner = anyOf(
    pieces.filter(({ start, end }) => start > outer.start && end < outer.end),
    random,
  )
  if (inner === undefined) return undefined
  const between = separatorOf(text, outer, grammar, errors, random)
  const within = separatorOf(text, inner, grammar, errors, random)
  if (between === undefined || within === undefined) return undefined
  const [a, b] = [textOf(text, outer), textOf(text, inner)]
  const naming = anyOf(namings, random)!
  const declaredByInner = declaredIn(b)
  const declared = new Set([...declaredIn(a)].filter((name) => !declaredByInner.has(name)))
  const inside = copies(b, naming, declaredByInner, random)
  const moved = { ...inner, start: inner.start - outer.start, end: inner.end - outer.start }
  return {
    name: `${outer.kind} with ${inner.kind}, ${naming}: ${short(a)} | ${short(b)}`,
    text: (size) => {
      const few = Math.max(2, Math.floor(Math.sqrt(size / (b.length + 4))))
      const full = replaced(a, moved, repeated(inside, within, few))
      const copy = copies(full, naming, declared, random)
      return replaced(text, outer, repeated(copy, between, Math.max(2, Math.floor(size / (full.length + 4)))))
    },
  }
}

const nested = ({ text, pieces, grammar, errors, random }: Context): Shape | undefined => {
  for (let tries = 0; tries < 6; tries++) {
    const outer = anyOf(pieces, random)
    if (outer === undefined) return undefined
    const inner = anyOf(
      pieces.filter(
        ({ start, end }) => start >= outer.start && end <= outer.end && end - start < outer.end - outer.start,
      ),
      random,
    )
    if (inner === undefined) continue
    const [before, after] = [text.slice(outer.start, inner.start), text.slice(inner.end, outer.end)]
    const middle = textOf(text, inner)
    const deep = (times: number): string => before.repeat(times) + middle + after.repeat(times)
    if (grammar.errors(replaced(text, outer, deep(4))) > errors) continue
    const depth = [4, 8, 14, 24, 40, 80, 100_000][random(7)]!
    const separator = separatorOf(text, outer, grammar, errors, random)
    return {
      name: `${outer.kind} ${depth} deep: ${short(before)} … ${short(after)}`,
      text: (size) => {
        const each = deep(Math.min(depth, Math.floor(size / (before.length + after.length))))
        const times = separator === undefined ? 1 : Math.max(1, Math.floor(size / each.length))
        return replaced(text, outer, Array.from({ length: times }, () => each).join(separator ?? ""))
      },
    }
  }
  return undefined
}

const stretched = ({ text, random }: Context): Shape | undefined => {
  const tokens = [...text.matchAll(/\w+|\s+|[^\w\s]/g)]
  const token = anyOf(tokens, random)
  if (token === undefined) return undefined
  const piece = { kind: "token", start: token.index, end: token.index + token[0].length }
  return {
    name: `token stretched: ${short(JSON.stringify(token[0]))}`,
    text: (size) => replaced(text, piece, token[0].repeat(Math.floor(size / token[0].length))),
  }
}

/** What a text may contain that nobody expects there. */
const oddities = [
  "\0",
  "\uFEFF",
  "\uD800",
  "\u202E",
  "\r",
  "/*",
  '"',
  "'",
  "\\",
  'r#"',
  "{",
  "}",
  "(",
  ")",
  "[",
  "]",
  "<",
  ">",
  ";",
  ",",
  "..",
  "::",
  "#",
  "#[",
  "!",
  "2**2**2**2**2**2**2",
  "(1<<1000000000000)",
  "10**1000000000",
  "9".repeat(10_000),
  "1e9999999999",
  "0x",
  "-1",
  "uint[2**256]",
  "- - - -".repeat(500),
  "self",
  "super",
  "_",
]

/** A few tokens deleted, repeated, exchanged with others or with what nobody expects: whatever its size is to be. */
const damaged = ({ text, random }: Context): Shape => {
  const tokens = text.match(/\w+|\s+|[^\w\s]/g) ?? []
  const before = tokens.length
  for (let times = 1 + random(6); times > 0; times--) {
    const at = random(before)
    const by = [
      [],
      [tokens[at]!, tokens[at]!],
      [tokens[random(before)]!],
      [anyOf(oddities, random)!],
      [tokens[at]!, anyOf(oddities, random)!],
    ]
    tokens.splice(at, 1, ...by[random(by.length)]!)
  }
  const cut = random(8) === 0 ? tokens.slice(0, random(before)) : tokens
  return { name: "damaged", text: () => cut.join("") }
}

const strategies = [damaged, beside, beside, beside, two, two, two, inEach, inEach, nested, nested, stretched]

/** Some shape that grows out of a text; undefined if the one that was tried is not in the language. */
export const anyShape = (text: string, grammar: Grammar, random: Random): Shape | undefined => {
  const pieces = grammar.pieces(text).filter(({ start, end }) => end > start)
  const context = { text, pieces, grammar, errors: grammar.errors(text), random }
  return strategies[random(strategies.length)]!(context)
}
