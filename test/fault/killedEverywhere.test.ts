import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Api, type Cluster, isFullRun, startCluster, until, type Worker } from "../support/cluster.ts"
import { manyContracts } from "../support/manyContracts.ts"
import { type LocalPostgres, startLocalPostgres } from "../support/postgresServer.ts"

const kills = isFullRun ? 200 : 6
const workerCount = 3
/** More than these wait or run at any time. */
const inFlight = isFullRun ? 16 : 8
/** Of a month's 60 scans. */
const scansOfUser = 40
const usersAtOnce = 6
const settleSeconds = isFullRun ? 240 : 90
/** Of so many workers one keeps its leases for their 30 s; those of the others run out at once, as if the clock had gone on. */
const patientEvery = 10
/** Seconds after which no further worker is killed: the verdict is on those that were. */
const killSeconds = isFullRun ? 2_400 : 90

const postgres = await startLocalPostgres({ settings: [] })

/** The moments at which a worker dies. */
const moments = ["fetching_source", "fetched", "compilation", "static_analysis", "completing", "any"] as const
type Moment = (typeof moments)[number]

describe.runIf(postgres !== undefined)(`${kills} workers killed with SIGKILL, at every stage`, () => {
  const server = postgres as LocalPostgres
  let cluster: Cluster
  let api: Api
  let repository = ""
  const workers = new Map<number, Worker>()

  const startWorker = () => {
    const worker = cluster.startWorker({ ASSAY_WORKER_CONCURRENCY: "2" })
    workers.set(worker.pid, worker)
  }

  beforeAll(async () => {
    cluster = await startCluster(await server.createDatabase())
    const branches = Array.from({ length: 40 }, (_, index) => [`b${index}`, manyContracts(`${index}`, 30)])
    const { url } = await cluster.git.create("vaults", { branches: Object.fromEntries(branches) })
    repository = url
    api = await cluster.startApi()
    for (let index = 0; index < workerCount; index++) startWorker()
  })
  afterAll(async () => {
    await cluster.close()
    await server.stop()
  })

  const users: Array<{ readonly apiKey: string; scans: number }> = []
  let next = 0
  /** Keeps the queue full, with the analyses of several users in turn. */
  const feed = async () => {
    const [row] = await cluster.run(
      SqlClient.use(
        (sql) => sql<{ count: number }>`
          SELECT count(*)::int AS count FROM analyses WHERE status IN ('pending', 'running')`,
      ),
    )
    for (let count = row!.count; count < inFlight; count++) {
      const turn = next++ % usersAtOnce
      const user = users[turn]
      if (user === undefined || user.scans === scansOfUser) users[turn] = { apiKey: await cluster.newUser(), scans: 0 }
      const { apiKey, scans } = users[turn]!
      users[turn] = { apiKey, scans: scans + 1 }
      const { status } = await cluster.submit(api, apiKey, { repositoryUrl: repository, branch: `b${next % 40}` })
      expect(status).toBe(201)
    }
  }

  interface Running {
    readonly pid: number
    readonly stage: string
    readonly poolId: string
  }

  /** What the workers that live are at. */
  const running = async (): Promise<ReadonlyArray<Running>> => {
    const rows = await cluster.run(
      SqlClient.use(
        (sql) => sql<{ worker: string; stage: string; poolId: string }>`
          SELECT worker, stage, pool_id AS "poolId" FROM analyses WHERE status = 'running' ORDER BY random()`,
      ),
    )
    return rows
      .map(({ worker, stage, poolId }) => ({ pid: Number(/-(\d+)-\w+$/.exec(worker)![1]), stage, poolId }))
      .filter(({ pid }) => workers.has(pid))
  }

  /** Between the fetch, whose repository is removed, and the first report of the engine. */
  const justFetched = (): number | undefined => {
    for (const name of existsSync(cluster.workDirectory) ? readdirSync(cluster.workDirectory) : []) {
      const pid = Number(name.split("-")[2])
      const job = join(cluster.workDirectory, name)
      if (workers.has(pid) && existsSync(join(job, "sources")) && !existsSync(join(job, "repository"))) return pid
    }
    return undefined
  }

  /**
   * Holds a pool's row, which the completion writes as well, until a worker's completing statement waits for it; kills
   * the worker then. Postgres carries the statement out without it.
   */
  const killCompleting = async (): Promise<{ readonly pid: number; readonly stage: string }> => {
    const { pid, stage, poolId } = await until("an analysis near its end", 90, async () =>
      (await running()).find(({ stage }) => stage === "static_analysis"),
    )
    const isWaiting = SqlClient.use((sql) =>
      Effect.map(
        sql`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%completed_at = now()%'`,
        (rows) => (rows.length > 0 ? true : undefined),
      ),
    )
    const hold = SqlClient.use((sql) =>
      sql.withTransaction(
        Effect.gen(function* () {
          // A transaction of ours would be ended that does nothing for 5 s.
          yield* sql`SET LOCAL idle_in_transaction_session_timeout = 0`
          yield* sql`SELECT FROM pools WHERE id = ${poolId}::uuid FOR UPDATE`
          // What waits gives up after 2 s, and is tried again.
          const waited = yield* Effect.promise(() =>
            until("the completing statement", 8, () => cluster.run(isWaiting)).catch(() => false),
          )
          workers.get(pid)!.process.kill("SIGKILL")
          return waited
        }),
      ),
    )
    return { pid, stage: (await cluster.run(hold)) ? "completing" : stage }
  }

  const killAt = async (moment: Moment): Promise<{ readonly pid: number; readonly stage: string }> => {
    if (moment === "completing") return killCompleting()
    const found = await until(`a worker at ${moment}`, 90, async () => {
      if (moment !== "fetched") return (await running()).find(({ stage }) => moment === "any" || stage === moment)
      const pid = justFetched()
      return pid === undefined ? undefined : { pid, stage: moment }
    })
    workers.get(found.pid)!.process.kill("SIGKILL")
    return found
  }

  it(
    "lose no analysis; each ends once and is charged once",
    { timeout: (killSeconds + settleSeconds + 30) * 1_000 },
    async () => {
      const killed: Record<string, number> = {}
      const since = performance.now()
      const elapsed = () => Math.round((performance.now() - since) / 1_000)
      let kill = 0
      for (; kill < kills && elapsed() < killSeconds; kill++) {
        if (kill > 0 && kill % 10 === 0) console.info(`${kill} killed after ${elapsed()} s`, killed)
        await feed()
        const { pid, stage } = await killAt(moments[kill % moments.length]!)
        killed[stage] = (killed[stage] ?? 0) + 1
        await workers.get(pid)!.ended
        workers.delete(pid)
        if (kill % patientEvery !== patientEvery - 1) await cluster.endLeases({ pid }, true)
        startWorker()
      }
      const { broken, outcomes } = await cluster.settle(settleSeconds)
      console.info(`${kill} kills in ${elapsed()} s, by stage`, killed, "analyses", outcomes, "broken promises", broken)
      expect(broken).toEqual([])
      expect(kill).toBe(kills)

      const results = await cluster.run(
        SqlClient.use(
          (sql) => sql<{ findings: number }>`
          SELECT DISTINCT total_findings::int AS findings FROM analyses WHERE status = 'completed'`,
        ),
      )
      expect(results).toEqual([{ findings: expect.any(Number) }])
      expect(results[0]!.findings).toBeGreaterThan(0)
    },
  )
})
