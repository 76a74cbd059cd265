import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Api, type Cluster, startCluster, until } from "../support/cluster.ts"
import { manyContracts } from "../support/manyContracts.ts"
import { type LocalPostgres, startLocalPostgres } from "../support/postgresServer.ts"

const former = process.env["ASSAY_FORMER"]
if (former === undefined) {
  throw new Error(
    "ASSAY_FORMER has to name a folder with an earlier release: `git worktree add FOLDER REVISION && npm ci --prefix FOLDER`.",
  )
}

/** Milliseconds between two creations, and for how long each state of the deployment lasts. */
const [between, phase] = [150, 6_000]

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

describe("a rolling deployment from an earlier release", () => {
  let server: LocalPostgres
  let cluster: Cluster

  beforeAll(async () => {
    server = (await startLocalPostgres())!
    cluster = await startCluster(await server.createDatabase(), former)
  })
  afterAll(async () => {
    await cluster.close()
    await server.stop()
  })

  it("runs both on one database, and neither loses nor duplicates anything", async () => {
    const repositoryUrl = (await cluster.git.create("vaults", { branches: { main: manyContracts("0", 2) } })).url
    const keys: Array<string> = []
    for (let user = 0; user < 12; user++) keys.push(await cluster.former!.newUser())
    const formerApi = await cluster.former!.startApi()
    const formerWorker = cluster.former!.startWorker()
    await formerWorker.started

    /** Those that take requests. */
    let apis: ReadonlyArray<Api> = [formerApi]
    const answers = new Map<string, number>()
    const count = (answer: string) => answers.set(answer, (answers.get(answer) ?? 0) + 1)
    const made = new Map<string, string>()
    const read = (api: Api, id: string, what: string) =>
      fetch(`${api.url}/api/v1/analysis/${id}/${what}`, { headers: { authorization: `Bearer ${made.get(id)!}` } })
    let isOver = false
    const load = (async () => {
      for (let turn = 0; !isOver; turn++) {
        const apiKey = keys[turn % keys.length]!
        const repeated = { "idempotency-key": `turn-${turn}` }
        const first = await cluster.submit(apis[turn % apis.length]!, apiKey, { repositoryUrl }, repeated)
        count(`create ${first.status}`)
        // The same request to the other one.
        const second = await cluster.submit(apis[(turn + 1) % apis.length]!, apiKey, { repositoryUrl }, repeated)
        count(second.body === first.body ? "replayed" : `replay ${second.status} ${second.body}`)
        if (first.status === 201) {
          made.set((JSON.parse(first.body) as { readonly analysisId: string }).analysisId, apiKey) // our own answer
        }
        const [id] = [...made.keys()].slice(Math.floor(Math.random() * made.size))
        if (id !== undefined) {
          for (const api of apis) count(`status ${(await read(api, id, "status")).status}`)
        }
        await sleep(between)
      }
    })()
    await sleep(phase)
    // As an operator does it, with the former release at work.
    expect(await cluster.migrate()).toBe(0)
    await sleep(phase)
    const api = await cluster.startApi()
    apis = [formerApi, api]
    await sleep(phase)
    const worker = cluster.startWorker()
    await worker.started
    await sleep(phase)
    const own = cluster.former!.startWorker()
    await own.started
    await sleep(phase)
    isOver = true
    await load

    const { broken, outcomes } = await cluster.settle(60)
    console.info(Object.fromEntries(answers), outcomes)
    expect(broken).toEqual([])
    expect(outcomes).toEqual({ completed: made.size })
    expect([...answers.keys()].toSorted()).toEqual(["create 201", "replayed", "status 200"])
    // Whoever analyzed it: each reads the results of both.
    let differing = 0
    for (const id of made.keys()) {
      const texts = await Promise.all(
        apis.map(async (each) => {
          const response = await read(each, id, "result")
          expect(response.status).toBe(200)
          return response.text()
        }),
      )
      if (texts[0] !== texts[1]) differing++
    }
    expect(differing).toBe(0)

    expect(await formerWorker.stop()).toBe(0)
    expect(await own.stop()).toBe(0)
    expect(await formerApi.stop()).toBe(0)
    const last = await cluster.submit(api, keys[0]!, { repositoryUrl })
    expect(last.status).toBe(201)
    await until("the last analysis", 30, async () =>
      (await cluster.settle(30)).broken.length === 0 ? true : undefined,
    )
  })
})
