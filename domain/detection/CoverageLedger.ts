import type { Coverage, Incomplete, ProgramCoverage, SkippedFile } from "../analysis/Coverage.ts"
import { resultLimits } from "../finding/ResultLimits.ts"
import { boundedText, shortened } from "../finding/boundedText.ts"
import { fitting } from "../finding/fitting.ts"

/** Notes beyond this many are not told apart any more. */
const notesKept = 1_000

/** Collects, while an analysis runs, what was and what was not looked at. What it is told is shortened here. */
export class CoverageLedger {
  private readonly skipped = new Map<string, string>()
  private readonly analyzed = new Set<string>()
  private readonly notes = new Set<string>()
  private readonly programs = new Map<string, ProgramCoverage>()
  private notesLost = 0
  private rules = 0

  /** The file is examined by rules; it may still be listed as understood in part. */
  analyze(file: string): void {
    this.analyzed.add(file)
  }

  /** The first reason stands. */
  skip(file: string, reason: string): void {
    if (!this.skipped.has(file)) this.skipped.set(file, boundedText(reason, resultLimits.note))
  }

  /** The file turned out to be harmful: it counts as not analyzed, whatever was noted about it before. */
  exclude(file: string, reason: string): void {
    this.analyzed.delete(file)
    this.skipped.set(file, boundedText(reason, resultLimits.note))
  }

  note(text: string): void {
    if (this.notes.size < notesKept) this.notes.add(boundedText(text, resultLimits.note))
    else this.notesLost++
  }

  /** Of one program the last word counts: it is built anew where a file turned out to be harmful. */
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
