import * as Duration from "effect/Duration"
import type { Incomplete } from "../../domain/analysis/Coverage.ts"
import type { Examination } from "../../domain/detection/examine.ts"
import type { EngineLimits } from "./EngineLimits.ts"
import type { EngineMetrics } from "./engineMetrics.ts"
import type { Pulse } from "./Heartbeat.ts"
import type { AnalysisThread, TaskOutcome } from "./AnalysisThread.ts"
import type { ExamineTask, UnassignedTask } from "./ThreadProtocol.ts"

/** Why an analysis cannot continue, in words for the author of the sources. */
export interface Abandoned {
  readonly stage: "detecting_framework" | "compilation" | "static_analysis"
  readonly message: string
  /** The machine is to blame: another attempt may succeed. Otherwise the sources exceed a limit. */
  readonly retryable: boolean
}

type Lost = TaskOutcome & { readonly type: "lost" }

/**
 * How many files, rules and ecosystems may be lost to memory before the sources as a whole count as too large, rather
 * than one of them.
 */
const memoryLosses = 3

export const machineToBlame = "The machine was too busy for the analysis. Retry it later."

const stageOf = (pulse: Pulse | undefined): "compilation" | "static_analysis" =>
  pulse?.phase === "rule" || pulse?.phase === "report" ? "static_analysis" : "compilation"

export const reasonFor = ({ cause, detail }: Lost, limits: EngineLimits): string => {
  switch (cause) {
    case "time":
      return `took ${detail} to analyze`
    case "memory":
      return `needed more than ${limits.memoryMegabytes} MB to analyze`
    case "crash":
      return `ended the analyzer (${detail.slice(0, 200)})`
  }
}

/** What is being left out, and what the engine learns about it. */
class LeftOut {
  readonly incomplete: Array<Incomplete> = []
  readonly files = new Map<string, string>()
  readonly rules = new Map<string, string>()
  readonly notes: Array<string> = []
  ecosystems: ExamineTask["ecosystems"]

  constructor(ecosystems: ExamineTask["ecosystems"]) {
    this.ecosystems = ecosystems
  }

  /**
   * What a thread was busy with: a file if the work was on behalf of one, or else the rule, or else one ecosystem of
   * several.
   */
  culprit({ file, rule, ecosystem }: Pulse): Pick<Incomplete, "kind" | "name"> | undefined {
    if (file !== undefined && !this.files.has(file)) return { kind: "file", name: file }
    if (rule !== undefined && !this.rules.has(rule)) return { kind: "rule", name: rule }
    if (ecosystem !== undefined && this.ecosystems.length > 1) return { kind: "ecosystem", name: ecosystem }
    return undefined
  }

  add({ kind, name }: Pick<Incomplete, "kind" | "name">, reason: string): void {
    this.incomplete.push({ kind, name, reason })
    if (kind === "file") this.files.set(name, reason)
    else if (kind === "rule") this.rules.set(name, `${reason} and was skipped`)
    else {
      this.notes.push(`resolving the ${name} sources ${reason}: they were skipped`)
      this.ecosystems = this.ecosystems.filter((ecosystem) => ecosystem !== name)
    }
  }
}

/**
 * Runs a task on threads until one of them finishes it. Whatever a thread was busy with when it exceeded a limit or
 * died gets a second try on a fresh thread, whose memory contains nothing of other analyses; after that it is left out
 * of the next run and named in the coverage.
 */
export const examineContained = async (
  task: Omit<UnassignedTask<ExamineTask>, "excludedFiles" | "excludedRules" | "notes" | "incomplete">,
  limits: EngineLimits,
  thread: (fresh: boolean) => AnalysisThread,
  onPulse: (pulse: Pulse) => void,
  signal: AbortSignal,
  metrics: EngineMetrics,
): Promise<Examination | Abandoned | undefined> => {
  const leftOut = new LeftOut(task.ecosystems)
  const suspects = new Set<string>()
  const deadline = AbortSignal.timeout(Duration.toMillis(limits.analysisWallTime))
  let cpuSeconds = 0
  let outOfMemory = 0
  let last: Pulse | undefined
  const hear = (pulse: Pulse): void => {
    last = pulse
    onPulse(pulse)
  }
  const abandon = (message: string, retryable = false): Abandoned => ({ stage: stageOf(last), message, retryable })

  for (let run = 0; leftOut.incomplete.length <= limits.restarts && run <= 2 * limits.restarts + 1; run++) {
    const { ecosystems, files, rules, notes, incomplete } = leftOut
    const outcome = await thread(run > 0).run(
      { ...task, ecosystems, excludedFiles: files, excludedRules: rules, notes, incomplete },
      Duration.toSeconds(limits.analysisTime) - cpuSeconds,
      hear,
      AbortSignal.any([signal, deadline]),
    )
    cpuSeconds += outcome.cpuSeconds
    if (outcome.type === "done") {
      metrics.took(outcome.rules, outcome.ruleSeconds)
      return outcome.examination
    }
    if (outcome.type === "detected") throw new Error("the engine's thread detected what it was to examine")
    if (signal.aborted) return undefined
    if (outcome.type === "stalled") metrics.lost("stall")
    if (outcome.type === "interrupted" || outcome.type === "stalled") {
      return abandon(machineToBlame, true)
    }
    if (outcome.type === "exhausted") {
      return abandon(
        `The analysis took longer than ${Duration.toSeconds(limits.analysisTime)} s. Analyze a part of the repository.`,
      )
    }

    metrics.lost(outcome.cause)
    const { pulse } = outcome
    last = pulse
    const reason = reasonFor(outcome, limits)
    // Nothing of the sources has been touched: the fault is ours, and another attempt may succeed.
    if (pulse.phase === "idle") throw new Error(`The engine's thread could not be started: it ${reason}`)
    const culprit = leftOut.culprit(pulse)
    const suspect = `${culprit?.kind} ${culprit?.name}`
    if (!suspects.has(suspect)) {
      suspects.add(suspect)
      continue
    }
    if (outcome.cause === "memory" && ++outOfMemory >= memoryLosses) {
      return abandon(`The sources together ${reason}. Analyze a part of the repository.`)
    }
    if (culprit === undefined) {
      return abandon(`Resolving the sources ${reason}, and no single file could be identified as the cause.`)
    }
    leftOut.add(culprit, reason)
  }
  return abandon(
    `The analyzer was stopped by ${leftOut.incomplete.length} different files or rules, last in ${last?.file ?? last?.rule ?? "an unknown place"}.`,
  )
}
