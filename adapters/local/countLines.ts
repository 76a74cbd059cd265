import type { ExternalResult } from "../../domain/external/ExternalResult.ts"
import { readBelow } from "./readBelow.ts"

/** Number of lines whose offsets are remembered. */
const mostLines = 1_000_000

/** The byte offsets of the lines of a file below `root`; undefined if there is no such file. */
const lineStarts = async (root: string, path: string): Promise<ReadonlyArray<number> | undefined> => {
  const bytes = await readBelow(root, path)
  if (bytes === undefined) return undefined
  const starts = [0]
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) starts.push(at + 1)
  return starts
}

const lineOf = (starts: ReadonlyArray<number>, offset: number): number => {
  let low = 0
  let high = starts.length
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if (starts[middle]! <= offset) low = middle
    else high = middle
  }
  return low + 1
}

/** The results of an engine that reports byte offsets, as Aderyn does, with their lines; files are not parsed. */
export const countLines = async (
  root: string,
  results: ReadonlyArray<ExternalResult>,
): Promise<ReadonlyArray<ExternalResult>> => {
  const known = new Map<string, ReadonlyArray<number> | undefined>()
  const counted: Array<ExternalResult> = []
  let lines = 0
  for (const result of results) {
    const { file, byteOffset, byteLength = 0 } = result
    if (byteOffset === undefined) {
      counted.push(result)
      continue
    }
    if (!known.has(file)) {
      const found = await lineStarts(root, file)
      lines += found?.length ?? 0
      // Files may consist of line breaks; results come file by file.
      if (lines > mostLines) {
        known.clear()
        lines = found?.length ?? 0
      }
      known.set(file, found)
    }
    const starts = known.get(file)
    const last = byteOffset + Math.max(0, byteLength - 1)
    counted.push(
      starts === undefined
        ? result
        : { ...result, lineStart: lineOf(starts, byteOffset), lineEnd: lineOf(starts, last) },
    )
  }
  return counted
}
