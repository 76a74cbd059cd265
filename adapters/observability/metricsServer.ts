import { once } from "node:events"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import * as Effect from "effect/Effect"
import { formatUnsafe } from "effect/observability/PrometheusMetrics"
import * as Schema from "effect/Schema"

export interface MetricsServerOptions {
  readonly host: string
  /** 0 for any free one. */
  readonly port: number
  /** Updates whatever is read at scrape time; must be quick and not fail. */
  readonly refresh: Effect.Effect<void>
  /** Whether the process works at all; checks no dependency. */
  readonly alive: () => boolean
  /** Whether it should receive work, and if not, why. Absent if the public port responds to that probe. */
  readonly ready?: Effect.Effect<{ readonly well: boolean; readonly details: Readonly<Record<string, unknown>> }>
}

/** The port is unavailable. */
export class MetricsPortUnusable extends Schema.TaggedError<MetricsPortUnusable>()("MetricsPortUnusable", {
  port: Schema.Int,
  code: Schema.String,
}) {}

const contentType = "text/plain; version=0.0.4; charset=utf-8"

const send = (response: ServerResponse, status: number, type: string, body: string): void => {
  response.writeHead(status, { "content-type": type, "cache-control": "no-store", "x-content-type-options": "nosniff" })
  response.end(body)
}
const sendHealth = (response: ServerResponse, well: boolean, details = {}): void =>
  send(response, well ? 200 : 503, "application/json", JSON.stringify({ status: well ? "ok" : "degraded", ...details }))

const bind = (server: Server, host: string, port: number) =>
  Effect.tryPromise({
    try: async () => {
      server.listen(port, host)
      await once(server, "listening")
    },
    catch: (error) =>
      new MetricsPortUnusable({
        port,
        code: error instanceof Error && "code" in error ? String(error.code) : String(error),
      }),
  })

/**
 * Serves `/metrics` in the Prometheus text format, and `/health` and `/health/ready` for probes, until the scope
 * closes; returns its URL. No credentials are required, so the port must be reachable only within the cluster.
 */
export const metricsServer = Effect.fnUntraced(function* (options: MetricsServerOptions) {
  const context = yield* Effect.context<never>()
  const run = Effect.runPromiseWith(context)

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [path] = (request.url ?? "/").split("?", 1)
    if (request.method !== "GET" && request.method !== "HEAD") {
      return send(response, 405, "text/plain; charset=utf-8", "GET only\n")
    }
    if (path === "/metrics") {
      await run(options.refresh)
      return send(response, 200, contentType, formatUnsafe(context))
    }
    if (path === "/health") return sendHealth(response, options.alive())
    if (path === "/health/ready" && options.ready !== undefined) {
      const { well, details } = await run(options.ready)
      return sendHealth(response, well, details)
    }
    return send(response, 404, "text/plain; charset=utf-8", "GET /metrics, /health or /health/ready\n")
  }

  const server = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const server = createServer({ headersTimeout: 5_000, requestTimeout: 5_000, connectionsCheckingInterval: 1_000 })
      server.maxConnections = 64
      server.on("request", (request, response) => {
        answer(request, response).catch(() => {
          if (!response.headersSent) send(response, 500, "text/plain; charset=utf-8", "internal error\n")
        })
      })
      return server
    }),
    (server) =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      }),
  )
  yield* bind(server, options.host, options.port)
  // A TCP server's address is not a path.
  const { address, family, port } = server.address() as AddressInfo
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`
})
