import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Tracer from "effect/Tracer"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { otlpTracing, samplerOf, type TracingOptions } from "../../../adapters/observability/otlpTracing.ts"
import { type OtlpReceiver, startOtlpReceiver } from "../../support/otlpReceiver.ts"

const remote = (sampled: boolean) => Tracer.externalSpan({ traceId: "a".repeat(32), spanId: "b".repeat(16), sampled })

describe("spans sent to a collector", () => {
  let collector: OtlpReceiver

  beforeAll(async () => {
    collector = await startOtlpReceiver()
  })
  afterAll(() => collector.close())

  const trace = <A>(effect: Effect.Effect<A>, options: Partial<TracingOptions> = {}) =>
    Effect.runPromise(
      effect.pipe(
        Effect.provide(
          otlpTracing({
            endpoint: new URL(`${collector.url}/behind/a/path/`),
            headers: Redacted.make({ "x-tenant": "assay" }),
            protocol: "http/json",
            serviceName: "assay-test",
            serviceVersion: "1.2.3",
            sampler: "parentbased_always_on",
            ratio: 1,
            ...options,
          }),
        ),
      ),
    )

  let before = 0
  beforeEach(() => {
    before = collector.requests.length
  })
  const received = () => collector.requests.slice(before)

  it("are sent before the program ends, below the endpoint's path, with the headers", async () => {
    await trace(Effect.void.pipe(Effect.withSpan("inner"), Effect.withSpan("outer")))
    expect(received().map(({ path }) => path)).toEqual(["/behind/a/path/v1/traces"])
    expect(received()[0]!.headers).toMatchObject({ "x-tenant": "assay", "content-type": "application/json" })
    const spans = collector.spans().slice(-2)
    expect(spans.map(({ name, service }) => [name, service])).toEqual([
      ["inner", "assay-test"],
      ["outer", "assay-test"],
    ])
    expect(spans[0]!.parentSpanId).toBe(spans[1]!.spanId)
  })

  it("do not pile up if the collector never responds", async () => {
    let exports = 0
    const silent = createServer(() => exports++)
    silent.listen(0, "127.0.0.1")
    await once(silent, "listening")
    const { port } = silent.address() as AddressInfo // a TCP server's address is not a path
    try {
      const batch = Effect.forEach(Array.from({ length: 1_000 }), () => Effect.withSpan(Effect.void, "one"))
      await trace(Effect.repeat(Effect.andThen(batch, Effect.yieldNow), { times: 20 }), {
        endpoint: new URL(`http://127.0.0.1:${port}`),
      })
      expect(exports).toBeGreaterThan(0)
      expect(exports).toBeLessThanOrEqual(4)
    } finally {
      silent.closeAllConnections()
      silent.close()
    }
  })

  it("are protocol buffers if configured", async () => {
    await trace(Effect.withSpan(Effect.void, "in-protobuf"), { protocol: "http/protobuf" })
    const [request] = received()
    expect(request!.headers["content-type"]).toBe("application/x-protobuf")
    // Field 1 (resource_spans), wire type 2, of ExportTraceServiceRequest.
    expect(request!.body[0]).toBe(0x0a)
    expect(request!.body.includes("in-protobuf")).toBe(true)
  })

  it("are not sent for a request whose caller decided against tracing", async () => {
    await trace(Effect.withSpan(Effect.void, "unwanted", { parent: remote(false) }))
    expect(received()).toEqual([])
  })

  it("are not sent if the sampler keeps none", async () => {
    await trace(Effect.withSpan(Effect.void, "unwanted"), { sampler: "parentbased_traceidratio", ratio: 0 })
    expect(received()).toEqual([])
  })

  it("do not block the program without a collector", async () => {
    const begun = performance.now()
    await trace(Effect.withSpan(Effect.void, "lost"), { endpoint: new URL("http://127.0.0.1:1") })
    expect(performance.now() - begun).toBeLessThan(6_000)
  })
})

describe("a sampler", () => {
  const decide = (sampler: TracingOptions["sampler"], parent?: Tracer.AnySpan, drawn = 0.3) =>
    samplerOf(sampler, 0.5, () => drawn)(Option.fromNullishOr(parent))

  it.each([
    ["always_on", undefined, true],
    ["always_on", false, true],
    ["always_off", true, false],
    ["traceidratio", undefined, true],
    ["parentbased_always_on", false, false],
    ["parentbased_always_off", true, true],
    ["parentbased_always_off", undefined, false],
    ["parentbased_traceidratio", false, false],
  ] as const)("%s below a remote parent that is kept: %s", (sampler, parent, kept) => {
    expect(decide(sampler, parent === undefined ? undefined : remote(parent))).toBe(kept)
  })

  it("keeps the configured share of traces", () => {
    expect(decide("traceidratio", undefined, 0.7)).toBe(false)
  })

  it("follows the decision of a parent span of this process", () => {
    const ours = (sampled: boolean): Tracer.Span =>
      Tracer.nativeTracer.span({
        name: "ours",
        parent: Option.none(),
        annotations: remote(true).annotations,
        links: [],
        startTime: 0n,
        kind: "internal",
        root: true,
        sampled,
      })
    expect(decide("always_on", ours(false))).toBe(false)
    expect(decide("always_off", ours(true))).toBe(true)
  })
})
