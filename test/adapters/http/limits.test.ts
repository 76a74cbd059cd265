import { Agent, request } from "node:http"
import { describe, expect, it } from "vitest"
import { startApp } from "../../support/app.ts"

const clients = 50
const requests = 10_000

/** The status and the remaining requests of one response, on one of the agent's connections. */
const ask = (agent: Agent, url: string, apiKey: string) =>
  new Promise<readonly [number, string]>((resolve, reject) => {
    const sent = request(url, { agent, headers: { authorization: `Bearer ${apiKey}` } }, (response) => {
      response.resume().once("end", () => {
        resolve([response.statusCode ?? 0, String(response.headers["x-ratelimit-remaining"])])
      })
    })
    sent.once("error", reject)
    sent.end()
  })

describe("a window under load", () => {
  it(`lets exactly 100 of ${requests} requests from ${clients} clients of one basic user through`, async () => {
    const app = await startApp()
    const { apiKey } = await app.newUser("basic")
    const agent = new Agent({ keepAlive: true, maxSockets: clients })
    const answers: Array<readonly [number, string]> = []
    await Promise.all(
      Array.from({ length: clients }, async () => {
        for (let turn = 0; turn < requests / clients; turn++) {
          answers.push(await ask(agent, `${app.url}/api/v1/analysis`, apiKey))
        }
      }),
    )
    const through = answers.filter(([status]) => status === 200)
    expect(answers.filter(([status]) => status !== 200 && status !== 429)).toEqual([])
    expect(through).toHaveLength(100)
    expect(new Set(through.map(([, remaining]) => remaining)).size).toBe(100)
    agent.destroy()
    await app.close()
    // Takes 2 to 5 s.
  }, 60_000)
})
