import { hash } from "node:crypto"
import { type SourceFile, sourceFile } from "../../domain/detection/SourceFile.ts"

/**
 * How many characters of source text one thread keeps between analyses. Including what was parsed from it, that is some
 * 80 MB: a tree takes 7 to 17 bytes per character (OpenZeppelin, Solady, SPL, Squads; Node 24.21).
 */
const keptCharacters = 8_000_000

/**
 * The source files of earlier analyses, found by path and content; the least recently used are dropped first. Whatever
 * was derived from a file alone is kept with it in a `WeakMap`, and dropped with it.
 */
export class SourceMemory {
  private readonly kept = new Map<string, SourceFile>()
  private readonly limit: number
  private characters = 0

  constructor(limit = keptCharacters) {
    this.limit = limit
  }

  /** The same object for the same path and text, as long as it is kept. */
  file(path: string, text: string): SourceFile {
    const key = `${hash("sha256", text)} ${path}`
    const file = this.kept.get(key) ?? sourceFile(path, text)
    if (this.kept.delete(key)) this.characters -= file.text.length
    if (file.text.length > this.limit) return file
    this.kept.set(key, file)
    this.characters += file.text.length
    for (const [oldest, { text: forgotten }] of this.kept) {
      if (this.characters <= this.limit) break
      this.kept.delete(oldest)
      this.characters -= forgotten.length
    }
    return file
  }
}
