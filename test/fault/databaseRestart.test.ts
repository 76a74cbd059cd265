import { randomUUID } from "node:crypto"
import { SqlClient } from "effect/sql/SqlClient"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Api, type Cluster, isFullRun, startCluster, until } from "../support/cluster.ts"
import { manyContracts } from "../support/manyContracts.ts"
import { type LocalPostgres, startLocalPostgres } from "../support/postgresServer.ts"

const crashes = isFullRun ? 20 : 2
/** At the same time, each with its next request when the last one was answered. */
const clients = 8
const workerCount = 2

// What is committed must survive a crash of the server's processes, so `synchronous_commit` stays on.
const postgres = await startLocalPostgres({ settings: ["fsync=off"] })

describe.runIf(postgres !== undefined)(`Postgres stopped with -m immediate ${crashes} times under load`, () => {
  const server = postgres as LocalPostgres
  let cluster: Cluster
  let api: Api
  let repository = ""

  beforeAll(async () => {
    cluster = await startCluster(await server.createDatabase())
    const branches = Array.from({ length: 10 }, (_, index) => [`b${index}`, manyContracts(`${index}`, 10)])
    repository = (await cluster.git.create("vaults", { branches: Object.fromEntries(branches) })).url
    api = await cluster.startApi()
    for (let index = 0; index < workerCount; index++) cluster.startWorker({ ASSAY_WORKER_CONCURRENCY: "1" })
  })
  afterAll(async () => {
    await cluster.close()
    await server.stop()
  })

  /** Statuses, with the error's code where there is one, and how often each was the answer. */
  const answers = new Map<string, number>()
  const note = (kind: string, status: number, body: string) => {
    const code = status < 400 ? "" : ` ${(JSON.parse(body) as { error?: { code?: string } }).error?.code}`
    const answer = `${kind} ${status}${code}`
    answers.set(answer, (answers.get(answer) ?? 0) + 1)
  }

  const refusals = () => ["create", "read"].map((kind) => answers.get(`${kind} 503 SERVICE_UNAVAILABLE`) ?? 0)

  const ready = async (status: number) =>
    (await fetch(`${api.url}/health/ready`).then(async (response) => (await response.text(), response.status))) ===
    status
      ? true
      : undefined

  it(
    "loses nothing that was acknowledged, returns 503 meanwhile, and resumes by itself",
    {
      timeout: 120_000 + crashes * 20_000,
    },
    async () => {
      let isOver = false
      let isDown = false
      let users = 0
      /** Milliseconds that any create waited for its answer. */
      let slowest = 0
      /** Creates, every other time with a key and again until it is acknowledged, and reads its status in between. */
      const client = async () => {
        let apiKey = ""
        let analysisId: string | undefined
        let creates = Infinity
        const read = async () => {
          const response = await fetch(`${api.url}/api/v1/analysis/${analysisId}/status`, {
            headers: { authorization: `Bearer ${apiKey}` },
          })
          note("read", response.status, await response.text())
          await new Promise((resolve) => setTimeout(resolve, 200))
        }
        for (let scan = 0; !isOver; scan++) {
          // Behind the service, on the same server; one may create 60 times an hour, refused creates included.
          // In an outage it goes on with whom it has.
          while (creates >= (isDown ? 55 : 30)) {
            const created = isDown ? undefined : await cluster.newUser().catch(() => undefined)
            if (created !== undefined) {
              apiKey = created
              analysisId = undefined
              creates = 0
              users++
              break
            }
            await new Promise((resolve) => setTimeout(resolve, 50))
          }
          const submission = { repositoryUrl: repository, branch: `b${scan % 10}` }
          const headers = scan % 2 === 0 ? {} : { "idempotency-key": randomUUID() }
          let isCreated = false
          do {
            creates++
            const since = performance.now()
            const { status, body } = await cluster.submit(api, apiKey, submission, headers)
            note("create", status, body)
            slowest = Math.max(slowest, performance.now() - since)
            isCreated = status === 201
            if (isCreated) analysisId = (JSON.parse(body) as { readonly analysisId: string }).analysisId
            else {
              if (analysisId !== undefined) await read()
              await new Promise((resolve) => setTimeout(resolve, 500))
            }
          } while (!isCreated && !isOver && scan % 2 === 1)
          for (let reads = 0; reads < 5 && isCreated; reads++) await read()
        }
      }
      const load = Promise.all(Array.from({ length: clients }, client))

      await until("work on every worker", 60, async () => {
        const [row] = await cluster.run(
          SqlClient.use((sql) => sql<{ workers: number }>`SELECT count(DISTINCT worker)::int AS workers FROM analyses`),
        )
        return row!.workers === workerCount ? true : undefined
      })

      let longest = 0
      for (let crash = 0; crash < crashes; crash++) {
        const before = cluster.acknowledged.length
        await until("creates before the crash", 60, async () =>
          cluster.acknowledged.length >= before + clients ? true : undefined,
        )
        isDown = true
        await server.crash()
        await until("the API saying that it is not ready", 30, () => ready(503))
        const refused = refusals()
        await until("creates and reads during the outage", 40, async () =>
          refusals().every((count, kind) => count > refused[kind]!) ? true : undefined,
        )
        await server.start()
        const startedAt = performance.now()
        isDown = false
        await until("the API saying that it is ready", 30, () => ready(200))
        longest = Math.max(longest, performance.now() - startedAt)
      }
      const acknowledged = cluster.acknowledged.length
      await until("creates after the last crash", 60, async () =>
        cluster.acknowledged.length >= acknowledged + clients ? true : undefined,
      )
      isOver = true
      await load

      const { broken, outcomes } = await cluster.settle(90)
      console.info(
        `${crashes} crashes, ${users} users, ready again ${Math.round(longest)} ms after the database at the latest, slowest create ${Math.round(slowest)} ms`,
        Object.fromEntries([...answers].toSorted()),
        outcomes,
      )
      expect(broken).toEqual([])
      expect([...answers.keys()].toSorted()).toEqual([
        "create 201",
        "create 503 SERVICE_UNAVAILABLE",
        "read 200",
        "read 503 SERVICE_UNAVAILABLE",
      ])
      expect(outcomes["failed"] ?? 0).toBe(0)
    },
  )
})
