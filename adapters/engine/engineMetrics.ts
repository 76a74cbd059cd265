import type * as Context from "effect/Context"
import * as Metric from "effect/Metric"
import type { RuleSeconds } from "./ruleClock.ts"

const ruleSeconds = Metric.counter("assay_rule_seconds_total", {
  description: "Time that the engine spent in a rule.",
  incremental: true,
})

const threadsLost = Metric.counter("assay_engine_threads_lost_total", {
  description: "Engine threads that were stopped or died during an analysis, by cause.",
  incremental: true,
})

export interface EngineMetrics {
  readonly took: (rules: ReadonlyArray<string>, seconds: RuleSeconds) => void
  readonly lost: (cause: "time" | "memory" | "crash" | "stall") => void
}

/** Counts into the context's registry; there are as many series as rules in the catalog. */
export const engineMetrics = (context: Context.Context<never>): EngineMetrics => {
  const byRule = new Map<string, typeof ruleSeconds>()
  const seriesOf = (rule: string): typeof ruleSeconds => {
    const known = byRule.get(rule) ?? Metric.withAttributes(ruleSeconds, { rule })
    byRule.set(rule, known)
    return known
  }
  const lost = {
    time: Metric.withAttributes(threadsLost, { cause: "time" }),
    memory: Metric.withAttributes(threadsLost, { cause: "memory" }),
    crash: Metric.withAttributes(threadsLost, { cause: "crash" }),
    stall: Metric.withAttributes(threadsLost, { cause: "stall" }),
  }
  for (const series of Object.values(lost)) series.updateUnsafe(0, context)
  return {
    took: (rules, seconds) => {
      for (const [position, rule] of rules.entries()) seriesOf(rule).updateUnsafe(seconds[position] ?? 0, context)
    },
    lost: (cause) => lost[cause].updateUnsafe(1, context),
  }
}
