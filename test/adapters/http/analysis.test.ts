import * as Duration from "effect/Duration"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { sampleResult, sampleExamples, sampleRule, startApp, type TestApp } from "../../support/app.ts"
import { create, created, expectError, get, repositoryUrl, send } from "../../support/client.ts"
import { AnalysisId } from "../../../domain/ids/Ids.ts"

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
beforeEach(() => app.reset())
afterAll(() => app.close())

const json = async (response: Response): Promise<Record<string, unknown>> =>
  (await response.json()) as Record<string, unknown> // every endpoint that is asked this way answers an object

describe("create", () => {
  it("returns 201 with exactly the documented fields", async () => {
    const { apiKey } = await app.newUser()
    const response = await create(app, apiKey, { repositoryUrl })
    expect(response.status).toBe(201)
    const body = await json(response)
    expect(body).toEqual({
      analysisId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: "pending",
      createdAt: expect.any(String),
    })
    expect(new Date(String(body["createdAt"])).toISOString()).toBe(body["createdAt"])
  })

  it("repeats its response for a repeated Idempotency-Key and charges once", async () => {
    const { apiKey } = await app.newUser("basic")
    const key = { "idempotency-key": "order-1" }
    const first = await json(await create(app, apiKey, { repositoryUrl }, key))
    const again = await create(app, apiKey, { repositoryUrl, framework: "auto" }, key)
    expect(again.status).toBe(201)
    expect(await json(again)).toEqual(first)
    for (let i = 0; i < 9; i++) await created(app, apiKey)
    await expectError(await create(app, apiKey, { repositoryUrl }), "RATE_LIMIT_EXCEEDED")
  })

  it("rejects a repeated Idempotency-Key with a different body", async () => {
    const { apiKey } = await app.newUser()
    const key = { "idempotency-key": "order-2" }
    await create(app, apiKey, { repositoryUrl }, key)
    await expectError(await create(app, apiKey, { repositoryUrl, branch: "x" }, key), "IDEMPOTENCY_KEY_REUSED")
  })

  it("keeps the Idempotency-Keys of two users separate", async () => {
    const [one, two] = [await app.newUser(), await app.newUser()]
    const key = { "idempotency-key": "order-3" }
    const [first, second] = [
      await json(await create(app, one.apiKey, { repositoryUrl }, key)),
      await json(await create(app, two.apiKey, { repositoryUrl, branch: "x" }, key)),
    ]
    expect(first["analysisId"]).not.toBe(second["analysisId"])
  })

  it("creates one analysis from 20 identical simultaneous requests", async () => {
    const { apiKey } = await app.newUser()
    const key = { "idempotency-key": "order-4" }
    const responses = await Promise.all(Array.from({ length: 20 }, () => create(app, apiKey, { repositoryUrl }, key)))
    const accepted = responses.filter(({ status }) => status === 201)
    // A database with several connections says of a key in use that it is; the embedded one handles them in turn.
    for (const response of responses)
      if (!accepted.includes(response)) expect((await expectError(response, "INVALID_STATE")).message).toMatch("Retry")
    const ids = await Promise.all(accepted.map(async (response) => (await json(response))["analysisId"]))
    expect(new Set(ids).size).toBe(1)
    expect(await (await get(app, "/api/v1/analysis", apiKey)).json()).toHaveLength(1)
  })
})

describe("list", () => {
  it("is a bare array of exactly the documented fields, newest first", async () => {
    const { apiKey } = await app.newUser()
    const first = await created(app, apiKey)
    await app.completeNext()
    const second = (await json(await create(app, apiKey, { repositoryUrl, branch: "dev", framework: "solana" })))[
      "analysisId"
    ]
    const response = await get(app, "/api/v1/analysis", apiKey)
    expect(response.headers.get("link")).toBeNull()
    expect(await response.json()).toEqual([
      {
        analysisId: second,
        repositoryUrl,
        branch: "dev",
        framework: "solana",
        status: "pending",
        createdAt: expect.any(String),
      },
      {
        analysisId: first,
        repositoryUrl,
        branch: "main",
        framework: expect.any(String),
        status: "completed",
        createdAt: expect.any(String),
        completedAt: expect.any(String),
      },
    ])
  })

  it("is empty for a new user", async () => {
    const { apiKey } = await app.newUser()
    expect(await (await get(app, "/api/v1/analysis", apiKey)).json()).toEqual([])
  })

  it.each([
    [7, 3],
    [6, 2],
  ])("pages through %d by its Link headers, each once, and links to no empty page", async (count, expectedPages) => {
    const { apiKey } = await app.newUser()
    const ids: Array<string> = []
    for (let i = 0; i < count; i++) ids.unshift(await created(app, apiKey))
    const seen: Array<unknown> = []
    let url: string | undefined = "/api/v1/analysis?limit=3&status=pending"
    let pages = 0
    while (url !== undefined) {
      const response: Response = await get(app, url, apiKey)
      seen.push(...((await response.json()) as ReadonlyArray<{ readonly analysisId: string }>).map((i) => i.analysisId)) // a list
      url = /^<([^>]+)>; rel="next"$/.exec(response.headers.get("link") ?? "")?.[1]
      // Relative, since no public URL is configured: a client's `Host` header must not redirect anybody.
      if (url !== undefined) expect(url).toMatch(/^\/api\/v1\/analysis\?limit=3&status=pending&cursor=/)
      pages++
    }
    expect(seen).toEqual(ids)
    expect(pages).toBe(expectedPages)
  })

  it("filters by status, framework and repository, alone and combined", async () => {
    const { apiKey } = await app.newUser()
    const other = "https://github.com/example/other"
    const a = await created(app, apiKey)
    await app.failNext()
    const b = (await json(await create(app, apiKey, { repositoryUrl: other, framework: "cosmwasm" })))["analysisId"]
    const list = async (query: string) =>
      (
        (await (await get(app, `/api/v1/analysis?${query}`, apiKey)).json()) as ReadonlyArray<{ analysisId: string }>
      ).map(({ analysisId }) => analysisId) // a list
    expect(await list("status=failed")).toEqual([a])
    expect(await list("status=pending")).toEqual([b])
    expect(await list("framework=cosmwasm")).toEqual([b])
    expect(await list(`repositoryUrl=${encodeURIComponent(other)}`)).toEqual([b])
    expect(await list(`repositoryUrl=${encodeURIComponent("https://GitHub.com/example/other.git")}`)).toEqual([b])
    expect(await list(`repositoryUrl=${encodeURIComponent(other)}&status=failed`)).toEqual([])
    expect(await list("utm_source=x")).toEqual([b, a])
  })
})

describe("status", () => {
  it("has exactly the documented fields in every state", async () => {
    const { apiKey } = await app.newUser()
    const analysisId = await created(app, apiKey)
    const status = async () => (await get(app, `/api/v1/analysis/${analysisId}/status`, apiKey)).json()
    expect(await status()).toEqual({ analysisId, status: "pending", progress: 0, currentStage: "queued" })
    await app.failNext()
    expect(await status()).toMatchObject({ analysisId, status: "failed", currentStage: "compilation" })
    await send(app, "POST", `/api/v1/analysis/${analysisId}/retry`, apiKey)
    await app.completeNext()
    expect(await status()).toEqual({ analysisId, status: "completed", progress: 100, currentStage: "completed" })
  })

  it("accepts the id in upper case", async () => {
    const { apiKey } = await app.newUser()
    const analysisId = await created(app, apiKey)
    expect((await get(app, `/api/v1/analysis/${analysisId.toUpperCase()}/status`, apiKey)).status).toBe(200)
  })
})

describe("result", () => {
  it("is 409 with Retry-After until it exists", async () => {
    const { apiKey } = await app.newUser()
    const analysisId = await created(app, apiKey)
    const response = await get(app, `/api/v1/analysis/${analysisId}/result`, apiKey)
    expect(response.headers.get("retry-after")).toBe("5")
    const error = await expectError(response, "ANALYSIS_NOT_READY")
    expect(error.details).toEqual({ analysisId, status: "pending" })
  })

  it("is 409 for a failed analysis, and says why", async () => {
    const { apiKey } = await app.newUser()
    const analysisId = await created(app, apiKey)
    await app.failNext("No Solidity file could be parsed.")
    const error = await expectError(await get(app, `/api/v1/analysis/${analysisId}/result`, apiKey), "ANALYSIS_FAILED")
    expect(error).toMatchObject({
      message: "No Solidity file could be parsed.",
      details: { analysisId, stage: "compilation" },
    })
  })

  it("is what was stored, byte for byte, and its owner may cache it forever", async () => {
    const { apiKey } = await app.newUser()
    const analysisId = await created(app, apiKey)
    await app.completeNext()
    const response = await get(app, `/api/v1/analysis/${analysisId}/result`, apiKey)
    expect(response.headers.get("content-type")).toBe("application/json")
    expect(response.headers.get("cache-control")).toBe("private, max-age=31536000, immutable")
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(bytes.toString("utf8")).toBe(JSON.stringify(sampleResult(AnalysisId.make(analysisId), repositoryUrl)))
    const etag = response.headers.get("etag")!
    const cached = await get(app, `/api/v1/analysis/${analysisId}/result`, apiKey, { "if-none-match": etag })
    expect(cached.status).toBe(304)
    expect(await cached.text()).toBe("")
  })

  it("is reported as unchanged without being read, but only while it exists and is completed", async () => {
    let read = 0
    const own = await startApp({
      wrapStore: (store) => ({
        ...store,
        find: (...key) => {
          read++
          return store.find(...key)
        },
      }),
    })
    const { apiKey } = await own.newUser()
    const analysisId = await created(own, apiKey)
    const path = `/api/v1/analysis/${analysisId}`
    const ask = (what: string, etag: string) => get(own, path + what, apiKey, { "if-none-match": etag })
    await expectError(await ask("/result", `"${analysisId}"`), "ANALYSIS_NOT_READY")
    await expectError(await ask("/result", "*"), "ANALYSIS_NOT_READY")
    await own.completeNext()
    read = 0
    expect((await ask("/result", `"${analysisId}"`)).status).toBe(304)
    expect((await ask("/export?format=markdown", `"${analysisId}.markdown"`)).status).toBe(304)
    expect(read).toBe(0)
    expect((await ask("/export?format=json", `"${analysisId}.markdown"`)).status).toBe(200)
    await send(own, "DELETE", path, apiKey)
    await expectError(await ask("/result", `"${analysisId}"`), "NOT_FOUND")
    await own.close()
  })

  it("is not shown to another user, not even as unchanged", async () => {
    const [owner, other] = [await app.newUser(), await app.newUser()]
    const analysisId = await created(app, owner.apiKey)
    await app.completeNext()
    const response = await get(app, `/api/v1/analysis/${analysisId}/result`, other.apiKey, {
      "if-none-match": `"${analysisId}"`,
    })
    await expectError(response, "NOT_FOUND")
  })
})

describe("export", () => {
  it("offers JSON, Markdown, HTML and SARIF as file downloads", async () => {
    const { apiKey } = await app.newUser("pro")
    const analysisId = await created(app, apiKey)
    await app.completeNext()
    const result = sampleResult(AnalysisId.make(analysisId), repositoryUrl)
    const name = `assay-vault-${analysisId.slice(0, 8)}`
    const file = async (format: string) => {
      const response = await get(app, `/api/v1/analysis/${analysisId}/export?format=${format}`, apiKey)
      expect(response.status).toBe(200)
      return {
        type: response.headers.get("content-type"),
        disposition: response.headers.get("content-disposition"),
        text: await response.text(),
      }
    }
    expect(await file("json")).toEqual({
      type: "application/json",
      disposition: `attachment; filename="${name}.json"`,
      text: JSON.stringify(result),
    })
    expect(await file("markdown")).toEqual({
      type: "text/markdown; charset=utf-8",
      disposition: `attachment; filename="${name}.md"`,
      text: result.markdownReport,
    })
    const html = await file("html")
    expect(html).toMatchObject({
      type: "text/html; charset=utf-8",
      disposition: `attachment; filename="${name}.html"`,
    })
    expect(html.text).toContain(result.findings[0]!.title)
    const sarif = await file("sarif")
    expect(sarif).toMatchObject({
      type: "application/sarif+json",
      disposition: `attachment; filename="${name}.sarif"`,
    })
    expect(JSON.parse(sarif.text)).toMatchObject({
      version: "2.1.0",
      runs: [{ results: [{ ruleId: sampleRule.id, level: "error" }] }],
    })
  })

  it("offers SARIF on pro only", async () => {
    const { apiKey } = await app.newUser("basic")
    const analysisId = await created(app, apiKey)
    await app.completeNext()
    const path = `/api/v1/analysis/${analysisId}/export?format=`
    const error = await expectError(await get(app, `${path}sarif`, apiKey), "SUBSCRIPTION_REQUIRED")
    expect(error.details).toEqual({ requiredPlan: "pro" })
    expect((await get(app, `${path}json`, apiKey)).status).toBe(200)
    expect((await get(app, `${path}markdown`, apiKey)).status).toBe(200)
  })

  it("returns the result endpoint's 409 if there is no result", async () => {
    const { apiKey } = await app.newUser()
    const analysisId = await created(app, apiKey)
    const path = `/api/v1/analysis/${analysisId}/export?format=markdown`
    await expectError(await get(app, path, apiKey), "ANALYSIS_NOT_READY")
    await app.failNext()
    await expectError(await get(app, path, apiKey), "ANALYSIS_FAILED")
  })
})

describe("retry", () => {
  it("queues a failed analysis again", async () => {
    const { apiKey } = await app.newUser()
    const analysisId = await created(app, apiKey)
    await app.failNext()
    const response = await send(app, "POST", `/api/v1/analysis/${analysisId}/retry`, apiKey)
    expect(response.status).toBe(200)
    expect(await json(response)).toEqual({ analysisId, status: "pending", retriedAt: expect.any(String) })
    expect(await app.completeNext()).toBe(analysisId)
  })

  it("returns 409 with the state of an analysis that has not failed", async () => {
    const { apiKey } = await app.newUser()
    const analysisId = await created(app, apiKey)
    const retry = () => send(app, "POST", `/api/v1/analysis/${analysisId}/retry`, apiKey)
    expect((await expectError(await retry(), "INVALID_STATE")).details).toEqual({ analysisId, status: "pending" })
    await app.completeNext()
    expect((await expectError(await retry(), "INVALID_STATE")).details).toEqual({ analysisId, status: "completed" })
  })

  it("succeeds for exactly one of two simultaneous requests", async () => {
    const { apiKey } = await app.newUser()
    const analysisId = await created(app, apiKey)
    await app.failNext()
    const retry = () => send(app, "POST", `/api/v1/analysis/${analysisId}/retry`, apiKey)
    const statuses = (await Promise.all([retry(), retry()])).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, 409])
  })
})

describe("delete", () => {
  it("returns 204 without a body and removes the analysis and its badge", async () => {
    const { apiKey } = await app.newUser()
    const analysisId = await created(app, apiKey)
    await app.completeNext()
    const response = await send(app, "DELETE", `/api/v1/analysis/${analysisId}`, apiKey)
    expect(response.status).toBe(204)
    expect(await response.text()).toBe("")
    for (const path of ["status", "result", "events", "export?format=json", "badge", "badge.svg", "badge/shields"]) {
      await expectError(await get(app, `/api/v1/analysis/${analysisId}/${path}`, apiKey), "NOT_FOUND")
    }
    await expectError(await send(app, "DELETE", `/api/v1/analysis/${analysisId}`, apiKey), "NOT_FOUND")
    expect(await (await get(app, "/api/v1/analysis", apiKey)).json()).toEqual([])
  })
})

describe("another user's analysis", () => {
  it.each([
    ["GET", "/status"],
    ["GET", "/events"],
    ["GET", "/result"],
    ["GET", "/export?format=json"],
    ["POST", "/retry"],
    ["DELETE", ""],
  ])("does not exist for %s …%s, just like an unknown one", async (method, suffix) => {
    const [owner, other] = [await app.newUser(), await app.newUser()]
    const analysisId = await created(app, owner.apiKey)
    await app.failNext()
    const theirs = await expectError(
      await send(app, method, `/api/v1/analysis/${analysisId}${suffix}`, other.apiKey),
      "NOT_FOUND",
    )
    const unknown = await expectError(
      await send(app, method, `/api/v1/analysis/00000000-0000-0000-0000-000000000000${suffix}`, other.apiKey),
      "NOT_FOUND",
    )
    expect(theirs).toEqual(unknown)
    expect((await get(app, `/api/v1/analysis/${analysisId}/status`, owner.apiKey)).status).toBe(200)
  })

  it("is not in the list", async () => {
    const [owner, other] = [await app.newUser(), await app.newUser()]
    await created(app, owner.apiKey)
    expect(await (await get(app, "/api/v1/analysis", other.apiKey)).json()).toEqual([])
  })
})

describe("badge", () => {
  it("needs no credentials and shows zeros until completion", async () => {
    const { apiKey } = await app.newUser()
    const analysisId = await created(app, apiKey)
    const badge = async () => (await get(app, `/api/v1/analysis/${analysisId}/badge`)).json()
    const zeros = {
      totalFindings: 0,
      criticalFindings: 0,
      highFindings: 0,
      mediumFindings: 0,
      lowFindings: 0,
      informationalFindings: 0,
    }
    expect(await badge()).toEqual({ status: "pending", ...zeros })
    await app.completeNext()
    expect(await badge()).toEqual({ ...zeros, status: "completed", totalFindings: 1, highFindings: 1 })
  })

  it("is an inert image with an ETag", async () => {
    const { apiKey } = await app.newUser()
    const analysisId = await created(app, apiKey)
    await app.completeNext()
    const response = await get(app, `/api/v1/analysis/${analysisId}/badge.svg`)
    expect(response.headers.get("content-type")).toBe("image/svg+xml; charset=utf-8")
    expect(response.headers.get("content-security-policy")).toContain("default-src 'none'")
    expect(await response.text()).toMatch(/^<svg[\s\S]*<\/svg>\s*$|^<svg[^>]*\/>\s*$/)
    const etag = response.headers.get("etag")!
    const cached = await get(app, `/api/v1/analysis/${analysisId}/badge.svg`, undefined, {
      "if-none-match": `W/${etag}`,
    })
    expect(cached.status).toBe(304)
  })

  it("may be cached briefly once completed, and not at all before", async () => {
    const { apiKey } = await app.newUser()
    const analysisId = await created(app, apiKey)
    const paths = ["badge", "badge.svg", "badge/shields"].map((suffix) => `/api/v1/analysis/${analysisId}/${suffix}`)
    const control = async (path: string) => (await get(app, path)).headers.get("cache-control")
    for (const path of paths) expect(await control(path)).toBe("no-store")
    await app.completeNext()
    for (const path of paths) {
      expect(await control(path)).toBe("public, max-age=300")
      const etag = (await get(app, path)).headers.get("etag")!
      expect((await get(app, path, undefined, { "if-none-match": etag })).status).toBe(304)
    }
    await send(app, "DELETE", `/api/v1/analysis/${analysisId}`, apiKey)
    for (const path of paths) await expectError(await get(app, path), "NOT_FOUND")
  })

  it("follows the endpoint schema of shields.io", async () => {
    const { apiKey } = await app.newUser()
    const analysisId = await created(app, apiKey)
    await app.completeNext()
    expect(await (await get(app, `/api/v1/analysis/${analysisId}/badge/shields`)).json()).toMatchObject({
      schemaVersion: 1,
      label: expect.any(String),
      message: expect.any(String),
      color: expect.any(String),
    })
  })

  it("is 404 for an unknown analysis", async () => {
    for (const suffix of ["badge", "badge.svg", "badge/shields"]) {
      await expectError(await get(app, `/api/v1/analysis/00000000-0000-0000-0000-000000000000/${suffix}`), "NOT_FOUND")
    }
  })
})

describe("events", () => {
  const events = (text: string) =>
    text
      .split("\n\n")
      .flatMap((block) => block.split("\n").filter((line) => line.startsWith("data: ")))
      .map((line) => JSON.parse(line.slice(6)) as { readonly status: string }) // what the stream sends

  it("stream the status object until the terminal state", async () => {
    const { apiKey } = await app.newUser()
    const analysisId = await created(app, apiKey)
    const response = await get(app, `/api/v1/analysis/${analysisId}/events`, apiKey)
    expect(response.headers.get("content-type")).toBe("text/event-stream")
    expect(response.headers.get("cache-control")).toBe("no-store")
    await app.completeNext()
    const seen = events(await response.text())
    expect(seen[0]).toEqual({ analysisId, status: "pending", progress: 0, currentStage: "queued" })
    expect(seen.at(-1)).toEqual({ analysisId, status: "completed", progress: 100, currentStage: "completed" })
  })

  it("send the state of a finished analysis once and end; a reconnecting client gets 204", async () => {
    const { apiKey } = await app.newUser()
    const analysisId = await created(app, apiKey)
    await app.failNext()
    const path = `/api/v1/analysis/${analysisId}/events`
    const text = await (await get(app, path, apiKey)).text()
    expect(events(text).map(({ status }) => status)).toEqual(["failed"])
    const lastId = /^id: (.+)$/m.exec(text)![1]!
    expect((await get(app, path, apiKey, { "last-event-id": lastId })).status).toBe(204)
  })

  it("send keep-alive comments in the meantime, which clients ignore", async () => {
    const own = await startApp({
      settings: { streamInterval: Duration.millis(10), streamHeartbeat: Duration.millis(30) },
    })
    const { apiKey } = await own.newUser()
    const analysisId = await created(own, apiKey)
    const response = await get(own, `/api/v1/analysis/${analysisId}/events`, apiKey)
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = ""
    while (text.split(": still here\n\n").length < 4) text += (await reader.read()).value ?? ""
    await own.completeNext()
    for (;;) {
      const { value, done } = await reader.read()
      if (done) break
      text += value
    }
    // Meanwhile a worker holds it for as long as rendering the reports takes.
    const statuses = events(text).map(({ status }) => status)
    expect(statuses.filter((status) => status !== "running")).toEqual(["pending", "completed"])
    await own.close()
  })

  it("end when the analysis is deleted", async () => {
    const { apiKey } = await app.newUser()
    const analysisId = await created(app, apiKey)
    const response = await get(app, `/api/v1/analysis/${analysisId}/events`, apiKey)
    await send(app, "DELETE", `/api/v1/analysis/${analysisId}`, apiKey)
    expect(events(await response.text()).map(({ status }) => status)).toEqual(["pending"])
  })

  it("are limited to five streams per user, and closing one frees its slot", async () => {
    const { apiKey } = await app.newUser()
    const analysisId = await created(app, apiKey)
    const open = (signal: AbortSignal) =>
      fetch(`${app.url}/api/v1/analysis/${analysisId}/events`, {
        headers: { authorization: `Bearer ${apiKey}` },
        signal,
      })
    const aborts = Array.from({ length: 5 }, () => new AbortController())
    for (const abort of aborts) expect((await open(abort.signal)).status).toBe(200)
    const refused = await get(app, `/api/v1/analysis/${analysisId}/events`, apiKey)
    expect(refused.headers.get("x-ratelimit-remaining")).toBe("0")
    await expectError(refused, "RATE_LIMIT_EXCEEDED")
    aborts[0]!.abort()
    await expect
      .poll(async () => {
        const abort = new AbortController()
        const { status } = await open(abort.signal)
        abort.abort()
        return status
      })
      .toBe(200)
    for (const abort of aborts) abort.abort()
  })
})

describe("rules", () => {
  it("can be listed and looked up by id without credentials", async () => {
    const rules = (await (await get(app, "/api/v1/rules")).json()) as ReadonlyArray<object> // a list
    expect(rules).toEqual([
      {
        ruleId: sampleRule.id,
        framework: "evm",
        category: "reentrancy",
        title: sampleRule.title,
        severity: "high",
        confidence: "high",
        cwe: [841],
        swc: 107,
        description: sampleRule.description,
        remediation: sampleRule.remediation,
        references: sampleRule.references,
      },
    ])
    expect(await (await get(app, `/api/v1/rules/${sampleRule.id}`)).json()).toEqual({
      ...rules[0],
      examples: sampleExamples,
    })
    await expectError(await get(app, "/api/v1/rules/evm/reentrancy/none"), "NOT_FOUND")
    await expectError(await get(app, "/api/v1/rules/evm"), "NOT_FOUND")
  })
})
