import type { Coverage, SkippedFile } from "../analysis/Coverage.ts"

/** Notes beyond this many are only counted: each is one rule or file that something went wrong with. */
const notesShown = 50

/** Collects, while an analysis runs, what was and what was not looked at. */
export class CoverageLedger {
  private readonly skipped = new Map<string, string>()
  private readonly analysed = new Set<string>()
  private readonly notes = new Set<string>()
  private rules = 0

  /** The file is examined by rules; it may still be listed as understood in part. */
  analyse(file: string): void {
    this.analysed.add(file)
  }

  /** The first reason stands. */
  skip(file: string, reason: string): void {
    if (!this.skipped.has(file)) this.skipped.set(file, reason)
  }

  /** The file turned out to be harmful: it counts as not analysed, whatever was noted about it before. */
  exclude(file: string, reason: string): void {
    this.analysed.delete(file)
    this.skipped.set(file, reason)
  }

  note(text: string): void {
    this.notes.add(text)
  }

  rulesRun(count: number): void {
    this.rules += count
  }

  get filesAnalysed(): number {
    return this.analysed.size
  }

  coverage(engine: { readonly name: string; readonly version: string }): Coverage {
    const filesSkipped: Array<SkippedFile> = [...this.skipped]
      .map(([file, reason]) => ({ file, reason }))
      .toSorted((a, b) => (a.file < b.file ? -1 : 1))
    const notes = [...this.notes].toSorted()
    const shown = notes.slice(0, notesShown).join("; ")
    const note = notes.length > notesShown ? `${shown}; and ${notes.length - notesShown} more` : shown
    return {
      filesAnalysed: this.analysed.size,
      filesSkipped,
      rulesRun: this.rules,
      engines: [note === "" ? engine : { ...engine, note }],
    }
  }
}
