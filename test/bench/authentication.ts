/**
 * What identifying the caller adds to a request, at the median: `node test/bench/authentication.ts`.
 *
 * Requests to an endpoint that identifies its caller, and to a public one whose handler does equally little, alternate on
 * one connection: both return a precomputed document. The result is the difference of the medians.
 */
import { performance } from "node:perf_hooks"
import { Agent, request } from "node:http"
import { AccessTokens } from "../../application/ports/identity/AccessTokens.ts"
import { startApp } from "../support/app.ts"
import { embeddedDatabase, postgresDatabase } from "../support/databases.ts"
import { startPostgres } from "../support/postgresServer.ts"

const rounds = 3000
const warmUp = 1000

const median = (times: ReadonlyArray<number>): number => times.toSorted((a, b) => a - b)[times.length >> 1]!

const server = await startPostgres()
const databases = { PGlite: embeddedDatabase, ...(server === undefined ? {} : { Postgres: postgresDatabase(server) }) }

const timeOf = (agent: Agent, url: string, token: string | undefined): Promise<number> =>
  new Promise((resolve, reject) => {
    const start = performance.now()
    const sent = request(
      url,
      { agent, headers: token === undefined ? {} : { authorization: `Bearer ${token}` } },
      (response) => {
        response.resume().once("end", () => {
          if (response.statusCode === 200) resolve(performance.now() - start)
          else reject(new Error(`status ${response.statusCode}`))
        })
      },
    )
    sent.once("error", reject)
    sent.end()
  })

for (const [name, database] of Object.entries(databases)) {
  const app = await startApp({ unlimited: true, database })
  const { userId, apiKey } = await app.newUser()
  const { accessToken } = await app.run(AccessTokens.use((tokens) => tokens.issue(userId)))

  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const cases = {
    "with an API key": { path: "/api/subscriptions/plans", token: apiKey },
    "with an access token": { path: "/api/subscriptions/plans", token: accessToken },
    "without a caller (public)": { path: "/api/v1/rules", token: undefined },
  }
  const times = new Map<string, Array<number>>(Object.keys(cases).map((key) => [key, []]))
  for (let round = 0; round < warmUp + rounds; round++) {
    for (const [key, { path, token }] of Object.entries(cases)) {
      const time = await timeOf(agent, app.url + path, token)
      if (round >= warmUp) times.get(key)!.push(time)
    }
  }
  for (const [key, measured] of times) console.log(`${name}, ${key}: median ${median(measured).toFixed(3)} ms`)
  agent.destroy()
  await app.close()
}
await server?.stop()
