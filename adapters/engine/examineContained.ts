import type { Examination } from "../../domain/detection/examine.ts"
import type { EngineLimits } from "./EngineLimits.ts"
import type { EngineMetrics } from "./engineMetrics.ts"
import type { Pulse } from "./Heartbeat.ts"
import type { AnalysisThread, Outcome } from "./AnalysisThread.ts"
import type { ExamineJob, Order } from "./ThreadProtocol.ts"

/** Why an analysis cannot go on, for the author of the sources. */
export interface Abandoned {
  readonly stage: "detecting_framework" | "compilation" | "static_analysis"
  readonly message: string
}

type Lost = Outcome & { readonly type: "lost" }

/** Threads lost to memory before the sources as a whole are too large, rather than one file of them. */
const memoryLosses = 3

const stageOf = (pulse: Pulse): "compilation" | "static_analysis" =>
  pulse.phase === "rule" || pulse.phase === "report" ? "static_analysis" : "compilation"

export const reasonFor = ({ cause, detail }: Lost, limits: EngineLimits): string => {
  switch (cause) {
    case "time":
      return `took ${detail} to analyse`
    case "memory":
      return `needed more than ${limits.memoryMegabytes} MB to analyse`
    case "crash":
      return `ended the analyser (${detail.slice(0, 200)})`
  }
}

/**
 * Runs a job on threads of its own until one of them finishes it. What a thread was busy with when it stalled or died
 * is left out of the next run and named in the coverage: a file where the work was on behalf of one, else the rule, else
 * the ecosystem where there is another one.
 */
export const examineContained = async (
  job: Omit<Order<ExamineJob>, "excludedFiles" | "excludedRules" | "notes">,
  limits: EngineLimits,
  thread: () => AnalysisThread,
  onPulse: (pulse: Pulse) => void,
  signal: AbortSignal,
  metrics: EngineMetrics,
): Promise<Examination | Abandoned | undefined> => {
  const files = new Map<string, string>()
  const rules = new Map<string, string>()
  const notes: Array<string> = []
  let { ecosystems } = job
  const deadline = AbortSignal.timeout(limits.analysisSeconds * 1_000)
  let outOfMemory = 0
  let last: Pulse | undefined
  const hear = (pulse: Pulse): void => {
    last = pulse
    onPulse(pulse)
  }

  for (let attempt = 0; attempt <= limits.restarts; attempt++) {
    const outcome = await thread().run(
      { ...job, ecosystems, excludedFiles: files, excludedRules: rules, notes },
      hear,
      AbortSignal.any([signal, deadline]),
    )
    if (outcome.type === "done") {
      metrics.took(outcome.rules, outcome.ruleSeconds)
      return outcome.examination
    }
    if (outcome.type === "detected") throw new Error("the engine's thread detected what it was to examine")
    if (outcome.type === "interrupted") {
      if (signal.aborted) return undefined
      return {
        stage: last === undefined ? "compilation" : stageOf(last),
        message: `The analysis took longer than ${limits.analysisSeconds} s. Analyse a part of the repository.`,
      }
    }

    metrics.lost(outcome.cause)
    const { pulse } = outcome
    last = pulse
    const stage = stageOf(pulse)
    const reason = reasonFor(outcome, limits)
    // Nothing of the sources has been touched: the fault is ours, and another attempt may succeed.
    if (pulse.phase === "idle") throw new Error(`The engine's thread could not be started: it ${reason}`)
    if (outcome.cause === "memory" && ++outOfMemory >= memoryLosses) {
      return { stage, message: `The sources together ${reason}. Analyse a part of the repository.` }
    }
    if (pulse.file !== undefined && !files.has(pulse.file)) files.set(pulse.file, reason)
    else if (pulse.rule !== undefined && !rules.has(pulse.rule)) rules.set(pulse.rule, `${reason} and was left out`)
    else if (pulse.ecosystem !== undefined && ecosystems.length > 1) {
      notes.push(`resolving the ${pulse.ecosystem} sources ${reason}: they were left out`)
      ecosystems = ecosystems.filter((ecosystem) => ecosystem !== pulse.ecosystem)
    } else {
      return { stage, message: `Resolving the sources ${reason}, and no single file could be found to be the cause.` }
    }
  }
  return {
    stage: last === undefined ? "compilation" : stageOf(last),
    message: `The analyser was stopped ${limits.restarts + 1} times by different files or rules, last in ${last?.file ?? last?.rule ?? "an unknown place"}.`,
  }
}
