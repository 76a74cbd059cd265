import type { Ecosystem } from "../../domain/analysis/Framework.ts"
import type { AnalysisThread } from "./AnalysisThread.ts"
import type { EngineLimits } from "./EngineLimits.ts"
import type { EngineMetrics } from "./engineMetrics.ts"
import { type Abandoned, reasonFor } from "./examineContained.ts"
import type { DetectJob, Order } from "./ThreadProtocol.ts"

/**
 * Has threads tell the framework, until one of them comes to its end. A file over which one stalled or died says nothing
 * then: the examination that follows meets it again, and names it in the coverage.
 */
export const detectContained = async (
  job: Omit<Order<DetectJob>, "excludedFiles">,
  limits: EngineLimits,
  thread: () => AnalysisThread,
  signal: AbortSignal,
  metrics: EngineMetrics,
): Promise<ReadonlySet<Ecosystem> | Abandoned | undefined> => {
  const excludedFiles = new Map<string, string>()
  const deadline = AbortSignal.timeout(limits.analysisSeconds * 1_000)
  const abandon = (message: string): Abandoned => ({ stage: "detecting_framework", message })
  for (let attempt = 0; attempt <= limits.restarts; attempt++) {
    const outcome = await thread().run({ ...job, excludedFiles }, () => {}, AbortSignal.any([signal, deadline]))
    if (outcome.type === "detected") return outcome.ecosystems
    if (outcome.type === "done") throw new Error("the engine's thread examined what it was to detect")
    if (outcome.type === "interrupted") {
      if (signal.aborted) return undefined
      return abandon(
        `Telling the framework took longer than ${limits.analysisSeconds} s. Analyse a part of the repository.`,
      )
    }
    metrics.lost(outcome.cause)
    const { phase, file } = outcome.pulse
    const reason = reasonFor(outcome, limits)
    if (phase === "idle") throw new Error(`The engine's thread could not be started: it ${reason}`)
    if (file === undefined || excludedFiles.has(file)) {
      return abandon(`Telling the framework from the names of the files ${reason}. Analyse a part of the repository.`)
    }
    excludedFiles.set(file, reason)
  }
  return abandon(`Telling the framework was stopped by ${limits.restarts + 1} files. Analyse a part of the repository.`)
}
