import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { AccessRow } from "../../domain/access/AccessTable.ts"
import { boundedCoverage } from "../../domain/analysis/boundedCoverage.ts"
import type { Coverage, EngineRun } from "../../domain/analysis/Coverage.ts"
import type { AnalysisType } from "../../domain/analysis/Analysis.ts"
import { type Ecosystem, ecosystems, Framework } from "../../domain/analysis/Framework.ts"
import { missingFrameworkMessage } from "../../domain/analysis/missingFramework.ts"
import { resultLimits } from "../../domain/finding/ResultLimits.ts"
import { Stage } from "../../domain/analysis/Stage.ts"
import type { ExternalRun } from "../../domain/external/ExternalResult.ts"
import { boundedText } from "../../domain/finding/boundedText.ts"
import type { Finding, SuppressedFinding } from "../../domain/finding/Finding.ts"
import type { FormerPrints } from "../../domain/finding/superseded.ts"
import { unreadPrograms } from "../../domain/detection/unreadLanguages.ts"
import { isWithin } from "../../domain/repository/FolderPath.ts"
import { ExternalEngines } from "./ExternalEngines.ts"
import {
  DetectionEngine,
  type EngineError,
  type EngineInput,
  type EngineResult,
} from "../ports/analysis/DetectionEngine.ts"
import { SourceFetcher, type SourceRequest } from "../ports/analysis/SourceFetcher.ts"
import type { Reviewed, ReviewFigures } from "../review/reviewExamination.ts"
import { Reviewing } from "../review/Reviewing.ts"
import type { UserId } from "../../domain/ids/Ids.ts"

/** What an examination found, before it is compared with an earlier one and rendered. */
export interface ExaminedRepository {
  readonly branch: string
  readonly commit: string | undefined
  readonly framework: Framework
  readonly path?: string | undefined
  readonly findings: ReadonlyArray<Finding>
  readonly suppressed: ReadonlyArray<SuppressedFinding>
  /** Fingerprints of findings that did not fit into the result. */
  readonly unlisted: ReadonlyArray<string>
  /** See `FormerPrints`. */
  readonly formerly?: FormerPrints
  readonly coverage: Coverage
  /** Who can do what, if requested. */
  readonly access?: ReadonlyArray<AccessRow>
  /** What the review did, if there was one. */
  readonly review?: ReviewFigures
}

/** The examination ended in `stage`; `message` says why in words its user can act on. */
export class ExaminationFailed extends Schema.TaggedError<ExaminationFailed>()("ExaminationFailed", {
  stage: Stage,
  message: Schema.String,
  retryable: Schema.Boolean,
  byLimit: Schema.Boolean,
  commit: Schema.optionalKey(Schema.String),
}) {}

/** All failures pass through here, where quotes from the sources are shortened. */
const failure =
  (stage: Stage, commit?: string) =>
  (error: { readonly message: string; readonly retryable?: boolean; readonly byLimit?: boolean }): ExaminationFailed =>
    new ExaminationFailed({
      stage,
      message: boundedText(error.message, resultLimits.message),
      retryable: error.retryable ?? false,
      byLimit: error.byLimit ?? false,
      ...(commit === undefined ? {} : { commit }),
    })

/** Receives the progress: the `fraction` of the stage, from 0 to 1. */
export type OnStageProgress = (stage: Stage, fraction: number) => void

/** The framework named in the result: the one found, or `auto` if there are several. */
const frameworkOf = (wanted: ReadonlyArray<Ecosystem>): Framework => (wanted.length === 1 ? wanted[0]! : "auto")

/**
 * The engine's result, merged with the findings of external analyzers if an operator enabled any; one that fails is
 * named.
 */
const withEngines = Effect.fnUntraced(function* (
  directory: string,
  examined: EngineResult,
  onProgress: OnStageProgress,
) {
  const engines = yield* ExternalEngines
  if (engines === undefined) return examined
  onProgress("external_analysis", 0)
  const runs: Array<ExternalRun> = []
  const failures: Array<EngineRun> = []
  for (const [index, name] of engines.names.entries()) {
    const ran = yield* engines.run(name, directory)
    runs.push(...ran.runs)
    if (ran.failed !== undefined) failures.push(ran.failed)
    onProgress("external_analysis", (index + 1) / engines.names.length)
  }
  // Forty modules that a scan without external engines does not need.
  const { withExternal } = yield* Effect.promise(() => import("../../domain/external/withExternal.ts"))
  const { coverage, ...rest } = withExternal(examined, runs, engines.rules)
  return { ...rest, coverage: { ...coverage, engines: [...coverage.engines, ...failures] } }
})

/** A model's review of the examination; undefined if not requested. */
const reviewOf = Effect.fnUntraced(function* (
  wanted: { readonly userId: UserId; readonly analysisType: AnalysisType } | undefined,
  input: EngineInput,
  examined: EngineResult,
  onProgress: OnStageProgress,
) {
  if (wanted === undefined) return undefined
  const { findings, access = [] } = examined
  // Seventy modules that a scan without a review does not need.
  const { notReviewed, reviewExamination } = yield* Effect.promise(() => import("../review/reviewExamination.ts"))
  const reviewing = yield* Reviewing
  const without = (why: string): Reviewed => ({ findings, run: notReviewed(why) })
  if (reviewing === undefined) return without("not configured")
  if (wanted.analysisType === "quick") return without("not part of a quick analysis")
  onProgress("ai_analysis", 0)
  return yield* reviewExamination(reviewing, wanted.userId, { input, result: examined, access }, (fraction) =>
    onProgress("ai_analysis", fraction),
  )
})

interface ExaminationRequest extends SourceRequest {
  readonly framework: Framework
  readonly access?: boolean
  /** The folder to analyze; everything if absent. */
  readonly path?: string | undefined
  /** The analysis's owner, if a model may review it; the coverage then says whether one did. */
  readonly review?: { readonly userId: UserId; readonly analysisType: AnalysisType }
}

/** The sources of the requested folder. */
const fetchFolder = Effect.fnUntraced(function* (request: ExaminationRequest, onProgress: OnStageProgress) {
  const fetcher = yield* SourceFetcher
  onProgress("fetching_source", 0)
  const fetched = yield* fetcher
    .fetch(request, (fraction) => onProgress("fetching_source", fraction))
    .pipe(Effect.mapError(failure("fetching_source")))
  const source = {
    ...fetched,
    files: fetched.files.filter((file) => isWithin(request.path, file)),
    skipped: fetched.skipped.filter(({ file }) => isWithin(request.path, file)),
    unread: (fetched.unread ?? []).filter((file) => isWithin(request.path, file)),
  }
  if (request.path !== undefined && source.files.length === 0) {
    const message = `The folder "${request.path}" contains no files to analyze at this commit.`
    return yield* failure("fetching_source", source.commit)({ message })
  }
  return source
})

type FetchedFolder = Effect.Success<ReturnType<typeof fetchFolder>>

/** The ecosystems of the sources among those requested. Fails if there are none. */
const ecosystemsOf = Effect.fnUntraced(function* (
  source: FetchedFolder,
  framework: Framework,
  unread: ReadonlyArray<{ readonly framework: string }>,
) {
  const engine = yield* DetectionEngine
  const present = yield* engine
    .detect({ directory: source.directory, files: source.files })
    .pipe(Effect.mapError((error) => failure(error.stage, source.commit)(error)))
  const detected = ecosystems.filter((ecosystem) => present.has(ecosystem))
  const wanted = detected.filter((ecosystem) => framework === "auto" || ecosystem === framework)
  if (wanted.length > 0) return wanted
  const languages = unread.map((program) => program.framework)
  const message = missingFrameworkMessage(framework, detected, languages)
  return yield* failure("detecting_framework", source.commit)({ message })
})

/** Fetches a repository, detects its frameworks, and runs the engine on it. */
export const examineRepository = Effect.fn("examineRepository")(function* (
  request: ExaminationRequest,
  onProgress: OnStageProgress,
) {
  const engine = yield* DetectionEngine
  const source = yield* fetchFolder(request, onProgress)
  const unread = unreadPrograms(source.unread, source.files)

  onProgress("detecting_framework", 0)
  const wanted = yield* ecosystemsOf(source, request.framework, unread)

  onProgress("compilation", 0)
  const input: EngineInput = {
    directory: source.directory,
    files: source.files,
    contentIds: source.contentIds,
    ecosystems: wanted,
    ...(request.access === undefined ? {} : { access: request.access }),
  }
  const examined = yield* engine
    .examine(input, ({ stage, done, total }) => onProgress(stage, total === 0 ? 1 : done / total))
    .pipe(Effect.mapError((error: EngineError) => failure(error.stage, source.commit)(error)))
  const merged =
    request.review?.analysisType === "full" ? yield* withEngines(source.directory, examined, onProgress) : examined
  const reviewed = yield* reviewOf(request.review, input, merged, onProgress)

  // Languages first: there are only a handful, whereas programs fill the remaining space.
  const programs = [...unread, ...(merged.coverage.programs ?? [])]

  const examination: ExaminedRepository = {
    branch: source.branch,
    commit: source.commit,
    framework: frameworkOf(wanted),
    path: request.path,
    findings: reviewed?.findings ?? merged.findings,
    suppressed: reviewed?.suppressed ?? merged.suppressed,
    ...(examined.access === undefined ? {} : { access: examined.access }),
    ...(reviewed?.figures === undefined ? {} : { review: reviewed.figures }),
    unlisted: examined.unlisted ?? [],
    ...(examined.formerly === undefined ? {} : { formerly: examined.formerly }),
    coverage: boundedCoverage({
      ...merged.coverage,
      ...(programs.length === 0 ? {} : { programs }),
      engines: [...merged.coverage.engines, ...(reviewed === undefined ? [] : [reviewed.run])],
      filesSkipped: [...source.skipped, ...examined.coverage.filesSkipped],
    }),
  }
  return examination
}, Effect.scoped)
