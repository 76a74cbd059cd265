import { spawn } from "node:child_process"
import { createServer, request, Agent } from "node:http"
import type { AddressInfo } from "node:net"
import { fileURLToPath } from "node:url"

/**
 * Requests per second of `/health` and of an authenticated `GET …/status`, against a bare `node:http` server that
 * answers the same bytes, in one run: `node test/bench/http.ts [seconds]`. Each server is a process of its own.
 */

const connections = 32
const seconds = Number(process.argv[2] ?? 3)
/** Of each, taken in turn; the best counts, since whatever else the machine does only ever slows one down. */
const rounds = 3

const bare = async () => {
  const body = JSON.stringify({ status: "ok" })
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": String(body.length) })
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
  const postgres = await startPostgres()
  const app = await startApp({
    unlimited: true,
    ...(postgres === undefined ? {} : { database: postgresDatabase(postgres) }),
  })
  process.once("disconnect", () => void app.close().then(() => postgres?.stop()))
  const { apiKey } = await app.newUser()
  const created = await fetch(`${app.url}/api/v1/analysis`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ repositoryUrl: "https://github.com/example/vault" }),
  })
  const { analysisId } = (await created.json()) as { readonly analysisId: string } // our own response
  process.send!({ url: app.url, apiKey, analysisId, database: postgres?.description ?? "embedded PGlite" })
}

interface Started {
  readonly url: string
  readonly apiKey?: string
  readonly analysisId?: string
  readonly database?: string
}

const start = (which: string): Promise<Started & { readonly stop: () => void }> => {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), String(seconds), which], {
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

const main = async () => {
  const [reference, service] = [await start("bare"), await start("assay")]
  const rates = { bare: 0, health: 0, status: 0 }
  for (let round = 0; round < rounds; round++) {
    const status = `${service.url}/api/v1/analysis/${service.analysisId}/status`
    rates.bare = Math.max(rates.bare, await measure(reference.url))
    rates.health = Math.max(rates.health, await measure(`${service.url}/health`))
    rates.status = Math.max(rates.status, await measure(status, `Bearer ${service.apiKey}`))
  }
  reference.stop()
  service.stop()
  const line = (name: string, rate: number) =>
    console.log(`${name.padEnd(24)} ${Math.round(rate).toString().padStart(8)}/s  ${(rate / rates.bare).toFixed(2)}`)
  console.log(`${connections} connections, database: ${service.database}`)
  line("bare node:http", rates.bare)
  line("/health", rates.health)
  line("authenticated status", rates.status)
}

await (process.argv[3] === "bare" ? bare() : process.argv[3] === "assay" ? assay() : main())
