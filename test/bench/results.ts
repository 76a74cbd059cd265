import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { Agent, createServer, request } from "node:http"
import { connect, type AddressInfo, type Socket } from "node:net"
import { fileURLToPath } from "node:url"
import { gunzipSync } from "node:zlib"
import { AnalysisId } from "../../domain/ids/Ids.ts"

/**
 * Reading results: `node test/bench/results.ts [seconds]`. In one run
 * - a result of 1.1 MB, in gzip and uncompressed, against a bare `node:http` server that returns the same bytes;
 * - another caller's list of one analysis, alone, next to that bare server's, and while four clients read a result of
 *   8 MB as fast as they can, in gzip and uncompressed, with the API's memory before and during that;
 * - the API's memory while 17 clients request large results and do not read them.
 * Each server is a separate process, on Postgres if this machine has it.
 */

const seconds = Number(process.argv[2] ?? 3)
const readers = 8
const rounds = 3

interface Service {
  readonly url: string
  readonly database: string
  /** The owner of both results, of 1.1 MB and 8 MB. */
  readonly owner: { readonly apiKey: string; readonly small: string; readonly large: string }
  readonly other: { readonly apiKey: string }
  /** Owners of one incompressible result of 8 MB each. */
  readonly slow: ReadonlyArray<{ readonly apiKey: string; readonly path: string }>
}

const slowCallers = 5

/** Findings as the engine reports them, whose JSON and Markdown have about 1.4 times as many bytes. */
const resultLike = (bytes: number, salt: () => string) => {
  const line = () => `    require(balances[msg.sender] >= amount${salt()}, "${salt()}");\n`
  const snippet = () => line() + line() + line()
  const finding = (index: number) => ({
    id: `f_${index.toString(16).padStart(16, "0")}`,
    ruleId: "evm/reentrancy/state-change-after-call",
    title: "State changed after an external call",
    description: `\`withdraw${index}\` writes \`balances\` after it calls \`msg.sender\`, which can enter again. ${salt()}`,
    severity: "high" as const,
    confidence: "high" as const,
    category: "reentrancy" as const,
    location: { file: `src/Vault${index % 50}.sol`, lineStart: index, lineEnd: index + 2, snippet: snippet() },
    remediation: "Write the state before the call, or guard the function against being entered again.",
    trace: [{ file: `src/Vault${index % 50}.sol`, line: index, note: "the call" }],
    references: ["https://swcregistry.io/docs/SWC-107"],
    fingerprint: index.toString(16).padStart(16, "0"),
    status: "new" as const,
  })
  const size = JSON.stringify(finding(1_000)).length
  return Array.from({ length: Math.floor((bytes * 0.75) / size) }, (_, index) => finding(index))
}

const assay = async () => {
  const { startApp } = await import("../support/app.ts")
  const { rememberResults } = await import("../../adapters/memory/rememberResults.ts")
  const { renderMarkdown } = await import("../../domain/report/Markdown.ts")
  const { summarize } = await import("../../domain/finding/ResultSummary.ts")
  const { startPostgres } = await import("../support/postgresServer.ts")
  const { postgresDatabase } = await import("../support/databases.ts")
  const { sampleResult } = await import("../support/app.ts")
  const postgres = await startPostgres()
  const app = await startApp({
    unlimited: true,
    cache: rememberResults(),
    // The four fast readers are the same caller.
    settings: { requestLog: "none" },
    ...(postgres === undefined ? {} : { database: postgresDatabase(postgres) }),
  })
  process.once("disconnect", () => void app.close().then(() => postgres?.stop()))
  const submit = async (apiKey: string) => {
    const created = await fetch(`${app.url}/api/v1/analysis`, {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({ repositoryUrl: "https://github.com/example/vault" }),
    })
    const { analysisId } = (await created.json()) as { readonly analysisId: string } // our own response
    return `/api/v1/analysis/${analysisId}/result`
  }
  const completed = async (apiKey: string, bytes: number, salt: () => string) => {
    const path = await submit(apiKey)
    const findings = resultLike(bytes, salt)
    const result = {
      ...sampleResult(AnalysisId.make(""), "https://github.com/example/vault"),
      findings,
      summary: summarize(findings, 1),
    }
    await app.completeNext({ findings, summary: result.summary, markdownReport: renderMarkdown(result) })
    return path
  }
  const owner = await app.newUser()
  const small = await completed(owner.apiKey, 800_000, () => "")
  const large = await completed(owner.apiKey, 5_700_000, () => "")
  const slow: Array<Service["slow"][number]> = []
  for (let caller = 0; caller < slowCallers; caller++) {
    const { apiKey } = await app.newUser()
    slow.push({ apiKey, path: await completed(apiKey, 5_700_000, () => randomBytes(150).toString("base64")) })
  }
  const other = await app.newUser()
  await submit(other.apiKey)
  const service: Service = {
    url: app.url,
    database: postgres?.description ?? "embedded PGlite",
    owner: { apiKey: owner.apiKey, small, large },
    other,
    slow,
  }
  process.on("message", () => process.send!({ memory: process.memoryUsage() }))
  process.send!(service)
}

/** Repeats the first response, header by header and byte by byte. */
const bare = () => {
  process.once("message", (answer: { readonly headers: Record<string, string>; readonly body: string }) => {
    const body = Buffer.from(answer.body, "base64")
    const server = createServer((_, response) => {
      response.writeHead(200, answer.headers)
      response.end(body)
    })
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo // it listens on TCP
      process.send!({ url: `http://127.0.0.1:${port}` })
    })
  })
  process.once("disconnect", () => process.exit())
}

const start = (which: string) =>
  spawn(process.execPath, ["--max-semi-space-size=16", fileURLToPath(import.meta.url), String(seconds), which], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  })
type Process = ReturnType<typeof start>
const said = <A>(process: Process): Promise<A> =>
  new Promise((resolve) => process.once("message", (message) => resolve(message as A)))

const headersOf = (apiKey: string, encoding: string) => ({
  authorization: `Bearer ${apiKey}`,
  "accept-encoding": encoding,
})

interface Answer {
  readonly status: number
  readonly headers: Record<string, string>
  readonly bytes: number
}

const ask = (agent: Agent, url: string, headers: Record<string, string>, keep?: Array<Buffer>) =>
  new Promise<Answer>((resolve, reject) => {
    request(url, { agent, headers }, (response) => {
      let bytes = 0
      response.on("data", (chunk: Buffer) => {
        bytes += chunk.length
        keep?.push(chunk)
      })
      response.on("end", () =>
        resolve({ status: response.statusCode!, headers: response.headers as Record<string, string>, bytes }),
      )
      response.on("error", reject)
    })
      .on("error", reject)
      .end()
  })

/** Milliseconds of each request that so many clients make at a time until `until`. */
const load = async (url: string, headers: Record<string, string>, clients: number, until: number) => {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const times: Array<number> = []
  const client = async () => {
    while (performance.now() < until) {
      const since = performance.now()
      const { status } = await ask(agent, url, headers)
      if (status !== 200) throw new Error(`${url} answered ${status}`)
      times.push(performance.now() - since)
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  agent.destroy()
  return times.toSorted((a, b) => a - b)
}

const rate = async (url: string, headers: Record<string, string>) =>
  (await load(url, headers, readers, performance.now() + seconds * 1_000)).length / seconds

/** Clients in a separate process, so that their reading does not delay the measurement. */
const clients = async () => {
  const [url, authorization, encoding] = process.argv.slice(4) as [string, string, string]
  const headers = { authorization, "accept-encoding": encoding }
  const times = await load(url, headers, 4, performance.now() + seconds * 1_000)
  process.send!({ requests: times.length })
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`
const at = (times: ReadonlyArray<number>, share: number): number => times[Math.floor(times.length * share)]!

const againstBare = async (service: Service, encoding: string) => {
  const url = service.url + service.owner.small
  const headers = headersOf(service.owner.apiKey, encoding)
  const body: Array<Buffer> = []
  const answer = await ask(new Agent(), url, headers, body)
  const own = Object.entries(answer.headers).filter(([name]) => !["date", "connection", "keep-alive"].includes(name))
  const reference = start("bare")
  const listening = said<{ readonly url: string }>(reference)
  reference.send({ headers: Object.fromEntries(own), body: Buffer.concat(body).toString("base64") })
  const bareUrl = (await listening).url
  let [best, bestBare] = [0, 0]
  for (let round = 0; round < rounds; round++) {
    bestBare = Math.max(bestBare, await rate(bareUrl, headers))
    best = Math.max(best, await rate(url, headers))
  }
  reference.disconnect()
  const unpacked = answer.headers["content-encoding"] === "gzip" ? gunzipSync(Buffer.concat(body)).length : answer.bytes
  console.log(
    `result of ${unpacked} bytes, ${encoding.padEnd(8)} ${String(answer.bytes).padStart(8)} bytes sent  ${Math.round(best).toString().padStart(6)}/s  ${(best / bestBare).toFixed(2)} of bare node:http, ${Math.round(bestBare)}/s`,
  )
}

const memoryOf = async (process: Process): Promise<number> => {
  const answer = said<{ readonly memory: NodeJS.MemoryUsage }>(process)
  process.send("memory")
  return (await answer).memory.rss
}

const neighbor = async (api: Process, service: Service, encoding: string) => {
  const list = `${service.url}/api/v1/analysis?limit=1`
  const headers = headersOf(service.other.apiKey, "gzip")
  const measure = () => load(list, headers, 1, performance.now() + seconds * 1_000)
  await measure()
  const alone = await measure()
  const before = await memoryOf(api)
  const heavy = spawn(
    process.execPath,
    [
      fileURLToPath(import.meta.url),
      String(seconds + 1),
      "clients",
      service.url + service.owner.large,
      `Bearer ${service.owner.apiKey}`,
      encoding,
    ],
    { stdio: ["ignore", "inherit", "inherit", "ipc"] },
  )
  const read = said<{ readonly requests: number }>(heavy)
  await new Promise((resolve) => setTimeout(resolve, 700))
  const beside = await measure()
  const during = await memoryOf(api)
  const { requests } = await read
  heavy.disconnect()
  console.log(
    `list beside 4 readers of a large result, ${encoding.padEnd(8)} p50 ${at(beside, 0.5).toFixed(1)} ms, p99 ${at(beside, 0.99).toFixed(1)} ms; alone ${at(alone, 0.5).toFixed(1)}, ${at(alone, 0.99).toFixed(1)}: ${(at(beside, 0.99) / at(alone, 0.99)).toFixed(1)} times; ${Math.round(requests / (seconds + 1))} results/s; ${megabytes(before)} to ${megabytes(during)}`,
  )
}

const unread = async (api: Process, service: Service) => {
  const before = await memoryOf(api)
  const { port } = new URL(service.url)
  const sockets: Array<Socket> = []
  const statuses: Array<string> = []
  for (let index = 0; index < 17; index++) {
    const { apiKey, path } = service.slow[index % service.slow.length]!
    const socket = connect(Number(port), "127.0.0.1")
    sockets.push(socket)
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\n\r\n`)
    statuses.push(
      await new Promise((resolve) =>
        socket.once("data", (chunk: Buffer) => {
          socket.pause()
          resolve(chunk.toString("latin1", 9, 12))
        }),
      ),
    )
  }
  await new Promise((resolve) => setTimeout(resolve, 500))
  const counts = Object.entries(Object.groupBy(statuses, (status) => status)).map(
    ([status, all]) => `${all!.length} × ${status}`,
  )
  console.log(
    `17 clients that read nothing of 8 MB: ${counts.join(", ")}; ${megabytes(before)} to ${megabytes(await memoryOf(api))}`,
  )
  for (const socket of sockets) socket.destroy()
}

const main = async () => {
  const api = start("assay")
  const service = await said<Service>(api)
  console.log(`database: ${service.database}`)
  for (const encoding of ["gzip", "identity"]) await againstBare(service, encoding)
  for (const encoding of ["gzip", "identity"]) await neighbor(api, service, encoding)
  await unread(api, service)
  api.disconnect()
}

const roles: Readonly<Record<string, () => unknown>> = { assay, bare, clients }
await (roles[process.argv[3] ?? ""] ?? main)()
