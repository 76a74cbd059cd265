/** One source file as text. Offsets are UTF-16 code units, as in JavaScript strings. */
export interface SourceFile {
  /** Relative to the repository's root, with forward slashes. */
  readonly path: string
  readonly text: string
  /** The offset of the first character of each line; `lineStarts[0]` is 0. */
  readonly lineStarts: Uint32Array | ReadonlyArray<number>
}

/** A half-open range of offsets. Every syntax node of every language has one. */
export interface Span {
  readonly start: number
  readonly end: number
}

export const sourceFile = (path: string, text: string): SourceFile => {
  const lineStarts = [0]
  for (let i = text.indexOf("\n"); i !== -1; i = text.indexOf("\n", i + 1)) lineStarts.push(i + 1)
  return { path, text, lineStarts }
}

/** The line of an offset, starting at 1; logarithmic in the number of lines. */
export const lineAt = (file: SourceFile, offset: number): number => {
  let low = 0
  let high = file.lineStarts.length
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if (file.lineStarts[middle]! <= offset) low = middle
    else high = middle
  }
  return low + 1
}

/** The column of an offset in its line, starting at 1. */
export const columnAt = (file: SourceFile, offset: number): number =>
  offset - file.lineStarts[lineAt(file, offset) - 1]! + 1
