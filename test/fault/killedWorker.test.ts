import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Api, type Cluster, startCluster } from "../support/cluster.ts"
import { manyContracts } from "../support/manyContracts.ts"
import { type PostgresServer, startPostgres } from "../support/postgresServer.ts"

const postgres = await startPostgres()

/** Without Postgres there is no second process to take over; in CI its absence fails in `startPostgres`. */
describe.runIf(postgres !== undefined)("a worker that was killed", () => {
  const server = postgres as PostgresServer
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

  // The lease as it is, which the other tests of this folder let run out at once in a short run.
  it("is followed by another one, whose analysis has completed within 45 s", async () => {
    const repository = await cluster.git.create("killed", { branches: { main: manyContracts("killed", 3) } })
    const begun = new Promise<void>((resolve) => {
      let held = false
      cluster.git.behave("killed", (_request, _response, pass) => {
        if (held) return pass()
        held = true
        resolve()
      })
    })
    const first = cluster.startWorker()
    await cluster.submit(api, await cluster.newUser(), { repositoryUrl: repository.url })
    await begun
    await first.stop("SIGKILL")
    cluster.startWorker()
    expect(await cluster.settle(45)).toEqual({ broken: [], outcomes: { completed: 1 } })
  }, 70_000)
})
