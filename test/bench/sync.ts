/**
 * What a sync of 10,000 repositories costs the API: `node test/bench/sync.ts [repositories]`. The API is a process of its
 * own on a real Postgres; the hosting service is the tests' fake, over a socket.
 */
import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import { issueApiKey } from "../../application/identity/issueApiKey.ts"
import { Accounts } from "../../application/ports/identity/Accounts.ts"
import { startCluster } from "../support/cluster.ts"
import { manyRepositories, startGithubServer } from "../support/githubServer.ts"
import { startPostgres } from "../support/postgresServer.ts"

const count = Number(process.argv[2] ?? 10_000)
const token = `ghp_${"b".repeat(36)}`

const postgres = await startPostgres([])
if (postgres === undefined) throw new Error("this machine has no Postgres")
const github = await startGithubServer()
github.tokens.set(token, { login: "octo", scopes: "repo", repositories: manyRepositories(count) })
const cluster = await startCluster(await postgres.createDatabase())
// As `npm run api` has it: by itself V8 lets the young generation grow by 80 MB more, at the same speed (Node 24.21).
const young = { NODE_OPTIONS: "--max-semi-space-size=16" }
const api = await cluster.startApi({ ...young, GITHUB_API_URL: github.url, ASSAY_REQUEST_LOG: "none" })
const { apiKey } = await cluster.run(
  Effect.gen(function* () {
    const userId = yield* Accounts.use((accounts) => accounts.createUser("octo@example.test", "pro"))
    return yield* issueApiKey({ userId, name: "bench", scopes: ["repositories"], expiresAt: undefined })
  }),
)

/** Of the API's process, in MB: now, and at most so far. */
const memory = (): string => {
  const status = readFileSync(`/proc/${api.process.pid}/status`, "utf8")
  const [now, peak] = ["VmRSS", "VmHWM"].map(
    (name) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1_000,
  )
  return `${now?.toFixed(0)} MB, at most ${peak?.toFixed(0)} MB`
}

const request = async (method: string, path: string, body?: object): Promise<string> => {
  const response = await fetch(api.url + path, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return text
}

const measure = async (name: string, method: string, path: string): Promise<void> => {
  github.requests.length = 0
  const started = performance.now()
  const text = await request(method, path)
  const seconds = ((performance.now() - started) / 1_000).toFixed(2)
  console.log(
    `${name.padEnd(14)}${seconds.padStart(7)} s ${String(github.requests.length).padStart(4)} requests, ${memory()}  ${text.slice(0, 80)}`,
  )
}

await request("PUT", "/api/v1/settings/hosting-token", { token })
console.log(`at first: ${memory()}`)
await measure("first sync", "POST", "/api/v1/repositories/sync")
await measure("second sync", "POST", "/api/v1/repositories/sync")
await measure("quick sync", "POST", "/api/v1/repositories/quick-sync")
await measure("quick sync", "POST", "/api/v1/repositories/quick-sync")
await measure("list", "GET", "/api/v1/repositories")
await measure("statistics", "GET", "/api/v1/repositories/stats")
await cluster.close()
await github.close()
await postgres.stop()
