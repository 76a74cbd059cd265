import { readFileSync } from "node:fs"
import { loadavg } from "node:os"
import { SqlClient } from "effect/sql/SqlClient"
import { type Cluster, startCluster, until, type Worker } from "../support/cluster.ts"
import { manyContracts } from "../support/manyContracts.ts"
import { startPostgres } from "../support/postgresServer.ts"

/**
 * Analyses of a small repository a second, with one worker process and with two in turn, and the CPU time that a worker
 * and the `git` processes of it take for each: `node test/bench/jobs.ts [analyses [rounds]]`. Linux. Two workers show what
 * they can where two processors have nothing else to do.
 */

const analyses = Number(process.argv[2] ?? 60)
const rounds = Number(process.argv[3] ?? 3)
const users = 20
/** Clock ticks a second, as every Linux has them. */
const ticks = 100

/** Milliseconds of CPU time that the process and its children that ended have used. */
const cpuOf = ({ pid }: Worker): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ")
  return (fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) / ticks) * 1_000
}

const ended = (cluster: Cluster) =>
  cluster.run(
    SqlClient.use(
      (sql) =>
        sql<{ count: number }>`SELECT count(*)::int AS count FROM analyses WHERE status IN ('completed', 'failed')`,
    ),
  )

const postgres = await startPostgres()
if (postgres === undefined) throw new Error("it takes Postgres")
const cluster = await startCluster(await postgres.createDatabase())
const api = await cluster.startApi()
const keys: Array<string> = []
for (let user = 0; user < users; user++) keys.push(await cluster.newUser())
await cluster.run(SqlClient.use((sql) => sql`UPDATE pools SET seats = 1000`))
const { url: repositoryUrl } = await cluster.git.create("small", { branches: { main: manyContracts("small", 1) } })

/** The rate and the CPU time of each of so many analyses, by workers that have warmed up on one of them each. */
const measure = async (workerCount: number) => {
  const workers = Array.from({ length: workerCount }, () => cluster.startWorker())
  await Promise.all(workers.map(({ started }) => started))
  const run = async (count: number) => {
    const [before] = await ended(cluster)
    for (let turn = 0; turn < count; turn++) {
      const { status, body } = await cluster.submit(api, keys[turn % users]!, { repositoryUrl, webhookUrl: undefined })
      if (status !== 201) throw new Error(body)
    }
    await until(`${count} analyses`, 300, async () =>
      (await ended(cluster))[0]!.count >= before!.count + count ? true : undefined,
    )
  }
  await run(4 * workerCount)
  const [since, cpu] = [performance.now(), workers.map(cpuOf)]
  await run(analyses)
  const milliseconds = performance.now() - since
  const used = workers.reduce((sum, worker, index) => sum + cpuOf(worker) - cpu[index]!, 0)
  for (const worker of workers) await worker.stop()
  return { rate: (analyses / milliseconds) * 1_000, cpu: used / analyses }
}

const median = (values: ReadonlyArray<number>): number => values.toSorted((a, b) => a - b)[values.length >> 1]!

console.log(`${analyses} analyses of one contract, load average ${loadavg()[0]!.toFixed(1)}`)
const [one, two] = [[] as Array<Awaited<ReturnType<typeof measure>>>, [] as Array<Awaited<ReturnType<typeof measure>>>]
for (let round = 0; round < rounds; round++) {
  one.push(await measure(1))
  two.push(await measure(2))
}
for (const [name, runs] of Object.entries({ "one worker": one, "two workers": two })) {
  console.log(
    `${name}: ${median(runs.map(({ rate }) => rate)).toFixed(1)} a second, ${Math.round(median(runs.map(({ cpu }) => cpu)))} ms of CPU each`,
  )
}
const speedup = median(two.map(({ rate }) => rate)) / median(one.map(({ rate }) => rate))
console.log(`the second worker: ${speedup.toFixed(2)} times, goal 1.8 on an idle machine; CPU goal 45 ms`)
await cluster.close()
await postgres.stop()
