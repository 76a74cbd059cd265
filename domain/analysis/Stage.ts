import * as Schema from "effect/Schema"

/** In the order in which an analysis passes them; the optional ones only if configured. */
export const stages = [
  "queued",
  "fetching_source",
  "detecting_framework",
  "compilation",
  "static_analysis",
  "external_analysis",
  "ai_analysis",
  "report_generation",
  "completed",
] as const
export type Stage = (typeof stages)[number]
export const Stage = Schema.Literals(stages)

/**
 * The share of the progress bar at which a stage begins. `ai_analysis` spans 60 to 90, so 65 is a possible value in it;
 * without optional stages, the bar skips their share.
 */
const begins: Record<Stage, number> = {
  queued: 0,
  fetching_source: 2,
  detecting_framework: 18,
  compilation: 20,
  static_analysis: 35,
  external_analysis: 50,
  ai_analysis: 60,
  report_generation: 92,
  completed: 100,
}

/** Percent done when `fraction` (0 to 1) of a stage is done: an integer, 100 only for `completed`. */
export const progressOf = (stage: Stage, fraction: number): number => {
  const from = begins[stage]
  const next = stages[stages.indexOf(stage) + 1]
  const to = next === undefined ? from : begins[next] - 1
  return Math.floor(from + (to - from) * Math.min(1, Math.max(0, fraction)))
}
