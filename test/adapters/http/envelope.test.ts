import * as Duration from "effect/Duration"
import { once } from "node:events"
import { connect } from "node:net"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { StoreUnavailable } from "../../../application/ports/StoreUnavailable.ts"
import { startApp, type TestApp } from "../../support/app.ts"
import { bearer, create, expectError, expectEveryHeader, get, repositoryUrl, send } from "../../support/client.ts"
import { rawRequest } from "../../support/rawHttp.ts"

const id = "00000000-0000-0000-0000-000000000000"

let app: TestApp
let broken: TestApp
let apiKey: string
let brokenKey: string
beforeAll(async () => {
  app = await startApp()
  apiKey = (await app.newUser()).apiKey
  broken = await startApp({
    probe: {
      database: Effect.succeed("disconnected"),
      writes: Effect.succeed("unknown"),
      redis: Effect.succeed("connected"),
      externalServices: Effect.succeed({ github: "connected" }),
    },
    wrapStore: (store) => ({
      ...store,
      list: () => Effect.fail(new StoreUnavailable({ cause: "secret-host:5432 refused" })),
      find: () => Effect.die(new Error("secret internals")),
    }),
  })
  brokenKey = (await broken.newUser()).apiKey
})
afterAll(async () => {
  await app.close()
  await broken.close()
})

describe("unknown routes and methods", () => {
  it.each([
    ["/"],
    ["/nope"],
    ["/api/v1"],
    ["/api/v1/analysis/x/y/z"],
    ["/api/v2/analysis"],
    ["/health/x"],
    ["/%2e%2e/etc"],
  ])("%s is 404", async (path) => {
    await expectError(await get(app, path), "NOT_FOUND")
  })

  it.each([
    ["POST", "/health", "GET, HEAD, OPTIONS"],
    ["PUT", "/api/v1/analysis", "GET, HEAD, OPTIONS, POST"],
    ["PATCH", `/api/v1/analysis/${id}`, "DELETE, OPTIONS"],
    ["GET", `/api/v1/analysis/${id}`, "DELETE, OPTIONS"],
    ["GET", `/api/v1/analysis/${id}/retry`, "OPTIONS, POST"],
    ["DELETE", `/api/v1/analysis/${id}/badge.svg`, "GET, HEAD, OPTIONS"],
    ["GET", "/api/v1/repositories/sync", "OPTIONS, POST"],
    ["GET", "/api/v1/repositories/quick-sync/", "OPTIONS, POST"],
    ["POST", "/api/v1/repositories/stats", "GET, HEAD, OPTIONS"],
  ])("%s %s is 405 and says what is allowed", async (method, path, allow) => {
    const response = await fetch(app.url + path, { method })
    expect(response.headers.get("allow")).toBe(allow)
    await expectError(response, "METHOD_NOT_ALLOWED")
  })

  it("an unknown method is a 405 or rejected by the parser, in the envelope either way", async () => {
    const response = await rawRequest(app.port, "BREW /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    expect(JSON.parse(response.body)).toMatchObject({ error: { code: "VALIDATION_ERROR" } })
    expect(response.status).toBe(400)
  })

  it("OPTIONS lists what a path allows, and grants other origins nothing", async () => {
    const response = await fetch(`${app.url}/api/v1/analysis`, {
      method: "OPTIONS",
      headers: { origin: "https://evil.example", "access-control-request-method": "POST" },
    })
    expect(response.status).toBe(204)
    expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS, POST")
    expect([...response.headers.keys()].filter((name) => name.startsWith("access-control-"))).toEqual([])
    expectEveryHeader(response)
    const sync = await fetch(`${app.url}/api/v1/repositories/sync`, { method: "OPTIONS" })
    expect(sync.headers.get("allow")).toBe("OPTIONS, POST")
    await expectError(await fetch(`${app.url}/nope`, { method: "OPTIONS" }), "NOT_FOUND")
  })

  it("HEAD has the headers of GET and no body", async () => {
    for (const path of ["/health", "/openapi.json"]) {
      const [head, whole] = [await fetch(app.url + path, { method: "HEAD" }), await get(app, path)]
      expect(head.status).toBe(200)
      expect(await head.text()).toBe("")
      expect(head.headers.get("content-length")).toBe(String((await whole.arrayBuffer()).byteLength))
      expectEveryHeader(head)
    }
  })
})

describe("requests that never reach a route", () => {
  it.each([
    ["no HTTP", "hello\r\n\r\n"],
    ["two lengths", "POST /health HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx"],
    [
      "length and chunks",
      "POST /health HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    ["a header with a line feed", "GET /health HTTP/1.1\r\nHost: x\r\nX: a\nb\r\n\r\n"],
    ["headers larger than 16 kB", `GET /health HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(20_000)}\r\n\r\n`],
    ["a URL larger than 16 kB", `GET /${"x".repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    [
      "a token of 100 kB",
      `GET /api/v1/analysis HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${"x".repeat(100_000)}\r\n\r\n`,
    ],
  ])("%s is answered in the envelope with every header, and the connection ends", async (_name, request) => {
    const response = await rawRequest(app.port, request)
    expect(response.status).toBe(400)
    expectEveryHeader({ headers: new Headers(response.headers) })
    expect(response.headers["connection"]).toBe("close")
    const body = JSON.parse(response.body)
    expect(body).toMatchObject({ error: { code: "VALIDATION_ERROR" }, requestId: response.headers["x-request-id"] })
  })

  it("an unknown Expect header is ignored", async () => {
    const response = await rawRequest(
      app.port,
      "GET /health HTTP/1.1\r\nHost: x\r\nExpect: miracle\r\nConnection: close\r\n\r\n",
    )
    expect(response.status).toBe(200)
    expectEveryHeader({ headers: new Headers(response.headers) })
  })

  it("an unsupported upgrade is ignored", async () => {
    const response = await rawRequest(
      app.port,
      "GET /nope HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
    )
    expect(response.status).toBe(404)
    expect(JSON.parse(response.body)).toMatchObject({ error: { code: "NOT_FOUND" } })
  })

  it("headers or a body that do not arrive in time get an error in the envelope", async () => {
    const own = await startApp({
      limits: { headersTimeout: 100, requestTimeout: 200, connectionsCheckingInterval: 20 },
    })
    const user = await own.newUser()
    const slowHeaders = rawRequest(own.port, "GET /health HTTP/1.1\r\nHost: x\r\nX-Slow: ")
    const slowBody = rawRequest(
      own.port,
      `POST /api/v1/analysis HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${user.apiKey}\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{`,
    )
    for (const response of await Promise.all([slowHeaders, slowBody])) {
      expect(response.status).toBe(408)
      expect(JSON.parse(response.body)).toMatchObject({ error: { code: "REQUEST_TIMEOUT" } })
      expectEveryHeader({ headers: new Headers(response.headers) })
    }
    expect((await get(own, "/health")).status).toBe(200)
    await own.close()
  })

  it("the service still responds afterwards", async () => {
    expect((await get(app, "/health")).status).toBe(200)
  })
})

describe("our own failures", () => {
  it("a defect is 500 without internals", async () => {
    const error = await expectError(await get(broken, `/api/v1/analysis/${id}/result`, brokenKey), "INTERNAL_ERROR")
    expect(JSON.stringify(error)).not.toContain("secret")
  })

  it("an unavailable store is 503 with Retry-After, without internals", async () => {
    const response = await get(broken, "/api/v1/analysis", brokenKey)
    expect(response.headers.get("retry-after")).toBe("5")
    expect(JSON.stringify(await expectError(response, "SERVICE_UNAVAILABLE"))).not.toContain("secret")
  })

  it("detailed health reports degraded, in the shape of both health and an error", async () => {
    const response = await get(broken, "/health/detailed")
    const body = await response.clone().json()
    expect(response.status).toBe(503)
    expect(body).toMatchObject({
      status: "degraded",
      database: "disconnected",
      redis: "connected",
      externalServices: { github: "connected" },
      error: { code: "SERVICE_UNAVAILABLE" },
      requestId: response.headers.get("x-request-id"),
    })
    expectEveryHeader(response)
    expect((await get(broken, "/health/ready")).status).toBe(503)
    expect((await get(broken, "/health")).status).toBe(200)
  })
})

describe("health", () => {
  it("has exactly the documented fields", async () => {
    expect(await (await get(app, "/health")).json()).toEqual({ status: "ok" })
    const detailed = (await (await get(app, "/health/detailed")).json()) as { readonly uptime: number }
    expect(detailed).toEqual({
      status: "ok",
      database: "connected",
      redis: "connected",
      uptime: expect.any(Number),
      externalServices: {},
    })
    expect(Number.isInteger(detailed.uptime)).toBe(true)
    expect(await (await get(app, "/health/ready")).json()).toEqual({ status: "ok" })
  })
})

describe("the request id", () => {
  it("is the client's if it is well-formed, and a new one otherwise", async () => {
    const given = await get(app, "/health", undefined, { "x-request-id": "client-42.a_b" })
    expect(given.headers.get("x-request-id")).toBe("client-42.a_b")
    for (const bad of ["short", "x".repeat(65), 'a"b"c"d"e', "<script>1", "-starts-with-dash"]) {
      const response = await get(app, "/health", undefined, { "x-request-id": bad })
      expect(response.headers.get("x-request-id")).not.toBe(bad)
      expectEveryHeader(response)
    }
  })
})

describe("the request log", () => {
  it("has one line per request with its id, and no secrets", async () => {
    const own = await startApp()
    const user = await own.newUser()
    await get(own, "/api/v1/analysis?repositoryUrl=https://github.com/private/name", user.apiKey, {
      "x-request-id": "log-test-1",
    })
    await fetch(`${own.url}/nope`, { headers: { ...bearer("assay_secret"), "x-request-id": "log-test-2" } })
    await own.close()
    const lines = own.logLines()
    expect(lines.map(({ requestId }) => requestId)).toEqual(["log-test-1", "log-test-2"])
    expect(lines[0]).toMatchObject({
      level: "info",
      message: "request",
      method: "GET",
      route: "/api/v1/analysis",
      status: 200,
      userId: user.userId,
    })
    expect(lines[1]).toMatchObject({ route: "/nope", status: 404 })
    expect(JSON.stringify(lines)).not.toMatch(/assay_|private/)
  })

  it("can be turned off", async () => {
    const own = await startApp({ settings: { requestLog: "none" } })
    await get(own, "/health")
    await own.close()
    expect(own.logLines()).toEqual([])
  })
})

describe("every response of every endpoint", () => {
  it("has every header", async () => {
    const responses = [
      await get(app, "/health"),
      await get(app, "/docs"),
      await get(app, "/openapi.json"),
      await get(app, "/api/v1/rules"),
      await get(app, "/api/v1/analysis", apiKey),
      await get(app, "/api/v1/analysis"),
      await create(app, apiKey, { repositoryUrl }),
      await get(app, `/api/v1/analysis/${id}/badge.svg`),
      await send(app, "DELETE", `/api/v1/analysis/${id}`, apiKey),
    ]
    for (const response of responses) expectEveryHeader(response)
  })
})

describe("shutting down", () => {
  it("ends open streams, completes requests in progress and frees the port", async () => {
    const own = await startApp({ settings: { streamInterval: Duration.millis(10) } })
    const user = await own.newUser()
    const response = await create(own, user.apiKey, { repositoryUrl })
    const { analysisId } = (await response.json()) as { readonly analysisId: string } // a 201
    const stream = await get(own, `/api/v1/analysis/${analysisId}/events`, user.apiKey)
    const [text] = await Promise.all([stream.text(), own.close()])
    expect(text).toContain('"status":"pending"')
    await expect(fetch(`${own.url}/health`)).rejects.toThrow()
  })

  it("does not wait for connections without any request", async () => {
    const own = await startApp()
    const socket = connect(own.port, "127.0.0.1")
    await once(socket, "connect")
    await Promise.all([once(socket, "close"), own.close()])
    expect(socket.destroyed).toBe(true)
  }, 5000)
})
