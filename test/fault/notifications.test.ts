import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PgClient } from "@effect/sql-pg"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { Webhook } from "standardwebhooks"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { migrate } from "../../adapters/sql/migrate.ts"
import * as SqlAccounts from "../../adapters/sql/identity/SqlAccounts.ts"
import { issueApiKey } from "../../application/identity/issueApiKey.ts"
import { Accounts } from "../../application/ports/identity/Accounts.ts"
import { scopes } from "../../domain/identity/Caller.ts"
import { type GitServer, startGitServer } from "../support/gitServer.ts"
import { type PostgresServer, startPostgres } from "../support/postgresServer.ts"
import { jsonOf, type Program, startProgram, startService } from "../support/program.ts"
import { answer, hang, type Receiver, startReceiver } from "../support/webhookReceiver.ts"

const contract = "pragma solidity 0.8.26;\ncontract A { function f() external { require(tx.origin == msg.sender); } }\n"

interface Delivery {
  readonly deliveryId: string
  readonly status: string
  readonly attempts: ReadonlyArray<{ readonly statusCode?: number; readonly error?: string }>
}
type Request = (method: string, path: string, body?: unknown) => Promise<Response>

const deliveriesOf = async (request: Request, analysisId: string) =>
  jsonOf<ReadonlyArray<Delivery>>(await request("GET", `/api/v1/analysis/${analysisId}/deliveries`))

const delivered = async (request: Request, analysisId: string): Promise<void> => {
  await expect
    .poll(async () => (await deliveriesOf(request, analysisId))[0]?.status, { timeout: 20_000, interval: 100 })
    .toBe("delivered")
}

const newSecret = async (request: Request) =>
  (await jsonOf<{ readonly secret: string }>(await request("POST", "/api/v1/settings/webhook-secret"))).secret

const verify = (secret: string, { received }: Receiver, index = 0) =>
  // Their type has lists for headers that may come twice; these three do not.
  new Webhook(secret).verify(received[index]!.body, received[index]!.headers as Record<string, string>)

let git: GitServer
const directory = mkdtempSync(join(tmpdir(), "assay-notifications-"))
beforeAll(async () => {
  git = await startGitServer()
})
afterAll(async () => {
  await git.close()
  rmSync(directory, { recursive: true, force: true })
})

const submit = async (request: Request, name: string, webhookUrl: string): Promise<string> => {
  const repository = await git.create(name, { branches: { main: { "A.sol": contract } } })
  const created = await request("POST", "/api/v1/analysis", { repositoryUrl: repository.url, webhookUrl })
  expect(created.status).toBe(201)
  return (await jsonOf<{ readonly analysisId: string }>(created)).analysisId
}

const environment = () => ({
  ASSAY_ALLOWED_HOSTS: git.host,
  ASSAY_ALLOW_PRIVATE_WEBHOOKS: "true",
  ASSAY_WORK_DIR: join(directory, "jobs"),
  ASSAY_WORKER_CONCURRENCY: "1",
  METRICS_PORT: "0",
})

describe("npm start", () => {
  it("sends signed notifications, and refuses private addresses unless they are allowed", async () => {
    const receiver = await startReceiver()
    const service = await startService(join(directory, "data"), environment())
    const secret = await newSecret(service.request)
    const analysisId = await submit(service.request, "embedded", receiver.url)
    await receiver.arrived(1)
    expect(verify(secret, receiver)).toMatchObject({ type: "analysis.completed", data: { analysisId } })
    await delivered(service.request, analysisId)
    expect(await service.stop()).toBe(0)
    await receiver.close()

    const guarded = await startService(join(directory, "guarded"), {
      ...environment(),
      ASSAY_ALLOW_PRIVATE_WEBHOOKS: "false",
    })
    const refused = await guarded.request("POST", "/api/v1/analysis", {
      repositoryUrl: `http://${git.host}/x/y`,
      webhookUrl: receiver.url,
    })
    expect(refused.status).toBe(400)
    expect(await refused.text()).toContain("webhookUrl")
    await guarded.stop()
  }, 90_000)
})

const postgres = await startPostgres()

/** Without Postgres there is no second process; in CI its absence fails in `startPostgres`. */
describe.runIf(postgres !== undefined)("separate API and worker processes", () => {
  const server = postgres as PostgresServer
  let database = ""
  let request: Request
  let api: Program
  let secret = ""
  const workers: Array<Program> = []

  const onDatabase = <A, E>(effect: Effect.Effect<A, E, SqlClient | Accounts>) =>
    Effect.runPromise(
      effect.pipe(
        Effect.provide(SqlAccounts.layer.pipe(Layer.provideMerge(PgClient.layer({ url: Redacted.make(database) })))),
      ),
    )

  const shared = () => ({
    ...environment(),
    DATABASE_URL: database,
    ASSAY_SECRET_KEYS: `test:${Buffer.alloc(32, 7).toString("base64url")}`,
  })

  const startWorker = (): Program => {
    const worker = startProgram("worker/main.ts", [], shared())
    workers.push(worker)
    return worker
  }

  beforeAll(async () => {
    database = await server.createDatabase()
    await onDatabase(migrate)
    const apiKey = await onDatabase(
      Effect.gen(function* () {
        const userId = yield* (yield* Accounts).createUser("someone@example.com", "pro")
        return (yield* issueApiKey({ userId, name: "test", scopes, expiresAt: undefined })).apiKey
      }),
    )
    api = startProgram("api/main.ts", [], { ...shared(), PORT: "0" })
    const url = /"(http:[^"]+)"/.exec(await api.errorLine(/API server started/))![1]!
    request = (method, path, body) =>
      fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
    secret = await newSecret(request)
  }, 60_000)
  afterAll(async () => {
    await Promise.all(workers.map((worker) => worker.stop("SIGKILL")))
    await api.stop()
    await server.stop()
  })

  it("stream progress from the API while a worker runs the job, and notify", async () => {
    const receiver = await startReceiver()
    startWorker()
    const analysisId = await submit(request, "streamed", receiver.url)
    const stream = await request("GET", `/api/v1/analysis/${analysisId}/events`)
    expect(stream.headers.get("content-type")).toBe("text/event-stream")
    const events = (await stream.text())
      .split("\n")
      .filter((line) => line.startsWith("data: "))
      .map((line) => JSON.parse(line.slice(6)))
    expect(events.at(-1)).toEqual({ analysisId, status: "completed", progress: 100, currentStage: "completed" })
    const progress = events.map((event) => event.progress)
    expect(progress).toEqual(progress.toSorted((a, b) => a - b))
    await receiver.arrived(1)
    expect(verify(secret, receiver)).toMatchObject({ data: { analysisId, status: "completed" } })
    await delivered(request, analysisId)
    await receiver.close()
  }, 60_000)

  it("resend, under the same id, the notification over which a worker was killed", async () => {
    const receiver = await startReceiver(hang)
    const analysisId = await submit(request, "killed", receiver.url)
    await receiver.arrived(1)
    await Promise.all(workers.splice(0).map((worker) => worker.stop("SIGKILL")))
    receiver.behave = answer(200)
    // As if the 30 s of the lease had passed, which `killedWorker.test.ts` waits for.
    await onDatabase(SqlClient.use((sql) => sql`UPDATE deliveries SET due_at = now() WHERE status = 'sending'`))
    startWorker()
    await expect.poll(() => receiver.received.length, { timeout: 50_000, interval: 200 }).toBe(2)
    await delivered(request, analysisId)
    verify(secret, receiver, 1)
    const [first, second] = receiver.received
    expect(second!.headers["webhook-id"]).toBe(first!.headers["webhook-id"])
    expect(second!.body).toBe(first!.body)
    const [delivery, ...others] = await deliveriesOf(request, analysisId)
    expect(others).toEqual([])
    expect(delivery!.attempts).toMatchObject([{ statusCode: 200 }, { error: expect.stringContaining("interrupted") }])
    await receiver.close()
  }, 90_000)

  it("release what is in progress immediately on SIGTERM", async () => {
    const receiver = await startReceiver(hang)
    const analysisId = await submit(request, "handed-on", receiver.url)
    await receiver.arrived(1)
    const [worker] = workers.splice(0)
    expect(await worker!.stop("SIGTERM")).toBe(0)
    expect(await deliveriesOf(request, analysisId)).toMatchObject([{ status: "pending", attempts: [] }])
    receiver.behave = answer(200)
    startWorker()
    await receiver.arrived(2)
    await delivered(request, analysisId)
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1)
    expect((await deliveriesOf(request, analysisId))[0]!.attempts).toHaveLength(1)
    await receiver.close()
  }, 60_000)
})
