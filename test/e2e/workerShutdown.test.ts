import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Api, type Cluster, startCluster, until } from "../support/cluster.ts"
import { metricsUrl } from "../support/metricsUrl.ts"
import { startLocalPostgres, type LocalPostgres } from "../support/postgresServer.ts"
import type { Program } from "../support/program.ts"

const contract = "pragma solidity 0.8.26;\ncontract A { function f() external {} }\n"

const postgres = await startLocalPostgres()

const status = async (url: string): Promise<number> => (await fetch(url)).status

/** Without Postgres there are no workers of their own; in CI its absence fails in `startLocalPostgres`. */
describe.runIf(postgres !== undefined)("a worker that is told to stop", () => {
  const server = postgres as LocalPostgres
  let cluster: Cluster
  let api: Api
  let apiKey = ""

  beforeAll(async () => {
    cluster = await startCluster(await server.createDatabase())
    api = await cluster.startApi()
    apiKey = await cluster.newUser()
  })
  afterAll(async () => {
    await cluster.close()
    await server.stop()
  })

  const row = async (analysisId: string) => {
    const [found] = await cluster.run(
      Effect.flatMap(
        SqlClient,
        (sql) => sql<{ status: string; attempts: number }>`
          SELECT status, attempts::int AS attempts FROM analyses WHERE id = ${analysisId}::uuid`,
      ),
    )
    return found
  }

  /** Submits an analysis whose fetch waits until `release`; resolves once a worker asked for it. */
  const heldAnalysis = async (name: string, startWorker: () => void) => {
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    const repository = await cluster.git.create(name, { branches: { main: { "A.sol": contract } } })
    const begun = new Promise<void>((resolve) => {
      cluster.git.behave(name, (_request, _response, pass) => {
        resolve()
        void released.then(pass)
      })
    })
    startWorker()
    const created = await cluster.submit(api, apiKey, { repositoryUrl: repository.url })
    expect(created.status).toBe(201)
    await begun
    return { analysisId: cluster.acknowledged.at(-1)!, release }
  }

  it("finishes a running analysis while not ready and no longer claiming, and exits with 0", async () => {
    let worker!: Program
    const { analysisId, release } = await heldAnalysis("finishing", () => {
      worker = cluster.startWorker({ ASSAY_WORKER_CONCURRENCY: "1" })
    })
    const metrics = await metricsUrl(worker)
    expect(await status(`${metrics}/health/ready`)).toBe(200)
    const ended = worker.stop("SIGTERM")
    await until("the drain", 10, async () => ((await status(`${metrics}/health/ready`)) === 503 ? true : undefined))
    expect(await status(`${metrics}/health`)).toBe(200)
    const waiting = await cluster.git.create("waiting", { branches: { main: { "A.sol": contract } } })
    await cluster.submit(api, apiKey, { repositoryUrl: waiting.url })
    release()
    expect(await ended).toBe(0)
    expect(await row(analysisId)).toEqual({ status: "completed", attempts: 1 })
    expect(await row(cluster.acknowledged.at(-1)!)).toEqual({ status: "pending", attempts: 0 })
    await cluster.run(Effect.flatMap(SqlClient, (sql) => sql`TRUNCATE analyses CASCADE`))
    await cluster.run(Effect.flatMap(SqlClient, (sql) => sql`UPDATE pools SET waiting = 0, running = 0`))
  })

  /** Takes over what another one hands back, and is told twice to stop. */
  let next!: Program

  it("hands back what has not finished within the grace period without using up its attempt, and another worker takes over", async () => {
    let worker!: Program
    const { analysisId, release } = await heldAnalysis("handed-back", () => {
      worker = cluster.startWorker({ ASSAY_GRACE_PERIOD: "200 millis" })
    })
    expect(await worker.stop("SIGTERM")).toBe(0)
    expect(await row(analysisId)).toEqual({ status: "pending", attempts: 0 })
    release()
    next = cluster.startWorker({ ASSAY_GRACE_PERIOD: "10 minutes" })
    await until("the analysis's end", 20, async () =>
      (await row(analysisId))?.status === "completed" ? true : undefined,
    )
    expect(await row(analysisId)).toEqual({ status: "completed", attempts: 1 })
  })

  it("exits immediately on a second signal", async () => {
    const { release } = await heldAnalysis("at-once", () => {})
    const metrics = await metricsUrl(next)
    const ended = next.stop("SIGTERM")
    await until("the drain", 10, async () => ((await status(`${metrics}/health/ready`)) === 503 ? true : undefined))
    // Signals that come together are one; the drain lasts ten minutes.
    const again = setInterval(() => next.process.kill("SIGTERM"), 100)
    expect(await ended).toBe(143)
    clearInterval(again)
    release()
  })

  it("answers scrapes and liveness probes while the database is unavailable, becomes ready when it is back, and exits without delay when idle", async () => {
    const worker = cluster.startWorker({ ASSAY_GRACE_PERIOD: "10 minutes" })
    const metrics = await metricsUrl(worker)
    const scraped = async () => (await fetch(`${metrics}/metrics`)).text()
    await until("readiness", 20, async () => ((await status(`${metrics}/health/ready`)) === 200 ? true : undefined))
    expect(await scraped()).toContain("\nassay_database_up 1\n")
    await server.crash()
    await until("the outage in the metrics", 20, async () =>
      (await scraped()).includes("\nassay_database_up 0\n") ? true : undefined,
    )
    expect(await scraped()).not.toContain("assay_queue_analyses{")
    expect(await status(`${metrics}/health/ready`)).toBe(503)
    expect(await status(`${metrics}/health`)).toBe(200)
    await server.start()
    await until("readiness", 30, async () => ((await status(`${metrics}/health/ready`)) === 200 ? true : undefined))
    expect(await worker.stop("SIGTERM")).toBe(0)
  }, 60_000)
})
