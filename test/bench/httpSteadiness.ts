import { type ChildProcess, execFile, fork } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { migrate } from "../../adapters/sql/migrate.ts"
import { issueApiKey } from "../../application/identity/issueApiKey.ts"
import { create, newUser, stores } from "../support/stores.ts"
import { postgresClient } from "../support/databases.ts"
import { startPostgres } from "../support/postgresServer.ts"
import { startProgram } from "../support/program.ts"

/**
 * Whether `npm run api` is stable under load: the memory of its process after 20,000 and after 200,000 authenticated
 * `GET …/status` over 32 connections, and their median and 99th percentile next to those of a bare `node:http` server,
 * which show what the machine adds; by 1,000 users in turn, who may read 1,000 times per hour each:
 * `node test/bench/httpSteadiness.ts`. Requires Linux and `wrk`; REDIS_URL is passed on.
 */

const connections = 32
const userCount = 1_000
const marks = [20_000, 100_000, 200_000]
const rounds = 3
const secondsOfRound = 5

const prepare = Effect.gen(function* () {
  yield* migrate
  const reader = Effect.gen(function* () {
    const userId = yield* newUser("pro")
    const analysisId = yield* create(userId)
    const { apiKey } = yield* issueApiKey({ userId, name: "bench", scopes: ["analysis:read"], expiresAt: undefined })
    return { apiKey, analysisId }
  })
  return yield* Effect.forEach(Array.from({ length: userCount }), () => reader, { concurrency: 16 })
})

/** Every user's request in turn, starting with a random one. */
const script = (readers: ReadonlyArray<{ readonly apiKey: string; readonly analysisId: string }>) => `
  readers = {${readers.map(({ apiKey, analysisId }) => `{"${apiKey}", "${analysisId}"}`).join(",\n")}}
  math.randomseed(os.time())
  turn = math.random(#readers)
  request = function()
    turn = turn % #readers + 1
    return wrk.format("GET", "/api/v1/analysis/" .. readers[turn][2] .. "/status",
      { ["Authorization"] = "Bearer " .. readers[turn][1] })
  end`

/** Milliseconds, whatever unit wrk used. */
const milliseconds = (text: string): number =>
  Number.parseFloat(text) * (text.endsWith("us") ? 0.001 : text.endsWith("ms") ? 1 : 1000)

const load = async (scriptFile: string, seconds: number, url: string) => {
  const options = ["-t1", `-c${connections}`, `-d${seconds}s`, "--latency", "-s", scriptFile, url]
  const { stdout } = await promisify(execFile)("wrk", options)
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(stdout)
  const at = (percent: number) => milliseconds(new RegExp(`\\b${percent}%\\s+(\\S+)`).exec(stdout)![1]!)
  return { count: Number(/(\d+) requests in/.exec(stdout)![1]), median: at(50), p99: at(99) }
}

/** Resident megabytes of the process. */
const residentMemory = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024

const postgres = await startPostgres()
if (postgres === undefined) throw new Error("it takes Postgres")
const directory = mkdtempSync(join(tmpdir(), "assay-bench-"))
const database = await postgres.createDatabase()
const readers = await Effect.runPromise(
  prepare.pipe(Effect.provide(stores.pipe(Layer.provideMerge(postgresClient(database))))),
)
const scriptFile = join(directory, "readers.lua")
writeFileSync(scriptFile, script(readers))
const api = startProgram("api/main.ts", [], {
  DATABASE_URL: database,
  ASSAY_DATA_DIR: join(directory, "data"),
  ASSAY_REQUEST_LOG: "none",
  PORT: "0",
  METRICS_PORT: "0",
})
let bare: ChildProcess | undefined
try {
  const url = /"(http:[^"]+)"/.exec(await api.errorLine(/API server started/))![1]!
  console.log(`${connections} connections, load average ${loadavg()[0]!.toFixed(1)}`)

  const memory: Array<number> = []
  let sent = 0
  for (const mark of marks) {
    while (sent < mark) sent += (await load(scriptFile, 1, url)).count
    memory.push(residentMemory(api.process.pid!))
    console.log(`${sent} requests: ${memory.at(-1)!.toFixed(0)} MB`)
  }
  console.log(`memory ${(memory.at(-1)! / memory[0]!).toFixed(2)} of what it was after the first ${marks[0]}`)

  const sample = { headers: { "content-type": "application/json", "content-length": "100" }, body: "x".repeat(100) }
  bare = fork(fileURLToPath(new URL("http.ts", import.meta.url)), [
    String(secondsOfRound),
    "bare",
    JSON.stringify({ health: sample, status: sample }),
  ])
  const [{ url: bareUrl }] = (await once(bare, "message")) as [{ readonly url: string }] // from `http.ts`
  for (let round = 0; round < rounds; round++) {
    for (const [name, target] of [
      ["bare node:http", bareUrl],
      ["status", url],
    ] as const) {
      const { count, median, p99 } = await load(scriptFile, secondsOfRound, target)
      const rate = (count / secondsOfRound).toFixed(0)
      console.log(
        `${name}: ${rate}/s, median ${median} ms, p99 ${p99} ms, ${(p99 / median).toFixed(1)} times the median`,
      )
    }
  }
} finally {
  bare?.kill()
  await api.stop()
  await postgres.stop()
  rmSync(directory, { recursive: true, force: true })
}
