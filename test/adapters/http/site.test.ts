import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { brotliCompressSync, gzipSync } from "node:zlib"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { loadSite } from "../../../adapters/http/pages/StaticSite.ts"
import { isPage } from "../../../apps/dashboard/addresses.ts"
import { startApp, type TestApp } from "../../support/app.ts"
import { bearer, expectError, expectEveryHeader } from "../../support/client.ts"
import { rawRequest } from "../../support/rawHttp.ts"

const page = `<!doctype html><meta name="assay-offers" content="" /><title>Assay</title>`
const script = "console.log(1)\n".repeat(200)

const folder = mkdtempSync(join(tmpdir(), "assay-site-"))
mkdirSync(join(folder, "assets"))
writeFileSync(join(folder, "index.html"), page.replace('content=""', 'content="github billing"'))
writeFileSync(join(folder, "assets/index-AbC.js"), script)
writeFileSync(join(folder, "assets/index-AbC.js.br"), brotliCompressSync(script))
writeFileSync(join(folder, "assets/index-AbC.js.gz"), gzipSync(script))
writeFileSync(join(folder, ".sources"), "not for anybody")

let app: TestApp
beforeAll(async () => {
  app = await startApp({ settings: { site: loadSite(folder, isPage) } })
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})

/** `fetch` would normalize the path and choose the coding. */
const raw = (path: string, header = "accept: */*") =>
  rawRequest(app.port, `GET ${path} HTTP/1.1\r\nhost: localhost\r\n${header}\r\nconnection: close\r\n\r\n`)

const coding = async (acceptEncoding: string) =>
  (await raw("/assets/index-AbC.js", `accept-encoding: ${acceptEncoding}`)).headers["content-encoding"]

describe("the dashboard's files", () => {
  it.each(["/", "/sign-in", "/analyses/new", "/repositories/1", "/rules/evm/reentrancy/x", "/settings/keys?a=b"])(
    "serve the page at %s, under a policy that allows only this origin",
    async (address) => {
      const response = await fetch(app.url + address)
      expect(response.status).toBe(200)
      expectEveryHeader(response)
      expect(await response.text()).toBe(page)
      expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8")
      expect(response.headers.get("cache-control")).toBe("no-cache")
      const policy = response.headers.get("content-security-policy")!
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("require-trusted-types-for 'script'")
      expect(policy).not.toMatch(/unsafe|https?:|\*|data:/)
    },
  )

  it("may be cached forever if their names are hashed; the page is revalidated", async () => {
    const file = await fetch(`${app.url}/assets/index-AbC.js`)
    expect(file.headers.get("cache-control")).toBe("public, max-age=31536000, immutable")
    expect(await file.text()).toBe(script)
    const etag = (await fetch(app.url)).headers.get("etag")!
    expect((await fetch(app.url, { headers: { "if-none-match": etag } })).status).toBe(304)
  })

  it("are sent in the precompressed form that the client accepts", async () => {
    expect(await coding("gzip, deflate, br")).toBe("br")
    expect(await coding("gzip")).toBe("gzip")
    expect(await coding("br;q=0, gzip;q=0.5")).toBe("gzip")
    expect(await coding("gzip;q=0.1, identity")).toBeUndefined()
    expect(await coding("*")).toBe("br")
  })

  it("answer HEAD without a body", async () => {
    const response = await fetch(app.url, { method: "HEAD" })
    expect({ status: response.status, text: await response.text() }).toEqual({ status: 200, text: "" })
  })

  it.each([
    "/api/v1/nothing",
    "/auth/nothing",
    "/nothing",
    "/assets/other.js",
    "/.sources",
    "/analyses/favicon.ico",
    "/assets/../.sources",
    "//health",
  ])("leaves %s to the interface", async (path) => expect((await raw(path)).status).toBe(404))

  it("never shadow a path of the API", async () => {
    expect(await (await fetch(`${app.url}/health`)).json()).toEqual({ status: "ok" })
    await expectError(await fetch(`${app.url}/api/v1/analysis`), "UNAUTHENTICATED")
    await expectError(await fetch(`${app.url}/`, { method: "POST" }), "NOT_FOUND")
    expect((await fetch(`${app.url}/docs`)).headers.get("content-type")).toContain("text/html")
  })

  it("do not count against any rate limit", async () => {
    const { apiKey } = await app.newUser()
    const left = async () =>
      (await fetch(`${app.url}/api/v1/me`, { headers: bearer(apiKey) })).headers.get("x-ratelimit-remaining")
    const before = Number(await left())
    for (let i = 0; i < 5; i++) await fetch(app.url, { headers: bearer(apiKey) })
    expect(Number(await left())).toBe(before - 1)
    const [first, second] = [await fetch(app.url), await fetch(app.url)]
    expect(second.headers.get("x-ratelimit-remaining")).toBe(first.headers.get("x-ratelimit-remaining"))
  })

  it("are absent if the dashboard was not built", () => {
    expect(loadSite(join(folder, "assets"), isPage)).toBeUndefined()
  })
})
