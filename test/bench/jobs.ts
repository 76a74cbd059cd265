import { readdirSync, readFileSync } from "node:fs"
import { availableParallelism, loadavg } from "node:os"
import { setTimeout as sleep } from "node:timers/promises"
import { SqlClient } from "effect/sql/SqlClient"
import { startCluster } from "../support/cluster.ts"
import { repeating } from "../support/gitServer.ts"
import { manyContracts } from "../support/manyContracts.ts"
import { startPostgres } from "../support/postgresServer.ts"

/**
 * Analyses of a small repository per second, with one worker process and with two in turn, and the CPU time of each, by
 * part: `node test/bench/jobs.ts [analyses [rounds]]`. Linux. A worker runs one analysis at a time, since a worker with two
 * occupies two processors by itself. The queue is filled before the workers start and the git server repeats git's first
 * response, so that almost nothing else runs; the rest determines the most that two workers could reach.
 */

const analyses = Number(process.argv[2] ?? 60)
const rounds = Number(process.argv[3] ?? 3)
const users = 20
/** Milliseconds per clock tick on every Linux. */
const tick = 10

/** Milliseconds of CPU time so far, by part. */
type Usage = Readonly<Record<string, number>>

const fieldsOf = (path: string): { readonly name: string; readonly at: (field: number) => number } => {
  const line = readFileSync(path, "utf8")
  const end = line.lastIndexOf(")")
  const fields = line.slice(end + 2).split(" ")
  return { name: line.slice(line.indexOf("(") + 1, end), at: (field) => Number(fields[field - 3]) }
}

/** CPU time of a process and of its terminated children: fields 14 to 17 of proc(5). */
const ofProcess = (pid: number) => {
  const { at } = fieldsOf(`/proc/${pid}/stat`)
  return { own: (at(14) + at(15)) * tick, children: (at(16) + at(17)) * tick }
}

const threadNames: Readonly<Record<string, string>> = { MainThread: "main thread", WorkerThread: "engine thread" }

/** The children of a process. */
const childrenOf = (parent: number): ReadonlyArray<number> =>
  readdirSync("/proc").flatMap((name) => {
    try {
      return /^\d+$/.test(name) && fieldsOf(`/proc/${name}/stat`).at(4) === parent ? [Number(name)] : []
    } catch {
      // It has ended meanwhile.
      return []
    }
  })

/** A worker's permanent children start git for it. */
const ofWorker = (pid: number): Usage => {
  const usage: Record<string, number> = { git: ofProcess(pid).children, "git's launcher": 0 }
  for (const child of childrenOf(pid)) {
    const { own, children } = ofProcess(child)
    usage["git's launcher"]! += own
    usage["git"]! += children
  }
  let rest = ofProcess(pid).own
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const { name, at } = fieldsOf(`/proc/${pid}/task/${thread}/stat`)
    const part = threadNames[name]
    if (part === undefined) continue
    usage[part] = (usage[part] ?? 0) + (at(14) + at(15)) * tick
    rest -= (at(14) + at(15)) * tick
  }
  return { ...usage, "V8 and libuv": rest }
}

/** All processes of a server, which starts one per connection. */
const ofFamily = (parent: number): number =>
  [parent, ...childrenOf(parent)].reduce((sum, pid) => sum + ofProcess(pid).own, 0)

const postgres = await startPostgres()
if (postgres === undefined) throw new Error("it takes Postgres")
const cluster = await startCluster(await postgres.createDatabase())
const api = await cluster.startApi()
const keys: Array<string> = []
for (let user = 0; user < users; user++) keys.push(await cluster.newUser())
const query = <A extends object>(statement: string) =>
  cluster.run(SqlClient.use((sql) => sql.unsafe<A>(statement))).then((rows) => rows[0]!)
await query("UPDATE pools SET seats = 1000")
const { url: repositoryUrl } = await cluster.git.create("small", { branches: { main: manyContracts("small", 1) } })
cluster.git.behave("small", repeating())
const { pid: backend } = await query<{ pid: number }>("SELECT pg_backend_pid() AS pid")
const postmaster = fieldsOf(`/proc/${backend}/stat`).at(4)

const completed = async () => {
  const { count, failure } = await query<{ count: number; failure: string | null }>(`
    SELECT count(*) FILTER (WHERE status = 'completed')::int AS count, max(failure) AS failure FROM analyses`)
  if (failure !== null) throw new Error(failure)
  return count
}

/** The rate of this many analyses and the CPU time of each, by warmed-up workers. */
const measure = async (workerCount: number) => {
  const before = await completed()
  const warm = 8 * workerCount
  for (let turn = 0; turn < warm + analyses; turn++) {
    const { status, body } = await cluster.submit(api, keys[turn % users]!, { repositoryUrl, webhookUrl: undefined })
    if (status !== 201) throw new Error(body)
  }
  const workers = Array.from({ length: workerCount }, () => cluster.startWorker({ ASSAY_WORKER_CONCURRENCY: "1" }))
  const reached = async (count: number) => {
    for (const deadline = Date.now() + 300_000; Date.now() < deadline; await sleep(50)) {
      const now = await completed()
      if (now >= before + count) return { now, at: performance.now() }
    }
    throw new Error(`${count} analyses: not in time`)
  }
  const usage = (): Usage => {
    const sums: Record<string, number> = { Postgres: ofFamily(postmaster), API: ofProcess(api.process.pid!).own }
    const self = ofProcess(process.pid)
    sums["git server and this program"] = self.own + self.children
    for (const { pid } of workers)
      for (const [part, used] of Object.entries(ofWorker(pid))) sums[part] = (sums[part] ?? 0) + used
    return sums
  }
  const since = await reached(warm)
  const cpu = usage()
  const until = await reached(warm + analyses)
  const used = usage()
  const count = until.now - since.now
  for (const worker of workers) await worker.stop()
  const parts = Object.fromEntries(Object.entries(used).map(([part, ms]) => [part, (ms - cpu[part]!) / count]))
  return { rate: (count / (until.at - since.at)) * 1_000, parts }
}

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1]!
const outside = new Set(["Postgres", "API", "git server and this program"])

console.log(`${analyses} analyses of one contract, load average ${loadavg()[0]!.toFixed(1)}`)
const [one, two] = [[] as Array<Awaited<ReturnType<typeof measure>>>, [] as Array<Awaited<ReturnType<typeof measure>>>]
for (let round = 0; round < rounds; round++) {
  one.push(await measure(1))
  two.push(await measure(2))
}
const told = Object.entries({ "one worker": one, "two workers": two }).map(([name, runs]) => {
  const rate = median(runs.map((run) => run.rate))
  const parts = Object.keys(runs[0]!.parts).map(
    (part) => [part, median(runs.map((run) => run.parts[part] ?? 0))] as const,
  )
  const sum = (those: typeof parts) => those.reduce((total, [, ms]) => total + ms, 0)
  const [own, beside] = [
    sum(parts.filter(([part]) => !outside.has(part))),
    sum(parts.filter(([part]) => outside.has(part))),
  ]
  console.log(
    `${name}: ${rate.toFixed(1)} a second, ${own.toFixed(1)} ms of CPU each, and ${beside.toFixed(1)} beside it`,
  )
  console.log(`  ${parts.map(([part, ms]) => `${part} ${ms.toFixed(1)}`).join(", ")}`)
  return { rate, own, beside }
})
const [{ rate: alone }, { rate: both, own, beside }] = [told[0]!, told[1]!]
const processors = availableParallelism()
const most = (processors * 1_000) / (own + beside)
console.log(`the second worker: ${(both / alone).toFixed(2)} times, goal 1.8 on an idle machine; CPU goal 45 ms`)
console.log(
  `${processors} processors permit ${most.toFixed(1)} a second, ${(most / alone).toFixed(2)} times one worker`,
)
await cluster.close()
await postgres.stop()
