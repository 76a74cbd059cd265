import { type IncomingMessage, request } from "node:http"
import { gunzipSync } from "node:zlib"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest"
import { rememberResults } from "../../../adapters/memory/rememberResults.ts"
import { startApp, type TestApp } from "../../support/app.ts"
import { bearer, created, expectEveryHeader } from "../../support/client.ts"

let app: TestApp
beforeAll(async () => {
  app = await startApp({
    cache: rememberResults(),
    unlimited: true,
  })
})
beforeEach(() => app.reset())
afterAll(() => app.close())

/** Responses that a test left unread. */
const open: Array<IncomingMessage> = []
afterEach(() => {
  for (const response of open.splice(0)) response.destroy()
})

/** A response whose body has been neither read nor decompressed. */
const ask = (path: string, apiKey: string, headers: Record<string, string> = {}, method = "GET", of = app) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    request(`${of.url}${path}`, { method, headers: { ...bearer(apiKey), ...headers }, agent: false }, (response) => {
      response.pause()
      open.push(response)
      resolve(response)
    })
      .on("error", reject)
      .end()
  })

const bodyOf = async (response: IncomingMessage): Promise<Buffer> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of response) chunks.push(chunk as Buffer) // no encoding is set
  return Buffer.concat(chunks)
}

const gzip = { "accept-encoding": "gzip, deflate, br" }

/** A completed analysis whose only large report is the Markdown one. */
const completed = async (markdownReport: string) => {
  const { apiKey } = await app.newUser("pro")
  const analysisId = await created(app, apiKey)
  await app.completeNext({ markdownReport })
  return { apiKey, path: `/api/v1/analysis/${analysisId}` }
}

describe("a report", () => {
  it.each([
    ["small", "# ünï\n"],
    [
      "too large to be decompressed before it is sent",
      `# Report\n${"a line that comes again and again\n".repeat(150_000)}`,
    ],
  ])("that is %s is the same bytes for clients that take gzip and for those that do not", async (_, text) => {
    const { apiKey, path } = await completed(text)
    for (const what of ["/result", "/export?format=json", "/export?format=markdown", "/export?format=sarif"]) {
      const [plain, packed] = [await ask(path + what, apiKey), await ask(path + what, apiKey, gzip)]
      const [plainBody, packedBody] = [await bodyOf(plain), await bodyOf(packed)]
      expect(plain.headers["content-encoding"]).toBeUndefined()
      expect(packed.headers["content-encoding"]).toBe("gzip")
      expect(gunzipSync(packedBody).equals(plainBody)).toBe(true)
      expect(Number(plain.headers["content-length"])).toBe(plainBody.length)
      expect(Number(packed.headers["content-length"])).toBe(packedBody.length)
      for (const { statusCode, headers } of [plain, packed]) {
        expect(statusCode).toBe(200)
        expect(headers.vary).toBe("Accept-Encoding")
        expect(headers["cache-control"]).toBe("private, max-age=31536000, immutable")
      }
      expect(packed.headers["content-type"]).toBe(plain.headers["content-type"])
      expect(packed.headers["content-disposition"]).toBe(plain.headers["content-disposition"])
      if (what.endsWith("markdown")) expect(plainBody.toString()).toBe(text)
    }
  })

  it.each([
    ["gzip", "gzip"],
    ["GZIP;q=0.5", "gzip"],
    ["*", "gzip"],
    ["br, *;q=0.1", "gzip"],
    ["identity;q=0.5, gzip", "gzip"],
    ["gzip;q=0", undefined],
    ["gzip;q=0.2, identity;q=0.8", undefined],
    ["*;q=0", undefined],
    ["br", undefined],
    ["", undefined],
    ["gzip;q=nonsense", undefined],
  ])("asked for with `Accept-Encoding: %s` comes in %s", async (accepted, coding) => {
    const { apiKey, path } = await completed("# Report\n")
    const response = await ask(`${path}/result`, apiKey, { "accept-encoding": accepted })
    expect(response.headers["content-encoding"]).toBe(coding)
  })

  it("has one ETag per content coding, and either of them yields a 304", async () => {
    const { apiKey, path } = await completed("# Report\n")
    for (const what of ["/result", "/export?format=sarif"]) {
      const [plain, packed] = [await ask(path + what, apiKey), await ask(path + what, apiKey, gzip)]
      const tags = [plain.headers.etag!, packed.headers.etag!]
      expect(new Set(tags).size).toBe(2)
      for (const etag of tags) {
        for (const headers of [{}, gzip]) {
          const again = await ask(path + what, apiKey, { "if-none-match": `"x", W/${etag}`, ...headers })
          expect(again.statusCode).toBe(304)
          expect(again.headers).toMatchObject({ etag, vary: "Accept-Encoding" })
          expect(await bodyOf(again)).toHaveLength(0)
        }
      }
    }
  })

  it("has every header and no body in response to HEAD", async () => {
    const { apiKey, path } = await completed(`# Report\n${"again ".repeat(1_000_000)}`)
    const { date: _, "x-request-id": __, ...headers } = (await ask(`${path}/result`, apiKey, gzip)).headers
    const head = await ask(`${path}/result`, apiKey, gzip, "HEAD")
    expect(head.statusCode).toBe(200)
    const same = ["content-length", "content-type", "content-encoding", "etag", "vary", "cache-control"]
    for (const name of same) expect([name, head.headers[name]]).toEqual([name, headers[name]])
    const plain = await ask(`${path}/export?format=markdown`, apiKey, {}, "HEAD")
    expect(plain.headers["content-length"]).toBe(String(9 + 6_000_000))
    expect(await bodyOf(plain)).toHaveLength(0)
  })
})

describe("large reports that nobody reads", () => {
  /** More than the system's buffers hold, so that an unread one stays in the process. */
  const large = 16_000_000
  const bytes = new Map<string, Uint8Array>()
  let busy: TestApp
  beforeAll(async () => {
    busy = await startApp({
      unlimited: true,
      limits: { writeTimeout: 3_000 },
      settings: { largeAnswersPerCaller: 4, largeAnswerBytes: 4.5 * large },
      // One report for all analyses, so that no database has to store them.
      wrapStore: (store) => ({
        ...store,
        report: (analysisId) =>
          Effect.sync(() => {
            const gzip = bytes.get(analysisId) ?? Buffer.alloc(large, analysisId)
            bytes.set(analysisId, gzip)
            return Option.some({ gzip, size: 1 })
          }),
      }),
    })
  })
  afterAll(() => busy.close())

  const reportOf = async (owner?: string) => {
    const apiKey = owner ?? (await busy.newUser("pro")).apiKey
    const analysisId = await created(busy, apiKey)
    await busy.completeNext()
    const path = `/api/v1/analysis/${analysisId}`
    return { apiKey, path, download: () => ask(`${path}/result`, apiKey, gzip, "GET", busy) }
  }

  it("are limited to four per caller at a time, and cut off when nothing is read for a while; others are not affected", async () => {
    const [mine, other] = [await reportOf(), await reportOf()]
    const held = await Promise.all(Array.from({ length: 4 }, mine.download))
    expect(held.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
    const refused = await mine.download()
    expect(refused.statusCode).toBe(429)
    expect(refused.headers).toMatchObject({
      "retry-after": "5",
      "x-ratelimit-limit": "4",
      "x-ratelimit-remaining": "0",
    })
    expectEveryHeader({ headers: new Headers(refused.headers as Record<string, string>) }) // none comes twice
    expect(JSON.parse((await bodyOf(refused)).toString())).toMatchObject({ error: { code: "RATE_LIMIT_EXCEEDED" } })
    expect((await ask(`${mine.path}/status`, mine.apiKey, {}, "GET", busy)).statusCode).toBe(200)
    expect(await bodyOf(await other.download())).toHaveLength(large)
    // Cutting them off makes room.
    await vi.waitFor(async () => expect((await mine.download()).statusCode).toBe(200), 15_000)
    const ends = held.map((response) => bodyOf(response).then(({ length }) => length, String))
    expect(await Promise.all(ends)).toContain("Error: aborted")
  })

  it("are limited per caller to a quarter of the total across several results", async () => {
    const mine = await reportOf()
    const another = await reportOf(mine.apiKey)
    expect((await mine.download()).statusCode).toBe(200)
    expect((await mine.download()).statusCode).toBe(200)
    expect((await another.download()).statusCode).toBe(429)
  })

  it("are limited in total bytes: what several clients read is held once, and anything beyond is rejected for now", async () => {
    const reports = await Promise.all(Array.from({ length: 5 }, () => reportOf()))
    const [shared, , , , last] = reports
    const before = process.memoryUsage().arrayBuffers
    const held = await Promise.all(
      [shared!, shared!, shared!, ...reports.slice(0, 4)].map(({ download }) => download()),
    )
    expect(held.map(({ statusCode }) => statusCode)).toEqual(held.map(() => 200))
    const refused = await last!.download()
    expect(refused.statusCode).toBe(503)
    expect(refused.headers["retry-after"]).toBe("5")
    expect(JSON.parse((await bodyOf(refused)).toString())).toMatchObject({ error: { code: "SERVICE_UNAVAILABLE" } })
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(5.5 * large)
    for (const response of held) response.destroy()
    await vi.waitFor(async () => expect((await last!.download()).statusCode).toBe(200), 15_000)
  })
})
