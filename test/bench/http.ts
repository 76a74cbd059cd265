import { spawn } from "node:child_process"
import { createServer, request, Agent } from "node:http"
import type { AddressInfo } from "node:net"
import { fileURLToPath } from "node:url"

/**
 * Requests per second of `/health` and of an authenticated `GET …/status`, against a bare `node:http` server that
 * answers the same bytes, in one run: `node test/bench/http.ts [seconds [redis]]`. Each server is a process of its own.
 */

const connections = 32
const seconds = Number(process.argv[2] ?? 3)
/** The third argument: the requests are counted in a Redis. */
const onRedis = process.argv.includes("redis")
/** Of each, taken in turn; the best counts, since whatever else the machine does only ever slows one down. */
const rounds = 3

/** What the service answered: the bare server sends the same bytes, header by header. */
interface Answer {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const bare = async () => {
  const { health, status } = JSON.parse(process.argv[4]!) as Record<"health" | "status", Answer> // from `main`
  const server = createServer((request, response) => {
    const { headers, body } = request.url === "/health" ? health : status
    response.writeHead(200, headers)
    response.end(body)
  })
  server.listen(0, "127.0.0.1", () => {
    const { port } = server.address() as AddressInfo // it listens on TCP
    process.send!({ url: `http://127.0.0.1:${port}` })
  })
}

const assay = async () => {
  const { startApp } = await import("../support/app.ts")
  const { startPostgres } = await import("../support/postgresServer.ts")
  const { postgresDatabase } = await import("../support/databases.ts")
  const { startRedis } = await import("../support/redisServer.ts")
  const { redisLimiter } = await import("../support/redisLimiter.ts")
  const postgres = await startPostgres()
  const redis = onRedis ? await startRedis() : undefined
  const app = await startApp({
    unlimited: true,
    ...(redis === undefined ? {} : { limiter: redisLimiter(redis.settings) }),
    ...(postgres === undefined ? {} : { database: postgresDatabase(postgres) }),
  })
  process.once("disconnect", () => void app.close().then(() => Promise.all([postgres?.stop(), redis?.stop()])))
  const { apiKey } = await app.newUser()
  const created = await fetch(`${app.url}/api/v1/analysis`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ repositoryUrl: "https://github.com/example/vault" }),
  })
  const { analysisId } = (await created.json()) as { readonly analysisId: string } // our own response
  const database = [postgres?.description ?? "embedded PGlite", ...(redis === undefined ? [] : [redis.description])]
  process.send!({ url: app.url, apiKey, analysisId, database: database.join(", ") })
}

interface Started {
  readonly url: string
  readonly apiKey?: string
  readonly analysisId?: string
  readonly database?: string
}

const start = (which: string, ...rest: ReadonlyArray<string>): Promise<Started & { readonly stop: () => void }> => {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), String(seconds), which, ...rest], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  })
  return new Promise((resolve) =>
    child.once("message", (started) => resolve({ ...(started as Started), stop: () => child.disconnect() })),
  )
}

/** wrk where there is one; it leaves the server more of the machine than a client in JavaScript. */
const withWrk = (url: string, authorization: string | undefined): Promise<number | undefined> =>
  new Promise((resolve) => {
    const headers = authorization === undefined ? [] : ["-H", `Authorization: ${authorization}`]
    const wrk = spawn("wrk", ["-t1", `-c${connections}`, `-d${seconds}s`, ...headers, url])
    let output = ""
    wrk.stdout.on("data", (chunk) => (output += chunk))
    wrk.on("error", () => resolve(undefined))
    wrk.on("close", () => {
      if (/Non-2xx/.test(output)) throw new Error(output)
      const found = /Requests\/sec:\s+([\d.]+)/.exec(output)
      resolve(found === null ? undefined : Number(found[1]))
    })
  })

const withNode = async (url: string, authorization: string | undefined): Promise<number> => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const headers = authorization === undefined ? {} : { authorization }
  const end = performance.now() + seconds * 1000
  let count = 0
  const once = () =>
    new Promise<void>((resolve, reject) =>
      request(url, { agent, headers }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`))
        response.resume().on("end", resolve)
      })
        .on("error", reject)
        .end(),
    )
  const client = async () => {
    while (performance.now() < end) {
      await once()
      count++
    }
  }
  await Promise.all(Array.from({ length: connections }, client))
  agent.destroy()
  return count / seconds
}

const measure = async (url: string, authorization?: string): Promise<number> =>
  (await withWrk(url, authorization)) ?? (await withNode(url, authorization))

/** Without the headers that Node adds by itself. */
const answerOf = async (url: string, authorization?: string): Promise<Answer> => {
  const response = await fetch(url, authorization === undefined ? {} : { headers: { authorization } })
  const own = [...response.headers].filter(([name]) => !["date", "connection", "keep-alive"].includes(name))
  return { headers: Object.fromEntries(own), body: await response.text() }
}

const main = async () => {
  const service = await start("assay", ...(onRedis ? ["redis"] : []))
  const authorization = `Bearer ${service.apiKey}`
  const paths = { health: "/health", status: `/api/v1/analysis/${service.analysisId}/status` }
  const answers = {
    health: await answerOf(service.url + paths.health),
    status: await answerOf(service.url + paths.status, authorization),
  }
  const reference = await start("bare", JSON.stringify(answers))
  const best: Record<string, number> = {}
  const run = async (name: string, url: string, header?: string) => {
    best[name] = Math.max(best[name] ?? 0, await measure(url, header))
  }
  for (let round = 0; round < rounds; round++) {
    await run("bare health", reference.url + paths.health)
    await run("health", service.url + paths.health)
    await run("bare status", reference.url + paths.status, authorization)
    await run("status", service.url + paths.status, authorization)
  }
  reference.stop()
  service.stop()
  console.log(`${connections} connections, database: ${service.database}`)
  const line = (label: string, name: string) => {
    const [rate, bareRate] = [best[name]!, best[`bare ${name}`]!]
    console.log(
      `${label.padEnd(24)} ${Math.round(rate).toString().padStart(8)}/s  ${(rate / bareRate).toFixed(2)} of bare node:http, ${Math.round(bareRate)}/s`,
    )
  }
  line("/health", "health")
  line("authenticated status", "status")
}

await (process.argv[3] === "bare" ? bare() : process.argv[3] === "assay" ? assay() : main())
