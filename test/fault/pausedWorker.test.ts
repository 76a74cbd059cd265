import { SqlClient } from "effect/sql/SqlClient"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Api, type Cluster, isFullRun, startCluster, until, type Worker } from "../support/cluster.ts"
import { manyContracts } from "../support/manyContracts.ts"
import { type LocalPostgres, startLocalPostgres } from "../support/postgresServer.ts"

/** Workers paused at the same time, half of them while they fetch, half while they examine. */
const paused = isFullRun ? 8 : 2

const postgres = await startLocalPostgres()

describe.runIf(postgres !== undefined)(`${paused} workers paused past their lease with SIGSTOP`, () => {
  const server = postgres as LocalPostgres
  let cluster: Cluster
  let api: Api

  beforeAll(async () => {
    cluster = await startCluster(await server.createDatabase())
    api = await cluster.startApi()
  })
  afterAll(async () => {
    await cluster.close()
    await server.stop()
  })

  /** Every row that a worker writes, whole. */
  const everything = () =>
    cluster.run(
      SqlClient.use(
        (sql) => sql<{ row: string }>`
          SELECT to_jsonb(analyses)::text AS row FROM analyses
          UNION ALL SELECT to_jsonb(analysis_results)::text FROM analysis_results
          UNION ALL SELECT to_jsonb(pools)::text FROM pools
          UNION ALL SELECT to_jsonb(deliveries)::text FROM deliveries
          UNION ALL SELECT to_jsonb(delivery_attempts)::text FROM delivery_attempts
          UNION ALL SELECT to_jsonb(ledger)::text FROM ledger
          ORDER BY 1`,
      ),
    )

  const stageOf = async (analysisId: string) => {
    const [row] = await cluster.run(
      SqlClient.use((sql) => sql<{ stage: string }>`SELECT stage FROM analyses WHERE id = ${analysisId}::uuid`),
    )
    return row?.stage
  }

  const submit = async (name: string): Promise<string> => {
    const { status, body } = await cluster.submit(api, await cluster.newUser(), {
      repositoryUrl: `${cluster.git.host}/test/${name}`,
    })
    expect(status).toBe(201)
    return (JSON.parse(body) as { readonly analysisId: string }).analysisId
  }

  /** Holds the first request for a repository; `answer` tells its client, much later, that there is none. */
  const holdFirst = (name: string) => {
    let answer = () => {}
    const begun = new Promise<void>((resolve) => {
      let held = false
      cluster.git.behave(name, (_request, response, pass) => {
        if (held) return pass()
        held = true
        answer = () => void response.writeHead(404).end()
        resolve()
      })
    })
    return { begun, answer: () => answer() }
  }

  it(
    "write nothing when they resume: the other worker's result stands, for one scan",
    { timeout: 120_000 + paused * 20_000 },
    async () => {
      const sleepers: Array<Worker> = []
      const answers: Array<() => void> = []
      for (let index = 0; index < paused; index++) {
        const name = `paused-${index}`
        const isHeld = index % 2 === 0
        await cluster.git.create(name, { branches: { main: manyContracts(name, isHeld ? 3 : 60) } })
        const held = isHeld ? holdFirst(name) : undefined
        const worker = cluster.startWorker({ ASSAY_WORKER_CONCURRENCY: "1" })
        const analysisId = await submit(name)
        const examined = () =>
          until("the examination", 30, async () =>
            (await stageOf(analysisId)) === "static_analysis" ? true : undefined,
          )
        await (held === undefined ? examined() : held.begun)
        worker.process.kill("SIGSTOP")
        await cluster.endLeases(worker)
        sleepers.push(worker)
        if (held !== undefined) answers.push(held.answer)
      }

      const rescuers = Array.from({ length: Math.ceil(paused / 4) }, () =>
        cluster.startWorker({ ASSAY_WORKER_CONCURRENCY: "1" }),
      )
      const { broken, outcomes } = await cluster.settle(120)
      expect(broken).toEqual([])
      expect(outcomes).toEqual({ completed: paused })
      await Promise.all(rescuers.map((worker) => worker.stop()))

      const before = await everything()
      for (const worker of sleepers) worker.process.kill("SIGCONT")
      for (const answer of answers) answer()
      await Promise.all(sleepers.map((worker) => worker.errorLine(/lease lost, analysis dropped/)))
      expect(await everything()).toEqual(before)

      await cluster.git.create("afterwards", { branches: { main: manyContracts("afterwards", 3) } })
      await submit("afterwards")
      expect(await cluster.settle(30)).toEqual({ broken: [], outcomes: { completed: paused + 1 } })
    },
  )
})
