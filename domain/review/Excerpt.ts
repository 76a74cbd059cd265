import { lineAt, type SourceFile } from "../detection/SourceFile.ts"
import { maskedSlice } from "../detection/secrets/masked.ts"
import { visible } from "../finding/visible.ts"

/** Lines of a source as a model may see them: secrets masked, and nothing in them that people cannot see. */
export interface Excerpt {
  readonly file: string
  /** The number of the first line, from 1. */
  readonly from: number
  readonly lines: ReadonlyArray<string>
  /** The enclosing function, if any: `Vault.withdraw(uint256)`. */
  readonly function?: string
  /** The entry points that lead to it. */
  readonly reachedFrom?: ReadonlyArray<string>
}

export const excerptLimits = {
  /** The lines of a function shown completely; of a longer one, and outside of functions, the surrounding lines. */
  function: 80,
  around: 25,
  /** Characters of a line that are shown. */
  line: 400,
} as const

/** A function around a line. */
export interface Enclosing {
  readonly name: string
  readonly from: number
  readonly to: number
  readonly reachedFrom: ReadonlyArray<string>
}

/** The lines of the enclosing function, or the surrounding ones. */
export const excerptOf = (
  file: SourceFile,
  wanted: { readonly from: number; readonly to: number },
  enclosing: Enclosing | undefined,
): Excerpt => {
  const whole = enclosing !== undefined && enclosing.to - enclosing.from < excerptLimits.function
  const last = lineAt(file, file.text.length)
  const clamped = (line: number): number => Math.max(1, Math.min(last, line))
  const start = clamped(whole ? enclosing.from : wanted.from - excerptLimits.around)
  const end = whole
    ? clamped(enclosing.to)
    : clamped(Math.min(wanted.to, wanted.from + excerptLimits.function) + excerptLimits.around)
  const lines: Array<string> = []
  for (let line = start; line <= end; line++) {
    const begin = file.lineStarts[line - 1]!
    const next = file.lineStarts[line] ?? file.text.length
    const text = maskedSlice(file, { start: begin, end: Math.min(next, begin + excerptLimits.line) })
    lines.push(visible(text.trimEnd()))
  }
  const scope = enclosing === undefined ? {} : { function: enclosing.name, reachedFrom: enclosing.reachedFrom }
  return { file: file.path, from: start, lines, ...scope }
}
