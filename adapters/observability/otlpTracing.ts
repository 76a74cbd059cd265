import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as OtlpExporter from "effect/observability/OtlpExporter"
import * as OtlpSerialization from "effect/observability/OtlpSerialization"
import * as OtlpTracer from "effect/observability/OtlpTracer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Tracer from "effect/Tracer"
import { withoutTrailingSlashes } from "../../domain/network/withoutTrailingSlashes.ts"

export const samplers = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const

export interface TracingOptions {
  /** Base URL of the collector; spans go to `/v1/traces` below it. */
  readonly endpoint: URL
  /** Sent with every export, such as credentials. */
  readonly headers: Redacted.Redacted<Readonly<Record<string, string>>>
  readonly protocol: "http/protobuf" | "http/json"
  readonly serviceName: string
  readonly serviceVersion: string
  readonly sampler: (typeof samplers)[number]
  /** Share of traces that are kept by the ratio samplers, 0 to 1. */
  readonly ratio: number
}

type Decide = (parent: Option.Option<Tracer.AnySpan>) => boolean

/** Whether a span is kept; below a span of this process its parent decides. */
export const samplerOf = (sampler: TracingOptions["sampler"], ratio: number, random = Math.random): Decide => {
  const based = sampler.startsWith("parentbased_")
  const share = sampler.endsWith("always_on") ? 1 : sampler.endsWith("always_off") ? 0 : ratio
  return (parent) => {
    if (Option.isSome(parent) && (based || parent.value._tag === "Span")) return parent.value.sampled
    return random() < share
  }
}

const sampled = (tracer: Tracer.Tracer, decide: Decide): Tracer.Tracer =>
  Tracer.make({
    ...tracer,
    span: (options) => tracer.span({ ...options, sampled: decide(options.parent) }),
  })

/** OpenTelemetry's own default for an export, in milliseconds. */
const patience = 10_000
/** Concurrent exports of up to 1,000 spans each; a collector that keeps up needs one. */
const mostExports = 4

/**
 * A collector that accepts exports without responding would otherwise accumulate them in our memory. The exporter
 * treats this failure as permanent: it drops its spans and retries after a minute.
 */
const bounded = Layer.effect(
  HttpClient.HttpClient,
  Effect.map(HttpClient.HttpClient, (client) => {
    let underWay = 0
    const failed = (why: string) => Effect.die(new Error(`The trace collector ${why}`))
    return HttpClient.transform(client, (response) =>
      Effect.suspend(() => {
        if (underWay >= mostExports) return failed("is too slow")
        underWay++
        return response.pipe(
          Effect.tap((received) => Effect.ignore(received.arrayBuffer)),
          Effect.timeoutOrElse({ duration: patience, orElse: () => failed("does not respond") }),
          Effect.ensuring(Effect.sync(() => underWay--)),
        )
      }),
    )
  }),
).pipe(Layer.provide(FetchHttpClient.layer))

/** Sends spans to an OTLP collector over HTTP, every 5 s and once more at the end. */
export const otlpTracing = (options: TracingOptions) => {
  const url = new URL(options.endpoint)
  url.pathname = `${withoutTrailingSlashes(url.pathname)}/v1/traces`
  const tracer = Effect.map(
    OtlpTracer.make({
      url: url.href,
      headers: Redacted.value(options.headers),
      // `OTEL_RESOURCE_ATTRIBUTES` is read as well.
      resource: { serviceName: options.serviceName, serviceVersion: options.serviceVersion },
    }),
    (tracer) => sampled(tracer, samplerOf(options.sampler, options.ratio)),
  )
  return Layer.effectContext(Effect.map(tracer, (tracer) => Context.make(Tracer.Tracer, tracer))).pipe(
    Layer.provide([
      OtlpExporter.layerFlusher,
      options.protocol === "http/json" ? OtlpSerialization.layerJson : OtlpSerialization.layerProtobuf,
      bounded,
    ]),
  )
}
