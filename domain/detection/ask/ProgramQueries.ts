import type { AccessRow } from "../../access/AccessTable.ts"
import type { Ecosystem } from "../../analysis/Framework.ts"
import { boundedText } from "../../finding/boundedText.ts"
import { secretsIn } from "../secrets/findSecrets.ts"
import { maskedSlice } from "../secrets/masked.ts"
import { lineAt, type SourceFile, type Span } from "../SourceFile.ts"

/** The most that an answer holds; names and code come from a repository. */
export const answerLimits = { items: 100, text: 300, code: 20_000, matches: 5, entries: 20 } as const

/** A place in an answer. */
export interface At {
  readonly file: string
  readonly line: number
}

export type Answer = Readonly<Record<string, unknown>>

/** The function around a line, with the entry points that reach it. */
export interface Enclosing {
  readonly name: string
  readonly from: number
  readonly to: number
  readonly reachedFrom: ReadonlyArray<string>
}

/** What can be asked of a program. Queries only read. */
export interface ProgramQueries {
  /** Who may do what: the functions that a transaction can call and that change something. */
  readonly list_entry_points: (contract?: string) => Answer
  readonly read_function: (name: string) => Answer
  readonly callers_of: (name: string) => Answer
  readonly writers_of: (variable: string) => Answer
  readonly checks_before: (name: string) => Answer
  readonly external_calls_of: (name: string) => Answer
  readonly state_of: (contract: string) => Answer
  readonly search: (text: string) => Answer
}

/** The queries about one program, and what surrounding code needs besides them. */
export interface ProgramAnswers extends Omit<ProgramQueries, "search"> {
  readonly ecosystem: Ecosystem
  readonly files: ReadonlyArray<SourceFile>
  readonly functionAt: (file: string, line: number) => Enclosing | undefined
}

export const place = (file: SourceFile, offset: number): At => ({ file: file.path, line: lineAt(file, offset) })

export const textAt = (file: SourceFile, span: Span, length: number = answerLimits.text): string =>
  boundedText(maskedSlice(file, { start: span.start, end: Math.min(span.end, span.start + length + 700) }), length)

/** The code of a function or a type. */
export const codeAt = (file: SourceFile, { start, end }: Span): string => {
  const code = maskedSlice(file, { start, end: Math.min(end, start + answerLimits.code) })
  return end - start > answerLimits.code ? `${code}…` : code
}

export const listed = <A, B>(
  items: ReadonlyArray<A>,
  shown: (item: A) => B,
): { items: ReadonlyArray<B>; more?: number } => ({
  items: items.slice(0, answerLimits.items).map(shown),
  ...(items.length > answerLimits.items ? { more: items.length - answerLimits.items } : {}),
})

export const unknown = (what: string, name: string): Answer => ({
  error: `There is no ${what} ${boundedText(name, answerLimits.text)}. Use search to find its name.`,
})

/** The combined answer of several things with the same name. */
export const matches = <A>(key: string, all: ReadonlyArray<A>, shown: (item: A) => Answer): Answer => ({
  [key]: all.slice(0, answerLimits.matches).map(shown),
  ...(all.length > answerLimits.matches ? { more: all.length - answerLimits.matches } : {}),
})

/** The names by which a function, a variable or a contract can be asked for. */
export const index = <A>(
  items: Iterable<A>,
  names: (item: A) => ReadonlyArray<string>,
): ReadonlyMap<string, ReadonlyArray<A>> => {
  const found = new Map<string, Array<A>>()
  for (const item of items)
    for (const name of new Set(names(item))) {
      const known = found.get(name)
      if (known === undefined) found.set(name, [item])
      else known.push(item)
    }
  return found
}

export const shownRow = ({ contract, function: name, file, line, standing, effects }: AccessRow): Answer => ({
  contract,
  function: name,
  file,
  line,
  standing,
  effects: effects.map(({ kind, what, who }) => ({ kind, what, who })),
})

/** The lines of some sources that contain a text, ignoring case. */
export const searchIn = (files: ReadonlyArray<SourceFile>): ProgramQueries["search"] => {
  const lowered = files.map((file) => {
    // Masking finds the secrets of a file when it first needs them: it should do so here, not while somebody waits.
    secretsIn(file)
    return { file, lower: file.text.toLowerCase() }
  })
  return (text) => {
    const wanted = text.trim().toLowerCase().slice(0, 200)
    if (wanted.length < 2) return { error: "Give at least two characters." }
    const hits: Array<At & { readonly text: string }> = []
    for (const { file, lower } of lowered) {
      for (let at = lower.indexOf(wanted); at !== -1 && hits.length <= answerLimits.items;) {
        const line = lineAt(file, at)
        const start = file.lineStarts[line - 1]!
        const end = file.lineStarts[line] ?? file.text.length
        hits.push({ file: file.path, line, text: textAt(file, { start, end }).trim() })
        at = lower.indexOf(wanted, end)
      }
    }
    return { ...listed(hits, (hit) => hit), ...(hits.length > answerLimits.items ? { more: "at least 1" } : {}) }
  }
}

interface FunctionSpan<Fn> {
  readonly fn: Fn
  readonly file: string
  readonly from: number
  readonly to: number
}

/** The innermost of some functions around a line, both ends included. */
export const functionSpans = <Fn>(functions: ReadonlyArray<Fn>, spanOf: (fn: Fn) => Omit<FunctionSpan<Fn>, "fn">) => {
  const byFile = Map.groupBy(
    functions.map((fn): FunctionSpan<Fn> => ({ fn, ...spanOf(fn) })).toSorted((a, b) => a.from - b.from),
    ({ file }) => file,
  )
  return (file: string, line: number): FunctionSpan<Fn> | undefined =>
    byFile.get(file)?.findLast(({ from, to }) => from <= line && line <= to)
}
