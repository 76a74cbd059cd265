import { accessLimits } from "../access/accessLimits.ts"
import type { AccessRow } from "../access/AccessTable.ts"
import { severityRank } from "../finding/severityRank.ts"
import { resultLimits } from "../finding/ResultLimits.ts"
import { boundedText } from "../finding/boundedText.ts"
import type { CoverageLedger } from "./CoverageLedger.ts"
import { byText } from "./findings.ts"
import type { Activity, FrontEnd, Parsed, Project } from "./FrontEnd.ts"
import { type Collected, type IsSuppressed, type LeftOut, MatchCollector } from "./MatchCollector.ts"
import type { Monitor } from "./Monitor.ts"
import type { Rule, RuleMeta } from "./Rule.ts"
import { lineAt, type SourceFile } from "./SourceFile.ts"

/** What all ecosystems of one analysis share. */
export interface ExaminerContext {
  /** Every path of the analysis. */
  readonly paths: ReadonlyArray<string>
  /** One object per path, so that ecosystems with the same language can share what they parse. */
  readonly fileAt: (path: string) => SourceFile | { readonly reason: string }
  readonly project: Project
  /** Whether findings in a file are wanted; other files are read only if these import them. */
  readonly isReported: (path: string) => boolean
  readonly excludedFiles: ReadonlyMap<string, string>
  readonly excludedRules: ReadonlyMap<string, string>
  readonly isSuppressed: IsSuppressed
  readonly ledger: CoverageLedger
  readonly monitor: Monitor
  /** Receives the access tables, if they are requested. */
  readonly access?: Array<AccessRow>
}

/** Units of work done and still to do, over all ecosystems of an analysis. */
export interface Tally {
  done: number
  total: number
}

export interface Checked {
  readonly matches: ReadonlyArray<Collected>
  /** What limits kept out; undefined if nothing was checked. */
  readonly leftOut: LeftOut | undefined
}

/** One ecosystem's part of an analysis; its methods are called in the order in which they are written. */
export interface Examiner {
  parse(tally: Tally): void
  /** False if nothing could be built; the ledger then says why. */
  build(tally: Tally): boolean
  check(tally: Tally): Checked
  /** How many times `check` runs a rule: each rule on each part of the program. Known after `build`. */
  readonly ruleCount: number
}

interface ParsedFile<Unit> {
  readonly file: SourceFile
  readonly parsed: Parsed<Unit>
}

/** A file that broke the work done on its behalf is left out; more of them than this end the ecosystem's part. */
const brokenFiles = 50

const message = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 200)

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`

/** What was not understood in a file, in words for its author; undefined if everything was. */
const shortcomings = (file: SourceFile, { errors, problems }: Parsed<unknown>): string | undefined => {
  const first = errors[0]
  const syntax =
    first === undefined
      ? []
      : [`${plural(errors.length, "syntax error")}, the first near line ${lineAt(file, first.start)}`]
  const all = [...syntax, ...problems]
  return all.length === 0
    ? undefined
    : all
        .slice(0, 5)
        .map((each) => boundedText(each, resultLimits.note))
        .join("; ")
}

/** The most severe come first, so that a limit on matches keeps out the least important ones. */
const severestFirst = (a: RuleMeta, b: RuleMeta): number =>
  severityRank(a.severity) - severityRank(b.severity) || byText(a.id, b.id)

class EcosystemExaminer<Unit, Program> implements Examiner {
  private readonly frontEnd: FrontEnd<Unit, Program>
  private readonly context: ExaminerContext
  private readonly rules: ReadonlyArray<Rule<Program>>
  private readonly units = new Map<string, ParsedFile<Unit>>()
  /** Parts are built on demand, unless there is only one. */
  private parts: ReadonlyArray<() => Program> | undefined
  /** The file whose work broke, and the file on whose behalf work is being done. */
  private culprit: SourceFile | undefined
  private current: SourceFile | undefined

  constructor(frontEnd: FrontEnd<Unit, Program>, context: ExaminerContext) {
    this.frontEnd = frontEnd
    this.context = context
    this.rules = frontEnd.rules
      .filter((rule) => !context.excludedRules.has(rule.meta.id))
      .toSorted((a, b) => severestFirst(a.meta, b.meta))
  }

  get ruleCount(): number {
    return this.rules.length * (this.parts?.length ?? 1)
  }

  // Parsing

  parse(tally: Tally): void {
    const { paths, isReported, project, monitor } = this.context
    const importsOf = this.frontEnd.imports?.(project)
    const queue = paths.filter((path) => this.frontEnd.isSource(path) && isReported(path)).toSorted(byText)
    const seen = new Set(queue)
    tally.total += queue.length
    for (const path of queue) {
      monitor.begin({ phase: "parse", file: path }, tally.done, tally.total)
      const parsed = this.parseFile(path)
      tally.done++
      if (parsed === undefined) continue
      this.units.set(path, parsed)
      for (const needed of importsOf?.(parsed.parsed.unit) ?? []) {
        if (seen.has(needed) || !project.paths.has(needed)) continue
        seen.add(needed)
        queue.push(needed)
        tally.total++
      }
    }
  }

  private parseFile(path: string): ParsedFile<Unit> | undefined {
    const { ledger, excludedFiles, fileAt, isReported } = this.context
    const excluded = excludedFiles.get(path)
    if (excluded !== undefined) return void ledger.exclude(path, excluded)
    const file = fileAt(path)
    if ("reason" in file) return void ledger.skip(path, file.reason)
    let parsed: Parsed<Unit>
    try {
      parsed = this.frontEnd.parse(file)
    } catch (error) {
      // A fault inside WebAssembly leaves the parser in an unknown state, so the thread has to go.
      if (error instanceof Error && error.name === "RuntimeError") throw error
      return void ledger.skip(path, `could not be parsed: ${message(error)}`)
    }
    const wrong = shortcomings(file, parsed)
    if (wrong !== undefined && !parsed.usable) return void ledger.skip(path, `could not be parsed: ${wrong}`)
    if (!isReported(path)) return { file, parsed }
    ledger.analyze(path)
    if (wrong !== undefined) {
      ledger.skip(path, `analyzed in part, ${plural(parsed.functions, "function")} understood: ${wrong}`)
    }
    return { file, parsed }
  }

  // Building

  build(tally: Tally): boolean {
    this.beginBuild(tally)
    this.assemble()
    return this.parts !== undefined
  }

  private beginBuild(tally: Tally): void {
    this.context.monitor.begin({ phase: "build", ecosystem: this.frontEnd.ecosystem }, tally.done, tally.total)
  }

  /** Builds the program, leaving out the files that break the work done on their behalf. */
  private assemble(): void {
    const { frontEnd, units } = this
    const { project, ledger } = this.context
    for (let tries = 0; tries <= brokenFiles; tries++) {
      this.culprit = undefined
      try {
        const inOrder = [...units.keys()].toSorted(byText).map((path) => units.get(path)!.parsed.unit)
        const found = frontEnd.parts?.(inOrder, project, this.activity) ?? [
          () => frontEnd.build(inOrder, project, this.activity),
        ]
        const [first] = found
        if (first === undefined || found.length > 1) this.parts = found
        else {
          const program = first()
          this.parts = [() => program]
        }
        return
      } catch (error) {
        if (this.culprit === undefined) {
          ledger.note(`the ${frontEnd.ecosystem} program could not be resolved: ${message(error)}`)
          return
        }
        this.leaveOut(this.culprit, error)
      }
    }
  }

  private readonly activity: Activity = (file, work) => {
    const { monitor } = this.context
    const outer = this.current
    this.current = file
    monitor.file(file.path)
    try {
      return work()
    } catch (error) {
      this.culprit ??= file
      throw error
    } finally {
      this.current = outer
      monitor.file(outer?.path)
    }
  }

  private leaveOut(file: SourceFile, error: unknown): void {
    this.units.delete(file.path)
    this.context.ledger.exclude(file.path, `could not be analyzed: ${message(error)}`)
  }

  // Checking

  check(tally: Tally): Checked {
    const { access } = this.context
    const from = tally.done
    const accessBefore = access?.length ?? 0
    for (let tries = 0; this.parts !== undefined && tries <= brokenFiles; tries++) {
      if (access !== undefined) access.length = accessBefore
      const checked = this.checkParts(this.parts, tally)
      if (checked !== undefined) return checked
      tally.done = from
      this.parts = undefined
      this.assemble()
    }
    return { matches: [], leftOut: undefined }
  }

  /** Checks every part in turn; undefined if a file broke the work on its behalf. */
  private checkParts(parts: ReadonlyArray<() => Program>, tally: Tally): Checked | undefined {
    const { ledger, isSuppressed } = this.context
    const collector = new MatchCollector(isSuppressed)
    // A rule counts as run if it finished on every part.
    let fewest = this.rules.length
    for (const part of parts) {
      if (parts.length > 1) this.beginBuild(tally)
      this.culprit = undefined
      let program: Program
      try {
        program = part()
      } catch (error) {
        if (this.culprit !== undefined) {
          this.leaveOut(this.culprit, error)
          return undefined
        }
        ledger.note(`a part of the ${this.frontEnd.ecosystem} program could not be resolved: ${message(error)}`)
        continue
      }
      const ran = this.runRules(program, collector, tally)
      if (ran === undefined) return undefined
      fewest = Math.min(fewest, ran)
      this.tabulate(program)
      collector.nextPart(severestFirst)
    }
    for (const note of collector.notes()) ledger.note(note)
    ledger.rulesRun(fewest)
    return { matches: collector.matches, leftOut: collector.leftOut }
  }

  /** How many rules finished; undefined if a file broke the work on its behalf. */
  private runRules(program: Program, collector: MatchCollector, tally: Tally): number | undefined {
    const { monitor, ledger } = this.context
    let ran = 0
    for (const rule of this.rules) {
      monitor.begin({ phase: "rule", rule: rule.meta.id }, tally.done, tally.total)
      this.culprit = undefined
      try {
        rule.check(program, (match) => {
          if (rule.everywhere === true || this.isOurs(match.file)) collector.add(rule.meta, match)
        })
        ran++
      } catch (error) {
        if (this.culprit !== undefined) {
          this.leaveOut(this.culprit, error)
          return undefined
        }
        ledger.note(`${rule.meta.id} ended early: ${message(error)}`)
      }
      tally.done++
    }
    return ran
  }

  /** A source as parsed here, or a manifest; and one for which findings are wanted. */
  private isOurs(file: SourceFile): boolean {
    return (
      this.context.isReported(file.path) &&
      (this.frontEnd.isSource(file.path)
        ? this.units.get(file.path)?.file === file
        : this.context.project.paths.has(file.path))
    )
  }

  private tabulate(program: Program): void {
    const { access, ledger, isReported } = this.context
    if (access === undefined || this.frontEnd.access === undefined) return
    try {
      const rows = this.frontEnd.access(program, isReported)
      const room = accessLimits.rows - access.length
      if (rows.length > room) ledger.note(`the access table ends after ${accessLimits.rows} functions`)
      access.push(...rows.slice(0, Math.max(0, room)))
    } catch (error) {
      ledger.note(`the access table of a part could not be built: ${message(error)}`)
    }
  }
}

/** One ecosystem's part of an analysis. */
export const examiner = <Unit, Program>(frontEnd: FrontEnd<Unit, Program>, context: ExaminerContext): Examiner =>
  new EcosystemExaminer(frontEnd, context)
