import type { Parsed } from "./FrontEnd.ts"
import type { SourceFile } from "./SourceFile.ts"

/** Parses each file once, however many ecosystems and analyses see it; the outcome is kept as long as the file is. */
export const parseOnce = <Unit>(parse: (file: SourceFile) => Parsed<Unit>): ((file: SourceFile) => Parsed<Unit>) => {
  const known = new WeakMap<SourceFile, Parsed<Unit>>()
  return (file) => {
    const parsed = known.get(file) ?? parse(file)
    known.set(file, parsed)
    return parsed
  }
}
