import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { PgClient } from "@effect/sql-pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { migrate } from "../../adapters/sql/migrate.ts"
import * as SqlIdentities from "../../adapters/sql/SqlIdentities.ts"
import { issueApiKey } from "../../application/identity/issueApiKey.ts"
import { Identities } from "../../application/ports/Identities.ts"
import { type GitServer, startGitServer } from "../support/gitServer.ts"
import { type PostgresServer, startPostgres } from "../support/postgresServer.ts"
import { jsonOf, type Program, type Service, startProgram, waitFor } from "../support/program.ts"

const contract = "pragma solidity 0.8.26;\ncontract A { function f() external { require(tx.origin == msg.sender); } }\n"

const postgres = await startPostgres()

/** Without Postgres there is no second process to take over; in CI its absence fails in `startPostgres`. */
describe.runIf(postgres !== undefined)("workers against Postgres", () => {
  const server = postgres as PostgresServer
  const work = mkdtempSync(join(tmpdir(), "assay-fault-"))
  let git: GitServer
  let database = ""
  let apiKey = ""
  let api: Program & Pick<Service, "request">
  const workers: Array<Program> = []

  const onDatabase = <A, E>(effect: Effect.Effect<A, E, SqlClient | Identities>) =>
    Effect.runPromise(
      effect.pipe(
        Effect.provide(SqlIdentities.layer.pipe(Layer.provideMerge(PgClient.layer({ url: Redacted.make(database) })))),
      ),
    )

  const environment = () => ({
    DATABASE_URL: database,
    ASSAY_ALLOWED_HOSTS: git.host,
    ASSAY_WORK_DIR: join(work, "jobs"),
    ASSAY_WORKER_CONCURRENCY: "1",
    ASSAY_GRACE_PERIOD: "1 second",
  })

  const startWorker = (): Program => {
    const worker = startProgram("worker/main.ts", [], environment())
    workers.push(worker)
    return worker
  }

  beforeAll(async () => {
    git = await startGitServer()
    database = await server.createDatabase()
    await onDatabase(migrate)
    apiKey = await onDatabase(
      Effect.gen(function* () {
        const userId = yield* (yield* Identities).createUser("someone@example.com", "pro")
        const issued = yield* issueApiKey({
          userId,
          name: "test",
          scopes: ["analysis:read", "analysis:write"],
          expiresAt: undefined,
        })
        return issued.apiKey
      }),
    )
    const program = startProgram("api/main.ts", [], { ...environment(), PORT: "0" })
    const url = /"(http:[^"]+)"/.exec(await program.errorLine(/API listens/))![1]!
    api = {
      ...program,
      request: (method, path, body) =>
        fetch(url + path, {
          method,
          headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        }),
    }
  })
  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.stop("SIGKILL")))
    expect(await api.stop()).toBe(0)
    await git.close()
    await server.stop()
    rmSync(work, { recursive: true, force: true })
  })

  /** Holds the first fetch of a repository; `begun` resolves when a worker asks for it. */
  const holdFirst = (name: string) =>
    new Promise<void>((begun) => {
      let held = false
      git.behave(name, (_request, _response, pass) => {
        if (held) return pass()
        held = true
        begun()
      })
    })

  const submit = async (name: string): Promise<string> => {
    const repository = await git.create(name, { branches: { main: { "A.sol": contract } } })
    const created = await api.request("POST", "/api/v1/analysis", { repositoryUrl: repository.url })
    expect(created.status).toBe(201)
    return (await jsonOf<{ readonly analysisId: string }>(created)).analysisId
  }

  it("finish an analysis whose worker was killed, once and for one scan, within 45 s", async () => {
    const begun = holdFirst("killed")
    const first = startWorker()
    const analysisId = await submit("killed")
    await begun
    const killedAt = Date.now()
    await first.stop("SIGKILL")
    startWorker()
    const { status, progress } = await waitFor(api, analysisId, 45)
    expect({ status, progress }).toEqual({ status: "completed", progress: 100 })
    expect(Date.now() - killedAt).toBeLessThan(45_000)

    const used = await onDatabase(
      Effect.flatMap(SqlClient, (sql) => sql<{ used: number }>`SELECT used::int AS used FROM pools`),
    )
    expect(used).toEqual([{ used: 1 }])
    const results = await onDatabase(
      Effect.flatMap(SqlClient, (sql) => sql<{ n: number }>`SELECT count(*)::int AS n FROM analysis_results`),
    )
    expect(results).toEqual([{ n: 1 }])
  }, 70_000)

  it("hand a running analysis back on SIGTERM without using up its attempt, and exit with 0", async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop()))
    const begun = holdFirst("handed-back")
    const first = startWorker()
    const analysisId = await submit("handed-back")
    await begun
    expect(await first.stop("SIGTERM")).toBe(0)
    const [row] = await onDatabase(
      Effect.flatMap(
        SqlClient,
        (sql) => sql<{ status: string; attempts: number }>`
          SELECT status, attempts::int AS attempts FROM analyses WHERE id = ${analysisId}`,
      ),
    )
    expect(row).toEqual({ status: "pending", attempts: 0 })
    startWorker()
    expect((await waitFor(api, analysisId, 20)).status).toBe("completed")
  }, 60_000)
})
