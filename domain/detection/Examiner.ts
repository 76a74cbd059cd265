import { accessLimits, type AccessRow } from "../access/AccessTable.ts"
import { resultLimits } from "../analysis/ResultLimits.ts"
import { boundedText } from "../finding/boundedText.ts"
import type { CoverageLedger } from "./CoverageLedger.ts"
import { byText, rank } from "./findings.ts"
import type { Activity, FrontEnd, Parsed, Project } from "./FrontEnd.ts"
import { type Collected, type IsSuppressed, type LeftOut, MatchCollector } from "./MatchCollector.ts"
import type { Monitor } from "./Monitor.ts"
import type { RuleMeta } from "./Rule.ts"
import { lineAt, type SourceFile } from "./Source.ts"

/** What all ecosystems of one analysis share. */
export interface ExaminerContext {
  /** Every path of the analysis. */
  readonly paths: ReadonlyArray<string>
  /** One object for each path, so that ecosystems of one language can share what they parse. */
  readonly fileAt: (path: string) => SourceFile | { readonly reason: string }
  readonly project: Project
  /** Whether findings in a file are wanted; other files are read only where these import them. */
  readonly isReported: (path: string) => boolean
  readonly excludedFiles: ReadonlyMap<string, string>
  readonly excludedRules: ReadonlyMap<string, string>
  readonly isSuppressed: IsSuppressed
  readonly ledger: CoverageLedger
  readonly monitor: Monitor
  /** Takes the access tables, where they are asked for. */
  readonly access?: Array<AccessRow>
}

/** Units of work behind us and ahead of us, over all ecosystems of an analysis. */
export interface Tally {
  done: number
  total: number
}

export interface Checked {
  readonly matches: ReadonlyArray<Collected>
  /** What limits kept out; undefined where nothing was checked. */
  readonly leftOut: LeftOut | undefined
}

/** One ecosystem's part of an analysis, in the order in which its methods stand. */
export interface Examiner {
  readonly parse: (tally: Tally) => void
  /** False where nothing could be built; the ledger then says why. */
  readonly build: (tally: Tally) => boolean
  readonly check: (tally: Tally) => Checked
  /** Runs of rules that `check` makes: each rule on each part of the program. Known after `build`. */
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

/** What of a file was not understood, in words for its author; undefined where all was. */
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

export const examiner = <Unit, Program>(frontEnd: FrontEnd<Unit, Program>, context: ExaminerContext): Examiner => {
  const { ledger, monitor, project } = context
  const units = new Map<string, ParsedFile<Unit>>()
  const roots = context.paths.filter((path) => frontEnd.isSource(path) && context.isReported(path)).toSorted(byText)
  // The worst come first, so that a limit on matches keeps out the least important ones.
  const worstFirst = (a: RuleMeta, b: RuleMeta): number => rank[a.severity] - rank[b.severity] || byText(a.id, b.id)
  const rules = frontEnd.rules
    .filter((rule) => !context.excludedRules.has(rule.meta.id))
    .toSorted((a, b) => worstFirst(a.meta, b.meta))

  /** Built when asked for, but for the only one. */
  let parts: ReadonlyArray<() => Program> | undefined
  let culprit: SourceFile | undefined
  let current: SourceFile | undefined
  const activity: Activity = (file, work) => {
    const outer = current
    current = file
    monitor.file(file.path)
    try {
      return work()
    } catch (error) {
      culprit ??= file
      throw error
    } finally {
      current = outer
      monitor.file(outer?.path)
    }
  }

  const parseFile = (path: string): ParsedFile<Unit> | undefined => {
    const excluded = context.excludedFiles.get(path)
    if (excluded !== undefined) return void ledger.exclude(path, excluded)
    const file = context.fileAt(path)
    if ("reason" in file) return void ledger.skip(path, file.reason)
    let parsed: Parsed<Unit>
    try {
      parsed = frontEnd.parse(file)
    } catch (error) {
      // A fault inside WebAssembly leaves the parser in an unknown state: the thread has to go.
      if (error instanceof Error && error.name === "RuntimeError") throw error
      return void ledger.skip(path, `could not be parsed: ${message(error)}`)
    }
    const wrong = shortcomings(file, parsed)
    if (wrong !== undefined && !parsed.usable) return void ledger.skip(path, `could not be parsed: ${wrong}`)
    if (!context.isReported(path)) return { file, parsed }
    ledger.analyze(path)
    if (wrong !== undefined) {
      ledger.skip(path, `analysed in part, ${plural(parsed.functions, "function")} understood: ${wrong}`)
    }
    return { file, parsed }
  }

  const parse = (tally: Tally): void => {
    const importsOf = frontEnd.imports?.(project)
    const queue = [...roots]
    const seen = new Set(queue)
    tally.total += queue.length
    for (const path of queue) {
      monitor.begin({ phase: "parse", file: path }, tally.done, tally.total)
      const parsed = parseFile(path)
      tally.done++
      if (parsed === undefined) continue
      units.set(path, parsed)
      for (const needed of importsOf?.(parsed.parsed.unit) ?? []) {
        if (seen.has(needed) || !project.paths.has(needed)) continue
        seen.add(needed)
        queue.push(needed)
        tally.total++
      }
    }
  }

  const broken = (file: SourceFile, error: unknown): void => {
    units.delete(file.path)
    ledger.exclude(file.path, `could not be analysed: ${message(error)}`)
  }

  const assemble = (): void => {
    for (let tries = 0; tries <= brokenFiles; tries++) {
      culprit = undefined
      try {
        const inOrder = [...units.keys()].toSorted(byText).map((path) => units.get(path)!.parsed.unit)
        const found = frontEnd.parts?.(inOrder, project, activity) ?? [() => frontEnd.build(inOrder, project, activity)]
        const [first] = found
        if (first === undefined || found.length > 1) parts = found
        else {
          const program = first()
          parts = [() => program]
        }
        return
      } catch (error) {
        if (culprit === undefined) {
          ledger.note(`the ${frontEnd.ecosystem} program could not be resolved: ${message(error)}`)
          return
        }
        broken(culprit, error)
      }
    }
  }

  const build = (tally: Tally): boolean => {
    monitor.begin({ phase: "build", ecosystem: frontEnd.ecosystem }, tally.done, tally.total)
    assemble()
    return parts !== undefined
  }

  /** Runs every rule; stops early where a file broke work on its behalf. */
  const pass = (
    over: Program,
    collector: MatchCollector,
    tally: Tally,
  ): { ran: number; failed: SourceFile | undefined } => {
    let ran = 0
    for (const rule of rules) {
      monitor.begin({ phase: "rule", rule: rule.meta.id }, tally.done, tally.total)
      culprit = undefined
      try {
        rule.check(over, (match) => {
          if (rule.everywhere === true || isOurs(match.file)) collector.add(rule.meta, match)
        })
        ran++
      } catch (error) {
        if (culprit !== undefined) {
          broken(culprit, error)
          return { ran, failed: culprit }
        }
        ledger.note(`${rule.meta.id} ended early: ${message(error)}`)
      }
      tally.done++
    }
    return { ran, failed: undefined }
  }

  /** A source as parsed here, or a manifest; and one that findings are wanted for. */
  const isOurs = (file: SourceFile): boolean =>
    context.isReported(file.path) &&
    (frontEnd.isSource(file.path) ? units.get(file.path)?.file === file : project.paths.has(file.path))

  const tabulate = (program: Program): void => {
    const { access } = context
    if (access === undefined || frontEnd.access === undefined) return
    try {
      const rows = frontEnd.access(program, context.isReported)
      const room = accessLimits.rows - access.length
      if (rows.length > room) ledger.note(`the access table ends after ${accessLimits.rows} functions`)
      access.push(...rows.slice(0, Math.max(0, room)))
    } catch (error) {
      ledger.note(`the access table of a part could not be made: ${message(error)}`)
    }
  }

  /** Every part, one after the other; undefined where a file broke the work on its behalf. */
  const passes = (all: ReadonlyArray<() => Program>, tally: Tally): Checked | undefined => {
    const collector = new MatchCollector(context.isSuppressed)
    // a rule counts as run when it came to its end on every part
    let fewest = rules.length
    for (const part of all) {
      if (all.length > 1) monitor.begin({ phase: "build", ecosystem: frontEnd.ecosystem }, tally.done, tally.total)
      culprit = undefined
      let program: Program
      try {
        program = part()
      } catch (error) {
        if (culprit !== undefined) {
          broken(culprit, error)
          return undefined
        }
        ledger.note(`a part of the ${frontEnd.ecosystem} program could not be resolved: ${message(error)}`)
        continue
      }
      const { ran, failed } = pass(program, collector, tally)
      if (failed !== undefined) return undefined
      fewest = Math.min(fewest, ran)
      tabulate(program)
      collector.nextPart(worstFirst)
    }
    for (const note of collector.notes()) ledger.note(note)
    ledger.rulesRun(fewest)
    return { matches: collector.matches, leftOut: collector.leftOut }
  }

  const check = (tally: Tally): Checked => {
    const from = tally.done
    const accessBefore = context.access?.length ?? 0
    for (let tries = 0; parts !== undefined && tries <= brokenFiles; tries++) {
      if (context.access !== undefined) context.access.length = accessBefore
      const checked = passes(parts, tally)
      if (checked !== undefined) return checked
      tally.done = from
      parts = undefined
      assemble()
    }
    return { matches: [], leftOut: undefined }
  }

  return {
    parse,
    build,
    check,
    get ruleCount() {
      return rules.length * (parts?.length ?? 1)
    },
  }
}
