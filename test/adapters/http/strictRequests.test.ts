import * as Duration from "effect/Duration"
import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startApp, type TestApp } from "../../support/app.ts"
import { create, expectError, expectEveryHeader, get, repositoryUrl, send } from "../../support/client.ts"
import { rawRequest } from "../../support/rawHttp.ts"
import { cpuTime } from "../../support/cpuTime.ts"

let app: TestApp
let apiKey: string
beforeAll(async () => {
  app = await startApp({ settings: { bodyTimeout: Duration.millis(250) } })
  apiKey = (await app.newUser()).apiKey
})
afterAll(() => app.close())

const raw = async (request: string) => {
  const response = await rawRequest(app.port, request)
  expectEveryHeader({ headers: new Headers(response.headers) })
  const { error, requestId } = JSON.parse(response.body)
  expect(requestId).toBe(response.headers["x-request-id"])
  return { status: response.status, code: error?.code, connection: response.headers["connection"] }
}

const headers = (count: number) => Array.from({ length: count }, (_, i) => `a${i}: 1\r\n`).join("")

describe("requests that Node would answer without a body or misinterpret", () => {
  it.each([
    ["no Host", "GET /health HTTP/1.1\r\n\r\n"],
    ["two Hosts", "GET /health HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n"],
    ["two Hosts in HTTP/1.0", "GET /health HTTP/1.0\r\nHost: a\r\nhost: b\r\n\r\n"],
    [
      "two Authorizations",
      "GET /health HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer a\r\nauthorization: Bearer b\r\n\r\n",
    ],
    ["101 headers", `GET /health HTTP/1.1\r\nHost: a\r\n${headers(100)}\r\n`],
  ])("%s is 400 in the envelope, and the connection ends", async (_name, request) => {
    expect(await raw(request)).toEqual({ status: 400, code: "VALIDATION_ERROR", connection: "close" })
  })

  it("the last of 100 headers counts, even if it holds the credentials", async () => {
    const response = await rawRequest(
      app.port,
      `GET /api/v1/me HTTP/1.1\r\nHost: a\r\n${headers(97)}Connection: close\r\nAuthorization: Bearer ${apiKey}\r\n\r\n`,
    )
    expect(response.status).toBe(200)
  })

  it("HTTP/1.0 needs no Host", async () => {
    expect((await rawRequest(app.port, "GET /health HTTP/1.0\r\n\r\n")).status).toBe(200)
  })

  it("CONNECT is 405 in the envelope and lists the existing methods", async () => {
    const response = await rawRequest(app.port, "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n")
    expectEveryHeader({ headers: new Headers(response.headers) })
    expect(response.status).toBe(405)
    expect(response.headers["allow"]).toMatch(/DELETE, GET, HEAD, OPTIONS, .*POST/)
    expect(JSON.parse(response.body)).toMatchObject({ error: { code: "METHOD_NOT_ALLOWED" } })
  })

  it.each([["/HEALTH"], ["//health"], ["/health;x=1"], ["/api/v1//rules"], ["/Api/v1/rules"], ["/api/v1/rules;a/b"]])(
    "%s is not a spelling of another path",
    async (path) => {
      const request = `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`
      expect(await raw(request)).toMatchObject({ status: 404, code: "NOT_FOUND" })
    },
  )

  it.each([
    "http://[/health",
    "http://%zz/health",
    "http://a:99999/health",
    "http:///health",
    "http://",
    "http://user:password@a/health",
    "ftp://a/health",
  ])("%s, neither a path nor a URL of ours, is 400 in the envelope", async (target) => {
    const request = `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`
    expect(await raw(request)).toEqual({ status: 400, code: "VALIDATION_ERROR", connection: "close" })
  })

  it.each(["/../health", "/./health", "//health", "/health#a", "/health;a", "/HEALTH"])(
    "http://a%s is not a spelling of another path either",
    async (path) => {
      const request = `GET http://a${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`
      expect(await raw(request)).toMatchObject({ status: 404, code: "NOT_FOUND" })
    },
  )

  it.each(["http://a/health", "HTTPS://a:1/health?a=b", "http://[::1]/health"])(
    "%s is accepted as the URL of a path",
    async (target) => {
      const request = `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`
      expect((await rawRequest(app.port, request)).status).toBe(200)
    },
  )

  it.each([
    ["refused", "POST /api/v1/analysis", "Content-Length: 100\r\n\r\n{", 401],
    ["for an unknown path", "POST /nowhere", "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n", 404],
    ["that needs no body", "GET /health", "Content-Length: 1\r\n\r\n", 200],
  ])("a request %s, answered before its body came, does not keep its connection", async (_name, line, rest, status) => {
    const socket = connect(app.port, "127.0.0.1")
    const closed = once(socket, "close")
    socket.write(`${line} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${rest}`)
    const [answer] = await once(socket, "data")
    expect(String(answer)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    await closed
  })

  it("bodies that arrive after their responses do not corrupt a kept-alive connection", async () => {
    const warnings: Array<string> = []
    const note = ({ name }: Error) => warnings.push(name)
    process.on("warning", note)
    const socket = connect(app.port, "127.0.0.1")
    for (let request = 0; request < 12; request++) {
      socket.write("GET /health HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n")
      expect(String((await once(socket, "data"))[0])).toMatch(/^HTTP\/1.1 200 /)
      socket.write("x")
    }
    await new Promise((resolve) => setTimeout(resolve, 200))
    socket.write("GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
    expect(String((await once(socket, "data"))[0])).toMatch(/^HTTP\/1.1 200 /)
    socket.destroy()
    process.off("warning", note)
    expect(warnings).toEqual([])
  })

  it("a body that stalls is 408 in the envelope, whether its length is known or not, and the connection ends", async () => {
    const head = `POST /api/v1/analysis HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\n`
    const expected = { status: 408, code: "REQUEST_TIMEOUT", connection: "close" }
    expect(await raw(`${head}Content-Length: 100\r\n\r\n{"a`)).toEqual(expected)
    expect(await raw(`${head}Transfer-Encoding: chunked\r\n\r\n3\r\n{"a\r\n`)).toEqual(expected)
  })

  it("a chunked body that grows too long is a 413 in the envelope", async () => {
    const piece = `40000\r\n${"x".repeat(0x40000)}\r\n`
    const request = `POST /api/v1/analysis HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${piece.repeat(5)}0\r\n\r\n`
    expect(await raw(request)).toMatchObject({ status: 413, code: "PAYLOAD_TOO_LARGE" })
  })

  it.each([
    ["", (body: string) => `Content-Length: ${body.length}\r\n\r\n${body}`],
    [
      "in chunks ",
      (body: string) => `Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    ],
  ])("a body sent %swith an unsupported upgrade is read, as curl sends it", async (_name, sent) => {
    const request = `POST /api/v1/analysis HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey}\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nContent-Type: application/json\r\n${sent(JSON.stringify({ repositoryUrl }))}`
    expect((await rawRequest(app.port, request, 1000)).status).toBe(201)
  })

  it("no error is written into a response that has begun", async () => {
    const own = await startApp({
      limits: { headersTimeout: 100, requestTimeout: 200, connectionsCheckingInterval: 20 },
    })
    const user = await own.newUser()
    const response = await create(own, user.apiKey, { repositoryUrl })
    const { analysisId } = (await response.json()) as { readonly analysisId: string } // a 201
    const stream = await rawRequest(
      own.port,
      `GET /api/v1/analysis/${analysisId}/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${user.apiKey}\r\nContent-Length: 10\r\n\r\n{`,
    )
    expect(stream.status).toBe(200)
    expect(stream.body).not.toContain("HTTP/1.1")
    await own.close()
  })
})

describe("media types", () => {
  it.each([
    ["application/json", 201],
    ['Application/JSON ; Charset = "UTF-8" ;', 201],
    ["application/json;charset=latin1", 415],
    ["application/json;boundary=x", 415],
    ["application/jsonx", 415],
    ["application/json,text/plain", 415],
  ])("%s is %i", async (type, status) => {
    expect((await create(app, apiKey, { repositoryUrl }, { "content-type": type })).status).toBe(status)
    if (status === 201) await app.failNext()
  })

  it("of 15,000 spaces takes no time to reject", async () => {
    const type = `application/json${" ".repeat(15_000)}x`
    const before = cpuTime()
    for (let i = 0; i < 10; i++) {
      await expectError(await create(app, apiKey, {}, { "content-type": type }), "UNSUPPORTED_MEDIA_TYPE")
    }
    const took = cpuTime() - before
    // Microseconds; an expression that backtracks takes 10 times this for one.
    expect(took).toBeLessThan(1_000)
  })
})

describe("cursors", () => {
  it.each([
    ["999999999999999.00000000-0000-0000-0000-000000000000"],
    ["253402300800000.00000000-0000-0000-0000-000000000000"],
    ["1.------------------------------------"],
    ["1.000000000000000000000000000000000000"],
    ["1.0000000-00000-0000-0000-000000000000"],
    ["-1.00000000-0000-0000-0000-000000000000"],
    [""],
  ])("made of %j are refused", async (text) => {
    const cursor = Buffer.from(text).toString("base64url")
    await expectError(await get(app, `/api/v1/analysis?cursor=${cursor}`, apiKey), "VALIDATION_ERROR")
  })
})

describe("an idempotent creation whose analysis was deleted", () => {
  it("is 409 and names it", async () => {
    const key = { "idempotency-key": crypto.randomUUID() }
    const first = await create(app, apiKey, { repositoryUrl }, key)
    const { analysisId } = (await first.json()) as { readonly analysisId: string } // a 201
    await send(app, "DELETE", `/api/v1/analysis/${analysisId}`, apiKey)
    const error = await expectError(await create(app, apiKey, { repositoryUrl }, key), "INVALID_STATE")
    expect(error.details).toEqual({ analysisId, status: "deleted" })
  })
})

describe("connections of one address", () => {
  const opened = async (port: number, localAddress: string): Promise<Socket> => {
    const socket = connect({ port, host: "127.0.0.1", localAddress })
    socket.on("error", () => {})
    await once(socket, "connect")
    return socket
  }

  it("are capped while others get through, and closing one frees its place", async () => {
    const own = await startApp({ settings: { connectionsPerAddress: 3 } })
    const held = await Promise.all([1, 2, 3].map(() => opened(own.port, "127.0.0.1")))
    const refused = await opened(own.port, "127.0.0.1")
    await once(refused.resume(), "close")
    const other = await opened(own.port, "127.0.0.2")
    other.write("GET /health HTTP/1.1\r\nHost: x\r\n\r\n")
    expect(String((await once(other, "data"))[0])).toMatch(/^HTTP\/1\.1 200/)
    for (const socket of held) socket.destroy()
    await expect.poll(() => rawRequest(own.port, "GET /health HTTP/1.0\r\n\r\n").then(({ status }) => status)).toBe(200)
    other.destroy()
    await own.close()
  })

  it("are left to the proxy if one is trusted", async () => {
    const own = await startApp({ settings: { connectionsPerAddress: 1, trustedProxies: 1 } })
    const held = await opened(own.port, "127.0.0.1")
    expect((await get(own, "/health")).status).toBe(200)
    held.destroy()
    await own.close()
  })
})
