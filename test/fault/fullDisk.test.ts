import { randomBytes } from "node:crypto"
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, rmSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SqlClient } from "effect/sql/SqlClient"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Api, type Cluster, startCluster, until, type Worker } from "../support/cluster.ts"
import { manyContracts } from "../support/manyContracts.ts"
import { type LocalPostgres, startLocalPostgres } from "../support/postgresServer.ts"
import { canMountSmallDisk, onSmallDisk } from "../support/smallDisk.ts"

const megabyte = 1024 * 1024
const canMount = canMountSmallDisk()
if (!canMount) console.warn("Full disks are not tested here: this system lets nobody mount a file system of their own")
const roomOnDisk = mkdtempSync(join(tmpdir(), "assay-small-disk-"))
const tables = mkdtempSync(join(tmpdir(), "assay-tables-"))

let serverDisk = ""
const postgres = canMount
  ? await startLocalPostgres({
      wrapper: (user) => onSmallDisk(tables, "40m", user),
      onStart: (pid) => (serverDisk = `/proc/${pid}/root${tables}`),
    })
  : undefined

/** Writes a file until nothing more fits. */
const fill = (path: string) => {
  const file = openSync(path, "w")
  for (let size = megabyte; size >= 1024;) {
    try {
      writeSync(file, Buffer.alloc(size, 1))
    } catch {
      size /= 2
    }
  }
  closeSync(file)
}

describe.runIf(postgres !== undefined)("full disks", () => {
  const server = postgres as LocalPostgres
  let cluster: Cluster
  let api: Api

  beforeAll(async () => {
    const url = await server.createDatabase()
    const maintenance = new URL(url)
    maintenance.pathname = "/postgres"
    await server.execute(maintenance.href, `CREATE TABLESPACE small LOCATION '${tables}'`)
    await server.execute(maintenance.href, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET TABLESPACE small`)
    cluster = await startCluster(url)
    api = await cluster.startApi()
  })
  afterAll(async () => {
    await cluster.close()
    await server.stop()
    for (const directory of [roomOnDisk, tables]) rmSync(directory, { recursive: true, force: true })
  })

  /** A worker whose work directory has so much room, and the directory as this process sees it. */
  const startWorker = async (size: string): Promise<readonly [Worker, string]> => {
    const worker = cluster.startWorker(
      { ASSAY_WORK_DIR: roomOnDisk, ASSAY_WORKER_CONCURRENCY: "2" },
      onSmallDisk(roomOnDisk, size),
    )
    await worker.started
    return [worker, `/proc/${worker.pid}/root${roomOnDisk}`]
  }

  const submit = async (apiKey: string, repositoryUrl: string): Promise<string> => {
    const { status, body } = await cluster.submit(api, apiKey, { repositoryUrl })
    expect(status).toBe(201)
    return (JSON.parse(body) as { readonly analysisId: string }).analysisId
  }

  const row = async (analysisId: string) => {
    const [found] = await cluster.run(
      SqlClient.use(
        (sql) => sql<{ status: string; stage: string; attempts: number; failure: string | null }>`
          SELECT status, stage, attempts::int AS attempts, failure FROM analyses WHERE id = ${analysisId}::uuid`,
      ),
    )
    return found!
  }

  const leftOver = (disk: string) => readdirSync(disk).filter((name) => name.startsWith("job-"))

  it(
    "fail only the analysis that does not fit, with a clear message and in its stage",
    {
      timeout: 60_000,
    },
    async () => {
      const random = () => `// ${randomBytes(700_000).toString("hex")}\ncontract A {}\n`
      const large = await cluster.git.create("large", {
        branches: { main: Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`A${index}.sol`, random()])) },
      })
      const small = await cluster.git.create("small", { branches: { main: manyContracts("small", 3) } })
      const [worker, disk] = await startWorker("4m")
      const apiKey = await cluster.newUser()
      const tooLarge = await submit(apiKey, large.url)
      const others = [await submit(apiKey, small.url), await submit(await cluster.newUser(), small.url)]

      const { broken } = await cluster.settle(50)
      expect(broken).toEqual([])
      expect(await row(tooLarge)).toEqual({
        status: "failed",
        stage: "fetching_source",
        attempts: 3,
        failure: "The worker has no disk space left. Retry later.",
      })
      for (const other of others) expect((await row(other)).status).toBe("completed")
      expect(leftOver(disk)).toEqual([])
      expect(await worker.stop()).toBe(0)
    },
  )

  it("let an analysis finish at a later attempt, once there is space again", { timeout: 60_000 }, async () => {
    const repository = await cluster.git.create("patient", { branches: { main: manyContracts("patient", 3) } })
    const [worker, disk] = await startWorker("16m")
    await until("the work directory", 10, async () => (existsSync(disk) ? true : undefined))
    fill(join(disk, "full"))
    const analysisId = await submit(await cluster.newUser(), repository.url)
    await until("the first attempt's failure", 20, async () => {
      const { status, attempts } = await row(analysisId)
      return status === "pending" && attempts === 1 ? true : undefined
    })
    expect(leftOver(disk)).toEqual([])
    rmSync(join(disk, "full"))

    const { broken } = await cluster.settle(30)
    expect(broken).toEqual([])
    expect(await row(analysisId)).toMatchObject({ status: "completed", attempts: 2 })
    expect(await worker.stop()).toBe(0)
  })

  it(
    "answer creates with 503 while Postgres is out of space, lose nothing acknowledged, and recover by themselves",
    {
      timeout: 90_000,
    },
    async () => {
      const repository = await cluster.git.create("stored", { branches: { main: manyContracts("stored", 3) } })
      const worker = cluster.startWorker({ ASSAY_WORKER_CONCURRENCY: "1" })
      await worker.started
      const users = await Promise.all(Array.from({ length: 10 }, () => cluster.newUser()))
      const known = await submit(users[0]!, repository.url)
      fill(join(serverDisk, "full"))

      let creates = 0
      const refused = await until("a refused create", 60, async () => {
        const answer = await cluster.submit(api, users[creates++ % users.length]!, { repositoryUrl: repository.url })
        return answer.status === 201 ? undefined : answer
      })
      expect(refused.status).toBe(503)
      expect(JSON.parse(refused.body)).toMatchObject({ error: { code: "SERVICE_UNAVAILABLE" } })
      const read = await fetch(`${api.url}/api/v1/analysis/${known}/status`, {
        headers: { authorization: `Bearer ${users[0]!}` },
      })
      expect(read.status).toBe(200)

      rmSync(join(serverDisk, "full"))
      await submit(users[0]!, repository.url)
      const { broken, outcomes } = await cluster.settle(60)
      console.info(`${creates} creates until the tables were full`, outcomes)
      expect(broken).toEqual([])
      expect(outcomes["failed"]).toBe(1)
    },
  )
})
