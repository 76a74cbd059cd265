import type { Coverage, Incomplete, ProgramCoverage, SkippedFile } from "../analysis/Coverage.ts"
import { resultLimits } from "../finding/ResultLimits.ts"
import { boundedText, shortened } from "../finding/boundedText.ts"
import { fitting } from "../finding/fitting.ts"

/** Beyond this many, notes are no longer distinguished. */
const notesKept = 1_000

/** Collects, while an analysis runs, what was examined and what was not. Shortens whatever it records. */
export class CoverageLedger {
  private readonly skipped = new Map<string, string>()
  private readonly analyzed = new Set<string>()
  private readonly notes = new Set<string>()
  private readonly programs = new Map<string, ProgramCoverage>()
  private notesLost = 0
  private rules = 0

  /** Rules examine the file; it may still be listed as partly understood. */
  analyze(file: string): void {
    this.analyzed.add(file)
  }

  /** The first reason wins. */
  skip(file: string, reason: string): void {
    if (!this.skipped.has(file)) this.skipped.set(file, boundedText(reason, resultLimits.note))
  }

  /** The file turned out to be harmful: it counts as not analyzed, whatever was recorded about it before. */
  exclude(file: string, reason: string): void {
    this.analyzed.delete(file)
    this.skipped.set(file, boundedText(reason, resultLimits.note))
  }

  note(text: string): void {
    if (this.notes.size < notesKept) this.notes.add(boundedText(text, resultLimits.note))
    else this.notesLost++
  }

  /** The last report about a program wins: the program is rebuilt if a file turned out to be harmful. */
  program(program: ProgramCoverage): void {
    this.programs.set(`${program.framework} ${program.program}`, program)
  }

  rulesRun(count: number): void {
    this.rules += count
  }

  get filesAnalysed(): number {
    return this.analyzed.size
  }

  coverage(
    engine: { readonly name: string; readonly version: string },
    incomplete: ReadonlyArray<Incomplete> = [],
  ): Coverage {
    const filesSkipped: Array<SkippedFile> = [...this.skipped]
      .map(([file, reason]) => ({ file, reason }))
      .toSorted((a, b) => (a.file < b.file ? -1 : 1))
    const programs = fitting([...this.programs.values()], resultLimits.programs, (program) => program)
    const notes = [...this.notes].toSorted()
    const shown = notes.slice(0, resultLimits.notes).join("; ")
    const more = notes.length - resultLimits.notes + this.notesLost
    const note = more > 0 ? `${shown}; and ${more} more` : shown
    return {
      filesAnalysed: this.analyzed.size,
      filesSkipped,
      rulesRun: this.rules,
      engines: [note === "" ? engine : { ...engine, note }],
      ...(programs.length === 0 ? {} : { programs }),
      ...(incomplete.length === 0
        ? {}
        : { incomplete: incomplete.map((one) => ({ ...one, name: shortened(one.name, resultLimits.path) })) }),
    }
  }
}
