import { availableParallelism } from "node:os"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"
import type { Coverage } from "../../domain/analysis/Coverage.ts"
import type { Ecosystem } from "../../domain/analysis/Framework.ts"
import type { Examination } from "../../domain/detection/examine.ts"
import {
  DetectionEngine,
  EngineError,
  type EngineInput,
  type EngineProgress,
} from "../../application/ports/analysis/DetectionEngine.ts"
import { AnalysisThread } from "./AnalysisThread.ts"
import { defaultLimits, type EngineLimits } from "./EngineLimits.ts"
import { engineMetrics } from "./engineMetrics.ts"
import { detectContained } from "./detectContained.ts"
import { type Abandoned, examineContained } from "./examineContained.ts"
import type { Pulse } from "./Heartbeat.ts"

export interface EngineOptions {
  /** A module that exports `frontEnd: LoadFrontEnd`; each thread imports it. */
  readonly frontEnds: URL
  /** The engine's version, as the coverage names it. */
  readonly version: string
  /** How many analyses run at the same time, each in its own thread; the number of cores by default. */
  readonly threads?: number
  readonly limits?: Partial<EngineLimits>
  /** A directory that only this user can write to; V8's code cache in it saves 160 ms of CPU per start. */
  readonly compileCache?: string
  /** Whether other threads of the process take precedence, such as the one that answers requests. */
  readonly behindOthers?: boolean
}

/** Reports progress as it grows: after a restart, progress is reported once it exceeds the previous value. */
const growing = (onProgress: (progress: EngineProgress) => void): ((pulse: Pulse) => void) => {
  const best = { compilation: -1, static_analysis: -1 }
  return ({ phase, done, total }) => {
    if (phase !== "parse" && phase !== "build" && phase !== "rule") return
    const stage = phase === "rule" ? "static_analysis" : "compilation"
    const fraction = total === 0 ? 0 : done / total
    if (fraction <= best[stage] || (stage === "compilation" && best.static_analysis >= 0)) return
    best[stage] = fraction
    onProgress({ stage, done, total })
  }
}

/** Why there is nothing to report on, in words for the author of the sources. */
const nothingAnalyzed = ({ filesSkipped }: Coverage): { readonly stage: "compilation"; readonly message: string } => {
  const shown = filesSkipped.slice(0, 3).map(({ file, reason }) => `${file} ${reason}`)
  const more = filesSkipped.length > shown.length ? `, and ${filesSkipped.length - shown.length} more` : ""
  const message =
    shown.length === 0
      ? "The repository contains no source files of the chosen framework."
      : `No source file could be analyzed: ${shown.join("; ")}${more}.`
  return { stage: "compilation", message }
}

const engineError = ({ stage, message, retryable }: Abandoned): EngineError =>
  new EngineError({ stage, message, retryable, byLimit: !retryable })

/** Has threads of a pool do some work, in the order in which they are needed; `idle` are those waiting for it. */
const threadsOf =
  (idle: Array<AnalysisThread>, start: () => AnalysisThread) =>
  <A>(
    work: (next: (fresh: boolean) => AnalysisThread, signal: AbortSignal) => Promise<A | undefined>,
  ): Effect.Effect<A> =>
    Effect.callback((resume) => {
      const abort = new AbortController()
      let thread: AnalysisThread | undefined
      const next = (fresh: boolean): AnalysisThread => {
        while (thread === undefined || !thread.usable) {
          thread = (fresh ? undefined : idle.pop()) ?? start()
        }
        return thread
      }
      const settled = work(next, abort.signal).then(
        (answer) => {
          if (thread?.usable === true) idle.push(thread)
          if (answer !== undefined) resume(Effect.succeed(answer))
        },
        (error: unknown) => resume(Effect.die(error)),
      )
      // The interruption is complete once the thread is gone: its permit then stands for a free core.
      return Effect.suspend(() => {
        abort.abort()
        return Effect.promise(() => settled)
      })
    })

/** The engine's findings; fails if there was nothing to analyze, or nothing could be resolved. */
const reportOf = Effect.fnUntraced(function* ({ resolved, ...report }: Examination) {
  const byLimit = report.coverage.incomplete !== undefined
  if (report.coverage.filesAnalysed === 0) {
    return yield* new EngineError({ ...nothingAnalyzed(report.coverage), byLimit })
  }
  if (!resolved) {
    const why = report.coverage.engines[0]?.note ?? "no reason given"
    const message = `The sources could not be resolved: ${why}.`
    return yield* new EngineError({ stage: "compilation", message, byLimit })
  }
  return { ...report, cutShort: byLimit }
})

/** The engine on a pool of worker threads, which are started when first needed and kept for the next analysis. */
export const engineLayer = (options: EngineOptions): Layer.Layer<DetectionEngine> =>
  Layer.effect(
    DetectionEngine,
    Effect.gen(function* () {
      const limits = { ...defaultLimits, ...options.limits }
      const running = yield* Semaphore.make(options.threads ?? availableParallelism())
      const idle: Array<AnalysisThread> = []
      const metrics = engineMetrics(yield* Effect.context<never>())
      const data = {
        frontEnds: options.frontEnds.href,
        compileCache: options.compileCache,
        behindOthers: options.behindOthers ?? false,
      }

      yield* Effect.addFinalizer(() =>
        Effect.promise(() => Promise.all(idle.splice(0).map((thread) => thread.terminate()))),
      )

      const onThreads = threadsOf(idle, () => new AnalysisThread(data, limits))
      const maxFileBytes = limits.fileMegabytes * 1_000_000

      const detect = Effect.fn("DetectionEngine.detect")(function* ({
        directory,
        files,
      }: Pick<EngineInput, "directory" | "files">) {
        const answer = yield* onThreads<ReadonlySet<Ecosystem> | Abandoned>((next, signal) =>
          detectContained({ kind: "detect", directory, files, maxFileBytes }, limits, next, signal, metrics),
        )
        return "message" in answer ? yield* engineError(answer) : answer
      }, running.withPermit)

      const examine = Effect.fn("DetectionEngine.examine")(function* (
        input: EngineInput,
        onProgress: (progress: EngineProgress) => void,
      ) {
        const examined = yield* onThreads<Examination | Abandoned>((next, signal) =>
          examineContained(
            {
              kind: "examine",
              directory: input.directory,
              files: input.files,
              ecosystems: input.ecosystems,
              version: options.version,
              ...(input.advisories === undefined ? {} : { advisories: input.advisories.advisories }),
              ...(input.access === undefined ? {} : { access: input.access }),
              ...(input.changed === undefined ? {} : { changed: input.changed }),
              maxFileBytes,
            },
            limits,
            next,
            growing(onProgress),
            signal,
            metrics,
          ),
        )
        return "message" in examined ? yield* engineError(examined) : yield* reportOf(examined)
      }, running.withPermit)

      return { detect, examine }
    }),
  )
