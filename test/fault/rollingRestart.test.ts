import { Agent, request } from "node:http"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Balancer, startBalancer } from "../support/balancer.ts"
import { type Api, type Cluster, isFullRun, startCluster, type Worker } from "../support/cluster.ts"
import { manyContracts } from "../support/manyContracts.ts"
import { type LocalPostgres, startLocalPostgres } from "../support/postgresServer.ts"

const rounds = isFullRun ? 10 : 1
/** Requests a second, whether the earlier ones have been answered or not. */
const rate = isFullRun ? 200 : 100
const tick = 50
/** One request in so many creates an analysis. */
const createEvery = 100
/** Each may read 1,000 times an hour and create 60 times. */
const userCount = isFullRun ? 60 : 8

const postgres = await startLocalPostgres()

interface Sent {
  readonly status: number | string
  readonly body: string
}

describe.runIf(postgres !== undefined)(`${rounds} rolling restarts under ${rate} requests per second`, () => {
  const server = postgres as LocalPostgres
  const agent = new Agent({ keepAlive: true, maxSockets: 32, scheduling: "fifo" })
  let cluster: Cluster
  let balancer: Balancer
  let repository = ""
  let users: ReadonlyArray<string> = []

  beforeAll(async () => {
    cluster = await startCluster(await server.createDatabase())
    balancer = await startBalancer()
    repository = (await cluster.git.create("vaults", { branches: { main: manyContracts("0", 5) } })).url
    users = await Promise.all(Array.from({ length: userCount }, () => cluster.newUser()))
  })
  afterAll(async () => {
    agent.destroy()
    await balancer.close()
    await cluster.close()
    await server.stop()
  })

  const send = (method: string, path: string, apiKey: string, body?: unknown): Promise<Sent> =>
    new Promise((resolve) => {
      const sent = request(`${balancer.url}${path}`, {
        agent,
        method,
        timeout: 20_000,
        headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      })
      sent.on("timeout", () => sent.destroy(new Error("no answer within 20 s")))
      sent.on("error", (error) => resolve({ status: String(error), body: "" }))
      sent.on("response", (response) => {
        let text = ""
        response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk))
        response.on("error", (error) => resolve({ status: String(error), body: text }))
        response.on("end", () => resolve({ status: response.statusCode!, body: text }))
      })
      sent.end(body === undefined ? undefined : JSON.stringify(body))
    })

  /** Sends until told to stop; answers with how many requests got which answer. */
  const startLoad = () => {
    const created = new Map<string, string>()
    const answers = new Map<string, number>()
    const underWay = new Set<Promise<void>>()
    let count = 0
    let creates = 0
    const one = async () => {
      const index = count++
      const create = index < users.length || index % createEvery === 0
      // In turn by themselves: the two numbers may have a common divisor.
      const apiKey = users[(create ? creates++ : index) % users.length]!
      const analysisId = created.get(apiKey)
      const sent = await (create
        ? send("POST", "/api/v1/analysis", apiKey, { repositoryUrl: repository, webhookUrl: cluster.receiver.url })
        : analysisId === undefined
          ? send("GET", "/health", apiKey)
          : send("GET", `/api/v1/analysis/${analysisId}/status`, apiKey))
      const answer = `${create ? "create" : "read"} ${sent.status}`
      answers.set(answer, (answers.get(answer) ?? 0) + 1)
      if (!create || sent.status !== 201) return
      created.set(apiKey, cluster.acknowledge(sent.body))
    }
    const begun = performance.now()
    const timer = setInterval(() => {
      while (count < ((performance.now() - begun) / 1000) * rate) {
        const sending = one().finally(() => underWay.delete(sending))
        underWay.add(sending)
      }
    }, tick)
    return async () => {
      clearInterval(timer)
      const seconds = (performance.now() - begun) / 1000
      await Promise.all(underWay)
      return { answers: Object.fromEntries(answers), rate: count / seconds, seconds }
    }
  }

  it("answer every request and lose no analysis", { timeout: 120_000 + rounds * 60_000 }, async () => {
    const startApi = async () => {
      const api = await cluster.startApi({ ASSAY_DRAIN_DELAY: "1 second" })
      await balancer.add(api.port)
      return api
    }
    const startWorker = async () => {
      const worker = cluster.startWorker({ ASSAY_WORKER_CONCURRENCY: "1" })
      await worker.started
      return worker
    }
    const apis: Array<Api> = await Promise.all([startApi(), startApi()])
    const workers: Array<Worker> = await Promise.all([startWorker(), startWorker()])
    const stopLoad = startLoad()

    for (let round = 0; round < rounds; round++) {
      for (let index = 0; index < 2; index++) {
        const [oldApi, oldWorker] = [apis[index]!, workers[index]!]
        apis[index] = await startApi()
        expect(await oldApi.stop()).toBe(0)
        balancer.remove(oldApi.port)
        workers[index] = await startWorker()
        expect(await oldWorker.stop()).toBe(0)
      }
    }

    const load = await stopLoad()
    const { broken, outcomes } = await cluster.settle(60)
    console.info(`${load.rate.toFixed(0)} requests a second for ${load.seconds.toFixed(0)} s`, load.answers, outcomes)
    expect(broken).toEqual([])
    expect(Object.keys(load.answers).toSorted()).toEqual(["create 201", "read 200"])
    expect(load.rate).toBeGreaterThan(rate * 0.9)
    expect(outcomes).toEqual({ completed: load.answers["create 201"] })
  })
})
