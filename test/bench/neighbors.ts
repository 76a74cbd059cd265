import { type ChildProcess, spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { Agent, request } from "node:http"
import { loadavg } from "node:os"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { startApp } from "../support/app.ts"
import { postgresDatabase } from "../support/databases.ts"
import { startPostgres } from "../support/postgresServer.ts"

/**
 * A user's list of one analysis, alone and next to 4 and 12 readers of a tenant with 100,000 analyses, who read its list of
 * one for comparison, its statistics, its failed analyses and its repository's history:
 * `node test/bench/neighbors.ts [seconds [rounds]]`. Both take turns, so that other load on the machine affects both. Linux.
 */

const seconds = Number(process.argv[2] ?? 2)
const rounds = Number(process.argv[3] ?? 3)
const analyses = 100_000
const vault = "https://github.com/example/vault"

interface Service {
  readonly url: string
  readonly heavy: string
  readonly light: string
  readonly paths: Readonly<Record<string, string>>
}

const assay = async () => {
  const postgres = await startPostgres()
  if (postgres === undefined) throw new Error("it takes Postgres")
  const app = await startApp({
    unlimited: true,
    database: postgresDatabase(postgres),
    settings: { requestLog: "none" },
  })
  process.once("disconnect", () => void app.close().then(() => postgres.stop()))
  const [heavy, light] = [await app.newUser(), await app.newUser()]
  await app.createDirectly(light.userId, vault)
  const repositoryId = crypto.randomUUID()
  await app.run(
    SqlClient.use((sql) =>
      Effect.gen(function* () {
        yield* sql`
          INSERT INTO repositories (
            id, user_id, github_id, name, full_name, url, default_branch, is_private, is_archived, host_updated_at,
            last_synced_at)
          VALUES (
            ${repositoryId}::uuid, ${heavy.userId}::uuid, 1, 'vault', 'example/vault', ${vault}, 'main', false, false,
            now(), now())`
        yield* sql`
          INSERT INTO repository_urls (user_id, url_key, repository_id)
          VALUES (${heavy.userId}::uuid, ${vault}, ${repositoryId}::uuid)`
        yield* Effect.forEach(
          Array.from({ length: 20 }, (_, part) => part),
          (part) => sql`
            INSERT INTO analyses (
              id, user_id, pool_id, repository_url, framework, analysis_type, status, stage, created_at, completed_at)
            SELECT gen_random_uuid(), ${heavy.userId}::uuid, ${heavy.userId}::uuid, ${vault}, 'evm', 'full',
              CASE WHEN n % 20 = 0 THEN 'failed' ELSE 'completed' END, 'completed',
              now() - n * interval '1 minute', now() - n * interval '1 minute'
            FROM generate_series(${part * (analyses / 20)}::int + 1, ${(part + 1) * (analyses / 20)}::int) AS n`,
          { discard: true },
        )
        yield* sql`ANALYZE`
      }),
    ),
  )
  process.send!({
    url: app.url,
    heavy: heavy.apiKey,
    light: light.apiKey,
    paths: {
      // What reading costs others besides work for the database: the machine, and the thread of all requests.
      "their own list of one": "/api/v1/analysis?limit=1",
      statistics: "/api/v1/repositories/stats",
      "failed analyses": "/api/v1/analysis?status=failed",
      "a repository's history": `/api/v1/repositories/${repositoryId}`,
    },
  } satisfies Service)
}

/** Milliseconds of each request that so many clients make at a time until `until`. */
const load = async (url: string, apiKey: string, clients: number, until: number) => {
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const headers = { authorization: `Bearer ${apiKey}` }
  const times: Array<number> = []
  const once = () =>
    new Promise<void>((resolve, reject) => {
      const since = performance.now()
      request(url, { agent, headers }, (response) => {
        if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`))
        response.resume().on("end", () => {
          times.push(performance.now() - since)
          resolve()
        })
      })
        .on("error", reject)
        .end()
    })
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (performance.now() < until) await once()
    }),
  )
  agent.destroy()
  return times
}

const start = (role: string, ...rest: ReadonlyArray<string>): ChildProcess =>
  spawn(process.execPath, [fileURLToPath(import.meta.url), String(seconds), String(rounds), role, ...rest], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  })
const said = <A>(child: ChildProcess): Promise<A> =>
  new Promise((resolve) => child.once("message", (message) => resolve(message as A)))

/** The heavy tenant's readers, in a separate process. */
const readers = async () => {
  const [url, apiKey, count] = process.argv.slice(5) as [string, string, string]
  process.send!("begun")
  const times = await load(url, apiKey, Number(count), performance.now() + (seconds + 0.5) * 1_000)
  process.send!({ requests: times.length }, () => process.disconnect())
}

/** Milliseconds of CPU time that a process used: fields 14 and 15 of proc(5), in ticks of 10 ms. */
const cpuOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ")
  return (Number(fields[11]) + Number(fields[12])) * 10
}

const at = (times: ReadonlyArray<number>, share: number): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * share)]!

const main = async () => {
  const api = start("assay")
  const service = await said<Service>(api)
  const list = `${service.url}/api/v1/analysis?limit=1`
  const measure = () => load(list, service.light, 1, performance.now() + seconds * 1_000)
  await measure()
  console.log(
    `list of one beside readers of a tenant with ${analyses} analyses, load average ${loadavg()[0]!.toFixed(1)}`,
  )
  for (const [name, path] of Object.entries(service.paths)) {
    for (const count of [4, 12]) {
      const [alone, beside]: [Array<number>, Array<number>] = [[], []]
      let [read, cpu] = [0, 0]
      for (let round = 0; round < rounds; round++) {
        alone.push(...(await measure()))
        const heavy = start("readers", service.url + path, service.heavy, String(count))
        await said(heavy)
        const before = cpuOf(api.pid!)
        const ended = said<{ readonly requests: number }>(heavy)
        beside.push(...(await measure()))
        read += (await ended).requests
        cpu += cpuOf(api.pid!) - before
      }
      const [p50, p50Alone, p99, p99Alone] = [at(beside, 0.5), at(alone, 0.5), at(beside, 0.99), at(alone, 0.99)]
      console.log(
        `${String(count).padStart(2)} readers of ${name}: p50 ${(p50 / p50Alone).toFixed(1)} times alone (${p50Alone.toFixed(1)} → ${p50.toFixed(1)} ms), p99 ${(p99 / p99Alone).toFixed(1)} times (${p99Alone.toFixed(1)} → ${p99.toFixed(1)} ms); they read ${Math.round(read / rounds / (seconds + 0.5))} a second; ${(cpu / (read + beside.length)).toFixed(2)} ms of the API's CPU for each request of both`,
      )
    }
  }
  api.disconnect()
}

const roles: Readonly<Record<string, () => unknown>> = { assay, readers }
await (roles[process.argv[4] ?? ""] ?? main)()
