import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startApp, type TestApp } from "../../support/app.ts"
import { create, created, expectError, get, repositoryUrl, send } from "../../support/client.ts"
import { rawRequest } from "../../support/rawHttp.ts"

let app: TestApp
let apiKey: string
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

/** One user per group, because creates are limited to 60 per hour. */
const freshKey = async () => {
  apiKey = (await app.newUser()).apiKey
}

const fieldsOf = (error: { readonly details?: Readonly<Record<string, unknown>> }) =>
  (error.details?.["fields"] as ReadonlyArray<{ readonly field: string; readonly message: string }>) ?? [] // VALIDATION_ERROR's details

describe("an unusable body", () => {
  beforeAll(freshKey)

  it.each([
    ["broken JSON", "{"],
    ["an empty body", ""],
    ["blank text", "   "],
    ["a trailing comma", `{"repositoryUrl":"${repositoryUrl}",}`],
    ["two values", "{} {}"],
    ["a number", "1"],
    ["null", "null"],
    ["an array", "[]"],
    ["a string", '"text"'],
  ])("%s is answered with 400", async (_name, body) => {
    await expectError(await create(app, apiKey, body), "VALIDATION_ERROR")
  })

  it("lists every field that is missing, unknown or of the wrong type", async () => {
    const body = { branch: 5, framework: "move", analysisType: "deep", webhookUrl: {}, owner: "me", tier: "pro" }
    const error = await expectError(await create(app, apiKey, body), "VALIDATION_ERROR")
    expect(
      fieldsOf(error)
        .map(({ field }) => field)
        .toSorted(),
    ).toEqual(["analysisType", "branch", "framework", "owner", "repositoryUrl", "tier", "webhookUrl"])
    expect(fieldsOf(error)).toContainEqual({ field: "repositoryUrl", message: "is required" })
    expect(fieldsOf(error)).toContainEqual({ field: "tier", message: "is not a known field" })
  })

  it("rejects a field named __proto__ like any unknown one", async () => {
    const error = await expectError(
      await create(app, apiKey, `{"repositoryUrl":"${repositoryUrl}","__proto__":{"tier":"pro"}}`),
      "VALIDATION_ERROR",
    )
    expect(fieldsOf(error)).toEqual([{ field: "__proto__", message: "is not a known field" }])
  })

  it("rejects null for an optional field", async () => {
    const error = await expectError(await create(app, apiKey, { repositoryUrl, branch: null }), "VALIDATION_ERROR")
    expect(fieldsOf(error).map(({ field }) => field)).toEqual(["branch"])
  })

  it("lists at most 50 of a thousand unknown fields", async () => {
    const body = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`f${i}`, i]))
    const error = await expectError(await create(app, apiKey, { repositoryUrl, ...body }), "VALIDATION_ERROR")
    expect(fieldsOf(error)).toHaveLength(50)
  })

  it.each([
    ["arrays", `{"repositoryUrl":${"[".repeat(65)}${"]".repeat(65)}}`],
    ["objects", `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`],
    ["brackets that never close", "[".repeat(500_000)],
  ])("refuses deeply nested %s", async (_name, body) => {
    const error = await expectError(await create(app, apiKey, body), "VALIDATION_ERROR")
    expect(error.message).toContain("64 levels")
  })

  it("refuses more values than any valid body has, before checking each", async () => {
    const error = await expectError(await create(app, apiKey, `{"a":[${"1,".repeat(10_000)}1]}`), "VALIDATION_ERROR")
    expect(error.message).toContain("10,000 values")
  })

  it("does not count brackets inside strings as nesting", async () => {
    const error = await expectError(
      await create(app, apiKey, { repositoryUrl, branch: '\\"'.concat("[".repeat(100)) }),
      "VALIDATION_ERROR",
    )
    expect(fieldsOf(error).map(({ field }) => field)).toEqual(["branch"])
  })

  it.each([
    ["a list", [], "must be an object"],
    ["a number for a text", { repositoryUrl: 1 }, "must be a string"],
    ["another word", { repositoryUrl, framework: "EVM" }, 'must be one of "cosmwasm", "solana", "evm", "auto"'],
    ["a short commit", { repositoryUrl, commit: "abc" }, "must be 40 hexadecimal digits"],
  ])("says what to send instead of %s", async (_name, body, message) => {
    const error = await expectError(await create(app, apiKey, body), "VALIDATION_ERROR")
    expect(fieldsOf(error).map((each) => each.message)).toEqual([message])
  })

  it.each([
    ["a NUL character", "ma\u0000in"],
    ["a lone surrogate", "ma\ud800in"],
  ])("refuses %s in every text", async (_name, text) => {
    for (const field of ["repositoryUrl", "branch", "webhookUrl"]) {
      const body = { repositoryUrl, [field]: text }
      const error = await expectError(await create(app, apiKey, body), "VALIDATION_ERROR")
      expect(fieldsOf(error).map((each) => each.field)).toEqual([field])
    }
  })

  it("refuses bytes that are not UTF-8", async () => {
    const response = await fetch(`${app.url}/api/v1/analysis`, {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      body: Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
    })
    expect((await expectError(response, "VALIDATION_ERROR")).message).toContain("UTF-8")
  })
})

describe("a body that is too large or of the wrong type", () => {
  beforeAll(freshKey)

  it("returns 413 for 2 MB", async () => {
    const body = { repositoryUrl, branch: "x".repeat(2_000_000) }
    await expectError(await create(app, apiKey, body), "PAYLOAD_TOO_LARGE")
  })

  it("returns 413 for 2 MB in chunks without a length, and stops reading", async () => {
    let sent = 0
    const chunk = new Uint8Array(64 * 1024).fill(0x20)
    const response = await fetch(`${app.url}/api/v1/analysis`, {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      body: new ReadableStream({
        pull: (controller) => {
          sent += chunk.length
          if (sent > 64 * 1024 * 1024) controller.close()
          else controller.enqueue(chunk)
        },
      }),
      duplex: "half",
    } as RequestInit) // `duplex` is missing in the types of this lib
    await expectError(response, "PAYLOAD_TOO_LARGE")
    expect(sent).toBeLessThan(16 * 1024 * 1024)
  })

  it("accepts a body of just under 1 MB", async () => {
    const body = `{"repositoryUrl":"${repositoryUrl}","x":"${"x".repeat(1_000_000)}"}`
    await expectError(await create(app, apiKey, body), "VALIDATION_ERROR")
  })

  it.each([
    ["text/plain"],
    ["application/x-www-form-urlencoded"],
    ["application/jsonp"],
    ["application/json; charset=utf-16"],
    ["multipart/form-data; boundary=x"],
  ])("answers 415 to %s", async (contentType) => {
    const response = await create(app, apiKey, { repositoryUrl }, { "content-type": contentType })
    await expectError(response, "UNSUPPORTED_MEDIA_TYPE")
  })

  it("returns 415 for a compressed body", async () => {
    const response = await create(app, apiKey, { repositoryUrl }, { "content-encoding": "gzip" })
    await expectError(response, "UNSUPPORTED_MEDIA_TYPE")
  })

  it.each([
    ["application/json; charset=utf-8"],
    ["application/JSON;charset=UTF-8"],
    ['application/json; charset="utf-8"'],
  ])("accepts %s", async (contentType) => {
    expect((await create(app, apiKey, { repositoryUrl }, { "content-type": contentType })).status).toBe(201)
  })
})

describe("a repository URL that must never reach git", () => {
  beforeAll(freshKey)

  it.each([
    ["file:///etc/passwd"],
    ["ext::sh -c touch% /tmp/pwned"],
    ["--upload-pack=touch /tmp/pwned"],
    ["-oProxyCommand=x"],
    ["https://user:pw@github.com/a/b"],
    ["https://token@github.com/a/b"],
    ["http://169.254.169.254/latest/meta-data"],
    ["https://169.254.169.254/a/b"],
    ["https://localhost/a/b"],
    ["http://localhost:3000/a/b"],
    ["https://127.0.0.1/a/b"],
    ["https://[::1]/a/b"],
    ["https://2130706433/a/b"],
    ["https://github.com.evil.example/a/b"],
    ["https://github.com@evil.example/a/b"],
    ["https://evil.example/github.com/a"],
    ["http://github.com/a/b"],
    ["ssh://git@github.com/a/b"],
    ["git@github.com:a/b.git"],
    ["git://github.com/a/b"],
    ["javascript:alert(1)"],
    ["https://github.com/"],
    ["https://github.com/a/../../etc"],
    ["https://github.com/a/b\n--upload-pack=x"],
    [" https://github.com/a/b"],
    ["github.com/a/b"],
    [""],
  ])("%j is answered with 400 naming the field", async (url) => {
    const error = await expectError(await create(app, apiKey, { repositoryUrl: url }), "VALIDATION_ERROR")
    expect(fieldsOf(error).map(({ field }) => field)).toEqual(["repositoryUrl"])
    expect(JSON.stringify(error)).not.toContain("pw@")
  })

  it("normalizes a URL before storing it", async () => {
    await created(app, apiKey, "https://GitHub.com/Example/Vault.git/")
    const [item] = (await (await get(app, "/api/v1/analysis?limit=1", apiKey)).json()) as ReadonlyArray<object>
    expect(item).toMatchObject({ repositoryUrl: "https://github.com/Example/Vault" })
  })
})

describe("other fields of a submission", () => {
  beforeAll(freshKey)

  it.each([
    ["--upload-pack=x"],
    ["a..b"],
    ["a b"],
    [""],
    ["a~1"],
    ["refs/heads/-x"],
    ["x".repeat(256)],
    ["a\tb"],
    ["/a"],
    ["a/"],
  ])("refuses the branch %j", async (branch) => {
    const error = await expectError(await create(app, apiKey, { repositoryUrl, branch }), "VALIDATION_ERROR")
    expect(fieldsOf(error).map(({ field }) => field)).toEqual(["branch"])
  })

  it.each([
    ["hooks"],
    ["ftp://example.com/x"],
    ["file:///etc/passwd"],
    ["https://user:pw@example.com/"],
    ["http://localhost/x"],
    ["http://127.1/x"],
    ["http://0x7f000001/x"],
    ["http://2130706433/x"],
    ["http://[::1]/x"],
    ["http://[::ffff:10.0.0.1]/x"],
    ["http://10.1.2.3/x"],
    ["http://172.16.0.1/x"],
    ["http://192.168.1.1/x"],
    ["http://169.254.169.254/latest"],
    ["http://100.64.0.1/x"],
    ["http://metadata.google.internal/x"],
    ["http://printer.local/x"],
    ["http://intranet/x"],
    ["http://localhost./x"],
  ])("refuses the webhookUrl %j", async (webhookUrl) => {
    const error = await expectError(await create(app, apiKey, { repositoryUrl, webhookUrl }), "VALIDATION_ERROR")
    expect(fieldsOf(error).map(({ field }) => field)).toEqual(["webhookUrl"])
  })

  it("lists what is wrong with several fields at once", async () => {
    const error = await expectError(
      await create(app, apiKey, { repositoryUrl: "file:///x", branch: "-x", webhookUrl: "http://10.0.0.1" }),
      "VALIDATION_ERROR",
    )
    expect(fieldsOf(error).map(({ field }) => field)).toEqual(["repositoryUrl", "branch", "webhookUrl"])
  })

  it("accepts all of them at once", async () => {
    const response = await create(app, apiKey, {
      repositoryUrl,
      branch: "feature/x",
      framework: "evm",
      analysisType: "quick",
      webhookUrl: "https://example.com/hook",
    })
    expect(response.status).toBe(201)
  })

  it.each([["two words"], ["\u00fc"], ["x".repeat(256)], [""]])("refuses the Idempotency-Key %j", async (key) => {
    const error = await expectError(
      await create(app, apiKey, { repositoryUrl }, { "idempotency-key": key }),
      "VALIDATION_ERROR",
    )
    expect(fieldsOf(error).map(({ field }) => field)).toEqual(["idempotency-key"])
  })
})

describe("paths and queries", () => {
  beforeAll(freshKey)

  it.each([
    ["GET", "/status"],
    ["GET", "/result"],
    ["GET", "/events"],
    ["GET", "/export?format=json"],
    ["GET", "/deliveries"],
    ["POST", "/deliveries/11111111-1111-4111-8111-111111111111/redeliver"],
    ["POST", "/retry"],
    ["DELETE", ""],
    ["GET", "/badge"],
    ["GET", "/badge.svg"],
    ["GET", "/badge/shields"],
  ])("a malformed id is 400 for %s …%s", async (method, suffix) => {
    for (const id of ["zzz", "1", "11111111-1111-1111-1111-11111111111", "%00", "null", "'%20OR%201=1--"]) {
      await expectError(await send(app, method, `/api/v1/analysis/${id}${suffix}`, apiKey), "VALIDATION_ERROR")
    }
  })

  it("broken percent-encoding of an id is a client error, not a defect", async () => {
    const response = await rawRequest(
      app.port,
      `GET /api/v1/analysis/%zz/badge HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    )
    expect(response.status).toBe(400)
    expect(JSON.parse(response.body)).toMatchObject({ error: { code: "VALIDATION_ERROR" } })
  })

  it.each([
    ["limit=0"],
    ["limit=101"],
    ["limit=1.5"],
    ["limit=ten"],
    ["limit=1e1"],
    ["limit=0x10"],
    ["limit=%2B5"],
    ["limit=%205"],
    ["limit=5%20"],
    ["limit=5."],
    ["limit=%D9%A5"],
    ["limit="],
    ["limit=1&limit=2"],
    ["status=done"],
    ["framework=move"],
    ["cursor=nonsense"],
    ["cursor=%00"],
    ["repositoryUrl=%00"],
    ["repositoryUrl=" + "x".repeat(2049)],
  ])("the list refuses %s", async (query) => {
    await expectError(await get(app, `/api/v1/analysis?${query}`, apiKey), "VALIDATION_ERROR")
  })

  it.each([[""], ["?format=pdf"], ["?format=JSON"], ["?format=json&format=sarif"]])(
    "the export refuses %j",
    async (query) => {
      const id = "00000000-0000-0000-0000-000000000000"
      await expectError(await get(app, `/api/v1/analysis/${id}/export${query}`, apiKey), "VALIDATION_ERROR")
    },
  )
})
