import { Agent, request } from "node:http"
import * as Duration from "effect/Duration"
import { describe, expect, it } from "vitest"
import { startApp } from "../../support/app.ts"
import { until } from "../../support/cluster.ts"

/** The status of `/health`, over connections that are kept open, and what the server says of them. */
const over = (agent: Agent, url: string) =>
  new Promise<{ readonly status: number | undefined; readonly connection: string | undefined }>((resolve, reject) => {
    request(`${url}/health`, { agent }, (response) => {
      const { statusCode: status, headers } = response
      response.resume().on("end", () => resolve({ status, connection: headers.connection }))
    })
      .on("error", reject)
      .end()
  })

const readiness = (url: string) => fetch(`${url}/health/ready`).then(({ status }) => status)

const notReady = (url: string) =>
  until("the end of readiness", 10, async () => ((await readiness(url)) === 503 ? true : undefined))

describe("a server that is to end", () => {
  it("says so to whoever asks for its readiness, and answers on until the delay is over", async () => {
    const app = await startApp({ drainDelay: Duration.seconds(2) })
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    expect(await over(agent, app.url)).toEqual({ status: 200, connection: "keep-alive" })
    expect(await readiness(app.url)).toBe(200)
    const closed = app.close()
    await notReady(app.url)
    expect(await over(agent, app.url)).toEqual({ status: 200, connection: "close" })
    expect(await over(agent, app.url)).toEqual({ status: 200, connection: "close" })
    await closed
    await expect(readiness(app.url)).rejects.toThrow()
    agent.destroy()
  })

  it("does not wait for a balancer that has never asked", async () => {
    const app = await startApp({ drainDelay: Duration.minutes(5) })
    await app.close()
    await expect(readiness(app.url)).rejects.toThrow()
  })
})
