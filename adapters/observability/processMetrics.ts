import { readdirSync } from "node:fs"
import { constants, monitorEventLoopDelay, performance, PerformanceObserver } from "node:perf_hooks"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import { liveCounter, liveGauge } from "./liveMetric.ts"

/** Milliseconds between two checks of the event loop: 50 a second cost 0.1 % of a core. */
const resolution = 20

const gcDuration = Metric.histogram("nodejs_gc_duration_seconds", {
  description: "Pauses for garbage collection, by kind.",
  boundaries: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1],
})

const gcKinds: Readonly<Record<number, string>> = {
  [constants.NODE_PERFORMANCE_GC_MAJOR]: "major",
  [constants.NODE_PERFORMANCE_GC_MINOR]: "minor",
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL]: "incremental",
  [constants.NODE_PERFORMANCE_GC_WEAKCB]: "weak_callback",
}

const watchGarbageCollection = Effect.gen(function* () {
  const context = yield* Effect.context<never>()
  const byKind = new Map(
    Object.entries(gcKinds).map(([kind, name]) => [Number(kind), Metric.withAttributes(gcDuration, { kind: name })]),
  )
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      const observer = new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          // Entries of type `gc` have a kind, which the general type lacks.
          const { duration, detail } = entry as typeof entry & { readonly detail?: { readonly kind: number } }
          if (detail !== undefined) byKind.get(detail.kind)?.updateUnsafe(duration / 1_000, context)
        }
      })
      observer.observe({ entryTypes: ["gc"] })
      return observer
    }),
    (observer) => Effect.sync(() => observer.disconnect()),
  )
})

const watchEventLoop = Effect.gen(function* () {
  const delays = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const histogram = monitorEventLoopDelay({ resolution })
      histogram.enable()
      return histogram
    }),
    (histogram) => Effect.sync(() => histogram.disable()),
  )
  // The recorded value is the time between two checks.
  const lag = (nanoseconds: number): number =>
    Number.isFinite(nanoseconds) ? Math.max(0, nanoseconds / 1e9 - resolution / 1_000) : 0
  const description = "Event loop lag since the last scrape, by percentile."
  const percentile = (name: string, read: () => number) =>
    liveGauge("nodejs_eventloop_lag_seconds", description, read, { percentile: name })
  yield* percentile("50", () => lag(delays.percentile(50)))
  yield* percentile("99", () => lag(delays.percentile(99)))
  yield* percentile("100", () => {
    const longest = lag(delays.max)
    delays.reset()
    return longest
  })

  let before = performance.eventLoopUtilization()
  yield* liveGauge(
    "nodejs_eventloop_utilization_ratio",
    "Share of the time since the last scrape spent working.",
    () => {
      const now = performance.eventLoopUtilization()
      const { utilization } = performance.eventLoopUtilization(now, before)
      before = now
      return utilization
    },
  )
})

const openFiles = (): number => {
  try {
    return readdirSync("/proc/self/fd").length
  } catch {
    return 0
  }
}

/** This process's resource usage, with the metric names of Prometheus' own client libraries. */
export const processMetrics = (version: string) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const memory = process.memoryUsage
      yield* liveGauge("assay_build_info", "The running version; always 1.", () => 1, {
        version,
        node: process.version,
      })
      yield* liveGauge("process_start_time_seconds", "Start time of the process, in Unix time.", () =>
        Math.round(performance.timeOrigin / 1_000),
      )
      yield* liveCounter("process_cpu_seconds_total", "CPU time of the process, user and system.", () => {
        const { user, system } = process.cpuUsage()
        return (user + system) / 1e6
      })
      yield* liveGauge("process_resident_memory_bytes", "Memory in use by the process.", () => memory.rss())
      yield* liveGauge("process_memory_limit_bytes", "Memory limit of the process; 0 if unknown.", () => {
        const limit = process.constrainedMemory()
        return limit > 0 && limit < Number.MAX_SAFE_INTEGER ? limit : 0
      })
      yield* liveGauge("process_open_fds", "Open files and sockets.", openFiles)
      yield* liveGauge("nodejs_heap_size_used_bytes", "JavaScript heap in use.", () => memory().heapUsed)
      yield* liveGauge("nodejs_heap_size_total_bytes", "JavaScript heap reserved.", () => memory().heapTotal)
      yield* liveGauge(
        "nodejs_external_memory_bytes",
        "Memory outside of the JavaScript heap.",
        () => memory().external,
      )
      yield* liveGauge(
        "nodejs_active_resources",
        "Timers, sockets and requests that keep the process alive.",
        () => process.getActiveResourcesInfo().length,
      )
      yield* watchGarbageCollection
      yield* watchEventLoop
    }),
  )
