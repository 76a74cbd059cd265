import type { AccessRow } from "../access/AccessTable.ts"
import type { ProgramCoverage } from "../analysis/Coverage.ts"
import type { Ecosystem } from "../analysis/Framework.ts"
import type { Advisory } from "./dependencies/advisories/Advisory.ts"
import type { Rule } from "./Rule.ts"
import type { SourceFile, Span } from "./SourceFile.ts"

/** What the driver needs to know about a parsed file, whatever its language. */
export interface Parsed<Unit> {
  readonly unit: Unit
  /** Ranges that the grammar could not make sense of. */
  readonly errors: ReadonlyArray<Span>
  /** What else a reader of the coverage must know: nesting too deep, text left out. */
  readonly problems: ReadonlyArray<string>
  /** How many functions were understood. */
  readonly functions: number
  /** Whether there is something to examine in spite of errors; if not, the file counts as not analyzed. */
  readonly usable: boolean
}

/** The repository around the sources, as far as name resolution may ask about it. */
export interface Project {
  /** Every regular file, not only the sources. */
  readonly paths: ReadonlySet<string>
  /** A configuration file such as `foundry.toml`; undefined if it is missing, too large or not text. */
  readonly file: (path: string) => SourceFile | undefined
  /**
   * Has a configuration file read. If that goes wrong, even by a stall or a crash, it costs only this file, which the
   * coverage names. Undefined in that case, and if `file` is undefined.
   */
  readonly read: <A>(path: string, reader: (file: SourceFile) => A) => A | undefined
  /** Tells the coverage what is wrong with a configuration file, in words for its author. */
  readonly problem?: (path: string, reason: string) => void
  /** Tells the coverage how far a program was understood. */
  readonly understood?: (program: ProgramCoverage) => void
  /** The ecosystem that reports what concerns the whole repository, so that it is reported once. */
  readonly leading?: Ecosystem
  /** Advisories in addition to the bundled ones; where ids are equal, these take precedence. */
  readonly advisories?: ReadonlyArray<Advisory>
}

/**
 * Names the file that a piece of work is about, if the work is on behalf of one file only (its control flow, a summary
 * of one of its functions). A stall or crash in it then costs that file rather than the analysis.
 */
export type Activity = <A>(file: SourceFile, work: () => A) => A

/** How one ecosystem gets from text to a program that its rules examine. All of it is pure and synchronous. */
export interface FrontEnd<Unit, Program> {
  readonly ecosystem: Ecosystem
  /** Whether a path is a source file in this ecosystem's language. */
  readonly isSource: (path: string) => boolean
  readonly parse: (file: SourceFile) => Parsed<Unit>
  /** The paths among the project's that a unit needs for its names, such as files of a dependency. */
  readonly imports?: (project: Project) => (unit: Unit) => ReadonlyArray<string>
  readonly build: (units: ReadonlyArray<Unit>, project: Project, activity: Activity) => Program
  /**
   * The parts of a program that have nothing to do with each other, each built when its turn comes and dropped once the
   * rules have seen it, so that memory grows with the largest part; without this method, `build` makes one part of
   * everything.
   */
  readonly parts?: (units: ReadonlyArray<Unit>, project: Project, activity: Activity) => ReadonlyArray<() => Program>
  readonly rules: ReadonlyArray<Rule<Program>>
  /** Who can do what, for the contracts in files for which findings are wanted. */
  readonly access?: (program: Program, isReported: (path: string) => boolean) => ReadonlyArray<AccessRow>
}

/** A front end whose unit and program types are its own business: `some((frontEnd) => ...)` opens it. */
export type SomeFrontEnd = <R>(use: <Unit, Program>(frontEnd: FrontEnd<Unit, Program>) => R) => R

export const someFrontEnd =
  <Unit, Program>(frontEnd: FrontEnd<Unit, Program>): SomeFrontEnd =>
  (use) =>
    use(frontEnd)
