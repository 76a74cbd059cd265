import { type ChildProcess, spawn } from "node:child_process"
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { loadavg } from "node:os"
import { fileURLToPath } from "node:url"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { SqlClient } from "effect/sql/SqlClient"
import { insertAnalysis } from "../../adapters/sql/analysis/insertAnalysis.ts"
import { analysisOf } from "../support/stores.ts"
import { startApp } from "../support/app.ts"
import { postgresClient, postgresDatabase } from "../support/databases.ts"
import { startPostgres } from "../support/postgresServer.ts"
import { redisLimiter } from "../support/redisLimiter.ts"
import { startRedis } from "../support/redisServer.ts"
import { UserId } from "../../domain/ids/Ids.ts"
import { RepositoryUrl } from "../../domain/repository/RepositoryUrl.ts"

/**
 * The cost of a request compared with bare `node:http` servers that return fixed text or run the same query or insert. Each
 * server is a separate process on the same Postgres, and requests are counted in Redis if this machine has it:
 * `node test/bench/http.ts [seconds of each [rounds]]`.
 *
 * They take turns, so that other load on the machine affects all. The ratio of the servers' own CPU times is valid on a busy
 * machine, too; that of requests per second is the best round's.
 */

const seconds = Number(process.argv[2] ?? 1)
const rounds = Number(process.argv[3] ?? 5)
const connections = 32
const vault = "https://github.com/example/vault"

interface Fixture {
  readonly databaseUrl: string
  readonly database: string
  readonly url: string
  readonly userId: string
  readonly apiKey: string
  readonly analysisId: string
}

interface Answer {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

interface Row {
  readonly name: string
  readonly method: "GET" | "POST"
  readonly path: (fixture: Fixture) => string
  readonly bare: "fixed" | "query" | "insert"
  /** As a share of the bare server's rate. */
  readonly goal: number
}

const status = ({ analysisId }: Fixture) => `/api/v1/analysis/${analysisId}/status`
const rows: ReadonlyArray<Row> = [
  { name: "health", method: "GET", path: () => "/health", bare: "fixed", goal: 0.55 },
  { name: "status", method: "GET", path: status, bare: "fixed", goal: 0.25 },
  { name: "list of 20", method: "GET", path: () => "/api/v1/analysis", bare: "fixed", goal: 0.15 },
  {
    name: "badge",
    method: "GET",
    path: ({ analysisId }) => `/api/v1/analysis/${analysisId}/badge.svg`,
    bare: "fixed",
    goal: 0.25,
  },
  { name: "status, same query", method: "GET", path: status, bare: "query", goal: 0.5 },
  { name: "creation, same insert", method: "POST", path: () => "/api/v1/analysis", bare: "insert", goal: 0.3 },
]

const answersCpu = () => process.on("message", () => process.send!({ cpu: process.cpuUsage() }))

const assay = async () => {
  const postgres = await startPostgres()
  if (postgres === undefined) throw new Error("it takes Postgres")
  const redis = await startRedis()
  const databaseUrl = await postgres.createDatabase()
  const app = await startApp({
    unlimited: true,
    ...(redis === undefined ? {} : { limiter: redisLimiter(redis.settings) }),
    database: postgresDatabase({ ...postgres, createDatabase: () => Promise.resolve(databaseUrl) }),
    settings: { requestLog: "none" },
  })
  process.once("disconnect", () => void app.close().then(() => Promise.all([postgres.stop(), redis?.stop()])))
  const { userId, apiKey } = await app.newUser()
  await app.run(SqlClient.use((sql) => sql`UPDATE pools SET seats = 1000000`))
  for (let made = 0; made < 20; made++) await app.createDirectly(userId, vault)
  const analysisId = await app.completeNext()
  answersCpu()
  process.send!({
    databaseUrl,
    database: [postgres.description, redis?.description].join(", "),
    url: app.url,
    userId,
    apiKey,
    analysisId,
  } satisfies Fixture)
}

const bodyOf = async (request: IncomingMessage): Promise<unknown> => {
  let text = ""
  for await (const chunk of request.setEncoding("utf8")) text += chunk
  return JSON.parse(text)
}

/** Responds like the service, with a fixed text or the result of a query or an insert. */
const bare = () =>
  process.once("message", ({ fixture, answers }: { fixture: Fixture; answers: Record<string, Answer> }) => {
    const runtime = ManagedRuntime.make(postgresClient(fixture.databaseUrl))
    const send = (response: ServerResponse, code: number, { headers, body }: Answer) => {
      response.writeHead(code, { ...headers, "content-length": String(Buffer.byteLength(body)) })
      response.end(body)
    }
    const queried = SqlClient.use(
      (sql) => sql`
        SELECT id AS "analysisId", status, progress, stage AS "currentStage" FROM analyses
        WHERE id = ${fixture.analysisId}::uuid AND user_id = ${fixture.userId}::uuid`,
    )
    const inserted = (repositoryUrl: string) =>
      SqlClient.use((sql) =>
        insertAnalysis(
          sql,
          analysisOf(UserId.make(fixture.userId), { repositoryUrl: RepositoryUrl.make(repositoryUrl) }),
          undefined,
        ),
      )
    const server = createServer((request, response) => {
      const [, kind, name] = request.url!.split("/")
      const answer = answers[decodeURIComponent(name!)]!
      const failed = (error: unknown) => response.destroy(error as Error)
      if (kind === "fixed") send(response, 200, answer)
      if (kind === "query") {
        const found = runtime.runPromise(queried)
        found.then(([row]) => send(response, 200, { ...answer, body: JSON.stringify(row) }), failed)
      }
      if (kind === "insert") {
        const made = bodyOf(request).then((body) =>
          runtime.runPromise(inserted((body as { repositoryUrl: string }).repositoryUrl)),
        )
        made.then((created) => send(response, 201, { ...answer, body: JSON.stringify(created) }), failed)
      }
    })
    process.once("disconnect", () => process.exit())
    answersCpu()
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo // it listens on TCP
      process.send!({ url: `http://127.0.0.1:${port}` })
    })
  })

const start = (role: string): ChildProcess =>
  spawn(process.execPath, ["--max-semi-space-size=16", fileURLToPath(import.meta.url), "", "", role], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  })

const said = <A>(child: ChildProcess): Promise<A> =>
  new Promise((resolve) => child.once("message", (message) => resolve(message as A)))

/** Microseconds. */
const cpuOf = async (child: ChildProcess): Promise<number> => {
  const answer = said<{ readonly cpu: NodeJS.CpuUsage }>(child)
  child.send("cpu")
  const { cpu } = await answer
  return cpu.user + cpu.system
}

interface Target {
  readonly url: string
  readonly method: string
  readonly headers: Record<string, string>
}

const body = JSON.stringify({ repositoryUrl: vault })

const once = (agent: Agent, { url, method, headers }: Target) =>
  new Promise<void>((resolve, reject) => {
    const sent = request(url, { agent, method, headers }, (response) => {
      if (response.statusCode! >= 300) reject(new Error(`${url} answered ${response.statusCode}`))
      response.resume().on("end", resolve)
    }).on("error", reject)
    sent.end(method === "POST" ? body : undefined)
  })

/** Requests per second, and the server's microseconds of CPU time per request. */
const measure = async (child: ChildProcess, target: Target) => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const [before, since] = [await cpuOf(child), performance.now()]
  let count = 0
  const client = async () => {
    while (performance.now() < since + seconds * 1_000) {
      await once(agent, target)
      count++
    }
  }
  await Promise.all(Array.from({ length: connections }, client))
  const elapsed = (performance.now() - since) / 1_000
  agent.destroy()
  return { rate: count / elapsed, cpu: ((await cpuOf(child)) - before) / count }
}

/** Without the headers that Node adds by itself. */
const answerOf = async (url: string, headers: Record<string, string>): Promise<Answer> => {
  const response = await fetch(url, { headers })
  const own = [...response.headers].filter(([name]) => !["date", "connection", "keep-alive"].includes(name))
  return { headers: Object.fromEntries(own), body: await response.text() }
}

const main = async () => {
  const service = start("assay")
  const fixture = await said<Fixture>(service)
  const headers = {
    authorization: `Bearer ${fixture.apiKey}`,
    "content-type": "application/json",
    "accept-encoding": "gzip",
  }
  const answers: Record<string, Answer> = {}
  for (const { name, path } of rows) answers[name] = await answerOf(fixture.url + path(fixture), headers)
  const reference = start("bare")
  const listening = said<{ readonly url: string }>(reference)
  reference.send({ fixture, answers })
  const bareUrl = (await listening).url

  console.log(`${fixture.database}; ${connections} connections, load average ${loadavg()[0]!.toFixed(1)}`)
  const median = (values: ReadonlyArray<number>) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
  const measured = new Map(rows.map((row) => [row, { ours: [], bare: [] }] as const)) as Map<
    Row,
    Record<"ours" | "bare", Array<{ readonly rate: number; readonly cpu: number }>>
  >
  // The first round lets V8 compile and does not count.
  for (let round = -1; round < rounds; round++) {
    for (const [row, { ours, bare }] of measured) {
      const { method, name, path } = row
      const bareTarget = { url: `${bareUrl}/${row.bare}/${encodeURIComponent(name)}`, method, headers }
      const [its, own] = [
        await measure(reference, bareTarget),
        await measure(service, { url: fixture.url + path(fixture), method, headers }),
      ]
      if (round < 0) continue
      bare.push(its)
      ours.push(own)
    }
  }
  for (const [{ name, goal, bare: kind }, { ours, bare }] of measured) {
    const [rate, bareRate] = [ours, bare].map((runs) => Math.max(...runs.map(({ rate }) => rate)))
    const [cpu, bareCpu] = [ours, bare].map((runs) => median(runs.map(({ cpu }) => cpu)))
    console.log(
      `${name.padEnd(22)} ${(rate! / bareRate!).toFixed(2)} of bare (${kind}) a second, ${(bareCpu! / cpu!).toFixed(2)} by CPU time, goal ${goal}: ${Math.round(rate!)} and ${Math.round(bareRate!)}/s, ${Math.round(cpu!)} and ${Math.round(bareCpu!)} µs`,
    )
  }
  reference.disconnect()
  service.disconnect()
}

const roles: Readonly<Record<string, () => unknown>> = { assay, bare }
await (roles[process.argv[4] ?? ""] ?? main)()
