import type { Location, TraceStep } from "../finding/Finding.ts"
import type { Match } from "./Rule.ts"
import { maskedSlice, maskedWords } from "./secrets/masked.ts"
import { columnAt, lineAt, type SourceFile, type Span } from "./SourceFile.ts"

/** The longest snippet in a finding, in UTF-16 code units: enough to recognize the place. */
const snippetLength = 500

/** The span inside the text, without trailing white space. */
const trimmed = (text: string, span: Span): Span => {
  const start = Math.max(0, Math.min(span.start, text.length))
  let end = Math.max(start, Math.min(span.end, text.length))
  while (end > start && /\s/.test(text[end - 1]!)) end--
  return { start, end }
}

/** Where a match is, with its text: secrets are masked, and a long text is visibly truncated. */
export const locationOf = ({ file, span }: Match): Location => {
  const { start, end } = trimmed(file.text, span)
  const text = maskedSlice(file, { start, end: Math.min(end, start + snippetLength) })
  return {
    file: file.path,
    lineStart: lineAt(file, start),
    lineEnd: lineAt(file, end),
    columnStart: columnAt(file, start),
    columnEnd: columnAt(file, end),
    snippet: (end - start > snippetLength ? `${text}…` : text).toWellFormed(),
  }
}

/** The whole text of a match as the fingerprint sees it: no secret can be guessed from its hash. */
export const matchedText = ({ file, span }: Match): string => maskedSlice(file, trimmed(file.text, span))

const step = (file: SourceFile, span: Span, note: string): TraceStep => ({
  file: file.path,
  line: lineAt(file, trimmed(file.text, span).start),
  note: maskedWords(file, note),
})

export const traceOf = (match: Match): ReadonlyArray<TraceStep> =>
  (match.trace ?? []).map(({ file, span, note }) => step(file, span, note))
