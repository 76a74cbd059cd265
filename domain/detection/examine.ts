import type { AccessRow } from "../access/AccessTable.ts"
import { boundedCoverage } from "../analysis/boundedCoverage.ts"
import type { Coverage, EngineRun, Incomplete } from "../analysis/Coverage.ts"
import type { Finding, SuppressedFinding } from "../finding/Finding.ts"
import type { FormerPrints } from "../finding/superseded.ts"
import type { Advisory } from "./dependencies/advisories/Advisory.ts"
import { CoverageLedger } from "./CoverageLedger.ts"
import { type ExaminerContext, examiner, type Tally } from "./Examiner.ts"
import { findingsOf, suppressionComments } from "./findings.ts"
import type { Project, SomeFrontEnd } from "./FrontEnd.ts"
import { leftOut } from "./leftOut.ts"
import { type Monitor, silentMonitor } from "./Monitor.ts"
import { type SourceFile, sourceFile } from "./SourceFile.ts"
import { reportedSources, sourceRoles } from "./SourceRole.ts"
import type { Sources } from "./Sources.ts"

export interface ExamineInput {
  readonly sources: Sources
  /** The ecosystems to examine, and no others. */
  readonly frontEnds: ReadonlyArray<SomeFrontEnd>
  /** Files and rules that did harm before, with the reason that the coverage gives. */
  readonly excludedFiles?: ReadonlyMap<string, string>
  readonly excludedRules?: ReadonlyMap<string, string>
  /** What else the coverage has to say. */
  readonly notes?: ReadonlyArray<string>
  /** What limits left out, including the above. */
  readonly incomplete?: ReadonlyArray<Incomplete>
  /** Advisories about dependencies, in addition to the bundled ones. */
  readonly advisories?: ReadonlyArray<Advisory>
  /** Whether access tables are wanted. */
  readonly access?: boolean
  /** The coverage's name for the engine. */
  readonly engine: EngineRun
}

export interface Examination {
  /** Most severe first, then by file and line. */
  readonly findings: ReadonlyArray<Finding>
  readonly suppressed: ReadonlyArray<SuppressedFinding>
  /** Fingerprints of findings that a result has no room for. */
  readonly unlisted: ReadonlyArray<string>
  /** See `FormerPrints`. */
  readonly formerly: FormerPrints
  readonly coverage: Coverage
  /** If requested: who can do what. */
  readonly access?: ReadonlyArray<AccessRow>
  /** False if no ecosystem's program could be built, so that no rule ran; the coverage says why. */
  readonly resolved: boolean
  /** All other files were examined only by path: if the paths stay the same, their contents change nothing. */
  readonly filesRead: ReadonlyArray<string>
}

type Read = SourceFile | { readonly reason: string }

/** Each file is read once, however many front ends and lock files ask for it. */
const readOnce = (sources: Sources) => {
  const files = new Map<string, Read>()
  const fileAt = (path: string): Read => {
    const known = files.get(path)
    if (known !== undefined) return known
    const result = sources.read(path)
    const file = "text" in result && !("lineStarts" in result) ? sourceFile(path, result.text) : result
    files.set(path, file)
    return file
  }
  return { files, fileAt }
}

/** What front ends see of the files; whatever keeps one from being read is reported in the coverage. */
const projectOf = (
  input: ExamineInput,
  fileAt: (path: string) => Read,
  ledger: CoverageLedger,
  monitor: Monitor,
): Project => {
  const paths = new Set(input.sources.paths)
  const leading = input.frontEnds[0]?.(({ ecosystem }) => ecosystem)
  const project: Project = {
    paths,
    ...(leading === undefined ? {} : { leading }),
    file: (path) => {
      if (!paths.has(path)) return undefined
      const harmful = input.excludedFiles?.get(path)
      if (harmful !== undefined) return void ledger.exclude(path, harmful)
      const file = fileAt(path)
      if ("text" in file) return file
      ledger.skip(path, file.reason)
      return undefined
    },
    read: (path, reader) => {
      const file = project.file(path)
      if (file === undefined) return undefined
      monitor.file(path)
      try {
        return reader(file)
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        return void ledger.exclude(path, `could not be read: ${reason.slice(0, 200)}`)
      } finally {
        monitor.file(undefined)
      }
    },
    problem: (path, reason) => ledger.skip(path, reason),
    understood: (program) => ledger.program(program),
    ...(input.advisories === undefined ? {} : { advisories: input.advisories }),
  }
  return project
}

/**
 * Files to findings: parse, resolve, run every rule. Pure except for `sources` and `monitor`, and independent of the
 * order of the files. A file or rule that fails is named in the coverage and affects nothing else.
 */
export const examine = (input: ExamineInput, monitor: Monitor = silentMonitor): Examination => {
  const { sources } = input
  const ledger = new CoverageLedger()
  const excludedRules = input.excludedRules ?? new Map<string, string>()
  for (const [rule, reason] of excludedRules) ledger.note(`${rule} ${reason}`)
  for (const note of input.notes ?? []) ledger.note(note)

  const { files, fileAt } = readOnce(sources)
  const project = projectOf(input, fileAt, ledger, monitor)
  const roleOf = sourceRoles(sources.paths)
  const isReported = reportedSources(sources.paths, roleOf)
  const isSource = (path: string): boolean => input.frontEnds.some((some) => some(({ isSource }) => isSource(path)))
  for (const { file, reason } of leftOut(sources.paths.filter(isSource), isReported, roleOf)) ledger.skip(file, reason)

  const suppressionOf = suppressionComments()
  const access: Array<AccessRow> | undefined = input.access === true ? [] : undefined
  const context: ExaminerContext = {
    ...(access === undefined ? {} : { access }),
    paths: sources.paths,
    fileAt,
    project,
    isReported,
    excludedFiles: input.excludedFiles ?? new Map<string, string>(),
    excludedRules,
    isSuppressed: (meta, match) => suppressionOf(meta, match) !== undefined,
    ledger,
    monitor,
  }

  const examiners = input.frontEnds.map((some) => some((frontEnd) => examiner(frontEnd, context)))
  const parsing: Tally = { done: 0, total: 0 }
  for (const one of examiners) one.parse(parsing)
  const built = examiners.map((one) => one.build(parsing))
  const checking: Tally = { done: 0, total: examiners.reduce((sum, { ruleCount }) => sum + ruleCount, 0) }
  const checked = examiners.map((one) => one.check(checking))
  monitor.begin({ phase: "report" }, checking.total, checking.total)
  const { omitted, ...reported } = findingsOf(
    checked.flatMap(({ matches }) => matches),
    checked.flatMap(({ leftOut }) => leftOut ?? []),
    suppressionOf,
  )
  const coverage = ledger.coverage(input.engine, input.incomplete)
  return {
    ...reported,
    ...(access === undefined ? {} : { access }),
    coverage: boundedCoverage(omitted === undefined ? coverage : { ...coverage, omitted }),
    resolved: built.includes(true),
    filesRead: [...files.keys()],
  }
}
