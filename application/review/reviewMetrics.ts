import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"

const cost = Metric.counter("assay_model_cost_dollars_total", {
  description: "Cost of answered requests at the configured prices.",
  incremental: true,
})

const answers = Metric.counter("assay_model_answers_total", {
  description: "Answers used by reviews, by source: from the model, or kept from an earlier request.",
  incremental: true,
})

/** An answer that was paid for, in millionths of a dollar. */
export const asked = (micros: number): Effect.Effect<void> =>
  Effect.andThen(
    Metric.update(cost, micros / 1_000_000),
    Metric.update(Metric.withAttributes(answers, { source: "model" }), 1),
  )

/** An answer reused from an earlier review. */
export const known: Effect.Effect<void> = Metric.update(Metric.withAttributes(answers, { source: "kept" }), 1)
