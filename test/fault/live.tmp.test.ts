import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createServer } from "node:http"
import { SqlClient } from "effect/sql/SqlClient"
import { Webhook } from "standardwebhooks"
import { startCluster, until, type Api, type Cluster, type Worker } from "../support/cluster.ts"
import { manyContracts } from "../support/manyContracts.ts"
import { metricsUrl } from "../support/metricsUrl.ts"
import { startLocalPostgres, type LocalPostgres } from "../support/postgresServer.ts"
import { startReceiver, answer, hang } from "../support/webhookReceiver.ts"
const server = (await startLocalPostgres({ settings: [] })) as LocalPostgres
let cluster: Cluster, a: Api, b: Api, w1: Worker, w2: Worker, key = ""
const keys = { ASSAY_SECRET_KEYS: `t:${Buffer.alloc(32, 7).toString("base64url")}` }
beforeAll(async () => {
  cluster = await startCluster(await server.createDatabase())
  a = await cluster.startApi(keys); b = await cluster.startApi(keys)
  w1 = cluster.startWorker(keys); w2 = cluster.startWorker(keys)
  await w1.started; await w2.started
  key = await cluster.newUser()
})
afterAll(async () => { await cluster.close(); await server.stop() })
const req = (api: Api, m: string, p: string, body?: unknown) => fetch(api.url + p, { method: m, headers: { authorization: `Bearer ${key}`, "content-type": "application/json" }, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
describe("live", () => {
  it("sse from both pods", async () => {
    const repo = await cluster.git.create("sse", { branches: { main: manyContracts("sse", 40) } })
    const { body } = await cluster.submit(a, key, { repositoryUrl: repo.url })
    const id = JSON.parse(body).analysisId
    const texts = await Promise.all([a, b].map(async (api) => (await req(api, "GET", `/api/v1/analysis/${id}/events`)).text()))
    for (const t of texts) { console.log(t.split("\n").filter((l) => l.startsWith("data")).length, t.trim().split("\n").at(-1)) }
  }, 60000)
  it("listen killed: polling, and listening again", async () => {
    const listeners = () => cluster.run(SqlClient.use((sql) => sql<{pid: number, query: string}>`SELECT pid, query FROM pg_stat_activity WHERE query ILIKE 'LISTEN%'`))
    console.log("listeners", await listeners())
    const repo = await cluster.git.create("listen", { branches: { main: manyContracts("l", 1) } })
    const run = async (what: string) => {
      const begun = performance.now()
      const { body } = await cluster.submit(a, key, { repositoryUrl: repo.url })
      const id = JSON.parse(body).analysisId
      await until(what, 20, async () => { const [r] = await cluster.run(SqlClient.use((sql) => sql<{status: string}>`SELECT status FROM analyses WHERE id = ${id}::uuid`)); return r!.status !== "pending" ? true : undefined })
      console.log(what, "claimed after", Math.round(performance.now() - begun), "ms")
      await until(what, 20, async () => { const [r] = await cluster.run(SqlClient.use((sql) => sql<{status: string}>`SELECT status FROM analyses WHERE id = ${id}::uuid`)); return r!.status === "completed" ? true : undefined })
    }
    await run("with listen"); await run("with listen")
    await cluster.run(SqlClient.use((sql) => sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query ILIKE 'LISTEN%'`))
    await run("without listen")
    await until("listening again", 40, async () => (await listeners()).length >= 4 ? true : undefined).catch((e) => console.log(String(e)))
    console.log("listeners", (await listeners()).length)
    await run("with listen again")
  }, 90000)
  it("webhooks", async () => {
    const repo = await cluster.git.create("hook", { branches: { main: manyContracts("h", 1) } })
    const s1 = (await (await req(a, "POST", "/api/v1/settings/webhook-secret")).json() as any)
    console.log("secret", Object.keys(s1), s1.secret.slice(0, 6), s1.secret.length)
    const r = await startReceiver()
    const sub = async (url: string) => JSON.parse((await cluster.submit(a, key, { repositoryUrl: repo.url, webhookUrl: url })).body).analysisId
    const t0 = performance.now()
    await sub(r.url); await r.arrived(1)
    console.log("delivered after", Math.round(performance.now() - t0))
    new Webhook(s1.secret).verify(r.received[0]!.body, r.received[0]!.headers as any)
    const s2 = (await (await req(b, "POST", "/api/v1/settings/webhook-secret")).json() as any)
    await sub(r.url); await r.arrived(2)
    new Webhook(s1.secret).verify(r.received[1]!.body, r.received[1]!.headers as any)
    new Webhook(s2.secret).verify(r.received[1]!.body, r.received[1]!.headers as any)
    console.log(r.received[1]!.headers, r.received[1]!.body)
    const gone = await startReceiver(answer(410)); const later = await startReceiver(answer(503, { "retry-after": "1000" })); const redirect = await startReceiver(answer(302, { location: "http://169.254.169.254/latest/meta-data" }))
    const ids = [await sub(gone.url), await sub(later.url), await sub(redirect.url)]
    await gone.arrived(1); await later.arrived(1); await redirect.arrived(1)
    await new Promise((x) => setTimeout(x, 500))
    for (const id of ids) console.log(JSON.stringify(await (await req(b, "GET", `/api/v1/analysis/${id}/deliveries`)).json()))
    const [d] = await (await req(b, "GET", `/api/v1/analysis/${ids[0]}/deliveries`)).json() as any
    gone.behave = answer(200)
    console.log("redeliver", (await req(a, "POST", `/api/v1/analysis/${ids[0]}/deliveries/${d.deliveryId}/redeliver`)).status)
    await gone.arrived(2)
    console.log("same id", gone.received[0]!.headers["webhook-id"] === gone.received[1]!.headers["webhook-id"])
    for (const x of [r, gone, later, redirect]) await x.close()
  }, 90000)
  it("200 hanging and one healthy through the whole system", async () => {
    const hosts = await Promise.all(Array.from({ length: 200 }, () => startReceiver(hang)))
    const healthy = await startReceiver()
    const repo = await cluster.git.create("many", { branches: { main: manyContracts("h", 1) } })
    // due at once: 200 rows by SQL from one ended analysis
    const id = JSON.parse((await cluster.submit(a, key, { repositoryUrl: repo.url, webhookUrl: healthy.url })).body).analysisId
    await healthy.arrived(1)
    const ports = hosts.map((h) => h.port)
    await cluster.run(SqlClient.use((sql) => sql`INSERT INTO deliveries (analysis_id, type, url, receiver, payload)
      SELECT analysis_id, type, 'http://127.0.0.1:' || port || '/', (SELECT user_id FROM analyses WHERE id = analysis_id) || ' 127.0.0.1:' || port, payload
      FROM deliveries, unnest(${ports}::int[]) AS port, generate_series(1, 20) WHERE analysis_id = ${id}::uuid AND status = 'delivered'`))
    const [d] = await (await req(b, "GET", `/api/v1/analysis/${id}/deliveries`)).json() as any
    const t0 = performance.now()
    const all = await (await req(b, "GET", `/api/v1/analysis/${id}/deliveries`)).json() as any
    const mine = await cluster.run(SqlClient.use((sql) => sql<{id: string}>`SELECT id FROM deliveries WHERE url = ${healthy.url}`))
    await req(a, "POST", `/api/v1/analysis/${id}/deliveries/${mine[0]!.id}/redeliver`)
    await healthy.arrived(2)
    console.log("healthy after", Math.round(performance.now() - t0), "ms")
    await new Promise((x) => setTimeout(x, 3000))
    const times = []
    for (let n = 3; n < 8; n++) { const t = performance.now(); await req(a, "POST", `/api/v1/analysis/${id}/deliveries/${mine[0]!.id}/redeliver`); await healthy.arrived(n); times.push(Math.round(performance.now() - t)); await new Promise((x) => setTimeout(x, 300)) }
    console.log("meanwhile", times, "hanging", hosts.reduce((s, h) => s + h.received.length, 0))
    await Promise.all(hosts.map((h) => h.close())); await healthy.close()
    void d; void all
  }, 90000)
})
