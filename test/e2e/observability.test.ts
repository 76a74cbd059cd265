import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Api, type Cluster, startCluster, until, type Worker } from "../support/cluster.ts"
import { metricsUrl } from "../support/metricsUrl.ts"
import { alerts, dashboard, metricsIn } from "../support/monitoring.ts"
import { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from "../support/otlpReceiver.ts"
import { type PostgresServer, startPostgres } from "../support/postgresServer.ts"
import { jsonOf, type Program } from "../support/program.ts"
import { type Family, parsePrometheus } from "../support/prometheusText.ts"

const contract = "pragma solidity 0.8.26;\ncontract A { function f() external { require(tx.origin == msg.sender); } }\n"

const postgres = await startPostgres()

/** For `promtool check metrics`, on demand: a folder to leave the expositions in. */
const keepIn = process.env["ASSAY_KEEP_SCRAPES"]

const scrape = async (url: string): Promise<ReadonlyMap<string, Family>> => {
  const response = await fetch(`${url}/metrics`)
  expect(response.status).toBe(200)
  expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8")
  const text = await response.text()
  if (keepIn !== undefined) writeFileSync(join(keepIn, `${new URL(url).port}.prom`), text)
  return parsePrometheus(text)
}

const valueOf = (
  families: ReadonlyMap<string, Family>,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined => {
  const family = [...families.values()].find(({ samples }) => samples.some((sample) => sample.name === name))
  return family?.samples.find(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  )?.value
}

const lines = (program: Program): ReadonlyArray<Record<string, unknown>> =>
  program
    .stderr()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))

const traceId = "0af7651916cd43dd8448eb211c80319c"

/** Without Postgres there are no separate processes; in CI its absence fails in `startPostgres`. */
describe.runIf(postgres !== undefined)("API and worker, observed from outside", () => {
  let cluster: Cluster
  let collector: OtlpReceiver
  let api: Api
  let worker: Worker
  let apiMetrics = ""
  let workerMetrics = ""
  let apiKey = ""
  let analysisId = ""
  let createSpan = ""
  const secret = "s3cret-of-the-collector"

  beforeAll(async () => {
    collector = await startOtlpReceiver()
    cluster = await startCluster(await (postgres as PostgresServer).createDatabase())
    const environment = {
      ASSAY_REQUEST_LOG: "info",
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${secret}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    }
    // Nothing listens there: limits are counted locally.
    api = await cluster.startApi({ ...environment, REDIS_URL: "redis://127.0.0.1:1" })
    worker = cluster.startWorker(environment)
    apiMetrics = await metricsUrl(api)
    workerMetrics = await metricsUrl(worker)
    apiKey = await cluster.newUser()

    const repository = await cluster.git.create("watched", { branches: { main: { "A.sol": contract } } })
    const created = await cluster.submit(
      api,
      apiKey,
      { repositoryUrl: repository.url },
      { traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
    )
    expect(created.status).toBe(201)
    analysisId = cluster.acknowledged[0]!
    await until("the end of the analysis", 30, async () => {
      const response = await fetch(`${api.url}/api/v1/analysis/${analysisId}/status`, {
        headers: { authorization: `Bearer ${apiKey}` },
      })
      const { status } = await jsonOf<{ readonly status: string }>(response)
      return status === "completed" ? true : undefined
    })
    await fetch(`${api.url}/api/v1/analysis?cursor=of-the-query`, { headers: { authorization: "Bearer wrong" } })
    await fetch(`${api.url}/no/such/path?code=of-sign-in`)
    await fetch(`${api.url}/health`)
  })

  afterAll(async () => {
    await cluster.close()
    await collector.close()
    await (postgres as PostgresServer).stop()
  })

  const ofTrace = () => collector.spans().filter((span) => span.traceId === traceId)

  it("join one trace, from the caller's request to each stage of the analysis", async () => {
    await until("the export of the spans", 20, async () => {
      const ended = new Set(ofTrace().map(({ service, name }) => `${service} ${name}`))
      return ended.has("assay-api POST /api/v1/analysis") && ended.has("assay-worker analysis") ? true : undefined
    })
    const spans = ofTrace()
    const named = (service: string, name: string): ReceivedSpan => {
      const found = spans.find((span) => span.service === service && span.name === name)
      expect(found, `${service} ${name}`).toBeDefined()
      return found!
    }
    const request = named("assay-api", "POST /api/v1/analysis")
    expect(request).toMatchObject({ kind: 2, parentSpanId: "00f067aa0ba902b7" })
    expect(request.attributes).toMatchObject({ "http.route": "/api/v1/analysis", "http.response.status_code": 201 })
    const analysis = named("assay-worker", "analysis")
    expect(analysis.kind).toBe(5)
    expect(analysis.attributes).toMatchObject({
      "assay.analysis.id": analysisId,
      "assay.attempt": 1,
      "assay.framework": "evm",
      "assay.outcome": "completed",
    })
    const create = spans.find(({ spanId }) => spanId === analysis.parentSpanId)
    expect(create?.service).toBe("assay-api")
    createSpan = create!.spanId
    for (const stage of [
      "fetching_source",
      "detecting_framework",
      "compilation",
      "static_analysis",
      "report_generation",
    ]) {
      expect(named("assay-worker", `stage ${stage}`).parentSpanId).toBe(analysis.spanId)
    }
    expect(createSpan).not.toBe("")
  })

  it("send no secrets, queries or queue polls to the collector", async () => {
    await until("the export of the last request", 20, async () =>
      collector.spans().some(({ name }) => name === "GET unmatched") ? true : undefined,
    )
    const sent = collector.requests.map(({ body }) => body.toString("utf8")).join("\n")
    expect(sent).not.toContain(apiKey)
    expect(sent).not.toContain(secret)
    expect(sent).not.toContain("of-the-query")
    expect(sent).not.toContain("of-sign-in")
    expect(collector.requests.every(({ path }) => path === "/v1/traces")).toBe(true)
    expect(collector.requests.every(({ headers }) => headers.authorization === `Bearer ${secret}`)).toBe(true)
    const roots = collector.spans().filter(({ parentSpanId }) => parentSpanId === undefined)
    expect(roots.filter(({ name }) => name.startsWith("AnalysisStore") || name.includes("health"))).toEqual([])
  })

  it("log one JSON object per line with time, level, message and the relevant ids, and no secrets", () => {
    for (const program of [api, worker]) {
      for (const line of lines(program)) {
        expect(line).toMatchObject({
          time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          level: expect.stringMatching(/^(debug|info|warning|error)$/),
          message: expect.any(String),
        })
      }
      expect(program.stderr()).not.toContain(apiKey)
      expect(program.stderr()).not.toContain(secret)
      expect(program.stdout()).toBe("")
    }
    expect(lines(api)).toContainEqual(
      expect.objectContaining({ message: "request", route: "/api/v1/analysis", status: 201, traceId }),
    )
    expect(lines(worker)).toContainEqual(
      expect.objectContaining({ message: "analysis ended", analysisId, attempt: 1, outcome: "completed", traceId }),
    )
  })

  it("serve metrics that a strict parser accepts, by route and never by path", async () => {
    const families = await scrape(apiMetrics)
    const requests = families.get("assay_http_request_duration_seconds")!
    const count = (labels: Readonly<Record<string, string>>) =>
      valueOf(families, "assay_http_request_duration_seconds_count", labels)
    expect(count({ route: "/api/v1/analysis", method: "POST", status: "201" })).toBe(1)
    expect(count({ route: "/api/v1/analysis", method: "GET", status: "401" })).toBe(1)
    expect(count({ route: "unmatched", method: "GET", status: "404" })).toBe(1)
    expect(count({ route: "/api/v1/analysis/:id/status", status: "200" })).toBeGreaterThan(0)
    expect(JSON.stringify(requests.samples)).not.toContain(analysisId)
    expect(valueOf(families, "assay_authentication_failures_total", { kind: "access_token" })).toBe(1)
    expect(valueOf(families, "assay_authentication_failures_total", { kind: "csrf" })).toBe(0)
    expect(valueOf(families, "assay_http_requests_in_flight")).toBe(0)
    expect(valueOf(families, "assay_database_up")).toBe(1)
    expect(valueOf(families, "assay_queue_analyses", { status: "pending" })).toBe(0)
    expect(valueOf(families, "assay_queue_oldest_pending_seconds")).toBe(0)
    expect(valueOf(families, "process_resident_memory_bytes")).toBeGreaterThan(1e7)
  })

  it("measure an analysis by outcome, stage and rule", async () => {
    const families = await scrape(workerMetrics)
    expect(valueOf(families, "assay_analyses_total", { outcome: "completed", framework: "evm" })).toBe(1)
    expect(valueOf(families, "assay_analyses_total", { outcome: "failed", framework: "auto" })).toBe(0)
    for (const stage of ["fetching_source", "compilation", "static_analysis", "report_generation"]) {
      expect(valueOf(families, "assay_stage_duration_seconds_count", { stage })).toBe(1)
    }
    const rules = families.get("assay_rule_seconds_total")!.samples
    expect(rules.map(({ labels }) => labels["rule"])).toContain("evm/authorization/tx-origin")
    expect(rules.every(({ labels }) => labels["rule"]!.startsWith("evm/"))).toBe(true)
    expect(rules.reduce((sum, { value }) => sum + value, 0)).toBeGreaterThan(0)
    expect(valueOf(families, "assay_worker_claiming")).toBe(1)
    expect(valueOf(families, "assay_work_directory_free_bytes")).toBeGreaterThan(0)
  })

  it("have every metric that an alert or dashboard panel reads", async () => {
    const [ofApi, ofWorker] = [await scrape(apiMetrics), await scrape(workerMetrics)]
    const read = [...alerts(), ...dashboard()].flatMap(({ expression }) => metricsIn(expression))
    expect(read.length).toBeGreaterThan(30)
    expect(read.filter((name) => !ofApi.has(name) && !ofWorker.has(name))).toEqual([])
    expect(valueOf(ofApi, "assay_rate_limiter_fallbacks_total")).toBeGreaterThan(0)
    expect(valueOf(ofWorker, "assay_deliveries_total", { outcome: "given_up" })).toBe(0)
  })

  it("answer probes on the worker's metrics port, and serve no metrics on the API's public one", async () => {
    const status = async (url: string, method = "GET") => (await fetch(url, { method })).status
    expect(await status(`${workerMetrics}/health`)).toBe(200)
    expect(await status(`${workerMetrics}/health/ready`)).toBe(200)
    expect(await status(`${workerMetrics}/metrics`, "POST")).toBe(405)
    expect(await status(`${workerMetrics}/other`)).toBe(404)
    expect(await status(`${apiMetrics}/health`)).toBe(200)
    expect(await status(`${api.url}/metrics`)).toBe(404)
  })
})
