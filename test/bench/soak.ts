import { readFileSync, readdirSync } from "node:fs"
import { loadavg } from "node:os"
import { setTimeout as sleep } from "node:timers/promises"
import { SqlClient } from "effect/sql/SqlClient"
import { startCluster } from "../support/cluster.ts"
import { manyContracts } from "../support/manyContracts.ts"
import { startPostgres } from "../support/postgresServer.ts"
import { startRedis } from "../support/redisServer.ts"

/**
 * An API and a worker under constant load: `npm run bench:soak [-- minutes]`. All kinds of reads, streams that are opened
 * and dropped, analyses that are created, run and deleted, and notifications. Prints memory, handles and connections
 * periodically, and exits with 1 if one of them grew from the second quarter to the last, or a promise was broken. Linux.
 */

const minutes = Number(process.argv[2] ?? 60)
const samples = Math.max(8, Math.min(60, minutes * 2))
const users = 100
/** Milliseconds between two rounds of requests, and between two analyses. */
const [betweenRounds, betweenAnalyses] = [100, 3_000]

const postgres = await startPostgres()
if (postgres === undefined) throw new Error("it takes Postgres")
const redis = await startRedis()
const cluster = await startCluster(await postgres.createDatabase())
const shared = redis === undefined ? {} : { REDIS_URL: redis.url }
const api = await cluster.startApi(shared)
const worker = cluster.startWorker(shared)
const keys: Array<string> = []
for (let user = 0; user < users; user++) keys.push(await cluster.newUser())
await cluster.run(SqlClient.use((sql) => sql`UPDATE pools SET seats = 1000`))
const { url: repositoryUrl } = await cluster.git.create("soak", { branches: { main: manyContracts("soak", 2) } })

const latest = new Map<string, string>()
const answers = new Map<string, number>()
let round = 0
const keyOf = (turn: number): string => keys[turn % users]!

const ask = async (name: string, path: string, key: string, init: RequestInit = {}) => {
  const response = await fetch(api.url + path, { ...init, headers: { authorization: `Bearer ${key}` } })
  await response.arrayBuffer()
  const told = `${name} ${response.status}`
  answers.set(told, (answers.get(told) ?? 0) + 1)
}

/** Opens the stream of an analysis, reads the first chunk and disconnects. */
const listen = async (id: string, key: string) => {
  const leaving = new AbortController()
  const headers = { authorization: `Bearer ${key}` }
  const response = await fetch(`${api.url}/api/v1/analysis/${id}/events`, { headers, signal: leaving.signal })
  await response.body?.getReader().read()
  leaving.abort()
}

const readAll = async (key: string) => {
  await ask("list", "/api/v1/analysis?limit=10", key)
  await ask("failed ones", "/api/v1/analysis?status=failed", key)
  await ask("health", "/health", key)
  const id = latest.get(key)
  if (id === undefined) return
  await ask("status", `/api/v1/analysis/${id}/status`, key)
  await ask("badge", `/api/v1/analysis/${id}/badge.svg`, key)
  await ask("result", `/api/v1/analysis/${id}/result`, key)
  if (round % 20 === 0) await listen(id, key)
}

const analyze = async (turn: number) => {
  const key = keyOf(turn)
  const { status, body } = await cluster.submit(api, key, { repositoryUrl })
  answers.set(`create ${status}`, (answers.get(`create ${status}`) ?? 0) + 1)
  if (status === 201) latest.set(key, (JSON.parse(body) as { readonly analysisId: string }).analysisId)
}

interface Sample {
  readonly apiMegabytes: number
  readonly workerMegabytes: number
  readonly apiHandles: number
  readonly workerHandles: number
  readonly connections: number
}

const residentMemory = (pid: number): number =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024)
const handles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length

const sample = async (): Promise<Sample> => {
  const [row] = await cluster.run(
    SqlClient.use(
      (sql) => sql<{ count: number }>`
        SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database()`,
    ),
  )
  const apiPid = api.process.pid!
  return {
    apiMegabytes: residentMemory(apiPid),
    workerMegabytes: residentMemory(worker.pid),
    apiHandles: handles(apiPid),
    workerHandles: handles(worker.pid),
    connections: row!.count,
  }
}

/** By how much a median may grow from the second quarter to the last: a share of it, plus a constant. */
const growth: Readonly<Record<keyof Sample, readonly [share: number, beside: number]>> = {
  apiMegabytes: [0.15, 20],
  workerMegabytes: [0.15, 40],
  apiHandles: [0, 20],
  workerHandles: [0, 20],
  connections: [0, 5],
}

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1]!

const taken: Array<Sample> = []
const since = Date.now()
const end = since + minutes * 60_000
let isOver = false
const reading = (async () => {
  for (; !isOver; round++) {
    await readAll(keyOf(round))
    await sleep(betweenRounds)
  }
})()
const analyzing = (async () => {
  for (let turn = 0; !isOver; turn++) {
    await analyze(turn)
    await sleep(betweenAnalyses)
  }
})()
try {
  console.log(`${minutes} minutes, load average ${loadavg()[0]!.toFixed(1)}`)
  while (Date.now() < end) {
    await Promise.race([sleep((minutes * 60_000) / samples), Promise.all([reading, analyzing])])
    const now = await sample()
    taken.push(now)
    console.log(`${((Date.now() - since) / 60_000).toFixed(1)} min: ${JSON.stringify(now)}`)
  }
  isOver = true
  await Promise.all([reading, analyzing])
  const { broken, outcomes } = await cluster.settle(120)
  console.log("answers", Object.fromEntries(answers), "analyses", outcomes)
  const quarter = Math.floor(taken.length / 4)
  const grown = Object.entries(growth).filter(([what, [share, beside]]) => {
    const of = (samples: ReadonlyArray<Sample>) => median(samples.map((each) => each[what as keyof Sample]))
    const [before, after] = [of(taken.slice(quarter, 2 * quarter)), of(taken.slice(-quarter))]
    console.log(`${what}: ${before} → ${after}`)
    return after > before * (1 + share) + beside
  })
  for (const [what] of grown) console.error(`${what} grew`)
  for (const promise of broken) console.error(promise)
  if (grown.length + broken.length > 0) process.exitCode = 1
} finally {
  isOver = true
  await cluster.close()
  await redis?.stop()
  await postgres.stop()
}
