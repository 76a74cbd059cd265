import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import { format, formatUnsafe } from "effect/observability/PrometheusMetrics"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { RequestMetrics } from "../../../adapters/http/telemetry/RequestMetrics.ts"
import { startApp, type TestApp } from "../../support/app.ts"
import { until } from "../../support/cluster.ts"
import { parsePrometheus } from "../../support/prometheusText.ts"

const name = "assay_http_request_duration_seconds"

describe("the durations of requests", () => {
  const context = Context.make(Metric.MetricRegistry, new Map())
  const metrics = new RequestMetrics(context)
  const samples = () => parsePrometheus(formatUnsafe(context)).get(name)!.samples

  it("fall into the bucket of the next higher bound, and each bound into its own", () => {
    for (const seconds of [0.0002, 0.001, 0.0011, 0.2, 60]) metrics.observe("/a", "GET", 200, seconds)
    const below = (le: string) => samples().find(({ labels }) => labels["route"] === "/a" && labels["le"] === le)?.value
    expect([below("0.001"), below("0.0025"), below("0.1"), below("0.25"), below("10"), below("+Inf")]).toEqual([
      2, 3, 3, 4, 4, 5,
    ])
    const sum = samples().find((sample) => sample.name === `${name}_sum`)!.value
    expect(sum).toBeCloseTo(60.2023)
  })

  it("have one series for all unknown methods, and one for all unknown paths", () => {
    for (let index = 0; index < 1_000; index++) metrics.observe(undefined, `M${index}`, 404, 0.001)
    const unmatched = samples().filter(
      (sample) => sample.name === `${name}_count` && sample.labels["route"] === "unmatched",
    )
    expect(unmatched.map(({ labels, value }) => [labels["method"], value])).toEqual([["other", 1_000]])
  })
})

describe("requests in progress", () => {
  let app: TestApp
  let asked: () => void
  beforeAll(async () => {
    app = await startApp({
      wrapStore: (store) => ({
        ...store,
        list: () =>
          Effect.andThen(
            Effect.sync(() => asked()),
            Effect.never,
          ),
      }),
    })
  })
  afterAll(() => app.close())

  const underWay = async () =>
    parsePrometheus(await app.run(format())).get("assay_http_requests_in_flight")!.samples[0]!.value

  it("are counted until they are answered or aborted by the client", async () => {
    const { apiKey } = await app.newUser()
    const begun = new Promise<void>((resolve) => (asked = resolve))
    const giveUp = new AbortController()
    const request = fetch(`${app.url}/api/v1/analysis`, {
      headers: { authorization: `Bearer ${apiKey}` },
      signal: giveUp.signal,
    })
    await begun
    expect(await underWay()).toBe(1)
    giveUp.abort()
    await expect(request).rejects.toThrow()
    await until("no request under way", 10, async () => ((await underWay()) === 0 ? true : undefined))
    await fetch(`${app.url}/health`)
    expect(await underWay()).toBe(0)
  })
})
