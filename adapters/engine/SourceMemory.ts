import { hash } from "node:crypto"
import { type SourceFile, sourceFile } from "../../domain/detection/SourceFile.ts"

/**
 * Characters of source text that one thread keeps between analyses. With what was parsed of it that is some 80 MB: a
 * tree takes 7 to 17 bytes for each character (OpenZeppelin, Solady, SPL, Squads; Node 24.21).
 */
const keptCharacters = 8_000_000

/**
 * The source files of earlier analyses, found again by path and content; the least recently used go first. Whatever was
 * derived from a file alone is kept beside it in a `WeakMap`, and goes with it.
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
