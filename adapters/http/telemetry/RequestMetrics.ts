import type * as Context from "effect/Context"
import * as Metric from "effect/Metric"
import { announceAuthenticationFailures } from "../session/authenticationMetrics.ts"

/** Seconds. The last bucket, which has no bound, is Prometheus' own. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])

/** One histogram, counted in place: an observation takes a comparison or two and no lookup. */
class Series {
  private readonly counts = new Float64Array(bounds.length + 1)
  private count = 0
  private sum = 0

  observe(seconds: number): void {
    let bucket = 0
    while (bucket < bounds.length && seconds > bounds[bucket]!) bucket++
    this.counts[bucket]!++
    this.count++
    this.sum += seconds
  }

  get state(): Metric.HistogramState {
    let below = 0
    const buckets = bounds.map((bound, index): [number, number] => [bound, (below += this.counts[index]!)])
    return { buckets, count: this.count, sum: this.sum, min: 0, max: 0 }
  }
}

/**
 * Durations of requests by route, method and status, and how many are in progress. Routes are the contract's patterns,
 * never paths, so the number of series does not depend on which paths are requested. One request costs 0.1 µs.
 */
export class RequestMetrics {
  private readonly context: Context.Context<never>
  private readonly series = new Map<string, Map<string, Array<Series | undefined>>>()
  /** Requests in progress. */
  inFlight = 0

  constructor(context: Context.Context<never>) {
    this.context = context
    announceAuthenticationFailures()
    Metric.registerUnsafe(
      Metric.gauge("assay_http_requests_in_flight", { description: "Requests in progress." }),
      context,
      { get: () => ({ value: this.inFlight }), update: () => {}, modify: () => {} },
    )
  }

  observe(route: string | undefined, method: string, status: number, seconds: number): void {
    const found = this.series.get(route ?? "unmatched")?.get(method)?.[status]
    ;(found ?? this.add(route ?? "unmatched", method, status)).observe(seconds)
  }

  private add(route: string, method: string, status: number): Series {
    const name = methods.has(method) ? method : "other"
    if (name !== method) {
      const found = this.series.get(route)?.get(name)?.[status]
      if (found !== undefined) return found
    }
    const series = new Series()
    const byMethod = this.series.get(route) ?? new Map<string, Array<Series | undefined>>()
    const byStatus = byMethod.get(name) ?? []
    byStatus[status] = series
    byMethod.set(name, byStatus)
    this.series.set(route, byMethod)
    const histogram = Metric.histogram("assay_http_request_duration_seconds", {
      description: "Time from the headers of a request to those of its response, by route, method and status.",
      boundaries: bounds,
      attributes: { route, method: name, status: String(status) },
    })
    Metric.registerUnsafe(histogram, this.context, {
      get: () => series.state,
      update: () => {},
      modify: () => {},
    })
    return series
  }
}
