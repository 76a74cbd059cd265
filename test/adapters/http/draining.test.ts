import { once } from "node:events"
import { Agent, type IncomingMessage, request } from "node:http"
import * as Duration from "effect/Duration"
import { SqlClient } from "effect/sql/SqlClient"
import { describe, expect, it } from "vitest"
import { startApp } from "../../support/app.ts"
import { until } from "../../support/cluster.ts"

/** The status of `/health` over connections that are kept open, and the server's `Connection` header. */
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

describe("a server that is shutting down", () => {
  it("reports that it is not ready, and keeps responding until the delay is over", async () => {
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

  it("does not wait for a load balancer that has never probed it", async () => {
    const app = await startApp({ drainDelay: Duration.minutes(5) })
    await app.close()
    await expect(readiness(app.url)).rejects.toThrow()
  })

  it("completes a request whose client waits for 100 Continue before it sends the body", async () => {
    const app = await startApp({ drainDelay: Duration.zero })
    const { apiKey } = await app.newUser()
    const body = JSON.stringify({ repositoryUrl: "https://github.com/example/vault" })
    const headers = {
      authorization: `Bearer ${apiKey}`,
      "content-type": "application/json",
      "content-length": body.length,
      expect: "100-continue",
    }
    const asked = request(`${app.url}/api/v1/analysis`, { method: "POST", headers })
    asked.flushHeaders()
    await once(asked, "continue")
    const closed = app.close()
    await until("new connections being refused", 10, () =>
      readiness(app.url).then(
        () => undefined,
        () => true,
      ),
    )
    asked.end(body)
    const [response] = (await once(asked, "response")) as [IncomingMessage]
    expect(response.statusCode).toBe(201)
    response.resume()
    await closed
  })

  it("completes a response in progress, however slowly its client reads", async () => {
    const app = await startApp({ drainDelay: Duration.zero })
    const { userId, apiKey } = await app.newUser()
    await app.createDirectly(userId, "https://github.com/example/vault")
    const analysisId = await app.completeNext()
    // More than the system buffers for a client that does not read.
    const size = 12_000_000
    await app.run(SqlClient.use((sql) => sql`UPDATE analysis_results SET json = repeat('x', ${size}::int)`))
    await app.run(SqlClient.use((sql) => sql`DELETE FROM reports`))
    const getResult = () =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const headers = { authorization: `Bearer ${apiKey}` }
        request(`${app.url}/api/v1/analysis/${analysisId}/result`, { headers }, resolve).on("error", reject).end()
      })
    // On a busy machine, reading that much takes longer than a request may wait for the database.
    const response = await until("the result", 60, async () => {
      const answer = await getResult()
      if (answer.statusCode === 200) return answer
      answer.resume()
      return undefined
    })
    const closed = app.close()
    await until("new connections being refused", 10, () =>
      readiness(app.url).then(
        () => undefined,
        () => true,
      ),
    )
    let read = 0
    for await (const chunk of response) read += (chunk as Buffer).length
    expect(read).toBe(size)
    await closed
  })
})
