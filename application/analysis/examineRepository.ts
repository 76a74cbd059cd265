import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Coverage } from "../../domain/analysis/Coverage.ts"
import { type Ecosystem, Framework } from "../../domain/analysis/Framework.ts"
import { detectEcosystems, filesToInspect, missingFrameworkMessage } from "../../domain/analysis/FrameworkDetection.ts"
import { Stage } from "../../domain/analysis/Stage.ts"
import type { Finding, SuppressedFinding } from "../../domain/finding/Finding.ts"
import { DetectionEngine } from "../ports/DetectionEngine.ts"
import { SourceFetcher, type SourceRequest } from "../ports/SourceFetcher.ts"

/** What an examination found, before it is compared with an earlier one and rendered. */
export interface Examination {
  readonly branch: string
  readonly commit: string | undefined
  readonly framework: Framework
  readonly findings: ReadonlyArray<Finding>
  readonly suppressed: ReadonlyArray<SuppressedFinding>
  readonly coverage: Coverage
}

/** The examination ended in `stage`; `message` says why in words its user can act on. */
export class ExaminationFailed extends Schema.TaggedError<ExaminationFailed>()("ExaminationFailed", {
  stage: Stage,
  message: Schema.String,
  retryable: Schema.Boolean,
}) {}

/** Hears how far the work is: `fraction` of the stage, from 0 to 1. */
export type Report = (stage: Stage, fraction: number) => void

/** The framework as the result names it: the one that was found, `auto` where there are several. */
const frameworkOf = (ecosystems: ReadonlyArray<Ecosystem>): Framework =>
  ecosystems.length === 1 ? ecosystems[0]! : "auto"

/** Fetches a repository, finds out what its contracts are written for, and runs the engine over them. */
export const examineRepository = Effect.fn("examineRepository")(function* (
  request: SourceRequest & { readonly framework: Framework },
  report: Report,
) {
  const fetcher = yield* SourceFetcher
  const engine = yield* DetectionEngine

  report("fetching_source", 0)
  const source = yield* fetcher
    .fetch(request, (fraction) => report("fetching_source", fraction))
    .pipe(
      Effect.mapError(
        ({ message, retryable }) => new ExaminationFailed({ stage: "fetching_source", message, retryable }),
      ),
    )

  report("detecting_framework", 0)
  const texts = yield* Effect.forEach(filesToInspect(source.files), (path) =>
    Effect.map(source.readText(path), (text) => [path, text ?? ""] as const),
  )
  const detected = detectEcosystems(source.files, new Map(texts))
  const ecosystems = detected.filter((ecosystem) => request.framework === "auto" || ecosystem === request.framework)
  if (ecosystems.length === 0) {
    return yield* new ExaminationFailed({
      stage: "detecting_framework",
      message: missingFrameworkMessage(request.framework, detected),
      retryable: false,
    })
  }

  report("compilation", 0)
  const examined = yield* engine
    .examine(
      { directory: source.directory, files: source.files, contentIds: source.contentIds, ecosystems },
      ({ stage, done, total }) => report(stage, total === 0 ? 1 : done / total),
    )
    .pipe(Effect.mapError(({ stage, message }) => new ExaminationFailed({ stage, message, retryable: false })))

  const examination: Examination = {
    branch: source.branch,
    commit: source.commit,
    framework: frameworkOf(ecosystems),
    findings: examined.findings,
    suppressed: examined.suppressed,
    coverage: { ...examined.coverage, filesSkipped: [...source.skipped, ...examined.coverage.filesSkipped] },
  }
  return examination
}, Effect.scoped)
