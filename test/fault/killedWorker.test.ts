import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Api, type Cluster, startCluster } from "../support/cluster.ts"
import { manyContracts } from "../support/manyContracts.ts"
import { type PostgresServer, startPostgres } from "../support/postgresServer.ts"
import { answer, hang } from "../support/webhookReceiver.ts"

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

  // The leases as they are, which the other tests of this folder let expire at once in a short run.
  it("is replaced by another one, which completes its analysis and sends its notification within 45 s", async () => {
    const notified = await cluster.git.create("notified", { branches: { main: manyContracts("notified", 1) } })
    const repository = await cluster.git.create("killed", { branches: { main: manyContracts("killed", 3) } })
    const begun = new Promise<void>((resolve) => {
      let held = false
      cluster.git.behave("killed", (_request, _response, pass) => {
        if (held) return pass()
        held = true
        resolve()
      })
    })
    cluster.receiver.behave = hang
    const first = cluster.startWorker()
    await cluster.submit(api, await cluster.newUser(), { repositoryUrl: notified.url })
    await cluster.receiver.arrived(1)
    await cluster.submit(api, await cluster.newUser(), { repositoryUrl: repository.url })
    await begun
    await first.stop("SIGKILL")
    cluster.receiver.behave = answer(200)
    cluster.startWorker()
    expect(await cluster.settle(45)).toEqual({ broken: [], outcomes: { completed: 2 } })
  }, 70_000)
})
