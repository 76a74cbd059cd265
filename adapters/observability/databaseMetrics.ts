import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import { HealthProbe } from "../../application/ports/HealthProbe.ts"
import { QueueProbe } from "../../application/ports/analysis/QueueProbe.ts"

/** Maximum time that a scrape waits for the database. */
const patience = "2 seconds"

/** Simultaneous scrapes share one query. */
const keptFor = "5 seconds"

const up = Metric.gauge("assay_database_up", { description: "1 while the database responds, 0 while it does not." })
const analyses = Metric.gauge("assay_queue_analyses", {
  description: "Waiting (pending) and running analyses across all workers.",
})
const pending = Metric.withAttributes(analyses, { status: "pending" })
const running = Metric.withAttributes(analyses, { status: "running" })
const oldest = Metric.gauge("assay_queue_oldest_pending_seconds", {
  description: "How long the longest-waiting analysis has been ready to run.",
})

const prevented = Metric.gauge("assay_database_writes_prevented", {
  description: "1 while the database responds but rejects writes, by cause: read_only or locked.",
})
const causes = (["read_only", "locked"] as const).map((cause) => ({
  cause,
  gauge: Metric.withAttributes(prevented, { cause }),
}))

/** An effect that updates the gauges and never fails: without the database, the queue's gauges are absent. */
export const databaseMetrics = Effect.gen(function* () {
  const probe = yield* QueueProbe
  const context = yield* Effect.context<never>()
  const read = probe.depth.pipe(
    Effect.timeout(patience),
    Effect.map((depth) => {
      up.updateUnsafe(1, context)
      pending.updateUnsafe(depth.pending, context)
      running.updateUnsafe(depth.running, context)
      oldest.updateUnsafe(Duration.toSeconds(depth.oldestPending), context)
    }),
    Effect.catchCause((cause) =>
      Effect.andThen(
        Effect.sync(() => {
          up.updateUnsafe(0, context)
          for (const gauge of [pending, running, oldest]) Metric.removeUnsafe(gauge, context)
        }),
        Effect.logDebug("could not read the queue depth", cause),
      ),
    ),
  )
  const health = yield* HealthProbe
  const readWrites = Effect.map(Effect.withTracerEnabled(health.writes, false), (writes) => {
    for (const { cause, gauge } of causes) gauge.updateUnsafe(Number(writes === cause), context)
  })
  return yield* Effect.cachedWithTTL(Effect.all([read, readWrites], { concurrency: 2, discard: true }), keptFor)
})
