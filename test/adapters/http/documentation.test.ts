import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openApiDocument } from "../../../adapters/http/openapi/document.ts"
import { policies } from "../../../adapters/http/policy.ts"
import { startApp, type TestApp } from "../../support/app.ts"
import { create, created, get, repositoryUrl, send } from "../../support/client.ts"
import { contents, operations, validator } from "../../support/openApi.ts"
import { endpointOf } from "../../support/endpointOf.ts"

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const operationOf = (path: string, method: string) =>
  operations.find((one) => one.path === path && one.method === method)!

/** Checks that a body matches the document's schema of the response. */
const expectDocumented = async (response: Response, path: string, method = "get") => {
  const described = operationOf(path, method).responses[String(response.status)]
  expect(described).toBeDefined()
  const [type] = response.headers.get("content-type")!.split(";")
  const validate = validator(Object.fromEntries(contents(described!))[type!]!["schema"])
  validate(await response.json())
  expect(validate.errors).toBeNull()
}

describe("the OpenAPI document", () => {
  it("is served as JSON, in version 3.1, cacheable and with an ETag", async () => {
    const response = await get(app, "/openapi.json")
    expect(response.headers.get("content-type")).toBe("application/json")
    expect(await response.json()).toEqual(JSON.parse(JSON.stringify(openApiDocument)))
    expect(openApiDocument.openapi).toMatch(/^3\.1/)
    const etag = response.headers.get("etag")!
    expect((await get(app, "/openapi.json", undefined, { "if-none-match": etag })).status).toBe(304)
  })

  it("describes every endpoint of the interface", () => {
    const described = Object.entries(openApiDocument.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(described.toSorted()).toEqual([
      "DELETE /api/v1/analysis/{id}",
      "DELETE /api/v1/api-keys/{id}",
      "DELETE /api/v1/invitations/{id}",
      "DELETE /api/v1/organizations/{id}/members/{userId}",
      "DELETE /api/v1/settings/hosting-token",
      "GET /.well-known/jwks.json",
      "GET /api/subscriptions/plans",
      "GET /api/subscriptions/status",
      "GET /api/v1/analysis",
      "GET /api/v1/analysis/{id}/access",
      "GET /api/v1/analysis/{id}/badge",
      "GET /api/v1/analysis/{id}/badge.svg",
      "GET /api/v1/analysis/{id}/badge/shields",
      "GET /api/v1/analysis/{id}/compare/{otherId}",
      "GET /api/v1/analysis/{id}/deliveries",
      "GET /api/v1/analysis/{id}/events",
      "GET /api/v1/analysis/{id}/export",
      "GET /api/v1/analysis/{id}/findings",
      "GET /api/v1/analysis/{id}/findings/{fingerprint}",
      "GET /api/v1/analysis/{id}/result",
      "GET /api/v1/analysis/{id}/source",
      "GET /api/v1/analysis/{id}/status",
      "GET /api/v1/api-keys",
      "GET /api/v1/invitations",
      "GET /api/v1/me",
      "GET /api/v1/organizations/{id}",
      "GET /api/v1/overview",
      "GET /api/v1/repositories",
      "GET /api/v1/repositories/stats",
      "GET /api/v1/repositories/{id}",
      "GET /api/v1/repositories/{id}/findings",
      "GET /api/v1/repositories/{id}/findings/{fingerprint}",
      "GET /api/v1/rules",
      "GET /api/v1/rules/{framework}/{category}/{rule}",
      "GET /api/v1/settings/hosting-token",
      "GET /api/v1/settings/webhook-secret",
      "GET /auth/github",
      "GET /auth/github/callback",
      "GET /auth/start",
      "GET /docs",
      "GET /health",
      "GET /health/detailed",
      "GET /health/ready",
      "GET /openapi.json",
      "PATCH /api/v1/analysis/{id}/findings",
      "PATCH /api/v1/analysis/{id}/findings/{fingerprint}",
      "PATCH /api/v1/organizations/{id}",
      "PATCH /api/v1/repositories/{id}/findings",
      "PATCH /api/v1/repositories/{id}/findings/{fingerprint}",
      "POST /api/subscriptions/checkout",
      "POST /api/subscriptions/portal",
      "POST /api/subscriptions/webhook",
      "POST /api/v1/analysis",
      "POST /api/v1/analysis/{id}/deliveries/{deliveryId}/redeliver",
      "POST /api/v1/analysis/{id}/retry",
      "POST /api/v1/api-keys",
      "POST /api/v1/api-keys/{id}/rotate",
      "POST /api/v1/invitations/{id}/accept",
      "POST /api/v1/organizations",
      "POST /api/v1/organizations/{id}/members",
      "POST /api/v1/repositories/quick-sync",
      "POST /api/v1/repositories/sync",
      "POST /api/v1/settings/webhook-secret",
      "POST /auth/logout",
      "POST /auth/refresh",
      "POST /auth/session",
      "PUT /api/v1/settings/hosting-token",
    ])
  })

  it("lists the headers of every response, and the summary, limit and security of every operation", () => {
    for (const { operation, responses } of operations) {
      expect(operation["summary"]).toBeTruthy()
      expect(operation["description"]).toMatch(/Limit: \d+\/hour/)
      const policy = policies[endpointOf[operation["operationId"] as string]!]!
      expect(operation["security"] ?? openApiDocument.security).toHaveLength(policy.auth === "caller" ? 2 : 0)
      const limits = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"]
      for (const [status, { headers }] of Object.entries(responses)) {
        const expected = status === "429" ? [...limits, "X-Request-Id"] : Number(status) < 400 ? [] : ["X-Request-Id"]
        expect(Object.keys((headers ?? {}) as object)).toEqual(expect.arrayContaining(expected))
      }
    }
  })

  it("states the limits of lengths and numbers that are enforced", () => {
    const { parameters } = operationOf("/api/v1/analysis", "get")
    const limit = parameters.find(({ name }) => name === "limit")
    expect(limit).toMatchObject({ in: "query", required: false, schema: { type: "integer", minimum: 1, maximum: 100 } })
    const cursor = parameters.find(({ name }) => name === "cursor")
    expect(JSON.stringify(cursor)).toContain('"maxLength":200')
    const [id] = operationOf("/api/v1/analysis/{id}/status", "get").parameters
    expect(JSON.stringify(id)).toContain('"format":"uuid"')
    const body = JSON.stringify(openApiDocument.components.schemas["CreateAnalysis"])
    expect(body).toContain('"maxLength":2048')
    expect(body).toContain('"additionalProperties":false')
  })

  it("has an example body that is accepted", async () => {
    const { apiKey } = await app.newUser()
    const schema = openApiDocument.components.schemas["CreateAnalysis"] as { readonly examples: ReadonlyArray<unknown> }
    expect(schema.examples.length).toBeGreaterThan(0)
    for (const example of schema.examples) expect((await create(app, apiKey, example)).status).toBe(201)
    for (let i = 0; i < schema.examples.length; i++) await app.failNext()
  })

  it("matches the responses, successes and errors", async () => {
    const { apiKey } = await app.newUser("basic")
    const base = "/api/v1/analysis"
    await expectDocumented(await create(app, apiKey, { repositoryUrl }), base, "post")
    await expectDocumented(await create(app, apiKey, {}), base, "post")
    await expectDocumented(await create(app, apiKey, { repositoryUrl }, { "content-type": "text/plain" }), base, "post")
    await expectDocumented(await create(app, apiKey, "x".repeat(2_000_000)), base, "post")
    await app.failNext()
    await expectDocumented(await get(app, base, apiKey), base)
    await expectDocumented(await get(app, base), base)
    const id = await created(app, apiKey)
    await expectDocumented(await get(app, `${base}/${id}/status`, apiKey), `${base}/{id}/status`)
    await expectDocumented(await get(app, `${base}/${id}/result`, apiKey), `${base}/{id}/result`)
    await expectDocumented(await get(app, `${base}/${id}/badge`), `${base}/{id}/badge`)
    await expectDocumented(await get(app, `${base}/${id}/badge/shields`), `${base}/{id}/badge/shields`)
    await expectDocumented(await send(app, "POST", `${base}/${id}/retry`, apiKey), `${base}/{id}/retry`, "post")
    await app.failNext()
    await expectDocumented(await get(app, `${base}/${id}/result`, apiKey), `${base}/{id}/result`)
    await expectDocumented(await get(app, `${base}/${id}/badge/shields`), `${base}/{id}/badge/shields`)
    await expectDocumented(await send(app, "POST", `${base}/${id}/retry`, apiKey), `${base}/{id}/retry`, "post")
    await app.completeNext()
    await expectDocumented(await get(app, `${base}/${id}/result`, apiKey), `${base}/{id}/result`)
    await expectDocumented(await get(app, `${base}/${id}/export?format=json`, apiKey), `${base}/{id}/export`)
    await expectDocumented(await get(app, `${base}/${id}/export?format=sarif`, apiKey), `${base}/{id}/export`)
    await expectDocumented(await get(app, "/health"), "/health")
    await expectDocumented(await get(app, "/health/detailed"), "/health/detailed")
    await expectDocumented(await get(app, "/api/v1/rules"), "/api/v1/rules")
  })
})

describe("the reference page", () => {
  it("loads nothing from other origins and runs no script", async () => {
    const response = await get(app, "/docs")
    const html = await response.text()
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8")
    expect(response.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'sha256-/)
    expect(html).not.toMatch(/<script|<link|<img|<iframe|src=|@import|url\(|\son[a-z]+=/i)
  })

  it("shows every operation", async () => {
    const html = await (await get(app, "/docs")).text()
    for (const [path, methods] of Object.entries(openApiDocument.paths)) {
      expect(html).toContain(path)
      for (const { operationId } of Object.values(methods)) expect(html).toContain(`id="${operationId}"`)
    }
  })
})
