import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { plainJson } from "../../../domain/report/plainJson.ts"
import type { Exchange } from "../request/Exchange.ts"
import { HttpSettings } from "../HttpSettings.ts"
import { RequestMetrics } from "./RequestMetrics.ts"

/** Lines are written together: one write per request costs more than answering it. */
const flushInterval = 100
const flushSize = 64 * 1024

/** One JSON line per request, without query, headers or body: nothing in it is secret. */
export class RequestLog extends Context.Service<
  RequestLog,
  {
    /** Writes the line of a response being sent, and counts it. */
    readonly write: (exchange: Exchange, method: string, path: string, status: number) => void
    readonly metrics: RequestMetrics
  }
>()("assay/http/RequestLog") {
  /** Writes through `sink`; standard error in production. */
  static readonly layer = (sink: (lines: string) => void) =>
    Layer.effect(
      this,
      Effect.gen(function* () {
        const { requestLog } = yield* HttpSettings
        const metrics = new RequestMetrics(yield* Effect.context<never>())
        let lines = ""
        let timer: NodeJS.Timeout | undefined
        const flush = () => {
          clearTimeout(timer)
          timer = undefined
          if (lines !== "") sink(lines)
          lines = ""
        }
        yield* Effect.addFinalizer(() => Effect.sync(flush))
        return {
          metrics,
          write: (exchange, method, path, status) => {
            const seconds = (performance.now() - exchange.startedAt) / 1_000
            metrics.observe(exchange.route, method, status, seconds)
            if (requestLog === "none" || (requestLog === "warning" && status < 500)) return
            // Probes arrive every few seconds for as long as the service lives.
            if (exchange.exempt && status < 500) return
            lines += `${plainJson(
              JSON.stringify({
                time: new Date().toISOString(),
                level: status >= 500 ? "error" : "info",
                message: "request",
                method,
                route: exchange.route ?? path.slice(0, 200),
                status,
                ms: Math.round(seconds * 100_000) / 100,
                requestId: exchange.requestId,
                traceId: exchange.traceId,
                userId: exchange.userId,
              }),
            )}\n`
            if (lines.length > flushSize) flush()
            else timer ??= setTimeout(flush, flushInterval)
          },
        }
      }),
    )
}
