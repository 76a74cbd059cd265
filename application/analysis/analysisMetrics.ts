import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import { frameworks, type Framework } from "../../domain/analysis/Framework.ts"
import type { Stage } from "../../domain/analysis/Stage.ts"

/**
 * How an attempt ended. `requeued`: failed, to be tried again. `handed_back`: the worker shut down. `lease_lost`: the
 * worker was paused past its lease, or the analysis deleted. `abandoned`: the database was unavailable too long to write it.
 */
export const outcomes = ["completed", "failed", "requeued", "handed_back", "lease_lost", "abandoned"] as const
export type AttemptOutcome = (typeof outcomes)[number]

const analyses = Metric.counter("assay_analyses_total", {
  description: "Attempts at an analysis, by outcome and framework.",
  incremental: true,
})

const stageDuration = Metric.histogram("assay_stage_duration_seconds", {
  description: "Time that an analysis spent in a stage.",
  boundaries: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 900],
})

const ended = (outcome: AttemptOutcome, framework: Framework) => Metric.withAttributes(analyses, { outcome, framework })

export const countAnalysis = (outcome: AttemptOutcome, framework: Framework): Effect.Effect<void> =>
  Metric.update(ended(outcome, framework), 1)

/** Every series starts at zero: a rate over a counter that begins with its first event misses that event. */
export const announceOutcomes: Effect.Effect<void> = Effect.forEach(
  outcomes.flatMap((outcome) => frameworks.map((framework) => ended(outcome, framework))),
  (series) => Metric.update(series, 0),
  { discard: true },
)

const durations = new Map<Stage, typeof stageDuration>()

export const durationOf = (stage: Stage): typeof stageDuration => {
  const known = durations.get(stage) ?? Metric.withAttributes(stageDuration, { stage })
  durations.set(stage, known)
  return known
}
