import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { httpTracing } from "../../adapters/http/telemetry/tracing.ts"
import { consumerMetrics } from "../../adapters/observability/consumerMetrics.ts"
import { databaseMetrics } from "../../adapters/observability/databaseMetrics.ts"
import { metricsServer, type MetricsServerOptions } from "../../adapters/observability/metricsServer.ts"
import { otlpTracing, samplers } from "../../adapters/observability/otlpTracing.ts"
import { processMetrics } from "../../adapters/observability/processMetrics.ts"
import * as SqlHealthProbe from "../../adapters/sql/SqlHealthProbe.ts"
import * as SqlQueueProbe from "../../adapters/sql/SqlQueueProbe.ts"
import { ConsumerState } from "../../application/analysis/ConsumerState.ts"
import { HealthProbe } from "../../application/ports/HealthProbe.ts"
import { CurrentBrokenLoops } from "../../application/supervise.ts"
import { Refusal } from "../runMain.ts"
import type { Configuration } from "./configuration.ts"
import { version } from "./version.ts"
import { wrongVariable } from "./wrongVariable.ts"

/** The default of `METRICS_PORT`; if it is taken, as by a second process on one machine, any free port. */
const defaultPort = 9090

const listen = ({ host, metricsPort }: Configuration, options: Omit<MetricsServerOptions, "host" | "port">) =>
  metricsServer({ ...options, host, port: metricsPort ?? defaultPort }).pipe(
    Effect.catchIf(
      ({ code }) => metricsPort === undefined && code === "EADDRINUSE",
      () => metricsServer({ ...options, host, port: 0 }),
    ),
    Effect.mapError(({ port, code }) =>
      code === "EADDRINUSE"
        ? new Refusal(`METRICS_PORT ${port} is already in use. Choose another port, or 0 for any free one.`)
        : new Refusal(`Cannot listen on HOST ${host} with METRICS_PORT ${port} (${code}).`),
    ),
    Effect.tap((url) => Effect.logInfo("metrics server started", { url: `${url}/metrics` })),
  )

/** `/metrics` of an API, on a separate port. Its probes are on the public one. */
export const apiMetrics = (configuration: Configuration) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { port, metricsPort } = configuration
      if (metricsPort === port && port !== 0) {
        return yield* Effect.fail(
          new Refusal(
            `METRICS_PORT and PORT are both ${port}. Metrics must not be served on the public port: choose a different one.`,
          ),
        )
      }
      yield* listen(configuration, { refresh: yield* databaseMetrics, alive: () => true })
    }),
  ).pipe(Layer.provide([processMetrics(version), SqlQueueProbe.layer, SqlHealthProbe.layer]))

/**
 * `/metrics` and the probes of a worker. It is ready while the database responds and it claims, and alive until its
 * loops have ended, which happens only at shutdown.
 */
export const workerMetrics = (configuration: Configuration) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const state = yield* ConsumerState
      const probe = yield* HealthProbe
      yield* listen(configuration, {
        refresh: yield* databaseMetrics,
        alive: () => state.alive || state.stopping,
        ready: Effect.withTracerEnabled(
          Effect.map(
            Effect.all([probe.database, probe.writes, CurrentBrokenLoops]),
            ([database, writes, { names }]) => ({
              well: state.claiming && database === "connected",
              details: { claiming: state.claiming, database, writes, brokenLoops: names },
            }),
          ),
          false,
        ),
      })
    }),
  ).pipe(
    Layer.provide([
      processMetrics(version),
      consumerMetrics(configuration.workDirectory),
      SqlQueueProbe.layer,
      SqlHealthProbe.layer,
    ]),
  )

/** OpenTelemetry's own variables; values of the headers are percent-encoded. https://opentelemetry.io/docs/specs/otel/ */
const tracingVariables = Config.all({
  disabled: Config.Boolean("OTEL_SDK_DISABLED").pipe(Config.withDefault(false)),
  endpoint: Config.String("OTEL_EXPORTER_OTLP_ENDPOINT").pipe(Config.withDefault("")),
  headers: Config.Redacted("OTEL_EXPORTER_OTLP_HEADERS").pipe(Config.withDefault(Redacted.make(""))),
  protocol: Config.Literals(["http/protobuf", "http/json"], "OTEL_EXPORTER_OTLP_PROTOCOL").pipe(
    Config.withDefault("http/protobuf" as const),
  ),
  serviceName: Config.String("OTEL_SERVICE_NAME").pipe(Config.withDefault("")),
  sampler: Config.Literals(samplers, "OTEL_TRACES_SAMPLER").pipe(Config.withDefault("parentbased_always_on" as const)),
  ratio: Config.schema(
    Schema.NumberFromString.check(Schema.isBetween({ minimum: 0, maximum: 1 })),
    "OTEL_TRACES_SAMPLER_ARG",
  ).pipe(Config.withDefault(1)),
})

/** `name=value,name=value` with percent-encoded values; undefined if it is not that. */
const parseHeaders = (text: string): Readonly<Record<string, string>> | undefined => {
  const headers: Record<string, string> = {}
  for (const pair of text.split(",").filter((part) => part.trim() !== "")) {
    const equals = pair.indexOf("=")
    const name = pair.slice(0, Math.max(0, equals)).trim()
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) return undefined
    try {
      headers[name.toLowerCase()] = decodeURIComponent(pair.slice(equals + 1).trim())
    } catch {
      return undefined
    }
  }
  return headers
}

/** Traces, if `OTEL_EXPORTER_OTLP_ENDPOINT` is set; otherwise nothing is measured or sent. */
export const tracing = (defaultName: string) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const read = yield* tracingVariables
      if (read.disabled || read.endpoint === "") return Layer.empty
      if (!URL.canParse(read.endpoint) || !/^https?:$/.test(new URL(read.endpoint).protocol)) {
        return yield* Effect.fail(
          new Refusal("OTEL_EXPORTER_OTLP_ENDPOINT is not a valid URL: it must look like http://collector:4318."),
        )
      }
      const headers = parseHeaders(Redacted.value(read.headers))
      if (headers === undefined) {
        return yield* Effect.fail(
          new Refusal("OTEL_EXPORTER_OTLP_HEADERS must look like name=value,name=value, values percent-encoded."),
        )
      }
      return Layer.merge(
        otlpTracing({
          ...read,
          endpoint: new URL(read.endpoint),
          headers: Redacted.make(headers),
          serviceName: read.serviceName || defaultName,
          serviceVersion: version,
        }),
        httpTracing,
      )
    }).pipe(Effect.catchTag("ConfigError", (error) => Effect.fail(wrongVariable(error)))),
  )
