import { randomUUID } from "node:crypto"
import { Agent, request } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { issueApiKey } from "../../application/identity/issueApiKey.ts"
import { Accounts } from "../../application/ports/identity/Accounts.ts"
import { scopes } from "../../domain/identity/Caller.ts"
import { type Api, type Cluster, isFullRun, startCluster, until } from "../support/cluster.ts"
import { manyContracts } from "../support/manyContracts.ts"
import { type LocalPostgres, startLocalPostgres } from "../support/postgresServer.ts"
import { startProxy, type TcpProxy } from "../support/tcpProxy.ts"

const postgres = await startLocalPostgres()

/** Milliseconds: 5 s for the database, plus some for a busy machine. */
const longestWait = 6_500

interface Answer {
  readonly what: string
  readonly status: number
  readonly retryAfter: string | null
  readonly body: string
  readonly milliseconds: number
}

describe.runIf(postgres !== undefined)("a partially failing database", () => {
  const server = postgres as LocalPostgres
  let cluster: Cluster
  let proxy: TcpProxy
  let api: Api
  let repository = ""
  let addresses = 0

  beforeAll(async () => {
    cluster = await startCluster(await server.createDatabase())
    repository = (await cluster.git.create("vault", { branches: { main: manyContracts("", 3) } })).url
    const url = new URL(cluster.databaseUrl)
    proxy = await startProxy(Number(url.port))
    url.port = String(proxy.port)
    const environment = { DATABASE_URL: url.href, ASSAY_WORKER_CONCURRENCY: "2", ASSAY_TRUSTED_PROXIES: "1" }
    api = await cluster.startApi(environment)
    cluster.startWorker(environment)
  })
  afterAll(async () => {
    await cluster.close()
    await proxy.close()
    await server.stop()
  })

  const ask = async (
    what: string,
    path: string,
    init: RequestInit & { readonly headers?: Readonly<Record<string, string>> } = {},
  ): Promise<Answer> => {
    const since = performance.now()
    // Rate limits are not tested here, so each request comes from a different address.
    const headers = { ...init.headers, "x-forwarded-for": `10.0.${addresses >> 8}.${addresses++ & 255}` }
    const response = await fetch(api.url + path, { ...init, headers })
    const body = await response.text()
    const milliseconds = performance.now() - since
    return { what, status: response.status, retryAfter: response.headers.get("retry-after"), body, milliseconds }
  }
  const create = async (apiKey: string, key: string = randomUUID()): Promise<Answer> => {
    const answer = await ask("create", "/api/v1/analysis", {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json", "idempotency-key": key },
      body: JSON.stringify({ repositoryUrl: repository, webhookUrl: cluster.receiver.url }),
    })
    if (answer.status === 201) cluster.acknowledge(answer.body)
    return answer
  }
  const list = (apiKey: string) => ask("list", "/api/v1/analysis", { headers: { authorization: `Bearer ${apiKey}` } })
  const badge = (analysisId: string) => ask("badge", `/api/v1/analysis/${analysisId}/badge`)
  const result = (apiKey: string, analysisId: string) =>
    ask("result", `/api/v1/analysis/${analysisId}/result`, { headers: { authorization: `Bearer ${apiKey}` } })
  const readiness = () => ask("ready", "/health/ready")
  const idOf = (answer: Answer) => (JSON.parse(answer.body) as { readonly analysisId: string }).analysisId

  /** How often each status was returned, by kind of request. */
  const summary = (answers: ReadonlyArray<Answer>): Readonly<Record<string, number>> =>
    Object.fromEntries(
      [...Map.groupBy(answers, ({ what, status }) => `${what} ${status}`)]
        .map(([answer, { length }]) => [answer, length] as const)
        .toSorted(([one], [other]) => one.localeCompare(other)),
    )
  const slowest = (answers: ReadonlyArray<Answer>) => Math.max(...answers.map(({ milliseconds }) => milliseconds))
  const expectHonest = (answers: ReadonlyArray<Answer>) => {
    for (const { status, retryAfter } of answers) if (status === 503) expect(Number(retryAfter)).toBeGreaterThan(0)
  }
  const settled = async () => {
    const { broken, outcomes } = await cluster.settle(90)
    expect(broken).toEqual([])
    expect(outcomes["failed"] ?? 0).toBe(0)
  }
  /** Until creates succeed again. */
  const isBack = (seconds: number) => async (apiKey: string) =>
    until("a creation", seconds, async () => ((await create(apiKey)).status === 201 ? true : undefined))

  it(
    "that is read-only: 503 for writes, reads as usual, and work resumes by itself",
    { timeout: 180_000 },
    async () => {
      const apiKey = await cluster.newUser()
      for (let index = 0; index < 10; index++) expect((await create(apiKey)).status).toBe(201)
      const set = (value: "on" | "off") =>
        [`ALTER SYSTEM SET default_transaction_read_only = ${value}`, "SELECT pg_reload_conf()"].reduce(
          (before, statement) =>
            before.then(() =>
              server.execute(`${cluster.databaseUrl}?options=-c%20default_transaction_read_only%3Doff`, statement),
            ),
          Promise.resolve(),
        )
      await set("on")
      await until("the readiness telling", 20, async () =>
        (await readiness()).body.includes('"writes":"read_only"') ? true : undefined,
      )
      const during: Array<Answer> = []
      // As many creates as the rate limit permits per hour, and few enough to be quick.
      for (let round = 0; round < (isFullRun ? 40 : 15); round++) {
        during.push(await create(apiKey), await list(apiKey), await readiness())
        await sleep(isFullRun ? 200 : 75)
      }
      await set("off")
      expect(Object.keys(summary(during))).toEqual(["create 503", "list 200", "ready 200"])
      expectHonest(during)
      await isBack(20)(apiKey)
      await settled()
    },
  )

  it(
    "whose connections break inside transactions: 503, and keys are consistent afterwards",
    { timeout: 180_000 },
    async () => {
      const count = isFullRun ? 120 : 40
      await cluster.run(
        SqlClient.use((sql) =>
          Effect.all([
            sql.unsafe(`CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN PERFORM pg_sleep(0.05); RETURN NEW; END $$`),
            sql.unsafe(`CREATE TRIGGER dawdle BEFORE INSERT ON analyses FOR EACH ROW EXECUTE FUNCTION dawdle()`),
            sql.unsafe(`CREATE TRIGGER dawdle BEFORE INSERT ON api_keys FOR EACH ROW EXECUTE FUNCTION dawdle()`),
          ]),
        ),
      )
      const secrets = await cluster.run(
        Effect.forEach(Array.from({ length: 8 }), () =>
          Effect.gen(function* () {
            const userId = yield* (yield* Accounts).createUser(`${randomUUID()}@example.com`, "pro")
            return (yield* issueApiKey({ userId, name: "all", scopes, expiresAt: undefined })).apiKey
          }),
        ),
      )
      let isOver = false
      onTestFinished(() => void (isOver = true))
      let killed = 0
      const killing = (async () => {
        while (!isOver) {
          await server.execute(
            cluster.databaseUrl,
            `SELECT pg_terminate_backend(pid)::text FROM pg_stat_activity
           WHERE application_name = 'assay' AND wait_event = 'PgSleep' ORDER BY random() LIMIT 1`,
          )
          killed++
          // Three times as long as an INSERT takes, so that the last one left is hit rarely enough to get through.
          await sleep(150)
        }
      })()
      const keys = new Map<string, Array<string>>()
      const answers: Array<Answer> = []
      let sent = 0
      // Which connections break is random; both kinds of request have to hit a broken one.
      const isEnough = (): boolean =>
        sent >= count &&
        (sent >= 10 * count || ["create 503", "key 503"].every((kind) => summary(answers)[kind] !== undefined))
      await Promise.all(
        secrets.map(async (apiKey) => {
          while (!isEnough()) {
            sent++
            const key = randomUUID()
            keys.set(key, [])
            answers.push(
              await ask("key", "/api/v1/api-keys", {
                method: "POST",
                headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
                body: JSON.stringify({ name: "another", scopes: ["analysis:read"] }),
              }),
            )
            for (let status = 0; status !== 201;) {
              const answer = await create(apiKey, key)
              answers.push(answer)
              status = answer.status
              if (status === 201) keys.get(key)!.push(idOf(answer))
              else if (status !== 503) break
            }
          }
        }),
      )
      isOver = true
      await killing
      await cluster.run(
        SqlClient.use((sql) =>
          Effect.all([sql.unsafe("DROP TRIGGER dawdle ON analyses"), sql.unsafe("DROP TRIGGER dawdle ON api_keys")]),
        ),
      )
      console.info(`${killed} looks for a connection to break`, summary(answers))
      expect(Object.keys(summary(answers))).toEqual(["create 201", "create 503", "key 201", "key 503"])
      expectHonest(answers)
      const [row] = await cluster.run(
        SqlClient.use(
          (sql) => sql<{ analyses: number }>`
          SELECT count(*)::int AS analyses FROM analyses
          WHERE id IN (SELECT analysis_id FROM idempotency_keys WHERE key = ANY(${[...keys.keys()]}::text[]))`,
        ),
      )
      expect(row!.analyses).toBe(keys.size)
      expect(new Set([...keys.values()].flat()).size).toBe(keys.size)
      await settled()
    },
  )

  it("whose COMMIT fails or is cut off: 503, and keys are consistent afterwards", { timeout: 120_000 }, async () => {
    await cluster.run(
      SqlClient.use((sql) =>
        Effect.all([
          sql.unsafe(`CREATE FUNCTION fail_at_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            IF random() < 0.3 THEN RAISE EXCEPTION 'no commit' USING ERRCODE = '40001'; END IF;
            IF random() < 0.3 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
            RETURN NULL; END $$`),
          sql.unsafe(`CREATE CONSTRAINT TRIGGER fail_at_commit AFTER INSERT ON idempotency_keys
            DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION fail_at_commit()`),
        ]),
      ),
    )
    const answers: Array<Answer> = []
    const created = new Map<string, string>()
    for (let user = 0; user < 4; user++) {
      const apiKey = await cluster.newUser()
      for (let index = 0; index < (isFullRun ? 20 : 5); index++) {
        const key = randomUUID()
        let answer = await create(apiKey, key)
        for (answers.push(answer); answer.status === 503; answers.push(answer)) answer = await create(apiKey, key)
        created.set(key, idOf(answer))
      }
    }
    await cluster.run(SqlClient.use((sql) => sql.unsafe("DROP TRIGGER fail_at_commit ON idempotency_keys")))
    expect(Object.keys(summary(answers))).toEqual(["create 201", "create 503"])
    expectHonest(answers)
    const rows = await cluster.run(
      SqlClient.use(
        (sql) => sql<{ key: string; id: string }>`
          SELECT key, analysis_id AS id FROM idempotency_keys WHERE key = ANY(${[...created.keys()]}::text[])`,
      ),
    )
    expect(new Map(rows.map(({ key, id }) => [key, id]))).toEqual(created)
    await settled()
  })

  it(
    "that falls silent: no request waits more than 5 s, and service resumes with the server",
    { timeout: 180_000 },
    async () => {
      const apiKey = await cluster.newUser()
      const analysisId = idOf(await create(apiKey))
      await list(apiKey)
      const during: Array<Answer> = []
      const round = async () => {
        during.push(...(await Promise.all([create(apiKey), list(apiKey), badge(analysisId), create(apiKey)])))
      }
      proxy.fallSilent()
      for (let rounds = 0; rounds < (isFullRun ? 5 : 2); rounds++) await Promise.all([round(), round(), round()])
      console.info(`silent: the slowest answer took ${Math.round(slowest(during))} ms`, summary(during))
      expect(Object.keys(summary(during))).toEqual(["badge 503", "create 503", "list 503"])
      expect(slowest(during)).toBeLessThan(longestWait)
      expectHonest(during)
      expect((await readiness()).status).toBe(503)
      proxy.speak()
      await isBack(20)(apiKey)
      await settled()
    },
  )

  it.each(["idempotency_keys", "pools", "api_keys"])(
    "with a lock on %s: requests that do not need the table are as fast as usual, the rest get an answer within 5 s",
    { timeout: 180_000 },
    async (table) => {
      const apiKey = await cluster.newUser()
      const analysisId = idOf(await create(apiKey))
      await until("a result", 60, async () => ((await result(apiKey, analysisId)).status === 200 ? true : undefined))
      // Callers that are not in the API's cache.
      const apiKeys = await Promise.all(Array.from({ length: 12 }, () => cluster.newUser()))
      // Whoever waits for a lock gives up after 2 s.
      const seconds = isFullRun ? 9 : 3.5
      let isOver = false
      const locked = cluster
        .run(
          SqlClient.use((sql) =>
            sql.withTransaction(
              Effect.andThen(
                sql`LOCK TABLE ${sql(table)} IN ACCESS EXCLUSIVE MODE`,
                sql`SELECT pg_sleep(${seconds})::text`,
              ),
            ),
          ),
        )
        .then(() => (isOver = true))
      await until("the readiness telling", 5, async () =>
        (await readiness()).body.includes('"writes":"locked"') ? true : undefined,
      )
      const others: Array<Answer> = []
      const changes: Array<Answer> = []
      const creating = apiKeys.map(async (one) => {
        while (!isOver) changes.push(await create(one))
      })
      for (; !isOver; await sleep(50)) {
        others.push(await badge(analysisId), await readiness())
        // The other two tables are needed to identify the caller; a result uses the same kind of connection as blocked requests.
        if (table === "idempotency_keys") others.push(await result(apiKey, analysisId), await list(apiKey))
      }
      await Promise.all([locked, ...creating])
      const sorted = others.map(({ milliseconds }) => milliseconds).toSorted((a, b) => a - b)
      console.info(
        `locked: what does not need it takes ${Math.round(sorted[Math.floor(sorted.length / 2)]!)} ms, at most ${Math.round(sorted.at(-1)!)}`,
        summary([...others, ...changes]),
      )
      for (const answer of Object.keys(summary(others))) expect(answer).toMatch(/ 200$/)
      expect(sorted[Math.floor(sorted.length * 0.9)]!).toBeLessThan(500)
      expect(slowest(changes)).toBeLessThan(longestWait)
      expect(summary(changes)["create 503"]).toBeGreaterThan(0)
      expectHonest(changes)
      await isBack(20)(apiKey)
      await settled()
    },
  )

  it(
    "or a process that is stopped for seconds: a valid request is never reported as malformed",
    { timeout: 120_000 },
    async () => {
      const agent = new Agent({ keepAlive: true })
      const statuses = () =>
        Promise.all(
          Array.from(
            { length: 30 },
            () =>
              new Promise<number | undefined>((resolve, reject) => {
                request(`${api.url}/health`, { agent }, (response) => {
                  response.resume().once("end", () => resolve(response.statusCode))
                })
                  .once("error", reject)
                  .end()
              }),
          ),
        )
      expect(new Set(await statuses())).toEqual(new Set([200]))
      api.process.kill("SIGSTOP")
      const asked = statuses()
      await sleep(isFullRun ? 13_000 : 1_000)
      api.process.kill("SIGCONT")
      for (const status of await asked) expect([200, 408, 503]).toContain(status)
      agent.destroy()
    },
  )
})
