import * as Duration from "effect/Duration"
import type { Ecosystem } from "../../domain/analysis/Framework.ts"
import type { AnalysisThread } from "./AnalysisThread.ts"
import type { EngineLimits } from "./EngineLimits.ts"
import type { EngineMetrics } from "./engineMetrics.ts"
import { type Abandoned, machineToBlame, reasonFor } from "./examineContained.ts"
import type { DetectTask, UnassignedTask } from "./ThreadProtocol.ts"

/**
 * Has threads determine the framework until one of them finishes. A file on which a thread exceeded a limit or died is
 * ignored: the examination that follows encounters it again, and names it in the coverage.
 */
export const detectContained = async (
  task: Omit<UnassignedTask<DetectTask>, "excludedFiles">,
  limits: EngineLimits,
  thread: (fresh: boolean) => AnalysisThread,
  signal: AbortSignal,
  metrics: EngineMetrics,
): Promise<ReadonlySet<Ecosystem> | Abandoned | undefined> => {
  const excludedFiles = new Map<string, string>()
  const deadline = AbortSignal.timeout(Duration.toMillis(limits.analysisWallTime))
  const abandon = (message: string, retryable = false): Abandoned => ({
    stage: "detecting_framework",
    message,
    retryable,
  })
  let cpuSeconds = 0
  for (let attempt = 0; attempt <= limits.restarts; attempt++) {
    const outcome = await thread(attempt > 0).run(
      { ...task, excludedFiles },
      Duration.toSeconds(limits.analysisTime) - cpuSeconds,
      () => {},
      AbortSignal.any([signal, deadline]),
    )
    cpuSeconds += outcome.cpuSeconds
    if (outcome.type === "detected") return outcome.ecosystems
    if (outcome.type === "done") throw new Error("the engine's thread examined what it was to detect")
    if (signal.aborted) return undefined
    if (outcome.type === "stalled") metrics.lost("stall")
    if (outcome.type === "interrupted" || outcome.type === "stalled") return abandon(machineToBlame, true)
    if (outcome.type === "exhausted") {
      return abandon(
        `Detecting the framework took longer than ${Duration.toSeconds(limits.analysisTime)} s. Analyze a part of the repository.`,
      )
    }
    metrics.lost(outcome.cause)
    const { phase, file } = outcome.pulse
    const reason = reasonFor(outcome, limits)
    if (phase === "idle") throw new Error(`The engine's thread could not be started: it ${reason}`)
    if (file === undefined || excludedFiles.has(file)) {
      return abandon(`Detecting the framework from the file names ${reason}. Analyze a part of the repository.`)
    }
    excludedFiles.set(file, reason)
  }
  return abandon(
    `Detecting the framework was stopped by ${limits.restarts + 1} files. Analyze a part of the repository.`,
  )
}
